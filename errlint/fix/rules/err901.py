"""ERR901: a suppression that suppresses nothing goes; other codes, the reason and other comments stay."""

from __future__ import annotations

import libcst as cst

from errlint.checks.err901_unused_suppression import idle_codes
from errlint.findings import Finding
from errlint.fix.model import refuse
from errlint.fix.rewrite import Changes
from errlint.fix.rules.node_lookup import Fixed
from errlint.fix.source_cache import Files
from errlint.project import Project
from errlint.suppress import without_codes


def plan(project: Project, files: Files, finding: Finding) -> Fixed:
    """Return the fix of one finding: its comment without the codes that are idle."""
    parsed = files.parse(finding.path)
    span = finding.span
    for comment in parsed.nodes(cst.Comment):
        line, column, _, end = parsed.extent(comment)
        if line == span.line and column < span.column <= end:
            text = comment.value
            before, own, after = text[: span.column - 1 - column], text[span.column - 1 - column :], ""
            own, after = own[: span.end_column - span.column], own[span.end_column - span.column :]
            kept = without_codes(own, idle_codes(finding))
            new = "  ".join(part for part in (before.strip(), kept, after.strip()) if part)
            if new and not new.startswith("#"):
                new = f"# {new}"
            return Fixed({finding.path: Changes(comments=((comment, new.strip()),))})
    raise refuse("the comment was not found")
