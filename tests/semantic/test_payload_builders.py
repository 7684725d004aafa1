"""What a call of the project's own function is: an error payload that it hands on, one that it builds, or none."""

from __future__ import annotations

from textwrap import indent

import pytest
from linked_texts import linked

from errlint.facts import Call

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
    handled = "try:\n        shop()\n    except OSError as e:\n        " if "(e)" in call else ""
    helper = f"{decorator}def {name}({parameters}):\n{indent(body, '    ')}\n"
    text = f"{HEAD}{CLASSES}{helper}\n\n@mcp.tool()\ndef find(book: str):\n    {handled}return {call}\n"
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
    "as a part of what another function makes of it": ("data", "return pair(data)[0]"),
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
    "what a method of something that is made answers is answered": ("data", "return made().shown(1)"),
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
    assert form("kind, **data", "return more", f"built(1, more={BAD})") == ""


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

KINDS = "if kind == 'success':\n    return {'success': True}\nreturn {'success': False, 'error': text}"
CAUGHT = KINDS.replace("text", "why")
ERROR_OF = KINDS.replace("text", "error")
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
    "a word for an error": ("kind, text", KINDS, "built('error', 'none')", "factory success error"),
    "a word of its own": ("kind, text", KINDS, "built('broken', 'none')", ""),
    "a word of its own and a text that says so": (
        "kind, text",
        KINDS,
        "built('broken', 'Error: none')",
        "factory success error",
    ),
    "what was caught": ("kind, why", CAUGHT, "built('broken', str(e))", "factory success error"),
    "what was not caught": ("kind, why", CAUGHT, "built('broken', str(book))", ""),
    "a word of its own for an error": ("kind, error", ERROR_OF, "built('broken', 'none')", "factory success error"),
    "a word of its own for no error": ("kind, error", ERROR_OF, "built('broken', '')", ""),
    "a word of its own and a text that does not say so": ("kind, text", KINDS, "built('broken', 'Unknown book')", ""),
    "an opening of a text": ("text", "return f'{text}: no such book'", "built('Error')", "factory"),
    "an opening that says nothing of an error": ("text", "return f'{text}: no such book'", "built('Found')", ""),
}


@pytest.mark.parametrize(("parameters", "body", "call", "meaning"), GIVEN.values(), ids=GIVEN)
def test_an_answer_is_built_of(parameters: str, body: str, call: str, meaning: str) -> None:
    assert form(parameters, body, call) == meaning


def test_an_envelope_is_built_of_a_number() -> None:
    text = """\
def built(code, text):
    return {'code': code, 'msg': text}


@mcp.tool()
def find(book: str):
    if book == 1:
        return built(0, 'ok')
    if book == 2:
        return built(200, 'ok')
    return built(1, 'no such book')
"""
    project = linked({"server.py": HEAD + text})
    function = project.modules["server.py"].functions[-1]
    found = [project.classifier.classify("server.py", function, each) for each in function.returns]
    assert [each and each.shape for each in found] == [None, None, ("code",)]


ERRORS = """\
class BookError(Exception):
    def to_dict(self):
        return {'code': 1}

    def as_text(self):
        return 'none'

    def shown(self):
        return {'code': 2}


class Book:
    def to_dict(self):
        return {'title': 1}


def to_error(book):
    return BookError(book)


def handed_on(book):
    return to_error(book)


def to_book(book):
    return Book(book)


"""

HANDLER = "try:\n        shop()\n    except {} as e:\n        return {}"

ANSWERED = {
    "a dict of what was caught": (HANDLER.format("BookError", "e.to_dict()"), True),
    "a text of what was caught": (HANDLER.format("BookError", "e.as_text()"), True),
    "a dict of one of two that were caught": (HANDLER.format("(OSError, BookError)", "e.to_dict()"), True),
    "a dict of what was caught around": (
        "try:\n        shop()\n    except BookError as e:\n        try:\n            log()\n"
        "        except OSError as other:\n            return e.to_dict()",
        True,
    ),
    "a dict of what was caught inside": (
        "try:\n        shop()\n    except BookError as e:\n        try:\n            log()\n"
        "        except OSError as other:\n            return other.to_dict()",
        False,
    ),
    "something else of what was caught": (HANDLER.format("BookError", "e.shown()"), False),
    "what it has not": (HANDLER.format("BookError", "e.to_json()"), False),
    "a dict of what others raise": (HANDLER.format("OSError", "e.to_dict()"), False),
    "a dict of something else": (HANDLER.format("BookError", "book.to_dict()"), False),
    "a dict of what is made there": ("return BookError(book).to_dict()", True),
    "a dict of a name for what is made there": ("error = BookError(book)\n    return error.to_dict()", True),
    "a dict of a book that is made there": ("return Book(book).to_dict()", False),
    "a dict of what a function makes": ("return to_error(book).to_dict()", True),
    "a dict of what a function hands on": ("return handed_on(book).to_dict()", True),
    "a dict of a book that a function makes": ("return to_book(book).to_dict()", False),
    "a dict of what another function makes": ("return made(book).to_dict()", False),
}


@pytest.mark.parametrize(("body", "is_error"), ANSWERED.values(), ids=ANSWERED)
def test_of_an_exception_is_answered(body: str, is_error: bool) -> None:
    text = f"{HEAD}{ERRORS}@mcp.tool()\ndef find(book: str):\n    {body}\n"
    project = linked({"server.py": text})
    function = project.modules["server.py"].functions[-1]
    (answer,) = function.returns
    found = project.classifier.classify("server.py", function, answer)
    assert (found is not None) is is_error
    assert found is None or found.helper is not None
    assert type(answer.value) is Call
    teller = project.classifier.teller("server.py", function, answer.value, answer.handlers)
    assert (found.helper if found is not None else None) == teller


@pytest.mark.parametrize(("count", "meaning"), [(3, "factory"), (4, "")])
def test_an_exception_is_looked_for_in_four_functions(count: int, meaning: str) -> None:
    handed_on = "".join(
        f"def hand_{each}(book):\n    return {f'hand_{each - 1}' if each else 'to_error'}(book)\n\n\n"
        for each in range(count)
    )
    call = f"hand_{count - 1}(book).to_dict()"
    assert form("", "pass", call, name="other", decorator=ERRORS + handed_on) == meaning


FACTORIES = {
    "a payload": ("return {'success': False}", "factory success"),
    "one of two payloads": ("if x:\n    return {'error': 'none'}\nreturn {'success': False}", "factory error"),
    "a payload, or an exception is raised": (
        "if x:\n    raise ValueError(x)\nreturn {'success': False}",
        "factory success",
    ),
    "what another builds": ("return other(x)", "factory success"),
    "a text": ("return 'Error: no book'", "factory"),
    "a text that does not say so": ("return 'Unknown book'", ""),
    "a tuple": ("return None, 'no book'", ""),
    "payloads one by one": ("yield {'success': False}", ""),
    "a payload or nothing": ("if x:\n    return {'success': False}", ""),
    "a payload or something else": ("if x:\n    return {'success': False}\nreturn 1", ""),
    "nothing": ("pass", ""),
    "one of two payloads by a condition": ("return {'success': False} if x else {'error': 'none'}", "factory success"),
    "a payload or something else by a condition": ("return {'success': False} if x else 1", ""),
    "a name for a payload or something else": ("answer = {'success': False}\nif x:\n    answer = 1\nreturn answer", ""),
    "what it builds itself": ("return built(x)", ""),
}


@pytest.mark.parametrize(("body", "meaning"), FACTORIES.values(), ids=FACTORIES)
def test_a_call_is_an_error_of_a_function_that_answers(body: str, meaning: str) -> None:
    other = "def other(x):\n    return {'success': False}\n\n\n"
    assert form("x", body, "built(book)", decorator=other) == meaning


def test_a_tool_builds_no_error_for_others() -> None:
    assert form("x", "return {'success': False}", "built(book)", decorator="@mcp.tool()\n") == ""
    assert form("x", "return {'success': False}", "built(book)", decorator="@cached\n") == "factory success"


@pytest.mark.parametrize(("below", "meaning"), [("pass", "factory success"), ("def built(self): ...", "")])
def test_a_method_builds_errors_where_no_class_below_overrides_it(below: str, meaning: str) -> None:
    head = "class Shop:\n    def built(self):\n        return {'success': False}\n\n\n"
    head += f"class Below(Shop):\n    {below}\n\n\n"
    assert form("", "pass", "Shop().built()", name="other", decorator=head) == meaning


def test_a_mark_of_the_protocol_is_that_of_an_object_or_of_all_that_a_function_builds() -> None:
    text = """\
def marked(x):
    return CallToolResult(isError=True)


def either(x):
    if x:
        return CallToolResult(isError=True)
    return {'success': False}


def failed(x):
    return {'success': False}


@mcp.tool()
def find(book: str):
    if book == 1:
        return CallToolResult(isError=True)
    if book == 2:
        return Reply(success=False)
    if book == 3:
        return marked(book)
    if book == 4:
        return either(book)
    if book == 5:
        return shown(success=False)
    return failed(book)
"""
    project = linked({"server.py": HEAD + text})
    function = project.modules["server.py"].functions[-1]
    found = [project.classifier.classify("server.py", function, each) for each in function.returns]
    marked = [each is not None and project.classifier.is_marked(each) for each in found]
    assert marked == [True, False, True, False, False, False]


ALWAYS = {
    "a payload": ("return {'success': False}", True),
    "a payload on some way": (
        "answer = {'success': False}\n    if book:\n        answer = None\n    return answer",
        False,
    ),
    "a payload by a condition": ("return {'success': False} if book else None", False),
    "a text": ("return 'Error: no book'", True),
    "a text that does not say so": ("return 'Unknown book'", False),
    "a tuple": ("return None, 'no book'", False),
    "something else": ("return book", False),
}


@pytest.mark.parametrize(("body", "expected"), ALWAYS.values(), ids=ALWAYS)
def test_on_every_way_an_error_is(body: str, expected: bool) -> None:
    project = linked({"server.py": f"{HEAD}@mcp.tool()\ndef find(book: str):\n    {body}\n"})
    function = project.modules["server.py"].functions[-1]
    assert project.classifier.is_always("server.py", function, function.returns[-1]) is expected
