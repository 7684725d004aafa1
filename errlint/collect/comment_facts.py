"""What a second reading of the text adds to the facts of a file: comments at repeated values, and counts of names."""

from __future__ import annotations

import re

from msgspec import structs

from errlint.facts import Class, Constant, Module, Text, Value

_REASON = re.compile(
    r"#.*\b(?:alias|same|synonym|deprecated|legacy|compat\w*|old|former\w*|renamed|kept|intention\w*|deliberate\w*"
    r"|on purpose|duplicate|also|shared?|noqa)\b",
    re.IGNORECASE,
)


def remarked(module: Module, text: str) -> Module:
    """Return the facts with what the comments of a file say about fields that repeat a value."""
    if not any(_repeats(definition) for definition in module.classes):
        return module
    rows = text.split("\n")
    return structs.replace(module, classes=tuple(_remarked(definition, rows) for definition in module.classes))


def _repeats(definition: Class) -> set[str]:
    """Return the names of the fields whose value an earlier field has too."""
    seen: set[Value] = set()
    found: set[str] = set()
    for entry in definition.members or ():
        if type(entry.value) is not Text and type(entry.value) is not Constant:
            continue
        if entry.value in seen and entry.key is not None:
            found.add(entry.key)
        seen.add(entry.value)
    return found


def _remarked(definition: Class, rows: list[str]) -> Class:
    repeats = _repeats(definition)
    if not repeats:
        return definition
    found: list[str] = []
    for entry, place in zip(definition.members or (), definition.places):  # noqa: B905 -- equal by construction
        if entry.key is None or entry.key not in repeats:
            continue
        behind = rows[place.end_line - 1][place.end_column - 1 :] if place.end_line <= len(rows) else ""
        above = rows[place.line - 2].strip() if place.line > 1 else ""
        if "#" in behind or _REASON.match(above):
            found.append(entry.key)
    return structs.replace(definition, remarked=tuple(found))
