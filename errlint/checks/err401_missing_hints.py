"""ERR401: an error that needs hints has none."""

from __future__ import annotations

from collections.abc import Iterator

from errlint.findings import Finding, Related
from errlint.project import Project
from errlint.project.hints import lacks_hints
from errlint.project.mentions import unmentioned
from errlint.rules import RULES


def check(project: Project, path: str) -> Iterator[Finding]:
    """Yield the errors of one file without the hints the policy asks for, and those whose message has to give one."""
    lacking = list(unmentioned(project, path))
    without_envelope = {each.span for each in lacking if each.is_suffix}
    for each in lacking:
        if each.span in without_envelope:
            continue  # that is ERR411's
        message = f"the message of `{each.code}` does not name {each.wanted}, by which a reader knows what to do"
        yield Finding(path, each.span, "ERR401", RULES["ERR401"].severity, message, each.function)
    asked = project.policy(path).hints
    if not asked.classes:
        return
    for error in project.fields.of(path):
        if not lacks_hints(project, error, asked):
            continue
        keyword = next((name for name in asked.keywords if name in error.defaults), asked.keywords[0])
        message = f"`{error.name}` has no hints; pass `{keyword}` with what to do about the error"
        related: tuple[Related, ...] = ()
        if error.symbol is not None:
            text = f"`{error.symbol.definition.name}` brings none of its own"
            related = (Related(error.symbol.path, error.symbol.definition.span, text),)
        yield Finding(
            path, error.span, "ERR401", RULES["ERR401"].severity, message, error.function.name, related=related
        )
