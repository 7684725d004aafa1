"""Single files: where a path leads to, what is there, and its replacement in one step.

A file is replaced in two halves, so that a full disk shows before the first file is touched: :func:`stage` writes the
new content beside it, :func:`commit` puts it in its place.
"""

from __future__ import annotations

import errno
import hashlib
import os
import stat
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

from errlint.errors import FixError, Place

FEW = 10
"""So many files are named; of more, the rest is counted."""

_NEW_FILE = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)
_FULL = {errno.ENOSPC, errno.EDQUOT}
_DENIED = {errno.EACCES, errno.EPERM, errno.EROFS}
_NO_FOLDER_SYNC = {errno.EINVAL, errno.ENOTSUP, errno.EBADF}
"""What file systems say that cannot flush a folder."""


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
        reason = error.strerror or type(error).__name__
        raise FixError(f"cannot be written: {reason}", hint=f"{first}, {then}", place=Place(Path(path))) from error


def resolve(root: Path, path: str) -> Path:
    """Return the file that ``path`` (relative to the resolved ``root``) leads to, through links.

    Raises :class:`FixError` where that is outside of the root, or among git's own files.
    """
    target = Path(os.path.realpath(root / path))
    if root not in target.parents:
        raise FixError(
            "leads out of the project", hint="exclude it, or fix the project it is in", place=Place(Path(path))
        )
    if ".git" in target.relative_to(root).parts:
        raise FixError("is one of git's own files", hint="exclude it", place=Place(Path(path)))
    return target


def read(target: Path) -> bytes | None:
    """Return the content of a file; None where there is none, or something else than a file. Raises OSError."""
    try:
        if not stat.S_ISREG(target.stat().st_mode):
            return None
        return target.read_bytes()
    except (FileNotFoundError, NotADirectoryError):
        return None


def digest(content: bytes | None) -> bytes:
    """Return the hash by which the journal tells contents apart; that of no file equals no other."""
    # Not the hash of the cache: a journal is read by later versions.
    return b"" if content is None else hashlib.blake2b(content, digest_size=16).digest()


def writable_mode(target: Path) -> int:
    """Return the permission bits of a file. Raises OSError for one that is read-only, to the superuser too."""
    mode = stat.S_IMODE(target.stat().st_mode)
    if not mode & 0o222 or not os.access(target, os.W_OK):
        raise PermissionError(errno.EACCES, "the file is read-only")
    return mode


def stage(target: Path, content: bytes, mode: int) -> None:
    """Write and flush what is to replace ``target``, with ``mode`` and, where that is allowed, its owner.

    Raises OSError.
    """
    found = target.stat()
    remove(_beside(target))
    write_new(_beside(target), content, mode, (found.st_uid, found.st_gid))


def commit(target: Path) -> None:
    """Put in its place what was staged for ``target``, in one step. Raises OSError."""
    os.replace(_beside(target), target)  # noqa: PTH105 - so that tests can let each step fail


def discard(targets: Iterable[Path]) -> None:
    """Remove what is still staged. Raises OSError."""
    for target in targets:
        remove(_beside(target))


def remove(path: Path) -> None:
    """Remove a file that may be there. Raises OSError."""
    with suppress(FileNotFoundError, NotADirectoryError):
        os.unlink(path)  # noqa: PTH108 - as in commit


def write_new(path: Path, content: bytes, mode: int = 0o600, owner: tuple[int, int] | None = None) -> None:
    """Make a file, with this ``owner`` where that is allowed, and flush it to the disk. Raises OSError."""
    descriptor = os.open(path, _NEW_FILE, 0o600)
    try:
        rest = memoryview(content)
        while rest:
            rest = rest[os.write(descriptor, rest) :]
        if sys.platform != "win32":
            made = os.fstat(descriptor)
            if owner and owner != (made.st_uid, made.st_gid):
                with suppress(PermissionError):
                    os.chown(path, *owner)
        os.chmod(path, mode)  # noqa: PTH101 - after the owner, whose change takes bits away
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def sync_folders(folders: Iterable[Path]) -> None:
    """Flush the names in each folder to the disk, where the system can. Raises OSError."""
    if sys.platform == "win32":
        return
    for folder in sorted(set(folders)):
        try:
            descriptor = os.open(folder, os.O_RDONLY)
        except PermissionError:  # files in it can be replaced without the right to list it
            continue
        try:
            os.fsync(descriptor)
        except OSError as error:
            if error.errno not in _NO_FOLDER_SYNC:
                raise
        finally:
            os.close(descriptor)


def _beside(target: Path) -> Path:
    """Return the name to stage under: known to a later run, never too long, and no Python file."""
    return target.with_name(f".errlint-{digest(os.fsencode(target.name)).hex()[:16]}.tmp")
