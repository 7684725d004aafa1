"""From expressions to :data:`errlint.facts.Value`."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from collections.abc import Mapping as MappingView
from collections.abc import Sequence as SequenceView

from errlint.facts import (
    SUBSCRIPT,
    Argument,
    Call,
    Choice,
    Constant,
    DictEntry,
    Item,
    Mapping,
    Opaque,
    Ref,
    Sequence,
    Text,
    Value,
    Variable,
    constant_text,
    inner_values,
    only,
    store_all,
    with_arguments,
    with_inner_values,
)
from errlint.index.bindings import variable_of
from errlint.trees import COMMON, children, last_name

MAX_DEPTH = 12
"""Expressions nested deeper than this are opaque."""

MAX_VALUES = 32
"""A variable with more possible values than this has an unknown one among them."""

MAX_GROWING = 4
"""What is added to the texts of a name with more possible ones than this is opaque: a report of many parts."""

MAX_SIZE = 100
"""Of a value with more parts than this a name holds the outline: else values in values grow without end."""

MAX_PART = 20
"""In an outline a part with more parts itself than this is an outline of its own, a smaller one."""

OPAQUE = Opaque()
_LARGEST = 2**63 - 1
"""The largest number that can be told: facts have to fit into what crosses processes and caches."""

Environment = MappingView[str, Variable]
"""What can be in each local name at one point; a name that is not in it is not known to be local."""


def self_alias(node: ast.stmt) -> str:
    """Return the name that a statement gives to ``self``, "" where it does anything else."""
    value = node.value if isinstance(node, (ast.Assign, ast.AnnAssign)) else None
    return variable_of(node) if isinstance(value, ast.Name) and value.id == "self" else ""


def dotted_name(node: ast.AST | None) -> str:
    """Return ``a.b.c`` for a chain of names, "" for anything else."""
    parts: list[str] = []
    while type(node) is ast.Attribute:
        parts.append(node.attr)
        node = node.value
    if type(node) is not ast.Name:
        return ""
    parts.append(node.id)
    return ".".join(reversed(parts))


def convert(node: ast.expr, environment: Environment, depth: int = 0) -> Value:
    """Return what ``node`` says, with local names resolved to the values that reach it."""
    if depth > MAX_DEPTH:
        return OPAQUE
    converter = _CONVERTERS.get(type(node))
    return converter(node, environment, depth + 1) if converter else OPAQUE


def variable(name: str, values: tuple[Value, ...]) -> Variable:
    """Return a name with what it can hold, each value once, the outline in place of one with too many parts."""
    if len(values) == 1:
        value, size = _bounded(values[0])
        return Variable(name, (value,) if value is not values[0] else values, size)
    found: list[Value] = []
    total = 0
    for each in values:
        value, size = _bounded(each)
        if value not in found:
            found.append(value)
            total += size
    return Variable(name, tuple(found), total)


def _bounded(value: Value) -> tuple[Value, int]:
    """Return a value that is not too large, and how many parts it has."""
    if type(value) in _SINGLE:
        return value, 0
    size = _size(value)
    if size > MAX_SIZE:
        value = _outlined(value, MAX_PART)
        size = _size(value)
    return (value, size) if size <= MAX_SIZE else (OPAQUE, 0)


def _outlined(value: Value, room: int) -> Value:
    """Return a value in which no part has more parts than ``room``, but for what it is: a call of which function."""

    def part(inner: Value) -> Value:
        return inner if _size(inner) <= room else _outlined(inner, room // 4) if room else OPAQUE

    if type(value) is Variable:
        return variable(value.name, tuple(map(part, value.values)))
    return with_inner_values(value, part)


def joined(first: Variable, second: Variable) -> Variable:
    """Return a name with what it can hold on either of two paths."""
    held = first.values
    # Values are few, and to hash one takes longer than to compare it.
    more = [value for value in second.values if value not in held]
    if not more:
        return first
    values = (*held, *more)
    if len(values) > MAX_VALUES:
        values = (*values[: MAX_VALUES - 1], OPAQUE)
        return Variable(first.name, values, sum(map(_size, values)))
    added = second.size if len(more) == len(second.values) else sum(map(_size, more))
    return Variable(first.name, values, first.size + added)


_SINGLE = frozenset([Opaque, Constant, Ref])
"""What has no parts."""


def _size(value: Value) -> int:
    """Count the parts of a value."""
    if type(value) in _SINGLE:
        return 0
    if type(value) is Call and (value.inner is None or type(value.inner) in _SINGLE):  # most of what has parts
        for argument in value.arguments:
            if type(argument.value) not in _SINGLE:
                break
        else:
            return 1
    pending = [value]
    size = 0
    while pending:
        current = pending.pop()
        size += 1
        if type(current) is Variable:
            size += current.size
        else:
            pending.extend([each for each in inner_values(current) if type(each) not in _SINGLE])
    return size


def _name(node: ast.Name, environment: Environment, depth: int) -> Value:
    return environment.get(node.id) or Ref(node.id)


def _attribute(node: ast.Attribute, environment: Environment, depth: int) -> Value:
    name = dotted_name(node)
    if name:
        return Ref(name)
    call = node.value
    if type(call) is not ast.Call:
        return OPAQUE
    if node.attr == "__name__" and len(call.args) == 1 and not call.keywords and dotted_name(call.func) == "type":
        inner = dotted_name(call.args[0])
        return Ref(f"type({inner}).__name__") if inner else OPAQUE
    if node.attr == "hex":
        made = convert(call, environment, depth)
        if type(made) is Call and "uuid" in made.name:
            return Call("hex", (Argument("", made),))  # the text of an id
    return OPAQUE


def _constant(node: ast.Constant, environment: Environment, depth: int) -> Value:
    value = node.value
    if type(value) is str:
        return Text((_storable(value),))
    if value is None or type(value) is bool or type(value) is float:
        return Constant(value)
    return Constant(value) if type(value) is int and value <= _LARGEST else OPAQUE


def _unary(node: ast.UnaryOp, environment: Environment, depth: int) -> Value:
    inner = convert(node.operand, environment, depth)
    if type(node.op) is ast.USub and type(inner) is Constant and type(inner.value) in (int, float):
        return Constant(-inner.value)  # type: ignore[operator]
    return OPAQUE


def _formatted(node: ast.JoinedStr, environment: Environment, depth: int) -> Value:
    parts: list[str | Value] = []
    for part in node.values:
        if isinstance(part, ast.FormattedValue):
            parts.append(convert(part.value, environment, depth))
        else:
            parts.extend(_pieces(convert(part, environment, depth)))
    return Text(tuple(parts))


def _pieces(value: Value) -> tuple[str | Value, ...]:
    """Return what a value contributes to a text."""
    return value.parts if type(value) is Text else (value,)


def _text(parts: list[str | Value]) -> Text:
    """Return a text with neighbouring literal pieces joined."""
    joined: list[str | Value] = []
    for part in parts:
        if isinstance(part, str) and joined and isinstance(joined[-1], str):
            joined[-1] += part
        else:
            joined.append(part)
    return Text(tuple(joined))


def resolved_text(value: Value) -> Text | None:
    """Return the one text that a value is, through a variable that holds nothing else."""
    value = only(value)
    return value if type(value) is Text else None


def _binary(node: ast.BinOp, environment: Environment, depth: int) -> Value:
    left = convert(node.left, environment, depth)
    if type(node.op) is ast.Mod:
        return Text((*left.parts, convert(node.right, environment, depth))) if type(left) is Text else OPAQUE
    right = convert(node.right, environment, depth)
    if type(node.op) is ast.Add:
        return add(left, right)
    if type(node.op) is ast.BitOr:
        return merge(left, right)
    return OPAQUE


def add(left: Value, right: Value) -> Value:
    """Return ``left + right``: a text when one of them is known to be one."""
    left_text, right_text = resolved_text(left), resolved_text(right)
    if left_text is None and right_text is None:
        return OPAQUE
    return _text([*_pieces(left_text or left), *_pieces(right_text or right)])


def and_more(value: Value) -> Value:
    """Return a text with something behind it, any other value as an opaque one."""
    text = resolved_text(value)
    if text is None:
        return OPAQUE
    return value if text.parts and text.parts[-1] is OPAQUE else Text((*text.parts, OPAQUE))


def as_mapping(value: Value) -> Mapping | None:
    """Return the mapping that a value is, through a variable that holds nothing else."""
    value = only(value)
    return value if type(value) is Mapping else None


def merge(left: Value, right: Value) -> Value:
    """Return ``left | right``: a mapping when one of them is known to be one."""
    first, second = as_mapping(left), as_mapping(right)
    if first is None and second is None:
        return OPAQUE
    if second is None:
        assert first is not None
        return Mapping(first.entries, (*first.spreads, right))
    if first is None:
        return Mapping(second.entries, (left, *second.spreads))
    return Mapping(store_all(first.entries, second.entries), (*first.spreads, *second.spreads))


def constant_key(node: ast.expr | None) -> str | None:
    """Return the text of a constant string."""
    return _storable(node.value) if type(node) is ast.Constant and type(node.value) is str else None


def _storable(text: str) -> str:
    """Return a text that can be stored: halves of surrogate pairs cannot be."""
    return text if text.isascii() else text.encode("utf-8", "backslashreplace").decode()


def _dict(node: ast.Dict, environment: Environment, depth: int) -> Value:
    entries: list[DictEntry] = []
    result = Mapping(())
    for key, item in zip(node.keys, node.values):  # noqa: B905 -- equal by construction
        value = convert(item, environment, depth)
        if key is not None:
            entries.append(DictEntry(constant_key(key), value, _key_name(key)))
            continue
        result = Mapping(store_all(result.entries, tuple(entries)), result.spreads)
        entries.clear()
        merged = merge(result, value)
        assert type(merged) is Mapping
        result = merged
    return Mapping(store_all(result.entries, tuple(entries)) if result.entries else tuple(entries), result.spreads)


def _key_name(node: ast.expr) -> str:
    is_number = type(node) is ast.Constant and type(node.value) is int
    return str(node.value) if is_number else dotted_name(node)  # type: ignore[attr-defined]


def given(call: ast.Call) -> list[tuple[str, ast.expr]]:
    """Return the arguments of a call in the order of the text: "", ``*``, ``**`` or the name of each, and its value."""
    found: list[tuple[str, ast.expr]] = []
    is_mixed = False
    for item in call.args:
        if type(item) is ast.Starred:
            is_mixed = True
            found.append(("*", item.value))
        else:
            found.append(("", item))
    found.extend(("**" if item.arg is None else item.arg, item.value) for item in call.keywords)
    if is_mixed and call.keywords:  # `f(name=1, *rest)`
        found.sort(key=lambda item: (item[1].lineno, item[1].col_offset))
    return found


def arguments(call: ast.Call, environment: Environment, depth: int) -> tuple[Argument, ...]:
    """Return the arguments of a call, in the order of the text."""
    return tuple(Argument(name, convert(value, environment, depth)) for name, value in given(call))


def _call(node: ast.Call, environment: Environment, depth: int) -> Value:
    function = node.func
    found = arguments(node, environment, depth)
    if type(function) is ast.Subscript and _is_generic(function):
        function = function.value
    if type(function) is ast.Attribute:
        return _method_call(function, found, environment, depth)
    if type(function) is not ast.Name:
        return Call("", found, convert(function, environment, depth))
    if function.id == "dict":
        result: Value = Mapping(())
        for argument in found:
            if argument.name in ("", "**"):
                result = merge(result, argument.value)
            elif argument.name == "*":
                result = merge(result, OPAQUE)
            else:
                result = merge(result, Mapping((DictEntry(argument.name, argument.value),)))
        return result
    made = only(environment.get(function.id))
    if type(made) is Call and made.name.rpartition(".")[2] == "partial" and made.arguments:
        first = made.arguments[0]
        if type(first.value) is Ref and not first.name:
            return with_arguments(Call(first.value.name, made.arguments[1:]), found)
    return Call(function.id, found)


def _is_generic(node: ast.Subscript) -> bool:
    """Whether an expression gives a class its type parameters: ``Result[int]``, but not ``HANDLERS[name]``."""
    name = last_name(node.value)
    return name[:1].isupper() and not name.isupper() and type(node.slice) is not ast.Constant


def _method_call(function: ast.Attribute, found: tuple[Argument, ...], environment: Environment, depth: int) -> Value:
    name, method = dotted_name(function), function.attr
    root = name.partition(".")[0]
    if name and root not in environment:
        base: Value | None = None
    else:
        base = convert(function.value, environment, depth)
        text = resolved_text(base)
        if method == "format" and text is not None:
            return Text((*text.parts, *(OPAQUE if item.name in ("*", "**") else item.value for item in found)))
        if method == "copy" and not found:
            return base
    first = found[0].value if method == "get" and found else None
    key = constant_text(first) if type(first) is Text else None
    if key is not None:
        return Item(base or convert(function.value, environment, depth), key)
    if base is None:
        return Call(name, found)
    return Call("." + method, found, base)


def _subscript(node: ast.Subscript, environment: Environment, depth: int) -> Value:
    part = node.slice
    if dotted_name(node.value).rpartition(".")[2] == "Literal":
        items = part.elts if type(part) is ast.Tuple else [part]
        return Call("Literal", tuple(Argument("", convert(item, environment, depth)) for item in items))
    key = subscript_key(node)
    base = convert(node.value, environment, depth)
    if key is not None:
        return Item(base, key)
    if type(part) in (ast.Slice, ast.Tuple) or type(base) is Opaque:
        return OPAQUE
    return Call(SUBSCRIPT, (Argument("", convert(part, environment, depth)),), base)


def subscript_key(node: ast.Subscript) -> str | None:
    """Return the constant text in ``base["text"]``."""
    return constant_key(node.slice)


def _conditional(node: ast.IfExp, environment: Environment, depth: int) -> Value:
    return Choice((convert(node.body, environment, depth), convert(node.orelse, environment, depth)))


def _boolean(node: ast.BoolOp, environment: Environment, depth: int) -> Value:
    return Choice(tuple(convert(item, environment, depth) for item in node.values), is_or=type(node.op) is ast.Or)


def _sequence(kind: str) -> Callable[[ast.Tuple | ast.List | ast.Set, Environment, int], Value]:
    def convert_items(node: ast.Tuple | ast.List | ast.Set, environment: Environment, depth: int) -> Value:
        return Sequence(
            kind,
            tuple(OPAQUE if type(item) is ast.Starred else convert(item, environment, depth) for item in node.elts),
        )

    return convert_items


def _await(node: ast.Await, environment: Environment, depth: int) -> Value:
    return convert(node.value, environment, depth)


def _named(node: ast.NamedExpr, environment: Environment, depth: int) -> Value:
    return convert(node.value, environment, depth)


_CONVERTERS: dict[type, Callable[..., Value]] = {
    ast.Name: _name,
    ast.Attribute: _attribute,
    ast.Constant: _constant,
    ast.UnaryOp: _unary,
    ast.JoinedStr: _formatted,
    ast.BinOp: _binary,
    ast.Dict: _dict,
    ast.Call: _call,
    ast.Subscript: _subscript,
    ast.IfExp: _conditional,
    ast.BoolOp: _boolean,
    ast.Tuple: _sequence("tuple"),
    ast.List: _sequence("list"),
    ast.Set: _sequence("set"),
    ast.Await: _await,
    ast.NamedExpr: _named,
}


def inside(node: ast.AST) -> SequenceView[ast.AST]:
    """Return the nodes directly in one, those of an expression in the order of the text."""
    return _INSIDE.get(type(node), children)(node)


def _parts_of_call(node: ast.Call) -> SequenceView[ast.AST]:
    if node.keywords and any(type(item) is ast.Starred for item in node.args):
        items: list[ast.expr | ast.keyword] = [*node.args, *node.keywords]
        return [node.func, *sorted(items, key=lambda part: (part.lineno, part.col_offset))]
    return [node.func, *node.args, *node.keywords]


_INSIDE: dict[type[ast.AST], Callable[..., SequenceView[ast.AST]]] = {
    **COMMON,
    ast.IfExp: lambda node: [node.body, node.test, node.orelse],
    ast.Dict: lambda node: [part for pair in zip(node.keys, node.values) for part in pair if part],  # noqa: B905
    ast.Call: _parts_of_call,
}
"""The most common expressions, and those whose parts stand in another order than in their fields."""


def below(node: ast.AST) -> Iterator[ast.AST]:
    """Yield a node and what is below it, without the bodies of functions in it."""
    pending = [node]
    while pending:
        current = pending.pop()
        yield current
        if not isinstance(current, ast.Lambda):
            pending.extend(inside(current))


def all_below(node: ast.AST) -> Iterator[ast.AST]:
    """Yield a node and everything in it, in no certain order."""
    pending = [node]
    while pending:
        current = pending.pop()
        yield current
        pending.extend(children(current))


def names_below(node: ast.AST) -> Iterator[str]:
    """Yield the names that stand in a node, in no certain order, as often as they do."""
    return (current.id for current in all_below(node) if type(current) is ast.Name)
