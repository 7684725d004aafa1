"""A documented text agrees with a template of the code, or the difference is told word by word."""

from __future__ import annotations

import pytest

from errlint.catalog.templates import Hole, Template, agreement, agrees, difference, documented, is_telling, nearness
from errlint.catalog.templates import template as join


def code(text: str) -> Template:
    """Return the template of a text whose holes are written ``{name}``."""
    parts: list[str | Hole] = []
    for index, piece in enumerate(text.replace("}", "{").split("{")):
        parts.append(Hole(piece) if index % 2 else piece)
    return join(parts)


@pytest.mark.parametrize(
    ("said", "raised"),
    [
        pytest.param("Table not found", "Table not found", id="the same text"),
        pytest.param("table NOT found.", "Table not found", id="case and final punctuation"),
        pytest.param("**Table** `orders` not found", "Table '{name}' not found", id="markup, and an example"),
        pytest.param("Table 'orders' not found", "Table '{name}' not found", id="a quoted example"),
        pytest.param("Table {table_name} not found", "Table '{name}' not found", id="a hole of another name"),
        pytest.param("Table <name> not found", "Table '{name}' not found", id="a hole in angle brackets"),
        pytest.param("Table %s not found", "Table '{name}' not found", id="a hole of a format"),
        pytest.param("Table X not found", "Table {name} not found", id="a lone X"),
        pytest.param("Table ... not found", "Table {name} not found", id="an ellipsis in the middle"),
        pytest.param("Timed out after 30 seconds", "Timed out after {timeout} seconds", id="a number"),
        pytest.param("Timed out after 30s", "Timed out after {timeout}s", id="a hole that is part of a word"),
        pytest.param("orders_id is missing", "{table}_id is missing", id="a hole at the beginning of a word"),
        pytest.param("At most {limit} rows are answered", "At most 100 rows are answered", id="a hole for a constant"),
        pytest.param(
            "Query failed: object does not exist", "Query failed: {error}", id="a hole that takes up several words"
        ),
        pytest.param("Could not open the file...", "Could not open the file: {error}", id="a text that is cut short"),
        pytest.param("Path is a\\_b &lt;dir&gt;", "Path is a_b {dir}", id="escapes of Markdown and HTML"),
    ],
)
def test_agrees(said: str, raised: str) -> None:
    assert agrees(documented(said), code(raised))


@pytest.mark.parametrize(
    ("said", "raised"),
    [
        pytest.param("Column not found", "Table not found", id="another word"),
        pytest.param("Table not found", "Table was not found", id="a word more in the code"),
        pytest.param("Table was not found", "Table not found", id="a word less in the code"),
        pytest.param("not found Table", "Table not found", id="another order"),
        pytest.param("Table users: gone", "{}: {}", id="nothing but holes"),
        pytest.param("anything at all", "{message}", id="a single hole"),
        pytest.param("It broke badly", "{what} broke", id="one word beside a hole"),
        pytest.param(
            "The server gave up after the whole cluster had been restarted in vain, error a b c d",
            "error a {reason}",
            id="hardly anything in common",
        ),
        pytest.param("{name} not found", "The requested table in the schema was not found", id="a hole for a sentence"),
        pytest.param("must be one of 'a', 'b'", "must be one of 'a', 'c'", id="other values"),
        pytest.param("", "Table not found", id="nothing documented"),
        pytest.param("No table {name} found", "No table called {name} found", id="a word beside a hole that both have"),
        pytest.param(
            "No table {name} found on {day}", "No table {name} left on {day}", id="a word between holes that both have"
        ),
        pytest.param("No such table {name} found", "No table {name} found", id="a word more, with the same hole"),
    ],
)
def test_differs(said: str, raised: str) -> None:
    assert not agrees(documented(said), code(raised))


def test_of_two_templates_that_agree_the_one_with_more_in_common_scores_higher() -> None:
    said = documented("Query failed: table 'orders' does not exist")
    assert agreement(said, code("Query failed: table {name} does not exist")) > agreement(
        said, code("Query failed: {error}")
    )


def test_the_nearest_is_the_one_with_most_words_in_common() -> None:
    said = documented("Table 'orders' was not found in the catalog")
    near, far = code("Table {name} not found in catalog {catalog}"), code("The catalog is empty")
    assert 0 < nearness(said, far) < nearness(said, near) < 1


def test_a_text_that_is_cut_short_is_near_to_the_whole() -> None:
    said = documented("Query timeout after 30s")
    whole = code("Query timeout after {limit} s: filter by indexed columns, add a limit, or ask for less at once")
    assert nearness(said, whole) > nearness(said, code("Query failed after the retry")) > 0


@pytest.mark.parametrize(
    ("said", "raised", "told"),
    [
        pytest.param("Column not found", "Table not found", "[-Column-] {+Table+} not found", id="a word replaced"),
        pytest.param("Table not found", "Table was not found", "Table {+was+} not found", id="a word added"),
        pytest.param(
            "Table 'a' was not found", "Table '{name}' not found", "Table {name} [-was-] not found", id="a word dropped"
        ),
    ],
)
def test_a_difference_is_told_word_by_word(said: str, raised: str, told: str) -> None:
    assert difference(documented(said), code(raised)) == told


@pytest.mark.parametrize(
    ("text", "expected"),
    [("Not found", True), ("Timeout", True), ("{a}: {b}", False), ("{e}", False), ("Failed: {e}", False)],
)
def test_a_template_of_little_text_tells_nothing(text: str, expected: bool) -> None:
    assert is_telling(code(text)) is expected
