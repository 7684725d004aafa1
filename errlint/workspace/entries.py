"""What is listed in a project: which of it is in there, and what it looks like."""

from __future__ import annotations

import glob
import os
import stat
from pathlib import Path

import msgspec

from errlint.workspace.links import leads_out


class FileState(msgspec.Struct, frozen=True, array_like=True):
    """What a file looked like: modification time in ns and size in bytes; both -1 for a file that cannot be read."""

    modified: int
    size: int


class Entries:
    """What is listed below a folder."""

    def __init__(self, root: Path) -> None:
        self._root = f"{root}{os.sep}"
        self._folders = {"": True}

    def state(self, path: str, folder: str) -> FileState | None:
        """Return what a file of ``folder`` looks like, None for one that a link leads out to.

        Both are relative to the root. Folders are asked too: git lists tracked files below one that has been replaced.
        """
        if not (self._folders[folder] if folder in self._folders else self._holds(folder)):
            return None
        try:
            found = os.lstat(self._root + path)
            if stat.S_ISLNK(found.st_mode):
                if leads_out(self._root, self._root + path):
                    return None
                found = os.stat(self._root + path)  # noqa: PTH116 -- of every file in every run
        except (OSError, ValueError):
            return FileState(-1, -1)
        return FileState(found.st_mtime_ns, found.st_size)

    def _holds(self, folder: str) -> bool:
        above = folder.rpartition("/")[0]
        is_inside = self._folders[above] if above in self._folders else self._holds(above)
        if is_inside and os.path.islink(self._root + folder):  # noqa: PTH114
            is_inside = not leads_out(self._root, self._root + folder)
        self._folders[folder] = is_inside
        return is_inside


def is_anything(root: Path, path: str) -> bool:
    """Whether there is something at a path without suffix (relative to ``root``), listed or not, with any suffix."""
    whole = root / path
    return whole.exists() or any(whole.parent.glob(f"{glob.escape(whole.name)}.*"))
