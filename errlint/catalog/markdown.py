"""A Markdown file as sections with blocks: headings, tables, paragraphs, list items and fences, each with its place."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cache, lru_cache
from itertools import accumulate
from typing import TYPE_CHECKING, NamedTuple

from errlint.catalog import html_tables

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.token import Token

_BREAKS = frozenset({"softbreak", "hardbreak"})


class Line(NamedTuple):
    """One line of text, or a cell of a table, without its marks.

    ``codes`` are the contents of its code spans, ``strong`` the bold text that it begins with, ``links`` the targets of
    its links. ``line`` and ``column`` are where it stands in the file, from 1 (columns in characters). ``raw`` is the
    text with backticks around code spans.
    """

    text: str
    line: int
    column: int
    codes: tuple[str, ...] = ()
    strong: str = ""
    links: tuple[str, ...] = ()
    raw: str = ""


class Paragraph(NamedTuple):
    """Lines that belong together; ``depth`` is 0 outside of lists, and else how deep the list item is."""

    lines: tuple[Line, ...]
    depth: int = 0


class Fence(NamedTuple):
    """A code block: its language, its content, and the first line of the content."""

    language: str
    content: str
    line: int


class MarkdownTable(NamedTuple):
    """A table, row by row."""

    header: tuple[Line, ...]
    rows: tuple[tuple[Line, ...], ...]
    line: int


Block = Paragraph | Fence | MarkdownTable


class Section(NamedTuple):
    """A heading with what stands below it, up to the next heading.

    ``level`` is 0 for what stands before the first heading. ``anchor`` is the name that ``{#name}`` gives the heading,
    ``parents`` are the texts of the headings around it, outermost first.
    """

    heading: Line
    level: int
    anchor: str
    parents: tuple[str, ...]
    blocks: tuple[Block, ...]


@cache
def _parser() -> MarkdownIt:
    from markdown_it import MarkdownIt  # most runs have no document
    from mdit_py_plugins.front_matter import front_matter_plugin

    return MarkdownIt("commonmark").enable("table").use(front_matter_plugin)


@lru_cache(maxsize=256)
def sections(text: str) -> tuple[Section, ...]:
    """Read a file; several readers ask for the same one in a run."""
    return tuple(_TokenReader(text).sections())


class _TokenReader:
    """Reads the tokens of one file."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._source = text.split("\n")
        self._offsets = [0, *accumulate(len(line) + 1 for line in self._source)]
        self._read_to = 0  # what lies before this offset has been read as tables of HTML
        self._tokens = _parser().parse(text)

    def sections(self) -> Iterator[Section]:
        """Yield the sections in their order."""
        around: list[tuple[int, str]] = []
        heading, level, anchor = Line("", 1, 1), 0, ""
        blocks: list[Block] = []
        depth = 0
        index = 0
        while index < len(self._tokens):
            token = self._tokens[index]
            if token.type == "heading_open":
                if level or blocks:
                    yield Section(heading, level, anchor, _texts(around, level), tuple(blocks))
                if level:
                    around = [*(item for item in around if item[0] < level), (level, heading.text)]
                blocks = []
                level = int(token.tag[1:])
                heading, anchor = self._heading(self._tokens[index + 1])
                index += 2
            elif token.type == "table_open":
                end = next(at for at in range(index, len(self._tokens)) if self._tokens[at].type == "table_close")
                blocks.append(self._table(self._tokens[index:end]))
                index = end
            elif token.type == "html_block" and "<table" in token.content.lower():
                blocks.extend(self._html_tables(token))
            elif token.type in ("fence", "code_block"):
                assert token.map is not None
                first = token.map[0] + (2 if token.type == "fence" else 1)
                blocks.append(Fence(token.info.split(" ")[0].lower(), token.content, first))
            elif token.type == "list_item_open":
                depth += 1
            elif token.type == "list_item_close":
                depth -= 1
            elif token.type == "inline":
                blocks.append(Paragraph(tuple(self._lines(token)), depth))
            index += 1
        if level or blocks:
            yield Section(heading, level, anchor, _texts(around, level), tuple(blocks))

    def _heading(self, token: Token) -> tuple[Line, str]:
        line = next(self._lines(token), Line("", _line(token), 1))
        text, anchor = _without_anchor(line.text)
        return (line._replace(text=text, raw=_without_anchor(line.raw)[0]), anchor) if anchor else (line, "")

    def _html_tables(self, token: Token) -> Iterator[MarkdownTable]:
        """Yield the tables that begin in a block of HTML; a blank line ends the block, and not the table."""
        first = _line(token)
        start = self._offsets[first - 1]
        if start < self._read_to:
            return
        self._read_to = max(start + len(token.content), html_tables.ending(self._text, start))
        html = self._text[start : self._read_to]
        for rows in html_tables.tables(html):
            lines = [
                tuple(
                    Line(
                        cell.text,
                        first + cell.line,
                        cell.column,
                        cell.codes,
                        "",
                        cell.links,
                        _raw(cell.text, cell.codes),
                    )
                    for cell in row
                )
                for row in rows
            ]
            yield MarkdownTable(lines[0], tuple(lines[1:]), first)

    def _table(self, tokens: Sequence[Token]) -> MarkdownTable:
        rows: list[list[Line]] = []
        column = 0
        for token in tokens:
            if token.type == "tr_open":
                rows.append([])
                column = 0
            elif token.type == "inline":
                found = self._cell(token, column)
                rows[-1].append(found)
                column = found.column + len(token.content) - 1
        line = tokens[0].map[0] + 1 if tokens[0].map else 1
        return MarkdownTable(tuple(rows[0]) if rows else (), tuple(map(tuple, rows[1:])), line)

    def _cell(self, token: Token, start: int) -> Line:
        """Return a cell; cells are found in the source one after the other."""
        number = _line(token)
        source = self._source[number - 1] if number <= len(self._source) else ""
        content = token.content.replace("|", "\\|") if "|" in token.content else token.content
        at = source.find(content, start)
        return _plain(token.children or [], number, (at if at >= 0 else start) + 1)

    def _lines(self, token: Token) -> Iterator[Line]:
        number = _line(token)
        contents = token.content.split("\n")
        children: list[Token] = []
        for child in [*(token.children or []), None]:
            if child is not None and child.type not in _BREAKS:
                children.append(child)
                continue
            source = self._source[number - 1] if number <= len(self._source) else ""
            start = contents[number - _line(token)]
            yield _plain(children, number, max(source.find(start.lstrip()), 0) + 1)
            children = []
            number += 1


def paragraphs(blocks: Iterable[Block]) -> Iterator[Paragraph]:
    """Yield the paragraphs among some blocks."""
    return (block for block in blocks if isinstance(block, Paragraph))


def _raw(text: str, codes: Sequence[str]) -> str:
    """Return a text with backticks around its code spans."""
    at = 0
    parts: list[str] = []
    for code in codes:
        found = text.find(code, at)
        if found >= 0:
            parts += (text[at:found], "`", code, "`")
            at = found + len(code)
    return "".join((*parts, text[at:]))


def _texts(around: Sequence[tuple[int, str]], level: int) -> tuple[str, ...]:
    return tuple(text for each, text in around if each < level)


def _without_anchor(text: str) -> tuple[str, str]:
    """Return a heading without the name that it gives itself at its end, as in ``{#name}``, and the name."""
    before, mark, inside = text.rstrip().rpartition("{#")
    if not mark or inside.find("}") != len(inside) - 1 or not inside[:-1] or inside[0].isspace():
        return text, ""
    return before.rstrip(), inside[:-1].split(maxsplit=1)[0]


def _line(token: Token) -> int:
    return token.map[0] + 1 if token.map else 1


def _plain(children: Sequence[Token], line: int, column: int) -> Line:
    text: list[str] = []
    raw: list[str] = []
    codes: list[str] = []
    links: list[str] = []
    strong: list[str] = []
    depth = 0
    is_first = True
    for child in children:
        if child.type == "strong_open":
            depth += 1 if is_first or depth else 0
        elif child.type == "strong_close":
            depth -= 1 if depth else 0
        elif child.type == "link_open":
            links.append(str(child.attrs.get("href", "")))
        elif child.type in ("text", "code_inline", "html_inline", "image"):
            content = "" if child.type == "html_inline" else child.content
            text.append(content)
            raw.append(f"`{content}`" if child.type == "code_inline" else content)
            if child.type == "code_inline":
                codes.append(content)
            if depth:
                strong.append(content)
            is_first = is_first and not content.strip()
    shown = "".join(strong).strip()
    return Line("".join(text).strip(), line, column, tuple(codes), shown, tuple(links), "".join(raw).strip())
