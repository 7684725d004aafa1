"""TOML text to values, on every interpreter that errlint runs on."""

from __future__ import annotations

import re
import sys
from typing import Any

_REPORTED = r"(?<!\s)\s*\(at (?:line (\d+), column (\d+)|end of document)\)$"
"""How the reader says where it stopped. Not compiled here: a run without errors needs no expression."""


_QUOTED = r""""(?:[^"\\]|\\.)*(?:"|\\?\Z)|'[^']*(?:'|\Z)"""

MAX_PARTS = 200
"""Parts of a dotted key."""

_LONG_KEY = rf"(?<![\w-])(?:[\w-]+[ \t]*\.[ \t]*){{{MAX_PARTS}}}"


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
        line = _long_key_line(text)
        if line:
            raise TomlSyntaxError(f"a key has more than {MAX_PARTS} parts", line, 1)
        document: dict[str, Any] = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        reported = re.search(_REPORTED, str(error))
        message = re.sub(_REPORTED, "", str(error))
        message = message[:1].lower() + message[1:]
        if reported and reported[1]:
            raise TomlSyntaxError(message, int(reported[1]), int(reported[2])) from None
        last = text.rstrip("\n")
        raise TomlSyntaxError(message, last.count("\n") + 1, len(last) - last.rfind("\n")) from None
    except RecursionError:
        raise TomlSyntaxError("arrays or tables in each other are too many", 1, 1) from None
    except ValueError:  # Python reads no number of more than 4,300 digits
        raise TomlSyntaxError("a number is too long", 1, 1) from None
    return document


def _long_key_line(text: str) -> int:
    """Return the line (from 1) of a key with more parts than anyone writes, or 0: a reader takes their square."""
    for number, line in enumerate(text.split("\n"), 1) if text.count(".") > MAX_PARTS else ():
        if line.count(".") > MAX_PARTS and re.search(_LONG_KEY, re.sub(_QUOTED, "q", line)):
            return number
    return 0
