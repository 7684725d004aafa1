"""Whether a caller that reads some parts of an answer can have seen that it is one of an error."""

from __future__ import annotations

from textwrap import indent

import pytest
from linked_texts import linked

from errlint.project.names import FunctionSymbol
from errlint.project.signs import is_unchecked

HEAD = """\
from fastmcp import FastMCP

mcp = FastMCP('shop')


class Reply:
    number: int = 0
    shelf: int = 0
    error: str = ''
    success: bool = True

    @property
    def fine(self):
        return not self.error


class Priced(Reply):
    price: int = 0


"""


def unchecked(body: str, *parts: str) -> bool:
    """Return whether who reads these parts of what a function answers does not look whether it is an error."""
    project = linked({"server.py": f"{HEAD}def load(book):\n{indent(body, '    ')}\n"})
    function = project.names.function("server.py", "load")
    assert function is not None
    return is_unchecked(project, FunctionSymbol("server.py", function), parts)


DICTS = (
    "if book:\n    return {'success': False, 'why': 'none', 'shelf': 1}\n"
    "return {'success': True, 'number': 1, 'shelf': 1}"
)

READ = {
    "what a success has": (("number",), True),
    "what both have": (("shelf",), True),
    "what a success has, and both": (("number", "shelf"), True),
    "what an error has": (("why",), False),
    "what a success has, and an error": (("number", "why"), False),
    "what tells them apart": (("success",), False),
    "what neither has": (("price",), False),
}


@pytest.mark.parametrize(("parts", "expected"), READ.values(), ids=READ)
def test_an_answer_is_not_looked_at_by_who_reads(parts: tuple[str, ...], expected: bool) -> None:
    assert unchecked(DICTS, *parts) is expected


def test_what_is_called_like_a_sign_of_an_error_is_looked_at_wherever_it_stands() -> None:
    body = "if book:\n    return {'success': False, 'Error': 'none', 'title': 1}\nreturn {'title': 1, 'Error': ''}"
    assert unchecked(body, "title")
    assert not unchecked(body, "Error")


HINTS = "if book:\n    return {'success': False, 'number': 1, 'hint': 2}\n"


def test_what_only_some_successes_have_is_a_sign() -> None:
    assert not unchecked(f"{HINTS}if here:\n    return {{'number': 1}}\nreturn {{'number': 1, 'hint': 3}}", "hint")
    assert unchecked(f"{HINTS}if here:\n    return {{'hint': 1}}\nreturn {{'number': 1, 'hint': 3}}", "hint")


FAILED = "if book:\n    return {'success': False, 'error': 'none'}\n"
REPLY = "if book:\n    return Reply(success=False, error='none')\n"

ANSWERS = {
    "a dict": (f"{FAILED}return {{'number': 1}}", True),
    "one of two dicts": (f"{FAILED}return {{'number': 1}} if here else {{'number': 1, 'shelf': 2}}", True),
    "a name for one of two dicts": (
        f"answer = {{'number': 1}}\n{FAILED}if here:\n    answer = {{'number': 1, 'shelf': 2}}\nreturn answer",
        True,
    ),
    "an object": (f"{REPLY}return Reply(number=1)", True),
    "an object by places": ("if book:\n    return Reply(1, 2, 'none', False)\nreturn Reply(1)", True),
    "an object of a class below": (f"{REPLY}return Priced(number=1)", True),
    "nothing on some way": (f"{FAILED}if here:\n    return {{'number': 1}}", False),
    "no success": ("return {'success': False, 'error': 'none', 'number': 1}", False),
    "no error": ("return {'success': True, 'number': 1}", False),
    "a text for an error": ("if book:\n    return 'Error: no book'\nreturn {'number': 1}", False),
    "a tuple for an error": ("if book:\n    return None, 'no book'\nreturn {'number': 1}", False),
    "what a function builds for an error": (
        "if book:\n    return failed(success=False)\nreturn {'number': 1}",
        False,
    ),
    "what is not known": (f"{FAILED}return book", False),
    "what another function answers": (f"{FAILED}return shop(book)", False),
    "a dict with all that is in another": (f"{FAILED}return {{'number': 1, **book}}", False),
    "a dict with a key that is not known": (f"{FAILED}return {{'number': 1, book: 2}}", False),
    "a dict or nothing": (f"{FAILED}return {{'number': 1}} if here else None", False),
    "a name for a dict or what is not known": (
        f"answer = {{'number': 1}}\n{FAILED}if here:\n    answer = shop(book)\nreturn answer",
        False,
    ),
    "an object with all that is in a dict": (f"{REPLY}return Reply(**book)", False),
    "an object with more than it has fields": (f"{REPLY}return Reply(1, 2, 3, 4, 5, 6, 7)", False),
    "an object of a library": (f"{REPLY}return types.Reply(number=1)", False),
    "an object of what is answered": (f"{REPLY}return shop()(number=1)", False),
}


@pytest.mark.parametrize(("body", "expected"), ANSWERS.values(), ids=ANSWERS)
def test_a_number_is_read_without_a_look_where_a_function_answers(body: str, expected: bool) -> None:
    assert unchecked(body, "number") is expected


@pytest.mark.parametrize("name", ["Reply", "Priced"])
def test_a_property_may_look_at_all_of_an_object(name: str) -> None:
    body = REPLY.replace("Reply", name) + f"return {name}(number=1)"
    assert unchecked(body, "number")
    assert not unchecked(body, "fine")
    assert not unchecked(body, "number", "fine")
