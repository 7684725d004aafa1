"""``errlint init``: what it proposes for a project, and that errlint understands it."""

from __future__ import annotations

from pathlib import Path

import pytest

from errlint.cli import main
from errlint.settings import load
from errlint.settings.toml_reader import parse

SERVER = """\
from shop.errors import answered
from shop.server import mcp


@mcp.tool()
@answered(empty={"items": []}, operation="shop:list")
def list_items(shelf):
    return {"items": [shelf]}


@mcp.tool()
@answered(empty={}, operation="shop:add")
def add_item(name):
    return {"added": name}
"""

ERRORS = '''\
"""Errors."""

import functools
import logging
from enum import Enum

logger = logging.getLogger(__name__)


class ErrorCode(str, Enum):
    NOT_FOUND = "not_found"
    NOT_ALLOWED = "not_allowed"
    TOO_MANY = "too_many"


class ShopError(Exception):
    def __init__(self, message, *, cause=None):
        super().__init__(message)
        self.cause = cause


class NotFoundError(ShopError):
    code = ErrorCode.NOT_FOUND


def answered(empty, operation):
    def decorate(function):
        @functools.wraps(function)
        def inner(*args, **kwargs):
            try:
                return function(*args, **kwargs)
            except Exception as exc:
                logger.exception("failed")
                return {**empty, "error": str(exc), "title": f"{operation}: {exc}", "type": type(exc).__name__}

        return inner

    return decorate
'''

CATALOG = "# Errors\n\n- `not_found`: no such thing\n- `not_allowed`: hands off\n- `too_many`: enough\n"

BOUNDARY = """\
# Check this: `shop.errors.answered` (shop/errors.py:26) is on 2 adapters, the first in shop/server_tools.py:7.
# It catches every exception in shop/errors.py:32 and answers it in shop/errors.py:34.
[[boundary]]
decorator = "shop.errors.answered"
envelope = { error = "{message}", title = "*: {message}", type = "*", result = "empty_result" }
operation = "operation"
empty-result = "empty"
logs = true
"""


def init(
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    *arguments: str,
    server: str = SERVER,
    errors: str = ERRORS,
) -> tuple[int, str, str]:
    """Write a project and return what ``errlint init`` makes of it: status, output, errors."""
    files = {"shop/__init__.py": "", "shop/server_tools.py": server, "shop/errors.py": errors, "docs/e.md": CATALOG}
    for name, text in files.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(text, "utf-8")
    monkeypatch.chdir(folder)
    with pytest.raises(SystemExit) as ended:
        main(("init", *arguments))
    captured = capsys.readouterr()
    assert isinstance(ended.value.code, int)
    return ended.value.code, captured.out, captured.err


def test_everything_that_is_there_is_proposed_with_its_place(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    status, _, told = init(tmp_path, monkeypatch, capsys, "--write")
    assert (status, told) == (0, "Written to errlint.toml.\n")
    text = (tmp_path / "errlint.toml").read_text("utf-8")
    assert "# Adapters: 2 by @mcp.tool (the first in shop/server_tools.py:7).\n" in text
    assert '# docs/e.md mentions 3 of the codes.\n[catalog]\nfiles = ["docs/e.md"]\n' in text
    assert BOUNDARY in text
    assert (
        "# `shop.errors.ShopError` (shop/errors.py:16): 1 exception is below it.\n"
        '[exceptions]\nroot = ["shop.errors.ShopError"]\ndefault = "shop.errors.ShopError"\ncause = "cause"\n'
    ) in text
    assert (
        '# shop.errors:ErrorCode: 3 codes (shop/errors.py:10).\n[codes]\nregistry = ["shop.errors:ErrorCode"]\n' in text
    )


def test_what_is_proposed_is_understood_and_fits_the_code(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    init(tmp_path, monkeypatch, capsys, "--write")
    policy = load(tmp_path).settings.policy
    assert policy.boundaries[0].empty_result == "empty"
    with pytest.raises(SystemExit) as ended:
        main(("--no-cache", "--select", "ERR905,ERR201"))
    assert ended.value.code == 0


def test_it_is_printed_for_a_pyproject_where_nothing_is_to_be_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    _, text, _ = init(tmp_path, monkeypatch, capsys)
    assert text.startswith("[tool.errlint]\n")
    assert parse(text)["tool"]["errlint"]["boundary"][0]["decorator"] == "shop.errors.answered"
    assert not (tmp_path / "errlint.toml").exists()


@pytest.mark.parametrize("end", ["\n", "\r\n"], ids=["LF", "CRLF"])
def test_a_pyproject_keeps_what_it_has(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], end: str
) -> None:
    before = f'[project]{end}name = "shop"  # ours{end}'
    (tmp_path / "pyproject.toml").write_bytes(before.encode())
    assert init(tmp_path, monkeypatch, capsys, "--write")[0] == 0
    after = (tmp_path / "pyproject.toml").read_bytes().decode()
    assert after.startswith(f"{before}{end}[tool.errlint]{end}")
    assert after.count("\n") == after.count(end)
    assert load(tmp_path).settings.policy.exceptions.default == "shop.errors.ShopError"


@pytest.mark.parametrize(
    ("name", "text"),
    [("pyproject.toml", "[tool.errlint]\n"), ("errlint.toml", "")],
    ids=["a table", "a file"],
)
def test_a_configuration_is_never_replaced(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], name: str, text: str
) -> None:
    (tmp_path / name).write_text(text, "utf-8")
    status, out, told = init(tmp_path, monkeypatch, capsys, "--write")
    assert (status, out) == (2, "")
    assert told == (
        f"errlint: error: {tmp_path / name}: there is a configuration already (`errlint init` prints a proposal)\n"
    )
    assert (tmp_path / name).read_text("utf-8") == text


def test_a_pyproject_that_cannot_take_a_table_is_left_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "pyproject.toml").write_text("tool = {}\n", "utf-8")
    status, _, told = init(tmp_path, monkeypatch, capsys, "--write")
    assert status == 2
    assert "a table cannot be added: " in told
    assert (tmp_path / "pyproject.toml").read_text("utf-8") == "tool = {}\n"


UNKNOWN = "# What it answers cannot be told: add `envelope`, then take the # away.\n# [[tool.errlint.boundary]]\n"
ANSWER = 'return {**empty, "error": str(exc), "title": f"{operation}: {exc}", "type": type(exc).__name__}'


@pytest.mark.parametrize(
    ("changed", "expected"),
    [
        ("raise", "# No decorator on an adapter catches every exception and returns an answer."),
        (
            "return make(exc)",
            UNKNOWN,
        ),
        ('payload = {"error": str(exc)}\n                return payload', 'envelope = { error = "{message}" }\n'),
    ],
    ids=["it raises", "it answers something unknown", "it answers a variable"],
)
def test_a_boundary_is_never_guessed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], changed: str, expected: str
) -> None:
    assert expected in init(tmp_path, monkeypatch, capsys, errors=ERRORS.replace(ANSWER, changed))[1]


def test_a_decorator_that_catches_less_is_no_boundary(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    errors = ERRORS.replace("except Exception as", "except ShopError as")
    assert "boundary" not in parse(init(tmp_path, monkeypatch, capsys, errors=errors)[1])["tool"]["errlint"]


def test_a_function_that_builds_the_answer_is_a_converter(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    errors = ERRORS.replace(ANSWER, "return to_answer(exc)") + (
        '\n\ndef to_answer(exc):\n    return {"error": str(exc), "code": exc.code}\n'
    )
    (boundary,) = parse(init(tmp_path, monkeypatch, capsys, errors=errors)[1])["tool"]["errlint"]["boundary"]
    assert boundary["converters"] == ["shop.errors.to_answer"]
    assert set(boundary["envelope"]) == {"error", "code"}


def test_several_families_of_exceptions_are_left_to_the_user(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    errors = ERRORS + "\n\nclass StockError(Exception):\n    pass\n\n\nclass NoneLeftError(StockError):\n    pass\n"
    text = init(tmp_path, monkeypatch, capsys, errors=errors)[1]
    assert '# root = ["shop.errors.ShopError", "shop.errors.StockError"]\n' in text
    assert "exceptions" not in parse(text)["tool"]["errlint"]


def test_the_preset_whose_names_the_code_has_is_proposed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    errors = ERRORS.replace("ShopError", "MCPValidationError").replace("NotFoundError", "MCPSelectorError")
    text = init(tmp_path, monkeypatch, capsys, errors=errors)[1]
    assert "# The code has `MCPSelectorError`, `MCPValidationError` of this preset.\n" in text
    assert parse(text)["tool"]["errlint"]["convention"] == "mcp-exceptions"


def test_an_empty_project_gets_a_configuration_that_says_what_is_missing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    text = init(tmp_path, monkeypatch, capsys, server="", errors="")[1]
    assert "# No adapter was found: say below [adapters] what makes a function one.\n" in text
    assert parse(text) == {"tool": {"errlint": {}}}
