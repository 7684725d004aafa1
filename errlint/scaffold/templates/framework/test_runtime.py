"""The errors of the server: what the framework is given to tell, and what is logged."""

import asyncio
from typing import Any

import pytest
from fastmcp import Client, FastMCP
from fastmcp.exceptions import ToolError

from errlint.scaffold.templates.framework import (
    AppError,
    ErrorAnswers,
    ErrorCode,
    InvalidRequestError,
    NotFoundError,
    OperationError,
    OperationTimeoutError,
    answered,
)


def told(error: BaseException) -> ToolError:
    """Return what the framework gets where a tool raises ``error``."""

    @answered
    def fail() -> None:
        raise error

    with pytest.raises(ToolError) as caught:
        fail()
    return caught.value


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (InvalidRequestError("limit must be positive"), ErrorCode.INVALID_REQUEST),
        (
            NotFoundError("There is no such order", context={"id": 3}),
            ErrorCode.NOT_FOUND,
        ),
        (OperationError("it failed"), ErrorCode.OPERATION_FAILED),
        (OperationTimeoutError("it took too long"), ErrorCode.TIMEOUT),
    ],
)
def test_an_error_is_told_as_it_is_and_logged_with_its_code(
    error: AppError, code: ErrorCode, caplog: pytest.LogCaptureFixture
) -> None:
    assert told(error) is error
    fields = vars(caplog.records[-1])
    assert (fields["operation"], fields["error_code"], fields["context"]) == (
        "fail",
        code.value,
        error.context,
    )


def test_an_unknown_exception_gives_nothing_away_and_is_logged_whole(
    caplog: pytest.LogCaptureFixture,
) -> None:
    error = RuntimeError("the database is at db:5432")
    got = told(error)
    assert str(got) == "An unexpected error occurred"
    assert got.__cause__ is error
    assert "the database is at db:5432" in caplog.text


@pytest.mark.parametrize(
    "error", [TimeoutError("db:5432"), asyncio.exceptions.TimeoutError()]
)
def test_a_timeout_is_told_as_one(error: Exception) -> None:
    assert str(told(error)) == "The operation took too long"


def test_an_error_of_the_framework_is_left_alone() -> None:
    error = ToolError("ask again")
    assert told(error) is error


def test_secrets_are_not_echoed() -> None:
    assert "hunter2" not in str(told(NotFoundError("no such user: password=hunter2")))


def test_a_cancelled_call_is_cancelled() -> None:
    @answered
    async def wait() -> None:
        raise asyncio.CancelledError

    with pytest.raises(asyncio.CancelledError):
        asyncio.run(wait())


def test_parameters_that_do_not_fit_the_schema_are_told_without_their_values() -> None:
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
    assert text.startswith("Invalid parameters for count: number: ")
    assert "many" not in text
