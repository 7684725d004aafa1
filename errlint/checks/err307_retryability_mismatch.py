"""ERR307: what an error says about retrying contradicts the policy."""

from __future__ import annotations

from collections.abc import Iterator

from errlint.facts import Call, Constant, Mapping, Sequence, Text, Value, Variable, only
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
    found = (*_of_types(project, path), *_of_tables(project, path), *_of_functions(project, path))
    yield from {(item.span, item.message): item for item in found}.values()


def _of_types(project: Project, path: str) -> Iterator[Finding]:
    """Compare what objects of the declared types say."""
    codes = project.policy(path).codes
    for error in project.fields.of(path):
        if error.symbol is None or error.is_raised:
            continue
        fields = dict(error.passed)
        yield from _compared(project, path, error.function.name, error.span, fields)
        for name in codes.retry_arguments:
            said = project.fields.text(path, error.function.name, fields.get(name))
            if said is not None:
                message = f"`{name}` is the text {said!r}, which is true whatever it says; pass True or False"
                yield _finding(path, error.span, message, error.function.name)


def _of_tables(project: Project, path: str) -> Iterator[Finding]:
    """Compare the lines of the tables of a module in which codes stand beside what they say of retrying."""
    argument = next(iter(project.policy(path).codes.arguments), "")
    for assigned in project.modules[path].assigned:
        for key, line in _lines(assigned.value):
            fields: dict[str, Value] = {argument: Text((key,))} if key else {}
            if type(line) is Call:
                fields |= {item.name: item.value for item in line.arguments if item.name}
            elif type(line) is Mapping:
                fields |= {entry.key: entry.value for entry in line.entries if entry.key}
            yield from _compared(project, path, "", assigned.span, fields)


def _lines(value: Value) -> Iterator[tuple[str, Value]]:
    """Yield the lines of a table, a dict or a list, each with its key where that is a text."""
    if type(value) is Mapping:
        yield from ((entry.key or "", entry.value) for entry in value.entries)
    elif type(value) is Sequence:
        yield from (("", item) for item in value.items)


def _of_functions(project: Project, path: str) -> Iterator[Finding]:
    policy = project.policy(path)
    made = {error.function.name for error in project.fields.of(path) if error.is_held and error.symbol is not None}
    for function in project.modules[path].functions:
        for raised in function.raises:
            fields = dict(project.codes.fields(path, function.name, only(raised.value), policy))
            yield from _compared(project, path, function.name, raised.span, fields)
        for found in function.returns:
            if type(found.value) is Variable and function.name in made:
                continue  # where it was made
            if project.classifier.classify(path, function, found) is not None:
                given = dict(project.codes.parts(path, function.name, found.value, policy))
                yield from _compared(project, path, function.name, found.span, given)
        retry = next((name for name in function.decorators if name.rpartition(".")[2] in RETRIES), None)
        if retry is None:
            continue
        for called in function.calls:
            name = called.value.name.lstrip(".")
            if matches(name, policy.codes.writes):
                message = f"`{retry}` calls `{name}` again although the first call may have written; verify that first"
                yield _finding(path, called.span, message, function.name)


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
            yield _finding(path, place, message, scope)
    if not expected and any(_is_given(fields[name]) for name in AFTER if name in fields):
        message = f"it says when to retry, but `{code}` is not retryable"
        yield _finding(path, place, message, scope)


def _finding(path: str, place: Span, message: str, scope: str) -> Finding:
    return Finding(path, place, "ERR307", RULES["ERR307"].severity, message, scope)


AFTER = ("retry_after", "retry_after_seconds", "retry_after_ms")
"""Arguments and keys that say when to retry."""


def _is_given(value: Value) -> bool:
    found = only(value)
    return type(found) is Constant and bool(found.value)
