"""Functions that speak of error records, or call one that may."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from errlint.gate.syntax import FUNCTIONS, last_name


def speaks_of_records(node: ast.AST, records: tuple[str, ...]) -> bool:
    """Whether the key of records (the first of ``records``) and one of their fields stand in a function."""
    found = {name for part in ast.walk(node) for name in _said(part)}
    return bool(records) and records[0] in found and not found.isdisjoint(records[1:])


def building(tree: ast.Module, records: tuple[str, ...]) -> frozenset[str]:
    """Return the names of the functions of a file that speak of error records."""
    functions = (node for node in ast.walk(tree) if isinstance(node, FUNCTIONS))
    return frozenset(node.name for node in functions if speaks_of_records(node, records))


def tells(node: ast.AST, builders: frozenset[str], terms: frozenset[str]) -> bool:
    """Whether a function calls one of ``builders``, or one of ``terms`` stands in it."""
    return any(
        last_name(part.func) in builders
        if isinstance(part, ast.Call)
        else isinstance(part, ast.Constant) and isinstance(part.value, str) and part.value in terms
        for part in ast.walk(node)
    )


def _said(node: ast.AST) -> Iterator[str]:
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield node.value
    elif isinstance(node, ast.keyword) and node.arg is not None:
        yield node.arg
