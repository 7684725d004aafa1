"""Where a result is looked at for an error, as :class:`errlint.facts.Inspection`."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from errlint.collect.expressions import constant_key, convert, dotted_name, subscript_key
from errlint.collect.flow import State, Statement
from errlint.facts import Call, Inspection, Value, Variable
from errlint.findings import Span
from errlint.words import INSPECTED_ATTRIBUTES, INSPECTED_KEYS, RESPONSE_TYPE

_Found = tuple[cst.BaseExpression, str, str]


def inspections(statement: Statement, state: State, span: Span) -> Iterator[Inspection]:
    """Yield the inspections in a simple statement, or in the header of a compound one."""
    for root in _expressions(statement):
        for subject, how, key in _found(root):
            value = _subject(subject, state)
            if value is not None:
                yield Inspection(span, value, how, key)
    if type(statement) is cst.Assign and type(statement.targets[0].target) is cst.Tuple:
        value = _subject(statement.value, state)
        for element in statement.targets[0].target.elements:
            if type(element.value) is cst.Name and element.value.value in INSPECTED_KEYS and value is not None:
                yield Inspection(span, value, "unpacked", element.value.value)


def _expressions(statement: Statement) -> Iterator[cst.BaseExpression]:
    if isinstance(statement, (cst.If, cst.While)):
        yield statement.test
    elif type(statement) is cst.For:
        yield statement.iter
    elif type(statement) is cst.With:
        for item in statement.items:
            yield item.item
    elif type(statement) is cst.Match:
        yield statement.subject
    elif isinstance(statement, cst.BaseSmallStatement):
        for child in statement.children:
            if isinstance(child, cst.BaseExpression):
                yield child


def _found(root: cst.CSTNode) -> Iterator[_Found]:
    """Yield subject, how and key of every inspection below a node."""
    pending = [root]
    while pending:
        node = pending.pop()
        if type(node) is cst.Comparison and len(node.comparisons) == 1:
            comparison = node.comparisons[0]
            key = constant_key(node.left)
            if isinstance(comparison.operator, (cst.In, cst.NotIn)) and _is_key(key):
                yield comparison.comparator, "in", key or ""
        elif type(node) is cst.Subscript:
            key = subscript_key(node)
            if _is_key(key):
                yield node.value, "item", key or ""
        elif type(node) is cst.Attribute and node.attr.value in INSPECTED_ATTRIBUTES:
            yield node.value, "attribute", node.attr.value
        elif type(node) is cst.Call:
            yield from _asked(node)
        pending.extend(reversed(node.children))


def _asked(call: cst.Call) -> Iterator[_Found]:
    function = call.func
    if type(function) is cst.Attribute and function.attr.value == "get" and call.args:
        key = constant_key(call.args[0].value)
        if _is_key(key):
            yield function.value, "get", key or ""
    elif type(function) is cst.Name and function.value == "isinstance" and len(call.args) == 2:
        types = call.args[1].value
        items = [item.value for item in types.elements] if type(types) is cst.Tuple else [types]
        for name in filter(None, map(dotted_name, items)):
            if RESPONSE_TYPE.search(name.rpartition(".")[2]):
                yield call.args[0].value, "isinstance", name


def _is_key(key: str | None) -> bool:
    return key is not None and key.lower() in INSPECTED_KEYS


def _subject(node: cst.BaseExpression, state: State) -> Value | None:
    """Return the call whose result is looked at, or the variable that may hold one."""
    value = convert(node, state)
    if type(value) is Call:
        return value
    if type(value) is Variable and any(type(item) is Call for item in value.values):
        return value
    return None
