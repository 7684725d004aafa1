"""The root of a project: what lies below it, and folders that are the root of everything and of no project."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Set
from pathlib import Path

from errlint.errors import InputError, Place, UsageError

_IGNORES_CASE = sys.platform in ("darwin", "win32")
"""Whether the file system finds a file by a name whose letters are of another case."""

_MARKERS = ("errlint.toml", "pyproject.toml", "setup.cfg")


def inside(root: Path, path: Path) -> str:
    """Return a path as the project names it: relative to its root, with forward slashes; ``.`` is the root itself.

    A path that leads to the root through a link is inside as well. Raises :class:`InputError` for one outside: a run
    has one root, and what a file of another project calls is not looked up there.
    """
    absolute = os.path.normpath(root / path)
    found = _below(str(root), absolute)
    if found is None:
        found = _below(os.path.realpath(root), os.path.realpath(absolute))
    if found is None:
        hint = f"the project is {root}; run errlint in the folder of the other one"
        raise InputError("is not in the project", hint=hint, place=Place(path))
    found = found.replace(os.sep, "/")
    return _as_listed(root, found) if _IGNORES_CASE else found


def _below(root: str, path: str) -> str | None:
    if os.path.normcase(path) == os.path.normcase(root):
        return "."
    prefix = root if root.endswith(os.sep) else root + os.sep
    return path[len(prefix) :] if os.path.normcase(path).startswith(os.path.normcase(prefix)) else None


def _as_listed(root: Path, path: str) -> str:
    """Return a path with each name as its folder lists it: so it is the same file however somebody has written it."""
    folder, names = str(root), path.split("/")
    for index, name in enumerate(names):
        try:
            listed = os.listdir(folder)  # noqa: PTH208 - names alone
        except OSError:
            break
        if name not in listed:
            names[index] = next((each for each in sorted(listed) if each.casefold() == name.casefold()), name)
        folder = os.path.join(folder, names[index])  # noqa: PTH118
    return "/".join(names)


def is_of_everything(root: Path) -> bool:
    """Whether a folder that nothing marks as a project's is the user's home or the root of the file system."""
    return root == Path(root.anchor) or str(root) == os.path.expanduser("~")  # noqa: PTH111 - raises where there is none


def is_unmarked(root: Path) -> bool:
    """Whether a root is one of everything, with nothing right in it that makes it a project."""
    return is_of_everything(root) and not any((root / name).exists() for name in (".git", *_MARKERS))


def projects_below(root: Path, paths: Iterable[str]) -> tuple[str, ...]:
    """Return the folders below a root, which is none of a project, that hold the projects of some paths in it.

    A project is told by git, else by the outermost configuration or file of a distribution; else it is the folder in
    which the packages around the path are. What is not in the list is not looked at: it may be all of a disk.

    ``paths`` are relative to the root. "" stands for the root, where only the files right in it are meant.
    """
    found = {_project_of(root, path) for path in paths}
    return tuple(sorted(folder for folder in found if not any(folder.startswith(f"{other}/") for other in found)))


def _project_of(root: Path, path: str) -> str:
    folder = path if (root / path).is_dir() else path.rpartition("/")[0]
    around = [folder]
    while around[-1]:
        around.append(around[-1].rpartition("/")[0])
    for each in around[:-1]:
        if (root / each / ".git").exists():
            return each
    for each in reversed(around[:-1]):
        if any((root / each / name).exists() for name in _MARKERS):
            return each
    return next((each for each in around if not (root / each / "__init__.py").exists()), "")


def require_project(root: Path) -> None:
    """Raise :class:`UsageError` where all of an unmarked ``root`` would be read, and that is the whole disk."""
    if is_of_everything(root):
        raise UsageError(
            f"the working directory {root} is no project", hint="name files or folders; `.` is everything in it"
        )


def distribution(path: str, markers: Set[str]) -> str:
    """Return the folder of the distribution a file belongs to: the nearest of those that are marked, else the root."""
    folder = path.rpartition("/")[0]
    while folder and folder not in markers:
        folder = folder.rpartition("/")[0]
    return folder
