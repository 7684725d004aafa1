"""What in a function may raise: its calls, raises and operations, with what its local names stand for."""

from __future__ import annotations

import ast
from textwrap import indent

import pytest

from errlint.facts import Call, Choice, Ref, Value
from errlint.index.may_raise import PossibleRaises, only_values, operations, possible_raises


def may(body: str) -> PossibleRaises:
    """Return what a function with two parameters may raise."""
    found = possible_raises(ast.parse(f"async def get(a, b):\n{indent(body, '    ')}\n"), "get")
    assert found is not None
    return found


def shown(value: Value | None) -> str:
    """Return what a name, a call or a choice is, ``?`` for anything else."""
    if type(value) is Choice:
        return " or ".join(map(shown, value.values))
    if type(value) is Call:
        return f"{shown(value.inner) if value.inner is not None else ''}{value.name}()"
    return value.name if type(value) is Ref else "?"


CALLS = {
    "a function": ("load(a)", "load() a"),
    "a function with names of all kinds": ("load(a, 1, key=b, more=c)", "load() a b c"),
    "a method of what is made": ("client = Client()\nclient.get(a)", "Client(); Client().get() a"),
    "a method of what is awaited": ("client = await connect()\nclient.get(a)", "connect(); connect().get() a"),
    "a method of what is bound twice": ("c = Client()\nc = Other()\nc.get()", "Client(); Other(); ?.get()"),
    "a method of a loop's name": ("for c in a:\n    c.get()", "?.get()"),
    "a method of a module": ("shop.get()", "shop.get()"),
    "a method of a part of a local object": ("c = Client()\nc.http.get()", "Client(); ?.get()"),
    "another name of a function": ("f = load\nf(a)", "load() a"),
    "another name of a method": ("f = shop.load\nf(a)", "shop.load() a"),
    "a name of another name": ("f = load\ng = f\ng()", "load()"),
    "a name that is made of itself": ("f = f.load\nf()", "?()"),
    "one of two functions": ("f = load if a else find\nf()", "?()"),
    "a method of one of two things": ("c = shop if a else store\nc.get()", "shop or store.get()"),
    "what a function makes": ("retry(3)(load)()", "?() load retry; retry()"),
    "an item": ("loaders[a](b)", "?() a b loaders"),
    "another name that is handed over": ("f = load\nkeep(f)", "keep() load"),
    "a made object that is handed over": ("c = Client()\nkeep(c)", "Client(); keep()"),
    "in a function inside": ("def later():\n    load()", ""),
    "in a function without a name": ("keep(lambda: load())", "keep()"),
    "a name that a function inside has": ("def load(): ...\nload()", "load()"),
    "a name that is imported": ("from shop import load\nload()", "load()"),
    "a name of the module": ("global load\nload = find\nload()", "load()"),
    "a parameter": ("a()", "a()"),
    "a parameter that is bound again": ("a = load\na()", "a()"),
}


@pytest.mark.parametrize(("body", "calls"), CALLS.values(), ids=CALLS)
def test_what_is_called(body: str, calls: str) -> None:
    found = (f"{shown(each.callee)} {' '.join(each.names)}".rstrip() for each in may(body).calls)
    assert "; ".join(found) == calls


@pytest.mark.parametrize(("count", "called"), [(8, "load()"), (9, "?()")])
def test_a_name_is_followed_through_so_many_others(count: int, called: str) -> None:
    names = "".join(f"f{number} = f{number - 1}\n" for number in range(1, count))
    (found,) = may(f"f0 = load\n{names}f{count - 1}()").calls
    assert shown(found.callee) == called


@pytest.mark.parametrize(
    ("body", "written"),
    [
        ("shop.load(a)", "shop.load"),
        ("load(a).find()", ".find"),
        ("loaders[a]()", ""),
    ],
)
def test_how_a_call_is_written(body: str, written: str) -> None:
    assert may(body).calls[0].written == written


def test_what_a_with_enters_is_told_from_what_is_called_in_it() -> None:
    calls = may("with opened(a), kept:\n    load()").calls
    assert [(each.written, each.is_entered) for each in calls] == [("opened", True), ("load", False)]


RAISES = {
    "a bare one": ("raise", "", "?"),
    "a name": ("raise error", "error", "error"),
    "what is made": ("raise Gone(a)", "?", "Gone()"),
    "what a local name holds": ("error = Gone(a)\nraise error", "error", "Gone()"),
    "what is told its traceback": ("raise error.with_traceback(None)", "error", "error.with_traceback()"),
    "what a module makes": ("raise shop.gone(a)", "shop", "shop.gone()"),
    "what a module makes, with its traceback": (
        "raise shop.gone(a).with_traceback(None)",
        "shop",
        "shop.gone().with_traceback()",
    ),
    "an attribute": ("raise shop.error", "shop", "shop.error"),
    "an item": ("raise errors[a]", "?", "?"),
    "one of two": ("raise Gone if a else Lost", "?", "Gone or Lost"),
}


@pytest.mark.parametrize(("body", "root", "value"), RAISES.values(), ids=RAISES)
def test_what_is_raised(body: str, root: str, value: str) -> None:
    (found,) = may(body).raises
    assert (found.root, shown(found.value)) == (root, value)


OPERATIONS = {
    "a['x']": "IndexError KeyError",
    "a[1:2]": "",
    "a / b": "OverflowError ValueError ZeroDivisionError",
    "a % b": "OverflowError ValueError ZeroDivisionError",
    "a + b": "",
    "x, y = a": "ValueError",
    "[x, y] = a": "ValueError",
    "[a, b]": "",
    "assert a": "AssertionError",
    "import shop": "ImportError ModuleNotFoundError",
    "from shop import load": "ImportError ModuleNotFoundError",
    "a.b": "AttributeError",
    "f'{a:3}'": "ValueError",
    "f'{a}'": "",
    "f'{a / b}'": "OverflowError ValueError ZeroDivisionError",
}


@pytest.mark.parametrize(("body", "names"), OPERATIONS.items(), ids=OPERATIONS)
def test_what_the_operations_of_the_language_raise(body: str, names: str) -> None:
    assert " ".join(sorted(may(body).operations)) == names
    assert " ".join(sorted({name for node in ast.walk(ast.parse(body)) for name in operations(node)})) == names


UNKNOWN = {
    "await a": True,
    "await load()": False,
    "async for x in a: ...": True,
    "for x in a: ...": False,
    "yield from a": True,
    "yield a": False,
    "with a: ...": True,
    "with load(): ...": False,
    "await a\nload()": True,
}


@pytest.mark.parametrize(("body", "is_unknown"), UNKNOWN.items(), ids=UNKNOWN)
def test_whether_something_runs_that_is_no_call_of_a_name(body: str, is_unknown: bool) -> None:
    assert may(body).has_unknown is is_unknown


HANDLER = """\
try:
    load()
except (Gone, shop.Lost) as error:
{}
else:
    find()
finally:
    close()
"""

AGAIN = {
    "what it caught": ("raise", ["raised"]),
    "what it caught, by its name": ("raise error", ["raised"]),
    "what it caught, with its traceback": ("raise error.with_traceback(None)", ["raised", "?.with_traceback()"]),
    "something else": ("raise Other from error", []),
    "what it caught where it is of a class": ("if isinstance(error, Gone):\n    raise", ["raised Gone"]),
    "what it caught where it is of one of two": ("if isinstance(error, (Gone, shop.Lost)):\n    raise",
                                                 ["raised Gone,shop.Lost"]),
    "what it caught where it is of a class that is worked out": (
        "if isinstance(error, kinds[0]):\n    raise",
        ["raised ?"],
    ),
    "what it caught where it is of no class": (
        "if isinstance(error, Gone):\n    pass\nelse:\n    raise",
        ["raised"],
    ),
    "what it caught where it is of two classes": (
        "if isinstance(error, Gone):\n    if isinstance(error, Lost):\n        raise",
        ["raised Gone Lost"],
    ),
    "what it caught where something else is of a class": (
        "if isinstance(a, Gone):\n    raise",
        ["isinstance()", "raised"],
    ),
    "what it caught by another question": ("if is_gone(error):\n    raise", ["is_gone()", "raised"]),
    "what is called": ("report(error)", ["report()"]),
    "what a function inside does": ("def later():\n    raise", []),
    "what a function without a name does": ("later = lambda: report()", []),
}  # fmt: skip


@pytest.mark.parametrize(("body", "again"), AGAIN.values(), ids=AGAIN)
def test_a_handler_may_raise_again(body: str, again: list[str]) -> None:
    (attempt,) = may(HANDLER.format(indent(body, "    "))).attempts
    (clause,) = attempt.clauses
    told = (
        f"{'raised' if each.callee is None else shown(each.callee)} {' '.join(','.join(test) for test in each.tests)}"
        for each in clause.again
    )
    assert (clause.types, clause.name) == (("Gone", "shop.Lost"), "error")
    assert [each.rstrip() for each in told] == again


def test_what_a_try_calls_is_divided_by_its_blocks() -> None:
    found = may(HANDLER.format("    report()"))
    (attempt,) = found.attempts
    blocks = (found, attempt.body, attempt.clauses[0].body, attempt.after)
    calls = [[each.written for each in block.calls] for block in blocks]
    assert calls == [[], ["load"], ["report"], ["find", "close"]]


@pytest.mark.parametrize(("clause", "column"), [("except Gone:", 12), ("except:", 5)])
def test_a_clause_stands_where_it_says_what_it_catches(clause: str, column: int) -> None:
    (attempt,) = may(f"try:\n    load()\n{clause}\n    ...").attempts
    assert [(each.span.line, each.span.column) for each in attempt.clauses] == [(4, column)]


NAMED = {
    "a function": ("def get():\n    load()", "get", "load"),
    "the last of two": ("def get():\n    load()\ndef get():\n    find()", "get", "find"),
    "a method": ("class Shop:\n    def get(self):\n        load()", "Shop.get", "load"),
    "a function in a function": ("def get():\n    def inner():\n        load()", "get.inner", "load"),
    "a function in a branch": ("if here:\n    def get():\n        load()", "get", "load"),
    "a name that the function around has": (
        "def get():\n    f = load\n    def inner():\n        f()",
        "get.inner",
        "load",
    ),
    "a parameter that hides it": ("def get():\n    f = load\n    def inner(f):\n        f()", "get.inner", "f"),
    "a function with a longer name": ("def getter():\n    load()", "get", None),
    "a function of another class": ("class Shop:\n    def get(self):\n        load()", "get", None),
}


@pytest.mark.parametrize(("text", "name", "called"), NAMED.values(), ids=NAMED)
def test_a_function_is_found_by_its_name(text: str, name: str, called: str | None) -> None:
    found = possible_raises(ast.parse(text), name)
    assert (None if found is None else shown(found.calls[0].callee).removesuffix("()")) == called


ONLY = {
    "one value": ("x = 1", {"x": "1"}),
    "two values": ("x = 1\nx = 2", {"x": None}),
    "a value and a sum": ("x = 1\nx += 2", {"x": None}),
    "a declared value": ("x: int = 1", {"x": "1"}),
    "parts": ("x, y = a", {"x": None, "y": None}),
    "a loop": ("for x in a: ...", {"x": None}),
    "a handler": ("try: ...\nexcept E as x: ...", {"x": None}),
    "a function": ("def x(): ...", {}),
    "a function and a value": ("x = 1\ndef x(): ...", {}),
    "an import": ("import x", {}),
    "a name of the module": ("global x\nx = 1", {}),
    "what a function binds": ("def f():\n    x = 1", {}),
    "what a decorator binds": ("@keep(x := 1)\ndef f(): ...", {"x": None}),
    "an attribute": ("a.x = 1", {}),
}


@pytest.mark.parametrize(("body", "values"), ONLY.values(), ids=ONLY)
def test_the_only_values_of_the_variables_of_a_scope(body: str, values: dict[str, str | None]) -> None:
    found = only_values(ast.parse(body))
    assert {name: None if value is None else ast.unparse(value) for name, value in found.items()} == values
