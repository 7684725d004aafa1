"""Where a finding says that a statement is: a simple one with all of it, a compound one with its header."""

from __future__ import annotations

import ast

import pytest

from errlint.index.spans import Spans
from errlint.index.statements import everywhere
from errlint.source import Lines

PLACES = {
    "a simple statement": ("found = find(\n    book\n)\n", "found = find(\n    book\n)"),
    "a simple statement behind another one": ("lost(); found()\n", "lost()"),
    "a function": ("def find(book):\n    pass\n", "def find"),
    "a function behind a decorator": ("@tool\ndef find(book):\n    pass\n", "def find"),
    "a coroutine": ("async def find(book):\n    pass\n", "async def find"),
    "a coroutine with much room": ("async  def   find(book):\n    pass\n", "async  def   find"),
    "a function over two lines": ("def \\\n  find(book):\n    pass\n", "def \\\n  find"),
    "a function with letters of any language": ("def größe(book):\n    pass\n", "def größe"),
    "a class": ("class Shelf(Furniture):\n    pass\n", "class Shelf"),
    "an if": ("if found:\n    pass\n", "if found"),
    "an if in parentheses": ("if (found):\n    pass\n", "if (found)"),
    "an if with room before the colon": ("if found :\n    pass\n", "if found"),
    "an if with parentheses over several lines": ("if (\n    found\n):\n    pass\n", "if (\n    found\n)"),
    "an if with a comment before what closes it": ("if (\n    found  # at last\n):\n    pass\n", "if (\n    found"),
    "a while": ("while (found):\n    pass\n", "while (found)"),
    "a for": ("for book in find(shelf):\n    pass\n", "for book in find(shelf)"),
    "a for over several that are written out": ("for book in 1, 2,:\n    pass\n", "for book in 1, 2,"),
    "an asynchronous for": ("async for book in shelf:\n    pass\n", "async for book in shelf"),
    "a with": ("with lock:\n    pass\n", "with lock"),
    "a with that has a name": ("with lock as held:\n    pass\n", "with lock as held"),
    "a with of several": ("with lock as held, (shelf):\n    pass\n", "with lock as held, (shelf)"),
    "an asynchronous with": ("async with lock as held:\n    pass\n", "async with lock as held"),
    "a match": ("match (book):\n    case 1:\n        pass\n", "match (book)"),
    "a try": ("try:\n    find()\nfinally:\n    pass\n", "try"),
}


@pytest.mark.parametrize(("text", "expected"), PLACES.values(), ids=PLACES)
def test_the_place_of_a_statement(text: str, expected: str) -> None:
    assert cut(text, 0) == expected


def test_the_place_of_a_handler_is_its_keyword() -> None:
    assert cut("try:\n    find()\nexcept LostError as error:\n    pass\n", 2) == "except"


def cut(text: str, index: int) -> str:
    """Return the text at the place of one of the statements and handlers."""
    node = [*everywhere(ast.parse(text).body)][index]
    span = Spans(Lines(text)).of(node)
    rows = text.split("\n")[span.line - 1 : span.end_line]
    rows[-1] = rows[-1][: span.end_column - 1]
    rows[0] = rows[0][span.column - 1 :]
    return "\n".join(rows)
