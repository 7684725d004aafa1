"""Domain exceptions: which classes are some, by which names the policy means them, and what their objects are given."""

from __future__ import annotations

import pytest
from judged_texts import project_of
from linked_texts import shown

from errlint.facts import Call, Constant, Ref, Text, Value, Variable
from errlint.project import Project
from errlint.project.domain import matches
from errlint.project.names import ClassSymbol

NAMES = {
    "in full": ("shop.errors.LostError", True),
    "in full, with a colon": ("shop.errors:LostError", True),
    "its last part": ("LostError", True),
    "its last parts": ("errors.LostError", True),
    "a pattern of its last part": ("*Error", True),
    "a pattern of all of it": ("shop.*.Lost*", True),
    "a pattern of its beginning": ("shop.*", True),
    "a part of its last part": ("Error", False),
    "its first parts": ("shop.errors", False),
    "another name": ("shop.errors.LateError", False),
    "a pattern of another name": ("*Late*", False),
    "a pattern without a star": ("Lost?rror", False),
}


@pytest.mark.parametrize(("pattern", "is_meant"), NAMES.values(), ids=NAMES)
def test_a_class_is_meant_by(pattern: str, is_meant: bool) -> None:
    assert matches("shop.errors.LostError", (pattern,)) is is_meant
    assert matches("shop.errors.LostError", ("Other", pattern)) is is_meant


TEXT = """\
import enum
from dataclasses import dataclass

from library import ForeignError


class BookError(Exception):
    kind = "book"
    title: str

    def shown(self):
        return self.kind


class LostError(BookError):
    kind = "lost"
    note = None


class LateError(BookError):
    def __init__(self, text, days=3, *rest, hint="Use list_books", **more):
        super().__init__(text, code="late", days=days)
        self.fine = 7
        self.text = text


class EarlyError(LateError):
    days = 4


class PlainError(Exception):
    pass


class OldWarning(UserWarning):
    pass


class Shelf:
    pass


class FarError(ForeignError):
    pass


class FixedError(Exception):
    def __init__(self, place):
        super().__init__("no book")
        self.place = PLACE


@dataclass
class Placed(Exception):
    row: int
    place: str = "left"


@dataclass
class Moved(Placed):
    there: str = "right"

    def shown(self):
        return self.there


class Answer:
    code: int
    text: str = ""


def made():
    return LostError("no")
"""


def project(config: str = "") -> Project:
    return project_of({"shop.py": TEXT}, config, rules=["ALL"])


def symbol(linked: Project, name: str) -> ClassSymbol:
    found = linked.names.resolve("shop.py", name)
    assert isinstance(found, ClassSymbol)
    return found


EVERY = {"BookError", "LostError", "LateError", "EarlyError", "PlainError", "FixedError", "Placed", "Moved"}

ROOTS = {
    "no root": ("", EVERY),
    "a root": ('["BookError"]', {"BookError", "LostError", "LateError", "EarlyError"}),
    "two roots": ('["LateError", "PlainError"]', {"LateError", "EarlyError", "PlainError"}),
    "the root of all": ('["Exception"]', EVERY | {"OldWarning"}),
}


@pytest.mark.parametrize(("roots", "names"), ROOTS.values(), ids=ROOTS)
def test_domain_exceptions_are_those_with(roots: str, names: set[str]) -> None:
    linked = project(f"[exceptions]\nroot = {roots}\n" if roots else "")
    policy = linked.policy("shop.py")
    every = (each.name for each in linked.modules["shop.py"].classes)
    found = {name for name in every if linked.domain.is_domain(symbol(linked, name), policy)}
    assert found - {"FarError"} == names
    assert not linked.domain.is_domain(linked.names.resolve("shop.py", "made"), policy)
    assert not linked.domain.is_domain(None, policy)


RAISED: dict[str, tuple[Value, str, str]] = {
    "an object": (Call("LostError", ()), "shop.py LostError", "shop.py LostError"),
    "the class": (Ref("LostError"), "shop.py LostError", "shop.py LostError"),
    "an object in a variable": (
        Variable("error", (Call("LostError", ()),)),
        "shop.py LostError",
        "shop.py LostError",
    ),
    "an object of a library": (Call("ForeignError", ()), "library.ForeignError", ""),
    "an object of Python": (Call("ValueError", ()), "builtins.ValueError", ""),
    "what a function makes": (Call("made", ()), "", ""),
    "a text": (Text(("no",)), "", ""),
    "nothing that is known": (Ref("other"), "", ""),
}


@pytest.mark.parametrize(("value", "raised", "own"), RAISED.values(), ids=RAISED)
def test_a_raise_is_of_the_class(value: Value, raised: str, own: str) -> None:
    domain = project().domain
    assert shown(domain.raised("shop.py", "", value)) == raised
    assert shown(domain.class_of("shop.py", "", value)) == own


POSITIONAL = {
    "a constructor": ("LateError", ["text", "days"]),
    "the constructor of a base": ("EarlyError", ["text", "days"]),
    "no constructor": ("PlainError", ["message"]),
    "fields, but no constructor": ("BookError", ["message"]),
    "the fields of a dataclass": ("Placed", ["row", "place"]),
    "the fields of a base, first": ("Moved", ["row", "place", "there"]),
    "the fields of a model": ("Answer", ["code", "text"]),
    "nothing": ("Shelf", ["message"]),
}


@pytest.mark.parametrize(("name", "names"), POSITIONAL.values(), ids=POSITIONAL)
def test_an_object_takes_by_position_what_has(name: str, names: list[str]) -> None:
    linked = project()
    assert linked.domain.positional(symbol(linked, name)) == names


CONSTRUCTORS = {"LateError": "LateError.__init__", "EarlyError": "LateError.__init__", "PlainError": None}


@pytest.mark.parametrize(("name", "constructor"), CONSTRUCTORS.items(), ids=CONSTRUCTORS)
def test_a_class_has_the_constructor_of(name: str, constructor: str | None) -> None:
    linked = project()
    found = linked.domain.constructor(symbol(linked, name))
    assert (found.function.name if found is not None else None) == constructor


def texts(fields: dict[str, Value]) -> dict[str, object]:
    """Return fields with the constants that they are."""
    plain: dict[str, object] = {}
    for name, value in fields.items():
        if type(value) is Text:
            plain[name] = "".join(map(str, value.parts))
        elif type(value) is Constant:
            plain[name] = value.value
        else:
            plain[name] = type(value).__name__
    return plain


DEFAULTS: dict[str, tuple[str, dict[str, object]]] = {
    "a class": ("BookError", {"kind": "book"}),
    "a class that has another one than its base": ("LostError", {"kind": "lost", "note": None}),
    "a constructor": (
        "LateError",
        {"kind": "book", "days": 3, "hint": "Use list_books", "code": "late", "fine": 7},
    ),
    "a class below one with a constructor": (
        "EarlyError",
        {"kind": "book", "days": 4, "hint": "Use list_books", "code": "late", "fine": 7},
    ),
    "a constructor that hands a text on and stores a constant": ("FixedError", {"place": "Ref"}),
    "a dataclass": ("Placed", {"place": "left"}),
    "a class without anything": ("PlainError", {}),
}


@pytest.mark.parametrize(("name", "fields"), DEFAULTS.values(), ids=DEFAULTS)
def test_without_arguments_an_object_has_what_is_said_by(name: str, fields: dict[str, object]) -> None:
    found = project().domain.construction("shop.py", "", Call(name, ()))
    assert found is not None
    assert texts(dict(found.defaults)) == fields


def test_what_is_passed_goes_before_what_holds_without() -> None:
    linked = project()
    found = linked.domain.construction_of(symbol(linked, "EarlyError"), Call("Other", ()))
    assert found.field("days") == Constant(4)
    assert found.field("nothing") is None
    text = TEXT + "\n\ndef find(title):\n    raise EarlyError(title, 9)\n"
    *_, error = project_of({"shop.py": text}).fields.of("shop.py")
    assert (error.field("days"), error.field("fine")) == (Constant(9), Constant(7))


@pytest.mark.parametrize(
    "value",
    [
        pytest.param(Ref("LostError"), id="a class"),
        pytest.param(Call("made", ()), id="what a function makes"),
        pytest.param(Call("ForeignError", ()), id="an object of a library"),
        pytest.param(Text(("no",)), id="a text"),
    ],
)
def test_no_object_of_the_project_is_made_by(value: Value) -> None:
    assert project().domain.construction("shop.py", "", value) is None


def test_classes_and_functions_are_found_by_names_of_the_policy() -> None:
    domain = project().domain
    assert [each.definition.name for each in domain.classes("shop:LostError")] == ["LostError"]
    assert [each.definition.name for each in domain.classes("L*Error")] == ["LostError", "LateError"]
    assert [each.function.name for each in domain.functions("made")] == ["made"]
    assert [each.function.name for each in domain.functions("LateError.__init__")] == ["LateError.__init__"]
    assert [*domain.classes("made"), *domain.functions("LostError")] == []
