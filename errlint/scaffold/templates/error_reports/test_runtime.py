"""The errors of the server: the record of each, the log, and the files."""

import asyncio
import json
import logging
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from fastmcp import Client, FastMCP

from errlint.scaffold.templates.error_reports import (
    CURRENT_RUN,
    RECOVERIES,
    ErrorAnswers,
    ErrorType,
    InvalidInputError,
    OperationFailedError,
    Recovery,
    ReportedError,
    Run,
    Severity,
    reported,
)

FIELDS = {
    "type",
    "severity",
    "phase",
    "agent",
    "message",
    "recovery",
    "context",
    "timestamp",
    "run_id",
}


@pytest.fixture(autouse=True)
def run(tmp_path: Path) -> Iterator[Run]:
    begun = Run("run_1", phase=2, folder=tmp_path)
    token = CURRENT_RUN.set(begun)
    yield begun
    CURRENT_RUN.reset(token)


def record(error: BaseException) -> Any:
    """Return the record that an agent answers where it raises ``error``."""

    @reported(agent="browser-agent")
    def fail() -> Any:
        raise error

    got = fail()
    assert set(got) == {"error"}
    assert set(got["error"]) == FIELDS
    return got["error"]


def files(run: Run) -> list[Path]:
    return sorted((run.folder / run.run_id / "errors").glob("*.json"))


def test_a_record_has_all_of_its_fields(run: Run) -> None:
    context = {"url": "https://example.org/search", "screenshot": "captcha.png"}
    error = ReportedError(
        "CAPTCHA detected at the search page",
        error_type=ErrorType.CAPTCHA_DETECTED,
        recovery=Recovery.USER_INTERVENTION,
        context=context,
    )
    got = record(error)
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", got.pop("timestamp"))
    assert got == {
        "type": "CAPTCHADetected",
        "severity": "warning",
        "phase": 2,
        "agent": "browser-agent",
        "message": "CAPTCHA detected at the search page",
        "recovery": "user_intervention",
        "context": context,
        "run_id": "run_1",
    }
    assert files(run) == []


@pytest.mark.parametrize("error_type", ErrorType)
def test_the_recovery_goes_with_the_severity(error_type: ErrorType) -> None:
    for severity in Severity:
        for recovery in (None, *Recovery):
            error = ReportedError(
                "it failed", error_type=error_type, severity=severity, recovery=recovery
            )
            assert error.recovery in RECOVERIES[error.severity]
            assert (
                error.recovery is recovery or recovery not in RECOVERIES[error.severity]
            )


@pytest.mark.parametrize(
    ("error_type", "severity", "level"),
    [
        (ErrorType.NO_RESULTS_FOUND, Severity.INFO, logging.INFO),
        (ErrorType.CAPTCHA_DETECTED, Severity.WARNING, logging.ERROR),
        (ErrorType.VALIDATION_ERROR, Severity.ERROR, logging.ERROR),
        (ErrorType.BUDGET_EXCEEDED, Severity.CRITICAL, logging.CRITICAL),
    ],
)
def test_an_error_is_logged_with_its_fields_and_kept_where_it_is_grave(
    error_type: ErrorType,
    severity: Severity,
    level: int,
    run: Run,
    caplog: pytest.LogCaptureFixture,
) -> None:
    with caplog.at_level(logging.INFO):
        got = record(ReportedError("it failed", error_type=error_type))
    fields = vars(caplog.records[-1])
    assert (got["severity"], caplog.records[-1].levelno) == (severity.value, level)
    assert (fields["error_type"], fields["recovery"]) == (got["type"], got["recovery"])
    kept = [json.loads(path.read_text("utf-8")) for path in files(run)]
    assert [each["error"] for each in kept] == (
        [got] if severity in (Severity.ERROR, Severity.CRITICAL) else []
    )


def test_the_file_of_an_error_has_its_stack_and_the_system(run: Run) -> None:
    record(RuntimeError("the database is at db:5432, password=hunter2"))
    (path,) = files(run)
    kept = json.loads(path.read_text("utf-8"))
    assert re.fullmatch(r"phase_2_error_\d{3,}\.json", path.name)
    assert "RuntimeError: the database is at db:5432" in kept["stacktrace"]
    assert "hunter2" not in path.read_text("utf-8")
    assert set(kept["system_info"]) == {"python_version", "os"}


def test_an_unknown_exception_gives_nothing_away_and_is_logged_whole(
    caplog: pytest.LogCaptureFixture,
) -> None:
    got = record(RuntimeError("the database is at db:5432"))
    assert (got["type"], got["message"]) == (
        "UnexpectedError",
        "An unexpected error occurred",
    )
    assert "5432" not in str(got)
    assert "the database is at db:5432" in caplog.text


@pytest.mark.parametrize(
    "error", [TimeoutError("db:5432"), asyncio.exceptions.TimeoutError()]
)
def test_a_timeout_is_told_as_one(error: Exception) -> None:
    got = record(error)
    assert (got["type"], got["severity"], got["recovery"]) == (
        "OperationTimeout",
        "warning",
        "retry",
    )
    assert "5432" not in str(got)


@pytest.mark.parametrize(
    ("error", "expected"),
    [
        (InvalidInputError("limit must be positive"), "InvalidInput"),
        (OperationFailedError("it"), "OperationFailed"),
    ],
)
def test_a_class_has_its_type(error: ReportedError, expected: str) -> None:
    assert record(error)["type"] == expected


def test_a_file_that_cannot_be_written_does_not_cost_the_answer(run: Run) -> None:
    (run.folder / run.run_id).write_text("in the way", "utf-8")
    assert record(OperationFailedError("it failed"))["message"] == "it failed"


def test_secrets_are_not_echoed() -> None:
    got = record(
        InvalidInputError(
            "no such user: password=hunter2", context={"api_key": "hunter2"}
        )
    )
    assert "hunter2" not in str(got)


def test_a_cancelled_call_is_cancelled() -> None:
    @reported()
    async def wait() -> None:
        raise asyncio.CancelledError

    with pytest.raises(asyncio.CancelledError):
        asyncio.run(wait())


def test_parameters_that_do_not_fit_the_schema_are_reported() -> None:
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

    got = asyncio.run(ask())["error"]
    assert (got["type"], got["agent"]) == ("InvalidInput", "count")
    assert [text.partition(":")[0] for text in got["context"]["errors"]] == ["number"]
    assert "many" not in str(got)
