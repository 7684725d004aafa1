"""Which files are reported on, and where what they call is looked up."""

from __future__ import annotations

from pathlib import Path

import pytest

from errlint.cli import main

SERVER = """\
from fastmcp import FastMCP
from pkg.helpers import problem

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


def lookup(order_id):
    if order_id == "0":
        return {"error": "no such order"}
    return {"order": order_id}
"""
ONLY_SERVER = 'include = ["pkg/server.py"]'
NOTHING = 'exclude = ["pkg"]'


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "pkg").mkdir()
    (tmp_path / "pkg" / "__init__.py").write_text("")
    (tmp_path / "pkg" / "server.py").write_text(SERVER)
    (tmp_path / "pkg" / "helpers.py").write_text(HELPERS)
    monkeypatch.chdir(tmp_path)
    return tmp_path


IN_SERVER = "pkg/server.py:10 ERR102"
IN_HELPERS = "pkg/helpers.py:7 ERR101"


@pytest.mark.parametrize(
    ("config", "arguments", "expected"),
    [
        pytest.param("", [], [IN_HELPERS, IN_SERVER], id="the whole project"),
        pytest.param("", ["pkg/server.py"], [IN_SERVER], id="a named file, its helper is read"),
        pytest.param(ONLY_SERVER, [], [IN_SERVER], id="only included files, helpers are read"),
        pytest.param(ONLY_SERVER, ["pkg/helpers.py"], [IN_HELPERS], id="named, though not included"),
        pytest.param(NOTHING, [], [], id="everything is excluded"),
        pytest.param(NOTHING, ["pkg/server.py"], [IN_SERVER], id="named, though excluded with its helper"),
        pytest.param(NOTHING, ["--force-exclude", "pkg/server.py"], [], id="exclusion is forced"),
        pytest.param(NOTHING, ["pkg"], [IN_HELPERS, IN_SERVER], id="an excluded folder"),
    ],
)
def test_the_files_of_a_run(
    config: str, arguments: list[str], expected: list[str], project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (project / "errlint.toml").write_text(config)
    for cache in (["--no-cache"], [], []):
        assert found(capsys, *cache, *arguments) == expected


def found(capsys: pytest.CaptureFixture[str], *arguments: str) -> list[str]:
    """Return what a run reports: file, line and rule."""
    with pytest.raises(SystemExit):
        main(["check", "-q", "--output-format", "concise", *arguments])
    lines = capsys.readouterr().out.splitlines()
    return [f"{line.split(':')[0]}:{line.split(':')[1]} {line.split()[1]}" for line in lines]


def test_a_helper_is_looked_up_that_a_module_can_do_without(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    optional = "try:\n    from pkg.helpers import problem\nexcept ImportError:\n    problem = None\n"
    (project / "pkg/server.py").write_text(SERVER.replace("from pkg.helpers import problem\n", optional))
    assert found(capsys, "--no-cache") == [IN_HELPERS, IN_SERVER.replace(":10", ":13")]


def test_a_helper_is_looked_up_beside_a_script(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Who starts Python with a file of a folder that is no package imports what stands beside it."""
    (project / "pkg/__init__.py").unlink()
    (project / "pkg/server.py").write_text(SERVER.replace("pkg.helpers", "helpers"))
    assert found(capsys, "--no-cache") == [IN_HELPERS, IN_SERVER]
