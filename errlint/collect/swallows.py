"""Handlers that turn an exception into an ordinary answer, or only log it, as :class:`errlint.facts.Swallow`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from collections.abc import Sequence as Lines
from typing import NamedTuple

import libcst as cst

from errlint.collect.expressions import convert, dotted_name, inside, names_below
from errlint.collect.flow import exception_names, suppressed
from errlint.collect.statements import below
from errlint.facts import Constant, Sequence, Swallow, Text, Value
from errlint.facts import Mapping as Dict
from errlint.findings import Span
from errlint.gate.swallows import is_expected

_LEVELS = ("debug", "info", "warning", "error")
_METHODS = {
    "debug": "debug", "trace": "debug", "info": "info", "log": "info", "warn": "warning", "warning": "warning",
    "error": "error", "exception": "error", "critical": "error", "fatal": "error",
}  # fmt: skip
_LOGGER = re.compile(r"(?:^|_)(?:log|logs|logger|logging|slog|ctx|context)$", re.IGNORECASE)
_CONTEXT = re.compile(r"(?:ctx|context)$", re.IGNORECASE)
"""The context of a call logs at the client: that is told something, so that it is no error of the server's."""

_COUNTS = re.compile(r"breaker|circuit|metric|counter|telemetry", re.IGNORECASE)
"""What counts failures."""

_TAKES = re.compile(
    r"(?:queue|jobs|tasks|inbox|backlog|mailbox|pending|(?:^|[._])q)\.(?:get|get_nowait|dequeue|receive)$",
    re.IGNORECASE,
)
"""Calls that take from a queue; a list that is taken apart from its end holds work of the same call."""

_PRINTS = frozenset({"print", "print_exc"})


class _Place(NamedTuple):
    """Where a block stands: in a loop, in a handler or ``finally``, and with nothing behind it in the function.

    ``takes`` is true in a loop that takes from a queue. ``exhausted`` is the return behind a loop that tries the same
    again and again, for when it has given up.
    """

    in_loop: bool = False
    aside: bool = False
    is_last: bool = True
    takes: bool = False
    exhausted: cst.Return | None = None


class _Body(NamedTuple):
    """What a handler does that swallows: how it is left, at which level it logs, what it says, and what it binds.

    ``tells`` is true where the answer holds the exception.
    """

    answer: cst.Return | None
    level: str
    said: str
    binds: frozenset[str]
    tells: bool


def swallows(function: cst.FunctionDef, watched: frozenset[int] | None, spans: Mapping[int, Span]) -> Iterator[Swallow]:
    """Yield the handlers of a function that swallow; ``watched`` are the ``try`` statements to look at, by ``id``."""
    yield from _suite(function, function.body, _Place(), watched, spans)


def _suite(
    function: cst.FunctionDef,
    body: cst.BaseSuite,
    place: _Place,
    watched: frozenset[int] | None,
    spans: Mapping[int, Span],
) -> Iterator[Swallow]:
    for number, line in enumerate(body.body):
        if not isinstance(line, cst.BaseCompoundStatement):
            continue
        here = place._replace(is_last=place.is_last and line is body.body[-1])
        if isinstance(line, (cst.For, cst.While)):
            here = here._replace(exhausted=_exhausted(line, body.body[number + 1 : number + 2]))
        if isinstance(line, (cst.Try, cst.TryStar)) and not place.aside and (watched is None or id(line) in watched):
            yield from _try(function, line, here, spans)
        elif isinstance(line, cst.With) and not place.aside and (watched is None or id(line) in watched):
            yield from _with(function, line, here, spans)
        for inner, around in _blocks(line, here):
            yield from _suite(function, inner, around, watched, spans)


def _blocks(node: cst.BaseCompoundStatement, place: _Place) -> Iterator[tuple[cst.BaseSuite, _Place]]:
    """Yield the blocks of a compound statement, each with its place; definitions have none."""
    if isinstance(node, (cst.FunctionDef, cst.ClassDef)):
        return
    if isinstance(node, cst.Match):
        for case in node.cases:
            yield case.body, place
        return
    looped = isinstance(node, (cst.For, cst.While))
    guarded = isinstance(node, (cst.Try, cst.TryStar)) and node.orelse is not None
    around = place._replace(in_loop=place.in_loop or looped, is_last=place.is_last and not looped and not guarded)
    if isinstance(node, cst.While):
        around = around._replace(takes=any(map(_TAKES.search, _called(node.body))))
    yield node.body, around
    for handler in getattr(node, "handlers", ()):
        yield handler.body, around._replace(aside=True)
    orelse = getattr(node, "orelse", None)
    while isinstance(orelse, cst.If):
        yield orelse.body, around
        orelse = orelse.orelse
    if isinstance(orelse, cst.Else):
        yield orelse.body, place
    finalbody = getattr(node, "finalbody", None)
    if isinstance(finalbody, cst.Finally):
        yield finalbody.body, around._replace(aside=True)


def _try(
    function: cst.FunctionDef, node: cst.Try | cst.TryStar, place: _Place, spans: Mapping[int, Span]
) -> Iterator[Swallow]:
    for handler in node.handlers:
        types = exception_names(handler.type)
        if is_expected(name.rpartition(".")[2] for name in types):
            continue
        caught = handler.name.name.value if handler.name and isinstance(handler.name.name, cst.Name) else ""
        found = _handler(handler.body, caught)
        if place.in_loop and (found is None or (found.answer is None and place.exhausted is not None)):
            found = _gives_up(node, handler.body, caught, place.exhausted) or found
        if found is None:
            continue
        span = spans[id(handler)]
        work = tuple(dict.fromkeys(filter(None, _called(node.body))))
        if found.answer is not None:
            answer = spans[id(found.answer)]
            yield Swallow(span, types, "returned", answer, found.level, found.said, work, tells=found.tells)
        elif place.in_loop:
            how = "looped" if place.takes else "turned"
            yield Swallow(span, types, how, None, found.level, found.said, work)
        elif place.is_last:
            yield Swallow(span, types, "ended", None, found.level, found.said, work)
        else:
            bound = found.binds | frozenset(_bound(node.body))
            asked = not bound.isdisjoint(_asked(function, node)) or not bound.isdisjoint(_flags(function.body))
            how = "asked" if asked else "passed"
            yield Swallow(span, types, how, None, found.level, found.said, work)


def _with(function: cst.FunctionDef, node: cst.With, place: _Place, spans: Mapping[int, Span]) -> Iterator[Swallow]:
    types = suppressed(node)
    if types is None or place.in_loop or is_expected(name.rpartition(".")[2] for name in types):
        return
    asked = not set(_bound(node.body)).isdisjoint({*_asked(function, node), *_flags(function.body)})
    how = "ended" if place.is_last else "asked" if asked else "passed"
    work = tuple(dict.fromkeys(filter(None, _called(node.body))))
    yield Swallow(spans[id(node)], types, how, None, "", "", work, is_suppressed=True)


def _handler(body: cst.BaseSuite, caught: str) -> _Body | None:
    """Return what a handler does if that is to log, to bind plain values and to answer, without the exception."""
    answer: cst.Return | None = None
    level, said, binds, tells = "", "", set[str](), False
    for statement in _simple(body):
        if statement is None or answer is not None:
            return None
        if isinstance(statement, cst.Continue) or _tells(statement, caught):
            continue
        if isinstance(statement, cst.Return):
            tells = statement.value is not None and caught in names_below(statement.value)
            answer = statement
        elif isinstance(statement, (cst.Assign, cst.AnnAssign)):
            targets = (
                [item.target for item in statement.targets] if isinstance(statement, cst.Assign) else [statement.target]
            )
            if statement.value is None or not is_plain(convert(statement.value, {})):
                return None
            for target in targets:
                if not isinstance(target, cst.Name):
                    return None
                binds.add(target.value)
        elif isinstance(statement, cst.Expr):
            if isinstance(statement.value, (cst.BaseString, cst.Ellipsis)):
                continue
            logged = _logged(statement.value)
            if logged is None:
                return None
            level = max(level, logged[0], key=lambda name: _LEVELS.index(name) if name else -1)
            said += logged[1]
        elif not isinstance(statement, (cst.Pass, cst.Import, cst.ImportFrom)):
            return None
    return _Body(answer, level, said, frozenset(binds), tells)


def _exhausted(node: cst.For | cst.While, following: Lines[cst.CSTNode]) -> cst.Return | None:
    """Return the return behind a loop that counts attempts, ``None`` for a loop over items or another one behind it."""
    if isinstance(node, cst.For):
        counter = node.iter.func if isinstance(node.iter, cst.Call) else None
        if counter is None or dotted_name(counter).rpartition(".")[2] not in ("range", "count"):
            return None
    line = following[0] if following else None
    last = line.body[0] if isinstance(line, cst.SimpleStatementLine) else None
    return last if isinstance(last, cst.Return) and last.value is not None else None


def _gives_up(
    node: cst.Try | cst.TryStar, body: cst.BaseSuite, caught: str, exhausted: cst.Return | None
) -> _Body | None:
    """Return what a handler in a loop does that logs and waits, and answers when the attempts are used up.

    The answer stands below a condition of the handler, or behind the loop which a success leaves.
    """
    answers: list[cst.Return] = []
    level, said = "", ""
    for statement in below(body):
        if isinstance(statement, cst.Return):
            answers.append(statement)
        elif isinstance(statement, cst.Expr) and (logged := _logged(statement.value)) is not None:
            level = max(level, logged[0], key=lambda name: _LEVELS.index(name) if name else -1)
            said += logged[1]
        elif not isinstance(statement, _GOING_ON) and not (isinstance(statement, cst.Expr) and _waits(statement.value)):
            return None
    if not answers and exhausted is not None and any(isinstance(each, _LEAVING) for each in _on_success(node)):
        answers.append(exhausted)
    if len(answers) != 1 or not any(map(_waits, _expressions(body))):
        return None
    value = answers[0].value
    return _Body(answers[0], level, said, frozenset(), value is not None and caught in names_below(value))


_GOING_ON = (cst.If, cst.Assign, cst.AnnAssign, cst.AugAssign, cst.Continue, cst.Pass)
_LEAVING = (cst.Return, cst.Break)
_WAITS = re.compile(r"sleep|wait|backoff|delay", re.IGNORECASE)


def _on_success(node: cst.Try | cst.TryStar) -> Iterator[cst.CSTNode]:
    yield from below(node.body)
    if node.orelse is not None:
        yield from below(node.orelse.body)


def _expressions(body: cst.BaseSuite) -> Iterator[cst.BaseExpression]:
    yield from (statement.value for statement in below(body) if isinstance(statement, cst.Expr))


def _waits(node: cst.BaseExpression) -> bool:
    """Whether an expression is a call that waits before the next attempt."""
    node = node.expression if isinstance(node, cst.Await) else node
    return isinstance(node, cst.Call) and _WAITS.search(dotted_name(node.func)) is not None


def _tells(statement: cst.BaseSmallStatement, caught: str) -> bool:
    """Whether a statement only counts the failure: ``breaker.failed()``."""
    call = statement.value if isinstance(statement, cst.Expr) else None
    if not isinstance(call, cst.Call) or not isinstance(call.func, cst.Attribute) or caught in names_below(call):
        return False
    return _COUNTS.search(dotted_name(call.func.value)) is not None


def is_plain(value: Value) -> bool:
    """Whether a value is written out and has nothing in it: ``None``, ``[]``, ``{"items": []}``, ``0``, ``""``."""
    if type(value) is Constant:
        return not value.value
    if type(value) is Text:
        return not any(value.parts)
    if type(value) is Sequence:
        return not value.items
    return type(value) is Dict and not value.spreads and all(is_plain(entry.value) for entry in value.entries)


def _simple(body: cst.BaseSuite) -> Iterator[cst.BaseSmallStatement | None]:
    """Yield the simple statements of a block, ``None`` for any other."""
    for line in body.body:
        if isinstance(line, cst.SimpleStatementLine):
            yield from line.body
        else:
            yield line if isinstance(line, cst.BaseSmallStatement) else None


def _logged(node: cst.BaseExpression) -> tuple[str, str] | None:
    """Return level and text of a log call, or of a print."""
    if isinstance(node, cst.Await):
        node = node.expression
    if not isinstance(node, cst.Call):
        return None
    said = ""
    if node.args:
        text = convert(node.args[0].value, {})
        if type(text) is Text:
            said = "".join(part for part in text.parts if isinstance(part, str))
    function = node.func
    if isinstance(function, cst.Name):
        return ("warning", said) if function.value in _PRINTS else None
    if not isinstance(function, cst.Attribute):
        return None
    if function.attr.value in _PRINTS:
        return "warning", said
    receiver = function.value
    if isinstance(receiver, cst.Call):
        receiver = receiver.func
    last = receiver.attr if isinstance(receiver, cst.Attribute) else receiver
    level = _METHODS.get(function.attr.value)
    if isinstance(last, cst.Name) and _CONTEXT.search(last.value) and level == "error":
        level = "warning"
    is_logger = isinstance(last, cst.Name) and (_LOGGER.search(last.value) or last.value in ("getLogger", "get_logger"))
    return (level, said) if level and is_logger else None


def _called(node: cst.CSTNode) -> Iterator[str]:
    """Yield the names of what a block calls, "" for anything else; definitions are not entered."""
    pending = [node]
    while pending:
        current = pending.pop()
        if isinstance(current, (cst.FunctionDef, cst.ClassDef, cst.Lambda)):
            continue
        if isinstance(current, cst.Call):
            function = current.func
            yield dotted_name(function) or (f".{function.attr.value}" if isinstance(function, cst.Attribute) else "")
        pending.extend(reversed(inside(current)))


def _bound(body: cst.BaseSuite) -> Iterator[str]:
    """Yield the names that the assignments of a block bind."""
    pending: list[cst.CSTNode] = [body]
    while pending:
        current = pending.pop()
        if isinstance(current, (cst.FunctionDef, cst.ClassDef)):
            continue
        if isinstance(current, cst.Assign):
            for item in current.targets:
                yield from names_below(item.target)
        elif isinstance(current, (cst.AnnAssign, cst.AugAssign)):
            yield from names_below(current.target)
        elif not isinstance(current, cst.BaseExpression):
            pending.extend(inside(current))


def _flags(body: cst.BaseSuite) -> Iterator[str]:
    """Yield the names that a function sets to true or false somewhere."""
    pending: list[cst.CSTNode] = [body]
    while pending:
        current = pending.pop()
        if isinstance(current, cst.Assign):
            if isinstance(current.value, cst.Name) and current.value.value in ("True", "False"):
                for item in current.targets:
                    yield from names_below(item.target)
        elif not isinstance(current, cst.BaseExpression):
            pending.extend(inside(current))


def _asked(function: cst.FunctionDef, node: cst.Try | cst.TryStar | cst.With) -> Iterator[str]:
    """Yield the names in the conditions of a function outside of one ``try``."""
    pending: list[cst.CSTNode] = [function.body]
    while pending:
        current = pending.pop()
        if current is node:
            continue
        if isinstance(current, (cst.If, cst.While, cst.IfExp, cst.Assert)):
            yield from names_below(current.test)
        elif isinstance(current, (cst.BooleanOperation, cst.Comparison)):
            yield from names_below(current)
        elif isinstance(current, cst.CompIf):
            yield from names_below(current.test)
        elif isinstance(current, cst.Match):
            yield from names_below(current.subject)
        elif isinstance(current, cst.Call) and dotted_name(current.func) in ("len", "bool", "isinstance"):
            yield from names_below(current)
        pending.extend(inside(current))
