"""Where a result is looked at for an error, as :class:`errlint.facts.Inspection`."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

from errlint.error_keywords import (
    INSPECTED_ATTRIBUTES,
    INSPECTED_KEYS,
    RESPONSE_TYPE,
    RUNNERS,
    STATUS_KEYS,
    STATUS_MARKS,
    SUCCESS_KEYS,
    is_outcome,
)
from errlint.facts import SUBSCRIPT, Call, Inspection, Value, only
from errlint.findings import Span
from errlint.index.effects import State
from errlint.index.expressions import constant_key, convert, dotted_name, given, inside, subscript_key
from errlint.index.statements import in_header, is_compound


class _Inspected(NamedTuple):
    """A place that looks for an error in ``subject``; the rest as in :class:`errlint.facts.Inspection`."""

    subject: ast.expr
    how: str
    key: str
    texts: tuple[str, ...] = ()
    is_negated: bool = False

    @property
    def wants_success(self) -> bool:
        """Whether what is asked of a status holds where there is no error."""
        return bool(self.texts) and (self.texts[0].lower() in STATUS_MARKS) is not self.is_negated


def inspections(statement: ast.stmt, state: State, span: Span) -> Iterator[Inspection]:
    """Yield the inspections in a simple statement, or in the header of a compound one."""
    for root in _expressions(statement):
        for found in _found(root):
            if type(statement) is ast.Assert and _denies(statement.test, found):
                continue
            callees = _callees(found.subject, state)
            if callees:
                yield Inspection(span, callees, found.how, found.key, found.texts, found.is_negated)
    target = statement.targets[0] if isinstance(statement, ast.Assign) else None
    if isinstance(statement, ast.Assign) and isinstance(target, ast.Tuple):
        callees = _callees(statement.value, state)
        for element in target.elts:
            name = element.value if isinstance(element, ast.Starred) else element
            if isinstance(name, ast.Name) and name.id in INSPECTED_KEYS and callees:
                yield Inspection(span, callees, "unpacked", name.id)


def _expressions(statement: ast.stmt) -> Iterable[ast.expr]:
    if isinstance(statement, (ast.Expr, ast.Assign)):
        return (statement.value,)
    if isinstance(statement, ast.AnnAssign):
        return (statement.target,) if statement.value is None else (statement.target, statement.value)
    if is_compound(statement):
        return in_header(statement)
    return [child for child in inside(statement) if isinstance(child, ast.expr)]


def _denies(test: ast.expr, found: _Inspected) -> bool:
    """Whether an assertion says that there is no error: then it looks for none."""
    if found.key.lower() in SUCCESS_KEYS:
        return False
    if isinstance(test, ast.UnaryOp):
        return isinstance(test.op, ast.Not)
    if found.texts:
        return found.wants_success
    if not isinstance(test, ast.Compare):
        return False
    if isinstance(test.ops[0], (ast.NotIn, ast.NotEq)):
        return True
    value = test.comparators[0]
    is_none = isinstance(value, ast.Constant) and value.value is None
    return isinstance(test.ops[0], (ast.Is, ast.Eq)) and is_none


def _found(root: ast.expr) -> list[_Inspected]:
    """Return every inspection below a node."""
    found: list[_Inspected] = []
    pending: list[ast.AST] = [root]
    while pending:
        node = pending.pop()
        kind = type(node)
        if kind is ast.Name or kind is ast.Constant:
            continue
        if type(node) is ast.Attribute:  # most of what is left
            if node.attr in INSPECTED_ATTRIBUTES:
                found.append(_Inspected(node.value, "attribute", node.attr))
            pending.append(node.value)
            continue
        look = _LOOKS.get(kind)
        if look is not None:
            found.extend(look(node))
        pending.extend(reversed(inside(node)))
    return found


def _item(node: ast.Subscript) -> Iterable[_Inspected]:
    key = subscript_key(node)
    return (_Inspected(node.value, "item", key or ""),) if _is_key(key) else ()


def _compared(comparison: ast.Compare) -> Iterable[_Inspected]:
    """Return the inspection in a comparison.

    ``"error" in r``, ``r["status"] == "error"``, ``r.get("status") in ("error", "failed")``.
    """
    if len(comparison.ops) > 1:
        return ()
    operator, left, right = comparison.ops[0], comparison.left, comparison.comparators[0]
    key = constant_key(left)
    if isinstance(operator, (ast.In, ast.NotIn)) and _is_key(key):
        return (_Inspected(right, "in", key or ""),)
    if isinstance(operator, (ast.Eq, ast.NotEq)):
        item, others = (right, [left]) if key is not None else (left, [right])
    elif isinstance(operator, (ast.In, ast.NotIn)) and isinstance(right, (ast.Tuple, ast.List, ast.Set)):
        item, others = left, right.elts
    else:
        return ()
    texts = tuple(text for text in map(constant_key, others) if text is not None and is_outcome(text))
    if len(texts) != len(others) or len({text.lower() in STATUS_MARKS for text in texts}) != 1:
        return ()
    negated = isinstance(operator, (ast.NotEq, ast.NotIn))
    how, subject, asked = "item", None, None
    if isinstance(item, ast.Subscript):
        subject, asked = item.value, subscript_key(item)
    elif isinstance(item, ast.Call) and (gotten := _gotten(item)) is not None:
        how, (subject, asked) = "get", gotten
    if subject is not None and asked is not None and asked.lower() in STATUS_KEYS:
        return (_Inspected(subject, how, asked, texts, negated),)
    return ()


def _gotten(call: ast.Call) -> tuple[ast.expr, str | None] | None:
    """Return subject and key of ``subject.get("key")``; the key is None where it is not constant."""
    function = call.func
    if isinstance(function, ast.Attribute) and function.attr == "get" and (handed := given(call)):
        return function.value, constant_key(handed[0][1])
    return None


def _asked(call: ast.Call) -> Iterable[_Inspected]:
    function = call.func
    if type(function) is ast.Attribute:
        gotten = _gotten(call)
        return (_Inspected(gotten[0], "get", gotten[1] or ""),) if gotten is not None and _is_key(gotten[1]) else ()
    if type(function) is not ast.Name or function.id != "isinstance" or len(call.args) != 2:
        return ()
    types = call.args[1]
    names = filter(None, map(dotted_name, types.elts if isinstance(types, ast.Tuple) else [types]))
    return [
        _Inspected(call.args[0], "isinstance", name) for name in names if RESPONSE_TYPE.search(name.rpartition(".")[2])
    ]


_LOOKS: dict[type[ast.AST], Callable[..., Iterable[_Inspected]]] = {
    ast.Compare: _compared,
    ast.Subscript: _item,
    ast.Call: _asked,
}
"""The expressions, beside attributes, that may look for an error."""


def _is_key(key: str | None) -> bool:
    return key is not None and key.lower() in INSPECTED_KEYS


def _callees(node: ast.expr, state: State) -> tuple[str, ...]:
    """Return the names of the calls whose results a subject may be; none when it is no result of a call."""
    if isinstance(node, ast.Await):
        node = node.value
    if isinstance(node, ast.Call):
        return (_name(convert(node, state)),)
    if not isinstance(node, ast.Name) or node.id not in state:
        return ()
    values = state[node.id].values
    if not any(type(value) is Call and value.name != SUBSCRIPT for value in values):
        return ()
    return tuple(dict.fromkeys(map(_name, values)))


def _name(value: Value) -> str:
    """Return the name of what is called, "?" for no call; that of a method of a new object begins with its class.

    What runs a coroutine answers what that answers.
    """
    call = value
    while type(call) is Call and call.arguments and {call.name, call.name.rpartition(".")[2]} & RUNNERS:
        call = only(call.arguments[0].value)
    if type(call) is not Call or call.name == SUBSCRIPT:
        return "?"
    if not call.name.startswith("."):
        return call.name or "?"
    receiver = call.inner
    receiver = only(receiver)
    if type(receiver) is Call and receiver.name and not receiver.name.startswith("."):
        return f"{receiver.name}(){call.name}"
    return "?"
