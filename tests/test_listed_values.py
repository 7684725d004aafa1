"""What documents list of codes and values, and say of retries and statuses, beside the errors and the policy."""

from __future__ import annotations

from pathlib import Path

import pytest
from documented_shop import LISTED, said

CODE = """\
from fastmcp import FastMCP

mcp = FastMCP("shop")


class ShopError(Exception):
    def __init__(self, message, *, code="SHOP_SHUT", reason="late", place=""):
        super().__init__(message)
        self.code = code
        self.reason = reason

    def __str__(self):
        if self.reason == "wet":
            return "It rained"
        match self.reason:
            case "snowed":
                return "It snowed in"
        return "white"


@mcp.tool()
def close_order(order_id: str) -> dict:
    if order_id == "1":
        raise ShopError("It is gone", code="SHOP_GONE", reason="sold")
    if order_id == "2":
        raise ShopError("It is lost", code="SHOP_LOST")
    raise ShopError("It is shut")
"""


def listed(root: Path, page: str, *, path: str = "docs/fields.md", code: str = CODE, config: str = LISTED) -> list[str]:
    return [each.removeprefix(f"{path}:") for each in said(root, "ERR507", {"shop.py": code, path: page}, config)]


def form(codes: str) -> str:
    return f'# Fields\n\n```json\n{{"message": "what happened", "code": "{codes}"}}\n```\n'


LACKS = "the list of codes lacks `SHOP_LOST`, which errors have"
WET = "the list of codes has `SHOP_WET`, which no error has"
CODES = {
    "all of them": ("- `code`: `SHOP_GONE`, `SHOP_LOST` or `SHOP_SHUT`\n", []),
    "one is left out": ("- `code`: `SHOP_GONE` or `SHOP_SHUT`\n", [LACKS]),
    "one is too much": ("- `code`: `SHOP_GONE`, `SHOP_SHUT` or `SHOP_WET`\n", [WET]),
    "one of two is too much": ("- `code`: `SHOP_GONE` or `SHOP_WET`\n", []),
    "of another field": ("- `place`: `SHOP_GONE` or `SHOP_SHUT`\n", []),
    "behind other words": ("- the `code`: `SHOP_GONE` or `SHOP_SHUT`\n", []),
    "a single one": ("- `code`: `SHOP_GONE`\n", []),
    "in a row": ("| Field | Values |\n|---|---|\n| `code` | `SHOP_GONE` or `SHOP_SHUT` |\n", [LACKS]),
    "in the row of another field": ("| Field | Values |\n|---|---|\n| `place` | `SHOP_GONE` or `SHOP_SHUT` |\n", []),
}


@pytest.mark.parametrize(("line", "expected"), CODES.values(), ids=CODES)
def test_the_codes_that_a_field_may_have(tmp_path: Path, line: str, expected: list[str]) -> None:
    assert [each.partition(" ")[2] for each in listed(tmp_path, f"# Fields\n\n{line}")] == expected


@pytest.mark.parametrize(
    ("page", "expected"),
    [
        pytest.param(form("SHOP_GONE|SHOP_SHUT"), [f"4 {LACKS}"], id="one is left out"),
        pytest.param(form("SHOP_GONE | SHOP_SHUT | SHOP_LOST"), [], id="all of them"),
        pytest.param(form("SHOP_GONE|SHOP_SHUT|SHOP_WET"), [], id="one is too much"),
        pytest.param(form("SHOP_GONE"), [], id="a single one"),
        pytest.param(form("SHOP_GONE|...").replace('"code"', '"other"'), [], id="of another field"),
    ],
)
def test_the_codes_in_the_form_of_an_error(tmp_path: Path, page: str, expected: list[str]) -> None:
    assert listed(tmp_path, page) == expected


def test_a_page_about_a_tool_lists_what_that_has_to_do_with(tmp_path: Path) -> None:
    line = "- `code`: `SHOP_GONE` or `SHOP_SHUT`\n"
    assert listed(tmp_path, f"# close_order\n\n{line}", path="docs/close_order.md") == []
    wet = line.replace(" or", ",").replace("SHUT`", "SHUT` or `SHOP_WET`")
    assert listed(tmp_path, f"# close_order\n\n{wet}", path="docs/close_order.md") == [f"3 {WET}"]


@pytest.mark.parametrize(
    ("more", "config"),
    [
        pytest.param("# SHOP_WET is to come\n", "", id="a word of the code"),
        pytest.param("", "[codes.vocabulary]\nSHOP_WET = { status = 400 }\n", id="the policy"),
        pytest.param("class ErrorCode:\n    SHOP_WET = 'SHOP_WET'\n", "", id="a registry"),
    ],
)
def test_a_code_that_something_knows_is_not_too_much(tmp_path: Path, more: str, config: str) -> None:
    page = "# Fields\n\n- `code`: `SHOP_GONE`, `SHOP_SHUT` or `SHOP_WET`\n"
    assert listed(tmp_path, page, code=CODE + more, config=LISTED + config) == []


def test_of_many_codes_that_are_left_out_some_are_named(tmp_path: Path) -> None:
    more = "".join(
        f"\n\n@mcp.tool()\ndef tool_{n}(order: str) -> dict:\n    raise ShopError('no', code='SHOP_{n * 3}')\n"
        for n in "ABC"
    )
    page = "# Fields\n\n- `code`: `SHOP_GONE` or `SHOP_SHUT`\n"
    assert listed(tmp_path, page, code=CODE + more) == [
        "3 the list of codes lacks `SHOP_AAA`, `SHOP_BBB`, `SHOP_CCC` and 1 others, which errors have"
    ]


VALUES = {
    "a value of the code": ('- `reason`: why ("late", "sold")', []),
    "a value that stands nowhere": (
        '- `reason`: why ("late", "sold", "blue")',
        ["no text of the code is `blue`, which is listed for `reason`"],
    ),
    "two values that stand nowhere": (
        '- `reason`: why ("late", "sold", "blue", "red")',
        ["no text of the code is `blue` or `red`, which is listed for `reason`"],
    ),
    "one value of the code": ('- `reason`: why ("late", "blue")', []),
    "a value that the exception only compares with": (
        '- `reason`: why ("late", "sold", "wet")',
        ["no text of the code is `wet`, which is listed for `reason`"],
    ),
    "a value that the exception only matches": (
        '- `reason`: why ("late", "sold", "snowed")',
        ["no text of the code is `snowed`, which is listed for `reason`"],
    ),
    "a text that the exception says": ('- `reason`: why ("late", "sold", "white")', []),
    "of no argument": ('- `weather`: why ("late", "sold", "blue")', []),
    "without code": ('- why ("late", "sold", "blue")', []),
    "without brackets": ('- `reason`: "late", "sold", "blue"', []),
    "one of": (
        '- `reason`: why (one of: "late", "sold" or "blue")',
        ["no text of the code is `blue`, which is listed for `reason`"],
    ),
}


@pytest.mark.parametrize(("line", "expected"), VALUES.values(), ids=VALUES)
def test_the_values_of_an_argument_of_a_class(tmp_path: Path, line: str, expected: list[str]) -> None:
    page = f"# Errors\n\n### ShopError\n\nIt is so.\n\n{line}\n"
    assert [each.partition(" ")[2] for each in listed(tmp_path, page)] == expected


@pytest.mark.parametrize(
    ("more", "heading", "is_told"),
    [
        pytest.param("", "ShopError", True, id="a class"),
        pytest.param("", "TillError", False, id="a class that is not there"),
        pytest.param("", "Why", False, id="something else"),
        pytest.param("\n\ndef asked(it):\n    return it == 'blue'\n", "ShopError", False, id="others compare with it"),
        pytest.param("\n\nclass Page:\n    COLOR = 'blue'\n", "ShopError", False, id="another class has it"),
        pytest.param("\n\nCOLOR = 'blues'\n", "ShopError", True, id="a longer text"),
    ],
)
def test_which_values_stand_in_the_code(tmp_path: Path, more: str, heading: str, is_told: bool) -> None:
    page = f'# Errors\n\n### {heading}\n\n- `reason`: why ("late", "sold", "blue")\n'
    assert bool(listed(tmp_path, page, code=CODE + more)) is is_told


POLICY = f"""{LISTED}
[codes]
defaults = {{ 401 = "signed_out", 403 = "signed_out", 5xx = "backend_down" }}

[codes.vocabulary]
not_found = {{ status = 404, retryable = false }}
order_locked = {{ status = 423, retryable = true }}
plan_full = {{ status = 402 }}
signed_out = {{ status = 401 }}
"""

SAYS = {
    "what it is": ("not_found", "**Retryable:** no\n", []),
    "what it is not": ("not_found", "**Retryable:** yes\n", ["`not_found` is not retryable"]),
    "what it is not, the other way": ("order_locked", "**Retryable:** never\n", ["`order_locked` is retryable"]),
    "neither of both": ("order_locked", "**Retryable:** after a minute\n", []),
    "of a code of which the policy says nothing": ("plan_full", "**Retryable:** yes\n", []),
    "of a code that it does not have": ("gone_away", "**Retryable:** yes\n", []),
    "in an example": (
        "not_found",
        '```json\n{"code": "not_found", "message": "x", "retryable": true}\n```\n',
        ["`not_found` is not retryable"],
    ),
    "in a part of an example": (
        "not_found",
        '```json\n{"code": "not_found", "message": "x", "data": {"retryable": true}}\n```\n',
        ["`not_found` is not retryable"],
    ),
    "another field of an example": (
        "not_found",
        '```json\n{"code": "not_found", "message": "x", "is_long": true}\n```\n',
        [],
    ),
    "its status": ("not_found", "**Status:** 404\n", []),
    "another status": ("not_found", "**Status:** 410\n", ["the status of `not_found` is 404, not 410"]),
    "one of its statuses": ("signed_out", "**Status:** 403\n", []),
    "both of its statuses": ("signed_out", "**Status:** 401 or 403\n", []),
    "none of its statuses": ("signed_out", "**Status:** 407\n", ["the status of `signed_out` is 401 or 403, not 407"]),
    "a status of its kind": ("backend_down", "**Status:** 502\n", []),
    "a status of another kind": ("backend_down", "**Status:** 402\n", ["the status of `backend_down` is 5xx, not 402"]),
    "two wrong ones are told once": (
        "not_found",
        "**Status:** 410 or 411\n",
        ["the status of `not_found` is 404, not 410"],
    ),
    "a status of a code without one": ("gone_away", "**Status:** 402\n", []),
    "no status": ("not_found", "**Status:** as the backend has it\n", []),
}


@pytest.mark.parametrize(("name", "facts", "expected"), SAYS.values(), ids=SAYS)
def test_what_an_entry_says_otherwise_than_the_policy(
    tmp_path: Path, name: str, facts: str, expected: list[str]
) -> None:
    page = f"# Errors\n\n### `{name}`\n\n{facts}"
    assert [each.partition(" ")[2] for each in listed(tmp_path, page, code="", config=POLICY)] == expected


def test_what_is_written_from_the_code_is_not_held_to_the_policy(tmp_path: Path) -> None:
    entry = "### `not_found`\n\n**Status:** 410\n\n"
    page = f"# Errors\n\n<!-- errlint: begin errors -->\n{entry}<!-- errlint: end -->\n"
    assert listed(tmp_path, page, code="", config=POLICY) == []


def test_an_entry_of_a_class_is_not_held_to_the_policy_of_a_code(tmp_path: Path) -> None:
    config = POLICY.replace("not_found =", "ShopError =")
    page = "# Errors\n\n### ShopError\n\n**Retryable:** yes\n"
    assert listed(tmp_path, page, config=config) == []
