"""Who can get at a function: which adapters its errors surface through, and whether anybody calls it at all."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from errlint.facts import Function, Ref, Text, Value, only
from errlint.lazy import cached_property
from errlint.project.names import ClassSymbol, ExternalSymbol, FunctionSymbol, ModuleSymbol

if TYPE_CHECKING:
    from errlint.project import Project

MAX_FUNCTIONS = 500
"""So many callers of callers are followed."""

TRANSPARENT = frozenset(
    {"staticmethod", "classmethod", "cache", "lru_cache", "wraps", "retry", "contextmanager", "asynccontextmanager",
     "abstractmethod", "override", "overload", "deprecated", "timed", "traced"}
)  # fmt: skip
"""Decorators of functions that are still called by their names, and by nobody else."""


_PASSIVE = frozenset(
    {"object", "ABC", "Protocol", "Generic", "Enum", "StrEnum", "NamedTuple", "BaseModel", "TypedDict", "str", "int"}
)
"""Bases that call no methods of theirs under names that a project chooses."""


class Reach:
    """Answers who calls the functions of one project."""

    def __init__(self, project: Project) -> None:
        self._project = project
        self._adapters: dict[tuple[str, str], tuple[str, ...]] = {}
        self._reachable: dict[tuple[str, str], bool] = {}
        self._through: dict[tuple[str, str], frozenset[str] | None] = {}
        self._above: dict[tuple[str, str], tuple[tuple[str, Function | None], ...]] = {}

    def _has_adapters(self, path: str) -> bool:
        return self._project.layout.distribution(path) in self._project.adapter_distributions

    def adapters(self, path: str, function: Function) -> tuple[str, ...]:
        """Return the names of the adapters that certainly call a function, or call what does, in order."""
        if not self._has_adapters(path):
            return ()
        key = (path, function.name)
        if key not in self._adapters:
            self._adapters[key] = self._find_adapters(path, function)
        return self._adapters[key]

    def _find_adapters(self, path: str, function: Function) -> tuple[str, ...]:
        project = self._project
        pending, seen = [(path, function)], {(path, function.name)}
        found: set[str] = set()
        while pending and len(seen) <= MAX_FUNCTIONS:
            where, current = pending.pop(0)
            if project.is_adapter(where, current):
                found.add(current.name)
                continue
            callers = project.must_callers(where, current)
            arounds = ((caller.path, project.names.function(caller.path, caller.function)) for caller in callers)
            for place, around in (*self._decorated(where, current), *arounds):
                if around is not None and (place, around.name) not in seen:
                    seen.add((place, around.name))
                    pending.append((place, around))
        return tuple(sorted(found))

    def may_surface_through(self, path: str, function: Function) -> frozenset[str] | None:
        """Return the names of the adapters that may call a function, or call what may; ``None`` where anybody may."""
        key = (path, function.name)
        if key not in self._through:
            self._through[key] = self._find_callers(path, function)
        return self._through[key]

    def _find_callers(self, path: str, function: Function) -> frozenset[str] | None:
        found: set[str] = set()
        for where, current in self._upwards(path, function):
            if current is None:
                return None
            if self._project.is_adapter(where, current):
                found.add(current.name)
            elif self._is_root(where, current):
                return None
        return frozenset(found)

    def is_reachable(self, path: str, function: Function) -> bool:
        """Whether somebody may call a function: an adapter, a framework, the module itself, or users of a library.

        What is public in a package without adapters is called by others. In one with adapters it is not: there a
        function that nobody calls, or that only such functions call, is dead.
        """
        key = (path, function.name)
        if key not in self._reachable:
            self._reachable[key] = self._find_root(path, function)
        return self._reachable[key]

    def _find_root(self, path: str, function: Function) -> bool:
        return any(current is None or self._is_root(where, current) for where, current in self._upwards(path, function))

    def _upwards(self, path: str, function: Function) -> Iterator[tuple[str, Function | None]]:
        """Yield a function, all that may call it, and so on; ``None`` for a caller that is not known.

        That is the module itself, or any at all where there are too many.
        """
        pending, seen = [(path, function)], {(path, function.name)}
        while pending:
            where, current = pending.pop()
            yield where, current
            for place, above in self._directly_above(where, current):
                if above is None:
                    yield place, None
                elif (place, above.name) not in seen:
                    seen.add((place, above.name))
                    pending.append((place, above))
            if len(seen) > MAX_FUNCTIONS:
                yield where, None
                return

    def _directly_above(self, path: str, function: Function) -> tuple[tuple[str, Function | None], ...]:
        """Return what may call a function, what it decorates, and the function around it, each once."""
        key = (path, function.name)
        if key not in self._above:
            named = self._project.names.function
            found: dict[tuple[str, str], tuple[str, Function | None]] = {}
            for caller in self._project.users(path, function):
                around = named(caller.path, caller.function)
                found.setdefault((caller.path, around.name if around is not None else ""), (caller.path, around))
            for place, item in self._decorated(path, function):
                found.setdefault((place, item.name), (place, item))
            outer = named(path, function.name.rpartition(".")[0])
            if outer is not None:  # what stands inside a function may be handed out by it
                found.setdefault((path, outer.name), (path, outer))
            self._above[key] = tuple(found.values())
        return self._above[key]

    def _decorated(self, path: str, function: Function) -> list[tuple[str, Function]]:
        """Return the functions that one decorates, or that a decorator decorates in which it stands."""
        parts = function.name.split(".")
        return [
            decorated
            for count in range(1, len(parts) + 1)
            for decorated in self._decorators.get((path, ".".join(parts[:count])), ())
        ]

    @cached_property
    def _decorators(self) -> dict[tuple[str, str], list[tuple[str, Function]]]:
        """The functions of the project that are decorators, each with the functions they decorate."""
        found: dict[tuple[str, str], list[tuple[str, Function]]] = {}
        for path, module in self._project.modules.items():
            for function in module.functions:
                for name in function.decorators:
                    symbol = self._project.names.resolve(path, name, function.name)
                    if isinstance(symbol, FunctionSymbol):
                        found.setdefault((symbol.path, symbol.function.name), []).append((path, function))
        return found

    def _is_root(self, path: str, function: Function) -> bool:
        """Whether a function is called by what is not in the project, or by what has no name there."""
        project = self._project
        if project.is_adapter(path, function):
            return True
        if any(name.rpartition(".")[2] not in TRANSPARENT for name in function.decorators):
            return True
        short = function.name.rpartition(".")[2]
        if _is_special(short):
            return True
        if self._overrides(path, function, short) or self._is_looked_up(path, function, short):
            return True
        if self._package(path) in self._served:
            return short == "main" and not function.owner
        return not any(part.startswith("_") for part in function.name.split("."))

    def _is_looked_up(self, path: str, function: Function, short: str) -> bool:
        """Whether a function may be what ``getattr`` finds in a module or an object, under a name worked out there."""
        owner = self._project.names.enclosing_class(path, function.name) if function.owner else None
        holder = owner.definition.name if owner is not None else ""
        return any(pattern.fullmatch(short) for pattern in self._lookups.get((path, holder), ()))

    @cached_property
    def _lookups(self) -> dict[tuple[str, str], list[re.Pattern[str]]]:
        """What is looked up by name: in modules, and with a class in ``self``."""
        project = self._project
        found: dict[tuple[str, str], list[re.Pattern[str]]] = {}
        for path, module in project.modules.items():
            for function in module.functions:
                for called in function.calls:
                    given = called.value.arguments
                    if called.value.name != "getattr" or len(given) < 2 or type(given[0].value) is not Ref:
                        continue
                    name = given[0].value.name
                    owner = project.names.enclosing_class(path, function.name)
                    if name in ("self", "cls") and owner is not None:
                        for base in project.domain.bases(owner):
                            found.setdefault((base.path, base.definition.name), []).append(_names(given[1].value))
                        continue
                    symbol = project.names.resolve(path, name, function.name)
                    if isinstance(symbol, ModuleSymbol):
                        found.setdefault((symbol.path, ""), []).append(_names(given[1].value))
        return found

    @cached_property
    def _served(self) -> frozenset[tuple[str, str]]:
        """The topmost packages that have adapters; those of examples say nothing of the package beside them."""
        project = self._project
        return frozenset(
            self._package(path)
            for path, module in project.modules.items()
            if any(project.is_adapter(path, function) for function in module.functions)
        )

    def _package(self, path: str) -> tuple[str, str]:
        layout = self._project.layout
        return layout.distribution(path), layout.module_name(path).partition(".")[0]

    def _overrides(self, path: str, function: Function, short: str) -> bool:
        """Whether a method may override one of a class that is not of the project, which then calls it.

        Also by way of a class below its own that has such a class beside it.
        """
        owner = self._project.names.enclosing_class(path, function.name) if function.owner else None
        pending = [owner] if owner is not None else []
        seen = set(pending)
        while pending:
            current = pending.pop()
            if active_bases(self._project, current):
                return True
            below = self._below.get((current.path, current.definition.name), set())
            pending.extend(below - seen)
            seen |= below
        return False

    @cached_property
    def _below(self) -> dict[tuple[str, str], set[ClassSymbol]]:
        """The classes of the project, each with those that name it as a base."""
        found: dict[tuple[str, str], set[ClassSymbol]] = {}
        for path, module in self._project.modules.items():
            for definition in module.classes:
                for base in definition.bases:
                    symbol = self._project.names.resolve(path, base)
                    if isinstance(symbol, ClassSymbol) and symbol.definition != definition:
                        place = (symbol.path, symbol.definition.name)
                        found.setdefault(place, set()).add(ClassSymbol(path, definition))
        return found


def active_bases(project: Project, owner: ClassSymbol) -> list[str]:
    """Return the bases of a class that are not of the project, and may call its methods, in order."""
    found: set[str] = set()
    for each in project.domain.bases(owner):
        for base in each.definition.bases:
            symbol = project.names.resolve(each.path, base)
            if not isinstance(symbol, ClassSymbol):
                name = symbol.name if isinstance(symbol, ExternalSymbol) else base
                found.add(name.rpartition(".")[2])
    return sorted(found - _PASSIVE)


def _is_special(name: str) -> bool:
    """Whether a method is one that Python calls."""
    return name.startswith("__") and name.endswith("__")


def _names(value: Value) -> re.Pattern[str]:
    """Return a pattern of the names that a value may be."""
    value = only(value)
    parts = value.parts if type(value) is Text else (value,)
    return re.compile("".join(re.escape(part) if isinstance(part, str) else r"\w+" for part in parts))
