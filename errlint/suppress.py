"""Suppressions: ``# errlint: ignore[ERR101] reason``, ``# errlint: ignore-file[...]`` and ``# noqa: ERR101``."""

from __future__ import annotations

import re
from collections.abc import Iterable

from errlint.facts import Suppression
from errlint.findings import Finding, Span
from errlint.rules import RULES

_NOQA_CODE = re.compile(r"noqa[^\n]*ERR\d")
_COMMENTS = re.compile(
    r"'''(?:\\.|[^\\])*?'''|\"\"\"(?:\\.|[^\\])*?\"\"\"|'(?:\\.|[^'\\\n])*'|\"(?:\\.|[^\"\\\n])*\"|(?P<comment>\#[^\n]*)",
    re.DOTALL,
)
_OWN = re.compile(r"#\s*errlint:\s*(?P<scope>ignore-file|ignore)\b\s*(?:\[(?P<codes>[^\]]*)\])?\s*(?P<reason>[^#]*)")
_IN_DOCUMENT = re.compile(
    r"<!--\s*errlint:\s*(?P<scope>ignore-file|ignore)\b\s*\[(?P<codes>[^\]]*)\]\s*(?P<reason>.*?)\s*-->"
)
_NOQA = re.compile(r"#\s*noqa\s*:\s*(?P<codes>[A-Z]+[0-9]+(?:[\s,]+[A-Z]+[0-9]+)*)")
NEVER = frozenset({"ERR904", "ERR906", "ERR907"})
"""What tells that a file was not checked cannot be hidden by a comment in it."""


def find_suppressions(text: str) -> tuple[Suppression, ...]:
    """Return the suppressions in the comments of a file, never those inside strings."""
    if "errlint:" not in text and not ("noqa" in text and _NOQA_CODE.search(text)):
        return ()
    found: list[Suppression] = []
    for match in _COMMENTS.finditer(text):
        comment = match.group("comment")
        if not comment:
            continue
        start = text.rfind("\n", 0, match.start()) + 1
        line = text.count("\n", 0, match.start()) + 1
        alone = not text[start : match.start()].strip()
        for own in _OWN.finditer(comment):
            codes = _codes(own["codes"]) if own["codes"] is not None else ()
            span = _span(line, match.start() - start, own)
            found.append(Suppression(span, own["scope"] == "ignore-file", codes, own["reason"].strip(), True, alone))
        for noqa in _NOQA.finditer(comment):
            codes = tuple(code for code in _codes(noqa["codes"]) if code in RULES)
            if codes:
                found.append(Suppression(_span(line, match.start() - start, noqa), False, codes, "", False, alone))
    return tuple(found)


def find_in_document(text: str) -> tuple[Suppression, ...]:
    """Return the suppressions in a Markdown file: ``<!-- errlint: ignore[ERR502] reason -->``, for its line.

    One on a line of its own is about the next line that is not empty.
    """
    if "errlint:" not in text:
        return ()
    found: list[Suppression] = []
    lines = text.split("\n")
    for number, line in enumerate(lines, 1):
        for match in _IN_DOCUMENT.finditer(line):
            alone = not line.replace(match.group(), "").strip()
            following = (at for at, other in enumerate(lines[number:], number + 1) if other.strip())
            at = next(following, number) if alone else number
            codes = _codes(match["codes"])
            span = Span(at, match.start() + 1, at, match.end() + 1)
            found.append(Suppression(span, match["scope"] == "ignore-file", codes, match["reason"], True, alone))
    return tuple(found)


def without_codes(comment: str, idle: frozenset[str]) -> str:
    """Return one suppression, as its span holds it, without some codes: its reason alone, where none is left."""
    own = _OWN.fullmatch(comment) or _NOQA.fullmatch(comment)
    if own is None or own["codes"] is None:
        return comment
    start, end = own.span("codes")
    left = [code for code in re.split(r"[\s,]+", own["codes"].strip()) if code and code.upper() not in idle]
    if left:
        return f"{comment[:start]}{', '.join(left)}{comment[end:]}"
    reason = own.groupdict().get("reason") or ""
    return f"# {reason.strip()}" if reason.strip() else ""


def with_codes(comment: str, codes: Iterable[str], reason: str) -> str:
    """Return one suppression of errlint, as its span holds it, with more codes and with a reason where it has none."""
    own = _OWN.fullmatch(comment)
    assert own is not None
    listed = list(dict.fromkeys((*_codes(own["codes"] or ""), *codes)))
    return f"# errlint: {own['scope']}[{', '.join(listed)}] {own['reason'].strip() or reason}"


def _codes(text: str) -> tuple[str, ...]:
    return tuple(code.upper() for code in re.split(r"[\s,]+", text.strip()) if code)


def _span(line: int, column: int, match: re.Match[str]) -> Span:
    end = match.start() + len(match.group().rstrip())
    return Span(line, column + match.start() + 1, line, column + end + 1)


def apply(
    findings: Iterable[Finding], suppressions: Iterable[Suppression]
) -> tuple[list[Finding], set[tuple[int, str]]]:
    """Return the findings of one file that stay, and which codes of which suppressions (by position) were of use."""
    listed = list(suppressions)
    used: set[tuple[int, str]] = set()
    kept: list[Finding] = []
    for finding in findings:
        hidden = False
        if finding.code not in NEVER:
            for index, suppression in enumerate(listed):
                if finding.code in suppression.codes and _covers(suppression, finding):
                    used.add((index, finding.code))
                    hidden = True
        if not hidden:
            kept.append(finding)
    return kept, used


def _covers(suppression: Suppression, finding: Finding) -> bool:
    if suppression.whole_file:
        return True
    return suppression.span.line in (finding.span.line, finding.span.end_line)
