"""The boundary around all tools of a server, for what reaches no tool: ``mcp.add_middleware(ErrorAnswers())``."""

from __future__ import annotations

from fastmcp.exceptions import ToolError
from fastmcp.tools import ToolResult
from mcp.types import CallToolRequestParams

from ..shared.answering import AnsweringMiddleware, schema_errors
from .boundary import to_tool_error
from .failures import coded


class ErrorAnswers(AnsweringMiddleware):
    """Gives a code to what FastMCP says of parameters, and to what tools without the boundary raise."""

    def answer(self, exc: Exception, call: CallToolRequestParams) -> ToolResult:
        """Raise the error with a code for an exception."""
        if errors := schema_errors(exc):
            raise coded("validation_error", "; ".join(errors)) from exc
        raise exc if isinstance(exc, ToolError) else to_tool_error(exc, call.name)
