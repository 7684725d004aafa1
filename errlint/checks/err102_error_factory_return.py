"""ERR102: a helper that only builds error payloads is called at the return."""

from __future__ import annotations

from collections.abc import Iterator

from errlint.checks import wording
from errlint.findings import Finding, Related
from errlint.project import Project
from errlint.project.payload_shapes import FormKind
from errlint.settings import Style


def check(project: Project, path: str) -> Iterator[Finding]:
    """Yield the calls of error factories at the returns of one file."""
    if project.policy(path).style is Style.LOG:
        return
    for site in project.sites.of(path):
        if site.form.kind is not FormKind.FACTORY or wording.is_declared(project, site):
            continue
        helper = site.form.helper
        if helper is None:
            what = f"what `{site.form.wrapper}` builds from an error ({wording.keys(site.form.shape)})"
            related: tuple[Related, ...] = ()
        else:
            name = wording.short(helper.function.name)
            if site.form.builds is FormKind.OBJECT and site.form.made is not None:
                built = f"error object {wording.keys(site.form.shape)}"
            else:
                built = f"error payload ({wording.keys(site.form.shape)})" if site.form.shape else "error payload"
            what = f"the {built} that `{name}` builds"
            related = (Related(helper.path, helper.function.span, f"`{name}` builds the payload here"),)
        message = (
            f"{wording.subject(project, site)} {wording.verb(site)} {what}; {wording.remedy(project, site)} instead"
        )
        yield wording.finding(site, "ERR102", message, related=related)
