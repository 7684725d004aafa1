"""Messages in documents: which of them the code has to say, and which are none of its own."""

from __future__ import annotations

from pathlib import Path

import pytest
from documented_shop import LISTED, said

HEAD = """\
from fastmcp import FastMCP

mcp = FastMCP("library")


class BookError(Exception):
    pass


class LostError(BookError):
    pass


class LentError(BookError):
    pass


def swept(shelf: str) -> None:
    raise LostError(f"Somebody has swept the shelf {shelf} clean")


"""

CODE = f"""\
{HEAD}@mcp.tool()
def find_book(title: str, shelf: str) -> dict:
    if not shelf:
        raise LostError(f"There is no book called {{title}} on this shelf")
    if not title:
        raise LentError("Somebody reads it at home")
    try:
        raise LostError("The catalogue of cards burnt down")
    except LostError:
        return {{"success": False, "error": "The library is closed on Sundays"}}
"""

FINE = "### LostError - Fine\n\n**Message:** `There is no book called Emma on this shelf`\n\n"
NEAR = "There is no book called Emma on this table"
FULL = "There is no book called Emma on this shelf now"
FARTHER = "There is no copy of Emma on any shelf"


def messages(
    root: Path, page: str, *, code: str = CODE, path: str = "docs/books.md", config: str = LISTED
) -> list[str]:
    """Return what is said of a page: the line, and the first words of it."""
    found = said(root, "ERR503", {"library.py": code, path: page}, config)
    return [each.removeprefix(f"{path}:") for each in found]


def of(entry: str, message: str, facts: str = "") -> str:
    """Return an entry with a message, which stands in the third line."""
    return f"### {entry}\n\n**Message:** `{message}`\n\n{facts}"


LIKE = "; the nearest: There is no book called [-Emma-] {+{title}+} on this [-table-] {+shelf+}"
TITLED = FINE.replace("LostError - ", "")
ENTRIES = {
    "it is said": (of("LostError - Gone", "There is no book called Emma on this shelf"), []),
    "a class": (of("LostError - Gone", NEAR), [f'3 no error with the class `LostError` says "{NEAR}"{LIKE}']),
    "a class of which others say it": (
        of("LentError - Gone", "There is no book called Emma on this shelf"),
        ['3 no error with the class `LentError` says "There is no book called Emma on this shelf"'],
    ),
    "a base of the class": (of("BookError - Gone", "There is no book called Emma on this shelf"), []),
    "what nobody gets": (
        of("LostError - Gone", "The catalogue of cards burnt down"),
        ['3 no error with the class `LostError` says "The catalogue of cards burnt down"'],
    ),
    "what nobody calls": (
        of("LostError - Gone", "Somebody has swept the shelf A clean"),
        ['3 no error with the class `LostError` says "Somebody has swept the shelf A clean"'],
    ),
    "a reserved one": (of("LostError - Gone (reserved)", NEAR), []),
    "two messages of one entry": (
        of("LostError - Gone", NEAR, f"**Message:** `{NEAR} here`\n"),
        [f'3 no error with the class `LostError` says "{NEAR}"{LIKE}'],
    ),
    "a class that the code does not have": (of("ValueError - Gone", NEAR), []),
}


@pytest.mark.parametrize(("entry", "expected"), ENTRIES.values(), ids=ENTRIES)
def test_a_message_that_no_error_says_which_the_entry_may_mean(tmp_path: Path, entry: str, expected: list[str]) -> None:
    assert messages(tmp_path, f"{entry}\n{FINE}") == expected


@pytest.mark.parametrize(
    ("message", "expected"),
    [
        pytest.param(NEAR, [f'3 no error says "{NEAR}"{LIKE}'], id="near"),
        pytest.param(FARTHER, [], id="not so near"),
        pytest.param("There is no book called Emma on this shelf", [], id="said"),
    ],
)
def test_a_message_of_a_mere_title_that_is_near_to_one_of_an_error(
    tmp_path: Path, message: str, expected: list[str]
) -> None:
    assert messages(tmp_path, of("Gone", message) + TITLED) == expected


def test_the_nearest_message_of_a_class_may_be_farther_away(tmp_path: Path) -> None:
    (found,) = messages(tmp_path, of("LostError - Gone", FARTHER) + FINE)
    assert found.partition("; the nearest: ")[2]


def test_what_is_written_from_the_code_is_not_compared(tmp_path: Path) -> None:
    entry = of("LostError - Gone", NEAR)
    assert messages(tmp_path, f"<!-- errlint: begin errors -->\n\n{entry}<!-- errlint: end -->\n\n{FINE}") == []


def test_the_message_of_a_code_that_only_the_policy_has_is_not_compared(tmp_path: Path) -> None:
    config = f"{LISTED}\n[codes.vocabulary]\nbook_gone = {{ status = 410 }}\n"
    assert messages(tmp_path, of("`book_gone`", NEAR) + FINE, config=config) == []


@pytest.mark.parametrize(
    ("entries", "lines"),
    [
        pytest.param([("LostError - Gone", NEAR), ("LostError - A", FARTHER)], [3, 7], id="a third is said"),
        pytest.param(
            [("LostError - Gone", NEAR), ("LostError - A", FARTHER), ("LentError - B", "Read by others")],
            [],
            id="less than a third is said",
        ),
    ],
)
def test_messages_of_a_document_of_descriptions_are_not_compared(
    tmp_path: Path, entries: list[tuple[str, str]], lines: list[int]
) -> None:
    found = messages(tmp_path, "".join(of(*entry) for entry in entries) + FINE)
    assert [int(each.partition(" ")[0]) for each in found] == lines


DESCRIPTIONS = of("{0}A", "It rains a lot") + of("{0}B", "It snows a lot") + of("{0}C", "The wind blows")
OF_TITLE = f"# Trouble\n\n{of('Gone', NEAR)}{DESCRIPTIONS.format('Weather ')}"
OF_CLASS = f"## find_book tool\n\n{of('LostError - Gone', NEAR)}{DESCRIPTIONS.format('LentError - ')}"


@pytest.mark.parametrize(
    ("path", "page", "lines"),
    [
        pytest.param("docs/errors.md", OF_TITLE, [5], id="titles in a document about errors"),
        pytest.param("docs/find_book.md", OF_TITLE, [5], id="titles on the page of a tool"),
        pytest.param("docs/weather.md", OF_TITLE, [], id="titles in another document"),
        pytest.param("docs/weather.md", OF_CLASS, [5, 9, 13, 17], id="classes below the name of a tool"),
        pytest.param("docs/weather.md", OF_CLASS.replace("tool", "book"), [], id="classes below something else"),
        pytest.param("docs/errors.md", OF_CLASS.replace("tool", "book"), [], id="classes in a document about errors"),
    ],
)
def test_descriptions_are_compared_where_a_document_is_about_the_errors(
    tmp_path: Path, path: str, page: str, lines: list[int]
) -> None:
    found = messages(tmp_path, page, path=path)
    assert [int(each.partition(" ")[0]) for each in found] == lines


@pytest.mark.parametrize("page", [OF_TITLE, OF_CLASS], ids=["titles", "classes"])
def test_descriptions_are_not_compared_in_documents_that_the_settings_do_not_list(tmp_path: Path, page: str) -> None:
    assert messages(tmp_path, page, path="docs/errors.md", config="") == []


HANDED = """

@mcp.tool()
def lend_book(title: str) -> dict:
    try:
        return find_book(title, "")
    except BookError as error:
        raise LentError(str(error)) from error
"""


@pytest.mark.parametrize(
    ("entry", "is_told"),
    [
        pytest.param(of("LentError - Gone", "There is no book called Emma on this shelf"), False, id="said by another"),
        pytest.param(of("LentError - Gone", "The reader is on holiday"), True, id="said by nothing"),
        pytest.param(of("LostError - Gone", "Somebody reads it at home"), True, id="of a class that hands on nothing"),
    ],
)
def test_an_error_that_hands_on_a_text_may_say_what_another_says(tmp_path: Path, entry: str, is_told: bool) -> None:
    assert bool(messages(tmp_path, entry + FINE, code=CODE + HANDED)) is is_told


@pytest.mark.parametrize(
    ("message", "code", "is_told"),
    [
        pytest.param(NEAR, CODE, True, id="near to one of an error"),
        pytest.param("redis.exceptions.LockError: " + FULL, CODE, False, id="of a library"),
        pytest.param("LostError: " + FULL, CODE, True, id="of an exception of the code"),
        pytest.param(
            NEAR,
            CODE + f'\n\ndef told(shelf):\n    return {{"message": "{NEAR}"}}\n',
            False,
            id="where a message stands",
        ),
        pytest.param(NEAR, CODE + f'\n\ndef told(shelf):\n    return ["{NEAR}"]\n', True, id="anywhere in the code"),
        pytest.param(NEAR, CODE + f'\n\ndef told(log):\n    log(error="{NEAR}")\n', False, id="passed as an error"),
        pytest.param(NEAR, CODE + f'\n\ndef told(log):\n    log(warning="{NEAR}")\n', True, id="passed as a warning"),
        pytest.param(NEAR, CODE + f'\n\ndef told():\n    return OSError("{NEAR}")\n', False, id="in an exception"),
        pytest.param(
            "There is no book called Emma on that table",
            CODE + '\n\ndef told(table):\n    return OSError(f"There is no book called {table}" " on that table")\n',
            False,
            id="in an exception, with holes",
        ),
    ],
)
def test_the_message_of_a_title_that_is_none_of_the_errors(
    tmp_path: Path, message: str, code: str, is_told: bool
) -> None:
    assert bool(messages(tmp_path, of("Gone", message) + TITLED, code=code)) is is_told


PAYLOAD = """

@mcp.tool()
def open_library(day: str) -> dict:
    if not day:
        return {"success": False, "code": "LIB_CLOSED", "error": "Nobody is at the desk on Sundays"}
    raise LentError("Somebody reads it at home", code="LENT_AWAY")
"""
CODED = HEAD.replace("(Exception):\n    pass", "(Exception):\n    def __init__(self, text, code='LIB'):\n        pass")
CODED += CODE.removeprefix(HEAD) + PAYLOAD
"""Errors with codes, one of them in a payload."""


@pytest.mark.parametrize(
    ("page", "expected"),
    [
        pytest.param(
            of("LentError - Closed", "Nobody is at the desk on Sundays"),
            ["docs/books.md:3 `open_library` answers this in a payload, it raises no `LentError`"],
            id="a message",
        ),
        pytest.param(of("LentError - Closed", "Somebody reads it at home"), [], id="a message that is raised"),
        pytest.param(
            "### `LIB_CLOSED`\n\n**Exception:** `LentError`\n\n",
            ["docs/books.md:3 `open_library` answers `LIB_CLOSED` in a payload, it raises no `LentError`"],
            id="a code with a class",
        ),
        pytest.param("### `LENT_AWAY`\n\n**Exception:** `LentError`\n\n", [], id="a code that is raised"),
        pytest.param("### `LIB_CLOSED`\n\nNobody is there.\n\n", [], id="a code without a class"),
        pytest.param(
            of("Closed", "Nobody is at the desk on Sundays"),
            [],
            id="a message of no class",
        ),
    ],
)
def test_an_exception_that_is_answered_in_a_payload(tmp_path: Path, page: str, expected: list[str]) -> None:
    assert said(tmp_path, "ERR506", {"library.py": CODED, "docs/books.md": page + FINE}) == expected


def test_what_is_answered_in_a_payload_is_no_other_message_of_its_class(tmp_path: Path) -> None:
    page = of("LentError - Closed", "Nobody is at the desk on Sundays") + FINE
    assert messages(tmp_path, page, code=CODED) == []
