"""What a distribution says of itself: the versions of packages that it requires, and the commands that it installs."""

from __future__ import annotations

import configparser
import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from errlint.init.statements import Seen
from errlint.settings.toml_positions import Key, Position, find_keys, nearest
from errlint.settings.toml_reader import TomlSyntaxError, parse
from errlint.source import MAX_CONFIGURATION_SIZE, read_bytes

_REQUIREMENT = re.compile(r"\s*([A-Za-z0-9][A-Za-z0-9._-]*)\s*(?:\[[^\]]*\])?\s*(\(?[^;#\s][^;#]*)?")
_LISTS = ("requirements.txt", "requirements.in", "requirements/base.txt")


class Requirement(NamedTuple):
    """A package that is required: its normalised name, the versions as they are written ("" for any), and the place."""

    package: str
    versions: str
    place: Seen


class Command(NamedTuple):
    """A console script: its name, what it runs (``pkg.cli:main``), and the place."""

    name: str
    target: str
    place: Seen


class Declared(NamedTuple):
    """What the files of distributions say."""

    requirements: tuple[Requirement, ...]
    commands: tuple[Command, ...]


def declared(root: Path, folders: Iterable[str]) -> Declared:
    """Return what the distributions in some folders, from the root, declare; a file that is no TOML says nothing."""
    requirements: list[Requirement] = []
    commands: list[Command] = []
    for folder in sorted(folders):
        ahead = f"{folder}/" if folder else ""
        for found in (*_of_pyproject(root, f"{ahead}pyproject.toml"), *_of_setup(root, f"{ahead}setup.cfg")):
            (requirements if isinstance(found, Requirement) else commands).append(found)  # type: ignore[arg-type]
        for name in _LISTS:
            requirements.extend(_of_list(root, ahead + name))
    return Declared(tuple(requirements), tuple(commands))


def _text(root: Path, path: str) -> str:
    try:
        return read_bytes(root / path, MAX_CONFIGURATION_SIZE).decode("utf-8-sig")
    except (OSError, UnicodeDecodeError):
        return ""


def _of_pyproject(root: Path, path: str) -> Iterator[Requirement | Command]:
    text = _text(root, path)
    try:
        document = parse(text)
    except TomlSyntaxError:
        return
    keys = find_keys(text) if text else {}

    def place(*key: str | int) -> Seen:
        return Seen(path, (nearest(keys, key) or Position(1, 1)).line)

    project, poetry = _table(document, "project"), _table(document, "tool", "poetry")
    lists: list[tuple[Key, object]] = [(("project", "dependencies"), project.get("dependencies"))]
    optional = _table(project, "optional-dependencies")
    lists += [(("project", "optional-dependencies", name), each) for name, each in optional.items()]
    for key, items in lists:
        for index, item in enumerate(items if isinstance(items, list) else ()):
            if isinstance(item, str) and (found := _requirement(item)):
                yield Requirement(*found, place(*key, index))
    for name, versions in _table(poetry, "dependencies").items():
        said = versions.get("version") if isinstance(versions, dict) else versions
        yield Requirement(
            _normalised(name), said if isinstance(said, str) else "", place("tool", "poetry", "dependencies", name)
        )
    for key, table in ((("project", "scripts"), project), (("tool", "poetry", "scripts"), poetry)):
        for name, target in _table(table, "scripts").items():
            if isinstance(target, str):
                yield Command(name, target.partition("[")[0].strip(), place(*key, name))


def _of_setup(root: Path, path: str) -> Iterator[Requirement | Command]:
    text = _text(root, path)
    reader = configparser.ConfigParser(interpolation=None, strict=False)
    try:
        reader.read_string(text)
    except configparser.Error:
        return
    lines = [line.strip() for line in text.splitlines()]

    def place(item: str) -> Seen:
        return Seen(path, lines.index(item) + 1 if item in lines else 1)

    for item in reader.get("options", "install_requires", fallback="").splitlines():
        if found := _requirement(item):
            yield Requirement(*found, place(item.strip()))
    for item in reader.get("options.entry_points", "console_scripts", fallback="").splitlines():
        name, sign, target = item.partition("=")
        if sign:
            yield Command(name.strip(), target.partition("[")[0].strip(), place(item.strip()))


def _of_list(root: Path, path: str) -> Iterator[Requirement]:
    for number, line in enumerate(_text(root, path).splitlines(), 1):
        if not line.lstrip().startswith(("-", "#")) and (found := _requirement(line)):
            yield Requirement(*found, Seen(path, number))


def _requirement(text: str) -> tuple[str, str] | None:
    match = _REQUIREMENT.match(text)
    return (_normalised(match[1]), (match[2] or "").strip(" ()")) if match else None


def _normalised(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def _table(around: Mapping[str, object], *names: str) -> Mapping[str, object]:
    """Return a table inside of others, an empty one for what is none."""
    current: object = around
    for name in names:
        current = current.get(name) if isinstance(current, dict) else None
    return current if isinstance(current, dict) else {}
