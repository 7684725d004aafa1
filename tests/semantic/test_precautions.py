"""What a function asks about availability, and what it calls without asking (ERR212)."""

from __future__ import annotations

import pytest

from errlint.collect import collect
from errlint.index.vocabulary import Vocabulary

ASKING = Vocabulary(guarded=("fetch", "send"), checks=("is_up", "breaker", "ensure_up", "is_available", "unavailable"))
FETCH = "return await client.fetch(url)"


def asked(body: str) -> str:
    """Return the checks of a function and the lines that no way reaches without one, then its calls without one."""
    lines = "".join(f"    {line}\n" for line in body.split("\n"))
    functions = collect(f"async def forecast(url):\n{lines}", ASKING).functions
    (found,) = (each.precaution for each in functions if each.name == "forecast")
    if found is None:
        return "nothing"
    safe = ",".join(str(span.line - 1) for span in found.checked)
    bare = " ".join(f"{each.callee}:{each.span.line - 1}" for each in found.unchecked)
    return f"{' '.join(found.checks)} [{safe}] {bare}".strip()


CHECKED = {
    "a check that raises": (f"ensure_up()\n{FETCH}", "ensure_up [2]"),
    "a check that is waited for": (f"await client.ensure_up()\n{FETCH}", "client.ensure_up [2]"),
    "a check before leaving": (f"if not is_up():\n    return None\n{FETCH}", "is_up [2,3]"),
    "a flag": (f"if not self.is_up:\n    return None\n{FETCH}", "self.is_up [2,3]"),
    "a part of a name": (
        f"if not self.breaker.ready:\n    return None\n{FETCH}",
        "self.breaker self.breaker.ready [3]",
    ),
    "a part of what a call answers": (f"if not find().is_up:\n    return None\n{FETCH}", "is_up [2,3]"),
    "a check around the call": (f"if is_up():\n    {FETCH}", "is_up [2]"),
    "a context": (f"async with breaker:\n    {FETCH}", "breaker [2]"),
    "a check whose answer is read": (f"up = is_up()\nif not up:\n    return None\n{FETCH}", "is_up [2,3,4]"),
    "a check whose answer is stored": (f"self.up = is_up()\n{FETCH}", "is_up [2]"),
    "a check with a log": (f"if not is_up():\n    log.warning('down')\n    return None\n{FETCH}", "is_up [2,3,4]"),
    "a check that logs one way and leaves the other": (
        f"if is_up():\n    log.debug('up')\nelse:\n    return None\n{FETCH}",
        "is_up [2,4,5]",
    ),
    "a state that is not closed": (
        f"if breaker.state != State.CLOSED:\n    return None\n{FETCH}",
        "breaker breaker.state [3]",
    ),
    "a check before what leaves where it is there": (
        f"ensure_up()\nif is_available():\n    return None\n{FETCH}",
        "ensure_up is_available [3,4]",
    ),
    "a check whose branch goes on": (f"if not is_available():\n    prepare()\n{FETCH}", "is_available [3]"),
    "a check that is compared with something else": (
        f"if is_available() == url:\n    return None\n{FETCH}",
        "is_available [2,3]",
    ),
    "a check on all ways": (
        f"if url:\n    ensure_up()\nelse:\n    await self.ensure_up()\n{FETCH}",
        "ensure_up self.ensure_up [5]",
    ),
}


@pytest.mark.parametrize(("body", "expected"), CHECKED.values(), ids=CHECKED)
def test_a_call_is_made_behind(body: str, expected: str) -> None:
    assert asked(body) == expected


BARE = {
    "nothing": (FETCH, " [] client.fetch:1"),
    "a check on one way": (f"if url:\n    ensure_up()\n{FETCH}", "ensure_up [] client.fetch:3"),
    "a check that comes later": (
        "found = await client.fetch(url)\nensure_up()\nreturn found",
        "ensure_up [3] client.fetch:1",
    ),
    "an answer that is only logged": (f"log.info(is_up())\n{FETCH}", "[] client.fetch:2"),
    "an answer that is printed": (f"print(is_up())\n{FETCH}", "[] client.fetch:2"),
    "an answer that a function takes to the log, waited for": (
        f"await ctx.info(is_up())\n{FETCH}",
        "[] client.fetch:2",
    ),
    "a question that only leads to a log": (f"if not is_up():\n    log.info('down')\n{FETCH}", "[] client.fetch:3"),
    "a question that leads to nothing": (f"if not is_up():\n    pass\n{FETCH}", "[] client.fetch:3"),
    "a question that leads to a remark": (f"if not is_up():\n    'down'\n{FETCH}", "[] client.fetch:3"),
    "a question that leads to a remark with a hole": (f"if not is_up():\n    f'{{url}}'\n{FETCH}", "[] client.fetch:3"),
    "an answer that nobody reads": (f"up = is_up()\n{FETCH}", "[] client.fetch:2"),
    "an answer that only a log reads": (f"up = is_up()\nlog.info(up)\n{FETCH}", "[] client.fetch:3"),
    "what is told that a call succeeded": (f"self.breaker.record_success()\n{FETCH}", "[] client.fetch:2"),
    "what is told that a call failed": (f"breaker.mark_failed(url)\n{FETCH}", "[] client.fetch:2"),
    "the branch where nothing is there": (f"if self.unavailable:\n    {FETCH}", "self.unavailable [] client.fetch:2"),
    "the branch where it is not there": (f"if not is_available():\n    {FETCH}", "is_available [] client.fetch:2"),
    "the branch where the breaker is open": (
        f"if breaker.is_open():\n    {FETCH}",
        "breaker breaker.is_open [] client.fetch:2",
    ),
    "the branch of another state": (
        f"if breaker.state == 'open':\n    {FETCH}",
        "breaker breaker.state [] client.fetch:2",
    ),
    "the branch of a state of bytes": (
        f"if breaker.state == b'open':\n    {FETCH}",
        "breaker breaker.state [] client.fetch:2",
    ),
    "the branch of a member": (
        f"if breaker.state is State.OPEN.value:\n    {FETCH}",
        "breaker breaker.state [] client.fetch:2",
    ),
    "what leaves where it is there": (
        f"if is_available():\n    return None\n{FETCH}",
        "is_available [2] client.fetch:3",
    ),
    "what leaves where it is there, with a truth value": (
        f"if is_available() is True:\n    return None\n{FETCH}",
        "is_available [2] client.fetch:3",
    ),
    "what leaves where it is there, turned twice": (
        f"if is_available() != False:\n    return None\n{FETCH}",
        "is_available [2] client.fetch:3",
    ),
    "what leaves where it is closed": (
        f"if breaker.state == 'closed':\n    return None\n{FETCH}",
        "breaker breaker.state [2] client.fetch:3",
    ),
}


@pytest.mark.parametrize(("body", "expected"), BARE.values(), ids=BARE)
def test_a_call_is_made_without_a_check_behind(body: str, expected: str) -> None:
    assert asked(body) == expected.strip()


NOTHING = {
    "neither a check nor a call": "return url",
    "a name that is like one": "return url.fetched",
    "a check in a log": "log.info(is_up())",
}


@pytest.mark.parametrize("body", NOTHING.values(), ids=NOTHING)
def test_nothing_is_known_of(body: str) -> None:
    assert asked(body) == "nothing"


def test_what_is_called_before_may_make_the_check() -> None:
    text = "def forecast(url):\n prepare()\n find(show())\n client.fetch(url)\n store(url)\n"
    (function,) = collect(text, ASKING).functions
    assert function.precaution is not None
    assert [each.before for each in function.precaution.unchecked] == [("prepare", "find", "show", "client.fetch")]


def test_a_function_with_too_many_ways_is_given_up() -> None:
    flags = "\n".join(f"if url.flag_{number}:\n    pass" for number in range(8))
    assert asked(f"{flags}\nensure_up()\n{FETCH}") == "ensure_up []"
