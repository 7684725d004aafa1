"""Names that a module imports or defines, and then binds to something else, on every way through it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import pairwise
from typing import NamedTuple

import libcst as cst

from errlint.collect.expressions import dotted_name, inside, names_below
from errlint.collect.flow import Statement
from errlint.facts import Rebound
from errlint.findings import Span

_AGAIN = frozenset({"overload", "setter", "getter", "deleter", "register", "dispatch", "singledispatch", "multimethod"})
"""Decorators of definitions that share a name with another on purpose."""


class _Binding(NamedTuple):
    statement: Statement
    how: str
    origin: str


def rebound(module: cst.Module, watched: frozenset[str] | None, spans: Mapping[int, Span]) -> Iterator[Rebound]:
    """Yield where a name is bound again; ``watched`` are the names to look at, ``None`` for all.

    Names that are also bound in a block (``if``, ``try``), or deleted, are left alone.
    """
    bindings: dict[str, list[_Binding]] = {}
    loose: set[str] = set()
    for line in module.body:
        if isinstance(line, cst.SimpleStatementLine):
            for statement in line.body:
                for name, binding in _bindings(statement):
                    bindings.setdefault(name, []).append(binding)
                if isinstance(statement, cst.Del):
                    loose.update(_deleted(statement))
        elif isinstance(line, (cst.FunctionDef, cst.ClassDef)):
            for name, binding in _bindings(line):
                bindings.setdefault(name, []).append(binding)
        elif watched is None:
            loose.update(_below(line))
    for name, found in bindings.items():
        if name in loose or (watched is not None and name not in watched):
            continue
        for before, after in pairwise(found):
            if before.how == "assignment" or (before.origin and before.origin == after.origin):
                continue
            if after.how == "assignment" and name in after.origin.split():
                continue
            if "again" in (before.origin, after.origin):
                continue
            yield Rebound(name, spans[id(after.statement)], after.how, spans[id(before.statement)], before.how)


def _bindings(node: Statement) -> Iterator[tuple[str, _Binding]]:
    """Yield the names that a statement binds; the origin of an assignment are the names in its value."""
    if isinstance(node, (cst.FunctionDef, cst.ClassDef)):
        decorators = {dotted_name(_callee(item.decorator)).rpartition(".")[2] for item in node.decorators}
        how = "class" if isinstance(node, cst.ClassDef) else "def"
        # A class may be made of what had its name before.
        bases = {dotted_name(item.value) for item in node.bases} if isinstance(node, cst.ClassDef) else set()
        again = not _AGAIN.isdisjoint(decorators) or node.name.value in bases
        yield node.name.value, _Binding(node, how, "again" if again else "")
    elif isinstance(node, cst.Import):
        for alias in node.names:
            name = alias.evaluated_alias or alias.evaluated_name.partition(".")[0]
            # `import a.b` after `import a.c` is no other `a`.
            yield name, _Binding(node, "import", alias.evaluated_name if alias.evaluated_alias else name)
    elif isinstance(node, cst.ImportFrom) and not isinstance(node.names, cst.ImportStar):
        module = "." * len(node.relative) + (dotted_name(node.module) if node.module else "")
        for alias in node.names:
            name = alias.evaluated_alias or alias.evaluated_name
            yield name, _Binding(node, "import", f"{module}.{alias.evaluated_name}")
    elif isinstance(node, (cst.Assign, cst.AnnAssign)) and node.value is not None:
        targets = [item.target for item in node.targets] if isinstance(node, cst.Assign) else [node.target]
        names = " ".join(names_below(node.value))
        for target in targets:
            if isinstance(target, cst.Name):
                yield target.value, _Binding(node, "assignment", names)


def _callee(node: cst.BaseExpression) -> cst.BaseExpression:
    return node.func if isinstance(node, cst.Call) else node


def _deleted(node: cst.Del) -> Iterator[str]:
    return names_below(node.target)


def _below(node: cst.CSTNode) -> Iterator[str]:
    """Yield the names bound somewhere in a block of the module; too many rather than too few."""
    pending = [node]
    while pending:
        current = pending.pop()
        if isinstance(current, (cst.FunctionDef, cst.ClassDef)):
            yield current.name.value
            continue
        if isinstance(current, (cst.Import, cst.ImportFrom)) and not isinstance(current.names, cst.ImportStar):
            for alias in current.names:
                yield alias.evaluated_alias or alias.evaluated_name.partition(".")[0]
            continue
        if isinstance(current, (cst.AssignTarget, cst.AsName)):
            yield from names_below(current)
        elif isinstance(current, (cst.AnnAssign, cst.AugAssign, cst.For, cst.Del)):
            yield from names_below(current.target)
        elif isinstance(current, (cst.MatchAs, cst.MatchStar)) and current.name is not None:
            yield current.name.value
        pending.extend(inside(current))
