"""How processor time grows with the number of findings: 100, 200, ... 3,200 in one file, and in as many files.

The findings are error returns of adapters, under a boundary that the project configures and in a project without one.
Each command runs cold, fixes on a fresh copy; the lowest of some rounds counts, as nothing makes a run faster than it
is. A doubling is judged on what is above the time of a project with one finding, where that is long enough to tell.
"""

from __future__ import annotations

import argparse
import itertools
import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

import common

SIZES = (100, 200, 400, 800, 1600, 3200)
LIMIT = 2.3
MEASURABLE = 0.2
"""Seconds above those of one finding; less is noise."""

COMMANDS = {
    "text": (),
    "json": ("--output-format", "json"),
    "sarif": ("--output-format", "sarif"),
    "json, fixes": ("--output-format", "json", "--show-fixes"),
    "fix": ("--fix", "--unsafe-fixes", "--allow-dirty"),
}
CONFIGURATION = """\
[[boundary]]
decorator = "shop.errors.answered"
envelope = { error = "{message}" }

[exceptions]
root = ["shop.errors.ShopError"]
default = "shop.errors.ShopError"
"""
ERRORS = '''\
import functools


class ShopError(Exception):
    """Base of all errors of the shop."""


def answered(function):
    @functools.wraps(function)
    def call(*args, **kwargs):
        try:
            return function(*args, **kwargs)
        except ShopError as exc:
            return {"error": str(exc)}

    return call
'''
HEADER = """\
from fastmcp import FastMCP
from shop.errors import ShopError, answered

server = FastMCP("shop")
stock: dict[str, int] = {}
"""
HANDLER = '''

@server.tool()
@answered
def take_{0}(name: str, count: int) -> dict:
    """Take items out of the stock."""
    left = stock.get(name, 0)
    if count > left:
        return {{"error": f"only {{left}} of {{name}} are left"}}
    stock[name] = left - count
    return {{"name": name, "left": stock[name]}}
'''


def make(root: Path, findings: int, *, in_one_file: bool, configured: bool) -> None:
    """Write a project with so many findings into a new folder."""
    (root / "shop").mkdir(parents=True)
    (root / "errlint.toml").write_text(CONFIGURATION if configured else "", "utf-8")
    (root / "shop/__init__.py").write_text("", "utf-8")
    (root / "shop/errors.py").write_text(ERRORS, "utf-8")
    handlers = [HANDLER.format(number) for number in range(findings)]
    modules = [handlers] if in_one_file else [[handler] for handler in handlers]
    for number, module in enumerate(modules):
        (root / f"shop/server_{number}.py").write_text(HEADER + "".join(module), "utf-8")


def seconds(root: Path, options: Sequence[str], limit: float) -> float:
    """Return the processor time of a run and all its processes, or infinity where it is stopped at the limit.

    Raises CommandFailedError where errlint fails.
    """
    command = [*common.ERRLINT, "check", "--no-cache", "-q", *options]
    before = os.times()
    try:
        done = subprocess.run(
            command,
            cwd=root,
            env=common.ENVIRONMENT,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            check=False,
            timeout=limit,
        )
    except subprocess.TimeoutExpired:
        return float("inf")
    after = os.times()
    if done.returncode not in (0, 1):
        raise common.CommandFailedError(f"errlint ended with status {done.returncode} in {root}:\n{done.stderr!r}")
    return after.children_user + after.children_system - before.children_user - before.children_system


def lowest(options: Sequence[str], findings: int, arguments: argparse.Namespace, **kind: bool) -> float:
    """Return the lowest time of some rounds, each on a project of its own."""
    times = []
    for _ in range(arguments.rounds):
        with tempfile.TemporaryDirectory() as folder:
            make(Path(folder) / "project", findings, **kind)
            times.append(seconds(Path(folder) / "project", options, arguments.limit))
        if times[-1] == float("inf"):
            break
    return min(times)


def ratios(times: Sequence[float], start: float) -> list[float | None]:
    """Return by what each doubling multiplies the time; None where it is too short to tell."""
    above = [time - start for time in times]
    return [None if before < MEASURABLE else after / before for before, after in itertools.pairwise(above)]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=3, help="runs of which the lowest counts (default: 3)")
    parser.add_argument("--most", type=int, default=SIZES[-1], help="the largest number of findings (default: 3200)")
    parser.add_argument("--limit", type=float, default=300, help="seconds after which a run is stopped (default: 300)")
    parser.add_argument("--command", choices=COMMANDS, action="append", help="measure this alone; repeatable")
    arguments = parser.parse_args()
    sizes = [size for size in SIZES if size <= arguments.most]
    print("| Project | Command | " + " | ".join(map(str, sizes)) + " | Doublings |")
    print("|---" * (len(sizes) + 3) + "|")
    failed = False
    for configured in (True, False):
        for in_one_file in (True, False):
            where = f"{'one file' if in_one_file else 'as many files'}, {'a' if configured else 'no'} boundary"
            for name in arguments.command or COMMANDS:
                kind = {"in_one_file": in_one_file, "configured": configured}
                start = lowest(COMMANDS[name], 1, arguments, **kind)
                times: list[float] = []
                for size in sizes:
                    stopped = bool(times) and times[-1] == float("inf")
                    times.append(float("inf") if stopped else lowest(COMMANDS[name], size, arguments, **kind))
                found = ratios(times, start)
                # Of two runs that were stopped there is no ratio; the first one has failed.
                failed |= any(ratio is not None and ratio > LIMIT for ratio in found) or float("inf") in times
                shown = ["-" if ratio is None or ratio != ratio else f"{ratio:.2f}" for ratio in found]
                cells = [f"{time:.2f}" if time < float("inf") else f"> {arguments.limit:.0f}" for time in times]
                print(f"| {where} | {name} | {' | '.join(cells)} | {', '.join(shown)} |", flush=True)
    print(f"limit of a doubling: {LIMIT}: {'FAILED' if failed else 'kept'}")
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
