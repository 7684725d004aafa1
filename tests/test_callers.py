"""Tests are read as callers of functions that raise: what is reported in them, and when."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from errlint.cli import main

RAISES = """\
from fastmcp import FastMCP

mcp = FastMCP("orders")


class OrderNotFoundError(Exception):
    pass


@mcp.tool()
def get_order(order_id: str) -> dict:
    if not order_id:
        raise OrderNotFoundError(order_id)
    return {"order": order_id}
"""
RETURNS = RAISES.replace("raise OrderNotFoundError(order_id)", 'return {"error": order_id}')
TEST = """\
from server import get_order


def test_unknown():
    assert "error" in get_order("")
"""
FOUND = ["tests/test_server.py:5:5: ERR108"]

Report = Callable[..., list[str]]


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "errlint.toml").write_text("")
    (tmp_path / "server.py").write_text(RAISES)
    (tmp_path / "tests").mkdir()
    (tmp_path / "tests/test_server.py").write_text(TEST)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def report(capsys: pytest.CaptureFixture[str]) -> Report:
    def run(*arguments: str) -> list[str]:
        with pytest.raises(SystemExit):
            main(["--output-format", "concise", *arguments])
        lines = capsys.readouterr().out.splitlines()
        return [" ".join(line.split()[:2]) for line in lines if "ERR" in line]

    return run


def test_a_test_is_reported_with_and_without_what_the_cache_knows(project: Path, report: Report) -> None:
    assert [report("--no-cache"), report(), report()] == [FOUND, FOUND, FOUND]


def test_a_test_is_judged_anew_when_the_function_changes(project: Path, report: Report) -> None:
    assert report() == FOUND
    (project / "server.py").write_text(RETURNS)
    assert report("--select", "ERR108") == []
    (project / "server.py").write_text(RAISES)
    assert report() == FOUND


def test_a_test_is_judged_anew_when_it_changes(project: Path, report: Report) -> None:
    assert report() == FOUND
    (project / "tests/test_server.py").write_text(TEST.replace('"error" in', '"error" not in'))
    assert report() == []
    (project / "tests/test_server.py").write_text("\n" + TEST)
    assert report() == ["tests/test_server.py:6:5: ERR108"]


def test_what_a_file_is_can_change_with_the_settings(project: Path, report: Report) -> None:
    assert report() == FOUND
    (project / "errlint.toml").write_text("tests = []\n")
    assert report() == FOUND
    (project / "errlint.toml").write_text("")
    assert report() == FOUND


@pytest.mark.parametrize(
    ("paths", "expected"),
    [
        pytest.param(["tests/test_server.py"], FOUND, id="the test is named"),
        pytest.param(["tests"], FOUND, id="its folder is named"),
        pytest.param(["server.py"], [], id="another file is named"),
        pytest.param(["--ignore", "ERR108"], [], id="the rule is off"),
        pytest.param(["--per-file-ignores", "tests/**:ERR108"], [], id="the rule is ignored in tests"),
    ],
)
def test_a_finding_in_a_test_is_shown_where_it_is_asked_for(
    project: Path, report: Report, paths: list[str], expected: list[str]
) -> None:
    assert report(*paths) == expected


@pytest.mark.parametrize(
    ("setting", "expected"),
    [
        pytest.param('include = ["server.py"]', [], id="not included"),
        pytest.param('include = ["tests/**"]', FOUND, id="included"),
        pytest.param('extend-exclude = ["tests"]', [], id="excluded"),
    ],
)
def test_a_test_is_reported_where_the_settings_say(
    project: Path, report: Report, setting: str, expected: list[str]
) -> None:
    (project / "errlint.toml").write_text(setting + "\n")
    assert report() == expected


def test_a_comment_hides_a_finding_in_a_test(project: Path, report: Report) -> None:
    comment = '    assert "error" in get_order("")  # errlint: ignore[ERR108] kept on purpose'
    (project / "tests/test_server.py").write_text(TEST.replace('    assert "error" in get_order("")', comment))
    assert report() == []


def test_no_other_rule_speaks_of_a_test(project: Path, report: Report) -> None:
    adapter = '\n\n@mcp.tool()\ndef broken() -> dict:\n    return {"error": "no"}\n'
    (project / "tests/test_server.py").write_text(TEST + adapter)
    assert report("--select", "ALL") == FOUND
