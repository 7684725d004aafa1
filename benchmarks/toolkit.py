"""What generated programs import: a tool server, things that go wrong on demand, and a record of side effects."""

from __future__ import annotations

import functools
import inspect
import re
from collections.abc import Callable, Collection
from types import TracebackType
from typing import Any

Tool = Callable[..., Any]

_ADDRESS = re.compile(r" at 0x[0-9a-f]+")

effects: list[str] = []
"""The side effects since the last call of a tool, in order."""


MAX_ROUNDS = 4

rounds: list[int] = []
"""The rounds of ``while`` loops since the last call of a tool."""


class Stop(BaseException):
    """What only ``except BaseException`` and a bare ``except`` catch."""


class Server:
    """Keeps what is registered; a client calls that."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.tools: dict[str, Tool] = {}

    def tool(self) -> Callable[[Tool], Tool]:
        """Return a decorator that registers a function."""

        def register(function: Tool) -> Tool:
            self.tools[function.__name__] = function
            return function

        return register


def record(label: str) -> str:
    """Have a side effect. Where an object lies in memory is not a part of it: that differs from run to run."""
    effects.append(_ADDRESS.sub("", label) if isinstance(label, str) else label)
    return label


def again() -> bool:
    """Say whether a loop goes on: it ends in any case, whatever its body catches or continues."""
    rounds.append(len(rounds))
    return len(rounds) < MAX_ROUNDS


def risky(on: Collection[int], number: int, error: type[BaseException] = ValueError) -> int:
    """Raise where ``number`` is switched on."""
    if number in on:
        raise error(f"number {number}")
    return number


class rolling_back:
    """A transaction: another end for a block that an exception leaves."""

    def __enter__(self) -> None:
        """Begin."""

    def __exit__(self, kind: object, value: object, trace: TracebackType | None) -> None:
        record("rolled back" if kind else "committed")


class forgiving:
    """Suppresses every exception."""

    def __enter__(self) -> None:
        """Begin."""

    def __exit__(self, kind: object, value: object, trace: TracebackType | None) -> bool:
        return True


class session:
    """Notes its end, the same for both ways."""

    def __enter__(self) -> None:
        """Begin."""

    def __exit__(self, kind: object, value: object, trace: TracebackType | None) -> None:
        record("closed")

    async def __aenter__(self) -> None:
        """Begin."""

    async def __aexit__(self, kind: object, value: object, trace: TracebackType | None) -> None:
        record("closed")


def retry(function: Tool) -> Tool:
    """Call a function again where it raises."""
    if inspect.iscoroutinefunction(function):

        @functools.wraps(function)
        async def waiting(*args: object) -> object:
            try:
                return await function(*args)
            except Exception:  # noqa: BLE001 -- that is what it is for
                record("again")
                return await function(*args)

        return waiting

    @functools.wraps(function)
    def inner(*args: object) -> object:
        try:
            return function(*args)
        except Exception:  # noqa: BLE001 -- that is what it is for
            record("again")
            return function(*args)

    return inner


def cached(function: Tool) -> Tool:
    """Keep the answers of a function."""
    answers: dict[str, object] = {}

    @functools.wraps(function)
    def inner(on: Collection[int], text: str) -> object:
        key = f"{sorted(on)} {text}"
        if key not in answers:
            answers[key] = function(on, text)
        return answers[key]

    return function if inspect.iscoroutinefunction(function) else inner


def quiet(function: Tool) -> Tool:
    """Answer nothing where a function raises."""
    if inspect.iscoroutinefunction(function):

        @functools.wraps(function)
        async def waiting(*args: object) -> object:
            try:
                return await function(*args)
            except Exception:  # noqa: BLE001 -- that is what it is for
                return {"path": "quiet"}

        return waiting

    @functools.wraps(function)
    def inner(*args: object) -> object:
        try:
            return function(*args)
        except Exception:  # noqa: BLE001 -- that is what it is for
            return {"path": "quiet"}

    return inner


def apply(function: Tool, *args: object) -> object:
    """Call what was handed over, and answer nothing where it raises."""
    try:
        return function(*args)
    except Exception:  # noqa: BLE001 -- that is what it is for
        return {"path": "applied"}
