"""A documented error is bound to one error of the code: by code and class, then by message, tool and section."""

from __future__ import annotations

import pytest

from errlint.catalog.templates import documented
from errlint.findings import Span
from errlint.project.drift.binding import DocumentedClaim, bind, candidates
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
