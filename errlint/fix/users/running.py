"""What is handed a function to run, and returns what it answers: ``retried(lambda: f(x))``.

That is a function of the project, or one that runs it in another thread.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence
from typing import NamedTuple

import libcst as cst

from errlint.collect.expressions import dotted_name
from errlint.facts import Function
from errlint.fix.bindings import spoken
from errlint.fix.bound import given_to, parameters
from errlint.fix.parsed import Parsed
from errlint.fix.sources import Files
from errlint.fix.users.inspecting import calls
from errlint.fix.users.objects import definition_of
from errlint.fix.users.verdicts import definition
from errlint.project import Project
from errlint.project.threads import place_of_function


class Run(NamedTuple):
    """A call that is handed over to be run: the call of what runs it, waited for where that has to be.

    ``ways`` are the statements by which a function of the project that runs it returns its answer, each with its file
    and that function.
    """

    value: cst.BaseExpression
    ways: tuple[tuple[Parsed, Function, cst.Return], ...] = ()


def run_by(
    project: Project, files: Files, parsed: Parsed, statement: Sequence[cst.CSTNode], callee: str, *, is_async: bool
) -> Run | None:
    """Return what runs the one lambda of a statement that calls a function, ``None`` where that cannot be told."""
    found = [item for item in statement if isinstance(item, cst.Call) and calls(item, callee)]
    around = list(parsed.around(found[0])) if len(found) == 1 else []
    parents = [parent for parent, _ in around]
    if not parents or not isinstance(parents[0], cst.Lambda) or parents[0].body is not found[0]:
        return None
    outer = parents[2] if len(parents) > 2 and isinstance(parents[1], cst.Arg) else None
    if parents[0].params.params or not isinstance(outer, cst.Call) or parents[1] not in outer.args:
        return None
    method = f"?.{outer.func.attr.value}" if isinstance(outer.func, cst.Attribute) else ""
    place = place_of_function(dotted_name(outer.func) or method)
    if 0 <= place < len(outer.args) and outer.args[place] is parents[1]:
        # A coroutine that another thread makes is waited for by nobody there.
        return Run(parents[3]) if isinstance(parents[3], cst.Await) and not is_async else None
    runner = definition_of(project, files, parsed.path, dotted_name(outer.func))
    function = project.names.function(runner.path, runner.node.name) if runner is not None else None
    if runner is None or function is None or isinstance(runner.node, ast.ClassDef) or runner.node.decorator_list:
        return None
    where = files.parse(runner.path)
    node = definition(where, runner.node.name)
    name = _parameter(parsed, runner.node, outer, parents[1])
    returns = _returns(where, node, name, is_async=is_async) if node is not None and name else ()
    is_waiting = isinstance(runner.node, ast.AsyncFunctionDef)
    value = parents[3] if is_waiting and isinstance(parents[3], cst.Await) else None if is_waiting else outer
    ways = tuple((where, function, each) for each in returns)
    return Run(value, ways) if value is not None and ways else None


def _parameter(
    parsed: Parsed, node: ast.FunctionDef | ast.AsyncFunctionDef, call: cst.Call, argument: cst.CSTNode
) -> str:
    """Return the parameter of a function that a call gives an argument for, "" for none."""
    written = ast.parse(parsed.code(call).strip(), mode="eval").body
    index = next(index for index, item in enumerate(call.args) if item is argument)
    assert isinstance(written, ast.Call)
    handed = (*written.args, *(item.value for item in written.keywords))[index]
    names = (item.arg for item in parameters(node.args))
    return next((name for name in names if given_to(written, node.args, name) is handed), "")


def _returns(parsed: Parsed, node: cst.FunctionDef, name: str, *, is_async: bool) -> tuple[cst.Return, ...]:
    """Return the statements that return what a parameter answers; none where a function does more with it."""
    found: list[cst.Return] = []
    for use in spoken(node.body, name):
        parents = [parent for parent, _ in parsed.around(use)]
        call = parents.pop(0)
        if not isinstance(call, cst.Call) or call.func is not use or call.args or parsed.function(use) is not node:
            return ()
        if is_async and not isinstance(parents.pop(0), cst.Await):
            return ()
        if not isinstance(parents[0], cst.Return):
            return ()
        found.append(parents[0])
    return tuple(found)
