"""ERR507: a documented code or status that is not the error's."""

from __future__ import annotations

from collections.abc import Iterator

from errlint.checks.wording import drift
from errlint.findings import Finding, Span
from errlint.project import Project
from errlint.project.drift.allowed import differing
from errlint.project.drift.details import wrong_rpc_codes, wrong_values
from errlint.project.drift.differing import wrong_classes, wrong_statuses
from errlint.project.drift.listed_codes import differing_codes
from errlint.project.drift.unknown_values import unknown_values
from errlint.rules import RULES


def check(project: Project) -> Iterator[Finding]:
    """Yield the codes of examples, the statuses and classes of entries, and of answers, that the code does not have."""
    for found in project.comparison.differences:
        for each in found.values:
            yield drift(each, "ERR507")
    for each in (*project.comparison.wrong_codes, *wrong_statuses(project)):
        yield drift(each, "ERR507")
    for each in (*wrong_classes(project, unknown=False), *wrong_values(project), *wrong_rpc_codes(project)):
        yield drift(each, "ERR507")
    for answer, is_listed in project.comparison.wrong_answers:
        if is_listed:
            severity = RULES["ERR507"].severity
            yield Finding(answer.path, answer.span, "ERR507", severity, answer.message, related=answer.related)
    for other in (*differing(project), *differing_codes(project), *unknown_values(project)):
        severity = RULES["ERR507"].severity
        yield Finding(
            other.path, Span(other.line, 1, other.line, 1), "ERR507", severity, other.message, related=(other.related,)
        )
