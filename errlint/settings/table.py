"""Typed reading of a configuration: what is asked for is checked, what nobody asks for is an unknown key."""

from __future__ import annotations

import re
from collections.abc import Mapping
from enum import Enum
from typing import NamedTuple, TypeVar

import msgspec

from errlint.characters import toml_key, toml_string
from errlint.patterns import problem
from errlint.settings.locate import ConfigurationFile
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


class Origin(NamedTuple):
    """The way to a key in a configuration file."""

    file: ConfigurationFile
    key: tuple[str | int, ...]


class Mistake(NamedTuple):
    """A key is unknown or its value is wrong; ``origin`` is the key."""

    origin: Origin
    message: str
    hint: str = ""


class SettingReference(NamedTuple):
    """A name of something in the code that a setting gives: what it should be, and where it is given."""

    name: str
    what: str
    origin: Origin


class Item(NamedTuple):
    """An item of an array of tables: what it came to, and which files gave its keys."""

    value: object
    origins: Mapping[str, Origin]


class Answers(msgspec.Struct):
    """Every key that was asked for, by dotted name: its value, its place if a text has it, the names of code in it.

    Several files may answer, the last one last. ``items`` are those of arrays of tables that files add to. ``mistakes``
    are those of all files: with one of them the values are of no use.
    """

    values: dict[str, object] = msgspec.field(default_factory=dict)
    given: dict[str, list[Origin]] = msgspec.field(default_factory=dict)
    references: dict[str, list[SettingReference]] = msgspec.field(default_factory=dict)
    items: dict[str, list[Item]] = msgspec.field(default_factory=dict)
    mistakes: list[Mistake] = msgspec.field(default_factory=list)


_WIDTH = 80
"""How long a list may be that is shown in a hint."""

EXTEND = "extend-"
"""Keys that begin like this add to the list without it."""


class Table:
    """A table of the document; methods that read a key note a wrong value as a mistake, and return the default.

    ``at`` is the table's place in the document, ``name`` its name in messages, without ``tool.errlint``.
    """

    def __init__(
        self,
        file: ConfigurationFile,
        values: Mapping[str, object] | None = None,
        *,
        at: tuple[str | int, ...] | None = None,
        name: str = "",
        answers: Answers | None = None,
    ) -> None:
        """Without ``values`` it is the whole table of the file."""
        self.file = file
        self._values = file.table if values is None else values
        self._at = file.prefix if at is None else at
        self._name = name
        self._asked: set[str] = set()
        self.answers = Answers() if answers is None else answers

    def __contains__(self, key: str) -> bool:
        """Return whether the text gives a value for ``key``."""
        return key in self._values

    def holds(self, key: str, kind: type) -> bool:
        """Return whether the text gives ``key`` a value of this type."""
        return isinstance(self._values.get(key), kind)

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
            self.refuse(f"must be a list of strings, not {_type_name(value)}", key, hint=_as_list(value))
            return default
        for index, item in enumerate(value):
            if not isinstance(item, str):
                self.refuse(f"must be a list of strings, but holds {_type_name(item)}", key, index)
        return self._answer(key, tuple(item for item in value if isinstance(item, str)))

    def globs(self, key: str, default: tuple[str, ...] = ()) -> tuple[str, ...]:
        """Return a list of glob patterns, without a leading ``./``."""
        patterns = self.strings(key, default)
        for index, pattern in enumerate(patterns):
            if why := problem(pattern):
                self.refuse(f"pattern `{pattern}` {why}", key, index)
        return self._answer(key, tuple(pattern.removeprefix("./") for pattern in patterns))

    def text(self, key: str, default: str = "", *, may_be_empty: bool = False) -> str:
        """Return a string, which is not empty unless it may be."""
        value = self._get(key)
        if value is None:
            return self._answer(key, default)
        if not isinstance(value, str):
            self.refuse(f"must be a string, not {_type_name(value)}", key)
            return default
        if not value.strip() and not may_be_empty:
            self.refuse("must not be empty", key)
        return self._answer(key, value)

    def flag(self, key: str) -> bool:
        """Return a boolean; false where the text has none."""
        value = self._get(key)
        if value is None:
            return self._answer(key, False)
        if not isinstance(value, bool):
            self.refuse(f"must be true or false, not {_type_name(value)}", key)
            return False
        return self._answer(key, value)

    def number(self, key: str) -> int:
        """Return an integer that the text has to have."""
        value = self._get(key)
        if not isinstance(value, int) or isinstance(value, bool):
            self.refuse(f"must be an integer, not {_type_name(value)}", key)
            return 0
        return self._answer(key, value)

    def choice(self, key: str, default: _Choice, hint: str = "") -> _Choice:
        """Return one of the values of the enumeration that ``default`` belongs to; ``hint`` is for any other."""
        value = self._get(key)
        choices: dict[object, _Choice] = {member.value: member for member in type(default)}
        if value is None:
            return self._answer(key, default)
        if not isinstance(value, str) or value not in choices:
            given = f'"{value}"' if isinstance(value, str) else _type_name(value)
            hint = (isinstance(value, str) and did_you_mean(value, map(str, choices))) or hint
            self.refuse(f"must be one of {', '.join(map(str, choices))}, not {given}", key, hint=hint)
            return default
        return self._answer(key, choices[value])

    def table(self, key: str) -> Table:
        """Return the table below ``key``; an empty one where the text has none."""
        value = self._get(key)
        if value is None:
            return self._child({}, key)
        if not isinstance(value, dict):
            self.refuse(f"must be a table, not {_type_name(value)}", key)
            return self._child({}, key)
        return self._child(value, key)

    def tables(self, key: str) -> list[Table]:
        """Return the tables of an array of tables; none where the text has none."""
        value = self._get(key)
        if value is None:
            return self._answer(key, [])
        if not isinstance(value, list) or not all(isinstance(item, dict) for item in value):
            what = _type_name(value) if not isinstance(value, list) else "a list of other things"
            self.refuse(f"must be an array of tables, not {what}", key, hint=f"write `[[{self.dotted(key)}]]`")
            return []
        return [self._child(item, key, index) for index, item in enumerate(value)]

    def expect(self, *keys: str) -> None:
        """Know ``keys``, which were asked for only where the text has them."""
        self._asked.update(keys)

    def finish(self) -> None:
        """Refuse every key that was never asked for."""
        for key in self._values:
            if key not in self._asked:
                from errlint.settings.unknown_keys import meant

                self.note(f"unknown key `{self.dotted(key)}`", key, hint=meant(self._name, key, self._asked))

    def dotted(self, *parts: str | int) -> str:
        """Return the name of something in this table, as messages say it."""
        name = self._name
        for part in parts:
            if isinstance(part, int):
                name += f"[{part}]"
            else:
                name += ("." if name else "") + toml_key(part)
        return name

    def refuse(self, message: str, *parts: str | int, hint: str = "") -> None:
        """Note the mistake that ``message`` says of the value at ``parts``: a key and perhaps an index."""
        named = self.dotted(*parts[:1]) if parts else self._name
        self.note(f"`{named}` {message}", *parts, hint=hint)

    def note(self, message: str, *parts: str | int, hint: str = "") -> None:
        """Note the mistake at the key or item at ``parts`` whose message is ``message`` as it stands."""
        mistake = Mistake(self.origin(*parts), message, hint)
        # Some keys are read twice, as the base of others.
        if mistake not in self.answers.mistakes:
            self.answers.mistakes.append(mistake)

    def origin(self, *parts: str | int) -> Origin:
        """Return the place of a key or item."""
        return Origin(self.file, (*self._at, *parts))

    def refer(self, what: str, names: Mapping[tuple[str | int, ...], str], key: str) -> None:
        """Remember names of code, by the ways to them from here, that ``key`` gives; a later file replaces them."""
        found = [SettingReference(name, what, self.origin(*parts)) for parts, name in names.items()]
        dotted = self.dotted(key.removeprefix(EXTEND))
        kept = self.answers.references.get(dotted, []) if key.startswith(EXTEND) else []
        self.answers.references[dotted] = kept + found

    def _get(self, key: str) -> object:
        self._asked.add(key)
        return self._values.get(key)

    def _answer(self, key: str, value: _T) -> _T:
        dotted = self.dotted(key)
        self.answers.values[dotted] = value
        if key in self._values:
            given = self.answers.given
            if key.startswith(EXTEND):
                given.setdefault(dotted, []).append(self.origin(key))
            else:
                given[dotted] = [self.origin(key)]
                given.pop(self.dotted(f"{EXTEND}{key}"), None)
        return value

    def _child(self, values: Mapping[str, object], *parts: str | int) -> Table:
        return Table(self.file, values, at=(*self._at, *parts), name=self.dotted(*parts), answers=self.answers)


def _as_list(value: object) -> str:
    """Return how a string, perhaps one with commas, is written as a list; "" for what is none, or is too long."""
    if not isinstance(value, str) or not value.strip():
        return ""
    words = [word for word in re.split(r"[,;\s]+", value) if word] if "\n" not in value else []
    written = f"[{', '.join(map(toml_string, words))}]"
    return f"write `{written}`" if words and len(written) <= _WIDTH else 'write a list, `["...", "..."]`'


def _type_name(value: object) -> str:
    """Return the TOML type of ``value`` with its article."""
    return _TYPE_NAMES.get(type(value), "a date or time")
