"""The errors of errlint itself: one hierarchy, registered codes, a hint in each, one boundary (``errlint.cli.main``).

docs/errors.md is their catalog.
"""

from __future__ import annotations

import errno
from collections.abc import Sequence
from enum import Enum
from pathlib import Path
from typing import NamedTuple


class ErrorCode(str, Enum):
    """What went wrong, for people who search and for programs that branch."""

    USAGE = "usage"
    CONFIGURATION = "configuration"
    INPUT = "input"
    OUTPUT = "output"
    FIX = "fix"
    CATALOG = "catalog"
    BASELINE = "baseline"
    RESOURCE = "resource"
    INTERNAL = "internal"


def described(error: Exception) -> str:
    """Return the class of an unexpected exception and the first line of its text."""
    text = str(error).partition("\n")[0]
    return f"{type(error).__name__}: {text}" if text else type(error).__name__


class Place(NamedTuple):
    """Where in a file the cause stands; ``line`` and ``column`` count from 1, 0 means unknown."""

    path: Path
    line: int = 0
    column: int = 0

    def __str__(self) -> str:
        return ":".join(str(part) for part in self if part)


class ErrlintError(Exception):
    """Base of every error that errlint reports to its user; the command ends with status 2.

    ``message`` says what is wrong, ``hint`` what to do about it, ``place`` (when known) where. ``output`` is what a
    command of the user has printed, in lines.
    """

    code = ErrorCode.INTERNAL

    def __init__(self, message: str, *, hint: str = "", place: Place | None = None, output: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint
        self.place = place
        self.output = output

    def __str__(self) -> str:
        """One line: place, message, hint."""
        where = f"{self.place}: " if self.place else ""
        what_to_do = f" ({self.hint})" if self.hint else ""
        return f"{where}{self.message}{what_to_do}"

    def lines(self) -> tuple[str, ...]:
        """Return all that is wrong, one line each."""
        return (str(self),)


class UsageError(ErrlintError):
    """The command line asks for something that does not exist or does not go together."""

    code = ErrorCode.USAGE


class ConfigurationError(ErrlintError):
    """A configuration file cannot be understood; nothing runs. ``others`` are what else is wrong with it."""

    code = ErrorCode.CONFIGURATION
    others: tuple[ConfigurationError, ...] = ()

    @staticmethod
    def of(errors: Sequence[ConfigurationError]) -> ConfigurationError:
        """Return the first of some errors, which has the others with it."""
        first, *others = errors
        first.others = tuple(others)
        return first

    def lines(self) -> tuple[str, ...]:
        """Return all that is wrong, one line each."""
        return (str(self), *map(str, self.others))


class InputError(ErrlintError):
    """A path that was named cannot be read."""

    code = ErrorCode.INPUT


class OutputError(ErrlintError):
    """A report or a cache folder that was asked for cannot be written."""

    code = ErrorCode.OUTPUT


class FixError(ErrlintError):
    """The files of a fix cannot be written, guarded or brought back."""

    code = ErrorCode.FIX


class CatalogError(ErrlintError):
    """A document cannot be kept current: a marker, its template or the file itself is in the way."""

    code = ErrorCode.CATALOG


class BaselineError(ErrlintError):
    """The file of known findings is not there, or cannot be understood."""

    code = ErrorCode.BASELINE


class ResourceError(ErrlintError):
    """The machine does not give what errlint needs: memory, open files, processes, a disk that works."""

    code = ErrorCode.RESOURCE


_MEMORY = ("there is not enough memory", "`-j1` takes less, and so do fewer paths")
_PROCESSES = ("no more processes can be started", "see `ulimit -u`; `-j1` needs none")
_THREADS = ("no more threads can be started", "see `ulimit -v` and `ulimit -u`; `-j1` needs few")
_SHORTAGES = {
    errno.EMFILE: ("too many files are open", "see `ulimit -n`"),
    errno.ENFILE: ("too many files are open on this machine", "close some, then run errlint again"),
    errno.ENOMEM: _MEMORY,
    errno.EAGAIN: _PROCESSES,
}


def shortage(error: BaseException) -> tuple[str, str] | None:
    """Return what the machine has run out of, and what to do about it; None for an exception with another cause."""
    if isinstance(error, OSError):
        return _SHORTAGES.get(error.errno or 0)
    if isinstance(error, MemoryError) or (isinstance(error, ImportError) and "failed to map segment" in str(error)):
        return _MEMORY
    return _THREADS if isinstance(error, RuntimeError) and "start new thread" in str(error) else None


def of_the_machine(error: BaseException) -> ResourceError | None:
    """Return what an exception means that errlint is not to blame for; None where it is."""
    if found := shortage(error):
        message, hint = found
        return ResourceError(message, hint=hint)
    if isinstance(error, RecursionError):
        return ResourceError("the code is nested more deeply than this Python can follow")
    if isinstance(error, OSError) and error.strerror:
        place = Place(Path(error.filename)) if isinstance(error.filename, str) else None
        return ResourceError(f"the system says: {error.strerror}", place=place)
    return None
