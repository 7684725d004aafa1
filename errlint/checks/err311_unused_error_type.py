"""ERR311: an exception class or response type that nobody uses."""

from __future__ import annotations

from collections.abc import Iterator

from errlint.findings import Finding
from errlint.project import Project
from errlint.project.domain import matches
from errlint.project.names import ClassSymbol
from errlint.rules import RULES


def check(project: Project, path: str) -> Iterator[Finding]:
    """Yield the exception classes and declared response types of one file whose names occur nowhere else."""
    if not project.codes.applies(path):
        return
    policy = project.policy(path)
    for definition in project.modules[path].classes:
        symbol = ClassSymbol(path, definition)
        is_type = matches(project.names.absolute(symbol), (*policy.response.types, *policy.response.queued))
        if not is_type and not project.domain.is_domain(symbol, policy):
            continue
        name = definition.name.rpartition(".")[2]
        if project.codes.mentions(path, name) == 1:
            what = "returns or raises the response type" if is_type else "raises or catches the exception"
            message = f"nothing {what} `{name}`; remove it"
            yield Finding(path, definition.span, "ERR311", RULES["ERR311"].severity, message)
