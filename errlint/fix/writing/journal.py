"""The journal: what a run of fixes is about to replace, on disk before the first file is touched.

It is a folder in the root of the project, and its state is the name of the file in it: ``unfinished`` from before the
first replace until after the last, then ``finished``; an undo makes it ``unfinished`` again, since both are brought to
their end in the same way. Changing the state is one rename. Only the last finished run is kept.

Who can put a file into a project can put a journal there. So a journal counts only where this user's errlint has signed
it on this machine for this very folder, with a key that is not in the tree, and where git does not track it.
"""

from __future__ import annotations

import os
import stat
import sys
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path, PurePosixPath

import msgspec

from errlint.errors import FixError, Place
from errlint.fix.writing import files, keys
from errlint.workspace.git import tracked
from errlint.workspace.writing import LARGEST, Folder, opened

FOLDER = ".errlint_undo"
UNFINISHED = "unfinished"
FINISHED = "finished"
_LOCK = "lock"
_DRAFT = "draft"
_IGNORE = ".gitignore"

_VERSION = 2
_MAGIC = b"errlint-undo "
_HEADER = _MAGIC + b"%d\n" % _VERSION
_UNSIGNED = _MAGIC + b"1"
"""The header of the first format: nobody can say who wrote such a journal."""

_DIGEST = len(files.digest(b""))
_THEN = "then run errlint again; no file was changed"
_START = _DIGEST + keys.SIZE
_FOREIGN = "was not written by your errlint on this machine for this folder, so nothing of it was brought back"
_NOT_HERE = f"run `errlint undo` where it was written, or delete {FOLDER}"
NOT_KEPT = (
    "`errlint undo` cannot bring these files back later: no key for its journal can be kept outside of the project; "
    "see docs/fixes.md."
)
_BY_HAND = f"look at your files, bring them back by hand where needed, then delete {FOLDER}"


class JournalEntry(msgspec.Struct, frozen=True, array_like=True):
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
    with files.about(FOLDER, _THEN), opened(root) as top:
        if make:
            top.make_folder(FOLDER)
        found = top.stat(FOLDER)
        if found is None or not stat.S_ISDIR(found.st_mode):
            raise FixError("this is no folder", hint="remove it", place=Place(Path(FOLDER)))
        with _opened(root) as folder:
            lock = folder.open(_LOCK, os.O_RDWR | os.O_CREAT, 0o600)
            has_ignore = folder.is_file(_IGNORE)
    try:
        _lock(lock)
        if make and not has_ignore:
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


def begin(root: Path, entries: tuple[JournalEntry, ...]) -> bool:
    """Write the journal of a run that has not replaced a file yet. Raises OSError.

    Returns whether a later process will be able to replay it: not where no key can be kept, nor on a file system that
    gives the file to another user.
    """
    payload = msgspec.msgpack.encode(entries)
    signature = keys.sign(root, _HEADER + payload)
    made = _write(root, UNFINISHED, _HEADER + files.digest(payload) + signature.value + payload)
    with opened(root) as top:
        top.sync()
    return signature.is_kept and _is_own(made)


def finish(root: Path) -> None:
    """Note that all files are replaced; forgets the run before. Raises OSError."""
    _rename(root, UNFINISHED, FINISHED)


def reopen(root: Path) -> None:
    """Note that the files of a finished run are about to be brought back. Raises OSError."""
    _rename(root, FINISHED, UNFINISHED)


def forget(root: Path, *states: str) -> None:
    """Remove the journals in these states, and one that was never complete. Raises OSError."""
    with _opened(root) as folder:
        for name in (*states, _DRAFT):
            folder.remove(name)
        folder.sync()


def exists(root: Path, state: str) -> bool:
    """Whether there is a journal in this state, or something that is in its way."""
    try:
        with _opened(root) as folder:
            return folder.stat(state) is not None
    except FileNotFoundError:
        return False
    except OSError:  # told, with what to do, by who opens the folder next
        return True


def load(root: Path, state: str) -> tuple[JournalEntry, ...] | None:
    """Return the journal in this state, None where there is none.

    Raises :class:`FixError` for one that cannot be read, is damaged, is none of this version of errlint, or has not
    been written by this user's errlint on this machine for this folder.
    """
    place = Place(Path(FOLDER) / state)
    try:
        with _opened(root) as folder:
            there = folder.stat(state)
            found = folder.read(state, LARGEST) if there and stat.S_ISREG(there.st_mode) else None
    except OSError as error:
        hint = "look at its permissions, then run `errlint undo`"
        raise FixError(f"cannot be read: {error.strerror}", hint=hint, place=place) from error
    if there is None:
        return None
    if found is None or not _is_own(found[1]):
        raise FixError(_FOREIGN, hint=_NOT_HERE, place=place)
    if tracked(root, [f"{FOLDER}/{state}"]):
        message = "is tracked by git, so nothing of it was brought back"
        raise FixError(message, hint=f"`git rm -r --cached {FOLDER}`, then delete it", place=place)
    return _entries(root, found[0], place)


def _entries(root: Path, data: bytes, place: Place) -> tuple[JournalEntry, ...]:
    header, line_end, rest = data.partition(b"\n")
    if not header.startswith(_MAGIC) or not header[len(_MAGIC) :].isdigit() or not line_end:
        raise FixError("is no journal of errlint, or a damaged one", hint=_BY_HAND, place=place)
    if header == _UNSIGNED:
        raise FixError(_FOREIGN, hint=_NOT_HERE, place=place)
    if header + line_end != _HEADER:
        version = header[len(_MAGIC) :].decode("ascii")
        what = f"is a journal in format {version}; this errlint knows format {_VERSION}"
        raise FixError(what, hint=f"undo with the errlint that wrote it, or delete {FOLDER}", place=place)
    digest, signature, payload = rest[:_DIGEST], rest[_DIGEST:_START], rest[_START:]
    if files.digest(payload) != digest:
        raise FixError("the journal is damaged", hint=_BY_HAND, place=place)
    if not keys.is_signed(root, _HEADER + payload, signature):
        raise FixError(_FOREIGN, hint=_NOT_HERE, place=place)
    try:
        entries = msgspec.msgpack.decode(payload, type=tuple[JournalEntry, ...])
    except msgspec.MsgspecError:
        entries = ()
    if not entries or not all(map(_is_sound, entries)):
        raise FixError("the journal is damaged", hint=_BY_HAND, place=place)
    return entries


def _is_sound(entry: JournalEntry) -> bool:
    """Whether an entry is one that errlint writes: it says nothing about files elsewhere."""
    path = PurePosixPath(entry.name)
    inside = not path.is_absolute() and ".." not in path.parts and b"\0" not in entry.path
    return inside and files.digest(entry.before) == entry.old and entry.mode == entry.mode & files.PERMISSIONS


def _is_own(found: os.stat_result) -> bool:
    return sys.platform == "win32" or found.st_uid == os.geteuid()


def _opened(root: Path) -> AbstractContextManager[Folder]:
    return opened(root, [FOLDER])


def _write(root: Path, name: str, content: bytes) -> os.stat_result:
    """Write a file of the folder in one step, and return what it is."""
    with _opened(root) as folder:
        folder.remove(_DRAFT)
        made = folder.create(_DRAFT, content, 0o600)
        folder.rename(_DRAFT, name)
        folder.sync()
    return made


def _rename(root: Path, name: str, other: str) -> None:
    with _opened(root) as folder:
        folder.rename(name, other)
        folder.sync()
