"""Where statements stand: a simple one with all of it, a compound one with its header, a clause with its keyword."""

from __future__ import annotations

import ast
import re

from errlint.findings import Span
from errlint.index.bindings import FunctionNode
from errlint.index.statements import is_compound
from errlint.source import Lines

_NAME = re.compile(rb"(?:async(?:\s|\\)+)?(?:def|class)(?:\s|\\)+[\w\x80-\xff]+")
_CLOSING = re.compile(rb"[\s),\\]*(?=:)")


class Spans:
    """Tells the places of the statements and handlers of one file."""

    def __init__(self, lines: Lines) -> None:
        self._lines = lines
        self._known: dict[ast.AST, Span] = {}

    def of(self, node: ast.stmt | ast.ExceptHandler | ast.expr) -> Span:
        """Return the place of a node; that of a definition ends with its name, another header before its colon."""
        found = self._known.get(node)
        if found is None:
            found = self._known[node] = self._of(node)
        return found

    def _of(self, node: ast.stmt | ast.ExceptHandler | ast.expr) -> Span:
        if not is_compound(node):
            assert node.end_lineno is not None
            assert node.end_col_offset is not None
            return self._lines.span(node.lineno, node.col_offset, node.end_lineno, node.end_col_offset)
        if isinstance(node, (*FunctionNode, ast.ClassDef)):
            return self._up_to_name(node)
        if isinstance(node, (ast.If, ast.While)):
            return self._header(node, node.test)
        if isinstance(node, (ast.For, ast.AsyncFor)):
            return self._header(node, node.iter)
        if isinstance(node, (ast.With, ast.AsyncWith)):
            item = node.items[-1]
            return self._header(node, item.optional_vars or item.context_expr)
        if isinstance(node, ast.Match):
            return self._header(node, node.subject)
        keyword = "except" if isinstance(node, ast.ExceptHandler) else "try"
        return self._lines.span(node.lineno, node.col_offset, node.lineno, node.col_offset + len(keyword))

    def _header(self, node: ast.stmt, last: ast.expr) -> Span:
        """Return the place of a header without its colon; ``last`` is the last expression in it."""
        assert last.end_lineno is not None
        assert last.end_col_offset is not None
        end = self._lines.offset(last.end_lineno, last.end_col_offset)
        skipped = _CLOSING.match(self._lines.data, end)
        closing = skipped.group().rstrip() if skipped else b""
        line = last.end_lineno + closing.count(b"\n")
        column = end + len(closing) - self._lines.starts[line]
        return self._lines.span(node.lineno, node.col_offset, line, column)

    def _up_to_name(self, node: ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) -> Span:
        start = self._lines.offset(node.lineno, node.col_offset)
        found = _NAME.match(self._lines.data, start)
        assert found is not None
        line = node.lineno + found.group().count(b"\n")
        return self._lines.span(node.lineno, node.col_offset, line, found.end() - self._lines.starts[line])
