"""Names that a module imports or defines, and then binds to something else, on every way through it."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple

from errlint.facts import Rebound
from errlint.index.bindings import COMPREHENSIONS, FunctionNode, assigned_names, names_bound
from errlint.index.expressions import all_below, dotted_name, names_below
from errlint.index.forward import Block
from errlint.index.spans import Spans
from errlint.index.statements import is_compound
from errlint.trees import children

_AGAIN = frozenset({"overload", "setter", "getter", "deleter", "register", "dispatch", "singledispatch", "multimethod"})
"""Decorators of definitions that share a name with another on purpose."""


class _Binding(NamedTuple):
    statement: ast.stmt
    how: str
    origin: str


def rebound(body: Block, spans: Spans) -> Iterator[Rebound]:
    """Yield where a module binds a name again.

    Names that are also bound in a block (``if``, ``try``), or deleted, are left alone.
    """
    bindings: dict[str, list[_Binding]] = {}
    loose: set[str] = set()
    for node in body:
        if isinstance(node, (*FunctionNode, ast.ClassDef)) or not is_compound(node):
            for name, binding in _bindings(node):
                bindings.setdefault(name, []).append(binding)
            if isinstance(node, ast.Delete):
                loose.update(names_below(node))
        else:
            loose.update(_below(node))
    for name, found in bindings.items():
        if name in loose:
            continue
        for before, after in pairwise(found):
            if before.how == "assignment" or (before.origin and before.origin == after.origin):
                continue
            if after.how == "assignment" and name in after.origin.split():
                continue
            if "again" in (before.origin, after.origin):
                continue
            yield Rebound(name, spans.of(after.statement), after.how, spans.of(before.statement), before.how)


def _bindings(node: ast.stmt) -> Iterator[tuple[str, _Binding]]:
    """Yield the names that a statement binds; the origin of an assignment are the names in its value."""
    if isinstance(node, (*FunctionNode, ast.ClassDef)):
        decorators = {dotted_name(_callee(item)).rpartition(".")[2] for item in node.decorator_list}
        how = "class" if isinstance(node, ast.ClassDef) else "def"
        # A class may be made of what had its name before.
        bases = {dotted_name(item) for item in node.bases} if isinstance(node, ast.ClassDef) else set()
        again = not _AGAIN.isdisjoint(decorators) or node.name in bases
        yield node.name, _Binding(node, how, "again" if again else "")
    elif isinstance(node, ast.Import):
        for alias in node.names:
            name = alias.asname or alias.name.partition(".")[0]
            # `import a.b` after `import a.c` is no other `a`.
            yield name, _Binding(node, "import", alias.name if alias.asname else name)
    elif isinstance(node, ast.ImportFrom):
        module = "." * node.level + (node.module or "")
        for alias in node.names:
            if alias.name != "*":
                yield alias.asname or alias.name, _Binding(node, "import", f"{module}.{alias.name}")
    for name, value in assigned_names(node):
        yield name, _Binding(node, "assignment", " ".join(_mentioned(value)))


def _mentioned(node: ast.expr) -> Iterator[str]:
    """Yield the names in a value, those of attributes and keywords too: what is called the same may well be so."""
    for part in all_below(node):
        if isinstance(part, ast.Name):
            yield part.id
        elif isinstance(part, ast.Attribute):
            yield part.attr
        elif isinstance(part, ast.keyword) and part.arg is not None:
            yield part.arg


def _callee(node: ast.expr) -> ast.expr:
    return node.func if isinstance(node, ast.Call) else node


def _below(node: ast.AST) -> Iterator[str]:
    """Yield the names bound somewhere in a block of the module; too many rather than too few."""
    pending = [node]
    while pending:
        current = pending.pop()
        yield from names_bound(current)
        if not isinstance(current, (*FunctionNode, ast.ClassDef, *COMPREHENSIONS)):
            pending.extend(children(current))
