"""What is handed a function to run, and returns what it answers: ``retried(lambda: f(x))``, ``cached(f, x)``.

That is a function of the project, or one that runs it in another thread. A plain function of the project may be handed
what an async one answers, to wait for it: ``in_loop(f(x))``.
"""

from __future__ import annotations

import ast
import itertools
from collections.abc import Sequence
from typing import NamedTuple

import libcst as cst

from errlint.facts import Function
from errlint.fix.bindings import name_occurrences
from errlint.fix.callers.abstract_values import definition
from errlint.fix.callers.error_checks import calls
from errlint.fix.callers.receiver_types import definition_of
from errlint.fix.callers.relaying import is_left_alone
from errlint.fix.nodes import dotted_name
from errlint.fix.source_cache import Files
from errlint.fix.source_file import SourceFile
from errlint.index.bindings import given_to, parameters
from errlint.project import Project
from errlint.project.names import FunctionSymbol
from errlint.project.threads import place_of_function
from errlint.reader import parse_expression

WAITING = frozenset({"run", "run_coroutine_threadsafe", "run_until_complete"})
"""Last parts of what waits for an answer of an async function: ``asyncio.run``, methods of loops."""


class HandedCall(NamedTuple):
    """A call that is handed over to be run: the call of what runs it, waited for where that has to be.

    ``ways`` are the statements by which a function of the project that runs it returns its answer, or keeps it to go on
    with, each with its file and that function. ``waiting`` is a function, with its file, of which it is not known
    whether it lets what is raised out.
    """

    value: cst.BaseExpression
    ways: tuple[tuple[SourceFile, Function, cst.Return | cst.SimpleStatementLine], ...] = ()
    waiting: FunctionSymbol | None = None


def run_by(
    project: Project,
    files: Files,
    parsed: SourceFile,
    statement: Sequence[cst.CSTNode],
    callee: str,
    scope: str,
    *,
    is_async: bool,
) -> HandedCall | None:
    """Return what runs the one lambda of a statement that calls a function, or what that function itself is handed to.

    For an async function that may be what waits for its answer. Returns ``None`` where that cannot be told.
    """
    handed = [
        item for item in statement if isinstance(item, cst.Arg) and dotted_name(item.value) == callee and not item.star
    ]
    if len(handed) == 1:
        return _handed(project, files, parsed, handed[0], scope, is_async=is_async)
    found = [item for item in statement if isinstance(item, cst.Call) and calls(item, callee)]
    around = list(parsed.around(found[0])) if len(found) == 1 else []
    parents = [parent for parent, _ in around]
    if is_async and parents and isinstance(parents[0], cst.Arg):
        return _waited(project, files, parsed, parents[0], scope)
    if not parents or not isinstance(parents[0], cst.Lambda) or parents[0].body is not found[0]:
        return None
    outer = parents[2] if len(parents) > 2 and isinstance(parents[1], cst.Arg) else None
    if parents[0].params.params or not isinstance(outer, cst.Call) or parents[1] not in outer.args:
        return None
    method = f"?.{outer.func.attr.value}" if isinstance(outer.func, cst.Attribute) else ""
    place = place_of_function(dotted_name(outer.func) or method)
    if 0 <= place < len(outer.args) and outer.args[place] is parents[1]:
        # A coroutine that another thread makes is waited for by nobody there.
        return HandedCall(parents[3]) if isinstance(parents[3], cst.Await) and not is_async else None
    runner = definition_of(project, files, parsed.path, dotted_name(outer.func))
    function = project.names.function(runner.path, runner.node.name) if runner is not None else None
    if runner is None or function is None or isinstance(runner.node, ast.ClassDef) or runner.node.decorator_list:
        return None
    where = files.parse(runner.path)
    node = definition(where, runner.node.name)
    name = _parameter(parsed, runner.node, outer, parents[1])
    returns = _uses(where, node, name, is_async=is_async, is_made=True) if node is not None and name else ()
    return _running(parents[3], outer, where, function, returns)


class _TakenBy(NamedTuple):
    """A call that hands something to a function of the project: that function, its file, and its parameter for it."""

    call: cst.Call
    symbol: FunctionSymbol
    parsed: SourceFile
    node: cst.FunctionDef
    parameter: str


def _taken_by(project: Project, files: Files, parsed: SourceFile, argument: cst.Arg, scope: str) -> _TakenBy | None:
    """Return who is handed an argument, ``None`` where that is no function of the project, or cannot be told."""
    outer = next(parsed.around(argument))[0]
    symbol = project.names.resolve(parsed.path, dotted_name(outer.func), scope) if isinstance(outer, cst.Call) else None
    if not isinstance(outer, cst.Call) or not isinstance(symbol, FunctionSymbol):
        return None
    where = files.parse(symbol.path)
    node = definition(where, symbol.function.name)
    tree = where.as_ast(node) if node is not None else None
    name = _parameter(parsed, tree, outer, argument) if tree is not None else ""
    return _TakenBy(outer, symbol, where, node, name) if node is not None and name else None


def _handed(
    project: Project, files: Files, parsed: SourceFile, argument: cst.Arg, scope: str, *, is_async: bool
) -> HandedCall | None:
    """Return what runs a function that is handed to a function of the project, ``None`` where that cannot be told."""
    taken = _taken_by(project, files, parsed, argument, scope)
    if taken is None or taken.symbol.function.decorators:
        return None
    above = next(parsed.around(taken.call))[0]
    uses = _uses(taken.parsed, taken.node, taken.parameter, is_async=is_async)
    return _running(above, taken.call, taken.parsed, taken.symbol.function, uses)


def _waited(project: Project, files: Files, parsed: SourceFile, argument: cst.Arg, scope: str) -> HandedCall | None:
    """Return what waits for an answer that is handed to a plain function of the project, ``None`` for anything else."""
    taken = _taken_by(project, files, parsed, argument, scope)
    if taken is None or taken.symbol.function.is_async:
        return None
    uses = list(name_occurrences(taken.node.body, taken.parameter))
    if not any(_is_waited_for(taken.parsed, use) for use in uses):
        return None
    is_certain = not taken.symbol.function.decorators and all(_is_let_out(taken.parsed, use) for use in uses)
    return HandedCall(taken.call, waiting=None if is_certain else taken.symbol)


def _is_waited_for(parsed: SourceFile, use: cst.CSTNode) -> bool:
    """Whether a name stands where what it holds is waited for: it is awaited, or handed to a loop."""
    (parent, _), (above, _) = itertools.islice(parsed.around(use), 2)
    if isinstance(parent, cst.Await):
        return True
    if not isinstance(parent, cst.Arg) or not isinstance(above, cst.Call):
        return False
    return any(
        name.rpartition(".")[2] in WAITING
        for name in map(dotted_name, (above.func, *(item.value for item in above.args)))
    )


def _is_let_out(parsed: SourceFile, use: cst.CSTNode) -> bool:
    """Whether what a name holds is waited for and returned, and an error of it ends the function."""
    around = [parent for parent, _ in itertools.islice(parsed.around(use), 4)]
    returned = next((each for each in around if isinstance(each, cst.Return)), None)
    line = next((each for each, _ in parsed.around(use) if isinstance(each, cst.SimpleStatementLine)), None)
    is_returned = returned is not None and _is_waited_for(parsed, use) and around.index(returned) == 2
    return is_returned and line is not None and is_left_alone(parsed, line)


def _running(
    above: cst.CSTNode,
    call: cst.Call,
    where: SourceFile,
    function: Function,
    uses: Sequence[cst.Return | cst.SimpleStatementLine],
) -> HandedCall | None:
    """Return a call of what runs a function, and ``above`` where that is waited for; ``None`` for one that is not."""
    value = call if not function.is_async else above if isinstance(above, cst.Await) else None
    ways = tuple((where, function, each) for each in uses)
    return HandedCall(value, ways) if value is not None and ways else None


def _parameter(
    parsed: SourceFile, node: ast.FunctionDef | ast.AsyncFunctionDef, call: cst.Call, argument: cst.CSTNode
) -> str:
    """Return the parameter of a function that a call gives an argument for, "" for none."""
    written = parse_expression(parsed.code(call))
    index = next(index for index, item in enumerate(call.args) if item is argument)
    assert isinstance(written, ast.Call)
    handed = (*written.args, *(item.value for item in written.keywords))[index]
    names = (item.arg for item in parameters(node.args))
    return next((name for name in names if given_to(written, node.args, name) is handed), "")


def _uses(
    parsed: SourceFile, node: cst.FunctionDef, name: str, *, is_async: bool, is_made: bool = False
) -> tuple[cst.Return | cst.SimpleStatementLine, ...]:
    """Return the statements that return what a parameter answers, or assign it; none where any other may be left.

    An error ends the function there: no loop goes on with it, and no handler does without. What is made for it alone
    (``is_made``), as a lambda, is given nothing, and its answer is returned.
    """
    found: list[cst.Return | cst.SimpleStatementLine] = []
    for use in name_occurrences(node.body, name):
        parents = [parent for parent, _ in parsed.around(use)]
        call = parents.pop(0)
        if not is_made and isinstance(call, cst.Attribute) and call.value is use and call.attr.value == "__name__":
            continue
        if not isinstance(call, cst.Call) or call.func is not use or parsed.function(use) is not node:
            return ()
        if is_made and call.args:
            return ()
        if is_async and not isinstance(parents.pop(0), cst.Await):
            return ()
        line = next(item for item in parents if isinstance(item, (cst.SimpleStatementLine, cst.BaseCompoundStatement)))
        if not isinstance(line, cst.SimpleStatementLine) or not (is_made or is_left_alone(parsed, line)):
            return ()
        if not isinstance(parents[0], cst.Return if is_made else (cst.Return, cst.Assign)):
            return ()
        found.append(parents[0] if isinstance(parents[0], cst.Return) else line)
    return tuple(found)
