"""Which exceptions a function may let out: the service by itself, as rules about documents ask it."""

from __future__ import annotations

import ast
from pathlib import Path
from textwrap import indent

import pytest

from errlint.catalog.documents import Documents
from errlint.collect import collect
from errlint.index.may_raise import possible_raises
from errlint.project import Project
from errlint.project.asked_facts import vocabulary
from errlint.project.drift.exception_escape import ExceptionEscape
from errlint.project.names import Layout
from errlint.settings import Settings

LIBRARY = """\
from json import JSONDecodeError


class ShopError(Exception):
    pass


class LimitError(ShopError, ValueError):
    pass


class Client:
    def get(self):
        raise KeyError("no")

    def close(self):
        return None


class Other(Client):
    def close(self):
        raise ValueError("no")


client = Client()


def number(text):
    return int(text)


def made(text):
    return LimitError(text)


def again():
    raise


"""

BODIES = {
    "nothing is done": ("return 1", []),
    "it is raised": ("raise ValueError('no')", ["ValueError"]),
    "one of the project that is below it": ("raise LimitError('no')", ["ValueError"]),
    "one of the project that is not": ("raise ShopError('no')", []),
    "what a function makes": ("raise made('no')", ["ValueError"]),
    "one of two": ("raise (KeyError if text else ValueError('no'))", ["KeyError", "ValueError"]),
    "one that a name holds": ("error = ShopError('no')\nraise error", []),
    "one that a name may hold": (
        "error = ShopError('no')\nerror = made(text)\nraise error", ["KeyError", "ValueError"]),
    "what it calls": ("return number(text)", ["ValueError"]),
    "what is not known is called": ("return text.load()", ["KeyError", "ValueError"]),
    "methods that have nothing to do with failures": ("return text.strip().lower()", []),
    "a subscript": ("return {}[text]", ["KeyError"]),
    "a slice": ("return 'a'[1:]", []),
    "an iterator that is not known": ("yield from text", ["KeyError", "ValueError"]),
    "a context that is not known": ("with text:\n    return 1", ["KeyError", "ValueError"]),
    "a method of an object that is made": ("return Client().get()", ["KeyError"]),
    "a method of an object that a name holds": ("own = Client()\nreturn own.get()", ["KeyError"]),
    "a method of an object of the module": ("return client.close()", []),
    "a name that a function around it has for something else": (
        "client = text\ndef inner():\n    return client.close()\nreturn inner()", ["KeyError", "ValueError"]),
    "it is caught": ("try:\n    return number(text)\nexcept ValueError:\n    return 1", []),
    "it is caught by a base": ("try:\n    return number(text)\nexcept Exception:\n    return 1", []),
    "another one is caught": ("try:\n    return number(text)\nexcept KeyError:\n    return 1", ["ValueError"]),
    "only some below it are caught": (
        "try:\n    return number(text)\nexcept LimitError:\n    return 1", ["ValueError"]),
    "only some below it are caught, of a library": (
        "try:\n    return number(text)\nexcept JSONDecodeError:\n    return 1", ["ValueError"]),
    "it is raised again": ("try:\n    return number(text)\nexcept ValueError:\n    raise", ["ValueError"]),
    "it is raised again by its name": (
        "try:\n    return number(text)\nexcept ValueError as error:\n    raise error", ["ValueError"]),
    "it is raised again by a function": (
        "try:\n    return number(text)\nexcept ValueError:\n    again()", ["ValueError"]),
    "only others are raised again": (
        "try:\n    return text.load()\nexcept Exception as error:\n"
        "    if isinstance(error, (KeyError, OSError)):\n        raise\n    return 1", ["KeyError"]),
    "what is not known is called in a handler": (
        "try:\n    return number(text)\nexcept ValueError:\n    return text.load()", []),
    "in a finally": ("try:\n    return 1\nfinally:\n    number(text)", ["ValueError"]),
    "a function inside that nobody calls": ("def inner():\n    raise ValueError('no')\nreturn 1", []),
}  # fmt: skip


DECORATED = {
    "a boundary that turns whatever happens": ("except Exception as error:\n    raise ShopError(error) from error", []),
    "a boundary that lets one through": (
        "except ValueError:\n    raise\nexcept Exception as error:\n    raise ShopError(error)", ["ValueError"]),
    "a boundary that catches another one": ("except OSError as error:\n    raise ShopError(error)",
        ["KeyError", "ValueError"]),
}  # fmt: skip


def escaped(root: Path, source: str, name: str) -> list[str]:
    """Those of two exceptions of the language that a function may let out."""
    settings = Settings(root=root)
    modules = {"server.py": collect(source, vocabulary(settings))}
    project = Project(Layout(modules, [""]), modules, settings, Documents(root, {"server.py": source}, frozenset()))
    escape = ExceptionEscape(project)
    return [each for each in ("KeyError", "ValueError") if escape.may("server.py", name, each)]


@pytest.mark.parametrize(("body", "expected"), BODIES.values(), ids=BODIES)
def test_what_a_function_may_let_out(tmp_path: Path, body: str, expected: list[str]) -> None:
    source = f"{LIBRARY}def find(text):\n{indent(body, '    ')}\n"
    assert escaped(tmp_path, source, "find.inner" if "return inner" in body else "find") == expected


def test_a_method_that_classes_below_may_replace_is_not_known(tmp_path: Path) -> None:
    calls = "\n    def find(self):\n        return self.close()\n"
    base = LIBRARY.replace("        return None\n", f"        return None\n{calls}")
    assert escaped(tmp_path, base, "Client.find") == ["KeyError", "ValueError"]
    assert escaped(tmp_path, base.replace("class Other(Client):", "class Other:"), "Client.find") == []


@pytest.mark.parametrize("is_async", [False, True], ids=["sync", "async"])
@pytest.mark.parametrize(("handlers", "expected"), DECORATED.values(), ids=DECORATED)
def test_what_a_decorator_makes_of_it(tmp_path: Path, handlers: str, expected: list[str], is_async: bool) -> None:
    kind, waits = ("async ", "await ") if is_async else ("", "")
    source = f"""\
{LIBRARY}def guarded(operation):
    def around(function):
        @wraps(function)
        {kind}def wrapper(*args, **kwargs):
            try:
                return {waits}function(*args, **kwargs)
{indent(handlers, " " * 12)}

        return wrapper

    return around


@guarded("find")
{kind}def find(text):
    return text.load()
"""
    assert escaped(tmp_path, source, "find") == expected


def test_functions_that_call_each_other_come_to_an_end(tmp_path: Path) -> None:
    source = "def even(count):\n    return odd(count)\n\n\ndef odd(count):\n    return even(count) or {}[count]\n"
    assert escaped(tmp_path, source, "even") == ["KeyError"]


def test_what_a_function_inside_raises_is_its_own() -> None:
    code = "class Shop:\n    def find(self):\n        def inner():\n            raise ValueError\n        return 1\n"
    found = [possible_raises(ast.parse(code), name) for name in ("Shop.find", "Shop.find.inner", "Shop.fin", "Shop")]
    assert [None if each is None else len(each.raises) for each in found] == [0, 1, None, None]
