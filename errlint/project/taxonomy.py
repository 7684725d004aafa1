"""The taxonomy of a policy: which type, severity and recovery an error says it has, and whether they go together."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, NamedTuple

from errlint.facts import Called, Function, Value, only
from errlint.facts import Mapping as Dict
from errlint.findings import Span
from errlint.project.fields import SINKS, keyed, parts, payload_of
from errlint.project.logs import logged
from errlint.project.records import Record
from errlint.settings import Policy

if TYPE_CHECKING:
    from errlint.project import Project


class Classified(NamedTuple):
    """Type, severity and recovery of an error, "" where they are not constants.

    The severity is that of the type where none is given; ``given`` is what is given itself.
    """

    type: str
    severity: str
    recovery: str
    given: str


class Report(NamedTuple):
    """A place where an error is reported: logged, built as a record, returned, or made as an object."""

    function: Function
    span: Span
    said: Classified
    called: Called | None
    record: Record | None = None


def classified(
    project: Project, path: str, function: Function, fields: Mapping[str, Value], policy: Policy
) -> Classified:
    """Return what the fields of an error say, at the top or in a payload among them."""
    for value in fields.values():
        inner = only(value)
        if type(inner) is Dict and policy.payload.type_field and policy.payload.type_field in keyed(inner):
            fields = {**keyed(inner), **fields}

    def text(*names: str) -> str:
        found = (project.fields.text(path, function.name, fields.get(name)) for name in names if name)
        return next((each for each in found if each), "")

    kind = text("error_type", policy.payload.type_field)
    given = text(policy.payload.severity_field, "severity")
    recovery = text(policy.payload.recovery_field, "recovery")
    return Classified(kind, given or policy.taxonomy.severities.get(kind, ""), recovery, given)


def reports(project: Project, path: str) -> Iterator[Report]:
    """Yield the errors that one file reports with a type, a severity or a recovery, each once."""
    policy = project.policy(path)
    seen: set[Span] = set()
    for record in project.records.of(path):
        said = recorded(project, record, policy)
        seen.add(record.span)
        yield Report(record.function, record.span, said, None, record)
    for log in logged(project, path):
        said = classified(project, path, log.function, log.fields, policy)
        if said.type or said.severity or said.recovery:
            seen.add(log.called.span)
            yield Report(log.function, log.called.span, said, log.called)
    for function in project.modules[path].functions:
        if function.records:
            continue
        for called in function.calls:
            if called.value.name.rpartition(".")[2] in SINKS and called.span not in seen:
                for said in _payloads(project, path, function, called.value, policy):
                    yield Report(function, called.span, said, called)
        for found in function.returns:
            for said in _payloads(project, path, function, found.value, policy):
                yield Report(function, found.span, said, None)
    for error in project.fields.of(path):
        if error.payload is None and error.span not in seen:
            said = classified(project, path, error.function, error.passed, policy)
            if said.recovery or said.given:
                yield Report(error.function, error.span, said, None)


def recorded(project: Project, record: Record, policy: Policy) -> Classified:
    """Return what a record says."""
    payload, text = policy.payload, project.records.text
    kind = text(record, payload.type_field)
    given = text(record, payload.severity_field)
    recovery = text(record, payload.recovery_field)
    return Classified(kind, given or policy.taxonomy.severities.get(kind, ""), recovery, given)


def _payloads(project: Project, path: str, function: Function, value: Value, policy: Policy) -> Iterator[Classified]:
    for part, _ in parts(value):
        found = payload_of(part, policy)
        if found is None:
            continue
        said = classified(project, path, function, keyed(found), policy)
        if said.recovery or said.given:
            yield said
