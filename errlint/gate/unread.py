"""Statements that call a function and do nothing with its result."""

from __future__ import annotations

import ast

from errlint.gate.syntax import FUNCTIONS, statement_call


def drops(node: ast.stmt, function: ast.AST, names: set[str]) -> bool | None:
    """Whether a statement of a function calls one of ``names`` and nothing in the function reads the result as such.

    ``None`` stands for a result of which only attributes and constant keys are read.
    """
    call = statement_call(node)
    if call is None or getattr(call.func, "attr", getattr(call.func, "id", "")) not in names:
        return False
    if isinstance(node, ast.Expr):
        return True
    target = _target(node)
    if not target or target.startswith("_"):
        return False
    if not _occurs(function, target, frozenset()):
        return True
    return False if _occurs(function, target, _held(function)) else None


def _held(function: ast.AST) -> frozenset[int]:
    """Return the names (by ``id``) of which an attribute or a constant key is read; a method may look at all of it."""
    called = {id(node.func) for node in ast.walk(function) if isinstance(node, ast.Call)}
    return frozenset(
        id(node.value)
        for node in ast.walk(function)
        if (isinstance(node, ast.Attribute) and (id(node) not in called or node.attr == "get"))
        or (isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Constant))
    )


def _target(node: ast.AST) -> str:
    """Return the one name that an assignment binds."""
    if isinstance(node, ast.Assign) and len(node.targets) == 1:
        target = node.targets[0]
    elif isinstance(node, ast.AnnAssign):
        target = node.target
    else:
        return ""
    return target.id if isinstance(target, ast.Name) else ""


def _occurs(function: ast.AST, name: str, held: frozenset[int]) -> bool:
    """Whether a name stands in a function other than on the left of a plain assignment, or among ``held``."""
    bound = held | {
        id(node.targets[0] if isinstance(node, ast.Assign) else node.target)
        for node in ast.walk(function)
        if isinstance(node, (ast.Assign, ast.AnnAssign)) and _target(node)
    }
    for node in ast.walk(function):
        if isinstance(node, ast.Name):
            if node.id == name and id(node) not in bound:
                return True
        elif isinstance(node, (ast.Global, ast.Nonlocal)):
            if name in node.names:
                return True
        elif isinstance(node, FUNCTIONS):
            if node is not function and node.name == name:
                return True
        elif getattr(node, "arg", None) == name and isinstance(node, ast.arg):
            return True
    return False
