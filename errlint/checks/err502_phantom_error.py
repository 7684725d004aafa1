"""ERR502: the catalog has an error that no code raises."""

from __future__ import annotations

import builtins
import re
from collections.abc import Iterator

from errlint.catalog.entry import Entry, Kind
from errlint.findings import Finding, Related
from errlint.project import Project
from errlint.project.compared import is_near
from errlint.project.documented import place, place_of
from errlint.rules import RULES
from errlint.suggest import did_you_mean

_BASE = re.compile(r"\bbase (?:class|exception)\b", re.IGNORECASE)
"""What is said of a class that is there to be extended."""


def check(project: Project) -> Iterator[Finding]:
    """Yield the entries whose code or class nothing in the code has or uses; reserved ones are left out."""
    documented = project.documented
    for entry in documented.entries:
        if entry.is_reserved or _BASE.search(entry.title):
            continue
        if entry.kind is Kind.CODE and documented.is_about(entry.path):
            yield from _code(project, entry)
        elif entry.kind is Kind.CLASS and documented.is_about_classes(entry.path):
            yield from _class(project, entry)
    for each in project.comparison.drifted:
        if not (each.told.documented.codes or each.told.documented.classes or is_near(each)):
            message = f'no error of the code says "{" ".join(each.said.text.split())}"'
            yield Finding(each.told.entry.path, place_of(each.said), "ERR502", RULES["ERR502"].severity, message)


def _code(project: Project, entry: Entry) -> Iterator[Finding]:
    documented = project.documented
    item = documented.by_code.get(entry.name)
    if item is None:
        if not documented.is_mentioned(entry.name):
            hint = did_you_mean(entry.name, documented.by_code)
            yield _finding(entry, f"the code has no error code `{entry.name}`{f'; {hint}' if hint else ''}")
    elif not documented.is_used(item) and not item.is_reserved:
        related = (Related(item.path, item.place, "it is set here"),)
        what = (
            f"nothing raises `{item.owner}`, whose error code `{entry.name}` is"
            if item.owner
            else (f"the error code `{entry.name}` is registered, and nothing uses it")
        )
        yield _finding(entry, what, related)


def _class(project: Project, entry: Entry) -> Iterator[Finding]:
    name = entry.name.rpartition(".")[2]
    documented = project.documented
    defined = documented.defined(name)
    if documented.is_unmade(name):
        related = tuple(Related(item.path, item.definition.span, "it is defined here") for item in defined)
        yield _finding(entry, f"nothing raises `{name}`", related)
    elif not defined and not hasattr(builtins, name) and not documented.is_mentioned(name):
        yield _finding(entry, f"the code has no exception `{name}`")


def _finding(entry: Entry, message: str, related: tuple[Related, ...] = ()) -> Finding:
    return Finding(entry.path, place(entry), "ERR502", RULES["ERR502"].severity, message, related=related)
