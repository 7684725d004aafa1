"""ERR111: success is answered although the work was only queued."""

from __future__ import annotations

import re
from collections.abc import Iterator

from errlint.checks.wording import short
from errlint.facts import Call, Deferred
from errlint.findings import Finding, Related
from errlint.project import ENQUEUERS, Project
from errlint.project.domain import matches
from errlint.project.promises import is_done, is_typed_success
from errlint.rules import RULES

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

_STARTS = re.compile(
    r"^_*(?:start|launch|schedule|enqueue|queue|submit|trigger|spawn|begin|dispatch|background|fire|kick|subscribe"
    r"|watch|monitor|serve|stop|shutdown|restart|cancel|close|connect|disconnect|init|warm|preload|prefetch)|async|background"
)
"""Names of functions that only promise to start something."""


def check(project: Project, path: str) -> Iterator[Finding]:
    """Yield the returns of adapter code in one file that say that work is done which was only queued."""
    policy = project.policy(path)
    for function in project.modules[path].functions:
        if not function.deferred or _STARTS.search(function.name.rpartition(".")[2]):
            continue
        if project.is_excluded(path, function) or not project.reaches(path, function):
            continue
        answered = {found.span: found.value for found in function.returns}
        done = set()
        for work in function.deferred:
            if not _is_queued(project, path, work, policy.work.enqueue):
                continue
            for span in sorted({*work.answers, *work.unawaited}):
                if span in done or span not in answered:
                    continue
                is_typed = bool(policy.response.queued) and is_typed_success(
                    project, path, function.name, answered[span]
                )
                if not is_typed and not (span in work.answers and is_done(answered[span], policy)):
                    continue
                done.add(span)
                what = f"`{work.callee}` in line {work.span.line} has only queued the work"
                advice = "wait for it, or answer that it is queued"
                if policy.response.queued:
                    advice = f"wait for it, or return {policy.response.queued[0]}"
                message = f"`{short(function.name)}` answers success, but {what}; {advice}"
                related = (Related(path, work.span, "the work is queued here"),)
                yield Finding(path, span, "ERR111", RULES["ERR111"].severity, message, function.name, related=related)


def _is_queued(project: Project, path: str, work: Deferred, named: tuple[str, ...]) -> bool:
    """Whether a call queues the work that was asked for."""
    owner, _, last = work.callee.rpartition(".")
    own = tuple(name for name in named if name.removeprefix("*.") not in ENQUEUERS)
    if matches(work.callee, own):
        return True
    if last not in ENQUEUERS or _ASIDE.search(work.job) or _ENDLESS.search(work.job):
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
