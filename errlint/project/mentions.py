"""What the message of an error has to name, and whether it may."""

from __future__ import annotations

from collections.abc import Iterator
from collections.abc import Mapping as Mappings
from typing import TYPE_CHECKING, NamedTuple

from errlint.facts import (
    Call,
    Choice,
    Condition,
    Function,
    Mapping,
    Opaque,
    Ref,
    Sequence,
    Text,
    Value,
    Variable,
    names_told,
    only,
)
from errlint.findings import Span
from errlint.project.raised_errors import MESSAGES

if TYPE_CHECKING:
    from errlint.project import Project

FIELD, ANYTHING = "{field}", "{}"
"""What stands in the policy for the names that the condition around an error asks for, and for any value."""


class Unmentioned(NamedTuple):
    """A raise whose message names nothing of what it has to for its code.

    ``wanted`` says what in words; ``is_suffix`` is true where that is the envelope of the policy (``codes.suffix``).
    """

    function: str
    span: Span
    code: str
    wanted: str
    is_suffix: bool


def unmentioned(project: Project, path: str) -> Iterator[Unmentioned]:
    """Yield the errors of a file whose messages do not name what the policy asks for by their codes."""
    mentions = project.policy(path).hints.mentions
    if not mentions:
        return
    codes: dict[tuple[str, Span], set[str]] = {}
    for usage in project.codes.usages(path):
        if usage.how == "message":
            codes.setdefault((usage.function, usage.place), set()).add(str(usage.found.text))
    for function in project.modules[path].functions:
        conditions = {case.span: case.conditions for case in function.cases if case.how == "raise"}
        for found in function.raises:
            texts = codes.get((function.name, found.span), set())
            if len(texts) != 1:
                continue
            code = texts.pop()
            for wanted in mentions.get(code, ()):
                words = list(dict.fromkeys(_words(wanted, function, conditions.get(found.span, ()))))
                if wanted == FIELD and _has_hole(found.value):
                    continue  # that may be its name
                if words and not any(_says(found.value, word) for word in words):
                    names = " or ".join(f"`{word}`" if word != ANYTHING else "the reason" for word in words)
                    is_suffix = wanted == project.policy(path).codes.suffix
                    yield Unmentioned(function.name, found.span, code, names, is_suffix)

    yield from _unmentioned_fields(project, path, mentions)


def _unmentioned_fields(project: Project, path: str, mentions: Mappings[str, tuple[str, ...]]) -> Iterator[Unmentioned]:
    """Yield the errors of a file with code and message as arguments, whose messages are written out and lack a word."""
    arguments = project.policy(path).codes.arguments
    for error in project.fields.of(path):
        given = (project.fields.text(error.path, error.function.name, error.field(name)) for name in arguments)
        code = next((text for text in given if text in mentions), None)
        said = only(next((error.passed[name] for name in MESSAGES if name in error.passed), None))
        if code is None or type(said) is not Text:
            continue
        for wanted in mentions[code]:
            words = wanted.split("|")
            if wanted != FIELD and not any(_says(said, word) for word in words):
                names = " or ".join(f"`{word}`" for word in words)
                yield Unmentioned(error.function.name, error.span, code, names, False)


def _words(wanted: str, function: Function, conditions: tuple[Condition, ...]) -> Iterator[str]:
    """Yield the words of which one has to be named: those between ``|``, the names of fields among them."""
    if wanted != FIELD:
        yield from wanted.split("|")
        return
    own = {item.name for item in function.parameters} - {"self", "cls", "ctx"}
    for condition in conditions[-1:]:
        for asked in condition.tests:
            yield from dict.fromkeys(
                name for name in (*names_told(asked.subject), *names_told(asked.value)) if name in own
            )


def _says(value: Value, word: str) -> bool:
    """Whether a message may name a word, also as it is written in a sentence."""
    if word == ANYTHING:
        return _has_hole(value)
    return may_say(value, word) or may_say(value, word.replace("_", " ")) or may_say(value, word.capitalize())


def _has_hole(value: Value) -> bool:
    """Whether there is something in a message that is not written out."""
    if type(value) is Text:
        return any(not isinstance(part, str) and _has_hole(part) for part in value.parts)
    if type(value) is Variable or type(value) is Choice:
        return any(_has_hole(item) for item in value.values)
    if type(value) is Call:
        texts = [item.value for item in value.arguments]
        return any(_has_hole(item) for item in texts) or not texts
    return True


def may_say(value: Value, word: str) -> bool:
    """Whether a value may contain a word: it does somewhere, or has parts that cannot be seen."""
    if type(value) is Text:
        return any(word in part if isinstance(part, str) else _is_unknown_text(part, word) for part in value.parts)
    if type(value) is Variable or type(value) is Choice:
        return any(may_say(item, word) for item in value.values)
    if type(value) is Sequence:
        return any(may_say(item, word) for item in value.items)
    if type(value) is Mapping:
        return any(may_say(entry.value, word) for entry in value.entries) or bool(value.spreads)
    if type(value) is Call:
        return any(argument.name in ("*", "**") or _given(argument.value, word) for argument in value.arguments)
    return False


def _given(value: Value, word: str) -> bool:
    """Look at an argument; a name that is a constant, or the answer of a function about hints, may say anything."""
    if type(value) is Ref:
        return value.name.rpartition(".")[2].isupper() or "hint" in value.name.lower() or "verify" in value.name.lower()
    if type(value) is Call and value.name not in ("str", "repr"):
        return True
    return may_say(value, word)


def _is_unknown_text(value: Value, word: str) -> bool:
    if type(value) is Opaque:
        return True  # perhaps what a table has for this write
    return _given(value, word) if type(value) is Ref or type(value) is Call else may_say(value, word)
