"""Which fields an error has to have, and what it says of them: what a policy asks, and where it is silent."""

from __future__ import annotations

from pathlib import Path
from textwrap import indent

import msgspec
import pytest
from governed_texts import governed

from errlint.checks import err403_missing_required_field
from errlint.settings import Policy, Response, Style
from errlint.settings.policy import Hints, Payload, Requirement

HEAD = """\
from datetime import datetime, timezone
from enum import Enum

from fastmcp import FastMCP

mcp = FastMCP("shop")

LIMIT = "limit"


class Kind(Enum):
    LOST = "lost"
    LENT = "lent"


class ShopError(Exception):
    def __init__(self, message, *, books=None, kind="lost", row=None, context=None, **more):
        super().__init__(message)
        self.books = books
        self.kind = kind
        self.row = row
        self.context = context


class ClosedError(Exception):
    row = 3

    def __init__(self, message, books=None, kind="lost", place=None):
        super().__init__(message)
        self.books = books
        self.kind = kind
        self.place = place or "shelf"

    @property
    def shelf(self):
        return self.row


"""


def said(root: Path, text: str, policy: Policy) -> list[str]:
    """Return what is said of the fields of errors in a file, each with its line as it is written."""
    lines = text.splitlines()
    found = err403_missing_required_field.check(governed(root, {"shop.py": text}, policy), "shop.py")
    return [f"{lines[each.span.line - 1].strip()}: {each.message.partition('; the policy')[0]}" for each in found]


def tool(body: str, before: str = "") -> str:
    """Return a file with a tool."""
    return f"{HEAD}{before}@mcp.tool()\ndef find(name, count, books):\n{indent(body, '    ')}\n"


def lacks(root: Path, raised: str, *required: Requirement, before: str = "") -> str:
    """Return what is said of an error that a tool raises, without its name."""
    found = said(root, tool(f"raise {raised}", before), Policy(required=required))
    assert len(found) < 2
    return "".join(found).rpartition("Error` ")[2]


def asked(*fields: str, inside: str = "", lists: tuple[str, ...] = (), explicit: tuple[str, ...] = ()) -> Requirement:
    """Return what asks for fields of the exceptions of the shop."""
    classes = ("ShopError",) if inside else ("ShopError", "ClosedError")
    return Requirement(classes, fields, inside=inside, lists=lists, explicit=explicit)


DIRECT = {
    "a field that is left out": ('ShopError("no")', asked("books"), "lacks `books`"),
    "a field that is given": ('ShopError("no", books=books)', asked("books"), ""),
    "two of three": ('ShopError("no", books=["emma"])', asked("books", "row", "kind", "place"), "lacks `row`, `place`"),
    "a field that is nothing": ('ShopError("no", books=None)', asked("books"), "lacks `books`"),
    "a default that is something": ('ShopError("no")', asked("kind"), ""),
    "a default that does not count": ('ShopError("no")', asked("kind", explicit=("kind",)), "lacks `kind`"),
    "a field that is given where a default does not count": (
        'ShopError("no", kind="a")',
        asked("kind", explicit=("kind",)),
        "",
    ),
    "what a class has": ('ClosedError("no")', asked("row"), ""),
    "what a class works out": ('ClosedError("no")', asked("shelf"), ""),
    "what a constructor makes": ('ClosedError("no")', asked("place"), ""),
    "what a class does not have": ('ClosedError("no")', asked("aisle"), "lacks `aisle`"),
    "more than can be seen": ('ShopError("no", **name)', asked("books"), ""),
    "an empty list": ('ShopError("no", books=[])', asked("books", lists=("books",)), "lacks `books`"),
    "an empty list that may be one": ('ShopError("no", books=[])', asked("books"), ""),
    "a list of something": ('ShopError("no", books=[name])', asked("books", lists=("books",)), ""),
    "another class": ('KeyError("no")', asked("books"), ""),
}


@pytest.mark.parametrize(("raised", "required", "expected"), DIRECT.values(), ids=DIRECT)
def test_an_error_has_the_fields_that_are_required(
    raised: str, required: Requirement, expected: str, tmp_path: Path
) -> None:
    assert lacks(tmp_path, raised, required) == expected


def test_empty_hints_are_no_missing_field(tmp_path: Path) -> None:
    required = asked("hints", lists=("hints",))
    assert lacks(tmp_path, 'ShopError("no", hints=[])', required) == ""


def test_hints_that_are_asked_for_are_told_elsewhere(tmp_path: Path) -> None:
    policy = Policy(required=(asked("hints", "row"),), hints=Hints(classes=("ShopError",)))
    assert said(tmp_path, tool('raise ShopError("no")'), policy) == ['raise ShopError("no"): `ShopError` lacks `row`']


DECLARED = {
    "nothing where it must be given": ("Lost(book=None)", ""),
    "nothing where there is a default": ("Lost(book='emma', row=None)", "lacks `row`"),
    "a field that must be given and is not": ("Lost(row=3)", "lacks `book`"),
}


@pytest.mark.parametrize(("made", "expected"), DECLARED.values(), ids=DECLARED)
def test_nothing_is_something_where_a_field_has_to_be_given(made: str, expected: str, tmp_path: Path) -> None:
    model = (
        "from dataclasses import dataclass\n\n\n@dataclass\nclass Lost:\n    book: str | None\n"
        "    row: int | None = 1\n\n\n"
    )
    policy = Policy(required=(Requirement(("Lost",), ("book", "row")),))
    found = said(tmp_path, tool(f"return {made}", model), policy)
    assert "".join(found).rpartition("Lost` ")[2] == expected


WHEN = {
    "a text": ({"kind": ("lost",)}, 'kind="lost"', "where `kind` is lost"),
    "another text": ({"kind": ("lost",)}, 'kind="lent"', None),
    "a default": ({"kind": ("lost",)}, "row=1", "where `kind` is lost"),
    "one of two": ({"kind": ("lent", "lost")}, 'kind="lost"', "where `kind` is lost"),
    "a member": ({"kind": ("LOST",)}, "kind=Kind.LOST", "where `kind` is LOST"),
    "a member by its whole name": ({"kind": ("Kind.LOST",)}, "kind=Kind.LOST", "where `kind` is Kind.LOST"),
    "the value of a member": ({"kind": ("LOST",)}, "kind=Kind.LOST.value", "where `kind` is LOST"),
    "the text of a member": ({"kind": ("lost",)}, "kind=Kind.LOST", "where `kind` is lost"),
    "another member": ({"kind": ("LOST",)}, "kind=Kind.LENT", None),
    "a constant": ({"kind": ("limit",)}, "kind=LIMIT", "where `kind` is limit"),
    "a number": ({"row": ("3",)}, "row=3", "where `row` is 3"),
    "yes": ({"row": ("true",)}, "row=True", "where `row` is true"),
    "yes as Python has it": ({"row": ("True",)}, "row=True", "where `row` is True"),
    "nothing": ({"row": ("None",)}, "row=None", None),
    "what is not known": ({"kind": ("lost",)}, "kind=name", None),
    "two at once": ({"kind": ("lost",), "row": ("3",)}, "row=3", "where `kind` is lost and where `row` is 3"),
    "one of two at once": ({"kind": ("lost",), "row": ("3",)}, "row=4", None),
}


@pytest.mark.parametrize(("when", "given", "reason"), WHEN.values(), ids=WHEN)
def test_a_field_may_be_required_where_others_have_values(
    when: dict[str, tuple[str, ...]], given: str, reason: str | None, tmp_path: Path
) -> None:
    required = Requirement(("ShopError",), ("books",), when=when)
    expected = f"lacks `books` {reason}" if reason else ""
    assert lacks(tmp_path, f'ShopError("no", {given})', required) == expected


def test_a_field_may_be_required_in_some_functions_or_handlers(tmp_path: Path) -> None:
    body = "try:\n    count()\nexcept OSError as error:\n    raise ShopError('no') from error\nraise ShopError('late')"
    within = Requirement(("ShopError",), ("books",), functions=("find",))
    handled = Requirement(("ShopError",), ("row",), handled=True)
    both = Requirement(("ShopError",), ("place",), functions=("find",), handled=True)
    elsewhere = Requirement(("ShopError",), ("aisle",), functions=("look",))
    assert said(tmp_path, tool(body), Policy(required=(within, handled, both, elsewhere))) == [
        "raise ShopError('no') from error: `ShopError` lacks `books` in `find`, and `row` where it is raised in a"
        " handler, and `place` where it is raised in a handler and in `find`",
        "raise ShopError('late'): `ShopError` lacks `books` in `find`",
    ]


INSIDE = {
    "a dict without it": ('ShopError("no", context={"row": 1})', "lacks `context.shelf`"),
    "a dict with it": ('ShopError("no", context={"shelf": 1})', ""),
    "a dict with nothing for it": ('ShopError("no", context={"shelf": None})', "lacks `context.shelf`"),
    "no dict": ('ShopError("no")', "lacks `context.shelf`"),
    "nothing": ('ShopError("no", context=None)', "lacks `context.shelf`"),
    "an empty dict": ('ShopError("no", context={})', "lacks `context.shelf`"),
    "a dict that is not known": ('ShopError("no", context=books)', ""),
    "a dict with more": ('ShopError("no", context={"row": 1, **books})', ""),
    "more than can be seen": ('ShopError("no", **books)', ""),
    "what a call gives": ('ShopError("no", context=dict(shelf=1))', ""),
    "what a call gives without it": ('ShopError("no", context=dict(row=1))', "lacks `context.shelf`"),
}


@pytest.mark.parametrize(("raised", "expected"), INSIDE.values(), ids=INSIDE)
def test_a_dict_has_the_keys_that_are_required_inside_of_it(raised: str, expected: str, tmp_path: Path) -> None:
    assert lacks(tmp_path, raised, asked("shelf", inside="context")) == expected


BRANCHES = {
    "both": ('{"row": 1}', '{"row": 2}', "lacks `context.shelf`"),
    "one": ('{"shelf": 1}', '{"row": 2}', ""),
    "one that is not known": ('{"row": 1}', "books", ""),
}


@pytest.mark.parametrize(("first", "other", "expected"), BRANCHES.values(), ids=BRANCHES)
def test_a_key_is_missing_where_no_branch_gives_it(first: str, other: str, expected: str, tmp_path: Path) -> None:
    body = f"if count:\n    held = {first}\nelse:\n    held = {other}\nraise ShopError('no', context=held)"
    found = said(tmp_path, tool(body), Policy(required=(asked("shelf", inside="context"),)))
    assert "".join(found).rpartition("Error` ")[2] == expected


OWN = {
    "a dict that lacks a key": (
        "{'row': 1}",
        "the constructor of `AwayError` fills in no `context.shelf`, and nobody else can",
    ),
    "a dict that has it": ("{'shelf': 1}", ""),
    "no dict": ("None", "the constructor of `AwayError` fills in no `context.shelf`, and nobody else can"),
    "a dict that is not known": ("made()", ""),
    "a dict with more": ("{'row': 1, **rows}", ""),
}


@pytest.mark.parametrize(("held", "expected"), OWN.values(), ids=OWN)
def test_a_constructor_that_alone_makes_a_dict_gives_its_keys(held: str, expected: str, tmp_path: Path) -> None:
    away = (
        "class AwayError(ShopError):\n    def __init__(self, message, rows=()):\n"
        f"        super().__init__(message, context={held})\n\n\n"
    )
    policy = Policy(required=(asked("shelf", inside="context"),))
    found = said(tmp_path, tool("raise AwayError('no')", away), policy)
    assert [each.partition("): ")[2] for each in found] == ([expected] if expected else [])


@pytest.mark.parametrize("more", ["context=None", "**more"], ids=["the dict", "anything"])
def test_a_constructor_that_can_be_handed_the_dict_need_not(more: str, tmp_path: Path) -> None:
    handed = "context=context" if "context" in more else "**more"
    away = (
        f"class AwayError(ShopError):\n    def __init__(self, message, {more}):\n"
        f"        super().__init__(message, {handed})\n"
    )
    policy = Policy(required=(asked("shelf", inside="context"),))
    assert said(tmp_path, f"{HEAD}{away}", policy) == []


def test_a_constructor_of_another_class_makes_what_it_likes(tmp_path: Path) -> None:
    away = "class AwayError(Exception):\n    def __init__(self, message):\n        super().__init__(message)\n"
    policy = Policy(required=(asked("shelf", inside="context"),))
    assert said(tmp_path, f"{HEAD}{away}", policy) == []


def test_a_constructor_is_told_of_where_it_calls_the_one_above(tmp_path: Path) -> None:
    away = (
        "class AwayError(ShopError):\n    def __init__(self, message):\n        log.info(message)\n"
        "        super().__init__(message, context={})\n"
    )
    (found,) = said(tmp_path, f"{HEAD}{away}", Policy(required=(asked("shelf", inside="context"),)))
    assert found.startswith("super().__init__(message, context={}): ")


KINDS = {
    "a text": ('books="emma"', "`books` has to be a list, and is a text"),
    "a text with a hole": ('books=f"no {name}"', "`books` has to be a list, and is a text"),
    "a joined text": ('books=", ".join(books)', "`books` has to be a list, and is a text"),
    "a dict": ('books={"a": 1}', "`books` has to be a list, and is a dict"),
    "a number": ("books=3", "`books` has to be a list, and is a number"),
    "a list": ('books=["emma"]', None),
    "a value": ("books=books", None),
    "a text either way": ('books="a" if name else "b"', "`books` has to be a list, and is a text"),
    "a text or a list": ('books="a" if name else ["b"]', None),
    "a text or a number": ('books="a" if name else 3', None),
    "nothing": ("row=1", None),
    "None": ("books=None", None),
    "a known kind": ('kind="lent"', None),
    "another kind": ('kind="torn"', "`kind` is 'torn', and has to be one of `lost`, `lent`"),
    "one of two kinds": ('kind="lost" if name else "torn"', "`kind` is 'torn', and has to be one of `lost`, `lent`"),
    "a kind that is not known": ("kind=name", None),
    "a member": ("kind=Kind.LENT", None),
    "a constant": ("kind=LIMIT", "`kind` is 'limit', and has to be one of `lost`, `lent`"),
}


@pytest.mark.parametrize(("given", "expected"), KINDS.values(), ids=KINDS)
def test_a_field_is_a_list_or_one_of_some_texts_where_that_is_asked(
    given: str, expected: str | None, tmp_path: Path
) -> None:
    required = Requirement(("ShopError",), (), lists=("books",), values={"kind": ("lost", "lent")})
    found = said(tmp_path, tool(f'raise ShopError("no", {given})'), Policy(required=(required,)))
    assert [each.rpartition("of `ShopError` ")[2] for each in found] == ([expected] if expected else [])


def test_a_field_may_be_anything_where_the_condition_does_not_hold(tmp_path: Path) -> None:
    required = Requirement(("ShopError",), (), lists=("books",), when={"kind": ("lent",)})
    assert lacks(tmp_path, 'ShopError("no", books="emma")', required) == ""
    assert (
        "has to be a list"
        in said(tmp_path, tool('raise ShopError("no", books="emma", kind="lent")'), Policy(required=(required,))).pop()
    )


BLANK = {
    "an empty text": ('ShopError("")', "lacks `message`"),
    "a blank": ('ShopError(" ")', "lacks `message`"),
    "a text": ('ShopError("no")', ""),
    "a value": ("ShopError(name)", ""),
    "a text of a value": ('ShopError(f"{name}")', ""),
    "another class": ('KeyError("")', ""),
}


@pytest.mark.parametrize(("raised", "expected"), BLANK.values(), ids=BLANK)
def test_a_message_says_something(raised: str, expected: str, tmp_path: Path) -> None:
    assert lacks(tmp_path, raised, Requirement(("ShopError",), ("kind",))) == expected


MODELS = {
    "some of the fields": ("@dataclass\nclass Lost:\n    book: str\n", "book, row", True),
    "all of them": ("@dataclass\nclass Lost:\n    book: str\n    row: int\n", "book, row", False),
    "none of them": ("@dataclass\nclass Lost:\n    shelf: str\n", "book, row", False),
    "a model": ("class Lost(BaseModel):\n    book: str\n", "book, row", True),
    "a tuple": ("class Lost(NamedTuple):\n    book: str\n", "book, row", True),
    "a model that takes more": (
        "class Lost(BaseModel):\n    book: str\n    model_config = {'extra': 'allow'}\n",
        "book, row",
        False,
    ),
    "a class with a constructor": (
        "@dataclass\nclass Lost:\n    book: str\n\n    def __init__(self):\n        self.row = 1\n",
        "book, row",
        False,
    ),
    "no model": ("class Lost:\n    book: str\n", "book, row", False),
    "a class above that is not known": ("@dataclass\nclass Lost(Gone):\n    book: str\n", "book, row", False),
    "a class above that is plain": ("@dataclass\nclass Lost(ABC):\n    book: str\n", "book, row", True),
    "a class above with the other": (
        "@dataclass\nclass Base:\n    row: int\n\n\n@dataclass\nclass Lost(Base):\n    book: str\n",
        "book, row",
        False,
    ),
    "a class above with another": (
        "@dataclass\nclass Base:\n    shelf: int\n\n\n@dataclass\nclass Lost(Base):\n    book: str\n",
        "book, row",
        True,
    ),
    "another decorator": ("@frozen\n@dataclass\nclass Lost:\n    book: str\n", "book, row", False),
}

IMPORTS = (
    "from abc import ABC\nfrom dataclasses import dataclass\nfrom typing import NamedTuple\n\n"
    "from pydantic import BaseModel\n\n\n"
)


@pytest.mark.parametrize(("model", "fields", "is_told"), MODELS.values(), ids=MODELS)
def test_a_model_that_has_some_of_the_fields_has_them_all(
    model: str, fields: str, is_told: bool, tmp_path: Path
) -> None:
    policy = Policy(required=(Requirement(("Lost",), tuple(fields.split(", "))),))
    found = said(tmp_path, f"{IMPORTS}{model}", policy)
    assert [each.partition(": ")[2].partition(",")[0] for each in found] == ["`Lost` declares no `row`"] * is_told


CONDITIONS = {
    "nothing": (Requirement(("Lost",), ("book", "row")), True),
    "a part of it": (Requirement(("Lost",), ("book", "row"), inside="book"), False),
    "a value": (Requirement(("Lost",), ("book", "row"), when={"book": ("emma",)}), False),
    "a handler": (Requirement(("Lost",), ("book", "row"), handled=True), False),
    "a function": (Requirement(("Lost",), ("book", "row"), functions=("find",)), False),
    "another class": (Requirement(("Lent",), ("book", "row")), False),
}


@pytest.mark.parametrize(("required", "is_told"), CONDITIONS.values(), ids=CONDITIONS)
def test_a_model_need_not_have_what_is_required_on_a_condition(
    required: Requirement, is_told: bool, tmp_path: Path
) -> None:
    found = said(tmp_path, f"{IMPORTS}@dataclass\nclass Lost:\n    book: str\n", Policy(required=(required,)))
    assert len(found) == is_told


SUCCESSES = {
    "a success without it": ('return {"success": True, "books": []}', True),
    "a success with it": ('return {"success": True, "id": 1}', False),
    "a success by its status": ('return {"status": "success"}', True),
    "a success by its status with it": ('return {"status": "success", "id": 1}', False),
    "another status": ('return {"status": "pending"}', False),
    "no success": ('return {"success": False, "error": "no"}', False),
    "a success that only the run knows": ('return {"success": count}', False),
    "a status that only the run knows": ('return {"status": name, "success": True}', True),
    "a dict with more": ('return {"success": True, **name}', False),
    "another dict": ('return {"books": []}', False),
    "a text": ('return "success"', False),
}


@pytest.mark.parametrize(("body", "is_told"), SUCCESSES.values(), ids=SUCCESSES)
def test_a_success_has_the_keys_of_each_success(body: str, is_told: bool, tmp_path: Path) -> None:
    policy = Policy(response=Response(success=("id",)))
    expected = [f"{body}: the success that `find` answers lacks `id`"] if is_told else []
    assert said(tmp_path, tool(body), policy) == expected
    helper = tool(body).replace("@mcp.tool()\n", "")
    assert said(tmp_path, helper, policy) == []


RECORD = Payload(
    key="problem",
    fields=("type", "message", "at"),
    type_field="type",
    context_field="context",
    context={"gone": ("shelf",)},
    kinds={"row": "number", "message": "text", "context": "object", "at": "time"},
)
FULL = {"type": '"lost"', "message": '"no"', "at": "now"}

RECORDS = {
    "all of it": ({}, ""),
    "a field that is left out": ({"message": None}, "`problem.message`"),
    "a field that is nothing": ({"message": "None"}, "`problem.message`"),
    "a blank": ({"message": '" "'}, "`problem.message`"),
    "a value": ({"message": "name"}, ""),
    "a text with a hole": ({"message": 'f"{name}"'}, ""),
    "a dict for a text": ({"message": '{"a": 1}'}, "`problem.message` as a text"),
    "a list for a text": ({"message": '["a"]'}, "`problem.message` as a text"),
    "a number for a text": ({"message": "3"}, "`problem.message` as a text"),
    "a number": ({"row": "3"}, ""),
    "a text for a number": ({"row": '"3"'}, "`problem.row` as a number"),
    "a value for a number": ({"row": "count"}, ""),
    "a list for a number": ({"row": "[3]"}, "`problem.row` as a number"),
    "an object": ({"context": '{"shelf": 1}'}, ""),
    "a text for an object": ({"context": '"shelf"'}, "`problem.context` as an object"),
    "a number for an object": ({"context": "3"}, "`problem.context` as an object"),
    "a value for an object": ({"context": "books"}, ""),
    "an object without anything": ({"context": "{}"}, "`problem.context` with fields"),
    "an object with something that is not known": ({"context": "{**books}"}, ""),
    "what its type asks for": ({"type": '"gone"', "context": '{"shelf": 1}'}, ""),
    "what its type asks for and is not there": (
        {"type": '"gone"', "context": '{"row": 1}'},
        "`problem.context.shelf` where `type` is gone",
    ),
    "what its type asks for and is nothing": (
        {"type": '"gone"', "context": '{"shelf": ""}'},
        "`problem.context.shelf` where `type` is gone",
    ),
    "what another type does not ask for": ({"type": '"lost"', "context": '{"row": 1}'}, ""),
    "what a type that is not known may ask for": ({"type": "name", "context": '{"row": 1}'}, ""),
    "what its type asks for beside what is not known": ({"type": '"gone"', "context": '{"row": 1, **books}'}, ""),
    "a time": ({"at": "datetime.now(timezone.utc).isoformat()"}, ""),
    "a local time": ({"at": "datetime.now().isoformat()"}, "`problem.at` as a time in UTC"),
    "a local time that is not written": ({"at": "datetime.now()"}, "`problem.at` as a time in UTC"),
    "a time with a zone": ({"at": "datetime.now(timezone.utc)"}, ""),
    "a local day": ({"at": "date.today().strftime('%Y')"}, "`problem.at` as a time in UTC"),
    "a local time of a number": ({"at": "datetime.fromtimestamp(count).isoformat()"}, "`problem.at` as a time in UTC"),
    "a time of a number with a zone": ({"at": "datetime.fromtimestamp(count, timezone.utc).isoformat()"}, ""),
    "a time in UTC": ({"at": "datetime.utcnow().isoformat()"}, ""),
    "a clock": ({"at": "time.time()"}, "`problem.at` as a time in UTC"),
    "a number of a time": ({"at": "datetime.now(timezone.utc).timestamp()"}, "`problem.at` as a time in UTC"),
    "a number for a time": ({"at": "3"}, "`problem.at` as a time in UTC"),
    "a dict for a time": ({"at": '{"hour": 3}'}, "`problem.at` as a time in UTC"),
    "a list for a time": ({"at": "[3]"}, "`problem.at` as a time in UTC"),
    "a text for a time": ({"at": '"2026-01-01"'}, ""),
    "a time of something else": ({"at": "clock.read().isoformat()"}, ""),
}


@pytest.mark.parametrize(("changes", "expected"), RECORDS.values(), ids=RECORDS)
def test_a_record_has_its_fields_each_of_its_kind(
    changes: dict[str, str | None], expected: str, tmp_path: Path
) -> None:
    fields = ", ".join(f'"{name}": {value}' for name, value in {**FULL, **changes}.items() if value is not None)
    text = tool(f'return {{"problem": {{{fields}}}}}')
    found = said(tmp_path, text, Policy(payload=RECORD))
    assert [each.rpartition("payload lacks ")[2] for each in found] == ([expected] if expected else [])


def test_a_record_with_more_than_can_be_seen_may_have_all(tmp_path: Path) -> None:
    text = tool('return {"problem": {"type": "lost", **name}}')
    assert said(tmp_path, text, Policy(payload=RECORD)) == []


CAUGHT = {
    "as it is": ("error", "`problem.cause` as JSON"),
    "below a field": ('{"of": error}', "`problem.cause.of` as JSON"),
    "as a text": ("str(error)", None),
    "something else": ("name", None),
}


@pytest.mark.parametrize(("cause", "expected"), CAUGHT.values(), ids=CAUGHT)
def test_a_record_has_no_exception_as_a_value(cause: str, expected: str | None, tmp_path: Path) -> None:
    body = (
        "try:\n    count()\nexcept OSError as error:\n"
        f'    record = {{"problem": {{"type": "lost", "message": "no", "at": "now", "cause": {cause}}}}}\n'
        "    print(json.dumps(record))"
    )
    found = said(tmp_path, tool(body, "import json\n\n\n"), Policy(style=Style.LOG, payload=RECORD))
    assert [each.rpartition("payload lacks ")[2] for each in found] == ([expected] if expected else [])


RECORDED = 'record = {{"problem": {{"type": "lost", "message": "no", {}}}}}\n'


def test_a_name_is_an_exception_only_where_it_is_caught(tmp_path: Path) -> None:
    printed = f"{RECORDED}print(json.dumps(record))\n"
    first = printed.format('"at": "now", "cause": str(error)')
    body = f"try:\n    count()\nexcept OSError as error:\n{indent(first, '    ')}error = name\n"
    text = tool(body + printed.format('"at": "now", "cause": error'), "import json\n\n\n")
    assert said(tmp_path, text, Policy(style=Style.LOG, payload=RECORD)) == []


OUTSIDE = {
    "a text in the place of a record": ('{"error": "no book"}', True),
    "the fields without the key": ('{"type": "lost", "message": "no", "row": 1}', True),
    "something else": ('{"row": 1}', False),
    "what is not known": ('{"error": name}', False),
}


@pytest.mark.parametrize(("record", "is_told"), OUTSIDE.values(), ids=OUTSIDE)
def test_what_stands_in_the_place_of_a_record_lacks_all_of_it(record: str, is_told: bool, tmp_path: Path) -> None:
    text = tool(f"print(json.dumps({record}))", "import json\n\n\n")
    found = said(tmp_path, text, Policy(style=Style.LOG, payload=msgspec.structs.replace(RECORD, key="error")))
    expected = ["`error.type`, `error.message`, `error.at`"] if is_told else []
    assert [each.rpartition("payload lacks ")[2] for each in found] == expected
