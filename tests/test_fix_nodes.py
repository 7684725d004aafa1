"""Questions about LibCST nodes."""

from __future__ import annotations

import ast

import libcst as cst
import pytest

from errlint.findings import Span
from errlint.fix.nodes import literal_value
from errlint.fix.source_file import SourceFile

LITERALS = (
    '"plain"', "'plain'", '""', r'"a\n\x41"', r'r"a\n"', 'b"bytes"', r'b"\x00"', 'u"text"', '"""two\nlines"""',
    '"""a\r\nb"""', r'"""a \" b"""', "R'raw'", '"\N{SNOWMAN}"', r'"\N{SNOWMAN}"',
)  # fmt: skip


@pytest.mark.parametrize("text", LITERALS)
def test_a_literal_says_what_the_interpreter_reads(text: str) -> None:
    node = cst.ensure_type(cst.parse_expression(text), cst.SimpleString)
    assert literal_value(node) == ast.literal_eval(text)


def test_the_statements_beside_a_node_are_those_of_its_block() -> None:
    parsed = SourceFile("a.py", b"def f(a):\n    b = 1\n    if a:\n        c = 2\n    return b\n\ndef g(): return 1\n")
    middle, inner = parsed.nodes(cst.If)[0], parsed.assigned(Span(4, 9, 4, 10))
    assert inner is not None
    assert [parsed.code(each).strip() for each in parsed.before(middle)] == ["b = 1"]
    assert [parsed.code(each).strip() for each in parsed.behind(middle.test)] == ["return b"]
    assert (parsed.before(inner), parsed.following(inner)) == ([], None)
    assert parsed.before(parsed.nodes(cst.Return)[-1]) == ()
