"""Undo: bring all files of a run back to what they were, whole or not at all.

After a crash the journal is unfinished and any of its files may be old or new; :func:`recover` and :func:`undo` make
all of them old. A file that is neither was changed by somebody else: then nothing is touched.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from errlint.errors import FixError, Place
from errlint.fix.writing import files, journal
from errlint.fix.writing.journal import FINISHED, FOLDER, UNFINISHED, JournalEntry

_THEN = "then run `errlint undo`"


class Undone(NamedTuple):
    """The files that were brought back, and whether the run they were changed by had been interrupted."""

    files: tuple[str, ...]
    interrupted: bool


def recover(root: Path) -> tuple[str, ...]:
    """Bring the files of an interrupted run back; a run that fixes does so before it reads any file.

    Returns the paths of the files that were new, nothing where no run was interrupted.
    Raises :class:`FixError` as :func:`undo` does.
    """
    root = Path(os.path.realpath(root))
    if not journal.exists(root, UNFINISHED):
        return ()
    with journal.locked(root):
        return recover_locked(root)


def recover_locked(root: Path) -> tuple[str, ...]:
    """Recover in a resolved root whose journal is held."""
    entries = journal.load(root, UNFINISHED)
    if entries is None:
        return ()
    restored = restore(root, entries)
    with files.about(FOLDER, _THEN):
        journal.forget(root, UNFINISHED)
    return restored


def undo(root: Path) -> Undone | None:
    """Bring back the files of the last run in a project; None where there is nothing to undo.

    Raises :class:`FixError`, with nothing changed, where a file is no longer what the run wrote, where the journal is
    damaged or of another version, or another process is writing. Where a file cannot be written, a second undo goes on.
    """
    root = Path(os.path.realpath(root))
    if not any(journal.exists(root, state) for state in (UNFINISHED, FINISHED)):
        return None
    with journal.locked(root):
        entries = journal.load(root, UNFINISHED)
        interrupted = entries is not None
        if entries is None:
            entries = journal.load(root, FINISHED)
            if entries is None:
                return None
            _refuse([entry.name for entry in entries if _digest(root, entry) != entry.new])
            with files.about(FOLDER, _THEN):
                journal.reopen(root)
        restored = restore(root, entries)
        with files.about(FOLDER, _THEN):
            # Were the run before an interrupted one kept, a second undo would take that back too.
            journal.forget(root, FINISHED, UNFINISHED)
        return Undone(restored, interrupted)


def restore(root: Path, entries: Iterable[JournalEntry]) -> tuple[str, ...]:
    """Give each file that is new its old content and mode, and return the paths of these.

    ``root`` is resolved and its journal, unfinished, is held. Raises :class:`FixError`.
    """
    entries = tuple(entries)
    found = {entry: _digest(root, entry) for entry in entries}
    _refuse([entry.name for entry, digest in found.items() if digest not in (entry.old, entry.new)])
    changed = [entry for entry in entries if found[entry] == entry.new]
    targets = [files.resolve(root, entry.name) for entry in changed]
    discard(root, entries)
    for entry, target in zip(changed, targets, strict=True):
        with files.about(entry.name, _THEN):
            files.stage(root, target, entry.before, entry.mode)
    for entry, target in zip(changed, targets, strict=True):
        with files.about(entry.name, _THEN):
            files.commit(root, target)
    with files.about(FOLDER, _THEN):
        files.sync_folders(root, targets)
    return tuple(entry.name for entry in changed)


def discard(root: Path, entries: Iterable[JournalEntry]) -> None:
    """Remove what an interrupted run has left beside the files. Raises :class:`FixError`."""
    for entry in entries:
        with files.about(entry.name, _THEN):
            files.discard(root, files.resolve(root, entry.name))


def _digest(root: Path, entry: JournalEntry) -> bytes:
    try:
        return files.digest(files.read(root, files.resolve(root, entry.name)))
    except OSError as error:
        message = f"cannot be read: {error.strerror}"
        raise FixError(message, hint=f"look at its permissions, {_THEN}", place=Place(Path(entry.name))) from error


def _refuse(names: list[str]) -> None:
    """Raise :class:`FixError` where there are files that are neither old nor new."""
    if not names:
        return
    verb = "is" if len(names) == 1 else "are"
    raise FixError(
        f"{files.listed(names)} {verb} no longer what the fix wrote; nothing was changed",
        hint=f"take your changes back, {_THEN}, or delete {FOLDER} to keep all files",
    )
