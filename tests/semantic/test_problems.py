"""Problem objects of RFC 9457: what certainly is one, and what is wrong with it."""

from __future__ import annotations

import pytest
from judged_texts import astray

HEAD = "from starlette.responses import JSONResponse, Response\n\n\ndef find(title, code, more):\n"
ASKS = '[payload]\nkey = "problem"\nfields = ["type", "title", "status", "detail"]\n'
PLAIN = '[payload]\nkey = "error"\n'

TYPE = '"type": "https://shop.example/problems/gone"'
WHOLE = f'{{{TYPE}, "title": "Gone", "status": 410, "detail": title, "instance": title}}'


def answered(value: str, settings: str = PLAIN) -> list[str]:
    """Return how the findings of a function with an answer differ from its mark."""
    answer, _, mark = value.partition("  # error: ")
    return astray({"shop.py": f"{HEAD}    return {answer}{'  # error: ' if mark else ''}{mark}\n"}, settings, "ERR410")


MISSPELT = "spells `detail` as `details`"
BAD = '"title": "Gone", "details": title'

FOUND = {
    "an object with a type of problems": f"{{{TYPE}, {BAD}, 'status': 410}}  # error: {MISSPELT}",
    "an object with a type about nothing": f"{{'type': 'about:blank', {BAD}, 'status': 410}}  # error: {MISSPELT}",
    "an object with a type of errors": (
        f"{{'type': f'https://shop.example/errors/{{code}}', {BAD}, 'status': 410}}  # error: {MISSPELT}"
    ),
    "what is below the key, by three members": (
        f"{{'problem': {{{TYPE}, 'status': 410, {BAD}}}}}  # error: {MISSPELT}"
    ),
    "what is below the key, beside an error": (
        f"{{'error': 'gone', 'problem': {{{TYPE}, {BAD}}}}}  # error: {MISSPELT}, lacks `status`"
    ),
    "what is in a list": f"[{{{TYPE}, {BAD}, 'status': 410}}]  # error: {MISSPELT}",
    "what is one of two": f"{{}} if title else {{{TYPE}, {BAD}, 'status': 410}}  # error: {MISSPELT}",
    "what is below another key": f"{{'data': {{{TYPE}, {BAD}, 'status': 410}}}}  # error: {MISSPELT}",
    "what is handed to a call": f"wrapped({{{TYPE}, {BAD}, 'status': 410}})  # error: {MISSPELT}",
    "what a method is called on": f"wrapped({{{TYPE}, {BAD}, 'status': 410}}).sent()  # error: {MISSPELT}",
    "the body of a response that says so": (
        f"JSONResponse({{{BAD}}}, media_type='application/problem+json')  # error: {MISSPELT}"
    ),
    "the content of a response that says so": (
        f"JSONResponse(content={{{BAD}}}, media_type='application/problem+json')  # error: {MISSPELT}"
    ),
    "the body of a response whose headers say so": (
        f"JSONResponse({{{BAD}}}, headers={{'content-type': 'application/problem+json'}})  # error: {MISSPELT}"
    ),
}
OTHERS = {
    "a type of something else": f"{{'type': 'book', {BAD}, 'status': 410}}",
    "a type that only the run knows": f"{{'type': code, {BAD}, 'status': 410}}",
    "no type": f"{{{BAD}, 'status': 410}}",
    "one member beside the type": f"{{{TYPE}, 'details': title, 'status': 410}}",
    "two members below the key": "{'problem': {'id': 1, 'title': 'Two sum', 'details': title}}",
    "two members that a problem has below the key": "{'problem': {'title': 'Two sum', 'status': 'open'}}",
    "a text below the key": "{'problem': title}",
    "a response that says nothing": f"JSONResponse({{{BAD}}})",
    "a response of another type": f"JSONResponse({{{BAD}}}, media_type='application/json')",
    "another argument of a response": (
        f"JSONResponse({WHOLE}, background={{{BAD}}}, media_type='application/problem+json')"
    ),
    "another argument with the type": f"JSONResponse({{{BAD}}}, link='application/problem+json')",
}


@pytest.mark.parametrize("value", FOUND.values(), ids=FOUND)
def test_a_problem_object_is(value: str) -> None:
    assert answered(value) == []


@pytest.mark.parametrize("value", OTHERS.values(), ids=OTHERS)
def test_no_problem_object_is(value: str) -> None:
    assert answered(value) == []


def test_an_object_in_a_name_is_one_and_one_of_several_is_not_certain() -> None:
    bad = f"{{{TYPE}, {BAD}, 'status': 410}}"
    one = f"{HEAD}    answer = {bad}\n    return answer  # error: {MISSPELT}\n"
    assert astray({"shop.py": one}, PLAIN, "ERR410") == []
    two = f"{HEAD}    answer = {bad}\n    if title:\n        answer = {WHOLE}\n    return answer\n"
    assert astray({"shop.py": two}, PLAIN, "ERR410") == []


def member(inner: str) -> str:
    return f"{{'error': 'gone', 'problem': {{{inner}}}}}"


MEMBERS = {
    "all of them": ("'title': 'Gone', 'status': 410, 'detail': title", ""),
    "no title": ("'status': 410, 'detail': title", "lacks `title`;"),
    "no title and no detail": ("'status': 410", "lacks `title`, `detail`;"),
    "an empty title": ("'title': None, 'status': 410, 'detail': title", "lacks `title`;"),
    "a title under another name": (
        "'Title': 'Gone', 'status': 410, 'detail': title",
        "spells `title` as `Title`;",
    ),
    "a status under another name": (
        "'title': 'Gone', 'status_code': 410, 'detail': title",
        "spells `status` as `status_code`;",
    ),
    "one letter too much": ("'titles': 'Gone', 'status': 410, 'detail': title", "spells `title` as `titles`;"),
    "an extension": ("'title': 'Gone', 'status': 410, 'detail': title, 'shelf': 3", ""),
    "an extension that is called alike": ("'title': 'Gone', 'status': 410, 'detail': title, 'details': []", ""),
    "an extension that begins otherwise": ("'status': 410, 'detail': title, 'vitle': 3", "lacks `title`;"),
    "an extension that is much longer": ("'title': 'Gone', 'statuses': 3, 'detail': title", "lacks `status`;"),
    "what is merged": ("'status': 410, **more", ""),
}


@pytest.mark.parametrize(("members", "said"), MEMBERS.values(), ids=MEMBERS)
def test_below_the_key_is(members: str, said: str) -> None:
    mark = f"  # error: {said}" if said else ""
    assert answered(f"{member(f'{TYPE}, {members}')}{mark}") == []


def test_a_type_under_another_name_is_one_too() -> None:
    value = member("'type_uri': 'about:blank', 'title': 'Gone', 'status': 410, 'detail': title")
    assert answered(f"{value}  # error: spells `type` as `type_uri`;") == []


def test_a_response_need_not_have_every_member_unless_the_policy_asks_for_it() -> None:
    body = "JSONResponse({'title': 'Gone', 'status': 410}, media_type='application/problem+json')"
    assert answered(body) == []
    assert answered(f"{body}  # error: lacks `type`, `detail`;", ASKS) == []
    other = ASKS.replace('"problem"', '"error"')
    assert answered(body, other) == []


def test_an_instance_is_asked_for_by_the_policy_alone() -> None:
    value = member(f"{TYPE}, 'title': 'Gone', 'status': 410, 'detail': title")
    assert answered(value, ASKS) == []
    assert answered(f"{value}  # error: lacks `instance`;", ASKS.replace('"detail"]', '"detail", "instance"]')) == []


def typed(name: str, value: str) -> str:
    members = {"type": "'about:blank'", "title": "'Gone'", "status": "410", "detail": "title", "instance": "title"}
    members[name] = value
    return f"{{'error': 'gone', 'problem': {{{', '.join(f'{key!r}: {said}' for key, said in members.items())}}}}}"


TYPED = {
    "a status in a text": typed("status", "'410'") + "  # error: has a text as `status`, not a number;",
    "a status that is true": typed("status", "True") + "  # error: has True as `status`, not an HTTP status;",
    "a status with a point": typed("status", "41.5") + "  # error: has 41.5 as `status`, not an HTTP status;",
    "the lowest status": typed("status", "100"),
    "a status that is too low": typed("status", "99") + "  # error: has 99 as `status`, which is no HTTP status;",
    "the highest status": typed("status", "599"),
    "a status that is too high": typed("status", "600") + "  # error: has 600 as `status`, which is no HTTP status;",
    "a status in a list": typed("status", "[410]") + "  # error: has no number as `status`;",
    "a status in a dict": typed("status", "{'code': 410}") + "  # error: has no number as `status`;",
    "a status that only the run knows": typed("status", "code"),
    "a sentence as the type": typed("type", "'book not found'") + "  # error: has a `type` that is no URI;",
    "a word as the type": typed("type", "'not-found'"),
    "a sentence as the title": typed("title", "'The book is gone'"),
    "a number as the title": typed("title", "7") + "  # error: has no text as `title`;",
    "a list as the detail": typed("detail", "[title]") + "  # error: has no text as `detail`;",
    "a dict as the instance": typed("instance", "{'id': title}") + "  # error: has no text as `instance`;",
    "nothing as the instance": typed("instance", "None"),
    "a detail that only the run knows": typed("detail", "more"),
}


@pytest.mark.parametrize("value", TYPED.values(), ids=TYPED)
def test_a_member_is(value: str) -> None:
    assert answered(value) == []
