"""Where a result is looked at for an error: ``"error" in r``, ``r["status"] == "error"``, ``isinstance(r, Fault)``."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from errlint.trees import walk
from errlint.words import INSPECTED_ATTRIBUTES, INSPECTED_KEYS, RESPONSE_TYPE, STATUS_KEYS, is_outcome


def inspected(node: ast.AST) -> Iterator[ast.expr]:
    """Yield the subjects: names, and calls whose result is looked at directly."""
    for part in walk(node):
        subject: ast.expr | None = None
        if isinstance(part, ast.Compare) and len(part.ops) == 1:
            if isinstance(part.ops[0], (ast.In, ast.NotIn)) and _is_inspected_key(part.left):
                subject = part.comparators[0]
            else:
                subject = _compared(part)
        elif isinstance(part, ast.Subscript):
            if _is_inspected_key(part.slice) and isinstance(part.ctx, ast.Load):
                subject = part.value
        elif isinstance(part, ast.Attribute):
            if part.attr in INSPECTED_ATTRIBUTES and isinstance(part.ctx, ast.Load):
                subject = part.value
        elif isinstance(part, ast.Call):
            subject = _asked(part)
        elif isinstance(part, ast.Assign) and _unpacks_an_error(part.targets[0]):
            subject = part.value
        if isinstance(subject, ast.Await):
            subject = subject.value
        if isinstance(subject, (ast.Name, ast.Call)):
            yield subject


def _compared(comparison: ast.Compare) -> ast.expr | None:
    """Return the subject of ``r["status"] == "error"`` and of ``r.get("status") in ("error", "failed")``."""
    left, right = comparison.left, comparison.comparators[0]
    if isinstance(comparison.ops[0], (ast.Eq, ast.NotEq)):
        item, texts = (right, [left]) if isinstance(left, ast.Constant) else (left, [right])
    elif isinstance(right, (ast.Tuple, ast.List, ast.Set)) and isinstance(comparison.ops[0], (ast.In, ast.NotIn)):
        item, texts = left, right.elts
    else:
        return None
    if not all(isinstance(text, ast.Constant) and _is_outcome(text.value) for text in texts):
        return None
    if isinstance(item, ast.Subscript):
        return item.value if _is_status(item.slice) else None
    if isinstance(item, ast.Call) and isinstance(item.func, ast.Attribute) and item.func.attr == "get" and item.args:
        return item.func.value if _is_status(item.args[0]) else None
    return None


def _is_status(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value.lower() in STATUS_KEYS


def _is_outcome(value: object) -> bool:
    return isinstance(value, str) and is_outcome(value)


def _asked(call: ast.Call) -> ast.expr | None:
    """Return the subject of ``r.get("error")`` and of ``isinstance(r, ErrorResponse)``."""
    function = call.func
    if isinstance(function, ast.Attribute) and function.attr == "get" and call.args and _is_inspected_key(call.args[0]):
        return function.value
    if isinstance(function, ast.Name) and function.id == "isinstance" and len(call.args) == 2:
        types = call.args[1].elts if isinstance(call.args[1], ast.Tuple) else [call.args[1]]
        names = [item.attr if isinstance(item, ast.Attribute) else getattr(item, "id", "") for item in types]
        if any(RESPONSE_TYPE.search(name) for name in names):
            return call.args[0]
    return None


def _unpacks_an_error(target: ast.expr) -> bool:
    return isinstance(target, ast.Tuple) and any(
        isinstance(item, ast.Name) and item.id in INSPECTED_KEYS for item in target.elts
    )


def _is_inspected_key(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value.lower() in INSPECTED_KEYS
