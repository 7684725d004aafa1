"""Callers that go on with the answer of a function that raises: where their own handlers fit, and where they do not."""

from __future__ import annotations

from pathlib import Path
from textwrap import indent

import pytest
from test_fix import fixes_in, looks, reasons
from test_fix_reached import FIND, TOOL, written

TOGETHER = "what `find` answered for an error is put together again here"

PUT = """\
try:
    result = find(title)
except {} as error:
    result = {{"error": str(error)}}
return dict(result)
"""

OWN = """\
try:
    try:
        result = find(title)
    except ShelfError as exc:
        result = {{"error": str(exc)}}
except {}:
    {}
return dict(result)
"""

HANDLERS = {
    "of the class itself": (PUT.format("ShelfError"), PUT.format("ShelfError")),
    "of any exception": (PUT.format("Exception"), PUT.format("Exception")),
    "of another class": (PUT.format("OSError"), PUT.format("(OSError, ShelfError)")),
    "of two other classes": (PUT.format("(OSError, ValueError)"), PUT.format("(OSError, ValueError, ShelfError)")),
    "that does not ask what it caught": (
        'try:\n    result = find(title)\nexcept OSError:\n    result = {"error": "gone"}\nreturn dict(result)\n',
        OWN.format("OSError", 'result = {"error": "gone"}'),
    ),
    "of the class itself that does not ask what it caught": (
        'try:\n    result = find(title)\nexcept ShelfError:\n    result = {"error": "gone"}\nreturn dict(result)\n',
        OWN.format("ShelfError", 'result = {"error": "gone"}'),
    ),
    "that puts nothing together": (
        "try:\n    result = find(title)\nexcept ShelfError as error:\n    print(error)\n    result = {}\n"
        "return dict(result)\n",
        OWN.format("ShelfError as error", "print(error)\n    result = {}"),
    ),
}


@pytest.mark.parametrize(("before", "after"), HANDLERS.values(), ids=HANDLERS)
def test_an_answer_is_put_together_again_by_a_handler(tmp_path: Path, before: str, after: str) -> None:
    written(tmp_path, {"server": FIND + TOOL + indent(before, "    ")})
    found = fixes_in(tmp_path, "ERR101")
    assert (looks(found.fixed), reasons(found.refused)) == ([(TOGETHER, "shelf/server.py:16")], [])
    raised = FIND.replace('return {"error": "no title"}', 'raise ShelfError("no title")')
    assert found.contents["shelf/server.py"][1].decode() == raised + TOOL + indent(after, "    ")


def test_a_handler_that_says_something_else_keeps_the_answer(tmp_path: Path) -> None:
    body = PUT.format("ShelfError").replace("str(error)", 'f"no: {error}"')
    written(tmp_path, {"server": FIND + TOOL + indent(body, "    ")})
    found = fixes_in(tmp_path, "ERR101")
    assert (reasons(found.refused), found.contents) == (["`find` answers errors in several forms"], {})


KEPT = {
    "a dict": ('{"error": "no title"}', '{"error": str(exc)}'),
    "a dict in a dict": ('{"data": {"error": "no title"}}', '{"data": {"error": str(exc)}}'),
    "JSON text": ('json.dumps({"error": "no title"})', 'json.dumps({"error": str(exc)})'),
    "a text": ('"Error: no title"', "str(exc)"),
    "a list of texts": ('["Error: no title"]', "[str(exc)]"),
}


@pytest.mark.parametrize(("payload", "again"), KEPT.values(), ids=KEPT)
def test_what_is_put_together_again_has_the_shape_of(tmp_path: Path, payload: str, again: str) -> None:
    server = FIND.replace('{"error": "no title"}', payload) + TOOL + "    found = list(find(title))\n    return {}\n"
    written(tmp_path, {"server": server})
    found = fixes_in(tmp_path, "ERR1")
    assert (TOGETHER, "shelf/server.py:15") in looks(found.fixed)
    line = f"    except ShelfError as exc:\n        result = {again}\n"
    assert line in found.contents["shelf/server.py"][1].decode()


def test_an_object_is_not_put_together_again(tmp_path: Path) -> None:
    server = FIND.replace('{"error": "no title"}', 'Failed(error="no title")')
    written(tmp_path, {"server": f"{server}{TOOL}    found = list(find(title))\n    return {{}}\n"})
    found = fixes_in(tmp_path, "ERR1")
    assert reasons(found.refused) == ["what `find` answered for an error cannot be put together again"]
    assert found.contents == {}


def test_what_is_done_for_an_error_too_is_done_with_the_answer_put_together_again(tmp_path: Path) -> None:
    body = "    found = find(title)\n    print(found.get('copies'))\n    return found\n"
    written(tmp_path, {"server": FIND + TOOL + body})
    after = """\
    try:
        found = find(title)
    except ShelfError as exc:
        found = {"error": str(exc)}
        print(found.get('copies'))
        raise
    print(found.get('copies'))
    return found
"""
    assert fixes_in(tmp_path, "ERR1").contents["shelf/server.py"][1].decode().endswith(TOOL + after)


EXAMPLE = '''\
def find(title: str) -> dict:
    """Find a book.

    >>> list(find("").values())
    ['{}']
    """
'''
EXAMPLES = {
    "the text": ('"off"', "off", [("an example in a docstring shows an error of `find`", "shelf/server.py:9")]),
    "another text": ('"off"', "on", []),
    "a mark that the text has, too": ('f"{title}?"', "what?", []),
}


@pytest.mark.parametrize(("message", "shown", "found"), EXAMPLES.values(), ids=EXAMPLES)
def test_an_example_is_looked_at_that_shows(
    tmp_path: Path, message: str, shown: str, found: list[tuple[str, str]]
) -> None:
    documented = FIND.replace('"no title"', message)
    documented = documented.replace("def find(title: str) -> dict:\n", EXAMPLE.format(shown))
    written(tmp_path, {"server": f"{documented}{TOOL}    return find(title)\n"})
    assert looks(fixes_in(tmp_path, "ERR101").fixed) == found
