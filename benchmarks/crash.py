"""Killed at any moment, a fix leaves what a rerun brings to all new and an undo to all old.

Moments at random hardly ever fall between two renames; so other kills wait until the process is held there.
"""

from __future__ import annotations

import argparse
import os
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import NamedTuple

from errlint.errors import FixError
from errlint.fix.writing.transaction import Change, apply
from errlint.fix.writing.undo import recover, undo

FILES = 300
Contents = dict[str, bytes]


class Count(NamedTuple):
    """Of how many kills what was found: before, in the middle of and after the replaces; and files that are wrong."""

    all_old: int = 0
    mixed: int = 0
    all_new: int = 0
    wrong: int = 0


@cache
def contents() -> tuple[Contents, Contents]:
    """Return the files before and after: sizes from nothing to 60 kB, several line ends and encodings."""
    draw = random.Random(0)
    endings = (b"\n", b"\r\n", b"\r")
    old = {}
    for number in range(FILES):
        line = b"value = '%d \xe9 \xc3\xa9'" % number + draw.choice(endings)
        old[f"pkg{number % 12}/sub {number % 5}/module_{number}.py"] = line * draw.randrange(0, 2500)
    return old, {name: b"# fixed\n" + content for name, content in old.items()}


def changes() -> list[Change]:
    old, new = contents()
    return [Change(name, old[name], new[name]) for name in old]


def on_disk(root: Path) -> Contents:
    """Return all files of the project, those that do not belong there too, without the journal."""
    found = [path for path in root.rglob("*") if path.is_file() and ".errlint_undo" not in path.parts]
    return {path.relative_to(root).as_posix(): path.read_bytes() for path in found}


def killed(root: Path, action: str, seconds: float, *, at_replaces: bool) -> None:
    """Start an action in a process of its own and kill it so long after it begins to work, or to replace files."""
    first = root / next(iter(contents()[0]))
    before = first.stat().st_ino
    command = [sys.executable, str(Path(__file__).resolve()), "--child", action, str(root)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdin
        assert process.stdout
        process.stdout.readline()  # all is imported and planned
        process.stdin.write(b"\n")
        process.stdin.flush()
        while at_replaces and first.stat().st_ino == before and process.poll() is None:
            pass
        time.sleep(seconds)
        process.kill()


def killed_between(root: Path, action: str, number: int) -> None:
    """Start an action in a process of its own and kill it when it has put so many files in their places."""
    command = [sys.executable, str(Path(__file__).resolve()), "--child", action, str(root), "--hold", str(number)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdin
        assert process.stdout
        process.stdout.readline()
        process.stdin.write(b"\n")
        process.stdin.flush()
        assert process.stdout.readline() == b"held\n", f"{action} was over before rename {number}"
        process.kill()


def child(action: str, root: Path, hold: int | None) -> None:
    """Be the process that is killed."""
    planned = changes()
    if hold is not None:
        hold_after(hold)
    print("ready", flush=True)
    sys.stdin.readline()
    apply(root, planned) if action == "apply" else undo(root)


def hold_after(number: int) -> None:
    """Let this process wait for ever, behind the rename that puts the last of so many files in its place."""
    rename = os.replace
    done: list[str] = []

    def held(source: str, target: str, **folders: int | None) -> None:
        rename(source, target, **folders)
        if target.endswith(".py"):
            done.append(target)
            if len(done) == number:
                print("held", flush=True)
                sys.stdin.read()

    os.replace = held  # type: ignore[assignment]


def wrong_names(root: Path, expected: Contents) -> list[str]:
    found = on_disk(root)
    return [name for name in found.keys() | expected if found.get(name) != expected.get(name)]


def expect(root: Path, expected: Contents, what: str) -> int:
    """Print and count the files that are not what they should be."""
    wrong = wrong_names(root, expected)
    if wrong:
        print(f"  {what}: {len(wrong)} files are wrong, {wrong[0]} among them")
    return len(wrong)


def seconds_of(action: Callable[[], object]) -> float:
    started = time.perf_counter()
    action()
    return time.perf_counter() - started


def one_kill(root: Path, draw: random.Random, longest: float, count: Count) -> Count:
    """Kill a fix, or an undo, and bring the project to all new or all old; it is all old before and afterwards."""
    action = draw.choice(["apply", "apply", "undo"])
    if action == "undo":
        apply(root, changes())
    # Half of the kills fall into the replaces, which are only a small part of the time.
    at_replaces = draw.random() < 0.5
    killed(root, action, draw.uniform(0, longest / 10 if at_replaces else longest), at_replaces=at_replaces)
    return brought_to_an_end(root, action, draw.choice(["rerun", "undo"]), count)


def one_held_kill(root: Path, number: int, action: str, end: str, count: Count) -> Count:
    """Kill a fix, or an undo, between two renames, as :func:`one_kill` does at random."""
    if action == "undo":
        apply(root, changes())
    killed_between(root, action, number)
    return brought_to_an_end(root, action, end, count)


def brought_to_an_end(root: Path, action: str, end: str, count: Count) -> Count:
    """Look at what a kill has left, and bring it to all new by a rerun, and to all old by an undo."""
    old, new = contents()
    left = on_disk(root)
    is_old = [left.get(name) == old[name] for name in old]
    wrong = sum(left.get(name) not in (old[name], new[name]) for name in old)
    try:
        if end == "rerun":
            recover(root)
            if wrong_names(root, new):
                wrong += expect(root, old, f"{action}, recovered")
                apply(root, changes())
            wrong += expect(root, new, f"{action}, run again")
        undo(root)
        wrong += expect(root, old, f"{action}, undone")
    except FixError as error:
        print(f"  {action}: {error}")
        wrong += 1
    return Count(
        all_old=count.all_old + all(is_old),
        mixed=count.mixed + (any(is_old) and not all(is_old)),
        all_new=count.all_new + (not any(is_old)),
        wrong=count.wrong + wrong,
    )


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--seed", type=int, default=20261122)
    parser.add_argument("--folder", type=Path, help="where to make the files; one in memory is faster")
    parser.add_argument("--held", type=int, default=50, help="so many kills between two renames")
    parser.add_argument("--child", nargs=2, help=argparse.SUPPRESS)
    parser.add_argument("--hold", type=int, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.child:
        child(options.child[0], Path(options.child[1]), options.hold)
        return 0
    draw = random.Random(options.seed)
    count = Count()
    with tempfile.TemporaryDirectory(dir=options.folder) as folder:
        root = Path(folder)
        for name, content in contents()[0].items():
            (root / name).parent.mkdir(parents=True, exist_ok=True)
            (root / name).write_bytes(content)
        longest = 1.1 * seconds_of(lambda: apply(root, changes()))
        undo(root)
        for _ in range(options.kills):
            count = one_kill(root, draw, longest, count)
        held = Count()
        whole = 0
        for number in range(options.held):
            before = held
            place = 1 + number * (FILES - 1) // options.held
            action, end = ("apply", "undo")[number % 2], ("rerun", "undo")[number // 2 % 2]
            held = one_held_kill(root, place, action, end, held)
            whole += held.wrong == before.wrong and held.mixed > before.mixed
    print(
        f"{options.held} kills between two renames of {FILES}: {held.mixed} left a mixture; "
        f"{whole} of {options.held} were all old or all new after rerun and undo"
    )
    print(
        f"{options.kills} kills (seed {options.seed}) within {longest:.2f} s of work on {FILES} files: "
        f"{count.all_old} left all old, {count.mixed} a mixture, {count.all_new} all new; "
        f"{count.wrong} files wrong, empty or lost after rerun and undo"
    )
    return int(count.wrong > 0 or whole < options.held)


if __name__ == "__main__":
    sys.exit(main())
