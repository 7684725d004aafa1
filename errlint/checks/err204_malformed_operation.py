"""ERR204: the operation that a boundary is given is malformed, is taken, or is that of another function."""

from __future__ import annotations

import re
from collections.abc import Iterator

from errlint.checks.wording import short
from errlint.facts import Text
from errlint.findings import Finding, Related
from errlint.project import Project
from errlint.project.boundary import Covered
from errlint.rules import RULES

_SEPARATOR = re.compile(r"[^\w]+")


def check(project: Project, path: str) -> Iterator[Finding]:
    """Yield the functions of one file whose boundary is told a wrong operation."""
    distribution = project.layout.distribution(path)
    for function in project.modules[path].functions:
        for cover in project.boundaries.covers(path, function):
            covered = Covered(path, function, cover)
            operation = operation_of(project, covered)
            if not operation:
                continue
            problem = _problem(project, distribution, covered, operation)
            if problem is not None:
                text, related = problem
                message = f"the operation `{operation}` of `{short(function.name)}` {text}"
                yield Finding(
                    path, function.span, "ERR204", RULES["ERR204"].severity, message, function.name, related=related
                )


def operation_of(project: Project, covered: Covered) -> str:
    """Return the operation that a boundary decorator is given as a constant text, "" for none."""
    value = project.boundaries.argument(covered, covered.cover.boundary.operation)
    if type(value) is Text and len(value.parts) == 1 and isinstance(value.parts[0], str):
        return value.parts[0]
    return ""


def _problem(
    project: Project, distribution: str, covered: Covered, operation: str
) -> tuple[str, tuple[Related, ...]] | None:
    pattern = covered.cover.boundary.operation_pattern
    if pattern and not _fits(pattern, operation):
        return f"does not match `{pattern}`", ()
    own = _name(covered)
    others = [
        item
        for item in project.boundaries.decorated()
        if project.layout.distribution(item.path) == distribution
        and (item.path, item.function.name) != (covered.path, covered.function.name)
    ]
    same = [item for item in others if operation_of(project, item) == operation]
    said = _SEPARATOR.split(operation)[-1]
    meant = [item for item in others if _name(item) == said]
    if own != said and meant:
        other = meant[0]
        return f"names `{said}`, another function", (Related(other.path, other.function.span, f"`{said}` is here"),)
    earlier = [item for item in same if (item.path, item.function.span) < (covered.path, covered.function.span)]
    if earlier and own != said:
        other = earlier[0]
        name = short(other.function.name)
        return f"is that of `{name}` already", (Related(other.path, other.function.span, "it is used here first"),)
    return None


def _fits(pattern: str, operation: str) -> bool:
    try:
        return re.fullmatch(pattern, operation) is not None
    except re.error:
        return True


def _name(covered: Covered) -> str:
    return covered.function.name.rpartition(".")[2]
