"""Handlers that turn an exception into an ordinary answer, or only log it, as :class:`errlint.facts.Swallow`."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from errlint.error_keywords import LOG_LEVELS, LOGGER, LOGGER_MAKERS
from errlint.facts import Swallow, Text, is_empty, text_with_holes
from errlint.index.bindings import TRY, FunctionNode, targets_of
from errlint.index.catching import exception_names, suppressed
from errlint.index.expressions import convert, dotted_name, given, inside, names_below
from errlint.index.forward import Block, elif_of
from errlint.index.spans import Spans
from errlint.index.statements import below, is_compound
from errlint.trees import children, last_name

_EXPECTED = frozenset(
    {"KeyError", "IndexError", "LookupError", "ValueError", "TypeError", "AttributeError", "NameError", "StopIteration",
     "StopAsyncIteration", "ImportError", "ModuleNotFoundError", "PackageNotFoundError", "CancelledError",
     "JSONDecodeError", "UnicodeDecodeError", "UnicodeEncodeError", "UnicodeError", "FileNotFoundError",
     "FileExistsError", "NotADirectoryError", "IsADirectoryError", "ProcessLookupError", "BrokenPipeError", "Empty",
     "QueueEmpty", "Full", "QueueFull", "EOFError", "KeyboardInterrupt", "SystemExit", "GeneratorExit",
     "NotImplementedError", "ZeroDivisionError", "OverflowError", "ArithmeticError", "RecursionError", "SyntaxError",
     "InvalidOperation", "ParseError", "ParserError", "ValidationError", "NoSuchKey", "DoesNotExist"}
)  # fmt: skip
"""Exceptions that ask a question in practice: no such key, not a number, not installed, nothing more to come."""

_LEVELS = ("debug", "info", "warning", "error")
_METHODS = {**LOG_LEVELS, "trace": "debug", "log": "info", "critical": "error", "fatal": "error"}
"""The levels of log methods, as far as they matter here."""

_CONTEXT = re.compile(r"(?:^|_)(?:ctx|context)$", re.IGNORECASE)
"""The context of a call logs at the client: that is told something, so that it is no error of the server's."""

_COUNTS = re.compile(r"breaker|circuit|metric|counter|telemetry", re.IGNORECASE)
"""What counts failures."""

_TAKES = re.compile(
    r"(?:queue|jobs|tasks|inbox|backlog|mailbox|pending|(?:^|[._])q)\.(?:get|get_nowait|dequeue|receive)$",
    re.IGNORECASE,
)
"""Calls that take from a queue; a list that is taken apart from its end holds work of the same call."""

_PRINTS = frozenset({"print", "print_exc"})


class _BlockPlace(NamedTuple):
    """Where a block stands: in a loop, and with nothing behind it in the function.

    ``takes`` is true in a loop that takes from a queue. ``exhausted`` is the return behind a loop that tries the same
    again and again, for when it has given up.
    """

    in_loop: bool = False
    is_last: bool = True
    takes: bool = False
    exhausted: ast.Return | None = None


class _Body(NamedTuple):
    """What a handler does that swallows: how it is left, at which level it logs, what it says, and what it binds.

    ``tells`` is true where the answer holds the exception.
    """

    answer: ast.Return | None
    level: str
    said: str
    binds: frozenset[str]
    tells: bool


def swallows(function: ast.FunctionDef | ast.AsyncFunctionDef, spans: Spans) -> Iterator[Swallow]:
    """Yield the handlers of a function that swallow."""
    yield from _in_block(function, function.body, _BlockPlace(), spans)


def _in_block(
    function: ast.FunctionDef | ast.AsyncFunctionDef, body: Block, place: _BlockPlace, spans: Spans
) -> Iterator[Swallow]:
    for number, node in enumerate(body):
        if not is_compound(node):
            continue
        here = place if node is body[-1] else place._replace(is_last=False)
        if isinstance(node, (ast.For, ast.AsyncFor, ast.While)):
            here = here._replace(exhausted=_exhausted(node, body[number + 1 : number + 2]))
        if isinstance(node, TRY):
            yield from _try(function, node, here, spans)
        elif isinstance(node, (ast.With, ast.AsyncWith)):
            yield from _with(function, node, here, spans)
        for inner, around in _blocks(node, here):
            yield from _in_block(function, inner, around, spans)


def _blocks(node: ast.stmt, place: _BlockPlace) -> Iterator[tuple[Block, _BlockPlace]]:
    """Yield the blocks of a compound statement, each with its place; definitions have none.

    What a handler or a ``finally`` does is no work of its own: what fails there is beside what has failed already.
    """
    if isinstance(node, ast.Match):
        for case in node.cases:
            yield case.body, place
    if not isinstance(node, (ast.If, ast.For, ast.AsyncFor, ast.While, ast.With, ast.AsyncWith, *TRY)):
        return
    looped = isinstance(node, (ast.For, ast.AsyncFor, ast.While))
    guarded = isinstance(node, TRY) and bool(node.orelse)
    around = place._replace(in_loop=place.in_loop or looped, is_last=place.is_last and not looped and not guarded)
    if isinstance(node, ast.While):
        around = around._replace(takes=any(map(_TAKES.search, _called(node.body))))
    yield node.body, around
    last = node
    while isinstance(last, ast.If) and (following := elif_of(last)) is not None:
        yield following.body, around
        last = following
    if orelse := getattr(last, "orelse", ()):
        yield orelse, place


def _try(
    function: ast.FunctionDef | ast.AsyncFunctionDef, node: ast.Try, place: _BlockPlace, spans: Spans
) -> Iterator[Swallow]:
    for handler in node.handlers:
        types = exception_names(handler)
        if _is_expected(name.rpartition(".")[2] for name in types):
            continue
        caught = handler.name or ""
        found = _handler(handler.body, caught)
        if place.in_loop and (found is None or (found.answer is None and place.exhausted is not None)):
            found = _gives_up(node, handler.body, caught, place.exhausted) or found
        if found is None:
            continue
        span = spans.of(handler)
        work = tuple(dict.fromkeys(filter(None, _called(node.body))))
        if found.answer is not None:
            answer = spans.of(found.answer)
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


def _with(
    function: ast.FunctionDef | ast.AsyncFunctionDef, node: ast.With | ast.AsyncWith, place: _BlockPlace, spans: Spans
) -> Iterator[Swallow]:
    types = suppressed(node)
    if types is None or place.in_loop or _is_expected(name.rpartition(".")[2] for name in types):
        return
    asked = not set(_bound(node.body)).isdisjoint({*_asked(function, node), *_flags(function.body)})
    how = "ended" if place.is_last else "asked" if asked else "passed"
    work = tuple(dict.fromkeys(filter(None, _called(node.body))))
    yield Swallow(spans.of(node), types, how, None, "", "", work, is_suppressed=True)


def _handler(body: Block, caught: str) -> _Body | None:
    """Return what a handler does if that is to log, to bind plain values and to answer, without the exception."""
    answer: ast.Return | None = None
    level, said, binds, tells = "", "", set[str](), False
    for statement in body:
        if answer is not None:
            return None
        if isinstance(statement, ast.Continue) or _tells(statement, caught):
            continue
        if isinstance(statement, ast.Return):
            tells = statement.value is not None and caught in names_below(statement.value)
            answer = statement
        elif isinstance(statement, (ast.Assign, ast.AnnAssign)):
            if statement.value is None or not is_empty(convert(statement.value, {})):
                return None
            for target in targets_of(statement):
                if not isinstance(target, ast.Name):
                    return None
                binds.add(target.id)
        elif isinstance(statement, ast.Expr):
            if isinstance(statement.value, (ast.Constant, ast.JoinedStr)):
                continue
            logged = _logged(statement.value)
            if logged is None:
                return None
            level = max(level, logged[0], key=lambda name: _LEVELS.index(name) if name else -1)
            said += logged[1]
        elif not isinstance(statement, (ast.Pass, ast.Import, ast.ImportFrom)):
            return None
    return _Body(answer, level, said, frozenset(binds), tells)


def _exhausted(node: ast.For | ast.AsyncFor | ast.While, following: Block) -> ast.Return | None:
    """Return the return behind a loop that counts attempts, ``None`` for a loop over items or another one behind it."""
    if not isinstance(node, ast.While):
        counter = node.iter.func if isinstance(node.iter, ast.Call) else None
        if counter is None or dotted_name(counter).rpartition(".")[2] not in ("range", "count"):
            return None
    last = following[0] if following else None
    return last if isinstance(last, ast.Return) and last.value is not None else None


def _gives_up(node: ast.Try, body: Block, caught: str, exhausted: ast.Return | None) -> _Body | None:
    """Return what a handler in a loop does that logs and waits, and answers when the attempts are used up.

    The answer stands below a condition of the handler, or behind the loop which a success leaves.
    """
    answers: list[ast.Return] = []
    level, said = "", ""
    for statement in below(body):
        if isinstance(statement, ast.Return):
            answers.append(statement)
        elif isinstance(statement, ast.Expr) and (logged := _logged(statement.value)) is not None:
            level = max(level, logged[0], key=lambda name: _LEVELS.index(name) if name else -1)
            said += logged[1]
        elif not isinstance(statement, _GOING_ON) and not (isinstance(statement, ast.Expr) and _waits(statement.value)):
            return None
    if not answers and exhausted is not None and any(isinstance(each, _LEAVING) for each in _on_success(node)):
        answers.append(exhausted)
    if len(answers) != 1 or not any(map(_waits, _expressions(body))):
        return None
    value = answers[0].value
    return _Body(answers[0], level, said, frozenset(), value is not None and caught in names_below(value))


_GOING_ON = (ast.If, ast.Assign, ast.AnnAssign, ast.AugAssign, ast.Continue, ast.Pass)
_LEAVING = (ast.Return, ast.Break)
_WAITS = re.compile(r"sleep|wait|backoff|delay", re.IGNORECASE)


def _on_success(node: ast.Try) -> Iterator[ast.stmt]:
    yield from below(node.body)
    yield from below(node.orelse)


def _expressions(body: Block) -> Iterator[ast.expr]:
    yield from (statement.value for statement in below(body) if isinstance(statement, ast.Expr))


def _waits(node: ast.expr) -> bool:
    """Whether an expression is a call that waits before the next attempt."""
    node = node.value if isinstance(node, ast.Await) else node
    return isinstance(node, ast.Call) and _WAITS.search(dotted_name(node.func)) is not None


def _tells(statement: ast.stmt, caught: str) -> bool:
    """Whether a statement only counts the failure: ``breaker.failed()``."""
    call = statement.value if isinstance(statement, ast.Expr) else None
    if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Attribute) or caught in names_below(call):
        return False
    return _COUNTS.search(dotted_name(call.func.value)) is not None


def _logged(node: ast.expr) -> tuple[str, str] | None:
    """Return level and text of a log call, or of a print."""
    if isinstance(node, ast.Await):
        node = node.value
    if not isinstance(node, ast.Call):
        return None
    said = ""
    if taken := given(node):
        text = convert(taken[0][1], {})
        if type(text) is Text:
            said = text_with_holes(text, "")
    function = node.func
    if isinstance(function, ast.Name):
        return ("warning", said) if function.id in _PRINTS else None
    if not isinstance(function, ast.Attribute):
        return None
    if function.attr in _PRINTS:
        return "warning", said
    receiver = function.value
    if isinstance(receiver, ast.Call):
        receiver = receiver.func
    last = last_name(receiver)
    level = _METHODS.get(function.attr)
    if _CONTEXT.search(last):
        return ("warning" if level == "error" else level, said) if level else None
    return (level, said) if level and (LOGGER.search(last) or last in LOGGER_MAKERS) else None


def _called(body: Block) -> Iterator[str]:
    """Yield the names of what a block calls, "" for anything else; definitions are not entered."""
    pending: list[ast.AST] = [*reversed(body)]
    while pending:
        current = pending.pop()
        if isinstance(current, (*FunctionNode, ast.ClassDef, ast.Lambda)):
            continue
        if isinstance(current, ast.Call):
            function = current.func
            yield dotted_name(function) or (f".{function.attr}" if isinstance(function, ast.Attribute) else "")
        pending.extend(reversed(inside(current)))


def _bound(body: Block) -> Iterator[str]:
    """Yield the names that the assignments of a block bind."""
    for node in below(body):
        for target in () if is_compound(node) else targets_of(node):
            yield from names_below(target)


def _flags(body: Block) -> Iterator[str]:
    """Yield the names that a function sets to true or false somewhere."""
    pending: list[ast.AST] = [*body]
    while pending:
        current = pending.pop()
        if isinstance(current, ast.Assign):
            if isinstance(current.value, ast.Constant) and isinstance(current.value.value, bool):
                for target in current.targets:
                    yield from names_below(target)
        elif not isinstance(current, ast.expr):
            pending.extend(children(current))


def _asked(function: ast.FunctionDef | ast.AsyncFunctionDef, node: ast.stmt) -> Iterator[str]:
    """Yield the names in the conditions of a function outside of one ``try``."""
    pending: list[ast.AST] = [*function.body]
    while pending:
        current = pending.pop()
        if current is node:
            continue
        if isinstance(current, (ast.If, ast.While, ast.IfExp, ast.Assert)):
            yield from names_below(current.test)
        elif isinstance(current, (ast.BoolOp, ast.Compare)):
            yield from names_below(current)
        elif isinstance(current, ast.comprehension):
            for test in current.ifs:
                yield from names_below(test)
        elif isinstance(current, ast.Match):
            yield from names_below(current.subject)
        elif isinstance(current, ast.Call) and dotted_name(current.func) in ("len", "bool", "isinstance"):
            yield from names_below(current)
        pending.extend(children(current))


def _is_expected(types: Iterable[str]) -> bool:
    """Whether a clause catches, by the last names of its types, nothing but what is expected."""
    names = list(types)
    return bool(names) and all(name in _EXPECTED for name in names)
