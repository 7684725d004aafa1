"""ERR507: a documented code or status that is not the error's."""

from __future__ import annotations

from collections.abc import Iterator

from errlint.checks.wording import drift
from errlint.findings import Finding
from errlint.project import Project
from errlint.project.differing import differences, wrong_statuses


def check(project: Project) -> Iterator[Finding]:
    """Yield the codes of examples, and the statuses of entries, that the errors do not have."""
    for found in differences(project):
        for each in found.values:
            yield drift(each, "ERR507")
    for each in wrong_statuses(project):
        yield drift(each, "ERR507")
