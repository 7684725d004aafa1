"""What the message of an error has to name by its code, and whether it may do so."""

from __future__ import annotations

from textwrap import indent

import pytest
from judged_texts import astray

SETTINGS = """\
[codes]
prefix = "[{code}] "
prefixed = ["ToolError"]
arguments = ["code"]

[exceptions]
root = ["ShopError"]

[hints.mentions]
gone = ["list_books|find_book"]
wrong = ["{field}"]
busy = ["{}"]
late = ["retry_after"]
"""
HEAD = """\
from kit import ToolError

HOW = "see the list"


class ShopError(Exception):
    def __init__(self, message, code="", hints=()):
        super().__init__(message)
        self.code = code


class Detailed(ShopError):
    def __init__(self, detail, code=""):
        super().__init__(detail, code)


def advice(title):
    return title


"""


def said(body: str) -> list[str]:
    """Return how the findings of a function with this body differ from its marks."""
    text = f"{HEAD}def sell(self, title, price, details):\n{indent(body, '    ')}\n"
    return astray({"shop.py": text}, SETTINGS, "ERR401")


GONE = "  # error: `list_books` or `find_book`"
NAMED = {
    "a word of two": "raise ToolError('[gone] no such book; use list_books')",
    "the other word": "raise ToolError('[gone] no such book; use find_book')",
    "neither": f"raise ToolError('[gone] no such book'){GONE}",
    "a word as it is written in a sentence": "raise ToolError('[gone] no such book; list books first')",
    "a word at the beginning of a sentence": "raise ToolError('[gone] Find_book knows it')",
    "what only the run knows": f"raise ToolError(f'[gone] no {{title}}'){GONE}",
    "a constant": "raise ToolError(f'[gone] no such book; {HOW}')",
    "what a function answers": "raise ToolError(f'[gone] no such book; {advice(title)}')",
    "what is worked out": "raise ToolError(f'[gone] no such book; {title + details}')",
    "the text of a name": f"raise ToolError(f'[gone] no {{str(title)}}'){GONE}",
    "a hint that is handed in": "raise ToolError(f'[gone] no such book; {hint_text}')",
    "a verification that is handed in": "raise ToolError(f'[gone] no such book; {verify}')",
    "an entry of a table": "raise ToolError(f'[gone] no such book; {TABLE[title]}')",
    "a word of one of two texts": "raise ToolError('[gone] use list_books' if title else '[gone] no')",
    "another code": "raise ToolError('[sold] no such book')",
    "another argument": "raise ToolError('[gone] no such book', ['use list_books'])",
    "an entry of another argument": "raise ToolError('[gone] no such book', {'how': 'use list_books'})",
    "arguments that cannot be seen": "raise ToolError('[gone] no such book', **details)",
    "an entry that is spread": "raise ToolError('[gone] no such book', {'a': 'b', **details})",
    "a choice of an argument": "raise ToolError('[gone] no', hints='list_books' if title else 'none')",
}
FIELD = "  # error: `title`"
ASKED = {
    "the field": "if not title:\n    raise ToolError('[wrong] no title')",
    "no field": f"if not title:\n    raise ToolError('[wrong] that is missing'){FIELD}",
    "its value": "if not title:\n    raise ToolError(f'[wrong] {details} is missing')",
    "one of two fields": "if title > price:\n    raise ToolError('[wrong] the price is too low')",
    "none of two fields": "if title > price:\n    raise ToolError('[wrong] no')  # error: `title` or `price`",
    "a field that is no parameter": "if self.open:\n    raise ToolError('[wrong] that is missing')",
    "no condition": "raise ToolError('[wrong] that is missing')",
    "the last condition": (f"if price:\n    if not title:\n        raise ToolError('[wrong] that is no price'){FIELD}"),
    "the field in capitals": "if not title:\n    raise ToolError('[wrong] Title is missing')",
}
REASON = "  # error: the reason"
REASONS = {
    "none": f"raise ToolError('[busy] try later'){REASON}",
    "one that only the run knows": "raise ToolError(f'[busy] try later: {title}')",
    "one in a call": "raise ToolError(str(title))",
    "one of two": "raise ToolError('[busy] later' if price else f'[busy] later: {title}')",
    "in a name": "text = f'[busy] later: {title}'\nraise ToolError(text)",
    "not in a name": f"text = '[busy] later'\nraise ToolError(text){REASON}",
}
ARGUMENTS = {
    "neither word": f"raise ShopError('no such book', code='gone'){GONE}",
    "a word": "raise ShopError('no such book; use list_books', code='gone')",
    "a word in the hints alone": f"raise ShopError('no such book', code='gone', hints=['list_books']){GONE}",
    "another code": "raise ShopError('no such book', code='sold')",
    "a code that only the run knows": "raise ShopError('no such book', code=title)",
    "a message that only the run knows": "raise ShopError(title, code='gone')",
    "a field": "if not title:\n    raise ShopError('that is missing', code='wrong')",
    "neither word, by another name": f"raise Detailed('no such book', code='gone'){GONE}",
    "an underscore as a space": "raise ShopError('retry after a minute', code='late')",
    "no underscore": "raise ShopError('later', code='late')  # error: `retry_after`",
}


@pytest.mark.parametrize("body", NAMED.values(), ids=NAMED)
def test_what_is_named_in_a_message_is(body: str) -> None:
    assert said(body) == []


@pytest.mark.parametrize("body", ASKED.values(), ids=ASKED)
def test_what_is_named_of_the_condition_is(body: str) -> None:
    assert said(body) == []


@pytest.mark.parametrize("body", REASONS.values(), ids=REASONS)
def test_the_reason_that_is_given_is(body: str) -> None:
    assert said(body) == []


@pytest.mark.parametrize("body", ARGUMENTS.values(), ids=ARGUMENTS)
def test_beside_a_code_as_an_argument_the_message_has(body: str) -> None:
    assert said(body) == []
