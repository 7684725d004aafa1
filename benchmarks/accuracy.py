"""Precision and recall of the error-return rules on places of public repositories that people have labelled.

A positive is found when the span of a finding covers its line; a negative is violated by the same. Labels
whose readers disagreed (``AMBIGUOUS:``) and tuples, which are another rule's, do not count.
"""

from __future__ import annotations

import argparse
import csv
import sys
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

import common

RULES = "ERR101,ERR102,ERR103,ERR105,ERR112"
PRECISION, RECALL = 0.97, 0.95


@dataclass(frozen=True, slots=True)
class Label:
    """One labelled place; ``reported`` is what errlint says there, empty when it says nothing."""

    repository: str
    path: str
    line: int
    label: str
    reported: str

    @property
    def negative(self) -> bool:
        return self.label.startswith("NEG:")

    @property
    def right(self) -> bool:
        return self.negative != bool(self.reported)


def read_rows(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))


def counts(label: str) -> bool:
    return not label.startswith(("AMBIGUOUS:", "tuple_"))


def judge(rows: list[dict[str, str]], checkouts: Path) -> list[Label]:
    """Run errlint once in each repository, look up every row; raises FileNotFoundError for a missing file."""
    judged: list[Label] = []
    for repository in sorted({row["repo"] for row in rows}):
        root = checkouts / repository.replace("/", "__")
        hits = common.findings(root, "--no-cache", "--select", RULES)
        for row in (row for row in rows if row["repo"] == repository):
            if not (root / row["path"]).is_file():
                raise FileNotFoundError(root / row["path"])
            codes = sorted({hit.code for hit in hits if hit.covers(row["path"], int(row["line"]))})
            judged.append(Label(repository, row["path"], int(row["line"]), row["label"], ",".join(codes)))
    return judged


def print_report(labels: list[Label]) -> bool:
    """Print forms, wrong places and the two figures; return whether both reach their limits."""
    total, right = (
        Counter(each.label for each in labels),
        Counter(each.label for each in labels if each.right),
    )
    for form in sorted(total):
        print(f"{right[form]:3} of {total[form]:3}  {form}")
    for each in sorted((each for each in labels if not each.right), key=lambda each: (each.negative, each.label)):
        verdict = f"violated by {each.reported}" if each.negative else "missed"
        print(f"{verdict}: {each.repository} {each.path}:{each.line} {each.label}")
    found = sum(1 for each in labels if not each.negative and each.reported)
    violated = sum(1 for each in labels if each.negative and each.reported)
    positives = sum(1 for each in labels if not each.negative)
    precision, recall = found / max(1, found + violated), found / max(1, positives)
    print(f"precision {precision:.3f} (limit {PRECISION}): {found} found, {violated} negatives violated")
    print(f"recall    {recall:.3f} (limit {RECALL}): {found} of {positives} positives")
    return precision >= PRECISION and recall >= RECALL


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("labels", type=Path, help="TSV: repo, commit, path, line, label, note")
    parser.add_argument("checkouts", type=Path, help="folder with a checkout OWNER__NAME of every repository")
    parser.add_argument("--disputed", type=Path, help="TSV: repo, path, line, reason; these labels do not count")
    arguments = parser.parse_args()
    disputed = read_rows(arguments.disputed) if arguments.disputed else []
    for row in disputed:
        print(f"disputed: {row['repo']} {row['path']}:{row['line']} {row['reason']}")
    places = {(row["repo"], row["path"], row["line"]) for row in disputed}
    rows = [row for row in read_rows(arguments.labels) if counts(row["label"])]
    rows = [row for row in rows if (row["repo"], row["path"], row["line"]) not in places]
    return 0 if print_report(judge(rows, arguments.checkouts)) else 1


if __name__ == "__main__":
    sys.exit(main())
