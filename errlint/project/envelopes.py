"""Structured envelopes at the end of a message: ``[code] text [envelope] {json}``."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from errlint.facts import Call, Function, Mapping, Text, Value, only
from errlint.findings import Span
from errlint.project.domain import matches
from errlint.project.fields import is_closed, is_own, keyed, parts
from errlint.settings.policy import Codes

if TYPE_CHECKING:
    from errlint.project import Project

_DUMPS = "dumps"


def messages(project: Project, path: str) -> Iterator[tuple[Function, Span, Text]]:
    """Yield the texts that the functions of a file raise with or answer."""
    policy = project.policy(path)
    for error in project.fields.of(path):
        if is_own(error, policy):
            for value in error.passed.values():
                yield from ((error.function, error.span, _flat(text)) for text, _ in parts(value) if type(text) is Text)
    for function in project.modules[path].functions:
        for found in function.returns:
            for value, _ in parts(found.value):
                made = type(value) is Call and matches(value.name, policy.codes.prefixed)
                given = [item.value for item in value.arguments] if type(value) is Call and made else [value]
                yield from ((function, found.span, _flat(text)) for item in given if type(text := only(item)) is Text)


def _flat(text: Text) -> Text:
    """Return a text with the texts inside that were put into names first."""
    found: list[str | Value] = []
    for part in text.parts:
        inner = part if isinstance(part, str) else only(part)
        for piece in _flat(inner).parts if not isinstance(inner, str) and type(inner) is Text else (inner,):
            if isinstance(piece, str) and found and isinstance(last := found[-1], str):
                found[-1] = last + piece
            else:
                found.append(piece)
    return Text(tuple(found))


def flaw(project: Project, path: str, function: Function, text: Text, codes: Codes) -> str:
    """Say what is wrong with the envelope of a message, "" where it has none or nothing is certain."""
    for index, part in enumerate(text.parts):
        if not isinstance(part, str) or codes.suffix not in part:
            continue
        literal = part.partition(codes.suffix)[2]
        rest = text.parts[index + 1 :]
        if not rest:
            return _literal_flaw(literal, codes, _prefix(text, codes))
        if literal.strip() or isinstance(rest[0], str):
            return ""  # put together piece by piece
        behind = next((part for part in rest[1:] if isinstance(part, str) and part.strip()), "")
        if behind and type(only(rest[0])) is Call:
            return "is followed by more text; it has to be the last"
        return _value_flaw(project, path, function, rest[0], codes, _prefix(text, codes))
    return ""


def _prefix(text: Text, codes: Codes) -> str:
    """Return the code at the beginning of a message, "" where it is none or computed."""
    first = text.parts[0] if text.parts else ""
    if not codes.prefix or not isinstance(first, str):
        return ""
    before, _, behind = codes.prefix.partition("{code}")
    found = re.match(re.escape(before) + r"([\w.\-]+)" + re.escape(behind.rstrip()), first)
    return found.group(1) if found else ""


def _literal_flaw(text: str, codes: Codes, prefix: str) -> str:
    import json

    try:
        found = json.loads(text)
    except ValueError:
        return "is not JSON"
    if not isinstance(found, dict):
        return "is no JSON object"
    lacking = [name for name in codes.suffix_fields if name not in found]
    if lacking:
        return _lacks(lacking)
    return _other_kind(found.get(codes.suffix_kind), codes, prefix)


def _value_flaw(project: Project, path: str, function: Function, value: Value, codes: Codes, prefix: str) -> str:
    value = only(value)
    if type(value) is Mapping or (type(value) is Call and value.name in ("str", "repr", "dict")):
        return "is the text of a dict, not JSON; use json.dumps"
    if type(value) is not Call or value.name.rpartition(".")[2] != _DUMPS or not value.arguments:
        return ""
    body = value.arguments[0].value
    body = only(body)
    if type(body) is not Mapping:
        return ""
    entries = keyed(body)
    lacking = [name for name in codes.suffix_fields if name not in entries]
    if lacking and is_closed(body):
        return _lacks(lacking)
    kind = project.fields.text(path, function.name, entries.get(codes.suffix_kind)) if codes.suffix_kind else None
    return _other_kind(kind, codes, prefix)


def _lacks(names: list[str]) -> str:
    return f"lacks {', '.join(f'`{name}`' for name in names)}"


def _other_kind(kind: object, codes: Codes, prefix: str) -> str:
    if not codes.suffix_kind or not prefix or not isinstance(kind, str) or kind == prefix:
        return ""
    return f"has {kind!r} as `{codes.suffix_kind}`, but the message begins with {prefix!r}"
