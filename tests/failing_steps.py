"""Lets the steps by which errlint changes the disk fail one at a time."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

NAMES = ("mkdir", "open", "write", "fsync", "fchmod", "replace", "unlink")
"""All functions of ``os`` by which a transaction changes something."""


@contextmanager
def failing(step: int, fail: Callable[[], object], *, done: bool = False, on: bool = False) -> Iterator[list[str]]:
    """Call ``fail`` instead of the ``step``-th step (from 0), or with ``done`` right after it.

    With ``on`` it is called instead of all later steps too. Yields the names of the steps so far.
    """
    seen: list[str] = []
    real = {name: getattr(os, name) for name in NAMES}

    def wrapped(name: str) -> Callable[..., Any]:
        def call(*arguments: Any, **options: Any) -> Any:
            number = len(seen)
            seen.append(name)
            due = number == step or (on and number > step)
            if due and not done:
                fail()
            try:
                result = real[name](*arguments, **options)
                if due and done and name == "open":
                    os.close(result)
                return result
            finally:
                if due and done:
                    fail()

        return call

    for name in NAMES:
        setattr(os, name, wrapped(name))
    try:
        yield seen
    finally:
        for name, function in real.items():
            setattr(os, name, function)


def steps_of(action: Callable[[], object]) -> list[str]:
    """Return the steps of an action that succeeds."""
    with failing(-1, lambda: None) as seen:
        action()
    return seen
