"""Lists that sort errors by their exception class, beside the entries of these errors.

``- Recoverable (OrderError)`` above ``- `order_locked`: ...`` says of which class the error is, and so does a heading.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from errlint.catalog.codes import is_class
from errlint.catalog.entry import Entry
from errlint.catalog.markdown import Line, Paragraph, Section, sections
from errlint.project.drift.documented import title_words

if TYPE_CHECKING:
    from errlint.project import Project

_NAME = re.compile(r"\w+")
_FIRST = re.compile(r"[^:：—–(]+")


class Misplaced(NamedTuple):
    """An error in the list of other classes than its entry has: its name and line, and the entry."""

    path: str
    line: Line
    name: str
    listed: tuple[str, ...]
    entry: Entry
    own: tuple[str, ...]


def misplaced(project: Project) -> Iterator[Misplaced]:
    """Yield the errors that a list has below classes which none of the entries with their title is of."""
    known: dict[tuple[str, ...], list[tuple[Entry, tuple[str, ...]]]] = {}
    for told in project.comparison.told:
        own = tuple(name for name in told.documented.classes if project.documented.defined(name))
        if own and told.entry.title:
            known.setdefault(title_words(told.entry.title), []).append((told.entry, own))
    for path, text in sorted(project.documents.texts.items()) if known else ():
        for section in sections(text):
            for line, listed in _listed(project, section):
                name = line.codes[0] if line.codes and line.text.startswith(line.codes[0]) else line.strong
                name = name or getattr(_FIRST.match(line.text), "group", str)()
                entries = known.get(title_words(name), ())
                if entries and not any(
                    _is_of(project, one, other) for _, own in entries for one in own for other in listed
                ):
                    yield Misplaced(path, line, name.strip(), listed, *entries[0])


def _listed(project: Project, section: Section) -> Iterator[tuple[Line, tuple[str, ...]]]:
    """Yield the items of the lists of a section with the classes that they stand below, in a heading or an item."""
    above = [(0, _classes(project, section.heading.text))]
    for block in section.blocks:
        if not isinstance(block, Paragraph) or not block.depth or not block.lines:
            continue
        line = block.lines[0]
        above = [each for each in above if each[0] < block.depth]
        around = next((names for _, names in reversed(above) if names), ())
        if around:
            yield line, around
        above.append((block.depth, _classes(project, line.text)))


def _classes(project: Project, text: str) -> tuple[str, ...]:
    """Return the exception classes of the project that a text names."""
    return tuple(name for name in _NAME.findall(text) if is_class(name) and project.documented.defined(name))


def _is_of(project: Project, one: str, other: str) -> bool:
    """Whether one of two classes is the other, or below it."""
    documented = project.documented
    return one in documented.below(other) or other in documented.below(one)
