"""Checks that a function makes of whether something is available, and the calls that it makes without one."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterable, Iterator, Mapping

from errlint.error_keywords import LOG_METHODS
from errlint.facts import Precaution, Unchecked
from errlint.index.deferred import receiver
from errlint.index.expressions import dotted_name
from errlint.index.path_states import TooManyWaysError, Walk, evaluated
from errlint.index.spans import Spans
from errlint.index.statements import below, leaves
from errlint.trees import last_name

_CHECKED = frozenset({"checked"})

_LOGS = LOG_METHODS | {"print", "trace"}
_TELLS = re.compile(r"_*(?:record|succe|fail|reset|trip|mark|note|report|register|on_(?:success|failure|error))")
"""How the names of methods begin by which a circuit breaker hears how a call ended."""

_STATES = {"open": False, "closed": True}
"""States of a circuit breaker: nothing goes through an open one."""

_AWAY = re.compile(r"unavailable|not_available|not_ready|(?:^|_)(?:is_open|down|offline|tripped)$", re.IGNORECASE)
_THERE = re.compile(r"available$|reachable$|healthy$|(?:^|_)(?:is_closed|ready|online)$", re.IGNORECASE)


def precaution(
    function: ast.FunctionDef | ast.AsyncFunctionDef,
    is_check: Callable[[str], bool],
    is_guarded: Callable[[str], bool],
    spans: Spans,
) -> Precaution | None:
    """Return what a function asks about availability and calls unasked; ``None`` where it does neither.

    ``is_check`` and ``is_guarded`` take last parts of names. A name that is read counts as a check of it, since a
    check may be a property or a flag.
    """
    statements = list(below(function.body))
    if not any(_names_one(part, is_check, is_guarded) for node in statements for part in evaluated(node)):
        return None  # of most functions: nothing else needs to be known
    unheeded = set(_unheeded(statements))
    calls: dict[int, list[str]] = {}
    checks: dict[int, list[str]] = {}
    guarded: dict[int, list[str]] = {}
    for node in statements:
        told = {id(inner) for part in evaluated(node) if _is_told(part) for inner in _owners(part)}
        for part in evaluated(node):
            if isinstance(part, ast.Call):
                last, name = last_name(part.func), receiver(part.func)
                if is_check(last):
                    if id(node) not in unheeded:
                        checks.setdefault(id(node), []).append(name)
                    continue
                calls.setdefault(id(node), []).append(name)
                if is_guarded(last):
                    guarded.setdefault(id(node), []).append(name)
            elif isinstance(part, (ast.Name, ast.Attribute)) and id(node) not in unheeded and id(part) not in told:
                name = dotted_name(part) or last_name(part)
                if any(map(is_check, name.split("."))):
                    checks.setdefault(id(node), []).append(name)
    if not checks and not guarded:
        return None
    reached: set[int] = set()
    bare: set[int] = set()
    decided = {id(node): _told(node.test) for node in statements if isinstance(node, ast.If) and id(node) in checks}
    inside = {
        id(inner): decided[id(node)]
        for node in statements
        if isinstance(node, ast.If) and decided.get(id(node)) is not None
        for inner in below(node.body)
    }
    turned = {
        id(node)
        for node in statements
        if isinstance(node, ast.If) and decided.get(id(node)) and not node.orelse and leaves(node.body)
    }
    """Conditions behind which nothing is available: their branch, which leaves, is the one where it is."""

    def step(node: ast.stmt, seen: frozenset[str]) -> frozenset[str]:
        reached.add(id(node))
        if id(node) in turned:
            return seen
        if id(node) in checks:
            return _CHECKED
        if (is_there := inside.get(id(node))) is not None:
            if not is_there:
                bare.add(id(node))
            return _CHECKED  # what comes of a branch that is not left is another question
        if not seen:
            bare.add(id(node))
        return seen

    names = tuple(sorted({name for found in checks.values() for name in found}))
    try:
        Walk(step).walk(function.body)
    except TooManyWaysError:
        return Precaution(names)
    safe = tuple(spans.of(node) for node in statements if id(node) in reached - bare and id(node) not in checks)
    unchecked = tuple(
        Unchecked(spans.of(node), callee, _called_before(statements, calls, node))
        for node in statements
        if id(node) in bare
        for callee in guarded.get(id(node), ())
    )
    return Precaution(names, safe, unchecked)


def _names_one(part: ast.expr, is_check: Callable[[str], bool], is_guarded: Callable[[str], bool]) -> bool:
    """Whether a name, or a part of a dotted one, is that of a check or of a call that needs one."""
    name = part.id if type(part) is ast.Name else part.attr if type(part) is ast.Attribute else ""
    return bool(name) and (is_check(name) or is_guarded(name))


def _is_told(part: ast.AST) -> bool:
    """Whether what is looked at is told how a call ended (``breaker.record_failure``), and not asked."""
    return isinstance(part, ast.Attribute) and _TELLS.match(part.attr) is not None


def _owners(part: ast.AST) -> Iterator[ast.AST]:
    yield part
    while isinstance(part, ast.Attribute):
        part = part.value
        yield part


def _unheeded(statements: list[ast.stmt]) -> Iterator[int]:
    """Yield the statements, by ``id``, whose checks decide nothing: the answer is logged, or nobody reads it."""
    readers: dict[str, list[ast.stmt]] = {}
    for node in statements:
        if not _is_log(node):
            for name in _read(evaluated(node)):
                readers.setdefault(name, []).append(node)
    for node in statements:
        if _is_log(node):
            yield id(node)
        elif isinstance(node, ast.If):
            if not node.orelse and all(map(_is_log, below(node.body))):
                yield id(node)
        elif isinstance(node, ast.Assign) and len(node.targets) == 1:
            name = dotted_name(node.targets[0])
            if "." not in name and all(other is node for other in readers.get(name, ())):
                yield id(node)


def _read(parts: Iterable[ast.expr]) -> set[str]:
    """Return the first names of what a statement or header reads."""
    return {dotted_name(part).partition(".")[0] for part in parts if isinstance(part, (ast.Name, ast.Attribute))}


def _is_log(node: ast.stmt) -> bool:
    """Whether a statement only writes to a log, or does nothing."""
    call = node.value if isinstance(node, ast.Expr) else None
    if isinstance(call, ast.Await):
        call = call.value
    if isinstance(call, ast.Call):
        return last_name(call.func) in _LOGS
    is_text = isinstance(call, ast.JoinedStr) or (
        isinstance(call, ast.Constant) and isinstance(call.value, (str, bytes))
    )
    return isinstance(node, ast.Pass) or is_text


def _told(test: ast.expr) -> bool | None:
    """Return whether something is available where a condition is true, ``None`` where that cannot be told."""
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        told = _told(test.operand)
        return None if told is None else not told
    if isinstance(test, ast.Compare) and len(test.ops) == 1:
        operator, other = test.ops[0], test.comparators[0]
        is_same = isinstance(operator, (ast.Is, ast.Eq))
        if not is_same and not isinstance(operator, (ast.IsNot, ast.NotEq)):
            return None
        state = _STATES.get(_last_word(other))
        if state is None and _last_word(other) in ("true", "false"):
            told = _told(test.left)
            state = None if told is None else told is (_last_word(other) == "true")
        return None if state is None else state is is_same
    name = last_name(test.func) if isinstance(test, ast.Call) else dotted_name(test).rpartition(".")[2]
    return False if _AWAY.search(name) else True if _THERE.search(name) else None


def _last_word(node: ast.expr) -> str:
    if isinstance(node, ast.Constant):
        return (node.value.decode("utf-8", "replace") if isinstance(node.value, bytes) else str(node.value)).lower()
    return dotted_name(node).removesuffix(".value").rpartition(".")[2].lower()


def _called_before(statements: list[ast.stmt], calls: Mapping[int, list[str]], last: ast.stmt) -> tuple[str, ...]:
    """Return the names of what is called in a function up to a statement: one of them may make the check."""
    names: dict[str, None] = {}
    for node in statements:
        names.update(dict.fromkeys(filter(None, calls.get(id(node), ()))))
        if node is last:
            break
    return tuple(names)
