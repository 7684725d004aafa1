"""What comes after a simple statement in its block: a raise, or the next round of a loop."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from typing import NamedTuple

from errlint.index.bindings import FunctionNode
from errlint.index.statements import below, blocks, ends_process, jumps_out


class After(NamedTuple):
    """The statements (by ``id``) that a raise follows in their block, and those after which the loop goes on."""

    raising: set[int]
    going_on: set[int]


def after(body: Sequence[ast.stmt]) -> After:
    """Look at the blocks of a function; definitions inside are not entered."""
    found = After(set(), set())
    _block(body, False, found)
    return found


def _block(body: Sequence[ast.stmt], loops: bool, found: After) -> None:
    """Look at one block; ``loops`` is true where behind it nothing but the next round of a loop comes."""
    raises = False
    for node in reversed(body):
        inner = tuple(blocks(node))
        if isinstance(node, ast.Raise):
            raises, loops = True, False
        elif isinstance(node, ast.Continue):
            raises, loops = False, True
        elif isinstance(node, (ast.Return, ast.Break)) or ends_process(node):
            raises, loops = False, False
        elif not inner:
            if raises:
                found.raising.add(id(node))
            if loops:
                found.going_on.add(id(node))
        elif not isinstance(node, (*FunctionNode, ast.ClassDef)):
            _inner(node, inner, loops, found)
            ways_out = any(not isinstance(each, ast.Continue) for each in jumps_out([node]))
            loops = loops and not ways_out and not any(map(ends_process, below([node])))


def _inner(node: ast.stmt, inner: Sequence[Sequence[ast.stmt]], loops: bool, found: After) -> None:
    """Look at the blocks of a compound statement."""
    is_loop = isinstance(node, (ast.For, ast.AsyncFor, ast.While))
    for block in inner:
        _block(block, loops or (is_loop and block is inner[0]), found)
