"""Names in documents that nothing in the code is called by: tools, parameters, classes, variables and imports."""

from __future__ import annotations

from pathlib import Path

import pytest
from documented_shop import said

FILES = {
    "shop/__init__.py": "from .errors import ShopError as Fault\nfrom .plain import *\n\nLIMIT: int = 1\n",
    "shop/errors.py": (
        "from .codes import *\n\n\nclass ShopError(Exception):\n    pass\n\n\n"
        "def made():\n    inner = 1\n    return inner\n"
    ),
    "shop/codes.py": "GONE = 'gone'\nSHUT, LOST = 'shut', 'lost'\n",
    "shop/plain.py": "from lib import *\n",
    "shop/lazy.py": "def __getattr__(name):\n    return name\n",
    "shop/filled.py": "globals()['Till'] = 1\n",
    "shop/broken.py": "def :\n",
    "shop/round.py": "from .about import *\n",
    "shop/about.py": "from .round import *\n",
    "shop/data/page.txt": "",
    "server.py": (
        "import os\n\nfrom fastmcp import FastMCP\n\nmcp = FastMCP('shop')\n\n\nclass Page:\n    size: int = 1\n\n\n"
        "@mcp.tool()\ndef find_order(order: str, limit: int = 1) -> dict:\n"
        "    return {'state': os.environ['SHOP_PATH']}\n\n\n"
        "@mcp.tool()\ndef list_orders(**options) -> dict:\n    return helper_of_it(1)\n\n\n"
        "def helper_of_it(deep):\n    return os.environ.get('TILL_' + deep) or os.environ.get('TILL_PATH')\n"
    ),
}


def dead(root: Path, page: str) -> list[str]:
    """Return what is not there of all that a page names, in order."""
    found = said(root, "ERR508", {**FILES, "docs/errors.md": page})
    return [each.partition(" ")[2] for each in found]


NAMES = {
    "a tool": ("Use `find_order`.", []),
    "a tool that is not there": ("Use `drop_orders`.", ["there is no tool or function `drop_orders`"]),
    "a tool that is not there, called": ("Run `drop_orders(7)`.", ["there is no tool or function `drop_orders`"]),
    "a function": ("Use `helper_of_it`.", []),
    "a name that nobody is sent to": ("There was a `drop_orders`.", []),
    "a parameter": ("Call `find_order` with `limit=5`.", []),
    "a parameter that it does not have": (
        "Call `find_order` with `preview=5`.",
        ["`find_order` has no parameter `preview`"],
    ),
    "a parameter of a tool that takes any": ("Call `list_orders` with `preview=5`.", []),
    "a parameter beside two tools": ("`find_order` and `list_orders` have `preview=5`.", []),
    "a parameter beside no tool": ("Pass `preview=5`.", []),
    "the field of a class": ("Call `find_order` with `size=5`.", []),
    "the key of a dict": ("Call `find_order` with `state=5`.", []),
    "a parameter of another function": ("Call `find_order` with `deep=5`.", []),
    "a variable of the code": ("Call `find_order` with `mcp=5`.", ["`find_order` has no parameter `mcp`"]),
    "a parameter below the name of a tool": (
        "## find_order\n\nPass `preview=5`.",
        ["`find_order` has no parameter `preview`"],
    ),
    "a variable below the name of a tool": ("## find_order\n\nPass `mcp=5`.", []),
    "a variable that is read": ("Set `SHOP_PATH`.", []),
    "a variable that is not read": ("Set `SHOP_LOST`.", ["the code reads no environment variable `SHOP_LOST`"]),
    "a variable that is not read, with a value": (
        "Set `SHOP_LOST=1`.",
        ["the code reads no environment variable `SHOP_LOST`"],
    ),
    "a variable of something else": ("Set `HTTP_PROXY`.", []),
    "a variable that may be put together": ("Set `TILL_DOOR`.", []),
    "a variable that nobody sets": ("There was `SHOP_LOST`.", []),
    "a class": ("Catch `shop.errors.ShopError`.", []),
    "a class that is not there": ("Catch `shop.errors.TillError`.", ["`shop.errors` has no `TillError`"]),
    "a class of a module that is not there": (
        "Catch `server.faults.TillError`.",
        ["there is no module `server.faults`"],
    ),
    "a class of a library": ("Catch `lib.errors.TillError`.", []),
}


@pytest.mark.parametrize(("line", "expected"), NAMES.values(), ids=NAMES)
def test_a_name_in_a_line(tmp_path: Path, line: str, expected: list[str]) -> None:
    assert dead(tmp_path, f"# Errors\n\n{line}\n") == expected


@pytest.mark.parametrize(
    ("page", "number"),
    [
        pytest.param("# Errors\n\n| Code | Use |\n|---|---|\n| x | Use `drop_orders` |\n", 1, id="a cell"),
        pytest.param("# Errors\n\n```\nUse `drop_orders`\n```\n", 0, id="a sample"),
        pytest.param(
            "# Errors\n\n<!-- errlint: begin errors -->\nUse `drop_orders`\n<!-- errlint: end -->\n",
            0,
            id="what is written from the code",
        ),
    ],
)
def test_where_a_name_stands(tmp_path: Path, page: str, number: int) -> None:
    assert len(dead(tmp_path, page)) == number


def test_without_tools_people_are_sent_to_anything(tmp_path: Path) -> None:
    files = {"shop.py": "def helper():\n    return 1\n", "docs/errors.md": "# Errors\n\nUse `drop_orders`.\n"}
    assert said(tmp_path, "ERR508", files) == []


IMPORTS = {
    "a class": ("from shop.errors import ShopError", []),
    "a class under another name": ("from shop import Fault", []),
    "a class that its package has no more": ("from shop.codes import ShopError", ["`shop.codes` has no `ShopError`"]),
    "a name of a function in it": ("from shop.errors import inner", []),
    "a name that another module hands on": ("from shop.errors import GONE", []),
    "one of two names": ("from shop.codes import LOST", []),
    "a name that nobody hands on": ("from shop.errors import AWAY", ["`shop.errors` has no `AWAY`"]),
    "two names, of which one is not there": (
        "from shop.errors import ShopError, AWAY",
        ["`shop.errors` has no `AWAY`"],
    ),
    "whatever a library hands on": ("from shop.plain import AWAY", []),
    "whatever a library hands on to a package": ("from shop import AWAY", []),
    "whatever a module makes when it is asked": ("from shop.lazy import AWAY", []),
    "whatever a module fills in": ("from shop.filled import AWAY", []),
    "whatever cannot be read": ("from shop.broken import AWAY", []),
    "modules that hand on each other": ("from shop.round import AWAY", ["`shop.round` has no `AWAY`"]),
    "a module of a package": ("from shop import errors", []),
    "a folder of a package": ("from shop import data", []),
    "a module": ("import shop.errors", []),
    "a module that is not there": ("import server.faults", ["there is no module `server.faults`"]),
    "a package that is not there": ("import till.errors", []),
    "a module of the top": ("import server", []),
    "all of a module": ("from shop.errors import *", []),
}


@pytest.mark.parametrize(("line", "expected"), IMPORTS.values(), ids=IMPORTS)
def test_an_import_in_a_sample(tmp_path: Path, line: str, expected: list[str]) -> None:
    assert dead(tmp_path, f"# Errors\n\n```python\n{line}\n```\n") == expected


def test_a_module_that_its_package_may_make_is_there(tmp_path: Path) -> None:
    """The package takes over whatever a library has, so that only a run knows."""
    assert dead(tmp_path, "# Errors\n\n```python\nimport shop.faults\n```\n") == []
