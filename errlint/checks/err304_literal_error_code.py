"""ERR304: a code is written out although the registry has a name for it."""

from __future__ import annotations

from collections.abc import Iterator

from errlint.findings import Finding, Related
from errlint.project import Project
from errlint.project.registry import MEMBERS
from errlint.rules import RULES


def check(project: Project, path: str) -> Iterator[Finding]:
    """Yield the literal codes in one file that are members of the registry they belong to."""
    if not project.codes.applies(path):
        return
    seen: set[tuple[object, object]] = set()
    for usage in project.codes.usages(path):
        found = usage.found
        key = (usage.place, found.text)
        if not found.is_literal or not isinstance(found.text, str) or key in seen:
            continue
        for registry in project.codes.registries(usage):
            code = next((item for item in registry.codes if item.value == found.text), None)
            if registry.kind not in MEMBERS or code is None:
                continue
            seen.add(key)
            message = f'the error code is written out as "{found.text}"; write `{registry.spelled(code)}`'
            related = (Related(registry.path, code.place, f"`{registry.spelled(code)}` is here"),)
            yield Finding(
                path, usage.place, "ERR304", RULES["ERR304"].severity, message, usage.function, related=related
            )
            break
