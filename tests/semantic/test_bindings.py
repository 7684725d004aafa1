"""What statements bind and calls give, each function by itself."""

from __future__ import annotations

import ast

import pytest

from errlint.index.alternatives import surely_bound
from errlint.index.bindings import WalrusLines, assigned, given_to, only_assigned, target_names, variable_of
from errlint.index.bound import Bindings
from errlint.index.scopes import read
from errlint.index.statements import returns
from errlint.source import Lines

GIVEN = {
    "by its place": ("def f(a, b): ...", "f(1, 2)", "b", "2"),
    "by its name": ("def f(a, b): ...", "f(1, b=2)", "b", "2"),
    "by position only": ("def f(a, /, b): ...", "f(1, 2)", "a", "1"),
    "to a method, whose object is not given": ("def f(self, a): ...", "x.f(1)", "a", "1"),
    "to the object of a method": ("def f(self, a): ...", "x.f(1)", "self", None),
    "to a function that is called as a method": ("def f(a, b): ...", "x.f(1, 2)", "b", "2"),
    "not at all": ("def f(a, b=3): ...", "f(1)", "b", None),
    "past the places that are given": ("def f(a, b, c): ...", "f(1, c=2)", "b", None),
    "a name that it does not have": ("def f(a): ...", "f(1)", "b", None),
    "behind a starred argument": ("def f(a, b): ...", "f(*x, 2)", "b", None),
}


@pytest.mark.parametrize(("function", "call", "name", "value"), GIVEN.values(), ids=GIVEN)
def test_what_a_call_gives_for_a_parameter(function: str, call: str, name: str, value: str | None) -> None:
    definition = ast.parse(function).body[0]
    written = ast.parse(call, mode="eval").body
    assert isinstance(definition, ast.FunctionDef)
    assert isinstance(written, ast.Call)
    found = given_to(written, definition.args, name)
    assert (None if found is None else ast.unparse(found)) == value


BOUND = {
    "x = y = 1": {"x", "y"},
    "x: int": set(),
    "x: int = 1": {"x"},
    "x += 1": {"x"},
    "x.y = 1": set(),
    "(x, [y, *z]) = a": {"x", "y", "z"},
    "with a: ...": set(),
    "with a as x, b, c as (y, z): ...": {"x", "y", "z"},
    "for x in a: y = 1": {"x", "y"},
    "try: x = 1\nexcept E as y: z = 1\nelse: u = 1\nfinally: v = 1": {"x", "y", "z", "u", "v"},
    "match a:\n    case {'k': x, **y}: ...\n    case [z, *u] as v: ...\n    case _: ...": {"x", "y", "z", "u", "v"},
    "import a.b": {"a"},
    "import a.b as x": {"x"},
    "from a import b, c as x": {"b", "x"},
    "def x(): y = 1": {"x"},
    "class x: y = 1": {"x"},
    "global x": {"x"},
    "while (x := a): y = 1": {"x", "y"},
    "if a: x = 1\nelse: y = 1": {"x", "y"},
    "a(lambda: (x := 1))": set(),
}


@pytest.mark.parametrize(("code", "names"), BOUND.items(), ids=BOUND)
def test_the_names_that_a_statement_binds_with_all_below_it(code: str, names: set[str]) -> None:
    body = ast.parse(code).body
    assert Bindings(None).below(body) == Bindings(WalrusLines(Lines(code))).below(body) == names


OWN = {
    "f(x := a)": {"x"},
    "x = (y := a)": {"x", "y"},
    "if (x := a): (y := b)": {"x"},
    "for x in (y := a): z = 1": {"x", "y"},
    "while (x := a): y = 1": {"x"},
    "with (x := a) as y: (z := b)": {"x", "y"},
    "match (x := a):\n    case [y]: (z := b)": {"x", "y"},
    "try: (x := a)\nexcept E as y: (z := b)": {"y"},
    "def x(): (y := a)": {"x"},
    "class x: (y := a)": {"x"},
}


@pytest.mark.parametrize(("code", "names"), OWN.items(), ids=OWN)
def test_the_names_that_a_statement_binds_by_itself(code: str, names: set[str]) -> None:
    (statement,) = ast.parse(code).body
    assert Bindings(None).of(statement) == Bindings(WalrusLines(Lines(code))).of(statement) == names


WALRUSES = {
    "a\nb(x := 1)\nc": [False, True, False],
    "a(\n  b,\n  x := 1\n)\nc": [True, False],
    "@a(x := 1)\ndef f(): pass\nc": [True, False],
    "a\n\nif b:\n  (x := 1)": [False, True],
    "é = a; b\n(x := 1)": [False, False, True],
    "a": [False],
}


@pytest.mark.parametrize(("code", "held"), WALRUSES.items(), ids=WALRUSES)
def test_the_statements_that_may_hold_a_walrus(code: str, held: list[bool]) -> None:
    walruses = WalrusLines(Lines(code))
    assert [walruses.are_in(node) for node in ast.parse(code).body] == held


def test_the_returns_of_a_function_are_not_those_of_functions_in_it() -> None:
    code = (
        "def f():\n    if a:\n        return 1\n    def g():\n        return 2\n    class C:\n        def h(self):\n"
        "            return 3\n    try:\n        return 4\n    finally:\n        for x in y:\n            return 5\n"
    )
    function = ast.parse(code).body[0]
    assert isinstance(function, ast.FunctionDef)
    assert [ast.unparse(each) for each in returns(function)] == ["return 1", "return 4", "return 5"]


SURELY = {
    "import x": {"x"},
    "if a: import x": set(),
    "if a: import x\nelse: x = None": {"x"},
    "if a: import x\nelse: raise E": {"x"},
    "if a: import x\nelse: sys.exit()": {"x"},
    "try: import x\nexcept ImportError: pass": set(),
    "try: import x\nexcept ImportError: raise": {"x"},
    "for y in a: import x": set(),
    "with suppress(ImportError): import x": set(),
    "with opened(): import x": {"x"},
}


@pytest.mark.parametrize(("code", "names"), SURELY.items(), ids=SURELY)
def test_the_names_that_a_module_surely_has(code: str, names: set[str]) -> None:
    assert surely_bound(read(ast.parse(code), None).flow) & {"x"} == names


ASSIGNED = {
    "x = y = 1": ("x=1 y=1", "x y", ""),
    "x, *(a.b, z[0]) = f()": ("(x, *(a.b, z[0]))=f()", "x", ""),
    "x = 1": ("x=1", "x", "x"),
    "x: int = 1": ("x=1", "x", "x"),
    "x: int": ("", "", "x"),
    "x.y = 1": ("x.y=1", "", ""),
    "x += 1": ("", "", ""),
}


@pytest.mark.parametrize("statement", ASSIGNED)
def test_what_an_assignment_is_to(statement: str) -> None:
    node = ast.parse(statement).body[0]
    pairs = " ".join(f"{ast.unparse(target)}={ast.unparse(value)}" for target, value in assigned(node))
    names = " ".join(name for target, _ in assigned(node) for name in target_names(target))
    assert (pairs, names, variable_of(node)) == ASSIGNED[statement]


VALUES = {
    "x = 1\nx = 2": "1 2",
    "x = []\nx += [1]": "[]",
    "x = 1\ny = 2": "1",
    "for y in a: ...\nx = 1": "1",
    "x = 1\nfor x in a: ...": "",
    "x = 1\ndel x": "",
    "a = 1": "",
    "x = 1\ndef x(): ...": "",
}


@pytest.mark.parametrize("body", VALUES)
def test_what_a_function_gives_a_name(body: str) -> None:
    lines = "\n".join(f"  {line}" for line in body.split("\n"))
    found = only_assigned(ast.parse(f"def function(a):\n{lines}\n").body[0], "a" if body == "a = 1" else "x")
    assert " ".join(map(ast.unparse, found)) == VALUES[body]
