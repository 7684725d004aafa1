"""ERR305: a message that does not begin with its error code, or its sign, where the policy wants it to."""

from __future__ import annotations

from collections.abc import Iterator

from errlint.facts import only
from errlint.findings import Finding
from errlint.project import Project
from errlint.project.commands import How
from errlint.rules import RULES


def check(project: Project, path: str) -> Iterator[Finding]:
    """Yield what lacks the prefix in one file: raises, functions that make exceptions; and prints without a sign."""
    policy = project.policy(path)
    for fault in project.commands.of(path, How.SIGN):
        yield Finding(path, fault.span, "ERR305", RULES["ERR305"].severity, fault.message, fault.function)
    if not policy.codes.prefix:
        return
    shown = policy.codes.prefix.strip().replace("{code}", "code")
    message = f"the message does not begin with its error code; write `{shown} ...`"
    for function in project.modules[path].functions:
        places = [project.codes.unprefixed(path, function)]
        made = [(found.span, only(found.value)) for found in function.raises]
        made += [(found.span, only(found.value)) for found in function.returns]
        for span, value in made:
            prefix = project.codes.prefixed(path, function.name, value, policy)
            if prefix is not None and not prefix.is_there and project.codes.is_at_fault(path, function.name, value):
                places.append(span)
        for place in filter(None, places):
            yield Finding(path, place, "ERR305", RULES["ERR305"].severity, message, function.name)
