"""Would the tests notice? Changes one decision of a module at a time, and runs tests that are said to hold it.

A decision is a condition that is turned around, an ``and`` that is an ``or``, a comparison with its neighbour, a result
that is left out. A change that no test notices is printed; some of them change nothing that can be seen.

Which tests come by which line is looked at once, on errlint as it is. For each change those that come by its line run
in a process of its own, the fastest first; for a line that is run at import, or by no test, all of them do.
"""

from __future__ import annotations

import argparse
import ast
import compileall
import contextlib
import json
import multiprocessing
import os
import random
import re
import shutil
import signal
import sys
import tempfile
import time
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from types import CodeType, FrameType, MappingProxyType
from typing import Any, NamedTuple

import libcst  # noqa: F401  (each process has it already)
import pytest

ROOT = Path(__file__).resolve().parents[1]

LIMIT = 0.95
"""The share of changes that the tests have to notice."""

SPARE = 20.0
"""Seconds beyond three times what tests take on errlint as it is, after which those that do not end have noticed."""

_PRINTED = "printed.txt"

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


class Change(NamedTuple):
    """One decision of a module: in which line, what is done to it, and what does it to the tree."""

    line: int
    text: str
    apply: Callable[[], None]


def changes(tree: ast.Module, within: str | None = None) -> Iterator[Change]:
    """Yield what can be changed in a tree; each is applied to the tree itself.

    Only in functions whose code has some text, given one.
    """
    functions = (node for node in ast.walk(tree) if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)))
    roots = [tree] if within is None else [node for node in functions if re.search(within, ast.unparse(node))]
    seen = {id(node): node for root in roots for node in ast.walk(root)}
    for node in seen.values():
        yield from _of_node(node)


def _of_node(node: ast.AST) -> Iterator[Change]:
    if isinstance(node, (ast.If, ast.IfExp, ast.While)):
        yield Change(node.test.lineno, f"not ({ast.unparse(node.test)})", partial(_turn, node))
    elif isinstance(node, ast.comprehension):
        for index, condition in enumerate(node.ifs):
            yield Change(condition.lineno, f"without if {ast.unparse(condition)}", partial(_drop, node, index))
    elif isinstance(node, ast.BoolOp):
        yield Change(node.lineno, f"and for or, or for and: {ast.unparse(node)}", partial(_swap, node))
    elif isinstance(node, ast.Compare) and type(node.ops[0]) in _OTHER:
        yield Change(node.lineno, f"neighbour of {ast.unparse(node)}", partial(_compare, node))
    elif isinstance(node, ast.Return) and node.value is not None and ast.unparse(node.value) != "None":
        other = ast.unparse(node.value) == "False" or None  # for a condition both stand for no
        yield Change(node.lineno, f"return {other} for {ast.unparse(node.value)}", partial(_answer, node, other))


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


def copied(folder: Path) -> None:
    """Make a copy of errlint and its tests below a folder, with everything beside it that tests look at."""
    left = shutil.ignore_patterns(".git", ".venv*", "build", "__pycache__", ".*_cache")
    shutil.copytree(ROOT, folder, ignore=left, dirs_exist_ok=True)
    compileall.compile_dir(folder / "errlint", quiet=1)


class Looked:
    """A plugin of pytest: which of some lines each test comes by, and how long it takes."""

    def __init__(self, wanted: Mapping[str, Collection[int]]) -> None:
        self._wanted = wanted
        self._lines: set[tuple[str, int]] = set()
        self._has_wanted: dict[CodeType, bool] = {}
        self.lines: dict[str, list[tuple[str, int]]] = {}
        self.seconds: dict[str, float] = {}

    def _entered(self, frame: FrameType, _event: str, _argument: object) -> Callable[..., Any] | None:
        code = frame.f_code
        if (found := self._has_wanted.get(code)) is None:
            wanted = self._wanted.get(code.co_filename, ())
            found = bool(wanted) and any(line in wanted for _, _, line in code.co_lines())
            self._has_wanted[code] = found
        return self._ran if found else None

    def _ran(self, frame: FrameType, _event: str, _argument: object) -> Callable[..., Any]:
        if frame.f_lineno in self._wanted[frame.f_code.co_filename]:
            self._lines.add((frame.f_code.co_filename, frame.f_lineno))
        return self._ran

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[None]:
        """Look at one test, with its fixtures."""
        self._lines.clear()
        started = time.monotonic()
        sys.settrace(self._entered)
        try:
            return (yield)
        finally:
            sys.settrace(None)
            self.lines[item.nodeid] = sorted(self._lines)
            self.seconds[item.nodeid] = time.monotonic() - started


class Chosen:
    """A plugin of pytest: some of the tests alone, in an order of their own."""

    def __init__(self, tests: Sequence[str]) -> None:
        self._places = {name: place for place, name in enumerate(tests)}

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        """Leave the others out."""
        items[:] = sorted(
            (item for item in items if item.nodeid in self._places), key=lambda item: self._places[item.nodeid]
        )


def _ran(
    folder: Path, tests: Sequence[str], chosen: Sequence[str] | None, lines: Mapping[str, Collection[int]]
) -> None:
    """Run tests on the copy below a folder, and end this process.

    What is looked at is written beside the copy, with what the tests print.
    """
    os.setsid()
    os.chdir(folder)
    sys.path.insert(0, str(folder))
    os.environ["PYTHONPATH"] = str(folder)
    if not lines:  # that of a change would be taken for that of another one
        sys.dont_write_bytecode = True
        os.environ["PYTHONDONTWRITEBYTECODE"] = "1"
    printed = os.open(folder / _PRINTED if lines else os.devnull, os.O_WRONLY | os.O_CREAT)
    os.dup2(printed, 1)
    os.dup2(printed, 2)
    looked = Looked(lines)
    plugins: list[object] = [*([looked] if lines else ()), *([Chosen(chosen)] if chosen is not None else ())]
    code = pytest.main(["-q", "-x", "-p", "no:cacheprovider", "-p", "no:xdist", *tests], plugins=plugins)
    if lines:
        (folder / "looked.json").write_text(json.dumps([looked.lines, looked.seconds]), encoding="utf-8")
    os._exit(code)


def is_noticed(
    folder: Path,
    tests: Sequence[str],
    chosen: Sequence[str] | None = None,
    lines: Mapping[str, Collection[int]] = MappingProxyType({}),
    seconds: float | None = None,
) -> bool:
    """Whether tests fail, or do not end in some seconds, on the copy below a folder."""
    process = multiprocessing.get_context("fork").Process(target=_ran, args=(folder, tests, chosen, lines))
    process.start()
    process.join(seconds)
    if process.is_alive() and process.pid is not None:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.join()
    return process.exitcode != 0


class Tests:
    """The tests that come by each line of some modules."""

    def __init__(self, folder: Path, modules: Sequence[str]) -> None:
        by_test: dict[str, list[tuple[str, int]]]
        self._seconds: dict[str, float]
        by_test, self._seconds = json.loads((folder / "looked.json").read_text(encoding="utf-8"))
        paths = {str(folder / module): module for module in modules}
        self._by_line: dict[tuple[str, int], list[str]] = {}
        for test, lines in by_test.items():
            for path, line in lines:
                self._by_line.setdefault((paths[path], line), []).append(test)

    def of(self, module: str, line: int) -> Sequence[str]:
        """Return those that come by a line, the fastest first."""
        return sorted(self._by_line.get((module, line), ()), key=self._seconds.__getitem__)

    def seconds(self, tests: Sequence[str]) -> float:
        """Return the time after which some of them, or all for none, have had enough."""
        return SPARE + 3 * sum(self._seconds[test] for test in tests or self._seconds)


def main() -> int:
    """Run as a command."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("modules", nargs="+", help="paths of modules, such as errlint/project/names.py")
    parser.add_argument("--tests", nargs="+", required=True, help="files or folders of tests, from the root")
    parser.add_argument("--within", help="change functions alone whose code this regular expression is found in")
    parser.add_argument("--count", type=int, help="so many changes, drawn from all (default: all)")
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name).resolve()
        copied(folder)
        places = [
            (module, index, change.line)
            for module in asked.modules
            for index, change in enumerate(changes(ast.parse((folder / module).read_bytes()), asked.within))
        ]
        chosen = places if asked.count is None else random.Random(asked.seed).sample(places, asked.count)
        lines: dict[str, set[int]] = {}
        for module, _, line in chosen:
            lines.setdefault(str(folder / module), set()).add(line)
        if is_noticed(folder, asked.tests, lines=lines):
            print((folder / _PRINTED).read_text(encoding="utf-8", errors="replace"), file=sys.stderr)
            parser.error("the tests fail on errlint as it is")
        tests = Tests(folder, asked.modules)
        missed = 0
        for module, index, _ in sorted(chosen):
            source = (folder / module).read_bytes()
            tree = ast.parse(source)
            change = list(changes(tree, asked.within))[index]
            change.apply()
            (folder / module).write_text(ast.unparse(ast.fix_missing_locations(tree)), encoding="utf-8")
            near = tests.of(module, change.line)
            files = [*dict.fromkeys(test.partition("::")[0] for test in near)]
            if not is_noticed(folder, files or asked.tests, near or None, seconds=tests.seconds(near)):
                missed += 1
                print(f"{module}:{change.line}: {change.text} ({len(near) or 'all'} tests)", flush=True)
            (folder / module).write_bytes(source)
    share = 1 - missed / len(chosen)
    print(f"{len(chosen) - missed} of {len(chosen)} changes noticed: {share:.1%} (limit {LIMIT:.0%})")
    return share < LIMIT


if __name__ == "__main__":
    sys.exit(main())
