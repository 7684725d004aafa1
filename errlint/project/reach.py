"""Who can get at a function: which adapters its errors surface through, and whether anybody calls it at all."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import TYPE_CHECKING

from errlint.facts import Function
from errlint.lazy import cached_property
from errlint.project.callers import upwards
from errlint.project.decorators import BY_NAME
from errlint.project.names import FunctionSymbol

if TYPE_CHECKING:
    from errlint.project import Project

MAX_HANDED = 9
"""Through so many functions that answer what they call an adapter is looked for."""

MAX_FUNCTIONS = 500
"""So many callers of callers are followed."""


class Reach:
    """Answers who calls the functions of one project."""

    def __init__(self, project: Project) -> None:
        self._project = project
        self._adapter_of: dict[tuple[str, str], str] = {}
        self._adapters: dict[tuple[str, str], tuple[str, ...]] = {}
        self._through: dict[tuple[str, str], frozenset[str] | None] = {}
        self._above: dict[tuple[str, str], dict[tuple[str, str], Function | None]] = {}

    def adapter_of(self, path: str, function: Function) -> str:
        """Return the name of an adapter whose code the function belongs to ("" for none).

        Adapter code is an adapter, a function an adapter calls, and one whose result such code returns.
        """
        key = (path, function.name)
        if key not in self._adapter_of:
            code = upwards(path, function, self._handing_on, MAX_HANDED)
            is_adapter = self._project.adapters.is_adapter
            self._adapter_of[key] = next((each.name for where, each in code if is_adapter(where, each)), "")
        return self._adapter_of[key]

    def _handing_on(self, path: str, function: Function) -> Iterator[tuple[str, Function]]:
        """Yield the functions whose adapters have a function in their code: those that answer what it does."""
        project = self._project
        outer = project.names.function(path, function.name.rpartition(".")[0])
        found: list[tuple[str, Function]] = []
        for caller in project.callers.answering(path, function):
            around, is_passed = project.callers.around(caller), caller.use.how == "passed"
            if outer is not None and is_passed:
                found.append((path, outer))
            if around is None:
                continue
            if (not is_passed and project.adapters.is_adapter(caller.path, around)) or (
                around.name != function.name and project.callers.returns_result(caller, around)
            ):
                found.append((caller.path, around))
        for where, each in (*found, *project.dispatch.by(path, function)):
            if self._adapter_of.get((where, each.name)) != "":  # no adapter is above that one
                yield where, each

    def adapters(self, path: str, function: Function) -> tuple[str, ...]:
        """Return the names of the adapters that certainly call a function, or call what does, in order."""
        adapters = self._project.adapters
        if self._project.layout.distribution(path) not in adapters.distributions:
            return ()
        key = (path, function.name)
        if key not in self._adapters:
            above = islice(upwards(path, function, self._certainly_above), MAX_FUNCTIONS)
            found = {each.name for where, each in above if adapters.is_adapter(where, each)}
            self._adapters[key] = tuple(sorted(found))
        return self._adapters[key]

    def _certainly_above(self, path: str, function: Function) -> Iterator[tuple[str, Function]]:
        """Yield the functions that one decorates, and those that certainly call it; none of an adapter."""
        if self._project.adapters.is_adapter(path, function):
            return
        yield from self._decorated(path, function)
        for caller in self._project.callers.must(path, function):
            around = self._project.callers.around(caller)
            if around is not None:
                yield caller.path, around

    def may_surface_through(self, path: str, function: Function) -> frozenset[str] | None:
        """Return the names of the adapters that may call a function, or call what may; ``None`` where anybody may."""
        key = (path, function.name)
        if key not in self._through:
            self._through[key] = self._find_callers(path, function)
        return self._through[key]

    def _find_callers(self, path: str, function: Function) -> frozenset[str] | None:
        found: set[str] = set()
        for count, (where, current) in enumerate(upwards(path, function, self._possibly_above)):
            if self._project.adapters.is_adapter(where, current):
                found.add(current.name)
            elif self._is_root(where, current):
                return None
            if count == MAX_FUNCTIONS or None in self._directly_above(where, current).values():
                return None
        return frozenset(found)

    def is_reachable(self, path: str, function: Function) -> bool:
        """Whether somebody may call a function: an adapter, a framework, the module itself, or users of a library.

        What is public in a package without adapters is called by others. In one with adapters it is not: there a
        function that nobody calls, or that only such functions call, is dead.
        """
        return self.may_surface_through(path, function) != frozenset()

    def _possibly_above(self, path: str, function: Function) -> Iterator[tuple[str, Function]]:
        found = self._directly_above(path, function)
        return ((where, each) for (where, _), each in found.items() if each is not None)

    def _directly_above(self, path: str, function: Function) -> dict[tuple[str, str], Function | None]:
        """Return what may call a function, what it decorates, and the function around it; ``None`` for a module."""
        key = (path, function.name)
        if key not in self._above:
            found: dict[tuple[str, str], Function | None] = {}
            for caller in self._project.callers.users(path, function):
                around = self._project.callers.around(caller)
                found.setdefault((caller.path, around.name if around is not None else ""), around)
            for place, item in self._decorated(path, function):
                found.setdefault((place, item.name), item)
            outer = self._project.names.function(path, function.name.rpartition(".")[0])
            if outer is not None:  # what stands inside a function may be handed out by it
                found.setdefault((path, outer.name), outer)
            self._above[key] = found
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
        """Whether a function, no adapter, is called by what is not in the project, or by what has no name there."""
        if any(name.rpartition(".")[2] not in BY_NAME for name in function.decorators):
            return True
        short = function.name.rpartition(".")[2]
        if _is_special(short):
            return True
        if self._overrides(path, function, short) or self._project.dispatch.is_looked_up(path, function):
            return True
        if self._package(path) in self._served:
            return short == "main" and not function.owner
        return not any(part.startswith("_") for part in function.name.split("."))

    @cached_property
    def _served(self) -> frozenset[tuple[str, str]]:
        """The topmost packages that have adapters; those of examples say nothing of the package beside them."""
        project = self._project
        return frozenset(
            self._package(path)
            for path, module in project.modules.items()
            if any(project.adapters.is_adapter(path, function) for function in module.functions)
        )

    def _package(self, path: str) -> tuple[str, str]:
        layout = self._project.layout
        return layout.distribution(path), layout.module_name(path).partition(".")[0]

    def _overrides(self, path: str, function: Function, short: str) -> bool:
        """Whether a method may override one of a class that is not of the project, which then calls it.

        Also by way of a class below its own that has such a class beside it.
        """
        hierarchy = self._project.hierarchy
        owner = self._project.names.enclosing_class(path, function.name) if function.owner else None
        return owner is not None and any(map(hierarchy.active_bases, hierarchy.below(owner)))


def _is_special(name: str) -> bool:
    """Whether a method is one that Python calls."""
    return name.startswith("__") and name.endswith("__")
