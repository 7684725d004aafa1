"""Loops that try something again: how often, how long they wait, and what is only reached when all rounds failed."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from errlint.facts import Constant, Count, Rounds, Value, Wait, only
from errlint.index import statements
from errlint.index.bindings import TRY, targets_of
from errlint.index.deferred import receiver
from errlint.index.effects import State
from errlint.index.expressions import all_below, convert, given
from errlint.index.forward import Block
from errlint.index.outcomes import named_below
from errlint.index.path_states import evaluated
from errlint.index.spans import Spans

Loop = ast.For | ast.AsyncFor | ast.While
_LOOPS = (ast.For, ast.AsyncFor, ast.While)

_SLEEPS = frozenset({"sleep", "wait_for_timeout"})
"""Last parts of calls that wait for a time that they are given."""


class _Limit(NamedTuple):
    """What a counter is compared with, how many more rounds than that there are, and the branch behind the last one."""

    value: Value
    more: int
    last: ast.If | None


class Counter:
    """Watches the statements of one function in order, and counts the rounds of its loops afterwards."""

    def __init__(self, spans: Spans) -> None:
        self._spans = spans
        self._loops: list[tuple[Loop, State]] = []
        self._states: dict[int, State] = {}

    def statement(self, node: ast.stmt, state: State) -> None:
        """Look at one statement; ``state`` is what holds before it."""
        if isinstance(node, _LOOPS):
            self._loops.append((node, state))
        elif self._loops and (isinstance(node, ast.If) or _slept(node)):
            self._states[id(node)] = state

    def finish(self, body: Block, telling: Iterable[ast.stmt]) -> Iterator[Rounds]:
        """Yield the loops with a statement that tells an error in them, in order of place."""
        told = {id(node) for node in telling}
        for loop, state in self._loops:
            inner = list(statements.below(loop.body))
            inside = tuple(self._spans.of(node) for node in inner if id(node) in told)
            if not inside:
                continue
            limit = self._limit(loop, state, inner)
            failed = statements.below(list(_failing(body, loop, limit)))
            yield Rounds(
                self._spans.of(loop),
                Count(limit.value, limit.more) if limit is not None else self._counted(loop, state),
                tuple(self._waits(loop, inner)),
                inside,
                tuple(self._spans.of(node) for node in failed if id(node) in told),
            )

    def _counted(self, loop: Loop, state: State) -> Count | None:
        """Return how many rounds a `for` has, as far as it says so."""
        if isinstance(loop, ast.While):
            return None
        call = loop.iter
        if not isinstance(call, ast.Call):
            return Count(convert(call, state), 0)
        handed = given(call)
        if receiver(call.func) != "range" or any(name for name, _ in handed):
            return None
        first = _number(convert(call.args[0], state)) if len(handed) == 2 else 0
        if first is None or not 1 <= len(handed) <= 2:
            return None
        value, more = _sum(call.args[-1], state)
        return Count(value, more - first)

    def _limit(self, loop: Loop, state: State, inner: list[ast.stmt]) -> _Limit | None:
        """Return what the counter of a `while` may reach."""
        if not isinstance(loop, ast.While):
            return None
        counted = {*map(_stepped, inner)} - {""}
        tests: list[tuple[ast.expr, State, ast.If | None]] = [(loop.test, state, None)]
        tests += [
            (node.test, self._states.get(id(node), {}), node)
            for node in inner
            if isinstance(node, ast.If) and isinstance(node.body[-1], (ast.Return, ast.Raise, ast.Break))
        ]
        for test, held, branch in tests:
            for part in all_below(test):
                if not isinstance(part, ast.Compare) or len(part.ops) != 1:
                    continue
                name, operator = part.left, part.ops[0]
                if not isinstance(name, ast.Name) or name.id not in counted:
                    continue
                wanted: tuple[type, ...] = (ast.Lt, ast.LtE)
                if branch is not None:
                    wanted = (ast.GtE, ast.Gt, ast.Eq)
                first = _number(only(state.get(name.id)))
                if isinstance(operator, wanted) and first is not None:
                    value, more = _sum(part.comparators[0], held)
                    is_over = isinstance(operator, (ast.LtE, ast.Gt))
                    return _Limit(value, more - first + is_over, branch)
        return None

    def _waits(self, loop: Loop, inner: list[ast.stmt]) -> Iterator[Wait]:
        bound = {*_bound(loop)}
        deeper = {id(node) for other in inner if isinstance(other, _LOOPS) for node in statements.below(other.body)}
        for node in inner:
            bound.update(_bound(node))
        for node in inner:
            for call in _slept(node) if id(node) not in deeper else ():
                time = given(call)[0][1]
                changes = any(isinstance(part, (ast.Call, ast.Subscript, ast.Await)) for part in all_below(time))
                changes = changes or not bound.isdisjoint(named_below(time))
                yield Wait(self._spans.of(node), convert(time, self._states.get(id(node), {})), changes)


def _slept(node: ast.stmt) -> list[ast.Call]:
    """Return the calls of a statement that wait for a time."""
    return [
        part
        for part in evaluated(node)
        if isinstance(part, ast.Call)
        and (part.args or part.keywords)
        and receiver(part.func).rpartition(".")[2] in _SLEEPS
    ]


def _bound(node: ast.stmt) -> Iterator[str]:
    """Yield the names, and the last parts of attributes, that a statement binds or changes."""
    if isinstance(node, TRY):
        yield from (handler.name for handler in node.handlers if handler.name is not None)
    for target in targets_of(node):
        if isinstance(target, ast.Attribute):
            yield target.attr
        else:
            yield from named_below(target)


def _stepped(node: ast.stmt) -> str:
    """Return the name that a statement adds one to, "" for any other statement."""
    is_step = (
        isinstance(node, ast.AugAssign)
        and isinstance(node.op, ast.Add)
        and isinstance(node.value, ast.Constant)
        and type(node.value.value) is int
        and node.value.value == 1
    )
    return node.target.id if is_step and isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Name) else ""


def _number(value: Value | None) -> int | None:
    value = only(value)
    return value.value if type(value) is Constant and type(value.value) is int else None


def _sum(node: ast.expr, state: State) -> tuple[Value, int]:
    """Return an expression, and the number that is added to it."""
    if isinstance(node, ast.BinOp) and isinstance(node.op, (ast.Add, ast.Sub)):
        for value, other in ((node.left, node.right), (node.right, node.left)):
            number = _number(convert(other, {}))
            if number is not None and (other is node.right or isinstance(node.op, ast.Add)):
                return convert(value, state), -number if isinstance(node.op, ast.Sub) else number
    return convert(node, state), 0


def _failing(body: Block, loop: Loop, limit: _Limit | None) -> Iterator[ast.stmt]:
    """Yield the statements that are only reached where no round succeeded: those of `else`, and those behind the loop.

    What is behind it says so only where a round that succeeds returns, and none leaves the loop otherwise. The branch
    behind the last round is such a place, too.
    """
    if limit is not None and limit.last is not None:
        yield from limit.last.body
    inner = list(statements.below(loop.body))
    if loop.orelse:
        yield from loop.orelse
        return
    caught = {
        id(node)
        for other in inner
        if isinstance(other, TRY)
        for handler in other.handlers
        for node in statements.below(handler.body)
    }
    returns = any(isinstance(node, ast.Return) and id(node) not in caught for node in inner)
    if returns and not any(isinstance(node, ast.Break) for node in statements.jumps_out(loop.body)):
        yield from _following(body, loop)


def _following(body: Block, loop: Loop) -> Block:
    """Return the statements behind a loop in its block."""
    for block in (body, *(block for node in statements.below(body) for block in statements.blocks(node))):
        if loop in block:
            return block[block.index(loop) + 1 :]
    return ()
