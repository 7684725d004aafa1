"""What the layers below the tools raise; the boundary answers it."""

from __future__ import annotations

from .codes import ErrorCode


class ServiceError(Exception):
    """Base of the errors of this server: a message for people, and a code."""

    code = ErrorCode.OPERATION_FAILED

    def __init__(self, message: str, *, cause: Exception | None = None) -> None:
        super().__init__(message)
        self.message = message
        if cause is not None:
            self.__cause__ = cause


class InvalidRequestError(ServiceError):
    """A parameter is wrong."""

    code = ErrorCode.INVALID_REQUEST
