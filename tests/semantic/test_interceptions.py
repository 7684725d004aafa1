"""Which clauses stand around a call, and how each is left."""

from __future__ import annotations

import pytest

from errlint.collect import collect
from errlint.index.vocabulary import Vocabulary
from errlint.project.interceptions import calls_one_of, interceptions

CASES = {
    "an answer": ("try:\n  return f()\nexcept OSError:\n  return 1", [("OSError", "answers 4")]),
    "every way out": (
        "try:\n  x = f()\nexcept OSError as e:\n  if e.args:\n    raise\n  if e:\n    raise E from e\n  return 1",
        [("OSError", "raises again 5, raises 7, answers 8")],
    ),
    "the function goes on": ("try:\n  f()\nexcept OSError:\n  pass\nreturn 1", [("OSError", "")]),
    "several clauses": (
        "try:\n  f()\nexcept OSError:\n  return 1\nexcept (KeyError, ValueError):\n  return 2\nexcept:\n  return 3",
        [("OSError", "answers 4"), ("KeyError ValueError", "answers 6"), ("", "answers 8")],
    ),
    "a call that is handed over to be made": (
        "try:\n  return run_sync(f, 1)\nexcept OSError:\n  return 1",
        [("OSError", "answers 4")],
    ),
    "clauses that look the same": (
        "try:\n  f()\nexcept OSError:\n  return 1\ntry:\n  g()\nexcept OSError:\n  return 2",
        [("OSError", "answers 4")],
    ),
    "clauses that look the same, each in a line": (
        "try: return f()\nexcept OSError: return 1\ntry: return g()\nexcept OSError: return 2",
        [("OSError", "answers 2")],
    ),
    "a clause in a clause": (
        "try:\n  f()\nexcept OSError:\n  try:\n    g()\n  except KeyError:\n    pass\n  return 1",
        [("OSError", "answers 8")],
    ),
    "what is raised elsewhere": (
        "try:\n  f()\nexcept OSError:\n  return 1\nexcept KeyError:\n  raise\nraise E",
        [("OSError", "answers 4"), ("KeyError", "raises again 6")],
    ),
    "no call inside": ("try:\n  g()\nexcept OSError:\n  return 1\nf()", []),
    "a call in a clause": ("try:\n  g()\nexcept OSError:\n  return f()", []),
    "a name that is only looked at": ("try:\n  g(f)\nexcept OSError:\n  return 1", []),
    "what suppresses": ("with suppress(OSError):\n  f()", []),
}


@pytest.mark.parametrize(("body", "expected"), CASES.values(), ids=CASES)
def test_what_is_caught_around_a_call(body: str, expected: list[tuple[str, str]]) -> None:
    lines = "\n".join(f"    {line}" for line in body.split("\n"))
    text = f"def decorator(f):\n  def around(*given):\n{lines}\n"
    (function,) = [item for item in collect(text, Vocabulary()).functions if item.name.endswith("around")]
    found = [
        (" ".join(item.catch.types), ", ".join(f"{each.how.value} {each.span.line - 2}" for each in item.outcomes))
        for item in interceptions(function, calls_one_of(frozenset({"f"})))
    ]
    assert found == expected
