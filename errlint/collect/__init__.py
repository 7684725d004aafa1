"""Collect: from the text of one file to its facts.

:func:`collect` is the whole way: bounds, one parse, one walk, and what comments say.
"""

from __future__ import annotations

import ast
import re

from msgspec import structs

from errlint.collect.comment_facts import remarked
from errlint.collect.search_path import on_path
from errlint.facts import Module, Problem
from errlint.findings import Span
from errlint.index import scopes
from errlint.index.bindings import WalrusLines
from errlint.index.module import Collector
from errlint.index.statements import blocks, is_compound
from errlint.index.vocabulary import Vocabulary
from errlint.reader import TOO_LONG, on_deep_stack, parse_lowered, parse_with_ast
from errlint.source import LONG, Lines, has_long_line, long_chain_line
from errlint.suppress import find_suppressions

_OPENING = re.compile(rb"""[A-Za-z]{0,2}(\"{3}|'{3})""")
"""The quotes of a text of several lines."""


def collect(text: str, vocabulary: Vocabulary, *, use_ast: bool = True) -> Module:
    """Return the facts of one file.

    Without ``use_ast`` LibCST reads the file: that is slower, and the facts are the same.
    """
    module = remarked(_collected(text, vocabulary, use_ast=use_ast), text)
    return structs.replace(module, on_path=on_path(text), suppressions=find_suppressions(text))


def _collected(text: str, vocabulary: Vocabulary, *, use_ast: bool) -> Module:
    if has_long_line(text) and (line := long_chain_line(text)):
        return _problem(line, TOO_LONG)
    # What the interpreter cannot read is perhaps in a newer grammar: LibCST decides.
    tree = parse_with_ast(text) if use_ast else None
    try:
        tree = tree or parse_lowered(text)
    except SyntaxError as error:
        return _problem(error.lineno or 1, error.msg)
    lines = Lines(text)
    if line := _long_chain(tree, lines):
        return _problem(line, TOO_LONG)
    try:
        return _read(tree, lines, vocabulary)
    except RecursionError:
        return on_deep_stack(lambda: _read(tree, lines, vocabulary))


def _read(tree: ast.Module, lines: Lines, vocabulary: Vocabulary) -> Module:
    walruses = WalrusLines(lines)
    return scopes.bound(Collector(lines, vocabulary, walruses).collect(tree), scopes.read(tree, walruses))


def _long_chain(tree: ast.Module, lines: Lines) -> int:
    """Return the line of a statement of several lines that is too long a chain, 0 where there is none."""
    if len(lines.data) <= LONG:
        return 0
    pending: list[ast.stmt] = [*reversed(tree.body)]
    while pending:
        node = pending.pop()
        assert node.end_lineno is not None
        assert node.end_col_offset is not None
        start, end = lines.offset(node.lineno, node.col_offset), lines.offset(node.end_lineno, node.end_col_offset)
        if end - start <= LONG:  # so is nothing in it
            continue
        if is_compound(node):
            for block in reversed(blocks(node)):
                pending.extend(reversed(block))
            continue
        if node.end_lineno == node.lineno or (_is_text(node) and _is_one_token(lines.data[start:end])):
            continue
        if long_chain_line(lines.data[start:end].decode("utf-8", "surrogatepass")):
            return node.lineno
    return 0


def _is_text(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def _is_one_token(data: bytes) -> bool:
    """Whether a text, such as a docstring, is certainly one string and not several side by side."""
    opened = _OPENING.match(data)
    return opened is not None and data.find(opened[1], opened.end()) == len(data) - len(opened[1])


def _problem(line: int, message: str) -> Module:
    return Module(problem=Problem("ERR904", Span(line, 1, line, 1), message))
