"""Structured envelopes at the end of a message: ``[code] text [envelope] {json}``."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from errlint.facts import Call, Function, Mapping, Opaque, Ref, Text, Value, Variable, is_closed, keyed, only
from errlint.findings import Span
from errlint.project.calls import calls_of
from errlint.project.domain import matches
from errlint.project.fields import is_own, parts
from errlint.project.names import FunctionSymbol
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
        return _value_flaw(project, path, function, rest[0], codes, text)
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


def _value_flaw(project: Project, path: str, function: Function, value: Value, codes: Codes, text: Text) -> str:
    value = only(value)
    if type(value) is Mapping or (type(value) is Call and value.name in ("str", "repr", "dict")):
        return "is the text of a dict, not JSON; use json.dumps"
    if type(value) is not Call:
        return ""
    if value.name.rpartition(".")[2] != _DUMPS or not value.arguments:
        return _helper_flaw(project, path, function, value, codes, text)
    body = project.evaluator.mapping(path, function.name, value.arguments[0].value)
    if body is None:
        return ""
    entries = keyed(body)
    lacking = [name for name in codes.suffix_fields if name not in entries]
    prefix, code = _prefix(text, codes), _computed_prefix(text, codes) or Opaque()
    texts = {name: project.fields.text(path, function.name, item) for name, item in entries.items()}
    other = next((name for name, item in entries.items() if _is_same(item, code) or texts[name] == prefix != ""), "")
    if codes.suffix_kind in lacking and other:
        return f"has its kind as `{other}`; write it as `{codes.suffix_kind}`"
    if lacking and (is_closed(body) or _is_given_without(project, path, function, body, lacking)):
        return _lacks(lacking)
    return _other_kind(texts.get(codes.suffix_kind), codes, prefix)


def _helper_flaw(project: Project, path: str, function: Function, value: Call, codes: Codes, text: Text) -> str:
    """Say what is wrong with an envelope that a function of the project writes; what it is given is not compared."""
    symbol = project.names.resolve(path, value.name, function.name) if value.name else None
    if not isinstance(symbol, FunctionSymbol) or len(symbol.function.returns) != 1 or symbol.function == function:
        return ""
    written = only(symbol.function.returns[0].value)
    is_dumped = type(written) is Call and written.name.rpartition(".")[2] == _DUMPS
    return _value_flaw(project, symbol.path, symbol.function, written, codes, Text(())) if is_dumped else ""


def _is_given_without(project: Project, path: str, function: Function, body: Mapping, names: list[str]) -> bool:
    """Whether all that is spread into an envelope are other keywords that its function is called with."""
    rest = [item.name for item in function.parameters if item.kind == "**"]
    if [only(spread) for spread in body.spreads] != [Ref(name) for name in rest] or not rest:
        return False
    if any(entry.key is None for entry in body.entries):
        return False
    calls = calls_of(project, path, function)
    passed = {item.name for call in calls or () for item in call.arguments}
    return bool(calls) and passed.isdisjoint(("*", "**", *names))


def _computed_prefix(text: Text, codes: Codes) -> Value | None:
    """Return the value that a message has as its code, ``None`` where that is written out."""
    first, *rest = text.parts or ("",)
    is_prefix = bool(codes.prefix) and first == codes.prefix.partition("{code}")[0]
    return rest[0] if is_prefix and rest and not isinstance(rest[0], str) else None


def _is_same(first: Value, second: Value) -> bool:
    """Whether two values are the same name."""
    return first == second and (type(first) is Ref or type(first) is Variable)


def _lacks(names: list[str]) -> str:
    return f"lacks {', '.join(f'`{name}`' for name in names)}"


def _other_kind(kind: object, codes: Codes, prefix: str) -> str:
    if not codes.suffix_kind or not prefix or not isinstance(kind, str) or kind == prefix:
        return ""
    return f"has {kind!r} as `{codes.suffix_kind}`, but the message begins with {prefix!r}"
