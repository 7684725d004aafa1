"""Checks for an error in results that never hold one: the function raises its errors, or answers declared types.

Only what is certain counts: the callee is resolved, everything it can return is known, and it raises a domain
exception itself or by way of a helper whose result it returns. Where errors are returned it answers one of the declared
types, also by way of helpers.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, NamedTuple

from errlint.error_keywords import STATUS_MARKS
from errlint.facts import (
    Call,
    Choice,
    Constant,
    Function,
    Inspection,
    Mapping,
    Sequence,
    Text,
    Value,
    Variable,
    alternatives,
    constant_text,
    is_closed,
)
from errlint.project.decorators import CACHES, MARKS
from errlint.project.domain import matches
from errlint.project.frameworks import ADAPTER_DECORATORS
from errlint.project.names import ClassSymbol, FunctionSymbol
from errlint.project.raise_outcome import Fate, Thrown, outcome
from errlint.settings import Style

if TYPE_CHECKING:
    from errlint.project import Project

_HARMLESS = frozenset({*ADAPTER_DECORATORS, *MARKS, *CACHES})
"""Decorators that hand on what a function returns and raises."""

_TEXTS = frozenset({"str", "repr", "json.dumps", "format", "hex", "ascii"})
_PLAIN = frozenset({"int", "float", "bool", "len", "sum", "abs", "round", "bytes"})
_LISTS = frozenset({"list", "sorted", "tuple", "set", "frozenset"})
_MODELS = frozenset(
    {"builtins.object", "pydantic.BaseModel", "typing.TypedDict", "typing_extensions.TypedDict", "typing.NamedTuple",
     "abc.ABC", "typing.Generic", "typing.Protocol"}
)  # fmt: skip
"""Foreign bases that give an object no field by which it says error."""

_LOOKUPS = frozenset({"__contains__", "__getattr__", "__getitem__", "get"})
"""Methods by which an object answers as a dict does."""

_ERROR_MODEL = re.compile(r"Error|Failure|Fault|Problem")
_MAX_DEPTH = 5


class Stale(NamedTuple):
    """A check, the function around it, the function whose result is checked, and what it does about errors.

    That is ``raised``, a raise of one, or ``answered``, the declared type that it answers; the other one is ``None``.
    """

    around: Function
    inspection: Inspection
    callee: FunctionSymbol
    raised: Thrown | None = None
    answered: ClassSymbol | None = None


class Checks:
    """Answers which checks of one project are stale."""

    def __init__(self, project: Project) -> None:
        self._project = project
        self._raised: dict[tuple[str, str], Thrown | None] = {}
        self._candidates: dict[str, frozenset[str]] = {}
        self._counts: dict[str, Counter[str]] = {}

    def candidates(self, distribution: str) -> frozenset[str]:
        """Return the last names of functions that raise or answer a declared type, all of whose answers are known."""
        found = self._candidates.get(distribution)
        if found is None:
            paths = self._project.adapters.files.get(distribution, ())
            found = self._candidates[distribution] = frozenset(name for path in paths for name in self._raising(path))
        return found

    def _raising(self, path: str) -> Iterator[str]:
        for function in self._project.modules[path].functions:
            if (not function.raises and not function.returns) or function.name.endswith("__"):
                continue
            symbol = FunctionSymbol(path, function)
            if (
                self._may_answer(path, function)
                and (self.raised_by(symbol) is not None or self.answered_by(symbol) is not None)
                and self._answers(symbol, self._is_known, 0)
            ):
                yield function.name.rpartition(".")[2]

    def of(self, path: str) -> Iterator[Stale]:
        """Yield the stale checks of one file."""
        if not self.candidates(self._project.layout.distribution(path)):
            return
        module = self._project.modules.get(path) or self._project.tests[path]
        names = [item.name for item in module.imports]
        for function in module.functions:
            for inspection in function.inspections:
                if inspection.how == "isinstance" and not _ERROR_MODEL.search(inspection.key.rpartition(".")[2]):
                    continue
                for callee in inspection.callees:
                    root = callee.partition(".")[0]
                    if callee == "?" or names.count(root) > 1 or self._is_parameter(path, function, root):
                        break
                else:
                    found = self._decide(path, function, inspection)
                    if found is not None:
                        yield found

    def _is_parameter(self, path: str, function: Function | None, name: str) -> bool:
        if name in ("self", "cls"):
            return False
        while function is not None:
            if any(item.name == name for item in function.parameters):
                return True
            function = self._project.names.function(path, function.name.rpartition(".")[0])
        return False

    def _decide(self, path: str, function: Function, inspection: Inspection) -> Stale | None:
        first: Stale | None = None
        for name in inspection.callees:
            callee = self._resolve(path, function.name, name)
            if callee is None or not self._may_answer(callee.path, callee.function):
                return None
            raised, answered = self.raised_by(callee), self.answered_by(callee)
            if raised is None and (answered is None or inspection.how == "isinstance"):
                return None
            if not self._answers(callee, lambda value, at: self._is_free(inspection, value, at), 0):
                return None
            first = first or Stale(function, inspection, callee, raised, answered)
        return first

    def _resolve(self, path: str, scope: str, name: str) -> FunctionSymbol | None:
        symbol = self._project.objects.called(path, name.removesuffix(".fn"), scope)
        if not isinstance(symbol, FunctionSymbol) or symbol.path not in self._project.modules:
            return None
        return symbol

    def _may_answer(self, path: str, function: Function) -> bool:
        """Whether a call of a function gets what the function returns, and no other function is meant by it."""
        project = self._project
        if project.layout.distribution(path) not in project.adapters.distributions:
            return False
        if function.is_generator:
            return False
        if any(name.rpartition(".")[2] not in _HARMLESS for name in function.decorators):
            return False
        counts = self._counts.get(path)
        if counts is None:
            counts = self._counts[path] = Counter(item.name for item in project.modules[path].functions)
        if counts[function.name] > 1:
            return False
        return not function.owner or not self._is_overridden(path, function)

    def _is_overridden(self, path: str, function: Function) -> bool:
        names, distribution = self._project.names, self._project.layout.distribution
        short = function.name.rpartition(".")[2]
        owner = names.enclosing_class(path, function.name)
        for other, item in names.named(short):
            if not item.owner or (other, item.name) == (path, function.name):
                continue
            heir = names.enclosing_class(other, item.name)
            if distribution(other) != distribution(path):
                # A base of the same name may be another class: here it must be this one.
                if owner is not None and heir is not None and owner in self._project.hierarchy.bases(heir):
                    return True
            elif owner is None or heir is None or owner.definition.name in self._project.hierarchy.base_names(heir):
                return True
        return False

    # --- raises ---------------------------------------------------------------------------------------------------

    def raised_by(self, symbol: FunctionSymbol, depth: int = 0) -> Thrown | None:
        """Return a raise of a domain exception that leaves a function, its own or that of a helper it returns."""
        key = (symbol.path, symbol.function.name)
        if key not in self._raised:
            self._raised[key] = None  # while it is being decided
            self._raised[key] = self._find_raise(symbol, depth)
        return self._raised[key]

    def _find_raise(self, symbol: FunctionSymbol, depth: int) -> Thrown | None:
        path, function = symbol
        if self._project.policy(path).style is Style.RETURN:
            return None
        own = self._own_raise(path, function) if function.raises else None
        if own is not None:
            return own
        if depth >= _MAX_DEPTH:
            return None
        for answer in function.returns:
            for call in _calls(answer.value):
                helper = self._resolve(path, function.name, call.name)
                if helper is not None and self._may_answer(*helper):
                    through = self.raised_by(helper, depth + 1)
                    if through is not None:
                        return through
        return None

    def _own_raise(self, path: str, function: Function) -> Thrown | None:
        """Return a raise of a domain exception that leaves a function."""
        domain, policy = self._project.domain, self._project.policy(path)
        distribution = self._project.layout.distribution
        for found in function.raises:
            symbol = domain.class_of(path, function.name, found.value)
            if symbol is not None and distribution(symbol.path) == distribution(path):
                raised = Thrown(path, function, found, symbol)
                if domain.is_domain(symbol, policy) and outcome(self._project, raised).fate is Fate.ESCAPES:
                    return raised
        return None

    # --- declared types -------------------------------------------------------------------------------------------

    def answered_by(self, symbol: FunctionSymbol, depth: int = 0) -> ClassSymbol | None:
        """Return the first declared type that a function answers where errors are returned, also by way of a helper."""
        policy = self._project.policy(symbol.path)
        if policy.style is not Style.RETURN or depth > _MAX_DEPTH:
            return None
        for call in (call for answer in symbol.function.returns for call in _calls(answer.value)):
            found = self._project.names.resolve(symbol.path, call.name, symbol.function.name)
            if isinstance(found, ClassSymbol) and matches(self._project.names.absolute(found), policy.response.names):
                return found
            helper = self._resolve(symbol.path, symbol.function.name, call.name)
            through = self.answered_by(helper, depth + 1) if helper is not None and self._may_answer(*helper) else None
            if through is not None:
                return through
        return None

    # --- answers --------------------------------------------------------------------------------------------------

    def _answers(self, symbol: FunctionSymbol, is_free: Callable[[Value, FunctionSymbol], bool], depth: int) -> bool:
        """Whether all that a function can return is known and free of what is looked for."""
        return all(self._answer(found.value, symbol, is_free, depth) for found in symbol.function.returns)

    def _answer(
        self, value: Value, at: FunctionSymbol, is_free: Callable[[Value, FunctionSymbol], bool], depth: int
    ) -> bool:
        if type(value) is Variable or type(value) is Choice:
            return all(self._answer(item, at, is_free, depth) for item in value.values)
        if type(value) is Call and depth < _MAX_DEPTH:
            helper = self._resolve(at.path, at.function.name, value.name)
            if helper is not None and self._may_answer(*helper):
                return self._answers(helper, is_free, depth + 1)
        return is_free(value, at)

    def _is_known(self, value: Value, at: FunctionSymbol) -> bool:
        """Whether a value is known at all: it may be free of what somebody looks for."""
        if type(value) is Mapping:
            return is_closed(value)
        if type(value) is not Call:
            return type(value) in (Constant, Text, Sequence)
        if value.name in _PLAIN | _TEXTS | _LISTS:
            return True
        symbol = self._project.names.resolve(at.path, value.name, at.function.name)
        return isinstance(symbol, ClassSymbol)

    def _is_free(self, inspection: Inspection, value: Value, at: FunctionSymbol) -> bool:
        """Whether a value is known and has nothing of what an inspection looks for."""
        how, key = inspection.how, inspection.key
        if type(value) is Constant:
            return True
        if type(value) is Mapping:
            if how in ("attribute", "isinstance"):
                return True
            told = [entry.value for entry in value.entries if entry.key == key]
            return is_closed(value) and all(_passes(inspection, item) for item in told)
        if type(value) is Text:
            return how not in ("in", "unpacked", "isinstance")
        if type(value) is Sequence:
            return how in ("get", "attribute") or (how == "item" and value.kind == "list")
        if type(value) is not Call:
            return False
        if value.name in _PLAIN:
            return True
        if value.name in _TEXTS:
            return how not in ("in", "unpacked", "isinstance")
        if value.name in _LISTS:
            return how in ("get", "attribute", "item")
        symbol = self._project.names.resolve(at.path, value.name, at.function.name)
        return isinstance(symbol, ClassSymbol) and self._is_free_object(symbol, how, key)

    def _is_free_object(self, symbol: ClassSymbol, how: str, key: str) -> bool:
        """Whether no object of a class of the project has what an inspection looks for."""
        line = self._project.hierarchy.line(symbol)
        if how == "unpacked" or not _MODELS.issuperset(line.outside):
            return False
        is_dict = any(name.endswith("TypedDict") for name in line.outside)
        is_asked_as_dict = how in ("get", "in", "item")
        for base in line.own:
            if how == "isinstance" and base.definition.name == key.rpartition(".")[2]:
                return False
            if base.definition.members is None or base.definition.decorators not in ((), ("dataclass",)):
                return False
            if is_asked_as_dict and any(entry.key in _LOOKUPS for entry in base.definition.members):
                return False
            if (is_dict or not is_asked_as_dict) and any(entry.key == key for entry in base.definition.members):
                return False
            if self._project.names.own_method(base, "__getattr__") is not None:
                return False
        return True


def _passes(inspection: Inspection, value: Value) -> bool:
    """Whether a status says for certain that there is no error, and is compared with what says that there is one.

    Any other text, such as ``pending``, may be the state of the thing that is answered, which changes later.
    """
    status = constant_text(value)
    if not inspection.texts or status is None:
        return False
    if inspection.texts[0].lower() in STATUS_MARKS:
        return inspection.is_negated and status in inspection.texts
    return status.lower() in STATUS_MARKS


def _calls(value: Value) -> Iterator[Call]:
    """Yield the calls by name whose result a value may be."""
    found = (each for each in alternatives(value) if type(each) is Call)
    return (call for call in found if call.name and not call.name.startswith("."))
