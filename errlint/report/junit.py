"""``junit``: test results in XML as Jenkins, Azure, CircleCI and others read them: a suite a file, a failure a finding.

The form is that of the schema of Jenkins' xUnit plugin (``junit-10.xsd``).
"""

from __future__ import annotations

import os
from itertools import groupby
from xml.sax.saxutils import quoteattr

from errlint.characters import encodable, printable
from errlint.findings import Severity
from errlint.report import Report
from errlint.rules import RULES

_FAILING = (Severity.ERROR, Severity.WARNING)


def junit(report: Report) -> str:
    """Return a document of test suites.

    What fails no run is a test that has passed; without findings there is one such.
    """
    suites: list[str] = []
    failures = 0
    for path, group in groupby(report.findings, key=lambda finding: finding.path):
        found = list(group)
        name = report.shown(path)
        cases: list[str] = []
        failed = 0
        for finding in found:
            where = f"{name}:{finding.span.line}:{finding.span.column}"
            case = f'<testcase name={_value(f"{finding.code} {where}")} classname={_value(_dotted(name))} time="0"'
            text = f"{where}: {finding.code} {finding.message}"
            if finding.severity in _FAILING:
                failed += 1
                kind = f"{finding.code} {RULES[finding.code].name}"
                cases.append(f"{case}>\n      <failure type={_value(kind)} message={_value(text)}/>\n    </testcase>")
            else:
                cases.append(f"{case}>\n      <system-out>{_text(text)}</system-out>\n    </testcase>")
        failures += failed
        suites.append(_suite(name, len(found), failed, cases))
    if not suites:
        suites = [_suite("errlint", 1, 0, ['<testcase name="errlint" classname="errlint" time="0"/>'])]
    tests = len(report.findings) or 1
    head = f'<testsuites name="errlint" tests="{tests}" failures="{failures}" errors="0" time="0">'
    return "\n".join(['<?xml version="1.0" encoding="UTF-8"?>', head, *suites, "</testsuites>"]) + "\n"


def _suite(name: str, tests: int, failures: int, cases: list[str]) -> str:
    head = f'  <testsuite name={_value(name)} tests="{tests}" failures="{failures}" errors="0" skipped="0" time="0">'
    return "\n".join([head, *(f"    {case}" for case in cases), "  </testsuite>"])


def _dotted(path: str) -> str:
    """Return a path as readers show classes: with dots for folders."""
    return path.removesuffix(".py").replace(os.sep, "/").strip("/").replace("/", ".")


def _value(text: str) -> str:
    return quoteattr(encodable(printable(text)))


def _text(text: str) -> str:
    return encodable(printable(text)).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
