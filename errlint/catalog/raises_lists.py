"""The exceptions of the language that a page says something raises, and those that its samples handle.

A name counts where it is a heading or the bold lead of a line below a heading about errors, in a column of classes, or
in a list below "Raises". Texts that tell what becomes of an exception, or what to do about one, are left out.
"""

from __future__ import annotations

import ast
import builtins
import re
from collections.abc import Iterator
from contextlib import suppress
from typing import NamedTuple

from errlint.catalog.labels import label
from errlint.catalog.markdown import Fence, Line, MarkdownTable, Paragraph, Section, paragraphs, sections

_ERRORS = re.compile(
    r"^\W*(?:(?:common|possible|known|typical|potential) )?"
    r"(?:errors?|exceptions?|raises|raised|throws|error (?:handling|types?|conditions?|cases)|exception types?)"
    r"(?: (?:handling|raised|thrown|types?|patterns?))?\W*$",
    re.IGNORECASE,
)
_RAISES = re.compile(r"^\W*(?:raises|throws|exceptions?(?: raised| thrown)?)\W*$", re.IGNORECASE)
_RAISES_LABEL = re.compile(r"^\W*(?:raises|throws)\W*:\W*", re.IGNORECASE)
_ALL = re.compile(
    r"\b(?:all|every|each)(?: of the| the| our| mcp)? (?:tools?|adapters?|endpoints?)\b(?! call)", re.IGNORECASE
)
_BECOMES = re.compile(
    r"→|->|=>|⇒|\b(?:becom\w+|convert\w*|map(?:s|ped|ping)?|translat\w+|wrap(?:s|ped)?|turned|instead|never"
    r"|not raised|no longer|caught|catch\w*|swallow\w*|handled|intern\w+|client-side|retried|retry)\b",
    re.IGNORECASE,
)
"""What tells of more than that something is raised."""

_MAPPED = re.compile(r"code|status|http|map|becom|convert|response|result|answer|retry|handling", re.IGNORECASE)
"""Headers beside a column of classes, by which it is no list of what is raised."""

_NAME = re.compile(r"[A-Z]\w+")
_OTHERS = frozenset({"Exception", "TypeError", "MemoryError", "NameError", "SyntaxError", "AssertionError"})
"""Exceptions that anything may raise, or that a caller brings about."""


class Listed(NamedTuple):
    """An exception that a page lists: its name and place, and the headings around it, outermost first.

    ``head`` is the line of the heading or label of the list, which says in so many words that its exceptions are raised
    where ``is_raised`` is true. ``is_of_all`` is true below words about all tools.
    """

    name: str
    line: int
    column: int
    around: tuple[Line, ...]
    head: int
    is_raised: bool
    is_of_all: bool


class Handled(NamedTuple):
    """A handler in a sample for one exception: its name and line, and the statements that it stands for."""

    name: str
    line: int
    tried: tuple[ast.stmt, ...]
    module: ast.Module


def is_builtin(name: str) -> bool:
    """Whether a name is that of an exception of the language that tells something apart."""
    found = getattr(builtins, name, None)
    return (
        isinstance(found, type)
        and issubclass(found, Exception)
        and not issubclass(found, Warning)
        and found.__name__ == name
        and name not in _OTHERS
    )


def listed(text: str) -> Iterator[Listed]:
    """Yield the exceptions that a page lists as raised."""
    above: dict[int, Section] = {}
    for section in sections(text):
        above = {level: each for level, each in above.items() if level < section.level}
        around = tuple(each.heading for _, each in sorted(above.items()) if each.level)
        above[section.level] = section
        parent = max(above.values(), key=lambda each: each.level if each is not section else -1)
        about = [each for each in above.values() if _ERRORS.match(each.heading.text)]
        is_of_all = any(map(_says_all, about))
        if about and parent is not section and is_builtin(section.heading.text) and not _is_beside(section):
            heading, is_raised = section.heading, any(_RAISES.match(each.heading.text) for each in about)
            yield Listed(heading.text, heading.line, heading.column, around, parent.heading.line, is_raised, is_of_all)
        inner = (*around, section.heading)
        for name, line, head, is_raised in _in_blocks(section, is_about=bool(about)):
            yield Listed(name, line.line, line.column, inner, head, is_raised, is_of_all)


def _says_all(section: Section) -> bool:
    return any(
        _ALL.search(line.text) for block in paragraphs(section.blocks) if not block.depth for line in block.lines
    )


def _is_beside(section: Section) -> bool:
    """Whether the text of a section tells what becomes of its exception."""
    return any(
        _BECOMES.search(line.text)
        for block in paragraphs(section.blocks)
        for line in block.lines
        if not label(line.strong)
    )


def _in_blocks(section: Section, *, is_about: bool) -> Iterator[tuple[str, Line, int, bool]]:
    """Yield the names in the lists and tables of a section, each with its line.

    Behind it stand the line of their head, and whether that says that they are raised.
    """
    head = section.heading.line
    is_list = bool(_RAISES.match(section.heading.text))
    for block in section.blocks:
        if isinstance(block, MarkdownTable):
            yield from ((name, line, block.line, False) for name, line in _in_table(block))
        elif isinstance(block, Paragraph):
            first = block.lines[0]
            labelled = _RAISES_LABEL.match(first.text)
            if not block.depth:
                is_list = is_list and bool(_RAISES.match(section.heading.text))
            if labelled is not None:
                is_list, head = True, first.line
                name = _led(first.text[labelled.end() :])
                if name and not _BECOMES.search(first.text):
                    yield name, first, first.line, True
                continue
            for line in block.lines:
                name = line.strong.strip(":") if is_about and line.strong else ""
                name = name or (_led(line.text) if is_list and block.depth else "")
                if is_builtin(name) and line.text.startswith(name) and not _BECOMES.search(line.text):
                    yield name, line, head, is_list


def _led(text: str) -> str:
    """Return the name of an exception that a text begins with, "" for none."""
    found = _NAME.match(text.strip())
    name = found.group() if found is not None else ""
    after = text.strip()[len(name) :]
    return name if is_builtin(name) and not after.startswith((".", "(")) else ""


def _in_table(table: MarkdownTable) -> Iterator[tuple[str, Line]]:
    headers = [each.text for each in table.header]
    columns = [index for index, text in enumerate(headers) if label(text) == "class"]
    if len(columns) != 1 or any(_MAPPED.search(text) for index, text in enumerate(headers) if index not in columns):
        return
    for row in table.rows:
        cell = row[columns[0]] if columns[0] < len(row) else None
        if cell is not None and is_builtin(cell.text) and not any(_BECOMES.search(each.text) for each in row):
            yield cell.text, cell


def handled(text: str) -> Iterator[Handled]:
    """Yield the handlers in the samples of a page that are for one exception of the language each."""
    for section in sections(text):
        for block in section.blocks:
            if isinstance(block, Fence) and block.language in ("python", "py", "python3"):
                yield from _of_sample(block)


def _of_sample(fence: Fence) -> Iterator[Handled]:
    with suppress(SyntaxError, ValueError):
        module = ast.parse(fence.content)
        for node in ast.walk(module):
            for handler in node.handlers if isinstance(node, ast.Try) else ():
                assert isinstance(node, ast.Try)
                if isinstance(handler.type, ast.Name) and is_builtin(handler.type.id):
                    line = fence.line + handler.lineno - 1
                    yield Handled(handler.type.id, line, tuple(node.body), module)
