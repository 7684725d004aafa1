"""The errors of the server: the code that each begins with, and what is logged."""

import asyncio
import json
from typing import Any

import pytest
from fastmcp import Client, FastMCP
from fastmcp.exceptions import ToolError

from errlint.scaffold.templates.coded_tool_errors import (
    CODES,
    RETRYABLE,
    ChatbotSetupResponse,
    ErrorAnswers,
    backend_error,
    code_for,
    code_of,
    coded,
    coded_errors,
    enveloped,
    is_retryable,
)


def told(error: BaseException) -> str:
    """Return what a client is told where a tool raises ``error``."""

    @coded_errors
    def fail() -> None:
        raise error

    with pytest.raises(ToolError) as caught:
        fail()
    return str(caught.value)


@pytest.mark.parametrize("code", sorted(CODES))
def test_an_error_begins_with_its_code(
    code: str, caplog: pytest.LogCaptureFixture
) -> None:
    error = coded(code, "it failed")
    assert told(error) == f"[{code}] it failed"
    assert code_of(error) == code
    assert vars(caplog.records[-1])["error_code"] == code


def test_four_codes_are_worth_a_retry() -> None:
    assert {code for code in CODES if is_retryable(code)} == RETRYABLE
    assert len(RETRYABLE) == 4


@pytest.mark.parametrize(
    ("status", "code"),
    [
        (401, "auth_failed"),
        (402, "insufficient_credits"),
        (403, "auth_failed"),
        (404, "not_found"),
        (408, "timeout"),
        (418, "client_error"),
        (422, "validation_error"),
        (429, "rate_limited"),
        (503, "server_error"),
    ],
)
def test_a_status_without_a_code_has_a_default(status: int, code: str) -> None:
    assert code_for(status) == code
    assert str(backend_error(status, {"message": "it failed"})) == f"[{code}] it failed"


def test_the_code_of_the_backend_wins_over_its_status() -> None:
    assert (
        str(backend_error(403, {"error_code": "forbidden", "message": "not yours"}))
        == "[forbidden] not yours"
    )
    assert not is_retryable("upgrade_required", 426)
    assert is_retryable("shard_moved", 503)


def test_a_write_that_may_have_been_done_names_the_call_that_shows_it() -> None:
    error = backend_error(408, {}, verify="study_get(workspace_id=3)")
    assert str(error).endswith("Check study_get(workspace_id=3) before retrying")


def test_an_envelope_has_the_code_the_suggestions_and_the_fields() -> None:
    error = enveloped(
        "no_audio_track",
        "The video has no sound.",
        suggestions=["upload another"],
        source_url="a.mp4",
    )
    prose, _, envelope = str(error).partition(" [envelope] ")
    assert (
        prose == "[no_audio_track] The video has no sound. Suggestions: upload another."
    )
    assert json.loads(envelope) == {
        "error_kind": "no_audio_track",
        "suggestions": ["upload another"],
        "source_url": "a.mp4",
    }


def test_an_unknown_exception_gives_nothing_away_and_is_logged_whole(
    caplog: pytest.LogCaptureFixture,
) -> None:
    assert (
        told(RuntimeError("the database is at db:5432"))
        == "[server_error] An unexpected error occurred"
    )
    assert "the database is at db:5432" in caplog.text


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (TimeoutError("db:5432"), "timeout"),
        (asyncio.exceptions.TimeoutError(), "timeout"),
        (ConnectionError(), "network_error"),
    ],
)
def test_what_is_transient_has_a_code_that_says_so(error: Exception, code: str) -> None:
    text = told(error)
    assert code_of(ToolError(text)) == code
    assert is_retryable(code)
    assert "5432" not in text


def test_the_cause_of_an_error_stays() -> None:
    @coded_errors
    def fail() -> None:
        try:
            int("many")
        except ValueError as error:
            raise coded("validation_error", "no number") from error

    with pytest.raises(ToolError) as caught:
        fail()
    assert isinstance(caught.value.__cause__, ValueError)


def test_secrets_are_not_echoed() -> None:
    assert "hunter2" not in told(ToolError("[auth_failed] password=hunter2"))


def test_a_cancelled_call_is_cancelled() -> None:
    @coded_errors
    async def wait() -> None:
        raise asyncio.CancelledError

    with pytest.raises(asyncio.CancelledError):
        asyncio.run(wait())


def test_parameters_that_do_not_fit_the_schema_have_a_code() -> None:
    server: FastMCP[Any] = FastMCP("test")
    server.add_middleware(ErrorAnswers())

    @server.tool()
    def count(number: int) -> int:
        return number

    async def ask() -> str:
        async with Client(server) as client:
            answer = await client.call_tool(
                "count", {"number": "many"}, raise_on_error=False
            )
            return str(answer.content[0].text)

    text = asyncio.run(ask())
    assert text.startswith("[validation_error] number: ")
    assert "many" not in text


def test_a_setup_that_fails_is_an_answer() -> None:
    assert ChatbotSetupResponse(ok=False, error_kind="port_conflict").model_dump() == {
        "ok": False,
        "error_kind": "port_conflict",
        "message": "",
    }
