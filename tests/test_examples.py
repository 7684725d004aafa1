"""The bundled server works, and errlint reports about it what it should."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
from collections.abc import Awaitable, Callable
from importlib import import_module
from pathlib import Path
from typing import Any, TypeVar

import pytest
from fastmcp import Client
from fastmcp.exceptions import ToolError

from errlint.rules import RULES

T = TypeVar("T")
REPOSITORY = Path(__file__).resolve().parent.parent
SERVER = REPOSITORY / "examples" / "notes-server"


def ask(question: Callable[[Client[Any]], Awaitable[T]]) -> T:
    """Connect a client to the server, in memory, and return its answer."""

    async def answer() -> T:
        async with Client(import_module("notes_server.server").mcp) as client:
            return await question(client)

    return asyncio.run(answer())


def call(tool: str, **arguments: Any) -> Any:
    """Return what a client gets from a tool."""
    return ask(lambda client: client.call_tool(tool, arguments))


@pytest.fixture
def server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(SERVER / "src")
    monkeypatch.setenv("NOTES_DB", str(tmp_path / "notes.db"))


@pytest.fixture
def note(server: None) -> int:
    created: dict[str, int] = call("create_note", notebook="home", title="Milk", body="two bottles").data
    return created["id"]


def test_the_server_offers_its_tools(server: None) -> None:
    assert sorted(tool.name for tool in ask(lambda client: client.list_tools())) == [
        "attach_file",
        "check_health",
        "create_note",
        "delete_note",
        "export_notebook",
        "import_notes",
        "list_notes",
        "move_note",
        "read_note",
        "search_notes",
        "summarize_notebook",
        "tag_cloud",
        "update_note",
    ]


def test_a_note_can_be_read_searched_and_exported(note: int) -> None:
    assert call("read_note", note_id=note).data["title"] == "Milk"
    assert call("search_notes", query="bottle").data["total"] == 1
    assert call("export_notebook", notebook="home").data.content == "# Milk\n\ntwo bottles"


def test_a_raised_error_is_an_error_for_the_client(note: int) -> None:
    with pytest.raises(ToolError, match=r"\[note_not_found\] There is no note 99"):
        call("read_note", note_id=99)


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        pytest.param("search_notes", {"query": ""}, id="a factory in another module"),
        pytest.param("update_note", {"note_id": 1}, id="a payload at the return"),
        pytest.param("move_note", {"note_id": 1, "notebook": ""}, id="a shared factory"),
        pytest.param("delete_note", {"note_id": 99}, id="a sentence"),
        pytest.param("export_notebook", {"notebook": "empty"}, id="a model"),
        pytest.param("summarize_notebook", {"notebook": "empty"}, id="a dumped payload"),
    ],
)
def test_a_returned_error_is_a_success_for_the_client(tool: str, arguments: dict[str, Any], note: int) -> None:
    assert call(tool, **arguments).is_error is False


def test_the_tests_of_the_server_pass() -> None:
    environment = {**os.environ, "PYTHONPATH": str(SERVER / "src"), "PYTHONDONTWRITEBYTECODE": "1"}
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "tests"]
    run = subprocess.run(command, cwd=SERVER, env=environment, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stdout


def report(*options: str) -> list[str]:
    """``code path:line`` of what the command in the README reports about the server."""
    command = [
        sys.executable,
        "-m",
        "errlint",
        "examples/notes-server",
        "--no-cache",
        "--output-format",
        "json",
    ]
    run = subprocess.run([*command, *options], cwd=REPOSITORY, capture_output=True, text=True, check=False)
    assert (run.returncode, run.stderr) == (1, "")
    return [
        f"{each['code']} {Path(each['filename']).name}:{each['location']['row']}" for each in json.loads(run.stdout)
    ]


DEFAULT = [
    "ERR105 files.py:15",
    "ERR105 files.py:18",
    "ERR105 files.py:21",
    "ERR105 files.py:37",
    "ERR106 responses.py:6",
    "ERR101 search.py:24",
    "ERR102 search.py:30",
    "ERR102 search.py:32",
    "ERR101 search.py:41",
    "ERR101 search.py:55",
    "ERR101 server.py:37",
    "ERR102 server.py:42",
    "ERR101 server.py:48",
    "ERR103 server.py:58",
    "ERR102 server.py:69",
    "ERR102 server.py:75",
    "ERR901 server.py:87",
    "ERR103 server.py:136",
    "ERR902 server.py:136",
]
ONLY_WHEN_ASKED = [
    "ERR104 files.py:29",
    "ERR107 files.py:15",
    "ERR112 server.py:60",
    "ERR113 server.py:48",
    "ERR903 server.py:145",
]


def test_the_default_rules_report_every_way_the_server_leaves_its_convention() -> None:
    assert report() == DEFAULT


def test_all_rules_report_the_remaining_ways() -> None:
    assert sorted(set(report("--select", "ALL")) - set(DEFAULT)) == sorted(ONLY_WHEN_ASKED)


def test_the_server_trips_every_rule_about_error_returns() -> None:
    tripped = {line.split()[0] for line in DEFAULT + ONLY_WHEN_ASKED}
    assert {code for code in RULES if code.startswith("ERR1") and code != "ERR108"} <= tripped
