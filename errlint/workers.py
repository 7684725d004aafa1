"""Where files are read and collected: in this process or in several, by the same function and with the same result."""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from errlint import gate
from errlint.cache import digest
from errlint.errors import described
from errlint.facts import Module, Problem, Wanted
from errlint.findings import Span
from errlint.source import UndecodableError, decode, read_bytes

if TYPE_CHECKING:
    from concurrent.futures import ProcessPoolExecutor

ENOUGH_WORK = 400_000
"""Bytes of source from which on a second process saves more time than it costs."""


class Job(NamedTuple):
    """A file to look at.

    ``content`` replaces what is on disk. At a new file all of ``wanted`` is looked for. At another one, whose content
    was ``digest`` before, only what is ``fresh`` of it is; ``outline`` is that of the earlier look. Of mentions only
    those count that occur in the file. A test is read where one of the names occurs in it.
    """

    path: str
    content: bytes | None
    wanted: Wanted
    size: int
    fresh: Wanted = Wanted()
    digest: bytes = b""
    outline: bytes = b""
    is_test: bool = False


class Look(NamedTuple):
    """What came of a job: the encoded module, ``None`` when nothing more was wanted of the file than before.

    With ``adds`` the module is to be merged with that of earlier looks.
    """

    path: str
    digest: bytes
    wanted: Wanted
    module: bytes | None
    outline: bytes = b""
    adds: bool = False


class Mode(NamedTuple):
    """How files are looked at; the same for all jobs of a run. ``tests`` is the vocabulary for tests."""

    root: str
    vocabulary: gate.Vocabulary
    tests: gate.Vocabulary
    use_ast: bool
    use_gate: bool


def look(job: Job, mode: Mode) -> Look:
    """Read and collect one file. Never raises: what goes wrong with a file is a fact about it."""
    try:
        data = job.content if job.content is not None else read_bytes(os.path.join(mode.root, job.path))  # noqa: PTH118
    except OSError as error:
        return _look(job, b"", _unreadable(error.strerror or type(error).__name__))
    if job.is_test and not gate.calls_one(data, job.wanted.mentions):
        return Look(job.path, b"", job.wanted, None)
    content = digest(data)
    again = bool(job.digest)
    mentions = gate.mentioned(data, job.fresh.mentions)
    definitions = job.fresh.definitions if mode.use_ast else ()  # else everything has been read
    if again and content == job.digest and not mentions and not definitions:
        return Look(job.path, content, job.wanted, None)
    wanted = Wanted(
        tuple(sorted({*job.wanted.mentions, *mentions})), tuple(sorted({*job.wanted.definitions, *definitions}))
    )
    job = job._replace(wanted=wanted)
    try:
        text = decode(data)
    except UndecodableError as error:
        module = Module(problem=Problem("ERR907", Span(error.line, 1, error.line, 1), f"cannot be decoded: {error}"))
        return _look(job, content, module)
    from errlint.collect import collect, collect_more

    try:
        if again and content == job.digest and mode.use_ast:
            blocks = msgspec.msgpack.decode(job.outline, type=gate.Outline) if job.outline else None
            more = collect_more(text, blocks, mode.vocabulary, Wanted(tuple(sorted(mentions)), definitions))
            if more is not None:
                return _look(job, content, more)._replace(adds=True)
        vocabulary = mode.tests if job.is_test else mode.vocabulary
        found = collect(text, vocabulary, wanted, use_ast=mode.use_ast, use_gate=mode.use_gate)
    except Exception as error:  # noqa: BLE001 -- one file must not hide the others: it becomes a finding
        reason = f"the file could not be analysed: {described(error)}"
        return _look(job, content, Module(problem=Problem("ERR906", Span(1, 1, 1, 1), reason)))
    outline = msgspec.msgpack.encode(found.blocks) if found.blocks is not None else b""
    return _look(job, content, found.module)._replace(outline=outline)


def _look(job: Job, content: bytes, module: Module) -> Look:
    return Look(job.path, content, job.wanted, msgspec.msgpack.encode(module))


def _unreadable(reason: str) -> Module:
    return Module(problem=Problem("ERR907", Span(1, 1, 1, 1), f"cannot be read: {reason}"))


class Workers:
    """A crew that looks at files: this process, or as many as there are once there is enough work for them."""

    def __init__(self, mode: Mode, processes: int) -> None:
        self._mode = mode
        self._processes = processes
        self._pool: ProcessPoolExecutor | None = None

    def __enter__(self) -> Workers:
        """Return the crew; processes are started when they are needed."""
        return self

    def __exit__(self, *_: object) -> None:
        """Let all processes go."""
        if self._pool is not None:
            self._pool.shutdown(cancel_futures=True)

    def look(self, jobs: Sequence[Job], done: Callable[[int], None] | None = None) -> Iterator[Look]:
        """Yield the looks of all jobs, in no certain order. ``done`` is called with the number finished so far."""
        finished = 0
        for looks in self._batches(jobs):
            finished += len(looks)
            if done:
                done(finished)
            yield from looks

    def _batches(self, jobs: Sequence[Job]) -> Iterator[list[Look]]:
        if self._pool is None and (self._processes < 2 or len(jobs) < 2 or sum(job.size for job in jobs) < ENOUGH_WORK):
            for job in jobs:
                yield [look(job, self._mode)]
            return
        from concurrent.futures import as_completed
        from concurrent.futures.process import BrokenProcessPool

        if self._pool is None:
            self._pool = _pool(self._processes)
        lost: list[Job] = []
        futures = {self._pool.submit(_look_at, batch, self._mode): batch for batch in _split(jobs, self._processes * 8)}
        for future in as_completed(futures):
            try:
                yield future.result()
            except BrokenProcessPool:  # noqa: PERF203 -- each batch may have been lost
                lost.extend(futures[future])
                self._pool = None
        # A process died, and took the batches of others with it: each file again, on its own.
        for job in lost:
            with _pool(1) as pool:
                try:
                    yield pool.submit(_look_at, [job], self._mode).result()
                except BrokenProcessPool:
                    problem = Problem("ERR906", Span(1, 1, 1, 1), "the process that read the file died")
                    yield [_look(job, b"", Module(problem=problem))]


def _pool(processes: int) -> ProcessPoolExecutor:
    import multiprocessing
    from concurrent.futures import ProcessPoolExecutor

    # Elsewhere a forked process may hang in system libraries.
    context = multiprocessing.get_context("fork" if sys.platform == "linux" else "spawn")
    return ProcessPoolExecutor(processes, mp_context=context, initializer=_start)


def _start() -> None:
    import threading

    gc.disable()  # syntax trees have no cycles, and looking for some takes longer than the parse
    threading.Thread(target=_leave_with_parent, daemon=True).start()


def _leave_with_parent() -> None:
    """End this process when the one that started it was killed; nobody would give it work or tell it to stop."""
    import multiprocessing

    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


def _look_at(jobs: list[Job], mode: Mode) -> list[Look]:
    return [look(job, mode) for job in jobs]


def _split(jobs: Iterable[Job], parts: int) -> list[list[Job]]:
    """Split jobs into batches of about the same size, the biggest first."""
    ordered = sorted(jobs, key=lambda job: (-job.size, job.path))
    batches: list[list[Job]] = [[] for _ in range(parts)]
    sizes = [0] * parts
    for job in ordered:
        index = sizes.index(min(sizes))
        batches[index].append(job)
        sizes[index] += job.size + 2000
    return [batch for batch in batches if batch]
