"""Class hierarchy: what is above and below the classes of a project, and which ``except`` clauses catch them."""

from __future__ import annotations

import builtins
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from errlint.facts import Function
from errlint.findings import Span
from errlint.index.catching import BROAD
from errlint.lazy import cached_property
from errlint.project.libraries import line_of
from errlint.project.names import ClassSymbol, ExternalSymbol, Names
from errlint.settings.policy import bare_name

Exceptional = ClassSymbol | ExternalSymbol
"""The class of an exception: of the project, or a foreign one."""

EMPTY = frozenset({"object", "ABC", "Protocol", "Generic"})
"""Last parts of bases that say nothing about an object."""

_PASSIVE = EMPTY | {"Enum", "StrEnum", "NamedTuple", "BaseModel", "TypedDict", "str", "int"}
"""Those of bases that call no methods of theirs under names that a project chooses."""


class Line(NamedTuple):
    """A class and all that is above it, each before its bases and the nearest first.

    ``own`` are the classes of the project, ``outside`` those bases of them that are not, ``names`` the names of all:
    absolute ones, and as they are written where nothing tells what is meant. ``unknown`` are the packages, "" for none,
    of those of which it is not known what is above them.
    """

    own: tuple[ClassSymbol, ...]
    outside: tuple[str, ...]
    names: tuple[str, ...]
    unknown: frozenset[str]


class Hierarchy:
    """Answers what is above and below the classes of one project."""

    def __init__(self, names: Names) -> None:
        self._names = names
        self._lines: dict[tuple[str, Span], Line] = {}
        self._base_names: dict[tuple[str, Span], tuple[str, ...]] = {}
        self._exceptions: dict[tuple[str, Span], bool] = {}

    # --- above ------------------------------------------------------------------------------------------------------

    def line(self, symbol: Exceptional) -> Line:
        """Return a class with all that is above it."""
        if isinstance(symbol, ExternalSymbol):
            return Line((), (symbol.name,), line_of(symbol.name), _unknown((symbol.name,)))
        key = (symbol.path, symbol.definition.span)
        found = self._lines.get(key)
        if found is None:
            found = self._lines[key] = self._find_line(symbol)
        return found

    def _find_line(self, symbol: ClassSymbol) -> Line:
        # In the order of Python: a class comes when all that is above it has come, of its bases the last one first.
        own: list[ClassSymbol] = []
        outside: dict[str, None] = {}
        names: dict[str, None] = {}
        seen: set[tuple[str, Span]] = set()
        pending: list[tuple[ClassSymbol | str, bool]] = [(symbol, False)]
        while pending:
            current, is_next = pending.pop()
            if isinstance(current, str):
                outside[current] = None
                names.update(dict.fromkeys(reversed(line_of(current))))
            elif is_next:
                own.append(current)
                names[self._names.absolute(current)] = None
            elif (key := (current.path, current.definition.span)) not in seen:
                seen.add(key)
                pending.append((current, True))
                pending.extend((base, False) for base in self._direct(current))
        return Line(tuple(reversed(own)), tuple(reversed(outside)), tuple(reversed(names)), _unknown(outside))

    def _direct(self, symbol: ClassSymbol) -> Iterator[ClassSymbol | str]:
        """Yield the bases that a class names: those of the project, and the names of others."""
        for base in symbol.definition.bases:
            found = self._names.resolve(symbol.path, base)
            if isinstance(found, ClassSymbol) and found != symbol:
                yield found
            else:
                yield found.name if isinstance(found, ExternalSymbol) else base

    def bases(self, symbol: ClassSymbol) -> tuple[ClassSymbol, ...]:
        """Return a class and those above it that the project defines, nearest first."""
        return self.line(symbol).own

    def ancestors(self, symbol: ClassSymbol) -> tuple[str, ...]:
        """Return the absolute names of a class and of all above it, nearest first."""
        return self.line(symbol).names

    def base_names(self, owner: ClassSymbol) -> tuple[str, ...]:
        """Return the names of all bases that a class reaches: last parts as written, absolute names of foreign ones."""
        key = (owner.path, owner.definition.span)
        found = self._base_names.get(key)
        if found is None:
            line = self.line(owner)
            written = (base.rpartition(".")[2] for each in line.own for base in each.definition.bases)
            found = self._base_names[key] = tuple(dict.fromkeys((*written, *line.outside)))
        return found

    def active_bases(self, owner: ClassSymbol) -> list[str]:
        """Return the bases of a class that are not of the project, and may call its methods, in order."""
        return sorted({name.rpartition(".")[2] for name in self.line(owner).outside} - _PASSIVE)

    def is_exception(self, owner: Exceptional) -> bool:
        """Whether a class is an exception: its bases reach one of the builtin ones, or one that is called so."""
        if isinstance(owner, ExternalSymbol):
            return _is_exception(owner.name)
        key = (owner.path, owner.definition.span)
        if key not in self._exceptions:
            self._exceptions[key] = any(map(_is_exception, self.base_names(owner)))
        return self._exceptions[key]

    # --- below ------------------------------------------------------------------------------------------------------

    @cached_property
    def _classes(self) -> Sequence[ClassSymbol]:
        modules = self._names.modules.items()
        return [ClassSymbol(path, definition) for path, module in modules for definition in module.classes]

    def below(self, owner: ClassSymbol) -> Sequence[ClassSymbol]:
        """Return a class and those that are certainly below it, in the order of files and places."""
        return self._below.get((owner.path, owner.definition.span), ())

    def is_overridden(self, path: str, function: Function) -> bool:
        """Whether a class below has a method in the place of one: what is called by its name may be that."""
        owner = self._names.enclosing_class(path, function.name) if function.owner else None
        below = self.below(owner) if owner is not None else ()
        short = bare_name(function.name)
        return any(each != owner and self._names.own_method(each, short) is not None for each in below)

    @cached_property
    def _below(self) -> Mapping[tuple[str, Span], Sequence[ClassSymbol]]:
        found: dict[tuple[str, Span], list[ClassSymbol]] = {}
        for symbol in self._classes:
            for base in self.bases(symbol):
                found.setdefault((base.path, base.definition.span), []).append(symbol)
        return found

    def heirs(self, owner: ClassSymbol) -> Sequence[ClassSymbol]:
        """Return the classes that reach a class by their bases, as far as names tell; tests left out."""
        return self._heirs.get(owner.definition.name.rpartition(".")[2], ())

    @cached_property
    def _heirs(self) -> Mapping[str, Sequence[ClassSymbol]]:
        found: dict[str, list[ClassSymbol]] = {}
        for symbol in self._classes:
            for base in self.base_names(symbol):
                found.setdefault(base, []).append(symbol)
        return found

    # --- clauses ----------------------------------------------------------------------------------------------------

    def catches(self, path: str, scope: str, types: tuple[str, ...], symbol: Exceptional) -> bool | None:
        """Whether an ``except`` clause in a function catches a class; ``None`` where that cannot be told."""
        if not types:
            return True
        line = self.line(symbol)
        # As `KeyboardInterrupt` is: what catches any `Exception` does not catch it.
        is_beside = (
            not line.unknown and "builtins.BaseException" in line.names and "builtins.Exception" not in line.names
        )
        is_unsure = False
        for name in types:
            found = self._names.resolve(path, name, scope)
            meant, last = self._names.absolute(found), name.rpartition(".")[2]
            meant = line_of(meant)[0] if isinstance(found, ExternalSymbol) else meant
            if meant and meant in line.names:
                return True
            if isinstance(found, ClassSymbol):
                continue
            if last in BROAD and (not isinstance(found, ExternalSymbol) or meant == f"builtins.{last}"):
                if is_beside and last == "Exception":
                    continue
                return True
            if not isinstance(found, ExternalSymbol):
                is_unsure = True
            elif meant.startswith("builtins."):
                is_unsure = is_unsure or bool(line.unknown)
            elif last.isupper():  # perhaps a tuple of classes
                is_unsure = True
            else:
                # Of a foreign class nothing is known but its package, which may have it under several names.
                is_unsure = is_unsure or not line.unknown.isdisjoint({meant.partition(".")[0], ""})
                is_unsure = is_unsure or last in {each.rpartition(".")[2] for each in line.names}
        return None if is_unsure else False


def _unknown(outside: Iterable[str]) -> frozenset[str]:
    """Return the packages of those of some foreign classes of which it is not known what is above them."""
    return frozenset(
        name.partition(".")[0]
        for name in outside
        if not name.startswith("builtins.") and len(line_of(name)) == 1 and name.rpartition(".")[2] not in EMPTY
    )


def _is_exception(name: str) -> bool:
    """Whether a class is called like a builtin exception, or as exceptions are."""
    last = name.rpartition(".")[2]
    found = getattr(builtins, last, None)
    is_builtin = isinstance(found, type) and issubclass(found, BaseException)
    return is_builtin or last.endswith(("Error", "Exception", "Warning"))
