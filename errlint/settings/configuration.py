"""One configuration file, read whole: that of the root, and those of subfolders in the same way."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Mapping
from operator import itemgetter
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
from errlint.settings.table import Answers, Table

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
    """Return what the table says; raises :class:`ConfigurationError` with every mistake."""
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
    refuse_mistakes(table)
    return found


def references(
    root: Path, answers: Answers, convention: Convention | None
) -> tuple[tuple[NamedSetting, ...], tuple[tuple[str, str], ...]]:
    """Return the names of code that the configuration and its conventions give, and its files with hashes.

    A preset that it builds on is one of these names, too.
    """
    named: list[NamedSetting] = []
    for preset in [each for each in convention.files if each.preset] if convention else ():
        file, key = answers.given["convention"][-1]
        named.append(NamedSetting(preset.path.stem, "convention", _seen_from(root, file.path), key, preset.path.stem))
    sources: dict[str, str] = {}
    for references in answers.references.values():
        for name, what, (file, key) in references:
            stem = file.path.stem if file.preset else ""
            given = ".".join(str(part) for part in key if isinstance(part, str)) if stem else ""
            if stem:
                file, key = answers.given["convention"][-1]
            path = _seen_from(root, file.path)
            named.append(NamedSetting(name, what, path, key, stem, given))
            if path not in sources:
                sources[path] = hashlib.blake2b(file.text.encode(), digest_size=8).hexdigest()
    return tuple(named), tuple(sources.items())


def _seen_from(root: Path, path: Path) -> str:
    """Return a path relative to a root, with forward slashes; an absolute one for a file on another drive."""
    try:
        return Path(os.path.relpath(path, root)).as_posix()
    except ValueError:
        return path.as_posix()


def refuse_mistakes(table: Table) -> None:
    """Raise :class:`ConfigurationError` where there are mistakes, in order of line, those of the file itself first."""
    if not table.answers.mistakes:
        return
    from errlint.settings.toml_positions import find_keys, nearest

    positions = {file.path: find_keys(file.text) for (file, _), *_ in table.answers.mistakes}
    files = sorted(positions, key=lambda path: path != table.file.path)
    found = []
    for (file, key), message, hint in table.answers.mistakes:
        place = Place(file.path, *(nearest(positions[file.path], key) or ()))
        order = (files.index(file.path), place.line, place.column)
        found.append((order, ConfigurationError(message, hint=hint, place=place)))
    found.sort(key=itemgetter(0))
    raise ConfigurationError.of([error for _, error in found])
