"""The code or class that a heading, a bold line or an item of a list begins with."""

from __future__ import annotations

import re
from collections.abc import Sequence

from errlint.catalog.codes import MARKED, MAX_RANGE, expanded, is_any, is_class, is_kebab, is_marked, is_placeholder

_AFTER = re.compile(r"\s*(?:$|[:：—–(\[|/,]|-\s|→|=)|\s")
SEPARATOR = re.compile(r"\s*(?:[:：—–→=]|-\s)")
"""What stands between a code and what is said of it, where the code does not stand for itself."""

_AND = re.compile(r"\s*(?:/|,|&|\bor\b|\band\b)\s*")
_IN_PARENTHESES = re.compile(r"^(.*?)(?<!\s)\s*[(\[]([^()\[\]]+)[)\]]$")
_OF_CLASS = re.compile(r"^(?:\w+ )?(?:exception|error)(?: class)?\s*[:：]\s*(\S+)$", re.IGNORECASE)


def codes(text: str, spans: Sequence[str]) -> tuple[tuple[str, ...], str]:
    """Return the codes that a text begins with (or ends with, in parentheses) and the rest; no codes where it has none.

    ``spans`` are the contents of its code spans: a code of lower case counts where it is one of them.
    """
    text = text.strip()
    if is_range(text):
        return (), ""
    found: list[str] = []
    left = text
    while len(found) < MAX_RANGE:
        name = _first(left, spans)
        if not name:
            break
        found.append(name)
        after = left[len(name) :]
        joined = _AND.match(after)
        left = after[joined.end() :] if joined is not None else after
        if joined is None or not _first(left, spans):
            left = after
            break
    if found:
        return tuple(found), rest(left)
    ending = _IN_PARENTHESES.match(text)
    if ending is not None and is_marked(ending.group(2)):
        return (ending.group(2),), ending.group(1)
    return (), ""


def _first(text: str, spans: Sequence[str]) -> str:
    span = next((each for each in spans if text.startswith(each)), "")
    if span and (is_marked(span) or is_kebab(span)):
        return span if _AFTER.match(text[len(span) :]) else ""
    start = 1 if text[:1] in ("[", "(") else 0
    found = MARKED.match(text, start)
    if found is None or is_placeholder(found.group()):
        return ""
    return text[: found.end()] if not start and _AFTER.match(text[found.end() :]) else ""


def class_of(text: str) -> tuple[str, str]:
    """Return the exception class that a text is about and the rest, ("", "") where it is about none."""
    first, _, left = text.partition(" ")
    first = first.strip(":`*")
    if is_class(first) and (not left or left[:1] in "(—–-:"):
        return first, rest(left)
    named = _OF_CLASS.match(text)
    return (named.group(1), "") if named is not None and is_class(named.group(1)) else ("", "")


def is_range(text: str) -> bool:
    """Whether a text begins with a range of codes, as the heading of a group of them does."""
    first = re.split(r"[\s:(]", text)[0]
    spaced = re.match(r"\S+\s*(?:[–—-]|to)\s*\S+", text)
    return any(expanded(first)) or (spaced is not None and any(expanded(spaced.group())))


def rest(text: str) -> str:
    """Return what follows a code, without what separates it; parentheses are closed that are opened inside of it."""
    found = text.strip(" :：—–-()[]|→=/")
    for opening, closing in ("()", "[]"):
        found += closing * (found.count(opening) - found.count(closing))
    return found


def spelling(name: str) -> str:
    """Return how a code is spelt: codes of one catalog are spelt alike."""
    if name.lstrip("-").isdigit():
        return "number"
    kinds = "-" if "-" in name else "_" if "_" in name else ""
    return f"{'upper' if name.isupper() else 'lower'}{kinds}{'9' if name[-1].isdigit() else ''}"


def is_bare_name(text: str, spans: Sequence[str]) -> bool:
    """Whether a heading is nothing but a name in lower case: a code where its neighbours are such too."""
    return is_kebab(text) or (text in spans and is_any(text) and text.islower())
