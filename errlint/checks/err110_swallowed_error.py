"""ERR110: a handler turns an exception into an ordinary answer, or only logs it and goes on."""

from __future__ import annotations

from collections.abc import Iterator

from errlint.checks.wording import short
from errlint.findings import Finding
from errlint.project import Project
from errlint.project.swallowed import swallowed
from errlint.rules import RULES
from errlint.settings import Style


def check(project: Project, path: str) -> Iterator[Finding]:
    """Yield the handlers in the adapter code of one file after which nobody knows that something failed."""
    policy = project.policy(path)
    answer = policy.response.types[0] if policy.response.types else "an error"
    remedy = f"return {answer}" if policy.style is Style.RETURN else "raise an exception"
    if project.layout.distribution(path) not in project.adapter_distributions:
        return
    for function, found, fate in swallowed(project, path):
        caught = ", ".join(name.rpartition(".")[2] for name in found.types)
        clause = (
            f"`except {caught}`" if len(found.types) == 1 else f"`except ({caught})`" if caught else "a bare `except`"
        )
        logs = "only logs the error and " if found.level else ""
        name = f"`{short(function.name)}`"
        if not project.is_adapter(path, function):
            name += f" (called by the adapter `{short(project.reaches(path, function))}`)"
        yield Finding(
            path,
            found.span,
            "ERR110",
            RULES["ERR110"].severity,
            f"{clause} in {name} {logs}{fate}, so that nobody learns of it; {remedy}",
            function.name,
        )
