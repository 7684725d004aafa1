"""``html``: one page about a project that needs nothing else: plots, tables and all findings with their source.

The page is a template (``page/page.html``) with a style and a script beside it. Findings go into it as data, which the
script only ever makes text of; everything else is escaped here. The page may neither fetch nor send anything, and
runs no other script than its own: its policy names both by their hashes.
"""

from __future__ import annotations

import base64
import hashlib
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from html import escape
from importlib.resources import files
from itertools import groupby

import msgspec

from errlint import __version__
from errlint.characters import encodable, json_text, printable
from errlint.findings import Finding, Severity
from errlint.report import Report, counted, summary
from errlint.report.flow_plot import flow_plot
from errlint.report.full import snippet
from errlint.report.survey import Survey
from errlint.rules import RULES

LONGEST_LINE = 160
"""Lines of source are cut there: the page of a project with thousands of findings has to open at once."""

MOST_ROWS = 12
"""Longer tables are folded after so many rows."""

_CODE = re.compile(r"`([^`]+)`")
_HOLE = re.compile(r"\{\{(\w+)\}\}")
_UNSAFE_IN_SCRIPT = {ord(character): f"\\u{ord(character):04x}" for character in "<>&\u2028\u2029"}


def html(report: Report) -> str:
    """Return the page; without a survey it has the findings alone."""
    style, script = _asset("page.css"), _asset("page.js")
    own = f"style-src '{_hash(style)}'; script-src '{_hash(script)}'"
    policy = f"default-src 'none'; {own}; base-uri 'none'; form-action 'none'"
    sections = list(_sections(report))
    filled = {
        "policy": policy,
        "title": _text(report.root.name or "project"),
        "summary": _text(summary(report)),
        "style": style,
        "nav": "".join(
            f'<a href="#{anchor}">{title}</a>' for anchor, title, _ in (*sections, ("findings", "Findings", ""))
        ),
        "sections": "\n".join(
            f'<section id="{anchor}">\n<h2>{title}</h2>\n{body}\n</section>' for anchor, title, body in sections
        ),
        "version": __version__,
        "data": _data(report),
        "script": script,
    }
    return _HOLE.sub(lambda hole: filled[hole[1]], _asset("page.html"))


def _asset(name: str) -> str:
    return files("errlint.report").joinpath("page").joinpath(name).read_text(encoding="utf-8")


def _hash(text: str) -> str:
    return f"sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}"


# --- data -------------------------------------------------------------------------------------------------------


def _data(report: Report) -> str:
    """Return all findings, and the rules they are of, as JSON that may stand in a script element."""
    rules = {
        code: {"name": RULES[code].name, "url": RULES[code].url} for code in {each.code for each in report.findings}
    }
    document = {"rules": dict(sorted(rules.items())), "findings": list(_records(report))}
    return json_text(msgspec.json.encode(document).decode()).translate(_UNSAFE_IN_SCRIPT)


def _records(report: Report) -> Iterator[dict[str, object]]:
    for path, findings in groupby(report.findings, key=lambda finding: finding.path):
        source = report.read_source(path)
        lines = [] if source is None else source.split("\n")
        for finding in findings:
            yield {
                "code": finding.code,
                "severity": finding.severity.value,
                "message": _plain(finding.message),
                "path": _plain(finding.path),
                "package": _plain(_package(report, finding)),
                "function": _plain(finding.function),
                "line": finding.span.line,
                "column": finding.span.column,
                "fingerprint": finding.fingerprint,
                "source": _plain_lines(lines, finding),
                "notes": [
                    f"{_plain(related.path)}:{related.span.line}: {_plain(related.message)}"
                    for related in finding.related
                ],
            }


def _plain_lines(lines: Sequence[str], finding: Finding) -> str:
    rows = list(snippet(lines, finding.span, LONGEST_LINE))
    width = max((len(row.label) for row in rows), default=1)
    return encodable("\n".join(f"{row.label:>{width}} | {row.mark}{row.text}".rstrip() for row in rows))


def _plain(text: str) -> str:
    return encodable(printable(text))


def _text(text: str) -> str:
    return escape(_plain(text))


def _package(report: Report, finding: Finding) -> str:
    return report.survey.packages_of.get(finding.path, ".") if report.survey is not None else "."


# --- sections ---------------------------------------------------------------------------------------------------


def _sections(report: Report) -> Iterator[tuple[str, str, str]]:
    """Yield anchor, title and content of what stands above the findings."""
    survey = report.survey
    if survey is not None and survey.day_one is not None:
        yield "day-one", "Day one and now", _day_one(survey)
    if report.findings:
        yield "rules", "By rule", _by_rule(report.findings)
    if survey is None:
        return
    if survey.flows:
        yield "flow", "How errors travel", _flow(survey)
    if survey.shapes:
        yield "shapes", "Shapes and factories", _shapes(survey)
    if survey.codes:
        yield "codes", "Error codes", _codes(survey)
    if survey.packages:
        yield "packages", "By package", _by_package(report, survey)


def _day_one(survey: Survey) -> str:
    rows = survey.day_one or ()
    known, mended, new = (sum(getattr(row, name) for row in rows) for name in ("known", "mended", "new"))
    most = max((max(row.known, row.known - row.mended + row.new) for row in rows), default=1)
    told = (
        f'<p>The baseline lists {counted(known, "finding")}: <b class="good">{mended} mended</b>, '
        f'{known - mended} left. <b class="error">{new} new</b> since.</p>'
    )
    body = [
        [
            f"{row.code} {RULES[row.code].name}",
            _number(row.known),
            _number(row.mended),
            _number(row.new),
            _bar((("plain", row.known - row.mended), ("error", row.new), ("gone", row.mended)), most),
        ]
        for row in rows
    ]
    return told + _table(["Rule", "=Day one", "=Mended", "=New", "Left, new, mended"], body)


def _by_rule(findings: Sequence[Finding]) -> str:
    counts = Counter(finding.code for finding in findings)
    severities: dict[str, Counter[str]] = {}
    for finding in findings:
        severities.setdefault(finding.code, Counter())[finding.severity.value] += 1
    most = max(counts.values())
    rows = [
        [
            f'<a href="#findings" data-rule="{code}">{code}</a> {RULES[code].name}',
            _number(count),
            _bar([(severity.value, severities[code][severity.value]) for severity in Severity], most),
            _CODE.sub(r"<code>\1</code>", escape(RULES[code].summary)),
        ]
        for code, count in sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    ]
    return _table(["Rule", "=Findings", "", "Finds"], rows)


def _flow(survey: Survey) -> str:
    errors = counted(sum(flow.number for flow in survey.flows), "error")
    told = (
        f'<p class="soft">{errors} of the code that clients can get, suppressed and known ones among them: '
        "by form, by where they are made, and by where they arrive."
    )
    if not survey.has_boundary:
        told += " No boundary is configured: what is raised goes to the framework."
    return f"{told}</p>\n<figure>{flow_plot(survey.flows)}</figure>"


def _shapes(survey: Survey) -> str:
    most = max(shape.number for shape in survey.shapes)
    shapes = [
        [
            f"{_text(shape.form)} {_codes_of(shape.told_by)}",
            _number(shape.number),
            _bar([("plain", shape.number)], most),
            f'<span class="mono">{_text(f"{shape.path}:{shape.line}")}</span>',
        ]
        for shape in survey.shapes
    ]
    told = _table([f"Shapes ({len(shapes)})", "=Returns", "", "The first"], shapes)
    if survey.factories:
        most = max(factory.uses for factory in survey.factories)
        factories = [
            [
                f"<code>{_text(factory.name)}</code> {_codes_of(factory.told_by)}",
                _number(factory.uses),
                _bar([("plain", factory.uses)], most),
                f'<span class="mono">{_text(f"{factory.path}:{factory.line}")}</span>',
            ]
            for factory in survey.factories
        ]
        told += "\n" + _table([f"Factories ({len(factories)})", "=Uses", "", "Defined in"], factories)
    return told


def _codes(survey: Survey) -> str:
    heads = ("registered", "raised", "documented", "tested")
    states = [(code.is_registered, code.is_raised, code.is_documented, code.is_tested) for code in survey.codes]
    bars = []
    for index, head in enumerate(heads):
        asked = [state[index] for state in states if state[index] is not None]
        if asked:
            yes = sum(map(bool, asked))
            bars.append(
                [head, _number(yes), f"of {len(asked)}", _bar([("good", yes), ("gone", len(asked) - yes)], len(asked))]
            )
    rows = [
        [
            f"<code>{_text(code.text)}</code>",
            f"<code>{_text(code.where)}</code>" if code.where else "",
            *map(_mark, state),
        ]
        for code, state in zip(survey.codes, states, strict=True)
    ]
    overview = _table(["", "=Codes", "", ""], bars)
    return f"{overview}\n{_table(['Code', 'Where', *(head.capitalize() for head in heads)], rows)}"


def _by_package(report: Report, survey: Survey) -> str:
    by_package: dict[str, Counter[str]] = {}
    for finding in report.findings:
        by_package.setdefault(_package(report, finding), Counter())[finding.severity.value] += 1
    known = {package.name: package for package in survey.packages}
    totals = {name: sum(by_package.get(name, Counter()).values()) for name in {*known, *by_package}}
    most = max(totals.values(), default=1)
    rows = []
    for name, total in sorted(totals.items(), key=lambda item: (-item[1], item[0])):
        package = known.get(name)
        cells = [
            f'<a href="#findings" data-package="{_text(name)}">{_text(name)}</a>' if total else _text(name),
            _number(total),
            _bar([(severity.value, by_package.get(name, Counter())[severity.value]) for severity in Severity], most),
            _number(package.adapters if package else 0),
            _number(package.answers if package else 0),
        ]
        rows.append([*cells, _number(package.covered if package else 0)] if survey.has_boundary else cells)
    heads = ["Package", "=Findings", "", "=Adapters", "=Error answers", *(["=Covered"] if survey.has_boundary else [])]
    return _table(heads, rows)


# --- parts ------------------------------------------------------------------------------------------------------


def _number(number: int) -> str:
    return f"{number:,}"


def _codes_of(words: Iterable[str]) -> str:
    return " ".join(f"<code>{_text(word)}</code>" for word in words)


def _mark(state: bool | None) -> str:
    if state is None:
        return '<span class="soft">–</span>'
    return '<span class="good">yes</span>' if state else '<span class="error">no</span>'


def _bar(parts: Iterable[tuple[str, int]], most: int) -> str:
    """Return a bar of parts side by side, each with its class; ``most`` is as wide as it can be."""
    pieces, at = [], 0.0
    told = []
    for name, count in parts:
        width = 100 * count / max(most, 1)
        if count:
            pieces.append(f'<rect class="{name}" x="{at:.2f}%" width="{width:.2f}%" height="100%"/>')
            told.append(str(count))
        at += width
    return f'<svg class="bar" role="img" aria-label="{", ".join(told) or "0"}">{"".join(pieces)}</svg>'


def _table(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Return a table of cells that are HTML already; heads that begin with ``=`` are of numbers."""
    kinds = [
        ' class="number"' if head.startswith("=") else ' class="name"' if not index else ""
        for index, head in enumerate(heads)
    ]
    top = "".join(f"<th{kind}>{head.removeprefix('=')}</th>" for kind, head in zip(kinds, heads, strict=True))
    lines = [
        "<tr>"
        + "".join(
            f'<td class="bar">{cell}</td>' if cell.startswith("<svg") else f"<td{kind}>{cell}</td>"
            for kind, cell in zip(kinds, row, strict=True)
        )
        + "</tr>"
        for row in rows
    ]
    head = f'<div class="scroll"><table><thead><tr>{top}</tr></thead><tbody>'
    end = "</tbody></table></div>"
    shown = f"{head}{''.join(lines[:MOST_ROWS])}{end}"
    if len(lines) <= MOST_ROWS:
        return shown
    rest = f"{head}{''.join(lines[MOST_ROWS:])}{end}"
    return f'{shown}<details class="more"><summary>{len(lines) - MOST_ROWS} more</summary>{rest}</details>'
