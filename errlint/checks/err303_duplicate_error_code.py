"""ERR303: one code for two members or classes, or one name with two values."""

from __future__ import annotations

from collections.abc import Iterator

from errlint.findings import Finding, Related
from errlint.project import Project
from errlint.project.codes import Usage
from errlint.project.registry import MEMBERS, Registered, Registry, RegistryKind
from errlint.rules import RULES


def check(project: Project, path: str) -> Iterator[Finding]:
    """Yield what repeats a code, in the registries and exception classes of one file."""
    if not project.codes.applies(path):
        return
    registries = [item for item in project.codes.registered_in(path) if item.kind in MEMBERS]
    found = [each for item in (*registries, *project.codes.repeated_in(path)) for each in _members(item)]
    yield from found
    places = {each.span for each in found}
    for name, code, place in project.codes.misnamed_in(path):
        if place not in places:
            message = f"`{name}` is `{code}`, and has the name of another error code; they are two errors"
            yield Finding(path, place, "ERR303", RULES["ERR303"].severity, message)
    yield from _classes(project, path)


def _members(registry: Registry) -> Iterator[Finding]:
    told = [code for code in registry.codes if code.value is not None and not code.repeats]
    if len({code.value for code in told}) * 2 < len(told):
        return  # values that members share by design
    values: dict[str | int, Registered] = {}
    names: dict[str, Registered] = {}
    for code in told:
        assert code.value is not None
        named, first = names.setdefault(code.member, code), values.setdefault(code.value, code)
        if named is not code:
            if named.value != code.value:
                message = f"`{registry.spelled(code)}` has two codes, `{named.value}` and `{code.value}`; keep one"
                yield _finding(registry.path, code, message, Related(registry.path, named.place, "the other one"))
        elif first is not code and (isinstance(code.value, str) or _is_alias(registry, code.value)):
            message = (
                f"`{registry.spelled(code)}` has the code of `{registry.spelled(first)}`, `{code.value}`; "
                f"give it its own, or write `{code.member} = {first.member}` if it is the same error"
            )
            related = Related(registry.path, first.place, f"`{registry.spelled(first)}` is here")
            yield _finding(registry.path, code, message, related)


def _is_alias(registry: Registry, value: int) -> bool:
    """Whether a number that two members have makes one of them vanish; many errors may share an HTTP status."""
    return registry.kind is not RegistryKind.CONSTANTS and not 100 <= value < 600


def _finding(path: str, code: Registered, message: str, related: Related) -> Finding:
    return Finding(path, code.place, "ERR303", RULES["ERR303"].severity, message, related=(related,))


def _classes(project: Project, path: str) -> Iterator[Finding]:
    for group in project.codes.shared_by_classes(path):
        owner = _owner(group)
        for usage in group:
            if usage is owner or usage.path != path:
                continue
            message = f"`{_name(usage)}` has the error code of `{_name(owner)}`, `{usage.found.text}`; give it its own"
            related = (Related(owner.path, owner.place, f"`{_name(owner)}` has it too"),)
            yield Finding(path, usage.place, "ERR303", RULES["ERR303"].severity, message, related=related)


def _owner(group: tuple[Usage, ...]) -> Usage:
    """Return the class whose name the code is, or else the first."""
    return next((usage for usage in group if usage.is_named_after), group[0])


def _name(usage: Usage) -> str:
    return usage.owner.rpartition(".")[2]
