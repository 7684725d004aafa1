"""Problem objects (RFC 9457) that are written out by hand, and what is wrong with them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from errlint.error_keywords import ERROR_KEYS, PROBLEM_MEMBERS
from errlint.facts import Call, Choice, Constant, Sequence, Text, Value, Variable, is_closed, is_null, keyed, only
from errlint.facts import Mapping as Dict
from errlint.settings.policy import Payload
from errlint.suggest import nearest

_EXPECTED = ("type", "title", "status", "detail")
"""Members without which an object below the key `problem` says too little."""

_OTHER_NAMES = {"statuscode": "status", "httpstatus": "status", "details": "detail", "typeuri": "type"}
_MEDIA_TYPE = "problem+json"
_MEDIA_ARGUMENTS = frozenset({"media_type", "content_type", "mimetype", "headers"})
_TYPE = re.compile(r"[/:]problem|rror|about:blank")
_ALIKE = 0.8
MAX_DEPTH = 6


class Problem(NamedTuple):
    """A problem object. ``is_member`` is true for one below the key ``problem`` of an error payload."""

    value: Dict
    is_member: bool


def problems(value: Value | None, depth: int = 0) -> Iterator[Problem]:
    """Yield what is certainly a problem object in an answer."""
    if value is None or depth > MAX_DEPTH:
        return
    if type(value) is Variable:
        if len(value.values) == 1:
            yield from problems(value.values[0], depth + 1)
    elif type(value) is Choice:
        for item in value.values:
            yield from problems(item, depth + 1)
    elif type(value) is Sequence:
        for item in value.items:
            yield from problems(item, depth + 1)
    elif type(value) is Call:
        is_declared = any(item.name in _MEDIA_ARGUMENTS and _says_so(item.value) for item in value.arguments)
        for argument in value.arguments:
            body = _dict(argument.value)
            if is_declared and body is not None and argument.name in ("", "content", "data", "body"):
                yield Problem(body, False)
            else:
                yield from problems(argument.value, depth + 1)
        yield from problems(value.inner, depth + 1)
    elif type(value) is Dict:
        yield from _in_dict(value, depth)


def _in_dict(value: Dict, depth: int) -> Iterator[Problem]:
    entries = keyed(value)
    told = len(entries.keys() & {"title", "status", "detail"})
    if "type" in entries and told > 1 and _is_problem_type(entries["type"]):
        yield Problem(value, False)
        return
    for key, inner in entries.items():
        body = _dict(inner) if key == "problem" else None
        if body is None:
            if key != "problem":
                yield from problems(inner, depth + 1)
            continue
        known = len(set(PROBLEM_MEMBERS) & keyed(body).keys())
        if known > 2 or (known and {name.lower() for name in entries} & ERROR_KEYS):
            yield Problem(body, True)


def _dict(value: Value) -> Dict | None:
    value = only(value)
    return value if type(value) is Dict else None


def _is_problem_type(value: Value) -> bool:
    return type(value) is Text and any(isinstance(part, str) and _TYPE.search(part) for part in value.parts)


def _says_so(value: Value) -> bool:
    if type(value) is Dict:
        return any(_says_so(entry.value) for entry in value.entries)
    return type(value) is Text and any(isinstance(part, str) and _MEDIA_TYPE in part for part in value.parts)


def flaws(problem: Problem, payload: Payload) -> Iterator[str]:
    """Say what is wrong with a problem object: members that are misspelt, missing, or of another type."""
    entries = keyed(problem.value)
    misspelt: set[str] = set()
    for key in entries:
        member = _meant(key, entries.keys())
        if member and member not in misspelt:
            misspelt.add(member)
            yield f"spells `{member}` as `{key}`"
    asked = payload.fields if payload.key == "problem" else ()
    lacking = [
        f"`{name}`"
        for name in PROBLEM_MEMBERS
        if name not in misspelt
        and is_null(entries.get(name))
        and (name in asked or (problem.is_member and name in _EXPECTED))
    ]
    if lacking and is_closed(problem.value):
        yield f"lacks {', '.join(lacking)}"
    yield from wrong_types(entries)


def wrong_types(passed: Mapping[str, Value]) -> Iterator[str]:
    """Say which members of a problem object have values of another type."""
    for name in PROBLEM_MEMBERS:
        if name in passed and (found := _wrong_type(name, passed[name])):
            yield found


def _meant(key: str, present: object) -> str:
    """Return the member that a key is a misspelling of, "" for any other key."""
    if key in PROBLEM_MEMBERS:
        return ""
    plain = key.replace("_", "").replace("-", "").lower()
    for member in PROBLEM_MEMBERS:
        if member in present:  # type: ignore[operator]
            continue
        if plain == member or _OTHER_NAMES.get(plain) == member or _is_alike(plain, member):
            return member
    return ""


def _is_alike(one: str, other: str) -> bool:
    is_possible = one[:1] == other[:1] and abs(len(one) - len(other)) < 2
    return is_possible and bool(nearest(one, (other,), _ALIKE))


def _wrong_type(name: str, value: Value) -> str:
    """Say how a value is not of its member's type, as far as that is certain."""
    value = only(value)
    if name == "status":
        if type(value) is Text:
            return "has a text as `status`, not a number"
        if type(value) is Constant and value.value is not None:
            if isinstance(value.value, bool) or not isinstance(value.value, int):
                return f"has {value.value!r} as `status`, not an HTTP status"
            if not 100 <= value.value <= 599:
                return f"has {value.value} as `status`, which is no HTTP status"
        if type(value) is Dict or type(value) is Sequence:
            return "has no number as `status`"
        return ""
    if name == "type" and type(value) is Text and any(isinstance(part, str) and " " in part for part in value.parts):
        return "has a `type` that is no URI"
    if type(value) is Dict or type(value) is Sequence or (type(value) is Constant and value.value is not None):
        return f"has no text as `{name}`"
    return ""
