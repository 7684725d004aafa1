"""``concise``: one line per finding, in the form that editors and ``grep`` know."""

from __future__ import annotations

from errlint.characters import printable
from errlint.report import Report
from errlint.report.style import PLACE, SEVERITY, painter


def concise(report: Report) -> str:
    """Return ``path:line:col: CODE message``, one line per finding."""
    paint = painter(report.colour)
    return "".join(
        f"{paint(printable(report.shown(finding.path)), PLACE)}:{finding.span.line}:{finding.span.column}: "
        f"{paint(finding.code, SEVERITY[finding.severity])} {report.mark(finding)}{printable(finding.message)}\n"
        for finding in report.findings
    )
