"""What is said of a project: one sentence, with the places that show it."""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from types import MappingProxyType
from typing import NamedTuple

from errlint.findings import Span

Details = Mapping[str, object]
"""What a statement says, for programs: names, keys, counts."""


class About(str, Enum):
    """The headings that statements stand below, in order."""

    SERVERS = "servers"
    ADAPTERS = "adapters"
    BOUNDARIES = "boundaries"
    ERRORS = "error answers"
    EXCEPTIONS = "exceptions"
    CODES = "error codes"
    CATALOGS = "catalogs"
    CONVENTIONS = "conventions"


class Seen(NamedTuple):
    """A place in a file, from the root; ``line`` is 0 for all of a file."""

    path: str
    line: int = 0

    def __str__(self) -> str:
        return f"{self.path}:{self.line}" if self.line else self.path


class Statement(NamedTuple):
    """A sentence without its full stop, and where it is to be seen."""

    about: About
    text: str
    places: tuple[Seen, ...] = ()
    details: Details = MappingProxyType({})


def seen(path: str, span: Span) -> Seen:
    """Return the place of a span: its first line."""
    return Seen(path, span.line)


def counted(number: int, one: str, many: str = "") -> str:
    """Return ``1 tool`` or ``3 tools``."""
    return f"{number:,} {one if number == 1 else many or one + 's'}"


def listed(items: tuple[str, ...] | list[str], most: int = 6) -> str:
    """Return ```a`, `b` and `c```, of more than ``most`` the first ones and how many more there are."""
    names = [f"`{item}`" for item in items[:most]]
    if len(items) > most:
        return f"{', '.join(names)} and {len(items) - most:,} more"
    return " and ".join(filter(None, (", ".join(names[:-1]), *names[-1:])))
