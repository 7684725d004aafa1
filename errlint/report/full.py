"""``full``: each finding with its source lines, a marker under the span and the places it rests on.

A span of one line is underlined; a longer one is bracketed at the left, from its first line to a marker
under its last character::

    src/server.py:12:9: ERR101 hand-built-error-return: an error payload with `error` is returned by `read`
       |
    12 | /         return {
    13 | |             "error": str(e),
    14 | |         }
       | |_________^
       = note: src/server.py:40:5: `read` is registered as a tool here
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import NamedTuple

from errlint.characters import display, printable
from errlint.findings import Finding, Severity, Span
from errlint.report import Report
from errlint.report.style import GUTTER, NOTE, PLACE, SEVERITY, painter
from errlint.rules import RULES

MOST_LINES = 6
"""Longer spans lose lines before their last."""

LONGEST_LINE = 200
"""Longer lines are cut around the span: a generated file may be one line of a megabyte."""


class Row(NamedTuple):
    """A line of a snippet: the number of its line or "", the marker at its left or under it, and the source."""

    label: str
    mark: str
    text: str = ""


def full(report: Report) -> str:
    """Return all findings, an empty line after each. Each source is read once."""
    blocks: list[str] = []
    for path, findings in groupby(report.findings, key=lambda finding: finding.path):
        source = report.read_source(path)
        lines = [] if source is None else source.split("\n")
        shown = printable(report.shown(path))
        blocks.extend(_block(report, finding, shown, lines) for finding in findings)
    return "".join(blocks)


def _block(report: Report, finding: Finding, shown: str, lines: Sequence[str]) -> str:
    paint, accent = painter(report.colour), SEVERITY[finding.severity]
    # An error is what a linter is expected to report; only what is not one says so.
    severity = "" if finding.severity is Severity.ERROR else f" [{finding.severity.value}]"
    out = [
        f"{paint(shown, PLACE)}:{finding.span.line}:{finding.span.column}: "
        f"{paint(finding.code, accent)} {report.mark(finding)}{RULES[finding.code].name}{severity}: "
        f"{printable(finding.message)}\n"
    ]
    rows = list(snippet(lines, finding.span))
    width = max((len(row.label) for row in rows), default=1)
    if rows:
        out.append(paint(f"{'':{width}} |", GUTTER) + "\n")
    for label, mark, text in rows:
        body = paint(mark if text else mark.rstrip(), accent) + text
        out.append(f"{paint(f'{label:>{width}} |', GUTTER)} {body}".rstrip() + "\n")
    for related in finding.related:
        place = f"{printable(report.shown(related.path))}:{related.span.line}:{related.span.column}"
        out.append(f"{'':{width}} {paint('= note:', NOTE)} {place}: {printable(related.message)}\n")
    out.append("\n")
    return "".join(out)


def snippet(lines: Sequence[str], span: Span, longest: int = LONGEST_LINE) -> Iterator[Row]:
    """Yield what stands beside the gutter; nothing when the file is gone or shorter than when checked.

    Lines of more than ``longest`` characters are cut.
    """
    if span.line > len(lines):
        return
    start, end_line, end = span.column - 1, min(span.end_line, len(lines)), span.end_column - 1
    if end == 0 and end_line > span.line:
        # The span ends with a line end: its last character is on the line before.
        end_line -= 1
        end = len(lines[end_line - 1])
    if end_line == span.line:
        yield from _underlined(span.line, lines[span.line - 1], start, end, longest)
    else:
        yield from _bracketed(lines, span.line, start, end_line, end, longest)


def _underlined(number: int, line: str, start: int, end: int, longest: int) -> Iterator[Row]:
    line, start, end = _cut(line, start, end, longest)
    text, columns = display(line)
    yield Row(str(number), "", text)
    yield Row("", " " * columns[start] + "^" * max(columns[end] - columns[start], 1))


def _bracketed(lines: Sequence[str], first: int, start: int, last: int, end: int, longest: int) -> Iterator[Row]:
    line, start, _ = _cut(lines[first - 1], start, start, longest)
    text, columns = display(line)
    if line[:start].strip():
        # Something else stands before the span on its first line: a line leads from the span to the bracket.
        yield Row(str(first), "  ", text)
        yield Row("", " _" + "_" * columns[start] + "^")
    else:
        yield Row(str(first), "/ ", text)
    cut = last - first >= MOST_LINES
    for number in range(first + 1, first + MOST_LINES - 2 if cut else last):
        yield Row(str(number), "| ", display(_cut(lines[number - 1], 0, 0, longest)[0])[0])
    if cut:
        yield Row("...", "| ")
    line, _, end = _cut(lines[last - 1], 0, end, longest)
    text, columns = display(line)
    yield Row(str(last), "| ", text)
    yield Row("", "|_" + "_" * columns[max(end - 1, 0)] + "^")


def _cut(line: str, start: int, end: int, longest: int) -> tuple[str, int, int]:
    """Return a piece of ``line`` that is short enough to show, and where the span is in it."""
    start, end = min(start, len(line)), min(end, len(line))
    if len(line) <= longest:
        return line, start, end
    first = max(0, start - longest // 4)
    piece = ("…" if first else "") + line[first : first + longest]
    offset = 1 - first if first else 0
    after = "…" if first + longest < len(line) else ""
    return piece + after, start + offset, min(end + offset, len(piece))
