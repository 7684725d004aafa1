"""What stands around the code of a file, white space most of all, is there after a fix byte for byte."""

from __future__ import annotations

import itertools
from pathlib import Path

import pytest
from test_fix import fixes_in, reasons

SERVER = """\
from fastmcp import FastMCP

mcp = FastMCP("shop")


@mcp.tool()
def find(name: str) -> dict:
    if not name:
        return {"error": "no name"}
    return {"found": name}
"""
FIXED = SERVER.replace("import FastMCP\n", "import FastMCP\nfrom fastmcp.exceptions import ToolError\n").replace(
    'return {"error": "no name"}', 'raise ToolError("no name")'
)

ABOVE = {
    "nothing": "",
    "a blank line": "\n",
    "blank lines": "\n\n\n",
    "blank lines and a comment": "\n\n# a shop\n\n",
    "blank lines and a docstring": '\n\n"""A shop."""\n\n',
    "blank lines, a comment and a docstring": '\n# a shop\n\n"""A shop."""\n\n',
    "white space": "  \n\t\n",
    "a line with a form feed": "\n\f\n",
    "a form feed": "\f",
    "a blank line and a form feed": "\n\f",
}

BELOW = {
    "nothing": "",
    "a blank line": "\n",
    "blank lines and white space": "\n\n   \n",
    "white space without a line end": "\n\n   ",
    "white space and blank lines": "   \n\n\n",
    "a form feed": "\n\f\n",
    "a page": "\n\n\f\ndef other():\n    return 1\n",
    "a function behind a form feed": "\n\n\fdef other():\n    return 1\n",
    "a function with a form feed in it": "\n\ndef other():\n    x = 1\n\f    return x\n",
    "an indented comment": "\n    # the end\n",
    "a comment behind white space": "\n   \n# the end",
    "a comment and white space": "\n# the end\n\n  \n",
}


def assert_kept(folder: Path, above: str, below: str, newline: str, mark: str) -> None:
    """Fix a file with something above and below, and look at its bytes."""
    before, after = (f"{mark}{above}{text}{below}".replace("\n", newline).encode() for text in (SERVER, FIXED))
    (folder / "server.py").write_bytes(before)
    found = fixes_in(folder, "ERR101")
    assert reasons(found.refused) == []
    assert found.contents["server.py"] == (before, after)


KINDS = list(itertools.product(("\n", "\r\n"), ("", "\ufeff")))
NAMES = ["LF", "LF with a mark", "CRLF", "CRLF with a mark"]


@pytest.mark.parametrize(("newline", "mark"), KINDS, ids=NAMES)
@pytest.mark.parametrize("above", ABOVE.values(), ids=ABOVE)
def test_above_the_code_stands(tmp_path: Path, above: str, newline: str, mark: str) -> None:
    assert_kept(tmp_path, above, "", newline, mark)


@pytest.mark.parametrize(("newline", "mark"), KINDS, ids=NAMES)
@pytest.mark.parametrize("below", BELOW.values(), ids=BELOW)
def test_below_the_code_stands(tmp_path: Path, below: str, newline: str, mark: str) -> None:
    assert_kept(tmp_path, "", below, newline, mark)
