"""Tables of functions: a dict in a name or an attribute, out of which one is taken by its key and called."""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set

import libcst as cst

from errlint.collect.expressions import all_below, dotted_name, names_below
from errlint.findings import Span
from errlint.fix.bindings import assignment, is_test, spoken
from errlint.fix.parsed import Parsed
from errlint.fix.users.carrying import is_carried, statement_of

_LINE = cst.SimpleStatementLine
_DISPLAYS = (cst.Dict, cst.List, cst.Set, cst.Tuple)

_LISTING = frozenset({"list", "tuple", "set", "sorted", "len", "join", "keys"})
"""What is made of a table without taking a function out of it."""


Answering = cst.Return | cst.SimpleStatementLine
"""A statement that answers what a function of a table does, or takes it to be answered."""


def returns_out_of(parsed: Parsed, span: Span, callee: str, *, is_async: bool) -> tuple[Answering, ...] | None:
    """Return the statements that return what functions of a table answer, ``None`` where that cannot be told.

    The table is assigned by the statement at ``span``, and has a function in it that is called ``callee`` there. One in
    an attribute is looked for in its class alone.
    """
    line = next((item for item in parsed.nodes_at(span.line, span.column) if isinstance(item, _LINE)), None)
    table = _table(line, callee) if line is not None else ""
    function = parsed.function(line) if line is not None else None
    if line is None or function is None or not table:
        return None
    found: list[Answering] = []
    for name in _mentions(parsed, function, table):
        taken = _taken(parsed, name)
        if taken is None:
            return None
        for item in taken:
            returned = _returned(parsed, item, is_async=is_async)
            if returned is None:
                return None
            found.append(returned)
    return tuple(dict.fromkeys(found)) or None


def table_of(parsed: Parsed, span: Span, callee: str) -> str:
    """Return the name at the top of a file of a table in which a function stands, "" for anything else.

    It is bound by the statement at ``span`` to a display. The function may stand anywhere in that, also as what is
    handed to a call.
    """
    first = callee.partition(".")[0]
    for line in parsed.nodes_at(span.line, span.column):
        bound = assignment(line) if isinstance(line, _LINE) else None
        if bound is not None and isinstance(bound[1], _DISPLAYS) and any(spoken(bound[1], first)):
            return bound[0]
    return ""


def out_of_module(parsed: Parsed, table: str) -> Iterator[cst.Return]:
    """Yield the statements of a file that may return what a function of a table at its top answers."""
    for function in parsed.nodes(cst.FunctionDef):
        nodes = list(all_below(function.body)) if any(spoken(function.body, table)) else []
        taken = _made_of(table, [node for node in nodes if isinstance(node, cst.Assign)])
        for node in nodes:
            value = node.value if isinstance(node, cst.Return) else None
            call = value.expression if isinstance(value, cst.Await) else value
            if isinstance(node, cst.Return) and isinstance(call, cst.Call) and not taken.isdisjoint(_called_by(call)):
                yield node


def _made_of(table: str, assignments: Sequence[cst.Assign]) -> Set[str]:
    """Return the names of a table and of what is taken out of it, in one step or several."""
    found, before = {table}, 0
    while len(found) > before:
        before = len(found)
        for node in assignments:
            if not found.isdisjoint(names_below(node.value)):
                found.update(name for target in node.targets for name in names_below(target.target))
    return found


def _called_by(call: cst.Call) -> Iterator[str]:
    """Yield the names of which the function of a call is made: of itself, and of what it is taken out of."""
    func: cst.CSTNode = call.func
    while isinstance(func, (cst.Attribute, cst.Subscript, cst.Call)):
        func = func.func if isinstance(func, cst.Call) else func.value
    if isinstance(func, cst.Name):
        yield func.value


def _table(line: cst.SimpleStatementLine, callee: str) -> str:
    """Return the name of a dict in which a function stands as a value, "" for any other statement."""
    node = line.body[0]
    if len(line.body) != 1 or not isinstance(node, (cst.Assign, cst.AnnAssign)) or not isinstance(node.value, cst.Dict):
        return ""
    targets = [item.target for item in node.targets] if isinstance(node, cst.Assign) else [node.target]
    name = dotted_name(targets[0])
    if len(targets) != 1 or (name.count(".") and not (name.startswith("self.") and name.count(".") == 1)):
        return ""
    short = callee.rpartition(".")[2]
    values = [item.value for item in node.value.elements if isinstance(item, cst.DictElement)]
    inside = len(list(spoken(node.value, short)))
    return name if inside == sum(dotted_name(item) == callee for item in values) > 0 else ""


def _mentions(parsed: Parsed, function: cst.FunctionDef, name: str) -> Iterator[cst.Name | cst.Attribute]:
    """Yield where a function speaks of a name, in its parameters too, or its class of an attribute."""
    if "." not in name:
        yield from spoken(function.params, name)
        yield from spoken(function.body, name)
        return
    owner = next((parent for parent, _ in parsed.around(function) if isinstance(parent, cst.ClassDef)), None)
    for item in all_below(owner.body) if owner is not None else ():
        if isinstance(item, cst.Attribute) and dotted_name(item) == name:
            yield item


def _taken(parsed: Parsed, name: cst.Name | cst.Attribute) -> tuple[cst.BaseExpression, ...] | None:
    """Return the functions that one mention of a table takes out of it, as what is called in the end.

    ``None`` stands for a mention that does anything else.
    """
    around = list(parsed.around(name))
    parent, above = around[0][0], around[1][0] if len(around) > 1 else None
    function = parsed.function(name)
    if function is None:
        return None
    if isinstance(parent, (cst.AssignTarget, cst.AnnAssign)):
        return None if isinstance(name, cst.Name) and _is_declared(function, name.value) else ()
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
    for name in _mentions(parsed, function, target.value):
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


def _returned(parsed: Parsed, called: cst.BaseExpression, *, is_async: bool) -> Answering | None:
    """Return the statement that answers the result of a call, waited for where that has to be, or takes it for that."""
    around = iter(parsed.around(called))
    call, outer = next(around)[0], next(around)[0]
    value = outer if is_async else call
    is_waited = isinstance(value, cst.Await) if is_async else isinstance(value, cst.Call)
    if not is_waited or not isinstance(value, cst.BaseExpression) or not is_carried(parsed, value):
        return None
    return statement_of(parsed, value)
