"""Where work is done: in this process or in several, by the same function and with the same result."""

from __future__ import annotations

import errno
import gc
import os
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, Protocol, TypeVar

import msgspec

from errlint.cache import Counted, digest
from errlint.errors import described, shortage
from errlint.facts import Module, Problem
from errlint.findings import Span
from errlint.index.occurrences import calls_one, counted
from errlint.index.vocabulary import Vocabulary
from errlint.source import UndecodableError, decode, read_bytes

if TYPE_CHECKING:
    from concurrent.futures import Future, ProcessPoolExecutor
    from multiprocessing.connection import Connection
    from threading import ExceptHookArgs, Thread

ENOUGH_WORK = 200_000
"""Bytes of source: to have another process read as many saves more time than the process costs."""


class Job(NamedTuple):
    """A file to look at.

    ``content`` replaces what is on disk. A test is read where one of the names in ``asked`` is called in it; with
    ``is_counted`` nothing is read but how often those names occur.
    """

    path: str
    content: bytes | None
    asked: tuple[str, ...]
    size: int
    is_test: bool = False
    is_counted: bool = False


class Look(NamedTuple):
    """What came of a job: the module, ``None`` where nothing of it was asked, or what was counted.

    From another process the module comes encoded: that takes less time than pickling does.
    """

    path: str
    digest: bytes
    module: Module | bytes | None
    counted: Counted = Counted()

    def __reduce__(self) -> tuple[type[Look], tuple[object, ...]]:
        """Return what is handed to another process."""
        module = msgspec.msgpack.encode(self.module) if isinstance(self.module, Module) else self.module
        return Look, (self.path, self.digest, module, self.counted)


class Mode(NamedTuple):
    """How files are looked at; the same for all jobs of a run. ``tests`` is the vocabulary for tests."""

    root: str
    vocabulary: Vocabulary
    tests: Vocabulary
    use_ast: bool


def look(job: Job, mode: Mode) -> Look:
    """Read and collect one file. What goes wrong with a file is a fact about it.

    Raises OSError, MemoryError or RuntimeError where the machine has run out of something (see
    :func:`errlint.errors.shortage`): that is no fact about the file.
    """
    try:
        data = job.content if job.content is not None else read_bytes(os.path.join(mode.root, job.path))  # noqa: PTH118
    except OSError as error:
        if shortage(error) and error.errno != errno.EAGAIN:  # that is about processes, and here about a pipe
            raise
        return Look(job.path, b"", _unreadable(error.strerror or type(error).__name__))
    if job.is_counted:
        return Look(job.path, b"", None, Counted(job.asked, counted(data, job.asked)))
    content = digest(data)
    if job.is_test and not calls_one(data, job.asked):
        return Look(job.path, content, None)
    try:
        text = decode(data)
    except UndecodableError as error:
        module = Module(problem=Problem("ERR907", Span(error.line, 1, error.line, 1), f"cannot be decoded: {error}"))
        return Look(job.path, content, module)
    from errlint.collect import collect

    try:
        vocabulary = mode.tests if job.is_test else mode.vocabulary
        found = collect(text, vocabulary, use_ast=mode.use_ast)
    except Exception as error:  # one file must not hide the others: it becomes a finding
        if shortage(error):
            raise
        return _failed(job, content, f"the file could not be analysed: {described(error)}")
    return Look(job.path, content, found)


def _failed(job: Job, content: bytes, reason: str) -> Look:
    return Look(job.path, content, Module(problem=Problem("ERR906", Span(1, 1, 1, 1), reason)))


@dataclass(frozen=True)
class Looking:
    """Looks at files in one mode."""

    mode: Mode

    def __call__(self, job: Job) -> Look:
        """Look at a file."""
        return look(job, self.mode)


def died(job: Job) -> Look:
    """Say that the process died which read a file."""
    return _failed(job, b"", "the process that read the file died")


def _unreadable(reason: str) -> Module:
    return Module(problem=Problem("ERR907", Span(1, 1, 1, 1), f"cannot be read: {reason}"))


class Piece(Protocol):
    """A piece of work: its name, and how many bytes of source it is about."""

    @property
    def path(self) -> str:
        """What tells it from others."""

    @property
    def size(self) -> int:
        """How much work it is."""


J = TypeVar("J", bound=Piece)
R = TypeVar("R")


class Workers(Generic[J, R]):
    """A crew that does pieces of work: this process, or as many as there are once there is enough work for them.

    ``work`` does one, ``lost`` says what came of one whose process has died each time. ``split`` is given all pieces
    and the number of processes: it returns the batches in which they are taken, in this order.
    """

    def __init__(
        self,
        work: Callable[[J], R],
        lost: Callable[[J], R],
        processes: int,
        split: Callable[[Sequence[J], int], Sequence[list[J]]] | None = None,
    ) -> None:
        self._work = work
        self._lost = lost
        self._processes = processes
        self._split = split or _split
        self._pool: ProcessPoolExecutor | None = None
        self._threads: frozenset[Thread] = frozenset()

    def __enter__(self) -> Workers[J, R]:
        """Return the crew; processes are started when they are needed."""
        return self

    def __exit__(self, *raised: object) -> None:
        """Let all processes go: after an exception, such as that of Ctrl-C, at once."""
        if self._pool is None:
            return
        if any(raised):
            _end_processes()
        self._pool.shutdown(cancel_futures=True)

    def do(self, jobs: Sequence[J], done: Callable[[int], None] | None = None) -> Iterator[R]:
        """Yield what comes of all jobs, in no certain order. ``done`` is called with the number finished so far."""
        finished = 0
        for results in self._batches(jobs):
            finished += len(results)
            if done:
                done(finished)
            yield from results

    def _batches(self, jobs: Sequence[J]) -> Iterator[list[R]]:
        if self._pool is None and (self._processes < 2 or not pays(jobs)):
            yield from self._here(jobs)
            return
        from concurrent.futures.process import BrokenProcessPool

        futures: dict[Future[list[R]], list[J]] = {}
        lost: list[J] = []
        starved: list[J] = []
        with _failing_with_threads(futures):
            if not self._submitted(jobs, futures):
                starved.extend(jobs)
                futures.clear()
            for future in self._completed(futures):
                try:
                    yield future.result()
                except BrokenProcessPool:  # noqa: PERF203 -- each batch may have been lost
                    lost.extend(futures[future])
                    self._pool = None
                except (OSError, MemoryError, RuntimeError) as error:
                    if not shortage(error):
                        raise
                    starved.extend(futures[future])
        if starved:
            # The machine has not enough of something for several processes; where it has not for one, that is told.
            _end_processes()
            self._pool, self._processes = None, 1
        yield from self._here(starved)
        # A process died, and took the batches of others with it: each job again, on its own.
        for job in lost:
            with _pool(1, self._work) as pool:
                try:
                    with _uninterrupted():
                        again = pool.submit(_do, [job])
                    yield again.result()
                except BrokenProcessPool:
                    yield [self._lost(job)]

    def _here(self, jobs: Iterable[J]) -> Iterator[list[R]]:
        for job in jobs:
            yield [self._work(job)]

    def _completed(self, futures: Iterable[Future[list[R]]]) -> Iterator[Future[list[R]]]:
        """Yield futures as they are fulfilled; all that is left fails once nobody is there to fulfil it."""
        from concurrent.futures import FIRST_COMPLETED, wait

        left = set(futures)
        while left:
            done, left = wait(left, timeout=1, return_when=FIRST_COMPLETED)
            yield from done
            if not done and not any(thread.is_alive() for thread in self._threads):
                _fail(left, MemoryError())

    def _submitted(self, jobs: Sequence[J], futures: dict[Future[list[R]], list[J]]) -> bool:
        """Give batches of jobs to the processes; return whether the machine had any for us."""
        import threading

        before = set(threading.enumerate())
        try:
            if self._pool is None:
                self._pool, self._threads = _pool(self._processes, self._work), frozenset()
            with _uninterrupted():
                for batch in self._split(jobs, self._processes):
                    futures[self._pool.submit(_do, batch)] = batch
        except (OSError, MemoryError, RuntimeError) as error:
            if not shortage(error):
                raise
            return False
        self._threads |= set(threading.enumerate()) - before
        return True


def _pool(processes: int, work: Callable[[J], R]) -> ProcessPoolExecutor:
    import multiprocessing
    from concurrent.futures import ProcessPoolExecutor

    # Elsewhere a forked process may hang in system libraries.
    context = multiprocessing.get_context("fork" if sys.platform == "linux" else "spawn")
    return ProcessPoolExecutor(processes, mp_context=context, initializer=_start, initargs=(work,))


@contextmanager
def _uninterrupted() -> Iterator[None]:
    """Keep Ctrl-C back while processes are started: one that is not at :func:`_start` yet would tell of it."""
    import signal

    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


@contextmanager
def _failing_with_threads(futures: Iterable[Future[Any]]) -> Iterator[None]:
    """Let futures fail with the threads that are to fulfil them, which may not get memory or threads of their own."""
    import threading

    def fail(failure: ExceptHookArgs) -> None:
        _fail(tuple(futures), failure.exc_value)

    before = threading.excepthook
    threading.excepthook = fail
    try:
        yield
    finally:
        threading.excepthook = before


def _fail(futures: Iterable[Future[Any]], error: BaseException | None) -> None:
    from concurrent.futures import InvalidStateError

    for future in futures:
        with suppress(InvalidStateError):  # it is fulfilled
            future.set_exception(error)


def _end_processes() -> None:
    import multiprocessing

    for process in multiprocessing.active_children():
        process.kill()


_works: list[Callable[[Any], Any]] = []
"""In a process of a crew: what it does."""


def _start(work: Callable[[J], R]) -> None:
    import signal
    import threading

    _works[:] = [work]
    gc.disable()  # syntax trees have no cycles, and looking for some takes longer than the parse
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the process that started this one, and ends both
    with suppress(RuntimeError):  # no more threads: then it is the end of the pipe that tells
        threading.Thread(target=_leave_with_parent, daemon=True).start()


def _leave_with_parent() -> None:
    """End this process when the one that started it was killed; nobody would give it work or tell it to stop."""
    import multiprocessing

    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


def _do(jobs: list[Any]) -> list[Any]:
    (work,) = _works
    return [work(job) for job in jobs]


def in_child(work: Callable[[], R]) -> R | None:
    """Return what comes of some work, done by a forked process; ``None`` where that fails, or none can be had.

    All memory of the work ends with that process: to free it takes longer, and leaves pieces that nobody gets back.
    This process waits meanwhile.
    """
    import multiprocessing
    import pickle

    context = multiprocessing.get_context("fork")
    reader, writer = context.Pipe(duplex=False)
    child = context.Process(target=_send, args=(work, writer))
    with reader:
        try:
            with writer:
                child.start()
        except OSError:  # the machine has no more processes for us
            return None
        try:
            found: R = pickle.loads(reader.recv_bytes())  # our own process sent it
        except EOFError:
            return None
        finally:
            child.join()
    return found


def _send(work: Callable[[], object], writer: Connection) -> None:
    """In a forked process: do some work, send what comes of it, and end at once; what fails is done again by others."""
    import pickle
    import threading

    try:
        with suppress(RuntimeError):  # no more threads: as in :func:`_start`
            threading.Thread(target=_leave_with_parent, daemon=True).start()
        writer.send_bytes(pickle.dumps(work(), pickle.HIGHEST_PROTOCOL))
        os._exit(0)
    finally:
        os._exit(1)


def pays(jobs: Sequence[Piece]) -> bool:
    """Whether jobs are done sooner where several processes do them."""
    return _shared(jobs) >= ENOUGH_WORK


def _shared(jobs: Sequence[Piece]) -> int:
    """Return how many bytes a second process takes off the first: half of them, less where one file is most of it."""
    sizes = [job.size for job in jobs]
    return min(sum(sizes) // 2, sum(sizes) - max(sizes, default=0))


def _split(jobs: Iterable[J], processes: int) -> list[list[J]]:
    """Split jobs into batches of about the same size, the biggest first."""
    parts = processes * 8
    ordered = sorted(jobs, key=lambda job: (-job.size, job.path))
    batches: list[list[J]] = [[] for _ in range(parts)]
    sizes = [0] * parts
    for job in ordered:
        index = sizes.index(min(sizes))
        batches[index].append(job)
        sizes[index] += job.size + 2000
    return [batch for batch in batches if batch]
