"""ERR313: a failed parameter check with another code than the policy's, or that code once the backend was called."""

from __future__ import annotations

from collections.abc import Iterator

from errlint.facts import Called, Function
from errlint.findings import Finding, Related
from errlint.project import Project
from errlint.project.codes import Usage
from errlint.project.domain import matches
from errlint.rules import RULES
from errlint.settings import Policy


def check(project: Project, path: str) -> Iterator[Finding]:
    """Yield the raises in one file whose code belongs to the other side of the first call of the backend."""
    policy = project.policy(path)
    codes = policy.codes
    if not codes.validation or not codes.backend:
        return
    for function in project.modules[path].functions:
        called = first_call(function, policy)
        if called is None:
            continue
        related = (Related(path, called.span, "the backend is called here first"),)
        for usage in project.codes.usages(path):
            if usage.function != function.name or usage.how not in ("raise", "message"):
                continue
            is_validation = usage.found.text == codes.validation
            if usage.place < called.span and not is_validation and not _is_handled(function, usage):
                message = (
                    f"a check before the first call of the backend fails with `{usage.found.text}`; "
                    f"use `{codes.validation}`"
                )
            elif usage.place > called.span and is_validation and _is_after(function, called, usage):
                message = f"`{codes.validation}` is for checks before the backend is called, and here it was called"
            else:
                continue
            yield Finding(
                path, usage.place, "ERR313", RULES["ERR313"].severity, message, function.name, related=related
            )


def first_call(function: Function, policy: Policy) -> Called | None:
    """Return the first call of the backend in a function, ``None`` where it has none."""
    calls = [item for item in function.calls if matches(item.value.name.lstrip("."), policy.codes.backend)]
    return min(calls, key=lambda item: item.span, default=None)


def _is_handled(function: Function, usage: Usage) -> bool:
    """Whether a raise stands in a handler: then something was tried, and no parameter was checked."""
    return any(found.span == usage.place and found.handlers for found in function.raises)


def _is_after(function: Function, called: Called, usage: Usage) -> bool:
    """Whether the call was certainly made: the raise handles its failure, or the call stands on every way to it."""
    raised = next(found for found in function.raises if found.span == usage.place)
    catches = [catch for item in function.tries if item.span in called.tries for catch in item.catches]
    if any(catch.span < usage.place for catch in catches):
        return bool(raised.handlers)
    kept = (function.raises, function.returns, function.calls)
    places = [item.span for items in kept for item in items]
    outermost = min(place.column for place in places)
    goes_on = any(place > usage.place and place.column == outermost for place in places)
    return called.span.column == outermost and goes_on and not catches and not called.handlers
