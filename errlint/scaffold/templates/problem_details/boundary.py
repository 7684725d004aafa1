"""The boundary: the one place where exceptions become answers, and where they are logged."""

from __future__ import annotations

import asyncio
import copy
import logging
import os
from collections.abc import Callable, Mapping
from pathlib import PurePath
from typing import ParamSpec, TypeVar

from ..shared.wrapping import wrapped
from .codes import ErrorCode
from .exceptions import AppError
from .problems import problem_details

P = ParamSpec("P")
R = TypeVar("R")

LOGGER = logging.getLogger(__name__)


def handle_adapter_errors(
    *, operation: str = "", empty_result: Mapping[str, object] | None = None
) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Return a decorator that answers what an adapter raises with an envelope; it stands below ``@mcp.tool()``.

    ``operation`` names the adapter in logs and problems (its module and name by default). ``empty_result`` has the
    fields of the adapter's own answers, empty: clients that know nothing of errors find them where they were.
    """

    def decorate(function: Callable[P, R]) -> Callable[P, R]:
        name = (
            operation
            or f"{function.__module__}:{getattr(function, '__name__', 'call')}"
        )
        return wrapped(
            function,
            lambda exc: convert_exception_to_envelope(exc, name, empty_result or {}),
        )

    return decorate


def convert_exception_to_envelope(
    exc: Exception, operation: str, empty_result: Mapping[str, object]
) -> dict[str, object]:
    """Return the answer for an exception, and log it. Nothing that an unknown exception says is told to the client."""
    if isinstance(exc, AppError):
        problem = exc.to_problem_details(instance=operation)
        fields = {
            "operation": operation,
            "error_code": exc.code.value,
            "context": exc.context,
        }
        LOGGER.log(exc.log_level, exc.message, extra=fields)
    elif isinstance(exc, FileNotFoundError):
        detail, extensions = _missing_file(exc)
        problem = problem_details(
            ErrorCode.FILE_NOT_FOUND, 404, detail, operation, extensions
        )
        fields = {
            "operation": operation,
            "error_code": ErrorCode.FILE_NOT_FOUND.value,
            "context": {},
        }
        LOGGER.warning("File not found: %s", exc, extra=fields)
    elif isinstance(exc, (TimeoutError, asyncio.TimeoutError)):
        problem = problem_details(
            ErrorCode.TIMEOUT, 504, "The operation took too long", operation
        )
        fields = {
            "operation": operation,
            "error_code": ErrorCode.TIMEOUT.value,
            "context": {},
        }
        LOGGER.error("The operation took too long", exc_info=exc, extra=fields)
    else:
        problem = problem_details(
            ErrorCode.INTERNAL_ERROR,
            500,
            "An unexpected error occurred",
            operation,
            {"exception_type": type(exc).__name__},
        )
        fields = {
            "operation": operation,
            "error_code": ErrorCode.INTERNAL_ERROR.value,
            "context": {},
        }
        LOGGER.error("An unexpected error occurred", exc_info=exc, extra=fields)
    return {
        **copy.deepcopy(dict(empty_result)),
        "error": problem["detail"],
        "problem": problem,
    }


def _missing_file(exc: FileNotFoundError) -> tuple[str, dict[str, object]]:
    """Return what to tell of a missing file: the system's own text may have a path in it that is nobody's business."""
    if exc.filename is None:
        return str(exc), {}
    path = PurePath(os.fsdecode(exc.filename))
    shown = path.name if path.is_absolute() else str(path)
    is_own = exc.errno is None or exc.strerror != os.strerror(exc.errno)
    return exc.strerror if is_own and exc.strerror else f"File '{shown}' not found", {
        "path": shown
    }
