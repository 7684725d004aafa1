"""Single files: where a path leads to, what is there, and its replacement in one step.

A file is replaced in two halves, so that a full disk shows before the first file is touched: :func:`stage` writes the
new content beside it, :func:`commit` puts it in its place.
"""

from __future__ import annotations

import errno
import hashlib
import os
import stat
from collections.abc import Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, suppress
from pathlib import Path

from errlint.errors import FixError, Place
from errlint.workspace.git import is_inside_git_folder
from errlint.workspace.writing import Folder, is_inside, opened

FEW = 10
"""So many files are named; of more, the rest is counted."""

PERMISSIONS = 0o777
"""What a journal may say of a mode: nothing about set-id and sticky bits."""

_FULL = {errno.ENOSPC, errno.EDQUOT}
_DENIED = {errno.EACCES, errno.EPERM, errno.EROFS}


def listed(names: Sequence[str]) -> str:
    """Return the first of ``names`` for a message, and how many more there are."""
    more = len(names) - FEW
    return ", ".join(names[:FEW]) + (f" and {more} more" if more > 0 else "")


@contextmanager
def about(path: str, then: str) -> Iterator[None]:
    """Make a :class:`FixError` that names ``path`` of any OSError; ``then`` says what to do once the cause is gone."""
    try:
        yield
    except OSError as error:
        first = "look at the disk"
        if error.errno in _FULL:
            first = "free some space"
        elif error.errno in _DENIED:
            first = "look at the permissions of the file and its folder"
        elif error.errno == errno.ELOOP:
            first = "remove the link"
        reason = error.strerror or type(error).__name__
        raise FixError(f"cannot be written: {reason}", hint=f"{first}, {then}", place=Place(Path(path))) from error


def resolve(root: Path, path: str) -> Path:
    """Return the file that ``path`` (relative to the resolved ``root``) leads to, through links.

    Raises :class:`FixError` where that is outside of the root, or among git's own files.
    """
    target = Path(os.path.realpath(root / path))
    if not is_inside(target, root):
        raise FixError(
            "leads out of the project", hint="exclude it, or fix the project it is in", place=Place(Path(path))
        )
    if is_inside_git_folder(target.relative_to(root).parts):
        raise FixError("is one of git's own files", hint="exclude it", place=Place(Path(path)))
    return target


def read(root: Path, target: Path) -> bytes | None:
    """Return the content of a file below ``root``; None for no file, or something else. Raises OSError."""
    try:
        with _around(root, target) as folder:
            found = folder.read(target.name)
    except (FileNotFoundError, NotADirectoryError):
        return None
    return found[0] if found else None


def digest(content: bytes | None) -> bytes:
    """Return the hash by which the journal tells contents apart; that of no file equals no other."""
    # Not the hash of the cache: a journal is read by later versions.
    return b"" if content is None else hashlib.blake2b(content, digest_size=16).digest()


def writable_mode(target: Path) -> int:
    """Return the permission bits of a file. Raises OSError for one that is read-only, to the superuser too."""
    mode = stat.S_IMODE(target.lstat().st_mode)
    if not mode & 0o222 or not os.access(target, os.W_OK):
        raise PermissionError(errno.EACCES, "the file is read-only")
    return mode & PERMISSIONS


def stage(root: Path, target: Path, content: bytes, mode: int) -> None:
    """Write and flush what is to replace ``target``, with permissions and, where that is allowed, its owner.

    Raises OSError.
    """
    with _around(root, target) as folder:
        found = folder.stat(target.name)
        if found is None:
            raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT))
        folder.remove(_beside(target))
        folder.create(_beside(target), content, mode, found)


def commit(root: Path, target: Path) -> None:
    """Put in its place what was staged for ``target``, in one step. Raises OSError."""
    with _around(root, target) as folder:
        folder.rename(_beside(target), target.name)


def discard(root: Path, target: Path) -> None:
    """Remove what is still staged for ``target``. Raises OSError."""
    with suppress(FileNotFoundError, NotADirectoryError), _around(root, target) as folder:
        folder.remove(_beside(target))


def sync_folders(root: Path, targets: Iterable[Path]) -> None:
    """Flush the names in the folder of each target to the disk, where the system can. Raises OSError."""
    for target in {target.parent: target for target in sorted(targets)}.values():
        with _around(root, target) as folder:
            folder.sync()


def _around(root: Path, target: Path) -> AbstractContextManager[Folder]:
    """Open the folder of a resolved target; a name on the way that has become a link is an error."""
    return opened(root, target.relative_to(root).parts[:-1])


def _beside(target: Path) -> str:
    """Return the name to stage under: known to a later run, never too long, and no Python file."""
    return f".errlint-{digest(os.fsencode(target.name)).hex()[:16]}.tmp"
