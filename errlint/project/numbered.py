"""Envelopes that say by a number how a call went: ``{"status": 0, "msg": "ok"}``, ``{"status": 1, "msg": "no user"}``.

A number alone says nothing: it may count, be the state of a thing, or what a process ended with. It is that of an error
where others of the same envelope have that of a success, and both say in words how it went.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from enum import Enum
from typing import TYPE_CHECKING, NamedTuple

from errlint.error_keywords import (
    CARRIERS,
    FAILED_TEXT,
    MARKED_TEXT,
    NUMBER_KEYS,
    NUMBERED_TEXTS,
    PRINTED_KEYS,
    PROCESS_STATUS_KEYS,
    SUCCEEDED_TEXT,
    SUCCESS_NUMBERS,
    UNMARKED_OPENING,
    UNMARKED_TEXT,
)
from errlint.facts import (
    Call,
    Choice,
    Constant,
    Function,
    Ref,
    Text,
    Value,
    answered,
    keyed,
    named_parts,
    only,
    text_with_holes,
)
from errlint.facts import Mapping as Dict
from errlint.project.arguments import bound_to, defaults_of
from errlint.project.names import ClassSymbol, FunctionSymbol, ValueSymbol
from errlint.project.payload_shapes import substitute
from errlint.project.registry import number
from errlint.project.values import field_default

if TYPE_CHECKING:
    from errlint.project import Project

_STATES = 3
"""So many numbers in one function are the states of a thing, where no text of them speaks of a failure."""

_SEVERAL = 2
"""So many successes under a key show what an envelope of a distribution is."""


class Telling(Enum):
    """What the text of an envelope says."""

    SUCCESS = "success"
    FAILURE = "failure"
    OTHER = "other"


class Envelope(NamedTuple):
    """An envelope that is answered: the keys of its number and its text ("" for none), in lower case."""

    key: str
    text_key: str
    number: int
    telling: Telling

    @property
    def is_good(self) -> bool:
        """Whether its number is that of a success."""
        return self.number in SUCCESS_NUMBERS


class Numbers:
    """Answers of one project which envelopes are errors by their numbers."""

    def __init__(self, project: Project) -> None:
        self._project = project
        self._own: dict[tuple[str, str], tuple[Envelope, ...]] = {}
        self._shown: dict[str, Counter[tuple[str, bool]]] = {}
        self._builders: dict[tuple[str, str], dict[str, Value]] = {}

    def error_key(self, fields: Mapping[str, Value], path: str, function: Function, *, is_caught: bool) -> str:
        """Return the key by whose number a payload that a function answers is an error, "" for none.

        ``is_caught`` is true in a handler of exceptions.
        """
        for name, value in fields.items():
            if name.lower() not in NUMBER_KEYS:
                continue
            found = _envelope(fields, name, number(only(value)), is_caught=is_caught)
            if found is not None and _may_be_error(found) and self._is_error(found, path, function):
                return name
        return ""

    def is_error_of(self, made: ClassSymbol, fields: Mapping[str, Value], *, is_caught: bool) -> bool:
        """Whether an object is given the number of an error, where its class has that of a success by default."""
        for name, value in fields.items():
            member = self._project.names.member(made, name) if name.lower() in NUMBER_KEYS else None
            if (
                isinstance(member, ValueSymbol)
                and number(only(field_default(member.value) or member.value)) in SUCCESS_NUMBERS
            ):
                found = _envelope(fields, name, number(only(value)), is_caught=is_caught)
                if found is not None and _may_be_error(found):
                    return True
        return False

    def is_success(self, value: Value, key: str) -> bool:
        """Whether a payload has the number of a success under a key."""
        told = only(keyed(value).get(key)) if type(value) is Dict else None
        return told is not None and number(told) in SUCCESS_NUMBERS

    def _is_error(self, found: Envelope, path: str, function: Function) -> bool:
        own = [each for each in self._envelopes(path, function) if each.key == found.key]
        if any(not each.is_good and each.telling is Telling.SUCCESS for each in own):
            return False  # its numbers mean something else
        shown = self._of_distribution(self._project.layout.distribution(path))
        if shown[found.key, False] > shown[found.key, True]:
            return False
        good = [each for each in own if each.is_good and each.telling is not Telling.FAILURE]
        is_praised = any(each.telling is Telling.SUCCESS for each in good)
        is_told = any(not each.is_good and each.telling is Telling.FAILURE for each in (*own, found))
        is_usual = shown[found.key, True] >= _SEVERAL
        numbers = {each.number for each in (*own, found)}
        if len(numbers) >= _STATES and not is_told and not (is_praised and is_usual):
            return False
        return is_usual or is_praised or (bool(good) and is_told)

    def _of_distribution(self, distribution: str) -> Counter[tuple[str, bool]]:
        """Count the envelopes of a distribution whose text says success, by key, and whether the number does, too.

        Those are among them that a name holds at first, and that a function makes unless it is handed anything else.
        """
        if distribution not in self._shown:
            found: Counter[tuple[str, bool]] = Counter()
            for path, module in self._project.modules.items():
                if self._project.layout.distribution(path) != distribution:
                    continue
                for function in module.functions:
                    for each in (*self._envelopes(path, function), *self._by_default(path, function)):
                        found[each.key, each.is_good] += bool(each.text_key) and each.telling is Telling.SUCCESS
            self._shown[distribution] = found
        return self._shown[distribution]

    def _by_default(self, path: str, function: Function) -> Iterator[Envelope]:
        """Yield the envelope that a function makes of the defaults of its parameters."""
        made = self._builder(FunctionSymbol(path, function))
        if made:
            yield from _envelopes_of(_filled(made, defaults_of(function)), is_caught=False)

    def _envelopes(self, path: str, function: Function) -> tuple[Envelope, ...]:
        """Return the envelopes that a function answers, also by one that is handed the number.

        Those of a success that it begins with are among them: what it answers may be one with another number since.
        """
        key = (path, function.name)
        if key not in self._own:
            self._own[key] = ()  # while it is being decided
            told = (
                each
                for found in function.returns
                for fields in self._in(found.value, path, function)
                for each in _envelopes_of(fields, is_caught=bool(found.handlers))
            )
            begun = (each for made in function.begun for each in _envelopes_of(named_parts(made), is_caught=False))
            good = (each for each in begun if each.is_good and each.telling is Telling.SUCCESS)
            self._own[key] = tuple(dict.fromkeys((*told, *good)))
        return self._own[key]

    def _in(self, value: Value, path: str, function: Function) -> Iterator[dict[str, Value]]:
        """Yield the fields of what may be an envelope in an answer."""
        for part in answered(value):
            yield named_parts(part)
            if type(part) is Call:
                yield self._built(part, path, function.name)

    def _built(self, value: Call, path: str, scope: str) -> dict[str, Value]:
        """Return the envelope that a function of the project makes of what a call hands it, empty for none."""
        if not value.name or value.name.startswith("."):
            return {}
        symbol = self._project.names.resolve(path, value.name, scope)
        made = self._builder(symbol) if isinstance(symbol, FunctionSymbol) else {}
        if not made or not isinstance(symbol, FunctionSymbol):
            return {}
        return _filled(made, {**defaults_of(symbol.function), **bound_to(symbol.function, value).passed})

    def _builder(self, symbol: FunctionSymbol) -> dict[str, Value]:
        """Return the envelope that a function makes whose number is one of its parameters, empty for none."""
        key = (symbol.path, symbol.function.name)
        if key not in self._builders:
            asked = {item.name for item in symbol.function.parameters}
            self._builders[key] = next(
                (
                    fields
                    for item in symbol.function.returns
                    for part in answered(item.value)
                    if _is_numbered_by(fields := named_parts(part), asked)
                ),
                {},
            )
        return self._builders[key]


def _filled(fields: Mapping[str, Value], given: Mapping[str, Value]) -> dict[str, Value]:
    """Return fields with what some names stand for in their place."""
    return {key: substitute(only(told), given) for key, told in fields.items()}


def _is_numbered_by(fields: Mapping[str, Value], names: Collection[str]) -> bool:
    """Whether the number of an envelope is what one of some names stands for."""
    told = (only(value) for key, value in fields.items() if key.lower() in NUMBER_KEYS)
    return any(type(value) is Ref and value.name in names for value in told)


def _envelopes_of(fields: Mapping[str, Value], *, is_caught: bool) -> Iterator[Envelope]:
    for name, value in fields.items():
        found = (
            _envelope(fields, name, number(only(value)), is_caught=is_caught) if name.lower() in NUMBER_KEYS else None
        )
        if found is not None:
            yield found


def _envelope(fields: Mapping[str, Value], name: str, told: int | None, *, is_caught: bool) -> Envelope | None:
    """Return the envelope that fields are by the number of one, ``None`` where they are none."""
    lower = {key.lower(): value for key, value in fields.items()}
    if told is None or not lower.keys().isdisjoint(PRINTED_KEYS | PROCESS_STATUS_KEYS):
        return None
    text_key = next((key for key in lower if key in NUMBERED_TEXTS and key != name.lower()), "")
    if not text_key and (told not in SUCCESS_NUMBERS or lower.keys().isdisjoint(CARRIERS)):
        return None
    says = telling(lower[text_key]) if text_key else Telling.SUCCESS
    if says is Telling.OTHER and is_caught and told not in SUCCESS_NUMBERS:
        says = Telling.FAILURE
    return Envelope(name.lower(), text_key, told, says)


def telling(value: Value) -> Telling:
    """Return what a text says of how it went."""
    value = only(value)
    if type(value) is Constant:
        return Telling.OTHER if value.value else Telling.SUCCESS
    if type(value) is Choice:
        each = {telling(item) for item in value.values}
        return Telling.FAILURE if Telling.FAILURE in each else Telling.OTHER
    if type(value) is not Text:
        return Telling.OTHER
    whole = text_with_holes(value)
    if (
        MARKED_TEXT.match(whole)
        or FAILED_TEXT.search(whole)
        or UNMARKED_TEXT.search(whole)
        or UNMARKED_OPENING.match(whole)
    ):
        return Telling.FAILURE
    return Telling.SUCCESS if SUCCEEDED_TEXT.fullmatch(whole) else Telling.OTHER


def _may_be_error(found: Envelope) -> bool:
    """Whether an envelope has another number than that of a success, and a text that does not say one.

    Among the statuses of HTTP those of a success and of a redirection are none of an error.
    """
    is_http = 100 <= found.number < 400
    return bool(found.text_key) and not found.is_good and not is_http and found.telling is not Telling.SUCCESS
