"""Callers: who uses a function, and who answers what it does.

Two relations of calls. *Must*: the callee is resolved, or is the only method of its name in the distribution; it
decides what is reported. *May*: the name is the same; it decides what is left alone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

from errlint.facts import Call, Function, Module, Use, Value, Variable, answered
from errlint.lazy import cached_property
from errlint.project.hierarchy import Hierarchy
from errlint.project.names import FunctionSymbol, Names
from errlint.project.objects import Objects
from errlint.project.payload_shapes import is_part_of
from errlint.settings.policy import bare_name


class Caller(NamedTuple):
    """A use of a function: the file, the name of the function around it ("" at module level), and the use."""

    path: str
    function: str
    use: Use


_FAMILY = 50
"""Of so many methods of a name at most it is asked whether they override one."""


class Callers:
    """Answers who calls the functions of one project."""

    def __init__(self, names: Names, objects: Objects, hierarchy: Hierarchy) -> None:
        self._names = names
        self._objects = objects
        self._hierarchy = hierarchy
        self._families: dict[tuple[str, str], bool] = {}

    @cached_property
    def used_names(self) -> frozenset[tuple[str, str]]:
        """The distributions and last names of everything that is used there."""
        return frozenset(self._uses_by_name)

    @cached_property
    def _uses_by_name(self) -> dict[tuple[str, str], list[Caller]]:
        found: dict[tuple[str, str], list[Caller]] = {}
        for path, module in self._names.modules.items():
            distribution = self._names.layout.distribution(path)
            for scope, use in uses_of(module):
                name = self._names.original(path, use.callee).rpartition(".")[2]
                found.setdefault((distribution, name), []).append(Caller(path, scope, use))
        return found

    @cached_property
    def _methods_by_name(self) -> dict[tuple[str, str], set[tuple[str, str]]]:
        found: dict[tuple[str, str], set[tuple[str, str]]] = {}
        for path, module in self._names.modules.items():
            distribution = self._names.layout.distribution(path)
            for function in module.functions:
                if function.owner:
                    short = function.name.rpartition(".")[2]
                    found.setdefault((distribution, short), set()).add((path, function.name))
        return found

    def _key(self, path: str, function: Function) -> tuple[str, str]:
        return self._names.layout.distribution(path), function.name.rpartition(".")[2]

    def users(self, path: str, function: Function) -> list[Caller]:
        """Return every use of a method's name as an attribute, whatever class it is of; of a function its callers."""
        if not function.owner:
            return self.may(path, function)
        return [caller for caller in self._uses_by_name.get(self._key(path, function), ()) if "." in caller.use.callee]

    def may(self, path: str, function: Function) -> list[Caller]:
        """Return every use of the function's name in its distribution that is not known to mean something else."""
        return self._meaning(path, function, lambda caller: True)

    def must(self, path: str, function: Function) -> list[Caller]:
        """Return the uses that are resolved to the function, directly, as an override, or as the only such method."""
        only = self._methods_by_name.get(self._key(path, function)) == {(path, function.name)}
        return self._meaning(path, function, lambda caller: only and "." in caller.use.callee)

    def answering(self, path: str, function: Function) -> list[Caller]:
        """Return the uses that may answer what the function does: as :meth:`must`, and those of a family.

        Where all methods of a name override one of them, a call of that name is one of each.
        """
        only = bool(function.owner) and self._is_of_one_family(self._key(path, function))
        return self._meaning(path, function, lambda caller: only and "." in caller.use.callee)

    def _meaning(self, path: str, function: Function, in_doubt: Callable[[Caller], bool]) -> list[Caller]:
        """Return the uses of a function's name that are of it; ``in_doubt`` decides where nothing tells of what."""
        found: list[Caller] = []
        for caller in self._uses_by_name.get(self._key(path, function), ()):
            symbol = self._objects.called(caller.path, caller.use.asked, caller.function)
            if in_doubt(caller) if symbol is None else self.means(symbol, path, function):
                found.append(caller)
        return found

    def _is_of_one_family(self, key: tuple[str, str]) -> bool:
        """Whether a distribution has one method of a name, or one and those of classes below that override it."""
        if key not in self._families:
            methods = self._methods_by_name.get(key, set())
            found = len(methods) == 1
            if 1 < len(methods) <= _FAMILY:
                owners = [self._names.enclosing_class(*method) for method in methods]
                found = None not in owners and any(
                    all(
                        each is root or root.definition.name in self._hierarchy.base_names(each)
                        for each in owners
                        if each
                    )
                    for root in owners
                    if root
                )
            self._families[key] = found
        return self._families[key]

    def means(self, symbol: object, path: str, function: Function) -> bool:
        """Whether a symbol is a function, or the method that one overrides."""
        if not isinstance(symbol, FunctionSymbol):
            return False
        if (symbol.path, symbol.function.name) == (path, function.name):
            return True
        if not function.owner or not symbol.function.owner:
            return False
        owner = self._names.enclosing_class(path, function.name)
        base = self._names.enclosing_class(symbol.path, symbol.function.name)
        return owner is not None and base is not None and base.definition.name in self._hierarchy.base_names(owner)

    def around(self, caller: Caller) -> Function | None:
        """Return the function that a use stands in, ``None`` at module level."""
        return self._names.function(caller.path, caller.function)

    def returns_result(self, caller: Caller, around: Function) -> bool:
        """Whether the function around a call answers what the call returns."""
        if caller.use.how == "returned":
            return True
        short = bare_name(caller.use.callee)
        return any(
            contains_call(found.value, caller.use.callee) or is_part_of(found.value, short) for found in around.returns
        )


def upwards(
    path: str,
    function: Function,
    above: Callable[[str, Function], Iterable[tuple[str, Function]]],
    steps: int | None = None,
) -> Iterator[FunctionSymbol]:
    """Yield a function, what is directly ``above`` it, what is above that, and so on: the nearest first, each once.

    ``steps`` are as many as may be taken from the function, ``None`` any number of them.
    """
    seen, pending = {(path, function.name)}, [(FunctionSymbol(path, function), 0)]
    for current, taken in pending:
        yield current
        for where, found in above(*current) if taken != steps else ():
            if (where, found.name) not in seen:
                seen.add((where, found.name))
                pending.append((FunctionSymbol(where, found), taken + 1))


def uses_of(module: Module) -> Iterator[tuple[str, Use]]:
    """Yield the uses of names in a module, each with the function around it, "" for none."""
    for use in module.uses:
        yield "", use
    for function in module.functions:
        for use in function.uses:
            yield function.name, use


def contains_call(value: Value, callee: str) -> bool:
    """Whether a value is the result of a call of ``callee``, or of a wrapper around one."""
    calls = (part for part in answered(value) if type(part) is Call)
    return any(call.name == callee or _is_of_local(call, callee) for call in calls)


def _is_of_local(call: Call, callee: str) -> bool:
    """Whether a call of a method of what a local name holds is written as ``callee``: ``shop.find``."""
    receiver = call.inner
    is_local = call.name.startswith(".") and type(receiver) is Variable
    return is_local and f"{getattr(receiver, 'name', '')}{call.name}" == callee
