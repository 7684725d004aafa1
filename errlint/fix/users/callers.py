"""Callers that look for an error in a result: what becomes of them when the callee raises instead.

A check whose block only hands the error on goes, once nothing is left that it could find: the exception passes through.
Any other block becomes an ``except`` clause around the call.
"""

from __future__ import annotations

import ast
import itertools
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

import libcst as cst

from errlint.collect.expressions import all_below, dotted_name, names_below, subscript_key
from errlint.facts import Function
from errlint.findings import Span
from errlint.fix.bindings import assignment, spoken
from errlint.fix.forms.payload import Payload
from errlint.fix.model import Doubt, refuse
from errlint.fix.parsed import SCOPES, Parsed, expression_of
from errlint.fix.raising.handling import free_name
from errlint.fix.raising.imports import Known
from errlint.fix.raising.makers import makes
from errlint.fix.rewrite import Changes, Replacement
from errlint.fix.users.verdicts import (
    UNKNOWN,
    Answer,
    Sources,
    Unreadable,
    answer,
    answers,
    asked,
    fails,
    leaves,
    verdict,
)
from errlint.project.names import ClassSymbol, ExternalSymbol, FunctionSymbol
from errlint.words import ERROR_KEYS

_LOOKING = frozenset({"exc_info", "format_exc", "print_exc"})
"""Functions that look at the exception that is being handled."""


class Inspection(NamedTuple):
    """A call whose result is looked at in the next statement.

    ``guard`` is that statement, ``None`` where it returns the result; ``name`` holds the result. ``is_handed_on`` is
    true where the block of the guard does nothing but return the error, ``goes_on`` where it ends with that. ``reads``
    are the keys of the error that the block reads.
    """

    parsed: Parsed
    function: Function
    callee: FunctionSymbol
    line: cst.SimpleStatementLine
    guard: cst.If | None
    name: str
    is_handed_on: bool
    goes_on: bool
    reads: frozenset[str]


class Converted(NamedTuple):
    """An error that is answered by a statement, and raised from now on as one of a class.

    ``is_whole`` is false where the statement goes on answering something else.
    """

    node: cst.Return | cst.SimpleStatementLine
    payload: Payload
    symbol: ClassSymbol | ExternalSymbol
    is_whole: bool = True


Naming = Callable[[Parsed, cst.CSTNode, ClassSymbol, Function], Known]
"""How a file names a class at a place."""


# --- what a caller does ---------------------------------------------------------------------------------------------


def inspection(
    parsed: Parsed, function: Function, span: Span, callee: FunctionSymbol, name: str, line: int
) -> Inspection:
    """Read the statement of a call, ``name`` is what is called there and ``line`` where, and the one behind it.

    Raises :class:`errlint.fix.model.Refusal` where the result is used for anything else than to look for an error.
    """
    found = parsed.assigned(span)
    target = target_of(found, name, is_async=callee.function.is_async) if found is not None else ""
    if _is_dropped(parsed, span, name):
        raise refuse(f"a caller does nothing with the result of `{callee.function.name}`", parsed.path, line)
    if found is None or not target:
        raise _more(parsed, line, callee)
    following = _following(parsed, found)
    if following is None:
        raise _more(parsed, line, callee)
    where = parsed.function(found)
    if where is None or any(isinstance(node, (cst.Global, cst.Nonlocal)) for node in all_below(where.body)):
        raise _more(parsed, line, callee)
    made = Inspection(parsed, function, callee, found, None, target, True, True, frozenset())
    if _hands_on(following, target) == frozenset():
        _refuse_ends(made)
        return made
    if not isinstance(following, cst.If) or target not in set(names_below(following.test)):
        raise _more(parsed, line, callee)
    _read(made, following.test)
    made = _of_block(made._replace(guard=following))
    _refuse_ends(made)
    if not made.is_handed_on:
        _refuse_block(made)
    return made


def _more(parsed: Parsed, line: int, callee: FunctionSymbol) -> Exception:
    name = callee.function.name
    return refuse(f"a caller does more with the result of `{name}` than to return it", parsed.path, line)


def _is_dropped(parsed: Parsed, span: Span, name: str) -> bool:
    """Whether a statement only calls a function, and goes on whatever that answers."""
    for node in parsed.nodes_at(span.line, span.column):
        value = node.value if isinstance(node, cst.Expr) else None
        value = value.expression if isinstance(value, cst.Await) else value
        if value is not None and calls(value, name):
            return True
    return False


def target_of(line: cst.SimpleStatementLine, callee: str, *, is_async: bool) -> str:
    """Return the name that a statement gives to the result of a call, "" where it does anything else."""
    name, value = assignment(line) or ("", None)
    if is_async:
        value = value.expression if isinstance(value, cst.Await) else None
    return name if value is not None and calls(value, callee) else ""


def calls(node: cst.BaseExpression, callee: str) -> bool:
    """Whether an expression is a call of what :class:`errlint.facts.Use` names: ``.find`` is a method of any result."""
    if not isinstance(node, cst.Call):
        return False
    if callee.startswith("."):
        return isinstance(node.func, cst.Attribute) and node.func.attr.value == callee[1:]
    return dotted_name(node.func) == callee


def _following(parsed: Parsed, line: cst.BaseStatement) -> cst.BaseStatement | None:
    """Return the statement behind another one in the same block."""
    return next(iter(_behind(parsed, line)), None)


def _behind(parsed: Parsed, line: cst.BaseStatement) -> Sequence[cst.BaseStatement]:
    """Return the statements behind another one in the same block."""
    body = block_around(parsed, line)
    return body[next(index for index, item in enumerate(body) if item is line) + 1 :]


def block_around(parsed: Parsed, line: cst.BaseStatement) -> Sequence[cst.BaseStatement]:
    """Return the statements of the block in which one stands."""
    parent = next(iter(parsed.around(line)))[0]
    assert isinstance(parent, (cst.IndentedBlock, cst.Module))
    return parent.body


def _hands_on(node: cst.CSTNode, name: str) -> frozenset[str] | None:
    """Return the keys by which a statement returns the error of a result, none where it returns all of the result.

    ``None`` stands for a statement that does anything else.
    """
    if isinstance(node, cst.SimpleStatementLine) and len(node.body) == 1:
        node = node.body[0]
    if not isinstance(node, cst.Return) or node.value is None:
        return None
    if isinstance(node.value, cst.Name):
        return frozenset() if node.value.value == name else None
    if isinstance(node.value, cst.Dict) and len(node.value.elements) == 1:
        value = expression_of(node.value)
        entries = (answer(value).entries if value is not None else None) or {}
        for key, item in entries.items():
            if key in ERROR_KEYS and asked(item, name)[0] == key:
                return frozenset({key})
    return None


def _read(made: Inspection, test: cst.BaseExpression) -> ast.expr:
    """Return the test of a guard; raises :class:`errlint.fix.model.Refusal` for one that looks for no error."""
    parsed = made.parsed
    node = expression_of(test)
    if node is None:
        raise _more(parsed, parsed.line(test), made.callee)
    try:
        verdict(node, made.name, answer(ast.Dict([], [])))
    except Unreadable:
        raise _more(parsed, parsed.line(test), made.callee) from None
    return node


def _of_block(made: Inspection) -> Inspection:
    """Say what the block of a guard does."""
    assert made.guard is not None
    statements = [item for item in made.guard.body.body if not _is_pass(item)]
    handed = _hands_on(statements[-1], made.name) if statements else None
    is_handed_on = len(statements) == 1 and handed is not None and made.guard.orelse is None
    reads = set(handed or ())
    for node in all_below(made.guard.body):
        key = _key(node, made.name)
        if key:
            reads.add(key)
    goes_on = handed is not None
    return made._replace(is_handed_on=is_handed_on, goes_on=goes_on, reads=frozenset(reads))


def _is_pass(node: cst.CSTNode) -> bool:
    if isinstance(node, cst.SimpleStatementLine) and len(node.body) == 1:
        node = node.body[0]
    return isinstance(node, cst.Pass)


def _key(node: cst.CSTNode, name: str) -> str:
    """Return the key that ``r["key"]`` or ``r.get("key")`` reads of a result, "" for all else."""
    if isinstance(node, cst.Subscript) and isinstance(node.value, cst.Name) and node.value.value == name:
        return subscript_key(node) or ""
    if isinstance(node, cst.Call) and dotted_name(node.func) == f"{name}.get":
        value = expression_of(node)
        return (asked(value, name)[0] if value is not None else None) or ""
    return ""


def _refuse_ends(made: Inspection) -> None:
    """Refuse where something that runs afterwards reads the result: it would not be there."""
    for parent, _ in made.parsed.around(made.line):
        if isinstance(parent, SCOPES):
            return
        if not isinstance(parent, (cst.Try, cst.TryStar)):
            continue
        for part in (*parent.handlers, parent.finalbody):
            if part is not None and made.name in set(names_below(part)):
                raise refuse(f"`{made.name}` is read after the error", made.parsed.path, made.parsed.line(part))


def _refuse_block(made: Inspection) -> None:
    """Refuse a block that would do something else in an ``except`` clause."""
    parsed, guard = made.parsed, made.guard
    assert guard is not None
    if isinstance(guard.orelse, cst.If):
        raise refuse("the check of the result has an `elif`", parsed.path, parsed.line(guard.orelse))
    for node in all_below(guard.body):
        if isinstance(node, cst.Raise) and node.exc is None:
            raise refuse("the check of the result raises what is being handled", parsed.path, parsed.line(node))
        is_later = isinstance(node, (*SCOPES, cst.GeneratorExp))
        if is_later and made.name in set(names_below(node)):
            raise refuse(f"`{made.name}` is used later than in the check", parsed.path, parsed.line(node))
        if isinstance(node, cst.Name) and node.value in _LOOKING:
            raise refuse(f"`{node.value}` would find the new exception", parsed.path, parsed.line(node))
    if _mentions(_Block(made.name, "exc").block(guard.body), made.name):
        raise refuse(
            f"the check of `{made.name}` does more with it than to read its error", parsed.path, parsed.line(guard)
        )
    function = parsed.function(guard)
    assert function is not None
    if leaves(guard.body) and not _jumps(guard.body):
        return
    # What comes after the check finds no result: it must not look for one.
    allowed = _behind(parsed, guard) if leaves(guard.body) else ()
    own = sum(_mentions(item, made.name) for item in (made.line, guard, *allowed))
    if _mentions(function, made.name) > own:
        raise refuse(f"`{made.name}` is read after the error", parsed.path, parsed.line(guard))


def _mentions(node: cst.CSTNode, name: str) -> int:
    return sum(word == name for word in names_below(node))


def _jumps(body: cst.CSTNode) -> bool:
    return any(isinstance(node, (cst.Break, cst.Continue)) for node in all_below(body))


# --- what becomes of it ---------------------------------------------------------------------------------------------


def rewritten(
    sources: Sources, found: Inspection, converted: Sequence[Converted], naming: Naming
) -> Iterator[tuple[str, Changes, tuple[Doubt, ...]]]:
    """Yield the changes of a caller, with what is in doubt.

    Raises :class:`errlint.fix.model.Refusal` where it would not do the same.
    """
    parsed, guard = found.parsed, found.guard
    if guard is None:
        return
    line = parsed.line(guard)
    test = _read(found, guard.test)
    doubts: list[Doubt] = []
    for each in converted:
        value = answer_of(each)
        seen = verdict(test, found.name, value)
        if seen is False or value.entries is None or (seen is None and fails(test, found.name, value)):
            raise refuse("the check of the result does not see all of the errors", parsed.path, line)
        if found.reads and (each.payload.is_nested or found.reads != {each.payload.key} or each.payload.shape):
            keys = ", ".join(f"`{key}`" for key in sorted(found.reads - {each.payload.key}) or sorted(found.reads))
            raise refuse(f"the check reads {keys} of the answer, which is not the text of the error", parsed.path, line)
        if seen is None:
            doubts.append(
                Doubt("the error may be empty, and the check of the result would not see it", parsed.path, line)
            )
    left = {verdict(test, found.name, item) for item in answers(sources, found.callee)}
    if found.is_handed_on:
        if left <= {False}:
            yield parsed.path, _without_guard(found), tuple(doubts)
        else:
            yield parsed.path, Changes(), tuple(doubts)
        return
    if not left <= {False}:
        name = found.callee.function.name
        raise refuse(f"`{name}` may still answer what this looks for", parsed.path, line)
    yield _with_handler(sources, found, converted, naming, doubts)


def answer_of(item: Converted) -> Answer:
    """Return what was answered where that is written out at a return, else that it is not known."""
    if not isinstance(item.node, cst.Return) or item.node.value is None or not item.is_whole:
        return UNKNOWN
    value = expression_of(item.node.value)
    return answer(value) if value is not None else UNKNOWN


def dead(sources: Sources, found: Inspection) -> Changes | None:
    """Return the changes without a check that finds nothing in any answer, ``None`` where it may find something."""
    assert found.guard is not None
    test = _read(found, found.guard.test)
    seen = {verdict(test, found.name, item) for item in answers(sources, found.callee)}
    return _without_guard(found) if seen == {False} else None


def _without_guard(found: Inspection) -> Changes:
    """Remove a check; a call whose result is then only returned is returned itself."""
    parsed, guard = found.parsed, found.guard
    assert guard is not None
    following = _following(parsed, guard)
    function = parsed.function(guard)
    assert function is not None
    if following is not None and _hands_on(following, found.name) == frozenset() and not _has_comments(found.line):
        own = sum(_mentions(item, found.name) for item in (found.line, guard, following))
        statement = found.line.body[0]
        if _mentions(function, found.name) == own and isinstance(statement, (cst.Assign, cst.AnnAssign)):
            assert statement.value is not None
            assert isinstance(following, cst.SimpleStatementLine)
            text = f"return {parsed.code(statement.value)}\n"
            nodes = (Replacement(found.line, ""), Replacement(guard, ""), Replacement(following, text))
            return Changes(replaced=nodes)
    if not _is_read_later(found):
        return Changes(replaced=(Replacement(found.line, parsed.code(_only_called(found))), Replacement(guard, "")))
    return Changes(replaced=(Replacement(guard, ""),))


def _is_read_later(found: Inspection) -> bool:
    """Whether anything but the test and the block of a check may read the result."""
    parsed, guard = found.parsed, found.guard
    assert guard is not None
    function = parsed.function(guard)
    assert function is not None
    used = {id(item) for item in parsed.uses.get(found.name, ())}
    own = {id(item) for part in (found.line, guard.test, guard.body) for item in spoken(part, found.name)}
    others = [item for item in spoken(function, found.name) if id(item) in used - own]
    if any(_is_in_scope_of_its_own(parsed, item, function) for item in others):
        return True
    for item in filter(None, (guard.orelse, *_behind(parsed, guard))):
        bound = assignment(item) if isinstance(item, cst.SimpleStatementLine) else None
        if bound is not None and bound[0] == found.name and not _mentions(bound[1], found.name):
            return False
        if any(id(name) in used for name in spoken(item, found.name)):
            return True
    around = itertools.takewhile(lambda parent: parent is not function, (each for each, _ in parsed.around(guard)))
    is_again = any(isinstance(parent, (cst.For, cst.While)) for parent in around)
    return any(is_again or parsed.line(item) > parsed.line(guard) for item in others)


def _is_in_scope_of_its_own(parsed: Parsed, node: cst.CSTNode, function: cst.FunctionDef) -> bool:
    return next(parent for parent, _ in parsed.around(node) if isinstance(parent, SCOPES)) is not function


def _only_called(found: Inspection) -> cst.SimpleStatementLine:
    """Return the statement of a call without the name for its result."""
    bound = assignment(found.line)
    assert bound is not None
    return found.line.with_changes(leading_lines=(), body=[cst.Expr(bound[1])])


def _has_comments(line: cst.SimpleStatementLine) -> bool:
    return line.trailing_whitespace.comment is not None


def _with_handler(
    sources: Sources, found: Inspection, converted: Sequence[Converted], naming: Naming, doubts: list[Doubt]
) -> tuple[str, Changes, tuple[Doubt, ...]]:
    """Put the call into a ``try`` whose handler does what the block of the check did."""
    parsed, guard = found.parsed, found.guard
    assert guard is not None
    line = parsed.line(guard)
    known: dict[str, Known] = {}
    for symbol in dict.fromkeys(item.symbol for item in converted):
        if isinstance(symbol, ExternalSymbol):
            raise refuse(f"a handler of `{symbol.name.rpartition('.')[2]}` would catch others too", parsed.path, line)
        naming_of = naming(parsed, found.line, symbol, found.function)
        known[naming_of.name] = naming_of
        others = makes(sources.project, sources.files, found.callee, symbol)
        text = "the handler of the caller would also catch the exception of"
        doubts.extend(Doubt(f"{text} {place}", parsed.path, line) for place in others)
    name = free_name(parsed, guard)
    classes = next(iter(known)) if len(known) == 1 else f"({', '.join(known)})"
    block = _Block(found.name, name)
    is_named = found.reads or any(isinstance(node, cst.Raise) for node in all_below(guard.body))
    header = f"except {classes} as {name}:" if is_named else f"except {classes}:"
    line_in_try = found.line.with_changes(leading_lines=()) if _is_read_later(found) else _only_called(found)
    call = cst.IndentedBlock([line_in_try])
    remarks = "".join(f"{item.comment.value}\n" for item in guard.leading_lines if item.comment is not None)
    text = f"try:{parsed.code(call)}{remarks}{header}{parsed.code(block.block(guard.body))}"
    if isinstance(guard.orelse, cst.Else):
        text += f"else:{parsed.code(_as_block(guard.orelse.body))}"
    needed = tuple(item.needed for item in known.values() if item.needed is not None)
    changes = Changes(imports=needed, replaced=(Replacement(found.line, text), Replacement(guard, "")))
    return parsed.path, changes, tuple(doubts)


def _as_block(body: cst.BaseSuite) -> cst.IndentedBlock:
    """Return a block with its statements on lines of their own, as they follow a header."""
    if isinstance(body, cst.IndentedBlock):
        return body
    assert isinstance(body, cst.SimpleStatementSuite)
    return cst.IndentedBlock([cst.SimpleStatementLine(body.body, trailing_whitespace=body.trailing_whitespace)])


class Reading(cst.CSTTransformer):
    """Turns what reads the error of a result into what reads an exception; ``keys`` are those that were read."""

    def __init__(self, name: str, exception: str) -> None:
        super().__init__()
        self._name = name
        self._exception = exception
        self.keys: set[str] = set()

    def leave_Subscript(self, original_node: cst.Subscript, updated_node: cst.Subscript) -> cst.BaseExpression:
        """Read the text of the exception."""
        return self._read(original_node) or updated_node

    def leave_Call(self, original_node: cst.Call, updated_node: cst.Call) -> cst.BaseExpression:
        """Read the text of the exception, once."""
        is_text = isinstance(original_node.func, cst.Name) and original_node.func.value == "str"
        if is_text and len(original_node.args) == 1:
            return self._read(original_node.args[0].value) or updated_node
        return self._read(original_node) or updated_node

    def leave_FormattedStringExpression(
        self, original_node: cst.FormattedStringExpression, updated_node: cst.FormattedStringExpression
    ) -> cst.FormattedStringExpression:
        """Show the exception itself, which is its text."""
        is_plain = not original_node.conversion and not original_node.format_spec
        if is_plain and self._read(original_node.expression) is not None:
            return updated_node.with_changes(expression=cst.parse_expression(self._exception))
        return updated_node

    def _read(self, node: cst.BaseExpression) -> cst.BaseExpression | None:
        key = _key(node, self._name)
        if not key:
            return None
        self.keys.add(key)
        return cst.parse_expression(f"str({self._exception})")


class _Block(Reading):
    """Turns a block that reads the error of a result into one that reads an exception."""

    def __init__(self, name: str, exception: str) -> None:
        super().__init__(name, exception)
        self._depth = 0

    def block(self, body: cst.BaseSuite) -> cst.IndentedBlock:
        """Return the new block."""
        block = _as_block(body)
        changed = block.with_changes(body=[self._last(item) for item in block.body]).visit(self)
        assert isinstance(changed, cst.IndentedBlock)
        return changed

    def visit_ExceptHandler(self, node: cst.ExceptHandler) -> None:
        """Note that a raise in here is about something else."""
        self._depth += 1

    def leave_ExceptHandler(
        self, original_node: cst.ExceptHandler, updated_node: cst.ExceptHandler
    ) -> cst.ExceptHandler:
        """Come back from there."""
        self._depth -= 1
        return updated_node

    def visit_FunctionDef(self, node: cst.FunctionDef) -> bool:
        """Leave out what runs later."""
        return False

    def _last(self, node: cst.BaseStatement) -> cst.BaseStatement:
        """Return a statement of the block, one that hands the error on as a raise of it."""
        if _hands_on(node, self._name) is None or not isinstance(node, cst.SimpleStatementLine):
            return node
        return node.with_changes(body=[cst.Raise()])

    def leave_Raise(self, original_node: cst.Raise, updated_node: cst.Raise) -> cst.Raise:
        """Chain what is raised to the exception that is handled."""
        if original_node.exc is None or original_node.cause is not None or self._depth:
            return updated_node
        return updated_node.with_changes(cause=cst.From(cst.Name(self._exception)))
