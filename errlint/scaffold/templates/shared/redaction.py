"""Secrets are not echoed: what looks like one is masked, in texts and in fields."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

MASK = "[redacted]"

_SECRET = (
    r"(?:passw(?:or)?d|passphrase|secret|token|credentials?|cookie"
    r"|(?:api|access|private)[_-]?key)"
)
_KEY = re.compile(rf"{_SECRET}$|(?:^|[_.-])pass$|^authorization$", re.IGNORECASE)
_TEXTS = (
    # https://user:password@host
    (re.compile(r"(?<=://)([^\s/:@]*):[^\s/@]+(?=@)"), rf"\1:{MASK}"),
    # Authorization: Bearer abc
    (re.compile(r"\b(Bearer|Basic)\s+[\w.~+/=-]{6,}", re.IGNORECASE), rf"\1 {MASK}"),
    # password=abc, "api_key": "abc"
    (re.compile(rf"""({_SECRET}["']?\s*(?:=|:(?=\s*["']))\s*)(?:"[^"]*"|'[^']*'|[^\s,;&"']+)""", re.IGNORECASE),
     rf"\1{MASK}"),
    # The forms of well-known keys, and JSON web tokens.
    (re.compile(r"\b(?:sk|pk|rk)[-_](?:live|test|proj|ant)?[-_]?[\w-]{16,}|\bgh[pousr]_\w{20,}|\bxox[a-z]-[\w-]{10,}"
                r"|\bAKIA[0-9A-Z]{16}\b|\beyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]*"), MASK),
)  # fmt: skip


def redacted_text(text: str) -> str:
    """Return a text with what looks like a secret masked."""
    for pattern, replacement in _TEXTS:
        text = pattern.sub(replacement, text)
    return text


def redacted(value: Any) -> Any:
    """Return a value of JSON with what looks like a secret masked: by its key, or by its form."""
    if isinstance(value, str):
        return redacted_text(value)
    if isinstance(value, Mapping):
        return {
            key: MASK if _KEY.search(str(key)) and item else redacted(item)
            for key, item in value.items()
        }
    if isinstance(value, (list, tuple, set, frozenset)):
        return [redacted(item) for item in value]
    return value
