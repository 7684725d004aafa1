"""Entries of catalogs whose code or class no code raises."""

from __future__ import annotations

import builtins
import re
from collections.abc import Iterable
from typing import TYPE_CHECKING, NamedTuple

from errlint.catalog.entry import Entry, EntryKind
from errlint.findings import Related
from errlint.lazy import cached_property
from errlint.project.raised_errors import RaisedError
from errlint.suggest import did_you_mean

if TYPE_CHECKING:
    from errlint.project import Project

_BASE = re.compile(r"\bbase (?:class|exception)\b", re.IGNORECASE)
"""What is said of a class that is there to be extended."""


class Phantom(NamedTuple):
    """Why an entry is none of this code, and the places in the code that have to do with it."""

    message: str
    related: tuple[Related, ...] = ()


class Phantoms:
    """Answers which entries of the catalogs of one project no code raises."""

    def __init__(self, project: Project) -> None:
        self._project = project
        self._found: dict[Entry, Phantom | None] = {}

    def of(self, entry: Entry) -> Phantom | None:
        """Return why an entry is a phantom, ``None`` for one that is not, or that says so itself."""
        if entry not in self._found:
            documented = self._project.documented
            found: Phantom | None = None
            if entry.is_reserved or _BASE.search(entry.title):
                pass
            elif entry.kind is EntryKind.CODE and documented.lists_errors(entry.path):
                found = self._code(entry)
            elif entry.kind is EntryKind.CLASS and documented.is_about_classes(entry.path):
                found = self._class(entry)
            self._found[entry] = found
        return self._found[entry]

    def _code(self, entry: Entry) -> Phantom | None:
        documented = self._project.documented
        item = documented.by_code.get(entry.name)
        if item is None:
            if documented.is_spoken_of(entry) or documented.is_mentioned(entry.name):
                return None
            hint = did_you_mean(entry.name, documented.by_code)
            return Phantom(f"the code has no error code `{entry.name}`{f'; {hint}' if hint else ''}")
        if item.is_reserved:
            return None
        places = documented.places_of(item)
        if places:
            return self._in_vain(f"the error code `{entry.name}`", places, self._by_code.get(entry.name, ()))
        what = (
            f"nothing raises `{item.owner}`, whose error code `{entry.name}` is"
            if item.owner
            else (f"the error code `{entry.name}` is registered, and nothing uses it")
        )
        return Phantom(what, (Related(item.path, item.place, "it is set here"),))

    def _class(self, entry: Entry) -> Phantom | None:
        name = entry.name.rpartition(".")[2]
        documented = self._project.documented
        defined = documented.defined(name)
        if not defined:
            is_known = hasattr(builtins, name) or documented.is_mentioned(name)
            return None if is_known else Phantom(f"the code has no exception `{name}`")
        places = [place for each in documented.below(name) for place in documented.places_of_class(each)]
        if not places:
            related = tuple(Related(item.path, item.definition.span, "it is defined here") for item in defined)
            return Phantom(f"nothing raises `{name}`", related)
        absolute = {self._project.hierarchy.ancestors(item)[0] for item in defined}
        of_class = {error for each in absolute for error in self._by_class.get(each, ())}
        in_order = sorted(of_class, key=lambda error: (error.path, error.span, error.function))
        return self._in_vain(f"`{name}`", places, in_order)

    @cached_property
    def _by_code(self) -> dict[str, list[RaisedError]]:
        """The errors that have a code, in order of place."""
        found: dict[str, list[RaisedError]] = {}
        for error in self._project.raised_errors.all():
            for code in dict.fromkeys(map(str, error.codes)):
                found.setdefault(code, []).append(error)
        return found

    @cached_property
    def _by_class(self) -> dict[str, list[RaisedError]]:
        """The errors of a class, or of one below it, by its absolute name and in order of place."""
        found: dict[str, list[RaisedError]] = {}
        for error in self._project.raised_errors.all():
            for name in dict.fromkeys(error.names):
                found.setdefault(name, []).append(error)
        return found

    def _in_vain(self, what: str, places: Iterable[tuple[str, int]], errors: Iterable[RaisedError]) -> Phantom | None:
        """Return why nobody gets an error: all that uses its code or class are raises that nobody gets."""
        own = list(errors)
        if not own or any(error.surfaces for error in own):
            return None
        if not all(any(_covers(error, place) for error in own) for place in places):
            return None
        first = own[0]
        why = "its own function catches it again" if not first.escapes else "nothing calls that function, or gets there"
        return Phantom(
            f"nobody gets {what}: where it is raised, {why}", (Related(first.path, first.span, "it is raised here"),)
        )


def _covers(error: RaisedError, place: tuple[str, int]) -> bool:
    path, line = place
    return error.path == path and error.span.line <= line <= error.span.end_line
