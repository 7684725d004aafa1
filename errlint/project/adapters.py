"""Adapters: the functions that clients get to, and what makes an adapter of a function."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from errlint.error_keywords import TOOL_ENDING, describes_tool
from errlint.facts import ANSWERED, Call, Function, Ref, Value, handed_to, names_in
from errlint.lazy import cached_property
from errlint.patterns import Patterns, fits
from errlint.project.callers import Caller, uses_of
from errlint.project.domain import matches
from errlint.project.frameworks import (
    ADAPTER_DECORATORS,
    ADAPTER_METHODS,
    HTTP_DECORATORS,
    PROMPTS,
    REGISTRATIONS,
    RESOURCES,
    RUNNING,
    RUNNING_TOOL,
    RUNS_ALL_TOOLS,
    TOOL_CLASS,
    TOOL_RUNNER,
)
from errlint.project.names import ClassSymbol, FunctionSymbol, Symbol, ValueSymbol
from errlint.settings.policy import bare_name

if TYPE_CHECKING:
    from errlint.project import Project

_OF_CLIENTS = frozenset({RUNS_ALL_TOOLS, *PROMPTS, *RESOURCES})
"""Last parts of what registers functions that clients have calls of, too: what those are handed may be anything."""

_TABLES = 3
"""Through how many tables a registered function is followed, each a part of another one or handed to a call."""


class Adapters:
    """Answers which functions of one project are adapters."""

    def __init__(self, project: Project) -> None:
        self._project = project
        self._names = project.names
        self._layout = project.layout
        self._modules = project.modules
        self._settings = project.settings.adapters
        self._adapters: dict[tuple[str, str], bool] = {}
        self._paths = Patterns(self._settings.paths)

    def is_adapter(self, path: str, function: Function) -> bool:
        """Whether a function is an entry point: decorated, registered, a method of a tool class, or so configured."""
        key = (path, function.name)
        found = self._adapters.get(key)
        if found is None:
            self._adapters[key] = False  # while it is being decided
            found = self._adapters[key] = self._is_entry(path, function) or self.is_registered(path, function)
        return found

    def _is_entry(self, path: str, function: Function) -> bool:
        """Whether a function is an adapter by itself: decorated, a method of a tool class, or configured."""
        if self.registering(path, function):
            return True
        short = function.name.rpartition(".")[2]
        if function.owner and (self.tool_base(path, function) or _runs_tools(function)):
            return True
        return (
            not function.owner and "." not in function.name and not short.startswith("_") and self._paths.matches(path)
        )

    def is_registered(self, path: str, function: Function) -> bool:
        """Whether a function is handed to something that makes an adapter of it."""
        return (path, function.name) in self._registered

    def registers(self, path: str, decorator: str, scope: str = "") -> bool:
        """Whether a decorator, by its name as written in a function of a file, makes an adapter."""
        last = decorator.rpartition(".")[2]
        return (
            last in ADAPTER_DECORATORS
            or last.endswith(TOOL_ENDING)
            or self._is_listed(self._settings.decorators, path, decorator, scope)
        )

    def registering(self, path: str, function: Function) -> list[int]:
        """Return the places, from 0, of the decorators of a function that make an adapter of it."""
        scope = function.name.rpartition(".")[0]
        return [
            index
            for index, name in enumerate(function.decorators)
            if self.registers(path, name, scope)
            or (function.decorations and _makes_tool(name, function.decorations[index]))
        ]

    def _is_listed(self, patterns: tuple[str, ...], path: str, name: str, scope: str) -> bool:
        """Whether a name is among dotted ones of the settings: as it is written, or as what it means there."""
        if any(fits(name, pattern) or name == pattern.removeprefix("*.") for pattern in patterns):
            return True
        dotted = tuple(pattern for pattern in patterns if "." in pattern.removeprefix("*."))
        return bool(dotted) and matches(self._names.absolute(self._names.resolve(path, name, scope)), dotted)

    def tool_base(self, path: str, function: Function) -> str:
        """Return the base class, by the last part of its name, that makes a tool of a method, "" for none."""
        short = function.name.rpartition(".")[2]
        configured = [base for base, methods in self._settings.methods.items() if short in methods]
        runs = RUNNING.fullmatch(short) if function.returns else None
        if short not in ADAPTER_METHODS and not runs and not configured:
            return ""
        owner = self._names.enclosing_class(path, function.name)
        if owner is None:
            return ""
        bases = [base.rpartition(".")[2] for base in self._project.hierarchy.base_names(owner)]
        named = {name.rpartition(".")[2] for name in configured}
        found = [base for base in bases if base in named]
        found += [base for base in bases if short in ADAPTER_METHODS and TOOL_CLASS.search(base)]
        if not found and runs and runs["what"] in (None, "async"):
            found += [base for base in self._project.hierarchy.active_bases(owner) if TOOL_CLASS.search(base)]
        if found or not runs:
            return found[0] if found else ""
        return self._own_tool_base(owner, short)

    def _own_tool_base(self, owner: ClassSymbol, short: str) -> str:
        """Return the project's own base class of tools that leaves a method to others, or that the method is of."""
        own = owner.definition.name
        if short in ADAPTER_METHODS and TOOL_CLASS.search(own) and self._project.hierarchy.heirs(owner):
            return own
        for base in self._project.hierarchy.bases(owner):
            name = base.definition.name
            method = self._names.function(base.path, f"{name}.{short}")
            is_left = method is not None and (
                "abstractmethod" in map(bare_name, method.decorators) or _only_raises(method)
            )
            if is_left and base != owner and TOOL_CLASS.search(name):
                return name
        return ""

    def is_registration(self, path: str, receiver: str, scope: str = "") -> bool:
        """Whether what a function is handed to, by its name as written there, makes an adapter of it."""
        return bool(receiver) and (
            receiver.rpartition(".")[2] in REGISTRATIONS
            or self._is_listed(self._settings.registrations, path, receiver, scope)
        )

    def takes(self, path: str, name: str) -> bool:
        """Whether what a name stands for makes an adapter of a function that it is handed, or that it is put above."""
        return bool(name) and (self.registers(path, name) or self.is_registration(path, name))

    def is_registering(self, caller: Caller) -> bool:
        """Whether a use hands a function to what makes an adapter of it, or keeps it for a loop that does."""
        return any(True for _ in self.registrations(caller))

    def registrations(self, caller: Caller) -> Iterator[Caller]:
        """Yield where a function is registered that a use hands over: there, in what that calls, or in a loop."""
        receiver = caller.use.receiver
        if caller.use.how != "passed":
            return
        if self.is_registration(caller.path, receiver, caller.function):
            yield caller
        elif _is_kept(receiver) and self._listed.get((caller.path, caller.function)):
            distribution, short = self._layout.distribution(caller.path), caller.function.rpartition(".")[2]
            yield from self._loops.get((distribution, short), ())
        elif receiver:
            symbol = self._names.resolve(caller.path, receiver, caller.function)
            if symbol is None and "." in receiver:
                methods = [item for item in self._names.named(receiver.rpartition(".")[2]) if item.function.owner]
                symbol = methods[0] if len(methods) == 1 else None
            if isinstance(symbol, FunctionSymbol):
                yield from self._registrars.get((symbol.path, symbol.function.name), ())

    @cached_property
    def _registrars(self) -> dict[tuple[str, str], list[Caller]]:
        """The functions that hand a parameter of theirs to what registers it, each with the uses of those."""
        found: dict[tuple[str, str], list[Caller]] = {}
        for path, module in self._modules.items():
            for function in module.functions:
                own = {item.name for item in function.parameters}
                for use in function.uses:
                    if use.callee in own and self.is_registration(path, use.receiver, function.name):
                        found.setdefault((path, function.name), []).append(Caller(path, function.name, use))
        return found

    @cached_property
    def _loops(self) -> dict[tuple[str, str], list[Caller]]:
        """The uses by which loops register all parts of an answer, by the distribution and the name of what answers."""
        found: dict[tuple[str, str], list[Caller]] = {}
        for path, module in self._modules.items():
            for scope, use in uses_of(module):
                if use.callee.endswith(ANSWERED) and self.is_registration(path, use.receiver, scope):
                    name = use.callee.removesuffix(ANSWERED).rpartition(".")[2]
                    found.setdefault((self._layout.distribution(path), name), []).append(Caller(path, scope, use))
        return found

    @cached_property
    def _listed(self) -> dict[tuple[str, str], list[tuple[str, str]]]:
        """The functions of whose answers a loop registers all parts, each with what those are."""
        found: dict[tuple[str, str], list[tuple[str, str]]] = {}
        for distribution, short in self._loops:
            for path, function in self._names.named(short):
                if self._layout.distribution(path) != distribution:
                    continue
                parts = found.setdefault((path, function.name), [])
                answered = [each for item in function.returns for each in names_in(item.value)]
                # A list that grows is no value any more: what it may have is all that the function keeps somewhere.
                kept = [use.callee for use in function.uses if use.how == "passed" and _is_kept(use.receiver)]
                for name in dict.fromkeys((*answered, *kept)):
                    symbol = self._names.resolve(path, name, function.name)
                    if isinstance(symbol, FunctionSymbol):
                        parts.append((symbol.path, symbol.function.name))
        return found

    @cached_property
    def _registered(self) -> frozenset[tuple[str, str]]:
        registered: set[tuple[str, str]] = {part for parts in self._listed.values() for part in parts}
        loading: set[str] = set()  # the distributions that register what cannot be seen there
        for path, module in self._modules.items():
            for scope, use in uses_of(module):
                if not use.receiver or not self.is_registering(Caller(path, scope, use)):
                    continue
                symbols = [self._names.resolve(path, use.callee, scope)]
                if symbols == [None] and bare_name(use.receiver) not in _OF_CLIENTS:
                    loading.add(self._layout.distribution(path))
                for _ in range(_TABLES):
                    found = [inner for each in symbols for inner in self._held_by(each)]
                    registered.update((each.path, each.function.name) for each in found if type(each) is FunctionSymbol)
                    symbols = [each for each in found if type(each) is ValueSymbol]
        for distribution, parts in self._project.dispatch.tools.items():
            if distribution in loading:
                registered.update(parts)
        return frozenset(registered | self._dispatched(registered))

    def _dispatched(self, registered: set[tuple[str, str]]) -> set[tuple[str, str]]:
        """Return the functions that are looked up as what clients ask for, where nothing else says what they call."""
        found = self._project.dispatch.commands
        served = {self._layout.distribution(path) for path, _ in registered}
        for path, module in self._modules.items() if found else ():
            distribution = self._layout.distribution(path)
            if distribution not in served and any(self._is_entry(path, function) for function in module.functions):
                served.add(distribution)
        return {part for distribution, parts in found.items() if distribution not in served for part in parts}

    def _held_by(self, symbol: Symbol | None) -> list[Symbol | None]:
        """Return what a table has, of which a loop registers all, or what a call that made a value was handed."""
        if not isinstance(symbol, ValueSymbol):
            return [symbol]
        return [self._names.resolve(symbol.path, name) for name in (*names_in(symbol.value), *handed_to(symbol.value))]

    @cached_property
    def distributions(self) -> frozenset[str]:
        """The distributions that have at least one adapter."""
        found: set[str] = set()
        for path, module in self._modules.items():
            distribution = self._layout.distribution(path)
            if distribution not in found and any(self.is_adapter(path, function) for function in module.functions):
                found.add(distribution)
        return frozenset(found)

    @cached_property
    def files(self) -> dict[str, list[str]]:
        """The files of each distribution that has adapters, in order."""
        found: dict[str, list[str]] = {}
        for path in sorted(self._modules):
            distribution = self._layout.distribution(path)
            if distribution in self.distributions:
                found.setdefault(distribution, []).append(path)
        return found


def _runs_tools(function: Function) -> bool:
    """Whether a method runs the tools that a model asks for by name: ``ToolExecutor.execute_tool``."""
    is_runner = TOOL_RUNNER.search(bare_name(function.owner)) is not None
    return is_runner and RUNNING_TOOL.fullmatch(bare_name(function.name)) is not None


def _only_raises(function: Function) -> bool:
    """Whether a method does nothing but to say that the classes below have to have it."""
    last = function.raises[-1].value if function.raises else None
    is_left = (type(last) is Call or type(last) is Ref) and last.name == "NotImplementedError"
    return is_left and not function.returns and not function.ends


def _is_kept(receiver: str) -> bool:
    """Whether a function that is handed over there is put into something, and not given to what may call it."""
    return not receiver or receiver.rpartition(".")[2] in ("append", "extend", "insert")


def _makes_tool(name: str, decoration: Value) -> bool:
    """Whether a decorator that may be of anything makes a tool of a function, by what it is told of it."""
    if type(decoration) is not Call or bare_name(name) in HTTP_DECORATORS:
        return False
    return describes_tool([argument.name for argument in decoration.arguments])
