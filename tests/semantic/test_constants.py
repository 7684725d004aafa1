"""What tables, members and objects hold that are constants of another module: the service by itself."""

from __future__ import annotations

import pytest
from linked_texts import linked

from errlint.facts import Value
from errlint.project import Project
from errlint.project.values import MAX_STEPS

BASE = """\
from typing import NamedTuple

CORNER = "corner"


class Spot(NamedTuple):
    where: str = CORNER
    floor: str = "first"
"""

STOCK = """\
import copy
from dataclasses import dataclass, field
from enum import Enum, IntFlag, auto
from http import HTTPStatus
from types import MappingProxyType
from typing import NamedTuple, cast

from base import Spot

NAME = "atlas"
COMPUTED = 3 - SPARE
ITSELF = ITSELF


class Kind(Enum):
    LOST = "is_lost"
    SOLD = "is_sold"
    ODD = 3 - SPARE
    LATER = auto()


class Other(Enum):
    LOST = "other_lost"


class Same(Enum):
    LOST = "is_lost"


class Wide(Enum):
    HIGH = ("loud", "top")

    def __init__(self, word, *rest):
        self.word = word
        self.rest = rest


class Bits(IntFlag):
    READ = 1


class Tone(Enum):
    LOW = "quiet"
    HIGH = ("loud", "top")

    def __init__(self, word, place="low", *, hint="none"):
        self.word = word
        self.spot = place
        self.hint = hint
        self.size = len(word)


class Book(NamedTuple):
    title: str
    shelf: str = "front"


class Held:
    said = "by the class"

    def __init__(self, title):
        self.called = title
        self.size = len(title)


class Room:
    FIRST = Book("primer")


@dataclass
class Shop:
    best: Book
    till: str = field(default="closed")
    names: list = field(default_factory=list)


class Corner(Spot):
    pass


BOOK = Book("atlas")
OPEN = Book(**LOADED)
MORE = Book(*LOADED)
MADE = load("atlas")
HELD = Held("atlas")
SHOP = Shop(Book("primer"))
CORNER = Corner()
COPIED = copy.copy(BOOK)
WORDS = {Kind.LOST: "gone", Kind.SOLD: "paid"}
BY_OTHER = {Other.LOST: "not here"}
BY_NAME = {NAME: "by name", "novel": "by text"}
BY_NUMBER = {"404": "by text", 404: "by number", HTTPStatus.CONFLICT: "by status"}
BY_UNKNOWN = {SPARE: "spare", 404: "by number"}
BY_CALL = {made(): "made", "novel": "known"}
SPREAD = {**WORDS, "novel": "known"}
FROZEN = MappingProxyType(BY_NAME)
TITLES = {"first": BOOK}
"""

ASKING = "from stock import *\nimport stock\n\n\ndef asked(given, key, COVERED):\n    return {}\n"


def asked(expression: str) -> tuple[Project, Value]:
    """Return a project with the value of an expression that a function of it answers."""
    project = linked({"base.py": BASE, "stock.py": STOCK, "asking.py": ASKING.format(expression)})
    return project, project.modules["asking.py"].functions[0].returns[0].value


def texts(expression: str) -> set[str | None]:
    """Return the constant texts that an expression can be, ``None`` among them where it can be anything else."""
    project, value = asked(expression)
    return {*project.values.texts("asking.py", "asked", value)}


TEXTS: dict[str, tuple[str, set[str | None]]] = {
    # constants and members
    "a constant": ("NAME", {"atlas"}),
    "a constant of a module": ("stock.NAME", {"atlas"}),
    "a constant that is computed": ("COMPUTED", {None}),
    "a constant that stands for itself": ("ITSELF", {None}),
    "a parameter with the name of nothing": ("COVERED", {None}),
    "a member": ("Kind.LOST", {"is_lost"}),
    "the value of a member": ("Kind.LOST.value", {"is_lost"}),
    "the name of a member": ("Kind.LOST.name", {"LOST"}),
    "the name of a flag": ("Bits.READ.name", {"READ"}),
    "the value of a member that is computed": ("Kind.ODD.value", {None}),
    "the value of a member that is given one": ("Kind.LATER.value", {None}),
    "the name of one that is given a value": ("Kind.LATER.name", {"LATER"}),
    "what is no member": ("Kind.ABSENT.name", {None}),
    "what the constructor of a member stores": ("Tone.LOW.word", {"quiet"}),
    "what it stores of several": ("Tone.HIGH.spot", {"top"}),
    "what it stores and is not given": ("Tone.LOW.spot", {None}),
    "what it computes": ("Tone.LOW.size", {None}),
    "what is never passed by position": ("Tone.HIGH.hint", {None}),
    "what it does not store": ("Tone.LOW.absent", {None}),
    "what it stores of all that is left": ("Wide.HIGH.rest", {None}),
    # objects
    "a field": ("BOOK.title", {"atlas"}),
    "a field by its default": ("BOOK.shelf", {"front"}),
    "a field that there is not": ("BOOK.absent", {None}),
    "a field of what is made of what is not known": ("OPEN.shelf", {None}),
    "a field of what is made of a list": ("MORE.shelf", {None}),
    "a field of what a function makes": ("MADE.title", {None}),
    "a field of a copy": ("COPIED.title", {"atlas"}),
    "a field of a field": ("SHOP.best.title", {"primer"}),
    "a default of a field of a field": ("SHOP.best.shelf", {"front"}),
    "a field with a default in a call": ("SHOP.till", {"closed"}),
    "a field with a factory": ("SHOP.names", {None}),
    "what a constructor stores under another name": ("HELD.called", {"atlas"}),
    "what a constructor computes": ("HELD.size", {None}),
    "what the class has": ("HELD.said", {"by the class"}),
    "a field of an object in a class": ("Room.FIRST.title", {"primer"}),
    "a default of a base, by what its module calls so": ("CORNER.where", {"corner"}),
    "another default of a base": ("CORNER.floor", {"first"}),
    "a field of a parameter": ("given.title", {None}),
    # tables
    "what stands under a member": ("WORDS[Kind.SOLD]", {"paid"}),
    "what stands under a member of a module": ("stock.WORDS[stock.Kind.SOLD]", {"paid"}),
    "a member of another enumeration": ("WORDS[Other.LOST]", {None}),
    "a member of another enumeration, or a default": ("BY_OTHER.get(Kind.LOST, 'none')", {"none"}),
    "a member of another enumeration that says the same": ("WORDS[Same.LOST]", {None}),
    "what stands under a name": ("BY_NAME[NAME]", {"by name"}),
    "what stands under the text of a name": ("BY_NAME['atlas']", {"by name"}),
    "what stands under a text": ("BY_NAME['novel']", {"by text"}),
    "what stands under any of two": ("BY_NAME[key]", {"by name", "by text"}),
    "a text that is no key": ("BY_NAME['absent']", {None}),
    "what stands under a number": ("BY_NUMBER[404]", {"by number"}),
    "what stands under the text of a number": ("BY_NUMBER['404']", {"by text"}),
    "what stands under the number of a status": ("BY_NUMBER[409]", {"by status"}),
    "a number that is no key": ("BY_NUMBER.get(410, 'none')", {"none"}),
    "what stands under a number, or before it": ("BY_UNKNOWN[404]", {"by number"}),
    "a number that a name may be": ("BY_UNKNOWN.get(405, 'none')", {"spare", "none"}),
    "a table with a key that a call makes": ("BY_CALL['novel']", {None}),
    "an item of what stands in it": ("BY_CALL['novel']['first']", {None}),
    "a table with another in it": ("SPREAD['novel']", {None}),
    "a table that nobody changes": ("FROZEN['novel']", {"by text"}),
    "a table on the spot": ("{'a': NAME}['a']", {"atlas"}),
    "a table on the spot that is asked": ("{'a': NAME}.get('a', 'none')", {"atlas"}),
    "a table on the spot with a key that is not known": ("{'a': NAME}.get(key, 'none')", {"atlas", "none"}),
    "a table by a keyword": ("BY_NAME.get(key, default='none')", {None}),
    "a table of what is asked for nothing": ("BY_NAME.get()", {None}),
    "what is no table": ("NAME['novel']", {None}),
    "what an answer has": ("load(key).get('novel')", {None}),
    # calls
    "a cast": ("cast(str, NAME)", {"atlas"}),
    "a cast of nothing": ("cast(str)", {None}),
    "a copy": ("copy.deepcopy(NAME)", {"atlas"}),
    "a copy of what another object copies": ("load().copy(NAME)", {None}),
    "a text of a text": ("str(NAME)", {"atlas"}),
    "a text of bytes": ("str(NAME, 'utf-8')", {None}),
    "a text with a constant": ("f'the {NAME} of {Kind.LOST.value}'", {"the atlas of is_lost"}),
    "a text with what is not known": ("f'the {NAME} of {key}'", {None}),
    "one of two": ("NAME if key else 'novel'", {"atlas", "novel"}),
}


@pytest.mark.parametrize(("expression", "expected"), TEXTS.values(), ids=TEXTS)
def test_an_expression_is_one_of_the_texts(expression: str, expected: set[str | None]) -> None:
    assert texts(expression) == expected


@pytest.mark.parametrize(
    ("expression", "text"),
    [("NAME", "atlas"), ("NAME if key else 'novel'", None), ("NAME if key else 'atlas'", "atlas"), ("key", None)],
)
def test_an_expression_is_one_text_where_it_is_no_other(expression: str, text: str | None) -> None:
    project, value = asked(expression)
    assert project.values.text("asking.py", "asked", value) == text


def test_an_answer_does_not_rest_on_how_many_were_given_before() -> None:
    project, value = asked("NAME")
    assert {project.values.text("asking.py", "asked", value) for _ in range(MAX_STEPS + 1)} == {"atlas"}


@pytest.mark.parametrize(("levels", "expected"), [(3, {"end"}), (12, {"end", None})])
def test_tables_of_tables_are_followed_so_far(levels: int, expected: set[str | None]) -> None:
    lines = ["KEY = load()", "T0 = {'a': 'end', 'b': 'end'}"]
    lines += [f"T{at} = {{'a': T{at - 1}[KEY], 'b': T{at - 1}[KEY]}}" for at in range(1, levels)]
    text = "\n".join([*lines, "", "def asked(key):", f"    return T{levels - 1}[key]", ""])
    project = linked({"shop.py": text})
    value = project.modules["shop.py"].functions[0].returns[0].value
    assert {*project.values.texts("shop.py", "asked", value)} == expected


WRITTEN = {
    "a member": ("Kind.LOST", 'LOST = "is_lost"'),
    "the value of a member": ("Kind.LOST.value", 'LOST = "is_lost"'),
    "a table": ("BY_OTHER", 'BY_OTHER = {Other.LOST: "not here"}'),
    "an item of a table": ("BY_OTHER['absent']", 'BY_OTHER = {Other.LOST: "not here"}'),
    "what a table is asked for": ("BY_OTHER.get(key)", 'BY_OTHER = {Other.LOST: "not here"}'),
    "an item of a table under a name": ("BY_OTHER[key]", 'BY_OTHER = {Other.LOST: "not here"}'),
    "a field of an object": ("BOOK.title", 'BOOK = Book("atlas")'),
    "a field of a class": ("Held.said", 'said = "by the class"'),
    "a field of a base": ("Corner.floor", 'floor: str = "first"'),
    "a text": ("'atlas'", ""),
    "a constant text": ("NAME", ""),
    "a constant that is computed": ("COMPUTED", ""),
    "a parameter": ("key", ""),
    "what is not defined": ("absent.title", ""),
    "a call": ("load(key)", ""),
}


@pytest.mark.parametrize(("expression", "statement"), WRITTEN.values(), ids=WRITTEN)
def test_what_an_expression_names_is_written_in_the_statement(expression: str, statement: str) -> None:
    project, value = asked(expression)
    place = project.values.written("asking.py", "asked", value)
    lines = {"base.py": BASE.splitlines(), "stock.py": STOCK.splitlines(), "": [""]}
    path, line = (place[0], place[1].line) if place is not None else ("", 1)
    assert lines[path][line - 1].strip() == statement


SELF = """\
class Base:
    code = "old"
    kind = "kept"

    def __init__(self, code):
        self.code = code


class Shop(Base):
    sign = "open"

    def asked(self, kind):
        return {}

    @classmethod
    def made(cls):
        return {}

    def around(self, code):
        def asked():
            return {}

        return asked


code = "of the module"
"""

OF_SELF: dict[str, tuple[str, str, str | None]] = {
    "what the class has": ("self.sign", "Shop.asked", "open"),
    "what its base has": ("self.kind", "Shop.asked", "kept"),
    "what its constructor stores": ("self.code", "Shop.asked", None),
    "what the class has, in a class method": ("cls.sign", "Shop.made", "open"),
    "a name of the module": ("code", "Shop.asked", "of the module"),
    "a parameter": ("kind", "Shop.asked", None),
    "a parameter of the function around": ("code", "Shop.around.asked", None),
    "a name of the module beside it": ("code", "Shop.made", "of the module"),
}


@pytest.mark.parametrize(("expression", "scope", "text"), OF_SELF.values(), ids=OF_SELF)
def test_a_method_knows_the_text_of(expression: str, scope: str, text: str | None) -> None:
    project = linked({"shop.py": SELF.replace("{}", expression)})
    function = next(each for each in project.modules["shop.py"].functions if each.name == scope)
    assert project.values.text("shop.py", scope, function.returns[0].value) == text
