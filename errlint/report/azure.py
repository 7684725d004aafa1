"""``azure``: logging commands that Azure Pipelines turns into the issues of a build.

The agent (``LoggingCommand`` and ``TaskCommandExtension`` in microsoft/azure-pipelines-agent) undoes the escapes of
:func:`_data` and :func:`_property`.
"""

from __future__ import annotations

from errlint.characters import harmless, printable
from errlint.findings import Finding, Severity
from errlint.report import Report

TYPE = {Severity.ERROR: "error", Severity.WARNING: "warning"}
"""There is none below a warning: a finding of severity info is an ordinary line."""


def azure(report: Report) -> str:
    """Return one logging command per line and finding."""
    return "".join(_command(finding, report.shown(finding.path)) for finding in report.findings)


def _command(finding: Finding, path: str) -> str:
    span = finding.span
    kind = TYPE.get(finding.severity)
    if kind is None:
        line = printable(f"{path}:{span.line}:{span.column}: {finding.code} {finding.message}")
        return f"{harmless(line)}\n"
    properties = {
        "type": kind,
        "sourcepath": path,
        "linenumber": span.line,
        "columnnumber": span.column,
        "code": finding.code,
    }
    listed = "".join(f"{key}={_property(str(value))};" for key, value in properties.items())
    return f"##vso[task.logissue {listed}]{_data(finding.message)}\n"


def _data(text: str) -> str:
    return harmless(printable(text.replace("%", "%AZP25").replace("\r", "%0D").replace("\n", "%0A")))


def _property(text: str) -> str:
    return _data(text).replace(";", "%3B").replace("]", "%5D")
