"""``sarif``: the Static Analysis Results Interchange Format 2.1.0 (OASIS), which code scanning reads.

Of what the standard leaves open, everything is given that GitHub's code scanning asks of an upload: short
and full descriptions, help texts, whole regions, and links to related places inside the message.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path
from typing import Any
from urllib.parse import quote

from errlint import __version__
from errlint.characters import encodable
from errlint.findings import Finding, Severity, Span
from errlint.fix.presentation.fix_preview import Edit
from errlint.report import Report
from errlint.report.as_json import indented
from errlint.rules import PROJECT_URL, RULES, Rule

SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"

LEVEL = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "note"}

PROBLEM_SEVERITY = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "recommendation"}
"""GitHub's own scale; it orders alerts by it."""


def sarif(report: Report) -> str:
    """Return a SARIF log with one run: the rules that ran and the findings as results."""
    codes = sorted(report.rules.union(finding.code for finding in report.findings))
    index = {code: position for position, code in enumerate(codes)}
    return indented(
        {
            "$schema": SCHEMA,
            "version": "2.1.0",
            "runs": [
                {
                    "tool": {
                        "driver": {
                            "name": "errlint",
                            "semanticVersion": __version__,
                            "informationUri": PROJECT_URL,
                            "rules": [_rule(RULES[code]) for code in codes],
                        }
                    },
                    "columnKind": "unicodeCodePoints",
                    "originalUriBaseIds": {"SRCROOT": {"uri": _folder_uri(report.root)}},
                    "results": [_result(report, finding, index[finding.code]) for finding in report.findings],
                }
            ],
        }
    )


def _rule(rule: Rule) -> dict[str, Any]:
    summary = f"{rule.summary[0].upper()}{rule.summary[1:]}."
    return {
        "id": rule.code,
        "name": rule.name,
        "shortDescription": {"text": summary},
        "fullDescription": {"text": summary},
        "helpUri": rule.url,
        "help": {
            "text": f"{summary} Examples and reasons: {rule.url}",
            "markdown": f"{summary} [Examples and reasons]({rule.url})",
        },
        "defaultConfiguration": {"level": LEVEL[rule.severity]},
        "properties": {"tags": ["error-handling"], "problem.severity": PROBLEM_SEVERITY[rule.severity]},
    }


def _result(report: Report, finding: Finding, rule_index: int) -> dict[str, Any]:
    links = "".join(f"\n[{_link(related.message)}]({number})" for number, related in enumerate(finding.related, 1))
    result: dict[str, Any] = {
        "ruleId": finding.code,
        "ruleIndex": rule_index,
        "level": LEVEL[finding.severity],
        "message": {"text": encodable(finding.message) + links},
        "locations": [_location(report, finding.path, finding.span)],
    }
    if finding.fingerprint:
        result["partialFingerprints"] = {"errlint/v1": finding.fingerprint}
    if finding.related:
        result["relatedLocations"] = [
            {
                "id": number,
                **_location(report, related.path, related.span),
                "message": {"text": encodable(related.message)},
            }
            for number, related in enumerate(finding.related, 1)
        ]
    offer = report.offers.fix(finding) if report.offers is not None else None
    if offer is not None:
        changes = [_change(report, path, edits) for path, edits in sorted(offer.edits.items())]
        result["fixes"] = [{"description": {"text": encodable(offer.message)}, "artifactChanges": changes}]
    return result


def _change(report: Report, path: str, edits: Iterable[Edit]) -> dict[str, Any]:
    return {
        "artifactLocation": _artifact(report, path),
        "replacements": [
            {"deletedRegion": _region(edit.span), "insertedContent": {"text": encodable(edit.content)}}
            for edit in edits
        ],
    }


def _region(span: Span) -> dict[str, int]:
    return {
        "startLine": span.line,
        "startColumn": span.column,
        "endLine": span.end_line,
        "endColumn": span.end_column,
    }


def _link(text: str) -> str:
    """Return a message as the text of an embedded link, in which brackets are escaped."""
    return encodable(text).replace("\\", "\\\\").replace("[", "\\[").replace("]", "\\]")


def _folder_uri(folder: Path) -> str:
    uri = folder.as_uri()
    return uri if uri.endswith("/") else f"{uri}/"


def _location(report: Report, path: str, span: Span) -> dict[str, Any]:
    return {
        "physicalLocation": {
            "artifactLocation": _artifact(report, path),
            "region": _region(span),
        }
    }


def _artifact(report: Report, path: str) -> dict[str, str]:
    relative = report.below(report.root, path)
    if relative is None:
        return {"uri": Path(report.absolute(path)).as_uri()}
    return {"uri": quote(os.fsencode(relative.replace(os.sep, "/"))), "uriBaseId": "SRCROOT"}
