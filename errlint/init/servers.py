"""Where servers and applications are made and run, of which frameworks, and the functions that clients call."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from errlint.facts import Call, Use, only
from errlint.init.requirements import Declared
from errlint.init.statements import About, Seen, Statement, counted, listed, seen
from errlint.project import Project
from errlint.project.callers import uses_of
from errlint.project.frameworks import AGENTS, FRAMEWORKS, SERVER_CLASSES, WEB, Framework, is_from
from errlint.project.names import ClassSymbol, ExternalSymbol, FunctionSymbol, Symbol, ValueSymbol

_OF_SERVERS_ALONE = frozenset({"run_http_async", "run_sse_async", "run_stdio_async", "run_streamable_http_async"})
"""Methods by which servers of FastMCP run, and nothing else does."""

_RUNS = _OF_SERVERS_ALONE | {"run", "run_async", "serve"}
"""Methods of servers that run them."""

_RUNNERS = frozenset({"uvicorn.run", "hypercorn.run", "waitress.serve", "werkzeug.serving.run_simple"})
"""Functions that serve a web application."""

_PACKAGES = {
    "mcp": ("mcp",),
    "fastmcp": ("fastmcp",),
    "fastapi": ("fastapi",),
    "starlette": ("starlette",),
    "flask": ("flask",),
    "django": ("django",),
    "djangorestframework": ("rest_framework",),
}
"""Packages whose version matters, each with the first parts of the names that are imported from it."""

_RESOURCES = frozenset(
    {"flask.views.MethodView", "flask_restful.Resource", "flask_restx.Resource", "tornado.web.RequestHandler",
     "starlette.endpoints.HTTPEndpoint"}
)  # fmt: skip
"""Classes whose methods answer requests without being told to be routes: those are not looked at."""

_MOST = 5


class Server(NamedTuple):
    """A server or application that is made: its framework, the name it is bound to ("" for none), and the place.

    ``by`` is the class that is called, as it is written.
    """

    framework: Framework
    name: str
    by: str
    place: Seen


class Adapters(NamedTuple):
    """How many functions of a kind clients call, by what makes them such, and the place of one."""

    how: str
    number: int
    first: Seen


def servers(project: Project) -> tuple[Server, ...]:
    """Return the servers and applications of a project, in order of place."""
    found: dict[Seen, Server] = {}
    for path, module in project.modules.items():
        names = {each.span.line: each.name for each in module.assigned}
        for scope, use in uses_of(module):
            framework = None if use.how == "passed" else server_framework(project, path, scope, use.callee)
            if framework is not None:
                place = seen(path, use.span)
                found.setdefault(
                    place, Server(framework, "" if scope else names.get(place.line, ""), use.callee, place)
                )
    return tuple(found[place] for place in sorted(found))


def has_agents(project: Project) -> bool:
    """Whether a project has tools of agents, which nothing answers unless it is told to."""
    imports = (item for module in project.modules.values() for item in module.imports)
    return any(is_from(AGENTS, ".".join(filter(None, (item.module, item.attribute)))) for item in imports)


def unanswered(project: Project) -> tuple[str, ...]:
    """Return of which adapters it is not known who answers their exceptions, each to stand behind the word for these.

    That are methods below a class of tools, and what decorators of other packages make tools of.
    """
    classes: set[str] = set()
    decorators: set[str] = set()
    for path, module in project.modules.items():
        for function in module.functions:
            if project.adapters.is_registered(path, function):
                continue
            names = [function.decorators[index] for index in project.adapters.registering(path, function)]
            decorators.update(name for name in names if _is_unknown(project.names.resolve(path, name, function.name)))
            if function.owner and not names:
                classes.add(project.adapters.tool_base(path, function))
    below = sorted(classes - {""})[:_MOST]
    under = sorted(f"@{name}" for name in decorators)[:_MOST]
    return (
        *((f"of tools below {listed(below)}",) if below else ()),
        *((f"of functions under {listed(under)}",) if under else ()),
    )


def _is_unknown(symbol: Symbol | None) -> bool:
    """Whether a decorator comes from a package that is no framework of which it is known what clients get."""
    known = (*FRAMEWORKS, AGENTS)
    return isinstance(symbol, ExternalSymbol) and not any(is_from(framework, symbol.name) for framework in known)


def adapters(project: Project) -> tuple[Adapters, ...]:
    """Return the adapters and the routes by what makes them such, the most frequent first."""
    places: dict[str, list[Seen]] = {}
    for path, module in project.modules.items():
        for function in module.functions:
            framework = project.routes.framework(path, function)
            if project.adapters.is_adapter(path, function):
                registering = project.adapters.registering(path, function)
                if registering:
                    how = f"by `@{function.decorators[registering[0]]}`"
                elif project.adapters.is_registered(path, function):
                    is_tabled = any(True for _ in project.dispatch.by(path, function))
                    how = "in tables of tools" if is_tabled else "by a call that registers them"
                else:
                    how = "as methods of tool classes" if function.owner else "by `adapters.paths`"
            elif framework is not None:
                how = f"routes of {framework.name}"
            else:
                continue
            places.setdefault(how, []).append(seen(path, function.span))
    ordered = sorted(places.items(), key=lambda item: (-len(item[1]), item[0]))
    return tuple(Adapters(how, len(found), found[0]) for how, found in ordered)


def statements(project: Project, declared: Declared) -> Iterator[Statement]:
    """Yield what there is to say of servers and adapters."""
    made = servers(project)
    yield from _of_servers(made)
    yield from _of_runs(project, made)
    for command in declared.commands[:_MOST]:
        text = f"the command `{command.name}` runs `{command.target}`"
        yield Statement(About.SERVERS, text, (command.place,), {"command": command.name, "target": command.target})
    if len(declared.commands) > _MOST:
        rest = declared.commands[_MOST:]
        yield Statement(About.SERVERS, f"{counted(len(rest), 'more command')} are installed", _places(rest))
    yield from _of_requirements(project, declared)
    yield from _of_adapters(adapters(project))
    yield from _of_resources(project)


def _of_servers(made: tuple[Server, ...]) -> Iterator[Statement]:
    by_framework: dict[Framework, list[Server]] = {}
    for server in made:
        by_framework.setdefault(server.framework, []).append(server)
    for framework, found in by_framework.items():
        if len(found) > _MOST:
            kind = "application" if framework in WEB else "server"
            text = f"{counted(len(found), kind)} of {framework.name} are made"
            yield Statement(About.SERVERS, text, _places(found), {"framework": framework.name, "count": len(found)})
            continue
        for server in found:
            what = f"`{server.name} = {server.by}(...)`" if server.name else f"`{server.by}(...)`"
            kind = "an application" if framework in WEB else "a server"
            details = {"framework": framework.name, "name": server.name, "class": server.by}
            yield Statement(About.SERVERS, f"{what} makes {kind} of {framework.name}", (server.place,), details)


def _of_runs(project: Project, made: tuple[Server, ...]) -> Iterator[Statement]:
    """Yield where servers are run; of one call in a file once."""
    found: dict[str, list[Seen]] = {}
    for path, module in project.modules.items():
        for scope, use in uses_of(module) if made else ():
            if use.how != "passed" and _runs(project, path, scope, use):
                found.setdefault(use.callee, []).append(seen(path, use.span))
    for callee, places in found.items():
        times = "" if len(places) == 1 else f", in {len(places)} places"
        yield Statement(About.SERVERS, f"`{callee}(...)` runs a server{times}", tuple(places), {"call": callee})


def _runs(project: Project, path: str, scope: str, use: Use) -> bool:
    owner, _, last = use.callee.rpartition(".")
    symbol = project.names.resolve(path, use.callee, scope)
    if isinstance(symbol, ExternalSymbol):
        return symbol.name in _RUNNERS
    if last not in _RUNS or not owner:
        return False
    if last in _OF_SERVERS_ALONE:
        return True
    held = project.names.resolve(path, owner, scope)
    if isinstance(held, ValueSymbol):
        value = only(held.value)
        return type(value) is Call and _makes(project, held.path, value.name)
    if held is not None or "." in owner or owner.endswith("manager"):
        return False
    # A name of a function: one that it, or the function around it, has bound to a server.
    parts = scope.split(".")
    around = {".".join(parts[:count]) for count in range(1, len(parts) + 1)} if scope else set()
    return any(
        _makes(project, path, other.callee, each.name)
        for each in project.modules[path].functions
        if each.name in around
        for other in each.uses
        if other.how != "passed"
    )


def _makes(project: Project, path: str, name: str, scope: str = "") -> bool:
    """Whether a call makes a server, or is of a function that does."""
    if server_framework(project, path, scope, name) is not None:
        return True
    symbol = project.names.resolve(path, name, scope)
    return isinstance(symbol, FunctionSymbol) and any(
        server_framework(project, symbol.path, symbol.function.name, use.callee) is not None
        for use in symbol.function.uses
        if use.how != "passed"
    )


def server_framework(project: Project, path: str, scope: str, name: str) -> Framework | None:
    """Return the framework of the server or application that a call of a name makes, ``None`` for any other call."""
    symbol: Symbol | None = project.names.resolve(path, name, scope)
    if isinstance(symbol, ExternalSymbol):
        return _framework(symbol.name)
    if isinstance(symbol, ClassSymbol):
        return next(filter(None, map(_framework, project.hierarchy.base_names(symbol))), None)
    return None


def _framework(name: str) -> Framework | None:
    """Return the framework of a server class by its absolute name, or by that of what makes one of something else."""
    owner, _, last = name.rpartition(".")
    if last.startswith("from_"):
        last = owner.rpartition(".")[2]
    if last not in SERVER_CLASSES:
        return None
    return next((item for item in (*FRAMEWORKS, *WEB) if is_from(item, name)), None)


def _of_requirements(project: Project, declared: Declared) -> Iterator[Statement]:
    imported = {
        item.module.partition(".")[0]
        for module in project.modules.values()
        for item in module.imports
        if not item.module.startswith(".")
    }
    wanted = {package for package, tops in _PACKAGES.items() if imported.intersection(tops)}
    found: dict[tuple[str, str], list[Seen]] = {}
    for item in declared.requirements:
        if item.package in wanted:
            found.setdefault((item.package, item.versions), []).append(item.place)
    spellings = Counter(package for package, _ in found)
    shown: Counter[str] = Counter()
    for (package, versions), places in found.items():
        shown[package] += 1
        if shown[package] > _MOST:
            continue
        what = f"`{package}{_spelled(versions)}` is required" if versions else f"any version of `{package}` will do"
        if shown[package] == _MOST and spellings[package] > _MOST:
            what += f", and other versions in {counted(spellings[package] - _MOST, 'more way')}"
        yield Statement(About.SERVERS, what, tuple(places), {"package": package, "versions": versions})


def _spelled(versions: str) -> str:
    return versions if versions[0] in "<>=!~@" else f" {versions}"


def _of_adapters(found: tuple[Adapters, ...]) -> Iterator[Statement]:
    if not found:
        yield Statement(About.ADAPTERS, "no function was found that clients call: `adapters` says what makes one")
    for item in found[:_MOST]:
        what = item.how if item.how.startswith("routes") else f"adapters {item.how}"
        one = (
            what.replace("routes", "route", 1)
            .replace("adapters", "adapter", 1)
            .replace("methods of tool classes", "method of a tool class")
        )
        one = one.replace("registers them", "registers it")
        text = f"{item.number:,} {one if item.number == 1 else what}"
        yield Statement(About.ADAPTERS, text, (item.first,), {"by": item.how, "count": item.number})
    if len(found) > _MOST:
        rest = found[_MOST:]
        number = sum(item.number for item in rest)
        yield Statement(
            About.ADAPTERS, f"{number:,} in {counted(len(rest), 'other way')}", tuple(item.first for item in rest)
        )


def resources(project: Project, owner: ClassSymbol) -> frozenset[str]:
    """Return the classes above one whose methods answer requests without being told to be routes."""
    return _RESOURCES.intersection(project.hierarchy.base_names(owner))


def _of_resources(project: Project) -> Iterator[Statement]:
    """Yield the classes whose methods answer requests, and that rules do not look at."""
    found: dict[str, list[Seen]] = {}
    for path in sorted(project.modules):
        for definition in project.modules[path].classes:
            for base in resources(project, ClassSymbol(path, definition)):
                found.setdefault(base, []).append(seen(path, definition.span))
    for base, places in sorted(found.items()):
        classes = counted(len(places), "class", "classes")
        text = f"{classes} below `{base}`, whose methods answer requests: errlint does not look at these"
        yield Statement(About.ADAPTERS, text, tuple(places), {"base": base, "count": len(places)})


def _places(items: Iterable[object]) -> tuple[Seen, ...]:
    return tuple(getattr(item, "place") for item in items)  # noqa: B009 -- of whatever has one
