"""The values that an argument may have: as an error about another one lists them, and as documents do."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, NamedTuple

from errlint.catalog.markdown import Block, Line, MarkdownTable, Paragraph, Section, paragraphs, sections
from errlint.catalog.templates import Template
from errlint.findings import Related
from errlint.project.drift.binding import plain
from errlint.project.drift.enumerated import PlacedExpression, texts
from errlint.project.raised_errors import RaisedError

if TYPE_CHECKING:
    from errlint.project import Project

_LISTED = re.compile(r"\bmust be (?:one of:?|either)?\s*(?P<values>[^{}]+)$", re.IGNORECASE)
_BEFORE = re.compile(r"\bmust be (?:one of:?|either)?\s*['\"\[]?$", re.IGNORECASE)
_QUOTED = re.compile(r"'([\w.-]+)'")
_WORD = re.compile(r"[\w.-]*\w")
_NAMED = re.compile(r"\b(?:invalid|unknown|unsupported) (\w+)|^(\w+) must be\b", re.IGNORECASE)

_ONE = r"`(?:\w+=)?['\"]?[\w.-]+['\"]?`(?:\s\([^)]{0,100}\))?"
RUN = re.compile(rf"{_ONE}(?:(?:,\s+(?:or\s+)?|\s+or\s+|\s*\|\s*){_ONE})+")
"""Values in code spans, with commas or words between them."""

VALUE = re.compile(r"`(?:\w+=)?['\"]?([\w.-]+)['\"]?`")
_CLAIM = re.compile(r"\b(?:one of|supported|available|valid|allowed|accepts|must be|either|filter by)\b", re.IGNORECASE)
_USE = re.compile(r"(?:\W*|[\w ]+: )Use ", re.IGNORECASE)
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
        """Whether the list may be the one of an error: enough values in common, and half of all."""
        common = {*each.values} & {*self.values}
        return len(common) >= _ENOUGH and 2 * len(common) >= len({*each.values} | {*self.values})

    def line(self, each: Allowed) -> int:
        """Return where the list differs: at the first value that is too much, or at its end."""
        more = (line for value, line in zip(self.values, self.lines, strict=True) if value not in each.values)
        return next(more, self.lines[-1])


def allowed(project: Project) -> Iterator[Allowed]:
    """Yield the lists of values in the messages of errors."""
    for error in project.comparison.errors:
        for message in error.messages:
            values = _values(message) or _of_code(project, error, message)
            if len(values) >= _ENOUGH:
                named = _NAMED.search(str(message))
                yield Allowed((named.group(1) or named.group(2)) if named else "", values, error)


def _values(message: Template) -> tuple[str, ...]:
    last = message.parts[-1] if message.parts else ""
    found = _LISTED.search(last[max(map(last.rfind, "{}")) + 1 :]) if isinstance(last, str) else None
    if found is None:
        return ()
    text = " ".join(found["values"].split()).strip(" .")
    pieces = _QUOTED.findall(text) or [re.sub(r"^or ", "", piece) for piece in re.split(", ?| or ", text)]
    return tuple(pieces) if all(map(_WORD.fullmatch, pieces)) else ()


def _of_code(project: Project, error: RaisedError, message: Template) -> tuple[str, ...]:
    """Return the values of a message that has them in its last hole, as far as the code lists them somewhere."""
    said = {part for part in message.parts if isinstance(part, str)}
    around = project.documented.function(error.path, error.function) if any(map(_BEFORE.search, said)) else None
    for node in ast.walk(around) if around is not None else ():
        pieces = node.values if isinstance(node, ast.JoinedStr) else []
        written = {str(piece.value) for piece in pieces if isinstance(piece, ast.Constant)}
        for before, held in pairwise(pieces) if written <= said else ():
            is_list = isinstance(before, ast.Constant) and bool(_BEFORE.search(str(before.value)))
            if is_list and isinstance(held, ast.FormattedValue):
                return texts(project, PlacedExpression(error.path, error.function, held.value)) or ()
    return ()


def differing(project: Project) -> Iterator[Differing]:
    """Yield the lists of values in the catalogs that differ from the one list of the code that they have to do with."""
    lists = list(allowed(project))
    names = {each.name for each in lists} - {""}
    for path, text in sorted(project.documents.texts.items()) if lists else ():
        for section in sections(text):
            for listed in (*_inline(section), *_bullets(section, names)):
                own = _meant(lists, listed)
                if own is None or {*own.values} == {*listed.values}:
                    continue
                if _is_about(path, section, own) or not _stands_whole(project, frozenset(listed.values), own.error):
                    related = Related(own.error.path, own.error.span, "the code lists them here")
                    yield Differing(path, listed.line(own), _message(own, listed.values), related)


def _meant(lists: Sequence[Allowed], listed: _Listed) -> Allowed | None:
    """Return the list of the code that one of a document must be, ``None`` where there is none or are several."""
    near = [each for each in lists if listed.is_of(each)]
    named = [each for each in near if each.name == listed.name] if listed.name else near
    return named[0] if named and len({frozenset(each.values) for each in near}) == 1 else None


def _is_about(path: str, section: Section, own: Allowed) -> bool:
    """Whether a section is about an error for certain: it tells of it, or stands below the name of its adapter."""
    words = (word for title in (*section.parents, section.heading.text) for word in title.split())
    if not {plain(PurePosixPath(path).stem), *map(plain, words)}.isdisjoint(map(plain, own.error.adapters)):
        return True
    lines = (line.text for block in paragraphs(section.blocks) for line in block.lines)
    return bool(own.name) and any(own.name in found.groups() for line in lines for found in _NAMED.finditer(line))


def _stands_whole(project: Project, values: frozenset[str], error: RaisedError) -> bool:
    """Whether the code has a list of just these values, outside of the function of an error: another one is meant."""
    documented = project.documented
    return any(
        (tree := documented.tree(path)) is not None
        and values in map(frozenset, _lists(tree, error.span.line if path == error.path else 0))
        for path in project.modules
        if all(value in documented.text(path) for value in values)
    )


def _lists(tree: ast.AST, line: int) -> Iterator[Sequence[object]]:
    """Yield the constants of each list, set, dict and class body of a file, but for functions around a line."""
    pending = [tree]
    while pending:
        node = pending.pop()
        items: list[ast.expr | None] = []
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            if node.lineno <= line <= (node.end_lineno or node.lineno):
                continue
        elif isinstance(node, (ast.List, ast.Tuple, ast.Set)):
            items = [*node.elts]
        elif isinstance(node, ast.Dict):
            items = [*node.keys]
        elif isinstance(node, ast.ClassDef):
            items = [each.value for each in node.body if isinstance(each, ast.Assign)]
        found = [item.value for item in items if isinstance(item, ast.Constant)]
        if found and len(found) == len(items):
            yield found
        pending.extend(ast.iter_child_nodes(node))


def _message(each: Allowed, values: tuple[str, ...]) -> str:
    return f"the list of values{f' of `{each.name}`' if each.name else ''} {difference(each.values, values)}"


def difference(own: Sequence[str], listed: Sequence[str]) -> str:
    """Say how a list in a document differs from that of the code: "lacks `a` and has `b`, ..."."""
    lacking = [f"`{value}`" for value in own if value not in listed]
    more = [f"`{value}`" for value in listed if value not in own]
    parts = [f"lacks {', '.join(lacking)}"] if lacking else []
    parts += [f"has {', '.join(more)}, which the code does not allow"] if more else []
    return " and ".join(parts)


def _inline(section: Section) -> Iterator[_Listed]:
    """Yield the lists in lines and cells, those in a cell with the name in the first one of its row."""
    for block in section.blocks:
        if isinstance(block, Paragraph):
            for line in block.lines:
                yield from _runs(line, "")
        elif isinstance(block, MarkdownTable):
            for row in block.rows:
                for cell in row[1:]:
                    yield from _runs(cell, row[0].text.strip("`*"))


def _runs(line: Line, name: str) -> Iterator[_Listed]:
    end = 0
    for found in RUN.finditer(line.raw):
        # What stands between this list and the code before it: no other list takes it for its own.
        before, end = line.raw[max(end, line.raw.rfind("`", 0, found.start()) + 1) : found.start()], found.end()
        is_used = not found.start() - len(before) and _USE.fullmatch(before)
        if _CLAIM.search(before) or is_used or (name and before.rstrip().endswith(":")):
            values = tuple(VALUE.findall(found.group()))
            yield _Listed(name, values, (line.line,) * len(values))


def _bullets(section: Section, names: set[str]) -> Iterator[_Listed]:
    """Yield the bullets that begin with a value each, below a line or heading that has one of some names in it."""
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
    found = VALUE.match(block.lines[0].raw)
    return (found.group(1), block.lines[0].line) if found is not None else None


def _whole(section: Section, above: str, items: list[tuple[str, int]], names: set[str]) -> Iterator[_Listed]:
    words = set(re.findall(r"[a-z_]+", f"{above or section.heading.text}".lower()))
    told = [name for name in names if not words.isdisjoint((name, f"{name}s"))]
    if len(told) == 1 and len(items) >= _ENOUGH:
        yield _Listed(told[0], tuple(value for value, _ in items), tuple(line for _, line in items))
