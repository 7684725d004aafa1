"""``json`` and ``jsonl``: findings for other programs, with the field names of Ruff's JSON.

msgspec writes them because it is loaded anyway, and 2,000 findings take it a tenth of the time of ``json``.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from errlint.characters import encodable, json_text
from errlint.findings import Finding
from errlint.fix.model import Doubt
from errlint.fix.presentation.advice import advice
from errlint.fix.presentation.fix_preview import Edit
from errlint.report import Report
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


class TextEdit(msgspec.Struct, frozen=True):
    """A stretch of a file, and the text to put in its place."""

    content: str
    location: Position
    end_location: Position


class FileEdits(msgspec.Struct, frozen=True):
    """What a fix changes in one of several files."""

    filename: str
    edits: tuple[TextEdit, ...]


class Reason(msgspec.Struct, frozen=True):
    """Why a finding is not fixed, or not safely; null is a place, or the fate of a test, that is none.

    ``hint`` says what a person can do about a refusal.
    """

    message: str
    filename: str | None
    location: Position | None
    test: str | None = None
    hint: str | None = None


class Fix(msgspec.Struct, frozen=True):
    """What ends a finding. A fix of several files has them in ``files``, and then no ``edits``.

    Who knows of one file only would else apply a part of it.
    """

    applicability: str
    message: str
    edits: tuple[TextEdit, ...]
    files: tuple[FileEdits, ...]
    doubts: tuple[Reason, ...]


class JsonFinding(msgspec.Struct, frozen=True):
    """One finding. Both ``fix`` and ``refused`` are null where there is no fix for the rule, or none is known yet."""

    code: str
    name: str
    severity: str
    message: str
    filename: str
    location: Position
    end_location: Position
    fix: Fix | None
    url: str
    fingerprint: str
    related: tuple[RelatedRecord, ...]
    refused: tuple[Reason, ...] | None


def json_list(report: Report) -> str:
    """Return one JSON list of all findings, indented."""
    return indented([_record(report, finding) for finding in report.findings])


def json_lines(report: Report) -> str:
    """Return one JSON object per line and finding."""
    return as_lines([_record(report, finding) for finding in report.findings])


def as_lines(entries: Sequence[object]) -> str:
    """Return each of ``entries`` as a line of JSON."""
    return json_text(msgspec.json.Encoder().encode_lines(entries).decode())


def indented(document: object) -> str:
    """Return ``document`` as indented JSON, in whole lines."""
    return json_text(msgspec.json.format(msgspec.json.encode(document), indent=2).decode()) + "\n"


def _record(report: Report, finding: Finding) -> JsonFinding:
    rule, span = RULES[finding.code], finding.span
    return JsonFinding(
        code=finding.code,
        name=rule.name,
        severity=finding.severity.value,
        message=encodable(finding.message),
        filename=encodable(report.absolute(finding.path)),
        location=Position(span.line, span.column),
        end_location=Position(span.end_line, span.end_column),
        fix=_fix(report, finding),
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
        refused=_refused(report, finding),
    )


def _fix(report: Report, finding: Finding) -> Fix | None:
    offer = report.offers.fix(finding) if report.offers is not None else None
    if offer is None:
        return None
    is_alone = offer.edits.keys() <= {finding.path}
    files = tuple(
        FileEdits(encodable(report.absolute(path)), tuple(map(_replacement, edits)))
        for path, edits in sorted(offer.edits.items())
    )
    return Fix(
        applicability="safe" if offer.is_safe else "unsafe",
        message=encodable(offer.message),
        edits=files[0].edits if is_alone and files else (),
        files=() if is_alone else files,
        doubts=tuple(_reason(report, doubt) for doubt in offer.doubts),
    )


def _replacement(edit: Edit) -> TextEdit:
    span = edit.span
    start, end = Position(span.line, span.column), Position(span.end_line, span.end_column)
    return TextEdit(encodable(edit.content), start, end)


def _refused(report: Report, finding: Finding) -> tuple[Reason, ...] | None:
    doubts = report.offers.refusal(finding) if report.offers is not None else ()
    return tuple(_reason(report, doubt) for doubt in doubts) or None


def _reason(report: Report, doubt: Doubt) -> Reason:
    filename = encodable(report.absolute(doubt.path)) if doubt.path else None
    test = doubt.test.value if doubt.test is not None else None
    hint = (advice(doubt.text) or None) if doubt.refuses else None
    return Reason(encodable(doubt.text), filename, Position(doubt.line, 1) if doubt.line else None, test, hint)
