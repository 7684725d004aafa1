"""The boundary around all tools of a server: what FastMCP would tell of in its own words.

That is what it says of parameters that do not fit the schema of a tool, and what a tool without the boundary raises.
"""

from __future__ import annotations

from abc import ABC, abstractmethod

from fastmcp.exceptions import NotFoundError, ToolError, ValidationError
from fastmcp.server.middleware import CallNext, Middleware, MiddlewareContext
from fastmcp.tools import ToolResult
from mcp.types import CallToolRequestParams
from pydantic import ValidationError as SchemaError

from .wrapping import Answered

_WRAPPED = (
    "Error calling tool ",
    "Rate limited by upstream API",
    "Upstream request timed out",
)
"""How the messages begin that FastMCP gives to exceptions which are not its own."""


class AnsweringMiddleware(Middleware, ABC):
    """Answers what leaves a tool as an exception, in the way that a subclass says. A cancellation passes."""

    async def on_call_tool(
        self,
        context: MiddlewareContext[CallToolRequestParams],
        call_next: CallNext[CallToolRequestParams, ToolResult],
    ) -> ToolResult:
        """Return what a tool answers, or what an exception is answered with."""
        with Answered(lambda exc: self._answer(exc, context.message)) as answered:
            return await call_next(context)
        result: ToolResult = answered.value
        return result

    def _answer(self, exc: Exception, call: CallToolRequestParams) -> ToolResult:
        if isinstance(exc, NotFoundError):  # there is no such tool
            raise exc
        return self.answer(original(exc), call)

    @abstractmethod
    def answer(self, exc: Exception, call: CallToolRequestParams) -> ToolResult:
        """Return the answer for an exception of a call, or raise what the framework answers."""


def original(exc: Exception) -> Exception:
    """Return what a tool has raised, without what the framework has put around it."""
    cause = exc.__cause__
    is_wrapped = isinstance(exc, ToolError) and str(exc).startswith(_WRAPPED)
    is_wrapped = is_wrapped or (
        isinstance(exc, ValidationError) and isinstance(cause, SchemaError)
    )
    return cause if is_wrapped and isinstance(cause, Exception) else exc


def schema_errors(exc: Exception) -> list[str]:
    """Return what is wrong with the parameters of a call, each with the path of its field; without their values.

    Nothing where ``exc`` is about something else.
    """
    if isinstance(exc, SchemaError):
        return [
            f"{'.'.join(map(str, item['loc']))}: {item['msg']}"
            for item in exc.errors(include_input=False)
        ]
    return (
        ["parameters do not fit the schema"] if isinstance(exc, ValidationError) else []
    )
