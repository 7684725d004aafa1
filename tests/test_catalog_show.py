"""``errlint catalog show`` prints the errors of the code, with all that they are given in the end."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from errlint.cli import main

ERRORS = """\
from enum import Enum

LIMIT = 50
MODES = ("fast", "slow")


class ErrorCode(Enum):
    NOT_FOUND = "not-found"
    INVALID = "invalid"
    BUSY = "busy"
    BROKEN = "broken"


ERROR_MESSAGES = {
    ErrorCode.BUSY.value: "The database {name} is busy. Wait a moment.",
    ErrorCode.BROKEN.value: "The database is broken.",
}


def message_of(code, context):
    text = ERROR_MESSAGES.get(code.value)
    return text.format(**context)


class AppError(Exception):
    status = 500
    code = ErrorCode.INVALID

    def __init__(self, message, *, code=None, hints=None, details=None):
        super().__init__(message)
        self.message = message
        self.code = code or self.code
        self.hints = hints or ["Read the manual"]
        self.details = details or {}


class NotFound(AppError):
    status = 404

    def __init__(self, what, name, **more):
        super().__init__(f"{what} {name!r} does not exist", code=ErrorCode.NOT_FOUND, details={"name": name}, **more)


class Busy(AppError):
    code = ErrorCode.BUSY

    def __init__(self, message="The server is busy with other work, and nobody knows for how long"):
        super().__init__(message)


class Looked(AppError):
    def __init__(self, code, **context):
        super().__init__(message_of(code, context), code=code)
"""
SERVER = """\
from errors import LIMIT, MODES, AppError, Busy, ErrorCode, Looked, NotFound
from fastmcp import FastMCP

mcp = FastMCP("orders")


def bad_mode(mode, hint="Use a mode"):
    return AppError(f"Unknown mode {mode}, use one of: {', '.join(MODES)}", hints=[hint, "Or none"])


def classify_code(error):
    if isinstance(error, OSError):
        return ErrorCode.BUSY
    return ErrorCode.INVALID


@mcp.tool()
def get_order(order_id: str, mode: str = "fast"):
    if mode not in MODES:
        raise bad_mode(mode)
    try:
        return load(order_id)
    except OSError as error:
        raise AppError("Loading of %s failed: %s" % (order_id, error), code=classify_code(error)) from error


def load(order_id):
    if len(order_id) > LIMIT:
        raise AppError("An id has " + f"at most {LIMIT} " "characters", hints=None)
    if order_id == "0":
        raise Busy
    if order_id == "1":
        raise Looked(ErrorCode.BUSY, name=order_id)
    if order_id == "2":
        return {"error": "no such order", "code": "gone", "hint": "Ask for another"}
    if order_id != "3":
        raise NotFound("Order", order_id, hints=["List the orders first"])
    return {"order": order_id}


def forgotten():
    raise AppError("Nobody calls this")


def parse(text):
    try:
        raise AppError("Caught at once")
    except AppError:
        return None


@mcp.tool()
def parse_order(text: str):
    return parse(text)
"""

Show = Callable[[dict[str, str]], list[dict[str, Any]]]


@pytest.fixture
def show(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Show:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "pyproject.toml").write_text("[project]\nname = 'orders'\n")

    def run(files: dict[str, str]) -> list[dict[str, Any]]:
        for path, text in files.items():
            (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / path).write_text(text)
        with pytest.raises(SystemExit) as exited:
            main(["catalog", "show", "--format", "json"])
        assert exited.value.code == 0
        found: list[dict[str, Any]] = json.loads(capsys.readouterr().out)
        return found

    return run


@pytest.fixture
def orders(show: Show) -> list[dict[str, Any]]:
    return show({"errors.py": ERRORS, "server.py": SERVER})


def with_message(errors: list[dict[str, Any]], start: str) -> dict[str, Any]:
    found = [error for error in errors if error["messages"] and error["messages"][0].startswith(start)]
    assert len(found) == 1, [error["messages"] for error in errors]
    return found[0]


@pytest.mark.parametrize(
    ("start", "expected"),
    [
        pytest.param(
            "Order {",
            {
                "class": "errors.NotFound",
                "messages": ["Order {order_id} does not exist"],
                "codes": ["not-found"],
                "hints": ["List the orders first"],
                "status": 404,
                "fields": ["what", "name", "hints"],
                "adapters": ["get_order"],
            },
            id="what a constructor makes of its arguments",
        ),
        pytest.param(
            "Unknown mode",
            {
                "class": "errors.AppError",
                "messages": ["Unknown mode {mode}, use one of: fast, slow"],
                "codes": ["invalid"],
                "hints": ["Use a mode", "Or none"],
            },
            id="a factory, its defaults, and a list of constants that is joined",
        ),
        pytest.param(
            "Loading of",
            {"messages": ["Loading of {order_id} failed: {error}"], "codes": ["busy", "invalid"]},
            id="a format with %, and the codes that a function tells apart",
        ),
        pytest.param(
            "An id has",
            {"messages": ["An id has at most 50 characters"], "hints": ["Read the manual"]},
            id="constants and pieces of a text, and the default of the class for None",
        ),
        pytest.param(
            "The server is busy",
            {
                "class": "errors.Busy",
                "messages": ["The server is busy with other work, and nobody knows for how long"],
                "codes": ["busy"],
                "fields": [],
            },
            id="a class that is raised without a call",
        ),
        pytest.param(
            "The database",
            {"messages": ["The database {name} is busy. Wait a moment."], "codes": ["busy"]},
            id="a message that is looked up by its code",
        ),
        pytest.param(
            "no such order",
            {"kind": "payload", "class": None, "codes": ["gone"], "hints": ["Ask for another"]},
            id="a payload",
        ),
    ],
)
def test_an_error_is_told_with_all_it_holds(
    orders: list[dict[str, Any]], start: str, expected: dict[str, object]
) -> None:
    error = with_message(orders, start)
    assert {name: error[name] for name in expected} == expected


def test_an_error_of_a_factory_stands_where_it_is_raised_and_names_where_it_is_made(
    orders: list[dict[str, Any]],
) -> None:
    error = with_message(orders, "Unknown mode")
    assert (error["function"], error["location"]["row"]) == ("get_order", 20)
    assert (error["made"]["filename"], error["made"]["location"]["row"]) == ("server.py", 8)


@pytest.mark.parametrize(
    ("start", "reachable", "escapes"),
    [
        pytest.param("Order {", True, True, id="of a tool"),
        pytest.param("Nobody", False, True, id="of a function that nobody calls"),
        pytest.param("Caught", True, False, id="that its own function catches"),
    ],
)
def test_an_error_says_whether_it_surfaces(
    orders: list[dict[str, Any]], start: str, reachable: bool, escapes: bool
) -> None:
    error = with_message(orders, start)
    assert (error["reachable"], error["escapes"]) == (reachable, escapes)


LIBRARY = """\
class LibraryError(Exception):
    pass


def public():
    _private()


def _private():
    raise LibraryError("of a private function")


def _dead():
    raise LibraryError("of a dead one")
"""


def test_what_is_public_in_a_library_is_reachable(show: Show) -> None:
    errors = show({"library.py": LIBRARY})
    assert {error["messages"][0]: error["reachable"] for error in errors} == {
        "of a private function": True,
        "of a dead one": False,
    }


REACHED = """\
import functools
import handlers
from fastmcp import FastMCP

mcp = FastMCP("orders")


def guarded(function):
    @functools.wraps(function)
    def wrapper(*args):
        try:
            return function(*args)
        except OSError as error:
            raise RuntimeError("in a decorator") from error

    return wrapper


class Mixin:
    def handle_get(self):
        raise RuntimeError("looked up in self")

    def other(self):
        raise RuntimeError("not looked up")

    def run(self, name):
        method = getattr(self, f"handle_{name}")
        return method()


@mcp.tool()
@guarded
def tool(name: str):
    handler = getattr(handlers, name)
    return handler() or Mixin().run(name)
"""
HANDLERS = """\
def handler():
    raise RuntimeError("looked up in a module")
"""


def test_decorators_and_what_is_looked_up_by_name_are_reachable(show: Show) -> None:
    errors = show({"server.py": REACHED, "handlers.py": HANDLERS})
    assert {error["messages"][0]: error["reachable"] for error in errors} == {
        "in a decorator": True,
        "looked up in self": True,
        "not looked up": False,
        "looked up in a module": True,
    }


def test_markdown_has_a_table_for_each_class_of_what_surfaces(show: Show, capsys: pytest.CaptureFixture[str]) -> None:
    show({"errors.py": ERRORS, "server.py": SERVER})
    with pytest.raises(SystemExit) as exited:
        main(["catalog", "show"])
    assert exited.value.code == 0
    text = capsys.readouterr().out
    assert [line for line in text.splitlines() if line.startswith("#")] == [
        "# Errors", "## AppError", "## Busy", "## Looked", "## NotFound", "## Error payloads",
    ]  # fmt: skip
    row = "| `not-found` | Order {order_id} does not exist | List the orders first | `what`, `name`, `hints` | 404 | "
    assert f"{row}`get_order` | `server.py:37` |" in text
    assert "Nobody calls" not in text
    assert "Caught at once" not in text


def test_what_means_something_in_a_table_is_escaped(show: Show, capsys: pytest.CaptureFixture[str]) -> None:
    show({"library.py": "def check(a):\n    raise ValueError('a|b <c> `d` *e*')\n"})
    with pytest.raises(SystemExit):
        main(["catalog", "show"])
    assert r"| a\|b &lt;c> \`d\` \*e\* |" in capsys.readouterr().out


def test_a_project_without_errors_has_an_empty_catalog(show: Show) -> None:
    assert show({"server.py": "VALUE = 1\n"}) == []


LOGS = """\
import json
import logging

logger = logging.getLogger(__name__)


def job():
    logger.error("The job %s failed", "x", extra={"error_type": "JOB_FAILED"})
    logger.info("all is well")


job()
"""


def test_error_logs_are_errors_where_errors_are_reported_in_logs(show: Show) -> None:
    configuration = 'style = "log"\n[payload]\ntype-field = "error_type"\n'
    (error,) = show({"job.py": LOGS, "errlint.toml": configuration})
    assert (error["kind"], error["codes"], error["messages"]) == ("log", ["JOB_FAILED"], ["The job %s failed"])


def test_error_logs_are_no_errors_where_errors_are_raised(show: Show) -> None:
    assert show({"job.py": LOGS}) == []
