"""The boundary around all tools of a server, for what reaches no agent: ``mcp.add_middleware(ErrorAnswers())``."""

from __future__ import annotations

from fastmcp.exceptions import ToolError
from fastmcp.tools import ToolResult
from mcp.types import CallToolRequestParams

from ..shared.answering import AnsweringMiddleware, schema_errors
from .boundary import report
from .exceptions import InvalidInputError, OperationFailedError


class ErrorAnswers(AnsweringMiddleware):
    """Answers with a record: parameters that do not fit a schema, and what tools without the boundary raise."""

    def answer(self, exc: Exception, call: CallToolRequestParams) -> ToolResult:
        """Return the record for an exception."""
        if errors := schema_errors(exc):
            exc = InvalidInputError(
                f"Invalid parameters for {call.name}",
                context={"errors": errors},
                cause=exc,
            )
        elif isinstance(exc, ToolError):
            exc = OperationFailedError(str(exc), cause=exc)
        return ToolResult(structured_content=report(exc, call.name))
