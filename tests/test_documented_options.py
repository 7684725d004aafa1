"""Options in documents: their values and defaults, and those that a document about their class leaves out."""

from __future__ import annotations

from pathlib import Path

import pytest
from documented_shop import LISTED, said

CODE = """\
from dataclasses import dataclass, field
from typing import Literal, Optional

from fastmcp import FastMCP

mcp = FastMCP("shop")


class ShopError(Exception):
    wait: int = 3


@dataclass
class RetryConfig:
    attempts: int = 3
    mode: Literal["slow", "fast"] = "slow"
    seconds: float = 0.5
    _hidden: int = 1


@dataclass
class PageConfig:
    size: int = 10
    color: str = "red"


@dataclass
class PrintConfig:
    color: str = "blue"


@dataclass
class Config:
    retries: RetryConfig = field(default_factory=RetryConfig)
    page: PageConfig | None = None
    paper: Optional[PrintConfig] = None
    loud: bool = False
    name: str = ""
    wait: int = 5
    level: str = "high"
    ratio: float = 1.5


@mcp.tool()
def list_orders(state: str = "open", *, limit: int = 20, is_long: bool = False, after: str = None) -> dict:
    return {}


@mcp.tool()
def count_orders(limit: int = 5) -> dict:
    return {}
"""


def wrong(root: Path, page: str, *, code: str = CODE, config: str = LISTED) -> list[str]:
    found = said(root, "ERR507", {"shop.py": code, "docs/options.md": page}, config)
    return [each.removeprefix("docs/options.md:") for each in found]


def default(name: str, own: str, shown: str) -> str:
    return f"the default of `{name}` is `{own}` in the code, not `{shown}`"


LIMIT = default("limit", "20", "50")
LINES = {
    "in words": ("Pass `limit` (the default is 50).", [LIMIT]),
    "in brackets": ("- `limit` (default: 50)", [LIMIT]),
    "in code": ("- `limit` defaults to `50`", [LIMIT]),
    "the same": ("- `limit` (default: 20)", []),
    "the same in another form": ("- `limit` (default: 20.0)", []),
    "with a unit": ("- `limit` (default: 50s)", []),
    "a share": ("- `limit` (default: 50%)", []),
    "a word beside a number": ("- `limit` (default: `many`)", []),
    "what is told of something else": ("- `limit`: by default 50 of them", []),
    "of the last name before it": ("- `state` beside `limit` (default: 50)", [LIMIT]),
    "of a name after it": ("The default is 50 for `limit`.", []),
    "of code that is no name": ("- `limit=1` (default: 50)", []),
    "of a name that is no parameter": ("- `weather` (default: 50)", []),
    "a flag": ("- `is_long` (default: true)", [default("is_long", "False", "true")]),
    "the same flag": ("- `is_long` (default: false)", []),
    "a flag beside a number": ("- `is_long` (default: 0)", []),
    "a text": ("- `state` (default: `closed`)", [default("state", "open", "closed")]),
    "the same text": ("- `state` (default: `OPEN`)", []),
    "nothing": ("- `after` (default: `now`)", []),
}


@pytest.mark.parametrize(("line", "expected"), LINES.values(), ids=LINES)
def test_the_default_of_a_parameter_in_a_line(tmp_path: Path, line: str, expected: list[str]) -> None:
    assert wrong(tmp_path, f"# list_orders\n\n{line}\n") == [f"3 {each}" for each in expected]


SECTIONS = {
    "below the name of a tool": ("## list_orders\n\n- `limit` (default: 50)\n", [LIMIT]),
    "beside the name of a tool": ("## Lists\n\nSee `list_orders`.\n\n- `limit` (default: 50)\n", [LIMIT]),
    "beside a call of a tool": ("## Lists\n\nSee `list_orders(state)`.\n\n- `limit` (default: 50)\n", [LIMIT]),
    "beside the names of two tools that have it": (
        "## Lists\n\nSee `list_orders` and `count_orders`.\n\n- `limit` (default: 50)\n",
        [],
    ),
    "beside the names of two tools of which one has it": (
        "## Lists\n\nSee `list_orders` and `count_orders`.\n\n- `state` (default: `gone`)\n",
        [default("state", "open", "gone")],
    ),
    "beside no tool": ("## Lists\n\n- `limit` (default: 50)\n", []),
    "a field": ("## Files\n\n- `size` (default: 50)\n", [default("size", "10", "50")]),
    "a field that two classes have": ("## Files\n\n- `color` (default: `green`)\n", []),
    "a field that an exception has as well": ("## Files\n\n- `wait` (default: 9)\n", [default("wait", "5", "9")]),
    "a field below the name of a tool": ("## list_orders\n\n- `size` (default: 50)\n", []),
    "a private field": ("## Files\n\n- `_hidden` (default: 50)\n", []),
    "a field without anything": ("## Files\n\n- `name` (default: `shop`)\n", []),
    "what is written from the code": (
        "<!-- errlint: begin errors -->\n## Files\n\n- `size` (default: 50)\n<!-- errlint: end -->\n",
        [],
    ),
}


@pytest.mark.parametrize(("page", "expected"), SECTIONS.values(), ids=SECTIONS)
def test_which_option_a_section_is_about(tmp_path: Path, page: str, expected: list[str]) -> None:
    assert [each.partition(" ")[2] for each in wrong(tmp_path, f"# Options\n\n{page}")] == expected


LABELLED = {
    "a default": ("### size\n\n- **Default:** `50`\n", [default("size", "10", "50")]),
    "a default below a longer name": (
        "### `page.size` (number)\n\n- **Default:** `50`\n",
        [default("size", "10", "50")],
    ),
    "a default with more code": ("### size\n\n- **Default:** `50` or `60`\n", []),
    "a default that is no constant": ("### size\n\n- **Default:** `a + b`\n", []),
    "a default without code": ("### size\n\n- **Default:** see below\n", []),
    "a default below other words": ("### The size\n\n- **Default:** `50`\n", []),
    "something else": ("### size\n\n- **Since:** `50`\n", []),
    "a default of another one": ("### size\n\n- **Since:** `ratio` (default: 2)\n", [default("ratio", "1.5", "2")]),
    "values": (
        "### mode\n\n- **Values:** `slow`, `fast`, `never`\n",
        ["the list of values of `mode` has `never`, which the code does not allow"],
    ),
    "the same values": ("### mode\n\n- **Values:** `fast`, `slow`\n", []),
    "one value in common": ("### mode\n\n- **Values:** `slow`, `never`\n", []),
    "values of what may be any text": ("### level\n\n- **Values:** `high`, `low`\n", []),
    "a default among values": ("### mode\n\n- **Default:** `fast`\n", [default("mode", "slow", "fast")]),
    "a number among values": ("### mode\n\n- **Default:** `7`\n", [default("mode", "slow", "7")]),
}


@pytest.mark.parametrize(("page", "expected"), LABELLED.values(), ids=LABELLED)
def test_what_a_section_that_is_called_like_an_option_says(tmp_path: Path, page: str, expected: list[str]) -> None:
    assert [each.partition(" ")[2] for each in wrong(tmp_path, f"# Options\n\n{page}")] == expected


def table(header: str, *cells: str) -> str:
    return f"# Options\n\n| Option | {header} |\n|---|---|\n| {cells[0]} | {cells[1]} |\n"


TABLES = {
    "a default": (table("Default", "`size`", "50"), [default("size", "10", "50")]),
    "a default in code": (table("Default value", "`size`", "`50`"), [default("size", "10", "50")]),
    "a default in quotes": (table("Default", "`level`", '`"low"`'), [default("level", "high", "low")]),
    "nothing": (table("Default", "`size`", "-"), []),
    "nothing in words": (table("Default", "`size`", "none"), []),
    "a default with words": (table("Default", "`size`", "`50` or so"), []),
    "a default of two words": (table("Default", "`size`", "very large"), []),
    "another column": (table("Since", "`size`", "50"), []),
    "a row of something else": (table("Default", "the size", "50"), []),
    "values": (
        table("Allowed values", "`mode`", "`slow`, `fast`, `never`"),
        ["the list of values of `mode` has `never`, which the code does not allow"],
    ),
    "values in another column": (table("Words", "`mode`", "`slow`, `fast`, `never`"), []),
}


@pytest.mark.parametrize(("page", "expected"), TABLES.values(), ids=TABLES)
def test_what_the_row_of_an_option_says(tmp_path: Path, page: str, expected: list[str]) -> None:
    assert wrong(tmp_path, page) == [f"5 {each}" for each in expected]


def lacks(line: int, name: str, group: str = "retries") -> str:
    return f"shop.py:{line} the option `{name}` is not documented, and `{group}` is, which holds it"


SECONDS = lacks(CODE[: CODE.index("seconds:")].count("\n") + 1, "seconds")
LEFT_OUT = {
    "in rows": ("## retries\n\n| Option | Use |\n|---|---|\n| `attempts` | a |\n| `mode` | b |\n", [SECONDS]),
    "in items": ("## retries\n\n- `attempts`: a\n- `mode`: b\n", [SECONDS]),
    "in bold items": ("## retries\n\n- **attempts**: a\n- **mode**: b\n", [SECONDS]),
    "in headings": ("## retries\n\n### attempts\n\n### mode\n\n", [SECONDS]),
    "one of them in a heading beside it": ("## retries\n\n### attempts\n\n## mode\n\n", []),
    "in words": ("## retries\n\nThere are `attempts` and `mode`.\n", []),
    "in items that begin with words": ("## retries\n\n- the `attempts`\n- the `mode`\n", []),
    "one of three": ("## retries\n\n- `attempts`: a\n", []),
    "all of them": ("## retries\n\n- `attempts`: a\n- `mode`: b\n- `seconds`: c\n", []),
    "told elsewhere": ("## retries\n\n- `attempts`: a\n- `mode`: b\n\n# More\n\nWait some seconds.\n", []),
    "below another heading": ("## Again\n\n- `attempts`: a\n- `mode`: b\n", []),
    "twice": ("## retries\n\n- `attempts`: a\n- `mode`: b\n\n## retries\n\n- `attempts`: a\n- `mode`: b\n", [SECONDS]),
    "of one that holds something else": ("## loud\n\n- `attempts`: a\n- `mode`: b\n", []),
}


@pytest.mark.parametrize(("page", "expected"), LEFT_OUT.values(), ids=LEFT_OUT)
def test_an_option_that_the_section_of_its_class_leaves_out(tmp_path: Path, page: str, expected: list[str]) -> None:
    assert wrong(tmp_path, f"# Options\n\n{page}") == expected


@pytest.mark.parametrize(
    ("page", "annotation", "is_told"),
    [
        pytest.param("page", "PageConfig | None", True, id="or nothing"),
        pytest.param("page", "PageConfig", True, id="a class"),
        pytest.param("page", "str", False, id="a text"),
        pytest.param("page", "Kind", False, id="an enumeration"),
    ],
)
def test_the_class_that_an_option_holds(tmp_path: Path, page: str, annotation: str, is_told: bool) -> None:
    code = CODE.replace("page: PageConfig | None", f"page: {annotation}").replace(
        "    size: int = 10\n", "    size: int = 10\n    width: int = 1\n"
    )
    code += "\n\nclass Kind(Enum):\n    size: int = 1\n    width: int = 2\n    color: int = 3\n"
    text = f"# Options\n\n## {page}\n\n- `width`: a\n- `color`: b\n"
    assert [each.partition(" ")[2] for each in wrong(tmp_path, text, code="from enum import Enum\n" + code)] == (
        ["the option `size` is not documented, and `page` is, which holds it"] if is_told else []
    )


def test_an_option_that_the_policy_names_is_left_out_wherever_its_class_is_told(tmp_path: Path) -> None:
    """Two of them stand somewhere on the page, though not in a list."""
    page = "# Options\n\n## retries\n\nThere are `attempts` and `mode`.\n"
    assert wrong(tmp_path, page, config=f"{LISTED}[work]\ndefaults = {{ seconds = '1' }}\n") == [SECONDS]
    assert wrong(tmp_path, page, config=f"{LISTED}[work]\ndefaults = {{ level = 'low' }}\n") == []


def test_an_option_that_another_document_tells_is_not_left_out(tmp_path: Path) -> None:
    page = "# Options\n\n## retries\n\n- `attempts`: a\n- `mode`: b\n"
    files = {"shop.py": CODE, "docs/options.md": page, "docs/more.md": "# More\n\nIt waits some seconds.\n"}
    assert said(tmp_path, "ERR507", files) == []
