"""Routes: the functions that a web framework calls for a request, and what decides the status of their answers.

A route whose error goes out with a status of 400 or more answers an error already. One that answers it as it answers
a success hides it: from HTTP clients, and from the agents of a server that makes tools of its routes.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from errlint.error_keywords import CONTENT_ARGUMENTS
from errlint.facts import Call, Function, Mapping, Sequence, Value, only
from errlint.lazy import cached_property
from errlint.project.callers import upwards
from errlint.project.frameworks import (
    VIEW_DECORATORS,
    VIEW_METHODS,
    VIEW_MODULES,
    VIEW_SET_METHODS,
    WEB,
    Framework,
    is_from,
)
from errlint.project.names import ExternalSymbol, FunctionSymbol, ValueSymbol
from errlint.project.registry import number

if TYPE_CHECKING:
    from errlint.project import Project

ROUTE_DECORATORS = frozenset({"route", "get", "post", "put", "delete", "patch", "head", "options", "api_route"})
"""Last parts of decorators by which the object of an application makes a route."""

ROUTE_REGISTRATIONS = ("add_api_route", "add_url_rule", "add_route", "Route", "APIRoute")
"""Last parts of calls that are handed a route."""

_STATUS_ARGUMENTS = frozenset({"status", "status_code"})

_TABLES_OF_VIEWS = frozenset({"django.urls", "django.conf.urls"})
"""Modules of Django whose functions are handed a view: a file that imports one lists routes."""

_BY_NAME = {framework.name: framework for framework in WEB}

_JSON = frozenset(
    {"JSONResponse", "ORJSONResponse", "UJSONResponse", "PlainTextResponse", "jsonify", "make_response", "Response"}
)
"""Last parts of the calls that make a response of a content, whose status is that of a success unless one is given."""

_OF_DJANGO = frozenset({"HttpResponse", "JsonResponse"})
"""Those that take their status by its name alone."""

_VIEW_DECORATORS = frozenset(name.rpartition(".")[2] for name in VIEW_DECORATORS)

MAX_DEPTH = 6
"""Through how many functions an answer may be handed on before a route answers it."""


class Routes:
    """Answers which functions of one project are routes, and of which framework."""

    def __init__(self, project: Project) -> None:
        self._project = project
        self._frameworks: dict[tuple[str, str], Framework | None] = {}
        self._answering: dict[tuple[str, str], FunctionSymbol | None] = {}

    def framework(self, path: str, function: Function) -> Framework | None:
        """Return the framework that calls a function for requests, ``None`` for any other function."""
        key = (path, function.name)
        if key not in self._frameworks:
            scope = function.name.rpartition(".")[0]
            found = (self.meant(path, name, scope) for name in function.decorators)
            self._frameworks[key] = (
                next(filter(None, found), None) or self._registered.get(key) or self._of_view(path, function)
            )
        return self._frameworks[key]

    def is_route(self, path: str, function: Function) -> bool:
        """Whether a framework that is known here calls a function for requests."""
        return self.framework(path, function) is not None

    def is_answering(self, path: str, function: Function) -> bool:
        """Whether the errors of a function go out as a success would: it is a route that sets no status itself."""
        return not function.sets_status and self.is_route(path, function)

    def meant(self, path: str, name: str, scope: str) -> Framework | None:
        """Return the framework by which a decorator, by its name as written, makes a route; ``None`` for any other."""
        owner, _, last = name.rpartition(".")
        if owner and last in ROUTE_DECORATORS:
            return self._of_object(path, owner, scope)
        if last not in _VIEW_DECORATORS:
            return None
        symbol = self._project.names.resolve(path, name, scope)
        return _BY_NAME.get(VIEW_DECORATORS.get(symbol.name, "")) if isinstance(symbol, ExternalSymbol) else None

    def _of_view(self, path: str, function: Function) -> Framework | None:
        """Return the framework that calls a method since its class is a view, ``None`` for any other function."""
        short = function.name.rpartition(".")[2]
        if not function.owner or (short not in VIEW_METHODS and short not in VIEW_SET_METHODS):
            return None
        owner = self._project.names.enclosing_class(path, function.name)
        for base in self._project.hierarchy.base_names(owner) if owner is not None else ():
            is_set = ".viewsets." in base or ".mixins." in base
            if short not in VIEW_METHODS and not is_set:
                continue
            for module, framework in VIEW_MODULES.items():
                if base.startswith(f"{module}."):
                    return _BY_NAME[framework]
        return None

    def _of_object(self, path: str, name: str, scope: str) -> Framework | None:
        """Return the framework of an application or router: by how that is made, else the only one of its file."""
        symbol = self._project.names.resolve(path, name, scope)
        if isinstance(symbol, ValueSymbol) and type(made := only(symbol.value)) is Call and made.name:
            symbol = self._project.names.resolve(symbol.path, made.name)
            if isinstance(symbol, ExternalSymbol):
                return next((item for item in WEB if is_from(item, symbol.name)), None)
            if isinstance(symbol, FunctionSymbol):  # `create_app()`, where the application is made
                return self._of_file(symbol.path)
        if symbol is not None and not isinstance(symbol, ValueSymbol):
            return None  # something else than an object of this module has methods of these names
        return self._of_file(path)

    def _of_file(self, path: str) -> Framework | None:
        """Return the framework of applications that a file imports; FastAPI goes before Starlette, its foundation."""
        modules = [item.module for item in self._project.modules[path].imports]
        found = [item for item in WEB if item.error and any(is_from(item, module) for module in modules)]
        names = {item.name for item in found}
        return found[0] if len(found) == 1 or names == {"FastAPI", "Starlette"} else None

    @cached_property
    def _registered(self) -> dict[tuple[str, str], Framework]:
        """The functions that are handed to what makes a route of them."""
        found: dict[tuple[str, str], Framework] = {}
        names = self._project.names
        for path, module in self._project.modules.items():
            if any(item.module in _TABLES_OF_VIEWS for item in module.imports):
                # What is handed to `path`, also by way of a decorator that is called there.
                views = (names.resolve(path, use.callee) for use in module.uses if use.how == "passed")
                for view in views:
                    if isinstance(view, FunctionSymbol):
                        found[(view.path, view.function.name)] = _BY_NAME["Django"]
            uses = [("", use) for use in module.uses]
            uses.extend((function.name, use) for function in module.functions for use in function.uses)
            for scope, use in uses:
                if use.how != "passed" or use.receiver.rpartition(".")[2] not in ROUTE_REGISTRATIONS:
                    continue
                framework, symbol = self._of_file(path), names.resolve(path, use.callee, scope)
                if framework is not None and isinstance(symbol, FunctionSymbol):
                    found[(symbol.path, symbol.function.name)] = framework
        return found

    @cached_property
    def distributions(self) -> frozenset[str]:
        """The distributions that have a route."""
        return frozenset(
            self._project.layout.distribution(path)
            for path, module in self._project.modules.items()
            for function in module.functions
            if self.is_route(path, function)
        )

    # --- what a route answers -----------------------------------------------------------------------------------

    def answered_by(self, path: str, function: Function) -> str:
        """Return the route that answers what a function returns, as it is and as a success; "" for none."""
        found = self._route_of(path, function)
        return found.function.name if found is not None else ""

    def answering_framework(self, path: str, function: Function) -> Framework | None:
        """Return the framework of the route that a function is, or that answers what it returns as a success."""
        found = self._route_of(path, function)
        return self.framework(path, function) if found is None else self.framework(found.path, found.function)

    def _route_of(self, path: str, function: Function) -> FunctionSymbol | None:
        key = (path, function.name)
        if key not in self._answering:
            self._answering[key] = self._find_route(path, function)
        return self._answering[key]

    def _find_route(self, path: str, function: Function) -> FunctionSymbol | None:
        """Return the nearest route that answers what a function returns, through those that answer what they call."""
        above = upwards(path, function, self._handing_on, MAX_DEPTH + 1)
        return next((each for each in above if self.is_answering(*each)), None)

    def _handing_on(self, path: str, function: Function) -> Iterator[tuple[str, Function]]:
        """Yield the functions that answer what a function returns, and say no status of it; none of a route."""
        callers = self._project.callers
        for caller in () if self.is_route(path, function) else callers.answering(path, function):
            around = callers.around(caller)
            if (
                around is not None
                and callers.returns_result(caller, around)
                and not any(self.has_status(found.value) for found in around.returns)
            ):
                yield caller.path, around

    def has_status(self, value: Value) -> bool:
        """Whether an answer says its own status: that of an error, or one that is not known here."""
        value = only(value)
        return any(not _is_success(status) for status in _statuses(value))

    def error_status(self, value: Value) -> int | None:
        """Return the status of an error that an answer says, ``None`` where it says none, or none that is known."""
        numbers = (number(only(status)) for status in _statuses(only(value)))
        return next((found for found in numbers if found is not None and found >= 400), None)

    def content(self, call: Call) -> Value | None:
        """Return what a response with the status of a success is made of, ``None`` for any other response."""
        last = call.name.rpartition(".")[2]
        if (last not in _JSON and last not in _OF_DJANGO) or self.has_status(call):
            return None
        names = CONTENT_ARGUMENTS if last != "jsonify" else ("",)
        return next((item.value for item in call.arguments if item.name in names), None)


def _statuses(value: Value) -> Iterator[Value]:
    """Yield what says the status of an answer: an argument of a response, or the second part of Flask's tuples."""
    if type(value) is Call:
        yield from (item.value for item in value.arguments if item.name in _STATUS_ARGUMENTS)
        given = [item.value for item in value.arguments if item.name == ""][1:2]
        last = value.name.rpartition(".")[2]
        # Of a helper only a number that is one is a status: it may be handed anything second.
        yield from given if last in _JSON - {"jsonify"} else (each for each in given if number(only(each)) is not None)
    kind = getattr(value, "kind", "")
    if kind == "tuple":
        # Headers may stand there, too: then the status is that of a success.
        yield from (each for each in getattr(value, "items", ())[1:2] if type(only(each)) not in (Mapping, Sequence))


def _is_success(status: Value) -> bool:
    found = number(only(status))
    return found is not None and found < 400
