"""Where a caller looks for an error in a result: at which call, how, and for what (ERR108, ERR109)."""

from __future__ import annotations

import pytest

from errlint.collect import collect
from errlint.index.vocabulary import Vocabulary


def looked(body: str) -> list[str]:
    """Return the looks in a function that has asked `find` for a book: the call, how it is looked at, and for what."""
    lines = "".join(f"    {line}\n" for line in f"found = find(book)\n{body}".split("\n"))
    (function,) = collect(f"async def lend(book):\n{lines}", Vocabulary(inspections=True)).functions
    return [
        f"{'|'.join(each.callees)} {each.how} {each.key}"
        + (f" {'not ' if each.is_negated else ''}{','.join(each.texts)}" if each.texts else "")
        for each in function.inspections
    ]


LOOKS = {
    "a key": ("if 'error' in found:\n    pass", "find in error"),
    "a key that is missing": ("if 'error' not in found:\n    pass", "find in error"),
    "a key in capitals": ("if 'ERROR' in found:\n    pass", "find in ERROR"),
    "a key of what is called there": ("if 'error' in await ask(book):\n    pass", "ask in error"),
    "an entry": ("if found['error']:\n    pass", "find item error"),
    "an entry by `get`": ("if found.get('success', True):\n    pass", "find get success"),
    "an attribute": ("if found.is_error:\n    pass", "find attribute is_error"),
    "an attribute with another one": ("log(found.error.text)", "find attribute error"),
    "an attribute of what is called there": ("if not ask(book).success:\n    pass", "ask attribute success"),
    "a class": ("if isinstance(found, LendingError):\n    pass", "find isinstance LendingError"),
    "a class of a module": ("if isinstance(found, books.Response):\n    pass", "find isinstance books.Response"),
    "one of several classes": ("if isinstance(found, (Book, BookError)):\n    pass", "find isinstance BookError"),
    "a status": ("if found['status'] == 'success':\n    pass", "find item status success"),
    "a status the other way round": ("if 'success' == found['status']:\n    pass", "find item status success"),
    "another status": ("if found['status'] != 'success':\n    pass", "find item status not success"),
    "a status by `get`": ("if found.get('state') == 'failed':\n    pass", "find get state failed"),
    "one of several statuses": (
        "if found.get('status') in ('failed', 'error'):\n    pass", "find get status failed,error"),
    "none of several statuses": (
        "if found['status'] not in ['ok', 'success']:\n    pass", "find item status not ok,success"),
    "one of a set of statuses": ("if found['status'] in {'error'}:\n    pass", "find item status error"),
    "a name that is unpacked": ("book, error = find(book)", "find unpacked error"),
    "a name that takes all that are left": ("book, *errors = find(book)", "find unpacked errors"),
    "an operand of an `and`": ("if book and 'error' in found:\n    pass", "find in error"),
    "an assertion": ("assert 'error' in found", "find in error"),
    "an answer": ("return found['error']", "find item error"),
    "a value that is declared": ("failed: bool = found['failed']", "find item failed"),
    "a context": ("with told(found.error):\n    pass", "find attribute error"),
    "a loop": ("for each in found['errors']:\n    pass", "find item errors"),
    "a match": ("match found['error']:\n    case None:\n        pass", "find item error"),
    "a value that is raised": ("raise LendingError(found['error'])", "find item error"),
    "what may also be from somewhere else": (
        "if book:\n    found = ask(book)\nif 'error' in found:\n    pass", "ask|find in error"),
    "what may also be no call": ("if book:\n    found = {}\nif 'error' in found:\n    pass", "?|find in error"),
    "what runs a coroutine": ("found = asyncio.run(ask(book))\nif found.error:\n    pass", "ask attribute error"),
    "what waits for one": (
        "found = await asyncio.wait_for(ask(book), 3)\nif found.error:\n    pass", "ask attribute error"),
    "a method of a new object": ("if 'error' in Shelf(1).take(book):\n    pass", "Shelf().take in error"),
    "a method of what is held in a name": (
        "found = shelf.take(book)\nif 'error' in found:\n    pass", "shelf.take in error"),
    "a method of what a method answers": ("if 'error' in shelf().open().take(book):\n    pass", "? in error"),
    "a call of what is looked up": ("if 'error' in TAKERS[book](book):\n    pass", "? in error"),
}  # fmt: skip


@pytest.mark.parametrize(("body", "expected"), LOOKS.values(), ids=LOOKS)
def test_a_result_is_looked_at_for_an_error_by(body: str, expected: str) -> None:
    assert looked(body) == [expected]


NONE = {
    "another key": "if 'title' in found:\n    pass",
    "another entry": "if found['title']:\n    pass",
    "an entry that only the run knows": "if found[book]:\n    pass",
    "an entry by `get` that only the run knows": "if found.get(book):\n    pass",
    "a `get` of nothing": "if found.get():\n    pass",
    "another method": "if found.pop('error'):\n    pass",
    "a function that is called like the method": "if get(found, 'error'):\n    pass",
    "another attribute": "if found.title:\n    pass",
    "a key in a name that nothing is known of": "if 'error' in book:\n    pass",
    "a key in what only is like a call": "found = {}\nif 'error' in found:\n    pass",
    "a key in something else": "if 'error' in [found]:\n    pass",
    "a text of two results": "if 'error' < found['title']:\n    pass",
    "a chain": "if 'error' in found in book:\n    pass",
    "a class of something else": "if isinstance(found, Book):\n    pass",
    "classes of something else": "if isinstance(found, (Book, str)):\n    pass",
    "a check of the same name": "if books.isinstance(found, LendingError):\n    pass",
    "a check without a class": "if isinstance(found):\n    pass",
    "another function of two": "if issubclass(found, LendingError):\n    pass",
    "a status that says nothing": "if found['status'] == 'lent':\n    pass",
    "a status of both kinds": "if found['status'] in ('success', 'error'):\n    pass",
    "a status with one that only the run knows": "if found['status'] in ('success', book):\n    pass",
    "a status in a name": "if found['status'] in STATUSES:\n    pass",
    "a status that only the run knows": "if found['status'] == book:\n    pass",
    "another field with the word of a status": "if found['title'] == 'success':\n    pass",
    "another field by `get` with the word of a status": "if found.get('title') == 'success':\n    pass",
    "a field that only the run knows with the word of a status": "if found[book] == 'success':\n    pass",
    "the result with the word of a status": "if found == 'success':\n    pass",
    "a status of an order": "if found['status'] < 'success':\n    pass",
    "other names that are unpacked": "title, shelf = find(book)",
    "names of errors that are unpacked from a name": "title, error = book",
    "a part of what is unpacked": "title, error = find(book)[0]",
    "a part of what is answered": "title, found = find(book)\nif 'error' in found:\n    pass",
    "an attribute that is set": "found.error = book",
    "an entry that is set": "found['error'] = book",
}


@pytest.mark.parametrize("body", NONE.values(), ids=NONE)
def test_a_result_is_not_looked_at_for_an_error_by(body: str) -> None:
    assert looked(body) == []


def test_an_attribute_that_is_only_declared_is_looked_at() -> None:
    assert looked("found.error: str") == ["find attribute error"]


DENIED = {
    "a key": "assert 'error' not in found",
    "an entry": "assert not found['error']",
    "an entry that is nothing": "assert found['error'] is None",
    "an entry that equals nothing": "assert found.get('error') == None",
    "an entry that is another one": "assert found['error'] != 'gone'",
    "an attribute": "assert not found.is_error",
    "a class": "assert not isinstance(found, LendingError)",
    "a status of success": "assert found['status'] == 'success'",
    "another status than one of an error": "assert found['status'] != 'error'",
}

CLAIMED = {
    "a key": ("assert 'error' in found", "find in error"),
    "an entry": ("assert found['error']", "find item error"),
    "an entry that is a text": ("assert found['error'] == 'gone'", "find item error"),
    "an entry that is not nothing": ("assert found['error'] is not None", "find item error"),
    "an entry that is something": ("assert found['error'] is GONE", "find item error"),
    "an attribute": ("assert found.is_error", "find attribute is_error"),
    "a class": ("assert isinstance(found, LendingError)", "find isinstance LendingError"),
    "that nothing succeeded": ("assert not found['success']", "find item success"),
    "that something succeeded": ("assert found['success']", "find item success"),
    "a status of an error": ("assert found['status'] == 'error'", "find item status error"),
    "another status than one of success": ("assert found['status'] != 'success'", "find item status not success"),
    "a number of errors": ("assert found['errors'] > 1", "find item errors"),
}


@pytest.mark.parametrize("body", DENIED.values(), ids=DENIED)
def test_an_assertion_that_there_is_no_error_looks_for_none(body: str) -> None:
    assert looked(body) == []


@pytest.mark.parametrize(("body", "expected"), CLAIMED.values(), ids=CLAIMED)
def test_an_assertion_that_there_is_an_error_looks_for_it(body: str, expected: str) -> None:
    assert looked(body) == [expected]
