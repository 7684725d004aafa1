"""ERR106: several factories build the same error shape."""

from __future__ import annotations

from collections.abc import Iterator

from errlint.checks import wording
from errlint.findings import Finding, Related
from errlint.project import Project
from errlint.rules import RULES
from errlint.settings import Style


def check(project: Project, path: str) -> Iterator[Finding]:
    """Yield, at the first of several factories of one shape, a finding that lists the others."""
    if project.policy(path).style is Style.LOG:
        return
    for factories in project.sites.duplicate_factories(project.layout.distribution(path)):
        first = factories[0]
        if first.path != path:
            continue
        if project.policy(path).style is Style.RETURN and wording.is_declared_type(project, path, first.shape):
            continue  # helpers for different errors share the one type by which errors are answered
        shape = wording.keys(first.shape)
        related = tuple(
            Related(other.path, other.function.span, f"`{wording.short(other.function.name)}` builds it too")
            for other in factories[1:]
        )
        message = (
            f"`{wording.short(first.function.name)}` is one of {len(factories)} functions that build the same error "
            f"shape ({shape}); keep one"
        )
        yield Finding(
            path,
            first.function.span,
            "ERR106",
            RULES["ERR106"].severity,
            message,
            first.function.name,
            related=related,
        )
