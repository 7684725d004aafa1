"""Which values can be in which local name at each point of a function: reaching definitions over LibCST statements.

A forward walk with one environment per point. Branches are joined, loops walked twice, handlers entered with
everything that held anywhere in their ``try``. What cannot be followed is opaque.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

import libcst as cst

from errlint.collect.expressions import (
    MAX_VALUES,
    OPAQUE,
    add,
    bounded,
    constant_key,
    convert,
    dotted_name,
    inside,
    merge,
    subscript_key,
)
from errlint.facts import Argument, Call, Entry, Handler, Mapping, Opaque, Sequence, Text, Value, only, store

State = dict[str, tuple[Value, ...]]
"""The values of local names; names that are not in it are unknown."""

_UNKNOWN = (OPAQUE,)

Statement = cst.BaseSmallStatement | cst.BaseCompoundStatement
_Jump = State | None


def join(first: _Jump, second: _Jump) -> _Jump:
    """Return what holds where two paths meet; ``None`` stands for a path that is never taken."""
    if first is None:
        return second
    if second is None or first is second:
        return first
    joined: State = {}
    for name in first.keys() | second.keys():
        before, after = first.get(name, _UNKNOWN), second.get(name, _UNKNOWN)
        if before is after:  # most names are the same on both paths, and hashing their values takes time
            joined[name] = before
            continue
        values = _distinct((*before, *after))
        joined[name] = values if len(values) <= MAX_VALUES else (*values[: MAX_VALUES - 1], OPAQUE)
    return joined


def _distinct(values: Iterable[Value]) -> tuple[Value, ...]:
    """Return the values in order, each once. They are few, and to hash one takes longer than to compare it."""
    found: list[Value] = []
    for value in values:
        if value not in found:
            found.append(value)
    return tuple(found)


class Flow:
    """Walks one function and calls back for each of its statements, in document order.

    ``on_statement(statement, state, handlers)`` is called once per statement (also in unreachable code, then with
    an empty state). Nested definitions are reported and not entered. :attr:`ends` tells after :meth:`walk` whether the
    end of the body is reachable, :attr:`exits` how each ``except`` clause and ``finally`` (by ``id``) can be left.
    """

    def __init__(self, on_statement: Callable[[Statement, State, tuple[Handler, ...]], None]) -> None:
        self._report = on_statement
        self._quiet = 0
        self._handlers: tuple[Handler, ...] = ()
        self._tries: tuple[int, ...] = ()
        self._exits: list[tuple[set[str], int, cst.CSTNode]] = []
        self.exits: dict[int, tuple[str, ...]] = {}
        self._raised: list[_Jump] = []
        self._breaks: list[_Jump] = []
        self._continues: list[_Jump] = []
        self.ends = True

    @property
    def in_loop(self) -> bool:
        """Whether the statement that is reported stands in a loop."""
        return bool(self._breaks)

    @property
    def tries(self) -> tuple[int, ...]:
        """The ``try`` and ``with suppress`` statements (by ``id``) in whose bodies the reported one stands."""
        return self._tries

    def walk(self, body: cst.BaseSuite | cst.Module, parameters: tuple[str, ...] = ()) -> None:
        """Walk the body of a function, or of a module."""
        self.ends = self._suite(body, {}) is not None

    def _suite(self, body: cst.BaseSuite | cst.Module, state: _Jump) -> _Jump:
        for line in body.body:
            if type(line) is cst.SimpleStatementLine:
                for small in line.body:
                    state = self._small(small, state)
            elif isinstance(line, cst.BaseSmallStatement):
                state = self._small(line, state)
            else:
                assert isinstance(line, cst.BaseCompoundStatement)
                state = self._compound(line, state)
        return state

    def _visit(self, node: Statement, state: _Jump) -> None:
        if not self._quiet:
            self._report(node, state if state is not None else {}, self._handlers)
        if self._raised and state is not None:
            self._raised[-1] = join(self._raised[-1], state)

    # --- simple statements --------------------------------------------------------------------------------------

    def _small(self, node: cst.BaseSmallStatement, state: _Jump) -> _Jump:
        self._visit(node, state)
        if type(node) is cst.Break:
            if self._breaks:
                self._breaks[-1] = join(self._breaks[-1], state)
            self._jump(state)
            return None
        if type(node) is cst.Continue:
            if self._continues:
                self._continues[-1] = join(self._continues[-1], state)
            self._jump(state)
            return None
        if isinstance(node, (cst.Return, cst.Raise)):
            if state is not None:
                self._leave(node)
            return None
        return None if state is None else execute(node, state)

    def _leave(self, node: cst.Return | cst.Raise) -> None:
        for exits, _, left in self._exits:
            is_again = left is self._exits[-1][2] and _is_again(node, left)
            exits.add("again" if is_again else "return" if isinstance(node, cst.Return) else "raise")

    def _jump(self, state: _Jump) -> None:
        """Note a ``break`` or ``continue`` of a loop around the innermost handler."""
        if state is not None:
            for exits, loops, _ in self._exits:
                if loops == len(self._breaks):
                    exits.add("jump")

    def _watched(self, node: cst.CSTNode, body: cst.BaseSuite, state: _Jump) -> _Jump:
        """Walk a block, and note how it can be left."""
        exits: set[str] = set()
        self._exits.append((exits, len(self._breaks), node))
        after = self._suite(body, state)
        self._exits.pop()
        if after is not None:
            exits.add("end")
        self.exits[id(node)] = tuple(sorted(exits))
        return after

    # --- compound statements ------------------------------------------------------------------------------------

    def _compound(self, node: cst.BaseCompoundStatement, state: _Jump) -> _Jump:
        if type(node) is cst.If:
            return self._if(node, state)
        self._visit(node, state)
        if isinstance(node, (cst.FunctionDef, cst.ClassDef)):
            return None if state is None else {name: state[name] for name in state if name != node.name.value}
        if isinstance(node, (cst.For, cst.While)):
            return self._loop(node, state)
        if type(node) is cst.With:
            if state is not None:
                for item in node.items:
                    state = bind_expression(item.item, state)
                    if item.asname:
                        state = bind(item.asname.name, OPAQUE, state)
            outer = self._tries
            swallows = suppressed(node) is not None
            if swallows:
                self._tries = (id(node), *outer)
            after = self._suite(node.body, state)
            self._tries = outer
            return join(after, state) if swallows else after
        if isinstance(node, (cst.Try, cst.TryStar)):
            return self._try(node, state)
        assert isinstance(node, cst.Match)
        return self._match(node, state)

    def _if(self, node: cst.If, state: _Jump) -> _Jump:
        after: _Jump = None
        current: cst.If | cst.Else | None = node
        while type(current) is cst.If:
            self._visit(current, state)
            if state is not None:
                state = bind_expression(current.test, state)
            after = join(after, self._suite(current.body, state))
            current = current.orelse
        return join(after, self._suite(current.body, state) if current else state)

    def _loop(self, node: cst.For | cst.While, state: _Jump) -> _Jump:
        endless = type(node) is cst.While and type(node.test) is cst.Name and node.test.value == "True"
        endless = endless or (type(node) is cst.While and isinstance(node.test, cst.Integer) and node.test.value != "0")
        self._quiet += 1
        _, back = self._iteration(node, state)
        self._quiet -= 1
        left, back = self._iteration(node, join(state, back))
        finished = None if endless else join(state, back)
        if node.orelse:
            finished = self._suite(node.orelse.body, finished)
        return join(finished, left)

    def _iteration(self, node: cst.For | cst.While, state: _Jump) -> tuple[_Jump, _Jump]:
        """Walk a loop's body once; return what holds at its breaks and at the way back to its head."""
        self._breaks.append(None)
        self._continues.append(None)
        if state is not None:
            state = bind(node.target, OPAQUE, state) if isinstance(node, cst.For) else bind_expression(node.test, state)
        end = self._suite(node.body, state)
        return self._breaks.pop(), join(end, self._continues.pop())

    def _try(self, node: cst.Try | cst.TryStar, state: _Jump) -> _Jump:
        self._raised.append(state)
        tries = self._tries
        self._tries = (id(node), *tries)
        after = self._suite(node.body, state)
        self._tries = tries
        raised = self._raised.pop()
        if self._raised:
            self._raised[-1] = join(self._raised[-1], raised)
        if node.orelse:
            after = self._suite(node.orelse.body, after)
        outer = self._handlers
        for handler in node.handlers:
            name = handler.name.name.value if handler.name and type(handler.name.name) is cst.Name else ""
            self._handlers = (Handler(exception_names(handler.type), name), *outer)
            entered = None if raised is None else {key: raised[key] for key in raised if key != name}
            after = join(after, self._watched(handler, handler.body, entered))
        self._handlers = outer
        if node.finalbody:
            if after is None:
                self._watched(node.finalbody, node.finalbody.body, raised)
                return None
            after = self._watched(node.finalbody, node.finalbody.body, after)
        return after

    def _match(self, node: cst.Match, state: _Jump) -> _Jump:
        after: _Jump = None
        for case in node.cases:
            entered = None if state is None else {k: v for k, v in state.items() if k not in captured(case.pattern)}
            after = join(after, self._suite(case.body, entered))
            if isinstance(case.pattern, cst.MatchAs) and case.pattern.pattern is None and case.guard is None:
                return after
        return join(after, state)


def _is_again(node: cst.Return | cst.Raise, left: cst.CSTNode) -> bool:
    """Whether a statement raises what a handler caught again: ``raise``, or ``raise error`` by the handler's name."""
    if not isinstance(node, cst.Raise) or not isinstance(left, (cst.ExceptHandler, cst.ExceptStarHandler)):
        return False
    name = left.name.name if left.name else None
    return node.exc is None or (
        isinstance(node.exc, cst.Name) and isinstance(name, cst.Name) and node.exc.value == name.value
    )


def suppressed(node: cst.With) -> tuple[str, ...] | None:
    """Return the exceptions that ``with suppress(...)`` swallows, ``None`` for any other ``with``."""
    return next((types for item in node.items if (types := suppressed_by(item.item)) is not None), None)


def suppressed_by(manager: cst.BaseExpression) -> tuple[str, ...] | None:
    """Return the exceptions that a context manager swallows which ``suppress`` makes, ``None`` for any other one."""
    if type(manager) is not cst.Call or dotted_name(manager.func).rpartition(".")[2] != "suppress":
        return None
    return tuple(dotted_name(argument.value) or "?" for argument in manager.args)


def exception_names(node: cst.BaseExpression | None) -> tuple[str, ...]:
    """Return the dotted names in an ``except`` clause."""
    if node is None:
        return ()
    items = [item.value for item in node.elements] if type(node) is cst.Tuple else [node]
    return tuple(dotted_name(item) or "?" for item in items)


def captured(pattern: cst.MatchPattern) -> set[str]:
    """Return the names a pattern binds."""
    names: set[str] = set()
    pending: list[cst.CSTNode] = [pattern]
    while pending:
        node = pending.pop()
        if isinstance(node, (cst.MatchAs, cst.MatchStar)) and node.name is not None:
            names.add(node.name.value)
        elif isinstance(node, cst.MatchMapping) and node.rest is not None:
            names.add(node.rest.value)
        pending.extend(inside(node))
    return names


def bind(target: cst.CSTNode, value: Value, state: State) -> State:
    """Return the state after ``target = value``."""
    if type(target) is cst.Name:
        return {**state, target.value: (bounded(value),)}
    if isinstance(target, (cst.Tuple, cst.List)):
        known = value.items if type(value) is Sequence and len(value.items) == len(target.elements) else None
        for index, element in enumerate(target.elements):
            part = known[index] if known and isinstance(element, cst.Element) else OPAQUE
            state = bind(element.value, part, state)
        return state
    if type(target) is cst.Subscript:
        return _store_item(target, value, state)
    if type(target) is cst.Attribute and type(target.value) is cst.Name:
        return _change(target.value.value, state, lambda old: _with_attribute(old, target.attr.value, value))
    return state


def _change(name: str, state: State, change: Callable[[Value], Value]) -> State:
    """Return the state after the values of a name were changed in place."""
    if name not in state:
        return state
    values = state[name]
    if len(values) == 1:
        return {**state, name: (bounded(change(values[0])),)}
    return {**state, name: _distinct(bounded(change(value)) for value in values)}


def _with_attribute(old: Value, attribute: str, value: Value) -> Value:
    if type(old) is not Call:
        return old
    kept = tuple(argument for argument in old.arguments if argument.name != attribute)
    return Call(old.name, (*kept, Argument(attribute, value)), old.inner)


def _store_item(target: cst.Subscript, value: Value, state: State) -> State:
    key = subscript_key(target)
    if type(target.value) is cst.Name:
        name = target.value.value
        if name not in state and key is not None:
            state = {**state, name: (OPAQUE,)}
        return _change(name, state, lambda old: _with_entry(old, key, value))
    name, keys = _below(target.value)
    if name and None not in keys:
        return _change(name, state, lambda old: _inside(old, keys, lambda inner: _with_entry(inner, key, value)))
    return state


def _below(node: cst.BaseExpression) -> tuple[str, tuple[str | None, ...]]:
    """Return the name and the keys of ``name["a"]["b"]``; "" for any other expression."""
    keys: list[str | None] = []
    while type(node) is cst.Subscript:
        keys.append(subscript_key(node))
        node = node.value
    return (node.value if type(node) is cst.Name else ""), tuple(reversed(keys))


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


def bind_expression(node: cst.BaseExpression, state: State) -> State:
    """Return the state after the assignments (``:=``) at the top of an expression."""
    if type(node) is cst.NamedExpr:
        return bind(node.target, convert(node.value, state), state)
    if type(node) is cst.Comparison:
        return bind_expression(node.left, state)
    if type(node) is cst.UnaryOperation:
        return bind_expression(node.expression, state)
    if type(node) is cst.BooleanOperation:
        return bind_expression(node.right, bind_expression(node.left, state))
    return state


def execute(node: cst.BaseSmallStatement, state: State) -> State:
    """Return the state after a simple statement."""
    if type(node) is cst.Assign:
        value = convert(node.value, state)
        for target in node.targets:
            state = bind(target.target, value, state)
    elif type(node) is cst.AnnAssign:
        if node.value is not None:
            state = bind(node.target, convert(node.value, state), state)
    elif type(node) is cst.AugAssign:
        state = _augmented(node, state)
    elif type(node) is cst.Del:
        deleted = [item.value for item in node.target.elements] if type(node.target) is cst.Tuple else [node.target]
        for item in deleted:
            if type(item) is cst.Name:
                state = {name: state[name] for name in state if name != item.value}
            elif isinstance(item, cst.Subscript) and isinstance(item.value, cst.Name):
                key = subscript_key(item)
                state = _change(item.value.value, state, lambda old: _without(old, key))  # noqa: B023 -- called at once
    elif isinstance(node, cst.Expr) and isinstance(node.value, cst.Call):
        state = _mutated(node.value, state)
    elif isinstance(node, (cst.Import, cst.ImportFrom)) and not isinstance(node.names, cst.ImportStar):
        bound = {alias.evaluated_alias or alias.evaluated_name.partition(".")[0] for alias in node.names}
        state = {name: state[name] for name in state if name not in bound}
    elif isinstance(node, (cst.Global, cst.Nonlocal)):
        shared = {item.name.value for item in node.names}
        state = {name: state[name] for name in state if name not in shared}
    return state


def _without(old: Value, key: str | None) -> Value:
    if type(old) is Mapping and key is not None:
        return Mapping(tuple(entry for entry in old.entries if entry.key != key), old.spreads)
    return OPAQUE


def _augmented(node: cst.AugAssign, state: State) -> State:
    value = convert(node.value, state)
    if type(node.target) is cst.Name:
        if type(node.operator) is cst.AddAssign:
            return _change(node.target.value, state, lambda old: add(old, value))
        if type(node.operator) is cst.BitOrAssign:
            return _change(node.target.value, state, lambda old: merge(old, value))
        return _change(node.target.value, state, lambda old: OPAQUE)
    if type(node.target) is cst.Subscript:
        return _store_item(node.target, OPAQUE, state)
    return state


def _mutated(call: cst.Call, state: State) -> State:
    """Return the state after a call statement that may change its receiver in place."""
    function = call.func
    if type(function) is not cst.Attribute:
        return state
    (name, keys), method = _below(function.value), function.attr.value
    if name not in state or None in keys:
        return state
    if method == "update":
        change: Value = Mapping(())
        for argument in call.args:
            value = convert(argument.value, state)
            change = merge(change, Mapping((Entry(argument.keyword.value, value),)) if argument.keyword else value)
        if keys:
            return _change(name, state, lambda old: _inside(old, keys, lambda inner: merge(inner, change)))
        return _change(name, state, lambda old: merge(old, change))
    if method == "setdefault" and len(call.args) == 2 and (key := constant_key(call.args[0].value)) is not None:
        value = convert(call.args[1].value, state)
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
