"""Documents that say two things of one error: in examples, in lists that sort errors, and by the classes of entries."""

from __future__ import annotations

from pathlib import Path

import pytest
from documented_shop import said

CODE = """\
from fastmcp import FastMCP

mcp = FastMCP("library")


class BookError(Exception):
    pass


class LostError(BookError):
    def __init__(self, message, shelf: int = 1, *, rows: {rows} = None):
        super().__init__(message)


class LentError(BookError):
    readers: {rows}


@mcp.tool()
def find_book(title: str) -> dict:
    if not title:
        raise LentError("Somebody reads it")
    raise LostError("It is lost")
"""


def contradictions(root: Path, page: str, rows: str = "object") -> list[str]:
    return said(root, "ERR509", {"library.py": CODE.replace("{rows}", rows), "docs/books.md": page})


def examples(*shown: str) -> str:
    """Return a page with an example in each section: what is shown stands in lines 6, 13 and so on."""
    return "# Books\n" + "".join(f"\n## Case\n\n```json\n{each}\n```\n\n" for each in shown)


def lost(member: str, error_type: str = "LostError") -> str:
    return f'{{"message": "It is lost", "error_type": "{error_type}", {member}}}'


EXAMPLES = {
    "values and objects": ([lost('"rows": ["7"]'), lost('"rows": [{"id": 7}]')], "list of objects", "list of values"),
    "an object and values": ([lost('"rows": {"id": 7}'), lost('"rows": ["7"]')], "list of values", "object"),
    "the same kind": ([lost('"rows": ["7"]'), lost('"rows": ["8", "9"]')], "", ""),
    "an empty list": ([lost('"rows": ["7"]'), lost('"rows": []')], "", ""),
    "what is left out": ([lost('"rows": [{"id": 7}]'), lost('"rows": ["..."]')], "", ""),
    "a text": ([lost('"rows": [{"id": 7}]'), lost('"rows": "none"')], "", ""),
    "another code": ([lost('"rows": ["7"]'), lost('"rows": [{"id": 7}]', "LentError")], "", ""),
    "another message": ([lost('"rows": ["7"]'), lost('"rows": [{"id": 7}]').replace("lost", "lent")], "", ""),
    "no message": (
        ['{"error_type": "LostError", "rows": ["7"]}', '{"error_type": "LostError", "rows": {"id": 7}}'],
        "",
        "",
    ),
    "an empty message": (
        [lost('"rows": ["7"]').replace("It is lost", ""), lost('"rows": {"id": 7}').replace("It is lost", "")],
        "",
        "",
    ),
    "members of members": ([lost('"data": {"rows": ["7"]}'), lost('"data": {"rows": {"id": 7}}')], "", ""),
    "members of a list": ([lost('"data": [{"rows": ["7"]}]'), lost('"data": [{"rows": {"id": 7}}]')], "", ""),
}


@pytest.mark.parametrize(("shown", "kind", "before"), EXAMPLES.values(), ids=EXAMPLES)
def test_a_member_that_an_earlier_example_of_the_error_shows_as_something_else(
    tmp_path: Path, shown: list[str], kind: str, before: str
) -> None:
    kind, before = (f"{'an' if each == 'object' else 'a'} {each}" for each in (kind, before))
    expected = [f"docs/books.md:13 `rows` is {kind} here, and {before} in line 6"] if kind != "a " else []
    assert contradictions(tmp_path, examples(*shown)) == expected


@pytest.mark.parametrize("name", ["LostError", "LentError"], ids=["an argument", "a field"])
@pytest.mark.parametrize(
    ("annotation", "line"),
    [
        pytest.param("list[str]", 13, id="values"),
        pytest.param("Sequence[int] | None", 13, id="values or nothing"),
        pytest.param("list[dict[str, str]]", 6, id="objects"),
        pytest.param("List[Mapping]", 6, id="objects in other words"),
        pytest.param("dict[str, str]", 13, id="neither of both"),
        pytest.param("list[Row]", 13, id="what is not told"),
        pytest.param("object", 13, id="anything"),
    ],
)
def test_the_example_is_wrong_that_is_not_what_the_class_declares(
    tmp_path: Path, name: str, annotation: str, line: int
) -> None:
    key = "rows" if name == "LostError" else "readers"
    shown = [lost(f'"{key}": ["7"]', name), lost(f'"{key}": [{{"id": 7}}]', name)]
    found = contradictions(tmp_path, examples(*shown), annotation)
    assert [each.partition(" ")[0] for each in found] == [f"docs/books.md:{line}"]


def test_the_class_of_another_error_declares_nothing(tmp_path: Path) -> None:
    shown = [lost('"readers": ["7"]'), lost('"readers": [{"id": 7}]')]
    (found,) = contradictions(tmp_path, examples(*shown), "list[dict]")
    assert found.startswith("docs/books.md:13 ")


def test_an_object_is_right_where_the_class_declares_one(tmp_path: Path) -> None:
    shown = [lost('"rows": ["7"]'), lost('"rows": {"id": 7}'), lost('"rows": ["8"]')]
    assert contradictions(tmp_path, examples(*shown), "dict[str, int]") == [
        "docs/books.md:6 `rows` is a list of values here, and an object in line 13",
        "docs/books.md:20 `rows` is a list of values here, and an object in line 13",
    ]


ENTRIES = """\
# Books

## LostError - The Lost Book

**Exception Type:** `LostError`

## LentError - The Lent Book

**Exception Type:** `LentError`

# What to do

"""

LISTS = {
    "in a list of its class": ("- Search (LostError)\n  - `the_lost_book`: look again\n", []),
    "in a list of another class": ("- Wait (LentError)\n  - `the_lost_book`: look again\n", ["the_lost_book"]),
    "in a list of the base": ("- Wait (BookError)\n  - `the_lost_book`: look again\n", []),
    "in a list of a class that the code does not have": ("- Wait (BirdError)\n  - `the_lost_book`: look again\n", []),
    "in a list of no class": ("- Wait\n  - `the_lost_book`: look again\n", []),
    "as a bold word": ("- Wait (LentError)\n  - **The lost book**: look again\n", ["The lost book"]),
    "in plain words": ("- Wait (LentError)\n  - The lost book (often)\n", ["The lost book"]),
    "in words before code": ("- Wait (LentError)\n  - The lost book: see `the_lent_book`\n", ["The lost book"]),
    "among other words": ("- Wait (LentError)\n  - find the lost book\n", []),
    "beside the list": ("- Wait (LentError)\n- `the_lost_book`: look again\n", []),
    "outside of lists": ("Wait for a LentError:\n\n`the_lost_book`\n", []),
    "below a heading": ("## Wait: LentError\n\n- `the_lost_book`: look again\n", ["the_lost_book"]),
    "the inner class counts": (
        "## Wait: LentError\n\n- Search (LostError)\n  - `the_lost_book`: look\n- `the_lent_book`: ask\n",
        [],
    ),
    "the class of the item before it does not": (
        "- Wait (LentError)\n  - `the_lent_book`: ask\n- Search\n  - `the_lost_book`: look again\n",
        [],
    ),
    "an item between has no class": (
        "- Wait (LentError)\n  - at home\n    - `the_lost_book`: look again\n",
        ["the_lost_book"],
    ),
}


@pytest.mark.parametrize(("page", "names"), LISTS.values(), ids=LISTS)
def test_an_error_in_a_list_of_other_classes(tmp_path: Path, page: str, names: list[str]) -> None:
    found = contradictions(tmp_path, ENTRIES + page)
    assert [each.partition(" ")[2] for each in found] == [
        f"`{name}` is listed as `LentError`, and its entry in line 3 is of `LostError`" for name in names
    ]


@pytest.mark.parametrize(
    "entry",
    [
        pytest.param(
            "## ValueError - The Old Book\n\n**Exception Type:** `ValueError`\n", id="a class of the language"
        ),
        pytest.param("## The Old Book\n\n**Message:** `It is lost`\n", id="no class"),
    ],
)
def test_an_entry_of_no_class_of_the_code_may_stand_in_any_list(tmp_path: Path, entry: str) -> None:
    page = f"{ENTRIES}{entry}\n# What to do\n\n- Wait (LentError)\n  - `the_old_book`: look again\n"
    assert contradictions(tmp_path, page) == []


def test_an_error_with_two_entries_may_stand_in_a_list_of_either(tmp_path: Path) -> None:
    again = "## LentError - The Lost Book\n\n**Exception Type:** `LentError`\n\n# What to do\n\n"
    page = f"{ENTRIES}{again}- Wait (LentError)\n  - `the_lost_book`: look again\n"
    assert contradictions(tmp_path, page) == []


NAMED = {
    "one class": ("## LostError - A\n\n**Exception Type:** `LostError`\n", []),
    "another class below": (
        "## LostError - A\n\n**Exception Type:** `LentError`\n",
        ["5 this entry is of `LentError` here, and of `LostError` in line 3"],
    ),
    "another class in its full name": (
        "## LostError - A\n\n**Exception Type:** `library.LentError`\n",
        ["5 this entry is of `LentError` here, and of `LostError` in line 3"],
    ),
    "its base": ("## LostError - A\n\n**Exception Type:** `BookError`\n", []),
    "its base in the heading": ("## BookError - A\n\n**Exception Type:** `LostError`\n", []),
    "a class that the code does not have": ("## LostError - A\n\n**Exception Type:** `BirdError`\n", []),
    "a heading that the code does not have": ("## BirdError - A\n\n**Exception Type:** `LostError`\n", []),
}


@pytest.mark.parametrize(("page", "expected"), NAMED.values(), ids=NAMED)
def test_an_entry_of_two_classes(tmp_path: Path, page: str, expected: list[str]) -> None:
    assert contradictions(tmp_path, f"# Books\n\n{page}") == [f"docs/books.md:{each}" for each in expected]


@pytest.mark.parametrize(
    ("shown", "line"),
    [
        pytest.param("", 5, id="the later one is wrong"),
        pytest.param(
            '\n```json\n{"message": "x", "error_type": "LentError"}\n```\n', 3, id="unless it stands there more"
        ),
        pytest.param(
            '\n```json\n{"message": "x", "error_type": "LostError"}\n```\n', 5, id="the heading stands there more"
        ),
    ],
)
def test_of_two_classes_of_an_entry_that_which_stands_there_less(tmp_path: Path, shown: str, line: int) -> None:
    page = f"# Books\n\n## LostError - A\n\n**Exception Type:** `LentError`\n{shown}"
    (found,) = contradictions(tmp_path, page)
    assert found.startswith(f"docs/books.md:{line} ")


def test_of_two_classes_of_an_entry_that_which_the_tool_does_not_raise(tmp_path: Path) -> None:
    code = CODE + '\n\n@mcp.tool()\ndef lend_book(title: str) -> dict:\n    raise LentError("Somebody reads it")\n'
    page = "# lend_book\n\n## LostError - A\n\n**Exception Type:** `LentError`\n"
    (found,) = said(tmp_path, "ERR509", {"library.py": code, "docs/lend_book.md": page})
    assert found == "docs/lend_book.md:3 this entry is of `LostError` here, and of `LentError` in line 5"


def test_what_is_written_from_the_code_contradicts_nothing(tmp_path: Path) -> None:
    entry = "## LostError - A\n\n**Exception Type:** `LentError`\n"
    page = f"# Books\n\n<!-- errlint: begin errors -->\n{entry}<!-- errlint: end -->\n"
    assert contradictions(tmp_path, page) == []
