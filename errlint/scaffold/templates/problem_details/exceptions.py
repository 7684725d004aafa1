"""The exceptions that adapters raise. Each class has its code and its status; the boundary does the rest."""

from __future__ import annotations

import logging
from collections.abc import Mapping

from .codes import ErrorCode
from .problems import ProblemDetails, problem_details


class AppError(Exception):
    """Base of all that this server raises: a message for people, a code for programs, a context for both."""

    def __init__(
        self,
        message: str,
        *,
        code: ErrorCode,
        http_status: int,
        context: Mapping[str, object] | None = None,
        cause: Exception | None = None,
    ) -> None:
        super().__init__(message)
        self.message = message
        self.code = code
        self.http_status = http_status
        self.context = dict(context or {})
        if cause is not None:
            self.__cause__ = cause

    @property
    def log_level(self) -> int:
        """WARNING for the mistakes of a caller, ERROR for those of the system."""
        return logging.WARNING if self.http_status < 500 else logging.ERROR

    def to_problem_details(self, *, instance: str) -> ProblemDetails:
        """Return the problem, ``instance`` being the operation that failed."""
        return problem_details(
            self.code, self.http_status, self.message, instance, self.context
        )


class AdapterError(AppError):
    """An adapter failed, and no other class says more."""

    def __init__(
        self,
        message: str,
        *,
        context: Mapping[str, object] | None = None,
        cause: Exception | None = None,
    ) -> None:
        super().__init__(
            message,
            code=ErrorCode.ADAPTER_ERROR,
            http_status=500,
            context=context,
            cause=cause,
        )


class InvalidRequestError(AppError):
    """A parameter is wrong."""

    def __init__(
        self,
        message: str,
        *,
        context: Mapping[str, object] | None = None,
        cause: Exception | None = None,
    ) -> None:
        super().__init__(
            message,
            code=ErrorCode.INVALID_REQUEST,
            http_status=400,
            context=context,
            cause=cause,
        )


class NotFoundError(AppError):
    """What was asked for does not exist."""

    def __init__(
        self,
        message: str,
        *,
        context: Mapping[str, object] | None = None,
        cause: Exception | None = None,
    ) -> None:
        super().__init__(
            message,
            code=ErrorCode.NOT_FOUND,
            http_status=404,
            context=context,
            cause=cause,
        )


class PathOutsideRepositoryError(AppError):
    """A path leads out of the folder that may be read."""

    def __init__(self, message: str, path: str, cause: Exception | None = None) -> None:
        super().__init__(
            message,
            code=ErrorCode.PATH_OUTSIDE_REPOSITORY,
            http_status=400,
            context={"path": path},
            cause=cause,
        )


class FileOperationError(AppError):
    """Base for file operation errors."""

    def __init__(self, message: str, path: str, cause: Exception | None = None) -> None:
        super().__init__(
            message,
            code=ErrorCode.FILE_OPERATION_ERROR,
            http_status=400,
            context={"path": path},
            cause=cause,
        )


class FileReadError(FileOperationError):
    """A file cannot be read: it is binary, or in another encoding."""


class InvalidLineRangeError(FileOperationError):
    """A range of lines is no range."""


class GitOperationError(AppError):
    """Git failed."""

    def __init__(
        self, message: str, path: str | None = None, cause: Exception | None = None
    ) -> None:
        super().__init__(
            message,
            code=ErrorCode.GIT_OPERATION_ERROR,
            http_status=500,
            context={"path": path} if path else {},
            cause=cause,
        )
