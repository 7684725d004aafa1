"""ERR307: what an error says about retrying contradicts the policy."""

from __future__ import annotations

import re
from collections.abc import Iterator

from errlint.error_keywords import RETRIES
from errlint.facts import Call, Constant, Function, Mapping, Sequence, StoredDict, Text, Value, Variable, keyed, only
from errlint.findings import Finding, Span
from errlint.project import Project, retries
from errlint.project.conditions import Conditions
from errlint.project.domain import matches
from errlint.project.retried import decorated
from errlint.rules import RULES
from errlint.settings.policy import Codes


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
            yield from _compared(project, path, "", assigned.span, fields | _fields(line))
        message = _of_list(project, path, assigned.name, assigned.value)
        if message:
            yield _finding(path, assigned.span, message, "")
    for table in project.modules[path].tables:
        yield from _of_table(project, path, table)


def _fields(line: Value) -> dict[str, Value]:
    """Return what a line of a table says, by the names of arguments or keys."""
    if type(line) is Call:
        return {item.name: item.value for item in line.arguments if item.name}
    return keyed(line) if type(line) is Mapping else {}


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
        yield from _decorated(project, path, function)
        for name, owner in decorated(project, path, function):
            message = f"`{name}` tries `{owner}` again, which no retry helps; leave it out"
            yield _finding(path, function.span, message, function.name)
        for span, message in retries.said(project, path, function):
            yield _finding(path, span, message, function.name)


def _decorated(project: Project, path: str, function: Function) -> Iterator[Finding]:
    """Yield the writes in a function that a decorator calls again, whatever it failed with."""
    codes = project.policy(path).codes
    place = next((index for index, name in enumerate(function.decorators) if name.rpartition(".")[2] in RETRIES), None)
    if place is None:
        return
    retry = function.decorators[place]
    decoration = function.decorations[place] if place < len(function.decorations) else None
    if type(decoration) is Call and not _retries_transport(decoration):
        return
    for called in function.calls:
        name = called.value.name.lstrip(".")
        if matches(name, codes.writes):
            message = f"`{retry}` calls `{name}` again although the first call may have written; verify that first"
            yield _finding(path, called.span, message, function.name)


def _retries_transport(decoration: Call) -> bool:
    """Whether a decorator may call again what a connection failed in: a predicate of the project may know better."""
    given = next((item.value for item in decoration.arguments if item.name in ("retry", "retry_on", "giveup")), None)
    if given is None:
        return True
    return type(given) is Call and given.name.rpartition(".")[2] == "retry_if_exception_type"


def _of_list(project: Project, path: str, name: str, value: Value) -> str:
    """Say what a list of codes has or lacks, by its name: those that are retryable, or those that are not."""
    codes = project.policy(path).codes
    kind = retries.kind(name)
    if kind is None:
        return ""
    texts = Conditions(project, path, "").texts(value)
    if texts is None or len(texts) < 2 or not texts <= codes.vocabulary.keys():
        return ""
    wrong = sorted(text for text in texts if codes.vocabulary[text].retryable is (not kind))
    if wrong:
        return (
            f"`{name}` has `{'`, `'.join(wrong)}`, which {'are' if len(wrong) > 1 else 'is'} {_said(codes, wrong[0])}"
        )
    lacking = sorted(set(codes.vocabulary) - texts)
    lacking = [text for text in lacking if codes.vocabulary[text].retryable is True]
    if kind and lacking and WHOLE.search(name):
        return f"`{name}` lacks `{'`, `'.join(lacking)}`, which {'are' if len(lacking) > 1 else 'is'} retryable"
    return ""


def _of_table(project: Project, path: str, table: StoredDict) -> Iterator[Finding]:
    """Compare what a dict says of codes: ``{"timeout": True}`` by its name, ``{"timeout": Policy(retryable=True)}``."""
    codes = project.policy(path).codes
    kind = retries.kind(table.name)
    argument = next(iter(codes.arguments), "")
    for key, value in table.entries:
        found = {str(item.text) for item in project.codes.resolved(path, table.scope, key)}
        code = found.pop() if len(found) == 1 else ""
        expected = codes.vocabulary[code].retryable if code in codes.vocabulary else None
        if expected is None:
            continue
        yield from _compared(project, path, table.scope, table.span, {**_fields(value), argument: Text((code,))})
        said = value.value if type(value) is Constant and isinstance(value.value, bool) else None
        if kind is not None and said is not None and (said is kind) is not expected:
            message = f"`{code}` is {_said(codes, code)}, and here it is not"
            yield _finding(path, table.span, message, table.scope)


def _said(codes: Codes, code: str) -> str:
    return "retryable" if codes.vocabulary[code].retryable else "not retryable"


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

WHOLE = re.compile(r"(?i)^_?(?:retr(?:y|i)able|transient|temporary)(?:_?(?:error_?)?(?:codes|kinds|errors))?$")
"""The name of a list of all codes that are retryable."""


def _is_given(value: Value) -> bool:
    found = only(value)
    return type(found) is Constant and bool(found.value)
