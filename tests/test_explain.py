"""``errlint explain`` tells what became of a line."""

from __future__ import annotations

import subprocess
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


@pytest.mark.parametrize(
    ("place", "why"),
    [
        pytest.param("helpers.py:900", "there is no line 900 (the last one is ", id="a line behind the end"),
        pytest.param("test_server.py:1", "it is a test, by `test_*.py` of `tests`", id="a test"),
        pytest.param("build/a.py:1", "it is excluded, by `build` of `exclude`", id="an excluded file"),
        pytest.param("notes.txt:1", "it is not Python", id="another language"),
        pytest.param("build:1", "it is a folder (write FILE:LINE)", id="a folder"),
        pytest.param("ignored.py:1", "git ignores it", id="a file that git ignores"),
        pytest.param("tool.py:1", "no pattern of `include` is about it", id="a file that is not included"),
    ],
)
def test_what_is_not_reported_on_is_refused(
    place: str, why: str, project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    config = "include = ['/*.py', '!tool.py']\nextend-exclude = ['build']\n"
    files = {"test_server.py": "import pytest\n", "build/a.py": "x = 1\n", "notes.txt": "x\n", "ignored.py": "x = 1\n"}
    for name, text in {**files, "tool.py": "x = 1\n", ".gitignore": "ignored.py\n", "errlint.toml": config}.items():
        (project / name).parent.mkdir(exist_ok=True)
        (project / name).write_text(text, encoding="utf-8")
    subprocess.run(["git", "init", "-q", str(project)], check=True)
    with pytest.raises(SystemExit) as stopped:
        main(["explain", place])
    assert stopped.value.code == 2
    assert why in capsys.readouterr().err


def test_a_reason_that_no_caller_answers_as_it_is_is_explained(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (project / "names.py").write_text(
        "from fastmcp import FastMCP\n\nmcp = FastMCP('names')\n\n\ndef problem(name):\n    if not name:\n"
        "        return 'Invalid name'\n    return None\n\n\n@mcp.tool()\ndef read(name):\n    found = problem(name)\n"
        "    if found:\n        return f'Error: {found}'\n    return name\n",
        encoding="utf-8",
    )
    with pytest.raises(SystemExit):
        main(["explain", "names.py:8"])
    printed = capsys.readouterr().out
    assert "callers       none answers the reason that it tells as it is" in printed
    assert "finding       none" in printed


DOCUMENT = """\
# Errors

| Code | Message |
|---|---|
| `NO_ORDER` | There is no such order |
| `LOCKED` | Order is being locked by someone else |
| `GONE` | It has left |
| `LATER` | Reserved |
"""
CODES = """\
from enum import Enum

from fastmcp import FastMCP

mcp = FastMCP("codes")


class Code(str, Enum):
    NO_ORDER = "NO_ORDER"
    LOCKED = "LOCKED"


class OrderError(Exception):
    def __init__(self, message: str, code: Code) -> None:
        super().__init__(message)
        self.code = code


@mcp.tool
def get(order: str) -> dict:
    if not order:
        raise OrderError("There is no such order", code=Code.NO_ORDER)
    if order == "x":
        raise OrderError(f"Order {order} is locked by another user", code=Code.LOCKED)
    return {}
"""


@pytest.fixture
def documented(project: Path) -> Path:
    (project / "docs").mkdir()
    (project / "docs" / "errors.md").write_text(DOCUMENT, encoding="utf-8")
    (project / "codes.py").write_text(CODES, encoding="utf-8")
    (project / "errlint.toml").write_text("[catalog]\nfiles = ['docs/errors.md']\n", encoding="utf-8")
    return project


@pytest.mark.parametrize(
    ("line", "told"),
    [
        (1, ["entry         none at this line, nor above it", "finding       none"]),
        (
            5,
            [
                "entry         the code `NO_ORDER` in line 5, below Errors",
                "  message     There is no such order (line 5)",
                "code          registered as NO_ORDER in codes.py:9",
                "used          codes.py:22",
                "error         codes.py:22 OrderError",
                "compared      the message in line 5: codes.py:22 says it",
                "finding       none",
            ],
        ),
        (
            6,
            [
                "compared      the message in line 6: codes.py:24 comes nearest: ",
                "finding       ERR503 in line 6: no error with the code `LOCKED` says ",
            ],
        ),
        (
            7,
            [
                "code          not registered or set by the code",
                "compared      no: the code has no error code `GONE`",
                "finding       ERR502 in line 7: the code has no error code `GONE`",
            ],
        ),
        (8, ["compared      no: it says itself that it is not raised", "finding       none"]),
    ],
    ids=["a title", "an entry that is right", "a message that differs", "a code that is not there", "a reserved one"],
)
def test_a_line_of_a_document_is_explained(
    line: int, told: list[str], documented: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as stopped:
        main(["explain", f"docs/errors.md:{line}"])
    assert stopped.value.code == 0
    said = capsys.readouterr().out.splitlines()
    assert said[0] == "file          docs/errors.md (a document of the catalog)"
    assert [each for each in told if not any(one.startswith(each) for one in said)] == []


@pytest.mark.parametrize(
    ("place", "why"),
    [
        ("docs/errors.md:80", "docs/errors.md: there is no line 80 (the last one is 8)"),
        ("notes.md:1", "notes.md: errlint compares no such document with the code (`catalog.files` has the globs of "),
    ],
    ids=["a line behind the end", "another document"],
)
def test_a_line_of_no_document_is_refused(
    place: str, why: str, documented: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (documented / "notes.md").write_text("x\n", encoding="utf-8")
    with pytest.raises(SystemExit) as stopped:
        main(["explain", place])
    assert stopped.value.code == 2
    assert why in capsys.readouterr().err
