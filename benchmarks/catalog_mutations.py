"""Edits a project whose catalog and code say the same, and asks whether each edit is reported, where, and nothing else.

The project is the folder ``mutated``: 40 errors on six pages. What an edit has to lead to is worked out from the edit
itself (``catalog_edits.py``) and from a reader of that one project (``mutated_project.py``), and not by asking errlint.
"""

from __future__ import annotations

import argparse
import logging
import random
import shutil
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from catalog_edits import KINDS, Change, Edit
from mutated_project import PROJECT, Finding, Model, promised, read_project

from errlint.request import Request
from errlint.run import check
from errlint.settings import CommandLine
from errlint.settings.loading import load

logging.disable()

LEAST_RIGHT = 0.95
MOST_EQUIVALENT = 0.05
MAX_TRIES = 200
VERDICTS = ("right", "wrong rule", "wrong place", "missing", "extra")


class Result(NamedTuple):
    """An edit, what it had to lead to, and what errlint said."""

    kind: str
    edit: Edit
    expected: frozenset[Finding]
    found: Counter[Finding]

    @property
    def is_equivalent(self) -> bool:
        """Whether nothing needs to be reported."""
        return not self.expected

    @property
    def verdict(self) -> str:
        """What is wrong: ``right`` where nothing is, ``unexplained`` where nobody says why an edit is equivalent."""
        if self.is_equivalent and not self.edit.equivalent:
            return "unexplained"
        found = Counter(self.found)
        missing = [each for each in self.expected if not found[each]]
        found.subtract(self.expected)
        extra = [each for each, count in found.items() if count > 0]
        if not missing:
            return "extra" if extra else "right"
        places, lines = {each[1:] for each in extra}, {(each[0], each[1]) for each in extra}
        if any(each[1:] in places for each in missing):
            return "wrong rule"
        return "wrong place" if any((each[0], each[1]) in lines for each in missing) else "missing"


def edited(model: Model, edit: Edit) -> dict[str, str]:
    """Return the texts of the files that an edit changes."""
    found: dict[str, list[str]] = {}
    for change in sorted(edit.changes, key=lambda each: -each.first):
        lines = found.setdefault(change.path, model.texts[change.path].split("\n"))
        lines[change.first - 1 : change.last] = change.lines
    return {path: "\n".join(lines) for path, lines in found.items()}


def _moved(edit: Edit, finding: Finding) -> Finding:
    rule, path, line = finding
    moved = sum(
        len(change.lines) - (change.last - change.first + 1)
        for change in edit.changes
        if change.path == path and change.last < line and change.first <= line
    )
    return rule, path, line + moved


class Bench:
    """A copy of the project that edits are tried on."""

    def __init__(self, folder: Path) -> None:
        self.model = read_project(PROJECT)
        self._root = folder.resolve() / "lending"
        shutil.copytree(PROJECT, self._root)
        loaded = load(self._root, config=None, isolated=False, overrides=CommandLine())
        self._request = Request(settings=loaded.settings, use_cache=True)

    def findings(self, texts: Mapping[str, str]) -> Counter[Finding]:
        """Return what errlint says of the project with some files changed."""
        for path, text in texts.items():
            (self._root / path).write_text(text, encoding="utf-8")
        try:
            return Counter((each.code, each.path, each.span.line) for each in check(self._request).findings)
        finally:
            for path in texts:
                (self._root / path).write_text(self.model.texts[path], encoding="utf-8")

    def tried(self, name: str, edit: Edit) -> Result:
        """Carry out an edit and look what is said."""
        texts = edited(self.model, edit)
        for path, text in texts.items():
            if path.endswith(".py"):
                compile(text, path, "exec")
        told = promised({**self.model.texts, **texts}, edit.dead)
        expected = frozenset((*(_moved(edit, each) for each in edit.expected), *edit.new, *told))
        return Result(name, edit, expected, self.findings(texts))


def drawn_edits(model: Model, count: int, seed: int) -> Iterator[tuple[str, Edit]]:
    """Yield edits of all kinds in turn, each once; of another kind where one has no more."""
    drawn = random.Random(seed)
    names = list(KINDS)
    seen: set[tuple[Change, ...]] = set()
    for number in range(count):
        for attempt in range(MAX_TRIES):
            name = names[number % len(names)] if attempt < MAX_TRIES // 10 else drawn.choice(names)
            edit = KINDS[name](model, drawn)
            if edit is not None and edit.changes not in seen:
                seen.add(edit.changes)
                yield name, edit
                break


def run(count: int, seed: int) -> tuple[Counter[Finding], list[Result]]:
    """Return what errlint says of the clean project, and of so many edits."""
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(Path(folder))
        clean = bench.findings({})
        return clean, [bench.tried(name, edit) for name, edit in drawn_edits(bench.model, count, seed)]


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0] if __doc__ else "")
    parser.add_argument("--edits", type=int, default=500)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args(arguments)
    clean, results = run(options.edits, options.seed)
    for result in results:
        if result.verdict != "right":
            print(f"{result.verdict}: {result.kind}: {result.edit.what}")
            for each in sorted(result.expected - result.found.keys()):
                print("  missing {} {}:{}".format(*each))
            for each, number in sorted((result.found - Counter(result.expected)).items()):
                print("  extra   {} {}:{}".format(*each) + (f" ({number} times)" if number > 1 else ""))
    kinds: dict[str, Counter[str]] = {}
    for result in results:
        kinds.setdefault(result.kind, Counter())[result.verdict] += 1
    for name, verdicts in sorted(kinds.items()):
        wrong = ", ".join(f"{verdict} {number}" for verdict, number in sorted(verdicts.items()) if verdict != "right")
        print(f"{verdicts['right']:4} of {verdicts.total():3} {name}{f' ({wrong})' if wrong else ''}")
    equivalent = [result for result in results if result.is_equivalent]
    for result in equivalent:
        print(f"equivalent: {result.kind}: {result.edit.what}: {result.edit.equivalent}")
    asked = Counter(result.verdict for result in results if not result.is_equivalent)
    noisy = sum(result.verdict != "right" for result in equivalent)
    right = asked["right"] / max(asked.total(), 1)
    print(f"clean project: {clean.total()} findings (0)")
    share = f"{MOST_EQUIVALENT:.0%} at most"
    print(f"{len(results)} edits, {len(equivalent)} equivalent ({share}), {noisy} of them wrong (0)")
    print(f"{asked.total()} to be reported: {', '.join(f'{asked[verdict]} {verdict}' for verdict in VERDICTS)}")
    print(f"right: {right:.1%} ({LEAST_RIGHT:.0%})")
    return int(bool(clean) or bool(noisy) or right < LEAST_RIGHT or len(equivalent) > MOST_EQUIVALENT * len(results))


if __name__ == "__main__":
    sys.exit(main())
