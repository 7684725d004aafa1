"""From the bytes of a file to text that every tier reads the same way, and from tree positions to spans."""

from __future__ import annotations

import codecs
import errno
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
STRING = (
    r"'''(?:\\.|[^\\])*?(?:'''|\\?\Z)|\"\"\"(?:\\.|[^\\])*?(?:\"\"\"|\\?\Z)"
    r"|'(?:\\.|[^'\\\n])*(?:'|(?=\n)|\\?\Z)|\"(?:\\.|[^\"\\\n])*(?:\"|(?=\n)|\\?\Z)"
)
"""A string, to be matched with ``re.DOTALL``; one that is never closed ends with its line, or with the text.

So no text makes the search for an end begin again and again.
"""

_STRINGS_AND_BRACKETS = STRING + r"|\#[^\n]*|[\[\](){}]"


MAX_SIZE = 4 << 20
"""Bytes of a file of code or a document. People write less than one million, programs that write code seldom more.

A file of this size that is one literal takes 0.6 GB as a tree.
"""

MAX_CONFIGURATION_SIZE = 1 << 20
"""Bytes of a configuration, a convention or an ignore file."""


class TooLargeError(OSError):
    """The file has more bytes than are read."""

    def __init__(self, limit: int) -> None:
        super().__init__(errno.EFBIG, f"larger than {limit >> 20} MiB")


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


def encode(text: str) -> bytes:
    """Return the bytes of the text of a Python file, in UTF-8 or what it declares; UTF-8 where that has not all of it.

    What is no text, such as half of a pair of surrogates, becomes bytes that cannot be decoded.
    """
    plain = text.encode("utf-8", "surrogatepass")
    try:
        return text.encode(_declared_encoding(plain))
    except (UnicodeEncodeError, LookupError):
        return plain


def _declared_encoding(raw: bytes) -> str:
    for line in re.split(rb"\r\n|\r|\n", raw[:1000], maxsplit=2)[:2]:
        if match := re.match(_COOKIE, line):
            return match.group(1).decode("ascii")
        if not re.match(_BLANK_OR_COMMENT, line):
            break
    return "utf-8"


def read_bytes(path: str | Path, limit: int = MAX_SIZE, *, links: bool = True) -> bytes:
    """Return the content of a regular file of at most ``limit`` bytes; a file that is a link only with ``links``.

    Raises :class:`OSError`, also for pipes and devices: they may block. :class:`TooLargeError` is one.
    """
    if not links and os.path.islink(path):  # noqa: PTH114 -- and below, where the system can
        raise OSError(errno.ELOOP, "a link")
    flags = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
    descriptor = os.open(path, flags if links else flags | getattr(os, "O_NOFOLLOW", 0))
    found = os.fstat(descriptor)
    if not stat.S_ISREG(found.st_mode):
        os.close(descriptor)
        if stat.S_ISDIR(found.st_mode):
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
        raise OSError(0, "not a regular file")
    with open(descriptor, "rb") as file:  # noqa: PTH123 -- a descriptor is no path
        if found.st_size > limit:
            raise TooLargeError(limit)
        content = file.read(found.st_size + 1)
        if len(content) > found.st_size:  # it grows, or is a file of the system that has no size
            content += file.read(limit + 1 - len(content))
        if len(content) > limit:
            raise TooLargeError(limit)
        return content


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
    rf"(?P<string>(?i:[rbfut]{{0,3}})(?:{STRING}))"
    r"|\#[^\n]*|(?P<open>[\[({])|(?P<close>[\])}])|(?P<reset>[,;:=])|(?P<newline>\n)"
    r"|(?P<link>(?:\*\*|//|<<|>>|[-+*/%&|^.<>!~@])=?|\b(?:and|or|not|in|is|if|else|lambda|await)\b)|(?P<word>\w+)"
)


def has_long_line(text: str) -> bool:
    """Whether a line is so long that it has to be read token by token before anything recurses over it."""
    return len(text) > LONG and max(map(len, text.split("\n"))) > LONG


def long_chain_line(text: str) -> int:
    """Return the line (from 1) where an expression chains more than :data:`MAX_CHAIN` links, or 0 when none does.

    Links are operators, attribute accesses, calls, neighbouring strings and the fields of a string: older interpreters
    need quadratic time for the latter.
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
        if counts[-1] > MAX_CHAIN or (kind == "string" and _fields(match.group()) > MAX_CHAIN):
            return text.count("\n", 0, match.start()) + 1
        after_operand = kind in ("close", "string", "word")
    return 0


def _fields(token: str) -> int:
    """Return how many values a format string is made of; 0 for another string."""
    prefix = token[: min(token.find(quote) % len(token) for quote in "'\"")].lower()
    return token.count("{") - 2 * token.count("{{") if "f" in prefix or "t" in prefix else 0


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
        if self.ascii:
            return Span(line, column + 1, end_line, end_column + 1)
        return Span(line, self.column(line, column), end_line, self.column(end_line, end_column))
