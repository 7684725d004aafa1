"""The boundary: exceptions of tools become errors of JSON-RPC, and successes get their request_id and timing.

``mcp.add_middleware(ErrorAnswers())`` puts it around all tools of a server. FastMCP by itself would answer a result
with ``isError`` and a text, without code and data.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Mapping
from uuid import uuid4

from fastmcp.exceptions import ToolError
from fastmcp.server.middleware import CallNext, MiddlewareContext
from fastmcp.tools import ToolResult
from mcp import MCPError
from mcp.types import CallToolRequestParams

from ..shared.answering import AnsweringMiddleware, schema_errors
from ..shared.redaction import redacted, redacted_text
from .exceptions import MCPExecutionError, MCPToolError, MCPValidationError

LOGGER = logging.getLogger(__name__)


class ErrorAnswers(AnsweringMiddleware):
    """Answers what the tools of a server raise with errors of JSON-RPC, and completes their successes."""

    async def on_call_tool(
        self,
        context: MiddlewareContext[CallToolRequestParams],
        call_next: CallNext[CallToolRequestParams, ToolResult],
    ) -> ToolResult:
        """Return what a tool answers; raises :class:`MCPError` for what it raises. A cancellation passes."""
        request_id = _request_id(context.message)
        started = time.perf_counter()
        result = await super().on_call_tool(context, call_next)
        return _completed(result, request_id, time.perf_counter() - started)

    def answer(self, exc: Exception, call: CallToolRequestParams) -> ToolResult:
        """Raise the error of JSON-RPC for an exception."""
        raise to_mcp_error(exc, call.name, _request_id(call)) from exc


def _request_id(call: CallToolRequestParams) -> str:
    """Return the ``request_id`` that a call gives, or a new one."""
    return str((call.arguments or {}).get("request_id") or uuid4())


def to_mcp_error(exc: Exception, tool: str, request_id: str) -> MCPError:
    """Log what a tool raised, and return the error of JSON-RPC for it; nothing that an unknown exception says."""
    error = _domain_error(exc, tool)
    error.context.setdefault("request_id", request_id)
    if isinstance(error, MCPExecutionError) and not error.operation:
        error.operation = tool
    fields = {
        "operation": tool,
        "error_code": error.error_code.value,
        "context": error.context,
    }
    if isinstance(exc, MCPToolError):
        LOGGER.warning(error.message, exc_info=exc.__cause__, extra=fields)
    else:
        LOGGER.error(error.message, exc_info=exc, extra=fields)
    return MCPError(
        error.json_rpc_code, redacted_text(error.message), redacted(error.to_data())
    )


def _domain_error(exc: Exception, tool: str) -> MCPToolError:
    """Return an exception of the domain for any exception: itself, where it is one."""
    if isinstance(exc, MCPToolError):
        return exc
    if errors := schema_errors(exc):
        return MCPValidationError(
            f"Parameter validation failed for {tool}",
            validation_errors=errors,
            hints=[f"Check parameter types and required fields for {tool}"],
        )
    if isinstance(exc, (TimeoutError, asyncio.TimeoutError)):
        return MCPExecutionError(
            f"Tool execution failed: {tool} took too long",
            operation=tool,
            original_error=type(exc).__name__,
            hints=["Try again; it may be done by then"],
        )
    if isinstance(exc, ToolError):
        return MCPExecutionError(str(exc), operation=tool)
    return MCPExecutionError(
        "Tool execution failed: unexpected error",
        operation=tool,
        original_error=type(exc).__name__,
    )


def _completed(result: ToolResult, request_id: str, seconds: float) -> ToolResult:
    """Return a success with status, request_id and timing, where its schema leaves room for them."""
    content = result.structured_content
    if not isinstance(content, Mapping) or result.is_error or "result" in content:
        return result
    duration = round(1000 * seconds, 2)
    timing = {"operation_duration_ms": duration, "total_duration_ms": duration}
    whole = {"status": "success", "request_id": request_id, "timing": timing, **content}
    return ToolResult(structured_content=whole, meta=result.meta)
