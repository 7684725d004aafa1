"""Which error codes the tests of a project speak of: a mention in the text of any of them counts."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, NamedTuple

from errlint.facts import Class
from errlint.gate import mentioned
from errlint.project.registry import Kind, Registered, Registry

if TYPE_CHECKING:
    from errlint.project import Project


class Tested(NamedTuple):
    """What was found in the tests: their paths, the names that occur in one, and the registries that one goes through.

    A registry that a test goes through, or hands over whole, has all its codes tested.
    """

    paths: tuple[str, ...] = ()
    words: frozenset[str] = frozenset()
    whole: frozenset[str] = frozenset()

    def applies(self, project: Project, path: str) -> bool:
        """Whether there are tests for a file: in its distribution, or in one around it."""
        own = project.layout.distribution(path)
        around = {project.layout.distribution(test) for test in self.paths}
        return any(other in ("", own) or own.startswith(other.rstrip("/") + "/") for other in around)


def names(project: Project, registry: Registry, code: Registered) -> tuple[str, ...]:
    """Return the names by which a test can speak of a code: its own, and those of the classes that have it."""
    found = [code.member, code.text]
    if isinstance(code.value, int) and not 0 <= code.value < 100:
        found.append(str(code.value))
    return tuple(dict.fromkeys(name for name in (*found, *owners(project, registry, code)) if name))


def owners(project: Project, registry: Registry, code: Registered) -> Iterator[str]:
    """Yield the names of the exception classes that have a code, as an attribute, by their constructor or a base."""
    for name, found in project.codes.owned(registry.path):
        if found.member is code or found.text in (code.text, code.value):
            yield name


class Own(NamedTuple):
    """An exception class with a code that no registry has: by which names a test can speak of it."""

    definition: Class
    code: str
    names: frozenset[str]


def own(project: Project, path: str) -> Iterator[Own]:
    """Yield the exception classes of a file that have a code of their own as an attribute, outside of registries."""
    registries = (*project.codes.recognised(path), *project.codes.configured(path))
    registered = {str(code.text) for each in registries if each.kind is not Kind.POLICY for code in each.codes}
    definitions = {definition.name: definition for definition in project.modules[path].classes}
    for usage in project.codes.own(path):
        definition = definitions.get(usage.owner)
        if usage.how != "class" or usage.found.member is not None or definition is None:
            continue
        text = str(usage.found.text)
        if text in registered:
            continue  # a registry's own code, written out
        below = {name for name, found in project.codes.owned(path) if found.member is None and str(found.text) == text}
        yield Own(definition, text, frozenset({text, definition.name.rpartition(".")[2], *below}))


def asked(project: Project) -> tuple[dict[str, set[str]], set[str]]:
    """Return, for each distribution with registries, the names that are looked for in tests; and the registries'."""
    words: dict[str, set[str]] = {}
    registries: set[str] = set()
    for path in project.modules:
        if "ERR310" not in project.rules(path):
            continue
        for registry in project.codes.registered_in(path):
            registries.add(registry.short)
            found = words.setdefault(project.layout.distribution(path), set())
            found.update(name for code in registry.codes for name in names(project, registry, code))
        for each in own(project, path):
            words.setdefault(project.layout.distribution(path), set()).update(each.names)
    return words, registries


def read(texts: Iterable[tuple[str, bytes]], words: frozenset[str], registries: set[str]) -> Tested:
    """Look for names and registries in the bytes of tests, given with their paths."""
    paths: list[str] = []
    found: set[str] = set()
    whole: set[str] = set()
    listed = "|".join(map(re.escape, sorted(registries)))
    taken = re.compile(rf"(?:\bin\s+|[(*\[,]\s*)(?:\w+\.)*({listed})\s*(?=[):\],]|\.__members__)".encode())
    for path, data in texts:
        paths.append(path)
        found |= mentioned(data, words - found)
        if registries:
            # In an import, names in brackets are only named.
            rest = _IMPORT.sub(b"", data)
            whole.update(match.group(1).decode() for match in taken.finditer(rest))
    return Tested(tuple(paths), frozenset(found), frozenset(whole))


_IMPORT = re.compile(rb"^[ \t]*from\s+[\w.]+\s+import\s+(?:\([^)]*\)|[^\n]*)", re.MULTILINE)
