"""Hints: the advice that errors carry, and what is none."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from errlint.facts import Call, Mapping, Ref, Sequence, Text, Value, Variable, constant_text, is_null, only
from errlint.project.fields import Error, is_meant, supplies
from errlint.settings.policy import Hints

if TYPE_CHECKING:
    from errlint.project import Project

_PLACEHOLDER = re.compile(
    r"(?:to\s?do|fix\s?me|tbd|tba|xxx+|n/?a|none|null|nil|unknown|placeholder|hints?|suggestions?|remediation"
    r"|no (?:hints?|suggestions?|remediation)(?: available| provided)?|lorem ipsum.*)(?:\W.*(?<=todo).*)?\W*"
    r"|\W*|\W.*(?<=todo).*|(?:todo|fixme|tbd)\b.{0,80}",
    re.IGNORECASE | re.DOTALL,
)
_MESSAGES = ("message", "msg", "error", "error_message", "detail", "reason", "description")
_METHOD = re.compile(r"hint|suggest|remed|guidance|troubleshoot|advice")
_LEAST = 8
"""A message of fewer constant characters says too little to be known again."""


def lacks_hints(project: Project, error: Error, asked: Hints) -> bool:
    """Whether an error is of a class that needs hints, and has none."""
    return is_meant(error, asked.classes) and not _has_hints(project, error, asked.keywords)


def _has_hints(project: Project, error: Error, keywords: tuple[str, ...]) -> bool:
    """Whether an error may carry hints: passed, by default, or worked out by its class."""
    if error.is_open:
        return True
    for keyword in keywords:
        if not is_null(error.passed.get(keyword)):
            return True
        if keyword not in error.passed and supplies(error.defaults.get(keyword), keywords):
            return True
    return any(
        entry.key is not None
        and _METHOD.search(entry.key)
        and entry.key not in error.defaults
        and entry.key not in symbol.definition.unset
        for symbol in (project.hierarchy.bases(error.symbol) if error.symbol is not None else ())
        for entry in symbol.definition.members or ()
    )


def flaw(error: Error, keyword: str, value: Value) -> str:
    """Say what is wrong with a hint, "" where nothing is for certain."""
    if _is_message(error, keyword, value):
        return "repeats the message"
    if type(value) is Variable:
        return _held_flaw(error, keyword, value)
    if type(value) is Sequence:
        if not value.items:
            # What is in a dict of its own may be added to before the error is made.
            return "" if error.is_held else "is empty"
        if all(_is_message(error, keyword, item) for item in value.items):
            return "repeats the message"
        flaws = (_text_flaw(item) for item in value.items if type(item) is Text)
        return next((f"holds a hint that {each}" for each in flaws if each), "")
    if type(value) is Mapping:
        return "is empty" if not value.entries and not value.spreads and not error.is_held else ""
    return _text_flaw(value) if type(value) is Text else ""


def _held_flaw(error: Error, keyword: str, value: Variable) -> str:
    """Look at a variable: a list in it may have grown, and only one of a single item is known whole."""
    if len(value.values) != 1:
        return ""
    only = value.values[0]
    if type(only) is Text:
        return "repeats the message" if _is_message(error, keyword, only) else _text_flaw(only)
    if type(only) is Sequence and len(only.items) == 1 and type(only.items[0]) is Text:
        found = _text_flaw(only.items[0])
        return f"holds a hint that {found}" if found else ""
    return ""


def _text_flaw(text: Text) -> str:
    whole = constant_text(text)
    if whole is None:
        return ""
    whole = whole.strip()
    if not whole:
        return "is blank"
    return f"is a placeholder (`{whole[:40]}`)" if _PLACEHOLDER.fullmatch(whole) else ""


def _is_message(error: Error, keyword: str, value: Value) -> bool:
    """Whether a hint is the message of its error: the same variable, or the same text whatever is in its holes."""
    for name in _MESSAGES:
        message = error.passed.get(name)
        if message is None or name == keyword:
            continue
        if (type(value) is Ref or type(value) is Variable) and type(message) is type(value):
            return value.name == message.name
        if type(value) is Call and value == message:
            return True
        message = only(message)
        if type(value) is Text and type(message) is Text and _pieces(value) == _pieces(message):
            return sum(len(piece) for piece in _pieces(value) if piece) >= _LEAST
    return False


def _pieces(text: Text) -> list[str | None]:
    pieces: list[str | None] = [part.lower() if isinstance(part, str) else None for part in text.parts]
    if pieces and pieces[-1] is not None:
        pieces[-1] = pieces[-1].rstrip(" .!")
    return pieces
