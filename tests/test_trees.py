"""Walks over syntax trees meet the nodes that those of ``ast`` meet, in the same order."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from errlint.trees import children, walk

_SIGNS = (ast.expr_context, ast.operator, ast.unaryop, ast.boolop, ast.cmpop)
_HERE = Path(__file__)

_ALL_KINDS = """
import a as b
from .c import (d as e, f)
@g
async def h(i: int, /, j=1, *k: str, l, m=2, **n) -> None:
    global o
    async with p() as q, r:
        async for s in t: await u(*v, **w, x=y)
    return [z async for z in a if not b], {**c, d: -e}, {f for g in h}, (i async for j in k)
class L(M, n=O):
    p: q = r
    s: t
    def u(self): nonlocal v; yield from w
try:
    x, *y = z
    a += b @ c; del d[1:2, ...]
except (e, f) as g:
    raise h from i
else:
    assert j, k
finally:
    pass
while l < m <= n and o or p: break
else: continue
if (q := lambda r, *, s=1: t) if u else v: pass
match w:
    case X(1, y=None) | [2, *z] | {"a": b, **c} if d: f"{e!r:>{f}}"
    case g: pass
with h: i.j.k = "l" "m"
"""


def nodes(tree: ast.AST) -> list[ast.AST]:
    return [node for node in ast.walk(tree) if not isinstance(node, _SIGNS)]


@pytest.mark.parametrize("text", [_ALL_KINDS, _HERE.read_text(encoding="utf-8")], ids=["all kinds", "this file"])
def test_all_nodes_are_met_in_order_but_for_signs(text: str) -> None:
    tree = ast.parse(text)
    assert walk(tree) == nodes(tree)
    for node in nodes(tree):
        assert [*children(node)] == [each for each in ast.iter_child_nodes(node) if not isinstance(each, _SIGNS)]
