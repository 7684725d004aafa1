"""The exceptions of a project: its families, and what is raised, of these and of others."""

from __future__ import annotations

import builtins
from collections.abc import Callable, Iterator
from typing import NamedTuple

from errlint.facts import Call, Function, Value, only
from errlint.init.statements import About, Seen, Statement, counted, listed, seen
from errlint.project import Project
from errlint.project.callers import uses_of
from errlint.project.hierarchy import Exceptional
from errlint.project.libraries import line_of
from errlint.project.names import ClassSymbol, ExternalSymbol, FunctionSymbol
from errlint.project.raise_outcome import PROTOCOL_EXCEPTIONS, is_protocol

_MOST = 5
_CAUSES = ("cause", "original_error", "original_exception")
"""Names of constructor arguments that take the cause of an exception."""

_NO_FAILURES = frozenset({"AssertionError", "NotImplementedError", "StopIteration", "StopAsyncIteration", "SystemExit"})
_HTTP = "HTTPException"
_ABORTING = frozenset({"flask", "flask_restful", "flask_restx", "flask_smorest", "werkzeug"})
"""Packages whose ``abort`` raises the exception of a status."""


class Family(NamedTuple):
    """A class of the project that is the topmost of its exceptions, and those below it.

    ``heirs`` is the number of classes below it, ``raises`` how often one of the family is raised, ``reaching`` how
    often certainly below an adapter or in a route, ``cause`` the constructor's argument for the cause.
    """

    name: str
    place: Seen
    heirs: int
    raises: int
    reaching: int
    first: Seen | None
    cause: str


class ForeignRaises(NamedTuple):
    """How often an exception is raised that the project does not define; ``reaching`` below adapters, or in routes."""

    name: str
    number: int
    reaching: int
    first: Seen
    answers: bool


class Raised(NamedTuple):
    """What a project raises: families, the most raised ones first, the exceptions of others, and requests it aborts."""

    families: tuple[Family, ...]
    foreign: tuple[ForeignRaises, ...]
    aborts: tuple[Seen, ...] = ()

    @property
    def reaching(self) -> int:
        """How many raises there are below adapters and in routes."""
        return sum(item.reaching for item in self.families) + sum(item.reaching for item in self.foreign)


def raised(project: Project, is_inside: Callable[[str], bool] = lambda _: True) -> Raised:
    """Return the exceptions of those files that are inside of what is asked about, by their paths."""
    tops: dict[tuple[str, str], ClassSymbol] = {}
    heirs: dict[tuple[str, str], int] = {}
    for path, module in project.modules.items():
        for definition in module.classes:
            symbol = ClassSymbol(path, definition)
            top = _top(project, symbol)
            if top is not None:
                key = (top.path, top.definition.name)
                tops[key] = top
                heirs[key] = heirs.get(key, 0) + (symbol != top)
    places: dict[object, list[tuple[Seen, bool]]] = {}
    for path in filter(is_inside, sorted(project.modules)):
        for function in project.modules[path].functions:
            for found in function.raises:
                raised_class = _raised_class(project, path, function, found.value)
                key_of: object = None
                if isinstance(raised_class, ClassSymbol):
                    top = _top(project, raised_class)
                    key_of = (top.path, top.definition.name) if top is not None else None
                elif raised_class is not None and _is_exception(raised_class):
                    key_of = line_of(raised_class.name)[0]
                if key_of is not None:
                    is_below = bool(project.raised_errors.adapters(path, function))
                    reaches = is_below or project.routes.is_route(path, function)
                    places.setdefault(key_of, []).append((seen(path, found.span), reaches))
    families = [
        _family(project, top, heirs[key], places.get(key, []))
        for key, top in tops.items()
        if is_inside(top.path) or key in places
    ]
    foreign = [
        ForeignRaises(_short(key), len(each), sum(reaches for _, reaches in each), each[0][0], _answers(project, key))
        for key, each in places.items()
        if isinstance(key, str)
    ]
    return Raised(
        tuple(sorted(families, key=lambda item: (-item.raises, -item.heirs, item.name))),
        tuple(sorted(foreign, key=lambda item: (-item.number, item.name))),
        tuple(_aborts(project, is_inside)),
    )


def _aborts(project: Project, is_inside: Callable[[str], bool]) -> Iterator[Seen]:
    """Yield where Flask is told to answer an error."""
    for path in filter(is_inside, sorted(project.modules)):
        for scope, use in uses_of(project.modules[path]):
            if use.how != "passed" and use.callee.rpartition(".")[2] == "abort":
                symbol = project.names.resolve(path, use.callee, scope)
                if isinstance(symbol, ExternalSymbol) and symbol.name.partition(".")[0] in _ABORTING:
                    yield seen(path, use.span)


def _raised_class(project: Project, path: str, function: Function, value: Value) -> Exceptional | None:
    """Return the class that a raise names, also by a method that makes one: ``raise AppError.of(answer)``."""
    found = project.domain.raised(path, function.name, value)
    value = only(value)
    if found is None and type(value) is Call and "." in value.name:
        maker = project.names.resolve(path, value.name, function.name)
        if isinstance(maker, FunctionSymbol) and maker.function.owner:
            return project.names.enclosing_class(maker.path, maker.function.name)
    return found


def _top(project: Project, symbol: ClassSymbol) -> ClassSymbol | None:
    """Return the topmost class of the project above an exception, ``None`` for a warning or another class."""
    if not project.hierarchy.is_exception(symbol) or any(
        name.endswith("Warning") for name in project.hierarchy.ancestors(symbol)
    ):
        return None
    return [item for item in project.hierarchy.bases(symbol) if project.hierarchy.is_exception(item)][-1]


def _family(project: Project, top: ClassSymbol, heirs: int, places: list[tuple[Seen, bool]]) -> Family:
    constructor = project.domain.constructor(top)
    names = [item.name for item in constructor.function.parameters] if constructor is not None else []
    return Family(
        project.names.absolute(top),
        seen(top.path, top.definition.span),
        heirs,
        len(places),
        sum(reaches for _, reaches in places),
        places[0][0] if places else None,
        next((name for name in _CAUSES if name in names), ""),
    )


def _is_exception(symbol: ExternalSymbol) -> bool:
    last = symbol.name.rpartition(".")[2]
    if symbol.name.startswith("builtins."):
        found = getattr(builtins, last, None)
        return isinstance(found, type) and issubclass(found, BaseException) and last not in _NO_FAILURES
    return last[:1].isupper()


def _answers(project: Project, name: str) -> bool:
    """Whether a framework answers an exception as it is: one of MCP's, or an HTTP status where there are routes."""
    last = name.rpartition(".")[2]
    if last == _HTTP:
        return bool(project.routes.distributions)
    return last in PROTOCOL_EXCEPTIONS and is_protocol(ExternalSymbol(name))


def _short(name: str) -> str:
    return name.removeprefix("builtins.")


def statements(found: Raised) -> Iterator[Statement]:
    """Yield what there is to say of exceptions."""
    families = [item for item in found.families if item.heirs]
    single = [item for item in found.families if not item.heirs]
    for item in families[:_MOST]:
        text = f"`{item.name}` and the {counted(item.heirs, 'exception')} below it: {_raises(item.raises)}"
        yield Statement(About.EXCEPTIONS, text, _shown(item), _details(item))
    if len(families) > _MOST:
        rest = families[_MOST:]
        yield Statement(
            About.EXCEPTIONS,
            f"{counted(len(rest), 'more family', 'more families')}",
            tuple(item.place for item in rest),
        )
    if single:
        names = tuple(item.name.rpartition(".")[2] for item in single)
        number = sum(item.raises for item in single)
        stand = "stands alone" if len(single) == 1 else "stand alone"
        text = f"{listed(names)} {stand}, without a common base in the project: {_raises(number)}"
        yield Statement(
            About.EXCEPTIONS, text, tuple(item.place for item in single), {"names": [item.name for item in single]}
        )
    for each in found.foreign[:_MOST]:
        answered = ", which the framework answers" if each.answers else ""
        text = f"`{each.name}`{answered}: {_raises(each.number)}"
        yield Statement(About.EXCEPTIONS, text, (each.first,), {"name": each.name, "raises": each.number})
    if found.aborts:
        times = "once" if len(found.aborts) == 1 else f"{len(found.aborts):,} times"
        text = f"`abort`, by which Flask answers an error: called {times}"
        yield Statement(About.EXCEPTIONS, text, found.aborts, {"calls": len(found.aborts)})
    if len(found.foreign) > _MOST:
        rest_of = found.foreign[_MOST:]
        number = sum(each.number for each in rest_of)
        text = f"{counted(len(rest_of), 'other exception')} that the project does not define: {_raises(number)}"
        yield Statement(About.EXCEPTIONS, text, tuple(each.first for each in rest_of))


def _raises(number: int) -> str:
    return f"in {counted(number, 'raise')}" if number else "in no raise"


def _shown(item: Family) -> tuple[Seen, ...]:
    return (item.place, item.first) if item.first is not None else (item.place,)


def _details(item: Family) -> dict[str, object]:
    return {"name": item.name, "below": item.heirs, "raises": item.raises, "reaching": item.reaching}
