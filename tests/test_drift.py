"""What catalogs and docstrings tell is read with its places: objects, entries, sections of raised exceptions."""

from __future__ import annotations

import ast

import pytest

from errlint.catalog.objects import error_members, message_of
from errlint.catalog.raises import raised_in
from errlint.catalog.reader import read
from errlint.index.unreached import unreached
from errlint.project.drift.entry_content import statuses, told


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


@pytest.mark.parametrize(
    ("shown", "expected"),
    [
        pytest.param('{"message": "gone", "status": 410}', [(410, 6)], id="a number"),
        pytest.param('{"message": "gone", "status": "error"}', [], id="a word is none"),
        pytest.param('{"message": "gone", "data": {"status": 410}}', [], id="one of the data is none"),
    ],
)
def test_the_status_of_an_example_is_one_of_its_entry(shown: str, expected: list[tuple[int, int]]) -> None:
    (entry,) = read("errors.md", f"# Errors\n\n## OrderError\n\n```json\n{shown}\n```\n")
    assert [(number, said.line) for number, said in statuses(entry)] == expected


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        pytest.param("return 1\nfirst()\nsecond()", [(3, 4)], id="what follows a return"),
        pytest.param("if a:\n  return 1\nelse:\n  raise A\nfirst()", [(6, 6)], id="what follows two ways out"),
        pytest.param("if a:\n  return 1\nfirst()", [], id="one way out is not enough"),
        pytest.param("if False:\n  first()\nelse:\n  second()", [(3, 3)], id="a condition that never holds"),
        pytest.param("if True:\n  first()\nelse:\n  second()", [(5, 5)], id="the other side of one that always does"),
        pytest.param("while 0:\n  first()\nelse:\n  second()", [(3, 3)], id="a loop that never runs still ends"),
        pytest.param("for a in b:\n  continue\n  first()\nsecond()", [(4, 4)], id="the rest of a round"),
        pytest.param("try:\n  raise A\nexcept A:\n  first()\nsecond()", [], id="a raise that is caught"),
        pytest.param("try:\n  return 1\nexcept A:\n  raise B\nfirst()", [(6, 6)], id="what follows ways out of a try"),
        pytest.param("driver.quit()\nfirst()", [], id="a call that does not end the process"),
    ],
)
def test_statements_that_are_never_reached(body: str, expected: list[tuple[int, int]]) -> None:
    lines = "\n".join(f"  {line}" for line in body.split("\n"))
    assert list(unreached(ast.parse(f"def f():\n{lines}\n"))) == expected
