"""The errors of the server: what an agent is told of each, and what is logged."""

import asyncio
from typing import Any

import pytest
from fastmcp import Client, FastMCP
from mcp import MCPError

from errlint.scaffold.templates.mcp_exceptions import (
    ErrorAnswers,
    ErrorCode,
    MCPExecutionError,
    MCPSelectorError,
    MCPToolError,
    MCPValidationError,
    to_mcp_error,
)

REQUEST = {"request_id": "5d1c"}


def call(error: BaseException | None = None, **arguments: object) -> Any:
    """Return what a client gets of a tool that raises ``error``, or else its answer."""
    server: FastMCP[Any] = FastMCP("test")
    server.add_middleware(ErrorAnswers())

    @server.tool()
    def count(number: int = 1, request_id: str | None = None) -> dict[str, Any]:
        if error is not None:
            raise error
        return {"number": number}

    async def ask() -> Any:
        async with Client(server) as client:
            return (await client.call_tool("count", arguments)).structured_content

    return asyncio.run(ask())


def told(error: BaseException | None = None, **arguments: object) -> Any:
    """Return the error of JSON-RPC that a client gets."""
    with pytest.raises(MCPError) as caught:
        call(error, **arguments)
    return caught.value.error


ERRORS: list[tuple[MCPToolError, int, ErrorCode, dict[str, object]]] = [
    (
        MCPValidationError(
            "Invalid format 'doc'. Must be one of: html, pdf",
            validation_errors=["Invalid format: doc"],
            hints=["Use format='html' for web output"],
            context={"request_id": "5d1c", "report_selector": "Q1"},
        ),
        -32602,
        ErrorCode.VALIDATION_ERROR,
        {"validation_errors": ["Invalid format: doc"]},
    ),
    (
        MCPSelectorError(
            "Ambiguous selector 'Sales'",
            selector="Sales",
            error="ambiguous",
            candidates=["a", "b"],
            context=REQUEST,
        ),
        -32602,
        ErrorCode.SELECTOR_ERROR,
        {"selector": "Sales", "error": "ambiguous", "candidates": ["a", "b"]},
    ),
    (
        MCPExecutionError(
            "Rendering failed",
            operation="count",
            original_error="exit code 1",
            context=REQUEST,
        ),
        -32603,
        ErrorCode.EXECUTION_ERROR,
        {"operation": "count", "original_error": "exit code 1"},
    ),
]


@pytest.mark.parametrize(("error", "number", "code", "fields"), ERRORS)
def test_an_error_is_told_with_all_of_its_fields(
    error: MCPToolError, number: int, code: ErrorCode, fields: dict[str, object]
) -> None:
    got = told(error)
    assert (got.code, got.message) == (number, error.message)
    assert got.data == {
        "message": error.message,
        "error_type": type(error).__name__,
        "error_code": code.value,
        **fields,
        "hints": error.hints,
        "context": error.context,
    }
    assert got.data["hints"]


def test_what_a_raise_leaves_out_is_filled_in() -> None:
    got = told(MCPExecutionError("it failed"), request_id="5d1c")
    assert (got.data["operation"], got.data["context"]) == (
        "count",
        {"request_id": "5d1c"},
    )
    assert told(MCPValidationError("no number")).data["validation_errors"] == [
        "no number"
    ]
    assert (
        len(told(MCPValidationError("no number")).data["context"]["request_id"]) == 36
    )


def test_parameters_that_do_not_fit_the_schema_are_validation_errors() -> None:
    got = told(number="many")
    assert (got.code, got.message) == (-32602, "Parameter validation failed for count")
    assert got.data["error_code"] == ErrorCode.VALIDATION_ERROR.value
    assert [text.partition(":")[0] for text in got.data["validation_errors"]] == [
        "number"
    ]
    assert "many" not in str(got.data)


def test_an_unknown_exception_gives_nothing_away_and_is_logged_whole(
    caplog: pytest.LogCaptureFixture,
) -> None:
    got = told(RuntimeError("the database is at db:5432"))
    assert (got.code, got.data["error_code"]) == (
        -32603,
        ErrorCode.EXECUTION_ERROR.value,
    )
    assert "5432" not in str(got)
    assert "the database is at db:5432" in caplog.text


@pytest.mark.parametrize(
    "error", [TimeoutError("db:5432"), asyncio.exceptions.TimeoutError()]
)
def test_a_timeout_is_told_as_one(error: Exception) -> None:
    got = told(error)
    assert (got.code, got.message) == (
        -32603,
        "Tool execution failed: count took too long",
    )
    assert "5432" not in str(got)


def test_secrets_are_not_echoed() -> None:
    got = to_mcp_error(
        MCPValidationError("password=hunter2", context={"api_key": "hunter2"}),
        "count",
        "5d1c",
    )
    assert "hunter2" not in str(got.error)


def test_a_success_has_its_status_its_request_id_and_its_timing() -> None:
    got = call(request_id="5d1c", number=3)
    assert {key: got[key] for key in ("status", "request_id", "number")} == {
        "status": "success",
        "request_id": "5d1c",
        "number": 3,
    }
    assert set(got["timing"]) == {"operation_duration_ms", "total_duration_ms"}
