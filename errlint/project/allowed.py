"""The values that an argument may have: as an error about another one lists them, and as documents do."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from errlint.catalog.markdown import Block, Line, Paragraph, Section, Table, sections
from errlint.catalog.templates import Template
from errlint.findings import Related
from errlint.project.raised_errors import RaisedError

if TYPE_CHECKING:
    from errlint.project import Project

_LISTED = re.compile(r"\bmust be (?:one of:?|either)?\s*(?P<values>[^{}]+)$", re.IGNORECASE)
_QUOTED = re.compile(r"'([\w.-]+)'")
_WORD = re.compile(r"[\w.-]*\w")
_NAMED = re.compile(r"\b(?:invalid|unknown|unsupported) (\w+)|^(\w+) must be\b", re.IGNORECASE)

_ONE = r"`(?:\w+=)?['\"]?[\w.-]+['\"]?`(?:\s\([^)]*\))?"
_RUN = re.compile(rf"{_ONE}(?:(?:,\s+(?:or\s+)?|\s+or\s+|\s*\|\s*){_ONE})+")
_VALUE = re.compile(r"`(?:\w+=)?['\"]?([\w.-]+)['\"]?`")
_CLAIM = re.compile(
    r"(?:\b(?:one of|supported|available|valid|allowed|accepts|must be|either|filter by)\b[^`]*"
    r"|^(?:\W*|[\w ]+: )Use )$",
    re.IGNORECASE,
)
"""What stands before a list that is meant to be whole."""

_ENOUGH = 2
"""So many values in common make two lists those of one argument."""


class Allowed(NamedTuple):
    """The values that an error lists, and the name of the argument, "" for one that is not told."""

    name: str
    values: tuple[str, ...]
    error: RaisedError


class Differing(NamedTuple):
    """A list in a document that is another one than the code's, and where that is."""

    path: str
    line: int
    message: str
    related: Related


class _Listed(NamedTuple):
    """Values that a document lists, with the line of each; ``name`` is that of their argument, "" for any."""

    name: str
    values: tuple[str, ...]
    lines: tuple[int, ...]

    def is_of(self, each: Allowed) -> bool:
        """Whether the list may be the one of an error: enough values in common."""
        return len({*each.values} & {*self.values}) >= _ENOUGH

    def line(self, each: Allowed) -> int:
        """Return where the list differs: at the first value that is too much, or at its end."""
        more = (line for value, line in zip(self.values, self.lines, strict=True) if value not in each.values)
        return next(more, self.lines[-1])


def allowed(project: Project) -> Iterator[Allowed]:
    """Yield the lists of values in the messages of errors."""
    for error in project.comparison.errors:
        for message in error.messages:
            values = _values(message)
            if len(values) >= _ENOUGH:
                named = _NAMED.search(str(message))
                yield Allowed((named.group(1) or named.group(2)) if named else "", values, error)


def _values(message: Template) -> tuple[str, ...]:
    last = message.parts[-1] if message.parts else ""
    found = _LISTED.search(last) if isinstance(last, str) else None
    if found is None:
        return ()
    text = found["values"].strip(" .")
    pieces = _QUOTED.findall(text) or [re.sub(r"^or ", "", piece) for piece in re.split(r",\s*|\s+or\s+", text)]
    return tuple(pieces) if all(map(_WORD.fullmatch, pieces)) else ()


def differing(project: Project) -> Iterator[Differing]:
    """Yield the lists of values in the catalogs that differ from the one list of the code that they have to do with."""
    lists = list(allowed(project))
    names = {each.name for each in lists} - {""}
    for path, text in sorted(project.documents.texts.items()) if lists else ():
        for listed in (*_inline(text), *_bullets(text, names)):
            near = [each for each in lists if listed.is_of(each)]
            named = [each for each in near if each.name == listed.name] if listed.name else near
            if len({frozenset(each.values) for each in near}) == 1 and named:
                own = named[0]
                if {*own.values} != {*listed.values}:
                    related = Related(own.error.path, own.error.span, "the code lists them here")
                    yield Differing(path, listed.line(own), _message(own, listed.values), related)


def _message(each: Allowed, values: tuple[str, ...]) -> str:
    lacking = [f"`{value}`" for value in each.values if value not in values]
    more = [f"`{value}`" for value in values if value not in each.values]
    parts = [f"lacks {', '.join(lacking)}"] if lacking else []
    parts += [f"has {', '.join(more)}, which the code does not allow"] if more else []
    return f"the list of values{f' of `{each.name}`' if each.name else ''} {' and '.join(parts)}"


def _inline(text: str) -> Iterator[_Listed]:
    """Yield the lists in lines and cells, those in a cell with the name in the first one of its row."""
    for section in sections(text):
        for block in section.blocks:
            if isinstance(block, Paragraph):
                for line in block.lines:
                    yield from _runs(line, "")
            elif isinstance(block, Table):
                for row in block.rows:
                    for cell in row[1:]:
                        yield from _runs(cell, row[0].text.strip("`*"))


def _runs(line: Line, name: str) -> Iterator[_Listed]:
    for found in _RUN.finditer(line.raw):
        before = line.raw[: found.start()]
        if _CLAIM.search(before) or (name and before.rstrip().endswith(":")):
            values = tuple(_VALUE.findall(found.group()))
            yield _Listed(name, values, (line.line,) * len(values))


def _bullets(text: str, names: set[str]) -> Iterator[_Listed]:
    """Yield the bullets that begin with a value each, below a line or heading that has one of some names in it."""
    for section in sections(text):
        above = ""
        items: list[tuple[str, int]] = []
        for block in (*section.blocks, None):
            value = _item(block) if block is not None else None
            if value is not None:
                items.append(value)
                continue
            yield from _whole(section, above, items, names)
            items = []
            is_text = isinstance(block, Paragraph) and not block.depth and block.lines
            above = block.lines[-1].text if is_text and isinstance(block, Paragraph) else ""


def _item(block: Block) -> tuple[str, int] | None:
    """Return the value that an item of a list begins with, and its line."""
    if not isinstance(block, Paragraph) or not block.depth or not block.lines:
        return None
    found = _VALUE.match(block.lines[0].raw)
    return (found.group(1), block.lines[0].line) if found is not None else None


def _whole(section: Section, above: str, items: list[tuple[str, int]], names: set[str]) -> Iterator[_Listed]:
    words = set(re.findall(r"[a-z_]+", f"{above or section.heading.text}".lower()))
    told = [name for name in names if not words.isdisjoint((name, f"{name}s"))]
    if len(told) == 1 and len(items) >= _ENOUGH:
        yield _Listed(told[0], tuple(value for value, _ in items), tuple(line for _, line in items))
