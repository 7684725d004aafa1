"""The taxonomy of a policy: which type, severity and recovery an error says it has, and whether they go together."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple

from errlint.facts import Call, Called, Function, Value, keyed, only
from errlint.facts import Mapping as Dict
from errlint.findings import Span
from errlint.project.fields import SINKS, parts, payload_of
from errlint.project.logs import logged
from errlint.project.names import ClassSymbol
from errlint.project.records import BuiltRecord
from errlint.project.values import Located
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


class ReportPlace(NamedTuple):
    """A place where an error is reported: logged, built as a record, returned, or made as an object."""

    function: Function
    span: Span
    said: Classified
    called: Called | None
    record: BuiltRecord | None = None


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


def reports(project: Project, path: str) -> Iterator[ReportPlace]:
    """Yield the errors that one file reports with a type, a severity or a recovery, each once."""
    policy = project.policy(path)
    seen: set[Span] = set()
    for record in project.records.of(path):
        said = recorded(project, record, policy)
        seen.add(record.span)
        yield ReportPlace(record.function, record.span, said, None, record)
    for log in logged(project, path):
        said = classified(project, path, log.function, log.fields, policy)
        if said.type or said.severity or said.recovery:
            seen.add(log.called.span)
            yield ReportPlace(log.function, log.called.span, said, log.called)
    for function in project.modules[path].bodies:
        if function.records:
            continue
        for called in function.calls:
            if called.value.name.rpartition(".")[2] in SINKS and called.span not in seen:
                for said in _payloads(project, path, function, called.value, policy):
                    yield ReportPlace(function, called.span, said, called)
        for found in function.returns:
            for said in _payloads(project, path, function, found.value, policy):
                yield ReportPlace(function, found.span, said, None)
    for error in project.fields.of(path):
        if error.payload is None and error.span not in seen:
            said = classified(project, path, error.function, error.passed, policy)
            if said.recovery or said.given:
                yield ReportPlace(error.function, error.span, said, None)


class Defined(NamedTuple):
    """A class or a constant that says which type, severity and recovery errors have, and the place that says so."""

    span: Span
    said: Classified


def defined(project: Project, path: str) -> Iterator[Defined]:
    """Yield what classes, objects and tables of a file say about errors of the vocabulary that are made with them."""
    policy = project.policy(path)
    payload = policy.payload
    types = tuple(dict.fromkeys((*policy.codes.arguments, payload.type_field)))
    names = (*types, payload.severity_field, payload.recovery_field)
    if "" in (payload.severity_field, payload.recovery_field):
        return
    module = project.modules[path]
    for definition in module.classes:
        values: dict[str, Value] = {}
        for base in reversed(project.hierarchy.bases(ClassSymbol(path, definition))):
            values.update((entry.key or "", entry.value) for entry in base.definition.members or ())
        own = [
            place
            for entry, place in zip(definition.members or (), definition.places)  # noqa: B905 -- equal by construction
            if entry.key in names and entry.key not in definition.unset
        ]
        places = {entry.key: place for entry, place in zip(definition.members or (), definition.places)}  # noqa: B905
        said = _said(project, path, {name: values.get(name) for name in names}, types, policy)
        if own and said is not None:
            yield Defined(places.get(payload.severity_field, own[0]), said)
    for item in module.assigned:
        tables = [only(entry.value) for entry in item.value.entries] if type(item.value) is Dict else []
        for value in (item.value, *tables):
            if type(value) is Dict:
                fields: dict[str, Value | None] = {**keyed(value)}
            elif type(value) is Call:
                found = {name: project.values.field(Located(path, "", value), name) for name in names}
                fields = {name: at.value if at is not None else None for name, at in found.items()}
            else:
                continue
            said = _said(project, path, fields, types, policy)
            if said is not None:
                yield Defined(item.span, said)


def _said(
    project: Project, path: str, fields: Mapping[str, Value | None], types: tuple[str, ...], policy: Policy
) -> Classified | None:
    """Return what some fields say, ``None`` for those that are of no error of the policy."""
    payload, taxonomy = policy.payload, policy.taxonomy
    texts = {name: project.values.text(path, "", value) or "" for name, value in fields.items() if value is not None}
    kind = next((texts[name] for name in types if texts.get(name)), "")
    given, recovery = texts.get(payload.severity_field, ""), texts.get(payload.recovery_field, "")
    if not given or (kind not in policy.codes.vocabulary and recovery not in {*chain(*taxonomy.recoveries.values())}):
        return None
    return Classified(kind, given, recovery, given)


def recorded(project: Project, record: BuiltRecord, policy: Policy) -> Classified:
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
