"""``rdjson``: reviewdog's diagnostic format, which it turns into comments on pull requests of many hosts.

Columns count the bytes of UTF-8; ends are exclusive, as errlint's are.
"""

from __future__ import annotations

import os
from typing import Any

from errlint.characters import encodable
from errlint.findings import Finding, Severity, Span
from errlint.report import Report
from errlint.report.as_json import indented
from errlint.rules import PROJECT_URL, RULES

SEVERITY = {Severity.ERROR: "ERROR", Severity.WARNING: "WARNING", Severity.INFO: "INFO"}


def rdjson(report: Report) -> str:
    """Return a diagnostic result: a diagnostic for each finding, with a suggestion where one edit safely ends it."""
    lines: dict[str, list[str]] = {}
    return indented(
        {
            "source": {"name": "errlint", "url": PROJECT_URL},
            "diagnostics": [_diagnostic(report, finding, lines) for finding in report.findings],
        }
    )


def _diagnostic(report: Report, finding: Finding, lines: dict[str, list[str]]) -> dict[str, Any]:
    if finding.path not in lines:
        lines[finding.path] = (report.read_source(finding.path) or "").split("\n")
    text = lines[finding.path]
    found: dict[str, Any] = {
        "message": encodable(finding.message),
        "location": {
            "path": encodable(report.shown(finding.path).replace(os.sep, "/")),
            "range": _range(finding.span, text),
        },
        "severity": SEVERITY[finding.severity],
        "code": {"value": finding.code, "url": RULES[finding.code].url},
    }
    offer = report.offers.fix(finding) if report.offers is not None else None
    edits = offer.edits.get(finding.path, ()) if offer is not None and offer.is_safe and len(offer.edits) == 1 else ()
    if len(edits) == 1:
        found["suggestions"] = [{"range": _range(edits[0].span, text), "text": encodable(edits[0].content)}]
    return found


def _range(span: Span, lines: list[str]) -> dict[str, Any]:
    return {
        "start": {"line": span.line, "column": _column(span.line, span.column, lines)},
        "end": {"line": span.end_line, "column": _column(span.end_line, span.end_column, lines)},
    }


def _column(line: int, column: int, lines: list[str]) -> int:
    """Return a column in bytes; that in characters where there is no such line."""
    if line > len(lines):
        return column
    return len(lines[line - 1][: column - 1].encode("utf-8", "surrogatepass")) + 1
