"""Hints: which say nothing, and which errors have none."""

from __future__ import annotations

import pytest
from judged_texts import findings, lines

HEAD = """\
from fastmcp import FastMCP

mcp = FastMCP("books")


class BookError(Exception):
    def __init__(self, message: str, hint: str = "", hints: list[str] | None = None, reason: str = "") -> None:
        super().__init__(message)


@mcp.tool()
def find(title, names):
"""

WHERE = "`hint` of `BookError` "

FLAWS = {
    "nothing": ("raise BookError('no book', hint='')", f"{WHERE}is blank"),
    "a blank": ("raise BookError('no book', hint=' ')", f"{WHERE}is blank"),
    "a placeholder": ("raise BookError('no book', hint='TBD')", f"{WHERE}is a placeholder (`TBD`)"),
    "a placeholder in a variable": (
        "hint = ' TBD '\n    raise BookError('no book', hint=hint)",
        f"{WHERE}is a placeholder (`TBD`)",
    ),
    "nothing in a variable": ("hint = ''\n    raise BookError('no book', hint=hint)", f"{WHERE}is blank"),
    "a list of a placeholder in a variable": (
        "hints = ['n/a']\n    raise BookError('no book', hints=hints)",
        "`hints` of `BookError` holds a hint that is a placeholder (`n/a`)",
    ),
    "a list of advice and a placeholder": (
        "raise BookError('no book', hints=['Use list_books', 'TODO'])",
        "`hints` of `BookError` holds a hint that is a placeholder (`TODO`)",
    ),
    "an empty list": ("raise BookError('no book', hints=[])", "`hints` of `BookError` is empty"),
    "an empty dict": ("raise BookError('no book', hints={})", "`hints` of `BookError` is empty"),
    "the message": ("raise BookError('There is no book', hint='There is no book')", f"{WHERE}repeats the message"),
    "the message in other letters and with a full stop": (
        "raise BookError('There is no book', hint='there is no book.')",
        f"{WHERE}repeats the message",
    ),
    "the message with something else in its hole": (
        "raise BookError(f'There is no book {title}', hint=f'There is no book {names}')",
        f"{WHERE}repeats the message",
    ),
    "the message in a variable": (
        "text = 'There is no book'\n    raise BookError('There is no book', hint=text)",
        f"{WHERE}repeats the message",
    ),
    "the variable of the message": (
        "text = title or names\n    raise BookError(text, hint=text)",
        f"{WHERE}repeats the message",
    ),
    "the parameter that is the message": ("raise BookError(title, hint=title)", f"{WHERE}repeats the message"),
    "the call that makes the message": (
        "raise BookError(str(title), hint=str(title))",
        f"{WHERE}repeats the message",
    ),
    "a list of the message alone": (
        "raise BookError('There is no book', hints=['There is no book', 'There is no book!'])",
        "`hints` of `BookError` repeats the message",
    ),
    "a message of eight letters": (
        "raise BookError('No books', hint='no books!')",
        f"{WHERE}repeats the message",
    ),
    "a list of what is known and a blank": (
        "raise BookError('no book', hints=[names, ''])",
        "`hints` of `BookError` holds a hint that is blank",
    ),
    "the reason that is given beside the message": (
        "raise BookError('no', reason='There is no book', hint='There is no book')",
        f"{WHERE}repeats the message",
    ),
}


@pytest.mark.parametrize(("body", "said"), FLAWS.values(), ids=FLAWS)
def test_a_hint_gives_no_advice(body: str, said: str) -> None:
    found = findings({"server.py": f"{HEAD}    {body}\n"}, rules=["ERR402"])
    assert [each.message.partition(";")[0] for each in found] == [said]


ADVICE = {
    "none": "raise BookError('no book')",
    "one that is none": "raise BookError('no book', hint=None)",
    "advice": "raise BookError('no book', hint='Use list_books')",
    "advice in a variable": "hint = 'Use list_books'\n    raise BookError('no book', hint=hint)",
    "advice beside the message": "raise BookError('There is no book', hints=['There is no book', 'Use list_books'])",
    "one that only the run knows": "raise BookError('no book', hint=names[0])",
    "one that has a hole": "raise BookError('no book', hint=f'{names}')",
    "one of two in a variable": (
        "hint = ''\n    if names:\n        hint = 'Use list_books'\n    raise BookError('no book', hint=hint)"
    ),
    "a list of advice in a variable": "hints = ['Use list_books']\n    raise BookError('no book', hints=hints)",
    "a list in a variable that may grow": (
        "hints = []\n    hints.append(names)\n    raise BookError('no book', hints=hints)"
    ),
    "a list in a variable of two, one of them empty": "hints = ['', names]\n    raise BookError('x', hints=hints)",
    "a dict that takes others in": "raise BookError('no book', hints={**names})",
    "a dict with advice": "raise BookError('no book', hints={'use': 'list_books'})",
    "another variable": "raise BookError(title, hint=names)",
    "another call": "raise BookError(str(title), hint=str(names))",
    "a text that is as short as the message": "raise BookError('no book', hint='no book')",
    "a text with more than the message": "raise BookError('There is no book', hint='There is no book: list them')",
    "what the message is made of": "raise BookError(f'There is no book {title}', hint=title)",
}


@pytest.mark.parametrize("body", ADVICE.values(), ids=ADVICE)
def test_a_hint_is_or_may_be_advice(body: str) -> None:
    assert findings({"server.py": f"{HEAD}    {body}\n"}, rules=["ERR402"]) == []


NEEDED = '[hints]\nclasses = ["BookError"]\n'

CLASSES = {
    "a class without": ("class BookError(Exception):\n    pass", "BookError('no')", True),
    "a class with a default": ("class BookError(Exception):\n    hints = ['Use list_books']", "BookError('no')", False),
    "a class whose default is none": ("class BookError(Exception):\n    hints = None", "BookError('no')", True),
    "a class whose default is empty": ("class BookError(Exception):\n    hints = []", "BookError('no')", True),
    "a class that works it out": (
        "class BookError(Exception):\n    def suggest(self):\n        return ['Use list_books']",
        "BookError('no')",
        False,
    ),
    "a base that works it out": (
        "class Base(Exception):\n    def remedy(self):\n        return 'Use list_books'\n\n\nclass BookError(Base):\n"
        "    pass",
        "BookError('no')",
        False,
    ),
    "a field that is only declared": (
        "class BookError(Exception):\n    guidance: str",
        "BookError('no')",
        True,
    ),
    "a method of another name": (
        "class BookError(Exception):\n    def shown(self):\n        return ''",
        "BookError('no')",
        True,
    ),
    "another class": ("class OtherError(Exception):\n    pass", "OtherError('no')", False),
    "a hint that is given": (
        "class BookError(Exception):\n    def __init__(self, text, hint=''):\n        super().__init__(text)",
        "BookError('no', hint='Use list_books')",
        False,
    ),
    "a hint that is given as none": (
        "class BookError(Exception):\n    def __init__(self, text, hint=''):\n        super().__init__(text)",
        "BookError('no', hint=None)",
        True,
    ),
    "none given in place of a default": (
        "class BookError(Exception):\n    def __init__(self, text, hint='Use list_books'):\n        self.hint = hint",
        "BookError('no', hint=None)",
        True,
    ),
    "the default of a constructor": (
        "class BookError(Exception):\n    def __init__(self, text, hint='Use list_books'):\n        self.hint = hint",
        "BookError('no')",
        False,
    ),
    "whatever the caller passes on": (
        "class BookError(Exception):\n    def __init__(self, text, hint=''):\n        super().__init__(text)",
        "BookError('no', **more)",
        False,
    ),
}


def test_a_keyword_of_hints_that_is_a_name_of_messages_is_no_message_itself() -> None:
    body = "    raise BookError('no book', reason='Use list_books to see all')\n"
    assert findings({"server.py": HEAD + body}, '[hints]\nkeywords = ["reason"]\n', rules=["ERR402"]) == []
    body = "    raise BookError('There is no book', reason='There is no book')\n"
    assert len(findings({"server.py": HEAD + body}, '[hints]\nkeywords = ["reason"]\n', rules=["ERR402"])) == 1


@pytest.mark.parametrize(("code", "made", "lacks"), CLASSES.values(), ids=CLASSES)
def test_an_error_of_a_class_that_needs_hints_has_none(code: str, made: str, lacks: bool) -> None:
    text = f"{code}\n\n\ndef find(**more):\n    raise {made}\n"
    where = [f"server.py:{text.count(chr(10))}"] if lacks else []
    assert lines({"server.py": text}, NEEDED, rules=["ERR401"]) == where
