"""Where the project is: the configuration that holds for a run, and the root that paths are relative to."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

import msgspec

from errlint.errors import ConfigurationError, Place, UsageError
from errlint.settings.toml_reader import TomlSyntaxError, parse

OWN_NAME = "errlint.toml"
SHARED_NAME = "pyproject.toml"
_SHARED_TABLE = ("tool", "errlint")


class ConfigurationFile(msgspec.Struct, frozen=True):
    """A configuration file. ``prefix`` is the way to ``table`` in its text: () or ("tool", "errlint").

    ``preset`` is true for one that comes with errlint.
    """

    path: Path
    text: str
    prefix: tuple[str, ...] = ()
    table: Mapping[str, object] = msgspec.field(default_factory=dict)
    preset: bool = False


class Project(msgspec.Struct, frozen=True):
    """The root of a run, its configuration if there is one, and in words why this is the root."""

    root: Path
    file: ConfigurationFile | None
    reason: str


def locate(cwd: Path, paths: tuple[Path, ...], *, config: Path | None, isolated: bool) -> Project:
    """Find the project that a run in the folder ``cwd`` on ``paths`` (all absolute) is about.

    It is looked for from ``cwd`` on upwards: the closest configuration, else the git repository, else it is
    the common parent of the paths. Where a named path is outside of what was found, the search starts from
    the common parent of the paths instead.

    Raises :class:`ConfigurationError` for a file that cannot be read or understood, and :class:`UsageError`
    where the paths have only the root of the file system in common, or both ``config`` and ``isolated`` are given.
    """
    if config is not None and isolated:
        raise UsageError("--config and --isolated do not go together", hint="give one of them")
    if config is not None:
        file = read_file(config)
        if file is None:
            what = f"there is no [{'.'.join(_SHARED_TABLE)}] table in it" if config.is_file() else "no such file"
            raise ConfigurationError(what, place=Place(config))
        if _is_below(cwd, config.parent):
            return Project(config.parent, file, "folder of the configuration")
        found = _find(cwd, paths, isolated=True)
        return Project(found.root, file, found.reason)
    return _find(cwd, paths, isolated=isolated)


def _find(cwd: Path, paths: tuple[Path, ...], *, isolated: bool) -> Project:
    project = _find_upwards(cwd, isolated=isolated)
    if project is not None and all(_is_below(path, project.root) for path in paths):
        return project
    if not paths:
        return Project(cwd, None, "working directory")
    common = _common_parent(paths)
    project = _find_upwards(common, isolated=isolated)
    if project is not None:
        return project
    if common == Path(common.anchor) and common not in paths:
        raise UsageError("the named paths have no folder in common", hint="run errlint once for each project")
    return Project(common, None, "common parent of the paths")


def _find_upwards(start: Path, *, isolated: bool) -> Project | None:
    """Return the closest configuration at or above ``start``, else the closest git repository."""
    folders = (start, *start.parents)
    if not isolated:
        for folder in folders:
            file = read_file(folder / OWN_NAME) or read_file(folder / SHARED_NAME)
            if file is not None:
                return Project(folder, file, "folder of the configuration")
    for folder in folders:
        if (folder / ".git").exists():
            return Project(folder, None, "git repository")
    return None


def _common_parent(paths: tuple[Path, ...]) -> Path:
    """Return the innermost folder that holds all ``paths``; a path that is a folder holds itself."""
    common = Path(os.path.commonpath(paths))
    return common if common.is_dir() else common.parent


def _is_below(path: Path, folder: Path) -> bool:
    return path == folder or folder in path.parents


def read_file(path: Path) -> ConfigurationFile | None:
    """Return the configuration in ``path``.

    None where there is no such file, or a pyproject.toml that has no table for errlint.
    Raises :class:`ConfigurationError` when the file cannot be read or is not TOML.
    """
    try:
        text = path.read_bytes().decode("utf-8-sig")
    except (FileNotFoundError, NotADirectoryError, IsADirectoryError):
        return None
    except UnicodeDecodeError as error:
        raise ConfigurationError("the file is not UTF-8 text", place=Place(path)) from error
    except OSError as error:
        raise ConfigurationError(f"the file cannot be read: {error.strerror}", place=Place(path)) from error
    if path.name == SHARED_NAME and _SHARED_TABLE[-1] not in text:
        return None
    try:
        document = parse(text)
    except TomlSyntaxError as error:
        place = Place(path, error.line, error.column)
        raise ConfigurationError(f"syntax error: {error.message}", place=place) from error
    if path.name != SHARED_NAME:
        return ConfigurationFile(path, text, (), document)
    tool = document.get("tool")
    table = tool.get("errlint") if isinstance(tool, dict) else None
    if table is None:
        return None
    if not isinstance(table, dict):
        raise ConfigurationError("`tool.errlint` must be a table", place=_place_of_table(path, text))
    return ConfigurationFile(path, text, _SHARED_TABLE, table)


def _place_of_table(path: Path, text: str) -> Place:
    from errlint.settings.toml_positions import find_keys, nearest

    position = nearest(find_keys(text), _SHARED_TABLE)
    return Place(path, *position) if position else Place(path)
