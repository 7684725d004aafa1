"""What a project has: its adapters, exceptions, registries and catalogs, and the preset that it looks like."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from msgspec import structs

from errlint.discover import discover, start
from errlint.fix.source_cache import Files
from errlint.init.boundaries import Candidate, candidates
from errlint.patterns import Patterns
from errlint.pipeline import build
from errlint.project import Project
from errlint.project.names import ClassSymbol
from errlint.project.registry import Registry, texts_of
from errlint.request import Request, Stopwatch
from errlint.run import open_cache, read_states, select
from errlint.settings.conventions import presets
from errlint.settings.model import DEFAULT_EXCLUDE
from errlint.settings.policy import Boundary
from errlint.source import read_bytes

_NEEDED = frozenset({"ERR108", "ERR201", "ERR205", "ERR301", "ERR312"})
"""Rules whose facts the evidence rests on."""

_MOST_BYTES = 1_000_000
_LEAST_NAMES = 2
"""How many names of a preset a project has to have before it is said to fit."""

_LEAST_CODES = 3
"""How many codes a Markdown file has to mention before it is taken for a catalog."""


class Adapters(NamedTuple):
    """How many adapters there are by what makes them such, in how many files, and the place of one."""

    how: str
    number: int
    first: str


class Root(NamedTuple):
    """A class that exceptions of the project are below: its name, its place, and how many are."""

    name: str
    place: str
    heirs: int
    cause: str


class NamedPlace(NamedTuple):
    """A registry or a catalog: its name, its place, and how many codes it has."""

    name: str
    place: str
    codes: int


class Preset(NamedTuple):
    """A preset, and the names of it that the project defines."""

    name: str
    hits: tuple[str, ...]


class Evidence(NamedTuple):
    """All that a configuration is proposed from."""

    adapters: tuple[Adapters, ...]
    boundaries: tuple[Candidate, ...]
    roots: tuple[Root, ...]
    registries: tuple[NamedPlace, ...]
    catalogs: tuple[NamedPlace, ...]
    preset: Preset | None


def gather(request: Request) -> Evidence:
    """Read a project, without what a configuration may say of it."""
    settings = request.settings
    selection = select(request)
    states = read_states(settings.root, selection.known)
    # Adapters without a candidate in them are only read where a boundary may be missing on them.
    policy = structs.replace(settings.policy, boundaries=(Boundary(decorator="any"),))
    wanted = request._replace(settings=structs.replace(settings, rules=settings.rules | _NEEDED, policy=policy))
    project = build(wanted, selection, states, open_cache(request, selection), Stopwatch()).project
    files = Files(project, selection.tests, request.contents)
    found = list(_registries(project))
    return Evidence(
        adapters=tuple(_adapters(project)),
        boundaries=tuple(candidates(project, files)),
        roots=tuple(_roots(project)),
        registries=tuple(
            NamedPlace(_name(project, item), f"{item.path}:{item.place.line}", len(item.codes)) for item in found
        ),
        catalogs=tuple(_catalogs(settings.root, found)),
        preset=_preset(project),
    )


def _adapters(project: Project) -> Iterator[Adapters]:
    places: dict[str, list[str]] = {}
    for path, module in project.modules.items():
        for function in module.functions:
            if project.is_adapter(path, function):
                how = next((f"@{name}" for name in function.decorators if project.registers(name)), "")
                how = how or ("methods of tool classes" if function.owner else "registered by a call")
                places.setdefault(how, []).append(f"{path}:{function.span.line}")
    for how, found in sorted(places.items(), key=lambda item: (-len(item[1]), item[0])):
        yield Adapters(how, len(found), found[0])


def _roots(project: Project) -> Iterator[Root]:
    """Yield the topmost exceptions of the project, those with most exceptions below them first."""
    heirs: Counter[tuple[str, str]] = Counter()
    symbols: dict[tuple[str, str], ClassSymbol] = {}
    for path, module in project.modules.items():
        if project.adapter_distributions and project.layout.distribution(path) not in project.adapter_distributions:
            continue
        for definition in module.classes:
            symbol = ClassSymbol(path, definition)
            if not project.names.is_exception(symbol) or any(
                name.endswith("Warning") for name in project.domain.ancestors(symbol)
            ):
                continue
            top = list(project.domain.bases(symbol))[-1]
            if project.names.is_exception(top):
                key = (top.path, top.definition.name)
                symbols[key] = top
                heirs[key] += symbol != top
    for key, count in sorted(heirs.items(), key=lambda item: (-item[1], item[0])):
        top = symbols[key]
        constructor = project.domain.constructor(top)
        names = [item.name for item in constructor.function.parameters] if constructor is not None else []
        cause = next((name for name in ("cause", "original_error", "original_exception") if name in names), "")
        yield Root(project.domain.absolute(top), f"{top.path}:{top.definition.span.line}", count, cause)


def _registries(project: Project) -> Iterator[Registry]:
    seen: set[tuple[str, str]] = set()
    for paths in project.adapter_files.values():
        for registry in project.codes.recognised(paths[0]):
            if registry.codes and (registry.path, registry.name) not in seen:
                seen.add((registry.path, registry.name))
                yield registry


def _name(project: Project, registry: Registry) -> str:
    return f"{project.layout.module_name(registry.path)}:{registry.name}"


def _catalogs(root: Path, registries: list[Registry]) -> Iterator[NamedPlace]:
    """Yield the Markdown files that mention most of the registered codes."""
    codes = frozenset[str]().union(*map(texts_of, registries))
    if len(codes) < _LEAST_CODES:
        return
    for path in _markdown(root):
        words = set(re.findall(r"[\w.-]+", read_bytes(root / path).decode("utf-8", "replace")))
        count = len(codes & words)
        if count >= max(_LEAST_CODES, len(codes) / 2):
            yield NamedPlace(path, "", count)


def _markdown(root: Path) -> Iterator[str]:
    found = discover(start(root), Patterns(DEFAULT_EXCLUDE))
    for path in found.pages:
        is_hidden = any(part.startswith(".") for part in path.split("/"))
        if path.endswith(".md") and not is_hidden and 0 <= found.states[path].size < _MOST_BYTES:
            yield path


def _preset(project: Project) -> Preset | None:
    """Return the preset of which the project defines most names."""
    own = {item.name.rpartition(".")[2] for module in project.modules.values() for item in module.classes}
    own |= {item.name for module in project.modules.values() for item in module.functions if "." not in item.name}
    found: list[Preset] = []
    for name, convention in presets().items():
        policy = convention.policy
        names = {*policy.exceptions.root, policy.exceptions.default, *policy.response.types}
        names |= {each for item in policy.required for each in item.classes}
        names |= {item.decorator for item in policy.boundaries}
        hits = sorted(each for each in names if each in own)
        if len(hits) >= _LEAST_NAMES:
            found.append(Preset(name, tuple(hits)))
    return max(found, key=lambda item: len(item.hits)) if found else None
