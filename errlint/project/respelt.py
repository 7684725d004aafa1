"""Names of the settings as the project spells them: with the names of the modules that define what they stand for.

Where a folder of a repository is a distribution of its own, people name what is in it from the root of the repository,
as they import it where Python is started there; and where a package hands on what its modules define, they name it as
they import it from the package.
"""

from __future__ import annotations

from collections.abc import Mapping as View
from typing import TypeVar, cast

import msgspec

from errlint.project.names import ClassSymbol, FunctionSymbol, Layout, Names
from errlint.settings import Settings

_Some = TypeVar("_Some")


def respelt(settings: Settings, layout: Layout, names: Names) -> Settings:
    """Return settings that name what is in the project by the names of its modules.

    A name whose definition was not read, as in a run over named paths, stays as it is.
    """
    found = {named.name: _spelt(layout, names, named.name) for named in settings.named}
    if all(name == spelt for name, spelt in found.items()):
        return settings
    return msgspec.structs.replace(
        settings, policy=_put(settings.policy, found), overrides=_put(settings.overrides, found)
    )


def _spelt(layout: Layout, names: Names, name: str) -> str:
    module, rest = name.replace(":", "."), ""
    while "*" not in name and "." in module:
        module, _, last = module.rpartition(".")
        rest = f".{last}{rest}"
        files = layout.files(module)
        if files:
            return _defined(layout, names, files[0], rest[1:]) or name if len(files) == 1 else name
        path = layout.find(module, "")
        if path is not None:
            spelt = f"{layout.module_name(path)}{rest}".removeprefix(".")
            return _defined(layout, names, path, rest[1:]) or spelt
    return name


def _defined(layout: Layout, names: Names, path: str, name: str) -> str:
    """Return the dotted name of what a module only imports, "" for what it defines itself and for what is not known."""
    found = names.resolve(path, name)
    if not isinstance(found, (ClassSymbol, FunctionSymbol)) or found.path == path:
        return ""
    own = found.definition.name if isinstance(found, ClassSymbol) else found.function.name
    return ".".join(filter(None, (layout.module_name(found.path), own)))


def _put(value: _Some, names: View[str, str]) -> _Some:
    """Return a value with other names in all of its parts."""
    found: object = value
    if isinstance(value, str):
        found = names.get(value, value)
    elif isinstance(value, tuple):
        found = tuple(_put(item, names) for item in value)
    elif isinstance(value, frozenset):
        found = frozenset(_put(item, names) for item in value)
    elif isinstance(value, dict):
        found = {_put(key, names): _put(item, names) for key, item in value.items()}
    elif isinstance(value, msgspec.Struct):
        parts = {name: _put(getattr(value, name), names) for name in value.__struct_fields__}
        found = msgspec.structs.replace(value, **parts)
    return cast("_Some", found)
