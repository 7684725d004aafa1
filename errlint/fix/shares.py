"""Shares of a run that fixes: distributions that no others rest on, nor they on others, each planned and proved alone.

What is read, linked and parsed for one is let go of before the next, and several processes take one after the other.
"""

from __future__ import annotations

import gc
import os
import sys
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from heapq import heappop, heappush
from typing import Generic, NamedTuple, Protocol, TypeVar

from errlint.findings import Finding
from errlint.fix.plan import PLANNED
from errlint.fix.snapshot import Snapshot
from errlint.progress import Report
from errlint.request import Stopwatch
from errlint.workers import Piece, Workers, in_child, pays

P = TypeVar("P", bound=Piece)
R = TypeVar("R")
_Result = TypeVar("_Result", covariant=True)


_FINDING = 80_000
"""So many bytes of source are linked and checked in the time that the fix of a finding takes, which is about 50 ms."""


class ReachesOutError(Exception):
    """Stops the work on a share whose fixes need files of others; ``paths`` are those."""

    def __init__(self, paths: frozenset[str]) -> None:
        super().__init__(*sorted(paths))
        self.paths = paths


class Work(Protocol[_Result]):
    """Plans the fixes of some findings; raises :class:`ReachesOutError` where they need files of another share."""

    def __call__(
        self, files: Snapshot, findings: tuple[Finding, ...], before: tuple[Finding, ...] | None, watch: Stopwatch
    ) -> _Result:
        """Return what comes of it. ``before`` are all findings in the files, ``None`` where they are not known yet."""


class _Share(NamedTuple):
    """Distributions with what was found in them; ``before`` as :class:`Work` is given it."""

    distributions: frozenset[str]
    findings: tuple[Finding, ...]
    before: tuple[Finding, ...] | None


class _Piece(NamedTuple):
    """A share by its number, with what tells it from others, and how much work it is in bytes of source."""

    path: str
    size: int
    number: int


@dataclass(frozen=True)
class _Done(Generic[R]):
    """What came of a share: a result, or the files of others that it needs; neither where the process died."""

    number: int
    result: R | None
    needed: frozenset[str] = frozenset()


@dataclass(frozen=True)
class _Alone(Generic[R]):
    """Does the work of single shares."""

    work: Work[R]
    whole: Snapshot
    shares: Sequence[_Share]

    def __call__(self, piece: _Piece) -> _Done[R]:
        """Do the work of a share, and clear up: nobody else does meanwhile, and the next one may be as large."""
        try:
            return self.done(piece)
        finally:
            gc.collect()

    def done(self, piece: _Piece) -> _Done[R]:
        """Do the work of a share."""
        share = self.shares[piece.number]
        files = self.whole.about(share.distributions)
        try:
            return _Done(piece.number, self.work(files, share.findings, share.before, Stopwatch()))
        except ReachesOutError as error:
            return _Done(piece.number, None, error.paths)


@dataclass(frozen=True)
class _InChild(Generic[R]):
    """Does the work of each share in a process of its own: what one leaves behind is no burden to the next."""

    alone: _Alone[R]

    def __call__(self, piece: _Piece) -> _Done[R]:
        """Do the work of a share."""
        done = in_child(partial(self.alone.done, piece))
        return done if done is not None else _died(piece)


def shared_out(
    whole: Snapshot,
    findings: tuple[Finding, ...],
    before: tuple[Finding, ...] | None,
    work: Work[R],
    watch: Stopwatch,
    progress: Report | None,
) -> list[R]:
    """Return what comes of each share of a project in which something may be fixed, in the order of their folders."""
    shares = list(whole.shares())
    if len(shares) < 2:
        return [work(whole, findings, before, watch)]
    where = whole.task.division.layout.distribution
    done: dict[frozenset[str], R] = {}
    while True:
        left = [_share(whole, each, findings, before) for each in shares if each not in done]
        left = [share for share in left if any(item.code in PLANNED for item in share.findings)]
        if not left:
            return [done[each] for each in shares if each in done]
        needing: list[frozenset[str]] = []
        for each in _each(work, whole, left, watch, progress):
            distributions = left[each.number].distributions
            if each.result is not None:
                done[distributions] = each.result
            else:
                needing.append(distributions.union(map(where, each.needed)))
        for together in needing:
            shares = joined(shares, together)


def joined(shares: Sequence[frozenset[str]], together: frozenset[str]) -> list[frozenset[str]]:
    """Return shares with those as one that have something in common with some distributions."""
    apart = [share for share in shares if together.isdisjoint(share)]
    return sorted([*apart, together.union(*(share for share in shares if share not in apart))], key=sorted)


def _share(
    whole: Snapshot, distributions: frozenset[str], findings: Iterable[Finding], before: Iterable[Finding] | None
) -> _Share:
    where = whole.task.division.layout.distribution
    own = tuple(item for item in findings if where(item.path) in distributions)
    known = None if before is None else tuple(item for item in before if where(item.path) in distributions)
    return _Share(distributions, own, known)


def _each(
    work: Work[R], whole: Snapshot, shares: Sequence[_Share], watch: Stopwatch, progress: Report | None
) -> Iterator[_Done[R]]:
    """Yield what comes of each share, in no certain order: from several processes where that pays."""
    pieces = [_piece(whole, share, number) for number, share in enumerate(shares)]
    processes = whole.task.request.settings.jobs or os.cpu_count() or 1
    if sys.platform != "linux" or not pays(pieces):
        processes = 1
    told = (lambda done: progress("Planning fixes", done, len(pieces))) if progress else None
    lost: list[_Piece] = []
    if processes > 1:
        whole.texts.read()  # once, for all of them
    gc.freeze()  # what there is by now stays: nobody has to look at it after each share
    alone = _Alone(work, whole.in_one_process(), shares)
    workers: Workers[_Piece, _Done[R]] = Workers(
        # Elsewhere a forked process may hang in system libraries.
        _InChild(alone) if processes > 1 and sys.platform == "linux" else alone,
        _died,
        processes,
        large_with_small,
    )
    with watch.stage("fixes"), workers as crew:
        for done in crew.do(pieces, told):
            if done.result is None and not done.needed:
                lost.append(pieces[done.number])
            else:
                yield done
    yield from map(alone, lost)


def large_with_small(pieces: Iterable[P], processes: int) -> list[list[P]]:
    """Return pieces one by one, so that half of the processes work on small ones while the others do on large ones.

    Two large ones at a time take the most memory that there can be. What is left to the end is of a middling size.
    """
    left = deque(sorted(pieces, key=lambda piece: (-piece.size, piece.path)))
    free = [(0, number) for number in range(processes)]
    found: list[list[P]] = []
    while left:
        since, number = heappop(free)
        piece = left.pop() if number % 2 else left.popleft()
        heappush(free, (since + piece.size, number))
        found.append([piece])
    return found


def _died(piece: _Piece) -> _Done[R]:
    return _Done(piece.number, None)  # this process does it again, and what went wrong is told


def _piece(whole: Snapshot, share: _Share, number: int) -> _Piece:
    selection, states = whole.task.selection, whole.task.states
    where = whole.task.division.layout.distribution
    files = (path for path in (*selection.read, *selection.tests) if where(path) in share.distributions)
    size = sum(max(states[path].size, 0) for path in files) + _FINDING * len(share.findings)
    return _Piece(share.findings[0].path, size, number)
