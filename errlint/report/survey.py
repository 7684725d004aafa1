"""The nouns of a survey: what a page about a whole project tells beside the findings.

:mod:`errlint.commands.survey` makes one of a linked project, for formats that ask for it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple


class Flow(NamedTuple):
    """Errors that go the same way: in which form, made where, arriving at what; and how many.

    For example ``("hand-built payload", "an adapter", "the client, as a result", 12)``.
    """

    form: str
    origin: str
    end: str
    number: int


class Shape(NamedTuple):
    """Error answers that look alike: their form, what tells them (keys, a class), how many, and the place of one."""

    form: str
    told_by: tuple[str, ...]
    number: int
    path: str
    line: int


class Factory(NamedTuple):
    """A function that only builds error answers, what tells these, and how many returns use it."""

    name: str
    path: str
    line: int
    told_by: tuple[str, ...]
    uses: int


class Code(NamedTuple):
    """An error code, and where it is known; ``None`` where there is nothing that could know it: no catalog, no test."""

    text: str
    where: str
    is_registered: bool
    is_raised: bool
    is_documented: bool | None
    is_tested: bool | None


class Package(NamedTuple):
    """A distribution ("." for the root): its adapters, how many of them a configured boundary covers, its answers."""

    name: str
    adapters: int
    covered: int
    answers: int


class DayOne(NamedTuple):
    """Findings of a rule: those that the baseline lists, those of them that are mended, and those that are new."""

    code: str
    known: int
    mended: int
    new: int


class Survey(NamedTuple):
    """What there is in a project. ``packages_of`` gives the package of each file with findings.

    ``day_one`` is ``None`` without a baseline, ``has_boundary`` is false where none is configured.
    """

    flows: tuple[Flow, ...]
    shapes: tuple[Shape, ...]
    factories: tuple[Factory, ...]
    codes: tuple[Code, ...]
    packages: tuple[Package, ...]
    packages_of: Mapping[str, str]
    has_boundary: bool
    day_one: tuple[DayOne, ...] | None = None
