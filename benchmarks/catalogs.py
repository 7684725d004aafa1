"""Compares what errlint reads in public error catalogs with lists that were made by hand."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from csv import DictReader
from pathlib import Path
from typing import NamedTuple

from errlint.catalog.entry import EntryKind
from errlint.catalog.reader import read

LISTS = Path(__file__).with_name("catalogs.tsv")

LEAST_OF_OTHERS = 0.9
"""The least share of the catalogs found later whose names and lines are read as listed."""

NAMED_BEFOREHAND = frozenset({
    "Agent-Hellboy/mcp-server-fuzzer", "AstroAir/web-fetch", "Evan-Kim2028/igloo-mcp", "Fanduzi/SafeMySQLMcpServer",
    "JonasHeinickeBio/pyEuropePMC", "MAB2908/obsidian-extended-mcp", "ORNL/pygarden", "RouaSmida/TuniMaqam",
    "netresearch/coding_agent_cli_toolset", "olreppe/pyWATS", "pydantic/pydantic",
})  # fmt: skip
"""The repositories that the reader was made for; all others were found later."""


class Listed(NamedTuple):
    """An entry of the lists: ``names`` are what it may be found by."""

    line: int
    names: frozenset[str]
    mark: str


def listed() -> dict[tuple[str, str], list[Listed]]:
    """Return the lists by repository and path."""
    found: dict[tuple[str, str], list[Listed]] = {}
    with LISTS.open(encoding="utf-8", newline="") as file:
        for row in DictReader(file, delimiter="\t", quoting=3):
            entries = found.setdefault((row["repo"], row["path"]), [])
            if row["mark"].partition(",")[0] != "none":
                extra = [note[5:] for note in row["note"].split("; ") if note.startswith(("name=", "slug="))]
                entries.append(Listed(int(row["line"]), frozenset({row["id"], *extra}), row["mark"]))
    return found


def differences(expected: list[Listed], path: str, text: str) -> Iterator[str]:
    """Yield what is missing, too much, or at another line."""
    entries = read(path, text)
    allowed = {(item.line, name) for item in expected for name in item.names}
    names = {name for item in expected for name in item.names}
    entries = tuple(
        entry._replace(name=entry.name.rpartition(".")[2] or entry.name) if entry.kind is EntryKind.CLASS else entry
        for entry in entries
    )
    for entry in entries:
        if (entry.line, entry.name) not in allowed:
            what = "at another line" if entry.name in names else "too much"
            yield f"{what}: {entry.line} {entry.kind.value} {entry.name}"
        marks = {item.mark for item in expected if item.line == entry.line and entry.name in item.names}
        if marks and all("reserved" in mark for mark in marks) != entry.is_reserved:
            yield f"{'not ' if entry.is_reserved else ''}reserved: {entry.line} {entry.name}"
    found = {(entry.line, entry.name) for entry in entries}
    for item in expected:
        if item.mark.startswith("main") and not any((item.line, name) in found for name in item.names):
            yield f"missing: {item.line} {' or '.join(sorted(item.names))}"


def main() -> int:
    """Print the differences for each catalog below a folder ``OWNER__REPO/PATH``; 1 below the limits."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, help="holds the documents, each as OWNER__REPO/PATH")
    parser.add_argument("-q", "--quiet", action="store_true", help="only how many differences each has")
    arguments = parser.parse_args()
    found_in: dict[str, list[list[str]]] = {}
    for (repo, path), expected in listed().items():
        file = arguments.folder / repo.replace("/", "__") / path
        if not file.is_file():
            print(f"{repo} {path}: not there")
            continue
        found = list(differences(expected, path, file.read_text(encoding="utf-8-sig")))
        found_in.setdefault(repo, []).append(found)
        print(f"{repo} {path}: {len(expected)} listed, {len(found)} differences")
        for line in () if arguments.quiet else found:
            print(f"  {line}")
    documents = [found for each in found_in.values() for found in each]
    print(
        f"{sum(not found for found in documents)} of {len(documents)} documents exact, marks of reserved ones included"
    )
    right = {repo for repo, each in found_in.items() if all(map(_is_right, each))}
    is_met = True
    for text, repos, least in (
        ("named beforehand", NAMED_BEFOREHAND & found_in.keys(), 1.0),
        ("found later", found_in.keys() - NAMED_BEFOREHAND, LEAST_OF_OTHERS),
    ):
        print(f"catalogs {text}: names and lines exact in {len(right & repos)} of {len(repos)} (at least {least:.0%})")
        is_met = is_met and len(right & repos) >= least * len(repos)
    return int(not is_met)


def _is_right(differences: list[str]) -> bool:
    """Whether the names and lines of a document are as listed."""
    return all("reserved: " in each for each in differences)


if __name__ == "__main__":
    sys.exit(main())
