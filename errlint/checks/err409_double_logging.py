"""ERR409: adapter code logs an error and then raises it to a boundary that logs it."""

from __future__ import annotations

from collections.abc import Iterator

from errlint.checks import wording
from errlint.facts import Function
from errlint.findings import Finding
from errlint.project import Project
from errlint.project.logs import ERROR_LEVELS, logged
from errlint.project.names import FunctionSymbol
from errlint.project.raise_outcome import tries_around
from errlint.rules import RULES
from errlint.settings.policy import Boundary


def check(project: Project, path: str) -> Iterator[Finding]:
    """Yield the error log calls of one file that are followed by a raise to a logging boundary."""
    boundaries = [boundary for boundary in project.policy(path).boundaries if boundary.logs]
    if not boundaries:
        return
    for found in logged(project, path):
        function, called = found.function, found.called
        if found.level not in ERROR_LEVELS or not called.raises_next or project.sites.is_excluded(path, function):
            continue
        if any(item.catches for item in tries_around(function, called.tries)):
            continue
        if project.adapters.is_adapter(path, function):
            if not _is_covered(project, path, function, boundaries):
                continue
        elif not _is_called_by_an_adapter(project, path, function):
            continue
        message = (
            f"`{wording.short(function.name)}` logs the error and raises it; the boundary logs it again. "
            "Raise alone, with what the log says as fields"
        )
        yield Finding(path, called.span, "ERR409", RULES["ERR409"].severity, message, function.name)


def _is_called_by_an_adapter(project: Project, path: str, function: Function) -> bool:
    """Whether an adapter calls a function by a name that is resolved to it."""
    for caller in project.callers.may(path, function):
        around = project.callers.around(caller)
        if around is None or caller.use.how == "passed" or not project.adapters.is_adapter(caller.path, around):
            continue
        symbol = project.names.resolve(caller.path, caller.use.callee, caller.function)
        if isinstance(symbol, FunctionSymbol) and (symbol.path, symbol.function.name) == (path, function.name):
            return True
    return False


def _is_covered(project: Project, path: str, function: Function, boundaries: list[Boundary]) -> bool:
    """Whether a boundary that logs is around an adapter; where one does not log, it has to be seen which one it is."""
    if len(boundaries) == len(project.policy(path).boundaries):
        return project.boundaries.is_around(path, function)
    return any(cover.boundary.logs for cover in project.boundaries.covers(path, function))
