"""What is read of the code for the sake of a catalog: what is given in place of a file, and no more than it names."""

from __future__ import annotations

import ast
from collections.abc import Callable
from pathlib import Path

import pytest

from errlint.project.drift.documented import DocumentedErrors
from errlint.request import Request
from errlint.run import check
from errlint.settings import load

MENDED = '''\
from fastmcp import FastMCP

mcp = FastMCP("shop")


class ShopError(Exception):
    """An error of the shop."""


@mcp.tool()
def find_order(order_id: str) -> str:
    """Find an order.

    Raises:
        ShopError: there is no such order
    """
    raise ShopError("no such order")
'''
AT_FAULT = MENDED.replace("ShopError: there", "StallError: there")


def drifted(root: Path, **given: object) -> list[str]:
    """Return what is reported of documents, with what is given in place of files."""
    settings = load(root).settings
    found = check(Request(settings, use_cache=False, **given)).findings  # type: ignore[arg-type]
    return [f"{each.path}:{each.span.line} {each.code}" for each in found if each.code.startswith("ERR5")]


@pytest.fixture
def shop(tmp_path: Path) -> Callable[[str], Path]:
    def write(code: str) -> Path:
        (tmp_path / "docs").mkdir(exist_ok=True)
        (tmp_path / "docs/error-codes.md").write_text("# Errors\n\n## `ShopError`\n\nThere is no such order.\n")
        (tmp_path / "server.py").write_text(code)
        return tmp_path

    return write


def test_a_docstring_that_is_mended_on_the_standard_input_is_not_reported(shop: Callable[[str], Path]) -> None:
    root = shop(AT_FAULT)
    assert drifted(root) == ["server.py:15 ERR506"]
    assert drifted(root, stdin=("server.py", MENDED.encode())) == []


def test_a_docstring_at_fault_on_the_standard_input_is_reported(shop: Callable[[str], Path]) -> None:
    root = shop(MENDED)
    assert drifted(root) == []
    assert drifted(root, stdin=("server.py", AT_FAULT.encode())) == ["server.py:15 ERR506"]


def test_what_a_fix_would_write_is_what_its_proof_compares(shop: Callable[[str], Path]) -> None:
    root = shop(MENDED)
    assert drifted(root, contents={"server.py": AT_FAULT.encode()}) == ["server.py:15 ERR506"]


def test_a_file_that_has_a_code_in_its_prose_alone_is_not_parsed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs/error-codes.md").write_text(
        "# Errors\n\n| Code | Class | Means |\n|---|---|---|\n| `input` | `InputError` | no rows |\n"
    )
    (tmp_path / "shop").mkdir()
    (tmp_path / "shop/__init__.py").write_text("")
    (tmp_path / "shop/errors.py").write_text(
        'class ShopError(Exception):\n    code = "shop"\n\n\nclass InputError(ShopError):\n    code = "input"\n'
    )
    (tmp_path / "shop/rows.py").write_text(
        "from shop.errors import InputError\n\n\ndef rows(given):\n    raise InputError('no rows')\n"
    )
    for number in range(20):
        (tmp_path / f"shop/part{number}.py").write_text(
            f'def part{number}(input):\n    """Return the input of the shop."""\n    return input  # of a shop\n'
        )
    asked: set[str] = set()
    tree = DocumentedErrors.tree

    def noted(self: DocumentedErrors, path: str, *, keep: bool = True) -> ast.Module | None:
        asked.add(path)
        return tree(self, path, keep=keep)

    monkeypatch.setattr(DocumentedErrors, "tree", noted)
    assert drifted(tmp_path) == []
    assert asked == {"shop/errors.py", "shop/rows.py"}


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        pytest.param(b"x" * (5 << 20), "cannot be read", id="too large"),
        pytest.param(b"# \xff\n", "cannot be decoded: byte 0xff is not valid utf-8", id="no text"),
    ],
)
def test_a_catalog_that_cannot_be_read_is_told_of(tmp_path: Path, content: bytes, reason: str) -> None:
    (tmp_path / "errlint.toml").write_text('[catalog]\nfiles = ["docs/errors.md"]\n', "utf-8")
    (tmp_path / "shop.py").write_text(MENDED, "utf-8")
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs/errors.md").write_bytes(content)
    request = Request(load(tmp_path).settings)
    for _ in ("cold", "warm", "after an edit"):
        found = [each for each in check(request).findings if each.path == "docs/errors.md" and each.code == "ERR907"]
        assert [each.span.line for each in found] == [1]
        assert reason in found[0].message
        (tmp_path / "shop.py").write_text(f"# edited\n{MENDED}", "utf-8")
