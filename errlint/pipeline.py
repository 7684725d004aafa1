"""The stages of a run that nothing in the cache could answer: collect, link, check."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import msgspec
from msgspec import structs

from errlint import __version__, facts
from errlint.cache import RACY_NS, Cache, Counted, Facts, Run, Stored, digest
from errlint.catalog.documents import Documents
from errlint.checks import OF_THE_RUN, CheckFailure, check_file, check_run, check_test
from errlint.facts import Module, Problem
from errlint.findings import Finding, Severity, Span
from errlint.fingerprint import identify
from errlint.patterns import Patterns
from errlint.project import Project
from errlint.project.asked_facts import TESTS_VOCABULARY, vocabulary
from errlint.project.connected import connections, spread
from errlint.project.names import Layout
from errlint.project.tested import asked, read
from errlint.rules import Need, needs
from errlint.source import UndecodableError, decode, read_bytes
from errlint.suppress import apply, find_in_document
from errlint.workers import Job, Look, Mode, Workers
from errlint.workspace.entries import State
from errlint.workspace.root import inside

if TYPE_CHECKING:
    from errlint.progress import Report
    from errlint.request import Request, Selection, Stopwatch


_last: list[Project] = []
"""Keeps the project of the last run: letting go of it takes long, and a process may end before another one."""


def has_run() -> bool:
    """Whether this process has linked a project before."""
    return bool(_last)


class Checked(NamedTuple):
    """What came of a run: see :class:`errlint.cache.Run`."""

    selection: bytes
    facts: int
    internal_errors: int
    note: str
    findings: tuple[Finding, ...]


class Built(NamedTuple):
    """A linked project, the distributions in which anything can be new (``None``: all), and the reader of its facts."""

    project: Project
    affected: frozenset[str] | None
    reader: _Reader


def run_pipeline(
    request: Request,
    selection: Selection,
    states: Mapping[str, State],
    cache: Cache | None,
    watch: Stopwatch,
    progress: Report | None,
    settings: str,
    previous: Run | None = None,
) -> Checked:
    """Return all findings of a project, in order, and what they are based on.

    Of ``previous``, an earlier run, the findings are taken over where nothing can have changed. ``settings`` identifies
    those of this run.
    """
    files = (selection.known, selection.markers, selection.read, selection.reported, selection.tests)
    selected = digest(repr((settings, files)).encode("utf-8", "surrogateescape"))
    if previous is not None and (previous.selection != selected or previous.internal_errors):
        previous = None
    project, affected, reader = build(request, selection, states, cache, watch, progress, previous)
    for last in _last:
        last.release()
    _last[:] = [project]
    distribution = project.layout.distribution
    reported = [path for path in selection.reported if affected is None or distribution(path) in affected]
    with watch.stage("check"):
        tests = [path for path in project.tests if affected is None or distribution(path) in affected]
        findings, failures = _check(project, reported, tests, progress)
    with watch.stage("cache"):
        facts = reader.store(project.layout)
    with watch.stage("finish"):
        finished = _finish(findings, project, request)
        if previous is not None and affected is not None:
            kept = [
                found
                for found in previous.findings
                if found.code not in OF_THE_RUN
                and found.path not in project.documents.texts
                and distribution(found.path) not in affected
            ]
            finished = tuple(sorted((*finished, *kept), key=_order))
    problems = sum(
        module.problem is not None and module.problem.code == "ERR906" for module in project.modules.values()
    )
    return Checked(selected, facts, failures + problems, _note(project), finished)


def _note(project: Project) -> str:
    """Say so where nothing was reported only because nothing looked like an entry point."""
    if project.adapter_distributions or project.routes.distributions:
        return ""
    unclaimed = project.unclaimed
    if not unclaimed:
        return ""
    returns = "return looks" if unclaimed == 1 else "returns look"
    return (
        f"No adapter was recognised, so error returns are not reported, although {unclaimed} {returns} like one; "
        "see `adapters` in docs/configuration.md."
    )


def build(
    request: Request,
    selection: Selection,
    states: Mapping[str, State],
    cache: Cache | None,
    watch: Stopwatch,
    progress: Report | None = None,
    previous: Run | None = None,
) -> Built:
    """Read all files, link them once, and then read of the tests, and count, what the linked project asks for.

    Distributions that have nothing to do with what changed since ``previous`` are not looked at again.
    """
    layout = Layout(selection.importable, selection.markers, selection.all_tests)
    documents = _documents(request.settings.root, selection, contents(request))
    rules = request.settings.rules
    with _Reader(request, states, selection, cache, progress) as reader:
        with watch.stage("collect"):
            reader.read(selection.read)
        if progress:
            progress("Linking", 0, 0)
        with watch.stage("link"):
            # In the order of paths: what is found first must not depend on who was read first.
            modules = dict(sorted(reader.modules.items()))
            project = Project(layout, modules, request.settings, documents, frozenset(selection.reported))
            affected = reader.affected(layout, previous)
        with watch.stage("collect"):
            tests, fresh = reader.callers(layout, selection.tests, project.wanted_tests, affected)
            project.add_tests(tests)
            if affected is not None:
                affected |= fresh
            if Need.COUNTS in needs(rules):
                project.counts = reader.count(layout, project.codes.counted, affected)
            if "ERR310" in rules:
                words, registries, defaults = asked(project)
                texts = reader.texts(layout, selection.all_tests) if words else ()
                project.tested = read(texts, frozenset[str]().union(*words.values()), registries, defaults)
                if affected is not None:
                    affected |= words.keys()  # any test may have changed
    return Built(project, affected, reader)


def _documents(root: Path, selection: Selection, replaced: Mapping[str, bytes]) -> Documents:
    """Read the catalogs; one that cannot be read has no text, and a finding says why."""
    texts: dict[str, str] = {}
    unread: dict[str, Problem] = {}
    for path in selection.catalogs:
        try:
            texts[path] = decode(replaced[path] if path in replaced else read_bytes(root / path))
        except OSError as error:  # noqa: PERF203 -- each file may fail
            reason = f"cannot be read: {error.strerror or type(error).__name__}"
            unread[path] = Problem("ERR907", Span(1, 1, 1, 1), reason)
        except UndecodableError as error:
            unread[path] = Problem("ERR907", Span(error.line, 1, error.line, 1), f"cannot be decoded: {error}")
    texts.update(dict.fromkeys(unread, ""))
    return Documents(root, texts, frozenset(selection.known), replaced, unread)


_REPLACED = "-replaced"
"""What is added to the name of facts of which some are about contents that are not on disk."""

_UNKNOWN = State(-1, -1)


class _Reader:
    """Reads facts, from the cache where it can."""

    def __init__(
        self,
        request: Request,
        states: Mapping[str, State],
        selection: Selection,
        cache: Cache | None,
        progress: Report | None,
    ) -> None:
        self.modules: dict[str, Module] = {}
        self._encoded: dict[str, bytes] = {}
        self._digests: dict[str, bytes] = {}
        self._counted: dict[str, Counted] = {}
        self._stored: Facts | None = None
        self._states = states
        self._cache = cache
        self._progress = progress
        self._root = request.settings.root
        self._contents = contents(request)
        self._is_replaced = bool(request.contents) and request.stdin is None
        words = vocabulary(request.settings)
        mode = Mode(str(self._root), words, TESTS_VOCABULARY, request.use_ast)
        self._workers = Workers(mode, request.settings.jobs or os.cpu_count() or 1)
        shape = [sorted(part) if isinstance(part, frozenset) else part for part in structs.astuple(words)]
        parts = (
            __version__,
            facts.FORMAT,
            shape,
            request.use_ast,
            str(self._root),
            selection.markers,
        )
        self._key = digest(repr(parts).encode())
        self._name = self._key.hex()[:16]
        self._changed = False
        self._written = 0
        self._whole = 0  # when a run over everything has written the facts in the cache
        self._is_whole = selection.is_whole
        self._importable = frozenset(selection.importable)
        self._all_tests = frozenset(selection.all_tests)
        self._connections: dict[str, set[str]] = {}
        self._read_tests: dict[str, Stored] = {}  # with an empty module where a test calls none of the wanted names
        self._fresh: set[str] = set()  # files whose facts were not in the cache
        self._fresh_tests: set[str] = set()

    def __enter__(self) -> _Reader:
        self._workers.__enter__()
        return self

    def __exit__(self, *reason: object) -> None:
        self._workers.__exit__(*reason)

    def read(self, paths: Iterable[str]) -> None:
        """Read every file, or take its facts from the cache."""
        jobs: list[Job] = []
        stored = self._load()
        decoder = msgspec.msgpack.Decoder(Module)
        self._stored = stored if stored is not None and stored.key == self._key else None
        if self._stored is not None:
            self._written = self._stored.written
            self._whole = self._stored.whole
        for path in paths:
            known = self._stored.files.get(path) if self._stored else None
            if known is not None and self._stored and self._is_current(path, known, self._stored.written):
                self._encoded[path] = known.module
                self._counted[path] = known.counted
                self._digests[path] = known.digest
                self.modules[path] = decoder.decode(known.module)
                continue
            self._fresh.add(path)
            jobs.append(Job(path, self._contents.get(path), (), self._size(path)))
        for found in self._look(jobs):
            if found.module is not None:
                self._digests[found.path] = found.digest
                self._encoded[found.path] = found.module
                self.modules[found.path] = decoder.decode(found.module)

    def _size(self, path: str) -> int:
        return max(self._states[path].size, 0)

    def _look(self, jobs: list[Job]) -> Iterator[Look]:
        """Yield what comes of jobs, and note that the cache is to be written."""
        if not jobs:
            return
        self._changed = True
        total = len(jobs)
        progress = self._progress
        if progress:
            progress("Reading files", 0, total)
        yield from self._workers.look(jobs, (lambda done: progress("Reading files", done, total)) if progress else None)

    def _load(self) -> Facts | None:
        if self._cache is None:
            return None
        found = self._cache.load_facts(f"{self._name}{_REPLACED}") if self._is_replaced else None
        return found or self._cache.load_facts(self._name)

    def affected(self, layout: Layout, previous: Run | None) -> frozenset[str] | None:
        """Return the distributions in which findings may differ from those of ``previous``; ``None`` for all."""
        if self._cache is None:
            return None
        now = connections(layout, self.modules)
        before = self._stored.connections if self._stored is not None else {}
        either = {name: now.get(name, set()).union(before.get(name, ())) for name in (*now, *before)}
        self._connections = now if self._is_whole else either
        if previous is None or previous.facts != self._whole or not self._whole or self._contents:
            return None
        touched = self._stored.touched if self._stored is not None else ()
        return spread(either, {*map(layout.distribution, self._fresh), *touched})

    def _is_current(self, path: str, known: Stored, written: int) -> bool:
        if path in self._contents:
            return digest(self._contents[path]) == known.digest
        if known.state != self._states[path] or known.state.size < 0:
            return False
        if known.state.modified <= written - RACY_NS:
            return True
        try:
            return digest(read_bytes(self._root / path)) == known.digest
        except OSError:
            return False

    def count(
        self, layout: Layout, wanted: Callable[[str], Iterable[str]], affected: frozenset[str] | None
    ) -> dict[tuple[str, str], int]:
        """Return how often names occur in a distribution: those that one of its files asks for (``wanted``)."""
        names: dict[str, set[str]] = {}
        for path in self.modules:
            distribution = layout.distribution(path)
            if affected is None or distribution in affected:
                names.setdefault(distribution, set()).update(wanted(path))
        jobs: list[Job] = []
        for path in self.modules:
            asked = names.get(layout.distribution(path), set())
            known = self._counted.get(path)
            if asked and (known is None or not asked.issubset(known.names)):
                asked = asked.union(known.names if known is not None else ())
                job = Job(path, self._contents.get(path), tuple(sorted(asked)), self._size(path), is_counted=True)
                jobs.append(job)
        for found in self._look(jobs):
            self._counted[found.path] = found.counted
        counts: dict[tuple[str, str], int] = {}
        for path in self.modules:
            distribution = layout.distribution(path)
            for name, count in self._counted.get(path, Counted()).found:
                counts[distribution, name] = counts.get((distribution, name), 0) + count
        return counts

    def callers(
        self,
        layout: Layout,
        paths: Iterable[str],
        wanted: Callable[[str], frozenset[str]],
        affected: frozenset[str] | None,
    ) -> tuple[dict[str, Module], frozenset[str]]:
        """Read the tests that call one of the wanted names (by distribution).

        Returns them, and the distributions of those that were not in the cache as they are now. Of distributions that
        are neither among these nor ``affected`` no test is returned.
        """
        stored = self._stored
        known = {
            path: test
            for path in paths
            if stored and (test := stored.tests.get(path)) and self._is_current(path, test, stored.written)
        }
        fresh = frozenset(layout.distribution(path) for path in paths if path not in known)
        jobs: list[Job] = []
        decoder = msgspec.msgpack.Decoder(Module)
        tests: dict[str, Module] = {}
        for path in paths:
            distribution = layout.distribution(path)
            test = known.get(path)
            is_affected = affected is None or distribution in affected or distribution in fresh
            names = wanted(distribution) if is_affected else frozenset[str]()
            if test is not None and names.issubset(test.counted.names):
                self._read_tests[path] = test
                if test.module and is_affected:
                    tests[path] = decoder.decode(test.module)
                continue
            if test is None:
                self._fresh_tests.add(path)
                self._changed = True
            asked = Counted(tuple(sorted(names)))
            self._read_tests[path] = Stored(self._state(path), b"", asked, b"")
            if names:
                jobs.append(Job(path, self._contents.get(path), asked.names, self._size(path), is_test=True))
        for found in self._look(jobs):
            content = b"" if found.module is None else found.module
            asked = self._read_tests[found.path].counted
            self._read_tests[found.path] = Stored(self._state(found.path), found.digest, asked, content)
            if found.module is not None:
                tests[found.path] = decoder.decode(found.module)
        return dict(sorted(tests.items())), fresh

    def texts(self, layout: Layout, paths: Iterable[str]) -> Iterator[tuple[str, bytes]]:
        """Yield the bytes of files, each with its distribution; those that cannot be read are left out."""
        for path in paths:
            if path in self._contents:
                yield layout.distribution(path), self._contents[path]
                continue
            with suppress(OSError):
                yield layout.distribution(path), read_bytes(self._root / path)

    def store(self, layout: Layout) -> int:
        """Write the facts to the cache, when there are new ones.

        Return when a run over everything wrote those that are there now: 0 where none did. Facts of distributions that
        this run has nothing to do with stay. Those of replaced contents, which fixes try out one after the other, have
        a place of their own.
        """
        is_typed = bool(self._contents) and not self._is_replaced  # the content of an editor, another one each time
        if self._cache is None or is_typed or not self._changed:
            return self._whole
        files = {
            path: Stored(
                self._state(path), self._digests[path], self._counted.get(path, Counted()), self._encoded[path]
            )
            for path in self.modules
        }
        connected = {distribution: tuple(sorted(others)) for distribution, others in self._connections.items()}
        tests = dict(self._read_tests)
        touched: tuple[str, ...] = ()
        if not self._is_whole:
            here = {*map(layout.distribution, files)}
            for kept, known, before in (
                (files, self._importable, self._stored.files if self._stored else {}),
                (tests, self._all_tests, self._stored.tests if self._stored else {}),
            ):
                # Of these distributions all files were asked the same: what is not among them is not there any more.
                kept.update(
                    (path, stored)
                    for path, stored in before.items()
                    if path in known
                    and path not in kept
                    and layout.distribution(path) not in here
                    and stored.state.modified <= self._written - RACY_NS  # else it is to be compared by its content
                )
            since = self._stored.touched if self._stored else ()
            touched = tuple(sorted({*since, *map(layout.distribution, (*self._fresh, *self._fresh_tests))}))
        written = time.time_ns()
        whole = written if self._is_whole else self._whole
        name = f"{self._name}{_REPLACED if self._is_replaced else ''}"
        self._cache.store(name, Facts(self._key, written, files, connected, tests, whole, touched))
        return self._whole if self._is_replaced else whole

    def _state(self, path: str) -> State:
        """Return the state by which the facts of a file are known again: none for contents that are not on disk."""
        return _UNKNOWN if path in self._contents else self._states[path]


def contents(request: Request) -> dict[str, bytes]:
    """Return what to take in place of files (relative to the root)."""
    found = dict(request.contents)
    if request.stdin is not None:
        found[inside(request.settings.root, Path(request.stdin[0]))] = request.stdin[1]
    return found


def _check(
    project: Project, reported: Sequence[str], tests: Iterable[str], progress: Report | None
) -> tuple[dict[str, list[Finding]], int]:
    """Run every active rule on the reported files, and those about callers on tests."""
    findings: dict[str, list[Finding]] = {}
    failures = 0
    about_all: dict[str, list[Finding]] = {}
    if progress:
        progress("Checking", 0, 0)
    for result in check_run(project):
        failures += isinstance(result, CheckFailure)
        finding = result.finding if isinstance(result, CheckFailure) else result
        about_all.setdefault(finding.path, []).append(finding)
    for done, path in enumerate(reported):
        if progress:
            progress("Checking", done, len(reported))
        found: list[Finding] = about_all.pop(path, [])
        for result in check_file(project, path):
            if isinstance(result, CheckFailure):
                failures += 1
                found.append(result.finding)
            else:
                found.append(result)
        kept, used = apply(found, project.modules[path].suppressions)
        for result in check_file(project, path, used):
            if isinstance(result, CheckFailure):
                failures += 1
                kept.append(result.finding)
            else:
                kept.append(result)
        if kept:
            findings[path] = kept
    for path in tests:
        found = []
        for result in check_test(project, path):
            failures += isinstance(result, CheckFailure)
            found.append(result.finding if isinstance(result, CheckFailure) else result)
        kept, _ = apply(found, project.tests[path].suppressions)
        if kept:
            findings[path] = kept
    for path, found in about_all.items():
        module = project.modules.get(path)
        page = find_in_document(project.documents.texts.get(path, ""))
        kept, _ = apply(found, page if module is None else module.suppressions)
        if kept:
            findings.setdefault(path, []).extend(kept)
    return findings, failures


def _finish(findings: Mapping[str, list[Finding]], project: Project, request: Request) -> tuple[Finding, ...]:
    """Apply ignores and severities of paths, and give each finding its fingerprint."""
    settings = request.settings
    ignores = [(Patterns((pattern,)), codes) for pattern, codes in settings.per_file_ignores]
    overrides = [(Patterns(override.paths), override.severity) for override in settings.overrides if override.severity]
    replaced = contents(request)
    finished: list[Finding] = []
    for path in sorted(findings):
        ignored = frozenset[str]().union(*(codes for patterns, codes in ignores if patterns.matches(path)))
        severities: dict[str, Severity] = dict(settings.severity)
        for patterns, changed in overrides:
            if patterns.matches(path):
                severities.update(changed)
        kept = [finding for finding in findings[path] if finding.code not in ignored]
        if not kept:
            continue
        text = _text(settings.root / path, replaced.get(path))
        for finding, fingerprint in identify(kept, text):
            severity = severities.get(finding.code, finding.severity)
            finished.append(msgspec.structs.replace(finding, severity=severity, fingerprint=fingerprint))
    return tuple(sorted(finished, key=_order))


def _order(finding: Finding) -> tuple[str, Span, str, str]:
    return finding.path, finding.span, finding.code, finding.message


def _text(path: Path, content: bytes | None) -> str:
    try:
        return decode(content if content is not None else read_bytes(path))
    except (OSError, UndecodableError):
        return ""
