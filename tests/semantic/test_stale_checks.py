"""Checks for an error in results that never hold one, and those of results that may."""

from __future__ import annotations

from textwrap import indent

import pytest
from judged_texts import findings, project_of

HEAD = """\
from dataclasses import dataclass
from typing import NamedTuple, TypedDict
from fastmcp import FastMCP
from pydantic import BaseModel

mcp = FastMCP("books")


class BookError(Exception):
    pass


class ErrorModel(BaseModel):
    error: str


class Shelf(BaseModel):
    title: str


class Row(TypedDict):
    title: str


class Pair(NamedTuple):
    title: str


@dataclass
class Box:
    title: str


@odd
class Odd:
    title: str


class Bag(BaseModel):
    def get(self, name):
        return name


class Lazy(BaseModel):
    def __getattr__(self, name):
        return name


class Foreign(Other):
    title: str


@mcp.tool()
def ping():
    return {"ok": True}


"""

PLAIN = "def find(title):\n    if not title:\n        raise BookError('no')\n    return {answer}\n\n\n"


def stale(finder: str, check: str, config: str = "") -> list[int]:
    """Return the lines of a caller that checks a result in vain, counted from its first."""
    caller = f"@mcp.tool()\ndef show(title, more):\n{indent(check, '    ')}\n"
    text = f"{HEAD}{finder}{caller}"
    first = text[: text.index("def show")].count("\n") + 1
    return [each.span.line - first for each in findings({"server.py": text}, config, rules=["ERR108"])]


def asked(test: str) -> str:
    return f"book = find(title)\nif {test}:\n    return None\nreturn book"


CHECKS = {
    "a key in it": ("'error' in book", "{'title': title}"),
    "a key of it": ("book.get('error')", "{'title': title}"),
    "an item of it": ("book['error']", "{'title': title}"),
    "an attribute of it": ("book.isError", "{'title': title}"),
    "its class": ("isinstance(book, ErrorModel)", "{'title': title}"),
    "a status that says that it went well": ("book['status'] == 'error'", "{'status': 'success'}"),
    "a status that is not that of a success": ("book['status'] != 'success'", "{'status': 'success'}"),
    "a key of an empty dict": ("'error' in book", "{}"),
    "a key of a number": ("book.get('error')", "3"),
    "a key of nothing": ("book.get('error')", "None"),
    "a key of a text": ("book.get('error')", "'a book'"),
    "an attribute of a text": ("book.isError", "'a book'"),
    "a key of a list": ("book.get('error')", "[title]"),
    "an attribute of a tuple": ("book.isError", "(title, 1)"),
    "an item of a list": ("book['error']", "[title]"),
    "a key of what is a number": ("'error' in book", "len(title)"),
    "a key of what is a text": ("book.get('error')", "str(title)"),
    "a key of what is a list": ("book.get('error')", "sorted(title)"),
    "an item of what is a list": ("book['error']", "list(title)"),
    "a key in an object": ("'error' in book", "Shelf(title=title)"),
    "an attribute of an object": ("book.isError", "Shelf(title=title)"),
    "the class of an object": ("isinstance(book, ErrorModel)", "Shelf(title=title)"),
    "a key of a typed dict": ("book.get('error')", "Row(title=title)"),
    "a key of a named tuple": ("book.get('error')", "Pair(title)"),
    "an attribute of a dataclass": ("book.isError", "Box(title)"),
    "a key of one of two": ("'error' in book", "{'title': title} if title else {}"),
}


@pytest.mark.parametrize(("test", "answer"), CHECKS.values(), ids=CHECKS)
def test_a_caller_looks_in_vain_for(test: str, answer: str) -> None:
    assert stale(PLAIN.replace("{answer}", answer), asked(test)) == [2]


OPEN = {
    "a key that is there": ("'error' in book", "{'error': title}"),
    "a key that may be there": ("'error' in book", "{**title}"),
    "a key that only the run knows": ("'error' in book", "{title: 1}"),
    "a word of a text": ("'error' in book", "'no error'"),
    "a word of what is a text": ("'error' in book", "str(title)"),
    "a part of a list": ("'error' in book", "[title]"),
    "a part of what is a list": ("'error' in book", "list(title)"),
    "an item of a tuple": ("book['error']", "(title, 1)"),
    "an attribute of what only the run knows": ("book.isError", "title"),
    "an attribute of what something else makes": ("book.isError", "read(title)"),
    "a status that only the run knows": ("book['status'] == 'error'", "{'status': title}"),
    "a status of a thing": ("book['status'] == 'error'", "{'status': 'pending'}"),
    "a status of a success that is asked for": ("book['status'] == 'success'", "{'status': 'success'}"),
    "a status of the thing that is asked for": ("book['status'] == 'open'", "{'status': 'success'}"),
    "an error that may be there": ("book['status'] == 'error'", "{'status': 'error'}"),
    "an attribute that is there": ("book.error", "ErrorModel(error='no')"),
    "a key that is a field of a typed dict": ("book.get('title') == 'error'", "Row(title=title)"),
    "a class that is its own": ("isinstance(book, ErrorModel)", "ErrorModel(error='no')"),
    "a class of a text": ("isinstance(book, ErrorModel)", "'no error'"),
    "a class that is no error": ("isinstance(book, Row)", "{'title': title}"),
    "a key of an object that answers as a dict": ("book.get('error')", "Bag()"),
    "an attribute of an object that has any": ("book.isError", "Lazy()"),
    "an attribute of an object of a library's class": ("book.isError", "Foreign()"),
    "an attribute of an object of a decorated class": ("book.isError", "Odd()"),
    "one of two that may have it": ("'error' in book", "{'title': title} if title else read(title)"),
}


@pytest.mark.parametrize(("test", "answer"), OPEN.values(), ids=OPEN)
def test_a_caller_may_find(test: str, answer: str) -> None:
    assert stale(PLAIN.replace("{answer}", answer), asked(test)) == []


def test_two_parts_of_an_answer_are_none_of_what_is_a_dict_or_an_object() -> None:
    check = "book, error = find(title)\nif error:\n    return None\nreturn book"
    for answer, lines in {
        "3": 1,
        "'a book'": 0,
        "[title]": 0,
        "str(title)": 0,
        "Shelf(title=title)": 0,
        "{'title': title}": 1,
    }.items():
        assert len(stale(PLAIN.replace("{answer}", answer), check)) == lines, answer


def raising(body: str, *, head: str = "def find(title):", more: str = "") -> str:
    return f"{more}{head}\n{indent(body, '    ')}\n\n\n"


RAISED = "if not title:\n    raise BookError('no')\nreturn {}"
KEY = asked("'error' in book")

FINDERS = {
    "a function that raises": (raising(RAISED), True),
    "a function that raises no error of the project": (raising(RAISED.replace("BookError", "ValueError")), False),
    "a function that does not raise": (raising("return {}"), False),
    "a function that catches what it raises": (
        raising("try:\n    raise BookError('no')\nexcept BookError:\n    return {}\nreturn {}"),
        False,
    ),
    "a generator": (raising("if not title:\n    raise BookError('no')\nyield {}"), False),
    "a cached function": (raising(RAISED, head="@lru_cache\ndef find(title):"), True),
    "a function that something else is made of": (raising(RAISED, head="@answered\ndef find(title):"), False),
    "a tool": (raising(RAISED, head="@mcp.tool()\ndef find(title):"), True),
    "one of two functions of that name": (raising(RAISED) + raising(RAISED), False),
    "a function that answers what one answers that raises": (
        raising("return first(title)", more=raising(RAISED, head="def first(title):")),
        True,
    ),
    "a function that answers what one answers that does not": (
        raising("return first(title)", more=raising("return {}", head="def first(title):")),
        False,
    ),
    "a function that calls one that raises": (
        raising("first(title)\nreturn {}", more=raising(RAISED, head="def first(title):")),
        False,
    ),
    "a function that raises and answers what one answers": (
        raising(
            RAISED.replace("return {}", "return first(title)"),
            more=raising("return {'error': 'no'}", head="def first(title):"),
        ),
        False,
    ),
    "functions that answer what each other answers": (
        raising(
            RAISED.replace("return {}", "return first(title)"),
            more=raising("return find(title)", head="def first(title):"),
        ),
        False,
    ),
    "an asynchronous function": (raising(RAISED, head="async def find(title):"), True),
    "a function that only raises": (raising("raise BookError('no')"), True),
}


@pytest.mark.parametrize(("finder", "is_stale"), FINDERS.values(), ids=FINDERS)
def test_a_key_is_looked_for_in_what_is_answered_by(finder: str, is_stale: bool) -> None:
    check = KEY.replace("find(title)", "await find(title)") if "async def" in finder else KEY
    text = stale(finder, check) if "async" not in finder else stale_async(finder, check)
    assert text == ([2] if is_stale else [])


def stale_async(finder: str, check: str) -> list[int]:
    caller = f"@mcp.tool()\nasync def show(title, more):\n{indent(check, '    ')}\n"
    text = f"{HEAD}{finder}{caller}"
    first = text[: text.index("def show")].count("\n") + 1
    return [each.span.line - first for each in findings({"server.py": text}, rules=["ERR108"])]


CALLERS = {
    "the result of two calls": (
        "book = find(title)\nif more:\n    book = find(more)\nif 'error' in book:\n    return None",
        [4],
    ),
    "the result of one call or another": (
        "book = find(title)\nif more:\n    book = read(more)\nif 'error' in book:\n    return None",
        [],
    ),
    "the result or something else": (
        "book = find(title)\nif more:\n    book = more\nif 'error' in book:\n    return None",
        [],
    ),
    "the result of a parameter": (
        "def inner(find):\n    book = find(title)\n    if 'error' in book:\n        return None\nreturn inner",
        [],
    ),
    "the result in a function inside": (
        "def inner():\n    book = find(title)\n    if 'error' in book:\n        return None\nreturn inner",
        [3],
    ),
    "a parameter of the function around": (
        "def inner():\n    book = more(title)\n    if 'error' in book:\n        return None\nreturn inner",
        [],
    ),
    "the result of another function": ("book = ping()\nif 'error' in book:\n    return None", []),
    "the call itself": ("if 'error' in find(title):\n    return None", [1]),
}


@pytest.mark.parametrize(("check", "lines"), CALLERS.values(), ids=CALLERS)
def test_a_key_is_looked_for_in(check: str, lines: list[int]) -> None:
    assert stale(raising(RAISED), check) == lines


METHODS = "class Shop:\n    def find(self, title):\n        if not title:\n            raise BookError('no')\n"
METHODS += "        return {}\n\n    def show(self, title):\n        book = self.find(title)\n"
METHODS += "        if 'error' in book:\n            return None\n        return book\n\n\n"

HEIRS = {
    "a method": ("", True),
    "a method that an heir overrides": (
        "class Other(Shop):\n    def find(self, title):\n        return read(title)\n\n\n",
        False,
    ),
    "a method that an heir of an heir overrides": (
        "class First(Shop):\n    pass\n\n\n"
        "class Other(First):\n    def find(self, title):\n        return read(title)\n\n\n",
        False,
    ),
    "a method of another class, too": (
        "class Other:\n    def find(self, title):\n        return read(title)\n\n\n",
        True,
    ),
    "a function of that name": ("def find(title):\n    return read(title)\n\n\n", True),
    "another method of an heir": (
        "class Other(Shop):\n    def look(self, title):\n        return read(title)\n\n\n",
        True,
    ),
}


@pytest.mark.parametrize(("more", "is_stale"), HEIRS.values(), ids=HEIRS)
def test_a_key_is_looked_for_in_what_is_answered_by_its_own_object_with(more: str, is_stale: bool) -> None:
    found = findings({"server.py": f"{HEAD}{METHODS}{more}"}, rules=["ERR108"])
    assert len(found) == int(is_stale)


PLACES = {
    "an object made there": ("shop = Shop()\nbook = shop.find(title)\nif 'error' in book:\n    return None", True),
    "an object that is given": ("book = shop.find(title)\nif 'error' in book:\n    return None", False),
    "an object that the function around is given": (
        "def inner():\n    book = shop.find(title)\n    if 'error' in book:\n        return None\nreturn inner",
        False,
    ),
}


@pytest.mark.parametrize(("body", "is_stale"), PLACES.values(), ids=PLACES)
def test_a_key_is_looked_for_in_what_is_answered_by_a_method_of(body: str, is_stale: bool) -> None:
    methods = METHODS[: METHODS.index("    def show")]
    parameter = "" if "Shop()" in body else ", shop: Shop"
    text = f"{HEAD}{methods}\n@mcp.tool()\ndef show(title{parameter}):\n{indent(body, '    ')}\n"
    assert len(findings({"server.py": text}, rules=["ERR108"])) == int(is_stale)


def test_a_method_is_overridden_in_another_distribution() -> None:
    heir = "class Other(Shop):\n    def find(self, title):\n        return read(title)\n"
    texts = {"one/server.py": f"{HEAD}{METHODS}", "two/other.py": f"from server import Shop\n\n\n{heir}"}
    assert findings(texts, rules=["ERR108"], distributions=("one", "two")) == []
    texts["two/other.py"] = f"class Shop:\n    pass\n\n\n{heir}"
    assert len(findings(texts, rules=["ERR108"], distributions=("one", "two"))) == 1


def test_what_a_function_of_a_distribution_without_tools_answers_is_not_told() -> None:
    text = f"{HEAD}{raising(RAISED)}@mcp.tool()\ndef show(title):\n{indent(KEY, '    ')}\n"
    assert len(findings({"server.py": text}, rules=["ERR108"])) == 1
    assert findings({"server.py": text.replace("@mcp.tool()\n", "")}, rules=["ERR108"]) == []


NAMES = {
    "once": ("from shop import find\n", True),
    "twice": ("from shop import find\nfrom other import find\n", False),
}


@pytest.mark.parametrize(("imports", "is_stale"), NAMES.values(), ids=NAMES)
def test_a_function_is_imported(imports: str, is_stale: bool) -> None:
    shop = f"{HEAD}{raising(RAISED)}"
    text = f"{imports}\n\n@mcp.tool()\ndef show(title):\n{indent(KEY, '    ')}\n"
    other = "def find(title):\n    return read(title)\n"
    found = findings({"shop.py": shop, "other.py": other, "server.py": text}, rules=["ERR108"])
    assert [each.path for each in found] == (["server.py"] if is_stale else [])


RETURN = 'style = "return"\n\n[response]\ntypes = ["Failure"]\n'
FAILURE = "class Failure(BaseModel):\n    reason: str\n\n\n"

ANSWERED = {
    "an object of a declared type": ("return Failure(reason='no')", "'error' in book", True),
    "an object that a helper makes": ("return failed()", "'error' in book", True),
    "an object or a dict": (
        "if title:\n    return {}\nreturn Failure(reason='no')",
        "'error' in book",
        True,
    ),
    "an object or what only the run knows": (
        "if title:\n    return read(title)\nreturn Failure(reason='no')",
        "'error' in book",
        False,
    ),
    "an object of another type": ("return Shelf(title=title)", "'error' in book", False),
    "an object whose class is asked for": ("return Failure(reason='no')", "isinstance(book, ErrorModel)", False),
    "a dict and a raise": ("if title:\n    return {}\nraise BookError('no')", "'error' in book", False),
}


@pytest.mark.parametrize(("body", "test", "is_stale"), ANSWERED.values(), ids=ANSWERED)
def test_where_errors_are_answered_a_caller_looks_into(body: str, test: str, is_stale: bool) -> None:
    helper = "def failed():\n    return Failure(reason='no')\n\n\n"
    assert stale(f"{FAILURE}{helper}{raising(body)}", asked(test), RETURN) == ([2] if is_stale else [])


CANDIDATES = {
    "a function that raises": (RAISED, {"find"}),
    "a function that only raises": ("raise BookError('no')", {"find"}),
    "a function that does not raise": ("return {}", set()),
    "a function that does nothing": ("pass", set()),
    "a function with an answer that only the run knows": ("if title:\n    return title\nraise BookError('no')", set()),
    "a function that yields": ("yield 1\nraise BookError('no')", set()),
}


@pytest.mark.parametrize(("body", "names"), CANDIDATES.values(), ids=CANDIDATES)
def test_calls_are_worth_a_look_of(body: str, names: set[str]) -> None:
    project = project_of({"server.py": f"{HEAD}{raising(body)}"}, rules=["ERR108"])
    assert project.checks.candidates("") == names


def test_where_errors_are_answered_calls_are_worth_a_look_of_what_answers_a_declared_type() -> None:
    text = f"{FAILURE}{raising('return Failure(reason=title)')}{raising('return {}', head='def look(title):')}"
    project = project_of({"server.py": f"{HEAD}{text}"}, RETURN, rules=["ERR108"])
    assert project.checks.candidates("") == {"find"}
