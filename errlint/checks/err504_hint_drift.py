"""ERR504: documented hints that are not those of the error that the entry is about."""

from __future__ import annotations

from collections.abc import Iterator

from errlint.checks.wording import drift
from errlint.findings import Finding
from errlint.project import Project


def check(project: Project) -> Iterator[Finding]:
    """Yield the first hint of each entry that its error does not have, or a hint of it that the entry leaves out."""
    for found in project.comparison.differences:
        for each in found.hints:
            yield drift(each, "ERR504")
