"""Which domain exceptions are tried again, by a loop or a decorator, although their own codes say that it is no use."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from errlint.error_keywords import RETRIES
from errlint.facts import Call, Case, Choice, Condition, Function, Handler, Ref, Sequence, Value, names_told, only
from errlint.project.names import ClassSymbol, ExternalSymbol
from errlint.settings.policy import Codes

if TYPE_CHECKING:
    from errlint.project import Project


def codes_of(project: Project, path: str, scope: str, name: str) -> dict[str, frozenset[str]]:
    """Return the domain exceptions that a clause for a class catches, by their names, with the codes they have."""
    symbol = project.names.resolve(path, name, scope)
    if not isinstance(symbol, ClassSymbol):
        return {}
    found: dict[str, set[str]] = {}
    owners = {each.definition.name.rpartition(".")[2] for each in project.statuses.below(symbol)}
    for owner, code in project.codes.owned(path):
        if owner in owners:
            found.setdefault(owner, set()).add(str(code.text))
    return {owner: frozenset(codes) for owner, codes in found.items()}


def repeated(project: Project, path: str, scope: str, case: Case, inside: list[Condition]) -> str:
    """Return the first class with a code that no retry helps and that a loop certainly tries again, "" for none."""
    codes = project.policy(path).codes
    for name in case.handlers[0].types if case.pauses else ():
        for owner, own in codes_of(project, path, scope, name).items():
            if _is_hopeless(codes, own) and all(
                _lets_pass(project, path, scope, case.handlers[0], owner, item) for item in inside
            ):
                return owner
    return ""


def _is_hopeless(codes: Codes, own: frozenset[str]) -> bool:
    """Whether no retry helps any of some codes."""
    return all(code in codes.vocabulary and codes.vocabulary[code].retryable is False for code in own)


def _lets_pass(project: Project, path: str, scope: str, caught: Handler, owner: str, condition: Condition) -> bool:
    """Whether a condition may certainly hold for an exception of a class, or asks for something else."""
    answers = [
        True
        if caught.name not in names_told(asked.subject)
        else (_may_be(project, path, scope, asked.subject, caught.name, owner) is (asked.operator == "true"))
        for asked in condition.tests
        if asked.operator in ("true", "false") or caught.name in {*names_told(asked.subject), *names_told(asked.value)}
    ]
    return not answers or any(answers)


def _may_be(project: Project, path: str, scope: str, value: Value, name: str, owner: str) -> bool | None:
    """Whether a test for the kind of an exception may hold for one of a class; ``None`` where that is not known."""
    value = only(value)
    if type(value) is Choice:
        found = [_may_be(project, path, scope, item, name, owner) for item in value.values]
        return True if True in found else None if None in found else False
    if type(value) is not Call or value.name != "isinstance" or len(value.arguments) != 2:
        return None
    subject, types = (item.value for item in value.arguments)
    if getattr(subject, "name", "") != name:
        return None
    listed = types.items if type(types) is Sequence else (types,)
    names = [item.name for item in listed if type(item) is Ref]
    if any(owner in codes_of(project, path, scope, each) for each in names):
        return True
    classes = (project.names.resolve(path, each, scope) for each in names)
    is_known = len(names) == len(listed) and all(isinstance(each, (ClassSymbol, ExternalSymbol)) for each in classes)
    return False if is_known else None


def decorated(project: Project, path: str, function: Function) -> Iterator[tuple[str, str]]:
    """Yield the decorators that call a function again after an exception that no retry helps, each with the first."""
    codes = project.policy(path).codes
    for name, decoration in zip(function.decorators, function.decorations, strict=False):
        if name.rpartition(".")[2] not in RETRIES or type(decoration) is not Call:
            continue
        for each in _retried(decoration):
            owned = codes_of(project, path, function.name, each)
            hopeless = (owner for owner, own in owned.items() if _is_hopeless(codes, own))
            if (owner := next(hopeless, "")) != "":
                yield name, owner
                break


def _retried(decoration: Call) -> Iterator[str]:
    """Yield the names of the exceptions after which a decorator calls again."""
    for argument in decoration.arguments:
        value = only(argument.value)
        if type(value) is Call and value.name.rpartition(".")[2] == "retry_if_exception_type":
            yield from (name for item in value.arguments for name in _classes(item.value))
        elif argument.name in ("", "exception", "exceptions", "on", "retry_on"):
            yield from _classes(value)


def _classes(value: Value) -> Iterator[str]:
    listed = value.items if type(value) is Sequence else (value,)
    yield from (item.name for item in listed if type(item) is Ref)
