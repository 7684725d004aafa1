"""The registry: every code that an answer of this server can have."""

from __future__ import annotations

from enum import Enum


class ErrorCode(str, Enum):
    """What went wrong, for programs that branch; a code is stable, its message may change."""

    ADAPTER_ERROR = "adapter-error"
    FILE_NOT_FOUND = "file-not-found"
    FILE_OPERATION_ERROR = "file-operation-error"
    GIT_OPERATION_ERROR = "git-operation-error"
    INTERNAL_ERROR = "internal-error"
    INVALID_REQUEST = "invalid-request"
    NOT_FOUND = "not-found"
    PATH_OUTSIDE_REPOSITORY = "path-outside-repository"
    TIMEOUT = "timeout"
