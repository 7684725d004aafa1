"""ERR407: an error of a severity that needs an error file is reported without one."""

from __future__ import annotations

from collections.abc import Iterator

from errlint.findings import Finding
from errlint.project import Project
from errlint.project.taxonomy import reports
from errlint.rules import RULES


def check(project: Project, path: str) -> Iterator[Finding]:
    """Yield the functions of one file that report a grave error and write no file; the first report of each."""
    logs = project.policy(path).logs
    if not logs.file_severities or not logs.writers:
        return
    writers = {name.replace(":", ".").rpartition(".")[2] for name in logs.writers}
    done: set[str] = set()
    for report in reports(project, path):
        function = report.function
        if report.said.severity not in logs.file_severities or report.called is None or function.name in done:
            continue
        if any(called.value.name.rpartition(".")[2] in writers for called in function.calls):
            continue
        done.add(function.name)
        names = " or ".join(f"`{name}`" for name in logs.writers)
        message = f"an error of severity {report.said.severity!r} is reported without an error file; call {names}"
        yield Finding(path, report.span, "ERR407", RULES["ERR407"].severity, message, function.name)
