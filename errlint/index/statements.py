"""The statements of a function or module, in the order of the text."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from errlint.index.bindings import FunctionNode


def blocks(node: ast.AST) -> Iterator[Sequence[ast.stmt]]:
    """Yield the blocks of a compound statement or of a clause, in the order of the text; a simple one has none."""
    clauses = (*getattr(node, "handlers", ()), *getattr(node, "cases", ()))
    found = (getattr(node, "body", None), *(clause.body for clause in clauses))
    for block in (*found, getattr(node, "orelse", None), getattr(node, "finalbody", None)):
        if isinstance(block, list) and block:  # a lambda and a conditional expression have one of another kind
            yield block


def in_header(node: ast.stmt) -> Iterator[ast.expr]:
    """Yield the expressions that the header of a compound statement evaluates; a definition and a ``try`` have none."""
    if isinstance(node, (ast.If, ast.While)):
        yield node.test
    elif isinstance(node, (ast.For, ast.AsyncFor)):
        yield node.iter
    elif isinstance(node, (ast.With, ast.AsyncWith)):
        yield from (item.context_expr for item in node.items)
    elif isinstance(node, ast.Match):
        yield node.subject


def below(body: Sequence[ast.stmt]) -> Iterator[ast.stmt]:
    """Yield all statements below a block, those of definitions inside left out."""
    for node in body:
        if isinstance(node, (*FunctionNode, ast.ClassDef)):
            continue
        yield node
        for block in blocks(node):
            yield from below(block)


def everywhere(body: Sequence[ast.stmt]) -> Iterator[ast.stmt | ast.ExceptHandler]:
    """Yield every statement and handler below a block, those of definitions too, compound ones before their parts."""
    for node in body:
        yield node
        if inner := getattr(node, "body", None):
            yield from everywhere(inner)
        for handler in getattr(node, "handlers", ()):
            yield handler
            yield from everywhere(handler.body)
        for case in getattr(node, "cases", ()):
            yield from everywhere(case.body)
        for name in ("orelse", "finalbody"):
            yield from everywhere(getattr(node, name, ()))


def leaves(body: Sequence[ast.stmt]) -> bool:
    """Whether the last statement of a block leaves the function."""
    return bool(body) and isinstance(body[-1], (ast.Return, ast.Raise))
