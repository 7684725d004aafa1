"""The errors that a project documents, beside those that its code has: which codes and classes both speak of."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Container, Iterable, Iterator, Mapping
from contextlib import suppress
from typing import TYPE_CHECKING, NamedTuple

from errlint.catalog.entry import Entry, EntryKind, EntryText
from errlint.catalog.entry_identifier import spelling
from errlint.error_keywords import ERROR_CODE_KEYS, ERROR_KEYS
from errlint.findings import Span
from errlint.index.may_raise import only_values
from errlint.index.occurrences import mentioned
from errlint.lazy import cached_property
from errlint.project.names import ClassSymbol
from errlint.project.references import texts, uses
from errlint.reader import parse
from errlint.settings.policy import bare_name
from errlint.trees import children, walk

if TYPE_CHECKING:
    from errlint.project import Project

_WORD = re.compile(r"\w+")
_TOKEN = re.compile(r"[\w-]+")
_LITERAL = re.compile(r"[^\"'{}\n]+")
"""What stands between quotes, or next to a hole of a text; and all between those."""

_FAILED = frozenset({"error", "failed", "failure", "invalid", "validation"})
"""Words that say no more than that something went wrong."""

_GERUND = re.compile(r"(?<=\w{4})ing$")

ENOUGH = 3
"""So many entries that the code knows make a document one about this code."""


ROOM = 1_000_000
"""The trees of texts with so many characters are kept for the next question, whoever asks for them."""


class HeldCode(NamedTuple):
    """A code that the code has: where it is registered or set, and how it is written there.

    ``member`` is its name in its registry, ``owner`` the class whose code it is, "" for none.
    """

    text: str
    path: str
    place: Span
    member: str
    owner: str
    is_reserved: bool


class DocumentedErrors:
    """Answers questions about the catalogs of a project and what of them its code knows."""

    def __init__(self, project: Project) -> None:
        self._project = project
        self._texts: dict[str, str] = {}
        self._parsed: dict[str, ast.Module | None] = {}
        self._kept = 0
        self._nodes: dict[str, list[ast.AST]] = {}
        self._values: dict[tuple[str, str], Mapping[str, ast.expr | None]] = {}
        self._definitions: dict[str, dict[str, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef]] = {}
        self._named: dict[str, bool] = {}
        self._called: dict[str, frozenset[str]] = {}

    @cached_property
    def entries(self) -> tuple[Entry, ...]:
        """All entries of all catalogs."""
        project = self._project
        return tuple(
            entry
            for path in sorted(project.documents.texts)
            for entry in project.documents.entries(path, project.policy(path).catalog)
        )

    @cached_property
    def codes(self) -> dict[str, list[Entry]]:
        """The entries by their codes."""
        found: dict[str, list[Entry]] = {}
        for entry in self.entries:
            if entry.kind is EntryKind.CODE:
                found.setdefault(entry.name, []).append(entry)
        return found

    @cached_property
    def classes(self) -> dict[str, list[Entry]]:
        """The entries that are about a class, by the last part of its name."""
        found: dict[str, list[Entry]] = {}
        for entry in self.entries:
            names = [said.text.rpartition(".")[2].strip("`") for said in entry.said("class")]
            if entry.kind is EntryKind.CLASS:
                names.append(entry.name.rpartition(".")[2])
            for name in dict.fromkeys(names):
                found.setdefault(name, []).append(entry)
        return found

    @cached_property
    def held(self) -> tuple[HeldCode, ...]:
        """The codes that the code has, each once."""
        found: dict[str, HeldCode] = {}
        for path in self._project.modules:
            for held in self._held_in(path):
                found.setdefault(held.text, held)
        return tuple(found.values())

    @cached_property
    def by_code(self) -> dict[str, HeldCode]:
        """The codes that the code has, by their texts."""
        return {item.text: item for item in self.held}

    def _held_in(self, path: str) -> Iterator[HeldCode]:
        codes = self._project.codes
        reserved = set(self._project.policy(path).codes.reserved)
        for registry in codes.registered_in(path):
            for code in registry.codes:
                text = str(code.value) if code.value is not None else code.text
                if text and not code.repeats:
                    is_reserved = not reserved.isdisjoint((text, code.member))
                    yield HeldCode(text, path, code.place, code.member, "", is_reserved)
        for usage in codes.own(path):
            text = str(usage.found.text)
            yield HeldCode(text, path, usage.place, "", usage.owner.rpartition(".")[2], text in reserved)

    @cached_property
    def owners(self) -> dict[str, set[tuple[str, str]]]:
        """The exception classes, each by its file and name, that set a code, by its text."""
        found: dict[str, set[tuple[str, str]]] = {}
        for path in self._project.modules:
            for usage in self._project.codes.own(path):
                found.setdefault(str(usage.found.text), set()).add((path, usage.owner))
        return found

    def is_used(self, held: HeldCode) -> bool:
        """Whether the code does anything with a code: names its member or text, or makes an object of its class."""
        return bool(self.places_of(held))

    def is_made(self, name: str) -> bool:
        """Whether the code makes an object of an exception class, or hands it around."""
        return bool(self.places_of_class(name))

    def places_of(self, held: HeldCode) -> list[tuple[str, int]]:
        """Return the places, file and line, where the code does something with a code."""
        if held.owner:
            return self.places_of_class(held.owner)
        here = (held.path, held.place.line)
        texts = (place for place in self._texts_at.get(held.text, ()) if place != here)
        return [*(self._used.get(held.member, ()) if held.member else ()), *texts]

    def places_of_class(self, name: str) -> list[tuple[str, int]]:
        """Return the places where the code makes an object of an exception class, or hands it around."""
        return self._used.get(name.rpartition(".")[2], [])

    def is_unmade(self, name: str) -> bool:
        """Whether the code defines an exception class and makes no object of it, nor of a class below it."""
        return bool(self.defined(name)) and not any(map(self.is_made, self.below(name)))

    @cached_property
    def _used(self) -> dict[str, list[tuple[str, int]]]:
        """The names of exception classes and of members of registries that the code uses, with the places."""
        members = {held.member for held in self.held}
        names = frozenset({*self._classes, *members, *(held.owner for held in self.held)} - {""})
        found: dict[str, list[tuple[str, int]]] = {}
        for path in self._project.modules:
            own = self._words(path, names)
            tree = self.tree(path, keep=False) if own else None
            if tree is not None:
                lines = _lines(self.text(path), _WORD, own)
                for name, line in uses(tree, names, lines):
                    found.setdefault(name, []).append((path, line))
        return found

    @cached_property
    def _texts_at(self) -> dict[str, list[tuple[str, int]]]:
        """The places where a code stands as a text or number."""
        codes = self.by_code.keys()
        numbers = {code for code in codes if code.isdigit()}
        found: dict[str, list[tuple[str, int]]] = {}
        for path in self._project.modules:
            text = self.text(path)
            lines = _lines(text, _LITERAL, codes)
            if self._words(path, numbers):
                lines = sorted([*lines, *_lines(text, _WORD, numbers)])
            tree = self.tree(path, keep=False) if lines else None
            for code, line in texts(tree, lines) if tree is not None else ():
                if code in codes:
                    found.setdefault(code, []).append((path, line))
        return found

    def _words(self, path: str, names: Iterable[str]) -> frozenset[str]:
        """Return those of some names that are words of a file."""
        return mentioned(self.text(path).encode("utf-8", "surrogatepass"), names)

    @cached_property
    def spellings(self) -> frozenset[str]:
        """How the codes of the catalogs are spelt."""
        return frozenset(map(spelling, self.codes))

    def is_about(self, path: str) -> bool:
        """Whether a document is about the codes of this code: enough of its entries are known, or half of them."""
        return path in self._about

    def is_about_classes(self, path: str) -> bool:
        """Whether a document lists exception classes of this code."""
        return path in self._about_classes

    @cached_property
    def _about(self) -> frozenset[str]:
        return self._with_known(EntryKind.CODE, lambda entry: entry.name in self.by_code)

    def lists_errors(self, path: str) -> bool:
        """Whether the entries of a document are about errors of this code, also about such that only the policy has."""
        return path in self._listing

    @cached_property
    def _listing(self) -> frozenset[str]:
        return self._with_known(EntryKind.CODE, lambda entry: entry.name in self.by_code or self.is_spoken_of(entry))

    def is_spoken_of(self, entry: Entry) -> bool:
        """Whether the policy knows the code of an entry, or errors are given it, also as what kind of error they are.

        ``error="not_found"`` is such a kind, and one is an entry that is called by another one's title:
        ``index_corruption`` beside "Index Corruption", ``format_validation`` beside "Invalid Format".
        """
        policy = self._project.policy(entry.path)
        values = (value for item in policy.required for key in item.values for value in item.values[key])
        if entry.name in policy.codes.vocabulary or entry.name in policy.codes.defaults.values():
            return True
        return entry.name in values or entry.name in self._given or _kind_words(entry.name) in self._titles

    @cached_property
    def _given(self) -> frozenset[str]:
        """The codes of all errors, and the texts that tell their kinds."""
        kinds = ERROR_KEYS | ERROR_CODE_KEYS
        errors = tuple(self._project.raised_errors.all())
        told = (text for error in errors for name, text in error.values if name in kinds)
        return frozenset((*told, *(str(code) for error in errors for code in error.codes)))

    @cached_property
    def _titles(self) -> frozenset[frozenset[str]]:
        """What goes wrong by the titles of entries, but for those that are nothing else than a name."""
        return frozenset(
            _kind_words(entry.title) for entry in self.entries if entry.title != entry.name and entry.title
        )

    @cached_property
    def _about_classes(self) -> frozenset[str]:
        return self._with_known(EntryKind.CLASS, lambda entry: bool(self.defined(entry.name)))

    def _with_known(self, kind: EntryKind, is_known: Callable[[Entry], bool]) -> frozenset[str]:
        """Return the documents of whose entries of a kind the code knows enough."""
        known: dict[str, list[bool]] = {}
        for entry in self.entries:
            if entry.kind is kind:
                known.setdefault(entry.path, []).append(is_known(entry))
        return frozenset(path for path, own in known.items() if sum(own) >= ENOUGH or sum(own) * 2 >= len(own))

    def defined(self, name: str) -> tuple[ClassSymbol, ...]:
        """Return the exception classes with a name that the project defines."""
        return self._classes.get(name.rpartition(".")[2], ())

    def below(self, name: str) -> frozenset[str]:
        """Return the names of the exception classes with a name, and of all below them."""
        below = (each for root in self.defined(name) for each in self._project.hierarchy.below(root))
        return frozenset(bare_name(each.definition.name) for each in below)

    @cached_property
    def _classes(self) -> dict[str, tuple[ClassSymbol, ...]]:
        found: dict[str, tuple[ClassSymbol, ...]] = {}
        for path, module in self._project.modules.items():
            for definition in module.classes:
                symbol = ClassSymbol(path, definition)
                if self._project.hierarchy.is_exception(symbol):
                    name = definition.name.rpartition(".")[2]
                    found[name] = (*found.get(name, ()), symbol)
        return found

    def occurrences(self, pattern: str) -> int:
        """Return how often a regular expression is found in the code, comments and texts included."""
        compiled = re.compile(pattern)
        return sum(len(compiled.findall(self.text(path))) for path in self._project.modules)

    def is_mentioned(self, name: str) -> bool:
        """Whether a name stands anywhere in the code, as a word.

        That of a member with another text does not count in a registry whose other members are called like their texts.
        """
        if name not in self._renamed and _TOKEN.fullmatch(name):
            return name in self._tokens
        before, after = (r"\w.-", r"(?!\s*=)") if name in self._renamed else (r"\w-", "")
        return bool(self.occurrences(rf"(?<![{before}]){re.escape(name)}(?![\w-]){after}"))

    @cached_property
    def _tokens(self) -> frozenset[str]:
        """All that stands in the code between spaces and signs, but for hyphens."""
        return frozenset().union(*(_TOKEN.findall(self.text(path)) for path in self._project.modules))

    @cached_property
    def _renamed(self) -> frozenset[str]:
        """The members with another text than their name, of registries where nearly all are alike."""
        members: dict[tuple[str, bool], list[str]] = {}
        for held in self.held:
            if held.member:
                members.setdefault((held.path, held.member == held.text), []).append(held.member)
        return frozenset(
            name
            for (path, alike), names in members.items()
            if not alike and len(members.get((path, True), ())) >= ENOUGH * len(names)
            for name in names
        )

    def is_a_name(self, word: str) -> bool:
        """Whether the code uses or imports a name, or defines a class by it; docstrings name what there is not."""
        if word not in self._named:
            paths = (path for path in self._project.modules if word in self.text(path))
            trees = filter(None, (self.tree(path, keep=False) for path in paths))
            self._named[word] = any(word in _spelt(node) for tree in trees for node in walk(tree))
        return self._named[word]

    def called(self, distribution: str) -> frozenset[str]:
        """Return whatever a distribution calls something by: definitions, parameters, names, and texts of one word."""
        if distribution not in self._called:
            paths = (path for path in self._project.modules if self._project.layout.distribution(path) == distribution)
            nodes = (node for path in paths for node in self.nodes(path))
            self._called[distribution] = frozenset(filter(None, map(_name, nodes)))
        return self._called[distribution]

    def text(self, path: str) -> str:
        """Return the text of a file, "" for one that cannot be read."""
        if path not in self._texts:
            self._texts[path] = self._project.documents.text(path)
        return self._texts[path]

    def tree(self, path: str, *, keep: bool = True) -> ast.Module | None:
        """Return the tree of a file, None for one that Python cannot parse.

        Without ``keep`` it is read anew for each question once there are many: trees take twenty times as much as their
        text.
        """
        if path in self._parsed:
            return self._parsed[path]
        tree: ast.Module | None = None
        text = self.text(path)
        with suppress(SyntaxError):
            tree = parse(text)
        if keep or self._kept + len(text) <= ROOM:
            self._parsed[path] = tree
            self._kept += len(text)
        return tree

    def forget_trees(self) -> None:
        """Let go of all trees; what asks for one again has it read again."""
        self._parsed.clear()
        self._nodes.clear()
        self._values.clear()
        self._definitions.clear()
        self._kept = 0

    def definition(self, path: str, name: str) -> ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | None:
        """Return the tree of a function or class by its qualified name; of several by one name the last."""
        if path not in self._definitions:
            tree = self.tree(path)
            self._definitions[path] = {} if tree is None else dict(_definitions(tree))
        return self._definitions[path].get(name)

    def function(self, path: str, name: str) -> ast.FunctionDef | ast.AsyncFunctionDef | None:
        """Return the tree of a function by its qualified name."""
        found = self.definition(path, name)
        return None if isinstance(found, ast.ClassDef) else found

    def values(self, path: str, scope: str) -> Mapping[str, ast.expr | None]:
        """Return the variables of a function or class, or of the module (""), with the one value that each is given.

        It is ``None`` for one that is given several, or one that is not known.
        """
        key = (path, scope)
        if key not in self._values:
            node = self.definition(path, scope) if scope else self.tree(path)
            self._values[key] = {} if node is None else only_values(node)
        return self._values[key]

    def nodes(self, path: str) -> list[ast.AST]:
        """Return all nodes of the tree of a file, the outer ones first."""
        if path not in self._nodes:
            tree = self.tree(path)
            self._nodes[path] = [] if tree is None else walk(tree)
        return self._nodes[path]


def title_words(title: str) -> tuple[str, ...]:
    """Return the words of a title, or of a name: ``("index", "corruption")``."""
    return tuple(re.findall(r"[^\W_]+", title.casefold()))


def _kind_words(title: str) -> frozenset[str]:
    """Return the words of a title or name that say what goes wrong, unless it only says that something does.

    "Invalid Format" is ``{"format"}``, "Rendering Failed" is ``{"render"}``.
    """
    words = frozenset(title_words(title))
    return frozenset(_GERUND.sub("", word) for word in words - _FAILED) or words


def _spelt(node: ast.AST) -> tuple[str, ...]:
    """Return the name that a node reads or binds, imports, or defines a class by."""
    if isinstance(node, ast.Name):
        return (node.id,)
    if isinstance(node, ast.Attribute):
        return (node.attr,)
    if isinstance(node, ast.ClassDef):
        return (node.name,)
    return ((node.asname or node.name).rpartition(".")[2],) if isinstance(node, ast.alias) else ()


def _name(node: ast.AST) -> str:
    """Return the name that a node defines, reads or passes something by, or that it is as a text; "" for none."""
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Attribute):
        return node.attr
    if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
        return node.name
    if isinstance(node, ast.alias):
        return (node.asname or node.name).rpartition(".")[2]
    if isinstance(node, (ast.arg, ast.keyword)):
        return node.arg or ""
    is_word = isinstance(node, ast.Constant) and isinstance(node.value, str) and _WORD.fullmatch(node.value)
    return node.value if is_word and isinstance(node, ast.Constant) and isinstance(node.value, str) else ""


def _lines(text: str, pattern: re.Pattern[str], wanted: Container[str]) -> list[int]:
    """Return the lines of a text, from 1 and in order, on which a pattern finds one of some texts."""
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    found: list[int] = []
    line, end = 1, 0
    for match in pattern.finditer(text):
        if match.group() in wanted:
            line += text.count("\n", end, match.start())
            end = match.start()
            found.append(line)
    return found


def place(entry: Entry) -> Span:
    """Return the place of an entry: its name, as far as that is known."""
    return Span(entry.line, entry.column, entry.line, entry.column + len(entry.name))


def place_of(said: EntryText) -> Span:
    """Return the place of what an entry says: its line, as long as the first line of it is."""
    return Span(said.line, 1, said.line, 1 + len(said.text.partition("\n")[0]))


def definitions(tree: ast.AST) -> Iterator[tuple[str, ast.FunctionDef | ast.AsyncFunctionDef]]:
    """Yield the functions of a file, by their qualified names."""
    for name, node in _definitions(tree):
        if not isinstance(node, ast.ClassDef):
            yield name, node


def _definitions(
    node: ast.AST, around: str = ""
) -> Iterator[tuple[str, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef]]:
    for child in children(node):
        if isinstance(child, ast.expr):
            continue  # nothing is defined there
        name = around
        if isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            name = f"{around}.{child.name}" if around else child.name
            yield name, child
        yield from _definitions(child, name)
