"""What happens after a statement of a function, on each way from there: what is called, and how the way ends."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

import libcst as cst

from errlint.collect import statements
from errlint.collect.deferred import receiver
from errlint.collect.expressions import inside, names_below
from errlint.collect.flow import Statement
from errlint.collect.ways import evaluated
from errlint.facts import Outcome
from errlint.findings import Span

MANY = 32
"""More ways than this are not told apart."""

_EXITS = frozenset({"exit", "_exit", "quit", "abort"})
"""Last parts of calls that end the process."""


Suite = cst.BaseSuite | cst.Module
"""The body of a function, of a part of it, or of a module."""

FLAG = "flag"
"""How a name is called in an act that sets it to a truth value: somebody asks for it later."""


TRIED = "tried"
"""How an act is called that stands for all that a handler knows of the `try` before it."""


class Followed(NamedTuple):
    """How the ways from a statement on end, and the statements on them that tell an error (see :class:`Record`)."""

    outcomes: tuple[Outcome, ...]
    reached: tuple[Outcome, ...]


class _Way(NamedTuple):
    """A way so far: what was done on it, and the names that hold the record or something made of it."""

    acts: tuple[tuple[str, bool], ...]
    names: frozenset[str]


_Ways = tuple[_Way, ...]


class TooManyWaysError(Exception):
    """There are too many ways to tell them apart."""


class _Ends(NamedTuple):
    breaks: list[_Way]
    continues: list[_Way]


def outcomes(body: Suite, start: Statement, names: frozenset[str], spans: Mapping[int, Span]) -> tuple[Outcome, ...]:
    """Return how the ways from a statement on end; ``names`` are those of the record. None if there are too many."""
    return followed(body, start, names, spans, frozenset()).outcomes


def followed(
    body: Suite, start: Statement, names: frozenset[str], spans: Mapping[int, Span], telling: frozenset[int]
) -> Followed:
    """Return how the ways from a statement on end, and which of the statements ``telling`` (by ``id``) they reach."""
    follower = _Follower(spans, spans[id(start)], telling - {id(start)})
    path = _path(body, start)
    if path is None:
        return Followed((), ())
    ways: _Ways = (_Way((), names),)
    try:
        ways = follower.simple(start, ways) if isinstance(start, cst.BaseSmallStatement) else ways
        follower.up(path, ways)
    except TooManyWaysError:
        return Followed((), ())
    return Followed(tuple(dict.fromkeys(follower.found)), tuple(dict.fromkeys(follower.reached)))


def loop_around(body: Suite, start: Statement) -> str:
    """Return in which loop a statement stands, "" for none.

    That is ``items`` in one loop over items, ``search`` in such a one that somewhere else ends where one succeeds, and
    ``rounds`` in any other loops.
    """
    path = _path(body, start) or []
    loops = [owner for owner, _ in path if isinstance(owner, (cst.For, cst.While))]
    if not loops:
        return ""
    only = loops[0]
    if len(loops) > 1 or not isinstance(only, cst.For):
        return "rounds"
    if isinstance(only.iter, cst.Call) and receiver(only.iter.func) == "range":
        return "rounds"
    near = {id(node) for node in path[0][1]} | {id(start)}
    leaving = (cst.Return, cst.Break)
    others = (node for node in statements.below(only.body) if id(node) not in near)
    return "search" if any(isinstance(node, leaving) for node in others) else "items"


_Step = tuple[cst.CSTNode, list[cst.CSTNode]]
"""A compound statement (or a part of one), and what follows in its block where the way comes from."""


def _path(body: Suite, start: Statement) -> list[_Step] | None:
    """Return the blocks around a statement, innermost first: what each belongs to, and what follows in it."""
    return _search(body, body, start)


def _search(owner: cst.CSTNode, suite: Suite, start: Statement) -> list[_Step] | None:
    block: list[cst.CSTNode] = list(statements.of(suite))
    for index, node in enumerate(block):
        if node is start:
            return [(owner, block[index + 1 :])]
        if isinstance(node, (cst.BaseSmallStatement, cst.FunctionDef, cst.ClassDef)):
            continue
        for part, inner in _blocks(node):
            found = _search(part, inner, start)
            if found is not None:
                return [*found, (owner, [node, *block[index + 1 :]])]
    return None


def _blocks(node: cst.CSTNode) -> Iterator[tuple[cst.CSTNode, cst.BaseSuite]]:
    """Yield the blocks of a compound statement, each with the part that it belongs to."""
    for child in inside(node):
        if isinstance(child, cst.BaseSuite):
            yield node, child
        elif isinstance(
            child, (cst.If, cst.Else, cst.Finally, cst.ExceptHandler, cst.ExceptStarHandler, cst.MatchCase)
        ):
            yield from _blocks(child)


class _Follower:
    def __init__(self, spans: Mapping[int, Span], start: Span, telling: frozenset[int]) -> None:
        self._spans, self._start, self._telling = spans, start, telling
        self.found: list[Outcome] = []
        self.reached: list[Outcome] = []

    def up(self, path: list[_Step], ways: _Ways) -> None:
        """Follow the ways through what comes after the statement in its block, then after the blocks around it."""
        ends = _Ends([], [])
        for number, (owner, following) in enumerate(path):
            inner = following if number == 0 else following[1:]
            if number and isinstance(following[0], (cst.Try, cst.TryStar)):
                ways = self._left(following[0], path[number - 1][0], ways, ends)
            ways = self._suite(inner, ways, ends)
            if isinstance(owner, (cst.For, cst.While)):
                for way in (*ways, *ends.continues):
                    self._end("next", self._start, way)
                for way in ends.breaks:
                    self._end("break", self._start, way)
                return
        for way in ways:
            self._end("end", self._start, way)

    def _left(self, node: cst.Try | cst.TryStar, part: cst.CSTNode, ways: _Ways, ends: _Ends) -> _Ways:
        """Follow the ways out of a part of a `try` through its `else` and `finally`."""
        if part is node and node.orelse is not None:
            ways = self._suite(statements.of(node.orelse.body), ways, ends)
        if node.finalbody is not None and part is not node.finalbody:
            ways = self._suite(statements.of(node.finalbody.body), ways, ends)
        return ways

    def _suite(self, block: Iterable[cst.CSTNode], ways: _Ways, ends: _Ends) -> _Ways:
        for node in block:
            if not ways:
                break
            ways = tuple(dict.fromkeys(self._statement(node, ways, ends)))
            if len(ways) > MANY or len(self.found) > MANY:
                raise TooManyWaysError
        return ways

    def _statement(self, node: cst.CSTNode, ways: _Ways, ends: _Ends) -> _Ways:
        if isinstance(node, cst.Break):
            ends.breaks.extend(ways)
            return ()
        if isinstance(node, cst.Continue):
            ends.continues.extend(ways)
            return ()
        if isinstance(node, (cst.FunctionDef, cst.ClassDef)):
            return ways
        assert isinstance(node, (cst.BaseSmallStatement, cst.BaseCompoundStatement))
        ways = self.simple(node, ways)
        if isinstance(node, cst.BaseSmallStatement) or not ways:
            return ways
        if isinstance(node, cst.If):
            after = self._suite(statements.of(node.body), ways, ends)
            if isinstance(node.orelse, cst.If):
                return (*after, *self._statement(node.orelse, ways, ends))
            return (*after, *(self._suite(statements.of(node.orelse.body), ways, ends) if node.orelse else ways))
        if isinstance(node, (cst.For, cst.While)):
            own = _Ends([], [])
            body = self._suite(statements.of(node.body), ways, own)
            return (*ways, *body, *own.breaks, *own.continues)
        if isinstance(node, cst.With):
            return self._suite(statements.of(node.body), ways, ends)
        if isinstance(node, (cst.Try, cst.TryStar)):
            after = self._suite(statements.of(node.body), ways, ends)
            if node.orelse:
                after = self._suite(statements.of(node.orelse.body), after, ends)
            caught = tuple(way._replace(acts=(*way.acts, (f"={TRIED}", False))) for way in ways)
            for handler in node.handlers:
                after = (*after, *self._suite(statements.of(handler.body), caught, ends))
            return self._suite(statements.of(node.finalbody.body), after, ends) if node.finalbody else after
        if isinstance(node, cst.Match):
            after = ()
            for case in node.cases:
                after = (*after, *self._suite(statements.of(case.body), ways, ends))
            return (*after, *ways)
        return ways

    def simple(self, node: Statement, ways: _Ways) -> _Ways:
        """Return the ways after a simple statement or a header; those that end there are noted."""
        if id(node) in self._telling:
            self.reached.extend(Outcome("report", self._spans[id(node)], way.acts) for way in ways)
        ways = tuple(self._done(node, way) for way in ways)
        how = _end(node)
        if not how:
            return ways
        for way in ways:
            value = node.value if isinstance(node, cst.Return) else None
            is_record = value is not None and not way.names.isdisjoint(names_below(value))
            is_record = is_record or (value is not None and self._spans[id(node)] == self._start)
            self._end("record" if is_record else how, self._spans[id(node)], way)
        return ()

    def _done(self, node: Statement, way: _Way) -> _Way:
        acts: list[tuple[str, bool]] = []
        for part in evaluated(node):
            if isinstance(part, cst.Call):
                given = {name for argument in part.args for name in names_below(argument.value)}
                is_first = self._spans[id(node)] == self._start and isinstance(node, cst.Expr)
                name = receiver(part.func)
                if any("std" in name for name in given):
                    name = f"{name}:{'stdout' if 'stdout' in given else 'stderr'}"
                acts.append((name, is_first or not way.names.isdisjoint(given)))
            elif isinstance(part, cst.Yield) and not way.names.isdisjoint(names_below(part)):
                acts.append(("yield", True))
        names = way.names
        if isinstance(node, (cst.Assign, cst.AnnAssign)) and node.value is not None:
            targets = [item.target for item in node.targets] if isinstance(node, cst.Assign) else [node.target]
            holds = not names.isdisjoint(names_below(node.value))
            for target in targets:
                if isinstance(target, cst.Name) and holds:
                    names |= {target.value}
                elif isinstance(node.value, cst.Name) and node.value.value in ("True", "False"):
                    acts.append((f"={FLAG}", False))
                if isinstance(target, (cst.Attribute, cst.Subscript)):
                    acts.append((f"={receiver(target)}", holds))
        return _Way((*way.acts, *acts), names)

    def _end(self, how: str, span: Span, way: _Way) -> None:
        self.found.append(Outcome(how, span, way.acts))


def _end(node: Statement) -> str:
    """Return how a statement ends the way, "" where it does not."""
    if isinstance(node, cst.Return):
        return "return"
    if isinstance(node, cst.Raise):
        exc = node.exc
        if isinstance(exc, cst.Call) and receiver(exc.func) == "SystemExit":
            return _exit(exc)
        return "raise"
    call = node.value if isinstance(node, cst.Expr) else None
    if isinstance(call, cst.Call) and receiver(call.func).rpartition(".")[2] in _EXITS:
        return _exit(call)
    return ""


def _exit(call: cst.Call) -> str:
    """Return how a call ends the process: as a success without an argument, and with 0."""
    if receiver(call.func).endswith("abort"):
        return "exit"
    if not call.args:
        return "success"
    value = call.args[0].value
    is_good = (isinstance(value, cst.Integer) and value.value == "0") or (
        isinstance(value, cst.Name) and value.value == "None"
    )
    return "success" if is_good else "exit"
