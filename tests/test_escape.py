"""What leaves a function: through handlers, out of what it calls, and out of results that are gathered."""

from __future__ import annotations

from pathlib import Path
from textwrap import dedent, indent

import pytest
from example_projects import findings

from errlint.settings import CommandLine

HELPERS = """\
import asyncio
from contextlib import suppress


class FaultError(Exception):
    pass


def probe():
    raise FaultError("no")


async def later():
    raise FaultError("no")


"""
FIRST = HELPERS.count("\n") + 1
"""The line of the function whose body a test gives: the body begins behind it."""

BODIES = {
    "nothing catches": ("probe()", [1]),
    "a handler answers": ("try:\n    probe()\nexcept FaultError:\n    return 1", []),
    "a handler of another class": ("try:\n    probe()\nexcept OSError:\n    return 1", [2]),
    "a handler raises again": ("try:\n    probe()\nexcept FaultError:\n    print()\n    raise", [5]),
    "a handler raises again by its name": ("try:\n    probe()\nexcept FaultError as error:\n    raise error", [2]),
    "a handler raises again on one of its ways": (
        "try:\n    probe()\nexcept FaultError as error:\n    if error.args:\n        raise\n    return 1", [5]),
    "what is raised again is caught further out": (
        "try:\n    try:\n        probe()\n    except FaultError:\n        raise\nexcept Exception:\n    return 1", []),
    "in the handler of something else": ("try:\n    open('x')\nexcept OSError:\n    probe()", [4]),
    "in an else": ("try:\n    print()\nexcept FaultError:\n    return 1\nelse:\n    probe()", [6]),
    "after a try": ("try:\n    print()\nexcept FaultError:\n    return 1\nprobe()", [5]),
    "suppressed": ("with suppress(OSError, FaultError):\n    probe()", []),
    "a finally that returns": ("try:\n    probe()\nfinally:\n    return 1", []),
    "a finally that ends": ("try:\n    print()\nfinally:\n    print()\nprobe()", [5]),
    "an async function that is awaited": ("await later()", [1]),
    "an async function that is awaited in a try": (
        "work = later()\ntry:\n    await work\nexcept FaultError:\n    return 1", []),
    "a cancellation is raised again": ("try:\n    print()\nexcept asyncio.CancelledError:\n    raise", []),
}  # fmt: skip


def lines(tmp_path: Path, code: str, body: str, config: str) -> list[int]:
    """The lines of a body, from 1, at which a rule speaks."""
    source = f"{HELPERS}@mcp.tool()\nasync def setup(urls):\n{indent(body, '    ')}\n"
    (tmp_path / "pyproject.toml").write_text("[project]\nname = 'x'\n")
    (tmp_path / "errlint.toml").write_text(dedent(config))
    (tmp_path / "server.py").write_text("from fastmcp import FastMCP\n\nmcp = FastMCP('x')\n" + source)
    found = findings(tmp_path, CommandLine(select=(code,)))
    return [each.span.line - FIRST - 3 - 1 for each in found if each.code == code]


@pytest.mark.parametrize(("body", "expected"), BODIES.values(), ids=BODIES)
def test_what_leaves_a_function_that_has_to_answer(tmp_path: Path, body: str, expected: list[int]) -> None:
    assert lines(tmp_path, "ERR210", body, "[exceptions]\nexempt = ['setup']\n") == expected


GATHERED = {
    "dropped by a comprehension": "found = [each for each in answers if not isinstance(each, Exception)]\nreturn found",
    "dropped by a loop": (
        "found = []\nfor each in answers:\n    if isinstance(each, BaseException):\n        continue\n"
        "    found.append(each)\nreturn found"),
    "dropped beside what was asked": (
        "return {url: each for url, each in zip(urls, answers) if not isinstance(each, (OSError, FaultError))}"),
    "dropped, and the name is used again": (
        "answers = [each for each in answers if not isinstance(each, Exception)]\nreturn len(answers)"),
}  # fmt: skip
LOOKED_AT = {
    "counted": (
        "found = [each for each in answers if not isinstance(each, Exception)]\nprint(len(answers) - len(found))\n"
        "return found"),
    "logged": (
        "for each in answers:\n    if isinstance(each, Exception):\n        print(each)\n        continue\n"
        "return urls"),
    "answered": "return answers",
    "taken apart": (
        "found = [each for each in answers if not isinstance(each, Exception)]\n"
        "failed = [each for each in answers if isinstance(each, Exception)]\nreturn found, failed"),
    "filtered by something else": "return [each for each in answers if each]",
}  # fmt: skip


@pytest.mark.parametrize("reading", GATHERED.values(), ids=GATHERED)
def test_results_of_which_only_the_good_ones_are_read(tmp_path: Path, reading: str) -> None:
    body = f"answers = await asyncio.gather(*map(ask, urls), return_exceptions=True)\n{reading}"
    assert lines(tmp_path, "ERR110", body, "") == [1]


@pytest.mark.parametrize("reading", LOOKED_AT.values(), ids=LOOKED_AT)
def test_results_that_are_looked_at(tmp_path: Path, reading: str) -> None:
    body = f"answers = await asyncio.gather(*map(ask, urls), return_exceptions=True)\n{reading}"
    assert lines(tmp_path, "ERR110", body, "") == []
