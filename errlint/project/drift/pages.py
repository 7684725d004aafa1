"""Which adapters a page is about: those that its file, or its first heading, is called like."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, NamedTuple

from errlint.catalog.binding import plain
from errlint.catalog.markdown import sections

if TYPE_CHECKING:
    from errlint.project import Project

_TITLE = re.compile(r"([a-z0-9]\w*)(?:\(.*|\s+[Tt]ool\b.*|\s*(?:[:–—-]\s.*)?)")
"""The first heading of a page that is about one tool: its name, alone or with what stands behind a sign."""


class Tool(NamedTuple):
    """An adapter: its file and function."""

    path: str
    function: str


def adapters(project: Project, paths: Iterable[str]) -> dict[str, set[Tool]]:
    """Return the adapters of some files, by how pages call them."""
    found: dict[str, set[Tool]] = {}
    for path in paths:
        for function in project.modules[path].functions:
            if project.is_adapter(path, function):
                found.setdefault(plain(function.name), set()).add(Tool(path, function.name))
    return found


def tools_of(path: str, text: str, by_name: Mapping[str, set[Tool]]) -> frozenset[Tool]:
    """Return the adapters that a page is about; ``by_name`` are those of :func:`adapters`."""
    heading = next((section.heading.text for section in sections(text) if section.level == 1), "")
    titled = _TITLE.fullmatch(heading)
    names = (titled.group(1) if titled is not None else "", PurePosixPath(path).stem)
    return frozenset(tool for name in names for tool in by_name.get(plain(name), ()))
