"""What is asked of a run: what to check, which files that means, and how long the stages take."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

from errlint.memory import Memory
from errlint.settings import Settings


class Request(NamedTuple):
    """What to check, and how.

    ``paths`` are the files and folders whose findings are shown (none: all); facts always come from the whole root.
    ``stdin`` is a path (relative to the root, or absolute) and the content to take in place of the file's, ``contents``
    are more of them (paths relative to the root), as of files that a fix would write.
    ``since`` names a commit whose findings are not reported, "" for none. In ``memory`` a process keeps what the next
    run can use, ``None`` where there will be none.
    ``also`` are rules that do not run, and whose facts are collected all the same: somebody will ask for them.
    Without ``use_ast`` LibCST reads all files, which takes longer and changes no finding.
    """

    settings: Settings
    paths: tuple[Path, ...] = ()
    stdin: tuple[str, bytes] | None = None
    use_cache: bool = True
    use_ast: bool = True
    contents: Mapping[str, bytes] = MappingProxyType({})
    since: str = ""
    memory: Memory | None = None
    also: frozenset[str] = frozenset()


class FileSelection(NamedTuple):
    """The files of a run, relative to the root.

    ``known``: all that the outcome depends on; ``read``: those that facts come from; ``reported``: those that rules are
    asked about; ``shown``: those whose findings are shown. ``markers`` are the folders of distributions,
    ``configurations`` the files in subfolders that may have settings. ``tests`` are read as callers where a rule asks
    for them, and ``shown_tests`` those whose findings are shown. ``catalogs`` are the documents that list errors,
    ``shown_catalogs`` again those whose findings are shown. ``importable`` are the files that imports may lead to, and
    ``all_tests`` those whose texts are searched for codes: also where a run over named paths reads and asks fewer.
    ``excluded`` are the files that are read only since they, or others of their folder, are named.
    ``has_tracked_cache`` where git tracks files of the cache. ``no_tests`` only have the name of tests, and are code.
    """

    known: tuple[str, ...]
    markers: tuple[str, ...]
    read: tuple[str, ...]
    reported: tuple[str, ...]
    shown: tuple[str, ...]
    configurations: tuple[str, ...] = ()
    tests: tuple[str, ...] = ()
    shown_tests: tuple[str, ...] = ()
    catalogs: tuple[str, ...] = ()
    shown_catalogs: tuple[str, ...] = ()
    importable: tuple[str, ...] = ()
    all_tests: tuple[str, ...] = ()
    excluded: tuple[str, ...] = ()
    has_tracked_cache: bool = False
    no_tests: tuple[str, ...] = ()

    @property
    def is_whole(self) -> bool:
        """Whether all of the project is read, and nothing else: what is found then answers for any named paths too."""
        return not self.excluded and len(self.read) == len(self.importable)


class Stopwatch:
    """Seconds per stage, in the order of the stages."""

    def __init__(self) -> None:
        self.seconds: dict[str, float] = {}

    @contextmanager
    def stage(self, name: str) -> Iterator[None]:
        """Add the time of the block to a stage."""
        start = time.perf_counter()
        try:
            yield
        finally:
            self.seconds[name] = self.seconds.get(name, 0.0) + time.perf_counter() - start
