"""The modules that a file enters on its way to a finding, and a finding on its way to a written fix.

One file with one error return is checked, then fixed, under a profiler. A way is told by its *stations*, functions
between which nothing but errlint itself decides what comes next. What is on the stack when a station is reached, module
by module, is the walk; entering a module that the walk has entered before, from another one, is a return.

A fix is proved by checking again what it makes, which is the first walk once more: it is one step of the second.
Needs Python 3.11, which tells of which class a function is.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from types import FrameType
from typing import NamedTuple, NoReturn

LIMIT = 3
"""So many returns on one way."""

PREFIX = "errlint."

SERVER = '''\
"""A server of notes."""

from fastmcp import FastMCP

mcp = FastMCP("notes")


@mcp.tool
def read(name: str) -> dict[str, str]:
    try:
        return {"text": open(name).read()}
    except OSError as error:
        return {"error": str(error)}
'''


class Way(NamedTuple):
    """A way of a file: the arguments of the run, its stations, and the station that is one step, whatever it does."""

    name: str
    arguments: tuple[str, ...]
    stations: tuple[str, ...]
    whole: str = ""


WAYS = (
    Way(
        "from the command to a finding",
        ("check", "--no-cache"),
        (
            "cli.run_and_leave",
            "discover.discover",
            "index.module.Collector.collect",
            "project.Project.__init__",
            "checks.err101_hand_built_error_return.check",
            "pipeline._finish",
            "report.full.full",
            "output.write_stdout",
        ),
    ),
    Way(
        "from a finding to a written fix",
        ("check", "--no-cache", "--fix", "--unsafe-fixes"),
        (
            "fix.run.find_fixes",
            "fix.plan.plan",
            "fix.rewrite.rewrite",
            "fix.prove.reason_against",
            "fix.snapshot.Snapshot.check",
            "fix.prove.new_findings",
            "fix.writing.transaction.apply",
            "fix.writing.files.commit",
        ),
        "fix.snapshot.Snapshot.check",
    ),
)


class Left(BaseException):
    """What ends the run of errlint in place of the process."""


class Step(NamedTuple):
    """A function of errlint on the stack."""

    frame: int
    module: str
    function: str

    @property
    def name(self) -> str:
        return f"{self.module}.{self.function}"


def main() -> int:
    argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter).parse_args()
    results = []
    for number, way in enumerate(WAYS):
        with tempfile.TemporaryDirectory() as folder:
            lines = subprocess.run(
                [sys.executable, __file__],
                cwd=make(Path(folder)),
                env={**os.environ, "ERRLINT_WALK": str(number)},
                capture_output=True,
                text=True,
                check=False,
            )
        print(f"{way.name}:\n{lines.stderr}", end="")
        results.append(lines.returncode)
    return max(results)


def make(folder: Path) -> Path:
    """Make a repository with one file that has one error return."""
    (folder / "server.py").write_text(SERVER, encoding="utf-8")
    (folder / "pyproject.toml").write_text('[project]\nname = "notes"\n', encoding="utf-8")
    author = ("-c", "user.name=walk", "-c", "user.email=walk@example.org")
    for command in (("init", "-q"), ("add", "-A"), (*author, "commit", "-qm", "notes")):
        subprocess.run(["git", *command], cwd=folder, check=True)
    return folder


def walk(way: Way) -> int:
    """Run errlint in the working folder and print the modules entered, to stderr; 0 where the limit is kept."""
    reached: list[Sequence[Step]] = []

    def profile(frame: FrameType, event: str, _: object) -> None:
        if event == "call" and name_of(frame) in way.stations:
            reached.append(stack(frame, way.whole))

    def leave(status: int) -> NoReturn:
        raise Left(status)

    sys.argv = ["errlint", *way.arguments]
    from errlint.cli import run_and_leave

    os._exit = leave
    sys.setprofile(profile)
    try:
        run_and_leave()
    except Left:
        sys.setprofile(None)
    return told(way, reached)


def told(way: Way, reached: Sequence[Sequence[Step]]) -> int:
    met = {steps[-1].name for steps in reached}
    missed = [station for station in way.stations if station not in met]
    entered: list[str] = []
    returns: list[str] = []
    known: set[Step] = set()
    first = way.stations[0]
    for steps in reached:
        before = ""
        for step in behind(steps, first):
            if step not in known and step.module != before:
                if step.module in entered:
                    returns.append(step.name)
                entered.append(step.module)
                print(f"  {step.name}", file=sys.stderr)
            known.add(step)
            before = step.module
    again = f": {', '.join(returns)}" if returns else ""
    print(f"  {len(entered)} modules entered, {len(returns)} returns{again} (limit {LIMIT})", file=sys.stderr)
    for station in missed:
        print(f"  {station} was not reached", file=sys.stderr)
    return 1 if missed or len(returns) > LIMIT else 0


def behind(steps: Sequence[Step], first: str) -> Sequence[Step]:
    """Return what a stack has from the first station on, or behind the command line where that is not on it."""
    for index, step in enumerate(steps):
        if step.name == first:
            return steps[index:]
    return [step for step in steps if step.module != "cli"]


def stack(frame: FrameType | None, whole: str) -> list[Step]:
    """Return the functions of errlint on the stack, the outermost first; what ``whole`` calls is left out."""
    found: list[Step] = []
    while frame is not None:
        if name := name_of(frame):
            function = qualified(frame)
            found.append(Step(id(frame), name.removesuffix(f".{function}"), function))
            if name == whole:
                del found[:-1]
        frame = frame.f_back
    return found[::-1]


def name_of(frame: FrameType) -> str:
    """Return module and function of a frame, without the name of the package; "" for what is not errlint's."""
    module = str(frame.f_globals.get("__name__", ""))
    return f"{module.removeprefix(PREFIX)}.{qualified(frame)}" if module.startswith(PREFIX) else ""


def qualified(frame: FrameType) -> str:
    """Return the name of a function with that of its class."""
    name: str = getattr(frame.f_code, "co_qualname", frame.f_code.co_name)
    return name


if __name__ == "__main__":
    asked = os.environ.get("ERRLINT_WALK")
    sys.exit(main() if asked is None else walk(WAYS[int(asked)]))
