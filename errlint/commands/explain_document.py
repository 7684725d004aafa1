"""``errlint explain FILE.md:LINE``: the entry of a catalog at a line, what it is compared with, what is found."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from errlint.catalog.entry import Entry, EntryKind
from errlint.characters import printable
from errlint.errors import InputError, Place
from errlint.run import check, linked, require_line
from errlint.workspace.root import inside

if TYPE_CHECKING:
    from errlint.project import Project
    from errlint.project.drift.binding import BoundError
    from errlint.request import Request

_MOST = 10
"""So many places of one kind are told of; the others are counted."""

_WIDTH = 14
"""How wide the names in front are."""


def explain(request: Request, path: Path, line: int) -> str:
    """Return what is known of a line (from 1) of a document, as text; the request names it.

    Raises :class:`InputError` for a file that is no document of the catalog, and for a line that is not there.
    """
    name = inside(request.settings.root, path)
    project = linked(request._replace(paths=()))
    if name not in project.documents.texts:
        hint = "`catalog.files` has the globs of documents; `errlint --show-settings` says where it is"
        raise InputError("errlint compares no such document with the code", hint=hint, place=Place(path))
    require_line(request, path, line)
    lines = [("file", f"{name} (a document of the catalog)"), *_lines(project, name, line)]
    first, behind = _extent(project, name, line)
    found = [each for each in check(request).findings if each.path == name and first <= each.span.line < behind]
    lines += [("finding", f"{each.code} in line {each.span.line}: {each.message}") for each in found]
    if not found:
        lines.append(("finding", "none"))
    return "".join(f"{printable(f'{what:<{_WIDTH}}{told}')}\n" for what, told in lines)


def _at(project: Project, path: str, line: int) -> Entry | None:
    """Return the entry that a line belongs to: that begins there, or says something there, else the nearest above."""
    own = [entry for entry in project.documented.entries if entry.path == path]
    exact = (entry for entry in own if line in (entry.line, *(said.line for _, said in entry.facts)))
    above = (entry for entry in own if entry.line <= line)
    return next(exact, None) or max(above, key=lambda entry: entry.line, default=None)


def _extent(project: Project, path: str, line: int) -> tuple[int, int]:
    """Return the first line whose findings are told, and the one behind the last: of the entry, else the line alone."""
    entry = _at(project, path, line)
    if entry is None:
        return line, line + 1
    starts = [each.line for each in project.documented.entries if each.path == path and each.line > entry.line]
    return entry.line, max(min(starts, default=line + 1), line + 1)


def _lines(project: Project, path: str, line: int) -> Iterator[tuple[str, str]]:
    entry = _at(project, path, line)
    if entry is None:
        yield "entry", "none at this line, nor above it"
        return
    where = f"in line {entry.line}" + (f", below {' / '.join(entry.sections)}" if entry.sections else "")
    by = {EntryKind.CODE: "the code", EntryKind.CLASS: "the class", EntryKind.MESSAGE: "the message"}
    yield "entry", f"{by.get(entry.kind, 'the title')} `{entry.name}` {where}"
    yield from ((f"  {label}", f"{said.text} (line {said.line})") for label, said in entry.facts)
    if project.documents.is_generated(path, entry.line):
        yield "compared", "no: `errlint catalog write` writes it, and ERR510 tells when it is out of date"
        return
    if entry.is_reserved:
        yield "compared", "no: it says itself that it is not raised"
        return
    if entry.kind is EntryKind.CODE:
        yield from _code(project, entry)
    phantom = project.phantoms.of(entry)
    if phantom is not None:
        yield "compared", f"no: {phantom.message}"
        return
    yield from _errors(project, entry)


def _code(project: Project, entry: Entry) -> Iterator[tuple[str, str]]:
    held = project.documented.by_code.get(entry.name)
    if held is None:
        yield "code", "not registered or set by the code"
        return
    how = f"set by {held.owner}" if held.owner else f"registered as {held.member}" if held.member else "registered"
    yield "code", f"{how} in {held.path}:{held.place.line}"
    yield from _places("used", [f"{path}:{line}" for path, line in project.documented.places_of(held)])


def _errors(project: Project, entry: Entry) -> Iterator[tuple[str, str]]:
    """Yield the errors that an entry may be about, and how each of its messages compares with them."""
    from errlint.project.drift.binding import candidates

    comparison = project.comparison
    content = next((each for each in comparison.told if each.entry == entry), None)
    if content is None:
        return
    if not (content.documented.codes or content.documented.classes):
        yield "error", "any that clients can get: the entry names neither a code nor a class"
    else:
        errors = candidates(content.documented, comparison.errors)
        places = [f"{error.path}:{error.span.line} {error.name or error.kind.value}" for error in errors]
        yield from _places("error", places)
        if not errors:
            yield "error", "none that clients can get has this code or class"
    for each in comparison.messages:
        if each.told.entry == entry:
            yield "compared", f"the message in line {each.said.line}: {_agreement(each.nearest)}"


def _agreement(nearest: BoundError | None) -> str:
    if nearest is None:
        return "no error has one that is near to it"
    where = f"{nearest.error.path}:{nearest.error.span.line}"
    return f"{where} says it" if nearest.agrees else f"{where} comes nearest: {nearest.difference}"


def _places(what: str, places: list[str]) -> Iterator[tuple[str, str]]:
    yield from ((what, place) for place in places[:_MOST])
    if len(places) > _MOST:
        yield what, f"… and {len(places) - _MOST} more"
