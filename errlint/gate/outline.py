"""The outline of a file: where its definitions stand, so that a second look reads only those it is asked about."""

from __future__ import annotations

import ast
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from errlint.gate.syntax import FUNCTIONS, SCOPES, SIMPLE, all_blocks, stored_names
from errlint.source import Lines


class Block(NamedTuple):
    """Some lines (from 1, both included) of a module or of the body of one of its classes.

    ``names`` are bound there (``Class.name`` inside a class, ``*`` by a star import). ``always`` marks lines without
    which the others cannot be read: imports, and the header of a class, which has to be kept with any of its blocks.
    """

    first: int
    last: int
    names: tuple[str, ...]
    always: bool
    inside: int


Outline = tuple[Block, ...]
"""The blocks of a module in order; ``inside`` is the position of the block of the class around one, or -1."""


def outline(tree: ast.Module, lines: Lines) -> Outline:
    """Return the outline of a parsed module."""
    found: list[Block] = []
    for first, last, nodes in _groups(tree.body):
        node = nodes[0]
        if len(nodes) == 1 and isinstance(node, ast.ClassDef) and _starts_line(node.body[0], lines):
            inner = list(_groups(node.body))
            around = len(found)
            found.append(Block(first, inner[0][0] - 1, (node.name,), False, -1))
            for start, end, parts in inner:
                found.append(Block(start, end, tuple(_bound_in(parts, f"{node.name}.")), False, around))
        else:
            always = any(_imports(part) for part in nodes)
            found.append(Block(first, last, tuple(_bound_in(nodes, "")), always, -1))
    return tuple(found)


def _first_line(node: ast.stmt) -> int:
    """Return the line on which a statement starts, with its decorators."""
    decorators: list[ast.expr] = getattr(node, "decorator_list", [])
    return decorators[0].lineno if decorators else node.lineno


def _starts_line(node: ast.stmt, lines: Lines) -> bool:
    first = _first_line(node)
    start = lines.starts[first]
    column = node.col_offset if first == node.lineno else lines.data.find(b"@", start) - start
    return lines.data[start : start + column].isspace()


def _groups(body: list[ast.stmt]) -> Iterator[tuple[int, int, list[ast.stmt]]]:
    """Yield first line, last line and statements of runs that share lines with none of the others."""
    group: list[ast.stmt] = []
    first = last = 0
    for node in body:
        start = _first_line(node)
        if group and start > last:
            yield first, last, group
            group = []
        if not group:
            first, last = start, 0
        group.append(node)
        last = max(last, node.end_lineno or node.lineno)
    if group:
        yield first, last, group


def _bound_in(body: list[ast.stmt], prefix: str) -> Iterator[str]:
    for node in body:
        if isinstance(node, FUNCTIONS):
            yield prefix + node.name
        elif isinstance(node, ast.ClassDef):
            yield prefix + node.name
            yield from _bound_in(node.body, f"{prefix}{node.name}.")
        elif type(node) in SIMPLE:
            for name in stored_names(node, walrus=False):
                yield prefix + name
        else:
            for block in all_blocks(node):
                yield from _bound_in(block, prefix)


def _imports(node: ast.stmt) -> bool:
    if type(node) in SIMPLE or isinstance(node, SCOPES):
        return isinstance(node, (ast.Import, ast.ImportFrom))
    return any(_imports(part) for block in all_blocks(node) for part in block)


def known(blocks: Outline, names: Iterable[str]) -> frozenset[str]:
    """Return those of ``names`` that the file defines, or may get from a star import."""
    bound = {name for block in blocks for name in block.names}
    if "*" in bound:
        return frozenset(names)
    return frozenset(name for name in names if name in bound)


def cut(text: str, blocks: Outline, lines: Iterable[int], names: Iterable[str]) -> str:
    """Return the text with all lines blank but those of the blocks that hold one of ``lines`` or bind one of ``names``.

    A name of a class stands for the whole class, one of a method for the class's header and the method.
    """
    wanted = set(names)
    kept = {index for index, block in enumerate(blocks) if block.always or not wanted.isdisjoint(block.names)}
    starts = [block.first for block in blocks]
    for line in lines:
        index = bisect_right(starts, line) - 1
        if index >= 0 and line <= blocks[index].last:
            kept.add(index)
    # A class whose header is wanted is kept whole: it has to have a body.
    whole = {index for index in kept if blocks[index].inside < 0}
    kept.update(index for index, block in enumerate(blocks) if block.inside in whole)
    kept.update(blocks[index].inside for index in tuple(kept) if blocks[index].inside >= 0)
    rows = text.split("\n")
    out = [""] * len(rows)
    for index in kept:
        block = blocks[index]
        out[block.first - 1 : block.last] = rows[block.first - 1 : block.last]
    return "\n".join(out)
