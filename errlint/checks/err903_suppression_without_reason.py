"""ERR903: a suppression comment that gives no reason."""

from __future__ import annotations

from collections.abc import Iterator

from errlint.findings import Finding
from errlint.project import Project
from errlint.rules import RULES


def check(project: Project, path: str) -> Iterator[Finding]:
    """Yield the suppressions of one file that do not say why."""
    for suppression in project.modules[path].suppressions:
        if suppression.own and suppression.codes and not suppression.reason:
            message = f"say why {', '.join(suppression.codes)} does not apply: text after the bracket is the reason"
            yield Finding(path, suppression.span, "ERR903", RULES["ERR903"].severity, message)
