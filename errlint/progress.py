"""The progress bar of long runs."""

from __future__ import annotations

import time
from collections.abc import Callable
from types import TracebackType
from typing import TYPE_CHECKING, TextIO

if TYPE_CHECKING:
    from click._termui_impl import ProgressBar

_PATIENCE = 1.0
"""Seconds without a bar: most runs are over by then."""

_MANY_FILES = 500


class Progress:
    """Shows how many files are done, once the work has lasted a second and is more than a handful of files.

    Call it with the number of files done and the number of all files, as often as you like.
    """

    def __init__(self, stream: TextIO, clock: Callable[[], float] = time.monotonic) -> None:
        self._stream = stream
        self._clock = clock
        self._start = clock()
        self._bar: ProgressBar[int] | None = None

    def __call__(self, done: int, total: int) -> None:
        """Take note of ``done`` of ``total`` files."""
        if self._bar is None:
            if total <= _MANY_FILES or self._clock() - self._start < _PATIENCE:
                return
            import click

            self._bar = click.progressbar(length=total, label="Checking files", file=self._stream)
        self._bar.update(done - self._bar.pos)

    def __enter__(self) -> Progress:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """End the line of the bar."""
        if self._bar is not None:
            self._bar.render_finish()
