"""What the runtime of errors rests on: functions stay what they are, secrets are masked, logs are JSON."""

import asyncio
import inspect
import io
import json
import logging
from collections.abc import AsyncIterator, Callable, Iterator
from typing import Any

import pytest

from errlint.scaffold.templates.shared.logs import configure_logging
from errlint.scaffold.templates.shared.redaction import MASK, redacted, redacted_text
from errlint.scaffold.templates.shared.wrapping import wrapped


def call(kind: str = "") -> str:
    """Say it."""
    return fail(kind)


async def call_async(kind: str = "") -> str:
    """Say it."""
    return fail(kind)


def stream(kind: str = "") -> Iterator[str]:
    """Say it."""
    yield "first"
    yield fail(kind)


async def stream_async(kind: str = "") -> AsyncIterator[str]:
    """Say it."""
    yield "first"
    yield fail(kind)


def fail(kind: str) -> str:
    failures: dict[str, BaseException] = {
        "error": ValueError("wrong"),
        "cancelled": asyncio.CancelledError(),
        "interrupted": KeyboardInterrupt(),
        "stopped": SystemExit(3),
    }
    if kind in failures:
        raise failures[kind]
    return "done"


def outcome(function: Callable[[str], Any], kind: str) -> Any:
    """Call a function of any kind, and return the last of what it answers."""
    if inspect.isasyncgenfunction(function):

        async def collect() -> list[Any]:
            return [item async for item in function(kind)]

        return asyncio.run(collect())[-1]
    if inspect.iscoroutinefunction(function):
        return asyncio.run(function(kind))
    answer = function(kind)
    return list(answer)[-1] if inspect.isgeneratorfunction(function) else answer


EVERY = [call, call_async, stream, stream_async]
KINDS = [
    inspect.iscoroutinefunction,
    inspect.isgeneratorfunction,
    inspect.isasyncgenfunction,
]


@pytest.mark.parametrize("function", EVERY)
def test_a_function_keeps_its_kind_its_signature_and_its_name(
    function: Callable[[str], Any],
) -> None:
    boundary = wrapped(function, repr)
    assert [kind(boundary) for kind in KINDS] == [kind(function) for kind in KINDS]
    assert inspect.signature(boundary) == inspect.signature(function)
    assert (boundary.__name__, boundary.__doc__, boundary.__module__) == (
        function.__name__,
        "Say it.",
        __name__,
    )


@pytest.mark.parametrize("function", EVERY)
def test_an_exception_is_answered_and_a_success_is_left_alone(
    function: Callable[[str], Any],
) -> None:
    assert outcome(wrapped(function, str), "error") == "wrong"
    assert outcome(wrapped(function, str), "") == "done"


@pytest.mark.parametrize("function", EVERY)
@pytest.mark.parametrize(
    ("kind", "expected"),
    [
        ("cancelled", asyncio.CancelledError),
        ("interrupted", KeyboardInterrupt),
        ("stopped", SystemExit),
    ],
)
def test_a_cancellation_passes(
    function: Callable[[str], Any],
    kind: str,
    expected: type[BaseException],
) -> None:
    with pytest.raises(expected):
        outcome(wrapped(function, str), kind)


def test_a_generator_that_is_left_early_is_closed() -> None:
    closed = []

    def counting() -> Iterator[int]:
        try:
            yield 1
            yield 2
        finally:
            closed.append(True)

    items = wrapped(counting, str)()
    assert next(iter(items)) == 1
    items.close()  # type: ignore[attr-defined]
    assert closed == [True]


@pytest.mark.parametrize(
    "text",
    [
        "password=hunter2",
        '{"api_key": "hunter2"}',
        "https://me:hunter2@example.org/db",
        "Authorization: Bearer hunter2.hunter2",
        "token='hunter2'",
        "sk-proj-hunter2hunter2hunter2",
        "AKIAHUNTER2HUNTER2AB",
    ],
)
def test_a_secret_in_a_text_is_masked(text: str) -> None:
    assert "hunter2" not in redacted_text(text).lower()
    assert MASK in redacted_text(text)


@pytest.mark.parametrize(
    "text",
    [
        "The LLM API key is invalid",
        "Invalid token: it is expired",
        "token_count: 3",
        "https://example.org:80/a",
    ],
)
def test_other_texts_stay(text: str) -> None:
    assert redacted_text(text) == text


def test_a_secret_in_a_field_is_masked() -> None:
    assert redacted(
        {
            "user": "me",
            "accessToken": "hunter2",
            "tokens": 3,
            "inner": [{"Authorization": "x"}],
        }
    ) == {
        "user": "me",
        "accessToken": MASK,
        "tokens": 3,
        "inner": [{"Authorization": MASK}],
    }


def test_a_log_record_is_a_line_of_json_with_its_fields_and_its_stack() -> None:
    written = io.StringIO()
    root = logging.getLogger()
    before = root.handlers[:], root.level
    try:
        configure_logging(stream=written)
        try:
            fail("error")
        except ValueError:
            logging.getLogger("svc").exception(
                "password=hunter2", extra={"operation": "svc:call", "path": io}
            )
    finally:
        root.handlers[:], level = before
        root.setLevel(level)
    (line,) = written.getvalue().splitlines()
    record = json.loads(line)
    assert (record["level"], record["operation"], record["message"]) == (
        "ERROR",
        "svc:call",
        f"password={MASK}",
    )
    assert "ValueError: wrong" in record["stack"]
