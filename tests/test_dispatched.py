"""Low-level servers: one function is called for every tool, and hands on to methods of a manager."""

from __future__ import annotations

from pathlib import Path

import pytest
from command_line import Run

SERVER = """\
from mcp.server import Server
from mcp.types import TextContent

from shelf.manager import ToolManager

server = Server("shelf")
manager = ToolManager()


@server.call_tool()
async def handle_call_tool(name: str, arguments: dict) -> list[TextContent]:
    {answer}
"""

MANAGER = """\
import json

from shelf.books import Books


class ToolManager:
    def __init__(self) -> None:
        self.books = Books()
        self.handlers = {"count": self._count, "lend": self.books.lend}

    async def call_tool(self, name: str, arguments: dict) -> str:
        if name == "find":
            return json.dumps(await self.books.find(**arguments))
        if name not in self.handlers:
            return json.dumps({"error": f"no tool {name}"})
        handler = self.handlers[name]
        return json.dumps(await handler(**arguments))

    async def _count(self, title: str) -> dict:
        if not title:
            return {"error": "no title"}
        return {"copies": 1}
"""

BOOKS = """\
class Books:
    async def find(self, title: str) -> dict:
        if not title:
            return {"success": False, "error": "no title to find"}
        return {"title": title}

    async def lend(self, title: str) -> dict:
        if not title:
            return {"error": "no title to lend"}
        return {"title": title}
"""

ANSWERS = {
    "once it has a name": (
        "result = await manager.call_tool(name, arguments)\n    return [TextContent(type='text', text=result)]"
    ),
    "at once": "return [TextContent(type='text', text=await manager.call_tool(name, arguments))]",
    "as text or as JSON": (
        "result = await manager.call_tool(name, arguments)\n"
        "    return [TextContent(type='text', text=result if isinstance(result, str) else str(result))]"
    ),
}

ANSWERS["after a log call"] = ANSWERS["once it has a name"].replace("    return", "    logger.info('done')\n    return")

MORE = {
    "a part of more": "return [TextContent(type='text', text=f'{name}: {await manager.call_tool(name, arguments)}')]",
    "one of several": (
        "result = await manager.call_tool(name, arguments)\n"
        "    return [TextContent(type='text', text=name), TextContent(type='text', text=result)]"
    ),
}


def fixed(folder: Path, errlint: Run, answer: str) -> str:
    """Fix a server that answers in some way; return what is said about it."""
    (folder / "shelf").mkdir()
    texts = {"__init__": "", "server": SERVER.format(answer=answer), "manager": MANAGER, "books": BOOKS}
    for name, text in texts.items():
        (folder / "shelf" / f"{name}.py").write_text(text, encoding="utf-8")
    return errlint("--isolated", "--no-cache", "--fix", "--unsafe-fixes").err


@pytest.mark.parametrize("answer", ANSWERS.values(), ids=ANSWERS)
def test_errors_pass_by_what_wraps_up_an_answer(tmp_path: Path, errlint: Run, answer: str) -> None:
    said = fixed(tmp_path, errlint, answer)
    assert "4 fixed in 2 files" in said
    assert "what `ToolManager.call_tool` answers is wrapped up here, which an error passes by\n" in said
    assert "    shelf/manager.py:9  functions are called out of this table\n" in said
    assert 'raise ValueError("no title to lend")' in (tmp_path / "shelf" / "books.py").read_text("utf-8")


@pytest.mark.parametrize("answer", MORE.values(), ids=MORE)
def test_an_answer_that_is_a_part_of_more_is_not_given_up(tmp_path: Path, errlint: Run, answer: str) -> None:
    assert "wrapped up" not in fixed(tmp_path, errlint, answer)


def test_a_look_is_asked_for_at_a_table_that_is_used_otherwise(tmp_path: Path, errlint: Run) -> None:
    fixed(tmp_path, errlint, ANSWERS["at once"])
    other = MANAGER + "\n    def tools(self):\n        return register(self.handlers)\n"
    (tmp_path / "shelf" / "manager.py").write_text(other, encoding="utf-8")
    (tmp_path / "shelf" / "books.py").write_text(BOOKS, encoding="utf-8")
    done = errlint("--isolated", "--no-cache", "--fix", "--unsafe-fixes", "--show-fixes")
    assert "    shelf/manager.py:9  who calls `" in done.err
