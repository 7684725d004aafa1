"""What stands between an error and its client: the smallest project for each thing that makes a fix doubt or refuse."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise
from pathlib import Path

import pytest
from test_fix import fixes_in, looks, reasons

CONFIGURATION = """\
[tool.errlint]
adapters.decorators = ["*.tool"]
[[tool.errlint.boundary]]
decorator = "answered"
envelope = { error = "{message}" }
[tool.errlint.exceptions]
root = ["ShelfError"]
default = "ShelfError"
"""

ERRORS = """\
class ShelfError(Exception):
    pass


def answered(function):
    return function
"""

COUNT = """\
def count(title: str) -> dict:
    if not title:
        return {"error": "no title"}
    return {"copies": 1}
"""

OWN = f"""\
from toolkit import mcp
from shelf.errors import ShelfError, answered


@mcp.tool()
@answered
{COUNT}"""

SDK = f"""\
from mcp.server.fastmcp import FastMCP

mcp = FastMCP("shelf")


@mcp.tool()
{COUNT}"""

LANGCHAIN = f"""\
from langchain_core.tools import tool


@tool
{COUNT}

count.handle_tool_error = True
"""

CHANGED = "the convention changes the answer: a client gets "
IN_SDK = (f"{CHANGED}isError and a text", "shelf/server.py:7")
IN_LANGCHAIN = [
    ("`count.handle_tool_error` is taken to answer what the tool raises", "shelf/server.py:11"),
    (f"{CHANGED}a message with the status `error`", "shelf/server.py:5"),
]


def looked_at(folder: Path, modules: Mapping[str, str]) -> list[tuple[str, str]]:
    """Return what is to be looked at once the error of a function is raised, and that it is."""
    written(folder, modules)
    found = fixes_in(folder, "ERR1")
    assert reasons(found.refused) == []
    assert 'return {"error": "no title"}' not in found.contents["shelf/server.py"][1].decode()
    return looks(found.fixed)


def refused(folder: Path, modules: Mapping[str, str]) -> list[tuple[str, str]]:
    """Return why the error of a project stays an answer, and where."""
    written(folder, modules)
    found = fixes_in(folder, "ERR1")
    assert found.contents == {}
    return sorted((doubt.text, doubt.place) for group in found.refused for doubt in group.doubts if doubt.refuses)


def written(folder: Path, modules: Mapping[str, str]) -> None:
    """Write the modules of a package; those that name ``answered`` get the boundary of their own."""
    files = {f"shelf/{name}.py": text for name, text in modules.items()}
    if "answered" in modules["server"]:
        files |= {"pyproject.toml": CONFIGURATION, "shelf/errors.py": ERRORS}
    for name, text in {"shelf/__init__.py": "", **files}.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")


COUNTING = """\
class Counting:
    async def on_call_tool(self, context, call_next):
        answer = await call_next(context)
        print(len(answer))
        return answer
"""

GUARDING = """\
def guard(tools):
    for tool in tools:
        tool.fn = guarded(tool.fn)
"""

ANSWERING = """\
class Answering:
    def wrap_tool_call(self, request, handler):
        try:
            return handler(request)
        except Exception as error:
            return Message(f"{error}")
"""

BESIDE = {
    "middleware that counts answers": (
        COUNTING,
        [("the middleware here does more with what a tool answers, which an error passes by", "shelf/beside.py:2")],
    ),
    "a loop that replaces the functions of all tools": (
        GUARDING,
        [("`guarded` takes the place of each tool here, and may answer what they raise", "shelf/beside.py:3")],
    ),
    "what takes the function of a tool out": (
        'def run(tool):\n    return tool.fn("")\n',
        [
            (
                "the function of any tool is taken out here: who calls it gets the exception of an error",
                "shelf/beside.py:2",
            )
        ],
    ),
    "what answers the tools of LangChain": (ANSWERING, []),
}


@pytest.mark.parametrize(("beside", "found"), BESIDE.values(), ids=BESIDE)
def test_what_stands_beside_a_server_is_looked_at(tmp_path: Path, beside: str, found: list[tuple[str, str]]) -> None:
    assert looked_at(tmp_path, {"server": SDK, "beside": beside}) == sorted([IN_SDK, *found])


@pytest.mark.parametrize("beside", [beside for beside, _ in BESIDE.values()], ids=BESIDE)
def test_nothing_stands_between_a_tool_and_its_own_boundary(tmp_path: Path, beside: str) -> None:
    assert looked_at(tmp_path, {"server": OWN, "beside": beside}) == []


USED = "the answer of `count` is used here, and the boundary's has other keys"
HANDED = "who calls `count` after it was handed on here gets an exception"
UNCALLED = "nothing here calls `show`, tests aside: who does elsewhere gets an exception"

USES = {
    "a function that calls it, behind its own boundary": (
        OWN + "\n\ndef show(title: str) -> dict:\n    return count(title)\n",
        [(USED, "shelf/server.py:14")],
    ),
    "a function that calls it, served": (
        SDK + "\n\ndef show(title: str) -> dict:\n    return count(title)\n",
        [(UNCALLED, "shelf/server.py:13"), IN_SDK],
    ),
    "a list of it, behind its own boundary": (
        OWN + "\n\ndef tools() -> list:\n    return [count]\n",
        [(USED, "shelf/server.py:14")],
    ),
    "a list of it, served": (
        SDK + "\n\ndef tools() -> list:\n    return [count]\n",
        [(HANDED, "shelf/server.py:14"), IN_SDK],
    ),
    "a call that it is handed to, behind its own boundary": (
        OWN + "\n\nlater(count)\n",
        [(USED, "shelf/server.py:13")],
    ),
    "a call that registers it again, behind its own boundary": (OWN + "\n\nmcp.tool()(count)\n", []),
    "a list of the object that LangChain makes of it": (
        LANGCHAIN + "\n\ndef tools() -> list:\n    return [count]\n",
        IN_LANGCHAIN,
    ),
    "what takes any function out of its decorators, behind its own boundary": (
        OWN + '\n\ndef plain(tool):\n    return tool.__wrapped__("")\n',
        [("`count` may be called without its boundary here", "shelf/server.py:14")],
    ),
    "what takes any function out of its decorators, served": (
        SDK + '\n\ndef plain(tool):\n    return tool.__wrapped__("")\n',
        [IN_SDK],
    ),
    "a decorator of the project that lists it, behind its own boundary": (
        OWN.replace("from toolkit import mcp", "from shelf.listing import listed").replace(
            "@mcp.tool()", "@listed.tool()"
        ),
        [],
    ),
    "a decorator of the project that lists it, served": (
        SDK.replace('\nmcp = FastMCP("shelf")\n', "from shelf.listing import tool\n").replace("@mcp.tool()", "@tool()"),
        [
            (
                "`@tool` of the project is taken to leave to the MCP SDK's FastMCP what a tool raises",
                "shelf/server.py:6",
            ),
            (f"{CHANGED}isError and a text", "shelf/server.py:6"),
        ],
    ),
}

IN_LANGCHAIN_ALONE = LANGCHAIN.replace("\n\ncount.handle_tool_error = True\n", "")
UNANSWERED = (
    "LangChain ends an agent with what a tool raises, unless `handle_tool_error` of the tool, `handle_tool_errors` of "
    "its node or a `wrap_tool_call` that returns a message answers it"
)
OTHERS = {
    "another tool": {"server": IN_LANGCHAIN_ALONE + "\n\nlend.handle_tool_error = True\n"},
    "one of its name in another file": {"server": IN_LANGCHAIN_ALONE, "beside": "count.handle_tool_error = True\n"},
}


@pytest.mark.parametrize("modules", OTHERS.values(), ids=OTHERS)
def test_a_tool_of_langchain_is_not_answered_for_by_what_is_set_of(tmp_path: Path, modules: dict[str, str]) -> None:
    assert refused(tmp_path, modules) == [(UNANSWERED, "shelf/server.py:5")]


LISTING = """\
def tool():
    return lambda each: each


class Listed:
    def tool(self):
        return tool()


listed = Listed()
"""


@pytest.mark.parametrize(("server", "found"), USES.values(), ids=USES)
def test_who_uses_a_tool_is_looked_at(tmp_path: Path, server: str, found: list[tuple[str, str]]) -> None:
    assert looked_at(tmp_path, {"server": server, "listing": LISTING}) == sorted(found)


FIND = f"""\
import json
from toolkit import mcp
from shelf.errors import ShelfError, answered


{COUNT.replace("count", "find")}

"""

TOOL = """\
@mcp.tool()
@answered
def count(title: str) -> dict:
"""


def distant(head: str, functions: int, tool: str) -> str:
    """Return a module in which an error is handed on by some functions before it is where the boundary is."""
    names = ["find", *(f"step_{number}" for number in range(functions))]
    steps = (f"def {name}(title: str) -> dict:\n    return {below}(title)\n\n\n" for below, name in pairwise(names))
    return head + "".join(steps) + f"{tool}    return {names[-1]}(title)\n"


IN_SDK_BELOW = (
    SDK.partition("@mcp.tool()")[0] + COUNT.replace("count", "find") + "\n\n",
    TOOL.replace("@answered\n", ""),
)
SERVED = {"a boundary of its own": (FIND, TOOL), "a framework": IN_SDK_BELOW}


@pytest.mark.parametrize(("head", "tool"), SERVED.values(), ids=SERVED)
def test_an_error_is_followed_through_five_functions_to(tmp_path: Path, head: str, tool: str) -> None:
    found = [text for text, _ in looked_at(tmp_path, {"server": distant(head, 4, tool)})]
    assert found == ([] if head == FIND else [IN_SDK[0]])


@pytest.mark.parametrize(("head", "tool"), SERVED.values(), ids=SERVED)
def test_an_error_is_not_followed_any_further_to(tmp_path: Path, head: str, tool: str) -> None:
    reason = ("`step_4` is too far from a boundary", "shelf/server.py:28")
    assert refused(tmp_path, {"server": distant(head, 5, tool)}) == [reason]


def test_functions_that_call_each_other_are_followed_once(tmp_path: Path) -> None:
    lend = (
        "def lend(title: str, more: bool) -> dict:\n    if more:\n        return lend(title, False)\n"
        "    return find(title)\n\n\n"
    )
    assert looked_at(tmp_path, {"server": f"{FIND}{lend}{TOOL}    return lend(title, True)\n"}) == []


BY_NAME = "it may be {} here, or another function of its name: `{}`"
DESK = "\n\nclass Desk(Room):\n    def show(self, title: str) -> dict:\n        return count(title)\n\n\n"
CELLAR = "class Cellar(Place):\n    def show(self, title: str) -> dict:\n        return {}\n\n\n"
TOLD = "def told(title: str) -> dict:\n"
MORE = '    return {"shown": desk.show(title)}\n'

CALLED = {
    "a tool that may call another one": (
        f"{CELLAR}@mcp.tool()\n{TOLD}    return desk.show(title)\n",
        [(BY_NAME.format("called", "desk.show"), "shelf/server.py:25")],
    ),
    "a tool that may call another one, and a function that may, too": (
        f"{CELLAR}@mcp.tool()\n{TOLD}    return desk.show(title)\n\n\ndef old(title):\n    return desk.show(title)\n",
        [(BY_NAME.format("called", "desk.show"), f"shelf/server.py:{line}") for line in (25, 29)],
    ),
    "a tool that does more with what the only method of the name answers": (
        f"@mcp.tool()\n{TOLD}{MORE}",
        [(BY_NAME.format("called", "desk.show"), "shelf/server.py:20")],
    ),
    "a tool that does, and a function that does, too": (
        f"@mcp.tool()\n{TOLD}{MORE}\n\ndef old(title: str):\n{MORE}",
        [(BY_NAME.format("called", "desk.show"), f"shelf/server.py:{line}") for line in (20, 24)],
    ),
}

UNKNOWN = {
    "nobody": "",
    "a function that may call another one": f"{CELLAR}{TOLD}    return desk.show(title)\n",
    "a function that does more with what the only method of the name answers": TOLD + MORE,
    "the module, or it calls another one": f'{CELLAR}shown = desk.show("")\n',
    "a table out of which nobody calls it": 'BY_NAME = {"show": Desk().show}\n',
}


@pytest.mark.parametrize(("callers", "found"), CALLED.values(), ids=CALLED)
def test_who_has_a_foreign_base_is_known_to_be_called_by(
    tmp_path: Path, callers: str, found: list[tuple[str, str]]
) -> None:
    assert looked_at(tmp_path, {"server": SDK + DESK + callers}) == sorted([IN_SDK, *found])


@pytest.mark.parametrize("callers", UNKNOWN.values(), ids=UNKNOWN)
def test_who_has_a_foreign_base_may_be_called_by_it_where_else_does(tmp_path: Path, callers: str) -> None:
    text = "`Room`, which is not of the project, may call `Desk.show`: what it does with an exception is not known"
    assert refused(tmp_path, {"server": SDK + DESK + callers}) == [(text, "shelf/server.py:14")]


def test_who_has_no_foreign_base_may_be_in_a_table(tmp_path: Path) -> None:
    server = SDK + DESK.replace("(Room)", "") + 'BY_NAME = {"show": Desk().show}\n'
    meant = (BY_NAME.format("meant", "Desk().show"), "shelf/server.py:18")
    assert looked_at(tmp_path, {"server": server}) == sorted([meant, IN_SDK])


TRY = "    try:\n        {}\n    except ShelfError:\n        pass\n    return {{}}\n"
MAYBE = {
    "calls it": (
        TRY.format("shelf.find(title)"),
        [
            (BY_NAME.format("called", "shelf.find"), "shelf/server.py:27"),
            ("an error of `Shelf.find` may be caught here, which goes on without it", "shelf/server.py:28"),
        ],
    ),
    "only speaks of it": (
        TRY.format("print(shelf.find)"),
        [(BY_NAME.format("meant", "shelf.find"), "shelf/server.py:27")],
    ),
}

SHELF = """from toolkit import mcp
from shelf.errors import ShelfError, answered


class Shelf(Store):
    def find(self, title: str) -> dict:
        if not title:
            return {"error": "no title"}
        return {"copies": 1}


class Cellar(Room):
    def find(self, title: str) -> dict:
        return {}


@mcp.tool()
@answered
def show(title: str) -> dict:
    return Shelf().find(title)


"""


@pytest.mark.parametrize(("body", "found"), MAYBE.values(), ids=MAYBE)
def test_a_handler_is_looked_at_where_it_is_around_what_may(
    tmp_path: Path, body: str, found: list[tuple[str, str]]
) -> None:
    assert looked_at(tmp_path, {"server": SHELF + TOOL + body}) == sorted(found)


SIBLINGS = {
    "one below": ("class Attic(Shelf)", "Attic.find"),
    "the one above": ("class Store", "Store.find"),
    "one with the same base": ("class Cellar(Store)", "Cellar.find"),
    "one with another base": ("class Cellar(Room)", ""),
    "one with no base": ("class Cellar", ""),
    "one that is abstract, too": ("class Cellar(ABC)", ""),
}


@pytest.mark.parametrize(("definition", "found"), SIBLINGS.values(), ids=SIBLINGS)
def test_the_method_of_another_class_may_be_called_in_place_of_one(tmp_path: Path, definition: str, found: str) -> None:
    other = (
        "from abc import ABC\nfrom shelf.server import Shelf\nfrom shops import Room, Store\n\n\n"
        f'{definition}:\n    def find(self, title: str) -> dict:\n        return {{"copies": 0}}\n'
    )
    server = SHELF.replace("class Cellar(Room)", "class Paper(Pile)").replace("(Store)", "(Store, ABC)")
    text = f"`{found}` may be called in its place, and stays as it is"
    assert looked_at(tmp_path, {"server": server, "other": other}) == ([(text, "shelf/other.py:7")] if found else [])


def test_no_method_is_called_in_place_of_a_function(tmp_path: Path) -> None:
    attic = "class Attic:\n    def find(self, title: str) -> dict:\n        return {}\n"
    server = f"{FIND}{TOOL}    return find(title)\n\n\n{attic}"
    assert looked_at(tmp_path, {"server": server}) == []


KEPT = [("the decorator `cache` may catch, repeat or keep what the function raises", "shelf/server.py:13")]
DECORATED = {
    "one that keeps answers": ("@cache\ndef show(title: str)", [(UNCALLED, "shelf/server.py:14"), *KEPT]),
    "none": ("def show(title: str)", [(UNCALLED, "shelf/server.py:13")]),
}


@pytest.mark.parametrize(("definition", "found"), DECORATED.values(), ids=DECORATED)
def test_who_calls_a_function_is_told_with_the_decorator(
    tmp_path: Path, definition: str, found: list[tuple[str, str]]
) -> None:
    server = f"{SDK}\n\n{definition} -> dict:\n    return count(title)\n"
    assert looked_at(tmp_path, {"server": server}) == sorted([IN_SDK, *found])


def test_an_unknown_decorator_may_call_a_function(tmp_path: Path) -> None:
    server = f"{SDK}\n\n@events.on\ndef show(title: str) -> dict:\n    return count(title)\n"
    text = "nothing is known to call `show`, tests aside; what `events.on` does with it is not known"
    assert refused(tmp_path, {"server": server}) == [(text, "shelf/server.py:14")]


def test_an_answer_that_its_caller_dumps_was_a_text(tmp_path: Path) -> None:
    body = '    found = find(title)\n    if "error" in found:\n        return json.dumps(found)\n    return "lent"\n'
    server = FIND + TOOL.replace("-> dict", "-> str") + body
    text = "the answer was JSON text, the boundary's is an object, and servers check it against `str`"
    assert looked_at(tmp_path, {"server": server}) == [(text, "shelf/server.py:17")]


METHOD = SDK.replace(
    f"@mcp.tool()\n{COUNT}",
    "class Shelf:\n    def count(self, title: str) -> dict:\n        if not title:\n"
    '            return {"error": "no title"}\n        return {"copies": 1}\n\n\n'
    "@mcp.tool()\ndef told(title: str) -> dict:\n    return Shelf().count(title)\n",
)
TOLD_ELSEWHERE = "`{}` is used in another distribution, which is not followed"
CALLED_ELSEWHERE = "a method `count` is called in another distribution"

ELSEWHERE = {
    "who imports a function": (SDK, "from shelf.server import count\n", TOLD_ELSEWHERE.format("count"), 1),
    "who imports all names": (SDK, "from shelf.server import *\n", TOLD_ELSEWHERE.format("count"), 1),
    "who imports its module": (
        SDK,
        'import shelf.server\n\nshelf.server.count("")\n',
        TOLD_ELSEWHERE.format("count"),
        3,
    ),
    "an object that may be the module": (
        SDK,
        'import shelf\n\n\ndef job(desk):\n    desk.count("")\n',
        TOLD_ELSEWHERE.format("count"),
        5,
    ),
    "a variable that has the name of a function": (SDK, 'import shelf\n\n\ndef job(count):\n    count("")\n', "", 0),
    "an object that may have the method": (
        METHOD,
        'import shelf\n\n\ndef job(desk):\n    desk.count("")\n',
        TOLD_ELSEWHERE.format("Shelf.count"),
        5,
    ),
    "an object that is made of the class": (
        METHOD,
        'from shelf.server import Shelf\n\nShelf().count("")\n',
        CALLED_ELSEWHERE,
        3,
    ),
    "an object that is made of another class": (
        METHOD,
        'import shelf\n\n\nclass Box:\n    def count(self, text): ...\n\n\nBox().count("")\n',
        "",
        0,
    ),
}


@pytest.mark.parametrize(("server", "job", "text", "line"), ELSEWHERE.values(), ids=ELSEWHERE)
def test_a_use_in_another_distribution_is_looked_at(
    tmp_path: Path, server: str, job: str, text: str, line: int
) -> None:
    files = {
        "a/shelf/pyproject.toml": '[project]\nname = "shelf"\n',
        "a/shelf/shelf/__init__.py": "",
        "a/shelf/shelf/server.py": server,
        "a/desk/pyproject.toml": '[project]\nname = "desk"\n',
        "a/desk/job.py": job,
    }
    for name, content in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(content, encoding="utf-8")
    found = looks(fixes_in(tmp_path, "ERR1").fixed, "a/desk/")
    assert found == ([(text, f"a/desk/job.py:{line}")] if text else [])


CHECKED = 'from shelf.server import {0}\n\n\ndef test_no_title():\n    assert {0}("")["error"] == "no title"\n'
RAISED = """\
import pytest

from shelf.errors import ShelfError
from shelf.server import find


def test_no_title():
    with pytest.raises(ShelfError, match="no title"):
        find("")
"""
IN_TESTS = {"a function that raises from now on": ("find", RAISED), "one that answers still": ("count", "")}


@pytest.mark.parametrize(("name", "after"), IN_TESTS.values(), ids=IN_TESTS)
def test_the_test_is_rewritten_of(tmp_path: Path, name: str, after: str) -> None:
    (tmp_path / "tests").mkdir()
    (tmp_path / "tests/test_server.py").write_text(CHECKED.format(name), encoding="utf-8")
    written(tmp_path, {"server": f"{FIND}{TOOL}    return find(title)\n"})
    contents = fixes_in(tmp_path, "ERR1").contents
    assert contents.get("tests/test_server.py", (b"", b""))[1].decode() == after


RESOURCE = SDK.replace("@mcp.tool()", '@mcp.resource("shelf://{title}")')
TIMED = "the decorator `{}` may catch, repeat or keep what the function raises"
RESOURCES = {
    "nothing": ("", []),
    "one of a library": ("@toolkit.timed\n", [(TIMED.format("toolkit.timed"), "shelf/server.py:6")]),
    "one of a name alone": ("@timed\n", [(TIMED.format("timed"), "shelf/server.py:6")]),
}


@pytest.mark.parametrize(("above", "found"), RESOURCES.values(), ids=RESOURCES)
def test_a_resource_is_served_whatever_decorates_it_too(
    tmp_path: Path, above: str, found: list[tuple[str, str]]
) -> None:
    line = RESOURCE.count("\n", 0, RESOURCE.index("def ")) + 1 + above.count("\n")
    served = (f"{CHANGED}an error of the protocol", f"shelf/server.py:{line}")
    server = RESOURCE.replace("@mcp.", f"{above}@mcp.")
    assert looked_at(tmp_path, {"server": server}) == sorted([served, *found])


UNSERVED = "no boundary is configured, and no framework that answers exceptions is known here: "
ANY_SERVER = SDK.replace("from mcp.server.fastmcp import", "from toolkit import")
NOT_SERVED = {
    "a decorator of an object that is no server": (
        'adapters.decorators = ["*.expose"]',
        SDK.replace("@mcp.tool()", "@desk.expose()"),
        ("it is not known what `@desk.expose` makes of an exception", "shelf/server.py:7"),
    ),
    "a decorator of a server that is not known": ("", ANY_SERVER, (f"{UNSERVED}`mcp`", "shelf/server.py:7")),
    "a call that registers it": (
        "",
        ANY_SERVER.replace("@mcp.tool()\n", "") + "\n\nmcp.add_tool(count)\n",
        (f"{UNSERVED}what it is registered with", "shelf/server.py:6"),
    ),
    "the settings alone": (
        'adapters.paths = ["shelf/server.py"]',
        ANY_SERVER.replace("@mcp.tool()\n", ""),
        (f"{UNSERVED}what serves it", "shelf/server.py:6"),
    ),
}


@pytest.mark.parametrize(("setting", "server", "reason"), NOT_SERVED.values(), ids=NOT_SERVED)
def test_nobody_is_known_to_answer_for_a_tool_that_is_made_by(
    tmp_path: Path, setting: str, server: str, reason: tuple[str, str]
) -> None:
    (tmp_path / "pyproject.toml").write_text(f"[tool.errlint]\n{setting}\n", encoding="utf-8")
    assert refused(tmp_path, {"server": server}) == [reason]
