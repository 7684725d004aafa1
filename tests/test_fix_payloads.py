"""What of an answer is the message, and what else an exception is given of it."""

from __future__ import annotations

from pathlib import Path

import pytest
from test_fix import fixes, looks, reasons, tool

GUARD = "if not on:\n    {}\nreturn {{}}\n"
PART = "only the message of what is answered here is raised"
MADE_UP = "the payload does not say what went wrong: the message is made up"
OTHER_KEY = "the message stood under `code`, where the boundary's answer has none"


def lacking(key: str) -> str:
    """What is told of a key that the boundary does not answer."""
    return f"the boundary's answer does not have the same `{key}`"


def shaped(shape: str) -> str:
    """What is told of an answer that was no dict."""
    return f"the answer was {shape}, the boundary's is an object"


SAID = {
    "a message, beside a code": (
        '{"success": False, "error": "no path", "code": "bad"}',
        '"no path", context={"code": "bad"}',
        [lacking("code")],
    ),
    "a code, where nothing else is said": ('{"success": False, "code": "BAD"}', '"BAD"', [OTHER_KEY]),
    "a code, beside other keys": (
        '{"success": False, "code": "BAD", "size": 1}',
        '"BAD", context={"size": 1}',
        [OTHER_KEY, lacking("size")],
    ),
    "none of two codes": (
        '{"success": False, "code": "BAD", "error_code": "WORSE"}',
        '"read failed", context={"code": "BAD", "error_code": "WORSE"}',
        [MADE_UP, lacking("code"), lacking("error_code")],
    ),
    "the sentence that an object is made of, beside another one by its name": (
        'ErrorReply("no path given here", hint="try another one now")',
        '"no path given here"',
        [PART, shaped("what `ErrorReply` answers")],
    ),
}


@pytest.mark.parametrize(("payload", "arguments", "doubts"), SAID.values(), ids=SAID)
def test_the_message_is(tmp_path: Path, payload: str, arguments: str, doubts: list[str]) -> None:
    found = fixes(tmp_path, tool(GUARD.format(f"return {payload}")), unsafe=True)
    assert reasons(found.fixed) == sorted(doubts)
    assert found.contents["shop/server.py"][1].decode() == tool(GUARD.format(f"raise ShopError({arguments})"))


BUILT = {
    "a result of MCP": (
        'CallToolResult(content=[TextContent(type="text", text=message)], isError=True)',
        [shaped("a `CallToolResult`")],
    ),
    "a list of content": ('[TextContent(type="text", text=message)]', [shaped("a list of content")]),
}


@pytest.mark.parametrize(("built", "doubts"), BUILT.values(), ids=BUILT)
def test_a_factory_builds(tmp_path: Path, built: str, doubts: list[str]) -> None:
    server = tool(GUARD.format('return failed("Error: no path")'))
    found = fixes(tmp_path, f"{server}\n\ndef failed(message):\n    return {built}\n", unsafe=True)
    assert reasons(found.fixed) == doubts
    after = found.contents["shop/server.py"][1].decode()
    assert after == tool(GUARD.format('raise ShopError("Error: no path")'))


HELPERS = """

def answer(data, more=None):
    return {"results": sorted(data), "more": more}


def size(text):
    return len(text)
"""
NOT_CALLED = "`retry` is not called for the error any more, and may do something"

HANDED = {
    "of a call": ('answer({"error": apply(text)})', "apply(text)", ["it cannot be told whether the message is a text"]),
    "beside what is only worked out": ('answer({"error": "no path"}, size(text))', '"no path"', []),
    "by what may do something": ('retry({"error": "no path"}, size(text))', '"no path"', [NOT_CALLED]),
}


@pytest.mark.parametrize(("call", "message", "doubts"), HANDED.values(), ids=HANDED)
def test_an_error_is_raised_that_is_handed_over(tmp_path: Path, call: str, message: str, doubts: list[str]) -> None:
    found = fixes(tmp_path, tool(GUARD.format(f"return {call}")) + HELPERS, unsafe=True)
    after = found.contents["shop/server.py"][1].decode()
    assert f"    if not on:\n        raise ShopError({message})\n" in after
    name = call.partition("(")[0]
    assert reasons(found.fixed) == sorted([PART, shaped(f"what `{name}` answers"), *doubts])


def test_an_error_stays_that_is_handed_over_beside_what_may_do_something(tmp_path: Path) -> None:
    found = fixes(tmp_path, tool(GUARD.format('return answer({"error": "x"}, apply(text))')) + HELPERS, unsafe=True)
    text = "what is passed to `answer` beside the error may do something"
    assert (found.contents, looks(found.refused)) == ({}, [(text, "shop/server.py:10")])


BEGUN = 'found = {{"path": ""}}\n{}if not on:\n    {}return found\n'
FOUND = 'found["error"] = "x"\n    return found\n'
OPEN = [
    lacking("**found"),
    "the exception is not given `**found`, for what is there is not known here",
    "what the payload takes over from another dict may have a message, too",
]

BETWEEN = {
    "nothing": ("", []),
    "what has nothing to do with it": ("apply(on)\n", []),
    "what puts more into it, and answers it": ('if on == 1:\n    found["path"] = "a"\n    return found\n', []),
    "what puts more into it": ('found["path"] = on\n', OPEN),
    "what puts more into it on a condition": ('if on == 1:\n    found["path"] = "a"\n', OPEN),
    "what it is handed to": ("apply(found)\n", OPEN),
}


@pytest.mark.parametrize(("between", "doubts"), BETWEEN.values(), ids=BETWEEN)
def test_an_error_is_put_into_a_dict_behind(tmp_path: Path, between: str, doubts: list[str]) -> None:
    found = fixes(tmp_path, tool(BEGUN.format(between, FOUND)), unsafe=True)
    assert reasons(found.fixed) == sorted(doubts)
    after = BEGUN.format(between, 'raise ShopError("x")\n')
    assert found.contents["shop/server.py"][1].decode() == tool(after)


SHARED = "try:\n    apply(on)\nexcept ShopError as e:\n    apply(e){}return told(e)\nreturn {{}}\n"
TOLD = '\n\ndef told(error):\n    return {"error": str(error)}\n'


def test_an_exception_is_raised_again_in_the_place_of_what_tells_it(tmp_path: Path) -> None:
    found = fixes(tmp_path, tool(SHARED.format("\n    ")) + TOLD, unsafe=True)
    after = tool(SHARED.format("\n    ")).replace("return told(e)", "raise")
    assert found.contents["shop/server.py"][1].decode() == after


def test_an_exception_is_not_raised_again_where_a_line_does_more(tmp_path: Path) -> None:
    found = fixes(tmp_path, tool(SHARED.format("; ")) + TOLD, unsafe=True)
    assert (found.contents, looks(found.refused)) == (
        {},
        [("the statement shares its line with others", "shop/server.py:12")],
    )
