"""Answers at odds with what the ways to them do: nothing keeps the work they promise, or it is queued and not done."""

from __future__ import annotations

import builtins
import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from errlint.facts import Call, Case, Constant, Deferred, Function, Value, constant_text, only
from errlint.project.domain import matches
from errlint.project.names import FunctionSymbol
from errlint.project.promises import is_aside, is_queued, is_typed_success
from errlint.project.unchecked import spellings
from errlint.settings import Policy

if TYPE_CHECKING:
    from errlint.findings import Span
    from errlint.project import Project

_HARMLESS = re.compile(
    r"_*(?:get|find|load|read|fetch|list|count|is|has|can|may|check|ensure|validate|verify|resolve|parse|build|make|format"
    r"|render|classify|elapsed|monotonic|perf_counter|time|now|utcnow|today|uuid\d|token|sleep|strip|lower|upper|join|split"
    r"|replace|encode|decode|isoformat|total_seconds|hexdigest|items|keys|values|copy|critical|debug|error|exception|info"
    r"|log|warn|warning)(?:_|$)"
)
"""How the names of calls begin that keep nothing: they look something up, make a value of others, or write a log."""


class Unkept(NamedTuple):
    """An answer of a type that promises something: where, and the name of the type."""

    function: Function
    span: Span
    name: str


def unkept(project: Project, path: str) -> Iterator[Unkept]:
    """Yield the answers of a file that promise that something is kept, where nothing on the way keeps anything."""
    policy = project.policy(path)
    for function in project.modules[path].functions if policy.work.kept else ():
        answers = [case for case in function.cases if case.how == "return"]
        promising = [case for case in answers if _promised(project, path, function, case)]
        if not promising or (len(promising) == len(answers) and not project.adapters.is_adapter(path, function)):
            continue  # the last: a helper that makes such an answer for others
        if len(function.cases) == 1 and _is_canned(promising[0]):
            continue  # a stand-in for a tool: there is no work of which it could say that it is kept
        callers = () if project.adapters.is_adapter(path, function) else project.callers.must(path, function)
        if any(_may_keep_before(project, each.path, each.function, each.use.span, policy) for each in callers):
            continue
        for case in promising:
            if not _is_kept(project, path, function, case, policy):
                yield Unkept(function, case.span, _promised(project, path, function, case))


class OnlyQueued(NamedTuple):
    """An answer that says success where a helper has only queued the work: where, and that helper with its call."""

    function: Function
    span: Span
    helper: FunctionSymbol
    work: Deferred


def only_queued(project: Project, path: str) -> Iterator[OnlyQueued]:
    """Yield the successes that adapters of a file answer after a helper that queues the work, and no other work."""
    policy = project.policy(path)
    for function in project.modules[path].functions if policy.response.queued else ():
        if not project.adapters.is_adapter(path, function):
            continue
        for case in function.cases:
            if case.how != "return" or not is_typed_success(project, path, function.name, case.value):
                continue
            names = [*dict.fromkeys((*case.before, *case.perhaps))]
            working = [name for name in names if not _is_harmless(project, path, function, name, policy)]
            if len(working) == 1 and (found := _queues(project, path, function, working[0])) is not None:
                yield OnlyQueued(function, case.span, *found)


def _queues(project: Project, path: str, function: Function, name: str) -> tuple[FunctionSymbol, Deferred] | None:
    """Return the function that a name stands for, and its call that queues, where all it does is that."""
    symbol = project.objects.called(path, name, function.name)
    if not isinstance(symbol, FunctionSymbol) or is_aside(symbol.function.name.rpartition(".")[2]):
        return None
    early = {found.span for found in symbol.function.returns}
    for work in symbol.function.deferred:
        is_all = early <= {*work.answers, *work.unawaited}
        if is_all and is_queued(project, symbol.path, work, project.policy(symbol.path).work.enqueue):
            return symbol, work
    return None


def _promised(project: Project, path: str, function: Function, case: Case) -> str:
    """Return the name of the type of an answer that promises something, "" for another answer."""
    value = only(case.value)
    if type(value) is not Call or not value.name:
        return ""
    names = spellings(project, path, value.name, function.name)
    return value.name.rpartition(".")[2] if any(matches(name, project.policy(path).work.kept) for name in names) else ""


def _is_canned(case: Case) -> bool:
    """Whether an answer is made of nothing but constants, and nothing else was called or asked on the way to it."""
    value = only(case.value)
    given = value.arguments if type(value) is Call else ()
    own = {value.name} if type(value) is Call else set()
    is_alone = not case.conditions and own.issuperset((*case.before, *case.perhaps))
    return is_alone and all(_is_constant(only(each.value)) for each in given)


def _is_constant(value: Value) -> bool:
    return type(value) is Constant or constant_text(value) is not None


def _may_keep_before(project: Project, path: str, scope: str, span: Span, policy: Policy) -> bool:
    """Whether a function may have kept something where it calls another one."""
    function = project.names.function(path, scope)
    cases = [case for case in function.cases if case.span == span] if function is not None else []
    return function is None or not cases or any(_is_kept(project, path, function, case, policy) for case in cases)


def _is_kept(project: Project, path: str, function: Function, case: Case, policy: Policy) -> bool:
    """Whether something on the way to an answer keeps the work, or may do so.

    What a ``try`` has called last is what has failed where its handler answers.
    """
    asked = only(case.value)
    own = asked.name if type(asked) is Call else ""
    worked = [name for name in case.tried if not _is_harmless(project, path, function, name, policy)]
    failed = {worked[-1]} if worked else set()
    return any(
        name != own and name not in failed and not _is_harmless(project, path, function, name, policy)
        for name in (*case.before, *case.perhaps)
    )


def _is_harmless(project: Project, path: str, function: Function, name: str, policy: Policy) -> bool:
    """Whether a call certainly keeps nothing, by its name."""
    work = policy.work
    if any(matches(each, (*work.stores, *work.enqueue)) for each in spellings(project, path, name, function.name)):
        return False
    last = name.rpartition(".")[2]
    return (
        last.lstrip("_")[:1].isupper()
        or (hasattr(builtins, last) and "." not in name)
        or _HARMLESS.match(last) is not None
        or matches(name, work.availability)
    )
