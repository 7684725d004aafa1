"""What the errors of a project are given, and what a value may put into a field: the service by itself."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from errlint.collect import collect
from errlint.facts import Call, Mapping, Value
from errlint.index.expressions import convert
from errlint.project import Project
from errlint.project.asked_facts import vocabulary
from errlint.project.fields import Error, is_meant, is_no_record, is_own, is_text, parts, payload_of, supplies
from errlint.project.names import Layout
from errlint.rules import RULES
from errlint.settings import Policy, Settings, Style
from errlint.settings.policy import Exceptions, Payload, Requirement


def value_of(code: str) -> Value:
    return convert(ast.parse(code, mode="eval").body, {})


PARTS: dict[str, tuple[str, list[str]]] = {
    "a call": ("load()", ["load"]),
    "a dict": ("{'a': 1}", ["dict"]),
    "one of two": ("load() if key else {'a': 1}", ["load", "dict"]),
    "a list": ("[load(), find()]", ["load", "find"]),
    "what is dumped": ("json.dumps(load(), indent=2)", ["load", "Constant"]),
    "what is dumped in a content": ("TextContent(type='text', text=json.dumps({'a': 1}))", ["Text", "dict"]),
    "the text of an object": ("str(load())", ["load"]),
    "a dict of an object": ("load().model_dump()", ["load"]),
    "another method of an object": ("load().find()", [".find"]),
    "a dict of a name": ("key.model_dump()", ["key.model_dump"]),
    "nothing": ("None", ["Constant"]),
    "a list in so many lists": ("[[[[[[load()]]]]]]", ["load"]),
    "a list in too many": ("[[[[[[[load()]]]]]]]", []),
}


@pytest.mark.parametrize(("code", "names"), PARTS.values(), ids=PARTS)
def test_an_answer_may_be(code: str, names: list[str]) -> None:
    told = [
        part.name if type(part) is Call else "dict" if type(part) is Mapping else type(part).__name__
        for part, _ in parts(value_of(code))
    ]
    assert told == names


def test_an_answer_that_is_not_there_is_nothing() -> None:
    assert list(parts(None)) == []


LOGGED = Policy(style=Style.LOG, payload=Payload(key="error", fields=("kind", "text", "when")))
HALF = Policy(style=Style.LOG, payload=Payload(key="error", fields=("kind", "text")))
KEYED = Policy(style=Style.LOG, payload=Payload(key="error"))
PLAIN = Policy(style=Style.LOG, payload=Payload(fields=("kind", "text")))

PAYLOADS: dict[str, tuple[str, Policy, str | None]] = {
    "what stands under the key": ("{'error': {'kind': 1}, 'more': 2}", LOGGED, "{'kind': 1}"),
    "another key": ("{'fault': {'kind': 1}}", LOGGED, None),
    "a text under the key": ("{'error': 'lost'}", LOGGED, None),
    "a schema under the key": ("{'error': {'type': 'object'}}", LOGGED, None),
    "a schema of several types": ("{'error': {'type': ['string', 'null']}}", LOGGED, None),
    "a type that is none of a schema": ("{'error': {'type': 'lost'}}", LOGGED, "{'type': 'lost'}"),
    "types of which one is none of a schema": (
        "{'error': {'type': ['string', 'lost']}}",
        LOGGED,
        "{'type': ['string', 'lost']}",
    ),
    "no types": ("{'error': {'type': []}}", LOGGED, "{'type': []}"),
    "the whole, without a key": ("{'kind': 1}", PLAIN, "{'kind': 1}"),
    "no dict": ("[1]", PLAIN, None),
}


@pytest.mark.parametrize(("code", "policy", "inner"), PAYLOADS.values(), ids=PAYLOADS)
def test_the_fields_of_a_payload_stand_in(code: str, policy: Policy, inner: str | None) -> None:
    assert payload_of(value_of(code), policy) == (None if inner is None else value_of(inner))


SUPPLIED = {
    "nothing": ("None", False),
    "a text": ("'retry'", True),
    "an empty text": ("''", False),
    "a text of a part": ("f'{key}'", True),
    "a number": ("0", True),
    "a name": ("HINTS", True),
    "the argument": ("hints", False),
    "the argument, or an empty list": ("hints or []", False),
    "the argument, or a list": ("hints or ['retry']", True),
    "a list": ("['retry']", True),
    "an empty list": ("[]", False),
    "a dict": ("{'a': 1}", True),
    "a dict of another": ("{**more}", True),
    "an empty dict": ("{}", False),
    "a list of the argument": ("list(hints)", False),
    "a list of nothing": ("list()", False),
    "a list of a name": ("list(HINTS)", True),
    "a dict of the argument and more": ("dict(hints, b=None)", True),
    "a dict of two": ("dict(hints, b=2)", True),
    "another call": ("load(hints)", True),
    "a field without a default": ("field()", False),
    "a field with a default": ("field(default='retry')", True),
    "a field with an empty list": ("field(default_factory=list)", False),
    "a field that has to be given": ("Field(...)", False),
    "a field of nothing": ("Field(None)", False),
    "what is computed": ("3 - key", True),
}


@pytest.mark.parametrize(("code", "may"), SUPPLIED.values(), ids=SUPPLIED)
def test_a_default_may_put_something_into_a_field(code: str, may: bool) -> None:
    assert supplies(value_of(code), ("hints", "suggestions")) is may


def test_what_is_not_there_puts_nothing_into_a_field() -> None:
    assert not supplies(None, ())


TEXTS = {
    "a text": ("'lost'", True, True),
    "a text with a part": ("f'no {key}'", True, True),
    "what is joined": ("', '.join(key)", True, True),
    "what is formatted": ("traceback.format_exc()", True, True),
    "another call": ("load()", False, False),
    "that there is an error": ("True", False, True),
    "that there is none": ("False", False, False),
    "a number": ("1", False, False),
    "a name": ("key", False, False),
    "a dict": ("{'a': 1}", False, False),
}


@pytest.mark.parametrize(("code", "is_one", "is_none"), TEXTS.values(), ids=TEXTS)
def test_a_text_is_no_record(code: str, is_one: bool, is_none: bool) -> None:
    assert (is_text(value_of(code)), is_no_record(value_of(code))) == (is_one, is_none)


HEAD = """\
import json
import kit
from fastmcp import FastMCP

mcp = FastMCP("shop")


class ShopError(Exception):
    def __init__(self, text, hints=None):
        self.text = text


class Lost(ShopError):
    level = "high"


class Book:
    def __init__(self, title):
        self.title = title


def refused(text, code="gone"):
    return Lost(text)


def denied(text, *more, code="no"):
    return ValueError(text)


def lost(text, **more):
    return Lost(text, **more)


"""


def made(code: str, policy: Policy) -> tuple[Project, tuple[Error, ...]]:
    """Return the errors that a module makes under a policy."""
    settings = Settings(root=Path(), policy=policy, rules=frozenset(RULES))
    modules = {"shop.py": collect(f"{HEAD}{code}\n", vocabulary(settings))}
    project = Project(Layout(modules, [""]), modules, settings)
    return project, project.fields.of("shop.py")


def told(code: str, policy: Policy) -> list[str]:
    """Return the errors of a function, or of a tool: the name of each, and what it is given."""
    _, errors = made(code if "def " in code else f"def asked(key):\n    {code}", policy)
    inside = [error for error in errors if error.function.name in ("asked", "find", "built")]
    return [f"{error.name or 'payload'} {' '.join(sorted(error.passed))}{' ...' * error.is_open}" for error in inside]


ROOT = Policy(exceptions=Exceptions(root=("ShopError",)))
NAMED = Policy(
    exceptions=Exceptions(root=("ShopError",)),
    required=(Requirement(classes=("shop.refused", "kit.Refused", "*.fail"), fields=("code",)),),
)

BUILT = "def built(key):\n    if key:\n        return {'books': key}\n    return {'error': 'gone'}\n\n\n"

MADE: dict[str, tuple[str, Policy, list[str]]] = {
    "a raised error": ("raise Lost('gone')", ROOT, ["Lost text"]),
    "a raised error with a keyword": (
        "raise Lost('gone', hints=[key])",
        ROOT,
        ["Lost hints text"],
    ),
    "a raised error that is open": ("raise Lost('gone', **key)", ROOT, ["Lost text ..."]),
    "a raised error with too much": ("raise Lost('gone', 1, 2)", ROOT, ["Lost hints text ..."]),
    "a raised error of the language": ("raise ValueError('gone')", ROOT, ["ValueError message"]),
    "a raised class": ("raise Lost", ROOT, []),
    "a raised name": ("raise key", ROOT, []),
    "one of two": (
        "raise Lost('gone') if key else ShopError('bad')",
        ROOT,
        ["Lost text", "ShopError text"],
    ),
    "an error in a name": ("error = Lost('gone')\n    raise error", ROOT, ["Lost text"]),
    "what hands on what it is given": (
        "raise lost('gone', hints=[key])",
        ROOT,
        ["lost hints text"],
    ),
    "a factory": ("raise refused('gone')", ROOT, ["refused text"]),
    "an answered error": ("return Lost('gone')", ROOT, ["Lost text"]),
    "an answered object that is none": ("return Book('poems')", ROOT, []),
    "an answered factory": ("return refused('gone')", ROOT, []),
    "an answered factory that the policy names": (
        "return refused('gone')",
        NAMED,
        ["refused text"],
    ),
    "a factory that the policy names, in a name": (
        "answer = refused('gone')\n    key(answer)",
        NAMED,
        ["refused text"],
    ),
    "a factory that it does not name, in a name": (
        "answer = lost('gone')\n    key(answer)",
        NAMED,
        [],
    ),
    "a class of a library that the policy names": (
        "kit.Refused('gone')",
        NAMED,
        ["kit.Refused message"],
    ),
    "a method that the policy names": ("key.fail('gone')", NAMED, ["key.fail message"]),
    "another method": ("key.go('gone')", NAMED, []),
    "a method of what is answered": ("load().fail('gone')", NAMED, []),
    "a payload of a tool": (
        "@mcp.tool()\ndef find(key):\n    return {'error': 'gone', 'code': key}",
        ROOT,
        ["payload code error"],
    ),
    "a payload of what a tool answers": (
        BUILT + "@mcp.tool()\ndef find(key):\n    return built(key)",
        ROOT,
        ["payload error"],
    ),
    "a payload of what a tool does not answer": (
        BUILT + "@mcp.tool()\ndef find(key):\n    answer = built(key)\n    return {'books': len(answer)}",
        ROOT,
        [],
    ),
    "a payload of what a tool hands over": (
        BUILT + "@mcp.tool()\ndef find(key):\n    kit.run(built)",
        ROOT,
        ["payload error"],
    ),
    "a factory with more than it has names for": ("raise denied('gone', key)", ROOT, ["denied text ..."]),
    "a payload that is open": (
        "@mcp.tool()\ndef find(key):\n    return {'error': 'gone', **key}",
        ROOT,
        ["payload error ..."],
    ),
    "a success of a tool": ("@mcp.tool()\ndef find(key):\n    return {'books': key}", ROOT, []),
}


@pytest.mark.parametrize(("code", "policy", "expected"), MADE.values(), ids=MADE)
def test_an_error_is_made(code: str, policy: Policy, expected: list[str]) -> None:
    assert told(code, policy) == expected


RECORDS: dict[str, tuple[str, Policy, list[str]]] = {
    "a record that is answered": ("return {'error': {'kind': 1}}", LOGGED, ["payload error"]),
    "a record that is printed": ("print({'error': {'kind': 1}})", LOGGED, ["payload error"]),
    "a record that is dumped": (
        "print(json.dumps({'error': {'kind': 1}}))",
        LOGGED,
        ["payload error"],
    ),
    "a record that is dumped and answered": (
        "record = {'error': {'kind': 1}}\n    print(json.dumps(record))\n    return record",
        LOGGED,
        ["payload error"],
    ),
    "a record that is written": ("key.write({'error': {'kind': 1}})", LOGGED, ["payload error"]),
    "a record that is handed to another function": (
        "key.send({'error': {'kind': 1}})",
        LOGGED,
        [],
    ),
    "a record under another key": ("print({'fault': {'kind': 1}})", LOGGED, []),
    "fields of a record without its key": (
        "print({'kind': 1, 'text': 2})",
        LOGGED,
        ["payload kind text"],
    ),
    "a few fields of a record": ("print({'kind': 1, 'books': 2})", LOGGED, []),
    "half of the fields of a record": ("print({'kind': 1, 'books': 2})", HALF, []),
    "a text under a key for which there are no fields": ("print(json.dumps({'error': 'no such book'}))", KEYED, []),
    "fields of a record beside its key": (
        "print({'kind': 1, 'text': 2, 'error': None})",
        LOGGED,
        [],
    ),
    "a text in the place of a record": (
        "print(json.dumps({'error': 'no such book'}))",
        LOGGED,
        ["payload error"],
    ),
    "a number in the place of a record": ("print(json.dumps({'error': 3}))", LOGGED, []),
    "a record that is printed under another style": (
        "print({'error': {'kind': 1}})",
        Policy(payload=Payload(key="error", fields=("kind", "text"))),
        [],
    ),
    "an error that is printed without a key": (
        "print({'error': 'gone', 'kind': 1})",
        PLAIN,
        ["payload error kind"],
    ),
    "a dict that is printed without a key": ("print({'books': key})", PLAIN, []),
}


@pytest.mark.parametrize(("code", "policy", "expected"), RECORDS.values(), ids=RECORDS)
def test_an_error_is_reported(code: str, policy: Policy, expected: list[str]) -> None:
    assert told(code, policy) == expected


def test_errors_come_in_the_order_of_the_file_with_what_is_known_of_them() -> None:
    code = (
        "def asked(key):\n    try:\n        key()\n    except OSError as exc:\n        raise Lost('gone') from exc\n"
        "    error = ShopError('bad')\n    if key:\n        raise error\n    return Lost(*key)"
    )
    _, errors = made(code, ROOT)
    own = [each for each in errors if each.function.name == "asked"]
    assert [(each.name, each.is_handling, each.is_held, each.is_raised, each.is_spread) for each in own] == [
        ("Lost", True, False, True, False),
        ("ShopError", False, True, True, False),
        ("Lost", False, False, False, True),
    ]
    assert all(each.is_domain for each in own)
    assert [each.field("level") is not None for each in own] == [True, False, True]


def test_an_error_in_a_name_is_made_where_it_was_put_there() -> None:
    _, errors = made("def asked(key):\n    error = refused('gone')\n    key(error)\n    return error", NAMED)
    before = HEAD.count("\n")
    assert [each.span.line - before for each in errors if each.function.name == "asked" and each.is_held] == [2]


OWN = {
    "an error of the project": ("raise Lost('gone')", True),
    "one of the language": ("raise ValueError('gone')", False),
    "one that is answered": ("return Lost('gone')", False),
}


@pytest.mark.parametrize(("statement", "is_one"), OWN.values(), ids=OWN)
def test_an_error_is_of_the_project(statement: str, is_one: bool) -> None:
    _, errors = made(f"def asked(key):\n    {statement}", ROOT)
    assert [is_own(each, ROOT) for each in errors if each.function.name == "asked"] == [is_one]


MEANT = {
    "a class by its name": ("Lost('gone')", ("Lost",), True),
    "a class by its base": ("Lost('gone')", ("shop.ShopError",), True),
    "a class by a pattern": ("Lost('gone')", ("Shop*",), True),
    "another class": ("Lost('gone')", ("Found",), False),
    "a class by nothing": ("Lost('gone')", (), False),
    "a factory by its name": ("refused('gone')", ("shop.refused",), True),
    "a factory by a pattern": ("refused('gone')", ("ref*",), False),
    "one of the language by its name": ("ValueError('gone')", ("ValueError",), True),
    "one of the language by a pattern": ("ValueError('gone')", ("*Error",), False),
    "a method of any object": ("key.fail('gone')", ("*.fail",), True),
    "another method of it": ("key.fail('gone')", ("*.go",), False),
}


@pytest.mark.parametrize(("call", "classes", "is_one"), MEANT.values(), ids=MEANT)
def test_a_policy_means_an_error(call: str, classes: tuple[str, ...], is_one: bool) -> None:
    _, errors = made(f"def asked(key):\n    raise {call}", ROOT)
    assert [is_meant(each, classes) for each in errors if each.function.name == "asked"] == [is_one]
