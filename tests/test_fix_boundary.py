"""How a boundary is put on what has none: which decorator, with which arguments, and how its operation is spelt."""

from __future__ import annotations

from pathlib import Path

import pytest
from test_fix_rules import CONFIGURATION, ERRORS, HEAD, UNDECORATED, Project, doubts

SPELT = CONFIGURATION.replace("empty-result", 'operation-pattern = "[a-z]+[:.][a-z]+"\nempty-result')
PLAIN = CONFIGURATION.replace('operation = "operation"\nempty-result = "empty_result"\n', "")
OPERATIONS = CONFIGURATION.replace('empty-result = "empty_result"\n', "")


def other(operation: str, name: str) -> str:
    """Another tool, which has the boundary."""
    return f'@mcp.tool()\n@answered({operation})\ndef {name}(path: str):\n    return {{"a": path}}\n\n\n'


NEAR = {
    "as in its file": (other('operation="shop:look"', "look"), other('operation="store.find"', "find"), "shop:read"),
    "as in other files, where its own has none": ("", other('operation="store.find"', "find"), "store.read"),
    "by its module, where nobody has one": ("", "", "server.read"),
}


@pytest.mark.parametrize(("own", "others", "operation"), NEAR.values(), ids=NEAR)
def test_the_operation_begins(tmp_path: Path, own: str, others: str, operation: str) -> None:
    project = Project(tmp_path, SPELT, server=HEAD + own + UNDECORATED, store=HEAD + others)
    assert f'@answered(operation="{operation}", ' in project.fixed("ERR201")


def test_the_operation_does_not_begin_as_in_another_distribution(tmp_path: Path) -> None:
    store = HEAD + "LABEL = 'mail'\n\n\n" + other('operation="store.find"', "find")
    server = HEAD.replace("\n\nmcp", "\nfrom shop.mail.store import LABEL\n\nmcp") + UNDECORATED
    project = Project(tmp_path, SPELT, server=server)
    (tmp_path / "shop/mail").mkdir()
    (tmp_path / "shop/mail/pyproject.toml").write_text(f'[project]\nname = "mail"\n{SPELT}', encoding="utf-8")
    (tmp_path / "shop/mail/store.py").write_text(store, encoding="utf-8")
    assert '@answered(operation="server.read", ' in project.fixed("ERR201")


GIVEN = {
    "no empty result that it does not take": (
        CONFIGURATION,
        ERRORS.replace("operation, *, empty_result=None", "operation").replace("(empty_result or {})", "{}"),
        "",
        'operation="read"',
    ),
    "an empty result among all that it takes": (
        CONFIGURATION,
        ERRORS.replace("*, empty_result=None", "**more").replace("(empty_result or {})", "more"),
        "",
        'operation="read", empty_result={"a": ""}',
    ),
    "an operation by position, as the others do": (
        OPERATIONS,
        ERRORS,
        other('"look"', "look"),
        '"read"',
    ),
    "an operation by its name where others pass something else by position": (
        OPERATIONS,
        ERRORS.replace("operation, *", "*labels, operation").replace("(empty_result or {})", "{}"),
        other('"shelf", operation="look"', "look"),
        'operation="read"',
    ),
}


@pytest.mark.parametrize(("configuration", "errors", "others", "arguments"), GIVEN.values(), ids=GIVEN)
def test_the_boundary_is_given(tmp_path: Path, configuration: str, errors: str, others: str, arguments: str) -> None:
    project = Project(tmp_path, configuration, server=HEAD + others + UNDECORATED, errors=errors)
    assert f"@mcp.tool()\n@answered({arguments})\ndef read" in project.fixed("ERR201")


def test_a_method_of_the_name_of_the_boundary_is_none(tmp_path: Path) -> None:
    configuration = CONFIGURATION.replace("shop.errors.answered", "answered")
    shelf = "class Shelf:\n    def answered(self, path):\n        return path\n"
    project = Project(tmp_path, configuration, server=HEAD + UNDECORATED, shelf=shelf)
    assert '@answered(operation="read", ' in project.fixed("ERR201")


def test_one_of_two_boundaries_of_a_name_is_not_chosen(tmp_path: Path) -> None:
    configuration = CONFIGURATION.replace("shop.errors.answered", "answered")
    shelf = "def answered(function):\n    return function\n"
    found = Project(tmp_path, configuration, server=HEAD + UNDECORATED, shelf=shelf).fixes("ERR201")
    assert (found.contents, doubts(found)) == ({}, ["`answered` is defined more than once"])


def test_a_boundary_that_is_made_with_what_nobody_knows_is_not_put_on(tmp_path: Path) -> None:
    errors = ERRORS.replace("operation, *, empty_result=None", "label").replace("(empty_result or {})", "{}")
    found = Project(tmp_path, PLAIN, server=HEAD + UNDECORATED, errors=errors).fixes("ERR201")
    assert (found.contents, doubts(found)) == (
        {},
        ["`answered` needs `label`, which cannot be told from the adapter"],
    )
