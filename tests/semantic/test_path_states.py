"""What has happened on each way to a statement: ways are apart by what they have seen, and by what they know."""

from __future__ import annotations

import ast

import pytest

from errlint.index.path_states import TooManyWaysError, Walk, condition, evaluated, names_in


def ways(body: str) -> list[str]:
    """Return what was called on each way to the statement `here()`, sorted."""
    found: set[frozenset[str]] = set()

    def step(node: ast.stmt, seen: frozenset[str]) -> frozenset[str]:
        calls = {
            part.func.id for part in evaluated(node) if isinstance(part, ast.Call) and isinstance(part.func, ast.Name)
        }
        if "here" in calls:
            found.add(seen)
        return seen | calls - {"here"}

    Walk(step).walk(ast.parse(body).body)
    return sorted(" ".join(sorted(seen)) for seen in found)


WAYS = {
    "one way": ("a()\nb()\nhere()", ["a b"]),
    "two ways": ("if x:\n  a()\nelse:\n  b()\nhere()", ["a", "b"]),
    "a way that is left": ("if x:\n  a()\n  return\nhere()", [""]),
    "no way": ("return\nhere()", []),
    "two tests of one flag": ("if x:\n  a()\nif x:\n  here()", ["a"]),
    "a test of a flag and of its opposite": ("if x:\n  a()\nif not x:\n  here()", [""]),
    "a test of a flag that is turned twice": ("if not not x:\n  a()\nif x:\n  here()", ["a"]),
    "two tests of an attribute": ("if x.y:\n  a()\nif x.y:\n  here()", ["a"]),
    "tests of two flags": ("if x:\n  a()\nif y:\n  here()", ["", "a"]),
    "tests of something that may change": ("if x():\n  a()\nif x():\n  here()", ["x", "a x"]),
    "a flag that is set between": ("if x:\n  a()\nx = 1\nif x:\n  here()", ["", "a"]),
    "an attribute that is set between": ("if x.y:\n  a()\nx.y = 1\nif x.y:\n  here()", ["", "a"]),
    "a name of which an attribute is asked": ("if x.y:\n  a()\nx = 1\nif x.y:\n  here()", ["", "a"]),
    "another flag that is set between": ("if x:\n  a()\ny = 1\nif x:\n  here()", ["a"]),
    "an item that is set between": ("if x:\n  a()\nx[0] = 1\nif x:\n  here()", ["a"]),
    "a flag of a loop": ("if x:\n  a()\nfor x in y:\n  if x:\n    here()", ["", "a"]),
    "a flag that a pattern binds": ("if x:\n  a()\nmatch y:\n  case [x]:\n    if x:\n      here()", ["", "a"]),
    "a flag that no pattern binds": ("if x:\n  a()\nmatch y:\n  case [z]:\n    if x:\n      here()", ["a"]),
    "a loop": ("for x in y:\n  a()\nhere()", ["", "a"]),
    "a handler": ("try:\n  a()\n  b()\nexcept E:\n  here()", ["a", "a b"]),
    "an else of a try": ("try:\n  a()\nexcept E:\n  b()\nelse:\n  here()", ["a"]),
}


@pytest.mark.parametrize(("body", "expected"), WAYS.values(), ids=WAYS)
def test_what_was_called_on_each_way(body: str, expected: list[str]) -> None:
    assert ways(body) == sorted(expected)


@pytest.mark.parametrize("count", [6, 7])
def test_more_ways_than_can_be_told_apart_are_given_up(count: int) -> None:
    flags = "".join(f"if x.f{number}:\n  a{number}()\n" for number in range(count))
    if count > 6:
        with pytest.raises(TooManyWaysError):
            ways(f"{flags}here()")
    else:
        assert len(ways(f"{flags}here()")) == 64


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("x", ("x", True)),
        ("not x.y", ("x.y", False)),
        ("not not x", ("x", True)),
        ("x()", ("", True)),
        ("-x", ("", True)),
    ],
)
def test_which_condition_means_the_same_wherever_it_is_asked(text: str, expected: tuple[str, bool]) -> None:
    assert condition(ast.parse(text, mode="eval").body) == expected


EVALUATED = {
    "a call": ("f(x)", {"f(x)", "f", "x"}),
    "an assignment": ("y = x", {"x", "y"}),
    "a header": ("if x:\n  y", {"x"}),
    "a text with a hole": ("f'a{x}'", {"f'a{x}'", "x"}),
    "a lambda": ("f(lambda: x)", {"f(lambda: x)", "f", "lambda: x"}),
    "a constant": ("'a'", {"'a'"}),
    "a definition": ("def f(a=x):\n  y", set()),
}


@pytest.mark.parametrize(("text", "expected"), EVALUATED.values(), ids=EVALUATED)
def test_what_a_statement_evaluates(text: str, expected: set[str]) -> None:
    (statement,) = ast.parse(text).body
    assert {part for part in map(ast.unparse, evaluated(statement)) if "{x}" not in part or part == text} == expected


NAMES = {
    "a.b.c": {"a", "a.b", "a.b.c"},
    "self.a": {"self.a"},
    "cls": set(),
    "f(a, b=c.d)": {"f", "a", "c", "c.d"},
    "f().a": {"f"},
    "a[b]": {"a", "b"},
    "1": set(),
}


@pytest.mark.parametrize("text", NAMES)
def test_which_names_an_expression_reads(text: str) -> None:
    assert names_in(ast.parse(text, mode="eval").body) == NAMES[text]
