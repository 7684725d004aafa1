"""Results of MCP, and what is put together out of sight of the return: the text that clients get is raised."""

from __future__ import annotations

from pathlib import Path
from textwrap import dedent, indent

import pytest
from command_line import Run

PROBLEMS = """\
import json
import re
from json import dumps

from pydantic import BaseModel
from fastmcp.tools.tool import ToolResult


class ToolError(BaseModel):
    code: str
    message: str


def error_result(code, message):
    found = ToolError(code=code, message=message)
    return ToolResult(content=found.model_dump_json(), structured_content=found.model_dump(mode="json"), is_error=True)


def masked(text):
    return re.sub("[0-9]+", "x", text)


def dumped(error):
    return json.dumps({"success": False, "error": masked(error)})


def classed(error, raised):
    return {"status": "error", "exception": raised, "message": masked(error)}


def told_as_text(error):
    return dumps({"success": False, "error": masked(error)})
"""

SERVER = """\
import json

from fastmcp import FastMCP
from fastmcp.tools.tool import ToolResult
from mcp.types import TextContent
from problems import classed, dumped, error_result, told_as_text

mcp = FastMCP("lathe")


def failed(message, hint=None):
    return {"ok": False, "error": message, "hint": hint}


def placed(message, step):
    answer = failed(message)
    answer["step"] = step
    return answer


def told(problem):
    return f"Error: {problem} (see the manual)"


def modelled(code, message):
    problem = Problem(code=code, message=message)
    return ToolResult(
        content=problem.model_dump_json(), structured_content=problem.model_dump(mode="json"), is_error=True
    )


def shown(answer):
    return json.dumps(answer, indent=2)


def formatted(content, is_error=False):
    if isinstance(content, str):
        blocks = [{"type": "text", "text": content}]
    elif isinstance(content, dict):
        blocks = [content]
    else:
        blocks = content
    return {"content": blocks, "isError": is_error}


@mcp.tool()
def turn(part: str, speed: int, state: dict):
"""

RAISED = {
    "a payload inside of a content that has no type": (
        'return {"content": [{"text": json.dumps({"error": f"no {part}"})}], "_meta": {"n": 1}, "isError": True}',
        'raise ToolError(f"no {part}")',
    ),
    "a text beside structured content": (
        'return ToolResult(content=[TextContent(type="text", text=f"❌ Failed: {part}")],'
        ' structured_content={"success": False, "error": part})',
        'raise ToolError(f"❌ Failed: {part}")',
    ),
    "structured content alone": (
        'return ToolResult(structured_content={"success": False, "error": f"no {part}"})',
        'raise ToolError(f"no {part}")',
    ),
    "an object below the error": (
        'return {"success": False, "error": Problem(code="P1", message=f"no {part}")}',
        'raise ToolError(f"no {part}")',
    ),
    "a list of one object with a message": (
        'return {"success": False, "problems": [Problem(code="P1", message=f"no {part}")]}',
        'raise ToolError(f"no {part}")',
    ),
    "keys that are names, and entries of what a call answers": (
        'return {"error": f"no {part}", PART: part, **(state or {})}',
        'raise ToolError(f"no {part}")',
    ),
    "the only one in a list of errors": (
        'return {"success": False, "errors": [str(speed)]}',
        "raise ToolError(str(speed))",
    ),
    "a list of several texts": (
        'return {"success": False, "details": ["too fast", f"no {part}"]}',
        'raise ToolError("; ".join(["too fast", f"no {part}"]))',
    ),
    "a variable with the message in it": (
        'why = {"code": 1, "message": f"no {part}"}\nlog(why)\nreturn {"success": False, "error": why}',
        'why = {"code": 1, "message": f"no {part}"}\nlog(why)\nraise ToolError(why["message"])',
    ),
    "a block of content that is a dict": (
        'return {"type": "text", "text": f"Error: no {part}"}',
        'raise ToolError(f"Error: no {part}")',
    ),
    "an envelope that is told a status and a text": (
        'return planner.respond("error", "turn", {}, f"no {part} to turn")',
        'raise ToolError(f"no {part} to turn")',
    ),
    "an envelope that is told a status and an object": (
        'return planner.respond("error", Problem(code="P1", message=f"no {part}"))',
        'raise ToolError(f"no {part}")',
    ),
    "the output of a command": (
        'return {"success": False, "stdout": "", "stderr": f"no {part}", "returncode": 1}',
        'raise ToolError(f"no {part}")',
    ),
    "messages": (
        'return {"ok": False, "messages": [f"no {part}"]}',
        'raise ToolError(f"no {part}")',
    ),
    "messages that are made in one expression": (
        'return {"ok": False, "messages": [each.message for each in state.faults]}',
        'raise ToolError("; ".join(str(each.message) for each in state.faults))',
    ),
    "no messages": (
        'return {"ok": False, "messages": []}',
        'raise ToolError("turn failed")',
    ),
    "a message beside what was raised": (
        'return {"status": "error", "exception": state.kind, "message": f"no {part}"}',
        'raise ToolError(f"no {part}")',
    ),
    "a text without its white space": (
        'return (f"Error: no {part}. " + str(state)).strip()',
        'raise ToolError((f"Error: no {part}. " + str(state)).strip())',
    ),
    "a text that a factory may get in other forms": (
        'return formatted(f"no {part}", is_error=True)',
        'raise ToolError(f"no {part}")',
    ),
    "what a factory may get in other forms than a text": (
        "return formatted(state.message, is_error=True)",
        "raise ToolError(state.message)",
    ),
    "a factory that answers JSON text, and does more with the error than the server could": (
        'return dumped(f"no {part}")',
        'raise ToolError(json.loads(dumped(f"no {part}"))["error"])',
    ),
    "a factory that answers a message beside what was raised": (
        'return classed(f"no {part}", state.kind)',
        'raise ToolError(classed(f"no {part}", state.kind)["message"])',
    ),
    "a factory that answers JSON text by a function of its own name": (
        'return told_as_text(f"no {part}")',
        'raise ToolError(json.loads(told_as_text(f"no {part}"))["error"])',
    ),
    "a code alone": (
        'return {"ok": False, "error_code": "NO_PART", "part": part}',
        'raise ToolError("NO_PART")',
    ),
    "a cross": (
        'return f"❌ part {part} is too long"',
        'raise ToolError(f"❌ part {part} is too long")',
    ),
    "another language": (
        'return f"Fehler beim Drehen: {part}"',
        'raise ToolError(f"Fehler beim Drehen: {part}")',
    ),
    "a payload that does not say what went wrong": (
        'return {"success": False, "parts": []}',
        'raise ToolError("turn failed")',
    ),
    "a code below the error, in a variable": (
        'code = state["code"]\nreturn {"error": code, "message": str(speed), "more": part}',
        'code = state["code"]\nraise ToolError(str(speed))',
    ),
    "bytes of JSON that are decoded": (
        'return orjson.dumps({"error": f"no {part}"}).decode()',
        'raise ToolError(f"no {part}")',
    ),
    "a factory that adds to what another one answers": (
        'return placed(f"no {part}", "start")',
        'raise ToolError(f"no {part}")',
    ),
    "an object that a factory shows twice": (
        'return modelled("P1", f"no {part}")',
        'raise ToolError(f"no {part}")',
    ),
    "an object that a factory of another module shows, of a class with the name of the exception": (
        'return error_result("P1", f"no {part}")',
        'raise ToolError(f"no {part}")',
    ),
    "a variable that a helper shows": (
        'result = {"status": "error", "message": f"no {part}"}\nreturn shown(result)',
        'raise ToolError(f"no {part}")',
    ),
    "a text of several pieces inside of another one": (
        'return told(\n    "no part. "\n    f"Is it {part}, "\n    \'or not?\'\n)',
        'raise ToolError(\n    "Error: no part. "\n    f"Is it {part}, "\n    \'or not?\' " (see the manual)",\n)',
    ),
    "a text with other quotes inside of another one": (
        "return told(state['why'])",
        "raise ToolError(f\"Error: {state['why']} (see the manual)\")",
    ),
    "an answer to which something is added on a condition": (
        'answer = failed(f"HTTP {speed}")\nif speed == 404:\n    answer["hint"] = "look"\nreturn answer',
        'answer = failed(f"HTTP {speed}")\nif speed == 404:\n    answer["hint"] = "look"\n'
        'raise ToolError(answer["error"])',
    ),
}


@pytest.mark.parametrize(("before", "after"), RAISED.values(), ids=RAISED)
def test_the_text_is_raised(tmp_path: Path, errlint: Run, before: str, after: str) -> None:
    rest = '    return {"turned": part}\n'
    (tmp_path / "problems.py").write_text(PROBLEMS, encoding="utf-8")
    server = tmp_path / "server.py"
    server.write_text(f"{SERVER}    if not part:\n{indent(before, ' ' * 8)}\n{rest}", encoding="utf-8")
    told = errlint("--isolated", "--no-cache", "--fix", "--unsafe-fixes", "--show-fixes").err
    assert "Refused" not in told
    assert ("the message is made up" in told) == ("turn failed" in after)
    written = dedent(server.read_text("utf-8").partition("    if not part:\n")[2].removesuffix(rest))
    assert written == f"{after}\n"
