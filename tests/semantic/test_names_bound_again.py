"""Names that a module imports or defines and then binds to something else (ERR208), and those that it may."""

from __future__ import annotations

import pytest

from errlint.collect import collect
from errlint.index.vocabulary import Vocabulary


def again(text: str) -> list[str]:
    """Return the names that are bound again: how, and how they were bound before."""
    found = collect(text, Vocabulary(rebound=True)).rebound
    return [f"{each.name}:{each.span.line} {each.how} after {each.before}:{each.first.line}" for each in found]


AGAIN = {
    "an import of another module": (
        "from shop import LostError\nfrom books import LostError\n",
        "LostError:2 import after import:1",
    ),
    "an import under the name of another one": (
        "import books\nimport shelf as books\n",
        "books:2 import after import:1",
    ),
    "an import of another module under one name": (
        "import books as b\nimport shelf as b\n",
        "b:2 import after import:1",
    ),
    "an import from a package that is nearer": (
        "from shop import LostError\nfrom .shop import LostError\n",
        "LostError:2 import after import:1",
    ),
    "a class": ("from shop import LostError\nclass LostError(Exception): ...\n", "LostError:2 class after import:1"),
    "a function": ("from shop import lost\ndef lost(): ...\n", "lost:2 def after import:1"),
    "a coroutine": ("def lost(): ...\nasync def lost(): ...\n", "lost:2 def after def:1"),
    "a value": ("from shop import lost\nlost = 'gone'\n", "lost:2 assignment after import:1"),
    "a value with a type": ("from shop import lost\nlost: str = 'gone'\n", "lost:2 assignment after import:1"),
    "a class of another one": (
        "class LostError(Exception): ...\nclass LostError(ValueError): ...\n",
        "LostError:2 class after class:1",
    ),
    "a function with another decorator": ("def lost(): ...\n@cached\ndef lost(): ...\n", "lost:3 def after def:1"),
    "a function between others": (
        "def lost(): ...\nif DEEP:\n    found = 1\ndef lost(): ...\n",
        "lost:4 def after def:1",
    ),
    "where the name of its value is another one": (
        "from shop import lost\nlost = cached(found)\n",
        "lost:2 assignment after import:1",
    ),
    "where only a method has the name": (
        "from shop import lost\nclass Shelf:\n    lost = 1\nlost = 2\n",
        "lost:4 assignment after import:1",
    ),
}


@pytest.mark.parametrize(("text", "expected"), AGAIN.values(), ids=AGAIN)
def test_a_name_is_bound_again_by(text: str, expected: str) -> None:
    assert again(text) == [expected]


ONCE = {
    "it is another name": "from shop import lost\nfrom shop import found\n",
    "it is imported from there again": "from shop import lost\nfrom shop import lost\n",
    "it is another part of one package": "import shop.books\nimport shop.shelf\n",
    "it was a value": "lost = 1\ndef lost(): ...\n",
    "it is a value that is made of it": "from shop import lost\nlost = cached(lost)\n",
    "it is a value with an attribute of its name": "from shop import lost\nlost = books.lost\n",
    "it is a value with an argument of its name": "from shop import lost\nlost = books(lost=1)\n",
    "a class is made of what had its name": "from shop import LostError\nclass LostError(LostError): ...\n",
    "a function has several forms": "@overload\ndef lost(): ...\n@overload\ndef lost(a): ...\ndef lost(a): ...\n",
    "a property is set": "@property\ndef lost(): ...\n@lost.setter\ndef lost(a): ...\n",
    "one of several is registered": "def lost(): ...\n@find.register(int)\ndef lost(a): ...\n",
    "it is bound under a condition before": "if DEEP:\n    from shop import lost\nfrom books import lost\n",
    "it is bound perhaps afterwards": "from shop import lost\nif DEEP:\n    from books import lost\nlost = 1\n",
    "it may be there already": (
        "from shop import lost\ntry:\n    from books import lost\nexcept ImportError:\n    pass\nlost = 1\n"
    ),
    "what is caught has its name": (
        "from shop import lost\ntry:\n    run()\nexcept OSError as lost:\n    pass\nlost = 1\n"
    ),
    "a function is defined under a condition": "def lost(): ...\nif DEEP:\n    def lost(): ...\ndef lost(): ...\n",
    "it is deleted before": "from shop import lost\ndel lost\nfrom books import lost\n",
    "it is the target of a loop": "from shop import lost\nfor lost in books:\n    pass\nlost = 1\n",
    "everything is imported": "from shop import *\nfrom books import *\n",
    "a declaration says its type": "from shop import lost\nlost: str\n",
}


@pytest.mark.parametrize("text", ONCE.values(), ids=ONCE)
def test_a_name_is_not_bound_again_where(text: str) -> None:
    assert again(text) == []


HIDDEN = {
    "a function under a condition": "if DEEP:\n    def found():\n        lost = 2\n",
    "a class under a condition": "if DEEP:\n    class Shelf:\n        lost = 2\n",
    "a comprehension under a condition": "if DEEP:\n    found = [lost for lost in books]\n",
}


@pytest.mark.parametrize("between", HIDDEN.values(), ids=HIDDEN)
def test_what_has_a_name_for_itself_binds_none_of_the_module(between: str) -> None:
    assert len(again(f"def lost(): ...\n{between}def lost(): ...\n")) == 1
