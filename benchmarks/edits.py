"""Edits change nothing about caching: after each one a run with the cache says what a run without one does.

The edits are drawn, and made one after the other in a copy of a real project: functions are deleted, codes renamed,
imports added and removed, tests added, files moved and deleted, distributions marked. Every second edit takes back the
one before.
"""

from __future__ import annotations

import argparse
import ast
import random
import shutil
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

import common

ENOUGH_EDITS = 200

Change = dict[str, str | None]
"""The files of an edit: what stands in each afterwards, ``None`` where it is not there any more."""


class Project:
    """A copy of a project, and what is drawn in it."""

    def __init__(self, root: Path, seed: int) -> None:
        self.root = root
        self.drawn = random.Random(seed)
        self.files = [path for path in common.files(root) if path.endswith(".py")]

    def text(self, path: str) -> str | None:
        """Return what stands in a file."""
        file = self.root / path
        return file.read_bytes().decode() if file.is_file() else None

    def write(self, change: Change) -> Change:
        """Carry out an edit; return the one that takes it back."""
        before = {path: self.text(path) for path in change}
        for path, text in change.items():
            file = self.root / path
            if text is None:
                file.unlink(missing_ok=True)
                continue
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(text.encode())
        return before

    def code(self) -> Iterator[tuple[str, str, ast.Module]]:
        """Yield files that can be parsed, in a drawn order."""
        for path in self.drawn.sample(self.files, len(self.files)):
            text = self.text(path)
            if text is None:
                continue
            try:
                yield path, text, ast.parse(text)
            except SyntaxError:
                continue

    def without(self, kinds: tuple[type[ast.stmt], ...], replacement: str = "pass") -> Change:
        """Replace one statement of these kinds."""
        for path, text, tree in self.code():
            found = [node for node in ast.walk(tree) if isinstance(node, kinds)]
            if found:
                node = self.drawn.choice(found)
                lines = text.splitlines(keepends=True)
                first = min([node.lineno, *(each.lineno for each in getattr(node, "decorator_list", []))])
                indent = lines[node.lineno - 1][: node.col_offset]
                lines[first - 1 : node.end_lineno] = [f"{indent}{replacement}\n"]
                return {path: "".join(lines)}
        return {}


def delete_function(project: Project) -> Change:
    return project.without((ast.FunctionDef, ast.AsyncFunctionDef))


def delete_class(project: Project) -> Change:
    return project.without((ast.ClassDef,))


def delete_import(project: Project) -> Change:
    return project.without((ast.Import, ast.ImportFrom))


def answer_an_error(project: Project) -> Change:
    return project.without((ast.Return,), 'return {"error": "it failed", "code": "drawn"}')


def raise_an_error(project: Project) -> Change:
    return project.without((ast.Return,), 'raise RuntimeError("it failed")')


def rename_a_code(project: Project) -> Change:
    for path, text, tree in project.code():
        codes = [
            node
            for node in ast.walk(tree)
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value.isidentifier()
        ]
        if codes:
            value = str(project.drawn.choice(codes).value)
            return {path: text.replace(f'"{value}"', f'"{value}_renamed"').replace(f"'{value}'", f"'{value}_renamed'")}
    return {}


def add_an_import(project: Project) -> Change:
    path, text, _ = next(project.code())
    other, _, tree = next(project.code())
    names = [node.name for node in tree.body if isinstance(node, (ast.FunctionDef, ast.ClassDef))] or ["*"]
    module = other.removesuffix(".py").removesuffix("/__init__").split("/")
    start = project.drawn.randrange(len(module))
    return {path: f"from {'.'.join(module[start:])} import {project.drawn.choice(names)}\n{text}"}


def add_a_test(project: Project) -> Change:
    path, _, tree = next(project.code())
    names = [node.name for node in ast.walk(tree) if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))]
    name = project.drawn.choice(names or ["main"])
    folder, _, module = path.removesuffix(".py").rpartition("/")
    text = (
        f"from {module} import {name}\n\n\ndef test_drawn():\n    found = {name}(1)\n    assert 'error' not in found\n"
    )
    return {f"{folder}/tests/test_drawn_{project.drawn.randrange(9)}.py".lstrip("/"): text}


def move_a_file(project: Project) -> Change:
    path, text, _ = next(project.code())
    other, _, _ = next(project.code())
    folder = project.drawn.choice((path, other)).rpartition("/")[0]
    return {path: None, f"{folder}/drawn_{project.drawn.randrange(99)}.py".lstrip("/"): text}


def delete_a_file(project: Project) -> Change:
    return {next(project.code())[0]: None}


def mark_a_distribution(project: Project) -> Change:
    marker = f"{project.drawn.choice(project.files).rpartition('/')[0]}/pyproject.toml".lstrip("/")
    return {marker: "" if project.text(marker) is None else None}


def break_a_file(project: Project) -> Change:
    path, text, _ = next(project.code())
    return {path: f"{text}\ndef (\n"}


EDITS: tuple[Callable[[Project], Change], ...] = (
    delete_function,
    delete_function,
    delete_class,
    delete_import,
    answer_an_error,
    answer_an_error,
    raise_an_error,
    rename_a_code,
    rename_a_code,
    add_an_import,
    add_an_import,
    add_a_test,
    add_a_test,
    move_a_file,
    delete_a_file,
    mark_a_distribution,
    break_a_file,
)


def compare(root: Path, edits: int, seed: int, options: tuple[str, ...]) -> int:
    """Make edits in a copy of ``root`` and compare reports after each; print and count those that differ."""
    different = 0
    kinds: Counter[str] = Counter()
    seconds = [0.0, 0.0]
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder).resolve() / "copy"
        shutil.copytree(root, copy, symlinks=True, ignore=shutil.ignore_patterns(".git", ".errlint_cache"))
        project = Project(copy, seed)
        back: Change = {}
        for number in range(edits + 1):
            what, change = "nothing yet", Change()
            if back and number % 2 == 0:
                what, change = "taken back", back
            elif next(project.code(), None) is None:
                print(f"{root}: no file is left after {number - 1} edits", flush=True)
                break
            elif number:
                edit = project.drawn.choice(EDITS)
                what, change = edit.__name__.replace("_", " "), edit(project)
            back = project.write(change)
            kinds[what] += 1
            reports = []
            for index, more in enumerate(((), ("--no-cache",))):
                started = time.perf_counter()
                done = common.run(copy, *options, *more, paths=())
                seconds[index] += time.perf_counter() - started
                if done.status not in (0, 1):
                    raise common.CommandFailedError(f"status {done.status} after {what} in {[*change]}:\n{done.stderr}")
                reports.append((done.stdout, done.stderr))
            if reports[0] != reports[1]:
                different += 1
                print(f"  edit {number}, {what} in {[*change]}: DIFFERENT", flush=True)
                with_cache, without = (set(common.read(copy, report)) for report, _ in reports)
                for sign, hits in (("-", without - with_cache), ("+", with_cache - without)):
                    for hit in sorted(hits)[:5]:
                        print(f"    {sign} {hit.path}:{hit.line} {hit.code} {hit.message}")
    print(f"{root}: {edits} edits, {different} differences")
    print(f"  {seconds[0]:.0f} s with the cache, {seconds[1]:.0f} s without")
    print("  " + ", ".join(f"{what} {count}" for what, count in kinds.most_common()), flush=True)
    return different


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("roots", type=Path, nargs="+", metavar="DIR", help="folders to edit copies of, each a project")
    parser.add_argument("--edits", type=int, default=ENOUGH_EDITS, metavar="N", help="edits in each of them")
    parser.add_argument("--seed", type=int, default=20261126, help="another one draws other edits")
    parser.add_argument("--config", type=Path, metavar="FILE", help="a configuration, so that its policy holds")
    parser.add_argument("--default-rules", action="store_true", help="not all rules, but those that are on by default")
    arguments = parser.parse_args()
    options = () if arguments.default_rules else ("--select", "ALL")
    if arguments.config:
        options = (*options, "--config", str(arguments.config.resolve()))
    different = sum(compare(root, arguments.edits, arguments.seed, options) for root in arguments.roots)
    count = arguments.edits * len(arguments.roots)
    print(f"{count} edits (at least {ENOUGH_EDITS}), {different} differences (limit 0)")
    return 0 if different == 0 and count >= ENOUGH_EDITS else 1


if __name__ == "__main__":
    sys.exit(main())
