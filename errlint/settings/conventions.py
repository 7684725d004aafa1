"""Conventions: files with a policy that configurations build on. Those that come with errlint are the presets."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

import msgspec

from errlint.errors import ConfigurationError
from errlint.findings import Severity
from errlint.settings import sections
from errlint.settings.locate import ConfigurationFile, read_file
from errlint.settings.policies import policy_changes
from errlint.settings.policy import Policy, changed
from errlint.settings.selection import DEFAULT_RULES, expand
from errlint.settings.table import Table
from errlint.suggest import did_you_mean
from errlint.workspace.links import leads_out, project_around


class Convention(msgspec.Struct, frozen=True):
    """What the conventions of a configuration come to: a policy, severities and the rules that run by default.

    ``selected`` are the selectors that rules were added by, ``files`` those that say so, the one that the configuration
    names first; ``description`` is the first one's.
    """

    policy: Policy = Policy()
    severity: Mapping[str, Severity] = msgspec.field(default_factory=dict)
    rules: frozenset[str] = DEFAULT_RULES
    selected: tuple[str, ...] = ()
    files: tuple[ConfigurationFile, ...] = ()
    description: str = ""


def presets_directory() -> Path:
    """Where the presets are: inside the installed package, or beside it in a checkout."""
    package = Path(__file__).resolve().parent.parent
    installed = package / "rules" / "conventions"
    return installed if installed.is_dir() else package.parent / "rules" / "conventions"


def presets() -> dict[str, Convention]:
    """Return the conventions that come with errlint, by their names."""
    names = sorted(path.stem for path in presets_directory().glob("*.toml"))
    return {name: read_convention(Table(ConfigurationFile(Path(), "", (), {"convention": name}))) for name in names}


def read_convention(table: Table) -> Convention:
    """Return the convention that ``table`` builds on, with all that this one builds on itself.

    Mistakes are noted in the table. Raises :class:`ConfigurationError` for a file that is not TOML.
    """
    tables = _chain(table)
    found = Convention()
    for each in reversed(tables):
        found = _read(each, found)
    table.text("convention")  # the last answer is the one of the configuration itself
    return found


def _chain(table: Table) -> list[Table]:
    """Return the files that ``table`` builds on, the nearest first."""
    found: list[Table] = []
    seen = [table.file.path]
    while name := table.text("convention"):
        file = _open(table, name)
        if file is None:
            break
        if file.path in seen:
            circle = " -> ".join(path.name for path in (*seen[seen.index(file.path) :], file.path))
            table.refuse(f"goes round in a circle: {circle}", "convention")
            break
        seen.append(file.path)
        table = Table(file, answers=table.answers)
        found.append(table)
    return found


def _open(table: Table, name: str) -> ConfigurationFile | None:
    """Return the file that ``name``, a preset or a path, means in ``table``; ``None`` after a mistake."""
    if "/" not in name and "\\" not in name and not name.endswith(".toml"):
        return _preset(table, name)
    path = Path(os.path.normpath(table.file.path.parent / name))
    inside = table.file.inside
    if inside is not None and leads_out(project_around(inside), path):
        hint = "put the convention into the project, or name the configuration itself with --config"
        table.refuse(f"names {path}, which is outside of the project", "convention", hint=hint)
        return None
    try:
        file = read_file(path, inside)
    except ConfigurationError as error:
        if error.place is not None and error.place.line:
            raise
        table.refuse(f"names {path}, but {error.message}", "convention")
        return None
    if file is None:
        table.refuse(f"names no file: there is no {path}", "convention")
    return file


def _preset(table: Table, name: str) -> ConfigurationFile | None:
    folder = presets_directory()
    file = read_file(folder / f"{name}.toml")
    if file is None:
        known = sorted(path.stem for path in folder.glob("*.toml"))
        hint = did_you_mean(name, known) or f"there are {', '.join(known)}; a path has a slash or ends with .toml"
        table.refuse(f'names no preset: there is no "{name}"', "convention", hint=hint)
        return None
    return msgspec.structs.replace(file, preset=True)


def _read(table: Table, below: Convention) -> Convention:
    """Return what a convention's file makes of the one it builds on."""
    file = table.file
    description = table.text("description")
    selected = sections.selectors(table, "extend-select")
    severity = sections.severity(table.table("severity")) if "severity" in table else {}
    policy = changed(below.policy, policy_changes(table) | {"name": file.path.stem})
    table.expect("convention", "severity")
    table.finish()
    return Convention(
        policy=policy,
        severity={**below.severity, **severity},
        rules=below.rules.union(*map(expand, selected)),
        selected=(*below.selected, *selected),
        files=(file, *below.files),
        description=description,
    )
