"""Lists of values in documents: which list of the code one has to be like, and which are lists of something else."""

from __future__ import annotations

from pathlib import Path

import pytest
from documented_shop import said

SERVER = """\
from fastmcp import FastMCP

mcp = FastMCP("prints")


class PrintError(Exception):
    pass


@mcp.tool()
def print_page(format: str) -> dict:
    raise PrintError(f"Invalid format '{format}'. Must be one of: html, pdf, docx")
"""

SIZES = """

@mcp.tool()
def {name}({argument}: str) -> dict:
    raise PrintError(f"Invalid {argument} '{{{argument}}}'. Must be one of: {values}")
"""

LACKS = "docs/pages.md:3 the list of values of `format` lacks `docx`"
INLINE = "# Pages\n\nWrite it in one of `html` or `pdf`.\n"

DOCUMENTS = {
    "a list in a line": (INLINE, [LACKS]),
    "the same values in another order": ("# Pages\n\nUse one of `docx`, `pdf`, `html`.\n", []),
    "one value in common is no such list": ("# Pages\n\nUse one of `html`, `text`.\n", []),
    "less than half in common is another list": ("# Pages\n\nUse one of `html`, `pdf`, `a`, `b`, `c`, `d`.\n", []),
    "just half in common": (
        "# Pages\n\nUse one of `html`, `pdf`, `text`.\n",
        ["docs/pages.md:3 the list of values of `format` lacks `docx` and has `text`, which the code does not allow"],
    ),
    "the row of the argument": (
        "# Pages\n\n| Name | Values |\n|---|---|\n| `format` | one of `html`, `pdf` |\n",
        ["docs/pages.md:5 the list of values of `format` lacks `docx`"],
    ),
    "the row of another argument": ("# Pages\n\n| Name | Values |\n|---|---|\n| `view` | one of `html`, `pdf` |\n", []),
    "a row with a colon before its list": (
        "# Pages\n\n| Name | Values |\n|---|---|\n| `format` | how it looks: `html`, `pdf` |\n",
        ["docs/pages.md:5 the list of values of `format` lacks `docx`"],
    ),
    "a line with a colon before a list that need not be whole": ("# Pages\n\nHow it looks: `html`, `pdf`.\n", []),
    "what is used for something": ("# Pages\n\nUse `html` or `pdf`.\n", [LACKS]),
    "what is used behind a name": ("# Pages\n\nformat: Use `html` or `pdf`.\n", [LACKS]),
    "what is used at times": ("# Pages\n\nOften people use `html` or `pdf`.\n", []),
    "the claim belongs to another list before it": (
        "# Pages\n\nOne of `html`, `pdf`, `docx`, and never `html` or `pdf` twice.\n",
        [],
    ),
    "code before the list that is no list": ("# Pages\n\nOne of `these` is nice: `html` or `pdf`.\n", []),
    "use, behind other code": ("# Pages\n\nCall `print_page`. Use `html` or `pdf`.\n", []),
    "bullets below a line that names the argument": (
        "# Pages\n\nThe formats:\n\n- `html`\n- `pdf`\n",
        ["docs/pages.md:6 the list of values of `format` lacks `docx`"],
    ),
    "bullets below the heading of the argument": (
        "# Pages\n\n## Format\n\n- `html` for the web\n- `text` for a terminal\n- `pdf`\n",
        ["docs/pages.md:6 the list of values of `format` lacks `docx` and has `text`, which the code does not allow"],
    ),
    "bullets below a line without the name": ("# Pages\n\n## Format\n\nWhat is quick:\n\n- `html`\n- `pdf`\n", []),
    "bullets below a heading without the name": ("# Pages\n\n## Quick\n\n- `html`\n- `pdf`\n", []),
    "bullets that begin with words": ("# Pages\n\n## Format\n\n- the `html` one\n- the `pdf` one\n", []),
    "bullets between words": ("# Pages\n\n## Format\n\n- `html`\n- and another\n- `pdf`\n", []),
    "two lists below one line": (
        "# Pages\n\nThe formats:\n\n- `html`\n- `pdf`\n- `docx`\n\nWhat else there is:\n\n- `html`\n- `pdf`\n",
        [],
    ),
}


@pytest.mark.parametrize(("page", "expected"), DOCUMENTS.values(), ids=DOCUMENTS)
def test_a_list_of_a_document_that_is_meant_to_be_whole(tmp_path: Path, page: str, expected: list[str]) -> None:
    assert said(tmp_path, "ERR507", {"server.py": SERVER, "docs/pages.md": page}) == expected


OTHERS = {
    "an argument with the same values": (SIZES.format(name="show", argument="view", values="html, pdf, docx"), [LACKS]),
    "an argument with nearly the same values": (
        SIZES.format(name="show", argument="view", values="html, pdf, epub"),
        [],
    ),
    "an argument with other values": (SIZES.format(name="show", argument="size", values="large, small"), [LACKS]),
}


@pytest.mark.parametrize(("code", "expected"), OTHERS.values(), ids=OTHERS)
def test_a_list_that_several_of_the_code_may_be_is_none_of_them(tmp_path: Path, code: str, expected: list[str]) -> None:
    assert said(tmp_path, "ERR507", {"server.py": SERVER + code, "docs/pages.md": INLINE}) == expected


ELSEWHERE = {
    "nothing else": ("", [LACKS]),
    "a list": ("\n\nQUICK = ['html', 'pdf']\n", []),
    "a tuple": ("\n\nQUICK = ('pdf', 'html')\n", []),
    "a set": ("\n\nQUICK = {'html', 'pdf'}\n", []),
    "the keys of a dict": ("\n\nQUICK = {'html': 1, 'pdf': 2}\n", []),
    "the values of a dict": ("\n\nQUICK = {1: 'html', 2: 'pdf'}\n", [LACKS]),
    "the values of a class": ("\n\nclass Quick:\n    HTML = 'html'\n    PDF = 'pdf'\n", []),
    "a list with more in it": ("\n\nQUICK = ['html', 'pdf', None, print]\n", [LACKS]),
    "a list with something that is worked out": ("\n\nQUICK = ['html', 'pdf', print('x')]\n", [LACKS]),
    "a list in another function": ("\n\ndef quick():\n    return ['html', 'pdf']\n", []),
    "the values one by one": ("\n\nWEB, PRINT = 'html', len('pdf')\n", [LACKS]),
}


@pytest.mark.parametrize(("code", "expected"), ELSEWHERE.values(), ids=ELSEWHERE)
def test_a_list_that_the_code_has_just_so_is_another_one(tmp_path: Path, code: str, expected: list[str]) -> None:
    assert said(tmp_path, "ERR507", {"server.py": SERVER + code, "docs/pages.md": INLINE}) == expected


def test_a_list_in_the_function_of_the_error_is_no_other_one(tmp_path: Path) -> None:
    code = SERVER.replace("dict:\n", "dict:\n    quick = ['html', 'pdf']\n")
    assert said(tmp_path, "ERR507", {"server.py": code, "docs/pages.md": INLINE}) == [LACKS]


def test_a_list_in_another_file_is_one_wherever_it_stands(tmp_path: Path) -> None:
    """At the line of the error there is a function as well, which has nothing to do with it."""
    line = SERVER.count("\n") - 2
    other = "\n" * line + "def quick():\n    return [\n        'html', 'pdf'\n    ]\n"
    assert said(tmp_path, "ERR507", {"server.py": SERVER, "other.py": other, "docs/pages.md": INLINE}) == []


@pytest.mark.parametrize(
    ("path", "page", "expected"),
    [
        pytest.param("docs/pages.md", INLINE, [], id="anywhere"),
        pytest.param("docs/print_page.md", INLINE, [3], id="on the page of the tool"),
        pytest.param(
            "docs/pages.md", "## The print_page Tool\n\nUse one of `html`, `pdf`.\n", [3], id="below the tool"
        ),
        pytest.param(
            "docs/pages.md",
            "# The print_page Tool\n\n## What it takes\n\nUse one of `html`, `pdf`.\n",
            [5],
            id="below a heading below the tool",
        ),
        pytest.param(
            "docs/pages.md", "# Pages\n\nInvalid format? Use one of `html`, `pdf`.\n", [3], id="beside its message"
        ),
        pytest.param(
            "docs/pages.md", "# Pages\n\nInvalid paper? Use one of `html`, `pdf`.\n", [], id="beside another message"
        ),
    ],
)
def test_a_list_about_the_error_is_its_own_whatever_else_the_code_has(
    tmp_path: Path, path: str, page: str, expected: list[int]
) -> None:
    code = SERVER + "\n\nQUICK = ['html', 'pdf']\n"
    found = said(tmp_path, "ERR507", {"server.py": code, path: page})
    assert found == [f"{path}:{line} the list of values of `format` lacks `docx`" for line in expected]


MESSAGES = {
    "names behind a colon": ("Must be one of: html, pdf, docx", ["html", "pdf", "docx"]),
    "either of two": ("It must be either html or pdf", ["html", "pdf"]),
    "names with an or": ("must be html, pdf, or docx.", ["html", "pdf", "docx"]),
    "names in quotes": ("must be one of 'html', 'pdf' and 'docx'", ["html", "pdf", "docx"]),
    "words that are no values": ("must be one of: web pages, pdf", []),
    "a single one": ("must be html", []),
    "something else": ("must not be html, pdf", []),
}


@pytest.mark.parametrize(("message", "values"), MESSAGES.values(), ids=MESSAGES)
def test_the_values_that_a_message_lists(tmp_path: Path, message: str, values: list[str]) -> None:
    """A document that has one more than the code is told what is too much."""
    code = SERVER.replace("Invalid format '{format}'. Must be one of: html, pdf, docx", f"The format {message}")
    listed = " or ".join(f"`{value}`" for value in (*(values or ["html", "pdf"]), "wiki"))
    found = said(tmp_path, "ERR507", {"server.py": code, "docs/pages.md": f"# Pages\n\nOne of {listed}.\n"})
    assert found == (["docs/pages.md:3 the list of values has `wiki`, which the code does not allow"] if values else [])
