"""Exceptions of the language that pages say a tool raises: where none gets out, and where one may."""

from __future__ import annotations

from pathlib import Path

import pytest
from documented_shop import LISTED, said

BOUNDED = f"{LISTED}\n[[boundary]]\ndecorator = 'boundary.translated'\n"

BOUNDARY = """\
class ShopError(Exception):
    pass


class FarError(ShopError):
    pass


def translated(function):
    def wrapper(*args, **kwargs):
        try:
            return function(*args, **kwargs)
        except ShopError:
            raise
        except Exception as error:
            raise ShopError(str(error)) from error

    return wrapper
"""

SERVER = """\
from fastmcp import FastMCP

from boundary import FarError, ShopError, translated

mcp = FastMCP("orders")


@mcp.tool()
@translated
def close_order(order_id: str) -> dict:
    return {"closed": int(order_id)}


@mcp.tool()
def open_order(order_id: str) -> dict:
    return {"opened": order_id}


@mcp.tool()
def find_order(order_id: str) -> dict:
    if order_id == "far":
        raise FarError("It is far away")
    raise ShopError("There is none")


@mcp.tool()
def send_order(order_id: str) -> dict:
    return {"sent": client.send(order_id)}


@mcp.tool()
def count_orders(day: str) -> dict:
    try:
        return {"count": int(day)}
    except ValueError:
        return {"count": 0}


def helper(day: str) -> dict:
    return {}
"""


def promises(
    root: Path, page: str, path: str = "docs/tools.md", *, server: str = SERVER, config: str = BOUNDED
) -> list[str]:
    """Return what is wrong on a page."""
    files = {"boundary.py": BOUNDARY, "server.py": server, path: page}
    return [each.removeprefix(f"{path}:") for each in said(root, "ERR506", files, config) if each.startswith(path)]


NOTHING = "nor does anything that it calls let one out"
PAGES = {
    "its boundary makes another one of it": (
        "close_order",
        "- **ValueError**: no number",
        ["5 `close_order` raises no `ValueError`: `translated` makes `ShopError` of it"],
    ),
    "nothing raises it": (
        "open_order",
        "- **ValueError**: no number",
        [f"5 `open_order` raises no `ValueError`, {NOTHING}"],
    ),
    "it raises others": (
        "find_order",
        "- **ValueError**: no number",
        ["5 `find_order` raises no `ValueError`: it raises `FarError` and `ShopError`"],
    ),
    "it may get out": ("send_order", "- **ValueError**: no number", []),
    "it is answered": ("count_orders", "- **ValueError**: no number", []),
    "an exception of the project": ("open_order", "- **ShopError**: it is shut", []),
    "one that a caller may bring about": ("open_order", "- **TypeError**: no text", []),
    "what becomes of it": ("open_order", "- **ValueError** is caught", []),
    "two of them": (
        "open_order",
        "- **ValueError**: no number\n- **KeyError**: none",
        [f"{line} `open_order` raises no `{name}`, {NOTHING}" for line, name in ((5, "ValueError"), (6, "KeyError"))],
    ),
}


@pytest.mark.parametrize(("tool", "listed", "expected"), PAGES.values(), ids=PAGES)
def test_an_exception_that_the_page_of_a_tool_lists(
    tmp_path: Path, tool: str, listed: str, expected: list[str]
) -> None:
    assert promises(tmp_path, f"# {tool}\n\n## Errors\n\n{listed}\n", f"docs/{tool}.md") == expected


def test_an_exception_that_is_answered_is_not_raised_in_so_many_words(tmp_path: Path) -> None:
    page = "# count_orders\n\n## Raises\n\n- `ValueError`: no number\n"
    assert promises(tmp_path, page) == ["5 `count_orders` raises no `ValueError`: it is answered"]


def test_a_boundary_that_answers_makes_no_other_exception_of_it(tmp_path: Path) -> None:
    server = SERVER.replace("from boundary import FarError, ShopError, translated", "from boundary import ShopError")
    server = server.replace("FarError", "ShopError").replace("translated", "answered")
    server += "\n\ndef answered(function):\n    def wrapper(*args):\n        try:\n            return function(*args)\n"
    server += "        except Exception as error:\n            return {'error': str(error)}\n\n    return wrapper\n"
    config = BOUNDED.replace("boundary.translated", "server.answered")
    page = "# close_order\n\n## Errors\n\n- **ValueError**: no number\n"
    assert promises(tmp_path, page, server=server, config=config) == []
    raised = page.replace("Errors", "Raises")
    found = promises(tmp_path, raised, server=server, config=config)
    assert found == ["5 `close_order` raises no `ValueError`: it is answered"]


@pytest.mark.parametrize(
    ("policy", "is_told"),
    [
        pytest.param("[exceptions]\nmap = { 'ValueError' = 'propagate' }\n", False, id="it goes on as it is"),
        pytest.param("[exceptions]\nmap = { 'builtins.ValueError' = 'propagate' }\n", False, id="by its full name"),
        pytest.param("[exceptions]\nmap = { 'UnicodeError' = 'propagate' }\n", False, id="one below it does"),
        pytest.param("[exceptions]\nmap = { 'Exception' = 'propagate' }\n", False, id="one above it does"),
        pytest.param("[exceptions]\nmap = { 'OSError' = 'propagate' }\n", True, id="another one does"),
        pytest.param("[exceptions]\nmap = { 'GoneError' = 'propagate' }\n", True, id="one of a library does"),
        pytest.param("[exceptions]\nmap = { 'ValueError' = 'ShopError' }\n", True, id="it becomes another one"),
        pytest.param(
            "[[boundary]]\ndecorator = 'boundary.b'\nmaps = ['ValueError']\n", False, id="a boundary answers it"
        ),
        pytest.param(
            "[[boundary]]\ndecorator = 'boundary.b'\nmaps = ['OSError']\n", True, id="a boundary answers others"
        ),
    ],
)
def test_an_exception_that_the_policy_lets_through(tmp_path: Path, policy: str, is_told: bool) -> None:
    page = "# close_order\n\n## Errors\n\n- **ValueError**: no number\n"
    assert bool(promises(tmp_path, page, config=f"{BOUNDED}\n{policy}")) is is_told


LINE = "- **ValueError**: no number\n"
HARMLESS = SERVER.replace("client.send(order_id)", "order_id")
SUBJECTS = {
    "below the name of a tool": (f"# Tools\n\n## open_order\n\n### Errors\n\n{LINE}", [7]),
    "below its name in code": (f"# Tools\n\n## `open_order`\n\n### Errors\n\n{LINE}", [7]),
    "below its name with a number": (f"# Tools\n\n## 2. open_order\n\n### Errors\n\n{LINE}", [7]),
    "below its name with parameters": (f"# Tools\n\n## open_order(order_id)\n\n### Errors\n\n{LINE}", [7]),
    "below its name behind the word": (f"# Tools\n\n## Tool: `open_order`\n\n### Errors\n\n{LINE}", [7]),
    "below the name of a helper": (f"# open_order\n\n## `helper`\n\n### Errors\n\n{LINE}", []),
    "below the name of a helper in words": (f"# open_order\n\n## helper\n\n### Errors\n\n{LINE}", []),
    "below other code": (f"# open_order\n\n## `client`\n\n### Errors\n\n{LINE}", []),
    "below a call of something else": (f"# open_order\n\n## load(path)\n\n### Errors\n\n{LINE}", []),
    "below other words": (f"# open_order\n\n## More\n\n### Errors\n\n{LINE}", [7]),
    "below the name of another tool": (f"# open_order\n\n## send_order\n\n### Errors\n\n{LINE}", []),
    "below nothing": (f"# Tools\n\n## Errors\n\n{LINE}", []),
    "about all tools, one of which may": (f"# Tools\n\n## Errors\n\nAll tools fail alike:\n\n{LINE}", []),
}


@pytest.mark.parametrize(("page", "lines"), SUBJECTS.values(), ids=SUBJECTS)
def test_what_a_list_of_exceptions_is_about(tmp_path: Path, page: str, lines: list[int]) -> None:
    assert [int(each.partition(" ")[0]) for each in promises(tmp_path, page)] == lines


@pytest.mark.parametrize(
    ("server", "expected"),
    [
        pytest.param(HARMLESS, ["7 no tool raises `KeyError`"], id="none of them may"),
        pytest.param(
            HARMLESS + "\n\n@mcp.resource('a://b')\ndef page() -> str:\n    return client.load()\n",
            ["7 no tool raises `KeyError`"],
            id="a resource may",
        ),
        pytest.param(
            HARMLESS + "\n\n@mcp.prompt()\ndef page() -> str:\n    return client.load()\n",
            ["7 no tool raises `KeyError`"],
            id="a prompt may",
        ),
        pytest.param(
            HARMLESS + "\n\ndef page() -> str:\n    return client.load()\n",
            ["7 no tool raises `KeyError`"],
            id="a helper may",
        ),
        pytest.param(SERVER, [], id="one of them may"),
    ],
)
def test_a_list_that_is_about_all_tools(tmp_path: Path, server: str, expected: list[str]) -> None:
    page = "# Tools\n\n## Errors\n\nAll tools fail alike:\n\n- **KeyError**: none\n"
    assert [each.partition(":")[0] for each in promises(tmp_path, page, server=server)] == expected


def test_a_list_of_the_only_tool_is_called_by_its_name(tmp_path: Path) -> None:
    server = SERVER.partition("\n\n@mcp.tool()\ndef open_order")[0] + "\n"
    page = "# close_order\n\n## Errors\n\nAll tools fail alike:\n\n- **ValueError**: no number\n"
    (found,) = promises(tmp_path, page, server=server)
    assert found == "7 `close_order` raises no `ValueError`: `translated` makes `ShopError` of it"


@pytest.mark.parametrize(
    ("name", "is_told"),
    [
        pytest.param("close", True, id="a method of a class of tools"),
        pytest.param("CloseTool", True, id="its class"),
    ],
)
def test_the_page_of_a_class_of_tools(tmp_path: Path, name: str, is_told: bool) -> None:
    server = (
        "class BaseTool:\n    pass\n\n\nclass CloseTool(BaseTool):\n    def execute(self, day):\n        return {}\n"
    )
    page = f"# {name}\n\n## Errors\n\n{LINE}"
    assert promises(tmp_path, page, f"docs/{name}.md", server=server) == (
        [f"5 `CloseTool` raises no `ValueError`, {NOTHING}"] if is_told else []
    )


def sample(body: str, clause: str = "ValueError") -> str:
    """Return the page of a tool with a sample, whose clause stands behind its statements."""
    return f"# open_order\n\n```python\n{body}\nexcept {clause}:\n    print('no')\n```\n"


NEVER = f"this handler never runs: `open_order` raises no `ValueError`, {NOTHING}"
SAMPLES = {
    "it calls the tool": ("try:\n    open_order('1')", [6]),
    "it calls what may raise as well": ("try:\n    open_order(load('1'))", []),
    "it calls another tool, which may": ("try:\n    open_order('1')\n    send_order('1')", []),
    "it calls something else": ("try:\n    print('1')", []),
    "it calls a method": ("try:\n    client.open_order('1')", []),
    "it defines what it calls": ("def open_order(x):\n    return x\n\n\ntry:\n    open_order('1')", []),
    "it makes what it calls": ("open_order = client.tool('open_order')\ntry:\n    open_order('1')", []),
    "it hands over what it calls": ("print(open_order)\ntry:\n    open_order('1')", [7]),
    "it imports what it calls": ("from server import open_order\n\ntry:\n    open_order('1')", [8]),
    "it imports it from elsewhere": ("from client import open_order\n\ntry:\n    open_order('1')", []),
    "it imports it from another module of the project": (
        "from boundary import open_order\n\ntry:\n    open_order('1')",
        [],
    ),
    "it imports another one": ("from client import load\n\ntry:\n    open_order('1')", [8]),
    "it imports another one by its name": ("from server import load as open_order\n\ntry:\n    open_order('1')", [8]),
}


@pytest.mark.parametrize(("body", "lines"), SAMPLES.values(), ids=SAMPLES)
def test_a_handler_of_a_sample_that_never_runs(tmp_path: Path, body: str, lines: list[int]) -> None:
    assert promises(tmp_path, sample(body)) == [f"{line} {NEVER}" for line in lines]


def test_a_handler_of_what_is_answered_never_runs(tmp_path: Path) -> None:
    found = promises(tmp_path, sample("try:\n    count_orders('1')"))
    assert found == ["6 this handler never runs: `count_orders` raises no `ValueError`: it is answered"]


def test_a_handler_of_what_the_policy_lets_through_may_run(tmp_path: Path) -> None:
    config = f"{BOUNDED}[exceptions]\nmap = {{ 'ValueError' = 'propagate' }}\n"
    assert promises(tmp_path, sample("try:\n    open_order('1')"), config=config) == []


def test_a_name_that_is_also_that_of_a_helper_is_the_tool_on_its_page_alone(tmp_path: Path) -> None:
    server = SERVER + "\n\nclass Store:\n    def open_order(self):\n        return client.load()\n"
    page = sample("try:\n    open_order('1')")
    assert promises(tmp_path, page, server=server) == [f"6 {NEVER}"]
    assert promises(tmp_path, page.replace("# open_order", "# Tools"), server=server) == []


AGAIN = BOUNDARY.replace(
    "        except ShopError:", "        except TypeError:\n            raise\n        except ShopError:"
)
MISSING = {
    "it is not listed": ("TypeError", "- **ShopError**: x\n- **KeyError**: y", True),
    "it is listed": ("TypeError", "- **KeyError**: y\n- **TypeError**: x", False),
    "it is named somewhere": ("TypeError", "- **KeyError**: y\n\nNever a TypeError.", False),
    "nothing is listed": ("TypeError", "They are rare.", False),
    "the boundary turns it": ("OSError", "- **KeyError**: y", False),
}


@pytest.mark.parametrize(("name", "listed", "is_told"), MISSING.values(), ids=MISSING)
def test_an_exception_that_a_boundary_lets_through_and_a_list_leaves_out(
    tmp_path: Path, name: str, listed: str, is_told: bool
) -> None:
    server = SERVER.replace(
        '    return {"closed"', f"    if not order_id:\n        raise {name}('no')\n    return {{\"closed\""
    )
    files = {
        "boundary.py": AGAIN,
        "server.py": server,
        "docs/close_order.md": f"# close_order\n\n## Errors\n\n{listed}\n",
    }
    found = [each for each in said(tmp_path, "ERR506", files, BOUNDED) if "not listed" in each]
    assert found == (["docs/close_order.md:3 `close_order` raises `TypeError`, which is not listed"] if is_told else [])
