"""The errors of the server: what each is answered with, and what is logged of it."""

import asyncio
import errno
import logging
import os
from typing import Any

import pytest
from fastmcp import Client, FastMCP

from errlint.scaffold.templates.problem_details import (
    AdapterError,
    AppError,
    ErrorAnswers,
    ErrorCode,
    FileOperationError,
    FileReadError,
    GitOperationError,
    InvalidLineRangeError,
    InvalidRequestError,
    NotFoundError,
    PathOutsideRepositoryError,
    handle_adapter_errors,
)

MEMBERS = {"type", "title", "status", "detail", "instance", "code"}


def answer(error: Exception) -> Any:
    """Return what a client gets where an adapter raises ``error``."""

    @handle_adapter_errors(operation="files:open_file", empty_result={"matches": []})
    def fail() -> dict[str, object]:
        raise error

    return fail()


ERRORS = [
    (AdapterError("it failed"), ErrorCode.ADAPTER_ERROR, 500),
    (
        InvalidRequestError("limit must be positive", context={"limit": 0}),
        ErrorCode.INVALID_REQUEST,
        400,
    ),
    (NotFoundError("There is no such order"), ErrorCode.NOT_FOUND, 404),
    (
        PathOutsideRepositoryError("outside", path="../a"),
        ErrorCode.PATH_OUTSIDE_REPOSITORY,
        400,
    ),
    (FileOperationError("it is locked", path="a"), ErrorCode.FILE_OPERATION_ERROR, 400),
    (
        FileReadError("Binary file or encoding error", path="a"),
        ErrorCode.FILE_OPERATION_ERROR,
        400,
    ),
    (
        InvalidLineRangeError("start_line must be positive", path="a"),
        ErrorCode.FILE_OPERATION_ERROR,
        400,
    ),
    (GitOperationError("git failed", path="a"), ErrorCode.GIT_OPERATION_ERROR, 500),
    (FileNotFoundError("File not found: a"), ErrorCode.FILE_NOT_FOUND, 404),
]


@pytest.mark.parametrize(("error", "code", "status"), ERRORS)
def test_an_error_is_answered_with_its_code_and_its_message(
    error: Exception, code: ErrorCode, status: int
) -> None:
    got = answer(error)
    problem = got["problem"]
    assert set(got) == {"matches", "error", "problem"}
    assert set(problem) - {"extensions"} == MEMBERS
    assert (got["matches"], got["error"], problem["detail"]) == (
        [],
        str(error),
        str(error),
    )
    assert (problem["code"], problem["status"]) == (code.value, status)
    assert problem["title"] == code.value.replace("-", " ").title()
    assert problem["type"].endswith(f"/{code.value}")
    assert problem["instance"].endswith(":files:open_file")
    assert problem.get("extensions", {}) == getattr(error, "context", {})


def test_an_unknown_exception_gives_nothing_away_and_is_logged_whole(
    caplog: pytest.LogCaptureFixture,
) -> None:
    got = answer(RuntimeError("the database is at db:5432"))
    assert got["problem"]["code"] == ErrorCode.INTERNAL_ERROR.value
    assert got["problem"]["status"] == 500
    assert "5432" not in str(got)
    assert "the database is at db:5432" in caplog.text
    assert "Traceback" in caplog.text


def test_the_path_of_a_file_that_the_system_misses_is_not_told() -> None:
    got = answer(
        FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), "/home/me/notes.txt")
    )
    assert (got["error"], got["problem"]["extensions"]) == (
        "File 'notes.txt' not found",
        {"path": "notes.txt"},
    )


def test_a_missing_file_is_told_of_in_the_words_of_the_adapter() -> None:
    got = answer(
        FileNotFoundError(
            errno.ENOENT, "File 'src/main.py' not found in repository", "src/main.py"
        )
    )
    assert got["error"] == "File 'src/main.py' not found in repository"
    assert got["problem"]["extensions"] == {"path": "src/main.py"}


@pytest.mark.parametrize(
    "error", [TimeoutError("db:5432"), asyncio.exceptions.TimeoutError()]
)
def test_a_timeout_is_told_as_one(error: Exception) -> None:
    got = answer(error)
    assert (got["problem"]["code"], got["problem"]["status"]) == (
        ErrorCode.TIMEOUT.value,
        504,
    )
    assert "5432" not in str(got)


def test_secrets_are_not_echoed() -> None:
    got = answer(
        InvalidRequestError(
            "no such user: password=hunter2", context={"api_key": "hunter2"}
        )
    )
    assert "hunter2" not in str(got)


def test_the_mistakes_of_callers_are_warnings_and_those_of_the_system_errors(
    caplog: pytest.LogCaptureFixture,
) -> None:
    answer(NotFoundError("gone", context={"id": 3}))
    answer(GitOperationError("broken"))
    levels = [record.levelno for record in caplog.records]
    assert levels == [logging.WARNING, logging.ERROR]
    fields = vars(caplog.records[0])
    assert (fields["operation"], fields["error_code"], fields["context"]) == (
        "files:open_file",
        "not-found",
        {"id": 3},
    )


def test_the_empty_result_of_one_answer_is_not_that_of_another() -> None:
    empty: dict[str, object] = {"matches": []}

    @handle_adapter_errors(empty_result=empty)
    def fail() -> Any:
        raise NotFoundError("gone")

    fail()["matches"].append("mine")
    assert fail()["matches"] == []
    assert fail()["problem"]["instance"].endswith(":fail")


def test_a_cancelled_call_is_cancelled() -> None:
    @handle_adapter_errors()
    async def wait() -> None:
        raise asyncio.CancelledError

    with pytest.raises(asyncio.CancelledError):
        asyncio.run(wait())


def test_a_cause_is_kept() -> None:
    cause = ValueError("why")
    error: AppError = NotFoundError("gone", cause=cause)
    assert error.__cause__ is cause


def test_parameters_that_do_not_fit_the_schema_are_answered_in_the_same_shape() -> None:
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
    assert (got["error"], got["problem"]["status"]) == (
        "Invalid parameters for count",
        400,
    )
    assert [
        text.partition(":")[0] for text in got["problem"]["extensions"]["errors"]
    ] == ["number"]
    assert "many" not in str(got)
