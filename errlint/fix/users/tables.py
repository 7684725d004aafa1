"""Tables of functions: a dict in a local name, out of which one is taken by its key and called for its result."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from errlint.collect.expressions import all_below, dotted_name
from errlint.findings import Span
from errlint.fix.bindings import assignment, is_test, spoken
from errlint.fix.forms.payload import dumped
from errlint.fix.parsed import Parsed

_LISTING = frozenset({"list", "tuple", "set", "sorted", "len", "join", "keys"})
"""What is made of a table without taking a function out of it."""


def returns_out_of(parsed: Parsed, span: Span, callee: str, *, is_async: bool) -> tuple[cst.Return, ...] | None:
    """Return the statements that return what functions of a table answer, ``None`` where that cannot be told.

    The table is assigned by the statement at ``span``, and has a function in it that is called ``callee`` there.
    """
    line = parsed.assigned(span)
    table = _table(line, callee) if line is not None else ""
    function = parsed.function(line) if line is not None else None
    if function is None or not table:
        return None
    found: list[cst.Return] = []
    for name in _mentions(function, table):
        taken = _taken(parsed, name, function)
        if taken is None:
            return None
        for item in taken:
            returned = _returned(parsed, item, is_async=is_async)
            if returned is None:
                return None
            found.append(returned)
    return tuple(dict.fromkeys(found)) or None


def _table(line: cst.SimpleStatementLine, callee: str) -> str:
    """Return the name of a dict in which a function stands as a value, "" for any other statement."""
    name, value = assignment(line) or ("", None)
    if not isinstance(value, cst.Dict):
        return ""
    short = callee.rpartition(".")[2]
    values = [item.value for item in value.elements if isinstance(item, cst.DictElement)]
    inside = len(list(spoken(value, short)))
    return name if inside == sum(dotted_name(item) == callee for item in values) > 0 else ""


def _mentions(function: cst.FunctionDef, name: str) -> Iterator[cst.Name]:
    """Yield where a function speaks of a name, in its parameters too."""
    yield from spoken(function.params, name)
    yield from spoken(function.body, name)


def _taken(parsed: Parsed, name: cst.Name, function: cst.FunctionDef) -> tuple[cst.BaseExpression, ...] | None:
    """Return the functions that one mention of a table takes out of it, as what is called in the end.

    ``None`` stands for a mention that does anything else.
    """
    around = list(parsed.around(name))
    parent, above = around[0][0], around[1][0] if len(around) > 1 else None
    if parsed.function(name) is not function:
        return None
    if isinstance(parent, (cst.AssignTarget, cst.AnnAssign)):
        return None if _is_declared(function, name.value) else ()
    if isinstance(parent, cst.ComparisonTarget):
        return () if isinstance(parent.operator, (cst.In, cst.NotIn)) else None
    if isinstance(parent, cst.Arg) and isinstance(above, cst.Call):
        return () if dotted_name(above.func).rpartition(".")[2] in _LISTING else None
    if isinstance(parent, cst.Attribute) and isinstance(above, cst.Call):
        if parent.attr.value == "keys":
            return ()
        return _called(parsed, above, function) if parent.attr.value == "get" and len(above.args) == 1 else None
    if isinstance(parent, cst.Subscript) and parent.value is name:
        return _called(parsed, parent, function)
    return None


def _called(
    parsed: Parsed, taken: cst.BaseExpression, function: cst.FunctionDef
) -> tuple[cst.BaseExpression, ...] | None:
    """Return what is called of a function that was taken: itself, or each mention of the name that it was given."""
    parent = next(parsed.around(taken))[0]
    if isinstance(parent, cst.Call) and parent.func is taken:
        return (taken,)
    if not isinstance(parent, cst.Assign) or len(parent.targets) != 1:
        return None
    target = parent.targets[0].target
    if not isinstance(target, cst.Name) or _is_declared(function, target.value):
        return None
    found: list[cst.BaseExpression] = []
    for name in _mentions(function, target.value):
        user, part = next(parsed.around(name))
        if parsed.function(name) is not function:
            return None
        if isinstance(user, cst.Call) and user.func is name:
            found.append(name)
        elif not isinstance(user, cst.AssignTarget) and not is_test(user, part):
            return None
    return tuple(found)


def _is_declared(function: cst.FunctionDef, name: str) -> bool:
    """Whether a function shares a name with what is around it."""
    return any(
        item.name.value == name
        for node in all_below(function.body)
        if isinstance(node, (cst.Global, cst.Nonlocal))
        for item in node.names
    )


def _returned(parsed: Parsed, called: cst.BaseExpression, *, is_async: bool) -> cst.Return | None:
    """Return the statement that returns the result of a call as it is, waited for where that has to be."""
    around = iter(parsed.around(called))
    call = next(around)[0]
    value = call
    for parent, _ in around:
        if is_async and value is call and isinstance(parent, cst.Await):
            value = parent
        elif isinstance(parent, cst.Return):
            is_waited = isinstance(value, cst.Await) == is_async
            return parent if is_waited and (parent.value is value or dumped(parent.value) is value) else None
        elif not isinstance(parent, (cst.Arg, cst.Call)):
            return None
    return None
