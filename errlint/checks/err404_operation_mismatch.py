"""ERR404: an error names another operation than the one it belongs to."""

from __future__ import annotations

from collections.abc import Iterator

from errlint.findings import Finding, Related
from errlint.project import Project
from errlint.project.fields import Error, is_meant
from errlint.project.operations import ARGUMENT, last_part
from errlint.rules import RULES


def check(project: Project, path: str) -> Iterator[Finding]:
    """Yield the raises of one file whose operation is that of another boundary or adapter."""
    for error, name, given in named(project, path):
        found = _mismatch(project, error, given)
        if found is not None:
            yield _finding(error, name, given, *found)


def named(project: Project, path: str) -> Iterator[tuple[Error, str, str]]:
    """Yield the raises of one file that name an operation, with the argument that does and what it says."""
    names = {ARGUMENT, *(item.operation for item in project.policy(path).boundaries if item.operation)}
    for error in project.fields.of(path):
        if not error.is_raised or not error.is_domain:
            continue
        for name in sorted(names & error.passed.keys()):
            given = project.fields.text(path, error.function.name, error.passed[name])
            if given:
                yield error, name, given


def _mismatch(project: Project, error: Error, given: str) -> tuple[str, Related] | None:
    """Return what the operation is instead, and where that is said."""
    operation = project.operations.of_boundary(error.path, error.function)
    adapters = project.operations.adapters.get(project.layout.distribution(error.path), {})
    if operation is not None:
        is_step = given.startswith(tuple(operation.name + mark for mark in "_.:/")) and last_part(given) not in adapters
        if given == operation.name or is_step:
            return None
        related = Related(error.path, operation.function.span, f"its boundary has the operation {operation.name!r}")
        return f"the boundary of `{operation.function.name}` has {operation.name!r}", related
    other = adapters.get(last_part(given))
    if last_part(given) in project.operations.own_names(error.path, error.function):
        return None
    adapter = adapter_around(project, error)
    if adapter is None or other == (error.path, error.function):
        return None
    if other is not None:
        related = Related(other[0], other[1].span, f"this is `{last_part(given)}`")
        return f"that is another tool; this is `{adapter}`", related
    if not _is_required(project, error) or _is_of_tool(project, error, given):
        return None
    return f"this is the tool `{adapter}`", Related(error.path, error.function.span, f"`{adapter}` is here")


def _is_required(project: Project, error: Error) -> bool:
    """Whether the policy requires an operation of an error: then it has to say which tool has failed."""
    required = project.policy(error.path).required
    return any(ARGUMENT in item.fields and not item.inside and is_meant(error, item.classes) for item in required)


def _is_of_tool(project: Project, error: Error, given: str) -> bool:
    """Whether an operation is a name of the tool that an error is raised in, or a step of it."""
    known = {name.replace("-", "_").lower() for name in project.operations.given_names(error.path, error.function)}
    known |= project.operations.own_names(error.path, error.function)
    said = given.replace("-", "_").lower()
    return said in known or said.startswith(tuple(name + mark for name in known for mark in "_.:/ "))


def adapter_around(project: Project, error: Error) -> str | None:
    """Return the tool that an error is raised in; a function that several may call belongs to none."""
    owner = project.names.enclosing_class(error.path, error.function.name)
    if owner is not None:
        is_tool = any(
            function.owner == owner.definition.name and project.adapters.is_adapter(error.path, function)
            for function in project.modules[error.path].functions
        )
        return owner.definition.name if is_tool else None
    scope = error.function.name
    while scope:
        function = project.names.function(error.path, scope)
        if function is not None and project.adapters.is_adapter(error.path, function):
            return function.name.rpartition(".")[2]
        scope = scope.rpartition(".")[0]
    return None


def _finding(error: Error, name: str, given: str, instead: str, related: Related) -> Finding:
    message = f"`{name}` is {given!r}, but {instead}"
    return Finding(
        error.path, error.span, "ERR404", RULES["ERR404"].severity, message, error.function.name, related=(related,)
    )
