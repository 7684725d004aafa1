"""The catalog of the code: every error that it raises, answers or reports, with all that can be said of it.

An error has a class, codes, messages, hints, fields, a status, the adapters it surfaces through and a place. What a
constructor makes of its arguments is followed up to ``Exception`` itself (:meth:`RaisedErrors._constructed`), what a
factory makes of its own to the call of the factory, so that the catalog tells what is sent in the end.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from enum import Enum
from typing import TYPE_CHECKING, NamedTuple

from errlint.catalog.templates import Template, distinct
from errlint.error_keywords import ERROR_KEYS
from errlint.facts import (
    Call,
    Choice,
    Constant,
    Function,
    Handler,
    Raise,
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
from errlint.lazy import cached_property
from errlint.project import raise_outcome
from errlint.project.arguments import bind, bound_to, defaults_of
from errlint.project.evaluation import is_full
from errlint.project.fields import parts, payload_of
from errlint.project.hierarchy import Exceptional
from errlint.project.logs import ERROR_LEVELS, logged
from errlint.project.names import ClassSymbol, ExternalSymbol, FunctionSymbol
from errlint.project.payload_shapes import FormKind
from errlint.project.registry import is_status, number
from errlint.project.statuses import listed
from errlint.project.values import field_default
from errlint.settings import Policy, Style

if TYPE_CHECKING:
    from errlint.project import Project
    from errlint.project.callers import Caller

MAX_DEPTH = 6
"""Constructors that call those of their bases are followed so far."""

MAX_CALLS = 3
"""Factories that call factories are followed so far."""

MESSAGES = ("message", "msg", "error_message", "detail", "text", "description", "reason", "error", "title")
"""Arguments and keys that carry a message, the likeliest first."""

_CODE = re.compile(r"[A-Za-z][A-Za-z0-9]*(?:[_.:-][A-Za-z0-9]+)+|[A-Z][A-Z0-9]{2,}")
_BASE = "args"
"""Under this name is kept what reaches the constructor of ``Exception``: the text of the exception."""


class Origin(str, Enum):
    """How an error comes about."""

    RAISE = "raise"
    OBJECT = "object"
    PAYLOAD = "payload"
    TEXT = "text"
    LOG = "log"


class RaisedError(NamedTuple):
    """One error at one place.

    ``name`` is that of its class, "" for a payload or text; ``names`` are the absolute names of the class and its
    bases. ``messages`` are what its message can be: what is passed as one, then the text of the exception where that is
    another. ``fields`` are the names that it is given, those inside of a dict with the dict's name and a dot before;
    ``values`` are the texts of those that are constant.
    ``is_open`` is true where more may be given than can be seen. ``made`` is the place in a factory where it is put
    together, ``None`` where it is made at its own place. ``escapes`` is false where its own function catches it,
    ``is_reachable`` where nobody calls that, or where the function never gets there.
    """

    path: str
    span: Span
    function: str
    kind: Origin
    name: str
    names: tuple[str, ...]
    codes: tuple[str | int, ...]
    messages: tuple[Template, ...]
    hints: tuple[Template, ...]
    fields: tuple[str, ...]
    status: int | None
    adapters: tuple[str, ...] = ()
    is_reachable: bool = True
    escapes: bool = True
    is_domain: bool = False
    is_open: bool = False
    made: tuple[str, Span] | None = None
    values: tuple[tuple[str, str], ...] = ()

    @property
    def surfaces(self) -> bool:
        """Whether somebody outside of its function can ever get it."""
        return self.is_reachable and self.escapes


class _MadeError(NamedTuple):
    """An error before it is known who gets it: its class, what it was passed, and all that it then holds."""

    symbol: Exceptional | None
    passed: Mapping[str, Value]
    held: Mapping[str, Value]
    is_open: bool = False
    place: tuple[str, Span] | None = None


class _ValuePlace(NamedTuple):
    """Where values stand: the file and function, and the arguments of the function, if a call of it is followed."""

    path: str
    function: Function
    arguments: Mapping[str, Value] | None = None
    depth: int = 0


class RaisedErrors:
    """Answers which errors one project has."""

    def __init__(self, project: Project) -> None:
        self._project = project
        self._evaluator = project.evaluator
        self._found: dict[str, tuple[RaisedError, ...]] = {}
        self._defaults: dict[tuple[str, str], dict[str, Value]] = {}
        self._made_of: dict[str, tuple[tuple[str, tuple[Origin, Span, bool], _MadeError], ...]] = {}

    def all(self) -> Iterator[RaisedError]:
        """Yield the errors of all files, in order of place."""
        for path in sorted(self._project.modules):
            yield from self.of(path)

    def of(self, path: str) -> tuple[RaisedError, ...]:
        """Return the errors of one file, in order of place; a statement that may be several is there several times."""
        found = self._found.get(path)
        if found is None:
            ordered = sorted(dict.fromkeys(self._collect(path)), key=lambda error: (error.span, error.function))
            found = self._found[path] = tuple(ordered)
        return found

    def may_reach(self, error: RaisedError, adapter: str) -> bool:
        """Whether an error may surface through an adapter, as far as anybody can tell."""
        return self._may_call(error.path, error.function, adapter)

    def _may_call(self, path: str, function: str, adapter: str) -> bool:
        found = self._project.names.function(path, function)
        through = self._project.reach.may_surface_through(path, found) if found is not None else None
        return through is None or adapter in through

    def adapters(self, path: str, function: Function) -> tuple[str, ...]:
        """Return the names of the adapters that certainly call a function."""
        return self._project.reach.adapters(path, function)

    def is_known(self, adapter: str) -> bool:
        """Whether all is known that an adapter may raise: no raise that it may get to is of an unknown class."""
        return not any(self._may_call(path, function, adapter) for path, function in self._unknown)

    def may_raise(self, adapter: str, name: str) -> bool:
        """Whether an adapter, or what it calls, may raise an exception of a class; also where that cannot be told."""
        names = {self._project.hierarchy.ancestors(item)[0] for item in self._project.documented.defined(name)}
        return not self.is_known(adapter) or any(
            error.surfaces and self.may_reach(error, adapter)
            for error in self.all()
            if not names.isdisjoint(error.names)
        )

    @cached_property
    def _unknown(self) -> tuple[tuple[str, str], ...]:
        """The functions with raises whose classes are not known."""
        return tuple(
            (path, function.name)
            for path in sorted(self._project.modules)
            for function in self._project.modules[path].functions
            if {raised.span for raised in function.raises} - {error.span for error in self.of(path)}
        )

    # --- collecting -----------------------------------------------------------------------------------------------

    def _collect(self, path: str) -> Iterator[RaisedError]:
        project = self._project
        policy = project.policy(path)
        functions = {function.name: function for function in project.modules[path].functions}
        for name, site, made in self._made_in(path):
            function = functions[name]
            kind, span, is_caught = site
            yield self._error(path, function, span, kind, made, policy)._replace(
                adapters=self._project.reach.adapters(path, function),
                is_reachable=not self._is_unreached(path, span) and self._project.reach.is_reachable(path, function),
                escapes=not is_caught,
            )

    def _is_unreached(self, path: str, span: Span) -> bool:
        """Whether a statement is never reached inside of its function."""
        return any(first <= span.line <= last for first, last in self._project.modules[path].unreached)

    def _made_in(self, path: str) -> tuple[tuple[str, tuple[Origin, Span, bool], _MadeError], ...]:
        """Return the errors of a file with their functions, kinds and places, and whether they are caught again."""
        if path not in self._made_of:
            self._made_of[path] = tuple(self._make(path))
        return self._made_of[path]

    def _make(self, path: str) -> Iterator[tuple[str, tuple[Origin, Span, bool], _MadeError]]:
        project = self._project
        policy = project.policy(path)
        sites = {(site.function.name, site.found.span): site for site in project.sites.of(path)}
        for function in project.modules[path].functions:
            where = _ValuePlace(path, function)
            for raised in function.raises:
                for made in self._of_raise(where, raised.value):
                    yield (
                        function.name,
                        (Origin.RAISE, raised.span, self._is_caught(path, function, raised, made)),
                        made,
                    )
            for found in function.returns:
                site = sites.get((function.name, found.span))
                if site is not None:
                    kind = _KINDS.get(site.form.kind)
                    if kind is not None:
                        answers = list(self._answered(where, found.value, found.handlers)) or [
                            _only_text(site.form.text)
                        ]
                        for made in answers:
                            how = Origin.TEXT if kind is Origin.PAYLOAD and _BASE in made.held else kind
                            yield function.name, (how, found.span, False), made
                else:
                    for made in self._returned(where, found.value, policy):
                        yield function.name, (Origin.OBJECT, found.span, False), made
        if policy.style is Style.LOG:
            yield from self._logged(path, policy)

    def _is_caught(self, path: str, function: Function, raised: Raise, made: _MadeError) -> bool:
        if made.symbol is None:
            return False
        thrown = raise_outcome.Thrown(path, function, raised, made.symbol)
        return raise_outcome.outcome(self._project, thrown).fate is raise_outcome.Fate.CAUGHT

    def _of_raise(self, where: _ValuePlace, value: Value) -> Iterator[_MadeError]:
        value = only(value)
        if type(value) is Variable:
            for item in value.values:
                if type(item) is Call:
                    yield from self._of_raise(where, item)
        elif type(value) is Ref:
            symbol = self._project.names.resolve(where.path, value.name, where.function.name)
            if isinstance(symbol, (ClassSymbol, ExternalSymbol)) and _is_class(symbol):
                yield from self._made(where, Call(value.name, ()))
        elif type(value) is Call:
            yield from self._made(where, value)

    def _returned(self, where: _ValuePlace, value: Value, policy: Policy) -> Iterator[_MadeError]:
        """Yield the exceptions that a function returns: where nobody raises what it returns they are errors of it."""
        short = where.function.name.rpartition(".")[2]
        if short.startswith("__"):
            return
        for part, _ in parts(value):
            if type(part) is not Call or not part.name or part.name.startswith("."):
                continue
            if not self._project.names.may_be_class(where.path, part.name):
                continue
            symbol = self._project.names.resolve(where.path, part.name, where.function.name)
            if isinstance(symbol, ClassSymbol) and self._project.domain.is_domain(symbol, policy):
                callers = self._project.callers.must(where.path, where.function)
                if not any(caller.use.how == "raised" for caller in callers) and not self._is_raised(where, callers):
                    yield from self._made(where, part)

    def _is_raised(self, where: _ValuePlace, callers: list[Caller]) -> bool:
        """Whether a raise of one of the callers is of what a function returns."""
        name = where.function.name.rpartition(".")[2]
        for caller in callers:
            around = self._project.callers.around(caller)
            for raised in around.raises if around is not None else ():
                value = only(raised.value)
                if type(value) is Call and value.name.rpartition(".")[2] == name:
                    return True
        return False

    def _answered(self, where: _ValuePlace, value: Value, handlers: tuple[Handler, ...]) -> Iterator[_MadeError]:
        """Yield the errors that an answer may be; the successes among what a variable holds are left out."""
        for part, _ in parts(value):
            if type(part) is Dict:
                if self._project.classifier.form(where.path, where.function, part, handlers) is not None:
                    yield self._payload(where, part)
            elif type(part) is Text:
                text = self._evaluator.filled(where.path, where.function.name, part, where.arguments)
                yield _MadeError(None, {}, {_BASE: text})
            elif type(part) is Call:
                yield from self._made(where, part)

    def _payload(self, where: _ValuePlace, part: Dict) -> _MadeError:
        filled = self._evaluator.filled(where.path, where.function.name, part, where.arguments)
        assert type(filled) is Dict
        held: dict[str, Value] = {}
        _flatten(filled, held)
        top, is_open = keyed(filled), not is_closed(filled)
        return _MadeError(None, top, held, is_open)

    def _logged(self, path: str, policy: Policy) -> Iterator[tuple[str, tuple[Origin, Span, bool], _MadeError]]:
        """Yield the errors that are reported in logs: calls at an error level, and payloads that are handed on."""
        fields = self._project.fields
        for log in logged(self._project, path):
            if log.level not in ERROR_LEVELS:
                continue
            name = log.function.name
            held = {key: self._evaluator.filled(path, name, value) for key, value in log.fields.items()}
            first = next((item.value for item in log.called.value.arguments if item.name in ("", "msg", "event")), None)
            if first is not None:
                held[_BASE] = self._evaluator.filled(path, name, first)
            yield name, (Origin.LOG, log.called.span, False), _MadeError(None, dict(log.fields), held, log.is_open)
        for error in fields.of(path):
            payload = payload_of(error.payload, policy)
            if payload is not None:
                made = self._payload(_ValuePlace(path, error.function), payload)
                yield error.function.name, (Origin.LOG, error.span, False), made

    # --- what is made ---------------------------------------------------------------------------------------------

    def _made(self, where: _ValuePlace, call: Call) -> Iterator[_MadeError]:
        """Yield what a call makes: an object of a class, or all that a factory returns."""
        if not call.name or call.name.startswith("."):
            if call.inner is not None and call.name.rpartition(".")[2] in _FLUENT:
                inner = only(call.inner)
                if type(inner) is Call:
                    yield from self._made(where, inner)
            return
        symbol = self._project.objects.called(where.path, call.name, where.function.name)
        if isinstance(symbol, ClassSymbol):
            yield self._object(where, call, symbol)
        elif isinstance(symbol, FunctionSymbol):
            yield from self._of_factory(where, call, symbol)
        elif isinstance(symbol, ExternalSymbol) and _is_class(symbol):
            yield self._foreign(where, call, symbol)

    def _of_factory(self, where: _ValuePlace, call: Call, symbol: FunctionSymbol) -> Iterator[_MadeError]:
        """Yield what a function returns to a call with certain arguments, with the place where it is made."""
        for found in symbol.function.returns if where.depth < MAX_CALLS else ():
            arguments = self._arguments(where, call, symbol)
            inner = _ValuePlace(symbol.path, symbol.function, arguments, where.depth + 1)
            for part, _ in parts(found.value):
                if type(part) is Call:
                    made = self._made(inner, part)
                elif type(part) is Dict:
                    made = iter((self._payload(inner, part),))
                else:
                    continue
                for each in made:
                    yield each._replace(place=each.place or (symbol.path, found.span))

    def _arguments(self, where: _ValuePlace, call: Call, symbol: FunctionSymbol) -> dict[str, Value]:
        """Return what the parameters of a function are in a call, in the words of the caller."""
        passed = self._filled_in(where, bound_to(symbol.function, call).passed)
        left = {name: value for name, value in defaults_of(symbol.function).items() if name not in passed}
        return {**passed, **{name: self._evaluator.filled(symbol.path, "", value) for name, value in left.items()}}

    def _filled_in(self, where: _ValuePlace, values: Mapping[str, Value]) -> dict[str, Value]:
        fill = self._evaluator.filled
        return {name: fill(where.path, where.function.name, value, where.arguments) for name, value in values.items()}

    def _object(self, where: _ValuePlace, call: Call, symbol: ClassSymbol) -> _MadeError:
        construction = self._project.domain.construction_of(symbol, call)
        passed = self._filled_in(where, construction.passed)
        passed.update(self._spread(where, call))
        is_open = construction.is_open and not _is_closed(call)
        return _MadeError(symbol, passed, self._constructed(symbol, passed), is_open or construction.has_more)

    def _spread(self, where: _ValuePlace, call: Call) -> Iterator[tuple[str, Value]]:
        """Yield what ``**`` passes, where that is known."""
        for argument in call.arguments:
            value = only(argument.value)
            if argument.name == "**" and type(value) is Dict:
                yield from self._filled_in(where, keyed(value)).items()

    def _foreign(self, where: _ValuePlace, call: Call, symbol: ExternalSymbol) -> _MadeError:
        bound = bind(call, ("message",))
        passed = self._filled_in(where, bound.passed)
        held = dict(passed)
        positional = [item.value for item in call.arguments if not item.name]
        first = only(passed.get("message"))
        if type(first) is Call and any(item.name == "message" for item in first.arguments):
            # An exception around a model of the error: `McpError(ErrorData(code=..., message=...))`.
            held = {item.name: item.value for item in first.arguments if item.name}
            passed = dict(held)
        elif first is not None and (
            number(first) is not None
            or (len(positional) > 1 and not is_full(first) and type(only(positional[1])) is Text)
        ):
            # The status before the message: `HTTPException(404, "...")`.
            held = {"status_code": first, **{name: value for name, value in held.items() if name != "message"}}
            if len(positional) > 1:
                held["message"] = self._filled_in(where, {"": positional[1]})[""]
            passed = dict(held)
        return _MadeError(symbol, passed, held, bound.is_open)

    # --- constructors ---------------------------------------------------------------------------------------------

    def _constructed(self, symbol: ClassSymbol, passed: Mapping[str, Value]) -> dict[str, Value]:
        """Return what an object of a class holds after it was made: by the names of attributes and arguments."""
        line = self._project.hierarchy.bases(symbol)
        held = dict(self._attributes(symbol, line))
        self._construct(line, dict(passed), held, 0)
        for name, value in passed.items():
            held.setdefault(name, value)
        return held

    def _attributes(self, symbol: ClassSymbol, line: tuple[ClassSymbol, ...]) -> dict[str, Value]:
        key = (symbol.path, symbol.definition.name)
        found = self._defaults.get(key)
        if found is None:
            found = self._defaults[key] = {}
            for base in reversed(line):
                for entry in base.definition.members or ():
                    if entry.key is not None and self._project.names.own_method(base, entry.key) is None:
                        value = self._evaluator.filled(base.path, base.definition.name, entry.value)
                        found[entry.key] = field_default(value) or _NOTHING
        return found

    def _construct(
        self, line: tuple[ClassSymbol, ...], given: dict[str, Value], held: dict[str, Value], depth: int
    ) -> None:
        """Run the constructor of the first of some classes that has one: what it stores, and hands to the next one."""
        index, constructor = self._constructor(line)
        if constructor is None:
            held.update(given)
            text = given.get("message", next(iter(given.values()), None))
            if text is not None and self._project.hierarchy.is_exception(line[0]):
                held[_BASE] = text
            return
        if depth > MAX_DEPTH:
            return
        base = line[index]
        known = [item for item in constructor.parameters[1:] if item.kind in ("", "kw")]
        arguments: dict[str, Value] = {}
        for item in known:
            if item.name in given:
                arguments[item.name] = given[item.name]
            elif item.default is not None:
                arguments[item.name] = self._evaluator.filled(base.path, "", item.default)
        rest = {name: value for name, value in given.items() if name not in arguments}
        called = [item.value for item in constructor.calls if item.value.name.rpartition(".")[2] == "__init__"]
        if not called and given:
            held[_BASE] = next(iter({**arguments, **given}.values()))  # `Exception` keeps what it is made with
        known_here = {**{f"self.{name}": value for name, value in held.items()}, **arguments}
        stored = self._stored(base, constructor, known_here)
        known_here.update((f"self.{name}", value) for name, value in stored.items())
        for call in called:
            self._hand_on(line[index + 1 :], call, base, constructor, known_here, rest, held, depth)
        held.update(stored)
        for name, value in arguments.items():
            held.setdefault(name, value)

    def _stored(self, base: ClassSymbol, constructor: Function, known: Mapping[str, Value]) -> dict[str, Value]:
        """Return what a constructor stores; of several values for one attribute the argument, if there is one."""
        found: dict[str, list[Value]] = {}
        settled: set[str] = set()
        known = dict(known)
        for entry in constructor.stores:
            if not entry.key:
                continue
            value = self._evaluator.filled(base.path, constructor.name, entry.value, known)
            if type(entry.value) is Ref and entry.value.name in known and is_full(value):
                found[entry.key] = [value]
                settled.add(entry.key)
            elif is_null(value):
                found.setdefault(entry.key, [])
            elif entry.key not in settled:
                found.setdefault(entry.key, []).append(value)
            values = found[entry.key]
            known[f"self.{entry.key}"] = values[0] if len(values) == 1 else Choice(tuple(values))
        return {
            name: values[0] if len(values) == 1 else Choice(tuple(values)) if values else Constant(None)
            for name, values in found.items()
        }

    def _hand_on(
        self,
        line: tuple[ClassSymbol, ...],
        call: Call,
        base: ClassSymbol,
        constructor: Function,
        arguments: Mapping[str, Value],
        rest: Mapping[str, Value],
        held: dict[str, Value],
        depth: int,
    ) -> None:
        """Run the constructor that another one calls, with what it is handed."""
        given = [item for item in call.arguments if item.name or item.value != Ref("self")]
        _, following = self._constructor(line)
        names = [item.name for item in following.parameters[1:] if item.kind == ""] if following else []
        values = {
            name: self._evaluator.filled(base.path, constructor.name, value, arguments)
            for name, value in bind(Call("", tuple(given)), names).passed.items()
        }
        for item in given:
            value = only(item.value)
            if item.name == "**" and type(value) is Dict:
                filled = self._evaluator.filled(base.path, constructor.name, value, arguments)
                assert type(filled) is Dict
                values.update((entry.key, entry.value) for entry in filled.entries if entry.key is not None)
            elif item.name == "**":
                values.update(rest)
        if following is None:
            first = next((item.value for item in given if not item.name), None)
            if first is not None:
                held[_BASE] = self._evaluator.filled(base.path, constructor.name, first, arguments)
            held.update(values)
            return
        self._construct(line, values, held, depth + 1)

    def _constructor(self, line: tuple[ClassSymbol, ...]) -> tuple[int, Function | None]:
        """Return the first constructor of some classes, and which of them has it."""
        for index, base in enumerate(line):
            found = self._project.names.own_method(base, "__init__")
            if found is not None:
                return index, found
        return 0, None

    # --- what is said of an error ---------------------------------------------------------------------------------

    def _error(
        self, path: str, function: Function, span: Span, kind: Origin, made: _MadeError, policy: Policy
    ) -> RaisedError:
        symbol = made.symbol
        names = self._project.hierarchy.line(symbol).names if symbol is not None else ()
        is_domain = symbol is not None and raise_outcome.is_domain(self._project, symbol, policy)
        held = {name: value for name, value in made.held.items() if not is_null(value)}
        codes = tuple(dict.fromkeys(self._codes(path, function, held, policy, is_payload=symbol is None)))
        return RaisedError(
            path,
            span,
            function.name,
            kind,
            raise_outcome.name_of(symbol) if symbol is not None else "",
            names,
            codes,
            self._messages(held, codes),
            self._hints(held, policy),
            tuple(_field_names(made.passed)),
            self._status(path, names, held, codes, policy),
            is_domain=is_domain,
            is_open=made.is_open,
            made=made.place,
            values=tuple(_constant_texts(made.passed)),
        )

    def _codes(
        self, path: str, function: Function, held: Mapping[str, Value], policy: Policy, *, is_payload: bool
    ) -> Iterator[str | int]:
        asked = (*policy.codes.arguments, *filter(None, (policy.payload.type_field,)))
        values = [held[name] for name in asked if name in held]
        if not values and is_payload and "message" in held:
            values = [held[name] for name in ("error", "error_type") if name in held]
            values = [value for value in values if _looks_like_code(value)]
        for value in values:
            for found in self._project.codes.resolved(path, function.name, value):
                yield found.text
        # What a foreign exception makes of its message is not known: it has what it is passed.
        message = held.get(_BASE, None if is_payload else held.get("message"))
        if not values and policy.codes.prefix and message is not None:
            before, _, after = policy.codes.prefix.partition("{code}")
            for text in self._evaluator.texts(message):
                first = text.parts[0] if text.parts else ""
                if isinstance(first, str) and first.startswith(before) and after.strip() in first[len(before) :]:
                    yield first[len(before) :].partition(after.strip())[0]

    def _messages(self, held: Mapping[str, Value], codes: tuple[str | int, ...]) -> tuple[Template, ...]:
        found: list[Template] = []
        for name in MESSAGES:
            texts = [text for text in self._texts(held.get(name)) if str(text) not in codes]
            if texts:
                found.extend(texts)
                break
        found.extend(self._texts(held.get(_BASE)))
        ordered = distinct(text for text in found if str(text).strip())
        full = [text for text in ordered if any(isinstance(part, str) for part in text.parts)]
        return tuple(full or ordered)

    def _texts(self, value: Value | None) -> tuple[Template, ...]:
        value = only(value)
        if type(value) is Dict or type(value) is Sequence:
            return ()
        return self._evaluator.texts(value)

    def _hints(self, held: Mapping[str, Value], policy: Policy) -> tuple[Template, ...]:
        found: list[Template] = []
        for name in policy.hints.keywords:
            found.extend(self._hint_texts(held.get(name)))
        return distinct(found)

    def _hint_texts(self, value: Value | None, depth: int = 0) -> Iterator[Template]:
        if value is None or depth > MAX_CALLS:
            return
        if type(value) is Sequence:
            for item in value.items:
                yield from self._hint_texts(item, depth + 1)
        elif type(value) is Dict:
            for entry in value.entries:
                yield from self._hint_texts(entry.value, depth + 1)
        elif type(value) is Variable or type(value) is Choice:
            for item in value.values:
                yield from self._hint_texts(item, depth + 1)
        elif type(value) is Call and value.name == ".join" and value.arguments:
            yield from self._hint_texts(value.arguments[0].value, depth + 1)
        else:
            yield from (text for text in self._evaluator.texts(value) if str(text).strip())

    def _status(
        self, path: str, names: tuple[str, ...], held: Mapping[str, Value], codes: tuple[str | int, ...], policy: Policy
    ) -> int | None:
        for name in policy.codes.status_arguments:
            found = number(only(held[name])) if name in held else None
            if found is not None and is_status(found):
                return found
        by_code = next((status for name, status in policy.codes.status.items() if name in codes), None)
        if (status := by_code if by_code is not None else listed(names, policy)) is not None:
            return status
        registries = (*self._project.codes.configured(path), *self._project.codes.recognised(path))
        for registry in registries:
            for code in registry.codes:
                if code.status is not None and code.text in codes:
                    return code.status
        return None


_FLUENT = frozenset({"with_traceback", "with_context", "with_hint", "with_hints", "add_note"})
"""Methods of an exception that return it."""

_KINDS = {
    FormKind.FACTORY: Origin.PAYLOAD,
    FormKind.OBJECT: Origin.OBJECT,
    FormKind.PAYLOAD: Origin.PAYLOAD,
    FormKind.TEXT: Origin.TEXT,
}


_NO_ERRORS = frozenset({"SystemExit", "KeyboardInterrupt", "GeneratorExit", "StopIteration", "StopAsyncIteration"})
"""Exceptions by which something ends that did not fail."""


def _is_class(symbol: Exceptional) -> bool:
    """Whether a foreign name is that of a class, by how it is spelt."""
    last = raise_outcome.name_of(symbol)
    return isinstance(symbol, ClassSymbol) or (last[:1].isupper() and last not in _NO_ERRORS)


def _is_closed(call: Call) -> bool:
    """Whether all that ``*`` and ``**`` pass is known."""
    return all(
        type(value := only(item.value)) is Dict and is_closed(value)
        for item in call.arguments
        if item.name in ("*", "**")
    )


def _only_text(text: str) -> _MadeError:
    """Return an error of which nothing but a text with ``{}`` for its holes is known."""
    pieces = text.split("{}")
    found: list[str | Value] = [pieces[0]]
    for piece in pieces[1:]:
        found.extend((Ref(""), piece))
    return _MadeError(None, {}, {_BASE: Text(tuple(part for part in found if part != ""))} if text else {})


def _flatten(value: Dict, held: dict[str, Value], depth: int = 0) -> None:
    """Put the entries of a payload into ``held``; what stands at the top wins over what is below an error key."""
    for entry in value.entries:
        if entry.key is not None:
            held.setdefault(entry.key, entry.value)
    for entry in value.entries:
        inner = only(entry.value)
        if type(inner) is Dict and depth < MAX_CALLS and ((entry.key or "").lower() in (*ERROR_KEYS, "data")):
            held.pop(entry.key or "", None)
            _flatten(inner, held, depth + 1)


_NOTHING = Sequence("list", ())


def _looks_like_code(value: Value) -> bool:
    text = constant_text(value)
    return text is not None and _CODE.fullmatch(text) is not None


def _constant_texts(passed: Mapping[str, Value]) -> Iterator[tuple[str, str]]:
    for name, value in passed.items():
        text = constant_text(value)
        if text is not None:
            yield name, text


def _field_names(passed: Mapping[str, Value]) -> Iterator[str]:
    for name, value in passed.items():
        yield name
        inner = only(value)
        if type(inner) is Dict:
            yield from (f"{name}.{entry.key}" for entry in inner.entries if entry.key is not None)
