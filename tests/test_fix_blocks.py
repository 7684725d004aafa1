"""Blocks that a fix takes apart, and files that it can give back: where comments go, and what is left alone."""

from __future__ import annotations

from pathlib import Path

import pytest
from test_fix import fixes_in, reasons
from test_fix_reached import FIND, SDK, TOOL, written

BRANCHES = {
    "nothing": (
        '    if not title:\n        result = {"error": "no title"}\n    else:\n        result = {"copies": 1}\n'
        '        result["left"] = 2\n    return result\n',
        '    if not title:\n        raise ShelfError("no title")\n    result = {"copies": 1}\n    result["left"] = 2\n'
        "    return result\n",
    ),
    "a comment above it": (
        '    if not title:\n        result = {"error": "no title"}\n    # the others\n    else:\n'
        '        result = {"copies": 1}\n        result["left"] = 2\n    return result\n',
        '    if not title:\n        raise ShelfError("no title")\n    # the others\n    result = {"copies": 1}\n'
        '    result["left"] = 2\n    return result\n',
    ),
    "a comment beside it": (
        '    if not title:\n        result = {"error": "no title"}\n    else:  # the others\n'
        '        result = {"copies": 1}\n        result["left"] = 2\n    return result\n',
        '    if not title:\n        raise ShelfError("no title")\n    # the others\n    result = {"copies": 1}\n'
        '    result["left"] = 2\n    return result\n',
    ),
    "comments everywhere": (
        '    if not title:\n        result = {"error": "no title"}\n    # rest\n    else:  # beside\n        # one\n'
        '        result = {"copies": 1}\n        # two\n        result["left"] = 2\n    return result\n',
        '    if not title:\n        raise ShelfError("no title")\n    # rest\n    # beside\n    # one\n'
        '    result = {"copies": 1}\n    # two\n    result["left"] = 2\n    return result\n',
    ),
}


@pytest.mark.parametrize(("before", "after"), BRANCHES.values(), ids=BRANCHES)
def test_an_else_behind_a_raise_goes_with(tmp_path: Path, before: str, after: str) -> None:
    head = FIND[: FIND.index("def find")] + TOOL
    written(tmp_path, {"server": head + before})
    assert fixes_in(tmp_path, "ERR101").contents["shelf/server.py"][1].decode() == head + after


def test_a_comment_at_the_end_of_an_else_keeps_the_answer(tmp_path: Path) -> None:
    body = BRANCHES["nothing"][0].replace("    return", "        # over\n    return")
    written(tmp_path, {"server": FIND[: FIND.index("def find")] + TOOL + body})
    found = fixes_in(tmp_path, "ERR101")
    assert (reasons(found.refused), found.contents) == (["a comment stands at the end of the `else`"], {})


GUARDED = """\
def guarded(function):
    def run(*args):
        try:
            print(args)
        except OSError:
            pass
        # all of it
        try:
            # first
            print(args)
            # then
            return function(*args)
        except Exception as error:
            return {"error": str(error)}
    return run


"""

LEFT = """\
def guarded(function):
    def run(*args):
        try:
            print(args)
        except OSError:
            pass
        # all of it
        # first
        print(args)
        # then
        return function(*args)
    return run


"""


def test_a_try_that_answered_what_a_server_answers_goes_alone(tmp_path: Path) -> None:
    head, tool = SDK.split("@mcp.tool()\n")
    written(tmp_path, {"server": f"{head}{GUARDED}@mcp.tool()\n@guarded\n{tool}"})
    after = fixes_in(tmp_path, "ERR1").contents["shelf/server.py"][1].decode()
    assert LEFT in after
    assert 'raise ToolError("no title")' in after


ENCODED = {
    "the usual one": (b"TITLES = ['\xc3\xa4']\n", True),
    "the usual one, with a byte order mark": (b"\xef\xbb\xbfTITLES = ['\xc3\xa4']\n", True),
    "one of one byte for each character": (b"# coding: latin-1\nTITLES = ['\xe4']\n", True),
    "one that can write a character in two ways": (b"# coding: utf-7\nTITLES = ['+AGE-']\n", False),
}


@pytest.mark.parametrize(("head", "is_written"), ENCODED.values(), ids=ENCODED)
def test_a_file_is_given_back_in_an_encoding_that_is(tmp_path: Path, head: bytes, is_written: bool) -> None:
    written(tmp_path, {"server": SDK})
    (tmp_path / "shelf/server.py").write_bytes(head + SDK.encode("ascii"))
    found = fixes_in(tmp_path, "ERR101")
    assert reasons(found.refused) == ([] if is_written else ["the file would not be given back byte for byte"])
    assert [new.startswith(head) for _, new in found.contents.values()] == ([True] if is_written else [])
