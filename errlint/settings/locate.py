"""Where the project is: the configuration that holds for a run, and the root that paths are relative to."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import msgspec

from errlint.errors import ConfigurationError, Place, UsageError
from errlint.settings.toml_reader import TomlSyntaxError, parse
from errlint.source import MAX_CONFIGURATION_SIZE, read_bytes
from errlint.workspace.links import leads_out, project_around

OWN_NAME = "errlint.toml"
SHARED_NAME = "pyproject.toml"
SHARED_TABLE = ("tool", "errlint")
_MARKERS = (SHARED_NAME, "setup.cfg")
"""Files that mark a project where there is neither a configuration nor git."""

CONFIGURED = "folder of the configuration"
UNMARKED = "working directory"


class ConfigurationFile(msgspec.Struct, frozen=True):
    """A configuration file. ``prefix`` is the way to ``table`` in its text: () or ("tool", "errlint").

    ``preset`` is true for one that comes with errlint. ``inside`` is the folder of the project that it was found in:
    what it names has to be in that project. None for a file that a person or errlint has named.
    """

    path: Path
    text: str
    prefix: tuple[str, ...] = ()
    table: Mapping[str, object] = msgspec.field(default_factory=dict)
    preset: bool = False
    inside: Path | None = None


class LocatedProject(msgspec.Struct, frozen=True):
    """The root of a run, its configuration if there is one, and in words why this is the root."""

    root: Path
    file: ConfigurationFile | None
    reason: str


def locate(cwd: Path, *, config: Path | None, isolated: bool) -> LocatedProject:
    """Find the project that a run in the folder ``cwd`` (absolute) is about.

    Its root is the folder of the configuration closest to ``cwd``, in it or above it; else the git repository, else
    the folder of the nearest pyproject.toml or setup.cfg, else ``cwd`` itself. ``config``, the configuration to read
    instead of that one, does not move it: where a file lies says nothing of what it is to hold for.

    Raises :class:`ConfigurationError` for a file that cannot be read or understood, and :class:`UsageError` where both
    ``config`` and ``isolated`` are given.
    """
    if config is not None and isolated:
        raise UsageError("--config and --isolated do not go together", hint="give one of them")
    folders = (cwd, *cwd.parents)
    if config is not None:
        file = read_file(config)
        if file is None:
            what = f"there is no [{'.'.join(SHARED_TABLE)}] table in it" if config.is_file() else "no such file"
            raise ConfigurationError(what, place=Place(config))
        around = next((folder for folder in folders if _has_configuration(folder)), None)
        return LocatedProject(around, file, CONFIGURED) if around else _unconfigured(folders, file)
    for folder in () if isolated else folders:
        file = _configuration_in(folder)
        if file is not None:
            return LocatedProject(folder, file, CONFIGURED)
    return _unconfigured(folders, None)


def _unconfigured(folders: tuple[Path, ...], file: ConfigurationFile | None) -> LocatedProject:
    """Return the project that is told without a configuration; each of the folders is inside the next one."""
    for folder in folders:
        if (folder / ".git").exists():
            return LocatedProject(folder, file, "git repository")
    for folder in folders:
        for name in _MARKERS:
            if (folder / name).is_file():
                return LocatedProject(folder, file, f"folder of {name}")
    return LocatedProject(folders[0], file, UNMARKED)


def shadowed(file: ConfigurationFile) -> Place | None:
    """Return the table of a pyproject.toml that is not read since an errlint.toml, ``file``, is beside it."""
    if file.path.name != OWN_NAME:
        return None
    path = file.path.with_name(SHARED_NAME)
    try:
        other = read_file(path)
    except ConfigurationError:
        return None
    return _place_of_table(path, other.text) if other is not None else None


def _configuration_in(folder: Path) -> ConfigurationFile | None:
    return read_file(folder / OWN_NAME, folder) or read_file(folder / SHARED_NAME, folder)


def _has_configuration(folder: Path) -> bool:
    """Whether a folder has a configuration. One that cannot be understood says well enough where the project is."""
    try:
        return _configuration_in(folder) is not None
    except ConfigurationError:
        return True


def read_file(path: Path, inside: Path | None = None) -> ConfigurationFile | None:
    """Return the configuration in ``path``, which was found in the project ``inside``, or named (None).

    None where there is no such file, or a pyproject.toml that has no table for errlint.
    Raises :class:`ConfigurationError` when the file cannot be read or is not TOML, and where one that was found is a
    link out of the project.
    """
    if inside is not None and path.is_symlink() and leads_out(project_around(inside), path):
        hint = "put the file itself there, or name the other one with --config"
        raise ConfigurationError("is a link out of the project", hint=hint, place=Place(path))
    try:
        text = read_bytes(path, MAX_CONFIGURATION_SIZE).decode("utf-8-sig")
    except (FileNotFoundError, NotADirectoryError, IsADirectoryError):
        return None
    except UnicodeDecodeError as error:
        raise ConfigurationError("the file is not UTF-8 text", place=Place(path)) from error
    except OSError as error:
        raise ConfigurationError(f"the file cannot be read: {error.strerror}", place=Place(path)) from error
    return as_read(path, text, inside)


def as_read(path: Path, text: str, inside: Path | None = None) -> ConfigurationFile | None:
    """Return the configuration that ``path`` is with this text, None where that is no configuration.

    Raises :class:`ConfigurationError` for a text that is not TOML.
    """
    if path.name == SHARED_NAME and SHARED_TABLE[-1] not in text:
        return None
    try:
        document = parse(text)
    except TomlSyntaxError as error:
        place = Place(path, error.line, error.column)
        raise ConfigurationError(f"syntax error: {error.message}", place=place) from error
    tool = document.get("tool")
    table = tool.get("errlint") if isinstance(tool, dict) else None
    if path.name != SHARED_NAME:
        if table is not None:
            hint = "here its keys stand at the top, and its tables without `tool.errlint.`"
            place = _place_of_table(path, text)
            raise ConfigurationError("`[tool.errlint]` is for pyproject.toml", hint=hint, place=place)
        return ConfigurationFile(path, text, (), document, inside=inside)
    if table is None and isinstance(document.get("errlint"), dict):
        place = _place_of_table(path, text, ("errlint",))
        raise ConfigurationError("nothing reads `[errlint]`", hint="write `[tool.errlint]`", place=place)
    if table is None:
        return None
    if not isinstance(table, dict):
        raise ConfigurationError("`tool.errlint` must be a table", place=_place_of_table(path, text))
    return ConfigurationFile(path, text, SHARED_TABLE, table, inside=inside)


def _place_of_table(path: Path, text: str, table: tuple[str, ...] = SHARED_TABLE) -> Place:
    from errlint.settings.toml_positions import find_keys, nearest

    position = nearest(find_keys(text), table)
    return Place(path, *position) if position else Place(path)
