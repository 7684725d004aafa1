"""``errlint init``: what it says of a project and where, what it proposes, and what becomes of configurations."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest
from command_line import Done, Run, caller

from errlint.settings import Style, load
from errlint.settings.toml_reader import parse

Init = Callable[..., Done]
Project = Callable[[Mapping[str, str]], Path]


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Project:
    """Write files and go into their folder."""

    def write(files: Mapping[str, str]) -> Path:
        for name, text in files.items():
            (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / name).write_text(text, "utf-8", newline="")
        monkeypatch.chdir(tmp_path)
        return tmp_path

    return write


@pytest.fixture
def init(capsys: pytest.CaptureFixture[str]) -> Init:
    """Call ``errlint init`` with some words."""
    call = caller(capsys)
    return lambda *arguments: call("init", *arguments)


def said(init: Init) -> dict[str, list[str]]:
    """Return the statements of the text report by their headings."""
    found: dict[str, list[str]] = {}
    heading = ""
    for line in init().out.partition("\nProposed for ")[0].splitlines():
        if line.startswith("  "):
            found[heading].append(line.strip())
        elif line:
            heading = line
            found[heading] = []
    return found


def proposed(init: Init) -> dict[str, Any]:
    """Return what is proposed, as the TOML it is."""
    return parse(json.loads(init("--output-format", "json").out)["configuration"]["added"])


SERVER = """\
from mcp.server.fastmcp import FastMCP

from shop.errors import answered

mcp = FastMCP("shop")


@mcp.tool()
@answered(empty={"items": []}, operation="shop:list")
def list_items(shelf):
    return {"items": [shelf]}


@mcp.tool()
@answered(empty={}, operation="shop:add")
def add_item(name):
    return {"added": name}


def main():
    mcp.run(transport="stdio")
"""

ERRORS = '''\
"""Errors."""

import functools
import logging
from enum import Enum

logger = logging.getLogger(__name__)


class ErrorCode(str, Enum):
    NOT_FOUND = "not_found"
    NOT_ALLOWED = "not_allowed"
    TOO_MANY = "too_many"


class ShopError(Exception):
    def __init__(self, message, *, cause=None):
        super().__init__(message)
        self.cause = cause


class NotFoundError(ShopError):
    code = ErrorCode.NOT_FOUND


def answered(empty, operation):
    def decorate(function):
        @functools.wraps(function)
        def inner(*args, **kwargs):
            try:
                return function(*args, **kwargs)
            except Exception as exc:
                logger.exception("failed")
                return {**empty, "error": str(exc), "title": f"{operation}: {exc}", "type": type(exc).__name__}

        return inner

    return decorate
'''

PYPROJECT = """\
[project]
name = "shop"  # ours
dependencies = [
    "httpx",
    "mcp[cli]>=1.2,<2",
]

[project.scripts]
shop = "shop.server:main"
"""

CATALOG = "# Errors\n\n- `not_found`: no such thing\n- `not_allowed`: hands off\n- `too_many`: enough\n"

SHOP = {"shop/__init__.py": "", "shop/server.py": SERVER, "shop/errors.py": ERRORS, "docs/e.md": CATALOG}
WITH_PYPROJECT = {**SHOP, "pyproject.toml": PYPROJECT}


# --- what is said -----------------------------------------------------------------------------------------------


def test_every_statement_has_its_places(project: Project, init: Init) -> None:
    project(WITH_PYPROJECT)
    assert said(init) == {
        "3 Python files read.": [],
        "Servers": [
            "`mcp = FastMCP(...)` makes a server of the MCP SDK's FastMCP (shop/server.py:5)",
            "`mcp.run(...)` runs a server (shop/server.py:21)",
            "the command `shop` runs `shop.server:main` (pyproject.toml:9)",
            "`mcp>=1.2,<2` is required (pyproject.toml:5)",
        ],
        "Adapters": ["2 adapters by `@mcp.tool` (shop/server.py:10)"],
        "Boundaries": [
            "the decorator `shop.errors.answered` (on 2 functions, 2 of which clients call) catches `Exception` and "
            "answers a dict with `error`, `title` and `type` and what `empty` has "
            "(shop/errors.py:26, shop/errors.py:32, shop/errors.py:34, shop/server.py:10)"
        ],
        "Error answers": ["no error is answered in place of a result, as far as can be seen"],
        "Exceptions": ["`shop.errors.ShopError` and the 1 exception below it: in no raise (shop/errors.py:16)"],
        "Error codes": [
            "`shop.errors:ErrorCode` registers 3 error codes; 1 of 1 use of codes in its distribution name a "
            "registered one (shop/errors.py:10)"
        ],
        "Catalogs": ["`docs/e.md` mentions 3 registered codes (docs/e.md)"],
        "Conventions": [
            "none of `coded-tool-errors`, `error-reports`, `mcp-exceptions`, `problem-details` and `typed-responses` "
            "is near: no error answer has the form of one"
        ],
    }


def test_programs_get_the_same_as_json(project: Project, init: Init) -> None:
    project(WITH_PYPROJECT)
    found = json.loads(init("--output-format", "json").out)
    (boundary,) = [item for item in found["statements"] if item["about"] == "boundaries"]
    assert boundary["evidence"][0] == {"filename": "shop/errors.py", "row": 26}
    assert boundary["details"]["catches"] == [
        {
            "exceptions": ["Exception"],
            "place": "shop/errors.py:32",
            "answers": [
                {
                    "how": "answers",
                    "what": "a dict with `error`, `title` and `type` and what `empty` has",
                    "keys": ["error", "title", "type", "result"],
                    "place": "shop/errors.py:34",
                }
            ],
        }
    ]
    assert found["configuration"]["filename"] == "pyproject.toml"
    assert (found["configuration"]["changes"], found["configuration"]["written"]) == (True, False)
    assert found["next"]["commands"][-1] == "errlint baseline write --configure"


DECORATOR = """\
import functools

from fastmcp import FastMCP
from fastmcp.exceptions import ToolError

mcp = FastMCP("shop")


def guarded(function):
    @functools.wraps(function)
    async def inner(*args, **kwargs):
        try:
            return await function(*args, **kwargs)
        CLAUSES

    return inner


@mcp.tool()
@guarded
async def find(name: str) -> dict:
    return {"name": name}
"""

CLAUSES = {
    "another exception is raised": (
        "except OSError as error:\n            raise ToolError(str(error)) from error",
        "catches `OSError` and raises `ToolError`",
    ),
    "some are raised again": (
        "except KeyError:\n            raise\n        except Exception:\n            return None",
        "catches `KeyError` and raises it again; catches `Exception` and answers `None`",
    ),
    "a text": (
        'except Exception as error:\n            return f"Error: {error}"',
        "catches `Exception` and answers the text `Error:...`",
    ),
    "everything, bare": (
        'except:\n            return {"error": "no", "ok": False}',
        "catches everything and answers a dict with `error` and `ok`",
    ),
    "one of two": (
        "except (OSError, ValueError) as e:\n            if e.args:\n                return []\n"
        '            return {"error": 1}',
        "catches `OSError` and `ValueError` and answers an empty list or answers a dict with `error`",
    ),
    "a function of the project builds it": (
        "except Exception as error:\n            return failed(error)\n\n\ndef failed(error):\n"
        '    return {"error": str(error), "code": 1}\n\n\ndef other():\n    def inner():\n        pass',
        "catches `Exception` and answers what `failed` builds (`error` and `code`)",
    ),
    "a response with a status": (
        'except Exception:\n            return JSONResponse({"detail": "no"}, status_code=500)',
        "catches `Exception` and answers `JSONResponse` of a dict with `detail` with the status 500",
    ),
}


@pytest.mark.parametrize(("clauses", "told"), CLAUSES.values(), ids=CLAUSES)
def test_what_a_decorator_catches_and_answers(project: Project, init: Init, clauses: str, told: str) -> None:
    project({"server.py": DECORATOR.replace("CLAUSES", clauses)})
    assert said(init)["Boundaries"][0].startswith(
        f"the decorator `server.guarded` (on 1 function, which clients call) {told} ("
    )


@pytest.mark.parametrize(
    "clauses",
    ["except OSError:\n            raise", "except Exception:\n            pass", "finally:\n            pass"],
    ids=["it raises all of it again", "it goes on", "it catches nothing"],
)
def test_a_decorator_that_answers_nothing_is_no_boundary(project: Project, init: Init, clauses: str) -> None:
    project({"server.py": DECORATOR.replace("CLAUSES", clauses)})
    assert said(init)["Boundaries"] == [
        "no decorator, middleware or exception handler of the project answers exceptions"
    ]


WEB = """\
from fastapi import FastAPI, HTTPException
from fastapi.responses import JSONResponse
from starlette.middleware.base import BaseHTTPMiddleware

app = FastAPI()


class StoreError(Exception):
    pass


class Errors(BaseHTTPMiddleware):
    async def dispatch(self, request, call_next):
        try:
            return await call_next(request)
        except Exception:
            return JSONResponse({"detail": "no"}, status_code=500)


@app.exception_handler(StoreError)
async def on_store_error(request, exc):
    return JSONResponse({"error": str(exc)}, status_code=409)


def on_value_error(request, exc):
    return JSONResponse({"error": str(exc)}, 400)


app.add_exception_handler(ValueError, on_value_error)


@app.get("/items")
def items():
    if not app:
        raise HTTPException(404, "none")
    raise StoreError("gone")
"""


def test_middleware_and_exception_handlers_are_boundaries(project: Project, init: Init) -> None:
    project({"web.py": WEB})
    found = said(init)
    assert found["Boundaries"] == [
        "the middleware `web.Errors` catches `Exception` and answers `JSONResponse` of a dict with `detail` with the "
        "status 500 (web.py:12, web.py:16, web.py:17)",
        "the exception handler `web.on_store_error` catches `StoreError` and answers `JSONResponse` of a dict with "
        "`error` with the status 409 (web.py:21, web.py:22)",
        "the exception handler `web.on_value_error` catches `ValueError` and answers `JSONResponse` of a dict with "
        "`error` (web.py:25, web.py:26)",
    ]
    assert found["Adapters"] == ["1 route of FastAPI (web.py:33)"]
    assert "`fastapi.HTTPException`, which the framework answers: in 1 raise (web.py:35)" in found["Exceptions"]


AROUND = """\
from fastmcp import FastMCP
from fastmcp.exceptions import ToolError
from fastmcp.server.middleware import Middleware


class Answers(Middleware):
    async def METHOD(self, context, call_next):
        try:
            return await call_next(context)
        except Exception as error:
            raise ToolError(str(error)) from error


mcp = FastMCP("shop")
ADDED


@mcp.tool()
async def find(name: str) -> dict:
    return {"name": name}
"""


def test_middleware_around_all_tools_of_a_server_is_proposed(project: Project, init: Init) -> None:
    text = AROUND.replace("METHOD", "on_call_tool").replace("ADDED", "mcp.add_middleware(Answers())")
    project({"server.py": text})
    assert said(init)["Boundaries"] == [
        "the middleware `server.Answers` (around 1 of 1 adapter) catches `Exception` and raises `ToolError` "
        "(server.py:6, server.py:10, server.py:11)"
    ]
    assert proposed(init)["boundary"] == [{"middleware": ["server.Answers"], "envelope": "is-error"}]


@pytest.mark.parametrize(
    ("method", "added"),
    [("on_call_tool", ""), ("on_list_tools", "mcp.add_middleware(Answers())")],
    ids=["no server has it", "it is around no call"],
)
def test_middleware_that_is_around_no_tool_is_told_and_not_proposed(
    project: Project, init: Init, method: str, added: str
) -> None:
    project({"server.py": AROUND.replace("METHOD", method).replace("ADDED", added)})
    assert said(init)["Boundaries"][0].startswith("the middleware `server.Answers` catches `Exception` and raises")
    assert "boundary" not in proposed(init)


LATE = """\
from fastapi import FastAPI
from fastapi.responses import JSONResponse
from flask_restx import Resource


async def missing(request, exc):
    return JSONResponse({"detail": "none"}, status_code=404)


exception_handlers = {404: missing}
app = FastAPI(exception_handlers=exception_handlers)


@app.middleware("http")
async def errors(request, call_next):
    answer = None
    try:
        answer = await call_next(request)
    except KeyError:
        answer = JSONResponse({"error": "no key"}, status_code=400)
    except OSError:
        pass
    return answer


class Items(Resource):
    def get(self):
        return {}
"""


RESOURCE = """\
from flask import Flask, jsonify
from flask_restx import Resource

app = Flask(__name__)


@app.route("/items")
def items():
    if not app:
        return jsonify({"error": "none"}), 404
    return jsonify({"error": "bad"}), 400


class Items(Resource):
    def get(self):
        return {"error": "gone"}, 404
"""


def test_errors_with_their_status_are_counted_apart(project: Project, init: Init) -> None:
    project({"web.py": RESOURCE})
    assert said(init)["Error answers"] == [
        "3 returns answer errors with their status: 400 (1), 404 (2) (web.py:10)",
        "no error is answered in place of a result, as far as can be seen",
    ]


VIEWS = """\
from django.http import JsonResponse
from django.views import View
from rest_framework.response import Response
from rest_framework.views import APIView


def tide(request):
    if not request.GET:
        return JsonResponse({"status": 1, "msg": "the port is missing"})
    if len(request.GET) > 1:
        return JsonResponse({"status": 2, "msg": "one at a time"}, status=400)
    return JsonResponse({"status": 0, "msg": "ok"})


class Ports(APIView):
    def get(self, request):
        return Response({"ports": []})
"""


def test_routes_of_django_are_counted_and_what_they_answer(project: Project, init: Init) -> None:
    urls = 'from django.urls import path\n\nimport views\n\nurlpatterns = [path("tide", views.tide)]\n'
    project({"views.py": VIEWS, "urls.py": urls})
    found = said(init)
    assert found["Adapters"] == [
        "1 route of Django (views.py:7)",
        "1 route of Django REST framework (views.py:16)",
    ]
    assert found["Error answers"] == [
        "1 return answers an error with its status: 400 (1) (views.py:11)",
        "1 return answers an error in place of a result, in 1 shape (views.py:9)",
        "1 hand-built payload told by `status` (views.py:9)",
    ]
    assert "leaves routes of Django as they are" in " ".join(init().out.replace("#", "").split())


def test_errors_with_their_status_of_what_a_route_hands_on_are_counted(project: Project, init: Init) -> None:
    project(
        {
            "web.py": "from flask import Flask\n\nfrom controllers import Items\n\napp = Flask(__name__)\n\n\n"
            '@app.route("/items")\ndef items():\n    return Items.get()\n',
            "controllers.py": "from flask import jsonify\n\n\nclass Items:\n    @staticmethod\n    def get():\n"
            '        return jsonify({"message": "none"}), 404\n\n\ndef unused():\n    return jsonify({}), 400\n',
        }
    )
    assert said(init)["Error answers"][0] == "1 return answers an error with its status: 404 (1) (controllers.py:7)"


def test_what_is_answered_behind_a_try_is_that_of_its_clauses(project: Project, init: Init) -> None:
    project({"web.py": LATE})
    found = said(init)
    assert found["Boundaries"] == [
        "the middleware `web.errors` catches `KeyError` and answers `JSONResponse` of a dict with `error` with the "
        "status 400; catches `OSError` and answers `answer` (web.py:15, web.py:19, web.py:20, web.py:21 and 1 more)",
        "the exception handler `web.missing` catches `status 404` and answers `JSONResponse` of a dict with `detail` "
        "with the status 404 (web.py:6, web.py:7)",
    ]
    assert found["Adapters"][-1] == (
        "1 class below `flask_restx.Resource`, whose methods answer requests: errlint does not look at these "
        "(web.py:26)"
    )


def test_adapters_that_are_boundaries_of_their_own_are_counted(project: Project, init: Init) -> None:
    project({"server.py": PLAIN})
    assert (
        said(init)["Boundaries"][-1] == "1 of 2 adapters catches every exception itself and answers it (server.py:10)"
    )


PLAIN = """\
from fastmcp import FastMCP

mcp = FastMCP("shop")


@mcp.tool()
def find(name: str) -> dict:
    try:
        return {"found": name.upper()}
    except Exception as error:
        return {"error": str(error)}


def _failed(message: str) -> dict:
    return {"status": "error", "message": message}


@mcp.tool()
def add(name: str) -> dict:
    if not name:
        return _failed("no name")
    if name == "x":
        return _failed("no such name")
    return {"added": name}
"""


def test_shapes_of_errors_are_counted(project: Project, init: Init) -> None:
    project({"server.py": PLAIN})
    assert said(init)["Error answers"] == [
        "3 returns answer an error in place of a result, in 2 shapes (server.py:21)",
        "2 returns of what `_failed` answers, told by `status` (server.py:14, server.py:21)",
        "1 hand-built payload told by `error` (server.py:11)",
    ]


# --- what is proposed -------------------------------------------------------------------------------------------


def test_everything_that_is_there_is_proposed(project: Project, init: Init) -> None:
    root = project(SHOP)
    assert init("--write").status == 0
    assert (
        (root / "errlint.toml").read_text("utf-8")
        == """\
# 2 adapters by `@mcp.tool`. The first is in shop/server.py:10.
style = "raise"

# `shop.errors.answered` (shop/errors.py:26) is around 2 of 2 adapters.
# It catches every exception in shop/errors.py:32 and answers a dict with `error`, `title` and `type` and what `empty`
# has in shop/errors.py:34.
[[boundary]]
decorator = "shop.errors.answered"
envelope = { error = "{message}", title = "*: {message}", type = "*", result = "empty_result" }
operation = "operation"
empty-result = "empty"
logs = true

# `shop.errors.ShopError` (shop/errors.py:16) and the 1 exception below it: in no raise.
[exceptions]
root = ["shop.errors.ShopError"]
default = "shop.errors.ShopError"
cause = "cause"

# shop.errors:ErrorCode: 3 codes (shop/errors.py:10).
[codes]
registry = ["shop.errors:ErrorCode"]

# docs/e.md mentions 3 of the codes.
[catalog]
files = ["docs/e.md"]
"""
    )


def test_what_is_proposed_is_understood_and_fits_the_code(
    project: Project, init: Init, capsys: pytest.CaptureFixture[str]
) -> None:
    root = project(SHOP)
    init("--write")
    assert load(root).settings.policy.boundaries[0].empty_result == "empty"
    assert caller(capsys)("--no-cache", "--select", "ERR905,ERR201").status == 0


@pytest.mark.parametrize(
    ("clauses", "reason"),
    [
        (
            "except Exception as error:\n            return make(error)",
            "# What it answers has no keys that can be told",
        ),
        ('except Exception as e:\n            return f"Error: {e}"', "# Clients take such a text for a result"),
    ],
    ids=["it answers something unknown", "it answers a text"],
)
def test_a_boundary_is_never_guessed(project: Project, init: Init, clauses: str, reason: str) -> None:
    project({"server.py": DECORATOR.replace("CLAUSES", clauses)})
    text = json.loads(init("--output-format", "json").out)["configuration"]["added"]
    assert reason in text
    assert '# [[boundary]]\n# decorator = "server.guarded"' in text
    assert "boundary" not in parse(text)


def test_a_decorator_that_catches_less_is_not_proposed(project: Project, init: Init) -> None:
    project({"server.py": DECORATOR.replace("CLAUSES", 'except OSError:\n            return {"error": "no"}')})
    assert proposed(init) == {"style": "raise"}


def test_a_decorator_on_few_adapters_is_a_comment(project: Project, init: Init) -> None:
    more = "".join(f"\n\n@mcp.tool()\ndef more_{number}():\n    return {number}\n" for number in range(3))
    clauses = 'except Exception:\n            return {"error": "no"}'
    project({"server.py": DECORATOR.replace("CLAUSES", clauses) + more})
    assert proposed(init) == {"style": "raise"}
    assert "# It is not around most of them" in init().out


def test_fixes_raise_what_a_boundary_raises_itself(
    project: Project, init: Init, capsys: pytest.CaptureFixture[str]
) -> None:
    clauses = (
        "except ToolError:\n            raise\n        except Exception as e:\n            raise ToolError('no') from e"
    )
    server = DECORATOR.replace("CLAUSES", clauses).replace(
        'return {"name": name}', 'if not name:\n        return {"error": "no name"}\n    return {"name": name}'
    )
    root = project({"server.py": server})
    assert proposed(init) == {
        "style": "raise",
        "boundary": [{"decorator": "server.guarded", "envelope": "is-error"}],
        "exceptions": {"default": "fastmcp.exceptions.ToolError"},
    }
    assert init("--write").status == 0
    assert caller(capsys)("--no-cache", "--fix", "--unsafe-fixes", "--quiet").status == 0
    assert '        raise ToolError("no name")\n' in (root / "server.py").read_text("utf-8")


MODELS = """\
from pydantic import BaseModel
from fastmcp import FastMCP

mcp = FastMCP("shop")


class ErrorResponse(BaseModel):
    error: str


@mcp.tool()
def find(name: str):
    if not name:
        return ErrorResponse(error="no name")
    if name == "a":
        return ErrorResponse(error="no a")
    if name == "b":
        return ErrorResponse(error="no b")
    if name == "c":
        return ErrorResponse(error="no c")
    if name == "d":
        return ErrorResponse(error="no d")
    return name
"""


def test_a_team_that_answers_objects_of_one_class_keeps_to_it(
    project: Project, init: Init, capsys: pytest.CaptureFixture[str]
) -> None:
    root = project({"server.py": MODELS})
    assert proposed(init) == {"style": "return", "response": {"types": ["server.ErrorResponse"]}}
    assert (
        "5 of 5 error answers are of `server.ErrorResponse` (server.py:7): that is the shape to keep to." in init().out
    )
    init("--write")
    assert load(root).settings.policy.style is Style.RETURN
    assert caller(capsys)("--no-cache").status == 0


OWN_TOOLS = """\
class Answer(str):
    @classmethod
    def error(cls, text):
        return cls(text, is_error=True)


class StopTool(Tool):
    def execute(self, name):
        if not name:
            return Answer.error("no name")
        if name == "a":
            return Answer.error("no a")
        if name == "b":
            return Answer.error("no b")
        if name == "c":
            return Answer.error("no c")
        if name == "d":
            return Answer.error("no d")
        if name == "e":
            return {"error": "no e"}
        if name == "f":
            return {"error": "no f"}
        return Answer(name)
"""


def test_a_class_that_most_errors_are_of_is_told(project: Project, init: Init) -> None:
    project({"tools.py": OWN_TOOLS})
    told = " ".join(init().out.replace("#", "").split())
    assert proposed(init) == {"style": "raise"}
    assert (
        "5 of 7 error answers are of `tools.Answer` (tools.py:1); "
        'style = "return" and the table below keep to that shape.'
    ) in told
    assert 'Only with style = "return". [response] types = ["tools.Answer"]' in told
    assert "to be answered by what calls these adapters: no known framework does." in told


def test_a_team_that_raises_as_often_keeps_to_nothing(project: Project, init: Init) -> None:
    more = "".join(f'    if name == "{number}":\n        raise ValueError("no")\n' for number in range(6))
    project({"server.py": MODELS.replace("    return name\n", f"{more}    return name\n")})
    assert proposed(init) == {"style": "raise"}


def test_a_plain_server_is_told_what_its_framework_does(project: Project, init: Init) -> None:
    project({"server.py": PLAIN})
    assert proposed(init) == {"style": "raise"}
    told = init().out
    assert "the framework (`FastMCP`) answers what is raised as an error" in told
    assert "  errlint                             3 findings today: 2 ERR102, 1 ERR101\n" in told
    assert "  errlint --diff --unsafe-fixes       shows fixes of 3; --fix makes them\n" in told


def test_what_the_default_rules_leave_alone_is_told(project: Project, init: Init) -> None:
    project({"server.py": PLAIN.replace('return {"error": str(error)}', "return (False, str(error))")})
    assert '# 1 of these is only reported with extend-select = ["ERR104"].' in init().out


def test_several_families_of_exceptions_are_left_to_the_user(project: Project, init: Init) -> None:
    more = "\n\nclass StockError(Exception):\n    pass\n\n\nclass NoneLeftError(StockError):\n    pass\n"
    project({**SHOP, "shop/errors.py": ERRORS + more})
    assert "exceptions" not in proposed(init)
    assert "# Which of these are raised for clients, and which by default, is for you to say.\n" in init().out


def test_a_family_that_few_raises_are_of_is_a_comment(project: Project, init: Init) -> None:
    more = '\n\n@mcp.tool()\ndef drop(name):\n    raise ValueError("no")\n'
    project({**SHOP, "shop/server.py": SERVER + more})
    assert "exceptions" not in proposed(init)
    assert "# 1 raise below adapters is of other exceptions: what tools raise is for you to say.\n" in init().out


def test_a_family_that_is_raised_nowhere_near_a_client_and_least_of_all_is_a_comment(
    project: Project, init: Init
) -> None:
    families = "class A(Exception): pass\n\nclass B(A): pass\n\nclass C(Exception): pass\n\n"
    raises = "".join(f"def f{name}():\n    raise {name}()\n\n" for name in "BCCC")
    project({"work.py": families + raises, "server.py": PLAIN})
    assert "exceptions" not in proposed(init)
    assert "# No raise below an adapter is seen, and most raises are of other exceptions.\n" in init().out


def test_a_server_that_is_made_of_an_application_is_one(project: Project, init: Init) -> None:
    text = "from fastapi import FastAPI\nfrom fastmcp import FastMCP\n\napp = FastAPI()\n\n\n"
    text += '@app.get("/items")\ndef items():\n    return {}\n\n\nmcp = FastMCP.from_fastapi(app=app)\n'
    project({"server.py": text})
    assert "`mcp = FastMCP.from_fastapi(...)` makes a server of FastMCP (server.py:12)" in said(init)["Servers"]


def test_the_preset_whose_names_the_code_has_is_proposed(project: Project, init: Init) -> None:
    errors = ERRORS.replace("ShopError", "MCPValidationError").replace("NotFoundError", "MCPSelectorError")
    project({**SHOP, "shop/errors.py": errors})
    assert proposed(init)["convention"] == "mcp-exceptions"
    assert (
        "`mcp-exceptions` is the nearest: the project defines `MCPSelectorError` and `MCPValidationError`; "
        "0 of 0 error answers have its form (shop/errors.py:22, shop/errors.py:16)"
    ) in init().out


CODED = """\
from fastmcp import FastMCP
from fastmcp.exceptions import ToolError

mcp = FastMCP("shop")


@mcp.tool()
def find(name: str) -> dict:
    if not name:
        raise ToolError("[validation_error] name is empty")
    raise ToolError(f"[not_found] no {name}")
"""


def test_the_preset_whose_form_most_errors_have_is_proposed(project: Project, init: Init) -> None:
    project({"server.py": CODED})
    assert proposed(init) == {"convention": "coded-tool-errors"}
    assert "`coded-tool-errors` is the nearest: 2 of 2 error answers have its form (server.py:10)" in init().out
    project({"server.py": CODED + '    raise ToolError("no")\n' * 3})
    assert proposed(init) == {"style": "raise"}
    assert 'convention = "coded-tool-errors" in place of the next key asks for it.' in init().out.replace("\n  # ", " ")


def test_what_is_of_one_distribution_holds_for_its_files(project: Project, init: Init) -> None:
    root = project(
        {
            "one/pyproject.toml": '[project]\nname = "one"\n',
            **{f"one/{name}": text for name, text in SHOP.items()},
            "two/pyproject.toml": '[project]\nname = "two"\n',
            "two/server.py": PLAIN,
        }
    )
    (override,) = proposed(init)["overrides"]
    assert override["paths"] == ["one/**"]
    assert override["boundary"][0]["decorator"] == "shop.errors.answered"
    assert override["exceptions"]["root"] == ["shop.errors.ShopError"]
    assert override["codes"] == {"registry": ["shop.errors:ErrorCode"]}
    assert init("--write").status == 0
    assert load(root).settings.policy.boundaries == ()
    assert json.loads(init("--output-format", "json").out)["configuration"]["changes"] is False


def test_what_is_at_the_root_does_not_hold_for_distributions_in_it(project: Project, init: Init) -> None:
    root = project({**WITH_PYPROJECT, "two/pyproject.toml": '[project]\nname = "two"\n', "two/server.py": PLAIN})
    (override,) = proposed(init)["tool"]["errlint"]["overrides"]
    assert override["paths"] == ["*.py", "!two/**"]
    assert init("--write").status == 0
    assert load(root).settings.policy.boundaries == ()
    assert "ERR201" not in init().out


def test_a_registry_of_codes_that_nobody_uses_is_a_comment(project: Project, init: Init) -> None:
    project({**SHOP, "shop/errors.py": ERRORS.replace("code = ErrorCode.NOT_FOUND", "pass")})
    assert "codes" not in proposed(init)
    assert "# No use of a code is seen in its distribution.\n" in init().out


SERVED = """\
from fastmcp import FastMCP


def make():
    return FastMCP("shop")


def main():
    server = make()
    with server.session_manager.run():
        server.run()


app = make()
app.run(port=1)
"""


def test_a_server_that_a_function_makes_is_run_as_well(project: Project, init: Init) -> None:
    project(
        {"server.py": SERVED, "setup.cfg": "[options.entry_points]\nconsole_scripts =\n    shop = server:main [x]\n"}
    )
    assert said(init)["Servers"] == [
        "`FastMCP(...)` makes a server of FastMCP (server.py:5)",
        "`app.run(...)` runs a server (server.py:15)",
        "`server.run(...)` runs a server (server.py:11)",
        "the command `shop` runs `server:main` (setup.cfg:3)",
    ]


def test_an_empty_project_gets_a_configuration_that_says_what_is_missing(project: Project, init: Init) -> None:
    project({"a.py": "def find():\n    return {'error': 'no'}\n"})
    told = init().out
    assert "no function was found that clients call: `adapters` says what makes one\n" in told
    assert "# 1 return looks like an error answer, and nothing that clients call was found." in told
    assert proposed(init) == {"style": "raise"}


# --- where it goes ----------------------------------------------------------------------------------------------

CONFIGURED = """\
# top

[tool.errlint] # ours
# why
exclude = ["vendor"]   # and this

[tool.errlint.codes]
arguments = ["code"] # two

[tool.other]
x = 1
"""


@pytest.mark.parametrize("end", ["\n", "\r\n"], ids=["LF", "CRLF"])
@pytest.mark.parametrize("mark", ["", "\ufeff"], ids=["plain", "marked"])
@pytest.mark.parametrize(
    ("name", "before"),
    [
        ("pyproject.toml", PYPROJECT),
        ("pyproject.toml", PYPROJECT + CONFIGURED),
        ("pyproject.toml", "[tool.errlint]"),
        ("pyproject.toml", "[tool.errlint.adapters]\ndecorators = ['*.endpoint']\n"),
        ("errlint.toml", "# ours\nexclude = ['vendor']\n[adapters]\ndecorators = ['*.endpoint']\n"),
        ("errlint.toml", "#:schema ./x.json\nexclude = ['vendor']\n"),
        ("errlint.toml", ""),
    ],
    ids=["no table", "tables", "a bare header", "an inner table", "a file", "with a schema", "an empty file"],
)
def test_a_file_keeps_what_it_has(project: Project, init: Init, name: str, before: str, mark: str, end: str) -> None:
    text = mark + before.replace("\n", end)
    root = project({**SHOP, name: text})
    assert init("--write").status == 0
    after = (root / name).read_bytes().decode()
    assert after.startswith(mark)
    lines, kept = iter(after.removeprefix(mark).splitlines()), before.splitlines()
    assert all(any(line == other for other in lines) for line in kept)  # in their order
    assert end not in text or after.count("\n") == after.count(end)
    policy = load(root).settings.policy
    assert policy.boundaries[-1].decorator == "shop.errors.answered"
    assert policy.exceptions.default == "shop.errors.ShopError"
    assert policy.codes.registry == ("shop.errors:ErrorCode",)
    again = init("--write")
    assert f"\n{name} has all that is proposed.\n" in again.out
    assert (root / name).read_bytes().decode() == after


def test_what_a_configuration_says_is_not_said_again(project: Project, init: Init) -> None:
    own = 'style = "raise"\n[[boundary]]\ndecorator = "answered"\n[exceptions]\ndefault = "shop.errors.NotFoundError"\n'
    root = project({**SHOP, "errlint.toml": own})
    init("--write")
    text = (root / "errlint.toml").read_text("utf-8")
    assert text.startswith(own)
    assert parse(text).keys() == {"style", "boundary", "exceptions", "codes", "catalog"}
    assert parse(text)["exceptions"] == {"default": "shop.errors.NotFoundError"}
    assert len(parse(text)["boundary"]) == 1


def test_a_configuration_in_a_folder_above_is_the_one(
    project: Project, init: Init, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = project({**SHOP, "errlint.toml": ""})
    monkeypatch.chdir(root / "shop")
    assert init("--write").status == 0
    assert not (root / "shop" / "errlint.toml").exists()
    assert load(root).settings.policy.boundaries


def test_what_would_be_written_is_a_patch(project: Project, init: Init) -> None:
    root = project(WITH_PYPROJECT)
    subprocess.run(("git", "init", "-q"), cwd=root, check=True)
    patch = init("--dry-run").out
    assert (root / "pyproject.toml").read_text("utf-8") == PYPROJECT
    subprocess.run(("git", "apply", "-"), cwd=root, input=patch.encode(), check=True)
    applied = (root / "pyproject.toml").read_bytes()
    (root / "pyproject.toml").write_text(PYPROJECT, "utf-8")
    init("--write")
    assert (root / "pyproject.toml").read_bytes() == applied
    assert init("--dry-run").out == ""
    refused = init("--dry-run", "--write")
    assert (refused.status, refused.err) == (
        2,
        "errlint: error: --write and --dry-run do not go together (give one of them)\n",
    )


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("pyproject.toml", "tool = 1\n", "pyproject.toml:1:1: `tool` is no table (make it one)"),
        ("errlint.toml", "style = 1\n", "`style` must be one of raise, return, log, not an integer"),
        ("errlint.toml", "style = \n", "syntax error"),
    ],
    ids=["no table", "a wrong value", "no TOML"],
)
def test_a_file_that_cannot_take_it_is_left_alone(
    project: Project, init: Init, name: str, text: str, message: str
) -> None:
    root = project({**SHOP, name: text})
    done = init("--write")
    assert done.status == 2
    assert message in done.err
    assert done.err.count("\n") == 1
    assert (root / name).read_text("utf-8") == text


def test_a_write_that_fails_leaves_the_old_file(project: Project, init: Init, monkeypatch: pytest.MonkeyPatch) -> None:
    root = project(WITH_PYPROJECT)

    def no_space(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", no_space)
    done = init("--write")
    assert (done.status, done.out) == (2, "")
    assert "No space left on device" in done.err
    assert (root / "pyproject.toml").read_text("utf-8") == PYPROJECT
    assert [path.name for path in root.iterdir() if path.name.startswith("pyproject")] == ["pyproject.toml"]


def test_a_read_only_file_is_left_alone(project: Project, init: Init) -> None:
    root = project(WITH_PYPROJECT)
    (root / "pyproject.toml").chmod(0o444)
    done = init("--write")
    assert (done.status, done.out) == (2, "")
    assert "pyproject.toml: cannot be written: the file is read-only" in done.err
    assert (root / "pyproject.toml").read_text("utf-8") == PYPROJECT


def test_what_was_added_can_be_undone(project: Project, init: Init, capsys: pytest.CaptureFixture[str]) -> None:
    root = project(WITH_PYPROJECT)
    assert init("--write").status == 0
    assert caller(capsys)("undo").status == 0
    assert (root / "pyproject.toml").read_text("utf-8") == PYPROJECT


def test_a_link_out_of_the_project_is_not_followed(project: Project, init: Init, tmp_path: Path) -> None:
    root = project({f"in/{name}": text for name, text in SHOP.items()} | {"out.toml": PYPROJECT}) / "in"
    os.chdir(root)
    subprocess.run(("git", "init", "-q"), cwd=root, check=True)
    (root / "pyproject.toml").symlink_to(tmp_path / "out.toml")
    done = init("--write")
    assert done.status == 2
    assert "is a link out of the project" in done.err
    assert (tmp_path / "out.toml").read_text("utf-8") == PYPROJECT


def test_names_of_the_code_do_not_steer_the_terminal(project: Project, init: Init) -> None:
    hostile = "\x1b]0;owned\x07\x1b[2J"
    script = '[project.scripts]\n"a\\u001b[2J\\u202e" = "pkg:main\\u001b[31m"\n'
    key = json.dumps(f"error{hostile}")
    clauses = f'except Exception:\n            return {{"error": "no", {key}: 1}}'
    root = project({"pyproject.toml": script, f"se{hostile}rver.py": DECORATOR.replace("CLAUSES", clauses)})
    for arguments in ((), ("--output-format", "json"), ("--dry-run",), ("--write",)):
        done = init(*arguments)
        assert done.status == 0
        assert "\x1b" not in done.out + done.err
        assert "\u202e" not in done.out
    written = (root / "pyproject.toml").read_text("utf-8")
    assert "\x1b" not in written
    assert parse(written)["tool"]["errlint"]["boundary"][0]["envelope"] == {"error": "*", f"error{hostile}": "*"}


EXPOSING = """\
import functools

TOOLS = {}


def exposed(function):
    @functools.wraps(function)
    def inner(*args):
        try:
            return function(*args)
        except Exception as exc:
            return {"error": str(exc)}

    TOOLS[function.__name__] = inner
    return inner
"""

EXPOSED = """\
from shop.serving import exposed


@exposed
def find(name):
    return {"error": "no such thing"}


@exposed
def count(name):
    return {"error": "no such table"}
"""


def test_a_decorator_of_the_project_is_proposed_where_no_other_makes_an_adapter(project: Project, init: Init) -> None:
    root = project(
        {
            "shop/__init__.py": "",
            "shop/serving.py": EXPOSING,
            "shop/tools.py": EXPOSED,
        }
    )
    out = init("--write").out
    assert (
        "# 2 returns look like an error answer, and nothing that clients call was found. What makes a function one:\n"
        "  # `shop.serving.exposed` (shop/serving.py:6) is on 2 functions.\n"
    ) in out
    written = (root / "errlint.toml").read_text("utf-8")
    assert '# decorators = ["shop.serving.exposed"]\n' in written


def test_tools_of_a_class_of_the_project_are_said_to_be_refused(tmp_path: Path, errlint: Run) -> None:
    (tmp_path / "base.py").write_text(
        "from abc import ABC, abstractmethod\n\n\nclass BaseTool(ABC):\n"
        "    @abstractmethod\n    def call(self, title): ...\n"
    )
    (tmp_path / "tools.py").write_text(
        "from fastapi import FastAPI\n\nfrom base import BaseTool\n\napp = FastAPI()\n\n\n"
        "@app.get('/titles')\ndef titles():\n    return {'error': 'there are none'}\n\n\n"
        "class CountTool(BaseTool):\n    def call(self, title):\n        return {'error': title}\n"
    )
    done = errlint("init")
    said = " ".join((done.out + done.err).replace("# ", "").split())
    assert "1 adapter as method of a tool class" in said
    assert "exceptions of tools below `BaseTool` is not known, so `errlint --fix` refuses them." in said
    assert "`errlint --diff --unsafe-fixes` shows which error answers become such raises" in said
    refused = errlint("check", "--diff", "--unsafe-fixes")
    assert "it is not known what `BaseTool` makes of an exception" in refused.out + refused.err


@pytest.mark.parametrize("server", ["", "from fastmcp import FastMCP\n\nmcp = FastMCP('a')\n"], ids=["alone", "beside"])
def test_tools_of_agents_are_said_to_need_something_that_answers(tmp_path: Path, errlint: Run, server: str) -> None:
    tool = '@tool\ndef count(title: str) -> dict:\n    return {"error": title}\n'
    (tmp_path / "tools.py").write_text(f"from langchain_core.tools import tool\n{server}\n\n{tool}")
    done = errlint("init")
    said = " ".join((done.out + done.err).replace("# ", "").split())
    assert "refuses them unless `handle_tool_error`" in said
    assert "such raises of error answers." not in said
