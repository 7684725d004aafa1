"""The rows of tables: which column holds the code, the class or the message, and what the others say."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence

from errlint.catalog.codes import MARKED, expanded, is_any, is_class, is_marked, is_placeholder, is_status
from errlint.catalog.entry import Entry, EntryKind, EntryText
from errlint.catalog.labels import ABOUT_ERRORS, EXIT_CODE, FIELD_HEADERS, HTTP_TABLE, VALUE_HEADERS, is_reserved, label
from errlint.catalog.markdown import Line, MarkdownTable, Section

_ENOUGH = 0.7
"""The share of cells that have to look like codes where no header says that they are."""

_FEW = 3
"""So many names make a column one of codes."""

_PIECES = re.compile(r"[,;/|\s]+(?:and\s+|or\s+|и\s+)?")
_ASIDE = re.compile(r"\([^()]*\)")
_CODE_SPAN = re.compile(r"`([^`]+)`")
_NAME = re.compile(r"[A-Z][a-z0-9]+[A-Z][A-Za-z0-9]*")
_SUCCESS = re.compile(r"(?:^|[_-])(?:OK|SUCCESS|SUCCEEDED)$", re.IGNORECASE)
_OTHER_HEADER = re.compile(r"variable|env|setting|option|parameter|argument|flag|config|command|file|method", re.I)


def is_vertical(table: MarkdownTable) -> bool:
    """Whether a table lists the parts of one error, a row each: ``| Field | Value |``."""
    if len(table.header) != 2:
        return False
    first, second = (cell.text.strip(" *:").casefold() for cell in table.header)
    if first in FIELD_HEADERS and second in VALUE_HEADERS:
        return True
    named = sum(bool(label(row[0].text)) for row in table.rows if row)
    return named >= 2 and named * 2 >= len(table.rows) and not any(cell.codes for row in table.rows for cell in row[:1])


def facts(table: MarkdownTable) -> Iterator[tuple[str, EntryText]]:
    """Yield what a vertical table says."""
    rows = (table.header, *table.rows)
    for row in rows:
        name = label(row[0].text) if len(row) > 1 else ""
        if name:
            yield name, EntryText(_value(row[1]), row[1].line)


def _value(cell: Line) -> str:
    return cell.codes[0] if len(cell.codes) == 1 and cell.raw == f"`{cell.codes[0]}`" else cell.text


def entries(table: MarkdownTable, section: Section, path: str, code_column: str) -> Iterator[Entry]:
    """Yield an entry for each error that a row is about; ``code_column`` is a header that means codes, "" for none."""
    texts = [cell.text for cell in table.header]
    headers = ["code" if text == code_column else label(text) or label(text.replace("_", " ")) for text in texts]
    title = section.heading.text
    if any(EXIT_CODE.search(cell.text) for cell in table.header) or EXIT_CODE.search(title):
        return
    code = _column(table, headers, "code", _is_code_cell)
    code = code if code is not None else _named(table, headers)
    kind = _column(table, headers, "class", _is_class_cell)
    message = headers.index("message") if "message" in headers else None
    if message is not None and len({cell.text for cell in _cells(table, message)}) * 2 <= len(table.rows):
        message = None  # what is the same again and again identifies nothing
    if message is not None and not _is_about_errors(table, headers, (*section.parents, title)):
        message = None
    around = (*section.parents, title)
    for row in table.rows:
        found = list(_row(row, code, kind, message))
        if any(_SUCCESS.search(name) for _, _, name in found):
            continue
        said = tuple(
            (name, EntryText(_value(cell), cell.line))
            for name, cell in zip(headers, row, strict=False)
            if name and cell.text
        )
        reserved = any(is_reserved(cell.text) for cell in row)
        for cell, which, name in found:
            yield Entry(path, cell.line, cell.column, which, name, _title(row, cell), around, reserved, said)


def _is_about_errors(table: MarkdownTable, headers: Sequence[str], headings: Sequence[str]) -> bool:
    """Whether the messages of a table are those of errors: its headings say so, or what stands beside them."""
    if any(map(ABOUT_ERRORS.search, (*headings, *(cell.text for cell in table.header)))):
        return True
    statuses = [_cells(table, index) for index, header in enumerate(headers) if header == "status"]
    has_status = any(cells and all(is_status(cell.text) for cell in cells) for cells in statuses)
    return has_status or not {*headers}.isdisjoint(("code", "class")) or {"cause", "solution"} <= {*headers}


def _title(row: Sequence[Line], cell: Line) -> str:
    return next((other.text for other in row if other is not cell and other.text), "")


def _row(
    row: Sequence[Line], code: int | None, kind: int | None, message: int | None
) -> Iterator[tuple[Line, EntryKind, str]]:
    if code is not None and code < len(row):
        names = list(codes_of(row[code]))
        if names:
            yield from ((row[code], EntryKind.CODE, name) for name in names)
            if kind is None or kind > code:
                return
    if kind is not None and kind < len(row):
        names = [
            name for name in _words(row[kind]) if is_class(name) or (name in row[kind].codes and _NAME.fullmatch(name))
        ]
        if names:
            yield from ((row[kind], EntryKind.CLASS, name) for name in names)
            return
    if message is not None and code is None and kind is None and message < len(row) and row[message].text:
        yield row[message], EntryKind.MESSAGE, _value(row[message])


def codes_of(cell: Line) -> Iterator[str]:
    """Yield the codes in a cell that is known to hold some; ranges are written out."""
    seen: set[str] = set()
    is_spanning = any(any(expanded(piece)) for piece in _apart(cell.text))
    for part in (cell.text,) if is_spanning else cell.codes or (cell.text,):
        names = list(expanded(part)) or list(_listed(part))
        for name in names:
            if name not in seen:
                seen.add(name)
                yield name


def _listed(text: str) -> Iterator[str]:
    pieces = [piece.strip("*_`()[]<>\"'") for piece in _PIECES.split(text)]
    if all(is_any(piece) or is_status(piece) for piece in pieces if piece):
        for piece in pieces:
            yield from expanded(piece) if list(expanded(piece)) else ((piece,) if is_any(piece) else ())
        return
    for part in _apart(text):
        ranged = list(expanded(part))
        yield from ranged or (found.group() for found in MARKED.finditer(part) if is_marked(found.group()))


def _apart(text: str) -> list[str]:
    return [part.strip() for part in text.replace(";", ",").split(",")]


def _words(cell: Line) -> list[str]:
    """Return the words of a cell, those of its code spans if it has some; what stands in parentheses is an aside."""
    spans = _CODE_SPAN.findall(_ASIDE.sub("", cell.raw)) or cell.codes
    return [word for part in (spans or (cell.text,)) for word in _PIECES.split(part)]


def _column(table: MarkdownTable, headers: Sequence[str], name: str, fits: Callable[[Line], bool]) -> int | None:
    """Return the column with a header of this name, else the first whose cells look like it."""
    for index, header in enumerate(headers):
        if header == name:
            cells = _cells(table, index)
            if not cells or not all(is_status(cell.text) for cell in cells):
                return index
            if headers.count(name) == 1:
                return None  # a table of HTTP statuses
    for index, cell in enumerate(table.header):
        if headers[index] not in ("", "message", "category") or _OTHER_HEADER.search(cell.text):
            continue
        if HTTP_TABLE.search(cell.text):
            continue
        cells = _cells(table, index)
        if cells and sum(map(fits, cells)) >= _ENOUGH * len(cells):
            return index
    return None


def _named(table: MarkdownTable, headers: Sequence[str]) -> int | None:
    """Return the column of the names, ``OrderClosed``, in a table with a status or a message for each."""
    if "status" not in headers and not any(HTTP_TABLE.search(cell.text) for cell in table.header):
        return None
    for index in range(len(headers)):
        texts = [cell.codes[0] if len(cell.codes) == 1 else cell.text for cell in _cells(table, index)]
        named = sum(bool(_NAME.fullmatch(text)) for text in texts)
        is_whole = len(texts) == len(table.rows) == len(set(texts)) and all(map(str.isidentifier, texts))
        if is_whole and named >= max(_FEW, _ENOUGH * len(texts)) and not all(map(is_class, texts)):
            return index
    return None


def _cells(table: MarkdownTable, index: int) -> list[Line]:
    return [row[index] for row in table.rows if index < len(row) and row[index].text not in ("", "-", "—", "–")]


def _is_code_cell(cell: Line) -> bool:
    text = cell.codes[0] if cell.codes else cell.text
    return is_marked(text) and not is_placeholder(text) and not is_status(text)


def _is_class_cell(cell: Line) -> bool:
    return bool(_words(cell)) and all(map(is_class, _words(cell)))
