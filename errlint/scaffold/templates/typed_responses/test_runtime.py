"""The answers of the server: the types, what becomes of exceptions, and the log."""

import asyncio
from typing import Any

import pytest
from fastmcp import Client, FastMCP

from errlint.scaffold.templates.typed_responses import (
    DegradedResponse,
    ErrorAnswers,
    ErrorCode,
    ErrorResponse,
    InvalidRequestError,
    QueuedResponse,
    ServiceError,
    SuccessResponse,
    typed_errors,
)


class ProviderError(Exception):
    """What the client of a provider raises."""

    def __init__(self, status_code: int, code: str = "", retry_after: str = "") -> None:
        super().__init__("sk-hunter2hunter2hunter2 was refused")
        self.status_code = status_code
        self.code = code
        self.response = type("Answer", (), {"headers": {"retry-after": retry_after}})


class APIConnectionError(Exception):
    """What the client of a provider raises where there was no answer."""


def answer(error: BaseException) -> dict[str, Any]:
    """Return what a client gets where a tool raises ``error``."""

    @typed_errors
    def fail() -> Any:
        raise error

    got = fail()
    assert isinstance(got, ErrorResponse)
    return got.model_dump(mode="json")


@pytest.mark.parametrize("code", ErrorCode)
def test_an_error_is_completed_from_its_code(code: ErrorCode) -> None:
    got = ErrorResponse(message="it failed", error_code=code).model_dump(mode="json")
    expected = {
        "status",
        "error_type",
        "error_code",
        "message",
        "recoverable",
        "suggestion",
    }
    assert set(got) == (
        expected | {"retry_after_seconds"} if got["recoverable"] else expected
    )
    assert (got["status"], got["error_code"]) == ("error", code.value)
    assert got["error_type"]
    assert got["suggestion"]


@pytest.mark.parametrize(
    ("error", "code", "message", "seconds"),
    [
        (
            ProviderError(401),
            "INVALID_API_KEY",
            "LLM API key is invalid. Check your OPENAI_API_KEY.",
            None,
        ),
        (
            ProviderError(403),
            "INVALID_API_KEY",
            "LLM API key is invalid. Check your OPENAI_API_KEY.",
            None,
        ),
        (
            ProviderError(402),
            "QUOTA_EXCEEDED",
            "LLM quota exceeded. Check billing at https://platform.openai.com/account/billing.",
            None,
        ),
        (
            ProviderError(429, "insufficient_quota"),
            "QUOTA_EXCEEDED",
            "LLM quota exceeded. Check billing at https://platform.openai.com/account/billing.",
            None,
        ),
        (
            ProviderError(429, retry_after="12"),
            "RATE_LIMIT_EXCEEDED",
            "LLM rate limit exceeded. Retry in 12 seconds.",
            12,
        ),
        (
            ProviderError(429),
            "RATE_LIMIT_EXCEEDED",
            "LLM rate limit exceeded. Retry in 30 seconds.",
            30,
        ),
        (
            APIConnectionError(),
            "NETWORK_ERROR",
            "Cannot reach LLM provider. Check network connection.",
            30,
        ),
        (TimeoutError("db:5432"), "TIMEOUT", "The operation took too long", 30),
        (
            asyncio.exceptions.TimeoutError(),
            "TIMEOUT",
            "The operation took too long",
            30,
        ),
        (
            ServiceError("The index is locked"),
            "OPERATION_FAILED",
            "The index is locked",
            None,
        ),
        (
            InvalidRequestError("limit must be positive"),
            "INVALID_REQUEST",
            "limit must be positive",
            None,
        ),
    ],
)
def test_an_exception_is_answered_with_its_code_and_what_to_do(
    error: Exception, code: str, message: str, seconds: int | None
) -> None:
    got = answer(error)
    assert (got["error_code"], got["message"], got.get("retry_after_seconds")) == (
        code,
        message,
        seconds,
    )
    assert got["recoverable"] is (seconds is not None)


def test_a_code_that_is_not_registered_is_told_as_it_is() -> None:
    got = ErrorResponse(
        message="it failed", error_code="OWN", details="password=hunter2"
    )
    told = got.model_dump(mode="json")
    assert (told["error_code"], told["error_type"]) == ("OWN", "operation_failed")
    assert told["details"] == "password=[redacted]"


def test_an_unknown_exception_gives_nothing_away_and_is_logged_whole(
    caplog: pytest.LogCaptureFixture,
) -> None:
    got = answer(RuntimeError("the database is at db:5432"))
    assert (got["error_code"], got["message"]) == (
        "INTERNAL_ERROR",
        "An unexpected error occurred",
    )
    assert "the database is at db:5432" in caplog.text
    fields = vars(caplog.records[-1])
    assert (fields["operation"], fields["error_code"]) == ("fail", "INTERNAL_ERROR")


def test_secrets_are_not_echoed() -> None:
    assert "hunter2" not in str(
        answer(InvalidRequestError("no such user: password=hunter2"))
    )


def test_a_cancelled_call_is_cancelled() -> None:
    @typed_errors
    async def wait() -> None:
        raise asyncio.CancelledError

    with pytest.raises(asyncio.CancelledError):
        asyncio.run(wait())


def test_the_other_answers_have_their_status_and_no_empty_fields() -> None:
    done = SuccessResponse(message="indexed", episode_id="ep_1", processing_time_ms=12)
    assert done.model_dump() == {
        "status": "success",
        "message": "indexed",
        "episode_id": "ep_1",
        "processing_time_ms": 12,
    }
    stored = DegradedResponse(
        message="stored",
        episode_id="ep_1",
        processing_time_ms=1,
        raw_stored=True,
        reprocess_available=True,
    )
    assert (stored.status, stored.entities_extracted) == ("degraded", 0)
    assert (
        QueuedResponse(message="later", episode_id="ep_1", processing_time_ms=1).status
        == "queued"
    )


def test_parameters_that_do_not_fit_the_schema_are_an_error_response() -> None:
    server: FastMCP[Any] = FastMCP("test")
    server.add_middleware(ErrorAnswers())

    @server.tool()
    def count(number: int) -> dict[str, object]:
        return {"number": number}

    async def ask() -> Any:
        async with Client(server) as client:
            return (
                await client.call_tool("count", {"number": "many"})
            ).structured_content

    got = asyncio.run(ask())
    assert (got["status"], got["error_code"]) == ("error", "INVALID_REQUEST")
    assert got["message"].startswith("Invalid parameters for count: number: ")
    assert "many" not in str(got)


def test_the_schema_of_a_type_names_its_fields() -> None:
    assert (
        "retry_after_seconds"
        in ErrorResponse.model_json_schema(mode="serialization")["properties"]
    )
