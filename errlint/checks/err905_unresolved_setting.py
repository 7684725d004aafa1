"""ERR905: the configuration names something that the code does not have."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from errlint.findings import Finding, Severity, Span
from errlint.project.configured import Code, lacking, missing
from errlint.rules import RULES
from errlint.settings import Settings
from errlint.settings.model import NamedSetting
from errlint.settings.toml_positions import Position, find_keys, nearest
from errlint.source import read_text
from errlint.suggest import did_you_mean

_REMEDY = "write it (`errlint init --scaffold PACKAGE`), or name yours"


def check(settings: Settings, code: Code, pages: Iterable[str]) -> Iterator[Finding]:
    """Yield the settings whose names are not there, at their keys; ``pages`` are the documents."""
    texts: dict[str, str] = {}
    for named, what, part, known, certain in missing(settings, code, pages):
        hint = did_you_mean(part, known)
        if not certain and not hint:
            continue
        message = f"there is no {named.what} `{named.name}`: {what}{f'; {hint}' if hint else ''}"
        yield _finding(code.root, texts, named, message)
    unmet = lacking(settings, code)
    if unmet is not None:
        what = f"the convention `{unmet.named.preset}`"
        found = ", ".join(unmet.said)
        if unmet.is_all:
            yield _finding(code.root, texts, unmet.named, f"{what} fits nothing in the code: {found}; {_REMEDY}")
        else:
            message = f"parts of {what} have nothing to look at: {found}; {_REMEDY}, or empty the key"
            yield _finding(code.root, texts, unmet.named, message, Severity.INFO)


def _finding(
    root: Path, texts: dict[str, str], named: NamedSetting, message: str, severity: Severity = RULES["ERR905"].severity
) -> Finding:
    text = texts.setdefault(named.file, read_text(root / named.file) or "")
    line, column = nearest(find_keys(text), named.key) or Position(1, 1)
    span = Span(line, column, line, _end(text, line, column))
    return Finding(named.file, span, "ERR905", severity, message)


def _end(text: str, line: int, column: int) -> int:
    """Return the column after the key or value that starts at a place."""
    row = text.split("\n")[line - 1][column - 1 :]
    quote = row[:1]
    if quote in ("'", '"') and quote in row[1:]:
        return column + row.index(quote, 1) + 1
    length = next((index for index, char in enumerate(row) if char in " \t\r=,]}#"), len(row))
    return column + max(length, 1)
