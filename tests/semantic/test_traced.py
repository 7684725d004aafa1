"""Fields by which an error is traced to its call: the id that the tool was given, and none that is made anew."""

from __future__ import annotations

from textwrap import indent

import pytest
from judged_texts import astray

SETTINGS = '[[required]]\nclasses = ["OrderFailure"]\nfields = ["request_id"]\ntraced = ["request_id"]\n'
INSIDE = SETTINGS.replace("fields", 'inside = "context"\nfields')
HEAD = """\
import secrets
import uuid

from fastmcp import FastMCP
from kit import current_id

mcp = FastMCP("orders")


class OrderFailure(Exception):
    def __init__(self, message, request_id=None, context=None):
        super().__init__(message)
        self.request_id = request_id
        self.context = context


def made():
    return str(uuid.uuid4())


def made_or_not():
    if current_id():
        return current_id()
    return made()


def made_of(text):
    return uuid.uuid4()


def nothing():
    pass


"""
NEW = "  # error: `request_id` is a new one, by which nobody finds the call; hand on the parameter `request_id`"
NONE = "  # error: `request_id` is None where the tool is given none; make one there"


def traced(
    body: str, parameters: str = ("order, request_id=None"), head: str = "@mcp.tool()\n", settings: str = SETTINGS
) -> list[str]:
    """Return how the findings of a tool with this body differ from its marks."""
    text = f"{HEAD}{head}def drop(self, {parameters}):\n{indent(body, '    ')}\n"
    return astray({"orders.py": text}, settings, "ERR403")


IDS = {
    "a new one": ("uuid.uuid4()", NEW),
    "a new one as a text": ("str(uuid.uuid4())", NEW),
    "a new one in a text": ("f'req-{uuid.uuid4()}'", NEW),
    "a new one in hex": ("hex(uuid.uuid4())", NEW),
    "a token": ("secrets.token_hex(8)", NEW),
    "a new one of a function": ("made()", NEW),
    "a new one of a function, as a text": ("str(made())", NEW),
    "what a function makes or looks up": ("made_or_not()", ""),
    "what a function makes of something": ("made_of(order)", ""),
    "what a function does not answer": ("nothing()", ""),
    "what another package answers": ("current_id()", ""),
    "a text of nothing": ("str()", ""),
    "a text of something else": ("f'req-{order}'", ""),
    "a text": ("'req'", ""),
    "the parameter": ("request_id", NONE),
    "the parameter, or a new one": ("request_id or str(uuid.uuid4())", ""),
    "another parameter": ("order", ""),
}


@pytest.mark.parametrize(("value", "mark"), IDS.values(), ids=IDS)
def test_an_error_has_for_its_id(value: str, mark: str) -> None:
    assert traced(f"raise OrderFailure('no', request_id={value}){mark}") == []


@pytest.mark.parametrize(("value", "mark"), IDS.values(), ids=IDS)
def test_an_error_has_for_the_id_in_its_context(value: str, mark: str) -> None:
    assert traced(f"raise OrderFailure('no', context={{'request_id': {value}}}){mark}", settings=INSIDE) == []


def test_an_id_that_a_tool_has_to_be_given_is_handed_on() -> None:
    body = "raise OrderFailure('no', request_id=request_id)"
    assert traced(body, "order, request_id") == []
    assert traced(body, "order, request_id='none'") == []


@pytest.mark.parametrize("settings", [SETTINGS, INSIDE], ids=["own", "inside"])
def test_a_parameter_that_is_set_where_it_is_none_is_handed_on(settings: str) -> None:
    value = "context={'request_id': request_id}" if settings == INSIDE else "request_id=request_id"
    body = f"if request_id is None:\n    request_id = str(uuid.uuid4())\nraise OrderFailure('no', {value})"
    assert traced(body, settings=settings) == []


def test_what_is_no_tool_hands_on_what_it_is_given() -> None:
    assert traced("raise OrderFailure('no', request_id=request_id)", head="") == []
    assert traced(f"raise OrderFailure('no', request_id=made()){NEW}", head="") == []


def test_a_tool_without_the_parameter_makes_an_id() -> None:
    assert traced("raise OrderFailure('no', request_id=made())", "order") == []


def test_a_function_inside_has_the_parameter_of_the_one_around() -> None:
    body = f"def stop():\n    raise OrderFailure('no', request_id=made()){NEW}\n\nstop()"
    assert traced(body) == []


def test_an_id_is_new_where_it_is_so_on_all_ways() -> None:
    body = "found = made()\nif order:\n    found = {}\nraise OrderFailure('no', request_id=found){}"
    assert traced(body.format("secrets.token_hex(8)", NEW)) == []
    assert traced(body.format("current_id()", "")) == []
    assert traced(body.format("request_id", NONE)) == []
    inside = (
        "found = {{'request_id': made()}}\nif order:\n"
        "    found = {{'request_id': {}}}\nraise OrderFailure('no', context=found){}"
    )
    assert traced(inside.format("secrets.token_hex(8)", NEW), settings=INSIDE) == []
    assert traced(inside.format("current_id()", ""), settings=INSIDE) == []


def test_an_id_is_filled_in_before() -> None:
    body = "request_id = request_id or made()\nraise OrderFailure('no', request_id=request_id)"
    assert traced(body) == []
    body = (
        "if request_id is None:\n    request_id = made()\nraise OrderFailure('no', context={'request_id': request_id})"
    )
    assert traced(body, settings=INSIDE) == []


def test_an_error_without_its_id_is_told_to_lack_it() -> None:
    body = "raise OrderFailure('no', context={'order': order})  # error: lacks `context.request_id`"
    assert traced(body, settings=INSIDE) == []
