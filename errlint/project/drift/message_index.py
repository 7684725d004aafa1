"""What the code can say: the texts that it writes down anywhere, but for docstrings and those it only looks for."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from errlint.catalog.codes import is_class
from errlint.catalog.templates import Hole, Template, agreement, is_telling, nearness, template
from errlint.catalog.text_index import TextIndex
from errlint.findings import Span
from errlint.index.bindings import assigned_names
from errlint.lazy import cached_property
from errlint.project.raised_errors import MESSAGES
from errlint.trees import children, last_name

if TYPE_CHECKING:
    from errlint.project import Project

_PERCENT = re.compile(r"%(?:\(\w+\))?[-+#0 ]{0,8}[\d.]{0,8}[sdrfiux](?!\w)")
_BRACES = re.compile(r"\{(\w*)[^{}\n]{0,40}\}")

_LEAST_OF_PIECE = 0.6
"""How much a piece that texts are put together from has to have in common with one of them."""

_LEAST_TOGETHER = 0.4
"""No text agrees with another that has fewer of its words."""


_DESCRIBING = frozenset({"Field", "Parameter", "Param", "Query", "Body", "Option", "Argument", "add_argument"})
"""Calls that describe parameters: what they say is no message."""


_TEXTS = (ast.Constant, ast.JoinedStr, ast.BinOp, ast.Call)
"""Expressions that may put a text together: see :func:`_parts`."""


class Saying(NamedTuple):
    """A text that the code writes down, and where: its file and place, and the function around it, "" for none.

    ``words`` are those of its literal pieces, in lower case.
    """

    path: str
    span: Span
    function: str
    text: Template
    words: tuple[str, ...]


class Sayings:
    """Answers what the code of one project can say."""

    def __init__(self, project: Project) -> None:
        self._project = project

    @cached_property
    def all(self) -> tuple[Saying, ...]:
        """The texts of several words, but for those of errors that nobody gets."""
        trees = {
            path: tree
            for path in sorted(self._project.modules)
            if (tree := self._project.documented.tree(path)) is not None
        }
        lists: dict[str, tuple[str, ...] | None] = {}
        for tree in trees.values():
            for name, items in _constants(tree):
                lists[name] = None if name in lists else items
        known = {name: items for name, items in lists.items() if items is not None}
        return tuple(
            Saying(
                path, Span(node.lineno, node.col_offset + 1, node.lineno, node.col_offset + 1), function, text, words
            )
            for path, tree in trees.items()
            for function, node, text in texts(tree, known)
            if (path, node.lineno) not in self._in_vain and is_telling(text) and (words := _words(text))
        )

    @cached_property
    def _in_vain(self) -> frozenset[tuple[str, int]]:
        """The lines of errors that nobody gets."""
        return frozenset(
            (error.path, line)
            for error in self._project.raised_errors.all()
            if not error.surfaces
            for line in range(error.span.line, error.span.end_line + 1)
        )

    @cached_property
    def _messages(self) -> TextIndex:
        """The texts that stand where a message does, also where that is no error to us."""
        texts = tuple(
            text
            for path in sorted(self._project.modules)
            for node in _in_place_of_message(self._project.documented.nodes(path))
            if (path, node.lineno) not in self._in_vain and (parts := _parts(node, {})) is not None
            if is_telling(text := template(parts))
        )
        return TextIndex(enumerate(texts))

    def is_message(self, said: Template) -> bool:
        """Whether a text stands anywhere in the code as a message: below such a key, or in an exception."""
        index = self._messages
        return any(agreement(said, index.texts[position][1]) > 0 for position in index.may_agree(said))

    def _near(self, said: Template, least: float) -> Iterator[Saying]:
        """Yield the texts of whose words so large a share stands in a text: no other can agree with it, or be near."""
        plain = _plain(said)
        whole = len("".join(_words(said)))
        shared: dict[int, int] = {}
        for word, places in self._by_word.items():
            if word in plain:
                for place in places:
                    shared[place] = shared.get(place, 0) + len(word)
        for place, length in sorted(shared.items()):
            each = self.all[place]
            if length >= least * min(whole, sum(map(len, each.words))):
                yield each

    @cached_property
    def _by_word(self) -> Mapping[str, Sequence[int]]:
        """The places in :attr:`all` of the texts that have each word, one as often as it stands there."""
        found: dict[str, list[int]] = {}
        for place, each in enumerate(self.all):
            for word in each.words:
                found.setdefault(word, []).append(place)
        return found

    def says(self, said: Template) -> bool:
        """Whether a text, or the most of it, is one that the code writes down, or begins with."""
        return any(
            agreement(said, each.text) > 0
            or agreement(template((*said.parts, Hole())), each.text) > 0
            or agreement(said, template((Hole(), *each.text.parts, Hole()))) >= _LEAST_OF_PIECE
            for each in self._near(said, _LEAST_TOGETHER)
        )

    def nearest(self, said: Template, least: float) -> Iterator[tuple[float, Saying]]:
        """Yield the texts of the code that are at least so near to one, the nearest first."""
        scored = ((nearness(said, each.text), each) for each in self._near(said, least / 2) if len(each.words) > 2)
        yield from sorted((found for found in scored if found[0] >= least), key=lambda found: -found[0])


def _words(text: Template) -> tuple[str, ...]:
    return tuple(re.findall(r"\w{2,}", _plain(text)))


def _plain(text: Template) -> str:
    return " ".join(part for part in text.parts if isinstance(part, str)).casefold()


def texts(tree: ast.AST, lists: Mapping[str, tuple[str, ...]]) -> Iterator[tuple[str, ast.expr, Template]]:
    """Yield the texts that code puts together, with the function around each; ``lists`` are constants that it joins."""
    pending: list[tuple[str, ast.AST]] = [("", tree)]
    while pending:
        function, node = pending.pop()
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            function = f"{function}.{node.name}" if function else node.name
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            continue
        if isinstance(node, ast.Compare) or (isinstance(node, ast.Call) and last_name(node.func) in _DESCRIBING):
            continue
        if isinstance(node, _TEXTS):
            parts = _parts(node, lists)
            if parts is not None:
                yield function, node, template(parts)
                pending.extend((function, each) for each in _inside(node))
                continue
        pending.extend((function, each) for each in children(node))


def _in_place_of_message(nodes: Iterable[ast.AST]) -> Iterator[ast.expr]:
    for node in nodes:
        if isinstance(node, ast.Dict):
            for key, value in zip(node.keys, node.values, strict=True):
                if isinstance(key, ast.Constant) and key.value in MESSAGES:
                    yield value
        elif isinstance(node, ast.keyword) and node.arg in MESSAGES:
            yield node.value
        elif isinstance(node, ast.Call) and is_class(last_name(node.func)):
            yield from node.args


def _inside(node: ast.expr) -> Iterator[ast.AST]:
    """Yield the expressions in the holes of a text."""
    if isinstance(node, ast.JoinedStr):
        yield from (each.value for each in node.values if isinstance(each, ast.FormattedValue))
    elif isinstance(node, ast.BinOp):
        for side in (node.left, node.right):
            if isinstance(side, (ast.Constant, ast.JoinedStr, ast.BinOp)):
                yield from _inside(side)
            else:
                yield side
    elif isinstance(node, ast.Call):
        yield from (*node.args, *(each.value for each in node.keywords))


def _parts(node: ast.expr, lists: Mapping[str, tuple[str, ...]]) -> list[str | Hole] | None:
    """Return the pieces of an expression that is a text, ``None`` for another one."""
    if isinstance(node, ast.Constant):
        return [node.value] if isinstance(node.value, str) else None
    if isinstance(node, ast.JoinedStr):
        found: list[str | Hole] = []
        for each in node.values:
            if isinstance(each, ast.Constant):
                found.append(str(each.value))
            elif isinstance(each, ast.FormattedValue):
                joined = _joined(each.value, lists)
                found.append(Hole() if joined is None else joined)
        return found
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        left, right = _parts(node.left, lists), _parts(node.right, lists)
        return None if left is None and right is None else [*(left or [Hole()]), *(right or [Hole()])]
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mod):
        return _holed(node.left, _PERCENT)
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "format":
        return _holed(node.func.value, _BRACES)
    return None


def _holed(node: ast.expr, pattern: re.Pattern[str]) -> list[str | Hole] | None:
    """Return the pieces of a text whose holes are filled by what stands next to it."""
    if not (isinstance(node, ast.Constant) and isinstance(node.value, str)):
        return None
    pieces = pattern.sub("\0", node.value).split("\0")
    return [part for piece in pieces for part in (Hole(), piece)][1:]


def _joined(node: ast.expr, lists: Mapping[str, tuple[str, ...]]) -> str | None:
    """Return the text of ``", ".join(NAME)``, sorted or not, where the name is a list of constants."""
    if not (
        isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr == "join"
        and isinstance(node.func.value, ast.Constant)
        and len(node.args) == 1
    ):
        return None
    given = node.args[0]
    is_sorted = isinstance(given, ast.Call) and isinstance(given.func, ast.Name) and given.func.id == "sorted"
    if is_sorted and isinstance(given, ast.Call) and len(given.args) == 1 and not given.keywords:
        given = given.args[0]
    items = lists.get(given.id) if isinstance(given, ast.Name) else None
    if items is None or (not is_sorted and items[:1] == ("",)):
        return None
    return str(node.func.value.value).join(sorted(filter(None, items)) if is_sorted else items)


def _constants(tree: ast.Module) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield the names that a module gives to lists of texts; those of sets begin with "", as they have no order."""
    texts: dict[str, str] = {}
    for name, value in (pair for node in tree.body for pair in assigned_names(node)):
        if isinstance(value, ast.Constant) and isinstance(value.value, str):
            texts[name] = value.value
        if isinstance(value, ast.Call) and isinstance(value.func, ast.Name) and value.func.id == "frozenset":
            value = value.args[0] if value.args else value
        if isinstance(value, (ast.List, ast.Tuple, ast.Set, ast.Dict)):
            elements = value.keys if isinstance(value, ast.Dict) else value.elts
            items = [
                each.value
                if isinstance(each, ast.Constant)
                else texts.get(each.id)
                if isinstance(each, ast.Name)
                else None
                for each in elements
            ]
            found = [item for item in items if isinstance(item, str)]
            if found and len(found) == len(items):
                yield name, (*([""] if isinstance(value, ast.Set) else []), *found)
