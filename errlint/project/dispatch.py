"""Functions that are looked up by a name which only the run knows: in tables of functions, and by ``getattr``."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from errlint.error_keywords import DISPATCHING_PREFIX, DISPATCHING_TABLE, TOOLS_TABLE
from errlint.facts import SUBSCRIPT, Call, Function, Mapping, Ref, Text, Use, Value, inner_values, names_in, only
from errlint.lazy import cached_property
from errlint.project.arguments import own_parameters
from errlint.project.callers import uses_of
from errlint.project.names import ClassSymbol, FunctionSymbol, ModuleSymbol, ValueSymbol
from errlint.settings.policy import bare_name

if TYPE_CHECKING:
    from errlint.project import Project

Place = tuple[str, str]
"""A function: its file and qualified name."""


class Table(NamedTuple):
    """A table: of a distribution by its name, or in an attribute of a class, whose file and name ``place`` then are."""

    place: tuple[str, str]
    name: str


class LookUp(NamedTuple):
    """A look-up by ``getattr``: the names that it may be of, and the function that does it."""

    names: re.Pattern[str]
    path: str
    function: Function


class Dispatch:
    """Answers which functions of one project are looked up, and by whom."""

    def __init__(self, project: Project) -> None:
        self._project = project
        self._names = project.names
        self._layout = project.layout
        self._modules = project.modules

    def by(self, path: str, function: Function) -> Iterator[tuple[str, Function]]:
        """Yield the functions that look a function up, and answer what it does as far as can be seen."""
        for table in self._tables_of.get((path, function.name), ()):
            yield from self._looking.get(table, ())
        yield from self._on_the_spot.get((path, function.name), ())
        yield from ((each.path, each.function) for each in self._look_ups_of(path, function))

    def is_looked_up(self, path: str, function: Function) -> bool:
        """Whether a function may be what ``getattr`` finds in a module or an object, under a name worked out there."""
        return any(True for _ in self._look_ups_of(path, function))

    def _look_ups_of(self, path: str, function: Function) -> Iterator[LookUp]:
        owner = self._names.enclosing_class(path, function.name) if function.owner else None
        holder = owner.definition.name if owner is not None else ""
        short = bare_name(function.name)
        return (each for each in self._look_ups.get((path, holder), ()) if each.names.fullmatch(short))

    @cached_property
    def tools(self) -> dict[str, set[Place]]:
        """The functions that constants like ``TOOLS`` list, by distribution: servers load them by that name."""
        found: dict[str, set[Place]] = {}
        for table, parts in self._tables.items():
            if TOOLS_TABLE.fullmatch(table.name) and not table.place[1]:
                found.setdefault(self._distribution(table), set()).update(parts)
        return found

    @cached_property
    def commands(self) -> dict[str, set[Place]]:
        """The functions that are looked up as what clients ask for, to judge by what holds them, by distribution."""
        found: dict[str, set[Place]] = {}
        for table, parts in self._tables.items():
            if table in self._looking:
                found.setdefault(self._distribution(table), set()).update(parts)
        for (path, holder), looks in self._look_ups.items():
            named = [each.names for each in looks if DISPATCHING_PREFIX.match(each.names.pattern)]
            for function in self._modules[path].functions if named else ():
                outer, _, short = function.name.rpartition(".")
                if outer == holder and any(each.fullmatch(short) for each in named):
                    found.setdefault(self._layout.distribution(path), set()).add((path, function.name))
        return found

    def _distribution(self, table: Table) -> str:
        return self._layout.distribution(table.place[0]) if table.place[1] else table.place[0]

    @cached_property
    def _tables(self) -> dict[Table, set[Place]]:
        """The tables whose names say that what clients ask for is in them, each with the functions in it."""
        found: dict[Table, set[Place]] = {}
        for path, module in self._modules.items():
            for assigned in module.assigned:
                is_dispatching = DISPATCHING_TABLE.fullmatch(assigned.name) and _by_name(assigned.value)
                if is_dispatching or TOOLS_TABLE.fullmatch(assigned.name):
                    table = Table((self._layout.distribution(path), ""), assigned.name)
                    found.setdefault(table, set()).update(self._functions_in(path, "", assigned.value))
            for function in module.functions:
                for entry in function.stores:
                    if entry.key and DISPATCHING_TABLE.fullmatch(entry.key) and _by_name(entry.value):
                        table = Table((path, function.owner), entry.key)
                        found.setdefault(table, set()).update(self._functions_in(path, function.name, entry.value))
        return {table: parts for table, parts in found.items() if parts}

    def _functions_in(self, path: str, scope: str, value: Value) -> Iterator[Place]:
        for name in names_in(value):
            symbol = self._project.objects.called(path, name, scope)
            if isinstance(symbol, FunctionSymbol):
                yield symbol.path, symbol.function.name

    @cached_property
    def _tables_of(self) -> dict[Place, list[Table]]:
        """The tables that each function is in."""
        found: dict[Place, list[Table]] = {}
        for table, parts in self._tables.items():
            for part in parts:
                found.setdefault(part, []).append(table)
        return found

    @cached_property
    def _looking(self) -> dict[Table, list[tuple[str, Function]]]:
        """The functions that look something up in each table."""
        found: dict[Table, list[tuple[str, Function]]] = {}
        names = {table.name for table in self._tables}
        for path, module in self._modules.items() if names else ():
            for function in module.functions:
                for use in function.uses:
                    name = _looked_into(use)
                    if bare_name(name) not in names:
                        continue
                    for table in self._meant(path, function, name):
                        if (path, function) not in found.setdefault(table, []):
                            found[table].append((path, function))
        for table, taker in self._passed:
            if not isinstance(taker, FunctionSymbol):
                continue
            own = {item.name for item in own_parameters(taker.function)}
            known = found.setdefault(table, [])
            if not own.isdisjoint(_all_looked_into(taker.function)) and (taker.path, taker.function) not in known:
                known.append((taker.path, taker.function))
        for table, owner, attribute in self._kept():
            for each in self._family(owner):
                methods = (item for item in self._modules[each.path].functions if item.owner == each.definition.name)
                looking = ((each.path, item) for item in methods if f"self.{attribute}" in map(_looked_into, item.uses))
                known = found.setdefault(table, [])
                known.extend(pair for pair in looking if pair not in known)
        return {table: each for table, each in found.items() if each}

    def _kept(self) -> Iterator[tuple[Table, ClassSymbol, str]]:
        """Yield the tables that objects are made with, each with the class and the attributes that may keep it."""
        for table, owner in self._passed:
            if not isinstance(owner, ClassSymbol):
                continue
            constructor = self._names.own_method(owner, "__init__")
            given = {item.name for item in own_parameters(constructor)} if constructor is not None else set()
            for entry in constructor.stores if constructor is not None else ():
                value = only(entry.value)
                if entry.key and type(value) is Ref and value.name in given:
                    yield table, owner, entry.key

    @cached_property
    def _passed(self) -> list[tuple[Table, ClassSymbol | FunctionSymbol]]:
        """The tables that something is called with, each with what that is."""
        found: list[tuple[Table, ClassSymbol | FunctionSymbol]] = []
        names = {table.name for table in self._tables if not table.place[1]}
        for path, module in self._modules.items() if names else ():
            for scope, use in uses_of(module):
                if use.how != "passed" or not use.receiver or self._names.original(path, use.callee) not in names:
                    continue
                held = self._names.resolve(path, use.callee, scope)
                taker = self._names.resolve(path, use.receiver, scope)
                if isinstance(held, ValueSymbol) and isinstance(taker, (ClassSymbol, FunctionSymbol)):
                    table = Table((self._layout.distribution(held.path), ""), held.name)
                    if table in self._tables:
                        found.append((table, taker))
        return found

    def _meant(self, path: str, function: Function, name: str) -> Iterator[Table]:
        """Yield the table that a name stands for in a function, where it is one."""
        owner = self._names.enclosing_class(path, function.name)
        if name.partition(".")[0] in ("self", "cls") and owner is not None:
            made = (Table((each.path, each.definition.name), bare_name(name)) for each in self._family(owner))
            yield from (table for table in made if table in self._tables)
        table = Table((self._layout.distribution(path), ""), bare_name(name))
        if table in self._tables:
            yield table

    def _family(self, owner: ClassSymbol) -> list[ClassSymbol]:
        """Return a class with those above and below it: one may fill in the table in which another looks."""
        return [*self._project.hierarchy.bases(owner), *self._project.hierarchy.below(owner)]

    @cached_property
    def _on_the_spot(self) -> dict[Place, list[tuple[str, Function]]]:
        """The functions of tables that a function writes, out of which it answers what one of them does."""
        found: dict[Place, list[tuple[str, Function]]] = {}
        for path, function, calls in self._answering:
            for call in calls:
                if call.name in (SUBSCRIPT, ".get") and call.inner is not None:
                    for part in self._functions_in(path, function.name, call.inner):
                        found.setdefault(part, []).append((path, function))
        return found

    @cached_property
    def _look_ups(self) -> dict[tuple[str, str], list[LookUp]]:
        """What is looked up by ``getattr``: in modules, and with a class in ``self``."""
        found: dict[tuple[str, str], list[LookUp]] = {}
        for path, function, calls in self._answering:
            for call in (*(called.value for called in function.calls), *calls):
                given = call.arguments
                if call.name != "getattr" or len(given) < 2 or type(given[0].value) is not Ref:
                    continue
                name = given[0].value.name
                look = LookUp(_pattern(given[1].value), path, function)
                owner = self._names.enclosing_class(path, function.name)
                if name in ("self", "cls") and owner is not None:
                    for base in self._project.hierarchy.bases(owner):
                        found.setdefault((base.path, base.definition.name), []).append(look)
                    continue
                symbol = self._names.resolve(path, name, function.name)
                if isinstance(symbol, ModuleSymbol):
                    found.setdefault((symbol.path, ""), []).append(look)
        return found

    @cached_property
    def _answering(self) -> list[tuple[str, Function, tuple[Call, ...]]]:
        """All functions, each with the calls whose answers it calls for what it returns."""
        return [
            (path, function, tuple(call for item in function.returns for call in _answers_called(item.value)))
            for path, module in self._modules.items()
            for function in module.functions
        ]


def _by_name(value: Value) -> bool:
    """Whether a value is a dict with a text for each of several keys."""
    value = only(value)
    return type(value) is Mapping and len(value.entries) > 1 and all(entry.key is not None for entry in value.entries)


def _looked_into(use: Use) -> str:
    """Return the name of what a use takes something out of by a name which only the run knows, "" for none."""
    holder, _, method = use.callee.rpartition(".")
    if use.how == "passed":
        return use.callee if not use.receiver else ""
    return holder if method == "get" else ""


def _all_looked_into(function: Function) -> Iterator[str]:
    """Yield the names of what a function takes something out of; an item of a parameter is no use of one."""
    yield from map(_looked_into, function.uses)
    for item in function.returns:
        for call in _answers_called(item.value):
            if call.name == SUBSCRIPT and type(call.inner) is Ref:
                yield call.inner.name


def _answers_called(value: Value) -> Iterator[Call]:
    """Yield the calls in a value whose answers are called in turn: ``table.get(name)`` of ``table.get(name)(x)``."""
    value = only(value)
    if type(value) is Call:
        if not value.name and type(value.inner) is Call:
            yield value.inner
        for inner in inner_values(value):
            yield from _answers_called(inner)


def _pattern(value: Value) -> re.Pattern[str]:
    """Return a pattern of the names that a value may be."""
    value = only(value)
    parts = value.parts if type(value) is Text else (value,)
    return re.compile("".join(re.escape(part) if isinstance(part, str) else r"\w+" for part in parts))
