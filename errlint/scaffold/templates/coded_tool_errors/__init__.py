"""The errors of this server: ``ToolError`` with a code in brackets, and one boundary that sees to it."""

from .boundary import coded_errors
from .codes import CODES, RETRYABLE, ErrorCode, code_for, is_retryable
from .failures import backend_error, code_of, coded, enveloped
from .middleware import ErrorAnswers
from .responses import ChatbotSetupResponse

__all__ = [
    "CODES",
    "RETRYABLE",
    "ChatbotSetupResponse",
    "ErrorAnswers",
    "ErrorCode",
    "backend_error",
    "code_for",
    "code_of",
    "coded",
    "coded_errors",
    "enveloped",
    "is_retryable",
]
