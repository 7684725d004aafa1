"""Message templates: literal text with holes, as the code raises it and as people document it.

A documented text has holes of its own (``{name}``, ``<name>``, ``...``, ``%s``, a lone ``X``) and, where the code has
holes, examples (``'orders'``, ``42``). :func:`agrees` allows for both, for case, markup and final punctuation, and asks
for enough literal text: a template that is nearly all holes says nothing. :func:`nearness` and :func:`difference` tell
how far a text is off that does not agree.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterable, Mapping, Sequence
from difflib import SequenceMatcher
from functools import lru_cache
from http import HTTPStatus
from typing import NamedTuple

MAX_WORDS = 200
"""Texts are compared up to so many words."""

_LEAST_SHARE = 0.25
"""The least share of the documented letters, examples left out, that has to be literal text of the code."""

_LEAST_OWN = 0.5
"""The least share of the literal letters of the code that a documented text has to have, unless it is cut short."""

_LEAST_WORDS = 0.4
"""The least share of words among the words and holes of a template of the code."""

_FEW_WORDS = 2
"""So many words may be a sentence."""

_PHRASES = frozenset(status.phrase.casefold() for status in HTTPStatus)

_CUT = 0.95
"""How near the same beginning of a longer text is: what is alike as a whole is nearer."""

ELLIPSIS = "..."
"""The name of the hole by which a documented text is cut short."""


class Hole(NamedTuple):
    """A part of a text that differs from case to case; ``name`` is what stands there, "" where it has no name."""

    name: str = ""


class Template(NamedTuple):
    """A text with holes, in order: literal pieces are never empty and never next to each other."""

    parts: tuple[str | Hole, ...]

    def __str__(self) -> str:
        """Write the text with its holes in braces."""
        return "".join(part if isinstance(part, str) else _written(part) for part in self.parts)


def _written(hole: Hole) -> str:
    return ELLIPSIS if hole.name == ELLIPSIS else f"{{{hole.name}}}"


def template(parts: Sequence[str | Hole]) -> Template:
    """Return a template of pieces: neighbours are joined, empty ones left out."""
    joined: list[str | Hole] = []
    for part in parts:
        last = joined[-1] if joined else None
        if isinstance(part, str):
            if isinstance(last, str):
                joined[-1] = last + part
            elif part:
                joined.append(part)
        elif not isinstance(last, Hole):
            joined.append(part)
        elif not last.name:
            joined[-1] = part
    return Template(tuple(joined))


def distinct(texts: Iterable[Template]) -> tuple[Template, ...]:
    """Return templates in their order, each once whatever its holes are called."""
    found: dict[tuple[str | None, ...], Template] = {}
    for text in texts:
        found.setdefault(tuple(part if isinstance(part, str) else None for part in text.parts), text)
    return tuple(found.values())


_HOLE = re.compile(
    r"""
      \{\{?\s*(?P<braces>[\w.\[\]'"()]*)[^{}\n]{0,40}\}\}?    # {name}, {}, {len(rows)}, {{name}}
    | <\s*(?P<angles>[\w][\w .:/|-]{0,40})\s*>                # <name>
    | \$\{(?P<dollar>\w+)\}                                   # ${name}
    | %(?:\((?P<percent>\w+)\))?[-+\#0]{0,8}[\d.]{0,8}[sdrfiux](?!\w) # %s, %(name)s, %.2f
    | (?P<cut>\.\.\.|…)
    | (?<![\w'-])[XYZN](?![\w'-])                             # a lone X
    | (?<!\w)X{2,}(?!\w)                                      # XXX
    | \[(?P<square>[a-z]+(?:[_ ][a-z]+)+|name|id|path|value|reason|error|details?)\]  # [table name]
    """,
    re.VERBOSE,
)


def documented(text: str) -> Template:
    """Return the template that a documented text is, without its markup."""
    text = html.unescape(re.sub(r"\\([\\`*_{}\[\]()#+.!|<>-])", r"\1", text))
    parts: list[str | Hole] = []
    end = 0
    for found in _HOLE.finditer(text):
        parts.append(text[end : found.start()])
        parts.append(Hole(ELLIPSIS if found["cut"] else next((name for name in found.groups() if name), "")))
        end = found.end()
    parts.append(text[end:])
    return template(parts)


# --- words ------------------------------------------------------------------------------------------------------

_QUOTES = str.maketrans("", "", "`*\"'“”‘’«»")
_WORD = re.compile(r"\w+(?:[-./@:]\w+)*|\S")
_QUOTED = re.compile(r"(?<!\w)(?:'[^'\n]{1,60}'|\"[^\"\n]{1,60}\"|`[^`\n]{1,60}`)(?!\w)")
_FINAL = ".!;:, "


class _Token(NamedTuple):
    """A word or sign: ``key`` in lower case, ``None`` for a hole; ``is_example`` where it may fill one of the code.

    ``letters`` is the number of letters of a word: signs and numbers say nothing about which message it is.
    """

    key: str | None
    written: str
    is_spaced: bool
    is_example: bool = False
    letters: int = 0


@lru_cache(maxsize=16384)
def _tokens(subject: Template) -> tuple[_Token, ...]:
    """Return a template as words, without quotes, markup and final punctuation."""
    found: list[_Token] = []
    is_spaced = False
    for part in subject.parts:
        if isinstance(part, Hole):
            found.append(_Token(None, _written(part), is_spaced))
            is_spaced = False
            continue
        quoted = bytearray(len(part))
        for match in _QUOTED.finditer(part):
            quoted[match.start() : match.end()] = b"\1" * len(match.group())
        end = 0
        for match in _WORD.finditer(part):
            gap, end = part[end : match.start()], match.end()
            is_spaced = is_spaced or bool(gap)
            word = match.group().translate(_QUOTES)
            if word:
                is_example = word[0].isdigit() or bool(quoted[match.start()])
                key = word.casefold()
                found.append(_Token(key, word, is_spaced, is_example, sum(map(str.isalpha, key))))
                is_spaced = False
        is_spaced = is_spaced or end < len(part)
    while found and found[-1].key is not None and not found[-1].key.strip(_FINAL):
        found.pop()
    return tuple(found[:MAX_WORDS])


class _Read(NamedTuple):
    """What comparisons ask of a template: its words, those with the letters they have in it, and all letters.

    ``examples`` are the letters of what may be an example, ``names`` the holes that have a name, as they are written.
    """

    tokens: tuple[_Token, ...]
    words: dict[str, int]
    letters: int
    examples: int
    has_holes: bool
    is_telling: bool
    names: frozenset[str]


@lru_cache(maxsize=16384)
def _read(subject: Template) -> _Read:
    tokens = _tokens(subject)
    words: dict[str, int] = {}
    for token in tokens:
        if token.key is not None:
            words[token.key] = words.get(token.key, 0) + token.letters
    holes = sum(token.key is None for token in tokens)
    telling = sum(token.letters > 1 for token in tokens)
    return _Read(
        tokens,
        words,
        sum(words.values()),
        sum(token.letters for token in tokens if token.is_example),
        holes > 0,
        telling > (1 if holes else 0) and telling >= _LEAST_WORDS * (telling + holes),
        frozenset(token.written for token in tokens if token.key is None and token.written not in ("{}", ELLIPSIS)),
    )


def words(subject: Template) -> Mapping[str, int]:
    """Return the words of the literal text of a template in lower case, with the letters that they have in it."""
    return _read(subject).words


def letters_told(said: Template) -> int:
    """Return the number of letters of a documented text, what may be an example left out."""
    return _read(said).letters - _read(said).examples


def has_holes(subject: Template) -> bool:
    """Whether a template is more than its literal text, as far as it is compared."""
    return _read(subject).has_holes


def is_cut(said: Template) -> bool:
    """Whether a documented text leaves out what it ends with, or something in between."""
    return Hole(ELLIPSIS) in said.parts


def is_telling(subject: Template) -> bool:
    """Whether a template has enough literal text to be told from others: two words, and not nearly all holes."""
    return _read(subject).is_telling


def is_common(subject: Template) -> bool:
    """Whether a text says nothing of its own: a word alone, or what a status of HTTP is called."""
    words = [token.key for token in _tokens(subject) if token.letters > 1 and token.key is not None]
    return len(words) < _FEW_WORDS or " ".join(words) in _PHRASES


def agrees(said: Template, raised: Template) -> bool:
    """Whether a documented text is one that a template of the code can produce."""
    return agreement(said, raised) > 0


def agreement(said: Template, raised: Template) -> float:
    """Return how much literal text a documented text shares with the template it agrees with; 0 where it does not.

    1 is the same text word for word: of several templates that agree, the one with the most in common is meant.
    """
    document, code = _read(said), _read(raised)
    if not code.is_telling:
        return 0.0
    is_whole = not is_cut(said)
    most = sum(code.words[word] for word in document.words.keys() & code.words.keys())
    if is_whole and most < _LEAST_OWN * code.letters and not _fits(said, raised):
        return 0.0  # the rest takes longer, and finds no more
    common = document.names & code.names
    shared = _aligned(document.tokens, code.tokens, common) if _may_align(document, code) else -1
    if shared <= 0 and not (common and common == code.names) and _fits(said, raised):
        shared = code.letters
    if shared <= 0 or shared < _LEAST_SHARE * (document.letters - document.examples):
        return 0.0
    if is_whole and shared < _LEAST_OWN * code.letters:
        return 0.0
    return 2 * shared / (max(document.letters, shared) + code.letters)


LEAST_OF_CODE = _LEAST_OWN
"""No whole text agrees with one of the code that has a smaller share of its letters, unless its pieces stand in it."""


def longest_piece(raised: Template) -> str:
    """Return the longest literal piece of a template of the code, as it has to stand in a text that it fits."""
    pieces = (_plain(part).strip(_FINAL) for part in raised.parts if isinstance(part, str))
    return max(pieces, key=len, default="")


def plain(said: Template) -> str:
    """Return a documented text as one in which pieces of the code are looked for."""
    return _joined(said)


def _may_align(document: _Read, code: _Read) -> bool:
    """Whether each text has all words of the other, as it has to where it has no hole that stands for some."""
    ours, theirs = document.words.keys(), code.words.keys()
    return (document.has_holes or theirs <= ours) and (code.has_holes or ours <= theirs)


def _aligned(document: Sequence[_Token], code: Sequence[_Token], common: frozenset[str] = frozenset()) -> int:
    """Return the most letters that two texts share when the holes of each stand for what the other says.

    -1 where nothing makes them the same. Holes that are ``common`` to both stand for each other, and for no words.
    """

    def is_bound(token: _Token) -> bool:
        return token.key is None and token.written in common

    row = [0]  # row[j]: the best for the words read of the document and j words of the code, -1 where they differ
    for theirs in code:
        row.append(row[-1] if theirs.key is None and not is_bound(theirs) else -1)
    for ours in document:
        before, row = row, [row[0] if ours.key is None and not is_bound(ours) else -1]
        for column, theirs in enumerate(code):
            if (is_bound(ours) and theirs.key is not None) or (is_bound(theirs) and ours.key is not None):
                best = -1
            elif is_bound(ours) and is_bound(theirs):
                best = before[column]
            elif ours.key is None or theirs.key is None:
                # A hole stands for nothing, for one word, or for one more of them.
                best = max(before[column], before[column + 1], row[column])
            elif ours.key == theirs.key and before[column] >= 0:
                best = before[column] + ours.letters
            else:
                best = -1
            row.append(best)
    return row[-1]


def _fits(said: Template, raised: Template) -> bool:
    """Whether the pieces of a template stand in a documented text, in their order: holes may be parts of words."""
    text = _joined(said)
    parts = raised.parts
    position = 0
    for index, part in enumerate(parts):
        if isinstance(part, Hole):
            continue
        piece = _plain(part)
        is_last = index == len(parts) - 1
        piece = piece.rstrip(_FINAL) if is_last else piece
        if index == 0:
            if not text.startswith(piece.lstrip()):
                return False
            position = len(piece.lstrip())
            if is_last:
                return position == len(text)
        elif is_last:
            return text.endswith(piece) and len(text) - len(piece) >= position
        else:
            position = text.find(piece, position)
            if position < 0:
                return False
            position += len(piece)
    return True


@lru_cache(maxsize=16384)
def _joined(subject: Template) -> str:
    return _plain("".join(part if isinstance(part, str) else "\0" for part in subject.parts)).strip(_FINAL)


@lru_cache(maxsize=16384)
def _plain(text: str) -> str:
    return re.sub(r"\s+", " ", text.translate(_QUOTES)).casefold()


# --- texts that do not agree ------------------------------------------------------------------------------------


def nearness(said: Template, raised: Template, least: float = 0.0) -> float:
    """Return how near two texts are, word by word: 0 nothing in common, 1 the same but for holes and examples.

    People cut texts short: what is longer in the code is compared by its beginning too. Texts that cannot be as near as
    ``least``, by the words that both have in any order, are not compared: 0 as well.
    """
    ours, theirs = _read(said), _read(raised)
    both = sum(ours.words[word] for word in ours.words.keys() & theirs.words.keys())
    document, code = ours.tokens, theirs.tokens
    if not both or 2 * both < least * _letters(document, code[: len(document)]):
        return 0.0
    whole = _shared(document, code)
    return max(whole, _CUT * _shared(document, code[: len(document)])) if len(code) > len(document) else whole


def _shared(document: Sequence[_Token], code: Sequence[_Token]) -> float:
    """Return the share of the letters of two texts that stand in both, from 0 to 1."""
    shared = sum(
        token.letters
        for first, start, size in _matcher(document, code).get_matching_blocks()
        for token, theirs in zip(document[first : first + size], code[start : start + size], strict=True)
        if theirs.key is not None
    )
    whole = _letters(document, code)
    return min(1.0, 2 * shared / whole) if whole else 0.0


def _letters(document: Sequence[_Token], code: Sequence[_Token]) -> int:
    """Return the letters of two texts, examples of the documented one left out."""
    return sum(token.letters for token in document if not token.is_example) + sum(token.letters for token in code)


def difference(said: Template, raised: Template) -> str:
    """Return how a documented text differs from the code's, word by word: ``[-said-]`` and ``{+raised+}``."""
    document, code = _tokens(said), _tokens(raised)
    written: list[str] = []

    def add(tokens: Sequence[_Token], opening: str = "", closing: str = "") -> None:
        if tokens:
            words = "".join(f"{' ' * token.is_spaced}{token.written}" for token in tokens)
            written.append(f"{' ' if written and words[0] == ' ' else ''}{opening}{words.strip()}{closing}")

    for how, first, last, start, end in _matcher(document, code).get_opcodes():
        ours, theirs = document[first:last], code[start:end]
        if how == "equal":
            add(theirs)
            continue
        add(ours, "[-", "-]")
        if ours and theirs:
            written.append(" ")
            theirs = (theirs[0]._replace(is_spaced=False), *theirs[1:])
        add(theirs, "{+", "+}")
    return "".join(written)


def _matcher(document: Sequence[_Token], code: Sequence[_Token]) -> SequenceMatcher[str]:
    """Compare two texts word by word: an example that the code does not have is a hole."""
    theirs = {token.key for token in code}
    ours = [
        "" if token.key is None or (token.is_example and token.key not in theirs) else token.key for token in document
    ]
    return SequenceMatcher(None, ours, [token.key or "" for token in code], autojunk=False)
