"""Which distributions have to do with each other: one imports something of the other, or both of a third.

What a rule says of a file rests on the files of its distribution and of those that are connected with it. That is told
by the text of their imports, which takes a hundredth of the time that their facts take; so a run over a few files reads
no more than it needs. Where it cannot be told, more counts as connected.
"""

from __future__ import annotations

import re
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from errlint import __version__
from errlint.cache import RACY_NS, Cache, Imports, digest
from errlint.collect.search_path import may_put_on_path, on_path
from errlint.patterns import Patterns
from errlint.project.names import below
from errlint.settings.policy import changed
from errlint.source import read_bytes
from errlint.workspace.entries import State

if TYPE_CHECKING:
    from errlint.facts import Module
    from errlint.project.names import Layout
    from errlint.settings import Settings

_STATEMENT = re.compile(
    rb"(?:from[ \t\\\r\n]+([\w.]+)[ \t\\\r\n]+import[ \t\\\r\n]*(\([^)]*\)|(?:\\\r?\n|[^\n#;])*)"
    rb"|import[ \t\\\r\n]+((?:\\\r?\n|[^\n#;])*))"
)
_WORD = b"import"
_FROM = re.compile(rb"\bfrom[ \t\\\r\n]+[\w.]+[ \t\\\r\n]+$")
_LOOK_BACK = 300
"""So many bytes before ``import`` its ``from`` is looked for."""

_NAME = re.compile(rb"(?:^|[,(])(?:\s|\\|#[^\n]*\n)*([\w.*]+)")


def imported(data: bytes) -> tuple[str, ...]:
    """Return what a file imports, once each: ``module`` for the module itself, ``module:name`` for a name in it.

    Read from its bytes: what stands in a string may look like an import. The folders that it puts on the path are there
    too, behind an equals sign.
    """
    found: dict[str, None] = {}
    position = data.find(_WORD)
    while position >= 0:
        start = data.rfind(b"\n", 0, position) + 1
        line = data[start:position]
        if (around := _FROM.search(data, max(0, position - _LOOK_BACK), position)) is not None:
            start = around.start()
        else:
            start = position
        match = _STATEMENT.match(data, start) if b"#" not in line else None
        if match is not None:
            module, names, plain = match.groups()
            listed = [name.decode("utf-8", "replace") for name in _NAME.findall(plain if module is None else names)]
            if module is None:
                found.update(dict.fromkeys(listed))
            else:
                text = module.decode("utf-8", "replace")
                found.update(dict.fromkeys(f"{text}:{name}" for name in listed))
        position = data.find(_WORD, max(position + 1, match.end() if match is not None else 0))
    if may_put_on_path(data):
        found.update(dict.fromkeys(f"={folder}" for folder in on_path(data.decode("utf-8", "replace"))))
    return tuple(found)


def read_imports(
    root: Path,
    paths: Iterable[str],
    states: Mapping[str, State],
    contents: Mapping[str, bytes],
    cache: Cache | None,
) -> dict[str, tuple[str, ...]]:
    """Return what files (relative to the root) import, from the cache where it knows; ``contents`` replace some files.

    A file that cannot be read imports nothing.
    """
    name = digest(f"{__version__}\0{root}".encode("utf-8", "surrogateescape")).hex()[:16]
    stored = cache.load_imports(name) if cache is not None else None
    old = stored.written - RACY_NS if stored is not None else 0
    known = stored.files if stored is not None else {}
    started = time.time_ns()
    found: dict[str, tuple[str, ...]] = {}
    fresh: dict[str, tuple[State, tuple[str, ...]]] = {}
    for path in paths:
        if path in contents:
            found[path] = imported(contents[path])
            continue
        state = states[path]
        entry = known.get(path)
        if entry is None or entry[0] != state or state.modified > old:
            entry = fresh[path] = (state, _imported_by(root, path))
        found[path] = entry[1]
    if cache is not None and fresh:
        kept = {path: entry for path, entry in known.items() if path in states and entry[0].modified <= old}
        cache.store(name, Imports(started, {**kept, **fresh}))
    return found


def _imported_by(root: Path, path: str) -> tuple[str, ...]:
    try:
        return imported(read_bytes(f"{root}/{path}"))
    except OSError:
        return ()


def connected(
    layout: Layout, imports: Mapping[str, Sequence[str]], start: Iterable[str], tested: frozenset[str]
) -> frozenset[str]:
    """Return some distributions and all that have to do with them.

    ``imports`` are those of all files, tests included: what a test imports connects it where its distribution is one of
    ``tested``, whose tests are reported on. No finding of another file rests on a test.
    """
    reading = _Spread(layout)
    neighbours: dict[str, set[str]] = {}
    for path, names in imports.items():
        here = layout.distribution(path)
        if path not in layout.paths and here not in tested:
            continue
        for there in reading.reached(path, names):
            if there != here:
                neighbours.setdefault(here, set()).add(there)
                neighbours.setdefault(there, set()).add(here)
    return spread(neighbours, start)


def connections(layout: Layout, modules: Mapping[str, Module]) -> dict[str, set[str]]:
    """Return the distributions that each one has to do with: it imports something of theirs, or they of it."""
    reading = _Spread(layout)
    found: dict[str, set[str]] = {}
    for path, module in modules.items():
        here = layout.distribution(path)
        names = (f"{item.module}:{item.attribute}" if item.attribute else item.module for item in module.imports)
        for there in reading.reached(path, (*names, *(f"={folder}" for folder in module.on_path))):
            if there != here:
                found.setdefault(here, set()).add(there)
                found.setdefault(there, set()).add(here)
    return found


def spread(neighbours: Mapping[str, Iterable[str]], start: Iterable[str]) -> frozenset[str]:
    """Return what can be reached from ``start``, which is a part of it, by way of neighbours."""
    found, pending = set[str](), [*start]
    while pending:
        current = pending.pop()
        if current not in found:
            found.add(current)
            pending.extend(neighbours.get(current, ()))
    return frozenset(found)


class _Spread:
    """Answers which distributions imports lead to."""

    def __init__(self, layout: Layout) -> None:
        self._layout = layout
        self._known: dict[tuple[str, str], frozenset[str]] = {}
        self._below: dict[str, set[str]] = {}
        for module in layout.modules:
            package = module.rpartition(".")[0]
            there = {layout.distribution(path) for path in layout.files(module)}
            while package:
                self._below.setdefault(package, set()).update(there)
                package = package.rpartition(".")[0]

    def reached(self, path: str, names: Iterable[str]) -> frozenset[str]:
        """Return the distributions in which a file may get at something by what it imports."""
        found: set[str] = set()
        folder = path.rpartition("/")[0]
        names = tuple(names)
        put = self._layout.folders(path, [name[1:] for name in names if name.startswith("=")])
        for name in names:
            if name.startswith("="):
                continue
            for each in put:
                found.update(self._from(each, name))
            key = (folder, name)
            known = self._known.get(key)
            if known is None:
                known = self._known[key] = frozenset(self._reached(path, name))
            found |= known
        return frozenset(found)

    def _reached(self, path: str, name: str) -> Iterator[str]:
        module, colon, attribute = name.partition(":")
        if module.startswith("."):
            yield from self._at(module, path)
            if attribute != "*":
                yield from self._at(below(module, attribute), path)
        module = self._layout.absolute(module, path)
        if not colon:
            parts = module.split(".")
            for count in range(1, len(parts) + 1):
                yield from self._at(".".join(parts[:count]), path)
            yield from self._below.get(module, ())
            return
        yield from self._at(module, path)
        if attribute != "*":
            whole = f"{module}.{attribute}" if module else attribute
            yield from self._at(whole, path)
            yield from self._below.get(whole, ())

    def _from(self, folder: str, name: str) -> Iterator[str]:
        """Yield the distributions that have what is imported, where it is looked for from a folder."""
        module, _, attribute = name.partition(":")
        for each in (module, below(module, attribute)):
            target = self._layout.file(folder, each) if not each.startswith(".") else None
            if target is not None:
                yield self._layout.distribution(target)

    def _at(self, module: str, path: str) -> Iterator[str]:
        # As an attribute of a package without a file of its own, a module is looked for from nowhere in particular.
        for importer in (path,) if module.startswith(".") else (path, ""):
            target = self._layout.find(module, importer)
            if target is not None:
                yield self._layout.distribution(target)


def named(layout: Layout, settings: Settings, paths: Iterable[str]) -> frozenset[str] | None:
    """Return the distributions with the registries that the settings name for some files; ``None`` for all of them.

    A registry counts for every file of its policy, imported or not; one without a module may be anywhere.
    """
    paths = tuple(paths)
    names = {*settings.policy.codes.registry}
    for override in settings.overrides:
        if override.policy and any(map(Patterns(override.paths).matches, paths)):
            names.update(changed(settings.policy, override.policy).codes.registry)
    found: set[str] = set()
    for name in names:
        parts = name.replace(":", ".").split(".")
        modules = (".".join(parts[:cut]) for cut in range(len(parts) - 1, 0, -1))
        target = next((path for module in modules if (path := layout.find(module, "")) is not None), None)
        if target is None:
            return None
        found.add(layout.distribution(target))
    return frozenset(found)
