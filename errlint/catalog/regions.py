"""The generated regions of a document: where they are, and what their markers ask for.

A region stands between two lines of their own, outside of code blocks::

    <!-- errlint: begin errors format=table codes=ORD_* -->
    <!-- errlint: end -->

Everything here keeps line ends, a byte order mark and what is no UTF-8 as they are.
"""

from __future__ import annotations

import io
import re
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from errlint.patterns import Patterns, fits, problem
from errlint.suggest import did_you_mean

FORMATS = ("table", "sections")
END = "<!-- errlint: end -->"

_MARKER = re.compile(r"^\ufeff? {0,3}<!--\s*errlint:\s*(?P<word>begin|end)\b(?P<rest>.*?)-->\s*$")
_FENCE = re.compile(r"^\ufeff?[ \t>]*(?P<fence>`{3,}|~{3,})(?P<info>.*)$")
_LISTS = ("codes", "classes", "paths")


class MarkerError(Exception):
    """A marker that cannot be understood: ``line`` is from 1, ``hint`` says what to do."""

    def __init__(self, line: int, message: str, hint: str) -> None:
        super().__init__(message)
        self.line = line
        self.message = message
        self.hint = hint


class Options(NamedTuple):
    """What a begin marker asks for: the format, and patterns of codes, class names and paths (none: all)."""

    format: str = FORMATS[0]
    codes: tuple[str, ...] = ()
    classes: tuple[str, ...] = ()
    paths: tuple[str, ...] = ()

    def has_code(self, codes: Iterable[str]) -> bool:
        """Whether errors with some codes are asked for."""
        return not self.codes or any(fits(code, pattern) for code in codes for pattern in self.codes)

    def has_class(self, names: Iterable[str]) -> bool:
        """Whether errors with some names of their class and its bases are asked for, in full or by the last part."""
        if not self.classes:
            return True
        known = [each for name in names for each in (name, name.rpartition(".")[2])]
        return any(fits(name, pattern) for name in known for pattern in self.classes)

    def has_path(self, path: str) -> bool:
        """Whether the errors of a file are asked for."""
        return not self.paths or Patterns(self.paths).matches(path)


class Region(NamedTuple):
    """A region: ``begin`` and ``end`` are the lines (from 1) of its markers."""

    options: Options
    begin: int
    end: int


def is_likely(content: bytes) -> bool:
    """Whether a document may have a region; cheap enough to be asked of every one."""
    return b"<!--" in content and re.search(rb"<!--\s*errlint:\s*(?:begin|end)\b", content) is not None


def lines(text: str) -> list[str]:
    """Return the lines of a text with their ends, whatever those are."""
    return list(io.StringIO(text, newline=""))


def regions(found: Sequence[str]) -> tuple[Region, ...]:
    """Return the regions of a document, given by its lines. Raises :class:`MarkerError` for the first broken one."""
    return tuple(_regions(found))


def _regions(found: Sequence[str]) -> Iterator[Region]:
    begun: tuple[int, Options] | None = None
    fence = ""
    for number, line in enumerate(found, 1):
        opened = _FENCE.match(line)
        # What somebody wrote into a region is replaced, a code block without an end too.
        if opened is not None and begun is None:
            if not fence:
                fence = opened["fence"]
            elif opened["fence"].startswith(fence) and not opened["info"].strip():
                fence = ""
        marker = _MARKER.match(line)
        if marker is None or fence:
            continue
        if marker["word"] == "begin":
            if begun is not None:
                message = f"a region begins inside of the one that begins in line {begun[0]}"
                raise MarkerError(number, message, f"write `{END}` before it")
            begun = number, _options(number, marker["rest"])
        elif begun is None:
            raise MarkerError(number, "a region ends here that has no begin", "remove it, or write the begin marker")
        else:
            yield Region(begun[1], begun[0], number)
            begun = None
    if begun is not None:
        raise MarkerError(begun[0], "the region that begins here has no end", f"write `{END}` below it")


def _options(line: int, text: str) -> Options:
    what, *given = text.split() or [""]
    if what != "errors":
        raise MarkerError(line, f"`{what}` is no kind of region", "write `begin errors`")
    options = Options()
    for part in given:
        name, equals, value = part.partition("=")
        if name not in Options._fields:
            hint = did_you_mean(name, Options._fields) or f"the options are {', '.join(Options._fields)}"
            raise MarkerError(line, f"unknown option `{name}`", hint)
        values = tuple(filter(None, value.split(",")))
        if not equals or not values:
            raise MarkerError(line, f"the option `{name}` has no value", f"write {name}=VALUE, without blanks")
        if name in _LISTS:
            wrong = [(each, problem(each)) for each in values if name == "paths" and problem(each)]
            if wrong:
                raise MarkerError(line, f"pattern `{wrong[0][0]}` {wrong[0][1]}", "write the glob as in a .gitignore")
            options = Options(**{**options._asdict(), name: values})
        elif value not in FORMATS:
            hint = did_you_mean(value, FORMATS) or f"the formats are {', '.join(FORMATS)}"
            raise MarkerError(line, f"unknown format `{value}`", hint)
        else:
            options = options._replace(format=value)
    return options
