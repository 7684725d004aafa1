"""Text of the checked code, made fit for where it is written.

Sources, file names and messages that quote them may hold anything: sequences that steer a terminal,
characters that reorder the line on the screen or that nobody sees, commands to the machine that runs a CI job,
halves of surrogate pairs that no file can be written with.

What quotes the checked code goes through :func:`printable` where it is put into a line, through :func:`display` where
it is a line of source, or through :func:`json_text` as JSON. :func:`harmless` is the last gate, for whole outputs.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from unicodedata import category, east_asian_width

import msgspec

TAB_STOP = 4

MOST_MARKS = 8
"""Combining marks on one character; what stands on it beyond them would be drawn over the lines around it."""

_UNSEEN = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180d\u180f\u3164\ufe00-\ufe0d\uffa0\U000e0100-\U000e01ef]"
)
"""Fillers and selectors that Python calls printable and nobody sees: two names may differ by one. Of the Unicode
database's Default_Ignorable_Code_Point without U+FE0E and U+FE0F, which stand behind ordinary symbols."""

_SELECTORS = "\ufe0e\ufe0f"
_COLOUR = r"\x1b\[(?:0|1|1;3[1346])m"
"""The sequences of :mod:`errlint.report.style`."""

_LINK = r"\x1b\]8;(?:id=\d+)?;(?:(?:https://github\.com|file://)/[!-~]*)?\x1b\\"
"""The sequences around what is linked, to errlint's own pages and to files: as :mod:`errlint.report.paper` has them."""

_NOT_PLAIN = re.compile(rf"{_COLOUR}|\r\n|[^\n\t -~]")
_NOT_PLAIN_NOR_LINK = re.compile(rf"{_LINK}|{_NOT_PLAIN.pattern}")

# What CI machines obey. GitHub's runner (`ActionCommand.cs` in actions/runner; Forgejo's, Gitea's and act do alike)
# takes a line that begins with `::` after blanks, and `##[` anywhere in one; Azure Pipelines takes `##vso[`, TeamCity
# `##teamcity[`. The runner compares as people would: what nobody sees does not count.
_AT_START = re.compile(rf"^((?:[^\S\n]|[{_SELECTORS}]|{_COLOUR})*):(?=[{_SELECTORS}]*:)", re.MULTILINE)
_INSIDE = re.compile(rf"(#[{_SELECTORS}]*)#(?=[{_SELECTORS}\w]*\[)")

FIRST_COMBINING = "\u0300"
"""Printable characters before this one take one column each."""


def printable(text: str) -> str:
    """Return ``text`` on one line, with an escape for every character that has no glyph of its own."""
    return text if _is_plain(text) else "".join(_pieces(text))


def harmless(text: str, *, commands: str = "", links: bool = False) -> str:
    """Return lines that neither steer a terminal nor command the machine of a CI job.

    errlint's own colours stay, and with ``links`` those. Lines may begin with ``commands``: these are errlint's own.
    """
    pattern = _NOT_PLAIN_NOR_LINK if links else _NOT_PLAIN
    text = pattern.sub(lambda found: _visible(found[0]), text)
    if commands != "::":
        text = _AT_START.sub(r"\1\\x3a", text)

    def hidden(found: re.Match[str]) -> str:
        is_own = commands.startswith("##") and text.startswith(commands, found.start())
        is_first = found.start() == 0 or text[found.start() - 1] == "\n"
        return found[0] if is_own and is_first else found.expand(r"\1\\x23")

    return _INSIDE.sub(hidden, text)


def json_text(text: str) -> str:
    """Return JSON that means the same as ``text`` does, with escapes where :func:`harmless` has some."""
    return _INSIDE.sub(r"\1\\u0023", _NOT_PLAIN.sub(_as_json, text))


def toml_key(name: str) -> str:
    """Return a key as TOML writes it: quoted where it has to be."""
    is_bare = name.isascii() and name.replace("-", "").replace("_", "").isalnum()
    return name if is_bare else toml_string(name)


def toml_string(text: str) -> str:
    """Return a string as TOML writes it."""
    quoted = msgspec.json.encode(encodable(text)).decode()
    escaped = _NOT_PLAIN.sub(lambda found: found[0] if _is_seen(found[0]) else f"\\U{ord(found[0]):08x}", quoted)
    return _INSIDE.sub(r"\1\\u0023", escaped)


def _as_json(found: re.Match[str]) -> str:
    character = found[0]
    if _is_seen(character):
        return character
    units = character.encode("utf-16-be", "surrogatepass").hex()
    return "".join(f"\\u{units[at : at + 4]}" for at in range(0, len(units), 4))


def quoted_path(path: str) -> str:
    """Return a path as the header of a diff has it: as it is, or as git quotes one with characters to be escaped."""
    if not set('"\\') & set(path) and printable(path) == path:
        return path
    content = "".join(
        chr(byte) if 31 < byte < 127 and byte not in b'"\\' else f"\\{byte:03o}" for byte in os.fsencode(path)
    )
    return f'"{content}"'


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
    for character, piece in zip(line, _pieces(line), strict=True):
        column = columns[-1]
        if character == "\t":
            piece = " " * (TAB_STOP - column % TAB_STOP)
        pieces.append(piece)
        columns.append(column + (len(piece) if len(piece) > 1 or character == "\t" else _width(character)))
    return "".join(pieces), columns


def _is_plain(line: str) -> bool:
    """Whether every character is shown as it is, in one column: quickly told, and true of nearly all."""
    return line.isprintable() and (line.isascii() or max(line) < FIRST_COMBINING)


def _pieces(text: str) -> Iterator[str]:
    """Yield what stands for each character: itself, or an escape."""
    marks = 0
    for character in text:
        marks = marks + 1 if character >= FIRST_COMBINING and category(character) in ("Mn", "Me") else 0
        yield _visible(character) if marks <= MOST_MARKS else _escape(character)


def _visible(text: str) -> str:
    return text if _is_seen(text) else _escape(text)


def _is_seen(text: str) -> bool:
    """Whether a character, or a sequence of errlint's own, may be written as it is."""
    if len(text) > 1:
        return True
    # Spaces other than U+0020 are not "printable", yet harmless, and ordinary in East Asian text.
    return (text.isprintable() and not _UNSEEN.match(text)) or category(text) == "Zs"


def _escape(character: str) -> str:
    return character.encode("unicode_escape").decode("ascii")


def _width(character: str) -> int:
    if character.isascii():
        return 1
    if east_asian_width(character) in ("W", "F"):
        return 2
    return 0 if category(character) in ("Mn", "Me") else 1
