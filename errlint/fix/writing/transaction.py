"""The transaction: all files of a run are replaced, or none.

The order is what makes it safe: journal on the disk, all new contents on the disk beside their files, then nothing but
renames, then the journal finished. Any failure on the way takes back what was done; after a crash
:func:`errlint.fix.writing.undo.recover` does.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

import msgspec

from errlint.errors import FixError, Place
from errlint.fix.writing import files, journal, undo
from errlint.fix.writing.journal import FOLDER, UNFINISHED, JournalEntry

_THEN = "then run errlint again; no file was changed"


class Change(msgspec.Struct, frozen=True):
    """One file to replace: its path relative to the root, with forward slashes, and its content before and after."""

    path: str
    before: bytes
    after: bytes


class _WriteStep(NamedTuple):
    change: Change
    target: Path
    entry: JournalEntry


def apply(root: Path, changes: Iterable[Change]) -> bool:
    """Replace all files, each in one step, keeping its mode and where possible its owner; links are followed.

    What is left is either all old, when this raises, or all new, and then :func:`errlint.fix.writing.undo.undo` brings
    back the old ones. Hard links to a file keep the old content. Returns whether a later process can still undo it.

    Raises :class:`FixError` where a file is not ``before`` any more, is read-only, leads out of the project or cannot
    be written, and where another process is writing. KeyboardInterrupt passes, after everything was taken back.
    """
    root = Path(os.path.realpath(root))
    changes = [change for change in changes if change.before != change.after]
    if not changes:
        return True
    with journal.locked(root, make=True):
        undo.recover_locked(root)
        return _run(root, _plan(root, changes))


def _plan(root: Path, changes: Iterable[Change]) -> list[_WriteStep]:
    """Return a step for each file; one that is named twice, through a link, is written once."""
    steps: dict[Path, _WriteStep] = {}
    for change in changes:
        target = files.resolve(root, change.path)
        with files.about(change.path, _THEN):
            _require_before(root, change, target)
            mode = files.writable_mode(target)
        path = target.relative_to(root).as_posix()
        old, new = files.digest(change.before), files.digest(change.after)
        step = _WriteStep(change, target, JournalEntry(os.fsencode(path), change.before, old, new, mode))
        if steps.setdefault(target, step).entry != step.entry:
            message = f"is the same file as {steps[target].change.path}, and both are to be changed"
            raise FixError(message, hint="exclude one of them", place=Place(Path(change.path)))
    return list(steps.values())


def _run(root: Path, steps: list[_WriteStep]) -> bool:
    begun: list[JournalEntry] = []
    try:
        with files.about(FOLDER, _THEN):
            is_kept = journal.begin(root, tuple(step.entry for step in steps))
        for change, target, entry in steps:
            with files.about(change.path, _THEN):
                files.stage(root, target, change.after, entry.mode)
        for change, target, entry in steps:
            with files.about(change.path, _THEN):
                _require_before(root, change, target)
                begun.append(entry)
                files.commit(root, target)
        with files.about(FOLDER, _THEN):
            files.sync_folders(root, (step.target for step in steps))
            journal.finish(root)
    except BaseException:
        _take_back(root, steps, begun)
        raise
    return is_kept


def _take_back(root: Path, steps: list[_WriteStep], begun: list[JournalEntry]) -> None:
    """Make all files old again. Raises :class:`FixError` where that fails too; the journal is then still there."""
    with files.about(FOLDER, "then run `errlint undo`"):
        if begun and not journal.exists(root, UNFINISHED):
            journal.reopen(root)  # the interruption came right after the last step
        undo.discard(root, (step.entry for step in steps))
        undo.restore(root, begun)
        journal.forget(root, UNFINISHED)


def _require_before(root: Path, change: Change, target: Path) -> None:
    """Raise :class:`FixError` where somebody else has changed the file since it was read; OSError."""
    content = files.read(root, target)
    if content == change.before:
        return
    what = "has been deleted" if content is None else "has been changed"
    message = f"{what} while errlint was running"
    raise FixError(message, hint="run errlint again; no file was changed", place=Place(Path(change.path)))
