"""ERR503: a documented message that no error of the code says."""

from __future__ import annotations

from collections.abc import Iterator

from errlint.checks.wording import shortened
from errlint.findings import Finding, Related
from errlint.project import Project
from errlint.project.drift.compared import Compared, is_near
from errlint.project.drift.documented import place_of
from errlint.rules import RULES


def check(project: Project) -> Iterator[Finding]:
    """Yield the messages of entries that none of the errors says which have the entry's code or class.

    Of entries that name neither only those that are near to a text of the code: the others are ERR502.
    """
    for each in project.comparison.drifted:
        asked = each.told.documented
        if project.comparison.returned(each) is not None:
            continue  # ERR506
        if asked.codes or asked.classes:
            yield _finding(each, _named(each))
        elif is_near(each):
            yield _finding(each, "no error")
    for unsaid in project.comparison.unsaid:
        if unsaid.nearest is not None:
            message = f'no error says "{shortened(unsaid.said.text)}"; the nearest: {unsaid.difference}'
            related = (Related(*unsaid.nearest, "the nearest is here"),)
            yield Finding(
                unsaid.path, place_of(unsaid.said), "ERR503", RULES["ERR503"].severity, message, related=related
            )


def _named(each: Compared) -> str:
    asked = each.told.documented
    names = asked.codes or asked.classes
    return f"no error with {'the code' if asked.codes else 'the class'} {' or '.join(f'`{name}`' for name in names)}"


def _finding(each: Compared, who: str) -> Finding:
    message = f'{who} says "{shortened(each.said.text)}"'
    related: tuple[Related, ...] = ()
    nearest = each.nearest
    if nearest is not None and nearest.raised is not None and is_near(each):
        message += f"; the nearest: {nearest.difference}"
        related = (Related(nearest.error.path, nearest.error.span, "the nearest is here"),)
        if nearest.error.made is not None:
            path, place = nearest.error.made
            related += (Related(path, place, "and is made here"),)
    severity = RULES["ERR503"].severity
    return Finding(each.told.entry.path, place_of(each.said), "ERR503", severity, message, related=related)
