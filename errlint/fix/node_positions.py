"""The text of LibCST nodes, and where they stand in it.

LibCST writes a node by a state that is told of each token and node; its own ones enter a context manager for each node,
and its provider of positions also visits the whole tree afterwards, for nothing. Files are placed in each pass, so the
states here do no more than is asked of them.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext

import libcst as cst
from libcst._nodes.internal import CodegenState

Extent = tuple[int, int, int, int]
"""Where a node begins and ends: line (from 1) and column (from 0, in characters) of both."""

_NEWLINE = re.compile(r"\r\n?|\n")
_LAYOUT = frozenset(
    {cst.SimpleWhitespace, cst.ParenthesizedWhitespace, cst.TrailingWhitespace, cst.EmptyLine, cst.Newline,
     cst.Comma, cst.Dot, cst.Colon, cst.AssignEqual, cst.LeftParen}
)  # fmt: skip
"""Nodes that nobody asks the place of."""

_NOTHING = nullcontext()


def code_of(module: cst.Module, node: cst.CSTNode) -> str:
    """Return the text of a node as it stands in a module: ``module.code_for_node(node)``, in half the time."""
    state = _Writing(default_indent=module.default_indent, default_newline=module.default_newline)
    node._codegen(state)
    return "".join(state.tokens)


def written(module: cst.Module) -> tuple[str, Sequence[int]]:
    """Return the text of a module, and the line in which each of its statements begins, with the comments above it.

    Behind those is the line of what follows the last statement.
    """
    state = _Writing(default_indent=module.default_indent, default_newline=module.default_newline)
    texts: list[str] = []
    for part in _parts(module):
        for node in part:
            node._codegen(state)
        texts.append("".join(state.tokens))
        state.tokens.clear()
    lines = [1 + _newlines(texts[0])]
    for text in texts[1:-1]:
        lines.append(lines[-1] + _newlines(text))
    # At its end a module has one more line end than LibCST says, or none but that.
    last = next((index for index in reversed(range(len(texts))) if texts[index]), 0)
    if not module.has_trailing_newline:
        texts[last] = texts[last].removesuffix("\n").removesuffix("\r")
    elif not texts[last]:
        texts[last] = module.default_newline
    return "".join(texts), lines


class Positions:
    """Where the nodes of a module stand, as LibCST's ``PositionProvider`` says; white space and signs are left out.

    Each statement of the module is placed when something in it is asked for: of most, nothing is. ``lines`` are those
    in which they begin, as :func:`written` says.
    """

    def __init__(self, module: cst.Module, lines: Sequence[int]) -> None:
        self._module = module
        self._lines = (1, *lines)
        self._parts = _parts(module)
        self._numbers = {node: number for number, part in enumerate(self._parts) for node in part}
        self._known: dict[int, Mapping[cst.CSTNode, Extent]] = {}
        self._beginning: dict[int, Mapping[tuple[int, int], list[cst.CSTNode]]] = {}

    def of(self, node: cst.CSTNode, outermost: cst.CSTNode) -> Extent:
        """Return where a node stands; ``outermost`` is what is around it, or itself, directly below the module."""
        return self._of_part(self._numbers[outermost])[node]

    def at(self, line: int, column: int) -> Sequence[cst.CSTNode]:
        """Return the nodes that begin in a line (from 1) at a column (from 0), inner ones first."""
        number = bisect_right(self._lines, line) - 1
        # Several parts are in one line where all but the last are empty.
        if number not in self._beginning:
            found: dict[tuple[int, int], list[cst.CSTNode]] = {}
            for node, extent in self._of_part(number).items():
                found.setdefault(extent[:2], []).append(node)
            self._beginning[number] = found
        return self._beginning[number].get((line, column), ())

    def all(self) -> Iterator[cst.CSTNode]:
        """Yield all nodes, inner ones first."""
        for number in range(len(self._parts)):
            yield from self._of_part(number)

    def _of_part(self, number: int) -> Mapping[cst.CSTNode, Extent]:
        if number not in self._known:
            state = _Placing(self._module, self._lines[number])
            for node in self._parts[number]:
                node._codegen(state)
            self._known[number] = state.places
        return self._known[number]


def _parts(module: cst.Module) -> Sequence[Sequence[cst.CSTNode]]:
    """Return what is above all statements of a module, each of those, and what is below them."""
    return (module.header, *((statement,) for statement in module.body), module.footer)


def _newlines(text: str) -> int:
    return text.count("\n") if "\r" not in text else len(_NEWLINE.findall(text))


class _Writing(CodegenState):
    """Writes tokens, and does not ask where syntax begins and ends."""

    def record_syntactic_position(  # type: ignore[override]
        self, node: cst.CSTNode, *, start_node: cst.CSTNode | None = None, end_node: cst.CSTNode | None = None
    ) -> AbstractContextManager[None]:
        return _NOTHING


class _Placing(CodegenState):
    """Writes nothing, and notes where each node would stand."""

    def __init__(self, module: cst.Module, line: int) -> None:
        super().__init__(default_indent=module.default_indent, default_newline=module.default_newline)
        self.places: dict[cst.CSTNode, Extent] = {}
        self.line = line
        self.column = 0
        self._begun: list[tuple[int, int]] = []

    def add_indent_tokens(self) -> None:
        self.column += sum(map(len, self.indent_tokens))

    def add_token(self, value: str) -> None:
        if "\n" not in value and "\r" not in value:
            self.column += len(value)
        else:
            rows = _NEWLINE.split(value)
            self.line += len(rows) - 1
            self.column = len(rows[-1])

    def before_codegen(self, node: cst.CSTNode) -> None:
        if type(node) not in _LAYOUT:
            self._begun.append((self.line, self.column))

    def after_codegen(self, node: cst.CSTNode) -> None:
        if type(node) not in _LAYOUT:
            begin = self._begun.pop()
            if node not in self.places:  # its syntax alone, without the space around it, where LibCST tells that
                self.places[node] = (*begin, self.line, self.column)

    def record_syntactic_position(  # type: ignore[override]
        self, node: cst.CSTNode, *, start_node: cst.CSTNode | None = None, end_node: cst.CSTNode | None = None
    ) -> AbstractContextManager[None]:
        return _NOTHING if type(node) in _LAYOUT else _Syntax(self, node, start_node, end_node)


class _Syntax(AbstractContextManager[None]):
    """Notes the place of a node from where it is entered to where it is left, or that of nodes inside of it."""

    __slots__ = ("_begin", "_first", "_last", "_node", "_state")

    def __init__(self, state: _Placing, node: cst.CSTNode, first: cst.CSTNode | None, last: cst.CSTNode | None) -> None:
        self._state, self._node, self._first, self._last = state, node, first, last
        self._begin = state.line, state.column

    def __exit__(self, *exception: object) -> None:
        state = self._state
        begin = self._begin if self._first is None else state.places[self._first][:2]
        end = (state.line, state.column) if self._last is None else state.places[self._last][2:]
        state.places[self._node] = (*begin, *end)
