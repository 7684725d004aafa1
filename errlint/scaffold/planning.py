"""The plan of a runtime: for which convention, which files, and what the configuration becomes."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from errlint.errors import ConfigurationError, Place, UsageError
from errlint.scaffold import destination, runtime, writing
from errlint.settings import Loaded
from errlint.settings.extension import extended, sections_of
from errlint.settings.loading import load_text
from errlint.source import MAX_CONFIGURATION_SIZE, read_bytes
from errlint.suggest import did_you_mean

FRAMEWORK = "fastmcp"
"""The package that every runtime imports."""

UNREQUIRED = (
    "The runtime imports `fastmcp`, which the project does not require: add it to the dependencies, and make the "
    "server of `fastmcp.FastMCP`; the one of the package `mcp` knows no middleware."
)
"""What else is left to do where nothing installs the framework of the runtime."""


class Scaffold(NamedTuple):
    """A runtime that can be written; ``remains`` is what is left to do by hand, in sentences.

    ``distribution`` is the folder of the distribution that it is written into.
    """

    convention: str
    package: str
    distribution: Path
    plan: writing.Plan
    remains: tuple[str, ...]


def plan(loaded: Loaded, cwd: Path, package: str, convention: str | None) -> Scaffold:
    """Return the runtime of a convention for a package: that of the configuration, where none is named.

    Raises :class:`UsageError` for a convention or package that cannot be, :class:`errlint.errors.OutputError` where
    another file is in the way, and :class:`ConfigurationError` where the configuration says something else.
    """
    configured = _configured(loaded)
    named = _known(convention) if convention else configured or runtime.PLAIN
    if configured not in ("", named):
        raise UsageError(
            f"the configured convention is `{configured}`", hint="change the configuration, or leave --convention out"
        )
    where = destination.find(cwd, loaded.project, package)
    path = where.configuration
    before = _text(path)
    addition = runtime.configuration(named, where, states=not configured)
    after = extended(path, before, sections_of(addition))
    load_text(cwd, where.root, path, after.removeprefix("\ufeff"))  # refuses what would not be understood
    contents = dict(runtime.files(named, where))
    return Scaffold(
        convention=named,
        package=package,
        distribution=where.tests.parent,
        plan=writing.plan(where.root, contents, (path, before, after)),
        remains=runtime.remains(named, where),
    )


def _configured(loaded: Loaded) -> str:
    """Return the preset that the configuration builds on, "" where it names none that has a runtime."""
    names = (file.path.stem for file in loaded.convention.files if file.preset)
    return next((name for name in names if name in runtime.conventions()), "")


def _known(convention: str) -> str:
    known = runtime.conventions()
    if convention not in known:
        hint = did_you_mean(convention, known) or f"there are {', '.join(known)}"
        raise UsageError(f"there is no runtime for `{convention}`", hint=hint)
    return convention


def _text(path: Path) -> str:
    if not path.exists():
        return ""
    try:
        return read_bytes(path, MAX_CONFIGURATION_SIZE).decode("utf-8")
    except UnicodeDecodeError as error:
        raise ConfigurationError("the file is not UTF-8 text", place=Place(path)) from error
