"""Functions that speak of error records, or call one that may."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

from errlint.gate.syntax import FUNCTIONS, name_or_callee


def speaks_of_records(nodes: Iterable[ast.AST], records: tuple[str, ...]) -> bool:
    """Whether the key of records (the first of ``records``) and one of their fields stand in some parts of a file."""
    found = {name for node in nodes for part in ast.walk(node) for name in _said(part)}
    return bool(records) and records[0] in found and not found.isdisjoint(records[1:])


def looks_into_records(nodes: Iterable[ast.AST], records: tuple[str, ...]) -> bool:
    """Whether some parts of a file read what stands below the key of records."""
    return any(
        isinstance(part, ast.Subscript) and isinstance(part.ctx, ast.Load) and _is_text(part.slice, records[0])
        if not isinstance(part, ast.Call)
        else bool(part.args) and name_or_callee(part.func) == "get" and _is_text(part.args[0], records[0])
        for node in nodes
        for part in ast.walk(node)
    )


def _is_text(node: ast.expr, text: str) -> bool:
    return isinstance(node, ast.Constant) and node.value == text


def building(tree: ast.Module, records: tuple[str, ...]) -> frozenset[str]:
    """Return the names of the functions of a file that speak of error records."""
    functions = (node for node in ast.walk(tree) if isinstance(node, FUNCTIONS))
    return frozenset(node.name for node in functions if speaks_of_records([node], records))


def tells(nodes: Iterable[ast.AST], builders: frozenset[str], terms: frozenset[str]) -> bool:
    """Whether some parts of a file call one of ``builders``, or one of ``terms`` stands in them."""
    return any(
        name_or_callee(part.func) in builders
        if isinstance(part, ast.Call)
        else isinstance(part, ast.Constant) and isinstance(part.value, str) and part.value in terms
        for node in nodes
        for part in ast.walk(node)
    )


def _said(node: ast.AST) -> Iterator[str]:
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield node.value
    elif isinstance(node, ast.keyword) and node.arg is not None:
        yield node.arg
