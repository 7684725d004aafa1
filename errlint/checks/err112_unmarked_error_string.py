"""ERR112: an error text that does not say that it is one."""

from __future__ import annotations

from collections.abc import Iterator

from errlint.checks import wording
from errlint.findings import Finding
from errlint.project import Project
from errlint.project.payload_shapes import FormKind
from errlint.settings import Style


def check(project: Project, path: str) -> Iterator[Finding]:
    """Yield the error texts without an error opening that adapter code of one file returns."""
    if project.policy(path).style is Style.LOG:
        return
    for site in project.sites.of(path):
        if site.form.kind is not FormKind.UNMARKED_TEXT or not project.reach.adapter_of(path, site.function):
            continue
        message = (
            f"{wording.subject(project, site)} answers an error as text that nothing marks as one; "
            f"{wording.remedy(project, site)} instead"
        )
        yield wording.finding(site, "ERR112", message)
