"""What the fixes of rules refuse, and what they ask people to look at: the smallest project for each."""

from __future__ import annotations

from pathlib import Path
from textwrap import indent

import pytest
from test_fix import looks
from test_fix_rules import (
    CODED,
    CODED_ERRORS,
    CONFIGURATION,
    COVERED,
    ERRORS,
    FIELD_ERRORS,
    FIELDS,
    HEAD,
    LOGGING,
    LOGS,
    PREFIXED,
    RAISING,
    READ,
    RECORD,
    RECORDS,
    REPORTING,
    Project,
    doubts,
)

Case = tuple[str, str, dict[str, str], str]
"""A configuration, a rule, the modules, and the text that stands against the fix."""

IMPORTS, CLASS, DECORATOR = (
    ERRORS.partition("class ShopError")[0],
    "class ShopError" + ERRORS.partition("class ShopError")[2].partition("def answered")[0],
    "def answered" + ERRORS.partition("def answered")[2],
)
UNTOLD = CLASS + "from toolkit import made\n\n\ndef answered(function):\n    return made(function)\n"
BARE = CONFIGURATION.replace('operation = "operation"\nempty-result = "empty_result"\n', "")
NO_ANSWER = (
    HEAD.replace(", answered", "") + '@mcp.tool()\ndef read(path: str) -> dict:\n    raise ShopError("no such path")\n'
)
COUNTED = (
    HEAD + "@mcp.tool()\n@answered(operation='read', empty_result=EMPTY)\ndef read(path: str) -> dict:\n"
    '    return {"lines": [], "count": 1}\n'
)


def boundary(rule: str, text: str, server: str, errors: str = ERRORS, configuration: str = CONFIGURATION) -> Case:
    """A case about the boundary."""
    return configuration, rule, {"server": server, "errors": errors}, text


def coded(rule: str, text: str, codes: str, code: str) -> Case:
    """A case of an error that is raised with a code."""
    server = "from shop.codes import Code\nfrom shop.errors import ShopError\n\n\ndef run():\n"
    server += f'    raise ShopError("x", code={code})\n'
    return CODED, rule, {"server": server, "errors": CODED_ERRORS, "codes": codes}, text


def fields(text: str, body: str, field: str = "path", errors: str = FIELD_ERRORS) -> Case:
    """A case of an error that is made without a required field."""
    server = HEAD + COVERED + "def read(path):\n" + indent(f'if path:\n    {body}\nreturn {{"lines": []}}\n', "    ")
    return FIELDS.replace('["path"]', f'["{field}"]'), "ERR403", {"server": server, "errors": errors}, text


def reported(rule: str, text: str, log: str = LOGGING, record: str = RECORD) -> Case:
    """A case of a record beside a log call."""
    return RECORDS, rule, {"server": REPORTING.format(log=log, record=record)}, text


def logged(text: str, call: str, methods: str = "") -> Case:
    """A case of a log call of the wrong level."""
    server = f"import logging\n\nlog = logging.getLogger()\n\n\ndef run():\n    {call}\n"
    return (
        f"[tool.errlint]\n{LOGS}".replace("methods = { ", f"methods = {{ {methods}"),
        "ERR406",
        {"server": server},
        text,
    )


def prefixed(text: str, raising: str, errors: str = CODED_ERRORS, codes: str = "") -> Case:
    """A case of a raise whose message lacks its prefix, before the backend is called."""
    server = f"{HEAD}{COVERED}def read(path):\n    if not path:\n        {raising}\n    found = shelf.find(path)\n"
    server += '    return {"lines": found}\n'
    modules = {"server": server, "errors": errors, "codes": "class Code:\n    BAD = 'bad'\n    GONE = 'gone'\n"}
    return f'{PREFIXED}backend = ["shelf.find"]\n{codes}', "ERR305", modules, text


def operation(text: str, given: str) -> Case:
    """A case of an error that names the operation of another tool."""
    server = (
        "from fastmcp import FastMCP\n\nfrom shop.errors import ShopError\n\nmcp = FastMCP('shop')\nMADE = 'make'\n"
    )
    server += f"\n\n@mcp.tool()\ndef make(path):\n    return path\n\n\n@mcp.tool()\ndef read(path):\n    {given}\n"
    errors = "class ShopError(Exception):\n    def __init__(self, message, operation, **more):\n"
    errors += "        super().__init__(message)\n        self.operation = operation\n"
    return CONFIGURATION, "ERR404", {"server": server, "errors": errors}, text


CONTEXT_ERRORS = ERRORS.replace("*, cause=None", "*, context=None, cause=None")
SORTED = 'class Code:\n    NEAR = "NEAR"\n    WORSE = "WORSE"\n'

REFUSED = {
    "a boundary that is a middleware": boundary(
        "ERR201",
        "the boundary is no decorator: add its middleware to the server",
        READ,
        configuration='[tool.errlint.exceptions]\nroot = ["shop.errors.ShopError"]\n'
        '[[tool.errlint.boundary]]\nmiddleware = ["shop.errors.Answering"]\n',
    ),
    "an exception with a name that lacks its cause": boundary(
        "ERR207",
        "the exception is made elsewhere",
        HEAD + COVERED + 'def read(path):\n    exc = ShopError("x")\n    try:\n        open(path)\n'
        "    except OSError as e:\n        raise exc\n",
    ),
    "a message that begins as a prefix does": (
        PREFIXED,
        "ERR305",
        {
            "server": HEAD + COVERED + RAISING.replace('"x", code', '"[x y", code'),
            "errors": CODED_ERRORS,
            "codes": "class Code:\n    BAD = 'bad'\n    GONE = 'gone'\n",
        },
        "the message begins with a prefix of another form",
    ),
    "a level that is imported by its name": (
        f"[tool.errlint]\n{LOGS}",
        "ERR406",
        {
            "server": "import logging\nfrom logging import ERROR\n\nlog = logging.getLogger()\n\n\n"
            "def run():\n    log.log(ERROR, 'x', severity='warning')\n"
        },
        "its level is no constant of `logging`",
    ),
    "a decorator of which only a library knows what it takes": boundary(
        "ERR201",
        "it cannot be told how `answered` decorates",
        READ,
        UNTOLD,
        BARE,
    ),
    "a decorator with functions in one another that says nothing of what it wraps": boundary(
        "ERR201",
        "it cannot be told how `answered` decorates",
        READ,
        CLASS + "\n\ndef answered(first):\n    def decorate(function):\n        def wrapper(*args):\n"
        "            return function(*args)\n\n        return wrapper\n\n    return decorate\n",
        BARE,
    ),
    "a decorator that stands below the adapter": boundary(
        "ERR201",
        "`answered` is defined below it",
        f"{READ}\n\n{IMPORTS}\n\n{DECORATOR}",
        configuration=CONFIGURATION.replace("shop.errors.answered", "shop.server.answered"),
    ),
    "a tool that is defined twice with other decorators": boundary(
        "ERR202",
        "its decorators are not known",
        HEAD
        + "".join(
            f"{branch}:\n    {decorators}@mcp.tool()\n    def read(path):\n        raise ShopError(path)\n"
            for branch, decorators in (("if mcp", "@answered(operation='read')\n    "), ("else", ""))
        ),
    ),
    "an empty result with a name": boundary(
        "ERR203",
        "the empty result is written elsewhere",
        COUNTED.replace("@mcp", 'EMPTY = {"lines": []}\n\n\n@mcp', 1),
    ),
    "an adapter with two boundaries": boundary(
        "ERR203",
        "its boundary was not found, or it has several",
        COUNTED.replace("EMPTY", '{"lines": []}').replace("def read", "@answered(operation='read')\ndef read"),
    ),
    "a decorator that is used otherwise than another boundary": boundary(
        "ERR201",
        "it cannot be told how `answered` decorates",
        READ.replace("ShopError", "ShopError, told") + "\n\n@mcp.tool()\n@told\ndef write(path):\n    return path\n",
        UNTOLD + "\n\ndef told(function):\n    return made(function)\n",
        BARE + '[[tool.errlint.boundary]]\ndecorator = "shop.errors.told"\n',
    ),
    "a code that is passed twice in one statement": coded(
        "ERR304", "the code stands there more than once", SORTED, '"NEAR", cause=ShopError("y", code="NEAR")'
    ),
    "a code of which no name can be made": coded("ERR301", "no member can be called `9_LIVES`", SORTED, '"9 lives"'),
    "a code that would come first": coded(
        "ERR301", "it would be the first member: put it there by hand", SORTED, '"ABSENT_ORDER"'
    ),
    "a member that is nearly one of the registry": coded(
        "ERR301", "it may be `Code.WORSE`, misspelt", SORTED, "Code.WORSEE"
    ),
    "a member whose value is not made of its name": coded(
        "ERR301",
        "it cannot be told which value `DIFFERENT_ONE` has",
        'class Code:\n    BAD = "x1"\n    WORSE = "x2"\n',
        "Code.DIFFERENT_ONE",
    ),
    "a code that no member gets by its name": coded(
        "ERR301",
        "the values of the registry are made of the names",
        "from enum import StrEnum, auto\n\n\nclass Code(StrEnum):\n    BAD = auto()\n    WORSE = auto()\n",
        '"Other-one"',
    ),
    "members that share a line": coded(
        "ERR301",
        "the members of the registry do not have lines of their own",
        'class Code:\n    BAD = "BAD"; WORSE = "WORSE"\n',
        '"OTHER_ONE"',
    ),
    "an exception with a name that lacks its prefix": (
        PREFIXED,
        "ERR305",
        {
            "server": HEAD
            + COVERED
            + RAISING.replace(
                'raise ShopError("x", code="gone")', 'exc = ShopError("x", code="gone")\n        raise exc'
            ),
            "errors": CODED_ERRORS,
            "codes": "class Code:\n    BAD = 'bad'\n    GONE = 'gone'\n",
        },
        "the exception is made elsewhere",
    ),
    "a message without a code, where a failed check has none": prefixed(
        "no code is known for it", 'raise ShopError("x")'
    ),
    "a message without a code in a handler, which is no failed check": prefixed(
        "no code is known for it",
        'try:\n            int(path)\n        except ValueError:\n            raise ShopError("x")',
        codes='validation = "bad"\n',
    ),
    "a message without a code behind the work, where a check is none any more": prefixed(
        "no code is known for it", 'shelf.find(path)\n        raise ShopError("x")', codes='validation = "bad"\n'
    ),
    "an operation that is spelt otherwise than its tool": operation(
        "it cannot be told what the operation is", 'raise ShopError("x", operation="Make")'
    ),
    "an operation with a name": operation("the operation is written elsewhere", 'raise ShopError("x", operation=MADE)'),
    "an operation that the message is, too": operation(
        "the operation is written elsewhere", 'raise ShopError("make", operation="make")'
    ),
    "two errors of one statement": fields(
        "several errors are made in one statement", 'raise ShopError("x") if path > "a" else ShopError("y")'
    ),
    "an error with a name that lacks a field": fields(
        "only an exception or object that is made in the statement is given its fields",
        'exc = ShopError("x")\n    raise exc',
    ),
    "a field that is None": fields("`path` is passed, with nothing in it", 'raise ShopError("x", path=None)'),
    "an error that is made of another one": fields(
        "the call that makes the error was not found", 'raise ShopError(str(ShopError("y")))'
    ),
    "an error beside one that has its fields": fields(
        "the call that makes the error was not found",
        'raise ShopError("x") if path > "a" else ShopError("y", path=path)',
    ),
    "a dict of fields that a call makes": fields(
        "`context` is no dict that is written out",
        'raise ShopError("x", context=dict(size=1))',
        "context.path",
        CONTEXT_ERRORS,
    ),
    "a dict of fields that is passed by its place": fields(
        "`context` is no dict that is written out",
        'raise ShopError("x", None)',
        "context.path",
        CONTEXT_ERRORS.replace("*, context", "context"),
    ),
    "a dict with the field that is None": fields(
        "`context` has the field, with nothing in it",
        'raise ShopError("x", context={"path": None})',
        "context.path",
        CONTEXT_ERRORS,
    ),
    "fields of a log call that a call makes": reported(
        "ERR405", "`extra` is no dict that is written out", 'logger.error("x", extra=dict(size=1))'
    ),
    "a record at odds with itself beside a log call": reported(
        "ERR405",
        "type, severity and recovery of the record beside it do not go together (ERR301, ERR309)",
        'logger.error("x")',
        RECORD.replace('"recovery": "skip"', '"recovery": "abort"'),
    ),
    "a record whose severity has a name": reported(
        "ERR309",
        "where its fields are given was not found",
        f'severity = "warning"\n    {LOGGING}',
        RECORD.replace('"severity": "error"', '"severity": severity'),
    ),
    "a severity whose method is none of a logger": logged(
        "no log method is configured for severity 'critical'",
        "log.error('x', severity='critical')",
        'critical = ["panic"], ',
    ),
}


@pytest.mark.parametrize(("configuration", "rule", "modules", "text"), REFUSED.values(), ids=REFUSED)
def test_no_fix_is_written_for(
    tmp_path: Path, configuration: str, rule: str, modules: dict[str, str], text: str
) -> None:
    found = Project(tmp_path, configuration, **modules).fixes(rule)
    assert text in doubts(found)
    assert found.contents == {}


def test_a_decorator_is_used_as_others_use_it(tmp_path: Path) -> None:
    used = "\n\n@mcp.tool()\n@answered\ndef write(path):\n    return path\n"
    server = READ.replace("ShopError", "ShopError, answered") + used
    assert "@mcp.tool()\n@answered\ndef read(" in Project(tmp_path, BARE, server=server, errors=UNTOLD).fixed("ERR201")


DECORATING = {
    "a function that is given the function": (
        "def answered(function):\n    def wrapper(*args):\n        return function(*args)\n\n    return wrapper\n",
        "@answered",
    ),
    "a function that need not be given it": (
        "def answered(function=None):\n    return made(function)\n",
        "@answered()",
    ),
    "a function that says what it wraps": (
        "def answered(function):\n    @made\n    @wraps(function)\n    def wrapper(*args):\n        def inner():\n"
        "            return function(*args)\n\n        return inner()\n\n    return wrapper\n",
        "@answered",
    ),
}


@pytest.mark.parametrize(("definition", "used"), DECORATING.values(), ids=DECORATING)
def test_a_decorator_is_used_as_it_is_written(tmp_path: Path, definition: str, used: str) -> None:
    errors = f"{CLASS}from functools import wraps\nfrom toolkit import made\n\n\n{definition}"
    assert f"@mcp.tool()\n{used}\ndef read(" in Project(tmp_path, BARE, server=READ, errors=errors).fixed("ERR201")


def test_a_boundary_that_takes_anything_else_is_given_nothing_more(tmp_path: Path) -> None:
    errors = ERRORS.replace("operation, *, empty_result=None", "operation, *rest, empty_result=None, **more")
    after = Project(tmp_path, server=READ, errors=errors).fixed("ERR201")
    empty = 'empty_result={"path": "", "lines": [], "count": 0, "limit": None}'
    assert f'@answered(\n    operation="read",\n    {empty},\n)\ndef read(' in after


FILLED = {
    "an empty one": ("{}", '{"lines": [], "count": 0}'),
    "one with a comma at its end": ('{"lines": [],}', '{"lines": [], "count": 0,}'),
}


@pytest.mark.parametrize(("before", "after"), FILLED.values(), ids=FILLED)
def test_an_empty_result_gets_the_keys_of_the_answers_in(tmp_path: Path, before: str, after: str) -> None:
    after = COUNTED.replace("EMPTY", after)
    fixed = Project(tmp_path, server=COUNTED.replace("EMPTY", before)).fixed("ERR203")
    assert fixed.replace("'", '"') == after.replace("'", '"')


def test_a_code_in_two_parts_becomes_one_member(tmp_path: Path) -> None:
    server = "from shop.codes import Code\nfrom shop.errors import ShopError\n\n\ndef run():\n"
    server += '    raise ShopError("x", CODE)\n'
    modules = {"server": server.replace("CODE", '"NEAR" ""'), "errors": CODED_ERRORS, "codes": SORTED}
    assert Project(tmp_path, CODED, **modules).fixed("ERR304") == server.replace("CODE", "Code.NEAR")


def test_a_member_gets_the_value_of_its_name(tmp_path: Path) -> None:
    configuration, rule, modules, _ = coded("ERR301", "", SORTED, "Code.OTHER_ONE")
    after = SORTED.replace("    WORSE", '    OTHER_ONE = "OTHER_ONE"\n    WORSE')
    assert Project(tmp_path, configuration, **modules).fixed(rule, module="codes") == after


GIVEN = {
    "the operation of the boundary": ("operation", 'raise ShopError("x")', 'ShopError("x", operation="read")'),
    "what is handled": (
        "cause",
        "try:\n        open(path)\n    except OSError as e:\n        raise ShopError('x') from e",
        "ShopError('x', cause=e) from e",
    ),
}


@pytest.mark.parametrize(("field", "body", "after"), GIVEN.values(), ids=GIVEN)
def test_an_error_is_given(tmp_path: Path, field: str, body: str, after: str) -> None:
    configuration, rule, modules, _ = fields(
        "", body, field, ERRORS.replace("cause=None", "cause=None, operation=None")
    )
    assert f"raise {after}\n" in Project(tmp_path, configuration, **modules).fixed(rule)


def test_a_log_call_gets_the_operation_of_the_boundary(tmp_path: Path) -> None:
    logs = '[tool.errlint.logs]\nfields = ["operation"]\nmethods = { error = ["error"] }\n'
    call = "logger.error('x', extra={'operation': 'OTHER'})"
    head = f"import logging\n\n{HEAD}logger = logging.getLogger()\n\n\ndef other():\n    {call}\n\n\n"
    body = "def read(path):\n    LOG\n    return {'lines': []}\n"
    project = Project(tmp_path, CONFIGURATION + logs, server=head + COVERED + body.replace("LOG", "logger.error('x')"))
    after = call.replace("'OTHER'", '"read"').replace("'operation'", '"operation"')
    assert project.fixed("ERR405").replace("'", '"') == (head + COVERED + body.replace("LOG", after)).replace("'", '"')


def test_a_failed_check_keeps_the_code_that_it_is_given(tmp_path: Path) -> None:
    configuration, rule, modules, _ = prefixed("", 'raise ShopError("x", code="gone")', codes='validation = "bad"\n')
    project = Project(tmp_path, configuration, **modules)
    assert 'raise ShopError("[gone] x", code="gone")' in project.fixed(rule)


def test_a_text_that_is_an_operation_stays_in_other_arguments(tmp_path: Path) -> None:
    configuration, rule, modules, _ = operation("", 'raise ShopError("x", operation="make", was="make")')
    project = Project(tmp_path, configuration, **modules)
    assert 'raise ShopError("x", operation="read", was="make")' in project.fixed(rule)


DOUBTED = {
    "a boundary whose empty result has to be given, on an adapter without answers": (
        boundary(
            "ERR201",
            "it cannot be told what is empty in the answer of `read`",
            NO_ANSWER,
            ERRORS.replace("empty_result=None", "empty_result"),
        ),
        "shop/server.py:9",
    ),
    "an empty result that gets more keys": (
        boundary(
            "ERR203", "the boundary's answer gets other keys or values", COUNTED.replace("EMPTY", '{"lines": []}')
        ),
        "shop/server.py:9",
    ),
    "a new code": (coded("ERR301", "`Code` gets a new member", SORTED, '"OTHER_ONE"'), "shop/codes.py:1"),
    "a member for a string that others hand over": (
        coded(
            "ERR304",
            "a member of `Code` is formatted otherwise than the string that it stands for",
            'from enum import Enum\n\n\nclass Code(str, Enum):\n    BAD = "BAD"\n\n\nLAST = Code.BAD\n',
            '"BAD"',
        ),
        "shop/server.py:6",
    ),
    "an error that is answered": (
        fields("the answer gets more fields", 'return ShopError("x")'),
        "shop/server.py:12",
    ),
    "a boundary of which nobody says what it answers": (
        (
            FIELDS.replace('envelope = { error = "{message}", problem = "*", result = "empty_result" }\n', ""),
            *fields("it is not known what clients get of the fields of an exception", 'raise ShopError("x")')[1:],
        ),
        "shop/server.py:12",
    ),
    "a record that lacks a field": (
        reported(
            "ERR403",
            "the record gets `run_id`: look whether that is what is meant",
            record=RECORD.replace(', "run_id": run_id', ""),
        ),
        "shop/server.py:13",
    ),
    "a log call that lacks a field": (
        reported(
            "ERR405",
            "the log call gets `recovery`: look whether that is what is meant",
            'logger.error("x", extra={"error_type": "ParsingError"})',
        ),
        "shop/server.py:12",
    ),
    "a recovery of another severity": (
        reported(
            "ERR309",
            "`recovery` becomes 'abort': look at who acts on it",
            record=RECORD.replace('"severity": "error"', '"severity": "critical"'),
        ),
        "shop/server.py:13",
    ),
    "a log call of another level": (
        logged(
            "the error is logged as `warning`, where it was logged as `error`", "log.error('x', severity='warning')"
        ),
        "shop/server.py:7",
    ),
}


@pytest.mark.parametrize(("case", "place"), DOUBTED.values(), ids=DOUBTED)
def test_people_have_to_look_at(tmp_path: Path, case: Case, place: str) -> None:
    configuration, rule, modules, text = case
    project = Project(tmp_path, configuration, **modules)
    assert project.fixes(rule, unsafe=False).contents == {}
    found = project.fixes(rule)
    assert (text, place) in looks(found.fixed)
    assert found.contents
