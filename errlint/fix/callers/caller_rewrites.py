"""Callers that look for an error in a result: what becomes of them when the callee raises instead.

A check whose block only hands the error on goes, once nothing is left that it could find: the exception passes through.
Any other block becomes an ``except`` clause around the call.
"""

from __future__ import annotations

import ast
import builtins
import itertools
import re
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

import libcst as cst

from errlint.facts import Function
from errlint.fix.bindings import assignment, is_stable_name, name_occurrences
from errlint.fix.callers.abstract_values import (
    UNKNOWN,
    AbstractAnswer,
    SourceCache,
    answer,
    answered,
    answers,
    definition,
    fails,
    resolved,
    verdict,
)
from errlint.fix.callers.catching import tries_around
from errlint.fix.callers.error_checks import (
    Inspection,
    mentions_of,
    read_test,
    unnamed_reader,
)
from errlint.fix.callers.keeping import MESSAGE, Finished, Kept, again, caught, finally_done, kept, repeated
from errlint.fix.callers.payload_checks_in_tests import literal
from errlint.fix.callers.payload_to_exception import Block, hands_on
from errlint.fix.callers.relaying import is_told_around
from errlint.fix.model import Doubt, Refusal, refuse
from errlint.fix.nodes import all_below, caught_as, dotted_name, exception_names, expression_of, leaves, small_of
from errlint.fix.payload_extraction.payload import Payload
from errlint.fix.payload_extraction.texts import is_text_of
from errlint.fix.raising.handling import free_name
from errlint.fix.raising.imports import Known, Needed
from errlint.fix.raising.libraries import text_of
from errlint.fix.raising.logcalls import log_call
from errlint.fix.raising.makers import makes
from errlint.fix.rewrite import Changes, Edit, Replacement, Step
from errlint.fix.source_file import SCOPES, SourceFile
from errlint.project import Project
from errlint.project.hierarchy import Exceptional
from errlint.project.names import ExternalSymbol, FunctionSymbol


class Converted(NamedTuple):
    """An error that is answered by a statement, and raised from now on as one of a class.

    ``is_whole`` is false where the statement goes on answering something else. ``answered`` is all that was answered,
    where the payload leaves out what boundaries fill in; ``written`` is the expression of it, as far as factories are
    known, and ``source`` the function that answers it.
    """

    node: cst.Return | cst.SimpleStatementLine
    payload: Payload
    symbol: Exceptional
    is_whole: bool
    answered: Payload
    written: cst.BaseExpression | None
    source: FunctionSymbol


Naming = Callable[[SourceFile, cst.CSTNode, Exceptional, Function], Known]
"""How a file names a class at a place."""


_LEAVING = (cst.Return, cst.Raise, cst.Break, cst.Continue, cst.Yield)
"""What a handler does that ends the work, or a round of it."""


def rewritten(
    sources: SourceCache, found: Inspection | Kept | Finished, converted: Sequence[Converted], naming: Naming
) -> Iterator[Step]:
    """Yield the changes of a caller, with what is in doubt.

    Raises :class:`errlint.fix.model.Refusal` where it would not do the same.
    """
    if isinstance(found, (Kept, Finished)):
        yield from _after_answer(sources, found, converted, naming)
        return
    if found.guard is None:
        return
    try:
        made = list(_without_result(sources, found, converted, naming))
    except Refusal as refusal:
        going_on = None if found.goes_on else kept_behind(found)
        if going_on is None:
            raise
        try:
            made = [_with_answer(sources, going_on, converted, naming)]
        except Refusal:
            raise refusal from None
    yield from made


def _after_answer(
    sources: SourceCache, found: Kept | Finished, converted: Sequence[Converted], naming: Naming
) -> Iterator[Step]:
    """Yield the changes of a caller that does something with the answer, be it an error or not."""
    symbols = [item.symbol for item in converted]
    around = None
    if isinstance(found, Kept) and is_told_around(found):
        around = _told_around(sources.project, found, symbols)
    call = found if isinstance(found, Kept) else found.kept
    there = _left_to_handler(sources, call, converted, naming) if call is not None and around is None else None
    dropping = _going_on(sources.project, found, symbols) if isinstance(found, Kept) and found.is_dropped else None
    if around is not None:
        yield found.parsed.path, Changes(), (_told_there(found, around),)
    elif dropping is not None:
        text = f"an error of `{found.callee.function.name}` comes to this handler, where it was dropped before"
        yield found.parsed.path, Changes(), (Doubt(text, found.parsed.path, found.parsed.line(dropping)),)
    elif there is not None:
        yield there
    elif isinstance(found, Kept):
        yield _with_answer(sources, found, converted, naming)
    elif found.between and found.kept is not None:
        doubts: list[Doubt] = []
        classes, needed = _classes(sources, found.kept, converted, naming, doubts)
        payloads = [item.answered for item in converted]
        call = found.kept._replace(again=_written_again(sources, found.kept, converted))
        replacement, more = repeated(found, call, payloads, classes, symbols)
        yield found.parsed.path, Changes(imports=needed, replaced=(replacement,)), (*doubts, *more)
    elif found.between:
        lines, doubt = finally_done(found)
        yield found.parsed.path, Changes(replaced=lines), (doubt,)
    elif found.kept is not None:
        text = f"the handler around the call makes something else of an error of `{found.callee.function.name}`"
        raise refuse(text, found.parsed.path, found.parsed.line(found.line))


def kept_behind(found: Inspection) -> Kept | None:
    """Return the call of an inspection as one whose result its caller goes on with, ``None`` where it cannot be."""
    if isinstance(found.line, cst.If):
        return None
    statement = tuple(all_below(found.line))
    name = next((dotted_name(item.func) for item in statement if isinstance(item, cst.Call)), "")
    return kept(found.parsed, found.function, found.callee, statement, name)


def _without_result(
    sources: SourceCache, found: Inspection, converted: Sequence[Converted], naming: Naming
) -> Iterator[Step]:
    """Yield the changes of a caller that finds no error in the result any more."""
    parsed, guard = found.parsed, found.guard
    assert guard is not None
    line = parsed.line(guard)
    test = read_test(found, guard.test)
    doubts = list(_not_added(found))
    for each in converted:
        for value in answers_of(sources, each):
            seen = verdict(test, found.name, value)
            is_known = value.entries is not None or seen is True
            if seen is False or not is_known or (seen is None and fails(test, found.name, value)):
                raise refuse("the check of the result does not see all of the errors", parsed.path, line)
            if seen is None and not _sees_texts(test, found.name, value, each):
                raise refuse("the check of the result may not see all of the errors", parsed.path, line)
            if seen is None:
                text = "the error may be empty, and the check of the result would not see it"
                doubts.append(Doubt(text, parsed.path, line))
        path = each.payload.path
        if all(value.made for value in answers_of(sources, each)) and not each.payload.is_nested:
            path = (each.payload.key,)  # the field of an object
        if others := sorted(found.reads - {path}):
            keys = ", ".join(f"`{'.'.join(path)}`" for path in others)
            raise refuse(f"the check reads {keys} of the answer, which is not the text of the error", parsed.path, line)
    left = {verdict(test, found.name, item) for item in answers(sources, found.callee)}
    if found.is_handed_on:
        if left <= {False}:
            yield parsed.path, _without_guard(found), tuple(doubts)
        else:
            yield parsed.path, Changes(), tuple(doubts)
        return
    is_only = left <= {False}
    if not is_only:
        name = found.callee.function.name
        if not found.goes_on:
            raise refuse(f"`{name}` may still answer what this looks for", parsed.path, line)
        doubts.append(Doubt(f"`{name}` may still answer what this looks for, and the check stays", parsed.path, line))
    yield _with_handler(sources, found, converted, naming, doubts, is_only=is_only)


def _not_added(found: Inspection) -> Iterator[Doubt]:
    """Yield the entries that a check gave the error, and that nobody gets any more."""
    parsed, name = found.parsed, found.callee.function.name
    for statement, keys in found.added:
        told = ", ".join(f"`{key}`" for key in keys)
        yield Doubt(
            f"clients do not get {told} any more, added here to an error of `{name}`",
            parsed.path,
            parsed.line(statement),
        )


def _sees_texts(test: ast.expr, name: str, value: AbstractAnswer, item: Converted) -> bool:
    """Whether a check that cannot be decided sees an error with any text that is not empty."""
    key, above = item.payload.key, item.payload.above
    filled = (
        ast.Dict([ast.Constant(key)], [ast.Constant(text)]) if above else ast.Constant(text)
        for text in ("text", *sorted(literal(test)))
    )
    made = (value._replace(entries={**(value.entries or {}), above or key: each}) for each in filled)
    return all(verdict(test, name, each) for each in made)


def answers_of(sources: SourceCache, item: Converted) -> Sequence[AbstractAnswer]:
    """Return what was answered where that is written out, at a return or in a factory, else that it is not known."""
    value = expression_of(item.written) if item.written is not None else None
    found = answer(value) if value is not None else UNKNOWN
    if found != UNKNOWN:
        return (resolved(sources, item.source, found),)
    node = item.node.value if isinstance(item.node, cst.Return) and item.is_whole else None
    return tuple(answered(sources, item.source, node)) if node is not None else (UNKNOWN,)


def answer_of(sources: SourceCache, item: Converted) -> AbstractAnswer:
    """Return the only answer that an error return may give, unknown where there may be several."""
    found = answers_of(sources, item)
    return found[0] if len(found) == 1 else UNKNOWN


def dead(sources: SourceCache, found: Inspection) -> Changes | None:
    """Return the changes without a check that finds nothing in any answer, ``None`` where it may find something."""
    assert found.guard is not None
    test = read_test(found, found.guard.test)
    seen = {verdict(test, found.name, item) for item in answers(sources, found.callee)}
    return _without_guard(found) if seen == {False} else None


def _without_guard(found: Inspection) -> Changes:
    """Remove a check; a call whose result is then only returned is returned itself."""
    parsed, guard = found.parsed, found.guard
    assert guard is not None
    if found.is_negative:
        text = "".join(map(parsed.code, found.other))
        gone = (*(Replacement(item, "") for item in found.behind), *_without_name(found))
        return Changes(replaced=(Replacement(guard, text), *gone))
    if isinstance(found.line, cst.If):
        return Changes(replaced=(Replacement(guard, parsed.code(_only_called(found))),))
    following = parsed.following(guard)
    function = parsed.function(guard)
    assert function is not None
    if following is not None and hands_on(following, found.name) == frozenset() and not _has_comments(found.line):
        own = sum(mentions_of(item, found.name) for item in (found.line, guard, following))
        statement = found.line.body[0]
        if mentions_of(function, found.name) == own and isinstance(statement, (cst.Assign, cst.AnnAssign)):
            assert statement.value is not None
            assert isinstance(following, cst.SimpleStatementLine)
            returned = cst.ensure_type(following.body[0], cst.Return)
            whole = next(
                item for item in all_below(returned) if isinstance(item, cst.Name) and item.value == found.name
            )
            called = returned.deep_replace(whole, statement.value)
            assert isinstance(called, cst.Return)
            text = f"{parsed.code(called)}\n"
            nodes = (Replacement(found.line, ""), Replacement(guard, ""), Replacement(following, text))
            return Changes(replaced=nodes)
    return Changes(replaced=(Replacement(guard, ""), *_without_name(found)))


def _without_name(found: Inspection) -> Iterator[Replacement]:
    """Yield the call alone in place of its line, where nothing reads the result any more."""
    if not _is_read_later(found):
        yield Replacement(found.line, found.parsed.code(_only_called(found)))


def _is_read_later(found: Inspection) -> bool:
    """Whether anything but the test and the block of a check may read the result."""
    parsed, guard = found.parsed, found.guard
    assert guard is not None
    function = parsed.function(guard)
    assert function is not None
    used = {id(item) for item in parsed.uses.get(found.name, ())}
    arm = guard.orelse if found.is_negative else guard.body
    parts = (found.line, guard.test, *filter(None, (arm,)), *found.behind)
    own = {id(item) for part in parts for item in name_occurrences(part, found.name)}
    others = [item for item in name_occurrences(function, found.name) if id(item) in used - own]
    if unnamed_reader(function) is not None or any(parsed.scope(item) is not function for item in others):
        return True
    is_again = any(isinstance(parent, (cst.For, cst.While)) for parent, _ in parsed.in_scope(guard))
    blocks = (found.other, parsed.behind(guard)) if is_again else (found.other, *parsed.blocks_behind(guard))
    for block in blocks:
        for item in (each for each in block if each not in found.behind):
            bound = assignment(item)
            if bound is not None and bound[0] == found.name and not mentions_of(bound[1], found.name):
                return False
            if any(id(name) in used for name in name_occurrences(item, found.name)):
                return True
            if leaves(item) and not is_again:
                return False
    return is_again and bool(others)  # in the next round


def _only_called(found: Inspection) -> cst.SimpleStatementLine:
    """Return the statement of a call without the name for its result."""
    if isinstance(found.line, cst.If):
        return cst.SimpleStatementLine([cst.Expr(cst.ensure_type(found.line.test, cst.NamedExpr).value)])
    bound = assignment(found.line)
    assert bound is not None
    return found.line.with_changes(leading_lines=(), body=[cst.Expr(bound[1])])


def _without_space(block: Sequence[cst.BaseStatement]) -> Sequence[cst.BaseStatement]:
    """Return the statements of a block without the empty lines before the first of them."""
    first = next(iter(block), None)
    if not isinstance(first, (cst.SimpleStatementLine, cst.BaseCompoundStatement)):
        return block
    lines = itertools.dropwhile(lambda line: line.comment is None, first.leading_lines)
    return (first.with_changes(leading_lines=tuple(lines)), *block[1:])


def _has_comments(line: cst.SimpleStatementLine) -> bool:
    return line.trailing_whitespace.comment is not None


def _with_handler(
    sources: SourceCache,
    found: Inspection,
    converted: Sequence[Converted],
    naming: Naming,
    doubts: list[Doubt],
    *,
    is_only: bool,
) -> Step:
    """Put the call into a ``try`` whose handler does what the check did with an error.

    Where ``is_only`` is false, the check has other errors to find, and stays.
    """
    parsed, guard = found.parsed, found.guard
    assert guard is not None
    name = free_name(parsed, guard)
    symbols = [item.symbol for item in converted]
    text = text_of(name, symbols)
    block = Block(found.name, name, text).block(cst.IndentedBlock(_without_space(found.error)))
    is_alone = is_only and (found.is_negative or not found.other)
    around = _told_around(sources.project, found, symbols) if is_alone else None
    if around is not None and _answers_alike(parsed, around, block, name):
        doubts.append(_told_there(found, around))
        return parsed.path, _without_guard(found), tuple(doubts)
    caught: list[Doubt] = []
    classes, needed = _classes(sources, found, converted, naming, caught)
    is_foreign = all(isinstance(symbol, ExternalSymbol) for symbol in symbols)
    is_told = is_foreign or (not caught and not any(item.payload.other_keys for item in converted))
    if is_alone and is_told and _is_same(block, classes, name):
        return parsed.path, _without_guard(found), tuple(doubts)
    doubts.extend(caught)
    is_named = found.reads or any(isinstance(node, cst.Raise) and node.cause is not None for node in all_below(block))
    header = f"except {classes} as {name}:" if is_named else f"except {classes}:"
    is_read = not is_only or _is_read_later(found)
    line_in_try = found.line.with_changes(leading_lines=()) if is_read else _only_called(found)
    call = cst.IndentedBlock([line_in_try])
    remarks = "".join(f"{item.comment.value}\n" for item in guard.leading_lines if item.comment is not None)
    text = f"try:{parsed.code(call)}{remarks if is_only else ''}{header}{parsed.code(block)}"
    if not is_only:
        return parsed.path, Changes(imports=needed, replaced=(Replacement(found.line, text),)), tuple(doubts)
    behind = ""
    if found.other and leaves(block):
        behind = "".join(map(parsed.code, found.other))
    elif found.other:
        text += f"else:{parsed.code(cst.IndentedBlock(found.other))}"
    gone = (Replacement(item, "") for item in found.behind)
    changes = Changes(imports=needed, replaced=(Replacement(found.line, text), Replacement(guard, behind), *gone))
    return parsed.path, changes, tuple(doubts)


def _told_around(
    project: Project, found: Inspection | Kept, symbols: Sequence[Exceptional]
) -> cst.ExceptHandler | None:
    """Return the handler of any exception around a call that catches some classes first, ``None`` for none."""
    path, scope = found.parsed.path, found.function.name
    around = next(tries_around(found.parsed, found.line, within=(*SCOPES, cst.With, cst.TryStar)), None)
    for handler in around.handlers if around is not None else ():
        types = exception_names(handler.type)
        if any(project.hierarchy.catches(path, scope, types, symbol) is not False for symbol in symbols):
            return handler if "Exception" in types else None
    return None


def _going_on(project: Project, found: Kept, symbols: Sequence[Exceptional]) -> cst.ExceptHandler | None:
    """Return the handler of any exception around a call, where what follows is done whether it comes to that or not."""
    around = next(tries_around(found.parsed, found.line), None)
    handler = _told_around(project, found, symbols)
    is_last = around is not None and around.body.body[-1] is found.line and around.orelse is None
    if handler is None or not is_last:
        return None
    return None if any(isinstance(node, _LEAVING) for node in all_below(handler.body)) else handler


def _caught_already(
    project: Project,
    found: Kept,
    symbols: Sequence[Exceptional],
    replacement: Replacement,
) -> cst.ExceptHandler | None:
    """Return the handler of a call alone that catches its errors, and ends or does the same as a new one would.

    Such as an earlier pass put around it, for another method of its name.
    """
    parsed = found.parsed
    around = [parent for parent, _ in itertools.islice(parsed.around(found.line), 2)]
    block, tried = around if len(around) == 2 else (None, None)
    if not isinstance(tried, cst.Try) or block is not tried.body or len(tried.body.body) != 1:
        return None
    for handler in tried.handlers:
        types = exception_names(handler.type)
        seen = {project.hierarchy.catches(parsed.path, found.function.name, types, symbol) for symbol in symbols}
        if seen != {False}:
            is_same = leaves(handler.body) or _is_done_by(parsed, handler, replacement)
            return handler if seen == {True} and is_same else None
    return None


def _is_done_by(parsed: SourceFile, handler: cst.ExceptHandler, replacement: Replacement) -> bool:
    """Whether a handler does the same as that in some text."""
    new = cst.parse_module(replacement.text).body[0]
    made = new.handlers[0] if isinstance(new, cst.Try) else handler
    bodies = [parsed.code(each.body).strip() for each in (made, handler)]
    names = [caught_as(each) for each in (made, handler)]
    return made is not handler and all(names) and bodies[0] == re.sub(rf"\b{names[1]}\b", names[0], bodies[1])


def _told_there(found: Inspection | Kept | Finished, handler: cst.ExceptHandler) -> Doubt:
    text = f"errors of `{found.callee.function.name}` are told by this handler, as those of anything else"
    return Doubt(text, found.parsed.path, found.parsed.line(handler))


def _answers_alike(parsed: SourceFile, handler: cst.ExceptHandler, block: cst.IndentedBlock, name: str) -> bool:
    """Whether a handler returns what a block does, which calls the exception by ``name``, and at most logs before."""
    if not block.body:
        return False
    answered = [_returned(item) for item in (handler.body.body[-1], block.body[-1])]
    own = caught_as(handler)
    texts = ["" if each is None else parsed.code(each) for each in answered]
    is_logged = all(log_call(item) is not None for item in handler.body.body[:-1])
    return len(block.body) == 1 and is_logged and texts[0] != "" and texts[0] == re.sub(rf"\b{name}\b", own, texts[1])


def _returned(line: cst.CSTNode) -> cst.BaseExpression | None:
    small = small_of(line)
    return small.value if isinstance(small, cst.Return) else None


def _is_same(block: cst.IndentedBlock, classes: str, name: str) -> bool:
    """Whether a handler only raises another exception of the class that it catches, with the same text."""
    line = block.body[0] if len(block.body) == 1 else None
    raised = line.body[0] if isinstance(line, cst.SimpleStatementLine) else None
    if not isinstance(raised, cst.Raise) or not isinstance(raised.exc, cst.Call):
        return False
    arguments = raised.exc.args
    is_plain = len(arguments) == 1 and arguments[0].keyword is None and not arguments[0].star
    return is_plain and dotted_name(raised.exc.func) == classes and is_text_of(arguments[0].value, name)


def _with_answer(sources: SourceCache, found: Kept, converted: Sequence[Converted], naming: Naming) -> Step:
    """Put the call into a ``try`` whose handler puts together what was answered for an error."""
    doubts: list[Doubt] = []
    plain = [item.symbol.name for item in converted if isinstance(item.symbol, ExternalSymbol)]
    if found.is_dropped and any(name.startswith("builtins.") for name in plain):
        name = found.callee.function.name
        text = f"a caller does nothing with the result of `{name}`, and would drop any other `{plain[0][9:]}`, too"
        raise refuse(text, found.parsed.path, found.parsed.line(found.line))
    classes, needed = _classes(sources, found, converted, naming, doubts)
    payloads, symbols = [item.answered for item in converted], [item.symbol for item in converted]
    found = found._replace(again=_written_again(sources, found, converted))
    replacement, more = caught(found, payloads, classes, symbols)
    if (around := _caught_already(sources.project, found, symbols, replacement)) is not None:
        text = f"errors of `{found.callee.function.name}` go to this handler, as others of this call do"
        return found.parsed.path, Changes(), (Doubt(text, found.parsed.path, found.parsed.line(around)),)
    return found.parsed.path, Changes(imports=needed, replaced=(replacement,)), (*doubts, *more)


def _left_to_handler(sources: SourceCache, found: Kept, converted: Sequence[Converted], naming: Naming) -> Step | None:
    """Leave errors to the one handler around a call that puts the answers of others together, ``None`` for no such.

    It catches more classes from now on where it has to.
    """
    parsed, scope = found.parsed, found.function.name
    handlers = found.around.handlers if found.around is not None else ()
    catching: list[cst.ExceptHandler] = []
    missing: list[Converted] = []
    for item in converted:
        seen = [
            sources.project.hierarchy.catches(parsed.path, scope, exception_names(h.type), item.symbol)
            for h in handlers
        ]
        first = next((index for index, each in enumerate(seen) if each is not False), None)
        if first is None:
            missing.append(item)
        elif seen[first]:
            catching.append(handlers[first])
        else:
            return None
    handler = next(iter(catching), handlers[0] if len(handlers) == 1 else None)
    if not catching and handler is not None and len(handler.body.body) == 1:
        return None  # others get a clause of their own
    if handler is None or handler.type is None or any(each is not handler for each in catching):
        return None
    payloads, symbols = [item.answered for item in converted], [item.symbol for item in converted]
    made = again(found, handler, payloads, symbols)
    if made is None:
        return None
    changes, doubts = Changes(replaced=made[0]), list(made[1])
    if missing:
        classes, needed = _classes(sources, found, missing, naming, doubts)
        elements = handler.type.elements if isinstance(handler.type, cst.Tuple) else [cst.Element(handler.type)]
        types = [parsed.code(each.value) for each in elements]
        edit = Edit(handler.type, f"({', '.join((*types, classes.strip('()')))})")
        changes = changes._replace(imports=needed, edited=(edit,))
    return parsed.path, changes, tuple(doubts)


def _written_again(sources: SourceCache, found: Kept, converted: Sequence[Converted]) -> str:
    """Return what all of some errors are written as but for their messages, "" where they differ.

    Also where the file of the caller does not have a name in it, or has it for something else.
    """
    texts: set[str] = set()
    for item in converted:
        value = item.node.value if isinstance(item.node, cst.Return) and item.is_whole else None
        parts = [each for each in all_below(value) if isinstance(each, cst.BaseExpression)] if value is not None else ()
        told = [each for each in parts if each.deep_equals(item.payload.message)]
        if value is None or len(told) != 1 or told[0] is value:
            return ""
        again = value.deep_replace(told[0], cst.Name(MESSAGE))
        if not all(_is_there(sources, item.source, found, name) for name in _names_in(again)):
            return ""
        texts.add(cst.Module([]).code_for_node(again))
    return texts.pop() if len(texts) == 1 else ""


def _names_in(node: cst.CSTNode) -> Iterator[str]:
    """Yield the names that an expression looks up, but that of the message."""
    if isinstance(node, cst.Name):
        yield from () if node.value == MESSAGE or hasattr(builtins, node.value) else (node.value,)
        return
    for part in (node.value,) if isinstance(node, (cst.Attribute, cst.Arg)) else node.children:
        yield from _names_in(part)


def _is_there(sources: SourceCache, source: FunctionSymbol, found: Kept, name: str) -> bool:
    """Whether a name of a function stands for the same thing where its answer is kept."""
    parsed, around = sources.files.parse(source.path), found.parsed.function(found.line)
    own = sources.project.names.resolve(source.path, name, source.function.name)
    there = sources.project.names.resolve(found.parsed.path, name, found.function.name)
    is_local = not is_stable_name(parsed, definition(parsed, source.function.name), name)
    return own is not None and own == there and not is_local and is_stable_name(found.parsed, around, name)


def _classes(
    sources: SourceCache, found: Inspection | Kept, converted: Sequence[Converted], naming: Naming, doubts: list[Doubt]
) -> tuple[str, tuple[Needed, ...]]:
    """Return what a caller is to catch, and its imports; add to what is in doubt."""
    parsed, line = found.parsed, found.parsed.line(found.line)
    known: dict[str, Known] = {}
    for symbol in dict.fromkeys(item.symbol for item in converted):
        naming_of = naming(parsed, found.line, symbol, found.function)
        known[naming_of.name] = naming_of
        if isinstance(symbol, ExternalSymbol):
            text = f"the handler of the caller would also catch any other `{naming_of.name}`"
            doubts.append(Doubt(text, parsed.path, line))
            continue
        others = makes(sources.project, sources.files, found.callee, symbol)
        text = "the handler of the caller would also catch the exception of"
        doubts.extend(Doubt(f"{text} {place}", parsed.path, line) for place in others)
    classes = next(iter(known)) if len(known) == 1 else f"({', '.join(known)})"
    return classes, tuple(item.needed for item in known.values() if item.needed is not None)
