"""Places that compare a field of an exception with something, as :class:`errlint.facts.Matched`."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from errlint.collect.cases import pattern_values
from errlint.collect.expressions import convert, dotted_name
from errlint.collect.flow import State, Statement, exception_names
from errlint.collect.ways import evaluated
from errlint.facts import Handler, Matched, Sequence, Value
from errlint.findings import Span

_COMPARED = (cst.Equal, cst.NotEqual, cst.In, cst.NotIn, cst.Is, cst.IsNot)


class Comparisons:
    """Reads the statements of one function in document order."""

    def __init__(self) -> None:
        self._types: dict[str, tuple[str, ...]] = {}
        self.found: list[Matched] = []

    def statement(self, node: Statement, state: State, span: Span, handlers: tuple[Handler, ...]) -> None:
        """Note what a simple statement or a header asks."""
        parts = list(evaluated(node))
        for part in parts:
            if isinstance(part, cst.Call) and dotted_name(part.func) == "isinstance" and len(part.args) == 2:
                name = dotted_name(part.args[0].value)
                self._types[name] = (*self._types.get(name, ()), *exception_names(part.args[1].value))
        known = {handler.name: handler.types for handler in reversed(handlers)} | self._types
        for subject, value in (*self._compared(parts, state), *self._matched(node, state)):
            holder, _, field = subject.rpartition(".")
            if holder in known:
                self.found.append(Matched(span, field, value, known[holder]))

    def _compared(self, parts: list[cst.CSTNode], state: State) -> Iterator[tuple[str, Value]]:
        """Yield the fields that comparisons ask for, as dotted names, each with what it is compared with."""
        for part in parts:
            left = part.left if isinstance(part, cst.Comparison) else None
            for comparison in part.comparisons if isinstance(part, cst.Comparison) else ():
                assert left is not None
                right = comparison.comparator
                if isinstance(comparison.operator, _COMPARED):
                    if subject := _field(left):
                        yield subject, convert(right, state)
                    elif subject := _field(right):
                        yield subject, convert(left, state)
                left = right

    def _matched(self, node: Statement, state: State) -> Iterator[tuple[str, Value]]:
        if isinstance(node, cst.Match) and (subject := _field(node.subject)):
            for case in node.cases:
                yield subject, Sequence("tuple", pattern_values(case.pattern) or ())


def _field(node: cst.BaseExpression) -> str:
    """Return the dotted name of a field that is read, also by ``getattr``; "" for anything else."""
    if isinstance(node, cst.Call) and dotted_name(node.func) == "getattr" and len(node.args) > 1:
        name = node.args[1].value
        field = name.evaluated_value if isinstance(name, cst.SimpleString) else ""
        holder = dotted_name(node.args[0].value)
        return f"{holder}.{field}" if holder and isinstance(field, str) and field.isidentifier() else ""
    return dotted_name(node) if isinstance(node, cst.Attribute) else ""
