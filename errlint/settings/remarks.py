"""What a person should know of the configuration although the run is meaningful: a line each, with its place."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from itertools import takewhile

from errlint.errors import ConfigurationError, Place
from errlint.patterns import Patterns
from errlint.settings.loading import Loaded
from errlint.settings.locate import OWN_NAME, shadowed
from errlint.settings.model import Settings


def idle_globs(settings: Settings, paths: Collection[str]) -> Iterator[tuple[str | int, ...]]:
    """Yield the ways to the globs of a configuration that match none of some paths, but those that take back."""
    lists: list[tuple[tuple[str | int, ...], tuple[str, ...]]] = [
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


def _gone(settings: Settings, table: Mapping[str, object]) -> Iterator[tuple[tuple[str | int, ...], str]]:
    """Yield the ways to excluded globs whose folder is not there, with that; of others nobody knows without a walk."""
    for key in ("exclude", "extend-exclude"):
        globs = table.get(key)
        for index, glob in enumerate(globs if isinstance(globs, list) else ()):
            named = list(takewhile(lambda part: not set("*?[") & set(part), glob.strip("/").split("/")))
            is_anchored = "/" in glob.rstrip("/") and not glob.startswith("!")
            if is_anchored and named and not settings.root.joinpath(*named).exists():
                yield (key, index), "/".join(named)


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
    idle = () if paths is None else tuple(idle_globs(loaded.settings, paths))
    gone = () if paths is None else tuple(_gone(loaded.settings, file.table))
    if not idle and not gone and not lacks_adapters:
        return
    from errlint.settings.toml_positions import find_keys, nearest

    positions = find_keys(file.text)
    if lacks_adapters:
        position = nearest(positions, (*file.prefix, "adapters")) or (1, 1)
        hint = "name what makes one in `adapters.decorators`, `.registrations`, `.methods` or `.paths`"
        what = "no adapter is selected, so that rules about what clients are told have nothing to look at"
        yield str(ConfigurationError(what, hint=hint, place=Place(file.path, *position)))
    for key, folder in gone:
        place = Place(file.path, *(nearest(positions, (*file.prefix, *key)) or ()))
        what = f"this glob of `{key[0]}` matches nothing: there is no {folder}"
        yield str(ConfigurationError(what, hint="globs are relative to the root of the project", place=place))
    for key in idle:
        way = (*file.prefix, *key)
        if way not in positions:
            continue  # the default, or given on the command line
        place = Place(file.path, *(nearest(positions, way) or ()))
        hint = "see `errlint --show-files` for the files that there are"
        yield str(ConfigurationError(f"this glob of `{key[0]}` matches no file", hint=hint, place=place))
