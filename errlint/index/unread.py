"""Statements that call a function and do nothing with its result, as :class:`errlint.facts.Unread`."""

from __future__ import annotations

import ast

from errlint.index.expressions import constant_key, dotted_name, given, subscript_key
from errlint.trees import children

_NAMES: dict[type[ast.AST], str] = {
    ast.Name: "id", ast.arg: "arg", ast.FunctionDef: "name", ast.AsyncFunctionDef: "name", ast.ClassDef: "name",
    ast.ExceptHandler: "name", ast.MatchAs: "name", ast.MatchStar: "name", ast.MatchMapping: "rest",
}  # fmt: skip
"""The field of each kind of node that reads a name, or binds one otherwise than by a plain assignment."""


def unread(
    statement: ast.stmt, function: ast.FunctionDef | ast.AsyncFunctionDef
) -> tuple[str, str, tuple[str, ...]] | None:
    """Return the name that a statement calls, the first text in the call, and the parts of the result that are read.

    ``None`` stands for a statement that calls nothing by its name, and for one whose result the function reads as such.
    """
    value = getattr(statement, "value", None)
    call = value.value if isinstance(value, ast.Await) else value
    if not isinstance(call, ast.Call):
        return None
    callee = dotted_name(call.func)
    if not callee:
        return None
    if not isinstance(statement, ast.Expr):
        target = _target(statement)
        parts = _parts(function, target) if target and not target.startswith("_") else None
        if parts is None:
            return None
        return callee, _word(call), parts
    return callee, _word(call), ()


def _word(call: ast.Call) -> str:
    """Return the first text that is written out as an argument of a call, or in a list or tuple that is one."""
    pending = [value for _, value in reversed(given(call))]
    while pending:
        node = pending.pop()
        if isinstance(node, (ast.List, ast.Tuple)):
            pending.extend(reversed(node.elts))
        elif (text := constant_key(node)) is not None:
            return text
    return ""


def _target(node: ast.AST) -> str:
    """Return the one name that an assignment binds."""
    if isinstance(node, ast.Assign) and len(node.targets) == 1:
        target = node.targets[0]
    elif isinstance(node, ast.AnnAssign):
        target = node.target
    else:
        return ""
    return target.id if isinstance(target, ast.Name) else ""


def _parts(function: ast.FunctionDef | ast.AsyncFunctionDef, name: str) -> tuple[str, ...] | None:
    """Return the attributes and constant keys of a name that a function reads, ``None`` where it reads all of it.

    Where a plain assignment binds it, it is not read. What a function shares with others (``global``), is given or
    binds in another way may be read by whoever else knows it.
    """
    found: dict[str, None] = {}
    pending: list[ast.AST] = [function.args, *function.body]
    while pending:
        node = pending.pop()
        field = _NAMES.get(type(node))
        if field is not None and getattr(node, field) == name:
            return None
        if isinstance(node, (ast.Global, ast.Nonlocal)):
            if name in node.names:
                return None
        elif isinstance(node, ast.Call) and (key := _asked(node, name)) is not None:
            found.setdefault(key)
            pending.extend(value for _, value in given(node)[1:])
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and _is_name(node.func.value, name):
            return None  # a method may look at all of it
        elif (
            isinstance(node, ast.Subscript) and _is_name(node.value, name) and (key := subscript_key(node)) is not None
        ):
            found.setdefault(key)
        elif isinstance(node, ast.Attribute) and _is_name(node.value, name):
            found.setdefault(node.attr)
        elif isinstance(node, (ast.Assign, ast.AnnAssign)) and _target(node):
            pending.extend(part for part in (node.value, getattr(node, "annotation", None)) if part is not None)
        else:
            pending.extend(children(node))
    return tuple(sorted(found))


def _is_name(node: ast.expr, name: str) -> bool:
    return isinstance(node, ast.Name) and node.id == name


def _asked(node: ast.Call, name: str) -> str | None:
    """Return the constant key that ``get`` asks a name for, ``None`` for any other call."""
    function = node.func
    if isinstance(function, ast.Attribute) and function.attr == "get" and _is_name(function.value, name):
        return constant_key(node.args[0]) if node.args else None
    return None
