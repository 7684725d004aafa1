"""Checks that find nothing any more (ERR108) are removed, where no answer of the callee can have what they look for."""

from __future__ import annotations

from collections.abc import Collection, Sequence

import libcst as cst

from errlint.facts import Function
from errlint.findings import Finding
from errlint.fix.callers.abstract_values import SourceCache
from errlint.fix.callers.caller_rewrites import dead
from errlint.fix.callers.error_checks import Inspection, target_of
from errlint.fix.model import Refusal, refuse
from errlint.fix.nodes import dotted_name
from errlint.fix.rewrite import Changes
from errlint.fix.source_cache import Files
from errlint.fix.source_file import SourceFile
from errlint.project import Project
from errlint.project.stale import Stale


def removed(project: Project, files: Files, path: str, function: Function, findings: Sequence[Finding]) -> Changes:
    """Return the changes that take the stale checks of a function away.

    Raises :class:`errlint.fix.model.Refusal` where one is no statement of its own, or may find something.
    """
    parsed = files.parse(path)
    sources = SourceCache(project, files, frozenset())
    changes = Changes()
    places = {span for finding in findings for span in (finding.span, *(item.span for item in finding.related))}
    stale = [each for each in project.checks.of(path) if each.around == function and each.inspection.span in places]
    guards = {id(guard): guard for each in stale if (guard := parsed.check(each.inspection.span)) is not None}
    for each in sorted(stale, key=lambda item: item.inspection.span):
        found = _inspection(parsed, each, guards.values())
        line = each.inspection.span.line
        if each.raised is None:
            raise refuse("what this looks for is now said by a type", path, line)
        if isinstance(found, str):
            raise refuse(found, path, line)
        try:
            change = dead(sources, found)
        except Refusal:
            change = None
        if change is None:
            name = each.callee.function.name
            raise refuse(f"`{name}` may still answer what this looks for", path, line)
        changes = changes.joined(change)
    return changes


def _inspection(parsed: SourceFile, stale: Stale, guards: Collection[cst.If]) -> Inspection | str:
    """Return a check behind a call, only other stale checks between them; else what is in the way."""
    guard = parsed.check(stale.inspection.span)
    if guard is None:
        return "only a check that is an `if` of its own is removed"
    if guard.orelse is not None:
        return "the check has an `else`"
    before = next((item for item in reversed(parsed.before(guard)) if not any(item is other for other in guards)), None)
    if not isinstance(before, cst.SimpleStatementLine):
        return "the check does not follow the call"
    name = _called(before)
    callee = stale.callee
    target = target_of(before, name, is_async=callee.function.is_async) if name in stale.inspection.callees else ""
    if not target or len(stale.inspection.callees) != 1:
        return "the check does not follow the call"
    return Inspection(parsed, stale.around, callee, before, guard, target, False, False, frozenset())


def _called(line: cst.SimpleStatementLine) -> str:
    """Return the name of what is called for the value of an assignment."""
    node = line.body[0]
    value = node.value if isinstance(node, (cst.Assign, cst.AnnAssign)) else None
    if isinstance(value, cst.Await):
        value = value.expression
    return dotted_name(value.func) if isinstance(value, cst.Call) else ""
