"""What a call of an error factory becomes: a raise of what the factory builds, or of what is read off its answer."""

from __future__ import annotations

from pathlib import Path

import pytest
from test_fix import ERRORS, fixes, fixes_in, looks, reasons, tool

GUARD = "if not on:\n    {}\nreturn {{}}\n"

TELLING = 'def failed(error, hint=None, **more):\n    return {"success": False, "error": error, "hint": hint, **more}\n'
TURNED = 'def failed(error, hint):\n    return {"success": False, "hint": hint, "error": error}\n'
PREFIXED = 'PREFIX = "shop: "\n\n\ndef failed(error):\n    return {"success": False, "error": PREFIX + error}\n'
ANSWERS = """\
class Answers:
    def failed(self, error, hint=None):
        return {"success": False, "error": error}

    @classmethod
    def lost(cls, error):
        return {"success": False, "error": error}

    @staticmethod
    def gone(error):
        return {"success": False, "error": error}


answers = Answers()
"""

BUILT = {
    "what may do something, and another keyword": (
        TELLING,
        'failed(text.pop("x"), place=text)',
        'ShopError(text.pop("x"), context={"place": text})',
    ),
    "a keyword alone that may do something": (
        TELLING,
        'failed("no path", place=text.pop("x"))',
        'ShopError("no path", context={"place": text.pop("x")})',
    ),
    "a constant, behind what may do something in the answer": (
        TURNED,
        'failed("no path", text.pop("x"))',
        'ShopError("no path", context={"hint": text.pop("x")})',
    ),
    "what may do something, of which it makes a text": (
        'def failed(error):\n    return {"success": False, "error": str(error)}\n',
        'failed(text.pop("x"))',
        'ShopError(str(text.pop("x")))',
    ),
    "a text that it is given by the name of a parameter": (
        'def failed(error):\n    return {"success": False, "error": "no {error}".format(error=error)}\n',
        "failed(text)",
        'ShopError("no {error}".format(error=text))',
    ),
    "a text to which it adds a name of the file": (PREFIXED, "failed(text)", "ShopError(PREFIX + text)"),
    "the message of a method of a class": (ANSWERS, 'Answers.lost("no path")', 'ShopError("no path")'),
    "the message of a function in a class": (ANSWERS, 'Answers.gone("no path")', 'ShopError("no path")'),
    "the message of a method of an object": (ANSWERS, 'answers.failed("no path")', 'ShopError("no path")'),
    "the message of a method of the class of an object": (ANSWERS, 'answers.lost("no path")', 'ShopError("no path")'),
}


@pytest.mark.parametrize(("factory", "call", "raised"), BUILT.values(), ids=BUILT)
def test_what_a_factory_builds_is_raised_of(tmp_path: Path, factory: str, call: str, raised: str) -> None:
    found = fixes(tmp_path, tool(GUARD.format(f"return {call}")) + "\n\n" + factory, unsafe=True)
    assert reasons(found.refused) == []
    after = found.contents["shop/server.py"][1].decode()
    assert after.startswith(tool(GUARD.format(f"raise {raised}")))


READ_OFF = {
    "two calls that may do something, in another order": (TURNED, 'failed(text.pop("x"), text.pop("y"))', ""),
    "a variable, behind what may do something with it": (TURNED, 'failed(text, text.pop("x"))', ""),
    "a keyword that may do something, and that it does not take": (
        TELLING.replace(", **more}", "}"),
        'failed("no path", place=text.pop("x"))',
        "",
    ),
    "a text to which it adds a name of its own file": (PREFIXED, "failed(text)", "failed"),
    "what may do something, and what it does itself": (
        'def failed(error):\n    return {"success": False, "error": made(error)}\n',
        'failed(text.pop("x"))',
        "",
    ),
    "more than it takes": (
        'def failed(error):\n    return {"success": False, "error": error}\n',
        "failed(text, 1)",
        "",
    ),
    "a text where it is decorated": (f"@cached\n{TELLING}", "failed(text)", ""),
    "the object of a method of a class": (ANSWERS, 'Answers.failed(text, "no path")', ""),
}


@pytest.mark.parametrize(("factory", "call", "imported"), READ_OFF.values(), ids=READ_OFF)
def test_the_message_is_read_off_the_answer_of_a_factory_of(
    tmp_path: Path, factory: str, call: str, imported: str
) -> None:
    server, errors = tool(GUARD.format(f"return {call}")), ERRORS
    if imported:
        server, errors = server.replace("handle_errors\n", f"{imported}, handle_errors\n", 1), f"{ERRORS}\n\n{factory}"
    else:
        server = f"{server}\n\n{factory}"
    found = fixes(tmp_path, server, errors, unsafe=True)
    assert reasons(found.refused) == []
    raised = f'raise ShopError({call}["error"])'
    assert found.contents["shop/server.py"][1].decode() == server.replace(f"return {call}", raised)


def test_the_message_is_read_off_what_an_awaited_factory_answers(tmp_path: Path) -> None:
    server = tool(GUARD.format('return await failed("no path")')).replace("def read", "async def read")
    server += f"\n\nasync {TELLING}"
    found = fixes(tmp_path, server, unsafe=True)
    after = server.replace('return await failed("no path")', 'raise ShopError((await failed("no path"))["error"])')
    assert found.contents["shop/server.py"][1].decode() == after


REFUSED = {
    "that does more": (
        'def failed(error):\n    try:\n        return {"success": False, "error": error}\n'
        '    except OSError:\n        return {"error": 1}\n',
        "`failed` does more than to build a payload",
    ),
    "whose answer somebody else awaits": (f"async {TELLING}", "`failed` is no plain function"),
    "that yields what it answers": (TELLING.replace("return", "yield"), "`failed` is a generator"),
}


@pytest.mark.parametrize(("factory", "text"), REFUSED.values(), ids=REFUSED)
def test_a_call_stays_of_a_factory(tmp_path: Path, factory: str, text: str) -> None:
    found = fixes(tmp_path, tool(GUARD.format('return failed("no path")')) + "\n\n" + factory, unsafe=True)
    assert found.contents == {}
    assert [(each, place.partition(":")[0]) for each, place in looks(found.refused)] == [(text, "shop/server.py")]


def test_the_factory_is_named_that_is_not_read(tmp_path: Path) -> None:
    server = tool(GUARD.format('return failed("no path")')).replace("handle_errors\n", "failed, handle_errors\n", 1)
    found = fixes(tmp_path, server, f"{ERRORS}\n\n{REFUSED['that does more'][0]}", unsafe=True)
    assert looks(found.refused) == [(REFUSED["that does more"][1], "shop/errors.py:10")]


@pytest.mark.parametrize(
    ("hint", "raised"), [('"Try another."', '"no path. " "Try another."'), ('""', '"no path"')], ids=["told", "empty"]
)
def test_a_hint_stands_behind_the_message_where_it_says_something(tmp_path: Path, hint: str, raised: str) -> None:
    (tmp_path / "pyproject.toml").write_text("[tool.errlint]\n", encoding="utf-8")
    server = (
        'from fastmcp import FastMCP\n\nmcp = FastMCP("shop")\n\n\n@mcp.tool()\ndef read(path: str):\n'
        f'    if not path:\n        return failed("no path")\n    return {{}}\n\n\n{TELLING.replace("None", hint)}'
    )
    (tmp_path / "server.py").write_text(server, encoding="utf-8")
    after = fixes_in(tmp_path, "ERR102").contents["server.py"][1].decode()
    assert f"raise ToolError({raised})" in " ".join(after.split()).replace("( ", "(").replace(", )", ")")


def test_json_text_of_what_a_factory_builds_that_does_more_is_no_message(tmp_path: Path) -> None:
    server = tool(GUARD.format('return json.dumps(failed("no path"))'))
    factory, text = REFUSED["that does more"]
    found = fixes(tmp_path, f"import json\n{server}\n\n{factory}", unsafe=True)
    assert (found.contents, reasons(found.refused)) == ({}, [text])
