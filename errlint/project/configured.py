"""What the settings name in the code: whether it is there, and what was perhaps meant."""

from __future__ import annotations

import builtins
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from errlint.patterns import Patterns
from errlint.project import Project
from errlint.project.frameworks import TOOL_ERRORS
from errlint.project.names import ClassSymbol, Layout
from errlint.settings import Settings
from errlint.settings.model import NamedSetting
from errlint.settings.policy import Style
from errlint.source import read_text

_DEFINITION = re.compile(
    r"^[ \t]*(?:(?:async[ \t]+)?def|class)[ \t]+(\w+)|^[ \t]*(\w+)[ \t]*(?::[^=\n]+)?=(?!=)", re.MULTILINE
)
"""With imports good enough to find a name like another one, where no facts were collected."""

STATUS_OF = "exception class or code"
"""What a name is that has a status."""

CATALOG = "catalog"
"""What a name is that is the glob of a document."""

_IMPORT = re.compile(r"^[ \t]*from[ \t]+[\w.]+[ \t]+import[ \t]+(\([^)]*\)|[^\n]*)", re.MULTILINE)

LOOKED_FOR = {
    "boundary.decorator": "decorator",
    "boundary.converters": "function",
    "exceptions.root": "exception",
    "exceptions.default": "exception",
    "codes.registry": "registry",
    "response.types": "response type",
    "response.by-status": "response type",
    "response.queued": "response type",
}
"""Keys by which a preset names what a project has to have, or to name itself, and what it is."""

FITTED = {
    Style.RAISE: ("boundary.decorator", "exceptions.root"),
    Style.RETURN: ("response.types",),
}
"""Those without which a preset of a style fits nothing."""

LOGGERS = ("logging", "structlog", "loguru")
"""What the code imports that writes log records."""

_SHOWN = 2
"""So many names of a key are told of; the others are counted."""

OUTSIDE = ("decorator", "middleware class", "function")
"""What is looked for in other packages, too: rules about it would be silent without a word."""

ADAPTERS = ("adapter decorator", "registration")
"""What makes an adapter is met also by how it is spelt, `server.tool`, whatever `server` is."""

_BUILTIN_EXCEPTIONS = frozenset(
    name for name, value in vars(builtins).items() if isinstance(value, type) and issubclass(value, BaseException)
)

_DYNAMIC = re.compile(r"\bdef[ \t]+__getattr__\b|\bglobals\(\)")
"""A module with this may have any name."""


class Missing(NamedTuple):
    """A name that the code does not have: in words what is not there, the part that may be misspelt, other names.

    Where it is not ``certain``, the name may be one of another package with the same beginning.
    """

    named: NamedSetting
    what: str
    part: str
    known: frozenset[str]
    certain: bool


class Code(NamedTuple):
    """What is to be known of a whole project to tell whether it has the names of the settings.

    ``words`` and ``defined`` are what :func:`seen` says of its parts.
    """

    root: Path
    layout: Layout
    words: frozenset[str]
    defined: frozenset[str]


def seen(project: Project) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return which words of the names in the settings stand in files of a project, and which names mean something.

    For parts of a project both are told apart, and hold together for all of it.
    """
    settings, layout = project.settings, project.layout
    wanted = _words(settings, layout)
    in_facts = wanted.intersection(_names(project))
    words = in_facts | (wanted - in_facts - _unseen(project, wanted - in_facts))
    defined: set[str] = set()
    for named in _settled(settings):
        name = _sought(named)
        if "*" in name or "." not in name or named.what == CATALOG:
            continue
        module, paths = _module(layout, name)
        rest = name[len(module) + 1 :]
        if rest and any(path in project.modules and _has(project, path, rest) for path in paths):
            defined.add(name)
    return tuple(sorted(words)), tuple(sorted(defined))


def missing(settings: Settings, code: Code, pages: Iterable[str]) -> Iterator[Missing]:
    """Yield what the settings name and the project does not have, in the order of the settings.

    A dotted name that begins with no module of the project is taken to be there, outside of it; one of a decorator or
    a function only where a file imports its package. ``pages`` are the documents.
    """
    own = code.layout.packages
    pages = tuple(pages)
    known: frozenset[str] | None = None
    for named in _settled(settings):
        name = _sought(named)
        if named.what == CATALOG:
            if not any(Patterns((named.name,)).matches(page) for page in pages):
                yield Missing(named, "no such document", named.name, frozenset(), True)
        elif "*" in name:
            continue  # asks for nothing in particular
        elif "." not in name:
            if named.what == STATUS_OF and name in settings.policy.codes.vocabulary:
                continue
            if name not in code.words and not hasattr(builtins, name):
                if known is None:
                    known = frozenset(found for path in code.layout.paths for found in _defined(code, path))
                near = known | _BUILTIN_EXCEPTIONS if named.what.startswith("exception class") else known
                yield Missing(named, "nothing in the project has this name", name, near, True)
        elif (package := name.partition(".")[0]) in own or _module(code.layout, name)[0]:
            yield from _missing_of(code, named, name)
        elif named.what in OUTSIDE and package not in code.words:
            yield Missing(named, f"nothing in the project imports `{package}`", package, frozenset(own), True)


class Lacking(NamedTuple):
    """What a preset looks for by its keys and the code has nothing of, in words; ``named`` is one of these names.

    ``is_all`` is true where that leaves nothing of what the preset is about.
    """

    named: NamedSetting
    said: tuple[str, ...]
    is_all: bool


def lacking(settings: Settings, code: Code) -> Lacking | None:
    """Return what presets name where a project has nothing of it, ``None`` where it has something of each.

    What a framework of tool servers has need not be used yet. A preset that asks for fields of log records has nothing
    to look at where none is written.
    """
    groups = {key: group for key, group in _looked_for(settings).items() if not _is_met(group, code.words)}
    said: list[str] = []
    told: set[str] = set()
    for key, group in groups.items():
        names = list(dict.fromkeys(named.name for named in group if named.name not in told))
        told.update(names)
        if names:
            more = f" and {len(names) - _SHOWN} more" if len(names) > _SHOWN else ""
            said.append(f"no {LOOKED_FOR[key]} {' or '.join(f'`{name}`' for name in names[:_SHOWN])}{more} (`{key}`)")
    named = next((group[0] for group in groups.values()), _presets(settings))
    if named is not None and _asks_for_logs(settings) and not code.words.intersection(LOGGERS):
        said.append("no log record (`logs`)")
    if named is None or not said:
        return None
    fitted = FITTED.get(settings.policy.style, ())
    needed = [key for key in fitted if key in _looked_for(settings)]
    is_own = any(_key(each.key) in fitted for each in _settled(settings))
    return Lacking(named, tuple(said), bool(needed) and not is_own and all(key in groups for key in needed))


def _is_met(group: Iterable[NamedSetting], words: frozenset[str]) -> bool:
    """Whether one of the names of a key is there."""
    names = {_sought(named) for named in group}
    return bool(names & TOOL_ERRORS or names & words)


def _presets(settings: Settings) -> NamedSetting | None:
    """Return a name that a preset gives, ``None`` for none."""
    return next((named for named in settings.named if named.preset), None)


def _asks_for_logs(settings: Settings) -> bool:
    return bool(settings.policy.logs.fields)


def _settled(settings: Settings) -> Iterator[NamedSetting]:
    """Yield the names that the settings give themselves."""
    return (named for named in settings.named if not named.preset)


def _looked_for(settings: Settings) -> dict[str, list[NamedSetting]]:
    """Return the names that presets give, by the keys that have to be met."""
    wanted: dict[str, list[NamedSetting]] = {}
    for named in settings.named:
        key = _key(named.given.split("."))
        if named.preset and key in LOOKED_FOR:
            wanted.setdefault(key, []).append(named)
    return {key: wanted[key] for key in LOOKED_FOR if key in wanted}


def _key(parts: Iterable[str | int]) -> str:
    """Return the key of a policy that a longer one is below, as in :data:`LOOKED_FOR`."""
    return ".".join([part for part in parts if isinstance(part, str)][:2])


def _words(settings: Settings, layout: Layout) -> set[str]:
    """Return what has to stand somewhere in the code: names without a module, packages from outside."""
    found = {_sought(named) for group in _looked_for(settings).values() for named in group}
    if _presets(settings) is not None and _asks_for_logs(settings):
        found.update(LOGGERS)
    for named in _settled(settings):
        name = _sought(named)
        if "*" in name or named.what == CATALOG:
            continue
        package, dot, _ = name.partition(".")
        if not dot:
            found.add(name)
        elif named.what in OUTSIDE and package not in layout.packages and not _module(layout, name)[0]:
            found.add(package)
    return found


def _missing_of(code: Code, named: NamedSetting, name: str) -> Iterator[Missing]:
    """Yield a dotted name that begins like a module of the project, when it is not there."""
    module, paths = _module(code.layout, name)
    rest = name[len(module) + 1 :]
    if not rest or name in code.defined:
        return
    if not paths:
        # Perhaps a namespace that the project shares with others: see whether one of its modules was meant.
        around, part, siblings = _first_unknown(code.layout, name)
        yield Missing(named, f"there is no module `{around}` in the project", part, siblings, False)
        return
    where = " and ".join(sorted(paths)) if len(paths) < 3 else f"any of the {len(paths)} modules `{module}`"
    lasts = frozenset(defined for path in paths for defined in _defined(code, path))
    first, dot, _ = rest.partition(".")
    known = lasts | _children(code.layout, module)
    yield Missing(named, f"`{rest}` is not in {where}", first, known, "." in module or not dot)


def _children(layout: Layout, package: str) -> frozenset[str]:
    """Return the names of the packages and modules right inside a package."""
    inside = f"{package}." if package else ""
    return frozenset(module[len(inside) :].partition(".")[0] for module in layout.modules if module.startswith(inside))


def _first_unknown(layout: Layout, name: str) -> tuple[str, str, frozenset[str]]:
    """Return the shortest beginning of a dotted name that is no package, its last part, and what is in its place."""
    package = ""
    for part in name.split("."):
        siblings = _children(layout, package)
        around = f"{package}.{part}" if package else part
        if part not in siblings:
            break
        package = around
    return around, part, siblings


def _sought(named: NamedSetting) -> str:
    """Return a name without the colon of ``module:name``; of a pattern the last part."""
    name = named.name.replace(":", ".")
    return name.rpartition(".")[2] if "*" in name or named.what in ADAPTERS else name


def _module(layout: Layout, name: str) -> tuple[str, tuple[str, ...]]:
    """Return the longest module that a dotted name begins with, and its files."""
    module = name if "." in name else ""
    while module and not _files(layout, module):
        module = module.rpartition(".")[0]
    return module, _files(layout, module) if module else ()


def _files(layout: Layout, module: str) -> tuple[str, ...]:
    """Return the files of a module, also by its name for those who start Python at the root."""
    found = layout.find(module, "")
    return layout.files(module) or ((found,) if found is not None else ())


def _has(project: Project, path: str, name: str) -> bool:
    """Whether a file has a name, or may have it."""
    module = project.modules[path]
    if module.problem is not None or project.names.resolve(path, name) is not None:
        return True
    text = read_text(project.settings.root / path)
    if text is None or _DYNAMIC.search(text):
        return True
    layout = project.layout
    if any(
        item.name == "*" and layout.find(layout.absolute(item.module, path), path) is None for item in module.imports
    ):
        return True
    first, _, rest = name.partition(".")
    owner = project.names.resolve(path, first) if rest else None
    if type(owner) is ClassSymbol and owner.definition.bases:
        return True  # perhaps inherited from outside of the project
    return all(re.search(rf"^[^#\n]*\b{part}\b", text, re.MULTILINE) for part in name.split("."))


def _names(project: Project) -> Iterator[str]:
    """Yield the last parts of all names that facts tell of."""
    for module in project.modules.values():
        yield from (function.name.rpartition(".")[2] for function in module.functions)
        yield from (definition.name.rpartition(".")[2] for definition in module.classes)
        yield from (item.name for item in module.assigned)
        for imported in module.imports:
            yield imported.name
            yield imported.attribute


def _unseen(project: Project, names: Iterable[str]) -> set[str]:
    """Return those names that stand in no file. Facts have only what rules ask for: the texts have the last word."""
    unseen = set(names)
    for path in project.modules:
        if not unseen:
            break
        text = read_text(project.settings.root / path)
        if text is not None:
            unseen = {
                name
                for name in unseen
                if name not in text or not re.search(rf"^[^#\n]*\b{re.escape(name)}\b", text, re.MULTILINE)
            }
    return unseen


def _defined(code: Code, path: str) -> Iterator[str]:
    """Yield the names that a file defines or imports."""
    text = read_text(code.root / path) or ""
    for match in _DEFINITION.finditer(text):
        yield match[1] or match[2]
    for match in _IMPORT.finditer(text):
        yield from re.findall(r"\w+", match[1])
