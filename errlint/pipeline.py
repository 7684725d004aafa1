"""The stages of a run that nothing in the cache could answer: collect, link, check."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec
from msgspec import structs

from errlint import __version__, facts
from errlint.cache import RACY_NS, Cache, Facts, State, Stored, digest
from errlint.checks import CheckFailure, check_file, check_test
from errlint.collect.merge import merge
from errlint.facts import Module, Wanted
from errlint.findings import Finding, Severity
from errlint.fingerprint import identify
from errlint.patterns import Patterns
from errlint.project import MAX_ROUNDS, Project, tests_vocabulary, vocabulary
from errlint.project.names import Layout
from errlint.source import UndecodableError, decode, read_bytes
from errlint.suppress import apply
from errlint.workers import Job, Look, Mode, Workers

if TYPE_CHECKING:
    from errlint.run import Request, Selection, Stopwatch


_last: list[Project] = []
"""Keeps the project of the last run: letting go of it takes longer than the rules, and a process may end before."""


def run_pipeline(
    request: Request,
    selection: Selection,
    states: Mapping[str, State],
    cache: Cache | None,
    watch: Stopwatch,
    progress: Callable[[int, int], None] | None,
) -> tuple[tuple[Finding, ...], int, str]:
    """Return all findings of a project, in order, how many files or rules failed, and a note on the whole."""
    project = build(request, selection, states, cache, watch, progress)
    _last[:] = [project]
    with watch.stage("check"):
        findings, failures = _check(project, selection)
    with watch.stage("finish"):
        finished = _finish(findings, project, request)
    problems = sum(
        module.problem is not None and module.problem.code == "ERR906" for module in project.modules.values()
    )
    return finished, failures + problems, _note(project)


def _note(project: Project) -> str:
    """Say so where nothing was reported only because nothing looked like an entry point."""
    if project.adapter_distributions:
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
    progress: Callable[[int, int], None] | None = None,
) -> Project:
    """Collect the facts of the reported files and link them, asking for more facts until nothing is missing."""
    layout = Layout(selection.read, selection.markers, selection.tests)
    with _Reader(request, states, selection.markers, cache, progress) as reader:
        with watch.stage("collect"):
            reader.first(selection.read)
        affected: frozenset[str] | None = None
        tests_read = False
        for _ in range(MAX_ROUNDS):
            with watch.stage("link"):
                # In the order of paths: what is found first must not depend on who was read first.
                modules = dict(sorted(reader.modules.items()))
                project = Project(layout, modules, reader.read, request.settings, reader.tests)
                mentions = project.wanted_mentions(affected)
                definitions = project.names.missing
            with watch.stage("collect"):
                changed = reader.more(layout, mentions, definitions)
                if not changed and not tests_read:
                    tests_read = True
                    changed = reader.callers(layout, selection.tests, project.wanted_tests())
            if not changed:
                break
            # Only where something new was read, or read on behalf of, can there be something new to ask.
            askers = project.names.askers
            affected = frozenset(map(layout.distribution, changed)).union(*(askers.get(path, ()) for path in changed))
    with watch.stage("cache"):
        reader.store()
    return project


class _Reader:
    """Reads facts, from the cache where it can, and remembers what was asked of each file."""

    def __init__(
        self,
        request: Request,
        states: Mapping[str, State],
        markers: tuple[str, ...],
        cache: Cache | None,
        progress: Callable[[int, int], None] | None,
    ) -> None:
        self.modules: dict[str, Module] = {}
        self.tests: dict[str, Module] = {}
        self.read: dict[str, frozenset[str]] = {}
        self._encoded: dict[str, bytes] = {}
        self._outlines: dict[str, bytes] = {}
        self._wanted: dict[str, Wanted] = {}
        self._digests: dict[str, bytes] = {}
        self._asked: dict[str, set[str]] = {}
        self._answered: dict[str, tuple[str, ...]] = {}  # what the files in the cache were asked
        self._cached: set[str] = set()
        self._stored: Facts | None = None
        self._states = states
        self._cache = cache
        self._progress = progress
        self._root = request.settings.root
        self._stdin = _stdin(request)
        words = vocabulary(request.settings)
        mode = Mode(str(self._root), words, tests_vocabulary(words), request.use_ast, request.use_gate)
        self._workers = Workers(mode, request.settings.jobs or os.cpu_count() or 1)
        shape = [sorted(part) if isinstance(part, frozenset) else part for part in structs.astuple(words)]
        parts = (__version__, facts.FORMAT, shape, request.use_ast, request.use_gate, str(self._root), markers)
        self._key = digest(repr(parts).encode())
        self._name = self._key.hex()[:16]
        self._changed = False

    def __enter__(self) -> _Reader:
        self._workers.__enter__()
        return self

    def __exit__(self, *reason: object) -> None:
        self._workers.__exit__(*reason)

    def first(self, paths: Iterable[str]) -> None:
        """Take the first look at every file."""
        jobs: list[Job] = []
        stored = self._cache.load_facts(self._name) if self._cache else None
        decoder = msgspec.msgpack.Decoder(Module)
        self._stored = stored if stored is not None and stored.key == self._key else None
        if self._stored is not None:
            self._answered = self._stored.asked
        for path in paths:
            known = self._stored.files.get(path) if self._stored else None
            if known is not None and self._stored and self._is_current(path, known, self._stored.written):
                self._cached.add(path)
                self._encoded[path] = known.module
                self._wanted[path] = known.wanted
                self._digests[path] = known.digest
                self.modules[path] = decoder.decode(known.module)
                self.read[path] = frozenset(known.wanted.definitions)
                continue
            content = self._stdin[1] if self._stdin and path == self._stdin[0] else None
            size = max(self._states[path].size, 0)
            jobs.append(Job(path, content, known.wanted if known else Wanted(), size))
        self._take(jobs)

    def _is_current(self, path: str, known: Stored, written: int) -> bool:
        if self._stdin and path == self._stdin[0]:
            return False
        if known.state != self._states[path] or known.state.size < 0:
            return False
        if known.state.modified <= written - RACY_NS:
            return True
        try:
            return digest(read_bytes(self._root / path)) == known.digest
        except OSError:
            return False

    def more(self, layout: Layout, mentions: Mapping[str, set[str]], definitions: Mapping[str, set[str]]) -> set[str]:
        """Look again at files for uses of names (by distribution) and for definitions; return files that had any."""
        fresh: dict[str, set[str]] = {}
        for distribution, names in mentions.items():
            asked = self._asked.setdefault(distribution, set())
            fresh[distribution] = names - asked
            asked |= names
        unanswered = {name: names.difference(self._answered.get(name, ())) for name, names in fresh.items()}
        jobs: list[Job] = []
        for path, module in self.modules.items():
            wanted = self._wanted[path]
            asked_of = unanswered if path in self._cached else fresh
            names = asked_of.get(layout.distribution(path), set()).difference(module.covered)
            missing = definitions.get(path, set()).difference(wanted.definitions)
            if not names and not missing:
                continue
            content = self._stdin[1] if self._stdin and path == self._stdin[0] else None
            size = max(self._states[path].size, 0)
            asked_now = Wanted(tuple(sorted(names)), tuple(sorted(missing)))
            outline = self._outlines.get(path, b"")
            jobs.append(Job(path, content, wanted, size, asked_now, self._digests[path], outline))
        return self._take(jobs)

    def callers(self, layout: Layout, paths: Iterable[str], wanted: Mapping[str, frozenset[str]]) -> set[str]:
        """Read the tests that call one of the wanted names (by distribution); return those."""
        jobs: list[Job] = []
        decoder = msgspec.msgpack.Decoder(Module)
        for path in paths if wanted else ():
            names = wanted.get(layout.distribution(path))
            if not names:
                continue
            known = self._stored.tests.get(path) if self._stored else None
            asked = frozenset(known.wanted.mentions) if known is not None else frozenset()
            if known and asked >= names and self._stored and self._is_current(path, known, self._stored.written):
                self._digests[path] = known.digest
                self._wanted[path] = known.wanted
                self.tests[path] = decoder.decode(known.module)
                continue
            content = self._stdin[1] if self._stdin and path == self._stdin[0] else None
            jobs.append(Job(path, content, Wanted(tuple(sorted(names))), max(self._states[path].size, 0), is_test=True))
        for found in self._workers.look(jobs) if jobs else ():
            if found.module is not None:
                self._digests[found.path] = found.digest
                self._wanted[found.path] = found.wanted
                self.tests[found.path] = decoder.decode(found.module)
                self._changed = True
        self.tests = dict(sorted(self.tests.items()))
        return set(self.tests)

    def _take(self, jobs: list[Job]) -> set[str]:
        if not jobs:
            return set()
        total = len(jobs)
        progress = self._progress
        report = (lambda done: progress(done, total)) if progress else None
        decoder = msgspec.msgpack.Decoder(Module)
        changed = {found.path for found in self._workers.look(jobs, report) if self._add(found, decoder)}
        self._changed |= bool(changed)
        return changed

    def _add(self, found: Look, decoder: msgspec.msgpack.Decoder[Module]) -> bool:
        path = found.path
        self._wanted[path] = found.wanted
        self.read[path] = frozenset(found.wanted.definitions)
        if found.module is None:
            return False
        self._digests[path] = found.digest
        module = decoder.decode(found.module)
        if found.adds:
            self.modules[path] = merge(self.modules[path], module)
            self._encoded.pop(path, None)
        else:
            self.modules[path] = module
            self._encoded[path] = found.module
            self._outlines[path] = found.outline
        return True

    def store(self) -> None:
        """Write the facts to the cache, when there are new ones."""
        if self._cache is None or self._stdin is not None or not self._changed:
            return
        encode = msgspec.msgpack.Encoder().encode
        files = {
            path: Stored(
                self._states[path], self._digests[path], self._wanted[path], self._encoded.get(path) or encode(module)
            )
            for path, module in self.modules.items()
        }
        asked = {distribution: tuple(sorted(names)) for distribution, names in self._asked.items()}
        tests = {
            path: Stored(self._states[path], self._digests[path], self._wanted[path], encode(module))
            for path, module in self.tests.items()
        }
        self._cache.store(self._name, Facts(self._key, time.time_ns(), files, asked, tests))


def _stdin(request: Request) -> tuple[str, bytes] | None:
    if request.stdin is None:
        return None
    path = Path(request.stdin[0])
    root = request.settings.root
    absolute = os.path.normpath(path if path.is_absolute() else root / path)
    return Path(os.path.relpath(absolute, root)).as_posix(), request.stdin[1]


def _check(project: Project, selection: Selection) -> tuple[dict[str, list[Finding]], int]:
    """Run every active rule on every reported file."""
    findings: dict[str, list[Finding]] = {}
    failures = 0
    for path in selection.reported:
        found: list[Finding] = []
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
    for path, module in project.tests.items():
        found = []
        for result in check_test(project, path):
            failures += isinstance(result, CheckFailure)
            found.append(result.finding if isinstance(result, CheckFailure) else result)
        if found:
            findings[path], _ = apply(found, module.suppressions)
    return findings, failures


def _finish(findings: Mapping[str, list[Finding]], project: Project, request: Request) -> tuple[Finding, ...]:
    """Apply ignores and severities of paths, and give each finding its fingerprint."""
    settings = request.settings
    ignores = [(Patterns((pattern,)), codes) for pattern, codes in settings.per_file_ignores]
    overrides = [(Patterns(override.paths), override.severity) for override in settings.overrides if override.severity]
    stdin = _stdin(request)
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
        content = stdin[1] if stdin and stdin[0] == path else None
        text = _text(settings.root / path, content)
        for finding, fingerprint in identify(kept, text):
            severity = severities.get(finding.code, finding.severity)
            finished.append(msgspec.structs.replace(finding, severity=severity, fingerprint=fingerprint))
    finished.sort(key=lambda finding: (finding.path, finding.span, finding.code, finding.message))
    return tuple(finished)


def _text(path: Path, content: bytes | None) -> str:
    try:
        return decode(content if content is not None else read_bytes(path))
    except (OSError, UndecodableError):
        return ""
