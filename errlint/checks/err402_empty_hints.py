"""ERR402: a hint that gives no advice, or sends people to a tool that there is not."""

from __future__ import annotations

from collections.abc import Iterator

from errlint.findings import Finding
from errlint.project import Project
from errlint.project.hints import flaw
from errlint.project.sent_to import dead_tool
from errlint.rules import RULES


def check(project: Project, path: str) -> Iterator[Finding]:
    """Yield the errors of one file with hints that are empty, blank, placeholders or the message again."""
    asked = project.policy(path).hints
    for error in project.fields.of(path):
        if error.is_raised and not error.is_domain:
            continue
        for keyword in asked.keywords:
            value = error.passed.get(keyword)
            found = flaw(error, keyword, value) if value is not None else ""
            remedy = "say what to do about the error, or leave it out"
            if not found and asked.tools and value is not None and (name := dead_tool(project, error, value)):
                found, remedy = f"sends people to `{name}`, and there is no such tool", "name one that exists"
            if found:
                what = f"`{error.name}`" if error.name else "the error payload"
                message = f"`{keyword}` of {what} {found}; {remedy}"
                yield Finding(path, error.span, "ERR402", RULES["ERR402"].severity, message, error.function.name)
                break
