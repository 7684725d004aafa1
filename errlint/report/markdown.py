"""``markdown``: a summary of a run as CI jobs show it, such as in ``$GITHUB_STEP_SUMMARY``."""

from __future__ import annotations

import re
from collections import Counter
from itertools import groupby

from errlint.characters import encodable, printable
from errlint.findings import Finding, Severity
from errlint.report import Report, summary
from errlint.rules import RULES

MOST = 500
"""So many findings are listed: GitHub shows no summary of more than a megabyte."""

_MARKS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "info"}
_SPECIAL = re.compile(r"([\\`*_{}\[\]<>|~#])")
_CODE = re.compile(r"(`[^`]+`)")


def markdown(report: Report) -> str:
    """Return how much was found, a table by rule, and the findings of each file."""
    parts = ["## errlint", "", summary(report)]
    by_code = Counter(finding.code for finding in report.findings)
    if by_code:
        parts += ["", "| Rule | | Severity | Findings |", "| --- | --- | --- | ---: |"]
        severities = {finding.code: finding.severity for finding in report.findings}
        for code, count in sorted(by_code.items(), key=lambda item: (-item[1], item[0])):
            rule = RULES[code]
            parts.append(f"| [{code}]({rule.url}) | {rule.name} | {_MARKS[severities[code]]} | {count} |")
    for path, group in groupby(report.findings[:MOST], key=lambda finding: finding.path):
        parts += ["", "<details>", f"<summary>{_html(report.shown(path))}</summary>", ""]
        parts += [_item(finding) for finding in group]
        parts += ["", "</details>"]
    if len(report.findings) > MOST:
        parts += ["", f"{len(report.findings) - MOST} more are not listed."]
    return "\n".join(parts) + "\n"


def _item(finding: Finding) -> str:
    return f"- {finding.span.line}:{finding.span.column} **{finding.code}** {_text(finding.message)}"


def _text(message: str) -> str:
    """Return a message as it reads: its code spans stay, everything else means nothing to Markdown."""
    pieces = _CODE.split(encodable(printable(message)))
    return "".join(
        piece if index % 2 else _SPECIAL.sub(r"\\\1", piece).replace("\\<", "&lt;")
        for index, piece in enumerate(pieces)
    )


def _html(text: str) -> str:
    escaped = encodable(printable(text)).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return f"<code>{escaped}</code>"
