"""Which values can be in which local name at each point of a function: reaching definitions.

There is one environment per point. What cannot be followed is opaque.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Collection

from errlint.error_keywords import NUMBER_KEYS, RESULT_KEYS, SUCCESS_NUMBERS
from errlint.facts import Constant, Filled, Handler, Mapping, Value, Variable, dicts_in
from errlint.findings import Span
from errlint.index.bindings import TRY, FunctionNode, captured, targets_of
from errlint.index.catching import exception_names
from errlint.index.effects import State, bind, bind_expression, execute, forgotten, join
from errlint.index.expressions import OPAQUE
from errlint.index.forward import Block, Forward
from errlint.index.spans import Spans


class Flow(Forward[State]):
    """Walks one function and calls back for each of its statements, in document order.

    ``given`` are the names of its parameters, which hold what a call gives until they are bound again.
    ``on_statement(statement, state, handlers)`` is called once per statement (also in unreachable code, then with
    an empty state). Nested definitions are reported and not entered. :attr:`ends` tells after :meth:`walk` whether the
    end of the body is reachable, :attr:`exits` how each ``except`` clause and ``finally`` (by ``id``) can be left,
    :attr:`begun` which dicts with the number of a success names are bound to. Where :attr:`keeps_origins` is set on the
    way, :meth:`origins` tells of what comes behind.
    """

    def __init__(
        self,
        on_statement: Callable[[ast.stmt, State, tuple[Handler, ...]], None],
        spans: Spans,
        given: Collection[str] = (),
    ) -> None:
        super().__init__()
        self._given = given
        self._spans = spans
        self._report = on_statement
        self._handlers: tuple[Handler, ...] = ()
        self._tries: tuple[Span, ...] = ()
        self._exits: list[tuple[set[str], int, ast.AST]] = []
        self._stored: dict[int, tuple[Span, bool]] = {}  # by the `id` of an entry: where, and whether in a loop
        self._kept: dict[int, object] = {}  # what these are of, so that nothing else gets one of them
        self.exits: dict[int, tuple[str, ...]] = {}
        self._origins: dict[int, tuple[Value, frozenset[Span]]] = {}  # by the `id` of a value that a name got
        self.begun: dict[Mapping, None] = {}
        self.ends = True
        self.keeps_origins = False

    @property
    def in_loop(self) -> bool:
        """Whether the statement that is reported stands in a loop."""
        return self.loops > 0

    @property
    def tries(self) -> tuple[Span, ...]:
        """The places of the ``try`` and ``with suppress`` statements in whose bodies the reported one stands."""
        return self._tries

    def walk(self, body: Block) -> None:
        """Walk the body of a function, or of a module, once."""
        self.ends = self.block(body, {}) is not None
        # What is called back often knows this walk: a circle that would keep the tree where nobody looks for circles.
        self._report = _nothing

    def join(self, first: State | None, second: State | None) -> State | None:
        """Return what names can hold where two ways meet."""
        return join(first, second, self._given)

    def step(self, node: ast.stmt, state: State | None) -> State | None:
        """Report a statement, and return what names can hold behind it."""
        if not self.is_first_round:
            self._report(node, state if state is not None else {}, self._handlers)
        if state is None:
            return None
        if type(node) is ast.If:
            return bind_expression(node.test, state)
        if type(node) in _UNBINDING:
            return state
        if isinstance(node, (ast.With, ast.AsyncWith)):
            for item in node.items:
                state = bind_expression(item.context_expr, state)
                if item.optional_vars:
                    state = bind(item.optional_vars, OPAQUE, state)
            return state
        if isinstance(node, (*FunctionNode, ast.ClassDef)):
            return forgotten(state, (node.name,))
        after = execute(node, state)
        if after is not state:
            self._note(node, state, after)
        return after

    def _note(self, node: ast.stmt, before: State, after: State) -> None:
        """Note which keys the dicts of a name got by a statement that binds it, or stores into them."""
        target: ast.expr | None = None
        if type(node) is ast.Assign or type(node) is ast.AnnAssign:
            target = targets_of(node)[0]
        elif type(node) is ast.Expr and type(node.value) is ast.Call and type(node.value.func) is ast.Attribute:
            target = node.value.func.value
        is_stored = type(target) is not ast.Name or type(node) is ast.Expr
        while type(target) is ast.Subscript:
            target = target.value
        held = after.get(target.id) if type(target) is ast.Name else None
        if held is not None and self.keeps_origins:
            self._note_origins(held, before.get(held.name) if is_stored else None, self._spans.of(node))
        for value in held.values if held is not None else ():
            if type(value) is Mapping and id(value) not in self._kept:
                self._kept[id(value)] = value
                is_added = is_stored and self.loops > 0
                for entry in value.entries:
                    if entry.key is not None and entry.key.lower() in RESULT_KEYS and id(entry) not in self._stored:
                        self._kept[id(entry)] = entry
                        self._stored[id(entry)] = (self._spans.of(node), is_added)
                        if not is_stored and _is_number_of_success(entry.key, entry.value):
                            self.begun[value] = None

    def _note_origins(self, held: Variable, before: Variable | None, span: Span) -> None:
        """Note by which statements the values of a name came to be; ``before`` are those that one changed in place."""
        changed = before.values if before is not None and len(before.values) == len(held.values) else ()
        for index, value in enumerate(held.values):
            known = self._origins.get(id(changed[index])) if changed else None
            self._origins.setdefault(id(value), (value, known[1] | {span} if known else frozenset({span})))

    def origins(self, value: Value) -> tuple[frozenset[Span], ...]:
        """Return the statements by which each of the values of a name came to be, none where they are not known.

        Empty for anything but a name, and for one that may hold what is not known.
        """
        if type(value) is not Variable or not self._origins or OPAQUE in value.values:
            return ()
        return tuple(self._origin(item) for item in value.values)

    def _origin(self, value: Value) -> frozenset[Span]:
        found = {spans for other, spans in self._origins.values() if other == value}
        return found.pop() if len(found) == 1 else frozenset()  # of two that are equal, one is kept where ways meet

    def filled(self, value: Value) -> tuple[Filled, ...]:
        """Return where the dicts that a name in a value holds got the keys that may tell of an error."""
        held = dicts_in(value) if self._stored else None
        found: dict[tuple[int, Span, bool], list[str]] = {}
        for index, item in enumerate(held.values if held is not None else ()):
            for entry in item.entries if type(item) is Mapping else ():
                if entry.key is not None and (place := self._stored.get(id(entry))):
                    found.setdefault((index, *place), []).append(entry.key)
        return tuple(Filled(index, span, tuple(keys), is_added) for (index, span, is_added), keys in found.items())

    def entered(self, node: ast.For | ast.AsyncFor | ast.While, state: State) -> State:
        """Return what names can hold when a round of a loop begins."""
        return bind_expression(node.test, state) if isinstance(node, ast.While) else bind(node.target, OPAQUE, state)

    def matched(self, case: ast.match_case, state: State) -> State:
        """Return what names can hold where a pattern fits."""
        return forgotten(state, captured(case.pattern))

    def clause(self, node: ast.stmt | ast.ExceptHandler, body: Block, state: State | None) -> State | None:
        """Walk a block in which exceptions are caught, or which is entered for one."""
        if isinstance(node, ast.ExceptHandler):
            outer = self._handlers
            name = node.name or ""
            self._handlers = (Handler(exception_names(node), name), *outer)
            after = self._watched(id(node), node, body, None if state is None else forgotten(state, (name,)))
            self._handlers = outer
            return after
        if isinstance(node, TRY) and body is node.finalbody:
            return self._watched(id(body), node, body, state)
        around = self._tries
        self._tries = (self._spans.of(node), *around)
        after = self.block(body, state)
        self._tries = around
        return after

    def left(self, node: ast.stmt, state: State | None) -> None:
        """Note in which way the handlers around a statement can be left by it."""
        if state is None:
            return
        if isinstance(node, (ast.Return, ast.Raise)):
            for exits, _, clause in self._exits:
                is_again = clause is self._exits[-1][2] and _is_again(node, clause)
                exits.add("again" if is_again else "return" if isinstance(node, ast.Return) else "raise")
        else:
            for exits, loops, _ in self._exits:
                if loops == self.loops:
                    exits.add("jump")

    def _watched(self, key: int, clause: ast.AST, body: Block, state: State | None) -> State | None:
        """Walk the block of a clause, and note below ``key`` how it can be left."""
        exits: set[str] = set()
        self._exits.append((exits, self.loops, clause))
        after = self.block(body, state)
        self._exits.pop()
        if after is not None:
            exits.add("end")
        self.exits[key] = tuple(sorted(exits))
        return after


_UNBINDING = frozenset({ast.Return, ast.Raise, ast.Pass, ast.Break, ast.Continue, ast.Assert})
"""Statements after which names can hold what they could before."""


def _is_number_of_success(key: str, value: Value) -> bool:
    return key.lower() in NUMBER_KEYS and type(value) is Constant and value.value in SUCCESS_NUMBERS


def _nothing(statement: ast.stmt, state: State, handlers: tuple[Handler, ...]) -> None:
    """Take no notice of a statement."""


def _is_again(node: ast.Return | ast.Raise, left: ast.AST) -> bool:
    """Whether a statement raises what a handler caught again: ``raise``, or ``raise error`` by the handler's name."""
    if not isinstance(node, ast.Raise) or not isinstance(left, ast.ExceptHandler):
        return False
    return node.exc is None or (isinstance(node.exc, ast.Name) and node.exc.id == left.name)
