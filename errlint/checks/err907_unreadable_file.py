"""ERR907: a file that cannot be read or decoded."""

from __future__ import annotations

from collections.abc import Iterator

from errlint.facts import Problem
from errlint.findings import Finding
from errlint.project import Project
from errlint.rules import RULES


def check(project: Project, path: str) -> Iterator[Finding]:
    """Yield the finding that tells why one file was not checked."""
    problem = project.modules[path].problem
    if problem is not None and problem.code == "ERR907":
        yield _finding(path, problem)


def check_documents(project: Project) -> Iterator[Finding]:
    """Yield the findings that tell why catalogs were not compared with the code."""
    for path, problem in project.documents.unread.items():
        yield _finding(path, problem)


def _finding(path: str, problem: Problem) -> Finding:
    return Finding(path, problem.span, "ERR907", RULES["ERR907"].severity, problem.message)
