"""Reports: what a run found, as text for people, editors and other programs.

Everything here is text in, text out; nothing is printed and no format is imported before it is asked for.
"""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Callable
from enum import Enum
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from errlint.findings import Finding, Severity
from errlint.fix.presentation.fix_preview import Offers
from errlint.report.style import SEVERITY, painter
from errlint.rules import RULES
from errlint.terminal import Terminal

if TYPE_CHECKING:
    from errlint.report.survey import Survey


class Format(str, Enum):
    """The formats of ``--output-format``."""

    FULL = "full"
    CONCISE = "concise"
    JSON = "json"
    JSONL = "jsonl"
    GITHUB = "github"
    SARIF = "sarif"
    GITLAB = "gitlab"
    JUNIT = "junit"
    RDJSON = "rdjson"
    AZURE = "azure"
    MARKDOWN = "markdown"
    HTML = "html"


_COUNTED = re.compile(r"\d+ (error|warning|info)s?")

COMMANDS = {Format.GITHUB: "::", Format.AZURE: "##vso[task.logissue "}
"""What lines of a format begin with that the machine of a CI job obeys."""

WITH_FIXES = frozenset({Format.JSON, Format.JSONL, Format.SARIF, Format.RDJSON})
"""Formats that have a place for fixes."""


class Report(NamedTuple):
    """Everything that a format may show of one run.

    ``findings`` are in the order in which they are shown, those of one file together; ``files`` is the
    number of files that were checked, ``rules`` the codes that ran. ``root`` and ``cwd`` are absolute.
    ``read_source`` takes a path relative to the root and gives the decoded text with ``\\n`` line ends, or
    None when it cannot be read. ``offers`` are what can be fixed, None where nobody has asked. ``known`` counts
    findings that are not told, as a baseline or a commit has them. ``terminal`` is where people look at the text,
    ``survey`` what a page tells beside the findings.
    """

    findings: tuple[Finding, ...]
    root: Path
    cwd: Path
    files: int
    rules: frozenset[str]
    colour: bool
    read_source: Callable[[str], str | None]
    offers: Offers | None = None
    known: int = 0
    terminal: Terminal | None = None
    survey: Survey | None = None

    def mark(self, finding: Finding) -> str:
        """Return the mark, with a space behind it, of a finding that ``--fix`` ends; "" for the others."""
        offer = self.offers.fix(finding) if self.offers is not None else None
        return "[*] " if offer is not None and offer.is_safe else ""

    def absolute(self, path: str) -> str:
        """Return the absolute form of a finding's path."""
        return os.path.normpath(os.path.join(self.root, path))  # noqa: PTH118 - a Path costs 10 times more

    def below(self, folder: Path, path: str) -> str | None:
        """Return a finding's path relative to ``folder``, or None when the file is elsewhere."""
        absolute, prefix = self.absolute(path), os.path.join(folder, "")  # noqa: PTH118 - as above
        return absolute[len(prefix) :] if os.path.normcase(absolute).startswith(os.path.normcase(prefix)) else None

    def shown(self, path: str) -> str:
        """Return a finding's path as people see it: relative to ``cwd`` when below it, else absolute."""
        return self.below(self.cwd, path) or self.absolute(path)


def render(format: Format, report: Report) -> str:
    """Return the findings in one format: whole lines, or "" where a text format has nothing to say.

    Each format but JSON has a module of its name with a function of that name, which is imported where it is asked for.
    In ``full`` every finding is followed by an empty line, so that a summary stands apart.
    """
    if format is Format.FULL and report.terminal is not None:
        from errlint.report.grouped import grouped

        return grouped(report, report.terminal)
    if format not in (Format.JSON, Format.JSONL):
        module = import_module(f"errlint.report.{format.value}")
        text: str = getattr(module, format.value)(report)
        return text
    from errlint.report.as_json import json_lines, json_list

    return json_list(report) if format is Format.JSON else json_lines(report)


def summary(report: Report) -> str:
    """Return one line, without its end: how much was found and how many files were checked."""
    if not report.files and not report.findings:
        return "No files checked."
    known = f", {counted(report.known, 'finding')} known before" if report.known else ""
    checked = f"({counted(report.files, 'file')} checked{known})"
    by_severity = Counter(finding.severity for finding in report.findings)
    found = ", ".join(counted(by_severity[severity], severity.value) for severity in Severity if by_severity[severity])
    where = f"{found} in {counted(len({finding.path for finding in report.findings}), 'file')}"
    if by_severity[Severity.ERROR] or by_severity[Severity.WARNING]:
        return f"Found {where} {checked}."
    # Infos do not fail a run: it has passed, and they are told beside it.
    return f"All checks passed, {where} {checked}." if found else f"All checks passed {checked}."


def coloured(sentence: str) -> str:
    """Return a summary with its counts in the colours of their severities."""
    paint = painter(True)
    return _COUNTED.sub(lambda found: paint(found[0], SEVERITY[Severity(found[1])]), sentence)


def fixable(offers: Offers, findings: tuple[Finding, ...]) -> str:
    """Return one line, without its end: how many of the findings can be fixed; "" for none."""
    safe, unsafe = offers.totals(findings)
    refused = sum(bool(offers.refusal(finding)) for finding in findings)
    if not safe and not unsafe:
        return ""
    parts = [f"[*] {safe} fixable with --fix" if safe else "None fixable with --fix"]
    parts += [f"{unsafe} hidden (use --unsafe-fixes)"] if unsafe else []
    parts += [f"{refused} refused"] if refused else []
    return ", ".join(parts) + "."


def statistics(report: Report, format: Format) -> str:
    """Return how often each rule was broken, most often first: JSON for the JSON formats, else a table.

    The table has one line per rule with count, code and name between tabs; on a terminal it is aligned, and followed
    by the functions and factories with most findings.
    """
    if report.terminal is not None and format in (Format.FULL, Format.CONCISE):
        from errlint.report.tally import tally

        return tally(report, report.terminal)
    by_code = Counter(finding.code for finding in report.findings)
    rows = [(count, RULES[code]) for code, count in sorted(by_code.items(), key=lambda item: (-item[1], item[0]))]
    if format in (Format.JSON, Format.JSONL):
        from errlint.report.as_json import as_lines, indented

        entries = [{"code": rule.code, "name": rule.name, "count": count} for count, rule in rows]
        return indented(entries) if format is Format.JSON else as_lines(entries)
    return "".join(f"{count}\t{rule.code}\t{rule.name}\n" for count, rule in rows)


def counted(number: int, noun: str) -> str:
    """Return a number with its noun: ``1 error``, ``2 errors``."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
