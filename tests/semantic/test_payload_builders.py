"""What a call of the project's own function is: an error payload that it hands on, one that it builds, or none."""

from __future__ import annotations

from textwrap import indent

import pytest
from linked_texts import linked

HEAD = "from fastmcp import FastMCP\n\nmcp = FastMCP('shop')\n\n\n"
BAD = "{'success': False, 'error': book}"

CLASSES = """\
class ShopError(Exception):
    pass


class Reply:
    data: dict


"""


def form(parameters: str, body: str, call: str, *, name: str = "built", decorator: str = "") -> str:
    """Return what the answer of a tool is that calls a function: its kind and what tells it, "" for no error."""
    helper = f"{decorator}def {name}({parameters}):\n{indent(body, '    ')}\n"
    text = f"{HEAD}{CLASSES}{helper}\n\n@mcp.tool()\ndef find(book: str):\n    return {call}\n"
    project = linked({"server.py": text})
    function = project.modules["server.py"].functions[-1]
    found = project.classifier.classify("server.py", function, function.returns[0])
    return " ".join((found.kind.name.lower(), *found.shape)) if found is not None else ""


HANDED_ON = {
    "as it is": ("data", "log(data)\nreturn data"),
    "as a part of a dict": ("data", "return {'data': data}"),
    "with all that is in it": ("data", "return {'number': 1, **data}"),
    "in a list": ("data", "return [data]"),
    "to another function": ("data", "return dumps(data)"),
    "to another function by name": ("data", "return dump(obj=data)"),
    "on one of two ways": ("data", "answer = data\nif not data:\n    answer = 1\nreturn answer"),
    "by a condition": ("data", "return data if data else 1"),
    "as an object of the project": ("data", "return Reply(data)"),
    "by a method": ("self, data", "return data"),
    "as one of several": ("*data", "return data"),
    "as a response of which the status is that of a success": ("data", "return JSONResponse(data)"),
}


@pytest.mark.parametrize(("parameters", "body"), HANDED_ON.values(), ids=HANDED_ON)
def test_a_payload_is_handed_on(parameters: str, body: str) -> None:
    assert form(parameters, body, f"built({BAD})") == "payload success error"


KEPT = {
    "something else is answered": ("data", "return other"),
    "a text is answered": ("data", "return 'done'"),
    "a text about it is answered": ("data", "return f'{data}'"),
    "a part of it is answered": ("data", "return data['error']"),
    "a field of it is answered": ("data", "return data.error"),
    "an exception is made of it": ("data", "return ShopError(data)"),
    "the response says that it is an error": ("data", "return JSONResponse(data, status_code=404)"),
    "nothing is asked for": ("", "return data"),
    "it is not what is handed on": ("kind, data", "return data"),
}


@pytest.mark.parametrize(("parameters", "body"), KEPT.values(), ids=KEPT)
def test_a_payload_is_not_handed_on_where(parameters: str, body: str) -> None:
    assert form(parameters, body, f"built({BAD})") == ""


def test_a_payload_is_handed_on_by_its_name() -> None:
    assert form("kind, data", "return data", f"built(1, data={BAD})") == "payload success error"
    assert form("kind, **data", "return data", f"built(1, more={BAD})") == ""


def test_what_is_no_payload_is_no_error_where_it_is_handed_on() -> None:
    assert form("data", "return data", "built({'title': book})") == ""
    assert form("data", "return data", "built((None, 'Error: no book'))") == ""


ERROR = "return {'success': False, 'error': str(error)}"

RELAYS = {
    "an error that is one already": ("failed_error", "error", f"if here:\n    return error\n{ERROR}", True),
    "something else": ("failed_error", "error", f"if here:\n    return shop\n{ERROR}", False),
    "a part of the error": ("failed_error", "error", f"if here:\n    return error.text\n{ERROR}", False),
    "what it is handed besides": ("failed_error", "book, error", f"if here:\n    return error\n{ERROR}", False),
    "what it is handed at last": ("failed_error", "error", f"if here:\n    {ERROR}\nreturn error", False),
    "what it is handed by any name": ("answered", "error", f"if here:\n    return error\n{ERROR}", False),
    "what it is handed to check": ("check_error", "error", f"if here:\n    return error\n{ERROR}", False),
}


@pytest.mark.parametrize(("name", "parameters", "body", "is_factory"), RELAYS.values(), ids=RELAYS)
def test_a_function_that_is_called_for_errors_answers_also(
    name: str, parameters: str, body: str, is_factory: bool
) -> None:
    assert form(parameters, body, f"{name}(book)", name=name) == ("factory success error" if is_factory else "")


OPTIONAL = "answer = {'number': 1}\nif error:\n    answer['error'] = error\nreturn answer"
FLAGGED = """\
answer = {'success': ok}
if error:
    answer['error'] = error
if hint:
    answer['hint'] = hint
return answer"""
MANY = "".join(f"if {key}:\n    answer['{key}'] = {key}\n" for key in ("a", "b", "c", "d", "e", "error"))

GIVEN = {
    "a text": ("error=None", OPTIONAL, "built('no book')", "factory error"),
    "a text by name": ("error=None", OPTIONAL, "built(error=f'no {book}')", "factory error"),
    "what was asked": ("error=None", OPTIONAL, "built(book)", "factory error"),
    "nothing": ("error=None", OPTIONAL, "built()", ""),
    "nothing by name": ("error=None", OPTIONAL, "built(error=None)", ""),
    "an empty text": ("error=None", OPTIONAL, "built('')", ""),
    "what only the run knows": ("error=None", OPTIONAL, "built(shop(book))", ""),
    "whatever there is": ("error=None", OPTIONAL, "built(*book)", ""),
    "a flag and a text": ("ok, error=None, hint=None", FLAGGED, "built(False, 'none')", "factory success error"),
    "a flag alone": ("ok, error=None, hint=None", FLAGGED, "built(False)", "factory success"),
    "a flag that all is well": ("ok, error=None, hint=None", FLAGGED, "built(True)", ""),
    "a flag that all is well, and a text": ("ok, error=None, hint=None", FLAGGED, "built(True, 'none')", ""),
    "a flag that only the run knows": ("ok, error=None, hint=None", FLAGGED, "built(book.ok, 'none')", ""),
    "a text under another key": (
        "why=None",
        "answer = {'number': 1}\nif why:\n    answer['why'] = why\nreturn answer",
        "built('no book')",
        "",
    ),
    "a text that replaces another one": (
        "error=None",
        "answer = {'error': 'none yet'}\nif error:\n    answer['error'] = error\nreturn answer",
        "built('no book')",
        "factory error",
    ),
    "a text where much else may be given": (
        "error=None, a=None, b=None, c=None, d=None, e=None",
        f"answer = {{}}\n{MANY}return answer",
        "built('no book')",
        "factory error",
    ),
    "something else where an error may be given": (
        "error=None, a=None, b=None, c=None, d=None, e=None",
        f"answer = {{}}\n{MANY}return answer",
        "built(a=1)",
        "",
    ),
    "an opening of a text": ("text", "return f'{text}: no such book'", "built('Error')", "factory"),
    "an opening that says nothing of an error": ("text", "return f'{text}: no such book'", "built('Found')", ""),
}


@pytest.mark.parametrize(("parameters", "body", "call", "meaning"), GIVEN.values(), ids=GIVEN)
def test_an_answer_is_built_of(parameters: str, body: str, call: str, meaning: str) -> None:
    assert form(parameters, body, call) == meaning
