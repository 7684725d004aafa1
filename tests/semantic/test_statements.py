"""How control leaves a statement or a block."""

from __future__ import annotations

import ast

import pytest

from errlint.index.statements import jumps_out, leaves

LEFT = {
    "return 1": True,
    "first()": False,
    "if a:\n  return 1": False,
    "if a:\n  return 1\nelse:\n  raise B": True,
    "if a:\n  return 1\nelif b:\n  continue\nelse:\n  first()": False,
    "try:\n  return 1\nexcept A:\n  raise": True,
    "try:\n  return 1\nexcept A:\n  first()": False,
    "try:\n  first()\nexcept A:\n  first()\nfinally:\n  return 1": True,
    "with suppress(A):\n  raise A": False,
    "sys.exit(2)": True,
    "exit()": True,
    "driver.quit()": False,
    "transaction.abort()": False,
}


@pytest.mark.parametrize("block", LEFT)
def test_whether_control_comes_to_the_end_of_a_block(block: str) -> None:
    assert leaves(ast.parse(block).body) is LEFT[block]


JUMPS = {
    "if a:\n  break\nraise A": ["Break", "Raise"],
    "for a in b:\n  if a:\n    break\n  return a": ["Return"],
    "while a:\n  continue\nelse:\n  continue": ["Continue"],
    "try:\n  return 1\nexcept A:\n  raise\nfinally:\n  break": ["Return", "Raise", "Break"],
    "match a:\n  case 1:\n    return 1": ["Return"],
    "def f():\n  return 1\nclass A:\n  def f(self):\n    raise B": [],
}


@pytest.mark.parametrize("block", JUMPS)
def test_what_may_leave_a_block(block: str) -> None:
    assert [type(each).__name__ for each in jumps_out(ast.parse(block).body)] == JUMPS[block]
