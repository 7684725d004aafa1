"""Error answers that become declared response types: what is written, what stands against it, and what clients get."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from textwrap import dedent, indent

import pytest
from test_fix import looks

from errlint.cli import main
from errlint.fix.model import Group
from errlint.fix.run import Fixes, find_fixes
from errlint.request import Request
from errlint.run import check
from errlint.settings import CommandLine
from errlint.settings.loading import load

CONFIGURATION = """\
style = "return"

[response]
types = ["shop.answers.Failure"]
"""

MODEL = """\
from pydantic import BaseModel


class Failure(BaseModel):
    status: str = "error"
    error: str
    code: str | None = None
    suggestion: str | None = None
"""

START = """\
import json

from fastmcp import FastMCP

from shop.answers import Failure

mcp = FastMCP("shop")


"""


def fixes(
    folder: Path, server: str, answers: str = MODEL, configuration: str = CONFIGURATION, *, unsafe: bool = False
) -> Fixes:
    """Plan the fixes of a project with these two modules; a second run has to find nothing more."""
    (folder / "shop").mkdir(exist_ok=True)
    (folder / "errlint.toml").write_text(configuration, encoding="utf-8")
    (folder / "pyproject.toml").write_text("", encoding="utf-8")
    for name, text in (("__init__", ""), ("answers", answers), ("server", server)):
        (folder / "shop" / f"{name}.py").write_text(text, encoding="utf-8")
    only = CommandLine(select=("ERR101", "ERR102", "ERR103", "ERR105"))
    request = Request(settings=load(folder, config=None, isolated=False, overrides=only).settings, use_cache=False)
    found = find_fixes(request, check(request).findings, unsafe=unsafe)
    again = request._replace(contents={path: new for path, (_, new) in found.contents.items()})
    assert find_fixes(again, check(again).findings, unsafe=unsafe).contents == {}
    return found


def tool(body: str, header: str = "def take(name: str, amount: int):") -> str:
    """Return a module with a tool."""
    return f"{START}@mcp.tool()\n{header}\n{indent(dedent(body), '    ')}"


def reasons(groups: tuple[Group, ...]) -> list[str]:
    """Return what stands against groups, in a fixed order."""
    return sorted({doubt.text for group in groups for doubt in group.doubts})


SAFE = {
    "a guard": (
        'if not name:\n    return {"error": "no name"}\nreturn {}\n',
        'if not name:\n    return Failure(error="no name")\nreturn {}\n',
    ),
    "a marker that the type has by default": (
        'return {"status": "error", "error": "no name", "code": None}\n',
        'return Failure(error="no name")\n',
    ),
    "keys in another order than the fields": (
        'return {"suggestion": "say one", "code": "EMPTY", "error": f"no {name}"}\n',
        'return Failure(error=f"no {name}", code="EMPTY", suggestion="say one")\n',
    ),
    "values that may do something keep their order": (
        'return {"code": str(mcp.next()), "error": "x".upper()}\n',
        'return Failure(code=str(mcp.next()), error="x".upper())\n',
    ),
    "the text of an exception, and comments": (
        """\
        try:
            return {"taken": mcp.take(name)}
        except ValueError as exc:
            # asked too much
            return {
                "error": str(exc),  # as it is
            }  # done
        """,
        """\
        try:
            return {"taken": mcp.take(name)}
        except ValueError as exc:
            # asked too much
            # as it is
            return Failure(error=str(exc))  # done
        """,
    ),
    "a conditional answer": (
        'return {"error": "no name"} if not name else {"taken": name}\n',
        'return Failure(error="no name") if not name else {"taken": name}\n',
    ),
    "a default behind `or`": (
        'return mcp.find(name) or {"error": "no name"}\n',
        'return mcp.find(name) or Failure(error="no name")\n',
    ),
    "a guard on one line": (
        'if not name: return {"error": "x"}\nreturn {}\n',
        'if not name: return Failure(error="x")\nreturn {}\n',
    ),
    "a payload in a variable": (
        'result = {"error": "no name"}\nresult["code"] = "EMPTY"\nreturn result\n',
        'return Failure(error="no name", code="EMPTY")\n',
    ),
    "a branch that puts it into a variable": (
        'if name:\n    result = {"taken": name}\nelse:\n    result = {"error": "no name"}\nreturn result\n',
        'if name:\n    result = {"taken": name}\nelse:\n    return Failure(error="no name")\nreturn result\n',
    ),
    "a finally that returns": (
        'try:\n    return {"error": "x"}\nfinally:\n    return {}\n',
        'try:\n    return Failure(error="x")\nfinally:\n    return {}\n',
    ),
    "texts on several lines": (
        'return {\n    "error": (\n        f"no {name}"\n        " at all"\n    ),\n}\n',
        'return Failure(\n    error=(\n        f"no {name}"\n        " at all"\n    ),\n)\n',
    ),
}


@pytest.mark.parametrize(("before", "after"), SAFE.values(), ids=SAFE)
def test_what_clients_cannot_tell_apart_is_safe(tmp_path: Path, before: str, after: str) -> None:
    found = fixes(tmp_path, tool(before))
    assert found.contents["shop/server.py"][1].decode() == tool(after)
    assert not reasons(found.fixed)


def test_a_factory_and_the_import_it_leaves_behind_go(tmp_path: Path) -> None:
    before = 'import json\n\nfrom fastmcp import FastMCP\n\nmcp = FastMCP("shop")\n\n\n'
    helper = 'def failed(text, code=None):\n    return {"error": text, "code": code}\n\n\n'
    body = (
        '@mcp.tool()\ndef take(name):\n    if not name:\n        return failed("no name")\n    return json.dumps({})\n'
    )
    after = fixes(tmp_path, before + helper + body).contents["shop/server.py"][1].decode()
    imported = before.replace("import FastMCP\n", "import FastMCP\n\nfrom shop.answers import Failure\n")
    assert after == imported + body.replace("failed(", "Failure(error=")


def test_a_helper_whose_answer_is_handed_on_changes_with_its_annotations(tmp_path: Path) -> None:
    before = tool("return look(name)\n", "def take(name: str) -> dict[str, object]:")
    before += '\n\ndef look(name: str) -> dict:\n    if not name:\n        return {"error": "no name"}\n    return {}\n'
    found = fixes(tmp_path, before, unsafe=True)
    after = before.replace('{"error": "no name"}', 'Failure(error="no name")')
    after = after.replace("dict[str, object]:", "dict[str, object] | Failure:").replace("dict:", "dict | Failure:")
    assert found.contents["shop/server.py"][1].decode() == after
    assert reasons(found.fixed) == [
        "the annotation of `look`, which may be published, names `Failure` too",
        "the annotation of `take`, which may be published, names `Failure` too",
    ]


def test_a_dict_stays_a_dict_to_servers_that_publish_the_annotation(tmp_path: Path) -> None:
    before = tool('return {"error": "x"}\n', "def take(name: str) -> dict:")
    found = fixes(tmp_path, before, typed("error: str\n", "class Failure(TypedDict):"), unsafe=True)
    after = before.replace('{"error": "x"}', 'Failure(error="x")')
    assert found.contents["shop/server.py"][1].decode() == after
    assert reasons(found.fixed) == ["the annotation of `take` does not name `Failure`"]


def typed(fields: str, kind: str = "@dataclass\nclass Failure:") -> str:
    """Return a module with a type of these fields."""
    imports = "import msgspec\nfrom dataclasses import dataclass, field\nfrom typing import Literal, TypedDict\n"
    pydantic = "from pydantic import BaseModel, ConfigDict, Field, field_validator\n"
    return f"{imports}{pydantic}\n\n{kind}\n{indent(dedent(fields), '    ')}"


MODEL_OF = "class Failure(BaseModel):"

UNSAFE = {
    "a message under another key": (
        typed("message: str\nstatus: str = 'error'\n"),
        'return {"error": "x"}\n',
        'return Failure(message="x")\n',
        ["clients find `error` under `message` from now on"],
    ),
    "a marker of another name": (
        typed("error: str\nstatus: str = 'error'\n"),
        'return {"success": False, "error": "x"}\n',
        'return Failure(error="x")\n',
        ["clients find `status` instead of `success` from now on"],
    ),
    "a message below another key": (
        typed("message: str\ncode: str = ''\n"),
        'return {"error": {"code": "EMPTY", "message": "x"}}\n',
        'return Failure(message="x", code="EMPTY")\n',
        ["`code` stood below another key", "`message` stood below another key"],
    ),
    "keys that it has no fields for": (
        MODEL,
        'return {"error": "x", "path": name, "size": len(name)}\n',
        'return Failure(error="x")\n',
        ["clients do not find `path`, `size` any more, which `Failure` has no place for"],
    ),
    "keys for a field that holds anything": (
        typed("error: str\ndetails: dict[str, object] | None = None\n", MODEL_OF),
        'return {"error": "x", "path": name, "size": len(name)}\n',
        'return Failure(error="x", details={"path": name, "size": len(name)})\n',
        ["clients find `path`, `size` in `details` from now on"],
    ),
    "an error beside its message": (
        typed("message: str\ndetails: dict | None = None\n"),
        'return {"error": "x", "message": name}\n',
        'return Failure(message=name, details={"error": "x"})\n',
        ["clients find `error` in `details` from now on"],
    ),
    "keys for a field that holds only texts": (
        typed("error: str\ndetails: dict[str, str] | None = None\n", MODEL_OF),
        'return {"error": "x", "size": len(name)}\n',
        'return Failure(error="x")\n',
        ["clients do not find `size` any more, which `Failure` has no place for"],
    ),
    "a text": (
        typed("error: str\n"),
        'return f"Error: no {name}"\n',
        'return Failure(error=f"Error: no {name}")\n',
        ["the answer was a text, a `Failure` is another shape"],
    ),
    "JSON text": (
        typed("error: str\n"),
        'return json.dumps({"error": "x"}, indent=2)\n',
        'return Failure(error="x")\n',
        ["the answer was JSON text, a `Failure` is another shape"],
    ),
    "a value that a model may not take": (
        typed("error: str\n", MODEL_OF),
        'return {"error": mcp.why}\n',
        "return Failure(error=mcp.why)\n",
        ["it cannot be told whether `Failure` takes what it is given as `error`"],
    ),
    "a constraint of a field": (
        typed("error: str = Field(max_length=10)\n", MODEL_OF),
        'return {"error": "x"}\n',
        'return Failure(error="x")\n',
        ["it cannot be told whether `Failure` takes what it is given as `error`"],
    ),
    "a validator": (
        typed("error: str\n\n@field_validator('error')\ndef short(cls, error): ...\n", MODEL_OF),
        'return {"error": "x"}\n',
        'return Failure(error="x")\n',
        ["`Failure.short` may change what it is given"],
    ),
    "a struct": (
        typed("error: str\n", "class Failure(msgspec.Struct):"),
        'return {"error": "x"}\n',
        'return Failure(error="x")\n',
        ["what clients get of a `Failure`, a msgspec struct, is not known"],
    ),
    "a plain class": (
        typed("def __init__(self, error, *, code=None): ...\n", "class Failure:"),
        'return {"code": "EMPTY", "error": "x"}\n',
        'return Failure(error="x", code="EMPTY")\n',
        ["what clients get of a `Failure`, a class, is not known"],
    ),
    "a parameter of the same name and type": (
        typed("error: str\namount: int\n"),
        'return {"error": "x"}\n',
        'return Failure(error="x", amount=amount)\n',
        ["`amount` is taken from the parameter of that name"],
    ),
}


@pytest.mark.parametrize(("answers", "before", "after", "expected"), UNSAFE.values(), ids=UNSAFE)
def test_what_clients_may_notice_is_unsafe(
    tmp_path: Path, answers: str, before: str, after: str, expected: list[str]
) -> None:
    assert fixes(tmp_path, tool(before), answers).contents == {}
    found = fixes(tmp_path, tool(before), answers, unsafe=True)
    wanted = tool(after) if "json." not in before else tool(after).removeprefix("import json\n\n")
    assert found.contents["shop/server.py"][1].decode() == wanted
    assert reasons(found.fixed) == expected


FILLED = {
    "a status that is the only one allowed": (
        typed("status: Literal['failed']\nerror: str\n"),
        'status="failed", error="x"',
    ),
    "a status that has to be said": (typed("status: str\nerror: str\n"), 'status="error", error="x"'),
    "a sign of success": (typed("error: str\nsuccess: bool = True\n"), 'error="x", success=False'),
    "a sign of failure": (typed("error: str\nis_error: bool\n", MODEL_OF), 'error="x", is_error=True'),
    "the required keys of a dict": (
        typed("ok: bool\nerror: str\n", "class Failure(TypedDict):"),
        'ok=False, error="x"',
    ),
}


@pytest.mark.parametrize(("answers", "arguments"), FILLED.values(), ids=FILLED)
def test_a_type_says_that_it_is_an_error(tmp_path: Path, answers: str, arguments: str) -> None:
    found = fixes(tmp_path, tool('return {"error": "x"}\n'), answers)
    assert found.contents["shop/server.py"][1].decode() == tool(f"return Failure({arguments})\n")


def test_the_policy_says_whether_a_retry_can_help(tmp_path: Path) -> None:
    policy = CONFIGURATION + '[codes]\narguments = ["code"]\n[codes.vocabulary]\nBUSY = { retryable = true }\n'
    answers = typed("error: str\ncode: str\nretryable: bool\n")
    found = fixes(tmp_path, tool('return {"error": "x", "code": "BUSY"}\n'), answers, policy)
    after = tool('return Failure(error="x", code="BUSY", retryable=True)\n')
    assert found.contents["shop/server.py"][1].decode() == after


REFUSED = {
    "a key that would be lost, of which something may be done": (
        MODEL,
        'return {"error": "x", "path": find(name)}\n',
        "`Failure` has no place for `path`, which would be lost",
    ),
    "a marker that would be lost": (
        typed("error: str\n"),
        'return {"error": "x", "success": False}\n',
        "`Failure` has no place for `success`, which would be lost",
    ),
    "a field that nothing is known for": (
        typed("error: str\nreason: str\n"),
        'return {"error": "x"}\n',
        "`Failure` needs `reason`, which is not in scope",
    ),
    "a value of another type": (
        MODEL,
        'return {"error": "x", "code": 404}\n',
        "the field `code` of `Failure` is `str | None`, the payload has something else",
    ),
    "a status that is not allowed": (
        typed("error: str\nstatus: Literal['error'] = 'error'\n"),
        'return {"error": "x", "status": "failed"}\n',
        "the field `status` of `Failure` is `Literal['error']`, the payload has something else",
    ),
    "a field of another name for clients": (
        typed("error: str = Field(alias='err')\n", MODEL_OF),
        'return {"error": "x"}\n',
        "the field `error` of `Failure` has another name for clients",
    ),
    "a base that is not known": (
        "from toolkit import Answer\n\n\nclass Failure(Answer):\n    error: str\n",
        'return {"error": "x"}\n',
        "what `Answer`, a base of `Failure`, takes is not known",
    ),
    "a type that is bound again": (
        MODEL + "\n\nFailure = None\n",
        'return {"error": "x"}\n',
        "`shop.answers.Failure` is bound more than once",
    ),
    "keys of another dict": (
        MODEL,
        'return {**mcp.base, "error": "x"}\n',
        "it is not known here what stands below `**mcp.base`",
    ),
}


@pytest.mark.parametrize(("answers", "body", "reason"), REFUSED.values(), ids=REFUSED)
def test_a_fix_is_refused_for(tmp_path: Path, answers: str, body: str, reason: str) -> None:
    found = fixes(tmp_path, tool(body), answers, unsafe=True)
    assert found.contents == {}
    assert reasons(found.refused) == [reason]


HELPER = '\n\ndef look(name):\n    if not name:\n        return {"error": "no name"}\n    return {}\n'

USED = {
    "looks for the error": ('found = look(name)\nif "error" in found:\n    return {}\nreturn found\n'),
    "dumps it": "return json.dumps(look(name))\n",
    "hands the function on": "return mcp.run(look)\n",
}
"""Callers of a helper that do more with its answer than to return it."""


@pytest.mark.parametrize("body", USED.values(), ids=USED)
def test_an_object_is_not_answered_to_a_caller_that(tmp_path: Path, body: str) -> None:
    assert len(fixes(tmp_path, tool(body) + HELPER, unsafe=True).refused) == 1


@pytest.mark.parametrize(
    "body", [USED["looks for the error"], USED["dumps it"]], ids=["looks for the error", "dumps it"]
)
def test_a_dict_with_the_same_keys_is_right_for_a_caller_that(tmp_path: Path, body: str) -> None:
    answers = typed("error: str\n", "class Failure(TypedDict):")
    after = fixes(tmp_path, tool(body) + HELPER, answers).contents["shop/server.py"][1].decode()
    assert after == tool(body) + HELPER.replace('{"error": "no name"}', 'Failure(error="no name")')


def test_a_resource_stays_a_text(tmp_path: Path) -> None:
    body = '@mcp.resource("shop://list")\ndef listed() -> str:\n    return json.dumps({"error": "empty"})\n'
    found = fixes(tmp_path, START + body, unsafe=True)
    assert "`mcp.resource` takes no object as the answer of `listed`" in reasons(found.refused)


def test_a_server_that_is_not_known_may_not_read_the_fields_of_an_object(tmp_path: Path) -> None:
    server = tool('return {"error": "x"}\n').replace(
        "from fastmcp import FastMCP", "from toolkit import Kit as FastMCP"
    )
    server = server.replace("FastMCP", "Kit").replace("Kit as Kit", "Kit")
    found = fixes(tmp_path, server)
    assert reasons(found.hidden) == ["what is made of a `Failure` where `take` is called is not known"]


@pytest.mark.parametrize("call", ["server.take", "getattr(server, 'take')", "vars(server)['take']"])
def test_a_test_that_calls_the_tool_makes_it_unsafe(tmp_path: Path, call: str) -> None:
    (tmp_path / "tests").mkdir()
    (tmp_path / "tests" / "test_shop.py").write_text(
        f'from shop import server\n\n\ndef test_it():\n    assert {call}("", 1)["error"]\n', encoding="utf-8"
    )
    found = fixes(tmp_path, tool('return {"error": "x"}\n'))
    assert reasons(found.hidden) == ["a test may look into the answer of `take`"]


def test_of_a_test_that_imports_the_tool_the_lines_are_named_that_call_it(tmp_path: Path) -> None:
    (tmp_path / "tests").mkdir()
    test = 'from shop.server import take\n\n\ndef test_it():\n    assert take("", 1)["error"]\n'
    (tmp_path / "tests" / "test_shop.py").write_text(test, encoding="utf-8")
    found = fixes(tmp_path, tool('return {"error": "x"}\n'))
    assert looks(found.hidden) == [("a test may look into the answer of `take`", "tests/test_shop.py:5")]


def test_a_helper_that_is_looked_up_by_its_name_keeps_its_answer(tmp_path: Path) -> None:
    server = tool("return look(name)\n") + HELPER + '\n\ndef use():\n    return globals()["look"]("")["error"]\n'
    assert reasons(fixes(tmp_path, server, unsafe=True).refused) == ["`look` may be looked up by its name here"]


def test_an_answer_that_an_example_shows_is_written_unsafely_and_named(tmp_path: Path) -> None:
    example = 'def look(name):\n    """Look.\n\n    >>> look("")["error"]\n    \'no name\'\n    """\n'
    server = tool("return look(name)\n") + HELPER.replace("def look(name):\n", example)
    line = server[: server.index(">>>")].count("\n") + 1
    asked = [("an example in a docstring shows an error of `look`", f"shop/server.py:{line}")]
    safe, found = fixes(tmp_path, server), fixes(tmp_path, server, unsafe=True)
    assert (safe.contents, reasons((*safe.refused, *found.refused))) == ({}, [])
    assert looks(safe.hidden) == looks(found.fixed) == asked
    after = server.replace('return {"error": "no name"}', 'return Failure(error="no name")')
    assert found.contents["shop/server.py"][1].decode() == after


SEVERAL = """\
style = "return"

[response]
types = ["Failure", "Partly"]
"""

TWO = """\
from pydantic import BaseModel


class Failure(BaseModel):
    status: str = "error"
    error: str


class Partly(BaseModel):
    status: str = "degraded"
    error: str
"""


def test_of_several_types_the_status_decides(tmp_path: Path) -> None:
    policy = SEVERAL + 'by-status = { error = "Failure", degraded = "Partly" }\n'
    found = fixes(tmp_path, tool('return {"error": "x"}\n'), TWO, policy)
    assert found.contents["shop/server.py"][1].decode() == tool('return Failure(error="x")\n')


def test_of_several_types_none_is_guessed(tmp_path: Path) -> None:
    found = fixes(tmp_path, tool('return {"error": "x"}\n'), TWO, SEVERAL)
    assert reasons(found.refused) == [
        "it is not certain which of `Failure`, `Partly` is meant; `response.by-status` can say so"
    ]


FACTORY = """\
from dataclasses import dataclass


@dataclass
class Failure:
    parts: list[str]

    @classmethod
    def error(cls, message: str, code: str | None = None) -> "Failure":
        return cls([message, code or ""])
"""


def test_a_factory_of_the_policy_is_used_where_the_constructor_takes_something_else(tmp_path: Path) -> None:
    policy = CONFIGURATION + 'factories = ["shop.answers.Failure.error"]\n'
    found = fixes(
        tmp_path, tool('return {"success": False, "message": "x", "code": "C"}\n'), FACTORY, policy, unsafe=True
    )
    assert found.contents["shop/server.py"][1].decode() == tool('return Failure.error(message="x", code="C")\n')
    assert reasons(found.fixed) == ["`Failure.error` may change what it is given"]


def test_accepting_the_shape_accepts_what_the_declared_type_asks_for(tmp_path: Path) -> None:
    policy = "accept-shape-change = true\n" + CONFIGURATION
    found = fixes(tmp_path, tool('return {"error": "x"}\n'), typed("message: str\n"), policy)
    assert found.contents["shop/server.py"][1].decode() == tool('return Failure(message="x")\n')
    assert all(group.is_convention_change for group in found.fixed)


# --- what a real client gets ------------------------------------------------------------------------------------

KINDS = {
    "TypedDict": "from typing import TypedDict\n\n\nclass Failure(TypedDict, total=False):\n",
    "dataclass": "from dataclasses import dataclass\n\n\n@dataclass\nclass Failure:\n",
    "pydantic model": "from pydantic import BaseModel\n\n\nclass Failure(BaseModel):\n",
}

SERVER = '''\
"""A shop."""

import json

from fastmcp import FastMCP

mcp = FastMCP("shop")
STOCK = {"tea": 3}


def failed(text, code=None):
    return {"error": text, "code": code}


@mcp.tool()
def take(name: str, amount: int):
    """Take something."""
    if amount < 1:
        return {"error": f"{amount} cannot be taken", "code": "AMOUNT"}
    try:
        left = STOCK[name] - amount
    except KeyError as exc:
        return failed(f"no {name}: {exc}", "UNKNOWN")
    return {"error": "not enough"} if left < 0 else {"left": left}


@mcp.tool()
async def give(name: str):
    """Give something."""
    result = {"given": name}
    if name not in STOCK:
        result = {"error": "nobody knows " + name, "code": "UNKNOWN"}
    return result


@mcp.tool()
def look(name: str):
    """Look for something."""
    return _look(name)


def _look(name):
    try:
        assert name, "no name"
        return {"stock": STOCK[name]}
    except KeyError as exc:
        return {"error": f"{exc} is \\"out\\"\\n", "code": None}
    except Exception as exc:
        return {"error": str(exc)}


@mcp.tool()
def tell(name: str) -> dict:
    """Tell about something."""
    return STOCK.get(name) and {"told": name} or {"error": f"no {name}"}


@mcp.tool()
def sing(name: str):
    """Sing of something."""
    if name != "tea":
        return json.dumps({"error": f"no song of {name}", "code": "SONG"})
    return json.dumps({"song": name})
'''

CALLS = [
    ("take", {"name": "tea", "amount": 0}),
    ("take", {"name": "ink", "amount": 1}),
    ("take", {"name": "tea", "amount": 9}),
    ("take", {"name": "tea", "amount": 1}),
    ("give", {"name": "tea"}),
    ("give", {"name": "ink"}),
    ("look", {"name": ""}),
    ("look", {"name": "tea"}),
    ("look", {"name": "ink"}),
    ("tell", {"name": "tea"}),
    ("tell", {"name": "ink"}),
    ("sing", {"name": "tea"}),
    ("sing", {"name": "ink"}),
]

ASK = """\
import asyncio, json, sys
from fastmcp import Client
from shop.server import mcp

async def ask():
    async with Client(mcp) as client:
        answers = []
        for name, arguments in json.loads(sys.argv[1]):
            answer = await client.call_tool(name, arguments, raise_on_error=False)
            answers.append((answer.is_error, json.loads(answer.content[0].text)))
    print(json.dumps(answers))

asyncio.run(ask())
"""


@pytest.mark.parametrize("kind", KINDS)
def test_clients_get_the_old_keys_with_the_old_values_from_a(
    kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "shop").mkdir()
    fields = (
        "    error: str\n    code: str | None\n"
        if kind == "TypedDict"
        else "    error: str\n    code: str | None = None\n"
    )
    files = {
        "errlint.toml": CONFIGURATION,
        "shop/__init__.py": "",
        "shop/answers.py": KINDS[kind] + fields,
        "shop/server.py": SERVER,
    }
    for name, text in files.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    before = _ask(tmp_path)
    monkeypatch.chdir(tmp_path)
    with pytest.raises(SystemExit):
        main(("--fix-only", "--unsafe-fixes", "--no-cache"))
    fixed = (tmp_path / "shop" / "server.py").read_text(encoding="utf-8")
    assert fixed.count("Failure(") == 8
    assert '"error"' not in fixed
    assert "def failed" not in fixed
    for (failed, old), (still_failed, new) in zip(before, _ask(tmp_path), strict=True):
        assert still_failed == failed is False
        assert {key: new.get(key, "missing") for key in old} == old
        assert all(value is None for key, value in new.items() if key not in old)


def _ask(folder: Path) -> list[tuple[bool, dict[str, object]]]:
    """Start the server of a folder in a process of its own, and return its answers to all calls."""
    done = subprocess.run(
        [sys.executable, "-B", "-c", ASK, json.dumps(CALLS)], cwd=folder, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    found: list[tuple[bool, dict[str, object]]] = json.loads(done.stdout.splitlines()[-1])
    return found


TELLING = """\
class ShopError(Exception):
    def __init__(self, message, code="SHOP"):
        super().__init__(message)
        self.message, self.code = message, code

    def to_dict(self):
        told = {"error": self.message, "code": self.code}
        if self.__cause__:
            told["cause"] = str(self.__cause__)
        return told


def known(exc: Exception, context: str) -> ShopError:
    if isinstance(exc, ShopError):
        return exc
    return ShopError(f"{context}: {exc}")


def failed(exc, context):
    found = known(exc, context)
    return found.to_dict()


"""


def test_the_message_is_read_off_what_a_factory_answers(tmp_path: Path) -> None:
    body = 'try:\n    return mcp.take(name)\nexcept ValueError as exc:\n    return failed(exc, "take")\n'
    before = tool(body).replace("@mcp.tool()", f"{TELLING}@mcp.tool()")
    found = fixes(tmp_path, before, unsafe=True)
    assert reasons(found.refused) == []
    assert found.contents["shop/server.py"][1].decode() == before.replace(
        'return failed(exc, "take")', 'return Failure(error=failed(exc, "take")["error"])'
    )
    assert "clients get the message of what `failed` answers alone" in reasons(tuple(fixes(tmp_path, before).hidden))


OF_EXCEPTIONS = {
    "one that is caught": (
        "try:\n    return mcp.take(name)\nexcept ValueError as exc:\n    return told(exc, name)\n",
        'Failure(error=f"no: {exc}", code=name)',
    ),
    "one of a variable": (
        "lost = LostError(name)\nreturn told(lost)\n",
        'Failure(error=f"no: {lost}", code="none")',
    ),
}


@pytest.mark.parametrize(("body", "after"), OF_EXCEPTIONS.values(), ids=OF_EXCEPTIONS)
def test_what_a_factory_tells_of_an_exception_is_written_out(tmp_path: Path, body: str, after: str) -> None:
    factory = "class LostError(Exception):\n    pass\n\n\ndef told(error, code='none'):\n    mcp.logger.error(error)\n"
    factory += '    return {"error": f"no: {error}", "code": code}\n\n\n'
    server = tool(body).replace("@mcp.tool()", f"{factory}@mcp.tool()").replace("'none'", '"none"')
    found = fixes(tmp_path, server, unsafe=True)
    assert reasons(found.refused) == []
    assert f"    return {after}\n" in found.contents["shop/server.py"][1].decode()
    hidden = reasons(tuple(fixes(tmp_path, server).hidden))
    assert hidden == ["what the factory logs is not logged any more"]


PYDANTIC = "from pydantic import BaseModel, ConfigDict, Field, field_validator\n\n\n"
DATACLASS = "from dataclasses import InitVar, dataclass\nfrom typing import ClassVar, final\n\n\n@dataclass\n"
TYPED = "from typing import NotRequired, Required, TypedDict\n\n\n"
AT = "it cannot be told whether `Failure` takes what it is given as `at`"
WHOLE = 'Failure(error="no name", at=amount)'
MODELS = {
    "a dataclass": (f"{DATACLASS}class Failure:\n    error: str\n    at: int\n    of: ClassVar[str]\n", WHOLE, []),
    "a dataclass with another decorator": (
        DATACLASS.replace("@", "@final\n@") + "class Failure:\n    error: str\n    at: int\n",
        WHOLE,
        [],
    ),
    "a dataclass of Pydantic": (
        "from pydantic.dataclasses import dataclass\n\n\n@dataclass\nclass Failure:\n    error: str\n    at: int\n",
        WHOLE,
        [AT],
    ),
    "a model with a private field": (
        f"{PYDANTIC}class Failure(BaseModel):\n    error: str\n    at: int\n    _of: str\n",
        WHOLE,
        [AT],
    ),
    "a model of a base": (
        f"{PYDANTIC}class Base(BaseModel):\n    error: str\n\n\nclass Failure(Base):\n    at: int\n",
        WHOLE,
        [AT],
    ),
    "a model of a generic base": (
        f"from typing import Generic\n{PYDANTIC}class Failure(BaseModel, Generic[T]):\n    error: str\n    at: int\n",
        WHOLE,
        [AT],
    ),
    "a model whose fields have defaults": (
        f"{PYDANTIC}class Failure(BaseModel):\n    error: str\n    at: int = Field(...)\n"
        "    a: str = Field(default='x')\n    b: str = Field('x')\n    c: list = Field(default_factory=list)\n",
        WHOLE,
        [AT],
    ),
    "a model whose field has a limit": (
        f"{PYDANTIC}class Failure(BaseModel):\n    error: str = Field(max_length=3)\n    at: int\n",
        WHOLE,
        [AT, AT.replace("`at`", "`error`")],
    ),
    "a model that changes what it is given": (
        f"{PYDANTIC}class Failure(BaseModel):\n    error: str\n    at: int\n\n    @field_validator('error')\n"
        "    def short(cls, value):\n        return value\n",
        WHOLE,
        ["`Failure.short` may change what it is given", AT],
    ),
    "a model that takes more": (
        f"{PYDANTIC}class Failure(BaseModel):\n    model_config = ConfigDict(extra='allow')\n    error: str\n",
        WHOLE,
        [],
    ),
    "a model that takes no more": (
        f"{PYDANTIC}class Failure(BaseModel):\n    model_config = ConfigDict(extra='forbid')\n    error: str\n",
        'Failure(error="no name")',
        ["clients do not find `at` any more, which `Failure` has no place for"],
    ),
    "a struct": (
        "import msgspec\n\n\nclass Failure(msgspec.Struct):\n    error: str\n    at: int\n",
        WHOLE,
        ["what clients get of a `Failure`, a msgspec struct, is not known"],
    ),
    "a class": (
        "class Failure:\n    def __init__(self, error, *, at=0, **more):\n        self.error = error\n",
        WHOLE,
        ["what clients get of a `Failure`, a class, is not known"],
    ),
    "a class that takes more": (
        "class Failure:\n    def __init__(self, error, **more):\n        self.error = error\n",
        WHOLE,
        ["what clients get of a `Failure`, a class, is not known"],
    ),
    "a class that takes no more": (
        "class Failure:\n    def __init__(self, error):\n        self.error = error\n",
        'Failure(error="no name")',
        [
            "clients do not find `at` any more, which `Failure` has no place for",
            "what clients get of a `Failure`, a class, is not known",
        ],
    ),
    "a dict with a key that need not be there": (
        f"{TYPED}class Failure(TypedDict):\n    error: str\n    at: int\n    of: NotRequired[str]\n",
        WHOLE,
        [],
    ),
    "a dict whose keys need not be there": (
        f"{TYPED}class Failure(TypedDict, total=False):\n    error: str\n    at: int\n    of: str\n",
        WHOLE,
        [],
    ),
}


@pytest.mark.parametrize(("answers", "made", "told"), MODELS.values(), ids=MODELS)
def test_an_error_is_answered_as(tmp_path: Path, answers: str, made: str, told: list[str]) -> None:
    body = 'if not name:\n    return {"error": "no name", "at": amount}\nreturn {}\n'
    found = fixes(tmp_path, tool(body), answers, unsafe=True)
    assert reasons(found.refused) == []
    assert reasons(found.fixed) == told
    assert f"        return {made}\n" in found.contents["shop/server.py"][1].decode()


MARKERS = {
    "its own status": (
        '    status: str = "error"\n',
        {},
        ["clients find `status` instead of `success` from now on"],
        [],
    ),
    "its own truth value": ("    ok: bool = True\n", {}, ["clients find `ok` instead of `success` from now on"], []),
    "the same one": ("    success: bool = False\n", {}, [], []),
    "a status that it is given already": (
        "    status: str\n",
        {"status": "error"},
        [],
        ["`Failure` has no place for `success`, which would be lost"],
    ),
    "what is no marker": (
        '    kind: str = "error"\n',
        {},
        [],
        ["`Failure` has no place for `success`, which would be lost"],
    ),
}


@pytest.mark.parametrize(("field", "more", "told", "refused"), MARKERS.values(), ids=MARKERS)
def test_a_marker_becomes_of_a_type(
    tmp_path: Path, field: str, more: dict[str, str], told: list[str], refused: list[str]
) -> None:
    payload = json.dumps({"error": "x", **more})[:-1] + ', "success": False}'
    answers = f"{PYDANTIC}class Failure(BaseModel):\n    error: str\n{field}"
    found = fixes(tmp_path, tool(f"if not name:\n    return {payload}\nreturn {{}}\n"), answers, unsafe=True)
    assert (reasons(found.fixed), reasons(found.refused)) == (told, refused)


METHODS = {
    "a class method": ("@classmethod\n    def of(cls, error):", {"error": "x"}, 'Failure.of(error="x")', []),
    "a class method that takes more": (
        "@classmethod\n    def of(cls, error, **more):",
        {"error": "x", "at": 1},
        'Failure.of(error="x", at=1)',
        [],
    ),
    "a class method that takes no more": (
        "@classmethod\n    def of(cls, error):",
        {"error": "x", "at": 1},
        "",
        ["`Failure` has no place for `at`, which would be lost"],
    ),
    "a static method": ("@staticmethod\n    def of(error):", {"error": "x"}, 'Failure.of(error="x")', []),
    "a method": ("def of(self, error):", {"error": "x"}, "", ["`shop.answers.Failure.of` is no plain factory"]),
}


@pytest.mark.parametrize(("header", "payload", "made", "refused"), METHODS.values(), ids=METHODS)
def test_a_type_is_made_by(
    tmp_path: Path, header: str, payload: dict[str, object], made: str, refused: list[str]
) -> None:
    fields = "    error: str\n    trace: str\n"
    answers = f"{PYDANTIC}class Failure(BaseModel):\n{fields}\n    {header}\n        return made(error)\n\n\n"
    answers += f"class Other(BaseModel):\n{fields}"
    response = 'types = ["shop.answers.Failure", "shop.answers.Other"]\nfactories = ["shop.answers.Failure.of"]\n'
    server = tool(f"if not name:\n    return {json.dumps(payload)}\nreturn {{}}\n")
    found = fixes(tmp_path, server, answers, f'style = "return"\n\n[response]\n{response}', unsafe=True)
    assert reasons(found.refused) == refused
    after = found.contents["shop/server.py"][1].decode() if made else server
    assert after == server.replace(json.dumps(payload), made or json.dumps(payload))


NO_MODELS = {
    "a class of a base of another library": (
        "from shelf import BaseModel\n\n\nclass Failure(BaseModel):\n    error: str\n",
        "what `BaseModel`, a base of `Failure`, takes is not known",
    ),
    "a class that is defined twice": (
        f"{MODEL}\n\nclass Other:\n    class Failure:\n        pass\n",
        "`Failure` is defined more than once",
    ),
    "a dataclass that does not keep what it takes": (
        f"{DATACLASS}class Failure:\n    error: str\n    of: InitVar[int]\n",
        "`Failure` takes `of` and does not keep it",
    ),
    "a dataclass that takes more": (
        f"{DATACLASS}class Failure:\n    error: str\n    _of: str\n",
        "`Failure` needs `_of`, which is not in scope",
    ),
    "a model that takes more": (
        f"{PYDANTIC}class Failure(BaseModel):\n    error: str\n    of: str = Field(...)\n",
        "`Failure` needs `of`, which is not in scope",
    ),
    "a model whose field has another name": (
        f"{PYDANTIC}class Failure(BaseModel):\n    error: str = Field(alias='why')\n",
        "the field `error` of `Failure` has another name for clients",
    ),
    "a dict with another key": (
        f"{TYPED}class Failure(TypedDict):\n    error: str\n    of: str\n",
        "`Failure` needs `of`, which is not in scope",
    ),
    "a dict with another key that has to be there": (
        f"{TYPED}class Failure(TypedDict, total=False):\n    error: str\n    of: Required[str]\n",
        "`Failure` needs `of`, which is not in scope",
    ),
}


@pytest.mark.parametrize(("answers", "text"), NO_MODELS.values(), ids=NO_MODELS)
def test_an_error_is_not_answered_as(tmp_path: Path, answers: str, text: str) -> None:
    found = fixes(tmp_path, tool('if not name:\n    return {"error": "no name"}\nreturn {}\n'), answers, unsafe=True)
    assert (reasons(found.refused), found.contents) == ([text], {})


DECORATED = {
    "one of a library": (
        "@mcp.tool()\n@toolkit.timed\n",
        "the decorator `toolkit.timed` may look into what the function returns",
    ),
    "a call of one, above": (
        "@toolkit.timed(1)\n@mcp.tool()\n",
        "the decorator `toolkit.timed` may look into what the function returns",
    ),
    "one of the project": ("@mcp.tool()\n@timed\n", "the decorator `timed` may look into what the function returns"),
    "one without a name": ("@mcp.tool()\n@TIMED[0]\n", "the decorator `?` may look into what the function returns"),
    "one that registers it with a schema": (
        "@mcp.tool(output_schema=TAKEN)\n",
        "`mcp.tool` publishes what `take` answers",
    ),
    "one that registers it without a schema": ("@mcp.tool(output_schema=None)\n", ""),
    "one that changes nothing": ("@mcp.tool()\n@typechecked\n", ""),
}


@pytest.mark.parametrize(("decorators", "text"), DECORATED.values(), ids=DECORATED)
def test_a_decorator_may_look_into_the_answer_that_is(tmp_path: Path, decorators: str, text: str) -> None:
    timed = "def timed(function):\n    return function\n\n\n"
    server = tool('if not name:\n    return {"error": "x"}\nreturn {}\n')
    found = fixes(tmp_path, server.replace("@mcp.tool()\n", f"{timed}{decorators}"))
    assert reasons(found.hidden) == list(filter(None, [text]))
    assert bool(found.contents) is (not text)


NOT_WIDENED = {
    "a text": ("'dict'", MODEL),
    "one of several lines": ("Annotated[\n    dict, 1\n]", MODEL),
    "one of another class": ("Taken", MODEL),
    "one where it is a plain class": (
        "dict",
        "class Failure:\n    def __init__(self, error):\n        self.error = error\n",
    ),
}


@pytest.mark.parametrize(("annotation", "answers"), NOT_WIDENED.values(), ids=NOT_WIDENED)
def test_an_annotation_is_left_and_told_of_that_is(tmp_path: Path, annotation: str, answers: str) -> None:
    header = f"def take(name: str, amount: int) -> {annotation}:"
    found = fixes(tmp_path, tool('if not name:\n    return {"error": "x"}\nreturn {}\n', header), answers, unsafe=True)
    assert "the annotation of `take` does not name `Failure`" in reasons(found.fixed)
    assert header in found.contents["shop/server.py"][1].decode()


BOUND = {
    "an import above": ("HERE\n", "", True),
    "an import below": ("", "\n\nHERE\n", False),
    "an import below, where annotations are not evaluated": (
        "from __future__ import annotations\n",
        "\n\nHERE\n",
        True,
    ),
}


@pytest.mark.parametrize(("above", "below", "is_named"), BOUND.values(), ids=BOUND)
def test_an_annotation_names_the_type_that_is_bound_by(tmp_path: Path, above: str, below: str, is_named: bool) -> None:
    line, header = "from shop.answers import Failure", "def take(name: str, amount: int) -> dict:"
    server = tool('if not name:\n    return {"error": "x"}\nreturn {}\n', header).replace(f"\n{line}\n", "\n")
    found = fixes(tmp_path, (above + server + below).replace("HERE", line), unsafe=True)
    assert ("-> dict | Failure:" in found.contents["shop/server.py"][1].decode()) is is_named


def test_a_helper_that_nothing_here_calls_is_written_unsafely(tmp_path: Path) -> None:
    helper = 'class Shelf:\n    def sell(self, name):\n        return {"error": "x"} if name else {}\n\n\n'
    before = tool("return {}\n").replace("@mcp.tool()", f"{helper}@mcp.tool()")
    found = fixes(tmp_path, before, unsafe=True)
    assert 'return Failure(error="x") if name else {}' in found.contents["shop/server.py"][1].decode()
    text = "nothing here calls `Shelf.sell`, tests aside: who does elsewhere gets a `Failure`"
    assert text in reasons(tuple(fixes(tmp_path, before).hidden))


UNCALLED = {
    "decorated": "class Shelf:\n    @cached\n    def sell(self, name):\n        ANSWER\n\n\n",
    "named somewhere": "class Shelf:\n    def sell(self, name):\n        ANSWER\n\n\nSOLD = Shelf.sell\n\n\n",
}


@pytest.mark.parametrize("helper", UNCALLED.values(), ids=UNCALLED)
def test_a_helper_that_nothing_here_calls_stays_where_it_is(tmp_path: Path, helper: str) -> None:
    helper = helper.replace("ANSWER", 'return {"error": "x"} if name else {}')
    found = fixes(tmp_path, tool("return {}\n").replace("@mcp.tool()", f"{helper}@mcp.tool()"), unsafe=True)
    assert (reasons(found.refused), found.contents) == (["nothing is known to call `Shelf.sell`, tests aside"], {})


def test_a_method_of_the_name_of_a_tool_holds_nothing_back(tmp_path: Path) -> None:
    other = 'def ask(shelf):\n    return shelf.take("book", 1)["error"]\n\n\n'
    before = tool('return {"error": "x"}\n').replace("@mcp.tool()", f"{other}@mcp.tool()")
    found = fixes(tmp_path, before, unsafe=True)
    assert 'return Failure(error="x")' in found.contents["shop/server.py"][1].decode()
    text = "it may be called here, or another function of its name: `shelf.take`"
    assert text in reasons(tuple(fixes(tmp_path, before).hidden))


def test_a_type_is_named_from_the_root_of_the_repository(tmp_path: Path) -> None:
    (tmp_path / "shop").mkdir()
    (tmp_path / "shop/pyproject.toml").write_text('[project]\nname = "shop"\n')
    found = fixes(tmp_path, tool('return {"error": "x"}\n'), MODEL)
    assert found.contents["shop/server.py"][1].decode() == tool('return Failure(error="x")\n')


def test_a_class_of_the_file_is_no_declared_type_of_the_same_name(tmp_path: Path) -> None:
    own = "class Failure(dict):\n    error: str\n\n\n"
    before = tool('if not name:\n    return Failure(error="x")\nreturn {}\n')
    server = before.replace("from shop.answers import Failure\n\n", "").replace("@mcp.tool()", f"{own}@mcp.tool()")
    found = fixes(tmp_path, server, unsafe=True)
    assert reasons(found.refused) == []
    after = found.contents["shop/server.py"][1].decode()
    assert 'return answers.Failure(error="x")' in after
    assert "from shop import answers\n" in after
