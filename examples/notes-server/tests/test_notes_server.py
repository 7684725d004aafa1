import asyncio

import pytest
from fastmcp import Client
from fastmcp.exceptions import ToolError

from notes_server.server import mcp


@pytest.fixture(autouse=True)
def database(tmp_path, monkeypatch):
    monkeypatch.setenv("NOTES_DB", str(tmp_path / "notes.db"))


def call(tool, **arguments):
    async def ask():
        async with Client(mcp) as client:
            return await client.call_tool(tool, arguments)

    return asyncio.run(ask()).data


def test_a_note_can_be_read_after_it_was_created():
    note = call("create_note", notebook="home", title="Milk", tags=["shop"])
    assert call("read_note", note_id=note["id"])["title"] == "Milk"


def test_a_missing_note_is_an_error():
    with pytest.raises(ToolError, match="note_not_found"):
        call("read_note", note_id=17)


def test_an_empty_query_is_answered_with_an_error():
    answer = call("search_notes", query=" ")
    assert answer["error"] == "The query is empty"


def test_moving_to_an_unknown_notebook_is_answered_with_an_error():
    note = call("create_note", notebook="home", title="Milk")
    answer = call("move_note", note_id=note["id"], notebook="office")
    assert "error" in answer
