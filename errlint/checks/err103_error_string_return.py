"""ERR103: adapter code answers an error as plain text."""

from __future__ import annotations

from collections.abc import Iterator

from errlint.checks import wording
from errlint.findings import Finding
from errlint.project import Project
from errlint.project.names import ExternalSymbol
from errlint.project.payload_shapes import FormKind
from errlint.project.return_sites import ReturnSite
from errlint.settings import Style


def check(project: Project, path: str) -> Iterator[Finding]:
    """Yield the error texts that adapter code of one file returns."""
    if project.policy(path).style is Style.LOG:
        return
    for site in project.sites.of(path):
        if site.form.kind is not FormKind.TEXT:
            continue
        is_answered = project.reach.adapter_of(path, site.function) or project.routes.answered_by(path, site.function)
        if not is_answered and not _is_content(project, site):
            continue
        wrapper = f" in `{site.form.wrapper}`" if site.form.wrapper else ""
        message = (
            f"{wording.subject(project, site)} answers an error as plain text{wrapper}, "
            f"which clients take for a result; {wording.remedy(project, site)} instead"
        )
        yield wording.finding(site, "ERR103", message)


def _is_content(project: Project, site: ReturnSite) -> bool:
    """Whether a text is answered in a block of MCP: nothing but a client reads that, whoever calls the function."""
    symbol = project.names.resolve(site.path, site.form.wrapper, site.function.name)
    return isinstance(symbol, ExternalSymbol) and symbol.name.partition(".")[0] in ("mcp", "fastmcp")
