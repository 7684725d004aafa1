"""From a configuration file and the command line to the settings of a run."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import msgspec

from errlint.errors import UsageError
from errlint.patterns import problem
from errlint.settings.configuration import read_configuration, references
from errlint.settings.conventions import Convention
from errlint.settings.locate import CONFIGURED, OWN_NAME, UNMARKED, ConfigurationFile, LocatedProject, as_read, locate
from errlint.settings.model import CommandLine, Nesting, Settings
from errlint.settings.policy import changed
from errlint.settings.selection import (
    Selection,
    UnknownSelectorError,
    check_ignored,
    configured_rules,
    ignorable,
    matching,
    select_rules,
)
from errlint.settings.table import Answers, Table
from errlint.workspace.root import require_project


class Loaded(msgspec.Struct, frozen=True):
    """The settings of a run and what they were made of."""

    settings: Settings
    project: LocatedProject
    convention: Convention
    answers: Answers
    command_line: CommandLine

    @property
    def origins(self) -> dict[str, str]:
        """Where each setting comes from: ``default``, ``command line``, or a file and its line."""
        from errlint.settings.show import describe

        return {name: origin for name, _, origin in describe(self)}


def load(
    cwd: Path,
    *,
    config: str | Path | None = None,
    isolated: bool = False,
    overrides: CommandLine | None = None,
) -> Loaded:
    """Return the settings of a run in the folder ``cwd``, as configuration and command line say.

    ``config`` names the configuration file instead of looking for it; ``isolated`` reads none.

    Raises :class:`ConfigurationError` for a file that cannot be understood, with the place of the key, and
    :class:`UsageError` for a command line that asks for what does not exist, or for all of a folder that is no project.
    """
    asked = overrides or CommandLine()
    project = locate(cwd, config=absolute(cwd, Path(config)) if config else None, isolated=isolated)
    if project.reason == UNMARKED and not asked.paths:
        require_project(project.root)
    file = project.file or ConfigurationFile(project.root / OWN_NAME, "")
    return _load(cwd, project, Table(file), asked, nested=config is None and not isolated)


def load_text(cwd: Path, root: Path, path: Path, text: str, overrides: CommandLine | None = None) -> Loaded:
    """Return the settings of a run as they were if a configuration of the project at ``root`` had this text.

    Raises :class:`ConfigurationError`.
    """
    file = as_read(path, text, root)
    project = LocatedProject(root, file, CONFIGURED)
    table = Table(file or ConfigurationFile(path, ""))
    return _load(cwd, project, table, overrides or CommandLine(), nested=True)


def absolute(folder: Path, path: Path) -> Path:
    """Return ``path`` as seen from ``folder``, without ``..`` in it; links are left alone."""
    return Path(os.path.normpath(folder / path))


def _load(cwd: Path, project: LocatedProject, table: Table, asked: CommandLine, *, nested: bool) -> Loaded:
    read = read_configuration(table)
    convention = read.convention or Convention()
    rules = configured_rules(convention.rules, read.selection)
    selection = _asked_selection(asked)
    named, sources = references(project.root, table.answers, read.convention)
    cache = absolute(project.root, _at_home(read.cache_dir)) if read.cache_dir else None
    ignores = read.per_file_ignores if asked.per_file_ignores is None else _asked_ignores(asked.per_file_ignores)
    settings = Settings(
        root=project.root,
        include=read.include,
        exclude=read.exclude,
        tests=read.tests,
        rules=select_rules(rules, read.selection.ignore, selection),
        per_file_ignores=ignores,
        severity={**convention.severity, **read.severity},
        adapters=read.adapters,
        policy=changed(convention.policy, read.policy),
        overrides=read.overrides,
        named=named,
        sources=sources,
        nesting=Nesting(rules, read.selection.ignore, selection, asked.per_file_ignores is None) if nested else None,
        force_exclude=asked.force_exclude,
        cache_dir=absolute(cwd, asked.cache_dir) if asked.cache_dir else cache,
        cache_is_named=asked.cache_dir is not None,
        baseline=_baseline(cwd, project.root, read.baseline, asked),
        jobs=asked.jobs or 0,
        trust=read.trust,
    )
    return Loaded(settings, project, convention, table.answers, asked)


def _baseline(cwd: Path, root: Path, configured: str, asked: CommandLine) -> Path | None:
    """Return the file of known findings, ``None`` where all are reported."""
    if not asked.use_baseline:
        return None
    if asked.baseline is not None:
        return absolute(cwd, asked.baseline)
    return absolute(root, Path(configured)) if configured else None


def _at_home(path: str) -> Path:
    """Return ``path`` with ``~`` filled in where the home folder is known."""
    try:
        return Path(path).expanduser()
    except RuntimeError:
        return Path(path)


def _asked_selection(asked: CommandLine) -> Selection:
    """Return the selectors of the command line; raises :class:`UsageError` for an unknown one."""
    ignore = (*(asked.ignore or ()), *(asked.extend_ignore or ()))
    for option, selectors, check in (
        ("--select", asked.select, matching),
        ("--extend-select", asked.extend_select, matching),
        ("--ignore", ignore, check_ignored),
    ):
        for selector in selectors or ():
            _known(check, selector, option)
    return Selection(asked.select, ignore, asked.extend_select or ())


def _asked_ignores(pairs: tuple[tuple[str, str], ...]) -> tuple[tuple[str, frozenset[str]], ...]:
    """Return the pairs of ``--per-file-ignores``; raises :class:`UsageError` for a wrong one."""
    for pattern, selector in pairs:
        if why := problem(pattern):
            raise UsageError(f"--per-file-ignores: pattern `{pattern}` {why}")
        _known(check_ignored, selector, "--per-file-ignores")
    return tuple((pattern.removeprefix("./"), ignorable([selector])) for pattern, selector in pairs)


def _known(check: Callable[[str], object], selector: str, option: str) -> None:
    try:
        check(selector)
    except UnknownSelectorError as error:
        raise UsageError(f"{option}: {error.message}", hint=error.hint) from error
