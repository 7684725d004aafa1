"""Callers that answer what a call does, and at most wrap it up: as JSON, as a text content, as a list of one."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import dropwhile

import libcst as cst

from errlint.fix.bindings import assignment, name_occurrences
from errlint.fix.nodes import all_below, dotted_name
from errlint.fix.payload_extraction.effects import is_constant
from errlint.fix.raising.logcalls import log_call
from errlint.fix.source_file import SCOPES, SourceFile

_WRAPPING = frozenset({"CallToolResult", "TextContent", "ToolResult", "dumps", "str"})
"""Last names of what is handed an answer and makes nothing but another form of it."""


def is_carried(parsed: SourceFile, value: cst.BaseExpression) -> bool:
    """Whether a function does nothing with a value but to return it, perhaps wrapped up.

    That may be in the statement behind one that gives it a name, log calls between them aside.
    """
    return _is_carried(parsed, value, is_named=False)


def statement_of(parsed: SourceFile, node: cst.CSTNode) -> cst.Return | cst.SimpleStatementLine:
    """Return the statement that an exception of an expression leaves: the return it stands in, or its line."""
    above = [parent for parent, _ in _up(parsed, node)]
    found = next((item for item in above if isinstance(item, cst.Return)), above[-1])
    assert isinstance(found, (cst.Return, cst.SimpleStatementLine))
    return found


def _is_carried(parsed: SourceFile, value: cst.BaseExpression, *, is_named: bool) -> bool:
    node: cst.CSTNode = value
    for parent, child in parsed.around(value):
        if isinstance(parent, cst.Return):
            return True
        if isinstance(parent, cst.SimpleStatementLine):
            break
        if isinstance(parent, (*SCOPES, cst.BaseCompoundStatement)):
            return False
        is_whole = isinstance(parent, (cst.List, cst.Tuple)) and len(parent.elements) == 1
        is_branch = isinstance(parent, cst.IfExp) and child is not parent.test
        is_part = isinstance(parent, (cst.Arg, cst.Element, cst.Assign, cst.AnnAssign))
        if not (is_whole or is_branch or is_part or (isinstance(parent, cst.Call) and _wraps(parent, child))):
            return False
        node = parent
    line = next((each for each, _ in parsed.around(node) if isinstance(each, cst.SimpleStatementLine)), None)
    name, assigned = assignment(line) or ("", None)
    function = parsed.function(value)
    if is_named or assigned is not value or function is None:
        return False
    assert line is not None
    uses = [use for use in name_occurrences(function.body, name) if not _is_target(parsed, use)]
    bound = [use for use in name_occurrences(function.body, name) if _is_target(parsed, use)]
    behind = dropwhile(_is_logged, parsed.behind(line))
    returned = next(behind, None)
    inside = set(all_below(returned)) if isinstance(returned, cst.SimpleStatementLine) else set()
    is_all = bool(uses) and len(bound) == 1 and all(use in inside for use in uses)
    return is_all and all(_is_answered(parsed, use) for use in uses)


def _is_logged(node: cst.CSTNode) -> bool:
    return log_call(node) is not None


def _is_answered(parsed: SourceFile, use: cst.Name) -> bool:
    """Whether a name is only returned, or asked for its type on the way."""
    if _is_carried(parsed, use, is_named=True):
        return True
    above = [parent for parent, _ in _up(parsed, use)]
    is_asked = len(above) > 1 and isinstance(above[1], cst.Call) and dotted_name(above[1].func) == "isinstance"
    return is_asked and any(isinstance(item, cst.Return) for item in above)


def _up(parsed: SourceFile, node: cst.CSTNode) -> Iterator[tuple[cst.CSTNode, cst.CSTNode]]:
    for parent, child in parsed.around(node):
        yield parent, child
        if isinstance(parent, cst.SimpleStatementLine):
            return


def _is_target(parsed: SourceFile, use: cst.Name) -> bool:
    parent = next(parsed.around(use))[0]
    return isinstance(parent, cst.AssignTarget) or (isinstance(parent, cst.AnnAssign) and parent.target is use)


def _wraps(call: cst.Call, argument: cst.CSTNode) -> bool:
    """Whether a call makes another form of an argument, and is told nothing else that depends on anything."""
    others = (item.value for item in call.args if item is not argument)
    is_known = dotted_name(call.func).rpartition(".")[2] in _WRAPPING and argument in call.args
    return is_known and all(is_constant(value) or isinstance(value, cst.Name) for value in others)
