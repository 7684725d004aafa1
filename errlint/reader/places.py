"""Where the nodes of a LibCST tree stand, as ``ast`` counts: lines from 1, columns from 0 in bytes of UTF-8."""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping
from typing import NamedTuple, TypeVar

import libcst as cst
from libcst.metadata import CodePosition, CodeRange

from errlint.reader.nodes import Node


class Extent(NamedTuple):
    """From the first character of a node to behind its last; columns in characters."""

    start: CodePosition
    end: CodePosition


_Placed = TypeVar("_Placed", bound=Node)


class Places:
    """The places of the nodes of one file."""

    def __init__(self, module: cst.Module, positions: Mapping[cst.CSTNode, CodeRange]) -> None:
        self._of = positions
        self._rows = re.split(r"\r\n|\r|\n", module.code)

    def of(self, node: cst.CSTNode) -> Extent:
        """Return the place of a node, without the parentheses around it."""
        found = self._of[node]
        return Extent(found.start, found.end)

    def around(self, node: cst.CSTNode) -> Extent:
        """Return the place of a node, with all parentheses around it."""
        start, end = self.of(node)
        if opening := getattr(node, "lpar", ()):
            start = self.of(opening[0]).start
        if closing := getattr(node, "rpar", ()):
            end = self.of(closing[-1]).end
        return Extent(start, end)

    def in_parentheses(self, node: cst.CSTNode) -> Extent:
        """Return the place of a node with the innermost parentheses around it, which belong to a tuple."""
        start, end = self.of(node)
        if opening := getattr(node, "lpar", ()):
            start = self.of(opening[-1]).start
        if closing := getattr(node, "rpar", ()):
            end = self.of(closing[0]).end
        return Extent(start, end)

    def behind(self, comma: cst.Comma) -> CodePosition:
        """Return the place behind a comma."""
        before = self.of(comma.whitespace_before).end
        return CodePosition(before.line, before.column + 1)

    def put(self, node: _Placed, start: CodePosition, end: CodePosition) -> _Placed:
        """Return a node of ``ast`` after it was told its place."""
        node.lineno, node.col_offset = start.line, self._offset(start)
        node.end_lineno, node.end_col_offset = end.line, self._offset(end)
        return node

    def put_up_to(self, node: _Placed, start: CodePosition, last: ast.stmt) -> _Placed:
        """Return a node of ``ast`` after it was told its place, which ends with that of a statement in it."""
        node.lineno, node.col_offset = start.line, self._offset(start)
        node.end_lineno, node.end_col_offset = last.end_lineno, last.end_col_offset
        return node

    def _offset(self, place: CodePosition) -> int:
        row = self._rows[place.line - 1]
        return place.column if row.isascii() else len(row[: place.column].encode("utf-8", "surrogatepass"))
