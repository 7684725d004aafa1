"""Places that compare a field of an exception with something, as :class:`errlint.facts.Matched`."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from errlint.facts import Handler, Matched, Sequence, Value
from errlint.findings import Span
from errlint.index.cases import pattern_values
from errlint.index.effects import State
from errlint.index.expressions import constant_key, convert, dotted_name
from errlint.index.path_states import evaluated

_COMPARED = (ast.Eq, ast.NotEq, ast.In, ast.NotIn, ast.Is, ast.IsNot)


class Comparisons:
    """Reads the statements of one function in document order."""

    def __init__(self) -> None:
        self._types: dict[str, tuple[str, ...]] = {}
        self.found: list[Matched] = []

    def statement(self, node: ast.stmt, state: State, span: Span, handlers: tuple[Handler, ...]) -> None:
        """Note what a simple statement or a header asks."""
        compares: list[ast.Compare] = []
        for part in evaluated(node):
            if type(part) is ast.Compare:
                compares.append(part)
            elif type(part) is ast.Call and _is_isinstance(part):
                name = dotted_name(part.args[0])
                self._types[name] = (*self._types.get(name, ()), *_types(part.args[1]))
        if not compares and not isinstance(node, ast.Match):
            return
        known = {handler.name: handler.types for handler in reversed(handlers)} | self._types
        for subject, value in (*_compared(compares, state), *_matched(node)):
            holder, _, field = subject.rpartition(".")
            if holder in known:
                self.found.append(Matched(span, field, value, known[holder]))


def _types(node: ast.expr) -> Iterator[str]:
    """Yield the dotted names of the types that ``isinstance`` is handed, ``?`` for what is none."""
    for each in node.elts if isinstance(node, ast.Tuple) else [node]:
        yield dotted_name(each.value if isinstance(each, ast.Starred) else each) or "?"


def _is_isinstance(call: ast.Call) -> bool:
    return type(call.func) is ast.Name and call.func.id == "isinstance" and len(call.args) == 2


def _compared(compares: list[ast.Compare], state: State) -> Iterator[tuple[str, Value]]:
    """Yield the fields that comparisons ask for, as dotted names, each with what it is compared with."""
    for part in compares:
        left = part.left
        for operator, right in zip(part.ops, part.comparators):  # noqa: B905 -- equal by construction
            if isinstance(operator, _COMPARED):
                if subject := _field(left):
                    yield subject, convert(right, state)
                elif subject := _field(right):
                    yield subject, convert(left, state)
            left = right


def _matched(node: ast.stmt) -> Iterator[tuple[str, Value]]:
    if isinstance(node, ast.Match) and (subject := _field(node.subject)):
        for case in node.cases:
            yield subject, Sequence("tuple", pattern_values(case.pattern) or ())


def _field(node: ast.expr) -> str:
    """Return the dotted name of a field that is read, also by ``getattr``; "" for anything else."""
    if type(node) is ast.Call and dotted_name(node.func) == "getattr" and len(node.args) > 1:
        field = constant_key(node.args[1]) or ""
        holder = dotted_name(node.args[0])
        return f"{holder}.{field}" if holder and field.isidentifier() else ""
    return dotted_name(node) if type(node) is ast.Attribute else ""
