"""Where words and names stand in the bytes of a file."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator

from errlint.error_keywords import INSPECTION_NAMES, INSPECTION_PIECES, INSPECTION_TYPES

MANY = 100
"""From how many names on their places are looked for word by word."""


def mentions(data: bytes, names: Iterable[str]) -> list[int]:
    """Return where any of ``names`` stands in ``data`` as an identifier, in order."""
    return sorted(place for place, _ in mentions_by_name(data, names))


def mentioned(data: bytes, names: Iterable[str]) -> frozenset[str]:
    """Return those of ``names`` that occur as identifiers in ``data``."""
    asked = frozenset(names)
    if len(asked) < MANY:
        return frozenset(name for name in asked if next(_mentions(data, name.encode()), None) is not None)
    words = frozenset(_WORDS.findall(data))
    pieced = frozenset(name for name in asked if not _WORDS.fullmatch(name.encode()))
    whole = (name for name in asked - pieced if name.encode() in words)
    return frozenset((*whole, *(name for _, name in mentions_by_name(data, pieced))))


def counted(data: bytes, names: Iterable[str]) -> tuple[tuple[str, int], ...]:
    """Return those of ``names`` that occur in ``data`` as identifiers, sorted, each with how often."""
    return tuple(sorted(Counter(name for _, name in mentions_by_name(data, names)).items()))


def mentions_by_name(data: bytes, names: Iterable[str]) -> Iterator[tuple[int, str]]:
    """Yield where each of ``names`` stands in ``data`` as an identifier, in no certain order.

    However many names there are, the data is read once, but for names that begin with a sign.
    """
    asked = dict.fromkeys(names)
    words: dict[bytes, str] = {}
    lengths: dict[bytes, set[int]] = {}  # by the word that a name begins with
    for name in asked:
        first = _WORDS.match(name.encode()) if len(asked) >= MANY else None
        if first is None:
            yield from ((place, name) for place in _mentions(data, name.encode()))
        else:
            words[first.string] = name
            lengths.setdefault(first.group(), set()).add(len(first.string))
    for match in _WORDS.finditer(data) if words else ():
        start = match.start()
        for length in lengths.get(match.group(), ()):
            place = data[start : start + length]  # shorter at the end of the file
            known = words.get(place) if len(place) == length else None
            if known is not None and not _WORD.match(data, start + length):
                yield start, known


def calls_one(data: bytes, names: Iterable[str]) -> bool:
    """Whether ``data`` may look for an error in a result, and does something with the result of one of ``names``."""
    if next(inspection_places(data), None) is None:
        return False
    return any(_is_used(data, place, len(name.encode())) for place, name in mentions_by_name(data, names))


def _is_used(data: bytes, place: int, length: int) -> bool:
    """Whether the name at ``place`` is called there, not by a statement that does nothing else, and not defined."""
    if not _CALLED.match(data, place + length):
        return False
    before = data[data.rfind(b"\n", 0, place) + 1 : place].split()
    return before not in ([], [b"await"]) and before[-1] not in (b"def", b"class")


def _mentions(data: bytes, name: bytes) -> Iterator[int]:
    place = data.find(name) if name else -1
    while place >= 0:
        end = place + len(name)
        if not _WORD.match(data, end) and not (place and _WORD.match(data, place - 1)):
            yield place
        place = data.find(name, end)


_CALLED = re.compile(rb"(?:\.fn)?\(")
_WORD = re.compile(rb"[\w\x80-\xff]")
_WORDS = re.compile(rb"[\w\x80-\xff]+")


def inspection_places(data: bytes) -> Iterator[int]:
    """Yield where a result may be looked at for an error, in no certain order."""
    yield from places_of(data, INSPECTION_PIECES)
    yield from mentions(data, INSPECTION_NAMES)
    for match in INSPECTION_TYPES.finditer(data):
        yield match.start()


def places_of(data: bytes, needles: Iterable[str]) -> Iterator[int]:
    """Yield where one of ``needles`` stands, in no certain order."""
    for needle in needles:
        wanted = needle.encode()
        place = data.find(wanted)
        while place >= 0:
            yield place
            place = data.find(wanted, place + 1)
