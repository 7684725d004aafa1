"""A session: one project, the texts of it that stand in an editor, and what is found in them.

It answers twice. :meth:`Session.check_near` says within a blink what is found in one file: linked with the files near
it, which are all of its group where that is small. What differs from the whole project is known from the last time that
it was checked, and made good. :meth:`Session.check_all` checks the project.

A text that cannot be parsed has no facts. The last one that could be stands for it, so that nothing else changes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from msgspec import structs

from errlint import pipeline
from errlint.discover import SUFFIXES
from errlint.errors import InputError
from errlint.findings import Finding, Related, Span, order
from errlint.memory import Memory
from errlint.pipeline import Portion, Task, TestTexts
from errlint.project.connected import defining
from errlint.reader import parse
from errlint.request import Request, Stopwatch
from errlint.rules import CATALOG_RULES, FATAL_RULES, RULES, Need
from errlint.run import RunOutcome, check, nested, open_cache, read_states, select, source_reader
from errlint.server.nearness import Nearness
from errlint.settings import CommandLine, load
from errlint.source import MAX_SIZE, UndecodableError, decode, read_bytes
from errlint.workspace.root import inside

if TYPE_CHECKING:
    from errlint.fix.presentation.fix_preview import Edit, Offers
    from errlint.progress import Report

NEAR = 1_000_000
"""Bytes of source that are linked with a file while somebody types in it: about 50 ms."""

_ABOUT_ALL = CATALOG_RULES | {code for code, rule in RULES.items() if Need.COUNTS in rule.needs} | {"ERR310", "ERR905"}
"""Rules about the project as a whole: what they find in a file stays until the project is checked again."""


class Stopped(Exception):
    """The check is not wanted any more."""


class Checked(NamedTuple):
    """What was found in all files, by path.

    ``texts`` are the contents of those that stand in an editor, as far as they could be parsed. ``known`` are the
    findings that a baseline has, and ``note`` is what a person should know beside the findings.
    """

    findings: Mapping[str, tuple[Finding, ...]]
    texts: Mapping[str, bytes]
    known: tuple[Finding, ...] = ()
    note: str = ""

    def of(self, path: str) -> tuple[Finding, ...]:
        """Return what was found in a file."""
        return self.findings.get(path, ())


class _Survey(NamedTuple):
    """What is known of the files of a project: what a check of one of them needs, and which files are near which."""

    task: Task
    nearness: Nearness
    sizes: Mapping[str, int]


class _Near(NamedTuple):
    """What a check of one file found in the content that the whole project was checked with last."""

    portion: Portion
    around: frozenset[str]
    content: bytes
    found: tuple[Finding, ...]
    whole: tuple[Finding, ...]


class Session:
    """A project that stays in memory, around a folder."""

    def __init__(self, folder: Path, files: tuple[Path, ...] = (), *, cache_dir: Path | None = None) -> None:
        """Read the configuration of the project that a folder is in; ``files`` are those of it that are asked about.

        ``cache_dir`` is named by a person, not by the project. Raises :class:`errlint.errors.ErrlintError` for a
        configuration that cannot be understood, or no project.
        """
        # Other processes would be forked off one that has threads.
        loaded = load(folder, overrides=CommandLine(paths=files, jobs=1, cache_dir=cache_dir))
        self.root = loaded.settings.root
        self._request = Request(loaded.settings, memory=Memory())
        self._paths: set[Path] = {*files} or {folder}
        self._survey: _Survey | None = None
        self._near: dict[str, _Near] = {}
        self._good: dict[str, bytes] = {}
        self.checked = Checked({}, {})

    def has_settings_of(self, other: Session) -> bool:
        """Whether this is a session of the same project with the same settings."""
        return self._request.settings == other._request.settings

    def begin_with(self, folder: Path) -> None:
        """Report on one folder, and on nothing that was added."""
        self._paths = {folder}

    def add(self, path: Path) -> None:
        """Report on a folder or file of the project too."""
        self._paths.add(path)

    def add_if_outside(self, path: Path) -> bool:
        """Report on a file too where it is in none of the folders that are reported on; return whether it was not."""
        if any(path.is_relative_to(each) for each in self._paths):
            return False
        self._paths.add(path)
        return True

    def remove(self, path: Path) -> None:
        """Report no more on a folder or file that was added."""
        self._paths.discard(path)

    @property
    def is_idle(self) -> bool:
        """Whether there is nothing left to report on."""
        return not self._paths

    @property
    def is_known(self) -> bool:
        """Whether the project was checked before."""
        return self._survey is not None

    def has_checked(self, path: str, data: bytes) -> bool:
        """Whether a content is that of the file on disk, and the project was checked with it."""
        return self.is_known and path not in self.checked.texts and self._is_on_disk(path, data)

    def name(self, path: Path) -> str | None:
        """Return a path as the project names it, ``None`` for one outside."""
        try:
            return inside(self.root, path)
        except InputError:
            return None

    def _asked(self, texts: Mapping[str, bytes] | None = None) -> Request:
        paths = () if self.root in self._paths else tuple(sorted(self._paths))
        return self._request._replace(paths=paths, contents=texts or {})

    # --- the whole project --------------------------------------------------------------------------------------

    def check_all(self, texts: Mapping[str, bytes], progress: Report | None = None) -> Checked:
        """Check the project with what stands in an editor, and remember what comes of it.

        ``progress`` may raise :class:`Stopped`. Raises :class:`errlint.errors.ErrlintError` where nothing can be
        checked.
        """
        contents = self._parsed(texts)
        unsaved = self._unsaved(contents)
        request = self._asked(unsaved)
        outcome = _without_known(request, check(request, progress))
        findings: dict[str, list[Finding]] = {}
        for finding in outcome.findings:
            findings.setdefault(finding.path, []).append(finding)
        checked = Checked(
            {path: tuple(found) for path, found in findings.items()}, contents, outcome.known, outcome.note
        )
        survey = self._look_around(unsaved, progress)
        near = {path: found for path, data in contents.items() if (found := self._compare(survey, checked, path, data))}
        self.checked, self._survey, self._near = checked, survey, near
        return checked

    def _parsed(self, texts: Mapping[str, bytes]) -> dict[str, bytes]:
        """Return texts, but for one that cannot be parsed the last one that could; those that are too large are not."""
        parsed: dict[str, bytes] = {}
        for path, data in texts.items():
            if len(data) <= MAX_SIZE:
                if not path.endswith(SUFFIXES) or self._is_good(path, data):
                    self._good[path] = data
                parsed[path] = self._good.get(path, data)
        return parsed

    def _unsaved(self, texts: Mapping[str, bytes]) -> dict[str, bytes]:
        """Return the texts that are not on disk."""
        return {path: data for path, data in texts.items() if not self._is_on_disk(path, data)}

    def _is_on_disk(self, path: str, data: bytes) -> bool:
        try:
            return read_bytes(self.root / path) == data
        except OSError:
            return False

    def _is_good(self, path: str, data: bytes) -> bool:
        """Whether a content can be parsed."""
        if self._good.get(path) == data:
            return True
        try:
            parse(decode(data))
        except (SyntaxError, UndecodableError):
            return False
        return True

    def _look_around(self, unsaved: Mapping[str, bytes], progress: Report | None) -> _Survey:
        request = self._asked(unsaved)
        selection = select(request)
        request, _ = nested(request, selection)
        settings = structs.replace(request.settings, rules=request.settings.rules - _ABOUT_ALL)
        request = request._replace(settings=settings)
        selection = selection._replace(catalogs=(), shown_catalogs=())
        states = read_states(settings.root, selection.known)
        cache = open_cache(request, selection)
        if progress:
            progress("Looking around", 0, 0)
        division = pipeline.divide(request, selection, states, cache)
        nearness = Nearness(division, self._survey.nearness if self._survey is not None else None)
        task = Task(request, selection, division, states, cache, TestTexts())
        sizes = {path: max(states[path].size, 0) for path in selection.importable if path in states}
        return _Survey(task, nearness, {**sizes, **{path: len(data) for path, data in unsaved.items()}})

    def _compare(self, survey: _Survey, checked: Checked, path: str, content: bytes) -> _Near | None:
        """Check a file alone, to know later what that says otherwise than the check of the project."""
        task = survey.task
        portion = pipeline.portion_of(task.division, task.selection, path)
        if portion is None:
            return None
        old = self._near.get(path)
        whole = checked.of(path)
        around = self._around(survey, portion, path)
        if old is not None and (old.portion, old.around, old.content, old.whole) == (portion, around, content, whole):
            return old
        found = pipeline.check_linked_with(_with(task, path, content), portion, around, path)
        return _Near(portion, around, content, found, whole)

    def _around(self, survey: _Survey, portion: Portion, path: str) -> frozenset[str]:
        sizes = {each: survey.sizes[each] for each in portion.read if each in survey.sizes}
        if sum(sizes.values()) <= NEAR:
            return frozenset(portion.read)
        division = survey.task.division
        definitions = {each: division.contents[each].defined for each in portion.read}
        named = survey.task.request.settings.named
        meant = dict.fromkeys(each for name in named for each in defining(division.layout, definitions, name))
        return survey.nearness.around(path, meant, sizes, NEAR)

    # --- one file -----------------------------------------------------------------------------------------------

    def check_near(self, path: str, content: bytes) -> tuple[Finding, ...] | None:
        """Return what is found in a content of one file; ``None`` where the project has to be checked to tell."""
        near, survey = self._near.get(path), self._survey
        if near is None or survey is None:
            return None
        if len(content) > MAX_SIZE:
            return ()
        if content == near.content:
            return near.whole
        around = near.around.union(survey.nearness.imported_by(path, content).intersection(near.portion.read))
        found = pipeline.check_linked_with(_with(survey.task, path, content), near.portion, around, path)
        fatal = tuple(finding for finding in found if finding.code in FATAL_RULES)
        if fatal:
            kept = (finding for finding in near.whole if finding.code not in FATAL_RULES)
            return (*fatal, *moved(kept, _text(near.content), _text(content)))  # what is in the way comes first
        self._good[path] = content
        return _made_good(near, found, content)

    def forget(self, path: str) -> None:
        """Take note that a file does not stand in an editor any more."""
        self._good.pop(path, None)

    def text(self, path: str, texts: Mapping[str, bytes]) -> str:
        """Return the text of a file, as it stands in an editor or on disk; "" where it has none."""
        if path in texts:
            return _text(texts[path])
        return source_reader(self._request)(path) or ""

    # --- fixes --------------------------------------------------------------------------------------------------

    def find_fixes(self, findings: Iterable[Finding], texts: Mapping[str, bytes]) -> Offers:
        """Return what can be done about some findings of :attr:`checked`, which is about the same texts."""
        from errlint.fix.presentation.edits import find_offers

        wanted = tuple(findings)
        checked = self.checked
        all_found = (each for found in checked.findings.values() for each in found)
        others = (*(each for each in all_found if all(each is not one for one in wanted)), *checked.known)
        request = self._asked(self._unsaved(self._parsed(texts)))
        return find_offers(request, wanted, Stopwatch(), known=others if not request.paths else ())

    def fix_all(self, path: str, texts: Mapping[str, bytes]) -> tuple[Edit, ...]:
        """Return the edits of one file that make all its safe fixes which change no other."""
        from errlint.fix.presentation.edits import edits_between
        from errlint.fix.run import find_fixes

        request = self._asked(self._unsaved(self._parsed(texts)))._replace(paths=(self.root / path,))
        fixes = find_fixes(request, self.checked.of(path), unsafe=False, editable=frozenset({path}))
        return edits_between(*fixes.contents[path]) if path in fixes.contents else ()

    def can_suppress(self, finding: Finding) -> bool:
        """Whether a comment may stand beside a finding to suppress it."""
        from errlint.fix.ignore import reason_to_show

        return not reason_to_show(finding)

    def suppress(self, finding: Finding, reason: str, texts: Mapping[str, bytes]) -> tuple[Edit, ...]:
        """Return the edits that put a comment beside a finding; none where no line of it can take one."""
        from errlint.fix.ignore import add_ignores
        from errlint.fix.presentation.edits import edits_between

        fixes = add_ignores(self._asked(self._unsaved(self._parsed(texts))), (finding,), reason)
        return edits_between(*fixes.contents[finding.path]) if finding.path in fixes.contents else ()


def _without_known(request: Request, outcome: RunOutcome) -> RunOutcome:
    if request.settings.baseline is None:
        return outcome
    from errlint.commands.baseline import without_known

    return without_known(request, outcome)


def _with(task: Task, path: str, content: bytes) -> Task:
    """Return a task with a content in the place of a file."""
    texts = {**task.request.contents, path: content}
    return task.with_contents(texts)


def _made_good(near: _Near, found: tuple[Finding, ...], content: bytes) -> tuple[Finding, ...]:
    """Return what is ``found`` in a content, without what the check of one file alone is known to get wrong."""
    alone = {finding.fingerprint: finding for finding in near.found}
    right = {finding.fingerprint: finding for finding in near.whole}
    here = {finding.fingerprint for finding in found}
    missed = (finding for finding in near.whole if finding.fingerprint not in alone.keys() | here)
    kept = (finding for finding in found if finding.fingerprint not in alone.keys() - right.keys())
    told = (_retold(finding, alone.get(finding.fingerprint), right.get(finding.fingerprint)) for finding in kept)
    return tuple(sorted((*told, *moved(missed, _text(near.content), _text(content))), key=order))


def _retold(finding: Finding, alone: Finding | None, right: Finding | None) -> Finding:
    """Return a finding with what the check of the project says of it, where it says otherwise of the same."""
    if alone is None or right is None or alone.message != finding.message:
        return finding
    is_elsewhere = all(related.path != finding.path for related in right.related)
    return structs.replace(finding, message=right.message, related=right.related if is_elsewhere else finding.related)


def moved(findings: Iterable[Finding], before: str, after: str) -> Iterator[Finding]:
    """Yield findings where they are after an edit; those are left out that are about lines which it has changed."""
    old, new = before.split("\n"), after.split("\n")
    start = _common(old, new)
    end = min(_common(old[::-1], new[::-1]), len(old) - start, len(new) - start)
    shift = len(new) - len(old)

    def place(span: Span) -> Span | None:
        if span.end_line <= start:
            return span
        if span.line > len(old) - end:
            return structs.replace(span, line=span.line + shift, end_line=span.end_line + shift)
        return None

    for finding in findings:
        span = place(finding.span)
        if span is not None:
            yield structs.replace(finding, span=span, related=tuple(_related(finding, place)))


def _related(finding: Finding, place: Callable[[Span], Span | None]) -> Iterator[Related]:
    for related in finding.related:
        span = place(related.span) if related.path == finding.path else related.span
        if span is not None:
            yield structs.replace(related, span=span)


def _common(one: list[str], other: list[str]) -> int:
    """Return how many lines two texts have in common at their start."""
    pairs = enumerate(zip(one, other, strict=False))
    return next((index for index, (a, b) in pairs if a != b), min(len(one), len(other)))


def _text(data: bytes) -> str:
    try:
        return decode(data)
    except UndecodableError:
        return ""
