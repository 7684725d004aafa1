"""ERR202: the boundary stands above the decorator that registers the adapter, so it never runs."""

from __future__ import annotations

from collections.abc import Iterator

from errlint.checks.wording import short
from errlint.findings import Finding
from errlint.project import Project
from errlint.rules import RULES


def check(project: Project, path: str) -> Iterator[Finding]:
    """Yield the adapters of one file that are registered before the boundary is around them."""
    for function in project.modules[path].functions:
        covers = project.boundaries.covers(path, function)
        lowest = max((cover.position for cover in covers), default=-1)
        below = [index for index in project.adapters.registering(path, function) if index > lowest] if covers else []
        if below:
            boundary, registers = function.decorators[lowest], function.decorators[below[0]]
            message = (
                f"`@{boundary}` stands above `@{registers}`, which registers `{short(function.name)}` without it; "
                f"move it below"
            )
            yield Finding(path, function.span, "ERR202", RULES["ERR202"].severity, message, function.name)
