"""Which calls a policy means: by the name that is written, or by the function that it stands for."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from errlint.facts import Called, Function
from errlint.project.domain import matches
from errlint.project.names import ExternalSymbol, FunctionSymbol
from errlint.settings import Policy

if TYPE_CHECKING:
    from errlint.project import Project

MAX_DEPTH = 3
"""So many functions deep it is asked what a function calls."""


def is_meant(project: Project, path: str, scope: str, name: str, patterns: tuple[str, ...]) -> bool:
    """Whether a call of ``name`` in a function is one of those that some patterns of a policy mean."""
    tool = name.partition(":")[2]
    if matches(tool or name.lstrip("."), patterns):
        return True
    symbol = project.names.resolve(path, name, scope) if not name.startswith(".") else None
    if isinstance(symbol, FunctionSymbol):
        return matches(project.domain.absolute(symbol), patterns)
    return isinstance(symbol, ExternalSymbol) and matches(symbol.name, patterns)


def first_call(function: Function, policy: Policy) -> Called | None:
    """Return the first call of the backend in a function, ``None`` where it has none."""
    calls = [item for item in function.calls if matches(item.value.name.lstrip("."), policy.codes.backend)]
    return min(calls, key=lambda item: item.span, default=None)


def is_called_before(project: Project, path: str, function: Function, line: int) -> bool:
    """Whether the backend is certainly called before what a function does in a line (from 1)."""
    backend = project.policy(path).codes.backend
    around = (case for case in function.cases if case.span.line <= line <= case.span.end_line)
    return bool(backend) and any(makes(project, path, function.name, case.before, backend) for case in around)


def makes(
    project: Project, path: str, scope: str, names: Iterable[str], patterns: tuple[str, ...], depth: int = 0
) -> str:
    """Return the first of some calls that is meant, or is one of a function that certainly makes such a call."""
    for name in names:
        if is_meant(project, path, scope, name, patterns):
            return name
        symbol = project.names.resolve(path, name, scope) if depth < MAX_DEPTH and not name.startswith(".") else None
        if isinstance(symbol, FunctionSymbol):
            inside = dict.fromkeys(each for case in symbol.function.cases for each in case.before)
            if makes(project, symbol.path, symbol.function.name, inside, patterns, depth + 1):
                return name
    return ""
