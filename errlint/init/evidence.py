"""What a project has, read without what a configuration says of its errors; every statement with its places."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from msgspec import structs

from errlint.discover import discover, start
from errlint.init import boundaries, exceptions, nearest, servers, shapes
from errlint.init.boundaries import Candidate
from errlint.init.exceptions import Raised
from errlint.init.nearest import Fit, OwnType
from errlint.init.requirements import declared
from errlint.init.servers import Adapters
from errlint.init.shapes import Shape
from errlint.init.statements import About, Seen, Statement, counted, seen
from errlint.patterns import Patterns
from errlint.pipeline import build
from errlint.project import Project
from errlint.project.registry import Registry, texts_of
from errlint.project.return_sites import ReturnSite
from errlint.request import Request, Stopwatch
from errlint.run import open_cache, read_states, select
from errlint.settings import Policy
from errlint.settings.model import DEFAULT_EXCLUDE
from errlint.settings.selection import DEFAULT_RULES
from errlint.source import read_bytes

_NEEDED = frozenset({"ERR108", "ERR201", "ERR205", "ERR301", "ERR312"}) | shapes.RULES
"""Rules whose facts the evidence rests on."""

_MOST_BYTES = 1_000_000
_LEAST_CODES = 3
"""How many codes a Markdown file has to mention before it is taken for a catalog."""

_MOST = 5


class CodeRegistry(NamedTuple):
    """A registry: its name, its place, and how many codes it has.

    Of the ``uses`` of codes in its distribution ``known`` are of codes that the registries there have.
    """

    name: str
    place: Seen
    codes: int
    known: int
    uses: int

    @property
    def is_kept_to(self) -> bool:
        """Whether nearly all codes that are used are registered, so that one that is not is a mistake."""
        return self.uses > 0 and 4 * self.known >= 3 * self.uses


class CatalogFile(NamedTuple):
    """A document, and how many of the registered codes it mentions."""

    name: str
    codes: int


class Part(NamedTuple):
    """What there is of one distribution that clients call, "" for all of a project that has only one.

    ``answers`` is the number of error answers, ``own_type`` the class that most of these are of.
    """

    folder: str
    boundaries: tuple[Candidate, ...]
    raised: Raised
    answers: int
    own_type: OwnType | None
    registries: tuple[CodeRegistry, ...]


class Evidence(NamedTuple):
    """All that a configuration is proposed from."""

    files: int
    adapters: tuple[Adapters, ...]
    frameworks: tuple[str, ...]
    has_agents: bool
    unanswered: tuple[str, ...]
    parts: tuple[Part, ...]
    shapes: tuple[Shape, ...]
    catalogs: tuple[CatalogFile, ...]
    fit: Fit | None
    unclaimed: int
    statements: tuple[Statement, ...]

    @property
    def answers(self) -> int:
        """How many returns answer an error in place of a result."""
        return sum(item.number for item in self.shapes)

    @property
    def clients(self) -> int:
        """How many functions clients call."""
        return sum(item.number for item in self.adapters)


def gather(request: Request) -> Evidence:
    """Read a project: of a configuration only what it says of files, adapters and tests holds."""
    settings = structs.replace(
        request.settings, policy=Policy(), overrides=(), rules=DEFAULT_RULES | _NEEDED, per_file_ignores=(), named=()
    )
    wanted = request._replace(settings=settings)
    selection = select(wanted)
    states = read_states(settings.root, selection.known)
    project = build(wanted, selection, states, open_cache(wanted, selection), Stopwatch()).project
    return _evidence(project, len(selection.read), selection.markers)


def _evidence(project: Project, files: int, markers: tuple[str, ...]) -> Evidence:
    sites = shapes.error_sites(project)
    alike = shapes.shapes(sites)
    found = boundaries.candidates(project)
    alone = boundaries.alone(project)
    raised = exceptions.raised(project)
    recognised = {folder: [*_recognised(project, folder)] for folder in sorted(project.adapters.files)}
    registries = {folder: tuple(_registries(project, folder, each)) for folder, each in recognised.items()}
    every = tuple(item for each in registries.values() for item in each)
    catalogs = tuple(_catalogs(project.settings.root, [item for each in recognised.values() for item in each]))
    fit = nearest.nearest(project, sites, found)
    said = declared(project.settings.root, {"", *markers})
    served = project.adapters.distributions | project.routes.distributions
    unclaimed = (
        0 if served else project.sites.unclaimed({project.layout.distribution(path) for path in project.modules})
    )
    statements = (
        *servers.statements(project, said),
        *boundaries.statements(found, alone),
        *shapes.statements(project, alike, unclaimed),
        *exceptions.statements(raised),
        *_of_codes(every, catalogs),
        *nearest.statements(fit),
    )
    return Evidence(
        files=files,
        adapters=servers.adapters(project),
        frameworks=tuple(dict.fromkeys(item.framework.name for item in servers.servers(project))),
        has_agents=servers.has_agents(project),
        unanswered=servers.unanswered(project),
        parts=tuple(_parts(project, sites, found, raised, registries)),
        shapes=alike,
        catalogs=catalogs,
        fit=fit,
        unclaimed=unclaimed,
        statements=statements,
    )


def _parts(
    project: Project,
    sites: list[ReturnSite],
    found: tuple[Candidate, ...],
    raised: Raised,
    registries: Mapping[str, tuple[CodeRegistry, ...]],
) -> Iterator[Part]:
    where = project.layout.distribution
    served = sorted(project.adapters.distributions | project.routes.distributions)
    if len(served) < 2:
        every = tuple(item for each in registries.values() for item in each)
        yield Part("", found, raised, len(sites), nearest.own_type(project, sites, raised.reaching), every)
        return
    for folder in served:
        inside = [site for site in sites if where(site.path) == folder]
        candidates = tuple(item for item in found if folder in item.coverage)
        own = exceptions.raised(project, lambda path, folder=folder: where(path) == folder)  # type: ignore[misc]
        own_type = nearest.own_type(project, inside, own.reaching)
        yield Part(folder, candidates, own, len(inside), own_type, registries.get(folder, ()))


def _of_codes(registries: tuple[CodeRegistry, ...], catalogs: tuple[CatalogFile, ...]) -> Iterator[Statement]:
    for item in registries[:_MOST]:
        text = f"`{item.name}` registers {counted(item.codes, 'error code')}"
        if item.uses:
            uses = "1 use" if item.uses == 1 else f"{item.uses:,} uses"
            text += f"; {item.known:,} of {uses} of codes in its distribution name a registered one"
        details = {"registry": item.name, "codes": item.codes, "known": item.known, "uses": item.uses}
        yield Statement(About.CODES, text, (item.place,), details)
    if len(registries) > _MOST:
        rest = registries[_MOST:]
        yield Statement(About.CODES, f"{len(rest)} more registries", tuple(item.place for item in rest))
    for each in catalogs[:_MOST]:
        text = f"`{each.name}` mentions {counted(each.codes, 'registered code')}"
        yield Statement(About.CATALOGS, text, (Seen(each.name),), {"catalog": each.name, "codes": each.codes})
    if len(catalogs) > _MOST:
        others = catalogs[_MOST:]
        yield Statement(About.CATALOGS, f"{len(others)} more documents", tuple(Seen(each.name) for each in others))


def _recognised(project: Project, folder: str) -> Iterator[Registry]:
    """Yield the registries of a distribution, each once."""
    seen_ones: set[tuple[str, str]] = set()
    for registry in project.codes.recognised(project.adapters.files[folder][0]):
        if registry.codes and (registry.path, registry.name) not in seen_ones:
            seen_ones.add((registry.path, registry.name))
            yield registry


def _registries(project: Project, folder: str, recognised: list[Registry]) -> Iterator[CodeRegistry]:
    texts = [
        usage.found
        for path in (project.adapters.files[folder] if recognised else ())
        for usage in project.codes.usages(path)
        if isinstance(usage.found.text, str)
    ]
    known = sum(project.codes.is_registered(found, tuple(recognised)) for found in texts)
    for item in recognised:
        name = f"{project.layout.module_name(item.path)}:{item.name}"
        yield CodeRegistry(name, seen(item.path, item.place), len(item.codes), known, len(texts))


def _catalogs(root: Path, registries: list[Registry]) -> Iterator[CatalogFile]:
    """Yield the Markdown files that mention most of the registered codes."""
    codes = frozenset[str]().union(*map(texts_of, registries))
    if len(codes) < _LEAST_CODES:
        return
    for path in _markdown(root):
        words = set(re.findall(r"[\w.-]+", read_bytes(root / path).decode("utf-8", "replace")))
        count = len(codes & words)
        if count >= max(_LEAST_CODES, len(codes) / 2):
            yield CatalogFile(path, count)


def _markdown(root: Path) -> Iterator[str]:
    found = discover(start(root), Patterns(DEFAULT_EXCLUDE))
    for path in found.pages:
        is_hidden = any(part.startswith(".") for part in path.split("/"))
        if path.endswith(".md") and not is_hidden and 0 <= found.states[path].size < _MOST_BYTES:
            yield path
