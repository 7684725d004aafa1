"""What a person should know of the configuration although the run is meaningful: a line each, with its place."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from itertools import takewhile

from errlint.errors import ConfigurationError, Place
from errlint.patterns import Patterns
from errlint.rules import FATAL_RULES
from errlint.settings.loading import Loaded
from errlint.settings.locate import OWN_NAME, ConfigurationFile, shadowed
from errlint.settings.model import Settings

_Way = tuple[str | int, ...]
_RELATIVE = "globs are relative to the root of the project"


def idle_globs(settings: Settings, paths: Collection[str]) -> Iterator[_Way]:
    """Yield the ways to the globs of a configuration that match none of some paths, but those that take back."""
    lists: list[tuple[_Way, tuple[str, ...]]] = [
        (("include",), settings.include),
        (("tests",), settings.tests),
        (("adapters", "paths"), settings.adapters.paths),
    ]
    lists += [(("overrides", index, "paths"), each.paths) for index, each in enumerate(settings.overrides)]
    globs = [((*key, index), glob) for key, each in lists for index, glob in enumerate(each)]
    globs += [(("per-file-ignores", glob), glob) for glob, _ in settings.per_file_ignores]
    for key, glob in globs:
        matches = Patterns((glob,)).matches
        if not glob.startswith("!") and not any(map(matches, paths)):
            yield key


def _gone(settings: Settings, table: Mapping[str, object]) -> Iterator[tuple[_Way, str]]:
    """Yield the ways to excluded globs whose folder is not there, with that; of others nobody knows without a walk."""
    for key in ("exclude", "extend-exclude"):
        globs = table.get(key)
        for index, glob in enumerate(globs if isinstance(globs, list) else ()):
            named = list(takewhile(lambda part: not set("*?[") & set(part), glob.strip("/").split("/")))
            is_anchored = "/" in glob.rstrip("/") and not glob.startswith("!")
            if is_anchored and named and not settings.root.joinpath(*named).exists():
                yield (key, index), "/".join(named)


def _repeated(value: object, way: _Way = ()) -> Iterator[tuple[_Way, str]]:
    """Yield the ways to strings that stand in a list before already, with them."""
    if isinstance(value, Mapping):
        for key, inner in value.items():
            yield from _repeated(inner, (*way, key))
    elif isinstance(value, list):
        for index, item in enumerate(value):
            if isinstance(item, str) and item in value[:index]:
                yield (*way, index), item
            elif isinstance(item, Mapping):
                yield from _repeated(item, (*way, index))


def remarks(loaded: Loaded, paths: Collection[str] | None, *, lacks_adapters: bool = False) -> Iterator[str]:
    """Yield the remarks on a configuration; ``paths`` are all files of the project, ``None`` where some are named.

    ``lacks_adapters`` is true where it selects no adapter.
    """
    file = loaded.project.file
    if file is None:
        return
    if (place := shadowed(file)) is not None:
        hint = f"move it into {OWN_NAME}, or delete one of them"
        yield str(ConfigurationError(f"not read, since {OWN_NAME} is beside it", hint=hint, place=place))
    found = list(_remarks(loaded, file, paths, lacks_adapters))
    if not found:
        return
    from errlint.settings.toml_positions import find_keys, nearest

    positions = find_keys(file.text)
    for way, what, hint in found:
        if len(way) > 1 and (*file.prefix, *way) not in positions:
            continue  # the default, or given on the command line
        place = Place(file.path, *(nearest(positions, (*file.prefix, *way)) or (1, 1)))
        yield str(ConfigurationError(what, hint=hint, place=place))


def _remarks(
    loaded: Loaded, file: ConfigurationFile, paths: Collection[str] | None, lacks_adapters: bool
) -> Iterator[tuple[_Way, str, str]]:
    """Yield the ways to what is remarked on, what that is, and what to do about it."""
    settings = loaded.settings
    if settings.rules <= FATAL_RULES:
        key = next((key for key in ("select", "ignore") if key in file.table), "extend-ignore")
        hint = "`select` and `extend-select` have the rules that run, `ignore` takes some of them away"
        yield (key,), "no rule is left to run, but those about files that cannot be checked", hint
    for way, text in _repeated(file.table):
        yield way, f"`{text}` stands in this list twice", "take one of them out"
    if paths is None:
        return
    if lacks_adapters:
        hint = "name what makes one in `adapters.decorators`, `.registrations`, `.methods` or `.paths`"
        what = "no adapter is selected, so that rules about what clients are told have nothing to look at"
        yield ("adapters",), what, hint
    for way, folder in _gone(settings, file.table):
        yield way, f"this glob of `{way[0]}` matches nothing: there is no {folder}", _RELATIVE
    for way in idle_globs(settings, paths):
        hint = f"{_RELATIVE}; `errlint --show-files` lists its files"
        yield way, f"this glob of `{way[0]}` matches no file", hint
