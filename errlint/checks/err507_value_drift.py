"""ERR507: a documented code or status that is not the error's."""

from __future__ import annotations

from collections.abc import Iterator

from errlint.checks.wording import drift
from errlint.findings import Finding, Related, Span
from errlint.project import Project
from errlint.project.drift.allowed_values import differing
from errlint.project.drift.details import wrong_rpc_codes, wrong_values
from errlint.project.drift.differing import wrong_classes, wrong_statuses
from errlint.project.drift.documented import place_of
from errlint.project.drift.listed_codes import differing_codes
from errlint.project.drift.options import Options
from errlint.project.drift.prescribed import contrary
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
    told = {(each.told.entry.path, each.said.line) for each in wrong_statuses(project)}
    for against in contrary(project):
        if (against.path, against.said.line) not in told:
            severity = RULES["ERR507"].severity
            yield Finding(against.path, place_of(against.said), "ERR507", severity, against.message)
    options = Options(project)
    for other in (*differing(project), *differing_codes(project), *unknown_values(project), *options.differing()):
        severity = RULES["ERR507"].severity
        yield Finding(
            other.path, Span(other.line, 1, other.line, 1), "ERR507", severity, other.message, related=(other.related,)
        )
    for lacking in options.missing():
        option = lacking.option
        span = Span(option.line, 1, option.line, 1)
        message = f"the option `{option.name}` is not documented, and `{lacking.group}` is, which holds it"
        related = (Related(lacking.path, Span(lacking.line, 1, lacking.line, 1), "it is here"),)
        yield Finding(option.path, span, "ERR507", RULES["ERR507"].severity, message, related=related)
