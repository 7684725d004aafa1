"""Walks over syntax trees: like those of ``ast``, without the nodes that only say how another one is meant."""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from typing import Any

_LEAVES = frozenset(
    {"arg", "asname", "attr", "conversion", "ctx", "id", "is_async", "kind", "kwd_attrs", "level", "module", "op",
     "ops", "rest", "simple", "type_comment"}
)  # fmt: skip
"""Fields in which nothing stands but names, signs and numbers."""

_WITH_GAPS = frozenset({"keys", "kw_defaults"})
"""Lists with ``None`` for what is not there."""


_FIELDS: dict[type[ast.AST], tuple[str, ...]] = {ast.Constant: (), ast.Global: (), ast.Nonlocal: ()}
"""The fields of each kind of node that may hold others; of most kinds from when one is met."""

COMMON: dict[type[ast.AST], Callable[[Any], Sequence[ast.AST]]] = {
    **dict.fromkeys((ast.Name, ast.Constant), lambda node: ()),
    **dict.fromkeys((ast.Attribute, ast.keyword, ast.Expr, ast.Await), lambda node: (node.value,)),
    ast.Call: lambda node: [node.func, *node.args, *node.keywords],
    ast.Assign: lambda node: [*node.targets, node.value],
    ast.Subscript: lambda node: (node.value, node.slice),
    **dict.fromkeys((ast.JoinedStr, ast.BoolOp), lambda node: node.values),
    **dict.fromkeys((ast.List, ast.Tuple, ast.Set), lambda node: node.elts),
    ast.Compare: lambda node: [node.left, *node.comparators],
    ast.BinOp: lambda node: (node.left, node.right),
    ast.UnaryOp: lambda node: (node.operand,),
}
"""The kinds that make most of a tree, each with its own way: asking for fields by their names takes twice as long."""


def children(node: ast.AST) -> Sequence[ast.AST]:
    """Return the nodes directly below one, in their order; it may be a list of the node itself."""
    kind = type(node)
    common = COMMON.get(kind)
    if common is not None:
        return common(node)
    if kind not in _FIELDS:
        _FIELDS[kind] = tuple(name for name in kind._fields if name not in _LEAVES)
    found: list[ast.AST] = []
    for name in _FIELDS[kind]:
        value = getattr(node, name, None)
        if type(value) is list:
            found.extend(filter(None, value) if name in _WITH_GAPS else value)
        elif isinstance(value, ast.AST):
            found.append(value)
    return found


def last_name(node: ast.AST) -> str:
    """Return the last part of a dotted name, "" for what is none."""
    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""


def caught_types(handler: ast.ExceptHandler) -> list[ast.expr]:
    """Return the types that an ``except`` clause names, one by one; none for a clause of everything."""
    if handler.type is None:
        return []
    return handler.type.elts if isinstance(handler.type, ast.Tuple) else [handler.type]


def walk(tree: ast.AST) -> list[ast.AST]:
    """Return a node and all below it, those nearer to it first."""
    found = [tree]
    for node in found:  # which grows
        found.extend(children(node))
    return found
