"""Names of the settings as the project spells them: with the names by which its modules are imported there.

Where a folder of a repository is a distribution of its own, people name what is in it from the root of the repository,
as they import it where Python is started there.
"""

from __future__ import annotations

from collections.abc import Mapping as View
from typing import TypeVar, cast

import msgspec

from errlint.project.names import Layout
from errlint.settings import Settings

_Some = TypeVar("_Some")


def respelt(settings: Settings, layout: Layout) -> Settings:
    """Return settings that name what is in the project by the names of its modules."""
    found = {named.name: spelt for named in settings.named if (spelt := _spelt(layout, named.name)) != named.name}
    if not found:
        return settings
    return msgspec.structs.replace(
        settings, policy=_put(settings.policy, found), overrides=_put(settings.overrides, found)
    )


def _spelt(layout: Layout, name: str) -> str:
    module, rest = name.replace(":", "."), ""
    while "*" not in name and "." in module:
        module, _, last = module.rpartition(".")
        rest = f".{last}{rest}"
        if layout.files(module):
            return name
        path = layout.find(module, "")
        if path is not None:
            return f"{layout.module_name(path)}{rest}".removeprefix(".")
    return name


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
