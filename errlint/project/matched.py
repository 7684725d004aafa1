"""What code that catches the exceptions of the domain compares their fields with."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from errlint.facts import Function, Matched
from errlint.findings import Span
from errlint.project.conditions import Conditions
from errlint.project.domain import matches
from errlint.project.names import ClassSymbol

if TYPE_CHECKING:
    from errlint.project import Project


class Expected(NamedTuple):
    """A text that a field of a domain exception is compared with; ``names`` are those of the classes it may be of."""

    function: Function
    span: Span
    field: str
    text: str
    names: frozenset[str]


def expected(project: Project, path: str, fields: frozenset[str]) -> Iterator[Expected]:
    """Yield the texts that some fields of domain exceptions are compared with in one file."""
    for function in project.modules[path].functions:
        asks = Conditions(project, path, function.name)
        for found in function.matched:
            if found.field not in fields:
                continue
            names = _classes(project, path, function, found)
            for text in sorted(asks.texts(found.value) or ()) if names else ():
                yield Expected(function, found.span, found.field, text, names)


def unknown_values(project: Project, path: str) -> Iterator[tuple[Expected, tuple[str, ...]]]:
    """Yield the texts that no error has in a field of which ``[[required]]`` says the values, with these."""
    required = [item for item in project.policy(path).required if item.values]
    fields = frozenset(name for item in required for name in item.values)
    for each in expected(project, path, fields) if fields else ():
        about = [item for item in required if any(matches(name, item.classes) for name in each.names)]
        allowed = [item.values[each.field] for item in about if each.field in item.values]
        if allowed and not any(each.text in values for values in allowed):
            yield each, tuple(dict.fromkeys(text for values in allowed for text in values))


def _classes(project: Project, path: str, function: Function, found: Matched) -> frozenset[str]:
    """Return the absolute names of the domain exceptions that may be compared, none where others may be as well."""
    policy = project.policy(path)
    names: set[str] = set()
    for name in found.types:
        symbol = project.names.resolve(path, name, function.name)
        if not isinstance(symbol, ClassSymbol):
            return frozenset()
        below = list(project.statuses.below(symbol))
        if project.domain.is_domain(symbol, policy):
            names.update(project.hierarchy.ancestors(symbol))
        elif not below:
            return frozenset()
        names.update(project.names.absolute(each) for each in below)
    return frozenset(names)
