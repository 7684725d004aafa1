"""The four types that tools answer with, and nothing else."""

from __future__ import annotations

from typing import Literal

from pydantic import (
    BaseModel,
    SerializerFunctionWrapHandler,
    field_validator,
    model_serializer,
    model_validator,
)

from ..shared.redaction import redacted_text
from .codes import DETAILS, ErrorCode

RETRY_AFTER_SECONDS = 30
"""When to try again, where nobody has said."""


class Response(BaseModel):
    """What all answers have. Fields that have no value are left out of the answer."""

    status: str
    message: str

    @model_serializer(mode="wrap")
    def _without_unset(self, serialize: SerializerFunctionWrapHandler):  # type: ignore[no-untyped-def]
        # Not typed on purpose: with the type of what it returns that would be all of the published schema.
        return {
            key: value for key, value in serialize(self).items() if value is not None
        }


class SuccessResponse(Response):
    """All was done."""

    status: Literal["success"] = "success"
    episode_id: str
    processing_time_ms: int
    entities_extracted: int | None = None
    relationships_extracted: int | None = None


class DegradedResponse(Response):
    """A part was done: what came is stored, and not worked on."""

    status: Literal["degraded"] = "degraded"
    episode_id: str
    processing_time_ms: int
    raw_stored: bool
    entities_extracted: int = 0
    reprocess_available: bool


class QueuedResponse(Response):
    """It will be done later."""

    status: Literal["queued"] = "queued"
    episode_id: str
    processing_time_ms: int


class ErrorResponse(Response):
    """Nothing was done; the message says what is wrong, and ``suggestion`` what to do about it.

    What is not given goes with the code; one that is not registered says no more than
    that the operation failed. A transient error says when to try again.
    """

    status: Literal["error"] = "error"
    error_type: str = ""
    error_code: ErrorCode | str = ErrorCode.OPERATION_FAILED
    recoverable: bool | None = None
    suggestion: str = ""
    retry_after_seconds: int | None = None
    details: str | None = None

    @field_validator("message", "suggestion", "details")
    @classmethod
    def _without_secrets(cls, text: str | None) -> str | None:
        return redacted_text(text) if text else text

    @model_validator(mode="after")
    def _complete(self) -> ErrorResponse:
        details = DETAILS.get(self.error_code, DETAILS[ErrorCode.OPERATION_FAILED])
        self.error_type = self.error_type or details.error_type
        self.suggestion = self.suggestion or details.suggestion
        if self.recoverable is None:
            self.recoverable = details.recoverable
        if self.recoverable and self.retry_after_seconds is None:
            self.retry_after_seconds = RETRY_AFTER_SECONDS
        return self
