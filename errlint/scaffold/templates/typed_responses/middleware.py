"""The boundary around all tools of a server, for what reaches no tool: ``mcp.add_middleware(ErrorAnswers())``."""

from __future__ import annotations

from fastmcp.exceptions import ToolError
from fastmcp.tools import ToolResult
from mcp.types import CallToolRequestParams

from ..shared.answering import AnsweringMiddleware, schema_errors
from .boundary import to_error_response
from .exceptions import InvalidRequestError, ServiceError


class ErrorAnswers(AnsweringMiddleware):
    """Answers with an ``ErrorResponse``: parameters that do not fit a schema, and what tools raise."""

    def answer(self, exc: Exception, call: CallToolRequestParams) -> ToolResult:
        """Return the answer for an exception."""
        if errors := schema_errors(exc):
            exc = InvalidRequestError(
                f"Invalid parameters for {call.name}: {'; '.join(errors)}", cause=exc
            )
        elif isinstance(exc, ToolError):
            exc = ServiceError(str(exc), cause=exc)
        return ToolResult(
            structured_content=to_error_response(exc, call.name).model_dump(mode="json")
        )
