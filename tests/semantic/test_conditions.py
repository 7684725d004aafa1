"""What conditions around a statement leave: of the statuses of an answer, and of the codes of an error."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path
from textwrap import indent

import pytest
from governed_texts import governed

from errlint.facts import Case
from errlint.project.conditions import STATUSES, Conditions, asks_for, default
from errlint.settings import Policy
from errlint.settings.policy import Code, Codes, Exceptions

HEAD = """\
from enum import Enum

RETRYABLE = frozenset({502, 503})
BAD = 404
CODES = ("gone", "lent")
LISTED = list(["gone"])


class Kind(Enum):
    GONE = "gone"
    LENT = "lent"


class ShopError(Exception):
    def __init__(self, message, code):
        super().__init__(message)
        self.code = code


"""
VOCABULARY = {"gone": Code(404, False), "lent": Code(409, True), "torn": Code(500, False)}
POLICY = Policy(
    exceptions=Exceptions(root=("ShopError",)),
    codes=Codes(vocabulary=VOCABULARY, defaults={"404": "gone", "5xx": "torn"}, refusals={"late": ("lent",)}),
)


def asked(root: Path, body: str) -> tuple[Conditions, Case]:
    """Return what reads the conditions of a function, and its last raise with those around it."""
    text = f"{HEAD}def find(response, answer, name, late):\n{indent(body, '    ')}\n"
    project = governed(root, {"shop.py": text}, POLICY)
    function = next(each for each in project.modules["shop.py"].functions if each.name == "find")
    return Conditions(project, "shop.py", "find"), [case for case in function.cases if case.how == "raise"][-1]


def around(root: Path, *tests: str) -> tuple[Conditions, Case]:
    """Return what reads the conditions of a function that raises where they all hold."""
    steps = "".join(f"{'    ' * depth}if {test}:\n" for depth, test in enumerate(tests))
    return asked(root, f"{steps}{'    ' * len(tests)}raise ShopError('no', 'gone')")


def those(*numbers: int) -> frozenset[int]:
    """Return some statuses."""
    return frozenset(numbers)


def between(first: int, last: int) -> frozenset[int]:
    """Return the statuses from one to another, without that."""
    return frozenset(range(first, last))


LEFT: dict[str, tuple[tuple[str, ...], Collection[int] | None]] = {
    "one": (("response.status_code == 404",), those(404)),
    "one of a constant": (("response.status_code == BAD",), those(404)),
    "one of a name": (("response.http_status == HTTPStatus.NOT_FOUND",), those(404)),
    "one of a number": (("int(response.status_code) == 404",), those(404)),
    "one by its whole class": (("response.status_code // 100 == 5",), between(500, 600)),
    "above one": (("response.status_code > 500",), between(501, 600)),
    "from one on": (("response.status_code >= 500",), between(500, 600)),
    "below one": (("response.status_code < 404",), between(400, 404)),
    "up to one": (("response.status_code <= 404",), between(400, 405)),
    "some": (("response.status_code in (404, 410)",), those(404, 410)),
    "some of a constant": (("response.status_code in RETRYABLE",), those(502, 503)),
    "some of a set": (("response.status_code in frozenset({404, 410})",), those(404, 410)),
    "some of a range": (("response.status_code in range(500, 503)",), those(500, 501, 502)),
    "some of a class": (("response.status_code // 100 in (4, 5)",), None),
    "two bounds": (("500 <= response.status_code < 503",), those(500, 501, 502)),
    "one inside of another": (("response.status_code >= 500", "response.status_code < 502"), those(500, 501)),
    "either": (("response.status_code == 404 or response.status_code == 410",), those(404, 410)),
    "an error": (("response.is_error",), None),
    "an error of the server": (("response.is_server_error",), between(500, 600)),
    "an error of the client": (("response.is_client_error",), between(400, 500)),
    "no success": (("not response.ok",), None),
    "no error of the client": (("not response.is_client_error",), None),
    "a success": (("response.is_success",), frozenset()),
    "all but one": (("response.status_code != 404",), None),
    "all but some": (("response.status_code not in (404, 410)",), None),
    "all but one of some": (("response.status_code >= 500", "response.status_code != 500"), between(501, 600)),
    "all but some of those": (("response.status_code >= 500", "response.status_code not in RETRYABLE"),
        between(500, 600) - {502, 503}),
    "nothing": ((), None),
    "something else": (("name",), None),
    "something else beside it": (("response.status_code == 404", "name"), those(404)),
    "something else or it": (("response.status_code == 404 or name",), None),
    "one that is not known": (("response.status_code == name",), None),
    "some that are not known": (("response.status_code in name",), None),
    "some of which one is not known": (("response.status_code in (404, name)",), None),
    "a range that is not known": (("response.status_code in range(500, name)",), None),
    "a range of one number": (("response.status_code in range(500)",), None),
    "another number": (("response.pages == 404",), None),
    "another property": (("response.is_late",), None),
    "a property of nothing": (("is_server_error",), None),
    "another function": (("len(response.status_code) == 404",), None),
    "a function of nothing": (("int() == 404",), None),
}  # fmt: skip


@pytest.mark.parametrize(("tests", "expected"), LEFT.values(), ids=LEFT)
def test_conditions_leave_some_statuses_of_errors(
    tests: tuple[str, ...], expected: frozenset[int] | None, tmp_path: Path
) -> None:
    asks, case = around(tmp_path, *tests)
    assert asks.statuses(case.conditions) == expected


HELD = {
    "in a variable": ("status = response.status_code\nif status == 404:\n", those(404)),
    "in a variable of another name": ("found = response.status_code\nif found == 404:\n", those(404)),
    "in the other of two": (
        "found = response.pages\nif name:\n    found = response.status_code\nif found == 404:\n",
        None,
    ),
    "in one of two": (
        "found = response.status_code\nif name:\n    found = response.pages\nif found == 404:\n",
        None,
    ),
}


@pytest.mark.parametrize(("before", "expected"), HELD.values(), ids=HELD)
def test_a_status_may_be_in_a_variable(before: str, expected: frozenset[int] | None, tmp_path: Path) -> None:
    asks, case = asked(tmp_path, f"{before}    raise ShopError('no', 'gone')")
    assert asks.statuses(case.conditions) == expected


ONLY = {
    "a status": ("response.status_code == 404", True),
    "a status or another": ("response.status_code == 404 or response.status_code > 500", True),
    "a property": ("response.is_server_error", True),
    "all but a status": ("response.status_code != 404", False),
    "a status or something else": ("response.status_code == 404 or name", False),
    "something else": ("name", False),
    "no property": ("not response.ok", False),
}


@pytest.mark.parametrize(("test", "expected"), ONLY.values(), ids=ONLY)
def test_a_condition_may_name_nothing_but_statuses(test: str, expected: bool, tmp_path: Path) -> None:
    asks, case = around(tmp_path, test)
    assert [asks.asks_only_status(each) for each in case.conditions] == [expected]


OTHERWISE = {
    "a status alone": (("response.status_code == 404",), False),
    "something else, too": (("response.status_code == 404", "name"), True),
    "that something is not so": (("response.status_code == 404", "not name"), False),
    "that something is nothing": (("response.status_code == 404", "name is None"), False),
    "that something is that": (("response.status_code == 404", "name == 'emma'"), True),
    "that something is not that": (("response.status_code == 404", "name != 'emma'"), False),
    "a status or something else": (("response.status_code == 404 or name",), False),
}


@pytest.mark.parametrize(("tests", "expected"), OTHERWISE.values(), ids=OTHERWISE)
def test_something_else_may_say_which_code_it_is(tests: tuple[str, ...], expected: bool, tmp_path: Path) -> None:
    asks, case = around(tmp_path, *tests)
    assert asks.is_told_otherwise(case.conditions) is expected


NAMED = {
    "one": ("answer['code'] == 'gone'", {"gone"}),
    "one by get": ("answer.get('code') == 'gone'", {"gone"}),
    "one of a member": ("answer['code'] == Kind.GONE", {"gone"}),
    "one of some": ("answer['code'] in ('gone', 'lent')", {"gone", "lent"}),
    "one of a constant": ("answer['code'] in CODES", {"gone", "lent"}),
    "one of a list": ("answer['code'] in LISTED", {"gone"}),
    "one or another": ("answer['code'] == 'gone' or answer['error_code'] == 'lent'", {"gone", "lent"}),
    "one or something else": ("answer['code'] == 'gone' or name", set()),
    "all but one": ("answer['code'] != 'gone'", set()),
    "what is not known": ("answer['code'] == name", set()),
    "some of which one is not known": ("answer['code'] in ('gone', name)", set()),
    "another key": ("answer['title'] == 'gone'", set()),
}


@pytest.mark.parametrize(("test", "expected"), NAMED.values(), ids=NAMED)
def test_an_answer_may_name_its_code_itself(test: str, expected: set[str], tmp_path: Path) -> None:
    asks, case = around(tmp_path, test)
    assert asks.named(case.conditions) == expected


LEFT_CODES = {
    "one": (("error.code == 'gone'",), {"gone"}, True),
    "one of a member": (("error.code == Kind.GONE",), {"gone"}, True),
    "all but one": (("error.code != 'gone'",), {"lent", "torn"}, True),
    "some": (("error.code in ('gone', 'lent')",), {"gone", "lent"}, True),
    "all but some": (("error.code not in CODES",), {"torn"}, True),
    "one of those": (("error.code in CODES", "error.code != 'gone'"), {"lent"}, True),
    "one or another": (("error.code == 'gone' or error.code == 'lent'",), {"gone", "lent"}, True),
    "one or something else": (("error.code == 'gone' or name",), set(VOCABULARY), False),
    "something else": (("name",), set(VOCABULARY), False),
    "another text": (("error.code == 'emma'",), set(VOCABULARY), False),
    "an order": (("error.code > 'gone'",), set(VOCABULARY), False),
}


@pytest.mark.parametrize(("tests", "expected", "is_chosen"), LEFT_CODES.values(), ids=LEFT_CODES)
def test_conditions_leave_some_codes(
    tests: tuple[str, ...], expected: set[str], is_chosen: bool, tmp_path: Path
) -> None:
    asks, case = around(tmp_path, *tests)
    left, last = asks.codes(case.conditions)
    assert left == expected
    assert last == (case.conditions[-1] if is_chosen else None)
    assert all(map(asks.asks_code, case.conditions)) is is_chosen


def test_the_last_condition_that_chooses_a_code_is_told(tmp_path: Path) -> None:
    asks, case = around(tmp_path, "error.code == 'gone'", "name", "error.code in CODES")
    assert asks.codes(case.conditions) == (frozenset({"gone"}), case.conditions[0])


LOOKED_UP = {
    "get of a status": ("table.get(response.status_code)", True),
    "get of a status in a variable": ("held", True),
    "get of something else": ("table.get(name)", False),
    "get of nothing": ("table.get()", False),
    "get of a status as the default": ("table.get(name, response.status_code)", False),
    "another method": ("table.find(response.status_code)", False),
}


@pytest.mark.parametrize(("code", "expected"), LOOKED_UP.values(), ids=LOOKED_UP)
def test_a_table_may_be_asked_for_the_code_of_a_status(code: str, expected: bool, tmp_path: Path) -> None:
    body = f"held = table.get(response.status_code)\nif {code} == 'gone':\n    raise ShopError('no', 'gone')"
    asks, case = asked(tmp_path, body)
    assert [asks.looks_up(test.subject) for each in case.conditions for test in each.tests] == [expected]


REFUSED = {
    "a name that is true": ("late", "late", "late"),
    "a name that is false": ("not late", "late", ""),
    "a name that is not true": ("not late", "not late", "late"),
    "a name that is true but should not be": ("late", "not late", ""),
    "another name": ("name", "late", ""),
    "a pattern": ("too_late", "*late", "too_late"),
    "a name in capitals": ("LATE", "late", "LATE"),
    "a pattern in capitals": ("late", "LATE", "late"),
    "a key": ("answer['late']", "late", "late"),
    "what is called": ("is_late()", "is_late", "is_late"),
    "what something is": ("name == 'late'", "late", "late"),
    "what something is not": ("name != 'late'", "not late", "late"),
    "what something is but should not be": ("name == 'late'", "not late", ""),
    "a part of a text": ("name == f'late {name}'", "late", ""),
    "an empty text": ("name == ''", "*", "name"),
    "an order": ("late > 3", "late", ""),
}


@pytest.mark.parametrize(("test", "pattern", "expected"), REFUSED.values(), ids=REFUSED)
def test_a_pattern_means_what_a_condition_asks_for(test: str, pattern: str, expected: str, tmp_path: Path) -> None:
    _, case = around(tmp_path, test)
    ((question,),) = (each.tests for each in case.conditions)
    assert asks_for(question, pattern) == expected


def test_the_code_of_a_status_is_its_own_or_that_of_its_class() -> None:
    codes = Codes(defaults={"404": "gone", "4xx": "wrong"})
    assert [default(codes, status) for status in (404, 410, 500)] == ["gone", "wrong", None]


def test_statuses_of_errors_begin_with_400() -> None:
    assert (min(STATUSES), max(STATUSES)) == (400, 599)
