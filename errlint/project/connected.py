"""Which distributions have to do with each other: one imports something of the other, or both of a third.

What a rule says of a file rests on the files of its distribution and of those that are connected with it. That is told
by the text of their imports, which takes a hundredth of the time that their facts take; so a run over a few files reads
no more than it needs. Where it cannot be told, more counts as connected.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from errlint.collect.search_path import may_put_on_path, on_path
from errlint.project.names import below

if TYPE_CHECKING:
    from errlint.project.names import Layout
    from errlint.settings import Settings
    from errlint.settings.model import NamedSetting

_STATEMENT = re.compile(
    rb"(?:from[ \t\\\r\n]+([\w.]+)[ \t\\\r\n]+import[ \t\\\r\n]*(\([^)]*\)|(?:\\\r?\n|[^\n#;])*)"
    rb"|import[ \t\\\r\n]+((?:\\\r?\n|[^\n#;])*))"
)
_WORD = b"import"
_FROM = re.compile(rb"\bfrom[ \t\\\r\n]+[\w.]+[ \t\\\r\n]+$")
_LOOK_BACK = 300
"""So many bytes before ``import`` its ``from`` is looked for."""

_REGISTRY = "registry"
"""What a name of the settings is that is the one of a registry."""

_DEFINITION = rb"\bclass[ \t\\\r\n]+%s\b|(?:^|;)[ \t]*%s[ \t]*[:=,]"

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


def bare_registries(settings: Settings) -> frozenset[str]:
    """Return the names of registries in the settings that have no module: they may be defined anywhere."""
    return frozenset(named.name for named in settings.named if named.what == _REGISTRY and _is_bare(named.name))


def _is_bare(name: str) -> bool:
    return "." not in name and ":" not in name


def defined(data: bytes, names: Iterable[str]) -> tuple[str, ...]:
    """Return those of ``names`` that a file may define, read from its bytes."""
    return tuple(name for name in names if name.encode() in data and _defines(data, re.escape(name).encode()))


def _defines(data: bytes, pattern: bytes) -> bool:
    return re.search(_DEFINITION % (pattern, pattern), data, re.MULTILINE) is not None


class Group(NamedTuple):
    """Distributions that have to do with each other.

    What a rule says of their files rests on these, and on those of ``context``: what names of the settings mean stands
    there, which count whether they are imported or not.
    """

    distributions: frozenset[str]
    context: frozenset[str] = frozenset()


def groups(
    layout: Layout,
    reached: Mapping[str, Sequence[str]],
    definitions: Mapping[str, Sequence[str]],
    settings: Settings,
    configurations: Iterable[str],
) -> tuple[Group, ...]:
    """Return all distributions in groups, in order.

    ``reached`` are the distributions that the imports of each file lead to, tests left out, ``definitions`` which of
    :func:`bare_registries` it may define. What a test imports connects nothing: no finding of another file rests on a
    test. Nor does a finding of a test rest on code that its own distribution has nothing to do with. ``configurations``
    are the files in subfolders that may have settings, which hold below their folders.
    """
    neighbours: dict[str, set[str]] = {layout.distribution(path): set() for path in layout.paths}
    for path, distributions in reached.items():
        here = layout.distribution(path)
        for there in distributions:
            if there != here:
                neighbours[here].add(there)
                neighbours[there].add(here)
    by_distribution: dict[str, frozenset[str]] = {}
    for distribution in sorted(neighbours):
        if distribution not in by_distribution:
            together = _spread(neighbours, distribution)
            by_distribution.update(dict.fromkeys(together, together))
    context: dict[frozenset[str], set[str]] = {own: set() for own in by_distribution.values()}
    nested = {path: f"{path.rpartition('/')[0]}/" for path in configurations}
    for named in settings.named:
        meant = frozenset(map(layout.distribution, defining(layout, definitions, named)))
        folder = nested.get(named.file, "")
        for around in {by_distribution[each] for each in meant}:
            for path in layout.paths:
                if path.startswith(folder):
                    context[by_distribution[layout.distribution(path)]] |= around
    return tuple(Group(own, frozenset(others - own)) for own, others in context.items())


def defining(layout: Layout, definitions: Mapping[str, Sequence[str]], named: NamedSetting) -> Iterator[str]:
    """Yield the files in which a name of the settings may mean something: its longest module, else any that has it."""
    if _is_bare(named.name):
        if named.what == _REGISTRY:
            yield from (path for path, names in definitions.items() if named.name in names)
        return
    module = named.name.replace(":", ".").rpartition(".")[0]
    while module:
        target = layout.find(module, "")
        if target is not None:
            yield target
            return
        module = module.rpartition(".")[0]


def _spread(neighbours: Mapping[str, Iterable[str]], start: str) -> frozenset[str]:
    """Return what can be reached from ``start``, which is a part of it, by way of neighbours."""
    found, pending = set[str](), [start]
    while pending:
        current = pending.pop()
        if current not in found:
            found.add(current)
            pending.extend(neighbours[current])
    return frozenset(found)


class Reach:
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

    def distributions(self, path: str, names: Iterable[str]) -> frozenset[str]:
        """Return the distributions in which a file may get at something by what it imports."""
        found: set[str] = set()
        folder = path.rpartition("/")[0]
        names = tuple(names)
        put = self._put(path, names)
        for name in names:
            if name.startswith("="):
                continue
            for each in put:
                found.update(map(self._layout.distribution, self._from(each, name)))
            key = (folder, name)
            known = self._known.get(key)
            if known is None:
                known = self._known[key] = frozenset(self._reached(path, name))
            found |= known
        return frozenset(found)

    def files(self, path: str, names: Iterable[str]) -> frozenset[str]:
        """Return the files that the imports of a file lead to; what is below a package is not reached by its name."""
        names = tuple(names)
        put = self._put(path, names)
        plain = [name for name in names if not name.startswith("=")]
        there = {target for name in plain for target in self._targets(path, name)}
        return frozenset(there.union(target for name in plain for each in put for target in self._from(each, name)))

    def _put(self, path: str, names: Iterable[str]) -> Sequence[str]:
        """Return the folders that a file puts on the path."""
        return self._layout.folders(path, [name[1:] for name in names if name.startswith("=")])

    def _reached(self, path: str, name: str) -> Iterator[str]:
        yield from map(self._layout.distribution, self._targets(path, name))
        module, colon, attribute = name.partition(":")
        if attribute != "*":
            module = self._layout.absolute(module, path)
            yield from self._below.get(module if not colon else below(module, attribute), ())

    def _targets(self, path: str, name: str) -> Iterator[str]:
        """Yield the files that one import leads to."""
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
            return
        yield from self._at(module, path)
        if attribute != "*":
            yield from self._at(below(module, attribute), path)

    def _from(self, folder: str, name: str) -> Iterator[str]:
        """Yield the files that have what is imported, where it is looked for from a folder."""
        module, _, attribute = name.partition(":")
        for each in (module, below(module, attribute)):
            target = self._layout.file(folder, each) if not each.startswith(".") else None
            if target is not None:
                yield target

    def _at(self, module: str, path: str) -> Iterator[str]:
        # As an attribute of a package without a file of its own, a module is looked for from nowhere in particular.
        for importer in (path,) if module.startswith(".") else (path, ""):
            target = self._layout.find(module, importer)
            if target is not None:
                yield target
