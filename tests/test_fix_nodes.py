"""Questions about LibCST nodes."""

from __future__ import annotations

import ast

import libcst as cst
import pytest

from errlint.fix.nodes import literal_value

LITERALS = (
    '"plain"', "'plain'", '""', r'"a\n\x41"', r'r"a\n"', 'b"bytes"', r'b"\x00"', 'u"text"', '"""two\nlines"""',
    '"""a\r\nb"""', r'"""a \" b"""', "R'raw'", '"\N{SNOWMAN}"', r'"\N{SNOWMAN}"',
)  # fmt: skip


@pytest.mark.parametrize("text", LITERALS)
def test_a_literal_says_what_the_interpreter_reads(text: str) -> None:
    node = cst.ensure_type(cst.parse_expression(text), cst.SimpleString)
    assert literal_value(node) == ast.literal_eval(text)
