"""The progress of long runs: one line on the terminal that says what is being done, and is gone afterwards."""

from __future__ import annotations

import shutil
import time
from collections.abc import Callable
from types import TracebackType
from typing import TYPE_CHECKING, TextIO

if TYPE_CHECKING:
    from threading import Event, Thread

Report = Callable[[str, int, int], None]
"""Is told the stage of the work, how many of its items are done, and of how many; 0 of 0 where they are not counted."""

_PATIENCE = 1.0
"""Seconds without a bar: most runs are over by then."""

_INTERVAL = 0.1
_BAR = 30
_TURNS = "|/-\\"
_ERASE = "\r\x1b[K"


class Progress:
    """Shows how far the work is, once it has lasted a second, until the end of the block.

    Call it with the stage and its numbers, as often as you like: see :data:`Report`. The line is drawn from a thread of
    its own, so that it appears in the middle of a step that takes long and tells nothing.
    """

    def __init__(self, stream: TextIO, clock: Callable[[], float] = time.monotonic) -> None:
        self._stream = stream
        self._clock = clock
        self._start = clock()
        self._at = ("", 0, 0)
        self._turn = 0
        self._over: Event | None = None
        self._thread: Thread | None = None

    def __call__(self, stage: str, done: int = 0, total: int = 0) -> None:
        """Take note of a stage, and of ``done`` of ``total`` items of it."""
        self._at = (stage, done, total)
        if self._thread is None:
            from threading import Event, Thread  # a run that nothing is told of is answered at once

            self._over = Event()
            self._thread = Thread(target=self.watch, args=(self._over.wait,), daemon=True)
            self._thread.start()

    def watch(self, wait: Callable[[float], bool]) -> None:
        """Draw now and then, until ``wait``, which takes seconds, says that it is over; leave nothing behind."""
        if wait(max(0.0, _PATIENCE - (self._clock() - self._start))):
            return
        self._draw()
        while not wait(_INTERVAL):
            self._draw()
        self._write(_ERASE)

    def _draw(self) -> None:
        width = shutil.get_terminal_size().columns - 1
        self._write(f"{_ERASE}{line(*self._at, self._turn)[:width]}")
        self._turn += 1

    def _write(self, text: str) -> None:
        try:
            self._stream.write(text)
            self._stream.flush()
        except (OSError, ValueError):  # the terminal is gone: the work goes on without
            pass

    def __enter__(self) -> Progress:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Take the line away."""
        if self._over is not None and self._thread is not None:
            self._over.set()
            self._thread.join()


def line(stage: str, done: int, total: int, turn: int) -> str:
    """Return what is shown: a bar where the items are counted, else a sign that turns.

    >>> line("Reading files", 1, 2, 0), line("Linking", 0, 0, 1)
    ('Reading files [###############...............]  50%', 'Linking /')
    """
    if not total:
        return f"{stage} {_TURNS[turn % len(_TURNS)]}"
    filled = _BAR * done // total
    return f"{stage} [{'#' * filled}{'.' * (_BAR - filled)}] {100 * done // total:3}%"
