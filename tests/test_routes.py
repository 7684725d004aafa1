"""Routes: what FastAPI, Starlette and Flask answer before and after a fix, and the tools that are made of routes.

Where a framework is not installed its tests are skipped; Starlette comes with the MCP SDK.
"""

from __future__ import annotations

import json
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest
from command_line import Run

FASTAPI = """\
from fastapi import APIRouter, FastAPI, Response
from fastapi.responses import JSONResponse

from shelf import copies

app = FastAPI()
router = APIRouter()


@app.get("/count")
async def count(title: str = ""):
    if not title:
        return {"error": "no title", "hint": "give one"}
    try:
        return {"copies": 1 // (title != "emma")}
    except ZeroDivisionError as e:
        return {"error": str(e), "success": False}


@router.get("/copies")
def look_up(title: str):
    return copies(title)


@app.get("/both")
def both(title: str):
    found = copies(title)
    if "error" in found:
        return JSONResponse({"error": f"both: {found['error']}"})
    return found


@app.get("/told")
def told(response: Response):
    response.status_code = 409
    return {"error": "lent already"}


@app.get("/right")
def right():
    return JSONResponse({"error": "gone"}, status_code=410)


@app.get("/health")
def health():
    try:
        return {"status": "ok", "shelves": len(copies("emma"))}
    except Exception as e:
        return {"status": "error", "error": str(e)}


app.include_router(router)
"""
SHELF = """\
def copies(title):
    if title == "ulysses":
        return {"error": f"{title} not found"}
    return {"copies": 2}
"""
STARLETTE = """\
from starlette.applications import Starlette
from starlette.responses import JSONResponse
from starlette.routing import Route


async def count(request):
    title = request.query_params.get("title")
    if not title:
        return JSONResponse({"error": "no title"})
    if title == "ulysses":
        return JSONResponse({"error": "lent"}, status_code=409)
    return JSONResponse({"copies": 1})


app = Starlette(routes=[Route("/count", count)])
"""
FLASK = """\
from flask import Blueprint, Flask, jsonify, request

app = Flask(__name__)
shelf = Blueprint("shelf", __name__)


@app.route("/count")
def count():
    title = request.args.get("title")
    if not title:
        return {"success": False, "error": "no title", "hint": "give one"}
    if title == "ulysses":
        return {"error": "lent"}, 409
    try:
        return jsonify({"copies": 1 // (title != "emma")})
    except ZeroDivisionError as e:
        return jsonify({"error": str(e)})


@shelf.get("/lend")
def lend():
    return jsonify(error="not today"), 403


app.register_blueprint(shelf)
"""

ASGI_CLIENT = """\
import asyncio, json, sys
from server import app

async def ask(path):
    path, _, query = path.partition("?")
    sent = []

    async def receive():
        return {"type": "http.request", "body": b"", "more_body": False}

    async def send(message):
        sent.append(message)

    await app({"type": "http", "asgi": {"version": "3.0"}, "http_version": "1.1", "method": "GET", "scheme": "http",
               "path": path, "raw_path": path.encode(), "query_string": query.encode(), "headers": [],
               "server": ("localhost", 80), "client": ("localhost", 1)}, receive, send)
    body = b"".join(each.get("body", b"") for each in sent)
    try:
        told = json.loads(body)
    except ValueError:
        told = body.decode()
    print(json.dumps([sent[0]["status"], told]))

for path in json.loads(sys.argv[1]):
    asyncio.run(ask(path))
"""
WSGI_CLIENT = """\
import json, sys
from server import app

for path in json.loads(sys.argv[1]):
    answer = app.test_client().get(path)
    print(json.dumps([answer.status_code, answer.get_json(silent=True) or answer.text]))
"""
TOOLS_CLIENT = """\
import asyncio, json, sys
from fastmcp import Client, FastMCP
from server import app

async def ask():
    async with Client(FastMCP.from_fastapi(app)) as client:
        for title in ("", "austen"):
            answer = await client.call_tool("count_count_get", {"title": title}, raise_on_error=False)
            print(json.dumps([answer.is_error, answer.content[0].text]))

asyncio.run(ask())
"""


def ask(folder: Path, client: str, paths: tuple[str, ...] = ()) -> list[list[object]]:
    """Ask a server in a process of its own; return the status of each answer, and what it says."""
    command = [sys.executable, "-c", client, json.dumps(paths)]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    return [json.loads(line) for line in done.stdout.splitlines()]


def fix(folder: Path, errlint: Run) -> str:
    """Fix a server; return what is said of that."""
    done = errlint("--isolated", "--no-cache", "--fix", "--unsafe-fixes")
    assert done.status == 0, done
    return done.err


@pytest.mark.skipif(find_spec("fastapi") is None, reason="FastAPI is not installed")
def test_fastapi_answers_errors_with_the_status_of_one(tmp_path: Path, errlint: Run) -> None:
    (tmp_path / "server.py").write_text(FASTAPI)
    (tmp_path / "shelf.py").write_text(SHELF)
    wrong = ("/count", "/count?title=emma", "/copies?title=ulysses", "/both?title=ulysses")
    others = ("/count?title=austen", "/copies?title=austen", "/both?title=austen", "/told", "/right", "/health")
    before = ask(tmp_path, ASGI_CLIENT, (*wrong, *others))
    assert [status for status, _ in before] == [200] * 7 + [409, 410, 200]

    told = fix(tmp_path, errlint)
    after = ask(tmp_path, ASGI_CLIENT, (*wrong, *others))
    assert after[:4] == [
        [400, {"detail": {"error": "no title", "hint": "give one"}}],
        [500, {"detail": "integer division or modulo by zero"}],
        [404, {"detail": "ulysses not found"}],
        [404, {"detail": "both: ulysses not found"}],
    ]
    assert after[4:] == before[4:]
    assert "the status 404 was chosen" in told


@pytest.mark.skipif(find_spec("fastapi") is None, reason="FastAPI is not installed")
def test_tools_that_are_made_of_routes_answer_errors(tmp_path: Path, errlint: Run) -> None:
    (tmp_path / "server.py").write_text(FASTAPI)
    (tmp_path / "shelf.py").write_text(SHELF)
    assert [is_error for is_error, _ in ask(tmp_path, TOOLS_CLIENT)] == [False, False]
    fix(tmp_path, errlint)
    (wrong, text), (right, _) = ask(tmp_path, TOOLS_CLIENT)
    assert wrong is True
    assert right is False
    assert "no title" in str(text)
    assert "give one" in str(text)


def test_starlette_answers_the_text_with_the_status_of_an_error(tmp_path: Path, errlint: Run) -> None:
    (tmp_path / "server.py").write_text(STARLETTE)
    paths = ("/count", "/count?title=ulysses", "/count?title=emma")
    before = ask(tmp_path, ASGI_CLIENT, paths)
    assert [status for status, _ in before] == [200, 409, 200]
    fix(tmp_path, errlint)
    assert ask(tmp_path, ASGI_CLIENT, paths) == [[400, "no title"], *before[1:]]


@pytest.mark.skipif(find_spec("flask") is None, reason="Flask is not installed")
def test_flask_answers_the_same_body_with_the_status_of_an_error(tmp_path: Path, errlint: Run) -> None:
    (tmp_path / "server.py").write_text(FLASK)
    paths = ("/count", "/count?title=emma", "/count?title=ulysses", "/count?title=austen", "/lend")
    before = ask(tmp_path, WSGI_CLIENT, paths)
    assert [status for status, _ in before] == [200, 200, 409, 200, 403]
    fix(tmp_path, errlint)
    after = ask(tmp_path, WSGI_CLIENT, paths)
    assert [told for _, told in after] == [told for _, told in before]
    assert [status for status, _ in after] == [400, 500, 409, 200, 403]


ROUTES = {
    "Flask": ("from flask import Flask\n\napp = Flask(__name__)\n", '@app.route("/count")', "{}"),
    "FastAPI": ("from fastapi import FastAPI\n\napp = FastAPI()\n", '@app.get("/count")', "{}"),
    "Starlette": (
        "from starlette.applications import Starlette\nfrom starlette.responses import JSONResponse\n\n"
        "app = Starlette()\n",
        '@app.route("/count")',
        "JSONResponse({})",
    ),
}
MARKED = '{"success": False, "error": "no title"}'
HINTED = '{"success": False, "error": "no title", "hint": "give one"}'
NESTED = '{"success": False, "error": {"message": "no title", "code": "NO_TITLE"}}'
NO_SUCCESS = "`HTTPException` has no place for `success`: clients do not get that any more"
BESIDE = "what stood below `error` stands beside the other keys of the answer"
ANSWERED = {
    "Flask, a marker": ("Flask", MARKED, f"make_response({MARKED}, 400)", ""),
    "Flask, what was nested": (
        "Flask",
        NESTED,
        '{"success": False, "message": "no title", "code": "NO_TITLE"}, 400',
        BESIDE,
    ),
    "FastAPI, a marker alone": ("FastAPI", MARKED, 'detail="no title"', NO_SUCCESS),
    "FastAPI, more": ("FastAPI", HINTED, f"detail={HINTED}", ""),
    "FastAPI, what was nested": (
        "FastAPI",
        NESTED,
        'detail={"success": False, "message": "no title", "code": "NO_TITLE"}',
        BESIDE,
    ),
    "Starlette, a marker": ("Starlette", MARKED, 'detail="no title"', NO_SUCCESS),
}


@pytest.mark.parametrize(("framework", "payload", "raised", "told"), ANSWERED.values(), ids=ANSWERED)
def test_no_part_of_what_a_route_answered_goes_without_a_word(
    framework: str, payload: str, raised: str, told: str, tmp_path: Path, errlint: Run
) -> None:
    head, decorator, answer = ROUTES[framework]
    body = f"def count(title=None):\n    if not title:\n        return {answer.replace('{}', payload)}\n"
    (tmp_path / "server.py").write_text(f"{head}\n\n{decorator}\n{body}    return {answer}\n")
    said = fix(tmp_path, errlint)
    assert raised in "".join((tmp_path / "server.py").read_text().split("\n            "))
    assert [text for text in (NO_SUCCESS, BESIDE) if text in said] == ([told] if told else [])
    assert ("what stood below" in said) is (told == BESIDE)


QUIET = {
    "nobody knows the framework": """\
from aiohttp import web

routes = web.RouteTableDef()


@routes.get("/count")
async def count(request):
    return {"error": "no title"}
""",
    "a client has a method of the name": """\
from fastapi import FastAPI
from clients import cached

app = FastAPI()


@cached.get("count")
def count(title):
    return {"error": "no title"}
""",
    "what no route answers": """\
from fastapi import FastAPI

app = FastAPI()


def count(title):
    return {"error": "no title"}


@app.get("/count")
def look_up(title: str):
    print(count(title))
    return {"copies": 2}
""",
    "a route that hands it to a response with a status": """\
from fastapi import FastAPI
from fastapi.responses import JSONResponse

app = FastAPI()


def failed(text):
    return {"error": text}


@app.get("/count")
def count(title: str):
    return JSONResponse(failed("no title"), status_code=400)


@app.exception_handler(ValueError)
async def on_error(request, error):
    return JSONResponse({"error": str(error)})
""",
}


@pytest.mark.parametrize("case", QUIET)
def test_what_is_not_the_answer_of_a_route_is_not_reported(case: str, tmp_path: Path, errlint: Run) -> None:
    (tmp_path / "server.py").write_text(QUIET[case])
    (tmp_path / "clients.py").write_text("class Cached: ...\n\n\ncached = Cached()\n")
    done = errlint("--isolated", "--no-cache", "--select", "ERR101,ERR102,ERR103,ERR105")
    assert done.status == 0, done.out


def test_a_route_is_reported_by_that_name_and_explained(tmp_path: Path, errlint: Run) -> None:
    (tmp_path / "server.py").write_text(STARLETTE)
    assert "the route `count` returns a hand-built error payload" in errlint("--isolated", "--no-cache").out
    assert "a route of Starlette" in errlint("explain", "server.py:9").out


VIEWS = """\
from django.http import JsonResponse
from rest_framework.response import Response
from rest_framework.views import APIView


def tide(request):
    result = {"status": 0, "msg": "ok"}
    if not request.GET:
        result["status"] = 1
        result["msg"] = "which port?"
        return JsonResponse(result)
    return JsonResponse(harbour(request.GET["port"]))


def harbour(port):
    if port == "none":
        return {"status": 1, "msg": "no such port"}
    return {"status": 0, "msg": "ok", "data": port}


class Ports(APIView):
    def get(self, request):
        if not request.query_params:
            return Response({"code": 1, "msg": "which port?"})
        return Response({"code": 0, "msg": "ok"})
"""
URLS = 'from django.urls import path\n\nimport views\n\nurlpatterns = [path("tide", views.tide)]\n'


def test_routes_of_django_are_refused_with_the_reason(tmp_path: Path, errlint: Run) -> None:
    (tmp_path / "views.py").write_text(VIEWS)
    (tmp_path / "urls.py").write_text(URLS)
    done = errlint("--isolated", "--no-cache", "--diff", "--unsafe-fixes")
    told = " ".join(done.err.split())
    assert (
        "Django has no exception whose text clients get with any status hint: give the response a `status` of 400 or "
        "more views.py:11 in `tide` views.py:17 in `harbour`" in told
    )
    assert "Django REST framework has no exception whose text clients get with any status" in told
    assert "0 fixable, 3 refused" in told


def test_a_name_that_holds_an_envelope_tells_where_it_got_its_number(tmp_path: Path, errlint: Run) -> None:
    (tmp_path / "views.py").write_text(VIEWS)
    (tmp_path / "urls.py").write_text(URLS)
    found = json.loads(errlint("--isolated", "--no-cache", "--output-format", "json").out)
    related = {each["location"]["row"]: [item["location"]["row"] for item in each["related"]] for each in found}
    assert related == {11: [9], 17: [], 24: []}


ENVELOPES = """\
from flask import Flask, jsonify, request

app = Flask(__name__)


def refuse(msg, code=7):
    return jsonify({"code": code, "msg": msg})


def reply(code=0, msg="ok"):
    return jsonify(code=code, msg=msg)


@app.route("/count")
def count():
    result = {"code": 0, "msg": "ok"}
    title = request.args.get("title")
    if not title:
        result["code"] = 1
        result["msg"] = "no title"
        return jsonify(result)
    if title == "emma":
        return refuse("it is lent")
    if title == "ulysses":
        return jsonify(code=404, msg="it is gone")
    if title == "austen":
        return reply(3, "several are there")
    return reply()
"""


@pytest.mark.skipif(find_spec("flask") is None, reason="Flask is not installed")
def test_flask_answers_envelopes_as_they_were_with_the_status_of_an_error(tmp_path: Path, errlint: Run) -> None:
    (tmp_path / "server.py").write_text(ENVELOPES)
    paths = ("/count", "/count?title=emma", "/count?title=ulysses", "/count?title=austen", "/count?title=x")
    before = ask(tmp_path, WSGI_CLIENT, paths)
    assert [status for status, _ in before] == [200] * 5
    fix(tmp_path, errlint)
    after = ask(tmp_path, WSGI_CLIENT, paths)
    assert [told for _, told in after] == [told for _, told in before]
    assert [status for status, _ in after] == [400, 400, 404, 400, 200]


NUMBERED = """\
from fastapi import FastAPI

app = FastAPI()


@app.get("/count")
def count(title: str = ""):
    if not title:
        return {"code": 1, "msg": "no title"}
    return {"code": 0, "msg": "ok"}
"""


def test_fastapi_tells_the_number_in_the_detail(tmp_path: Path, errlint: Run) -> None:
    (tmp_path / "server.py").write_text(NUMBERED)
    fix(tmp_path, errlint)
    written = (tmp_path / "server.py").read_text()
    assert 'raise HTTPException(status_code=400, detail={"msg": "no title", "code": 1})' in written
