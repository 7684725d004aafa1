"""The nouns: settings of one run, with all defaults filled in, and what the command line may say of them."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import msgspec

from errlint.findings import Severity
from errlint.settings.policy import Policy

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

DEFAULT_TESTS = ("**/tests/**", "test_*.py", "*_test.py", "conftest.py")


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
    """Settings of some paths only. ``policy`` holds what changes there, by the names of the fields of a policy."""

    paths: tuple[str, ...]
    severity: Mapping[str, Severity] = msgspec.field(default_factory=dict)
    policy: Mapping[str, object] = msgspec.field(default_factory=dict)


class Settings(msgspec.Struct, frozen=True):
    """Everything that decides what a run reports. Globs are relative to ``root`` and mean what git means.

    ``rules``, ``per_file_ignores`` and ``severity`` hold full codes: selectors are resolved on loading.
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
    force_exclude: bool = False
    cache_dir: Path | None = None
    jobs: int = 0


class CommandLine(msgspec.Struct, frozen=True):
    """What the command line says about settings. ``None`` and "no" leave the matter to the configuration.

    ``paths`` are the named files and folders; they decide the root where no configuration and no git does.
    ``per_file_ignores`` are pairs of a glob and a rule selector.
    """

    paths: tuple[Path, ...] = ()
    select: tuple[str, ...] | None = None
    ignore: tuple[str, ...] | None = None
    extend_select: tuple[str, ...] | None = None
    extend_ignore: tuple[str, ...] | None = None
    per_file_ignores: tuple[tuple[str, str], ...] | None = None
    force_exclude: bool = False
    cache_dir: Path | None = None
    jobs: int | None = None
