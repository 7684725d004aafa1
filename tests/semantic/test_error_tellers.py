"""Functions that make the text of an error: what a call of one in a handler answers is one, by what they answer."""

from __future__ import annotations

from textwrap import indent

import pytest
from linked_texts import linked

HEAD = "from fastmcp import FastMCP\n\nmcp = FastMCP('shop')\n\n\n"
TOOL = """

@mcp.tool()
def find(book: str):
    try:
        return shop(book)
    except OSError as e:
        return {}(e)
"""


def told(body: str, name: str = "error_text", decorator: str = "") -> list[str]:
    """Return the functions with an error return, each with the function that makes the error."""
    text = f"{HEAD}{decorator}def {name}(e):\n{indent(body, '    ')}\n{TOOL.format(name)}"
    sites = linked({"server.py": text}).sites.of("server.py")
    return [f"{each.function.name} {each.form.helper.function.name if each.form.helper else ''}" for each in sites]


TEXTS = {
    "a text": "return 'no such book'",
    "what is said of it": "return str(e)",
    "words that are joined": "return ', '.join(e.args)",
    "a text, or a part of it": "if e.args:\n    return e.args[0]\nreturn str(e)",
    "a text, or what is under one of its keys": "if e.args:\n    return e.args['why']\nreturn str(e)",
    "a text, or what another function makes of it": "if e.args:\n    return shown(e)\nreturn str(e)",
    "a text, or what is put together": "if e.args:\n    return e + 1\nreturn str(e)",
    "one of two texts": "return str(e) if e.args else 'no such book'",
    "a name for one of two texts": "text = str(e)\nif e.args:\n    text = 'no such book'\nreturn text",
    "a text, or else one or what it has": "if e.args:\n    return str(e) if e.args else e.why\nreturn 'no such book'",
}


@pytest.mark.parametrize("body", TEXTS.values(), ids=TEXTS)
def test_an_error_is_made_by_what_answers(body: str) -> None:
    assert told(body) == ["find error_text"]


OTHERS = {
    "what another function makes of it": "return shown(e)",
    "what something joins": "return glue.join(e.args)",
    "what something that is made joins": "return glue(e).join(e.args)",
    "the words of a text": "return 'no such book'.split()",
    "a part of it": "return e.text",
    "what is under one of its keys": "return e.args['why']",
    "a dict": "return {'text': str(e)}",
    "a text or a dict": "if e.args:\n    return {'text': 'no such book'}\nreturn str(e)",
    "a text or a list": "if e.args:\n    return [e]\nreturn str(e)",
    "a number": "return 4",
    "a text or a number": "return str(e) if e.args else 4",
    "a text or what it has": "return str(e) if e.args else e.why",
    "a name for a text or a dict": "text = str(e)\nif e.args:\n    text = {'a': 1}\nreturn text",
    "nothing on some way": "if e.args:\n    return str(e)",
    "one text after the other": "yield str(e)",
}


@pytest.mark.parametrize("body", OTHERS.values(), ids=OTHERS)
def test_no_error_is_made_by_what_answers(body: str) -> None:
    assert told(body) == []


def test_it_is_called_for_an_error() -> None:
    assert told("return str(e)", "book_text") == []


def test_a_tool_that_another_calls_tells_no_error() -> None:
    assert told("return str(e)", decorator="@mcp.tool()\n") == []
