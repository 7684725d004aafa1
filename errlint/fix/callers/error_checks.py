"""Callers that look for an error in a result: what they do with it, and what refuses to touch them."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import NamedTuple

import libcst as cst

from errlint.error_keywords import ERROR_KEYS, MESSAGE_KEYS, SUCCESS_KEYS
from errlint.facts import Function
from errlint.findings import Span
from errlint.fix.bindings import assignment, name_occurrences
from errlint.fix.callers.abstract_values import Unreadable, answer, verdict
from errlint.fix.callers.payload_to_exception import Block, hands_on, path_of
from errlint.fix.callers.predicates import WrittenOut
from errlint.fix.dynamic_lookup import READERS
from errlint.fix.model import refuse
from errlint.fix.nodes import (
    BlockStatement,
    all_below,
    as_block,
    constant_key,
    dotted_name,
    expression_of,
    inside,
    leaves,
    names_below,
    small_of,
    statements_from,
    subscript_key,
)
from errlint.fix.source_file import SCOPES, SourceFile
from errlint.index.statements import jumps_out
from errlint.project.names import FunctionSymbol

_DOING = (cst.Call, cst.Await, cst.Yield, cst.NamedExpr)
"""Expressions that do something when they are evaluated."""

_LOOKING = frozenset({"exc_info", "format_exc", "print_exc"})
"""Functions that look at the exception that is being handled."""


def _as_it_is(test: ast.expr) -> ast.expr:
    return test


class Inspection(NamedTuple):
    """A call whose result is looked at in the next statement, or in that of the call: ``if found := find():``.

    ``line`` is the statement of the call. ``guard`` is the one that looks, ``None`` where it returns the result;
    ``name`` holds the result. ``error`` are the statements for an error, ``other`` those for any other answer;
    ``behind`` are statements behind the guard that are only reached with an error, and stand in ``error``.
    ``is_negative`` is true where the test of the guard asks for a success. ``is_handed_on`` is true where nothing
    is done with an error but to return it, ``goes_on`` where that comes at the end. ``reads`` are the keys by which
    the error is read, each from the top of the result. ``written_out`` puts what functions of the project ask into
    the places where the test calls them. ``added`` are the statements for an error that give it more entries, with
    their keys: they are not among ``error``.
    """

    parsed: SourceFile
    function: Function
    callee: FunctionSymbol
    line: cst.SimpleStatementLine | cst.If
    guard: cst.If | None
    name: str
    is_handed_on: bool
    goes_on: bool
    reads: frozenset[tuple[str, ...]]
    error: tuple[cst.BaseStatement, ...] = ()
    other: tuple[cst.BaseStatement, ...] = ()
    behind: tuple[BlockStatement, ...] = ()
    is_negative: bool = False
    written_out: WrittenOut = _as_it_is
    added: tuple[tuple[cst.BaseStatement, tuple[str, ...]], ...] = ()


TYPICAL = answer(
    ast.Dict(
        [ast.Constant(key) for key in ("success", "ok", "error", "status", "isError", "is_error")],
        [ast.Constant(value) for value in (False, False, "error", "error", True, True)],
    )
)
"""An error as most write it: a test that does not find one in it asks for a success."""

TYPICAL_OBJECT = TYPICAL._replace(made="?")
"""The same with fields in place of keys."""


def inspection(
    parsed: SourceFile,
    function: Function,
    span: Span,
    callee: FunctionSymbol,
    name: str,
    line: int,
    written_out: WrittenOut = _as_it_is,
) -> Inspection:
    """Read the statement of a call, ``name`` is what is called there and ``line`` where, and the one behind it.

    Raises :class:`errlint.fix.model.Refusal` where the result is used for anything else than to look for an error.
    """
    found = parsed.assigned(span)
    if _is_dropped(parsed, span, name):
        raise refuse(f"a caller does nothing with the result of `{callee.function.name}`", parsed.path, line)
    if found is None and (check := _naming_check(parsed, span, callee, name)) is not None:
        return _handing_on(
            Inspection(
                parsed, function, callee, check[0], check[0], check[1], True, True, frozenset(), written_out=written_out
            )
        )
    if found is None:
        raise _more(parsed, line, callee)
    target = target_of(found, name, is_async=callee.function.is_async)
    following = parsed.following(found)
    is_branch = following is None
    following = following or _behind_branches(parsed, found)
    if following is None or (is_branch and hands_on(following, target) != frozenset()):
        raise _more(parsed, line, callee)
    where = parsed.function(found)
    if where is None or any(isinstance(node, (cst.Global, cst.Nonlocal)) for node in all_below(where.body)):
        raise _more(parsed, line, callee)
    made = Inspection(parsed, function, callee, found, None, target, True, True, frozenset(), written_out=written_out)
    if hands_on(following, target) == frozenset():
        _refuse_ends(made)
        return made
    if not isinstance(following, cst.If) or target not in set(names_below(following.test)):
        raise _more(parsed, line, callee)
    made = _of_block(made, following)
    _refuse_ends(made)
    if not made.is_handed_on:
        _refuse_block(made)
    return made


def _naming_check(parsed: SourceFile, span: Span, callee: FunctionSymbol, name: str) -> tuple[cst.If, str] | None:
    """Return an ``if`` whose test is a call that it names, as in ``if found := find():``, and that name."""
    check = parsed.check(span)
    test = check.test if check is not None else None
    if check is None or not isinstance(test, cst.NamedExpr) or not isinstance(test.target, cst.Name):
        return None
    value = test.value if not callee.function.is_async else getattr(test.value, "expression", None)
    return (check, test.target.value) if value is not None and calls(value, name) else None


def _handing_on(made: Inspection) -> Inspection:
    """Read an ``if`` that names the result in its test, and does nothing with an error but to return it.

    Raises :class:`errlint.fix.model.Refusal` for any other, and where the result is read elsewhere.
    """
    parsed, guard = made.parsed, made.guard
    assert guard is not None
    around = parsed.function(guard)
    made = _of_block(made, guard)
    is_alone = made.is_handed_on and not made.is_negative and not made.behind and guard.orelse is None
    if around is None or not is_alone or _is_read_elsewhere(around, made.name):
        raise _more(parsed, parsed.line(guard), made.callee)
    _refuse_ends(made)
    return made


def _is_read_elsewhere(function: cst.FunctionDef, name: str) -> bool:
    """Whether a function speaks of a name but in the ``if`` statements whose tests bind it."""
    own: set[int] = set()
    for node in all_below(function.body):
        test = node.test if isinstance(node, cst.If) else None
        if isinstance(test, cst.NamedExpr) and isinstance(test.target, cst.Name) and test.target.value == name:
            own.update(id(part) for part in all_below(node))
    return any(id(node) not in own for node in name_occurrences(function, name))


def returned_by(made: Inspection) -> cst.Return | None:
    """Return the statement by which a caller hands the error on, ``None`` where it does not."""
    block = made.error if made.guard is not None else made.parsed.behind(made.line)[:1]
    last = small_of(next((item for item in reversed(block) if not _is_pass(item)), None))
    return last if isinstance(last, cst.Return) else None


def _more(parsed: SourceFile, line: int, callee: FunctionSymbol) -> Exception:
    name = callee.function.name
    return refuse(f"a caller does more with the result of `{name}` than to return it", parsed.path, line)


def _is_dropped(parsed: SourceFile, span: Span, name: str) -> bool:
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


def _behind_branches(parsed: SourceFile, line: cst.BaseStatement) -> BlockStatement | None:
    """Return the statement behind the branches at whose end another one stands, ``None`` where there is none."""
    for parent, child in parsed.around(line):
        if isinstance(parent, cst.If):
            behind = None if parsed.is_elif(parent) else parsed.following(parent)
            if behind is not None:
                return behind
        elif isinstance(parent, cst.IndentedBlock) and parent.body[-1] is child:
            continue
        elif not isinstance(parent, cst.Else):
            return None
    return None


def read_test(made: Inspection, test: cst.BaseExpression) -> ast.expr:
    """Return the test of a guard as one for an error.

    Raises :class:`errlint.fix.model.Refusal` for one that looks for none.
    """
    parsed = made.parsed
    node = expression_of(test.target if isinstance(test, cst.NamedExpr) else test)
    if node is None:
        raise _more(parsed, parsed.line(test), made.callee)
    node = made.written_out(node)
    try:
        verdict(node, made.name, answer(ast.Dict([], [])))
    except Unreadable:
        raise _more(parsed, parsed.line(test), made.callee) from None
    return ast.UnaryOp(ast.Not(), node) if made.is_negative else node


def _of_block(made: Inspection, guard: cst.If) -> Inspection:
    """Say what a guard does with an error, and what with all else."""
    test = read_test(made, guard.test)
    seen = verdict(test, made.name, TYPICAL)
    is_negative = (verdict(test, made.name, TYPICAL_OBJECT) if seen is None else seen) is False
    orelse: tuple[cst.BaseStatement, ...] = (guard.orelse,) if isinstance(guard.orelse, cst.If) else ()
    if isinstance(guard.orelse, cst.Else):
        orelse = _statements(guard.orelse.body)
    error, other = (orelse, _statements(guard.body)) if is_negative else (_statements(guard.body), orelse)
    asks_again = isinstance(guard.orelse, cst.If) and made.name in set(names_below(guard.orelse.test))
    if asks_again and not any(map(leaves, error)):
        raise _more(made.parsed, made.parsed.line(guard), made.callee)  # it goes on with each kind of answer
    behind: tuple[BlockStatement, ...] = ()
    following = tuple(made.parsed.behind(guard))
    if is_negative and guard.orelse is None and leaves(guard.body):
        error = behind = following
    elif following and not any(map(leaves, error)) and hands_on(following[0], made.name) == frozenset():
        error = (*error, following[0].with_changes(leading_lines=()))
    read = [(item, _added(item, made.name)) for item in error]
    added, error = tuple(each for each in read if each[1]), tuple(item for item, keys in read if not keys)
    statements = [item for item in error if not _is_pass(item)]
    handed = hands_on(statements[-1], made.name) if statements else None
    paths = {path for item in error if hands_on(item, made.name) != frozenset() for path in _read(item, made.name)}
    return made._replace(
        guard=guard,
        error=error,
        other=other,
        behind=behind,
        is_negative=is_negative,
        is_handed_on=len(statements) == 1 and handed is not None and (is_negative or guard.orelse is None),
        goes_on=handed is not None,
        reads=frozenset((*paths, *((key,) for key in handed or ()))),
        added=added if handed is not None else (),
    )


def _statements(body: cst.BaseSuite) -> tuple[cst.BaseStatement, ...]:
    return tuple(item for item in as_block(body).body)


def _read(node: cst.CSTNode, name: str) -> Iterator[tuple[str, ...]]:
    """Yield the keys by which some code reads of a result, each as far down as it goes."""
    path = path_of(node, name)
    if path:
        yield path
        return
    for item in inside(node):
        yield from _read(item, name)


def _added(node: cst.CSTNode, name: str) -> tuple[str, ...]:
    """Return the keys of entries that a statement gives a result beside its error, () for one that does more."""
    small = small_of(node)
    target = small.targets[0].target if isinstance(small, cst.Assign) and len(small.targets) == 1 else None
    keys: tuple[str | None, ...] = ()
    value: cst.CSTNode | None = None
    if isinstance(small, cst.Assign) and isinstance(target, cst.Subscript) and dotted_name(target.value) == name:
        keys, value = (subscript_key(target),), small.value
    call = small.value if isinstance(small, cst.Expr) else None
    if isinstance(call, cst.Call) and dotted_name(call.func) == f"{name}.setdefault" and len(call.args) == 2:
        keys, value = (constant_key(call.args[0].value),), call.args[1].value
    elif isinstance(call, cst.Call) and dotted_name(call.func) == f"{name}.update":
        is_plain = all(item.keyword is not None for item in call.args)
        keys = tuple(item.keyword.value if item.keyword is not None else None for item in call.args if is_plain)
        value = cst.Tuple([cst.Element(item.value) for item in call.args])
    found = tuple(key for key in keys if key is not None and key not in ERROR_KEYS | SUCCESS_KEYS | MESSAGE_KEYS)
    if value is None or mentions_of(value, name) or any(isinstance(item, _DOING) for item in all_below(value)):
        return ()
    return found if len(found) == len(keys) else ()


def _is_pass(node: cst.CSTNode) -> bool:
    return isinstance(small_of(node) or node, cst.Pass)


def _refuse_ends(made: Inspection) -> None:
    """Refuse where something that runs afterwards reads the result: it would not be there."""
    tries = [parent for parent, _ in made.parsed.in_scope(made.line) if isinstance(parent, (cst.Try, cst.TryStar))]
    if tries:
        _refuse_readers(made)
    for part in (part for each in tries for part in (*each.handlers, each.finalbody)):
        if part is not None and made.name in set(names_below(part)):
            raise refuse(f"`{made.name}` is read after the error", made.parsed.path, made.parsed.line(part))


def _refuse_readers(made: Inspection) -> None:
    """Refuse where an inner function reads the result, and may be called where that is not there."""
    parsed, function = made.parsed, made.parsed.function(made.line)
    assert function is not None
    reader = unnamed_reader(function)
    if reader is not None:
        raise refuse(f"`{reader.value}` may read `{made.name}`", parsed.path, parsed.line(reader))
    own = {id(node) for part in (made.guard, *made.behind) if part is not None for node in all_below(part)}
    for node in all_below(function.body):
        if id(node) in own or not isinstance(node, (cst.FunctionDef, cst.Lambda)):
            continue
        given = {item.name.value for item in all_below(node.params) if isinstance(item, cst.Param)}
        if made.name in set(names_below(node)) - given:
            raise refuse(f"`{made.name}` is used in another scope too", parsed.path, parsed.line(node))


def unnamed_reader(function: cst.FunctionDef) -> cst.Name | None:
    """Return the first name in a function of what reads variables that nothing names, ``None`` for none."""
    names = (node for node in all_below(function.body) if isinstance(node, cst.Name))
    return next((node for node in names if node.value in READERS), None)


def _refuse_block(made: Inspection) -> None:
    """Refuse statements for an error that would do something else in an ``except`` clause."""
    parsed, guard = made.parsed, made.guard
    assert guard is not None
    _refuse_readers(made)
    block = cst.IndentedBlock(made.error)
    for node in (node for item in made.error for node in all_below(item)):
        if isinstance(node, cst.Raise) and node.exc is None:
            raise refuse("the check of the result raises what is being handled", parsed.path, parsed.line(node))
        is_later = isinstance(node, (*SCOPES, cst.GeneratorExp))
        if is_later and made.name in set(names_below(node)):
            raise refuse(f"`{made.name}` is used later than in the check", parsed.path, parsed.line(node))
        if isinstance(node, cst.Name) and node.value in _LOOKING:
            raise refuse(f"`{node.value}` would find the new exception", parsed.path, parsed.line(node))
    if mentions_of(Block(made.name, "exc").block(block), made.name):
        raise refuse(
            f"the check of `{made.name}` does more with it than to read its error", parsed.path, parsed.line(guard)
        )
    function = parsed.function(guard)
    assert function is not None
    is_left = leaves(block)
    jumps = jumps_out(statements_from(block))
    if is_left and not any(isinstance(each, (ast.Break, ast.Continue)) for each in jumps):
        return
    # What comes after the check finds no result: it must not look for one.
    allowed = parsed.behind(guard) if is_left else ()
    own = sum(mentions_of(item, made.name) for item in (made.line, guard, *allowed))
    if mentions_of(function, made.name) > own:
        raise refuse(f"`{made.name}` is read after the error", parsed.path, parsed.line(guard))


def mentions_of(node: cst.CSTNode, name: str) -> int:
    """Return how often some code speaks of a name."""
    return sum(word == name for word in names_below(node))
