"""Calls that run a function in another thread, and answer what it answers or raise what it raises."""

from __future__ import annotations

_RUNNERS = {
    "asyncio.to_thread": 0,
    "anyio.to_thread.run_sync": 0,
    "starlette.concurrency.run_in_threadpool": 0,
    "fastapi.concurrency.run_in_threadpool": 0,
}
"""Their names, and the place of the function among the arguments."""

_METHODS = {"run_in_executor": 1}
"""Methods of event loops that do so."""


def place_of_function(name: str) -> int:
    """Return the place of the function among the arguments of a call by its dotted name, -1 for any other call."""
    last = name.rpartition(".")[2]
    if last in _METHODS and name != last:
        return _METHODS[last]
    return next((place for runner, place in _RUNNERS.items() if name and f".{runner}".endswith(f".{name}")), -1)
