"""ERR211: the boundary decorator itself is at fault."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from errlint.checks.wording import short
from errlint.facts import Function, Handler, Value
from errlint.findings import Finding, Related, Span
from errlint.index.catching import is_broad
from errlint.project import Project
from errlint.project.boundary import never_waits, wrappers
from errlint.project.domain import matches
from errlint.project.leaks import tells
from errlint.project.names import FunctionSymbol
from errlint.rules import RULES
from errlint.settings import Boundary

_CANCELLATIONS = frozenset({"BaseException", "CancelledError", "GeneratorExit", "KeyboardInterrupt", "SystemExit"})
_WRAPPERS = frozenset({"update_wrapper", "wraps"})


class _BoundaryFault(NamedTuple):
    function: Function
    span: Span
    text: str
    related: tuple[Related, ...] = ()


def check(project: Project, path: str) -> Iterator[Finding]:
    """Yield what is wrong with the boundary decorators that one file defines."""
    severity = RULES["ERR211"].severity
    for each in project.duties.of(path):
        message = f"the boundary `{each.name}` {each.text}"
        yield Finding(path, each.span, "ERR211", severity, message, each.function.name)
    boundaries = [boundary for boundary in project.policy(path).boundaries if boundary.decorator]
    if not boundaries:
        return
    for function in project.modules[path].functions:
        absolute = project.names.absolute(FunctionSymbol(path, function))
        for boundary in boundaries:
            if matches(absolute, (boundary.decorator,)):
                for fault in _faults(project, path, function, boundary):
                    message = f"the boundary `{short(function.name)}` {fault.text}"
                    name = fault.function.name
                    yield Finding(path, fault.span, "ERR211", severity, message, name, related=fault.related)


def _faults(project: Project, path: str, function: Function, boundary: Boundary) -> Iterator[_BoundaryFault]:
    inside = project.boundaries.parts(FunctionSymbol(path, function))
    around = wrappers(inside)
    if never_waits(inside):
        used = (item for item in project.boundaries.decorated() if item.cover.boundary == boundary)
        lost = next((item for item in used if item.function.is_async), None)
        if lost is not None:
            text = "has no async wrapper: it returns before an async function has run, and never sees its exceptions"
            related = (Related(lost.path, lost.function.span, f"`{short(lost.function.name)}` is async"),)
            yield _BoundaryFault(around[0], around[0].span, text, related)
    if not _is_wrapped_elsewhere((function, *inside)):
        for item in around:
            if not any(_last(name) in _WRAPPERS for name in item.decorators):
                text = "loses the signature of what it wraps; put `@functools.wraps` on its wrapper"
                yield _BoundaryFault(item, item.span, text)
    for item in inside:
        yield from _catches(item)
        yield from _leaks(item)


def _is_wrapped_elsewhere(functions: tuple[Function, ...]) -> bool:
    """Whether the signature is kept in another way than by a decorator on the wrapper."""
    if any(name.rpartition(".")[2] == "decorator" for name in functions[0].decorators):
        return True
    calls = (part for item in functions for found in item.calls for part in (found.value.name, _inner(found.value)))
    returned = (_inner(found.value) for item in functions for found in item.returns)
    return any(_last(name) in _WRAPPERS for name in (*calls, *returned))


def _inner(value: Value) -> str:
    """Return the name in ``name(...)(...)``."""
    return getattr(getattr(value, "inner", None), "name", "")


def _catches(function: Function) -> Iterator[_BoundaryFault]:
    for around in function.tries:
        reraised = False
        for catch in around.catches:
            stops = [name for name in catch.types if _last(name) in _CANCELLATIONS]
            if catch.span != around.span and (stops or not catch.types):
                if {"again", "raise"}.isdisjoint(catch.exits) and not reraised:
                    what = f"`{stops[0]}`" if stops else "everything"
                    text = f"catches {what}, so that a cancellation or Ctrl-C does not end the work; raise it again"
                    yield _BoundaryFault(function, catch.span, text)
                reraised = True


def _leaks(function: Function) -> Iterator[_BoundaryFault]:
    """Yield the broad handlers all of whose answers hold the text of the exception."""
    groups: dict[Handler, list[tuple[Span, Value]]] = {}
    answers = [(found.span, found.value, found.handlers) for found in function.returns]
    answers += [(found.span, found.value, found.handlers) for found in function.raises]
    for span, value, handlers in answers:
        if handlers and is_broad(handlers[0].types) and handlers[0].name:
            groups.setdefault(handlers[0], []).append((span, value))
    for handler, places in groups.items():
        if all(tells(value, handler.name) for _, value in places):
            what = f"any exception (`except {', '.join(handler.types)}`)"
            text = f"answers {what} with its text; leave that to the log and answer a text of its own"
            yield _BoundaryFault(function, min(span for span, _ in places), text)


def _last(name: str) -> str:
    return name.rpartition(".")[2]
