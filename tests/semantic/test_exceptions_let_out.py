"""Which exceptions of the language get out of a function: of what it calls, and past its decorators and handlers."""

from __future__ import annotations

import ast
from pathlib import Path
from textwrap import indent

import pytest

from errlint.catalog.documents import Documents
from errlint.collect import collect
from errlint.project import Project
from errlint.project.asked_facts import vocabulary
from errlint.project.drift.exception_escape import ExceptionEscape
from errlint.project.names import Layout
from errlint.settings import load

BOTH = ["KeyError", "ValueError"]
"""What may be anything may be each of the two that are asked for."""

SHOP = """\
import helper
from functools import cache
from lib import Model, StoreFault


class ShopError(Exception):
    pass


class LimitError(ShopError, ValueError):
    pass


class FarError(StoreFault):
    pass


class Row:
    pass


class Number:
    def __init__(self, text):
        self.number = int(text)


class Filled:
    def __post_init__(self):
        self.number = int(self.text)


class Entry(Model):
    pass


class Till:
    def count(self):
        return int(self.text)

    def close(self):
        return None


OPEN = KeyError("open")
SHUT = "shut"
till = Till()


def number(text):
    return int(text)


def again():
    raise


def again_in_a_block(text):
    try:
        print(text)
    finally:
        raise


def through():
    again()


def quiet():
    print("no")


def raised(text):
    raise ShopError(text)


def picked(text):
    return KeyError(text) if text else LimitError(text)


"""


def asked(root: Path, source: str, config: str = "") -> ExceptionEscape:
    """Return what answers for a file, with the settings of a text."""
    (root / "errlint.toml").write_text(config, encoding="utf-8")
    settings = load(root).settings
    modules = {"shop.py": collect(source, vocabulary(settings))}
    documents = Documents(root, {"shop.py": source}, frozenset())
    return ExceptionEscape(Project(Layout(modules, [""]), modules, settings, documents))


def let_out(escape: ExceptionEscape, name: str = "find") -> list[str]:
    """Return those of two exceptions of the language that a function may let out."""
    return [each for each in BOTH if escape.may("shop.py", name, each)]


CALLS = {
    "a conversion": ("return int(text)", ["ValueError"]),
    "the next of an iterator": ("return next(text)", []),
    "what raises no more than a wrong type": ("return len(text)", []),
    "a function of the language that is not known": ("return open(text)", BOTH),
    "a function of a library": ("return helper.load(text)", BOTH),
    "a function that is not defined": ("return strip(text)", BOTH),
    "a method of a text": ("return text.strip()", []),
    "a log call": ("logger.error(text)", []),
    "an exception that is made and not raised": ("return ValueError(text)", []),
    "one of the project that is made and not raised": ("return LimitError(text)", []),
    "an object": ("return Row()", []),
    "an object whose constructor converts": ("return Number(text)", ["ValueError"]),
    "an object that converts after it is made": ("return Filled()", ["ValueError"]),
    "an object of a class whose base is not known": ("return Entry()", BOTH),
    "an object that is entered": ("with Row():\n    return 1", BOTH),
    "a method of an object that is made": ("return Till().count()", ["ValueError"]),
    "a harmless method of an object that is made": ("return Till().close()", []),
    "a method of an object of the module": ("return till.count()", ["ValueError"]),
    "a harmless method of an object of the module": ("return till.close()", []),
    "a method that the object does not have": ("return till.load()", BOTH),
    "a method of a parameter": ("return text.close()", BOTH),
    "a method of what is called": ("return helper.make().close()", BOTH),
    "what a constant of the module has": ("return SHUT.load()", BOTH),
}


@pytest.mark.parametrize(("body", "expected"), CALLS.values(), ids=CALLS)
def test_what_a_call_may_raise(tmp_path: Path, body: str, expected: list[str]) -> None:
    """Reading the attribute of something is no matter here: it is another exception."""
    assert let_out(asked(tmp_path, f"{SHOP}def find(text):\n{indent(body, '    ')}\n")) == expected


RAISES = {
    "what is not known": ("raise text", BOTH),
    "what a parameter makes": ("raise text.error()", BOTH),
    "a constant of the module": ("raise OPEN", ["KeyError"]),
    "one of two that a function makes": ("raise picked(text)", BOTH),
    "what a function makes that answers nothing": ("raise quiet()", BOTH),
    "a class": ("raise LimitError", ["ValueError"]),
    "a class of a library": ("raise StoreFault(text)", BOTH),
    "a class below one of a library": ("raise FarError(text)", BOTH),
    "one of the language that is above both": ("raise Exception(text)", []),
    "a status of the protocol": ("from mcp import McpError\nraise McpError(text)", []),
    "in a handler": ("try:\n    print(text)\nexcept OSError:\n    raise ValueError(text)", ["ValueError"]),
    "in an else": (
        "try:\n    print(text)\nexcept OSError:\n    return 1\nelse:\n    raise ValueError(text)",
        ["ValueError"],
    ),
    "what an outer handler has caught": (
        "try:\n    print(text)\nexcept OSError as error:\n    try:\n        print(text)\n    except TypeError:\n"
        "        raise error",
        [],
    ),
    "what nothing has caught": ("try:\n    print(text)\nexcept OSError as error:\n    raise text", BOTH),
}


@pytest.mark.parametrize(("body", "expected"), RAISES.values(), ids=RAISES)
def test_what_a_statement_raises(tmp_path: Path, body: str, expected: list[str]) -> None:
    assert let_out(asked(tmp_path, f"{SHOP}def find(text):\n{indent(body, '    ')}\n")) == expected


FIRST = {
    "one of a library, which may be below": ("except StoreFault:\n    raise", ["ValueError"]),
    "one below it": ("except LimitError:\n    raise", ["ValueError"]),
    "one that some are of as well": ("except ShopError:\n    raise", ["ValueError"]),
    "another one": ("except KeyError:\n    raise", []),
    "all": ("except Exception:\n    raise", ["ValueError"]),
    "by a function": ("except Exception:\n    again()", ["ValueError"]),
    "by a function that another one calls": ("except Exception:\n    through()", ["ValueError"]),
    "by a function, in a block of it": ("except Exception:\n    again_in_a_block(text)", ["ValueError"]),
    "a function that raises nothing again": ("except Exception:\n    quiet()", []),
    "a function that raises something else": ("except Exception:\n    raised(text)", []),
    "where it is asked for": (
        "except Exception as error:\n    if isinstance(error, ValueError):\n        raise",
        ["ValueError"],
    ),
    "where others are asked for": ("except Exception as error:\n    if isinstance(error, OSError):\n        raise", []),
    "where others are not there": (
        "except Exception as error:\n    if isinstance(error, OSError):\n        return 1\n    else:\n        raise",
        ["ValueError"],
    ),
    "by its name": ("except Exception as error:\n    raise error.with_traceback(None)", ["ValueError"]),
}


@pytest.mark.parametrize(("clause", "expected"), FIRST.values(), ids=FIRST)
def test_what_a_clause_raises_again_before_another_one_catches_it(
    tmp_path: Path, clause: str, expected: list[str]
) -> None:
    body = f"try:\n    return number(text)\n{clause}\nexcept ValueError:\n    return 1"
    assert let_out(asked(tmp_path, f"{SHOP}def find(text):\n{indent(body, '    ')}\n")) == expected


def guarded(
    body: str, around: str = "def wrapper(*args):", function: str = "def find(text):\n    return number(text)"
) -> str:
    """Return a decorator with what it puts around a function, and a function with it."""
    inner = f"    {around}\n{indent(body, ' ' * 8)}\n\n    return wrapper\n\n\n"
    return f"{SHOP}def guarded(function):\n{inner}@guarded\n{function}\n"


TURNED = "try:\n    return function(*args)\nexcept Exception as error:\n    raise ShopError(error)"
WRAPPERS = {
    "it calls the function": ("return function(*args)", ["ValueError"]),
    "it does not call it": ("return 1", []),
    "it hands it to what may call it": ("return again_later(function)", ["ValueError"]),
    "it hands it to a function of the project": ("return quiet_about(function)", ["ValueError"]),
    "it hands it to what only looks at it": ("signature(function)\nreturn 1", BOTH),
    "it asks whether it is something": ("if iscoroutinefunction(function):\n    return 1\nreturn 2", BOTH),
    "it turns what happens": (TURNED, []),
    "it converts by itself": ("number(args)\nreturn 1", ["ValueError"]),
    "it calls what is not known": ("report(args)\nreturn 1", BOTH),
}


@pytest.mark.parametrize(("body", "expected"), WRAPPERS.values(), ids=WRAPPERS)
def test_what_a_wrapper_lets_out(tmp_path: Path, body: str, expected: list[str]) -> None:
    source = (
        f"from inspect import iscoroutinefunction, signature\n{guarded(body)}\n\ndef quiet_about(it):\n    return 1\n"
    )
    assert let_out(asked(tmp_path, source)) == expected


@pytest.mark.parametrize(
    ("decorator", "expected"),
    [
        pytest.param("@cache", ["ValueError"], id="a cache"),
        pytest.param("@mcp.tool()", ["ValueError"], id="a registration"),
        pytest.param("@helper.timed", BOTH, id="what is not known"),
    ],
)
def test_a_decorator_without_a_wrapper_that_is_known(tmp_path: Path, decorator: str, expected: list[str]) -> None:
    source = f"{SHOP}mcp = helper.FastMCP()\n\n\n{decorator}\ndef find(text):\n    return number(text)\n"
    assert let_out(asked(tmp_path, source)) == expected
    harmless = source.replace("return number(text)", "return 1")
    assert let_out(asked(tmp_path, harmless)) == (BOTH if expected == BOTH else [])


@pytest.mark.parametrize("config", ["", "[[boundary]]\ndecorator = 'shop.guarded'\n"], ids=["any", "a boundary"])
def test_what_is_not_known_raises_nothing_in_a_boundary(tmp_path: Path, config: str) -> None:
    """What runs because something has failed is written not to fail; other decorators are not."""
    source = guarded("report(args)\nreturn 1")
    assert let_out(asked(tmp_path, source, config)) == ([] if config else BOTH)


def test_a_boundary_is_asked_for_the_kind_of_the_function(tmp_path: Path) -> None:
    around = f"def guarded(function):\n    async def waiting(*args):\n{indent(TURNED, ' ' * 8)}\n\n"
    around += "    def wrapper(*args):\n        return function(*args)\n\n"
    around += "    return waiting if function.is_async else wrapper\n\n\n"
    plain = f"{SHOP}{around}@guarded\ndef find(text):\n    return number(text)\n"
    assert let_out(asked(tmp_path, plain)) == ["ValueError"]
    assert let_out(asked(tmp_path, plain.replace("def find", "async def find"))) == []


def test_a_wrapper_of_the_other_kind_counts_where_it_is_the_only_one(tmp_path: Path) -> None:
    assert let_out(asked(tmp_path, guarded(TURNED).replace("def find", "async def find"))) == []


def test_a_wrapper_without_parameters_is_none(tmp_path: Path) -> None:
    assert let_out(asked(tmp_path, guarded("return 1", "def wrapper():"))) == BOTH


def test_declarations_of_a_wrapper_are_none(tmp_path: Path) -> None:
    declared = guarded("return 1", "@overload\n    def wrapper(*args):")
    assert let_out(asked(tmp_path, declared)) == BOTH


def test_a_decorator_that_answers_nothing_at_times_has_its_wrapper(tmp_path: Path) -> None:
    source = guarded(TURNED).replace(
        "    return wrapper\n", "    if not function:\n        return None\n    return wrapper\n"
    )
    assert let_out(asked(tmp_path, source)) == []


def test_a_function_that_is_not_there_may_raise_anything(tmp_path: Path) -> None:
    assert let_out(asked(tmp_path, SHOP), "gone") == BOTH


BOUNDARY = "[[boundary]]\ndecorator = 'shop.guarded'\n"
CHAIN = "".join(f"\n\ndef step_{n}(e):\n    step_{n + 1}(e)\n" for n in range(5))


def chained(steps: int) -> str:
    """Return a boundary whose handler raises after some functions."""
    chain = CHAIN.replace(f"    step_{steps}(e)\n", "    raise ShopError(e)\n")
    return guarded("try:\n    return function(*args)\nexcept Exception as e:\n    step_0(e)") + chain


TURNS = {
    "an exception of the project": (guarded(TURNED), ("ShopError",)),
    "an exception that a function raises": (chained(1), ("ShopError",)),
    "an exception that the third function raises": (chained(3), ("ShopError",)),
    "an exception that the fourth function raises": (chained(4), ()),
    "nothing": (guarded(TURNED.replace("raise ShopError(error)", "return error")), ()),
    "what an inner block raises": (
        guarded(
            "try:\n    return function(*args)\nexcept Exception as error:\n    try:\n        print(error)\n"
            "    finally:\n        raise LimitError(error)"
        ),
        ("LimitError",),
    ),
    "one of two": (
        guarded("try:\n    return function(*args)\nexcept Exception as error:\n    raise picked(error)"),
        ("KeyError", "LimitError"),
    ),
}


@pytest.mark.parametrize(("source", "classes"), TURNS.values(), ids=TURNS)
def test_what_a_boundary_makes_of_an_exception(tmp_path: Path, source: str, classes: tuple[str, ...]) -> None:
    turned = asked(tmp_path, source, BOUNDARY).turned("shop.py", "find", "ValueError")
    assert turned is not None
    assert (turned.boundary, turned.classes) == ("guarded", classes)


NOT_TURNED = {
    "there is no boundary": (guarded(TURNED), ""),
    "another exception is caught": (guarded(TURNED.replace("Exception as", "KeyError as")), BOUNDARY),
    "only some are caught": (guarded(TURNED.replace("Exception as", "LimitError as")), BOUNDARY),
    "the function is not there": (SHOP, BOUNDARY),
}


@pytest.mark.parametrize(("source", "config"), NOT_TURNED.values(), ids=NOT_TURNED)
def test_nothing_is_made_of_an_exception_that_no_boundary_catches(tmp_path: Path, source: str, config: str) -> None:
    assert asked(tmp_path, source, config).turned("shop.py", "find", "ValueError") is None


AGAIN = (
    "try:\n    return function(*args)\nexcept {0}:\n    raise\nexcept Exception as error:\n    raise ShopError(error)"
)
LETS = {
    "it is named, and raised again": (AGAIN.format("ValueError"), True),
    "it is named, and turned": (AGAIN.format("ValueError").replace("raise\n", "raise ShopError\n"), False),
    "it is named beside others": (AGAIN.format("(ValueError, KeyError)"), False),
    "all are raised again": (AGAIN.format("Exception"), False),
    "some below it are raised again": (AGAIN.format("LimitError"), False),
    "another one is raised again": (AGAIN.format("KeyError"), False),
    "it is named behind another one": (AGAIN.format("KeyError:\n    raise\nexcept ValueError"), True),
    "nothing is caught": ("return function(*args)", False),
}


@pytest.mark.parametrize(("body", "expected"), LETS.values(), ids=LETS)
def test_a_boundary_lets_an_exception_through_that_it_names(tmp_path: Path, body: str, expected: bool) -> None:
    assert asked(tmp_path, guarded(body), BOUNDARY).lets_through("shop.py", "find", "ValueError") is expected


def test_without_a_boundary_nothing_is_let_through(tmp_path: Path) -> None:
    assert not asked(tmp_path, guarded(AGAIN.format("ValueError"))).lets_through("shop.py", "find", "ValueError")


ANSWERS = {
    "it is caught and answered": ("try:\n    number(text)\nexcept ValueError:\n    return 1", True),
    "all are caught and answered": ("try:\n    number(text)\nexcept Exception:\n    return 1", True),
    "some are caught and answered": ("try:\n    number(text)\nexcept LimitError:\n    return 1", False),
    "another one is": ("try:\n    number(text)\nexcept KeyError:\n    return 1", False),
    "it is raised again": ("try:\n    number(text)\nexcept ValueError:\n    raise", False),
    "nothing is caught": ("return number(text)", False),
}


@pytest.mark.parametrize(("body", "expected"), ANSWERS.values(), ids=ANSWERS)
def test_a_function_answers_an_exception_that_it_catches(tmp_path: Path, body: str, expected: bool) -> None:
    escape = asked(tmp_path, f"{SHOP}def find(text):\n{indent(body, '    ')}\n")
    assert escape.answers("shop.py", "find", "ValueError") is expected
    assert not escape.answers("shop.py", "gone", "ValueError")


SAMPLES = {
    "the tool alone": ("found = find('x')", ["ValueError"]),
    "the tool, in another call": ("print(find('x'))", ["ValueError"]),
    "another tool": ("found = look('x')", []),
    "a tool and what is safe": ("print(look('x').strip())", []),
    "what is not known": ("look(load('x'))", BOTH),
    "a method that is not known": ("client.look('x')", BOTH),
    "a conversion": ("look(int('x'))", BOTH),
    "a key": ("print(look('x')['rows'])", ["KeyError"]),
    "a raise": ("look('x')\nraise OSError", BOTH),
    "a context": ("with look('x'):\n    pass", BOTH),
    "an import": ("import shop\nlook('x')", BOTH),
    "a definition": ("def load():\n    return int('x')\n\nlook('x')", []),
}


@pytest.mark.parametrize(("sample", "expected"), SAMPLES.values(), ids=SAMPLES)
def test_what_a_sample_may_raise(tmp_path: Path, sample: str, expected: list[str]) -> None:
    tools = "def find(text):\n    return number(text)\n\n\ndef look(text):\n    return 1\n"
    escape = asked(tmp_path, SHOP + tools)
    names = {name: [("shop.py", name)] for name in ("find", "look")}
    assert [each for each in BOTH if escape.may_sample(ast.parse(sample).body, names, each)] == expected
