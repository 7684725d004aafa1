"""Answers of declared types: the smallest module for what a type is given, and for each that gets the answer."""

from __future__ import annotations

from pathlib import Path

import pytest
from test_fix_return import CONFIGURATION, HELPER, MODEL, MODEL_OF, START, fixes, reasons, tool, typed

EMPTY = 'return {"error": "no name"}\n'

WRITTEN = {
    "an object of keyword arguments": (
        'return ErrorReply(error="no name")\n',
        'return Failure(error="no name")\n',
        ["the answer was a `ErrorReply`, a `Failure` is another shape"],
    ),
    "an object that takes its message by position": (
        'return ErrorReply("no name")\n',
        'return Failure(error="no name")\n',
        ["the answer was a `ErrorReply`, a `Failure` is another shape"],
    ),
    "an object whose class says more by default": (
        'return CodedError(error="no name")\n',
        'return Failure(error="no name", code="EMPTY")\n',
        ["the answer was a `CodedError`, a `Failure` is another shape"],
    ),
    "a call of `dict`": ('return dict(error="no name")\n', 'return Failure(error="no name")\n', []),
    "a text": (
        'return "Error: no name"\n',
        'return Failure(error="Error: no name")\n',
        ["the answer was a text, a `Failure` is another shape"],
    ),
    "JSON text": (
        'return json.dumps({"error": "no name"})\n',
        'return Failure(error="no name")\n',
        ["the answer was JSON text, a `Failure` is another shape"],
    ),
    "a default in parentheses": (
        'return mcp.find(name) or (\n    {"error": "no name"}\n)\n',
        'return mcp.find(name) or (\n    Failure(error="no name")\n)\n',
        [],
    ),
    "a default without parentheses": (
        'return mcp.find(name) or {"error": "no name"}\n',
        'return mcp.find(name) or Failure(error="no name")\n',
        [],
    ),
    "a payload in parentheses": ('return ({"error": "no name"})\n', 'return Failure(error="no name")\n', []),
}

REPLY = """

class ErrorReply:
    def __init__(self, error: str):
        self.error = error


class CodedError:
    def __init__(self, error: str, code: str = "EMPTY"):
        self.error, self.code = error, code
"""


@pytest.mark.parametrize(("before", "after", "told"), WRITTEN.values(), ids=WRITTEN)
def test_a_type_is_answered_in_the_place_of(tmp_path: Path, before: str, after: str, told: list[str]) -> None:
    found = fixes(tmp_path, tool(before) + REPLY, unsafe=True)
    assert reasons(found.fixed) == told
    server = (tool(after) + REPLY).removeprefix("" if "json" not in before else "import json\n\n")
    assert found.contents["shop/server.py"][1].decode() == server


GIVEN = {
    "the parts of an error": (
        "message: str\ncode: str = ''\n",
        {"error": {"message": "no name", "code": "EMPTY"}},
        'message="no name", code="EMPTY"',
        ["`code` stood below another key", "`message` stood below another key"],
    ),
    "an error of parts that is a field": (
        "error: dict\nmessage: str = ''\ncode: str = ''\n",
        {"error": {"message": "no name", "code": "EMPTY"}},
        'error={"message": "no name", "code": "EMPTY"}',
        [],
    ),
    "parts that are of no error": (
        "error: str\nplace: str = ''\ncontext: dict | None = None\n",
        {"error": "no name", "at": {"place": "door"}},
        'error="no name", context={"at": {"place": "door"}}',
        ["clients find `at` in `context` from now on"],
    ),
    "one of two messages": (
        "message: str\n",
        {"error": "no name", "message": "say one"},
        'message="say one"',
        ["clients do not find `error` any more, which `Failure` has no place for"],
    ),
    "the message under another name": (
        "message: str\n",
        {"error": "no name"},
        'message="no name"',
        ["clients find `error` under `message` from now on"],
    ),
}


@pytest.mark.parametrize(("fields", "payload", "arguments", "told"), GIVEN.values(), ids=GIVEN)
def test_a_type_is_given(
    tmp_path: Path, fields: str, payload: dict[str, object], arguments: str, told: list[str]
) -> None:
    before = tool(f"return {payload}\n".replace("'", '"'))
    found = fixes(tmp_path, before, typed(fields), unsafe=True)
    assert reasons(found.fixed) == told
    assert found.contents["shop/server.py"][1].decode() == tool(f"return Failure({arguments})\n")


NOT_GIVEN = {
    "the only message, where it has no place for that": (
        typed("path: str\n"),
        'return {"error": "no name", "path": name}\n',
        "`Failure` has no place for `error`, which would be lost",
    ),
    "a message in a list": (
        MODEL,
        'return [{"error": "no name"}]\n',
        "only a payload that is written out at the return is rewritten",
    ),
    "a message that it sets itself": (
        typed("message: str = field(init=False)\n"),
        EMPTY,
        "`Failure` does not take its `message` as it is",
    ),
    "a message that has another name for clients": (
        typed("message: str = Field(alias='why')\n", MODEL_OF),
        EMPTY,
        "`Failure` does not take its `message` as it is",
    ),
}


@pytest.mark.parametrize(("answers", "body", "reason"), NOT_GIVEN.values(), ids=NOT_GIVEN)
def test_a_type_is_not_given(tmp_path: Path, answers: str, body: str, reason: str) -> None:
    found = fixes(tmp_path, tool(body), answers, unsafe=True)
    assert (reasons(found.refused), found.contents) == ([reason], {})


def distant(functions: int) -> str:
    """Return a module in which an answer is handed on by some functions before the tool gets it."""
    names = ["look", *(f"step_{number}" for number in range(functions))]
    steps = "".join(f"\n\ndef {name}(name):\n    return {names[index]}(name)\n" for index, name in enumerate(names[1:]))
    return tool(f"return {names[-1]}(name)\n") + HELPER + steps


def test_an_answer_is_followed_through_five_callers(tmp_path: Path) -> None:
    assert 'return Failure(error="no name")' in fixes(tmp_path, distant(4)).contents["shop/server.py"][1].decode()


def test_an_answer_is_not_followed_any_further(tmp_path: Path) -> None:
    found = fixes(tmp_path, distant(5), unsafe=True)
    assert (reasons(found.refused), found.contents) == (["`step_4` is too far from an adapter"], {})


TAKE = 'def take(name: str):\n    if not name:\n        return {"error": "no name"}\n    return {}\n\n\n'
MORE = "a caller does more with the answer of `{}` than to return it"
REGISTERED = {
    "registered": ("mcp.add_tool(take)\n", []),
    "registered by a decorator": ("mcp.tool()(take)\n", []),
    "registered and run": ("mcp.add_tool(take)\nmcp.run(take)\n", [MORE.format("take")]),
}


@pytest.mark.parametrize(("below", "refused"), REGISTERED.values(), ids=REGISTERED)
def test_an_answer_of_a_function_that_is(tmp_path: Path, below: str, refused: list[str]) -> None:
    found = fixes(tmp_path, START + TAKE + below, unsafe=True)
    assert reasons(found.refused) == refused
    assert bool(found.contents) is (not refused)


WAITED = {
    "waits for it": ("return await look(name)\n", "async def take(name: str):", []),
    "hands on what has to be waited for": ("return look(name)\n", "def take(name: str):", [MORE.format("look")]),
}


@pytest.mark.parametrize(("body", "header", "refused"), WAITED.values(), ids=WAITED)
def test_an_answer_gets_to_a_tool_that(tmp_path: Path, body: str, header: str, refused: list[str]) -> None:
    server = tool(body, header) + HELPER.replace("def look", "async def look")
    found = fixes(tmp_path, server, unsafe=True)
    assert reasons(found.refused) == refused
    assert bool(found.contents) is (not refused)


DICT = typed("error: str\n", "class Failure(TypedDict):")
SHELVES = """

class Shelf:
    def look(self, name):
        if not name:
            return {"error": "no name"}
        return {}


class Cellar:
    def look(self, name):
        return {}
"""

CALLERS = {
    "returns it": ("return look(name)\n", HELPER, True),
    "returns it of an object that is known": ("return Shelf().look(name)\n", SHELVES, True),
    "returns it of an object that may be another": ("return amount.look(name)\n", SHELVES, False),
    "dumps it": ("return json.dumps(look(name))\n", HELPER, False),
    "makes another one of it": ("return dict(look(name))\n", HELPER, False),
}


@pytest.mark.parametrize(("body", "helper", "is_told"), CALLERS.values(), ids=CALLERS)
def test_the_annotation_is_looked_at_of_who_gets_a_dict_and(
    tmp_path: Path, body: str, helper: str, is_told: bool
) -> None:
    found = fixes(tmp_path, tool(body, "def take(name: str, amount) -> dict:") + helper, DICT, unsafe=True)
    assert reasons(found.fixed) == (["the annotation of `take` does not name `Failure`"] if is_told else [])
    assert 'return Failure(error="no name")' in found.contents["shop/server.py"][1].decode()


def test_an_object_is_not_answered_where_another_method_may_be_called(tmp_path: Path) -> None:
    found = fixes(tmp_path, tool("return amount.look(name)\n") + SHELVES, unsafe=True)
    text = "it may be called here, or another function of its name: `amount.look`"
    assert (reasons(found.refused), found.contents) == ([text], {})


LOOKED = 'found = look(name)\nif "error" in found:\n    return {}\nreturn found\n'
KINDS = {
    "an object of the same fields": (typed("error: str\n"), [MORE.format("look")]),
    "a dict of the same keys": (DICT, []),
    "a dict of more keys": (typed("error: str\nok: bool\n", "class Failure(TypedDict):"), [MORE.format("look")]),
}


@pytest.mark.parametrize(("answers", "refused"), KINDS.values(), ids=KINDS)
def test_who_looks_for_the_error_of_a_dict_gets(tmp_path: Path, answers: str, refused: list[str]) -> None:
    found = fixes(tmp_path, tool(LOOKED) + HELPER, answers, unsafe=True)
    assert reasons(found.refused) == refused
    assert bool(found.contents) is (not refused)


def test_a_function_of_the_policy_makes_the_answer(tmp_path: Path) -> None:
    failed = "\n\ndef failed(error):\n    return Failure(error=error, trace=trace())\n"
    answers = typed("error: str\ntrace: str\n", MODEL_OF) + failed
    configuration = f'{CONFIGURATION}factories = ["shop.answers.failed"]\n'
    after = fixes(tmp_path, tool(EMPTY), answers, configuration, unsafe=True).contents["shop/server.py"][1].decode()
    server = tool('return failed(error="no name")\n')
    assert after == server.replace("import Failure\n", "import Failure, failed\n")


GUARDS = "def answered(function):\n    return function\n\n\ndef other(function):\n    return function\n"
DECORATOR = 'decorator = "shop.guards.answered"'
MAY = "the decorator `{}` may look into what the function returns"

BOUNDARIES = {
    "the boundary": (DECORATOR, "from shop.guards import answered\n", "answered", []),
    "the boundary by its module": (DECORATOR, "from shop import guards\n", "guards.answered", []),
    "the boundary by another name": (DECORATOR, "from shop.guards import answered as safe\n", "safe", []),
    "something that has the name of the boundary": (DECORATOR, "", "answered", []),
    "another one of the name of the boundary": (
        DECORATOR,
        "from toolkit import answered\n",
        "answered",
        [MAY.format("answered")],
    ),
    "another one": (DECORATOR, "from shop.guards import other\n", "other", [MAY.format("other")]),
    "one, where the boundary is no decorator": (
        'middleware = ["shop.guards.Answered"]',
        "from shop.guards import other\n",
        "other",
        [MAY.format("other")],
    ),
}


@pytest.mark.parametrize(("boundary", "line", "name", "told"), BOUNDARIES.values(), ids=BOUNDARIES)
def test_a_tool_is_decorated_with(tmp_path: Path, boundary: str, line: str, name: str, told: list[str]) -> None:
    (tmp_path / "shop").mkdir()
    (tmp_path / "shop/guards.py").write_text(GUARDS, encoding="utf-8")
    server = tool(f"if not name:\n    {EMPTY}return {{}}\n")
    server = server.replace("from shop.answers", f"{line}from shop.answers").replace("()\ndef", f"()\n@{name}\ndef")
    configuration = f'{CONFIGURATION}\n[[boundary]]\n{boundary}\nenvelope = {{ error = "{{message}}" }}\n'
    found = fixes(tmp_path, server, configuration=configuration)
    assert reasons(found.hidden) == told
    assert bool(found.contents) is (not told)


ONCE_MORE = {
    "the nearest one, where there are several": (MODEL, ["desk"], []),
    "none, where several are as far": (
        "",
        ["desk", "hall"],
        ["`Failure` is defined more than once; name it in full in `response.types`"],
    ),
}


@pytest.mark.parametrize(("answers", "others", "refused"), ONCE_MORE.values(), ids=ONCE_MORE)
def test_a_type_that_is_named_in_short_is(tmp_path: Path, answers: str, others: list[str], refused: list[str]) -> None:
    for name in others:
        (tmp_path / name).mkdir()
        (tmp_path / name / "answers.py").write_text(MODEL, encoding="utf-8")
    server = tool(EMPTY).replace("from shop.answers import Failure\n", "from shop import answers\n")
    found = fixes(tmp_path, server, answers, CONFIGURATION.replace("shop.answers.Failure", "Failure"), unsafe=True)
    assert reasons(found.refused) == refused
    after = server.replace('{"error": "no name"}', 'answers.Failure(error="no name")')
    assert [new.decode() for _, new in found.contents.values()] == ([] if refused else [after])


UNION = "from typing import Union\n"
OPTIONAL = "from typing import Optional\n"
BARS = "\n\ndef other(name: int | str): ...\n"
BASED = MODEL.replace(
    "class Failure(BaseModel)",
    "class Answer(BaseModel):\n    pass\n\n\nclass Found(BaseModel):\n    pass\n\n\nclass Failure(Answer)",
)
WIDENED = {
    "a dict": ("", "dict", "", "dict | Failure"),
    "a dict, in a file that has `Union`": (UNION, "dict", "", "Union[dict, Failure]"),
    "a dict, in a file that has `Union` and bars": (UNION, "dict", BARS, "dict | Failure"),
    "a dict, in a file that has `Union` by another name": (
        "from typing import Union as Either\n",
        "dict",
        "",
        "dict | Failure",
    ),
    "a dict, in a file that has another `Union`": ("from workers import Union\n", "dict", "", "dict | Failure"),
    "a dict, in a file that has another name of typing": (OPTIONAL, "dict", "", "dict | Failure"),
    "one of two": (UNION, "Union[dict, str]", "", "Union[dict, str, Failure]"),
    "one or none": (OPTIONAL, "Optional[dict]", "", "Optional[dict] | Failure"),
    "one or none, in a file that has `Union`": (
        UNION + OPTIONAL,
        "Optional[dict]",
        "",
        "Optional[Union[dict, Failure]]",
    ),
    "a list, in a file that has `Union`": (UNION, "list[dict]", "", "Union[list[dict], Failure]"),
    "another class": ("from shop.answers import Found\n", "Found", "", "Found | Failure"),
}


@pytest.mark.parametrize(("imports", "annotation", "below", "after"), WIDENED.values(), ids=WIDENED)
def test_an_annotation_is_widened_that_is(
    tmp_path: Path, imports: str, annotation: str, below: str, after: str
) -> None:
    header = "def take(name: str, amount: int) -> {}:"
    server = tool(f"if not name:\n    {EMPTY}return {{}}\n", header.format(annotation)) + below
    server = server.replace("import json\n", f"import json\n{imports}", 1)
    found = fixes(tmp_path, server, BASED, unsafe=True)
    assert reasons(found.fixed) == ["the annotation of `take`, which may be published, names `Failure` too"]
    assert header.format(after) in found.contents["shop/server.py"][1].decode()


LEFT = {
    "anything": ("Any", []),
    "any object": ("object", []),
    "the type among others": ("dict | Failure", []),
    "a base of the type": ("Answer", ["the annotation of `take` does not name `Failure`"]),
}


@pytest.mark.parametrize(("annotation", "told"), LEFT.values(), ids=LEFT)
def test_an_annotation_is_left_that_is(tmp_path: Path, annotation: str, told: list[str]) -> None:
    header = f"def take(name: str, amount: int) -> {annotation}:"
    server = tool(f"if not name:\n    {EMPTY}return {{}}\n", header)
    server = server.replace("import Failure\n", "import Answer, Failure\n")
    found = fixes(tmp_path, server, BASED, unsafe=True)
    assert reasons(found.fixed) == told
    assert header in found.contents["shop/server.py"][1].decode()


UNREAD = ["what is made of a `Failure` where `take` is called is not known"]
SERVERS = {
    "a server": ('mcp = FastMCP("shop")\n', "mcp", []),
    "a server with an annotation": ('mcp: FastMCP = FastMCP("shop")\n', "mcp", []),
    "another object": ('mcp = Server("shop")\n', "mcp", UNREAD),
    "a server that an object holds": ('kit = Kit()\nkit.mcp = FastMCP("shop")\n', "kit.mcp", []),
    "another object that an object holds": ('kit = Kit()\nkit.mcp = Server("shop")\n', "kit.mcp", UNREAD),
    "something that an object holds": ("kit = Kit()\nkit.mcp = other\n", "kit.mcp", UNREAD),
    "something that an object is handed": ("kit = Kit()\nkit.name = FastMCP(other)\n", "kit.mcp", UNREAD),
}


@pytest.mark.parametrize(("made", "name", "told"), SERVERS.values(), ids=SERVERS)
def test_an_object_is_read_by(tmp_path: Path, made: str, name: str, told: list[str]) -> None:
    server = tool(f"if not name:\n    {EMPTY}return {{}}\n").replace('mcp = FastMCP("shop")\n', made)
    found = fixes(tmp_path, server.replace("@mcp.", f"@{name}."))
    assert reasons(found.hidden) == told
    assert bool(found.contents) is (not told)
