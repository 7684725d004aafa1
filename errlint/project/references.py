"""Where code uses names and texts: makes objects of classes or hands the classes around, names codes."""

from __future__ import annotations

import ast
from bisect import bisect_left
from collections.abc import Iterator, Sequence

from errlint.trees import children

_ASKERS = frozenset({"isinstance", "issubclass"})


def texts(tree: ast.AST, lines: Sequence[int]) -> Iterator[tuple[str, int]]:
    """Yield the constant strings and numbers of a file as texts, with their lines: of statements on some ``lines``."""
    pending: list[ast.AST] = [tree]
    while pending:
        node = pending.pop()
        if isinstance(node, ast.Constant) and isinstance(node.value, (str, int)) and not isinstance(node.value, bool):
            yield str(node.value), node.lineno
        elif not isinstance(node, ast.stmt) or _has_line(node, lines):
            pending.extend(children(node))


def uses(tree: ast.AST, names: frozenset[str], lines: Sequence[int] | None = None) -> Iterator[tuple[str, int]]:
    """Yield where a file uses one of some names for more than to catch, extend or ask for a class: name and line.

    ``lines``, if they are known, are those on which the names stand, in order: no other statement is looked at.
    """
    pending: list[ast.AST] = [tree]
    while pending:
        node = pending.pop()
        if lines is not None and isinstance(node, ast.stmt) and not _has_line(node, lines):
            continue
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load) and node.id in names:
            yield node.id, node.lineno
        elif isinstance(node, ast.Attribute) and node.attr in names:
            yield node.attr, node.lineno
        elif isinstance(node, ast.alias) and node.asname is not None and node.name in names:
            yield node.name, node.lineno
        elif isinstance(node, ast.ExceptHandler):
            pending.extend(node.body)
        elif isinstance(node, ast.ClassDef):
            pending.extend((*node.body, *node.decorator_list))
        elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            defaults = (*node.args.defaults, *(item for item in node.args.kw_defaults if item is not None))
            pending.extend((*node.body, *node.decorator_list, *defaults))
        elif isinstance(node, ast.AnnAssign):
            pending.extend([node.value] if node.value is not None else [])
        elif not (isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in _ASKERS):
            pending.extend(children(node))


def _has_line(node: ast.stmt, lines: Sequence[int]) -> bool:
    """Whether a statement, with its decorators, takes up one of some lines."""
    first = min([node.lineno, *(each.lineno for each in getattr(node, "decorator_list", ()))])
    index = bisect_left(lines, first)
    return index < len(lines) and lines[index] <= (node.end_lineno or node.lineno)
