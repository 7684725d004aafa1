"""Tools that hints send their readers to: whatever the code calls something by may be one."""

from __future__ import annotations

from pathlib import Path

import pytest
from documented_shop import said

CODE = """\
from fastmcp import FastMCP

mcp = FastMCP("pages")


class PageError(Exception):
    def __init__(self, message, *, hints=None):
        super().__init__(message)
        self.hints = hints


@mcp.tool()
def find_page(name: str) -> dict:
    raise PageError("There is no such page", hints=["Use list_pages to see which there are"])


@mcp.tool()
def drop_page(name: str) -> dict:
    return {}
"""

CONFIG = "[hints]\ntools = true\n"

CALLED = {
    "nothing": ("", True),
    "a function": ("def list_pages():\n    return []\n", False),
    "a method": ("class Store:\n    def list_pages(self):\n        return []\n", False),
    "a class": ("class list_pages:\n    pass\n", False),
    "a name": ("print(list_pages)\n", False),
    "an attribute": ("print(client.list_pages)\n", False),
    "an import": ("from lib import list_pages\n", False),
    "an import under another name": ("from lib import pages as list_pages\n", False),
    "an import of another one by its name": ("from lib import list_pages as pages\n", True),
    "a module": ("import lib.list_pages\n", False),
    "a parameter": ("def shown(list_pages):\n    return 1\n", False),
    "an argument": ("print(list_pages=1)\n", False),
    "other arguments": ("print(**{})\n", True),
    "a text": ("NAME = 'list_pages'\n", False),
    "a text of more words": ("NAME = 'the list_pages tool'\n", True),
    "bytes": ("NAME = b'list_pages'\n", True),
    "a comment": ("# list_pages\n", True),
    "with a prefix less": ("def pages_list():\n    return []\n", True),
}


@pytest.mark.parametrize(("more", "is_told"), CALLED.values(), ids=CALLED)
def test_a_hint_sends_to_what_something_is_called_by(tmp_path: Path, more: str, is_told: bool) -> None:
    found = said(tmp_path, "ERR402", {"pages.py": f"{CODE}\n\n{more}"}, CONFIG)
    assert ["list_pages" in each for each in found] == [True] * is_told


def test_what_another_distribution_calls_so_is_none_of_it(tmp_path: Path) -> None:
    marker = '[project]\nname = "other"\n'
    files = {"pages.py": CODE, "other/pyproject.toml": marker, "other/lists.py": "def list_pages():\n    return []\n"}
    assert len(said(tmp_path, "ERR402", files, CONFIG)) == 1
