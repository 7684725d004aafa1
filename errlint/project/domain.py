"""The domain exceptions of a project: which they are, where they are raised, what catches them, what they are given.

A domain exception is a class below ``exceptions.root`` of the policy; without a root, any exception class that the
project defines. Everything is answered for the file that asks, since policies differ by path.
"""

from __future__ import annotations

import builtins
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from errlint.facts import Call, Function, Raise, Ref, Try, Value, only
from errlint.findings import Span
from errlint.patterns import fits
from errlint.project.arguments import bind
from errlint.project.libraries import line_of
from errlint.project.names import ClassSymbol, ExternalSymbol, FunctionSymbol, Names, Symbol
from errlint.settings import Policy

if TYPE_CHECKING:
    from errlint.project import Project

BROAD = frozenset({"Exception", "BaseException"})
MAX_BASES = 8


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


class DomainRaise(NamedTuple):
    """A raise of a domain exception."""

    path: str
    function: Function
    found: Raise
    symbol: ClassSymbol


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
        self._lines: dict[tuple[str, str], tuple[str, ...]] = {}

    def absolute(self, symbol: ClassSymbol | FunctionSymbol) -> str:
        """Return the absolute dotted name of a definition."""
        name = symbol.definition.name if isinstance(symbol, ClassSymbol) else symbol.function.name
        return ".".join(filter(None, (self._project.layout.module_name(symbol.path), name)))

    def classes(self, name: str) -> Iterator[ClassSymbol]:
        """Yield the classes of the project that a name of a policy means."""
        every = (ClassSymbol(path, item) for path, module in self._project.modules.items() for item in module.classes)
        return (each for each in every if matches(self.absolute(each), (name,)))

    def functions(self, name: str) -> Iterator[FunctionSymbol]:
        """Yield the functions of the project that a name of a policy means."""
        modules = self._project.modules.items()
        every = (FunctionSymbol(path, item) for path, module in modules for item in module.functions)
        return (each for each in every if matches(self.absolute(each), (name,)))

    def meant(self, path: str, name: str, scope: str = "") -> str:
        """Return the absolute dotted name of what a name of a file means, "" where that is no known definition."""
        return self.name_of(self._project.names.resolve(path, name, scope))

    def name_of(self, symbol: Symbol | None) -> str:
        """Return the absolute dotted name of a definition, also of a foreign one, "" for anything else."""
        if isinstance(symbol, (FunctionSymbol, ClassSymbol)):
            return self.absolute(symbol)
        return symbol.name if isinstance(symbol, ExternalSymbol) else ""

    def ancestors(self, symbol: ClassSymbol) -> tuple[str, ...]:
        """Return the absolute names of a class and of all its bases, nearest first."""
        key = (symbol.path, symbol.definition.name)
        found = self._lines.get(key)
        if found is None:
            found = self._lines[key] = tuple(dict.fromkeys(self._ancestors(symbol, 0, {})))
        return found

    def _ancestors(self, symbol: ClassSymbol, depth: int, seen: dict[tuple[str, str], int]) -> Iterator[str]:
        yield self.absolute(symbol)
        key = (symbol.path, symbol.definition.name)
        if depth > MAX_BASES or seen.get(key, depth + 1) <= depth:
            return
        seen[key] = depth
        for base in symbol.definition.bases:
            found = self._names.resolve(symbol.path, base)
            if isinstance(found, ClassSymbol) and found != symbol:
                yield from self._ancestors(found, depth + 1, seen)
            elif isinstance(found, ExternalSymbol):
                yield from builtin_line(found.name)
            else:
                yield base

    def bases(self, symbol: ClassSymbol) -> Iterator[ClassSymbol]:
        """Yield a class and those of its bases that the project defines, nearest first."""
        pending, seen = [(symbol, 0)], set[tuple[str, str]]()
        for current, depth in pending:
            key = (current.path, current.definition.name)
            if key in seen:
                continue
            seen.add(key)
            yield current
            for base in current.definition.bases if depth <= MAX_BASES else ():
                found = self._names.resolve(current.path, base)
                if isinstance(found, ClassSymbol):
                    pending.append((found, depth + 1))

    def is_domain(self, symbol: Symbol | None, policy: Policy) -> bool:
        """Whether a definition is a domain exception under a policy."""
        if not isinstance(symbol, ClassSymbol):
            return False
        line = self.ancestors(symbol)
        if policy.exceptions.root:
            return any(matches(name, policy.exceptions.root) for name in line)
        last = line[-1] if line else ""
        return self._names.is_exception(symbol) and not any(name.endswith("Warning") for name in (last, *line))

    def raised(self, path: str, scope: str, value: Value) -> ClassSymbol | ExternalSymbol | None:
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

    def raises_of(self, path: str) -> Iterator[DomainRaise]:
        """Yield the raises of domain exceptions in one file."""
        policy = self._project.policy(path)
        for function in self._project.modules[path].functions:
            for found in function.raises:
                symbol = self.class_of(path, function.name, found.value)
                if symbol is not None and self.is_domain(symbol, policy):
                    yield DomainRaise(path, function, found, symbol)

    def catches(self, path: str, scope: str, types: tuple[str, ...], symbol: ClassSymbol) -> bool | None:
        """Whether an ``except`` clause catches a class; ``None`` where that cannot be told."""
        if not types:
            return True
        line = set(self.ancestors(symbol))
        foreign = {name for name in line if not name.startswith("builtins.")}.difference(
            self.absolute(base) for base in self.bases(symbol)
        )
        line.update(base for name in foreign for base in line_of(name))
        # Of other foreign classes nothing is known but the package, whose own classes they may be below.
        packages = {name.partition(".")[0] for name in foreign if not line_of(name)}
        # As `KeyboardInterrupt` is: what catches any `Exception` does not catch it.
        is_beside = not packages and "builtins.BaseException" in line and "builtins.Exception" not in line
        unknown = False
        for name in types:
            last = name.rpartition(".")[2]
            found = self._names.resolve(path, name, scope)
            if is_beside and last == "Exception" and not isinstance(found, ClassSymbol):
                continue
            if isinstance(found, ClassSymbol):
                if self.absolute(found) in line:
                    return True
            elif isinstance(found, ExternalSymbol):
                if found.name in line or (found.name.startswith("builtins.") and last in BROAD):
                    return True
                unknown = unknown or bool(packages & {found.name.partition(".")[0], ""})
                unknown = unknown or bool(packages and found.name.startswith("builtins."))
            elif last in BROAD:
                return True
            else:
                unknown = True
        return None if unknown else False

    def is_broad(self, types: tuple[str, ...]) -> bool:
        """Whether an ``except`` clause catches everything or every :class:`Exception`."""
        return not types or any(name.rpartition(".")[2] in BROAD for name in types)

    def tries_around(self, function: Function, places: tuple[Span, ...]) -> Iterator[Try]:
        """Yield the ``try`` statements at some places, in their order."""
        known = {item.span: item for item in function.tries}
        for place in places:
            found = known.get(place)
            if found is not None:
                yield found

    def constructor(self, symbol: ClassSymbol) -> FunctionSymbol | None:
        """Return the constructor that a class has, its own or that of its nearest base in the project."""
        for base in self.bases(symbol):
            function = self._names.function(base.path, f"{base.definition.name}.__init__")
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
        bases = list(self.bases(symbol))
        if self._names.is_exception(symbol) and not any(base.definition.decorators for base in bases):
            return ["message"]
        return [
            entry.key for base in reversed(bases) for entry in base.definition.members or () if entry.key is not None
        ] or ["message"]

    def _defaults(self, symbol: ClassSymbol) -> dict[str, Value]:
        """Return what holds for an object of a class without any argument; a nearer class wins over its bases."""
        found: dict[str, Value] = {}
        for base in reversed(list(self.bases(symbol))):
            found.update(self._own_defaults(base))
        return found

    def _own_defaults(self, symbol: ClassSymbol) -> dict[str, Value]:
        found: dict[str, Value] = {
            entry.key: entry.value
            for entry in symbol.definition.members or ()
            if entry.key is not None
            and entry.key not in symbol.definition.unset
            and not self._is_method(symbol, entry.key)
        }
        constructor = self._names.function(symbol.path, f"{symbol.definition.name}.__init__")
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

    def _is_method(self, symbol: ClassSymbol, name: str) -> bool:
        return self._names.function(symbol.path, f"{symbol.definition.name}.{name}") is not None


def _is_parameter(value: Value, function: Function) -> bool:
    if type(value) is not Ref:
        return False
    return any(parameter.name == value.name for parameter in function.parameters)


def builtin_line(name: str) -> Iterator[str]:
    """Yield the name of a foreign class, and of its bases where it is a builtin one."""
    yield name
    found = getattr(builtins, name.removeprefix("builtins."), None)
    if isinstance(found, type):
        for base in found.__mro__[1:-1]:
            yield f"builtins.{base.__name__}"
