"""Discover: which files belong to a project. Folders are pruned before files are matched, by git where there is git."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

import msgspec

from errlint.patterns import Patterns
from errlint.workspace import git
from errlint.workspace.entries import Entries, FileState

SUFFIXES = (".py", ".pyi")
PAGES = (".md", ".markdown", ".mdx")
"""Suffixes of documents that may be error catalogs."""

_SCRIPT = "setup.py"
MARKERS = ("pyproject.toml", _SCRIPT, "setup.cfg")
"""Files that make a folder a distribution; a ``setup.py`` where it calls ``setup``."""

CONFIGURATIONS = ("errlint.toml", "pyproject.toml")
"""Files that may have settings."""

CACHED = ("run-", "facts-", "contents-")
"""What the names of files in the cache begin with."""

_NAMES = tuple(dict.fromkeys((*MARKERS, *CONFIGURATIONS)))


_ASKED = (*(f"*{suffix}" for suffix in (*SUFFIXES, *PAGES)), *(f":(glob)**/{name}" for name in _NAMES))


def is_read(path: str) -> bool:
    """Whether a file with this path (with forward slashes) may be one that a run reads."""
    return path.endswith((*SUFFIXES, *PAGES)) or path.rpartition("/")[2] in _NAMES


class Listing(NamedTuple):
    """A folder whose files are to be listed, the repository it belongs to, and what git has been asked.

    ``cache`` is the folder of the cache, relative to the root, "" where that is elsewhere.
    """

    root: Path
    repository: git.Repository | None = None
    by_git: git.Listing | None = None
    cache: str = ""


class Discovered(msgspec.Struct, frozen=True):
    """The Python files below a root, the folders of its distributions, and the files in folders that may have settings.

    ``pages`` are its documents. All are relative, with forward slashes, sorted. ``has_tracked_cache`` where git tracks
    files of the cache: these came with the project. ``states`` is what all but the folders look like.
    """

    files: tuple[str, ...]
    markers: tuple[str, ...]
    configurations: tuple[str, ...] = ()
    pages: tuple[str, ...] = ()
    has_tracked_cache: bool = False
    states: Mapping[str, FileState] = MappingProxyType({})


def start(root: Path, below: str = "", cache: str = "") -> Listing:
    """Start to list the files of ``root``, or of a folder below it; other work can be done until :func:`discover`.

    ``cache`` is the folder of the cache, relative to ``root``, of which to tell whether git tracks what is in it.
    The repository that is asked is always that of ``root``: one that only a folder in it belongs to is walked.
    """
    found = git.repository(root)
    folder = root / below if below else root
    if below and (other := git.repository(folder)) != found:
        return Listing(folder, other)
    asked = (*_ASKED, f":(literal,icase){cache}") if cache else _ASKED
    listing = git.start_listing(folder, found, asked) if found else None
    return Listing(folder, found, listing, cache)


def discover(listing: Listing, exclude: Patterns) -> Discovered:
    """Return the Python files of a listing, the folders of its distributions and the files that may have settings.

    Ignored (``.gitignore``) and excluded files are left out, and what a link leads out of the folder to. Raises
    nothing: folders that cannot be read are passed over, as git does.
    """
    listed = _from_git(listing)
    if listed is None:
        listed = list(_walk(listing, exclude))
    files: list[str] = []
    markers: set[str] = set()
    scripts: dict[str, str] = {}
    configurations: set[str] = set()
    pages: set[str] = set()
    cached: list[str] = []
    states: dict[str, FileState] = {}
    state_of = Entries(listing.root).state
    for path in listed:
        folder, _, name = path.rpartition("/")
        if name == _SCRIPT:
            scripts[folder] = path
        elif name in MARKERS:
            markers.add(folder)
        is_code, is_page = name.endswith(SUFFIXES), name.endswith(PAGES)
        is_configuration = folder and name in CONFIGURATIONS
        if not (is_code or is_page or is_configuration):
            if name.startswith(CACHED):
                cached.append(path)
            continue
        if exclude.matches(path):
            continue
        state = state_of(path, folder)
        if state is None:
            continue
        states[path] = state
        if is_configuration:
            configurations.add(path)
        if is_code:
            files.append(path)
        elif is_page:
            pages.add(path)
    asked = {folder: scripts[folder] for folder in scripts.keys() - markers if state_of(scripts[folder], folder)}
    markers.update(folder for folder, path in asked.items() if _is_marker(listing.root / path))
    # Of the cache also those are listed that git does not track and nothing ignores.
    has_tracked_cache = bool(cached) and bool(git.tracked(listing.root, cached))
    found = [tuple(sorted(part)) for part in (set(files), markers, configurations, pages)]
    return Discovered(found[0], found[1], found[2], found[3], has_tracked_cache, states)


def _is_marker(script: Path) -> bool:
    """Whether a ``setup.py`` makes its folder a distribution; one that cannot be read does not."""
    from errlint.source import read_bytes
    from errlint.workspace.setup_script import builds_distribution

    try:
        return builds_distribution(read_bytes(script))
    except OSError:
        return False


def _from_git(listing: Listing) -> list[str] | None:
    """List tracked and untracked files that are not ignored; ``None`` where there is no git or no repository."""
    if listing.by_git is None:
        return None
    found = git.finish(listing.by_git)
    if found is None or not _may_be_in_git_folder("\0".join(found)):
        return found
    return [path for path in found if not (_may_be_in_git_folder(path) and git.is_inside_git_folder(path.split("/")))]


def _may_be_in_git_folder(paths: str) -> bool:
    plain = paths.lower().replace(".github/", "")  # the one that many have
    return ".git" in plain or "git~1" in plain or not plain.isascii()


def _walk(listing: Listing, exclude: Patterns) -> Iterator[str]:
    """List the files that git would list, but for ignored ones in its index: these cannot be told without it."""
    from errlint.workspace.ignored import Rules, is_ignored, read_rules, rules_of_clone

    top, prefix = str(listing.root), ""
    outer: list[Rules] = []
    if listing.repository is not None:
        top = listing.repository.top
        outer = rules_of_clone(listing.repository)
        inside = os.path.relpath(os.path.realpath(listing.root), top)
        for name in Path(inside).parts:
            outer = [*outer, read_rules(os.path.join(top, prefix, ".gitignore"), prefix)]  # noqa: PTH118
            prefix = f"{prefix}/{name}" if prefix else name
            if is_ignored(prefix, True, outer):
                return
    pending = [(prefix, outer)]
    while pending:
        folder, rules = pending.pop()
        try:
            entries = sorted(os.scandir(os.path.join(top, folder)), key=lambda entry: entry.name)  # noqa: PTH118
        except OSError:
            continue
        rules = [*rules, read_rules(os.path.join(top, folder, ".gitignore"), folder)]  # noqa: PTH118
        for entry in entries:
            path = f"{folder}/{entry.name}" if folder else entry.name
            shown = path[len(prefix) :].lstrip("/")
            try:
                is_folder = entry.is_dir(follow_symlinks=False)
                is_file = entry.is_file(follow_symlinks=False) or entry.is_symlink()
            except OSError:
                continue
            if git.is_git_folder(entry.name) or is_ignored(path, is_folder, rules):
                continue
            if is_folder:
                is_other = listing.repository is not None and git.has_repository(entry.path)
                if not is_other and not exclude.matches(f"{shown}/"):
                    pending.append((path, rules))
            elif is_file and (entry.name.endswith((*SUFFIXES, *PAGES)) or entry.name in _NAMES):
                yield shown
