"""The run: from a request to its outcome, stage by stage. :func:`check` reads as the table of contents."""

from __future__ import annotations

import gc
import hashlib
import os
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

import msgspec

from errlint import __version__
from errlint.cache import RACY_NS, Cache, Run, State, digest
from errlint.catalog.files import catalogs
from errlint.discover import PAGES, Discovered, discover, start
from errlint.findings import Finding
from errlint.patterns import Patterns
from errlint.rules import CATALOG_RULES
from errlint.settings import Settings
from errlint.source import read_bytes


class Request(NamedTuple):
    """What to check, and how.

    ``paths`` are the files and folders whose findings are shown (none: all); facts always come from the whole root.
    ``stdin`` is a path (relative to the root, or absolute) and the content to take in place of the file's, ``contents``
    are more of them (paths relative to the root), as of files that a fix would write.
    ``use_gate`` and ``use_ast`` switch off tiers that save time and never change findings.
    """

    settings: Settings
    paths: tuple[Path, ...] = ()
    stdin: tuple[str, bytes] | None = None
    use_cache: bool = True
    use_gate: bool = True
    use_ast: bool = True
    contents: Mapping[str, bytes] = MappingProxyType({})


class Outcome(NamedTuple):
    """What a run found: findings by place, the files they were looked for in, seconds per stage.

    ``internal_errors`` counts files or rules that failed; the exit status is then 2. ``note`` is a sentence on what a
    person should know beside the findings, or "".
    """

    findings: tuple[Finding, ...]
    files: tuple[str, ...]
    timings: Mapping[str, float]
    internal_errors: int
    note: str = ""


class Selection(NamedTuple):
    """The files of a run, relative to the root.

    ``known``: all that the outcome depends on; ``read``: those that facts come from; ``reported``: those that rules are
    asked about; ``shown``: those whose findings are shown. ``markers`` are the folders of distributions,
    ``configurations`` the files in subfolders that may have settings. ``tests`` are read as callers where a rule asks
    for them, and ``shown_tests`` those whose findings are shown. ``catalogs`` are the documents that list errors,
    ``shown_catalogs`` again those whose findings are shown.
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


def check(request: Request, progress: Callable[[int, int], None] | None = None) -> Outcome:
    """Carry out a request.

    ``progress`` is called with the number of files read and the number to read. Raises
    :class:`errlint.errors.ErrlintError` where a named cache folder cannot be made; anything wrong with a checked file
    is a finding.
    """
    watch = Stopwatch()
    listing = start(request.settings.root)
    name = _name(request)
    with watch.stage("cache"):
        cache = open_cache(request)
        stored = cache.load_run(name) if cache else None
    with watch.stage("discover"):
        selection = _select(request, discover(listing, Patterns(request.settings.exclude)))
        states = read_states(request.settings.root, selection.known)
        selection = _without_deleted(selection, states, request)
        key = _key(request, selection, states)
        stale = stored
        if stored is not None and not _is_current(stored, key, request.settings.root):
            stored = None
    if stored is None:
        from errlint.pipeline import run_pipeline

        started = time.time_ns()
        request, conventions = nested(request, selection)
        enabled = gc.isenabled()
        gc.disable()  # facts are trees without cycles
        try:
            checked = run_pipeline(request, selection, states, cache, watch, progress, _name(request), stale)
        finally:
            if enabled:
                gc.enable()
        young = _young(request, selection, states, started) | conventions
        stored = Run(
            key, checked.selection, checked.facts, young, checked.internal_errors, checked.note, checked.findings
        )
        if cache and request.stdin is None and not request.contents:
            with watch.stage("cache"):
                cache.store(name, stored)
    shown = frozenset((*selection.shown, *selection.shown_tests, *selection.shown_catalogs))
    reported = frozenset((*selection.reported, *selection.tests, *selection.catalogs))
    # In no other file: they are about the settings.
    about_all = not request.paths and request.stdin is None
    findings = tuple(
        finding for finding in stored.findings if finding.path in shown or (about_all and finding.path not in reported)
    )
    return Outcome(findings, selection.shown, watch.seconds, stored.internal_errors, stored.note)


def list_files(request: Request) -> tuple[str, ...]:
    """Return the files whose findings would be shown, relative to the root."""
    selection = select(request)
    states = read_states(request.settings.root, selection.known)
    return _without_deleted(selection, states, request).shown


def _without_deleted(selection: Selection, states: dict[str, State], request: Request) -> Selection:
    """Leave out, also of ``states``, the files that git still lists although they are not there any more."""
    root = request.settings.root
    gone = {path for path, state in states.items() if state.size < 0 and not os.path.lexists(root / path)}
    if request.stdin is not None:
        gone.discard(_relative(Path(request.stdin[0]), root))
    if not gone:
        return selection
    for path in gone:
        del states[path]
    left = {
        name: tuple(path for path in getattr(selection, name) if path not in gone)
        for name in Selection._fields
        if name != "markers"
    }
    return selection._replace(**left)


def select(request: Request) -> Selection:
    """Find the files of a run.

    A named file is checked even where it is excluded, not included or has another suffix, unless exclusion is forced;
    what is excluded together with it is then read as well, to resolve what it calls.
    """
    settings = request.settings
    return _select(request, discover(start(settings.root), Patterns(settings.exclude)))


@contextmanager
def remembering(request: Request) -> Iterator[Request]:
    """Give a request whose facts are kept for the time of the block, also where it is not to use the cache."""
    if request.use_cache:
        yield request
        return
    from tempfile import TemporaryDirectory

    with TemporaryDirectory(prefix="errlint-") as folder:
        settings = msgspec.structs.replace(request.settings, cache_dir=Path(folder))
        yield request._replace(settings=settings, use_cache=True)


def whole(request: Request) -> Request:
    """Return the request without the names of files: for all of the project.

    Names stay where they are of files that the project excludes: these are looked at in no other way.
    """
    everything = request._replace(paths=(), stdin=None)
    if not request.paths:
        return everything
    named, found = select(request), select(everything)
    return everything if {*named.shown} <= {*found.reported} else request._replace(stdin=None)


def nested(request: Request, selection: Selection) -> tuple[Request, dict[str, bytes]]:
    """Return the request with what the configurations in subfolders say, and hashes of the conventions they build on.

    Raises :class:`errlint.errors.ConfigurationError` for one that cannot be understood.
    """
    settings = request.settings
    if not selection.catalogs:  # rules without a subject must not make the gate read more
        settings = msgspec.structs.replace(settings, rules=settings.rules - CATALOG_RULES)
        request = request._replace(settings=settings)
    if settings.nesting is None or not selection.configurations:
        return request, {}
    from errlint.settings.nested import read_nested, with_nested

    found = read_nested(settings.root, selection.configurations)
    conventions = [each.configuration.convention for each in found if each.configuration.convention is not None]
    hashes = {str(file.path): digest(read_bytes(file.path)) for each in conventions for file in each.files}
    return request._replace(settings=with_nested(settings, found)), hashes


def _select(request: Request, discovered: Discovered) -> Selection:
    settings = request.settings
    excluded, tests, included = Patterns(settings.exclude), Patterns(settings.tests), Patterns(settings.include)
    found, markers = discovered.files, discovered.markers
    configurations = discovered.configurations if settings.nesting is not None else ()
    documents = catalogs(discovered.pages, settings)
    known = {*found, *configurations, *(discovered.pages if documents else ())}
    known |= {policy.catalog.template for policy in settings.policies()} - {""} if documents else set()
    read = {path for path in found if not tests.matches(path)}
    callers = set(found) - read
    shown_tests = {path for path in callers if included.matches(path)} if included else set(callers)
    reported = {path for path in read if included.matches(path)} if included else set(read)
    named = [_relative(path, settings.root) for path in request.paths]
    if request.stdin is not None:
        named.append(_relative(Path(request.stdin[0]), settings.root))
    shown = set() if named else set(reported)
    if named:
        shown_tests = {test for path in named for test in _below(path, callers)}
    for path in named:
        if path.endswith(PAGES):
            continue
        here = _below(path, reported)
        if not here and not settings.force_exclude:
            read.update(_excluded_with(path, settings.root, excluded, tests))
            here = _below(path, read)
            if not here and not tests.matches(path) and not (settings.root / path).is_dir():
                here = {path}
            reported |= here
        shown |= here
    read |= reported
    known |= read
    ordered = [tuple(sorted(part)) for part in (known, read, reported, shown, callers - read, shown_tests - read)]
    pages = {page for path in named for page in _below(path, set(documents))} if named else set(documents)
    return Selection(
        ordered[0], markers, ordered[1], ordered[2], ordered[3], configurations, ordered[4], ordered[5], documents,
        tuple(sorted(pages)),
    )  # fmt: skip


def _below(path: str, files: set[str]) -> set[str]:
    """Return a file, or the files below a folder."""
    if path == ".":
        return set(files)
    return {file for file in files if file == path or file.startswith(path + "/")}


def _excluded_with(path: str, root: Path, excluded: Patterns, tests: Patterns) -> set[str]:
    """Return the files below the topmost excluded folder around a named path; none where nothing excludes it."""
    top = ""
    folder = path if (root / path).is_dir() else path.rpartition("/")[0]
    while folder and not folder.startswith(".."):
        if excluded.matches(folder + "/"):
            top = folder
        folder = folder.rpartition("/")[0]
    if not top:
        return set()
    inner = discover(start(root / top), Patterns(()))
    return {f"{top}/{file}" for file in inner.files if not tests.matches(f"{top}/{file}")}


def _relative(path: Path, root: Path) -> str:
    absolute = os.path.normpath(root / path if not path.is_absolute() else path)
    return Path(os.path.relpath(absolute, root)).as_posix()


def read_states(root: Path, paths: tuple[str, ...]) -> dict[str, State]:
    """Return what each file (relative to the root) looks like now."""
    states: dict[str, State] = {}
    prefix, stat = f"{root}{os.sep}", os.stat
    for path in paths:
        try:
            found = stat(prefix + path)
        except OSError:
            states[path] = State(-1, -1)
            continue
        states[path] = State(found.st_mtime_ns, found.st_size)
    return states


def open_cache(request: Request) -> Cache | None:
    """Return the cache of a run; raises :class:`errlint.errors.ErrlintError` for a named folder that cannot be made."""
    if not request.use_cache:
        return None
    if request.settings.cache_dir is None:
        return Cache(request.settings.root / ".errlint_cache")
    cache = Cache(request.settings.cache_dir)
    cache.require()
    return cache


def _name(request: Request) -> str:
    """Name the run in the cache: one for each set of settings, so that a hook and a person do not evict each other."""
    settings = request.settings
    plain = msgspec.structs.replace(settings, cache_dir=None, jobs=0, root=Path(), force_exclude=False)
    tiers = (request.use_gate, request.use_ast)
    # The encoding of sets is not ordered by itself.
    text = repr((__version__, str(settings.root), tiers, sorted(settings.rules), _ordered(plain)))
    return hashlib.blake2b(text.encode(), digest_size=8).hexdigest()


def _ordered(settings: Settings) -> object:
    return [(name, _plain(value)) for name, value in msgspec.structs.asdict(settings).items() if name != "rules"]


def _plain(value: object) -> object:
    if isinstance(value, frozenset):
        return sorted(value)
    if isinstance(value, tuple):
        return [_plain(item) for item in value]
    if isinstance(value, msgspec.Struct):
        return [_plain(item) for item in msgspec.structs.astuple(value)]
    return value


def _key(request: Request, selection: Selection, states: Mapping[str, State]) -> bytes:
    """Hash everything the findings depend on: the states of all files, and what is reported of them."""
    hashed = hashlib.blake2b(digest_size=16)
    reported, read = frozenset(selection.reported), frozenset(selection.read)
    parts = [
        f"{path}\0{state.modified}\0{state.size}\0{path in read}{path in reported}" for path, state in states.items()
    ]
    hashed.update("\n".join([*selection.markers, *parts]).encode("utf-8", "surrogateescape"))
    replaced = {**request.contents, **({request.stdin[0]: request.stdin[1]} if request.stdin else {})}
    for path, content in replaced.items():
        hashed.update(path.encode("utf-8", "surrogateescape") + b"\0" + content + b"\0")
    return hashed.digest()


def _is_current(stored: Run, key: bytes, root: Path) -> bool:
    if stored.key != key:
        return False
    try:
        return all(digest(read_bytes(root / path)) == content for path, content in stored.young.items())
    except OSError:
        return False


def _young(request: Request, selection: Selection, states: Mapping[str, State], started: int) -> dict[str, bytes]:
    """Return the content of files whose time stamp may not change when they do."""
    young: dict[str, bytes] = {}
    for path in selection.known:
        if states[path].modified > started - RACY_NS:
            try:
                young[path] = digest(read_bytes(request.settings.root / path))
            except OSError:
                young[path] = b""
    return young
