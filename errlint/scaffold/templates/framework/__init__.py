"""The errors of this server: exceptions that the framework answers, and one boundary for others."""

from .boundary import answered
from .codes import ErrorCode
from .exceptions import (
    AppError,
    InvalidRequestError,
    NotFoundError,
    OperationError,
    OperationTimeoutError,
)
from .middleware import ErrorAnswers

__all__ = [
    "AppError",
    "ErrorAnswers",
    "ErrorCode",
    "InvalidRequestError",
    "NotFoundError",
    "OperationError",
    "OperationTimeoutError",
    "answered",
]
