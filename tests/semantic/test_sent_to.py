"""Tools that hints send people to: which names are meant as tools, and which of them there are not."""

from __future__ import annotations

from pathlib import Path

import pytest
from judged_texts import astray_on_disk, project_of

from errlint.project.sent_to import dead_tool
from errlint.settings import CommandLine

SERVER = """\
from fastmcp import FastMCP

mcp = FastMCP("orders")
FORMAT = "json"
LOOK = "Use drop_all_orders"


class OrderError(Exception):
    def __init__(self, message, hints=None):
        super().__init__(message)
        self.hints = hints or []


@mcp.tool()
def list_orders(page_size=10):
    return page_size


@mcp.tool()
def get_order(order_id, lookup):
    raise OrderError("no", hints={hints}){mark}
"""
DEAD = "  # error: sends people to `{}`, and there is no such tool"

HINTS = {
    "a tool": ("['Use list_orders']", ""),
    "a tool with the prefix of a mounted server": ("['Use shop_list_orders']", ""),
    "a tool with a longer prefix": ("['Use my_shop_list_orders']", ""),
    "a parameter": ("['Use page_size']", ""),
    "a tool that is not there": ("['Use find_orders']", "find_orders"),
    "a call of it": ("['Call `find_orders(name)` first']", "find_orders"),
    "the word tool before it": ("['Try the tool find_orders']", "find_orders"),
    "a name in quotes": ("[\"Run 'find_orders'\"]", "find_orders"),
    "in the middle of a sentence": ("['Nothing there; see find_orders for more']", "find_orders"),
    "at the end of a sentence": ("['Use find_orders.']", ""),
    "a tool that is not there behind one that is": ("['Use list_orders or use find_orders']", "find_orders"),
    "a name that ends like a tool": ("['Use listorders_now']", "listorders_now"),
    "nobody is sent": ("['find_orders is slow']", ""),
    "a name of one word": ("['Use orders']", ""),
    "a name with a value": ("['Use order_by=name']", ""),
    "a name with a value behind a space": ("['Use order_by = name']", ""),
    "a file": ("['See the_orders.json']", ""),
    "a word in capitals": ("['Use FIND_ORDERS']", ""),
    "a way to write": ("['Use snake_case']", ""),
    "a kind of text": ("['Use utf_8']", ""),
    "a name that is put together": ("[f'Use {lookup}_orders']", ""),
    "a name before a value": ("[f'Use find_orders{lookup}']", ""),
    "a text around a value": ("[f'Order {order_id}: use find_orders']", "find_orders"),
    "one hint of several": ("['Look again', 'Use find_orders']", "find_orders"),
    "a text alone": ("'Use find_orders'", "find_orders"),
    "one of two texts": ("['Use list_orders' if lookup else 'Use find_orders']", "find_orders"),
    "a constant": ("[LOOK]", "drop_all_orders"),
    "hints in hints": ("['a', ['Use find_orders']]", "find_orders"),
    "what only the run knows": ("lookup", ""),
}


def sent(folder: Path, text: str) -> list[str]:
    """Return how what is said of a file in a project differs from its marks."""
    settings = "[hints]\ntools = true\n"
    texts = {"server.py": text, "errlint.toml": settings, "pyproject.toml": '[project]\nname = "orders"\n'}
    return astray_on_disk(folder, texts, CommandLine(select=("ERR402",)))


@pytest.mark.parametrize(("hints", "name"), HINTS.values(), ids=HINTS)
def test_people_are_sent_to(hints: str, name: str, tmp_path: Path) -> None:
    mark = DEAD.format(name) if name else ""
    assert sent(tmp_path, SERVER.replace("{hints}", hints).replace("{mark}", mark)) == []


@pytest.mark.parametrize(("hints", "name"), HINTS.values(), ids=HINTS)
def test_the_tool_that_there_is_not_is_told_by_its_name(hints: str, name: str, tmp_path: Path) -> None:
    text = SERVER.replace("{hints}", hints).replace("{mark}", "")
    (tmp_path / "server.py").write_text(text, encoding="utf-8")
    project = project_of({"server.py": text}, "", rules=("ERR402",), root=tmp_path)
    (error,) = project.fields.of("server.py")
    assert dead_tool(project, error, error.passed["hints"]) == name
    alone = text.replace("@mcp.tool()\ndef list_orders", "def list_orders")
    project = project_of({"server.py": alone}, "", rules=("ERR402",), root=tmp_path)
    (error,) = project.fields.of("server.py")
    assert dead_tool(project, error, error.passed["hints"]) == ""


def test_a_server_with_one_tool_may_stand_beside_others(tmp_path: Path) -> None:
    text = SERVER.replace("{hints}", "['Use find_orders']").replace("{mark}", "")
    assert sent(tmp_path, text.replace("@mcp.tool()\ndef list_orders", "def list_orders")) == []
