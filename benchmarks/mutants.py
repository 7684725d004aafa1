"""The checks of the fix engine, each switched off in turn: what guards nothing is no check.

A mutant replaces functions of ``errlint.fix`` for the time of a run; errlint itself has no options for that. A proof
is a second line: what it would find, nobody plans. So it is switched off together with a fault in what it proves, and
with that fault alone it has to hold.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from typing import Any, NamedTuple
from unittest import mock

import libcst as cst

from errlint.fix import plan, prove, rewrite, run
from errlint.fix.callers import (
    abstract_values,
    boundary_differences,
    boundary_tests,
    call_sites,
    caller_rewrites,
    dispatch_tables,
    empty_results,
    error_checks,
    exception_path,
    reach,
    receiver_types,
    stale_checks,
    test_rewrites,
    wrapping,
)
from errlint.fix.payload_extraction import factories, variables
from errlint.fix.payload_extraction.answers import ErrorAnswer
from errlint.fix.raising import constructors, exceptions, handling, imports, passing, raises
from errlint.fix.rewrite import Changes
from errlint.fix.source_file import SourceFile


class Mutant(NamedTuple):
    """A check, and what stands in its place: ``module`` is the one whose name is replaced.

    ``equivalent`` says why nobody can see that the check is gone, "" where somebody can. A ``fault`` (a module, a name
    in it and what takes its place) is one that the check has to catch.
    """

    name: str
    module: Any
    attribute: str
    instead: Callable[..., Any]
    equivalent: str = ""
    fault: tuple[Any, str, Callable[..., Any]] | None = None


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


def _zero(*_: object, **__: object) -> int:
    return 0


def _any_return(parsed: SourceFile, called: cst.BaseExpression, *, is_async: bool) -> cst.Return | None:
    return next((parent for parent, _ in parsed.around(called) if isinstance(parent, cst.Return)), None)


def _is_not_called(parsed: SourceFile, named: Sequence[cst.BaseExpression]) -> bool:
    around = (next(iter(parsed.around(item))) for item in named)
    return bool(named) and not any(isinstance(parent, cst.Call) and parent.func is child for parent, child in around)


class _Anything:
    """Takes all trees for the same."""

    is_complete = True

    def __init__(self, *_: object) -> None:
        pass

    def same(self, *_: object) -> bool:
        return True


# --- faults that a proof has to catch -------------------------------------------------------------------------------

_EFFECT = re.compile(rb"^(\s*)record\(.*\)$", re.MULTILINE)
_REMARK = re.compile(rb"^\s*# .*\n", re.MULTILINE)


def _without_effects(parsed: SourceFile, changes: Changes) -> bytes:
    """Rewrite a file, and lose statements of it that have an effect."""
    return _EFFECT.sub(rb"\1pass", rewrite.rewrite(parsed, changes))


def _without_remarks(parsed: SourceFile, changes: Changes) -> bytes:
    """Rewrite a file, and lose the comments that have lines of their own."""
    return _REMARK.sub(b"", rewrite.rewrite(parsed, changes))


def _without_boundary(
    parsed: SourceFile, answer: ErrorAnswer, name: str, arguments: Sequence[str], cause: str
) -> Changes:
    """Raise in the place of an answer, and take the boundary off the function."""
    made = raises.raised_by(parsed, answer, name, arguments, cause)
    function = parsed.function(answer.at)
    texts = [parsed.code(item.decorator) for item in function.decorators] if function is not None else []
    kept = tuple(text for text in texts if not text.startswith("handle_errors"))
    return made if function is None or len(kept) == len(texts) else made._replace(decorated=((function, kept),))


MUTANTS = (
    Mutant(
        "a finally that jumps",
        exception_path,
        "_refuse_jumps",
        _none,
        "a jump drops a return that waits as it drops an exception; the refusal is for the reader of a raise in vain",
    ),
    Mutant("a handler of its own", exception_path, "_first_catching", _none),
    Mutant("contexts", exception_path, "_contexts", _nothing),
    Mutant("contexts of the project's own", exception_path, "_is_own", _no),
    Mutant("decorators", wrapping, "decorators_below", _nothing),
    Mutant("texts of classes", exceptions, "alterations", _nothing),
    Mutant("texts of builtins", exceptions, "foreign_alterations", _nothing),
    Mutant("what constructors hand on", constructors, "_hands_on", _yes),
    Mutant("messages that are no texts", plan, "is_text", _yes),
    Mutant("names of handlers bound again", handling, "is_kept", _yes),
    Mutant("names bound again", handling, "is_stable_name", _yes),
    Mutant("names that are free", handling, "free_name", lambda *_: "exc"),
    Mutant("names that are free in callers", caller_rewrites, "free_name", lambda *_: "exc"),
    Mutant("names that are taken", imports, "_is_taken", _no),
    Mutant("imports that do not always run", imports, "_is_at_top", _yes),
    Mutant("exceptions that would pass a handler", plan, "would_pass", _nothing),
    Mutant("users of the answer", reach, "readers", _nothing),
    Mutant("other keys", plan, "differences", _nothing),
    Mutant("empty results that change", empty_results, "_may_change", _no),
    Mutant("equal values", boundary_differences, "_is_answered", lambda found, key, value: key in found.empty),
    Mutant(
        "misordered boundaries",
        reach,
        "_refuse_misordered",
        _none,
        "what registers a function below its boundary is a decorator that may do anything, and ERR202 moves it first",
    ),
    Mutant("results that are not returned as they are", reach, "handed_on", _yes),
    Mutant("results of functions in tables", dispatch_tables, "_returned", _any_return),
    Mutant("other uses of functions in tables", dispatch_tables, "is_test", _yes),
    Mutant("functions that are replaced", reach, "replaced", _none),
    Mutant("functions that are looked up", reach, "lookup", _none),
    Mutant("functions that tests look up", test_rewrites, "looked_up", _nothing),
    Mutant("functions that are taken out of their boundary", reach, "unwrapped", _nothing),
    Mutant("objects that are replaced", receiver_types, "_differs", _no),
    Mutant("objects of protocols", call_sites, "is_protocol", _no),
    Mutant("exceptions that a boundary never answers", plan, "missed", _nothing),
    Mutant("exceptions that a boundary never answers, passing a handler", passing, "missed", _nothing),
    Mutant("examples in docstrings", plan, "examples", _nothing),
    Mutant("uses in defaults, assertions and conditions", call_sites, "_others", _nothing),
    Mutant("uses that only ask for a function", reach, "_are_only_asked_for", _is_not_called),
    Mutant("handlers that answer another text", passing, "_is_own_text", _yes),
    Mutant("handlers of what the boundary does not answer", passing, "_is_answered", _yes),
    Mutant(
        "handlers in a try",
        passing,
        "_is_tried",
        _no,
        "what passes its handler is looked at on its way as any raise is: a `try` around that makes the fix unsafe",
    ),
    Mutant("handlers with other keys", passing, "differences", _nothing),
    Mutant("arguments of factories that run twice or never", factories, "_refuse_effects", _none),
    Mutant("names in factories that are bound again", factories, "is_stable_name", _yes),
    Mutant("defaults of factories", factories, "is_constant", _yes),
    Mutant("results that others see", variables, "_refuse_shared", _none),
    Mutant("results that have been changed before", variables, "_is_left", _yes),
    Mutant("results that are changed around the return", variables, "_has_changed", _no),
    Mutant("values with effects in results", variables, "is_plain", _yes),
    Mutant("what runs before a result is returned", variables, "_straight", _nothing),
    Mutant("import cycles", imports, "_reached", _no_set),
    Mutant("tests that use the function", test_rewrites, "_in_test", _nothing),
    Mutant("stand-ins in tests", test_rewrites, "stand_in", _zero),
    Mutant("tests that look for an error in other ways", test_rewrites, "_looking", _none),
    Mutant(
        "tests that compare the whole answer",
        test_rewrites,
        "_refuse_whole",
        _none,
        "a payload that is compared names the key of its error, and is in doubt as what looks for an error",
    ),
    Mutant("tests that read the result elsewhere", test_rewrites, "_is_read_elsewhere", _no),
    Mutant("tests that read other keys of a boundary", boundary_tests, "reread", _nothing),
    Mutant("tests that notice more keys of a boundary", boundary_tests, "gained", _nothing),
    Mutant("decorators between a test and the function", test_rewrites, "in_between", _empty),
    Mutant("tests whose name for the function is not certain", test_rewrites, "may_mean", _no),
    Mutant("tests that get their error from another answer", test_rewrites, "_is_named", _yes),
    Mutant("what else a callee answers", caller_rewrites, "answers", _nothing),
    Mutant("what else a test may get", test_rewrites, "answers", _nothing),
    Mutant(
        "decorators of a callee",
        abstract_values,
        "_is_plain",
        _yes,
        "a decorator that nothing is known of makes the fix unsafe wherever the errors pass it",
    ),
    Mutant("the end of a callee", abstract_values, "leaves", _yes),
    Mutant("what else a handler would catch", caller_rewrites, "makes", _nothing),
    Mutant("what the block of a check does", error_checks, "_refuse_block", _none),
    Mutant("results that are read after the error", error_checks, "_refuse_ends", _none),
    Mutant(
        "checks that find something",
        stale_checks,
        "dead",
        lambda _, found: caller_rewrites._without_guard(found),
        "ERR108 is found only where all that the callee answers is known and has no such key; this is a second look",
    ),
    Mutant("siblings of a method", reach, "siblings", _nothing),
    Mutant("siblings of a factory", factories, "siblings", _nothing),
    Mutant("the proof of the tree", prove, "_Comparison", _Anything, fault=(run, "rewrite", _without_effects)),
    Mutant(
        "the proof of the comments", prove, "_comments", lambda _: Counter(), fault=(run, "rewrite", _without_remarks)
    ),
    Mutant(
        "the proof of no new finding", run, "new_findings", lambda *_: [], fault=(plan, "raised_by", _without_boundary)
    ),
)


@contextmanager
def switched_off(name: str, *, only_fault: bool = False) -> Iterator[None]:
    """Run without one check, with the fault that it has to catch; without a name, with all.

    With ``only_fault`` the check stays.
    """
    found = next((item for item in MUTANTS if item.name == name), None)
    with ExitStack() as replaced:
        if found is not None and found.fault is not None:
            replaced.enter_context(mock.patch.object(*found.fault))
        if found is not None and not only_fault:
            replaced.enter_context(mock.patch.object(found.module, found.attribute, found.instead))
        yield
