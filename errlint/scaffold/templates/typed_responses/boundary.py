"""The boundary: no exception leaves a tool; each becomes an ``ErrorResponse``, and is logged."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from typing import ParamSpec, TypeVar

from ..shared.wrapping import wrapped
from .classifier import LLMErrorClassifier
from .codes import ErrorCode
from .exceptions import ServiceError
from .responses import ErrorResponse

P = ParamSpec("P")
R = TypeVar("R")

LOGGER = logging.getLogger(__name__)
CLASSIFIER = LLMErrorClassifier()


def typed_errors(function: Callable[P, R]) -> Callable[P, R]:
    """Return a tool that answers what it would raise; it stands below ``@mcp.tool()``."""
    operation = getattr(function, "__name__", "call")

    def answer(exc: Exception) -> ErrorResponse:
        return to_error_response(exc, operation)

    return wrapped(function, answer)


def to_error_response(exc: Exception, operation: str) -> ErrorResponse:
    """Return the answer for an exception, and log it. Nothing that an unknown exception says is told to the client."""
    response = _response(exc)
    level = (
        logging.ERROR
        if response.error_code is ErrorCode.INTERNAL_ERROR
        else logging.WARNING
    )
    fields = {"operation": operation, "error_code": response.error_code}
    LOGGER.log(level, response.message, exc_info=exc, extra=fields)
    return response


def _response(exc: Exception) -> ErrorResponse:
    if isinstance(exc, ServiceError):
        return ErrorResponse(message=exc.message, error_code=exc.code)
    known = CLASSIFIER.response(exc)
    if known is not None:
        return known
    if isinstance(exc, (TimeoutError, asyncio.TimeoutError)):
        return ErrorResponse(
            message="The operation took too long", error_code=ErrorCode.TIMEOUT
        )
    return ErrorResponse(
        message="An unexpected error occurred", error_code=ErrorCode.INTERNAL_ERROR
    )
