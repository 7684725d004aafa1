"""Work that a function only queues, and the answers it can give before that work is done."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import NamedTuple

import libcst as cst

from errlint.collect.expressions import dotted_name
from errlint.collect.flow import Statement
from errlint.collect.statements import below
from errlint.collect.ways import TooManyWaysError, Walk, evaluated, names_in
from errlint.facts import Deferred
from errlint.findings import Span

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
    {"critical", "debug", "error", "exception", "info", "log", "warn", "warning", "print", "report_progress", "sleep",
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


class _Work(NamedTuple):
    """A call that queues work: where, the call, the names that hold on to it, and those that it is made of."""

    span: Span
    call: cst.Call
    held: set[str]
    names: set[str]


def deferred(
    function: cst.FunctionDef, is_wanted: Callable[[str], bool], spans: Mapping[int, Span]
) -> Iterator[Deferred]:
    """Yield the calls of wanted names in a function that queue work, with the answers that do not wait for it.

    An answer does not count where other work was done on the way to it: it may be about that.
    """
    statements = list(below(function.body))
    left = {item.asname.name for node in statements if isinstance(node, cst.With) for item in node.items if item.asname}
    awaited_at_exit = {dotted_name(name) for name in left}
    works: dict[int, _Work] = {}
    for node in statements:
        call = _call(node)
        if call is None or not is_wanted(last_name(call.func)) or _is_awaited(node, call):
            continue
        if isinstance(call.func, cst.Attribute) and dotted_name(call.func.value) in awaited_at_exit:
            continue
        works[id(node)] = _work(node, call, spans[id(node)])
    if not works:
        return
    for work in works.values():
        work.held.update(*(_holders(node, work.held) for node in statements))
    made = {name for node in statements if (name := _made(node)) and id(node) not in works}
    answers: dict[int, set[Span]] = {key: set() for key in works}
    unawaited: dict[int, set[Span]] = {key: set() for key in works}

    def step(node: Statement, seen: frozenset[str]) -> frozenset[str]:
        if id(node) in works:
            return seen | {str(id(node))}
        if isinstance(node, (cst.FunctionDef, cst.ClassDef)):
            return seen
        seen = frozenset(mark for mark in seen if mark == "other" or not _waits(node, works[int(mark)]))
        if _works(node) and not any(_starts(node, works[int(mark)].held) for mark in seen - {"other"}):
            seen |= {"other"}
        if (
            isinstance(node, cst.Return)
            and node.value
            and "other" not in seen
            and made.isdisjoint(names_in(node.value))
        ):
            for mark in seen:
                answers[int(mark)].add(spans[id(node)])
        return seen

    def bare_step(node: Statement, seen: frozenset[str]) -> frozenset[str]:
        if id(node) in works:
            return seen | {str(id(node))}
        if isinstance(node, (cst.FunctionDef, cst.ClassDef)):
            return seen
        seen = frozenset(mark for mark in seen if mark == "other" or not _waits_for(node, works[int(mark)]))
        if isinstance(node, cst.Return):
            for mark in seen if node.value and "other" not in seen else ():
                unawaited[int(mark)].add(spans[id(node)])
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


def _job(call: cst.Call) -> str:
    """Return the name of what is to be done: of the ``target`` of a thread, or of the first argument."""
    if last_name(call.func) in _THREADS:
        given = next((item.value for item in call.args if item.keyword and item.keyword.value == "target"), None)
    else:
        given = call.args[0].value if call.args else None
    return receiver(given.func if isinstance(given, cst.Call) else given) if given else ""


def _is_awaited(node: Statement, call: cst.Call) -> bool:
    """Whether a statement waits for the task that it makes."""
    value = getattr(node, "value", None)
    return isinstance(value, cst.Await) and value.expression is call and last_name(call.func) in _TASKS


def last_name(node: cst.BaseExpression) -> str:
    """Return the last part of the name of what is called, "" where it has none."""
    return node.attr.value if isinstance(node, cst.Attribute) else dotted_name(node)


def receiver(node: cst.BaseExpression) -> str:
    """Return the dotted name of what is called, what is looked up or called on the way left out."""
    parts: list[str] = []
    while not isinstance(node, cst.Name):
        if isinstance(node, cst.Attribute):
            parts.append(node.attr.value)
            node = node.value
        elif isinstance(node, cst.Subscript):
            node = node.value
        elif isinstance(node, cst.Call):
            node = node.func
        else:
            return ".".join(reversed(parts))
    parts.append(node.value)
    return ".".join(reversed(parts))


def _call(node: Statement) -> cst.Call | None:
    """Return the call that a statement is, or takes the result of."""
    value = node.value if isinstance(node, (cst.Expr, cst.Assign, cst.AnnAssign)) else None
    value = value.expression if isinstance(value, cst.Await) else value
    if not isinstance(value, cst.Call):
        return None
    inner = value.func.value if isinstance(value.func, cst.Attribute) and value.func.attr.value == "start" else None
    return inner if isinstance(inner, cst.Call) and last_name(inner.func) in _THREADS else value


def _work(node: Statement, call: cst.Call, span: Span) -> _Work:
    held: set[str] = set()
    if isinstance(node, cst.Assign):
        held = {name for target in node.targets if (name := dotted_name(target.target))}
    elif isinstance(node, cst.AnnAssign):
        held = {dotted_name(node.target)} - {""}
    names = {name for argument in call.args for name in names_in(argument.value)}
    if isinstance(call.func, cst.Attribute):
        owner = receiver(call.func.value)
        names |= {owner} - {"asyncio", "self", "cls", ""}
    return _Work(span, call, held, names)


def _holders(node: Statement, held: set[str]) -> set[str]:
    """Return the names of collections and attributes that a statement puts one of the ``held`` names into."""
    if not held:
        return set()
    if isinstance(node, cst.Assign) and dotted_name(node.value) in held:
        return {receiver(target.target) for target in node.targets} - {"", "self"}
    call = node.value if isinstance(node, cst.Expr) else None
    if not isinstance(call, cst.Call) or last_name(call.func) not in ("add", "append"):
        return set()
    if not isinstance(call.func, cst.Attribute) or not any(dotted_name(item.value) in held for item in call.args):
        return set()
    return {receiver(call.func.value)} - {""}


def _made(node: Statement) -> str:
    """Return the name that a statement binds to the result of a call that may be work, "" for none."""
    call = _call(node)
    if call is None or isinstance(node, cst.Expr) or last_name(call.func) in _PLAIN:
        return ""
    target = node.targets[0].target if isinstance(node, cst.Assign) else getattr(node, "target", None)
    return dotted_name(target) if isinstance(target, cst.BaseExpression) else ""


def _waits(node: Statement, work: _Work) -> bool:
    """Whether a statement or header may wait for some work, or says what it came to."""
    if _parks(node, work.held):
        return False
    for part in evaluated(node):
        if isinstance(part, cst.Await):
            names = names_in(part.expression)
            if not _is_aside(part.expression) and not names.isdisjoint(work.names | work.held):
                return True
        elif isinstance(part, cst.Call) and last_name(part.func) in _WAITING:
            if not names_in(part).isdisjoint(work.names | work.held):
                return True
        elif isinstance(part, (cst.Name, cst.Attribute)) and dotted_name(part) in work.held:
            return True
    return isinstance(node, (cst.For, cst.With)) and node.asynchronous is not None


def _waits_for(node: Statement, work: _Work) -> bool:
    """Whether a statement or header waits for some work for certain, or says what it came to."""
    if _parks(node, work.held):
        return False
    for part in evaluated(node):
        if isinstance(part, cst.Call) and _UNTIL.search(last_name(part.func)):
            if not names_in(part).isdisjoint(work.names | work.held):
                return True
        elif isinstance(part, (cst.Name, cst.Attribute)) and dotted_name(part) in work.held:
            return True
    return isinstance(node, (cst.For, cst.With)) and node.asynchronous is not None


def _starts(node: Statement, held: set[str]) -> bool:
    """Whether a statement starts the thread that is held in a name."""
    call = node.value if isinstance(node, cst.Expr) else None
    return isinstance(call, cst.Call) and receiver(call.func) in {f"{name}.start" for name in held}


def _parks(node: Statement, held: set[str]) -> bool:
    if isinstance(node, cst.Assign):
        return dotted_name(node.value) in held
    if _starts(node, held):
        return True
    call = node.value if isinstance(node, cst.Expr) else None
    return isinstance(call, cst.Call) and isinstance(call.func, cst.Attribute) and call.func.attr.value in _PARKING


def _works(node: Statement) -> bool:
    """Whether a statement or header does work that an answer may be about."""
    if isinstance(node, cst.Expr) and isinstance(node.value, cst.Call) and not _is_aside(node.value):
        return True
    return any(isinstance(part, cst.Await) and not _is_aside(part.expression) for part in evaluated(node))


def _is_aside(node: cst.BaseExpression) -> bool:
    if not isinstance(node, cst.Call):
        return False
    last = last_name(node.func)
    return last in _ASIDE or last.lstrip("_").startswith(_SETUP)
