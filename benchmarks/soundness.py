"""Shortcuts change nothing: each way of running errlint over real files gives the same bytes."""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from pathlib import Path

import common

ENOUGH_FILES = 4_000
VARIANTS: dict[str, tuple[str, ...]] = {
    "no gate": ("--no-cache", "--no-gate"),
    "one process": ("--no-cache", "-j1"),
    "two processes": ("--no-cache", "-j2"),
    "cache, first run": (),
    "cache, second run": (),
    "no ast tier": ("--no-cache", "--no-ast-tier"),
}


def report(root: Path, options: tuple[str, ...], cache: str) -> bytes:
    """Return the JSON report of one run with every rule on; raises CommandFailedError when errlint failed."""
    done = common.run(root, "--select", "ALL", "--cache-dir", cache, *options)
    if done.status not in (0, 1):
        raise common.CommandFailedError(f"status {done.status} with {options} in {root}:\n{done.stderr}")
    return done.stdout


def compare(root: Path, variants: list[str], policy: tuple[str, ...]) -> int:
    """Run each variant over ``root``; print and count those whose report differs from the plain one.

    ``policy`` are the options that say which configuration holds, in all of them.
    """
    different = 0
    with tempfile.TemporaryDirectory() as cache:
        plain = report(root, (*policy, "--no-cache"), cache)
        expected = common.read(root, plain)
        print(f"{root}: {len(common.files(root))} files, {len(expected)} findings")
        for name in variants:
            started = time.perf_counter()
            other = report(root, (*policy, *VARIANTS[name]), cache)
            seconds = time.perf_counter() - started
            print(f"  {name}: {'the same' if other == plain else 'DIFFERENT'} ({seconds:.1f} s)", flush=True)
            if other != plain:
                different += 1
                show_difference(expected, common.read(root, other))
    return different


def show_difference(expected: list[common.Hit], got: list[common.Hit]) -> None:
    for sign, hits in (("-", set(expected) - set(got)), ("+", set(got) - set(expected))):
        for hit in sorted(hits)[:10]:
            print(f"    {sign} {hit.path}:{hit.line} {hit.code} {hit.message}")
    if expected == got:
        print("    the same findings, but other bytes")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("roots", type=Path, nargs="+", metavar="DIR", help="folders to check, each a project")
    parser.add_argument("--skip", action="append", default=[], choices=VARIANTS, help="leave a way of running out")
    parser.add_argument("--config", type=Path, metavar="FILE", help="a configuration, so that its policy holds")
    arguments = parser.parse_args()
    policy = ("--config", str(arguments.config.resolve())) if arguments.config else ()
    variants = [name for name in VARIANTS if name not in arguments.skip]
    count = sum(len(common.files(root)) for root in arguments.roots)
    different = sum(compare(root, variants, policy) for root in arguments.roots)
    print(f"{count} files (at least {ENOUGH_FILES}), {different} differences (limit 0)")
    return 0 if different == 0 and count >= ENOUGH_FILES else 1


if __name__ == "__main__":
    sys.exit(main())
