"""The stages of a run that nothing in the cache could answer: collect, link, check.

What is linked and checked together is a *group* of distributions that have to do with each other, and nothing else: so
what came of a group is the same whatever happens in others, and the cache keeps it with a hash of all it rests on.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from msgspec import structs

from errlint.cache import Cache, Content, Part, digest
from errlint.catalog.documents import Documents
from errlint.checks import CheckFailure, check_file, check_run, check_settings, check_test
from errlint.contents import UNKNOWN, read_contents
from errlint.facts import FORMAT, Problem
from errlint.findings import Finding, Severity, Span
from errlint.fingerprint import identify
from errlint.known_facts import KnownFacts
from errlint.patterns import Patterns
from errlint.project import Project
from errlint.project.configured import Code, seen
from errlint.project.connected import Group, bare_registries, groups
from errlint.project.names import Layout
from errlint.project.tested import TestMentions, asked, read
from errlint.request import FileSelection, Request, Stopwatch
from errlint.rules import Need, needs
from errlint.source import UndecodableError, decode, read_bytes
from errlint.suppress import apply, find_in_document
from errlint.workers import Workers, pays
from errlint.workspace.entries import FileState
from errlint.workspace.root import inside

if TYPE_CHECKING:
    from errlint.progress import Report


_last: list[Project] = []
"""Keeps the projects of the last run: letting go of them takes long, and a process may end before another one."""


def has_run() -> bool:
    """Whether this process has linked a project before."""
    return bool(_last)


class Division(NamedTuple):
    """The files of a run: where they are, also as a hash, what is in them, and the groups of their distributions."""

    layout: Layout
    where: bytes
    contents: Mapping[str, Content]
    groups: tuple[Group, ...]


def divide(
    request: Request, selection: FileSelection, states: Mapping[str, FileState], cache: Cache | None
) -> Division:
    """Divide the files of a run into groups; where documents are compared with the code, all of it is one."""
    layout = Layout(selection.importable, selection.markers, selection.all_tests)
    where = digest(_text_of((selection.importable, selection.markers, selection.all_tests)))
    distributions = frozenset(map(layout.distribution, selection.importable))
    is_one = bool(selection.catalogs) or len(distributions) < 2
    # Without a cache nobody asks for hashes.
    code = () if is_one and cache is None else selection.importable
    others = () if cache is None else selection.known if selection.catalogs else selection.all_tests
    names = () if is_one else bare_registries(request.settings)
    root, replaced = request.settings.root, contents(request)
    found = read_contents(root, layout, where, code, others, states, replaced, names, cache)
    if is_one:
        return Division(layout, where, found, (Group(distributions),))
    reached = {path: found[path].reached for path in selection.importable}
    definitions = {path: found[path].defined for path in selection.importable}
    together = groups(layout, reached, definitions, request.settings, selection.configurations)
    return Division(layout, where, found, together)


class Portion(NamedTuple):
    """The files of a group: ``read`` are those that facts come from, its context among them.

    ``stamp`` is the hash of all that its findings rest on, empty where nothing is kept.
    """

    group: Group
    read: tuple[str, ...]
    reported: tuple[str, ...]
    tests: tuple[str, ...]
    stamp: bytes = b""


class TestTexts:
    """The bytes of all tests with their distributions: several groups look for names in them, and one reads them."""

    def __init__(self) -> None:
        self._found: tuple[tuple[str, bytes], ...] | None = None

    def of(self, facts: KnownFacts, paths: Iterable[str]) -> tuple[tuple[str, bytes], ...]:
        """Return what was read first in this process."""
        if self._found is None:
            self._found = tuple(facts.texts(paths))
        return self._found


class Task(NamedTuple):
    """What the groups of a run have in common; ``tests`` is the hash of all tests, empty where nothing is kept."""

    request: Request
    selection: FileSelection
    division: Division
    states: Mapping[str, FileState]
    cache: Cache | None
    test_texts: TestTexts
    tests: bytes = b""

    def with_contents(self, replaced: Mapping[str, bytes]) -> Task:
        """Return the same task with other contents in the place of files; which files there are stays."""
        told = {path: Content(UNKNOWN, digest(data)) for path, data in replaced.items()}
        division = self.division._replace(contents={**self.division.contents, **told})
        return self._replace(request=self.request._replace(contents=replaced), division=division)

    def about(self, distributions: Set[str]) -> Task:
        """Return the same task for some groups alone, by their distributions, among them those of their context."""
        selection, division = self.selection, self.division
        where = division.layout.distribution
        read, reported, tests = (
            tuple(path for path in paths if where(path) in distributions)
            for paths in (selection.read, selection.reported, selection.tests)
        )
        groups = tuple(group for group in division.groups if not distributions.isdisjoint(group.distributions))
        return self._replace(
            selection=selection._replace(read=read, reported=reported, tests=tests),
            division=division._replace(groups=groups),
        )

    def facts(self, progress: Report | None) -> KnownFacts:
        """Return what reads the facts."""
        replaced = contents(self.request)
        layout, told = self.division.layout, self.division.contents
        settings = self.request.settings
        request = self.request._replace(settings=structs.replace(settings, rules=settings.rules | self.request.also))
        return KnownFacts(request, layout, told, self.states, replaced, self.cache, progress)


def run_pipeline(
    request: Request,
    selection: FileSelection,
    division: Division,
    states: Mapping[str, FileState],
    cache: Cache | None,
    watch: Stopwatch,
    progress: Report | None,
    settings: str,
    known: Iterable[Part] = (),
) -> tuple[Part, ...]:
    """Return what came of each group of a project, and of the settings.

    ``known`` is what came of groups in earlier runs, and is taken over where all that it rests on is the same.
    ``settings`` identifies those of this run.
    """
    for last in _last:
        last.release()
    _last.clear()
    portions, tests = _portions(division, selection), b""
    if cache is not None:
        shared = _shared(division, selection, settings)
        portions = [portion._replace(stamp=_stamp(shared, division, portion)) for portion in portions]
        tests = digest(repr([division.contents[path].digest for path in selection.all_tests]).encode())
    earlier = {
        part.stamp: part
        for part in known
        if part.stamp and not part.internal_errors and part.tests in (b"", tests) and part.holds(request.settings.root)
    }
    task = Task(request, selection, division, states, cache, TestTexts(), tests)
    left = [portion for portion in portions if portion.stamp not in earlier]
    found = [earlier[portion.stamp] for portion in portions if portion.stamp in earlier]
    apart = dict(_apart(task, left, watch, progress))
    found += apart.values()
    left = [portion for number, portion in enumerate(left) if number not in apart]
    if left:
        found += _parts(task, left, watch, progress)
    return (*found, *_of_settings(request, selection, division, found))


class _Share(NamedTuple):
    """A group that a process of its own looks at, with what tells it from others, and the size of its files."""

    path: str
    size: int
    number: int
    portion: Portion


@dataclass(frozen=True)
class _Apart:
    """Links and checks single groups."""

    task: Task

    def __call__(self, share: _Share) -> tuple[int, Part | None]:
        """Return what came of a group, with its number."""
        (part,) = _parts(self.task, [share.portion], Stopwatch(), None)
        return share.number, part


def _died(share: _Share) -> tuple[int, Part | None]:
    return share.number, None  # this process looks at it again, and finds out which file it was


def _apart(
    task: Task, portions: Sequence[Portion], watch: Stopwatch, progress: Report | None
) -> Iterator[tuple[int, Part]]:
    """Have groups linked and checked by several processes, which then need not hand over any facts.

    Not where most of the work is one group: then files are handed out one by one.
    """
    settings = task.request.settings
    shares = [
        _Share(portion.read[0], sum(max(task.states[path].size, 0) for path in portion.read), number, portion)
        for number, portion in enumerate(portions)
        if portion.read
    ]
    sizes = [share.size for share in shares]
    processes = settings.jobs or os.cpu_count() or 1
    is_one_most = sum(sizes) < 2 * max(sizes, default=0)
    if sys.platform != "linux" or processes < 2 or is_one_most or not pays(shares):
        return
    alone = task._replace(request=task.request._replace(settings=structs.replace(settings, jobs=1)))
    with watch.stage("groups"), Workers(_Apart(alone), _died, processes) as crew:
        for number, part in crew.do(
            shares, (lambda done: progress("Checking", done, len(shares))) if progress else None
        ):
            if part is not None:
                yield number, part


def _parts(task: Task, portions: Sequence[Portion], watch: Stopwatch, progress: Report | None) -> Iterator[Part]:
    """Link and check groups in this process."""
    with task.facts(progress) as facts:
        projects = _linked(task, portions, facts, watch, progress)
        if task.request.memory is None:
            _last.extend(projects)
        try:
            for portion, project in zip(portions, projects, strict=True):
                part = _part(project, portion, task.request, watch, progress)
                project.documented.forget_trees()  # the project may be there for longer than anybody asks for them
                is_told = task.cache is None or all(map(facts.is_as_told, portion.read))
                stamp = portion.stamp if is_told else b""  # else somebody has written a file since
                yield structs.replace(part, stamp=stamp, tests=task.tests if project.tested.is_asked else b"")
        finally:
            if task.request.memory is not None:  # the process goes on, perhaps with other work at the same time
                for project in projects:
                    project.release()
        with watch.stage("cache"):
            facts.store(frozenset(each for portion in portions for each in portion.group.distributions))


def portion_of(division: Division, selection: FileSelection, path: str) -> Portion | None:
    """Return the files of the group that a file is in, ``None`` where it is in none, or is not reported on."""
    own = division.layout.distribution(path)
    portions = _portions(division, selection)
    found = next((portion for portion in portions if own in portion.group.distributions), None)
    return found if found is not None and path in found.reported else None


def check_linked_with(task: Task, portion: Portion, around: Iterable[str], path: str) -> tuple[Finding, ...]:
    """Return what is found in one file of a portion, linked with the files ``around`` it and no others.

    That is what the whole run finds where these are all of the portion, and else nearly so.
    """
    watch = Stopwatch()
    with task.facts(None) as facts:
        facts.read((path,))
        if facts.modules[path].problem is not None:
            around = ()  # nothing is found in it but that
        small = portion._replace(read=tuple(sorted({*around, path})), reported=(path,), tests=())
        (project,) = _linked(task, [small], facts, watch, None)
        try:
            return _part(project, small, task.request, watch, None).findings
        finally:
            project.release()


class Built(NamedTuple):
    """A project that is linked as one, its facts, and the groups that are linked by themselves elsewhere."""

    project: Project
    facts: KnownFacts
    groups: tuple[Group, ...]

    def store(self) -> None:
        """Keep the facts."""
        self.facts.store(frozenset(each for group in self.groups for each in group.distributions))


def build(
    request: Request,
    selection: FileSelection,
    states: Mapping[str, FileState],
    cache: Cache | None,
    watch: Stopwatch,
) -> Built:
    """Read all files, link them as one, and then read of the tests, and count, what the linked project asks for."""
    division = divide(request, selection, states, cache)
    return build_of(Task(request, selection, division, states, cache, TestTexts()), watch)


def build_of(task: Task, watch: Stopwatch, about: Iterable[str] | None = None) -> Built:
    """Link the files of a task as :func:`build` does.

    With ``about``, which are paths, only the groups of those, and what is linked with these.
    """
    selection, division = task.selection, task.division
    distribution = division.layout.distribution
    named = None if about is None else frozenset(map(distribution, about))
    needed = [group for group in division.groups if named is None or not named.isdisjoint(group.distributions)]
    own = frozenset(each for group in needed for each in group.distributions)
    around = own.union(*(group.context for group in needed))
    portion = Portion(
        Group(own),
        tuple(path for path in selection.read if distribution(path) in around),
        tuple(path for path in selection.reported if distribution(path) in own),
        tuple(path for path in selection.tests if distribution(path) in own),
    )
    with task.facts(None) as facts:
        (project,) = _linked(task, [portion], facts, watch, None)
    return Built(project, facts, division.groups)


def _portions(division: Division, selection: FileSelection) -> list[Portion]:
    """Return the files of each group that any are read of, or documents."""
    by_distribution: dict[str, tuple[list[str], list[str], list[str]]] = {}
    for index, paths in enumerate((selection.read, selection.reported, selection.tests)):
        for path in paths:
            by_distribution.setdefault(division.layout.distribution(path), ([], [], []))[index].append(path)
    found: list[Portion] = []
    for group in division.groups:
        own = [by_distribution[each] for each in sorted(group.distributions) if each in by_distribution]
        around = [by_distribution[each][0] for each in sorted(group.context) if each in by_distribution]
        # In the order of paths: what is found first must not depend on who was read first.
        read, reported, tests = (sorted(path for part in own for path in part[index]) for index in range(3))
        if read or selection.catalogs:
            everything = sorted((*read, *(path for paths in around for path in paths)))
            found.append(Portion(group, tuple(everything), tuple(reported), tuple(tests)))
    return found


def _shared(division: Division, selection: FileSelection, settings: str) -> bytes:
    """Hash what the findings of every group rest on: the settings, which files there are, and the documents."""
    known = [(path, division.contents[path].digest) for path in selection.known] if selection.catalogs else []
    return digest(_text_of((settings, FORMAT, division.where, selection.catalogs, known)))


def _stamp(shared: bytes, division: Division, portion: Portion) -> bytes:
    """Hash all that the findings of a group rest on, but for what it may ask of the tests of others."""
    told = [(path, division.contents[path].digest) for path in (*portion.read, *portion.tests)]
    parts = (shared, sorted(portion.group.distributions), told, portion.reported, portion.tests)
    return digest(_text_of(parts))


def _text_of(parts: object) -> bytes:
    return repr(parts).encode("utf-8", "surrogateescape")


def _linked(
    task: Task, portions: Sequence[Portion], facts: KnownFacts, watch: Stopwatch, progress: Report | None
) -> list[Project]:
    """Read the files of groups and link each group, then read of the tests, and count, what the projects ask for."""
    settings, layout, selection = task.request.settings, task.division.layout, task.selection
    documents = _documents(settings.root, selection, contents(task.request))
    with watch.stage("collect"):
        wanted_files = dict.fromkeys(path for portion in portions for path in portion.read)
        facts.read(path for path in wanted_files if path not in facts.modules)
    if progress:
        progress("Linking", 0, 0)
    with watch.stage("link"):
        projects = [
            Project(
                layout,
                {path: facts.modules[path] for path in portion.read},
                settings,
                documents,
                frozenset(portion.reported),
            )
            for portion in portions
        ]
        owners = {
            distribution: project
            for portion, project in zip(portions, projects, strict=True)
            for distribution in portion.group.distributions
        }
        wanted = {distribution: project.wanted_tests(distribution) for distribution, project in owners.items()}
    with watch.stage("collect"):
        tests = facts.callers((path for portion in portions for path in portion.tests), wanted)
        for portion, project in zip(portions, projects, strict=True):
            project.add_tests({path: tests[path] for path in portion.tests if path in tests})
        if Need.COUNTS in needs(settings.rules):
            names: dict[str, set[str]] = {}
            for project in projects:
                for path in project.modules:
                    names.setdefault(layout.distribution(path), set()).update(project.codes.counted(path))
            counts = facts.count(names)
            for project in projects:
                project.counts = counts
        if "ERR310" in settings.rules:
            questions = [asked(project) for project in projects]
            is_asked = any(question.words for question in questions)
            answer = read(task.test_texts.of(facts, selection.all_tests) if is_asked else (), questions)
            for project, question in zip(projects, questions, strict=True):
                project.tested = answer if question.words else TestMentions()
    return projects


def _documents(root: Path, selection: FileSelection, replaced: Mapping[str, bytes]) -> Documents:
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


def contents(request: Request) -> dict[str, bytes]:
    """Return what to take in place of files (relative to the root)."""
    found = dict(request.contents)
    if request.stdin is not None:
        found[inside(request.settings.root, Path(request.stdin[0]))] = request.stdin[1]
    return found


def _part(project: Project, portion: Portion, request: Request, watch: Stopwatch, progress: Report | None) -> Part:
    """Check a linked group."""
    own = portion.group.distributions
    distribution = project.layout.distribution
    with watch.stage("check"):
        findings, failures = _check(project, portion, progress)
    with watch.stage("finish"):
        finished = _finish(findings, request)
    crashes = sum(
        module.problem is not None and module.problem.code == "ERR906"
        for path, module in project.modules.items()
        if distribution(path) in own
    )
    is_served = not own.isdisjoint(project.adapters.distributions | project.routes.distributions)
    unclaimed = 0 if is_served else project.sites.unclaimed(own)
    words, defined = seen(project) if "ERR905" in project.settings.rules else ((), ())
    return Part(
        tuple(sorted(own)), b"", b"", failures + crashes, is_served, unclaimed, words, defined, project.beside, finished
    )


def _of_settings(
    request: Request, selection: FileSelection, division: Division, parts: Sequence[Part]
) -> tuple[Part, ...]:
    """Check the names in the settings, which are looked for everywhere: not where some files are not read."""
    settings = request.settings
    if len(selection.read) < len(selection.importable) or "ERR905" not in settings.rules or not settings.named:
        return ()
    words = frozenset(word for part in parts for word in part.words)
    defined = frozenset(name for part in parts for name in part.defined)
    code = Code(settings.root, division.layout, words, defined)
    results = list(check_settings(settings, code, selection.catalogs))
    findings: dict[str, list[Finding]] = {}
    for result in results:
        finding = result.finding if isinstance(result, CheckFailure) else result
        findings.setdefault(finding.path, []).append(finding)
    failures = sum(isinstance(result, CheckFailure) for result in results)
    finished = _finish(findings, request)
    return (Part((), b"", b"", failures, False, 0, (), (), {}, finished),)


def _check(project: Project, portion: Portion, progress: Report | None) -> tuple[dict[str, list[Finding]], int]:
    """Run every active rule on the reported files, and those about callers on tests."""
    findings: dict[str, list[Finding]] = {}
    failures = 0
    about_all: dict[str, list[Finding]] = {}
    if progress:
        progress("Checking", 0, 0)
    for result in check_run(project):
        finding = result.finding if isinstance(result, CheckFailure) else result
        if finding.path in project.modules and project.layout.distribution(finding.path) not in (
            portion.group.distributions
        ):
            continue  # of the context, which is a group of its own
        failures += isinstance(result, CheckFailure)
        about_all.setdefault(finding.path, []).append(finding)
    for done, path in enumerate(portion.reported):
        if progress:
            progress("Checking", done, len(portion.reported))
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
    for path in project.tests:
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


def _finish(findings: Mapping[str, list[Finding]], request: Request) -> tuple[Finding, ...]:
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
            finished.append(structs.replace(finding, severity=severity, fingerprint=fingerprint))
    return tuple(finished)


def _text(path: Path, content: bytes | None) -> str:
    try:
        return decode(content if content is not None else read_bytes(path))
    except (OSError, UndecodableError):
        return ""
