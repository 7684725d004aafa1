"""The checks of the fix engine, each switched off in turn: what guards nothing is no check.

A mutant replaces one function of ``errlint.fix`` for the time of a run; errlint itself has no options for that.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple
from unittest import mock

from errlint.fix import plan, run
from errlint.fix.forms import factories, variables
from errlint.fix.raising import constructors, exceptions, handling, imports
from errlint.fix.users import callers, hazards, reach, tested


class Mutant(NamedTuple):
    """A check, and what stands in its place: ``module`` is the one whose name is replaced.

    ``equivalent`` says why nobody can see that the check is gone, "" where somebody can.
    """

    name: str
    module: Any
    attribute: str
    instead: Callable[..., Any]
    equivalent: str = ""


def _nothing(*_: object, **__: object) -> tuple[()]:
    return ()


def _none(*_: object, **__: object) -> None:
    return None


def _yes(*_: object, **__: object) -> bool:
    return True


def _empty(*_: object, **__: object) -> str:
    return ""


def _no(*_: object, **__: object) -> bool:
    return False


def _no_set(*_: object, **__: object) -> set[str]:
    return set()


MUTANTS = (
    Mutant(
        "a finally that jumps",
        hazards,
        "_refuse_jumps",
        _none,
        "a jump drops a return that waits as it drops an exception; the refusal is for the reader of a raise in vain",
    ),
    Mutant("a handler of its own", hazards, "_first_catching", _none),
    Mutant("contexts", hazards, "_contexts", _nothing),
    Mutant("contexts of the project's own", hazards, "_is_own", _no),
    Mutant("decorators", plan, "decorators", _nothing),
    Mutant("texts of classes", exceptions, "alterations", _nothing),
    Mutant("texts of builtins", exceptions, "foreign_alterations", _nothing),
    Mutant("what constructors hand on", constructors, "_hands_on", _yes),
    Mutant("messages that are no texts", plan, "is_text", _yes),
    Mutant("names of handlers bound again", handling, "is_kept", _yes),
    Mutant("names bound again", handling, "is_steady", _yes),
    Mutant("names that are taken", imports, "_is_taken", _no),
    Mutant("exceptions that would pass a handler", plan, "would_pass", _nothing),
    Mutant("users of the answer", reach, "readers", _nothing),
    Mutant("other keys", plan, "differences", _nothing),
    Mutant("equal values", reach, "_is_answered", lambda found, key, value: key in found.empty),
    Mutant(
        "misordered boundaries",
        reach,
        "_refuse_misordered",
        _none,
        "what registers a function below its boundary is a decorator that may do anything, and ERR202 moves it first",
    ),
    Mutant("results that are not returned as they are", reach, "handed_on", _yes),
    Mutant("error returns that stay", plan, "_refuse_rest", _none),
    Mutant("arguments of factories that run twice or never", factories, "_refuse_effects", _none),
    Mutant("results that others see", variables, "_refuse_shared", _none),
    Mutant("results that have been changed before", variables, "_is_left", _yes),
    Mutant("what runs before a result is returned", variables, "_straight", _nothing),
    Mutant("import cycles", imports, "_reached", _no_set),
    Mutant("tests that use the function", tested, "_in_test", _nothing),
    Mutant("what else a callee answers", callers, "answers", _nothing),
    Mutant("what else a handler would catch", callers, "makes", _nothing),
    Mutant("what the block of a check does", callers, "_refuse_block", _none),
    Mutant("results that are read after the error", callers, "_refuse_ends", _none),
    Mutant("siblings of a method", reach, "siblings", _nothing),
    Mutant("the proof of the tree and comments", run, "reason_against", _empty),
    Mutant("the proof of no new finding", run, "new_findings", lambda *_: []),
)


@contextmanager
def switched_off(name: str) -> Iterator[None]:
    """Run without one check; without a name, with all."""
    found = next((item for item in MUTANTS if item.name == name), None)
    if found is None:
        yield
        return
    with mock.patch.object(found.module, found.attribute, found.instead):
        yield
