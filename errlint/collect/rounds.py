"""Loops that try something again: how often, how long they wait, and what is only reached when all rounds failed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

import libcst as cst

from errlint.collect import statements
from errlint.collect.deferred import receiver
from errlint.collect.expressions import all_below, convert, names_below
from errlint.collect.flow import State, Statement
from errlint.collect.ways import evaluated
from errlint.facts import Constant, Count, Rounds, Value, Variable, Wait, only
from errlint.findings import Span

Loop = cst.For | cst.While
Suite = cst.BaseSuite | cst.Module

_SLEEPS = frozenset({"sleep", "wait_for_timeout"})
"""Last parts of calls that wait for a time that they are given."""


class _Limit(NamedTuple):
    """What a counter is compared with, how many more rounds than that there are, and the branch behind the last one."""

    value: Value
    more: int
    last: cst.If | None


class Counter:
    """Watches the statements of one function in order, and counts the rounds of its loops afterwards."""

    def __init__(self, spans: Mapping[int, Span]) -> None:
        self._spans = spans
        self._loops: list[tuple[Loop, State]] = []
        self._states: dict[int, State] = {}

    def statement(self, node: Statement, state: State) -> None:
        """Look at one statement; ``state`` is what holds before it."""
        if isinstance(node, (cst.For, cst.While)):
            self._loops.append((node, state))
        elif self._loops and (isinstance(node, cst.If) or _slept(node)):
            self._states[id(node)] = state

    def finish(self, body: Suite, telling: Iterable[Statement]) -> Iterator[Rounds]:
        """Yield the loops with a statement that tells an error in them, in order of place."""
        told = {id(node) for node in telling}
        for loop, state in self._loops:
            inner = list(statements.below(loop.body))
            inside = tuple(self._spans[id(node)] for node in inner if id(node) in told)
            if not inside:
                continue
            limit = self._limit(loop, state, inner)
            failed = [node for block in _failing(body, loop, limit) for node in (block, *statements.below(block))]
            yield Rounds(
                self._spans[id(loop)],
                Count(limit.value, limit.more) if limit is not None else self._counted(loop, state),
                tuple(self._waits(loop, inner)),
                inside,
                tuple(self._spans[id(node)] for node in failed if id(node) in told),
            )

    def _counted(self, loop: Loop, state: State) -> Count | None:
        """Return how many rounds a `for` has, as far as it says so."""
        if not isinstance(loop, cst.For):
            return None
        call = loop.iter
        if not isinstance(call, cst.Call):
            return Count(convert(call, state), 0)
        if receiver(call.func) != "range" or any(item.star or item.keyword for item in call.args):
            return None
        first = _number(convert(call.args[0].value, state)) if len(call.args) == 2 else 0
        if first is None or not 1 <= len(call.args) <= 2:
            return None
        value, more = _sum(call.args[-1].value, state)
        return Count(value, more - first)

    def _limit(self, loop: Loop, state: State, inner: list[Statement]) -> _Limit | None:
        """Return what the counter of a `while` may reach."""
        if not isinstance(loop, cst.While):
            return None
        counted = {*map(_stepped, inner)} - {""}
        tests: list[tuple[cst.BaseExpression, State, cst.If | None]] = [(loop.test, state, None)]
        tests += [
            (node.test, self._states.get(id(node), {}), node)
            for node in inner
            if isinstance(node, cst.If) and _leaves(node.body)
        ]
        for test, held, branch in tests:
            for part in all_below(test):
                if not isinstance(part, cst.Comparison) or len(part.comparisons) != 1:
                    continue
                name, operator = part.left, part.comparisons[0].operator
                if not isinstance(name, cst.Name) or name.value not in counted:
                    continue
                wanted: tuple[type, ...] = (cst.LessThan, cst.LessThanEqual)
                if branch is not None:
                    wanted = (cst.GreaterThanEqual, cst.GreaterThan, cst.Equal)
                first = _first(state.get(name.value, ()))
                if isinstance(operator, wanted) and first is not None:
                    value, more = _sum(part.comparisons[0].comparator, held)
                    is_over = isinstance(operator, (cst.LessThanEqual, cst.GreaterThan))
                    return _Limit(value, more - first + is_over, branch)
        return None

    def _waits(self, loop: Loop, inner: list[Statement]) -> Iterator[Wait]:
        bound = {*_bound(loop)}
        deeper = {id(node) for other in inner if isinstance(other, (cst.For, cst.While)) for node in _parts(other)}
        for node in inner:
            bound.update(_bound(node))
        for node in inner:
            for call in _slept(node) if id(node) not in deeper else ():
                given = call.args[0].value
                parts = list(all_below(given))
                changes = any(isinstance(part, (cst.Call, cst.Subscript, cst.Await)) for part in parts)
                changes = changes or not bound.isdisjoint(names_below(given))
                yield Wait(self._spans[id(node)], convert(given, self._states.get(id(node), {})), changes)


def _parts(loop: Loop) -> Iterator[Statement]:
    return statements.below(loop.body)


def _slept(node: Statement) -> list[cst.Call]:
    """Return the calls of a statement that wait for a time."""
    return [
        part
        for part in evaluated(node)
        if isinstance(part, cst.Call) and part.args and receiver(part.func).rpartition(".")[2] in _SLEEPS
    ]


def _bound(node: Statement) -> Iterator[str]:
    """Yield the names, and the last parts of attributes, that a statement binds or changes."""
    targets: list[cst.BaseExpression] = []
    if isinstance(node, cst.Assign):
        targets = [item.target for item in node.targets]
    elif isinstance(node, (cst.AnnAssign, cst.AugAssign, cst.For)):
        targets = [node.target]
    elif isinstance(node, cst.With):
        targets = [item.asname.name for item in node.items if item.asname is not None]
    elif isinstance(node, (cst.Try, cst.TryStar)):
        targets = [handler.name.name for handler in node.handlers if handler.name is not None]
    for target in targets:
        last = target.attr if isinstance(target, cst.Attribute) else target
        yield from names_below(last)


def _stepped(node: Statement) -> str:
    """Return the name that a statement adds one to, "" for any other statement."""
    is_step = (
        isinstance(node, cst.AugAssign)
        and isinstance(node.operator, cst.AddAssign)
        and isinstance(node.value, cst.Integer)
        and node.value.value == "1"
    )
    return (
        node.target.value if is_step and isinstance(node, cst.AugAssign) and isinstance(node.target, cst.Name) else ""
    )


def _number(value: Value | None) -> int | None:
    value = only(value)
    return value.value if type(value) is Constant and type(value.value) is int else None


def _first(values: tuple[Value, ...]) -> int | None:
    """Return the number that a counter has before its loop."""
    numbers = [_number(value) for value in (values[0].values if values and type(values[0]) is Variable else values)]
    return numbers[0] if numbers else None


def _sum(node: cst.BaseExpression, state: State) -> tuple[Value, int]:
    """Return an expression, and the number that is added to it."""
    if isinstance(node, cst.BinaryOperation) and isinstance(node.operator, (cst.Add, cst.Subtract)):
        for value, other in ((node.left, node.right), (node.right, node.left)):
            number = _number(convert(other, {}))
            if number is not None and (other is node.right or isinstance(node.operator, cst.Add)):
                return convert(value, state), -number if isinstance(node.operator, cst.Subtract) else number
    return convert(node, state), 0


def _leaves(body: cst.BaseSuite) -> bool:
    """Whether the last statement of a block leaves its loop."""
    last = list(statements.of(body))[-1:]
    return bool(last) and isinstance(last[0], (cst.Return, cst.Raise, cst.Break))


def _failing(body: Suite, loop: Loop, limit: _Limit | None) -> Iterator[Statement]:
    """Yield the statements that are only reached where no round succeeded: those of `else`, and those behind the loop.

    What is behind it says so only where a round that succeeds returns, and none leaves the loop otherwise. The branch
    behind the last round is such a place, too.
    """
    if limit is not None and limit.last is not None:
        yield from statements.of(limit.last.body)
    inner = list(statements.below(loop.body))
    if loop.orelse is not None:
        yield from statements.of(loop.orelse.body)
        return
    caught = {
        id(node)
        for other in inner
        if isinstance(other, (cst.Try, cst.TryStar))
        for handler in other.handlers
        for node in statements.below(handler.body)
    }
    returns = any(isinstance(node, cst.Return) and id(node) not in caught for node in inner)
    if returns and not any(isinstance(node, cst.Break) for node in inner):
        yield from _following(body, loop)


def _following(body: cst.CSTNode, loop: Loop) -> list[Statement]:
    """Return the statements behind a loop in its block."""
    for block in _blocks(body):
        lines = list(statements.of(block))
        if loop in lines:
            return lines[lines.index(loop) + 1 :]
    return []


def _blocks(body: cst.CSTNode) -> Iterator[Suite]:
    if isinstance(body, (cst.BaseSuite, cst.Module)):
        yield body
    for node in all_below(body):
        if isinstance(node, cst.BaseSuite):
            yield node
