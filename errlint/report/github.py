"""``github``: workflow commands that GitHub Actions turns into annotations on the changed lines.

The runner (``ActionCommandManager.cs`` in actions/runner) accepts columns only of spans on one line, and
undoes the escapes of :func:`_data` and :func:`_property`.
"""

from __future__ import annotations

from errlint.characters import printable
from errlint.findings import Finding, Severity
from errlint.report import Report

COMMAND = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "notice"}


def github(report: Report) -> str:
    """Return one workflow command per line and finding."""
    return "".join(_command(finding, report.shown(finding.path)) for finding in report.findings)


def _command(finding: Finding, path: str) -> str:
    span, code = finding.span, finding.code
    one_line = span.line == span.end_line
    properties = {
        "title": f"errlint ({code})",
        "file": path,
        "line": span.line,
        **({"col": span.column} if one_line else {}),
        "endLine": span.end_line,
        **({"endColumn": span.end_column} if one_line else {}),
    }
    listed = ",".join(f"{key}={_property(str(value))}" for key, value in properties.items())
    text = _data(f"{path}:{span.line}:{span.column}: {code} {finding.message}")
    return f"::{COMMAND[finding.severity]} {listed}::{text}\n"


def _data(text: str) -> str:
    """Escape what the runner undoes; it knows no escape for the other characters that are not to be printed."""
    escaped = text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")
    return printable(escaped)


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
