"""The error catalogs of a project: their texts and entries, and what they may refer to."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType

from errlint.catalog.entry import Entry
from errlint.catalog.regions import MarkerError, Region, lines, regions
from errlint.facts import Problem
from errlint.settings.policy import Catalog
from errlint.source import UndecodableError, decode, read_text


class Documents:
    """The documents that list errors; each is read once."""

    def __init__(
        self,
        root: Path,
        texts: Mapping[str, str],
        paths: frozenset[str],
        contents: Mapping[str, bytes] | None = None,
        unread: Mapping[str, Problem] = MappingProxyType({}),
    ) -> None:
        """``texts`` are those of the catalogs by path, ``paths`` all Python and Markdown files below the root.

        ``contents`` are read in place of files, as those of an editor or of a fix that is tried out. ``unread`` says
        why a catalog has no text.
        """
        self.texts = texts
        self.paths = paths
        self.unread = unread
        self._root = root
        self._contents = contents or {}
        self._entries: dict[str, tuple[Entry, ...]] = {}
        self._regions: dict[str, tuple[Region, ...]] = {}

    def entries(self, path: str, layout: Catalog) -> tuple[Entry, ...]:
        """Return the entries of a catalog."""
        if path not in self._entries:
            from errlint.catalog.reader import read  # takes as long to import as a small project to check

            self._entries[path] = read(path, self.texts[path], layout)
        return self._entries[path]

    def is_generated(self, path: str, line: int) -> bool:
        """Whether a line of a catalog stands in a region that is written from the code: ERR510 is about that."""
        if path not in self._regions:
            try:
                self._regions[path] = regions(lines(self.texts[path])) if "<!--" in self.texts[path] else ()
            except MarkerError:
                self._regions[path] = ()
        return any(region.begin <= line <= region.end for region in self._regions[path])

    def text(self, path: str) -> str:
        """Return the text of any document or file of code, "" for one that cannot be read."""
        if path in self.texts:
            return self.texts[path]
        if path not in self._contents:
            return read_text(self._root / path) or ""
        try:
            return decode(self._contents[path])
        except UndecodableError:
            return ""
