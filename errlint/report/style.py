"""Colours of the text formats: plain ANSI codes, named by what they are used for."""

from __future__ import annotations

from collections.abc import Callable

from errlint.findings import Severity

PLACE = "1"
GUTTER = "1;34"
NOTE = "1;36"
SEVERITY = {Severity.ERROR: "1;31", Severity.WARNING: "1;33", Severity.INFO: "1;36"}


def painter(colour: bool) -> Callable[[str, str], str]:
    """Return a function from a text and one of the styles above to the text in that style.

    Without ``colour`` it returns the text as it is.
    """
    return _coloured if colour else _plain


def _coloured(text: str, style: str) -> str:
    return f"\x1b[{style}m{text}\x1b[0m" if text else ""


def _plain(text: str, style: str) -> str:
    return text
