"""ERR506: a page or docstring says that a tool raises or answers what it does not, or leaves out what it raises."""

from __future__ import annotations

from collections.abc import Iterator

from errlint.findings import Finding
from errlint.project import Project
from errlint.project.drift.docstring_raises import broken
from errlint.rules import RULES


def check(project: Project) -> Iterator[Finding]:
    """Yield what docstrings of adapters, pages of tools and entries say of raising that is not so."""
    for each in broken(project):
        yield Finding(each.path, each.span, "ERR506", RULES["ERR506"].severity, each.message, related=each.related)
