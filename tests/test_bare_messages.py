"""Which messages are read in a document that does not call them so, and which texts are none."""

from __future__ import annotations

import ast
from textwrap import dedent

import pytest

from errlint.catalog.bare_messages import unlabelled
from errlint.project.drift.message_index import texts
from errlint.settings.policy import Catalog


def messages(text: str, layout: Catalog | None = None) -> list[tuple[int, str]]:
    found = unlabelled("docs/orders.md", dedent(text), layout or Catalog())
    return [(shown.said.line, shown.said.text) for shown in found]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param(
            """\
            ## Errors

            **Order not found**:
            ```
            Order 4711 not found
            Known orders: 12, 13
            ```
            """,
            [(5, "Order 4711 not found\nKnown orders: 12, 13")],
            id="a fence below a bold line",
        ),
        pytest.param(
            "# close_order\n\n## Errors\n\n### ValueError\n\n**Bad number**\n```text\nThe number is too long\n```\n",
            [(9, "The number is too long")],
            id="below a heading that is below one about errors",
        ),
        pytest.param(
            "### Common Errors\n\n- `Order file corrupted`\n- `Missing required number`.\n",
            [(3, "Order file corrupted"), (4, "Missing required number")],
            id="items that are nothing but a message",
        ),
        pytest.param(
            "## Error Messages\n\n- **`Order is locked`** - wait\n- `order is closed`: open it\n",
            [(3, "Order is locked"), (4, "order is closed")],
            id="items that begin with a message",
        ),
        pytest.param(
            "## Errors\n\n- `ValueError: Order is locked`\n", [(3, "Order is locked")], id="the class before a message"
        ),
        pytest.param(
            """\
            ## Answers

            ```json
            {
              "status": "validation_failed",
              "validation_errors": [
                "Order 12 not found",
                "Order 13 is locked"
              ],
              "hints": ["Ask for the list of orders"]
            }
            ```
            """,
            [(7, "Order 12 not found"), (8, "Order 13 is locked")],
            id="the list of errors of an answer that failed",
        ),
        pytest.param(
            """\
            ```python
            close_order({"errors": ["one of the arguments"]})
            {
              "success": false,
              "errors": ["Order 12 not found"]
            }
            ```
            """,
            [(5, "Order 12 not found")],
            id="an answer beside the call in Python",
        ),
    ],
)
def test_messages_are_read_without_a_label(text: str, expected: list[tuple[int, str]]) -> None:
    assert messages(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("## Usage\n\n**Order not found**:\n```\nOrder 4711 not found\n```\n", id="below another heading"),
        pytest.param("## Troubleshooting\n\n### Errors\n\n- `Order is locked by you`\n", id="troubleshooting"),
        pytest.param("### Common Warnings\n\n- `Order is older than a day`\n", id="warnings"),
        pytest.param("## Errors\n\n**Solution**:\n```\nOpen the order again\n```\n", id="a label"),
        pytest.param("## Errors\n\n**Example usage**:\n```\nOpen the order again\n```\n", id="a part of something"),
        pytest.param("## Errors\n\n**Locked**:\n```bash\nopen the order\n```\n", id="a fence with a language"),
        pytest.param("## Errors\n\n**Locked**:\n```\n$ orders open 12\n```\n", id="a command"),
        pytest.param('## Errors\n\n**Locked**:\n```\n{"error": "The order is locked"}\n```\n', id="an object"),
        pytest.param("## Errors\n\n**Limits**:\n```\nX-Rate-Limit: 100\nRetry-After: 5\n```\n", id="headers"),
        pytest.param("## Errors\n\n- `close_order`\n- `GET /orders`\n- `404 Not Found`\n", id="names and statuses"),
        pytest.param('```json\n{"status": "success", "errors": ["Order 12 not found"]}\n```\n', id="a success"),
        pytest.param('```json\n{"status": "error", "hints": ["Ask for the orders"]}\n```\n', id="hints"),
    ],
)
def test_other_texts_are_no_messages(text: str) -> None:
    assert messages(text) == []


def test_the_policy_leaves_messages_out() -> None:
    page = "## Errors\n\n- `Order is locked by you`\n\n## Old errors\n\n- `Order is frozen by you`\n"
    assert messages(page, Catalog(ignore=("Old*",))) == [(3, "Order is locked by you")]


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        pytest.param('a = f"No order {number} here"', "No order {} here", id="an f-string"),
        pytest.param('a = "No order " + number + " here"', "No order {} here", id="a sum"),
        pytest.param('a = "No order %s here" % number', "No order {} here", id="percent signs"),
        pytest.param('a = "No order {} here".format(number)', "No order {} here", id="format"),
        pytest.param("a = f\"Not one of: {', '.join(sorted(KINDS))}\"", "Not one of: one, two", id="a sorted list"),
        pytest.param("a = f\"Not one of: {', '.join(KINDS)}\"", "Not one of: {}", id="a set has no order"),
    ],
)
def test_the_code_says_what_it_puts_together(code: str, expected: str) -> None:
    assert expected in [str(text) for _, _, text in texts(ast.parse(code), {"KINDS": ("", "two", "one")})]


@pytest.mark.parametrize(
    "code",
    [
        pytest.param('def f():\n    "No order here"', id="a docstring"),
        pytest.param('if "not found" in text: pass', id="what is looked for"),
        pytest.param('a = Field(description="The number of it")', id="what describes a parameter"),
    ],
)
def test_the_code_does_not_say(code: str) -> None:
    assert list(texts(ast.parse(code), {})) == []
