"""What becomes of a raise inside its function: it leaves the function, or a handler of its own stops it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from enum import Enum
from typing import TYPE_CHECKING, NamedTuple

from errlint.error_keywords import MESSAGE_KEYS
from errlint.facts import Call, Catch, Constant, Function, Handler, Opaque, Raise, Try, Use, Value
from errlint.findings import Span
from errlint.project.above import CallAround
from errlint.project.callers import upwards
from errlint.project.decorators import BY_NAME
from errlint.project.domain import matches
from errlint.project.hierarchy import Exceptional
from errlint.project.libraries import told_to_raise
from errlint.project.names import ClassSymbol, ExternalSymbol, FunctionSymbol
from errlint.settings import Style

if TYPE_CHECKING:
    from errlint.project import Project
    from errlint.settings import Policy

PROTOCOL_EXCEPTIONS = ("McpError", "PromptError", "ResourceError", "ToolError")
"""Exceptions of the MCP libraries that reach a client as they are: domain exceptions wherever no root is configured."""

_PROTOCOL_PACKAGES = ("fastmcp.", "mcp.")

MAX_HANDED = 3
"""Through how many functions an answer may be handed on."""


_OTHER_ENDS = frozenset(
    {"AssertionError", "CancelledError", "GeneratorExit", "KeyboardInterrupt", "NotImplementedError",
     "StopAsyncIteration", "StopIteration", "SystemExit"}
)  # fmt: skip
"""Exceptions that say something to Python or to a programmer, not to a client."""


class Thrown(NamedTuple):
    """A raise of an exception of a known class; ``by`` is the last name of the library's call that raises it."""

    path: str
    function: Function
    found: Raise
    symbol: Exceptional
    by: str = ""

    @property
    def is_failure(self) -> bool:
        """Whether it says that something failed, to clients and not to Python or a programmer."""
        return self.name not in _OTHER_ENDS

    @property
    def name(self) -> str:
        """The name of the class, without module and outer class."""
        return name_of(self.symbol)


class Fate(Enum):
    """How a raise ends: it ``ESCAPES``, is ``CAUGHT`` and never raised again, or one of both and nobody knows which.

    It is ``REPLACED`` where a clause catches it and always raises something else.
    """

    ESCAPES = "escapes"
    CAUGHT = "caught"
    REPLACED = "replaced"
    UNKNOWN = "unknown"


class Outcome(NamedTuple):
    """The fate of a raise; ``around`` and ``catch`` are what stops it (``catch`` is ``None`` for a ``finally``)."""

    fate: Fate
    around: Try | None = None
    catch: Catch | None = None


def name_of(symbol: Exceptional) -> str:
    """Return the last part of the name of a class."""
    return (symbol.definition.name if isinstance(symbol, ClassSymbol) else symbol.name).rpartition(".")[2]


def thrown(project: Project, path: str) -> Iterator[Thrown]:
    """Yield the raises of domain exceptions in one file, foreign classes among them."""
    policy = project.policy(path)
    for function in project.modules[path].functions:
        for found in function.raises:
            symbol = project.domain.raised(path, function.name, found.value)
            if symbol is not None and is_domain(project, symbol, policy):
                yield Thrown(path, function, found, symbol)


def is_domain(project: Project, symbol: Exceptional, policy: Policy) -> bool:
    """Whether a class, of the project or foreign, is a domain exception."""
    if isinstance(symbol, ClassSymbol):
        return project.domain.is_domain(symbol, policy)
    if policy.exceptions.root:
        return matches(symbol.name, policy.exceptions.root)
    return symbol.name.startswith(_PROTOCOL_PACKAGES) and symbol.name.rpartition(".")[2] in PROTOCOL_EXCEPTIONS


def is_protocol(symbol: ExternalSymbol) -> bool:
    """Whether a foreign exception is one of the MCP libraries, which know how to answer it."""
    return name_of(symbol) in PROTOCOL_EXCEPTIONS or symbol.name.startswith(_PROTOCOL_PACKAGES)


def names_class(project: Project, thrown: Thrown, types: tuple[str, ...]) -> bool:
    """Whether an ``except`` clause names the very class of a raise."""
    resolved = (project.names.resolve(thrown.path, name, thrown.function.name) for name in types)
    return any(symbol == thrown.symbol for symbol in resolved)


def tries_around(function: Function, places: Iterable[Span]) -> Iterator[Try]:
    """Yield the ``try`` statements of a function at some places, in their order."""
    known = {item.span: item for item in function.tries}
    return (known[place] for place in places if place in known)


def outcome(project: Project, thrown: Thrown) -> Outcome:
    """Return what becomes of a raise in its function."""
    around = tries_around(thrown.function, thrown.found.tries)
    return outcome_in(project, thrown.path, thrown.function, around, thrown.symbol)


def outcome_at(project: Project, path: str, function: Function, use: Use, symbol: Exceptional) -> Outcome:
    """Return what becomes of an exception that the use of another function raises."""
    tries = [item for item in function.tries if _may_guard(item, use.span)]
    return outcome_in(project, path, function, sorted(tries, key=lambda item: item.span, reverse=True), symbol)


def _may_guard(around: Try, place: Span) -> bool:
    """Whether a place stands in the body of a ``try``, which ends where its first clause begins, or perhaps does."""
    clauses = [catch.span for catch in around.catches if catch.span != around.span]
    return around.span < place and (not clauses or place < clauses[0])


def outcome_in(project: Project, path: str, function: Function, tries: Iterable[Try], symbol: Exceptional) -> Outcome:
    """Return what becomes of an exception in some ``try`` statements of a function, innermost first."""
    for around in tries:
        for catch in around.catches:
            caught = project.hierarchy.catches(path, function.name, catch.types, symbol)
            if caught is None:
                return Outcome(Fate.UNKNOWN, around, catch)
            if caught and catch.exits == ("again",):
                break
            if caught:
                return Outcome(_ends(catch), around, catch)
        if {"again", "raise"} & {*around.finally_exits}:
            return Outcome(Fate.UNKNOWN, around)
        if around.finally_exits:
            return Outcome(Fate.CAUGHT, around)
    return Outcome(Fate.ESCAPES)


def passing(project: Project, thrown: Thrown) -> Iterator[Catch]:
    """Yield the clauses of its function that raise an exception again which leaves it."""
    for around in tries_around(thrown.function, thrown.found.tries):
        for catch in around.catches:
            if project.hierarchy.catches(thrown.path, thrown.function.name, catch.types, thrown.symbol):
                yield catch
                break


def raised_again(project: Project, path: str, function: Function) -> Iterator[tuple[Raise, Catch]]:
    """Yield the bare raises by which caught exceptions certainly leave a function, with the clauses they stand in."""
    for found in function.reraises:
        clause = _clause(function, found)
        if clause is not None and {name.rpartition(".")[2] for name in clause.types} & _OTHER_ENDS:
            continue
        around = tries_around(function, found.tries)
        if clause is not None and not any(item.catches or item.finally_exits for item in around):
            yield found, clause


def raised_instead(function: Function, catch: Catch) -> list[Raise]:
    """Return the raises of something that stand in a clause."""
    return [found for found in function.raises if _clause(function, found) == catch]


def _clause(function: Function, found: Raise) -> Catch | None:
    """Return the innermost clause around a raise."""
    clauses = (catch for around in function.tries for catch in around.catches if catch.span < found.span)
    own = [catch for catch in clauses if found.handlers[:1] == (Handler(catch.types, catch.name),)]
    return max(own, key=lambda catch: catch.span, default=None)


def _ends(catch: Catch) -> Fate:
    if catch.exits == ("raise",):
        return Fate.REPLACED
    return Fate.CAUGHT if {"again", "raise"}.isdisjoint(catch.exits) else Fate.UNKNOWN


def is_exempt(project: Project, path: str, function: Function) -> bool:
    """Whether a function answers its errors although others raise theirs."""
    exempt = project.policy(path).exceptions.exempt
    return bool(exempt) and matches(project.names.absolute(FunctionSymbol(path, function)), exempt)


def must_answer(project: Project, path: str, function: Function) -> bool:
    """Whether nothing may leave a function: it is exempt from raising, or an adapter where errors are returned."""
    if is_exempt(project, path, function):
        return True
    if project.policy(path).style is not Style.RETURN or not project.adapters.is_adapter(path, function):
        return False
    if project.sites.is_excluded(path, function) or project.boundaries.is_covered(path, function):
        return False
    return not answers_within(project, path, function)


def answers_within(project: Project, path: str, function: Function) -> bool:
    """Whether a decorator may answer the exceptions of a function; one above what makes an adapter of it sees none."""
    made = max(project.adapters.registering(path, function), default=-1)
    return any(name.rpartition(".")[2] not in BY_NAME for name in function.decorators[made + 1 :])


def answers_for_exempt(project: Project, path: str, function: Function) -> bool:
    """Whether what a function returns is the answer of an exempt one, perhaps by way of others."""
    if not any(policy.exceptions.exempt for policy in project.settings.policies()):
        return False

    def returning(where: str, current: Function) -> Iterator[tuple[str, Function]]:
        for caller in project.callers.must(where, current):
            around = project.callers.around(caller)
            if around is not None and caller.use.how == "returned":
                yield caller.path, around

    return any(is_exempt(project, *each) for each in upwards(path, function, returning, MAX_HANDED))


class Arrival(NamedTuple):
    """An exception that leaves a function which calls the raising one, and the place of that call."""

    path: str
    function: Function
    place: Span
    thrown: Thrown


def arriving(project: Project) -> dict[str, dict[tuple[str, Span], Arrival]]:
    """Return what certainly leaves the functions of each file that :func:`must_answer`, and is raised in others.

    That is one exception for each call. Those that are raised again on the way are followed, those that may be caught
    are not.
    """
    found: dict[str, dict[tuple[str, Span], Arrival]] = {}
    policies = list(project.settings.policies())
    if not any(policy.exceptions.exempt or policy.style is Style.RETURN for policy in policies):
        return found
    for path in project.modules:
        for thrown in every_raise(project, path):
            if thrown.is_failure and outcome(project, thrown).fate is Fate.ESCAPES:
                for arrival in _arrivals(project, thrown):
                    key = arrival.function.name, arrival.place
                    found.setdefault(arrival.path, {}).setdefault(key, arrival)
    return found


def _is_raised_again(project: Project, path: str, around: Function, use: Use, symbol: Exceptional) -> bool:
    """Whether a bare raise in a function lets out what it calls another one for."""
    clauses = {catch.span for _, catch in raised_again(project, path, around)}
    guards = [item for item in around.tries if clauses and _may_guard(item, use.span)]
    return any(
        catch.span in clauses and project.hierarchy.catches(path, around.name, catch.types, symbol)
        for item in guards
        for catch in item.catches
    )


def _arrivals(project: Project, thrown: Thrown) -> Iterator[Arrival]:
    pending, seen = [(thrown.path, thrown.function)], {(thrown.path, thrown.function.name)}
    while pending:
        path, function = pending.pop()
        if must_answer(project, path, function):
            continue  # that is where it is reported
        for caller in project.callers.must(path, function):
            around = project.callers.around(caller)
            if around is None or caller.use.how == "passed":
                continue
            if project.names.resolve(caller.path, caller.use.callee, caller.function) is None:
                continue  # a method of that name: `resolve` is that of a path, too
            call = CallAround(caller.path, around, caller.use, function)
            if outcome_at(project, caller.path, around, caller.use, thrown.symbol).fate is not Fate.ESCAPES:
                continue
            if _may_stop(project, call, thrown.symbol):
                continue
            is_meant = is_exempt(project, caller.path, around) or (
                must_answer(project, caller.path, around)
                and is_domain(project, thrown.symbol, project.policy(caller.path))
            )
            if is_meant and not _is_raised_again(project, caller.path, around, caller.use, thrown.symbol):
                yield Arrival(caller.path, around, caller.use.span, thrown)
            if (caller.path, around.name) not in seen:
                seen.add((caller.path, around.name))
                pending.append((caller.path, around))


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


def every_raise(project: Project, path: str) -> Iterator[Thrown]:
    """Yield the raises of one file whose class is known, of any exception, and the calls that are there to raise."""
    for function in project.modules[path].functions:
        for found in function.raises:
            symbol = project.domain.raised(path, function.name, found.value)
            if symbol is not None:
                yield Thrown(path, function, found, symbol)
        for called in function.calls:
            name = told_to_raise(project, path, function.name, called.value)
            if name:
                found = Raise(called.span, Opaque(), None, called.handlers, called.tries)
                yield Thrown(path, function, found, ExternalSymbol(name), called.value.name.rpartition(".")[2])


def told(found: Raise) -> tuple[Value, ...]:
    """Return what may be the message of a raise: its first argument, and those that are called so."""
    if type(found.value) is not Call:
        return ()
    given = found.value.arguments
    return (
        *(item.value for item in given[:1] if not item.name),
        *(item.value for item in given if item.name in MESSAGE_KEYS),
    )


def leaves(project: Project, thrown: Thrown) -> str:
    """Return the adapter whose caller gets an exception, "" where something may catch it before, or none is known."""
    adapter = project.reach.adapter_of(thrown.path, thrown.function)
    if not adapter or outcome(project, thrown).fate is not Fate.ESCAPES or _is_caught_outside(project, thrown):
        return ""
    return adapter


def may_be_answered(project: Project, thrown: Thrown) -> bool:
    """Whether a decorator of the raising function, or of one that may call it, may answer or turn its exceptions."""
    return project.above.is_answered(thrown.path, thrown.function)


def is_turned(project: Project, thrown: Thrown) -> bool:
    """Whether the decorator of a boundary around the raising function, or one that may call it, answers a raise."""
    turns = project.boundaries.turns
    return turns(thrown.path, thrown.function, thrown.symbol) or any(
        turns(call.path, call.around, thrown.symbol) for call in project.above.calls(thrown.path, thrown.function)
    )


def _is_caught_outside(project: Project, thrown: Thrown) -> bool:
    """Whether a function around a call of the raising one, or around that, may catch its exceptions."""
    calls = project.above.calls(thrown.path, thrown.function)
    return any(_may_stop(project, call, thrown.symbol) for call in calls)


def _may_stop(project: Project, call: CallAround, symbol: Exceptional) -> bool:
    """Whether a function may catch what it calls another one for.

    What is handed over, or begins to run when it is asked for, may fail at another place than that of the call.
    """
    path, around, use, called = call
    if use.how != "passed" and (use.is_awaited or not called.is_async) and not called.is_generator:
        return outcome_at(project, path, around, use, symbol).fate is not Fate.ESCAPES
    clauses = (catch for item in around.tries for catch in item.catches)
    return any(
        catch.exits != ("again",) and project.hierarchy.catches(path, around.name, catch.types, symbol) is not False
        for catch in clauses
    )
