"""Callers that go on with an answer, error or not: they catch the exception and put the answer together again.

``store(find(text))`` becomes a ``try`` around the call alone, with ``result = {"error": str(exc)}`` in its handler, and
``store(result)`` behind it. What was answered is known from the payloads; keys whose values were worked out where the
error was are gone, and named.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import libcst as cst

from errlint.facts import Function
from errlint.fix.bindings import assignment, is_stable_name, name_occurrences
from errlint.fix.callers.error_checks import calls, mentions_of, unnamed_reader
from errlint.fix.callers.exception_path import hands_on as raises_again
from errlint.fix.callers.payload_to_exception import hands_on, path_of
from errlint.fix.model import Doubt, refuse
from errlint.fix.nodes import (
    BlockStatement,
    all_below,
    caught_as,
    constant_key,
    dict_entries,
    dotted_name,
    subscript_key,
)
from errlint.fix.payload_extraction.effects import is_constant
from errlint.fix.payload_extraction.payload import JSON_TEXT, TEXT, Payload, alone, dumped, quoted, replaced, wrapped_by
from errlint.fix.raising.handling import free_name
from errlint.fix.raising.libraries import text_of
from errlint.fix.rewrite import Replacement, leading, remarks
from errlint.fix.source_file import SCOPES, SourceFile
from errlint.project.hierarchy import Exceptional
from errlint.project.names import FunctionSymbol

_RUNNERS = frozenset({"asyncio.run", "anyio.run", "run_until_complete"})
"""What waits for an async function where nothing else does."""

_FREE_RESULTS = ("result", "answer", "outcome", "found")

_AT_TIMES = (cst.IfExp, cst.BooleanOperation, cst.Lambda, cst.BaseComp, cst.Comparison)
"""Expressions of which not every part is evaluated, and once."""

_LEAVING = (cst.Return, cst.Break, cst.Continue, cst.Yield, cst.Raise, cst.Del, cst.Global, cst.Nonlocal)
"""What a ``finally`` is not to do, or does otherwise."""

_BINDING = (cst.AssignTarget, cst.AnnAssign, cst.AugAssign, cst.NamedExpr, cst.For, cst.CompFor)

MESSAGE = "__message__"
"""The name that stands for the message in an error that is written again."""

MAX_REPEATED = 15
"""So many lines are done both for an error, before it is raised again, and for a result."""

_TELLING = (cst.Call, cst.Await, cst.Yield, cst.NamedExpr, cst.Attribute, cst.Subscript)
"""Expressions that may come to something else behind a call than before it."""


class Kept(NamedTuple):
    """A call whose result a caller goes on with: the line, and the expression of it that is to be caught.

    ``name`` is what the line assigns the result to, "" where it does anything else. ``is_dropped`` is true where it
    does nothing with it. ``around`` is the ``try`` with nothing in it but the line whose handlers give the name what
    stands for an error, ``None`` where there is no such. ``again`` is the expression of all errors with
    :data:`MESSAGE` in it, "" where there is none.
    """

    parsed: SourceFile
    function: Function
    callee: FunctionSymbol
    line: cst.SimpleStatementLine
    value: cst.BaseExpression
    name: str
    is_dropped: bool
    around: cst.Try | None = None
    again: str = ""


class _Answer(NamedTuple):
    """What stands for some errors: the text of an expression, and the keys in which it is not what they were.

    ``dropped`` has the keys that it has not any more, ``given`` those markers that it has for every error and that
    some of them had not.
    """

    text: str
    dropped: tuple[str, ...] = ()
    given: tuple[str, ...] = ()


class Finished(NamedTuple):
    """A call whose result a caller returns in the end: the line, and the statements between.

    ``kept`` is the call as one that the caller goes on with, where these speak of the result; else ``None``. There are
    none between where a ``finally`` or a handler around the call does that already for errors.
    """

    parsed: SourceFile
    function: Function
    callee: FunctionSymbol
    line: cst.SimpleStatementLine
    between: tuple[BlockStatement, ...]
    kept: Kept | None = None


def finished(
    parsed: SourceFile, function: Function, callee: FunctionSymbol, statement: Sequence[cst.CSTNode], name: str
) -> Finished | None:
    """Read the statements from that of a call to the return of its result; ``None`` where any does more with it."""
    found = kept(parsed, function, callee, statement, name, is_answered=True)
    if found is None or not found.name:
        return None
    made = Finished(parsed, function, callee, found.line, ())
    if found.around is not None and all(map(raises_again, found.around.handlers)):
        return made._replace(kept=found)
    tried = _alone_in(parsed, found.line)
    behind = parsed.following(tried) if tried is not None else None
    if tried is not None and not tried.handlers and behind is not None and hands_on(behind, found.name) == frozenset():
        return made
    between: list[BlockStatement] = []
    for item in parsed.behind(found.line):
        if hands_on(item, found.name) == frozenset():
            around = parsed.function(found.line)
            if around is None or unnamed_reader(around) is not None or not between:
                return None
            own, read = (
                sum(mentions_of(each, found.name) for each in each_of)
                for each_of in ((found.line, item), (found.line, item, *between))
            )
            made = made._replace(between=tuple(between))
            spoken_of = _mentions_from(parsed, around, found.line, found.name)
            if spoken_of == own:
                return made
            is_short = sum(parsed.code(each).count("\n") for each in between) <= MAX_REPEATED
            is_all = spoken_of == read and not _binds(between, found.name)
            # A check of the result would find nothing any more where there is no error.
            tests = [each.test for item in between for each in all_below(item) if isinstance(each, cst.If)]
            is_all = is_all and not any(mentions_of(test, found.name) for test in tests)
            return made._replace(kept=found) if is_short and is_all else None
        if any(isinstance(node, _LEAVING) for node in all_below(item)):
            return None
        assert isinstance(item, (cst.SimpleStatementLine, cst.BaseCompoundStatement))
        between.append(item)
    return None


def _mentions_from(parsed: SourceFile, function: cst.FunctionDef, line: cst.SimpleStatementLine, name: str) -> int:
    """Return how often a function speaks of a name, those times left out that are over when a line is reached."""
    around = itertools.takewhile(lambda parent: parent is not function, (each for each, _ in parsed.around(line)))
    if any(isinstance(parent, (cst.For, cst.While)) for parent in around):
        return mentions_of(function, name)
    first = parsed.line(line)
    named = list(name_occurrences(function, name))
    over = sum(parsed.function(item) is function and parsed.line(item) < first for item in named)
    return mentions_of(function, name) - over


def _binds(statements: Sequence[cst.CSTNode], name: str) -> bool:
    """Whether some statements give a name another value."""
    for node in (node for item in statements for node in all_below(item)):
        target: cst.CSTNode | None = getattr(node, "target", None) if isinstance(node, _BINDING) else None
        target = node.name if isinstance(node, cst.AsName) else target
        if target is not None and any(isinstance(each, cst.Name) and each.value == name for each in _bare(target)):
            return True
    return False


def _bare(target: cst.CSTNode) -> Sequence[cst.CSTNode]:
    """Return what a target binds, where it is no part of an object."""
    if isinstance(target, (cst.Tuple, cst.List)):
        return [each for item in target.elements for each in _bare(item.value)]
    return [] if isinstance(target, (cst.Subscript, cst.Attribute)) else [target]


def repeated(
    found: Finished,
    going_on: Kept,
    payloads: Sequence[Payload],
    classes: str,
    symbols: Sequence[Exceptional],
) -> tuple[Replacement, tuple[Doubt, ...]]:
    """Return the line of a caller that catches some classes, does what follows, and raises the exception again.

    Raises :class:`errlint.fix.model.Refusal` where it is not known what was answered.
    """
    parsed = found.parsed
    replacement, doubts = caught(going_on, payloads, classes, symbols)
    block = parsed.code(cst.IndentedBlock([*found.between, cst.SimpleStatementLine([cst.Raise()])]))
    text = f"what follows the call of `{found.callee.function.name}` here is done for an error first, as before"
    told = Doubt(text, parsed.path, parsed.line(found.line))
    return replacement._replace(text=replacement.text.rstrip("\n") + block), (*doubts, told)


def finally_done(found: Finished) -> tuple[tuple[Replacement, ...], Doubt]:
    """Return the lines of a caller that does what follows a call whether that raises or not, with what is in doubt."""
    parsed = found.parsed
    blocks = [cst.IndentedBlock([found.line.with_changes(leading_lines=())])]
    first = found.between[0]
    blocks.append(cst.IndentedBlock([first.with_changes(leading_lines=remarks(leading(first))), *found.between[1:]]))
    text = "try:{}finally:{}".format(*map(parsed.code, blocks))
    doubt = Doubt(
        f"what follows the call of `{found.callee.function.name}` here is done after any exception of it, too",
        parsed.path,
        parsed.line(found.line),
    )
    return (Replacement(found.line, text), *(Replacement(item, "") for item in found.between)), doubt


def kept(
    parsed: SourceFile,
    function: Function,
    callee: FunctionSymbol,
    statement: Sequence[cst.CSTNode],
    name: str,
    *,
    is_answered: bool = False,
) -> Kept | None:
    """Read the statement of a call, ``name`` is what is called there; ``None`` where the call cannot stand alone.

    Where ``is_answered`` is true, its result may be returned.
    """
    found = [item for item in statement if isinstance(item, cst.Call) and calls(item, name)]
    value = _waited(parsed, found[0], is_async=callee.function.is_async) if len(found) == 1 else None
    return kept_value(parsed, function, callee, value, is_answered=is_answered) if value is not None else None


def kept_value(
    parsed: SourceFile,
    function: Function,
    callee: FunctionSymbol,
    value: cst.BaseExpression,
    *,
    is_answered: bool = False,
) -> Kept | None:
    """Read the statement of an expression that answers what a call does; ``None`` where it cannot stand alone."""
    line = _line(parsed, value)
    branching = next(parsed.around(value))[0]
    is_branch = line is None and isinstance(branching, cst.IfExp) and branching.test is not value
    line = _line(parsed, branching) if is_branch and isinstance(branching, cst.IfExp) else line
    if line is None or parsed.function(line) is None:
        return None
    small = line.body[0]
    target = (assignment(line) or ("", None))[0]
    whole = branching if is_branch else value
    is_whole = isinstance(small, (cst.Assign, cst.AnnAssign, cst.Expr)) and small.value is whole
    if is_branch and not (is_whole and target):
        return None
    if is_whole and target and not is_answered and _is_answered(parsed, line, target):
        return None
    is_dropped = is_whole and isinstance(small, cst.Expr)
    target = target if is_whole else ""
    around = _alone_in(parsed, line) if target else None
    puts = around is not None and around.finalbody is None and all(_first_put(each, target) for each in around.handlers)
    return Kept(parsed, function, callee, line, value, target, is_dropped, around if puts else None)


def _alone_in(parsed: SourceFile, line: cst.SimpleStatementLine) -> cst.Try | None:
    """Return the ``try`` around a line that has nothing else in it, and no ``else``; ``None`` where there is none."""
    (block, _), (tried, _) = itertools.islice((*parsed.around(line), (line, line)), 2)
    if not isinstance(tried, cst.Try) or tried.body is not block or tried.orelse is not None:
        return None
    return tried if len(tried.body.body) == 1 else None


def _first_put(handler: cst.ExceptHandler, name: str) -> tuple[cst.SimpleStatementLine, cst.BaseExpression] | None:
    """Return the line by which a handler first gives a name a value, made of what it caught, with that value."""
    first = handler.body.body[0]
    bound = assignment(first)
    if handler.name is None or bound is None or bound[0] != name:
        return None
    assert isinstance(first, cst.SimpleStatementLine)
    return first, bound[1]


def again(
    found: Kept,
    handler: cst.ExceptHandler,
    payloads: Sequence[Payload],
    symbols: Sequence[Exceptional],
) -> tuple[tuple[Replacement, ...], tuple[Doubt, ...]] | None:
    """Return what changes in a handler that puts answers of others together for that to fit some more errors as well.

    ``None`` stands for a handler that makes anything else of them. Raises :class:`errlint.fix.model.Refusal` where it
    is not known what was answered.
    """
    parsed, put = found.parsed, _first_put(handler, found.name)
    assert put is not None
    message = text_of(caught_as(handler), symbols)
    answer = _value(payloads, message, found)
    shared = _shared(parsed, put[1], cst.parse_expression(answer.text), message)
    if shared is None:
        return None
    value, lost, gone = shared
    read = _read(found)
    if missed := [key for key in (*lost, *gone) if key in read]:
        raise refuse(f"the caller reads `{missed[0]}` of an error", parsed.path, parsed.line(found.line))
    doubts = _put_together(found, payloads, answer._replace(dropped=(*answer.dropped, *lost)))
    if keys := ", ".join(f"`{key}`" for key in gone):
        told = f"no error that is caught here has {keys} any more"
        doubts = (*doubts, Doubt(told, parsed.path, parsed.line(found.line)))
    return ((Replacement(put[0], f"{found.name} = {value}\n"),) if gone else ()), doubts


def _put_together(found: Kept, payloads: Sequence[Payload], answer: _Answer) -> tuple[Doubt, ...]:
    """Return what is in doubt about an answer that is put together again."""
    name = found.callee.function.name
    told = [f"what `{name}` answered for an error is put together again here"]
    if any(item.is_part for item in payloads):
        told.append(f"an error of `{name}` has nothing but its message here any more")
    if keys := ", ".join(f"`{key}`" for key in answer.dropped):
        told.append(f"the error of `{name}` has no {keys} here any more")
    read = _read(found) if answer.given else ()
    if keys := ", ".join(f"`{key}`" for key in answer.given if key in read):
        told.append(f"every error of `{name}` has {keys} here now, which the caller reads and not every one had")
    return tuple(Doubt(each, found.parsed.path, found.parsed.line(found.line)) for each in told)


def _shared(
    parsed: SourceFile, old: cst.BaseExpression, new: cst.BaseExpression, message: str
) -> tuple[str, tuple[str, ...], tuple[str, ...]] | None:
    """Return what two answers have in common, with the keys that only the new one had, and those of the old one.

    ``None`` stands for two that do not have the ``message`` in the same place.
    """
    inner, whole = dumped(old), cst.Module([])
    if inner is not None:
        other = dumped(new)
        found = _shared(parsed, inner, other, message) if other is not None else None
        part = wrapped_by(old) if isinstance(old, cst.Call) else None
        if found is None or part is None:
            return None
        return parsed.code(replaced(old, part, cst.parse_expression(found[0]))), *found[1:]
    if not isinstance(old, cst.Dict) or not isinstance(new, cst.Dict):
        texts = parsed.code(old), whole.code_for_node(new)
        return (texts[0], (), ()) if texts[0] == texts[1] else None
    entries = dict_entries(old), dict_entries(new)
    olds, news = ({key: whole.code_for_node(item) for key, item in (each or {}).items()} for each in entries)
    same = {key: text for key, text in olds.items() if news.get(key) == text}
    if not any(message in text for text in same.values()):
        return None
    text = ", ".join(f"{quoted(key)}: {value}" for key, value in same.items())
    lost, gone = (tuple(key for key in each if key not in same) for each in (news, olds))
    return f"{{{text}}}", lost, gone


def held(parsed: SourceFile, value: cst.BaseExpression) -> cst.SimpleStatementLine | None:
    """Return the line that puts a value into a variable which the next statement returns, ``None`` for any other."""
    parent = next(parsed.around(value))[0]
    line = _line(parsed, value) if isinstance(parent, (cst.Assign, cst.AnnAssign)) else None
    target, _ = assignment(line) or ("", None)
    behind = parsed.following(line) if line is not None and target else None
    return line if behind is not None and hands_on(behind, target) == frozenset() else None


def waited_later(parsed: SourceFile, statement: Sequence[cst.CSTNode], name: str) -> cst.Await | cst.Return | None:
    """Return where a function waits for what a call made that it gave a name, or returns that for others to wait for.

    ``None`` stands for one that does not wait where it is called, and does neither, or does either more than once.
    """
    found = [item for item in statement if isinstance(item, cst.Call) and calls(item, name)]
    line = _line(parsed, found[0]) if len(found) == 1 else None
    function = parsed.function(line) if line is not None else None
    target, value = assignment(line) or ("", None)
    if line is None or function is None or value is not found[0]:
        return None
    behind = [use for use in name_occurrences(function.body, target) if parsed.line(use) > parsed.line(line)]
    around = [next(parsed.around(use))[0] for use in behind]
    waits = [parent for parent in around if isinstance(parent, cst.Await)]
    backs = [parent for parent in around if isinstance(parent, cst.Return)]
    is_waited = len(waits) == 1 and not backs
    return waits[0] if is_waited else backs[0] if len(backs) == 1 and not waits else None


def _waited(parsed: SourceFile, call: cst.Call, *, is_async: bool) -> cst.BaseExpression | None:
    """Return the expression that stands for what a call answers, waited for where that has to be."""
    if not is_async:
        return call
    around = parsed.around(call)
    parent = next(around)[0]
    if isinstance(parent, cst.Await):
        return parent
    runner = next(around)[0]
    is_run = isinstance(parent, cst.Arg) and isinstance(runner, cst.Call)
    if not is_run or not isinstance(runner, cst.Call):
        return None
    name = dotted_name(runner.func)
    return runner if name in _RUNNERS or name.rpartition(".")[2] in _RUNNERS else None


def _line(parsed: SourceFile, value: cst.BaseExpression) -> cst.SimpleStatementLine | None:
    """Return the line of an expression that may be evaluated ahead of it, ``None`` where it may not."""
    line: cst.SimpleStatementLine | None = None
    above: set[int] = set()
    for parent, child in parsed.around(value):
        if isinstance(parent, cst.SimpleStatementLine):
            line = parent
            break
        is_first = isinstance(parent, (cst.BooleanOperation, cst.Comparison)) and parent.left is child
        is_test = isinstance(parent, cst.IfExp) and parent.test is child
        if isinstance(parent, (cst.BaseCompoundStatement, *SCOPES)) or (
            isinstance(parent, _AT_TIMES) and not is_first and not is_test
        ):
            return None
        if isinstance(parent, cst.Call):
            is_receiver = child is parent.func and isinstance(child, cst.Attribute)
            if not is_receiver and (child is parent.func or not dotted_name(parent.func)):
                return None
            above.update(map(id, all_below(parent.func)))
        above.add(id(parent))
    if line is None or len(line.body) != 1:
        return None
    targets = {id(item) for target in _targets(line.body[0]) for item in all_below(target)}
    start = parsed.extent(value)[:2]
    own = {id(item) for item in all_below(value)}
    for item in all_below(line.body[0]):
        is_ahead = isinstance(item, _TELLING) and id(item) not in above | targets | own
        if is_ahead and parsed.extent(item)[:2] < start:
            return None
    return line


def _targets(node: cst.BaseSmallStatement) -> Sequence[cst.CSTNode]:
    """Return what an assignment evaluates behind its value."""
    if isinstance(node, cst.Assign):
        return [item.target for item in node.targets]
    return [node.target] if isinstance(node, cst.AnnAssign) else []


def _is_answered(parsed: SourceFile, line: cst.SimpleStatementLine, name: str) -> bool:
    """Whether a function may answer what a name holds: an error put together again would be one more error return."""
    function = parsed.function(line)
    assert function is not None
    for node in all_below(function.body):
        pending = [node.value] if isinstance(node, cst.Return) else []
        while pending:
            value = pending.pop()
            if isinstance(value, cst.Name) and value.value == name:
                return True
            if isinstance(value, cst.IfExp):
                pending.extend((value.body, value.orelse))
            elif (inner := dumped(value) or alone(value)) is not None:
                pending.append(inner)
    return False


def caught(
    found: Kept,
    payloads: Sequence[Payload],
    classes: str,
    symbols: Sequence[Exceptional],
) -> tuple[Replacement, tuple[Doubt, ...]]:
    """Return the line of a caller that catches some classes, ``symbols``, with what is in doubt.

    Raises :class:`errlint.fix.model.Refusal` where it is not known what was answered.
    """
    parsed = found.parsed
    call = parsed.code(cst.IndentedBlock([found.line.with_changes(leading_lines=())]))
    if found.is_dropped:
        text = f"try:{call}except {classes}:{_block(parsed, 'pass')}"
        told = f"an error of `{found.callee.function.name}` is dropped here, as before"
        doubt = Doubt(told, parsed.path, parsed.line(found.line))
        return Replacement(found.line, text), (doubt,)
    free = free_name(parsed, found.line)
    answer = _value(payloads, text_of(free, symbols), found)
    doubts = _put_together(found, payloads, answer)
    target = found.name or _free_result(found)
    behind = ""
    if not found.name:
        put = found.line.with_changes(leading_lines=()).deep_replace(found.value, cst.Name(target))
        assert isinstance(put, cst.SimpleStatementLine)
        behind = parsed.code(put)
        bare = found.value.with_changes(lpar=(), rpar=()) if "\n" not in parsed.code(found.value) else found.value
        assigned = cst.Assign([cst.AssignTarget(cst.Name(target))], bare)
        call = parsed.code(cst.IndentedBlock([cst.SimpleStatementLine([assigned])]))
    around = _put_together_around(found)
    if around is not None:
        known = {each: _value(payloads, text_of(caught_as(each), symbols), found).text for each in around.handlers}
        return _with_clause(found, around, classes, known), doubts
    text = f"try:{call}except {classes} as {free}:{_block(parsed, f'{target} = {answer.text}')}{behind}"
    return Replacement(found.line, text), doubts


def _put_together_around(found: Kept) -> cst.Try | None:
    """Return the ``try`` around a line alone whose handlers do nothing but to put an answer together again."""
    handlers = found.around.handlers if found.around is not None else ()
    made = [_put(handler) for handler in handlers]
    return found.around if all(each is not None and each[0] == found.name for each in made) else None


def _put(handler: cst.ExceptHandler) -> tuple[str, cst.BaseExpression] | None:
    """Return what a handler that gives what it caught a name assigns, where that is all it does."""
    is_it = len(handler.body.body) == 1 and caught_as(handler) and handler.type
    return assignment(handler.body.body[0]) if is_it else None


def _with_clause(found: Kept, around: cst.Try, classes: str, known: Mapping[cst.ExceptHandler, str]) -> Replacement:
    """Return a ``try`` whose handlers catch some more classes: one that does the same as is to be done, or another.

    ``known`` is what is put together, for each handler with the name that it gives to what it caught.
    """
    parsed, handlers = found.parsed, list(around.handlers)
    for index, handler in enumerate(handlers):
        made = _put(handler)
        if made is not None and parsed.code(made[1]) == known[handler]:
            names = dict.fromkeys((*_caught_by(parsed, handler), *_classes_of(classes)))
            if {"Exception", "BaseException"}.isdisjoint(names):
                kind = cst.parse_expression(f"({', '.join(names)})")
                handlers[index] = handler.with_changes(type=kind)
            return Replacement(around, parsed.code(around.with_changes(leading_lines=(), handlers=handlers)))
    caught_already = {each for item in handlers for each in _caught_by(parsed, item)}
    if not caught_already.isdisjoint(_classes_of(classes)):
        raise refuse(
            f"`{found.callee.function.name}` answers errors in several forms", parsed.path, parsed.line(around)
        )
    put = _block(parsed, f"{found.name} = {known[handlers[0]]}")
    text = f"try:\n    pass\nexcept {classes} as {caught_as(handlers[0])}:{put}"
    other = cst.ensure_type(cst.parse_statement(text, config=parsed.module.config_for_parsing), cst.Try).handlers[0]
    return Replacement(around, parsed.code(around.with_changes(leading_lines=(), handlers=[other, *handlers])))


def _caught_by(parsed: SourceFile, handler: cst.ExceptHandler) -> list[str]:
    """Return the names of the classes that a handler catches which puts an answer together."""
    assert handler.type is not None
    return _classes_of(parsed.code(handler.type))


def _classes_of(text: str) -> list[str]:
    """Return the names of the classes that a clause catches: ``ValueError`` of ``(ValueError, TypeError)``."""
    return [each.strip() for each in text.strip("() ").split(",") if each.strip()]


def _block(parsed: SourceFile, text: str) -> str:
    return parsed.code(cst.IndentedBlock([cst.ensure_type(cst.parse_statement(text), cst.SimpleStatementLine)]))


def _free_result(found: Kept) -> str:
    """Return a name for the result that the function of the caller does not use."""
    words = found.parsed.words(found.parsed.function(found.line))
    name = next((name for name in _FREE_RESULTS if name not in words), "")
    if not name:
        raise refuse("no free name is left for the result", found.parsed.path, found.parsed.line(found.line))
    return name


def _value(payloads: Sequence[Payload], message: str, found: Kept) -> _Answer:
    """Return what was answered for each of some errors, with ``message`` for what it said."""
    parsed, name = found.parsed, found.callee.function.name
    line = parsed.line(found.line)
    if len({(item.path, item.shape) for item in payloads}) != 1:
        raise refuse(f"`{name}` answers errors in several forms", parsed.path, line)
    if payloads[0].shape == JSON_TEXT and _can_dump(parsed):
        answer = _value([item._replace(shape="") for item in payloads], message, found)
        return answer._replace(text=f"json.dumps({answer.text})")
    is_text = payloads[0].shape == TEXT and not payloads[0].key
    if not is_text and not all(item.path and not item.is_open for item in payloads):
        if found.again:
            return _Answer(re.sub(rf"\b{MESSAGE}\b", message.replace("\\", r"\\"), found.again))
        raise refuse(f"what `{name}` answered for an error cannot be put together again", parsed.path, line)
    key, above = payloads[0].key, payloads[0].above
    if not key:
        return _Answer(message)
    # Of what stands beside a message further down it is not known how far down that is.
    tables = [{**_constants(item), **dict.fromkeys(item.other_keys if above else (), "")} for item in payloads]
    whole = {part: text for table in tables for part, text in table.items()}
    markers = {part for item in payloads for part, _ in item.markers}
    same = {
        part: text
        for part, text in whole.items()
        if text and all(table.get(part, text if part in markers else "") == text for table in tables)
    }
    dropped = tuple(part for part in whole if part not in same)
    read = _read(found)
    known = {key, above, *whole} if any(item.is_part for item in payloads) else read
    if lost := [part for part in (*dropped, *sorted(read - known)) if part in read]:
        raise refuse(f"the caller reads `{lost[0]}` of an error", parsed.path, line)
    codes = {part for item in payloads for part, _ in item.codes}
    if not above and (lost := [part for part in dropped if part in codes]) and _is_handed_on(found):
        text = f"the caller hands on the error of `{name}`, which would have no `{lost[0]}` to be told apart by"
        raise refuse(text, parsed.path, line)
    before = [f"{quoted(part)}: {text}" for part, text in same.items() if part in markers]
    after = [f"{quoted(part)}: {text}" for part, text in same.items() if part not in markers]
    entry = f"{quoted(key)}: {message}"
    if above:
        entry = f"{quoted(above)}: {{{entry}}}"
    given = tuple(part for part in same if part in markers and not all(part in table for table in tables))
    return _Answer("{" + ", ".join((*before, entry, *after)) + "}", dropped, given)


def _is_handed_on(found: Kept) -> bool:
    """Whether a caller gives somebody the whole of a result, and does not only read it."""
    function = found.parsed.function(found.line)
    if not found.name or function is None:
        return not found.is_dropped
    for node in name_occurrences(function, found.name):
        parent = next(iter(found.parsed.around(node)))[0]
        is_keyword = isinstance(parent, cst.Arg) and parent.keyword is node
        if isinstance(parent, (cst.Arg, cst.Return, cst.DictElement, cst.Element)) and not is_keyword:
            return True
    return False


def _can_dump(parsed: SourceFile) -> bool:
    """Whether a file calls the module ``json`` by its name."""
    return is_stable_name(parsed, None, "json") and any(item.name == item.module == "json" for item in parsed.imports)


def _constants(payload: Payload) -> Mapping[str, str]:
    """Return the keys of a payload but that of the message, with the texts of constants; "" for other values."""
    parts = (*payload.markers, *payload.codes, *payload.others)
    texts = {key: cst.Module([]).code_for_node(node) if _is_fixed(node) else "" for key, node in parts}
    return {**texts, **dict.fromkeys(payload.unsaid, "")}


def _is_fixed(node: cst.BaseExpression) -> bool:
    is_empty = isinstance(node, (cst.Dict, cst.List)) and not node.elements
    return is_empty or is_constant(node)


def _read(found: Kept) -> frozenset[str]:
    """Return the keys that a caller asks the result for, or a part of it that it gives a name."""
    function = found.parsed.function(found.line)
    assert function is not None
    keys: set[str | None] = set()
    parts: set[str] = set()
    for line in all_below(function.body) if found.name else ():
        bound = assignment(line)
        if bound is not None and any(path_of(node, found.name) for node in (bound[1], *all_below(bound[1]))):
            parts.add(bound[0])
    for node in all_below(function.body if found.name else found.line):
        if isinstance(node, cst.Comparison) and found.name:
            is_asked = any(dotted_name(item.comparator) == found.name for item in node.comparisons)
            keys.add(constant_key(node.left) if is_asked else None)
        elif found.name:
            for name in (found.name, *parts):
                keys.update(path_of(node, name))
        elif isinstance(node, cst.Subscript) and node.value is found.value:
            keys.add(subscript_key(node))
    return frozenset(filter(None, keys))
