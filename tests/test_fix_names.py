"""By which name a fix raises an exception: one that the file has already, else with an import that is added."""

from __future__ import annotations

from pathlib import Path

import pytest
from test_fix import fixes_in, reasons

TOOL = """\
from fastmcp import FastMCP
{head}
mcp = FastMCP("shop")


@mcp.tool()
{boundary}def read(path: str) -> dict:
    if not path:
        return {{"error": "no path"}}
    return {{"path": path}}
"""

CONFIGURATION = """\
[tool.errlint.exceptions]
root = ["shop.errors.ShopError"]
default = "shop.errors.ShopError"
[[tool.errlint.boundary]]
decorator = "handle_errors"
envelope = { error = "{message}" }
"""

SHOP = {
    "__init__": "",
    "bound": "def handle_errors(function):\n    return function\n",
    "errors": "class ShopError(Exception):\n    pass\n\n\nclass LostError(ShopError):\n    pass\n",
    "stock": 'from shop.errors import ShopError\n\n\ndef counted():\n    raise ShopError("no stock")\n',
}

BOUNDARY = "from shop.bound import handle_errors\n"


def written(folder: Path, head: str, boundary: str = "", path: str = "server.py") -> str:
    """Return the file of a tool after the fix, without what is the same in each."""
    module = folder / path
    module.parent.mkdir(parents=True, exist_ok=True)
    module.write_text(TOOL.format(head=head, boundary=boundary), encoding="utf-8")
    found = fixes_in(folder, "ERR101")
    assert reasons(found.refused) == []
    return found.contents[path][1].decode()


def raising(head: str, raised: str, boundary: str = "", first: str = "from fastmcp import FastMCP") -> str:
    """Return the file of a tool that raises an error."""
    text = TOOL.format(head=head, boundary=boundary).replace(
        'return {"error": "no path"}', f'raise {raised}("no path")'
    )
    return text.replace("from fastmcp import FastMCP", first)


LATER = "\n\ndef other():\n    {}\n    return {}\n\n"
BESIDE = "from fastmcp import FastMCP, exceptions"

OF_A_LIBRARY = {
    "its own": ("from fastmcp.exceptions import ToolError\n", None, "ToolError", None),
    "the one that the file gives it": ("from fastmcp.exceptions import ToolError as Failed\n", None, "Failed", None),
    "the one that the file gives it, which it uses": (
        "from fastmcp.exceptions import ToolError as Failed\n\nFAILURES = (Failed,)\n",
        None,
        "Failed",
        None,
    ),
    "its own, and not that of another class of its module": (
        "from fastmcp.exceptions import NotFoundError\n",
        "from fastmcp.exceptions import NotFoundError, ToolError\n",
        "ToolError",
        None,
    ),
    "that in its module, for its own is that of another class": (
        "from toolkit import ToolError\n",
        None,
        "exceptions.ToolError",
        BESIDE,
    ),
    "that in its module, for its own is that of another class which the file uses": (
        "from toolkit import ToolError\n\nFAILURES = (ToolError,)\n",
        None,
        "exceptions.ToolError",
        BESIDE,
    ),
    "its own, from a module of the project that imports it": (
        "from shop.stock import ToolError\n",
        None,
        "ToolError",
        None,
    ),
    "that in its module, for another function imports it": (
        LATER.format("from fastmcp.exceptions import ToolError", "ToolError"),
        None,
        "exceptions.ToolError",
        BESIDE,
    ),
}


@pytest.mark.parametrize(("head", "after", "raised", "first"), OF_A_LIBRARY.values(), ids=OF_A_LIBRARY)
def test_an_exception_of_a_library_is_raised_by(
    tmp_path: Path, head: str, after: str | None, raised: str, first: str | None
) -> None:
    (tmp_path / "pyproject.toml").write_text("[tool.errlint]\n", encoding="utf-8")
    (tmp_path / "shop").mkdir()
    (tmp_path / "shop/stock.py").write_text("from fastmcp.exceptions import ToolError\n", encoding="utf-8")
    expected = raising(head if after is None else after, raised, first=first or "from fastmcp import FastMCP")
    assert written(tmp_path, head) == expected


IMPORTED = "from shop.errors import ShopError\n"
OTHERWISE = "from shop import errors\n"

CHECKED = "from typing import TYPE_CHECKING\n\nif TYPE_CHECKING:\n    {}\n"

OF_THE_PROJECT = {
    "its own": (IMPORTED, BOUNDARY + IMPORTED, "ShopError"),
    "its own, from a module that imports it": (
        "from shop.stock import ShopError\n",
        BOUNDARY + "from shop.stock import ShopError\n",
        "ShopError",
    ),
    "its own, and not that of another class of its module": (
        "from shop.errors import LostError\n",
        BOUNDARY + "from shop.errors import LostError, ShopError\n",
        "ShopError",
    ),
    "its own, and not what another module has": (
        "from toolkit import weigh\n",
        BOUNDARY + IMPORTED + "from toolkit import weigh\n",
        "ShopError",
    ),
    "that in its module": (OTHERWISE, BOUNDARY + OTHERWISE, "errors.ShopError"),
    "its own, and not that in another module that imports it": (
        "from shop import stock\n",
        BOUNDARY + "from shop import stock\n" + IMPORTED,
        "ShopError",
    ),
    "that in its module, for another function imports the class": (
        LATER.format("from shop.errors import ShopError", "ShopError"),
        OTHERWISE + BOUNDARY + LATER.format("from shop.errors import ShopError", "ShopError"),
        "errors.ShopError",
    ),
    "its own, where another function imports the module": (
        LATER.format("from shop import errors", "errors.ShopError"),
        BOUNDARY + IMPORTED + LATER.format("from shop import errors", "errors.ShopError"),
        "ShopError",
    ),
    "its own, where the module is imported for those who check types": (
        CHECKED.format("from shop import errors"),
        BOUNDARY + IMPORTED + CHECKED.format("from shop import errors"),
        "ShopError",
    ),
    "the whole one of its module": ("import shop.errors\n", BOUNDARY + "import shop.errors\n", "shop.errors.ShopError"),
    "its own, where the whole module is imported for those who check types": (
        CHECKED.format("import shop.errors"),
        BOUNDARY + IMPORTED + CHECKED.format("import shop.errors"),
        "ShopError",
    ),
}


def project(folder: Path, source: str = "") -> None:
    """Write a shop with exceptions of its own."""
    (folder / "pyproject.toml").write_text(CONFIGURATION, encoding="utf-8")
    for name, text in SHOP.items():
        module = folder / source / "shop" / f"{name}.py"
        module.parent.mkdir(parents=True, exist_ok=True)
        module.write_text(text, encoding="utf-8")


@pytest.mark.parametrize(("head", "after", "raised"), OF_THE_PROJECT.values(), ids=OF_THE_PROJECT)
def test_an_exception_of_the_project_is_raised_by(tmp_path: Path, head: str, after: str, raised: str) -> None:
    project(tmp_path)
    found = written(tmp_path, BOUNDARY + head, "@handle_errors\n", "shop/server.py")
    assert found == raising(after, raised, "@handle_errors\n")


def test_a_class_is_imported_beside_another_one_as_that_is(tmp_path: Path) -> None:
    project(tmp_path, "src")
    (tmp_path / "src/shop/labels.py").write_text("PRICE = 'price'\n\n\ndef printed():\n    return PRICE\n", "utf-8")
    relative = "from .labels import PRICE, printed\nfrom .bound import handle_errors\n"
    head = relative + "from shop.errors import LostError\n"
    after = relative + "from shop.errors import LostError, ShopError\n"
    found = written(tmp_path, head, "@handle_errors\n", "src/shop/server.py")
    assert found == raising(after, "ShopError", "@handle_errors\n")


def test_a_class_whose_name_the_function_binds_is_raised_by_that_in_its_module(tmp_path: Path) -> None:
    project(tmp_path)
    tool = TOOL.format(head=BOUNDARY + IMPORTED, boundary="@handle_errors\n")
    bound = tool.replace("    if not path", "    ShopError = path.upper()\n    if not path")
    (tmp_path / "shop/server.py").write_text(bound, encoding="utf-8")
    found = fixes_in(tmp_path, "ERR101")
    assert reasons(found.refused) == []
    after = bound.replace(BOUNDARY, OTHERWISE + BOUNDARY).replace('return {"error": "no', 'raise errors.ShopError("no')
    assert found.contents["shop/server.py"][1].decode() == after.replace('no path"}', 'no path")')


TOLD = """\
import json
import re


def without_numbers(text):
    return re.sub("[0-9]+", "", text)


def told(error):
    return json.dumps({"success": False, "error": without_numbers(error)})
"""


@pytest.mark.parametrize(
    ("imported", "raised"),
    [("import json\n", "json.loads"), ("from json import loads\n", "loads"), ("import json as texts\n", "texts.loads")],
)
def test_the_error_of_json_text_is_read_by_the_name_that_the_file_has(
    tmp_path: Path, imported: str, raised: str
) -> None:
    (tmp_path / "pyproject.toml").write_text("[tool.errlint]\n", encoding="utf-8")
    (tmp_path / "told.py").write_text(TOLD, encoding="utf-8")
    tool = TOOL.format(head=f"{imported}from told import told\n", boundary="")
    (tmp_path / "server.py").write_text(tool.replace('{"error": "no path"}', 'told("no path")'), encoding="utf-8")
    found = fixes_in(tmp_path, "ERR102", "ERR103")
    after = tool.replace('return {"error": "no path"}', f'raise ToolError({raised}(told("no path"))["error"])')
    assert after.partition("@mcp")[2] in found.contents["server.py"][1].decode()
