"""Where a runtime goes: the folder of its package, that of its tests, and the configuration that names it."""

from __future__ import annotations

import keyword
import sys
from pathlib import Path
from typing import NamedTuple

from errlint.errors import Place, UsageError
from errlint.settings.locate import OWN_NAME, SHARED_NAME, LocatedProject

_HINT = "name a package in one that is there, as `pkg.errors`"


class Destination(NamedTuple):
    """The places of a runtime, all absolute: ``root`` is the project's, ``folder`` the package's.

    ``package`` is its dotted name, as it is imported.
    """

    root: Path
    package: str
    folder: Path
    tests: Path
    configuration: Path


def find(cwd: Path, located: LocatedProject, package: str) -> Destination:
    """Return where a package with a dotted name goes, seen from the folder ``cwd`` of a project.

    Its first part is a package in ``cwd`` or above it, or in the folder ``src`` of one of these. A name of one part
    is a package beside the modules there.

    Raises :class:`UsageError` where that is no name, or nothing has its first part.
    """
    parts = package.split(".")
    if not all(part.isidentifier() and not keyword.iskeyword(part) for part in parts):
        raise UsageError(f"`{package}` is no name of a package", hint=_HINT)
    if parts[0] in sys.stdlib_module_names:
        raise UsageError(f"`{package}` would hide the module `{parts[0]}` of the standard library", hint=_HINT)
    base, source = _source(cwd, located.root, parts)
    for depth in range(1, len(parts) + 1):
        module = source.joinpath(*parts[:depth]).with_suffix(".py")
        if module.is_file():
            hint = "give the package another name, or move what the module has into it first"
            raise UsageError(f"`{'.'.join(parts[:depth])}` is a module already", hint=hint, place=Place(module))
    for depth in range(1, len(parts)):
        if not source.joinpath(*parts[:depth]).is_dir():
            raise UsageError(f"there is no package `{'.'.join(parts[:depth])}` in {source}", hint=_HINT)
    return Destination(
        root=located.root,
        package=package,
        folder=source.joinpath(*parts),
        tests=base / "tests",
        configuration=_configuration(located),
    )


def _source(cwd: Path, root: Path, parts: list[str]) -> tuple[Path, Path]:
    """Return the folder of the distribution, and the one in it that its modules are imported from."""
    inside = [folder for folder in (cwd, *cwd.parents) if folder == root or root in folder.parents]
    for folder in inside:
        for source in (folder / "src", folder):
            if (source / parts[0]).is_dir() or (source / f"{parts[0]}.py").is_file():
                return folder, source
    if len(parts) == 1:
        for folder in inside:
            for source in (folder / "src", folder):
                if next(source.glob("*.py"), None):
                    return folder, source
    raise UsageError(f"there is no package `{parts[0]}` in {cwd}, or in a folder around it", hint=_HINT)


def _configuration(located: LocatedProject) -> Path:
    if located.file is not None:
        return located.file.path
    shared = located.root / SHARED_NAME
    return shared if shared.is_file() else located.root / OWN_NAME
