"""Which status the exception classes of a project have."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, NamedTuple

from errlint.facts import Ref, Value, only
from errlint.findings import Span
from errlint.project.domain import matches
from errlint.project.names import ClassSymbol, ExternalSymbol
from errlint.project.registry import number

if TYPE_CHECKING:
    from errlint.project import Project
    from errlint.settings import Policy


RPC_CODES = {
    "PARSE_ERROR": -32700,
    "INVALID_REQUEST": -32600,
    "METHOD_NOT_FOUND": -32601,
    "INVALID_PARAMS": -32602,
    "INTERNAL_ERROR": -32603,
}
"""The codes that JSON-RPC 2.0 defines."""


class ClassFields(NamedTuple):
    """What a class says of itself in its body, and what its constructor hands on, each with its place."""

    own: Mapping[str, Value]
    places: Mapping[str, Span]
    handed: Mapping[str, tuple[Value, Span]]

    def field(self, name: str) -> Value | None:
        """Return what a class says in its body, else what its constructor hands on."""
        return self.own[name] if name in self.own else self.handed[name][0] if name in self.handed else None


def is_rpc(status: int | None) -> bool:
    """Whether a number is one of the codes of errors that JSON-RPC has a place for."""
    return status is not None and -32768 <= status <= -32000


def status_of(project: Project, path: str, scope: str, value: Value) -> int | None:
    """Return the number that a value in a function is, also by a constant, and by one of JSON-RPC in a library."""
    value = only(value)
    found = number(value)
    if found is not None or type(value) is not Ref:
        return found
    symbol = project.names.resolve(path, value.name, scope)
    if isinstance(symbol, ExternalSymbol):
        return RPC_CODES.get(symbol.name.rpartition(".")[2])
    return number(project.values.followed(path, scope, value).value)


class Statuses:
    """Answers which status the domain exceptions of one project have, and which their codes have by that."""

    def __init__(self, project: Project) -> None:
        self._project = project
        self._by_code: dict[str, dict[str, dict[int, ClassSymbol]]] = {}

    def fields(self, symbol: ClassSymbol) -> ClassFields:
        """Return what a class gives its objects."""
        definition = symbol.definition
        members = definition.members or ()
        constructor = self._project.names.own_method(symbol, "__init__")
        handed = {
            argument.name: (argument.value, called.span)
            for called in (constructor.calls if constructor is not None else ())
            for argument in called.value.arguments
        }
        return ClassFields(
            {entry.key: entry.value for entry in members if entry.key},
            {entry.key: place for entry, place in zip(members, definition.places, strict=False) if entry.key},
            handed,
        )

    def own(self, symbol: ClassSymbol) -> int | None:
        """Return the status that a class itself gives its objects."""
        fields = self.fields(symbol)
        names = self._project.policy(symbol.path).codes.status_arguments
        found = (number(value) for name in names if (value := fields.field(name)) is not None)
        return next((status for status in found if status is not None), None)

    def of_class(self, symbol: ClassSymbol) -> int | None:
        """Return the status of a class: by the policy, by itself, or by the nearest base that has one."""
        policy = self._project.policy(symbol.path)
        for base in self._project.hierarchy.bases(symbol):
            configured = listed((self._project.names.absolute(base),), policy)
            status = configured if configured is not None else self.own(base)
            if status is not None:
                return status
        return None

    def below(self, symbol: ClassSymbol) -> Iterator[ClassSymbol]:
        """Yield a class and the domain exceptions below it, in order of path and place."""
        domain, policy = self._project.domain, self._project.policy
        return (each for each in self._project.hierarchy.below(symbol) if domain.is_domain(each, policy(each.path)))

    def of_code(self, path: str, code: str) -> tuple[int, ClassSymbol] | None:
        """Return the one status that all classes with a code have, with the first of them."""
        distribution = self._project.layout.distribution(path)
        if distribution not in self._by_code:
            self._by_code[distribution] = self._codes(distribution)
        found = self._by_code[distribution].get(code, {})
        return next(iter(found.items())) if len(found) == 1 else None

    def _codes(self, distribution: str) -> dict[str, dict[int, ClassSymbol]]:
        found: dict[str, dict[int, ClassSymbol]] = {}
        for path, module in self._project.modules.items():
            policy = self._project.policy(path)
            for definition in module.classes if self._project.layout.distribution(path) == distribution else ():
                symbol = ClassSymbol(path, definition)
                status = self.own(symbol) if self._project.domain.is_domain(symbol, policy) else None
                if status is None:
                    continue
                fields = self.fields(symbol)
                values = [value for name in policy.codes.arguments if (value := fields.field(name)) is not None]
                texts = {
                    each.text for value in values for each in self._project.codes.resolved(path, definition.name, value)
                }
                if len(texts) == 1 and isinstance(text := texts.pop(), str):
                    found.setdefault(text, {}).setdefault(status, symbol)
        return found


def listed(names: Iterable[str], policy: Policy) -> int | None:
    """Return the status that a policy lists for a class or its nearest base, by their names from the class upwards."""
    found = (status for name in names for each, status in policy.codes.status.items() if matches(name, (each,)))
    return next(found, None)


DEPTH = 4
"""Statuses are looked for so deep in a value."""
