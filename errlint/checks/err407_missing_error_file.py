"""ERR407: an error of a severity that needs an error file is reported without one."""

from __future__ import annotations

from collections.abc import Iterator

from errlint.facts import Called, Function, RecordOutcome, Ref, Value
from errlint.facts import Record as Fact
from errlint.findings import Finding
from errlint.project import Project
from errlint.project.places import is_elsewhere
from errlint.project.records import LEAVING, STANDARD, BuiltRecord, is_only_written
from errlint.project.taxonomy import reports
from errlint.rules import RULES
from errlint.settings.policy import bare_name

WRITES = frozenset({"write", "write_text", "write_bytes", "writelines", "dump"})
"""Last parts of calls that get what they write."""


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
            if record.fact is None:
                continue
            yield from _misplaced(project, record, record.fact)
            if all(_is_written(project, path, function, outcome, writers) for outcome in record.fact.outcomes):
                continue
            if (other := _other_content(record, record.fact, writers)) is not None:
                message = f"what is written here is no record of the error of severity {report.said.severity!r}"
                yield Finding(path, other.span, "ERR407", RULES["ERR407"].severity, message, function.name)
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


def _misplaced(project: Project, record: BuiltRecord, fact: Fact) -> Iterator[Finding]:
    """Yield the files of a record that for certain are none of the places that the policy names."""
    places = project.policy(record.path).logs.file_places
    for file in fact.files if places else ():
        if is_elsewhere(project, record.path, record.function.name, file, places):
            names = " or ".join(f"`{name}`" for name in places)
            message = f"the error file lies in no place of error files; its path has to have {names}"
            yield Finding(record.path, file.span, "ERR407", RULES["ERR407"].severity, message, record.function.name)


def _other_content(record: BuiltRecord, fact: Fact, writers: frozenset[str]) -> Called | None:
    """Return the first call behind a record that writes something else into a file."""
    if fact.files:
        return None
    for called in record.function.calls:
        last = called.value.name.rpartition(".")[2]
        if called.span > record.span and called.how == "expression" and last in writers & WRITES:
            given = called.value.arguments
            is_standard = ".std" in called.value.name or any(_is_standard(item.value) for item in given)
            if given and not is_standard:
                return called
    return None


def _is_standard(value: Value) -> bool:
    return type(value) is Ref and value.name.rpartition(".")[2] in ("stdout", "stderr")


def _is_written(
    project: Project, path: str, function: Function, outcome: RecordOutcome, writers: frozenset[str]
) -> bool:
    """Whether on one way a file is written of a record, or somebody gets it who may do that."""
    if outcome.end in LEAVING or not is_only_written(project, path, function, outcome):
        return True
    return any(
        takes and name.rpartition(".")[2] in writers for name, takes in outcome.acts if not name.endswith(STANDARD)
    )
