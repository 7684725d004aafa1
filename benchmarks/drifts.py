"""Compares what errlint reports of drifted error documentation with lists that were made by hand."""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from csv import DictReader
from pathlib import Path
from typing import NamedTuple

LISTS = Path(__file__).with_name("drifts.tsv")

SETTINGS = Path(__file__).with_name("drifts")
"""Configurations that name the catalog of each checkout, and what else its maintainers would name."""

RULES = "ERR501,ERR502,ERR503,ERR504,ERR505,ERR506,ERR507,ERR508,ERR509"

LEAST_FOUND = 0.9
"""The least share of the listed differences that a finding tells."""

LEAST_LISTED = 0.95
"""The least share of the findings that tell a listed difference."""


class Listed(NamedTuple):
    """A drift of the lists: ``rule`` is the one whose subject it is, ``rules`` are those that may report it.

    ``is_beside`` is true for one that is told with another.
    """

    rule: str
    rules: frozenset[str]
    document: tuple[str, int]
    code: tuple[str, int]
    is_static: bool
    is_beside: bool
    difference: str


class Place(NamedTuple):
    """Some lines of a file."""

    path: str
    first: int
    last: int

    def has(self, place: tuple[str, int]) -> bool:
        """Whether a line is one of them."""
        return place[0] == self.path and self.first <= place[1] <= self.last


class Reported(NamedTuple):
    """A finding: its rule and message, its place, and the other places it names."""

    rule: str
    message: str
    place: Place
    related: tuple[Place, ...]


def listed() -> dict[str, list[Listed]]:
    """Return the lists by repository."""
    found: dict[str, list[Listed]] = {}
    with LISTS.open(encoding="utf-8", newline="") as file:
        for row in DictReader(file, delimiter="\t", quoting=3):
            difference = row["difference"]
            _, _, others = difference.rpartition("(or ")
            also = {word.strip(" ):;,.") for word in others.split()} if "(or " in difference else set()
            found.setdefault(row["project"], []).append(
                Listed(
                    row["rule"],
                    frozenset({row["rule"], *(word for word in also if word.startswith("ERR"))}),
                    (row["doc_path"], int(row["doc_line"] or 0)),
                    (row["code_path"], int(row["code_line"] or 0)),
                    row["static"] == "yes",
                    difference.startswith("[with"),
                    difference,
                )
            )
    return found


def reported(project: Path) -> list[Reported]:
    """Return what errlint says of a checkout with the settings that are kept for it."""
    settings = str(SETTINGS / f"{project.name}.toml")
    command = [sys.executable, "-m", "errlint", "--no-cache", "--config", settings, "--select", RULES]
    command += ["--output-format", "json"]
    run = subprocess.run(command, cwd=project, capture_output=True, text=True, check=False)
    return [
        Reported(
            each["code"], each["message"], _place(project, each), tuple(_place(project, x) for x in each["related"])
        )
        for each in json.loads(run.stdout)
        if each["code"] in RULES
    ]


def _place(project: Path, item: dict[str, object]) -> Place:
    file, start = Path(str(item["filename"])), item["location"]
    end = item.get("end_location") or start
    assert isinstance(start, dict)
    assert isinstance(end, dict)
    path = file.relative_to(project.resolve()) if file.is_absolute() else file
    return Place(path.as_posix(), int(start["row"]), max(int(start["row"]), int(end["row"])))


def is_told(row: Listed, finding: Reported) -> bool:
    """Whether a finding tells of a drift: with its rule at its line, or of its code where it has no line."""
    if finding.rule not in row.rules:
        return False
    places = (finding.place, *finding.related)
    if row.document[1]:
        return any(place.has(row.document) for place in places)
    name = row.difference.split()[0]
    return f"`{name}`" in finding.message or any(place.has(row.code) for place in places)


def compared(rows: list[Listed], findings: list[Reported]) -> Iterator[tuple[str, str, str]]:
    """Yield each row that no finding tells and each finding that no row tells: what it is, its rule, its text."""
    for row in rows:
        if row.is_static and not row.is_beside:
            is_found = any(is_told(row, finding) for finding in findings)
            yield "found" if is_found else "missed", row.rule, f"{row.document[0]}:{row.document[1]} {row.difference}"
    for finding in findings:
        is_listed = any(is_told(row, finding) for row in rows)
        text = f"{finding.place.path}:{finding.place.first} {finding.message}"
        yield "listed" if is_listed else "unlisted", finding.rule, text


def main() -> int:
    """Print the differences for each project below a folder ``OWNER__REPO``; 1 where all together are below a limit."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, help="holds the checkouts, each as OWNER__REPO")
    parser.add_argument("-q", "--quiet", action="store_true", help="only the numbers")
    arguments = parser.parse_args()
    everywhere: Counter[str] = Counter()
    for project, rows in listed().items():
        folder = arguments.folder / project.replace("/", "__")
        if not folder.is_dir():
            print(f"{project}: not there")
            continue
        results = list(compared(rows, reported(folder)))
        counts = Counter((what, rule) for what, rule, _ in results)
        totals = Counter(what for what, _, _ in results)
        everywhere += totals
        print(
            f"{project}: {totals['found']} of {totals['found'] + totals['missed']} found; "
            f"{totals['listed']} of {totals['listed'] + totals['unlisted']} findings are listed"
        )
        for rule in RULES.split(","):
            numbers = [f"{counts[what, rule]} {what}" for what in ("found", "missed", "unlisted")]
            print(f"  {rule}: {', '.join(numbers)}")
        for what, rule, text in () if arguments.quiet else results:
            if what in ("missed", "unlisted"):
                print(f"  {what} {rule} {text}")
    found = everywhere["found"] / max(everywhere["found"] + everywhere["missed"], 1)
    listed_share = everywhere["listed"] / max(everywhere["listed"] + everywhere["unlisted"], 1)
    print(f"found {found:.1%} (at least {LEAST_FOUND:.0%}), listed {listed_share:.1%} (at least {LEAST_LISTED:.0%})")
    return int(found < LEAST_FOUND or listed_share < LEAST_LISTED)


if __name__ == "__main__":
    sys.exit(main())
