"""ERR105: an error model is returned instead of raised."""

from __future__ import annotations

from collections.abc import Iterator

from errlint.checks import wording
from errlint.findings import Finding, Severity
from errlint.project import Project
from errlint.project.forms import Kind
from errlint.settings import Style


def check(project: Project, path: str) -> Iterator[Finding]:
    """Yield the error objects that the functions of one file return; a declared response type is right."""
    if project.policy(path).style is Style.LOG:
        return
    for site in project.sites_of(path):
        if site.form.kind is not Kind.OBJECT or wording.is_declared(project, site):
            continue
        severity = Severity.WARNING if site.form.is_error else None
        message = (
            f"{wording.subject(project, site)} {wording.verb(site)} the error object `{site.form.shape[0]}`; "
            f"{wording.remedy(project, site)} instead"
        )
        yield wording.finding(site, "ERR105", message, severity)
