"""What happens after a statement of a function, on each way from there: what is called, and how the way ends."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

from errlint.facts import RecordOutcome
from errlint.findings import Span
from errlint.index import statements
from errlint.index.bindings import TRY, FunctionNode, assigned
from errlint.index.deferred import receiver
from errlint.index.expressions import all_below, given, names_below
from errlint.index.forward import Block, elif_of, fits_all, is_endless
from errlint.index.path_states import evaluated
from errlint.index.spans import Spans

MANY = 32
"""More ways than this are not told apart."""

FLAG = "flag"
"""How a name is called in an act that sets it to a truth value: somebody asks for it later."""


TRIED = "tried"
"""How an act is called that stands for all that a handler knows of the `try` before it."""


class Followed(NamedTuple):
    """How the ways from a statement on end, and the statements on them that tell an error (see :class:`Record`)."""

    outcomes: tuple[RecordOutcome, ...]
    reached: tuple[RecordOutcome, ...]


class _RecordWay(NamedTuple):
    """A way so far: what was done on it, and the names that hold the record or something made of it."""

    acts: tuple[tuple[str, bool], ...]
    names: frozenset[str]


_Ways = tuple[_RecordWay, ...]


class TooManyWaysError(Exception):
    """There are too many ways to tell them apart."""


class _Ends(NamedTuple):
    breaks: list[_RecordWay]
    continues: list[_RecordWay]


def outcomes(body: Block, start: ast.stmt, names: frozenset[str], spans: Spans) -> tuple[RecordOutcome, ...]:
    """Return how the ways from a statement on end; ``names`` are those of the record. None if there are too many."""
    return followed(body, start, names, spans, frozenset()).outcomes


def followed(body: Block, start: ast.stmt, names: frozenset[str], spans: Spans, telling: frozenset[int]) -> Followed:
    """Return how the ways from a statement on end, and which of the statements ``telling`` (by ``id``) they reach."""
    follower = _Follower(spans, spans.of(start), telling - {id(start)})
    path = _path(body, start)
    if path is None:
        return Followed((), ())
    ways: _Ways = (_RecordWay((), names),)
    try:
        ways = follower.simple(start, ways) if is_simple(start) else ways
        follower.up(path, ways)
    except TooManyWaysError:
        return Followed((), ())
    return Followed(tuple(dict.fromkeys(follower.found)), tuple(dict.fromkeys(follower.reached)))


def loop_around(body: Block, start: ast.stmt) -> str:
    """Return in which loop a statement stands, "" for none.

    That is ``items`` in one loop over items, ``search`` in such a one that somewhere else ends where one succeeds, and
    ``rounds`` in any other loops.
    """
    path = _path(body, start) or []
    loops = [step.owner for step in path if step.is_round]
    if not loops:
        return ""
    only = loops[0]
    if len(loops) > 1 or not isinstance(only, (ast.For, ast.AsyncFor)):
        return "rounds"
    if isinstance(only.iter, ast.Call) and receiver(only.iter.func) == "range":
        return "rounds"
    near = {id(node) for node in path[0].following} | {id(start)}
    others = (node for node in statements.jumps_out(only.body) if id(node) not in near)
    return "search" if any(isinstance(node, (ast.Return, ast.Break)) for node in others) else "items"


class _BlockStep(NamedTuple):
    """A block, the compound statement that it belongs to, and what follows in the block where the way comes from."""

    owner: ast.stmt | None
    block: Block
    following: Block

    @property
    def is_round(self) -> bool:
        """Whether the block is what a loop does again and again."""
        return isinstance(self.owner, (ast.For, ast.AsyncFor, ast.While)) and self.block is self.owner.body


def _path(body: Block, start: ast.stmt) -> list[_BlockStep] | None:
    """Return the blocks around a statement, innermost first: what each belongs to, and what follows in it."""
    return _search(None, body, start)


def _search(owner: ast.stmt | None, block: Block, start: ast.stmt) -> list[_BlockStep] | None:
    for index, node in enumerate(block):
        if node is start:
            return [_BlockStep(owner, block, block[index + 1 :])]
        if is_simple(node) or isinstance(node, (*FunctionNode, ast.ClassDef)):
            continue
        for inner in _blocks(node):
            found = _search(node, inner, start)
            if found is not None:
                return [*found, _BlockStep(owner, block, block[index:])]
    return None


def _blocks(node: ast.stmt) -> Iterator[Block]:
    """Yield the blocks of a compound statement, those of its ``elif`` among them."""
    while isinstance(node, ast.If) and (following := elif_of(node)) is not None:
        yield node.body
        node = following
    yield from statements.blocks(node)


def is_simple(node: ast.stmt) -> bool:
    """Whether a statement has no block."""
    return type(node) not in _COMPOUND


class _Follower:
    def __init__(self, spans: Spans, start: Span, telling: frozenset[int]) -> None:
        self._spans, self._start, self._telling = spans, start, telling
        self.found: list[RecordOutcome] = []
        self.reached: list[RecordOutcome] = []

    def up(self, path: list[_BlockStep], ways: _Ways) -> None:
        """Follow the ways through what comes after the statement in its block, then after the blocks around it."""
        ends = _Ends([], [])
        for number, step in enumerate(path):
            around = step.following[0] if number else None
            if isinstance(around, TRY):
                ways = self._left(around, path[number - 1].block, ways, ends)
            ways = self._block(step.following[1:] if number else step.following, ways, ends)
            if step.is_round:
                for way in (*ways, *ends.continues):
                    self._end("next", self._start, way)
                for way in ends.breaks:
                    self._end("break", self._start, way)
                return
        for way in ways:
            self._end("end", self._start, way)

    def _left(self, node: ast.Try, block: Block, ways: _Ways, ends: _Ends) -> _Ways:
        """Follow the ways out of a block of a `try` through its `else` and `finally`."""
        if block is node.body:
            ways = self._block(node.orelse, ways, ends)
        return ways if block is node.finalbody else self._block(node.finalbody, ways, ends)

    def _block(self, block: Iterable[ast.stmt], ways: _Ways, ends: _Ends) -> _Ways:
        for node in block:
            if not ways:
                break
            ways = tuple(dict.fromkeys(self._statement(node, ways, ends)))
            if len(ways) > MANY or len(self.found) > MANY:
                raise TooManyWaysError
        return ways

    def _statement(self, node: ast.stmt, ways: _Ways, ends: _Ends) -> _Ways:
        if isinstance(node, ast.Break):
            ends.breaks.extend(ways)
            return ()
        if isinstance(node, ast.Continue):
            ends.continues.extend(ways)
            return ()
        ways = self.simple(node, ways)
        walker = _COMPOUND.get(type(node))
        return ways if walker is None or not ways else walker(self, node, ways, ends)

    def _definition(
        self, node: ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef, ways: _Ways, ends: _Ends
    ) -> _Ways:
        return ways

    def _if(self, node: ast.If, ways: _Ways, ends: _Ends) -> _Ways:
        return (*self._block(node.body, ways, ends), *self._block(node.orelse, ways, ends))

    def _loop(self, node: ast.For | ast.AsyncFor | ast.While, ways: _Ways, ends: _Ends) -> _Ways:
        own = _Ends([], [])
        known = len(self.found)
        rounds = self._block(node.body, ways, own)
        if is_endless(node):
            is_left = bool(own.breaks) or len(self.found) > known
            return tuple(own.breaks) if is_left else (*rounds, *own.continues)  # the last: it goes on for good
        finished = self._block(node.orelse, (*ways, *rounds, *own.continues), ends)
        return (*finished, *own.breaks)

    def _with(self, node: ast.With | ast.AsyncWith, ways: _Ways, ends: _Ends) -> _Ways:
        return self._block(node.body, ways, ends)

    def _try(self, node: ast.Try, ways: _Ways, ends: _Ends) -> _Ways:
        after = self._block(node.orelse, self._block(node.body, ways, ends), ends)
        caught = tuple(way._replace(acts=(*way.acts, (f"={TRIED}", False))) for way in ways)
        for handler in node.handlers:
            after = (*after, *self._block(handler.body, caught, ends))
        return self._block(node.finalbody, after, ends)

    def _match(self, node: ast.Match, ways: _Ways, ends: _Ends) -> _Ways:
        after: _Ways = ()
        for case in node.cases:
            after = (*after, *self._block(case.body, ways, ends))
            if fits_all(case):
                return after
        return (*after, *ways)

    def simple(self, node: ast.stmt, ways: _Ways) -> _Ways:
        """Return the ways after a simple statement or a header; those that end there are noted."""
        if id(node) in self._telling:
            self.reached.extend(RecordOutcome("report", self._spans.of(node), way.acts) for way in ways)
        ways = tuple(self._done(node, way) for way in ways)
        how = _end(node)
        if not how:
            return ways
        for way in ways:
            value = node.value if isinstance(node, ast.Return) else None
            is_record = value is not None and not way.names.isdisjoint(names_below(value))
            is_record = is_record or (value is not None and self._spans.of(node) == self._start)
            self._end("record" if is_record else how, self._spans.of(node), way)
        return ()

    def _done(self, node: ast.stmt, way: _RecordWay) -> _RecordWay:
        acts: list[tuple[str, bool]] = []
        is_start = self._spans.of(node) == self._start
        for part in evaluated(node):
            if isinstance(part, ast.Call):
                values = [value for _, value in given(part)]
                name, stream = receiver(part.func), _stream(values)
                is_first = is_start and isinstance(node, ast.Expr)
                holds = any(not way.names.isdisjoint(names_below(value)) for value in values)
                acts.append((f"{name}:{stream}" if stream else name, is_first or holds))
            elif isinstance(part, (ast.Yield, ast.YieldFrom)) and not way.names.isdisjoint(names_below(part)):
                acts.append(("yield", True))
        names = way.names
        for target, value in assigned(node):
            holds = not way.names.isdisjoint(names_below(value))
            if isinstance(target, ast.Name) and holds:
                names |= {target.id}
            elif isinstance(target, ast.Name) and not is_start:
                names -= {target.id}
            if isinstance(value, ast.Constant) and type(value.value) is bool:
                acts.append((f"={FLAG}", False))
            if isinstance(target, (ast.Attribute, ast.Subscript)):
                acts.append((f"={receiver(target)}", holds))
        return _RecordWay((*way.acts, *acts), names)

    def _end(self, how: str, span: Span, way: _RecordWay) -> None:
        self.found.append(RecordOutcome(how, span, way.acts))


_COMPOUND: dict[type[ast.stmt], Callable[..., _Ways]] = {
    ast.FunctionDef: _Follower._definition,
    ast.AsyncFunctionDef: _Follower._definition,
    ast.ClassDef: _Follower._definition,
    ast.If: _Follower._if,
    ast.For: _Follower._loop,
    ast.AsyncFor: _Follower._loop,
    ast.While: _Follower._loop,
    ast.With: _Follower._with,
    ast.AsyncWith: _Follower._with,
    ast.Match: _Follower._match,
    **dict.fromkeys(TRY, _Follower._try),
}


def _stream(values: list[ast.expr]) -> str:
    """Return the stream that a call is given, "" for none."""
    names = {name for value in values for name in named_below(value)}
    if not any("std" in name for name in names):
        return ""
    return "stdout" if "stdout" in names else "stderr"


def named_below(node: ast.AST) -> Iterator[str]:
    """Yield the names that stand in a node, those of attributes too, in no certain order."""
    for part in all_below(node):
        if type(part) is ast.Name:
            yield part.id
        elif type(part) is ast.Attribute:
            yield part.attr


def _end(node: ast.stmt) -> str:
    """Return how a statement ends the way, "" where it does not."""
    if isinstance(node, ast.Return):
        return "return"
    if isinstance(node, ast.Raise):
        exc = node.exc
        if isinstance(exc, ast.Call) and receiver(exc.func) == "SystemExit":
            return _exit(exc)
        return "success" if isinstance(exc, ast.Name) and exc.id == "SystemExit" else "raise"
    call = node.value if isinstance(node, ast.Expr) and statements.ends_process(node) else None
    return _exit(call) if isinstance(call, ast.Call) else ""


def _exit(call: ast.Call) -> str:
    """Return how a call ends the process: as a success without an argument, and with 0."""
    if receiver(call.func).endswith("abort"):
        return "exit"
    handed = given(call)
    if not handed:
        return "success"
    value = handed[0][1]
    is_good = isinstance(value, ast.Constant) and (
        value.value is None or (type(value.value) is int and not value.value)
    )
    return "success" if is_good else "exit"
