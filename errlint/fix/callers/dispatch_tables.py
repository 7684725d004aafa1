"""Tables of functions: a dict in a name or an attribute, out of which one is taken by its key and called."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import libcst as cst

from errlint.findings import Span
from errlint.fix.bindings import is_test, name_occurrences
from errlint.fix.callers.carrying import is_carried, statement_of
from errlint.fix.nodes import all_below, dotted_name
from errlint.fix.source_file import SCOPES, SourceFile

_LISTING = frozenset({"list", "tuple", "set", "sorted", "len", "join", "keys"})
"""What is made of a table without taking a function out of it."""

_TAKING = frozenset({"get", "pop", "setdefault"})
"""What takes a function out of a table, by its key."""

Answering = cst.Return | cst.SimpleStatementLine
"""A statement that answers what a function of a table does, or takes it to be answered."""


def returns_out_of(parsed: SourceFile, span: Span, callee: str, *, is_async: bool) -> tuple[Answering, ...] | None:
    """Return the statements that return what functions of a table answer, ``None`` where that cannot be told.

    The table is assigned by the statement at ``span``, and has a function in it that is called ``callee`` there. One in
    an attribute is looked for in its class alone.
    """
    line = next(
        (item for item in parsed.nodes_at(span.line, span.column) if isinstance(item, cst.SimpleStatementLine)), None
    )
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


def out_of_file(parsed: SourceFile, mention: cst.CSTNode) -> Iterator[cst.Call]:
    """Yield the calls of a file that may be of a function which is kept there, as in a table, each in a function.

    The statement around ``mention`` says what keeps it: a name, an attribute, or what the function around it returns.
    That is followed through assignments, and through functions and methods of the file that return it.
    """
    held = _Holders(parsed)
    held.take_from(mention)
    if held.is_empty:
        return
    held.follow()
    for call, function in parsed.once(_calls_in_functions):
        if held.is_out_of(call, function):
            yield call


def _calls_in_functions(parsed: SourceFile) -> Sequence[tuple[cst.Call, cst.FunctionDef]]:
    """Return the calls of a file that look nothing up, each with the function around it."""
    placed = ((call, parsed.function(call)) for call in parsed.nodes(cst.Call) if not _is_lookup(call))
    return [(call, function) for call, function in placed if function is not None]


_Keeping = tuple[cst.Assign | cst.AnnAssign | cst.Return, cst.BaseExpression, cst.FunctionDef | None]
"""A statement that binds or returns a value, with that and the function around it."""


def _keeping(parsed: SourceFile) -> Sequence[_Keeping]:
    """Return the statements of a file that bind something, and behind them those that return something."""
    nodes: Sequence[cst.Assign | cst.AnnAssign | cst.Return]
    nodes = (*parsed.nodes(cst.Assign), *parsed.nodes(cst.AnnAssign), *parsed.nodes(cst.Return))
    return [(node, node.value, parsed.function(node)) for node in nodes if node.value is not None]


class _Holders:
    """What keeps a function in a file: names at its top and in functions, attributes, functions that return it."""

    def __init__(self, parsed: SourceFile) -> None:
        self._parsed = parsed
        self._names: set[tuple[cst.FunctionDef | None, str]] = set()

    @property
    def is_empty(self) -> bool:
        """Whether nothing is known to keep the function."""
        return not self._names

    def take(self, function: cst.FunctionDef | None, name: str) -> None:
        """Note a name of a function, of the top of the file for ``None``, or of an attribute with a dot before it."""
        self._names.add((None if name.startswith(".") else function, name))

    def take_from(self, mention: cst.CSTNode) -> None:
        """Note what the statement around a mention of a function binds or returns."""
        function = self._parsed.function(mention)
        for parent, part in self._parsed.around(mention):
            if isinstance(parent, cst.Call) and parent.func is part:
                return
            if isinstance(parent, cst.Return):
                self._returned(function)
            elif isinstance(parent, (cst.Assign, cst.AnnAssign)):
                self._bind(parent, function)
            if isinstance(parent, (*SCOPES, cst.BaseStatement)):
                return

    def follow(self) -> None:
        """Note all else that keeps what is held already."""
        before = -1
        while len(self._names) > before:
            before = len(self._names)
            for node, value, function in self._parsed.once(_keeping):
                if self._is_of(value, function):
                    if isinstance(node, cst.Return):
                        self._returned(function)
                    else:
                        self._bind(node, function)

    def is_out_of(self, call: cst.Call, function: cst.FunctionDef) -> bool:
        """Whether the function of a call is held, or taken out of what is held."""
        func: cst.CSTNode = call.func
        while isinstance(func, (cst.Attribute, cst.Subscript, cst.Call)):
            if self._keeps(func, function):
                return True
            func = func.func if isinstance(func, cst.Call) else func.value
        return self._keeps(func, function)

    def _is_of(self, value: cst.BaseExpression, function: cst.FunctionDef | None) -> bool:
        """Whether a value is something held, or taken out of it by a key."""
        if isinstance(value, cst.Call):
            if _is_lookup(value):
                assert isinstance(value.func, cst.Attribute)
                return self._is_of(value.func.value, function)
            return self._keeps(value.func, function, is_called=True)
        if isinstance(value, cst.Subscript):
            return self._is_of(value.value, function)
        if isinstance(value, (cst.BooleanOperation, cst.IfExp)):
            ways = (value.left, value.right) if isinstance(value, cst.BooleanOperation) else (value.body, value.orelse)
            return any(self._is_of(each, function) for each in ways)
        return self._keeps(value, function)

    def _keeps(self, node: cst.CSTNode, function: cst.FunctionDef | None, *, is_called: bool = False) -> bool:
        if isinstance(node, cst.Attribute):
            return (None, f".{node.attr.value}{'()' if is_called else ''}") in self._names
        if not isinstance(node, cst.Name):
            return False
        name = f"{node.value}{'()' if is_called else ''}"
        return (function, name) in self._names or (None, name) in self._names

    def _bind(self, node: cst.Assign | cst.AnnAssign, function: cst.FunctionDef | None) -> None:
        targets: list[cst.BaseExpression]
        targets = [item.target for item in node.targets] if isinstance(node, cst.Assign) else [node.target]
        while targets:
            target = targets.pop()
            if isinstance(target, (cst.List, cst.Tuple)):
                targets.extend(item.value for item in target.elements)
            elif isinstance(target, cst.Attribute):
                self.take(None, f".{target.attr.value}")
            elif isinstance(target, cst.Name):
                self.take(function, target.value)

    def _returned(self, function: cst.FunctionDef | None) -> None:
        if function is not None:
            self.take(None, f"{function.name.value}()")
            self.take(None, f".{function.name.value}()")


def _is_lookup(call: cst.Call) -> bool:
    """Whether a call takes something out of a table by its key."""
    return isinstance(call.func, cst.Attribute) and call.func.attr.value in _TAKING


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
    inside = len(list(name_occurrences(node.value, short)))
    return name if inside == sum(dotted_name(item) == callee for item in values) > 0 else ""


def _mentions(parsed: SourceFile, function: cst.FunctionDef, name: str) -> Iterator[cst.Name | cst.Attribute]:
    """Yield where a function speaks of a name, in its parameters too, or its class of an attribute."""
    if "." not in name:
        yield from name_occurrences(function.params, name)
        yield from name_occurrences(function.body, name)
        return
    owner = next((parent for parent, _ in parsed.around(function) if isinstance(parent, cst.ClassDef)), None)
    for item in all_below(owner.body) if owner is not None else ():
        if isinstance(item, cst.Attribute) and dotted_name(item) == name:
            yield item


def _taken(parsed: SourceFile, name: cst.Name | cst.Attribute) -> tuple[cst.BaseExpression, ...] | None:
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
    parsed: SourceFile, taken: cst.BaseExpression, function: cst.FunctionDef
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


def _returned(parsed: SourceFile, called: cst.BaseExpression, *, is_async: bool) -> Answering | None:
    """Return the statement that answers the result of a call, waited for where that has to be, or takes it for that."""
    around = iter(parsed.around(called))
    call, outer = next(around)[0], next(around)[0]
    value = outer if is_async else call
    is_waited = isinstance(value, cst.Await) if is_async else isinstance(value, cst.Call)
    if not is_waited or not isinstance(value, cst.BaseExpression) or not is_carried(parsed, value):
        return None
    return statement_of(parsed, value)
