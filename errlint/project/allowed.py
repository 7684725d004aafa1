"""The values that an argument may have: as an error about another one lists them, and as documents do."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from errlint.catalog.markdown import Line, Paragraph, Table, sections
from errlint.catalog.templates import Template
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
    """A list in a document that is another one than the code's."""

    path: str
    line: int
    message: str
    error: RaisedError


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
    for path, text in sorted(project.documents.texts.items()) if lists else ():
        for line, name in _lines(text):
            for values in _runs(line, name):
                near = [each for each in lists if len({*each.values} & {*values}) >= _ENOUGH]
                named = [each for each in near if each.name == name] if name else near
                if len({frozenset(each.values) for each in near}) == 1 and named and {*named[0].values} != {*values}:
                    yield Differing(path, line.line, _message(named[0], values), named[0].error)


def _message(each: Allowed, values: tuple[str, ...]) -> str:
    lacking = [f"`{value}`" for value in each.values if value not in values]
    more = [f"`{value}`" for value in values if value not in each.values]
    parts = [f"lacks {', '.join(lacking)}"] if lacking else []
    parts += [f"has {', '.join(more)}, which the code does not allow"] if more else []
    return f"the list of values{f' of `{each.name}`' if each.name else ''} {' and '.join(parts)}"


def _lines(text: str) -> Iterator[tuple[Line, str]]:
    """Yield lines and cells, a cell with the name in the first one of its row."""
    for section in sections(text):
        for block in section.blocks:
            if isinstance(block, Paragraph):
                yield from ((line, "") for line in block.lines)
            elif isinstance(block, Table):
                yield from ((cell, row[0].text.strip("`*")) for row in block.rows for cell in row[1:])


def _runs(line: Line, name: str) -> Iterator[tuple[str, ...]]:
    for found in _RUN.finditer(line.raw):
        before = line.raw[: found.start()]
        if _CLAIM.search(before) or (name and before.rstrip().endswith(":")):
            yield tuple(_VALUE.findall(found.group()))
