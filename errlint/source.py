"""From the bytes of a file to text that every tier reads the same way, and from tree positions to spans."""

from __future__ import annotations

import codecs
import os
import re
import stat
from itertools import accumulate
from pathlib import Path

from errlint.findings import Span

MAX_NESTING = 200
"""Brackets inside brackets. CPython's own tokenizer stops here, and LibCST kills the process at about 3,000."""

MAX_CHAIN = 1000
"""Operators, calls or strings in a row in one expression. LibCST needs quadratic time for them."""

# Compiled when they are first asked for: a warm run needs none of them.
_COOKIE = rb"^[ \t\f]*#.*?coding[:=][ \t]*([-\w.]+)"
_BLANK_OR_COMMENT = rb"^[ \t\f]*(?:#.*)?$"
_STRINGS_AND_BRACKETS = (
    r"'''(?:\\.|[^\\])*?'''|\"\"\"(?:\\.|[^\\])*?\"\"\"|'(?:\\.|[^'\\\n])*'|\"(?:\\.|[^\"\\\n])*\"|\#[^\n]*|[\[\](){}]"
)


class UndecodableError(ValueError):
    """The bytes are not text in the encoding that the file declares; ``line`` counts from 1."""

    def __init__(self, message: str, line: int) -> None:
        super().__init__(message)
        self.line = line


def decode(raw: bytes) -> str:
    r"""Return the text of a Python file, with ``\n`` line ends and without a byte order mark.

    The encoding is UTF-8 or what a cookie in the first two lines names (PEP 263).
    Raises :class:`UndecodableError`.
    """
    text = decode_as_is(raw)
    return text.replace("\r\n", "\n").replace("\r", "\n") if "\r" in text else text


def decode_as_is(raw: bytes) -> str:
    """Return the text of a Python file with its own line ends, without a byte order mark.

    Raises :class:`UndecodableError`.
    """
    bom = raw.startswith(codecs.BOM_UTF8)
    if bom:
        raw = raw[3:]
    encoding = _declared_encoding(raw)
    try:
        return raw.decode(encoding)
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        message = f"byte 0x{raw[error.start]:02x} is not valid {encoding}"
        raise UndecodableError(message, line) from error
    except LookupError as error:
        message = f"unknown encoding {encoding!r}"
        raise UndecodableError(message, 1) from error


def _declared_encoding(raw: bytes) -> str:
    for line in re.split(rb"\r\n|\r|\n", raw[:1000], maxsplit=2)[:2]:
        if match := re.match(_COOKIE, line):
            return match.group(1).decode("ascii")
        if not re.match(_BLANK_OR_COMMENT, line):
            break
    return "utf-8"


def read_bytes(path: str | Path) -> bytes:
    """Return the content of a regular file. Raises :class:`OSError`, also for pipes and devices: they may block."""
    descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
    with open(descriptor, "rb") as file:  # noqa: PTH123 -- a descriptor is no path
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise OSError(0, "not a regular file")
        return file.read()


def read_text(path: Path) -> str | None:
    """Return the decoded text of the file, or ``None`` where it cannot be read or decoded."""
    try:
        return decode(read_bytes(path))
    except (OSError, UndecodableError):
        return None


def deep_line(text: str) -> int:
    """Return the line (from 1) where brackets nest deeper than :data:`MAX_NESTING`, or 0 when they never do."""
    depth = 0
    for match in re.finditer(_STRINGS_AND_BRACKETS, text, re.DOTALL):
        token = match.group()
        if token in "([{":
            depth += 1
            if depth > MAX_NESTING:
                return text.count("\n", 0, match.start()) + 1
        elif token in ")]}":
            depth = max(depth - 1, 0)
    return 0


LONG = 2000
"""A line or statement of at most so many characters is taken to hold no such chain."""

_CHAIN_TOKEN = (
    r"(?P<string>(?i:[rbfut]{0,3})(?:'''(?:\\.|[^\\])*?'''|\"\"\"(?:\\.|[^\\])*?\"\"\"|'(?:\\.|[^'\\\n])*'|\"(?:\\.|[^\"\\\n])*\"))"
    r"|\#[^\n]*|(?P<open>[\[({])|(?P<close>[\])}])|(?P<reset>[,;:=])|(?P<newline>\n)"
    r"|(?P<link>(?:\*\*|//|<<|>>|[-+*/%&|^.<>!~@])=?|\b(?:and|or|not|in|is|if|else|lambda|await)\b)|(?P<word>\w+)"
)


def has_long_line(text: str) -> bool:
    """Whether a line is so long that it has to be read token by token before anything recurses over it."""
    return len(text) > LONG and max(map(len, text.split("\n"))) > LONG


def long_chain_line(text: str) -> int:
    """Return the line (from 1) where an expression chains more than :data:`MAX_CHAIN` links, or 0 when none does.

    Links are operators, attribute accesses, calls and neighbouring strings.
    """
    counts = [0]
    lambdas = 0  # whose colon is still to come
    after_operand = False
    for match in re.finditer(_CHAIN_TOKEN, text, re.DOTALL):
        kind = match.lastgroup
        if kind == "open":
            counts[-1] += after_operand
            counts.append(0)
        elif kind == "close":
            if len(counts) > 1:
                counts.pop()
        elif kind == "reset":
            if match.group() == ":" and lambdas:
                lambdas -= 1
            else:
                counts[-1] = 0
        elif kind == "newline":
            if len(counts) == 1:
                counts[0] = 0
            continue
        elif kind == "link" or (kind == "string" and after_operand):
            counts[-1] += 1
            lambdas += match.group() == "lambda"
        if counts[-1] > MAX_CHAIN:
            return text.count("\n", 0, match.start()) + 1
        after_operand = kind in ("close", "string", "word")
    return 0


class Lines:
    """The lines of a text as UTF-8, addressed the way ``ast`` does: lines from 1, columns in bytes from 0."""

    __slots__ = ("ascii", "data", "starts")

    def __init__(self, text: str) -> None:
        self.ascii = text.isascii()
        self.data = text.encode("utf-8", "surrogatepass")
        self.starts = [0, 0]
        self.starts.extend(accumulate(len(line) + 1 for line in self.data.split(b"\n")))
        self.starts.pop()  # behind the last line

    def offset(self, line: int, column: int) -> int:
        """Return the offset in ``data`` of a position."""
        return self.starts[line] + column

    def column(self, line: int, column: int) -> int:
        """Return a byte column from 0 as a character column from 1."""
        if self.ascii:
            return column + 1
        start = self.starts[line]
        return len(self.data[start : start + column].decode("utf-8", "surrogatepass")) + 1

    def span(self, line: int, column: int, end_line: int, end_column: int) -> Span:
        """Return the span between two positions."""
        return Span(line, self.column(line, column), end_line, self.column(end_line, end_column))
