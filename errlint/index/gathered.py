"""Results of a ``gather(..., return_exceptions=True)`` of which nobody looks at those that failed."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from errlint.index import statements
from errlint.index.bindings import COMPREHENSIONS, assigned_names
from errlint.index.expressions import dotted_name, given, inside
from errlint.trees import last_name

_PASSED_THROUGH = frozenset({"enumerate", "list", "zip"})
"""Functions that a loop over results goes by way of."""


def gathers(node: ast.stmt) -> bool:
    """Whether a statement gathers results with the exceptions among them, or goes through them at once."""
    value = node.iter if isinstance(node, (ast.For, ast.AsyncFor)) else getattr(node, "value", None)
    if isinstance(value, COMPREHENSIONS):
        value = value.generators[0].iter
    return value is not None and _iterates(value, "")


def filtered(body: Sequence[ast.stmt]) -> Iterator[ast.stmt]:
    """Yield the statements of a function that gather results all of whose readers skip what failed."""
    for node in filter(gathers, statements.below(body)):
        if isinstance(node, (ast.For, ast.AsyncFor)):
            skips = [_skips(node)]
        elif isinstance(node, ast.Assign) and _is_gathering(node.value):
            skips = list(_looks(body, min(dict(assigned_names(node)), default=""), node))
        else:
            value = getattr(node, "value", None)
            skips = [isinstance(value, COMPREHENSIONS) and _drops(value.generators[0])]
        if skips and all(skips):
            yield node


def _is_gathering(node: ast.expr) -> bool:
    if isinstance(node, ast.Await):
        node = node.value
    if not isinstance(node, ast.Call) or last_name(node.func) != "gather" or not dotted_name(node.func):
        return False
    return any(
        item.arg == "return_exceptions" and isinstance(item.value, ast.Constant) and item.value.value is True
        for item in node.keywords
    )


def _looks(body: Sequence[ast.stmt], name: str, start: ast.stmt) -> Iterator[bool]:
    """Yield for each use of a name after a statement whether it is a loop that skips what failed."""
    pending: list[ast.AST] = [*reversed(body)]
    is_bound = False
    while pending:
        current = pending.pop()
        if current is start:
            is_bound = True
        elif is_bound and isinstance(current, ast.Assign) and name in dict(assigned_names(current)):
            pending = [current.value]  # what it holds from here on are others
        elif (
            is_bound
            and isinstance(current, (ast.For, ast.AsyncFor, ast.comprehension))
            and _iterates(current.iter, name)
        ):
            yield _drops(current) if isinstance(current, ast.comprehension) else _skips(current)
            pending.extend(child for child in reversed(inside(current)) if child is not current.iter)
        elif is_bound and isinstance(current, ast.Name) and current.id == name:
            yield False
        else:
            pending.extend(reversed(inside(current)))


def _iterates(node: ast.expr, name: str) -> bool:
    """Whether a loop is over the results of a name, or gathers them itself where that is ""."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in _PASSED_THROUGH:
        return any(_iterates(value, name) for _, value in given(node))
    return isinstance(node, ast.Name) and node.id == name if name else _is_gathering(node)


def _drops(node: ast.comprehension) -> bool:
    """Whether a comprehension leaves out what failed."""
    return any(_asks(test) is False for test in node.ifs)


def _skips(node: ast.For | ast.AsyncFor) -> bool:
    """Whether the first thing that a loop does is to leave out what failed."""
    first = node.body[0]
    if not isinstance(first, ast.If):
        return False
    asks = _asks(first.test)
    if asks:
        return len(first.body) == 1 and isinstance(first.body[0], (ast.Continue, ast.Pass))
    return asks is False and not first.orelse and len(node.body) == 1


def _asks(test: ast.expr) -> bool | None:
    """Whether a condition holds for what failed (for what did not: false); ``None`` where it asks something else."""
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        inner = _asks(test.operand)
        return None if inner is None else not inner
    if isinstance(test, ast.BoolOp) and isinstance(test.op, ast.And):
        return False if any(_asks(value) is False for value in test.values) else None
    if not isinstance(test, ast.Call) or dotted_name(test.func) != "isinstance":
        return None
    handed = given(test)
    if len(handed) != 2:
        return None
    kind = handed[1][1]
    kinds = kind.elts if isinstance(kind, ast.Tuple) else [kind]
    names = [dotted_name(item).rpartition(".")[2] for item in kinds]
    return True if all(name.endswith(("Exception", "Error")) for name in names) else None
