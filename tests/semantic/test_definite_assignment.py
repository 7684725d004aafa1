"""Which names certainly have a value when a statement begins: the one that says `here()`."""

from __future__ import annotations

import ast

import pytest

from errlint.index.definite_assignment import bound_before

BOUND = {
    "x = 1\nhere()": "x",
    "if a:\n  x = 1\nhere()": "",
    "if a:\n  x = 1\nelse:\n  x = 2\nhere()": "x",
    "if a:\n  x = 1\nelse:\n  return\nhere()": "x",
    "x: int\nhere()": "",
    "import os.path\nhere()": "os",
    "def f(): ...\nhere()": "f",
    "x = 1\ndel x\nhere()": "",
    "for x in a:\n  here()\n  del x": "x",
    "for x in a:\n  ...\nhere()": "",
    "while True:\n  x = 1\n  break\nhere()": "x",
    "with a as x:\n  here()": "x",
    "with suppress(A):\n  x = 1\nhere()": "",
    "try:\n  x = 1\nexcept A:\n  here()": "",
    "x = 1\ntry:\n  first()\nexcept A as x:\n  here()": "",
    "x = 1\ntry:\n  first()\nfinally:\n  here()": "x",
    "try:\n  x = 1\nfinally:\n  here()": "",
    "try:\n  x = 1\nexcept A:\n  raise\nhere()": "x",
    "x = 1\ntry:\n  return f()\nexcept A:\n  here()": "x",
    "try:\n  return f()\nfinally:\n  x = 1\nhere()": "",
    "try:\n  y = 1\nfinally:\n  x = 1\nhere()": "x y",
    "x = 1\ntry:\n  del x\nexcept A:\n  here()": "",
    "match a:\n  case [x]:\n    here()": "x",
    "global x\nhere()": "",
    "if (x := a):\n  here()": "x",
    "return\nhere()": "",
    "x, y = a\ndel x\nhere()": "y",
    "(x, [y, *z]) = a\ndel x, (y, z)\nhere()": "",
    "class x: ...\nhere()": "x",
    "nonlocal x\nhere()": "",
    "async for x in a:\n  here()": "x",
    "async for x in a: ...\nhere()": "",
    "while (x := a):\n  here()": "x",
    "match a:\n  case [x]: ...\n  case _:\n    here()": "",
    "match a:\n  case [x]: ...\nhere()": "",
    "x = 1\nwith a:\n  del x\nhere()": "",
    "try:\n  x = 1\nexcept A:\n  raise\nelse:\n  here()": "x",
    "try:\n  x = 1\n  first()\nexcept A:\n  y = 2\nhere()": "",
    "try:\n  x = 1\n  first()\nexcept A:\n  x = 2\nhere()": "x",
    "x = 1\ntry:\n  return\nfinally:\n  here()": "x",
    "try:\n  x = 1\nfinally:\n  return\nhere()": "",
    "x = 1\ntry:\n  del x\n  first()\nexcept A:\n  here()": "",
    "x = 1\ntry:\n  first()\n  x = 2\nexcept A:\n  here()": "x",
}


@pytest.mark.parametrize("body", BOUND)
def test_the_names_that_have_a_value_at_a_statement(body: str) -> None:
    lines = "\n".join(f"  {line}" for line in body.split("\n"))
    function = ast.parse(f"def function(a, *more, key):\n{lines}\n").body[0]
    assert isinstance(function, ast.FunctionDef)
    (statement,) = (
        node
        for node in ast.walk(function)
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call) and ast.unparse(node.value) == "here()"
    )
    assert " ".join(sorted(bound_before(function, statement) - {"a", "more", "key"})) == BOUND[body]
