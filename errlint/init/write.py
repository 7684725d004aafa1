"""Where a proposal goes: into the configuration there is, which keeps its keys and comments, else into a new one."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from errlint.errors import ConfigurationError, Place
from errlint.init.propose import RAISE
from errlint.settings.extension import Section, extended
from errlint.settings.locate import OWN_NAME, SHARED_NAME, ConfigurationFile
from errlint.settings.policy import bare_name
from errlint.source import MAX_CONFIGURATION_SIZE, read_bytes


class Planned(NamedTuple):
    """What would be written: the file, its text before ("" for none) and after."""

    path: Path
    before: str
    after: str


def planned(root: Path, existing: ConfigurationFile | None, sections: tuple[Section, ...]) -> Planned:
    """Return what a proposal makes of the configuration of a project.

    Without one it goes to the end of pyproject.toml, or becomes an errlint.toml where there is none. Of one that is
    there no key is changed: what it does not say is added. Raises :class:`ConfigurationError` where that cannot be.
    """
    if existing is not None:
        sections = tuple(section for section in sections if _is_missing(existing.table, section))
    return _with(root, existing, sections)


def with_setting(root: Path, existing: ConfigurationFile | None, name: str, value: str) -> Planned:
    """Return what a setting, whose value is TOML, makes of the configuration of a project that does not say it.

    It goes where a proposal goes. Raises :class:`ConfigurationError` where that cannot be.
    """
    return _with(root, existing, (Section("", (), ((name, value),)),))


def _with(root: Path, existing: ConfigurationFile | None, sections: tuple[Section, ...]) -> Planned:
    shared = root / SHARED_NAME
    path = existing.path if existing is not None else shared if shared.is_file() else root / OWN_NAME
    before = _read(path)
    return Planned(path, before, extended(path, before, sections))


def _read(path: Path) -> str:
    """Return the text of a file, with its byte order mark, "" where there is none."""
    if not path.is_file():
        return ""
    try:
        return read_bytes(path, MAX_CONFIGURATION_SIZE).decode("utf-8")
    except UnicodeDecodeError as error:
        raise ConfigurationError("the file is not UTF-8 text", place=Place(path)) from error


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
