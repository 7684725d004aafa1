"""Where the keys of a TOML text stand. The standard library's reader gives values without positions.

Only called to say where an error is, for ``--show-settings``, and to add keys. The TOML reader has accepted the text
before, so nothing here looks for mistakes.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import NamedTuple

from errlint.settings.toml_reader import parse

Key = tuple[str | int, ...]
"""A way into a document: names of keys, and indices of list items and of tables in arrays of tables."""

_BLANK = re.compile(r"(?:[ \t\r\n]|#[^\n]*)*")
_KEY_PART = re.compile(r"""[A-Za-z0-9_-]+|"(?:[^"\\\n]|\\.)*"|'[^'\n]*'""")
_STRING = re.compile(
    r'''"""(?:[^"\\]|\\.|"{1,2}(?!"))*"{3,5}'''
    r"""|\'\'\'(?:[^']|'{1,2}(?!'))*'{3,5}"""
    r'''|"(?:[^"\\\n]|\\.)*"'''
    r"""|'[^'\n]*'""",
    re.DOTALL,
)
_OTHER_VALUE = re.compile(r"[^,\]}#\n]+")


class Position(NamedTuple):
    """A line and a column, both from 1."""

    line: int
    column: int


class Statement(NamedTuple):
    """A header or a ``key = value``: its whole key, the table that it stands in, and its offsets in the text.

    The table of a header is the one that it opens.
    """

    key: Key
    table: Key
    is_header: bool
    start: int
    end: int


class Outline(NamedTuple):
    """The statements of a text in their order, and the offsets of each value, also of those inside of others."""

    statements: tuple[Statement, ...]
    values: Mapping[Key, tuple[int, int]]


def outline(text: str) -> Outline:
    """Return where the statements and values of a text begin and end."""
    scanner = _Scanner(text)
    scanner.document()
    return Outline(tuple(scanner.statements), scanner.values)


def find_keys(text: str) -> Mapping[Key, Position]:
    """Return the position of every key, table header and list item: of the first mention of each."""
    scanner = _Scanner(text)
    scanner.document()
    return {key: _position(text, offset) for key, offset in scanner.found.items()}


def nearest(keys: Mapping[Key, Position], key: Key) -> Position | None:
    """Return the position of ``key``, or of the innermost table around it that the text mentions."""
    return next((keys[key[:length]] for length in range(len(key), 0, -1) if key[:length] in keys), None)


def _position(text: str, offset: int) -> Position:
    start = text.rfind("\n", 0, offset) + 1
    return Position(text.count("\n", 0, offset) + 1, offset - start + 1)


class _Scanner:
    """One pass over the text; ``found`` maps each key to its offset, ``values`` to where its value begins and ends."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.offset = 0
        self.found: dict[Key, int] = {}
        self.tables_in_array: dict[Key, int] = {}
        self.values: dict[Key, tuple[int, int]] = {}
        self.statements: list[Statement] = []

    def document(self) -> None:
        table: Key = ()
        self.blank()
        while self.offset < len(self.text):
            start = self.offset
            is_header = self.text[start] == "["
            if is_header:
                table = key = self.header()
            else:
                key = self.pair(table)
            self.statements.append(Statement(key, table, is_header, start, self.offset))
            self.blank()

    def header(self) -> Key:
        """``[a.b]`` or ``[[a.b]]``: the table that the following pairs belong to."""
        is_array = self.text.startswith("[[", self.offset)
        self.offset += 2 if is_array else 1
        table: Key = ()
        parts = self.dotted_key()
        for position, (part, offset) in enumerate(parts):
            table = (*table, part)
            self.found.setdefault(table, offset)
            is_last = position == len(parts) - 1
            if is_array and is_last:
                self.tables_in_array[table] = self.tables_in_array.get(table, -1) + 1
            if table in self.tables_in_array:
                table = (*table, self.tables_in_array[table])
                self.found.setdefault(table, offset)
        self.blank()
        self.offset += 2 if is_array else 1
        return table

    def pair(self, table: Key) -> Key:
        """Skip ``key = value``; return the whole key."""
        for part, offset in self.dotted_key():
            table = (*table, part)
            self.found.setdefault(table, offset)
        self.blank()
        self.offset += 1  # the equals sign
        self.blank()
        self.value(table)
        return table

    def dotted_key(self) -> list[tuple[str, int]]:
        """Return the parts of a key and their offsets, the scanner behind them."""
        parts = []
        while True:
            self.blank()
            match = _KEY_PART.match(self.text, self.offset)
            if match is None:  # pragma: no cover - the reader refuses such a text
                raise ValueError(f"no key at offset {self.offset}")
            parts.append((_name(match.group()), self.offset))
            self.offset = match.end()
            self.blank()
            if not self.text.startswith(".", self.offset):
                return parts
            self.offset += 1

    def value(self, key: Key) -> None:
        start = self.offset
        char = self.text[start]
        if char == "[":
            self.items(key)
        elif char == "{":
            self.inline_table(key)
        else:
            match = _STRING.match(self.text, self.offset) or _OTHER_VALUE.match(self.text, self.offset)
            self.offset = match.end() if match else self.offset + 1
        self.values.setdefault(key, (start, self.offset))

    def items(self, key: Key) -> None:
        """Skip ``[a, b, c,]``."""
        self.offset += 1
        self.blank()
        index = 0
        while self.text[self.offset] != "]":
            self.found.setdefault((*key, index), self.offset)
            self.value((*key, index))
            index += 1
            self.separator()
        self.offset += 1

    def inline_table(self, key: Key) -> None:
        """Skip ``{ a = 1, b = 2 }``."""
        self.offset += 1
        self.blank()
        while self.text[self.offset] != "}":
            self.pair(key)
            self.separator()
        self.offset += 1

    def separator(self) -> None:
        self.blank()
        if self.text[self.offset] == ",":
            self.offset += 1
            self.blank()

    def blank(self) -> None:
        """Skip spaces, line ends and comments."""
        match = _BLANK.match(self.text, self.offset)
        if match:
            self.offset = match.end()


def _name(part: str) -> str:
    """Return a part of a key without its quotes and escapes."""
    return part if part[0] not in "\"'" else str(parse(f"name = {part}")["name"])
