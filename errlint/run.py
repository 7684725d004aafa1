"""The run: from a request to its outcome, stage by stage. :func:`check` reads as the table of contents."""

from __future__ import annotations

import gc
import hashlib
import os
import re
import sys
import time
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec
from msgspec import structs

from errlint import __version__
from errlint.cache import RACY_NS, Cache, CachedRun, Part, RememberingCache, digest
from errlint.catalog.files import catalogs
from errlint.discover import PAGES, SUFFIXES, Discovered, Listing, discover, start
from errlint.errors import InputError, Place
from errlint.findings import Finding, order
from errlint.patterns import Patterns
from errlint.request import FileSelection, Request, Stopwatch
from errlint.rules import CATALOG_RULES, DOCSTRING_RULES
from errlint.settings import DEFAULT_TESTS, NAMES_OF_TESTS, Settings
from errlint.source import UndecodableError, decode, read_bytes, read_text
from errlint.workspace.entries import FileState
from errlint.workspace.git import is_inside_git_folder
from errlint.workspace.links import leads_out
from errlint.workspace.root import distribution, inside, is_unmarked, projects_below
from errlint.workspace.tests import misnamed
from errlint.workspace.writing import is_inside

if TYPE_CHECKING:
    from errlint.pipeline import Division, Task
    from errlint.progress import Report
    from errlint.project import Project

_CACHE = ".errlint_cache"
_GLOB = re.compile(r"[][*?!#\\ ]")
"""What has a meaning of its own in a glob."""

_PYTHON = sys.version_info[:2]
"""Rules ask which builtins and modules there are, and each version has its own."""
_NAME_IT = "name the folder with --cache-dir or ERRLINT_CACHE_DIR"


class RunOutcome(NamedTuple):
    """What a run found: findings by place, and the files they were looked for in.

    ``internal_errors`` counts files or rules that failed; the exit status is then 2. ``note`` is what a person should
    know beside the findings, a sentence a line, or "". ``known`` are the findings that a baseline has. ``listed`` are
    all files and documents of the project; ``None`` where paths are named. ``lacks_adapters`` is true where nothing in
    all of the project is called by clients, nor looks like it.
    """

    findings: tuple[Finding, ...]
    files: tuple[str, ...]
    internal_errors: int
    note: str = ""
    known: tuple[Finding, ...] = ()
    listed: tuple[str, ...] | None = None
    lacks_adapters: bool = False


def check(request: Request, progress: Report | None = None, watch: Stopwatch | None = None) -> RunOutcome:
    """Carry out a request.

    ``progress`` is told what is being done, where that may take long. Raises
    :class:`errlint.errors.ErrlintError` where a named cache folder cannot be made; anything wrong with a checked file
    is a finding.
    """
    watch = watch or Stopwatch()
    listings = _listings(request)
    name = _name(request)
    with watch.stage("cache"):
        cache, trouble = _opened_cache(request)
        stored = cache.load_run(name) if cache else None
    if progress and not all(listing is not None and listing.by_git for _, listing in listings):
        progress("Finding files", 0, 0)
    with watch.stage("discover"):
        discovered = _discovered(request, listings)
        selection = _select(request, discovered)
        if selection.has_tracked_cache and cache:
            cache, stored = _remembered(request, None), None
            trouble = f"No cache is used: git tracks what is in {_cache_folder(request.settings)}."
        states = read_states(request.settings.root, selection.known, discovered.states)
        selection = _without_deleted(selection, states, request)
        key = _key(request, selection, states)
        earlier = stored.parts if stored is not None else ()
        if stored is not None and not _is_current(stored, key, request.settings.root):
            stored = None
    is_named = bool(request.paths) or request.stdin is not None
    if stored is None and cache is not None:
        with watch.stage("cache"):
            # Beside the run over everything: a hook and a person must not evict each other.
            stored = cache.load_run(f"{name}{_PART}")
            earlier += stored.parts if stored is not None else ()
            if stored is not None and not (
                is_named and _is_current(stored, _part_key(key, selection), request.settings.root)
            ):
                stored = None
    if stored is None:
        from errlint.pipeline import divide, has_run, run_pipeline

        started = time.time_ns()
        whole_request = request
        request, conventions = nested(request, selection)
        with _without_collector(is_first=not has_run()):
            with watch.stage("reach"):
                if is_named:
                    selection, division = reached(request, selection, states, cache)
                    request, conventions = nested(whole_request, selection)
                else:
                    division = divide(request, selection, states, cache)
            if not selection.is_whole:
                name, key = f"{name}{_PART}", _part_key(key, selection)
            parts = run_pipeline(request, selection, division, states, cache, watch, progress, _name(request), earlier)
        young = _young(request.settings.root, selection, division, states, started) | conventions
        stored = CachedRun(key, young, parts)
        if cache and request.stdin is None and (not request.contents or request.memory is not None):
            with watch.stage("cache"):
                cache.store(name, stored, is_lasting=not request.contents)
    findings = shown_findings(request, selection, stored.parts)
    asked = {distribution(path, frozenset(selection.markers)) for path in (*selection.shown, *selection.shown_tests)}
    about = (part for part in stored.parts if not is_named or not asked.isdisjoint(part.distributions))
    said = "\n".join(filter(None, (_note(about), trouble)))
    internal_errors = sum(part.internal_errors for part in stored.parts)
    listed = None if is_named else (*discovered.files, *discovered.pages)
    lacks_adapters = not is_named and not any(part.is_served or part.unclaimed for part in stored.parts)
    return RunOutcome(
        findings,
        selection.shown,
        internal_errors,
        said,
        listed=listed,
        lacks_adapters=lacks_adapters and bool(selection.shown),
    )


def shown_findings(request: Request, selection: FileSelection, parts: Iterable[Part]) -> tuple[Finding, ...]:
    """Return those of what was found that a request asks for, by place."""
    shown = frozenset((*selection.shown, *selection.shown_tests, *selection.shown_catalogs))
    reported = frozenset((*selection.reported, *selection.tests, *selection.catalogs))
    # In no other file: they are about the settings.
    about_all = not request.paths and request.stdin is None
    found = (
        finding
        for part in parts
        for finding in part.findings
        if finding.path in shown or (about_all and finding.path not in reported)
    )
    return tuple(sorted(found, key=order))


def _note(parts: Iterable[Part]) -> str:
    """Say so where nothing was reported only because nothing looked like an entry point."""
    unclaimed = 0
    for part in parts:
        if part.is_served:
            return ""
        unclaimed += part.unclaimed
    if not unclaimed:
        return ""
    returns = "return looks" if unclaimed == 1 else "returns look"
    return (
        f"No adapter was recognised, so error returns are not reported, although {unclaimed} {returns} like one; "
        "name what makes one in `adapters` (docs/configuration.md)."
    )


_PART = "-part"
"""What is added to the name of a run that is about a part of the project."""


def linked(request: Request) -> Project:
    """Return a project with all that its catalog needs; the selected rules say nothing about which facts those are."""
    from errlint.pipeline import build

    settings = structs.replace(request.settings, rules=CATALOG_RULES)
    request = request._replace(settings=settings)
    selection = select(request)
    request, _ = nested(request, selection)
    # Again: without documents they were left out.
    request = request._replace(settings=structs.replace(request.settings, rules=CATALOG_RULES))
    states = read_states(settings.root, selection.known)
    built = build(request, selection, states, open_cache(request, selection), Stopwatch())
    built.store()
    return built.project


def prepare(request: Request) -> Task:
    """Return what :func:`check` works on for a request: its files, divided into groups, and all settings."""
    from errlint.pipeline import Task, TestTexts, divide

    selection = select(request)
    cache = open_cache(request, selection)
    states = read_states(request.settings.root, selection.known)
    selection = _without_deleted(selection, states, request)
    inner, _ = nested(request, selection)
    if request.paths:
        selection, division = reached(inner, selection, states, cache)
        inner, _ = nested(request, selection)
    else:
        division = divide(inner, selection, states, cache)
    return Task(inner, selection, division, states, cache, TestTexts())


def _part_key(key: bytes, selection: FileSelection) -> bytes:
    """Hash what the findings of some named paths depend on."""
    shown = (selection.shown, selection.shown_tests, selection.shown_catalogs)
    return digest(key + repr(shown).encode("utf-8", "surrogateescape"))


def reached(
    request: Request, selection: FileSelection, states: Mapping[str, FileState], cache: Cache | None = None
) -> tuple[FileSelection, Division]:
    """Return the selection with what can decide about the findings of the paths that are named, and no more.

    These are the groups of distributions that have to do with them. Where documents are compared with the code, that is
    all of it, but for files that the project excludes: it is not compared with them. ``request`` has the settings of
    subfolders in it.
    """
    from errlint.pipeline import divide

    own = frozenset(selection.excluded)
    alone = selection._replace(catalogs=(), shown_catalogs=())
    is_compared = selection.shown_catalogs or not own.issuperset((*selection.shown, *selection.shown_tests))
    if selection.catalogs and is_compared:
        return selection, divide(request, selection, states, cache)
    division = divide(request, alone, states, cache)
    where = division.layout.distribution
    start = {*map(where, selection.shown), *map(where, selection.shown_tests)}
    groups = tuple(group for group in division.groups if not start.isdisjoint(group.distributions))
    found = frozenset[str]().union(*(group.distributions for group in groups))
    around = found.union(*(group.context for group in groups))
    read = tuple(path for path in selection.read if where(path) in around)
    if selection.catalogs and not own.issuperset(read):
        return selection, divide(request, selection, states, cache)
    return alone._replace(
        read=read,
        reported=tuple(path for path in selection.reported if where(path) in found),
        tests=tuple(path for path in selection.tests if where(path) in found),
    ), division


@contextmanager
def _without_collector(*, is_first: bool) -> Iterator[None]:
    """Let nobody look for cycles while facts and trees are made, which have none.

    Nor, after the first run of a process, in what that leaves: mostly it is the only one. The next one replaces it.
    """
    if not gc.isenabled():
        yield
        return
    if not is_first:
        gc.unfreeze()
    gc.disable()
    try:
        yield
    finally:
        if is_first:
            gc.freeze()
        gc.enable()


def source_reader(request: Request) -> Callable[[str], str | None]:
    """Return what gives the text of a file by its path from the root, as the run has seen it, ``None`` for no text."""
    root = request.settings.root

    def read(path: str) -> str | None:
        if request.stdin and root / path == Path(request.stdin[0]):
            try:
                return decode(request.stdin[1])
            except UndecodableError:
                return None
        return read_text(root / path)

    return read


def require_line(request: Request, path: Path, line: int) -> None:
    """Raise :class:`InputError` where a file has no such line (from 1); an empty one has a first line."""
    last = len((source_reader(request)(inside(request.settings.root, path)) or "").splitlines())
    if line > max(last, 1):
        raise InputError(f"there is no line {line}", hint=f"the last one is {last}", place=Place(path))


def list_files(request: Request) -> tuple[str, ...]:
    """Return the files whose findings would be shown, relative to the root."""
    selection = select(request)
    states = read_states(request.settings.root, selection.known)
    return _without_deleted(selection, states, request).shown


def _without_deleted(selection: FileSelection, states: dict[str, FileState], request: Request) -> FileSelection:
    """Leave out, also of ``states``, the files that git still lists although they are not there any more."""
    root = request.settings.root
    gone = {path for path, state in states.items() if state.size < 0 and not os.path.lexists(root / path)}
    if request.stdin is not None:
        gone.discard(inside(root, Path(request.stdin[0])))
    gone.difference_update(request.contents)
    if not gone:
        return selection
    for path in gone:
        del states[path]
    left: dict[str, Any] = {
        name: tuple(path for path in getattr(selection, name) if path not in gone)
        for name in FileSelection._fields
        if name not in ("markers", "has_tracked_cache")
    }
    return selection._replace(**left)


def select(request: Request) -> FileSelection:
    """Find the files of a run.

    A named file is checked even where it is excluded, not included or has another suffix, unless exclusion is forced;
    what is excluded together with it is then read as well, to resolve what it calls.
    """
    return _select(request, _discovered(request, _listings(request)))


def _listings(request: Request) -> tuple[tuple[str, Listing | None], ...]:
    """Start to list the files below the root: each listing with its folder, which is the root but for one case.

    A home folder or a whole disk that nothing marks as a project has projects in it: only those of the named paths are
    looked at. ``None`` is for the files right in the root, and none in its folders.
    """
    root = request.settings.root
    if not _is_bounded(request):
        return (("", _start(request.settings)),)
    folders = projects_below(root, _named(request))
    return tuple((folder, start(root, folder) if folder else None) for folder in folders)


def _discovered(request: Request, listings: tuple[tuple[str, Listing | None], ...]) -> Discovered:
    root, exclude = request.settings.root, Patterns(request.settings.exclude)
    parts: tuple[list[str], ...] = ([], [], [], [])
    for folder, listing in listings:
        if listing is None:
            beside = (path.name for path in root.iterdir() if path.name.endswith(SUFFIXES) and path.is_file())
            parts[0].extend(name for name in beside if not exclude.matches(name) and not leads_out(root, root / name))
            continue
        found = discover(listing, exclude)
        if not folder:
            return found
        for part, paths in zip(parts, (found.files, found.markers, found.configurations, found.pages), strict=True):
            whole = (f"{folder}/{path}".rstrip("/") for path in paths)
            part.extend(path for path in whole if not exclude.matches(path))
    files, markers, configurations, pages = (tuple(sorted(part)) for part in parts)
    return Discovered(files, markers, configurations, pages)


def _is_bounded(request: Request) -> bool:
    """Whether not all below the root is looked at, but the projects of the named paths."""
    named = _named(request)
    return bool(named) and "." not in named and is_unmarked(request.settings.root)


def _named(request: Request) -> list[str]:
    """Return what is named, the standard input as well, relative to the root."""
    paths = [*request.paths, *([Path(request.stdin[0])] if request.stdin is not None else [])]
    return [inside(request.settings.root, path) for path in paths]


@contextmanager
def remembering(request: Request) -> Iterator[Request]:
    """Give a request whose facts are kept for the time of the block, also where it is not to use the cache."""
    if request.use_cache or request.memory is not None:
        yield request
        return
    from tempfile import TemporaryDirectory

    with TemporaryDirectory(prefix="errlint-") as folder:
        settings = msgspec.structs.replace(request.settings, cache_dir=Path(folder), cache_is_named=True)
        yield request._replace(settings=settings, use_cache=True)


def whole(request: Request) -> Request:
    """Return the request without the names of files: for all of the project.

    Names stay where they are of files that the project excludes, or in a folder that holds all projects of a user:
    these are looked at in no other way.
    """
    if _is_bounded(request):
        root = request.settings.root
        return request._replace(paths=tuple(root / name for name in _named(request)), stdin=None)
    everything = request._replace(paths=(), stdin=None)
    if not request.paths:
        return everything
    named, found = select(request), select(everything)
    return everything if {*named.shown} <= {*found.reported} else request._replace(stdin=None)


def nested(request: Request, selection: FileSelection) -> tuple[Request, dict[str, bytes]]:
    """Return the request with what the configurations in subfolders say, and hashes of the conventions they build on.

    Raises :class:`errlint.errors.ConfigurationError` for one that cannot be understood.
    """
    settings = request.settings
    if selection.no_tests and settings.tests == DEFAULT_TESTS:
        settings = structs.replace(settings, tests=_without(settings.tests, selection.no_tests))
        request = request._replace(settings=settings)
    if not selection.catalogs:  # rules without a subject must not ask for more
        has_own = any(policy.exceptions.root for policy in settings.policies())
        settings = msgspec.structs.replace(
            settings, rules=settings.rules - (CATALOG_RULES - DOCSTRING_RULES if has_own else CATALOG_RULES)
        )
        request = request._replace(settings=settings)
    if settings.nesting is None or not selection.configurations:
        return request, {}
    from errlint.settings.nested import read_nested, with_nested

    found = read_nested(settings.root, selection.configurations)
    conventions = [each.configuration.convention for each in found if each.configuration.convention is not None]
    hashes = {str(file.path): digest(read_bytes(file.path)) for each in conventions for file in each.files}
    return request._replace(settings=with_nested(settings, found)), hashes


def _select(request: Request, discovered: Discovered) -> FileSelection:
    settings = request.settings
    excluded, included = Patterns(settings.exclude), Patterns(settings.include)
    found = (*discovered.files, *_unsaved(request, discovered.files, excluded))
    by_name = filter(Patterns(NAMES_OF_TESTS).matches, found) if settings.tests == DEFAULT_TESTS else ()
    no_tests = tuple(misnamed(settings.root, by_name, request.contents))
    tests = Patterns(_without(settings.tests, no_tests))
    markers = set(discovered.markers)
    configurations = discovered.configurations if settings.nesting is not None else ()
    documents = catalogs(discovered.pages, settings)
    known = {*found, *configurations, *(discovered.pages if documents else ())}
    known |= {policy.catalog.template for policy in settings.policies()} - {""} if documents else set()
    read = {path for path in found if not tests.matches(path)}
    callers = set(found) - read
    shown_tests = {path for path in callers if included.matches(path)} if included else set(callers)
    reported = {path for path in read if included.matches(path)} if included else set(read)
    own = set(read)
    named = _named(request)
    shown = set() if named else set(reported)
    if named:
        shown_tests = {test for path in named for test in _below(path, callers)}
    for path in named:
        if path.endswith(PAGES):
            continue
        here = _below(path, reported)
        if not here and not settings.force_exclude:
            around, folders = _excluded_with(path, settings.root, excluded)
            read.update(file for file in around if not tests.matches(file))
            markers.update(folders)
            here = _below(path, read)
            if not here and not tests.matches(path) and not (settings.root / path).is_dir():
                here = {path}
            reported |= here
        shown |= here
    read |= reported
    known |= read
    ordered = [tuple(sorted(part)) for part in (known, read, reported, shown, callers - read, shown_tests - read)]
    pages = {page for path in named for page in _below(path, set(documents))} if named else set(documents)
    return FileSelection(
        ordered[0], tuple(sorted(markers)), ordered[1], ordered[2], ordered[3], configurations, ordered[4], ordered[5],
        documents, tuple(sorted(pages)), ordered[1], ordered[4], tuple(sorted(read - own)),
        discovered.has_tracked_cache, no_tests,
    )  # fmt: skip


def _without(tests: tuple[str, ...], paths: Iterable[str]) -> tuple[str, ...]:
    """Return globs of tests by which some files are none."""
    return (*tests, *(f"!/{_GLOB.sub(_escaped, path)}" for path in paths))


def _escaped(found: re.Match[str]) -> str:
    return f"\\{found[0]}"


def _unsaved(request: Request, files: Collection[str], excluded: Patterns) -> Iterator[str]:
    """Yield the files that are there in an editor only; those on disk that are not listed are ignored or excluded."""
    root = request.settings.root
    for path in request.contents.keys() - set(files):
        if path.endswith(SUFFIXES) and not os.path.lexists(root / path) and not excluded.matches(path):
            yield path


def _below(path: str, files: set[str]) -> set[str]:
    """Return a file, or the files below a folder."""
    if path == ".":
        return set(files)
    return {file for file in files if file == path or file.startswith(path + "/")}


def _excluded_with(path: str, root: Path, excluded: Patterns) -> tuple[list[str], list[str]]:
    """Return the files, and the folders of distributions, below the topmost excluded folder around a named path.

    None where nothing excludes it.
    """
    top = ""
    folder = path if (root / path).is_dir() else path.rpartition("/")[0]
    while folder and not folder.startswith(".."):
        if excluded.matches(folder + "/"):
            top = folder
        folder = folder.rpartition("/")[0]
    if not top:
        return [], []
    inner = discover(start(root, top), Patterns(()))
    return [f"{top}/{file}" for file in inner.files], [f"{top}/{folder}".rstrip("/") for folder in inner.markers]


def read_states(
    root: Path, paths: tuple[str, ...], found: Mapping[str, FileState] = MappingProxyType({})
) -> dict[str, FileState]:
    """Return what each file (relative to the root) looks like now; ``found`` is what is known of that already."""
    states: dict[str, FileState] = {}
    prefix, stat = f"{root}{os.sep}", os.stat
    for path in paths:
        if path in found:
            states[path] = found[path]
            continue
        try:
            status = stat(prefix + path)
        except (OSError, ValueError):
            states[path] = FileState(-1, -1)
            continue
        states[path] = FileState(status.st_mtime_ns, status.st_size)
    return states


def open_cache(request: Request, selection: FileSelection) -> Cache | None:
    """Return the cache of a run, None where there is to be none, or none that can be trusted.

    Raises :class:`errlint.errors.ErrlintError` for a folder that the user has named and that cannot be made.
    """
    return _remembered(request, None) if selection.has_tracked_cache else _opened_cache(request)[0]


def _remembered(request: Request, cache: Cache | None) -> Cache | None:
    """Return the cache, in front of which is the memory of the process if it has one."""
    return cache if request.memory is None else RememberingCache(request.memory, cache)


def _opened_cache(request: Request) -> tuple[Cache | None, str]:
    """Return the cache, and a sentence on why the project's own is not used, or ""."""
    cache, trouble = _opened_on_disk(request)
    return _remembered(request, cache), trouble


def _opened_on_disk(request: Request) -> tuple[Cache | None, str]:
    settings = request.settings
    if not request.use_cache:
        return None, ""
    folder = _cache_folder(settings)
    if settings.cache_is_named:
        return Cache.named(folder, settings.root), ""
    if not is_inside(folder, settings.root) or is_inside_git_folder(folder.relative_to(settings.root).parts):
        return None, f"No cache is used: `cache-dir` of the project leads out of it; {_NAME_IT}."
    cache = Cache(folder, settings.root)
    if cache.is_behind_a_link():
        return None, f"No cache is used: {folder} is a link, or behind one; remove it, or {_NAME_IT}."
    return cache, ""


def _cache_folder(settings: Settings) -> Path:
    return settings.cache_dir or settings.root / _CACHE


def _start(settings: Settings) -> Listing:
    """Start to list the files of a project."""
    folder, root = _cache_folder(settings), settings.root
    if settings.cache_is_named:
        folder, root = Path(os.path.realpath(folder)), Path(os.path.realpath(root))
    return start(settings.root, cache=folder.relative_to(root).as_posix() if is_inside(folder, root) else "")


def _name(request: Request) -> str:
    """Name the run in the cache: one for each set of settings, so that a hook and a person do not evict each other."""
    settings = request.settings
    plain = msgspec.structs.replace(
        settings, cache_dir=None, cache_is_named=False, baseline=None, jobs=0, root=Path(), force_exclude=False
    )
    # The encoding of sets is not ordered by itself.
    text = repr((__version__, _PYTHON, str(settings.root), request.use_ast, sorted(settings.rules), _ordered(plain)))
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


def _key(request: Request, selection: FileSelection, states: Mapping[str, FileState]) -> bytes:
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


def _is_current(stored: CachedRun, key: bytes, root: Path) -> bool:
    return (
        stored.key == key
        and all(_digest(root / path) == content for path, content in stored.young.items())
        and all(part.holds(root) for part in stored.parts)
    )


def _young(
    root: Path, selection: FileSelection, division: Division, states: Mapping[str, FileState], started: int
) -> dict[str, bytes]:
    """Return the content of files whose state may not change when they do: what is young, and what cannot be read."""
    unread = {path for path, content in division.contents.items() if not content.digest}
    young = (path for path in selection.known if path in unread or states[path].modified > started - RACY_NS)
    return {path: _digest(root / path) for path in young}


def _digest(path: Path) -> bytes:
    try:
        return digest(read_bytes(path))
    except OSError:
        return b""
