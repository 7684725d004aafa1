"""Groups that several processes look at: the report is that of one process, whatever becomes of them."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest
from command_line import Run

from errlint import workers
from errlint.checks import check_file
from errlint.project import Project

SERVER = """\
from fastmcp import FastMCP
{imports}

mcp = FastMCP("orders")


@mcp.tool()
def get_order(key: str) -> dict:
    return {answer}
"""
FILES = {
    "errlint.toml": 'extend-select = ["ERR5"]\n',
    "one/server.py": SERVER.format(imports="from answers import failed", answer="failed(key)"),
    "two/answers.py": 'def failed(text):\n    return {"error": text}\n',
    "three/server.py": SERVER.format(imports="", answer='{"error": key}'),
    "four/server.py": SERVER.format(imports="", answer='{"error": key, "code": 1}'),
    "five/server.py": "def (",
}

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="processes are forked on Linux alone")


@pytest.fixture(autouse=True)
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for path, text in FILES.items():
        (tmp_path / path).parent.mkdir(exist_ok=True)
        (tmp_path / path).write_text(text)
        if "/" in path:
            (tmp_path / path).with_name("pyproject.toml").touch()
    monkeypatch.setattr(workers, "ENOUGH_WORK", 1)


def report(errlint: Run, *options: str) -> object:
    return errlint("check", "--output-format", "json", *options)


def test_several_processes_say_what_one_does(errlint: Run) -> None:
    alone = report(errlint, "--no-cache", "-j1")
    assert report(errlint, "--no-cache", "-j2") == report(errlint, "-j2") == report(errlint, "-j2") == alone


CODED = """\

class {name}(Exception):
    error_code = "{code}"


def checked(key: str) -> str:
    raise {name}(key)
"""


def test_tests_of_all_groups_are_asked_for_codes(errlint: Run, tmp_path: Path) -> None:
    (tmp_path / "errlint.toml").write_text('select = ["ERR310"]\n')
    for folder, name, code in (("one", "OrderError", "ORDER"), ("four", "StockError", "STOCK")):
        with (tmp_path / folder / "server.py").open("a") as file:
            file.write(CODED.format(name=name, code=code))
    for folder, word in (("one", "key"), ("three", "ORDER"), ("four", "key")):
        (tmp_path / folder / "tests").mkdir()
        (tmp_path / folder / "tests" / "test_server.py").write_text(f"assert {word!r}\n")
    alone = report(errlint, "--no-cache", "-j1")
    assert report(errlint, "--no-cache", "-j2") == report(errlint, "-j2") == report(errlint, "-j2") == alone
    shown = errlint("check", "--no-cache", "-j2", "--output-format", "concise").out
    assert "StockError" in shown
    assert "OrderError" not in shown


def test_what_they_have_read_is_kept(errlint: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    alone = report(errlint, "-j2")
    for run in (tmp_path / ".errlint_cache").glob("run-*"):
        run.unlink()
    monkeypatch.setattr(workers, "look", None)  # so no file can be read
    assert report(errlint, "-j2") == alone


def test_the_group_of_a_process_that_dies_is_looked_at_again(errlint: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    alone = report(errlint, "--no-cache", "-j1")
    main = os.getpid()

    def dying(project: Project, path: str, *used: set[tuple[int, str]]) -> object:
        if os.getpid() != main and path == "three/server.py":
            os._exit(1)
        return check_file(project, path, *used)

    monkeypatch.setattr("errlint.pipeline.check_file", dying)
    assert report(errlint, "--no-cache", "-j2") == alone
