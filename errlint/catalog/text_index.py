"""Which of many texts of the code may agree with a documented one, or be near to it, found by their words.

Comparing two texts takes long. What is left out here is nothing that :func:`errlint.catalog.templates.agreement` or
:func:`errlint.catalog.templates.nearness` would tell.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping

from errlint.catalog.templates import (
    LEAST_OF_CODE,
    Template,
    has_holes,
    is_cut,
    letters_told,
    longest_piece,
    plain,
    words,
)
from errlint.lazy import cached_property


class TextIndex:
    """Texts of the code, each with the position of what has it; one position may have several texts."""

    def __init__(self, texts: Iterable[tuple[int, Template]]) -> None:
        self.texts = tuple(texts)

    def may_agree(self, said: Template) -> set[int]:
        """Return the positions of the texts that may agree with a documented one."""
        if is_cut(said):
            return {position for position, _ in self.texts}
        whole = plain(said)
        found = {position for position, piece in self._pieces if piece in whole}
        # A text without holes has all the words of one that it agrees with.
        index = self._by_deciding if has_holes(said) else self._by_rarest
        found.update(position for word in words(said) for position in index.get(word, ()))
        return found

    def may_be_near(self, said: Template, least: float) -> set[int]:
        """Return the positions of the texts that may be as near to a documented one as ``least``."""
        deciding = self._deciding(words(said), least / 2 * letters_told(said))
        return {position for word in deciding for position in self._by_word.get(word, ())}

    @cached_property
    def _pieces(self) -> tuple[tuple[int, str], ...]:
        return tuple((position, longest_piece(text)) for position, text in self.texts)

    @cached_property
    def _by_word(self) -> dict[str, list[int]]:
        return _index((word, position) for position, text in self.texts for word in words(text))

    @cached_property
    def _by_rarest(self) -> dict[str, list[int]]:
        return _index((min(words(text), key=self._rarity, default=""), position) for position, text in self.texts)

    @cached_property
    def _by_deciding(self) -> dict[str, list[int]]:
        return _index(
            (word, position)
            for position, text in self.texts
            for word in self._deciding(words(text), LEAST_OF_CODE * sum(words(text).values()))
        )

    def _deciding(self, letters: Mapping[str, int], least: float) -> Iterator[str]:
        """Yield the rarest words of a text: what has none of them has less than ``least`` letters of it."""
        left = sum(letters.values())
        for word in sorted(letters, key=self._rarity):
            if left < least:
                return
            yield word
            left -= letters[word]

    def _rarity(self, word: str) -> tuple[int, str]:
        return self._counts[word], word

    @cached_property
    def _counts(self) -> Counter[str]:
        return Counter(word for _, text in self.texts for word in words(text))


def _index(pairs: Iterable[tuple[str, int]]) -> dict[str, list[int]]:
    found: dict[str, list[int]] = {}
    for word, position in pairs:
        found.setdefault(word, []).append(position)
    return found
