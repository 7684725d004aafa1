"""What pages and docstrings say that a tool answers and raises, beside what it does."""

from __future__ import annotations

from pathlib import Path

import pytest
from documented_shop import LISTED, said

BOUNDED = f"{LISTED}\n[[boundary]]\ndecorator = 'boundary.answered'\n"
ENVELOPE = f"{BOUNDED}envelope = {{ error = '{{message}}' }}\n"

HEAD = """\
from fastmcp import FastMCP
from lib import PaperError

mcp = FastMCP("shop")


class ShopError(Exception):
    pass


class LostError(ShopError):
    pass


class TillError(Exception):
    pass


class UnmadeError(Exception):
    pass


def lose(order_id):
    raise LostError("It is lost")


@mcp.tool()
def count_till(day: str) -> dict:
    raise TillError("The till is empty")


@mcp.tool()
def close_order(order_id: str, **more) -> dict:
"""

RAISES = '    raise ShopError("It is shut")\n'


def wrong(root: Path, rule: str, page: str, body: str = RAISES, *, config: str = BOUNDED) -> list[str]:
    """Return what is said of the page of a tool with some body."""
    files = {"server.py": HEAD + body, "docs/close_order.md": page}
    found = said(root, rule, files, config)
    return [each.removeprefix("docs/close_order.md:") for each in found if each.startswith("docs/")]


def shown(text: str) -> str:
    """Return a page with an example, in line 4."""
    return f"# close_order\n\n```json\n{text}\n```\n"


EXAMPLES = {
    "a status": ('{"status": "error", "message": "It is shut"}', "`status` `error`"),
    "a status that says what failed": ('{"status": "not_found", "message": "It is shut"}', "`status` `not_found`"),
    "a status of a success": ('{"status": "done", "message": "It is shut"}', ""),
    "no success, with a message": ('{"success": false, "message": "It is shut"}', "`success` `false`"),
    "no success, with an error": ('{"success": false, "error": "It is shut"}', "`success` `false`"),
    "no success, without a message": ('{"success": false, "count": 1}', ""),
    "a success": ('{"success": true, "message": "It is shut"}', ""),
    "a failure": ('{"failed": true, "message": "It is shut"}', "`failed` `true`"),
    "no failure": ('{"failed": false, "message": "It is shut"}', ""),
    "another flag": ('{"long": true, "message": "It is shut"}', ""),
    "another flag that is not set": ('{"long": false, "message": "It is shut"}', ""),
    "a status of a part": ('{"order": {"status": "error"}, "message": "It is shut"}', ""),
}


@pytest.mark.parametrize(("text", "what"), EXAMPLES.values(), ids=EXAMPLES)
def test_a_failure_that_the_page_of_a_tool_shows(tmp_path: Path, text: str, what: str) -> None:
    expected = [f"4 `close_order` answers nothing with {what}: it raises its errors"] if what else []
    assert wrong(tmp_path, "ERR506", shown(text)) == expected


def answer(members: str) -> str:
    return f"    if order_id:\n        return {{{members}}}\n{RAISES}"


FAILED = shown('{"status": "error", "message": "It is shut"}')
BODIES = {
    "it raises its errors": (RAISES, True),
    "it answers just this": (answer('"status": "error", "error": "no"'), False),
    "it answers another status": (answer('"status": "rejected", "error": "no"'), True),
    "it answers a status that is not known": (answer('"status": more, "success": False, "error": "no"'), False),
    "it answers without a status": (answer('"success": False, "error": "no"'), True),
    "it answers what is not all known": (answer('"success": False, "error": "no", **more'), False),
    "it writes the status down": ('    print({"status": "error"})\n' + RAISES, False),
    "it writes the status down as an argument": ("    print(status='error')\n" + RAISES, False),
    "it sets the status": ('    more["status"] = "error"\n' + RAISES, False),
    "it compares the status": ('    print(more["status"] == "errors")\n' + RAISES, True),
    "it raises nothing of its own": ("    return {}\n", False),
    "it raises what is none of the project": ('    raise PaperError("no")\n', False),
}


@pytest.mark.parametrize(("body", "is_told"), BODIES.values(), ids=BODIES)
def test_a_failure_that_a_tool_may_answer(tmp_path: Path, body: str, is_told: bool) -> None:
    assert bool(wrong(tmp_path, "ERR506", FAILED, body)) is is_told


@pytest.mark.parametrize(
    ("config", "is_told"),
    [
        pytest.param(BOUNDED, True, id="a boundary that raises"),
        pytest.param(ENVELOPE, False, id="a boundary that answers"),
        pytest.param(LISTED, False, id="no boundary"),
    ],
)
def test_a_failure_that_a_boundary_may_answer(tmp_path: Path, config: str, is_told: bool) -> None:
    assert bool(wrong(tmp_path, "ERR506", FAILED, config=config)) is is_told


def test_a_failure_on_another_page_is_that_of_anything(tmp_path: Path) -> None:
    assert wrong(tmp_path, "ERR506", FAILED.replace("# close_order", "# Orders")) != []  # the file is called like it
    files = {"server.py": HEAD + RAISES, "docs/orders.md": FAILED.replace("# close_order", "# Orders")}
    (tmp_path / "docs/close_order.md").unlink()
    assert said(tmp_path, "ERR506", files, BOUNDED) == []


ROWS = {
    "a status": (
        "status",
        '"done" or "error"',
        ["5 `close_order` answers nothing with `status` `error`: it raises its errors"],
    ),
    "statuses of success": ("status", '"done" or "open"', []),
    "words of another field": ("weather", '"done" or "error"', []),
    "words without quotes": ("status", "done or error", []),
}


@pytest.mark.parametrize(("name", "values", "expected"), ROWS.values(), ids=ROWS)
def test_a_failure_among_the_fields_of_an_answer(tmp_path: Path, name: str, values: str, expected: list[str]) -> None:
    page = f"# close_order\n\n| Field | Value |\n|---|---|\n| `{name}` | {values} |\n"
    assert wrong(tmp_path, "ERR507", page) == expected


DOCSTRINGS = {
    "in a list of statuses": ('A status:\n    - "locked_error": no', True),
    "in a list of statuses without quotes": ("One of these statuses:\n    - locked_error - no", True),
    "a success in such a list": ('A status:\n    - "done": yes', False),
    "in another list": ('A color:\n    - "locked_error": no', False),
    "behind the list": ('A status:\n    - "done": yes\n    More of it\n    - "locked_error": no', False),
    "without a colon": ('A status\n    - "locked_error": no', False),
    "in words": ('A status: "locked_error"', False),
}


@pytest.mark.parametrize(("text", "is_told"), DOCSTRINGS.values(), ids=DOCSTRINGS)
def test_a_failure_in_the_docstring_of_a_tool(tmp_path: Path, text: str, is_told: bool) -> None:
    files = {"server.py": f'{HEAD}    """Close it.\n\n    {text}\n    """\n{RAISES}', "docs/errors.md": "# Errors\n"}
    found = [each for each in said(tmp_path, "ERR506", files, BOUNDED) if "answers nothing" in each]
    message = "`close_order` answers nothing with `status` `locked_error`: it raises its errors"
    assert [each.partition(" ")[2] for each in found] == ([message] if is_told else [])


KINDS = """\
    if more:
        return {"success": False, "error_type": "no_ink", "error": "There is no ink"}
    return {"success": False, "error_type": "no_paper", "error": "There is no paper"}
"""


@pytest.mark.parametrize(
    ("header", "names", "lines"),
    [
        pytest.param("Error type", ["no_ink", "no_paper", "no_light"], [7], id="two of three"),
        pytest.param("Error type", ["no_ink", "no_light"], [], id="one of two"),
        pytest.param("Error type", ["no_ink", "no_paper", "more of it"], [], id="words"),
        pytest.param("Kind", ["no_ink", "no_paper", "no_light"], [], id="of another key"),
    ],
)
def test_a_row_of_kinds_that_a_tool_never_answers(
    tmp_path: Path, header: str, names: list[str], lines: list[int]
) -> None:
    rows = "".join(f"| `{each}` | it is so |\n" for each in names)
    found = wrong(tmp_path, "ERR506", f"# close_order\n\n| {header} | Cause |\n|---|---|\n{rows}", KINDS)
    assert found == [f"{line} `close_order` answers nothing with `error_type` `no_light`" for line in lines]


KEYS = {
    "a key that it has": (shown('{"status": "error", "error": "gone", "shelf": 1}'), []),
    "a key that it does not have": (
        shown('{"status": "error", "error": "gone", "place": 1}'),
        ["4 what `close_order` answers has no `place`"],
    ),
    "a key of another error": (
        shown('{"status": "error", "error": "gone", "by": 1}'),
        ["4 what `close_order` answers has no `by`"],
    ),
    "of no error that it answers": (shown('{"status": "error", "error": "wet", "place": 1}'), []),
    "of one of two": (
        shown('{"status": "error", "by": 1, "shelf": 2, "message": "x"}'),
        ["4 what `close_order` answers has no `message`"],
    ),
    "a success": (shown('{"status": "done", "place": 1}'), []),
    "in a sample of code": (shown('answer = {"status": "error", "error": "gone", "place": 1}'), []),
    "a key of a part": (shown('{"status": "error", "error": "gone", "shelf": {"place": 1}}'), []),
}


@pytest.mark.parametrize(("page", "expected"), KEYS.values(), ids=KEYS)
def test_a_key_that_no_answer_of_the_tool_has(tmp_path: Path, page: str, expected: list[str]) -> None:
    gone = answer('"status": "error", "error": "gone", "shelf": 7').removesuffix(RAISES)
    body = gone + '    return {"status": "error", "error": "locked", "by": 1}\n'
    assert wrong(tmp_path, "ERR505", page, body) == expected


def docstring(*names: str) -> str:
    """Return the docstring of a tool: its first name stands four lines below the tool."""
    return '    """Close it.\n\n    Raises:\n' + "".join(f"        {each}: so\n" for each in names) + '    """\n'


LINE = HEAD.count("\n")
LISTS = {
    "what it raises": (["ShopError"], RAISES, []),
    "what does not exist": (
        ["ShopError", "BirdError"],
        RAISES,
        [(5, "the docstring of `close_order` says it raises `BirdError`, which does not exist")],
    ),
    "one of the language": (["ShopError", "ValueError"], RAISES, []),
    "one that is imported": (["ShopError", "PaperError"], RAISES, []),
    "what nothing makes": (
        ["ShopError", "UnmadeError"],
        RAISES,
        [(5, "the docstring of `close_order` says it raises `UnmadeError`, which nothing raises")],
    ),
    "what others raise": (
        ["ShopError", "TillError"],
        RAISES,
        [(5, "the docstring of `close_order` says it raises `TillError`, which nothing raises that it calls")],
    ),
    "what a helper raises": (["LostError"], "    return lose(order_id)\n", []),
    "a base of what a helper raises": (["ShopError"], "    return lose(order_id)\n", []),
    "it leaves out what it raises": (
        ["ValueError"],
        RAISES,
        [(0, "`close_order` raises `ShopError`, which its docstring does not list")],
    ),
    "it leaves out what a helper raises": (
        ["ValueError"],
        "    return lose(order_id)\n",
        [(0, "`close_order` raises `LostError`, which its docstring does not list")],
    ),
    "what a helper raises is caught": (
        ["ValueError"],
        "    try:\n        return lose(order_id)\n    except LostError:\n        return {}\n",
        [],
    ),
    "what a helper raises is caught, and more": (
        ["ValueError"],
        "    try:\n        return lose(order_id)\n    except Exception:\n        return {}\n",
        [],
    ),
    "it leaves out two": (
        ["ValueError"],
        f"    if more:\n        lose(order_id)\n{RAISES}",
        [(0, "`close_order` raises `ShopError` and `LostError`, which its docstring does not list")],
    ),
    "it leaves one out and has another one": (
        ["BirdError"],
        RAISES,
        [
            (
                4,
                "the docstring of `close_order` says it raises `BirdError`, which does not exist; "
                "and `close_order` raises `ShopError`, which its docstring does not list",
            )
        ],
    ),
    "it does nothing yet": (["TillError"], "    pass\n", []),
    "it says nothing yet": (["TillError"], "", []),
    "it answers nothing yet": (["TillError"], "    return None\n", []),
    "it is not made yet": (["TillError"], "    raise NotImplementedError\n", []),
    "it is not made yet, in words": (["TillError"], "    raise NotImplementedError('later')\n", []),
    "it does something": (
        ["TillError"],
        "    print(order_id)\n",
        [(4, "the docstring of `close_order` says it raises `TillError`, which nothing raises that it calls")],
    ),
    "it raises what it is given": (["TillError"], "    raise more['error']\n", []),
}


@pytest.mark.parametrize(("names", "body", "expected"), LISTS.values(), ids=LISTS)
def test_the_exceptions_that_the_docstring_of_a_tool_lists(
    tmp_path: Path, names: list[str], body: str, expected: list[tuple[int, str]]
) -> None:
    files = {"server.py": HEAD + docstring(*names) + body, "docs/errors.md": "# Errors\n"}
    found = [each for each in said(tmp_path, "ERR506", files, BOUNDED) if "close_order" in each]
    assert found == [f"server.py:{LINE + line} {message}" for line, message in expected]


PAID = '    if more:\n        raise ShopError("Nobody has paid")\n'
SECTION = "# Errors\n\n## close_order Tool Errors\n\n"
SHUT = "### ShopError - Shut\n\n**Message:** `It is shut`\n\n"
TOOLS = {
    "what it raises": (SHUT, RAISES, []),
    "what others raise": (
        f"{SHUT}### TillError - Empty\n\nIt is so.\n\n",
        RAISES,
        ["docs/errors.md:9 `close_order` raises no `TillError`, nor does anything that it calls"],
    ),
    "below another heading": (f"{SHUT}## Others\n\n### TillError - Empty\n\nIt is so.\n\n", RAISES, []),
    "what it raises besides": (
        SHUT,
        PAID + RAISES,
        [f'server.py:{LINE + 2} no entry of `close_order` is about this `ShopError`: "Nobody has paid"'],
    ),
    "two that it raises besides": (
        SHUT,
        f"{PAID}    if order_id:\n        raise ShopError('It rains')\n{RAISES}",
        [
            f'server.py:{LINE + 2} no entry of `close_order` is about this `ShopError`: "Nobody has paid", '
            "and 1 others of it"
        ],
    ),
    "another class that it raises besides": (
        SHUT,
        f'    if more:\n        raise LostError("Nobody has found it")\n{RAISES}',
        [f'server.py:{LINE + 2} no entry of `close_order` is about this `LostError`: "Nobody has found it"'],
    ),
    "what another entry of the document says": (
        f"{SHUT}## Others\n\n### ShopError - Paid\n\n**Message:** `Nobody has paid`\n\n",
        PAID + RAISES,
        [],
    ),
    "what an entry nearly says": (
        SHUT.replace("It is shut", "Nobody has ever paid"),
        '    raise ShopError("Nobody has paid")\n',
        [],
    ),
    "an entry of its class shows no message": (
        f"{SHUT}### ShopError - More\n\nIt is so.\n\n",
        PAID + RAISES,
        [],
    ),
    "a message that may be anything": (SHUT, f"    if more:\n        raise ShopError(order_id)\n{RAISES}", []),
    "no entry is about the tool": (
        SHUT.replace("###", "##"),
        PAID + RAISES,
        [],
    ),
}


@pytest.mark.parametrize(("entries", "body", "expected"), TOOLS.values(), ids=TOOLS)
def test_the_entries_below_the_name_of_a_tool(tmp_path: Path, entries: str, body: str, expected: list[str]) -> None:
    head = SECTION if entries.startswith("###") else "# Errors\n\n"
    files = {"server.py": HEAD + body, "docs/errors.md": head + entries}
    assert said(tmp_path, "ERR506", files, BOUNDED) == expected


def test_entries_in_a_document_that_the_settings_do_not_list_need_not_be_all(tmp_path: Path) -> None:
    body = PAID + RAISES
    files = {"server.py": HEAD + body, "docs/errors.md": SECTION + SHUT}
    assert said(tmp_path, "ERR506", files, "") == []


def test_errors_of_a_class_with_several_codes_are_told_by_these(tmp_path: Path) -> None:
    head = HEAD.replace(
        "class ShopError(Exception):\n    pass",
        "class ShopError(Exception):\n    def __init__(self, text, code='A_A'):\n        self.code = code",
    )
    body = f'    if more:\n        raise ShopError("Nobody has paid", code="B_B")\n{RAISES}'
    files = {"server.py": head + body, "docs/errors.md": SECTION + SHUT}
    assert said(tmp_path, "ERR506", files, BOUNDED) == []
