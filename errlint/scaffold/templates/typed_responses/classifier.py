"""Which error a provider of language models has answered with: told by its class and status, never by its text."""

from __future__ import annotations

from collections.abc import Mapping

from .codes import ErrorCode
from .responses import RETRY_AFTER_SECONDS, ErrorResponse

_NETWORK = frozenset(
    {
        "APIConnectionError",
        "APITimeoutError",
        "ConnectError",
        "ConnectionError",
        "ConnectTimeout",
    }
)
"""Names of the classes by which clients of providers say that there was no answer."""

_STATUSES = {
    401: ErrorCode.INVALID_API_KEY,
    402: ErrorCode.QUOTA_EXCEEDED,
    403: ErrorCode.INVALID_API_KEY,
    429: ErrorCode.RATE_LIMIT_EXCEEDED,
}


class LLMErrorClassifier:
    """Tells the errors of a provider apart, and puts each into words; ``key`` and ``billing`` are named in these."""

    def __init__(
        self,
        key: str = "OPENAI_API_KEY",
        billing: str = "https://platform.openai.com/account/billing",
    ) -> None:
        self._key = key
        self._billing = billing

    def code(self, error: Exception) -> ErrorCode | None:
        """Return the code of an exception, ``None`` for one that is no provider's."""
        if getattr(error, "code", None) == "insufficient_quota":
            return ErrorCode.QUOTA_EXCEEDED
        status = getattr(error, "status_code", None)
        if isinstance(status, int) and status in _STATUSES:
            return _STATUSES[status]
        names = {base.__name__ for base in type(error).__mro__}
        return ErrorCode.NETWORK_ERROR if names & _NETWORK else None

    def response(self, error: Exception) -> ErrorResponse | None:
        """Return the answer for an exception, ``None`` for one that is no provider's."""
        code = self.code(error)
        if code is ErrorCode.INVALID_API_KEY:
            return ErrorResponse(
                message=f"LLM API key is invalid. Check your {self._key}.",
                error_code=code,
            )
        if code is ErrorCode.QUOTA_EXCEEDED:
            return ErrorResponse(
                message=f"LLM quota exceeded. Check billing at {self._billing}.",
                error_code=code,
            )
        if code is ErrorCode.RATE_LIMIT_EXCEEDED:
            seconds = _retry_after(error)
            return ErrorResponse(
                message=f"LLM rate limit exceeded. Retry in {seconds} seconds.",
                error_code=code,
                retry_after_seconds=seconds,
            )
        if code is ErrorCode.NETWORK_ERROR:
            return ErrorResponse(
                message="Cannot reach LLM provider. Check network connection.",
                error_code=code,
                retry_after_seconds=RETRY_AFTER_SECONDS,
            )
        return None


def _retry_after(error: Exception) -> int:
    """Return the seconds that the provider's answer asks for."""
    headers = getattr(getattr(error, "response", None), "headers", None)
    text = str(headers.get("retry-after", "")) if isinstance(headers, Mapping) else ""
    return int(text) if text.isdigit() else RETRY_AFTER_SECONDS
