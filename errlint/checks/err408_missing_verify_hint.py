"""ERR408: a timeout or network error on a write does not name the call that shows whether the write was made."""

from __future__ import annotations

from collections.abc import Iterator

from errlint.facts import Case, Function, Raise, Value
from errlint.findings import Finding, Span
from errlint.project import Project, verified
from errlint.project.calls import is_meant
from errlint.project.conditions import Conditions
from errlint.project.domain import matches
from errlint.project.fields import is_own
from errlint.rules import RULES
from errlint.settings.policy import Hints


def check(project: Project, path: str) -> Iterator[Finding]:
    """Yield the raises of one file that answer a failed connection of a write without saying how to verify it."""
    policy = project.policy(path)
    hints = policy.hints
    if not hints.verify:
        return
    own = {(error.function.name, error.span) for error in project.fields.of(path) if is_own(error, policy)}
    said = [usage for usage in project.codes.usages(path) if usage.how == "message"]
    for function in project.modules[path].functions:
        raised: set[Span] = set()
        for found in function.raises:
            if (function.name, found.span) not in own:
                continue
            codes = [str(usage.found.text) for usage in said if usage.place == found.span]
            written = _write(function, found, codes, hints)
            if written is not None:
                raised.add(found.span)
                yield from _unsaid(project, path, function, found.span, found.value, *written)
        for case in function.cases:
            if case.how != "raise" or case.span in raised or (function.name, case.span) not in own:
                continue
            codes = [str(usage.found.text) for usage in said if usage.place == case.span]
            call = _unanswered(project, path, function, case, codes)
            verify = _verifying(project, path, function, call) if call else ""
            if verify:
                yield from _unsaid(project, path, function, case.span, case.value, call, verify)
    for wrong in project.misdirected.get(path, ()):
        message = f"`{wrong.write}` is verified by another call than `{wrong.verify}` here; name that one"
        yield Finding(path, wrong.span, "ERR408", RULES["ERR408"].severity, message)


def _unsaid(
    project: Project, path: str, function: Function, span: Span, value: Value, call: str, verify: str
) -> Iterator[Finding]:
    """Yield the finding of an error that does not name the call by which a write is verified, with its arguments."""
    # The value as it is written may name a constant or a helper for advice; only what a table has is filled in.
    if not all(verified.lacks(said, verify) for said in (value, project.evaluator.filled(path, function.name, value))):
        return
    message = f"`{call}` may have been done although the connection failed; name `{verify}` in a hint"
    yield Finding(path, span, "ERR408", RULES["ERR408"].severity, message, function.name)


def _unanswered(project: Project, path: str, function: Function, case: Case, codes: list[str]) -> str:
    """Return the write of which a raise says that no answer came, "" where it says nothing of that."""
    if case.handlers:
        caught = Raise(case.span, case.value, None, case.handlers, ())
        calls = case.tried if verified.is_unanswered(caught) or any(map(verified.TRANSPORT.search, codes)) else ()
    else:
        statuses = Conditions(project, path, function.name).statuses(case.conditions)
        calls = (
            case.before
            if statuses == frozenset({REQUEST_TIMEOUT}) and any(map(verified.TRANSPORT.search, codes))
            else ()
        )
    writes = project.policy(path).codes.writes
    return next((name for name in calls if is_meant(project, path, function.name, name, writes)), "")


def _verifying(project: Project, path: str, function: Function, call: str) -> str:
    """Return the call that verifies a write, by the name of the write, of the function that makes it, or its tools."""
    verify = project.policy(path).hints.verify
    tools = (name for name in project.raised_errors.adapters(path, function))
    for name in (call.rpartition(":")[2].lstrip("."), function.name, *tools):
        for pattern, found in verify.items():
            if matches(name.rpartition(".")[2], (pattern,)):
                return found
    return ""


REQUEST_TIMEOUT = 408
"""The status of a backend that took too long: it may have written as well."""


def _write(function: Function, found: Raise, codes: list[str], hints: Hints) -> tuple[str, str] | None:
    """Return the write whose handler a raise stands in, and the call that verifies it, for transport errors only."""
    if not found.handlers or not (verified.is_unanswered(found) or any(map(verified.TRANSPORT.search, codes))):
        return None
    handler = found.handlers[0]
    for item in function.tries:
        if not any((catch.types, catch.name) == (handler.types, handler.name) for catch in item.catches):
            continue
        for called in function.calls:
            if item.span in called.tries:
                for pattern, verify in hints.verify.items():
                    if matches(called.value.name.lstrip("."), (pattern,)):
                        return called.value.name.lstrip("."), verify
    return None
