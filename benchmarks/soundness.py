"""Shortcuts change nothing: each way of running errlint over real files gives the same bytes.

A run over named paths reads a part of the project only: it finds there what a run over everything does.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

import common

ENOUGH_FILES = 4_000
VARIANTS: dict[str, tuple[str, ...]] = {
    "one process": ("--no-cache", "-j1"),
    "two processes": ("--no-cache", "-j2"),
    "cache, first run": (),
    "cache, second run": (),
    "the other reader": ("--no-cache", "--reader", "libcst"),
}


def report(root: Path, options: tuple[str, ...], cache: str, *paths: str) -> bytes:
    """Return the JSON report of one run with every rule on; raises CommandFailedError when errlint failed."""
    done = common.run(root, "--select", "ALL", "--cache-dir", cache, *options, paths=paths or (".",))
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


def compare_named(root: Path, count: int, policy: tuple[str, ...]) -> int:
    """Run over ``count`` folders and as many files of ``root``, with and without a cache; print and count differences.

    The folders are those right below the root and below its biggest folder, the files are taken at equal distances.
    """
    different = 0
    with tempfile.TemporaryDirectory() as cache, tempfile.TemporaryDirectory() as parts:
        expected = common.read(root, report(root, (*policy, "--no-cache"), cache))
        started = time.perf_counter()
        for path in named(common.files(root), count):
            hits = [hit for hit in expected if hit.path == path or hit.path.startswith(f"{path}/")]
            for options in (("--no-cache",), ()):
                got = common.read(root, report(root, (*policy, *options), parts, path))
                if got != hits:
                    different += 1
                    print(f"  {path} {' '.join(options)}: DIFFERENT", flush=True)
                    show_difference(hits, got)
        seconds = time.perf_counter() - started
        print(f"  named paths: {'DIFFERENT' if different else 'the same'} ({seconds:.1f} s)", flush=True)
        # The facts that runs over parts have left, and those that are read now, make one whole.
        after = common.read(root, report(root, policy, parts))
        if after != expected:
            different += 1
            print("  everything, after parts: DIFFERENT", flush=True)
            show_difference(expected, after)
    return different


def named(files: list[str], count: int) -> list[str]:
    """Return ``count`` folders of some files and as many of the files, at equal distances."""
    tops = Counter(path.partition("/")[0] for path in files if "/" in path)
    biggest = max(tops, key=lambda top: (tops[top], top), default="")
    inside = {"/".join(path.split("/")[:2]) for path in files if path.startswith(f"{biggest}/") and path.count("/") > 1}
    return [
        each for paths in (sorted({*tops, *inside}), files) for each in paths[:: max(1, len(paths) // count)][:count]
    ]


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
    parser.add_argument("--named", type=int, default=10, metavar="N", help="folders and files to name; 0: none")
    parser.add_argument("--config", type=Path, metavar="FILE", help="a configuration, so that its policy holds")
    arguments = parser.parse_args()
    policy = ("--config", str(arguments.config.resolve())) if arguments.config else ()
    variants = [name for name in VARIANTS if name not in arguments.skip]
    count = sum(len(common.files(root)) for root in arguments.roots)
    different = sum(compare(root, variants, policy) for root in arguments.roots)
    if arguments.named:
        different += sum(compare_named(root, arguments.named, policy) for root in arguments.roots)
    print(f"{count} files (at least {ENOUGH_FILES}), {different} differences (limit 0)")
    return 0 if different == 0 and count >= ENOUGH_FILES else 1


if __name__ == "__main__":
    sys.exit(main())
