"""What code tries again after a failure, what ends its waits, and what it says can be tried again."""

from __future__ import annotations

from textwrap import indent

import pytest
from judged_texts import astray, project_of

from errlint.project.retried import repeated

SETTINGS = """\
[exceptions]
root = ["ToolError"]

[codes]
prefix = "[{code}] "
prefixed = ["ToolError"]
writes = ["*_create", "*.post"]
waits = ["*_wait"]
arguments = ["code"]

[codes.vocabulary]
wrong = { status = 400, retryable = false }
gone = { status = 404, retryable = false }
lost = { retryable = false }
slow = { status = 408, retryable = true }
timeout = { retryable = true }
full = { status = 429, retryable = true }
down = { retryable = true }

[codes.defaults]
400 = "wrong"
404 = "gone"
408 = "slow"
429 = "full"
5xx = "down"
"""
HEAD = """\
import asyncio
import time

from kit import ToolError, code_in, retry, sign_in

PASSING = frozenset({"slow", "full", "down", "timeout"})
log = get_logger()


"""


def retried(body: str, name: str = "sell", more: str = "") -> list[str]:
    """Return how the findings of a function with this body differ from its marks."""
    text = f"{HEAD}def {name}(shop, book, status):\n{indent(body, '    ')}\n{more}"
    return astray({"shop.py": text}, SETTINGS, "ERR307")


# --- one more call ----------------------------------------------------------------------------------------------------

ONCE = """\
try:
    return shop.find(book)
except ToolError as error:
    if code_in(error) != "{code}":
        raise
{between}
return shop.{call}(book){mark}
"""
AGAIN = "  # error: `gone` is tried again, a code that no retry helps; raise instead"


def once(between: str = "pass", code: str = "gone", call: str = "find", mark: str = "") -> str:
    return ONCE.format(code=code, between=between, call=call, mark=mark)


ONE_MORE = {
    "at once": once(mark=AGAIN),
    "after a pause": once("time.sleep(2)", mark=AGAIN),
    "after a pause of its own": once("shop.wait_a_bit()", mark=AGAIN),
    "after a look at the clock": once("started = time.monotonic()", mark=AGAIN),
    "after a log": once("log.warning('again')", mark=AGAIN),
    "after a builtin": once("size = len(book)", mark=AGAIN),
    "after an object is made": once("note = Note(book)", mark=AGAIN),
    "after what may have mended it": once("sign_in()"),
    "after somebody is asked": once("answer = input('again?')"),
    "after a file is opened": once("stream = open(book)"),
    "of another name": once(call="find_all"),
    "for a code that is retryable": once(code="slow"),
    "for a code that nobody knows": once(code="odd"),
}


@pytest.mark.parametrize("body", ONE_MORE.values(), ids=ONE_MORE)
def test_one_more_call_is_made(body: str) -> None:
    assert retried(body) == []


def test_several_codes_are_told_together() -> None:
    body = once(mark="  # error: `gone`, `wrong` is tried again, codes that no retry helps; raise instead")
    assert retried(body.replace('!= "gone"', 'not in ("gone", "wrong", "slow")')) == []


def test_what_changes_nothing_may_be_called_twice() -> None:
    body = (
        'try:\n    size = len(book)\nexcept ToolError as error:\n    if code_in(error) != "gone":\n        raise\n'
        "    size = len(book)\nreturn size"
    )
    assert retried(body) == []


# --- in a loop --------------------------------------------------------------------------------------------------------

LOOP = "while True:\n    try:\n        return shop.{call}(book)\n    except {caught}:{mark}\n{handler}"


def loop(handler: str, caught: str = "ToolError as error", call: str = "find", mark: str = "") -> str:
    return LOOP.format(call=call, caught=caught, mark=mark, handler=indent(handler, " " * 8))


EVERY = "  # error: every error is tried again, also those whose codes are not retryable; raise those"
WRITES = "  # error: `shop.post` is called again although the first call may have written; verify that first"
AT_ONCE = "  # error: what was refused for now is tried again at once; wait before that"
ONLY = 'if code_in(error) != "{}":\n    raise\n'
LOOPS = {
    "every error, with a pause": loop("time.sleep(2)", mark=EVERY),
    "every error of another kind, with a pause": loop("time.sleep(2)", "OSError"),
    "two kinds, one with codes": loop("time.sleep(2)", "(ToolError, OSError)"),
    "every error, at once": loop("continue"),
    "one that no retry helps": loop(
        'if code_in(error) == "gone":  # error: `gone` is tried again\n    time.sleep(2)\n    continue\nraise'
    ),
    "one that a retry helps": loop('if code_in(error) == "slow":\n    time.sleep(2)\n    continue\nraise'),
    "one that is busy, at once": loop(ONLY.format("full") + f"continue{AT_ONCE}"),
    "one of servers, at once": loop(ONLY.format("down") + f"continue{AT_ONCE}"),
    "one that is slow, at once": loop(ONLY.format("slow") + "continue"),
    "one that is busy, with a pause": loop(ONLY.format("full") + "time.sleep(2)"),
    "a write whose connection failed": loop(f"continue{WRITES}", "TimeoutError", "post"),
    "a write whose connection failed, by a class of a library": loop(f"continue{WRITES}", "shop.ReadError", "post"),
    "a write that failed otherwise": loop("continue", "OSError", "post"),
    "a loop after the failure": (
        "try:\n    return shop.post(book)\nexcept TimeoutError:\n    while shop.busy:\n        time.sleep(1)\n"
        "        continue\n    return None"
    ),
    "a call whose connection failed": loop("continue", "TimeoutError"),
    "a write with a code that says so": loop(ONLY.format("timeout") + f"continue{WRITES}", call="post"),
    "a write with another code": loop(ONLY.format("slow") + "continue", call="post"),
}


@pytest.mark.parametrize("body", LOOPS.values(), ids=LOOPS)
def test_a_loop_tries_again(body: str) -> None:
    assert retried(body) == []


def test_a_loop_over_items_tries_each_once() -> None:
    body = "for book in shop.books:\n    try:\n        shop.post(book)\n    except TimeoutError:\n        continue"
    assert retried(body) == []


def test_a_loop_that_leaves_tries_nothing_again() -> None:
    assert retried(loop("time.sleep(2)\nbreak")) == []
    assert retried(loop("time.sleep(2)\nreturn None")) == []


# --- classes with codes -----------------------------------------------------------------------------------------------

OWNED = {
    "errors.py": (
        "class ToolError(Exception):\n    code = 'down'\n\n\nclass Gone(ToolError):\n    code = 'gone'\n\n\n"
        "class Slow(ToolError):\n    code = 'slow'\n\n\nclass Other(Exception):\n    pass\n"
    )
}


def of_classes(body: str, decorators: str = "") -> list[str]:
    """Return how the findings of a function that knows classes with codes differ from its marks."""
    head = "import time\n\nfrom errors import Gone, Other, Slow, ToolError\nfrom tenacity import retry\n\n\n"
    text = f"{head}{decorators}def sell(shop, book):\n{indent(body, '    ')}\n"
    return astray({**OWNED, "shop.py": text}, SETTINGS, "ERR307")


GONE = "  # error: `Gone` is tried again with the same parameters, which no retry helps; raise it"
CLASSES = {
    "a class that no retry helps": loop("log('gone')\ntime.sleep(1)", "Gone", mark=GONE),
    "a class that a retry helps": loop("time.sleep(1)", "Slow"),
    "the class above them": loop("time.sleep(1)", "ToolError", mark=GONE),
    "a class with no code": loop("time.sleep(1)", "Other"),
    "a class without a pause": loop("continue", "Gone"),
    "the class above, but for the one": loop(
        "if isinstance(error, Gone):\n    raise\ntime.sleep(1)", "ToolError as error"
    ),
    "the class above, but for another": loop(
        "if isinstance(error, Slow):\n    raise\ntime.sleep(1)", "ToolError as error", mark=GONE
    ),
    "the class above, for the one alone": loop(
        "if not isinstance(error, Gone):\n    raise\ntime.sleep(1)", "ToolError as error", mark=GONE
    ),
    "the class above, but for several": loop(
        "if isinstance(error, (Slow, Gone)):\n    raise\ntime.sleep(1)", "ToolError as error"
    ),
    "the class above, but for a union": loop(
        "if isinstance(error, Gone | Slow):\n    raise\ntime.sleep(1)", "ToolError as error"
    ),
    "the class above, but for a union of others": loop(
        "if isinstance(error, Slow | Other):\n    raise\ntime.sleep(1)", "ToolError as error"
    ),
    "the class above, under a condition of something else": loop(
        "if shop.closed:\n    raise\ntime.sleep(1)", "ToolError as error", mark=GONE
    ),
    "the class above, under a condition of the exception": loop(
        "if shop.is_final(error):\n    raise\ntime.sleep(1)", "ToolError as error"
    ),
    "the class above, but for what caused it": loop(
        "if isinstance(error.cause, Slow):\n    raise\ntime.sleep(1)", "ToolError as error"
    ),
    "the class above, compared": loop("if error.code == 'x':\n    raise\ntime.sleep(1)", "ToolError as error"),
}


@pytest.mark.parametrize("body", CLASSES.values(), ids=CLASSES)
def test_a_loop_tries_again_after(body: str) -> None:
    assert of_classes(body) == []


def test_no_class_is_told_as_an_empty_text() -> None:
    body = loop("log('slow')\ntime.sleep(1)", "Slow")
    text = f"from errors import Slow\n\n\ndef sell(shop, book):\n{indent(body, '    ')}\n"
    project = project_of({**OWNED, "shop.py": text}, SETTINGS, rules=("ERR307",))
    (function,) = project.modules["shop.py"].functions
    caught = [case for case in function.cases if case.handlers]
    assert {repeated(project, "shop.py", "sell", case, []) for case in caught} == {""}


NO_USE = "  # error: `{}` tries `Gone` again, which no retry helps; leave it out"
DECORATORS = {
    "a class that no retry helps": ("retry(retry=retry_if_exception_type(Gone))", "retry"),
    "one of several": ("retry(retry=retry_if_exception_type((Slow, Gone)))", "retry"),
    "the class above": ("retry(ToolError, tries=3)", "retry"),
    "a class by name": ("backoff.on_exception(wait, exception=Gone)", "backoff.on_exception"),
    "a class that a retry helps": ("retry(retry=retry_if_exception_type(Slow))", ""),
    "a class that another argument names": ("retry(reraise=Gone)", ""),
    "another predicate": ("retry(retry=retry_if_not_exception_type(Gone))", ""),
    "a text": ("retry('three times')", ""),
    "another decorator": ("handles(Gone)", ""),
    "a decorator without arguments": ("retry", ""),
}


@pytest.mark.parametrize(("decorator", "name"), DECORATORS.values(), ids=DECORATORS)
def test_a_decorator_tries_again_after(decorator: str, name: str) -> None:
    head = "from errors import Gone, Slow, ToolError\n\n\n"
    mark = NO_USE.format(name) if name else ""
    text = f"{head}@{decorator}\ndef sell(shop, book):{mark}\n    return shop.find(book)\n"
    found = astray({**OWNED, "shop.py": text}, SETTINGS, "ERR307")
    assert found == []


# --- what waits -------------------------------------------------------------------------------------------------------

WAIT = """\
while True:
    try:
        return shop.{call}(book)
    except {caught} as error:
{handler}
    time.sleep(5)
"""


def wait(handler: str, caught: str = "ToolError", call: str = "find") -> str:
    return WAIT.format(call=call, caught=caught, handler=indent(handler, " " * 8))


ENDS = "  # error: `slow` ends the wait, and goes away by itself; wait on"
WAITS = {
    "a code that goes away": wait(f"if code_in(error) == 'slow' or code_in(error) not in PASSING:{ENDS}\n    raise"),
    "codes that go away": wait(
        "if code_in(error) not in ('timeout', 'down'):  # error: `full`, `slow` ends the wait\n    raise"
    ),
    "a code that stays": wait("if code_in(error) == 'gone':\n    raise"),
    "all codes but those that pass": wait("if code_in(error) not in PASSING:\n    raise"),
    "a code that goes away, under another condition": wait("if code_in(error) == 'slow' and status:\n    raise"),
    "an error without codes": wait("if code_in(error) == 'slow':\n    raise", "OSError"),
    "a write that may have been made": wait("if code_in(error) == 'slow':\n    raise", call="post"),
}


@pytest.mark.parametrize("body", WAITS.values(), ids=WAITS)
def test_a_wait_is_ended_by(body: str) -> None:
    # Codes that do not end these loops go on, which is another matter.
    assert [each for each in retried(body, "order_wait") if "is tried again" not in each] == []


def test_what_does_not_wait_may_end_with_any_code() -> None:
    body = (
        "try:\n    return shop.find(book)\nexcept ToolError as error:\n"
        "    if code_in(error) == 'slow':{}\n        raise"
    )
    assert retried(body.format("")) == []
    caller = "\n\ndef order_wait(shop):\n    return sell(shop, 1, 2)\n"
    assert retried(body.format(ENDS), more=caller) == []
    assert retried(body.format(""), more=caller.replace("order_wait", "order")) == []


# --- what can be tried again ------------------------------------------------------------------------------------------

TOLD = "  # error: the status {} is {}retryable here, and its code `{}` is not so"
ANSWERS = {
    "a status that is not": ("is_retryable", f"if status == 404:\n    return True{TOLD.format(404, '', 'gone')}"),
    "a status that is": ("is_retryable", "if status == 429:\n    return True"),
    "one of several that is not": (
        "is_retryable",
        f"if status in (429, 404):\n    return True{TOLD.format(404, '', 'gone')}",
    ),
    "a status that is, as one that is not": (
        "is_retryable",
        f"if status == 429:\n    return False{TOLD.format(429, 'not ', 'full')}",
    ),
    "some that are, among those that are not": ("is_retryable", "if status in (429, 404):\n    return False"),
    "a permanent one that is retryable": (
        "is_permanent",
        f"if status == 429:\n    return True{TOLD.format(429, 'not ', 'full')}",
    ),
    "a permanent one that is none": (
        "is_permanent",
        f"if status == 404:\n    return False{TOLD.format(404, '', 'gone')}",
    ),
    "a status of no code": ("is_retryable", "if status == 418:\n    return True"),
    "something else": ("is_open", "if status == 404:\n    return True"),
    "a status under another condition": ("is_retryable", "if status == 404 and book:\n    return True"),
    "something else, of a status that is": ("is_open", "if status == 429:\n    return True"),
    "an answer that is no word for it": ("is_retryable", "if status == 429:\n    return 0"),
    "what only the run knows": ("is_retryable", "if status == 429:\n    return book.again"),
    "something that is asked of a book": ("is_retryable", "if book == 404:\n    return True"),
}


@pytest.mark.parametrize(("name", "body"), ANSWERS.values(), ids=ANSWERS)
def test_a_function_answers_of(name: str, body: str) -> None:
    assert retried(f"{body}\nreturn None", name) == []
