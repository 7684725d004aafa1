"""ERR407: an error of a severity that needs an error file is reported without one."""

from __future__ import annotations

from collections.abc import Iterator

from errlint.facts import Function, Outcome
from errlint.findings import Finding
from errlint.project import Project
from errlint.project.records import LEAVING, STANDARD, is_only_written
from errlint.project.taxonomy import reports
from errlint.rules import RULES
from errlint.settings.policy import bare_name


def check(project: Project, path: str) -> Iterator[Finding]:
    """Yield the grave errors of one file of which no file is written."""
    logs = project.policy(path).logs
    if not logs.file_severities or not logs.writers:
        return
    writers = frozenset(bare_name(name) for name in logs.writers)
    done: set[str] = set()
    for report in reports(project, path):
        function, record = report.function, report.record
        if report.said.severity not in logs.file_severities:
            continue
        if record is not None:
            if record.fact is None or all(
                _is_written(project, path, function, outcome, writers) for outcome in record.fact.outcomes
            ):
                continue
        elif (
            report.called is None
            or function.records
            or function.told
            or function.name in done
            or any(called.value.name.rpartition(".")[2] in writers for called in function.calls)
        ):
            continue
        done.add(function.name)
        names = " or ".join(f"`{name}`" for name in logs.writers)
        message = f"an error of severity {report.said.severity!r} is reported without an error file; call {names}"
        yield Finding(path, report.span, "ERR407", RULES["ERR407"].severity, message, function.name)


def _is_written(project: Project, path: str, function: Function, outcome: Outcome, writers: frozenset[str]) -> bool:
    """Whether on one way a file is written of a record, or somebody gets it who may do that."""
    if outcome.end in LEAVING or not is_only_written(project, path, function, outcome):
        return True
    return any(
        takes and name.rpartition(".")[2] in writers for name, takes in outcome.acts if not name.endswith(STANDARD)
    )
