"""Which fields of an exception a function compares, and of which class that exception may be."""

from __future__ import annotations

import pytest
from test_flow import shown

from errlint.collect import collect
from errlint.index.vocabulary import Vocabulary

ASKED = {
    "an equation": "if error.code == 'gone':\n  pass",
    "an equation the other way round": "if 'gone' == error.code:\n  pass",
    "a difference": "if error.code != 'gone':\n  pass",
    "identity": "if error.code is 'gone':\n  pass",
    "a difference of identity": "if error.code is not 'gone':\n  pass",
    "a field by its name": "if getattr(error, 'code') == 'gone':\n  pass",
    "a field by its name, with another value where there is none": "if getattr(error, 'code', '') == 'gone':\n  pass",
    "a chain, each with its neighbour": "if expected == error.code == 'gone':\n  pass",
    "an operand of an `and`": "if retries and error.code == 'gone':\n  pass",
    "a value": "found = error.code == 'gone'",
}


def compared(handler: str, clause: str = "except LostError as error") -> list[str]:
    """Return what a handler compares, each with the class and the field."""
    body = "".join(f"  {line}\n" for line in handler.split("\n"))
    text = f"def borrow(book):\n try:\n  shelf.take(book)\n {clause}:\n{body}"
    (function,) = collect(text, Vocabulary(cases=("borrow",))).functions
    return [f"{'|'.join(each.types)}.{each.field} {shown(each.value)}" for each in function.matched]


@pytest.mark.parametrize("handler", ASKED.values(), ids=ASKED)
def test_a_field_of_what_was_caught_is_compared_in(handler: str) -> None:
    assert "LostError.code 'gone'" in compared(handler)


NOTHING = {
    "an order": "if error.code > 'gone':\n  pass",
    "the exception itself": "if error == 'gone':\n  pass",
    "a field of something else": "if book.code == 'gone':\n  pass",
    "a field of a field": "if error.book.code == 'gone':\n  pass",
    "a field that is only read": "if error.code:\n  pass",
    "a field by a name that only the run knows": "if getattr(error, field) == 'gone':\n  pass",
    "a field of what is called": "if getattr(find(error), 'code') == 'gone':\n  pass",
    "an entry": "if getattr(error, 'the code') == 'gone':\n  pass",
    "a function that is called `getattr` of something": "if book.getattr(error, 'code') == 'gone':\n  pass",
    "a call with the name of no field": "if getattr(error) == 'gone':\n  pass",
}


@pytest.mark.parametrize("handler", NOTHING.values(), ids=NOTHING)
def test_no_field_of_what_was_caught_is_compared_in(handler: str) -> None:
    assert compared(handler) == []


CLASSES = {
    "several in a clause": (
        "except (LostError, errors.Torn) as error",
        "if error.code == 1:\n  pass",
        "LostError|errors.Torn",
    ),
    "what is asked in the handler": (
        "except Exception as error",
        "if isinstance(error, LostError) and error.code == 1:\n  pass",
        "LostError",
    ),
    "one of several that are asked for": (
        "except Exception as error",
        "if isinstance(error, (LostError, *TORN, torn())) and error.code == 1:\n  pass",
        "LostError|TORN|?",
    ),
    "what was asked for one after the other": (
        "except Exception as error",
        "if isinstance(error, LostError):\n  pass\nelif isinstance(error, Torn):\n  if error.code == 1:\n   pass",
        "LostError|Torn",
    ),
    "the same question of something else": (
        "except Exception as error",
        "if isinstance(book, LostError) and error.code == 1:\n  pass",
        "Exception",
    ),
    "a question of the same name": (
        "except Exception as error",
        "if checks.isinstance(error, LostError) and error.code == 1:\n  pass",
        "Exception",
    ),
    "the inner one of two clauses": (
        "except Exception as error",
        "try:\n  shelf.close()\nexcept Torn as error:\n  if error.code == 1:\n   pass",
        "Torn",
    ),
}


@pytest.mark.parametrize(("clause", "handler", "classes"), CLASSES.values(), ids=CLASSES)
def test_what_an_exception_may_be_whose_field_is_compared(clause: str, handler: str, classes: str) -> None:
    assert compared(handler, clause) == [f"{classes}.code 1"]


def test_each_case_of_a_match_compares_the_field() -> None:
    handler = "match error.code:\n  case 'gone':\n   pass\n  case 1 | 2:\n   pass\n  case str():\n   pass"
    assert compared(handler) == ["LostError.code tuple('gone')", "LostError.code tuple(1, 2)", "LostError.code tuple()"]


def test_a_match_of_the_exception_itself_compares_no_field() -> None:
    assert compared("match error:\n  case LostError():\n   pass") == []


def test_a_field_of_something_that_is_an_exception_by_the_words_of_a_question() -> None:
    text = "def told(error):\n if isinstance(error, LostError):\n  return error.code == 'gone'\n"
    (function,) = collect(text, Vocabulary(cases=("told",))).functions
    assert [(each.types, each.field) for each in function.matched] == [(("LostError",), "code")]
