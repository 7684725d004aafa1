"""Results of a ``gather(..., return_exceptions=True)`` of which nobody looks at those that failed."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from errlint.collect import statements
from errlint.collect.expressions import dotted_name, inside
from errlint.collect.flow import Statement

_PASSED_THROUGH = frozenset({"enumerate", "list", "zip"})
"""Functions that a loop over results goes by way of."""


def gathers(node: Statement) -> bool:
    """Whether a statement gathers results with the exceptions among them, or goes through them at once."""
    value = node.iter if isinstance(node, cst.For) else getattr(node, "value", None)
    if isinstance(value, cst.BaseComp):
        value = value.for_in.iter
    return isinstance(value, cst.BaseExpression) and _iterates(value, "")


def filtered(body: cst.BaseSuite) -> Iterator[Statement]:
    """Yield the statements of a function that gather results all of whose readers skip what failed."""
    for node in filter(gathers, statements.below(body)):
        if isinstance(node, cst.For):
            skips = [_skips(node)]
        elif isinstance(node, cst.Assign) and _is_gathering(node.value):
            skips = list(_looks(body, min(_bound(node), default=""), node))
        else:
            value = getattr(node, "value", None)
            skips = [isinstance(value, cst.BaseComp) and _drops(value.for_in)]
        if skips and all(skips):
            yield node


def _is_gathering(node: cst.BaseExpression) -> bool:
    if isinstance(node, cst.Await):
        node = node.expression
    if not isinstance(node, cst.Call) or dotted_name(node.func).rpartition(".")[2] != "gather":
        return False
    return any(
        item.keyword is not None
        and item.keyword.value == "return_exceptions"
        and isinstance(item.value, cst.Name)
        and item.value.value == "True"
        for item in node.args
    )


def _looks(body: cst.BaseSuite, name: str, start: cst.CSTNode) -> Iterator[bool]:
    """Yield for each use of a name after a statement whether it is a loop that skips what failed."""
    pending: list[cst.CSTNode] = [body]
    is_bound = False
    while pending:
        current = pending.pop()
        if current is start:
            is_bound = True
        elif is_bound and isinstance(current, cst.Assign) and name in _bound(current):
            pending = [current.value]  # what it holds from here on are others
        elif is_bound and isinstance(current, (cst.For, cst.CompFor)) and _iterates(current.iter, name):
            yield _skips(current) if isinstance(current, cst.For) else _drops(current)
            pending.extend(child for child in reversed(inside(current)) if child is not current.iter)
        elif is_bound and isinstance(current, cst.Name) and current.value == name:
            yield False
        else:
            pending.extend(reversed(inside(current)))


def _bound(node: cst.Assign) -> set[str]:
    return {item.target.value for item in node.targets if isinstance(item.target, cst.Name)}


def _iterates(node: cst.BaseExpression, name: str) -> bool:
    """Whether a loop is over the results of a name, or gathers them itself where that is ""."""
    if isinstance(node, cst.Call) and dotted_name(node.func) in _PASSED_THROUGH:
        return any(_iterates(item.value, name) for item in node.args)
    return isinstance(node, cst.Name) and node.value == name if name else _is_gathering(node)


def _drops(node: cst.CompFor) -> bool:
    """Whether a comprehension leaves out what failed."""
    return any(_asks(item.test) is False for item in node.ifs)


def _skips(node: cst.For) -> bool:
    """Whether the first thing that a loop does is to leave out what failed."""
    first = next(statements.of(node.body), None)
    if not isinstance(first, cst.If):
        return False
    asks = _asks(first.test)
    if asks:
        body = list(statements.of(first.body))
        return len(body) == 1 and isinstance(body[0], (cst.Continue, cst.Pass))
    return asks is False and first.orelse is None and len(list(statements.of(node.body))) == 1


def _asks(test: cst.BaseExpression) -> bool | None:
    """Whether a condition holds for what failed (for what did not: false); ``None`` where it asks something else."""
    if isinstance(test, cst.UnaryOperation) and isinstance(test.operator, cst.Not):
        inner = _asks(test.expression)
        return None if inner is None else not inner
    if isinstance(test, cst.BooleanOperation) and isinstance(test.operator, cst.And):
        return False if False in (_asks(test.left), _asks(test.right)) else None
    if not isinstance(test, cst.Call) or dotted_name(test.func) != "isinstance" or len(test.args) != 2:
        return None
    kind = test.args[1].value
    kinds = [item.value for item in kind.elements] if isinstance(kind, cst.Tuple) else [kind]
    names = [dotted_name(item).rpartition(".")[2] for item in kinds]
    return True if all(name.endswith(("Exception", "Error")) for name in names) else None
