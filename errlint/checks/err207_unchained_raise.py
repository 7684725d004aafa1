"""ERR207: a domain exception raised in a handler does not name what caused it."""

from __future__ import annotations

from collections.abc import Iterator

from errlint.facts import Constant
from errlint.findings import Finding
from errlint.project import Project
from errlint.project.names import ClassSymbol
from errlint.project.raise_outcome import Thrown, thrown
from errlint.rules import RULES


def check(project: Project, path: str) -> Iterator[Finding]:
    """Yield the domain raises in handlers of one file that lose the exception they stand for."""
    if project.layout.distribution(path) not in project.adapters.distributions:
        return
    for found in thrown(project, path):
        handlers = found.found.handlers
        if not handlers:
            continue
        keyword = project.policy(path).exceptions.cause
        name = handlers[0].name or "exc"
        passed = is_passed(project, found, keyword)
        if passed is None and found.found.cause is None:
            bind = "" if handlers[0].name else f", bound by `as {name}` in the `except`"
            text = f"does not name what caused it; add `from {name}`{bind}"
        elif passed is False and found.found.cause != Constant(None):
            text = f"does not pass `{keyword}={name}`, which its class takes"
        else:
            continue
        message = f"`raise {found.name}` {text}"
        yield Finding(path, found.found.span, "ERR207", RULES["ERR207"].severity, message, found.function.name)


def is_passed(project: Project, found: Thrown, keyword: str) -> bool | None:
    """Whether the cause is passed by the keyword of the policy; ``None`` where the class has no such parameter."""
    if not keyword or not isinstance(found.symbol, ClassSymbol):
        return None
    constructor = project.domain.constructor(found.symbol)
    if constructor is None or all(item.name != keyword for item in constructor.function.parameters):
        return None
    made = project.domain.construction(found.path, found.function.name, found.found.value)
    return made is not None and (made.is_open or keyword in made.passed)
