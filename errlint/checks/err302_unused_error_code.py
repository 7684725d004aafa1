"""ERR302: a registered code that nothing uses."""

from __future__ import annotations

from collections.abc import Iterator

from errlint.findings import Finding
from errlint.project import Project
from errlint.project.registry import MEMBERS, is_of_protocol, is_prescribed
from errlint.rules import RULES


def check(project: Project, path: str) -> Iterator[Finding]:
    """Yield the members of the registries in one file that occur nowhere else, neither by name nor by value."""
    if not project.codes.applies(path):
        return
    reserved = project.policy(path).codes.reserved
    for registry in project.codes.registered_in(path):
        if registry.kind not in MEMBERS or is_of_protocol(registry) or project.codes.is_taken_whole(registry):
            continue
        counts = [(code, project.codes.occurrences(registry, code)) for code in registry.codes]
        if all(count == 0 for _, count in counts):
            continue  # nobody uses the registry, or somebody does in a way that cannot be seen
        for code, count in counts:
            if is_prescribed(code):
                continue  # it is in the list because the protocol has it
            if count == 0 and not code.repeats and not {code.member, code.text} & set(reserved):
                message = f"nothing uses the error code `{registry.spelled(code)}`; remove it, or list it as reserved"
                yield Finding(path, code.place, "ERR302", RULES["ERR302"].severity, message)
