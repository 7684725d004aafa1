"""The errors of this server: typed exceptions, one boundary that answers them, problem details of RFC 9457.

Adapters raise; ``handle_adapter_errors`` logs what they raise and answers it in one shape.
"""

from .boundary import convert_exception_to_envelope, handle_adapter_errors
from .codes import ErrorCode
from .exceptions import (
    AdapterError,
    AppError,
    FileOperationError,
    FileReadError,
    GitOperationError,
    InvalidLineRangeError,
    InvalidRequestError,
    NotFoundError,
    PathOutsideRepositoryError,
)
from .middleware import ErrorAnswers
from .problems import ErrorEnvelope, ProblemDetails, problem_details

__all__ = [
    "AdapterError",
    "AppError",
    "ErrorAnswers",
    "ErrorCode",
    "ErrorEnvelope",
    "FileOperationError",
    "FileReadError",
    "GitOperationError",
    "InvalidLineRangeError",
    "InvalidRequestError",
    "NotFoundError",
    "PathOutsideRepositoryError",
    "ProblemDetails",
    "convert_exception_to_envelope",
    "handle_adapter_errors",
    "problem_details",
]
