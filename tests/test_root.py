"""The project a run is about is that of the working directory, whatever file, folder or configuration is named."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest

from errlint.cli import main

SERVER = """\
from fastmcp import FastMCP
from shop.helpers import problem

mcp = FastMCP("orders")


@mcp.tool()
def get_order(order_id: str) -> dict:
    if not order_id:
        return problem("no order given")
    return {"order": order_id}
"""
HELPERS = """\
def problem(text):
    return {"error": text}
"""
FOUND = "shop/server.py:10:9: ERR102"


class Done(NamedTuple):
    """What a command printed, and its status."""

    status: object
    out: str
    err: str


Run = Callable[..., Done]


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    """A project that neither git nor a configuration marks, in a folder of its own."""
    root = tmp_path / "work"
    (root / "shop").mkdir(parents=True)
    (root / "shop/__init__.py").write_text("")
    (root / "shop/server.py").write_text(SERVER)
    (root / "shop/helpers.py").write_text(HELPERS)
    return root


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    def command(cwd: Path, *arguments: str) -> Done:
        monkeypatch.chdir(cwd)
        with pytest.raises(SystemExit) as stopped:
            main(arguments)
        captured = capsys.readouterr()
        return Done(stopped.value.code, captured.out, captured.err)

    return command


def check(run: Run, cwd: Path, *arguments: str) -> Done:
    return run(cwd, "check", "--no-cache", "-q", "--output-format", "concise", *arguments)


def test_a_named_file_is_reported_as_in_a_run_on_everything(shop: Path, run: Run) -> None:
    everything = check(run, shop)
    assert everything.out.startswith(FOUND)
    for named in ("shop/server.py", "shop", "./shop/../shop/server.py", str(shop / "shop/server.py"), "."):
        assert check(run, shop, named) == everything


def test_explain_looks_at_a_line_as_a_run_does(shop: Path, run: Run) -> None:
    told = run(shop, "explain", "shop/server.py:10").out
    assert "module shop.server" in told
    assert "finding       ERR102" in told


def test_the_standard_input_is_looked_at_as_the_file_it_stands_for(
    shop: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    import io
    import sys

    stdin = io.TextIOWrapper(io.BytesIO(SERVER.replace("mcp =", "\nmcp =").encode()))
    monkeypatch.setattr(sys, "stdin", stdin)
    assert check(run, shop, "--stdin-filename", "shop/server.py", "-").out.startswith(FOUND.replace(":10:", ":11:"))


@pytest.mark.parametrize("command", [["check"], ["explain"], ["check", "--fix"], ["check", "--show-files"]])
def test_a_path_outside_of_the_project_is_refused_with_what_to_do(
    command: list[str], shop: Path, run: Run, tmp_path: Path
) -> None:
    (tmp_path / "other.py").write_text(SERVER)
    path = "../other.py:10" if command == ["explain"] else "../other.py"
    done = run(shop, *command, path)
    assert (done.status, done.out) == (2, "")
    assert done.err == (
        f"errlint: error: {tmp_path}/other.py: is not in the project "
        f"(the project is {shop}; run errlint in the folder of the other one)\n"
    )


def test_the_standard_input_of_a_file_outside_of_the_project_is_refused(
    shop: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    import io
    import sys

    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(SERVER.encode())))
    assert "is not in the project" in check(run, shop, "--stdin-filename", "../other.py", "-").err


def test_a_folder_with_the_same_beginning_is_outside(shop: Path, run: Run) -> None:
    beside = shop.with_name("workshop")
    beside.mkdir()
    assert "is not in the project" in check(run, shop, str(beside)).err


def test_a_path_through_a_link_to_the_project_is_inside(shop: Path, run: Run, tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(shop)
    assert check(run, shop, str(tmp_path / "link/shop/server.py")).out.startswith(FOUND)


def test_a_configuration_from_elsewhere_holds_for_the_project(shop: Path, run: Run, tmp_path: Path) -> None:
    """Its globs mean the project's files, and nothing beside it is looked at."""
    (tmp_path / "team").mkdir()
    (tmp_path / "team/errlint.toml").write_text('include = ["shop/server.py"]\ncache-dir = "build/errlint"\n')
    (tmp_path / "team/stray.py").write_text(SERVER)
    done = run(shop, "check", "-q", "--output-format", "concise", "--config", "../team/errlint.toml")
    assert done.out.startswith(FOUND)
    assert (shop / "build/errlint/CACHEDIR.TAG").exists()
    assert sorted(path.name for path in (tmp_path / "team").iterdir()) == ["errlint.toml", "stray.py"]
    shown = run(shop, "check", "--show-files", "--config", "../team/errlint.toml")
    assert shown.out == "shop/server.py\n"


def test_a_convention_is_looked_for_beside_the_file_that_names_it(shop: Path, run: Run, tmp_path: Path) -> None:
    (tmp_path / "team").mkdir()
    (tmp_path / "team/errlint.toml").write_text('convention = "./house.toml"\n')
    (tmp_path / "team/house.toml").write_text('[severity]\nERR102 = "info"\n')
    assert check(run, shop, "--config", "../team/errlint.toml").status == 0


def test_the_root_is_told_with_its_reason(shop: Path, run: Run) -> None:
    assert run(shop, "check", "--show-settings").out.startswith(f"# root: {shop} (working directory)\n")
    (shop / "setup.cfg").write_text("")
    told = run(shop / "shop", "check", "--show-settings").out
    assert told.startswith(f"# root: {shop} (folder of setup.cfg)\n")


@pytest.mark.parametrize("command", [["check"], ["catalog", "show"], ["init"]])
def test_a_home_folder_that_nothing_marks_is_not_read_whole(
    command: list[str], shop: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(shop))
    done = run(shop, *command)
    assert (done.status, done.out) == (2, "")
    assert done.err == (
        f"errlint: error: the working directory {shop} is no project (name files or folders; `.` is everything in it)\n"
    )


def test_a_home_folder_is_read_where_it_is_named_or_marked(
    shop: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(shop))
    assert check(run, shop, ".").out.startswith(FOUND)
    (shop / "errlint.toml").write_text("")
    assert check(run, shop).out.startswith(FOUND)


def test_a_named_path_in_a_home_folder_is_looked_at_with_its_own_project(
    shop: Path, run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A configuration that cannot be understood, in another project of the user, has nothing to do with it."""
    monkeypatch.setenv("HOME", str(tmp_path))
    (tmp_path / "other").mkdir()
    (tmp_path / "other/errlint.toml").write_text("nonsense = 1")
    assert "nonsense" in check(run, tmp_path, ".").err
    assert check(run, tmp_path, "work/shop/server.py").out.startswith(f"work/{FOUND}")
    assert check(run, tmp_path, "work").out.startswith(f"work/{FOUND}")
    (tmp_path / "alone.py").write_text(SERVER.replace("shop.helpers", "beside"))
    (tmp_path / "beside.py").write_text(HELPERS)
    assert check(run, tmp_path, "alone.py").out.startswith("alone.py:10:9: ERR102")
    assert "ERR102" in run(tmp_path, "explain", "alone.py:10").out
    assert run(tmp_path, "check", "--diff", "alone.py").status == 0


def test_what_marks_a_project_in_a_home_folder_says_how_much_of_it_is_read(
    shop: Path, run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    (shop / "shop/tool.py").write_text(SERVER.replace("shop.helpers", "lib.answers"))
    (shop / "src/lib").mkdir(parents=True)
    (shop / "src/lib/answers.py").write_text(HELPERS)
    assert "tool.py" in check(run, tmp_path, "work/shop/tool.py").out
    (shop / "pyproject.toml").touch()
    (shop / "shop/pyproject.toml").touch()
    assert check(run, tmp_path, "work/shop/tool.py").out.startswith("work/shop/tool.py:10:9: ERR102")
