"""What comes after a simple statement in its block: a raise, or the next round of a loop."""

from __future__ import annotations

from typing import NamedTuple

import libcst as cst

from errlint.collect.expressions import dotted_name, inside

_EXITS = frozenset({"exit", "_exit", "quit", "abort"})
"""Last parts of calls that end the process."""


_CLAUSES = (cst.If, cst.Else, cst.Finally, cst.ExceptHandler, cst.ExceptStarHandler, cst.MatchCase)
"""Parts of compound statements that have a block."""


class After(NamedTuple):
    """The statements (by ``id``) that a raise follows in their block, and those after which the loop goes on."""

    raising: set[int]
    going_on: set[int]


def after(body: cst.BaseSuite | cst.Module) -> After:
    """Look at the blocks of a function; definitions inside are not entered."""
    found = After(set(), set())
    _block(body, False, found)
    return found


def _block(body: cst.BaseSuite | cst.Module, loops: bool, found: After) -> None:
    """Look at one block; ``loops`` is true where behind it nothing but the next round of a loop comes."""
    statements: list[cst.CSTNode] = []
    for line in body.body:
        if type(line) is cst.SimpleStatementLine:
            statements.extend(line.body)
        else:
            statements.append(line)
    raises = False
    for node in reversed(statements):
        if type(node) is cst.Raise:
            raises, loops = True, False
        elif type(node) is cst.Continue:
            raises, loops = False, True
        elif isinstance(node, (cst.Return, cst.Break)) or _exits(node):
            raises, loops = False, False
        elif isinstance(node, cst.BaseSmallStatement):
            if raises:
                found.raising.add(id(node))
            if loops:
                found.going_on.add(id(node))
        elif not isinstance(node, (cst.FunctionDef, cst.ClassDef)):
            _inner(node, loops, found)
            loops = loops and not _leaves(node)


def _inner(node: cst.CSTNode, loops: bool, found: After) -> None:
    """Look at the blocks of a compound statement."""
    if isinstance(node, (cst.For, cst.While)):
        _block(node.body, True, found)
        if node.orelse:
            _block(node.orelse.body, loops, found)
        return
    for child in inside(node):
        if isinstance(child, cst.BaseSuite):
            _block(child, loops, found)
        elif isinstance(child, _CLAUSES):
            _inner(child, loops, found)


def _exits(node: cst.CSTNode) -> bool:
    """Whether a statement ends the process."""
    value = getattr(node, "value", None)
    return type(value) is cst.Call and dotted_name(value.func).rpartition(".")[2] in _EXITS


def _leaves(node: cst.CSTNode) -> bool:
    """Whether a compound statement has something in it that leaves the loop or the function."""
    pending: list[cst.CSTNode] = [node]
    while pending:
        current = pending.pop()
        if isinstance(current, (cst.Raise, cst.Return, cst.Break)) or _exits(current):
            return True
        if not isinstance(current, (cst.FunctionDef, cst.ClassDef, cst.BaseExpression)):
            pending.extend(inside(current))
    return False
