"""Where the codes of errors stand, and as what: the uses of codes in a file."""

from __future__ import annotations

from textwrap import indent

import pytest
from judged_texts import project_of

from errlint.project.codes import Usage

CODES = """\
from enum import StrEnum


class ErrorCode(StrEnum):
    LOST = "lost"
    LATE = "late"
    _kept = "kept"

    @classmethod
    def ALL(cls):
        return []


class Shelf:
    FULL = "full"
    LIMIT = 3


GONE = "gone"
OTHER = ErrorCode.LATE
SPECS = {"first": "one"}


class BookError(Exception):
    def __init__(self, text, code=None):
        super().__init__(text)
        self.code = code


def made(text, error_code):
    return BookError(text, error_code)
"""

HEAD = """\
from codes import GONE, OTHER, SPECS, BookError, ErrorCode, Shelf, made
import codes


@mcp.tool()
def find(title, names):
"""


def shown(usage: Usage) -> str:
    """Return how a code is used and which it is: "raise code lost of ErrorCode"."""
    found = usage.found
    told = f"{usage.how} {usage.argument} {found.text}"
    if found.registry is not None:
        told += f" of {found.registry.name}"
    return told + (" missing" if found.missing else "") + (" literal" if found.is_literal else "")


CONFIG = "[codes]\nregistry = ['ErrorCode']\n[[boundary]]\ndecorator = 'answers'\n"


def used(body: str, *, head: str = HEAD) -> list[str]:
    """Return the uses of codes in a tool with some body."""
    texts = {"codes.py": CODES, "server.py": f"{head}{indent(body, '    ')}\n"}
    return [shown(each) for each in project_of(texts, CONFIG, rules=["ALL"]).codes.usages("server.py")]


VALUES = {
    "a text": ("'lost'", ["lost literal"]),
    "nothing": ("''", []),
    "a text with a hole": ("f'lost {title}'", []),
    "a number": ("404", ["404 literal"]),
    "a flag": ("True", []),
    "none": ("None", []),
    "a part of one": ("0.5", []),
    "one of two": ("'lost' if names else 'late'", ["lost literal", "late literal"]),
    "a member": ("ErrorCode.LOST", ["lost of ErrorCode"]),
    "the value of a member": ("ErrorCode.LOST.value", ["lost of ErrorCode"]),
    "the name of a member": ("ErrorCode.LOST.name", ["lost of ErrorCode"]),
    "something else of a member": ("ErrorCode.LOST.status", []),
    "a member by its module": ("codes.ErrorCode.LOST", ["lost of ErrorCode"]),
    "the text of a member": ("str(ErrorCode.LOST)", ["lost of ErrorCode"]),
    "a text as a member": ("ErrorCode('lost')", ["lost literal"]),
    "a text as a member with more": ("ErrorCode('lost', 'late')", []),
    "a text as something else": ("Shelf('lost')", []),
    "a text that something makes": ("shown('lost')", []),
    "a text that a text makes": ("'lost'.strip('l')", []),
    "a member that there is not": ("ErrorCode.GONE", ["GONE of ErrorCode missing"]),
    "the value of a member that there is not": ("ErrorCode.GONE.value", ["GONE of ErrorCode missing"]),
    "a method": ("ErrorCode.ALL", []),
    "a name in small letters": ("ErrorCode.gone", []),
    "a name of its own": ("ErrorCode._GONE", []),
    "a constant": ("GONE", ["gone"]),
    "a constant that is a member": ("OTHER", ["late"]),
    "a constant of a class": ("Shelf.FULL", ["full"]),
    "what a table holds": ("SPECS['first']", ["one"]),
    "a parameter": ("title", []),
}


@pytest.mark.parametrize(("value", "codes"), VALUES.values(), ids=VALUES)
def test_an_error_is_given_as_its_code(value: str, codes: list[str]) -> None:
    assert used(f"raise BookError('no', code={value})") == [f"raise code {each}" for each in codes]


@pytest.mark.parametrize(
    ("number", "codes"),
    [pytest.param(4, ["raise code lost literal"], id="few"), pytest.param(9, [], id="too many to follow")],
)
def test_a_code_is_followed_through_names(number: int, codes: list[str]) -> None:
    steps = "".join(f"c{index} = c{index - 1}\n" for index in range(1, number))
    body = f"c0 = 'lost'\n{steps}raise BookError('no', code=str(c{number - 1}))"
    assert used(body) == codes


PLACES = {
    "an exception, by position": ("raise BookError('no', 'lost')", ["raise code lost literal"]),
    "an exception that a function makes": ("raise made('no', 'lost')", ["raise error_code lost literal"]),
    "an exception of nobody": ("raise LostError('no', code='lost')", []),
    "what an exception is raised from": ("raise BookError('no') from LostError(code='lost')", []),
    "another argument": ("raise BookError('lost')", []),
    "an exception that is answered": ("return BookError('no', code='lost')", ["raise code lost literal"]),
    "what a function makes and that is answered": (
        "return made('no', error_code='lost')",
        [],
    ),
    "a payload": ("return {'error': 'no', 'code': 'lost'}", ["payload code lost literal"]),
    "a payload below its error key": ("return {'error': {'code': 'lost'}}", ["payload code lost literal"]),
    "a payload below another key": ("return {'error': 'no', 'more': {'code': 'lost'}}", []),
    "a payload below data in an error": (
        "return {'error': {'message': 'no', 'data': {'code': 'lost'}}}",
        ["payload code lost literal"],
    ),
    "a payload beside data": ("return {'error': 'no', 'data': {'code': 'lost'}}", []),
    "a payload in a list": ("return [{'error': 'no', 'code': 'lost'}]", ["payload code lost literal"]),
    "a payload in a text": (
        "import json\nreturn json.dumps({'error': 'no', 'code': 'lost'})",
        ["payload code lost literal"],
    ),
    "a payload beside what else is handed on": (
        "import json\nreturn json.dumps({'error': 'no', 'code': 'lost'}, context={'code': 'late'})",
        ["payload code lost literal"],
    ),
    "a payload in a variable": (
        "answer = {'error': 'no', 'code': 'lost'}\nreturn answer",
        ["payload code lost literal"],
    ),
    "a payload with more": ("return {**names, 'error': 'no', 'code': 'lost'}", ["payload code lost literal"]),
    "a problem": (
        "return {'type': 'about:blank', 'title': 'Lost', 'status': 404, 'code': 'lost'}",
        ["payload code lost literal"],
    ),
    "a success": ("return {'title': 'no', 'code': 'lost'}", []),
    "a log": ("logger.error('no', code='lost')", ["log code lost literal"]),
    "the extra of a log": ("logger.error('no', extra={'code': 'lost', 'more': 'late'})", ["log code lost literal"]),
    "another dict of a log": ("logger.error('no', more={'code': 'lost'})", []),
    "another call": ("tell('no', code='lost')", []),
}


@pytest.mark.parametrize(("body", "codes"), PLACES.values(), ids=PLACES)
def test_a_code_is_that_of(body: str, codes: list[str]) -> None:
    assert used(body) == codes


DECORATORS = {
    "a decorator": ("@answers(code='lost')", ["decorator code lost literal"]),
    "another argument": ("@answers(name='lost')", []),
    "a decorator by itself": ("@answers", []),
}


@pytest.mark.parametrize(("decorator", "codes"), DECORATORS.values(), ids=DECORATORS)
def test_a_code_is_given_to(decorator: str, codes: list[str]) -> None:
    assert used("pass", head=HEAD.replace("@mcp.tool()", f"@mcp.tool()\n{decorator}")) == codes


CLASSES = {
    "an attribute": ("class LostError(BookError):\n    code = 'lost'", ["class code lost literal"]),
    "another attribute": ("class LostError(BookError):\n    name = 'lost'", []),
    "an attribute of another class": ("class Lost:\n    code = 'lost'", []),
    "what is handed to the base": (
        "class LostError(BookError):\n    def __init__(self):\n        super().__init__('no', code='lost')",
        ["class code lost literal"],
    ),
    "what is handed to something else": (
        "class LostError(BookError):\n    def __init__(self):\n        self.tell('no', code='lost')",
        [],
    ),
    "a default": (
        "class LostError(BookError):\n    def __init__(self, code='lost'):\n        super().__init__('no', code)",
        ["default code lost literal"],
    ),
    "another default": (
        "class LostError(BookError):\n    def __init__(self, name='lost', code=None):\n        super().__init__('no')",
        [],
    ),
    "what is stored": (
        "class LostError(BookError):\n    def __init__(self):\n        self.code = 'lost'",
        ["class code lost literal"],
    ),
    "what is stored as something else": (
        "class LostError(BookError):\n    def __init__(self):\n        self.name = 'lost'",
        [],
    ),
    "what another method stores": (
        "class LostError(BookError):\n    def reset(self, code='lost'):\n        self.code = 'lost'",
        [],
    ),
    "what another class stores": ("class Lost:\n    def __init__(self, code='lost'):\n        self.code = 'lost'", []),
    "what a function stores": ("def __init__(self, code='lost'):\n    self.code = 'lost'", []),
}


@pytest.mark.parametrize(("code", "codes"), CLASSES.values(), ids=CLASSES)
def test_a_class_says_as_its_code(code: str, codes: list[str]) -> None:
    text = f"from codes import BookError\n\n\n{code}\n"
    project = project_of({"codes.py": CODES, "errors.py": text}, "[codes]\nregistry = ['ErrorCode']\n")
    assert [shown(each) for each in project.codes.own("errors.py")] == codes
    assert [shown(each) for each in project.codes.usages("errors.py")] == codes


RAISED = "raise BookError('no', code={})"

WRITTEN = {
    "a text": (RAISED.format("'lost'"), {"server.py": ["lost"]}),
    "a member": (RAISED.format("ErrorCode.LOST"), {"server.py": ["lost"]}),
    "a constant": (RAISED.format("GONE"), {"server.py": ["gone"]}),
    "a constant of a class": (RAISED.format("Shelf.FULL"), {"codes.py": ["full"]}),
    "a constant of a class twice": (
        f"if names:\n    {RAISED.format('Shelf.FULL')}\n{RAISED.format('Shelf.FULL')}",
        {"codes.py": ["full"]},
    ),
    "what a table holds": (RAISED.format("SPECS['first']"), {"codes.py": ["one"]}),
}


@pytest.mark.parametrize(("body", "places"), WRITTEN.values(), ids=WRITTEN)
def test_a_code_is_told_of_where_it_is_written(body: str, places: dict[str, list[str]]) -> None:
    texts = {"codes.py": CODES, "server.py": f"{HEAD}{indent(body, '    ')}\n"}
    codes = project_of(texts, "[codes]\nregistry = ['ErrorCode']\n").codes
    found = {path: [each.found.text for each in codes.written(path)] for path in texts}
    assert {path: each for path, each in found.items() if each} == places


KNOWN = {
    "a registry of the policy": ("", "[codes]\nregistry = ['Nothing']\n", True),
    "a vocabulary": ("", "[codes.vocabulary]\nlost = {}\n", True),
    "statuses": ("", "[codes.status]\nLostError = 404\n", True),
    "exceptions with a prefix": ("", "[codes]\nprefixed = ['LostError']\n", True),
    "the code of a parameter check": ("", "[codes]\nvalidation = 'lost'\n", True),
    "nothing": ("", "", False),
    "a registry by its name": ("class ErrorCode:\n    LOST = 'lost'\n    LATE = 'late'\n", "", True),
    "a registry that is imported": ("from shop import ErrorCode\n", "", True),
    "something else that is imported": ("from shop import Shelf\n", "", False),
    "three classes with codes": (
        "".join(f"class {name}Error(Exception):\n    code = '{name}'\n\n\n" for name in ("A", "B", "C")),
        "",
        True,
    ),
    "two classes with codes": (
        "".join(f"class {name}Error(Exception):\n    code = '{name}'\n\n\n" for name in ("A", "B")),
        "",
        False,
    ),
    "three classes with two codes": (
        "".join(f"class {name}Error(Exception):\n    code = '{name[0]}'\n\n\n" for name in ("A", "B", "B2")),
        "",
        False,
    ),
}


@pytest.mark.parametrize(("text", "config", "are_known"), KNOWN.values(), ids=KNOWN)
def test_codes_are_known_by(text: str, config: str, are_known: bool) -> None:
    assert project_of({"errors.py": text}, config).codes.are_known("errors.py") is are_known


def test_codes_of_files_that_know_none_are_not_looked_for() -> None:
    text = "class LostError(Exception):\n    code = 'lost'\n\n\ndef find():\n    raise LostError('no', code='late')\n"
    assert [shown(each) for each in project_of({"a.py": text}).codes.usages("a.py")] == ["class code lost literal"]


def test_an_exception_beside_those_of_the_policy_is_given_no_code() -> None:
    text = "class OtherError(Exception):\n    def __init__(self, text, code):\n        pass\n\n\n"
    body = (
        "def find(names):\n    if names:\n        raise BookError('no', 'lost')\n    raise OtherError('no', 'late')\n"
    )
    texts = {"codes.py": CODES, "server.py": f"from codes import BookError\n\n\n{text}{body}"}
    project = project_of(texts, "[exceptions]\nroot = ['BookError']\n[codes]\nregistry = ['ErrorCode']\n")
    assert [shown(each) for each in project.codes.usages("server.py")] == ["raise code lost literal"]


def test_a_member_that_a_registry_of_the_policy_has_not_is_told_of_no_other_class_of_its_name() -> None:
    own = "class Shelf:\n    OPEN = 'open'\n    FULL = 'full'\n\n\n"
    body = "def find():\n    raise BookError('no', Shelf.EMPTY)\n"
    texts = {
        "codes.py": CODES,
        "named.py": f"from codes import BookError, Shelf\n\n\n{body}",
        "other.py": f"from codes import BookError\n\n\n{own}{body}",
    }
    codes = project_of(texts, "[codes]\nregistry = ['codes:Shelf']\n").codes
    assert [shown(each) for each in codes.usages("named.py")] == ["raise code EMPTY of Shelf missing"]
    assert [shown(each) for each in codes.usages("other.py")] == []


LOG_STYLE = """\
style = "log"

[payload]
key = "error"
fields = ["type", "severity"]
type-field = "type"
severity-field = "severity"

[codes]
vocabulary = { Late = {}, Lost = {} }

[taxonomy.recoveries]
warning = ["retry"]
"""

RECORDS = {
    "a record": ("print({'error': {'type': 'Late', 'severity': 'error'}})", ["record type Late literal"]),
    "a record of an exception's class": (
        "try:\n    open(title)\nexcept OSError as error:\n"
        "    print({'error': {'type': type(error).__name__, 'severity': 'error'}})",
        ["record type type(error).__name__"],
    ),
    "a record of an exception's class in small letters": (
        "try:\n    open(title)\nexcept OSError as error:\n"
        "    print({'error': {'type': type(error).__name__.lower(), 'severity': 'error'}})",
        ["record type type(error).__name__"],
    ),
    "a record of an exception's class without what is around it": (
        "try:\n    open(title)\nexcept OSError as error:\n"
        "    print({'error': {'type': type(error).__name__.upper().strip(), 'severity': 'error'}})",
        ["record type type(error).__name__"],
    ),
    "a record of a name that is none of a class": (
        "try:\n    open(title)\nexcept OSError as error:\n"
        "    print({'error': {'type': title.__name__, 'severity': 'error'}})",
        [],
    ),
    "a record of an exception's class by another name": (
        "try:\n    open(title)\nexcept OSError as error:\n"
        "    print({'error': {'type': type(error).__name__.replace('Error', ''), 'severity': 'error'}})",
        [],
    ),
    "a record of what a call answers": ("print({'error': {'type': title.kind(), 'severity': 'error'}})", []),
    "a record without a type": ("print({'error': {'severity': 'error'}})", []),
    "a record of a type that is given": ("print({'error': {'type': title, 'severity': 'error'}})", []),
    "a comparison": ("return title['error']['type'] == 'Late'", ["record type Late literal"]),
    "a comparison with two of them": (
        "return title['error']['type'] in ('Late', 'Odd')",
        ["record type Late literal", "record type Odd literal"],
    ),
    "a comparison with others": ("return title['error']['type'] == 'Odd'", []),
    "a comparison of something else": (
        "return title['error']['type'] == 'Late' or title['error']['severity'] == 'warning'",
        ["record type Late literal"],
    ),
    "a comparison of a type where a severity is known": (
        "return title['error']['type'] == 'Odd' and title['error']['severity'] == 'warning'",
        ["record type Odd literal"],
    ),
}


@pytest.mark.parametrize(("body", "codes"), RECORDS.values(), ids=RECORDS)
def test_the_type_of_a_record_is_a_code_in(body: str, codes: list[str]) -> None:
    texts = {"server.py": f"def find(title):\n{indent(body, '    ')}\n"}
    project = project_of(texts, LOG_STYLE, rules=["ALL"])
    assert [shown(each) for each in project.codes.usages("server.py")] == codes


def test_records_have_no_types_where_the_policy_names_none() -> None:
    texts = {"server.py": "def find(title):\n    print({'error': {'type': 'Late', 'severity': 'error'}})\n"}
    project = project_of(texts, LOG_STYLE.replace('type-field = "type"', ""), rules=["ALL"])
    assert project.codes.usages("server.py") == ()


COMPARED = {
    "a field": ("if error.code == 'lost':\n        raise", ["compared code lost literal"]),
    "a field of another name": ("if error.kind == 'lost':\n        raise", []),
}


@pytest.mark.parametrize(("body", "codes"), COMPARED.values(), ids=COMPARED)
def test_the_code_of_a_caught_exception_is_compared_with(body: str, codes: list[str]) -> None:
    text = f"try:\n    find()\nexcept BookError as error:\n    {body}"
    texts = {"codes.py": CODES, "server.py": f"{HEAD}{indent(text, '    ')}\n"}
    project = project_of(texts, CONFIG, rules=["ALL"])
    assert [shown(each) for each in project.codes.compared("server.py")] == codes
