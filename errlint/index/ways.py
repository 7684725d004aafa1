"""What has happened on each way through a function: a forward walk that keeps the ways apart by what they have seen.

A way also knows how the plain conditions came out that it has passed, so that two tests of one flag agree.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from typing import NamedTuple

from errlint.index.bindings import TRY, captured, targets_of
from errlint.index.expressions import dotted_name, inside
from errlint.index.flow import Block, is_true, suppressed
from errlint.index.statements import in_header, is_compound

MANY = 64
"""A function with more ways than this at one point is given up."""


class Way(NamedTuple):
    """What has been seen on a way, and how conditions came out on it (by their text)."""

    seen: frozenset[str] = frozenset()
    known: frozenset[tuple[str, bool]] = frozenset()


Ways = frozenset[Way]
"""The ways that lead to one point; none where it cannot be reached."""


class TooManyWaysError(Exception):
    """A function has too many ways to tell them apart."""


class Walk:
    """Walks one function. ``step(statement, seen)`` says what has been seen after a simple statement or a header.

    It is also called for points that are reached several times, once for each way and round of a loop.
    """

    def __init__(self, step: Callable[[ast.stmt, frozenset[str]], frozenset[str]]) -> None:
        self._step = step
        self._raised: list[Ways] = []
        self._breaks: list[Ways] = []
        self._continues: list[Ways] = []

    def walk(self, body: Block) -> None:
        """Walk a function body; raises :class:`TooManyWaysError`."""
        self._block(body, frozenset({Way()}))

    def _block(self, body: Block, ways: Ways) -> Ways:
        for statement in body:
            if not ways:
                break
            ways = self._statement(statement, ways)
        return ways

    def _visit(self, node: ast.stmt, ways: Ways) -> Ways:
        bound = _rebound(node)
        found = frozenset(
            Way(
                self._step(node, way.seen),
                frozenset(item for item in way.known if bound.isdisjoint(item[0].split("."))) if bound else way.known,
            )
            for way in ways
        )
        if len(found) > MANY:
            raise TooManyWaysError
        # What fails has begun: who catches it has seen what the statement does.
        self._raised = [before | found for before in self._raised]
        return found

    def _statement(self, node: ast.stmt, ways: Ways) -> Ways:
        ways = self._visit(node, ways)
        walker = _WALKERS.get(type(node))
        return ways if walker is None else walker(self, node, ways)

    def _leave(self, node: ast.Return | ast.Raise, ways: Ways) -> Ways:
        return frozenset()

    def _break(self, node: ast.Break, ways: Ways) -> Ways:
        if self._breaks:
            self._breaks[-1] |= ways
        return frozenset()

    def _continue(self, node: ast.Continue, ways: Ways) -> Ways:
        if self._continues:
            self._continues[-1] |= ways
        return frozenset()

    def _if(self, node: ast.If, ways: Ways) -> Ways:
        text, sense = condition(node.test)
        after = self._block(node.body, _decided(ways, text, sense))
        return after | self._block(node.orelse, _decided(ways, text, not sense))

    def _loop(self, node: ast.For | ast.AsyncFor | ast.While, ways: Ways) -> Ways:
        left: Ways = frozenset()
        for _ in range(2):  # what a round sees is seen by the next one
            self._breaks.append(frozenset())
            self._continues.append(frozenset())
            end = self._block(node.body, ways)
            left |= self._breaks.pop()
            ways |= end | self._continues.pop()
        is_endless = isinstance(node, ast.While) and is_true(node.test)
        return self._block(node.orelse, frozenset() if is_endless else ways) | left

    def _with(self, node: ast.With | ast.AsyncWith, ways: Ways) -> Ways:
        if suppressed(node) is None:
            return self._block(node.body, ways)
        self._raised.append(frozenset())
        after = self._block(node.body, ways)
        return after | self._raised.pop()

    def _try(self, node: ast.Try, ways: Ways) -> Ways:
        self._raised.append(frozenset())
        after = self._block(node.body, ways)
        raised = self._raised.pop()
        after = self._block(node.orelse, after)
        for handler in node.handlers:
            after |= self._block(handler.body, raised)
        if after:
            return self._block(node.finalbody, after)
        self._block(node.finalbody, raised)
        return after

    def _match(self, node: ast.Match, ways: Ways) -> Ways:
        after: Ways = frozenset()
        for case in node.cases:
            after |= self._block(case.body, ways)
            if isinstance(case.pattern, ast.MatchAs) and case.pattern.pattern is None and case.guard is None:
                return after
        return after | ways


_WALKERS: dict[type[ast.stmt], Callable[..., Ways]] = {
    ast.Return: Walk._leave,
    ast.Raise: Walk._leave,
    ast.Break: Walk._break,
    ast.Continue: Walk._continue,
    ast.If: Walk._if,
    ast.For: Walk._loop,
    ast.AsyncFor: Walk._loop,
    ast.While: Walk._loop,
    ast.With: Walk._with,
    ast.AsyncWith: Walk._with,
    ast.Match: Walk._match,
    **dict.fromkeys(TRY, Walk._try),
}


def condition(test: ast.expr) -> tuple[str, bool]:
    """Return the text of a condition that means the same wherever it is asked, and how it has to come out.

    The text is "" for any other condition.
    """
    sense = True
    while isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        test, sense = test.operand, not sense
    return dotted_name(test), sense


def _decided(ways: Ways, text: str, sense: bool) -> Ways:
    """Return the ways on which a condition can come out like this, with that known."""
    if not text:
        return ways
    return frozenset(Way(way.seen, way.known | {(text, sense)}) for way in ways if (text, not sense) not in way.known)


def _rebound(node: ast.stmt) -> set[str]:
    """Return the names (and last parts of attributes) that a simple statement or a header binds."""
    if isinstance(node, ast.Match):
        return {name for case in node.cases for name in captured(case.pattern)}
    return {name for target in targets_of(node) for name in _targets(target)}


def _targets(node: ast.expr) -> Iterator[str]:
    if isinstance(node, ast.Name):
        yield node.id
    elif isinstance(node, ast.Attribute):
        yield node.attr
    elif isinstance(node, ast.Starred):
        yield from _targets(node.value)
    elif isinstance(node, (ast.Tuple, ast.List)):
        for element in node.elts:
            yield from _targets(element)


def evaluated(node: ast.stmt) -> Iterator[ast.expr]:
    """Yield every expression that a simple statement or a header evaluates, and those inside; not of functions.

    The literal pieces of an f-string are none.
    """
    pending: list[ast.AST] = [*(in_header(node) if is_compound(node) else inside(node))]
    while pending:
        current = pending.pop()
        if isinstance(current, ast.expr):
            yield current
        if type(current) is ast.JoinedStr:
            pending.extend(part for part in current.values if type(part) is not ast.Constant)
        elif type(current) is not ast.Lambda:
            pending.extend(inside(current))


def names_in(node: ast.AST) -> set[str]:
    """Return the dotted names that an expression reads, in full and by their beginnings (never ``self`` alone)."""
    found: set[str] = set()
    pending = [node]
    while pending:
        current = pending.pop()
        if isinstance(current, (ast.Name, ast.Attribute)) and (name := dotted_name(current)):
            parts = name.split(".")
            found.update(".".join(parts[: count + 1]) for count in range(len(parts)))
        else:
            pending.extend(inside(current))
    return found - {"self", "cls"}
