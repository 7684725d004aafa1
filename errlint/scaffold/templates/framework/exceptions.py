"""The exceptions that tools raise. The framework answers them as errors, with their messages."""

from __future__ import annotations

from collections.abc import Mapping

from fastmcp.exceptions import ToolError

from .codes import ErrorCode


class AppError(ToolError):
    """Base of all that this server raises: a message for people, a code and a context for logs.

    ``cause`` is the exception that it comes from.
    """

    code = ErrorCode.INTERNAL_ERROR

    def __init__(
        self,
        message: str,
        *,
        context: Mapping[str, object] | None = None,
        cause: Exception | None = None,
    ) -> None:
        super().__init__(message)
        self.message = message
        self.context = dict(context or {})
        if cause is not None:
            self.__cause__ = cause


class InvalidRequestError(AppError):
    """A parameter is wrong."""

    code = ErrorCode.INVALID_REQUEST


class NotFoundError(AppError):
    """What was asked for does not exist."""

    code = ErrorCode.NOT_FOUND


class OperationError(AppError):
    """The work itself failed."""

    code = ErrorCode.OPERATION_FAILED


class OperationTimeoutError(AppError):
    """The work took too long."""

    code = ErrorCode.TIMEOUT
