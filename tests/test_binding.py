"""A documented error is bound to one error of the code: by code and class, then by message, tool and section."""

from __future__ import annotations

import pytest

from errlint.catalog.templates import documented
from errlint.findings import Span
from errlint.project.drift.binding import DocumentedClaim, Surfacing, bind, candidates, plain
from errlint.project.raised_errors import Origin, RaisedError


def error(line: int, message: str, code: str, name: str = "AppError", adapter: str = "", **more: bool) -> RaisedError:
    return RaisedError(
        path="server.py",
        span=Span(line, 5, line, 40),
        function=f"function_{line}",
        kind=Origin.RAISE,
        name=name,
        names=(f"errors.{name}", "errors.BaseError", "builtins.Exception"),
        codes=(code,),
        messages=(documented(message),),
        hints=(),
        fields=(),
        status=None,
        adapters=(adapter,) if adapter else (),
        **more,  # type: ignore[arg-type]
    )


ERRORS = [
    error(1, "Table {name} not found", "not-found", "NotFound", "query_table"),
    error(2, "Column {name} not found", "not-found", "NotFound", "query_table"),
    error(3, "Table {name} not found", "not-found", "NotFound", "DropTableTool.execute"),
    error(4, "The server is busy", "busy"),
    error(5, "Query failed: {reason}", "broken"),
    error(6, "Nobody calls this", "dead", is_reachable=False),
    error(7, "Caught again", "caught", escapes=False),
]


def said(*messages: str, **more: tuple[str, ...]) -> DocumentedClaim:
    return DocumentedClaim(messages=tuple(map(documented, messages)), **more)


@pytest.mark.parametrize(
    ("entry", "line", "agrees"),
    [
        pytest.param(said("Column `id` not found", codes=("not-found",)), 2, True, id="by its message"),
        pytest.param(said("Table 'a' not found", codes=("NOT-FOUND",)), 1, True, id="of two the first in the code"),
        pytest.param(said("Table 'a' not found", tools=("drop_table",)), 3, True, id="of two that of the tool"),
        pytest.param(
            said("Table 'a' not found", around=("Errors", "`drop_table` errors")),
            3,
            True,
            id="of two that of the section",
        ),
        pytest.param(said(codes=("busy",)), 4, True, id="by its code alone"),
        pytest.param(said(classes=("NotFound",)), 1, True, id="by its class alone"),
        pytest.param(said("The server is idle", codes=("busy",)), 4, False, id="the only one of its code"),
        pytest.param(said("Column 'id' is not there", classes=("errors.NotFound",)), 2, False, id="the nearest"),
        pytest.param(said("The server is busy", classes=("BaseError",)), 4, True, id="by a base of its class"),
        pytest.param(said("Server was busy", "The server is busy"), 4, True, id="one of several messages"),
        pytest.param(
            said(codes=("gone",), classes=("NotFound",)), 1, True, id="by its class where no error has its code"
        ),
    ],
)
def test_an_entry_is_bound(entry: DocumentedClaim, line: int, agrees: bool) -> None:
    bound = bind(entry, ERRORS)
    assert bound is not None
    assert (bound.error.span.line, bound.agrees) == (line, agrees)


@pytest.mark.parametrize(
    "entry",
    [
        pytest.param(said("The server is busy", codes=("gone",)), id="of a code that nothing has"),
        pytest.param(said("Nobody calls this", codes=("dead",)), id="of a function that nobody calls"),
        pytest.param(said("Caught again", codes=("caught",)), id="that is caught again"),
        pytest.param(said(classes=("OtherError",)), id="of a class that nothing is of"),
    ],
)
def test_an_entry_is_bound_to_nothing(entry: DocumentedClaim) -> None:
    assert candidates(entry, ERRORS) == []
    assert bind(entry, ERRORS) is None


def test_the_difference_to_the_nearest_is_told() -> None:
    bound = bind(said("The server is idle", codes=("busy",)), ERRORS)
    assert bound is not None
    assert bound.difference == "The server is [-idle-] {+busy+}"


def test_what_agrees_has_no_difference() -> None:
    bound = bind(said("the server is busy.", codes=("busy",)), ERRORS)
    assert bound is not None
    assert bound.difference == ""


SURFACING = Surfacing(error for error in ERRORS if error.surfaces)


@pytest.mark.parametrize(
    ("entry", "line", "agrees"),
    [
        pytest.param(said("The server is busy"), 4, True, id="of no code, by its message"),
        pytest.param(said("The server is very busy"), 4, False, id="of no code, by a message that is near"),
        pytest.param(said("Wind and rain"), 1, False, id="of no code and with a message that is like none"),
        pytest.param(said(), 1, True, id="of no code and without a message"),
        pytest.param(said("The server is busy", codes=("not-found",)), 1, False, id="of a code that others have"),
        pytest.param(said("Column `id` not found", codes=("not-found",)), 2, True, id="of a code, by its message"),
    ],
)
def test_an_entry_is_bound_to_one_of_all_that_surface(entry: DocumentedClaim, line: int, agrees: bool) -> None:
    bound = bind(entry, SURFACING)
    assert bound is not None
    assert (bound.error.span.line, bound.agrees) == (line, agrees)


def test_a_message_that_is_near_goes_before_the_tool() -> None:
    errors = [
        error(1, "The disk of this machine is full", "broken", adapter="save"),
        error(2, "Nobody answers", "broken", adapter="load"),
    ]
    bound = bind(said("The disk of this host is full", codes=("broken",), tools=("load",)), errors)
    assert bound is not None
    assert bound.error.span.line == 1


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        pytest.param("SearchTool.execute", "search", id="the method of a class"),
        pytest.param("shop.find_order", "findorder", id="the function of a module"),
        pytest.param("Find-Order Tool", "findorder", id="a title"),
    ],
)
def test_a_name_is_the_same_however_it_is_spelt(name: str, expected: str) -> None:
    assert plain(name) == expected


def test_of_errors_with_one_code_and_message_that_of_the_class_is_meant() -> None:
    errors = [error(1, "The table is lost", "gone", "OtherError"), error(2, "The table is lost", "gone", "NotFound")]
    bound = bind(said("The table is lost", codes=("gone",), classes=("NotFound",)), errors)
    assert bound is not None
    assert bound.error.span.line == 2


@pytest.mark.parametrize(
    ("title", "line"),
    [
        pytest.param("Row", 2, id="a word that the name of a tool ends with"),
        pytest.param("By", 1, id="a word of two letters is no name"),
        pytest.param("Arrow", 1, id="a word with more before it"),
    ],
)
def test_a_title_that_names_a_tool_decides(title: str, line: int) -> None:
    errors = [
        error(1, "The table is lost", "gone", adapter="drop_table"),
        error(2, "The table is lost", "gone", adapter="drop_row" if title != "By" else "drop_by"),
    ]
    bound = bind(said("The table is lost", codes=("gone",), around=(title,)), errors)
    assert bound is not None
    assert bound.error.span.line == line
