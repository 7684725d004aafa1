"""TOML text to values, on every interpreter that errlint runs on."""

from __future__ import annotations

import re
import sys
from typing import Any

_REPORTED = r"\s*\(at (?:line (\d+), column (\d+)|end of document)\)$"
"""How the reader says where it stopped. Not compiled here: a run without errors needs no expression."""


class TomlSyntaxError(Exception):
    """A text is not TOML; ``line`` and ``column`` count from 1."""

    def __init__(self, message: str, line: int, column: int) -> None:
        super().__init__(message)
        self.message = message
        self.line = line
        self.column = column


def parse(text: str) -> dict[str, Any]:
    """Return the document as plain values; raises :class:`TomlSyntaxError`."""
    if sys.version_info >= (3, 11):
        import tomllib
    else:
        import tomli as tomllib

    try:
        document: dict[str, Any] = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        reported = re.search(_REPORTED, str(error))
        message = re.sub(_REPORTED, "", str(error))
        message = message[:1].lower() + message[1:]
        if reported and reported[1]:
            raise TomlSyntaxError(message, int(reported[1]), int(reported[2])) from None
        last = text.rstrip("\n")
        raise TomlSyntaxError(message, last.count("\n") + 1, len(last) - last.rfind("\n")) from None
    return document
