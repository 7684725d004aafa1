"""Differential execution: generated adapters answer the same before and after a fix.

Programs come from the grammar in ``programs.py``, many in one project. Each tool is called with inputs that switch its
conditions on, one by one, in pairs and in threes, before the fix and after it; the tests of a program run then too.
"""

from __future__ import annotations

import argparse
import ast
import asyncio
import functools
import gc
import importlib.abc
import importlib.machinery
import inspect
import io
import itertools
import logging
import multiprocessing
import re
import sys
import tempfile
import tokenize
import types
import unittest
import warnings
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import pytest
import toolkit
from mutants import MUTANTS, switched_off
from programs import Program, random_program, smaller
from served import CONFIGURATIONS, FRAMEWORKS, Answered, changed, served, standing_in

from errlint.fix.plan import FIXABLE
from errlint.fix.run import Fixes, find_fixes
from errlint.request import Request
from errlint.run import check
from errlint.settings import CommandLine
from errlint.settings.loading import load

logging.disable()

BATCH = 100
MUTANT_PROGRAMS = 2000
ENOUGH_FIXED = 0.60
ENOUGH_SAFE = 0.25
TESTS = "test_server.py"
MAX_SHOWN = 20
MAX_ROUNDS = 60
TEXT = 'it\'s "so"\n{x} %s \\ é'
MARKERS = {"success", "ok", "isError", "status"}
CRASHES = {"NameError", "UnboundLocalError", "TypeError", "AttributeError", "ImportError", "SyntaxError"}


class Answer(NamedTuple):
    """What a client sees of one call: what is answered or raised, and the side effects."""

    value: object
    effects: tuple[str, ...]


class Place(NamedTuple):
    """A line of a program: ``path`` begins with its package."""

    path: str
    line: int


class Counterexample(NamedTuple):
    """A program that a fix changes: ``kind`` is what was broken, ``text`` says how."""

    kind: str
    text: str
    program: Program


class Outcome(NamedTuple):
    """What became of a batch: error returns found, fixed and fixed safely, files changed; and what went wrong."""

    sites: int
    fixed: int
    safe: int
    changed: int
    counterexamples: tuple[Counterexample, ...]
    refusals: Counter[str]


# --- running programs -----------------------------------------------------------------------------------------------


class Sources(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Imports packages from texts."""

    def __init__(self, texts: Mapping[str, str]) -> None:
        """``texts`` are the sources by module name; a package has no dot in its name."""
        self._texts = texts

    def find_spec(
        self, name: str, path: Sequence[str] | None = None, target: types.ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        """Find a module."""
        if name not in self._texts:
            return None
        return importlib.machinery.ModuleSpec(name, self, is_package="." not in name)

    def exec_module(self, module: types.ModuleType) -> None:
        """Run it."""
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            code = compile(self._texts[module.__name__], module.__name__, "exec")
        exec(code, module.__dict__)


def answers(package: str, texts: Mapping[str, str], conditions: int) -> dict[str, Answer]:
    """Import a program, call all its tools, and run its tests; the keys say which call it was."""
    finder = Sources(texts)
    sys.meta_path.insert(0, finder)
    try:
        with standing_in():
            importlib.import_module(f"{package}.errors")  # which a fix may import where nobody did
            server = importlib.import_module(f"{package}.server")
            found = _called(server.server, conditions)
            found.update(_tested(f"{package}.{TESTS[:-3]}") if f"{package}.{TESTS[:-3]}" in texts else ())
    except Exception as error:  # noqa: BLE001 -- a broken program is an answer too
        return {"import": Answer(("raised", type(error).__name__, str(error)), ())}
    finally:
        sys.meta_path.remove(finder)
        for name in texts:
            sys.modules.pop(name, None)
    return found


def _called(server: toolkit.Server, conditions: int) -> dict[str, Answer]:
    found: dict[str, Answer] = {}
    numbers = range(1, conditions + 1)
    for on in (
        (),
        *((each,) for each in numbers),
        *itertools.combinations(numbers, 2),
        *itertools.combinations(numbers, 3),
    ):
        for name, tool in server.tools.items():
            call = f"{name}({set(on) or '{}'}, ...)"
            _CALLED.append(call)
            found[call] = _answer(lambda tool=tool, on=on: tool(frozenset(on), TEXT))  # type: ignore[misc]
            _CALLED.pop()
    return found


def _tested(module: str) -> Iterator[tuple[str, Answer]]:
    """Run the tests of a module, and yield what becomes of each: those that pass answer nothing."""
    for name, test in sorted(vars(importlib.import_module(module)).items()):
        if isinstance(test, type) and issubclass(test, unittest.TestCase):
            for method in unittest.defaultTestLoader.getTestCaseNames(test):
                yield f"{TESTS}: {method}", _answer(test(method).debug)
        elif name.startswith("test"):
            yield f"{TESTS}: {name}", _answer(lambda test=test: _with_fixtures(test))  # type: ignore[misc]


def _with_fixtures(test: Callable[..., object]) -> object:
    """Run a test with the one fixture that it may ask for."""
    if "monkeypatch" not in inspect.signature(test).parameters:
        return test()
    with pytest.MonkeyPatch.context() as monkeypatch:
        value = test(monkeypatch)
        return _LOOP.run_until_complete(value) if asyncio.iscoroutine(value) else value


def _answer(call: Callable[[], object]) -> Answer:
    toolkit.effects.clear()
    toolkit.rounds.clear()
    try:
        value = call()
        if asyncio.iscoroutine(value):
            value = _LOOP.run_until_complete(value)
        if isinstance(value, types.GeneratorType):
            value = list(value)
    except BaseException as error:  # noqa: BLE001 -- what a client sees
        value = ("raised", type(error).__name__, str(error))
    return Answer(value, tuple(toolkit.effects))


_LOOP = asyncio.new_event_loop()

_CALLED: list[str] = []
"""The call of a tool that is made at the time, if any."""


# --- comparing answers ----------------------------------------------------------------------------------------------


def difference(before: Answer, after: Answer) -> str:
    """Say in what a client finds that an answer changed, "" where it is as it was."""
    if before.effects != after.effects:
        return f"effects {before.effects} -> {after.effects}"
    if _same(before.value, after.value):
        return ""
    shown = f"{before.value!r} -> {after.value!r}"
    if not isinstance(before.value, dict) or not isinstance(after.value, dict) or not before.value.get("error"):
        return shown
    old, new = before.value["error"], after.value.get("error")
    if not isinstance(old, str) or not isinstance(new, str) or old not in new:
        return shown
    kept = {key: value for key, value in before.value.items() if key != "error" and key not in MARKERS}
    return "" if all(key in after.value and _same(value, after.value[key]) for key, value in kept.items()) else shown


def _same(one: object, other: object) -> bool:
    """Whether two values are equal, and of the same types all the way down."""
    return (
        _shown(one) == _shown(other)
        if not isinstance(one, dict)
        else (
            isinstance(other, dict) and one.keys() == other.keys() and all(_same(one[key], other[key]) for key in one)
        )
    )


def _shown(value: object) -> str:
    """Return a value as text, without the addresses of objects that have no text of their own."""
    return _ADDRESS.sub("", repr(value))


_ADDRESS = re.compile(r" at 0x[0-9a-f]+")


def crash(before: Answer, after: Answer) -> str:
    """Say whether a call now fails in a way that only a mistake in the code makes it fail."""
    return f"{before.value!r} -> {after.value!r}" if _failure(after) in CRASHES - {_failure(before)} else ""


def _failure(answer: Answer) -> str:
    value = answer.value
    if isinstance(value, tuple) and len(value) == 3 and value[0] == "raised":
        return str(value[1])
    problem = value.get("problem") if isinstance(value, dict) else None
    return str(problem.get("title", "")) if isinstance(problem, dict) else ""


def _comments(text: str) -> Counter[str]:
    """Count the comments of a text, but for suppressions: those that suppress nothing any more are removed (ERR901)."""
    return Counter(
        token.string
        for token in tokenize.generate_tokens(io.StringIO(text).readline)
        if token.type == tokenize.COMMENT and "errlint: ignore" not in token.string
    )


# --- batches --------------------------------------------------------------------------------------------------------


def drawn(first: int, count: int, seed: int, *, is_served: bool = False) -> list[Program]:
    """Return programs; the same numbers give the same ones. Those that are served by a framework have no boundary."""
    made = (random_program(f"{seed} {number}") for number in range(first, first + count))
    if is_served:
        kinds = list(itertools.product(FRAMEWORKS, CONFIGURATIONS))
        framework, configuration = kinds[first // BATCH % len(kinds)]
        made = (served(program, framework, configuration) for program in made)
    return [program for program in made if _compiles(program)]


def run(batch: Sequence[Program], modes: Sequence[bool] = (False, True)) -> Outcome:
    """Fix a batch of programs of one configuration in one project, and call all of them before and after."""
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder).resolve()
        (root / "pyproject.toml").write_text(batch[0].configuration, encoding="utf-8")
        texts = [program.sources(number) for number, program in enumerate(batch)]
        for number, files in enumerate(texts):
            package = root / f"p{number}" / f"shop_{number}"
            package.mkdir(parents=True)
            (package.parent / "pyproject.toml").write_text("", encoding="utf-8")
            for name, text in {"__init__.py": "", **files}.items():
                (package / name).write_text(text, encoding="utf-8")
        loaded = load(root, config=None, isolated=False, overrides=CommandLine())
        request = Request(settings=loaded.settings, use_cache=False)
        findings = check(request).findings
        gc.disable()  # trees of many files are kept: looking through them again and again takes half of the time
        fixes = {mode: find_fixes(request, findings, unsafe=mode) for mode in modes}
        gc.enable()
    counterexamples: list[Counterexample] = []
    first: dict[int, dict[str, Answer]] = {}
    for is_unsafe, fix in fixes.items():
        for number in sorted({int(path.partition("/")[0][1:]) for path in fix.contents}):
            if number not in first:
                first[number] = _call(number, texts[number], batch[number])
            after = _after(number, texts[number], fix)
            told = _told(number, texts[number].get(TESTS, ""), fix)
            own = [
                doubt.text
                for group in fix.fixed
                if group.path.startswith(f"p{number}/")
                for doubt in group.doubts
                if not doubt.is_convention
            ]
            going_on = GoingOn(_doubted(number, fix), partial(_ran, number, texts[number], batch[number]))
            answered = _call(number, after, batch[number])
            text = _compare(first[number], answered, told, going_on, doubts=own if is_unsafe else None)
            kind = "crash after an unsafe fix" if is_unsafe else "another answer after a safe fix"
            if not text and any(_comments(texts[number][name]) - _comments(after[name]) for name in after):
                kind, text = "lost comment", "a comment is gone"
            if text:
                counterexamples.append(Counterexample(kind, text, batch[number]))
    return _counted(fixes.get(True), fixes[modes[0]], counterexamples)


def _batch(start: int, count: int, number: int, *, is_served: bool) -> Outcome:
    """Draw and run a batch; every fourth is fixed with unsafe fixes too, and all that a framework serves."""
    warnings.simplefilter("ignore")
    batch = drawn(start, count, number, is_served=is_served)
    return run(batch, (False, True) if is_served or start // BATCH % 4 == 0 else (False,))


def _is_noticed(start: int, number: int, mutant: str = "", *, only_fault: bool = False) -> bool:
    """Whether something is wrong with a batch that is fixed without a check, safely or not."""
    warnings.simplefilter("ignore")
    with switched_off(mutant, only_fault=only_fault):
        return bool(run(drawn(start, BATCH, number)).counterexamples)


def _counted(fixes: Fixes | None, safe: Fixes, counterexamples: Iterable[Counterexample]) -> Outcome:
    """Count the error returns of groups: what is fixed only where unsafe fixes were tried too."""
    if fixes is None:
        return Outcome(0, 0, 0, len(safe.contents), tuple(counterexamples), Counter())
    fixed, left, shown = (
        sum(finding.code in FIXABLE for group in groups for finding in group.findings)
        for groups in (fixes.fixed, (*fixes.refused, *fixes.hidden), safe.fixed)
    )
    reasons = Counter(_shape(doubt.text) for group in fixes.refused for doubt in group.doubts if doubt.refuses)
    reasons.update(f"({_shape(doubt.text)})" for group in fixes.fixed for doubt in group.doubts)
    return Outcome(fixed + left, fixed, shown, len(safe.contents), tuple(counterexamples), reasons)


def _shape(reason: str) -> str:
    return re.sub(r"\d+", "N", reason)


def _after(number: int, texts: Mapping[str, str], fixes: Fixes) -> dict[str, str]:
    start = f"p{number}/shop_{number}/"
    changed = {path[len(start) :]: new.decode() for path, (_, new) in fixes.contents.items() if path.startswith(start)}
    return {**texts, **changed}


def _call(number: int, texts: Mapping[str, str], program: Program) -> dict[str, Answer]:
    package = f"shop_{number}"
    modules = {f"{package}.{name[:-3]}": text for name, text in texts.items()}
    return answers(package, {package: "", **modules}, program.conditions)


def _doubted(number: int, fixes: Fixes) -> frozenset[Place]:
    """Return the places of a program from which an unsafe fix says that work may go on, where it ended before."""
    start = f"p{number}/"
    found: set[Place] = set()
    for doubt in (doubt for group in fixes.fixed if group.path.startswith(start) for doubt in group.doubts):
        if _IS_CAUGHT.search(doubt.text) and (place := _PLACE.search(doubt.text)):
            found.add(Place(place[1][len(start) :], int(place[2])))
        elif _IS_DROPPED.search(doubt.text) or _IS_GIVEN.search(doubt.text):
            found.add(Place(doubt.path[len(start) :], doubt.line))
    return frozenset(found)


def _ran(number: int, texts: Mapping[str, str], program: Program) -> Mapping[str, Collection[Place]]:
    """Return the lines of a program that run in each call of its tools."""
    package = f"shop_{number}"
    ran: dict[str, set[Place]] = {}

    def on_line(frame: types.FrameType, event: str, _: object) -> Callable[..., Any] | None:
        if not frame.f_globals.get("__name__", "").startswith(f"{package}."):
            return None
        if event == "line":
            path = frame.f_globals["__name__"].replace(".", "/") + ".py"
            ran.setdefault(_CALLED[-1] if _CALLED else "", set()).add(Place(path, frame.f_lineno))
        return on_line

    before = sys.gettrace()
    sys.settrace(on_line)
    try:
        _call(number, texts, program)
    finally:
        sys.settrace(before)
    return ran


def _told(number: int, text: str, fixes: Fixes) -> frozenset[str]:
    """Return the tests of a program that an unsafe fix says it may break; ``text`` is their file as it was.

    Those of tools see what clients see, and may be in doubt as that is. Of others none may be left as it is that
    looks for an error, unless it is not known what it is given.
    """
    start = f"p{number}/shop_{number}/"
    doubts = [doubt for group in fixes.fixed if group.path.startswith(start) for doubt in group.doubts]
    own = [doubt.text for doubt in doubts if doubt.path == start + TESTS]
    tools = {
        group.function
        for group in fixes.fixed
        if group.path.startswith(start) and group.doubts and group.function.startswith("tool")
    }
    found: set[str] = set()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            shown = ast.unparse(node)
            is_about_errors = _ABOUT_ERRORS.search(shown) is not None
            is_told = any(not is_about_errors or not _IS_LEFT.search(doubt) for doubt in own)
            is_of_tool = any(re.search(rf"\b{name}\b", shown) for name in tools)
            if is_told or is_of_tool or (doubts and node.name.startswith("test_tool")):
                found.add(f"{TESTS}: {node.name}")
    return frozenset(found)


_IS_KEPT = re.compile("may catch, repeat or keep what the function raises")
"""Says that a decorator may end a call otherwise, so that whoever made it goes on with something else."""

_IS_CAUGHT = re.compile("the handler of the caller would also catch")
"""Says that a call may go on, with whatever comes of it, where an exception ended it before."""

_IS_DROPPED = re.compile("may end otherwise when an exception leaves it")
"""Says that what is behind a ``with`` may run where an answer ended the call before."""

_IS_GIVEN = re.compile("which the caller reads and not every one had")
"""Says that a caller finds a key in an error put together again that it missed before, and goes on with it."""

_PLACE = re.compile(r"(\S+\.py):(\d+)")

_IS_TEXT = re.compile("does not hand on its message as it is|makes its own text|may show another text|in quotes")
"""Says that an exception shows another text than the message that it is given."""

_IS_LEFT = re.compile("would get an exception")
_ABOUT_ERRORS = re.compile("'(error|success|status)'")


class GoingOn:
    """The places from which work may go on after a fix, as that says, where it ended before.

    ``ran`` makes all calls of the tools again, and tells the lines that run in each: that is slow, and seldom asked.
    """

    def __init__(self, places: Collection[Place], ran: Callable[[], Mapping[str, Collection[Place]]]) -> None:
        self._places = places
        self._ran = functools.cache(ran)

    def is_told(self, call: str) -> bool:
        """Whether one of the places ran in a call before the fix."""
        return bool(self._places) and not set(self._places).isdisjoint(self._ran().get(call, ()))


def _compare(
    before: Mapping[str, Answer],
    after: Mapping[str, Answer],
    told: Collection[str],
    going_on: GoingOn,
    *,
    doubts: Sequence[str] | None,
) -> str:
    """Say what a client or a test finds changed; ``doubts`` are those of an unsafe fix."""
    is_text, is_kept = (any(map(each.search, doubts or ())) for each in (_IS_TEXT, _IS_KEPT))
    if "import" in before:
        return ""
    if "import" in after:
        return f"import: {after['import'].value!r}"
    for call, old in before.items():
        if call.startswith(TESTS):
            is_failed = old.value is None and after[call].value is not None
            is_told = call in told or (is_text and _failure(after[call]) == "AssertionError")
            is_counted = is_failed and (not is_told or crash(old, after[call]))
            text = f"{after[call].value!r}" if is_counted else ""
        else:
            text = _changed(old, after[call], doubts, is_told=is_kept)
            if text and doubts is not None and going_on.is_told(call):
                text = ""
        if text:
            return f"{call}: {text}"
    return ""


def _changed(before: Answer, after: Answer, doubts: Sequence[str] | None, *, is_told: bool) -> str:
    """Say what a client finds changed that no doubt tells; a framework's tells each error as one, with its text."""
    if doubts is None:
        return difference(before, after)
    if is_told:
        return ""
    if doubts or not (isinstance(before.value, Answered) or isinstance(after.value, Answered)):
        return crash(before, after)
    if before.effects != after.effects:
        return f"effects {before.effects} -> {after.effects}"
    return changed(before.value, after.value, is_same=_same(before.value, after.value))


def minimal(found: Counterexample) -> Counterexample:
    """Take away from a program what it goes wrong without."""
    modes = (True,) if "unsafe" in found.kind else (False,)
    for _ in range(MAX_ROUNDS):
        candidates = [program for program in smaller(found.program) if _compiles(program)]
        best: Counterexample | None = None
        for start in range(0, len(candidates), BATCH):
            wrong = [
                item
                for item in run(candidates[start : start + BATCH], modes).counterexamples
                if item.kind == found.kind
            ]
            if wrong:
                best = min(wrong, key=lambda item: sum(map(len, item.program.sources(0).values())))
                break
        if best is None:
            return found
        found = best
    return found


def _compiles(program: Program) -> bool:
    try:
        for text in program.sources(0).values():
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                compile(text, "program", "exec")
    except SyntaxError:
        return False
    return True


def _mutants(number: int, jobs: int) -> int:
    """Print after how many programs each mutant is noticed; return how many are not.

    Where a check has to catch a fault, the fault alone must not be noticed in as many programs. Batches that have a
    counterexample without any mutant are left out: every mutant would be noticed there.
    """
    missed = 0
    starts = range(0, MUTANT_PROGRAMS, BATCH)
    for mutant in MUTANTS:
        if mutant.equivalent:
            print(f"{mutant.name}: not tried: {mutant.equivalent}")
    names = [mutant.name for mutant in MUTANTS if not mutant.equivalent]
    with ProcessPoolExecutor(jobs, multiprocessing.get_context("spawn")) as pool:
        plain = pool.map(_is_noticed, starts, itertools.repeat(number))
        clean = [start for start, is_noticed in zip(starts, plain, strict=True) if not is_noticed]
        for start in sorted(set(starts) - set(clean)):
            print(f"programs {start} to {start + BATCH} are left out: they have a counterexample of their own")
        for name, tried, is_caught in pool.map(_noticed, names, itertools.repeat(number), itertools.repeat(clean)):
            missed += not tried or not is_caught
            text = f"noticed within {tried} programs" if tried else "not noticed"
            print(f"{name}: {text}{'' if is_caught else ', and its fault is noticed without it'}", flush=True)
    return missed


def _noticed(name: str, number: int, starts: Sequence[int]) -> tuple[str, int, bool]:
    """Return after how many programs a mutant is noticed (0 for never), and whether its check catches its fault."""
    has_fault = any(mutant.name == name and mutant.fault is not None for mutant in MUTANTS)
    is_caught = True
    for start in starts:
        if has_fault:
            is_caught = is_caught and not _is_noticed(start, number, name, only_fault=True)
        if _is_noticed(start, number, name):
            return name, start + BATCH, is_caught
    return name, 0, is_caught


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0] if __doc__ else "")
    parser.add_argument("--programs", type=int, default=20_000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--reasons", action="store_true", help="count why fixes are refused or not safe")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--minimize", type=int, default=3, help="how many counterexamples to make small and show")
    parser.add_argument("--served", action="store_true", help="let a framework serve the tools, without a boundary")
    parser.add_argument("--mutants", action="store_true", help="switch off each check in turn instead")
    options = parser.parse_args(arguments)
    if options.mutants:
        return _mutants(options.seed, options.jobs)
    warnings.simplefilter("ignore")
    total, done = Outcome(0, 0, 0, 0, (), Counter()), 0
    with ProcessPoolExecutor(options.jobs, multiprocessing.get_context("spawn")) as pool:
        starts = range(0, options.programs, BATCH)
        sizes = [min(BATCH, options.programs - start) for start in starts]
        work = partial(_batch, number=options.seed, is_served=options.served)
        for size, found in zip(sizes, pool.map(work, starts, sizes), strict=True):
            total = Outcome(*(old + new for old, new in zip(total, found, strict=True)))  # type: ignore[operator]
            done += size
            if len(total.counterexamples) >= MAX_SHOWN:
                pool.shutdown(cancel_futures=True)
                break
    shown: set[str] = set()
    for each in {item.text[-60:]: item for item in total.counterexamples[: options.minimize]}.values():
        least = minimal(each)
        text = "".join(f"# {name}\n{source}\n" for name, source in least.program.sources(0).items())
        if text not in shown:
            shown.add(text)
            print(f"=== {least.kind}: {least.text}\n{text}")
    if options.reasons:
        for reason, count in total.refusals.most_common():
            print(f"{count:6} {reason}")
    fixed, safe = total.fixed / max(total.sites, 1), total.safe / max(total.sites, 1)
    print(f"{done} programs, {total.changed} files changed, {len(total.counterexamples)} counterexamples")
    print(f"{total.sites} error returns: {fixed:.0%} fixed ({ENOUGH_FIXED:.0%}), {safe:.0%} safely ({ENOUGH_SAFE:.0%})")
    return int(bool(total.counterexamples) or fixed < ENOUGH_FIXED or safe < ENOUGH_SAFE)


if __name__ == "__main__":
    sys.exit(main())
