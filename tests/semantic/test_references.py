"""Where code uses names, for more than to catch, extend or ask for a class, and where texts stand."""

from __future__ import annotations

import ast

import pytest

from errlint.project.references import texts, uses

USED = {
    "made": "raise LostError('no')",
    "handed around": "handle(LostError)",
    "in a module": "raise errors.LostError('no')",
    "by another name": "from errors import LostError as Lost",
    "in a block": "if here:\n    raise LostError('no')",
    "in a handler": "try:\n    pass\nexcept Exception:\n    raise LostError('no')",
    "in the body of a class": "class Shop:\n    error = LostError",
    "as a decorator of a class": "@LostError.register\nclass Shop:\n    pass",
    "in the body of a function": "def find():\n    raise LostError('no')",
    "in the body of an asynchronous function": "async def find():\n    raise LostError('no')",
    "as a default": "def find(error=LostError):\n    pass",
    "as a default of a keyword": "def find(*, name, error=LostError):\n    pass",
    "as a decorator of a function": "@answers(LostError)\ndef find():\n    pass",
    "as the value of an annotated name": "error: type = LostError",
    "in another question": "is_known(error, LostError)",
    "in a question of an object": "shop.isinstance(error, LostError)",
}


@pytest.mark.parametrize("code", USED.values(), ids=USED)
def test_a_class_is_used(code: str) -> None:
    assert [name for name, _ in uses(ast.parse(code), frozenset({"LostError"}))] == ["LostError"]


UNUSED = {
    "caught": "try:\n    pass\nexcept LostError:\n    pass",
    "extended": "class OtherError(LostError):\n    pass",
    "asked for": "isinstance(error, LostError)",
    "asked of a class": "issubclass(kind, LostError)",
    "the type of a parameter": "def find(error: LostError) -> LostError:\n    pass",
    "the type of a name": "error: LostError",
    "the type of a name with a value": "error: LostError = made()",
    "imported": "from errors import LostError",
    "another name for something else": "from errors import Other as LostError",
    "defined": "class LostError(Exception):\n    pass",
    "replaced": "LostError = Exception",
    "deleted": "del LostError",
    "another class": "raise OtherError(errors.Other)",
}


@pytest.mark.parametrize("code", UNUSED.values(), ids=UNUSED)
def test_a_class_is_not_used(code: str) -> None:
    assert list(uses(ast.parse(code), frozenset({"LostError"}))) == []


PLACES = """\
LostError

@LostError
def find(
    name,
):
    first()
    LostError

OtherError
"""


@pytest.mark.parametrize(
    ("lines", "found"),
    [
        pytest.param(None, [1, 3, 8], id="all of them"),
        pytest.param([1], [1], id="the first line"),
        pytest.param([3], [3], id="the line of a decorator"),
        pytest.param([8], [8, 3], id="the last line of a function, with what is around it"),
        pytest.param([10], [], id="the line of something else"),
        pytest.param([2], [], id="a line of nothing"),
        pytest.param([], [], id="no line"),
    ],
)
def test_statements_are_looked_at_that_have_a_line(lines: list[int] | None, found: list[int]) -> None:
    every = [line for _, line in uses(ast.parse(PLACES), frozenset({"LostError"}), lines)]
    assert sorted(every) == sorted(found)


TEXTS = """\
first = "E1"
other = 404
flag = True
share = 0.5
raw = b"E2"

def find():
    return {"code": "E3", "text": f"no {name} E4"}

"E5"
"""


@pytest.mark.parametrize(
    ("lines", "found"),
    [
        pytest.param([1], [("E1", 1)], id="a text"),
        pytest.param([2], [("404", 2)], id="a number"),
        pytest.param([3], [], id="a flag"),
        pytest.param([4], [], id="a part of one"),
        pytest.param([5], [], id="bytes"),
        pytest.param([8], [(" E4", 8), ("E3", 8), ("code", 8), ("no ", 8), ("text", 8)], id="texts in a function"),
        pytest.param([1, 10], [("E1", 1), ("E5", 10)], id="two lines"),
        pytest.param([6, 9], [], id="lines of nothing"),
    ],
)
def test_texts_stand_on_lines(lines: list[int], found: list[tuple[str, int]]) -> None:
    assert sorted(texts(ast.parse(TEXTS), lines)) == found
