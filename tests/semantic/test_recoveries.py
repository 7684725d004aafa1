"""Whether code does what its errors say is done about them: try again, ask the user, take another way."""

from __future__ import annotations

from textwrap import indent

import pytest
from judged_texts import astray

SETTINGS = """\
style = "log"

[payload]
key = "error"
fields = ["type", "severity", "recovery"]
type-field = "type"
severity-field = "severity"
recovery-field = "recovery"

[taxonomy]
recoveries = { warning = ["retry", "ask"], error = ["skip", "fallback"] }
attempts = { retry = 3 }
backoff = ["retry"]
asks = ["ask"]
waits = ["input", "*wait*"]
replaces = ["fallback"]
fails = { retry = "ask", fallback = "skip" }
"""
HEAD = """\
import json
import time

from gear import Sensor, get_logger

logger = get_logger("weather")
TRIES = 9
HOURS = ["6", "12", "18", "20", "22"]


def failed(kind, severity, recovery):
    return {"error": {"type": kind, "severity": severity, "recovery": recovery}}


def write_line(text):
    print(text)


def tell_waiting(text):
    print(text)
    input(text)


def tell_by_another(text):
    tell_waiting(text)


def look_elsewhere(text):
    return Sensor(text)


"""
ASKS = '{"error": {"type": "NoKey", "severity": "warning", "recovery": "ask"}}'
OTHER_WAY = '{"error": {"type": "NoFile", "severity": "error", "recovery": "fallback"}}'
AGAIN = '{"error": {"type": "Slow", "severity": "warning", "recovery": "retry"}}'
LEAVES_OUT = '{"error": {"type": "Slow", "severity": "error", "recovery": "skip"}}'


def done(body: str, parameters: str = "sensor, places") -> list[str]:
    """Return how the findings of a function with this body differ from its marks."""
    return astray({"weather.py": f"{HEAD}def read({parameters}):\n{indent(body, '    ')}\n"}, SETTINGS, "ERR309")


# --- the user is asked ------------------------------------------------------------------------------------------------

UNASKED = "nothing waits for the user"
ASKED = {
    "goes on": "sensor.read(places)",
    "goes on by another name of the project's": "write_line('no key')\nsensor.read(places)",
    "goes on after what only looks": "sensor.status.get('key')\nsensor.read(places)",
    "goes on in a client": "client.get(places)",
}
WAITED = {
    "waits": "input('key?')\nsensor.read(places)",
    "waits by another name": "sensor.wait_for_key()\nsensor.read(places)",
    "waits in a function that tells": "tell_waiting('no key')\nsensor.read(places)",
    "waits in what that calls": "tell_by_another('no key')\nsensor.read(places)",
    "calls what may do anything": "look_elsewhere('no key')\nsensor.read(places)",
    "only closes": "sensor.close()",
    "only logs": "logger.info('no key')",
    "looks something up": "places.get('key')",
    "puts it aside": "later.append(error)",
    "calls what has no owner": "decide()",
    "makes a builtin": "str(places)",
}


@pytest.mark.parametrize("rest", ASKED.values(), ids=ASKED)
def test_the_user_is_not_waited_for_where_the_work(rest: str) -> None:
    assert done(f"error = {ASKS}  # error: {UNASKED}\nprint(json.dumps(error))\n{rest}") == []


@pytest.mark.parametrize("rest", WAITED.values(), ids=WAITED)
def test_the_user_may_be_waited_for_where_the_work(rest: str) -> None:
    assert done(f"error = {ASKS}\nprint(json.dumps(error))\n{rest}") == []


def test_a_record_that_nobody_gets_asks_for_nothing() -> None:
    assert done(f"error = {ASKS}\nsensor.read(places)") == []


def test_a_raise_behind_a_record_does_not_go_on() -> None:
    assert done(f"print(json.dumps({ASKS}))\nsensor.read(places)\nraise KeyError") == []


def test_a_log_line_that_asks_may_stand_beside_a_record() -> None:
    assert done("logger.warning('no key', severity='warning', recovery='ask')\nsensor.read(places)") == []


def test_a_loop_that_goes_to_its_next_item_does_not_wait() -> None:
    loop = (
        "for place in places:\n    if not place:\n        print(json.dumps({})){}\n        {}\n    sensor.read(place)"
    )
    mark = f"  # error: {UNASKED}"
    assert done(loop.format(ASKS, mark, "continue")) == []
    assert done(loop.format(ASKS, "", "input('key?')\n        continue")) == []
    assert done(loop.format(ASKS, "", "keep(error)\n        continue")) == []
    assert done(loop.format(ASKS, "", "break")) == []


def test_a_record_that_is_handed_on_in_a_loop_may_be_waited_for_by_who_gets_it() -> None:
    loop = "for place in places:\n    if not place:\n        found.append({})\n        continue\n    sensor.read(place)"
    assert done(loop.format(ASKS)) == []


def test_a_loop_over_attempts_is_none_over_items() -> None:
    loop = (
        "for attempt in range(3):\n    if not sensor.key:\n"
        "        print(json.dumps({}))\n        continue\n    return 1"
    )
    assert done(loop.format(ASKS)) == []


# --- another way is taken ---------------------------------------------------------------------------------------------

NO_OTHER = "no other way is tried before the next item; say 'skip' or try one"
WAYS = {
    "nothing": f"print(json.dumps({OTHER_WAY}))  # error: {NO_OTHER}",
    "a pause": f"print(json.dumps({OTHER_WAY}))  # error: {NO_OTHER}\n        time.sleep(1)",
    "another call": f"print(json.dumps({OTHER_WAY}))\n        sensor.guess(place)",
    "a call of the project's": f"print(json.dumps({OTHER_WAY}))\n        look_elsewhere(place)",
    "a break": f"print(json.dumps({OTHER_WAY}))\n        break",
    "a list for later": f"print(json.dumps({OTHER_WAY}))\n        later.append(place)",
}


@pytest.mark.parametrize("body", WAYS.values(), ids=WAYS)
def test_behind_an_error_that_promises_another_way_is(body: str) -> None:
    loop = f"for place in places:\n    try:\n        sensor.read(place)\n    except OSError:\n        {body}"
    assert done(loop) == []


def test_another_way_may_follow_outside_of_a_loop() -> None:
    body = f"try:\n    sensor.read(places)\nexcept OSError:\n    print(json.dumps({OTHER_WAY}))"
    assert done(body) == []


def test_a_record_that_promises_nothing_is_left_out() -> None:
    loop = (
        f"for place in places:\n    if not place:\n"
        f"        print(json.dumps({LEAVES_OUT}))\n        continue\n    sensor.read(place)"
    )
    assert done(loop) == []


NOT_EITHER = "the 'fallback' did not help either; the recovery is 'skip' now"
TWICE = """\
try:
    return sensor.read(places)
except OSError:
    print(json.dumps({first}))
try:
    return sensor.{second}(places)
except OSError:
    {rest}
return {after}
"""


def twice(rest: str, first: str = OTHER_WAY, second: str = "guess", after: str = "None") -> str:
    return TWICE.format(first=first, second=second, rest=rest, after=after)


FAILED_TWICE = {
    "which fails, too": twice(f"print(json.dumps({OTHER_WAY}))  # error: {NOT_EITHER}"),
    "which fails, too, in a record of a function": twice(
        f"return failed('NoFile', 'error', 'fallback')  # error: {NOT_EITHER}"
    ),
    "which fails, before a third one": twice(f"print(json.dumps({OTHER_WAY}))", after="sensor.ask(places)"),
    "which fails, before one that may be one": twice(f"print(json.dumps({OTHER_WAY}))", after="decide(places)"),
    "which fails, and is left out": twice(f"print(json.dumps({LEAVES_OUT}))"),
    "not at all": (
        f"try:\n    return sensor.read(places)\nexcept OSError:\n    print(json.dumps({OTHER_WAY}))\n"
        f"if places:\n    print(json.dumps({OTHER_WAY}))\nreturn None"
    ),
    "after another recovery": twice(f"print(json.dumps({OTHER_WAY}))", first=LEAVES_OUT),
}


@pytest.mark.parametrize("body", FAILED_TWICE.values(), ids=FAILED_TWICE)
def test_another_way_is_tried(body: str) -> None:
    assert done(body) == []


# --- the same is tried again ------------------------------------------------------------------------------------------

LOGS = "logger.warning('slow', severity='warning', recovery='retry')"
LEFT_OUT = "logger.warning('slow', severity='error', recovery='skip')"
TRIED = (
    "    try:\n        return sensor.read(places)\n    except OSError:\n"
    "        {log}\n        time.sleep({wait}){mark}\n"
)
MANY = "'retry' means up to 3 attempts, and this loop makes {}; give up earlier"


def again(loop: str, log: str = LOGS, wait: str = "2**attempt", mark: str = "") -> str:
    return f"{loop}\n{TRIED.format(log=log, wait=wait, mark=mark)}"


ROUNDS = {
    "as often as is allowed": again("for attempt in range(4):"),
    "once too often": again(f"for attempt in range(5):  # error: {MANY.format(5)}"),
    "by a constant": again(f"for attempt in range(TRIES):  # error: {MANY.format(9)}"),
    "by a constant and one": again(f"for attempt in range(TRIES + 1):  # error: {MANY.format(10)}"),
    "by a default": again(f"for attempt in range(tries):  # error: {MANY.format(7)}"),
    "by a parameter": again("for attempt in range(places):"),
    "by a text": again("for attempt in range('7'):"),
    "by a computed number": again("for attempt in range(sensor.tries()):"),
    "through a list": again(f"for attempt in HOURS:  # error: {MANY.format(5)}", wait="int(attempt)"),
    "through a short list": again("for attempt in [1, 2, 3]:", wait="attempt"),
    "with another recovery": again("for attempt in range(9):", log=LEFT_OUT),
    "with one that only the run knows": again("for attempt in range(9):", log=LOGS.replace("'retry'", "said")),
    "with a record": again(f"for attempt in range(6):  # error: {MANY.format(6)}", log=f"print(json.dumps({AGAIN}))"),
    "behind another error": f"{LEFT_OUT}\n" + again(f"for attempt in range(9):  # error: {MANY.format(9)}"),
    "as long as it takes": again("while True:", wait="int(sensor.pause)"),
}


@pytest.mark.parametrize("body", ROUNDS.values(), ids=ROUNDS)
def test_a_loop_tries_again(body: str) -> None:
    assert done(body, "sensor, places, said, tries=7") == []


EQUAL = "  # error: every 'retry' waits equally long; wait longer before each attempt"
WAITS = {
    "two seconds": again("for attempt in range(3):", wait="2", mark=EQUAL),
    "a name that stays": again("for attempt in range(3):", wait="pause", mark=EQUAL),
    "longer each time": again("for attempt in range(3):", wait="attempt * 2"),
    "as long as a call says": again("for attempt in range(3):", wait="backoff(2)"),
    "two seconds, once": again("for attempt in range(1):", wait="2"),
    "two seconds, for something else": again("for attempt in range(3):", log=LEFT_OUT, wait="2"),
}


@pytest.mark.parametrize("body", WAITS.values(), ids=WAITS)
def test_a_loop_waits(body: str) -> None:
    assert done(body, "sensor, places, pause=2.0") == []


def test_how_long_to_wait_is_asked_only_of_recoveries_that_wait_longer() -> None:
    text = f"{HEAD}def read(sensor, places):\n{indent(again('for attempt in range(3):', wait='2'), '    ')}\n"
    assert astray({"weather.py": text}, SETTINGS.replace('backoff = ["retry"]\n', ""), "ERR309") == []


GIVEN_UP = "  # error: no 'retry' helped; the recovery is 'ask' now"
BEHIND = {
    "the same recovery": again("for attempt in range(3):") + f"return failed('Slow', 'warning', 'retry'){GIVEN_UP}",
    "another recovery": again("for attempt in range(3):") + "return failed('Slow', 'warning', 'ask')",
    "one that only the run knows": again("for attempt in range(3):") + "return failed('Slow', 'warning', places)",
    "nothing": again("for attempt in range(3):") + "return None",
}


@pytest.mark.parametrize("body", BEHIND.values(), ids=BEHIND)
def test_behind_a_loop_that_helped_nothing_is(body: str) -> None:
    assert done(body) == []


def test_a_recovery_that_nothing_follows_may_be_said_again() -> None:
    body = again("for attempt in range(3):") + "return failed('Slow', 'warning', 'retry')"
    text = f"{HEAD}def read(sensor, places):\n{indent(body, '    ')}\n"
    settings = SETTINGS.replace('fails = { retry = "ask", fallback = "skip" }', 'fails = { fallback = "skip" }')
    assert astray({"weather.py": text}, settings, "ERR309") == []


# --- who gets an error that says to try again -------------------------------------------------------------------------

NOTHING_TRIED = "  # error: 'retry' means to try again, and nothing is tried here"
HEEDED = {
    "is returned as it is": f"return output{NOTHING_TRIED}",
    "ends the attempts": "break",
    "waits for the next round": "continue",
    "is asked for again": "output = sensor.read(places)",
    "is printed and returned": f"print(output)\n        return output{NOTHING_TRIED}",
    "is returned after another call": "sensor.read(places)\n        return output",
    "is returned after what may be one": "decide()\n        return output",
    "is left without a word": f"return None{NOTHING_TRIED}",
}
IN_LOOP = (
    'output = sensor.read(places)\nwhile "error" in output:\n'
    '    if output["error"]["recovery"] == "retry":{}\n        {}\n    output = sensor.read(places)\nreturn output'
)


@pytest.mark.parametrize("rest", HEEDED.values(), ids=HEEDED)
def test_an_error_that_says_to_try_again(rest: str) -> None:
    assert done(IN_LOOP.format("", rest)) == []


def test_an_error_that_says_something_else_need_not_be_tried_again() -> None:
    assert done(IN_LOOP.replace('"retry"', '"skip"').format("", "return output")) == []
    assert done(IN_LOOP.replace('["recovery"] ==', '["severity"] ==').format("", "return output")) == []


def test_an_error_outside_of_a_loop_may_be_tried_again_by_who_gets_it() -> None:
    body = 'output = sensor.read(places)\nif output["error"]["recovery"] == "retry":\n    return output\nreturn None'
    assert done(body) == []


def test_the_next_item_is_no_other_try() -> None:
    loop = (
        "for place in places:\n    output = sensor.read(place)\n"
        '    if output["error"]["recovery"] == "retry":{}\n        {}\n    print(output)'
    )
    assert done(loop.format(NOTHING_TRIED, "continue")) == []
    assert done(loop.format(NOTHING_TRIED, "break")) == []
    assert done(loop.format("", "output = sensor.read(place)\n        continue")) == []
