"""What an answer promises: that work is done, or that it was queued."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from errlint.error_keywords import STATUS_KEYS, SUCCESS_KEYS, SUCCESS_STATUS
from errlint.facts import (
    Call,
    Choice,
    Constant,
    Deferred,
    Item,
    Mapping,
    Ref,
    Text,
    Value,
    Variable,
    all_values,
    constant_text,
    named_parts,
)
from errlint.project.domain import matches
from errlint.project.unchecked import spellings
from errlint.settings import Policy

if TYPE_CHECKING:
    from errlint.project import Project

ENQUEUERS = (
    "put", "put_nowait", "create_task", "ensure_future", "enqueue", "delay", "apply_async", "add_task", "submit",
    "run_in_executor", "Thread", "Process", "Timer",
)  # fmt: skip
"""Last names of calls that queue work."""

TASKS = ("create_task", "ensure_future")
"""Those whose result has to be kept: with it goes the failure."""

_DONE = re.compile(
    r"\b(?:success|successfully|stored|saved|indexed|added|created|updated|deleted|removed|sent|processed|completed"
    r"|done|finished|imported|exported|uploaded|written|synced|synchronized|applied|remembered|published|ingested)\b",
    re.IGNORECASE,
)
_LATER = re.compile(
    r"queue|schedul|submi[ts]|pending|accept|background|async|initiat|launch|trigger|dispatch"
    r"|in[ _-]?progress|under ?way|defer|eventual|shortly|later|soon\b|will\b|being\b"
    r"|\bstart|started|starting|begun|began|running|processing(?!_)"
    r"|(?:task|job|run|ticket|execution|operation|workflow)_?id|poll|requested|kick|spawn|handed|forward|warming",
    re.IGNORECASE,
)


_QUEUE = re.compile(r"queue|(?:^|_)q$|jobs?$|tasks?$|inbox|backlog|mailbox|buffer", re.IGNORECASE)
_LOOP = re.compile(r"asyncio$|loop$", re.IGNORECASE)
_POOL = re.compile(r"pool|executor|thread|worker", re.IGNORECASE)
_MODULE = re.compile(r"(?:^|\.)(?:threading|multiprocessing)$")
_BACKGROUND = re.compile(r"background|queue|scheduler", re.IGNORECASE)

RECEIVERS = {
    "put": _QUEUE,
    "put_nowait": _QUEUE,
    "create_task": _LOOP,
    "ensure_future": _LOOP,
    "add_task": _BACKGROUND,
    "submit": _POOL,
    "run_in_executor": re.compile(""),
    "Thread": _MODULE,
    "Process": _MODULE,
    "Timer": _MODULE,
}
"""What has these methods and queues work: others write to a store, to a progress bar or to a list of chores."""

_ASIDE = re.compile(
    r"log|notif|telemetr|metric|track|audit|clean|warm|pre(?:fetch|load)|broadcast|emit|event|watch|monitor|heart|keep"
    r"|listen|shutdown|exit|expir|timeout|sweep|announce|invalidat|cache|record|stat|progress|respon|repl(?:y|ies)"
    r"|result|output|outgoing|stream",
    re.IGNORECASE,
)
"""Work beside the one that was asked for, or the answer itself."""

_ENDLESS = re.compile(r"worker|loop|serve|forever|process_queue", re.IGNORECASE)
"""Work that never ends: it is what takes from the queue."""


def is_done(value: Value, policy: Policy) -> bool:
    """Whether an answer says that the work is done, and nothing in it says that it will be done later."""
    if type(value) is Variable:
        return bool(value.values) and all(is_done(item, policy) for item in value.values)
    if type(value) is Choice:
        return all(is_done(item, policy) for item in value.values)
    queued = (*policy.response.queued, *(name for key, name in policy.response.by_status.items() if not _is_good(key)))
    calls = [part.name for part in all_values(value) if type(part) is Call and part.name]
    if any(matches(name, queued) for name in calls) or any(_LATER.search(word) for word in _words(value)):
        return False
    good = tuple(name for key, name in policy.response.by_status.items() if _is_good(key))
    return any(matches(name, good) for name in calls) or any(map(_says_done, all_values(value)))


def is_typed_success(project: Project, path: str, scope: str, value: Value) -> bool:
    """Whether an answer is a success by its type or its status, whatever its message says."""
    if type(value) is Variable or type(value) is Choice:
        return bool(value.values) and all(is_typed_success(project, path, scope, item) for item in value.values)
    good = tuple(name for key, name in project.policy(path).response.by_status.items() if _is_good(key))
    if type(value) is Call and value.inner is None and good:
        return any(matches(name, good) for name in spellings(project, path, value.name, scope))
    return type(value) is Mapping and _says_done(value)


def _is_good(status: str | None) -> bool:
    return status is not None and SUCCESS_STATUS.fullmatch(status) is not None


def _says_done(part: Value) -> bool:
    if type(part) is Text:
        return any(isinstance(piece, str) and _DONE.search(piece) for piece in part.parts)
    if type(part) is Call and re.search(r"Success(?!or)", part.name.rpartition(".")[2]):
        return True
    for name, value in named_parts(part).items():
        key = name.lower()
        if key in SUCCESS_KEYS and type(value) is Constant and value.value is True:
            return True
        if key in STATUS_KEYS and _is_good(constant_text(value)):
            return True
    return False


def _words(value: Value) -> Iterator[str]:
    """Yield all texts, names and keys in a value."""
    for part in all_values(value):
        if type(part) is Text:
            yield from (piece for piece in part.parts if isinstance(piece, str))
        elif type(part) is Ref or type(part) is Variable or type(part) is Call:
            yield part.name
        elif type(part) is Item:
            yield part.key
        yield from named_parts(part)


def is_aside(name: str) -> bool:
    """Whether a function is, by its name, for work beside the one that was asked for."""
    return _ASIDE.search(name) is not None


def is_queued(project: Project, path: str, work: Deferred, named: tuple[str, ...]) -> bool:
    """Whether a call queues the work that was asked for."""
    owner, _, last = work.callee.rpartition(".")
    own = tuple(name for name in named if name.removeprefix("*.") not in ENQUEUERS)
    if matches(work.callee, own):
        return True
    job = work.job.rpartition(".")[2]
    if last not in ENQUEUERS or _ASIDE.search(job) or _ENDLESS.search(job):
        return False
    if last.startswith("put") and _ASIDE.search(owner):
        return False
    wanted = RECEIVERS.get(last)
    if wanted is None:
        return bool(owner)
    if not owner:
        return any(
            item.name == last and item.module in ("asyncio", "threading", "multiprocessing")
            for item in project.modules[path].imports
        )
    return wanted.search(owner) is not None or (wanted is _QUEUE and _is_queue(project, path, owner))


def _is_queue(project: Project, path: str, owner: str) -> bool:
    """Whether a variable of the module holds a queue."""
    return any(
        item.name == owner and type(item.value) is Call and item.value.name.endswith("Queue")
        for item in project.modules[path].assigned
    )
