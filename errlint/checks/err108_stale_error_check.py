"""ERR108: an error payload is looked for in the result of a function that raises, or answers declared types."""

from __future__ import annotations

from collections.abc import Iterator

from errlint.checks import wording
from errlint.facts import Inspection
from errlint.findings import Finding, Related
from errlint.project import Project
from errlint.project.read_records import unknown_fields
from errlint.project.stale import Stale
from errlint.rules import RULES


def check(project: Project, path: str) -> Iterator[Finding]:
    """Yield the checks of one file, or test, that look for an error where none can be: each once, at the first."""
    groups: dict[tuple[str, tuple[str, ...], str], list[Stale]] = {}
    for stale in project.checks.of(path):
        key = (stale.around.name, stale.inspection.callees, stale.inspection.key)
        groups.setdefault(key, []).append(stale)
    for group in groups.values():
        yield _finding(project, path, sorted(group, key=lambda stale: stale.inspection.span))
    for unknown in unknown_fields(project, path) if path in project.modules else ():
        message = f"looks for `{unknown.field}` in an error record, which never has it; read a field that records have"
        yield Finding(path, unknown.span, "ERR108", RULES["ERR108"].severity, message, unknown.function.name)


def _finding(project: Project, path: str, group: list[Stale]) -> Finding:
    stale = group[0]
    callee, raised = wording.short(stale.callee.function.name), stale.raised
    again = sorted({other.inspection.span for other in group[1:]} - {stale.inspection.span})
    looks = f"looks for {_what(stale.inspection)} in what `{callee}` returns, but `{callee}`"
    if raised is None:
        answered = stale.answered.definition.name if stale.answered is not None else ""
        message = f"{looks} answers objects such as `{answered}`, which have none; ask for the type instead"
        related: tuple[Related, ...] = ()
    else:
        name, helper = raised.name, raised.function.name
        by = "" if helper == stale.callee.function.name else f" (in `{wording.short(helper)}`)"
        remedy = "assert that it raises" if path in project.tests else "catch the exception"
        message = f"{looks} raises `{name}`{by} and never returns one; {remedy} instead"
        related = (Related(raised.path, raised.found.span, f"`{name}` is raised here"),)
    related += tuple(Related(path, span, "it is looked for here too") for span in again)
    severity = RULES["ERR108"].severity
    return Finding(path, stale.inspection.span, "ERR108", severity, message, stale.around.name, related=related)


def _what(inspection: Inspection) -> str:
    how, key = inspection.how, inspection.key
    if how == "isinstance":
        return f"an instance of `{key}`"
    what = {"attribute": "an attribute", "unpacked": "an item"}.get(how, "a key") + f" `{key}`"
    if inspection.texts:
        texts = " or ".join(f"`{text}`" for text in inspection.texts)
        what += f" that is {'not ' * inspection.is_negated}{texts}"
    return what
