"""Regular expressions of settings, matched in time linear in the text: no pattern of a stranger can hang a run.

Python's ``re`` tries one way after the other, and `(a|a+)+` has more ways than a run has time. Here all ways are
followed at once (Glushkov's automaton: one state for each character of the pattern). What needs more than that,
such as lookarounds and backreferences, is refused when the settings are read. The tests compare with ``re``.
The libraries that match like this have no wheels for every system that errlint is installed on.
"""

from __future__ import annotations

import re
import warnings
from functools import lru_cache
from typing import NamedTuple

MAX_LENGTH = 1_000
MAX_STATES = 300
MAX_DEPTH = 20
_MAX_KEPT = 2_000

_REPEAT = re.compile(r"[*+?]|\{(?P<least>[0-9]*)(?:(?P<comma>,)(?P<most>[0-9]*))?\}")
_ESCAPE = re.compile(r"\\(?:[dDwWsSafnrtv\\]|[^\w\s]|x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4}| )")
_GROUP = re.compile(r"\((?:\?:|\?P<[A-Za-z_]\w*>|(?!\?))")


@lru_cache(maxsize=1024)
def compiled(pattern: str) -> Regular:
    """Return the automaton of a regular expression.

    Raises ``ValueError``, whose text goes on from the name of the setting, for what is no expression or too large,
    and for what cannot be matched in linear time.
    """
    return Regular(pattern)


class Regular:
    """A regular expression of settings; it is asked about whole texts only."""

    __slots__ = ("_accepting", "_after", "_follow", "_members", "_of_character", "_start")

    def __init__(self, pattern: str) -> None:
        if len(pattern) > MAX_LENGTH:
            raise ValueError(f"is longer than {MAX_LENGTH:,} characters")
        parser = _Parser(pattern)
        whole = parser.whole()
        self._members = parser.members
        self._follow = parser.follow
        # State 0 stands before the text: a text is accepted in it where the expression matches nothing at all.
        self._start = whole.first
        self._accepting = whole.last | (1 if whole.is_nullable else 0)
        self._of_character: dict[str, int] = {}
        self._after: dict[int, int] = {}

    def matches(self, text: str) -> bool:
        """Return whether the expression matches ``text`` as a whole."""
        states = 1
        expected = self._start
        for char in text:
            states = expected & self._readers(char)
            if not states:
                return False
            expected = self._expected(states)
        return bool(states & self._accepting)

    def _readers(self, char: str) -> int:
        """Return the states that are reached by reading a character."""
        found = self._of_character.get(char)
        if found is None:
            found = 0
            for member, states in self._members.items():
                if member.match(char):
                    found |= states
            self._of_character[char] = found
        return found

    def _expected(self, states: int) -> int:
        """Return the states that may follow on one of ``states``."""
        found = self._after.get(states)
        if found is None:
            found = 0
            for state in _bits(states):
                found |= self._follow[state]
            if len(self._after) >= _MAX_KEPT:
                self._after.clear()
            self._after[states] = found
        return found


class _Automaton(NamedTuple):
    """A part of an expression: whether it matches nothing, the states it begins with and those it ends with."""

    is_nullable: bool
    first: int
    last: int


_EMPTY = _Automaton(True, 0, 0)


class _Parser:
    """Reads an expression from left to right and makes its states; copies of a repeated part are read anew."""

    def __init__(self, pattern: str) -> None:
        self._pattern = pattern
        self._position = 0
        self.follow: list[int] = [0]
        self.members: dict[re.Pattern[str], int] = {}

    def whole(self) -> _Automaton:
        part = self._alternatives(0)
        if self._position < len(self._pattern):
            raise _malformed("unbalanced parenthesis")
        return part

    def _alternatives(self, depth: int) -> _Automaton:
        if depth > MAX_DEPTH:
            raise ValueError(f"has more than {MAX_DEPTH} groups in each other")
        is_nullable, first, last = self._sequence(depth)
        while self._takes("|"):
            other = self._sequence(depth)
            is_nullable, first, last = is_nullable or other.is_nullable, first | other.first, last | other.last
        return _Automaton(is_nullable, first, last)

    def _sequence(self, depth: int) -> _Automaton:
        part = _EMPTY
        begin = self._position
        while (char := self._next()) and char not in "|)":
            behind = self._pattern[self._position + 1 : self._position + 2]
            if depth == 0 and ((char == "^" and self._position == begin) or (char == "$" and behind in ("", "|"))):
                self._position += 1  # a whole text is matched anyway
            else:
                part = self._chained(part, self._repeated(depth))
        return part

    def _repeated(self, depth: int) -> _Automaton:
        begin = self._position
        part = self._atom(depth)
        found = _REPEAT.match(self._pattern, self._position)
        if found is None or found.group() == "{}":
            return part
        end = found.end()
        if self._pattern[end : end + 1] == "?":
            end += 1  # whole texts are matched: it does not matter which way is tried first
        if self._pattern[end : end + 1] == "+":
            raise _unsupported("a possessive repetition")
        again = _REPEAT.match(self._pattern, end)
        if again is not None and again.group() != "{}":
            raise _malformed("multiple repeat")
        least, most = _bounds(found)
        if not part.first:
            self._position = end
            return part
        copies = [part]
        for _ in range(1, most or max(least, 1)):
            self._position = begin
            copies.append(self._atom(depth))
        self._position = end
        if most is None:
            self._chain(copies[-1].last, copies[-1].first)
        whole = _EMPTY
        for number, copy in enumerate(copies if most != 0 else ()):
            whole = self._chained(whole, copy._replace(is_nullable=copy.is_nullable or number >= least))
        return whole

    def _atom(self, depth: int) -> _Automaton:
        char = self._next()
        if char == "(":
            group = _GROUP.match(self._pattern, self._position)
            if group is None:
                raise _unsupported(f"`{self._pattern[self._position : self._position + 3]}`")
            self._position = group.end()
            part = self._alternatives(depth + 1)
            if not self._takes(")"):
                raise _malformed("missing ), unterminated subpattern")
            return part
        if char in "*+?":
            raise _malformed("nothing to repeat")
        if char in "^$":
            raise _unsupported(f"`{char}` other than at its ends")
        if char == "[":
            return self._state(self._set())
        if char == "\\":
            escape = _ESCAPE.match(self._pattern, self._position)
            if escape is None:
                raise _unsupported(f"`{self._pattern[self._position : self._position + 2]}`")
            self._position = escape.end()
            return self._state(escape.group())
        self._position += 1
        return self._state("." if char == "." else re.escape(char))

    def _set(self) -> str:
        """Return the text of a set of characters, with its brackets."""
        pattern, begin = self._pattern, self._position
        position = begin + 1
        position += pattern[position : position + 1] == "^"
        position += pattern[position : position + 1] == "]"
        while pattern[position : position + 1] != "]":
            if position >= len(pattern):
                raise _malformed("unterminated character set")
            position += 2 if pattern[position] == "\\" else 1
        self._position = position + 1
        return pattern[begin : self._position]

    def _state(self, member: str) -> _Automaton:
        """Make a state that reads one character."""
        if len(self.follow) > MAX_STATES:
            raise ValueError(f"is too large: it stands for more than {MAX_STATES} characters in a row")
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                matcher = re.compile(member)
        except re.error as error:
            raise _malformed(error.msg) from None
        bit = 1 << len(self.follow)
        self.follow.append(0)
        self.members[matcher] = self.members.get(matcher, 0) | bit
        return _Automaton(False, bit, bit)

    def _chained(self, part: _Automaton, after: _Automaton) -> _Automaton:
        self._chain(part.last, after.first)
        return _Automaton(
            part.is_nullable and after.is_nullable,
            part.first | (after.first if part.is_nullable else 0),
            after.last | (part.last if after.is_nullable else 0),
        )

    def _chain(self, last: int, first: int) -> None:
        for state in _bits(last):
            self.follow[state] |= first

    def _next(self) -> str:
        return self._pattern[self._position : self._position + 1]

    def _takes(self, char: str) -> bool:
        if self._next() != char:
            return False
        self._position += 1
        return True


def _bounds(repeat: re.Match[str]) -> tuple[int, int | None]:
    """Return how often a part stands at least and at most; ``None`` for any number."""
    simple = {"*": (0, None), "+": (1, None), "?": (0, 1)}.get(repeat.group())
    if simple is not None:
        return simple
    # No more digits than a number of states can have: `int` takes long for very many.
    least, most = (min(int(text[:6]), 10**6) if text else None for text in repeat.group("least", "most"))
    if not repeat["comma"]:
        return least or 0, least or 0
    if most is not None and most < (least or 0):
        raise _malformed("min repeat greater than max repeat")
    return least or 0, most


def _bits(states: int) -> list[int]:
    found = []
    while states:
        lowest = states & -states
        found.append(lowest.bit_length() - 1)
        states ^= lowest
    return found


def _malformed(why: str) -> ValueError:
    return ValueError(f"is not a regular expression: {why}")


def _unsupported(what: str) -> ValueError:
    return ValueError(f"may not have {what}: it cannot be matched in a time that is known beforehand")
