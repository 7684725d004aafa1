"""Discover: which files belong to a project. Folders are pruned before files are matched, by git where there is git."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from errlint.patterns import Patterns

SUFFIXES = (".py", ".pyi")
MARKERS = ("pyproject.toml", "setup.py", "setup.cfg")
"""Files that make a folder a distribution."""

ALWAYS_PRUNED = frozenset({".git", ".hg", ".svn", "__pycache__", "node_modules", ".errlint_cache"})


def discover(root: Path, exclude: Patterns) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the Python files below ``root`` and the folders of its distributions.

    Both are relative to ``root``, with forward slashes, sorted. Ignored (``.gitignore``) and excluded files are left
    out. Raises nothing: folders that cannot be read are passed over, as git does.
    """
    listed = _from_git(root)
    if listed is None:
        listed = list(_walk(root, exclude))
    files: list[str] = []
    markers: set[str] = set()
    for path in listed:
        folder, _, name = path.rpartition("/")
        if name in MARKERS:
            markers.add(folder)
        if name.endswith(SUFFIXES) and not exclude.matches(path):
            files.append(path)
    return tuple(sorted(set(files))), tuple(sorted(markers))


def _from_git(root: Path) -> list[str] | None:
    """List tracked and untracked files that are not ignored; ``None`` where there is no git or no repository."""
    if not any((folder / ".git").exists() for folder in (root, *root.parents)):
        return None
    import subprocess

    patterns = [f"*{suffix}" for suffix in SUFFIXES] + [f":(glob)**/{name}" for name in MARKERS]
    command = ["git", "ls-files", "-coz", "--exclude-standard", "--", *patterns]
    try:
        done = subprocess.run(command, cwd=root, capture_output=True, check=False)
    except OSError:
        return None
    if done.returncode != 0:
        return None
    return os.fsdecode(done.stdout).split("\0")[:-1]


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
            elif entry.name.endswith(SUFFIXES) or entry.name in MARKERS:
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
