"""Discover: which files belong to a project. Folders are pruned before files are matched, by git where there is git."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import msgspec

from errlint.patterns import Patterns

SUFFIXES = (".py", ".pyi")
PAGES = (".md", ".markdown", ".mdx")
"""Suffixes of documents that may be error catalogs."""

MARKERS = ("pyproject.toml", "setup.py", "setup.cfg")
"""Files that make a folder a distribution."""

CONFIGURATIONS = ("errlint.toml", "pyproject.toml")
"""Files that may have settings."""

_NAMES = tuple(dict.fromkeys((*MARKERS, *CONFIGURATIONS)))

ALWAYS_PRUNED = frozenset({".git", ".hg", ".svn", "__pycache__", "node_modules", ".errlint_cache"})


class Listing(msgspec.Struct, frozen=True):
    """A listing by git that has been started, by the descriptor of its output and its process; -1 for none."""

    root: Path
    output: int = -1
    process: int = -1


class Discovered(msgspec.Struct, frozen=True):
    """The Python files below a root, the folders of its distributions, and the files in folders that may have settings.

    ``pages`` are its documents. All are relative, with forward slashes, sorted.
    """

    files: tuple[str, ...]
    markers: tuple[str, ...]
    configurations: tuple[str, ...] = ()
    pages: tuple[str, ...] = ()


def start(root: Path) -> Listing:
    """Start to list the files below ``root``; other work can be done until :func:`discover` waits for the answer."""
    if not any((folder / ".git").exists() for folder in (root, *root.parents)):
        return Listing(root)
    patterns = [f"*{suffix}" for suffix in (*SUFFIXES, *PAGES)] + [f":(glob)**/{name}" for name in _NAMES]
    command = ["git", "-C", str(root), "ls-files", "-coz", "--exclude-standard", "--", *patterns]
    if not hasattr(os, "posix_spawnp"):
        return _start_elsewhere(root, command)
    # The module subprocess takes as long to import as git to answer.
    output, end = os.pipe()
    null = os.open(os.devnull, os.O_WRONLY)
    actions = [(os.POSIX_SPAWN_DUP2, end, 1), (os.POSIX_SPAWN_DUP2, null, 2)]
    try:
        process = os.posix_spawnp("git", command, os.environ, file_actions=actions)
    except OSError:
        os.close(output)
        return Listing(root)
    finally:
        os.close(end)
        os.close(null)
    return Listing(root, output, process)


def _start_elsewhere(root: Path, command: list[str]) -> Listing:
    import subprocess
    import tempfile

    with tempfile.TemporaryFile() as file:
        try:
            done = subprocess.run(command, stdout=file, stderr=subprocess.DEVNULL, check=False)
        except OSError:
            return Listing(root)
        if done.returncode != 0:
            return Listing(root)
        file.seek(0)
        return Listing(root, os.dup(file.fileno()))


def discover(listing: Listing, exclude: Patterns) -> Discovered:
    """Return the Python files of a listing, the folders of its distributions and the files that may have settings.

    Ignored (``.gitignore``) and excluded files are left out. Raises nothing: folders that cannot be read are passed
    over, as git does.
    """
    listed = _from_git(listing)
    if listed is None:
        listed = list(_walk(listing.root, exclude))
    files: list[str] = []
    markers: set[str] = set()
    configurations: set[str] = set()
    pages: set[str] = set()
    for path in listed:
        folder, _, name = path.rpartition("/")
        if name in MARKERS:
            markers.add(folder)
        if folder and name in CONFIGURATIONS and not exclude.matches(path):
            configurations.add(path)
        if name.endswith(SUFFIXES) and not exclude.matches(path):
            files.append(path)
        elif name.endswith(PAGES) and not exclude.matches(path):
            pages.add(path)
    parts = (set(files), markers, configurations, pages)
    return Discovered(*(tuple(sorted(part)) for part in parts))


def _from_git(listing: Listing) -> list[str] | None:
    """List tracked and untracked files that are not ignored; ``None`` where there is no git or no repository."""
    if listing.output < 0:
        return None
    with open(listing.output, "rb") as file:  # noqa: PTH123 -- a descriptor
        found = file.read()
    if listing.process >= 0 and os.waitpid(listing.process, 0)[1] != 0:
        return None
    return os.fsdecode(found).split("\0")[:-1]


def _walk(root: Path, exclude: Patterns) -> Iterator[str]:
    """List files outside of git; ``.gitignore`` files still count, as they do for other linters."""
    pending = [("", _ignore_file(root, ""))]
    while pending:
        folder, ignored = pending.pop()
        try:
            entries = sorted(os.scandir(root / folder), key=lambda entry: entry.name)
        except OSError:
            continue
        own = _ignore_file(root, folder) if folder else []
        rules = [*ignored, *own]
        for entry in entries:
            path = f"{folder}/{entry.name}" if folder else entry.name
            try:
                is_folder = entry.is_dir(follow_symlinks=False)
            except OSError:
                continue
            if any(rule.ignores(path, is_folder) for rule in rules):
                continue
            if is_folder:
                if entry.name not in ALWAYS_PRUNED and not exclude.matches(path + "/"):
                    pending.append((path, rules))
            elif entry.name.endswith((*SUFFIXES, *PAGES)) or entry.name in _NAMES:
                yield path


class _Ignored:
    """The patterns of one ``.gitignore``, for paths below its folder."""

    def __init__(self, folder: str, lines: list[str]) -> None:
        from pathspec import GitIgnoreSpec

        self._prefix = f"{folder}/" if folder else ""
        self._spec = GitIgnoreSpec.from_lines(lines)

    def ignores(self, path: str, is_folder: bool) -> bool:
        """Whether a path (relative to the root) is ignored."""
        return self._spec.match_file(path.removeprefix(self._prefix) + ("/" if is_folder else ""))


def _ignore_file(root: Path, folder: str) -> list[_Ignored]:
    try:
        lines = (root / folder / ".gitignore").read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return []
    return [_Ignored(folder, lines)]
