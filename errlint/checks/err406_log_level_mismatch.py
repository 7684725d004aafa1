"""ERR406: an error is logged at another level than its severity's, or printed where results are."""

from __future__ import annotations

from collections.abc import Iterator

from errlint.facts import Function
from errlint.findings import Finding
from errlint.project import Project
from errlint.project.commands import How
from errlint.project.levels import misfits
from errlint.project.logs import COMPUTED, logged
from errlint.project.taxonomy import classified, recorded
from errlint.rules import RULES


def check(project: Project, path: str) -> Iterator[Finding]:
    """Yield the log calls of one file whose method does not go with the severity they log."""
    policy = project.policy(path)
    for fault in project.commands.of(path, How.STREAM):
        yield Finding(path, fault.span, "ERR406", RULES["ERR406"].severity, fault.message, fault.function)
    if not policy.logs.methods:
        return
    yield from _by_status(project, path)
    for found in logged(project, path):
        said = classified(project, path, found.function, found.fields, policy)
        severity = said.severity or _recorded(project, path, found.function, said.type)
        legal = policy.logs.methods.get(severity, ())
        if not legal or found.level == COMPUTED or found.method in legal:
            continue
        if found.method == "log" and found.level in legal:
            continue
        if found.method == "exception" and "error" in legal:
            continue
        methods = " or ".join(f"`{name}`" for name in legal)
        message = f"an error of severity {severity!r} is logged with `{found.method}`; use {methods}"
        yield Finding(path, found.called.span, "ERR406", RULES["ERR406"].severity, message, found.function.name)


def _by_status(project: Project, path: str) -> Iterator[Finding]:
    for found in misfits(project, path):
        methods = " or ".join(f"`{name}`" for name in found.legal)
        what = f"{found.name} has status {found.status}" if found.name.startswith("`") else found.name
        message = f"{what}, and is logged with `{found.said}`; use {methods}, or the level of the exception"
        yield Finding(path, found.span, "ERR406", RULES["ERR406"].severity, message, found.function)


def _recorded(project: Project, path: str, function: Function, kind: str) -> str:
    """Return the severity of the records of a type that a function builds, "" where it is not certain."""
    policy = project.policy(path)
    own = (record for record in project.records.of(path) if record.function is function and record.fact is not None)
    said = {found.severity for found in (recorded(project, record, policy) for record in own) if found.type == kind}
    return said.pop() if kind and len(said) == 1 else ""
