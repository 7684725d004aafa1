"""Callers that look for the error of a function that raises from now on: what becomes of each form of a check."""

from __future__ import annotations

from pathlib import Path
from textwrap import dedent, indent

import pytest
from test_fix import fixes_in, looks
from test_fix_reached import FIND, TOOL, written

CHECKED = 'if "error" in found:\n    return found\nreturn {}\n'
BRANCHES = 'if title == "x":\n    found = find(title)\nelse:\n    found = find("y")\n'

REWRITTEN = {
    "names the result in its test": (
        "if found := find(title):\n    return found\nreturn {}\n",
        "find(title)\nreturn {}\n",
    ),
    "stands in the next line": (f"found = find(title)\n{CHECKED}", "find(title)\nreturn {}\n"),
    "stands in a `try` that is for others": (
        f"try:\n    found = find(title)\n{indent(CHECKED, '    ')}except OSError:\n    return {{}}\n",
        "try:\n    find(title)\n    return {}\nexcept OSError:\n    return {}\n",
    ),
    "does nothing first": (
        'found = find(title)\nif "error" in found:\n    pass\n    return found\nreturn {}\n',
        "find(title)\nreturn {}\n",
    ),
    "tells the text and hands the result on": (
        'found = find(title)\nif "error" in found:\n    print(found["error"])\n    return found\nreturn {}\n',
        "try:\n    find(title)\nexcept ShelfError as exc:\n    print(str(exc))\n    raise\nreturn {}\n",
    ),
    "tells the text and hands it on": (
        'found = find(title)\nif "error" in found:\n    print(found["error"])\n    return {"error": found["error"]}\n'
        "return {}\n",
        "try:\n    find(title)\nexcept ShelfError as exc:\n    print(str(exc))\n    raise\nreturn {}\n",
    ),
    "is left to who gets the result of either branch": (f"{BRANCHES}return found\n", f"{BRANCHES}return found\n"),
    "is left to who gets the result of a `try` that is for others": (
        "try:\n    found = find(title)\n    return found\nexcept OSError:\n    return {}\n",
        "try:\n    found = find(title)\n    return found\nexcept OSError:\n    return {}\n",
    ),
}

NAMED = FIND.replace('    return {"copies": 1}\n', "    return None\n")


@pytest.mark.parametrize(("before", "after"), REWRITTEN.values(), ids=REWRITTEN)
def test_a_check_is_made_one_of_an_exception_that(tmp_path: Path, before: str, after: str) -> None:
    find = NAMED if ":=" in before else FIND
    written(tmp_path, {"server": find + TOOL + indent(before, "    ")})
    contents = fixes_in(tmp_path, "ERR101", "ERR103", unsafe=False).contents
    raised = find.replace('return {"error": "no title"}', 'raise ShelfError("no title")')
    raised = raised.replace('title")\n    return None\n', 'title")\n')
    assert contents["shelf/server.py"][1].decode() == raised + TOOL + indent(after, "    ")


def test_a_check_may_tell_the_text_and_hand_the_result_on_as_something_else(tmp_path: Path) -> None:
    find = FIND.replace('return {"error": "no title"}', 'return Failed(error="no title")')
    body = "found = find(title)\nif found.error:\n    print(found.error)\n    return found.to_dict()\nreturn {}\n"
    written(tmp_path, {"server": find + TOOL + indent(body, "    ")})
    after = fixes_in(tmp_path, "ERR1").contents["shelf/server.py"][1].decode()
    assert "    except ShelfError as exc:\n        print(str(exc))\n        raise\n" in after


SEEN = {
    "any text that cannot be empty": ('f"no {title}"', 'found.get("error")', []),
    "any text, of one that may be empty": (
        "str(title)",
        'found.get("error")',
        [("the error may be empty, and the check of the result would not see it", "shelf/server.py:16")],
    ),
    "any error, whatever its text": ("str(title)", '"error" in found', []),
}


@pytest.mark.parametrize(("message", "test", "doubts"), SEEN.values(), ids=SEEN)
def test_a_check_goes_that_sees(tmp_path: Path, message: str, test: str, doubts: list[tuple[str, str]]) -> None:
    find = FIND.replace('"no title"', message)
    body = f"    found = find(title)\n    if {test}:\n        return found\n    return {{}}\n"
    written(tmp_path, {"server": find + TOOL + body})
    found = fixes_in(tmp_path, "ERR101")
    assert looks(found.fixed) == doubts
    assert found.contents["shelf/server.py"][1].decode().endswith(f"{TOOL}    find(title)\n    return {{}}\n")


UNSEEN = {
    "one text of several": ('found.get("error") == "no x"', "the check of the result may not see all of the errors"),
    "what no error has": ('found["copies"]', "the check of the result does not see all of the errors"),
}


@pytest.mark.parametrize(("test", "reason"), UNSEEN.values(), ids=UNSEEN)
def test_a_check_keeps_the_answer_that_sees(tmp_path: Path, test: str, reason: str) -> None:
    find = FIND.replace('"no title"', 'f"no {title}"')
    body = f"    found = find(title)\n    if {test}:\n        return found\n    return {{}}\n"
    written(tmp_path, {"server": find + TOOL + body})
    found = fixes_in(tmp_path, "ERR101")
    assert (looks(found.refused), found.contents) == ([(reason, "shelf/server.py:16")], {})


PUT_TOGETHER = {
    "a dict that is made of it": ("found = dict(find(title))\n", "found = dict(result)"),
    "one of two parts of it": ("found, more = find(title)\n", "found, more = result"),
    "a dict that takes it over": ("found |= find(title)\n", "found |= result"),
}


@pytest.mark.parametrize(("line", "after"), PUT_TOGETHER.values(), ids=PUT_TOGETHER)
def test_the_answer_is_put_together_again_where_a_check_is_of(tmp_path: Path, line: str, after: str) -> None:
    written(tmp_path, {"server": FIND + TOOL + indent(f"{line}{CHECKED}", "    ")})
    found = fixes_in(tmp_path, "ERR101")
    assert looks(found.fixed) == [
        ("what `find` answered for an error is put together again here", "shelf/server.py:15")
    ]
    made = f"""\
        try:
            result = find(title)
        except ShelfError as exc:
            result = {{"error": str(exc)}}
        {after}
        """
    assert indent(dedent(made), "    ") in found.contents["shelf/server.py"][1].decode()


MORE = "a caller does more with the result of `find` than to return it"
REFUSED = {
    "asks something of the result that it names": (
        'if (found := find(title)).get("error"):\n    return found\nreturn {}\n',
        (MORE, "shelf/server.py:15"),
    ),
    "stands behind two branches": (f"{BRANCHES}{CHECKED}", (MORE, "shelf/server.py:16")),
    "comes after a loop": (
        "for each in title:\n    found = find(each)\nreturn found\n",
        (MORE, "shelf/server.py:16"),
    ),
    "is of a variable in a function that binds some elsewhere": (
        f"global shelf\nfound = find(title)\n{CHECKED}",
        (MORE, "shelf/server.py:16"),
    ),
    "stands in a `try` whose handler reads the result": (
        "try:\n    found = find(title)\n    return found\nexcept OSError:\n    print(found)\n    return {}\n",
        ("`found` is read after the error", "shelf/server.py:18"),
    ),
    "stands in a `try` beside a function that reads the result": (
        "def told():\n    return found\n\ntry:\n    found = find(title)\n    return found\nexcept OSError:\n"
        "    return told()\n",
        ("`found` is used in another scope too", "shelf/server.py:15"),
    ),
}


@pytest.mark.parametrize(("body", "reason"), REFUSED.values(), ids=REFUSED)
def test_nothing_is_raised_for_a_check_that(tmp_path: Path, body: str, reason: tuple[str, str]) -> None:
    written(tmp_path, {"server": FIND + TOOL + indent(body, "    ")})
    found = fixes_in(tmp_path, "ERR101")
    assert (looks(found.refused), found.contents) == ([reason], {})
