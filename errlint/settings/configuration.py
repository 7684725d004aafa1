"""One configuration file, read whole: that of the root, and those of subfolders in the same way."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Mapping
from pathlib import Path

import msgspec

from errlint.errors import ConfigurationError, Place
from errlint.findings import Severity
from errlint.settings import sections
from errlint.settings.conventions import Convention, read_convention
from errlint.settings.model import DEFAULT_EXCLUDE, DEFAULT_TESTS, Adapters, NamedSetting, Override, Trust
from errlint.settings.policies import policy_changes
from errlint.settings.policy import Changes
from errlint.settings.selection import Selection
from errlint.settings.table import Answers, InvalidValueError, Table

OF_THE_ROOT = (
    "include",
    "exclude",
    "extend-exclude",
    "tests",
    "adapters",
    "cache-dir",
    "baseline",
    "extend-safe-fixes",
    "extend-unsafe-fixes",
    "accept-shape-change",
)
"""Keys that hold for a whole run and so count in the configuration of the root alone."""


class Configuration(msgspec.Struct, frozen=True):
    """What a file says. ``convention`` is ``None`` where it names none, ``policy`` what it changes itself."""

    include: tuple[str, ...]
    exclude: tuple[str, ...]
    tests: tuple[str, ...]
    cache_dir: str
    baseline: str
    adapters: Adapters
    selection: Selection
    per_file_ignores: tuple[tuple[str, frozenset[str]], ...]
    severity: Mapping[str, Severity]
    convention: Convention | None
    policy: Changes
    overrides: tuple[Override, ...]
    trust: Trust


def read_configuration(table: Table) -> Configuration:
    """Return what the table says; raises :class:`InvalidValueError` and :class:`ConfigurationError`."""
    convention = read_convention(table)
    found = Configuration(
        include=table.globs("include"),
        exclude=table.globs("exclude", DEFAULT_EXCLUDE) + table.globs("extend-exclude"),
        tests=table.globs("tests", DEFAULT_TESTS),
        cache_dir=table.text("cache-dir"),
        baseline=table.text("baseline"),
        adapters=sections.adapters(table.table("adapters")),
        selection=sections.selection(table),
        per_file_ignores=sections.per_file_ignores(table.table("per-file-ignores")),
        severity=sections.severity(table.table("severity")),
        convention=convention if convention.files else None,
        policy=policy_changes(table),
        overrides=tuple(sections.override(each) for each in table.tables("overrides")),
        trust=sections.trust(table),
    )
    table.finish()
    return found


def references(root: Path, answers: Answers) -> tuple[tuple[NamedSetting, ...], tuple[tuple[str, str], ...]]:
    """Return the names of code that the configuration and its conventions give, and its files with hashes."""
    named: list[NamedSetting] = []
    sources: dict[str, str] = {}
    for references in answers.references.values():
        for name, what, (file, key) in references:
            preset = file.path.stem if file.preset else ""
            given = ".".join(str(part) for part in key if isinstance(part, str)) if preset else ""
            if preset:
                file, key = answers.given["convention"][-1]
            path = _seen_from(root, file.path)
            named.append(NamedSetting(name, what, path, key, preset, given))
            if path not in sources:
                sources[path] = hashlib.blake2b(file.text.encode(), digest_size=8).hexdigest()
    return tuple(named), tuple(sources.items())


def _seen_from(root: Path, path: Path) -> str:
    """Return a path relative to a root, with forward slashes; an absolute one for a file on another drive."""
    try:
        return Path(os.path.relpath(path, root)).as_posix()
    except ValueError:
        return path.as_posix()


def placed(error: InvalidValueError) -> ConfigurationError:
    """Return the error with the place of its key in the text."""
    from errlint.settings.toml_positions import find_keys, nearest

    file, key = error.origin
    position = nearest(find_keys(file.text), key)
    place = Place(file.path, *position) if position else Place(file.path)
    return ConfigurationError(error.message, hint=error.hint, place=place)
