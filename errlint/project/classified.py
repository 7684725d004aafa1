"""Handlers that decide by themselves which kind of failure an exception is, past what is there to tell."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from errlint.facts import Call, Case, Function, names_told, only
from errlint.findings import Span
from errlint.index.catching import BROAD
from errlint.project.domain import matches
from errlint.project.names import ExternalSymbol
from errlint.project.unchecked import spellings

if TYPE_CHECKING:
    from errlint.project import Project

_WORD = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")
_ANY_ERROR = frozenset({"error", "exception", "failed", "failure"})
"""Words in the names of exceptions and codes that tell no kind."""

_ASIDE = re.compile(
    r"_*(?:critical|debug|error|exception|info|log|warn|warning|elapsed|monotonic|perf_counter|time|now|str|repr|len|round"
    r"|int|failed|sleep)(?:_|$)"
)
"""How the names of calls begin that tell no kind: logs, clocks and plain conversions."""


class Unclassified(NamedTuple):
    """An answer in a handler: where, the code that it has, and the last names of what is caught."""

    function: Function
    span: Span
    code: str
    caught: tuple[str, ...]


def unclassified(project: Project, path: str) -> Iterator[Unclassified]:
    """Yield the answers of a file that give one code to whatever a guarded call raises, and ask no classifier.

    A class that tells the kind by its name, and clauses that tell several apart, have done so.
    """
    policy = project.policy(path)
    if not policy.codes.classifiers or not policy.work.guarded:
        return
    for function in project.modules[path].functions:
        for case in function.cases:
            if case.how not in ("return", "raise") or not case.handlers or not case.caught:
                continue
            if not any(matches(name, policy.work.guarded) for name in case.tried):
                continue
            code = _code(project, path, function, case)
            if (
                code
                and _is_of_any_kind(project, path, function, case, code)
                and not _asks(project, path, function, case)
            ):
                names = tuple(name.rpartition(".")[2] for name in case.handlers[0].types)
                yield Unclassified(function, case.span, code, names)


def _code(project: Project, path: str, function: Function, case: Case) -> str:
    """Return the code of the policy that an error is given as a text, "" for none."""
    policy, value = project.policy(path), only(case.value)
    if type(value) is not Call:
        return ""
    types = (*policy.response.types, *policy.exceptions.root, *policy.codes.prefixed)
    if not any(matches(name, types) for name in spellings(project, path, value.name, function.name)):
        return ""
    given = (item.value for item in value.arguments if item.name in policy.codes.arguments)
    texts = (project.fields.text(path, function.name, each) for each in given)
    return next((text for text in texts if text in policy.codes.vocabulary), None) or ""


def _is_of_any_kind(project: Project, path: str, function: Function, case: Case, code: str) -> bool:
    """Whether what is caught tells no kind by its class, and no other clause tells one from the rest."""
    types = case.handlers[0].types
    words = {word.lower() for word in _WORD.findall(code)} - _ANY_ERROR
    for name in types:
        last = name.rpartition(".")[2]
        symbol = project.names.resolve(path, name, function.name)
        is_builtin = isinstance(symbol, ExternalSymbol) and symbol.name.startswith("builtins.") and last not in BROAD
        if is_builtin or {word.lower() for word in _WORD.findall(last)} & words:
            return False
    around = next(
        (item for item in function.tries if any(catch.span == case.caught[0] for catch in item.catches)), None
    )
    return around is not None and len(around.catches) == 1


def _asks(project: Project, path: str, function: Function, case: Case) -> bool:
    """Whether a handler looks at the exception, or calls something that may."""
    name = case.handlers[0].name
    tests = [test for condition in case.conditions for test in condition.tests]
    if name and any(name in names_told(value) for test in tests for value in (test.subject, test.value)):
        return True
    made = only(case.value)
    last = max(index for index, each in enumerate(case.before) if each in case.tried)
    called = [each for each in case.before[last + 1 :] if type(made) is not Call or each != made.name]
    return any(_ASIDE.match(each.rpartition(".")[2]) is None for each in called)
