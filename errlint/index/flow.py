"""Which values can be in which local name at each point of a function: reaching definitions.

A forward walk with one environment per point. Branches are joined, loops walked twice, handlers entered with
everything that held anywhere in their ``try``. What cannot be followed is opaque.
"""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable
from collections.abc import Sequence as Sequence_

from errlint.facts import Argument, Call, Entry, Handler, Mapping, Opaque, Sequence, Text, Value, Variable, only, store
from errlint.findings import Span
from errlint.index.bindings import TRY, captured
from errlint.index.expressions import (
    MAX_GROWING,
    OPAQUE,
    add,
    and_more,
    constant_key,
    convert,
    dotted_name,
    given,
    joined,
    merge,
    subscript_key,
    variable,
)
from errlint.index.spans import Spans
from errlint.trees import caught_types

State = dict[str, Variable]
"""What local names can hold; names that are not in it are unknown."""

_UNKNOWN = (OPAQUE,)

Block = Sequence_[ast.stmt]
_Jump = State | None


def join(first: _Jump, second: _Jump) -> _Jump:
    """Return what holds where two paths meet; ``None`` stands for a path that is never taken."""
    if first is None:
        return second
    if second is None or first is second:
        return first
    found: State = {}
    for name, before in first.items():
        after = second.get(name)
        if before is not after:  # most names are the same on both paths
            both = joined(before, after or Variable(name, _UNKNOWN))
            if both is not before:
                found[name] = both
    for name in second.keys() - first.keys():
        found[name] = joined(Variable(name, _UNKNOWN), second[name])
    return {**first, **found} if found else first


class Flow:
    """Walks one function and calls back for each of its statements, in document order.

    ``on_statement(statement, state, handlers)`` is called once per statement (also in unreachable code, then with
    an empty state). Nested definitions are reported and not entered. :attr:`ends` tells after :meth:`walk` whether the
    end of the body is reachable, :attr:`exits` how each ``except`` clause and ``finally`` (by ``id``) can be left.
    """

    def __init__(self, on_statement: Callable[[ast.stmt, State, tuple[Handler, ...]], None], spans: Spans) -> None:
        self._spans = spans
        self._report = on_statement
        self._quiet = 0
        self._handlers: tuple[Handler, ...] = ()
        self._tries: tuple[Span, ...] = ()
        self._exits: list[tuple[set[str], int, ast.AST]] = []
        self.exits: dict[int, tuple[str, ...]] = {}
        self._raised: list[_Jump] = []
        self._added: _Jump = None  # the state that was joined to the last of them last
        self._breaks: list[_Jump] = []
        self._continues: list[_Jump] = []
        self.ends = True

    @property
    def in_loop(self) -> bool:
        """Whether the statement that is reported stands in a loop."""
        return bool(self._breaks)

    @property
    def tries(self) -> tuple[Span, ...]:
        """The places of the ``try`` and ``with suppress`` statements in whose bodies the reported one stands."""
        return self._tries

    def walk(self, body: Block) -> None:
        """Walk the body of a function, or of a module, once."""
        self.ends = self._block(body, {}) is not None
        # What is called back often knows this walk: a circle that would keep the tree where nobody looks for circles.
        self._report = _nothing

    def _block(self, body: Block, state: _Jump) -> _Jump:
        for node in body:
            walker = _COMPOUND.get(type(node))
            state = self._simple(node, state) if walker is None else walker(self, node, state)
        return state

    def _visit(self, node: ast.stmt, state: _Jump) -> None:
        if not self._quiet:
            self._report(node, state if state is not None else {}, self._handlers)
        if self._raised and state is not None and state is not self._added:
            self._raised[-1] = join(self._raised[-1], state)
            self._added = state

    # --- simple statements --------------------------------------------------------------------------------------

    def _simple(self, node: ast.stmt, state: _Jump) -> _Jump:
        self._visit(node, state)
        if type(node) is ast.Break:
            if self._breaks:
                self._breaks[-1] = join(self._breaks[-1], state)
            self._jump(state)
            return None
        if type(node) is ast.Continue:
            if self._continues:
                self._continues[-1] = join(self._continues[-1], state)
            self._jump(state)
            return None
        if isinstance(node, (ast.Return, ast.Raise)):
            if state is not None:
                self._leave(node)
            return None
        return None if state is None else execute(node, state)

    def _leave(self, node: ast.Return | ast.Raise) -> None:
        for exits, _, left in self._exits:
            is_again = left is self._exits[-1][2] and _is_again(node, left)
            exits.add("again" if is_again else "return" if isinstance(node, ast.Return) else "raise")

    def _jump(self, state: _Jump) -> None:
        """Note a ``break`` or ``continue`` of a loop around the innermost handler."""
        if state is not None:
            for exits, loops, _ in self._exits:
                if loops == len(self._breaks):
                    exits.add("jump")

    def _watched(self, key: int, clause: ast.AST, body: Block, state: _Jump) -> _Jump:
        """Walk the block of a clause, and note below ``key`` how it can be left."""
        exits: set[str] = set()
        self._exits.append((exits, len(self._breaks), clause))
        after = self._block(body, state)
        self._exits.pop()
        if after is not None:
            exits.add("end")
        self.exits[key] = tuple(sorted(exits))
        return after

    # --- compound statements ------------------------------------------------------------------------------------

    def _definition(self, node: ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef, state: _Jump) -> _Jump:
        self._visit(node, state)
        return None if state is None else {name: state[name] for name in state if name != node.name}

    def _with(self, node: ast.With | ast.AsyncWith, state: _Jump) -> _Jump:
        self._visit(node, state)
        if state is not None:
            for item in node.items:
                state = bind_expression(item.context_expr, state)
                if item.optional_vars:
                    state = bind(item.optional_vars, OPAQUE, state)
        outer = self._tries
        swallows = suppressed(node) is not None
        if swallows:
            self._tries = (self._spans.of(node), *outer)
        after = self._block(node.body, state)
        self._tries = outer
        return join(after, state) if swallows else after

    def _if(self, node: ast.If, state: _Jump) -> _Jump:
        after: _Jump = None
        current = node
        while True:
            self._visit(current, state)
            if state is not None:
                state = bind_expression(current.test, state)
            after = join(after, self._block(current.body, state))
            following = elif_of(current)
            if following is None:
                return join(after, self._block(current.orelse, state) if current.orelse else state)
            current = following

    def _loop(self, node: ast.For | ast.AsyncFor | ast.While, state: _Jump) -> _Jump:
        self._visit(node, state)
        endless = isinstance(node, ast.While) and isinstance(node.test, ast.Constant) and is_true(node.test)
        self._quiet += 1
        _, back = self._iteration(node, state)
        self._quiet -= 1
        left, back = self._iteration(node, join(state, back))
        finished = None if endless else join(state, back)
        if node.orelse:
            finished = self._block(node.orelse, finished)
        return join(finished, left)

    def _iteration(self, node: ast.For | ast.AsyncFor | ast.While, state: _Jump) -> tuple[_Jump, _Jump]:
        """Walk a loop's body once; return what holds at its breaks and at the way back to its head."""
        self._breaks.append(None)
        self._continues.append(None)
        if state is not None:
            state = (
                bind_expression(node.test, state) if isinstance(node, ast.While) else bind(node.target, OPAQUE, state)
            )
        end = self._block(node.body, state)
        return self._breaks.pop(), join(end, self._continues.pop())

    def _try(self, node: ast.Try, state: _Jump) -> _Jump:
        self._visit(node, state)
        self._raised.append(state)
        self._added = state
        tries = self._tries
        self._tries = (self._spans.of(node), *tries)
        after = self._block(node.body, state)
        self._tries = tries
        raised = self._raised.pop()
        if self._raised:
            self._raised[-1] = join(self._raised[-1], raised)
        self._added = None
        if node.orelse:
            after = self._block(node.orelse, after)
        outer = self._handlers
        for handler in node.handlers:
            name = handler.name or ""
            self._handlers = (Handler(exception_names(handler), name), *outer)
            entered = None if raised is None else {key: raised[key] for key in raised if key != name}
            after = join(after, self._watched(id(handler), handler, handler.body, entered))
        self._handlers = outer
        if node.finalbody:
            if after is None:
                self._watched(id(node.finalbody), node, node.finalbody, raised)
                return None
            after = self._watched(id(node.finalbody), node, node.finalbody, after)
        return after

    def _match(self, node: ast.Match, state: _Jump) -> _Jump:
        self._visit(node, state)
        after: _Jump = None
        for case in node.cases:
            entered = None if state is None else _forgotten(state, captured(case.pattern))
            after = join(after, self._block(case.body, entered))
            if isinstance(case.pattern, ast.MatchAs) and case.pattern.pattern is None and case.guard is None:
                return after
        return join(after, state)


def _nothing(statement: ast.stmt, state: State, handlers: tuple[Handler, ...]) -> None:
    """Take no notice of a statement."""


_COMPOUND: dict[type[ast.stmt], Callable[..., _Jump]] = {
    ast.FunctionDef: Flow._definition,
    ast.AsyncFunctionDef: Flow._definition,
    ast.ClassDef: Flow._definition,
    ast.If: Flow._if,
    ast.For: Flow._loop,
    ast.AsyncFor: Flow._loop,
    ast.While: Flow._loop,
    ast.With: Flow._with,
    ast.AsyncWith: Flow._with,
    ast.Match: Flow._match,
    **dict.fromkeys(TRY, Flow._try),
}


def elif_of(node: ast.If) -> ast.If | None:
    """Return the ``elif`` of an ``if``; an ``if`` alone in an ``else`` is none, and has another column."""
    following = node.orelse[0] if len(node.orelse) == 1 else None
    return following if isinstance(following, ast.If) and following.col_offset == node.col_offset else None


def is_true(node: ast.expr) -> bool:
    """Whether the condition of a loop always holds: ``True``, ``1``."""
    return isinstance(node, ast.Constant) and type(node.value) in (bool, int) and bool(node.value)


def _is_again(node: ast.Return | ast.Raise, left: ast.AST) -> bool:
    """Whether a statement raises what a handler caught again: ``raise``, or ``raise error`` by the handler's name."""
    if not isinstance(node, ast.Raise) or not isinstance(left, ast.ExceptHandler):
        return False
    return node.exc is None or (isinstance(node.exc, ast.Name) and node.exc.id == left.name)


def suppressed(node: ast.With | ast.AsyncWith) -> tuple[str, ...] | None:
    """Return the exceptions that ``with suppress(...)`` swallows, ``None`` for any other ``with``."""
    return next((types for item in node.items if (types := suppressed_by(item.context_expr)) is not None), None)


def suppressed_by(manager: ast.expr) -> tuple[str, ...] | None:
    """Return the exceptions that a context manager swallows which ``suppress`` makes, ``None`` for any other one."""
    if type(manager) is not ast.Call or dotted_name(manager.func).rpartition(".")[2] != "suppress":
        return None
    return tuple(dotted_name(value) or "?" for _, value in given(manager))


def exception_names(handler: ast.ExceptHandler) -> tuple[str, ...]:
    """Return the dotted names in an ``except`` clause, ``?`` for what is none; none for a clause of everything."""
    types = (each.value if isinstance(each, ast.Starred) else each for each in caught_types(handler))
    return tuple(dotted_name(each) or "?" for each in types)


def bind(target: ast.expr, value: Value, state: State) -> State:
    """Return the state after ``target = value``."""
    if type(target) is ast.Name:
        return {**state, target.id: variable(target.id, (value,))}
    if isinstance(target, (ast.Tuple, ast.List)):
        known = value.items if type(value) is Sequence and len(value.items) == len(target.elts) else None
        for index, element in enumerate(target.elts):
            if isinstance(element, ast.Starred):
                state = bind(element.value, OPAQUE, state)
            else:
                state = bind(element, known[index] if known else OPAQUE, state)
        return state
    if type(target) is ast.Subscript:
        return _store_item(target, value, state)
    if type(target) is ast.Attribute and type(target.value) is ast.Name:
        return _change(target.value.id, state, lambda old: _with_attribute(old, target.attr, value))
    return state


def _change(name: str, state: State, change: Callable[[Value], Value]) -> State:
    """Return the state after the values of a name were changed in place."""
    if name not in state:
        return state
    values = state[name].values
    changed = tuple(map(change, values))
    if all(map(operator.is_, changed, values)):
        return state
    return {**state, name: variable(name, changed)}


def _with_attribute(old: Value, attribute: str, value: Value) -> Value:
    if type(old) is not Call:
        return old
    kept = tuple(argument for argument in old.arguments if argument.name != attribute)
    return Call(old.name, (*kept, Argument(attribute, value)), old.inner)


def _store_item(target: ast.Subscript, value: Value, state: State) -> State:
    key = subscript_key(target)
    if type(target.value) is ast.Name:
        name = target.value.id
        if name not in state and key is not None:
            state = {**state, name: Variable(name, _UNKNOWN)}
        return _change(name, state, lambda old: _with_entry(old, key, value))
    name, keys = _below(target.value)
    if name and None not in keys:
        return _change(name, state, lambda old: _inside(old, keys, lambda inner: _with_entry(inner, key, value)))
    return state


def _below(node: ast.expr) -> tuple[str, tuple[str | None, ...]]:
    """Return the name and the keys of ``name["a"]["b"]``; "" for any other expression."""
    keys: list[str | None] = []
    while type(node) is ast.Subscript:
        keys.append(subscript_key(node))
        node = node.value
    return (node.id if type(node) is ast.Name else ""), tuple(reversed(keys))


def _inside(old: Value, keys: tuple[str | None, ...], change: Callable[[Value], Value]) -> Value:
    """Return a mapping after a change of the one that it has at some keys, one below the other."""
    mapping = only(old)
    if not keys:
        return change(mapping) if type(mapping) is Mapping else old
    part = (
        next((each.value for each in mapping.entries if each.key == keys[0]), None)
        if type(mapping) is Mapping
        else None
    )
    return old if part is None else _with_entry(mapping, keys[0], _inside(part, keys[1:], change))


def _with_entry(old: Value, key: str | None, value: Value) -> Value:
    if type(old) is Mapping:
        return Mapping(store(old.entries, Entry(key, value)), old.spreads)
    if key is None or (type(old) is Text or type(old) is Sequence):
        return OPAQUE
    return Mapping((Entry(key, value),), (old,))


def bind_expression(node: ast.expr, state: State) -> State:
    """Return the state after the assignments (``:=``) at the top of an expression."""
    if type(node) is ast.NamedExpr:
        return bind(node.target, convert(node.value, state), state)
    if type(node) is ast.Compare:
        return bind_expression(node.left, state)
    if type(node) is ast.UnaryOp:
        return bind_expression(node.operand, state)
    if type(node) is ast.BoolOp:
        for item in node.values:
            state = bind_expression(item, state)
    return state


def execute(node: ast.stmt, state: State) -> State:
    """Return the state after a simple statement."""
    if isinstance(node, ast.Assign):
        value = convert(node.value, state)
        for target in node.targets:
            state = bind(target, value, state)
    elif isinstance(node, ast.AnnAssign):
        if node.value is not None:
            state = bind(node.target, convert(node.value, state), state)
    elif isinstance(node, ast.AugAssign):
        state = _augmented(node, state)
    elif isinstance(node, ast.Delete):
        for item in node.targets:
            if isinstance(item, ast.Name):
                state = _forgotten(state, {item.id})
            elif isinstance(item, ast.Subscript) and isinstance(item.value, ast.Name):
                key = subscript_key(item)
                state = _change(item.value.id, state, lambda old: _without(old, key))  # noqa: B023 -- called at once
    elif isinstance(node, ast.Expr):
        if isinstance(node.value, ast.Call):
            state = _mutated(node.value, state)
    elif isinstance(node, (ast.Import, ast.ImportFrom)):
        state = _forgotten(state, {alias.asname or alias.name.partition(".")[0] for alias in node.names})
    elif isinstance(node, (ast.Global, ast.Nonlocal)):
        state = _forgotten(state, set(node.names))
    return state


def _forgotten(state: State, names: set[str]) -> State:
    return {name: state[name] for name in state if name not in names}


def _without(old: Value, key: str | None) -> Value:
    if type(old) is Mapping and key is not None:
        return Mapping(tuple(entry for entry in old.entries if entry.key != key), old.spreads)
    return OPAQUE


def _augmented(node: ast.AugAssign, state: State) -> State:
    value = convert(node.value, state)
    if isinstance(node.target, ast.Name):
        if isinstance(node.op, ast.Add):
            is_followed = node.target.id not in state or len(state[node.target.id].values) <= MAX_GROWING
            return _change(node.target.id, state, lambda old: add(old, value) if is_followed else and_more(old))
        if isinstance(node.op, ast.BitOr):
            return _change(node.target.id, state, lambda old: merge(old, value))
        return _change(node.target.id, state, lambda old: OPAQUE)
    return _store_item(node.target, OPAQUE, state) if isinstance(node.target, ast.Subscript) else state


def _mutated(call: ast.Call, state: State) -> State:
    """Return the state after a call statement that may change its receiver in place."""
    function = call.func
    if type(function) is not ast.Attribute:
        return state
    (name, keys), method = _below(function.value), function.attr
    if name not in state or None in keys:
        return state
    taken = given(call)
    if method == "update":
        change: Value = Mapping(())
        for keyword, each in taken:
            value = convert(each, state)
            is_named = keyword not in ("", "*", "**")
            change = merge(change, Mapping((Entry(keyword, value),)) if is_named else value)
        if keys:
            return _change(name, state, lambda old: _inside(old, keys, lambda inner: merge(inner, change)))
        return _change(name, state, lambda old: merge(old, change))
    if method == "setdefault" and len(taken) == 2 and (key := constant_key(taken[0][1])) is not None:
        value = convert(taken[1][1], state)
        if keys:
            return _change(name, state, lambda old: _inside(old, keys, lambda inner: _with_entry(inner, key, value)))
        return _change(name, state, lambda old: _with_entry(old, key, value))
    if keys:
        return state
    if method in ("append", "extend", "insert", "add", "pop", "clear", "remove", "popitem"):
        # Items gathered one by one are parts of a result, not the result.
        return _change(
            name,
            state,
            lambda old: (
                OPAQUE
                if (type(old) is Sequence or type(old) is Opaque) or method in ("pop", "clear", "popitem")
                else old
            ),
        )
    return state
