"""ERR904: a file that cannot be parsed."""

from __future__ import annotations

from collections.abc import Iterator

from errlint.findings import Finding
from errlint.project import Project
from errlint.rules import RULES


def check(project: Project, path: str) -> Iterator[Finding]:
    """Yield the finding that tells why one file was not checked."""
    problem = project.modules[path].problem
    if problem is not None and problem.code == "ERR904":
        yield Finding(path, problem.span, "ERR904", RULES["ERR904"].severity, problem.message)
