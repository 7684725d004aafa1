"""ERR502: the catalog has an error that no code raises."""

from __future__ import annotations

from collections.abc import Iterator

from errlint.catalog.entry import Said
from errlint.checks.wording import drift, shortened
from errlint.findings import Finding
from errlint.project import Project
from errlint.project.compared import is_near
from errlint.project.differing import wrong_classes
from errlint.project.documented import place, place_of
from errlint.rules import RULES


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
        if not (each.told.documented.codes or each.told.documented.classes or is_near(each)):
            yield _unsaid(each.told.entry.path, each.said, " ".join(each.said.text.split()))
    for other in project.comparison.unsaid:
        if other.nearest is None:
            yield _unsaid(other.path, other.said, shortened(other.said.text))


def _unsaid(path: str, said: Said, text: str) -> Finding:
    message = f'no error of the code says "{text}"'
    return Finding(path, place_of(said), "ERR502", RULES["ERR502"].severity, message)
