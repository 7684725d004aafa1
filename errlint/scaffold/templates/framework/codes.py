"""The registry: every code that an error of this server can have."""

from __future__ import annotations

from enum import Enum


class ErrorCode(str, Enum):
    """What went wrong, for logs and programs; a code is stable, its message may change."""

    INTERNAL_ERROR = "internal_error"
    INVALID_REQUEST = "invalid_request"
    NOT_FOUND = "not_found"
    OPERATION_FAILED = "operation_failed"
    TIMEOUT = "timeout"
