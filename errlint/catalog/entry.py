"""The words of a catalog: an entry, and what it says."""

from __future__ import annotations

from enum import Enum
from typing import NamedTuple


class EntryKind(str, Enum):
    """What an entry is found by: its code, else its exception class, its message, or nothing but its title."""

    CODE = "code"
    CLASS = "class"
    MESSAGE = "message"
    TITLE = "title"


class EntryText(NamedTuple):
    """Something that an entry says, and its line (from 1)."""

    text: str
    line: int


class Entry(NamedTuple):
    """One error in one place of a catalog.

    ``name`` is the code, class, message or title that it is found by; ``line`` and ``column`` are from 1. ``sections``
    are the titles around it, outermost first. ``is_reserved`` is true for one that says itself that it is not raised.
    ``facts`` are its labelled parts (:data:`errlint.catalog.labels.LABELS`) by their standard names.
    """

    path: str
    line: int
    column: int
    kind: EntryKind
    name: str
    title: str = ""
    sections: tuple[str, ...] = ()
    is_reserved: bool = False
    facts: tuple[tuple[str, EntryText], ...] = ()

    def said(self, label: str) -> tuple[EntryText, ...]:
        """Return what the entry says under a label."""
        return tuple(said for name, said in self.facts if name == label)
