"""Error records: where they are built, with which fields, and what happens to each.

A record is built where a dict below the key of the policy is written out, by a call of a function that writes one out
from its parameters, or by making an object of a class with the same fields.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, NamedTuple

from errlint.error_keywords import LOG_METHODS
from errlint.facts import Call, DictEntry, Function, RecordOutcome, Ref, ToldError, Value, is_closed, keyed, only
from errlint.facts import Mapping as Dict
from errlint.facts import Record as Fact
from errlint.findings import Span
from errlint.project.arguments import bound_to, own_parameters
from errlint.project.fields import payload_of
from errlint.project.names import ClassSymbol, FunctionSymbol
from errlint.settings import Policy

if TYPE_CHECKING:
    from errlint.project import Project

LEAVING = ("record", "raise")
"""How ways end on which a caller gets to know of the error."""

STANDARD = (":stdout", ":stderr")
"""How the names of calls end that get a standard stream."""

PLAIN = LOG_METHODS | {
    "print", "dumps", "dump", "str", "repr", "pprint", "len", "echo", "secho", "write", "writelines", "write_text",
    "write_bytes", "encode", "isinstance", "get",
}  # fmt: skip
"""Last parts of calls that get a record and do no more with it than their name says."""


class FieldValue(NamedTuple):
    """The value of a field, with the file and the scope whose names it is made of."""

    path: str
    scope: str
    value: Value


class BuiltRecord(NamedTuple):
    """A record: where it is built, and what its fields are.

    ``fact`` is ``None`` for one that a call builds; then ``fields`` are those that come from the arguments, and
    ``others`` those that the function writes itself. ``is_open`` is true where it may have other fields.
    """

    path: str
    function: Function
    span: Span
    fields: Mapping[str, FieldValue]
    others: Mapping[str, FieldValue]
    fact: Fact | None
    is_open: bool

    def field(self, name: str) -> FieldValue | None:
        """Return a field, whoever gives it."""
        return self.fields.get(name) or self.others.get(name)

    def place(self, *names: str) -> Span:
        """Return where the last of some fields was given its value."""
        steps = dict(self.fact.steps) if self.fact is not None else {}
        return max((steps[name] for name in names if name in steps), default=self.span)


class Records:
    """Answers where the records of a project are built."""

    def __init__(self, project: Project) -> None:
        self._project = project
        self._records: dict[str, tuple[BuiltRecord, ...]] = {}

    def of(self, path: str) -> tuple[BuiltRecord, ...]:
        """Return the records that are built in one file, in order of place."""
        found = self._records.get(path)
        if found is None:
            policy = self._project.policy(path)
            found = self._records[path] = tuple(sorted(self._all(path, policy), key=lambda record: record.span))
        return found

    def text(self, record: BuiltRecord, name: str) -> str:
        """Return the constant text of a field, "" for none."""
        said = record.field(name) if name else None
        return (self._project.fields.text(said.path, said.scope, said.value) or "") if said is not None else ""

    def _all(self, path: str, policy: Policy) -> Iterator[BuiltRecord]:
        for function in self._project.modules[path].bodies:
            for fact in function.records:
                inner = self._inner(path, function, fact, policy)
                if inner is not None:
                    fields = {name: FieldValue(path, function.name, value) for name, value in keyed(inner).items()}
                    yield BuiltRecord(path, function, fact.span, fields, {}, fact, not is_closed(inner))
            for told in function.told:
                yield from self._told(path, function, told, policy)

    def _inner(self, path: str, function: Function, fact: Fact, policy: Policy) -> Dict | None:
        """Return the fields of a record that is written out, with those that are spread into it."""
        return payload_of(self._project.evaluator.mapping(path, function.name, fact.value), policy)

    def _told(self, path: str, function: Function, told: ToldError, policy: Policy) -> Iterator[BuiltRecord]:
        call = told.value
        symbol = self._project.objects.called(path, call.name, function.name) if call.name else None
        if isinstance(symbol, FunctionSymbol):
            yield from self._by_function(path, function, told, symbol)
        elif isinstance(symbol, ClassSymbol) and _is_record(symbol, policy):
            made = self._project.domain.construction(path, function.name, call)
            if made is not None:
                fields = {name: FieldValue(path, function.name, value) for name, value in made.passed.items()}
                others = {
                    name: FieldValue(symbol.path, "", value)
                    for name, value in made.defaults.items()
                    if name not in fields
                }
                yield BuiltRecord(path, function, told.span, fields, others, None, made.is_open or made.has_more)

    def _by_function(
        self, path: str, function: Function, told: ToldError, symbol: FunctionSymbol
    ) -> Iterator[BuiltRecord]:
        builder = symbol.function
        own, bound = own_parameters(builder), bound_to(builder, told.value)
        if not builder.records or bound.is_open:
            return
        given = {name: FieldValue(path, function.name, value) for name, value in bound.passed.items()}
        for item in own:
            if item.default is not None and item.name not in given:
                given[item.name] = FieldValue(symbol.path, "", item.default)
            elif item.kind == "**":
                known = {each.name for each in own}
                more = tuple(DictEntry(name, value) for name, value in bound.passed.items() if name not in known)
                given[item.name] = FieldValue(path, function.name, Dict(more))
        policy = self._project.policy(symbol.path)
        for fact in builder.records:
            inner = self._inner(symbol.path, builder, fact, policy)
            if inner is None:
                continue
            fields: dict[str, FieldValue] = {}
            others: dict[str, FieldValue] = {}
            for name, value in keyed(inner).items():
                passed = _passed(only(value), given)
                if passed is not None:
                    fields[name] = passed
                else:
                    others[name] = FieldValue(symbol.path, builder.name, value)
            yield BuiltRecord(path, function, told.span, fields, others, None, not is_closed(inner))


def _passed(value: Value, given: Mapping[str, FieldValue]) -> FieldValue | None:
    """Return what a value is that a function takes from a parameter."""
    if type(value) is Call and len(value.arguments) == 1 and value.name in ("str", "dict"):
        value = only(value.arguments[0].value)
    if type(value) is not Ref:
        return None
    name, _, rest = value.name.partition(".")
    said = given.get(name)
    if said is None or not rest:
        return said
    inner = only(said.value)
    return FieldValue(said.path, said.scope, Ref(f"{inner.name}.{rest}")) if type(inner) is Ref else None


def _is_record(symbol: ClassSymbol, policy: Policy) -> bool:
    """Whether a class has the fields of a record that say what to do."""
    names = {entry.key for entry in symbol.definition.members or ()}
    wanted = {policy.payload.severity_field, policy.payload.recovery_field}
    return "" not in wanted and wanted <= names


def is_only_written(project: Project, path: str, function: Function, outcome: RecordOutcome) -> bool:
    """Whether nobody gets a record on a way but the standard streams and files: nobody who may log or keep it."""
    for name, takes in outcome.acts:
        plain = name.partition(":")[0]
        is_own = isinstance(project.names.resolve(path, plain, function.name), FunctionSymbol)
        if takes and (is_own or plain.rpartition(".")[2] not in PLAIN):
            return False
    return True
