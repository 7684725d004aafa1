"""Which functions answer an error, and which do not although they look so, each beside its counterpart."""

from __future__ import annotations

from pathlib import Path
from textwrap import indent

import pytest
from linked_texts import linked

from errlint.collect import collect
from errlint.project import Project
from errlint.project.asked_facts import vocabulary
from errlint.project.names import Layout
from errlint.settings import Settings
from errlint.settings.policy import Boundary, Policy

HEAD = "from fastmcp import FastMCP\n\nmcp = FastMCP('shop')\n\n\n"
BAD = "{'success': False, 'error': 'none'}"
LOAD = f"if book:\n    return {BAD}\nreturn book"
STREAM = f"if book:\n    yield {BAD}\nyield book"


def told(text: str) -> list[str]:
    """Return the functions of a module with an error return, each with the kind of the error and what tells it."""
    sites = linked({"server.py": HEAD + text}).sites.of("server.py")
    return [f"{each.function.name}: {' '.join((each.form.kind.name.lower(), *each.form.shape))}" for each in sites]


def names(text: str) -> list[str]:
    """Return the functions of a module with an error return."""
    return [each.partition(":")[0] for each in told(text)]


def function(body: str, name: str = "load", parameters: str = "book", decorator: str = "") -> str:
    """Return a function of this body."""
    return f"\n\n{decorator}def {name}({parameters}):\n{indent(body, '    ')}\n"


def tool(body: str, name: str = "find", decorator: str = "@mcp.tool()") -> str:
    """Return a tool of this body."""
    return function(body, name, "book: str", f"{decorator}\n")


CALLED = tool("return load(book)")

DECORATORS = {
    "none": ("", LOAD, True),
    "one that keeps what it answers": ("@cached\n", LOAD, True),
    "one of a decorator's own": ("@wraps(function)\n", LOAD, False),
    "one of a decorator's own, by its module": ("@functools.wraps(function)\n", LOAD, False),
    "one of what answers errors": ("@app.errorhandler(404)\n", LOAD, False),
    "one of a middleware": ("@app.middleware('http')\n", LOAD, False),
    "one of a context": ("@contextmanager\n", STREAM, False),
    "one of what tests are given": ("@pytest.fixture\n", STREAM, False),
    "one of a context of what is none": ("@contextmanager\n", LOAD, True),
    "one that keeps what it yields": ("@cached\n", STREAM, True),
}


@pytest.mark.parametrize(("decorator", "body", "is_told"), DECORATORS.values(), ids=DECORATORS)
def test_an_error_is_answered_by_a_function_with_a_decorator(decorator: str, body: str, is_told: bool) -> None:
    assert names(function(body, decorator=decorator) + CALLED) == ["load"] * is_told


METHODS = {
    "any method": ("Book", "load", "self", True),
    "what makes a dict of an object": ("Book", "to_dict", "self", False),
    "what makes something else of an object": ("Book", "as_failure", "self", False),
    "what makes a dict of an object and something else": ("Book", "to_dict", "self, shelf", True),
    "what makes a dict of an object, by a name": ("Book", "to_dict", "self, *, shelf", True),
    "what makes a dict of an object, if asked deeper": ("Book", "to_dict", "self, deep=False", False),
    "what makes a dict of an object and whatever there is": ("Book", "to_dict", "self, *rest, **more", False),
    "what writes an object": ("Book", "__str__", "self", False),
    "a middleware": ("BookMiddleware", "load", "self", False),
    "what is based on a middleware": ("Book(BaseMiddleware)", "load", "self", False),
    "an exception": ("BookError(Exception)", "load", "self", False),
    "what is based on another class": ("Book(Base)", "load", "self", True),
}


@pytest.mark.parametrize(("owner", "name", "parameters", "is_told"), METHODS.values(), ids=METHODS)
def test_an_error_is_answered_by_a_method_of(owner: str, name: str, parameters: str, is_told: bool) -> None:
    body = LOAD.replace("book", "self.book")
    text = f"class {owner}:\n{indent(function(body, name, parameters).strip(), '    ')}\n{CALLED}"
    assert names(text) == [f"{owner.partition('(')[0]}.{name}"] * is_told


def test_a_function_with_the_name_of_what_makes_a_dict_of_an_object_answers_errors() -> None:
    assert names(function(LOAD, "to_dict") + CALLED) == ["to_dict"]
    assert names(function(LOAD, "serialize") + CALLED) == ["serialize"]


def test_a_tool_answers_errors_wherever_it_stands() -> None:
    method = "    @mcp.tool()\n    def to_dict(self):\n        return {'success': False}\n"
    assert names(f"class Book:\n{method}") == ["Book.to_dict"]
    assert names(f"class BookError(Exception):\n{method}") == ["BookError.to_dict"]


def test_what_stands_in_a_function_that_answers_no_errors_answers_none() -> None:
    inner = indent(function(LOAD, "inner").strip(), "        ")
    outer = "def outer(f):\n    {}def around(book):\n{}\n        return inner(book)\n    return around\n"
    assert names(outer.format("", inner) + CALLED) == ["outer.around.inner"]
    assert names(outer.format("@wraps(f)\n    ", inner) + CALLED) == []


def test_nobody_is_answered_where_no_client_calls_anything() -> None:
    assert names(function(LOAD)) == []


RAISED = "answer = load(book)\nif 'error' in answer:\n    raise ValueError(answer['error'])\nreturn answer"
GATHERED = "return {'books': [load(each) for each in book]}"
MIDDLE = "return load(book)"


def of(body: str, name: str) -> str:
    """Return a body that calls something else."""
    return body.replace("load", name)


CALLERS = {
    "returned": (tool("return load(book)"), True),
    "raised": (tool(RAISED), False),
    "raised twice": (tool(RAISED) + tool(RAISED, "other"), False),
    "raised and returned": (tool(RAISED) + tool("return load(book)", "other"), True),
    "gathered": (tool(GATHERED), False),
    "gathered and raised": (tool(GATHERED) + tool(RAISED, "other"), False),
    "a part of an answer": (tool("return {'book': load(book)}"), True),
    "looked at": (tool("answer = load(book)\nlog(answer)\nreturn 1"), True),
    "handed over as a function": (tool("run(load)\nreturn 1"), True),
    "handed over as a function and raised": (tool("run(load)\nreturn 1") + tool(RAISED, "other"), False),
    "asked for by nobody": (tool("return 1"), True),
    "asked for by the module": ("\nprint(load(1))\n" + tool(RAISED), True),
    "raised by who asks another function": (function(MIDDLE, "middle") + tool(of(RAISED, "middle")), False),
    "returned by who asks another function": (function(MIDDLE, "middle") + tool("return middle(book)"), True),
    "looked at by who asks another function": (
        function(MIDDLE, "middle") + tool("answer = middle(book)\nreturn 1") + tool(RAISED, "other"),
        True,
    ),
    "raised, and returned by a function that nobody asks": (function(MIDDLE, "middle") + tool(RAISED), False),
    "returned by a function that nobody asks": (function(MIDDLE, "middle") + tool("return 1"), True),
}


@pytest.mark.parametrize(("callers", "is_told"), CALLERS.values(), ids=CALLERS)
def test_an_error_is_answered_that_is(callers: str, is_told: bool) -> None:
    assert names(function(LOAD) + callers) == ["load"] * is_told


@pytest.mark.parametrize("caller", [RAISED, GATHERED], ids=["raised", "gathered"])
@pytest.mark.parametrize(("count", "is_told"), [(3, False), (4, True)])
def test_an_error_is_followed_through_three_functions(caller: str, count: int, is_told: bool) -> None:
    middle = "".join(
        function(of(MIDDLE, f"ask_{each - 1}" if each else "load"), f"ask_{each}") for each in range(count)
    )
    assert names(function(LOAD) + middle + tool(of(caller, f"ask_{count - 1}"))) == ["load"] * is_told


def test_a_function_that_asks_itself_is_no_caller_of_its_own() -> None:
    assert names(function(of(f"if book:\n    return {BAD}\nreturn load(book[1:])", "load")) + tool(RAISED)) == []


def test_what_a_probe_finds_is_a_part_of_an_answer() -> None:
    asked = tool("return {'shop': load(book)}")
    assert names(function(LOAD, "check_shop") + of(asked, "check_shop")) == []
    assert names(function(LOAD, "open_shop") + of(asked, "open_shop")) == ["open_shop"]


SHOP = f"class Shop:\n{indent(function(LOAD, parameters='self, book').strip(), '    ')}\n"
BAG = "\n\nclass Bag:\n    def load(self, book):\n        return book\n"
IN_DOUBT = tool("return made(book).load(book)", "other")

NAMESAKES = {
    "all who certainly ask it raise": (SHOP + BAG + tool(of(RAISED, "Shop().load")) + IN_DOUBT, []),
    "one who certainly asks it raises by another function": (
        SHOP + BAG + function(of(MIDDLE, "Shop().load"), "ask") + tool(of(RAISED, "ask")) + IN_DOUBT,
        [],
    ),
    "one who certainly asks it answers what it does": (
        SHOP + BAG + tool(of(MIDDLE, "Shop().load")) + IN_DOUBT,
        ["Shop.load"],
    ),
    "one who certainly asks it gathers": (SHOP + BAG + tool(of(GATHERED, "Shop().load")) + IN_DOUBT, ["Shop.load"]),
    "it is no method": (function(LOAD) + tool(RAISED) + IN_DOUBT, ["load"]),
}


@pytest.mark.parametrize(("text", "expected"), NAMESAKES.values(), ids=NAMESAKES)
def test_where_others_may_mean_another_method(text: str, expected: list[str]) -> None:
    assert names(text) == expected


@pytest.mark.parametrize(("count", "expected"), [(3, []), (4, ["Shop.load"])])
def test_a_certain_caller_that_raises_is_followed_through_three_functions(count: int, expected: list[str]) -> None:
    middle = "".join(
        function(of(MIDDLE, f"ask_{each - 1}" if each else "Shop().load"), f"ask_{each}") for each in range(count)
    )
    assert names(SHOP + BAG + middle + tool(of(RAISED, f"ask_{count - 1}")) + IN_DOUBT) == expected


def test_what_a_tool_answers_to_a_tool_is_answered() -> None:
    assert names(tool(LOAD, "load") + tool(RAISED)) == ["load"]


WHY = "if not book:\n    return 'Error: no book'\nreturn None"
LOGGED = tool("text = why(book)\nif text:\n    log(text)\nreturn 1")

REASONS = {
    "raised": (WHY, tool("text = why(book)\nif text:\n    raise ValueError(text)\nreturn 1"), False),
    "logged": (WHY, LOGGED, False),
    "logged, or else the function ends": (WHY.removesuffix("\nreturn None"), LOGGED, False),
    "returned": (WHY, tool("return why(book)"), True),
    "returned by a name": (WHY, tool("text = why(book)\nif text:\n    return text\nreturn 1"), True),
    "returned as JSON": (WHY, tool("text = why(book)\nif text:\n    return json.dumps(text)\nreturn 1"), True),
    "a part of an answer": (WHY, tool("return {'why': why(book)}"), True),
    "asked for by nobody": (WHY, tool("return 1"), True),
    "asked for by the module": (WHY, f"\nprint(why(1))\n{tool('return 1')}", True),
    "logged, or else there is another text": (WHY.replace("None", "'fine'"), LOGGED, True),
    "logged, or else it is true": (WHY.replace("None", "True"), LOGGED, True),
    "logged, or else what another function answers": (WHY.replace("None", "how(book)"), LOGGED, True),
    "written as JSON": (WHY.replace("'Error: no book'", "json.dumps('Error: no book')"), LOGGED, True),
}


@pytest.mark.parametrize(("body", "callers", "is_told"), REASONS.values(), ids=REASONS)
def test_a_reason_is_an_error_that_is(body: str, callers: str, is_told: bool) -> None:
    assert [each for each in names(function(body, "why") + callers) if each == "why"] == ["why"] * is_told


SUPERS = {
    "the class above": ("super().why(book)", []),
    "another method of the class above": ("super().how(book)", ["Shop.why"]),
    "the same of another object": ("self.other.why(book)", ["Base.why", "Shop.why"]),
}


@pytest.mark.parametrize(("rest", "expected"), SUPERS.values(), ids=SUPERS)
def test_a_reason_of_a_method_is_followed_to(rest: str, expected: list[str]) -> None:
    base = f"class Base:\n{indent(function(WHY, 'why', 'self, book').strip(), '    ')}\n"
    body = f"if book == 1:\n    return 'Error: one'\nif book == 2:\n    return None\nreturn {rest}"
    shop = f"\n\nclass Shop(Base):\n{indent(function(body, 'why', 'self, book').strip(), '    ')}\n"
    assert names(base + shop + LOGGED.replace("why(book)", "book.shop().why(book)")) == expected


def test_a_reason_of_a_method_needs_to_be_able_to_be_none() -> None:
    base = f"class Base:\n{indent(function(WHY, 'why', 'self, book').strip(), '    ')}\n"
    body = "if book == 1:\n    return 'Error: one'\nreturn super().why(book)"
    shop = f"\n\nclass Shop(Base):\n{indent(function(body, 'why', 'self, book').strip(), '    ')}\n"
    assert names(base + shop + LOGGED.replace("why(book)", "book.shop().why(book)")) == ["Shop.why"]


READ = f"if not book:\n    return None, {BAD}\nreturn book, None"
ANSWERED = "cells, error = read(book)\nif error:\n    return {}\nreturn cells"

SLOTS = {
    "answered": (READ, tool(ANSWERED.format("error")), True),
    "answered as JSON": (READ, tool(ANSWERED.format("json.dumps(error)")), True),
    "answered as a response": (READ, tool(ANSWERED.format("JSONResponse(error)")), True),
    "answered by its place": (READ, tool("return read(book)[1]"), True),
    "answered in the place of nothing": (READ.replace("book, None", "book, {}"), tool(ANSWERED.format("error")), True),
    "what another function shows": (READ, tool(ANSWERED.format("shown(error)")), False),
    "nothing as JSON": (READ, tool(ANSWERED.format("json.dumps()")), False),
    "beside what is answered": (READ, tool(ANSWERED.format("cells")), False),
    "beside what is answered by its place": (READ, tool("return read(book)[0]"), False),
    "beside a part of what another function answers": (READ, tool(ANSWERED.format("other(book)[1]")), False),
    "raised": (READ, tool("cells, error = read(book)\nif error:\n    raise ValueError(error)\nreturn cells"), False),
    "a part of what is answered": (READ, tool("return read(book)"), False),
    "answered in the place of something": (
        READ.replace("book, None", "book, book"),
        tool(ANSWERED.format("error")),
        False,
    ),
    "answered where there is no place": (READ.replace("book, None", "(None,)"), tool(ANSWERED.format("error")), False),
    "answered where there is a list": (
        READ.replace("book, None", "[book, None]"),
        tool(ANSWERED.format("error")),
        False,
    ),
    "asked for by the module": (READ, f"\ncells, error = read(1)\n{tool('return 1')}", False),
    "answered by the function itself": (
        READ.replace(
            "return book, None", "cells, error = read(book[1:])\nif error:\n    return error\nreturn book, None"
        ),
        tool("return 1"),
        False,
    ),
    "answered by what answers requests": (
        READ,
        function(ANSWERED.format("error"), "page", decorator="@app.get('/books')\n") + tool("return 1"),
        False,
    ),
    "answered by what is asked to raise": (
        READ,
        function(ANSWERED.format("error"), "ask") + tool(of(RAISED, "ask")),
        False,
    ),
    "handed on at the same place": (
        READ,
        function(ANSWERED.format("None, error"), "ask") + tool(ANSWERED.replace("read", "ask").format("error")),
        True,
    ),
    "handed on at another place": (
        READ,
        function(ANSWERED.format("error, None"), "ask") + tool(ANSWERED.replace("read", "ask").format("cells")),
        True,
    ),
    "handed on at a place that is not answered": (
        READ,
        function(ANSWERED.format("None, error"), "ask") + tool(ANSWERED.replace("read", "ask").format("cells")),
        False,
    ),
    "handed on in a list": (
        READ,
        function(ANSWERED.format("[None, error]"), "ask") + tool(ANSWERED.replace("read", "ask").format("error")),
        False,
    ),
}


@pytest.mark.parametrize(("body", "callers", "is_payload"), SLOTS.values(), ids=SLOTS)
def test_the_error_of_a_tuple_is(body: str, callers: str, is_payload: bool) -> None:
    found = [each for each in told(function(body, "read") + callers) if each.startswith("read: ")]
    assert found == ["read: payload success error" if is_payload else "read: tuple None"]


WRAPPED = {"as it is": (BAD, "a tuple"), "as JSON": (f"json.dumps({BAD})", "dumps")}


@pytest.mark.parametrize(("error", "wrapper"), WRAPPED.values(), ids=WRAPPED)
def test_around_the_error_of_a_tuple_is(error: str, wrapper: str) -> None:
    text = HEAD + function(READ.replace(BAD, error), "read") + tool(ANSWERED.format("error"))
    (site,) = linked({"server.py": text}).sites.of("server.py")
    assert site.form.wrapper == wrapper


@pytest.mark.parametrize(("count", "kind"), [(2, "payload success error"), (3, "tuple None")])
def test_the_error_of_a_tuple_is_followed_through_two_functions(count: int, kind: str) -> None:
    handed_on = ANSWERED.format("None, error")
    middle = "".join(
        function(handed_on.replace("read", f"ask_{each - 1}" if each else "read"), f"ask_{each}")
        for each in range(count)
    )
    asked = tool(ANSWERED.replace("read", f"ask_{count - 1}").format("error"))
    assert told(function(READ, "read") + middle + asked)[0] == f"read: {kind}"


STATE = "return {'status': 'open', 'error': 'none'}"
CAUGHT = "try:\n    shop()\nexcept OSError as e:\n    return {'status': 'open', 'error': str(e)}\nreturn 1"
MESSAGE = CAUGHT.replace("'error': str(e)", "'problem': {'type': 'a', 'title': 'b', 'detail': 'c'}")
WEB = "from fastapi import FastAPI\n\napp = FastAPI()\n"

STATES = {
    "of a tool": (tool(STATE), ["find"]),
    "of a tool that probes": (tool(STATE, "check_shop"), []),
    "of a resource": (tool(STATE, decorator="@mcp.resource('shop://all')"), []),
    "of a prompt": (tool(STATE, decorator="@mcp.prompt()"), ["find"]),
    "of a route": (WEB + tool(STATE, decorator="@app.get('/books')"), []),
    "of another function": (function(f"if book:\n    {STATE}\nreturn 1") + CALLED, []),
    "of another function, for what was caught": (function(CAUGHT) + CALLED, ["load"]),
    "of a function that probes, for what was caught": (
        function(CAUGHT, "check_shop") + tool("return check_shop(book)"),
        [],
    ),
    "of another function, for what was caught, without its text": (function(MESSAGE) + CALLED, []),
    "of a route, for what was caught": (WEB + tool(CAUGHT, decorator="@app.get('/books')"), []),
}


@pytest.mark.parametrize(("text", "expected"), STATES.values(), ids=STATES)
def test_an_error_beside_a_status_of_its_own_is_one(text: str, expected: list[str]) -> None:
    assert names(text) == expected


FRAMES = {
    "a payload": ("{'success': False, 'error': 'none'}", True, True),
    "the result of a tool": ("{'isError': True, 'content': []}", False, False),
    "what may be the result of a tool": ("{'isError': book, 'error': 'none'}", False, False),
    "a status and an error": ("{'status': 'error', 'error': 'none'}", True, False),
    "a status, a flag and an error": ("{'success': False, 'status': 'error', 'error': 'none'}", True, True),
}


@pytest.mark.parametrize(("answer", "is_told", "is_told_of_probe"), FRAMES.values(), ids=FRAMES)
def test_an_error_is_answered_by_a_route_and_one_that_probes(
    answer: str, is_told: bool, is_told_of_probe: bool
) -> None:
    route = "@app.get('/books')"
    assert names(WEB + tool(f"return {answer}", "page", route)) == ["page"] * is_told
    assert names(WEB + tool(f"return {answer}", "check_shop", route)) == ["check_shop"] * is_told_of_probe
    assert names(tool(f"return {answer}")) == ["find"]


@pytest.mark.parametrize(("key", "is_told"), [("failed", True), ("isError", False)])
def test_a_route_answers_by_a_flag_of_a_failure_alone_unless_it_is_that_of_the_protocol(
    key: str, is_told: bool
) -> None:
    assert names(WEB + tool(f"return {{'{key}': True}}", "page", "@app.get('/books')")) == ["page"] * is_told


def test_a_route_that_probes_answers_by_a_number_how_the_call_went() -> None:
    body = "if book:\n    return {'status': 0, 'msg': 'ok'}\nreturn {'status': 1, 'msg': 'no such book'}"
    assert names(WEB + tool(body, "check_shop", "@app.get('/books')")) == ["check_shop"]


WEAK = {
    "a message": "{'message': 'Error: no book'}",
    "an object with the status of a success": "Result(error='none')",
    "an object with such a status by another name": "Other(error='none')",
    "an object with such a status of the class above": "Below(error='none')",
}

RESULTS = """
class Result:
    error: str
    status: int = 200


class Other:
    error: str
    http_status: int = 200


class Above:
    status_code: int = 200


class Below(Above):
    error: str


class Plain:
    error: str
    status: int = 3
"""


@pytest.mark.parametrize("answer", WEAK.values(), ids=WEAK)
def test_only_what_a_client_gets_is_an_error_by(answer: str) -> None:
    body = f"if book:\n    return {answer}\nreturn 1"
    assert names(RESULTS + function(body) + CALLED) == ["load"]
    assert names(RESULTS + function(body) + tool("return 1")) == []


@pytest.mark.parametrize("answer", ["Plain(error='none')", BAD], ids=["an object with another status", "a payload"])
def test_an_error_is_one_wherever_it_is_answered(answer: str) -> None:
    body = f"if book:\n    return {answer}\nreturn 1"
    assert names(RESULTS + function(body) + CALLED) == names(RESULTS + function(body) + tool("return 1")) == ["load"]


ASKED_FOR = {
    "what an object has": ("return {'error': shop.error(book)}", False),
    "what an object has, as JSON": ("return json.dumps({'error': shop.error(book)})", False),
    "two things that an object has": ("return {'error': shop.error(book), 'hint': shop.hint()}", False),
    "what an object has, and a text": ("return {'error': shop.error(book), 'hint': 'ask'}", True),
    "what a function has": ("return {'error': why(book)}", True),
    "a text": ("return {'error': 'none'}", True),
    "a flag": ("return {'success': False, 'error': shop.error(book)}", True),
    "what an object has, or nothing": ("if book:\n    return {'error': shop.error(book)}", True),
    "what an object has, or a number": ("if book:\n    return 1\nreturn {'error': shop.error(book)}", True),
    "what an object has, or an exception": (
        "if book:\n    raise ValueError(book)\nreturn {'error': shop.error(book)}",
        True,
    ),
    "what an object has, for what was caught": (
        "try:\n    shop.open()\n    raise ValueError(book)\nexcept OSError:\n    return {'error': shop.error(book)}",
        True,
    ),
    "a text that says so": ("return 'Error: no book'", True),
}


@pytest.mark.parametrize(("body", "is_told"), ASKED_FOR.values(), ids=ASKED_FOR)
def test_a_tool_that_answers_errors_alone_answers(body: str, is_told: bool) -> None:
    assert names(tool(body)) == ["find"] * is_told


CHECKED = f"if book:\n    return {BAD}\nreturn "

PROBES = {
    "a flag that is worked out": (f"{CHECKED}{{'success': bool(book)}}", True),
    "a flag that is written out": (f"{CHECKED}{{'success': True}}", False),
    "another flag that is worked out": (f"{CHECKED}{{'ok': bool(book)}}", False),
    "what was asked and how it is": ("if book:\n    return {'status': 'error', 'error': 'none', 'checks': []}", True),
    "how it is": ("if book:\n    return {'status': 'error', 'error': 'none'}", False),
    "what was asked": ("if book:\n    return {'error': 'none', 'checks': []}", False),
    "what was asked, how it is, and a flag": (
        "if book:\n    return {'success': False, 'status': 'error', 'error': 'none', 'checks': []}",
        False,
    ),
    "an object for what was found out": ("if book:\n    return CheckResult(success=False)", True),
    "another object": ("if book:\n    return Reply(success=False)", False),
}


@pytest.mark.parametrize("name", ["check_shop", "_check_shop", "find"])
@pytest.mark.parametrize(("body", "is_found_out"), PROBES.values(), ids=PROBES)
def test_a_probe_alone_finds_out(name: str, body: str, is_found_out: bool) -> None:
    assert names(tool(body, name)) == [name] * (not is_found_out or name == "find")


def test_a_class_that_checks_has_methods_that_find_out() -> None:
    body = PROBES["a flag that is worked out"][0]
    method = indent(function(body, "load", "self, book").strip(), "    ")
    assert names(f"class ShopChecker:\n{method}\n{tool('return ShopChecker().load(book)')}") == []
    assert names(f"class Shop:\n{method}\n{tool('return Shop().load(book)')}") == ["Shop.load"]


def test_what_a_factory_makes_of_what_was_found_out_is_no_error_of_a_probe() -> None:
    made = function("return CheckResult(success=False)", "failed")
    assert names(made + tool("if book:\n    return failed(book)\nreturn 1", "check_shop")) == []
    assert names(made + tool("if book:\n    return failed(book)\nreturn 1")) == ["find"]


YIELDED = {
    "a payload": ("{'success': False, 'error': 'none'}", True),
    "a payload under a key of its own": ("{'result': {'success': False}}", True),
    "an object": ("Reply(success=False)", True),
    "what a function builds": ("failed(book)", True),
    "an object with a type": ("Reply(type='error', success=False)", True),
    "an event with a type": ("{'type': 'error', 'error': 'none'}", False),
    "an event with its name": ("{'Event': 'error', 'error': 'none'}", False),
    "an event that a server sends": ("{'data': {'success': False}}", False),
    "data beside something else": ("{'data': book, 'success': False}", True),
    "a text": ("'Error: no book'", False),
    "a tuple": ("None, {'success': False}", False),
}


@pytest.mark.parametrize(("answer", "is_told"), YIELDED.values(), ids=YIELDED)
def test_an_error_of_a_stream_is(answer: str, is_told: bool) -> None:
    failed = function("return {'success': False, 'error': book}", "failed")
    assert names(failed + tool(f"yield {answer}")) == ["find"] * is_told


STREAMED = {
    "by a response": ("return StreamingResponse(load(book))", True),
    "by a response of events": ("return EventSourceResponse(content=load(book))", True),
    "by a response with the request around": ("return Response(stream_with_context(load(book)))", True),
    "by a name for a response": ("answer = StreamingResponse(load(book))\nreturn answer", True),
    "by a response on one way": ("if book:\n    return 1\nreturn StreamingResponse(load(book))", True),
    "by a list": ("return list(load(book))", False),
    "beside a response": ("log(load(book))\nreturn StreamingResponse(others(book))", False),
}


@pytest.mark.parametrize(("body", "is_streamed"), STREAMED.values(), ids=STREAMED)
def test_what_is_yielded_is_sent_as_it_comes(body: str, is_streamed: bool) -> None:
    assert names(function(f"yield {BAD}") + tool(body)) == ["load"] * (not is_streamed)


LOW = "from mcp.server.lowlevel import Server\n\nserver = Server('shop')\n"
MARKED = "return CallToolResult(isError=True)"
HANDLED = f"try:\n    return shop()\nexcept OSError:\n    {MARKED}"
FACTORIES = function(MARKED, "marked") + function("return {'success': False}", "failed")
CALL_TOOL = "@server.call_tool()\n"
HANDED = "\n\nserver = Server('shop', {}=call)\n"

DISPATCHERS = {
    "by a decorator, for what was caught": (function(HANDLED, "call", "name", CALL_TOOL), []),
    "by a decorator, for anything else": (function(MARKED, "call", "name", CALL_TOOL), ["call"]),
    "by a keyword, for what was caught": (function(HANDLED, "call") + HANDED.format("on_call_tool"), []),
    "by a keyword, for anything else": (function(MARKED, "call") + HANDED.format("on_call_tool"), []),
    "by a keyword, as a factory makes it": (function("return marked(1)", "call") + HANDED.format("on_call_tool"), []),
    "by a keyword, without the mark": (
        function("return {'success': False}", "call") + HANDED.format("on_call_tool"),
        ["call"],
    ),
    "by a keyword, as a factory makes it without the mark": (
        function("return failed(1)", "call") + HANDED.format("on_call_tool"),
        ["call"],
    ),
    "by a tool, for what was caught": (tool(HANDLED, "call"), ["call"]),
    "by a function that is answered, for what was caught": (
        function(HANDLED, "run") + function("return run(name)", "call", "name", CALL_TOOL),
        [],
    ),
    "by a function that is asked, for what was caught": (
        function(HANDLED, "run") + function("answer = run(name)\nreturn answer.text", "call", "name", CALL_TOOL),
        ["run"],
    ),
}


@pytest.mark.parametrize(("text", "expected"), DISPATCHERS.values(), ids=DISPATCHERS)
def test_the_result_of_any_tool_is_marked(text: str, expected: list[str]) -> None:
    assert names(LOW + FACTORIES + text) == expected


BUILT = "return {'success': False, 'error': book}"

BUILDERS = {
    "called": ("book", tool("return failed(book)"), ["find"]),
    "called for nothing": ("book", tool("answer = failed(book)\nlog(answer)\nreturn 1"), []),
    "called by nobody": ("book", tool("return 1"), []),
    "called by nobody, and asking for nothing": ("", tool("return 1"), ["failed"]),
    "called, and asking for nothing": ("", tool("answer = failed()\nlog(answer)\nreturn 1"), []),
    "handed over": ("book", tool("run(failed)\nreturn 1"), ["failed"]),
    "handed over for an exception": ("exc", tool("run(failed)\nreturn 1"), []),
    "handed over for a book and an exception": ("book, exc", tool("run(failed)\nreturn 1"), ["failed"]),
    "handed over for nothing": ("", tool("run(failed)\nreturn 1"), ["failed"]),
    "bound to what it is called with": ("book", tool("run(partial(failed, 1))\nreturn 1"), []),
    "bound to it by the module's name": ("book", tool("run(functools.partial(failed, 1))\nreturn 1"), []),
}


@pytest.mark.parametrize(("parameters", "callers", "expected"), BUILDERS.values(), ids=BUILDERS)
def test_a_function_that_only_builds_errors_is(parameters: str, callers: str, expected: list[str]) -> None:
    assert names(function(BUILT, "failed", parameters) + callers) == expected


TEXT_OF = "if e.args:\n    return 'Error: no book'\nreturn str(e)"
IN_HANDLER = "try:\n    return shop(book)\nexcept OSError as e:\n    {}"
SAID = tool(IN_HANDLER.format("return error_text(e)"))

TELLERS = {
    "returned": (SAID, ["find"]),
    "returned, and the function is handed over": (SAID + tool("run(error_text)\nreturn 1", "other"), ["find"]),
    "logged": (tool(IN_HANDLER.format("log(error_text(e))")), ["error_text"]),
    "returned and logged": (
        SAID + tool(IN_HANDLER.format("log(error_text(e))"), "other"),
        ["error_text", "find"],
    ),
    "asked for by nobody": (tool("return 1"), ["error_text"]),
    "returned where nothing was caught": (tool("return error_text(book)"), ["error_text"]),
}


@pytest.mark.parametrize(("callers", "expected"), TELLERS.values(), ids=TELLERS)
def test_the_text_of_an_error_is(callers: str, expected: list[str]) -> None:
    assert names(function(TEXT_OF, "error_text", "e") + callers) == expected


CHOSEN = "if ok:\n    return {'success': True, 'data': text}\nreturn {'success': False, 'error': text}"

CHOICES = {
    "an error": ("ok, text", tool("return built(False, book)"), ["find"]),
    "a success": ("ok, text", tool("return built(True, book)"), []),
    "an error and a success": (
        "ok, text",
        tool("return built(False, book)") + tool("return built(True, book)", "other"),
        ["find"],
    ),
    "an error by a name": ("ok, text", tool("answer = built(False, book)\nreturn answer"), ["find"]),
    "an error as JSON": ("ok, text", tool("return json.dumps(built(False, book))"), ["find"]),
    "an error that is a part of an answer": ("ok, text", tool("return {'book': built(False, book)}"), ["built"]),
    "an error that is logged": ("ok, text", tool("log(built(False, book))\nreturn 1"), ["built"]),
    "an error by default": ("ok=False, text=''", tool("return built()"), ["find"]),
    "a success by default": ("ok=True, text=''", tool("return built()"), []),
    "an error of the module": ("ok, text", f"\nANSWER = built(False, 1)\n{tool('return 1')}", ["built"]),
    "nothing": ("ok, text", tool("return 1"), []),
    "whatever there is": ("ok, text", tool("return built(*book)"), ["built"]),
}


@pytest.mark.parametrize(("parameters", "callers", "expected"), CHOICES.values(), ids=CHOICES)
def test_a_builder_is_told_of(parameters: str, callers: str, expected: list[str]) -> None:
    assert names(function(CHOSEN, "built", parameters) + callers) == expected


def test_a_builder_that_others_may_call_is_told() -> None:
    method = f"class Shop:\n{indent(function(CHOSEN, 'built', 'self, ok, text').strip(), '    ')}\n"
    other = f"\n\nclass Bag:\n{indent(function('return 1', 'built', 'self').strip(), '    ')}\n"
    assert names(method + other + tool("return made(book).built(False, 1)")) == ["Shop.built"]
    assert names(method + other + tool("return 1")) == []


def under(text: str, *boundaries: Boundary) -> list[str]:
    """Return the functions of a module with an error return, where a project has these boundaries."""
    settings = Settings(root=Path(), policy=Policy(boundaries=boundaries))
    modules = {"server.py": collect(HEAD + text, vocabulary(settings))}
    sites = Project(Layout(modules, ("",)), modules, settings).sites.of("server.py")
    return [each.function.name for each in sites]


def decorator(name: str) -> str:
    """Return a decorator of which the function inside answers an error."""
    return f"\n\ndef {name}(f):\n{indent(function(LOAD, 'around').strip(), '    ')}\n    return around\n"


CONVERTERS = function(LOAD, "to_answer") + function(LOAD, "to_other")
AROUND = CONVERTERS + decorator("handled") + decorator("other") + tool("to_answer(book)\nto_other(book)\nreturn 1")

BOUNDARIES = {
    "none": ((), ["to_answer", "to_other", "handled.around", "other.around"]),
    "a decorator": ((Boundary(decorator="server.handled"),), ["to_answer", "to_other", "other.around"]),
    "a converter": (
        (Boundary(converters=("server.to_answer",)),),
        ["to_other", "handled.around", "other.around"],
    ),
    "converters by a pattern": (
        (Boundary(converters=("*.to_*",)),),
        ["handled.around", "other.around"],
    ),
    "two": (
        (Boundary(middleware=("Errors",)), Boundary(decorator="server.other", converters=("server.to_other",))),
        ["to_answer", "handled.around"],
    ),
}


@pytest.mark.parametrize(("boundaries", "expected"), BOUNDARIES.values(), ids=BOUNDARIES)
def test_the_errors_of_boundaries_are_theirs_to_answer(boundaries: tuple[Boundary, ...], expected: list[str]) -> None:
    assert under(AROUND, *boundaries) == expected


def test_all_of_a_class_that_is_a_boundary_is_of_it() -> None:
    text = f"class Errors:\n{indent(function(LOAD, 'convert', 'self, book').strip(), '    ')}\n{tool('return 1')}"
    assert under(text, Boundary(decorator="server.Errors")) == []
    assert under(text, Boundary(converters=("server.Errors.convert",))) == []
    assert under(text, Boundary(converters=("server.Errors",))) == ["Errors.convert"]


def duplicates(*texts: str) -> list[list[str]]:
    """Return the factories of each shape that several of them build, of the modules ``part_0``, ``part_1``, ...."""
    modules = {f"part_{index}.py": text for index, text in enumerate(texts)}
    groups = linked(modules).sites.duplicate_factories("")
    return [[f"{each.path} {each.function.name} {'+'.join(each.shape)}" for each in group] for group in groups]


FAILED = function("return {'success': False, 'error': book}", "failed")
REFUSED = function("return {'error': f'no {book}', 'success': False}", "refused")
HINTED = function("return {'success': False, 'error': book, 'hint': 1}", "hinted")
ADVISED = function("return {'success': False, 'error': book, 'hint': 'ask'}", "advised")
MADE = function("return Reply(success=False)", "made")
ASKS = tool("if book == 1:\n    return failed(1)\nif book == 2:\n    return refused(1)\nreturn hinted(2)")


def test_factories_of_one_shape_are_duplicates() -> None:
    same = ["part_0.py failed error+success", "part_0.py refused error+success"]
    assert duplicates(HEAD + FAILED + REFUSED + HINTED + ASKS) == [same]
    assert duplicates(HEAD + FAILED + HINTED + tool("return failed(1)") + tool("return hinted(1)", "other")) == []


def test_a_factory_that_nobody_calls_is_no_duplicate() -> None:
    assert duplicates(HEAD + FAILED + REFUSED + tool("return failed(book)")) == []


def test_what_answers_no_error_is_no_duplicate() -> None:
    assert duplicates(HEAD + FAILED + REFUSED.replace("def ", "@wraps(f)\ndef ") + ASKS) == []


def test_factories_of_texts_are_no_duplicates() -> None:
    texts = "".join(function("return 'Error: no book'", name) for name in ("said", "told"))
    assert duplicates(HEAD + texts + tool("return said(1)") + tool("return told(1)", "other")) == []


def test_factories_of_one_object_are_duplicates() -> None:
    made = MADE + MADE.replace("made", "built") + tool("return made(1)") + tool("return built(1)", "other")
    assert duplicates(HEAD + made) == [["part_0.py made Reply", "part_0.py built Reply"]]


def test_duplicates_are_in_order_of_place() -> None:
    first = f"{HEAD}from part_1 import advised, refused\n{HINTED}{FAILED}"
    asked = tool("if book:\n    return advised(1)\nif here:\n    return refused(1)", "other")
    assert duplicates(first + ASKS + asked, REFUSED + ADVISED) == [
        ["part_0.py hinted error+hint+success", "part_1.py advised error+hint+success"],
        ["part_0.py failed error+success", "part_1.py refused error+success"],
    ]


def shapes(text: str) -> list[str]:
    """Return the shapes in which a module answers errors: where first, and how often."""
    found = linked({"server.py": HEAD + text}).sites.mixed_shapes("")
    return [f"{site.function.name} {site.form.kind.name.lower()} {count}" for site, count in found]


FAILS = tool("return {'success': False}")

SHAPES = {
    "a payload, a text and a tuple": (
        FAILS + tool("return 'Error: no book'", "say") + tool("return None, 'no book'", "pair"),
        ["find payload 1", "say text 1", "pair tuple 1"],
    ),
    "two payloads alike": (FAILS + tool("return {'success': False}", "other"), []),
    "two payloads with other keys": (
        FAILS + tool("return {'error': 'none'}", "other"),
        ["find payload 1", "other payload 1"],
    ),
    "a payload, and one that a function builds": (
        FAILED + tool("return {'success': False, 'error': 'none'}") + tool("return failed(1)", "other"),
        [],
    ),
    "a payload, and a text that does not say so": (FAILS + tool("return 'Unknown book'", "other"), []),
    "a payload, and one that no client gets": (
        FAILS + function("if book:\n    return {'error': 'none'}\nreturn book"),
        [],
    ),
    "objects of two classes": (
        tool("return Reply(success=False)")
        + tool("return Reply(error='x')", "a")
        + tool("return Note(error='x')", "b"),
        ["find object 2", "b object 1"],
    ),
    "two texts": (tool("return 'Error: no book'") + tool("return 'Failed to find it'", "other"), []),
}


@pytest.mark.parametrize(("text", "expected"), SHAPES.values(), ids=SHAPES)
def test_the_errors_of_a_project_have_shapes(text: str, expected: list[str]) -> None:
    assert shapes(text) == expected


def test_what_no_adapter_claims_is_counted_where_it_is() -> None:
    wrapped = function("return {'success': False}", "around", decorator="@wraps(f)\n")
    others = function("return 'Error: no book'", "said") + function("return None, 'no book'", "pair")
    texts = {
        "shop/a.py": FAILED + function("return failed(book)") + MADE,
        "shop/b.py": wrapped + others,
        "c.py": FAILED,
    }
    sites = linked(texts, distributions=("shop", "")).sites
    assert sites.unclaimed({"shop"}) == 3
    assert sites.unclaimed({""}) == 1
    assert sites.unclaimed({"shop", ""}) == 4
    assert sites.unclaimed({"bag"}) == 0
    assert sites.of("c.py") == []


def test_the_returns_of_a_file_are_those_of_a_distribution_with_tools() -> None:
    texts = {"shop/a.py": HEAD + tool("return 1"), "shop/b.py": FAILED, "c.py": FAILED}
    sites = linked(texts, distributions=("shop", "")).sites
    told = {path: [function.name for function, _ in sites.returns_of(path)] for path in texts}
    assert told == {"shop/a.py": ["find"], "shop/b.py": ["failed"], "c.py": []}
    assert [sites.is_served(path) for path in texts] == [True, True, False]


def test_routes_are_served_too_but_only_what_they_answer_is_told() -> None:
    text = WEB + tool(LOAD, "page", "@app.get('/books')") + function(LOAD)
    sites = linked({"server.py": text}).sites
    assert sites.is_served("server.py")
    assert [each.function.name for each in sites.of("server.py")] == ["page"]
