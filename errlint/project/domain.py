"""The domain exceptions of a project: which they are, where they are raised, what catches them, what they are given.

A domain exception is a class below ``exceptions.root`` of the policy; without a root, any exception class that the
project defines. Everything is answered for the file that asks, since policies differ by path.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from errlint.facts import Call, Function, Ref, Value, only
from errlint.patterns import fits
from errlint.project.arguments import bind
from errlint.project.hierarchy import Exceptional
from errlint.project.names import ClassSymbol, ExternalSymbol, FunctionSymbol, Names, Symbol
from errlint.settings import Policy

if TYPE_CHECKING:
    from errlint.project import Project


class Construction(NamedTuple):
    """An object that is made: the class (``None`` where it is not of the project), and what it is given.

    ``passed`` are the arguments of the call by the names of the constructor's parameters; ``defaults`` the values that
    hold without them: defaults of parameters, what a constructor hands to that of its base, class attributes.
    ``is_open`` is true where ``*`` or ``**`` may pass anything, ``has_more`` where more is passed by position than the
    constructor has names for.
    """

    symbol: ClassSymbol
    passed: Mapping[str, Value]
    defaults: Mapping[str, Value]
    is_open: bool
    has_more: bool

    def field(self, name: str) -> Value | None:
        """Return the value of a field, passed or by default."""
        return self.passed.get(name, self.defaults.get(name))


@lru_cache(maxsize=100_000)
def matches(name: str, patterns: tuple[str, ...]) -> bool:
    """Whether an absolute dotted name is meant by a name of a policy: in full, by its last parts, or with ``*``."""
    return any(
        name == pattern or name.endswith("." + pattern) or ("*" in pattern and _fits(name, pattern))
        for pattern in (item.replace(":", ".") for item in patterns)
    )


def _fits(name: str, pattern: str) -> bool:
    return fits(name, pattern) or fits(name.rpartition(".")[2], pattern)


class Domain:
    """Answers questions about the domain exceptions of one project."""

    def __init__(self, project: Project) -> None:
        self._project = project
        self._names: Names = project.names
        self._hierarchy = project.hierarchy

    def classes(self, name: str) -> Iterator[ClassSymbol]:
        """Yield the classes of the project that a name of a policy means."""
        every = (ClassSymbol(path, item) for path, module in self._project.modules.items() for item in module.classes)
        return (each for each in every if matches(self._names.absolute(each), (name,)))

    def functions(self, name: str) -> Iterator[FunctionSymbol]:
        """Yield the functions of the project that a name of a policy means."""
        modules = self._project.modules.items()
        every = (FunctionSymbol(path, item) for path, module in modules for item in module.functions)
        return (each for each in every if matches(self._names.absolute(each), (name,)))

    def is_domain(self, symbol: Symbol | None, policy: Policy) -> bool:
        """Whether a definition is a domain exception under a policy."""
        if not isinstance(symbol, ClassSymbol):
            return False
        hierarchy = self._project.hierarchy
        if policy.exceptions.root:
            return any(matches(name, policy.exceptions.root) for name in hierarchy.ancestors(symbol))
        return hierarchy.is_exception(symbol) and not any(
            name.endswith("Warning") for name in hierarchy.ancestors(symbol)
        )

    def raised(self, path: str, scope: str, value: Value) -> Exceptional | None:
        """Return the class that a raised value is of: a call of it, the class itself, or a variable holding one."""
        value = only(value)
        if type(value) is not Call and type(value) is not Ref:
            return None
        symbol = self._names.resolve(path, value.name, scope)
        return symbol if isinstance(symbol, (ClassSymbol, ExternalSymbol)) else None

    def class_of(self, path: str, scope: str, value: Value) -> ClassSymbol | None:
        """Return the class of the project that a raised value is of, as :meth:`raised` does."""
        symbol = self.raised(path, scope, value)
        return symbol if isinstance(symbol, ClassSymbol) else None

    def constructor(self, symbol: ClassSymbol) -> FunctionSymbol | None:
        """Return the constructor that a class has, its own or that of its nearest base in the project."""
        for base in self._hierarchy.bases(symbol):
            function = self._names.own_method(base, "__init__")
            if function is not None:
                return FunctionSymbol(base.path, function)
        return None

    def construction(self, path: str, scope: str, value: Value) -> Construction | None:
        """Return what the construction of an object passes, ``None`` where the value is none of a project class."""
        value = only(value)
        if type(value) is not Call:
            return None
        call = self._project.evaluator.called(path, scope, value)
        symbol = self._names.resolve(path, call.name, scope)
        return self.construction_of(symbol, call) if isinstance(symbol, ClassSymbol) else None

    def construction_of(self, symbol: ClassSymbol, call: Call) -> Construction:
        """Return what a call passes that makes an object of a class, whatever name the call has for it."""
        bound = bind(call, self.positional(symbol))
        return Construction(symbol, bound.passed, self._defaults(symbol), bound.is_open, bound.has_more)

    def positional(self, symbol: ClassSymbol) -> list[str]:
        """Return the names of what the construction of an object takes by position."""
        found = self.constructor(symbol)
        if found is not None:
            return [item.name for item in found.function.parameters if item.kind == ""][1:]
        # A dataclass or model: its fields in order. An exception without a constructor of its own takes a message.
        bases = self._hierarchy.bases(symbol)
        if self._hierarchy.is_exception(symbol) and not any(base.definition.decorators for base in bases):
            return ["message"]
        return [
            entry.key
            for base in reversed(bases)
            for entry in base.definition.members or ()
            if entry.key is not None and self._names.own_method(base, entry.key) is None
        ] or ["message"]

    def _defaults(self, symbol: ClassSymbol) -> dict[str, Value]:
        """Return what holds for an object of a class without any argument; a nearer class wins over its bases."""
        found: dict[str, Value] = {}
        for base in reversed(self._hierarchy.bases(symbol)):
            found.update(self._own_defaults(base))
        return found

    def _own_defaults(self, symbol: ClassSymbol) -> dict[str, Value]:
        found: dict[str, Value] = {
            entry.key: entry.value
            for entry in symbol.definition.members or ()
            if entry.key is not None
            and entry.key not in symbol.definition.unset
            and self._names.own_method(symbol, entry.key) is None
        }
        constructor = self._names.own_method(symbol, "__init__")
        if constructor is None:
            return found
        for parameter in constructor.parameters:
            if parameter.default is not None:
                found[parameter.name] = parameter.default
        given = [(item.name, item.value) for called in constructor.calls for item in called.value.arguments]
        given += [(entry.key or "", entry.value) for entry in constructor.stores]
        kept = {name: value for name, value in given if name not in ("", "*", "**")}
        found.update((name, value) for name, value in kept.items() if not _is_parameter(value, constructor))
        return found


def _is_parameter(value: Value, function: Function) -> bool:
    if type(value) is not Ref:
        return False
    return any(parameter.name == value.name for parameter in function.parameters)
