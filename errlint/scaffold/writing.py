"""Writing a runtime: all of its files or none, and none in the place of another."""

from __future__ import annotations

import errno
import os
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from errlint.errors import OutputError, Place
from errlint.fix.writing.transaction import Change
from errlint.workspace.writing import Folder, opened


class Plan(NamedTuple):
    """What is written: files that are not there yet, and the change of the configuration that is; by path."""

    root: Path
    new: Mapping[Path, bytes]
    configuration: Change | None

    @property
    def is_empty(self) -> bool:
        """Whether everything is as it would be written."""
        return not self.new and self.configuration is None

    def changes(self) -> Iterator[Change]:
        """Yield each file with its content before and after, in order of path; new ones have been empty."""
        for path, content in sorted(self.new.items()):
            yield Change(_relative(self.root, path), b"", content)
        if self.configuration is not None:
            yield self.configuration


def plan(root: Path, contents: Mapping[Path, str], configuration: tuple[Path, str, str]) -> Plan:
    """Return what is left to write: not what is there already, to the letter.

    ``configuration`` is a file with its text before and after; it may not be there yet.
    Raises :class:`OutputError` where another file has the name of one.
    """
    new: dict[Path, bytes] = {}
    for path, text in contents.items():
        content = text.encode()
        if not os.path.lexists(path):
            new[path] = content
        elif not path.is_file() or path.read_bytes() != content:
            hint = "move it away, or give the package another name; nothing was written"
            raise OutputError("is there already, and is not what would be written", hint=hint, place=Place(path))
    path, before, after = configuration
    if before == after:
        return Plan(root, new, None)
    if not path.exists():
        return Plan(root, {**new, path: after.encode()}, None)
    return Plan(root, new, Change(_relative(root, path), before.encode(), after.encode()))


def write(plan: Plan) -> None:
    """Write all of a plan; where that fails, or is interrupted, nothing of it stays.

    Raises :class:`OutputError`.
    """
    made: list[Path] = []
    current = plan.root
    try:
        for current, content in plan.new.items():
            made += _missing_folders(plan.root, current)
            names = current.relative_to(plan.root).parts
            with opened(plan.root, names[:-1], make=True) as folder:
                _require_free(folder, names[-1])
                made.append(current)
                folder.create(names[-1], content)
        if plan.configuration is not None:
            current = plan.root / plan.configuration.path
            names = current.relative_to(plan.root).parts
            with opened(plan.root, names[:-1]) as folder:
                folder.replace(names[-1], plan.configuration.after)
    except BaseException as error:
        _take_back(made)
        if isinstance(error, OSError):
            message = f"cannot be written: {error.strerror}"
            raise OutputError(message, hint="nothing was written", place=Place(current)) from error
        raise


def _missing_folders(root: Path, path: Path) -> list[Path]:
    """Return the folders between the root and a file that are not there, the outermost first."""
    return [folder for folder in reversed(path.parents) if root in folder.parents and not folder.exists()]


def _require_free(folder: Folder, name: str) -> None:
    """Raise :class:`FileExistsError` where something has got the name in the meantime."""
    if folder.stat(name) is not None:
        raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST))


def _take_back(made: list[Path]) -> None:
    """Remove files and folders that were made, as far as nobody has put something else into them."""
    for path in reversed(made):
        with suppress(OSError):
            path.rmdir() if path.is_dir() else path.unlink()


def _relative(root: Path, path: Path) -> str:
    return path.relative_to(root).as_posix()
