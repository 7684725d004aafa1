"""The journal: what a run of fixes is about to replace, on disk before the first file is touched.

It is a folder in the root of the project, and its state is the name of the file in it: ``unfinished`` from before the
first replace until after the last, then ``finished``; an undo makes it ``unfinished`` again, since both are brought to
their end in the same way. Changing the state is one rename. Only the last finished run is kept.
"""

from __future__ import annotations

import os
import stat
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path, PurePosixPath

import msgspec

from errlint.errors import FixError, Place
from errlint.fix.writing import files

FOLDER = ".errlint_undo"
UNFINISHED = "unfinished"
FINISHED = "finished"
_DRAFT = "draft"
_IGNORE = ".gitignore"

_VERSION = 1
_MAGIC = b"errlint-undo "
_HEADER = _MAGIC + b"%d\n" % _VERSION
_DIGEST = len(files.digest(b""))
_THEN = "then run errlint again; no file was changed"
_BY_HAND = f"look at your files, bring them back by hand where needed, then delete {FOLDER}"


class Entry(msgspec.Struct, frozen=True, array_like=True):
    """One file: its path below the root, without links, in the bytes of the file system; content and mode before.

    ``old`` and ``new`` are the digests of its content before and after.
    """

    path: bytes
    before: bytes
    old: bytes
    new: bytes
    mode: int

    @property
    def name(self) -> str:
        """The path, relative to the root, with forward slashes."""
        return os.fsdecode(self.path)


@contextmanager
def locked(root: Path, *, make: bool = False) -> Iterator[None]:
    """Hold the journal of a project, so that no other process writes or recovers at the same time.

    ``make`` makes its folder where there is none. Raises :class:`FixError`.
    """
    folder = root / FOLDER
    with files.about(FOLDER, _THEN):
        if make:
            with suppress(FileExistsError):
                os.mkdir(folder)  # noqa: PTH102 - so that tests can let each step fail, here and below
        if not stat.S_ISDIR(folder.lstat().st_mode):
            raise FixError("this is no folder", hint="remove it", place=Place(Path(FOLDER)))
        lock = os.open(folder / "lock", os.O_RDWR | os.O_CREAT, 0o600)
    try:
        _lock(lock)
        if make and not (folder / _IGNORE).exists():
            with files.about(FOLDER, _THEN):
                _write(root, _IGNORE, b"# Made by errlint.\n*\n")
        yield
    finally:
        os.close(lock)


def _lock(descriptor: int) -> None:
    """Take the lock, which the system releases when the process ends, however it ends."""
    try:
        if sys.platform == "win32":
            import msvcrt

            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        else:
            import fcntl

            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except (BlockingIOError, PermissionError) as error:
        message = "another errlint is writing files of this project"
        raise FixError(message, hint="wait for it, then run errlint again", place=Place(Path(FOLDER))) from error
    except OSError:
        pass  # a file system without locks; two runs at once are then up to the user


def begin(root: Path, entries: tuple[Entry, ...]) -> None:
    """Write the journal of a run that has not replaced a file yet. Raises OSError."""
    payload = msgspec.msgpack.encode(entries)
    _write(root, UNFINISHED, _HEADER + files.digest(payload) + payload)
    files.sync_folders([root])


def finish(root: Path) -> None:
    """Note that all files are replaced; forgets the run before. Raises OSError."""
    _rename(root, UNFINISHED, FINISHED)


def reopen(root: Path) -> None:
    """Note that the files of a finished run are about to be brought back. Raises OSError."""
    _rename(root, FINISHED, UNFINISHED)


def forget(root: Path, *states: str) -> None:
    """Remove the journals in these states, and one that was never complete. Raises OSError."""
    for name in (*states, _DRAFT):
        files.remove(root / FOLDER / name)
    files.sync_folders([root / FOLDER])


def exists(root: Path, state: str) -> bool:
    """Whether there is a journal in this state."""
    return (root / FOLDER / state).exists()


def load(root: Path, state: str) -> tuple[Entry, ...] | None:
    """Return the journal in this state, None where there is none.

    Raises :class:`FixError` for one that cannot be read, is damaged, or is none of this version of errlint.
    """
    place = Place(Path(FOLDER) / state)
    try:
        data = files.read(root / FOLDER / state)
    except OSError as error:
        raise FixError(f"cannot be read: {error.strerror}", hint="look at its permissions", place=place) from error
    if data is None:
        return None
    header, line_end, rest = data.partition(b"\n")
    if not header.startswith(_MAGIC) or not header[len(_MAGIC) :].isdigit() or not line_end:
        raise FixError("is no journal of errlint, or a damaged one", hint=_BY_HAND, place=place)
    if header + line_end != _HEADER:
        version = header[len(_MAGIC) :].decode("ascii")
        what = f"is a journal in format {version}; this errlint knows format {_VERSION}"
        raise FixError(what, hint="undo with the errlint that wrote it", place=place)
    entries = _decoded(rest)
    if entries is None:
        raise FixError("the journal is damaged", hint=_BY_HAND, place=place)
    return entries


def _decoded(data: bytes) -> tuple[Entry, ...] | None:
    if files.digest(data[_DIGEST:]) != data[:_DIGEST]:
        return None
    try:
        entries = msgspec.msgpack.decode(data[_DIGEST:], type=tuple[Entry, ...])
    except msgspec.MsgspecError:
        return None
    return entries if all(map(_is_sound, entries)) else None


def _is_sound(entry: Entry) -> bool:
    """Whether an entry is one that errlint writes: it says nothing about files elsewhere."""
    path = PurePosixPath(entry.name)
    inside = not path.is_absolute() and ".." not in path.parts and b"\0" not in entry.path
    return inside and files.digest(entry.before) == entry.old and entry.mode == stat.S_IMODE(entry.mode)


def _write(root: Path, name: str, content: bytes) -> None:
    files.remove(root / FOLDER / _DRAFT)
    files.write_new(root / FOLDER / _DRAFT, content)
    _rename(root, _DRAFT, name)


def _rename(root: Path, name: str, other: str) -> None:
    folder = root / FOLDER
    os.replace(folder / name, folder / other)  # noqa: PTH105
    files.sync_folders([folder])
