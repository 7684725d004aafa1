"""Would the tests notice? Changes one decision of a module at a time, and runs tests that are said to hold it.

A decision is a condition that is turned around, an ``and`` that is an ``or``, a comparison with its neighbour, a result
that is left out. A change that no test notices is printed; some of them change nothing that can be seen.
"""

from __future__ import annotations

import argparse
import ast
import os
import random
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[1]

LIMIT = 0.95
"""The share of changes that the tests have to notice."""

TIMEOUT = 300.0
"""Seconds after which tests that do not end have noticed."""

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


def changes(tree: ast.Module) -> Iterator[Change]:
    """Yield what can be changed in a tree, in the order of the text. Each is applied to the tree itself."""
    for node in ast.walk(tree):
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
        yield Change(node.lineno, f"return None for {ast.unparse(node.value)}", partial(_empty, node))


def _drop(node: ast.comprehension, index: int) -> None:
    del node.ifs[index]


def _turn(node: ast.If | ast.IfExp | ast.While) -> None:
    node.test = ast.copy_location(ast.UnaryOp(ast.Not(), node.test), node.test)


def _swap(node: ast.BoolOp) -> None:
    node.op = ast.Or() if isinstance(node.op, ast.And) else ast.And()


def _compare(node: ast.Compare) -> None:
    node.ops[0] = _OTHER[type(node.ops[0])]()


def _empty(node: ast.Return) -> None:
    node.value = ast.Constant(None)


def copied(folder: Path) -> None:
    """Make a copy of errlint below a folder, with everything beside it that tests look at."""
    shutil.copytree(ROOT / "errlint", folder / "errlint", ignore=shutil.ignore_patterns("__pycache__"))
    for entry in ROOT.iterdir():
        if entry.name not in ("errlint", ".git", "build") and not entry.name.startswith(".venv"):
            (folder / entry.name).symlink_to(entry)


def is_noticed(folder: Path, tests: Sequence[str]) -> bool:
    """Whether tests fail, or do not end, on the copy below a folder."""
    command = [sys.executable, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", *tests]
    environment = {**os.environ, "PYTHONPATH": str(folder), "PYTHONDONTWRITEBYTECODE": "1"}
    try:
        done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, timeout=TIMEOUT, check=False)
    except subprocess.TimeoutExpired:
        return True
    return done.returncode != 0


def main() -> int:
    """Run as a command."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("modules", nargs="+", help="paths of modules, such as errlint/project/names.py")
    parser.add_argument("--tests", nargs="+", required=True, help="files or folders of tests, from the root")
    parser.add_argument("--count", type=int, help="so many changes, drawn from all (default: all)")
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        copied(folder)
        if is_noticed(folder, asked.tests):
            parser.error("the tests fail on errlint as it is")
        places = [
            (module, index)
            for module in asked.modules
            for index, _ in enumerate(changes(ast.parse((ROOT / module).read_bytes())))
        ]
        chosen = places if asked.count is None else random.Random(asked.seed).sample(places, asked.count)
        missed = 0
        for module, index in sorted(chosen):
            source = (ROOT / module).read_bytes()
            tree = ast.parse(source)
            change = list(changes(tree))[index]
            change.apply()
            (folder / module).write_text(ast.unparse(ast.fix_missing_locations(tree)), encoding="utf-8")
            if not is_noticed(folder, asked.tests):
                missed += 1
                print(f"{module}:{change.line}: {change.text}", flush=True)
            (folder / module).write_bytes(source)
    share = 1 - missed / len(chosen)
    print(f"{len(chosen) - missed} of {len(chosen)} changes noticed: {share:.1%} (limit {LIMIT:.0%})")
    return share < LIMIT


if __name__ == "__main__":
    sys.exit(main())
