"""Handlers that give one code to whatever went wrong, and those that tell or ask what it is."""

from __future__ import annotations

from textwrap import indent

import pytest
from judged_texts import findings

CONFIG = """\
[exceptions]
root = ["MapError"]

[codes]
classifiers = ["classify"]
vocabulary = { timeout = {}, rate_limit = {}, lost = {} }

[work]
guarded = ["*.ask"]
"""

HEAD = """\
import logging
import time

from provider import LostError, NetworkError, ProviderError, client

logger = logging.getLogger(__name__)


class MapError(Exception):
    def __init__(self, message, code=None, kind=None):
        super().__init__(message)


def find(place):
"""


def told(body: str, config: str = CONFIG) -> list[int]:
    """Return the lines of a function that give a code without asking, counted from its first."""
    text = f"{HEAD}{indent(body, '    ')}\n"
    found = findings({"server.py": text}, config, rules=["ERR308"])
    return [each.span.line - HEAD.count("\n") for each in found]


def handled(answer: str, caught: str = "ProviderError as error", call: str = "client.ask(place)") -> str:
    return f"try:\n    return {call}\nexcept {caught}:\n{indent(answer, '    ')}"


RAISE = "raise MapError('no', code='timeout') from error"

UNASKED = {
    "by a raise": (handled(RAISE), 4),
    "by what it answers": (handled("return MapError('no', code='timeout')"), 4),
    "for any exception": (handled(RAISE, "Exception as error"), 4),
    "for anything": (handled("raise MapError('no', code='timeout')", ""), 4),
    "for one of several": (handled(RAISE, "(ProviderError, NetworkError) as error"), 4),
    "after it is logged": (handled(f"logger.warning('no')\n{RAISE}"), 5),
    "after the time is looked at": (handled(f"time.monotonic()\n{RAISE}"), 5),
    "beside another handler": (
        f"try:\n    place = int(place)\nexcept ValueError:\n    pass\nexcept TypeError:\n    pass\n{handled(RAISE)}",
        10,
    ),
    "by its text": (handled("raise MapError(str(error), code='timeout')"), 4),
    "under a condition of something else": (handled(f"if place:\n    {RAISE}\nraise"), 5),
}


@pytest.mark.parametrize(("body", "line"), UNASKED.values(), ids=UNASKED)
def test_a_code_is_given_without_asking(body: str, line: int) -> None:
    assert told(body) == [line]


ASKED = {
    "a class that tells the kind": handled("raise MapError('no', code='lost') from error", "LostError as error"),
    "a class of Python": handled(RAISE, "OSError as error"),
    "a class of several that tells the kind": handled(
        "raise MapError('no', code='lost') from error", "(ProviderError, LostError) as error"
    ),
    "two clauses": handled(RAISE) + "\nexcept NetworkError:\n    raise",
    "a call that is not guarded": handled(RAISE, call="client.look(place)"),
    "no exception": f"client.ask(place)\n{RAISE.removesuffix(' from error')}",
    "what the policy does not know as a code": handled("raise MapError('no', code='odd') from error"),
    "what only the run knows": handled("raise MapError('no', code=place) from error"),
    "what is no code by its place": handled("raise MapError('no', 'timeout') from error"),
    "another argument": handled("raise MapError('no', kind='timeout') from error"),
    "another class": handled("raise OtherError('no', code='timeout') from error"),
    "the same exception": handled("raise"),
    "the exception itself": handled("raise error"),
    "a question about the exception": handled(f"if error.status == 429:\n    {RAISE}\nraise"),
    "a question about its class": handled(f"if isinstance(error, NetworkError):\n    {RAISE}\nraise"),
    "what classifies it": handled(f"kind = classify(error)\n{RAISE}"),
    "a function that may": handled(f"place = told(error)\n{RAISE}"),
}


@pytest.mark.parametrize("body", ASKED.values(), ids=ASKED)
def test_a_handler_is_silent_about(body: str) -> None:
    assert told(body) == []


def test_nothing_is_asked_for_where_the_policy_names_no_classifier_or_no_guarded_call() -> None:
    assert told(handled(RAISE), CONFIG.replace('classifiers = ["classify"]', "")) == []
    assert told(handled(RAISE), CONFIG.replace('guarded = ["*.ask"]', "")) == []


@pytest.mark.parametrize(
    ("caught", "named"),
    [
        pytest.param("(ProviderError, provider.NetworkError)", "`ProviderError` or `NetworkError`", id="two"),
        pytest.param("", "everything", id="none"),
    ],
)
def test_what_is_caught_is_named(caught: str, named: str) -> None:
    text = f"{HEAD}{indent(handled(RAISE.removesuffix(' from error'), caught), '    ')}\n"
    (found,) = findings({"server.py": text}, CONFIG, rules=["ERR308"])
    assert found.message == f"gives `timeout` to {named}, whatever kind of failure it is; ask `classify`"
