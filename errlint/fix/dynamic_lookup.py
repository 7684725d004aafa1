"""What code asks for by its name, as with ``getattr``: the name itself may stand nowhere."""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence, Set
from typing import NamedTuple

from errlint.fix.name_uses import NameUse
from errlint.index.bindings import assigned_names, names_bound
from errlint.lazy import cached_property
from errlint.trees import children, walk

ANY = ".*"
"""The pattern of a name of which nothing is known."""

_TABLES = frozenset({"globals", "locals", "vars"})
_GETTERS = frozenset({"get", "pop", "setdefault", "__getitem__"})
_MAKERS = frozenset({"attrgetter", "methodcaller"})
WORDS = ("getattr", "__dict__", *sorted(_TABLES | _MAKERS))
CHANGERS = ("setattr", "delattr")

READERS = frozenset({"dir", "eval", "exec", "locals", "vars"})
"""Functions that read variables which nothing names."""

_ASKING = frozenset({"bool", "callable", "hasattr", "isinstance", "len", "print", "repr", "str", "type"})
"""Functions that call nothing of what they are given."""


class Lookup(NamedTuple):
    """A place that takes something by its name out of a ``holder``: "" for the module, "?" for any object.

    ``pattern`` is one of the names that it may be, :data:`ANY` where nothing is known of it. ``changes`` is true where
    the name gets another value. ``may_call`` is false where what is found is only asked for or shown.
    """

    use: NameUse
    holder: str
    pattern: str
    made: ast.expr
    changes: bool
    may_call: bool


def lookups_in(tree: ast.Module, read: Mapping[str, Sequence[NameUse]]) -> Sequence[Lookup]:
    """Return the lookups in a file; ``read`` is what it reads by names."""
    found: list[Lookup] = []
    file = _File(tree)
    for word in (*WORDS, *CHANGERS):
        for use in read.get(word, ()):
            for node in walk(use.statement):
                asked = _asked(node, use, word)
                if asked is not None and isinstance(node, ast.expr):
                    may_call = _may_be_called(file, use.statement, node)
                    found.append(Lookup(use, asked[0], _pattern(file, asked[1]), node, word in CHANGERS, may_call))
    return found


class _File:
    """What is bound and called in a file by names, told for all of its lookups at once."""

    def __init__(self, tree: ast.Module) -> None:
        self._tree = tree

    @cached_property
    def bound(self) -> Mapping[str, int]:
        """How many nodes bind each name."""
        return Counter(
            name for node in walk(self._tree) for name in {*names_bound(node), getattr(node, "arg", None)} if name
        )

    @cached_property
    def values(self) -> Mapping[str, Sequence[ast.expr]]:
        """What each name is bound to, where that is written down."""
        found: dict[str, list[ast.expr]] = {}
        for node in walk(self._tree):
            for name, value in _bindings(node):
                found.setdefault(name, []).append(value)
        return found

    @cached_property
    def called(self) -> Set[str]:
        """The names that are called, or handed to a call."""
        calls = (node for node in walk(self._tree) if isinstance(node, ast.Call))
        return {each.id for call in calls for each in (call.func, *call.args) if isinstance(each, ast.Name)}


def _asked(node: ast.AST, use: NameUse, word: str) -> tuple[str, ast.expr] | None:
    """Return the holder and the name of a lookup, ``None`` where an expression is none."""
    if isinstance(node, ast.Subscript):
        holder = _table(node.value, use, word)
        return None if holder is None else (holder, node.slice)
    if not isinstance(node, ast.Call) or not node.args:
        return None
    if isinstance(node.func, ast.Attribute) and node.func.attr in _GETTERS:
        holder = _table(node.func.value, use, word)
        return None if holder is None else (holder, node.args[0])
    if node.func is not use.node:
        return None
    if word in ("getattr", *CHANGERS) and len(node.args) > 1:
        return ast.unparse(node.args[0]), node.args[1]
    return ("?", node.args[0]) if word in _MAKERS else None


def _table(node: ast.expr, use: NameUse, word: str) -> str | None:
    """Return what has the names that are in a table, as in ``globals()`` or ``tools.__dict__``."""
    if node is use.node and isinstance(node, ast.Attribute):
        return ast.unparse(node.value)
    if isinstance(node, ast.Call) and node.func is use.node and (word in _TABLES or "__dict__" in ast.unparse(node)):
        return ast.unparse(node.args[0]) if node.args else ""
    return None


def _pattern(file: _File, name: ast.expr) -> str:
    """Return a pattern of the names that are asked for."""
    if not isinstance(name, ast.Name):
        return _of_text(name)
    values = file.values.get(name.id, ())
    patterns = {_of_text(value) for value in values} if len(values) >= file.bound.get(name.id, 0) else set()
    return "|".join(sorted(patterns)) if patterns and ANY not in patterns else ANY


def _bindings(node: ast.AST) -> Iterator[tuple[str, ast.expr]]:
    """Yield the names that a statement binds, each with what is written down there for it."""
    yield from assigned_names(node)
    if isinstance(node, (ast.For, ast.comprehension)) and isinstance(node.iter, (ast.Tuple, ast.List, ast.Set)):
        target = node.target
        yield from ((target.id, value) for value in node.iter.elts if isinstance(target, ast.Name))


def _of_text(node: ast.expr) -> str:
    if isinstance(node, ast.Constant):
        return re.escape(str(node.value))
    if isinstance(node, ast.JoinedStr):
        return "".join(map(_of_text, node.values))
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        return _of_text(node.left) + _of_text(node.right)
    return ANY


def _may_be_called(file: _File, statement: ast.stmt, made: ast.expr) -> bool:
    """Whether what is found may be called, and is not only asked for or shown."""
    for node in walk(statement):
        parts = children(node)
        if not any(child is made for child in parts):
            continue
        if isinstance(node, ast.Call):
            return node.func is made or ast.unparse(node.func) not in _ASKING
        if isinstance(node, (ast.Assign, ast.AnnAssign, ast.NamedExpr)):
            names = set(names_bound(node)) | {name for child in parts for name in names_bound(child)}
            return not names or not names.isdisjoint(file.called)
        return not isinstance(node, (ast.Compare, ast.FormattedValue, ast.If, ast.Assert, ast.Attribute))
    return True
