"""What the code can say: which texts are put together where, and which documented one is such a text."""

from __future__ import annotations

from pathlib import Path

import pytest

from errlint.catalog.documents import Documents
from errlint.catalog.templates import documented
from errlint.collect import collect
from errlint.project import Project
from errlint.project.asked_facts import vocabulary
from errlint.project.drift.message_index import Sayings
from errlint.project.names import Layout
from errlint.settings import Settings


def sayings(source: str) -> Sayings:
    """Return what answers for one file."""
    settings = Settings(root=Path())
    modules = {"shop.py": collect(source, vocabulary(settings))}
    documents = Documents(Path(), {"shop.py": source}, frozenset())
    return Sayings(Project(Layout(modules, [""]), modules, settings, documents))


def in_function(line: str) -> str:
    return f"NAMES = ['html', 'pdf']\n\n\ndef told(page, names):\n    {line}\n"


TEXTS = {
    "a text": ("return 'The page is lost'", ["The page is lost"]),
    "a text that is said and dropped": ("'The page is lost'", []),
    "bytes": ("return b'The page is lost'", []),
    "with a hole": ("return f'The page {page} is lost'", ["The page {} is lost"]),
    "put together": ("return 'The page is ' + page + ' and lost'", ["The page is {} and lost"]),
    "put together from texts": ("return 'The page is ' + 'lost'", ["The page is lost"]),
    "put together from names": ("return page + names", []),
    "with a sign for what follows": ("return 'The page %s is lost' % page", ["The page {} is lost"]),
    "with a sign and its width": ("return 'The page %-5.2f is lost' % page", ["The page {} is lost"]),
    "with a name for what follows": ("return 'The page %(name)s is lost' % page", ["The page {} is lost"]),
    "with a sign of percent": ("return '50 %done of the page' % page", ["50 %done of the page"]),
    "a rest that is no text": ("return page % 'The page is lost'", ["The page is lost"]),
    "formatted": ("return 'The page {} is lost'.format(page)", ["The page {} is lost"]),
    "formatted by a name": ("return 'The page {name!r} is lost'.format(name=page)", ["The page {} is lost"]),
    "a name that is formatted": ("return page.format('The page is lost')", ["The page is lost"]),
    "another operation": ("return 'The page is lost' * 2", ["The page is lost"]),
    "a method of a text": ("return 'The page is lost'.upper()", ["The page is lost"]),
    "what is only compared": ("return page == 'The page is lost'", []),
    "what a parameter is told by": ("return Field(description='The page is lost')", []),
    "what a parameter of a command is told by": ("parser.add_argument('--page', help='The page is lost')", []),
    "what another call is given": ("return page.shown(title='The page is lost')", ["The page is lost"]),
    "in a hole": (
        "return f'The page {page or \"is not there\"} is lost'",
        ["The page {} is lost", "is not there"],
    ),
    "beside a text": ("return 'The page is ' + (page or 'not there')", ["The page is {}", "not there"]),
    "handed to what is formatted": (
        "return 'The page {} is {}'.format(page, names or 'not there')",
        ["The page {} is {}", "not there"],
    ),
    "joined from a list": ("return f'The page is one of {\", \".join(NAMES)}'", ["The page is one of html, pdf"]),
    "joined from a list, sorted": (
        "return f'The page is one of {\", \".join(sorted(NAMES))}'",
        ["The page is one of html, pdf"],
    ),
    "joined from what is not known": ("return f'The page is one of {\", \".join(names)}'", ["The page is one of {}"]),
    "joined from a list by what is not known": (
        "return f'The page is one of {page.join(NAMES)}'",
        ["The page is one of {}"],
    ),
    "joined from what is sorted otherwise": (
        "return f'The page is one of {\", \".join(sorted(NAMES, key=len))}'",
        ["The page is one of {}"],
    ),
    "joined from what is made": (
        "return f'The page is one of {\", \".join(map(str, NAMES))}'",
        ["The page is one of {}"],
    ),
    "another method": ("return f'The page is one of {\", \".strip(NAMES)}'", ["The page is one of {}"]),
}


def shown(found: Sayings) -> list[str]:
    """Return the texts of several words, with empty braces for their holes."""
    texts = ("".join(part if isinstance(part, str) else "{}" for part in each.text.parts) for each in found.all)
    return [text for text in texts if " " in text]


@pytest.mark.parametrize(("line", "expected"), TEXTS.values(), ids=TEXTS)
def test_the_texts_that_code_puts_together(line: str, expected: list[str]) -> None:
    assert shown(sayings(in_function(line))) == expected


LISTS = {
    "a tuple": ("('pdf', 'html')", "pdf, html"),
    "the keys of a dict": ("{'pdf': 1, 'html': 2}", "pdf, html"),
    "a frozen list": ("frozenset(['pdf', 'html'])", "pdf, html"),
    "a set, in whatever order": ("{'pdf', 'html'}", "{}"),
    "with a constant": ("['pdf', WEB]", "pdf, html"),
    "with another name": ("['pdf', page]", "{}"),
    "with a number": ("['pdf', 7]", "{}"),
    "with a call": ("['pdf', made()]", "{}"),
    "an empty one": ("[]", "{}"),
    "a call": ("made(['pdf'])", "{}"),
}


@pytest.mark.parametrize(("value", "joined"), LISTS.values(), ids=LISTS)
def test_a_constant_that_a_text_joins(value: str, joined: str) -> None:
    code = f"WEB = 'html'\nNAMES = {value}\n\n\ndef told():\n    return f'It is one of {{\", \".join(NAMES)}}'\n"
    assert shown(sayings(code)) == [f"It is one of {joined}"]


def test_a_set_that_a_text_joins_in_order() -> None:
    code = "NAMES = {'pdf', 'html'}\n\n\ndef told():\n    return f'It is one of {\", \".join(sorted(NAMES))}'\n"
    assert shown(sayings(code)) == ["It is one of html, pdf"]


def test_a_name_of_two_lists_is_neither() -> None:
    lists = "if old:\n    NAMES = ['pdf']\nNAMES = ['html']\nNAMES = ['text']\n"
    code = f"{lists}\n\ndef told():\n    return f'It is one of {{\", \".join(NAMES)}}'\n"
    assert shown(sayings(code)) == ["It is one of {}"]


@pytest.mark.parametrize(
    ("code", "function"),
    [
        pytest.param("def told():\n    return 'It is lost'\n", "told", id="a function"),
        pytest.param("class Page:\n    def told(self):\n        return 'It is lost'\n", "Page.told", id="a method"),
        pytest.param("class Page:\n    LOST = 'It is lost'\n", "Page", id="a class"),
        pytest.param("LOST = 'It is lost'\n", "", id="a module"),
    ],
)
def test_the_function_that_a_text_stands_in(code: str, function: str) -> None:
    assert [each.function for each in sayings(code).all] == [function]


UNREACHED = """\
@mcp.tool()
def shown_page(page):
    return page


class PageError(Exception):
    pass


def lost(page):
    raise PageError(
        'The page is lost'
    )
"""


@pytest.mark.parametrize(
    ("caller", "expected"),
    [
        pytest.param("", [], id="nobody gets it"),
        pytest.param("\n\n@mcp.tool()\ndef find(page):\n    lost(page)\n", ["The page is lost"], id="somebody gets it"),
    ],
)
def test_the_text_of_an_error_that_nobody_gets_is_not_said(caller: str, expected: list[str]) -> None:
    code = UNREACHED
    assert shown(sayings(code + caller)) == expected


LONG = "return f'The page {page} of the book about the sea is lost'"
SAID = {
    "the same": ("The page 7 of the book about the sea is lost", LONG, True),
    "in other signs": ("the page `7` of the book about the sea is lost.", LONG, True),
    "its beginning": ("The page 7 of the book about the sea", LONG, True),
    "a text that it is the most of": ("Error: the page 7 of the book about the sea is lost now", LONG, True),
    "other words": ("The page 7 of the book about the wood is lost", LONG, False),
    "words of others": ("Nobody reads this", LONG, False),
    "a small part of it": (
        "Dear reader, please do not be angry: it is lost at sea, and nobody knows for sure",
        "return 'it is lost at sea'",
        False,
    ),
}


@pytest.mark.parametrize(("text", "line", "expected"), SAID.values(), ids=SAID)
def test_a_text_is_one_that_the_code_says(text: str, line: str, expected: bool) -> None:
    assert sayings(in_function(line)).says(documented(text)) is expected


MESSAGES = {
    "below a key of messages": ("return {'message': 'The page is lost'}", True),
    "below another key": ("return {'label': 'The page is lost'}", False),
    "below a key that is no text": ("return {page: 'The page is lost'}", False),
    "passed as a message": ("return shown(message='The page is lost')", True),
    "passed as something else": ("return shown(label='The page is lost')", False),
    "in an exception": ("return PageError('The page is lost')", True),
    "in an exception of a module": ("return errors.PageError('The page is lost')", True),
    "in another call": ("return Page('The page is lost')", False),
    "with a hole": ("return PageError(f'The page {page}is lost')", True),
    "a name": ("return {'message': page}", False),
    "other words": ("return {'message': 'The page is wet'}", False),
}


@pytest.mark.parametrize(("line", "expected"), MESSAGES.values(), ids=MESSAGES)
def test_a_text_that_stands_where_a_message_does(line: str, expected: bool) -> None:
    assert sayings(in_function(line)).is_message(documented("The page is lost")) is expected


def test_an_error_that_nobody_gets_is_no_message() -> None:
    code = UNREACHED
    assert not sayings(code).is_message(documented("The page is lost"))


def test_the_nearest_texts_come_first() -> None:
    code = in_function(
        "return ['The page of the book is wet', 'The page of the book is lost', 'It rains on us', 'wet page']"
    )
    found = [each.text.parts[0] for _, each in sayings(code).nearest(documented("A page of the book is lost"), 0.5)]
    assert found == ["The page of the book is lost", "The page of the book is wet"]


@pytest.mark.parametrize(
    ("least", "number"), [pytest.param(0.5, 1, id="near enough"), pytest.param(0.99, 0, id="not near enough")]
)
def test_what_is_not_so_near_is_left_out(least: float, number: int) -> None:
    code = in_function("return 'The page of the book is wet'")
    assert len(list(sayings(code).nearest(documented("The page of the book is lost"), least))) == number


def test_a_text_of_two_words_is_like_too_many() -> None:
    assert not list(sayings(in_function("return 'wet page'")).nearest(documented("wet pages"), 0.5))
