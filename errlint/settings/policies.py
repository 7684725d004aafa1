"""From the keys of a configuration to changes of a policy. Mistakes are noted in the table."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping

import msgspec

from errlint.regular import compiled
from errlint.settings.keys import (
    ARRAYS,
    BOUNDARY,
    FILLERS,
    IS_ERROR,
    LEAST_STATUS,
    MOST_STATUS,
    REQUIRED,
    SECTIONS,
    Key,
    ValueKind,
    field,
)
from errlint.settings.policy import Boundary, Requirement, Style, bare_name
from errlint.settings.table import EXTEND, Item, Origin, Table
from errlint.suggest import did_you_mean

_HOLE = re.compile(r"\{(?:module|function|tool)\}")

PROPAGATE = "propagate"
"""Instead of an exception in ``exceptions.map``: it is left to the boundary."""


def policy_changes(table: Table) -> dict[str, object]:
    """Return what a table says of a policy; see :data:`errlint.settings.policy.Changes`."""
    changes: dict[str, object] = {}
    if "style" in table:
        changes["style"] = table.choice("style", Style.RAISE)
    changes |= _array(table, "boundary", _boundary)
    changes |= _array(table, "required", lambda each, _: _requirement(each))
    for name, keys in SECTIONS.items():
        if name in table:
            changes[field(name)] = _section(table.table(name), keys)
    table.expect("style", *ARRAYS, *(f"{EXTEND}{key}" for key in ARRAYS), *SECTIONS)
    return changes


def _array(table: Table, key: str, read: Callable[[Table, list[Item]], Item]) -> dict[str, object]:
    """Return the changes by an array of tables: one that replaces, and one that adds."""
    changes: dict[str, object] = {}
    answers, whole, extension = table.answers, table.dotted(key), table.dotted(f"{EXTEND}{key}")
    if key in table:
        for dotted in [name for name in answers.references if name.startswith((f"{whole}[", f"{extension}["))]:
            del answers.references[dotted]
        below = answers.items.get(whole, [])
        answers.items[whole] = [read(each, below) for each in table.tables(key)]
        changes[field(key)] = tuple(item.value for item in answers.items[whole])
    if f"{EXTEND}{key}" in table:
        added = [read(each, []) for each in table.tables(f"{EXTEND}{key}")]
        answers.items.setdefault(whole, []).extend(added)
        changes[f"+{field(key)}"] = tuple(item.value for item in added)
    return changes


def _section(table: Table, keys: Mapping[str, Key]) -> dict[str, object]:
    changes: dict[str, object] = {}
    for key, spec in keys.items():
        if key in table:
            changes[field(key)] = _value(table, key, spec)
        if spec.kind is ValueKind.LIST and f"{EXTEND}{key}" in table:
            changes[f"+{field(key)}"] = _value(table, f"{EXTEND}{key}", spec)
    table.expect(*keys, *(f"{EXTEND}{key}" for key, spec in keys.items() if spec.kind is ValueKind.LIST))
    table.finish()
    prefix = changes.get("prefix")
    if isinstance(prefix, str) and prefix and "{code}" not in prefix:
        table.refuse("must have `{code}` in it, where the code stands", "prefix")
    return changes


def _boundary(table: Table, below: list[Item]) -> Item:
    """One ``[[boundary]]``; what it does not give is as the one of the convention that it stands for has it."""
    base = _stood_for(table, below)
    # Without a convention that cannot be read nobody knows what this stands for.
    is_known = all(mistake.origin.key[-1] != "convention" for mistake in table.answers.mistakes)
    if base is None and is_known and "decorator" not in table and "middleware" not in table:
        table.refuse("needs a `decorator` or `middleware`")
    found = {
        field(key): _value(table, key, spec) for key, spec in BOUNDARY.items() if key in table and key != "envelope"
    }
    if "envelope" in table:
        found["envelope"] = _envelope(table)
    table.expect(*BOUNDARY)
    table.finish()
    pattern = found.get("operation_pattern")
    if isinstance(pattern, str):
        try:
            compiled(pattern)
        except ValueError as error:
            table.refuse(str(error), "operation-pattern")
    template = found.get("operation_template")
    if isinstance(template, str) and set("{}") & set(_HOLE.sub("", template)):
        table.refuse("has a brace that is no {module}, {function} or {tool}", "operation-template")
    origins = _origins(table, BOUNDARY)
    if base is None:
        return Item(Boundary(**found), origins)  # type: ignore[arg-type]
    assert isinstance(base.value, Boundary)
    # A decorator or middleware takes the place of whichever the convention has.
    if "decorator" in found or "middleware" in found:
        found = {"decorator": "", "middleware": (), **found}
    kept = {key: origin for key, origin in base.origins.items() if field(key) not in found}
    return Item(msgspec.structs.replace(base.value, **found), kept | origins)


def _origins(table: Table, keys: Iterable[str]) -> dict[str, Origin]:
    return {key: table.origin(key) for key in keys if key in table}


def _stood_for(table: Table, below: list[Item]) -> Item | None:
    """Return the boundary of the convention with the same decorator, else the first one; ``None`` where it has none."""
    own = bare_name(table.text("decorator")) if table.holds("decorator", str) else ""
    same = (item for item in below if isinstance(item.value, Boundary) and bare_name(item.value.decorator) == own)
    return next(same, below[0] if below else None)


def _envelope(table: Table) -> object:
    """Return the keys of an envelope; none of ``"is-error"``."""
    if not table.holds("envelope", str):
        found = _value(table, "envelope", BOUNDARY["envelope"])
        if isinstance(found, dict):
            inner = table.table("envelope")
            for key, filler in found.items():
                if not isinstance(filler, str) or filler in FILLERS:
                    continue
                is_fixed = not set("{}") & set(filler.replace("{message}", ""))
                # What stands around a message is the project's own: `E: {message}` is no misspelling.
                hint = "" if "{message}" in filler else did_you_mean(filler, FILLERS)
                if hint or not is_fixed:
                    hint = hint or f"what is filled in is {', '.join(FILLERS)}"
                    inner.refuse(f'is filled by nothing that is called "{filler}"', key, hint=hint)
        return found
    given = table.text("envelope")
    if given != IS_ERROR:
        hint = did_you_mean(given, [IS_ERROR])
        table.refuse(f'must be a table or "{IS_ERROR}", not "{given}"', "envelope", hint=hint)
    return {}


def _requirement(table: Table) -> Item:
    """One ``[[required]]``."""
    for key in ("classes", "fields"):
        if key not in table:
            table.refuse(f"needs `{key}`")
        elif table.holds(key, list) and not table.strings(key):
            table.refuse("must not be empty", key)
    found = {"classes": (), "fields": ()} | {
        field(key): _value(table, key, spec) for key, spec in REQUIRED.items() if key in table
    }
    table.expect(*REQUIRED)
    table.finish()
    return Item(Requirement(**found), _origins(table, REQUIRED))  # type: ignore[arg-type]


def _value(table: Table, key: str, spec: Key) -> object:
    """Return the value of a key that the text has, and remember the names of code in it."""
    names: dict[tuple[str | int, ...], str]
    if spec.kind is ValueKind.FLAG:
        return table.flag(key)
    if spec.kind is ValueKind.TEXT:
        text = table.text(key, may_be_empty=key not in BOUNDARY and key not in REQUIRED)
        names = {(key,): text} if text else {}
    elif spec.kind is ValueKind.LIST:
        items = table.strings(key)
        names = {(key, index): item for index, item in enumerate(items)}
    else:
        return _entries(table, key, spec)
    if spec.names:
        table.refer(spec.names, names, key)
    return text if spec.kind is ValueKind.TEXT else items


def _entries(table: Table, key: str, spec: Key) -> dict[str, object]:
    """Return the entries of a table whose keys are the user's own words."""
    inner = table.table(key)
    readers: dict[ValueKind, Callable[[str], object]] = {
        ValueKind.TEXTS: inner.text,
        ValueKind.NUMBERS: (lambda name: _status(inner, name)) if key == "status" else inner.number,
        ValueKind.LISTS: inner.strings,
        ValueKind.CODES: lambda name: _code(inner.table(name)),
    }
    entries = {name: readers[spec.kind](name) for name in inner.names()}
    for name, value in entries.items():
        names: dict[tuple[str | int, ...], str]
        names = {(name,): value} if spec.names and isinstance(value, str) and value != PROPAGATE else {}
        if names:
            inner.refer(spec.names, names, name)
        if spec.entries:
            key = f"{name} itself"
            inner.refer(spec.entries, {(name,): name}, key)
    return entries


def _status(table: Table, key: str) -> int:
    """Return a status of HTTP or JSON-RPC."""
    number = table.number(key)
    if (
        table.holds(key, int)
        and not table.holds(key, bool)
        and not (number < 0 or LEAST_STATUS <= number <= MOST_STATUS)
    ):
        hint = f"those of HTTP are from {LEAST_STATUS} to {MOST_STATUS}, those of JSON-RPC are negative"
        table.refuse(f"is no status: {number}", key, hint=hint)
    return number


def _code(table: Table) -> dict[str, object]:
    """One code of ``codes.vocabulary``: only what is said of it."""
    code: dict[str, object] = {}
    if "status" in table:
        code["status"] = _status(table, "status")
    if "retryable" in table:
        code["retryable"] = table.flag("retryable")
    table.expect("status", "retryable")
    table.finish()
    return code
