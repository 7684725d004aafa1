"""Typed reading of a configuration: what is asked for is checked, what nobody asks for is an unknown key."""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from typing import TypeVar

import msgspec

from errlint.patterns import problem
from errlint.suggest import did_you_mean

_Choice = TypeVar("_Choice", bound=Enum)
_T = TypeVar("_T")

_TYPE_NAMES = {
    str: "a string",
    bool: "a boolean",
    int: "an integer",
    float: "a float",
    list: "a list",
    dict: "a table",
}


class InvalidValueError(Exception):
    """A key is unknown or its value is wrong. ``key`` is the way to it in the whole document."""

    def __init__(self, key: tuple[str | int, ...], message: str, hint: str = "") -> None:
        super().__init__(message)
        self.key = key
        self.message = message
        self.hint = hint


class Answers(msgspec.Struct):
    """Every key that was asked for, by dotted name: its value, and its place if the text has it."""

    values: dict[str, object] = msgspec.field(default_factory=dict)
    given: dict[str, tuple[str | int, ...]] = msgspec.field(default_factory=dict)


class Table:
    """A table of the document; methods that read a key raise :class:`InvalidValueError` for a wrong value.

    ``at`` is the table's place in the document, ``name`` its name in messages, without ``tool.errlint``.
    """

    def __init__(
        self,
        values: Mapping[str, object],
        *,
        at: tuple[str | int, ...] = (),
        name: str = "",
        answers: Answers | None = None,
    ) -> None:
        self._values = values
        self._at = at
        self._name = name
        self._asked: set[str] = set()
        self.answers = Answers() if answers is None else answers

    def __contains__(self, key: str) -> bool:
        """Return whether the text gives a value for ``key``."""
        return key in self._values

    def names(self) -> tuple[str, ...]:
        """Return every key in the text, of a table whose keys are the user's own words."""
        if not self._values:
            self.answers.values[self._name] = {}
        return tuple(self._values)

    def strings(self, key: str, default: tuple[str, ...] = ()) -> tuple[str, ...]:
        """Return a list of strings."""
        value = self._get(key)
        if value is None:
            return self._answer(key, default)
        if not isinstance(value, list):
            raise self.invalid(f"must be a list of strings, not {_type_name(value)}", key)
        for index, item in enumerate(value):
            if not isinstance(item, str):
                raise self.invalid(f"must be a list of strings, but holds {_type_name(item)}", key, index)
        return self._answer(key, tuple(value))

    def globs(self, key: str, default: tuple[str, ...] = ()) -> tuple[str, ...]:
        """Return a list of glob patterns, without a leading ``./``."""
        patterns = self.strings(key, default)
        for index, pattern in enumerate(patterns):
            if why := problem(pattern):
                raise self.invalid(f"pattern `{pattern}` {why}", key, index)
        return self._answer(key, tuple(pattern.removeprefix("./") for pattern in patterns))

    def text(self, key: str, default: str = "") -> str:
        """Return a string that is not empty."""
        value = self._get(key)
        if value is None:
            return self._answer(key, default)
        if not isinstance(value, str):
            raise self.invalid(f"must be a string, not {_type_name(value)}", key)
        if not value.strip():
            raise self.invalid("must not be empty", key)
        return self._answer(key, value)

    def flag(self, key: str) -> bool:
        """Return a boolean, false by default."""
        value = self._get(key)
        if value is not None and not isinstance(value, bool):
            raise self.invalid(f"must be a boolean, not {_type_name(value)}", key)
        return self._answer(key, bool(value))

    def choice(self, key: str, default: _Choice) -> _Choice:
        """Return one of the values of the enumeration that ``default`` belongs to."""
        value = self._get(key)
        choices: dict[object, _Choice] = {member.value: member for member in type(default)}
        if value is None:
            return self._answer(key, default)
        if not isinstance(value, str) or value not in choices:
            given = f'"{value}"' if isinstance(value, str) else _type_name(value)
            hint = did_you_mean(value, map(str, choices)) if isinstance(value, str) else ""
            raise self.invalid(f"must be one of {', '.join(map(str, choices))}, not {given}", key, hint=hint)
        return self._answer(key, choices[value])

    def table(self, key: str) -> Table:
        """Return the table below ``key``; an empty one where the text has none."""
        value = self._get(key)
        if value is None:
            return self._child({}, key)
        if not isinstance(value, dict):
            raise self.invalid(f"must be a table, not {_type_name(value)}", key)
        return self._child(value, key)

    def tables(self, key: str) -> list[Table]:
        """Return the tables of an array of tables; none where the text has none."""
        value = self._get(key)
        if value is None:
            return self._answer(key, [])
        if not isinstance(value, list) or not all(isinstance(item, dict) for item in value):
            what = _type_name(value) if not isinstance(value, list) else "a list of other things"
            raise self.invalid(f"must be an array of tables, not {what}", key, hint=f"write `[[{self.dotted(key)}]]`")
        return [self._child(item, key, index) for index, item in enumerate(value)]

    def expect(self, *keys: str) -> None:
        """Know ``keys``, which were asked for only where the text has them."""
        self._asked.update(keys)

    def finish(self) -> None:
        """Refuse every key that was never asked for."""
        for key in self._values:
            if key not in self._asked:
                raise self.wrong(f"unknown key `{self.dotted(key)}`", key, hint=did_you_mean(key, self._asked))

    def dotted(self, *parts: str | int) -> str:
        """Return the name of something in this table, as messages say it."""
        name = self._name
        for part in parts:
            if isinstance(part, int):
                name += f"[{part}]"
            else:
                name += ("." if name else "") + (part if _is_bare(part) else f'"{part}"')
        return name

    def invalid(self, message: str, *parts: str | int, hint: str = "") -> InvalidValueError:
        """Return the error that says ``message`` of the value at ``parts``: a key and perhaps an index."""
        named = self.dotted(*parts[:1]) if parts else self._name
        return self.wrong(f"`{named}` {message}", *parts, hint=hint)

    def wrong(self, message: str, *parts: str | int, hint: str = "") -> InvalidValueError:
        """Return the error about the key or item at ``parts`` whose message is ``message`` as it stands."""
        return InvalidValueError((*self._at, *parts), message, hint)

    def _get(self, key: str) -> object:
        self._asked.add(key)
        return self._values.get(key)

    def _answer(self, key: str, value: _T) -> _T:
        dotted = self.dotted(key)
        self.answers.values[dotted] = value
        if key in self._values:
            self.answers.given[dotted] = (*self._at, key)
        return value

    def _child(self, values: Mapping[str, object], *parts: str | int) -> Table:
        return Table(values, at=(*self._at, *parts), name=self.dotted(*parts), answers=self.answers)


def _is_bare(key: str) -> bool:
    """Return whether TOML takes ``key`` without quotes."""
    return key.isascii() and key.replace("-", "").replace("_", "").isalnum()


def _type_name(value: object) -> str:
    """Return the TOML type of ``value`` with its article."""
    return _TYPE_NAMES.get(type(value), "a date or time")
