"""Which names a function has itself, and what the statements of a file bind."""

from __future__ import annotations

import ast
from textwrap import indent

import pytest

from errlint.collect import collect
from errlint.facts import Module
from errlint.index.bindings import assigned_names, bound_by, only_assigned, only_target, targets_of
from errlint.index.scopes import bound_in, imported, own_names
from errlint.index.statements import below, everywhere, in_header, is_exit
from errlint.index.vocabulary import Vocabulary


def get(body: str) -> str:
    """Return a file with a name `load`, and a function with a body."""
    return f"load = 1\n\n\ndef get(x):\n{indent(body, '    ')}\n"


def read(text: str, *, use_ast: bool) -> Module:
    """Return the facts of a file."""
    return collect(text, Vocabulary(), use_ast=use_ast)


HIDDEN = {
    "a variable": ("load = 2", True),
    "a part of a variable": ("(a, [load, *b]) = x", True),
    "an attribute of it": ("load.a = 2", False),
    "a sum": ("load += 1", True),
    "a declaration": ("load: int", True),
    "a variable on one way": ("if x:\n    load = 1", True),
    "a variable on the other way": ("if x: ...\nelif a: ...\nelse:\n    load = 1", True),
    "a loop": ("for load in x: ...", True),
    "a variable in a loop": ("while x:\n    load = 1", True),
    "a variable behind a loop": ("while x: ...\nelse:\n    load = 1", True),
    "a with": ("with x as (a, load): ...", True),
    "a handler": ("try: ...\nexcept OSError as load: ...", True),
    "a variable in a clean-up": ("try: ...\nfinally:\n    load = 1", True),
    "a pattern": ("match x:\n    case {'a': load}: ...", True),
    "the rest of a pattern": ("match x:\n    case [a, *load]: ...", True),
    "an import": ("import load", True),
    "an import of a part of it": ("import load.a", True),
    "an import by its name": ("from a import b as load", True),
    "an import by another name": ("from load import load as a", False),
    "a function": ("def load(): ...", True),
    "a class": ("class load: ...", True),
    "what is deleted": ("del load", True),
    "what is bound on the way": ("return (load := 2)", True),
    "what a condition binds": ("if (load := 2):\n    a = 1", True),
    "what a comprehension binds around it": ("return [(load := a) for a in x]", True),
    "the target of a comprehension": ("return [load for load in x]", False),
    "what a lambda binds": ("return lambda: (load := 2)", False),
    "what the default of a lambda binds": ("return lambda a=(load := 2): a", True),
    "a name of the module": ("global load\nload = 2", False),
    "what a function in it binds": ("def inner():\n    load = 2", False),
    "what a class in it has": ("class Inner:\n    load = 2", False),
    "what is read": ("return load(x)", False),
}


@pytest.mark.parametrize("use_ast", [True, False], ids=["ast", "libcst"])
@pytest.mark.parametrize(("body", "is_hidden"), HIDDEN.values(), ids=HIDDEN)
def test_a_function_hides_a_name_of_the_module_by(body: str, is_hidden: bool, use_ast: bool) -> None:
    scopes = {each.function: each.hidden for each in read(get(body), use_ast=use_ast).scopes}
    assert ("load" in scopes.get("get", ())) is is_hidden
    function = ast.parse(get(body)).body[1]
    assert isinstance(function, ast.FunctionDef)
    assert ("load" in bound_in(function)) is is_hidden


OWN = {
    "a parameter": ("...", "x", ""),
    "a variable": ("a = 1", "a x", ""),
    "an import": ("import a.b", "x", "a"),
    "a function": ("def a(): ...", "x", "a"),
    "a class and a variable of a name": ("a = 1\nclass a: ...", "x", "a"),
    "a name of the module": ("global a\na = 1", "x", "a"),
    "a name of a function around": ("nonlocal a\na = 1", "x", "a"),
}


@pytest.mark.parametrize(("body", "own", "others"), OWN.values(), ids=OWN)
def test_the_names_that_are_variables_of_a_function(body: str, own: str, others: str) -> None:
    function = ast.parse(f"def get(x):\n{indent(body, '    ')}\n").body[0]
    assert isinstance(function, ast.FunctionDef)
    assert tuple(" ".join(sorted(each)) for each in own_names(function)) == (own, others)


def test_the_names_of_a_lambda() -> None:
    node = ast.parse("lambda x, *y, z=(b := 1): (a := x)", mode="eval").body
    assert isinstance(node, ast.Lambda)
    assert own_names(node) == (frozenset("axyz"), frozenset())


SCOPES = {
    "a builtin": ("def get():\n    print = 2", {"get": "print"}),
    "a name that nobody else has": ("def get():\n    other = 2", {}),
    "such a name where an import brings any": ("from a import *\ndef get():\n    other = 2", {"get": "other"}),
    "a method": ("load = 1\nclass A:\n    def get(self):\n        load = 3", {"A.get": "load"}),
    "a method of a class in a class": (
        "load = 1\nclass A:\n    class B:\n        def get(self, load): ...",
        {"A.B.get": "load"},
    ),
    "a method beside a field": ("class A:\n    load = 2\n    def get(self, load): ...", {}),
    "a function in a function": ("def get():\n    load = 1\n    def inner(load): ...", {"get.inner": "load"}),
    "a name of the function around": (
        "load = 1\ndef get():\n    load = 2\n    def inner():\n        nonlocal load\n        load = 3",
        {"get": "load"},
    ),
    "a name of the module that the function around has, too": (
        "load = 1\ndef get():\n    load = 2\n    def inner():\n        global load\n        load = 3",
        {"get": "load", "get.inner": "not load"},
    ),
}


@pytest.mark.parametrize("use_ast", [True, False], ids=["ast", "libcst"])
@pytest.mark.parametrize(("text", "scopes"), SCOPES.values(), ids=SCOPES)
def test_the_scopes_of_a_file(text: str, scopes: dict[str, str], use_ast: bool) -> None:
    found = read(f"{text}\n", use_ast=use_ast).scopes
    told = {each.function: " ".join((*each.hidden, *(f"not {name}" for name in each.of_module))) for each in found}
    assert told == scopes


SET = {
    "a value": ("global load\nload = 2", ("load",)),
    "a function": ("global load\ndef load(): ...", ("load",)),
    "nothing": ("global load", ()),
    "a variable": ("load = 2", ()),
    "a value in a function in it": ("def inner():\n    global load\n    load = 2", ("load",)),
}


@pytest.mark.parametrize(("body", "names"), SET.values(), ids=SET)
def test_the_names_that_functions_bind_in_a_module(body: str, names: tuple[str, ...]) -> None:
    assert read(get(body), use_ast=True).set_by_functions == names


IMPORTS = {
    "import a": "a=a.",
    "import a.b": "a=a.",
    "import a.b as c": "c=a.b.",
    "import a, b": "a=a. b=b.",
    "from a import b": "b=a.b",
    "from a.b import c as d": "d=a.b.c",
    "from . import b": "b=..b",
    "from ..a import b": "b=..a.b",
    "from a import *": "*=a.*",
    "a = 1": "",
}


@pytest.mark.parametrize(("text", "told"), IMPORTS.items(), ids=IMPORTS)
def test_what_an_import_binds(text: str, told: str) -> None:
    found = imported(ast.parse(text).body[0], "get")
    assert " ".join(f"{each.name}={each.module}.{each.attribute}" for each in found) == told
    assert all(each.scope == "get" for each in imported(ast.parse(text).body[0], "get"))


@pytest.mark.parametrize(
    ("text", "told"), [("import a.b", "a.b=a.b"), ("import a", "a=a"), ("import a.b as c", "c=a.b")]
)
def test_an_import_of_a_module_in_a_package_as_a_whole(text: str, told: str) -> None:
    found = imported(ast.parse(text).body[0], is_whole=True)
    assert " ".join(f"{each.name}={each.module}" for each in found) == told


FIND = "\n    def find(): ..."

ALTERNATIVES = {
    "branches": (f"if a:{FIND}\nelse:{FIND}", (2, 4)),
    "a branch and nothing": (f"def find(): ...\nif a:{FIND}", (1, 3)),
    "a function after a function": ("def find(): ...\ndef find(): ...", ()),
    "a branch and a value": (f"if a:{FIND}\nelse:\n    find = None", (2,)),
    "a branch and an import": (f"try:\n    from a import find\nexcept ImportError:{FIND}", (4,)),
    "a branch and a raise": (f"if a:{FIND}\nelse:\n    raise Gone", ()),
    "a branch and the end of the process": (f"if a:{FIND}\nelse:\n    sys.exit()", ()),
    "a loop": (f"def find(): ...\nfor x in a:{FIND}", (1, 3)),
    "behind a loop": (f"def find(): ...\nfor x in a: ...\nelse:{FIND}", ()),
    "a with": (f"def find(): ...\nwith a:{FIND}", ()),
    "what is suppressed": (f"def find(): ...\nwith suppress(OSError):{FIND}", (1, 3)),
    "cases": (f"def find(): ...\nmatch a:\n  case 1:{FIND}", (1, 4)),
    "a clean-up": (f"def find(): ...\ntry: ...\nexcept OSError: ...\nfinally:{FIND}", ()),
    "the else of a try": (f"def find(): ...\ntry: ...\nexcept OSError: ...\nelse:{FIND}", (1, 5)),
    "what is made of it": ("def find(): ...\nif a:\n    find = traced(find)", ()),
    "what is made of something else": ("def find(): ...\nif a:\n    find = traced(other)", (1,)),
    "what it stands for": ("def find(): ...\nif a:\n    find = other", (1,)),
    "a class": ("class find: ...\nif a:\n    class find: ...", (1, 3)),
}


@pytest.mark.parametrize("use_ast", [True, False], ids=["ast", "libcst"])
@pytest.mark.parametrize(("text", "lines"), ALTERNATIVES.values(), ids=ALTERNATIVES)
def test_which_statements_may_be_the_last_to_define_a_name(text: str, lines: tuple[int, ...], use_ast: bool) -> None:
    found = {each.name: each.lines for each in read(f"{text}\n", use_ast=use_ast).alternatives}
    assert found.get("find", ()) == lines


NAMES = {
    "x = 1": "x",
    "x.y = 1": "",
    "del x": "x",
    "for x in a: y = 1": "x y",
    "import a.b, c as d": "a d",
    "from a import b": "b",
    "def x(): y = 1": "x",
    "class x: y = 1": "x",
    "try: ...\nexcept E as x: ...": "x",
    "match a:\n    case {'k': x, **y}: ...\n    case [z, *u] as v: ...": "u v x y z",
    "(x := 1)": "x",
    "a(lambda: (x := 1))": "",
    "with a as x: ...": "x",
}


@pytest.mark.parametrize(("text", "names"), NAMES.items(), ids=NAMES)
def test_what_statements_bind_once_for_each_time(text: str, names: str) -> None:
    assert " ".join(sorted(filter(None, bound_by(ast.parse(text).body)))) == names
    twice = [*ast.parse(text).body, *ast.parse(text).body]
    assert len([*filter(None, bound_by(twice))]) == 2 * len(names.split())


@pytest.mark.parametrize(
    ("text", "target"),
    [("x = 1", "x"), ("x: int", "x"), ("x.y = 1", "x.y"), ("x = y = 1", None), ("x += 1", None), ("x", None)],
)
def test_what_an_assignment_alone_is_about(text: str, target: str | None) -> None:
    found = only_target(ast.parse(text).body[0])
    assert (None if found is None else ast.unparse(found)) == target


TARGETS = {
    "x = y.z = 1": ("x y.z", "x"),
    "x, y = 1": ("(x, y)", ""),
    "x: int": ("x", ""),
    "x += 1": ("x", ""),
    "for x in a: ...": ("x", ""),
    "with a, b as x: ...": ("x", ""),
    "x": ("", ""),
}


@pytest.mark.parametrize(("text", "targets", "names"), [(text, *told) for text, told in TARGETS.items()], ids=TARGETS)
def test_what_a_statement_assigns_to(text: str, targets: str, names: str) -> None:
    node = ast.parse(text).body[0]
    assert " ".join(map(ast.unparse, targets_of(node))) == targets
    assert " ".join(name for name, _ in assigned_names(node)) == names


def test_a_function_may_have_a_variable_of_its_own_name() -> None:
    (function,) = ast.parse("def x(a):\n    x = a\n    return x\n").body
    assert [ast.unparse(each) for each in only_assigned(function, "x")] == ["a"]


HEADERS = {
    "if a: b()": "a",
    "while a: b()": "a",
    "for x in a: b()": "a",
    "with a as x, b: c()": "a b",
    "match a:\n    case 1: b()": "a",
    "try: a()\nfinally: b()": "",
    "def f(a=b): c()": "",
    "a()": "",
}


@pytest.mark.parametrize(("text", "told"), HEADERS.items(), ids=HEADERS)
def test_what_a_header_evaluates(text: str, told: str) -> None:
    assert " ".join(map(ast.unparse, in_header(ast.parse(text).body[0]))) == told


BODY = """\
if a:
    one()
else:
    two()
for x in a:
    three()
else:
    four()
try:
    five()
except OSError:
    six()
else:
    seven()
finally:
    eight()
match a:
    case 1:
        nine()
with a:
    ten()
def inner():
    eleven()
class Inner:
    twelve()
"""


BLOCKS = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")


def test_the_statements_of_a_block_come_in_the_order_of_the_text() -> None:
    calls = [ast.unparse(each) for each in below(ast.parse(BODY).body) if isinstance(each, ast.Expr)]
    assert calls == [f"{each}()" for each in BLOCKS]


def test_all_statements_are_those_of_definitions_too() -> None:
    found = [*everywhere(ast.parse(BODY).body)]
    calls = [ast.unparse(each) for each in found if isinstance(each, ast.Expr)]
    assert calls[-3:] == ["ten()", "eleven()", "twelve()"]
    assert [type(each).__name__ for each in found if not isinstance(each, ast.Expr)] == [
        "If",
        "For",
        "Try",
        "ExceptHandler",
        "Match",
        "With",
        "FunctionDef",
        "ClassDef",
    ]


@pytest.mark.parametrize(
    ("called", "ends"),
    [
        ("exit", True),
        ("sys.exit", True),
        ("os._exit", True),
        ("os.abort", True),
        ("self.parser.exit", True),
        ("driver.quit", False),
        ("sys.path", False),
        ("leave", False),
    ],
)
def test_what_ends_the_process(called: str, ends: bool) -> None:
    assert is_exit(called) is ends
