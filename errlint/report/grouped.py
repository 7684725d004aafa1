"""``full`` on a terminal: the findings below the name of their file, in lines that fit the width.

The lines of source and the markers are those of :mod:`errlint.report.full`; Rich breaks lines and writes links. It is
imported only here and in its neighbours for terminals, so no other run waits for it::

    src/server.py  2 errors
      12:9  ERR101 hand-built-error-return
            the adapter `read` returns an error payload (`error`); raise an exception instead
            |
         12 |         return {"error": str(e)}
            |         ^^^^^^^^^^^^^^^^^^^^^^^^
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from itertools import groupby
from pathlib import Path

from rich.text import Text

from errlint.characters import printable
from errlint.findings import Finding, Severity, Span
from errlint.report import Report, counted
from errlint.report.full import snippet
from errlint.report.paper import Paper
from errlint.rules import RULES
from errlint.terminal import Terminal

SEVERITY = {Severity.ERROR: "bold red", Severity.WARNING: "bold yellow", Severity.INFO: "bold cyan"}

_INDENT = 2
_WIDEST_TEXT = 110
"""Sentences are no wider than this: longer lines are hard to read."""

_CODE = re.compile(r"`[^`]+`")


def grouped(report: Report, terminal: Terminal) -> str:
    """Return all findings, an empty line after each."""
    paper = Paper(terminal)
    for path, group in groupby(report.findings, key=lambda finding: finding.path):
        findings = list(group)
        source = report.read_source(path)
        lines = [] if source is None else source.split("\n")
        _heading(paper, report, path, findings)
        for finding in findings:
            _finding(paper, report, finding, lines)
            paper.line(Text())
    return paper.text()


def _heading(paper: Paper, report: Report, path: str, findings: Sequence[Finding]) -> None:
    line = Text().append(printable(report.shown(path)), paper.style("bold", _uri(report, path)))
    by_severity = Counter(finding.severity for finding in findings)
    for severity in Severity:
        if by_severity[severity]:
            line.append("  ").append(counted(by_severity[severity], severity.value), SEVERITY[severity])
    paper.line(line)


def _finding(paper: Paper, report: Report, finding: Finding, lines: Sequence[str]) -> None:
    rule, accent = RULES[finding.code], SEVERITY[finding.severity]
    place = f"{finding.span.line}:{finding.span.column}"
    if not paper.terminal.links:
        place = f"{printable(report.shown(finding.path))}:{place}"
    line = Text(" " * _INDENT).append(place, paper.style("bold", _uri(report, finding.path)))
    line.append("  ").append(finding.code, paper.style(accent, rule.url)).append(f" {rule.name}")
    if finding.severity is not Severity.ERROR:
        line.append(f" [{finding.severity.value}]")
    if mark := report.mark(finding).strip():
        line.append(" ").append(mark, "bold cyan")
    paper.line(line)
    paper.wrapped(_with_code(finding.message), 2 * _INDENT, _WIDEST_TEXT)
    _source(paper, lines, finding.span, accent)
    for related in finding.related:
        where = f"{printable(report.shown(related.path))}:{related.span.line}:{related.span.column}"
        note = Text().append("note: ", "bold cyan")
        note.append(where, paper.style("", _uri(report, related.path))).append(": ")
        paper.wrapped(note.append_text(_with_code(related.message)), 2 * _INDENT, _WIDEST_TEXT)


def _source(paper: Paper, lines: Sequence[str], span: Span, accent: str) -> None:
    label_width = len(str(span.end_line)) + 1
    # Beside the source stand the line number, a gutter, the bracket of several lines, and "…" where it is cut.
    room = max(paper.terminal.width - 2 * _INDENT - label_width - 6, 16)
    for label, mark, text in snippet(lines, span, longest=room):
        row = Text(" " * (2 * _INDENT)).append(f"{label:>{label_width}} |", "bold blue").append(" ")
        row.append(mark, accent).append(text)
        row.rstrip()
        paper.line(row)


def _with_code(message: str) -> Text:
    """Return a message in which what stands between backticks is told from the rest."""
    text = Text(printable(message))
    for found in _CODE.finditer(text.plain):
        text.stylize("bold", *found.span())
    return text


def _uri(report: Report, path: str) -> str:
    return Path(report.absolute(path)).as_uri()
