"""Which files are near another one: what it imports, what imports it, and so on, up to a limit."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from errlint.cache import Content
from errlint.pipeline import Division
from errlint.project.connected import Reach, imported


class Nearness:
    """Knows which file of a project imports which other, and how large they are."""

    def __init__(self, division: Division, earlier: Nearness | None = None) -> None:
        """Look up where all imports lead; what ``earlier`` knows of the same files is taken over."""
        self._reach = Reach(division.layout)
        self._where = division.where
        known = earlier._targets if earlier is not None and earlier._where == division.where else {}
        self._targets: dict[str, tuple[bytes, frozenset[str]]] = {}
        self._importers: dict[str, set[str]] = {}
        for path in division.layout.paths:
            content = division.contents[path]
            old = known.get(path)
            is_same = old is not None and old[0] == content.digest
            self._targets[path] = (
                old if old is not None and is_same else (content.digest, self._imported(path, content))
            )
            for target in self._targets[path][1]:
                self._importers.setdefault(target, set()).add(path)

    def _imported(self, path: str, content: Content) -> frozenset[str]:
        return self._reach.files(path, content.imports or ())

    def imported_by(self, path: str, data: bytes) -> frozenset[str]:
        """Return the files that a content of ``path`` imports."""
        return self._reach.files(path, imported(data))

    def around(self, path: str, first: Iterable[str], sizes: Mapping[str, int], limit: int) -> frozenset[str]:
        """Return the files of ``sizes`` that are nearest to ``path``, those of ``first`` among them, itself as well.

        ``sizes`` are in bytes, and no more is added when there are ``limit`` of them.
        """
        found: dict[str, None] = {}
        size = 0
        pending = [path, *first]
        while pending:
            after: dict[str, None] = {}
            for each in pending:
                if each in found or each not in sizes:
                    continue
                if found and size + sizes[each] > limit:
                    continue
                found[each] = None
                size += sizes[each]
                # What it means stands in what it imports; who uses it comes after that.
                after.update(dict.fromkeys(sorted(self._targets[each][1])))
                after.update(dict.fromkeys(sorted(self._importers.get(each, ()))))
            pending = [each for each in after if each not in found]
        return frozenset(found)
