"""ERR103: adapter code answers an error as plain text."""

from __future__ import annotations

from collections.abc import Iterator

from errlint.checks import wording
from errlint.findings import Finding
from errlint.project import Project
from errlint.project.forms import Kind
from errlint.settings import Style


def check(project: Project, path: str) -> Iterator[Finding]:
    """Yield the error texts that adapter code of one file returns."""
    if project.policy(path).style is Style.LOG:
        return
    for site in project.sites_of(path):
        if site.form.kind is not Kind.TEXT or not project.reaches(path, site.function):
            continue
        wrapper = f" in `{site.form.wrapper}`" if site.form.wrapper else ""
        message = (
            f"{wording.subject(project, site)} answers an error as plain text{wrapper}, "
            f"which clients take for a result; {wording.remedy(project, site)} instead"
        )
        yield wording.finding(site, "ERR103", message)
