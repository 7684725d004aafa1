"""Tools that a project registers in ways of its own: by a method, around a wrapper, out of what a method lists."""

from __future__ import annotations

from pathlib import Path

from command_line import Run

BASE = """\
from abc import ABC, abstractmethod

from mcp.server.fastmcp import FastMCP

from shelf.guard import offloaded


class Module(ABC):
    def __init__(self, client):
        self.client = client
        self.tools = []

    @abstractmethod
    def register(self, server: FastMCP) -> None: ...

    def _put(self, server: FastMCP, method, name: str) -> None:
        server.add_tool(offloaded(method), name=f"shelf_{name}")
        self.tools.append(name)
"""

GUARD = """\
from functools import partial, wraps

import anyio


def offloaded(method):
    @wraps(method)
    async def run(*args, **kwargs):
        return await anyio.to_thread.run_sync(partial(method, *args, **kwargs))

    return run
"""

BOOKS = """\
from mcp.server.fastmcp import FastMCP

from shelf.base import Module


class Books(Module):
    def register(self, server: FastMCP) -> None:
        self._put(server=server, method=self.count, name="count")
        self._put(server, self.lend, "lend")

    def count(self, title: str) -> dict:
        if not title:
            return {"error": "no title"}
        return self.client.count(title)

    def lend(self, title: str) -> dict:
        if not title:
            return {"error": "no title to lend"}
        return self.client.lend(title)

    def unserved(self, title: str) -> dict:
        return {"error": "nobody calls this"}
"""


def written(folder: Path, **files: str) -> None:
    (folder / "shelf").mkdir(exist_ok=True)
    for name, text in {"__init__": "", **files}.items():
        (folder / "shelf" / f"{name}.py").write_text(text, encoding="utf-8")


def fix(errlint: Run) -> str:
    return errlint("--isolated", "--no-cache", "--fix", "--unsafe-fixes").err


def test_a_method_that_registers_what_it_is_handed(tmp_path: Path, errlint: Run) -> None:
    written(tmp_path, base=BASE, guard=GUARD, books=BOOKS)
    assert "2 fixed in 1 file" in fix(errlint)
    books = (tmp_path / "shelf" / "books.py").read_text("utf-8")
    assert 'raise ToolError("no title")' in books
    assert 'raise ToolError("no title to lend")' in books
    assert 'return {"error": "nobody calls this"}' in books


def test_a_wrapper_around_what_is_registered_lets_the_error_pass(tmp_path: Path, errlint: Run) -> None:
    guard = (
        "def offloaded(method):\n    def run(*args):\n        try:\n            return method(*args)\n"
        "        except Exception as error:\n            return {'error': str(error)}\n    return run\n"
    )
    written(tmp_path, base=BASE, guard=guard, books=BOOKS)
    assert "3 fixed in 2 files" in fix(errlint)
    changed = (tmp_path / "shelf" / "guard.py").read_text("utf-8")
    assert changed == "def offloaded(method):\n    def run(*args):\n        return method(*args)\n    return run\n"


LISTED = """\
class Books:
    def tools(self):
        return [("count", self.count, "how many"), ("lend", self.lend, "away")]

    async def count(self, title: str) -> dict:
        return {"error": "no title"}

    async def lend(self, title: str) -> dict:
        return {"error": "no title to lend"}
"""

SERVER = """\
from fastmcp import FastMCP

from shelf.books import Books


class Server:
    def __init__(self) -> None:
        self.mcp = FastMCP("shelf")
        for each in (Books,):
            self._serve(each())

    def _serve(self, holder) -> None:
        listed = holder.tools()
        for name, tool, description in listed:
            self.mcp.tool(name=name, description=description)(tool)
"""


def test_a_loop_registers_what_a_method_lists(tmp_path: Path, errlint: Run) -> None:
    written(tmp_path, books=LISTED, server=SERVER)
    assert "2 fixed in 1 file" in fix(errlint)
    assert 'raise ToolError("no title")' in (tmp_path / "shelf" / "books.py").read_text("utf-8")


CALLED = """\
from mcp.server.fastmcp import FastMCP

server = FastMCP("shelf")


def count(title: str) -> dict:
    return {"error": "no title"}


def copies(title: str) -> dict:
    return {"error": "no copies"}


if server:
    count = server.tool()(count)
server.resource(uri="shelf://{title}")(copies)
"""


def test_a_name_that_gets_what_registers_it_is_not_replaced(tmp_path: Path, errlint: Run) -> None:
    written(tmp_path, server=CALLED)
    assert "2 fixed in 1 file" in fix(errlint)
    server = (tmp_path / "shelf" / "server.py").read_text("utf-8")
    assert 'raise ToolError("no title")' in server
    assert 'raise ResourceError("no copies")' in server


HANDED_OVER = """\
from mcp.server import Server
from mcp.types import CallToolResult, TextContent


async def call_tool(ctx, params) -> CallToolResult:
    return CallToolResult(content=[TextContent(type="text", text="Error: no such tool")])


server = Server("shelf", on_call_tool=call_tool)
"""


def test_a_function_that_a_server_is_handed_for_tools_is_an_adapter(tmp_path: Path, errlint: Run) -> None:
    written(tmp_path, server=HANDED_OVER)
    done = errlint("--isolated", "--no-cache", "--fix", "--unsafe-fixes", "--show-fixes")
    assert "shelf/server.py:6:5: ERR103" in done.out
    assert "the server answers an error of the protocol for what `call_tool` raises" in done.out + done.err


ANSWERING = """\
from fastmcp import FastMCP

server = FastMCP("shelf")


def listed(folder):
    if folder is None:
        return {"files": [], "message": "No folder is set."}
    try:
        return {"files": list(folder.iterdir()), "message": ""}
    except OSError:
        return {"files": [], "message": f"Failed to read {folder}"}


@server.tool()
def files(folder: str) -> dict:
    return listed(folder)
"""


def test_a_test_of_an_answer_that_stays_is_left_as_it_is(tmp_path: Path, errlint: Run) -> None:
    written(tmp_path, server=ANSWERING)
    test = (
        "from shelf.server import listed\n\n\ndef test_nothing():\n    result = listed(None)\n"
        "    assert result['files'] == []\n    assert 'No folder' in result['message']\n"
    )
    (tmp_path / "tests").mkdir()
    (tmp_path / "tests" / "test_listed.py").write_text(test, encoding="utf-8")
    assert "1 fixed in 1 file" in fix(errlint)
    assert (tmp_path / "tests" / "test_listed.py").read_text("utf-8") == test


def test_a_tool_that_may_be_looked_up_by_its_name_is_named(tmp_path: Path, errlint: Run) -> None:
    server = (
        "from fastmcp import FastMCP\n\nserver = FastMCP('shelf')\n\n\n@server.tool()\n"
        "def count(title: str) -> dict:\n    return {'error': 'no title'}\n\n\n"
        "def ask(name: str):\n    return globals()[name]('')\n"
    )
    written(tmp_path, server=server)
    said = fix(errlint)
    assert "1 fixed in 1 file" in said
    assert "  `count` may be looked up by its name here\n" in said


CHECKED = """\
from fastmcp import FastMCP

server = FastMCP("shelf")


def failed(message: str) -> dict:
    return {"success": False, "error": message}


class Service:
    def check(self):
        try:
            self.load()
        except Exception as error:
            return failed(f"cannot load: {error}")
        return None


@server.tool()
def lend(title: str) -> dict:
    if found := Service().check():
        return found
    return {"title": title}


def keep(title: str) -> dict:
    found = Service().check()
    if found:
        return found
    if not title:
        return failed("no title")
    return {"title": title}
"""


def test_a_test_of_a_text_that_another_error_has_does_not_expect_the_class_of_this_one(
    tmp_path: Path, errlint: Run
) -> None:
    test = 'from shelf.books import keep\n\n\ndef test_it():\n    result = keep("")\n'
    test += '    assert "no title" in result["error"]\n'
    written(tmp_path, books=CHECKED)
    (tmp_path / "tests").mkdir()
    (tmp_path / "tests/test_books.py").write_text(test, encoding="utf-8")
    fix(errlint)
    assert "cannot load" in (tmp_path / "shelf/books.py").read_text(encoding="utf-8")
    assert "ToolError" not in (tmp_path / "tests/test_books.py").read_text(encoding="utf-8")


PARSED = """\
from fastmcp import FastMCP

server = FastMCP("shelf")


def parse(text: str) -> dict:
    try:
        if not text:
            return {"success": False, "error": "no text"}
        return {"success": True, "value": int(text)}
    except ValueError as error:
        return {"success": False, "error": f"no number: {error}"}
    except Exception as error:
        return {"success": False, "error": f"failed: {error}"}


@server.tool()
def twice(text: str) -> dict:
    found = parse(text)
    if not found["success"]:
        return {"error": found["error"]}
    return {"value": 2 * found["value"]}
"""

COUNTING = """\
from fastmcp import FastMCP

server = FastMCP("shelf")


@server.tool()
def count(title: str) -> dict:
    return {"count": len(title)}
"""


def test_what_is_raised_is_none_of_what_a_handler_around_it_answers(tmp_path: Path, errlint: Run) -> None:
    written(tmp_path, books=PARSED.replace("@server.tool()\n", "").replace("twice", "double"), server=COUNTING)
    fix(errlint)
    changed = (tmp_path / "shelf/books.py").read_text(encoding="utf-8")
    assert 'raise RuntimeError("no text")' in changed
    assert "except ValueError:\n" not in changed
    assert "    except ValueError as error:\n" in changed
