"""The parts of a configuration file, each read into its noun. All raise :class:`InvalidValueError`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeVar

from errlint.findings import Severity
from errlint.patterns import problem
from errlint.settings.keys import IS_ERROR, REQUIRED, SECTIONS, Key, Kind, field
from errlint.settings.model import Adapters, Override
from errlint.settings.policy import (
    Boundary,
    Code,
    Codes,
    Exceptions,
    Hints,
    Logs,
    Payload,
    Requirement,
    Response,
    Style,
    Taxonomy,
    Work,
)
from errlint.settings.selection import Selection, UnknownSelectorError, check_ignored, ignorable, matching
from errlint.settings.table import Table

_T = TypeVar("_T")


def selection(table: Table) -> Selection:
    """``select``, ``ignore`` and their ``extend-`` twins."""
    select = _selectors(table, "select", matching)
    ignore = _selectors(table, "ignore", check_ignored)
    extend_select = _selectors(table, "extend-select", matching)
    extend_ignore = _selectors(table, "extend-ignore", check_ignored)
    return Selection(select if "select" in table else None, ignore + extend_ignore, extend_select)


def per_file_ignores(table: Table) -> tuple[tuple[str, frozenset[str]], ...]:
    """``[per-file-ignores]``: a glob and the codes that its selectors cover, in the order of the file."""
    for pattern in table.names():
        if why := problem(pattern):
            raise table.invalid(why, pattern)
    pairs = tuple(
        (pattern.removeprefix("./"), ignorable(_selectors(table, pattern, check_ignored))) for pattern in table.names()
    )
    table.finish()
    return pairs


def severity(table: Table) -> Mapping[str, Severity]:
    """``[severity]``: the severity of every code that a selector covers; the more specific selector wins."""
    chosen: dict[str, Severity] = {}
    for selector in sorted(table.names(), key=lambda name: 0 if name == "ALL" else len(name)):
        level = table.choice(selector, Severity.ERROR)
        chosen |= dict.fromkeys(sorted(_known(table, matching, selector, selector)), level)
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
    table.finish()
    return found


def boundary(table: Table) -> Boundary:
    """One ``[[boundary]]``."""
    if "decorator" not in table and "middleware" not in table:
        raise table.invalid("needs a `decorator`")
    envelope: Mapping[str, str] = {}
    if "envelope" in table:
        try:
            envelope = _texts(table.table("envelope"))
        except Exception:  # noqa: BLE001
            assert table.text("envelope") == IS_ERROR
    found = Boundary(
        decorator=table.text("decorator"),
        middleware=table.strings("middleware"),
        converters=table.strings("converters"),
        envelope=envelope,
        operation=table.text("operation"),
        empty_result=table.text("empty-result"),
        operation_pattern=table.text("operation-pattern"),
        maps=table.strings("maps"),
        logs=bool(table._get("logs")),
    )
    table.finish()
    return found


def required(table: Table) -> Requirement:
    """One ``[[required]]``."""
    found = Requirement(**{name: _value(table, name, key) for name, key in REQUIRED.items() if name in table})  # type: ignore[arg-type]
    table.finish()
    return found


_PARTS = {
    "exceptions": Exceptions, "codes": Codes, "hints": Hints, "payload": Payload, "taxonomy": Taxonomy, "logs": Logs,
    "response": Response, "work": Work,
}  # fmt: skip


def parts(table: Table) -> dict[str, object]:
    """All tables of a policy."""
    found: dict[str, object] = {}
    for name, keys in SECTIONS.items():
        part = table.table(name)
        found[name] = _PARTS[name](**{field(key): _value(part, key, kind) for key, kind in keys.items() if key in part})
        part.finish()
    return found


def _value(table: Table, name: str, key: Key) -> object:
    if key.kind is Kind.TEXT:
        return table.text(name)
    if key.kind is Kind.FLAG:
        return bool(table._get(name))
    if key.kind is Kind.LIST:
        return table.strings(name)
    inner = table.table(name)
    if key.kind is Kind.TEXTS:
        return _texts(inner)
    if key.kind is Kind.NUMBERS:
        return {each: inner._get(each) for each in inner.names()}
    if key.kind is Kind.LISTS:
        return {each: inner.strings(each) for each in inner.names()}
    codes = {}
    for each in inner.names():
        entry = inner.table(each)
        codes[each] = Code(status=entry._get("status"), retryable=entry._get("retryable"))  # type: ignore[arg-type]
    return codes


def _texts(table: Table) -> Mapping[str, str]:
    return {each: table.text(each) for each in table.names()}


def override(table: Table) -> Override:
    """One ``[[overrides]]``: what it does not say stays as it is."""
    paths = table.globs("paths")
    if not paths:
        raise table.invalid("needs `paths`, the globs it is about", *(("paths",) if "paths" in table else ()))
    policy: dict[str, object] = {}
    if "style" in table:
        policy["style"] = table.choice("style", Style.RAISE)
    levels = severity(table.table("severity")) if "severity" in table else {}
    if "response-types" in table:
        policy["response"] = Response(types=table.strings("response-types"))
    table.expect("style", "severity", "response-types")
    table.finish()
    return Override(paths=paths, severity=levels, policy=policy)


def _selectors(table: Table, key: str, check: Callable[[str], object]) -> tuple[str, ...]:
    """Return a list of rule selectors, each known to ``check``."""
    selectors = table.strings(key)
    for index, selector in enumerate(selectors):
        _known(table, check, selector, key, index)
    return selectors


def _known(table: Table, check: Callable[[str], _T], selector: str, *parts: str | int) -> _T:
    """Return what ``check`` answers for the selector at ``parts`` of the table."""
    try:
        return check(selector)
    except UnknownSelectorError as error:
        raise table.wrong(error.message, *parts, hint=error.hint) from error
