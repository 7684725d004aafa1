"""Frameworks that answer what a tool raises: there the framework is the boundary, and needs no configuration.

What each really sends is held by tests that run its servers (``tests/test_frameworks.py``).
"""

from __future__ import annotations

import re
from typing import NamedTuple

from errlint.error_keywords import HANDLER_KEYWORDS


class Framework(NamedTuple):
    """A framework of tool servers.

    ``servers`` are beginnings of the dotted names that its servers are imported by, ``registers`` is the last part of
    the decorator that makes a tool. ``error`` is the class whose text clients are told, "" where they are told that
    of any exception, and ``base`` the one between it and ``Exception``; ``ahead`` is what stands before the text, with
    ``{tool}`` for the name of the tool. ``resource`` is the class of which readers of a resource are told, as an error
    of the protocol, "" where they are told of any exception, ``None`` where resources answer in another way; ``prompt``
    is that of prompts and of lists.
    """

    name: str
    servers: tuple[str, ...]
    registers: str
    error: str
    base: str = ""
    ahead: str = ""
    resource: str | None = None
    prompt: str | None = None

    def of_prompts(self) -> Framework | None:
        """Return the framework as who asks for its prompts knows it, ``None`` where it answers in another way."""
        return None if self.prompt is None else self._replace(registers="prompt", error=self.prompt, ahead="")

    def of_resources(self) -> Framework | None:
        """Return the framework as readers of its resources know it, ``None`` where it answers in another way."""
        return None if self.resource is None else self._replace(registers="resource", error=self.resource, ahead="")


RESOURCES = {"resource": "tool", "read_resource": "call_tool"}
"""Last parts of the decorators of functions that answer contents, with those of the tools of the same servers."""

PROMPTS = {
    "prompt": "tool",
    "get_prompt": "call_tool",
    "list_tools": "call_tool",
    "list_resources": "call_tool",
    "list_resource_templates": "call_tool",
    "list_prompts": "call_tool",
    "completion": "call_tool",
}
"""Those of functions that answer messages or lists, and no result of anything, in the same way."""

RUNS_ALL_TOOLS = "call_tool"
"""The last part of the decorator of the function that runs whatever tool a client calls."""

ADAPTER_DECORATORS = ("tool", RUNS_ALL_TOOLS, *RESOURCES, *PROMPTS)
"""Last parts of the decorators that make an adapter of a function."""

REGISTRATIONS = (
    *(name for name in ADAPTER_DECORATORS if name != "completion"),
    "add_tool",
    "from_function",
    "register_tool",
    *HANDLER_KEYWORDS,
)
"""Last parts of the calls that are handed a function to make an adapter of.

``completion`` is none: clients of language models are asked for one, and handed functions for other ends.
"""

ADAPTER_METHODS = ("execute", "_run", "_arun", "apply", "run_tool")
"""Methods of tool classes that are adapters."""

TOOL_CLASS = re.compile(r"Tool(?:Message)?$")
"""How base classes of tools are called; those of langroid are messages, which answer for themselves."""

RUNNING = re.compile(r"_?(?:a|async_)?(?:call|execute|forward|handle|invoke|perform|run)(?:_(?P<what>\w+))?")
"""Methods that run a tool where its base class leaves them to the classes below it, or is of another package."""

TOOL_RUNNER = re.compile(r"Tools?(?:box|Dispatcher|Executor|Handler|Manager|Provider|Registry|Router|Runner|s)s?$")
"""Names of classes that run the tools which a model asks for by name."""

RUNNING_TOOL = re.compile(r"a?(?:call|dispatch|execute|handle|invoke|run)_tool(?:_call)?(?:_async)?")
"""Methods of such classes that do so."""

HTTP_DECORATORS = frozenset(
    {"route", "get", "post", "put", "delete", "patch", "head", "options", "custom_route", "websocket", "api_route",
     "exception_handler", "errorhandler", "middleware", "app_errorhandler", "before_request", "after_request"}
)  # fmt: skip
"""Last parts of the decorators of functions that answer requests, no tools."""

FRAMEWORKS = (
    Framework(
        "FastMCP",
        ("fastmcp",),
        "tool",
        "fastmcp.exceptions.ToolError",
        "fastmcp.exceptions.FastMCPError",
        resource="fastmcp.exceptions.ResourceError",
        prompt="fastmcp.exceptions.PromptError",
    ),
    Framework(
        "the MCP SDK's FastMCP",
        ("mcp.server.fastmcp", "mcp.server.FastMCP"),
        "tool",
        "mcp.server.fastmcp.exceptions.ToolError",
        "mcp.server.fastmcp.exceptions.FastMCPError",
        "Error executing tool {tool}: ",
        "mcp.server.fastmcp.exceptions.ResourceError",
        "builtins.ValueError",
    ),
    Framework(
        "MCPServer",
        ("mcp.server.mcpserver", "mcp.server.MCPServer"),
        "tool",
        "mcp.server.mcpserver.exceptions.ToolError",
        "mcp.server.mcpserver.exceptions.MCPServerError",
        "Error executing tool {tool}: ",
        "mcp.server.mcpserver.exceptions.ResourceError",
    ),
    Framework(
        "the low-level MCP server",
        ("mcp.server.lowlevel", "mcp.server.Server"),
        "call_tool",
        "",
        resource="",
        prompt="",
    ),
)
"""Those whose servers answer ``isError`` and a text when a tool raises."""

TOOL_ERRORS = frozenset(framework.error.rpartition(".")[2] for framework in FRAMEWORKS if framework.error)
"""Last parts of the names of the classes that tools, and nothing else of these servers, raise for their clients."""


AGENTS = Framework(
    "LangChain",
    ("langchain_core.tools", "langchain.tools", "langchain.agents.tool"),
    "tool",
    "langchain_core.tools.ToolException",
)
"""Tools of agents: nothing answers what these raise unless it is told to."""


WEB = (
    Framework(
        "FastAPI", ("fastapi",), "route", "fastapi.HTTPException", "starlette.exceptions.HTTPException", "{status}"
    ),
    Framework("Starlette", ("starlette",), "route", "starlette.exceptions.HTTPException", ahead="{status}"),
    Framework("Flask", ("flask",), "route", "werkzeug.exceptions.HTTPException", ahead="{status}"),
    Framework("Django REST framework", ("rest_framework",), "route", ""),
    Framework("Django", ("django",), "route", ""),
)
"""Those that call functions for HTTP requests: clients are told the status and the text of an ``HTTPException``.

Django has no such class, and of the several ones of its REST framework each has one status.
"""

VIEW_MODULES = {
    "rest_framework.views": "Django REST framework",
    "rest_framework.generics": "Django REST framework",
    "rest_framework.viewsets": "Django REST framework",
    "rest_framework.mixins": "Django REST framework",
    "django.views": "Django",
}
"""Modules of classes whose methods answer requests, by the framework that calls these."""

VIEW_METHODS = frozenset({"get", "post", "put", "delete", "patch", "head", "options"})
"""The methods of such classes that are called for a request."""

VIEW_SET_METHODS = frozenset({"list", "create", "retrieve", "update", "partial_update", "destroy"})
"""Those of the classes of ``rest_framework.viewsets`` and its mixins."""

VIEW_DECORATORS = {
    "rest_framework.decorators.api_view": "Django REST framework",
    "rest_framework.decorators.action": "Django REST framework",
}
"""Decorators that make a route of a function without an object of an application."""


SERVER_CLASSES = frozenset({"FastMCP", "MCPServer", "Server", "FastAPI", "Starlette", "Flask"})
"""Last parts of the names of the classes whose objects are servers or applications of these frameworks."""


def above(name: str) -> tuple[str, ...]:
    """Return what is above an error class of a framework, the nearest first; none for any other class."""
    for framework in (*FRAMEWORKS, AGENTS, *WEB):
        if name in {framework.error, framework.resource, framework.prompt} - {"", None, "builtins.ValueError"}:
            return (framework.base, "builtins.Exception") if framework.base else ("builtins.Exception",)
    return ()


def imported_from(name: str) -> Framework | None:
    """Return the framework that something with an absolute dotted name comes from."""
    return next((framework for framework in FRAMEWORKS if is_from(framework, name)), None)


def is_from(framework: Framework, name: str) -> bool:
    """Whether something with an absolute dotted name comes from a framework."""
    return any(f"{name}.".startswith(f"{server}.") for server in framework.servers)
