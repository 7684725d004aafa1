"""Checks that a function makes of whether something is available, and the calls that it makes without one."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import libcst as cst

from errlint.collect.deferred import last_name, receiver
from errlint.collect.expressions import dotted_name
from errlint.collect.flow import Statement
from errlint.collect.statements import below
from errlint.collect.ways import TooManyWaysError, Walk, evaluated
from errlint.facts import Precaution, Unchecked
from errlint.findings import Span

_CHECKED = frozenset({"checked"})


def precaution(
    function: cst.FunctionDef,
    is_check: Callable[[str], bool],
    is_guarded: Callable[[str], bool],
    spans: Mapping[int, Span],
) -> Precaution | None:
    """Return what a function asks about availability and calls unasked; ``None`` where it does neither.

    ``is_check`` and ``is_guarded`` take last parts of names. A name that is read counts as a check of it, since a
    check may be a property or a flag.
    """
    statements = list(below(function.body))
    calls: dict[int, list[str]] = {}
    checks: dict[int, list[str]] = {}
    guarded: dict[int, list[str]] = {}
    for node in statements:
        for part in evaluated(node):
            if isinstance(part, cst.Call):
                last, name = last_name(part.func), receiver(part.func)
                if is_check(last):
                    checks.setdefault(id(node), []).append(name)
                    continue
                calls.setdefault(id(node), []).append(name)
                if is_guarded(last):
                    guarded.setdefault(id(node), []).append(name)
            elif isinstance(part, (cst.Name, cst.Attribute)) and any(map(is_check, dotted_name(part).split("."))):
                checks.setdefault(id(node), []).append(dotted_name(part))
    if not checks and not guarded:
        return None
    reached: set[int] = set()
    bare: set[int] = set()

    def step(node: Statement, seen: frozenset[str]) -> frozenset[str]:
        reached.add(id(node))
        if id(node) in checks:
            return _CHECKED
        if not seen:
            bare.add(id(node))
        return seen

    names = tuple(sorted({name for found in checks.values() for name in found}))
    try:
        Walk(step).walk(function.body)
    except TooManyWaysError:
        return Precaution(names)
    safe = tuple(spans[id(node)] for node in statements if id(node) in reached - bare and id(node) not in checks)
    unchecked = tuple(
        Unchecked(spans[id(node)], callee, _called_before(statements, calls, node))
        for node in statements
        if id(node) in bare
        for callee in guarded.get(id(node), ())
    )
    return Precaution(names, safe, unchecked)


def _called_before(statements: list[Statement], calls: Mapping[int, list[str]], last: Statement) -> tuple[str, ...]:
    """Return the names of what is called in a function up to a statement: one of them may make the check."""
    names: dict[str, None] = {}
    for node in statements:
        names.update(dict.fromkeys(filter(None, calls.get(id(node), ()))))
        if node is last:
            break
    return tuple(names)
