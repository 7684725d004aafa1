"""``json`` and ``jsonl``: findings for other programs, with the field names of Ruff's JSON.

msgspec writes them because it is loaded anyway, and 2,000 findings take it a tenth of the time of ``json``.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from errlint.findings import Finding
from errlint.report import Report
from errlint.report.characters import encodable
from errlint.rules import RULES


class Position(msgspec.Struct, frozen=True):
    """A place in a file; both count from 1, columns in characters."""

    row: int
    column: int


class RelatedRecord(msgspec.Struct, frozen=True):
    """Another place that a finding rests on."""

    filename: str
    location: Position
    message: str


class Record(msgspec.Struct, frozen=True):
    """One finding. ``fix`` and ``refused`` are null: nothing proposes or refuses a fix yet."""

    code: str
    name: str
    severity: str
    message: str
    filename: str
    location: Position
    end_location: Position
    fix: None
    url: str
    fingerprint: str
    related: tuple[RelatedRecord, ...]
    refused: None


def json_list(report: Report) -> str:
    """Return one JSON list of all findings, indented."""
    return indented([_record(report, finding) for finding in report.findings])


def json_lines(report: Report) -> str:
    """Return one JSON object per line and finding."""
    return as_lines([_record(report, finding) for finding in report.findings])


def as_lines(entries: Sequence[object]) -> str:
    """Return each of ``entries`` as a line of JSON."""
    return msgspec.json.Encoder().encode_lines(entries).decode()


def indented(document: object) -> str:
    """Return ``document`` as indented JSON, in whole lines."""
    return msgspec.json.format(msgspec.json.encode(document), indent=2).decode() + "\n"


def _record(report: Report, finding: Finding) -> Record:
    rule, span = RULES[finding.code], finding.span
    return Record(
        code=finding.code,
        name=rule.name,
        severity=finding.severity.value,
        message=encodable(finding.message),
        filename=encodable(report.absolute(finding.path)),
        location=Position(span.line, span.column),
        end_location=Position(span.end_line, span.end_column),
        fix=None,
        url=rule.url,
        fingerprint=finding.fingerprint,
        related=tuple(
            RelatedRecord(
                filename=encodable(report.absolute(related.path)),
                location=Position(related.span.line, related.span.column),
                message=encodable(related.message),
            )
            for related in finding.related
        ),
        refused=None,
    )
