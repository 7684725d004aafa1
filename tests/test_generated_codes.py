"""Codes in a generated region of which no error is seen: those that the code uses, and that are of the same kind."""

from __future__ import annotations

from pathlib import Path

import pytest

from errlint.catalog.documents import Documents
from errlint.collect import collect
from errlint.project import Project
from errlint.project.asked_facts import vocabulary
from errlint.project.drift.generated import rewritten
from errlint.project.names import Layout
from errlint.settings import load

CODE = """\
from enum import Enum

from fastmcp import FastMCP

mcp = FastMCP("shop")


class Code(str, Enum):
    ORDER_GONE = "ORDER_GONE"
    ORDER_SHUT = "ORDER_SHUT"
    ORDER_PAID = "ORDER_PAID"
    order_wet = "order-wet"
    BAD_REQUEST = "400"


class ShopError(Exception):
    def __init__(self, message, code):
        super().__init__(message)
        self.code = code


class LateError(Exception):
    code = "ORDER_LATE"


def sent(order):
    return [Code.ORDER_SHUT, Code.order_wet, Code.BAD_REQUEST, LateError]


def lost(order):
    raise ShopError("Nobody gets this", Code.ORDER_PAID)


@mcp.tool()
def close_order(order_id: str) -> dict:
    raise ShopError("It is gone", Code.ORDER_GONE)
"""


def codes(root: Path, options: str, config: str = "", code: str = CODE) -> list[str]:
    """Return the codes in the rows of a region."""
    (root / "errlint.toml").write_text(config, encoding="utf-8")
    settings = load(root).settings
    modules = {"shop.py": collect(code, vocabulary(settings))}
    project = Project(Layout(modules, [""]), modules, settings, Documents(root, {"shop.py": code}, frozenset()))
    text, _ = rewritten(project, "errors.md", f"<!-- errlint: begin errors {options} -->\n<!-- errlint: end -->\n")
    return [each.split("`")[1] for each in text.splitlines() if each.startswith("| `")]


@pytest.mark.parametrize(
    ("options", "config", "expected"),
    [
        pytest.param("", "", ["ORDER_GONE", "ORDER_LATE", "ORDER_PAID", "ORDER_SHUT"], id="all"),
        pytest.param("codes=*_SHUT", "", ["ORDER_SHUT"], id="by their code"),
        pytest.param("classes=LateError", "", ["ORDER_LATE"], id="by their class"),
        pytest.param("paths=other/**", "", [], id="by their file"),
        pytest.param(
            "",
            "[codes]\nreserved = ['ORDER_SHUT']\n",
            ["ORDER_GONE", "ORDER_LATE", "ORDER_PAID"],
            id="but for reserved ones",
        ),
    ],
)
def test_codes_that_no_error_is_seen_to_have(tmp_path: Path, options: str, config: str, expected: list[str]) -> None:
    """Statuses are no codes, and those that are spelt otherwise are of something else."""
    assert codes(tmp_path, options, config) == expected


def test_codes_that_nothing_uses_are_left_out(tmp_path: Path) -> None:
    code = (
        CODE.replace("Code.ORDER_SHUT, ", "").replace("Code.ORDER_PAID", "Code.ORDER_GONE").replace(", LateError", "")
    )
    assert codes(tmp_path, "", code=code) == ["ORDER_GONE"]


def test_without_an_error_that_is_seen_codes_are_of_any_kind(tmp_path: Path) -> None:
    code = CODE.replace('raise ShopError("It is gone", Code.ORDER_GONE)', "return {}").replace(
        "ORDER_GONE = ", "A_A = "
    )
    assert codes(tmp_path, "", code=code) == ["ORDER_LATE", "ORDER_PAID", "ORDER_SHUT", "order-wet"]
