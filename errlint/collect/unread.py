"""Statements that call a function and do nothing with its result, as :class:`errlint.facts.Unread`."""

from __future__ import annotations

import libcst as cst

from errlint.collect.expressions import constant_key, dotted_name, inside, subscript_key
from errlint.collect.flow import Statement


def unread(
    statement: Statement, function: cst.FunctionDef, names: frozenset[str]
) -> tuple[str, str, tuple[str, ...]] | None:
    """Return the name that a statement calls, the first text in the call, and the parts of the result that are read.

    ``None`` stands for a statement that calls none of ``names``, and for one whose result the function reads as such.
    """
    value = getattr(statement, "value", None)
    call = value.expression if isinstance(value, cst.Await) else value
    if not isinstance(call, cst.Call):
        return None
    callee = dotted_name(call.func)
    if not callee or callee.rpartition(".")[2] not in names:
        return None
    if not isinstance(statement, cst.Expr):
        target = _target(statement)
        parts = _parts(function, target) if target and not target.startswith("_") else None
        if parts is None:
            return None
        return callee, _word(call), parts
    return callee, _word(call), ()


def _word(call: cst.Call) -> str:
    """Return the first text that is written out as an argument of a call, or in a list or tuple that is one."""
    pending = [argument.value for argument in reversed(call.args)]
    while pending:
        node = pending.pop()
        if isinstance(node, (cst.List, cst.Tuple)):
            pending.extend(element.value for element in reversed(node.elements))
        elif (text := constant_key(node)) is not None:
            return text
    return ""


def _target(node: cst.CSTNode) -> str:
    """Return the one name that an assignment binds."""
    if isinstance(node, cst.Assign) and len(node.targets) == 1:
        target = node.targets[0].target
    elif isinstance(node, cst.AnnAssign):
        target = node.target
    else:
        return ""
    return target.value if isinstance(target, cst.Name) else ""


def _parts(function: cst.FunctionDef, name: str) -> tuple[str, ...] | None:
    """Return the attributes and constant keys of a name that a function reads, ``None`` where it reads all of it.

    Where a plain assignment binds it, it is not read.
    """
    found: dict[str, None] = {}
    pending: list[cst.CSTNode] = [function.params, function.body]
    while pending:
        node = pending.pop()
        if isinstance(node, cst.Name):
            if node.value == name:
                return None
        elif isinstance(node, (cst.Import, cst.ImportFrom)):
            continue
        elif isinstance(node, cst.Call) and (key := _asked(node, name)) is not None:
            found.setdefault(key)
            pending.extend(node.args[1:])
        elif isinstance(node, cst.Call) and isinstance(node.func, cst.Attribute) and _is_name(node.func.value, name):
            return None  # a method may look at all of it
        elif (
            isinstance(node, cst.Subscript) and _is_name(node.value, name) and (key := subscript_key(node)) is not None
        ):
            found.setdefault(key)
        elif isinstance(node, cst.Attribute) and _is_name(node.value, name):
            found.setdefault(node.attr.value)
        elif isinstance(node, cst.Attribute):
            pending.append(node.value)
        elif isinstance(node, (cst.Arg, cst.MatchKeywordElement)):
            pending.append(node.value if isinstance(node, cst.Arg) else node.pattern)
        elif _target(node) and isinstance(node, (cst.Assign, cst.AnnAssign)):
            pending.extend(part for part in (node.value, getattr(node, "annotation", None)) if part is not None)
        else:
            pending.extend(inside(node))
    return tuple(sorted(found))


def _is_name(node: cst.CSTNode, name: str) -> bool:
    return isinstance(node, cst.Name) and node.value == name


def _asked(node: cst.Call, name: str) -> str | None:
    """Return the constant key that ``get`` asks a name for, ``None`` for any other call."""
    function = node.func
    if isinstance(function, cst.Attribute) and function.attr.value == "get" and _is_name(function.value, name):
        return constant_key(node.args[0].value) if node.args and not node.args[0].keyword else None
    return None
