"""Results that are gathered with the exceptions among them: whether anybody looks at those that failed."""

from __future__ import annotations

import pytest

from errlint.collect import collect
from errlint.index.vocabulary import Vocabulary

GATHERED = "await asyncio.gather(*calls, return_exceptions=True)"
HELD = f"found = {GATHERED}\n"


def filtered(body: str) -> list[int]:
    """Return the lines of the statements that gather results of which those that failed are left out."""
    lines = "".join(f"    {line}\n" for line in body.split("\n"))
    (function,) = collect(f"async def report(calls):\n{lines}", Vocabulary(swallows=True)).functions
    return [each.span.line - 1 for each in function.swallows if each.how == "filtered"]


LEFT_OUT = {
    "by a comprehension": f"{HELD}return [each for each in found if not isinstance(each, Exception)]",
    "by one of several conditions": f"{HELD}return [each for each in found if each if not isinstance(each, OSError)]",
    "by an operand of an `and`": f"{HELD}return [each for each in found if each and not isinstance(each, OSError)]",
    "by one of several classes": (
        f"{HELD}return [each for each in found if not isinstance(each, (errors.LostError, Exception))]"
    ),
    "by a generator": f"{HELD}return tuple(each for each in found if not isinstance(each, Exception))",
    "by a loop that goes on with the next": (
        f"{HELD}for each in found:\n    if isinstance(each, Exception):\n        continue\n    shown(each)"
    ),
    "by a loop that does nothing about them": (
        f"{HELD}for each in found:\n    if isinstance(each, Exception):\n        pass\n    else:\n        shown(each)"
    ),
    "by a loop that looks at the others": (
        f"{HELD}for each in found:\n    if not isinstance(each, Exception):\n        shown(each)"
    ),
    "by a loop over numbers and results": (
        f"{HELD}for number, each in enumerate(found):\n    if isinstance(each, Exception):\n        continue\n"
        "    shown(each)"
    ),
    "by a loop over calls and results": (
        f"{HELD}for call, each in list(zip(calls, found)):\n    if isinstance(each, Exception):\n        continue\n"
        "    shown(each)"
    ),
    "by a loop over what is gathered there": (
        f"for each in {GATHERED}:\n    if isinstance(each, Exception):\n        continue\n    shown(each)"
    ),
    "by a comprehension over what is gathered there": (
        f"kept = [each for each in {GATHERED} if not isinstance(each, Exception)]"
    ),
    "by a statement that answers what it gathers": (
        f"return [each for each in {GATHERED} if not isinstance(each, Exception)]"
    ),
    "by all who look": (
        f"{HELD}kept = [each for each in found if not isinstance(each, Exception)]\n"
        "for each in found:\n    if isinstance(each, Exception):\n        continue\n    shown(each)"
    ),
    "of a name that others have had before": (
        f"found = []\nshown(found)\n{HELD}return [each for each in found if not isinstance(each, Exception)]"
    ),
    "of a name that others get afterwards": (
        f"{HELD}found = [each for each in found if not isinstance(each, Exception)]\nreturn found"
    ),
}


@pytest.mark.parametrize("body", LEFT_OUT.values(), ids=LEFT_OUT)
def test_what_failed_is_left_out(body: str) -> None:
    assert len(filtered(body)) == 1


LOOKED_AT = {
    "nothing is asked": f"{HELD}return [each for each in found]",
    "something else is asked": f"{HELD}return [each for each in found if each]",
    "something else is asked before": f"{HELD}return [each for each in found if each or not isinstance(each, OSError)]",
    "operands of an `and` ask something else": f"{HELD}return [each for each in found if each and each.ok]",
    "one of several questions": f"{HELD}return [each for each in found if each.ok or isinstance(each, OSError)]",
    "results of a kind are asked for": f"{HELD}return [each for each in found if not isinstance(each, (str, OSError))]",
    "those are taken that failed": f"{HELD}return [each for each in found if isinstance(each, Exception)]",
    "a question of the same name": f"{HELD}return [each for each in found if not books.isinstance(each, Exception)]",
    "a question without a kind": f"{HELD}return [each for each in found if not isinstance(each)]",
    "they are counted": (
        f"{HELD}for each in found:\n    if isinstance(each, Exception):\n        lost()\n        continue\n    each()"
    ),
    "something is done about them": (
        f"{HELD}for each in found:\n    if isinstance(each, Exception):\n        lost()\n    else:\n        shown(each)"
    ),
    "an alternative is for them": (
        f"{HELD}for each in found:\n    if not isinstance(each, Exception):\n        shown(each)\n    else:\n"
        "        lost(each)"
    ),
    "something follows that is for all": (
        f"{HELD}for each in found:\n    if not isinstance(each, Exception):\n        shown(each)\n    counted(each)"
    ),
    "something is done before anything is asked": (
        f"{HELD}for each in found:\n    shown(each)\n    if isinstance(each, Exception):\n        continue"
    ),
    "a loop asks something else": f"{HELD}for each in found:\n    if each:\n        continue\n    shown(each)",
    "somebody else looks at all": (
        f"{HELD}kept = [each for each in found if not isinstance(each, Exception)]\nreturn kept, found"
    ),
    "all of them are handed on": f"{HELD}shown(found)",
    "all of them are looked at in the loop": (
        f"{HELD}for each in found:\n    if isinstance(each, Exception):\n        continue\n    shown(each, found)"
    ),
    "nobody looks": HELD.rstrip(),
    "the results are answered": f"return {GATHERED}",
    "a loop over something else of them": (
        f"{HELD}for each in sorted(found):\n    if isinstance(each, Exception):\n        continue\n    shown(each)"
    ),
    "exceptions are raised": (
        "found = await asyncio.gather(*calls)\nreturn [each for each in found if not isinstance(each, Exception)]"
    ),
    "exceptions are raised, as it says": (
        "found = await asyncio.gather(*calls, return_exceptions=False)\n"
        "return [each for each in found if not isinstance(each, Exception)]"
    ),
    "the run decides whether they are raised": (
        "found = await asyncio.gather(*calls, return_exceptions=calls)\n"
        "return [each for each in found if not isinstance(each, Exception)]"
    ),
    "something else is not raised": (
        "found = await asyncio.gather(*calls, keep=True)\n"
        "return [each for each in found if not isinstance(each, Exception)]"
    ),
    "something else is called": (
        "found = await asyncio.wait(calls, return_exceptions=True)\n"
        "return [each for each in found if not isinstance(each, Exception)]"
    ),
    "a method of what a call answers gathers": (
        "found = await pool().gather(*calls, return_exceptions=True)\n"
        "return [each for each in found if not isinstance(each, Exception)]"
    ),
}


@pytest.mark.parametrize("body", LOOKED_AT.values(), ids=LOOKED_AT)
def test_what_failed_is_not_left_out_where(body: str) -> None:
    assert filtered(body) == []


def test_the_statement_that_gathers_is_told() -> None:
    body = f"shown(calls)\n{HELD}return [each for each in found if not isinstance(each, Exception)]"
    assert filtered(body) == [2]


def test_what_is_gathered_without_waiting_is_looked_at_like_any_other() -> None:
    kept = "return [each for each in found if not isinstance(each, Exception)]"
    assert filtered(f"found = gather(*calls, return_exceptions=True)\n{kept}") == [1]
