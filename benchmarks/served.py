"""Generated programs whose tools a framework serves: no boundary of their own, and what clients of them get.

The servers here stand in for those of the frameworks, which take too long for thousands of programs: they answer what
tools return and raise as ``tests/test_frameworks.py`` shows of the real ones.
"""

from __future__ import annotations

import functools
import inspect
import json
import re
import sys
import types
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import NamedTuple

import toolkit
from programs import NUMBER, Node, Program


class Answered(NamedTuple):
    """What clients get of a tool that raises: an error with a text."""

    text: str


class ServerError(Exception):
    """The class above the errors that a framework shows."""


class ToolError(ServerError):
    """What a tool raises to say what went wrong."""


class Served(toolkit.Server):
    """A server that answers what a tool raises."""

    ahead = ""
    unknown = "Error calling tool '{tool}': "

    def tool(self) -> Callable[[toolkit.Tool], toolkit.Tool]:
        """Return a decorator that registers a function and leaves it as it is."""

        def register(function: toolkit.Tool) -> toolkit.Tool:
            self.tools[function.__name__] = self._answering(function)
            return function

        return register

    def _answering(self, function: toolkit.Tool) -> toolkit.Tool:
        def told(error: Exception) -> Answered:
            start = self.ahead if isinstance(error, ToolError) else self.unknown
            return Answered(start.format(tool=function.__name__) + str(error))

        @functools.wraps(function)
        async def waiting(*args: object, **kwargs: object) -> object:
            try:
                return await function(*args, **kwargs)
            except Exception as error:  # noqa: BLE001 -- a server answers whatever a tool raises
                return told(error)

        @functools.wraps(function)
        def inner(*args: object, **kwargs: object) -> object:
            try:
                return function(*args, **kwargs)
            except Exception as error:  # noqa: BLE001 -- a server answers whatever a tool raises
                return told(error)

        return waiting if inspect.iscoroutinefunction(function) else inner


class ServedBySdk(Served):
    """The SDK's server, which names the tool ahead of any text."""

    ahead = unknown = "Error executing tool {tool}: "


class Framework(NamedTuple):
    """The module that a server comes from, and the server that stands in for it."""

    module: str
    server: type[Served]


FRAMEWORKS = (Framework("fastmcp", Served), Framework("mcp.server.fastmcp", ServedBySdk))

PLAIN = ""
OWN = '[tool.errlint.exceptions]\nroot = ["ShopError"]\ndefault = "ShopError"\n'
LIBRARY = """\
[tool.errlint.exceptions]
root = ["ToolError"]
default = "ToolError"
[tool.errlint.exceptions.map]
ValueError = "BadValueError"
KeyError = "propagate"
"""
CONFIGURATIONS = (PLAIN, OWN, LIBRARY)
"""What the project says about exceptions: nothing, classes of its own below the framework's, or the framework's."""


@contextmanager
def standing_in() -> Iterator[None]:
    """Put the servers of this module where programs import those of frameworks."""
    made: dict[str, types.ModuleType] = {}
    for framework in FRAMEWORKS:
        parts = framework.module.split(".")
        for end in range(1, len(parts) + 1):
            made.setdefault(".".join(parts[:end]), types.ModuleType(".".join(parts[:end])))
        made[framework.module].__dict__["FastMCP"] = framework.server
        errors = types.ModuleType(f"{framework.module}.exceptions")
        errors.__dict__["ToolError"] = ToolError
        made[errors.__name__] = errors
    for module in made.values():
        module.__dict__["__path__"] = []
    before = {name: sys.modules[name] for name in made if name in sys.modules}
    sys.modules.update(made)
    try:
        yield
    finally:
        for name in made:
            sys.modules.pop(name, None)
        sys.modules.update(before)


def served(program: Program, framework: Framework, configuration: str) -> Program:
    """Return a program with the server of a framework and without its own boundary."""
    return Program(
        tuple((name, tuple(_nodes(name, nodes, framework.module))) for name, nodes in program.files),
        program.conditions,
        configuration,
    )


def _nodes(name: str, nodes: tuple[Node, ...], module: str) -> Iterator[Node]:
    if name == "errors.py":
        yield Node(f"from {module}.exceptions import ToolError")
    for node in nodes:
        if name == "errors.py" and node.text.startswith("def handle_errors"):
            continue
        parts = tuple((_header(header), tuple(_nodes("", body, module))) for header, body in node.parts)
        yield Node(_text(node.text, module), parts)


def _header(header: str) -> str:
    return "\n".join(line for line in header.split("\n") if not line.startswith("@handle_errors("))


def _text(text: str, module: str) -> str:
    text = text.replace("class ShopError(Exception)", "class ShopError(ToolError)")
    text = text.replace('server = Server("shop")', f'from {module} import FastMCP\nserver = FastMCP("shop")')
    text = re.sub(rf"(?m)^from shop{NUMBER}\.errors import handle_errors$", "", text)
    return re.sub(
        rf"(?m)^(from shop{NUMBER}\.errors import .*?)(?:, handle_errors|(?<=import )handle_errors, )", r"\1", text
    )


def error_of(value: object) -> str | None:
    """Return the error that an answer tells, as far as it tells one."""
    if isinstance(value, str):
        try:
            value = json.loads(value)
        except ValueError:
            return str(value) if str(value).casefold().startswith(("error", "failed")) else None
    if isinstance(value, dict) and isinstance(value.get("error"), dict):
        value = value["error"]
    texts = [value.get(key) for key in _KEYS] if isinstance(value, dict) else []
    return next((text for text in texts if isinstance(text, str) and text), None)


_KEYS = ("error", "err", "error_message", "message")


def changed(before: object, after: object, *, is_same: bool) -> str:
    """Say in what clients of a framework find an answer changed that may only have become an error with its text."""
    if is_same:
        return ""
    error = before.text if isinstance(before, Answered) else error_of(before)
    if error and isinstance(after, Answered) and (error in after.text or after.text in error):
        return ""
    return f"{before!r} -> {after!r}"
