"""The boundary around all tools of a server, for what reaches no tool: ``mcp.add_middleware(ErrorAnswers())``."""

from __future__ import annotations

from fastmcp.exceptions import ToolError
from fastmcp.tools import ToolResult
from mcp.types import CallToolRequestParams

from ..shared.answering import AnsweringMiddleware, schema_errors
from .boundary import tellable
from .exceptions import InvalidRequestError


class ErrorAnswers(AnsweringMiddleware):
    """Words what FastMCP says of parameters, without their values, and what tools without the boundary raise."""

    def answer(self, exc: Exception, call: CallToolRequestParams) -> ToolResult:
        """Raise what the framework may tell of an exception."""
        if errors := schema_errors(exc):
            exc = InvalidRequestError(
                f"Invalid parameters for {call.name}: {'; '.join(errors)}", cause=exc
            )
        raise exc if isinstance(exc, ToolError) else tellable(exc, call.name)
