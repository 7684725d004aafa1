"""ERR204: the operation that a boundary is given is malformed, is taken, or is that of another function."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from errlint.checks.wording import short
from errlint.findings import Finding, Related
from errlint.project import Project
from errlint.project.boundary import Covered
from errlint.regular import compiled
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
    return project.boundaries.operation(covered)


def _problem(
    project: Project, distribution: str, covered: Covered, operation: str
) -> tuple[str, tuple[Related, ...]] | None:
    pattern = covered.cover.boundary.operation_pattern
    if pattern and not compiled(pattern).matches(operation):
        return f"does not match `{pattern}`", ()
    template = covered.cover.boundary.operation_template
    if template:
        spelt = project.operations.by_template(covered.path, covered.function, template)
        return None if operation in spelt else (f"is not spelt by `{template}`, as `{spelt[0]}`", ())
    own = _name(covered)
    said = _SEPARATOR.split(operation)[-1]
    if own == said:
        return None
    boundaries = project.boundaries
    other = _other(covered, boundaries.by_name.get((distribution, said), ()))
    if other is not None:
        return f"names `{said}`, another function", (Related(other.path, other.function.span, f"`{said}` is here"),)
    other = _other(covered, boundaries.by_operation.get((distribution, operation), ()))
    if other is not None and (other.path, other.function.span) < (covered.path, covered.function.span):
        name = short(other.function.name)
        return f"is that of `{name}` already", (Related(other.path, other.function.span, "it is used here first"),)
    return None


def _other(covered: Covered, items: Iterable[Covered]) -> Covered | None:
    """Return the first that is another function."""
    own = (covered.path, covered.function.name)
    return next((item for item in items if (item.path, item.function.name) != own), None)


def _name(covered: Covered) -> str:
    return covered.function.name.rpartition(".")[2]
