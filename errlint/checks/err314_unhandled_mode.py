"""ERR314: the modes of the policy are told apart, but not all of them."""

from __future__ import annotations

from collections.abc import Iterator

from errlint.checks.wording import short
from errlint.findings import Finding
from errlint.gate.modes import plain
from errlint.project import Project
from errlint.rules import RULES


def check(project: Project, path: str) -> Iterator[Finding]:
    """Yield the places in one file that ask for some modes of the policy, and have no branch for the others."""
    modes = {plain(name): name for name in project.policy(path).work.modes}
    if len(modes) < 2:
        return
    for function in project.modules[path].functions:
        for found in function.distinctions:
            values = {plain(value) for value in found.values}
            missing = [f"`{name}`" for mode, name in modes.items() if mode not in values]
            if len(values) < 2 or not missing or not values <= modes.keys():
                continue
            subject = f"`{found.subject}`" if found.subject else "the modes"
            last = " and ".join(filter(None, (", ".join(missing[:-1]), missing[-1])))
            message = (
                f"`{short(function.name)}` tells {subject} apart without {last}; handle it, or all others together"
            )
            yield Finding(path, found.span, "ERR314", RULES["ERR314"].severity, message, function.name)
