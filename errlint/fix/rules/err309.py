"""ERR309: a severity becomes that of its type, and a recovery the only one that goes with the severity."""

from __future__ import annotations

import libcst as cst

from errlint.findings import Finding
from errlint.fix.model import Doubt, refuse
from errlint.fix.rewrite import Changes, Edit
from errlint.fix.rules.node_lookup import Fixed, below, quoted, statement, text_of
from errlint.fix.source_cache import Files
from errlint.project import Project
from errlint.project.taxonomy import reports

FOLLOWERS = frozenset({"ERR405", "ERR406", "ERR407"})
"""A graver error is logged otherwise, with more fields, and may need a file."""


def plan(project: Project, files: Files, finding: Finding) -> Fixed:
    """Return the fix of one finding: other constants where the record, or the log call, is written out."""
    policy = project.policy(finding.path)
    taxonomy, payload = policy.taxonomy, policy.payload
    around = (
        item for item in reports(project, finding.path) if item.span.line <= finding.span.line <= item.span.end_line
    )
    report = next(around, None)
    if report is None:
        raise refuse("where its fields are given was not found")
    said = report.said
    severity = taxonomy.severities.get(said.type, "") or said.given
    legal = taxonomy.recoveries.get(severity, ())
    wanted: dict[str, str] = {}
    if said.given and said.given != severity:
        wanted[payload.severity_field] = severity
    if said.recovery and legal and said.recovery not in legal:
        if len(legal) > 1:
            raise refuse(f"whether the recovery is {' or '.join(f'`{name}`' for name in legal)} has to be decided")
        wanted[payload.recovery_field] = legal[0]
    if not wanted:
        raise refuse("what is done after the error does not go with it: change that, or the recovery")
    parsed = files.parse(finding.path)
    node = statement(parsed, report.span)
    edits = tuple(Edit(_written(node, name), quoted(parsed, text)) for name, text in wanted.items())
    told = " and ".join(f"`{name}` becomes {text!r}" for name, text in wanted.items())
    doubt = Doubt(f"{told}: look at who acts on it", finding.path, finding.span.line)
    return Fixed({parsed.path: Changes(edited=edits)}, (doubt,))


def _written(node: cst.CSTNode, name: str) -> cst.BaseExpression:
    """Return the constant that a field is given in a statement; refuse what is given elsewhere."""
    found = [value for item in below(node) if (value := _given(item, name)) is not None and text_of(value) is not None]
    if len(found) != 1:
        raise refuse(f"`{name}` is no constant that is written here")
    return found[0]


def _given(node: cst.CSTNode, name: str) -> cst.BaseExpression | None:
    if isinstance(node, cst.DictElement) and text_of(node.key) == name:
        return node.value
    return node.value if isinstance(node, cst.Arg) and node.keyword is not None and node.keyword.value == name else None
