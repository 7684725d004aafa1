"""A fix, or an undo, that is killed between two of its renames: it is held there, so that the kill always hits."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="a process cannot be killed like that")

OLD = """\
from fastmcp import FastMCP

mcp = FastMCP("{0}")


@mcp.tool()
def get_{0}() -> dict:
    return {{"error": "no such thing"}}
"""
FIX = ("--add-ignore", "clients read this")
FILES = ("a.py", "b.py", "pkg/c.py")
HELD = """\
import os, sys

number, rename = int(sys.argv.pop(1)), os.replace
done = []

def held(source, target, **options):
    rename(source, target, **options)
    if str(target).endswith(".py"):
        done.append(target)
        if len(done) == number:
            print("held", flush=True)
            sys.stdin.read()

os.replace = held
from errlint.cli import main
main()
"""


def errlint(root: Path, *arguments: str) -> None:
    command = [sys.executable, "-m", "errlint", "-q", *arguments]
    if arguments[0] == "undo":
        command.remove("-q")
    done = subprocess.run(command, cwd=root, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


def killed(root: Path, number: int, *arguments: str) -> None:
    """Start errlint and kill it when it has put so many files in their places."""
    command = [sys.executable, "-c", HELD, str(number), *arguments]
    with subprocess.Popen(command, cwd=root, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout
        assert process.stdout.readline() == "held\n"
        process.kill()


def contents(root: Path) -> list[str]:
    """Return the fixed files; there is no other file."""
    left = {path.relative_to(root).as_posix() for path in root.rglob("*") if path.is_file()}
    assert {name for name in left if not name.startswith(".errlint_")} == {*FILES, "errlint.toml"}
    return [(root / name).read_text() for name in FILES]


@pytest.mark.parametrize("number", [1, 2, 3])
@pytest.mark.parametrize("action", ["fix", "undo"])
@pytest.mark.parametrize("again", ["fix", "undo"])
def test_a_fix_that_is_killed_between_two_renames_is_brought_to_its_end(
    again: str, action: str, number: int, tmp_path: Path
) -> None:
    (tmp_path / "pkg").mkdir()
    (tmp_path / "errlint.toml").write_text("")
    for name in FILES:
        (tmp_path / name).write_text(OLD.format(Path(name).stem))
    old = contents(tmp_path)
    new = [text.replace('thing"}', 'thing"}  # errlint: ignore[ERR101] clients read this') for text in old]
    if action == "undo":
        errlint(tmp_path, *FIX)
        assert contents(tmp_path) == new
    killed(tmp_path, number, *(FIX if action == "fix" else ("undo",)))
    changed = [path.read_text() in new for path in map(tmp_path.joinpath, FILES)]
    assert changed.count(action == "fix") == number
    errlint(tmp_path, *(FIX if again == "fix" else ("undo",)))
    assert contents(tmp_path) == (new if again == "fix" else old)
