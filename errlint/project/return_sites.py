"""Error returns: where a project answers an error instead of raising it, and what is none although it looks so."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Set
from collections.abc import Mapping as MappingView
from typing import TYPE_CHECKING, NamedTuple

from errlint.error_keywords import (
    CHECK_KEYS,
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
)
from errlint.facts import Call, Constant, Function, Mapping, Return, Sequence, Value, answered, is_empty, only
from errlint.findings import Span
from errlint.project.arguments import bound_to, defaults_of, own_parameters
from errlint.project.bound_conditions import hold, ways
from errlint.project.callers import Caller, contains_call
from errlint.project.domain import matches
from errlint.project.frameworks import HTTP_DECORATORS, RUNS_ALL_TOOLS
from errlint.project.names import ClassSymbol, FunctionSymbol, ValueSymbol
from errlint.project.payload_shapes import Form, FormKind, is_part_of
from errlint.settings.policy import bare_name

if TYPE_CHECKING:
    from errlint.project import Project

_SERIALIZERS = frozenset({"__str__", "__repr__", "serialize", "model_dump", "dict", "json", "__dict__"})
_RESOURCE_DECORATORS = frozenset({"contextmanager", "asynccontextmanager", "fixture", "lifespan"})


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


_MAX_TUPLES = 3
"""Through so many functions an error may be handed on as a part of a tuple."""


class ReturnSites:
    """Answers where the functions of one project return errors."""

    def __init__(self, project: Project) -> None:
        self._project = project
        self._names = project.names
        self._layout = project.layout
        self._classifier = project.classifier
        self._adapters = project.adapters
        self._callers = project.callers
        self._excluded: dict[tuple[str, str], bool] = {}
        self._sites: dict[str, list[ReturnSite]] = {}
        self._duplicates: dict[str, tuple[tuple[Builder, ...], ...]] = {}
        self._shapes: dict[str, tuple[tuple[ReturnSite, int], ...]] = {}

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
        return (
            not self._adapters.is_adapter(path, function) and self._is_made_for_others(path, function)
        ) or self._is_boundary(path, function)

    def _is_made_for_others(self, path: str, function: Function) -> bool:
        """Whether a function is a serializer, inside of what is excluded, or of a middleware or an exception."""
        short = function.name.rpartition(".")[2]
        if function.owner and (short in _SERIALIZERS or _is_conversion(short, function)):
            return True
        outer = self._names.function(path, function.name.rpartition(".")[0])
        if outer is not None and self.is_excluded(path, outer):
            return True
        owner = self._names.enclosing_class(path, function.name)
        return owner is not None and (self._is_middleware(owner) or self._project.hierarchy.is_exception(owner))

    def _is_middleware(self, owner: ClassSymbol) -> bool:
        return any(
            name.endswith("Middleware") for name in (owner.definition.name, *self._project.hierarchy.base_names(owner))
        )

    def _is_boundary(self, path: str, function: Function) -> bool:
        """Whether a function is a boundary's decorator, something inside one, or one of its converters."""
        boundaries = self._project.policy(path).boundaries
        if not boundaries:
            return False
        module = self._layout.module_name(path)
        parts = function.name.split(".")
        around = [".".join(filter(None, (module, *parts[: count + 1]))) for count in range(len(parts))]
        return any(
            matches(around[-1], boundary.converters)
            or (boundary.decorator and any(matches(name, (boundary.decorator,)) for name in around))
            for boundary in boundaries
        )

    def is_part_of_more(self, path: str, function: Function) -> bool:
        """Whether every caller makes the function's result a part of something bigger, or raises from it."""
        # Methods of other classes share its name: where it is known who calls this one, those decide.
        is_raised = bool(function.owner) and self._is_raised(path, function, 0)
        return is_raised or self._is_part(path, function, 0)

    def _is_raised(self, path: str, function: Function, depth: int) -> bool:
        """Whether every certain caller raises from what a function answers, or answers it to one that does."""
        callers = _from_outside(path, function, self._callers.must(path, function))
        return (
            bool(callers)
            and depth <= 3
            and all(
                caller.use.how == "raised"
                or (
                    caller.use.how == "returned"
                    and (around := self._callers.around(caller)) is not None
                    and not self._adapters.is_adapter(caller.path, around)
                    and self._is_raised(caller.path, around, depth + 1)
                )
                for caller in callers
            )
        )

    def _is_part(self, path: str, function: Function, depth: int) -> bool:
        callers = _from_outside(path, function, self._callers.may(path, function))
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
            around = self._callers.around(caller)
            if caller.use.how != "returned" or around is None or around.name == function.name:
                return False
            if self._is_part(caller.path, around, depth + 1):
                found = True
            elif self._adapters.is_adapter(caller.path, around) or self._callers.may(caller.path, around):
                return False
            # Else a second entry to the worker, which nobody in the project uses.
        return found

    def unclaimed(self, distributions: Set[str]) -> int:
        """Return how many payloads, objects and factory calls are returned in distributions, adapters or not."""
        clear = (FormKind.PAYLOAD, FormKind.OBJECT, FormKind.FACTORY)
        return sum(
            form is not None and form.kind in clear
            for path, module in self._project.modules.items()
            if self._layout.distribution(path) in distributions
            for function in module.functions
            if not self.is_excluded(path, function)
            for form in (self._classifier.classify(path, function, found) for found in function.returns)
        )

    def of(self, path: str) -> list[ReturnSite]:
        """Return the error returns of one file in order of place, hard negatives left out."""
        found = self._sites.get(path)
        if found is None:
            found = self._sites[path] = []
            try:
                if self.is_served(path):
                    for function in self._project.modules[path].functions:
                        found.extend(self._function_sites(path, function))
                    found.sort(key=lambda site: site.found.span)
            except RecursionError:  # the rest was not looked at: on a deeper stack it is
                del self._sites[path]
                raise
        return found

    def is_served(self, path: str) -> bool:
        """Whether the distribution of a file has something that answers clients: adapters, or routes."""
        distribution = self._layout.distribution(path)
        return distribution in self._adapters.distributions or distribution in self._project.routes.distributions

    def returns_of(self, path: str) -> Iterator[tuple[Function, Return]]:
        """Yield all returns of one file, if its distribution has adapters, with their functions."""
        if self._layout.distribution(path) in self._adapters.distributions:
            for function in self._project.modules[path].functions:
                for found in function.returns:
                    yield function, found

    def duplicate_factories(self, distribution: str) -> tuple[tuple[Builder, ...], ...]:
        """Return groups of factories that build payloads with the same keys, each in order of place."""
        found = self._duplicates.get(distribution)
        if found is None:
            groups: dict[tuple[str, ...], list[Builder]] = {}
            for path in self._adapters.files.get(distribution, ()):
                for builder in self._builders(path):
                    groups.setdefault(builder.shape, []).append(builder)
            several = [group for group in groups.values() if len(group) > 1]
            ordered = [tuple(sorted(group, key=_builder_place)) for group in several]
            found = self._duplicates[distribution] = tuple(sorted(ordered, key=lambda group: _builder_place(group[0])))
        return found

    def _builders(self, path: str) -> Iterator[Builder]:
        for function in self._project.modules[path].functions:
            if self.is_excluded(path, function) or not self._is_called(path, function):
                continue
            forms = self._classifier.factory(FunctionSymbol(path, function))
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
            for path in self._adapters.files.get(distribution, ()):
                for site in self.of(path):
                    form = site.form
                    if form.kind is FormKind.UNMARKED_TEXT or not self._project.reach.adapter_of(
                        site.path, site.function
                    ):
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
        is_route = self._project.routes.is_answering(path, function)
        if self.is_excluded(path, function) and not is_route and not self._project.boundaries.is_rival(path, function):
            return
        forms = [
            (found, form) for found in function.returns if (form := self._classifier.classify(path, function, found))
        ]
        if not forms:
            return
        if self._layout.distribution(path) not in self._adapters.distributions and not (
            self._project.routes.answered_by(path, function)
        ):
            return  # of a web application only what its clients get
        adapter = self._adapters.is_adapter(path, function)
        if not adapter and not is_route:
            if self.is_part_of_more(path, function) or self.tells_reasons(path, function):
                return
            if self._classifier.factory(FunctionSymbol(path, function)) is not None and self._is_builder(
                path, function
            ):
                return
            if self._is_told_where_called(path, function):
                return
        short = function.name.rpartition(".")[2]
        is_probe = bool(PROBE.match(short.lstrip("_")) or PROBING_CLASS.search(function.name.rpartition(".")[0]))
        for found, form in forms:
            is_asked = bool(found.asked or found.held) and not adapter and not is_route
            if is_asked and self._is_chosen_where_called(path, function, found):
                continue
            if form.members:
                form = self._handed_out(path, function, form)
            # What a resource answers is the state of something, until it says itself that it is an error. Beside what
            # was caught, a status of the project's own is how the call went.
            is_caught = (
                bool(found.handlers) and not is_route and not ERROR_KEYS.isdisjoint(key.lower() for key in form.shape)
            )
            if form.neutral and (
                not (adapter or is_caught)
                or PROBE.search(short)
                or self._project.boundaries.is_resource(path, function)
            ):
                continue
            if is_route and (_is_frame(form) or (PROBE.search(short) and _is_report(form))):
                continue
            if form.is_weak and not is_route and not self._project.reach.adapter_of(path, function):
                continue
            if (
                form.made is not None
                and self._is_web_result(form.made)
                and not self._project.reach.adapter_of(path, function)
            ):
                continue  # it has its status, of which a route makes that of its answer
            if (adapter or is_route) and _is_asked_for(function, form):
                continue
            if is_probe and (_is_found_out(function, form) or (_is_report(form) and _lists_checks(form))):
                continue
            is_object = FormKind.OBJECT in (form.kind, form.builds) and bool(form.shape)
            if is_object and is_probe and PROBE_CLASS.search(form.shape[0]):
                continue
            if found.is_yield and (_is_event(found, form) or self._is_streamed(path, function)):
                continue
            if self._classifier.is_marked(form) and (
                self.answers_all_tools(path, function) or (found.handlers and self._runs_all_tools(path, function))
            ):
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
        for caller in self._callers.must(path, function) if depth < _MAX_TUPLES else ():
            around = self._callers.around(caller)
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
        callers = ((each.path, each.function, each.use.callee) for each in self._callers.may(path, function))
        for where, scope, callee in callers:
            around = self._names.function(where, scope)
            if around is not None and any(_streams(found.value, callee) for found in around.returns):
                return True
        return False

    def _is_web_result(self, made: ClassSymbol) -> bool:
        """Whether objects of a class have a status of HTTP, which is that of a success until another one is given."""
        fields = (self._names.member(made, name) for name in ("status", "status_code", "http_status"))
        return any(isinstance(field, ValueSymbol) and field.value == Constant(200) for field in fields)

    def tells_reasons(self, path: str, function: Function) -> bool:
        """Whether a function answers why something is wrong, or nothing, and no caller answers that as it is."""
        reasons = 0
        is_nothing = function.ends
        short = bare_name(function.name)
        for found in function.returns:
            form, value = self._classifier.classify(path, function, found), only(found.value)
            if form is not None and form.kind is FormKind.TEXT and not form.wrapper:
                reasons += 1
            elif type(value) is Constant and not value.value:
                is_nothing = True
            elif type(value) is not Call or (value.name, value.inner) != (f".{short}", Call("super", ())):
                return False
        if not reasons or not is_nothing:
            return False
        asked = [
            (caller, self._callers.around(caller))
            for caller in self._callers.may(path, function)
            if caller.use.callee != f".{short}" or bare_name(caller.function) != short  # one that overrides it
        ]
        return bool(asked) and not any(
            each is None or caller.use.how not in ("called", "raised") or self._callers.returns_result(caller, each)
            for caller, each in asked
        )

    def answers_all_tools(self, path: str, function: Function) -> bool:
        """Whether a server is handed a function that answers the calls of all tools, as ``on_call_tool=``."""
        return any(
            bare_name(each.use.receiver) in HANDLER_KEYWORDS
            for caller in self._callers.may(path, function)
            for each in self._adapters.registrations(caller)
        )

    def _runs_all_tools(self, path: str, function: Function) -> bool:
        """Whether a function runs whatever tool is called, for a decorator or for the function that has that one.

        What its handlers make of exceptions is the answer to those that any tool raised.
        """
        around = (
            self._callers.around(each) for each in self._callers.must(path, function) if each.use.how == "returned"
        )
        return any(RUNS_ALL_TOOLS in map(bare_name, each.decorators) for each in (function, *filter(None, around)))

    def _is_builder(self, path: str, function: Function) -> bool:
        """Whether an error factory is there to be called: it is, or it takes what goes into the error.

        What is handed an exception is, by whoever gets the function as a value.
        """
        asked = [item.name for item in own_parameters(function)]
        if self._is_called(path, function):
            return True
        is_told = bool(asked) and EXCEPTION_VARIABLE.fullmatch(asked[0]) is not None
        return is_told or (bool(asked) and not self._callers.may(path, function))

    def _is_told_where_called(self, path: str, function: Function) -> bool:
        """Whether a function makes the texts of errors, which are returned wherever it is called."""
        symbol = FunctionSymbol(path, function)
        if not self._classifier.tells_error(symbol):
            return False
        callers = [caller for caller in self._callers.may(path, function) if caller.use.how != "passed"]
        return bool(callers) and all(self._returns_what(caller, symbol) for caller in callers)

    def _is_chosen_where_called(self, path: str, function: Function, found: Return) -> bool:
        """Whether all who call a function tell it whether there is an error, so that what it answers is theirs."""
        callers, symbol = self._callers.must(path, function), FunctionSymbol(path, function)
        if not callers:
            return not self._callers.may(path, function)
        told: set[bool | None] = set()
        for caller in callers:
            around = self._callers.around(caller)
            for part in (part for item in (around.returns if around else ()) for part in answered(item.value)):
                if type(part) is Call and bare_name(part.name) == bare_name(function.name):
                    bound = bound_to(function, part)
                    given = {**defaults_of(function), **bound.passed}
                    told.add(None if bound.is_open else self._is_told(path, function, found, given))
        if told == {False}:
            return True
        return None not in told and any(self._returns_what(caller, symbol) for caller in callers)

    def _is_told(self, path: str, function: Function, found: Return, bindings: MappingView[str, Value]) -> bool | None:
        """Whether a return answers an error where parameters are bound to arguments; ``None`` where it may."""
        answers = {
            hold(asked, bindings)
            for value, asked in ways(found)
            if self._classifier.form(path, function, value, found.handlers)
        }
        return True if True in answers else None if None in answers else False

    def _returns_what(self, caller: Caller, symbol: FunctionSymbol) -> bool:
        """Whether the function around a call has an error return that is made by what it calls."""
        around = self._callers.around(caller)
        returns = around.returns if around is not None else ()
        forms = (self._classifier.classify(caller.path, around, each) for each in returns if around is not None)
        return any(form is not None and form.helper == symbol for form in forms)

    def _is_called(self, path: str, function: Function) -> bool:
        """Whether a function is called, or bound to some of its arguments to be called."""
        uses = (caller.use for caller in self._callers.must(path, function))
        return any(use.how != "passed" or use.receiver.rpartition(".")[2] == "partial" for use in uses)


def _from_outside(path: str, function: Function, callers: Iterable[Caller]) -> list[Caller]:
    """Return the callers outside a function: inside, one of its name is recursion, or another's method."""
    own = path, function.name
    return [caller for caller in callers if caller.use.how != "passed" and (caller.path, caller.function) != own]


def _builder_place(builder: Builder) -> tuple[str, Span]:
    return builder.path, builder.function.span


def _is_report(form: Form) -> bool:
    """Whether a payload may be the state of something that is asked for: it has a status, and nothing failed."""
    keys = {key.lower() for key in form.keys}
    is_payload = form.kind is FormKind.PAYLOAD and not form.number_key
    return is_payload and not keys.isdisjoint(STATUS_KEYS) and keys.isdisjoint(SUCCESS_KEYS)


def _lists_checks(form: Form) -> bool:
    """Whether a payload lists what was asked, each with what came out."""
    return not CHECK_KEYS.isdisjoint(key.lower() for key in form.keys)


def _is_asked_for(function: Function, form: Form) -> bool:
    """Whether an error is what a function is asked for: its one answer is what an object's method found out."""
    if len(function.returns) != 1 or function.ends or function.raises or function.returns[0].handlers:
        return False
    value = only(function.returns[0].value)
    if type(value) is Call and value.arguments:  # what makes a response of it
        value = only(value.arguments[0].value)
    told = [only(entry.value) for entry in value.entries] if type(value) is Mapping else []
    keys = {key.lower() for key in form.shape}
    return bool(told) and keys <= ERROR_KEYS and all(type(item) is Call and "." in item.name for item in told)


def _is_found_out(function: Function, form: Form) -> bool:
    """Whether the flag that tells an error is what a function finds out: it answers it worked out, too."""
    flags = {key for key in form.shape if key.lower() in SUCCESS_KEYS}
    answers = (only(found.value) for found in function.returns)
    entries = (entry for value in answers if type(value) is Mapping for entry in value.entries)
    return any(entry.key in flags and type(only(entry.value)) is not Constant for entry in entries)


def _is_frame(form: Form) -> bool:
    """Whether a payload is the result of a tool as MCP has it, which a server written by hand sends as it is."""
    return form.is_error or not {key.lower() for key in form.keys}.isdisjoint(OUTRIGHT_KEYS)


def _is_conversion(short: str, function: Function) -> bool:
    """Whether a method turns its object into something else: ``to_dict``, ``as_failure``; it asks for nothing more."""
    asked = [item for item in function.parameters[1:] if item.default is None and item.kind in ("", "kw")]
    return short.startswith(("to_", "as_")) and not asked


def _streams(value: Value, callee: str) -> bool:
    """Whether a value is a response whose content is what a call of a generator yields."""
    value = only(value)
    if type(value) is not Call or not bare_name(value.name).endswith(STREAMS):
        return False
    return any(contains_call(item.value, callee) for item in value.arguments)


def _is_event(found: Return, form: Form) -> bool:
    """Whether what is yielded is an event of a stream: it tells its kind, or is one of server-sent events."""
    value = only(found.value)
    keys = {entry.key for entry in value.entries} if type(value) is Mapping else set()
    return not EVENT_KEYS.isdisjoint(key.lower() for key in form.keys) or ("data" in keys and keys <= SERVER_SENT)
