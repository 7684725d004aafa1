"""What an error code looks like in a document, and which names of exceptions are classes.

The spellings are those met in public catalogs: ``UPPER_SNAKE``, ``kebab-case``, ``lower_snake``, ``PascalCase``,
``AAA-001``, ``E101``, five digits, negative integers; several in one text, and ranges of them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

# Words have an end, so that a text without one is not read anew from each of its characters.
_HEAD, _TAIL = "[A-Z][A-Z0-9]{0,79}", "[A-Z0-9]{1,80}"
_MARKED = (
    rf"{_HEAD}(?:_{_TAIL})+|{_HEAD}(?:-{_TAIL}){{2,}}|{_HEAD}(?:-{_TAIL})*-\d{{1,6}}|[A-Z]{{1,12}}\d{{1,6}}|-?\d{{4,6}}|"
    r"0x[0-9A-Fa-f]{2,8}"
)
_PASCAL = "[A-Z]{1,40}[a-z0-9]+(?:[A-Z]{1,40}[a-z0-9]+)+|[A-Z]{3,40}[a-z][a-z0-9]{2,}"
"""Words, of which the first may be an abbreviation: ``ParsingError``, ``PDFExtractionFailed``, ``CAPTCHADetected``."""

_PLAIN = r"[a-z][a-z0-9]*(?:[-_.][a-z0-9]+)+"

MARKED = re.compile(_MARKED)
"""A code that nothing else is spelt like in running text, except for names of variables of the environment."""

ANY = re.compile(rf"{_MARKED}|{_PLAIN}|[a-z]{{3,}}|[A-Z]{{3,}}|{_PASCAL}")
"""A code of any spelling, where a text is known to be one."""

_CLASS = re.compile(
    r"(?:[A-Za-z_]\w*\.)*[A-Z]\w*(?:Error|Exception|Failure|Warning|Timeout|Interrupt|Exceeded|NotFound|Violation|Fault)"
)
_KEBAB = re.compile(_PLAIN)
_RANGE = re.compile(r"([A-Za-z_-]*?)(\d{1,18})\s*(?:[–—…]|\.\.\.?|-|to|bis)\s*\1?(\d{1,18})")
_PLACEHOLDER = re.compile(
    r"(?:YOUR|MY|SOME|EXAMPLE|SAMPLE|ERROR|ERR)_(?:ERROR_)?(?:CODE|NAME|TYPE|ID)(?:_HERE)?|CODE|ERROR|X{2,}|"
    r"[A-Z]*[-_]?X{2,}|[A-Z]+[-_]N{2,}|N/?A"
)
MAX_RANGE = 500
"""More codes than these are no range: two numbers that stand side by side."""

MAX_LENGTH = 200
"""A longer text is no name of anything."""


def is_class(text: str) -> bool:
    """Whether a text is the name of an exception class."""
    return len(text) <= MAX_LENGTH and bool(_CLASS.fullmatch(text))


def is_marked(text: str) -> bool:
    """Whether a text is a code by its spelling alone, and no placeholder for one."""
    return len(text) <= MAX_LENGTH and bool(MARKED.fullmatch(text)) and not is_placeholder(text)


def is_kebab(text: str) -> bool:
    """Whether a text is spelt like a code in lower case of several words."""
    return len(text) <= MAX_LENGTH and bool(_KEBAB.fullmatch(text))


def is_any(text: str) -> bool:
    """Whether a text may be a code where one is expected."""
    return len(text) <= MAX_LENGTH and bool(ANY.fullmatch(text)) and not is_placeholder(text)


def is_placeholder(text: str) -> bool:
    """Whether a text stands for a code that a reader is to put in."""
    return len(text) <= MAX_LENGTH and bool(_PLACEHOLDER.fullmatch(text))


def is_status(text: str) -> bool:
    """Whether a text is an HTTP status."""
    return bool(re.fullmatch(r"[1-5]\d\d|[1-5][xX]{2}", text))


def expanded(text: str) -> Iterator[str]:
    """Yield the codes of a range such as ``FULL012–FULL016``; nothing for a text that is none."""
    found = _RANGE.fullmatch(text.strip())
    if found is None or (found.group(1)[-1:] == "-" and not found.group(1)[:-1]):
        return
    prefix, first, last = found.groups()
    if int(first) < int(last) <= int(first) + MAX_RANGE and len(first) == len(last):
        for number in range(int(first), int(last) + 1):
            yield f"{prefix}{number:0{len(first)}}"
