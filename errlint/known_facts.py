"""The facts of a run: from the cache, one file of it a distribution, where the contents are the same, else read."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator, Mapping, Set
from contextlib import suppress
from typing import TYPE_CHECKING

import msgspec
from msgspec import structs

from errlint import __version__, facts
from errlint.cache import Cache, Content, Counted, Facts, Stored, digest
from errlint.facts import Module
from errlint.project.asked_facts import TESTS_VOCABULARY, vocabulary
from errlint.project.names import Layout
from errlint.source import read_bytes
from errlint.workers import Job, Look, Looking, Mode, Workers, died
from errlint.workspace.entries import FileState

if TYPE_CHECKING:
    from errlint.progress import Report
    from errlint.request import Request

_REPLACED = "-replaced"
"""What is added to the name of facts of which some are about contents that are not on disk."""


class KnownFacts:
    """Reads facts, and keeps them.

    ``contents`` are those of all files, ``replaced`` what to take in place of some.
    """

    def __init__(
        self,
        request: Request,
        layout: Layout,
        contents: Mapping[str, Content],
        states: Mapping[str, FileState],
        replaced: Mapping[str, bytes],
        cache: Cache | None,
        progress: Report | None,
    ) -> None:
        self.modules: dict[str, Module] = {}
        self._layout = layout
        self._contents = contents
        self._states = states
        self._replaced = replaced
        self._is_typed = request.stdin is not None  # what stands in an editor is another one each time
        self._is_remembered = request.memory is not None
        self._cache = cache
        self._progress = progress
        self._root = request.settings.root
        words = vocabulary(request.settings)
        mode = Mode(str(self._root), words, TESTS_VOCABULARY, request.use_ast)
        self._workers = Workers(Looking(mode), died, request.settings.jobs or os.cpu_count() or 1)
        shape = [sorted(part) if isinstance(part, frozenset) else part for part in structs.astuple(words)]
        parts = (__version__, facts.FORMAT, sys.version_info[:2], shape, request.use_ast, str(self._root))
        self._key = digest(repr(parts).encode())
        self._stored: dict[str, Facts] = {}
        self._files: dict[str, dict[str, Stored]] = {}
        self._tests: dict[str, dict[str, Stored]] = {}  # with an empty module where a test calls none of the names
        self._changed: set[str] = set()
        self._decoder = msgspec.msgpack.Decoder(Module)

    def __enter__(self) -> KnownFacts:
        self._workers.__enter__()
        return self

    def __exit__(self, *reason: object) -> None:
        self._workers.__exit__(*reason)

    def read(self, paths: Iterable[str]) -> None:
        """Read every file, or take its facts from the cache."""
        jobs: list[Job] = []
        for path in paths:
            distribution = self._layout.distribution(path)
            known = self._of(distribution).files.get(path)
            if known is not None and known.digest == self._contents[path].digest and known.digest:
                self._files[distribution][path] = known
                self.modules[path] = self._decoder.decode(known.module)
            else:
                jobs.append(self._job(path))
        for look in self._look(jobs):
            if look.module is not None:
                self._files[self._layout.distribution(look.path)][look.path] = Stored(
                    look.digest, Counted(), self._encoded(look.module)
                )
                self.modules[look.path] = self._decoded(look.module)

    def is_as_told(self, path: str) -> bool:
        """Whether a file was read with the content that the run knows: somebody may have written it since."""
        distribution = self._layout.distribution(path)
        return self._files[distribution][path].digest == self._contents[path].digest

    def count(self, wanted: Mapping[str, set[str]]) -> dict[tuple[str, str], int]:
        """Return how often the wanted names (by distribution) occur in a distribution."""
        jobs: list[Job] = []
        for distribution, asked in wanted.items():
            for path, known in self._files[distribution].items():
                if not asked.issubset(known.counted.names):
                    jobs.append(self._job(path, asked.union(known.counted.names), is_counted=True))
        for look in self._look(jobs):
            files = self._files[self._layout.distribution(look.path)]
            files[look.path] = structs.replace(files[look.path], counted=look.counted)
        counts: dict[tuple[str, str], int] = {}
        for distribution, files in self._files.items():
            for stored in files.values():
                for name, count in stored.counted.found:
                    counts[distribution, name] = counts.get((distribution, name), 0) + count
        return counts

    def callers(self, paths: Iterable[str], wanted: Mapping[str, frozenset[str]]) -> dict[str, Module]:
        """Return the tests that call one of the wanted names (by distribution)."""
        jobs: list[Job] = []
        tests: dict[str, Module] = {}
        for path in paths:
            distribution = self._layout.distribution(path)
            names = wanted.get(distribution, frozenset())
            test = self._of(distribution).tests.get(path)
            if test is not None and test.digest == self._contents[path].digest and names.issubset(test.counted.names):
                self._tests[distribution][path] = test
                if test.module and names:
                    tests[path] = self._decoder.decode(test.module)
                continue
            if names:
                jobs.append(self._job(path, names, is_test=True))
        asked = {job.path: Counted(job.asked) for job in jobs}
        for look in self._look(jobs):
            distribution = self._layout.distribution(look.path)
            encoded = b"" if look.module is None else self._encoded(look.module)
            self._tests[distribution][look.path] = Stored(look.digest, asked[look.path], encoded)
            if look.module is not None:
                tests[look.path] = self._decoded(look.module)
        return tests

    def texts(self, paths: Iterable[str]) -> Iterator[tuple[str, bytes]]:
        """Yield the bytes of files, each with its distribution; those that cannot be read are left out."""
        for path in paths:
            if path in self._replaced:
                yield self._layout.distribution(path), self._replaced[path]
                continue
            with suppress(OSError):
                yield self._layout.distribution(path), read_bytes(self._root / path)

    def store(self, distributions: Set[str]) -> None:
        """Write the facts of distributions to the cache, where there are other ones than before.

        Those of replaced contents, which fixes try out one after the other, have a place of their own. Where a process
        remembers them, it alone does: what is typed changes too often for a disk.
        """
        if self._cache is None or self._is_typed:
            return
        for distribution in sorted(self._changed.intersection(distributions)):
            content = Facts(self._key, self._files[distribution], self._tests[distribution])
            name = self._name(distribution, is_replaced=bool(self._replaced))
            self._cache.store(name, content, is_lasting=not self._replaced or not self._is_remembered)

    def _job(self, path: str, asked: Iterable[str] = (), *, is_test: bool = False, is_counted: bool = False) -> Job:
        size = max(self._states[path].size, 0)
        return Job(path, self._replaced.get(path), tuple(sorted(asked)), size, is_test, is_counted)

    def _look(self, jobs: list[Job]) -> Iterator[Look]:
        """Yield what comes of jobs, and note of which distributions the facts are to be written."""
        if not jobs:
            return
        self._changed.update(self._layout.distribution(job.path) for job in jobs)
        total = len(jobs)
        progress = self._progress
        if progress:
            progress("Reading files", 0, total)
        yield from self._workers.do(jobs, (lambda done: progress("Reading files", done, total)) if progress else None)

    def _encoded(self, module: Module | bytes) -> bytes:
        """Return facts as the cache has them; where there is none nobody asks for them."""
        if self._cache is None:
            return b""
        return msgspec.msgpack.encode(module) if isinstance(module, Module) else module

    def _decoded(self, module: Module | bytes) -> Module:
        return module if isinstance(module, Module) else self._decoder.decode(module)

    def _of(self, distribution: str) -> Facts:
        """Return what the cache has of a distribution."""
        found = self._stored.get(distribution)
        if found is None:
            found = self._stored[distribution] = self._load(distribution) or Facts(self._key, {}, {})
            self._files[distribution], self._tests[distribution] = {}, {}
        return found

    def _load(self, distribution: str) -> Facts | None:
        if self._cache is None:
            return None
        for is_replaced in (True, False) if self._replaced and not self._is_typed else (False,):
            found = self._cache.load_facts(self._name(distribution, is_replaced=is_replaced))
            if found is not None and found.key == self._key:
                return found
        return None

    def _name(self, distribution: str, *, is_replaced: bool) -> str:
        place = digest(distribution.encode("utf-8", "surrogateescape")).hex()[:16]
        return f"{self._key.hex()[:16]}-{place}{_REPLACED if is_replaced else ''}"
