"""Fields that are read of error records although no record has them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from errlint.facts import Call, Function, Ref, Value, Variable, only
from errlint.findings import Span
from errlint.project.fields import parts, payload_of
from errlint.project.names import FunctionSymbol
from errlint.settings import Style

if TYPE_CHECKING:
    from errlint.project import Project

_DEPTH = 3
"""How many functions of the project hand an answer on."""


class Unknown(NamedTuple):
    """A statement of a function that reads a field of a record that none has."""

    function: Function
    span: Span
    field: str


def unknown_fields(project: Project, path: str) -> Iterator[Unknown]:
    """Yield the fields that one file reads of the records of agents, and that no record has.

    What is no answer of an agent for certain may be an error of somebody else, which has other fields.
    """
    policy = project.policy(path)
    fields = policy.payload.fields
    if policy.style is not Style.LOG or not policy.payload.key or not fields:
        return
    for function in project.modules[path].bodies:
        telling = {asked.key for asked in function.compared} | {found.key for found in function.looked}
        is_of_records = {policy.payload.severity_field, policy.payload.recovery_field} & telling
        for found in function.looked:
            if found.key in fields:
                continue
            if is_of_records or _is_answer(project, path, function.name, found.origin, 0):
                yield Unknown(function, found.span, found.key)


def _is_answer(project: Project, path: str, scope: str, value: Value, depth: int) -> bool:
    """Whether a value is what an agent answers: a record among others, or what it has printed."""
    value = only(value)
    if type(value) is Variable:
        return bool(value.values) and all(_is_answer(project, path, scope, each, depth) for each in value.values)
    if type(value) is not Call or not value.name:
        return False
    if value.name.rpartition(".")[2] == "loads" and value.arguments:
        text = only(value.arguments[0].value)
        return type(text) is Ref and text.name.endswith(".stdout")
    symbol = project.names.resolve(path, value.name, scope)
    if not isinstance(symbol, FunctionSymbol) or depth == _DEPTH:
        return False
    policy = project.policy(symbol.path)
    return any(
        payload_of(part, policy) is not None or _is_answer(project, symbol.path, symbol.function.name, part, depth + 1)
        for found in symbol.function.returns
        for part, _ in parts(found.value)
    )
