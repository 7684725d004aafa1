"""ERR406: the log call gets the method that goes with the severity."""

from __future__ import annotations

import libcst as cst

from errlint.error_keywords import LOG_LEVELS
from errlint.findings import Finding
from errlint.fix.model import Doubt, refuse
from errlint.fix.rewrite import Changes, Edit
from errlint.fix.rules.node_lookup import Fixed, below, statement, with_argument
from errlint.fix.source_cache import Files
from errlint.project import Project
from errlint.project.logs import logged
from errlint.project.taxonomy import classified

FOLLOWERS = frozenset({"ERR405"})
"""A graver error is logged with more fields."""


def plan(project: Project, files: Files, finding: Finding) -> Fixed:
    """Return the fix of one finding: another method, or another level of ``log``."""
    policy = project.policy(finding.path)
    log = next((item for item in logged(project, finding.path) if item.called.span == finding.span), None)
    if log is None:
        raise refuse("its log call was not found")
    said = classified(project, finding.path, log.function, log.fields, policy)
    wanted = next((name for name in policy.logs.methods.get(said.severity, ()) if name in LOG_LEVELS), "")
    if not said.severity:
        raise refuse("its level comes from the status of the exception; take the one that the exception has")
    if not wanted:
        raise refuse(f"no log method is configured for severity {said.severity!r}")
    parsed = files.parse(finding.path)
    doubts = (Doubt(f"the error is logged as `{wanted}`, where it was logged as `{log.level}`"),)
    for node in below(statement(parsed, finding.span)):
        if not isinstance(node, cst.Call) or not isinstance(node.func, cst.Attribute):
            continue
        func = node.func
        if func.attr.value != log.method:
            continue
        if log.method == "log":
            level = node.args[0].value if node.args else None
            if not isinstance(level, cst.Attribute):
                raise refuse("its level is no constant of `logging`")
            text = parsed.code(level.with_changes(attr=cst.Name(LOG_LEVELS[wanted].upper())))
            return Fixed({finding.path: Changes(edited=(Edit(level, text),))}, doubts)
        renamed = func.with_changes(attr=cst.Name(wanted))
        if log.method == "exception" and not any(
            item.keyword and item.keyword.value == "exc_info" for item in node.args
        ):
            text = with_argument(parsed, node.with_changes(func=renamed), "exc_info", "True")
            return Fixed({finding.path: Changes(edited=(Edit(node, text),))}, doubts)
        return Fixed({finding.path: Changes(edited=(Edit(func, parsed.code(renamed)),))}, doubts)
    raise refuse("its log call was not found")
