"""What code tries again after a failure, what ends its waits, and what it says can be tried again."""

from __future__ import annotations

import builtins
import re
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from errlint.error_keywords import LOG_METHODS
from errlint.facts import Case, Condition, Constant, Function
from errlint.findings import Span
from errlint.project.calls import PURE, is_meant
from errlint.project.conditions import STATUSES, Conditions, default
from errlint.project.domain import matches
from errlint.project.retried import codes_of, repeated
from errlint.settings.policy import Codes

if TYPE_CHECKING:
    from errlint.project import Project

TRANSPORT = re.compile(
    r"time_?d?_?out|network|connect(?:ion)?_?(?:error|lost|reset|failed)|transport|(?:read|write|request)error",
    re.IGNORECASE,
)
"""In the name of an exception or in a code: no answer came."""

PERMANENT = re.compile(r"(?i)non_?retr|not_?retr|no_?retr|permanent|fatal|terminal|never|give_?up|needs_fix")
RETRIED = re.compile(r"(?i)retr(?:y|iable|yable|ied|ies)|transient|temporary")
"""In the name of a list, a dict or a function that is about codes: they are not retryable, or they are."""

_PAUSE = re.compile(r"(?i)sleep|wait|backoff|delay|^(?:time|monotonic|perf_counter|uniform|random|now)$")
"""In the name of a call that lets time pass or asks for it: after it everything is as it was."""


def said(project: Project, path: str, function: Function) -> Iterator[tuple[Span, str]]:
    """Yield what a function does about a failure that its code says not to do: where, and what is wrong."""
    yield from _again(project, path, function)
    yield from _ended_waits(project, path, function)
    yield from _answers(project, path, function)


def kind(name: str) -> bool | None:
    """Return whether something is about codes that are retryable or not, by its name; ``None`` for neither."""
    if PERMANENT.search(name):
        return False
    return True if RETRIED.search(name) else None


def changes_nothing(name: str) -> bool:
    """Whether a call leaves all as it was for another try: it pauses, logs, computes, or makes an object."""
    last = name.rpartition(".")[2]
    is_told = last in LOG_METHODS
    return is_told or bool(_PAUSE.search(last)) or last in PURE or last[:1].isupper() or _is_builtin(name)


def _is_builtin(name: str) -> bool:
    return hasattr(builtins, name) and name not in ("input", "exec", "eval", "open")


def _again(project: Project, path: str, function: Function) -> Iterator[tuple[Span, str]]:
    """Yield the places from which the same is tried again, by a loop or by one more call, where it must not."""
    policy = project.policy(path)
    asks = Conditions(project, path, function.name)
    for case in function.cases:
        is_repeated = case.how == "again" and not all(map(changes_nothing, case.tried))
        if not is_repeated and not _is_next_round(case):
            continue
        inside = _since_caught(case)
        left, chosen = asks.codes(inside)
        writes = policy.codes.writes
        write = next((name for name in case.tried if is_meant(project, path, function.name, name, writes)), "")
        is_coded = _is_coded(project, path, function.name, case)
        is_owner = any(codes_of(project, path, function.name, name) for name in case.handlers[0].types)
        wrong = sorted(name for name in left if policy.codes.vocabulary[name].retryable is False)
        span, message = case.span, ""
        if is_repeated and not all(map(changes_nothing, case.since)):
            continue  # that may have mended what failed, or looked whether it did
        if chosen is not None and wrong:
            span = case.span if is_repeated else chosen.span
            shown = "codes" if len(wrong) > 1 else "a code"
            message = f"`{'`, `'.join(wrong[:3])}` is tried again, {shown} that no retry helps; raise instead"
        elif chosen is None and (hopeless := repeated(project, path, function.name, case, inside)):
            span = case.caught[0]
            message = f"`{hopeless}` is tried again with the same parameters, which no retry helps; raise it"
        elif is_coded and not is_owner and not inside and (case.pauses or is_repeated) and policy.codes.vocabulary:
            span = case.caught[0]
            message = "every error is tried again, also those whose codes are not retryable; raise those"
        elif write and _is_lost(case, is_coded, left, chosen is not None):
            name = write.rpartition(":")[2].lstrip(".")
            message = f"`{name}` is called again although the first call may have written; verify that first"
        elif chosen is not None and not (case.pauses or is_repeated) and any(_is_busy(policy.codes, x) for x in left):
            message = "what was refused for now is tried again at once; wait before that"
        if message:
            yield span, message


def _is_next_round(case: Case) -> bool:
    """Whether a loop goes on from a handler to try the same again."""
    if case.how not in ("continue", "end") or not case.is_again or case.loop is None or not case.handlers:
        return False
    return bool(case.caught) and case.caught[0] >= case.loop


def _since_caught(case: Case) -> list[Condition]:
    """Return the conditions that were asked since the innermost exception was caught."""
    return [item for item in case.conditions if item.span > case.caught[0]]


def _is_busy(codes: Codes, code: str) -> bool:
    """Whether a code says that the backend has too much to do."""
    return codes.vocabulary[code].status in (429, 503) or codes.defaults.get("5xx") == code


def _is_lost(case: Case, is_coded: bool, left: frozenset[str], is_chosen: bool) -> bool:
    """Whether what is tried again failed without an answer: the write may have been made."""
    if any(TRANSPORT.search(name.rpartition(".")[2]) for name in case.handlers[0].types):
        return True
    return is_coded and is_chosen and any(TRANSPORT.search(name) for name in left)


def _is_coded(project: Project, path: str, scope: str, case: Case) -> bool:
    """Whether the exceptions that were caught are those with codes."""
    policy = project.policy(path)
    named = (*policy.exceptions.root, *policy.codes.prefixed)
    types = case.handlers[0].types
    return bool(types) and all(is_meant(project, path, scope, name, named) for name in types)


def _ended_waits(project: Project, path: str, function: Function) -> Iterator[tuple[Span, str]]:
    """Yield the raises by which a wait ends although the code of what failed says that it goes away by itself."""
    codes = project.policy(path).codes
    if not codes.waits or not is_wait(project, path, function):
        return
    asks = Conditions(project, path, function.name)
    for case in function.cases:
        if case.how != "raise" or not case.caught or not _is_coded(project, path, function.name, case):
            continue
        if any(is_meant(project, path, function.name, name, codes.writes) for name in case.tried):
            continue  # to be verified first
        inside = _since_caught(case)
        left, chosen = asks.codes(inside)
        early = sorted(name for name in left if codes.vocabulary[name].retryable)
        if chosen is not None and early and all(asks.asks_code(condition) for condition in inside):
            yield chosen.span, f"`{'`, `'.join(early[:3])}` ends the wait, and goes away by itself; wait on"


def is_wait(project: Project, path: str, function: Function) -> bool:
    """Whether a function is one of those that wait, or is called by one of them."""
    waits = project.policy(path).codes.waits
    callers = (caller.function for caller in project.callers.must(path, function))
    return any(matches(name.rpartition(".")[2], waits) for name in (function.name, *callers))


def _answers(project: Project, path: str, function: Function) -> Iterator[tuple[Span, str]]:
    """Yield the answers of a function that tells which statuses can be tried again, where their codes say otherwise."""
    codes = project.policy(path).codes
    is_about = kind(function.name.rpartition(".")[2])
    if is_about is None or not codes.defaults:
        return
    asks = Conditions(project, path, function.name)
    for case in function.cases:
        value = case.value.value if case.how == "return" and type(case.value) is Constant else None
        asked = isinstance(value, bool) and any(map(asks.asks_only_status, case.conditions))
        chosen = asks.statuses(case.conditions) if asked else frozenset()
        statuses = STATUSES if chosen is None else chosen
        if not statuses or asks.is_told_otherwise(case.conditions):
            continue
        is_retried = value is is_about
        wrong = sorted(_told_otherwise(codes, statuses, is_retried))
        if wrong and (is_retried or len(wrong) == len(statuses)):
            name = default(codes, wrong[0])
            shown = f"{'' if is_retried else 'not '}retryable"
            yield case.span, f"the status {wrong[0]} is {shown} here, and its code `{name}` is not so"


def _told_otherwise(codes: Codes, statuses: Iterable[int], is_retried: bool) -> Iterator[int]:
    """Yield the statuses whose codes say the opposite of whether they are retried."""
    for status in statuses:
        code = codes.vocabulary.get(default(codes, status) or "")
        if code is not None and code.retryable is (not is_retried):
            yield status
