"""Which names the statements of a file bind, by themselves and with all that is below them."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

from errlint.index.bindings import FunctionNode, WalrusLines, clause_names, names_bound, target_names, targets_of
from errlint.index.expressions import below
from errlint.index.statements import blocks, in_header, is_compound

_BINDING_NOTHING = frozenset({ast.Expr, ast.Return, ast.Raise, ast.Pass, ast.Assert, ast.Break, ast.Continue})
"""Statements that bind no name but with a walrus."""


class Bindings:
    """The names that the statements of a file bind, told once for each.

    ``walruses`` are where expressions may bind names; ``None``: anywhere.
    """

    def __init__(self, walruses: WalrusLines | None) -> None:
        self._walruses = walruses
        self._own: dict[ast.stmt, frozenset[str]] = {}
        self._below: dict[ast.stmt, set[str]] = {}

    def of(self, node: ast.stmt) -> frozenset[str]:
        """Return the names that a simple statement, or the header of a compound one with its clauses, binds."""
        found = self._own.get(node)
        if found is None:
            found = self._own[node] = frozenset(self._names(node))
        return found

    def below(self, body: Iterable[ast.stmt]) -> frozenset[str]:
        """Return the names that a block and the blocks in it bind, those of definitions inside left out."""
        found: set[str] = set()
        self._add_below(body, found)
        return frozenset(found)

    def _add_below(self, body: Iterable[ast.stmt], found: set[str]) -> None:
        for node in body:
            if type(node) is ast.Assign and not self._may_hold_walrus(node):  # most statements that bind anything
                for target in node.targets:
                    if type(target) is ast.Name:
                        found.add(target.id)
                    else:
                        found.update(target_names(target))
            elif is_compound(node):
                found |= self._with_blocks(node)
            elif type(node) not in _BINDING_NOTHING or self._may_hold_walrus(node):
                found.update(self._names(node))

    def _with_blocks(self, node: ast.stmt) -> set[str]:
        found = self._below.get(node)
        if found is None:
            found = self._below[node] = set(self._names(node))
            if not isinstance(node, (*FunctionNode, ast.ClassDef)):
                for block in blocks(node):
                    self._add_below(block, found)
        return found

    def _names(self, node: ast.stmt) -> Iterator[str]:
        if isinstance(node, (*FunctionNode, ast.ClassDef)):
            yield node.name
            return
        if not isinstance(node, ast.AnnAssign) or node.value is not None:
            for target in targets_of(node):
                yield from target_names(target)
        yield from clause_names(node)
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            yield from (name for alias in node.names for name in names_bound(alias))
        elif isinstance(node, (ast.Global, ast.Nonlocal)):
            yield from node.names
        if self._may_hold_walrus(node):
            for root in in_header(node) if is_compound(node) else (node,):
                yield from (part.target.id for part in below(root) if isinstance(part, ast.NamedExpr))

    def _may_hold_walrus(self, node: ast.stmt) -> bool:
        return self._walruses is None or self._walruses.are_in(node)
