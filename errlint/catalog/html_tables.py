"""Tables that a Markdown file holds as HTML, cell by cell."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from typing import NamedTuple

_CELLS = frozenset({"td", "th"})
_MARKS = re.compile(r"<(?P<end>/?)table\b[^>]*>", re.IGNORECASE)


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
    reader = _Reader()
    reader.feed(html)
    reader.close()
    return [rows for rows in reader.tables if rows]


def ending(html: str) -> int:
    """Return where the first table of some HTML ends, its length where it does not."""
    depth = 0
    for found in _MARKS.finditer(html):
        depth += -1 if found["end"] else 1
        if not depth:
            return found.end()
    return len(html)


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.tables: list[list[list[Cell]]] = []
        self._depth = 0
        self._is_in_cell = False
        self._text: list[str] = []
        self._codes: list[str] = []
        self._links: list[str] = []
        self._is_in_code = False
        self._start: tuple[int, int] | None = None

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
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
            self._codes.append("")
        elif tag == "a" and self._is_in_cell:
            self._links.append(dict(attrs).get("href") or "")
        elif tag == "br":
            self._text.append(" ")

    def handle_endtag(self, tag: str) -> None:
        if tag == "code":
            self._is_in_code = False
        elif self._depth == 1 and tag in (*_CELLS, "tr", "table"):
            self._end_cell()
        if tag == "table":
            self._depth = max(self._depth - 1, 0)

    def handle_data(self, data: str) -> None:
        if self._is_in_cell:
            if self._start is None and data.strip():
                before = data[: len(data) - len(data.lstrip())]
                line, column = self.getpos()
                lines = before.count("\n")
                self._start = (line - 1 + lines, len(before.rpartition("\n")[2]) + (0 if lines else column) + 1)
            self._text.append(data)
            if self._is_in_code:
                self._codes[-1] += data

    def _end_cell(self) -> None:
        if not self._is_in_cell:
            return
        line, column = self._start or (self.getpos()[0] - 1, self.getpos()[1] + 1)
        text = re.sub(r"\s+", " ", "".join(self._text)).strip()
        self.tables[-1][-1].append(Cell(text, tuple(map(str.strip, self._codes)), tuple(self._links), line, column))
        self._is_in_cell = self._is_in_code = False
        self._text, self._codes, self._links = [], [], []
