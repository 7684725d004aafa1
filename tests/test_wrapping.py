"""Decorators of the project around a tool: errors have to get through them to the framework that answers."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from command_line import Run

SERVER = """\
from mcp.server.fastmcp import FastMCP
from shelf.guard import {name}

server = FastMCP("shelf")


@server.tool()
@{decorator}
{kind}def count(title: str) -> dict:
    return {{"error": "no title"}}
"""

LOGGED = """\
import functools
import logging

logger = logging.getLogger(__name__)


def logged(function):
    @functools.wraps(function)
    def run(*args, **kwargs):
        logger.info("calling %s", function.__name__)
        try:
            return function(*args, **kwargs)
        except Exception:
            logger.exception("failed")
            raise
        finally:
            logger.info("done")

    return run
"""

GUARDED = """\
import functools
import json


def guarded(function):
    @functools.wraps(function)
    async def run(*args, **kwargs):
        try:
            result = await function(*args, **kwargs)
            return json.dumps(result)
        except Exception as error:
            return json.dumps({"error": str(error)})

    return run
"""

PASSING = """\
import functools
import json


class ShelfError(Exception):
    pass


def guarded(function):
    @functools.wraps(function)
    async def run(*args, **kwargs):
        try:
            return await function(*args, **kwargs)
        except ShelfError:
            raise  # the server tells clients
        except Exception as error:
            return json.dumps({"error": str(error)})

    return run
"""

TIMED = """\
from functools import wraps
from inspect import iscoroutinefunction


def timed(label="tool"):
    def decorate(function):
        if iscoroutinefunction(function):
            @wraps(function)
            async def wait(*args, **kwargs):
                result = await function(*args, **kwargs)
                print(label)
                return result

            return wait

        @wraps(function)
        def run(*args, **kwargs):
            try:
                return function(*args, **kwargs)
            except Exception as error:
                return {"error": label}

        return run

    return decorate
"""

REPEATED = """\
def repeated(function):
    def run(*args):
        for _ in range(3):
            try:
                return function(*args)
            except OSError:
                continue
    return run
"""

KEPT = """\
def kept(function):
    return Cache(function)
"""


def fixed(folder: Path, errlint: Run, guard: str, name: str, decorator: str = "", *, is_async: bool = False) -> str:
    """Fix a tool below a decorator of the project; return what is said about it."""
    text = SERVER.format(name=name, decorator=decorator or name, kind="async " if is_async else "")
    (folder / "shelf").mkdir()
    for module, content in {"__init__": "", "guard": guard, "server": text}.items():
        (folder / "shelf" / f"{module}.py").write_text(content, encoding="utf-8")
    return errlint("--isolated", "--no-cache", "--fix", "--unsafe-fixes").err


def test_a_wrapper_that_only_logs_hands_on_what_a_tool_raises(tmp_path: Path, errlint: Run) -> None:
    said = fixed(tmp_path, errlint, LOGGED, "logged")
    assert "1 fixed in 1 file" in said
    assert "logged" not in said
    assert (tmp_path / "shelf" / "guard.py").read_text("utf-8") == LOGGED


def test_a_wrapper_that_answers_lets_the_error_pass_from_now_on(tmp_path: Path, errlint: Run) -> None:
    said = fixed(tmp_path, errlint, GUARDED, "guarded", is_async=True)
    assert "1 fixed in 2 files" in said
    text = "the decorator `guarded` answers other exceptions itself, and lets this one pass from now on"
    assert "    shelf/guard.py:9  " in said and text in said
    guard = (tmp_path / "shelf" / "guard.py").read_text("utf-8")
    assert "        except ToolError:\n            raise\n        except Exception as error:\n" in guard
    assert "from mcp.server.fastmcp.exceptions import ToolError\n" in guard
    assert 'raise ToolError("no title")' in (tmp_path / "shelf" / "server.py").read_text("utf-8")


def test_the_class_that_a_wrapper_lets_pass_is_raised_below_it(tmp_path: Path, errlint: Run) -> None:
    said = fixed(tmp_path, errlint, PASSING, "guarded", is_async=True)
    assert "1 fixed in 1 file" in said
    server = (tmp_path / "shelf" / "server.py").read_text("utf-8")
    assert 'raise ShelfError("no title")' in server
    assert "from shelf.guard import ShelfError, guarded\n" in server
    assert (tmp_path / "shelf" / "guard.py").read_text("utf-8") == PASSING


def test_the_class_is_imported_of_a_module_that_is_there_by_then(tmp_path: Path, errlint: Run) -> None:
    late = "\n\ndef serve():\n    from shelf.server import server\n\n    server.run()\n"
    assert "1 fixed in 1 file" in fixed(tmp_path, errlint, PASSING + late, "guarded", is_async=True)
    assert 'raise ShelfError("no title")' in (tmp_path / "shelf" / "server.py").read_text("utf-8")


@pytest.mark.parametrize("is_async", [True, False])
def test_of_two_wrappers_the_one_of_its_kind_is_around_a_tool(tmp_path: Path, errlint: Run, is_async: bool) -> None:
    said = fixed(tmp_path, errlint, TIMED, "timed", 'timed("count")', is_async=is_async)
    assert ("except ToolError:" in (tmp_path / "shelf" / "guard.py").read_text("utf-8")) is not is_async
    assert ("the decorator `timed` answers other exceptions itself" in said) is not is_async


@pytest.mark.parametrize(("guard", "name"), [(REPEATED, "repeated"), (KEPT, "kept")])
def test_a_decorator_that_does_more_is_named(tmp_path: Path, errlint: Run, guard: str, name: str) -> None:
    text = f"    shelf/server.py:9  the decorator `{name}` may catch, repeat or keep what the function raises\n"
    assert text in fixed(tmp_path, errlint, guard, name)


LATE = """\

def wrap_all(tools):
    for name, tool in tools.items():
        tool.fn = {name}(tool.fn)


wrap_all(server._tool_manager._tools)
"""


@pytest.mark.parametrize(
    ("guard", "name", "told"),
    [
        (GUARDED, "guarded", "answers what they raise itself: it has to let that pass"),
        (LOGGED, "logged", ""),
        ("from outside import kept", "kept", "may answer what they raise"),
    ],
)
def test_what_is_put_in_the_place_of_registered_tools_is_named(
    tmp_path: Path, errlint: Run, guard: str, name: str, told: str
) -> None:
    (tmp_path / "guard.py").write_text(guard)
    server = SERVER.replace("shelf.guard", "guard").replace("@{decorator}\n", "") + LATE
    (tmp_path / "server.py").write_text(server.format(name=name, kind="").replace("{{", "{").replace("}}", "}"))
    said = errlint("--isolated", "--no-cache", "--fix", "--unsafe-fixes").err
    assert "1 fixed" in said
    text = f"server.py:14  `{name}` takes the place of each tool here, and {told}\n"
    assert (text in said) is bool(told)
    assert ("takes the place" in said) is bool(told)


BRIDGE = """\
from mcp.server.fastmcp import FastMCP

server = FastMCP("shelf")


@server.tool()
def count(title: str) -> dict:
    if not title:
        return {"error": "no title"}
    return {"copies": 2}


async def call(request, tools):
    tool = tools[request.name]
    return tool.fn(**request.arguments)


def described(tools):
    return [tool.fn.__doc__ for tool in tools]


def function_of(tool):
    return tool.fn if callable(tool) else None


def kept(tool):
    run = tool.fn
    return run
"""


def test_who_calls_the_function_of_a_tool_by_itself_is_named(tmp_path: Path, errlint: Run) -> None:
    (tmp_path / "server.py").write_text(BRIDGE, encoding="utf-8")
    told = errlint("--isolated", "--no-cache", "--fix", "--unsafe-fixes").err
    text = "the function of any tool is taken out here: who calls it gets the exception of an error"
    assert f"    server.py:16, 28  {text}\n" in told


MASKED = """\
import functools
import re

from fastmcp import FastMCP
from fastmcp.exceptions import ToolError
from fastmcp.server.middleware import Middleware

server = FastMCP("shelf")


def redact(text):
    return re.sub("key=[a-z]+", "key=…", str(text))


def kept_safe(found):
    return redact(found)


def safe(function):
    @functools.wraps(function)
    def run(title):
{safe}

    return run


class Safe(Middleware):
    async def on_call_tool(self, context, call_next):
{middleware}


def look_up(title):
    try:
        return {{"copies": open(title).read()}}
    except OSError as exc:
        return {{"error": {message}}}


@server.tool()
{decorator}def count(title: str) -> dict:
    {tool}
"""

PLAIN = {
    "safe": "        return function(title)",
    "middleware": "        return await call_next(context)",
    "message": "str(exc)",
    "decorator": "",
    "tool": "return look_up(title)",
}
TELLING = """\
        try:
            found = function(title)
        except Exception as exc:
            raise ToolError(redact(exc)) from exc
        return redact(found)"""
BEHIND = "        found = function(title)\n        return kept_safe(found)"
SERVED = "        found = await call_next(context)\n        found.content = redact(found.content)\n        return found"
SAFELY = """\
        try:
            return redact(await call_next(context))
        except Exception as exc:
            raise ToolError(redact(exc)) from exc"""

MASKING = {
    "a decorator": ({"safe": BEHIND, "decorator": "@safe\n"}, "the decorator `safe` masks what is answered"),
    "a middleware": ({"middleware": SERVED}, "the middleware here masks what is answered, with `redact`"),
    "a caller": ({"tool": "return kept_safe(look_up(title))"}, "`count` masks what is answered, with `redact`"),
    "a decorator that masks exceptions, too": ({"safe": TELLING, "decorator": "@safe\n"}, ""),
    "a middleware that masks exceptions, too": ({"middleware": SAFELY}, ""),
    "a decorator and a text that is always the same": (
        {"safe": BEHIND, "decorator": "@safe\n", "message": "'no copies'"},
        "",
    ),
    "a caller that masks exceptions, too": (
        {
            "tool": "try:\n        return kept_safe(look_up(title))\n"
            '    except Exception as exc:\n        return {"error": kept_safe(exc)}'
        },
        "",
    ),
    "a middleware that logs": (
        {"middleware": "        print(redact(context))\n        return await call_next(context)"},
        "",
    ),
}


@pytest.mark.parametrize(("parts", "reason"), MASKING.values(), ids=MASKING)
def test_no_error_passes_by_what_masks_answers(
    tmp_path: Path, errlint: Run, parts: dict[str, str], reason: str
) -> None:
    before = MASKED.format(**{**PLAIN, **parts})
    (tmp_path / "server.py").write_text(before, encoding="utf-8")
    done = errlint("--isolated", "--no-cache", "--select", "ERR101", "--fix", "--unsafe-fixes", "--show-fixes")
    after = (tmp_path / "server.py").read_text("utf-8")
    if reason:
        assert reason in done.out
        assert after == before
    else:
        message = parts.get("message", "str(exc)")
        assert re.search(
            rf"        raise (ToolError|RuntimeError)\({re.escape(message)}\) from exc\n|        raise\n", after
        )
        assert "        except ToolError:\n" not in after


def test_a_middleware_that_does_more_with_an_answer_is_named(tmp_path: Path, errlint: Run) -> None:
    counting = "        found = await call_next(context)\n        self.told += len(found.content)\n        return found"
    (tmp_path / "server.py").write_text(MASKED.format(**{**PLAIN, "middleware": counting}), encoding="utf-8")
    done = errlint("--isolated", "--no-cache", "--select", "ERR101", "--fix", "--unsafe-fixes", "--show-fixes")
    assert "the middleware here does more with what a tool answers, which an error passes by" in done.err
