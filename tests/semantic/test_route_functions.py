"""Which functions a web framework calls for requests, and what says the status of their answers."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from linked_texts import linked

from errlint.facts import Call, Function, only
from errlint.project import Project
from errlint.project.frameworks import AGENTS, FRAMEWORKS, WEB, above, imported_from, is_from

FIND = "def find(name):\n    return name\n"


def function(project: Project, path: str, name: str) -> Function:
    """Return a function of a file."""
    return next(each for each in project.modules[path].functions if each.name == name)


def framework(text: str, name: str = "find") -> str:
    """Return the name of the framework that calls a function, "" for none."""
    project = linked({"shop.py": text})
    found = project.routes.framework("shop.py", function(project, "shop.py", name))
    assert project.routes.is_route("shop.py", function(project, "shop.py", name)) is (found is not None)
    assert project.routes.distributions == (frozenset({""}) if found is not None else frozenset())
    return found.name if found is not None else ""


FASTAPI = "from fastapi import FastAPI\n\napp = FastAPI()\n\n"
FLASK = "from flask import Flask\n\napp = Flask(__name__)\n\n"

DECORATED = {
    "of FastAPI": (f"{FASTAPI}@app.get('/books')\n{FIND}", "FastAPI"),
    "of FastAPI by a router": (f"from fastapi import APIRouter\n\nshop = APIRouter()\n\n@shop.post('/books')\n"
    f"{FIND}", "FastAPI"),
    "of FastAPI by any method": (f"{FASTAPI}@app.api_route('/books')\n{FIND}", "FastAPI"),
    "of Flask": (f"{FLASK}@app.route('/books')\n{FIND}", "Flask"),
    "of Flask beside FastAPI": (f"from fastapi import FastAPI\n{FLASK}@app.route('/books')\n{FIND}", "Flask"),
    "of an object of the only framework of its file": (f"from flask import request\nfrom shop import app\n\n"
    f"@app.get('/books')\n{FIND}", "Flask"),
    "of an object of one of two frameworks": (
        f"from flask import request\nfrom fastapi import Request\nfrom shop import app\n\n@app.get('/books')\n{FIND}",
        "",
    ),
    "of an object of FastAPI or its foundation": (
        f"from starlette.requests import Request\nfrom fastapi import Depends\nfrom shop import app\n\n"
        f"@app.get('/a')\n{FIND}",
        "FastAPI",
    ),
    "of an object that something else makes": (f"from flask import request\nfrom other import App\n\n"
    f"app = App()\n\n@app.get('/a')\n{FIND}", ""),
    "of an object that a function makes": (
        f"from flask import Flask\n\ndef made():\n    return Flask(__name__)\n\napp = made()\n\n@app.get('/a')\n{FIND}",
        "Flask",
    ),
    "of an object that a function makes which is of nothing": (
        f"def made():\n    return App()\n\napp = made()\n\n@app.get('/a')\n{FIND}",
        "",
    ),
    "of something that is no object": (f"from flask import request\nimport requests\n\n@requests.get('/a')\n"
    f"{FIND}", ""),
    "of a class": (f"from flask import request\n\nclass App:\n    pass\n\n@App.get('/a')\n{FIND}", ""),
    "of no framework": (f"from shop import app\n\n@app.get('/a')\n{FIND}", ""),
    "of what is no route": (f"{FLASK}@app.errorhandler(404)\n{FIND}", ""),
    "of a name alone": (f"from flask import request\n\n@get('/a')\n{FIND}", ""),
    "of Django REST framework": (f"from rest_framework.decorators import api_view\n\n@api_view(['GET'])\n"
    f"{FIND}", "Django REST framework"),
    "of Django REST framework by its module": (
        f"from rest_framework import decorators\n\n@decorators.api_view(['GET'])\n{FIND}",
        "Django REST framework",
    ),
    "of something with that name": (f"from shop import api_view\n\n@api_view(['GET'])\n{FIND}", ""),
    "below another decorator": (f"{FASTAPI}@cached\n@app.get('/books')\n{FIND}", "FastAPI"),
    "of nothing": (f"{FASTAPI}{FIND}", ""),
    "handed over to Flask": (f"{FLASK}{FIND}\napp.add_url_rule('/books', 'find', find)\n", "Flask"),
    "handed over to Starlette": (
        f"from starlette.applications import Starlette\nfrom starlette.routing import Route\n\n{FIND}\n"
        f"app = Starlette([Route('/', find)])\n",
        "Starlette",
    ),
    "handed over in a function": (f"{FLASK}{FIND}\ndef serve(app):\n"
    f"    app.add_url_rule('/books', 'find', find)\n", "Flask"),
    "beside something that is not known": (f"{FLASK}{FIND}\napp.add_url_rule('/books', 'find', gone)\n", ""),
    "handed over to something else": (f"{FLASK}{FIND}\napp.add_filter('/books', find)\n", ""),
    "handed over to a framework that is not known": (f"{FIND}\napp.add_url_rule('/books', 'find', find)\n", ""),
    "listed for Django": (f"from django.urls import path\n\n{FIND}\nurlpatterns = [path('books', find)]\n", "Django"),
    "listed for something else": (f"from shop import path\n\n{FIND}\nurlpatterns = [path('books', find)]\n", ""),
    "called where routes are listed": (f"from django.urls import path\n\n{FIND}\n"
    f"urlpatterns = [path('books', find())]\n", ""),
}  # fmt: skip


@pytest.mark.parametrize(("text", "expected"), DECORATED.values(), ids=DECORATED)
def test_a_route_is(text: str, expected: str) -> None:
    assert framework(text) == expected


VIEWS = {
    "a method of a view": ("from rest_framework.views import APIView", "APIView", "get", "Django REST framework"),
    "a method of a view of Django": ("from django.views import View", "View", "post", "Django"),
    "a method of a set of views": (
        "from rest_framework.viewsets import ViewSet",
        "ViewSet",
        "list",
        "Django REST framework",
    ),
    "a method of a part of a set": (
        "from rest_framework.mixins import ListModelMixin",
        "ListModelMixin",
        "list",
        "Django REST framework",
    ),
    "a method of a set for a view": ("from rest_framework.views import APIView", "APIView", "list", ""),
    "another method of a set": ("from rest_framework.viewsets import ViewSet", "ViewSet", "count", ""),
    "another method of a view": ("from rest_framework.views import APIView", "APIView", "count", ""),
    "a method of another class": ("from shop import APIView", "APIView", "get", ""),
}


@pytest.mark.parametrize(("line", "base", "method", "expected"), VIEWS.values(), ids=VIEWS)
def test_a_method_is_a_route_where_its_class_is_a_view(line: str, base: str, method: str, expected: str) -> None:
    text = f"{line}\n\nclass Books({base}):\n    def {method}(self, request):\n        return request\n"
    assert framework(text, f"Books.{method}") == expected
    assert framework(f"{line}\n\ndef {method}(request):\n    return request\n", method) == ""


ANSWERED = {
    "a route": (f"{FASTAPI}@app.get('/books')\ndef find(name):\n    return look(name)\n", "find"),
    "a route by way of another function": (
        f"{FASTAPI}def count(name):\n    return look(name)\n\n@app.get('/books')\ndef find(name):\n"
        f"    return count(name)\n",
        "find",
    ),
    "a route that sets a status": (
        f"{FASTAPI}@app.get('/books')\ndef find(name, response):\n    response.status_code = 404\n"
        f"    return look(name)\n",
        "",
    ),
    "a route that says a status": (
        f"{FLASK}@app.get('/books')\ndef find(name):\n    if name:\n        return {{}}, 404\n    return look(name)\n",
        "",
    ),
    "a route that says a success": (
        f"{FLASK}@app.get('/books')\ndef find(name):\n    if name:\n        return {{}}, 200\n    return look(name)\n",
        "find",
    ),
    "a route that answers something else": (
        f"{FASTAPI}@app.get('/books')\ndef find(name):\n    look(name)\n    return name\n",
        "",
    ),
    "no route": ("def find(name):\n    return look(name)\n", ""),
}


@pytest.mark.parametrize(("text", "expected"), ANSWERED.values(), ids=ANSWERED)
def test_what_a_function_answers_may_be_the_answer_of_a_route(text: str, expected: str) -> None:
    project = linked({"shop.py": f"{text}\ndef look(name):\n    return {{'error': name}}\n"})
    look = function(project, "shop.py", "look")
    assert project.routes.answered_by("shop.py", look) == expected
    found = project.routes.answering_framework("shop.py", look)
    assert (found.name if found is not None else "") == (
        "FastAPI" if "fastapi" in text and expected else "Flask" if expected else ""
    )


def test_what_a_route_answers_is_its_own() -> None:
    text = (
        f"{FASTAPI}@app.get('/b')\ndef look(name):\n    return name\n\n@app.get('/books')\ndef find(name):\n"
        f"    return look(name)\n"
    )
    project = linked({"shop.py": text})
    look = function(project, "shop.py", "look")
    assert project.routes.answered_by("shop.py", look) == "look"
    found = project.routes.answering_framework("shop.py", look)
    assert found is not None
    assert found.name == "FastAPI"


STATUSES: Mapping[str, tuple[str, bool, int | None]] = {
    "no status": ("JSONResponse({'error': name})", False, None),
    "a status": ("JSONResponse({'error': name}, status_code=404)", True, 404),
    "a success": ("JSONResponse({'error': name}, status_code=200)", False, None),
    "a status in its place": ("JSONResponse({'error': name}, 404)", True, 404),
    "a success in its place": ("JSONResponse({'error': name}, 201)", False, None),
    "a status that is not known": ("JSONResponse({'error': name}, status_code=name)", True, None),
    "headers": ("JSONResponse({'error': name}, headers=name)", False, None),
    "something in its place": ("JSONResponse({'error': name}, name)", True, None),
    "something second of a helper": ("answer({'error': name}, name)", False, None),
    "a number second of a helper": ("answer({'error': name}, 404)", True, 404),
    "a status of Django": ("JsonResponse({'error': name}, status=404)", True, 404),
    "more than one of a list": ("jsonify({'error': name}, name)", False, None),
    "a tuple": ("({'error': name}, 404)", True, 404),
    "a tuple with a success": ("({'error': name}, 200)", False, None),
    "a tuple with what is not known": ("({'error': name}, name)", True, None),
    "a list": ("[{'error': name}, 404]", False, None),
    "a dict": ("{'error': name}", False, None),
    "the first error": ("JSONResponse({'error': name}, 400)", True, 400),
    "the last success": ("JSONResponse({'error': name}, 399)", False, None),
}  # fmt: skip


@pytest.mark.parametrize(("answer", "has_status", "status"), STATUSES.values(), ids=STATUSES)
def test_an_answer_may_say_its_status(answer: str, has_status: bool, status: int | None) -> None:
    project = linked({"shop.py": f"def find(name):\n    return {answer}\n"})
    value = function(project, "shop.py", "find").returns[0].value
    assert (project.routes.has_status(value), project.routes.error_status(value)) == (has_status, status)


CONTENTS = {
    "of a response": ("JSONResponse({'error': name})", True),
    "by its name": ("JSONResponse(content={'error': name})", True),
    "of a response with a success": ("Response({'error': name}, status=200)", True),
    "of a response with an error": ("Response({'error': name}, status=404)", False),
    "of a response of Django": ("JsonResponse({'error': name})", True),
    "of a response of Flask": ("jsonify({'error': name})", True),
    "of fields of Flask": ("jsonify(content={'error': name})", False),
    "of another call": ("answer({'error': name})", False),
    "of nothing": ("JSONResponse()", False),
    "of something else": ("JSONResponse(headers={'error': name})", False),
}


@pytest.mark.parametrize(("answer", "has_content"), CONTENTS.values(), ids=CONTENTS)
def test_a_response_that_succeeds_is_made_of_a_content(answer: str, has_content: bool) -> None:
    project = linked({"shop.py": f"def find(name):\n    return {answer}\n"})
    call = only(function(project, "shop.py", "find").returns[0].value)
    assert type(call) is Call
    assert (project.routes.content(call) is not None) is has_content


# --- frameworks ---------------------------------------------------------------------------------------------------

ABOVE = {
    "fastmcp.exceptions.ToolError": ("fastmcp.exceptions.FastMCPError", "builtins.Exception"),
    "fastmcp.exceptions.ResourceError": ("fastmcp.exceptions.FastMCPError", "builtins.Exception"),
    "fastmcp.exceptions.PromptError": ("fastmcp.exceptions.FastMCPError", "builtins.Exception"),
    "langchain_core.tools.ToolException": ("builtins.Exception",),
    "starlette.exceptions.HTTPException": ("builtins.Exception",),
    "builtins.ValueError": (),
    "fastmcp.exceptions.Other": (),
    "": (),
}


@pytest.mark.parametrize(("name", "expected"), ABOVE.items(), ids=[name or "nothing" for name in ABOVE])
def test_what_is_above_an_error_of_a_framework(name: str, expected: tuple[str, ...]) -> None:
    assert above(name) == expected


FROM = {
    "fastmcp.FastMCP": "FastMCP",
    "fastmcp": "FastMCP",
    "fastmcp_extra.FastMCP": "",
    "mcp.server.fastmcp.FastMCP": "the MCP SDK's FastMCP",
    "mcp.server.Server": "the low-level MCP server",
    "mcp.client.Server": "",
    "flask.Flask": "",
}


@pytest.mark.parametrize(("name", "expected"), FROM.items(), ids=FROM)
def test_a_server_is_known_by_its_whole_name(name: str, expected: str) -> None:
    found = imported_from(name)
    assert (found.name if found is not None else "") == expected


def test_a_framework_answers_resources_and_prompts_in_its_own_way() -> None:
    by_name = {each.name: each for each in (*FRAMEWORKS, AGENTS, *WEB)}
    sdk = by_name["the MCP SDK's FastMCP"]
    prompts, resources = sdk.of_prompts(), sdk.of_resources()
    assert prompts is not None
    assert resources is not None
    assert (prompts.registers, prompts.error, prompts.ahead) == ("prompt", "builtins.ValueError", "")
    assert (resources.registers, resources.error, resources.ahead) == (
        "resource",
        "mcp.server.fastmcp.exceptions.ResourceError",
        "",
    )
    lowest = by_name["the low-level MCP server"]
    assert (lowest.of_prompts(), lowest.of_resources()) == (
        lowest._replace(registers="prompt"),
        lowest._replace(registers="resource"),
    )
    assert by_name["MCPServer"].of_prompts() is None
    assert (AGENTS.of_prompts(), AGENTS.of_resources()) == (None, None)
    assert is_from(AGENTS, "langchain_core.tools.tool")
    assert not is_from(AGENTS, "langchain_core.tool")
