"""Configurations in subfolders: they hold for the files below their folder, as overrides of the root's."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

import msgspec

from errlint.errors import ConfigurationError
from errlint.settings.configuration import Configuration, read_configuration, references
from errlint.settings.locate import OWN_NAME, ConfigurationFile, read_file
from errlint.settings.model import Nesting, Override, Settings
from errlint.settings.policy import Policy, changed
from errlint.settings.selection import configured_rules, select_rules
from errlint.settings.table import Answers, Table

_SPECIAL = re.compile(r"([*?\[])")


class Nested(msgspec.Struct, frozen=True):
    """A configuration in a subfolder: relative to the root with forward slashes, with what it says."""

    folder: str
    file: ConfigurationFile
    configuration: Configuration
    answers: Answers


class _EnclosingSettings(msgspec.Struct, frozen=True):
    """What holds around a folder, before the command line."""

    policy: Policy
    rules: frozenset[str]
    ignore: tuple[str, ...]


def with_nested(settings: Settings, nested: Iterable[Nested]) -> Settings:
    """Return the settings with what the configurations in subfolders say, outer folders first."""
    nesting = settings.nesting
    if nesting is None:
        return settings
    around = {"": _EnclosingSettings(settings.policy, nesting.rules, nesting.ignore)}
    overrides: list[Override] = []
    ignores = list(settings.per_file_ignores)
    named, sources = list(settings.named), list(settings.sources)
    for each in nested:
        outer = around[_enclosing(each.folder, around)]
        around[each.folder] = _inside(each.configuration, outer)
        overrides.extend(_overrides(each, around[each.folder], nesting))
        if nesting.ignores:
            found = each.configuration.per_file_ignores
            ignores += ((rebased(pattern, each.folder), codes) for pattern, codes in found)
        more = references(settings.root, each.answers, each.configuration.convention)
        named += more[0]
        sources += more[1]
    if not overrides:
        return settings
    rules = settings.rules.union(*(override.rules for override in overrides if override.rules is not None))
    everywhere = Override(("**",), rules=settings.rules)
    return msgspec.structs.replace(
        settings,
        rules=rules,
        per_file_ignores=tuple(ignores),
        overrides=(everywhere, *settings.overrides, *overrides),
        named=tuple(named),
        sources=tuple(sources),
    )


def read_nested(root: Path, paths: Iterable[str]) -> list[Nested]:
    """Read the configurations among ``paths`` (relative to the root), outer folders first.

    Raises :class:`ConfigurationError` with every mistake of all of them.
    """
    found: dict[str, Nested] = {}
    wrong: list[ConfigurationError] = []
    # In one folder errlint.toml comes first, as it does at the root.
    for path in sorted(paths, key=lambda path: (path.rpartition("/")[0], not path.endswith(OWN_NAME))):
        folder = path.rpartition("/")[0]
        if not folder or folder in found:
            continue
        try:
            file = read_file(root / path, root)
            if file is None:
                continue
            table = Table(file)
            found[folder] = Nested(folder, file, read_configuration(table), table.answers)
        except ConfigurationError as error:
            wrong += [error, *error.others]
    if wrong:
        raise ConfigurationError.of(wrong)
    return list(found.values())


def rebased(pattern: str, folder: str) -> str:
    """Return a glob of a folder as one of the root.

    >>> rebased("*.py", "a"), rebased("/src", "a"), rebased("!b/c", "a")
    ('/a/**/*.py', '/a/src', '!/a/b/c')
    """
    negated = "!" if pattern.startswith("!") else ""
    pattern = pattern.removeprefix("!")
    anchored = "/" in pattern.rstrip("/")
    inside = pattern.lstrip("/") if anchored else f"**/{pattern}"
    literal = _SPECIAL.sub(r"[\1]", folder)
    return f"{negated}/{literal}/{inside}"


def _enclosing(folder: str, known: Iterable[str]) -> str:
    return max((outer for outer in known if not outer or folder.startswith(f"{outer}/")), key=len)


def _inside(read: Configuration, outer: _EnclosingSettings) -> _EnclosingSettings:
    """Return what holds in a folder; with a convention of its own it starts from that one."""
    if read.convention is not None:
        policy, rules = read.convention.policy, read.convention.rules
    else:
        policy, rules = outer.policy, outer.rules
    return _EnclosingSettings(
        changed(policy, read.policy),
        configured_rules(rules, read.selection),
        (*outer.ignore, *read.selection.ignore),
    )


def _overrides(nested: Nested, inside: _EnclosingSettings, nesting: Nesting) -> Iterable[Override]:
    read, convention = nested.configuration, nested.configuration.convention
    yield Override(
        paths=(rebased("/**", nested.folder),),
        severity={**(convention.severity if convention else {}), **read.severity},
        policy=read.policy if convention is None else msgspec.structs.asdict(inside.policy),
        rules=select_rules(inside.rules, inside.ignore, nesting.asked),
    )
    for override in read.overrides:
        paths = tuple(rebased(pattern, nested.folder) for pattern in override.paths)
        yield msgspec.structs.replace(override, paths=paths)
