"""Link: from the facts of many files to one project that rules can ask.

Two relations of calls. *Must*: the callee is resolved, or is the only method of its name in the distribution; it
decides what is reported. *May*: the name is the same; it decides what is left alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Set
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from errlint.catalog.documents import Documents
from errlint.error_keywords import (
    ERROR_KEYS,
    EVENT_KEYS,
    EXCEPTION_VARIABLE,
    HANDLER_KEYWORDS,
    OUTRIGHT_KEYS,
    PROBE,
    PROBE_CLASS,
    PROBING_CLASS,
    SERVER_SENT,
    STATUS_KEYS,
    STREAMS,
    SUCCESS_KEYS,
    TOOL_ENDING,
    TOOLS_TABLE,
    describes_tool,
)
from errlint.facts import (
    ANSWERED,
    SUBSCRIPT,
    Call,
    Constant,
    Function,
    Module,
    Return,
    Sequence,
    Use,
    Value,
    Variable,
    handed_to,
    is_empty,
    names_in,
    only,
)
from errlint.facts import Mapping as Dict
from errlint.findings import Span
from errlint.lazy import cached_property
from errlint.patterns import Patterns, fits
from errlint.project import raise_outcome, verified
from errlint.project.above import Above
from errlint.project.boundary import Boundaries
from errlint.project.codes import Codes
from errlint.project.commands import Commands
from errlint.project.domain import Domain, matches
from errlint.project.drift.documented import DocumentedErrors
from errlint.project.duties import Duties
from errlint.project.evaluation import Evaluator
from errlint.project.fields import Fields
from errlint.project.frameworks import (
    ADAPTER_DECORATORS,
    ADAPTER_METHODS,
    HTTP_DECORATORS,
    PROMPTS,
    REGISTRATIONS,
    RESOURCES,
    RUNNING,
)
from errlint.project.names import ClassSymbol, FunctionSymbol, Layout, Names, Symbol, ValueSymbol
from errlint.project.numbered import Numbers
from errlint.project.operations import Operations
from errlint.project.payload_shapes import Classifier, Form, FormKind, is_part_of
from errlint.project.raised_errors import RaisedErrors
from errlint.project.reach import active_bases
from errlint.project.records import Records
from errlint.project.respelt import respelt
from errlint.project.routes import Routes
from errlint.project.stale import Checks
from errlint.project.statuses import Statuses
from errlint.project.tested import TestMentions
from errlint.project.values import Values
from errlint.settings import Policy, Settings
from errlint.settings.policy import bare_name, changed

if TYPE_CHECKING:
    from errlint.project.drift.compared import Comparison
    from errlint.project.drift.phantoms import Phantoms

SERIALIZERS = frozenset({"__str__", "__repr__", "serialize", "model_dump", "dict", "json", "__dict__"})
_RESOURCE_DECORATORS = frozenset({"contextmanager", "asynccontextmanager", "fixture", "lifespan"})

_OF_CLIENTS = frozenset({"call_tool", *PROMPTS, *RESOURCES})
"""Last parts of what registers functions that clients have calls of, too: what those are handed may be anything."""

_CONTENT = ("", "text", "content", "data", "result")
"""Arguments that carry the whole of an answer."""


class Caller(NamedTuple):
    """A use of a function: the file, the name of the function around it ("" at module level), and the use."""

    path: str
    function: str
    use: Use


class ReturnSite(NamedTuple):
    """An error return: where, in which function, and in which form."""

    path: str
    function: Function
    found: Return
    form: Form
    is_adapter: bool


class Builder(NamedTuple):
    """An error factory and the keys of what it builds."""

    path: str
    function: Function
    shape: tuple[str, ...]


class Project:
    """The linked project. Everything is computed when first asked, from facts that do not change any more."""

    def __init__(
        self,
        layout: Layout,
        modules: dict[str, Module],
        settings: Settings,
        documents: Documents | None = None,
        reported: frozenset[str] | None = None,
    ) -> None:
        """Link the facts of some files.

        What all tests speak of is put into ``tested`` afterwards, how often names occur in a distribution into
        ``counts``. In ``beside`` those who ask the disk for what no listing has note the answer: findings rest on it.
        ``documents`` are those that list errors, ``reported`` the files to report on (``None``: all).
        """
        self.layout = layout
        self.modules = modules
        self.tests: dict[str, Module] = {}
        self.documents = documents or Documents(settings.root, {}, frozenset())
        self.reported = reported
        self.tested = TestMentions()
        self.counts: Mapping[tuple[str, str], int] = {}
        self.beside: dict[str, bool] = {}
        self.names = Names(layout, modules)
        self.settings = respelt(settings, layout, self.names)
        self.classifier = Classifier(self)
        self._adapters: dict[tuple[str, str], bool] = {}
        self._reached: dict[tuple[str, str], str] = {}
        self._excluded: dict[tuple[str, str], bool] = {}
        self._families: dict[tuple[str, str], bool] = {}
        self._sites: dict[str, list[ReturnSite]] = {}
        self._duplicates: dict[str, tuple[tuple[Builder, ...], ...]] = {}
        self._shapes: dict[str, tuple[tuple[ReturnSite, int], ...]] = {}
        self._adapter_paths = Patterns(settings.adapters.paths)
        self._overrides = [(Patterns(override.paths), override) for override in settings.overrides if override.policy]
        self._policies: dict[tuple[int, ...], Policy] = {}
        self._rules = [(Patterns(each.paths), each.rules) for each in settings.overrides if each.rules is not None]

    def release(self) -> None:
        """Let go of all that was linked: most of it knows the project, a circle that nobody may be looking for."""
        vars(self).clear()

    @cached_property
    def commands(self) -> Commands:
        """What the commands for a terminal tell of errors."""
        return Commands(self)

    @cached_property
    def gathered(self) -> dict[tuple[str, str], raise_outcome.Gathering]:
        """The functions whose exceptions nobody sees, since their results are gathered and dropped."""
        return raise_outcome.gathered(self)

    @cached_property
    def above(self) -> Above:
        """What is on the ways out of the functions of the project."""
        return Above(self, partial(raise_outcome.answers_within, self))

    @cached_property
    def arriving(self) -> dict[str, dict[tuple[str, Span], raise_outcome.Arrival]]:
        """What leaves the functions of each file that have to answer, and is raised in others."""
        return raise_outcome.arriving(self)

    @cached_property
    def told_to_callers(self) -> frozenset[tuple[str, Span]]:
        """The raises, by file and place, that are among what :attr:`arriving` has."""
        arrivals = (each for by_place in self.arriving.values() for each in by_place.values())
        return frozenset((each.thrown.path, each.thrown.found.span) for each in arrivals)

    @cached_property
    def documented(self) -> DocumentedErrors:
        """What is documented of its errors."""
        return DocumentedErrors(self)

    @cached_property
    def boundaries(self) -> Boundaries:
        """The boundaries of the project."""
        return Boundaries(self)

    @cached_property
    def routes(self) -> Routes:
        """The routes of web frameworks."""
        return Routes(self)

    @cached_property
    def numbers(self) -> Numbers:
        """The envelopes that are errors by their numbers."""
        return Numbers(self)

    @cached_property
    def statuses(self) -> Statuses:
        """The statuses of the domain exceptions and of their codes."""
        return Statuses(self)

    @cached_property
    def duties(self) -> Duties:
        """What the boundaries of the project owe."""
        return Duties(self)

    @cached_property
    def used_names(self) -> frozenset[tuple[str, str]]:
        """The distributions and last names of everything that is used there."""
        return frozenset(self._uses_by_name)

    @cached_property
    def domain(self) -> Domain:
        """The domain exceptions of the project."""
        return Domain(self)

    @cached_property
    def values(self) -> Values:
        """What the expressions of the project stand for."""
        return Values(self)

    @cached_property
    def evaluator(self) -> Evaluator:
        """The values of the project with their names filled in."""
        return Evaluator(self)

    @cached_property
    def codes(self) -> Codes:
        """The error codes of the project."""
        return Codes(self)

    @cached_property
    def fields(self) -> Fields:
        """What the errors of the project are given."""
        return Fields(self)

    @cached_property
    def records(self) -> Records:
        """The error records that are built."""
        return Records(self)

    @cached_property
    def raised_errors(self) -> RaisedErrors:
        """The catalog of the code: the errors it raises, answers and reports."""
        return RaisedErrors(self)

    @cached_property
    def phantoms(self) -> Phantoms:
        """What is documented that no code raises."""
        from errlint.project.drift.phantoms import Phantoms

        return Phantoms(self)

    @cached_property
    def comparison(self) -> Comparison:
        """What is documented beside what the code says."""
        from errlint.project.drift.compared import Comparison  # with what reads documents: most runs have none

        return Comparison(self)

    @cached_property
    def operations(self) -> Operations:
        """The operations that errors belong to."""
        return Operations(self)

    @cached_property
    def misdirected(self) -> dict[str, tuple[verified.Misdirected, ...]]:
        """What is wrong in tables of the calls that verify writes, by file."""
        return verified.all_misdirected(self)

    @cached_property
    def checks(self) -> Checks:
        """The places that look for an error where none can be."""
        return Checks(self)

    # --- adapters -----------------------------------------------------------------------------------------------

    def is_adapter(self, path: str, function: Function) -> bool:
        """Whether a function is an entry point: decorated, registered, a method of a tool class, or so configured."""
        key = (path, function.name)
        found = self._adapters.get(key)
        if found is None:
            self._adapters[key] = False  # while it is being decided
            found = self._adapters[key] = self._decide_adapter(path, function)
        return found

    def _decide_adapter(self, path: str, function: Function) -> bool:
        return self._is_entry(path, function) or self.is_registered(path, function)

    def _is_entry(self, path: str, function: Function) -> bool:
        """Whether a function is an adapter by itself: decorated, a method of a tool class, or configured."""
        if self.registering(path, function):
            return True
        short = function.name.rpartition(".")[2]
        if function.owner and self.tool_base(path, function):
            return True
        return (
            not function.owner
            and "." not in function.name
            and not short.startswith("_")
            and self._adapter_paths.matches(path)
        )

    def is_registered(self, path: str, function: Function) -> bool:
        """Whether a function is handed to something that makes an adapter of it."""
        return (path, function.name) in self._registered

    def registers(self, path: str, decorator: str, scope: str = "") -> bool:
        """Whether a decorator, by its name as written in a function of a file, makes an adapter."""
        last = decorator.rpartition(".")[2]
        return (
            last in ADAPTER_DECORATORS
            or last.endswith(TOOL_ENDING)
            or self._is_listed(self.settings.adapters.decorators, path, decorator, scope)
        )

    def registering(self, path: str, function: Function) -> list[int]:
        """Return the places, from 0, of the decorators of a function that make an adapter of it."""
        scope = function.name.rpartition(".")[0]
        return [
            index
            for index, name in enumerate(function.decorators)
            if self.registers(path, name, scope)
            or (function.decorations and _makes_tool(name, function.decorations[index]))
        ]

    def _is_listed(self, patterns: tuple[str, ...], path: str, name: str, scope: str) -> bool:
        """Whether a name is among dotted ones of the settings: as it is written, or as what it means there."""
        if any(fits(name, pattern) or name == pattern.removeprefix("*.") for pattern in patterns):
            return True
        dotted = tuple(pattern for pattern in patterns if "." in pattern.removeprefix("*."))
        return bool(dotted) and matches(self.domain.meant(path, name, scope), dotted)

    def tool_base(self, path: str, function: Function) -> str:
        """Return the base class, by the last part of its name, that makes a tool of a method, "" for none."""
        short = function.name.rpartition(".")[2]
        configured = [base for base, methods in self.settings.adapters.methods.items() if short in methods]
        runs = RUNNING.fullmatch(short) if function.returns else None
        if short not in ADAPTER_METHODS and not runs and not configured:
            return ""
        owner = self.names.enclosing_class(path, function.name)
        if owner is None:
            return ""
        bases = [base.rpartition(".")[2] for base in self.names.bases(owner)]
        named = {name.rpartition(".")[2] for name in configured}
        found = [base for base in bases if base in named]
        found += [base for base in bases if short in ADAPTER_METHODS and base.endswith("Tool")]
        if not found and runs and runs["what"] in (None, "async"):
            found += [base for base in active_bases(self, owner) if base.endswith("Tool")]
        if found or not runs:
            return found[0] if found else ""
        return self._own_tool_base(owner, short)

    def _own_tool_base(self, owner: ClassSymbol, short: str) -> str:
        """Return the project's own base class of tools that leaves a method to others, or that the method is of."""
        own = owner.definition.name
        if short in ADAPTER_METHODS and own.endswith("Tool") and own in self._derived_from:
            return own
        for base in self.domain.bases(owner):
            name = base.definition.name
            method = self.names.function(base.path, f"{name}.{short}")
            is_left = method is not None and "abstractmethod" in map(bare_name, method.decorators)
            if is_left and base != owner and name.endswith("Tool"):
                return name
        return ""

    @cached_property
    def _derived_from(self) -> frozenset[str]:
        """The last parts of the names of all classes that others of the project are below."""
        modules = self.modules.values()
        return frozenset(
            bare_name(base) for module in modules for definition in module.classes for base in definition.bases
        )

    def is_registration(self, path: str, receiver: str, scope: str = "") -> bool:
        """Whether what a function is handed to, by its name as written there, makes an adapter of it."""
        return bool(receiver) and (
            receiver.rpartition(".")[2] in REGISTRATIONS
            or self._is_listed(self.settings.adapters.registrations, path, receiver, scope)
        )

    def is_registering(self, caller: Caller) -> bool:
        """Whether a use hands a function to what makes an adapter of it, or keeps it for a loop that does."""
        return any(True for _ in self.registrations(caller))

    def registrations(self, caller: Caller) -> Iterator[Caller]:
        """Yield where a function is registered that a use hands over: there, in what that calls, or in a loop."""
        receiver = caller.use.receiver
        if caller.use.how != "passed":
            return
        if self.is_registration(caller.path, receiver, caller.function):
            yield caller
        elif _is_kept(receiver) and self._listed.get((caller.path, caller.function)):
            distribution, short = self.layout.distribution(caller.path), caller.function.rpartition(".")[2]
            yield from self._loops.get((distribution, short), ())
        elif receiver:
            symbol = self.names.resolve(caller.path, receiver, caller.function)
            if symbol is None and "." in receiver:
                methods = [item for item in self.names.named(receiver.rpartition(".")[2]) if item.function.owner]
                symbol = methods[0] if len(methods) == 1 else None
            if isinstance(symbol, FunctionSymbol):
                yield from self._registrars.get((symbol.path, symbol.function.name), ())

    @cached_property
    def _registrars(self) -> dict[tuple[str, str], list[Caller]]:
        """The functions that hand a parameter of theirs to what registers it, each with the uses of those."""
        found: dict[tuple[str, str], list[Caller]] = {}
        for path, module in self.modules.items():
            for function in module.functions:
                own = {item.name for item in function.parameters}
                for use in function.uses:
                    if use.callee in own and self.is_registration(path, use.receiver, function.name):
                        found.setdefault((path, function.name), []).append(Caller(path, function.name, use))
        return found

    @cached_property
    def _loops(self) -> dict[tuple[str, str], list[Caller]]:
        """The uses by which loops register all parts of an answer, by the distribution and the name of what answers."""
        found: dict[tuple[str, str], list[Caller]] = {}
        for path, module in self.modules.items():
            for scope, use in uses_of(module):
                if use.callee.endswith(ANSWERED) and self.is_registration(path, use.receiver, scope):
                    name = use.callee.removesuffix(ANSWERED).rpartition(".")[2]
                    found.setdefault((self.layout.distribution(path), name), []).append(Caller(path, scope, use))
        return found

    @cached_property
    def _listed(self) -> dict[tuple[str, str], list[tuple[str, str]]]:
        """The functions of whose answers a loop registers all parts, each with what those are."""
        found: dict[tuple[str, str], list[tuple[str, str]]] = {}
        for distribution, short in self._loops:
            for path, function in self.names.named(short):
                if self.layout.distribution(path) != distribution:
                    continue
                parts = found.setdefault((path, function.name), [])
                answered = [each for item in function.returns for each in names_in(item.value)]
                # A list that grows is no value any more: what it may have is all that the function keeps somewhere.
                kept = [use.callee for use in function.uses if use.how == "passed" and _is_kept(use.receiver)]
                for name in dict.fromkeys((*answered, *kept)):
                    symbol = self.names.resolve(path, name, function.name)
                    if isinstance(symbol, FunctionSymbol):
                        parts.append((symbol.path, symbol.function.name))
        return found

    @cached_property
    def _registered(self) -> frozenset[tuple[str, str]]:
        registered: set[tuple[str, str]] = {part for parts in self._listed.values() for part in parts}
        loading: set[str] = set()  # the distributions that register what cannot be seen there
        for path, module in self.modules.items():
            for scope, use in uses_of(module):
                if not use.receiver or not self.is_registering(Caller(path, scope, use)):
                    continue
                symbols = [self.names.resolve(path, use.callee, scope)]
                if symbols == [None] and bare_name(use.receiver) not in _OF_CLIENTS:
                    loading.add(self.layout.distribution(path))
                for _ in range(_TABLES):
                    found = [inner for each in symbols for inner in self._held_by(each)]
                    registered.update((each.path, each.function.name) for each in found if type(each) is FunctionSymbol)
                    symbols = [each for each in found if type(each) is ValueSymbol]
        for (distribution, _), parts in self._tabled.items():
            if distribution in loading:
                registered.update(parts)
        return frozenset(registered | self._table_adapters(registered))

    def _table_adapters(self, registered: set[tuple[str, str]]) -> set[tuple[str, str]]:
        """Return the functions of tables in which tools are looked up, where nothing else says what clients call."""
        found = {key: self._tabled[key] for key in self._looked_up if key in self._tabled}
        served = {self.layout.distribution(path) for path, _ in registered}
        for path, module in self.modules.items() if found else ():
            distribution = self.layout.distribution(path)
            if distribution not in served and any(self._is_entry(path, function) for function in module.functions):
                served.add(distribution)
        return {part for (distribution, _), parts in found.items() if distribution not in served for part in parts}

    def _held_by(self, symbol: Symbol | None) -> list[Symbol | None]:
        """Return what a table has, of which a loop registers all, or what a call that made a value was handed."""
        if not isinstance(symbol, ValueSymbol):
            return [symbol]
        return [self.names.resolve(symbol.path, name) for name in (*names_in(symbol.value), *handed_to(symbol.value))]

    @cached_property
    def _tabled(self) -> dict[tuple[str, str], set[tuple[str, str]]]:
        """The functions that constants like ``TOOLS`` list, by distribution and name: servers load them by that."""
        found: dict[tuple[str, str], set[tuple[str, str]]] = {}
        for path, module in self.modules.items():
            for assigned in module.assigned:
                if TOOLS_TABLE.fullmatch(assigned.name) is None:
                    continue
                for name in names_in(assigned.value):
                    symbol = self.names.resolve(path, name)
                    if isinstance(symbol, FunctionSymbol):
                        part = (symbol.path, symbol.function.name)
                        found.setdefault((self.layout.distribution(path), assigned.name), set()).add(part)
        return found

    @cached_property
    def _looked_up(self) -> dict[tuple[str, str], list[tuple[str, Function]]]:
        """The functions that look up tools in constants like ``TOOLS``, by distribution and name of the constant."""
        found: dict[tuple[str, str], list[tuple[str, Function]]] = {}
        for path, module in self.modules.items():
            for function in module.functions:
                for use in function.uses:
                    table, _, method = use.callee.rpartition(".")
                    if use.how != "passed" and method == "get" and TOOLS_TABLE.fullmatch(bare_name(table)):
                        key = (self.layout.distribution(path), bare_name(table))
                        found.setdefault(key, []).append((path, function))
        return found

    def looked_up_by(self, path: str, function: Function) -> Iterator[tuple[str, Function]]:
        """Yield the functions that look up a function in a table of tools."""
        for key, around in self._looked_up.items():
            if (path, function.name) in self._tabled.get(key, ()):
                yield from around

    @cached_property
    def adapter_distributions(self) -> frozenset[str]:
        """The distributions that have at least one adapter."""
        found: set[str] = set()
        for path, module in self.modules.items():
            distribution = self.layout.distribution(path)
            if distribution not in found and any(self.is_adapter(path, function) for function in module.functions):
                found.add(distribution)
        return frozenset(found)

    # --- callers ------------------------------------------------------------------------------------------------

    @cached_property
    def _uses_by_name(self) -> dict[tuple[str, str], list[Caller]]:
        found: dict[tuple[str, str], list[Caller]] = {}
        for path, module in self.modules.items():
            distribution = self.layout.distribution(path)
            for scope, use in uses_of(module):
                name = self.names.original(path, use.callee).rpartition(".")[2]
                found.setdefault((distribution, name), []).append(Caller(path, scope, use))
        return found

    @cached_property
    def _methods_by_name(self) -> dict[tuple[str, str], set[tuple[str, str]]]:
        found: dict[tuple[str, str], set[tuple[str, str]]] = {}
        for path, module in self.modules.items():
            distribution = self.layout.distribution(path)
            for function in module.functions:
                if function.owner:
                    short = function.name.rpartition(".")[2]
                    found.setdefault((distribution, short), set()).add((path, function.name))
        return found

    def users(self, path: str, function: Function) -> list[Caller]:
        """Return every use of a method's name as an attribute, whatever class it is of; of a function its callers."""
        if not function.owner:
            return self.may_callers(path, function)
        found = self._uses_by_name.get((self.layout.distribution(path), function.name.rpartition(".")[2]), ())
        return [caller for caller in found if "." in caller.use.callee]

    def may_callers(self, path: str, function: Function) -> list[Caller]:
        """Return every use of the function's name in its distribution that is not known to mean something else."""
        short = function.name.rpartition(".")[2]
        found: list[Caller] = []
        for caller in self._uses_by_name.get((self.layout.distribution(path), short), ()):
            symbol = self.names.called(caller.path, caller.use.callee, caller.function)
            if symbol is None or self.means(symbol, path, function):
                found.append(caller)
        return found

    def must_callers(self, path: str, function: Function) -> list[Caller]:
        """Return the uses that are resolved to the function, directly, as an override, or as the only such method."""
        key = (self.layout.distribution(path), function.name.rpartition(".")[2])
        return self._callers(path, function, only=self._methods_by_name.get(key) == {(path, function.name)})

    def answering_callers(self, path: str, function: Function) -> list[Caller]:
        """Return the uses that may answer what the function does: as :meth:`must_callers`, and those of a family.

        Where all methods of a name override one of them, a call of that name is one of each.
        """
        key = (self.layout.distribution(path), function.name.rpartition(".")[2])
        return self._callers(path, function, only=self._is_of_one_family(key))

    def _callers(self, path: str, function: Function, *, only: bool) -> list[Caller]:
        key = (self.layout.distribution(path), function.name.rpartition(".")[2])
        only = only and bool(function.owner)
        found: list[Caller] = []
        for caller in self._uses_by_name.get(key, ()):
            symbol = self.names.called(caller.path, caller.use.callee, caller.function)
            if (symbol is None and only and "." in caller.use.callee) or (
                symbol is not None and self.means(symbol, path, function)
            ):
                found.append(caller)
        return found

    def _is_of_one_family(self, key: tuple[str, str]) -> bool:
        """Whether a distribution has one method of a name, or one and those of classes below that override it."""
        if key not in self._families:
            methods = self._methods_by_name.get(key, set())
            found = len(methods) == 1
            if 1 < len(methods) <= _FAMILY:
                owners = [self.names.enclosing_class(*method) for method in methods]
                found = None not in owners and any(
                    all(each is root or root.definition.name in self.names.bases(each) for each in owners if each)
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
        owner = self.names.enclosing_class(path, function.name)
        base = self.names.enclosing_class(symbol.path, symbol.function.name)
        return owner is not None and base is not None and base.definition.name in self.names.bases(owner)

    def reaches(self, path: str, function: Function) -> str:
        """Return the name of an adapter whose code the function belongs to ("" for none).

        Adapter code is an adapter, a function an adapter calls, and one whose result such code returns.
        """
        key = (path, function.name)
        if key not in self._reached:
            self._reached[key] = self._find_adapter(path, function)
        return self._reached[key]

    def _find_adapter(self, path: str, function: Function) -> str:
        pending, seen = [(path, function, 0)], {(path, function.name)}
        for where, current, depth in pending:
            if self.is_adapter(where, current):
                return current.name
            above: list[tuple[str, Function]] = []
            outer = self.names.function(where, current.name.rpartition(".")[0])
            for caller in self.answering_callers(where, current) if depth <= _DEPTH else ():
                around = self.names.function(caller.path, caller.function)
                if around is not None and self.is_adapter(caller.path, around) and caller.use.how != "passed":
                    return around.name
                if outer is not None and caller.use.how == "passed":
                    above.append((where, outer))
                if around is not None and around.name != current.name and self.returns_result(caller, around):
                    above.append((caller.path, around))
            above.extend(self.looked_up_by(where, current))
            for place, around in above:
                key = (place, around.name)
                if key not in seen and self._reached.get(key) != "":  # no adapter is above that one
                    seen.add(key)
                    pending.append((place, around, depth + 1))
        return ""

    def returns_result(self, caller: Caller, around: Function) -> bool:
        """Whether the function around a call answers what the call returns."""
        if caller.use.how == "returned":
            return True
        short = bare_name(caller.use.callee)
        return any(
            _contains_call(found.value, caller.use.callee) or is_part_of(found.value, short) for found in around.returns
        )

    # --- what is never an error return --------------------------------------------------------------------------

    def is_excluded(self, path: str, function: Function) -> bool:
        """Whether nothing in a function is an error return: handlers of web frameworks, serializers, boundaries."""
        key = (path, function.name)
        found = self._excluded.get(key)
        if found is None:
            found = self._excluded[key] = self._decide_excluded(path, function)
        return found

    def _decide_excluded(self, path: str, function: Function) -> bool:
        lasts = {decorator.rpartition(".")[2] for decorator in function.decorators}
        if lasts & HTTP_DECORATORS or "wraps" in lasts:
            return True
        if function.is_generator and lasts & _RESOURCE_DECORATORS:
            return True
        short = function.name.rpartition(".")[2]
        if function.owner and (short in SERIALIZERS or _is_conversion(short, function)):
            return True
        outer = self.names.function(path, function.name.rpartition(".")[0])
        if outer is not None and self.is_excluded(path, outer):
            return True
        owner = self.names.enclosing_class(path, function.name)
        if owner is not None and (self._is_middleware(owner) or self.names.is_exception(owner)):
            return True
        return self._is_boundary(path, function)

    def _is_middleware(self, owner: ClassSymbol) -> bool:
        return any(name.endswith("Middleware") for name in (owner.definition.name, *self.names.bases(owner)))

    def _is_boundary(self, path: str, function: Function) -> bool:
        """Whether a function is a boundary's decorator, something inside one, or one of its converters."""
        boundaries = self.policy(path).boundaries
        if not boundaries:
            return False
        module = self.layout.module_name(path)
        parts = function.name.split(".")
        around = [".".join(filter(None, (module, *parts[: count + 1]))) for count in range(len(parts))]
        return any(
            matches(around[-1], boundary.converters)
            or (boundary.decorator and any(matches(name, (boundary.decorator,)) for name in around))
            for boundary in boundaries
        )

    def is_part_of_more(self, path: str, function: Function) -> bool:
        """Whether every caller makes the function's result a part of something bigger, or raises from it."""
        return self._is_part(path, function, 0)

    def _is_part(self, path: str, function: Function, depth: int) -> bool:
        # A call of the same name inside the function says nothing: it is recursion, or another's method.
        callers = [
            caller
            for caller in self.may_callers(path, function)
            if caller.use.how != "passed" and (caller.path, caller.function) != (path, function.name)
        ]
        if not callers or depth > 3:
            return False
        parts = {"gathered", "raised"}
        if PROBE.search(function.name.rpartition(".")[2]):
            parts.add("field")
        found = False
        for caller in callers:
            if caller.use.how in parts:
                found = True
                continue
            around = self.names.function(caller.path, caller.function)
            if caller.use.how != "returned" or around is None or around.name == function.name:
                return False
            if self._is_part(caller.path, around, depth + 1):
                found = True
            elif self.is_adapter(caller.path, around) or self.may_callers(caller.path, around):
                return False
            # Else a second entry to the worker, which nobody in the project uses.
        return found

    def policy(self, path: str) -> Policy:
        """Return what the settings ask for in a file; of several overrides that say the same thing the last wins."""
        if not self._overrides:
            return self.settings.policy
        matching = tuple(index for index, (patterns, _) in enumerate(self._overrides) if patterns.matches(path))
        found = self._policies.get(matching)
        if found is None:
            found = self.settings.policy
            for index in matching:
                found = changed(found, self._overrides[index][1].policy)
            self._policies[matching] = found
        return found

    def is_reported(self, path: str) -> bool:
        """Whether rules are asked about a file."""
        return self.reported is None or path in self.reported

    def rules(self, path: str) -> frozenset[str]:
        """Return the codes of the rules that run on a file."""
        found = self.settings.rules
        for patterns, rules in self._rules:
            if patterns.matches(path):
                found = rules
        return found

    def is_governed(self, path: str) -> bool:
        """Whether the policy of a file says something about exceptions or codes, so that adapters do not matter."""
        policy = self.policy(path)
        return bool(policy.exceptions.root or policy.codes.registry or policy.codes.vocabulary)

    # --- sites --------------------------------------------------------------------------------------------------

    @cached_property
    def adapter_files(self) -> dict[str, list[str]]:
        """The files of each distribution that has adapters, in order."""
        found: dict[str, list[str]] = {}
        for path in sorted(self.modules):
            distribution = self.layout.distribution(path)
            if distribution in self.adapter_distributions:
                found.setdefault(distribution, []).append(path)
        return found

    def unclaimed(self, distributions: Set[str]) -> int:
        """Return how many payloads, objects and factory calls are returned in distributions, adapters or not."""
        clear = (FormKind.PAYLOAD, FormKind.OBJECT, FormKind.FACTORY)
        return sum(
            form is not None and form.kind in clear
            for path, module in self.modules.items()
            if self.layout.distribution(path) in distributions
            for function in module.functions
            if not self.is_excluded(path, function)
            for form in (self.classifier.classify(path, function, found) for found in function.returns)
        )

    def sites_of(self, path: str) -> list[ReturnSite]:
        """Return the error returns of one file in order of place, hard negatives left out."""
        found = self._sites.get(path)
        if found is None:
            found = self._sites[path] = []
            if self.is_served(path):
                for function in self.modules[path].functions:
                    found.extend(self._function_sites(path, function))
                found.sort(key=lambda site: site.found.span)
        return found

    def is_served(self, path: str) -> bool:
        """Whether the distribution of a file has something that answers clients: adapters, or routes."""
        distribution = self.layout.distribution(path)
        return distribution in self.adapter_distributions or distribution in self.routes.distributions

    def returns_of(self, path: str) -> Iterator[tuple[Function, Return]]:
        """Yield all returns of one file, if its distribution has adapters, with their functions."""
        if self.layout.distribution(path) in self.adapter_distributions:
            for function in self.modules[path].functions:
                for found in function.returns:
                    yield function, found

    def duplicate_factories(self, distribution: str) -> tuple[tuple[Builder, ...], ...]:
        """Return groups of factories that build payloads with the same keys, each in order of place."""
        found = self._duplicates.get(distribution)
        if found is None:
            groups: dict[tuple[str, ...], list[Builder]] = {}
            for path in self.adapter_files.get(distribution, ()):
                for builder in self._builders(path):
                    groups.setdefault(builder.shape, []).append(builder)
            several = [group for group in groups.values() if len(group) > 1]
            ordered = [tuple(sorted(group, key=_builder_place)) for group in several]
            found = self._duplicates[distribution] = tuple(sorted(ordered, key=lambda group: _builder_place(group[0])))
        return found

    def _builders(self, path: str) -> Iterator[Builder]:
        for function in self.modules[path].functions:
            if self.is_excluded(path, function) or not self._is_called(path, function):
                continue
            forms = self.classifier.factory(FunctionSymbol(path, function))
            if forms is None or any(form.kind not in (FormKind.PAYLOAD, FormKind.OBJECT) for form in forms):
                continue
            yield Builder(path, function, tuple(sorted({key for form in forms for key in (*form.shape, *form.keys)})))

    def mixed_shapes(self, distribution: str) -> tuple[tuple[ReturnSite, int], ...]:
        """Return the shapes in which a distribution's adapter code answers errors: the first site of each, and counts.

        Empty where there are not several.
        """
        found = self._shapes.get(distribution)
        if found is None:
            shapes: dict[tuple[FormKind, tuple[str, ...]], list[ReturnSite]] = {}
            for path in self.adapter_files.get(distribution, ()):
                for site in self.sites_of(path):
                    form = site.form
                    if form.kind is FormKind.UNMARKED_TEXT or not self.reaches(site.path, site.function):
                        continue
                    kind = FormKind.PAYLOAD if form.kind is FormKind.FACTORY else form.kind
                    shape = form.shape if kind in (FormKind.PAYLOAD, FormKind.OBJECT) else ()
                    shapes.setdefault((kind, shape), []).append(site)
            several = tuple((sites[0], len(sites)) for sites in shapes.values()) if len(shapes) > 1 else ()
            found = self._shapes[distribution] = several
        return found

    def _function_sites(self, path: str, function: Function) -> Iterator[ReturnSite]:
        if not function.returns:
            return
        is_route = self.routes.is_answering(path, function)
        if self.is_excluded(path, function) and not is_route and not self.boundaries.is_rival(path, function):
            return
        forms = [
            (found, form) for found in function.returns if (form := self.classifier.classify(path, function, found))
        ]
        if not forms:
            return
        if self.layout.distribution(path) not in self.adapter_distributions and not (
            self.routes.answered_by(path, function)
        ):
            return  # of a web application only what its clients get
        adapter = self.is_adapter(path, function)
        if not adapter and not is_route:
            if self.is_part_of_more(path, function) or self.tells_reasons(path, function):
                return
            if self.classifier.factory(FunctionSymbol(path, function)) is not None and self._is_builder(path, function):
                return
        short = function.name.rpartition(".")[2]
        is_probe = bool(PROBE.match(short.lstrip("_")) or PROBING_CLASS.search(function.name.rpartition(".")[0]))
        for found, form in forms:
            if form.members:
                form = self._handed_out(path, function, form)
            # What a resource answers is the state of something, until it says itself that it is an error.
            if form.neutral and (not adapter or PROBE.search(short) or self.boundaries.is_resource(path, function)):
                continue
            if is_route and (_is_frame(form) or (PROBE.search(short) and _is_report(form))):
                continue
            if form.is_weak and not is_route and not self.reaches(path, function):
                continue
            if form.made is not None and self._is_web_result(form.made) and not self.reaches(path, function):
                continue  # it has its status, of which a route makes that of its answer
            if (adapter or is_route) and _is_asked_for(function, form):
                continue
            is_object = FormKind.OBJECT in (form.kind, form.builds) and bool(form.shape)
            if is_object and is_probe and PROBE_CLASS.search(form.shape[0]):
                continue
            if found.is_yield and (_is_event(found, form) or self._is_streamed(path, function)):
                continue
            if self.classifier.is_marked(form) and self.answers_all_tools(path, function):
                continue  # there an exception is an error of the protocol, and a marked result is that of a tool
            if found.is_yield and form.kind not in (FormKind.PAYLOAD, FormKind.OBJECT, FormKind.FACTORY):
                continue
            yield ReturnSite(path, function, found, form, adapter)

    def _handed_out(self, path: str, function: Function, form: Form) -> Form:
        """Return the payload of a tuple that a caller takes out of it and answers, the form of the tuple for any other.

        ``cells, error = read(text)``, then ``if error: return error``: where all is well, nothing is in its place.
        """
        answers = [only(found.value) for found in function.returns]
        tuples = [each.items for each in answers if type(each) is Sequence and each.kind == "tuple"]
        for place, member in form.members:
            is_slot = any(len(items) > place and is_empty(only(items[place])) for items in tuples)
            if is_slot and self._is_handed_out(path, function, place, 0):
                return member._replace(wrapper=member.wrapper or "a tuple")
        return form

    def _is_handed_out(self, path: str, function: Function, place: int, depth: int) -> bool:
        """Whether a caller of a function answers what stands at a place of the tuple that it answers."""
        short = function.name.rpartition(".")[2]
        for caller in self.must_callers(path, function) if depth < _TABLES else ():
            around = self.names.function(caller.path, caller.function)
            if around is None or around.name == function.name or self.is_excluded(caller.path, around):
                continue
            if self.is_part_of_more(caller.path, around):
                continue
            for found in around.returns:
                value = only(found.value)
                if is_part_of(value, short, place):
                    return True
                inner = value.items if type(value) is Sequence and value.kind == "tuple" else ()
                for index, item in enumerate(inner):
                    if is_part_of(item, short, place) and self._is_handed_out(caller.path, around, index, depth + 1):
                        return True
        return False

    def _is_streamed(self, path: str, function: Function) -> bool:
        """Whether what a generator yields is sent as it comes by a response of the web, whose status has been sent."""
        callers = ((each.path, each.function, each.use.callee) for each in self.may_callers(path, function))
        for where, scope, callee in callers:
            around = self.names.function(where, scope)
            if around is not None and any(_streams(found.value, callee) for found in around.returns):
                return True
        return False

    def _is_web_result(self, made: ClassSymbol) -> bool:
        """Whether objects of a class have a status of HTTP, which is that of a success until another one is given."""
        fields = (self.names.member(made, name) for name in ("status", "status_code", "http_status"))
        return any(isinstance(field, ValueSymbol) and field.value == Constant(200) for field in fields)

    def tells_reasons(self, path: str, function: Function) -> bool:
        """Whether a function answers why something is wrong, or nothing, and no caller answers that as it is."""
        reasons = 0
        is_nothing = function.ends
        short = bare_name(function.name)
        for found in function.returns:
            form, value = self.classifier.classify(path, function, found), only(found.value)
            if form is not None and form.kind is FormKind.TEXT and not form.wrapper:
                reasons += 1
            elif type(value) is Constant and not value.value:
                is_nothing = True
            elif type(value) is not Call or (value.name, value.inner) != (f".{short}", Call("super", ())):
                return False
        if not reasons or not is_nothing:
            return False
        asked = [
            (caller, self.names.function(caller.path, caller.function))
            for caller in self.may_callers(path, function)
            if caller.use.callee != f".{short}" or bare_name(caller.function) != short  # one that overrides it
        ]
        return bool(asked) and not any(
            each is None or caller.use.how not in ("called", "raised") or self.returns_result(caller, each)
            for caller, each in asked
        )

    def answers_all_tools(self, path: str, function: Function) -> bool:
        """Whether a server is handed a function that answers the calls of all tools, as ``on_call_tool=``."""
        return any(
            bare_name(each.use.receiver) in HANDLER_KEYWORDS
            for caller in self.may_callers(path, function)
            for each in self.registrations(caller)
        )

    def _is_builder(self, path: str, function: Function) -> bool:
        """Whether an error factory is there to be called: it is, or it takes what goes into the error.

        What is handed an exception is, by whoever gets the function as a value.
        """
        asked = [item.name for item in function.parameters if item.name not in ("self", "cls")]
        if self._is_called(path, function):
            return True
        is_told = bool(asked) and EXCEPTION_VARIABLE.fullmatch(asked[0]) is not None
        return is_told or (bool(asked) and not self.may_callers(path, function))

    def _is_called(self, path: str, function: Function) -> bool:
        """Whether a function is called, or bound to some of its arguments to be called."""
        uses = (caller.use for caller in self.must_callers(path, function))
        return any(use.how != "passed" or use.receiver.rpartition(".")[2] == "partial" for use in uses)

    # --- what is read of the tests ------------------------------------------------------------------------------

    def wanted_tests(self, distribution: str) -> frozenset[str]:
        """Return the names of functions of a distribution whose calls in tests decide about a finding."""
        if "ERR108" not in self.settings.rules or distribution not in self.adapter_distributions:
            return frozenset()
        return self.checks.candidates(distribution)

    def add_tests(self, tests: Mapping[str, Module]) -> None:
        """Take in the facts of tests, which are callers and nothing else."""
        self.tests.update(tests)
        self.names.add_tests(tests)


def _builder_place(builder: Builder) -> tuple[str, Span]:
    return builder.path, builder.function.span


def _is_report(form: Form) -> bool:
    """Whether a payload may be the state of something that is asked for: it has a status, and nothing failed."""
    keys = {key.lower() for key in form.keys}
    is_payload = form.kind is FormKind.PAYLOAD and not form.number_key
    return is_payload and not keys.isdisjoint(STATUS_KEYS) and keys.isdisjoint(SUCCESS_KEYS)


def _is_asked_for(function: Function, form: Form) -> bool:
    """Whether an error is what a function is asked for: its one answer is what an object's method found out."""
    if len(function.returns) != 1 or function.ends or function.raises or function.returns[0].handlers:
        return False
    value = only(function.returns[0].value)
    if type(value) is Call and value.arguments:  # what makes a response of it
        value = only(value.arguments[0].value)
    told = [only(entry.value) for entry in value.entries] if type(value) is Dict else []
    keys = {key.lower() for key in form.shape}
    return bool(told) and keys <= ERROR_KEYS and all(type(item) is Call and "." in item.name for item in told)


def _is_frame(form: Form) -> bool:
    """Whether a payload is the result of a tool as MCP has it, which a server written by hand sends as it is."""
    return form.is_error or not {key.lower() for key in form.keys}.isdisjoint(OUTRIGHT_KEYS)


def _is_conversion(short: str, function: Function) -> bool:
    """Whether a method turns its object into something else: ``to_dict``, ``as_failure``; it asks for nothing more."""
    asked = [item for item in function.parameters[1:] if item.default is None and item.kind in ("", "kw")]
    return short.startswith(("to_", "as_")) and not asked


_DEPTH = 8
"""Through so many functions that answer what they call an adapter is looked for."""

_FAMILY = 50
"""Of so many methods of a name at most it is asked whether they override one."""

_TABLES = 3
"""Through how many tables a registered function is followed, each a part of another one or handed to a call."""


def _is_kept(receiver: str) -> bool:
    """Whether a function that is handed over there is put into something, and not given to what may call it."""
    return not receiver or receiver.rpartition(".")[2] in ("append", "extend", "insert")


def uses_of(module: Module) -> Iterator[tuple[str, Use]]:
    """Yield the uses of names in a module, each with the function around it, "" for none."""
    for use in module.uses:
        yield "", use
    for function in module.functions:
        for use in function.uses:
            yield function.name, use


def _contains_call(value: object, callee: str) -> bool:
    """Whether a value is the result of a call of ``callee``, or of a wrapper around one."""
    pending: list[object] = [value]
    while pending:
        current = pending.pop()
        if type(current) is Call:
            if current.name == callee or _is_of_local(current, callee):
                return True
            if current.name == SUBSCRIPT and current.arguments[0].name:
                continue  # one of several things that it answers
            # What is handed over under another name is a part of the answer.
            pending.extend(item.value for item in current.arguments if item.name in _CONTENT)
            pending.append(current.inner)
        else:
            inner: Iterable[object] = getattr(current, "values", None) or getattr(current, "items", None) or ()
            pending.extend(inner)
    return False


def _streams(value: Value, callee: str) -> bool:
    """Whether a value is a response whose content is what a call of a generator yields."""
    value = only(value)
    if type(value) is not Call or not bare_name(value.name).endswith(STREAMS):
        return False
    return any(_contains_call(item.value, callee) for item in value.arguments)


def _is_of_local(call: Call, callee: str) -> bool:
    """Whether a call of a method of what a local name holds is written as ``callee``: ``shop.find``."""
    receiver = call.inner
    is_local = call.name.startswith(".") and type(receiver) is Variable
    return is_local and f"{getattr(receiver, 'name', '')}{call.name}" == callee


def _makes_tool(name: str, decoration: Value) -> bool:
    """Whether a decorator that may be of anything makes a tool of a function, by what it is told of it."""
    if type(decoration) is not Call or bare_name(name) in HTTP_DECORATORS:
        return False
    return describes_tool([argument.name for argument in decoration.arguments])


def _is_event(found: Return, form: Form) -> bool:
    """Whether what is yielded is an event of a stream: it tells its kind, or is one of server-sent events."""
    value = only(found.value)
    keys = {entry.key for entry in value.entries} if type(value) is Dict else set()
    return not EVENT_KEYS.isdisjoint(key.lower() for key in form.keys) or ("data" in keys and keys <= SERVER_SENT)
