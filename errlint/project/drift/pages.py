"""Which adapters a page is about: those that its file, or its first heading, is called like."""

from __future__ import annotations

import re
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, NamedTuple

from errlint.catalog.entry import Entry
from errlint.catalog.markdown import sections
from errlint.lazy import cached_property
from errlint.project.drift.binding import plain

if TYPE_CHECKING:
    from errlint.project import Project

_TITLE = re.compile(r"([a-z0-9]\w*)(?:\(.*|\s+[Tt]ool\b.*|\s*(?:[:–—-]\s.*)?)")
"""The first heading of a page that is about one tool: its name, alone or with what stands behind a sign."""


class Tool(NamedTuple):
    """An adapter: its file and function."""

    path: str
    function: str


class Pages:
    """Answers which adapters of one project its documents are about."""

    def __init__(self, project: Project) -> None:
        self._project = project
        self._tools: dict[str, frozenset[Tool]] = {}

    @cached_property
    def adapters(self) -> dict[str, frozenset[Tool]]:
        """The adapters, by their names as :func:`errlint.project.drift.binding.plain` has them."""
        found: dict[str, set[Tool]] = {}
        for path, module in self._project.modules.items():
            for function in module.functions:
                if self._project.adapters.is_adapter(path, function):
                    found.setdefault(plain(function.name), set()).add(Tool(path, function.name))
        return {name: frozenset(tools) for name, tools in found.items()}

    def called(self, name: str) -> frozenset[Tool]:
        """Return the adapters that a heading or file calls by a name."""
        return self.adapters.get(plain(name), frozenset())

    def around(self, entry: Entry) -> frozenset[Tool]:
        """Return the adapters that an entry stands below: by the nearest heading that calls one, or by the page."""
        for heading in (entry.title, *reversed(entry.sections)):
            titled = _TITLE.fullmatch(heading.strip("`* "))
            found = self.called(titled.group(1)) if titled is not None else frozenset()
            if found:
                return found
        return self.tools(entry.path)

    def tools(self, path: str) -> frozenset[Tool]:
        """Return the adapters that a document is about, none for one that is about none, or anything."""
        if path not in self._tools:
            text = self._project.documents.text(path)
            heading = next((section.heading.text for section in sections(text) if section.level == 1), "")
            titled = _TITLE.fullmatch(heading)
            by_title = self.called(titled.group(1)) if titled is not None else frozenset()
            self._tools[path] = by_title | self.called(PurePosixPath(path).stem)
        return self._tools[path]
