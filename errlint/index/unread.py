"""Statements that call a function and do nothing with its result, as :class:`errlint.facts.Unread`."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from errlint.index.bindings import variable_of
from errlint.index.expressions import constant_key, dotted_name, given, subscript_key
from errlint.trees import children

_NAMES: dict[type[ast.AST], str] = {
    ast.arg: "arg", ast.FunctionDef: "name", ast.AsyncFunctionDef: "name", ast.ClassDef: "name",
    ast.ExceptHandler: "name", ast.MatchAs: "name", ast.MatchStar: "name", ast.MatchMapping: "rest",
}  # fmt: skip
"""The field of each kind of node that reads a name, or binds one otherwise than by a plain assignment."""


def unread(statement: ast.stmt, reads: Reads) -> tuple[str, str, tuple[str, ...]] | None:
    """Return the name that a statement calls, the first text in the call, and the parts of the result that are read.

    ``None`` stands for a statement that calls nothing by its name, and for one whose result the function reads as such.
    """
    value = getattr(statement, "value", None)
    call = value.value if isinstance(value, ast.Await) else value
    if not isinstance(call, ast.Call):
        return None
    callee = dotted_name(call.func)
    if not callee:
        return None
    if not isinstance(statement, ast.Expr):
        target = variable_of(statement)
        parts = reads.parts(target) if target and not target.startswith("_") else None
        if parts is None:
            return None
        return callee, _word(call), parts
    return callee, _word(call), ()


def _word(call: ast.Call) -> str:
    """Return the first text that is written out as an argument of a call, or in a list or tuple that is one."""
    pending = [value for _, value in reversed(given(call))]
    while pending:
        node = pending.pop()
        if isinstance(node, (ast.List, ast.Tuple)):
            pending.extend(reversed(node.elts))
        elif (text := constant_key(node)) is not None:
            return text
    return ""


class Reads:
    """What a function reads of each name: all of it, or attributes and constant keys; one walk tells it of all names.

    Where a plain assignment binds a name, it is not read. What a function shares with others (``global``), is given or
    binds in another way may be read by whoever else knows it.
    """

    def __init__(self, function: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
        self._function = function
        self._whole: set[str] = set()
        self._parts: dict[str, set[str]] = {}
        self._is_read = False

    def parts(self, name: str) -> tuple[str, ...] | None:
        """Return the attributes and constant keys that are read of a name, ``None`` where all of it is."""
        if not self._is_read:  # of many functions nobody asks
            self._is_read = True
            self._read()
        return None if name in self._whole else tuple(sorted(self._parts.get(name, ())))

    def _read(self) -> None:
        pending: list[ast.AST] = [self._function.args, *self._function.body]
        while pending:
            node = pending.pop()
            if type(node) is ast.Name:
                self._whole.add(node.id)
            elif type(node) is not ast.Constant:
                pending.extend(self._rest(node))

    def _rest(self, node: ast.AST) -> Sequence[ast.AST]:
        """Note what one node reads; return the nodes in it that are still to be looked at."""
        field = _NAMES.get(type(node))
        if field is not None and (own := getattr(node, field)) is not None:
            self._whole.add(own)
            return children(node)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and _name(node.func.value):
            values = [value for _, value in given(node)]
            if node.func.attr == "get" and node.args and (key := constant_key(node.args[0])) is not None:
                self._parts.setdefault(_name(node.func.value), set()).add(key)
                return values[1:]
            self._whole.add(_name(node.func.value))  # a method may look at all of it
            return values
        if isinstance(node, ast.Subscript) and _name(node.value) and (key := subscript_key(node)) is not None:
            self._parts.setdefault(_name(node.value), set()).add(key)
            return ()
        if isinstance(node, ast.Attribute) and _name(node.value):
            self._parts.setdefault(_name(node.value), set()).add(node.attr)
            return ()
        if isinstance(node, (ast.Global, ast.Nonlocal)):
            self._whole.update(node.names)
        elif isinstance(node, (ast.Assign, ast.AnnAssign)) and variable_of(node):
            return [part for part in (node.value, getattr(node, "annotation", None)) if part is not None]
        return children(node)


def _name(node: ast.expr) -> str:
    return node.id if isinstance(node, ast.Name) else ""
