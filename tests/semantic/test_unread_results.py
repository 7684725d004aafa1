"""Results that nobody reads: which call it is, what it is told, and which parts of a result are read."""

from __future__ import annotations

import pytest

from errlint.collect import collect
from errlint.index.vocabulary import Vocabulary


def unread(body: str) -> list[str]:
    """Return the calls of `load` whose results nobody reads: with the first text, and the parts that are read."""
    lines = "".join(f"    {line}\n" for line in body.split("\n"))
    functions = collect(f"async def keep(path, shelf):\n{lines}", Vocabulary(unread=True)).functions
    return [
        f"{each.callee} {each.word} {','.join(each.parts)}".strip()
        for function in functions
        for each in function.unread
        if each.callee.endswith("load")
    ]


DROPPED = {
    "a call alone": ("load('book')", ["load book"]),
    "a call that is waited for": ("await load('book')", ["load book"]),
    "a method": ("self.shelf.load('book')", ["self.shelf.load book"]),
    "a method of what a call answers": ("find().load('book')", []),
    "the first of several texts": ("load(path, 'book', 'shelf')", ["load book"]),
    "a text by name": ("load(path, kind='book')", ["load book"]),
    "a text in a list": ("load([path, 'book'], 'shelf')", ["load book"]),
    "a text in a tuple in a list": ("load([(path, 'book')])", ["load book"]),
    "a text in something else": ("load({'book': path}, f'{path}', find('shelf'))", ["load"]),
    "no text": ("load(path)", ["load"]),
    "a name that nobody reads": ("found = load('book')", ["load book"]),
    "a name that nobody reads, with its type": ("found: str = load('book')", ["load book"]),
    "a name that is to be read by nobody": ("_found = load('book')", []),
    "an answer": ("return load('book')", []),
    "a name that is read": ("found = load('book')\nreturn found", []),
    "several names": ("found, lost = load('book')", []),
    "an attribute": ("self.found = load('book')", []),
    "a part of an expression": ("load('book') + 1", []),
    "something that is no call": ("await found", []),
}

PARTS = {
    "an attribute": ("found = load(path)\nreturn found.title", ["load  title"]),
    "an entry": ("found = load(path)\nreturn found['title']", ["load  title"]),
    "an entry by `get`": ("found = load(path)\nreturn found.get('title')", ["load  title"]),
    "several": ("found = load(path)\nif found.ok:\n    return found['title']", ["load  ok,title"]),
    "an entry, and another one that is told by the name itself": (
        "found = load(path)\nreturn found.get('title', found)",
        [],
    ),
    "an entry that only the run knows": ("found = load(path)\nreturn found[path]", []),
    "an entry by `get` that only the run knows": ("found = load(path)\nreturn found.get(path)", []),
    "a `get` of nothing": ("found = load(path)\nreturn found.get()", []),
    "a method": ("found = load(path)\nreturn found.pop('title')", []),
    "a call of something else that it is handed to": ("found = load(path)\nreturn shelf.add(found)", []),
    "an entry of something that is read by it": ("found = load(path)\nreturn shelf[found]", []),
    "the key of what is set": ("found = load(path)\nshelf[found] = 1", []),
    "an attribute of an attribute": ("found = load(path)\nreturn found.book.title", ["load  book"]),
    "a name that is bound to something else, and not read": (
        "found = load(path)\nfound = find(path)\nfound: str",
        ["load"],
    ),
    "a type that is read": ("found = load(path)\nshown: found = 1", []),
    "a default of a function inside": ("found = load(path)\ndef show(book=found):\n    pass", []),
    "a pattern that takes the rest": ("rest = load(path)\nmatch path:\n    case {'a': 1, **rest}:\n        pass", []),
    "a pattern that takes several": ("rest = load(path)\nmatch path:\n    case [1, *rest]:\n        pass", []),
    "a pattern that takes nothing": ("found = load(path)\nmatch path:\n    case {'a': 1}:\n        pass", ["load"]),
    "a class": ("found = load(path)\nclass found:\n    pass", []),
    "a coroutine": ("found = load(path)\nasync def found():\n    pass", []),
}


@pytest.mark.parametrize(("body", "expected"), DROPPED.values(), ids=DROPPED)
def test_the_result_of_a_call_is_not_read(body: str, expected: list[str]) -> None:
    assert unread(body) == expected


@pytest.mark.parametrize(("body", "expected"), PARTS.values(), ids=PARTS)
def test_what_is_read_of_a_result(body: str, expected: list[str]) -> None:
    assert unread(body) == expected
