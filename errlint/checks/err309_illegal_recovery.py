"""ERR309: a recovery that does not go with the severity, a type with another severity, an abort that goes on."""

from __future__ import annotations

from collections.abc import Iterator

from errlint.findings import Finding
from errlint.project import Project
from errlint.project.taxonomy import Classified, reports
from errlint.rules import RULES
from errlint.settings.policy import Taxonomy


def check(project: Project, path: str) -> Iterator[Finding]:
    """Yield the errors of one file whose type, severity and recovery do not go together."""
    taxonomy = project.policy(path).taxonomy
    if not taxonomy.severities and not taxonomy.recoveries and not taxonomy.stops:
        return
    for report in reports(project, path):
        message = _illegal(report.said, taxonomy)
        goes_on = report.called is not None and report.called.goes_on
        if not message and goes_on and report.said.recovery in taxonomy.stops:
            message = f"the recovery is {report.said.recovery!r}, but the loop goes on; leave the function here"
        if message:
            yield Finding(path, report.span, "ERR309", RULES["ERR309"].severity, message, report.function.name)


def _illegal(said: Classified, taxonomy: Taxonomy) -> str:
    own = taxonomy.severities.get(said.type, "")
    if own and said.given and said.given != own:
        return f"{said.type} has the severity {own!r}, not {said.given!r}"
    legal = taxonomy.recoveries.get(said.severity, ())
    if legal and said.recovery and said.recovery not in legal:
        names = " or ".join(repr(name) for name in legal)
        return f"the recovery {said.recovery!r} does not go with the severity {said.severity!r}; use {names}"
    return ""
