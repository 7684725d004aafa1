"""What becomes of a raise inside its function: it leaves the function, or a handler of its own stops it."""

from __future__ import annotations

from collections.abc import Iterator
from enum import Enum
from typing import TYPE_CHECKING, NamedTuple

from errlint.facts import Call, Catch, Constant, Function, Raise, Try
from errlint.findings import Span
from errlint.project.domain import BROAD, builtin_line, matches
from errlint.project.frameworks import line_of
from errlint.project.names import ClassSymbol, ExternalSymbol, FunctionSymbol
from errlint.project.reach import TRANSPARENT

if TYPE_CHECKING:
    from errlint.project import Project
    from errlint.settings import Policy

PROTOCOL_EXCEPTIONS = ("McpError", "PromptError", "ResourceError", "ToolError")
"""Exceptions of the MCP libraries that reach a client as they are: domain exceptions wherever no root is configured."""

_PROTOCOL_PACKAGES = ("fastmcp.", "mcp.")


class Thrown(NamedTuple):
    """A raise of a domain exception: of a class of the project, or of a foreign one."""

    path: str
    function: Function
    found: Raise
    symbol: ClassSymbol | ExternalSymbol

    @property
    def name(self) -> str:
        """The name of the class, without module and outer class."""
        return name_of(self.symbol)


class Fate(Enum):
    """How a raise ends: it ``ESCAPES``, is ``CAUGHT`` and never raised again, or perhaps one of both."""

    ESCAPES = "escapes"
    CAUGHT = "caught"
    UNKNOWN = "unknown"


class Outcome(NamedTuple):
    """The fate of a raise; ``around`` and ``catch`` are what stops it (``catch`` is ``None`` for a ``finally``)."""

    fate: Fate
    around: Try | None = None
    catch: Catch | None = None


def name_of(symbol: ClassSymbol | ExternalSymbol) -> str:
    """Return the last part of the name of a class."""
    return (symbol.definition.name if isinstance(symbol, ClassSymbol) else symbol.name).rpartition(".")[2]


def foreign_names(policy: Policy) -> Iterator[str]:
    """Yield the last parts of the names that foreign domain exceptions may have."""
    if policy.exceptions.root:
        yield from (name.replace(":", ".").rpartition(".")[2] for name in policy.exceptions.root if "*" not in name)
    else:
        yield from PROTOCOL_EXCEPTIONS


def thrown(project: Project, path: str) -> Iterator[Thrown]:
    """Yield the raises of domain exceptions in one file, foreign classes among them."""
    policy = project.policy(path)
    for function in project.modules[path].functions:
        for found in function.raises:
            symbol = project.domain.raised(path, function.name, found.value)
            if symbol is not None and is_domain(project, symbol, policy):
                yield Thrown(path, function, found, symbol)


def is_domain(project: Project, symbol: ClassSymbol | ExternalSymbol, policy: Policy) -> bool:
    """Whether a class, of the project or foreign, is a domain exception."""
    if isinstance(symbol, ClassSymbol):
        return project.domain.is_domain(symbol, policy)
    if policy.exceptions.root:
        return matches(symbol.name, policy.exceptions.root)
    return symbol.name.startswith(_PROTOCOL_PACKAGES) and symbol.name.rpartition(".")[2] in PROTOCOL_EXCEPTIONS


def is_protocol(symbol: ExternalSymbol) -> bool:
    """Whether a foreign exception is one of the MCP libraries, which know how to answer it."""
    return name_of(symbol) in PROTOCOL_EXCEPTIONS or symbol.name.startswith(_PROTOCOL_PACKAGES)


def catches(
    project: Project, path: str, scope: str, types: tuple[str, ...], symbol: ClassSymbol | ExternalSymbol
) -> bool | None:
    """Whether an ``except`` clause catches a class; ``None`` where that cannot be told."""
    if isinstance(symbol, ClassSymbol):
        return project.domain.catches(path, scope, types, symbol)
    own = line_of(symbol.name)
    line, unknown = set(own or builtin_line(symbol.name)), False
    for name in types:
        found = project.names.resolve(path, name, scope)
        last = name.rpartition(".")[2]
        if last in BROAD or (isinstance(found, ExternalSymbol) and found.name in line):
            return True
        # Foreign exceptions are below `Exception`, perhaps by way of other foreign ones.
        is_foreign = isinstance(found, ExternalSymbol) and not found.name.startswith("builtins.")
        is_another = bool(own) and last not in {each.rpartition(".")[2] for each in own}
        unknown = unknown or found is None or (is_foreign and not is_another)
    return True if not types else None if unknown else False


def names_class(project: Project, thrown: Thrown, types: tuple[str, ...]) -> bool:
    """Whether an ``except`` clause names the very class of a raise."""
    resolved = (project.names.resolve(thrown.path, name, thrown.function.name) for name in types)
    return any(symbol == thrown.symbol for symbol in resolved)


def outcome(project: Project, thrown: Thrown) -> Outcome:
    """Return what becomes of a raise in its function.

    A handler that raises on some of its ways, or on all, leaves it open: what it raises is a matter of its own.
    """
    path, function = thrown.path, thrown.function
    for around in project.domain.tries_around(function, thrown.found.tries):
        for catch in around.catches:
            caught = catches(project, path, function.name, catch.types, thrown.symbol)
            if caught is None or (caught and "raise" in catch.exits):
                return Outcome(Fate.UNKNOWN, around, catch)
            if caught:
                return Outcome(Fate.CAUGHT, around, catch)
        if "raise" in around.finally_exits:
            return Outcome(Fate.UNKNOWN, around)
        if around.finally_exits:
            return Outcome(Fate.CAUGHT, around)
    return Outcome(Fate.ESCAPES)


class Gathering(NamedTuple):
    """A ``gather(..., return_exceptions=True)`` whose results nobody looks at."""

    path: str
    function: Function
    span: Span


def gathered(project: Project) -> dict[tuple[str, str], Gathering]:
    """Return the functions (file and name) whose exceptions a :class:`Gathering` drops."""
    found: dict[tuple[str, str], Gathering] = {}
    for path, module in project.modules.items():
        for function in module.functions:
            for called in function.calls:
                if called.value.name.rpartition(".")[2] != "gather" or (
                    called.how != "expression" and called.target != "_"
                ):
                    continue
                arguments = called.value.arguments
                if not any(item.name == "return_exceptions" and item.value == Constant(True) for item in arguments):
                    continue
                for item in arguments:
                    if type(item.value) is Call and not item.name:
                        symbol = project.names.resolve(path, item.value.name, function.name)
                        if isinstance(symbol, FunctionSymbol):
                            key = (symbol.path, symbol.function.name)
                            found.setdefault(key, Gathering(path, function, called.span))
    return found


def wanted(project: Project, path: str) -> Iterator[str]:
    """Resolve all that rules about raises in a file resolve; yield the names of functions whose callers they need."""
    for found in thrown(project, path):
        for around in project.domain.tries_around(found.function, found.found.tries):
            for catch in around.catches:
                names_class(project, found, catch.types)
        if outcome(project, found).fate is Fate.CAUGHT:
            yield found.function.name.rpartition(".")[2]
        elif (path, found.function.name) in project.gathered:
            yield project.gathered[path, found.function.name].function.name.rpartition(".")[2]


def every_raise(project: Project, path: str) -> Iterator[Thrown]:
    """Yield the raises of one file whose class is known, domain exceptions or not."""
    for function in project.modules[path].functions:
        for found in function.raises:
            symbol = project.domain.raised(path, function.name, found.value)
            if symbol is not None:
                yield Thrown(path, function, found, symbol)


def leaves(project: Project, thrown: Thrown) -> str:
    """Return the adapter whose caller gets an exception, "" where something may catch it before, or none is known."""
    adapter = project.reaches(thrown.path, thrown.function)
    if not adapter or outcome(project, thrown).fate is not Fate.ESCAPES or _is_caught_outside(project, thrown):
        return ""
    return adapter


def may_be_answered(project: Project, thrown: Thrown) -> bool:
    """Whether a decorator of the raising function, or of one that may call it, may answer or turn its exceptions."""
    around = ((thrown.path, thrown.function), *_outer(project, thrown.path, thrown.function, set()))
    return any(
        not (project.registers(name) or name.rpartition(".")[2] in TRANSPARENT)
        for _, function in around
        for name in function.decorators
    )


def _is_caught_outside(project: Project, thrown: Thrown) -> bool:
    """Whether a function around a call of the raising one, or around that, may catch its exceptions."""
    for path, around in _outer(project, thrown.path, thrown.function, set()):
        for item in around.tries:
            for catch in item.catches:
                if catches(project, path, around.name, catch.types, thrown.symbol) is not False:
                    return True
    return False


def _outer(
    project: Project, path: str, function: Function, seen: set[tuple[str, str]]
) -> Iterator[tuple[str, Function]]:
    """Yield the functions that may call one, and those that may call them, up to the adapters.

    Those that have been ``seen`` (file and name) are left out, and what is yielded is noted there.
    """
    seen.add((path, function.name))
    pending = [(path, function)]
    while pending:
        current = pending.pop()
        if project.is_adapter(*current):
            continue
        for caller in project.may_callers(*current):
            around = project.names.function(caller.path, caller.function)
            if around is not None and (caller.path, around.name) not in seen:
                seen.add((caller.path, around.name))
                yield caller.path, around
                pending.append((caller.path, around))


def raising(project: Project, path: str, seen: set[tuple[str, str]]) -> Iterator[str]:
    """Yield the names of the functions of a file that raise something, and of all that may call them.

    Many raises have callers in common: ``seen`` are the functions that were yielded before, for this file or another.
    """
    for function in {found.function.name: found.function for found in every_raise(project, path)}.values():
        if (path, function.name) in seen:
            continue
        for where, item in ((path, function), *_outer(project, path, function, seen)):
            for around in item.tries:
                for catch in around.catches:
                    for name in catch.types:
                        project.names.resolve(where, name, item.name)
            if not project.is_adapter(where, item):
                yield item.name.rpartition(".")[2]
