"""The files of a run of fixes: each is read once and parsed once."""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple, TypeVar, cast

from errlint.facts import Function, Import
from errlint.findings import Span
from errlint.fix.dynamic_lookup import Lookup, lookups_in
from errlint.fix.model import Refusal, refuse
from errlint.fix.name_uses import NameUse, uses_in
from errlint.fix.source_file import SourceFile, imports_of, unreadable
from errlint.lazy import cached_property
from errlint.project import Project
from errlint.project.names import Layout, Symbol
from errlint.reader import parse
from errlint.source import UndecodableError, decode, read_bytes

_IMPORT = re.compile(
    r"^[ \t]*(?:from[ \t]+([\w.]+)[ \t]+import[ \t]*(\([^)]*\)|[^\n#]*)|import[ \t]+([^\n#]*))", re.MULTILINE
)
_NAME = re.compile(r"(?:^|,|\()\s*([\w.]+)")
_WORD = re.compile(r"\w+")
_NAME_WRITTEN = re.compile(r"[^\W\d]\w*")
_COMMENT = re.compile(r"#.*")
_METHOD = re.compile(r"^[ \t]+(?:async[ \t]+)?def[ \t]+(\w+)", re.MULTILINE)

_About = TypeVar("_About", bound=Hashable)
_Answer = TypeVar("_Answer")


class Texts:
    """The texts of all files as a run finds them: its passes, and the shares of a project, read them once.

    ``tests`` are those of the project, which are no files of ``layout``. ``contents`` are taken in place of what is on
    disk.
    """

    def __init__(self, layout: Layout, tests: Iterable[str], root: Path, contents: Mapping[str, bytes]) -> None:
        self.tests = tuple(tests)
        self._layout = layout
        self._root = root
        self._contents = contents
        self._found: dict[str, str] = {}
        self._naming: dict[str, frozenset[str]] = {}

    def is_as_found(self, path: str, data: bytes) -> bool:
        """Whether a content, in place of what is on disk, is the one of a file that the run has found."""
        return self._contents.get(path) == data

    def data(self, path: str) -> bytes:
        """Return the content of a file; raises :class:`OSError` where it cannot be read."""
        return self._contents[path] if path in self._contents else read_bytes(self._root / path)

    def read(self) -> None:
        """Read all files, and what is told of all of them."""
        for path in self.paths:
            self.of(path)
        self.importing, self.methods, self.written  # noqa: B018 -- worked out here

    @property
    def paths(self) -> Iterator[str]:
        """All files, tests included."""
        yield from self._layout.paths
        yield from self.tests

    def of(self, path: str) -> str:
        """Return the text of a file, "" of one that cannot be read."""
        if path not in self._found:
            self._found[path] = self._text(path)
        return self._found[path]

    def _text(self, path: str) -> str:
        try:
            return decode(self.data(path))
        except (OSError, UndecodableError):
            return ""

    def naming(self, package: str) -> frozenset[str]:
        """Return the tests that name a package."""
        if package not in self._naming:
            self._naming[package] = frozenset(test for test in self.tests if names(self.of(test), package))
        return self._naming[package]

    @cached_property
    def written(self) -> Counter[str]:
        """How often each word is written in all files, where no comment can be."""
        return Counter(word for path in self.paths for word in written_in(self.of(path)))

    @cached_property
    def methods(self) -> Counter[str]:
        """How many definitions may be of a method, by its name, tests left out."""
        return Counter(name for path in self._layout.paths for name in methods_in(self.of(path)))

    @cached_property
    def importing(self) -> Mapping[str, Sequence[str]]:
        """The files that import something of a distribution which is not theirs, or may do so; by that distribution.

        It holds in all passes: fixes add imports of exceptions only.
        """
        found: dict[str, list[str]] = {}
        if len({*map(self._layout.distribution, self._layout.paths)}) > 1:
            for path in sorted(self._layout.paths):
                for distribution in {*self._imported(path)} - {self._layout.distribution(path)}:
                    found.setdefault(distribution, []).append(path)
        return found

    def _imported(self, path: str) -> Iterator[str]:
        """Yield the distributions that a file may import something of, by its text: that is enough, and fast."""
        for found in _IMPORT.finditer(self.of(path)):
            module, names, plain = found.groups()
            modules = (
                [module, *(f"{module}.{name}" for name in _NAME.findall(names))] if module else _NAME.findall(plain)
            )
            for each in modules:
                for target in targets(self._layout, each, path):
                    yield self._layout.distribution(target)


class Files:
    """The files of a pass: each read once and parsed once; ``contents`` are taken in place of those of ``texts``.

    ``previous`` are the files of the pass before: what they have read of those that are as they were is used again, and
    they let go of all the rest.
    """

    def __init__(
        self,
        project: Project,
        contents: Mapping[str, bytes],
        texts: Texts,
        previous: Files | None = None,
    ) -> None:
        self._on_disk = texts
        # Most of what is to be taken may be what was found.
        self._contents = {path: data for path, data in contents.items() if not texts.is_as_found(path, data)}
        self._parsed: dict[str, SourceFile] = {}
        self._known: dict[tuple[str, bytes], SourceFile] = {}
        self._naming: dict[tuple[str, tuple[str, ...]], Sequence[str]] = {}
        self._texts: dict[tuple[str, str], dict[str, str]] = {}
        self._sources: dict[str, str] = {}
        self._all: Mapping[str, str] | None = None
        self._written: Counter[str] | None = None
        self._trees: dict[str, ast.Module] = {}
        self._errors: dict[str, Refusal] = {}
        self._uses: dict[str, tuple[Mapping[str, Sequence[NameUse]], Mapping[str, Sequence[NameUse]]]] = {}
        self._lookups: dict[str, Sequence[Lookup]] = {}
        self._lines: dict[str, list[str]] = {}
        self._imports: dict[str, tuple[Import, ...]] = {}
        self._methods: Counter[str] | None = None
        self._words: dict[str, frozenset[str]] = {}
        self._having: dict[str, Mapping[str, Sequence[str]]] = {}
        self._answers: dict[tuple[object, Hashable], object] = {}
        self._modules: dict[tuple[str, str], Mapping[str, int]] = {}
        self._layout = project.layout
        if previous is not None:
            self._take_over(previous)

    def _take_over(self, previous: Files) -> None:
        """Take what was read in the pass before of files that are as they were, and have it let go of all it has."""
        now, then = self._contents, previous._contents
        changed = {path for path in {*now, *then} if now.get(path) != then.get(path)}

        def unchanged(held: Mapping[str, _Answer]) -> dict[str, _Answer]:
            return {path: answer for path, answer in held.items() if path not in changed}

        # What a file was before the last pass is asked for seldom, and its tree is large.
        self._known = {
            (path, data): each for (path, data), each in previous._known.items() if now.get(path, data) == data
        }
        self._sources, self._words = unchanged(previous._sources), unchanged(previous._words)
        self._lines, self._imports = unchanged(previous._lines), unchanged(previous._imports)
        self._trees, self._errors = unchanged(previous._trees), unchanged(previous._errors)
        self._uses, self._lookups = unchanged(previous._uses), unchanged(previous._lookups)
        previous.release(())

    def parse(self, path: str) -> SourceFile:
        """Return a file; raises :class:`errlint.fix.model.Refusal` where it cannot be read or parsed."""
        if path not in self._parsed:
            try:
                data = self._read(path)
            except OSError as error:
                raise refuse("the file cannot be read", path, 1) from error
            parsed = self._parsed[path] = self.parse_as(path, data)
            if path in self._trees:
                parsed.share(self._trees[path])
        return self._parsed[path]

    def parse_as(self, path: str, data: bytes) -> SourceFile:
        """Return a file with some content; raises :class:`errlint.fix.model.Refusal` where it cannot be parsed."""
        key = (path, data)
        if key not in self._known:
            self._known[key] = SourceFile(path, data)
        return self._known[key]

    def release(self, kept: Collection[str]) -> None:
        """Let go of all trees but those of some files, and of what was said of them: nobody may hold on to a node."""
        self._parsed = {path: parsed for path, parsed in self._parsed.items() if path in kept}
        self._known = {key: parsed for key, parsed in self._known.items() if key[0] in kept}
        for parsed in self._known.values():
            parsed.release()
        for held in (self._trees, self._uses, self._lookups, self._lines, self._words, self._having, self._answers):
            held.clear()

    def tests(self, path: str) -> Mapping[str, str]:
        """Return the texts of the tests in the distribution of a file, and of those elsewhere that name its package."""
        distribution = self._layout.distribution(path)
        parts = self._layout.module_name(path).split(".")
        package = ".".join(parts[:2] if len(parts) > 2 else parts[:1])
        key = (distribution, package)
        if key not in self._texts:
            naming = self._on_disk.naming(package)
            self._texts[key] = {
                test: text
                for test in self._on_disk.tests
                if (text := self.text(test))
                and (
                    self._layout.distribution(test) == distribution
                    or (names(text, package) if test in self._contents else test in naming)
                )
            }
        return self._texts[key]

    def written(self, name: str) -> int:
        """Return how often a name is written in the project, tests included, where no comment can be."""
        if self._written is None:
            self._written = Counter()
            for path in self._contents.keys() & self.texts().keys():
                self._written.update(written_in(self.text(path)))
                self._written.subtract(written_in(self._on_disk.of(path)))
        return self._on_disk.written[name] + self._written[name]

    def texts(self) -> Mapping[str, str]:
        """Return the texts of all files of the project, tests included."""
        if self._all is None:
            self._all = {path: self.text(path) for path in self._on_disk.paths}
        return self._all

    def naming(self, path: str, names: Iterable[str]) -> Sequence[str]:
        """Return the files whose text has one of some words, tests left out.

        They are those of the distribution of a file, and of others that import something of it. Left out are those
        that the interpreter cannot read: see :meth:`unread`.
        """
        key = (self._layout.distribution(path), tuple(names))
        if key not in self._naming:
            self._naming[key] = [other for other in self._having_words(path, key[1]) if self._error(other) is None]
        return self._naming[key]

    def unread(self, path: str, name: str) -> Iterator[tuple[str, int]]:
        """Yield the files, as :meth:`naming` says, that have a word and cannot be read; with the line that says so."""
        for other in self._having_words(path, (name,)):
            if (error := self._error(other)) is not None:
                yield other, error.doubt.line

    def _having_words(self, path: str, names: Sequence[str]) -> Iterator[str]:
        having = self._by_words(self._layout.distribution(path))
        yield from sorted({other for name in names for other in having.get(name, ())})
        yield from (other for other in self._importing(path) if not self.words(other).isdisjoint(names))

    def _by_words(self, distribution: str) -> Mapping[str, Sequence[str]]:
        """Return the files of a distribution by their words; to search all files for each takes too long."""
        if distribution not in self._having:
            found: dict[str, list[str]] = {}
            for path in self._layout.paths:
                if self._layout.distribution(path) == distribution:
                    for word in self.words(path):
                        found.setdefault(word, []).append(path)
            self._having[distribution] = found
        return self._having[distribution]

    def words(self, path: str) -> frozenset[str]:
        """Return the words of a file, those of its comments and texts too."""
        if path not in self._words:
            self._words[path] = frozenset(_WORD.findall(self.text(path)))
        return self._words[path]

    def once(self, answer: Callable[[Files, _About], _Answer], about: _About) -> _Answer:
        """Return what ``answer`` says of something: it is asked once, however many fixes want to know."""
        key = (answer, about)
        if key not in self._answers:
            self._answers[key] = answer(self, about)
        return cast(_Answer, self._answers[key])

    def trees(self, path: str, names: Iterable[str]) -> Iterator[tuple[str, ast.Module]]:
        """Yield the files of :meth:`naming` as the interpreter reads them.

        Raises :class:`errlint.fix.model.Refusal` where a file that has one of the words cannot be parsed.
        """
        return ((other, self.tree(other)) for other in self._having_words(path, tuple(names)))

    def uses(self, path: str) -> Mapping[str, Sequence[NameUse]]:
        """Return what a file reads, by the last part of its name, in the order of the text.

        Raises :class:`errlint.fix.model.Refusal` where the file cannot be parsed.
        """
        return self._uses_in(path)[0]

    def bound(self, path: str) -> Mapping[str, Sequence[NameUse]]:
        """Return what a file binds or deletes by names and attributes, by the last part of the name.

        Raises :class:`errlint.fix.model.Refusal` where the file cannot be parsed.
        """
        return self._uses_in(path)[1]

    def lookups(self, path: str) -> Sequence[Lookup]:
        """Return where a file asks for something by its name.

        Raises :class:`errlint.fix.model.Refusal` where the file cannot be parsed.
        """
        if path not in self._lookups:
            self._lookups[path] = lookups_in(self.tree(path), self._uses_in(path)[0])
        return self._lookups[path]

    def _uses_in(self, path: str) -> tuple[Mapping[str, Sequence[NameUse]], Mapping[str, Sequence[NameUse]]]:
        if path not in self._uses:
            self._uses[path] = uses_in(self.tree(path))
        return self._uses[path]

    def uses_of(self, path: str, name: str) -> Iterator[NameUse]:
        """Yield what a file reads by the last part of its name, or by the one under which it imports that."""
        for each in self.names_of(path, name):
            yield from self.uses(path).get(each, ())

    def names_of(self, path: str, name: str) -> Sequence[str]:
        """Return a name, and those under which a file imports what is called so."""
        return sorted({name, *(item.name for item in self.imports(path) if item.attribute == name)})

    def span(self, path: str, node: ast.stmt | ast.expr) -> Span:
        """Return where a node of :meth:`tree` stands."""
        end_line, end = node.end_lineno or node.lineno, node.end_col_offset or node.col_offset
        return Span(
            node.lineno, self._column(path, node.lineno, node.col_offset), end_line, self._column(path, end_line, end)
        )

    def _column(self, path: str, line: int, offset: int) -> int:
        """Return the column of a place, which the interpreter gives in bytes of the line."""
        if path not in self._lines:
            text = self.text(path)
            self._lines[path] = [] if text.isascii() else re.split(r"\r\n?|\n", text)
        lines = self._lines[path]
        return 1 + (len(lines[line - 1].encode()[:offset].decode(errors="replace")) if lines else offset)

    def elsewhere(self, path: str) -> Sequence[str]:
        """Return the files of other distributions that import something of that of a file, or may do so.

        Left out are those that the interpreter cannot read.
        """
        return [other for other in self._importing(path) if self._error(other) is None]

    def _importing(self, path: str) -> Sequence[str]:
        return self._on_disk.importing.get(self._layout.distribution(path), ())

    def targets(self, module: str, path: str) -> Iterator[str]:
        """Yield the files that a module may be, also where several have its name, or a path leads out of a package."""
        return targets(self._layout, module, path)

    def imports(self, path: str) -> tuple[Import, ...]:
        """Return all imports of a file, each with its whole name; the facts have ``a`` of ``import a.b``."""
        if path not in self._imports:
            self._imports[path] = tuple(imports_of(self.tree(path)))
        return self._imports[path]

    def imported(self, path: str, last: str) -> Mapping[str, int]:
        """Return how often modules are imported whose name ends with a part, relative ones and tests left out.

        Looked through are the files that :meth:`naming` yields and that can be parsed.
        """
        key = (self._layout.distribution(path), last)
        if key not in self._modules:
            found: Counter[str] = Counter()
            for other in self.naming(path, (last,)):
                with suppress(Refusal):
                    found.update(item.module for item in self.imports(other))
            self._modules[key] = {
                name: count
                for name, count in found.items()
                if name.rpartition(".")[2] == last and not name.startswith(".")
            }
        return self._modules[key]

    def methods(self, name: str) -> int:
        """Return how many definitions in the project, tests left out, may be of a method with a name."""
        if self._methods is None:
            self._methods = Counter()
            for path in self._contents.keys() & self._layout.paths:
                self._methods.update(methods_in(self.text(path)))
                self._methods.subtract(methods_in(self._on_disk.of(path)))
        return self._on_disk.methods[name] + self._methods[name]

    def tree(self, path: str) -> ast.Module:
        """Return a file as the interpreter reads it; raises :class:`errlint.fix.model.Refusal` where it cannot."""
        if (error := self._error(path)) is not None:
            raise error
        return self._trees[path]

    def _error(self, path: str) -> Refusal | None:
        """Return why a file cannot be read by the interpreter, ``None`` where it can."""
        if path not in self._trees and path not in self._errors:
            try:
                self._trees[path] = self._parsed[path].tree if path in self._parsed else parse(self.text(path))
            except SyntaxError as error:
                self._errors[path] = unreadable(path, error)
            except Refusal as refusal:
                self._errors[path] = refusal
        return self._errors.get(path)

    def text(self, path: str) -> str:
        """Return the text of a file, "" of one that cannot be read."""
        if path not in self._contents:
            return self._on_disk.of(path)
        if path not in self._sources:
            try:
                self._sources[path] = decode(self._contents[path])
            except UndecodableError:
                self._sources[path] = ""
        return self._sources[path]

    def _read(self, path: str) -> bytes:
        return self._contents[path] if path in self._contents else self._on_disk.data(path)


class Scope(NamedTuple):
    """A function of a file, in which names mean something."""

    project: Project
    files: Files
    parsed: SourceFile
    function: Function

    def meaning(self, name: str) -> Symbol | None:
        """Return what a dotted name stands for in the function, ``None`` where that is not known."""
        return self.project.names.resolve(self.parsed.path, name, self.function.name)


def names(text: str, package: str) -> bool:
    """Whether a text imports something of a package, or has its name in quotes."""
    if package not in text:  # that is told much faster
        return False
    return re.search(rf"""(?:\b(?:from|import)\s+|["'])(?:[\w.]*\.)?{re.escape(package)}\b""", text) is not None


def written_in(text: str) -> Sequence[str]:
    """Return the words of a file that stand where no comment can be: in no line behind a number sign."""
    return _NAME_WRITTEN.findall(_COMMENT.sub("", text))


def methods_in(text: str) -> Sequence[str]:
    """Return the names of what is defined in the blocks of a file, by its text."""
    return _METHOD.findall(text)


def targets(layout: Layout, module: str, path: str) -> Iterator[str]:
    """Yield the files that a module may be for a file, as :meth:`Files.targets` says."""
    if not module.startswith("."):
        found = layout.find(module, path)
        yield from layout.files(module) if found is None else (found,)
        return
    name = module.lstrip(".")
    folder = path.rsplit("/", len(module) - len(name))[0] if "/" in path else ""
    base = f"{folder}/{name.replace('.', '/')}".strip("/")
    yield from (each for each in (f"{base}.py", f"{base}/__init__.py") if each in layout.paths)
