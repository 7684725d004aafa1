"""A uniform random sample of the findings in given folders, with their source, to read and judge."""

from __future__ import annotations

import argparse
import csv
import random
import sys
from pathlib import Path

import common

COLUMNS = ("root", "path", "line", "code", "verdict", "would_fix", "reason")


def draw(roots: list[Path], options: list[str], count: int, seed: int) -> list[tuple[Path, common.Hit]]:
    """Collect the findings of all roots and draw ``count`` of them, every finding with the same chance."""
    # Sorted by folder name, not by where the folders lie, so that a seed means the same on every machine.
    found = [
        (root, hit)
        for root in sorted(roots, key=lambda root: root.resolve().name)
        for hit in common.findings(root, "--no-cache", *options)
    ]
    print(f"{len(found)} findings in {len(roots)} folders, {min(count, len(found))} drawn with seed {seed}\n")
    return sorted(random.Random(seed).sample(found, min(count, len(found))))


def show(number: int, root: Path, hit: common.Hit, context: int) -> None:
    print(f"#{number} {root.resolve().name}/{hit.path}:{hit.line} {hit.code} {hit.message}")
    lines = (root / hit.path).read_text(encoding="utf-8", errors="replace").splitlines()
    for line in range(max(1, hit.line - context), min(len(lines), hit.last + context // 2) + 1):
        print(f"{'>' if hit.line <= line <= hit.last else ' '} {line:5} {lines[line - 1]}")
    print()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("roots", type=Path, nargs="+", metavar="DIR", help="folders to check, each a project")
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--seed", type=int, default=20240131)
    parser.add_argument("--context", type=int, default=12, help="source lines shown before each finding")
    parser.add_argument("--select", help="rules to run in place of the default ones")
    parser.add_argument("--tsv", type=Path, help=f"also write a sheet to fill in: {', '.join(COLUMNS)}")
    arguments = parser.parse_args()
    options = ["--select", arguments.select] if arguments.select else []
    drawn = draw(arguments.roots, options, arguments.count, arguments.seed)
    for number, (root, hit) in enumerate(drawn, 1):
        show(number, root, hit, arguments.context)
    if arguments.tsv:
        with arguments.tsv.open("w", encoding="utf-8", newline="") as file:
            sheet = csv.writer(file, delimiter="\t", lineterminator="\n")
            sheet.writerow(COLUMNS)
            sheet.writerows((root.resolve().name, hit.path, hit.line, hit.code, "", "", "") for root, hit in drawn)
    return 0


if __name__ == "__main__":
    sys.exit(main())
