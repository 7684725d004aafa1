"""``--show-settings``: every setting with its value and where it comes from."""

from __future__ import annotations

import json
from enum import Enum
from typing import NamedTuple

from errlint.errors import Place
from errlint.settings.loading import Loaded
from errlint.settings.locate import nested_files
from errlint.settings.selection import DEFAULT_RULES
from errlint.settings.toml_positions import find_keys, nearest

_COMMAND_LINE = "command line"
_DEFAULT = "default"


class Described(NamedTuple):
    """A setting by its dotted key; ``origin`` is ``default``, ``command line``, a file and line, or two."""

    name: str
    value: object
    origin: str


def describe(loaded: Loaded) -> list[Described]:
    """Return all settings as file, command line and defaults say them, before selectors are resolved."""
    values = dict(loaded.answers.values)
    origins = dict.fromkeys(values, _DEFAULT) | _origins_in_file(loaded)
    if origins["select"] == _DEFAULT:
        values["select"] = tuple(sorted(DEFAULT_RULES))
    asked = loaded.command_line
    for name, selectors in (
        ("ignore", asked.ignore),
        ("extend-select", asked.extend_select),
        ("extend-ignore", asked.extend_ignore),
    ):
        if selectors is not None:  # added to what the file says
            before = values[name]
            values[name] = (*(before if isinstance(before, tuple) else ()), *selectors)
            origins[name] = _COMMAND_LINE if origins[name] == _DEFAULT else f"{origins[name]} and {_COMMAND_LINE}"
    replaced: dict[str, object] = {
        "select": asked.select,
        "per-file-ignores": asked.per_file_ignores,
        "cache-dir": asked.cache_dir,
        "jobs": asked.jobs,
        "force-exclude": asked.force_exclude or None,
    }
    for name, value in replaced.items():
        if value is not None:
            values = {key: kept for key, kept in values.items() if not key.startswith(f"{name}.")}
            values[name] = value
            origins[name] = _COMMAND_LINE
    return [Described(name, value, origins[name]) for name, value in values.items()]


def _origins_in_file(loaded: Loaded) -> dict[str, str]:
    file = loaded.project.file
    if file is None:
        return {}
    positions = find_keys(file.text)
    found = {name: nearest(positions, key) for name, key in loaded.answers.given.items()}
    return {name: str(Place(file.path, position.line)) for name, position in found.items() if position}


def render(loaded: Loaded) -> str:
    """Return lines ``key = value  # origin``, the rules that run, and the configurations not read."""
    project = loaded.project
    file = str(project.file.path) if project.file else "none"
    lines = [f"# root: {project.root} ({project.reason})", f"# configuration: {file}"]
    lines += [f"{name} = {_literal(value)}  # {origin}" for name, value, origin in describe(loaded)]
    lines += [f"# rules that run: {' '.join(sorted(loaded.settings.rules))}"]
    lines += [
        f"# not read: {path} (run errlint in its folder to use it)"
        for path in nested_files(project.root, loaded.settings.exclude)
    ]
    return "\n".join(lines) + "\n"


def _literal(value: object) -> str:
    """Return ``value`` as TOML writes it."""
    if isinstance(value, Enum):
        return json.dumps(value.value)
    if isinstance(value, (list, tuple)):
        return f"[{', '.join(_literal(item) for item in value)}]"
    return json.dumps(value if isinstance(value, (str, int, dict)) else str(value), ensure_ascii=False)
