"""The words of a fix: how sure it is, what stands against it, and what is changed together."""

from __future__ import annotations

from collections.abc import Iterable
from enum import Enum
from typing import NamedTuple

from errlint.errors import described
from errlint.findings import Finding, Span
from errlint.rules import PROJECT_URL

NEEDED = frozenset({"ERR108", "ERR201", "ERR205", "ERR211", "ERR312", "ERR313"})
"""Rules whose facts a fix rests on: boundaries, exceptions, where those are raised, and calls of the backend."""


class Applicability(str, Enum):
    """How sure it is that clients get the same answers after a fix.

    ``safe``: shown for every boundary that the errors can reach. ``unsafe``: not shown; applied with
    ``--unsafe-fixes`` alone. ``refused``: nothing is changed.
    """

    SAFE = "safe"
    UNSAFE = "unsafe"
    REFUSED = "refused"


class TestOutcome(str, Enum):
    """What becomes of a test that uses what a fix changes, as far as can be told without running it."""

    FAILS = "fails"
    MAY_FAIL = "may-fail"
    PASSES = "passes"


class Doubt(NamedTuple):
    """What stands against a fix: a sentence without its full stop, the place it rests on, and whether it refuses it.

    ``line`` counts from 1; 0 stands for no place. ``is_convention`` is true where the convention itself asks for what
    is in doubt, as an answer of another shape. ``test`` is what becomes of the test that it is about, ``None`` where
    it is about something else.
    """

    text: str
    path: str = ""
    line: int = 0
    refuses: bool = False
    is_convention: bool = False
    test: TestOutcome | None = None

    @property
    def place(self) -> str:
        """The place as ``path:line``, or the path alone where there is no line, "" for none."""
        return f"{self.path}:{self.line}" if self.path and self.line else self.path


class Refusal(Exception):
    """Stops the planning of one conversion."""

    def __init__(self, doubt: Doubt) -> None:
        super().__init__(doubt.text)
        self.doubt = doubt


def refuse(text: str, path: str = "", line: int = 0) -> Refusal:
    """Return the refusal to raise, with the reason and the place it rests on."""
    return Refusal(Doubt(text, path, line, refuses=True))


def failure(error: Exception) -> str:
    """Return why nothing is changed where errlint itself fails: one fix must not hide the others."""
    return f"errlint failed on it ({described(error)}); please report this at {PROJECT_URL}/issues"


def sureness(doubts: Iterable[Doubt]) -> Applicability:
    """Return how sure a fix is that some doubts stand against."""
    found = tuple(doubts)
    if any(doubt.refuses for doubt in found):
        return Applicability.REFUSED
    return Applicability.UNSAFE if found else Applicability.SAFE


class Group(NamedTuple):
    """What is changed together or not at all: error returns of one function.

    ``doubts`` say why it is not safe; ``findings`` are those that it would end. ``accepted`` are doubts that the
    configuration says are none.
    """

    path: str
    function: str
    span: Span
    findings: tuple[Finding, ...]
    doubts: tuple[Doubt, ...]
    accepted: tuple[Doubt, ...] = ()

    @property
    def is_convention_change(self) -> bool:
        """Whether nothing but the convention stands against it, or would without the configuration."""
        found = (*self.doubts, *self.accepted)
        return bool(found) and all(doubt.is_convention for doubt in found)

    @property
    def applicability(self) -> Applicability:
        """How sure the fix is."""
        return sureness(self.doubts)
