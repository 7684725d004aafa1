"""What catalogs and docstrings tell is read with its places: objects, entries, sections of raised exceptions."""

from __future__ import annotations

import ast

import pytest

from errlint.catalog.objects import error_members, message_of
from errlint.catalog.raises import raised_in
from errlint.catalog.reader import read
from errlint.catalog.told import told


@pytest.mark.parametrize(
    ("shown", "message"),
    [
        pytest.param('{"message": "no such order"}', ("no such order", 1), id="an object"),
        pytest.param(
            '{"code": -32602, "message": "Invalid params",\n "data": {"message": "no such order"}}',
            ("no such order", 2),
            id="an error inside of an envelope",
        ),
        pytest.param(
            '{"error": "not_found", "message": "no such order"}', ("no such order", 1), id="a kind beside a message"
        ),
        pytest.param('{"error": "no such order"}', ("no such order", 1), id="an error that is a text"),
        pytest.param(
            '{\n  // sent as\n  "message": "no: such, {order}",\n  "more": {...}\n}',
            ("no: such, {order}", 3),
            id="comments, left out parts, and brackets in a text",
        ),
        pytest.param('{"content": [{"type": "text", "text": "gone"}]}', ("gone", 1), id="the text of an MCP result"),
        pytest.param('{"errors": [{"message": "one of many"}]}', None, id="partial failures have none"),
        pytest.param('{"message": 7}', None, id="a number is none"),
    ],
)
def test_the_message_of_an_object_is_that_of_its_error(shown: str, message: tuple[str, int] | None) -> None:
    found = message_of(error_members(shown, 1))
    assert (found and (found.text, found.line)) == message


@pytest.mark.parametrize(
    ("docstring", "expected"),
    [
        pytest.param(
            "Close.\n\n    Raises:\n        A: if so\n            B: x\n        m.C: if not\n\n    Returns:\n        D",
            [("A", 5), ("m.C", 7)],
            id="Google",
        ),
        pytest.param(
            "Close.\n\n    Raises\n    ------\n    A\n        if so\n    B\n\n    Notes\n    -----\n    C",
            [("A", 6), ("B", 8)],
            id="NumPy",
        ),
        pytest.param(
            "Close.\n\n    :raises A: if so\n    :raises B, C: if not", [("A", 4), ("B", 5), ("C", 5)], id="Sphinx"
        ),
        pytest.param("Close. Raises A: never.", [], id="a sentence is no section"),
    ],
)
def test_a_docstring_tells_what_is_raised_in_every_style(docstring: str, expected: list[tuple[str, int]]) -> None:
    function = ast.parse(f'def close():\n    """{docstring}\n    """\n').body[0]
    assert isinstance(function, ast.FunctionDef)
    assert [(said.text, said.line) for said in raised_in(function)] == expected


def test_an_entry_tells_its_messages_hints_fields_and_codes_with_their_lines() -> None:
    page = """# Errors

## OrderError - locked (close_order)

**Message:**
```
The order is locked
by somebody else
```

**Fields:**
- `order_id`: the order

```json
{
  "error_code": "ORDER_LOCKED",
  "hints": ["Wait"]
}
```
"""
    (entry,) = read("errors.md", page)
    found = told(entry)
    assert [(said.text, said.line) for said, _ in found.messages] == [("The order is locked\nby somebody else", 7)]
    assert [(said.text, said.line) for said in found.hints] == [("Wait", 17)]
    assert [(said.text, said.line) for said in found.fields] == [("order_id", 12)]
    assert [(said.text, said.line) for said in found.example_codes] == [("ORDER_LOCKED", 16)]


@pytest.mark.parametrize(
    "text",
    ["Human-readable error message", "Error message describing the failure", "Details here", "The message"],
)
def test_a_text_about_a_message_is_none(text: str) -> None:
    entries = read("errors.md", f"# Errors\n\n## OrderError\n\n**Message:** {text}\n")
    assert [told(entry).messages for entry in entries] == [()]


def test_an_example_of_a_success_is_no_error() -> None:
    page = '# Errors\n\n## OrderError\n\n```json\n{"status": "success", "message": "Closed the order"}\n```\n'
    assert [told(entry).messages for entry in read("errors.md", page)] == [()]
