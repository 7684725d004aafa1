"""Objects that a catalog shows: JSON as people write it for readers, with comments, ``...`` and notes between."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import NamedTuple

from errlint.error_keywords import ERROR_STATUS

_TOKEN = re.compile(r'"(?:[^"\\\n]|\\.)*(?:"|\\?(?=\n|\Z))|//[^\n]*|[{}\[\]:,\n]|[^\s"{}\[\]:,/]+|/')
_MESSAGES = ("message", "error_message", "detail", "error", "text")
"""The keys that carry the message of an error, the likeliest first."""

_TEXT_OF_RESULT = ("content", "text")
"""Where the text of an MCP result stands, in a list."""

CODES = frozenset({"code", "error_code", "errorCode", "error_type"})
"""The keys that carry the code of an error."""

ERROR_MARKS = CODES | {"detail", "error", "errors", "error_message", "errorMessage", "validation_errors", "hints"}
"""The keys by which an object is one of an error: a message alone may be anything."""


MAX_DEPTH = 50
"""Brackets in each other: what is deeper is no example for readers, and the text is read no further."""

_FAILED = frozenset({"validation_failed", "invalid", "not_found", "rejected", "denied"})
"""Statuses, besides those that say error, by which an answer says that it failed."""


class Member(NamedTuple):
    """One thing that an object says: the keys down to it, its text, whether it stands in a list, and its line.

    ``text`` is that of a string, number or word, ``None`` for a list or object, whose members follow.
    """

    keys: tuple[str, ...]
    text: str | None
    in_list: bool
    line: int
    is_string: bool = False

    @property
    def key(self) -> str:
        """Its own key."""
        return self.keys[-1] if self.keys else ""


def says_failure(status: str) -> bool:
    """Whether the status of an answer says that it failed."""
    return bool(ERROR_STATUS.fullmatch(status)) or status.lower() in _FAILED


def members(content: str, line: int) -> Iterator[Member]:
    """Yield all that the objects of a text say, in order; ``line`` is its first."""
    # The open brackets, with the keys down to each and whether it or one around it is that of a list.
    around: list[tuple[str, tuple[str, ...], bool]] = []
    key: str | None = None
    waiting: str | None = None
    for found in _TOKEN.finditer(content):
        token = found.group()
        if token == "\n":
            line += 1
        elif token.startswith("//"):
            continue
        elif token in "{[":
            keys = around[-1][1] if around else ()
            if key is not None:
                keys = (*keys, key)
                yield Member(keys, None, _in_list(around), line)
            if len(around) == MAX_DEPTH:
                return
            around.append((token, keys, _in_list(around) or token == "["))
            key = waiting = None
        elif token in "}]":
            if around:
                around.pop()
            key = waiting = None
        elif token == ":":
            key, waiting = waiting, None
        elif token == ",":
            key = waiting = None
        elif around and key is not None:
            yield Member((*around[-1][1], key), _read(token), _in_list(around), line, token[0] == '"')
            key = None
        elif around and around[-1][0] == "[":
            yield Member(around[-1][1], _read(token), True, line, token[0] == '"')
        elif around and token.startswith('"'):
            waiting = _read(token)


def _in_list(around: list[tuple[str, tuple[str, ...], bool]]) -> bool:
    return bool(around) and around[-1][2]


def _read(token: str) -> str:
    if not token.startswith('"'):
        return token
    try:
        return str(json.loads(token))
    except ValueError:
        return token[1:].removesuffix('"')


def error_members(content: str, line: int) -> tuple[Member, ...]:
    """Return the members of the error that a text shows, by their keys within it; an envelope around it is left out.

    The error is the innermost object outside of lists that has a message or code of its own, where there is one.
    """
    found = list(members(content, line))
    parents = [
        member.keys[:-1]
        for member in found
        if member.text is not None and not member.in_list and (member.key in _MESSAGES or member.key in CODES)
    ]
    inner = max((keys for keys in parents if not {"context", "details", "meta"} & {*keys}), key=len, default=())
    return tuple(
        member._replace(keys=member.keys[len(inner) :])
        for member in found
        if len(member.keys) > len(inner) and member.keys[: len(inner)] == inner
    )


def message_of(shown: tuple[Member, ...]) -> Member | None:
    """Return the message of an error that is shown."""
    for keys in (*((key,) for key in _MESSAGES), _TEXT_OF_RESULT):
        for member in shown:
            if member.keys == keys and member.is_string and (not member.in_list or keys == _TEXT_OF_RESULT):
                return member
    return None
