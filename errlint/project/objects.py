"""Of which class an object is whose method is called, and so which method that is."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import chain

from errlint.facts import Call, Constant, Ref, Value, alternatives
from errlint.project.hierarchy import Hierarchy
from errlint.project.names import (
    ClassSymbol,
    ExternalSymbol,
    FunctionSymbol,
    Names,
    Symbol,
    ValueSymbol,
    is_standard,
)
from errlint.settings.policy import bare_name

_HANDING_ON = frozenset(
    {"builtins", "contextlib", "copy", "functools", "importlib", "operator", "pickle", "typing", "unittest", "weakref"}
)
"""Modules of the standard library with functions that answer an object which they are given, or find, as it is."""

_READING = frozenset({"property", "cached_property"})
"""Decorators of methods that are called where an attribute is read."""

_ANSWERED = "()"
"""Behind the name of what is called for an object."""

Made = ClassSymbol | ExternalSymbol
"""The class of an object; of a library's what is called for it, which may be no class."""


def makes_own(symbol: ExternalSymbol) -> bool:
    """Whether a call of a library makes an object of a class of its own: ``re.compile``, ``httpx.Client``."""
    module, _, last = symbol.name.rpartition(".")
    if module.partition(".")[0] in _HANDING_ON or module == "collections.abc":
        return False
    return is_standard(module) or last[:1].isupper()


class Objects:
    """Answers of which classes the objects of one project are, by what makes them and by what annotations say.

    Nothing is said of objects that may be of any class which has their methods: those of a protocol.
    """

    def __init__(self, names: Names, hierarchy: Hierarchy) -> None:
        self._names = names
        self._hierarchy = hierarchy
        self._known: dict[tuple[str, str, str], Made | None] = {}

    def called(self, path: str, name: str, scope: str = "") -> Symbol | None:
        """Return what a call of a dotted name in a function calls: what the name means, or a method of an object.

        ``catalog.find`` where ``catalog = Catalog()``, in the function, in one around it, or in a module that it is
        imported from; where ``catalog`` is a parameter with that annotation; ``self.catalog.find`` where a constructor
        stores such an object; ``open_catalog().find`` where that function answers one. Methods of a library's objects
        are foreign. ``None`` when it is unknown.
        """
        symbol = self._names.resolve(path, name, scope)
        if symbol is not None:
            return symbol
        holder, _, method = name.rpartition(".")
        made = self.of(path, holder, scope) if holder else None
        if isinstance(made, ExternalSymbol):
            return ExternalSymbol(f"{made.name}.{method}")
        return self._names.member(made, method) if made is not None else None

    def of(self, path: str, name: str, scope: str = "") -> Made | None:
        """Return the class of what a dotted name stands for in a function; one with ``()`` is called for it.

        ``None`` when it is unknown, as where names go in a circle.
        """
        key = (path, name, scope)
        if key not in self._known:
            self._known[key] = None  # while it is being found out
            try:
                self._known[key] = self._of(path, name, scope)
            except RecursionError:  # on a deeper stack it is found
                del self._known[key]
                raise
        return self._known[key]

    def _of(self, path: str, name: str, scope: str) -> Made | None:
        if name.endswith(_ANSWERED):
            return self._answered_by(self.called(path, name.removesuffix(_ANSWERED), scope))
        holder, _, last = name.rpartition(".")
        if not holder:
            return self._local(path, name, scope)
        if holder == "self" and (owner := self._names.enclosing_class(path, scope)) is not None:
            return self._attribute(owner, last)
        symbol = self._names.resolve(path, name, scope)
        if symbol is not None:
            return self._value(symbol)
        owner_of_attribute = self.of(path, holder, scope)
        if isinstance(owner_of_attribute, ClassSymbol):
            return self._attribute(owner_of_attribute, last)
        return None

    def _local(self, path: str, name: str, scope: str) -> Made | None:
        """Return the class of what a plain name stands for: of the function, of one around it, of the module."""
        where = scope
        while where:
            function = self._names.function(path, where)
            for own, made in function.objects if function is not None else ():
                if own == name:
                    return self.of(path, made, where)
            for parameter in function.parameters if function is not None else ():
                if parameter.name == name:
                    return self._declared(path, parameter.of_class, where) if parameter.kind in ("", "kw") else None
            if self._names.is_hidden(path, name, where):
                return None
            where = where.rpartition(".")[0]
        return self._value(self._names.resolve(path, name, scope))

    def _value(self, symbol: Symbol | None) -> Made | None:
        """Return the class of a value of a module that no function binds again."""
        if not isinstance(symbol, ValueSymbol) or not symbol.name:
            return None
        module = self._names.modules[symbol.path]
        values = [item.value for item in module.assigned if item.name == symbol.name]
        return None if symbol.name in module.set_by_functions else self._one_of(symbol.path, "", values)

    def _attribute(self, owner: ClassSymbol, name: str) -> Made | None:
        """Return the class of an attribute: by what the constructor stores in it, by an annotation, or of a base."""
        for path, definition in self._hierarchy.bases(owner):
            each = ClassSymbol(path, definition)
            constructor = self._names.own_method(each, "__init__")
            stores = constructor.stores if constructor is not None else ()
            stored = [entry.value for entry in stores if entry.key == name]
            if any(value != Constant(None) for value in stored):
                return self._one_of(path, f"{definition.name}.__init__", stored)
            for own, of_class in definition.of_class:
                if own == name:
                    return self._declared(path, of_class, definition.name)
            method = self._names.own_method(each, name)
            if method is not None:
                is_read = not _READING.isdisjoint(map(bare_name, method.decorators))
                return self._answered_by(FunctionSymbol(path, method)) if is_read else None
        return None

    def _answered_by(self, symbol: Symbol | None) -> Made | None:
        """Return the class of what a call answers."""
        if isinstance(symbol, ClassSymbol):
            return None if _is_protocol(symbol) else symbol
        if isinstance(symbol, ExternalSymbol):
            return symbol if makes_own(symbol) else None
        if not isinstance(symbol, FunctionSymbol) or symbol.function.is_generator:
            return None
        path, function = symbol
        if function.answers_class:
            return self._declared(path, function.answers_class, function.name)
        return self._one_of(path, function.name, [item.value for item in function.returns])

    def _declared(self, path: str, name: str, scope: str) -> Made | None:
        """Return the class that an annotation names."""
        symbol = self._names.resolve(path, name, scope) if name else None
        return self._answered_by(symbol) if isinstance(symbol, ClassSymbol | ExternalSymbol) else None

    def _one_of(self, path: str, scope: str, values: Iterable[Value]) -> Made | None:
        """Return the class that all values are of, ``None`` aside; ``None`` where that is not certain."""
        found: set[Made | None] = set()
        for value in chain.from_iterable(map(alternatives, values)):
            if type(value) is Call and value.inner is None and value.name:
                found.add(self.of(path, value.name + _ANSWERED, scope))
            elif type(value) is Ref:
                found.add(self.of(path, value.name, scope))
            elif value != Constant(None):
                return None
        return found.pop() if len(found) == 1 else None


def _is_protocol(symbol: ClassSymbol) -> bool:
    return any(bare_name(base) == "Protocol" for base in symbol.definition.bases)
