"""ERR405: an error is logged without the fields that the policy asks for."""

from __future__ import annotations

from collections.abc import Iterator

from errlint.findings import Finding
from errlint.project import Project
from errlint.project.logs import ERROR_LEVELS, logged
from errlint.rules import RULES


def check(project: Project, path: str) -> Iterator[Finding]:
    """Yield the error and critical log calls of one file that lack fields."""
    asked = project.policy(path).logs.fields
    if not asked:
        return
    for found in logged(project, path):
        lacking = [name for name in asked if name not in found.fields]
        if found.level not in ERROR_LEVELS or found.is_open or not lacking:
            continue
        fields = ", ".join(f"`{name}`" for name in lacking)
        message = f"this {found.level} is logged without {fields}; pass what the policy asks for as fields"
        yield Finding(path, found.called.span, "ERR405", RULES["ERR405"].severity, message, found.function.name)
