"""Envelopes that say by a number how a call went: which are errors, and which numbers mean something else."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from judged_texts import findings

OK, BAD, ODD = "{'code': 0, 'msg': 'ok'}", "{'code': 1, 'msg': 'no such book'}", "{'code': 1, 'msg': 'which one'}"


def tool(name: str, *answers: str) -> str:
    """Return a tool that answers one of several, each on a line of its own."""
    lines = "".join(f"    if title == {index}:\n        return {answer}\n" for index, answer in enumerate(answers))
    return f"@mcp.tool()\ndef {name}(title, text):\n{lines}\n\n"


def errors(text: str, *, rules: Sequence[str] = ("ERR101", "ERR102", "ERR105")) -> list[str]:
    """Return the lines of a file that answer an error, without what stands around them."""
    lines = text.splitlines()
    found = findings({"server.py": text}, rules=rules)
    return [lines[each.span.line - 1].strip().removeprefix("return ") for each in found]


ERRORS = {
    "beside a success": (OK, BAD),
    "that does not say what is wrong, beside a success": (OK, ODD),
    "of HTTP, beside its success": ("{'code': 200, 'message': 'ok'}", "{'code': 404, 'message': 'which one'}"),
    "of HTTP, that is the first of its errors": ("{'code': 200, 'msg': 'ok'}", "{'code': 400, 'msg': 'which one'}"),
    "below those of HTTP": ("{'code': 0, 'msg': 'ok'}", "{'code': 99, 'msg': 'which one'}"),
    "below nothing": ("{'code': 0, 'msg': 'ok'}", "{'code': -1, 'msg': 'which one'}"),
    "under another key": ("{'errno': 0, 'desc': 'ok'}", "{'errno': 5, 'desc': 'which one'}"),
    "in capitals": ("{'Code': 0, 'Msg': 'ok'}", "{'Code': 1, 'Msg': 'which one'}"),
    "beside what was asked for": ("{'code': 0, 'data': [title]}", ODD),
    "whose text is nothing, for a success": ("{'code': 0, 'msg': ''}", ODD),
    "whose text is none, for a success": ("{'code': 0, 'msg': None}", ODD),
    "that says what is wrong, beside a success that says nothing": ("{'code': 0, 'msg': 'a book'}", BAD),
    "that another one tells of, beside a success that says nothing": ("{'code': 0, 'msg': 'a book'}", BAD),
    "with a text that only the run knows": (OK, "{'code': 1, 'msg': f'{title} is full'}"),
}


@pytest.mark.parametrize(("good", "bad"), ERRORS.values(), ids=ERRORS)
def test_the_number_of_an_error_stands(good: str, bad: str) -> None:
    assert errors(tool("find", good, bad)) == [bad]


OTHERS = {
    "alone": (BAD,),
    "beside the number of a success that says what is wrong": ("{'code': 0, 'msg': 'no such shelf'}", BAD),
    "beside a success under another key": ("{'status': 0, 'msg': 'ok'}", BAD),
    "beside a success of a state": ("{'code': 0, 'msg': 'open'}", "{'code': 1, 'msg': 'shut'}"),
    "with a text that says that it went well": ("{'code': 0, 'msg': 'ok'}", "{'code': 1, 'msg': 'done'}"),
    "of a redirection": ("{'code': 200, 'msg': 'ok'}", "{'code': 302, 'msg': 'which one'}"),
    "of the first of HTTP": ("{'code': 200, 'msg': 'ok'}", "{'code': 100, 'msg': 'which one'}"),
    "of the last that is none of an error": ("{'code': 200, 'msg': 'ok'}", "{'code': 399, 'msg': 'which one'}"),
    "without a text": (OK, "{'code': 1, 'books': 3}"),
    "that only the run knows": (OK, "{'code': title, 'msg': 'no such book'}"),
    "that is a flag": (OK, "{'code': True, 'msg': 'which one'}"),
    "of a process": (OK, "{'code': 1, 'msg': 'which one', 'exit_code': 1}"),
    "of what is printed": (OK, "{'code': 1, 'msg': 'which one', 'stdout': ''}"),
    "under a key of something else": ("{'count': 0, 'msg': 'ok'}", "{'count': 1, 'msg': 'which one'}"),
    "of a success by another convention": ("{'code': 0, 'msg': 'which one'}", "{'code': 1, 'msg': 'ok'}", ODD),
    "beside a number without a text or anything else": ("{'code': 0, 'books': 3}", ODD),
    "of a text that is a success": ("{'code': 0, 'msg': 'a book'}", ODD),
    "of three states": (
        "{'code': 0, 'msg': 'open'}",
        "{'code': 1, 'msg': 'half open'}",
        "{'code': 2, 'msg': 'shut'}",
    ),
    "of three states, the first of which is well": (OK, ODD, "{'code': 2, 'msg': 'shut'}"),
}


@pytest.mark.parametrize("answers", OTHERS.values(), ids=OTHERS)
def test_a_number_is_none_of_an_error(answers: tuple[str, ...]) -> None:
    assert errors(tool("find", *answers)) == []


def test_numbers_of_several_errors_are_those_where_one_says_what_is_wrong() -> None:
    other = "{'code': 2, 'msg': 'shut'}"
    assert errors(tool("find", OK, BAD, other)) == [BAD, other]


def test_a_number_with_data_alone_says_nothing_of_what_numbers_mean() -> None:
    assert errors(tool("find", OK, "{'code': 1, 'data': []}", BAD)) == [BAD]


def test_an_envelope_that_a_function_builds_may_have_its_text_by_itself() -> None:
    builder = "def built(code):\n    return {'code': code, 'msg': 'ok'}\n\n\n"
    assert errors(builder + tool("find", "built(0)", ODD)) == [ODD]


def usual(*answers: str) -> str:
    return "".join(tool(f"tool_{index}", answer) for index, answer in enumerate(answers))


DISTRIBUTIONS = {
    "that has two successes": ((OK, OK), True),
    "that has one success": ((OK,), False),
    "that has two successes of another number": (("{'code': 1, 'msg': 'ok'}", "{'code': 1, 'msg': 'ok'}"), False),
    "that has as many successes of another number": (
        (OK, OK, "{'code': 7, 'msg': 'ok'}", "{'code': 7, 'msg': 'ok'}"),
        True,
    ),
    "that has more successes of another number": (
        (OK, OK, "{'code': 7, 'msg': 'ok'}", "{'code': 7, 'msg': 'ok'}", "{'code': 7, 'msg': 'done'}"),
        False,
    ),
    "that has successes under another key": (("{'ret': 0, 'msg': 'ok'}", "{'ret': 0, 'msg': 'ok'}"), False),
    "that has successes without a text": (("{'code': 0, 'data': title}", "{'code': 0, 'data': text}"), False),
    "that has two which say nothing": (("{'code': 0, 'msg': 'a book'}", "{'code': 0, 'msg': 'a shelf'}"), False),
}


@pytest.mark.parametrize(("answers", "is_error"), DISTRIBUTIONS.values(), ids=DISTRIBUTIONS)
def test_an_envelope_is_the_usual_one_in_a_distribution(answers: tuple[str, ...], is_error: bool) -> None:
    assert errors(usual(*answers) + tool("find", ODD)) == ([ODD] if is_error else [])


def test_successes_of_another_distribution_say_nothing() -> None:
    texts = {"one/a.py": usual(OK, OK), "two/b.py": tool("find", ODD)}
    assert findings(texts, rules=["ERR101"], distributions=("one", "two")) == []
    assert len(findings(texts, rules=["ERR101"])) == 1


def test_three_numbers_are_errors_where_their_envelope_is_the_usual_one() -> None:
    other = "{'code': 2, 'msg': 'shut'}"
    assert errors(usual(OK) + tool("find", OK, ODD, other)) == [ODD, other]
    assert errors(usual(OK, OK) + tool("find", "{'code': 0, 'msg': 'open'}", ODD, other)) == []


CAUGHT = """\
@mcp.tool()
def find(title):
    try:
        read(title)
    except OSError as error:
        return {answer}
    return {good}
"""


@pytest.mark.parametrize(
    ("answer", "good", "is_error"),
    [
        pytest.param("{'code': 3, 'msg': str(error)}", "{'code': 0, 'msg': 'a book'}", True, id="what is caught"),
        pytest.param("{'code': 3, 'msg': 'which one'}", "{'code': 0, 'msg': 'a book'}", True, id="another text"),
        pytest.param("{'code': 0, 'msg': 'which one'}", "{'code': 3, 'msg': 'a book'}", False, id="a success"),
        pytest.param("{'code': 3, 'msg': 'done'}", "{'code': 0, 'msg': 'a book'}", False, id="a text of a success"),
    ],
)
def test_a_handler_answers_a_number_with(answer: str, good: str, is_error: bool) -> None:
    text = CAUGHT.replace("{answer}", answer).replace("{good}", good)
    assert errors(text) == ([answer] if is_error else [])


BUILT = "def built(code=0, msg='ok', data=None):\n    return {'code': code, 'msg': msg, 'data': data}\n\n\n"

CALLS = {
    "a success": ("built(data=title)", True),
    "a success with a number and a text": ("built(0, 'done')", True),
    "an error alone": ("built(1, 'no such book')", False),
    "what only the run knows": ("built(title, text)", False),
    "a success with a text of a failure": ("built(0, 'no such shelf')", False),
    "what another function makes": ("other(data=title)", False),
    "what a method makes": ("title.built(data=title)", False),
}


@pytest.mark.parametrize(("call", "is_error"), CALLS.values(), ids=CALLS)
def test_an_envelope_that_a_function_builds_shows_what_numbers_mean(call: str, is_error: bool) -> None:
    builder = BUILT.replace("code=0, msg='ok'", "code, msg") if call.startswith("built(0") else BUILT
    assert errors(builder + tool("find", call, ODD)) == ([ODD] if is_error else [])


def test_an_envelope_that_functions_build_by_default_is_the_usual_one() -> None:
    second = BUILT.replace("built", "made")
    assert errors(BUILT + second + tool("find", ODD)) == [ODD]
    assert errors(BUILT + tool("find", ODD)) == []
    assert errors((BUILT + second).replace("code=0", "code=1") + tool("find", ODD)) == []


BEGUN = """\
@mcp.tool()
def find(title):
    answer = {begun}
    if title:
        answer['code'] = 1
        answer['msg'] = 'which one'
    return answer
"""


@pytest.mark.parametrize(
    ("begun", "is_error"),
    [
        pytest.param("{'code': 0, 'msg': 'ok'}", True, id="a success"),
        pytest.param("{'code': 1, 'msg': 'ok'}", False, id="another number"),
        pytest.param("{'code': 0, 'msg': 'a book'}", False, id="what says nothing"),
    ],
)
def test_an_envelope_begins_as(begun: str, is_error: bool) -> None:
    assert errors(BEGUN.replace("{begun}", begun)) == (["answer"] if is_error else [])


CHOSEN = """\
@mcp.tool()
def find(title):
    answer = {'code': 0, 'msg': 'ok'}
    if title:
        answer = {other}
    if title == 1:
        answer = {'code': 1, 'msg': 'which one'}
    return answer
"""


@pytest.mark.parametrize(
    "other",
    [
        pytest.param("{'code': 0, 'msg': 'a book'}", id="another success"),
        pytest.param("{'books': [title]}", id="an answer without a number"),
    ],
)
def test_an_envelope_is_one_of_several_with(other: str) -> None:
    assert errors(CHOSEN.replace("{other}", other)) == ["answer"]


MODEL = "from pydantic import BaseModel\n\n\nclass Answer(BaseModel):\n    code: int = 0\n    msg: str = ''\n\n\n"

OBJECTS = {
    "the number of an error": ("Answer(code=1, msg='which one')", "", True),
    "the number of an error and a text that says so": ("Answer(code=1, msg='no such book')", "", True),
    "the number of a success": ("Answer(code=0, msg='which one')", "", False),
    "a number of HTTP": ("Answer(code=302, msg='which one')", "", False),
    "a text that says that it went well": ("Answer(code=1, msg='ok')", "", False),
    "no text": ("Answer(code=1)", "", False),
    "a number where the default is that of an error": ("Answer(code=1, msg='which one')", "code: int = 1", False),
    "a number without a default": ("Answer(code=1, msg='which one')", "code: int", False),
    "a number where a field says the default": (
        "Answer(code=1, msg='which one')",
        "code: int = Field(default=200)",
        True,
    ),
    "a number of something else": ("Answer(count=1, msg='which one')", "count: int = 0", False),
}


@pytest.mark.parametrize(("made", "field", "is_error"), OBJECTS.values(), ids=OBJECTS)
def test_an_object_is_given(made: str, field: str, is_error: bool) -> None:
    head = MODEL.replace("code: int = 0", field) if field else MODEL
    text = f"{head.replace('BaseModel', 'BaseModel, Field', 1)}{tool('find', made)}"
    assert errors(text) == ([made] if is_error else [])
