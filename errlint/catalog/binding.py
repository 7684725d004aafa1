"""Binding: which error of the code a documented one is about.

Code and class narrow the errors down, the message decides between them: the entry is bound to *one* error, the one
whose template agrees with the documented text and has the most in common with it. Where several do, the tool that is
documented, the class and the code, and then the place in the code decide. Where none does, the nearest is told.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, NamedTuple

from errlint.catalog.templates import Template, agreement, difference, nearness

if TYPE_CHECKING:
    from errlint.project.raised_errors import RaisedError


NEAR = 0.5
"""A text that is as near as this to one of the code is the same text, changed."""

NEAR_UNNAMED = 0.75
"""As :data:`NEAR`, for a text of which neither a code nor a class says that it is an error of this code."""


class Documented(NamedTuple):
    """What an entry of a catalog says of one error: codes, names of classes, messages and tools, as far as it does.

    ``around`` are the titles that it stands below.
    """

    codes: tuple[str, ...] = ()
    classes: tuple[str, ...] = ()
    messages: tuple[Template, ...] = ()
    tools: tuple[str, ...] = ()
    around: tuple[str, ...] = ()


class Bound(NamedTuple):
    """The error that an entry is about: ``agrees`` is true where its message is one that the entry documents.

    ``said`` and ``raised`` are the two texts that were compared, ``None`` where one of the two has no message.
    """

    error: RaisedError
    agrees: bool
    score: float
    said: Template | None = None
    raised: Template | None = None

    @property
    def difference(self) -> str:
        """How the documented text differs from that of the code, word by word; "" where they agree."""
        if self.agrees or self.said is None or self.raised is None:
            return ""
        return difference(self.said, self.raised)


def candidates(documented: Documented, errors: Iterable[RaisedError]) -> list[RaisedError]:
    """Return the errors that an entry may be about: those that surface with its code, else of its class or below it.

    All that surface for an entry that names neither; none where nothing has its code or class.
    """
    surfacing = [error for error in errors if error.surfaces]
    if documented.codes:
        asked = {code.casefold() for code in documented.codes}
        found = [error for error in surfacing if any(str(code).casefold() in asked for code in error.codes)]
        if found or not documented.classes:
            return found
    if documented.classes:
        found = [error for error in surfacing if _is_of(error.names[:1], documented.classes)]
        return found or [error for error in surfacing if _is_of(error.names, documented.classes)]
    return surfacing


def bind(documented: Documented, errors: Iterable[RaisedError]) -> Bound | None:
    """Return the error that an entry is about, or the nearest one; ``None`` where no error has its code or class."""
    bounds = [_compared(documented, error) for error in candidates(documented, errors)]
    return max(bounds, key=lambda bound: _rank(documented, bound), default=None)


def _compared(documented: Documented, error: RaisedError) -> Bound:
    """Compare an entry with one error, by the two texts that have the most in common."""
    best: Bound | None = None
    for said in documented.messages:
        for raised in error.messages:
            shared = agreement(said, raised)
            found = Bound(error, shared > 0, shared or nearness(said, raised), said, raised)
            if best is None or (found.agrees, found.score) > (best.agrees, best.score):
                best = found
    return best or Bound(error, not documented.messages, 0.0)


def _rank(documented: Documented, bound: Bound) -> tuple[bool, bool, bool, bool, float, bool, int, int]:
    error = bound.error
    names = [plain(name) for name in (*error.adapters, error.function)]
    of_tool = _is_named(documented.tools, names)
    below = _is_named(documented.around, names)
    # Of what is the same the first in the code.
    return (
        bound.agrees, bound.score >= NEAR, of_tool, below, bound.score, _is_of(error.names[:1], documented.classes),
        -error.span.line, -error.span.column,
    )  # fmt: skip


def _is_of(names: Sequence[str], classes: Sequence[str]) -> bool:
    """Whether one of some absolute names is meant by the name of a class, in full or by its last part."""
    lasts = {name.rpartition(".")[2] for name in names}
    return any(name in lasts or name in names for name in classes)


def _is_named(titles: Iterable[str], names: Sequence[str]) -> bool:
    """Whether a title, or a word of it, names one of some functions or tools."""
    for title in titles:
        for word in (title, *title.replace("`", " ").split()):
            asked = plain(word)
            if len(asked) > 2 and any(name == asked or name.endswith(asked) for name in names):
                return True
    return False


def plain(name: str) -> str:
    """Return a name without what its spellings differ in: ``SearchTool.execute`` is ``search``."""
    name = name.removesuffix(".execute").rpartition(".")[2]
    return "".join(filter(str.isalnum, name)).casefold().removesuffix("tool")
