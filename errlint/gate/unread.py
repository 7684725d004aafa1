"""Statements that call a function and do nothing with its result."""

from __future__ import annotations

import ast

from errlint.gate.syntax import FUNCTIONS, statement_call


def drops(node: ast.stmt, function: ast.AST, names: set[str]) -> bool:
    """Whether a statement of a function calls one of ``names`` and nothing in the function reads the result."""
    call = statement_call(node)
    if call is None or getattr(call.func, "attr", getattr(call.func, "id", "")) not in names:
        return False
    if isinstance(node, ast.Expr):
        return True
    target = _target(node)
    return bool(target) and not target.startswith("_") and not _occurs(function, target)


def _target(node: ast.AST) -> str:
    """Return the one name that an assignment binds."""
    if isinstance(node, ast.Assign) and len(node.targets) == 1:
        target = node.targets[0]
    elif isinstance(node, ast.AnnAssign):
        target = node.target
    else:
        return ""
    return target.id if isinstance(target, ast.Name) else ""


def _occurs(function: ast.AST, name: str) -> bool:
    """Whether a name stands anywhere in a function but on the left of a plain assignment."""
    bound = {
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
