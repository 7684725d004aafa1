"""One walk for every question about what holds at a point of a function: forward, each branch by itself.

A question is a subclass of :class:`Forward`. It has its *states*, what is known at one point, and says how a statement
changes one and what is known where two ways meet. How control gets from one statement to the next is known here.
"""

from __future__ import annotations

import ast
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from typing import Any, Generic, TypeVar

from errlint.index.bindings import TRY
from errlint.index.catching import suppressed

Block = Sequence[ast.stmt]

_State = TypeVar("_State")


class Forward(ABC, Generic[_State]):
    """Walks the body of a function, or of a module.

    A point that is never reached has the state ``None``. Loops are walked twice, since what a round does holds in the
    next one; :attr:`is_first_round` is true in the round that will come again. A handler is entered with what held
    wherever its ``try`` may have failed. Definitions are statements like others and are not entered.
    """

    def __init__(self) -> None:
        self._rounds = 0
        self._raised: list[_State | None] = []
        self._failed: _State | None = None  # what was joined to the last of them last
        self._breaks: list[_State | None] = []
        self._continues: list[_State | None] = []

    @abstractmethod
    def join(self, first: _State | None, second: _State | None) -> _State | None:
        """Return what is known where two ways meet."""

    @abstractmethod
    def step(self, node: ast.stmt, state: _State | None) -> _State | None:
        """Return what is known behind a simple statement, or behind what the header of a compound one evaluates."""

    def failed(self, before: _State, after: _State | None) -> _State | None:
        """Return what is known where a statement fails: what held before it, if nothing else is said."""
        return before

    def entered(self, node: ast.For | ast.AsyncFor | ast.While, state: _State) -> _State:
        """Return what is known when a round of a loop begins."""
        return state

    def decided(self, test: ast.expr, state: _State | None, *, holds: bool) -> _State | None:
        """Return what is known where a condition came out like this."""
        return state

    def matched(self, case: ast.match_case, state: _State) -> _State:
        """Return what is known where a pattern fits."""
        return state

    def clause(self, node: ast.stmt | ast.ExceptHandler, body: Block, state: _State | None) -> _State | None:
        """Walk a block of a ``try``, of one of its handlers or of a ``with suppress``; return what holds at its end."""
        return self.block(body, state)

    def left(self, node: ast.stmt, state: _State | None) -> None:
        """Take notice of a ``return``, ``raise``, ``break`` or ``continue``."""

    @property
    def is_first_round(self) -> bool:
        """Whether all that is walked now is walked once more."""
        return self._rounds > 0

    @property
    def loops(self) -> int:
        """How many loops are around the point where the walk is."""
        return len(self._breaks)

    def block(self, body: Block, state: _State | None) -> _State | None:
        """Walk a block that begins in a state; return what is known at its end."""
        for node in body:
            walker = _WALKERS.get(type(node))
            state = self._step(node, state) if walker is None else walker(self, node, state)
        return state

    def _step(self, node: ast.stmt, state: _State | None) -> _State | None:
        after = self.step(node, state)
        if self._raised and state is not None:
            failed = self.failed(state, after)
            if failed is not self._failed:
                self._raised[-1] = self.join(self._raised[-1], failed)
                self._failed = failed
        return after

    def _leave(self, node: ast.Return | ast.Raise, state: _State | None) -> None:
        self.left(node, self._step(node, state))

    def _break(self, node: ast.Break, state: _State | None) -> None:
        after = self._step(node, state)
        if self._breaks:
            self._breaks[-1] = self.join(self._breaks[-1], after)
        self.left(node, after)

    def _continue(self, node: ast.Continue, state: _State | None) -> None:
        after = self._step(node, state)
        if self._continues:
            self._continues[-1] = self.join(self._continues[-1], after)
        self.left(node, after)

    def _if(self, node: ast.If, state: _State | None) -> _State | None:
        after: _State | None = None
        current = node
        while True:
            state = self._step(current, state)
            after = self.join(after, self.block(current.body, self.decided(current.test, state, holds=True)))
            state = self.decided(current.test, state, holds=False)
            following = elif_of(current)
            if following is None:
                return self.join(after, self.block(current.orelse, state))
            current = following

    def _loop(self, node: ast.For | ast.AsyncFor | ast.While, state: _State | None) -> _State | None:
        state = self._step(node, state)
        self._rounds += 1
        _, back = self._round(node, state)
        self._rounds -= 1
        left, back = self._round(node, self.join(state, back))
        finished = self.block(node.orelse, None if is_endless(node) else self.join(state, back))
        return self.join(finished, left)

    def _round(
        self, node: ast.For | ast.AsyncFor | ast.While, state: _State | None
    ) -> tuple[_State | None, _State | None]:
        """Walk a loop's body once; return what holds at its breaks and at the way back to its head."""
        self._breaks.append(None)
        self._continues.append(None)
        end = self.block(node.body, None if state is None else self.entered(node, state))
        return self._breaks.pop(), self.join(end, self._continues.pop())

    def _with(self, node: ast.With | ast.AsyncWith, state: _State | None) -> _State | None:
        state = self._step(node, state)
        if suppressed(node) is None:
            return self.block(node.body, state)
        after, raised = self._tried(node, state)
        return self.join(after, raised)

    def _try(self, node: ast.Try, state: _State | None) -> _State | None:
        after, raised = self._tried(node, self._step(node, state))
        after = self.block(node.orelse, after)
        for handler in node.handlers:
            after = self.join(after, self.clause(handler, handler.body, raised))
        if not node.finalbody:
            return after
        if after is not None:
            return self.clause(node, node.finalbody, after)
        self.clause(node, node.finalbody, raised)
        return None

    def _tried(
        self, node: ast.Try | ast.With | ast.AsyncWith, state: _State | None
    ) -> tuple[_State | None, _State | None]:
        """Walk what may fail; return what holds at its end, and where it failed."""
        self._raised.append(None)
        self._failed = None
        after = self.clause(node, node.body, state)
        raised = self._raised.pop()
        if self._raised:  # another exception than those that are caught here
            self._raised[-1] = self.join(self._raised[-1], raised)
        self._failed = None
        return after, raised

    def _match(self, node: ast.Match, state: _State | None) -> _State | None:
        state = self._step(node, state)
        after: _State | None = None
        for case in node.cases:
            after = self.join(after, self.block(case.body, None if state is None else self.matched(case, state)))
            if fits_all(case):
                return after
        return self.join(after, state)


_WALKERS: dict[type[ast.stmt], Callable[..., Any]] = {
    ast.Return: Forward._leave,
    ast.Raise: Forward._leave,
    ast.Break: Forward._break,
    ast.Continue: Forward._continue,
    ast.If: Forward._if,
    ast.For: Forward._loop,
    ast.AsyncFor: Forward._loop,
    ast.While: Forward._loop,
    ast.With: Forward._with,
    ast.AsyncWith: Forward._with,
    ast.Match: Forward._match,
    **dict.fromkeys(TRY, Forward._try),
}


def elif_of(node: ast.If) -> ast.If | None:
    """Return the ``elif`` of an ``if``; an ``if`` alone in an ``else`` is none, and has another column."""
    following = node.orelse[0] if len(node.orelse) == 1 else None
    return following if isinstance(following, ast.If) and following.col_offset == node.col_offset else None


def is_endless(node: ast.For | ast.AsyncFor | ast.While) -> bool:
    """Whether the condition of a loop always holds: ``True``, ``1``."""
    test = node.test if isinstance(node, ast.While) else None
    return isinstance(test, ast.Constant) and type(test.value) in (bool, int) and bool(test.value)


def fits_all(case: ast.match_case) -> bool:
    """Whether a case is that of everything which no case before it fits: ``case _``, ``case name``."""
    return isinstance(case.pattern, ast.MatchAs) and case.pattern.pattern is None and case.guard is None
