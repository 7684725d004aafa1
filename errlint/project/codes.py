"""The error codes of a project: where they are registered, where they are used, and which registry a use belongs to.

Registries are enums, classes of constants, dicts and ``Literal`` aliases with the name of one
(:data:`errlint.error_keywords.REGISTRY_NAME`) or in ``codes.registry`` of the policy, the policy's own
``codes.vocabulary``, and where there is nothing else the exception classes that carry a code of their own.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import takewhile
from typing import TYPE_CHECKING, NamedTuple

from errlint.error_keywords import ERROR_KEYS, LOG_METHODS, PROTOCOL_CODES, REGISTRY_NAME
from errlint.facts import (
    Call,
    Called,
    Case,
    Choice,
    Constant,
    Function,
    Mapping,
    Ref,
    Sequence,
    Text,
    Value,
    Variable,
    constant_text,
    keyed,
    only,
)
from errlint.findings import Span
from errlint.lazy import cached_property
from errlint.patterns import Patterns
from errlint.project.arguments import bound_to
from errlint.project.domain import matches
from errlint.project.evaluation import hole_name
from errlint.project.fields import Error
from errlint.project.matched import expected
from errlint.project.names import ClassSymbol, ExternalSymbol, FunctionSymbol, Symbol, ValueSymbol
from errlint.project.problems import problems
from errlint.project.raise_outcome import thrown
from errlint.project.registry import (
    NOWHERE,
    Registered,
    Registry,
    RegistryKind,
    texts_of,
    told,
)
from errlint.settings import Policy
from errlint.settings.policy import bare_name

if TYPE_CHECKING:
    from errlint.project import Project

MAX_DEPTH = 6
OWN_CODES = 3
"""From how many codes on the exception classes of a distribution are taken for its registry."""

_CODE = re.compile(r"[A-Za-z][A-Za-z0-9]*(?:[._:/\-][A-Za-z0-9]+)*")
_CONSTANT_NAME = re.compile(r"[A-Z][A-Z0-9_]*")
_ENUM = re.compile(r"Enum$")
_SUBSET = re.compile(r"(?i)retr(?:y|i)|transient|ignor|fatal|skip|known|expected|permanent")
"""In the name of a list of codes: it holds only some of them."""

_ENDING = re.compile(r"(?:error|exception|err)$")

_CLASS_NAME = re.compile(r"(?:\)|\.__class__)\.__(?:qual)?name__(?:\.(?:lower|upper|casefold|strip))?$")
"""How the name of an exception's class ends."""

_HOLDER = ("value", "name", "code")
"""Attributes of a registered code that stand for it."""


class CodeValue(NamedTuple):
    """One code that a value can be.

    ``text`` is what is sent, ``is_literal`` whether it is written out as a string, ``member`` the registered code that
    is named, with its registry; ``missing`` a name that its registry does not have. ``written`` is the file and the
    statement in which it is written, where that is a constant, a member or a table.
    """

    text: str | int
    is_literal: bool
    registry: Registry | None = None
    member: Registered | None = None
    missing: bool = False
    written: tuple[str, Span] | None = None


class Usage(NamedTuple):
    """A code in a place where codes stand: how (``raise``, ``payload``, ``class``, ``default``, …) and as what."""

    path: str
    function: str
    place: Span
    how: str
    argument: str
    found: CodeValue

    @property
    def owner(self) -> str:
        """The name of the class whose attribute or constructor it is."""
        return self.function.removesuffix(".__init__")

    @property
    def is_named_after(self) -> bool:
        """Whether a code is the name of its class: ``not_found`` of ``NotFoundError``."""
        return _letters(str(self.found.text)) == _letters(self.owner.rpartition(".")[2])


class Codes:
    """Answers questions about the codes of one project."""

    def __init__(self, project: Project) -> None:
        self._project = project
        self._names = project.names
        self._hierarchy = project.hierarchy
        self._domain = project.domain
        self._tests = Patterns(project.settings.tests)
        self._classes: dict[tuple[str, str], Registry | None] = {}
        self._usages: dict[str, tuple[Usage, ...]] = {}
        self._own: dict[str, tuple[Usage, ...]] = {}
        self._spoken: dict[str, bool] = {}
        self._owned: dict[str, tuple[tuple[str, CodeValue], ...]] = {}
        self._shared: dict[str, list[tuple[Usage, ...]]] = {}
        self._known: dict[tuple[str, str], tuple[Registry, ...]] = {}
        self._configured: dict[tuple[str, ...], tuple[Registry, ...]] = {}

    def applies(self, path: str) -> bool:
        """Whether the codes of a file are looked at: its distribution has adapters, or its policy speaks of codes."""
        project = self._project
        return project.layout.distribution(path) in project.adapters.distributions or project.is_governed(path)

    def are_known(self, path: str) -> bool:
        """Whether a code in a file can be compared with anything: its policy or its distribution has codes."""
        codes = self._project.policy(path).codes
        if codes.registry or codes.vocabulary or codes.status or codes.prefixed or codes.validation:
            return True
        distribution = self._project.layout.distribution(path)
        if distribution not in self._spoken:
            own = {usage.found.text for other in self._files(distribution) for usage in self.own(other)}
            self._spoken[distribution] = bool(self._recognised.get(distribution)) or len(own) >= OWN_CODES
        return self._spoken[distribution] or any(
            REGISTRY_NAME.search(item.attribute) for item in self._project.modules[path].imports
        )

    @cached_property
    def _paths(self) -> dict[str, list[str]]:
        """The files of each distribution that are no tests."""
        found: dict[str, list[str]] = {}
        for path in self._project.modules:
            if not self._tests.matches(path):
                found.setdefault(self._project.layout.distribution(path), []).append(path)
        return found

    def _files(self, distribution: str) -> list[str]:
        return self._paths.get(distribution, [])

    # --- registries ---------------------------------------------------------------------------------------------

    @cached_property
    def _recognised(self) -> dict[str, list[Registry]]:
        found: dict[str, list[Registry]] = {}
        for distribution, path in ((name, path) for name, paths in self._paths.items() for path in paths):
            module = self._project.modules[path]
            for definition in module.classes:
                if REGISTRY_NAME.search(definition.name.rpartition(".")[2]):
                    registry = self.of_class(ClassSymbol(path, definition))
                    if registry is not None:
                        found.setdefault(distribution, []).append(registry)
            for assigned in module.assigned:
                if REGISTRY_NAME.search(assigned.name) and not _SUBSET.search(assigned.name):
                    registry = self._of_value(path, assigned.name, assigned.value, assigned.span)
                    if registry is not None and registry.kind is not RegistryKind.LIST:
                        found.setdefault(distribution, []).append(registry)
        return found

    def recognised(self, path: str) -> list[Registry]:
        """Return the registries in the distribution of a file that are known by their names."""
        return self._recognised.get(self._project.layout.distribution(path), [])

    def configured(self, path: str) -> tuple[Registry, ...]:
        """Return the registries that the policy of a file names, its own vocabulary last."""
        codes = self._project.policy(path).codes
        key = (*codes.registry, "", *codes.vocabulary)
        found = self._configured.get(key)
        if found is None:
            named = [registry for name in codes.registry for registry in self._named(name)]
            if codes.vocabulary:
                listed = tuple(Registered(name, "", NOWHERE, item.status) for name, item in codes.vocabulary.items())
                named.append(Registry("", "the vocabulary", RegistryKind.POLICY, NOWHERE, listed))
            found = self._configured[key] = tuple(named)
        return found

    def _named(self, name: str) -> Iterator[Registry]:
        """Yield the registries that a dotted name of the policy means."""
        last = bare_name(name)
        is_dotted, found = self._defined(name)
        if is_dotted:
            registry = self.of_symbol(found, last)
            if registry is not None:
                yield registry
            return
        for path, module in self._project.modules.items():
            self._names.resolve(path, last)  # notes that it is to be read, wherever it is defined
            for definition in module.classes:
                symbol = ClassSymbol(path, definition)
                if matches(self._names.absolute(symbol), (name,)):
                    registry = self.of_class(symbol)
                    if registry is not None:
                        yield registry
            for assigned in module.assigned:
                if matches(f"{self._project.layout.module_name(path)}.{assigned.name}", (name,)):
                    registry = self._of_value(path, assigned.name, assigned.value, assigned.span)
                    if registry is not None:
                        yield registry

    def _defined(self, name: str) -> tuple[bool, Symbol | None]:
        """Return whether a dotted name of the policy begins with a module of the project, and what it means there."""
        parts = name.replace(":", ".").split(".")
        for cut in range(len(parts) - 1, 0, -1):
            target = self._project.layout.find(".".join(parts[:cut]), "")
            if target is not None:
                return True, self._names.resolve(target, ".".join(parts[cut:]))
        return False, None

    def of_symbol(self, symbol: Symbol | None, name: str) -> Registry | None:
        """Return the registry that a definition is."""
        if isinstance(symbol, ClassSymbol):
            return self.of_class(symbol)
        if isinstance(symbol, ValueSymbol):
            span = next(
                (item.span for item in self._project.modules[symbol.path].assigned if item.name == name), NOWHERE
            )
            return self._of_value(symbol.path, name, symbol.value, span)
        return None

    def of_class(self, symbol: ClassSymbol) -> Registry | None:
        """Return the registry that a class is: an enum, or a class of nothing but constants."""
        key = (symbol.path, symbol.definition.name)
        if key not in self._classes:
            self._classes[key] = self._of_class(symbol)
        return self._classes[key]

    def _of_class(self, symbol: ClassSymbol) -> Registry | None:
        definition = symbol.definition
        if not definition.members or self._hierarchy.is_exception(symbol):
            return None
        bases = {base.rpartition(".")[2] for base in self._hierarchy.base_names(symbol)}
        is_enum = any(_ENUM.search(base) for base in bases)
        if not is_enum and bases - {"object"}:
            return None
        kind = RegistryKind.CONSTANTS
        if is_enum:
            kind = RegistryKind.TEXT_ENUM if bases & {"str", "StrEnum"} else RegistryKind.ENUM
        codes: list[Registered] = []
        is_open = False
        seen: set[str | int] = set()
        for entry, place in zip(definition.members, definition.places):  # noqa: B905 -- equal by construction
            name = entry.key or ""
            is_method = self._names.own_method(symbol, name) is not None
            if is_method or name.startswith("_") or (not is_enum and not _CONSTANT_NAME.fullmatch(name)):
                continue
            value, status = told(entry.value)
            is_auto = type(entry.value) is Call and entry.value.name.rpartition(".")[2] == "auto"
            if is_auto:
                value = name.lower() if "StrEnum" in bases else name
            if value is None and type(entry.value) is Ref:
                original = next((code.value for code in codes if code.member == entry.value.name), None)
                codes.append(Registered(original, name, place, repeats=True))
                continue
            if value is None:
                is_open = True
                if not is_enum:
                    continue
            repeats = name in definition.remarked and value in seen
            if value is not None:
                seen.add(value)
            codes.append(Registered(value, name, place, status, repeats, not is_auto))
        if not codes or (not is_enum and len(codes) < 2):
            return None
        return Registry(symbol.path, definition.name, kind, definition.span, tuple(codes), is_open)

    def _of_value(self, path: str, name: str, value: Value, span: Span) -> Registry | None:
        """Return the registry that a value at module level is: a dict, a ``Literal`` alias, a list of codes."""
        if type(value) is Mapping:
            if value.spreads or not value.entries or any(entry.key is None for entry in value.entries):
                return None
            if not all(_CODE.fullmatch(entry.key or "") or "_" in (entry.key or "") for entry in value.entries):
                return None
            codes = tuple(Registered(entry.key, "", span, told(entry.value)[1]) for entry in value.entries)
            return Registry(path, name, RegistryKind.MAPPING, span, codes)
        kind = RegistryKind.LITERAL
        items: list[Value] = []
        if type(value) is Call and value.name.rpartition(".")[2] == "Literal":
            items = [argument.value for argument in value.arguments]
        elif type(value) is Call and value.name in ("frozenset", "set", "tuple", "list") and len(value.arguments) == 1:
            inner = value.arguments[0].value
            items, kind = list(inner.items) if type(inner) is Sequence else [], RegistryKind.LIST
        elif type(value) is Sequence:
            items, kind = list(value.items), RegistryKind.LIST
        texts = [found.text for item in items for found in self.resolved(path, "", item)]
        if not texts or len(texts) < len(items) or not all(isinstance(text, str) for text in texts):
            return None
        return Registry(path, name, kind, span, tuple(Registered(text, "", span) for text in texts))

    def registered_in(self, path: str) -> Iterator[Registry]:
        """Yield the registries that stand in a file."""
        found = dict.fromkeys((*self.recognised(path), *self.configured(path)))
        yield from (
            registry for registry in found if registry.path == path and registry.kind is not RegistryKind.POLICY
        )

    def repeated_in(self, path: str) -> Iterator[Registry]:
        """Yield the enumerations of a file that are no registries, but whose values are all codes of the vocabulary."""
        known = self._project.policy(path).codes.vocabulary
        others = {registry.name for registry in self.registered_in(path)}
        for definition in self._project.modules[path].classes if known else ():
            registry = self.of_class(ClassSymbol(path, definition)) if definition.name not in others else None
            is_enum = (
                registry is not None
                and registry.kind in (RegistryKind.ENUM, RegistryKind.TEXT_ENUM)
                and not registry.is_open
            )
            if registry is not None and is_enum and all(code.value in known for code in registry.codes):
                yield registry

    def misnamed_in(self, path: str) -> Iterator[tuple[str, str, Span]]:
        """Yield the constants and members of a file that are named after one code of the vocabulary and are another."""
        known = self._project.policy(path).codes.vocabulary
        module = self._project.modules[path]
        named = [("", item.name, item.value, item.span) for item in module.assigned if known]
        for definition in module.classes if known else ():
            places = zip(definition.members or (), definition.places)  # noqa: B905 -- equal by construction
            named += [
                (f"{definition.name}.", entry.key or "", entry.value, place)
                for entry, place in places
                if entry.key not in definition.remarked
            ]
        for holder, name, value, place in named:
            text = told(value)[0] if type(value) is Text else None
            if _CONSTANT_NAME.fullmatch(name) and name.lower() in known and text in known and text != name.lower():
                yield f"{holder}{name}", str(text), place

    def is_spoken_of(self, registry: Registry) -> bool:
        """Whether the policy names a registry or one of its codes, where it names any: others may be of anything."""
        named = self.configured(registry.path)
        return not named or any(each == registry or texts_of(each) & texts_of(registry) for each in named)

    # --- what a value is ----------------------------------------------------------------------------------------

    def resolved(self, path: str, scope: str, value: Value, depth: int = 0) -> Iterator[CodeValue]:
        """Yield the codes that a value in a function can be; nothing for what cannot be told."""
        if depth > MAX_DEPTH:
            return
        if type(value) is Text:
            if text := constant_text(value):
                yield CodeValue(text, is_literal=True)
        elif type(value) is Constant:
            if isinstance(value.value, int) and not isinstance(value.value, bool):
                yield CodeValue(value.value, is_literal=True)
        elif type(value) is Variable or type(value) is Choice:
            for item in value.values:
                yield from self.resolved(path, scope, item, depth + 1)
        elif type(value) is Ref:
            yield from self._referred(path, scope, value.name, depth)
        elif (
            type(value) is Call
            and len(value.arguments) == 1
            and value.name
            and (value.name == "str" or self._registry_at(path, scope, value.name) is not None)
        ):
            yield from self.resolved(path, scope, value.arguments[0].value, depth + 1)
        else:
            yield from self._stood_for(path, scope, value, depth)

    def _stood_for(self, path: str, scope: str, value: Value, depth: int) -> Iterator[CodeValue]:
        """Yield the codes of what an expression stands for: a constant, a field of one, what a table holds."""
        for step in self._project.values.meant(path, scope, value):
            for found in self.resolved(*step, depth + 1):
                written = found.written or self._project.values.written(path, scope, value)
                yield found._replace(is_literal=False, written=written)

    def _registry_at(self, path: str, scope: str, name: str) -> Registry | None:
        symbol = self._names.resolve(path, name, scope)
        if not isinstance(symbol, ClassSymbol):
            return None
        if REGISTRY_NAME.search(symbol.definition.name) or any(
            registry.path == symbol.path and registry.name == symbol.definition.name
            for registry in self.configured(path)
        ):
            return self.of_class(symbol)
        return None

    def _referred(self, path: str, scope: str, name: str, depth: int) -> Iterator[CodeValue]:
        holder, _, attribute = name.rpartition(".")
        if holder and attribute in _HOLDER:
            above, _, member = holder.rpartition(".")
            registry = self._registry_at(path, scope, above) if above else None
            if registry is not None:
                yield from self._member(registry, member)
                return
        registry = self._registry_at(path, scope, holder) if holder else None
        if registry is not None:
            yield from self._member(registry, attribute)
            return
        yield from self._stood_for(path, scope, Ref(name), depth)

    def _member(self, registry: Registry, name: str) -> Iterator[CodeValue]:
        for code in registry.codes:
            if code.member == name:
                yield CodeValue(code.text, is_literal=False, registry=registry, member=code)
                return
        symbol = self._names.resolve(registry.path, f"{registry.name}.{name}")
        if symbol is None and name.isidentifier() and not name.startswith("_") and name.isupper():
            yield CodeValue(name, is_literal=False, registry=registry, missing=True)

    # --- uses ---------------------------------------------------------------------------------------------------

    def usages(self, path: str) -> tuple[Usage, ...]:
        """Return the places in a file where codes stand, with the codes."""
        if path not in self._usages:
            self._usages[path] = tuple(dict.fromkeys(self._collect(path)))
        return self._usages[path]

    def _collect(self, path: str) -> Iterator[Usage]:
        policy = self._project.policy(path)
        for function in self._project.modules[path].bodies if self.are_known(path) else ():
            yield from self._of_raises(path, function, policy)
            yield from self._of_returns(path, function, policy)
            yield from self._of_logs(path, function, policy)
            yield from self._of_decorators(path, function, policy)
        if self.are_known(path):
            yield from self._of_records(path, policy)
        yield from self.own(path)

    def written(self, path: str) -> tuple[Usage, ...]:
        """Return the uses of the codes that are written in a file, each in the place where it is."""
        here = (usage for usage in self.usages(path) if usage.found.written is None)
        return (*here, *self._written.get(path, ()))

    def compared(self, path: str) -> Iterator[Usage]:
        """Yield the codes that callers in a file compare those of domain exceptions with."""
        arguments = frozenset(self._project.policy(path).codes.arguments)
        for each in expected(self._project, path, arguments):
            found = CodeValue(each.text, is_literal=True)
            yield Usage(path, each.function.name, each.span, "compared", each.field, found)

    @cached_property
    def _written(self) -> dict[str, list[Usage]]:
        """The uses of codes that constants, members and tables of each file have, by the places of these."""
        found: dict[str, dict[Usage, None]] = {}
        for path in self._project.modules:
            for usage in self.usages(path) if self.applies(path) else ():
                if usage.found.written is not None:
                    there, place = usage.found.written
                    moved = usage._replace(path=there, place=place, function="")
                    found.setdefault(there, {}).setdefault(moved)
        return {path: [*usages] for path, usages in found.items()}

    def own(self, path: str) -> tuple[Usage, ...]:
        """Return the codes that the exception classes of a file say they have."""
        if path not in self._own:
            self._own[path] = tuple(self._of_classes(path))
        return self._own[path]

    def _of_classes(self, path: str) -> Iterator[Usage]:
        policy = self._project.policy(path)
        module = self._project.modules[path]
        for function in module.functions:
            if function.owner and function.name.endswith(".__init__") and self._is_of_domain(path, function, policy):
                yield from self._of_constructor(path, function, policy)
        for definition in module.classes:
            symbol = ClassSymbol(path, definition)
            if not self._domain.is_domain(symbol, policy):
                continue
            for entry, place in zip(definition.members or (), definition.places):  # noqa: B905
                if entry.key in policy.codes.arguments:
                    yield from self._used(path, definition.name, place, "class", entry.key, entry.value)

    def _used(self, path: str, scope: str, place: Span, how: str, argument: str, value: Value) -> Iterator[Usage]:
        for found in self.resolved(path, scope, value):
            yield Usage(path, scope, place, how, argument, found)

    def _of_raises(self, path: str, function: Function, policy: Policy) -> Iterator[Usage]:
        for found in function.raises:
            value = only(found.value)
            for name, item in self.fields(path, function.name, value, policy):
                if name in policy.codes.arguments:
                    yield from self._used(path, function.name, found.span, "raise", name, item)
            prefix = self.prefixed(path, function.name, value, policy)
            if prefix is not None and prefix.code is not None:
                yield from self._used(path, function.name, found.span, "message", "message", prefix.code)
                named = class_name(prefix.code)
                if named:
                    found_name = CodeValue(named, is_literal=False)
                    yield Usage(path, function.name, found.span, "named", "message", found_name)

    def fields(
        self, path: str, scope: str, value: Value, policy: Policy, *, made: bool = False
    ) -> Iterator[tuple[str, Value]]:
        """Yield what is handed to a domain exception, or to a function that makes one, by the parameters' names.

        With ``made`` only to an exception itself.
        """
        if type(value) is not Call:
            return
        symbol = self._names.resolve(path, value.name, scope)
        if isinstance(symbol, ClassSymbol) and self._domain.is_domain(symbol, policy):
            construction = self._domain.construction(path, scope, value)
            if construction is not None:
                yield from construction.passed.items()
        elif isinstance(symbol, FunctionSymbol) and not made:
            yield from bound_to(symbol.function, value).passed.items()

    def _of_returns(self, path: str, function: Function, policy: Policy) -> Iterator[Usage]:
        for found in function.returns:
            for name, value in self.fields(path, function.name, only(found.value), policy, made=True):
                if name in policy.codes.arguments:
                    yield from self._used(path, function.name, found.span, "raise", name, value)
            for problem in problems(found.value):
                for name, value in keyed(problem.value).items():
                    if name in policy.codes.arguments:
                        yield from self._used(path, function.name, found.span, "payload", name, value)
            if self._project.classifier.classify(path, function, found) is None:
                continue
            for name, value in self.parts(path, function.name, found.value, policy):
                if name in policy.codes.arguments:
                    yield from self._used(path, function.name, found.span, "payload", name, value)

    def parts(self, path: str, scope: str, value: Value, policy: Policy, depth: int = 0) -> Iterator[tuple[str, Value]]:
        """Yield the named parts of an error payload or object: at the top, and below an error key."""
        if depth > 3:
            return
        if type(value) is Variable or type(value) is Choice:
            for item in value.values:
                yield from self.parts(path, scope, item, policy, depth + 1)
        elif type(value) is Sequence and len(value.items) == 1:
            yield from self.parts(path, scope, value.items[0], policy, depth + 1)
        elif type(value) is Mapping:
            for entry in value.entries:
                if entry.key is None:
                    continue
                yield entry.key, entry.value
                if entry.key.lower() in ERROR_KEYS or (depth and entry.key.lower() == "data"):
                    yield from self.parts(path, scope, entry.value, policy, depth + 1)
        elif type(value) is Call:
            yield from self._handed(path, scope, value, policy, depth)

    def _handed(self, path: str, scope: str, value: Call, policy: Policy, depth: int) -> Iterator[tuple[str, Value]]:
        symbol = self._names.resolve(path, value.name, scope) if value.name else None
        if isinstance(symbol, FunctionSymbol):
            yield from bound_to(symbol.function, value).passed.items()
        elif isinstance(symbol, ClassSymbol):
            construction = self._domain.construction(path, scope, value)
            if construction is not None:
                yield from construction.passed.items()
        elif value.name.rpartition(".")[2] in ("dumps", "model_dump", "to_dict"):
            for item in (*(argument.value for argument in value.arguments if not argument.name), value.inner):
                if item is not None:
                    yield from self.parts(path, scope, item, policy, depth + 1)

    def _of_records(self, path: str, policy: Policy) -> Iterator[Usage]:
        """Yield the types of error records; the name of whatever exception was caught is none."""
        name = policy.payload.type_field
        for record in self._project.records.of(path) if name else ():
            said = record.fields.get(name)
            if said is None:
                continue
            place, named = record.place(name), class_name(said.value)
            if named:
                yield Usage(path, record.function.name, place, "record", name, CodeValue(named, is_literal=False))
            for found in self.resolved(said.path, said.scope, said.value):
                yield Usage(path, record.function.name, place, "record", name, found)
        known = {*policy.codes.vocabulary, *policy.taxonomy.recoveries}
        for function in self._project.modules[path].functions if name else ():
            if known.isdisjoint(text for asked in function.compared for text in asked.texts):
                continue  # records of others have types, too
            for asked in function.compared:
                for text in asked.texts if asked.key == name else ():
                    yield Usage(path, function.name, asked.span, "record", name, CodeValue(text, is_literal=True))

    def _of_logs(self, path: str, function: Function, policy: Policy) -> Iterator[Usage]:
        for called in function.calls:
            if called.value.name.rpartition(".")[2] in LOG_METHODS:
                yield from self._of_call(path, function, called, "log", policy)

    def _of_call(self, path: str, function: Function, called: Called, how: str, policy: Policy) -> Iterator[Usage]:
        for argument in called.value.arguments:
            if argument.name in policy.codes.arguments:
                yield from self._used(path, function.name, called.span, how, argument.name, argument.value)
            extra = only(argument.value)
            if argument.name == "extra" and type(extra) is Mapping:
                for entry in extra.entries:
                    if entry.key in policy.codes.arguments:
                        yield from self._used(path, function.name, called.span, how, entry.key, entry.value)

    def _of_decorators(self, path: str, function: Function, policy: Policy) -> Iterator[Usage]:
        for decoration in function.decorations:
            for argument in decoration.arguments if type(decoration) is Call else ():
                if argument.name in policy.codes.arguments:
                    yield from self._used(path, "", function.span, "decorator", argument.name, argument.value)

    def _of_constructor(self, path: str, function: Function, policy: Policy) -> Iterator[Usage]:
        for called in function.calls:
            if called.value.name.rpartition(".")[2] == "__init__":
                yield from self._of_call(path, function, called, "class", policy)
        for parameter in function.parameters:
            if parameter.name in policy.codes.arguments and parameter.default is not None:
                yield from self._used(path, function.name, function.span, "default", parameter.name, parameter.default)
        for entry in function.stores:
            if entry.key in policy.codes.arguments and type(entry.value) is not Variable:
                yield from self._used(path, function.name, function.span, "class", entry.key, entry.value)

    def _is_of_domain(self, path: str, function: Function, policy: Policy) -> bool:
        return self._domain.is_domain(self._names.enclosing_class(path, function.name), policy)

    # --- messages that begin with a code ------------------------------------------------------------------------

    def prefixed(self, path: str, scope: str, value: Value, policy: Policy) -> Prefix | None:
        """Return how the message of a raised exception begins, where the policy wants it to begin with a code."""
        if not policy.codes.prefix or not policy.codes.prefixed or type(value) is not Call:
            return None
        symbol = self._names.resolve(path, value.name, scope)
        if isinstance(symbol, ClassSymbol):
            names: Iterable[str] = self._hierarchy.ancestors(symbol)
        else:
            names = (symbol.name if isinstance(symbol, ExternalSymbol) else value.name,)
        if not any(matches(name, policy.codes.prefixed) for name in names):
            return None
        message = next((item.value for item in value.arguments if item.name in ("", "message")), None)
        if isinstance(symbol, ClassSymbol):
            if self._names.member(symbol, "__str__") is not None:
                return None  # that may write the code
            if (made := self._domain.constructor(symbol)) is not None:
                message = self._handed_on(made.function, value)
        return self._beginning(path, scope, message, policy) if message is not None else None

    def _beginning(self, path: str, scope: str, message: Value, policy: Policy) -> Prefix | None:
        """Return how a text begins, ``None`` where that cannot be told."""
        text = self._project.evaluator.written(path, scope, message)
        parts = [part for part in text.parts if part != ""] if text is not None else []
        if not parts:
            return None
        before, _, after = policy.codes.prefix.partition("{code}")
        first = parts[0]
        if not isinstance(first, str):
            is_bare = len(parts) == 1 or self._is_other(path, scope, first, before, policy)
            return Prefix(None, is_there=False) if before and is_bare else None
        if not first.startswith(before):
            return Prefix(None, is_there=False)
        rest = first[len(before) :]
        if not rest:  # f"[{code}] text"
            hole = parts[1] if len(parts) > 1 and not isinstance(parts[1], str) else None
            following = parts[2] if len(parts) > 2 else ""
            there = hole is not None and isinstance(following, str) and following.startswith(after.rstrip() or after)
            return Prefix(hole, is_there=there)
        code, found, _ = rest.partition(after.rstrip() or after)
        there = bool(found) and bool(_CODE.fullmatch(code) or code.replace("_", "").isalnum())
        return Prefix(Text((code,)) if there else None, is_there=there)

    def _is_other(self, path: str, scope: str, value: Value, before: str, policy: Policy) -> bool:
        """Whether what stands first in a text is certainly not the beginning of the prefix, such as the bare code."""
        if hole_name(value) in policy.codes.arguments:
            return True
        filled = self._project.evaluator.filled(path, scope, value)
        texts = {*self._project.values.texts(path, scope, filled)}
        return bool(texts) and all(text and not text.startswith(before[:1]) for text in texts)

    def _handed_on(self, constructor: Function, value: Call) -> Value | None:
        """Return the argument that a constructor hands on as the message, ``None`` where it makes one of its own."""
        _, message = _message_of(constructor)
        return bound_to(constructor, value).passed.get(message.name) if type(message) is Ref else None

    def unprefixed(self, path: str, constructor: Function) -> Span | None:
        """Return where a constructor of exceptions hands a text without the code on, ``None`` where it does not.

        A text of its own is one without the code; one that it is given is, where it or its class has the code and no
        raise gives a text that begins with it.
        """
        policy = self._project.policy(path)
        symbol = self._names.enclosing_class(path, constructor.name)
        if symbol is None or not constructor.name.endswith(".__init__") or not self._is_prefixed(symbol, policy):
            return None
        place, message = _message_of(constructor)
        if place is None or message is None or self._names.member(symbol, "__str__") is not None:
            return None
        if type(message) is not Ref or all(item.name != message.name for item in constructor.parameters):
            begins = self._beginning(path, constructor.name, message, policy)
            return place if begins is not None and not begins.is_there else None
        given = {item.name: item.default for item in constructor.parameters}
        held = [(item.name, item.default) for item in constructor.parameters]
        held += [
            (entry.key or "", given.get(entry.value.name) if type(entry.value) is Ref else entry.value)
            for entry in (*constructor.stores, *(symbol.definition.members or ()))
        ]
        has_code = any(name in policy.codes.arguments and value != Constant(None) for name, value in held)
        handed = self._handed_texts.get((path, constructor.name), set())
        return place if has_code and handed == {False} else None

    @cached_property
    def _handed_texts(self) -> dict[tuple[str, str], set[bool]]:
        """Whether the texts begin with the code that raises hand to constructors of exceptions."""
        found: dict[tuple[str, str], set[bool]] = {}
        for path in self._project.modules:
            policy = self._project.policy(path)
            for function in self._project.modules[path].functions if policy.codes.prefixed else ():
                for raised in function.raises:
                    value = only(raised.value)
                    symbol = self._names.resolve(path, value.name, function.name) if type(value) is Call else None
                    made = self._domain.constructor(symbol) if isinstance(symbol, ClassSymbol) else None
                    prefix = self.prefixed(path, function.name, value, policy) if made is not None else None
                    if made is not None and prefix is not None:
                        found.setdefault((made.path, made.function.name), set()).add(prefix.is_there)
        return found

    def is_at_fault(self, path: str, scope: str, value: Value) -> bool:
        """Whether a raise without the code is itself wrong, and not the constructor that should have written it."""
        symbol = self._names.resolve(path, value.name, scope) if type(value) is Call else None
        made = self._domain.constructor(symbol) if isinstance(symbol, ClassSymbol) else None
        return made is None or self.unprefixed(made.path, made.function) is None

    def _is_prefixed(self, symbol: ClassSymbol, policy: Policy) -> bool:
        """Whether the messages of a class of exceptions begin with their codes."""
        return bool(policy.codes.prefix) and any(
            matches(name, policy.codes.prefixed) for name in self._hierarchy.ancestors(symbol)
        )

    # --- which registry a use belongs to ------------------------------------------------------------------------

    def registries(self, usage: Usage) -> tuple[Registry, ...]:
        """Return the registries that a use certainly belongs to; none where that cannot be told."""
        if usage.found.registry is not None and usage.found.missing:
            return (usage.found.registry,)
        policy = self._project.policy(usage.path)
        if policy.codes.registry or policy.codes.vocabulary:
            return self.configured(usage.path)
        key = (self._project.layout.distribution(usage.path), usage.argument)
        if key not in self._known:
            self._known[key] = self._inferred(*key)
        return self._known[key]

    def _inferred(self, distribution: str, argument: str) -> tuple[Registry, ...]:
        """Return the registries that most uses in a distribution name codes of."""
        uses = [
            usage
            for path in self._files(distribution)
            for usage in self.usages(path)
            if usage.argument == argument and isinstance(usage.found.text, str)
        ]
        named = tuple(self._recognised.get(distribution, ()))
        known, unknown = _split(uses, named)
        if named and known >= 2 and known > unknown:
            return named
        own = self._own_codes(distribution, argument)
        if named or own is None:
            return ()
        known, unknown = _split([usage for usage in uses if usage.how not in ("class", "default")], (own,))
        return (own,) if known >= 3 and unknown * 3 <= known else ()

    def _own_codes(self, distribution: str, argument: str) -> Registry | None:
        """Return the exception classes of a distribution as a registry of the codes they carry."""
        found: dict[str, Registered] = {}
        first = ""
        for path in self._files(distribution):
            for usage in self.own(path):
                if usage.argument == argument:
                    text = usage.found.text
                    if isinstance(text, str):
                        first = first or path
                        found.setdefault(text, Registered(text, "", usage.place))
        if len(found) < OWN_CODES:
            return None
        return Registry(first, "the exception classes", RegistryKind.EXCEPTIONS, NOWHERE, tuple(found.values()))

    def is_registered(self, found: CodeValue, registries: tuple[Registry, ...]) -> bool:
        """Whether a code is in one of some registries."""
        if found.member is not None or found.text in PROTOCOL_CODES:
            return True
        return any(registry.is_open or found.text in texts_of(registry) for registry in registries)

    # --- codes that classes share ---------------------------------------------------------------------------------

    def shared_by_classes(self, path: str) -> list[tuple[Usage, ...]]:
        """Return, for the distribution of a file, the codes that several exception classes carry by accident."""
        distribution = self._project.layout.distribution(path)
        if distribution not in self._shared:
            self._shared[distribution] = list(self._find_shared(distribution))
        return self._shared[distribution]

    def _find_shared(self, distribution: str) -> Iterator[tuple[Usage, ...]]:
        # By the name of the class: a second one of that name is the same error.
        own: dict[str, Usage] = {}
        roots: dict[str, Usage] = {}
        for path in self._files(distribution):
            for usage in self.own(path):
                is_root = self._is_root(usage)
                if is_root and isinstance(usage.found.text, str):
                    roots.setdefault(usage.owner, usage)
                elif not is_root and usage.found.is_literal and isinstance(usage.found.text, str):
                    own.setdefault(usage.owner, usage)
        groups: dict[tuple[str, object], list[Usage]] = {}
        for usage in roots.values():
            groups.setdefault((usage.argument, usage.found.text), []).append(usage)
        yield from (tuple(group) for group in map(self._unrelated, groups.values()) if len(group) > 1)
        groups = {}
        for usage in own.values():
            if not self.registries(usage):
                groups.setdefault((usage.argument, usage.found.text), []).append(usage)
        groups = {key: self._unrelated(group) for key, group in groups.items()}
        alone = sum(len(group) == 1 for group in groups.values())
        shared = sum(len(group) for group in groups.values() if len(group) > 1)
        for (_, text), group in groups.items():
            is_numbered = any(character.isdigit() for character in str(text))
            is_named = len(group) == 2 and any(usage.is_named_after for usage in group)
            if len(group) > 1 and (is_numbered or is_named or shared <= alone):
                yield tuple(group)

    def _is_root(self, usage: Usage) -> bool:
        """Whether a code is that of one of the classes which the policy tells apart: those of `exceptions.root`."""
        roots = self._project.policy(usage.path).exceptions.root
        definition = self._names.resolve(usage.path, usage.owner) if len(roots) > 1 else None
        return isinstance(definition, ClassSymbol) and matches(self._names.absolute(definition), roots)

    def _unrelated(self, group: list[Usage]) -> list[Usage]:
        """Return the uses by classes of which none is below another one: a class may repeat the code of its base."""
        lines = [self._line(usage) for usage in group]
        return [
            usage
            for usage, line in zip(group, lines, strict=True)
            if not any(other is not line and other[:1] and other[0] in line[1:] for other in lines)
        ]

    def _line(self, usage: Usage) -> tuple[str, ...]:
        definition = self._names.resolve(usage.path, usage.owner)
        return self._hierarchy.ancestors(definition) if isinstance(definition, ClassSymbol) else ()

    # --- exceptions without a code ------------------------------------------------------------------------------

    def carriers(self, path: str) -> frozenset[str]:
        """Return the names of attributes and arguments that carry a code or a status in a file."""
        codes = self._project.policy(path).codes
        return frozenset((*codes.arguments, *codes.status_arguments))

    def lacks_code(self, symbol: ClassSymbol) -> bool:
        """Whether an exception has no code although those like it have, or the policy asks for one."""
        policy = self._project.policy(symbol.path)
        if not self._is_used_itself(symbol):
            return False
        if self._carries(symbol):
            return self._is_never_given(symbol)
        codes = policy.codes
        family = self._family(symbol)
        carrying = sum(self._carries(item) for item in family)
        if policy.exceptions.root and (codes.registry or codes.vocabulary or codes.status):
            return carrying > 0 or not self._is_elsewhere(symbol)
        return carrying >= 3 and carrying * 3 >= len(family) * 2

    def _is_never_given(self, symbol: ClassSymbol) -> bool:
        """Whether whoever makes an exception has to give it its code, and all of them leave it out."""
        names = self.carriers(symbol.path)
        found = self._domain.constructor(symbol)
        if found is None:
            return False
        needed = {item.name for item in found.function.parameters if item.default is None and item.kind in ("", "kw")}
        by_name = {item.name for item in found.function.parameters if item.kind == "kw"}
        nearer = takewhile(
            lambda base: f"{base.definition.name}.__init__" != found.function.name,
            self._hierarchy.bases(symbol),
        )
        if needed.isdisjoint(names) or any(
            entry.key in names for base in nearer for entry in base.definition.members or ()
        ):
            return False
        made = self._made.get((symbol.path, symbol.definition.name), ())
        is_closed = needed & names <= by_name  # what has no name in the constructor is not the code
        return bool(made) and all(
            not (error.is_spread if is_closed else error.is_open) and names.isdisjoint(error.passed) for error in made
        )

    @cached_property
    def _made(self) -> dict[tuple[str, str], list[Error]]:
        """The errors that are made of each class of the project."""
        found: dict[tuple[str, str], list[Error]] = {}
        for path in self._project.modules:
            for error in self._project.fields.of(path):
                if error.symbol is not None:
                    found.setdefault((error.symbol.path, error.symbol.definition.name), []).append(error)
        return found

    def _is_elsewhere(self, symbol: ClassSymbol) -> bool:
        """Whether domain exceptions with codes are all below other bases than a class is."""
        policy = self._project.policy(symbol.path)
        return any(
            self._carries(item)
            for top, family in self._families.items()
            if top != self._top(symbol)
            for item in family
            if self._domain.is_domain(item, policy)
        )

    def example(self, symbol: ClassSymbol) -> ClassSymbol | None:
        """Return an exception of the same kind that has a code."""
        family = self._family(symbol)
        return next((item for item in family if self._carries(item) and not self._is_never_given(item)), None)

    def _carries(self, symbol: ClassSymbol) -> bool:
        names = self.carriers(symbol.path)
        for base in self._hierarchy.bases(symbol):
            is_filled = bool(base.definition.decorators)  # a dataclass: whoever makes an object gives the fields
            for entry in base.definition.members or ():
                is_set = is_filled or entry.key not in base.definition.unset
                if entry.key in names and is_set and entry.value != Constant(None):
                    return True
            constructor = self._names.own_method(base, "__init__")
            if constructor is None:
                continue
            given = [item.name for item in constructor.parameters]
            given += [entry.key or "" for entry in constructor.stores]
            given += [item.name for called in constructor.calls for item in called.value.arguments]
            if not names.isdisjoint(given) or any(item.kind == "**" for item in constructor.parameters):
                return True
        return False

    def _top(self, symbol: ClassSymbol) -> tuple[str, str]:
        *_, last = self._hierarchy.bases(symbol)
        return (last.path, last.definition.name)

    @cached_property
    def _families(self) -> dict[tuple[str, str], list[ClassSymbol]]:
        """The exceptions of the project that nothing is below of, by the topmost of their bases."""
        found: dict[tuple[str, str], list[ClassSymbol]] = {}
        for path, module in self._project.modules.items():
            if self._tests.matches(path):
                continue
            for definition in module.classes:
                symbol = ClassSymbol(path, definition)
                if self._hierarchy.is_exception(symbol) and not self._is_extended(symbol):
                    found.setdefault(self._top(symbol), []).append(symbol)
        return found

    def _is_extended(self, symbol: ClassSymbol) -> bool:
        """Whether others are below a class."""
        return len(self._hierarchy.below(symbol)) > 1

    def _family(self, symbol: ClassSymbol) -> list[ClassSymbol]:
        return self._families.get(self._top(symbol), [])

    def _is_used_itself(self, symbol: ClassSymbol) -> bool:
        """Whether an exception is more than a base of others: nothing is below it, or it is raised."""
        return not self._is_extended(symbol) or self.is_raised(symbol)

    def is_raised(self, symbol: ClassSymbol) -> bool:
        """Whether something raises a domain exception."""
        return (symbol.path, symbol.definition.name) in self._raised

    @cached_property
    def _raised(self) -> frozenset[tuple[str, str]]:
        every = (each.symbol for path in self._project.modules for each in thrown(self._project, path))
        return frozenset((each.path, each.definition.name) for each in every if isinstance(each, ClassSymbol))

    def of_raise(self, path: str, scope: str, case: Case) -> frozenset[str | int]:
        """Return the codes that a raise may have: those it is given, else those that its class has by itself."""
        given = {usage.found.text for usage in self.usages(path) if usage.place == case.span}
        symbol = self._domain.class_of(path, scope, case.value) if not given else None
        name = symbol.definition.name.rpartition(".")[2] if symbol is not None else ""
        return frozenset(given or (found.text for owner, found in self.owned(path) if owner == name))

    def owned(self, path: str) -> tuple[tuple[str, CodeValue], ...]:
        """Return the exception classes in the distribution of a file, each with the codes it has or inherits."""
        distribution = self._project.layout.distribution(path)
        if distribution not in self._owned:
            self._owned[distribution] = tuple(self._find_owned(distribution))
        return self._owned[distribution]

    def _find_owned(self, distribution: str) -> Iterator[tuple[str, CodeValue]]:
        paths = [path for path in self._project.modules if self._project.layout.distribution(path) == distribution]
        own: dict[tuple[str, str], list[CodeValue]] = {}
        for path in paths:
            for usage in self.usages(path):
                if usage.how == "class" or usage.function.endswith(".__init__"):
                    own.setdefault((path, usage.owner), []).append(usage.found)
        for path in paths if own else ():
            for definition in self._project.modules[path].classes:
                line = (
                    (base.path, base.definition.name) for base in self._hierarchy.bases(ClassSymbol(path, definition))
                )
                nearest = next((own[key] for key in line if key in own), ())
                yield from ((definition.name.rpartition(".")[2], found) for found in nearest)

    # --- what nobody uses ---------------------------------------------------------------------------------------

    def mentions(self, path: str, name: str) -> int:
        """Return how often a name occurs in the distribution of a file, as a word of code, text or comment."""
        return self._project.counts.get((self._project.layout.distribution(path), name), 0)

    def occurrences(self, registry: Registry, code: Registered) -> int:
        """Return how often a code occurs, by its name or as a text, besides where it is registered."""
        names = {code.member, code.text} - {""}
        there = (code.member != "") + (code.is_written and isinstance(code.value, str))
        return sum(self.mentions(registry.path, name) for name in names) - there

    def is_taken_whole(self, registry: Registry) -> bool:
        """Whether a registry is used other than by its members: called, subscripted, iterated or handed over."""
        distribution = self._project.layout.distribution(registry.path)
        for path, module in self._project.modules.items():
            if self._project.layout.distribution(path) != distribution:
                continue
            for scope, uses in (("", module.uses), *((item.name, item.uses) for item in module.functions)):
                for use in uses:
                    if use.callee.rpartition(".")[2] != registry.short:
                        continue
                    symbol = self._names.resolve(path, use.callee, scope)
                    named = (symbol.path, symbol.definition.name) if isinstance(symbol, ClassSymbol) else None
                    if named == (registry.path, registry.name):
                        return True
        return False

    def counted(self, path: str) -> Iterator[str]:
        """Yield the names in one file of which :meth:`mentions` and :meth:`occurrences` are asked."""
        if not self.applies(path):
            return
        for registry in self.registered_in(path):
            for code in registry.codes:
                yield from filter(None, (code.member, code.text))
        yield from (definition.name.rpartition(".")[2] for definition in self._project.modules[path].classes)


def class_name(value: Value) -> str:
    """Return how the name of an exception's class is written where that is what a value is, "" for anything else."""
    value = only(value)
    if type(value) is Call and not value.arguments:
        inner = class_name(value.inner) if value.inner is not None else ""
        return inner or (value.name if _CLASS_NAME.search(value.name) else "")
    return value.name if type(value) is Ref and _CLASS_NAME.search(value.name) else ""


def _message_of(constructor: Function) -> tuple[Span | None, Value | None]:
    """Return where a constructor calls that of its base, and the message that it hands on first."""
    called = next((item for item in constructor.calls if item.value.name.endswith("__init__")), None)
    given = [item.value for item in called.value.arguments if item.value != Ref("self")] if called is not None else []
    return (called.span if called is not None else None), (only(given[0]) if given else None)


class Prefix(NamedTuple):
    """How a message begins: with a code, which is ``None`` where it does not or cannot be told."""

    code: Value | None
    is_there: bool


def _split(uses: list[Usage], registries: tuple[Registry, ...]) -> tuple[int, int]:
    """Count the uses that name a code of some registries, and the others."""
    texts = frozenset(text for registry in registries for text in texts_of(registry))
    known = sum(usage.found.registry is not None or usage.found.text in texts for usage in uses)
    return known, len(uses) - known


def _letters(name: str) -> str:
    return _ENDING.sub("", "".join(character for character in name.lower() if character.isalnum()))
