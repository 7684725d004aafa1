"""The answers of this server: four types, of which one is for errors, and the boundary that no exception passes."""

from .boundary import to_error_response, typed_errors
from .classifier import LLMErrorClassifier
from .codes import ErrorCode
from .exceptions import InvalidRequestError, ServiceError
from .middleware import ErrorAnswers
from .responses import DegradedResponse, ErrorResponse, QueuedResponse, SuccessResponse

__all__ = [
    "DegradedResponse",
    "ErrorAnswers",
    "ErrorCode",
    "ErrorResponse",
    "InvalidRequestError",
    "LLMErrorClassifier",
    "QueuedResponse",
    "ServiceError",
    "SuccessResponse",
    "to_error_response",
    "typed_errors",
]
