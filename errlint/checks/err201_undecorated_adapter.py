"""ERR201: an adapter outside of every boundary."""

from __future__ import annotations

from collections.abc import Iterator

from errlint.checks.wording import short
from errlint.findings import Finding
from errlint.project import Project
from errlint.project.raise_outcome import is_exempt
from errlint.rules import RULES
from errlint.settings import Style


def check(project: Project, path: str) -> Iterator[Finding]:
    """Yield the adapters of one file whose exceptions no boundary converts."""
    policy = project.policy(path)
    if not policy.boundaries or policy.style is not Style.RAISE:
        return
    for function in project.modules[path].functions:
        if not project.adapters.is_adapter(path, function) or project.sites.is_excluded(path, function):
            continue
        if "abstractmethod" in function.decorators or project.boundaries.is_prompt(path, function):
            continue
        bounds_resources = project.layout.distribution(path) in project.boundaries.with_resources
        if not bounds_resources and project.boundaries.is_resource(path, function):
            continue  # a boundary for tools may answer what is no content
        if is_exempt(project, path, function) or project.boundaries.is_covered(path, function):
            continue
        first = policy.boundaries[0]
        if first.decorator:
            remedy = f"put `@{first.decorator.rpartition('.')[2]}` on it, below the decorator that registers it"
        else:
            remedy = f"add the middleware `{first.middleware[0].rpartition('.')[2]}` to its server"
        message = f"no boundary covers the adapter `{short(function.name)}`, so its exceptions reach the client raw"
        yield Finding(path, function.span, "ERR201", RULES["ERR201"].severity, f"{message}; {remedy}", function.name)
