"""Binding: which error of the code a documented one is about.

Code and class narrow the errors down, the message decides between them: the entry is bound to *one* error, the one
whose template agrees with the documented text and has the most in common with it. Where several do, the tool that is
documented, the class and the code, and then the place in the code decide. Where none does, the nearest is told.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from errlint.catalog.templates import Template, agreement, difference, nearness
from errlint.catalog.text_index import TextIndex
from errlint.lazy import cached_property

if TYPE_CHECKING:
    from errlint.project.raised_errors import RaisedError


NEAR = 0.5
"""A text that is as near as this to one of the code is the same text, changed."""

NEAR_UNNAMED = 0.75
"""As :data:`NEAR`, for a text of which neither a code nor a class says that it is an error of this code."""


class DocumentedClaim(NamedTuple):
    """What an entry of a catalog says of one error: codes, names of classes, messages and tools, as far as it does.

    ``around`` are the titles that it stands below.
    """

    codes: tuple[str, ...] = ()
    classes: tuple[str, ...] = ()
    messages: tuple[Template, ...] = ()
    tools: tuple[str, ...] = ()
    around: tuple[str, ...] = ()


class BoundError(NamedTuple):
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


class Surfacing(tuple["RaisedError", ...]):
    """Errors that surface, in the order of the code, which are looked up by what entries name: many by many entries."""

    @cached_property
    def by_code(self) -> dict[str, list[int]]:
        """Which errors have a code, in lower case."""
        return self._index(lambda error: (str(code).casefold() for code in error.codes))

    @cached_property
    def by_class(self) -> dict[str, list[int]]:
        """Which errors are of the very class with a name, in full or its last part."""
        return self._index(lambda error: _spellings(error.names[:1]))

    @cached_property
    def by_base(self) -> dict[str, list[int]]:
        """As :attr:`by_class`, also of a class below it."""
        return self._index(lambda error: _spellings(error.names))

    @cached_property
    def texts(self) -> TextIndex:
        """The messages of the errors, by their positions."""
        return TextIndex((position, raised) for position, error in enumerate(self) for raised in error.messages)

    def may_agree(self, texts: Iterable[Template]) -> list[RaisedError]:
        """Return the errors whose messages may agree with one of some documented texts: no other does."""
        return [self[position] for position in sorted({each for said in texts for each in self.texts.may_agree(said)})]

    def may_be_near(self, texts: Iterable[Template]) -> list[RaisedError]:
        """Return the errors of which a message may be as near as :data:`NEAR` to one of some documented texts."""
        found = {each for said in texts for each in self.texts.may_be_near(said, NEAR)}
        return [self[position] for position in sorted(found)]

    def having(self, index: Mapping[str, list[int]], names: Iterable[str]) -> list[RaisedError]:
        """Return the errors that an index has below one of some names."""
        return [self[position] for position in sorted({each for name in names for each in index.get(name, ())})]

    def _index(self, names: Callable[[RaisedError], Iterable[str]]) -> dict[str, list[int]]:
        found: dict[str, list[int]] = {}
        for position, error in enumerate(self):
            for name in names(error):
                found.setdefault(name, []).append(position)
        return found


def candidates(documented: DocumentedClaim, errors: Iterable[RaisedError]) -> Sequence[RaisedError]:
    """Return the errors that an entry may be about: those that surface with its code, else of its class or below it.

    All that surface for an entry that names neither; none where nothing has its code or class.
    """
    known = errors if isinstance(errors, Surfacing) else Surfacing(error for error in errors if error.surfaces)
    if documented.codes:
        found = known.having(known.by_code, (code.casefold() for code in documented.codes))
        if found or not documented.classes:
            return found
    if documented.classes:
        return known.having(known.by_class, documented.classes) or known.having(known.by_base, documented.classes)
    return known


def bind(documented: DocumentedClaim, errors: Iterable[RaisedError]) -> BoundError | None:
    """Return the error that an entry is about, or the nearest one; ``None`` where no error has its code or class."""
    asked = candidates(documented, errors)
    known = errors if asked is errors and isinstance(errors, Surfacing) and documented.messages else None
    likely = asked if known is None else known.may_agree(documented.messages)
    bounds = [bound for bound in (_agreeing(documented, error) for error in likely) if bound is not None]
    if not bounds:
        likely = asked if known is None else known.may_be_near(documented.messages) or asked[:1]
        bounds = [_nearest(documented, error) for error in likely]
    best = max((_is_near(bound) for bound in bounds), default=(False, False))
    leading = (bound for bound in bounds if _is_near(bound) == best)  # only of these the rest of the rank is asked
    return max(leading, key=lambda bound: _rank(documented, bound), default=None)


def _is_near(bound: BoundError) -> tuple[bool, bool]:
    return bound.agrees, bound.score >= NEAR


def _agreeing(documented: DocumentedClaim, error: RaisedError) -> BoundError | None:
    """Return how an entry agrees with an error: by the two texts that have the most in common, always without texts."""
    if not documented.messages:
        return BoundError(error, True, 0.0)
    pairs = ((said, raised, agreement(said, raised)) for said in documented.messages for raised in error.messages)
    said, raised, score = max(pairs, key=_score, default=(None, None, 0.0))
    return BoundError(error, True, score, said, raised) if score > 0 else None


def _nearest(documented: DocumentedClaim, error: RaisedError) -> BoundError:
    """Compare an entry with an error that it does not agree with; what is less than near counts as nothing."""
    pairs = ((said, raised, nearness(said, raised, NEAR)) for said in documented.messages for raised in error.messages)
    said, raised, score = max(pairs, key=_score, default=(None, None, 0.0))
    return BoundError(error, False, score, said, raised)


def _score(pair: tuple[Template, Template, float]) -> float:
    return pair[2]


def _rank(documented: DocumentedClaim, bound: BoundError) -> tuple[bool, bool, float, bool, int, int]:
    """Return what decides between errors whose messages agree with an entry, or are near to it, alike."""
    error = bound.error
    names = [plain(name) for name in (*error.adapters, error.function)]
    of_tool = _is_named(documented.tools, names)
    below = _is_named(documented.around, names)
    # Of what is the same the first in the code.
    return (
        of_tool, below, bound.score, _is_of(error.names[:1], documented.classes),
        -error.span.line, -error.span.column,
    )  # fmt: skip


def _is_of(names: Sequence[str], classes: Sequence[str]) -> bool:
    """Whether one of some absolute names is meant by the name of a class, in full or by its last part."""
    return not set(classes).isdisjoint(_spellings(names))


def _spellings(names: Iterable[str]) -> set[str]:
    """Return absolute names, and their last parts."""
    return {each for name in names for each in (name, name.rpartition(".")[2])}


def _is_named(titles: Iterable[str], names: Sequence[str]) -> bool:
    """Whether a title, or a word of it, names one of some functions or tools."""
    for title in titles:
        for word in (title, *title.replace("`", " ").split()):
            asked = plain(word)
            if len(asked) > 2 and any(name.endswith(asked) for name in names):
                return True
    return False


def plain(name: str) -> str:
    """Return a name without what its spellings differ in: ``SearchTool.execute`` is ``search``."""
    name = name.removesuffix(".execute").rpartition(".")[2]
    return "".join(filter(str.isalnum, name)).casefold().removesuffix("tool")
