"""ERR509: two places of the catalogs say different things of one error."""

from __future__ import annotations

import re
from collections.abc import Iterator

from errlint.catalog.entry import Entry, EntryText
from errlint.findings import Finding, Related, Span
from errlint.project import Project
from errlint.project.drift.classified import misplaced
from errlint.project.drift.contradictions import contradictions, misnamed
from errlint.project.drift.differing import wrong_classes, wrong_statuses
from errlint.rules import RULES

_COMPARED = ("status", "severity", "class", "message")
_NUMBER = re.compile(r"\b[1-5]\d\d\b")
_OTHER = "the other place is here"
_WORDS = re.compile(r"\W+")


def check(project: Project) -> Iterator[Finding]:
    """Yield what a later entry or example says otherwise than the first one, unless the code tells who is right."""
    decided = set(_decided(project))
    for entries in project.documented.codes.values():
        first: dict[str, tuple[Entry, EntryText]] = {}
        for entry in entries:
            if project.documents.is_generated(entry.path, entry.line):
                continue  # a row for each error, and one code may have many
            if not project.documented.is_about(entry.path):
                continue  # a page about other things, whose names are spelt like codes
            for label in _COMPARED:
                said = entry.said(label)
                if len(said) != 1:
                    continue
                other, before = first.setdefault(label, (entry, said[0]))
                is_elsewhere = (other.path, before.line) != (entry.path, said[0].line)
                places = {(label, other.path, before.line), (label, entry.path, said[0].line)}
                if is_elsewhere and _differ(label, before.text, said[0].text) and places.isdisjoint(decided):
                    yield _finding(entry, label, said[0], other, before)
    for found in contradictions(project):
        where = _place(found.shape.path, found.before.path, found.before.line)
        message = f"`{found.key}` is {found.shape.kind} here, and {found.before.kind} in {where}"
        span = Span(found.shape.line, 1, found.shape.line, 1)
        related = (Related(found.before.path, Span(found.before.line, 1, found.before.line, 1), _OTHER),)
        yield Finding(found.shape.path, span, "ERR509", RULES["ERR509"].severity, message, related=related)
    for item in misplaced(project):
        listed, own = (" or ".join(f"`{name}`" for name in names) for names in (item.listed, item.own))
        where = _place(item.path, item.entry.path, item.entry.line)
        message = f"`{item.name}` is listed as {listed}, and its entry in {where} is of {own}"
        span = Span(item.line.line, item.line.column, item.line.line, item.line.column + len(item.name))
        related = (Related(item.entry.path, Span(item.entry.line, 1, item.entry.line, 1), _OTHER),)
        yield Finding(item.path, span, "ERR509", RULES["ERR509"].severity, message, related=related)
    for each in misnamed(project):
        message = f"this entry is of `{each.name}` here, and of `{each.right}` in line {each.other}"
        span = Span(each.line, each.column, each.line, each.column + len(each.name))
        related = (Related(each.entry.path, Span(each.other, 1, each.other, 1), _OTHER),)
        yield Finding(each.entry.path, span, "ERR509", RULES["ERR509"].severity, message, related=related)


def _decided(project: Project) -> Iterator[tuple[str, str, int]]:
    """Yield what other rules report of the entries themselves: label, document and line."""
    yield from (("status", each.told.entry.path, each.said.line) for each in wrong_statuses(project))
    yield from (("message", each.told.entry.path, each.said.line) for each in project.comparison.drifted)
    for unknown in (False, True):
        classes = wrong_classes(project, unknown=unknown)
        yield from (("class", each.told.entry.path, each.said.line) for each in classes)


def _differ(label: str, one: str, other: str) -> bool:
    if label == "status":
        numbers = _NUMBER.findall(one), _NUMBER.findall(other)
        return all(len(found) == 1 for found in numbers) and numbers[0] != numbers[1]
    texts = [_WORDS.sub(" ", text).strip().casefold() for text in (one, other)]
    if label == "class":
        return all(" " not in text for text in texts) and texts[0].split()[-1:] != texts[1].split()[-1:]
    return texts[0] != texts[1]


def _finding(entry: Entry, label: str, said: EntryText, other: Entry, before: EntryText) -> Finding:
    span = Span(said.line, 1 if said.line != entry.line else entry.column, said.line, 1 + len(said.text))
    place = _place(entry.path, other.path, before.line)
    message = f"the {label} of `{entry.name}` is `{said.text}` here and `{before.text}` in {place}"
    related = (Related(other.path, Span(before.line, 1, before.line, 1), _OTHER),)
    return Finding(entry.path, span, "ERR509", RULES["ERR509"].severity, message, related=related)


def _place(here: str, path: str, line: int) -> str:
    """Name a line of a document, as it is seen from another place."""
    return f"{path}:{line}" if path != here else f"line {line}"
