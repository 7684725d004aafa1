"""ERR901: a suppression comment that suppresses nothing."""

from __future__ import annotations

import re
from collections.abc import Iterator

from errlint.findings import Finding
from errlint.project import Project
from errlint.rules import RULES

_CODE = re.compile(r"\bERR\d{3}\b")


def idle_codes(finding: Finding) -> frozenset[str]:
    """Return the codes that a finding of this rule says nothing needs."""
    return frozenset(_CODE.findall(finding.message))


def check(project: Project, path: str, used: set[tuple[int, str]]) -> Iterator[Finding]:
    """Yield the suppressions of one file whose rules ran and had nothing to say there."""
    rules = project.rules(path)
    for index, suppression in enumerate(project.modules[path].suppressions):
        idle = [code for code in suppression.codes if code in rules and code in RULES and (index, code) not in used]
        if idle:
            where = "in this file" if suppression.whole_file else "here"
            message = f"nothing {where} needs this suppression of {', '.join(idle)}; remove it"
            yield Finding(path, suppression.span, "ERR901", RULES["ERR901"].severity, message)
