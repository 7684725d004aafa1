"""Writing: the one way by which errlint makes, replaces and removes files.

A folder of the project is opened name by name from its root, each by the handle of the one around it, and a name that
is a link is an error there: what errlint writes does not leave the project, also when names change while it runs. A
file is written beside and renamed. Where the system has no such handles (Windows), each name is looked at before it is
used.

All functions raise OSError; a link in the way has the number ELOOP.
"""

from __future__ import annotations

import errno
import os
import stat
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

from errlint.workspace.git import is_inside_git_folder

LARGEST = 512 * 1024 * 1024
"""So many bytes at most are read of a file that errlint itself has written."""

_HAS_HANDLES = {os.open, os.mkdir, os.unlink, os.rename, os.stat} <= os.supports_dir_fd
_NO_FOLLOW = getattr(os, "O_NOFOLLOW", 0)
_BINARY = getattr(os, "O_BINARY", 0)
_NO_WAIT = getattr(os, "O_NONBLOCK", 0)
_FOLDER = getattr(os, "O_DIRECTORY", 0)
_UNLISTED = getattr(os, "O_PATH", 0)
_NEW_FILE = os.O_WRONLY | os.O_CREAT | os.O_EXCL | _NO_FOLLOW | _BINARY
_NO_FOLDER_SYNC = {errno.EINVAL, errno.ENOTSUP, errno.EBADF}
"""What file systems say that cannot flush a folder, and systems of a handle that is not for reading."""

_MAX_LINKS = 40
_REPARSE_POINT = 0x400


class LeadsOutError(OSError):
    """A link of the project leads out of it, or among git's own files; ``link`` is its path."""

    def __init__(self, link: Path) -> None:
        super().__init__(errno.ELOOP, "a link leads out of the project")
        self.link = link


class Folder:
    """A folder that is held open. The names in it are single ones, and none of them is followed where it is a link."""

    __slots__ = ("_handle", "path")

    def __init__(self, path: Path, handle: int | None) -> None:
        self.path = path
        self._handle = handle

    def stat(self, name: str) -> os.stat_result | None:
        """Return what stands under a name, a link as such; None for nothing."""
        try:
            return os.stat(self._at(name), dir_fd=self._handle, follow_symlinks=False)
        except FileNotFoundError:
            return None

    def is_file(self, name: str) -> bool:
        """Whether a regular file stands under a name."""
        found = self.stat(name)
        return found is not None and stat.S_ISREG(found.st_mode)

    def open(self, name: str, flags: int, mode: int = 0o666) -> int:
        """Return a descriptor of a file; never waits for the other end of a pipe."""
        if self._handle is None:
            self._refuse_link(name)
        try:
            return os.open(self._at(name), flags | _NO_FOLLOW | _BINARY, mode, dir_fd=self._handle)
        except OSError:
            self._refuse_link(name)
            raise

    def read(self, name: str, limit: int | None = None) -> tuple[bytes, os.stat_result] | None:
        """Return content and state of a regular file; None where there is nothing, or something else than a file.

        A file of more than ``limit`` bytes is an error.
        """
        try:
            descriptor = self.open(name, os.O_RDONLY | _NO_WAIT)
        except FileNotFoundError:
            return None
        found = os.fstat(descriptor)
        if not stat.S_ISREG(found.st_mode):
            os.close(descriptor)
            return None
        with os.fdopen(descriptor, "rb") as file:
            if limit is not None and found.st_size > limit:
                raise OSError(errno.EFBIG, os.strerror(errno.EFBIG))
            return file.read() if limit is None else file.read(limit), found

    def create(
        self,
        name: str,
        content: bytes,
        mode: int | None = None,
        like: os.stat_result | None = None,
        *,
        flush: bool = True,
    ) -> os.stat_result:
        """Make a file that was not there, flush it to the disk, and return what it is.

        ``mode`` are its permission bits (what the system gives new files by default). ``like`` is a file whose owner it
        gets where that is allowed, and then its set-id bits too.
        """
        descriptor = os.open(self._at(name), _NEW_FILE, 0o666 if mode is None else 0o600, dir_fd=self._handle)
        try:
            rest = memoryview(content)
            while rest:
                rest = rest[os.write(descriptor, rest) :]
            if mode is not None:
                self._give(name, descriptor, mode & 0o777, like)
            if flush:
                os.fsync(descriptor)
            return os.fstat(descriptor)
        finally:
            os.close(descriptor)

    def rename(self, name: str, other: str) -> None:
        """Give a file another name, in place of what has it."""
        # Not a method of a path, here and below: tests let each step fail.
        os.replace(self._at(name), self._at(other), src_dir_fd=self._handle, dst_dir_fd=self._handle)

    def remove(self, name: str) -> None:
        """Remove a file that may be there, or a link, not what it leads to."""
        with suppress(FileNotFoundError):
            os.unlink(self._at(name), dir_fd=self._handle)

    def replace(self, name: str, content: bytes, *, flush: bool = True) -> None:
        """Give a file this content in one step, or make it. What was there keeps its permissions; a link goes."""
        found = self.stat(name)
        mode = found.st_mode & 0o777 if found and stat.S_ISREG(found.st_mode) else None
        beside = f".errlint-{os.getpid()}.tmp"
        try:
            self.remove(beside)
            self.create(beside, content, mode, flush=flush)
            self.rename(beside, name)
        except BaseException:
            with suppress(OSError):
                self.remove(beside)
            raise

    def make_folder(self, name: str, mode: int = 0o777) -> None:
        """Make a folder, where nothing has the name."""
        with suppress(FileExistsError):
            os.mkdir(self._at(name), mode, dir_fd=self._handle)

    def sync(self) -> None:
        """Flush the names in the folder to the disk, where the system can."""
        if self._handle is None:
            return
        try:
            os.fsync(self._handle)
        except OSError as error:
            if error.errno not in _NO_FOLDER_SYNC:
                raise

    def enter(self, name: str) -> Folder:
        """Open a folder in this one; the caller closes it."""
        inner = self.path / name
        if self._handle is None:
            self._refuse_link(name)
            if not inner.is_dir():
                raise NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR))
            return Folder(inner, None)
        try:
            return Folder(inner, _folder_handle(name, _NO_FOLLOW, self._handle))
        except OSError:
            self._refuse_link(name)
            raise

    def close(self) -> None:
        """Let the handle go."""
        if self._handle is not None:
            os.close(self._handle)

    def _at(self, name: str) -> str:
        return name if self._handle is not None else str(self.path / name)

    def _refuse_link(self, name: str) -> None:
        found = self.stat(name)
        attributes = getattr(found, "st_file_attributes", 0)
        if found and (stat.S_ISLNK(found.st_mode) or attributes & _REPARSE_POINT):
            raise OSError(errno.ELOOP, "it is a link") from None

    def _give(self, name: str, descriptor: int, mode: int, like: os.stat_result | None) -> None:
        """Set mode and owner. Set-id bits are those of another owner's file, else they are not given."""
        if sys.platform == "win32":
            os.chmod(self._at(name), mode)  # noqa: PTH101
            return
        if like is not None:
            made = os.fstat(descriptor)
            if (like.st_uid, like.st_gid) != (made.st_uid, made.st_gid):
                with suppress(PermissionError):
                    os.fchown(descriptor, like.st_uid, like.st_gid)
                made = os.fstat(descriptor)
            if (like.st_uid, like.st_gid) == (made.st_uid, made.st_gid):
                mode |= stat.S_IMODE(like.st_mode) & ~0o777
        os.fchmod(descriptor, mode)  # after the owner, whose change takes bits away


@contextmanager
def opened(root: Path, names: Sequence[str] = (), *, make: bool = False, mode: int = 0o777) -> Iterator[Folder]:
    """Hold open the folder that the ``names`` lead to from ``root``, whose own path is trusted as it stands.

    ``make`` makes the folders that are not there, with this ``mode``.
    """
    folder = Folder(root, _folder_handle(str(root)) if _HAS_HANDLES else None)
    try:
        for name in names:
            if make:
                folder.make_folder(name, mode)
            inner = folder.enter(name)
            folder.close()
            folder = inner
        yield folder
    finally:
        folder.close()


def resolved(path: Path, project: Path) -> Path:
    """Return where an absolute path leads, through links; the last names may stand for nothing yet.

    Links may lead anywhere, but for those that lie in the resolved ``project``: :class:`LeadsOutError`.
    """
    where = Path(path.anchor)
    names = list(reversed(path.parts[1:]))
    first: Path | None = None
    links = 0
    while names:
        name = names.pop()
        if name == os.pardir:
            where = where.parent
            continue
        here = where / name
        try:
            target = Path(os.readlink(here))  # noqa: PTH115 - as written, not as a path
        except OSError:
            where = here
            continue
        links += 1
        if links > _MAX_LINKS:
            raise OSError(errno.ELOOP, os.strerror(errno.ELOOP))
        if first is None and is_inside(here, project):
            first = here
        if target.anchor:
            where = Path(target.anchor)
        names.extend(reversed(target.parts[1:] if target.anchor else target.parts))
    if first is not None and (not is_inside(where, project) or is_inside_git_folder(where.relative_to(project).parts)):
        raise LeadsOutError(first)
    return where


def is_inside(path: Path, folder: Path) -> bool:
    """Whether a path is below a folder; both are resolved."""
    return folder in path.parents


def write(path: Path, content: bytes, project: Path, *, make: bool = False) -> None:
    """Replace or make a file that the user has named; devices and pipes are written to directly.

    Links may lead anywhere, but for those in the resolved ``project``: :class:`LeadsOutError`. ``make`` makes the
    folders that are missing.
    """
    target = resolved(path, project)
    is_ours = is_inside(target, project)
    if _is_special(path):
        if is_ours:
            with opened(project, target.relative_to(project).parts[:-1]) as folder:
                descriptor = folder.open(target.name, os.O_WRONLY)
        else:
            descriptor = os.open(path, os.O_WRONLY)
        with os.fdopen(descriptor, "wb") as file:
            file.write(content)
        return
    root = project if is_ours else target.parent
    if make and not is_ours:
        root.mkdir(parents=True, exist_ok=True)
    with opened(root, target.relative_to(root).parts[:-1], make=make) as folder:
        folder.replace(target.name, content)


def _is_special(path: Path) -> bool:
    """Whether something is there that is neither a file nor a folder; such a link need not lead to a path."""
    try:
        mode = path.stat().st_mode
    except OSError:
        return False
    return not stat.S_ISREG(mode) and not stat.S_ISDIR(mode)


def _folder_handle(name: str, flags: int = 0, above: int | None = None) -> int:
    try:
        return os.open(name, os.O_RDONLY | _FOLDER | flags, dir_fd=above)
    except PermissionError:  # files in it can be used without the right to list it
        if not _UNLISTED:
            raise
        return os.open(name, _UNLISTED | _FOLDER | flags, dir_fd=above)
