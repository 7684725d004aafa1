"""The registry: every code that an error answer can have, and what it says by itself."""

from __future__ import annotations

from enum import Enum
from typing import NamedTuple


class ErrorCode(str, Enum):
    """What went wrong, for callers that branch on it; a code is stable, its message may change."""

    INVALID_API_KEY = "INVALID_API_KEY"
    QUOTA_EXCEEDED = "QUOTA_EXCEEDED"
    RATE_LIMIT_EXCEEDED = "RATE_LIMIT_EXCEEDED"
    NETWORK_ERROR = "NETWORK_ERROR"
    INVALID_REQUEST = "INVALID_REQUEST"
    OPERATION_FAILED = "OPERATION_FAILED"
    TIMEOUT = "TIMEOUT"
    INTERNAL_ERROR = "INTERNAL_ERROR"


class CodeDetails(NamedTuple):
    """What goes with a code: the type of error, whether the same call may succeed later, and what to do until then."""

    error_type: str
    recoverable: bool
    suggestion: str


DETAILS: dict[str, CodeDetails] = {
    ErrorCode.INVALID_API_KEY: CodeDetails(
        "llm_unavailable",
        recoverable=False,
        suggestion="Verify the API key in the console of the provider",
    ),
    ErrorCode.QUOTA_EXCEEDED: CodeDetails(
        "llm_unavailable",
        recoverable=False,
        suggestion="Check the billing of the provider, or use another key",
    ),
    ErrorCode.RATE_LIMIT_EXCEEDED: CodeDetails(
        "llm_unavailable",
        recoverable=True,
        suggestion="Wait for as long as retry_after_seconds says, and try again",
    ),
    ErrorCode.NETWORK_ERROR: CodeDetails(
        "llm_unavailable",
        recoverable=True,
        suggestion="Check the network connection, and try again",
    ),
    ErrorCode.INVALID_REQUEST: CodeDetails(
        "invalid_request",
        recoverable=False,
        suggestion="Correct the parameters that the message is about",
    ),
    ErrorCode.OPERATION_FAILED: CodeDetails(
        "operation_failed",
        recoverable=False,
        suggestion="Change what the message is about, and try again",
    ),
    ErrorCode.TIMEOUT: CodeDetails(
        "timeout",
        recoverable=True,
        suggestion="Look whether it was done all the same before you try again",
    ),
    ErrorCode.INTERNAL_ERROR: CodeDetails(
        "internal_error",
        recoverable=False,
        suggestion="Give the time of the call to the maintainers of the server",
    ),
}
