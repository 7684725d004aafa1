"""ERR301: a code that no registry has."""

from __future__ import annotations

from collections.abc import Iterator

from errlint import suggest
from errlint.findings import Finding, Related
from errlint.project import Project
from errlint.project.codes import CodeValue, Usage
from errlint.project.registry import Registry, RegistryKind
from errlint.rules import RULES

_NEAR = 0.75
"""How near another code has to be to be proposed: codes are made of the same few words."""


def check(project: Project, path: str) -> Iterator[Finding]:
    """Yield the codes in one file that are in none of the registries they belong to."""
    if not project.codes.applies(path):
        return
    seen: set[tuple[object, object]] = set()
    recorded = {(each.function, each.found.text) for each in project.codes.usages(path) if each.how == "record"}
    for usage in (*project.codes.written(path), *project.codes.compared(path)):
        code = usage.found.text
        registries = project.codes.registries(usage)
        key = (usage.place, code)
        if not isinstance(code, str) or not registries or key in seen:
            continue
        if usage.how == "log" and (usage.function, code) in recorded:
            continue
        if not usage.found.missing and project.codes.is_registered(usage.found, registries):
            continue
        seen.add(key)
        yield _finding(usage, code, registries)


def _finding(usage: Usage, code: str, registries: tuple[Registry, ...]) -> Finding:
    where = " or ".join(dict.fromkeys(_name(registry) for registry in registries))
    unknown = f"the error code `{code}` is not in {where}"
    message = f"{where} has no member `{code}`" if usage.found.missing else unknown
    near = nearest(usage.found, registries)
    message += f"; did you mean `{near}`?" if near else "; register it or use one that is registered"
    related = tuple(
        Related(item.path, item.place, f"{_name(item)} is here")
        for item in registries
        if item.kind not in (RegistryKind.POLICY, RegistryKind.EXCEPTIONS)
    )
    return Finding(
        usage.path, usage.place, "ERR301", RULES["ERR301"].severity, message, _function(usage), related=related
    )


def nearest(found: CodeValue, registries: tuple[Registry, ...]) -> str:
    """Return how code names the registered code that one may be a misspelling of, "" where none is near."""
    if found.missing:
        members = {item.member: f"{registries[0].short}.{item.member}" for item in registries[0].codes}
    else:
        members = {item.text: registry.spelled(item) for registry in registries for item in registry.codes}
    return members.get(suggest.nearest(str(found.text), members, _NEAR), "")


def _function(usage: Usage) -> str:
    return "" if usage.how in ("class", "decorator") and not usage.function.endswith("__init__") else usage.function


def _name(registry: Registry) -> str:
    if registry.kind is RegistryKind.POLICY:
        return "the vocabulary of the configuration"
    return registry.name if registry.kind is RegistryKind.EXCEPTIONS else f"`{registry.short}`"
