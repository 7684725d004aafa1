"""Which names a statement binds."""

from __future__ import annotations

import ast
from collections.abc import Iterator

FunctionNode = (ast.FunctionDef, ast.AsyncFunctionDef)


def bound_by(statements: list[ast.stmt]) -> Iterator[str]:
    """Yield the names that statements bind, once for each time, definitions inside left out."""
    pending: list[ast.AST] = list(statements)
    while pending:
        node = pending.pop()
        yield from names_bound(node)
        if not isinstance(node, (*FunctionNode, ast.ClassDef, ast.Lambda)):
            pending.extend(ast.iter_child_nodes(node))


def names_bound(node: ast.AST) -> Iterator[str]:
    """Yield the names that one node binds or deletes by itself."""
    if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
        yield node.id
    elif isinstance(node, (*FunctionNode, ast.ClassDef, ast.ExceptHandler, ast.MatchAs, ast.MatchStar)):
        yield node.name or ""
    elif isinstance(node, ast.MatchMapping):
        yield node.rest or ""
    elif isinstance(node, ast.alias):
        yield (node.asname or node.name).partition(".")[0]
