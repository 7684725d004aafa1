"""What has happened on each way through a function: a forward walk that keeps the ways apart by what they have seen.

A way also knows how the plain conditions came out that it has passed, so that two tests of one flag agree.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

import libcst as cst

from errlint.collect import statements
from errlint.collect.expressions import dotted_name, inside
from errlint.collect.flow import Statement, captured, suppressed

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

    def __init__(self, step: Callable[[Statement, frozenset[str]], frozenset[str]]) -> None:
        self._step = step
        self._raised: list[Ways] = []
        self._breaks: list[Ways] = []
        self._continues: list[Ways] = []

    def walk(self, body: cst.BaseSuite) -> None:
        """Walk a function body; raises :class:`TooManyWaysError`."""
        self._suite(body, frozenset({Way()}))

    def _suite(self, body: cst.BaseSuite, ways: Ways) -> Ways:
        for statement in statements.of(body):
            if not ways:
                break
            ways = self._statement(statement, ways)
        return ways

    def _visit(self, node: Statement, ways: Ways) -> Ways:
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

    def _statement(self, node: Statement, ways: Ways) -> Ways:
        if isinstance(node, cst.If):
            return self._if(node, ways)
        ways = self._visit(node, ways)
        if isinstance(node, (cst.Return, cst.Raise)):
            return frozenset()
        if isinstance(node, cst.Break):
            if self._breaks:
                self._breaks[-1] |= ways
            return frozenset()
        if isinstance(node, cst.Continue):
            if self._continues:
                self._continues[-1] |= ways
            return frozenset()
        if isinstance(node, (cst.For, cst.While)):
            return self._loop(node, ways)
        if isinstance(node, cst.With):
            return self._with(node, ways)
        if isinstance(node, (cst.Try, cst.TryStar)):
            return self._try(node, ways)
        if isinstance(node, cst.Match):
            return self._match(node, ways)
        return ways

    def _if(self, node: cst.If, ways: Ways) -> Ways:
        ways = self._visit(node, ways)
        text, sense = condition(node.test)
        after = self._suite(node.body, _decided(ways, text, sense))
        otherwise = _decided(ways, text, not sense)
        if isinstance(node.orelse, cst.If):
            return after | (self._if(node.orelse, otherwise) if otherwise else otherwise)
        return after | (self._suite(node.orelse.body, otherwise) if node.orelse else otherwise)

    def _loop(self, node: cst.For | cst.While, ways: Ways) -> Ways:
        is_endless = isinstance(node, cst.While) and isinstance(node.test, (cst.Name, cst.Integer))
        is_endless = is_endless and node.test.value in ("True", "1")  # type: ignore[union-attr]
        left: Ways = frozenset()
        for _ in range(2):  # what a round sees is seen by the next one
            self._breaks.append(frozenset())
            self._continues.append(frozenset())
            end = self._suite(node.body, ways)
            left |= self._breaks.pop()
            ways |= end | self._continues.pop()
        finished: Ways = frozenset() if is_endless else ways
        if node.orelse:
            finished = self._suite(node.orelse.body, finished)
        return finished | left

    def _with(self, node: cst.With, ways: Ways) -> Ways:
        if suppressed(node) is None:
            return self._suite(node.body, ways)
        self._raised.append(frozenset())
        after = self._suite(node.body, ways)
        return after | self._raised.pop()

    def _try(self, node: cst.Try | cst.TryStar, ways: Ways) -> Ways:
        self._raised.append(frozenset())
        after = self._suite(node.body, ways)
        raised = self._raised.pop()
        if node.orelse:
            after = self._suite(node.orelse.body, after)
        for handler in node.handlers:
            after |= self._suite(handler.body, raised)
        if node.finalbody is None:
            return after
        if after:
            return self._suite(node.finalbody.body, after)
        self._suite(node.finalbody.body, raised)
        return after

    def _match(self, node: cst.Match, ways: Ways) -> Ways:
        after: Ways = frozenset()
        for case in node.cases:
            after |= self._suite(case.body, ways)
            if isinstance(case.pattern, cst.MatchAs) and case.pattern.pattern is None and case.guard is None:
                return after
        return after | ways


def condition(test: cst.BaseExpression) -> tuple[str, bool]:
    """Return the text of a condition that means the same wherever it is asked, and how it has to come out.

    The text is "" for any other condition.
    """
    sense = True
    while isinstance(test, cst.UnaryOperation) and isinstance(test.operator, cst.Not):
        test, sense = test.expression, not sense
    return dotted_name(test), sense


def _decided(ways: Ways, text: str, sense: bool) -> Ways:
    """Return the ways on which a condition can come out like this, with that known."""
    if not text:
        return ways
    return frozenset(Way(way.seen, way.known | {(text, sense)}) for way in ways if (text, not sense) not in way.known)


def _rebound(node: Statement) -> set[str]:
    """Return the names (and last parts of attributes) that a simple statement or a header binds."""
    targets: list[cst.CSTNode] = []
    if isinstance(node, cst.Assign):
        targets = [item.target for item in node.targets]
    elif isinstance(node, (cst.AnnAssign, cst.AugAssign, cst.For)):
        targets = [node.target]
    elif isinstance(node, cst.With):
        targets = [item.asname.name for item in node.items if item.asname]
    elif isinstance(node, cst.Match):
        return {name for case in node.cases for name in captured(case.pattern)}
    return {name for target in targets for name in _targets(target)}


def _targets(node: cst.CSTNode) -> Iterator[str]:
    if isinstance(node, cst.Name):
        yield node.value
    elif isinstance(node, cst.Attribute):
        yield node.attr.value
    elif isinstance(node, (cst.Tuple, cst.List)):
        for element in node.elements:
            yield from _targets(element.value)


def evaluated(node: Statement) -> Iterator[cst.CSTNode]:
    """Yield every expression that a simple statement or a header evaluates, and those inside; not of functions."""
    pending: list[cst.CSTNode] = []
    if isinstance(node, (cst.If, cst.While)):
        pending = [node.test]
    elif isinstance(node, cst.For):
        pending = [node.iter]
    elif isinstance(node, cst.With):
        pending = [item.item for item in node.items]
    elif isinstance(node, cst.Match):
        pending = [node.subject]
    elif isinstance(node, cst.BaseSmallStatement):
        pending = inside(node)
    while pending:
        current = pending.pop()
        if isinstance(current, cst.BaseExpression):
            yield current
        if not isinstance(current, cst.Lambda):
            pending.extend(inside(current))


def names_in(node: cst.CSTNode) -> set[str]:
    """Return the dotted names that an expression reads, in full and by their beginnings (never ``self`` alone)."""
    found: set[str] = set()
    pending = [node]
    while pending:
        current = pending.pop()
        if isinstance(current, (cst.Name, cst.Attribute)) and (name := dotted_name(current)):
            parts = name.split(".")
            found.update(".".join(parts[: count + 1]) for count in range(len(parts)))
        elif isinstance(current, (cst.Arg, cst.Attribute)):
            pending.append(current.value)
        else:
            pending.extend(inside(current))
    return found - {"self", "cls"}
