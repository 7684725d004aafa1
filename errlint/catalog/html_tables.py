"""Tables that a Markdown file holds as HTML, cell by cell.

The parser of the standard library reads what is never closed again and again, and fails on some declarations; tags are
all that is asked for here.
"""

from __future__ import annotations

import re
from html import unescape
from typing import NamedTuple

_CELLS = frozenset({"td", "th"})
_MARKS = re.compile(r"<(?P<end>/?)table\b[^<>]*>", re.IGNORECASE)


_TAG = re.compile(
    r"<!--(?:(?!<!--).)*?-->|<(?P<end>/?)(?P<name>[a-z][a-z0-9-]*)(?P<attributes>(?:\s[^<>]*|/)?)>",
    re.IGNORECASE | re.DOTALL,
)
_TARGET = re.compile(r"""\shref\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"']+))""", re.IGNORECASE)


class Cell(NamedTuple):
    """A cell: its text without tags, the contents of ``<code>``, the targets of its links, and where its text begins.

    ``line`` is counted from 0 within the HTML, ``column`` from 1.
    """

    text: str
    codes: tuple[str, ...]
    links: tuple[str, ...]
    line: int
    column: int


def tables(html: str) -> list[list[list[Cell]]]:
    """Return the rows of each table of some HTML; a table inside of a cell is text of that cell."""
    reader = _TableParser(html)
    reader.read()
    return [rows for rows in reader.tables if rows]


def ending(html: str, start: int = 0) -> int:
    """Return where the first table of some HTML behind ``start`` ends, the length of the text where it does not."""
    depth = 0
    for found in _MARKS.finditer(html, start):
        depth += -1 if found["end"] else 1
        if not depth:
            return found.end()
    return len(html)


class _TableParser:
    def __init__(self, html: str) -> None:
        self.tables: list[list[list[Cell]]] = []
        self._html = html
        self._line = 0  # of what is read
        self._begin = 0  # where that line begins
        self._at = 0
        self._depth = 0
        self._is_in_cell = False
        self._text: list[str] = []
        self._codes: list[list[str]] = []
        self._links: list[str] = []
        self._is_in_code = False
        self._start: tuple[int, int] | None = None

    def read(self) -> None:
        """Read all tags and the text between them."""
        for found in _TAG.finditer(self._html):
            self._data(self._html[self._at : found.start()])
            self._go_to(found.start())
            name = (found["name"] or "").lower()
            if found["end"]:
                self._closes(name)
            elif name:
                self._opens(name, found["attributes"])
            self._go_to(found.end())
        self._data(self._html[self._at :])

    def _go_to(self, offset: int) -> None:
        lines = self._html.count("\n", self._at, offset)
        if lines:
            self._line += lines
            self._begin = self._html.rindex("\n", self._at, offset) + 1
        self._at = offset

    def _opens(self, tag: str, attributes: str) -> None:
        if tag == "table":
            self._depth += 1
            if self._depth == 1:
                self.tables.append([])
        elif tag == "tr" and self._depth == 1:
            self._end_cell()
            self.tables[-1].append([])
        elif tag in _CELLS and self._depth == 1 and self.tables[-1]:
            self._end_cell()
            self._is_in_cell, self._start = True, None
        elif tag == "code" and self._is_in_cell:
            self._is_in_code = True
            self._codes.append([])
        elif tag == "a" and self._is_in_cell:
            target = _TARGET.search(attributes)
            self._links.append(unescape(next(filter(None, target.groups()), "")) if target is not None else "")
        elif tag == "br":
            self._text.append(" ")

    def _closes(self, tag: str) -> None:
        if tag == "code":
            self._is_in_code = False
        elif self._depth == 1 and tag in (*_CELLS, "tr", "table"):
            self._end_cell()
        if tag == "table":
            self._depth = max(self._depth - 1, 0)

    def _data(self, data: str) -> None:
        if self._is_in_cell:
            if self._start is None and data.strip():
                self._go_to(self._at + len(data) - len(data.lstrip()))
                self._start = (self._line, self._at - self._begin + 1)
            text = unescape(data)
            self._text.append(text)
            if self._is_in_code:
                self._codes[-1].append(text)

    def _end_cell(self) -> None:
        if not self._is_in_cell:
            return
        line, column = self._start or (self._line, self._at - self._begin + 1)
        text = " ".join("".join(self._text).split())
        codes = tuple("".join(parts).strip() for parts in self._codes)
        self.tables[-1][-1].append(Cell(text, codes, tuple(self._links), line, column))
        self._is_in_cell = self._is_in_code = False
        self._text, self._codes, self._links = [], [], []
