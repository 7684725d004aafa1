"""What entries tell of the error that says their message: hints, fields, codes, statuses and classes."""

from __future__ import annotations

from pathlib import Path

import pytest
from documented_shop import said

HEAD = """\
from fastmcp import FastMCP

mcp = FastMCP("orders")


class OrderError(Exception):
    def __init__(
        self, message, *, code="ORDER_ERROR", status_code=None, hints=None, order_id=None, reason=None, clerk=None,
        desk="front", context=None, cause=None
    ):
        super().__init__(message)
        self.code = code
        self.status_code = status_code
        self.hints = hints
        self.order_id = order_id
        self.reason = reason
        self.clerk = clerk or "nobody"
        self.desk = desk
        self.context = context


class StoreError(OrderError):
    pass


@mcp.tool()
def close_order(order_id: str, **more) -> dict:
    if not order_id:
        raise StoreError("The store is shut")
"""


def code(*given: str, message: str = 'f"There is no order {order_id}"') -> str:
    """Return the tool with an error for each text of arguments, all with one message."""
    return HEAD + "".join(f"    if more:\n        raise OrderError({message}, {each})\n" for each in given)


def entry(facts: str, title: str = "Missing") -> str:
    """Return an entry with a message; its facts begin in the fifth line."""
    return f"### OrderError - {title}\n\n**Message:** `There is no order 4711`\n\n{facts}"


def differences(root: Path, rule: str, page: str, server: str) -> list[str]:
    found = said(root, rule, {"server.py": server, "docs/orders.md": page})
    return [each.removeprefix("docs/orders.md:").replace("the error that says this ", "") for each in found]


HINT = 'hints=["List the open orders"]'
HINTS = {
    "the same one": ("**Hint:** `List the open orders`\n", HINT, []),
    "the same words in other signs": ("**Hint:** Ask, now!\n", 'hints=["ask now"]', []),
    "with an example in it": (
        "**Hint:** `Look for order 12 first`\n",
        'hints=[f"Look for order {order_id} first"]',
        [],
    ),
    "another one": ("**Hint:** `Ask the clerk`\n", HINT, ['5 does not have the hint "Ask the clerk"']),
    "none": ("**Hint:** `Ask the clerk`\n", "reason='gone'", ["5 has no hints"]),
    "one more": (
        "**Hint:** `List the open orders`\n",
        'hints=["List the open orders", "Ask the clerk of the store"]',
        ['5 has the hint "Ask the clerk of the store" too'],
    ),
    "the first that is wrong": (
        "**Hints:**\n\n- `Ask the clerk`\n- `Ask the owner`\n",
        HINT,
        ['7 does not have the hint "Ask the clerk"'],
    ),
    "no hint in the entry": ("", HINT, []),
    "hints that are not known": ("**Hint:** `Ask the clerk`\n", "hints=advice(order_id)", []),
    "a hint that may be any text": ("**Hint:** `Ask the clerk`\n", "hints=[advice(order_id)]", []),
    "anything may be given": ("**Hint:** `Ask the clerk`\n", "**more", []),
}


@pytest.mark.parametrize(("facts", "given", "expected"), HINTS.values(), ids=HINTS)
def test_the_hints_of_an_entry_are_those_of_its_error(
    tmp_path: Path, facts: str, given: str, expected: list[str]
) -> None:
    assert differences(tmp_path, "ERR504", entry(facts), code(given)) == expected


def fields(*names: str) -> str:
    return "**Fields:**\n\n" + "".join(f"- `{name}`: what it is\n" for name in names)


FIELDS = {
    "what is given": (fields("order_id"), "order_id=order_id", []),
    "what is not given": (fields("order_id"), "", ["7 is not given `order_id`"]),
    "one of two": (fields("order_id", "reason"), "order_id=order_id", ["8 is not given `reason`"]),
    "what it is not told": (
        fields("order_id"),
        "order_id=1, context={}",
        ["7 is given `context`, which is no field here"],
    ),
    "one thing at a place": (fields("order_id"), "reason=2", ["7 is not given `order_id`"]),
    "what is wrong further down": (
        fields("reason", "order_id"),
        "reason=2, context={}",
        ["7 is given `context`, which is no field here", "8 is not given `order_id`"],
    ),
    "no list at all": ("", "order_id=order_id", []),
    "for developers": (fields("order_id"), "order_id=1, cause=more", []),
    "with a default": (fields("order_id", "desk"), "order_id=1", []),
    "what has a default": (fields("order_id"), "order_id=1, desk='back'", []),
    "filled in where it is nothing": (fields("order_id", "clerk"), "order_id=1", []),
    "none of its arguments": (fields("order_id", "weather"), "order_id=1", []),
    "anything may be given": (fields("order_id"), "**more", []),
    "hints, without hints of its own": (fields("order_id", "hints"), "order_id=1", ["8 is not given `hints`"]),
    "hints, with hints of its own": (
        f"**Hint:** `List the open orders`\n\n{fields('order_id', 'hints')}",
        "order_id=1",
        [],
    ),
    "hints that are not listed": (
        fields("order_id"),
        f"order_id=1, {HINT}",
        ["7 is given `hints`, which is no field here"],
    ),
    "an example": (
        '```json\n{"message": "There is no order 1", "reason": "x"}\n```\n',
        "",
        ["6 is not given `reason`"],
    ),
    "an example and a list": (
        f'{fields("reason")}\n```json\n{{"message": "There is no order 1", "reason": "x"}}\n```\n',
        "",
        ["7 is not given `reason`"],
    ),
}


@pytest.mark.parametrize(("facts", "given", "expected"), FIELDS.values(), ids=FIELDS)
def test_the_fields_of_an_entry_are_those_that_its_error_is_given(
    tmp_path: Path, facts: str, given: str, expected: list[str]
) -> None:
    assert differences(tmp_path, "ERR505", entry(facts), code(given)) == expected


def test_an_entry_is_compared_with_the_error_that_it_differs_from_the_least(tmp_path: Path) -> None:
    server = code("context={}", "order_id=1")
    assert differences(tmp_path, "ERR505", entry(fields("order_id", "reason")), server) == ["8 is not given `reason`"]


def test_an_entry_without_a_message_is_about_the_error_of_another_with_its_title(tmp_path: Path) -> None:
    """What stands between brackets behind a title is said aside."""
    named = "### Missing{0}\n\n**Exception Type:** `OrderError`\n\n{1}"
    page = named.format("", "**Message:** `There is no order 4711`\n\n") + named.format(" (again)", fields("reason"))
    assert differences(tmp_path, "ERR505", page, code("order_id=1")) == ["13 is not given `reason`"]
    assert differences(tmp_path, "ERR505", page.replace("Missing (", "Lost ("), code("order_id=1")) == []


def test_fields_of_an_entry_whose_message_has_changed_are_not_compared(tmp_path: Path) -> None:
    drifted = entry(fields("reason"), "Gone").replace("no order 4711", "an order 4711")
    page = f"{entry('')}\n{drifted}\n### OrderError - Gone\n\n{fields('reason')}"
    assert differences(tmp_path, "ERR505", page, code("order_id=1")) == []


OF_TOOL = {
    "given": ("close_order errors", "order_id", "order_id=1", []),
    "not given": ("close_order errors", "reason", "order_id=1", ["9 no `OrderError` of this tool is given `reason`"]),
    "not given by one of several": ("close_order errors", "reason", "reason=1", []),
    "below no tool": ("errors of shops", "reason", "order_id=1", []),
    "no argument of the class": ("close_order errors", "weather", "order_id=1", []),
    "anything may be given": ("close_order errors", "reason", "**more", []),
}


@pytest.mark.parametrize(("heading", "name", "given", "expected"), OF_TOOL.values(), ids=OF_TOOL)
def test_the_fields_of_a_class_below_the_name_of_a_tool(
    tmp_path: Path, heading: str, name: str, given: str, expected: list[str]
) -> None:
    page = f"# Errors\n\n## {heading}\n\n### OrderError - Something\n\n{fields(name)}"
    server = code(given, "order_id=2", message='f"{order_id}"')
    assert differences(tmp_path, "ERR505", page, server) == expected


def shown(name: str) -> str:
    return f'```json\n{{"message": "There is no order 4711", "code": "{name}"}}\n```\n'


CODES = {
    "its own": (shown("ORDER_GONE"), ["code='ORDER_GONE'"], []),
    "another one": (
        shown("ORDER_LOST"),
        ["code='ORDER_GONE'"],
        ["6 has the code `ORDER_GONE`, the example shows `ORDER_LOST`"],
    ),
    "that of its class": (shown("ORDER_ERROR"), ["order_id=1"], []),
    "one of two": (shown("ORDER_GONE") + "\n" + shown("ORDER_LOST"), ["code='ORDER_GONE'"], []),
    "that of the second error with the message": (shown("ORDER_LOST"), ["code='ORDER_GONE'", "code='ORDER_LOST'"], []),
    "a placeholder": (shown("ERROR_CODE"), ["code='ORDER_GONE'"], []),
    "a code that is not known": (shown("ORDER_LOST"), ["code=more"], []),
}


@pytest.mark.parametrize(("facts", "given", "expected"), CODES.values(), ids=CODES)
def test_the_code_of_an_example_is_that_of_its_error(
    tmp_path: Path, facts: str, given: list[str], expected: list[str]
) -> None:
    assert differences(tmp_path, "ERR507", entry(facts), code(*given)) == expected


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        pytest.param(["code='ORDER_GONE'"], ["ORDER_GONE"], id="of the nearest"),
        pytest.param(["code='ORDER_GONE'", "code='ORDER_LOST'"], [], id="of another one that is as near"),
    ],
)
def test_the_code_of_an_example_with_a_message_that_has_changed(
    tmp_path: Path, given: list[str], expected: list[str]
) -> None:
    page = entry(shown("ORDER_LOST").replace("no order 4711", "no such order 4711")).replace(
        "no order", "no such order"
    )
    server = code(*given) + '    raise OrderError("The till is empty", code="ORDER_PAID")\n'
    fine = "### OrderError - Paid\n\n**Message:** `The till is empty`\n\n"
    found = differences(tmp_path, "ERR507", f"{page}\n{fine}", server)
    assert found == [
        f"6 the error that comes nearest has the code `{each}`, the example shows `ORDER_LOST`" for each in expected
    ]


STATUSES = {
    "its own": ("**Status:** 404\n", ["status_code=404"], []),
    "another one": ("**Status:** 410\n", ["status_code=404"], ["3 the status of `ORDER_GONE` is 404, not 410"]),
    "one of several": ("**Status:** 410\n", ["status_code=404", "status_code=410"], []),
    "none of several": (
        "**Status:** 500\n",
        ["status_code=410", "status_code=404"],
        ["3 the status of `ORDER_GONE` is 404 or 410, not 500"],
    ),
    "that of one is not known": ("**Status:** 500\n", ["status_code=404", "status_code=more"], []),
    "several in the entry": ("**Status:** 410 or 500\n", ["status_code=404"], []),
    "a class of the code": ("**Exception:** `OrderError`\n", ["order_id=1"], []),
    "a base class": ("**Exception:** `server.OrderError`\n", ["order_id=1"], []),
    "another class": (
        "**Exception:** `StoreError`\n",
        ["order_id=1"],
        ["3 the class of `ORDER_GONE` is `OrderError`, not `StoreError`"],
    ),
    "a class that the code does not have": ("**Exception:** `TillError`\n", ["order_id=1"], []),
    "no class": ("**Exception:** see below\n", ["order_id=1"], []),
}


@pytest.mark.parametrize(("facts", "given", "expected"), STATUSES.values(), ids=STATUSES)
def test_the_status_and_the_class_of_a_code(tmp_path: Path, facts: str, given: list[str], expected: list[str]) -> None:
    server = code(*(f"code='ORDER_GONE', {each}" for each in given))
    assert differences(tmp_path, "ERR507", f"### ORDER_GONE\n\n{facts}", server) == expected


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        pytest.param("TillError", ["3 the code has no exception `TillError`"], id="that stands nowhere"),
        pytest.param("PaperError", [], id="that is imported"),
        pytest.param("ValueError", [], id="of the language"),
        pytest.param("StoreError", [], id="that others raise"),
    ],
)
def test_the_class_of_a_code_that_the_code_does_not_have(tmp_path: Path, name: str, expected: list[str]) -> None:
    server = "from paper import PaperError\n" + code("code='ORDER_GONE'")
    page = f"### ORDER_GONE\n\n**Exception:** `{name}`\n"
    assert differences(tmp_path, "ERR502", page, server) == expected


def test_the_class_of_a_code_that_a_payload_has_as_well_is_not_compared(tmp_path: Path) -> None:
    server = code("code='ORDER_GONE'") + '    return {"success": False, "code": "ORDER_GONE", "error": "It is gone"}\n'
    assert differences(tmp_path, "ERR507", "### ORDER_GONE\n\n**Exception:** `StoreError`\n", server) == []


def valued(name: str, value: str) -> str:
    return f'**Fields:**\n\n- `{name}`: "{value}"\n'


def example(member: str) -> str:
    return f'```json\n{{"message": "There is no order 4711", {member}}}\n```\n'


BACK = "is `back` where this is raised, not `front`"
VALUES = {
    "its own": (valued("desk", "back"), ["desk='back'"], []),
    "another one": (valued("desk", "front"), ["desk='back'"], [f"7 `desk` {BACK}"]),
    "another one in an example": (example('"desk": "front"'), ["desk='back'"], [f"6 `desk` {BACK}"]),
    "once for a line": (
        example('"desk": "front", "clerk": "front"'),
        ["desk='back', clerk='back'"],
        [f"6 `desk` {BACK}"],
    ),
    "one of several": (valued("desk", "front"), ["desk='back'", "desk='front'"], []),
    "none of several": (
        valued("desk", "side"),
        ["desk='front'", "desk='back'"],
        ["7 `desk` is `back` or `front` where this is raised, not `side`"],
    ),
    "that of one is not known": (valued("desk", "side"), ["desk='front'", "desk=more"], []),
    "what one is not given": (valued("desk", "side"), ["desk='front'", "order_id=1"], []),
    "a code": (
        valued("code", "ORDER_LOST"),
        ["code='ORDER_GONE'"],
        ["7 `code` is `ORDER_GONE` where this is raised, not `ORDER_LOST`"],
    ),
    "a code in an example, which is told once": (
        example('"code": "ORDER_LOST"'),
        ["code='ORDER_GONE'"],
        ["6 has the code `ORDER_GONE`, the example shows `ORDER_LOST`"],
    ),
    "a message": (valued("detail", "front"), ["detail='back'"], []),
    "a sentence in an example": (example('"desk": "at the front"'), ["desk='back'"], []),
}


@pytest.mark.parametrize(("facts", "given", "expected"), VALUES.values(), ids=VALUES)
def test_the_constants_of_an_entry_are_those_of_its_errors(
    tmp_path: Path, facts: str, given: list[str], expected: list[str]
) -> None:
    assert differences(tmp_path, "ERR507", entry(facts), code(*given)) == expected


WHO = "the error that this is about is"
PARTS = {
    "what is given": ("with `till`", ["context={'till': 1}"], []),
    "what is not given": ("with `till`", ["context={'door': 1}"], [f"7 {WHO} not given `context.till`"]),
    "the first that is not given": (
        "with `till`, `roof`",
        ["context={'door': 1}"],
        [f"7 {WHO} not given `context.till`"],
    ),
    "what is left out": (
        "with `till`",
        ["context={'till': 1, 'door': 1}"],
        [f"7 {WHO} given `context.door` too, which is not named here"],
    ),
    "that there are more": ("including `till`", ["context={'till': 1, 'door': 1}"], []),
    "given by one of two": ("including `till`", ["context={'till': 1}", "context={'door': 1}"], []),
    "left out of one of two": ("with `till`", ["context={'till': 1}", "context={'till': 1, 'door': 1}"], []),
    "a dict that is not known": ("with `till`", ["context=more"], []),
    "a dict of one that is not known": ("with `till`", ["context={'door': 1}", "context=more"], []),
    "no dict": ("with `till`", ["order_id=1"], []),
    "anything may be given": ("with `till`", ["context={'door': 1}, **more"], []),
}


@pytest.mark.parametrize(("told", "given", "expected"), PARTS.values(), ids=PARTS)
def test_the_parts_of_a_dict_that_a_list_of_fields_names(
    tmp_path: Path, told: str, given: list[str], expected: list[str]
) -> None:
    page = entry(f"**Fields:**\n\n- `context`: where it was, {told}\n")
    found = differences(tmp_path, "ERR505", page, code(*given))
    assert [each for each in found if WHO in each] == expected


@pytest.mark.parametrize(
    ("shown_parts", "expected"),
    [
        pytest.param('{"till": 1}', [], id="given"),
        pytest.param('{"door": 1}', [f"6 {WHO} not given `context.door`"], id="not given"),
        pytest.param("{}", [], id="none of them"),
    ],
)
def test_the_parts_of_a_dict_that_an_example_shows(tmp_path: Path, shown_parts: str, expected: list[str]) -> None:
    """An example need not have all of them."""
    page = entry(example(f'"context": {shown_parts}'))
    assert differences(tmp_path, "ERR505", page, code("context={'till': 1, 'roof': 2}")) == expected


@pytest.mark.parametrize(
    ("heading", "expected"),
    [
        pytest.param(
            "close_order Tool Errors", ["7 `desk` is `back` where this is raised, not `front`"], id="of a tool"
        ),
        pytest.param("errors of shops", [], id="of no tool"),
    ],
)
def test_an_entry_without_a_message_is_about_the_errors_of_its_class_in_the_tool(
    tmp_path: Path, heading: str, expected: list[str]
) -> None:
    page = f"## {heading}\n\n### OrderError\n\n{valued('desk', 'front')}"
    assert differences(tmp_path, "ERR507", page, code("desk='back'")) == expected


RPC = "[codes]\nstatus = { StoreError = 500, OrderError = -32602 }\n[catalog]\nfiles = ['docs/*.md']\n"


@pytest.mark.parametrize(
    ("name", "number", "expected"),
    [
        pytest.param("OrderError", -32602, [], id="its own"),
        pytest.param(
            "OrderError", -32603, ["the JSON-RPC code of `OrderError` is -32602, not -32603"], id="another one"
        ),
        pytest.param("StoreError", -32603, [], id="of a class with another kind of status"),
    ],
)
def test_the_code_of_json_rpc_in_an_example(tmp_path: Path, name: str, number: int, expected: list[str]) -> None:
    data = f'{{"message": "It is shut", "error_type": "{name}"}}'
    page = f'### {name}\n\n```json\n{{"code": {number}, "message": "It is shut", "data": {data}}}\n```\n'
    found = said(tmp_path, "ERR507", {"server.py": code("order_id=1"), "docs/orders.md": page}, RPC)
    assert [each.partition(" ")[2] for each in found] == expected
