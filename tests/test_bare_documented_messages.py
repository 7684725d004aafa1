"""Messages that no label calls so, below headings about errors: which of them the code has to say."""

from __future__ import annotations

from pathlib import Path

import pytest
from documented_shop import LISTED, said
from test_documented_messages import CODE

MORE = """

@mcp.tool()
def lend_book(title: str, reader: str) -> dict:
    if not reader:
        raise LentError("Books are lent to readers of this town alone\\nAsk at the desk for a card")
    raise LentError(f"Sorry: nobody but {reader} has asked for the book today")
"""

SERVER = CODE + MORE


def fence(text: str, tool: str = "find_book") -> str:
    """Return a page with a text below a bold line: it stands in line 8."""
    return f"# {tool}\n\n## Errors\n\n**Not now**\n\n```\n{text}\n```\n"


def told(root: Path, page: str, path: str = "docs/find_book.md", config: str = LISTED) -> list[str]:
    """Return the rule and the line of each finding on a page."""
    files = {"library.py": SERVER, path: page}
    found = {rule: said(root, rule, files, config) for rule in ("ERR502", "ERR503")}
    return [
        f"{rule} {each.removeprefix(f'{path}:').partition(' ')[0]}" for rule, all_of in found.items() for each in all_of
    ]


FENCES = {
    "it is said": ("There is no book called Emma on this shelf", "find_book", []),
    "it is nearly said": ("There is no novel called Emma on this shelf", "find_book", ["ERR503 8"]),
    "nothing is like it": ("The weather is bad for readers today", "find_book", ["ERR502 8"]),
    "another tool says it": ("Somebody reads it at home", "lend_book", []),
    "it has lost its beginning": ("nobody but Ann has asked for the book today", "lend_book", ["ERR503 8"]),
    "it has lost its end": ("Books are lent to readers of this town alone\nOther lines", "lend_book", ["ERR503 8"]),
    "two messages": ("There is no book called Emma on this shelf\nSomebody reads it at home", "lend_book", []),
    "two messages, and an empty line": (
        "There is no book called Emma on this shelf\n\nSomebody reads it at home",
        "lend_book",
        [],
    ),
    "a word": ("closed", "find_book", []),
}


@pytest.mark.parametrize(("text", "tool", "expected"), FENCES.values(), ids=FENCES)
def test_a_text_below_a_bold_line(tmp_path: Path, text: str, tool: str, expected: list[str]) -> None:
    assert told(tmp_path, fence(text, tool), f"docs/{tool}.md") == expected


def test_a_document_that_the_settings_do_not_list_shows_what_it_likes(tmp_path: Path) -> None:
    assert told(tmp_path, fence("The weather is bad for readers today"), config="") == []


def test_what_is_written_from_the_code_is_no_message(tmp_path: Path) -> None:
    page = fence("The weather is bad for readers today").replace("**Not", "<!-- errlint: begin errors -->\n**Not")
    assert told(tmp_path, f"{page}\n<!-- errlint: end -->\n") == []


ODD = fence("The weather is bad for readers today").replace("# find_book", "# Trouble")
FINE = "\n**Fine**\n\n```\nThere is no book called Emma on this shelf\n```\n"
WORSE = "\n**Worse**\n\n```\nThe wind blows through all of the doors\n```\n"


@pytest.mark.parametrize(
    ("page", "expected"),
    [
        pytest.param(ODD, [], id="nothing is known"),
        pytest.param(ODD + FINE, ["ERR502 8"], id="half of it is known"),
        pytest.param(ODD + WORSE + FINE, ["ERR502 8", "ERR502 14"], id="a third is known"),
        pytest.param(ODD + WORSE + WORSE.replace("wind", "rain") + FINE, [], id="less than a third is known"),
    ],
)
def test_a_document_that_is_not_about_this_code_shows_other_messages(
    tmp_path: Path, page: str, expected: list[str]
) -> None:
    assert told(tmp_path, page, "docs/trouble.md") == expected
