"""What a catalog costs: the processor time of a cold run with it against the same run without.

Processor time is that of all processes of a run; the lowest of some rounds counts, as nothing makes a run faster than
it is. The rules about catalogs are all that differs between the two runs.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import common

LIMIT = 2.0
KEPT = (".py", ".pyi", ".md", ".toml", ".cfg", ".gitignore")
"""What is copied of a project that is given a catalog here: all that errlint reads."""


class Cost(NamedTuple):
    """Seconds of processor time with the catalog and without, and how many findings its rules have."""

    given: float
    without: float
    findings: int

    @property
    def ratio(self) -> float:
        return self.given / self.without


def seconds(root: Path, *options: str) -> float:
    """Run errlint cold in a folder and return its processor time; raises CommandFailedError where it fails."""
    command = [*common.ERRLINT, "check", "--no-cache", "-q", *options]
    before = os.times()
    done = subprocess.run(
        command, cwd=root, env=common.ENVIRONMENT, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, check=False
    )
    after = os.times()
    if done.returncode not in (0, 1):
        raise common.CommandFailedError(f"errlint ended with status {done.returncode} in {root}:\n{done.stderr!r}")
    return after.children_user + after.children_system - before.children_user - before.children_system


@contextmanager
def project(argument: str) -> Iterator[Path]:
    """Give the folder of ``FOLDER``, or a copy of that of ``FOLDER=GLOB`` with no other setting than its catalog."""
    folder, equals, glob = argument.partition("=")
    if not equals:
        yield Path(folder)
        return
    with tempfile.TemporaryDirectory() as copies:
        copy = Path(copies) / Path(folder).resolve().name
        shutil.copytree(folder, copy, ignore=_unread)
        (copy / "errlint.toml").write_text(f'[catalog]\nfiles = ["{glob}"]\n')
        yield copy


def _unread(folder: str, names: list[str]) -> list[str]:
    here = Path(folder)
    return [
        name for name in names if (here / name).is_symlink() or not ((here / name).is_dir() or name.endswith(KEPT))
    ] + [name for name in names if name in (".git", ".venv", "errlint.toml")]


def measure(root: Path, rounds: int) -> Cost:
    """Time both runs in turns."""
    pairs = [(seconds(root), seconds(root, "--extend-ignore", "ERR5")) for _ in range(rounds)]
    found = common.read(root, run_json(root))
    given, without = (min(column) for column in zip(*pairs, strict=True))
    return Cost(given, without, len(found))


def run_json(root: Path) -> bytes:
    command = [*common.ERRLINT, "check", "--no-cache", "--select", "ERR5", "--output-format", "json"]
    return subprocess.run(command, cwd=root, env=common.ENVIRONMENT, stdout=subprocess.PIPE, check=False).stdout


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("projects", nargs="+", metavar="FOLDER[=GLOB]", help="a project, or one and its catalog")
    parser.add_argument("--rounds", type=int, default=3)
    arguments = parser.parse_args()
    ratios = []
    print(f"{'ratio':>7} {'with':>8} {'without':>8} {'findings':>8}  project")
    for argument in arguments.projects:
        with project(argument) as root:
            cost = measure(root, arguments.rounds)
        ratios.append(cost.ratio)
        flag = "" if cost.ratio <= LIMIT else f"  FAIL: limit {LIMIT}"
        print(
            f"{cost.ratio:7.2f} {cost.given:6.2f} s {cost.without:6.2f} s {cost.findings:8}  {argument}{flag}",
            flush=True,
        )
    return 0 if max(ratios) <= LIMIT else 1


if __name__ == "__main__":
    sys.exit(main())
