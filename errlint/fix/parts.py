"""Parts: what changes make of the functions and statements they stand in, without the rest of the file.

A report has the edits of every fix by itself. To rewrite and prove a whole file for each of them takes time that grows
with the square of its fixes, so only what changes is written anew and compared.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import pairwise
from posixpath import commonprefix
from typing import NamedTuple

import libcst as cst

from errlint.fix.model import refuse
from errlint.fix.nodes import BlockStatement
from errlint.fix.prove import reason_against, reason_against_statement
from errlint.fix.raising.imports import Needed
from errlint.fix.rewrite import Changes, refuse_overlap, rewrite, rewritten
from errlint.fix.source_file import SourceFile, lines
from errlint.source import decode_as_is

_BLOCKS = (cst.IndentedBlock, cst.SimpleStatementSuite, cst.Module)
_IN_A_BLOCK = frozenset({"replaced", "added", "flattened", "dropped"})
"""Changes that put other statements into the block around a node."""


class Part(NamedTuple):
    """Lines of a file, with their ends, before and after; ``line`` is the number (from 1) of the first."""

    line: int
    before: tuple[str, ...]
    after: tuple[str, ...]


class Parts:
    """The parts of one file after the other; imports that several fixes need are planned once."""

    def __init__(self) -> None:
        self._imports: dict[tuple[str, bytes, tuple[Needed, ...]], Part] = {}

    def of(self, parsed: SourceFile, changes: Changes) -> tuple[Part, ...]:
        """Return the parts of a file that changes rewrite, in the order of the text; they do not overlap.

        Raises :class:`errlint.fix.model.Refusal` where what comes out is not what was planned.
        """
        refuse_overlap(changes)
        return tuple(part for part in self._of(parsed, changes) if part.before != part.after)

    def _of(self, parsed: SourceFile, changes: Changes) -> list[Part]:
        by_statement = _by_statement(parsed, changes)
        if by_statement is None:
            return [_whole(parsed, changes)]
        found = [_part(parsed, statement, own) for statement, own in by_statement.items()]
        if changes.imports:
            found.append(self._with_imports(parsed, changes.imports))
        found.sort()
        overlaps = any(one.line + len(one.before) > other.line for one, other in pairwise(found))
        return [_whole(parsed, changes)] if overlaps else found

    def _with_imports(self, parsed: SourceFile, imports: tuple[Needed, ...]) -> Part:
        key = (parsed.path, parsed.data, imports)
        if key not in self._imports:
            self._imports[key] = _whole(parsed, Changes(imports=imports))
        return self._imports[key]


def put_together(before: tuple[str, ...], parts: Iterable[Part]) -> tuple[str, ...]:
    """Return the lines of a file, those of its ``parts`` as they are afterwards."""
    after: list[str] = []
    end = 0
    for part in parts:
        after += [*before[end : part.line - 1], *part.after]
        end = part.line - 1 + len(part.before)
    return (*after, *before[end:])


def difference(line: int, before: tuple[str, ...], after: tuple[str, ...]) -> Part:
    """Return what differs in some lines of a file, the first of which is its ``line``."""
    start = len(commonprefix((before, after)))
    before, after = before[start:], after[start:]
    end = len(commonprefix((before[::-1], after[::-1])))
    return Part(line + start, before[: len(before) - end], after[: len(after) - end])


def _whole(parsed: SourceFile, changes: Changes) -> Part:
    """Return the file as one part."""
    after = rewrite(parsed, changes)
    if reason := reason_against(parsed, changes, after):
        raise refuse(reason, parsed.path, 1)
    return difference(1, parsed.lines, lines(decode_as_is(after)))


def _by_statement(parsed: SourceFile, changes: Changes) -> Mapping[BlockStatement, Changes] | None:
    """Return the changes by the statement that holds them; ``None`` where some are to the block of the module."""
    found: dict[BlockStatement, dict[str, list[object]]] = {}
    for name, node, change in _nodes(changes):
        statement = _around(parsed, node, in_a_block=name in _IN_A_BLOCK)
        if statement is None:
            return None
        found.setdefault(statement, {}).setdefault(name, []).append(change)
    outermost: dict[BlockStatement, dict[str, list[object]]] = {}
    for statement, own in found.items():
        outer = [parent for parent, _ in parsed.around(statement) if parent in found]
        target = outermost.setdefault(outer[-1] if outer else statement, {})  # type: ignore[arg-type]
        for name, items in own.items():
            target.setdefault(name, []).extend(items)
    return {
        statement: Changes(**{name: tuple(items) for name, items in own.items()})  # type: ignore[arg-type]
        for statement, own in outermost.items()
    }


def _nodes(changes: Changes) -> Iterator[tuple[str, cst.CSTNode, object]]:
    """Yield each change of a node with the name of its kind and the node."""
    for name, items in zip(Changes._fields, changes, strict=True):
        for item in items:
            if isinstance(item[0], cst.CSTNode):
                yield name, item[0], item


def _around(parsed: SourceFile, node: cst.CSTNode, *, in_a_block: bool) -> BlockStatement | None:
    """Return the function around a node, itself if it is one, else the statement; ``None`` for the module's block."""
    way = [node, *(parent for parent, _ in parsed.around(node))]
    if in_a_block:
        block = next(index for index, each in enumerate(way) if index and isinstance(each, _BLOCKS))
        way = way[block + 1 :]
    function = next((each for each in way if isinstance(each, cst.FunctionDef)), None)
    if function is not None:
        return function
    kinds = (cst.SimpleStatementLine, cst.BaseCompoundStatement)
    return next(
        (each for each, parent in pairwise(way) if isinstance(each, kinds) and isinstance(parent, _BLOCKS)), None
    )


def _part(parsed: SourceFile, statement: BlockStatement, changes: Changes) -> Part:
    blocks = [parent for parent, _ in parsed.around(statement) if isinstance(parent, cst.IndentedBlock)]
    after = rewritten(parsed, statement, changes)
    old, bare, new = (_text(parsed, blocks, each) for each in (statement, _bare(statement), after))
    before = lines(old)[len(blocks) :]
    index = parsed.line(statement) - 1 - (len(before) - len(lines(bare)[len(blocks) :]))
    found = parsed.lines[index : index + len(before)]
    changed = lines(new)[len(blocks) :]
    if before[-1] != found[-1]:  # the file ends without a line end
        before, changed = found, (*changed[:-1], changed[-1].rstrip("\r\n"))
    if before != found:
        raise refuse("the lines of the statement cannot be told from those around it", parsed.path, index + 1)
    if reason := reason_against_statement(parsed, changes, index - len(blocks), old, new):
        raise refuse(reason, parsed.path, parsed.line(statement))
    return difference(index + 1, before, changed)


def _bare(statement: BlockStatement) -> BlockStatement:
    """Return a statement without what stands on lines before the one that its position names."""
    if isinstance(statement, (cst.FunctionDef, cst.ClassDef)):
        return statement.with_changes(leading_lines=(), decorators=(), lines_after_decorators=())
    return statement.with_changes(leading_lines=())


def _text(parsed: SourceFile, blocks: Iterable[cst.IndentedBlock], statement: BlockStatement) -> str:
    """Return the text of a statement, indented as in the ``blocks`` around it, each of which begins with a line."""
    for block in blocks:
        around = cst.IndentedBlock([statement], indent=block.indent)
        statement = cst.If(cst.Integer("1"), around)
    return parsed.module.with_changes(header=(), body=[statement], footer=(), has_trailing_newline=True).code
