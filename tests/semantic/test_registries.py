"""Registries of error codes: which definitions are one, and what their codes are."""

from __future__ import annotations

import pytest
from judged_texts import lines, project_of

from errlint.project.registry import Registry

ENUM = "from enum import Enum, IntEnum, StrEnum, auto\n\n\n"


def shown(registry: Registry) -> str:
    """Return the name and kind of a registry, with its codes, and "and others" where some cannot be told."""
    codes = ", ".join(
        (f"{code.member}=" if code.member else "")
        + str(code.value)
        + (f" {code.status}" if code.status is not None else "")
        + (" again" if code.repeats else "")
        for code in registry.codes
    )
    return f"{registry.name} ({registry.kind.value}): {codes}" + (" and others" if registry.is_open else "")


def recognised(text: str) -> list[str]:
    return [shown(each) for each in project_of({"codes.py": text}).codes.recognised("codes.py")]


CLASSES = {
    "an enum": ("class ErrorCode(Enum):\n    LOST = 'lost'", "ErrorCode (enum): LOST=lost"),
    "an enum of numbers": ("class ErrorCode(IntEnum):\n    LOST = 4004", "ErrorCode (enum): LOST=4004"),
    "an enum of strings": ("class ErrorCode(str, Enum):\n    LOST = 'l'", "ErrorCode (enum of strings): LOST=l"),
    "an enum of strings by its base": (
        "class ErrorCode(StrEnum):\n    LOST = 'l'",
        "ErrorCode (enum of strings): LOST=l",
    ),
    "an enum in a class": (
        "class Shop:\n    class ErrorCode(Enum):\n        LOST = 'l'",
        "Shop.ErrorCode (enum): LOST=l",
    ),
    "constants": (
        "class ErrorCode:\n    LOST = 'lost'\n    LATE = 'late'",
        "ErrorCode (class): LOST=lost, LATE=late",
    ),
    "constants of an object": (
        "class ErrorCode(object):\n    LOST = 'lost'\n    LATE = 'late'",
        "ErrorCode (class): LOST=lost, LATE=late",
    ),
    "one constant": ("class ErrorCode:\n    LOST = 'lost'", ""),
    "no constant": ("class ErrorCode:\n    pass", ""),
    "an enum without a member": ("class ErrorCode(Enum):\n    pass", ""),
    "constants of a class that is more": ("class ErrorCode(Shelf):\n    LOST = 'lost'\n    LATE = 'late'", ""),
    "an exception": ("class LostErrorCode(Exception):\n    LOST = 'lost'\n    LATE = 'late'", ""),
    "another name": ("class Shelf(Enum):\n    LOST = 'lost'", ""),
    "what is no constant": (
        "class ErrorCode:\n    LOST = 'lost'\n    LATE = 'late'\n    label = 'no'\n    _KEPT = 'kept'",
        "ErrorCode (class): LOST=lost, LATE=late",
    ),
    "members in small letters": ("class ErrorCode(Enum):\n    lost = 'l'", "ErrorCode (enum): lost=l"),
    "what is no member": (
        "class ErrorCode(Enum):\n    LOST = 'lost'\n    _ignore_ = 'x'\n\n    def shown(self):\n        return 1",
        "ErrorCode (enum): LOST=lost",
    ),
    "members that count": ("class ErrorCode(Enum):\n    LOST = auto()", "ErrorCode (enum): LOST=LOST"),
    "members of strings that count": (
        "class ErrorCode(StrEnum):\n    LOST = auto()",
        "ErrorCode (enum of strings): LOST=lost",
    ),
    "members that a name of a module counts": (
        "import enum\n\n\nclass ErrorCode(Enum):\n    LOST = enum.auto()",
        "ErrorCode (enum): LOST=LOST",
    ),
    "members with a status": (
        "class ErrorCode(Enum):\n    LOST = ('lost', 404)\n    LATE = Spec('late', 408)",
        "ErrorCode (enum): LOST=lost 404, LATE=late 408",
    ),
    "a second name": (
        "class ErrorCode(Enum):\n    LATE = 'late'\n    LOST = 'lost'\n    GONE = LOST",
        "ErrorCode (enum): LATE=late, LOST=lost, GONE=lost again",
    ),
    "a second name for something else": (
        "class ErrorCode(Enum):\n    LOST = 'lost'\n    GONE = OTHER",
        "ErrorCode (enum): LOST=lost, GONE=None again",
    ),
    "a second value with a reason": (
        "class ErrorCode(Enum):\n    LOST = 'lost'\n    GONE = 'lost'  # its former name",
        "ErrorCode (enum): LOST=lost, GONE=lost again",
    ),
    "a second value without": (
        "class ErrorCode(Enum):\n    LOST = 'lost'\n    GONE = 'lost'",
        "ErrorCode (enum): LOST=lost, GONE=lost",
    ),
    "a member that only the run knows": (
        "class ErrorCode(Enum):\n    LOST = 'lost'\n    LATE = read()",
        "ErrorCode (enum): LOST=lost, LATE=None and others",
    ),
    "a constant that only the run knows": (
        "class ErrorCode:\n    LOST = 'lost'\n    GONE = 'gone'\n    LATE = read()",
        "ErrorCode (class): LOST=lost, GONE=gone and others",
    ),
}


@pytest.mark.parametrize(("code", "registry"), CLASSES.values(), ids=CLASSES)
def test_a_class_with_the_name_of_a_registry_is(code: str, registry: str) -> None:
    assert recognised(f"{ENUM}{code}\n") == ([registry] if registry else [])


VALUES = {
    "a dict": (
        "ERROR_CODES = {'lost': 'It is lost', 'too-late': {'status': 408}}",
        "ERROR_CODES (dict): lost, too-late 408",
    ),
    "a dict of words": ("ERROR_CODES = {'no book': 'It is lost', 'late': 'no'}", ""),
    "a dict of words with an underscore": (
        "ERROR_CODES = {'no_book_': 'It is lost', 'late': 'no'}",
        "ERROR_CODES (dict): no_book_, late",
    ),
    "a dict of one": ("ERROR_CODES = {'lost': 'It is lost'}", "ERROR_CODES (dict): lost"),
    "an empty dict": ("ERROR_CODES = {}", ""),
    "a dict with more": ("ERROR_CODES = {'lost': 'It is lost', **OTHERS}", ""),
    "a dict with a key that only the run knows": ("ERROR_CODES = {'lost': 'It is lost', KEY: 'no'}", ""),
    "some of the codes": ("RETRYABLE_ERROR_CODES = {'lost': 'It is lost'}", ""),
    "another dict": ("SHELVES = {'lost': 'It is lost'}", ""),
    "an alias": ("ErrorCode = Literal['lost', 'late']", "ErrorCode (Literal alias): lost, late"),
    "an alias by its module": ("ErrorCode = typing.Literal['lost']", "ErrorCode (Literal alias): lost"),
    "an alias of numbers": ("ErrorCode = Literal[1, 2]", ""),
    "an alias of a number and a text": ("ErrorCode = Literal['lost', 2]", ""),
    "an alias of what only the run knows": ("ErrorCode = Literal['lost', found()]", ""),
    "a list": ("ERROR_CODES = ['lost', 'late']", ""),
}


@pytest.mark.parametrize(("code", "registry"), VALUES.values(), ids=VALUES)
def test_a_value_with_the_name_of_a_registry_is(code: str, registry: str) -> None:
    head = "import typing\nfrom typing import Literal\n\nfrom others import OTHERS, KEY, found\n\n"
    assert recognised(f"{head}{code}\n") == ([registry] if registry else [])


CONFIGURED = {
    "a class by its last name": ("Shelf", ["Shelf (enum): LOST=lost"]),
    "a class by its module": ("shop.codes.Shelf", ["Shelf (enum): LOST=lost"]),
    "a class by its module and a colon": ("shop.codes:Shelf", ["Shelf (enum): LOST=lost"]),
    "a class by the end of its module": ("codes.Shelf", ["Shelf (enum): LOST=lost"]),
    "a class where it is imported": ("shop.other:Shelf", ["Shelf (enum): LOST=lost"]),
    "a class of another module": ("others.Shelf", []),
    "a list": ("KNOWN", ["KNOWN (list): gone, left"]),
    "a list by its module": ("shop.codes:KNOWN", ["KNOWN (list): gone, left"]),
    "a set of a list": ("shop.codes:KEPT", ["KEPT (list): gone"]),
    "a set of a list by its last name": ("KEPT", ["KEPT (list): gone"]),
    "a set of what it is not known": ("shop.codes:TAKEN", []),
    "a set of two": ("shop.codes:PAIRED", []),
    "what another call makes": ("shop.codes:SORTED", []),
    "an alias": ("shop.codes:Kind", ["Kind (Literal alias): odd"]),
    "a list of numbers": ("NUMBERS", []),
    "a list of constants": ("NAMED", ["NAMED (list): gone, odd"]),
    "an empty list": ("EMPTY", []),
    "a function": ("shop.codes:listed", []),
    "nothing": ("shop.codes:Nothing", []),
    "a constant that is no list": ("shop.codes:LIMIT", []),
}

CODES = f"""\
{ENUM}from typing import Literal


class Shelf(Enum):
    LOST = "lost"


FIRST = "gone"
SECOND = "odd"
KNOWN = ["gone", "left"]
KEPT = frozenset(["gone"])
TAKEN = frozenset(read())
PAIRED = frozenset(["gone"], ["left"])
SORTED = chained(["gone"])
Kind = Literal["odd"]
NUMBERS = [1, 2]
NAMED = [FIRST, SECOND]
EMPTY = []
LIMIT = 4


def listed():
    return KNOWN
"""


@pytest.mark.parametrize(("name", "registries"), CONFIGURED.values(), ids=CONFIGURED)
def test_a_registry_that_is_configured_by(name: str, registries: list[str]) -> None:
    texts = {"shop/codes.py": CODES, "shop/other.py": "from shop.codes import Shelf\n"}
    codes = project_of(texts, f'[codes]\nregistry = ["{name}"]\n').codes
    assert [shown(each) for each in codes.configured("shop/codes.py")] == registries


def test_a_configured_registry_stands_where_it_is_defined() -> None:
    texts = {"shop/codes.py": CODES, "shop/other.py": "from shop.codes import KNOWN\n"}
    project = project_of(
        texts, '[codes]\nregistry = ["shop.codes:KNOWN"]\n[codes.vocabulary]\nodd = { status = 404 }\n'
    )
    known, vocabulary = project.codes.configured("shop/other.py")
    assert known.place.line == CODES[: CODES.index("KNOWN = ")].count("\n") + 1
    assert shown(vocabulary) == "the vocabulary (vocabulary): odd 404"
    assert [each.name for each in project.codes.registered_in("shop/codes.py")] == ["KNOWN"]
    assert [each.name for each in project.codes.registered_in("shop/other.py")] == []


SPOKEN = {
    "named by the policy": ('registry = ["Shelf"]', True),
    "that shares a code with one that is named": ('registry = ["KNOWN"]', True),
    "that shares a code with the vocabulary": ("vocabulary = { lost = {} }", True),
    "of other codes": ("vocabulary = { late = {} }", False),
    "where the policy names none": ("", True),
}


@pytest.mark.parametrize(("setting", "is_spoken_of"), SPOKEN.values(), ids=SPOKEN)
def test_the_policy_speaks_of_a_registry(setting: str, is_spoken_of: bool) -> None:
    text = f"{ENUM}class Shelf(Enum):\n    LOST = 'lost'\n\n\nclass ErrorCode(Enum):\n    LOST = 'lost'\n\n\n"
    project = project_of({"codes.py": f"{text}KNOWN = ['lost', 'gone']\n"}, f"[codes]\n{setting}\n")
    (registry,) = project.codes.recognised("codes.py")
    assert project.codes.is_spoken_of(registry) is is_spoken_of


VOCABULARY = "[codes.vocabulary]\nlost = {}\nlate = {}\n"

REPEATED = {
    "an enum of known codes that has one twice": (
        "class Shelf(Enum):\n    LOST = 'lost'\n    GONE = 'lost'",
        ["codes.py:6"],
    ),
    "an enum that has another one, too": (
        "class Shelf(Enum):\n    LOST = 'lost'\n    GONE = 'lost'\n    FULL = 'full'",
        [],
    ),
    "an enum that has one that only the run knows": (
        "class Shelf(Enum):\n    LOST = 'lost'\n    GONE = 'lost'\n    FULL = read()",
        [],
    ),
    "constants": ("class Shelf:\n    LOST = 'lost'\n    GONE = 'lost'", []),
    "a member that is named after another code": (
        "class Shelf(Enum):\n    LATE = 'lost'\n    FULL = 'full'",
        ["codes.py:5"],
    ),
    "a member that is so named, for a reason": (
        "class Shelf(Enum):\n    LOST = 'lost'\n    LATE = 'lost'  # its former name\n    FULL = 'full'",
        [],
    ),
    "a member that is named after its code": ("class Shelf(Enum):\n    LATE = 'late'\n    FULL = 'full'", []),
    "a member that is named after nothing": ("class Shelf(Enum):\n    KEPT = 'late'\n    FULL = 'full'", []),
    "a member in small letters": ("class Shelf(Enum):\n    late = 'lost'\n    FULL = 'full'", []),
    "a member that is no code": ("class Shelf(Enum):\n    LATE = 'full'", []),
    "a constant that is named after another code": ("LATE = 'lost'", ["codes.py:4"]),
    "a constant that is more": ("LATE = ('lost', 1)", []),
    "a constant that is named after its code": ("LATE = 'late'", []),
    "a name in small letters": ("late = 'lost'", []),
}


@pytest.mark.parametrize(("code", "places"), REPEATED.values(), ids=REPEATED)
def test_a_code_of_the_vocabulary_stands_twice_or_by_the_name_of_another(code: str, places: list[str]) -> None:
    assert lines({"codes.py": f"{ENUM}{code}\n"}, VOCABULARY, rules=["ERR303"]) == places


def test_without_a_vocabulary_no_constant_has_the_name_of_another_code() -> None:
    text = f"{ENUM}LATE = 'lost'\n\n\nclass ErrorCode(Enum):\n    LATE = 'lost'\n    LOST = 'late'\n"
    assert lines({"codes.py": text}, "[codes]\nregistry = ['ErrorCode']\n", rules=["ERR303"]) == []
