"""ERR306: a status differs from what the registry, the class or the policy gives the error."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from errlint.facts import Value, only
from errlint.findings import Finding, Related, Span
from errlint.project import Project
from errlint.project.domain import matches
from errlint.project.names import ClassSymbol
from errlint.project.registry import Kind, number
from errlint.rules import RULES

RPC_CODES = {
    "PARSE_ERROR": -32700,
    "INVALID_REQUEST": -32600,
    "METHOD_NOT_FOUND": -32601,
    "INVALID_PARAMS": -32602,
    "INTERNAL_ERROR": -32603,
}
"""The codes that JSON-RPC 2.0 defines."""


class Expected(NamedTuple):
    """The status an error should have, and who says so."""

    status: int
    by: str
    related: tuple[Related, ...] = ()


def check(project: Project, path: str) -> Iterator[Finding]:
    """Yield the statuses in one file that differ from the expected ones."""
    if not project.codes.applies(path):
        return
    policy = project.policy(path)
    for function in project.modules[path].functions if project.codes.are_known(path) else ():
        for raised in function.raises:
            value = only(raised.value)
            fields = dict(project.codes.fields(path, function.name, value, policy))
            symbol = project.domain.class_of(path, function.name, value)
            yield from _compared(project, path, function.name, raised.span, fields, symbol)
        for found in function.returns:
            if project.classifier.classify(path, function, found) is not None:
                parts = dict(project.codes.parts(path, function.name, found.value, policy))
                yield from _compared(project, path, function.name, found.span, parts, None)
    for definition in project.modules[path].classes:
        symbol = ClassSymbol(path, definition)
        if project.domain.is_domain(symbol, policy):
            yield from _class(project, symbol)
    yield from _protocol(project, path)


def _compared(
    project: Project, path: str, scope: str, place: Span, fields: dict[str, Value], symbol: ClassSymbol | None
) -> Iterator[Finding]:
    codes = project.policy(path).codes
    given = next(((name, fields[name]) for name in codes.status_arguments if name in fields), None)
    status = number(only(given[1])) if given is not None else None
    if given is None or status is None:
        return
    values = [fields[name] for name in codes.arguments if name in fields and name != given[0]]
    texts = {found.text for value in values for found in project.codes.resolved(path, scope, value)}
    expected = _of_code(project, path, texts.pop()) if len(texts) == 1 else None
    if expected is None and symbol is not None:
        expected = _of_class(project, path, symbol)
    if expected is not None and expected.status != status:
        message = f"`{given[0]}` is {status} where {expected.by} says {expected.status}"
        yield Finding(path, place, "ERR306", RULES["ERR306"].severity, message, scope, related=expected.related)


def _of_code(project: Project, path: str, code: str | int) -> Expected | None:
    codes = project.policy(path).codes
    if not isinstance(code, str):
        return None
    if code in codes.status:
        return Expected(codes.status[code], f"the configuration for `{code}`")
    for registry in (*project.codes.configured(path), *project.codes.recognised(path)):
        for item in registry.codes:
            if item.status is None or item.text != code:
                continue
            if registry.kind is Kind.POLICY:
                return Expected(item.status, f"the configuration for `{code}`")
            related = (Related(registry.path, item.place, f"`{registry.short}` gives it {item.status}"),)
            return Expected(item.status, f"`{registry.short}`", related)
    return None


def _of_class(project: Project, path: str, symbol: ClassSymbol) -> Expected | None:
    status = project.policy(path).codes.status
    for name in project.domain.ancestors(symbol):
        for pattern, expected in status.items():
            if matches(name, (pattern,)):
                return Expected(expected, f"the configuration for `{name.rpartition('.')[2]}`")
    return None


def _class(project: Project, symbol: ClassSymbol) -> Iterator[Finding]:
    """Compare what a class says of itself with the policy, with its code, and with what its constructor hands on."""
    codes, definition = project.policy(symbol.path).codes, symbol.definition
    own = {entry.key: entry.value for entry in definition.members or () if entry.key}
    places = {entry.key: place for entry, place in zip(definition.members or (), definition.places, strict=False)}
    constructor = project.names.function(symbol.path, f"{definition.name}.__init__")
    handed = {
        argument.name: (argument.value, called.span)
        for called in (constructor.calls if constructor is not None else ())
        for argument in called.value.arguments
    }
    for name in codes.status_arguments:
        status = number(own[name]) if name in own else None
        passed = number(handed[name][0]) if name in handed else None
        place = places[name] if status is not None else handed[name][1] if passed is not None else definition.span
        said = status if status is not None else passed
        if said is None:
            continue
        if status is not None and passed is not None and status != passed:
            message = f"`{name}` is {status} in the class, but its constructor hands on {passed}"
            yield Finding(symbol.path, handed[name][1], "ERR306", RULES["ERR306"].severity, message)
            continue
        fields = {key: value for key, value in own.items() if key in codes.arguments}
        fields |= {key: value for key, (value, _) in handed.items() if key in codes.arguments}
        fields[name] = own[name] if status is not None else handed[name][0]
        yield from _compared(project, symbol.path, definition.name, place, fields, symbol)


def _protocol(project: Project, path: str) -> Iterator[Finding]:
    """Compare registries of JSON-RPC codes with the protocol."""
    for registry in project.codes.registered_in(path):
        for code in registry.codes:
            standard = RPC_CODES.get(code.member)
            if standard is None or not isinstance(code.value, int) or not -32769 < code.value < -31999:
                continue
            if code.value != standard:
                message = f"`{registry.spelled(code)}` is {code.value} where JSON-RPC says {standard}"
                yield Finding(path, code.place, "ERR306", RULES["ERR306"].severity, message)
