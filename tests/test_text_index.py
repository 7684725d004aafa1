"""Texts that agree or are near are found by their words: none is left out, and few are compared in vain."""

from __future__ import annotations

import random

import pytest

from errlint.catalog.templates import Hole, Template, agreement, documented, nearness, template
from errlint.catalog.text_index import TextIndex
from errlint.findings import Span
from errlint.project.drift import binding
from errlint.project.drift.binding import NEAR, DocumentedClaim, Surfacing, bind
from errlint.project.raised_errors import Origin, RaisedError

TEXT = "the of not is a order basket rows column file part is_open 404 E12 expired cannot 'x' : , (id)"
WORDS: tuple[str | Hole, ...] = tuple(TEXT.split())
SPACES: tuple[str | Hole, ...] = (" ", " ", " ", "", Hole(), Hole("name"))


def drawn(random_of: random.Random) -> list[str | Hole]:
    """Draw the pieces of a text of the code, with holes between words and inside of them."""
    pieces: list[str | Hole] = []
    for _ in range(random_of.randint(1, 7)):
        pieces.append(random_of.choice(WORDS))
        pieces.append(random_of.choice(SPACES))
    return pieces


def as_documented(pieces: list[str | Hole], random_of: random.Random) -> Template:
    """Return a text as people document it: examples for holes, a word changed, left out or added, or cut short."""
    text = ""
    for piece in pieces:
        if isinstance(piece, Hole):
            text += random_of.choice(["{name}", "'an example'", "42", "<id>"])
        else:
            text += random_of.choice([piece] * 12 + ["", f"{piece} again", "changed"])
    return documented(text + random_of.choice(["", "", ".", " ..."]))


@pytest.mark.parametrize("seed", range(40))
def test_no_text_that_agrees_or_is_near_is_left_out(seed: int) -> None:
    random_of = random.Random(seed)
    pieces = [drawn(random_of) for _ in range(30)]
    texts = [template(each) for each in pieces]
    index = TextIndex(enumerate(texts))
    for each in pieces:
        said = as_documented(each, random_of)
        agreeing = {position for position, text in enumerate(texts) if agreement(said, text) > 0}
        near = {position for position, text in enumerate(texts) if nearness(said, text) >= NEAR}
        assert agreeing <= index.may_agree(said)
        assert near <= index.may_be_near(said, NEAR)
        assert near == {position for position, text in enumerate(texts) if nearness(said, text, NEAR) >= NEAR}


def raising(number: int) -> RaisedError:
    """Return an error that says something of its own, in a sentence that many errors have."""
    said = Template((f"The shelf{number} has no room for basket{number} of the {number * 7919 % 1000}th aisle",))
    place = Span(number, 1, number, 2)
    return RaisedError(
        "shop.py", place, "fill", Origin.RAISE, "ShopError", ("shop.ShopError",), (), (said,), (), (), None
    )


def test_entries_that_name_no_code_are_compared_with_few_of_many_errors(monkeypatch: pytest.MonkeyPatch) -> None:
    compared = [0]

    def noted(said: Template, raised: Template) -> float:
        compared[0] += 1
        return agreement(said, raised)

    monkeypatch.setattr(binding, "agreement", noted)
    errors = Surfacing(raising(number) for number in range(500))
    for error in errors:
        bound = bind(DocumentedClaim(messages=error.messages), errors)
        assert bound is not None and bound.agrees and bound.error == error
    assert compared[0] <= 2 * len(errors)
