"""The parts of a configuration file, each read into its noun. Mistakes are noted in the table."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeVar

from errlint.findings import Severity
from errlint.patterns import problem
from errlint.rules import RULES, code_of
from errlint.settings.model import Adapters, Override, Trust
from errlint.settings.policies import policy_changes
from errlint.settings.selection import (
    Selection,
    UnknownSelectorError,
    check_ignored,
    ignorable,
    is_known,
    matching,
    specificity,
)
from errlint.settings.table import Table

_T = TypeVar("_T")


def selection(table: Table) -> Selection:
    """``select``, ``ignore`` and their ``extend-`` twins."""
    select = selectors(table, "select")
    ignore = selectors(table, "ignore", check_ignored)
    extend_select = selectors(table, "extend-select")
    extend_ignore = selectors(table, "extend-ignore", check_ignored)
    return Selection(select if "select" in table else None, ignore + extend_ignore, extend_select)


def per_file_ignores(table: Table) -> tuple[tuple[str, frozenset[str]], ...]:
    """``[per-file-ignores]``: a glob and the codes that its selectors cover, in the order of the file."""
    for pattern in table.names():
        if why := problem(pattern):
            table.refuse(why, pattern)
    pairs = tuple(
        (pattern.removeprefix("./"), ignorable(selectors(table, pattern, check_ignored))) for pattern in table.names()
    )
    table.finish()
    return pairs


def severity(table: Table) -> Mapping[str, Severity]:
    """``[severity]``: the severity of every code that a selector covers; the more specific selector wins."""
    chosen: dict[str, Severity] = {}
    for selector in sorted(table.names(), key=specificity):
        level = table.choice(selector, Severity.ERROR, "`ignore` has the rules that do not run")
        chosen |= dict.fromkeys(sorted(_known(table, matching, selector, selector) or ()), level)
    table.finish()
    return chosen


def adapters(table: Table) -> Adapters:
    """``[adapters]``."""
    methods = table.table("methods")
    found = Adapters(
        decorators=table.strings("decorators"),
        registrations=table.strings("registrations"),
        methods={base: methods.strings(base) for base in methods.names()},
        paths=table.globs("paths"),
    )
    for base in found.methods:
        methods.refer("base class", {(base,): base}, base)
    for key, what, names in (
        ("decorators", "adapter decorator", found.decorators),
        ("registrations", "registration", found.registrations),
    ):
        table.refer(what, {(key, index): name for index, name in enumerate(names)}, key)
    table.finish()
    return found


def override(table: Table) -> Override:
    """One ``[[overrides]]``: what it does not say stays as it is."""
    paths = table.globs("paths")
    if not paths and not ("paths" in table and not table.holds("paths", list)):
        table.refuse("needs `paths`, the globs it is about", *(("paths",) if "paths" in table else ()))
    policy = policy_changes(table)
    levels = severity(table.table("severity")) if "severity" in table else {}
    table.expect("severity")
    table.finish()
    return Override(paths=paths, severity=levels, policy=policy)


def trust(table: Table) -> Trust:
    """``extend-safe-fixes``, ``extend-unsafe-fixes`` and ``accept-shape-change``.

    Where both lists cover a code the more specific selector wins, between equals the unsafe one.
    """
    ranks: dict[str, tuple[int, bool]] = {}
    for is_unsafe, key in ((False, "extend-safe-fixes"), (True, "extend-unsafe-fixes")):
        for selector in selectors(table, key):
            rank = (specificity(selector), is_unsafe)
            ranks.update((code, max(rank, ranks.get(code, rank))) for code in matching(selector))
    return Trust(
        safe=frozenset(code for code, (_, is_unsafe) in ranks.items() if not is_unsafe),
        unsafe=frozenset(code for code, (_, is_unsafe) in ranks.items() if is_unsafe),
        shape_change=table.flag("accept-shape-change"),
    )


def selectors(table: Table, key: str, check: Callable[[str], object] = matching) -> tuple[str, ...]:
    """Return a list of rule selectors, each known to ``check``."""
    found = table.strings(key)
    if table.file.preset:
        # A preset may be ahead of the rules.
        found = tuple(selector for selector in found if code_of(selector) in RULES)
    for index, selector in enumerate(found):
        _known(table, check, selector, key, index)
    return tuple(selector for selector in found if is_known(selector))


def _known(table: Table, check: Callable[[str], _T], selector: str, *parts: str | int) -> _T | None:
    """Return what ``check`` answers for the selector at ``parts`` of the table; ``None`` after a mistake."""
    try:
        return check(selector)
    except UnknownSelectorError as error:
        table.note(error.message, *parts, hint=error.hint)
        return None
