"""Where a result is looked at for an error, as :class:`errlint.facts.Inspection`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import libcst as cst

from errlint.collect.expressions import constant_key, convert, dotted_name, inside, subscript_key
from errlint.collect.flow import State, Statement
from errlint.facts import Call, Inspection, Value, only
from errlint.findings import Span
from errlint.words import (
    INSPECTED_ATTRIBUTES,
    INSPECTED_KEYS,
    RESPONSE_TYPE,
    RUNNERS,
    STATUS_KEYS,
    STATUS_MARKS,
    SUCCESS_KEYS,
    is_outcome,
)


class _Found(NamedTuple):
    """A place that looks for an error in ``subject``; the rest as in :class:`errlint.facts.Inspection`."""

    subject: cst.BaseExpression
    how: str
    key: str
    texts: tuple[str, ...] = ()
    is_negated: bool = False

    @property
    def wants_success(self) -> bool:
        """Whether what is asked of a status holds where there is no error."""
        return bool(self.texts) and (self.texts[0].lower() in STATUS_MARKS) is not self.is_negated


def inspections(statement: Statement, state: State, span: Span) -> Iterator[Inspection]:
    """Yield the inspections in a simple statement, or in the header of a compound one."""
    for root in _expressions(statement):
        for found in _found(root):
            if type(statement) is cst.Assert and _denies(statement.test, found):
                continue
            callees = _callees(found.subject, state)
            if callees:
                yield Inspection(span, callees, found.how, found.key, found.texts, found.is_negated)
    if type(statement) is cst.Assign and type(statement.targets[0].target) is cst.Tuple:
        callees = _callees(statement.value, state)
        for element in statement.targets[0].target.elements:
            if type(element.value) is cst.Name and element.value.value in INSPECTED_KEYS and callees:
                yield Inspection(span, callees, "unpacked", element.value.value)


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
        for child in inside(statement):
            if isinstance(child, cst.BaseExpression):
                yield child


def _denies(test: cst.BaseExpression, found: _Found) -> bool:
    """Whether an assertion says that there is no error: then it looks for none."""
    if found.key.lower() in SUCCESS_KEYS:
        return False
    if type(test) is cst.UnaryOperation:
        return type(test.operator) is cst.Not
    if found.texts:
        return found.wants_success
    if type(test) is not cst.Comparison:
        return False
    comparison = test.comparisons[0]
    if isinstance(comparison.operator, (cst.NotIn, cst.NotEqual)):
        return True
    value = comparison.comparator
    return isinstance(comparison.operator, (cst.Is, cst.Equal)) and type(value) is cst.Name and value.value == "None"


def _found(root: cst.CSTNode) -> Iterator[_Found]:
    """Yield every inspection below a node."""
    pending = [root]
    while pending:
        node = pending.pop()
        if type(node) is cst.Comparison and len(node.comparisons) == 1:
            comparison = node.comparisons[0]
            key = constant_key(node.left)
            if isinstance(comparison.operator, (cst.In, cst.NotIn)) and _is_key(key):
                yield _Found(comparison.comparator, "in", key or "")
            else:
                yield from _compared(node)
        elif type(node) is cst.Subscript:
            key = subscript_key(node)
            if _is_key(key):
                yield _Found(node.value, "item", key or "")
        elif type(node) is cst.Attribute and node.attr.value in INSPECTED_ATTRIBUTES:
            yield _Found(node.value, "attribute", node.attr.value)
        elif type(node) is cst.Call:
            yield from _asked(node)
        pending.extend(reversed(inside(node)))


def _compared(comparison: cst.Comparison) -> Iterator[_Found]:
    """Yield the inspection in ``r["status"] == "error"`` and in ``r.get("status") in ("error", "failed")``."""
    operator, left, right = comparison.comparisons[0].operator, comparison.left, comparison.comparisons[0].comparator
    if isinstance(operator, (cst.Equal, cst.NotEqual)):
        item, others = (right, [left]) if constant_key(left) is not None else (left, [right])
    elif isinstance(operator, (cst.In, cst.NotIn)) and isinstance(right, (cst.Tuple, cst.List, cst.Set)):
        item, others = left, [element.value for element in right.elements]
    else:
        return
    texts = tuple(text for text in map(constant_key, others) if text is not None and is_outcome(text))
    if len(texts) != len(others) or len({text.lower() in STATUS_MARKS for text in texts}) != 1:
        return
    negated = isinstance(operator, (cst.NotEqual, cst.NotIn))
    how, subject, key = "item", None, None
    if type(item) is cst.Subscript:
        subject, key = item.value, subscript_key(item)
    elif type(item) is cst.Call and (gotten := _gotten(item)) is not None:
        how, (subject, key) = "get", gotten
    if subject is not None and key is not None and key.lower() in STATUS_KEYS:
        yield _Found(subject, how, key, texts, negated)


def _gotten(call: cst.Call) -> tuple[cst.BaseExpression, str | None] | None:
    """Return subject and key of ``subject.get("key")``; the key is None where it is not constant."""
    function = call.func
    if type(function) is cst.Attribute and function.attr.value == "get" and call.args:
        return function.value, constant_key(call.args[0].value)
    return None


def _asked(call: cst.Call) -> Iterator[_Found]:
    function = call.func
    gotten = _gotten(call)
    if gotten is not None:
        if _is_key(gotten[1]):
            yield _Found(gotten[0], "get", gotten[1] or "")
    elif type(function) is cst.Name and function.value == "isinstance" and len(call.args) == 2:
        types = call.args[1].value
        items = [item.value for item in types.elements] if type(types) is cst.Tuple else [types]
        for name in filter(None, map(dotted_name, items)):
            if RESPONSE_TYPE.search(name.rpartition(".")[2]):
                yield _Found(call.args[0].value, "isinstance", name)


def _is_key(key: str | None) -> bool:
    return key is not None and key.lower() in INSPECTED_KEYS


def _callees(node: cst.BaseExpression, state: State) -> tuple[str, ...]:
    """Return the names of the calls whose results a subject may be; none when it is no result of a call."""
    if type(node) is cst.Await:
        node = node.expression
    if type(node) is cst.Call:
        return (_name(convert(node, state)),)
    if type(node) is not cst.Name or node.value not in state:
        return ()
    values = state[node.value]
    if not any(type(value) is Call for value in values):
        return ()
    return tuple(dict.fromkeys(map(_name, values)))


def _name(value: Value) -> str:
    """Return the name of what is called, "?" for no call; that of a method of a new object begins with its class.

    What runs a coroutine answers what that answers.
    """
    call = value
    while type(call) is Call and call.arguments and {call.name, call.name.rpartition(".")[2]} & RUNNERS:
        call = only(call.arguments[0].value)
    if type(call) is not Call:
        return "?"
    if not call.name.startswith("."):
        return call.name or "?"
    receiver = call.inner
    receiver = only(receiver)
    if type(receiver) is Call and receiver.name and not receiver.name.startswith("."):
        return f"{receiver.name}(){call.name}"
    return "?"
