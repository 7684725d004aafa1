"""ERR405: an error is logged without the fields that the policy asks for."""

from __future__ import annotations

from collections.abc import Iterator

from errlint.facts import Function
from errlint.findings import Finding
from errlint.project import Project
from errlint.project.logs import COMPUTED, ERROR_LEVELS, Logged, logged
from errlint.project.records import LEAVING, is_only_written
from errlint.rules import RULES
from errlint.settings import Style
from errlint.settings.policy import Logs

_ENTRY = frozenset({"main", "_main", "amain", "async_main"})
"""Names of functions that start a program."""


def check(project: Project, path: str) -> Iterator[Finding]:
    """Yield the error and critical log calls of one file that lack fields."""
    asked = project.policy(path).logs.fields
    if not asked:
        return
    yield from _unlogged(project, path)
    for found in logged(project, path):
        lacking = [name for name in asked if name not in found.fields]
        if _starts_server(project, path, found.function):
            continue
        if not _is_of_error(found, project.policy(path).logs) or found.is_open or not lacking:
            continue
        fields = ", ".join(f"`{name}`" for name in lacking)
        what = "error" if found.level == COMPUTED else found.level
        message = f"this {what} is logged without {fields}; pass what the policy asks for as fields"
        yield Finding(path, found.called.span, "ERR405", RULES["ERR405"].severity, message, found.function.name)


def _is_of_error(found: Logged, logs: Logs) -> bool:
    """Whether an error is logged: by its level, or a caught one at a level that the policy has for errors, too."""
    if found.level in ERROR_LEVELS:
        return True
    if found.level == COMPUTED:
        return found.tells_exception or any(way.types for way in found.function.ways)
    methods = {method for legal in logs.methods.values() for method in legal}
    return found.level in methods and (found.tells_exception or any(way.types for way in found.function.ways))


def _starts_server(project: Project, path: str, function: Function) -> bool:
    """Whether a function runs before a tool is called: there is no operation or request that a field could name."""
    is_server = project.layout.distribution(path) in project.adapters.distributions
    is_entry = function.name.partition(".")[0] in _ENTRY
    return is_server and is_entry and project.policy(path).style is not Style.LOG


def _unlogged(project: Project, path: str) -> Iterator[Finding]:
    """Yield the error records that are printed or written where nothing is logged, and nobody gets them who may."""
    logging = {found.function.name for found in logged(project, path)}
    for record in project.records.of(path):
        function = record.function
        if record.fact is None or function.name in logging:
            continue
        ways = [outcome for outcome in record.fact.outcomes if outcome.end not in LEAVING]
        if not any(is_only_written(project, path, function, outcome) for outcome in ways):
            continue
        message = "an error is reported here, but it is not logged; log it with its fields"
        yield Finding(path, record.span, "ERR405", RULES["ERR405"].severity, message, function.name)
