"""Which entries are read in a Markdown error catalog, and which things that look like entries are none."""

from __future__ import annotations

from textwrap import dedent

import pytest

from errlint.catalog.reader import read
from errlint.settings.policy import Catalog


def names(text: str, path: str = "docs/errors.md", layout: Catalog | None = None) -> list[tuple[int, str]]:
    return [(entry.line, entry.name) for entry in read(path, dedent(text), layout)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param(
            """\
            | Error | Code | HTTP |
            |---|---|---|
            | no order | `ORDER_GONE` | 404 |
            | closed | [`ORDER_CLOSED`](#closed), `ORDER_LOCKED` | 409 |
            """,
            [(3, "ORDER_GONE"), (4, "ORDER_CLOSED"), (4, "ORDER_LOCKED")],
            id="a table with the code in any column, several in a cell, as links",
        ),
        pytest.param(
            "| Code | Meaning |\n|---|---|\n| `E101`–`E103` | timeouts |\n",
            [(3, "E101"), (3, "E102"), (3, "E103")],
            id="a range in a cell",
        ),
        pytest.param(
            "| Code | Message |\n|---|---|\n| `ParsingError` | a |\n| `CAPTCHADetected` | b |\n"
            "| `PDFExtractionFailed` | c |\n",
            [(3, "ParsingError"), (4, "CAPTCHADetected"), (5, "PDFExtractionFailed")],
            id="codes in words of which the first is an abbreviation",
        ),
        pytest.param(
            """\
            Text

            <table>
              <tr><th>ID</th><th>Name</th>
                  <th>Meaning</th></tr>
              <tr>
                <td>7</td>
                <td><code>ORDER_GONE</code></td>
                <td>no &amp; never</td>
              </tr>

              <tr><td>8</td><td>ORDER_LOCKED
              </td><td></td></tr>
            </table>
            """,
            [(8, "ORDER_GONE"), (12, "ORDER_LOCKED")],
            id="a table in HTML",
        ),
        pytest.param(
            "<table>\n<tr><th>Code</th><th>Meaning</th></tr>\n<tr><td>E101</td>\n"
            "<td>gone <table><tr><td>E999</td></tr></table> for good</td></tr>\n<tr><td>E102</td><td>closed</td></tr>\n"
            "</table>\n",
            [(3, "E101"), (5, "E102")],
            id="a table in HTML with another one in a cell",
        ),
        pytest.param(
            """\
            | http_code | reason | message |
            |---|---|---|
            | 404 | OrderGone | no order |
            | 409 | OrderClosed | closed |
            | 409 | OrderError | |
            """,
            [(3, "OrderGone"), (4, "OrderClosed"), (5, "OrderError")],
            id="names in capitals beside a status",
        ),
        pytest.param(
            "# API\n\n| Status | Message | Cause |\n|---|---|---|\n| 400 | Invalid order | no number |\n"
            "| 404 | No such order | sold |\n",
            [(5, "Invalid order"), (6, "No such order")],
            id="messages beside statuses",
        ),
        pytest.param(
            '# API\n\n## Refused\n\n```json\n{"detail": "The order is closed"}\n```\n\n'
            "## Troubles\n\n**Message:** `The store is closed`\n",
            [(3, "Refused"), (9, "Troubles")],
            id="messages in answers that are errors, and below a label",
        ),
        pytest.param(
            """\
            | When | Exception |
            |---|---|
            | gone | `GoneError` (an `OrderError`) |
            | closed | `ClosedError` |
            | told by the store | `StoreAnswer` subclass |
            | locked | `LockedError` (never seen) |
            """,
            [(3, "GoneError"), (4, "ClosedError"), (5, "StoreAnswer"), (6, "LockedError")],
            id="classes with asides",
        ),
        pytest.param(
            "| Код | Описание |\n|---|---|\n| 10001 | сеть |\n",
            [(3, "10001")],
            id="headers in another language",
        ),
        pytest.param(
            "# Errors\n\n### ORD-001: gone\n\n### ORD-002 — closed\n\n### `ORD-003`\n\n### 4. ORD-004 (locked)\n",
            [(3, "ORD-001"), (5, "ORD-002"), (7, "ORD-003"), (9, "ORD-004")],
            id="headings that begin with a code",
        ),
        pytest.param(
            "## Order is gone {#order-gone}\n\n## Order is closed {#order-closed}\n",
            [(1, "order-gone"), (3, "order-closed")],
            id="ids of headings",
        ),
        pytest.param(
            "## order-gone\n\ntext\n\n## order-closed\n\n## locked-order\n",
            [(1, "order-gone"), (5, "order-closed"), (7, "locked-order")],
            id="headings that are nothing but names",
        ),
        pytest.param(
            "### Too late (E101)\n\n### Too early (E102)\n", [(1, "E101"), (3, "E102")], id="codes in parentheses"
        ),
        pytest.param(
            """\
            ### E101 - Gone

            | Field | Value |
            |---|---|
            | **Code** | `E101` |
            | **Message** | `no order {id}` |
            """,
            [(1, "E101")],
            id="a table of the fields of one error",
        ),
        pytest.param(
            "### ConnectionError\n\n**Error Code:** `OFFLINE_NOW`, `OFFLINE_LONG`\n",
            [(1, "ConnectionError"), (3, "OFFLINE_NOW"), (3, "OFFLINE_LONG")],
            id="codes in a labelled line below a class",
        ),
        pytest.param(
            "#### Gone\n**Error**: `no such order`\n\n#### Closed\n**Error**: `the order is closed`\n",
            [(1, "Gone"), (4, "Closed")],
            id="titles with messages",
        ),
        pytest.param(
            '## Gone\n\n```json\n{"code": "ORDER_GONE"}\n```\n\n**Message:** gone\n\n'
            '## Closed\n\n```json\n{"code": "ORDER_CLOSED"}\n```\n\n**Message:** closed\n',
            [(1, "ORDER_GONE"), (9, "ORDER_CLOSED")],
            id="codes in example objects",
        ),
        pytest.param(
            '## Gone\n\n**Message:** gone\n\n```json\n{"code": "ORDER_ERROR"}\n```\n\n'
            '## Closed\n\n**Message:** closed\n\n```json\n{"code": "ORDER_ERROR"}\n```\n',
            [(1, "Gone"), (9, "Closed")],
            id="the same code in several example objects tells nothing apart",
        ),
        pytest.param(
            "# Error codes\n\n- `ORDER_GONE`: no such order\n- `ORDER_CLOSED`: closed\n",
            [(3, "ORDER_GONE"), (4, "ORDER_CLOSED")],
            id="items of a list",
        ),
        pytest.param(
            "**E101: Gone**\n\nNo such order.\n\n**E102: Closed**\n",
            [(1, "E101"), (5, "E102")],
            id="bold paragraphs",
        ),
        pytest.param(
            "## Raises\n\n**E101: Gone**\n\n- Message: `gone`\n\n**E102: Closed**\n\n- Message: `closed`\n",
            [(3, "E101"), (7, "E102")],
            id="bold paragraphs with messages below a title",
        ),
        pytest.param(
            "| Exception | Raised |\n|---|---|\n| `GoneError` | no order |\n",
            [(3, "GoneError")],
            id="classes in a table",
        ),
        pytest.param(
            "---\ntitle: E100\n---\n\n# Errors\n\n## E101\n\n## E102\n",
            [(7, "E101"), (9, "E102")],
            id="front matter is no text",
        ),
    ],
)
def test_an_entry_is_read_with_its_line(text: str, expected: list[tuple[int, str]]) -> None:
    assert names(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("| Code | Status |\n|---|---|\n| 404 | Not Found |\n| 500 | Oops |\n", id="HTTP statuses"),
        pytest.param(
            "## Exit codes\n\n| Code | Meaning |\n|---|---|\n| 1 | failed |\n| -1 | killed |\n", id="exit codes"
        ),
        pytest.param(
            "### Multiple trees detected (exit code 2)\n\n  - `ask`: ask for one\n  - `first`: the first of them\n"
            "  - `last`: the last of them\n",
            id="options below an exit code",
        ),
        pytest.param("## E001-E010: network\n\n## E011–E020: files\n", id="ranges as headings"),
        pytest.param('# Errors\n\n```json\n{"error": "...", "code": "ERROR_CODE"}\n```\n', id="a placeholder"),
        pytest.param("# Errors\n\nSet `ORDER_TIMEOUT` and read about `ORDER_GONE`.\n", id="codes in running text"),
        pytest.param(
            "# Error handling\n\n## Environment variables\n\n- `ORDER_HOST`: host\n- `ORDER_PORT`: port\n",
            id="names of variables",
        ),
        pytest.param("| Code | Meaning |\n|---|---|\n| `APP_OK` | fine |\n", id="a success"),
        pytest.param(
            "# Roadmap\n\n| Item | Detail |\n|---|---|\n| Warm start | Keeps the hints of the last run |\n"
            "| Logs | Shown while it runs |\n",
            id="a table about anything",
        ),
        pytest.param(
            '# Auth API\n\n## Log out\n\n```json\n{"message": "Successfully logged out"}\n```\n\n'
            '## Health\n\n```json\n{"message": "All systems are fine"}\n```\n',
            id="answers that are no errors",
        ),
        pytest.param(
            "# Some Error\n\n## Description\n\nThis error is thrown when ... for example:\n",
            id="a form to be filled in",
        ),
    ],
)
def test_what_only_looks_like_an_entry_is_none(text: str) -> None:
    assert names(text) == []


def test_one_file_for_each_code_is_recognised_by_its_name() -> None:
    assert names("# E101 gone\n\nNo such order.\n", "docs/errors/E101.md") == [(1, "E101")]


def test_a_page_with_codes_is_not_itself_the_page_of_one() -> None:
    text = "# close_order\n\n## Raises\n\n### ORDER_GONE\n\n### ORDER_LOCKED\n"
    assert names(text, "docs/close_order.md") == [(5, "ORDER_GONE"), (7, "ORDER_LOCKED")]


def test_an_entry_says_that_it_is_reserved() -> None:
    text = "| Code | Note |\n|---|---|\n| `E101` | not raised |\n| `E102` | Reserved; planned |\n| `E103` | raised |\n"
    text += "| `E104` | Зарезервирован для v2 |\n"
    assert [entry.name for entry in read("errors.md", text) if entry.is_reserved] == ["E101", "E102", "E104"]


def test_the_policy_pins_a_layout() -> None:
    first = "## Codes\n\n| Nr. | Text |\n|---|---|\n| 7 | x |\n| a-b | y |\n\n"
    text = f"{first}## Others\n\n| Code | T |\n|---|---|\n| `E1` | z |\n"
    assert names(text, layout=Catalog(code_column="Nr.", sections=("Codes",))) == [(6, "a-b")]
    assert names(text, layout=Catalog(ignore=("Codes",))) == [(12, "E1")]


def test_columns_are_those_of_the_names() -> None:
    (entry,) = read("errors.md", "| Meaning | Code |\n|---|---|\n| closed | `E102` |\n")
    assert (entry.line, entry.column) == (3, 12)


TITLES = {
    "what follows": ("E101 - Missing", "Missing"),
    "what follows in parentheses": ("E101 (Missing)", "Missing"),
    "what follows in brackets": ("E101 [Missing]", "Missing"),
    "what ends in parentheses": ("E101 - Missing (again)", "Missing (again)"),
    "what ends in parentheses, in parentheses": ("E101 (Missing (again))", "Missing (again)"),
    "what ends in brackets": ("E101: Missing [again]", "Missing [again]"),
}


@pytest.mark.parametrize(("heading", "title"), TITLES.values(), ids=TITLES)
def test_the_title_of_an_entry_is(heading: str, title: str) -> None:
    (entry,) = read("docs/errors/E101.md", f"# {heading}\n\nNo such order.\n")
    assert entry.title == title
