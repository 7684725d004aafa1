"""ERR314: the modes of the policy are told apart, but not all of them."""

from __future__ import annotations

from collections.abc import Iterator

from errlint.checks.wording import short
from errlint.findings import Finding
from errlint.index.spelling import plain
from errlint.project import Project
from errlint.project.modes import wrong
from errlint.rules import RULES


def check(project: Project, path: str) -> Iterator[Finding]:
    """Yield the places in one file that ask for some modes of the policy, and have no branch for the others."""
    for each in wrong(project, path):
        yield Finding(path, each.span, "ERR314", RULES["ERR314"].severity, each.text, each.function)
    modes = {plain(name): name for name in project.policy(path).work.modes}
    if len(modes) < 2:
        return
    module = project.modules[path]
    places = [("", found) for found in module.distinctions]
    places += [(function.name, found) for function in module.functions for found in function.distinctions]
    for scope, found in places:
        if found.how not in ("", "declared"):
            continue
        values = {plain(value): value for value in found.values}
        missing = [f"`{name}`" for mode, name in modes.items() if mode not in values]
        others = [f"`{value}`" for mode, value in values.items() if mode not in modes]
        known = len(values) - len(others)
        if known < 2 or not missing or known < len(others) + (found.how != "declared" and bool(others)):
            continue
        last = _listed(missing)
        subject = f"`{found.subject}`" if found.subject else "the modes"
        if found.how == "declared":
            message = f"`{found.subject}` declares the modes without {last}, so that nobody can choose it; add it"
        elif others:
            message = f"tells {subject} apart by {_listed(others)}, which is no mode, and without {last}"
        else:
            message = f"tells {subject} apart without {last}; handle it, or all others together"
        if found.how != "declared":
            message = f"`{short(scope) if scope else 'the module'}` {message}" if scope else f"the table {message}"
        yield Finding(path, found.span, "ERR314", RULES["ERR314"].severity, message, scope)


def _listed(names: list[str]) -> str:
    return " and ".join(filter(None, (", ".join(names[:-1]), names[-1])))
