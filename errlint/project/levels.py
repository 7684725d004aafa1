"""At which level exceptions have to be logged by their status, and where they are logged at another one."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from errlint.error_keywords import LOG_LEVELS
from errlint.facts import Function, Ref, Value, only
from errlint.findings import Span
from errlint.index.catching import is_broad
from errlint.project.domain import matches
from errlint.project.logs import COMPUTED, logged
from errlint.project.names import ClassSymbol, ExternalSymbol
from errlint.settings.policy import Policy

if TYPE_CHECKING:
    from errlint.project import Project

_LEVEL_ARGUMENTS = ("log_level", "loglevel")
_UNEXPECTED = 500


class Misfit(NamedTuple):
    """A level that does not go with a status: where, of what exception, what is said and the methods that are legal."""

    function: str
    span: Span
    name: str
    status: int
    said: str
    legal: tuple[str, ...]


def misfits(project: Project, path: str) -> Iterator[Misfit]:
    """Yield where one file logs exceptions at another level than their status asks for, or gives classes another."""
    policy = project.policy(path)
    if not policy.logs.by_status or not policy.logs.methods:
        return
    logs = {(log.function.name, log.called.span): log for log in logged(project, path)}
    seen: set[Span] = set()
    for function in project.modules[path].functions:
        for way in function.ways:
            for step in way.steps:
                log = logs.get((function.name, step.span))
                if log is None or log.level == COMPUTED or not step.is_sure or step.span in seen:
                    continue
                for name, status in _statuses(project, path, function, way.types, is_known=bool(function.ways[1:])):
                    legal = _legal(policy, status)
                    if legal and not _fits(log.level, log.method, legal):
                        seen.add(step.span)
                        yield Misfit(function.name, step.span, name, status, log.method, legal)
                        break
    for definition in project.modules[path].classes:
        symbol = ClassSymbol(path, definition)
        if project.domain.is_domain(symbol, policy):
            yield from _of_class(project, symbol, policy)


def _of_class(project: Project, symbol: ClassSymbol, policy: Policy) -> Iterator[Misfit]:
    """Yield where a class gives its objects a level that does not go with their status."""
    name, fields = symbol.definition.name, project.statuses.fields(symbol)
    for argument in _LEVEL_ARGUMENTS:
        level = _level(fields.field(argument))
        status = project.statuses.of_class(symbol) if level else None
        legal = _legal(policy, status) if status is not None else ()
        if status is not None and legal and not _fits(level, level, legal):
            place = fields.places[argument] if argument in fields.own else fields.handed[argument][1]
            yield Misfit(name, place, f"`{name}`", status, level, legal)


def _statuses(
    project: Project, path: str, function: Function, types: tuple[str, ...], *, is_known: bool
) -> Iterator[tuple[str, int]]:
    """Yield the exceptions that may be of some types, with their statuses where those are known."""
    policy = project.policy(path)
    if is_broad(types):
        if is_known:
            yield "what nobody expected", _UNEXPECTED
        return
    for name in types:
        symbol = project.names.resolve(path, name, function.name)
        if isinstance(symbol, ClassSymbol):
            for below in project.statuses.below(symbol):
                status = project.statuses.of_class(below)
                if status is not None:
                    yield f"`{below.definition.name}`", status
        elif isinstance(symbol, ExternalSymbol):
            last = symbol.name.removeprefix("builtins.")
            status = next((found for pattern, found in policy.codes.status.items() if matches(last, (pattern,))), None)
            if status is not None:
                yield f"`{last}`", status


def _legal(policy: Policy, status: int) -> tuple[str, ...]:
    """Return the log methods that go with a status, none where the policy does not say."""
    by_status = policy.logs.by_status
    return policy.logs.methods.get(by_status.get(str(status)) or by_status.get(f"{status // 100}xx", ""), ())


def _fits(level: str, method: str, legal: tuple[str, ...]) -> bool:
    return method in legal or level in legal


def _level(value: Value | None) -> str:
    value = only(value)
    return LOG_LEVELS.get(value.name.rpartition(".")[2].lower(), "") if type(value) is Ref else ""
