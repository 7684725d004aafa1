"""A plain server, with no configuration: its framework is the boundary, and its clients see errors as errors."""

from __future__ import annotations

import ast
import json
import subprocess
import sys
from pathlib import Path
from textwrap import indent

import pytest
from command_line import Run

from errlint.project.frameworks import FRAMEWORKS

SERVER = '''\
"""Books on a shelf."""

import logging

from {module} import {name}

logger = logging.getLogger(__name__)
server = {name}("shelf")
BOOKS = {{"emma": 2}}


def failed(text: str) -> dict:
    logger.warning("failed: %s", text)
    return {{"error": text, "status": "failed"}}


async def stuck(error: Exception, doing: str) -> dict:
    logger.error(doing)
    return {{"error": f"{{doing}}: {{error}}"}}


@server.tool()
def count(title: str) -> dict:
    """Count the copies of a book."""
    if not title:
        return {{"error": "no title", "title": title}}
    try:
        return {{"copies": BOOKS[title]}}
    except KeyError:
        return {{"success": False, "error": f"no book {{title}}"}}


@server.tool()
async def lend(title: str, copies: int = 1) -> str:
    """Lend copies of a book."""
    try:
        if copies > BOOKS[title]:
            return f"Error: only {{BOOKS[title]}} copies of {{title}}"
    except Exception as e:
        return f"Error: {{type(e).__name__}} while lending"
    return "lent"


@server.tool()
async def give_back(title: str) -> dict:
    """Give a book back."""
    try:
        if title not in BOOKS:
            return failed("not one of ours")
        BOOKS[title] = BOOKS[title] + int(title)
        return {{"copies": BOOKS[title]}}
    except ValueError as e:
        return await stuck(e, "Giving back")
'''

CALLS = (
    ("count", {"title": ""}),
    ("count", {"title": "emma"}),
    ("count", {"title": "ulysses"}),
    ("lend", {"title": "emma", "copies": 3}),
    ("lend", {"title": "emma"}),
    ("lend", {"title": "ulysses"}),
    ("give_back", {"title": "ulysses"}),
    ("give_back", {"title": "emma"}),
)
TEXTS = (
    "no title",
    None,
    "no book ulysses",
    "Error: only 2 copies of emma",
    None,
    "Error: KeyError while lending",
    "not one of ours",
    "Giving back: invalid literal for int() with base 10: 'emma'",
)
"""What the calls are told of an error, before and after; ``None`` for those that succeed."""

FASTMCP_CLIENT = """\
import asyncio, json, sys
from fastmcp import Client
from server import server

async def ask():
    async with Client(server) as client:
        for name, arguments in json.loads(sys.argv[1]):
            answer = await client.call_tool(name, arguments, raise_on_error=False)
            print(json.dumps([answer.is_error, answer.content[0].text]))

asyncio.run(ask())
"""
SDK_CLIENT = """\
import asyncio, json, sys
from mcp import Client
from server import server

async def ask():
    async with Client(server) as client:
        for name, arguments in json.loads(sys.argv[1]):
            answer = await client.call_tool(name, arguments)
            print(json.dumps([answer.is_error, answer.content[0].text]))

asyncio.run(ask())
"""
SERVERS = {
    "FastMCP": ("fastmcp", "FastMCP", FASTMCP_CLIENT),
    "MCPServer": ("mcp.server.mcpserver", "MCPServer", SDK_CLIENT),
}


def ask(folder: Path, client: str) -> list[tuple[bool, str]]:
    """Call the tools of a server in a process of its own; return whether each answer is an error, and its text."""
    command = [sys.executable, "-c", client, json.dumps(CALLS)]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    return [(is_error, text) for is_error, text in map(json.loads, done.stdout.splitlines())]


@pytest.mark.parametrize("kind", SERVERS)
def test_clients_of_a_plain_server_see_errors_with_the_same_text(kind: str, tmp_path: Path, errlint: Run) -> None:
    module, name, client = SERVERS[kind]
    (framework,) = [each for each in FRAMEWORKS if module in each.servers]
    (tmp_path / "server.py").write_text(SERVER.format(module=module, name=name))
    before = ask(tmp_path, client)
    assert not any(is_error for is_error, _ in before)

    done = errlint("--isolated", "--no-cache", "--fix", "--unsafe-fixes")
    assert done.status == 0, done
    assert "6 fixed in 1 file" in done.err
    assert f"from {framework.error.rpartition('.')[0]} import ToolError" in (tmp_path / "server.py").read_text()
    after = ask(tmp_path, client)
    for (tool, _), expected, (is_error, text), (_, old) in zip(CALLS, TEXTS, after, before, strict=True):
        assert is_error is (expected is not None)
        assert text == (old if expected is None else framework.ahead.format(tool=tool) + expected)


RESOURCES = '''\
from {module} import {name}

server = {name}("shelf")


@server.resource("shelf://books")
def books() -> str:
    """List the books."""
    if not BOOKS:
        return "Error: no books"
    return "books"


@server.resource("shelf://{{title}}/copies")
async def copies(title: str) -> dict:
    """Count the copies of a book."""
    try:
        return {{"copies": BOOKS[title]}}
    except KeyError:
        return {{"error": f"no book {{title}}"}}


BOOKS = {{}}
'''
READING = """
async def read():
    async with Client(server) as client:
        for uri in ("shelf://books", "shelf://ulysses/copies"):
            try:
                print(await client.read_resource(uri))
            except Exception as e:
                print(type(e).__name__, e)

asyncio.run(read())
"""


@pytest.mark.parametrize("kind", SERVERS)
def test_readers_of_a_resource_are_told_the_text_of_an_error(kind: str, tmp_path: Path, errlint: Run) -> None:
    module, name, client = SERVERS[kind]
    (framework,) = [each for each in FRAMEWORKS if module in each.servers]
    (tmp_path / "server.py").write_text(RESOURCES.format(module=module, name=name))
    done = errlint("--isolated", "--no-cache", "--fix", "--unsafe-fixes")
    assert "2 fixed in 1 file" in done.err
    package = (framework.resource or "").rpartition(".")[0]
    assert f"from {package} import ResourceError" in (tmp_path / "server.py").read_text()
    command = [sys.executable, "-c", client.partition("async def")[0] + READING]
    read = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=120, check=False)
    assert read.stdout.splitlines() == ["MCPError Error: no books", "MCPError no book ulysses"], read.stderr


PROMPT = '''\
from fastmcp import FastMCP

server = FastMCP("shelf")


@server.prompt()
def advice(title: str) -> str:
    """Ask for advice."""
    if title != "emma":
        return f"Error: no book {title}"
    return "What to read after Emma?"
'''
ASKING_FOR_ADVICE = """
import asyncio

from fastmcp import Client
from server import server


async def ask():
    async with Client(server) as client:
        try:
            print(await client.get_prompt("advice", {"title": "ulysses"}))
        except Exception as e:
            print(type(e).__name__, e)

asyncio.run(ask())
"""


def test_who_asks_for_a_prompt_is_told_the_text_of_an_error(tmp_path: Path, errlint: Run) -> None:
    (tmp_path / "server.py").write_text(PROMPT)
    done = errlint("--isolated", "--no-cache", "--fix", "--unsafe-fixes")
    assert "1 fixed in 1 file" in done.err
    assert 'raise PromptError(f"Error: no book {title}")' in (tmp_path / "server.py").read_text()
    command = [sys.executable, "-c", ASKING_FOR_ADVICE]
    asked = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=120, check=False)
    assert asked.stdout.splitlines() == ["MCPError Error: no book ulysses"], asked.stderr


TOOL = '''

@{server}.tool()
def count(title: str) -> dict:
    """Count the copies of a book."""
    return {{"error": f"no book {{title}}"}}
'''
FASTMCP = "fastmcp.exceptions"
SDK = "mcp.server.fastmcp.exceptions"

FOUND = {
    "a server of the file": ({"server": "import fastmcp\n\nmcp = fastmcp.FastMCP('a')\n" + TOOL}, FASTMCP),
    "the class of the SDK": ({"server": "from mcp.server.fastmcp import FastMCP\n\nmcp = FastMCP('a')\n" + TOOL}, SDK),
    "the class that the SDK hands on": (
        {"server": "from mcp.server import FastMCP\n\nmcp = FastMCP('a')\n" + TOOL},
        SDK,
    ),
    "a server of another file": (
        {"app": "from fastmcp import FastMCP\n\nmcp = FastMCP('a')\n", "server": "from app import mcp\n" + TOOL},
        FASTMCP,
    ),
    "one of two servers": (
        {
            "server": "from fastmcp import FastMCP\nfrom mcp.server.fastmcp import FastMCP as Plain\n\n"
            "other = Plain('a')\nmcp = FastMCP('b')\n" + TOOL
        },
        FASTMCP,
    ),
    "a parameter that is annotated": (
        {
            "server": "from mcp.server.fastmcp import Context, FastMCP\n\n\ndef register(mcp: FastMCP) -> None:\n"
            + TOOL.replace("\n", "\n    ").rstrip(" ")
        },
        SDK,
    ),
    "a parameter in a project with one framework": (
        {
            "app": "from fastmcp import FastMCP\n",
            "server": "def register(mcp):\n" + TOOL.replace("\n", "\n    ").rstrip(" "),
        },
        FASTMCP,
    ),
    "a parameter that callers hand a server over for": (
        {
            "old": "from mcp.server.fastmcp import FastMCP\n",
            "app": "from fastmcp import FastMCP\nfrom tools import register_all\n\n\nclass App:\n"
            "    def __init__(self):\n        self.shelf = FastMCP('a')\n        register_all(True, app=self.shelf)\n",
            "tools": "from server import register\n\n\ndef register_all(full, app):\n    register(app)\n",
            "server": "def register(mcp):\n" + TOOL.replace("\n", "\n    ").rstrip(" "),
        },
        FASTMCP,
    ),
    "a server that it is registered with": (
        {
            "old": "from mcp.server.fastmcp import FastMCP\n",
            "server": "from fastmcp import FastMCP\n"
            + TOOL.replace("@{server}.tool()\n", "")
            + "\n\ndef main():\n    shelf = FastMCP('a')\n    shelf.tool(name='count')(count)\n",
        },
        FASTMCP,
    ),
    "a decorator of the project that keeps what it is given": (
        {
            "kit": "FOUND = []\n\n\ndef shelf_tool(**about):\n    def keep(function):\n"
            "        FOUND.append((about, function))\n        return function\n    return keep\n",
            "app": "from fastmcp import FastMCP\nfrom kit import FOUND\n\nmcp = FastMCP('a')\n"
            "for about, function in FOUND:\n    mcp.tool(**about)(function)\n",
            "server": "from kit import shelf_tool\n" + TOOL.replace("{server}.tool", "shelf_tool"),
        },
        FASTMCP,
    ),
}


def write(folder: Path, files: dict[str, str]) -> None:
    """Write modules whose tools are decorated by ``mcp``."""
    for name, text in files.items():
        (folder / f"{name}.py").write_text(text.replace("{server}", "mcp").replace("{{", "{").replace("}}", "}"))


@pytest.mark.parametrize(("files", "module"), FOUND.values(), ids=FOUND)
def test_a_tool_raises_what_its_own_framework_tells_clients(
    files: dict[str, str],
    module: str,
    tmp_path: Path,
    errlint: Run,
) -> None:
    write(tmp_path, files)
    done = errlint("--isolated", "--no-cache", "--fix", "--unsafe-fixes")
    assert "1 fixed in 1 file" in done.err
    fixed = (tmp_path / "server.py").read_text()
    assert f"from {module} import ToolError\n" in fixed
    assert 'raise ToolError(f"no book {title}")' in fixed


LOW_LEVEL = """\
from mcp.server import Server
from mcp.types import TextContent

server = Server("shelf")


@server.call_tool()
async def call_tool(name: str, arguments: dict) -> list[TextContent]:
    try:
        if name != "count":
            return [TextContent(type="text", text=f"Error: no tool {name}")]
        return [TextContent(type="text", text=count(arguments["title"]))]
    except OSError as e:
        return [TextContent(type="text", text=f"Error: {e}")]
"""


def test_a_decorator_of_the_project_is_to_be_looked_at(tmp_path: Path, errlint: Run) -> None:
    write(tmp_path, FOUND["a decorator of the project that keeps what it is given"][0])
    done = errlint("--isolated", "--no-cache", "--fix", "--unsafe-fixes")
    text = "`@shelf_tool` of the project is taken to leave to FastMCP what a tool raises"
    assert f"    server.py:7  {text}\n" in done.err


def test_a_tool_that_a_prompt_calls_raises_as_a_tool(tmp_path: Path, errlint: Run) -> None:
    prompt = "\n\n@mcp.prompt()\ndef counted(title: str) -> str:\n    return count(title)\n"
    head = "from fastmcp import FastMCP\n\nmcp = FastMCP('a')\n\n\n"
    tool = '@mcp.tool()\ndef count(title: str) -> str:\n    return title or "Error: no title"\n'
    (tmp_path / "server.py").write_text(head + tool + prompt)
    errlint("--isolated", "--no-cache", "--fix", "--unsafe-fixes")
    assert 'raise ToolError("Error: no title")' in (tmp_path / "server.py").read_text()


def test_a_low_level_server_answers_any_exception(tmp_path: Path, errlint: Run) -> None:
    (tmp_path / "server.py").write_text(LOW_LEVEL)
    done = errlint("--isolated", "--no-cache", "--fix", "--unsafe-fixes")
    assert "2 fixed in 1 file" in done.err
    fixed = (tmp_path / "server.py").read_text()
    assert 'raise ValueError(f"Error: no tool {name}")' in fixed
    assert 'raise RuntimeError(f"Error: {e}") from e' in fixed


REQUESTED = """\
from mcp.server.lowlevel import Server

server = Server("shelf")
SHELF = {}


@server.DECORATOR()
async def answer(asked):
    if not asked:
        return "Error: ask for a book"
    try:
        return SHELF[asked]
    except KeyError as e:
        return f"Error: no book {e}"
"""


@pytest.mark.parametrize("decorator", ["read_resource", "get_prompt", "list_resources", "list_tools", "completion"])
def test_requests_of_a_low_level_server_are_answered_by_an_error_of_the_protocol(
    decorator: str, tmp_path: Path, errlint: Run
) -> None:
    write(tmp_path, {"server": REQUESTED.replace("DECORATOR", decorator)})
    said = errlint("explain", "--isolated", "server.py:10")
    assert "a client gets an error of the protocol" in said.out + said.err
    errlint("--isolated", "--no-cache", "--fix", "--unsafe-fixes")
    fixed = (tmp_path / "server.py").read_text(encoding="utf-8")
    assert 'raise ValueError("Error: ask for a book")\n' in fixed
    assert 'raise RuntimeError(f"Error: no book {e}") from e\n' in fixed


def test_a_boundary_of_tools_is_not_asked_for_around_what_lists(tmp_path: Path, errlint: Run) -> None:
    (tmp_path / "errlint.toml").write_text('[[boundary]]\ndecorator = "kit.bounded"\n')
    server = REQUESTED.replace("DECORATOR", "list_tools").replace('"Error: ', '"')
    write(tmp_path, {"server": server, "kit": "def bounded(function):\n    return function\n"})
    assert "ERR201" not in errlint("check", "--no-cache").out


UNKNOWN = {
    "two frameworks": (
        {
            "one": "from fastmcp import FastMCP\n",
            "two": "from mcp.server.fastmcp import FastMCP\n",
            "server": "def register(mcp):\n" + TOOL.replace("\n", "\n    ").rstrip(" "),
        },
        "no boundary is configured, and it may be of several frameworks: `mcp`",
    ),
    "no framework": (
        {"server": "from toolkit import mcp\n" + TOOL},
        "no boundary is configured, and no framework that answers exceptions is known here: `mcp`",
    ),
    "a decorator of the project": (
        {
            "server": "from fastmcp import FastMCP\nfrom kit import shelf_tool\n"
            + TOOL.replace("{server}.tool", "shelf_tool")
        },
        "it is not known what `@shelf_tool` makes of an exception",
    ),
    "a prompt of a server that tells no text": (
        {
            "server": "from mcp.server.mcpserver import MCPServer\n\nmcp = MCPServer('a')\n"
            + TOOL.replace(".tool()", ".prompt()")
        },
        "no boundary covers `count`, which is no tool",
    ),
}


@pytest.mark.parametrize(("files", "reason"), UNKNOWN.values(), ids=UNKNOWN)
def test_a_fix_is_refused_where_no_framework_is_certain_to_answer(
    files: dict[str, str],
    reason: str,
    tmp_path: Path,
    errlint: Run,
) -> None:
    write(tmp_path, files)
    done = errlint("--isolated", "--no-cache", "--diff", "--unsafe-fixes", "--show-fixes")
    assert reason in done.err
    assert done.out == ""


def test_nothing_changes_without_being_asked_for(tmp_path: Path, errlint: Run) -> None:
    before = SERVER.format(module="fastmcp", name="FastMCP")
    (tmp_path / "server.py").write_text(before)
    done = errlint("--isolated", "--no-cache", "--fix")
    assert "hidden" in done.err
    assert (tmp_path / "server.py").read_text() == before


def test_what_a_text_cannot_say_is_to_be_looked_at(tmp_path: Path, errlint: Run) -> None:
    (tmp_path / "server.py").write_text(SERVER.format(module="fastmcp", name="FastMCP"))
    done = errlint("--isolated", "--no-cache", "--fix", "--unsafe-fixes")
    assert "Look at these afterwards:\n" in done.err
    assert "    server.py:27  `ToolError` takes a message alone: clients do not get `title` any more\n" in done.err


DIRECT = """

def report(titles: list) -> list:
    found = []
    for title in titles:
        answer = count(title)
        if "error" in answer:
            continue
        found.append(answer)
    return found
"""


def test_a_tool_that_the_project_calls_itself_raises_there_too(tmp_path: Path, errlint: Run) -> None:
    text = "from fastmcp import FastMCP\n\nmcp = FastMCP('a')\n" + TOOL.format(server="mcp") + DIRECT
    text = text.replace("    return {", "    if title:\n        return {'title': title}\n    return {")
    (tmp_path / "server.py").write_text(text)
    done = errlint("--isolated", "--no-cache", "--fix", "--unsafe-fixes")
    assert "1 fixed in 1 file" in done.err
    fixed = (tmp_path / "server.py").read_text()
    assert "        try:\n            answer = count(title)\n        except ToolError:\n            continue\n" in fixed


def test_the_keys_of_a_factory_that_is_written_out_are_looked_at_too(tmp_path: Path, errlint: Run) -> None:
    text = "from fastmcp import FastMCP\n\nmcp = FastMCP('a')\n" + TOOL.format(server="mcp")
    text = text.replace('return {"error": f"no book {title}"}', 'return failed(f"no book {title}", title)')
    (tmp_path / "server.py").write_text(f"{text}\n\ndef failed(text, at):\n    return {{'error': text, 'at': at}}\n")
    done = errlint("--isolated", "--no-cache", "--fix", "--unsafe-fixes")
    assert "    server.py:10  `ToolError` takes a message alone: clients do not get `at` any more\n" in done.err
    assert 'raise ToolError(f"no book {title}")' in (tmp_path / "server.py").read_text()


WAITED_FOR = '''\
import books
from fastmcp import FastMCP

mcp = FastMCP("shelf")


@mcp.tool()
{kind}def count(title: str):
    """Count the copies of a book."""
    return {wait}books.count(title)
'''


@pytest.mark.parametrize(("kind", "wait", "fixed"), [("", "", 1), ("async ", "await ", 1), ("async ", "", 0)])
def test_a_plain_tool_may_hand_on_what_its_framework_waits_for(
    kind: str, wait: str, fixed: int, tmp_path: Path, errlint: Run
) -> None:
    (tmp_path / "server.py").write_text(WAITED_FOR.format(kind=kind, wait=wait))
    text = 'async def count(title: str):\n    if title in BOOKS:\n        return {"copies": BOOKS[title]}\n'
    (tmp_path / "books.py").write_text(text + '    return {"error": f"no book {title}"}\n')
    errlint("--isolated", "--no-cache", "--fix", "--unsafe-fixes")
    assert (tmp_path / "books.py").read_text().count('raise ToolError(f"no book {title}")') == fixed


CLASSES = """\
from abc import ABC, abstractmethod

from fastmcp import FastMCP

mcp = FastMCP("shelf")


class BaseTool(ABC):
    @abstractmethod
    async def execute(self, title: str) -> dict: ...


class CountTool(BaseTool):
    async def execute(self, title: str) -> dict:
        if not title:
            return {"error": "no title"}
        return {"copies": 2}


async def retried(run, times=3):
    for _ in range(times):
        try:
            return await run()
        except Exception as e:
            if "closed" not in str(e):
                return {"copies": 0}


@mcp.tool()
async def count(title: str) -> dict:
    return await retried(lambda: CountTool().execute(title), times=2)


@mcp.tool()
async def both(first: str, second: str) -> dict:
    one = await CountTool().execute(first)
    return {"one": one, "two": 1}
"""


def test_a_tool_of_a_class_is_followed_to_the_server_that_runs_it(tmp_path: Path, errlint: Run) -> None:
    (tmp_path / "server.py").write_text(CLASSES)
    done = errlint("--isolated", "--no-cache", "--fix", "--unsafe-fixes")
    assert "1 fixed in 1 file" in done.err
    after = (
        CLASSES.replace('return {"error": "no title"}', 'raise ToolError("no title")')
        .replace(
            "        except Exception as e:",
            "        except ToolError:\n            raise\n        except Exception as e:",
        )
        .replace("import FastMCP\n", "import FastMCP\nfrom fastmcp.exceptions import ToolError\n")
    )
    assert (tmp_path / "server.py").read_text() == after


BOTH = {
    "books": """\
def find(title: str) -> dict:
    if not title:
        return {"error": "no title"}
    return {"copies": 2}
""",
    "server": """\
from fastmcp import FastMCP

from books import find

mcp = FastMCP("shelf")


@mcp.tool()
def count(title: str) -> dict:
    return find(title)
""",
}
BESIDE = """\
from fastapi import FastAPI, HTTPException

from books import find

app = FastAPI()


@app.get("/books")
def look(title: str) -> dict:
    {body}
"""
IN_ROUTES = {
    "a handler of the route": (
        "try:\n        return find(title)\n    except Exception as e:\n        raise HTTPException(404, str(e)) from e",
        "web.py:11  the handler around it answers a `ToolError` from now on",
    ),
    "nothing": ("return find(title)", "web.py:10  FastAPI answers a `ToolError` that leaves it with status 500"),
    "a handler of something else": (
        "try:\n        return find(title)\n    except KeyError as e:\n        raise HTTPException(404, str(e)) from e",
        "web.py:11  FastAPI answers a `ToolError` that leaves it with status 500",
    ),
}


@pytest.mark.parametrize(("body", "told"), IN_ROUTES.values(), ids=IN_ROUTES)
def test_what_tools_and_routes_use_raises_for_the_tools_and_in_routes_it_is_answered_by(
    body: str, told: str, tmp_path: Path, errlint: Run
) -> None:
    web = BESIDE.replace("{body}", body)
    for name, text in {**BOTH, "web": web}.items():
        (tmp_path / f"{name}.py").write_text(text)
    done = errlint("--isolated", "--no-cache", "--fix", "--unsafe-fixes")
    assert told in done.err
    assert (tmp_path / "books.py").read_text().count('raise ToolError("no title")') == 1
    assert (tmp_path / "web.py").read_text() == web


def test_a_route_that_calls_a_tool_is_told_what_becomes_of_its_exception(tmp_path: Path, errlint: Run) -> None:
    server = BOTH["server"].replace("from books import find\n\n", "").replace("find(title)", '{"error": "no title"}')
    web = BESIDE.replace("from books import find", "from server import count as find")
    (tmp_path / "server.py").write_text(server)
    (tmp_path / "web.py").write_text(web.replace("{body}", "return find(title)"))
    done = errlint("--isolated", "--no-cache", "--diff", "--unsafe-fixes", "--show-fixes")
    assert '+    raise ToolError("no title")' in done.out
    assert "FastAPI answers a `ToolError` that leaves it with status 500, and without its text" in done.err
    assert "the status of an error, and the text as its detail" not in done.err


ANSWERED = """\
from fastapi import FastAPI
from fastapi.responses import JSONResponse

app = FastAPI()


def failed(text):
    return JSONResponse({answer})


@app.get("/books")
def look(title: str):
    return failed("no title")
"""


@pytest.mark.parametrize(
    ("answer", "is_read"),
    [
        ('content={"error": text}', True),
        ('{"error": text}', True),
        ('headers={"error": text}', False),
        ('*[{"error": text}]', False),
    ],
)
def test_the_content_of_a_response_that_a_factory_of_routes_builds_is_read(
    answer: str, is_read: bool, tmp_path: Path, errlint: Run
) -> None:
    (tmp_path / "web.py").write_text(ANSWERED.replace("{answer}", answer))
    errlint("--isolated", "--no-cache", "--fix", "--unsafe-fixes")
    raised = 'raise HTTPException(status_code=400, detail="no title")'
    assert (raised in (tmp_path / "web.py").read_text()) is is_read


WAITED_LATER = """\
from fastmcp import FastMCP

mcp = FastMCP("shelf")


async def find(title: str) -> dict:
    if not title:
        return {"error": "no title"}
    return {"copies": 2}


@mcp.tool()
async def count(title: str) -> dict:
    book = find(title)
    {rest}
"""


@pytest.mark.parametrize(
    ("rest", "is_fixed"),
    [
        ('return {"book": await book}', True),
        ('if "error" in await book:\n        return {"copies": 0}\n    return {"copies": 1}', False),
        ('return {"books": [each for each in [await book]]}', False),
    ],
)
def test_a_tool_may_wait_later_for_what_it_calls(rest: str, is_fixed: bool, tmp_path: Path, errlint: Run) -> None:
    (tmp_path / "server.py").write_text(WAITED_LATER.replace("{rest}", rest))
    errlint("--isolated", "--no-cache", "--fix", "--unsafe-fixes")
    assert ('raise ToolError("no title")' in (tmp_path / "server.py").read_text()) is is_fixed


RUNNING = """\
import asyncio
import threading

from fastmcp import FastMCP

from books import find

mcp = FastMCP("shelf")


def finished(waited, timeout=30):
    {body}


@mcp.tool()
def count(title: str) -> dict:
    try:
        book = finished(find(title))
        return {{"book": book}}
    except Exception as e:
        return {{"error": str(e)}}
"""
RUNS = {
    "a loop of its own": "loop = asyncio.new_event_loop()\n    return loop.run_until_complete(waited)",
    "a loop": "return asyncio.run(waited)",
}
RUNS_ELSEWHERE = {
    "a loop elsewhere": "return asyncio.run_coroutine_threadsafe(waited, LOOP).result(timeout)",
    "another thread": (
        "kept = []\n    thread = threading.Thread(target=lambda: kept.append(asyncio.run(waited)))\n"
        "    thread.start()\n    thread.join(timeout)\n    return kept[0]"
    ),
    "a pool": "return POOL.submit(asyncio.run, waited).result()",
    "a loop, and goes on without": "try:\n        return asyncio.run(waited)\n    except OSError:\n        return 0",
    "a loop, and keeps what it got": "result = asyncio.run(waited)\n    return result",
}


@pytest.mark.parametrize(
    ("body", "is_certain"),
    [*((body, True) for body in RUNS.values()), *((body, False) for body in RUNS_ELSEWHERE.values())],
    ids=[*RUNS, *RUNS_ELSEWHERE],
)
def test_a_function_of_the_project_may_wait_for_an_answer_by(
    body: str, is_certain: bool, tmp_path: Path, errlint: Run
) -> None:
    write(tmp_path, {"books": f"async {BOTH['books']}", "server": RUNNING.replace("{body}", body).format()})
    done = errlint("--isolated", "--no-cache", "--fix", "--unsafe-fixes")
    assert ("`finished` waits for `find` here: look whether it lets errors out" in done.err) is not is_certain
    assert 'raise ToolError("no title")' in (tmp_path / "books.py").read_text()
    assert "    except ToolError:\n        raise\n    except Exception as e:" in (tmp_path / "server.py").read_text()


def test_a_decorator_may_keep_an_error_from_who_waits(tmp_path: Path, errlint: Run) -> None:
    server = RUNNING.replace("{body}", "return asyncio.run(waited)").replace("def finished", "@retried\ndef finished")
    write(tmp_path, {"books": f"async {BOTH['books']}", "server": server.format()})
    done = errlint("--isolated", "--no-cache", "--fix", "--unsafe-fixes")
    assert "`finished` waits for `find` here: look whether it lets errors out" in done.err


NOT_RUN = {
    "a function that keeps it": "WAITING.append(waited)",
    "a function that only looks at it": "return asyncio.iscoroutine(waited)",
    "a function that waits for something else": "return asyncio.run(timeout)",
}


@pytest.mark.parametrize("body", NOT_RUN.values(), ids=NOT_RUN)
def test_an_answer_is_waited_for_by_no(body: str, tmp_path: Path, errlint: Run) -> None:
    write(tmp_path, {"books": f"async {BOTH['books']}", "server": RUNNING.replace("{body}", body).format()})
    errlint("--isolated", "--no-cache", "--fix", "--unsafe-fixes")
    assert (tmp_path / "books.py").read_text() == f"async {BOTH['books']}"


DROPPED = """\
from fastmcp import FastMCP

mcp = FastMCP("shelf")


def note(title: str) -> dict:
    if not title:
        return {"error": "no title"}
    return {"noted": int(title)}


@mcp.tool()
def count(title: str) -> dict:
    note(title)
    return {"copies": 2}
"""


def test_an_error_that_is_told_nobody_is_no_exception_that_others_raise_too(tmp_path: Path, errlint: Run) -> None:
    (tmp_path / "server.py").write_text(DROPPED)
    done = errlint("--isolated", "--no-cache", "--diff", "--unsafe-fixes", "--show-fixes")
    assert "a caller does nothing with the result of `note`, and would drop any other `ValueError`, too" in done.err
    assert done.out == ""


ASKING = """\
from shelf.server import server


async def test_an_error():
    answer = await server.call_tool(
        "count", {"title": ""}
    )
    assert "no title" in answer[0].text


async def test_a_stand_in_that_raises(monkeypatch):
    monkeypatch.books.side_effect = OSError("no shelf")
    assert await server.call_tool("count", {"title": "emma"}) is not None


async def test_a_success():
    answer = await server.call_tool("count", {"title": "emma"})
    assert answer[0].text == "2"


class TestByName:
    async def ask(self, title):
        return await server.call_tool("count", {"title": title})

    async def test_no_title(self):
        assert "no title" in await self.ask("")

    async def test_emma(self):
        assert await self.ask("emma")

    async def test_no_book(self):
        assert "error" in await self.ask("persuasion")
"""


def test_every_test_that_asks_a_server_for_an_error_is_to_be_looked_at(tmp_path: Path, errlint: Run) -> None:
    server = (
        "from fastmcp import FastMCP\n\nserver = FastMCP('shelf')\n\n\n@server.tool()\ndef count(title: str) -> str:\n"
        "    if not title:\n        return 'Error: no title'\n    return books(title)\n"
    )
    for name, text in (("shelf/__init__", ""), ("shelf/server", server), ("tests/test_server", ASKING)):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / f"{name}.py").write_text(text, encoding="utf-8")
    done = errlint("--isolated", "--no-cache", "--fix", "--unsafe-fixes")
    lines = [line.split()[0] for line in done.err.splitlines() if "test_server.py" in line]
    assert lines == [f"tests/test_server.py:{number}" for number in (8, 12, 26, 32)]


def told(folder: Path, errlint: Run, **files: str) -> str:
    """Fix a package ``shelf`` of these modules; return what is said about it."""
    (folder / "shelf").mkdir()
    for name, text in {"__init__": "", **files}.items():
        (folder / "shelf" / f"{name}.py").write_text(text, encoding="utf-8")
    return errlint("--isolated", "--no-cache", "--fix", "--unsafe-fixes").err


def test_a_function_below_the_decorator_that_registers_may_answer_itself(tmp_path: Path, errlint: Run) -> None:
    guard = (
        "def safe_tool(function):\n    def run(*args):\n        try:\n            return function(*args)\n"
        "        except Exception as error:\n            return str(error)\n    return run\n"
    )
    server = (
        "from fastmcp import FastMCP\nfrom shelf.guard import safe_tool\n\nserver = FastMCP('shelf')\n\n\n"
        "@server.tool()\n@safe_tool\ndef count(title: str) -> dict:\n    return {'error': 'no title'}\n"
    )
    said = told(tmp_path, errlint, guard=guard, server=server)
    text = "the decorator `safe_tool` answers other exceptions itself, and lets this one pass from now on"
    assert f"    shelf/guard.py:5  {text}\n" in said
    assert "        except ToolError:\n            raise\n" in (tmp_path / "shelf" / "guard.py").read_text("utf-8")


def test_the_server_that_is_handed_over_counts_not_the_annotation(tmp_path: Path, errlint: Run) -> None:
    tools = (
        "from mcp.server.fastmcp import FastMCP\n\n\ndef register(server: FastMCP) -> None:\n    @server.tool()\n"
        "    def count(title: str) -> dict:\n        return {'error': 'no title'}\n"
    )
    server = (
        "from fastmcp import FastMCP\nfrom shelf.tools import register\n\nserver = FastMCP('shelf')\nregister(server)\n"
    )
    told(tmp_path, errlint, tools=tools, server=server)
    assert "from fastmcp.exceptions import ToolError\n" in (tmp_path / "shelf" / "tools.py").read_text("utf-8")


def test_a_tool_that_is_asked_for_by_its_public_name_is_to_be_looked_at(tmp_path: Path, errlint: Run) -> None:
    server = (
        "from fastmcp import FastMCP\n\nserver = FastMCP('shelf')\n\n\n@server.tool(name='shelf_count')\n"
        "def _count(title: str) -> dict:\n    return {'error': 'no title'}\n"
    )
    test = (
        "from shelf.server import server\n\n\ndef test_none():\n    tool = server.tools['shelf_count']\n"
        "    assert 'no title' in tool('')['error']\n"
    )
    (tmp_path / "tests").mkdir()
    (tmp_path / "tests" / "test_server.py").write_text(test, encoding="utf-8")
    assert "    tests/test_server.py:6  looks for an error of `_count`\n" in told(tmp_path, errlint, server=server)


BY_VARIABLE = {
    "a parameter": (
        "@pytest.mark.parametrize('name, title', [('count', ''), ('lend', '')])\n"
        "def test_it(tools, name, title):\n    assert tools[name](title)['error']\n",
        3,
    ),
    "one parameter": (
        "@pytest.mark.parametrize('name', ['lend', pytest.param('count')])\n"
        "def test_it(server, name):\n    assert server.tools.get(name)('')['error']\n",
        3,
    ),
    "a name of the file": (
        "NAMES = ['lend', 'count']\n\n\ndef test_it(tools):\n    for name in NAMES:\n"
        "        assert tools[name]('')['error']\n",
        6,
    ),
    "a helper": (
        "def ask(server, name, title):\n    return server.handlers[name](title)\n\n\n"
        "def test_it(server):\n    assert ask(server, 'count', '')['error']\n",
        6,
    ),
    "a search": (
        "def test_it(server):\n    tool = next(each for each in server.listed() if each.name == 'count')\n"
        "    assert tool.fn('')['error']\n",
        3,
    ),
}


@pytest.mark.parametrize(("test", "line"), BY_VARIABLE.values(), ids=BY_VARIABLE)
def test_a_test_is_to_be_looked_at_that_has_the_name_of_a_tool_in(
    tmp_path: Path, errlint: Run, test: str, line: int
) -> None:
    server = (
        "from fastmcp import FastMCP\n\nserver = FastMCP('shelf')\n\n\n@server.tool()\n"
        "def count(title: str) -> dict:\n    return {'error': 'no title'}\n"
    )
    (tmp_path / "tests").mkdir()
    (tmp_path / "tests" / "test_server.py").write_text(f"import pytest\n{test}", encoding="utf-8")
    said = told(tmp_path, errlint, server=server)
    assert f"    tests/test_server.py:{line + 1}  looks for an error of `count`\n" in said


def test_a_test_that_only_asks_whether_a_tool_is_registered_is_not_named(tmp_path: Path, errlint: Run) -> None:
    server = (
        "from fastmcp import FastMCP\n\nserver = FastMCP('shelf')\n\n\n@server.tool()\n"
        "def count(title: str) -> dict:\n    return {'error': 'no title'}\n"
    )
    test = (
        "NAMES = ['count']\n\n\ndef ask(tools, name):\n    return tools[name]\n\n\n"
        "def test_names(tools):\n    assert 'count' in tools\n"
        "    assert any(each.name == 'count' for each in tools.values())\n\n\n"
        "def test_described(tools):\n    for name in NAMES:\n        assert tools[name].description\n"
    )
    (tmp_path / "tests").mkdir()
    (tmp_path / "tests" / "test_server.py").write_text(test, encoding="utf-8")
    assert "test_server.py" not in told(tmp_path, errlint, server=server)


def test_a_test_that_asks_for_a_resource_by_its_uri_is_to_be_looked_at(tmp_path: Path, errlint: Run) -> None:
    server = (
        "from fastmcp import FastMCP\n\n\ndef register(server: FastMCP) -> None:\n"
        "    @server.resource('shelf://{shelf}/books')\n    def books(shelf: str) -> dict:\n"
        "        return {'error': f'no shelf {shelf}'}\n"
    )
    test = (
        "def test_template(registered):\n    assert registered.resources['shelf://{shelf}/books']('x')['error']\n\n\n"
        "def test_value(client):\n    assert client.read_resource('shelf://x/books')['error']\n\n\n"
        "def test_other(client):\n    assert client.read_resource('shelf://x/authors')['error']\n"
    )
    (tmp_path / "tests").mkdir()
    (tmp_path / "tests" / "test_server.py").write_text(test, encoding="utf-8")
    said = told(tmp_path, errlint, server=server)
    assert [line.split()[0] for line in said.splitlines() if "test_server.py" in line] == [
        "tests/test_server.py:2",
        "tests/test_server.py:6",
    ]


NESTED = """\
import json

from mcp.server.fastmcp import FastMCP


def register(server: FastMCP, client) -> None:
    @server.tool()
    def count(title: str) -> str:
        try:
            found = client.count(title)
        except Exception as error:
            return f"Error counting books: {error}"
        if not found:
            return "No books"
        return json.dumps({"title": title, "copies": found})


def unrelated(client) -> int:
    return client.count("emma")
"""

OF_SUCCESSES = {
    "reads a key": 'assert json.loads(answer[0].text)["copies"] == 2',
    "looks for what it hands to a stand-in": 'assert "two copies" in answer[0].text',
    "looks for what the function says": 'assert "No books" in answer[0].text',
    "compares the answer": 'assert answer[0].text == "two copies"',
    "denies what all errors say": 'text = answer[0].text\n    assert "error counting" not in text.lower()',
    "reads it as JSON": "found = json.loads(answer[0].text)\n    assert found",
}

META = """\
from fastmcp import FastMCP

server = FastMCP('shelf')


@server.tool()
def count(title: str) -> dict:
    try:
        return {'content': title, '_meta': {'copies': len(title)}}
    except ValueError as exc:
        return {'content': [{'type': 'text', 'text': str(exc)}], 'isError': True, '_meta': exc.data}
"""


def test_a_test_that_demands_an_error_is_named_whatever_else_it_reads(tmp_path: Path, errlint: Run) -> None:
    test = (
        "def test_it(case, server):\n    found = server.tools['count']('x')\n"
        "    case.assertTrue(found['isError'])\n    case.assertEqual(1, found['_meta']['copies'])\n"
    )
    (tmp_path / "tests").mkdir()
    (tmp_path / "tests" / "test_server.py").write_text(test, encoding="utf-8")
    assert "    tests/test_server.py:3  looks for an error of `count`\n" in told(tmp_path, errlint, server=META)


@pytest.mark.parametrize(("key", "is_named"), [("copies", False), ("reason", True)])
def test_a_key_below_one_that_errors_have_tells_a_success_that_the_function_names(
    tmp_path: Path, errlint: Run, key: str, is_named: bool
) -> None:
    test = f"def test_it(server):\n    found = server.tools['count']('x')\n    assert found['_meta']['{key}'] == 1\n"
    (tmp_path / "tests").mkdir()
    (tmp_path / "tests" / "test_server.py").write_text(test, encoding="utf-8")
    said = told(tmp_path, errlint, server=META)
    assert "raise ToolError(" in (tmp_path / "shelf" / "server.py").read_text("utf-8")
    assert ("test_server.py" in said) is is_named


OF_FUNCTIONS_INSIDE = {
    "runs": ("asyncio.run(ask())", []),
    "hands on": ("later(ask)", ["tests/test_server.py:6"]),
}


@pytest.mark.parametrize(("use", "lines"), OF_FUNCTIONS_INSIDE.values(), ids=OF_FUNCTIONS_INSIDE)
def test_what_a_test_claims_counts_in_a_function_inside_that_it(
    tmp_path: Path, errlint: Run, use: str, lines: list[str]
) -> None:
    test = (
        "import asyncio, json\n\n\ndef test_it(server):\n    async def ask():\n"
        '        answer = await server.call_tool("count", {"title": "emma"})\n'
        f'        assert json.loads(answer[0].text)["copies"] == 2\n\n    {use}\n'
    )
    (tmp_path / "tests").mkdir()
    (tmp_path / "tests" / "test_server.py").write_text(test, encoding="utf-8")
    said = told(tmp_path, errlint, server=NESTED)
    assert [line.split()[0] for line in said.splitlines() if "test_server.py" in line] == lines


OF_WHATEVER = {
    "asks for something": "assert answer is not None",
    "asks for nothing": "assert True",
    "looks for a text from elsewhere": 'assert "not in this house" in answer[0].text',
    "looks for a text from elsewhere, as unittest does": 'case.assertIn("not in this house", answer[0].text)',
    "denies a success": 'assert "No books" not in answer[0].text',
    "reads a key below a condition": 'if answer:\n        assert json.loads(answer[0].text)["copies"] == 2',
    "compares two answers": 'assert answer == await server.call_tool("list", {})',
}


def served_test(folder: Path, errlint: Run, claim: str) -> list[str]:
    """Return the lines of a test with a claim that a fix of a nested tool asks to look at."""
    test = (
        "import json\n\n\nasync def test_it(server, client):\n"
        '    """A book that is not in this house."""\n    client.count.return_value = "two copies"\n'
        f'    answer = await server.call_tool("count", {{"title": "emma"}})\n    {claim}\n'
    )
    (folder / "tests").mkdir()
    (folder / "tests" / "test_server.py").write_text(test, encoding="utf-8")
    said = told(folder, errlint, server=NESTED)
    assert "raise ToolError(" in (folder / "shelf" / "server.py").read_text(encoding="utf-8")
    assert "unrelated" not in said and "another function of its name" not in said
    return [line.split()[0] for line in said.splitlines() if "test_server.py" in line]


@pytest.mark.parametrize("claim", OF_SUCCESSES.values(), ids=OF_SUCCESSES)
def test_a_test_that_no_error_passes_is_not_named_where_it(tmp_path: Path, errlint: Run, claim: str) -> None:
    assert served_test(tmp_path, errlint, claim) == []


@pytest.mark.parametrize("claim", OF_WHATEVER.values(), ids=OF_WHATEVER)
def test_a_test_that_an_error_may_pass_is_named_where_it(tmp_path: Path, errlint: Run, claim: str) -> None:
    assert served_test(tmp_path, errlint, claim) == ["tests/test_server.py:7"]


OF_SUCCESSES_IN_ALL_LIKELIHOOD = {
    "has its work done": "client.count.assert_called_once_with('emma')",
    "counts what was stored": "assert len(client.stored) == 1",
    "takes what was stored": "assert client.stored[0].title == 'emma'",
    "is told a success": 'assert json.loads(answer[0].text)["success"] is True',
    "accepts one of several texts": 'assert "two copies" in answer[0].text or "No books" in answer[0].text',
    "denies any error": 'assert "error" not in answer[0].text.lower()',
}


@pytest.mark.parametrize("claim", OF_SUCCESSES_IN_ALL_LIKELIHOOD.values(), ids=OF_SUCCESSES_IN_ALL_LIKELIHOOD)
def test_a_test_is_only_counted_that_should_pass_as_it(tmp_path: Path, errlint: Run, claim: str) -> None:
    assert served_test(tmp_path, errlint, claim) == []
    # the fix itself is as unsure as before
    assert "Raise" not in errlint("--isolated", "--no-cache", "--fix").err


OF_ERRORS = {
    "looks for its text": ('assert "Error counting books" in answer[0].text', "will fail"),
    "looks for an error": ('assert "failed" in answer[0].text.lower()', "may fail"),
    "looks for an error in one run": (
        'if answer:\n        assert json.loads(answer[0].text)["copies"] == 2\n'
        '    else:\n        assert "Error counting" in answer[0].text',
        "will fail",
    ),
    "has an answer twice": (
        'assert json.loads(answer[0].text)["copies"] == 2\n'
        '    answer = await server.call_tool("count", {})\n    assert "Error counting" in answer[0].text',
        "may fail",
    ),
}


@pytest.mark.parametrize(("claim", "what"), OF_ERRORS.values(), ids=OF_ERRORS)
def test_a_test_that_will_fail_is_told_apart_where_it(tmp_path: Path, errlint: Run, claim: str, what: str) -> None:
    (tmp_path / "tests").mkdir()
    asked = '    answer = await server.call_tool("count", {})\n'
    test = f"import json\n\n\nasync def test_it(server):\n{asked}    {claim}\n"
    (tmp_path / "tests" / "test_server.py").write_text(test, encoding="utf-8")
    said = told(tmp_path, errlint, server=NESTED).splitlines()
    at = next(index for index, line in enumerate(said) if "tests/test_server.py" in line)
    assert said[at - 1].startswith(f"  1 test that {what}")


OBJECTS = """\
from dataclasses import dataclass

from fastmcp import FastMCP

server = FastMCP('shelf')


@dataclass
class Answer:
    ok: bool
    error: str = ''
    error_code: str = ''
    copies: int = 0


@server.tool()
def count(title: str) -> Answer:
    if not title:
        return Answer(ok=False, error='no title', error_code='no_title')
    return Answer(ok=True, copies=title.count('no_title'))
"""

OF_OBJECTS = {
    "no success": ("assert found.ok is False", True),
    "its code": ("assert found.error_code == 'no_title'", True),
    "another code": ("assert found.error_code == 'no_shelf'", False),
    "an error": ("assert found.error", True),
    "a success": ("assert found.ok, found.error", False),
    "no error": ("assert not found.error", False),
}


@pytest.mark.parametrize(("claim", "is_named"), OF_OBJECTS.values(), ids=OF_OBJECTS)
def test_a_test_is_to_be_looked_at_that_asks_an_object_for(
    tmp_path: Path, errlint: Run, claim: str, is_named: bool
) -> None:
    test = f"from shelf.server import count\n\n\ndef test_it():\n    found = count('x')\n    {claim}\n"
    (tmp_path / "tests").mkdir()
    (tmp_path / "tests" / "test_server.py").write_text(test, encoding="utf-8")
    said = told(tmp_path, errlint, server=OBJECTS)
    assert "raise ToolError(" in (tmp_path / "shelf" / "server.py").read_text("utf-8")
    assert ("test_server.py" in said) is is_named


ROUTES = """\
from fastapi import FastAPI, HTTPException

app = FastAPI()


def find(title: str) -> dict:
    if not title:
        return {"error": "no title"}
    return {"title": title}


@app.get("/shelf")
def shelf(title: str) -> dict:
    return find(title)


@app.get("/told")
def told(title: str) -> dict:
    found = find(title)
    if "error" in found:
        return {"title": found["error"]}
    return found
"""


def test_a_caller_reads_the_text_of_an_error_of_the_web_by_its_detail(tmp_path: Path, errlint: Run) -> None:
    told(tmp_path, errlint, server=ROUTES)
    after = (tmp_path / "shelf" / "server.py").read_text("utf-8")
    assert after.endswith(
        "    try:\n        found = find(title)\n    except HTTPException as exc:\n"
        '        return {"title": exc.detail}\n    return found\n'
    )


OTHER_SERVER = """\
from mcp.server.fastmcp import FastMCP

other = FastMCP("other")


@other.tool()
def ping() -> dict:
    return {"pong": True}
"""
COUNTING = "@server.tool()\ndef count(title: str) -> dict:\n    return {'error': 'no title'}\n"
TAKING = f"def register(server):\n{indent(COUNTING, '    ')}"
USING = f"\n\n{COUNTING}"
MAKING = "from fastmcp import FastMCP\n\nserver = FastMCP('shelf')\n"
HANDING = "from shelf.tools import register\n\n"
OF_FRAMEWORKS = {
    "its file imports": ({"app": MAKING, "tools": f"from shelf.app import server\n{USING}"}, "fastmcp"),
    "its file imports by another name": (
        {"app": MAKING, "tools": "from shelf.app import server as own\n" + USING.replace("server", "own")},
        "fastmcp",
    ),
    "its file imports through another one": (
        {"app": MAKING, "more": "from shelf.app import server\n", "tools": f"from shelf.more import server\n{USING}"},
        "fastmcp",
    ),
    "its function is handed": ({"app": f"{HANDING}{MAKING}register(server)\n", "tools": TAKING}, "fastmcp"),
    "its function is handed at once": (
        {"app": f"{HANDING}from fastmcp import FastMCP\n\nregister(FastMCP('shelf'))\n", "tools": TAKING},
        "fastmcp",
    ),
    "its function is handed from elsewhere": (
        {"app": f"{HANDING}from shelf.other import other\n\nregister(other)\n", "tools": TAKING},
        "mcp.server.fastmcp",
    ),
    "its function is handed twice": (
        {
            "app": f"{HANDING}{MAKING}register(server)\n",
            "more": f"{HANDING}from shelf.other import other\n\nregister(other)\n",
            "tools": TAKING,
        },
        "",
    ),
}


@pytest.mark.parametrize(("files", "framework"), OF_FRAMEWORKS.values(), ids=OF_FRAMEWORKS)
def test_an_error_is_one_of_the_framework_of_the_server_that(
    tmp_path: Path, errlint: Run, files: dict[str, str], framework: str
) -> None:
    # What serves the errors is known here, although another file has a server of another framework.
    said = told(tmp_path, errlint, other=OTHER_SERVER, **files)
    after = (tmp_path / "shelf" / "tools.py").read_text("utf-8")
    assert ("raise ToolError('no title')\n" in after) is bool(framework)
    assert (f"from {framework}.exceptions import ToolError\n" in after) is bool(framework)
    assert ("1 refused" in said) is (not framework)


IMPORTED = {
    "the exception": ("from fastmcp.exceptions import ToolError", "ToolError", False),
    "another one of its name": ("from shelf.other import ToolError", "exceptions.ToolError", True),
}


@pytest.mark.parametrize(("line", "raised", "is_added"), IMPORTED.values(), ids=IMPORTED)
def test_an_import_that_nothing_uses_yet_may_be_that_of(
    tmp_path: Path, errlint: Run, line: str, raised: str, is_added: bool
) -> None:
    server = (
        f"from fastmcp import FastMCP\n{line}\n\nserver = FastMCP('shelf')\n\n\n@server.tool()\n"
        "def count(title: str) -> dict:\n    return {'error': 'no title'}\n"
    )
    told(tmp_path, errlint, server=server)
    after = server.replace("return {'error': 'no title'}", f"raise {raised}('no title')")
    if is_added:
        after = after.replace("import FastMCP", "import FastMCP, exceptions")
    assert (tmp_path / "shelf" / "server.py").read_text("utf-8") == after


STUBS = {
    "by its name": ("import sys, types\n\nsys.modules['fastmcp'] = types.ModuleType('fastmcp')\n", 3),
    "for a test": (
        "import sys\n\n\ndef stub(monkeypatch, made):\n    monkeypatch.setitem(sys.modules, 'fastmcp', made)\n",
        5,
    ),
    "among others": (
        "from mock import patch\n\npatch.dict('sys.modules', {'uvx': made, 'fastmcp': made}).start()\n",
        3,
    ),
    "with the name, but not in its module": ("import sys\n\nsys.modules['fastmcp'] = made(ToolError)\n", 3),
    "by a helper": (
        "import sys\n\n\ndef put(name, made):\n    sys.modules[name] = made\n\n\nput('fastmcp', object())\n",
        8,
    ),
}


def stubbed(folder: Path, errlint: Run, conftest: str) -> list[str]:
    """Return what is said about a test file where a server comes to import from ``fastmcp.exceptions``."""
    server = (
        "from fastmcp import FastMCP\n\nserver = FastMCP('shelf')\n\n\n@server.tool()\n"
        "def count(title: str) -> dict:\n    return {'error': 'no title'}\n"
    )
    (folder / "tests").mkdir()
    (folder / "tests" / "conftest.py").write_text(conftest, encoding="utf-8")
    said = told(folder, errlint, server=server).splitlines()
    return [line for line in said if "conftest.py" in line]


@pytest.mark.parametrize(("conftest", "line"), STUBS.values(), ids=STUBS)
def test_a_module_that_tests_put_in_the_place_of_a_framework_is_named(
    tmp_path: Path, errlint: Run, conftest: str, line: int
) -> None:
    assert stubbed(tmp_path, errlint, conftest) == [
        f"    tests/conftest.py:{line}  puts a module without `fastmcp.exceptions` in the place of `fastmcp`: "
        "all tests fail of what imports it now"
    ]


def test_a_module_of_tests_is_named_that_lacks_what_is_imported(tmp_path: Path, errlint: Run) -> None:
    conftest = "import sys\n\nsys.modules['fastmcp'] = sys.modules['fastmcp.exceptions'] = object()\n"
    assert stubbed(tmp_path, errlint, conftest) == [
        "    tests/conftest.py:3  puts a module without `ToolError` in the place of `fastmcp.exceptions`: "
        "all tests fail of what imports it now"
    ]


NO_STUBS = {
    "has the module, too": "import sys\n\nsys.modules['fastmcp'] = sys.modules['fastmcp.exceptions'] = ToolError\n",
    "is of another": "import sys\n\nsys.modules['uvx'] = object()\nrequire('fastmcp')\n",
    "is asked for": "import sys\n\nassert sys.modules['fastmcp']\n",
}


@pytest.mark.parametrize("conftest", NO_STUBS.values(), ids=NO_STUBS)
def test_a_module_is_not_named_that(tmp_path: Path, errlint: Run, conftest: str) -> None:
    assert stubbed(tmp_path, errlint, conftest) == []


IN_PART = """\
from fastmcp import FastMCP

server = FastMCP('shelf')


@server.tool()
def count(title: str) -> dict:
    result = {'success': True, 'copies': 0, 'state': 'lent', 'issues': []}
    if not title:
        return {'success': False, 'state': 'failed', 'copies': 0, 'issues': [{'error': 'no title', 'line': 1}]}
    return result
"""

OF_BOTH = {
    "a status beside a success": "assert found['success'] is True\n    assert found['state'] == 'failed'",
    "a key of which nothing is known": "assert found['success'] is False\n    assert found['issues'][0]['line'] == 1",
}


@pytest.mark.parametrize("claim", OF_BOTH.values(), ids=OF_BOTH)
def test_a_test_is_not_counted_as_one_that_should_pass_that_reads(tmp_path: Path, errlint: Run, claim: str) -> None:
    test = f"from shelf.server import server\n\n\ndef test_it():\n    found = server.tools['count']('')\n    {claim}\n"
    (tmp_path / "tests").mkdir()
    (tmp_path / "tests" / "test_server.py").write_text(test, encoding="utf-8")
    said = told(tmp_path, errlint, server=IN_PART)
    assert "raise ToolError(" in (tmp_path / "shelf" / "server.py").read_text("utf-8")
    assert "    tests/test_server.py:" in said


USERS = """\
import pytest
from unittest.mock import Mock


@pytest.fixture
def client():
    client = Mock()
    client.count = Mock(return_value=2)
    return client


@pytest.fixture
def answer(server):
    return server.call_tool("count", {"title": ""})


def test_of_the_answer(answer):
    assert "Error counting" in answer[0].text


def test_of_something_else(server, client):
    assert "error" in server.call_tool("list", {})
    client.count.assert_not_called()
"""


def test_a_mock_is_no_use_and_a_fixture_is_one_of_the_tests_that_have_it(tmp_path: Path, errlint: Run) -> None:
    (tmp_path / "tests").mkdir()
    (tmp_path / "tests" / "test_server.py").write_text(USERS, encoding="utf-8")
    lines = [line.split()[0] for line in told(tmp_path, errlint, server=NESTED).splitlines() if "test_server" in line]
    assert lines == ["tests/test_server.py:18"]


@pytest.mark.parametrize(
    ("claim", "line"),
    [
        ("def count(title):\n        raise LookupError('burnt')\n\n    client.count = count\n    {}", 7),
        ("client.count.side_effect = LookupError('burnt')\n    {}", 8),
    ],
    ids=["raises", "is told to raise"],
)
def test_a_test_that_looks_for_what_its_stand_in(tmp_path: Path, errlint: Run, claim: str, line: int) -> None:
    said = served_test(tmp_path, errlint, claim.format("assert 'burnt' in answer[0].text"))
    assert said == [f"tests/test_server.py:{line}"]


def test_a_test_of_all_functions_of_a_module_is_to_be_looked_at(tmp_path: Path, errlint: Run) -> None:
    server = (
        "from fastmcp import FastMCP\n\nserver = FastMCP('shelf')\n\n\n@server.tool()\n"
        "def count(title: str) -> dict:\n    return {'error': 'no title'}\n"
    )
    test = (
        "import inspect\n\n\ndef test_all():\n    for name in ('server', 'list'):\n"
        "        module = __import__(f'shelf.{name}', fromlist=['*'])\n"
        "        for _, function in inspect.getmembers(module):\n            assert function('')\n"
    )
    (tmp_path / "tests").mkdir()
    (tmp_path / "tests" / "test_server.py").write_text(test, encoding="utf-8")
    said = told(tmp_path, errlint, server=server)
    assert "    tests/test_server.py:7  goes through all functions of a module\n" in said


HANDED = """\
from mcp.server import Server
from mcp.types import TextContent


class Shelf:
    def __init__(self):
        self.server = Server("shelf")
        self.server.call_tool()(self._call)

    async def _call(self, name, arguments=None):
        return await dispatch(name)


async def dispatch(name):
    if name != "count":
        return [TextContent(type="text", text=f"Error: there is no {name}")]
    return [TextContent(type="text", text="2")]
"""


def test_a_method_that_is_handed_to_what_call_tool_returns_is_served(tmp_path: Path, errlint: Run) -> None:
    told(tmp_path, errlint, server=HANDED)
    assert 'raise ValueError(f"Error: there is no {name}")\n' in (tmp_path / "shelf/server.py").read_text("utf-8")


LISTED = """\
def count(title: str) -> dict:
    return {"error": f"no {title}"}


TOOLS = [count]
"""


def test_what_the_configuration_calls_a_tool_is_served_by_the_only_framework(tmp_path: Path, errlint: Run) -> None:
    (tmp_path / "errlint.toml").write_text('[adapters]\npaths = ["shelf/tools.py"]\n')
    (tmp_path / "shelf").mkdir()
    server = "from fastmcp import FastMCP\nfrom shelf.tools import TOOLS\n\nserver = FastMCP('shelf', tools=TOOLS)\n"
    for name, text in (("__init__", ""), ("tools", LISTED), ("server", server)):
        (tmp_path / "shelf" / f"{name}.py").write_text(text, encoding="utf-8")
    said = errlint("--no-cache", "--fix", "--unsafe-fixes").err
    assert 'raise ToolError(f"no {title}")\n' in (tmp_path / "shelf/tools.py").read_text("utf-8")
    assert "    shelf/tools.py:8  who calls `count` after it was handed on here gets an exception\n" in said


def test_a_script_that_calls_what_a_tool_answers_is_named(tmp_path: Path, errlint: Run) -> None:
    books = "def count(title: str) -> dict:\n    if not title:\n        return {'error': 'no title'}\n    return {}\n"
    server = (
        "from fastmcp import FastMCP\nfrom shelf.books import count\n\nserver = FastMCP('shelf')\n\n\n"
        "@server.tool()\ndef ask(title: str) -> dict:\n    return count(title)\n"
    )
    script = "import json\n\nfrom shelf.books import count\n\nprint(json.dumps(count('emma')))\n"
    said = told(tmp_path, errlint, books=books, server=server, script=script)
    assert "raise ToolError('no title')\n" in (tmp_path / "shelf/books.py").read_text("utf-8")
    text = "`count` is called here when the file is run, and raises its errors from now on"
    assert f"    shelf/script.py:5  {text}\n" in said


def test_a_module_that_goes_on_with_an_answer_when_it_is_imported_keeps_it(tmp_path: Path, errlint: Run) -> None:
    books = (
        "def books(path):\n    if path:\n        return {'on': True}\n    return {'on': False, 'error': 'no path'}\n"
    )
    server = (
        "from fastmcp import FastMCP\nfrom shelf.books import books\n\ntold = books('')\nif told['on']:\n    print(1)\n"
        "server = FastMCP('shelf')\n\n\n@server.tool()\ndef ask(title: str) -> str:\n    return title\n"
    )
    said = told(tmp_path, errlint, books=books, server=server)
    assert (tmp_path / "shelf/books.py").read_text("utf-8") == books
    assert said == "0 fixed, 1 refused.\n"
    why = errlint("--no-cache", "--diff", "--unsafe-fixes").err
    assert "the module goes on with what `books` answers when it is run" in why
    assert "shelf/books.py:4 in `books`, see shelf/server.py:4" in why


def test_a_class_method_that_builds_an_error_is_read(tmp_path: Path, errlint: Run) -> None:
    server = (
        "from dataclasses import dataclass\nfrom fastmcp import FastMCP\n\nserver = FastMCP('shelf')\n\n\n"
        "@dataclass\nclass Answer:\n    status: str\n    message: str\n\n    @classmethod\n"
        "    def error(cls, message):\n        return cls(status='error', message=message)\n\n\n"
        "@server.tool()\ndef count(title: str) -> Answer:\n    if not title:\n"
        "        return Answer.error('no title')\n    return Answer(status='ok', message='2')\n"
    )
    told(tmp_path, errlint, server=server)
    assert "        raise ToolError('no title')\n" in (tmp_path / "shelf/server.py").read_text("utf-8")


OF_EXCEPTIONS = {
    "the text of it": (
        'return {"error": str(error), "tool": tool, "hints": hints}',
        "raise ToolError(str(error)) from",
    ),
    "a text with it": (
        'return {"error": f"Failed: {error}", "tool": tool, "hints": hints}',
        'raise ToolError(f"Failed: {error}") from',
    ),
    "what is made of it": (
        'text = str(error)[:200]\n    return {"error": text, "hints": hints}',
        'raise ToolError(failed("count", error)["error"]) from',
    ),
}


@pytest.mark.parametrize(("answer", "raised"), OF_EXCEPTIONS.values(), ids=OF_EXCEPTIONS)
def test_a_factory_that_is_handed_any_exception_gives_its_message(
    tmp_path: Path, errlint: Run, answer: str, raised: str
) -> None:
    server = (
        "from fastmcp import FastMCP\n\nserver = FastMCP('shelf')\n\n\ndef failed(tool, error):\n    hints = []\n"
        f"    if 'time' in str(error):\n        hints.append('wait')\n    {answer}\n\n\n@server.tool()\n"
        "def count(title: str) -> dict:\n    try:\n        return {'copies': int(title)}\n"
        '    except Exception as error:\n        return failed("count", error)\n'
    )
    told(tmp_path, errlint, server=server)
    assert f"        {raised} error\n" in (tmp_path / "shelf" / "server.py").read_text("utf-8")


UNCALLED = """\
def sell(count):
    if count < 1:
        return {"error": "no copies"}
    return {"sold": count}
"""


def test_a_function_that_nothing_here_calls_raises_unsafely(tmp_path: Path, errlint: Run) -> None:
    served = "@server.tool()\ndef count(): ...\n\n\n"
    output = told(
        tmp_path, errlint, server=f"from fastmcp import FastMCP\n\nserver = FastMCP('shelf')\n\n\n{served}{UNCALLED}"
    )
    assert "  nothing here calls `sell`, tests aside: who does elsewhere gets an exception\n" in output
    assert 'raise ValueError("no copies")' in (tmp_path / "shelf" / "server.py").read_text("utf-8")


PLUGIN = """\
from host.plugins import Plugin


class Shelf({base}):
    def answer(self, name, count):
        try:
            return self._sell(count)
        except Exception as exc:
            return {{"error": f"{{name}} failed: {{exc}}"}}

    def _sell(self, count):
        if count < 1:
            return {{"error": "no copies"}}
        if count > 99:
            raise KeyError(count)
        try:
            return {{"sold": count, "price": price(count)}}
        except OSError as exc:
            return {{"error": f"no price: {{exc}}"}}
"""


@pytest.mark.parametrize(
    ("base", "calls", "is_refused"),
    [
        ("Plugin", "", True),
        ("object", "", False),
        ("BaseModel", "", False),
        ("Plugin", "    return shelf.answer('sell', title)\n", False),
    ],
)
def test_the_host_of_a_plugin_gets_no_exception(
    tmp_path: Path, errlint: Run, base: str, calls: str, is_refused: bool
) -> None:
    plugin = PLUGIN.format(base=base)
    served = f"@server.tool()\ndef count(title, shelf):\n    print(title)\n{calls}\n\n"
    server = f"from fastmcp import FastMCP\n\nserver = FastMCP('shelf')\n\n\n{served}"
    output = told(tmp_path, errlint, server=server, plugin=plugin)
    text = "`Plugin`, which is not of the project, may call `Shelf.answer`: what it does with an exception is not known"
    assert ("0 fixed, 3 refused." in output) == is_refused
    if is_refused:
        assert text in errlint("--isolated", "--no-cache", "--fix", "--unsafe-fixes", "--show-fixes").out
    written = (tmp_path / "shelf" / "plugin.py").read_text("utf-8")
    assert (written == plugin) == is_refused
    assert ("raise\n" in written) != is_refused
    if not calls and not is_refused:  # both errors pass the handler by one clause
        assert "        except (RuntimeError, ValueError):\n            raise\n        except Exception" in written


DISPATCHING = """\
from mcp.server import Server
from mcp.types import TextContent

server = Server("shelf")


async def sell(count):
    if count < 1:
        return [TextContent(type="text", text="Error: no copies")]
    return [TextContent(type="text", text="sold")]


def _kw(handler):
    async def run(arguments):
        return await handler(**arguments)
    return run


WAYS = {"sell": (len, _kw(sell))}


async def dispatch(name, arguments):
    entry = WAYS.get(name)
    if entry is None:
        raise KeyError(name)
    _, run = entry
    return await run(arguments)


@server.call_tool()
async def call_tool(name: str, arguments: dict) -> list[TextContent]:
    try:
        return await dispatch(name, arguments)
    except Exception as exc:
        return [TextContent(type="text", text=f"Error: {exc}")]
"""


def test_an_error_passes_the_handlers_around_a_call_out_of_a_table_of_a_module(tmp_path: Path, errlint: Run) -> None:
    (tmp_path / "server.py").write_text(DISPATCHING)
    done = errlint("--isolated", "--no-cache", "--fix", "--unsafe-fixes")
    assert "    server.py:19  who calls `sell` after it was handed on here gets an exception\n" in done.err
    fixed = (tmp_path / "server.py").read_text()
    assert 'raise ValueError("Error: no copies")' in fixed
    assert "    except ValueError:\n        raise\n    except Exception as exc:\n" in fixed


KEPT_TABLE = """\
from mcp.server import Server
from mcp.types import TextContent

server = Server("shelf")


class Shop:
    def __init__(self, count=None):
        self._ways = None
        self._count = count

    def sell(self, arguments):
        if not arguments:
            return [TextContent(type="text", text="Error: no copies")]
        return [TextContent(type="text", text="sold")]

    def _table(self):
        if self._ways is not None:
            return self._ways
        table: dict = {"sell": self.sell}
        self._ways = table
        return table

    def _counting(self):
        return self._count or count

    def run(self, name, arguments):
        way = self._table().get(name)
        if way is None:
            raise KeyError(name)
        return way(arguments)

    def answer(self, name, arguments):
        try:
            return self.run(name, arguments)
        except Exception as exc:
            return [TextContent(type="text", text=f"Error: {exc}")]


def count(arguments):
    if "title" not in arguments:
        return [TextContent(type="text", text="Error: no title")]
    return [TextContent(type="text", text="one")]


SHOP = Shop()


@server.call_tool()
async def call_tool(name: str, arguments: dict) -> list[TextContent]:
    try:
        return SHOP.answer(name, arguments)
    except Exception as exc:
        return [TextContent(type="text", text=f"Error: {exc}")]
"""


def test_an_error_passes_the_handlers_around_a_call_out_of_a_table_that_a_method_keeps(
    tmp_path: Path, errlint: Run
) -> None:
    (tmp_path / "server.py").write_text(KEPT_TABLE)
    done = errlint("--isolated", "--no-cache", "--fix", "--unsafe-fixes")
    assert "    server.py:20  who calls `Shop.sell` after it was handed on here gets an exception\n" in done.err
    assert "    server.py:25  who calls `count` after it was handed on here gets an exception\n" in done.err
    fixed = (tmp_path / "server.py").read_text()
    assert 'raise ValueError("Error: no copies")' in fixed
    assert 'raise ValueError("Error: no title")' in fixed
    assert fixed.count("except ValueError:\n            raise\n        except Exception as exc:\n") == 1
    assert fixed.count("    except (RuntimeError, ValueError):\n        raise\n    except Exception as exc:\n") == 1


HELD_BY_NAME = """\
from mcp.server import Server
from mcp.types import CallToolResult, TextContent

from shelf import tools

server = Server("shelf")


@server.call_tool()
async def call_tool(name: str, arguments: dict) -> CallToolResult:
    try:
        found = await tools.KNOWN[name].execute(arguments)
        return CallToolResult(content=found["content"])
    except Exception as exc:
        raise RuntimeError(f"Error: {exc}") from exc
"""


def test_an_error_of_a_method_that_only_its_name_calls_passes_the_handlers_of_adapters(
    tmp_path: Path, errlint: Run
) -> None:
    one = """\
class {name}:
    async def execute(self, arguments):
        if not arguments:
            return {{"content": [{{"type": "text", "text": "no {name}"}}], "isError": True}}
        return {{"content": []}}


"""
    tools = "".join(map(one.format_map, ({"name": name} for name in ("Sell", "Count"))))
    other = "def write(path, arguments):\n    path.execute(arguments)\n"
    output = told(tmp_path, errlint, server=HELD_BY_NAME, tools=f"{tools}KNOWN = load()\n", other=other)
    assert "    shelf/server.py:12  it may be called here, or another function of its name: `.execute`\n" in output
    assert "path.execute" not in output  # it waits for nothing
    assert 'raise ValueError("no Sell")' in (tmp_path / "shelf" / "tools.py").read_text("utf-8")
    assert (
        "    except ValueError:\n        raise\n    except Exception" in (tmp_path / "shelf" / "server.py").read_text()
    )


LIBRARY_ERRORS = {
    "mcp.McpError": [
        "from mcp import McpError",
        "from mcp.types import INTERNAL_ERROR, INVALID_PARAMS, ErrorData",
        'raise McpError(ErrorData(code=INVALID_PARAMS, message="no title", data={"title": title}))',
        'raise McpError(ErrorData(code=INTERNAL_ERROR, message=f"no book {title}", data={"status": 404})) from exc',
    ],
    "mcp.shared.exceptions.MCPError": [
        "from mcp.shared.exceptions import MCPError",
        "from mcp.types import INTERNAL_ERROR, INVALID_PARAMS",
        'raise MCPError(code=INVALID_PARAMS, message="no title", data={"title": title})',
        'raise MCPError(code=INTERNAL_ERROR, message=f"no book {title}", data={"status": 404}) from exc',
    ],
    "starlette.exceptions.HTTPException": [
        "from starlette.exceptions import HTTPException",
        'raise HTTPException(status_code=400, detail="no title")',
        'raise HTTPException(status_code=404, detail=f"no book {title}") from exc',
    ],
}


@pytest.mark.parametrize(("name", "lines"), LIBRARY_ERRORS.items(), ids=LIBRARY_ERRORS)
def test_an_exception_of_a_library_is_given_what_it_asks_for(
    name: str, lines: list[str], tmp_path: Path, errlint: Run
) -> None:
    code = SERVER.format(module="fastmcp", name="FastMCP").replace('"success": False, ', '"status": 404, ')
    (tmp_path / "server.py").write_text(code[: code.index("@server.tool()\nasync def lend")])
    (tmp_path / "errlint.toml").write_text(f'[exceptions]\nroot = ["{name}"]\ndefault = "{name}"\n')
    assert errlint("--fix", "--unsafe-fixes").status == 0
    written = ast.unparse(ast.parse((tmp_path / "server.py").read_text()))
    wanted = [ast.unparse(ast.parse(line)) for line in lines]
    assert [line.strip() for line in written.splitlines() if line.strip() in wanted] == wanted


def test_an_error_of_the_protocol_reaches_clients_with_its_text(tmp_path: Path, errlint: Run) -> None:
    name = "mcp.shared.exceptions.MCPError"
    (tmp_path / "server.py").write_text(SERVER.format(module="fastmcp", name="FastMCP"))
    (tmp_path / "errlint.toml").write_text(f'[exceptions]\nroot = ["{name}"]\ndefault = "{name}"\n')
    done = errlint("--fix", "--unsafe-fixes")
    assert "for `MCPError` the code `INVALID_PARAMS` was chosen" in done.err
    told = [text if is_error else None for is_error, text in ask(tmp_path, FASTMCP_CLIENT)]
    assert [text is not None and wanted in text for text, wanted in zip(told, TEXTS, strict=True) if wanted] == [
        True
    ] * 6


TOLD_OF_ITSELF = """\
import json

from fastmcp import FastMCP

from shelf.errors import ShelfError, told

server = FastMCP("shelf")


@server.tool()
def sell(title: str) -> str:
    if not title:
        return json.dumps(ShelfError("no title").to_dict())
    try:
        return str(COPIES[title])
    except ShelfError as e:
        log(title)
        return json.dumps(e.to_dict())
    except LookupError as e:
        return json.dumps(told(e))
    except Exception as e:
        return _describe_error(e)


def _describe_error(e: Exception) -> str:
    lines = ["It was sold out:"]
    lines.append(str(e))
    return "\\n".join(lines)
"""


def test_an_exception_that_tells_of_itself_is_raised(tmp_path: Path, errlint: Run) -> None:
    errors = """\
class ShelfError(Exception):
    def __init__(self, message):
        super().__init__(message)
        self.message = message

    def to_dict(self):
        result = {"error": True, "message": self.message}
        return result


def as_known(exc):
    if isinstance(exc, ShelfError):
        return exc
    return ShelfError(str(exc))


def told(exc):
    known = as_known(exc)
    return known.to_dict()
"""
    told(tmp_path, errlint, server=TOLD_OF_ITSELF, errors=errors)
    fixed = (tmp_path / "shelf" / "server.py").read_text("utf-8")
    assert '    if not title:\n        raise ShelfError("no title")\n' in fixed
    assert "    except ShelfError as e:\n        log(title)\n        raise\n" in fixed
    assert '        raise ToolError(told(e)["message"]) from e\n' in fixed
    assert "        raise ToolError(_describe_error(e)) from e\n" in fixed


def test_an_error_passes_the_handlers_of_a_tool_that_looks_a_method_up(tmp_path: Path, errlint: Run) -> None:
    server = """\
from fastmcp import FastMCP

from shelf.books import Books

server = FastMCP("shelf")
books = Books()


def run(operation: str, title: str) -> dict:
    method = getattr(books, operation)
    return method(title)


@server.tool()
def ask(operation: str, title: str) -> dict:
    try:
        return run(operation, title)
    except Exception as e:
        return {"note": str(e)}
"""
    books = """\
class Books:
    def sell(self, title):
        if not title:
            return {"success": False, "error": "no title"}
        return {"success": True}
"""
    output = told(tmp_path, errlint, server=server, books=books)
    assert "    shelf/server.py:11  `Books.sell` may be looked up by its name here\n" in output
    assert '            raise ToolError("no title")\n' in (tmp_path / "shelf" / "books.py").read_text("utf-8")
    fixed = (tmp_path / "shelf" / "server.py").read_text("utf-8")
    assert "    except ToolError:\n        raise\n    except Exception as e:\n" in fixed


RESULTS = """\
from dataclasses import dataclass

from fastmcp import FastMCP

server = FastMCP("shelf")


@dataclass
class Result:
    ok: bool
    value: str = ""
    error: str = ""

    def to_dict(self):
        return {"ok": self.ok, "value": self.value, "error": self.error}


def load(title: str) -> Result:
    if not title:
        return Result(ok=False, error="no title")
    return Result(ok=True, value=title)


def count(title: str) -> Result:
    if not title:
        return Result(ok=False, error="nothing to count")
    return Result(ok=True, value=title)


def look(title: str) -> Result | str:
    if not title:
        return Result(ok=False, error="nowhere to look")
    return title


@server.tool()
def read(title: str) -> dict:
    result = load(title)
    if not result.ok:
        return result.to_dict()
    return {"value": result.value}


@server.tool()
def tell(title: str) -> str:
    result = count(title)
    if result.ok:
        return result.value
    log(result.error)
    return "nothing"


@server.tool()
def find(title: str) -> dict:
    found = look(title)
    if isinstance(found, Result):
        return found.to_dict()
    return {"value": found}
"""


def test_checks_of_the_fields_and_the_class_of_a_result_are_read(tmp_path: Path, errlint: Run) -> None:
    output = told(tmp_path, errlint, server=RESULTS)
    assert "3 fixed in 1 file" in output
    fixed = (tmp_path / "shelf" / "server.py").read_text("utf-8")
    assert '    result = load(title)\n    return {"value": result.value}\n' in fixed
    assert '    except ValueError as exc:\n        log(str(exc))\n        return "nothing"\n' in fixed
    assert 'raise ToolError("nowhere to look")' in fixed


def test_a_check_of_a_field_that_does_not_see_an_error_refuses_the_fix(tmp_path: Path, errlint: Run) -> None:
    server = """\
from fastmcp import FastMCP

from shelf.results import Result

server = FastMCP("shelf")


def load(title: str) -> Result:
    if not title:
        return Result(ok=False, error="no title", late=True)
    return Result(ok=True)


@server.tool()
def read(title: str) -> dict:
    result = load(title)
    if not result.late:
        return result.to_dict()
    return {"value": result.value}
"""
    told(tmp_path, errlint, server=server, results="class Result:\n    pass\n")
    assert 'return Result(ok=False, error="no title", late=True)' in (tmp_path / "shelf" / "server.py").read_text(
        "utf-8"
    )


HANDED_ON = """\
class Files:
    def find(self, pattern: str) -> dict:
        try:
            return {"total": 1, "lines": open(pattern).readlines()}
        except Exception as e:
            return {"total": 0, "lines": [], "error": str(e)}

    def around(self, line: str) -> dict:
        found = self.find(line)

        if "error" in found:
            return {"match_found": False, "error": found["error"]}

        if found["total"] == 0:
            return {"match_found": False, "error": "nothing there"}

        return {"match_found": True, "lines": found["lines"]}

    def replace(self, line: str) -> dict:
        try:
            found = self.around(line)
            if not found["match_found"]:
                return {"success": False, "error": found["error"]}
            return {"success": True}
        except Exception as e:
            return {"success": False, "error": str(e)}


files = Files()


@mcp.tool()
def find(pattern: str) -> dict:
    return files.find(pattern)


@mcp.tool()
def around(line: str) -> dict:
    return files.around(line)


@mcp.tool()
def replace(line: str) -> dict:
    return files.replace(line)
"""
HANDED_ON_RAISED = """\
class Files:
    def find(self, pattern: str) -> dict:
        try:
            return {"total": 1, "lines": open(pattern).readlines()}
        except Exception as e:
            raise ToolError(str(e)) from e

    def around(self, line: str) -> dict:
        found = self.find(line)

        if found["total"] == 0:
            raise ToolError("nothing there")

        return {"match_found": True, "lines": found["lines"]}

    def replace(self, line: str) -> dict:
        try:
            self.around(line)
            return {"success": True}
        except ToolError:
            raise
        except Exception as e:
            raise ToolError(str(e)) from e


"""


def test_an_error_that_is_handed_on_in_other_keys_passes_by_itself(tmp_path: Path, errlint: Run) -> None:
    head = 'from fastmcp import FastMCP\n\nmcp = FastMCP("files")\n\n\n'
    (tmp_path / "server.py").write_text(head + HANDED_ON)
    assert errlint("--isolated", "--no-cache", "--fix", "--unsafe-fixes").status == 0
    written = (tmp_path / "server.py").read_text()
    assert written[written.index("class Files") : written.index("files = Files")] == HANDED_ON_RAISED


def test_what_an_object_of_the_module_holds_raises_unsafely(tmp_path: Path, errlint: Run) -> None:
    server = """\
from mcp.server.lowlevel import Server

from shelf.spec import Spec

server = Server("shelf")


def sell(arguments):
    if not arguments:
        return {"success": False, "error": "no title"}
    return {"success": True}


SPEC = Spec(name="sell", handler=sell)


@server.call_tool()
async def call_tool(name, arguments):
    return SPEC.handler(arguments)
"""
    spec = "class Spec:\n    def __init__(self, name, handler):\n        self.name, self.handler = name, handler\n"
    output = told(tmp_path, errlint, server=server, spec=spec)
    assert "    shelf/server.py:14  who calls `sell` after it was handed on here gets an exception\n" in output
    assert 'raise ValueError("no title")' in (tmp_path / "shelf" / "server.py").read_text("utf-8")


def test_a_framework_that_is_only_named_by_annotations_serves_nothing(tmp_path: Path, errlint: Run) -> None:
    files = {
        "server": "import importlib\n\nfrom mcp.server.fastmcp import FastMCP\n\nserver = FastMCP('shelf')\n"
        "importlib.import_module('tools').register(server)\n",
        "tools": "def register(mcp):\n    @mcp.tool()\n    def count(title: str) -> dict:\n"
        '        if not title:\n            return {"error": "no title"}\n        return {"copies": 1}\n',
        "health": "from fastmcp import FastMCP\n\n\ndef watch(mcp: FastMCP) -> None:\n    print(mcp)\n",
    }
    write(tmp_path, files)
    assert errlint("--isolated", "--no-cache", "--fix", "--unsafe-fixes").status == 0
    assert "from mcp.server.fastmcp.exceptions import ToolError" in (tmp_path / "tools.py").read_text()


def test_a_message_below_the_error_of_a_factory_is_what_is_told(tmp_path: Path, errlint: Run) -> None:
    kit = (
        "import logging\n\n\ndef failure(text, code=None):\n    error = {'message': text}\n    if code is not None:\n"
        "        error['code'] = code\n    return {'success': False, 'error': error}\n\n\n"
        "def told(exc, text):\n    logging.warning(text)\n    if exc.args:\n"
        "        return failure(text, exc.args[0])\n    return failure(text + '!')\n"
    )
    server = (
        "from fastmcp import FastMCP\n\nfrom kit import told\n\nmcp = FastMCP('shelf')\n\n\n@mcp.tool()\n"
        "def read(path: str) -> dict:\n    try:\n        return {'text': open(path).read()}\n"
        "    except OSError as e:\n        return told(e, 'unreadable')\n"
    )
    write(tmp_path, {"server": server, "kit": kit})
    assert errlint("--isolated", "--no-cache", "--fix", "--unsafe-fixes").status == 0
    assert (
        '    raise ToolError(told(e, \'unreadable\')["error"]["message"]) from e\n'
        in (tmp_path / "server.py").read_text()
    )


def test_what_a_fix_makes_unused_goes_also_where_a_test_speaks_of_the_module(tmp_path: Path, errlint: Run) -> None:
    files = {
        "kit": "def failure(text):\n    return {'error': text}\n\n\ndef wrong(value):\n    if value == 'x':\n"
        "        return {'error': 'x is wrong'}\n    return None\n",
        "shelf": "from fastmcp import FastMCP\n\nfrom kit import failure, wrong\n\nmcp = FastMCP('shelf')\n\n\n"
        "@mcp.tool()\ndef read(titles: list) -> dict:\n    if not titles:\n        return failure('no title')\n"
        "    for title in titles:\n        bad = wrong(title)\n        if bad is not None:\n            return bad\n"
        "    return {'copies': 1}\n",
        "test_shelf": "from shelf import read\n\n\ndef test_read():\n    failures = read(['emma'])\n"
        "    assert failures == {'copies': 1}\n",
    }
    write(tmp_path, files)
    assert errlint("--isolated", "--no-cache", "--fix", "--unsafe-fixes").status == 0
    written = (tmp_path / "shelf.py").read_text()
    assert "from kit import wrong\n" in written
    assert "    for title in titles:\n        wrong(title)\n    return" in written


def test_a_factory_that_nothing_calls_any_more_goes_and_holds_nothing_back(tmp_path: Path, errlint: Run) -> None:
    (tmp_path / "server.py").write_text(
        "from fastmcp import FastMCP\n\nmcp = FastMCP('shelf')\n\n\ndef _unavailable() -> dict:\n"
        '    return {"error": True, "message": "not open today", "code": "CLOSED"}\n\n\n'
        "@mcp.tool()\ndef read(title: str) -> dict:\n    return _unavailable()\n\n\n"
        "@mcp.tool()\ndef count(title: str) -> dict:\n    if not title:\n"
        '        return {"error": "no title"}\n    return {"copies": 1}\n'
    )
    assert errlint("--isolated", "--no-cache", "--fix", "--unsafe-fixes").status == 0
    assert (tmp_path / "server.py").read_text() == (
        "from fastmcp import FastMCP\nfrom fastmcp.exceptions import ToolError\n\nmcp = FastMCP('shelf')\n\n\n"
        '@mcp.tool()\ndef read(title: str) -> dict:\n    raise ToolError("not open today")\n\n\n'
        "@mcp.tool()\ndef count(title: str) -> dict:\n    if not title:\n"
        '        raise ToolError("no title")\n    return {"copies": 1}\n'
    )


INNER = """\
from fastmcp import FastMCP

server = FastMCP("shelf")


@server.tool()
def count(title: str) -> dict:
    from .answers import failed

    return failed(f"no book {title}")
"""


def test_a_factory_that_is_imported_in_the_function_is_read(tmp_path: Path, errlint: Run) -> None:
    folder = tmp_path / "shelf"
    folder.mkdir()
    (folder / "__init__.py").write_text("")
    (folder / "answers.py").write_text("def failed(text):\n    return {'error': text}\n")
    (folder / "server.py").write_text(INNER)
    assert "1 fixed" in errlint("--isolated", "--no-cache", "--fix", "--unsafe-fixes").err
    fixed = (folder / "server.py").read_text()
    assert 'raise ToolError(f"no book {title}")' in fixed and "from .answers" not in fixed


CASTING = """\
from typing import TypedDict, cast


class Failed(TypedDict):
    error: str


def failed(*, message: str) -> Failed:
    return cast(Failed, built(message))


def built(text):
    return {"success": False, "error": text}


def why(title):
    return "Error: lent" if title == "emma" else f"Error: no {title}"
"""


def test_a_factory_that_says_what_type_it_answers_is_read_from_elsewhere(tmp_path: Path, errlint: Run) -> None:
    folder = tmp_path / "shelf"
    folder.mkdir()
    (folder / "__init__.py").write_text("")
    (folder / "answers.py").write_text(CASTING)
    server = INNER.replace("    from .answers import failed\n\n", "")
    server = server.replace('f"no book {title}"', "message=why(title)")
    (folder / "server.py").write_text(f"from shelf.answers import failed, why\n{server}")
    assert "1 fixed" in errlint("--isolated", "--no-cache", "--fix", "--unsafe-fixes").err
    assert "raise ToolError(why(title))" in (folder / "server.py").read_text()


def test_what_is_said_of_several_places_of_a_file_is_said_once(tmp_path: Path, errlint: Run) -> None:
    server = (
        "from fastmcp import FastMCP\n\nserver = FastMCP('shelf')\n\n\n@server.tool()\n"
        "def lend(title: str) -> dict:\n    if not title:\n        return {'error': 'no title', 'shelf': 1}\n"
        "    if title == 'emma':\n        return {'error': 'lent', 'shelf': 2}\n    return {'title': title}\n"
    )
    (tmp_path / "server.py").write_text(server)
    said = errlint("--isolated", "--no-cache", "--fix", "--unsafe-fixes").err
    assert "  2 places where the answer, or who gets it, changes:\n" in said
    assert "    server.py:10, 12  `ToolError` takes a message alone: clients do not get `shelf` any more\n" in said


OWN_CALL = """

class Registry:
    def call_tool(self, name, arguments):
        return TOOLS[name](**arguments)


TOOLS = {}
"""


@pytest.mark.parametrize(("more", "is_named"), [("", False), (OWN_CALL, True)], ids=["client", "registry"])
def test_a_test_that_demands_an_error_of_a_client_should_pass(
    tmp_path: Path, errlint: Run, more: str, is_named: bool
) -> None:
    (tmp_path / "tests").mkdir()
    test = (
        "async def test_it(tools):\n    tools.said = 'two copies'\n    answer = await tools.call_tool('count', {})\n"
        "    assert answer.isError is True\n    assert 'two copies' in answer.content[0].text\n"
    )
    (tmp_path / "tests" / "test_server.py").write_text(test, encoding="utf-8")
    said = told(tmp_path, errlint, server=NESTED + more)
    assert ("tests/test_server.py:" in said) is is_named


CHECKED = """\
from fastmcp import FastMCP

mcp = FastMCP("shelf")


def search(title):
    try:
        if not title:
            return {"success": False, "error": "no title"}
        return {"success": True, "found": find(title)}
    except OSError as exc:
        return {"success": False, "error": str(exc)}


@mcp.tool()
def look(title: str) -> dict:
    found = search(title)
    if found.get("success", False):
        return {"data": found}
    return {"error": found.get("error", "unknown")}
"""


def test_all_error_returns_of_a_function_go_together_so_that_nothing_is_left_to_look_for(
    tmp_path: Path, errlint: Run
) -> None:
    (tmp_path / "server.py").write_text(CHECKED)
    done = errlint("--isolated", "--no-cache", "--fix", "--unsafe-fixes")
    assert "2 fixed in 1 file" in done.err
    fixed = (tmp_path / "server.py").read_text()
    assert 'raise ToolError("no title")' in fixed
    assert "        raise ToolError(str(exc)) from exc\n" in fixed
    assert 'found.get("success", False)' not in fixed
    assert '    return {"data": found}\n' in fixed


TOLD_AROUND = """\
import logging

from fastmcp import FastMCP

logger = logging.getLogger(__name__)
mcp = FastMCP("shelf")


def search(title):
    try:
        return {{"success": True, "found": find(title)}}
    except OSError as exc:
        return {{"success": False, "error": str(exc)}}


def failed(text):
    return {{"error": text}}


@mcp.tool()
def look(title: str) -> dict:
    try:
        found = search(title)
        if found.get("success", False):
            return {{"data": found}}
        return failed(found.get("error", "unknown"))
    except Exception as error:
        logger.exception("look failed")
        return failed({answered})
"""


@pytest.mark.parametrize(("first", "is_told"), [("RuntimeError", False), ("FastMCPError", True)])
def test_a_handler_that_catches_the_error_before_one_that_tells_it_is_seen(
    tmp_path: Path, errlint: Run, first: str, is_told: bool
) -> None:
    server = TOLD_AROUND.format(answered="str(error)")
    server = server.replace("import FastMCP\n", "import FastMCP\nfrom fastmcp.exceptions import FastMCPError\n")
    server = server.replace(
        "    except Exception as error:\n", f"    except {first}:\n        raise\n    except Exception as error:\n"
    )
    (tmp_path / "server.py").write_text(server)
    done = errlint("--isolated", "--no-cache", "--fix", "--unsafe-fixes")
    assert ("are told by this handler" in done.err) is is_told


@pytest.mark.parametrize(("answered", "is_told"), [("str(error)", True), ('f"look: {error}"', False)])
def test_a_handler_that_tells_the_same_needs_none_inside_of_it(
    tmp_path: Path, errlint: Run, answered: str, is_told: bool
) -> None:
    (tmp_path / "server.py").write_text(TOLD_AROUND.format(answered=answered))
    done = errlint("--isolated", "--no-cache", "--fix", "--unsafe-fixes")
    told = "    server.py:26  errors of `search` are told by this handler, as those of anything else\n"
    assert (told in done.err) is is_told
    fixed = (tmp_path / "server.py").read_text()
    assert f"        raise ToolError({answered}) from error\n" in fixed
    alone = '    try:\n        found = search(title)\n        return {"data": found}\n    except Exception as error:\n'
    assert (alone in fixed) is is_told


def test_a_file_that_cannot_be_read_is_named(tmp_path: Path, errlint: Run) -> None:
    server = "from fastmcp import FastMCP\n\nmcp = FastMCP('a')\n\n\n@mcp.tool()\ndef find(name: str) -> dict:\n"
    (tmp_path / "server.py").write_text(f"{server}    return {{'error': name}}\n", encoding="utf-8")
    (tmp_path / "broken.py").write_text("def find(:\n", encoding="utf-8")
    said = errlint("--isolated", "--no-cache", "--diff", "--unsafe-fixes", "--show-fixes").err
    assert "    broken.py:1  the file cannot be parsed, and may use `find`\n" in said
    assert "1 fixable in 1 file" in said


MODELS = """\
from pydantic import BaseModel


class Failure(BaseModel):
    success: bool = False
    error: str
    code: str | None = None
    hint: str | None = None


class Counted(BaseModel):
    error: str

    def __len__(self) -> int:
        return 0
"""

MADE = """\
from fastmcp import FastMCP

from shelf.models import Counted, Failure

server = FastMCP("shelf")


def check(title: str) -> Failure | None:
    if not title:
        return Failure(error="no title")
    return None


def checked(title: str) -> dict | None:
    if title == "x":
        return Failure(error="no such title", code="x").model_dump()
    return None


def counted(title: str) -> Counted | None:
    if title == "y":
        return Counted(error="none of it")
    return None


@server.tool()
def read(title: str) -> dict:
    failure = check(title)
    if failure:
        return failure.model_dump()
    known = checked(title)
    if known:
        return known
    return {"title": title}


@server.tool()
def find(title: str) -> dict:
    failure = check(title)
    if failure is not None:
        return failure.model_dump()
    number = counted(title)
    if number:
        return number.model_dump()
    return {"title": title}


@server.tool()
def load(title: str) -> dict:
    if not title:
        return Failure(error="nothing to load").model_dump()
    return {"title": title}


@server.tool()
def collect(titles: list[str]) -> list:
    rows = []
    for title in titles:
        loaded = load(title)
        rows.append(loaded.get("title", loaded))
    return rows
"""


def test_objects_are_true_where_their_class_says_nothing_else_and_dicts_of_models_are_known(
    tmp_path: Path, errlint: Run
) -> None:
    said = told(tmp_path, errlint, server=MADE, models=MODELS)
    fixed = (tmp_path / "shelf" / "server.py").read_text("utf-8")
    assert '        raise ToolError("no title")\n' in fixed
    assert '        raise ToolError("no such title")\n' in fixed
    assert "    check(title)\n    checked(title)\n    return {" in fixed
    assert '        return Counted(error="none of it")\n' in fixed  # it is false, and passes the check
    again = '            loaded = {"success": False, "error": str(exc), "code": None, "hint": None}\n'
    assert f"        try:\n            loaded = load(title)\n        except ToolError as exc:\n{again}" in fixed
    assert "put together again here" in said


def test_a_test_that_looks_for_what_it_hands_over_in_an_error_is_named(tmp_path: Path, errlint: Run) -> None:
    (tmp_path / "tests").mkdir()
    test = "from shelf.server import check\n\n\ndef test_check():\n    failure = check('', field='name')\n"
    test += "    assert 'name' in failure.error\n"
    (tmp_path / "tests" / "test_server.py").write_text(test, encoding="utf-8")
    server = MADE.replace("def check(title: str)", "def check(title: str, field: str = 'title')")
    server = server.replace('error="no title"', 'error=f"{field} is empty"')
    said = told(tmp_path, errlint, server=server, models=MODELS)
    assert "    tests/test_server.py:6  looks for an error of `check`\n" in said
