"""Which names certainly have a value at a point of a function, whatever way led to it."""

from __future__ import annotations

import ast
from typing import NamedTuple

from errlint.index.bindings import TRY, captured, parameter_names, target_names
from errlint.index.bound import Bindings
from errlint.index.forward import Block, Forward


class BoundState(NamedTuple):
    """The names that are bound for certain, and those that are on some way."""

    surely: frozenset[str]
    maybe: frozenset[str]

    def and_bound(self, names: frozenset[str]) -> BoundState:
        """Return what is known when names have been bound."""
        return BoundState(self.surely | names, self.maybe | names)

    def without(self, *names: str) -> BoundState:
        """Return what is known when names have lost their values."""
        return BoundState(self.surely.difference(names), self.maybe)

    def or_else(self, other: BoundState) -> BoundState:
        """Return what is known where two ways meet."""
        return BoundState(self.surely & other.surely, self.maybe | other.maybe)


class DefiniteAssignment(Forward[BoundState]):
    """Walks a block. ``everything`` are all the names it binds: they count as bound where nobody comes.

    What a handler calls the exception that it caught is no name with a value: it ends with the handler.
    """

    def __init__(self, everything: frozenset[str], bindings: Bindings) -> None:
        super().__init__()
        self._bindings = bindings
        self._nowhere = BoundState(everything, frozenset())
        self._begun: dict[ast.stmt, BoundState] = {}

    def join(self, first: BoundState | None, second: BoundState | None) -> BoundState | None:
        """Return what is bound where two ways meet."""
        return second if first is None else first if second is None else first.or_else(second)

    def step(self, node: ast.stmt, state: BoundState | None) -> BoundState | None:
        """Return what is bound behind a statement."""
        if isinstance(node, TRY):
            self._begun[node] = state or self._nowhere
        has_own_time = isinstance(node, (*TRY, ast.Match, ast.For, ast.AsyncFor, ast.While))
        if state is None or has_own_time or isinstance(node, (ast.Global, ast.Nonlocal)):
            return state
        if isinstance(node, ast.Delete):
            return state.without(*(name for target in node.targets for name in target_names(target)))
        return state.and_bound(self._bindings.of(node))

    def failed(self, before: BoundState, after: BoundState | None) -> BoundState | None:
        """Return what is bound where a statement fails: for certain, what was bound before it."""
        return before if after is None else BoundState(before.surely & after.surely, after.maybe)

    def entered(self, node: ast.For | ast.AsyncFor | ast.While, state: BoundState) -> BoundState:
        """Return what is bound when a round of a loop begins."""
        return state.and_bound(self._bindings.of(node))

    def matched(self, case: ast.match_case, state: BoundState) -> BoundState:
        """Return what is bound where a pattern fits."""
        return state.and_bound(frozenset(captured(case.pattern)))

    def clause(self, node: ast.stmt | ast.ExceptHandler, body: Block, state: BoundState | None) -> BoundState | None:
        """Walk a block in which exceptions are caught, or which is entered for one."""
        if isinstance(node, ast.ExceptHandler) and state is not None:
            return self.block(body, state.without(node.name or ""))
        if not isinstance(node, TRY) or body is not node.finalbody:
            return self.block(body, state)
        ended = state or self._nowhere
        # It is entered after a failure too, when nothing that the ``try`` binds is certain.
        cleared = self.block(body, BoundState(self._begun[node].surely & ended.surely, ended.maybe))
        if state is None or cleared is None:
            return None
        return BoundState(ended.surely | cleared.surely, ended.maybe | cleared.maybe)


class _Before(DefiniteAssignment):
    """Notes what is bound before each statement."""

    def __init__(self, bindings: Bindings) -> None:
        super().__init__(frozenset(), bindings)
        self.found: dict[ast.stmt, frozenset[str]] = {}

    def step(self, node: ast.stmt, state: BoundState | None) -> BoundState | None:
        """Note what is bound before a statement, and return what is behind it."""
        if not self.is_first_round:
            self.found[node] = state.surely if state is not None else frozenset()
        return super().step(node, state)


def bound_before(function: ast.FunctionDef | ast.AsyncFunctionDef, statement: ast.stmt) -> frozenset[str]:
    """Return the names of a function that certainly have a value when one of its statements begins."""
    before = _Before(Bindings(None))
    given = frozenset(parameter_names(function.args))
    before.block(function.body, BoundState(given, given))
    return before.found.get(statement, frozenset())
