"""Conditions on the text of an error, caught or answered (ERR308)."""

from __future__ import annotations

import pytest

from errlint.collect import collect
from errlint.facts import Branch
from errlint.index.vocabulary import Vocabulary


def branches(body: str) -> tuple[Branch, ...]:
    """Return the conditions on texts of errors in a function."""
    lines = "".join(f"    {line}\n" for line in body.split("\n"))
    functions = collect(f"async def lend(book, shelf):\n{lines}", Vocabulary(branches=True)).functions
    (found,) = (each for each in functions if each.name == "lend")
    return found.branches


def told(found: tuple[Branch, ...]) -> list[str]:
    """Return conditions in short: what the texts are compared with, which kind of thing that is first."""
    return [
        " ".join(
            f"{kind}:{','.join(values)}"
            for kind, values in (
                ("text", each.texts),
                ("pattern", each.patterns),
                ("named", each.named),
                ("status", each.statuses),
            )
            if values
        )
        for each in found
    ]


def handled(handler: str, clause: str = "except LendingError as error") -> list[str]:
    """Return the conditions in a handler."""
    body = "".join(f"    {line}\n" for line in handler.split("\n"))
    return told(branches(f"try:\n    take(book)\n{clause}:\n{body.rstrip()}"))


def asked(condition: str) -> list[str]:
    """Return what one condition in a handler asks."""
    return handled(f"if {condition}:\n    pass")


CONDITIONS = {
    "a part": ("'gone' in str(error)", "text:gone"),
    "no part": ("'gone' not in str(error)", "text:gone"),
    "the whole": ("str(error) == 'gone'", "text:gone"),
    "the whole the other way round": ("'gone' == str(error)", "text:gone"),
    "another whole": ("str(error) != 'gone'", "text:gone"),
    "a part in small letters": ("'gone' in str(error).lower().strip()", "text:gone"),
    "a part of the first piece": ("'gone' in str(error).split(':')[0]", "text:gone"),
    "a part of what it shows": ("'gone' in repr(error)", "text:gone"),
    "a part of the text of the text": ("'gone' in str(error.message)", "text:gone"),
    "a part of the message": ("'gone' in error.message", "text:gone"),
    "a part of the first argument": ("'gone' in error.args[0]", "text:gone"),
    "a beginning": ("str(error).startswith('gone')", "text:gone"),
    "a place": ("str(error).find('gone') > 0", "text:gone"),
    "one of two": ("'gone' in str(error) or 'lost' in error.msg", "text:gone,lost"),
    "one beside something else": ("book and 'gone' in str(error)", "text:gone"),
    "a pattern": ("re.search(r'gone|lost', str(error))", "pattern:gone|lost"),
    "a pattern of another library": ("regex.match('gone', error.detail)", "pattern:gone"),
    "a compiled pattern": ("GONE.search(str(error))", "named:GONE"),
    "a compiled pattern of a module": ("patterns.GONE.fullmatch(str(error))", "named:patterns.GONE"),
    "a status": ("error.status == 404", "status:status"),
    "one of several statuses": ("error.status in (404, 410)", "status:status"),
    "a status by its name": ("error.status == HTTPStatus.NOT_FOUND", "status:status"),
    "a status by its name in a module": ("error.status != http.HTTPStatus.NOT_FOUND", "status:status"),
}


@pytest.mark.parametrize(("condition", "expected"), CONDITIONS.values(), ids=CONDITIONS)
def test_the_text_of_what_was_caught_is_asked_for(condition: str, expected: str) -> None:
    assert asked(condition) == [expected]


NONE = {
    "a part of something else": "'gone' in book",
    "a part of the text of something else": "'gone' in str(book)",
    "a part of the text of a field": "'gone' in str(error.code)",
    "a part of a code": "'gone' in error.code",
    "a part of the text of something else that it holds": "'gone' in error.book.message",
    "a part of what is made with it": "'gone' in shown(error)",
    "a part of what a method makes": "'gone' in str(error).encode()",
    "a part of a text of several": "'gone' in str(error, 'utf-8')",
    "a part of a text with an encoding": "'gone' in str(error, encoding='utf-8')",
    "a part of nothing": "'gone' in str()",
    "a part of the exception": "'gone' in error",
    "a part that only the run knows": "book in str(error)",
    "a whole that only the run knows": "str(error) == book",
    "a whole of something else": "book.title == 'gone'",
    "an order": "str(error) > 'gone'",
    "identity": "str(error) is 'gone'",
    "a chain": "'gone' == str(error) == book",
    "the code in front of a text": "'gone' in str(error).split(']')[0]",
    "the code behind a text": "'gone' in str(error).partition('] ')[0]",
    "what only the run parts": "'gone' in str(error).split(book)[0]",
    "what is parted at any room": "'gone' in str(error).split()[0]",
    "a beginning of something else": "book.startswith('gone')",
    "a beginning that only the run knows": "str(error).startswith(book)",
    "a beginning of nothing": "str(error).startswith()",
    "another method": "str(error).removeprefix('gone')",
    "a function of that name": "startswith(str(error), 'gone')",
    "a pattern in something else": "re.search('gone', book)",
    "a pattern that only the run knows": "re.search(book, str(error))",
    "a pattern without a text": "re.search('gone')",
    "a compiled pattern in something else": "GONE.search(book)",
    "a pattern that is compiled there": "re.compile('gone').search(str(error))",
    "a status that is a text": "error.status == '404'",
    "a status that only the run knows": "error.status == book",
    "a truth value": "error.retries == True",
    "statuses with something else": "error.status in (404, book)",
    "the status of something else": "book.status == 404",
    "an order of statuses": "error.status > 404",
}


@pytest.mark.parametrize("condition", NONE.values(), ids=NONE)
def test_the_text_of_what_was_caught_is_not_asked_for(condition: str) -> None:
    assert asked(condition) == []


BESIDE = {
    "an attribute that is no text": "error.code and 'gone' in str(error)",
    "an attribute of a text beside another one": "error.transient or 'gone' in error.message",
}


@pytest.mark.parametrize("condition", BESIDE.values(), ids=BESIDE)
def test_a_text_counts_not_where_something_surer_is_asked_beside_it(condition: str) -> None:
    assert asked(condition) == []


def test_a_text_beside_a_status_is_no_condition_on_either() -> None:
    assert asked("error.status == 404 and 'gone' in str(error)") == []


def test_a_text_beside_an_attribute_of_something_else_counts() -> None:
    assert asked("book.title and 'gone' in str(error)") == ["text:gone"]


HELD = {
    "a name": "text = str(error)\nif 'gone' in text:\n    pass",
    "a name of a name": "text = str(error)\nlow = text.lower()\nif 'gone' in low:\n    pass",
    "a piece": "first, rest = str(error).split(': ')\nif 'gone' in rest:\n    pass",
    "the rest of the pieces": "first, *rest = str(error).split(': ')\nif 'gone' in rest:\n    pass",
    "a name below a condition": "if book:\n    text = str(error)\n    if 'gone' in text:\n        pass",
    "a loop": "while 'gone' in str(error):\n    pass",
    "an elif": "if book:\n    pass\nelif 'gone' in str(error):\n    pass",
    "a condition in a loop": "for each in book:\n    if 'gone' in str(error):\n        pass",
    "a condition in a context": "with shelf:\n    if 'gone' in str(error):\n        pass",
    "a condition in a case": "match book:\n    case 1:\n        if 'gone' in str(error):\n            pass",
}

UNHELD = {
    "a name of something else": "text = str(book)\nif 'gone' in text:\n    pass",
    "several names at once": "text = shown = str(error)\nif 'gone' in text:\n    pass",
    "a name that nobody reads": "_, rest = str(error).split(': ')\nif 'gone' in _:\n    pass",
    "an attribute": "self.text = str(error)\nif 'gone' in text:\n    pass",
    "a condition in a function": "def shown():\n    if 'gone' in str(error):\n        pass",
    "a condition in a class": "class Shown:\n    if 'gone' in str(error):\n        pass",
    "a condition in a try, whose exception is another": (
        "try:\n    find()\nexcept OSError as error:\n    pass\nelse:\n    if 'gone' in str(error):\n        pass"
    ),
}


@pytest.mark.parametrize("handler", HELD.values(), ids=HELD)
def test_a_handler_asks_for_the_text_by(handler: str) -> None:
    assert handled(handler) == ["text:gone"]


@pytest.mark.parametrize("handler", UNHELD.values(), ids=UNHELD)
def test_a_handler_does_not_ask_for_the_text_by(handler: str) -> None:
    assert handled(handler) == []


def test_what_has_no_name_or_no_class_is_not_asked() -> None:
    condition = "if 'gone' in str(error):\n    pass"
    assert handled(condition, "except (LendingError, OSError) as error") == ["text:gone"]
    assert handled(condition, "except LendingError") == []
    assert handled(condition, "except") == []


def test_the_classes_are_those_of_the_clause() -> None:
    body = (
        "try:\n    take(book)\nexcept (LendingError, books.Gone) as error:\n    if 'gone' in str(error):\n        pass"
    )
    assert [(each.types, each.span.line, each.callee) for each in branches(body)] == [
        (("LendingError", "books.Gone"), 5, "")
    ]


ANSWERED = {
    "the message of an answer": ("found = take(book)\nif 'gone' in found.message:\n    pass", "take text:gone"),
    "an answer that is waited for": (
        "found = await take(book)\nif found.detail == 'gone':\n    pass",
        "take text:gone",
    ),
    "the first content of an answer": (
        "found = take(book)\nif 'gone' in found.content[0].text:\n    pass",
        "take text:gone",
    ),
    "a name for the message": (
        "found = take(book)\ntext = found.message.lower()\nif 'gone' in text:\n    pass",
        "take text:gone",
    ),
    "a pattern": (
        "found = shelf.take(book)\nif re.search('gone', found.message):\n    pass",
        "shelf.take pattern:gone",
    ),
    "a loop": ("found = take(book)\nwhile 'gone' in found.message:\n    pass", "take text:gone"),
    "a later answer": (
        "found = find(book)\nfound = take(book)\nif 'gone' in found.message:\n    pass",
        "take text:gone",
    ),
}


@pytest.mark.parametrize(("body", "expected"), ANSWERED.values(), ids=ANSWERED)
def test_the_text_of_what_was_answered_is_asked_for(body: str, expected: str) -> None:
    found = branches(body)
    assert [f"{each.callee} {text}" for each, text in zip(found, told(found), strict=True)] == [expected]


UNANSWERED = {
    "the answer itself": "found = take(book)\nif 'gone' in str(found):\n    pass",
    "another field": "found = take(book)\nif 'gone' in found.code:\n    pass",
    "the text of the answer": "found = take(book)\nif 'gone' in found.text:\n    pass",
    "the text of something else that it holds": "found = take(book)\nif 'gone' in found.pages[0].text:\n    pass",
    "the text of its content as a whole": "found = take(book)\nif 'gone' in found.content.text:\n    pass",
    "a status": "found = take(book)\nif found.status == 404:\n    pass",
    "a name that is another one by then": "found = take(book)\nfound = book\nif 'gone' in found.message:\n    pass",
    "a text in a name that is another one by then": (
        "found = take(book)\ntext = found.message\ntext = book\nif 'gone' in text:\n    pass"
    ),
    "something that is no answer": "found = book\nif 'gone' in found.message:\n    pass",
    "an answer in an attribute": "self.found = take(book)\nif 'gone' in self.found.message:\n    pass",
    "an answer of what is looked up": "found = TAKERS[0](book)\nif 'gone' in found.message:\n    pass",
    "one of several names": "found = other = take(book)\nif 'gone' in found.message:\n    pass",
    "the message of something else": "found = take(book)\nif 'gone' in book.message:\n    pass",
}


@pytest.mark.parametrize("body", UNANSWERED.values(), ids=UNANSWERED)
def test_the_text_of_what_was_answered_is_not_asked_for(body: str) -> None:
    assert branches(body) == ()


def test_of_two_answers_the_one_is_told_that_is_asked() -> None:
    body = "found = take(book)\nother = find(book)\nif 'gone' in other.message:\n    pass"
    assert [each.callee for each in branches(body)] == ["find"]
