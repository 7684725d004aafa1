"""The texts that an expression lists, and how a constant is written in a document."""

from __future__ import annotations

import ast
from functools import cache
from pathlib import Path

import pytest

from errlint.catalog.documents import Documents
from errlint.collect import collect
from errlint.project import Project
from errlint.project.asked_facts import vocabulary
from errlint.project.drift.enumerated import PlacedExpression, texts, value
from errlint.project.names import Layout
from errlint.settings import Settings

CODE = """\
from enum import Enum, IntEnum, StrEnum, auto
from typing import Annotated, Final, Literal, Optional

import sizes
import sizes as other
from sizes import SIZES as ALL

ALLOWED = ["html", "pdf"]
COPY = ALLOWED
EMPTY = []
MIXED = ["html", 7]
TWICE = ["html"]
TWICE = ["pdf"]
BY_NAME = {"html": 1, **other.MORE}
Format = Literal["html", "pdf"]
LIMIT = 20
SELF = SELF


class Kind(Enum):
    HTML = "html"
    PDF = "pdf"

    def label(self):
        return self.value


class Level(IntEnum):
    LOW = 1
    HIGH = 2


class Mode(StrEnum):
    FAST = auto()
    SLOW = auto()


class Number(Enum):
    ONE = auto()
    TWO = auto()


class Worked(Enum):
    HTML = "html"
    PDF = made("pdf")
    _hidden = made("x")


class Plain:
    HTML = "html"
    NAMES = ("html", "pdf")


class Printer:
    NAMES = ("large", "small")
    limit: int = 5

    def show(self, given):
        own = ("html", "text")

        def inner(page):
            return own

        return inner(given)
"""

SIZES = 'SIZES = ("large", "small")\nMORE = {}\nLIMIT = 7\n'

LISTED = {
    "a list": ("['html', 'pdf']", "html pdf"),
    "a tuple": ("('html', 'pdf')", "html pdf"),
    "a set": ("{'html'}", "html"),
    "an empty list": ("[]", None),
    "a list with a number": ("MIXED", None),
    "the keys of a dict": ("{'html': 1, 'pdf': 2}", "html pdf"),
    "the keys of a dict that takes over others": ("BY_NAME", "html"),
    "a name": ("ALLOWED", "html pdf"),
    "a name of a name": ("COPY", "html pdf"),
    "a name with two values": ("TWICE", None),
    "a name that is its own": ("SELF", None),
    "a name that is not there": ("GONE", None),
    "a name that is imported": ("ALL", "large small"),
    "a name of a module": ("sizes.SIZES", "large small"),
    "a name of a module under another name": ("other.SIZES", "large small"),
    "a name of a class": ("Printer.NAMES", "large small"),
    "a name of a name that is no class": ("ALLOWED.NAMES", None),
    "a literal": ("Literal['html', 'pdf']", "html pdf"),
    "a literal of one": ("Literal['html']", "html"),
    "a literal by a name": ("Format", "html pdf"),
    "a literal of numbers": ("Literal[1, 2]", None),
    "with notes": ("Annotated[Literal['html', 'pdf'], 'how it looks']", "html pdf"),
    "optional": ("Optional[Literal['html', 'pdf']]", "html pdf"),
    "final": ("typing.Final[Format]", "html pdf"),
    "another generic": ("dict[Format]", None),
    "or nothing": ("Format | None", "html pdf"),
    "nothing or": ("None | Format", "html pdf"),
    "one or another": ("Format | Kind", None),
    "one and another": ("Format & None", None),
    "joined": ("', '.join(ALLOWED)", "html pdf"),
    "sorted": ("sorted(ALLOWED)", "html pdf"),
    "the arguments of a literal": ("get_args(Format)", "html pdf"),
    "the keys that are asked for": ("BY_NAME.keys()", "html"),
    "the values that are asked for": ("BY_NAME.values()", None),
    "a function without arguments": ("list()", None),
    "another function": ("made(ALLOWED)", None),
    "an enumeration": ("Kind", "html pdf"),
    "an enumeration, listed": ("list(Kind)", "html pdf"),
    "an enumeration of numbers": ("Level", "1 2"),
    "an enumeration that names itself": ("Mode", "fast slow"),
    "an enumeration that counts": ("Number", None),
    "an enumeration that is worked out": ("Worked", None),
    "the members of an enumeration": ("Kind.__members__", "HTML PDF"),
    "the members of one that is worked out": ("Worked.__members__", "HTML PDF"),
    "another attribute of an enumeration": ("Kind.__names__", None),
    "a class that is no enumeration": ("Plain", None),
    "the values of each": ("[each.value for each in Kind]", "html pdf"),
    "the names of each": ("[each.name for each in Number]", "ONE TWO"),
    "the values of each that counts": ("[each.value for each in Number]", None),
    "something else of each": ("[each.label for each in Kind]", None),
    "each": ("{each for each in ALLOWED}", "html pdf"),
    "each as a text": ("(str(each.value) for each in Kind)", "html pdf"),
    "each in quotes": ("', '.join(repr(each) for each in ALLOWED)", "html pdf"),
    "each in quotes of a text": ("', '.join(f\"'{each}'\" for each in ALLOWED)", "html pdf"),
    "each with something else": ("(f'{each}{LIMIT}' for each in ALLOWED)", None),
    "each, made": ("[made(each) for each in ALLOWED]", None),
    "each, made of two": ("[str(each, 'utf-8') for each in ALLOWED]", None),
    "each, by a method": ("[each.lower() for each in ALLOWED]", None),
    "something beside each": ("[LIMIT for each in ALLOWED]", None),
    "the value of something beside each": ("[Kind.value for each in Kind]", None),
    "some": ("[each for each in ALLOWED if each]", None),
    "each of each": ("[each for row in ALLOWED for each in row]", None),
    "each of two": ("[each for each, other in ALLOWED]", None),
    "a constant": ("'html'", None),
    "another operation": ("not ALLOWED", None),
    "too many calls": (f"{'list(' * 9}ALLOWED{')' * 9}", None),
    "some calls": (f"{'list(' * 7}ALLOWED{')' * 7}", "html pdf"),
}


@cache
def project() -> Project:
    files = {"formats.py": CODE, "sizes.py": SIZES}
    modules = {path: collect(text, vocabulary(Settings(root=Path()))) for path, text in files.items()}
    documents = Documents(Path(), files, frozenset())
    return Project(Layout(modules, [""]), modules, Settings(root=Path()), documents)


def at(expression: str, scope: str = "") -> PlacedExpression:
    return PlacedExpression("formats.py", scope, ast.parse(expression, mode="eval").body)


@pytest.mark.parametrize(("expression", "expected"), LISTED.values(), ids=LISTED)
def test_the_texts_that_an_expression_lists(expression: str, expected: str | None) -> None:
    found = texts(project(), at(expression))
    assert (found and " ".join(found)) == expected


@pytest.mark.parametrize(
    ("expression", "scope", "expected"),
    [
        pytest.param("own", "Printer.show", "html text", id="a variable of the function"),
        pytest.param("own", "Printer.show.inner", "html text", id="a variable of the function around it"),
        pytest.param("own", "", None, id="no variable of the module"),
        pytest.param("given", "Printer.show.inner", None, id="a parameter of the function around it"),
        pytest.param("page", "Printer.show.inner", None, id="a parameter"),
        pytest.param("ALLOWED", "Printer.show.inner", "html pdf", id="a constant of the module"),
        pytest.param("NAMES", "Printer", "large small", id="a constant of the class"),
        pytest.param("NAMES", "Printer.show", None, id="a constant of the class, which a method does not see"),
    ],
)
def test_a_name_means_what_it_does_where_it_stands(expression: str, scope: str, expected: str | None) -> None:
    found = texts(project(), at(expression, scope))
    assert (found and " ".join(found)) == expected


WRITTEN = {
    "a text": ("'html'", "html"),
    "a flag": ("True", "True"),
    "a number": ("30", "30"),
    "a number below zero": ("-1.5", "-1.5"),
    "another sign": ("+1", None),
    "what is below zero of a name": ("-LIMIT", "-20"),
    "what is below zero of nothing": ("-GONE", None),
    "bytes": ("b'x'", None),
    "a name": ("LIMIT", "20"),
    "a name of a module": ("sizes.LIMIT", "7"),
    "a name of a class": ("Printer.limit", "5"),
    "a name that is not there": ("GONE", None),
    "a name that is its own": ("SELF", None),
    "a member": ("Kind.PDF", "pdf"),
    "the value of a member": ("Kind.PDF.value", "pdf"),
    "a member that is worked out": ("Worked.PDF", None),
    "a member that is not there": ("Kind.DOCX", None),
    "a constant of a class that is no enumeration": ("Plain.HTML", "html"),
    "a field": ("Field(default=3)", "3"),
    "a field with the default first": ("pydantic.Field(3, description='x')", "3"),
    "a field that is another name": ("Query(LIMIT)", "20"),
    "a field without a default": ("field(init=False)", None),
    "another call": ("made(3)", None),
    "a list": ("[]", None),
}


@pytest.mark.parametrize(("expression", "expected"), WRITTEN.values(), ids=WRITTEN)
def test_how_a_constant_is_written(expression: str, expected: str | None) -> None:
    assert value(project(), at(expression)) == expected
