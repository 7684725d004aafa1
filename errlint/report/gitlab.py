"""``gitlab``: a code quality report of GitLab, the part of the Code Climate format that it reads.

It shows findings in merge requests; one with a fingerprint that the target branch has is an old one.
"""

from __future__ import annotations

import hashlib
import os
from collections import Counter
from pathlib import Path
from typing import Any

from errlint.characters import encodable
from errlint.findings import Severity
from errlint.report import Report
from errlint.report.as_json import indented

SEVERITY = {Severity.ERROR: "major", Severity.WARNING: "minor", Severity.INFO: "info"}


def gitlab(report: Report) -> str:
    """Return a JSON list with an entry for each finding; no two have a fingerprint in common."""
    seen: Counter[tuple[str, str]] = Counter()
    entries: list[dict[str, Any]] = []
    top = os.environ.get("CI_PROJECT_DIR")
    for finding in report.findings:
        key = (finding.path, finding.fingerprint)
        seen[key] += 1
        identity = "\0".join((*key, str(seen[key]))).encode("utf-8", "surrogatepass")
        path = (report.below(Path(top), finding.path) if top else None) or report.shown(finding.path)
        span = finding.span
        entries.append(
            {
                "description": encodable(f"{finding.code} {finding.message}"),
                "check_name": finding.code,
                "fingerprint": hashlib.blake2b(identity, digest_size=16).hexdigest(),
                "severity": SEVERITY[finding.severity],
                "location": {
                    "path": encodable(path.replace(os.sep, "/")),
                    "positions": {
                        "begin": {"line": span.line, "column": span.column},
                        "end": {"line": span.end_line, "column": span.end_column},
                    },
                },
            }
        )
    return indented(entries)
