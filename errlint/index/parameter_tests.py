"""What a function asks of its parameters on the way to a return: ``if status == "success"`` in what builds answers."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator, Mapping

from errlint.error_keywords import ERROR_KEYS, FAILURE_KEYS, STATUS_KEYS, SUCCESS_KEYS, is_outcome
from errlint.facts import Condition, Question, Ref, Sequence, Text, Value
from errlint.findings import Span
from errlint.index.bindings import FunctionNode
from errlint.index.cases import conditions
from errlint.index.effects import State
from errlint.index.forward import Block
from errlint.index.spans import Spans
from errlint.index.statements import blocks, leaves

_TELLING = SUCCESS_KEYS | FAILURE_KEYS | STATUS_KEYS | ERROR_KEYS
"""Names of parameters that say whether there is an error, in lower case."""

_Sides = tuple[tuple[Condition, ...], tuple[Condition, ...]]
"""What holds where a test does, and where it does not."""


class ParameterTests:
    """Reads the ``if`` statements of one function, whose ``parameters`` are given by name, in document order.

    Kept is what asks whether there is an error: of a parameter with such a name, or with such a text.
    """

    def __init__(self, parameters: Collection[str], spans: Spans) -> None:
        self._parameters = frozenset(parameters)
        self._spans = spans
        self._sides: dict[int, _Sides] = {}

    def statement(self, node: ast.If | ast.IfExp, state: State) -> bool:
        """Note what a test asks of parameters that are what the call gave yet; ``state`` has those that are not.

        Returns whether it asks for an error.
        """
        if self._parameters.isdisjoint(_asked(node.test)):
            return False
        span = self._spans.of(node)
        holds, fails = (
            tuple(
                item
                for item in conditions(node.test, state, span, is_negated=is_negated)
                if all(map(self._tells, item.tests))
            )
            for is_negated in (False, True)
        )
        if holds or fails:
            self._sides[id(node)] = (holds, fails)
        return bool(holds or fails)

    def chosen(self, answer: ast.expr, state: State) -> tuple[frozenset[Span], ...]:
        """Return the places of the values of a conditional expression that asks for an error, nothing for any other."""
        if not isinstance(answer, ast.IfExp) or not self.statement(answer, state):
            return ()
        return tuple(frozenset({self._spans.of(part)}) for part in (answer.body, answer.orelse))

    def _tells(self, question: Question) -> bool:
        """Whether a question is of a parameter that is what the call gave yet, and about an error."""
        subject = question.subject
        if type(subject) is not Ref or subject.name not in self._parameters:
            return False
        value = question.value
        texts = value.items if type(value) is Sequence else (value,)
        return subject.name.lower() in _TELLING or any(map(_is_outcome, texts))

    def found(self, body: Block) -> Mapping[Span, tuple[Condition, ...]]:
        """Return what holds in the body of the function, where anything does: at statements, and in their values."""
        return dict(self._block(body, ())) if self._sides else {}

    def _block(self, body: Block, around: tuple[Condition, ...]) -> Iterator[tuple[Span, tuple[Condition, ...]]]:
        for node in body:
            if around:
                yield self._spans.of(node), around
            answer = node.value if isinstance(node, ast.Return) else None
            if isinstance(answer, ast.IfExp) and id(answer) in self._sides:
                yield from zip(map(self._spans.of, (answer.body, answer.orelse)), self._sides[id(answer)], strict=True)
            if isinstance(node, ast.If):
                holds, fails = self._sides.get(id(node), ((), ()))
                yield from self._block(node.body, (*around, *holds))
                yield from self._block(node.orelse, (*around, *fails))
                if leaves(node.body):
                    around = (*around, *fails)
                elif leaves(node.orelse):
                    around = (*around, *holds)
            elif not isinstance(node, (*FunctionNode, ast.ClassDef)):
                for block in blocks(node):
                    yield from self._block(block, around)


def _asked(test: ast.expr) -> Iterator[str]:
    """Yield the names that a test asks something of."""
    if isinstance(test, ast.Name):
        yield test.id
    elif isinstance(test, ast.UnaryOp):
        yield from _asked(test.operand)
    elif isinstance(test, ast.BoolOp):
        for item in test.values:
            yield from _asked(item)
    elif isinstance(test, ast.Compare):
        for item in (test.left, *test.comparators):
            if isinstance(item, ast.Name):
                yield item.id


def _is_outcome(value: Value) -> bool:
    return type(value) is Text and all(isinstance(part, str) and is_outcome(part) for part in value.parts)
