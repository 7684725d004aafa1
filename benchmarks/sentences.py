"""Whether what the documents of the conventions say is checked: one table for each, a row for each sentence.

A table is ``conventions/PRESET.md``. A row is a ``##`` heading: the number of the sentence and the sentence. Its fences
are a project that breaks the sentence (``caught`` in the info string), its twin that keeps to it (``silent``), or both,
by ``path=``; below ``## Around`` stands what every project has besides, ``toml config`` is errlint.toml. A mark
``# error: [ERR201]`` at the end of a line says where one of its rules has to speak; ``ERR000`` means any. The header
of a definition, decorators included, is one place, as it is for a comment that suppresses. The row holds when there is
such a finding at each mark, and none of these rules says anything about the twin. Below ``## Not rows`` stands what no
program can check.
"""

from __future__ import annotations

import argparse
import ast
import sys
import tempfile
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

import common
from markdown_it import MarkdownIt

from errlint.rulebook import ExampleFile, example_file

TABLES = Path(__file__).parent / "conventions"
LIMIT = 0.95
ANY = "ERR000"
MARKER = '[project]\nname = "row"\nversion = "1"\n'
CONFIGURATION = "errlint.toml"
AROUND, NOT_ROWS = "Around", "Not rows"


@dataclass(slots=True)
class Row:
    """A sentence with the files of its two projects by path."""

    title: str
    caught: dict[str, ExampleFile] = field(default_factory=dict)
    silent: dict[str, ExampleFile] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Verdict:
    """What errlint made of a row: marks without a finding, findings in the twin by the row's rules, and by others."""

    missed: tuple[str, ...]
    false: tuple[str, ...]
    others: tuple[str, ...]

    @property
    def holds(self) -> bool:
        """Whether the sentence is checked."""
        return not self.missed and not self.false


def read_table(text: str) -> list[Row]:
    """Return the rows of a table, each with the files around it; raises ValueError for one without its two projects."""
    rows: list[Row] = []
    tokens = MarkdownIt().parse(text)
    for number, token in enumerate(tokens):
        if token.type == "heading_open" and token.tag == "h2":
            rows.append(Row(tokens[number + 1].content))
        elif token.type == "fence" and rows:
            words = token.info.split()[1:]
            paths = [word.removeprefix("path=") for word in words if word.startswith("path=")]
            paths += [CONFIGURATION] if "config" in words else []
            for path in paths:
                file = example_file(path, token.content)
                if "silent" not in words:
                    rows[-1].caught[path] = file
                if "caught" not in words:
                    rows[-1].silent[path] = file
    around = next((row for row in rows if row.title == AROUND), Row(AROUND))
    found = [row for row in rows if row.title not in (AROUND, NOT_ROWS)]
    for row in found:
        if not any(file.marks for file in row.caught.values()) or any(file.marks for file in row.silent.values()):
            raise ValueError(f"row {row.title!r} has no mark in what is caught, or one in what is silent")
        row.caught = around.caught | row.caught
        row.silent = around.silent | row.silent
    return found


def judged(row: Row) -> Verdict:
    """Run errlint on both projects of a row."""
    hits, twins = _checked(row.caught), _checked(row.silent)
    marks = [(path, mark) for path, file in row.caught.items() for mark in file.marks]
    places = {path: _headers(path, file.text) for path, file in row.caught.items()}

    def place(path: str, line: int) -> tuple[str, int]:
        return path, places.get(path, {}).get(line, line)

    at = {
        (path, mark.line): [
            hit
            for hit in hits
            if place(hit.path, hit.line) == place(path, mark.line) and {hit.code, ANY} & {*mark.codes}
        ]
        for path, mark in marks
    }
    missed = [f"{path}:{mark.line} {', '.join(mark.codes)}" for path, mark in marks if not at[path, mark.line]]
    there = [f"found: {_told(hit)}" for hit in hits] if missed else []
    codes = {code for _, mark in marks for code in mark.codes} | {hit.code for found in at.values() for hit in found}
    return Verdict(
        (*missed, *(there if missed else ())),
        tuple(_told(hit) for hit in twins if hit.code in codes),
        tuple(_told(hit) for hit in twins if hit.code not in codes),
    )


def _headers(path: str, text: str) -> dict[int, int]:
    """Return the line of its name for every line in the header of a definition; none where nothing can be read."""
    found: dict[int, int] = {}
    try:
        tree = ast.parse(text) if path.endswith(".py") else None
    except SyntaxError:
        tree = None
    for node in ast.walk(tree) if tree is not None else ():
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            first = min([node.lineno, *(item.lineno for item in node.decorator_list)])
            found.update(dict.fromkeys(range(first, max(node.lineno + 1, node.body[0].lineno)), node.lineno))
    return found


def _checked(files: Mapping[str, ExampleFile]) -> list[common.Hit]:
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        for path, text in {"pyproject.toml": MARKER, **{path: file.text for path, file in files.items()}}.items():
            (root / path).parent.mkdir(parents=True, exist_ok=True)
            (root / path).write_text(text, "utf-8")
        return common.findings(root, "--no-cache", "--config", CONFIGURATION)


def _told(hit: common.Hit) -> str:
    return f"{hit.path}:{hit.line} {hit.code} {hit.message}"


def _shown(verdict: Verdict, others: bool) -> Iterator[str]:
    yield from (f"    missed: {each}" for each in verdict.missed)
    yield from (f"    false: {each}" for each in verdict.false)
    if others:
        yield from (f"    twin: {each}" for each in verdict.others)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n\n")[0])
    parser.add_argument("tables", nargs="*", type=Path, help="tables (default: those beside this script)")
    parser.add_argument("--row", default="", help="only rows whose title begins so")
    parser.add_argument("--others", action="store_true", help="show what other rules say about the twins, too")
    arguments = parser.parse_args()
    failed = False
    for table in arguments.tables or sorted(TABLES.glob("*.md")):
        rows = [row for row in read_table(table.read_text("utf-8")) if row.title.startswith(arguments.row)]
        with ThreadPoolExecutor(2) as pool:
            verdicts = list(pool.map(judged, rows))
        for row, verdict in zip(rows, verdicts, strict=True):
            lines = list(_shown(verdict, arguments.others))
            if lines:
                print(f"{table.stem} {row.title}", *lines, sep="\n")
        held = sum(verdict.holds for verdict in verdicts)
        caught, silent = sum(not each.missed for each in verdicts), sum(not each.false for each in verdicts)
        print(f"{table.stem}: {held} of {len(rows)} rows hold ({caught} caught, {silent} silent)", flush=True)
        failed |= held < LIMIT * len(rows)
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
