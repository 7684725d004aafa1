"""The boundary around all tools of a server, for what reaches no adapter: ``mcp.add_middleware(ErrorAnswers())``."""

from __future__ import annotations

from fastmcp.exceptions import ToolError
from fastmcp.tools import ToolResult
from mcp.types import CallToolRequestParams

from ..shared.answering import AnsweringMiddleware, schema_errors
from .boundary import convert_exception_to_envelope
from .exceptions import AdapterError, InvalidRequestError


class ErrorAnswers(AnsweringMiddleware):
    """Answers with an envelope: parameters that do not fit a schema, and what tools without the boundary raise."""

    def answer(self, exc: Exception, call: CallToolRequestParams) -> ToolResult:
        """Return the envelope for an exception."""
        if errors := schema_errors(exc):
            exc = InvalidRequestError(
                f"Invalid parameters for {call.name}",
                context={"errors": errors},
                cause=exc,
            )
        elif isinstance(exc, ToolError):
            exc = AdapterError(str(exc), cause=exc)
        return ToolResult(
            structured_content=convert_exception_to_envelope(exc, call.name, {})
        )
