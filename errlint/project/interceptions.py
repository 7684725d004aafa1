"""Interceptions: which exceptions a function catches of what it calls, clause by clause, and what it makes of them.

Asked of functions that stand around others: wrappers of decorators, middleware, and adapters that do it themselves.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from enum import Enum
from typing import NamedTuple

from errlint.facts import Catch, Function, Handler, Try, Use, Value
from errlint.findings import Span

_RUNNERS = frozenset(
    {"apply_async", "run", "run_in_executor", "run_in_threadpool", "run_sync", "submit", "to_thread", "wait_for"}
)
"""Last parts of calls that call what they are handed."""


class Reaction(str, Enum):
    """What a clause does with what it has caught."""

    AGAIN = "raises again"
    RAISES = "raises"
    ANSWERS = "answers"


class Outcome(NamedTuple):
    """One statement by which a clause is left: how, where, and the value that it raises or returns."""

    how: Reaction
    span: Span
    value: Value | None = None


class Interception(NamedTuple):
    """An ``except`` clause around a call: its function, itself, and all statements by which it leaves the function.

    A clause without outcomes goes on: behind the ``try``, or in the next turn of a loop.
    """

    function: Function
    catch: Catch
    outcomes: tuple[Outcome, ...]


def interceptions(function: Function, is_around: Callable[[Use], bool]) -> Iterator[Interception]:
    """Yield the clauses of those ``try`` statements of a function in whose bodies a use ``is_around``."""
    for attempt in function.tries:
        if any(is_around(use) for use in _in_body(function, attempt)):
            for catch in attempt.catches:
                yield Interception(function, catch, tuple(_outcomes(function, catch)))


def calls_one_of(names: frozenset[str]) -> Callable[[Use], bool]:
    """Return what says whether a use calls something by one of some names, or has it called."""

    def calls(use: Use) -> bool:
        if use.callee not in names:
            return False
        return use.how != "passed" or use.receiver.rpartition(".")[2] in _RUNNERS

    return calls


def _in_body(function: Function, attempt: Try) -> Iterator[Use]:
    """Yield the uses between ``try`` and the first ``except``; none of a ``with suppress(...)``, which has no such."""
    first = attempt.catches[0].span if attempt.catches else attempt.span
    yield from (use for use in function.uses if attempt.span.line <= use.span.line < first.line)


def _outcomes(function: Function, catch: Catch) -> Iterator[Outcome]:
    handler = Handler(catch.types, catch.name)
    # Clauses of another ``try`` may look the same: those that come before the next one are of this.
    lines = [other.span.line for each in function.tries for other in each.catches if _alike(other, catch)]
    end = min((line for line in lines if line > catch.span.line), default=None)

    def is_inside(span: Span, handlers: tuple[Handler, ...]) -> bool:
        return handler in handlers and catch.span.line <= span.line and (end is None or span.line < end)

    found = [
        Outcome(Reaction.ANSWERS, item.span, item.value)
        for item in function.returns
        if is_inside(item.span, item.handlers)
    ]
    found += [
        Outcome(Reaction.RAISES, item.span, item.value)
        for item in function.raises
        if is_inside(item.span, item.handlers)
    ]
    found += [Outcome(Reaction.AGAIN, item.span) for item in function.reraises if is_inside(item.span, item.handlers)]
    yield from sorted(found, key=lambda item: item.span)


def _alike(one: Catch, other: Catch) -> bool:
    return (one.types, one.name) == (other.types, other.name)
