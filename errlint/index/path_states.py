"""What has happened on each way through a function: a forward walk that keeps the ways apart by what they have seen.

A way also knows how the plain conditions came out that it has passed, so that two tests of one flag agree.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from functools import lru_cache
from typing import NamedTuple

from errlint.index.bindings import captured, single_targets, targets_of
from errlint.index.expressions import dotted_name, inside
from errlint.index.forward import Block, Forward
from errlint.index.statements import in_header, is_compound
from errlint.trees import last_name

MANY = 64
"""A function with more ways than this at one point is given up."""


class PathState(NamedTuple):
    """What has been seen on a way, and how conditions came out on it (by their text)."""

    seen: frozenset[str] = frozenset()
    known: frozenset[tuple[str, bool]] = frozenset()


Ways = frozenset[PathState]
"""The ways that lead to one point; none where it cannot be reached."""


class TooManyWaysError(Exception):
    """A function has too many ways to tell them apart."""


class Walk(Forward[Ways]):
    """Walks one function. ``step(statement, seen)`` says what has been seen after a simple statement or a header.

    It is also called for points that are reached several times, once for each way and round of a loop.
    """

    def __init__(self, step: Callable[[ast.stmt, frozenset[str]], frozenset[str]]) -> None:
        super().__init__()
        self._see = step

    def walk(self, body: Block) -> None:
        """Walk a function body; raises :class:`TooManyWaysError`."""
        self.block(body, frozenset({PathState()}))

    def join(self, first: Ways | None, second: Ways | None) -> Ways | None:
        """Return the ways of both."""
        return second if first is None else first if second is None else first | second

    def step(self, node: ast.stmt, state: Ways | None) -> Ways | None:
        """Return the ways with what a statement shows."""
        if state is None:
            return None
        bound = _rebound(node)
        found = frozenset(
            PathState(
                self._see(node, way.seen),
                frozenset(item for item in way.known if bound.isdisjoint(item[0].split("."))) if bound else way.known,
            )
            for way in state
        )
        if len(found) > MANY:
            raise TooManyWaysError
        return found

    def failed(self, before: Ways, after: Ways | None) -> Ways | None:
        """Return the ways behind a statement: what fails has begun, and who catches it has seen what it does."""
        return after

    def decided(self, test: ast.expr, state: Ways | None, *, holds: bool) -> Ways | None:
        """Return the ways on which a condition can come out like this, with that known."""
        text, sense = condition(test)
        if state is None or not text:
            return state
        known = (text, sense is holds)
        ruled_out = (text, sense is not holds)
        return (
            frozenset(PathState(way.seen, way.known | {known}) for way in state if ruled_out not in way.known) or None
        )


def condition(test: ast.expr) -> tuple[str, bool]:
    """Return the text of a condition that means the same wherever it is asked, and how it has to come out.

    The text is "" for any other condition.
    """
    sense = True
    while isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        test, sense = test.operand, not sense
    return dotted_name(test), sense


def _rebound(node: ast.stmt) -> set[str]:
    """Return the names (and last parts of attributes) that a simple statement or a header binds."""
    if isinstance(node, ast.Match):
        return {name for case in node.cases for name in captured(case.pattern)}
    return {last_name(item) for target in targets_of(node) for item in single_targets(target)} - {""}


@lru_cache(maxsize=4096)
def evaluated(node: ast.stmt) -> tuple[ast.expr, ...]:
    """Return every expression that a simple statement or a header evaluates, and those inside; not of functions.

    The literal pieces of an f-string are none. Kept for a while: several questions go through the same function.
    """
    found: list[ast.expr] = []
    pending: list[ast.AST] = [*(in_header(node) if is_compound(node) else inside(node))]
    while pending:
        current = pending.pop()
        if isinstance(current, ast.expr):
            found.append(current)
        if type(current) is ast.JoinedStr:
            pending.extend(part for part in current.values if type(part) is not ast.Constant)
        elif type(current) is not ast.Lambda:
            pending.extend(inside(current))
    return tuple(found)


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
