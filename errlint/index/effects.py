"""What a statement does to the values of local names."""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable, Collection

from errlint.error_keywords import ERROR_KEYS, LOG_METHODS
from errlint.facts import (
    SUBSCRIPT,
    Argument,
    Call,
    Constant,
    DictEntry,
    Mapping,
    Opaque,
    Ref,
    Sequence,
    Text,
    Value,
    Variable,
    is_empty,
    only,
    store,
)
from errlint.index.bindings import names_bound
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

State = dict[str, Variable]
"""What local names can hold; names that are not in it are unknown."""

_UNKNOWN = (OPAQUE,)

_MAX_STORED = 300
"""A dict with so many keys is told by what is stored next alone, and has something unknown beside it."""

_LOOKING = frozenset({*LOG_METHODS, "bool", "dict", "dumps", "isinstance", "len", "print", "repr", "str"})
"""Last parts of calls that leave what they are handed as it is."""


def join(first: State | None, second: State | None, given: Collection[str] = ()) -> State | None:
    """Return what holds where two paths meet; ``None`` stands for a path that is never taken.

    A name that only one of them binds is what it was ``given`` on the other, if it is one of a parameter.
    """
    if first is None:
        return second
    if second is None or first is second:
        return first
    found: State = {}
    for name, before in first.items():
        after = second.get(name)
        if before is not after:  # most names are the same on both paths
            both = joined(before, after or _unbound(name, given))
            if both is not before:
                found[name] = both
    for name in second.keys() - first.keys():
        found[name] = joined(_unbound(name, given), second[name])
    return {**first, **found} if found else first


def _unbound(name: str, given: Collection[str]) -> Variable:
    return Variable(name, (Ref(name),) if name in given else _UNKNOWN)


def bind(target: ast.expr, value: Value, state: State) -> State:
    """Return the state after ``target = value``."""
    if type(target) is ast.Name:
        return {**state, target.id: variable(target.id, (value,))}
    if isinstance(target, (ast.Tuple, ast.List)):
        known = value.items if type(value) is Sequence and len(value.items) == len(target.elts) else None
        for index, element in enumerate(target.elts):
            if isinstance(element, ast.Starred):
                state = bind(element.value, OPAQUE, state)
                value = OPAQUE
            else:
                state = bind(element, known[index] if known else _part(value, index), state)
        return state
    if type(target) is ast.Subscript:
        return _store_item(target, value, state)
    if type(target) is ast.Attribute and type(target.value) is ast.Name:
        return _change(target.value.id, state, lambda old: _with_attribute(old, target.attr, value))
    return state


def _part(value: Value, index: int) -> Value:
    """Return a part of what a call answers, as ``call()[index]`` would be, by an argument ``*``."""
    return Call(SUBSCRIPT, (Argument("*", Constant(index)),), value) if type(only(value)) is Call else OPAQUE


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
    return Call(old.name, (*kept, Argument(attribute, value, is_stored=True)), old.inner)


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
        if len(old.entries) < _MAX_STORED:
            return Mapping(store(old.entries, DictEntry(key, value)), old.spreads)
        old = OPAQUE
    if key is None or (type(old) is Text or type(old) is Sequence):
        return OPAQUE
    return Mapping((DictEntry(key, value),), (old,))


def _with_default(old: Value, key: str, value: Value) -> Value:
    """Return what ``setdefault`` leaves: an entry that is there stays."""
    if type(old) is Mapping and any(entry.key == key for entry in old.entries):
        return old
    return _with_entry(old, key, value)


def _filled_in(node: ast.expr, state: State) -> State:
    """Return the state after a call that may fill in the dicts that it is handed, when they told of no error yet."""
    if type(node) is ast.Await:
        node = node.value
    if type(node) is not ast.Call or dotted_name(node.func).rpartition(".")[2] in _LOOKING:
        return state
    for _, each in given(node):
        if type(each) is ast.Name:
            state = _change(each.id, state, _with_unknown)
    return state


def _with_unknown(old: Value) -> Value:
    """Return a dict that somebody may have filled in, without what is empty in it, and with what is not known."""
    if type(old) is not Mapping or not any(
        entry.key is not None and entry.key.lower() in ERROR_KEYS and _is_empty(entry.value) for entry in old.entries
    ):
        return old
    return Mapping(tuple(entry for entry in old.entries if not _is_empty(entry.value)), (*old.spreads, OPAQUE))


def _is_empty(value: Value) -> bool:
    return is_empty(only(value)) is True


def bind_expression(node: ast.expr, state: State) -> State:
    """Return the state after the assignments (``:=``) at the top of an expression, and the calls there."""
    if isinstance(node, (ast.Call, ast.Await)):
        return _filled_in(node, state)
    if type(node) is ast.NamedExpr:
        state = _filled_in(node.value, state)
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
        state = _filled_in(node.value, state)
        for target in node.targets:
            state = bind(target, value, state)
    elif isinstance(node, ast.AnnAssign):
        if node.value is not None:
            state = bind(node.target, convert(node.value, state), _filled_in(node.value, state))
    elif isinstance(node, ast.AugAssign):
        state = _augmented(node, state)
    elif isinstance(node, ast.Delete):
        for item in node.targets:
            if isinstance(item, ast.Name):
                state = forgotten(state, {item.id})
            elif isinstance(item, ast.Subscript) and isinstance(item.value, ast.Name):
                key = subscript_key(item)
                state = _change(item.value.id, state, lambda old: _without(old, key))  # noqa: B023 -- called at once
    elif isinstance(node, ast.Expr):
        state = _filled_in(node.value, state)
        if isinstance(node.value, ast.Call):
            state = _mutated(node.value, state)
    elif isinstance(node, (ast.Import, ast.ImportFrom)):
        state = forgotten(state, {name for alias in node.names for name in names_bound(alias)})
    elif isinstance(node, (ast.Global, ast.Nonlocal)):
        state = forgotten(state, node.names)
    return state


def forgotten(state: State, names: Collection[str]) -> State:
    """Return the state in which nothing is known of some names."""
    return {name: state[name] for name in state if name not in names} if any(map(state.__contains__, names)) else state


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
            change = merge(change, Mapping((DictEntry(keyword, value),)) if is_named else value)
        if keys:
            return _change(name, state, lambda old: _inside(old, keys, lambda inner: merge(inner, change)))
        return _change(name, state, lambda old: merge(old, change))
    if method == "setdefault" and len(taken) == 2 and (key := constant_key(taken[0][1])) is not None:
        value = convert(taken[1][1], state)
        if keys:
            return _change(name, state, lambda old: _inside(old, keys, lambda inner: _with_default(inner, key, value)))
        return _change(name, state, lambda old: _with_default(old, key, value))
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
