"""A configuration with what names a runtime: what it says already stays, in its order and with its comments."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import tomlkit
from tomlkit.container import Container
from tomlkit.exceptions import ParseError
from tomlkit.items import Item, Table
from tomlkit.toml_document import TOMLDocument

from errlint.errors import ConfigurationError, Place
from errlint.settings.locate import SHARED_NAME

_TABLE = ("tool", "errlint")
_Into = TOMLDocument | Container | Table


def extended(path: Path, text: str, addition: str) -> str:
    """Return the text of a configuration (``path``) with an addition, which is the text of an errlint.toml.

    Raises :class:`ConfigurationError` where the text is no TOML, or says something else about the same key.
    """
    end = "\r\n" if "\r\n" in text else "\n"
    mark = "\ufeff" if text.startswith("\ufeff") else ""
    try:
        document = tomlkit.parse(text.removeprefix(mark).replace("\r\n", "\n"))
    except ParseError as error:
        raise ConfigurationError(f"syntax error: {error}", hint="write valid TOML", place=Place(path)) from error
    into: _Into = document
    prefix = _TABLE if path.name == SHARED_NAME else ()
    for depth, name in enumerate(prefix, 1):
        if name not in into:
            into.append(name, tomlkit.table(is_super_table=depth < len(prefix)))
        into = _table(path, into[name], prefix[:depth])
    _merge(path, into, tomlkit.parse(addition), prefix)
    return mark + tomlkit.dumps(document).replace("\n", end)


def _merge(path: Path, into: _Into, addition: Mapping[str, Item], above: tuple[str, ...]) -> None:
    for name, value in addition.items():
        key = (*above, name)
        if name not in into:
            into.append(name, value)
        elif isinstance(value, Mapping):
            _merge(path, _table(path, into[name], key), value, key)
        elif into[name] != value:
            message = f"`{'.'.join(key)}` is set already, and the runtime needs another value"
            hint = "take it out, or add what `--dry-run` prints yourself"
            raise ConfigurationError(message, hint=hint, place=Place(path))


def _table(path: Path, item: object, key: tuple[str, ...]) -> Table:
    if not isinstance(item, Mapping):
        raise ConfigurationError(f"`{'.'.join(key)}` is no table", hint="make it one", place=Place(path))
    return item  # type: ignore[return-value] # whatever tomlkit has for it: a table, an inline one, one in parts
