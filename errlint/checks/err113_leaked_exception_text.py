"""ERR113: the text of an unexpected exception reaches the client."""

from __future__ import annotations

from collections.abc import Iterator

from errlint.checks import wording
from errlint.facts import (
    Call,
    Item,
    Raise,
    Ref,
    Return,
    Value,
    inner_values,
)
from errlint.findings import Finding
from errlint.index.catching import is_broad
from errlint.project import Project
from errlint.project.leaks import TRACES, tells
from errlint.project.payload_shapes import Form, FormKind
from errlint.project.raise_outcome import leaves, thrown, told
from errlint.project.return_sites import ReturnSite
from errlint.rules import RULES
from errlint.settings import Style

_ASKING = frozenset({"type", "isinstance", "hasattr", "getattr"})
"""Calls that answer something else than what they are handed."""

_PLACES = frozenset(
    {"os.getcwd", "Path.cwd", "pathlib.Path.cwd", "Path.home", "os.path.abspath", "tempfile.gettempdir"}
)


def check(project: Project, path: str) -> Iterator[Finding]:
    """Yield the returns and raises of adapter code in one file that hand on the text of whatever was raised."""
    for function, found in project.sites.returns_of(path):
        leak = _leak(found)
        if leak is None or project.sites.is_excluded(path, function) or not project.reach.adapter_of(path, function):
            continue
        site = ReturnSite(path, function, found, Form(FormKind.TEXT, ()), project.adapters.is_adapter(path, function))
        message = f"{wording.subject(project, site)} hands {leak} to the client; log it and answer a text of your own"
        yield wording.finding(site, "ERR113", message, RULES["ERR113"].severity)
    if project.policy(path).style is not Style.RAISE:
        return
    for each in thrown(project, path):
        handler = next(iter(each.found.handlers), None)
        if handler is None or not is_broad(handler.types) or not _says(each.found, handler.name):
            continue
        if project.sites.is_excluded(path, each.function) or not (adapter := leaves(project, each)):
            continue
        by = "" if adapter == each.function.name else f" (called by the adapter `{wording.short(adapter)}`)"
        who = f"`{wording.short(each.function.name)}`{by} raises `{each.name}` with"
        message = (
            f"{who} the text of any exception (`{handler.name}`) in its message; log it and write a text of your own"
        )
        severity = RULES["ERR113"].severity
        yield Finding(path, each.found.span, "ERR113", severity, message, each.function.name)


def _says(found: Raise, name: str) -> bool:
    """Whether the message of a raise has the text of an exception in it; its other arguments are not looked at."""
    return bool(name) and any(tells(value, name) for value in told(found))


def _leak(found: Return) -> str | None:
    if not found.handlers:
        return None
    handler = found.handlers[0]
    broad = is_broad(handler.types)
    for value in _parts(found.value):
        if type(value) is Call and value.name.rpartition(".")[2] in TRACES:
            return "a traceback"
        if (type(value) is Call and value.name in _PLACES) or (type(value) is Ref and value.name == "__file__"):
            return "a path of the server"
        if type(value) is Ref and handler.name and value.name == f"{handler.name}.filename":
            return "a path of the server"
        if broad and handler.name and type(value) is Ref and value.name == handler.name:
            return f"the text of any exception (`{handler.name}`)"
    return None


def _parts(value: Value) -> Iterator[Value]:
    """Yield a value and everything that becomes part of its text."""
    pending = [value]
    while pending:
        current = pending.pop()
        yield current
        is_asked = type(current) is Call and current.name.rpartition(".")[2] in _ASKING
        pending.extend(() if is_asked or type(current) is Item else inner_values(current))
