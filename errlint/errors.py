"""The errors of errlint itself: one hierarchy, registered codes, a hint in each, one boundary (``errlint.cli.main``).

docs/errors.md is their catalog.
"""

from __future__ import annotations

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
    INTERNAL = "internal"


def described(error: Exception) -> str:
    """Return the class of an unexpected exception and the first line of its text."""
    return f"{type(error).__name__}: {str(error).partition(chr(10))[0]}"


class Place(NamedTuple):
    """Where in a file the cause stands; ``line`` and ``column`` count from 1, 0 means unknown."""

    path: Path
    line: int = 0
    column: int = 0

    def __str__(self) -> str:
        return ":".join(str(part) for part in self if part)


class ErrlintError(Exception):
    """Base of every error that errlint reports to its user; the command ends with status 2.

    ``message`` says what is wrong, ``hint`` what to do about it, ``place`` (when known) where.
    """

    code = ErrorCode.INTERNAL

    def __init__(self, message: str, *, hint: str = "", place: Place | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint
        self.place = place

    def __str__(self) -> str:
        """One line: place, message, hint."""
        where = f"{self.place}: " if self.place else ""
        what_to_do = f" ({self.hint})" if self.hint else ""
        return f"{where}{self.message}{what_to_do}"


class UsageError(ErrlintError):
    """The command line asks for something that does not exist or does not go together."""

    code = ErrorCode.USAGE


class ConfigurationError(ErrlintError):
    """A configuration file cannot be understood; nothing runs."""

    code = ErrorCode.CONFIGURATION


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
