"""Runs errlint the way a user does, as a command, and reads what its JSON report says."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

ERRLINT = (sys.executable, "-m", "errlint")
"""The command under test: errlint as it is installed for the interpreter that runs the script."""

ENVIRONMENT = {
    **{name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"},
    "PYTHONSAFEPATH": "1",
}
"""Has the bytecode of errlint kept, as that of every installed package is, and keeps Python from importing the modules
of a checked folder, such as a ``typing.py``, in place of its own."""


class CommandFailedError(RuntimeError):
    """A command ended in a way that leaves nothing to measure."""


@dataclass(frozen=True, slots=True)
class Run:
    """One finished run of errlint: exit status and what it wrote."""

    status: int
    stdout: bytes
    stderr: str


@dataclass(frozen=True, slots=True, order=True)
class Hit:
    """One finding: ``path`` is relative to the checked folder, ``last`` the last line of its span."""

    path: str
    line: int
    last: int
    column: int
    code: str
    message: str

    def covers(self, path: str, line: int) -> bool:
        """Whether the span of this finding includes that line."""
        return self.path == path and self.line <= line <= self.last


def run(
    root: Path,
    *options: str,
    timeout: float | None = None,
    paths: tuple[str, ...] = (".",),
    source: Path | None = None,
) -> Run:
    """Check ``paths`` in the folder ``root`` with these options, without its configuration.

    The report is JSON where the options do not say another format. ``source`` is a folder with the errlint to run,
    ``None`` for the one that is installed.
    """
    isolated = () if "--config" in options else ("--isolated",)
    reporting = () if "--output-format" in options else ("--output-format", "json")
    command = [*ERRLINT, "check", *paths, *isolated, *reporting, *options]
    environment = ENVIRONMENT if source is None else {**ENVIRONMENT, "PYTHONPATH": str(source)}
    done = subprocess.run(command, cwd=root, env=environment, capture_output=True, timeout=timeout, check=False)
    return Run(done.returncode, done.stdout, done.stderr.decode("utf-8", "replace"))


def read(root: Path, report: bytes) -> list[Hit]:
    """Read the findings of a JSON report over ``root``; raises ValueError when it is not one."""
    return sorted(_hits(root.resolve(), json.loads(report)))


def findings(root: Path, *options: str) -> list[Hit]:
    """Check ``root`` and return its findings, sorted; raises CommandFailedError when errlint failed."""
    done = run(root, *options)
    if done.status not in (0, 1):
        internal = [f"{hit.path}: {hit.message}" for hit in read(root, done.stdout or b"[]") if hit.code == "ERR906"]
        details = "\n".join([done.stderr, *internal])
        raise CommandFailedError(f"errlint ended with status {done.status} in {root}:\n{details}")
    return read(root, done.stdout)


def files(root: Path) -> list[str]:
    """List the files that errlint checks in ``root``, relative, with forward slashes."""
    command = [*ERRLINT, "check", ".", "--isolated", "--show-files"]
    done = subprocess.run(command, cwd=root, env=ENVIRONMENT, capture_output=True, check=False, text=True)
    if done.returncode:
        raise CommandFailedError(f"errlint could not list the files of {root}:\n{done.stderr}")
    return [_relative(root.resolve(), line) for line in done.stdout.splitlines()]


def _hits(root: Path, report: Iterable[dict[str, object]]) -> Iterator[Hit]:
    for item in report:
        start, end = _position(item["location"]), _position(item["end_location"])
        # The end is exclusive: at column 1 the span stops with the line before.
        last = max(start[0], end[0] - 1 if end[1] == 1 else end[0])
        path = _relative(root, str(item["filename"]))
        yield Hit(path, start[0], last, start[1], str(item["code"]), str(item["message"]))


def _position(location: object) -> tuple[int, int]:
    assert isinstance(location, dict)
    return int(location["row"]), int(location["column"])


def _relative(root: Path, name: str) -> str:
    path = Path(name)
    return path.relative_to(root).as_posix() if path.is_absolute() else path.as_posix()
