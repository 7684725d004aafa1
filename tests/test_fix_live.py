"""A server before and after its migration, asked by a real FastMCP client: clients cannot tell the difference."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from errlint.cli import main

CONFIGURATION = """\
[[boundary]]
decorator = "answered"
envelope = { error = "{message}", problem = "*", result = "empty" }
empty-result = "empty"

[exceptions]
root = ["ShelfError"]
default = "ShelfError"
cause = "cause"

[exceptions.map]
KeyError = "UnknownBookError"
"""

FAILURES = '''\
"""The errors of the server, and the boundary that answers them."""

import functools


class ShelfError(Exception):
    def __init__(self, message, *, cause=None):
        super().__init__(message)
        self.cause = cause


class UnknownBookError(ShelfError):
    pass


def answered(empty):
    def decorate(function):
        @functools.wraps(function)
        async def inner(*args, **kwargs):
            try:
                return await function(*args, **kwargs)
            except ShelfError as exc:
                return {**empty, "error": str(exc), "problem": {"title": type(exc).__name__}}

        return inner

    return decorate
'''

SERVER = '''\
"""Books on a shelf."""

from failures import answered
from fastmcp import FastMCP

mcp = FastMCP("shelf")
BOOKS = {"emma": 2}


@mcp.tool()
@answered({"copies": 0})
async def count(title: str) -> dict:
    """Count the copies of a book."""
    if not title:
        return {"success": False, "error": "no title", "copies": 0}
    try:
        return {"copies": BOOKS[title]}
    except KeyError:
        return {"error": f"no book {title!r}"}


@mcp.tool()
@answered({})
async def lend(title: str, copies: int = 1) -> dict:
    """Lend copies of a book."""
    try:
        if copies < 1:
            return {"error": f"{copies} copies cannot be lent"}
        return await _lend(title, copies)
    except Exception as e:
        return {"error": f"the shelf is stuck: {e}"}


async def _lend(title: str, copies: int) -> dict:
    if BOOKS.get(title, 0) < copies:
        return {"error": f"not enough of {title}"}
    BOOKS[title] -= copies
    return {"left": BOOKS[title]}
'''

CALLS = [
    ("count", {"title": ""}),
    ("count", {"title": "emma"}),
    ("count", {"title": "ulysses"}),
    ("lend", {"title": "emma", "copies": 0}),
    ("lend", {"title": "emma", "copies": 9}),
    ("lend", {"title": "emma"}),
    ("lend", {"title": "ulysses"}),
]

ASK = """\
import asyncio, json, sys
from fastmcp import Client
from server import mcp

async def ask():
    async with Client(mcp) as client:
        tools = [(tool.name, tool.inputSchema, tool.outputSchema) for tool in await client.list_tools()]
        answers = []
        for name, arguments in json.loads(sys.argv[1]):
            answer = await client.call_tool(name, arguments, raise_on_error=False)
            answers.append((answer.is_error, answer.structured_content))
    print(json.dumps([tools, answers]))

asyncio.run(ask())
"""


def test_clients_get_the_same_errors_before_and_after_a_migration(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, text in {"errlint.toml": CONFIGURATION, "failures.py": FAILURES, "server.py": SERVER}.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    tools, before = _ask(tmp_path)
    assert [error for error, _ in before] == [False] * len(CALLS)
    assert [answer.get("error") for _, answer in before] == [
        "no title",
        None,
        "no book 'ulysses'",
        "0 copies cannot be lent",
        "not enough of emma",
        None,
        "not enough of ulysses",
    ]

    monkeypatch.chdir(tmp_path)
    with pytest.raises(SystemExit):
        main(("--fix-only", "--no-cache"))
    fixed = (tmp_path / "server.py").read_text(encoding="utf-8")
    assert fixed.count("raise ShelfError(") == 4
    assert fixed.count("raise UnknownBookError(") == 1
    assert '"error"' not in fixed

    tools_after, after = _ask(tmp_path)
    assert tools_after == tools
    for (failed, old), (still_failed, new) in zip(before, after, strict=True):
        assert still_failed == failed
        markers = ("success",)
        assert {key: value for key, value in old.items() if key not in markers} == {
            key: new[key] for key in old if key not in markers
        }
        assert set(new) - set(old) <= {"problem", "copies"}


Answers = tuple[list[object], list[tuple[bool, dict[str, object]]]]


def _ask(folder: Path) -> Answers:
    """Start the server of a folder in a process of its own, and return its tools and its answers to all calls."""
    done = subprocess.run(
        [sys.executable, "-B", "-c", ASK, json.dumps(CALLS)], cwd=folder, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    tools, answers = json.loads(done.stdout.splitlines()[-1])
    return tools, answers
