"""Text of the checked code, made fit for where it is written.

Sources, file names and messages that quote them may hold anything: sequences that steer a terminal,
characters that reorder the line on the screen, halves of surrogate pairs that no file can be written with.
"""

from __future__ import annotations

from collections.abc import Sequence
from unicodedata import category, east_asian_width

TAB_STOP = 4

FIRST_COMBINING = "\u0300"
"""Printable characters before this one take one column each."""


def printable(text: str) -> str:
    """Return ``text`` on one line, with an escape for every character that has no glyph of its own."""
    return text if text.isprintable() else "".join(map(_visible, text))


def encodable(text: str) -> str:
    """Return ``text`` with lone surrogates, the only characters that UTF-8 cannot hold, as escapes."""
    return text if text.isascii() else text.encode("utf-8", "backslashreplace").decode("utf-8")


def display(line: str) -> tuple[str, Sequence[int]]:
    """Return a source line as it is shown, and the screen column of each of its characters and of its end.

    Tabs become spaces up to the next tab stop, wide characters count two columns, combining ones none.
    """
    if _is_plain(line):
        return line, range(len(line) + 1)
    code = line.lstrip("\t")
    if _is_plain(code):
        indent = (len(line) - len(code)) * TAB_STOP
        return " " * indent + code, [*range(0, indent, TAB_STOP), *range(indent, indent + len(code) + 1)]
    pieces: list[str] = []
    columns = [0]
    for character in line:
        column = columns[-1]
        if character == "\t":
            piece = " " * (TAB_STOP - column % TAB_STOP)
            width = len(piece)
        else:
            piece = _visible(character)
            width = len(piece) if len(piece) > 1 else _width(character)
        pieces.append(piece)
        columns.append(column + width)
    return "".join(pieces), columns


def _is_plain(line: str) -> bool:
    """Whether every character is shown as it is, in one column: quickly told, and true of nearly all."""
    return line.isprintable() and (line.isascii() or max(line) < FIRST_COMBINING)


def _visible(character: str) -> str:
    # Spaces other than U+0020 are not "printable", yet harmless, and ordinary in East Asian text.
    if character.isprintable() or category(character) == "Zs":
        return character
    return character.encode("unicode_escape").decode("ascii")


def _width(character: str) -> int:
    if character.isascii():
        return 1
    if east_asian_width(character) in ("W", "F"):
        return 2
    return 0 if category(character) in ("Mn", "Me") else 1
