"""What the fixes of rules about raises and boundaries do, and what people are told to look at after them."""

from __future__ import annotations

from pathlib import Path

import pytest
from test_fix import looks, reasons
from test_fix_rules import CONFIGURATION, COVERED, ERRORS, HEAD, Project

READ = 'def read(path: str) -> dict:\n    return {"lines": [path]}\n'

# --- the order of decorators ------------------------------------------------------------------------------------------

TELLING = """

def told(function):
    def wrapper(*args):
        try:
            return function(*args)
        except ShopError as exc:
            return {"error": str(exc)}

    return wrapper
"""
SECOND = '[[tool.errlint.boundary]]\ndecorator = "shop.errors.told"\nenvelope = { error = "{message}" }\n'
ANSWERED = '@answered(operation="read", empty_result={"lines": []})\n'


def test_boundaries_above_what_registers_a_tool_come_below_it_in_their_order(tmp_path: Path) -> None:
    head = HEAD.replace("answered\n", "answered, told\n")
    server = f"{head}@told\n{ANSWERED}@mcp.tool()\n@limited\n{READ}"
    project = Project(tmp_path, CONFIGURATION + SECOND, server=server, errors=ERRORS + TELLING)
    assert project.fixed("ERR202") == f"{head}@mcp.tool()\n@told\n{ANSWERED}@limited\n{READ}"


# --- the empty result -------------------------------------------------------------------------------------------------

ELSEWHERE = "    if not path:\n        return path.found\n    return"

KEPT = {
    "a key of an answer, with a value that is empty": (READ, '{"lines": [1]}', '{"lines": []}'),
    "no key that no answer has": (READ, '{"lines": [], "more": ""}', '{"lines": []}'),
    "any key where not all answers are known": (
        READ.replace("    return", ELSEWHERE),
        '{"lines": [1], "more": ""}',
        '{"lines": [], "more": ""}',
    ),
}


@pytest.mark.parametrize(("function", "before", "after"), KEPT.values(), ids=KEPT)
def test_the_empty_result_keeps(tmp_path: Path, function: str, before: str, after: str) -> None:
    server = f"{HEAD}{COVERED}{function}"
    project = Project(tmp_path, server=server.replace('{"lines": []}', before, 1))
    assert project.fixed("ERR203") == server.replace('{"lines": []}', after, 1)


# --- handlers that hide a raise ---------------------------------------------------------------------------------------

LOST = "\n\nclass LostError(ShopError):\n    pass\n"
HIDING = """\
def {name}(path):
    try:
        if not path:
            raise {raised}("no path")
        return {{"lines": [path]}}
    except {caught}:
        return {{"lines": []}}
"""
ANSWERING = "clients get the boundary's answer, where this handler answered"
OTHER_TOO = "other exceptions of the project, as that of shop/server.py:{}, would pass the handler too"
IMPORTED = HEAD.replace("ShopError", "LostError, ShopError")


def test_a_raise_is_not_taken_for_another_one_that_passes_its_handler(tmp_path: Path) -> None:
    server = HEAD + COVERED + HIDING.format(name="read", raised="ShopError", caught="Exception")
    project = Project(tmp_path, server=server)
    assert looks(project.fixes("ERR205").fixed) == [(ANSWERING, "shop/server.py:15")]
    assert project.fixed("ERR205") == server.replace("    except", "    except ShopError:\n        raise\n    except")


def test_each_raise_gets_a_clause_of_its_own(tmp_path: Path) -> None:
    functions = (
        HIDING.format(name="read", raised="ShopError", caught="Exception"),
        HIDING.format(name="look", raised="LostError", caught="ShopError"),
    )
    server = IMPORTED + "\n\n".join(COVERED + function for function in functions)
    project = Project(tmp_path, server=server, errors=ERRORS + LOST)
    assert looks(project.fixes("ERR205").fixed) == [
        (ANSWERING, "shop/server.py:15"),
        (ANSWERING, "shop/server.py:26"),
        (OTHER_TOO.format(24), "shop/server.py:11"),
    ]
    first, second = (
        function.replace("    except", f"    except {name}:\n        raise\n    except")
        for function, name in zip(functions, ("ShopError", "LostError"), strict=True)
    )
    assert project.fixed("ERR205") == IMPORTED + "\n\n".join(COVERED + function for function in (first, second))


# --- causes -----------------------------------------------------------------------------------------------------------

TWO_HANDLERS = """\
def read(path):
    try:
        return {"lines": path["x"]}
    except KeyError as e:
        raise ShopError("gone")
    except OSError as e:
        raise StockError("no stock")
"""
STOCK = """

class StockError(ShopError):
    def __init__(self, message, *, cause=None):
        super().__init__({})
"""
ALTERED = "the constructor of `StockError` does not hand on its message as it is"

MADE = {"as it is": ("message", []), "with more": ('f"stock: {message}"', [ALTERED])}


@pytest.mark.parametrize(("message", "told"), MADE.values(), ids=MADE)
def test_a_cause_is_passed_to_the_class_of_its_raise_that_makes_its_message(
    tmp_path: Path, message: str, told: list[str]
) -> None:
    server = HEAD.replace("ShopError", "ShopError, StockError") + COVERED + TWO_HANDLERS
    project = Project(tmp_path, server=server, errors=ERRORS + STOCK.format(message))
    assert reasons(project.fixes("ERR207").fixed) == told
    after = server.replace('ShopError("gone")', 'ShopError("gone", cause=e) from e')
    assert project.fixed("ERR207") == after.replace('("no stock")', '("no stock", cause=e) from e')
