"""ERR307: what an error says about retrying contradicts the policy."""

from __future__ import annotations

from collections.abc import Iterator

from errlint.facts import Constant, Value, only
from errlint.findings import Finding, Span
from errlint.project import Project
from errlint.project.domain import matches
from errlint.rules import RULES

RETRIES = frozenset({"retry", "retrying", "retriable", "with_retry", "with_retries", "on_exception", "on_predicate"})
"""Last parts of decorators that call a function again when it fails."""


def check(project: Project, path: str) -> Iterator[Finding]:
    """Yield the raises and payloads in one file that say something else than their code, and retried writes."""
    policy = project.policy(path)
    if not policy.codes.vocabulary and not policy.codes.writes:
        return
    for function in project.modules[path].functions:
        for raised in function.raises:
            fields = dict(project.codes.fields(path, function.name, only(raised.value), policy))
            yield from _compared(project, path, function.name, raised.span, fields)
        for found in function.returns:
            if project.classifier.classify(path, function, found) is not None:
                parts = dict(project.codes.parts(path, function.name, found.value, policy))
                yield from _compared(project, path, function.name, found.span, parts)
        retry = next((name for name in function.decorators if name.rpartition(".")[2] in RETRIES), None)
        if retry is None:
            continue
        for called in function.calls:
            name = called.value.name.lstrip(".")
            if matches(name, policy.codes.writes):
                message = f"`{retry}` calls `{name}` again although the first call may have written; verify that first"
                yield Finding(path, called.span, "ERR307", RULES["ERR307"].severity, message, function.name)


def _compared(project: Project, path: str, scope: str, place: Span, fields: dict[str, Value]) -> Iterator[Finding]:
    codes = project.policy(path).codes
    values = [fields[name] for name in codes.arguments if name in fields]
    texts = {found.text for value in values for found in project.codes.resolved(path, scope, value)}
    if len(texts) != 1:
        return
    code = str(texts.pop())
    expected = codes.vocabulary[code].retryable if code in codes.vocabulary else None
    if expected is None:
        return
    for name in codes.retry_arguments:
        said = only(fields[name]) if name in fields else None
        if type(said) is Constant and isinstance(said.value, bool) and said.value is not expected:
            message = f"`{name}` is {said.value}, but `{code}` is {'' if expected else 'not '}retryable"
            yield Finding(path, place, "ERR307", RULES["ERR307"].severity, message, scope)
    if not expected and any(_is_given(fields[name]) for name in AFTER if name in fields):
        message = f"it says when to retry, but `{code}` is not retryable"
        yield Finding(path, place, "ERR307", RULES["ERR307"].severity, message, scope)


AFTER = ("retry_after", "retry_after_seconds", "retry_after_ms")
"""Arguments and keys that say when to retry."""


def _is_given(value: Value) -> bool:
    found = only(value)
    return type(found) is Constant and bool(found.value)
