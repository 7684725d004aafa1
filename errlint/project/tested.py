"""Which error codes the tests of a project speak of: a mention in the text of any of them counts."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, NamedTuple

from errlint.facts import Class, Function
from errlint.findings import Span
from errlint.index.occurrences import mentioned
from errlint.index.spelling import plain
from errlint.project.domain import matches
from errlint.project.names import ClassSymbol
from errlint.project.registry import Registered, Registry, RegistryKind

if TYPE_CHECKING:
    from errlint.project import Project


class TestMentions(NamedTuple):
    """What was found in the tests: their distributions, the names that occur in one, the registries one goes through.

    A registry that a test goes through, or hands over whole, has all its codes tested. ``given`` are the parameters,
    with their defaults, to which one gives another value, or a value that is not written out. ``is_asked`` is false
    where no name was looked for: then the tests are as good as not there.
    """

    distributions: frozenset[str] = frozenset()
    words: frozenset[str] = frozenset()
    whole: frozenset[str] = frozenset()
    given: frozenset[tuple[str, str]] = frozenset()
    is_asked: bool = False

    def applies(self, project: Project, path: str) -> bool:
        """Whether there are tests for a file: in its distribution, or in one around it."""
        own = project.layout.distribution(path)
        return any(other in ("", own) or own.startswith(other.rstrip("/") + "/") for other in self.distributions)


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
    registered = {str(code.text) for each in registries if each.kind is not RegistryKind.POLICY for code in each.codes}
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


class Declared(NamedTuple):
    """A type of response or a mode that the policy names: where it is declared, and how a test can speak of it."""

    text: str
    place: Span
    names: frozenset[str]


def declared(project: Project, path: str) -> Iterator[Declared]:
    """Yield the types of responses that the policy names in a file, and the members of its modes.

    The mode that holds where nobody gives one is tested by every test that gives none.
    """
    policy = project.policy(path)
    statuses = {
        pattern.replace(":", ".").rpartition(".")[2]: status for status, pattern in policy.response.by_status.items()
    }
    types = policy.response.names
    modes = {plain(mode) for mode in policy.work.modes}
    defaults = {plain(value) for value in policy.work.defaults.values()}
    for definition in project.modules[path].classes:
        symbol = ClassSymbol(path, definition)
        short = definition.name.rpartition(".")[2]
        if types and matches(project.names.absolute(symbol), types) and project.codes.mentions(path, short) > 1:
            status = statuses.get(short)
            quoted = {f'"{status}"', f"'{status}'"} if status else set[str]()
            yield Declared(f"the response type `{short}`", definition.span, frozenset({short, *quoted}))
        registry = project.codes.of_class(symbol) if len(modes) > 1 else None
        if registry is not None and {plain(code.text) for code in registry.codes} == modes:
            for code in registry.codes:
                if plain(code.text) in defaults:
                    continue
                names = frozenset({code.member, code.text})
                yield Declared(f"the mode `{registry.spelled(code)}`", code.place, names)


class Option(NamedTuple):
    """A parameter that the policy wants a tool to have: the tool, the name and the default of the policy."""

    tool: Function
    name: str
    default: str


def options(project: Project, path: str) -> Iterator[Option]:
    """Yield the parameters of the tools in a file by which a client chooses what the policy has a default for."""
    work = project.policy(path).work
    for function in project.modules[path].functions if work.parameters else ():
        names = work.parameters.get(function.name.rpartition(".")[2], ())
        own = {item.name for item in function.parameters}
        if own.isdisjoint(names) or not project.adapters.is_adapter(path, function):
            continue
        for name in names:
            if name in own and name in work.defaults:
                yield Option(function, name, work.defaults[name])


class Questions(NamedTuple):
    """What a project asks of the tests: names, those of registries, and parameters with their defaults."""

    words: frozenset[str]
    registries: frozenset[str]
    defaults: frozenset[tuple[str, str]]


def asked(project: Project) -> Questions:
    """Return what a project asks of the tests."""
    words: set[str] = set()
    registries: set[str] = set()
    defaults: set[tuple[str, str]] = set()
    for path in project.modules:
        if "ERR310" not in project.rules(path):
            continue
        for registry in project.codes.registered_in(path):
            registries.add(registry.short)
            words.update(name for code in registry.codes for name in names(project, registry, code))
        words.update(name for each in own(project, path) for name in each.names)
        words.update(name for each in declared(project, path) for name in each.names)
        chosen = {(each.name, each.default) for each in options(project, path)}
        defaults |= chosen
        words.update(name for name, _ in chosen)
    return Questions(frozenset(words), frozenset(registries), frozenset(defaults))


def read(texts: Iterable[tuple[str, bytes]], questions: Iterable[Questions]) -> TestMentions:
    """Look for names, registries and values of parameters in the bytes of tests, given with their distributions."""
    questions = tuple(questions)
    words = frozenset(word for each in questions for word in each.words)
    registries = sorted({name for each in questions for name in each.registries})
    defaults = sorted({each for question in questions for each in question.defaults})
    given: set[tuple[str, str]] = set()
    distributions: set[str] = set()
    found: set[str] = set()
    whole: set[str] = set()
    spelled = [name.encode() for name in registries]
    listed = "|".join(map(re.escape, registries))
    taken = re.compile(rf"(?:\bin\s+|[(*\[,]\s*)(?:\w+\.)*({listed})\s*(?=[):\],]|\.__members__)".encode())
    for distribution, data in texts:
        distributions.add(distribution)
        found |= mentioned(data, words - found)
        for name, default in defaults:
            if name not in found or (name, default) in given:
                continue
            # What is no argument of that value may choose another one: a list of values, a variable, a key.
            plain_value = re.escape(default).encode()
            if re.search(rb"\b" + re.escape(name).encode() + rb"\b(?!\s*=\s*" + plain_value + rb"\b)", data):
                given.add((name, default))
        if any(name in data for name in spelled):
            # In an import, names in brackets are only named.
            rest = _IMPORT.sub(b"", data)
            whole.update(match.group(1).decode() for match in taken.finditer(rest))
    return TestMentions(frozenset(distributions), frozenset(found), frozenset(whole), frozenset(given), is_asked=True)


_IMPORT = re.compile(rb"^[ \t]*from\s+[\w.]+\s+import\s+(?:\([^)]*\)|[^\n]*)", re.MULTILINE)
