"""Which calls a policy means: by the name that is written, or by the function that it stands for."""

from __future__ import annotations

import builtins
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from errlint.facts import Call, Called, Function, Opaque, Ref, Value, all_values
from errlint.project.domain import matches
from errlint.project.names import ClassSymbol, ExternalSymbol, FunctionSymbol
from errlint.settings import Policy

if TYPE_CHECKING:
    from errlint.project import Project

MAX_DEPTH = 3
"""So many functions deep it is asked what a function calls."""


_STORED = frozenset({"get", "find", "search", "count", "index", "insert", "remove", "pop", "update", "add", "append"})
PURE = (
    frozenset(name for kind in (str, bytes, dict, set) for name in dir(kind) if not name.startswith("_")) - _STORED
) | {"group", "groups", "fullmatch", "match", "is_absolute"}
"""Methods that ask nobody else; those that databases have, too, may."""

_MODULES = ("re.", "math.", "itertools.", "functools.", "datetime.", "uuid.", "urllib.parse.", "builtins.", "logging.")


def is_meant(project: Project, path: str, scope: str, name: str, patterns: tuple[str, ...]) -> bool:
    """Whether a call of ``name`` in a function is one of those that some patterns of a policy mean."""
    tool = name.partition(":")[2]
    if matches(tool or name.lstrip("."), patterns):
        return True
    symbol = project.objects.called(path, name, scope) if not name.startswith(".") else None
    if isinstance(symbol, FunctionSymbol):
        return matches(project.names.absolute(symbol), patterns)
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
        symbol = project.objects.called(path, name, scope) if depth < MAX_DEPTH and not name.startswith(".") else None
        if isinstance(symbol, FunctionSymbol):
            inside = dict.fromkeys(each for case in symbol.function.cases for each in case.before)
            if makes(project, symbol.path, symbol.function.name, inside, patterns, depth + 1):
                return name
    return ""


def is_pure(project: Project, path: str, function: Function, name: str) -> bool:
    """Whether a call asks nobody outside of the function: it only computes."""
    last = name.rpartition(".")[2]
    if name.startswith(".") or ("." in name and last in PURE):
        return last in PURE
    symbol = project.objects.called(path, name, function.name)
    if isinstance(symbol, ClassSymbol):
        return True
    if isinstance(symbol, FunctionSymbol):
        return not symbol.function.is_async
    if isinstance(symbol, ExternalSymbol):
        return symbol.name.startswith(_MODULES) or last[:1].isupper()
    return hasattr(builtins, name) or last[:1].isupper()


def roots(value: Value) -> Iterator[str]:
    """Yield the names that a value is made of, "" for what cannot be told."""
    for part in all_values(value):
        if type(part) is Ref:
            yield part.name.partition(".")[0]
        elif type(part) is Opaque:
            yield ""
        elif type(part) is Call:
            root, dot, _ = part.name.partition(".")
            if dot and root:
                yield root


def calls_in(value: Value) -> Iterator[Call]:
    """Yield the calls in a value, those in the arguments of others too."""
    return (part for part in all_values(value) if type(part) is Call)


def calls_of(project: Project, path: str, function: Function) -> list[Call] | None:
    """Return every call of a function as it is made, ``None`` where not all of them can be seen."""
    found: list[Call] = []
    for caller in project.callers.may(path, function):
        around = project.callers.around(caller)
        made = list(calls_by(around, caller.use.callee)) if around is not None else []
        if not made or caller.use.how == "passed":
            return None
        found.extend(call for call in made if call not in found)
    return found


def calls_by(function: Function, callee: str) -> Iterator[Call]:
    """Yield the calls of a name that a function makes: in what it raises, answers, assigns, or makes as a statement."""
    values = [item.value for item in function.raises]
    values += [item.value for item in function.returns]
    values += [item.value for item in function.cases]
    yield from (call for value in values for call in calls_in(value) if call.name == callee)


def is_made_first(project: Project, path: str, function: Function, patterns: tuple[str, ...], depth: int = 0) -> bool:
    """Whether a function looks at what others were given: before any call that is meant, at their parameters only.

    All of its callers are known then, and one of them makes such a call afterwards.
    """
    callers = {(caller.path, caller.function): caller.use.callee for caller in project.callers.may(path, function)}
    goes_on = False
    for (where, scope), callee in callers.items():
        around = project.names.function(where, scope)
        if around is None:
            return False
        ways = [case.before for case in around.cases if callee in case.before]
        given = list(calls_by(around, callee))
        if not given or not all(_is_given(around, call) for call in given):
            return False
        if any(makes(project, where, scope, way[: way.index(callee)], patterns) for way in ways):
            return False
        goes_on = goes_on or any(makes(project, where, scope, way[way.index(callee) + 1 :], patterns) for way in ways)
        if not goes_on and depth < MAX_DEPTH:
            goes_on = is_made_first(project, where, around, patterns, depth + 1)
    return goes_on


def _is_given(function: Function, call: Call) -> bool:
    """Whether the arguments of a call are made of nothing but parameters of the function around it."""
    own = {item.name for item in function.parameters} - {"self", "cls"}
    given = {root for argument in call.arguments for root in roots(argument.value)}
    return bool(given) and given <= own
