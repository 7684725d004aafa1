"""ERR502: the catalog has an error that no code raises."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import PurePosixPath

from errlint.catalog.entry import Entry, EntryText
from errlint.checks.wording import drift, shortened
from errlint.findings import Finding
from errlint.project import Project
from errlint.project.drift.compared import is_near
from errlint.project.drift.differing import wrong_classes
from errlint.project.drift.documented import place, place_of
from errlint.rules import RULES

_ENVIRONMENT = re.compile(r"troubleshoot|install|deploy|set-?\s?up|\bfaq\b|common (?:issues|problems)", re.IGNORECASE)


def check(project: Project) -> Iterator[Finding]:
    """Yield the entries whose code or class nothing in the code has, uses or can raise; reserved ones are left out."""
    for entry in project.documented.entries:
        phantom = project.phantoms.of(entry)
        if phantom is not None:
            yield Finding(
                entry.path, place(entry), "ERR502", RULES["ERR502"].severity, phantom.message, related=phantom.related
            )
    for wrong in wrong_classes(project, unknown=True):
        yield drift(wrong, "ERR502")
    for each in project.comparison.drifted:
        is_named = bool(each.told.documented.codes or each.told.documented.classes)
        if not (is_named or is_near(each) or _is_of_environment(project, each.told.entry)):
            yield _unsaid(each.told.entry.path, each.said, " ".join(each.said.text.split()))
    for other in project.comparison.unsaid:
        if other.nearest is None:
            yield _unsaid(other.path, other.said, shortened(other.said.text))


def _is_of_environment(project: Project, entry: Entry) -> bool:
    """Whether an entry stands where people write what goes wrong around the code, and on no page of a tool."""
    if project.comparison.pages.tools(entry.path):
        return False
    return any(map(_ENVIRONMENT.search, (*entry.sections, entry.title, PurePosixPath(entry.path).stem)))


def _unsaid(path: str, said: EntryText, text: str) -> Finding:
    message = f'no error of the code says "{text}"'
    return Finding(path, place_of(said), "ERR502", RULES["ERR502"].severity, message)
