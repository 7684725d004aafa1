"""What error returns are left as they are, and why: the smallest module for each refusal, in either style."""

from __future__ import annotations

from pathlib import Path

import pytest
import test_fix
import test_fix_return
from command_line import Run
from test_fix import fixes_in, looks, reasons
from test_fix_return import MODEL

from errlint.fix.run import Fixes

SUCCESS = 'return {"path": text, "count": 1}\n'

FORMS = {
    "an error or an error": (
        'return {"error": "x"} or {"path": ""}\n',
        "it is not one part of the conditional answer that is the error",
    ),
    "nothing in the place of the message": (
        f'if not on:\n    return {{"success": False, "error": None}}\n{SUCCESS}',
        "there is nothing in the place of the message",
    ),
    "a variable that says how it went": (
        'success, told = True, ""\n'
        "try:\n    read(text)\nexcept OSError as e:\n    success, told = False, str(e)\n"
        'return {"success": success, "message": told}\n',
        "this return answers what went well, too, and a variable says which: raise where it is set",
    ),
    "a value and an error": (
        'return on and {"error": "x"}\n',
        "it is not one part of the conditional answer that is the error",
    ),
    "a function in which all names for a result are taken": (
        "found = outcome = result = answer = value = given = 1\n"
        'return apply(found, outcome, result, answer, value, given) or {"error": "x"}\n',
        "no free name is left for the result",
    ),
    "a condition within a condition": (
        'return ({"error": "x"} if on else {"path": text}) if text else {"error": "z"}\n',
        "only a payload that is written out at the return is rewritten",
    ),
    "a name that a loop binds": (
        'for result in on:\n    result = {"error": "x"}\nreturn result\n',
        "it is not certain what `result` holds",
    ),
    "keys of a dict that is bound there": (
        f'if not on:\n    return {{"error": "x", **(extra := on)}}\n{SUCCESS}',
        "the payload takes over the keys of another dict",
    ),
    "keys of a dict by its place": (
        f'if not on:\n    return dict(on, error="x")\n{SUCCESS}',
        "the payload takes over the keys of another dict",
    ),
    "an object with an argument by its place": (
        f'if not on:\n    return ErrorReply(on, error="x")\n{SUCCESS}',
        "only an object that is made at the return, of keyword arguments, and returned itself is rewritten",
    ),
    "an object with several messages": (
        f'if not on:\n    return ErrorReply(error=["x", "y"])\n{SUCCESS}',
        "the message is a part of another object",
    ),
}


@pytest.mark.parametrize(("body", "text"), FORMS.values(), ids=FORMS)
def test_nothing_is_raised_in_the_place_of(tmp_path: Path, body: str, text: str) -> None:
    found = test_fix.fixes(tmp_path, test_fix.tool(body), unsafe=True)
    assert reasons(found.refused) == [text]
    assert found.contents == {}


TOOL = test_fix.tool(f'if not on:\n    return {{"error": "x"}}\n{SUCCESS}')
CHOICES = {
    "none is the default": (
        test_fix.CONFIGURATION.replace('default = "ShopError"\n', ""),
        test_fix.ERRORS,
        TOOL,
        "no domain exception fits, and `exceptions.default` is not set",
    ),
    "messages begin with a code": (
        test_fix.CONFIGURATION + '[tool.errlint.codes]\nprefix = "[{code}] "\nprefixed = ["ShopError"]\n',
        test_fix.ERRORS,
        TOOL,
        "the convention asks for a code, and none fits",
    ),
    "nobody defines the one that is configured": (
        test_fix.CONFIGURATION.replace('default = "ShopError"', 'default = "LostError"'),
        test_fix.ERRORS,
        TOOL,
        "`LostError` is not defined in the project",
    ),
    "several have its name": (
        test_fix.CONFIGURATION,
        f"{test_fix.ERRORS}\n\nclass Shop:\n    class ShopError(Exception):\n        pass\n",
        TOOL.replace("import ShopError, ", "import "),
        "`ShopError` is defined more than once",
    ),
    "its module imports this one": (
        test_fix.CONFIGURATION,
        f"from shop.server import read\n{test_fix.ERRORS}",
        TOOL.replace("from shop.errors import ShopError, handle_errors", "from shop.bound import handle_errors"),
        "to import `ShopError` would be a cycle: its module imports this one",
    ),
}


@pytest.mark.parametrize(("configuration", "errors", "server", "text"), CHOICES.values(), ids=CHOICES)
def test_no_exception_is_raised_where(tmp_path: Path, configuration: str, errors: str, server: str, text: str) -> None:
    (tmp_path / "shop").mkdir()
    (tmp_path / "pyproject.toml").write_text(configuration, encoding="utf-8")
    for name, module in (("__init__", ""), ("errors", errors), ("server", server)):
        (tmp_path / "shop" / f"{name}.py").write_text(module, encoding="utf-8")
    found = test_fix.fixes_in(tmp_path, "ERR101")
    assert reasons(found.refused) == [text]
    assert found.contents == {}


PREFIXED = {
    "a code": ('"error": "x", "code": "gone"', '"[gone] x"'),
    "a code with a name": ('"error": "x", "code": Code.GONE', 'f"[{Code.GONE}] " + "x"'),
    "a code and a text in variables": ('"error": text, "code": on', 'f"[{on}] " + str(text)'),
    "a message that begins with one": ('"error": "[gone] x"', '"[gone] x"'),
    "a code that is worked out": ('"error": "x", "code": apply(on)', ""),
}


@pytest.mark.parametrize(("payload", "message"), PREFIXED.values(), ids=PREFIXED)
def test_a_message_begins_with(tmp_path: Path, payload: str, message: str) -> None:
    prefix = '[tool.errlint.codes]\nprefix = "[{code}] "\nprefixed = ["ShopError"]\n'
    server = test_fix.tool(f"if not on:\n    return {{{payload}}}\n{SUCCESS}")
    (tmp_path / "shop").mkdir()
    (tmp_path / "pyproject.toml").write_text(test_fix.CONFIGURATION + prefix, encoding="utf-8")
    for name, module in (("__init__", ""), ("errors", test_fix.ERRORS), ("server", server)):
        (tmp_path / "shop" / f"{name}.py").write_text(module, encoding="utf-8")
    found = fixes_in(tmp_path, "ERR101")
    assert reasons(found.refused) == ([] if message else ["the convention asks for a code, and none fits"])
    raised = [after.decode() for _, after in found.contents.values()]
    assert raised == [server.replace(f"return {{{payload}}}", f"raise ShopError({message})")] * bool(message)


def test_what_a_factory_asks_to_be_a_text_is_named_with_its_place(tmp_path: Path) -> None:
    server = test_fix.tool(f"if not on:\n    return fail(on)\n{SUCCESS}")
    server += "\n\ndef fail(why):\n    if isinstance(why, str):\n"
    server += '        return {"error": why}\n    return {"error": str(why)}\n'
    found = test_fix.fixes(tmp_path, server, unsafe=True)
    assert ("`on` is taken to be a text", "shop/server.py:10") in test_fix.looks(found.fixed)
    assert reasons(found.refused) == []


CHECKS = {
    "that counts the variables": (
        'if "error" in result:\n    return {"path": "", "count": len(locals())}\nreturn result',
        "`locals` may read `result`",
    ),
    "that hands on the whole result": (
        'if "error" in result:\n    apply(result)\n    return {"path": "", "count": 0}\nreturn result',
        "the check of `result` does more with it than to read its error",
    ),
    "that reads the error later": (
        'if "error" in result:\n    return {"path": lambda: result["error"], "count": 0}\nreturn result',
        "`result` is used later than in the check",
    ),
    "that asks what is being handled": (
        'if "error" in result:\n    apply(sys.exc_info(), result["error"])\n    return {"path": "", "count": 0}\n'
        "return result",
        "`exc_info` would find the new exception",
    ),
}
HELPER = """

def helped(on):
    if not on:
        return {"error": "no name"}
    return {"path": "a", "count": 1}
"""


@pytest.mark.parametrize(("check", "text"), CHECKS.values(), ids=CHECKS)
def test_a_helper_keeps_its_error_return_below_a_check(tmp_path: Path, check: str, text: str) -> None:
    found = test_fix.fixes(tmp_path, test_fix.tool(f"result = helped(on)\n{check}\n") + HELPER, unsafe=True)
    assert reasons(found.refused) == [text]
    assert found.contents == {}


def refused_answer(
    folder: Path, server: str, answers: str = MODEL, configuration: str = test_fix_return.CONFIGURATION
) -> list[str]:
    """Return why an error return stays under the style `return`; nothing is changed."""
    found: Fixes = test_fix_return.fixes(folder, server, answers, configuration, unsafe=True)
    assert found.contents == {}
    return reasons(found.refused)


GUARD = 'if not name:\n    return {"error": "no name"}\nreturn {}\n'
PLAIN = "class Failure:\n    def __init__(self, error, code=None):\n        self.error = error\n"
DATA = "from dataclasses import dataclass, field\n\n\n@dataclass\nclass Failure:\n    error: str\n"
TYPES = {
    "without a constructor": ('class Failure:\n    error: str = ""\n', "`Failure` has no constructor of its own"),
    "with a message by its place alone": (
        PLAIN.replace("error, code", "error, /, code"),
        "the constructor takes something by its place alone",
    ),
    "with a decorator of a library": (
        f"from toolkit import made\n\n\n@made\n{PLAIN}",
        "what `made` makes of `Failure` is not known",
    ),
    "of two kinds": (
        "from dataclasses import dataclass\nfrom pydantic import BaseModel\n\n\n@dataclass\n"
        "class Failure(BaseModel):\n    error: str\n",
        "it is not certain what kind of class `Failure` is",
    ),
    "that says by itself that all went well": (
        f'{DATA}    status: str = field(init=False, default="ok")\n',
        "`Failure` says `status` by itself",
    ),
}


@pytest.mark.parametrize(("answers", "text"), TYPES.values(), ids=TYPES)
def test_a_payload_does_not_become_a_type(tmp_path: Path, answers: str, text: str) -> None:
    assert refused_answer(tmp_path, test_fix_return.tool(GUARD), answers) == [text]


def test_a_payload_stays_where_no_type_is_declared(tmp_path: Path) -> None:
    found = refused_answer(tmp_path, test_fix_return.tool(GUARD), configuration='style = "return"\n')
    assert found == ["`response.types` declares no type"]


DECLARED = {
    "no class": ('types = ["shop.answers.Lost"]\n', MODEL, "`shop.answers.Lost` is no class of the project"),
    "a class that is defined twice": (
        'types = ["*.Failure"]\n',
        MODEL + "\n\nclass Other:\n    class Failure(BaseModel):\n        error: str\n",
        "`*.Failure` is defined more than once; name it in full in `response.types`",
    ),
    "a class whose name is bound again": (
        'types = ["shop.answers.Failure"]\n',
        f"{MODEL}\n\nFailure = made(Failure)\n",
        "`shop.answers.Failure` is bound more than once",
    ),
    "a factory that nobody defines": (
        'types = ["shop.answers.Failure"]\nfactories = ["shop.answers.failed"]\n',
        MODEL.replace("    error: str\n", "    error: str\n    trace: str\n"),
        "`shop.answers.failed` is no function of the project",
    ),
    "a factory that is defined twice": (
        'types = ["shop.answers.Failure"]\nfactories = ["*.failed"]\n',
        MODEL.replace("    error: str\n", "    error: str\n    trace: str\n")
        + "\n\ndef failed(error):\n    return error\n\n\nclass Other:\n    def failed(error):\n        return error\n",
        "`*.failed` is defined more than once",
    ),
}


@pytest.mark.parametrize(("response", "answers", "text"), DECLARED.values(), ids=DECLARED)
def test_a_payload_stays_where_a_type_is_declared_as(tmp_path: Path, response: str, answers: str, text: str) -> None:
    configuration = f'style = "return"\n\n[response]\n{response}'
    server = test_fix_return.tool(GUARD).replace("from shop.answers import Failure\n", "")
    assert refused_answer(tmp_path, server, answers, configuration) == [text]


ANSWERS = {
    "a text in the content of a result": (
        'return CallToolResult(content=[TextContent(type="text", text="no name")], isError=True)\n',
        "a text in the content of an MCP result is no payload",
    ),
    "a part of what is dumped": (
        'return json.dumps({"error": "no name"} if not name else {})\n',
        "the payload is a part of what is dumped as JSON",
    ),
    "what a name holds in a part of the code": (
        'if not name:\n    result = find(amount)\n    result["error"] = "x"\n    return result\nreturn {}\n',
        "only a payload that is written out at the return is rewritten",
    ),
}


@pytest.mark.parametrize(("body", "text"), ANSWERS.values(), ids=ANSWERS)
def test_no_type_is_answered_in_the_place_of(tmp_path: Path, body: str, text: str) -> None:
    assert refused_answer(tmp_path, test_fix_return.tool(body)) == [text]


def test_an_object_whose_class_fills_a_field_by_a_call_stays(tmp_path: Path) -> None:
    server = test_fix_return.tool('if not name:\n    return OldFailure(error="no name")\nreturn {}\n')
    server = server.replace("from shop.answers", "from pydantic import BaseModel\nfrom shop.answers")
    server += "\n\nclass OldFailure(BaseModel):\n    error: str\n    code: str = made()\n"
    assert refused_answer(tmp_path, server) == ["`OldFailure` fills its `code` by itself"]


def test_an_object_that_fills_in_constants_becomes_a_type_with_them(tmp_path: Path) -> None:
    server = test_fix_return.tool('if not name:\n    return OldFailure(error="no name")\nreturn {}\n')
    server = server.replace("from shop.answers", "from pydantic import BaseModel\nfrom shop.answers")
    server += '\n\nclass OldFailure(BaseModel):\n    error: str\n    code: str = "E1"\n    suggestion: str = None\n'
    found = test_fix_return.fixes(tmp_path, server, unsafe=True)
    assert reasons(found.refused) == []
    assert 'return Failure(error="no name", code="E1")\n' in found.contents["shop/server.py"][1].decode()


FACTORIES = {
    "a decorated one": (
        '@cached\ndef failed(error):\n    return Failure(error=error, trace="")\n',
        "`shop.answers.failed` is no plain factory",
    ),
    "one of two of the name": (
        'def failed(error):\n    return Failure(error=error, trace="")\n\n\n'
        "def other():\n    def failed(error):\n        return None\n",
        "it is not certain what `shop.answers.failed` makes",
    ),
}


@pytest.mark.parametrize(("factory", "text"), FACTORIES.values(), ids=FACTORIES)
def test_a_factory_of_responses_is_not_called_that_is(tmp_path: Path, factory: str, text: str) -> None:
    traced = MODEL.replace("    error: str\n", "    error: str\n    trace: str\n")
    configuration = f'{test_fix_return.CONFIGURATION}factories = ["shop.answers.failed"]\n'
    answers = f"{traced}\n\n{factory}"
    assert refused_answer(tmp_path, test_fix_return.tool(GUARD), answers, configuration) == [text]


def test_an_answer_that_many_functions_hand_on_stays(tmp_path: Path) -> None:
    chain = "".join(f"\n\ndef step{number}(name):\n    return step{number + 1}(name)\n" for number in range(14))
    last = '\n\ndef step14(name):\n    if not name:\n        return {"error": "no name"}\n    return {}\n'
    found = refused_answer(tmp_path, test_fix_return.tool("return step0(name)\n") + chain + last)
    assert found == ["`step9` is too far from an adapter"]


BASES = {
    "a library": ("from crewai.tools import BaseTool\n\n\n", "server.py:4"),
    "the project": ("from base import BaseTool\n\n\n", "base.py:4"),
}


@pytest.mark.parametrize(("imported", "place"), BASES.values(), ids=BASES)
def test_the_class_is_named_of_which_nothing_is_known(tmp_path: Path, imported: str, place: str) -> None:
    (tmp_path / "base.py").write_text("import json\n\n\nclass BaseTool:\n    pass\n")
    tool = "class FindTool(BaseTool):\n    def _run(self, name: str) -> dict:\n"
    body = '        if not name:\n            return {"error": "no name"}\n        return {"found": name}\n'
    (tmp_path / "server.py").write_text(imported + tool + body)
    text = "it is not known what `BaseTool` makes of an exception"
    assert looks(fixes_in(tmp_path, "ERR101").refused) == [(text, place)]


@pytest.mark.parametrize("more", ['"code": "E1", "error_type": "none"', '"error_type": "none", "code": "E1"'])
def test_what_stands_under_a_field_is_not_replaced_by_what_means_the_same(tmp_path: Path, more: str) -> None:
    server = test_fix_return.tool(GUARD.replace('"no name"', f'"no name", {more}'))
    found = test_fix_return.fixes(tmp_path, server, unsafe=True)
    assert reasons(found.fixed) == ["clients do not find `error_type` any more, which `Failure` has no place for"]
    assert 'return Failure(error="no name", code="E1")' in found.contents["shop/server.py"][1].decode()


def test_a_constructor_takes_nothing_but_its_object_by_its_place(tmp_path: Path) -> None:
    answers = PLAIN.replace("self, error", "self, /, error")
    found = test_fix_return.fixes(tmp_path, test_fix_return.tool(GUARD), answers, unsafe=True)
    assert reasons(found.refused) == []
    assert 'return Failure(error="no name")' in found.contents["shop/server.py"][1].decode()


def test_reasons_that_differ_in_a_name_are_told_once(
    tmp_path: Path, errlint: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    server = "from fastmcp import FastMCP\n\nserver = FastMCP('shop')\n"
    for name in ("count", "find", "lend", "move"):
        answers = "    if not text:\n        return {'error': 'none', **text}\n    return {'path': text}\n"
        server += f"\n\ndef {name}(text):\n{answers}"
        server += f"\n\n@server.tool()\ndef ask_{name}(text):\n    r = {name}(text)\n    apply(r)\n    return {{}}\n"
    (tmp_path / "server.py").write_text(server)
    told = errlint("--isolated", "--no-cache", "--diff", "--unsafe-fixes").err
    assert told.count("what `count`, `find`, `lend` and 1 more answered for an error cannot be put together again") == 1
    assert told.count("answered for an error cannot") == 1
    assert [line.split(" in ")[0].strip() for line in told.splitlines() if " in `" in line] == [
        f"server.py:{line}" for line in (8, 21, 34, 47)
    ]
