"""Tests of an answered text: what they assert of it, they assert of the boundary's message from now on."""

from __future__ import annotations

import libcst as cst

from errlint.fix.bindings import name_occurrences
from errlint.fix.nodes import dotted_name
from errlint.fix.rewrite import Changes, Edit
from errlint.fix.source_file import SourceFile


def asserted(parsed: SourceFile, line: cst.SimpleStatementLine, name: str) -> tuple[cst.BaseExpression, ...] | None:
    """Return what a test asserts of a result that a line gives a name to; ``None`` where it does more with it.

    What an assertion says when it fails is left out.
    """
    function = parsed.function(line)
    if function is None or not name:
        return None
    found: list[cst.BaseExpression] = []
    for node in name_occurrences(function, name):
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


def asked_below(parsed: SourceFile, tests: tuple[cst.BaseExpression, ...], name: str, key: str) -> Changes:
    """Return the changes by which tests of a result ask for what it has below a key."""
    below = f'{name}["{key}"]'
    edited: list[Edit] = []
    for test in tests:
        broken = _broken(parsed, test, name, below)
        edited.extend([broken] if broken is not None else (Edit(node, below) for node in name_occurrences(test, name)))
    return Changes(edited=tuple(edited))


def _broken(parsed: SourceFile, test: cst.BaseExpression, name: str, below: str) -> Edit | None:
    """Return the change of ``assert "text" in name`` where it gets too long for its line, laid out as formatters do.

    ``None`` stands for all else.
    """
    parents = [parent for parent, _ in parsed.around(test)]
    line = parsed.text.splitlines()[parsed.line(test) - 1]
    is_long = len(line) - len(name) + len(below) > parsed.width
    if not isinstance(test, cst.Comparison) or not isinstance(parents[0], cst.Assert) or parents[0].msg is not None:
        return None
    end = f" in {name}"
    inner = parsed.code(test.with_changes(lpar=(), rpar=()))
    if not is_long or "\n" in inner or not inner.endswith(end) or len(list(name_occurrences(test, name))) > 1:
        return None
    # What the block is indented by comes on top of what stands here.
    left, indent = inner.removesuffix(end), parsed.module.default_indent
    if test.lpar:
        code = parsed.code(test)
        margin = code.partition(inner)[0].rpartition("\n")[2]
        return Edit(test, code.replace(inner, f"{left}\n{margin}in {below}")) if line.strip() == inner else None
    room = parsed.width - parsed.column(parents[0]) - len(indent)
    between = " " if len(left) + len(below) + len(" in ") <= room else f"\n{indent}"
    return Edit(test, f"(\n{indent}{left}{between}in {below}\n)")


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
