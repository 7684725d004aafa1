"""The registry: every code that the message of an error begins with, and what it says about a retry."""

from __future__ import annotations

from typing import Literal, get_args

ErrorCode = Literal[
    "auth_failed",
    "forbidden",
    "not_found",
    "validation_error",
    "empty_audience",
    "usage_limit_reached",
    "insufficient_credits",
    "analysis_failed",
    "rate_limited",
    "timeout",
    "server_error",
    "network_error",
    "client_error",
    "no_audio_track",
    "media_download_failed",
    "cloudflared_missing",
    "tunnel_startup_failed",
    "registration_failed",
    "port_conflict",
]
"""What went wrong, for agents that branch on it; a code is stable, the text behind it may change."""

RETRYABLE: frozenset[str] = frozenset(
    {"rate_limited", "timeout", "server_error", "network_error"}
)
"""Codes of what is transient: the others need something else to change first."""

CODES: frozenset[str] = frozenset(get_args(ErrorCode))

DEFAULTS: dict[int, ErrorCode] = {
    401: "auth_failed",
    402: "insufficient_credits",
    403: "auth_failed",
    404: "not_found",
    408: "timeout",
    422: "validation_error",
    429: "rate_limited",
}
"""The code of a status of the backend, where its answer has none of its own."""


def code_for(status: int, error_code: str = "") -> str:
    """Return the code of a backend's failure: the one in its answer, else that of its status."""
    if error_code:
        return error_code
    default: ErrorCode = "server_error" if status >= 500 else "client_error"
    return DEFAULTS.get(status, default)


def is_retryable(code: str, status: int = 0) -> bool:
    """Whether the same call may succeed later; of a code that is the backend's own, its ``status`` decides."""
    return (code if code in CODES else code_for(status)) in RETRYABLE
