"""Suppressions: ``# errlint: ignore[ERR101] reason``, ``# errlint: ignore-file[...]`` and ``# noqa: ERR101``."""

from __future__ import annotations

import re
from collections.abc import Iterable

from errlint.facts import Suppression
from errlint.findings import Finding, Span
from errlint.rules import FATAL_RULES, RULES, code_of
from errlint.source import STRING

_WORTH_READING = re.compile(r"errlint:|ERR\d|noqa\s*:[^#\n]*[a-z]-[a-z]")
"""In every text with a suppression, or with the name of a rule where only its code would be one."""

_COMMENTS = re.compile(STRING + r"|(?P<comment>\#[^\n]*)", re.DOTALL)
_OWN = re.compile(r"#\s*errlint:\s*(?P<scope>ignore-file|ignore)\b\s*(?:\[(?P<codes>[^\]#]*)\])?\s*(?P<reason>[^#]*)")
_IN_DOCUMENT = re.compile(r"<!--\s*errlint:\s*(?P<scope>ignore-file|ignore)\b\s*\[(?P<codes>[^\]]*)\](?P<reason>.*)-->")
_HTML_COMMENT = re.compile(r"<!--(?:(?!<!--).)*?-->")
_NOQA = re.compile(r"#\s*noqa\s*:\s*(?P<codes>[A-Z]+[0-9]+(?:[\s,]+[A-Z]+[0-9]+)*)")

_NOQA_WORDS = re.compile(r"#\s*noqa\s*:\s*(?P<words>[\w-]+(?:\s*,\s*[\w-]+)*)")


def find_suppressions(text: str) -> tuple[Suppression, ...]:
    """Return the suppressions in the comments of a file, never those inside strings.

    Names of rules in a ``noqa`` comment are kept apart as they are, and suppress nothing: Ruff takes codes alone there,
    and for Flake8 a list that does not begin with one hides whatever is found on the line.
    """
    if ("errlint:" not in text and "noqa" not in text) or _WORTH_READING.search(text) is None:
        return ()
    found: list[Suppression] = []
    line = 1
    counted = 0
    for match in _COMMENTS.finditer(text):
        comment, at = match.group("comment") or _behind_quote(match.group()), match.end()
        if not comment:
            continue
        at -= len(comment)
        line += text.count("\n", counted, at)
        counted = at
        start = text.rfind("\n", 0, at) + 1
        alone = not text[start:at].strip()
        for own in _OWN.finditer(comment):
            codes = _codes(own["codes"]) if own["codes"] is not None else ()
            span = _span(line, at - start, own)
            found.append(Suppression(span, own["scope"] == "ignore-file", codes, own["reason"].strip(), True, alone))
        for noqa in _NOQA.finditer(comment):
            codes = tuple(code for code in _codes(noqa["codes"]) if code in RULES)
            if codes:
                found.append(Suppression(_span(line, at - start, noqa), False, codes, "", False, alone))
        for noqa in _NOQA_WORDS.finditer(comment):
            names = tuple(word for word in _words(noqa["words"]) if code_of(word) != word)
            if names:
                found.append(Suppression(_span(line, at - start, noqa), False, names, "", False, alone))
    return tuple(found)


def _behind_quote(string: str) -> str:
    """Return the comment behind a quote that opens nothing on its line: it ends a text whose hole has many lines."""
    is_open = string[0] in "'\"" and (len(string) == 1 or string[-1] != string[0])
    return string[string.find("#") :] if is_open and "#" in string else ""


def find_in_document(text: str) -> tuple[Suppression, ...]:
    """Return the suppressions in a Markdown file: ``<!-- errlint: ignore[ERR502] reason -->``, for its line.

    One on a line of its own is about the next line that is not empty.
    """
    if "errlint:" not in text:
        return ()
    found: list[Suppression] = []
    lines = text.split("\n")
    following = [0] * (len(lines) + 1)  # by number of a line: that of the next one that is not empty
    for number in range(len(lines) - 1, 0, -1):
        following[number] = number + 1 if lines[number].strip() else following[number + 1]
    for number, line in enumerate(lines, 1):
        for comment in _HTML_COMMENT.finditer(line) if "errlint:" in line else ():
            match = _IN_DOCUMENT.fullmatch(line, comment.start(), comment.end())
            if match is None:
                continue
            alone = line.strip() == match.group()
            at = (following[number] or number) if alone else number
            codes = _codes(match["codes"])
            span = Span(at, match.start() + 1, at, match.end() + 1)
            found.append(
                Suppression(span, match["scope"] == "ignore-file", codes, match["reason"].strip(), True, alone)
            )
    return tuple(found)


def without_codes(comment: str, idle: frozenset[str]) -> str:
    """Return one suppression, as its span holds it, without some codes: its reason alone, where none is left."""
    own = _OWN.fullmatch(comment) or _NOQA.fullmatch(comment)
    if own is None or own["codes"] is None:
        return comment
    start, end = own.span("codes")
    left = [word for word in _words(own["codes"]) if _code(word) not in idle]
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
    """Return the codes in a list of codes and names of rules, each once."""
    return tuple(dict.fromkeys(map(_code, _words(text))))


def _words(text: str) -> list[str]:
    return [word for word in re.split(r"[\s,]+", text.strip()) if word]


def _code(word: str) -> str:
    """Return the code that a word of a suppression means; what may be a misspelt name stays as it is."""
    found = code_of(word.lower())
    return word if found == word.lower() and "-" in word else found.upper()


def _span(line: int, column: int, match: re.Match[str]) -> Span:
    end = match.start() + len(match.group().rstrip())
    return Span(line, column + match.start() + 1, line, column + end + 1)


def apply(
    findings: Iterable[Finding], suppressions: Iterable[Suppression]
) -> tuple[list[Finding], set[tuple[int, str]]]:
    """Return the findings of one file that stay, and which codes of which suppressions (by position) were of use."""
    by_place: dict[tuple[int, str], list[int]] = {}  # by line and code; the whole file is line 0
    for index, suppression in enumerate(suppressions):
        for code in suppression.codes:
            place = (0 if suppression.whole_file else suppression.span.line, code)
            by_place.setdefault(place, []).append(index)
    used_at: set[tuple[int, str]] = set()
    kept: list[Finding] = []
    for finding in findings:
        hidden = False
        if finding.code not in FATAL_RULES:
            places = {(line, finding.code) for line in (finding.span.line, finding.span.end_line, 0)}
            here = places & by_place.keys()
            used_at |= here
            hidden = bool(here)
        if not hidden:
            kept.append(finding)
    return kept, {(index, code) for line, code in used_at for index in by_place[line, code]}
