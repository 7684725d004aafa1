"""Fixes in a project of several distributions: each is planned by itself, and told as if one had looked at all."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import NamedTuple

import pytest
from command_line import Done, Run

from errlint import workers
from errlint.fix import run, shares
from errlint.fix.snapshot import Snapshot

SERVER = '''\
"""A server."""

from fastmcp import FastMCP
from fastmcp.exceptions import ToolError

mcp = FastMCP("{name}")


@mcp.tool()
def find_{name}(key: str) -> dict:
    """Find a thing."""
    if not key:
        return {{"error": "no key is given"}}
    return {{"key": key}}


@mcp.tool()
def sell_{name}(count: int) -> dict:
    """Sell things."""
    if count < 1:
        return {{"error": {{"what": count}}}}
    return {{"sold": count}}
'''
TEST = """\
from {package}.server import find_{name}


def test_find():
    assert "error" in find_{name}("")
"""
NAMES = ("books", "games", "toys")

on_linux = pytest.mark.skipif(sys.platform != "linux", reason="processes are forked on Linux alone")


@pytest.fixture(autouse=True)
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "errlint.toml").write_text("")
    for name in NAMES:
        folder = tmp_path / name
        (folder / f"{name}_server").mkdir(parents=True)
        (folder / "tests").mkdir()
        (folder / "pyproject.toml").touch()
        (folder / f"{name}_server" / "__init__.py").touch()
        (folder / f"{name}_server" / "server.py").write_text(SERVER.format(name=name))
        (folder / "tests" / f"test_{name}.py").write_text(TEST.format(package=f"{name}_server", name=name))
    monkeypatch.setattr(workers, "ENOUGH_WORK", 1)
    return tmp_path


def fixed(errlint: Run, *options: str) -> Done:
    return errlint("check", "--no-cache", "--fix", "--unsafe-fixes", "--diff", *options)


def test_each_distribution_is_fixed(errlint: Run) -> None:
    status, out, err = fixed(errlint, "-j1")
    assert status == 1
    for name in NAMES:
        assert f"+++ {name}/{name}_server/server.py" in out
        assert f"+++ {name}/tests/test_{name}.py" in out
    assert "3 fixable in 6 files" in err
    assert "3 refused" in err


@on_linux
@pytest.mark.parametrize("options", [(), ("--output-format", "json")])
def test_several_processes_plan_what_one_does(errlint: Run, options: tuple[str, ...]) -> None:
    assert fixed(errlint, "-j2", *options) == fixed(errlint, "-j1", *options)


@on_linux
def test_all_files_are_written_at_once(errlint: Run, project: Path) -> None:
    before = {path: path.read_text() for path in project.rglob("*.py")}
    told = errlint("check", "--no-cache", "--fix-only", "--unsafe-fixes", "-j2")
    assert "3 fixed in 6 files" in told.err
    assert errlint("undo").status == 0
    assert {path: path.read_text() for path in project.rglob("*.py")} == before


@on_linux
def test_a_distribution_whose_process_dies_is_planned_again(errlint: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    alone = fixed(errlint, "-j1")
    main, propose = os.getpid(), run.propose

    def dying(snapshot: Snapshot, *given: object, **options: object) -> object:
        if os.getpid() != main and snapshot.owns("games/tests/test_games.py"):
            os._exit(1)
        return propose(snapshot, *given, **options)  # type: ignore[arg-type]

    monkeypatch.setattr(run, "propose", dying)
    assert fixed(errlint, "-j2") == alone


@on_linux
def test_each_distribution_is_planned_by_a_process_that_has_planned_no_other(
    errlint: Run, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    told, propose = tmp_path_factory.mktemp("told") / "processes", run.propose

    def telling(snapshot: Snapshot, *given: object, **options: object) -> object:
        with told.open("a") as file:
            file.write(f"{os.getpid()} {sorted(snapshot.distributions or ())}\n")
        return propose(snapshot, *given, **options)  # type: ignore[arg-type]

    monkeypatch.setattr(run, "propose", telling)
    fixed(errlint, "-j2")
    passes = set(told.read_text().splitlines())
    assert len(passes) == len({line.split()[0] for line in passes}) == len(NAMES)


class Work(NamedTuple):
    """A piece of work."""

    path: str
    size: int
    number: int = 0


def test_half_of_the_processes_take_small_shares_while_the_others_take_large_ones() -> None:
    pieces = [Work(str(size), size) for size in (9, 1, 8, 2, 2, 3, 4, 1)]
    taken = [piece.size for (piece,) in shares.large_with_small(pieces, 2)]
    assert taken == [9, 1, 1, 2, 2, 3, 8, 4]


@on_linux
def test_what_goes_wrong_in_another_process_is_told(errlint: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def failing(*_: object, **__: object) -> object:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(run, "propose", failing)
    status, _, err = fixed(errlint, "-j2")
    assert (status, "No space left on device" in err) == (2, True)


@on_linux
@pytest.mark.parametrize("jobs", ["-j1", "-j2"])
def test_distributions_are_fixed_together_where_one_needs_a_file_of_another(
    errlint: Run, project: Path, jobs: str
) -> None:
    """The tests of the books are those of the games too, and each of both is to be changed in them."""
    (project / "books" / "tests" / "test_books.py").unlink()
    both = TEST.format(package="books_server", name="books")
    both += TEST.format(package="games_server", name="games").replace("test_find", "test_find_too")
    (project / "games" / "tests" / "test_games.py").write_text(both)
    told = errlint("check", "--no-cache", "--fix-only", "--unsafe-fixes", jobs)
    assert "3 fixed in 5 files" in told.err
    assert (project / "games" / "tests" / "test_games.py").read_text().count("pytest.raises(") == 2


def test_the_exception_of_a_distribution_is_raised_in_no_other(errlint: Run, project: Path) -> None:
    """Nothing says that they are installed together."""
    own = 'class StockError(ToolError):\n    """Base of all errors."""\n\n\n@mcp.tool()\ndef find'
    server = project / "books" / "books_server" / "server.py"
    server.write_text(server.read_text().replace("@mcp.tool()\ndef find", own, 1))
    status, out, _ = fixed(errlint, "-j1")
    assert status == 1
    assert "books_server" not in "".join(part for part in out.split("--- ") if not part.startswith("books/"))


CODED = """

class GoneError(Exception):
    error_code = "GONE"


def checked(key: str) -> str:
    raise GoneError(key)
"""


def test_a_code_that_a_test_of_another_distribution_spoke_of_asks_for_a_test(errlint: Run, project: Path) -> None:
    (project / "errlint.toml").write_text('extend-select = ["ERR310"]\n')
    server = project / "books" / "books_server" / "server.py"
    server.write_text(server.read_text() + CODED)
    test = project / "toys" / "tests" / "test_toys.py"
    test.write_text(test.read_text().replace('("")\n', '("")  # noqa: GONE\n'))
    assert "1 of them now asks for a test" in fixed(errlint).err
