"""ERR302: a registered code that nothing uses."""

from __future__ import annotations

from collections.abc import Iterator

from errlint.findings import Finding
from errlint.project import Project
from errlint.project.codes import MEMBERS, Registered, Registry
from errlint.rules import RULES


def check(project: Project, path: str) -> Iterator[Finding]:
    """Yield the members of the registries in one file that occur nowhere else, neither by name nor by value."""
    if not project.codes.applies(path):
        return
    reserved = project.policy(path).codes.reserved
    for registry in project.codes.registered_in(path):
        if registry.kind not in MEMBERS or _is_of_protocol(registry) or project.codes.is_taken_whole(registry):
            continue
        counts = [(code, project.codes.occurrences(registry, code)) for code in registry.codes]
        if all(count == 0 for _, count in counts):
            continue  # nobody uses the registry, or somebody does in a way that cannot be seen
        for code, count in counts:
            if _is_prescribed(code):
                continue  # it is in the list because the protocol has it
            if count == 0 and not code.repeats and not {code.member, code.text} & set(reserved):
                message = f"nothing uses the error code `{registry.spelled(code)}`; remove it, or list it as reserved"
                yield Finding(path, code.place, "ERR302", RULES["ERR302"].severity, message)


def _is_of_protocol(registry: Registry) -> bool:
    """Whether a registry lists the codes of a protocol: numbers that JSON-RPC or LSP prescribe."""
    prescribed = [code for code in registry.codes if _is_prescribed(code)]
    return len(prescribed) * 2 > len(registry.codes)


def _is_prescribed(code: Registered) -> bool:
    return isinstance(code.value, int) and -32899 <= code.value < -32100
