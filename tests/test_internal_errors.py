"""A rule or a file that fails is a finding of its own: everything else is still printed, and the status is 2.

A fix that fails is refused, and the others are carried out.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from errlint import collect as collecting
from errlint.checks import err101_hand_built_error_return as err101
from errlint.cli import main
from errlint.facts import Module
from errlint.findings import Finding
from errlint.fix import plan
from errlint.fix import run as fixing
from errlint.project import Project

SERVER = """\
from fastmcp import FastMCP

mcp = FastMCP("orders")


@mcp.tool()
def get_order(order_id: str) -> dict:
    if not order_id:
        return {"error": "no order given"}
    return {"order": order_id}


@mcp.tool()
def get_text(order_id: str) -> str:
    return "Error: no text"
"""


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "pyproject.toml").write_text("[project]\nname = 'orders'\n")
    (tmp_path / "server.py").write_text(SERVER)
    (tmp_path / "other.py").write_text(SERVER)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, list[str]]:
    with pytest.raises(SystemExit) as stopped:
        main(["check", "--no-cache", "--output-format", "json", "-j1", *arguments])
    found = json.loads(capsys.readouterr().out)
    assert isinstance(stopped.value.code, int)
    return stopped.value.code, sorted(f"{Path(item['filename']).name} {item['code']}" for item in found)


def test_a_rule_that_fails_on_one_file_hides_nothing_else(
    project: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    original = err101.check

    def fails_on_one(linked: Project, path: str) -> Iterator[Finding]:
        if path == "server.py":
            raise LookupError("no such thing")
        return original(linked, path)

    monkeypatch.setattr(err101, "check", fails_on_one)
    assert run(capsys) == (2, ["other.py ERR101", "other.py ERR103", "server.py ERR103", "server.py ERR906"])
    assert run(capsys, "--exit-zero")[0] == 2


def test_a_file_that_cannot_be_analysed_hides_no_other(
    project: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    original = collecting.collect

    def fails_on_one(text: str, *arguments: object, **options: object) -> Module:
        if text.startswith("# broken"):
            raise LookupError("no such thing")
        return original(text, *arguments, **options)  # type: ignore[arg-type]

    (project / "other.py").write_text("# broken\n" + SERVER)
    monkeypatch.setattr(collecting, "collect", fails_on_one)
    assert run(capsys) == (2, ["other.py ERR906", "server.py ERR101", "server.py ERR103"])


def test_a_syntax_error_is_a_finding_and_stops_nothing(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (project / "other.py").write_text("def broken(:\n    pass\n")
    assert run(capsys) == (1, ["other.py ERR904", "server.py ERR101", "server.py ERR103"])


BOUNDARY = """\
[[tool.errlint.boundary]]
decorator = "answered"
envelope = { error = "{message}" }
[tool.errlint.exceptions]
root = ["AppError"]
default = "AppError"
"""
TOOLS = """\
from toolkit import server
from errors import AppError, answered


@server.tool()
@answered
def {0}_one(order):
    if not order:
        return {{"error": "no order"}}
    return {{"order": order}}
"""
ERRORS = """\
class AppError(Exception):
    pass


def answered(function):
    return function
"""


@pytest.mark.parametrize("step", ["plan", "rewrite", "proof"])
def test_a_fix_that_fails_hides_no_other(
    project: Path, step: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (project / "pyproject.toml").write_text(f"[tool.errlint]\nadapters.decorators = ['*.tool']\n{BOUNDARY}")
    (project / "errors.py").write_text(ERRORS)
    for name in ("server", "other"):
        (project / f"{name}.py").write_text(TOOLS.format(name))
    where, name = {
        "plan": (plan, "construct"),
        "rewrite": (fixing, "rewrite"),
        "proof": (fixing, "reason_against"),
    }[step]
    original = getattr(where, name)

    def fails_on_one(*arguments: object) -> object:
        files = [getattr(each, "parsed", each) for each in arguments]
        if any(getattr(each, "path", "") == "server.py" for each in files):
            raise LookupError("no such thing")
        return original(*arguments)

    monkeypatch.setattr(where, name, fails_on_one)
    with pytest.raises(SystemExit) as stopped:
        main(["check", "--no-cache", "--select", "ERR101", "--fix", "--show-fixes", "-j1"])
    told = capsys.readouterr()
    assert "errlint failed on it (LookupError: no such thing); please report this" in told.out + told.err
    assert stopped.value.code == 1
    assert 'raise AppError("no order")' in (project / "other.py").read_text()
    assert (project / "server.py").read_text() == TOOLS.format("server")
