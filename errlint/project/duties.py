"""What a boundary owes to its clients and to the log, and where it does not keep to that.

A boundary is what ``[[boundary]] decorator`` names with the functions inside it, and its ``converters``. They are
looked at together, wherever they stand: one may log what the other answers.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, NamedTuple

from errlint.error_keywords import LOG_LEVELS, LOG_METHODS
from errlint.facts import (
    Call,
    Catch,
    Constant,
    ExceptionHandling,
    Function,
    HandlingStep,
    Item,
    Mapping,
    Ref,
    Return,
    Value,
    Variable,
    all_values,
    is_null,
    keyed,
    only,
)
from errlint.findings import Span
from errlint.index.catching import is_broad
from errlint.lazy import cached_property
from errlint.project.boundary import wrappers
from errlint.project.domain import matches
from errlint.project.leaks import TRACES, tells
from errlint.project.logs import CONTEXTS
from errlint.project.names import ClassSymbol, ExternalSymbol, FunctionSymbol
from errlint.settings import Boundary
from errlint.settings.policy import bare_name

if TYPE_CHECKING:
    from errlint.project import Project

_MESSAGE, _EMPTY = "{message}", "empty_result"
_DEPTH = 3
_LOGGING = frozenset(
    {"audit", "capture", "emit", "handle", "log", "logged", "logger", "logging", "logs", "notify", "observe", "print",
     "process", "record", "report", "send", "span", "trace", "track", "write"}
)  # fmt: skip
"""Words in the names of functions that may log in a way that cannot be seen."""


class DutyFault(NamedTuple):
    """Where a boundary is at fault, and how: ``text`` goes on after ``name``, that of the decorator."""

    name: str
    path: str
    function: Function
    span: Span
    text: str


class _DutyPlace(NamedTuple):
    path: str
    function: Function
    span: Span
    text: str


class _Log(NamedTuple):
    """A log call; ``is_told`` is true on a way for exceptions of some kind only."""

    path: str
    function: Function
    span: Span
    has_stack: bool
    is_told: bool = False


class Duties:
    """Answers where the boundaries of one project are at fault."""

    def __init__(self, project: Project) -> None:
        self._project = project
        self._logs: dict[tuple[str, str], tuple[_Log, ...] | None] = {}

    def of(self, path: str) -> Iterator[DutyFault]:
        """Yield where boundaries are at fault in one file."""
        yield from self._by_path.get(path, ())

    @cached_property
    def _by_path(self) -> dict[str, list[DutyFault]]:
        found: dict[str, dict[DutyFault, None]] = {}
        for path, module in self._project.modules.items():
            boundaries = [item for item in self._project.policy(path).boundaries if item.decorator]
            for function in module.functions if boundaries else ():
                absolute = self._project.names.absolute(FunctionSymbol(path, function))
                for boundary in boundaries:
                    if matches(absolute, (boundary.decorator,)):
                        for place in self._faults(path, function, boundary):
                            fault = DutyFault(_last(function.name), *place)
                            found.setdefault(fault.path, {}).setdefault(fault)
        return {path: [*faults] for path, faults in found.items()}

    def _faults(self, path: str, function: Function, boundary: Boundary) -> Iterator[_DutyPlace]:
        """Yield what is wrong with a decorator and with the converters behind it, in whatever file that is."""
        inside = self._project.boundaries.parts(FunctionSymbol(path, function))
        around = wrappers(inside)
        converters = [FunctionSymbol(*found) for found in self._converters(path, boundary)]
        if boundary.envelope:
            for item in around:
                yield from self._uncaught(path, item, boundary, (function, *inside))
                answers = [found for found in item.returns if found.handlers]
                yield from _incomplete(path, item, answers, boundary)
            for symbol in converters:
                yield from _incomplete(symbol.path, symbol.function, symbol.function.returns, boundary)
        for symbol in converters:
            yield from _leaks(symbol)
        if boundary.logs:
            yield from self._unlogged(path, around, converters)

    def _converters(self, path: str, boundary: Boundary) -> Iterator[tuple[str, Function]]:
        distribution = self._project.layout.distribution(path)
        wanted = {bare_name(name) for name in boundary.converters}
        for other, module in self._project.modules.items():
            if wanted and self._project.layout.distribution(other) == distribution:
                for function in module.functions:
                    if _last(function.name) in wanted and matches(
                        self._project.names.absolute(FunctionSymbol(other, function)), boundary.converters
                    ):
                        yield other, function

    # --- what is caught -----------------------------------------------------------------------------------------

    def _uncaught(
        self, path: str, item: Function, boundary: Boundary, parts: Iterable[Function]
    ) -> Iterator[_DutyPlace]:
        """Yield the clauses of a wrapper that leave exceptions to others, where the wrapped function is called."""
        given = {parameter.name for part in parts for parameter in part.parameters if parameter.kind == ""}
        calls = [found for found in item.calls if found.value.name in given and found.tries]
        if not calls:
            return
        tries = [found for found in item.tries if found.span in calls[0].tries]
        catches = [catch for found in tries for catch in found.catches if catch.span != found.span]
        if not catches or any(is_broad(catch.types) for catch in catches):
            return
        roots = self._project.policy(path).exceptions.root
        name = bare_name(roots[0]) if roots else ""
        if roots and not self._catches_root(path, item, catches, roots):
            text = f"does not catch every `{name}`: the others reach the client raw"
        else:
            text = (
                "does not catch what nobody expects: such an exception reaches the client raw; add `except Exception`"
            )
        yield _DutyPlace(path, item, catches[-1].span, text)

    def _catches_root(self, path: str, item: Function, catches: list[Catch], roots: tuple[str, ...]) -> bool:
        """Whether one of some clauses catches a root of the domain, as far as that is known."""
        for name in (name for catch in catches for name in catch.types):
            symbol = self._project.names.resolve(path, name, item.name)
            if isinstance(symbol, ClassSymbol):
                if matches(self._project.names.absolute(symbol), roots):
                    return True
            elif isinstance(symbol, ExternalSymbol):
                if matches(symbol.name, roots):
                    return True
            else:
                return True  # a tuple of classes, or what is not known
        return False

    # --- what is logged -----------------------------------------------------------------------------------------

    def _unlogged(self, path: str, around: list[Function], converters: list[FunctionSymbol]) -> Iterator[_DutyPlace]:
        ways = [(item, way) for item in around for way in item.ways if way.is_caught and way.exit != "raise"]
        found = [(item, way, self._logs_on(path, item, way, 0)) for item, way in ways]
        silent = [(item, way) for item, way, logs in found if logs == ()]
        if silent and len(silent) == len(found):
            yield _DutyPlace(path, around[0], around[0].span, "does not log what it answers")
            return
        for item, way in silent:
            yield _DutyPlace(path, item, way.span, f"does not log {_what(way.types)}")
        for symbol in converters:
            if not any(way.types for way in symbol.function.ways):
                continue  # it does the same about all exceptions: the clause that calls it is told
            for way in symbol.function.ways:
                if way.exit == "raise" or self._logs_on(*symbol, way, 0) != ():
                    continue
                if any(self._hands_on(path, item, caught, symbol, way.types) for item, caught in ways):
                    yield _DutyPlace(*symbol, way.span, f"does not log {_what(way.types)}")
        for place in dict.fromkeys(self._without_stack(found)):
            yield _DutyPlace(place.path, place.function, place.span, "logs what nobody expected without its stack")

    def _hands_on(
        self, path: str, item: Function, way: ExceptionHandling, converter: FunctionSymbol, types: tuple[str, ...]
    ) -> bool:
        """Whether a clause leaves exceptions of some types to a converter, and logs none of them itself."""
        if not is_broad(way.types) and not {*map(_last, types)} & {*map(_last, way.types)}:
            return False
        called = [self._project.objects.called(path, call.name, item.name) for call in _calls(way.steps)]
        return converter in called and self._logs_on(path, item, way, 0, besides=converter) == ()

    def _without_stack(
        self, found: list[tuple[Function, ExceptionHandling, tuple[_Log, ...] | None]]
    ) -> Iterator[_Log]:
        """Yield where exceptions that nobody expected are logged, none of it with a stack."""
        for _, way, logs in found:
            unexpected = [log for log in logs or () if not log.is_told]
            if unexpected and is_broad(way.types) and not any(log.has_stack for log in unexpected):
                yield unexpected[-1]

    def _logs_on(
        self, path: str, function: Function, way: ExceptionHandling, depth: int, besides: FunctionSymbol | None = None
    ) -> tuple[_Log, ...] | None:
        """Return the log calls on a way; ``None`` where it may log in a way that cannot be seen."""
        logs: list[_Log] = []
        for step in way.steps:
            for call in _calls((step,)):
                found = self._logged(path, function, step, call, way.name, depth, besides)
                if found is None:
                    return None
                logs.extend(found)
        return tuple(logs)

    def _logged(
        self,
        path: str,
        function: Function,
        step: HandlingStep,
        call: Call,
        exception: str,
        depth: int,
        besides: FunctionSymbol | None,
    ) -> tuple[_Log, ...] | None:
        method = _last(call.name)
        if (method in LOG_LEVELS and "." in call.name) or method == "log":
            return (_Log(path, function, step.span, _has_stack(call)),)
        symbol = self._project.objects.called(path, call.name, function.name)
        is_handed = any(type(each.value) is Ref and each.value.name == exception for each in call.arguments)
        if isinstance(symbol, FunctionSymbol):
            return () if symbol == besides or depth >= _DEPTH else self._logs_of(symbol, is_handed, depth)
        if isinstance(symbol, ClassSymbol) or method in CONTEXTS or method in TRACES:
            return ()
        if isinstance(symbol, ExternalSymbol) and symbol.name.startswith("builtins."):
            return ()
        is_unknown = _may_log(method) or not call.name or (is_handed and bool(exception))
        return None if is_unknown else ()

    def _logs_of(self, symbol: FunctionSymbol, is_handed: bool, depth: int) -> tuple[_Log, ...] | None:
        """Return the log calls of a function of the project, and of those it calls where that is known."""
        key = (symbol.path, symbol.function.name)
        if key in self._logs:
            return self._logs[key]
        self._logs[key] = ()
        function = symbol.function
        found: tuple[_Log, ...] | None = tuple(
            _Log(symbol.path, function, called.span, _has_stack(called.value))
            for called in function.calls
            if _last(called.value.name) in LOG_METHODS
        )
        if function.ways:
            inner = [(way, self._logs_on(symbol.path, function, way, depth + 1)) for way in function.ways]
            logs = [log._replace(is_told=not is_broad(way.types)) for way, known in inner for log in known or ()]
            found = None if any(known is None for _, known in inner) else tuple(logs)
        elif not found:
            found = self._logs_behind(symbol, depth + 1)
            if found == () and is_handed and _may_log(_last(function.name)):
                found = None
        self._logs[key] = found
        return found

    def _logs_behind(self, symbol: FunctionSymbol, depth: int) -> tuple[_Log, ...] | None:
        """Return the log calls of the first function that a function of the project calls, and that may log."""
        for use in symbol.function.uses if depth < _DEPTH else ():
            called = self._project.objects.called(symbol.path, use.callee, symbol.function.name)
            if use.how != "passed" and isinstance(called, FunctionSymbol):
                found = self._logs_of(called, False, depth)
                if found != ():
                    return found
        return ()


def _may_log(name: str) -> bool:
    return not _LOGGING.isdisjoint(name.lower().split("_"))


def _what(types: tuple[str, ...]) -> str:
    return "what nobody expected" if is_broad(types) else f"`{_last(types[0])}`"


# --- what is answered -------------------------------------------------------------------------------------------


def _incomplete(path: str, function: Function, answers: Iterable[Return], boundary: Boundary) -> Iterator[_DutyPlace]:
    """Yield the answers that lack a part of the envelope, or fill its message with something else."""
    for found in answers:
        value = only(found.value)
        if type(value) is not Mapping or any(entry.key is None for entry in value.entries):
            continue
        spread = [_spelled(item) for item in value.spreads]
        entries = keyed(value)
        if all(name.rpartition(".")[2] in (_EMPTY, boundary.empty_result) for name in spread):
            lacking = [key for key, filler in boundary.envelope.items() if filler != _EMPTY and key not in entries]
            if lacking:
                names = ", ".join(f"`{name}`" for name in lacking)
                yield _DutyPlace(path, function, found.span, f"answers without {names}, which its envelope has")
        results = [key for key, filler in boundary.envelope.items() if filler == _EMPTY]
        if results and not spread and not entries.keys() - {*boundary.envelope} and not entries.keys() & {*results}:
            text = f"answers without the fields of the tool, which `{boundary.empty_result or _EMPTY}` has"
            yield _DutyPlace(path, function, found.span, text)
        for key, filler in boundary.envelope.items():
            said = _no_message(entries.get(key)) if filler == _MESSAGE else ""
            if said:
                places = (step.span for way in function.ways for step in way.steps if step.key == key)
                span = next(places, found.span)
                yield _DutyPlace(path, function, span, f"fills `{key}` with {said} where the message belongs")


def _spelled(value: Value) -> str:
    """Return the dotted name of a value, also of a copy of it (``dict(name)``)."""
    value = only(value)
    if type(value) is Call and _last(value.name) in ("dict", "copy", "deepcopy"):
        return _spelled(value.arguments[0].value) if value.arguments else value.name.rpartition(".")[0]
    return value.name if type(value) is Ref or type(value) is Variable else "?"


def _no_message(value: Value | None) -> str:
    """Say what a value certainly is instead of a message, "" where it may be one."""
    value = only(value)
    key = value.key if type(value) is Item else ""
    if type(value) is Ref:
        key = _last(value.name.removesuffix(".value"))
    if key in ("code", "error_code", "instance", "status", "status_code", "type"):
        return f"`{key}`"
    if type(value) is Constant and (value.value is None or isinstance(value.value, bool)):
        return f"`{value.value}`"
    return ""


def _leaks(symbol: FunctionSymbol) -> Iterator[_DutyPlace]:
    """Yield where a converter that tells exceptions apart answers an unexpected one with its text."""
    ways = symbol.function.ways
    if not any(way.types and not is_broad(way.types) for way in ways):
        return
    places = [step.span for way in ways if is_broad(way.types) for step in _answering(way) if _tells(step, way, ways)]
    for span in dict.fromkeys(places):
        text = "answers what nobody expected with its text; leave that to the log and answer a text of its own"
        yield _DutyPlace(*symbol, span, text)


def _tells(step: HandlingStep, way: ExceptionHandling, ways: tuple[ExceptionHandling, ...]) -> bool:
    names = {way.name} if way.name else {other.name for other in ways if other.name}
    return any(tells(step.value, name) for name in names)


def _answering(way: ExceptionHandling) -> Iterator[HandlingStep]:
    """Yield the steps of a way whose values become part of its answer, last first."""
    if way.exit != "return":
        return
    wanted: set[str] = set()
    for index, step in enumerate(reversed(way.steps)):
        if index == 0 or step.target in wanted:
            told = (part for part in all_values(step.value) if type(part) is Ref or type(part) is Variable)
            wanted |= {part.name.partition(".")[0] for part in told}
            yield step


# --- values -----------------------------------------------------------------------------------------------------


def _has_stack(call: Call) -> bool:
    """Whether a log call writes the stack, as far as it can be seen."""
    if _last(call.name) == "exception":
        return True
    given = list(call.arguments)
    inner = only(call.inner)
    options = inner.arguments if type(inner) is Call and _last(inner.name) == "opt" else ()  # those of loguru
    if any(each.name == "**" for each in options):
        return True
    stacks = [each.value for each in given if each.name == "exc_info"]
    stacks.extend(each.value for each in options if each.name == "exception")
    if any(not is_null(value) and not _is_false(value) for value in stacks):
        return True
    return any(each.name in ("**", "stack_info") for each in given) or any(
        _last(inner.name) in TRACES for each in given for inner in _calls((HandlingStep(Span(0, 0, 0, 0), each.value),))
    )


def _is_false(value: Value) -> bool:
    value = only(value)
    return type(value) is Constant and value.value is False


def _calls(steps: Iterable[HandlingStep]) -> Iterator[Call]:
    """Yield the calls in the values of steps, outer ones first."""
    for step in steps:
        yield from (part for part in all_values(step.value) if type(part) is Call)


def _last(name: str) -> str:
    return name.rpartition(".")[2]
