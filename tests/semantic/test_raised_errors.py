"""The catalog of the code: what is known of an error from the statement that makes it, and who gets it."""

from __future__ import annotations

from pathlib import Path
from textwrap import indent

import pytest
from governed_texts import governed

from errlint.project.raised_errors import RaisedError
from errlint.settings import Policy, Style
from errlint.settings.policy import Codes, Exceptions, Logs, Payload

HEAD = """\
from fastapi import HTTPException
from fastmcp import FastMCP
from mcp import McpError
from mcp.types import ErrorData

mcp = FastMCP("shop")


class ShopError(Exception):
    code = "shop"
    hints = ["ask"]
    status = 500

    @property
    def detail(self):
        return 1

    def __init__(self, message, code="none", *, hint=None, **fields):
        super().__init__(message)
        self.code = code
        self.fields = fields


"""
TOOL = "@mcp.tool()\ndef find(name, count):\n"

Known = dict[str, object]


def shown(error: RaisedError) -> Known:
    """Return what is known of an error, its texts as they are read."""
    return {
        "name": error.name,
        "kind": error.kind.value,
        "codes": list(error.codes),
        "messages": [str(each) for each in error.messages],
        "hints": [str(each) for each in error.hints],
        "fields": list(error.fields),
        "status": error.status,
        "values": dict(error.values),
        "open": error.is_open,
        "made": error.made[1].line if error.made else None,
        "escapes": error.escapes,
        "reached": error.is_reachable,
    }


def known(root: Path, text: str, policy: Policy | None = None, function: str = "find") -> list[Known]:
    """Return what is known of the errors of a function."""
    project = governed(root, {"shop.py": text}, policy or Policy())
    return [shown(each) for each in project.raised_errors.of("shop.py") if each.function == function]


def tool(body: str, before: str = "") -> str:
    """Return a file with a tool."""
    return f"{HEAD}{before}{TOOL}{indent(body, '    ')}\n"


RAISED: dict[str, tuple[str, Known]] = {
    "a message": (
        'ShopError("no book")',
        {"codes": ["none"], "messages": ["no book"], "fields": ["message"], "open": False},
    ),
    "a code": ('ShopError("no book", "gone")', {"codes": ["gone"], "values": {"message": "no book", "code": "gone"}}),
    "what the class has": ('ShopError("no")', {"hints": ["ask"], "status": 500}),
    "a field": (
        'ShopError("no", hint="look", shelf=1)',
        {"hints": ["ask", "look"], "fields": ["message", "hint", "shelf"]},
    ),
    "a dict of fields": (
        'ShopError("no", **{"shelf": 2, "row": "a"})',
        {"fields": ["message", "shelf", "row"], "open": False},
    ),
    "a field that is a dict": ('ShopError("no", at={"row": 1})', {"fields": ["message", "at", "at.row"]}),
    "a dict with an unknown part": ('ShopError("no", at={"row": 1, **name})', {"fields": ["message", "at", "at.row"]}),
    "a dict with a key that is not known": (
        'ShopError("no", at={name: 1, "row": 2})',
        {"fields": ["message", "at", "at.row"]},
    ),
    "fields that are not known": ('ShopError("no", **name)', {"fields": ["message"], "open": True}),
    "a dict of which a part is not known": (
        'ShopError("no", **{"row": 1, **name})',
        {"fields": ["message", "row"], "open": True},
    ),
    "arguments that are not known": ("ShopError(*name)", {"fields": [], "open": True}),
    "no argument": ("ShopError", {"fields": [], "codes": ["none"], "open": False}),
    "a method that answers it": ('ShopError("no").with_traceback(None)', {"name": "ShopError", "messages": ["no"]}),
    "a foreign class": ("KeyError(name)", {"name": "KeyError", "messages": ["{name}"], "codes": [], "status": None}),
    "a foreign class without arguments": ("KeyError", {"name": "KeyError", "messages": [], "fields": []}),
    "a foreign class with two texts": (
        'KeyError("no", "b")',
        {"messages": ["no"], "fields": ["message"], "status": None},
    ),
    "a foreign class with a number": ("KeyError(name, 3)", {"messages": ["{name}"], "fields": ["message"]}),
    "a status before the message": (
        'HTTPException(404, "no book")',
        {"status": 404, "messages": ["no book"], "fields": ["status_code", "message"]},
    ),
    "a status alone": ("HTTPException(404)", {"status": 404, "messages": [], "fields": ["status_code"]}),
    "a status before an unknown message": ("HTTPException(404, name)", {"status": 404, "messages": ["{name}"]}),
    "a status by its name": (
        'HTTPException(status_code=404, detail="no book")',
        {"status": 404, "messages": ["no book"], "fields": ["status_code", "detail"]},
    ),
    "a status that is not known": (
        'HTTPException(STATUS, "no book")',
        {"status": None, "messages": ["no book"], "fields": ["status_code", "message"]},
    ),
    "a status with headers": (
        'HTTPException(404, headers={"a": "b"})',
        {"status": 404, "messages": [], "fields": ["status_code", "headers", "headers.a"]},
    ),
    "a model of the error": (
        'McpError(ErrorData(code=-32602, message="no book"))',
        {"codes": [-32602], "messages": ["no book"], "fields": ["code", "message"]},
    ),
    "a model with a code in its place": (
        'McpError(ErrorData(-32602, message="no book"))',
        {"codes": [], "messages": ["no book"], "fields": ["message"]},
    ),
    "a model of something else": ("McpError(Shelf(row=1))", {"codes": [], "fields": ["message"]}),
    "a model with a code alone": ("McpError(Shelf(1, code=2))", {"codes": [], "fields": ["message"]}),
}


@pytest.mark.parametrize(("raised", "expected"), RAISED.values(), ids=RAISED)
def test_a_raise_tells_what_its_exception_is_given(raised: str, expected: Known, tmp_path: Path) -> None:
    (found,) = known(tmp_path, tool(f"raise {raised}"))
    assert {name: found[name] for name in expected} == expected


NOTHING = {
    "a text": '"no book"',
    "a function that is not known": 'lower("no book")',
    "another method": 'ShopError("no").other()',
    "an exit": "SystemExit(3)",
    "an exit without a status": "SystemExit",
    "the end of an iteration": "StopIteration",
    "what is passed": "name",
    "a function of a module": 'made.shop("no")',
    "an attribute": "made.shop",
}


@pytest.mark.parametrize("raised", NOTHING.values(), ids=NOTHING)
def test_what_is_raised_but_no_error_that_is_known_is_not_listed(raised: str, tmp_path: Path) -> None:
    assert known(tmp_path, tool(f"raise {raised}")) == []


CLASSES = """\
from dataclasses import dataclass

class GoneError(Exception):
    hints = ["look"]
    def __init__(self, message, code=None):
        super().__init__(f"[{code}] {message}")
        self.code = code or "lost"
        self.message = message

class LentError(GoneError):
    def __init__(self, name, **fields):
        super().__init__(f"{name} is lent", code="lent", **fields)
        self.name = name

class LateError(LentError):
    pass

class OddError(GoneError):
    def __init__(self, message):
        self.text = message

class PlainError(Exception):
    reason: str = "plain"

class NamedError(Exception):
    def __init__(self, name, *, count=3):
        self.name = name

class DefaultError(Exception):
    def __init__(self, name="none left"):
        self.name = name

class PackedError(GoneError):
    def __init__(self, message):
        super().__init__(**{"message": f"packed {message}", "code": "packed"})

class DirectError(GoneError):
    def __init__(self, message):
        GoneError.__init__(self, message, "direct")

class LastError(Exception):
    def __init__(self, message):
        super().__init__(f"last {message}", 3)

class SetError(Exception):
    def __init__(self, message=None):
        self.message = None
        self.message = message
        self.code = "first"
        if message:
            self.code = "second"

class TwiceError(Exception):
    def __init__(self, message, other):
        super().__init__(message)
        self.code = "first"
        self.code = "second"
        self.hints = ["ask"]
        self.hints = [*self.hints, "look"]
        other.hints = []

class ClearedError(Exception):
    def __init__(self, message):
        self.code = None
        super().__init__(message)

class CountedError(Exception):
    def __init__(self, *names, code="counted", **fields):
        super().__init__("some are missing")
        self.code = code

class HidingError(PlainError):
    hint = "hidden"
    def hint(self):
        return "worked out"

class Shelf:
    def __init__(self, message):
        self.title = message

class LoudError(GoneError):
    def __init__(self, message, **fields):
        super().__init__(f"loud {message}", **fields)

class DroppedError(GoneError):
    def __init__(self, message, **fields):
        super().__init__(message)

class NotedError(Exception):
    def __init__(self, message):
        super().__init__(message)
        log.info("an error is made")

class QuietError(Exception):
    def __init__(self, name):
        super().__init__()
        self.name = name

class ChosenError(Exception):
    def __init__(self, message, code=None):
        super().__init__(message)
        self.code = "lost"
        if code:
            self.code = code

class RowError(Exception):
    def __init__(self, message, *rows, code="rows"):
        super().__init__(message)
        self.code = code

class FirstError(RowError):
    def __init__(self, message):
        super().__init__(message, "the first", "the last")

@dataclass
class BareError(Exception):
    row: str

@dataclass
class Wrong:
    row: str
    error: str = "lost"

class OpenError(GoneError):
    def __init__(self, message, *, kind="open", **rest):
        super().__init__(message, **rest)
        self.kind = kind


"""

CONSTRUCTED: dict[str, tuple[str, Known]] = {
    "a text of its own": (
        'GoneError("no", "gone")',
        {"messages": ["no", "[gone] no"], "codes": ["gone"], "hints": ["look"]},
    ),
    "a default": ('GoneError("no")', {"codes": ["lost"], "messages": ["no", "[{}] no"]}),
    "what it hands on": ('LentError("emma")', {"codes": ["lent"], "messages": ["emma is lent", "[lent] emma is lent"]}),
    "the constructor of the class above": (
        'LateError("emma")',
        {"name": "LateError", "codes": ["lent"], "fields": ["name"]},
    ),
    "no call of the one above": ('OddError("no")', {"codes": [], "messages": ["no"], "hints": ["look"]}),
    "no constructor": ('PlainError("no", 1)', {"messages": ["no"]}),
    "no constructor and no argument": ("PlainError", {"messages": ["plain"], "fields": []}),
    "no constructor and a message": ('PlainError(message="no")', {"messages": ["no"], "fields": ["message"]}),
    "what it is made with": ('NamedError("emma")', {"messages": ["emma"], "fields": ["name"]}),
    "nothing that it is made with": ("DefaultError()", {"messages": [], "fields": []}),
    "a default that it is made with": ('DefaultError("emma")', {"messages": ["emma"]}),
    "a dict that is handed on": (
        'PackedError("emma")',
        {"codes": ["packed"], "messages": ["packed emma", "[packed] packed emma"]},
    ),
    "a constructor by its class": ('DirectError("emma")', {"codes": ["direct"], "messages": ["emma", "[direct] emma"]}),
    "more than a text": ('LastError("emma")', {"messages": ["emma", "last emma"], "codes": []}),
    "what is set twice": ('SetError("no")', {"messages": ["no"], "codes": ["first", "second"]}),
    "what is set again": ('TwiceError("no", name)', {"codes": ["second"], "hints": ["ask", "{}", "look"]}),
    "what is set to nothing": ("SetError()", {"messages": []}),
    "what is cleared again": ('ClearedError("no")', {"codes": [], "messages": ["no"]}),
    "what takes any number": (
        'CountedError("a", "b", row=1)',
        {"codes": ["counted"], "messages": ["some are missing"]},
    ),
    "what it hands on beside its own": (
        'LoudError("no", code="x")',
        {"codes": ["x"], "messages": ["loud no", "[x] loud no"]},
    ),
    "what it does not hand on": ('DroppedError("no", code="x")', {"codes": ["lost"]}),
    "another call in it": ('NotedError("no")', {"messages": ["no"]}),
    "nothing that is handed on": ('QuietError("emma")', {"messages": [], "fields": ["name"]}),
    "an argument after a constant": ('ChosenError("no", "gone")', {"codes": ["gone"]}),
    "more than it names": ('FirstError("no")', {"codes": ["rows"], "messages": ["no"]}),
    "an exception that is a dataclass": ('BareError("emma")', {"messages": ["emma"], "fields": ["row"]}),
    "a dataclass": ('Wrong("emma")', {"messages": ["lost"], "fields": ["row"]}),
    "what it does not know": ('OpenError("no", code="shut")', {"codes": ["shut"], "messages": ["no", "[shut] no"]}),
    "what it knows": ('OpenError("no", kind="shut")', {"codes": ["lost"], "fields": ["message", "kind"]}),
    "no exception": ('Shelf("no")', {"messages": ["no"], "name": "Shelf"}),
}


@pytest.mark.parametrize(("raised", "expected"), CONSTRUCTED.values(), ids=CONSTRUCTED)
def test_constructors_are_followed_up_to_exception(raised: str, expected: Known, tmp_path: Path) -> None:
    (found,) = known(tmp_path, tool(f"raise {raised}", CLASSES))
    assert {name: found[name] for name in expected} == expected


FACTORIES = """\
def made(name, hint="ask"):
    return ShopError(f"no {name}", hint=hint)

def deep(name):
    return made(f"the {name}", hint="dig")

def either(name):
    if name:
        return ShopError("a")
    return KeyError("b")

def wrong(text):
    return {"error": text, "hint": "ask"}

def nothing(name):
    return name


"""

ANSWERED: dict[str, tuple[str, list[Known]]] = {
    "a factory": ("raise made(name)", [{"messages": ["no {name}"], "hints": ["ask"], "made": 25}]),
    "a factory of a factory": (
        "raise deep(name)",
        [{"messages": ["no the {name}"], "hints": ["ask", "dig"], "made": 25}],
    ),
    "a factory of two": ("raise either(name)", [{"name": "KeyError", "made": 33}, {"name": "ShopError", "made": 32}]),
    "a factory of nothing that is known": ("raise nothing(name)", []),
    "an answered factory": (
        'return wrong("no book")',
        [{"kind": "payload", "messages": ["no book"], "hints": ["ask"], "made": 36, "name": ""}],
    ),
    "a payload": (
        'return {"error": "no book", "hint": "ask"}',
        [{"kind": "payload", "messages": ["no book"], "hints": ["ask"], "fields": ["error", "hint"], "made": None}],
    ),
    "a payload below a key": (
        'return {"error": {"code": "gone", "message": "no book"}}',
        [{"codes": ["gone"], "messages": ["no book"], "fields": ["error", "error.code", "error.message"]}],
    ),
    "a payload with data": (
        'return {"error": "no", "data": {"code": "gone", "error": "deep"}}',
        [{"codes": ["gone"], "messages": ["no"]}],
    ),
    "a payload with details": (
        'return {"error": {"details": {"code": "gone"}, "message": "no"}}',
        [{"codes": [], "messages": ["no"]}],
    ),
    "a payload with a code as its error": (
        'return {"success": False, "message": "no book", "error": "gone_now"}',
        [{"codes": ["gone_now"], "messages": ["no book"]}],
    ),
    "a payload with a text as its error": (
        'return {"success": False, "message": "no book", "error": "Not there"}',
        [{"codes": [], "messages": ["no book"]}],
    ),
    "a payload with a value as its error": (
        'return {"success": False, "message": "no book", "error": name}',
        [{"codes": [], "messages": ["no book"]}],
    ),
    "a payload with an error alone": (
        'return {"success": False, "error": "gone_now"}',
        [{"codes": [], "messages": ["gone_now"]}],
    ),
    "a payload with more": ('return {"error": "no", **name}', [{"open": True, "fields": ["error"]}]),
    "a closed payload": ('return {"error": "no"}', [{"open": False}]),
    "a payload or a text": (
        'return {"error": "a"} if count else "Error: b"',
        [{"kind": "text", "messages": ["Error: b"]}, {"kind": "payload", "messages": ["a"]}],
    ),
    "a text": ('return "Error: no book"', [{"kind": "text", "messages": ["Error: no book"], "fields": []}]),
    "a text with a hole": ('return f"Error: no {name}"', [{"kind": "text", "messages": ["Error: no {name}"]}]),
    "one of two answers": ('return {"error": "a"} if count else {"books": []}', [{"messages": ["a"]}]),
    "a success": ('return {"books": []}', []),
    "one of two in a name": (
        'error = ShopError("held")\nif name:\n    error = KeyError("other")\nraise error',
        [{"name": "KeyError"}, {"name": "ShopError"}],
    ),
    "one that is known and one that is not": (
        'error = name\nif count:\n    error = ShopError("a")\nraise error',
        [{"messages": ["a"]}],
    ),
    "a class in a name": ("error = KeyError\nraise error", [{"name": "KeyError"}]),
    "what is caught": (
        'try:\n    raise ShopError("a")\nexcept ShopError:\n    return {}',
        [{"escapes": False, "reached": True}],
    ),
    "what something else catches": (
        'try:\n    raise ShopError("a")\nexcept KeyError:\n    return {}',
        [{"escapes": True}],
    ),
    "what comes too late": ('return {}\nraise ShopError("a")', [{"reached": False, "escapes": True}]),
    "what comes in time": ('if name:\n    return {}\nraise ShopError("a")', [{"reached": True}]),
    "several that come too late": (
        'return {}\nif name:\n    raise ShopError("a")\nraise ShopError("b")',
        [{"reached": False}, {"reached": False}],
    ),
}


@pytest.mark.parametrize(("body", "expected"), ANSWERED.values(), ids=ANSWERED)
def test_an_error_is_listed_with_where_it_is_made_and_what_becomes_of_it(
    body: str, expected: list[Known], tmp_path: Path
) -> None:
    found = sorted(known(tmp_path, tool(body, FACTORIES)), key=lambda each: (str(each["name"]), str(each["messages"])))
    assert [{name: each[name] for name in wanted} for each, wanted in zip(found, expected, strict=True)] == expected


HINTS = {
    "a list": ('hint=["a", f"b {name}"]', ["a", "b {name}"]),
    "an empty text": ('hint=["a", " "]', ["a"]),
    "lists in a list": ('hint=["a", ["b"], {"x": "c"}]', ["a", "b", "c"]),
    "a joined list": ('hint="\\n".join(["a", "b"])', ["a", "b"]),
    "one of two": ('hint="a" if name else "b"', ["a", "b"]),
    "one of two lists": ('hint=["a"] if name else ["b"]', ["a", "b"]),
    "nothing": ("hint=None", []),
    "a joined value": ('hint="\\n".join(name)', ["{name}"]),
}


@pytest.mark.parametrize(("given", "expected"), HINTS.values(), ids=HINTS)
def test_all_hints_that_an_error_may_have_are_listed(given: str, expected: list[str], tmp_path: Path) -> None:
    (found,) = known(tmp_path, tool(f'raise ShopError("no", {given})'))
    assert found["hints"] == ["ask", *expected]


MESSAGES = {
    "a text": ('"no book"', ["no book"]),
    "a value": ("name", ["{name}"]),
    "a value with a text": ('f"no {name}"', ["no {name}"]),
    "either": ('"a" if count else name', ["a"]),
    "an empty text": ('""', []),
    "a blank": ('" "', []),
    "a list": ('["no"]', []),
    "a dict": ('{"row": "no"}', []),
    "nothing": ("None", []),
}


@pytest.mark.parametrize(("given", "expected"), MESSAGES.values(), ids=MESSAGES)
def test_a_message_is_what_is_said_in_words(given: str, expected: list[str], tmp_path: Path) -> None:
    (found,) = known(tmp_path, tool(f"raise ShopError({given})"))
    assert found["messages"] == expected


def test_a_code_is_no_message(tmp_path: Path) -> None:
    (found,) = known(tmp_path, tool('return {"success": False, "error": "gone", "code": "gone", "title": "no book"}'))
    assert (found["codes"], found["messages"]) == (["gone"], ["no book"])


PREFIXED = {
    "a code": ('ShopError("[gone] no book")', ["gone"]),
    "no beginning": ('ShopError("gone] no book")', []),
    "no end": ('ShopError("[gone no book")', []),
    "a value": ("ShopError(name)", []),
    "a value as the code": ('ShopError(f"[{name}] no book")', []),
    "a foreign class": ('KeyError("[gone] no book")', ["gone"]),
    "a code of its own": ('ShopError("[gone] no book", code="lent")', ["lent"]),
    "an empty text": ('ShopError("")', []),
}


@pytest.mark.parametrize(("raised", "expected"), PREFIXED.values(), ids=PREFIXED)
def test_a_code_may_be_what_the_message_begins_with(raised: str, expected: list[str], tmp_path: Path) -> None:
    shop = (
        "class ShopError(Exception):\n    def __init__(self, message, code=None):\n        super().__init__(message)\n"
    )
    text = tool(f"raise {raised}", f"{shop}        self.code = code\n\n\n")
    (found,) = known(tmp_path, text, Policy(codes=Codes(prefix="[{code}] ")))
    assert found["codes"] == expected


def test_the_message_of_a_payload_has_no_code_before_it(tmp_path: Path) -> None:
    text = tool('return {"success": False, "message": "[gone] no book"}')
    (found,) = known(tmp_path, text, Policy(codes=Codes(prefix="[{code}] ")))
    assert found["codes"] == []


STATUSES: dict[str, tuple[str, Codes, object]] = {
    "of the code": ('raise LentError("no", "gone")', Codes(status={"gone": 410}), 410),
    "of another code": ('raise LentError("no", "away")', Codes(status={"lent": 410}), None),
    "of the class": ('raise LentError("no")', Codes(status={"LentError": 409}), 409),
    "of the class by its whole name": ('raise LentError("no")', Codes(status={"shop.LentError": 409}), 409),
    "of a class above": ('raise LateError("no")', Codes(status={"LentError": 409}), 409),
    "of a class with a name that ends so": ('raise LentError("no")', Codes(status={"tError": 409}), None),
    "that is passed": ('raise LentError("no", status=404)', Codes(status={"LentError": 409}), 404),
    "that is passed otherwise": ('raise LentError("no", rank=404)', Codes(status_arguments=("rank",)), 404),
    "that is none": ('raise LentError("no", status=7)', Codes(status={"LentError": 409}), 409),
    "of a payload": ('return {"error": "no", "code": "gone"}', Codes(status={"gone": 410}), 410),
    "of a registry": ('raise LentError("no", "gone")', Codes(registry=("shop:CODES",)), 404),
    "of another code of a registry": ('raise LentError("no", "lent")', Codes(registry=("shop:CODES",)), None),
}


@pytest.mark.parametrize(("body", "codes", "expected"), STATUSES.values(), ids=STATUSES)
def test_a_status_is_passed_or_that_of_the_class_or_code(
    body: str, codes: Codes, expected: object, tmp_path: Path
) -> None:
    lent = (
        "class LentError(Exception):\n    def __init__(self, message, code=None, **rest):\n"
        "        super().__init__(message)\n        self.code = code\n\n\n"
        "class LateError(LentError):\n    pass\n\n\nCODES = {'gone': 404, 'lent': None}\n\n\n"
    )
    (found,) = known(tmp_path, tool(body, lent), Policy(codes=codes))
    assert found["status"] == expected


DOMAIN = Policy(exceptions=Exceptions(root=("ShopError",)))

RETURNED: dict[str, tuple[str, bool]] = {
    "by a tool": (f"{TOOL}    return ShopError('no')\n", True),
    "in another call": (f"{TOOL}    return str(ShopError('no'))\n", True),
    "by a helper that nobody calls": ("def find(name):\n    return ShopError('no')\n", True),
    "by a helper whose answer is raised": (
        "def find(name):\n    return ShopError('no')\n\ndef look():\n    raise find('a')\n",
        False,
    ),
    "by a helper whose answer is raised later": (
        "def find(name):\n    return ShopError('no')\n\ndef look():\n    error = find('a')\n    raise error\n",
        False,
    ),
    "by a helper whose answer is answered": (
        "def find(name):\n    return ShopError('no')\n\ndef look():\n    say(find('a'))\n    raise KeyError('a')\n",
        True,
    ),
    "by something that is no function": ("def find(name):\n    return name.ShopError('no')\n", False),
    "of a class that is no error": ("class Shelf:\n    pass\n\ndef find(name):\n    return Shelf()\n", False),
    "of another root": ("def find(name):\n    return ValueError('no')\n", False),
    "by a function of another name": ("def find(name):\n    return shop('no')\n", False),
}


@pytest.mark.parametrize(("text", "is_listed"), RETURNED.values(), ids=RETURNED)
def test_an_exception_that_is_returned_is_an_error_where_nobody_raises_it(
    text: str, is_listed: bool, tmp_path: Path
) -> None:
    found = known(tmp_path, HEAD + text, DOMAIN)
    assert [each["kind"] for each in found] == (["object"] if is_listed else [])


def test_what_makes_an_object_of_a_class_returns_no_error(tmp_path: Path) -> None:
    text = f"{HEAD}class Shelf:\n    def __enter__(self):\n        return ShopError('no')\n"
    assert known(tmp_path, text, DOMAIN, "Shelf.__enter__") == []


LOGGED: dict[str, tuple[str, list[Known]]] = {
    "an error": ('log.error("no %s", name)', [{"kind": "log", "messages": ["no %s"]}]),
    "an exception": ('log.exception("no book")', [{"kind": "log", "messages": ["no book"]}]),
    "with fields": (
        'log.error("no book", extra={"code": "gone"})',
        [{"codes": ["gone"], "messages": ["no book"], "fields": ["code"], "values": {"code": "gone"}}],
    ),
    "news": ('log.info("a book")', []),
    "an error by a keyword after another": ('log.error(exc_info=True, msg="no book")', [{"messages": ["no book"]}]),
    "an error by its keyword": ('log.error(msg="no book")', [{"messages": ["no book"]}]),
}


@pytest.mark.parametrize(("body", "expected"), LOGGED.values(), ids=LOGGED)
def test_errors_are_what_is_logged_where_the_style_is_log(body: str, expected: list[Known], tmp_path: Path) -> None:
    text = tool(body, "import logging\n\nlog = logging.getLogger(__name__)\n\n\n")
    policy = Policy(style=Style.LOG, logs=Logs(fields=("code",)))
    found = known(tmp_path, text, policy)
    assert [{name: each[name] for name in wanted} for each, wanted in zip(found, expected, strict=True)] == expected
    assert known(tmp_path, text, Policy(logs=Logs(fields=("code",)))) == []


def test_a_record_that_is_handed_on_is_an_error_where_the_style_is_log(tmp_path: Path) -> None:
    text = tool('print({"problem": {"type": "gone", "message": "no book"}})')
    policy = Policy(style=Style.LOG, payload=Payload(key="problem", fields=("type", "message"), type_field="type"))
    (found,) = known(tmp_path, text, policy)
    assert (found["kind"], found["codes"], found["messages"]) == ("log", ["gone"], ["no book"])


def test_who_may_raise_what_is_known_of_all_raises_that_it_gets_to(tmp_path: Path) -> None:
    text = (
        f"{HEAD}class GoneError(ShopError):\n    pass\n\n\n"
        "def look(name):\n    raise GoneError('no')\n\n\ndef lost(name):\n    raise name\n\n\n"
        "@mcp.tool()\ndef find(name):\n    return look(name)\n\n\n@mcp.tool()\ndef drop(name):\n"
        "    return lost(name)\n\n\n"
        "@mcp.tool()\ndef count():\n    try:\n        raise GoneError('no')\n    except GoneError:\n        return 1\n"
    )
    errors = governed(tmp_path, {"shop.py": text}, Policy()).raised_errors
    tools = ("find", "drop", "count")
    assert [errors.is_known(each) for each in tools] == [True, False, True]
    assert [errors.may_raise(each, "ShopError") for each in tools] == [True, True, False]
    (raised,) = (each for each in errors.of("shop.py") if each.function == "look")
    assert [errors.may_reach(raised, each) for each in tools] == [True, False, False]
    assert [each.function for each in errors.all() if each.surfaces] == ["look"]


@pytest.mark.parametrize("names", [("OrderError", "StoreError"), ("StoreError", "OrderError")], ids=" before ".join)
def test_the_status_of_a_class_is_that_of_the_nearest_base_in_whatever_order_they_are_listed(
    tmp_path: Path, names: tuple[str, str]
) -> None:
    statuses = {"OrderError": 409, "StoreError": 503}
    classes = "class OrderError(Exception): ...\n\n\nclass StoreError(OrderError): ...\n\n\n"
    policy = Policy(codes=Codes(status={name: statuses[name] for name in names}))
    (found,) = known(tmp_path, tool("raise StoreError('shut')", classes), policy)
    assert found["status"] == 503


def test_a_status_may_be_listed_for_a_pattern_as_everywhere(tmp_path: Path) -> None:
    policy = Policy(codes=Codes(status={"shop.Store*": 503}))
    (found,) = known(tmp_path, tool("raise StoreError('shut')", "class StoreError(Exception): ...\n\n\n"), policy)
    assert found["status"] == 503
