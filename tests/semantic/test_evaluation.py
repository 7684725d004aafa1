"""What a value is once its names are filled in, and which texts it can be: the service by itself."""

from __future__ import annotations

from pathlib import Path

import pytest
from linked_texts import linked

from errlint.collect import collect
from errlint.facts import (
    Argument,
    Call,
    Choice,
    Constant,
    DictEntry,
    Item,
    Mapping,
    Opaque,
    Ref,
    Sequence,
    Text,
    Value,
    Variable,
    is_closed,
    keyed,
)
from errlint.project import Project
from errlint.project.asked_facts import vocabulary
from errlint.project.evaluation import is_full, is_hole
from errlint.project.names import Layout
from errlint.settings import Settings
from errlint.settings.policy import Codes, Policy

SHOP = """\
import os
from enum import Enum, IntEnum, auto
from pathlib import Path
from typing import Literal, NamedTuple, get_args
from uuid import uuid4

GENRES = ["novel", "poem"]
LINE = "no {what} on {shelf}"
PAIR = "{1} of {0}"
PLACE = "no {}"
LIMIT = 3
NOTHING = None
CLOCK = made()
Place = Literal["front", "back"]
Other = list[str]


class Kind(Enum):
    LOST = "lost"
    SOLD = "sold"
    NEXT = auto()
    ODD = 3 - SPARE


class Number(IntEnum):
    LATE = 7


class Book(NamedTuple):
    title: str
    shelf: str = "front"


def message(title):
    return f"no book {title}"


def described(title, where="the shop"):
    return f"no {title} in {where}"


def hint(title):
    if title:
        return f"look for {title}"
    return "look again"


def reason(title):
    if title:
        return "gone"


def text_of(title):
    yield title


def text_or_none(title):
    return title if title else "none"


def message_of(key, title=None):
    if title is None:
        title = "anything"
    return f"nothing about {title}"


def message_below(key, title=None):
    title = f"shelf {title}"
    return f"nothing on {title}"


def message_around(key, title):
    if key:
        title = "anything"
    return f"nothing about {title}"


def labels(title):
    return f"label {title}"


def classify(title):
    if title:
        return Kind.LOST.value
    return "sold"


def kind_of(title):
    if title:
        return "no such thing"
    return "sold"


def category_of(title):
    return title


def record(title):
    return {"title": title, "limit": LIMIT}


def either(title):
    if title:
        return {"title": title, "shelf": "top"}
    return {"title": title}


def perhaps(title):
    if title:
        return {"title": title}


@shown
def traced(title):
    return {"title": title}


class Shop:
    till = "closed"
    sign = f"{till} on Monday"
    door = None

    def find(self, book, books, key, row, given=None):
"""


def project(expression: str, before: str = "") -> Project:
    """Return a project with a method of a shop that answers an expression, after some statements."""
    lines = "".join(f"        {line}\n" for line in before.splitlines())
    return linked({"shop.py": f"{SHOP}{lines}        return {expression}\n"})


def answer(shop: Project) -> Value:
    """Return what that method answers, as it is written."""
    return shop.modules["shop.py"].functions[-1].returns[0].value


def filled(expression: str, before: str = "", **given: Value) -> Value:
    """Return an expression with what its names stand for, ``given`` in place of parameters."""
    shop = project(expression, before)
    return shop.evaluator.filled("shop.py", "Shop.find", answer(shop), given or None)


def texts(expression: str, before: str = "") -> list[str]:
    """Return the texts that an expression can be, with the names of holes in angle brackets."""
    shop = project(expression, before)
    value = shop.evaluator.filled("shop.py", "Shop.find", answer(shop))
    return [
        "".join(part if isinstance(part, str) else f"<{part.name}>" for part in text.parts)
        for text in shop.evaluator.texts(value)
    ]


HOLES = {
    "a name": ("f'no {book}'", "no <book>"),
    "an attribute": ("f'no {book.title}'", "no <title>"),
    "a key": ("f'no {row[\"title\"]}'", "no <title>"),
    "a member that is given a value": ("f'no {Kind.NEXT.value}'", "no <value>"),
    "a member that is computed": ("f'no {Kind.ODD.value}'", "no <value>"),
    "a local": ("f'no {found}'", "no <found>"),
    "what a builtin is asked about": ("f'no {str(book)}, {len(books)}, {repr(key)}'", "no <book>, <books>, <key>"),
    "what an object is made of": ("f'no {Path(book)}'", "no <book>"),
    "an object of nothing": ("f'no {Path()}'", "no <Path>"),
    "an item": ("f'no {books[0]}'", "no <>"),
    "what is asked of an answer": ("f'no {load(book).strip()}'", "no <load>"),
    "what is joined": ("f'no {key.join(books)}'", "no <books>"),
    "a path that is joined": ("f'no {os.path.join(book, key)}'", "no <book>"),
    "a function": ("f'no {uuid4()}'", "no <uuid4>"),
    "a function of this object": ("f'no {self.now()}'", "no <now>"),
    "what another object is asked": ("f'no {shop.clock.now(book)}'", "no <clock>"),
    "what is computed": ("f'no {3 - key}'", "no <>"),
    "a list of what is not known": ("f'no {[book]}'", "no <>"),
}


@pytest.mark.parametrize(("expression", "text"), HOLES.values(), ids=HOLES)
def test_a_hole_is_called_after(expression: str, text: str) -> None:
    assert texts(expression, "found = books.pop()") == [text]


TEXTS = {
    "a text": ("'no book'", ["no book"]),
    "a number": ("404", ["404"]),
    "nothing": ("None", []),
    "a constant number": ("f'at most {LIMIT}'", ["at most 3"]),
    "what may be one of two": ("('no' if key else 'a') + ' book'", ["no book", "a book"]),
    "one of two constants": ("PLACE if key else LINE", ["no {}", "no {what} on {shelf}"]),
    "a name, or a text": ("book or 'none'", ["<book>", "none"]),
    "a name, or nothing": ("book or ''", ["<book>", ""]),
    "a name, or an empty list": ("book or []", ["<book>"]),
    "a name, or nothing at all": ("book or None", ["<book>"]),
    "what strips a text": ("' no book '.strip()", [" no book "]),
    "what strips what is known": ("str(LINE)", ["no {what} on {shelf}"]),
    "what strips a name": ("book.strip()", ["<book>"]),
    "a list": ("f'one of {GENRES}'", ["one of ['novel', 'poem']"]),
    "a sorted list": ('f\'one of {sorted(["b", "a"])}\'', ["one of ['a', 'b']"]),
    "a list that is sorted from its end": ('f\'one of {sorted(["a", "b"], reverse=True)}\'', ["one of ['b', 'a']"]),
    "a list that is sorted by something": ('f\'one of {sorted(["a", "b"], key=key)}\'', ["one of <>"]),
    "a tuple": ('f\'one of {("b", "a")}\'', ["one of ('b', 'a')"]),
    "a tuple of a list": ("f'one of {tuple(GENRES)}'", ["one of ('novel', 'poem')"]),
    "a set": ("f'one of {set(GENRES)}'", ["one of <>"]),
    "a list of a list": ("f'one of {list(GENRES)}'", ["one of ['novel', 'poem']"]),
    "a list with what is not known": ("f'one of {[\"a\", key]}'", ["one of <>"]),
    "a joined list": ("', '.join(GENRES)", ["novel, poem"]),
    "a joined list with a name": ("', '.join(['a', book])", ["a, <book>"]),
    "a joined list that is sorted": ("', '.join(sorted(['b', 'a']))", ["a, b"]),
    "a joined list of names that is sorted": ("', '.join(sorted(['b', book]))", ["<>"]),
    "what is joined and not known": ("', '.join(books)", ["<>"]),
    "what is joined by what is not known": ("key.join(['a', 'b'])", ["<>"]),
    "percent": ("'%s of %s' % (book, 3)", ["<book> of 3"]),
    "percent with one value": ("'no %s' % book", ["no <book>"]),
    "percent with a sign of its own": ("'%d%% of %s' % (key, book)", ["<key>% of <book>"]),
    "percent with too few values": ("'%s of %s' % (book,)", ["<book> of <>"]),
    "percent with names": ("'%(shelf)s of %(book)s' % row", ["<shelf> of <book>"]),
    "percent before more": ("'no %s' % book + ' here'", ["no <book> here"]),
    "percent before percent": ("'no %s' % book + ' of %s' % key", ["no <book> of <key>"]),
    "percent of a text with holes of its own": ("f'%s {book} %s' % (key, row)", ["<key> <book> <row>"]),
    "percent with a list": ("'one of %s' % ['a', 'b']", ["one of ['a', 'b']"]),
    "an empty list before more": ("f'one of {[]} here'", ["one of <> here"]),
    "a sum": ("'no ' + book", ["no <book>"]),
    "format": ("'no {} of {}'.format(book, key)", ["no <book> of <key>"]),
    "format by number": ("'{1} of {0}'.format(book, key)", ["<key> of <book>"]),
    "format by name": ("'{what} of {0}'.format(book, what=key)", ["<what> of <book>"]),
    "format with too little": ("'{} of {} of {what}'.format(book)", ["<book> of <> of <what>"]),
    "format with what is spread": ("'{} of {}'.format(*books)", ["<> of <>"]),
    "format with one more that is spread": ("'{} of {}'.format(book, *books)", ["<book> of <>"]),
    "format of a text with percent signs": ("'{}%% of it'.format(key)", ["<key>%% of it"]),
    "a text with braces that nobody fills": ("'no {what}'", ["no {what}"]),
    "a text with a percent sign that nobody fills": ("'no %s%%'", ["no %s%%"]),
    "format of a constant": ("LINE.format(what='book', shelf=key)", ["no book on <key>"]),
    "format of what may be one of two": (
        "('no {what}' if key else 'no {}, none').format(book)",
        ["no <what>", "no <>, none"],
    ),
    "format of one of two with a hole": (
        "(f'no {book} of {{}}' if key else 'no {}').format(row)",
        ["no <book> of <>", "no <>"],
    ),
    "what is computed, or a text": ("books - 1 or 'none'", ["<>", "none"]),
    "a name for a text": ("found", ["no book"], "found = 'no book'"),
    "a name for one of two": ("found", ["no book", "none"], "found = 'no book'\nif key:\n    found = 'none'"),
    "a name for a text, or what is not known": (
        "found",
        ["no book", "<found>"],
        "found = 'no book'\nif key:\n    found = books - 1",
    ),
    "a name for a part": ("f'no {found}'", ["no book"], "found = 'book'"),
}


@pytest.mark.parametrize("case", TEXTS.values(), ids=TEXTS)
def test_a_value_is_told_as_the_text(case: tuple[str, list[str]] | tuple[str, list[str], str]) -> None:
    expression, expected, *before = case
    assert sorted(texts(expression, *before)) == sorted(expected)


MANY = "word = 'a' if key else 'b' if row else 'c'"


def test_a_text_of_many_ways_has_a_hole_for_what_would_be_too_many() -> None:
    assert len(texts("f'{word} 1'", MANY)) == 3
    assert texts("f'{word} and {word}'", MANY)[0] == "a and <word>"
    assert len(texts("f'{word} and {word}'", MANY)) == 3
    assert len(texts("f'{word} {word} {word}'", "word = 'a' if key else 'b'")) == 8


CALLS = {
    "a message": ("message(book)", ["no book <book>"]),
    "a message with a default": ("described('poem')", ["no poem in the shop"]),
    "one with both": ("described('poem', where=key)", ["no poem in <key>"]),
    "one with another text for want of an argument": ("text_or_none('poem')", ["poem"]),
    "one with what was put there for want of an argument": ("message_of(key)", ["nothing about anything"]),
    "one with an argument in place of that": ("message_of(key, 'poems')", ["nothing about poems"]),
    "one with an argument that may be nothing": (
        "message_of(key, book)",
        ["nothing about anything", "nothing about <title>"],
    ),
    "one with a parameter that is set again": ("message_below(key, 'poems')", ["nothing on shelf poems"]),
    "one with a parameter that may be set again": (
        "message_around(key, 'poems')",
        ["nothing about anything", "nothing about poems"],
    ),
    "one of two hints": ("hint('poem')", ["look for poem", "look again"]),
    "a reason that may be missing": ("reason(book)", ["<reason>"]),
    "a generator": ("text_of('poem')", ["<text_of>"]),
    "what is not called after a text": ("labels('poem')", ["<labels>"]),
    "codes that are told apart": ("classify(book)", ["lost", "sold"]),
    "codes that are no codes": ("kind_of(book)", ["<kind_of>"]),
    "codes that may be anything": ("category_of(book)", ["<category_of>"]),
    "a code that is made of its text": ("Kind('lost')", ["lost"]),
    "a table of a literal": ("', '.join(get_args(Place))", ["front, back"]),
    "a table of what is no literal": ("', '.join(get_args(Other))", ["<>"]),
    "a table of what is not defined": ("', '.join(get_args(Absent))", ["<>"]),
    "another function of a literal": ("', '.join(names_of(Place))", ["<>"]),
}


@pytest.mark.parametrize(("expression", "expected"), CALLS.values(), ids=CALLS)
def test_a_call_is_told_as_what_it_answers(expression: str, expected: list[str]) -> None:
    assert texts(expression) == expected


FILLED: dict[str, tuple[str, Value]] = {
    "a constant": ("LIMIT", Constant(3)),
    "a list": ("GENRES", Sequence("list", (Text(("novel",)), Text(("poem",))))),
    "a constant that a call makes": ("CLOCK", Ref("CLOCK")),
    "a constant that is nothing": ("NOTHING", Constant(None)),
    "what is not defined": ("absent", Ref("absent")),
    "a parameter": ("book", Ref("book")),
    "a member": ("Kind.LOST", Text(("lost",))),
    "a member that is a number": ("Number.LATE", Constant(7)),
    "a field of the class": ("self.till", Text(("closed",))),
    "a field that is set later": ("self.door", Ref("self.door")),
    "the first of two that is certain": ("LINE or book", Text(("no {what} on {shelf}",))),
    "what a table is asked for": ("{'a': LIMIT, 'b': 4}.get('a')", Constant(3)),
    "what a table may hold": (
        "{'a': LIMIT, 'b': 4}.get(key)",
        Call(".get", (Argument("", Ref("key")),), Mapping((DictEntry("a", Constant(3)), DictEntry("b", Constant(4))))),
    ),
    "an entry": ("{'a': LIMIT, 'b': 4}['a']", Constant(3)),
    "the last entry of a key": ("{'a': LIMIT, 'a': 4}['a']", Constant(4)),
    "an entry that there is not": ("{'b': LIMIT}['a']", Item(Mapping((DictEntry("b", Ref("LIMIT")),)), "a")),
    "a name, or nothing": ("book or None", Ref("book")),
    "a name, or an empty dict": ("book or {}", Ref("book")),
    "one of two names, or nothing": ("book or key or None", Choice((Ref("book"), Ref("key")), is_or=True)),
}


@pytest.mark.parametrize(("expression", "value"), FILLED.values(), ids=FILLED)
def test_a_name_stands_for(expression: str, value: Value) -> None:
    assert filled(expression) == value


GIVEN: dict[str, tuple[str, str, Value]] = {
    "for a parameter": ("book", "", Text(("novel",))),
    "for the value of a member": ("book.value", "", Text(("novel",))),
    "for nothing else of it": ("book.title", "", Ref("book.title")),
    "not for what a name beside it has": ("key.value", "", Ref("key.value")),
    "inside of a text": ("f'no {book}'", "", Text(("no ", Text(("novel",))))),
    "for a parameter alone": ("key", "", Ref("key")),
}


@pytest.mark.parametrize(("expression", "before", "value"), GIVEN.values(), ids=GIVEN)
def test_an_argument_stands(expression: str, before: str, value: Value) -> None:
    assert filled(expression, before, book=Text(("novel",))) == value


def test_a_code_of_the_registry_stands_for_what_it_says() -> None:
    code = "class Code(Enum):\n    LOST = 'is_lost'\n\n\nclass Status(IntEnum):\n    LATE = 7\n\n\n"
    code += "def asked():\n    return [Code.LOST, Code.LOST.value, Status.LATE, Code.ABSENT]\n"
    settings = Settings(root=Path(), policy=Policy(codes=Codes(registry=("shop:Code", "shop:Status"))))
    modules = {"shop.py": collect(f"from enum import Enum, IntEnum\n\n\n{code}", vocabulary(settings))}
    shop = Project(Layout(modules, [""]), modules, settings)
    lost = Text(("is_lost",))
    assert shop.evaluator.filled("shop.py", "asked", answer(shop)) == Sequence(
        "list", (lost, lost, Constant(7), Ref("Code.ABSENT"))
    )


WRITTEN: dict[str, tuple[str, Text | None]] = {
    "a constant text": ("LINE", Text(("no {what} on {shelf}",))),
    "a text of its own": ("f'no {book}'", Text(("no ", Ref("book")))),
    "a format by position": ("'{} of {}'.format(book, key)", Text((Ref("book"), " of ", Ref("key")))),
    "a format of a constant by position": ("PAIR.format(book, key)", Text((Ref("key"), " of ", Ref("book")))),
    "a format of a constant by name": (
        "LINE.format(what=book, shelf='top')",
        Text(("no ", Ref("book"), " on ", Text(("top",)))),
    ),
    "a format of a constant with too few names": (
        "LINE.format(what=book)",
        Text(("no ", Ref("book"), " on ", Ref("shelf"))),
    ),
    "a format with a name where a place is": ("PLACE.format(book=key)", Text(("no ", Opaque()))),
    "a format of a text elsewhere with names of that place": ("Shop.sign.format(book)", None),
    "a format of a number": ("LIMIT.format(book)", None),
    "a format of what is not known": ("book.format(key)", None),
    "a text elsewhere with names of that place": ("Shop.sign", None),
    "a text elsewhere": ("Shop.till", Text(("closed",))),
    "a number": ("LIMIT", None),
    "a call": ("load(book)", None),
}


@pytest.mark.parametrize(("expression", "text"), WRITTEN.values(), ids=WRITTEN)
def test_an_expression_writes(expression: str, text: Text | None) -> None:
    shop = project(expression)
    written = shop.evaluator.written("shop.py", "Shop.find", answer(shop))
    kept = None if written is None else Text(tuple(part for part in written.parts if part != ""))
    assert kept == text


DICTS: dict[str, tuple[str, dict[str, Value] | None]] = {
    "one of two with the same entry": (
        "{'a': 1} if key else {'a': 1, 'b': 2}",
        {"a": Constant(1), "b": Choice((Constant(2), Constant(None)))},
    ),
    "one of two with other values": ("{'a': 1} if key else {'a': 2}", {"a": Choice((Constant(1), Constant(2)))}),
    "one of two, of which one has more": ("{'a': 1, **row} if key else {'a': 1}", {"a": Constant(1), "**": Opaque()}),
    "one of two, of which one has a key that is computed": (
        "{'a': 1, key: 2} if key else {'a': 1}",
        {"a": Constant(1), "**": Opaque()},
    ),
    "one of two, of which one is not known": ("{'a': 1} if key else row", None),
    "a dict with a key that is computed": ("{'a': 1, key: 2}", {"a": Constant(1), "**": Opaque()}),
    "a dict in a dict": (
        "{'a': {'b': 1, **{'c': 2}}}",
        {"a": Mapping((DictEntry("b", Constant(1)), DictEntry("c", Constant(2))))},
    ),
    "what an object of two fields has": (
        "Book('poems')._asdict()",
        {"title": Text(("poems",)), "shelf": Text(("front",))},
    ),
    "what an object of a local has": ("vars(held)", {"title": Text(("poems",)), "shelf": Text(("back",))}),
    "what an object has that is made of what is not known": (
        "Book(**row)._asdict()",
        {"shelf": Opaque(), "**": Opaque()},
    ),
    "what nothing has": ("vars()", None),
    "what a parameter has": ("book._asdict()", None),
    "what a function answers": ("record(book)", {"title": Ref("book"), "limit": Constant(3)}),
    "what one of two returns answers": (
        "either(book)",
        {"title": Ref("book"), "shelf": Choice((Text(("top",)), Constant(None)))},
    ),
    "what a function may answer": ("perhaps(book)", None),
    "what a decorated function answers": ("traced(book)", None),
    "what another object answers": ("book.record(key)", None),
}


@pytest.mark.parametrize(("expression", "entries"), DICTS.values(), ids=DICTS)
def test_a_dict_has(expression: str, entries: dict[str, Value] | None) -> None:
    shop = project(expression, "held = Book('poems', shelf='back')")
    found = shop.evaluator.mapping("shop.py", "Shop.find", answer(shop))
    kept = None if found is None else {**keyed(found), **({} if is_closed(found) else {"**": Opaque()})}
    assert kept == entries


FULL: dict[str, tuple[Value, bool]] = {
    "a text": (Text(("a",)), True),
    "an empty text": (Text(("",)), False),
    "a hole in a text": (Text((Ref("book"),)), False),
    "a list of something": (Sequence("list", (Ref("book"),)), True),
    "a list of nothing": (Sequence("list", ()), False),
    "a dict of nothing": (Mapping(()), False),
    "a name": (Ref("book"), False),
    "a variable with a text": (Variable("book", (Text(("a",)),)), True),
    "one of two texts": (Choice((Text(("a",)), Text(("b",)))), False),
    "a call": (Call("load", ()), False),
    "what is not known": (Opaque(), False),
}


@pytest.mark.parametrize(("value", "is_something"), FULL.values(), ids=FULL)
def test_a_value_is_certainly_something(value: Value, is_something: bool) -> None:
    assert is_full(value) is is_something


def test_a_text_is_nothing_but_a_hole() -> None:
    evaluator = project("book").evaluator
    told = [evaluator.texts(value)[0] for value in (Ref("book"), Text(("no ", Ref("book"))), Text(("no",)))]
    assert [is_hole(text) for text in told] == [True, False, False]
