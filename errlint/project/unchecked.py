"""Where checks of availability are made: in functions, their decorators, what they call, and for their callers."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from errlint.facts import Function
from errlint.project.domain import matches
from errlint.project.names import FunctionSymbol

if TYPE_CHECKING:
    from errlint.project import Project

DEPTH = 4
"""How many functions are looked at, one calling the other."""

_SAYS = re.compile(r"availab|circuit|breaker|health|reachable|ready", re.IGNORECASE)
"""Names of calls that may make the check where their definition is not known."""


def is_guarded(project: Project, path: str, function: Function) -> bool:
    """Whether the function is itself a guarded one: its callers have to ask."""
    absolute = f"{project.layout.module_name(path)}.{function.name}"
    return matches(absolute, project.policy(path).work.guarded)


def asks(project: Project, path: str, function: Function) -> bool:
    """Whether a function asks somewhere, or a decorator does for it."""
    return _asks_in_body(project, path, function) or any(
        decorator_asks(project, path, name) for name in function.decorators
    )


def decorator_asks(project: Project, path: str, name: str) -> bool:
    """Whether a decorator, by its name as written, is a check, or one of the project that makes it in its wrapper."""
    if is_check(project, path, name, ""):
        return True
    symbol = project.names.resolve(path, name)
    return isinstance(symbol, FunctionSymbol) and any(
        _asks_in_body(project, symbol.path, part) for part in project.boundaries.parts(symbol)
    )


def is_check(project: Project, path: str, name: str, scope: str) -> bool:
    """Whether a name as written is one of the policy: whole, or an object whose method or field is read."""
    availability = project.policy(path).work.availability
    parts = name.split(".")
    begins = (".".join(parts[: count + 1]) for count in range(len(parts)))
    return any(matches(each, availability) for begin in begins for each in spellings(project, path, begin, scope))


def spellings(project: Project, path: str, name: str, scope: str) -> Iterator[str]:
    """Yield a name as written, as imported, and that of its definition."""
    yield name
    first, dot, rest = name.partition(".")
    for item in project.modules[path].imports:
        if item.name == first:
            yield ".".join(filter(None, (item.module.lstrip("."), item.attribute))) + dot + rest
    symbol = project.names.resolve(path, name, scope)
    if isinstance(symbol, FunctionSymbol):
        yield project.names.absolute(symbol)


def leads_to_check(project: Project, path: str, function: Function, name: str, depth: int) -> bool:
    """Whether what is called by this name makes the check, itself or by what it calls."""
    symbol = project.objects.called(path, name, function.name)
    if not isinstance(symbol, FunctionSymbol):
        is_unknown = project.names.resolve(path, name, function.name) is None
        return is_unknown and _SAYS.search(name.rpartition(".")[2]) is not None
    if asks(project, symbol.path, symbol.function):
        return True
    return depth > 0 and any(
        leads_to_check(project, symbol.path, symbol.function, use.callee, depth - 1)
        for use in symbol.function.uses
        if use.how != "passed" and symbol.function.name != function.name
    )


def _asks_in_body(project: Project, path: str, function: Function) -> bool:
    asked = function.precaution.checks if function.precaution else ()
    return any(is_check(project, path, name, function.name) for name in asked)
