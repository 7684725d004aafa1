"""The guard: files with uncommitted changes are not fixed, so that what a fix did can be told from what people did."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path, PurePosixPath

from errlint.errors import FixError
from errlint.fix.writing import files

_HINT = "commit or stash them first, or add --allow-dirty"


def require_clean(root: Path, paths: Iterable[str]) -> None:
    """Raise :class:`FixError` where one of the files to change has changes that git knows and nobody committed.

    ``paths`` are relative to ``root``; new files count, ignored ones do not. Under pre-commit, which has put unstaged
    changes aside, outside of a repository and without git there is nothing to guard. Where git is there and cannot
    answer, that is an error too.
    """
    if os.environ.get("PRE_COMMIT") == "1":
        return
    root = Path(os.path.realpath(root))
    if not any((folder / ".git").exists() for folder in (root, *root.parents)):
        return
    prefix = _git(root, "rev-parse", "--show-prefix")
    answer = _git(root, "status", "--porcelain=v1", "-z", "--untracked-files=normal", "--", ".")
    if prefix is None or answer is None:
        return
    dirty = {PurePosixPath(name) for name in _names(answer)}
    top = PurePosixPath(prefix.removesuffix("\n"))
    found = [path for path in paths if not dirty.isdisjoint(_with_parents(top, root, path))]
    if found:
        raise FixError(f"uncommitted changes in {files.listed(found)}", hint=_HINT)


def _with_parents(top: PurePosixPath, root: Path, path: str) -> tuple[PurePosixPath, ...]:
    """Return a file and its folders as git names them: a new folder and a submodule stand for all that is in them."""
    whole = top / files.resolve(root, path).relative_to(root).as_posix()
    return (whole, *whole.parents)


def _names(status: str) -> list[str]:
    """Return the paths of ``git status -z``: ``XY PATH``, and for a rename the old path in a field of its own."""
    names = []
    fields = iter(status.split("\0")[:-1])
    for field in fields:
        names.append(field[3:])
        if set(field[:2]) & {"R", "C"}:
            next(fields)
    return names


def _git(root: Path, *arguments: str) -> str | None:
    """Return what git answers, None where there is no git."""
    import subprocess

    command = ["git", "--no-optional-locks", "-C", str(root), *arguments]
    try:
        done = subprocess.run(command, capture_output=True, stdin=subprocess.DEVNULL, check=False)
    except OSError:
        return None
    if done.returncode:
        reason = done.stderr.decode("utf-8", "replace").strip().partition("\n")[0]
        hint = "see `git status`, or add --allow-dirty"
        raise FixError(f"git cannot tell which files are committed: {reason}", hint=hint)
    return os.fsdecode(done.stdout)
