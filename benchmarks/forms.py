"""The error returns that benchmarks/injection.py plants: one entry per form that the rules describe.

In the source of a form ``<text>`` stands for an error text, ``<n>`` for a number that keeps names apart,
``<subject>`` for a name in scope and ``<exc>`` for the exception at hand. The statement that must be reported
starts with ``return`` or ``yield``.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Form:
    """One way of answering an error and the rule that must report it.

    ``needs`` limits it to functions where it makes sense: ``async``, ``method`` and ``generator`` ones, or
    those that a tool calls (``adapter``). ``imports`` are import statements, or names of the ANSWERS module.
    """

    code: str
    name: str
    source: str
    imports: tuple[str, ...] = ()
    needs: str = ""

    @property
    def alone(self) -> bool:
        """Whether no second form can stand in the same function: a ``yield`` makes it a generator."""
        return self.needs == "generator"


ANSWERS_NAME = "planted_answers"
ANSWERS = '''\
"""Models and helpers that the planted code uses."""

from dataclasses import dataclass, field


@dataclass
class Outcome:
    success: bool = True
    message: str = ""
    error: str | None = None
    status: str = "ok"
    items: list = field(default_factory=list)


@dataclass
class Check:
    id: str
    title: str


@dataclass
class ErrorResponse:
    error: str
    detail: str = ""


def unavailable(what, reason):
    return {"success": False, "error": f"{what} is unavailable: {reason}", "items": []}


def refused(reason):
    if not reason:
        return {"error": "refused"}
    return {"error": reason, "refused": True}


async def gave_up(reason):
    return {"status": "error", "message": reason}


def respond_with(status, message, data=None):
    return {"status": status, "message": message, "data": data}


def respond(success, message="", data=None):
    return {"success": success, "message": message, "data": data}


def payload_of(exc):
    return {"error": str(exc), "type": type(exc).__name__}


def wrap(payload):
    return {"content": payload, "version": 1}
'''
LOCAL_FACTORY = """

def _planted_refusal(reason):
    return {"success": False, "error": reason}
"""
FACTORY_METHOD = """\
def _planted_refusal(self, reason):
    return {"error": reason, "source": "planted"}
"""
JSON = ("import json",)
TOOL_RESULT = ("from mcp.types import CallToolResult, TextContent",)
TEXT_CONTENT = ("from mcp.types import TextContent",)

FORMS = (
    Form("ERR101", "dict literal", 'return {"error": <text>}'),
    Form("ERR101", "dict literal, several lines", 'return {\n    "error": <text>,\n    "items": [],\n}'),
    Form("ERR101", "dict literal, success", 'return {"success": False, "message": <text>}'),
    Form("ERR101", "dict literal, status error", 'return {"status": "error", "message": <text>}'),
    Form("ERR101", "dict literal, status failed", 'return {"status": "failed", "reason": <text>}'),
    Form("ERR101", "dict literal, custom status", 'return {"status": "import_failed", "detail": <text>}'),
    Form("ERR101", "dict literal, nested", 'return {"error": {"code": "E<n>", "message": <text>}}'),
    Form("ERR101", "dict literal, spread", 'base_<n> = {"page": 1}\nreturn {**base_<n>, "error": <text>}'),
    Form("ERR101", "dict call", "return dict(error=<text>)"),
    Form("ERR101", "dict call, success", "return dict(success=False, message=<text>)"),
    Form("ERR101", "json", 'return json.dumps({"error": <text>})', JSON),
    Form("ERR101", "json, success", 'return json.dumps({"success": False, "error": <text>}, indent=2)', JSON),
    Form("ERR101", "json of a variable", 'data_<n> = {"error": <text>}\nreturn json.dumps(data_<n>)', JSON),
    Form("ERR101", "variable", 'data_<n> = {"error": <text>, "items": []}\nreturn data_<n>'),
    Form("ERR101", "store", 'data_<n> = {"items": []}\ndata_<n>["error"] = <text>\nreturn data_<n>'),
    Form("ERR101", "update", 'data_<n> = {"items": []}\ndata_<n>.update({"error": <text>})\nreturn data_<n>'),
    Form("ERR101", "update by keyword", "data_<n> = {}\ndata_<n>.update(error=<text>)\nreturn data_<n>"),
    Form("ERR101", "union", 'base_<n> = {"items": []}\nreturn base_<n> | {"error": <text>}'),
    Form("ERR101", "conditional", 'return {"error": <text>} if <subject> else {"items": []}'),
    Form("ERR101", "list", 'return [{"error": <text>}]'),
    Form("ERR101", "wrapper call", 'return wrap({"error": <text>})', ("wrap",)),
    Form("ERR101", "yield", 'yield {"error": <text>}', needs="generator"),
    Form("ERR102", "factory of this module", "return _planted_refusal(<text>)"),
    Form("ERR102", "factory of another module", 'return unavailable("a", <text>)', ("unavailable",)),
    Form("ERR102", "factory with two returns", "return refused(<text>)", ("refused",)),
    Form("ERR102", "factory of an imported module", f"return {ANSWERS_NAME}.refused(<text>)", (ANSWERS_NAME,)),
    Form("ERR102", "factory under another name", "return deny(<text>)", ("refused as deny",)),
    Form("ERR102", "factory method", "return self._planted_refusal(<text>)", needs="method"),
    Form("ERR102", "async factory", "return await gave_up(<text>)", ("gave_up",), "async"),
    Form("ERR102", "envelope, positional", 'return respond_with("error", <text>)', ("respond_with",)),
    Form("ERR102", "envelope, keyword", "return respond(success=False, message=<text>)", ("respond",)),
    Form("ERR102", "converter", "return payload_of(<exc>)", ("payload_of",)),
    Form("ERR105", "error model", "return ErrorResponse(error=<text>)", ("ErrorResponse",)),
    Form("ERR105", "model, success", "return Outcome(success=False, message=<text>)", ("Outcome",)),
    Form("ERR105", "model, status", 'return Outcome(status="error", message=<text>)', ("Outcome",)),
    Form("ERR105", "model, message", 'return Outcome(message=f"Error: {<subject>}")', ("Outcome",)),
    Form("ERR105", "model, id", 'return [Check(id="ERROR", title=<text>)]', ("Check",)),
    Form(
        "ERR105",
        "model in a variable",
        "data_<n> = ErrorResponse(<text>)\nreturn data_<n>",
        ("ErrorResponse",),
    ),
    Form("ERR105", "model in a list", "return [Outcome(success=False, message=<text>)]", ("Outcome",)),
    Form(
        "ERR105",
        "tool result",
        'return CallToolResult(isError=True, content=[TextContent(type="text", text=<text>)])',
        TOOL_RESULT,
    ),
    Form("ERR103", "text", 'return "Error: the request was refused"', needs="adapter"),
    Form("ERR103", "text with a hole", 'return f"Failed to read {<subject>}"', needs="adapter"),
    Form("ERR103", "text joined", 'return "Error: " + str(<subject>)', needs="adapter"),
    Form("ERR103", "text in a variable", 'data_<n> = f"Error: {<subject>}"\nreturn data_<n>', needs="adapter"),
    Form("ERR103", "text in a list", 'return ["Error: the request was refused"]', needs="adapter"),
    Form(
        "ERR103",
        "text content",
        'return [TextContent(type="text", text=f"Error: {<subject>}")]',
        TEXT_CONTENT,
        "adapter",
    ),
    Form("ERR112", "text with no opening", 'return f"Document {<subject>} does not exist"', needs="adapter"),
    Form("ERR104", "tuple, payload and status", 'return {"error": <text>}, 404', needs="adapter"),
    Form("ERR104", "tuple, None and why", "return None, <text>", needs="adapter"),
    Form("ERR104", "tuple, False and payload", 'return False, {"error": <text>}', needs="adapter"),
)

TEXTS = (
    '"No such record"',
    '"The service did not answer in time"',
    '"Access to this resource is denied"',
    '"start must come before end"',
    'f"cannot read {<subject>}"',
    'f"Unknown option {<subject>!r}; see the documentation"',
    'str(<subject>) + " is not available"',
    '"Query failed: %s" % <subject>',
    '"Limit of {} requests exceeded".format(<subject>)',
    "str(<exc>)",
)
