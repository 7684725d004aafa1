"""Builders of answers that are told whether there is an error: what is said where they are called, and of them."""

from __future__ import annotations

from textwrap import indent

import pytest
from linked_texts import linked

HEAD = "from fastmcp import FastMCP\n\nmcp = FastMCP('shop')\n\n\n"
BAD = "{'success': False, 'error': text}"
GOOD = "{'success': True, 'data': text}"
TOOL = "\n\n@mcp.tool()\ndef find(text: str):\n"

BUILDERS = {
    "a flag": ("ok, text", f"if ok:\n    return {GOOD}\nreturn {BAD}", "built(False, text)", "built(True, text)"),
    "a flag, in one answer": ("ok, text", f"return {GOOD} if ok else {BAD}", "built(False, text)", "built(True, text)"),
    "a flag that is turned around, in one answer": (
        "text, failed=False",
        f"return {BAD} if failed else {GOOD}",
        "built(text, failed=True)",
        "built(text)",
    ),
    "one of two flags, in one answer": (
        "ok, text, failed",
        f"if failed:\n    return {BAD}\nreturn {GOOD} if ok else {BAD}",
        "built(False, text, False)",
        "built(True, text, False)",
    ),
    "a flag that is turned around": (
        "failed, text",
        f"if not failed:\n    return {GOOD}\nelse:\n    return {BAD}",
        "built(True, text)",
        "built(False, text)",
    ),
    "a status": (
        "status, text",
        f"if status == 'success':\n    return {GOOD}\nreturn {BAD}",
        "built('error', text)",
        "built('success', text)",
    ),
    "one of several statuses": (
        "status, text",
        f"if status in ('ok', 'success'):\n    return {GOOD}\nanswer = {BAD}\nreturn answer",
        "built(status='error', text=text)",
        "built('ok', text)",
    ),
    "another name for a status": (
        "kind, text",
        f"if kind != 'error':\n    return {GOOD}\nreturn {BAD}",
        "built('error', text)",
        "built('fine', text)",
    ),
    "an error that may be given": (
        "text, error=None",
        f"if error is not None:\n    return {{'success': False, 'error': error}}\nreturn {GOOD}",
        "built(text, f'no {text}')",
        "built(text)",
    ),
    "both at once": (
        "ok, text, error=''",
        f"if ok and not error:\n    return {GOOD}\nif error:\n    text = error\nreturn {BAD}",
        "built(False, text)",
        "built(True, text)",
    ),
    "one answer that two branches fill": (
        "ok, text",
        f"if ok:\n    answer = {GOOD}\nelse:\n    answer = {BAD}\nreturn answer",
        "built(False, text)",
        "built(True, text)",
    ),
    "one answer that gets more behind its branches": (
        "ok, text",
        f"if ok:\n    answer = {GOOD}\nelse:\n    answer = {BAD}\nanswer['took'] = clock()\nreturn answer",
        "built(False, text)",
        "built(True, text)",
    ),
    "one answer that is first another": (
        "text, failed=False",
        f"answer = {GOOD}\nif failed:\n    answer = {BAD}\nreturn answer",
        "built(text, failed=True)",
        "built(text)",
    ),
    "one text of two": (
        "status, text",
        "if status == 'error':\n    line = f'Error: {text}'\nelse:\n    line = f'Found {text}'\nreturn line",
        "built('error', text)",
        "built('success', text)",
    ),
    "one answer of a helper or not": (
        "ok, text",
        f"if ok:\n    answer = good(text)\nelse:\n    answer = {BAD}\nreturn answer",
        "built(False, text)",
        "built(True, text)",
    ),
    "what is asked in a block": (
        "ok, text",
        f"with lock:\n    if ok:\n        return {GOOD}\n    return {BAD}",
        "built(False, text)",
        "built(True, text)",
    ),
}


def told(text: str, *, use_ast: bool = True) -> list[str]:
    """Return the functions with an error return, each with the helper that builds it."""
    sites = linked({"server.py": HEAD + text}, use_ast=use_ast).sites.of("server.py")
    return [f"{each.function.name} {each.form.helper.function.name if each.form.helper else ''}" for each in sites]


def built(parameters: str, body: str, *answers: str) -> str:
    """Return a builder, with a tool for each answer that is made with it."""
    tools = "".join(
        TOOL.replace("find", f"find_{index}") + f"    return {each}\n" for index, each in enumerate(answers)
    )
    return f"def built({parameters}):\n{indent(body, '    ')}\n{tools}"


@pytest.mark.parametrize("use_ast", [True, False], ids=["ast", "libcst"])
@pytest.mark.parametrize(("parameters", "body", "bad", "good"), BUILDERS.values(), ids=BUILDERS)
def test_what_a_call_makes_an_error_is_one_there_alone(
    parameters: str, body: str, bad: str, good: str, use_ast: bool
) -> None:
    assert told(built(parameters, body, bad, good), use_ast=use_ast) == ["find_0 built"]


FLAGGED = f"if ok:\n    return {GOOD}\nreturn {BAD}"

UNDECIDED = {
    "a flag that only the run knows": ("ok, text", FLAGGED, "built(text.isdigit(), text)"),
    "a flag that is worked out before": ("ok, text", f"ok = ok and text\n{FLAGGED}", "built(False, text)"),
    "arguments that only the run knows": ("ok, text", FLAGGED, "built(*text)"),
    "something else that is asked": ("text, deep", f"if deep:\n    return {GOOD}\nreturn {BAD}", "built(text, False)"),
    "a flag that only the run knows, in one answer": (
        "ok, text",
        f"return {GOOD} if ok else {BAD}",
        "built(text.isdigit(), text)",
    ),
    "something else that is asked, in one answer": (
        "text, deep",
        f"return {GOOD} if deep else {BAD}",
        "built(text, False)",
    ),
    "an order": ("status, text", f"if status < 400:\n    return {GOOD}\nreturn {BAD}", "built(500, text)"),
}


@pytest.mark.parametrize(("parameters", "body", "answer"), UNDECIDED.values(), ids=UNDECIDED)
def test_what_no_call_decides_is_told_in_the_builder(parameters: str, body: str, answer: str) -> None:
    assert told(built(parameters, body, answer)) == ["built "]


def test_a_builder_is_told_too_where_one_call_decides_and_another_does_not() -> None:
    text = built("ok, text", FLAGGED, "built(False, text)", "built(text.isdigit(), text)")
    assert told(text) == ["built ", "find_0 built"]


def test_a_builder_without_an_error_that_is_asked_for_is_none() -> None:
    assert told(built("ok, text", FLAGGED, "built(True, text)")) == []


def test_an_answer_is_no_error_where_the_branch_of_the_error_is_not_asked_for() -> None:
    body = f"if ok:\n    answer = {GOOD}\nelse:\n    answer = {BAD}\nreturn answer"
    assert told(built("ok, text", body, "built(True, text)")) == []
    assert told(built("ok, text", body, "built(text.isdigit(), text)")) == ["built "]


def test_an_answer_of_which_two_branches_make_the_same_is_an_error_in_both() -> None:
    body = (
        f"if kind == 'error':\n    answer = {BAD}\nelif kind == 'success':\n    answer = {GOOD}\n"
        f"else:\n    answer = {BAD}\nreturn answer"
    )
    assert told(built("kind, text", body, "built('other', text)", "built('success', text)")) == ["built "]


def test_a_builder_that_nobody_calls_any_more_is_none() -> None:
    assert told(built("ok, text", FLAGGED, "text")) == []


def test_a_tool_that_is_told_of_an_error_answers_it_itself() -> None:
    assert told(f"{TOOL.replace('text: str', 'ok, text')}{indent(FLAGGED, '    ')}\n") == ["find "]
