"""From LibCST expressions to :data:`errlint.facts.Value`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from collections.abc import Mapping as MappingView
from dataclasses import fields
from functools import cache

import libcst as cst

from errlint.facts import (
    SUBSCRIPT,
    Argument,
    Call,
    Choice,
    Constant,
    Entry,
    Item,
    Mapping,
    Opaque,
    Ref,
    Sequence,
    Text,
    Value,
    Variable,
    only,
    store_all,
    with_arguments,
)

MAX_DEPTH = 12
"""Expressions nested deeper than this are opaque."""

MAX_VALUES = 32
"""A variable with more possible values than this has an unknown one among them."""

MAX_SIZE = 1000
"""A name that holds more parts than this is opaque: values of names in values of names grow without end."""

OPAQUE = Opaque()
_LARGEST = 2**63 - 1
"""The largest number that can be told: facts have to fit into what crosses processes and caches."""

_LAYOUT = frozenset(
    {"__slots__", "lpar", "rpar", "comma", "equal", "colon", "lbracket", "rbracket", "lbrace", "rbrace", "semicolon",
     "first_colon", "second_colon", "asynchronous", "star", "leading_lines", "lines_after_decorators", "header",
     "footer", "trailing_whitespace"}
)  # fmt: skip
"""Fields of nodes that hold nothing but layout."""

_NO_NODES = frozenset({str, bool, type(None), cst.MaybeSentinel})

Environment = MappingView[str, tuple[Value, ...]]
"""The values that can be in each local name at one point; a name that is not in it is not known to be local."""


def self_alias(node: cst.CSTNode) -> str:
    """Return the name that a statement gives to ``self``, "" where it does anything else."""
    if type(node) is not cst.Assign or len(node.targets) != 1:
        return ""
    target, value = node.targets[0].target, node.value
    is_self = type(value) is cst.Name and value.value == "self"
    return target.value if is_self and type(target) is cst.Name else ""


def dotted_name(node: cst.BaseExpression) -> str:
    """Return ``a.b.c`` for a chain of names, "" for anything else."""
    parts: list[str] = []
    while type(node) is cst.Attribute:
        parts.append(node.attr.value)
        node = node.value
    if type(node) is not cst.Name:
        return ""
    parts.append(node.value)
    return ".".join(reversed(parts))


def convert(node: cst.BaseExpression, environment: Environment, depth: int = 0) -> Value:
    """Return what ``node`` says, with local names resolved to the values that reach it."""
    if depth > MAX_DEPTH:
        return OPAQUE
    converter = _CONVERTERS.get(type(node))
    return converter(node, environment, depth + 1) if converter else OPAQUE


def bounded(value: Value) -> Value:
    """Return a value, or an opaque one in place of one with too many parts."""
    if type(value) in _SINGLE:
        return value
    return value if _size(value) <= MAX_SIZE else OPAQUE


_SINGLE = frozenset([str, Opaque, Constant, Ref])
"""What has no parts."""


def _size(value: Value) -> int:
    """Count the parts of a value."""
    if type(value) in _SINGLE:
        return 0
    pending: list[str | Value] = [value]
    size = 0
    while pending:
        current = pending.pop()
        if type(current) in _SINGLE:
            continue
        size += 1
        if type(current) is Variable:
            size += current.size
        elif type(current) is Text:
            pending.extend(current.parts)
        elif type(current) is Mapping:
            pending.extend([entry.value for entry in current.entries])
            pending.extend(current.spreads)
        elif type(current) is Call:
            pending.extend([argument.value for argument in current.arguments])
            if current.inner is not None:
                pending.append(current.inner)
        elif type(current) is Sequence:
            pending.extend(current.items)
        elif type(current) is Choice:
            pending.extend(current.values)
        elif type(current) is Item:
            pending.append(current.base)
    return size


def _name(node: cst.Name, environment: Environment, depth: int) -> Value:
    name = node.value
    if name in _CONSTANTS:
        return _CONSTANTS[name]
    values = environment.get(name)
    return Ref(name) if values is None else Variable(name, values, sum(map(_size, values)))


def _attribute(node: cst.Attribute, environment: Environment, depth: int) -> Value:
    name = dotted_name(node)
    if not name and node.attr.value == "__name__" and type(node.value) is cst.Call and len(node.value.args) == 1:
        inner = dotted_name(node.value.args[0].value)
        if inner and dotted_name(node.value.func) == "type":
            return Ref(f"type({inner}).__name__")
    if not name and node.attr.value == "hex" and type(node.value) is cst.Call:
        made = convert(node.value, environment, depth)
        if type(made) is Call and "uuid" in made.name:
            return Call("hex", (Argument("", made),))  # the text of an id
    return Ref(name) if name else OPAQUE


def _number(node: cst.Integer | cst.Float, environment: Environment, depth: int) -> Value:
    try:
        value = node.evaluated_value
    except (ValueError, OverflowError, SyntaxError):  # digits beyond the interpreter's limit
        return OPAQUE
    return OPAQUE if isinstance(value, int) and value > _LARGEST else Constant(value)


def _unary(node: cst.UnaryOperation, environment: Environment, depth: int) -> Value:
    inner = convert(node.expression, environment, depth)
    if type(node.operator) is cst.Minus and type(inner) is Constant and type(inner.value) in (int, float):
        return Constant(-inner.value)  # type: ignore[operator]
    return OPAQUE


def _string(node: cst.SimpleString, environment: Environment, depth: int) -> Value:
    raw = node.value
    if raw[0] in "'\"" and "\\" not in raw and raw[1:3] != raw[0] * 2:
        value: str | bytes = raw[1:-1]  # as most are: no prefix, no escape, not in three quotes
    else:
        try:
            value = node.evaluated_value
        except (SyntaxError, ValueError):
            return OPAQUE
    if not isinstance(value, str):
        return OPAQUE
    # Halves of surrogate pairs cannot be stored.
    return Text((value if value.isascii() else value.encode("utf-8", "backslashreplace").decode(),))


def _formatted(node: cst.FormattedString, environment: Environment, depth: int) -> Value:
    parts: list[str | Value] = []
    for part in node.parts:
        if isinstance(part, cst.FormattedStringText):
            parts.append(part.value.replace("{{", "{").replace("}}", "}").replace("\\n", "\n"))
        elif isinstance(part, cst.FormattedStringExpression):
            parts.append(convert(part.expression, environment, depth))
    return Text(tuple(parts))


def _concatenated(node: cst.ConcatenatedString, environment: Environment, depth: int) -> Value:
    parts: list[str | Value] = []
    current: cst.BaseExpression = node
    while isinstance(current, cst.ConcatenatedString):
        parts.extend(_pieces(convert(current.left, environment, depth)))
        current = current.right
    parts.extend(_pieces(convert(current, environment, depth)))
    return _text(parts)


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


def _binary(node: cst.BinaryOperation, environment: Environment, depth: int) -> Value:
    left = convert(node.left, environment, depth)
    if type(node.operator) is cst.Modulo:
        return Text((*left.parts, convert(node.right, environment, depth))) if type(left) is Text else OPAQUE
    right = convert(node.right, environment, depth)
    if type(node.operator) is cst.Add:
        return add(left, right)
    if type(node.operator) is cst.BitOr:
        return merge(left, right)
    return OPAQUE


def add(left: Value, right: Value) -> Value:
    """Return ``left + right``: a text when one of them is known to be one."""
    left_text, right_text = resolved_text(left), resolved_text(right)
    if left_text is None and right_text is None:
        return OPAQUE
    return _text([*_pieces(left_text or left), *_pieces(right_text or right)])


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


def constant_key(node: cst.BaseExpression) -> str | None:
    """Return the text of a constant string."""
    if type(node) is cst.SimpleString:
        value = _string(node, {}, 0)
        if type(value) is Text and isinstance(value.parts[0], str):
            return value.parts[0]
    return None


def _dict(node: cst.Dict, environment: Environment, depth: int) -> Value:
    entries: list[Entry] = []
    result = Mapping(())
    for element in node.elements:
        value = convert(element.value, environment, depth)
        if type(element) is cst.DictElement:
            entries.append(Entry(constant_key(element.key), value, _key_name(element.key)))
            continue
        result = Mapping(store_all(result.entries, tuple(entries)), result.spreads)
        entries.clear()
        merged = merge(result, value)
        assert type(merged) is Mapping
        result = merged
    return Mapping(store_all(result.entries, tuple(entries)) if result.entries else tuple(entries), result.spreads)


def _key_name(node: cst.BaseExpression) -> str:
    return str(node.evaluated_value) if type(node) is cst.Integer else dotted_name(node)


def arguments(nodes: Iterable[cst.Arg], environment: Environment, depth: int) -> tuple[Argument, ...]:
    """Return the arguments of a call."""
    return tuple(
        Argument(
            argument.keyword.value if argument.keyword else argument.star, convert(argument.value, environment, depth)
        )
        for argument in nodes
    )


def _call(node: cst.Call, environment: Environment, depth: int) -> Value:
    function = node.func
    found = arguments(node.args, environment, depth)
    if type(function) is cst.Attribute:
        return _method_call(function, found, environment, depth)
    if type(function) is not cst.Name:
        return Call("", found, convert(function, environment, depth))
    if function.value == "dict":
        result: Value = Mapping(())
        for argument in found:
            if argument.name in ("", "**"):
                result = merge(result, argument.value)
            else:
                result = merge(result, Mapping((Entry(argument.name, argument.value),)))
        return result
    bound = environment.get(function.value, ())
    made = bound[0] if len(bound) == 1 else None
    if type(made) is Call and made.name.rpartition(".")[2] == "partial" and made.arguments:
        first = made.arguments[0]
        if type(first.value) is Ref and not first.name:
            return with_arguments(Call(first.value.name, made.arguments[1:]), found)
    return Call(function.value, found)


def _method_call(function: cst.Attribute, found: tuple[Argument, ...], environment: Environment, depth: int) -> Value:
    name, method = dotted_name(function), function.attr.value
    root = name.partition(".")[0]
    if name and root not in environment:
        base: Value | None = None
    else:
        base = convert(function.value, environment, depth)
        text = resolved_text(base)
        if method == "format" and text is not None:
            return Text((*text.parts, *(argument.value for argument in found)))
        if method == "copy" and not found:
            return base
    if method == "get" and found and type(found[0].value) is Text and len(found[0].value.parts) == 1:
        key = found[0].value.parts[0]
        if isinstance(key, str):
            return Item(base or convert(function.value, environment, depth), key)
    if base is None:
        return Call(name, found)
    return Call("." + method, found, base)


def _subscript(node: cst.Subscript, environment: Environment, depth: int) -> Value:
    if dotted_name(node.value).rpartition(".")[2] == "Literal":
        items = [item.slice.value for item in node.slice if type(item.slice) is cst.Index]
        return Call("Literal", tuple(Argument("", convert(item, environment, depth)) for item in items))
    key = subscript_key(node)
    base = convert(node.value, environment, depth)
    if key is not None:
        return Item(base, key)
    index = node.slice[0].slice if len(node.slice) == 1 else None
    if type(index) is not cst.Index or type(base) is Opaque:
        return OPAQUE
    return Call(SUBSCRIPT, (Argument("", convert(index.value, environment, depth)),), base)


def subscript_key(node: cst.Subscript) -> str | None:
    """Return the constant text in ``base["text"]``."""
    if len(node.slice) == 1 and type(node.slice[0].slice) is cst.Index:
        return constant_key(node.slice[0].slice.value)
    return None


def _conditional(node: cst.IfExp, environment: Environment, depth: int) -> Value:
    return Choice((convert(node.body, environment, depth), convert(node.orelse, environment, depth)))


def _boolean(node: cst.BooleanOperation, environment: Environment, depth: int) -> Value:
    return Choice((convert(node.left, environment, depth), convert(node.right, environment, depth)))


def _sequence(kind: str) -> Callable[[cst.Tuple | cst.List | cst.Set, Environment, int], Value]:
    def convert_items(node: cst.Tuple | cst.List | cst.Set, environment: Environment, depth: int) -> Value:
        return Sequence(
            kind,
            tuple(
                OPAQUE if type(item) is cst.StarredElement else convert(item.value, environment, depth)
                for item in node.elements
            ),
        )

    return convert_items


def _await(node: cst.Await, environment: Environment, depth: int) -> Value:
    return convert(node.expression, environment, depth)


def _named(node: cst.NamedExpr, environment: Environment, depth: int) -> Value:
    return convert(node.value, environment, depth)


_CONSTANTS = {"None": Constant(None), "True": Constant(True), "False": Constant(False)}
_CONVERTERS: dict[type, Callable[..., Value]] = {
    cst.Name: _name,
    cst.Attribute: _attribute,
    cst.Integer: _number,
    cst.Float: _number,
    cst.UnaryOperation: _unary,
    cst.SimpleString: _string,
    cst.FormattedString: _formatted,
    cst.ConcatenatedString: _concatenated,
    cst.BinaryOperation: _binary,
    cst.Dict: _dict,
    cst.Call: _call,
    cst.Subscript: _subscript,
    cst.IfExp: _conditional,
    cst.BooleanOperation: _boolean,
    cst.Tuple: _sequence("tuple"),
    cst.List: _sequence("list"),
    cst.Set: _sequence("set"),
    cst.Await: _await,
    cst.NamedExpr: _named,
}


def inside(node: cst.CSTNode) -> list[cst.CSTNode]:
    """Return what a node is made of, without layout; the parts of an expression in the order of the text.

    The same by ``node.children`` takes ten times longer: it makes a visitor, and a copy of the node.
    """
    found: list[cst.CSTNode] = []
    for name in _parts(type(node)):
        child = getattr(node, name)
        kind = type(child)
        if kind is tuple or kind is list:
            found.extend(child)
        elif kind not in _NO_NODES:
            found.append(child)
    return found


def below(node: cst.CSTNode) -> Iterator[cst.CSTNode]:
    """Yield a node and what is below it, without the bodies of functions in it."""
    pending = [node]
    while pending:
        current = pending.pop()
        yield current
        if not isinstance(current, cst.Lambda):
            pending.extend(inside(current))


def all_below(node: cst.CSTNode) -> Iterator[cst.CSTNode]:
    """Yield a node and everything in it, in no certain order."""
    pending = [node]
    while pending:
        current = pending.pop()
        yield current
        pending.extend(inside(current))


def names_below(node: cst.CSTNode) -> Iterator[str]:
    """Yield the names that stand in a node, in no certain order, as often as they do."""
    return (current.value for current in all_below(node) if type(current) is cst.Name)


@cache
def _parts(kind: type[cst.CSTNode]) -> tuple[str, ...]:
    """Return the names of the fields of a kind of node that hold others, in the order of the text."""
    if kind is cst.IfExp:
        return ("body", "test", "orelse")
    names = (item.name for item in fields(kind))
    return tuple(name for name in names if name not in _LAYOUT and not name.startswith("whitespace"))
