"""``errlint check --watch``: the check runs again when files change, until Ctrl-C.

What a run leaves in memory makes the next one quick; where settings may have changed, it begins anew. Whatever is wrong
with a configuration is told, and the next change may have mended it.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple, NoReturn

from watchfiles import Change, DefaultFilter, watch

from errlint.discover import PAGES, SUFFIXES
from errlint.errors import ErrlintError, InputError, Place, UsageError
from errlint.findings import Finding
from errlint.memory import Memory

_SETTINGS = (".toml", ".txt", "setup.py", "setup.cfg", ".gitignore")
"""How the names of files end that may change what is checked: configurations, conventions, baselines."""

_OWN = (".errlint_cache", ".errlint_undo")
_WAIT_MS = 200
"""How long a look for changes takes where there are none; the first check runs after one."""

_TOO_MANY = "on Linux, see `sysctl fs.inotify.max_user_watches`"

_NAMED = 3
"""So many changed files are named."""


class Ran(NamedTuple):
    """What a check was about, and what it found."""

    root: Path
    findings: tuple[Finding, ...]


class _Watched(DefaultFilter):
    """Passes over folders of tools, files of other kinds, and what errlint itself writes."""

    def __init__(self, written: Collection[str]) -> None:
        super().__init__(ignore_dirs=(*self.ignore_dirs, *_OWN))
        self._written = written

    def __call__(self, change: Change, path: str) -> bool:
        if not path.endswith((*SUFFIXES, *PAGES, *_SETTINGS)) or os.path.realpath(path) in self._written:
            return False
        return super().__call__(change, path)


def check_again(
    check: Callable[[Memory], Ran],
    folder: Path,
    written: Iterable[Path],
    *,
    tell: Callable[[str], None],
    clear: Callable[[], None],
) -> NoReturn:
    """Check, and again after each change in ``folder``, which is the root of the project as far as that is known.

    ``check`` prints its report. ``written`` are the files it writes, ``tell`` prints a line beside the report, and
    ``clear`` takes away what was printed before. Ends with the :class:`KeyboardInterrupt` of Ctrl-C. Raises
    :class:`errlint.errors.UsageError` where the command line is wrong, and :class:`errlint.errors.InputError` where the
    machine cannot watch so many folders.
    """
    watched = _Watched({os.path.realpath(path) for path in written})
    memory = Memory()
    ran: Ran | None = None
    while True:
        is_due = True
        for changes in _changes(folder, watched):
            if not changes and not is_due:
                continue
            is_due = False
            paths = sorted({path for _, path in changes})
            if any(path.endswith(_SETTINGS) for path in paths):
                memory = Memory()
            clear()
            told = _changed(paths, folder)
            try:
                now = check(memory)
            except ErrlintError as error:
                if ran is None and isinstance(error, UsageError):
                    raise
                tell("\n".join(f"errlint: error: {line}" for line in error.lines()))
            else:
                told += _difference(ran, now) if ran is not None else ""
                ran = now
            tell(f"{told}Watching {folder} (Ctrl-C ends).")
            if ran is not None and ran.root != folder:  # another configuration holds now
                folder = ran.root
                break


def _changes(folder: Path, watched: _Watched) -> Iterator[set[tuple[Change, str]]]:
    """Yield what has changed in a folder, nothing now and then."""
    try:
        yield from watch(folder, watch_filter=watched, yield_on_timeout=True, rust_timeout=_WAIT_MS)
    except OSError as error:
        what = error.strerror or str(error)
        raise InputError(f"the folder cannot be watched: {what}", hint=_TOO_MANY, place=Place(folder)) from error


def _changed(paths: Sequence[str], folder: Path) -> str:
    """Return which files have changed, ``server.py and 2 others changed: ``, "" for none."""
    if not paths:
        return ""
    names = [os.path.relpath(path, folder) for path in paths[:_NAMED]]
    left = len(paths) - len(names)
    others = f" and {left} more" if left else ""
    return f"{', '.join(names)}{others} changed. "


def _difference(before: Ran, now: Ran) -> str:
    old, new = (Counter((each.path, each.fingerprint) for each in ran.findings) for ran in (before, now))
    return f"{(new - old).total()} new, {(old - new).total()} gone. "
