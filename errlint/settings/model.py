"""The nouns: settings of one run, with all defaults filled in, and what the command line may say of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

import msgspec

from errlint.findings import Severity
from errlint.settings.policy import Changes, Policy, changed
from errlint.settings.selection import Selection

DEFAULT_EXCLUDE = (
    ".bzr",
    ".direnv",
    ".eggs",
    ".errlint_cache",
    ".git",
    ".hg",
    ".ipynb_checkpoints",
    ".mypy_cache",
    ".nox",
    ".pytest_cache",
    ".ruff_cache",
    ".svn",
    ".tox",
    ".venv",
    "__pycache__",
    "__pypackages__",
    "_build",
    "dist",
    "node_modules",
    "site-packages",
    "venv",
)
"""Folders that hold no code of the project; ``exclude`` replaces the list, ``extend-exclude`` adds to it."""

NAMES_OF_TESTS = ("test_*.py", "*_test.py")
"""Globs of files that are tests by their name alone; among code it has to be true as well."""

DEFAULT_TESTS = ("**/tests/**", *NAMES_OF_TESTS, "conftest.py")


class Adapters(msgspec.Struct, frozen=True):
    """What makes a function an adapter, on top of the built-in ways (``errlint.project``).

    ``decorators`` and ``registrations`` are patterns of dotted names such as ``*.tool``; ``methods`` maps the
    name of a base class to the methods that are entry points; ``paths`` are globs of files whose public
    functions are.
    """

    decorators: tuple[str, ...] = ()
    registrations: tuple[str, ...] = ()
    methods: Mapping[str, tuple[str, ...]] = msgspec.field(default_factory=dict)
    paths: tuple[str, ...] = ()


class Override(msgspec.Struct, frozen=True):
    """Settings of some paths only; of several that say the same thing the last one holds.

    ``policy`` is what changes of the policy, ``rules`` are those that run there (``None``: those of the paths around).
    """

    paths: tuple[str, ...]
    severity: Mapping[str, Severity] = msgspec.field(default_factory=dict)
    policy: Changes = msgspec.field(default_factory=dict)
    rules: frozenset[str] | None = None


class NamedSetting(msgspec.Struct, frozen=True):
    """The name of something in the code that a configuration gives: what it should be, and the key that gives it.

    ``file`` is relative to the root, with forward slashes. ``preset`` is the name of the preset that gives it, by the
    key ``given``, "" for none: then file and key are those of the ``convention`` that names the preset.
    """

    name: str
    what: str
    file: str
    key: tuple[str | int, ...]
    preset: str = ""
    given: str = ""


class Trust(msgspec.Struct, frozen=True):
    """What the user says of fixes: the codes whose fixes are taken for safe, and those whose fixes are not.

    ``shape_change`` accepts that clients get another shape of answer where the convention itself asks for that.
    """

    safe: frozenset[str] = frozenset()
    unsafe: frozenset[str] = frozenset()
    shape_change: bool = False


class Nesting(msgspec.Struct, frozen=True):
    """What configurations in subfolders start from: the rules that the one of the root selects and ignores.

    ``asked`` is the selection of the command line; ``ignores`` is false where it has replaced ``per-file-ignores``.
    """

    rules: frozenset[str]
    ignore: tuple[str, ...]
    asked: Selection
    ignores: bool


class Settings(msgspec.Struct, frozen=True):
    """Everything that decides what a run reports. Globs are relative to ``root`` and mean what git means.

    ``rules``, ``per_file_ignores`` and ``severity`` hold full codes: selectors are resolved on loading. ``rules`` are
    those that run on any path. ``named`` are names of the code, ``sources`` the files that give them and hashes of
    their texts. ``nesting`` is ``None`` where configurations in subfolders do not count.
    """

    root: Path
    include: tuple[str, ...] = ()
    exclude: tuple[str, ...] = DEFAULT_EXCLUDE
    tests: tuple[str, ...] = DEFAULT_TESTS
    rules: frozenset[str] = frozenset()
    per_file_ignores: tuple[tuple[str, frozenset[str]], ...] = ()
    severity: Mapping[str, Severity] = msgspec.field(default_factory=dict)
    adapters: Adapters = msgspec.field(default_factory=Adapters)
    policy: Policy = Policy()
    overrides: tuple[Override, ...] = ()
    named: tuple[NamedSetting, ...] = ()
    sources: tuple[tuple[str, str], ...] = ()
    nesting: Nesting | None = None
    force_exclude: bool = False
    cache_dir: Path | None = None
    cache_is_named: bool = False
    baseline: Path | None = None
    jobs: int = 0
    trust: Trust = Trust()

    def policies(self) -> Iterator[Policy]:
        """Yield the policy of the root, and what each override makes of it."""
        yield self.policy
        for override in self.overrides:
            if override.policy:
                yield changed(self.policy, override.policy)


class CommandLine(msgspec.Struct, frozen=True):
    """What the command line says about settings. ``None`` and "no" leave the matter to the configuration.

    ``paths`` are the named files and folders; without any, everything below the root is meant.
    ``per_file_ignores`` are pairs of a glob and a rule selector. Without ``use_baseline`` a configured one is not read.
    """

    paths: tuple[Path, ...] = ()
    select: tuple[str, ...] | None = None
    ignore: tuple[str, ...] | None = None
    extend_select: tuple[str, ...] | None = None
    extend_ignore: tuple[str, ...] | None = None
    per_file_ignores: tuple[tuple[str, str], ...] | None = None
    force_exclude: bool = False
    cache_dir: Path | None = None
    baseline: Path | None = None
    use_baseline: bool = True
    jobs: int | None = None
