"""``--show-settings``: every setting with its value and where it comes from."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from enum import Enum
from pathlib import Path
from typing import NamedTuple

import msgspec

from errlint.characters import printable, toml_string
from errlint.discover import discover, start
from errlint.errors import Place
from errlint.patterns import Patterns
from errlint.settings.configuration import OF_THE_ROOT
from errlint.settings.keys import ARRAYS, SECTIONS, Key, ValueKind, field
from errlint.settings.loading import Loaded
from errlint.settings.locate import ConfigurationFile
from errlint.settings.nested import Nested, read_nested
from errlint.settings.policy import Code, Policy
from errlint.settings.selection import DEFAULT_RULES
from errlint.settings.table import EXTEND, Answers, Origin, Table
from errlint.settings.toml_positions import find_keys, nearest

_COMMAND_LINE = "command line"
_DEFAULT = "default"


class Described(NamedTuple):
    """A setting by its dotted key; ``origin`` is ``default``, ``command line``, a file and line, or several of them."""

    name: str
    value: object
    origin: str


def describe(loaded: Loaded) -> list[Described]:
    """Return all settings as files, command line and defaults say them, before selectors are resolved."""
    answers = loaded.answers
    values = {name: value for name, value in answers.values.items() if not _is_of_policy(name)}
    values["extend-select"] = (*loaded.convention.selected, *_tuple(values["extend-select"]))
    if values.get("severity") == {} and any(name.startswith("severity.") for name in values):
        del values["severity"]
    values.pop("description", None)
    origins = {name: _origin(answers.given.get(name, ())) for name in values}
    if origins["select"] == _DEFAULT:
        values["select"] = tuple(sorted(DEFAULT_RULES))
    asked = loaded.command_line
    for name, selectors in (
        ("ignore", asked.ignore),
        ("extend-select", asked.extend_select),
        ("extend-ignore", asked.extend_ignore),
    ):
        if selectors is not None:  # added to what the file says
            values[name] = (*_tuple(values[name]), *selectors)
            origins[name] = _COMMAND_LINE if origins[name] == _DEFAULT else f"{origins[name]} and {_COMMAND_LINE}"
    replaced: dict[str, object] = {
        "select": asked.select,
        "per-file-ignores": asked.per_file_ignores,
        "cache-dir": asked.cache_dir,
        "baseline": asked.baseline if asked.use_baseline else "",
        "jobs": asked.jobs,
        "force-exclude": asked.force_exclude or None,
    }
    for name, value in replaced.items():
        if value is not None:
            values = {key: kept for key, kept in values.items() if not key.startswith(f"{name}.")}
            values[name] = value
            origins[name] = _COMMAND_LINE
    found = [Described(name, value, origins[name]) for name, value in values.items()]
    return found + list(_policy(loaded.settings.policy, answers))


def _is_of_policy(name: str) -> bool:
    """Whether a key is one of the policy itself: what files say of it adds up, and is shown as it does."""
    first = name.partition(".")[0].partition("[")[0].removeprefix(EXTEND)
    return first == "style" or first in SECTIONS or first in ARRAYS


def _policy(policy: Policy, answers: Answers) -> Iterator[Described]:
    """Yield every key of a policy."""
    yield Described("style", policy.style, _origin(answers.given.get("style", ())))
    names = Table(_NO_FILE)
    for array, keys in ARRAYS.items():
        parts = getattr(policy, field(array))
        if not parts:
            yield Described(array, [], _origin(answers.given.get(array, ())))
        for index, (part, item) in enumerate(zip(parts, answers.items.get(array, ()), strict=True)):
            for key in keys:
                origin = _origin((item.origins[key],)) if key in item.origins else _DEFAULT
                yield Described(f"{array}[{index}].{key}", getattr(part, field(key)), origin)
    for section, keys in SECTIONS.items():
        for key, spec in keys.items():
            value = getattr(getattr(policy, section), field(key))
            yield from _key(names, answers, f"{section}.{key}", spec, value)


def _key(names: Table, answers: Answers, name: str, spec: Key, value: object) -> Iterator[Described]:
    """Yield a key of a policy, or the entries of a table."""
    given = answers.given
    if not isinstance(value, dict) or not value:
        section, _, key = name.partition(".")
        extended = given.get(f"{section}.{EXTEND}{key}", []) if spec.kind is ValueKind.LIST else []
        yield Described(name, value, _origin((*given.get(name, ()), *extended)))
        return
    for entry, content in value.items():
        dotted = f"{name}.{names.dotted(entry)}"
        origins = given.get(dotted) or [
            origin for part in ("status", "retryable") for origin in given.get(f"{dotted}.{part}", ())
        ]
        yield Described(dotted, content, _origin(origins))


_NO_FILE = ConfigurationFile(Path(), "")


def _tuple(value: object) -> tuple[object, ...]:
    return value if isinstance(value, tuple) else ()


def _origin(origins: Iterable[Origin]) -> str:
    """Return the lines of keys; ``default`` for none."""
    found: list[str] = []
    for file, key in origins:
        position = nearest(find_keys(file.text), key)
        place = str(Place(file.path, position.line) if position else Place(file.path))
        if place not in found:
            found.append(place)
    return " and ".join(found) or _DEFAULT


def render(loaded: Loaded) -> str:
    """Return lines ``key = value  # origin``, the rules that run, and what the configurations of subfolders say.

    Raises :class:`ConfigurationError` for one of those that cannot be understood.
    """
    project, settings = loaded.project, loaded.settings
    file = str(project.file.path) if project.file else "none"
    lines = [f"# root: {project.root} ({project.reason})", f"# configuration: {file}"]
    if loaded.convention.files:
        described = f": {loaded.convention.description}" if loaded.convention.description else ""
        lines.append(f"# convention: {loaded.convention.files[0].path}{described}")
    lines += [f"{name} = {_literal(value)}  # {origin}" for name, value, origin in describe(loaded)]
    lines += [f"# rules that run: {' '.join(sorted(settings.rules))}"]
    found = discover(start(project.root), Patterns(settings.exclude)).configurations
    for nested in read_nested(project.root, found):
        lines += _nested(nested, applies=settings.nesting is not None)
    return "".join(f"{printable(line)}\n" for line in lines)


def _nested(nested: Nested, *, applies: bool) -> Iterator[str]:
    if not applies:
        yield f"# not read: {nested.file.path} (--config names another, or --isolated none)"
        return
    yield f"# for {nested.folder}/**: {nested.file.path}"
    for name, origins in nested.answers.given.items():
        what = "  # not applied: it is a setting of the root" if name.partition(".")[0] in OF_THE_ROOT else ""
        if all(origin.file is nested.file for origin in origins):
            yield f"#   {name} = {_literal(nested.answers.values[name])}{what}"


def _literal(value: object) -> str:
    """Return ``value`` as TOML writes it."""
    if isinstance(value, bool):
        return json.dumps(value)
    if isinstance(value, Code):
        value = {name: given for name, given in msgspec.structs.asdict(value).items() if given is not None}
    if isinstance(value, dict):
        return "{" + ", ".join(f"{_literal(key)} = {_literal(item)}" for key, item in value.items()) + "}"
    if isinstance(value, Enum):
        return _literal(value.value)
    if isinstance(value, (list, tuple)):
        return f"[{', '.join(_literal(item) for item in value)}]"
    return json.dumps(value) if isinstance(value, int) else toml_string(str(value))
