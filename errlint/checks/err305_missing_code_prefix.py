"""ERR305: a message that does not begin with its error code where the policy wants it to."""

from __future__ import annotations

from collections.abc import Iterator

from errlint.facts import only
from errlint.findings import Finding
from errlint.project import Project
from errlint.rules import RULES


def check(project: Project, path: str) -> Iterator[Finding]:
    """Yield the raises in one file whose message lacks the prefix."""
    policy = project.policy(path)
    if not policy.codes.prefix:
        return
    shown = policy.codes.prefix.strip().replace("{code}", "code")
    for function in project.modules[path].functions:
        for raised in function.raises:
            prefix = project.codes.prefixed(path, function.name, only(raised.value), policy)
            if prefix is not None and not prefix.is_there:
                message = f"the message does not begin with its error code; write `{shown} ...`"
                yield Finding(path, raised.span, "ERR305", RULES["ERR305"].severity, message, function.name)
