"""What a document refers to: files, headings of documents, tests."""

from __future__ import annotations

import posixpath
import re
from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple
from urllib.parse import unquote

from errlint.catalog.markdown import Fence, Line, MarkdownTable, Paragraph, Section, sections

_SUFFIXES = (".py", ".md", ".markdown")
_PATH = re.compile(r"(?:\.{0,2}/)?(?:[\w.-]+/)+[\w.-]+\.(?:py|md)(?:::[\w:\[\]-]+)?")
_HTML_ANCHOR = re.compile(r"<[^<>]*\b(?:id|name)\s*=\s*[\"']([^\"']+)[\"']")


class Reference(NamedTuple):
    """A mention of a file or of a heading: ``target`` is as written, ``line`` and ``column`` are from 1.

    ``path`` is relative to the root of the project, "" for the document itself; ``anchor`` is "" for none. A reference
    that is no link (``is_link``) may be relative to anything.
    """

    line: int
    column: int
    target: str
    path: str
    anchor: str
    is_link: bool


def references(path: str, text: str) -> Iterator[Reference]:
    """Yield the references of a document to Python files and documents of its project."""
    for line in (each for section in sections(text) for each in _lines(section)):
        for target in line.links:
            found = _link(path, line, target)
            if found is not None:
                yield found
        for code in line.codes:
            if _PATH.fullmatch(code) and not any(code in target for target in line.links):
                file, _, name = code.partition("::")
                yield Reference(line.line, line.column, code, posixpath.normpath(file.lstrip("/")), name, is_link=False)


def _link(path: str, line: Line, target: str) -> Reference | None:
    if "://" in target or target.startswith(("mailto:", "//", "{", "<")):
        return None
    file, _, anchor = unquote(target).partition("#")
    if file and not file.endswith(_SUFFIXES):
        return None
    folder = "" if file.startswith("/") else posixpath.dirname(path)
    whole = posixpath.normpath(posixpath.join(folder, file.lstrip("/"))) if file else ""
    return Reference(line.line, line.column, target, whole, anchor, is_link=True)


def _lines(section: Section) -> Iterator[Line]:
    yield section.heading
    for block in section.blocks:
        if isinstance(block, Paragraph):
            yield from block.lines
        elif isinstance(block, MarkdownTable):
            for row in (block.header, *block.rows):
                yield from row
        else:
            assert isinstance(block, Fence)


def anchors(text: str) -> frozenset[str]:
    """Return the names by which the headings of a document can be linked, as GitHub makes them, and its own ones."""
    seen: Counter[str] = Counter()
    found = set(_HTML_ANCHOR.findall(text))
    for section in sections(text):
        if not section.level:
            continue
        if section.anchor:
            found.add(section.anchor)
        name = re.sub(r"[^\w\- ]", "", section.heading.text.lower().strip()).replace(" ", "-")
        found.add(f"{name}-{seen[name]}" if seen[name] else name)
        seen[name] += 1
    return frozenset(found)
