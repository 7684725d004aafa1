"""Whether an answer tells the text of an exception."""

from __future__ import annotations

from textwrap import indent

import pytest

from errlint.collect import collect
from errlint.index.vocabulary import Vocabulary
from errlint.project.leaks import tells

TOLD = {
    "its text": "return str(error)",
    "its representation": "return repr(error)",
    "a text with it": "return f'failed: {error}'",
    "a text with its text": "return f'failed: {str(error)}'",
    "an entry": "return {'a': 1, 'error': str(error)}",
    "an entry of an entry": "return {'error': {'detail': f'{error}'}}",
    "an item": "return ['no', str(error)]",
    "an argument": "return failed('no', detail=str(error))",
    "what a method is called on": "return failed(str(error)).sent()",
    "one of two": "return 'no' if quiet else str(error)",
    "a name for it": "text = str(error)\nreturn text",
    "a name that is its text on all ways": "text = str(error)\nif quiet:\n    text = f'{error}'\nreturn text",
    "the stack": "return traceback.format_exc()",
    "the stack in an entry": "return {'stack': format_exception(error)}",
}
KEPT = {
    "the exception itself": "return error",
    "the exception as an argument": "return failed(error)",
    "the exception as an entry": "return {'error': error}",
    "the text of something else": "return str(quiet)",
    "a text with something else": "return f'failed: {quiet}'",
    "the name of its class": "return type(error).__name__",
    "a text": "return 'error'",
    "a name that is its text on one way": "text = str(error)\nif quiet:\n    text = 'no'\nreturn text",
    "a number": "return 7",
    "nothing": "return None",
}


def is_told(body: str) -> bool:
    """Return whether the last answer of a function with this body tells the text of its parameter ``error``."""
    text = f"def answer(error, quiet):\n{indent(body, '    ')}\n"
    (function,) = collect(text, Vocabulary()).functions
    return tells(function.returns[-1].value, "error")


@pytest.mark.parametrize("body", TOLD.values(), ids=TOLD)
def test_an_answer_tells_an_exception_by(body: str) -> None:
    assert is_told(body) is True


@pytest.mark.parametrize("body", KEPT.values(), ids=KEPT)
def test_an_answer_does_not_tell_an_exception_by(body: str) -> None:
    assert is_told(body) is False
