"""ERR505: documented fields that the error is not given, or the reverse."""

from __future__ import annotations

from collections.abc import Iterator

from errlint.checks.wording import drift
from errlint.findings import Finding
from errlint.project import Project
from errlint.project.drift.details import wrong_parts
from errlint.project.drift.differing import unbound_fields
from errlint.project.drift.example_responses import unanswered_keys
from errlint.rules import RULES


def check(project: Project) -> Iterator[Finding]:
    """Yield the documented fields that the error of an entry is not given, and the given ones that it does not list."""
    for found in project.comparison.differences:
        for each in found.fields:
            yield drift(each, "ERR505")
    for each in (*unbound_fields(project), *wrong_parts(project)):
        yield drift(each, "ERR505")
    for other in unanswered_keys(project):
        severity = RULES["ERR505"].severity
        yield Finding(other.path, other.span, "ERR505", severity, other.message, related=other.related)
