"""Which calls a policy means, which ask nobody, and which functions make them: the services by themselves."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from errlint.collect import collect
from errlint.facts import Call, Function
from errlint.index.expressions import convert
from errlint.project import Project
from errlint.project.asked_facts import vocabulary
from errlint.project.calls import (
    calls_by,
    calls_in,
    calls_of,
    first_call,
    is_called_before,
    is_made_first,
    is_meant,
    is_pure,
    makes,
    roots,
)
from errlint.project.names import Layout
from errlint.settings import Settings
from errlint.settings.policy import Codes, Policy

BACKEND = ("store.fetch", "store.Shelf.read", "*.query", "ping")
POLICY = Policy(codes=Codes(validation="invalid", backend=BACKEND))

STORE = """\
def fetch(key):
    return key


def local(key):
    return key


class Shelf:
    def read(self, key):
        return key

    async def count(self, key):
        return key

    def look(self, key):
        return fetch("invalid")
"""

SHOP = """\
import json
import kit as tools
import math
from store import Shelf, fetch as got, local

shelf = Shelf()


class Book:
    pass


async def ask(key):
    return key


async def join(key):
    return key


def plain(key):
    return key


def asked(key):
    pass
"""


def project(text: str, policy: Policy = POLICY) -> Project:
    """Return a project under the policy, with a module of a backend."""
    settings = Settings(root=Path(), policy=policy, rules=frozenset({"ERR313"}))
    texts = {"store.py": STORE, "shop.py": text}
    modules = {path: collect(each, vocabulary(settings)) for path, each in texts.items()}
    return Project(Layout(modules, [""]), modules, settings)


def found(linked: Project, name: str) -> Function:
    return next(each for each in linked.modules["shop.py"].functions if each.name == name)


MEANT = {
    "a function by another name": ("got", True),
    "another function of the module": ("local", False),
    "a function by its last parts": ("app.store.fetch", True),
    "a method of what an answer is": (".ping", True),
    "a method of an object": ("session.query", True),
    "another method": (".fetch", False),
    "a method of an object of its class": ("shelf.read", True),
    "another method of that class": ("shelf.look", False),
    "a method of that name of another object": ("book.read", False),
    "a tool of a server": ("server:store.fetch", True),
    "another tool of a server": ("store.fetch:look", False),
    "a function of a library": ("tools.fetch", False),
}


@pytest.mark.parametrize(("name", "is_one"), MEANT.values(), ids=MEANT)
def test_a_policy_means_a_call_of(name: str, is_one: bool) -> None:
    assert is_meant(project(SHOP), "shop.py", "asked", name, BACKEND) is is_one


def test_a_policy_means_a_function_of_a_library_by_its_own_name() -> None:
    linked = project(SHOP)
    assert is_meant(linked, "shop.py", "asked", "tools.load", ("kit.load",))
    assert not is_meant(linked, "shop.py", "asked", "tools.save", ("kit.load",))


PURE = {
    "a method of a text": (".strip", True),
    "a method that databases have": (".get", False),
    "a method of a name": ("key.strip", True),
    "a method of a name that databases have": ("key.update", False),
    "a class of the project": ("Book", True),
    "a method of an object of the project": ("shelf.look", True),
    "one of those that is awaited, with the name of a method of a list": ("shelf.count", False),
    "a function of the project": ("plain", True),
    "one that is awaited": ("ask", False),
    "one that is awaited, with the name of a method of a text": ("join", False),
    "a function of the standard library that computes": ("math.sqrt", True),
    "one that reads": ("json.load", False),
    "a class of a library": ("tools.Thing", True),
    "a function of a library": ("tools.load", False),
    "a builtin": ("len", True),
    "a class that is not known": ("Absent", True),
    "a function that is not known": ("absent", False),
}


@pytest.mark.parametrize(("name", "is_one"), PURE.values(), ids=PURE)
def test_a_call_only_computes(name: str, is_one: bool) -> None:
    linked = project(SHOP)
    assert is_pure(linked, "shop.py", found(linked, "asked"), name) is is_one


ROOTS = {
    "book": ["book"],
    "book.title": ["book"],
    "book.find(key)": ["book", "key"],
    "load(key)": ["key"],
    "load()": [],
    "load().strip()": [],
    "3 - key": [""],
    "[book, 'text']": ["book"],
}


@pytest.mark.parametrize(("code", "names"), ROOTS.items(), ids=ROOTS)
def test_the_names_that_a_value_is_made_of(code: str, names: list[str]) -> None:
    assert list(roots(convert(ast.parse(code, mode="eval").body, {}))) == names


def test_the_calls_in_a_value_are_those_in_its_arguments_too() -> None:
    value = convert(ast.parse("wrap(load(key), [find()], book)", mode="eval").body, {})
    assert [call.name for call in calls_in(value)] == ["wrap", "load", "find"]


MAKES = {
    "a call that is meant": ("def asked(key):\n    return got(key)", "got"),
    "a function that makes it": ("def a(key):\n    return got(key)\n\n\ndef asked(key):\n    return a(key)", "a"),
    "a method of an object that makes it": (
        "shelf = Shelf()\n\n\ndef asked(key):\n    return shelf.look(key)",
        "shelf.look",
    ),
    "a function that makes another": (
        "def a(key):\n    return local('invalid')\n\n\ndef asked(key):\n    return a(key)",
        "",
    ),
    "the third function that makes it": (
        "def c(key):\n    return got('invalid')\n\n\ndef b(key):\n    return c('invalid')\n\n\n"
        "def a(key):\n    return b('invalid')\n\n\ndef asked(key):\n    return a(key)",
        "a",
    ),
    "the fourth function that makes it": (
        "def d(key):\n    return got('invalid')\n\n\ndef c(key):\n    return d('invalid')\n\n\n"
        "def b(key):\n    return c('invalid')\n\n\ndef a(key):\n    return b('invalid')\n\n\n"
        "def asked(key):\n    return a(key)",
        "",
    ),
    "functions that call each other": (
        "def a(key):\n    return b('invalid')\n\n\ndef b(key):\n    return a('invalid')\n\n\n"
        "def asked(key):\n    return a(key)",
        "",
    ),
}


@pytest.mark.parametrize(("code", "name"), MAKES.values(), ids=MAKES)
def test_a_function_makes_a_call_that_is_meant(code: str, name: str) -> None:
    code = code.replace("got(key)", "got('invalid')")
    linked = project(f"from store import Shelf, fetch as got, local\n\n\n{code}\n")
    made = [each.value.name for each in found(linked, "asked").returns if type(each.value) is Call]
    assert makes(linked, "shop.py", "asked", made, BACKEND) == name


FIRST = (
    "def asked(db, key):\n    getattr(key, 'name')\n    db.query(key)\n    db.query('again')\n    return 'invalid'\n"
)


def test_the_first_call_of_the_backend_is_found() -> None:
    linked = project(FIRST)
    called = first_call(found(linked, "asked"), POLICY)
    assert called is not None
    assert called.span.line == 3
    linked = project(FIRST.replace("query", "look"), POLICY)
    assert first_call(found(linked, "asked"), POLICY) is None


def test_the_backend_is_called_before_a_line() -> None:
    text = (
        "def asked(db, key):\n    if not key:\n        raise ValueError('invalid')\n    db.query(key)\n"
        "    raise LookupError('invalid')\n"
    )
    linked = project(text)
    function = found(linked, "asked")
    assert [is_called_before(linked, "shop.py", function, line) for line in (3, 5)] == [False, True]
    unset = project(text, Policy(codes=Codes(validation="invalid")))
    assert not is_called_before(unset, "shop.py", found(unset, "asked"), 5)


CHECK = "def check(key):\n    if not key:\n        raise ValueError('invalid')\n\n\n"


def handed(count: int) -> str:
    """Return functions that hand on what they are given: the first to the check, each other one to that before."""
    called = ["check", *(f"c{number}" for number in range(count - 1))]
    return "".join(f"def c{at}(key):\n    {name}(key)\n    return 'invalid'\n\n\n" for at, name in enumerate(called))


CALLERS = {
    "one that goes on with it": ("def asked(key):\n    check(key)\n    return got('invalid')", True),
    "one that has done so": ("def asked(key):\n    got('invalid')\n    check(key)\n    return 'invalid'", False),
    "one that never does": ("def asked(key):\n    check(key)\n    return 'invalid'", False),
    "one that hands over a value of its own": (
        "def asked(key):\n    name = load()\n    check(name)\n    return got('invalid')",
        False,
    ),
    "one that hands over a part of what it is given": (
        "def asked(key):\n    check(key.name)\n    return got('invalid')",
        True,
    ),
    "one that hands over a constant": ("def asked(key):\n    check('invalid')\n    return got(key)", False),
    "one whose caller goes on with it": (
        "def inner(key):\n    check(key)\n    return 'invalid'\n\n\ndef asked(key):\n    inner(key)\n"
        "    return got('invalid')",
        True,
    ),
    "one whose caller does not": (
        "def inner(key):\n    check(key)\n    return 'invalid'\n\n\ndef asked(key):\n    inner(key)\n"
        "    return 'invalid'",
        False,
    ),
    "one whose third caller goes on with it": (
        f"{handed(3)}def asked(key):\n    c2(key)\n    return got('invalid')",
        True,
    ),
    "one whose fourth caller goes on with it": (
        f"{handed(4)}def asked(key):\n    c3(key)\n    return got('invalid')",
        False,
    ),
    "two, of which one hands over its own": (
        "def asked(key):\n    check(key)\n    return got('invalid')\n\n\ndef other():\n    check(load('invalid'))\n",
        False,
    ),
    "a module": ("check(KEY)", False),
    "nobody": ("KEY = 'invalid'", False),
}


@pytest.mark.parametrize(("code", "is_first"), CALLERS.values(), ids=CALLERS)
def test_a_function_checks_what_was_given_to(code: str, is_first: bool) -> None:
    linked = project(f"from store import fetch as got\n\n\n{CHECK}{code}\n")
    assert is_made_first(linked, "shop.py", found(linked, "check"), BACKEND) is is_first


SEEN = {
    "what is answered": ("def a():\n    return build('one')", ["one"]),
    "what is assigned": ("def a():\n    made = build('invalid')\n    return made", ["invalid"]),
    "what two answer": ("def a():\n    return build('one')\n\n\ndef b():\n    return build('two')", ["one", "two"]),
    "what two answer alike": ("def a():\n    return build('one')\n\n\ndef b():\n    return build('one')", ["one"]),
    "what is raised": ("def a():\n    raise Lost(build('one'))", ["one"]),
    "a function that is handed over": ("def a():\n    return map(build, 'one')", None),
    "a call at the top": ("MADE = build('one')", None),
    "another call beside it": ("def a():\n    return build('one') or other('two')", ["one"]),
}


@pytest.mark.parametrize(("code", "texts"), SEEN.values(), ids=SEEN)
def test_every_call_of_a_function_is_seen_where(code: str, texts: list[str] | None) -> None:
    linked = project(f"def build(text):\n    return text\n\n\n{code}\n")
    calls = calls_of(linked, "shop.py", found(linked, "build"))
    assert (None if calls is None else [call.arguments[0].value.parts[0] for call in calls]) == texts  # type: ignore[union-attr]


def test_the_calls_that_a_function_makes_are_those_of_the_name() -> None:
    linked = project("def a():\n    if build('one'):\n        return other('two')\n    return build('three')\n")
    assert [call.name for call in calls_by(found(linked, "a"), "build")] == ["build"]
