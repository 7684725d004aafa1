"""The registry: every code that an error of this server can have."""

from __future__ import annotations

from enum import Enum


class ErrorCode(str, Enum):
    """What went wrong, for agents that branch on it."""

    VALIDATION_ERROR = "VALIDATION_ERROR"
    SELECTOR_ERROR = "SELECTOR_ERROR"
    EXECUTION_ERROR = "EXECUTION_ERROR"
