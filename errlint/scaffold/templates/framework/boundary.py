"""The boundary: what tools raise is logged, and nothing that an unknown exception says is told to clients."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from typing import Any, ParamSpec, TypeVar

from fastmcp.exceptions import ToolError

from ..shared.redaction import redacted_text
from ..shared.wrapping import wrapped
from .codes import ErrorCode
from .exceptions import AppError, OperationTimeoutError

P = ParamSpec("P")
R = TypeVar("R")

LOGGER = logging.getLogger(__name__)


def answered(function: Callable[P, R]) -> Callable[P, R]:
    """Return a tool whose exceptions are logged, and fit to be told; it stands below ``@mcp.tool()``."""
    operation = getattr(function, "__name__", "call")

    def answer(exc: Exception) -> Any:
        raise tellable(exc, operation)

    return wrapped(function, answer)


def tellable(exc: Exception, operation: str) -> Exception:
    """Log an exception, and return what the framework may tell of it."""
    if isinstance(exc, AppError):
        fields = {
            "operation": operation,
            "error_code": exc.code.value,
            "context": exc.context,
        }
        LOGGER.warning(exc.message, exc_info=exc.__cause__, extra=fields)
        return _masked(exc)
    if isinstance(exc, ToolError):
        LOGGER.warning(
            str(exc), extra={"operation": operation, "error_code": "", "context": {}}
        )
        return _masked(exc)
    if isinstance(exc, (TimeoutError, asyncio.TimeoutError)):
        fields = {
            "operation": operation,
            "error_code": ErrorCode.TIMEOUT.value,
            "context": {},
        }
        LOGGER.error("The operation took too long", exc_info=exc, extra=fields)
        return OperationTimeoutError("The operation took too long", cause=exc)
    fields = {
        "operation": operation,
        "error_code": ErrorCode.INTERNAL_ERROR.value,
        "context": {},
    }
    LOGGER.error("An unexpected error occurred", exc_info=exc, extra=fields)
    return AppError("An unexpected error occurred", cause=exc)


def _masked(exc: ToolError) -> ToolError:
    """Return an exception that says no secret: the same one, where it says none."""
    text = redacted_text(str(exc))
    return exc if text == str(exc) else ToolError(text)
