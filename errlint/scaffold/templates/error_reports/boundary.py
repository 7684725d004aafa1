"""The boundary: whatever an agent raises is answered with a record, logged with the same fields, and kept if grave."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from typing import ParamSpec, TypeVar

from ..shared.wrapping import wrapped
from .exceptions import ReportedError
from .records import ErrorRecord, record_of, write_error_file
from .taxonomy import LEVELS, ErrorType, Severity

P = ParamSpec("P")
R = TypeVar("R")

LOGGER = logging.getLogger(__name__)


def reported(*, agent: str = "") -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Return a decorator that answers what a function raises with a record; it stands below ``@mcp.tool()``.

    ``agent`` is who reports: the module of the function by default.
    """

    def decorate(function: Callable[P, R]) -> Callable[P, R]:
        name = agent or function.__module__.rpartition(".")[2].replace("_", "-")
        return wrapped(function, lambda exc: report(exc, name))

    return decorate


def report(exc: Exception, agent: str) -> dict[str, ErrorRecord]:
    """Log an exception, and return the record that it is answered with; nothing that an unknown one says is in it."""
    error = _reported(exc)
    record = record_of(error, agent)
    LOGGER.log(
        LEVELS[error.severity],
        error.message,
        exc_info=exc if error is not exc else exc.__cause__,
        extra={
            "error_type": record["type"],
            "severity": record["severity"],
            "phase": record["phase"],
            "recovery": record["recovery"],
            "context": record["context"],
        },
    )
    write_error_file(record, exc)
    return {"error": record}


def _reported(exc: Exception) -> ReportedError:
    """Return what is reported of an exception: itself, where it says what that is."""
    if isinstance(exc, ReportedError):
        return exc
    if isinstance(exc, (TimeoutError, asyncio.TimeoutError)):
        return ReportedError(
            "The operation took too long",
            error_type=ErrorType.OPERATION_TIMEOUT,
            severity=Severity.WARNING,
        )
    return ReportedError(
        "An unexpected error occurred",
        error_type=ErrorType.UNEXPECTED_ERROR,
        context={"exception_type": type(exc).__name__},
    )
