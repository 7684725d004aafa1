"""The boundary: which adapters a configured decorator, wrapper or middleware covers, and what its decorator is told.

Everything is asked under the policy of the adapter's file; without a ``[[boundary]]`` there nothing is covered, and the
rules about boundaries say nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, NamedTuple

from errlint.facts import Call, Function, Use, Value, answered, constant_text
from errlint.lazy import cached_property
from errlint.project.arguments import bind, bound_to
from errlint.project.domain import matches
from errlint.project.frameworks import PROMPTS, RESOURCES
from errlint.project.hierarchy import Exceptional
from errlint.project.names import ClassSymbol, FunctionSymbol, ValueSymbol
from errlint.project.raise_outcome import Fate, outcome_in
from errlint.settings import Boundary, Style
from errlint.settings.policy import bare_name

if TYPE_CHECKING:
    from errlint.project import Project

MAX_DELEGATION = 3
"""Through how many functions an adapter may hand on its work to a covered one."""


class Cover(NamedTuple):
    """A boundary decorator of a function: the boundary, its place among the decorators, and what it is called with."""

    boundary: Boundary
    position: int
    value: Value | None


class Covered(NamedTuple):
    """A function with a boundary decorator."""

    path: str
    function: Function
    cover: Cover


def wrappers(parts: Iterable[Function]) -> list[Function]:
    """Return those of the parts of a boundary that stand around what it covers: they take any arguments."""
    return [item for item in parts if any(parameter.kind in ("*", "**") for parameter in item.parameters)]


def never_waits(parts: Iterable[Function]) -> bool:
    """Whether the parts of a boundary return before an async function has run."""
    parts = list(parts)
    return bool(wrappers(parts)) and not any(item.is_async for item in parts)


class Boundaries:
    """Answers questions about the boundaries of one project."""

    def __init__(self, project: Project) -> None:
        self._project = project
        self._covers: dict[tuple[str, str], tuple[Cover, ...]] = {}

    # --- decorators ---------------------------------------------------------------------------------------------

    def covers(self, path: str, function: Function) -> tuple[Cover, ...]:
        """Return the boundary decorators of a function, outermost first."""
        key = (path, function.name)
        found = self._covers.get(key)
        if found is None:
            boundaries = self._project.policy(path).boundaries
            found = self._covers[key] = tuple(self._decorations(path, function)) if boundaries else ()
        return found

    def _decorations(self, path: str, function: Function) -> Iterator[Cover]:
        scope = function.name.rpartition(".")[0]
        for position, name in enumerate(function.decorators):
            boundary = self.meant(path, name, scope)
            if boundary is not None:
                yield Cover(boundary, position, function.decorations[position] if function.decorations else None)

    def parts(self, symbol: FunctionSymbol) -> list[Function]:
        """Return the functions inside the one that makes a boundary."""
        functions = self._project.modules[symbol.path].functions
        return [item for item in functions if item.name.startswith(f"{symbol.function.name}.")]

    def meant(self, path: str, name: str, scope: str = "", depth: int = 0) -> Boundary | None:
        """Return the boundary whose decorator a dotted name stands for; in doubt the last part of the name decides."""
        boundaries = [item for item in self._project.policy(path).boundaries if item.decorator]
        if not boundaries:
            return None
        symbol = self._project.names.resolve(path, name, scope)
        if isinstance(symbol, ValueSymbol) and type(symbol.value) is Call and symbol.value.name and depth < 4:
            return self.meant(symbol.path, symbol.value.name, "", depth + 1)
        absolute = self._project.names.absolute(symbol)
        last = name.rpartition(".")[2]
        for boundary in boundaries:
            if matches(absolute, (boundary.decorator,)) if absolute else bare_name(boundary.decorator) == last:
                return boundary
        return None

    def decorated(self) -> Iterator[Covered]:
        """Yield all functions with a boundary decorator, in order of path and place."""
        for path, module in self._project.modules.items():
            for function in module.functions:
                for cover in self.covers(path, function):
                    yield Covered(path, function, cover)

    def operation(self, covered: Covered) -> str:
        """Return the operation that a boundary decorator is given as a constant text, "" for none."""
        return constant_text(self.argument(covered, covered.cover.boundary.operation)) or ""

    @cached_property
    def by_operation(self) -> dict[tuple[str, str], list[Covered]]:
        """The decorated functions by distribution and operation, each in order of path and place."""
        return self._decorated_by(self.operation)

    @cached_property
    def by_name(self) -> dict[tuple[str, str], list[Covered]]:
        """The decorated functions by distribution and last name, each in order of path and place."""
        return self._decorated_by(lambda covered: bare_name(covered.function.name))

    def _decorated_by(self, key: Callable[[Covered], str]) -> dict[tuple[str, str], list[Covered]]:
        found: dict[tuple[str, str], list[Covered]] = {}
        for item in self.decorated():
            found.setdefault((self._project.layout.distribution(item.path), key(item)), []).append(item)
        return found

    def turns(self, path: str, function: Function, symbol: Exceptional) -> bool:
        """Whether a decorator around a function certainly turns exceptions of a class into answers.

        One that is not of the project may let some through to the framework, and one may raise them again.
        """
        if not self.is_wrapped(path, function):
            return False
        around = [cover.boundary for cover in self.covers(path, function)] or self._project.policy(path).boundaries
        return any(
            self._catches(FunctionSymbol(other, item), function, symbol)
            for boundary in around
            for other, item in self._project.names.named(bare_name(boundary.decorator))
            if boundary.decorator
            and matches(self._project.names.absolute(FunctionSymbol(other, item)), (boundary.decorator,))
        )

    def _catches(self, decorator: FunctionSymbol, function: Function, symbol: Exceptional) -> bool:
        """Whether every wrapper of a decorator for such a function has a clause for a class that ends it there.

        Async functions may have a wrapper of their own. What takes any arguments and has no ``try`` may be a helper.
        """
        every = wrappers(self.parts(decorator))
        meant = [item for item in every if item.is_async is function.is_async] or every
        around = [item for item in meant if item.tries]
        return bool(around) and all(
            outcome_in(self._project, decorator.path, item, item.tries, symbol).fate is Fate.CAUGHT for item in around
        )

    def is_rival(self, path: str, function: Function) -> bool:
        """Whether a function stands in a decorator that answers for adapters and applies no boundary."""
        parts = function.name.split(".")
        names = (".".join(parts[:count]) for count in range(1, len(parts)))
        return "wraps" in map(bare_name, function.decorators) and any((path, name) in self._rivals for name in names)

    @cached_property
    def _rivals(self) -> frozenset[tuple[str, str]]:
        """The decorators of adapters, by file and name, that apply no boundary where the policy has one."""
        project = self._project
        found: set[tuple[str, str]] = set()
        for path, module in project.modules.items():
            policy = project.policy(path)
            if policy.style is not Style.RAISE or not any(item.decorator for item in policy.boundaries):
                continue
            for function in module.functions:
                if not function.decorators or not project.adapters.is_adapter(path, function):
                    continue
                for name in function.decorators[max(project.adapters.registering(path, function), default=-1) + 1 :]:
                    symbol = project.names.resolve(path, name, function.name.rpartition(".")[0])
                    if isinstance(symbol, FunctionSymbol) and self.meant(path, name) is None:
                        found.add((symbol.path, symbol.function.name))
        return frozenset(
            (path, name)
            for path, name in found
            if (item := project.names.function(path, name)) is not None
            and not self._is_made_of_boundary(FunctionSymbol(path, item))
        )

    # --- coverage -----------------------------------------------------------------------------------------------

    def is_covered(self, path: str, function: Function, depth: int = 0) -> bool:
        """Whether what a function raises reaches a boundary, in whatever way that is set up."""
        if self.is_around(path, function) or self._uses_boundary(path, function):
            return True
        owner = self._project.names.enclosing_class(path, function.name) if function.owner else None
        if owner is not None and self._is_class_covered(owner):
            return True
        return depth < MAX_DELEGATION and self._delegates(path, function, depth)

    def is_around(self, path: str, function: Function) -> bool:
        """Whether a boundary is put around the whole of a function, by what decorates, registers or serves it."""
        return self._has_middleware(path) or self.is_wrapped(path, function)

    def is_wrapped(self, path: str, function: Function) -> bool:
        """Whether what decorates or registers a function puts a boundary around it; middleware stands at the server."""
        if self.covers(path, function):
            return True
        project, scope = self._project, function.name.rpartition(".")[0]
        for name in function.decorators:
            symbol = project.names.resolve(path, name, scope)
            if isinstance(symbol, FunctionSymbol) and self._is_made_of_boundary(symbol):
                return True
            if (project.layout.distribution(path), bare_name(name)) in self._covering_methods:
                return True
        return any(self._is_handed_over(caller.path, caller.use) for caller in project.callers.may(path, function))

    def _delegates(self, path: str, function: Function, depth: int) -> bool:
        """Whether a function answers what a covered one returns."""
        names, distribution = self._project.names, self._project.layout.distribution(path)
        for found in function.returns:
            for call in (part for part in answered(found.value) if type(part) is Call):
                symbol = names.resolve(path, call.name, function.name)
                if isinstance(symbol, FunctionSymbol) and self.is_covered(*symbol, depth + 1):
                    return True
                if (
                    symbol is None
                    and "." in call.name
                    and (distribution, bare_name(call.name)) in self._covered_methods
                ):
                    return True  # a method of an object whose class is not known
        return False

    @cached_property
    def _covering_methods(self) -> frozenset[tuple[str, str]]:
        """Methods by which a server class of the project registers adapters with the boundary around them."""
        found: set[tuple[str, str]] = set()
        for path, module in self._project.modules.items():
            for function in module.functions:
                owner = self._project.names.enclosing_class(path, function.name)
                if owner is not None and self._uses_boundary(path, function):
                    methods = (bare_name(item.function.name) for item in self._methods(owner))
                    distribution = self._project.layout.distribution(path)
                    found.update(
                        (distribution, name) for name in methods if self._project.adapters.registers(path, name)
                    )
        return frozenset(found)

    def _methods(self, owner: ClassSymbol) -> Iterator[FunctionSymbol]:
        for function in self._project.modules[owner.path].functions:
            if function.owner == owner.definition.name:
                yield FunctionSymbol(owner.path, function)

    @cached_property
    def _covered_methods(self) -> frozenset[tuple[str, str]]:
        return frozenset(
            (self._project.layout.distribution(item.path), bare_name(item.function.name))
            for item in self.decorated()
            if item.function.owner
        )

    def _is_handed_over(self, path: str, use: Use) -> bool:
        return use.how == "passed" and self.meant(path, use.receiver) is not None

    def is_prompt(self, path: str, function: Function) -> bool:
        """Whether a function is registered as a prompt or as what lists, which answers messages and no result."""
        receivers = self._receivers(path, function)
        return any(bare_name(name) in (*PROMPTS, "add_prompt") or "Prompt." in name for name in receivers)

    def is_resource(self, path: str, function: Function) -> bool:
        """Whether a function is registered as a resource, which answers contents."""
        receivers = self._receivers(path, function)
        return any(bare_name(name) in (*RESOURCES, "add_resource") or "Resource." in name for name in receivers)

    @cached_property
    def with_resources(self) -> frozenset[str]:
        """The distributions that put the boundary on a resource."""
        return frozenset(
            self._project.layout.distribution(item.path)
            for item in self.decorated()
            if self.is_resource(item.path, item.function)
        )

    def _receivers(self, path: str, function: Function) -> list[str]:
        """Return what decorates a function, and what it is handed to."""
        callers = self._project.callers.may(path, function)
        return [*function.decorators, *(caller.use.receiver for caller in callers)]

    def _has_middleware(self, path: str) -> bool:
        wanted = {bare_name(name) for boundary in self._project.policy(path).boundaries for name in boundary.middleware}
        distribution = self._project.layout.distribution(path)
        return any((distribution, name) in self._project.callers.used_names for name in wanted)

    def _uses_boundary(self, path: str, function: Function) -> bool:
        return any(self.meant(path, use.callee, function.name) is not None for use in function.uses)

    def _is_made_of_boundary(self, symbol: FunctionSymbol) -> bool:
        """Whether a decorator applies the boundary: it, or a function inside it, uses or carries it."""
        inside = symbol.function.name + "."
        return any(
            self._uses_boundary(symbol.path, function) or self.covers(symbol.path, function)
            for function in self._project.modules[symbol.path].functions
            if function.name == symbol.function.name or function.name.startswith(inside)
        )

    def _is_class_covered(self, owner: ClassSymbol) -> bool:
        """Whether a class or a base carries the boundary, or has a method with it that is no adapter itself."""
        for base in self._project.hierarchy.bases(owner):
            if any(self.meant(base.path, name) is not None for name in base.definition.decorators):
                return True
            for path, function in self._methods(base):
                if not self._project.adapters.is_adapter(path, function) and (
                    self.covers(path, function) or self._uses_boundary(path, function)
                ):
                    return True
        return False

    # --- arguments ----------------------------------------------------------------------------------------------

    def argument(self, covered: Covered, name: str) -> Value | None:
        """Return what a decorator is given for one of its parameters, ``None`` where nothing or where it is unknown."""
        value = covered.cover.value
        if type(value) is not Call or not name:
            return None
        names = self._project.names
        symbol = names.resolve(covered.path, value.name, covered.function.name.rpartition(".")[0])
        bound = bound_to(symbol.function, value) if isinstance(symbol, FunctionSymbol) else bind(value, ())
        return self._constant(covered.path, bound.passed[name]) if name in bound.passed else None

    def _constant(self, path: str, value: Value) -> Value:
        """Return the value behind the name of a constant."""
        name = getattr(value, "name", "")
        if type(value) is not Call and name:
            symbol = self._project.names.resolve(path, name)
            if isinstance(symbol, ValueSymbol):
                return symbol.value
        return value
