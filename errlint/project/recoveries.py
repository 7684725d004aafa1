"""Whether code does what its errors say is done about them: try again, wait for the user, take another way.

What is done after an error is told by the names of what is called. A name that says nothing may do anything: then
nothing is said of it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, NamedTuple

from errlint.error_keywords import LOG_LEVELS
from errlint.facts import Constant, Count, Function, RecordOutcome, Rounds, Sequence, Value, only
from errlint.findings import Span
from errlint.patterns import fits
from errlint.project.logs import logged
from errlint.project.names import FunctionSymbol
from errlint.project.records import PLAIN, is_only_written

if TYPE_CHECKING:
    from errlint.project import Project
    from errlint.settings.policy import Taxonomy

TELLS = re.compile(r"_*(get|utc|now|time|write|report|log|print|notify|tell|format|make|build)", re.IGNORECASE)
"""How the names of functions of the project begin that make, write or tell something, and do nothing else."""

_TELLS = re.compile(r"_*(?:utc|now|time|write|report|log|print|notify|tell|emit|record|get_?logger)", re.IGNORECASE)
"""The same for any function: what gets or makes something may do so in another way."""

_QUIET = (PLAIN - {"get"}) | LOG_LEVELS.keys() | frozenset(
    {"open", "mkdir", "exists", "now", "utcnow", "isoformat", "strftime", "time", "join", "format", "sleep", "flush",
     "monotonic", "perf_counter", "uuid4", "keys", "values", "items", "lower", "upper", "strip", "round", "min", "max",
     "sum", "next", "list", "dict", "set", "int", "float", "bool"}
)  # fmt: skip
"""Last parts of calls that do nothing about an error."""

_CLOSES = re.compile(r"close|stop|quit|exit|disconnect|clean|save|shutdown|release|dispose|screenshot|terminate|finish")
"""In the names of calls that end something, or keep what there is for later."""

_FETCHES = re.compile(r"driver|browser|page|session|client|requests|http|api", re.IGNORECASE)
"""In the names of objects whose `get` fetches something: that of others may look it up."""

_COLLECTS = frozenset(
    {"append", "appendleft", "add", "put", "put_nowait", "extend", "update", "setdefault", "pop", "popleft", "insert",
     "remove", "discard", "clear"}
)  # fmt: skip
"""Last parts of calls that put something aside, or take it from there."""

_DEPTH = 2
"""How many functions of the project are looked into, one calling the other."""


class Broken(NamedTuple):
    """Code that does not do what an error says: in which function, where, and why."""

    function: Function
    span: Span
    message: str


class _ToldRecovery(NamedTuple):
    """An error that is told: the recoveries that it may say, and what happens then."""

    span: Span
    recoveries: frozenset[str]
    outcomes: tuple[RecordOutcome, ...]
    reached: tuple[RecordOutcome, ...]
    loop: str
    is_log: bool

    def says(self, recoveries: Iterable[str]) -> str:
        """Return its recovery where it is certain and one of some, "" else."""
        return next((each for each in recoveries if self.recoveries == {each}), "")


def broken(project: Project, path: str) -> Iterator[Broken]:
    """Yield where the code of one file does not do what the errors say that it tells, or gets."""
    taxonomy = project.policy(path).taxonomy
    told = _told(project, path)
    for function in project.modules[path].bodies:
        mine = told.get(function.name, {})
        for each in mine.values():
            yield from _unfollowed(project, path, function, each, taxonomy)
            yield from _repeated(project, path, function, each, mine, taxonomy)
        for rounds in function.rounds:
            yield from _of_rounds(project, path, function, rounds, mine, taxonomy)
        yield from _unheeded(project, path, function, taxonomy)


def _told(project: Project, path: str) -> dict[str, dict[Span, _ToldRecovery]]:
    """Return the errors that are told in one file, by function and statement."""
    field = project.policy(path).payload.recovery_field
    found: dict[str, dict[Span, _ToldRecovery]] = {}
    for log in logged(project, path) if field else ():
        value = log.fields.get(field)
        texts = project.values.texts(path, log.function.name, value) if value is not None else ()
        line = next((each for each in log.function.told if each.span == log.called.span), None)
        if line is not None:
            told = _ToldRecovery(line.span, _known(texts), line.outcomes, line.reached, "", True)
            found.setdefault(log.function.name, {})[line.span] = told
    for record in project.records.of(path) if field else ():
        said, fact = record.field(field), record.fact
        texts = project.values.texts(*said) if said is not None else ()
        call = next((each for each in record.function.told if each.span == record.span), None)
        ways = fact or call
        outcomes, reached = (ways.outcomes, ways.reached) if ways is not None else ((), ())
        loop = fact.loop if fact is not None else ""
        told = _ToldRecovery(record.span, _known(texts), outcomes, reached, loop, False)
        found.setdefault(record.function.name, {})[record.span] = told
    return found


def _known(texts: Iterable[str | None]) -> frozenset[str]:
    return frozenset(text or "" for text in texts)


def _unfollowed(
    project: Project, path: str, function: Function, told: _ToldRecovery, taxonomy: Taxonomy
) -> Iterator[Broken]:
    """Look whether the user is waited for, or another way is tried, after an error that says so."""
    if told.is_log:
        return  # it may stand beside a record that is handed on
    if recovery := told.says(taxonomy.asks):
        for way in filter(_is_told, told.outcomes):
            goes_on = way.end in ("return", "end", "next") and _work(project, path, function, way) == "certain"
            leaves = way.end == "next" and told.loop == "items" and _work(project, path, function, way) == "none"
            if leaves and not is_only_written(project, path, function, way):
                continue
            if (goes_on or leaves) and not _waits(project, path, function, way, taxonomy.waits):
                yield Broken(
                    function,
                    told.span,
                    f"the recovery is {recovery!r}, but nothing waits for the user before the work goes on",
                )
                return
    if recovery := told.says(taxonomy.replaces):
        for way in filter(_is_told, told.outcomes) if told.loop == "items" else ():
            if way.end == "next" and _work(project, path, function, way) == "none":
                yield Broken(
                    function,
                    told.span,
                    f"the recovery is {recovery!r}, but no other way is tried before the next item"
                    + (f"; say {after!r} or try one" if (after := taxonomy.fails.get(recovery)) else ""),
                )
                return


def _is_told(way: RecordOutcome) -> bool:
    """Whether somebody gets the error on a way: it may have been built for another one."""
    return any(takes for _, takes in way.acts)


def _repeated(
    project: Project,
    path: str,
    function: Function,
    told: _ToldRecovery,
    others: dict[Span, _ToldRecovery],
    taxonomy: Taxonomy,
) -> Iterator[Broken]:
    """Look whether the other way failed too, and the error still says that there is one."""
    recovery = told.says(taxonomy.replaces)
    after = taxonomy.fails.get(recovery, "")
    for way in told.reached if after else ():
        other = others.get(way.span)
        is_tried = any(name == "=tried" for name, _ in way.acts) or _work(project, path, function, way) == "certain"
        if other is None or not is_tried or other.says([recovery]) == "":
            continue
        if other.outcomes and all(_work(project, path, function, each) == "none" for each in other.outcomes):
            yield Broken(function, other.span, f"the {recovery!r} did not help either; the recovery is {after!r} now")


def _of_rounds(
    project: Project, path: str, function: Function, rounds: Rounds, told: dict[Span, _ToldRecovery], taxonomy: Taxonomy
) -> Iterator[Broken]:
    """Look how often a loop tries again, how long it waits, and what is said when that did not help."""
    said = [found for span in rounds.inside if (found := told.get(span)) is not None]
    recovery = next((each for each in taxonomy.attempts if any(each in found.recoveries for found in said)), "")
    if not recovery:
        return
    most = taxonomy.attempts[recovery]
    count = _number(project, path, function, rounds.count)
    if count is not None and count > most + 1:  # the first time is no attempt to recover
        yield Broken(
            function,
            rounds.span,
            f"{recovery!r} means up to {most} attempts, and this loop makes {count}; give up earlier",
        )
    for wait in rounds.waits if recovery in taxonomy.backoff and count != 1 else ():
        if not wait.changes:
            yield Broken(function, wait.span, f"every {recovery!r} waits equally long; wait longer before each attempt")
    after = taxonomy.fails.get(recovery, "")
    for span in rounds.failed if after else ():
        found = told.get(span)
        if found is not None and found.says([recovery]):
            yield Broken(function, span, f"no {recovery!r} helped; the recovery is {after!r} now")


def _unheeded(project: Project, path: str, function: Function, taxonomy: Taxonomy) -> Iterator[Broken]:
    """Look whether who gets an error that says to try again does so."""
    for asked in function.compared:
        if asked.key != project.policy(path).payload.recovery_field or not {*asked.texts} <= {*taxonomy.attempts}:
            continue
        for way in asked.outcomes:
            leaves = way.end in ("record", "break") or (way.end == "next" and asked.loop == "items")
            if asked.loop and leaves and _work(project, path, function, way) == "none":
                message = f"{asked.texts[0]!r} means to try again, and nothing is tried here"
                yield Broken(function, way.span if way.end == "record" else asked.span, message)
                break


def _number(project: Project, path: str, function: Function, count: Count | None) -> int | None:
    """Return a number of rounds, ``None`` where it is not known."""
    if count is None:
        return None
    value: Value | None = only(count.value)
    default = next((item.default for item in function.parameters if item.name == getattr(value, "name", None)), None)
    value = only(project.values.followed(path, function.name, default or count.value).value)
    if type(value) is Sequence:
        return len(value.items) + count.more
    if type(value) is Constant and type(value.value) is int:
        return value.value + count.more
    return None


def _work(project: Project, path: str, function: Function, way: RecordOutcome) -> str:
    """Return whether something else is done on a way than to tell of the error: ``none``, ``maybe`` or ``certain``."""
    records = {each.span for each in project.records.of(path) if each.fact is None and each.function is function}
    builders = {told.value.name.rpartition(".")[2] for told in function.told if told.span in records}
    found = "none"
    for name, takes in way.acts:
        plain = name.partition(":")[0]
        last = plain.rpartition(".")[2]
        if plain.startswith("="):
            found = "maybe" if found == "none" and plain != "=tried" else found
        elif last in _QUIET | builders or _CLOSES.search(last) or _TELLS.match(last) or (takes and last in _COLLECTS):
            continue
        elif (
            "." not in plain
            or last in _COLLECTS
            or (last == "get" and not _FETCHES.search(plain))
            or isinstance(project.objects.called(path, plain, function.name), FunctionSymbol)
        ):
            found = "maybe" if found == "none" else found
        else:
            found = "certain"
    return found


def _waits(project: Project, path: str, function: Function, way: RecordOutcome, patterns: tuple[str, ...]) -> bool:
    """Whether somebody may wait on a way for the user."""
    return any(_may_wait(project, path, function.name, name.partition(":")[0], patterns, 0) for name, _ in way.acts)


def _may_wait(project: Project, path: str, scope: str, name: str, patterns: tuple[str, ...], depth: int) -> bool:
    last = name.rpartition(".")[2]
    if any(fits(last, pattern) for pattern in patterns):
        return True
    symbol = project.objects.called(path, name, scope) if not name.startswith("=") else None
    if not isinstance(symbol, FunctionSymbol):
        return False
    if not TELLS.match(last):
        return True
    return depth < _DEPTH and any(
        _may_wait(project, symbol.path, symbol.function.name, called.value.name, patterns, depth + 1)
        for called in symbol.function.calls
    )
