"""Tests decide about ERR310 by what stands in them, also when only a test has changed."""

from __future__ import annotations

from pathlib import Path

import pytest

from errlint.request import Request
from errlint.run import check
from errlint.settings import CommandLine, load

ERRORS = """\
from fastmcp import FastMCP

mcp = FastMCP("orders")


class ErrorCode:
    NOT_FOUND = "not-found"
    OLD = "old"


@mcp.tool()
def get_order(order_id):
    raise LookupError(ErrorCode.NOT_FOUND)
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "errlint.toml").write_text("")
    (tmp_path / "errors.py").write_text(ERRORS)
    (tmp_path / "tests").mkdir()
    return tmp_path


def reported(project: Path) -> list[str]:
    settings = load(project, overrides=CommandLine(select=("ERR310",))).settings
    return [f"{found.path}:{found.span.line}" for found in check(Request(settings)).findings]


def test_a_mention_that_comes_and_goes_is_seen_with_the_cache(project: Path) -> None:
    test = project / "tests/test_errors.py"
    assert reported(project) == []
    test.write_text("def test_nothing(): ...\n")
    assert reported(project) == reported(project) == ["errors.py:7"]
    test.write_text('def test_missing(): assert "not-found"\n')
    assert reported(project) == reported(project) == []
    test.unlink()
    (project / "tests/test_other.py").write_text("def test_nothing(): ...\n")
    assert reported(project) == ["errors.py:7"]


def test_tests_of_another_distribution_are_no_tests_of_this_one(project: Path) -> None:
    for name in ("one", "two"):
        (project / name).mkdir()
        (project / name / "pyproject.toml").write_text("[project]\nname = 'x'\n")
        (project / name / "errors.py").write_text(ERRORS)
    (project / "errors.py").unlink()
    (project / "one/test_errors.py").write_text("def test_nothing(): ...\n")
    assert reported(project) == ["one/errors.py:7"]


def test_a_test_that_cannot_be_read_is_left_out(project: Path) -> None:
    test = project / "tests/test_errors.py"
    test.write_bytes(b"\xff\xfe NOT_FOUND \0")
    assert reported(project) == []
    test.write_bytes(b"\xff\xfe nothing \0")
    assert reported(project) == ["errors.py:7"]
