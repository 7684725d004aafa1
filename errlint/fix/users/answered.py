"""Tests of an answered text: what they assert of it, they assert of the boundary's message from now on."""

from __future__ import annotations

import libcst as cst

from errlint.collect.expressions import dotted_name
from errlint.fix.bindings import spoken
from errlint.fix.parsed import Parsed
from errlint.fix.rewrite import Changes, Edit


def asserted(parsed: Parsed, line: cst.SimpleStatementLine, name: str) -> tuple[cst.BaseExpression, ...] | None:
    """Return what a test asserts of a result that a line gives a name to; ``None`` where it does more with it.

    What an assertion says when it fails is left out.
    """
    function = parsed.function(line)
    if function is None or not name:
        return None
    found: list[cst.BaseExpression] = []
    for node in spoken(function, name):
        if parsed.function(node) is not function:
            return None
        around = list(parsed.around(node))
        if any(parent is line for parent, _ in around) and isinstance(around[0][0], (cst.AssignTarget, cst.AnnAssign)):
            continue
        test = _test(around)
        if test is None:
            return None
        found.extend(test)
    return tuple(dict.fromkeys(found)) or None


def asked_below(tests: tuple[cst.BaseExpression, ...], name: str, key: str) -> Changes:
    """Return the changes by which tests of a result ask for what it has below a key."""
    return Changes(edited=tuple(Edit(node, f'{name}["{key}"]') for test in tests for node in spoken(test, name)))


def _test(around: list[tuple[cst.CSTNode, cst.CSTNode]]) -> tuple[cst.BaseExpression, ...] | None:
    """Return what an assertion asserts that a name stands in, nothing for its message; ``None`` for anything else."""
    for parent, child in around:
        if isinstance(parent, (cst.FormattedString, cst.Subscript)):
            return None
        if isinstance(parent, cst.Assert):
            return (parent.test,) if child is parent.test else ()
        if isinstance(parent, cst.Call) and dotted_name(parent.func).startswith("self.assert"):
            return (parent,)
        if isinstance(parent, cst.BaseCompoundStatement):
            return None
    return None
