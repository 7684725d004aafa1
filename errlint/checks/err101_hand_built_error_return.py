"""ERR101: an error payload is written out at the return."""

from __future__ import annotations

from collections.abc import Iterator

from errlint.checks import wording
from errlint.findings import Finding
from errlint.project import Project
from errlint.project.forms import Kind
from errlint.settings import Style


def check(project: Project, path: str) -> Iterator[Finding]:
    """Yield the hand-built error payloads of one file."""
    if project.policy(path).style is Style.LOG:
        return
    for site in project.sites_of(path):
        if site.form.kind is not Kind.PAYLOAD:
            continue
        wrapper = f" through `{site.form.wrapper}`" if site.form.wrapper else ""
        message = (
            f"{wording.subject(project, site)} {wording.verb(site)} a hand-built error payload "
            f"({wording.keys(site.form.shape)}){wrapper}; {wording.remedy(project, site)} instead"
        )
        yield wording.finding(site, "ERR101", message)
