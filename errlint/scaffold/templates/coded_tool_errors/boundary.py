"""The boundary: whatever a tool raises reaches the client with a code, and is logged."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from typing import Any, ParamSpec, TypeVar

from fastmcp.exceptions import ToolError

from ..shared.redaction import redacted_text
from ..shared.wrapping import wrapped
from .failures import code_of, coded

P = ParamSpec("P")
R = TypeVar("R")

LOGGER = logging.getLogger(__name__)


def coded_errors(function: Callable[P, R]) -> Callable[P, R]:
    """Return a tool all of whose errors begin with a code; it stands below ``@mcp.tool()``."""
    operation = getattr(function, "__name__", "call")

    def answer(exc: Exception) -> Any:
        raise to_tool_error(exc, operation)

    return wrapped(function, answer)


def to_tool_error(exc: Exception, operation: str) -> ToolError:
    """Log an exception, and return what the framework may tell of it; nothing that an unknown one says."""
    if isinstance(exc, ToolError):
        fields = {"operation": operation, "error_code": code_of(exc)}
        LOGGER.warning(str(exc), exc_info=exc.__cause__, extra=fields)
        text = redacted_text(str(exc))
        return exc if text == str(exc) else ToolError(text)
    if isinstance(exc, (TimeoutError, asyncio.TimeoutError)):
        LOGGER.error(
            "%s took too long", operation, exc_info=exc, extra={"operation": operation}
        )
        return coded("timeout", f"{operation} took too long")
    if isinstance(exc, ConnectionError):
        LOGGER.error(
            "%s lost its connection",
            operation,
            exc_info=exc,
            extra={"operation": operation},
        )
        return coded("network_error", "The backend cannot be reached")
    LOGGER.error(
        "%s failed unexpectedly",
        operation,
        exc_info=exc,
        extra={"operation": operation},
    )
    return coded("server_error", "An unexpected error occurred")
