"""Statements that call a function and do nothing with its result, as :class:`errlint.facts.Unread`."""

from __future__ import annotations

import libcst as cst

from errlint.collect.expressions import constant_key, dotted_name, inside
from errlint.collect.flow import Statement


def unread(statement: Statement, function: cst.FunctionDef, names: frozenset[str]) -> tuple[str, str] | None:
    """Return the name that a statement calls and the first text in the call, where nothing reads the result.

    ``None`` stands for a statement that calls none of ``names``, and for one whose result the function reads.
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
        if not target or target.startswith("_") or _occurs(function, target):
            return None
    return callee, _word(call)


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


def _occurs(function: cst.FunctionDef, name: str) -> bool:
    """Whether a name stands anywhere in a function but on the left of a plain assignment."""
    pending: list[cst.CSTNode] = [function.params, function.body]
    while pending:
        node = pending.pop()
        if isinstance(node, cst.Name):
            if node.value == name:
                return True
        elif isinstance(node, (cst.Import, cst.ImportFrom)):
            continue
        elif isinstance(node, cst.Attribute):
            pending.append(node.value)
        elif isinstance(node, (cst.Arg, cst.MatchKeywordElement)):
            pending.append(node.value if isinstance(node, cst.Arg) else node.pattern)
        elif _target(node) and isinstance(node, (cst.Assign, cst.AnnAssign)):
            pending.extend(part for part in (node.value, getattr(node, "annotation", None)) if part is not None)
        else:
            pending.extend(inside(node))
    return False
