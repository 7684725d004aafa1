"""Comments that hide findings: which are seen, and what they cover."""

from __future__ import annotations

import pytest

from errlint.findings import Finding, Severity, Span
from errlint.suppress import apply, find_suppressions

COMMENTS = {
    "one code": ("x = 1  # errlint: ignore[ERR101]", [(1, ("ERR101",), "", False, True)]),
    "two codes and a reason": (
        "x = 1  # errlint: ignore[ERR101, ERR102] the client wants it",
        [(1, ("ERR101", "ERR102"), "the client wants it", False, True)],
    ),
    "lower case": ("x = 1  # errlint: ignore[err101]", [(1, ("ERR101",), "", False, True)]),
    "the name of a rule": (
        "x = 1  # errlint: ignore[hand-built-error-return] why",
        [(1, ("ERR101",), "why", False, True)],
    ),
    "a rule by code and name": (
        "x = 1  # errlint: ignore[ERR101, hand-built-error-return]",
        [(1, ("ERR101",), "", False, True)],
    ),
    "a misspelt name": ("x = 1  # errlint: ignore[hand-built-eror]", [(1, ("hand-built-eror",), "", False, True)]),
    "no code": ("x = 1  # errlint: ignore", [(1, (), "", False, True)]),
    "the whole file": ("# errlint: ignore-file[ERR103] a demo\n", [(1, ("ERR103",), "a demo", True, True)]),
    "after another comment": ("x = 1  # why # errlint: ignore[ERR101]", [(1, ("ERR101",), "", False, True)]),
    "noqa": ("x = 1  # noqa: ERR101", [(1, ("ERR101",), "", False, False)]),
    "noqa with codes of others": ("x = 1  # noqa: E501, ERR101", [(1, ("ERR101",), "", False, False)]),
    "noqa of others only": ("x = 1  # noqa: E501", []),
    "noqa without a code": ("x = 1  # noqa", []),
    "in a string": ("x = '# errlint: ignore[ERR101]'", []),
    "behind the end of a text with a hole of many lines": (
        'x = f"a {\n    y\n}"  # errlint: ignore[ERR101] why',
        [(3, ("ERR101",), "why", False, True)],
    ),
    "in a string of several lines": ("x = '''\n# errlint: ignore[ERR101]\n'''", []),
    "after a string that holds a quote": (
        "x = 'it\\'s'  # errlint: ignore[ERR101]",
        [(1, ("ERR101",), "", False, True)],
    ),
    "after a string that holds a hash": ('x = "#"  # errlint: ignore[ERR101]', [(1, ("ERR101",), "", False, True)]),
    "on a later line": ("x = 1\n\ny = 2  # errlint: ignore[ERR101]", [(3, ("ERR101",), "", False, True)]),
    "another word": ("x = 1  # errlint: ignored[ERR101]", []),
}


@pytest.mark.parametrize(("text", "expected"), COMMENTS.values(), ids=COMMENTS.keys())
def test_what_a_comment_suppresses(text: str, expected: list[tuple[int, tuple[str, ...], str, bool, bool]]) -> None:
    found = [(item.span.line, item.codes, item.reason, item.whole_file, item.own) for item in find_suppressions(text)]
    assert found == expected


def finding(line: int, last: int, code: str = "ERR101") -> Finding:
    return Finding("a.py", Span(line, 5, last, 9), code, Severity.ERROR, "")


COVERED = {
    "the first line of a statement": ("{  # errlint: ignore[ERR101]\n1\n}", finding(1, 3), True),
    "its last line": ("{\n1\n}  # errlint: ignore[ERR101]", finding(1, 3), True),
    "a line between": ("{\n1  # errlint: ignore[ERR101]\n}", finding(1, 3), False),
    "another line": ("x  # errlint: ignore[ERR101]\n{}", finding(2, 2), False),
    "another code": ("x  # errlint: ignore[ERR102]", finding(1, 1), False),
    "without a code": ("x  # errlint: ignore", finding(1, 1), False),
    "the file": ("\n\nx\n# errlint: ignore-file[ERR101]", finding(3, 3), True),
    "a file that does not parse": ("# errlint: ignore-file[ERR904]", finding(1, 1, "ERR904"), False),
}


@pytest.mark.parametrize(("text", "found", "hidden"), COVERED.values(), ids=COVERED.keys())
def test_which_findings_a_comment_covers(text: str, found: Finding, hidden: bool) -> None:
    kept, used = apply([found], find_suppressions(text))
    assert (kept == [], bool(used)) == (hidden, hidden)
