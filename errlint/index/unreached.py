"""Statements that are never reached: behind a jump of their own block, or below a condition that is constant."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from errlint.index.statements import blocks, is_compound, is_left


def unreached(tree: ast.AST) -> Iterator[tuple[int, int]]:
    """Yield the first and last lines of the statements of a file that are never reached."""
    pending: list[ast.AST] = [tree]
    while pending:
        node = pending.pop()
        for block in blocks(node):
            start = 0 if _is_skipped(node, block) else _behind_jump(block)
            if start < len(block):
                yield block[start].lineno, block[-1].end_lineno or block[-1].lineno
            pending.extend(filter(is_compound, block))


def _is_skipped(node: ast.AST, block: Sequence[ast.stmt]) -> bool:
    """Whether a block is below a condition that decides against it."""
    if not isinstance(node, (ast.If, ast.While)) or not isinstance(node.test, ast.Constant):
        return False
    is_else = block is node.orelse
    return bool(node.test.value) == is_else and not (is_else and isinstance(node, ast.While))


def _behind_jump(block: Sequence[ast.stmt]) -> int:
    """Return which statement of a block is the first that is not reached, the number of them for none."""
    return next((index + 1 for index, statement in enumerate(block) if is_left(statement)), len(block))
