"""ERR309: a recovery that does not go with the severity, a type with another severity, an abort that goes on."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from errlint.facts import Compared, Function, RecordOutcome
from errlint.findings import Finding, Span
from errlint.patterns import fits
from errlint.project import Project
from errlint.project.names import FunctionSymbol
from errlint.project.records import BuiltRecord, is_only_written
from errlint.project.recoveries import TELLS, broken
from errlint.project.taxonomy import Classified, ReportPlace, defined, reports
from errlint.rules import RULES
from errlint.settings import Policy

_STOPS = re.compile(r"^=flag$|stop|abort|exit|fail|die|quit|terminate|halt|cancel|shutdown|kill|finish", re.IGNORECASE)
"""In the names of calls and attributes after which somebody else ends the work."""


def check(project: Project, path: str) -> Iterator[Finding]:
    """Yield the errors of one file whose type, severity and recovery do not go together."""
    policy = project.policy(path)
    taxonomy = policy.taxonomy
    if not taxonomy.severities and not taxonomy.recoveries and not taxonomy.stops:
        return
    seen: set[tuple[Span, str]] = set()  # what a script makes of a class is an object of the module, too
    for each in defined(project, path):
        message = _illegal(each.said, policy)
        if message and (each.span, message) not in seen:
            seen.add((each.span, message))
            yield Finding(path, each.span, "ERR309", RULES["ERR309"].severity, message)
    told: dict[str, list[Classified]] = {}
    for report in reports(project, path):
        span, message = _found(project, report, policy)
        if not message or (span, message) in seen:
            continue
        if report.record is not None and message == _illegal(report.said, policy) and _is_taken(project, report.record):
            continue  # that is reported where it is written
        known = told.setdefault(report.function.name, [])
        if report.record is not None:
            known.append(report.said)
        elif not report.said.given and any(
            (each.type, each.recovery) == (report.said.type, report.said.recovery) for each in known
        ):
            continue  # the log line of a record that is reported itself
        seen.add((span, message))  # several errors of one answer may say the same
        yield Finding(path, span, "ERR309", RULES["ERR309"].severity, message, report.function.name)
    for function in project.modules[path].bodies:
        for asked in function.compared:
            message = _asked(project, path, function, asked, policy)
            if message:
                yield Finding(path, asked.span, "ERR309", RULES["ERR309"].severity, message, function.name)
    for found in dict.fromkeys(broken(project, path)):
        yield Finding(path, found.span, "ERR309", RULES["ERR309"].severity, found.message, found.function.name)


def _asked(project: Project, path: str, function: Function, asked: Compared, policy: Policy) -> str:
    """Return what is wrong with who asks what a record says, "" for nothing."""
    taxonomy, payload = policy.taxonomy, policy.payload
    if asked.key == payload.severity_field:
        known = {*taxonomy.recoveries, *taxonomy.severities.values(), *policy.logs.methods}
        unknown = [text for text in asked.texts if text not in known]
        others = {text for each in function.compared for text in each.texts}
        if policy.logs.methods and unknown and others & known:
            return f"no error has the severity {unknown[0]!r}; ask for {_names(policy.logs.methods)}"
    recoveries = taxonomy.recoveries.get(asked.texts[0], ()) if asked.key == payload.severity_field else asked.texts
    if asked.key == payload.type_field or not recoveries or not {*recoveries} <= {*taxonomy.stops}:
        return ""
    if any(
        each.end == "next" and not _is_stopped(each) and is_only_written(project, path, function, each)
        for each in asked.outcomes
    ):
        return f"{asked.texts[0]!r} means {_names(taxonomy.stops)}, but the loop goes on; leave the function here"
    return ""


def _found(project: Project, report: ReportPlace, policy: Policy) -> tuple[Span, str]:
    """Return what is wrong with a report, and where; "" for nothing."""
    taxonomy, payload, record = policy.taxonomy, policy.payload, report.record
    names = (payload.type_field, payload.severity_field, payload.recovery_field)
    if record is None or any(name in record.fields for name in names):
        message = _illegal(report.said, policy)
        if message:
            return (record.place(*names) if record is not None else report.span), message
    if report.said.recovery in taxonomy.stops:
        if record is not None and record.fact is not None:
            return _stopped(project, record, report.said.recovery, taxonomy.saves)
        if report.called is not None and report.called.goes_on and not report.function.records:
            return (
                report.span,
                f"the recovery is {report.said.recovery!r}, but the loop goes on; leave the function here",
            )
    if record is not None and record.fact is not None and record.fact.loop == "items":
        said = next((each for each in (report.said.recovery, report.said.severity) if each in taxonomy.continues), "")
        if said and any(each.end in ("break", "exit", "success") for each in record.fact.outcomes):
            return report.span, f"after {said!r} the work goes on, but this leaves the loop; go on with the next round"
    return report.span, ""


def _stopped(project: Project, record: BuiltRecord, recovery: str, saves: tuple[str, ...]) -> tuple[Span, str]:
    assert record.fact is not None
    for outcome in record.fact.outcomes:
        if outcome.end == "next" and not _is_stopped(outcome):
            return record.span, f"the recovery is {recovery!r}, but the loop goes on; leave the function here"
        if outcome.end == "success":
            return (
                outcome.span,
                f"the recovery is {recovery!r}, but the process ends as if nothing was wrong; exit with 1",
            )
        if saves and outcome.end == "exit" and not _may_save(project, record, outcome, saves):
            names = " or ".join(f"`{name}`" for name in saves)
            return outcome.span, f"the recovery is {recovery!r}, but the state is not saved before; call {names}"
    return record.span, ""


def _may_save(project: Project, record: BuiltRecord, outcome: RecordOutcome, saves: tuple[str, ...]) -> bool:
    """Whether the state may be saved on a way: by one of some calls, or by a function that may do anything."""
    before = [called for called in record.function.calls if called.span < record.span]
    if any(fits(called.value.name.rpartition(".")[2], pattern) for called in before for pattern in saves):
        return True
    for name, _ in outcome.acts:
        last = name.partition(":")[0].rpartition(".")[2]
        if any(fits(last, pattern) for pattern in saves):
            return True
        is_own = isinstance(project.names.resolve(record.path, name, record.function.name), FunctionSymbol)
        if is_own and not TELLS.match(last):
            return True
    return False


def _is_stopped(outcome: RecordOutcome) -> bool:
    """Whether something that is done on a way may end the work."""
    return any(_STOPS.search(name.rpartition(".")[2]) for name, _ in outcome.acts)


def _is_taken(project: Project, record: BuiltRecord) -> bool:
    """Whether the severity of a record is that of an object, a table or a member."""
    said = record.field(project.policy(record.path).payload.severity_field)
    return said is not None and project.values.written(*said) is not None


def _illegal(said: Classified, policy: Policy) -> str:
    taxonomy = policy.taxonomy
    own = taxonomy.severities.get(said.type, "")
    if own and said.given and said.given != own:
        return f"{said.type} has the severity {own!r}, not {said.given!r}"
    known = {*taxonomy.recoveries, *taxonomy.severities.values(), *policy.logs.methods}
    if policy.logs.methods and said.given and said.given not in known:
        return f"there is no severity {said.given!r}; use {_names(policy.logs.methods)}"
    legal = taxonomy.recoveries.get(said.severity, ())
    if legal and said.recovery and said.recovery not in legal:
        return f"the recovery {said.recovery!r} does not go with the severity {said.severity!r}; use {_names(legal)}"
    return ""


def _names(names: Iterable[str]) -> str:
    return " or ".join(repr(name) for name in names)
