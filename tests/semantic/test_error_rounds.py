"""Loops in which an error is told: how many rounds they have, how long they wait, and what is behind the last one."""

from __future__ import annotations

import pytest
from test_flow import shown

from errlint.collect import collect
from errlint.facts import Rounds
from errlint.index.vocabulary import Vocabulary

ASKING = Vocabulary(records=("error", "type"))
TELL = "report({'error': {'type': 'lost'}})"


def rounds(body: str) -> tuple[Rounds, ...]:
    """Return the loops of a function in which an error is told."""
    lines = "".join(f"    {line}\n" for line in body.split("\n"))
    (function,) = collect(f"async def lend(book, tries):\n{lines}", ASKING).functions
    return function.rounds


def counted(head: str, body: str = TELL, before: str = "pass") -> str:
    """Return how many rounds a loop has: the value, and how many more than that."""
    lines = "".join(f"    {line}\n" for line in body.split("\n"))
    (loop,) = rounds(f"{before}\n{head}\n{lines.rstrip()}")
    if loop.count is None:
        return "unknown"
    return f"{shown(loop.count.value)}{loop.count.more:+}"


COUNTED = {
    "for _ in range(3):": "3+0",
    "for _ in range(tries):": "tries+0",
    "for _ in range(1, 4):": "4-1",
    "for _ in range(1, tries):": "tries-1",
    "for _ in range(1, tries + 1):": "tries+0",
    "for _ in range(tries - 1):": "tries-1",
    "for _ in range(1 + tries):": "tries+1",
    "for _ in range(5 - tries):": "?+0",
    "for _ in range(tries * 2):": "?+0",
    "for _ in range(book, 4):": "unknown",
    "for _ in range(True, 4):": "unknown",
    "for _ in range(0, 9, 3):": "unknown",
    "for _ in range(*book):": "unknown",
    "for _ in range(stop=3):": "unknown",
    "for _ in range():": "unknown",
    "for _ in find(3):": "unknown",
    "for each in [1, 2]:": "list(1, 2)+0",
    "for each in book:": "book+0",
    "while True:": "unknown",
}


@pytest.mark.parametrize("head", COUNTED)
def test_how_many_rounds_a_loop_says_that_it_has(head: str) -> None:
    assert counted(head) == COUNTED[head]


LIMITS = {
    "fewer": ("while count < tries:", f"{TELL}\ncount += 1", "count = 0", "tries-0"),
    "as many": ("while count <= tries:", f"{TELL}\ncount += 1", "count = 0", "tries+1"),
    "counted from one": ("while count <= tries:", f"{TELL}\ncount += 1", "count = 1", "tries+0"),
    "one less": ("while count < tries - 1:", f"{TELL}\ncount += 1", "count = 0", "tries-1"),
    "a part of a condition": ("while book and count < 3:", f"{TELL}\ncount += 1", "count = 0", "3+0"),
    "a branch that leaves": (
        "while True:",
        f"count += 1\nif count >= tries:\n    {TELL}\n    raise OSError",
        "count = 0",
        "tries+0",
    ),
    "a branch that leaves behind more": (
        "while True:",
        f"count += 1\nif count > tries:\n    {TELL}\n    break",
        "count = 0",
        "tries+1",
    ),
    "a branch that leaves at a number": (
        "while True:",
        f"count += 1\nif count == 3:\n    {TELL}\n    return None",
        "count = 0",
        "3+0",
    ),
    "a branch that goes on": ("while True:", f"count += 1\nif count >= tries:\n    {TELL}", "count = 0", "unknown"),
    "a branch that asks for fewer": (
        "while True:",
        f"count += 1\nif count < tries:\n    {TELL}\n    break",
        "count = 0",
        "unknown",
    ),
    "a condition that asks for more": ("while count > tries:", f"{TELL}\ncount += 1", "count = 0", "unknown"),
    "a counter that nobody knows": ("while count < tries:", f"{TELL}\ncount += 1", "count = find()", "unknown"),
    "a counter that begins in two ways": (
        "while count < tries:",
        f"{TELL}\ncount += 1",
        "count = 0\nif book:\n    count = 1",
        "unknown",
    ),
    "a counter by the name of another": (
        "while count < tries:",
        f"{TELL}\ncount += 1",
        "one = 1\ncount = one",
        "tries-1",
    ),
    "a counter of truth": ("while count < tries:", f"{TELL}\ncount += 1", "count = False", "unknown"),
    "a counter that stays": ("while count < tries:", TELL, "count = 0", "unknown"),
    "a counter by two": ("while count < tries:", f"{TELL}\ncount += 2", "count = 0", "unknown"),
    "a counter by a number of another kind": ("while count < tries:", f"{TELL}\ncount += 1.0", "count = 0", "unknown"),
    "a counter by truth": ("while count < tries:", f"{TELL}\ncount += True", "count = 0", "unknown"),
    "a counter that falls": ("while count < tries:", f"{TELL}\ncount -= 1", "count = 0", "unknown"),
    "a counter by a name": ("while count < tries:", f"{TELL}\ncount += book", "count = 0", "unknown"),
    "an attribute that counts": ("while self.count < tries:", f"{TELL}\nself.count += 1", "pass", "unknown"),
    "another counter": ("while count < tries:", f"{TELL}\nother += 1", "count = other = 0", "unknown"),
    "a chain": ("while 0 <= count < tries:", f"{TELL}\ncount += 1", "count = 0", "unknown"),
}


@pytest.mark.parametrize(("head", "body", "before", "expected"), LIMITS.values(), ids=LIMITS)
def test_how_far_the_counter_of_a_loop_goes(head: str, body: str, before: str, expected: str) -> None:
    assert counted(head, body, before) == expected.replace("-0", "+0")


WAITS = {
    "a number": ("await asyncio.sleep(3)", ["3 same"]),
    "a name": ("time.sleep(book)", ["book same"]),
    "a number by name": ("page.wait_for_timeout(timeout=3)", ["3 same"]),
    "a name that the loop binds": ("time.sleep(number)", ["number<?> changes"]),
    "a product": ("time.sleep(2 * number)", ["? changes"]),
    "a power": ("time.sleep(2 ** number)", ["? changes"]),
    "what is worked out": ("time.sleep(find(book))", ["find(book) changes"]),
    "an entry": ("time.sleep(WAITS['first'])", ["WAITS['first'] changes"]),
    "what is waited for": ("time.sleep(await book)", ["book changes"]),
    "an attribute that the loop changes": ("self.wait = 1\ntime.sleep(self.wait)", ["self.wait changes"]),
    "a name that the loop changes": ("wait = 1\ntime.sleep(wait)", ["wait<1> changes"]),
    "the name of what was caught": (
        "try:\n    find()\nexcept OSError as error:\n    time.sleep(error.wait)",
        ["error.wait changes"],
    ),
    "an attribute of something else": ("time.sleep(self.wait)", ["self.wait same"]),
    "nothing": ("time.sleep()", []),
    "something else that is called": ("time.time(3)", []),
    "a wait in a loop inside": ("for each in book:\n    time.sleep(3)", []),
    "a wait in a condition": ("if book:\n    time.sleep(3)", ["3 same"]),
}


@pytest.mark.parametrize(("body", "expected"), WAITS.values(), ids=WAITS)
def test_how_long_a_loop_waits(body: str, expected: list[str]) -> None:
    lines = "".join(f"    {line}\n" for line in body.split("\n"))
    (loop,) = rounds(f"for number in range(3):\n{lines}    {TELL}")
    assert [f"{shown(each.value)} {'changes' if each.changes else 'same'}" for each in loop.waits] == expected


BEHIND = {
    "the loop, where a round answers": (f"for _ in range(3):\n    {TELL}\n    return 1\n{TELL}", ["4"]),
    "the loop, where a round answers in its try": (
        f"for _ in range(3):\n    try:\n        return find()\n    except OSError:\n        {TELL}\n{TELL}",
        ["6"],
    ),
    "the loop in a block": (
        f"if book:\n    for _ in range(3):\n        {TELL}\n        return 1\n    {TELL}\n{TELL}",
        ["5"],
    ),
    "its else": (f"for _ in range(3):\n    {TELL}\n    break\nelse:\n    {TELL}\n{TELL}", ["5"]),
    "the last round of a counter": (
        f"count = 0\nwhile True:\n    count += 1\n    {TELL}\n    if count >= 3:\n        {TELL}\n        break",
        ["6"],
    ),
    "no loop, where no round answers": (f"for _ in range(3):\n    {TELL}\n{TELL}", []),
    "no loop, where a round may leave it": (
        f"for _ in range(3):\n    {TELL}\n    if book:\n        break\n    return 1\n{TELL}",
        [],
    ),
    "no loop, where only a failure answers": (
        f"for _ in range(3):\n    try:\n        find()\n    except OSError:\n        {TELL}\n        return 1\n{TELL}",
        [],
    ),
    "a loop inside that is left": (
        f"for _ in range(3):\n    for each in book:\n        break\n    {TELL}\n    return 1\n{TELL}",
        ["6"],
    ),
}


@pytest.mark.parametrize(("body", "expected"), BEHIND.values(), ids=BEHIND)
def test_an_error_is_told_where_all_rounds_failed_behind(body: str, expected: list[str]) -> None:
    loop = rounds(body)[0]
    assert [str(span.line - 1) for span in loop.failed] == expected


def test_a_loop_without_an_error_has_no_rounds() -> None:
    assert rounds(f"for _ in range(3):\n    find()\n{TELL}") == ()
    (loop,) = rounds(f"for _ in range(3):\n    {TELL}\n    find()")
    assert [span.line for span in loop.inside] == [3]
