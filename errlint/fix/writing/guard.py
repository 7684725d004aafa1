"""The guard: files with uncommitted changes are not fixed, so that what a fix did can be told from what people did."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path, PurePosixPath

from errlint.errors import FixError
from errlint.fix.writing import files
from errlint.workspace import git

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
    answers: dict[git.Repository, frozenset[str]] = {}
    found = []
    for path in paths:
        target = files.resolve(root, path)
        repository = git.repository(target.parent)
        if repository is None:
            continue
        if repository not in answers:
            answers[repository] = _uncommitted(repository, root)
        if not answers[repository].isdisjoint(_with_parents(target, repository)):
            found.append(path)
    if found:
        raise FixError(f"uncommitted changes in {files.listed(found)}", hint=_HINT)


def _with_parents(target: Path, repository: git.Repository) -> tuple[str, ...]:
    """Return a file and its folders as git names them: a new folder stands for all that is in it."""
    whole = PurePosixPath(target.relative_to(repository.top).as_posix())
    return tuple(map(str, (whole, *whole.parents)))


def _uncommitted(repository: git.Repository, root: Path) -> frozenset[str]:
    """Ask the repository of a file, which is a submodule's where the file is in one."""
    is_around = Path(repository.top) in (root, *root.parents)
    try:
        found = git.uncommitted(repository, str(root) if is_around else repository.top)
    except git.GitError as error:
        reason, hint = str(error), "see `git status`, or add --allow-dirty"
        raise FixError(f"git cannot tell which files are committed: {reason}", hint=hint) from error
    return found or frozenset()
