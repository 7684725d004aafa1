"""ERR411: the structured envelope of a message is not what the policy declares."""

from __future__ import annotations

from collections.abc import Iterator

from errlint.findings import Finding
from errlint.project import Project
from errlint.project.envelopes import flaw, messages
from errlint.project.mentions import unmentioned
from errlint.rules import RULES


def check(project: Project, path: str) -> Iterator[Finding]:
    """Yield the raises and answers of one file whose message ends in a malformed envelope, or lacks one."""
    codes = project.policy(path).codes
    if not codes.suffix.strip():
        return
    for function, span, text in messages(project, path):
        found = flaw(project, path, function, text, codes)
        if found:
            message = f"the envelope behind `{codes.suffix.strip()}` {found}"
            yield Finding(path, span, "ERR411", RULES["ERR411"].severity, message, function.name)
    for each in unmentioned(project, path):
        if each.is_suffix:
            message = f"the message of `{each.code}` has no envelope behind `{codes.suffix.strip()}`"
            yield Finding(path, each.span, "ERR411", RULES["ERR411"].severity, message, each.function)
