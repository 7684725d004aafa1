"""From bytes to text: encodings, line ends, and the bounds that are set before anything recurses."""

from __future__ import annotations

import codecs

import pytest

from errlint.collect import collect
from errlint.index.vocabulary import Vocabulary
from errlint.source import (
    MAX_CHAIN,
    MAX_NESTING,
    Lines,
    UndecodableError,
    decode,
    deep_line,
    has_long_line,
    long_chain_line,
)

TEXTS = {
    "UTF-8": ("é = 'ß'\n".encode(), "é = 'ß'\n"),
    "a byte order mark": (codecs.BOM_UTF8 + b"x = 1\n", "x = 1\n"),
    "CRLF": (b"x = 1\r\ny = 2\r\n", "x = 1\ny = 2\n"),
    "lone CR": (b"x = 1\ry = 2\r", "x = 1\ny = 2\n"),
    "a cookie on the first line": (b"# -*- coding: latin-1 -*-\nx = '\xe9'\n", "# -*- coding: latin-1 -*-\nx = 'é'\n"),
    "a cookie on the second line": (b"#!/bin/x\n# coding=latin-1\n'\xe9'", "#!/bin/x\n# coding=latin-1\n'é'"),
    "a cookie after CR": (b"\r# coding=latin-1\r'\xe9'", "\n# coding=latin-1\n'é'"),
    "a cookie after code does not count": ("x = 1\n# coding: latin-1\n'é'".encode(), "x = 1\n# coding: latin-1\n'é'"),
    "nothing": (b"", ""),
}


@pytest.mark.parametrize(("raw", "text"), TEXTS.values(), ids=TEXTS.keys())
def test_the_text_of_a_file(raw: bytes, text: str) -> None:
    assert decode(raw) == text


@pytest.mark.parametrize(
    ("raw", "message", "line"),
    [
        (b"x = 1\ny = '\xe9'\n", "byte 0xe9 is not valid utf-8", 2),
        (b"# coding: klingon\n", "unknown encoding 'klingon'", 1),
    ],
    ids=["bytes of another encoding", "an encoding that nobody knows"],
)
def test_bytes_that_are_no_text(raw: bytes, message: str, line: int) -> None:
    with pytest.raises(UndecodableError, match=message) as caught:
        decode(raw)
    assert caught.value.line == line


NESTED = {
    "at the bound": ("[" * MAX_NESTING + "]" * MAX_NESTING, 0),
    "beyond it": ("x = 1\n" + "[" * (MAX_NESTING + 1), 2),
    "one after the other": ("[]" * 1_000, 0),
    "in a string": (f"'{'[' * 1_000}'", 0),
    "in a comment": (f"# {'(' * 1_000}", 0),
    "in a string of several lines": (f"'''{'[' * 1_000}\n'''", 0),
}


@pytest.mark.parametrize(("text", "line"), NESTED.values(), ids=NESTED.keys())
def test_where_brackets_nest_too_deeply(text: str, line: int) -> None:
    assert deep_line(text) == line


LINKS = MAX_CHAIN + 1
CHAINS = {
    "a sum": ("x = 1\ny = " + "a + " * LINKS + "a", 2),
    "calls": ("a" + "()" * LINKS, 1),
    "subscripts": ("a" + "[0]" * LINKS, 1),
    "attributes": ("a" + ".b" * LINKS, 1),
    "strings side by side": ("x = " + "'a' " * (LINKS + 1), 1),
    "negations": ("not " * LINKS + "a", 1),
    "a sum over several lines": ("x = (\n" + "a +\n" * LINKS + "a)", MAX_CHAIN + 2),
    "fields of a text": ("x = 1\ny = Rf'" + "{a}" * LINKS + "'", 2),
    "braces of a format": ("f'" + "{{a}}" * 5_000 + "'", 0),
    "braces of a text": ("rb'" + "{a}" * 5_000 + "'", 0),
    "a list": ("[" + "a, " * 5_000 + "]", 0),
    "many statements": ("a + b\n" * 5_000, 0),
    "one long text": (f"'{'a + ' * 5_000}'", 0),
    "a long comment": (f"# {'a + ' * 5_000}", 0),
    "arguments": ("f(" + "a=b.c(), " * 5_000 + ")", 0),
}


@pytest.mark.parametrize(("text", "line"), CHAINS.values(), ids=CHAINS.keys())
def test_where_a_chain_is_too_long(text: str, line: int) -> None:
    assert long_chain_line(text) == line


STATEMENTS = {
    "strings side by side that are a statement": ("x = 1\n(\n" + "'a'\n" * (LINKS + 1) + ")\n", 2),
    "strings side by side in triple quotes": ("(" + "'''a'''\n" * (LINKS + 1) + ")\n", 1),
    "a long docstring": ("'''" + "a + b.c\n" * 5_000 + "'''\n", 0),
    "a docstring with an escaped quote": ('"""' + "a + b.c\n" * 5_000 + '\\""" x"""\n', 0),
}


@pytest.mark.parametrize(("text", "line"), STATEMENTS.values(), ids=STATEMENTS.keys())
def test_which_statements_of_several_lines_are_too_long_a_chain(text: str, line: int) -> None:
    problem = collect(text, Vocabulary()).problem
    assert (problem.span.line if problem is not None else 0) == line


@pytest.mark.parametrize(("text", "is_long"), [("x\n" * 5_000, False), ("x" * 5_000, True), ("x", False)])
def test_a_long_line(text: str, is_long: bool) -> None:
    assert has_long_line(text) is is_long


def test_positions_count_bytes_and_spans_count_characters() -> None:
    lines = Lines("x = 1\nß = 'é' + y\n")
    assert lines.data[lines.offset(2, 0) : lines.offset(2, 2)].decode() == "ß"
    span = lines.span(2, 0, 2, len("ß = 'é'".encode()))
    assert (span.line, span.column, span.end_line, span.end_column) == (2, 1, 2, 8)
