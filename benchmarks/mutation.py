"""Would the tests notice? Changes one decision of a module at a time, and runs tests that are said to hold it.

A decision is a condition that is turned around, an ``and`` that is an ``or``, a comparison with its neighbour, a result
that is left out, each in a function. A change that no test notices is printed; some of them change nothing that can be
seen.

Everything is imported and collected once. Which tests come by which line is looked at on errlint as it is; for each
change a process is forked in which the functions of the module have the changed code, and the tests that come by its
line run there until one fails: first those that have noticed other changes of the module, then the fastest. Tests that
start errlint as a process of its own notice nothing.
"""

from __future__ import annotations

import argparse
import ast
import functools
import gc
import importlib
import os
import pickle
import random
import re
import shutil
import signal
import sys
import tempfile
import time
from array import array
from collections import Counter
from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from pathlib import Path
from types import CodeType, FunctionType
from typing import Any, NamedTuple, TextIO

import pytest

ROOT = Path(__file__).resolve().parents[1]

LIMIT = 0.95
"""The share of changes that the tests have to notice."""

SPARE = 10.0
"""Seconds beyond three times what tests take on errlint as it is, after which those that do not end have noticed."""

_OTHER: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
}

_Function = ast.FunctionDef | ast.AsyncFunctionDef

_MONITORING: Any = getattr(sys, "monitoring", None)
"""Since Python 3.12; a tracing function would take ten times as long."""

_TOOL = 3

_BROKEN = 2
"""How a process ends in which this benchmark itself has failed."""

_NOTICED = "noticed"
"""The file in which a process says which test has noticed its change."""


class Change(NamedTuple):
    """One decision of a function: where both begin, what says what is done to it, and what does it to the tree."""

    line: int
    first: int
    text: Callable[[], str]
    apply: Callable[[], None]


def changes(tree: ast.Module, within: str | None = None) -> Iterator[Change]:
    """Yield what can be changed in the functions of a tree; each is applied to the tree itself.

    Only in functions whose code has some text, given one.
    """
    seen: set[int] = set()
    for function in (node for node in ast.walk(tree) if isinstance(node, _Function)):
        if within is None or re.search(within, ast.unparse(function)):
            for node in (inner for statement in function.body for inner in ast.walk(statement)):
                if id(node) not in seen:
                    seen.add(id(node))
                    yield from _of_node(node, function.body[0].lineno)


def _of_node(node: ast.AST, first: int) -> Iterator[Change]:
    if isinstance(node, (ast.If, ast.IfExp, ast.While)):
        yield Change(node.test.lineno, first, _said("not", node.test), functools.partial(_turn, node))
    elif isinstance(node, ast.comprehension):
        for index, condition in enumerate(node.ifs):
            said = _said("without if", condition)
            yield Change(condition.lineno, first, said, functools.partial(_drop, node, index))
    elif isinstance(node, ast.BoolOp):
        yield Change(node.lineno, first, _said("and for or, or for and:", node), functools.partial(_swap, node))
    elif isinstance(node, ast.Compare) and type(node.ops[0]) in _OTHER:
        yield Change(node.lineno, first, _said("neighbour of", node), functools.partial(_compare, node))
    elif isinstance(node, ast.Return) and node.value is not None and not _is_none(node.value):
        other = _is_false(node.value) or None  # for a condition both stand for no
        said = _said(f"return {other} for", node.value)
        yield Change(node.lineno, first, said, functools.partial(_answer, node, other))


def _said(what: str, node: ast.expr) -> Callable[[], str]:
    return lambda: f"{what} {ast.unparse(node)}"


def _is_none(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value is None


def _is_false(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value is False


def _drop(node: ast.comprehension, index: int) -> None:
    del node.ifs[index]


def _turn(node: ast.If | ast.IfExp | ast.While) -> None:
    node.test = ast.copy_location(ast.UnaryOp(ast.Not(), node.test), node.test)


def _swap(node: ast.BoolOp) -> None:
    node.op = ast.Or() if isinstance(node.op, ast.And) else ast.And()


def _compare(node: ast.Compare) -> None:
    node.ops[0] = _OTHER[type(node.ops[0])]()


def _answer(node: ast.Return, other: bool | None) -> None:
    node.value = ast.Constant(other)


class Module:
    """A module of errlint that is imported: its source, and its functions by their code."""

    def __init__(self, path: Path) -> None:
        self.name = path.relative_to(ROOT).as_posix()
        dotted = self.name.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
        module = importlib.import_module(dotted)
        if Path(str(module.__file__)) != path:
            raise SystemExit(f"{dotted} is imported from {module.__file__}")
        self.path = path
        self._source = path.read_bytes()
        self._functions: dict[tuple[str, int], list[FunctionType]] = {}

    def has(self, function: FunctionType) -> None:
        """Take note of one of its functions."""
        self._functions.setdefault(_place(function.__code__), []).append(function)

    def codes(self) -> Iterator[CodeType]:
        """Yield the code of its functions, and of what is defined in them."""
        for functions in self._functions.values():
            yield from _codes(functions[0].__code__)

    def changes(self, within: str | None) -> list[Change]:
        """Return what can be changed in it, always in the same order."""
        return list(changes(ast.parse(self._source), within))

    def change(self, within: str | None, index: int) -> None:
        """Give its functions in this process the code that they have after a change."""
        tree = ast.parse(self._source)
        list(changes(tree, within))[index].apply()
        for code in _codes(compile(ast.fix_missing_locations(tree), str(self.path), "exec", dont_inherit=True)):
            for function in self._functions.get(_place(code), ()):
                if len(code.co_freevars) == len(function.__code__.co_freevars):
                    function.__code__ = code


def _place(code: CodeType) -> tuple[str, int]:
    return code.co_name, code.co_firstlineno


def _codes(code: CodeType) -> Iterator[CodeType]:
    yield code
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _codes(constant)


def imported(paths: Sequence[Path]) -> dict[str, Module]:
    """Import modules; return them by their names as files."""
    modules = {str(path): Module(path) for path in paths}
    for found in gc.get_objects():
        if isinstance(found, FunctionType) and (module := modules.get(found.__code__.co_filename)):
            module.has(found)
    return {module.name: module for module in modules.values()}


class Looked:
    """What was seen on errlint as it is: how long each test takes, which fail, and which come by a line of a module."""

    def __init__(self) -> None:
        self.names: list[str] = []
        self.seconds: dict[str, float] = {}
        self.failed: list[str] = []
        self._by_line: dict[tuple[str, int], array[int]] = {}

    def add(self, test: str, lines: Iterable[tuple[str, int]]) -> None:
        """Take note of the lines that a test comes by."""
        place = len(self.names)
        self.names.append(test)
        for line in lines:
            self._by_line.setdefault(line, array("I")).append(place)

    def update(self, other: Looked) -> None:
        """Take over what was seen of other tests."""
        first = len(self.names)
        self.names.extend(other.names)
        self.seconds.update(other.seconds)
        self.failed.extend(other.failed)
        for line, places in other._by_line.items():
            self._by_line.setdefault(line, array("I")).extend(place + first for place in places)

    def of(self, module: Module, change: Change, tests: Container[str], noticed: Counter[str]) -> list[str]:
        """Return those of some tests that come by a change: by how many others they have noticed, and the fastest."""
        found = self._by_line.get((module.name, change.line)) or self._by_line.get((module.name, change.first))
        near = (self.names[place] for place in found or ())
        fit = [name for name in near if name in tests and name not in self.failed]
        return sorted(fit, key=lambda name: (-noticed[name], self.seconds[name]))


class Mutants:
    """A plugin of pytest: instead of the tests, changes are run with them."""

    def __init__(self, asked: argparse.Namespace, printed: TextIO) -> None:
        self._asked = asked
        self._printed = printed
        self._has_failed = False
        self._lines: set[tuple[str, int]] = set()
        self.share = 0.0

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Take note of a failure."""
        self._has_failed |= report.failed

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """Run the changes."""
        items = {item.nodeid: item for item in session.items}
        paths = [path for given in self._asked.modules for path in _files(ROOT / given)]
        modules = imported(paths)
        gc.collect()
        gc.freeze()
        with tempfile.TemporaryDirectory() as name:
            self._folder = Path(name)
            looked = self._looked(items, modules)
            for test in looked.failed:
                self._print(f"not run, it fails on errlint as it is: {test}")
            places = [
                (module, index, change)
                for module in modules.values()
                for index, change in enumerate(module.changes(self._asked.within))
            ]
            if self._asked.count is not None:
                drawn = random.Random(self._asked.seed).sample(range(len(places)), self._asked.count)
                places = [places[place] for place in sorted(drawn)]
            if self._asked.again is not None:
                before = {_without_count(line) for line in self._asked.again.read_text(encoding="utf-8").splitlines()}
                places = [place for place in places if _named(place[0], place[2]) in before]
            missed = self._run(places, looked, items)
        self.share = 1 - missed / max(len(places), 1)
        noticed = len(places) - missed
        self._print(f"{noticed} of {len(places)} changes noticed: {self.share:.1%} (limit {LIMIT:.0%})")
        return True

    def _print(self, text: str) -> None:
        print(text, file=self._printed, flush=True)

    def _run(
        self,
        places: Sequence[tuple[Module, int, Change]],
        looked: Looked,
        items: dict[str, pytest.Item],
    ) -> int:
        missed = 0
        running: dict[int, tuple[float, str, Module]] = {}
        noticing: dict[str, Counter[str]] = {}
        waiting = iter(places)
        is_left = True
        while is_left or running:
            if is_left and len(running) < self._asked.processes:
                if (place := next(waiting, None)) is None:
                    is_left = False
                    continue
                module, index, change = place
                near = looked.of(module, change, items, noticing.setdefault(module.name, Counter()))
                chosen = [*_within(near, looked.seconds, self._asked.seconds)]
                text = f"{_named(module, change)} ({_counted(chosen, near)})"
                process = os.fork()
                if not process:
                    self._in_child(functools.partial(self._try, module, index, [items[it] for it in chosen]))
                end = time.monotonic() + SPARE + 3 * sum(looked.seconds[it] for it in chosen)
                running[process] = end, text, module
                continue
            process, status = os.waitpid(-1, os.WNOHANG)
            if process:
                _, text, module = running.pop(process)
                code = os.waitstatus_to_exitcode(status)
                if code in (0, _BROKEN):
                    missed += 1
                    self._print(text if not code else f"{text} could not be tried")
                elif (told := self._folder / str(process) / _NOTICED).exists():
                    noticing[module.name][told.read_text(encoding="utf-8")] += 1
                shutil.rmtree(self._folder / str(process), ignore_errors=True)
                continue
            for process, (end, _, _) in running.items():
                if time.monotonic() > end:
                    os.killpg(process, signal.SIGKILL)
            time.sleep(0.002)
        return missed

    def _in_child(self, work: Callable[[], bool]) -> None:
        """Do some work, and end this process: with 1 where it says so, and otherwise than a test where it fails."""
        code = _BROKEN
        try:
            os.setsid()
            folder = self._folder / str(os.getpid())
            folder.mkdir()
            os.environ["PYTEST_DEBUG_TEMPROOT"] = str(folder)
            code = int(work())
        finally:
            os._exit(code)

    def _try(self, module: Module, index: int, items: Sequence[pytest.Item]) -> bool:
        module.change(self._asked.within, index)
        found = next((item for item, following in _with_next(items) if self._fails(item, following)), None)
        if found is not None:
            (self._folder / str(os.getpid()) / _NOTICED).write_text(found.nodeid, encoding="utf-8")
        return found is not None

    def _fails(self, item: pytest.Item, following: pytest.Item | None) -> bool:
        self._has_failed = False
        item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
        return self._has_failed

    def _looked(self, items: dict[str, pytest.Item], modules: dict[str, Module]) -> Looked:
        kept: Path | None = self._asked.looked
        looked = pickle.loads(kept.read_bytes()) if kept is not None and kept.exists() else Looked()
        known = {*looked.names}
        others = [item for name, item in items.items() if name not in known]
        parts = [part for number in range(self._asked.processes) if (part := others[number :: self._asked.processes])]
        started = []
        for number, part in enumerate(parts):
            if not (process := os.fork()):
                self._in_child(functools.partial(self._look, number, part, modules))
            started.append(process)
        for number, process in enumerate(started):
            os.waitpid(process, 0)
            looked.update(pickle.loads((self._folder / f"looked{number}").read_bytes()))
        if kept is not None and not kept.exists():
            kept.write_bytes(pickle.dumps(looked))
        return looked

    def _look(self, number: int, items: Sequence[pytest.Item], modules: dict[str, Module]) -> bool:
        looked = Looked()
        names = {str(module.path): module.name for module in modules.values()}
        _MONITORING.use_tool_id(_TOOL, "mutation")
        _MONITORING.register_callback(_TOOL, _MONITORING.events.LINE, self._came_by)
        for code in (code for module in modules.values() for code in module.codes()):
            _MONITORING.set_local_events(_TOOL, code, _MONITORING.events.LINE)
        for item, following in _with_next(items):
            self._lines.clear()
            _MONITORING.restart_events()
            started = time.monotonic()
            if self._fails(item, following):
                looked.failed.append(item.nodeid)
            looked.seconds[item.nodeid] = time.monotonic() - started
            looked.add(item.nodeid, ((names[path], line) for path, line in self._lines))
        (self._folder / f"looked{number}").write_bytes(pickle.dumps(looked))
        return False

    def _came_by(self, code: CodeType, line: int) -> object:
        self._lines.add((code.co_filename, line))
        return _MONITORING.DISABLE


def _with_next(items: Sequence[pytest.Item]) -> Iterator[tuple[pytest.Item, pytest.Item | None]]:
    return zip(items, [*items[1:], None], strict=False)  # of none there is no next one either


def _files(path: Path) -> list[Path]:
    return sorted(path.rglob("*.py")) if path.is_dir() else [path]


def _within(tests: Sequence[str], seconds: dict[str, float], limit: float | None) -> Iterator[str]:
    taken = 0.0
    for test in tests:
        taken += seconds[test]
        if limit is not None and taken > limit:
            return
        yield test


def _named(module: Module, change: Change) -> str:
    return f"{module.name}:{change.line}: {change.text()}"


def _without_count(line: str) -> str:
    return line.rpartition(" (")[0]


def _counted(chosen: Sequence[str], near: Sequence[str]) -> str:
    return f"{len(near)} tests" if len(chosen) == len(near) else f"{len(chosen)} of {len(near)} tests"


def main() -> int:
    """Run as a command."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("modules", nargs="+", help="modules or folders, such as errlint/project/names.py")
    parser.add_argument("--tests", nargs="+", required=True, help="files or folders of tests, from the root")
    parser.add_argument("--within", help="change functions alone whose code this regular expression is found in")
    parser.add_argument("--count", type=int, help="so many changes, drawn from all (default: all)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--again", type=Path, help="the changes alone that an earlier run has printed into a file")
    parser.add_argument("--seconds", type=float, help="try so long for each change (default: all tests)")
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--looked", type=Path, help="keep in a file, or take from it, what tests come by")
    asked = parser.parse_args()
    if _MONITORING is None:
        parser.error("this needs Python 3.12")
    os.chdir(ROOT)
    sys.path.insert(0, str(ROOT))
    os.environ["PYTHONPATH"] = str(ROOT)
    printed = os.fdopen(os.dup(1), "w", encoding="utf-8")
    silent = os.open(os.devnull, os.O_WRONLY)
    os.dup2(silent, 1)
    os.dup2(silent, 2)
    mutants = Mutants(asked, printed)
    code = pytest.main(["-q", "-p", "no:cacheprovider", "-p", "no:xdist", *asked.tests], plugins=[mutants])
    if code:
        print("the tests cannot be collected", file=printed, flush=True)
    return bool(code) or mutants.share < LIMIT


if __name__ == "__main__":
    sys.exit(main())
