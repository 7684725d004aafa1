"""Work that a function only queues, and the answers it can give before that work is done."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator
from typing import NamedTuple

from errlint.error_keywords import LOG_METHODS
from errlint.facts import Deferred
from errlint.findings import Span
from errlint.index.bindings import FunctionNode, assigned
from errlint.index.expressions import dotted_name, given
from errlint.index.path_states import TooManyWaysError, Walk, evaluated, names_in
from errlint.index.spans import Spans
from errlint.index.statements import below
from errlint.trees import last_name

_PARKING = frozenset({"add", "append", "add_done_callback"})
"""Methods that keep hold of a task without waiting for it."""

_TASKS = frozenset({"create_task", "ensure_future", "run_in_executor"})
"""Calls whose result is the work itself: an ``await`` of it waits."""

_THREADS = frozenset({"Thread", "Process", "Timer"})
"""Classes whose objects do the work beside their maker once they are started."""

_UNTIL = re.compile(r"wait|join|result|poll|gather|finish|complete|drain|flush|until|outcome", re.IGNORECASE)
"""In the name of what is called: it waits for something."""

_WAITING = frozenset({"result", "get", "join", "wait", "wait_for", "as_completed"})
"""Methods and functions that wait without an ``await``."""

_ASIDE = frozenset(
    {*LOG_METHODS, "print", "report_progress", "sleep",
     "add", "add_done_callback", "append", "clear", "discard", "extend", "pop", "setdefault", "update"}
)  # fmt: skip
"""Calls that do no work of their own."""

_SETUP = (
    "acquire", "assert", "build", "check", "connect", "ensure", "fetch", "find", "get", "load", "log", "make", "open",
    "parse", "prepare", "read", "require", "resolve", "validate", "verify",
)  # fmt: skip
"""How the names of calls begin that only prepare the work."""

_PLAIN = frozenset(
    {"bool", "dict", "float", "format", "int", "isoformat", "len", "list", "lower", "max", "min", "monotonic", "now",
     "perf_counter", "qsize", "round", "str", "strip", "time", "token_hex", "tuple", "upper", "utcnow", "uuid4"}
)  # fmt: skip
"""Calls whose result is no work either."""


class _QueuedWork(NamedTuple):
    """A call that queues work: where, the call, the names that hold on to it, and those that it is made of."""

    span: Span
    call: ast.Call
    held: set[str]
    names: set[str]


def deferred(
    function: ast.FunctionDef | ast.AsyncFunctionDef, is_wanted: Callable[[str], bool], spans: Spans
) -> Iterator[Deferred]:
    """Yield the calls of wanted names in a function that queue work, with the answers that do not wait for it.

    An answer does not count where other work was done on the way to it: it may be about that.
    """
    statements = list(below(function.body))
    contexts = (node for node in statements if isinstance(node, (ast.With, ast.AsyncWith)))
    awaited_at_exit = {
        dotted_name(item.optional_vars) for node in contexts for item in node.items if item.optional_vars
    }
    works: dict[int, _QueuedWork] = {}
    for node in statements:
        call = _call(node)
        if call is None or not is_wanted(last_name(call.func)) or _is_awaited(node, call):
            continue
        if isinstance(call.func, ast.Attribute) and dotted_name(call.func.value) in awaited_at_exit:
            continue
        works[id(node)] = _work(node, call, spans.of(node))
    if not works:
        return
    for work in works.values():
        work.held.update(*(_holders(node, work.held) for node in statements))
    made = {name for node in statements if (name := _made(node)) and id(node) not in works}
    answers: dict[int, set[Span]] = {key: set() for key in works}
    unawaited: dict[int, set[Span]] = {key: set() for key in works}

    def step(node: ast.stmt, seen: frozenset[str]) -> frozenset[str]:
        if id(node) in works:
            return seen | {str(id(node))}
        if isinstance(node, (*FunctionNode, ast.ClassDef)):
            return seen
        seen = frozenset(mark for mark in seen if mark == "other" or not _waits(node, works[int(mark)]))
        if _works(node) and not any(_starts(node, works[int(mark)].held) for mark in seen - {"other"}):
            seen |= {"other"}
        if (
            isinstance(node, ast.Return)
            and node.value
            and "other" not in seen
            and made.isdisjoint(names_in(node.value))
        ):
            for mark in seen:
                answers[int(mark)].add(spans.of(node))
        return seen

    def bare_step(node: ast.stmt, seen: frozenset[str]) -> frozenset[str]:
        if id(node) in works:
            return seen | {str(id(node))}
        if isinstance(node, (*FunctionNode, ast.ClassDef)):
            return seen
        seen = frozenset(mark for mark in seen if mark == "other" or not _waits_for(node, works[int(mark)]))
        if isinstance(node, ast.Return):
            for mark in seen if node.value and "other" not in seen else ():
                unawaited[int(mark)].add(spans.of(node))
        elif _works(node) and not any(_starts(node, works[int(mark)].held) for mark in seen - {"other"}):
            seen |= {"other"}
        return seen

    try:
        Walk(step).walk(function.body)
        Walk(bare_step).walk(function.body)
    except TooManyWaysError:
        return
    for key, work in works.items():
        if answers[key] or unawaited[key]:
            callee, job, is_kept = receiver(work.call.func), _job(work.call), bool(work.held)
            early, bare = tuple(sorted(answers[key])), tuple(sorted(unawaited[key]))
            yield Deferred(work.span, callee, job, early, bare, is_kept)


def _job(call: ast.Call) -> str:
    """Return the name of what is to be done: of the ``target`` of a thread, or of the first argument."""
    is_thread = last_name(call.func) in _THREADS
    job = next((value for name, value in given(call) if not is_thread or name == "target"), None)
    return receiver(job.func if isinstance(job, ast.Call) else job) if job else ""


def _is_awaited(node: ast.stmt, call: ast.Call) -> bool:
    """Whether a statement waits for the task that it makes."""
    value = getattr(node, "value", None)
    return isinstance(value, ast.Await) and value.value is call and last_name(call.func) in _TASKS


def receiver(node: ast.expr) -> str:
    """Return the dotted name of what is called, what is looked up or called on the way left out."""
    parts: list[str] = []
    while not isinstance(node, ast.Name):
        if isinstance(node, ast.Attribute):
            parts.append(node.attr)
            node = node.value
        elif isinstance(node, ast.Subscript):
            node = node.value
        elif isinstance(node, ast.Call):
            node = node.func
        else:
            return ".".join(reversed(parts))
    parts.append(node.id)
    return ".".join(reversed(parts))


def _call(node: ast.stmt) -> ast.Call | None:
    """Return the call that a statement is, or takes the result of."""
    value = node.value if isinstance(node, (ast.Expr, ast.Assign, ast.AnnAssign)) else None
    value = value.value if isinstance(value, ast.Await) else value
    if not isinstance(value, ast.Call):
        return None
    inner = value.func.value if isinstance(value.func, ast.Attribute) and value.func.attr == "start" else None
    return inner if isinstance(inner, ast.Call) and last_name(inner.func) in _THREADS else value


def _work(node: ast.stmt, call: ast.Call, span: Span) -> _QueuedWork:
    held = {dotted_name(target) for target, _ in assigned(node)} - {""}
    names = {name for _, value in given(call) for name in names_in(value)}
    if isinstance(call.func, ast.Attribute):
        owner = receiver(call.func.value)
        names |= {owner} - {"asyncio", "self", "cls", ""}
    return _QueuedWork(span, call, held, names)


def _holders(node: ast.stmt, held: set[str]) -> set[str]:
    """Return the names of collections and attributes that a statement puts one of the ``held`` names into."""
    if not held:
        return set()
    if isinstance(node, ast.Assign) and dotted_name(node.value) in held:
        return {receiver(target) for target in node.targets} - {"", "self"}
    call = node.value if isinstance(node, ast.Expr) else None
    if not isinstance(call, ast.Call) or last_name(call.func) not in ("add", "append"):
        return set()
    if not isinstance(call.func, ast.Attribute) or not any(dotted_name(value) in held for _, value in given(call)):
        return set()
    return {receiver(call.func.value)} - {""}


def _made(node: ast.stmt) -> str:
    """Return the name that a statement binds to the result of a call that may be work, "" for none."""
    call = _call(node)
    if call is None or last_name(call.func) in _PLAIN:
        return ""
    return next((dotted_name(target) for target, _ in assigned(node)), "")


def _waits(node: ast.stmt, work: _QueuedWork) -> bool:
    """Whether a statement or header may wait for some work, or says what it came to."""
    if _parks(node, work.held):
        return False
    for part in evaluated(node):
        if isinstance(part, ast.Await):
            names = names_in(part.value)
            if not _is_aside(part.value) and not names.isdisjoint(work.names | work.held):
                return True
        elif isinstance(part, ast.Call) and last_name(part.func) in _WAITING:
            if not names_in(part).isdisjoint(work.names | work.held):
                return True
        elif isinstance(part, (ast.Name, ast.Attribute)) and dotted_name(part) in work.held:
            return True
    return isinstance(node, (ast.AsyncFor, ast.AsyncWith))


def _waits_for(node: ast.stmt, work: _QueuedWork) -> bool:
    """Whether a statement or header waits for some work for certain, or says what it came to."""
    if _parks(node, work.held):
        return False
    for part in evaluated(node):
        if isinstance(part, ast.Call) and _UNTIL.search(last_name(part.func)):
            if not names_in(part).isdisjoint(work.names | work.held):
                return True
        elif isinstance(part, (ast.Name, ast.Attribute)) and dotted_name(part) in work.held:
            return True
    return isinstance(node, (ast.AsyncFor, ast.AsyncWith))


def _starts(node: ast.stmt, held: set[str]) -> bool:
    """Whether a statement starts the thread that is held in a name."""
    call = node.value if isinstance(node, ast.Expr) else None
    return isinstance(call, ast.Call) and receiver(call.func) in {f"{name}.start" for name in held}


def _parks(node: ast.stmt, held: set[str]) -> bool:
    if isinstance(node, ast.Assign):
        return dotted_name(node.value) in held
    if _starts(node, held):
        return True
    call = node.value if isinstance(node, ast.Expr) else None
    return isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute) and call.func.attr in _PARKING


def _works(node: ast.stmt) -> bool:
    """Whether a statement or header does work that an answer may be about."""
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call) and not _is_aside(node.value):
        return True
    return any(isinstance(part, ast.Await) and not _is_aside(part.value) for part in evaluated(node))


def _is_aside(node: ast.expr) -> bool:
    if not isinstance(node, ast.Call):
        return False
    last = last_name(node.func)
    return last in _ASIDE or last.lstrip("_").startswith(_SETUP)
