"""ERR212: a guarded call is made without the check of availability that the policy wants before it."""

from __future__ import annotations

from collections.abc import Iterator

from errlint.checks.wording import short
from errlint.facts import Function
from errlint.findings import Finding
from errlint.project import Project
from errlint.project.domain import matches
from errlint.project.unchecked import DEPTH, asks, decorator_asks, is_guarded, leads_to_check, spellings
from errlint.rules import RULES


def check(project: Project, path: str) -> Iterator[Finding]:
    """Yield the guarded calls in one file that some way reaches without a check."""
    work = project.policy(path).work
    if not work.availability or not work.guarded:
        return
    for function in project.modules[path].functions:
        if function.precaution is None or is_guarded(project, path, function):
            continue
        found = [
            item
            for item in function.precaution.unchecked
            if any(matches(name, work.guarded) for name in spellings(project, path, item.callee, function.name))
            and not any(leads_to_check(project, path, function, name, DEPTH) for name in (*item.before, item.callee))
        ]
        if not found or _is_checked_outside(project, path, function, DEPTH):
            continue
        wanted = ", ".join(f"`{name.strip('*.')}`" for name in work.availability)
        for item in found:
            message = (
                f"`{short(function.name)}` calls `{item.callee}` on a way on which nobody asked whether it is "
                f"available; ask first ({wanted})"
            )
            yield Finding(path, item.span, "ERR212", RULES["ERR212"].severity, message, function.name)


def _is_checked_outside(project: Project, path: str, function: Function, depth: int) -> bool:
    """Whether a decorator asks, or everybody who calls the function did before or is guarded as well."""
    if any(decorator_asks(project, path, name) for name in function.decorators):
        return True
    if project.adapters.is_adapter(path, function):
        return False
    callers = project.callers.may(path, function)
    if not callers or depth == 0:
        return False
    for caller in callers:
        around = project.callers.around(caller)
        if around is None:
            return False
        if caller.use.how != "passed" and is_guarded(project, caller.path, around):
            continue  # whoever calls that one has to ask
        safe = around.precaution.checked if around.precaution and asks(project, caller.path, around) else ()
        if any(span.line <= caller.use.span.line <= span.end_line for span in safe):
            continue
        if around.name == function.name or not _is_checked_outside(project, caller.path, around, depth - 1):
            return False
    return True
