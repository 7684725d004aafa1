"""What errors are given: the arguments of a raised or returned object, the entries of a payload.

An error is made where it is raised, returned, or (a payload of a log style) printed, dumped or written. Everything is
kept with the names that a policy may call it by, so that rules about hints, fields and codes ask the same way.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, NamedTuple

from errlint.error_keywords import PROBLEM_KEY, PROBLEM_MEMBERS
from errlint.facts import (
    Call,
    Choice,
    Constant,
    Function,
    Handler,
    Opaque,
    Ref,
    Sequence,
    Text,
    Value,
    Variable,
    constant_text,
    is_closed,
    is_null,
    keyed,
    only,
)
from errlint.facts import Mapping as Dict
from errlint.findings import Span
from errlint.project.arguments import bind, defaults_of, own_parameters
from errlint.project.domain import matches
from errlint.project.names import ClassSymbol, FunctionSymbol
from errlint.project.payload_shapes import FormKind
from errlint.project.values import FIELDS, field_default
from errlint.settings import Policy, Style

if TYPE_CHECKING:
    from errlint.project import Project

SINKS = ("print", "dump", "dumps", "write", "write_text")
"""Last parts of calls that hand a payload on, where errors are reported in logs."""

_WRAPPERS = frozenset({*SINKS, "TextContent", "CallToolResult", "ToolResult", "EmbeddedResource", "str", "encode"})
_TEXTS = frozenset({"join", "str", "repr", "format", "format_exc", "dumps"})
"""Last parts of calls that make a text."""
_SCHEMA_TYPES = frozenset({"array", "boolean", "integer", "null", "number", "object", "string"})
"""What JSON Schema calls the types of values."""
MAX_DEPTH = 6
_CALLS = 4
"""How many callers up it is asked what becomes of a payload."""

PROBLEM = (PROBLEM_KEY, *PROBLEM_MEMBERS)
"""The members of RFC 9457, and the key that a problem object stands under."""


class Error(NamedTuple):
    """An error that is made: where, and what it is given.

    ``name`` is that of its class or factory as written, "" for a payload; ``names`` are all absolute names a policy may
    mean it by: those of the class and its bases, or of the factory. ``passed`` are arguments or entries by name,
    ``defaults`` what holds without them; ``is_open`` is true where more may be given than can be seen. ``is_held`` is
    true where it was put into a variable before, ``is_domain`` for an exception of the project, ``is_handling``
    where it is raised in a handler, ``is_spread`` where ``*`` or ``**`` may pass anything.
    """

    path: str
    function: Function
    span: Span
    name: str
    names: tuple[str, ...]
    passed: Mapping[str, Value]
    defaults: Mapping[str, Value]
    is_open: bool
    is_held: bool = False
    is_domain: bool = False
    is_raised: bool = False
    is_handling: bool = False
    symbol: ClassSymbol | None = None
    payload: Dict | None = None
    is_spread: bool = False

    def field(self, name: str) -> Value | None:
        """Return the value of a field, passed or by default."""
        return self.passed.get(name, self.defaults.get(name))


class Fields:
    """Answers what the errors of a project are given."""

    def __init__(self, project: Project) -> None:
        self._project = project
        self._errors: dict[str, tuple[Error, ...]] = {}

    def of(self, path: str) -> tuple[Error, ...]:
        """Return the errors that are made in one file, in order of place."""
        found = self._errors.get(path)
        if found is None:
            found = self._errors[path] = tuple(sorted(self._all(path), key=lambda error: error.span))
        return found

    def text(self, path: str, scope: str, value: Value | None) -> str | None:
        """Return the constant text that a value is, also by way of a constant or a member of an enumeration."""
        return self._project.values.text(path, scope, value) if value is not None else None

    def _all(self, path: str) -> Iterator[Error]:
        policy = self._project.policy(path)
        sites = {(site.function.name, site.found.span) for site in self._project.sites.of(path)}
        for function in self._project.modules[path].bodies:
            for raised in function.raises:
                for error in self._raised(path, function, raised.span, raised.value, policy):
                    yield error._replace(is_handling=bool(raised.handlers))
            for found in function.returns:
                is_site = (function.name, found.span) in sites
                yield from self._answered(path, function, found.span, found.value, found.handlers, policy, is_site)
            if policy.style is Style.LOG:
                yield from self._reported(path, function, policy)
            yield from self._called(path, function, policy)

    def _raised(self, path: str, function: Function, span: Span, value: Value, policy: Policy) -> Iterator[Error]:
        for part, held in parts(value):
            if type(part) is Call:
                error = self._made(path, function, span, part, held, policy)
                if error is not None:
                    yield error._replace(is_raised=True)

    def _answered(
        self,
        path: str,
        function: Function,
        span: Span,
        value: Value,
        handlers: tuple[Handler, ...],
        policy: Policy,
        is_site: bool,
    ) -> Iterator[Error]:
        for part, held in parts(value):
            if type(part) is Dict:
                if any(record.value == part for record in function.records):
                    continue
                if (policy.payload.key and (payload_of(part, policy) is not None or _is_flat(part, policy))) or (
                    is_site and self._is_payload(path, function, part, handlers) and self._is_answer(path, function)
                ):
                    yield self._payload(path, function, span, part, held)
            elif type(part) is Call:
                place = _origin(function, part) if held else None
                error = self._made(path, function, place or span, part, held, policy)
                if error is None:
                    continue
                if error.is_domain or is_site or _is_named(error, policy):
                    yield error

    def _is_payload(self, path: str, function: Function, part: Dict, handlers: tuple[Handler, ...]) -> bool:
        form = self._project.classifier.form(path, function, part, handlers)
        return form is not None and form.kind is FormKind.PAYLOAD

    def _is_answer(self, path: str, function: Function, depth: int = 0) -> bool:
        """Whether what a function returns may be what a tool answers: not where all its callers make another of it."""
        project = self._project
        callers = [caller for caller in project.callers.must(path, function) if caller.use.how != "passed"]
        if not callers or project.adapters.is_adapter(path, function) or depth > _CALLS:
            return True
        around = [(caller, project.callers.around(caller)) for caller in callers]
        return any(
            outer is None
            or (project.callers.returns_result(caller, outer) and self._is_answer(caller.path, outer, depth + 1))
            for caller, outer in around
        )

    def _reported(self, path: str, function: Function, policy: Policy) -> Iterator[Error]:
        """Yield the payloads that are handed on; one that is dumped and then written is one."""
        for record in function.records:
            yield self._payload(path, function, record.span, record.value, False)
        seen: list[Dict] = [part for found in function.returns for part, _ in parts(found.value) if type(part) is Dict]
        seen.extend(record.value for record in function.records)
        for called in function.calls:
            if called.value.name.rpartition(".")[2] not in SINKS:
                continue
            for part, held in parts(called.value):
                if type(part) is not Dict or part in seen:
                    continue
                seen.append(part)
                if (
                    payload_of(part, policy) is not None
                    and (policy.payload.key or self._is_payload(path, function, part, called.handlers))
                ) or (
                    _is_flat(part, policy)
                    or (_has_text(part, policy) and self._is_payload(path, function, part, called.handlers))
                ):
                    yield self._payload(path, function, called.span, part, held)

    def _called(self, path: str, function: Function, policy: Policy) -> Iterator[Error]:
        """Yield the calls of factories that the policy names, where their result is neither raised nor returned."""
        if not policy.required:
            return
        for called in function.calls:
            if called.how == "returned":
                continue
            error = self._made(path, function, called.span, called.value, False, policy)
            if error is not None and error.symbol is None and _is_named(error, policy):
                yield error

    def _payload(self, path: str, function: Function, span: Span, part: Dict, held: bool) -> Error:
        part = self._project.evaluator.mapping(path, function.name, part) or part
        return Error(path, function, span, "", (), keyed(part), {}, not is_closed(part), held, payload=part)

    def _made(self, path: str, function: Function, span: Span, call: Call, held: bool, policy: Policy) -> Error | None:
        if not call.name or call.name.startswith("."):
            return None
        project, domain = self._project, self._project.domain
        call = project.evaluator.called(path, function.name, call)
        handing = project.evaluator.handed_on(path, function.name, call)
        symbol = handing.symbol if handing is not None else project.objects.called(path, call.name, function.name)
        if isinstance(symbol, ClassSymbol):
            made = domain.construction_of(symbol, handing.call if handing is not None else call)
            is_open = made.is_open or made.has_more
            names = project.hierarchy.ancestors(symbol)
            is_domain = domain.is_domain(symbol, policy)
            return Error(
                path, function, span, call.name, names, made.passed, made.defaults, is_open, held, is_domain,
                symbol=symbol, is_spread=made.is_open,
            )  # fmt: skip
        names = (call.name,)
        parameters: tuple[str, ...] = ()
        defaults: dict[str, Value] = {}
        if isinstance(symbol, FunctionSymbol):
            names = (project.names.absolute(symbol),)
            parameters = tuple(item.name for item in own_parameters(symbol.function) if item.kind == "")
            defaults = defaults_of(symbol.function)
        bound = bind(call, parameters or ("message",))
        is_open = bound.is_open or bound.has_more
        return Error(path, function, span, call.name, names, bound.passed, defaults, is_open, held)


def _origin(function: Function, call: Call) -> Span | None:
    """Return where an object was made that is held in a variable, where only one statement makes such a one."""
    places = [called.span for called in function.calls if called.how == "assigned" and called.value == call]
    return places[0] if len(places) == 1 else None


def _is_named(error: Error, policy: Policy) -> bool:
    classes = [name for item in policy.required for name in item.classes]
    return is_meant(error, (*classes, *policy.hints.classes, *policy.response.by_status.values()))


def is_meant(error: Error, classes: tuple[str, ...]) -> bool:
    """Whether a policy means an error by one of these names.

    A pattern means nothing that is not of the project, but for ``*.method``: that is the method of any object.
    """
    if error.symbol is None:
        classes = tuple(name.removeprefix("*.") for name in classes if "*" not in name.removeprefix("*."))
    return bool(classes) and any(matches(name, classes) for name in error.names)


def is_own(error: Error, policy: Policy) -> bool:
    """Whether an error is raised with an exception of the project, or with one that its policy names."""
    return error.is_raised and (error.is_domain or is_meant(error, (*policy.codes.prefixed, *policy.exceptions.root)))


def parts(value: Value | None, held: bool = False, depth: int = 0) -> Iterator[tuple[Value, bool]]:
    """Yield what an answer may be, with whether it was in a variable: through choices, lists and wrappers."""
    if value is None or depth > MAX_DEPTH:
        return
    if type(value) is Variable:
        for item in value.values:
            yield from parts(item, True, depth + 1)
    elif type(value) is Choice:
        for item in value.values:
            yield from parts(item, held, depth + 1)
    elif type(value) is Sequence:
        for item in value.items:
            yield from parts(item, held, depth + 1)
    elif type(value) is Call:
        last = value.name.rpartition(".")[2]
        if value.name.startswith(".") and value.inner is not None and last in ("model_dump", "dict", "to_dict", "json"):
            yield from parts(value.inner, held, depth + 1)
        elif last in _WRAPPERS:
            for argument in value.arguments:
                yield from parts(argument.value, held, depth + 1)
        else:
            yield value, held
    else:
        yield value, held


def payload_of(value: Value | None, policy: Policy) -> Dict | None:
    """Return the part of a payload that holds the fields the policy asks for."""
    if type(value) is not Dict:
        return None
    key = policy.payload.key
    if not key:
        return value
    for entry in value.entries:
        if entry.key == key:
            inner = entry.value
            inner = only(inner)
            return inner if type(inner) is Dict and not _is_schema(inner) else None
    return None


def _is_schema(value: Dict) -> bool:
    """Whether a dict describes values, as JSON Schema does: ``{"type": "string"}``."""
    kind = only(keyed(value).get("type"))
    names = kind.items if type(kind) is Sequence else (kind,)
    return bool(names) and all(constant_text(each) in _SCHEMA_TYPES for each in names)


def _is_flat(value: Dict, policy: Policy) -> bool:
    """Whether the fields of a record stand in the place of the record, without the key above them."""
    payload = policy.payload
    if policy.style is not Style.LOG or not payload.key or not payload.fields:
        return False
    entries = keyed(value)
    return payload.key not in entries and 2 * len(entries.keys() & {*payload.fields}) > len(payload.fields)


def _has_text(value: Dict, policy: Policy) -> bool:
    """Whether a text stands in the place of the fields of a record."""
    if policy.style is not Style.LOG or not policy.payload.key or not policy.payload.fields:
        return False
    return is_no_record(keyed(value).get(policy.payload.key))


def is_text(value: Value | None) -> bool:
    """Whether a value is certainly a text."""
    value = only(value)
    return type(value) is Text or (type(value) is Call and value.name.rpartition(".")[2] in _TEXTS)


def is_no_record(value: Value | None) -> bool:
    """Whether what stands in the place of the fields of a record is none: a text, or that there is an error at all."""
    held = only(value)
    return is_text(held) or (type(held) is Constant and held.value is True)


def supplies(value: Value | None, names: tuple[str, ...]) -> bool:
    """Whether a default may put something into a field; ``names`` are those of arguments, which do not by themselves.

    What a constructor stores is often ``hints or []``: nothing without the argument.
    """
    if value is None or is_null(value):
        return False
    if type(value) is Ref:
        return value.name not in names
    if type(value) is Variable or type(value) is Choice:
        return any(supplies(item, names) for item in value.values)
    if type(value) is Sequence:
        return bool(value.items)
    if type(value) is Dict:
        return bool(value.entries or value.spreads)
    if type(value) is Text:
        return value.parts not in ((), ("",))
    if type(value) is Call:
        return _call_supplies(value, names)
    return True


def _call_supplies(value: Call, names: tuple[str, ...]) -> bool:
    last = value.name.rpartition(".")[2]
    if last in FIELDS:
        default = field_default(value)
        return default is not None and type(default) is not Opaque and supplies(default, names)
    if last in ("list", "tuple", "dict") and len(value.arguments) < 2:
        return any(supplies(argument.value, names) for argument in value.arguments)
    return True
