"""Where a proposal goes: into the configuration there is, which keeps its keys and comments, else into a new one."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from errlint.errors import ConfigurationError, Place
from errlint.init.propose import RAISE, Section, render
from errlint.settings.locate import OWN_NAME, SHARED_NAME, ConfigurationFile
from errlint.settings.policy import bare_name
from errlint.settings.toml_reader import TomlSyntaxError, parse
from errlint.source import MAX_CONFIGURATION_SIZE, read_bytes

_PREFIX = ("tool", "errlint")


class Planned(NamedTuple):
    """What would be written: the file, its text before ("" for none) and after, and the sections that are added."""

    path: Path
    before: str
    after: str
    added: tuple[Section, ...]


def planned(root: Path, existing: ConfigurationFile | None, sections: tuple[Section, ...]) -> Planned:
    """Return what a proposal makes of the configuration of a project.

    Without one it goes to the end of pyproject.toml, or becomes an errlint.toml where there is none. Of one that is
    there no key is changed: what it does not say is added. Raises :class:`ConfigurationError` where that would be no
    TOML.
    """
    if existing is not None:
        return _extended(existing, tuple(section for section in sections if _is_missing(existing.table, section)))
    return _appended(root, sections)


def with_setting(root: Path, existing: ConfigurationFile | None, name: str, value: str) -> Planned:
    """Return what a setting, whose value is TOML, makes of the configuration of a project that does not say it.

    It goes where a proposal goes. Raises :class:`ConfigurationError` where that would be no TOML.
    """
    section = Section("", (), ((name, value),))
    return _extended(existing, (section,)) if existing is not None else _appended(root, (section,))


def _appended(root: Path, sections: tuple[Section, ...]) -> Planned:
    path = root / SHARED_NAME if (root / SHARED_NAME).is_file() else root / OWN_NAME
    before = _read(path)
    end = _line_end(before)
    text = render(sections, ".".join(_PREFIX) if path.name == SHARED_NAME else "").replace("\n", end)
    gap = "" if not before else end if before.endswith("\n") else end * 2
    return _checked(Planned(path, before, f"{before}{gap}{text}", sections))


def _read(path: Path) -> str:
    """Return the text of a file, with its byte order mark, "" where there is none."""
    if not path.is_file():
        return ""
    try:
        return read_bytes(path, MAX_CONFIGURATION_SIZE).decode("utf-8")
    except UnicodeDecodeError as error:
        raise ConfigurationError("the file is not UTF-8 text", place=Place(path)) from error


def _extended(existing: ConfigurationFile, added: tuple[Section, ...]) -> Planned:
    before = _read(existing.path)
    end = _line_end(before)
    mark = "\ufeff" if before.startswith("\ufeff") else ""
    lines = before.removeprefix(mark).split("\n")
    tail: list[Section] = []
    inserted: list[tuple[int, str]] = []
    for section in added:
        below = None if section.is_array else _below_header(lines, (*existing.prefix, *filter(None, (section.table,))))
        if below is None:
            tail.append(section)
        else:  # without the header, which is there
            inserted.append((below, render([section._replace(table="")])))
    for position, text in sorted(inserted, reverse=True):
        lines[position:position] = [f"{line}{end[:-1]}" for line in text.removesuffix("\n").split("\n")]
    after = mark + "\n".join(lines)
    if tail:
        gap = "" if not after else end if after.endswith("\n") else end * 2
        after += gap + render(tail, ".".join(existing.prefix)).replace("\n", end)
    return _checked(Planned(existing.path, before, after, added))


def _is_missing(table: Mapping[str, object], section: Section) -> bool:
    """Whether a configuration says nothing of what a section is about."""
    if not section.is_active or not section.keys:
        return False
    keys = dict(section.keys)
    if not section.table:  # what holds by itself is not worth a line
        return "convention" not in table and "style" not in table and keys != {"style": RAISE}
    if section.table in ("exceptions", "response") and ("convention" in table or "style" in table):
        return False
    there = [table.get(name) for name in (section.table, f"extend-{section.table}")]
    if section.is_array:
        items = [item for each in there if isinstance(each, list) for item in each if isinstance(item, dict)]
        if section.table == "overrides":
            return all(f'"{path}"' not in keys["paths"] for item in items for path in item.get("paths", ()))
        decorators = {bare_name(str(item.get("decorator", ""))) for item in items}
        return bare_name(keys["decorator"].strip('"')) not in decorators
    known = {key.removeprefix("extend-") for each in there if isinstance(each, dict) for key in each}
    return known.isdisjoint(keys)


def _below_header(lines: list[str], header: tuple[str, ...]) -> int | None:
    """Return the line, from 0, after the header of a table; ``None`` where it has none."""
    if not header:  # the outermost keys stand above all tables; a line for editors stays the first
        return int(lines[0].startswith("#:"))
    name = r"[ \t]*[.][ \t]*".join(map(re.escape, header))
    written = re.compile(rf"[ \t]*\[[ \t]*{name}[ \t]*\][ \t]*(?:#.*)?\r?")
    return next((number for number, line in enumerate(lines, 1) if written.fullmatch(line)), None)


def _line_end(text: str) -> str:
    return "\r\n" if "\r\n" in text else "\n"


def _checked(found: Planned) -> Planned:
    """Return a plan whose text has all that the file had before; raises :class:`ConfigurationError` for any other."""
    try:
        after = parse(found.after.removeprefix("\ufeff"))
        is_kept = _holds(after, parse(found.before.removeprefix("\ufeff")))
    except TomlSyntaxError as error:
        message = f"the proposal cannot be added: {error.message}"
        raise ConfigurationError(
            message, hint="add what `errlint init` prints yourself", place=Place(found.path)
        ) from error
    if not is_kept:
        message = "the proposal cannot be added without a change to what is there"
        raise ConfigurationError(message, hint="add what `errlint init` prints yourself", place=Place(found.path))
    return found


def _holds(after: object, before: object) -> bool:
    """Whether a document has all that another one has; arrays may be longer."""
    if isinstance(before, dict):
        return isinstance(after, dict) and all(
            key in after and _holds(after[key], value) for key, value in before.items()
        )
    if isinstance(before, list) and isinstance(after, list):
        return after[: len(before)] == before
    return after == before
