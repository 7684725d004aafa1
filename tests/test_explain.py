"""``errlint explain`` tells what became of a line."""

from __future__ import annotations

from pathlib import Path

import pytest

from errlint.cli import main

SERVER = """\
from fastmcp import FastMCP
from helpers import lookup

mcp = FastMCP("orders")


@mcp.tool()
def get_order(order_id: str) -> dict:
    if not order_id:
        return {"error": "no order given"}  # errlint: ignore[ERR101] the client asks for it
    return lookup(order_id)
"""
HELPERS = """\
def lookup(order_id):
    if order_id == "0":
        return {"error": "no such order"}
    return {"order": order_id}


def per_item(order_id):
    return {"order": order_id, "error": "gone"}


def all_items(ids):
    return [per_item(order_id) for order_id in ids]
"""


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "pyproject.toml").write_text("[project]\nname = 'orders'\n")
    (tmp_path / "server.py").write_text(SERVER)
    (tmp_path / "helpers.py").write_text(HELPERS)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize(
    ("place", "lines"),
    [
        pytest.param(
            "server.py:10",
            [
                "function      get_order (line 8)",
                "adapter       yes",
                "form          an error payload (ERR101); told by error",
                "(suppressed by a comment)",
            ],
            id="a suppressed payload in an adapter",
        ),
        pytest.param(
            "helpers.py:3",
            [
                "adapter       no; adapter code, through get_order",
                "caller        server.py:11 in get_order (returned)",
                "finding       ERR101",
            ],
            id="a payload in a helper that an adapter returns",
        ),
        pytest.param(
            "helpers.py:8",
            ["callers       all of them make its result a part of something bigger", "finding       none"],
            id="a worker for one item of several",
        ),
        pytest.param("helpers.py:4", ["form          not an error form", "finding       none"], id="a success"),
    ],
)
def test_a_line_is_explained(place: str, lines: list[str], project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stopped:
        main(["explain", place])
    assert stopped.value.code == 0
    printed = capsys.readouterr().out
    for line in lines:
        assert line in printed


def test_a_test_file_is_told_apart(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (project / "test_server.py").write_text("x = 1\n")
    with pytest.raises(SystemExit) as stopped:
        main(["explain", "test_server.py:1"])
    assert stopped.value.code == 2
    assert "it is a test, excluded or ignored" in capsys.readouterr().err
