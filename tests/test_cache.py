"""A cache never changes what is reported, whatever happened to it or to the files in the meantime."""

from __future__ import annotations

import os
import shutil
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from errlint.cli import main

SERVER = """\
from fastmcp import FastMCP
from helpers import answer

mcp = FastMCP("orders")


@mcp.tool()
def get_order(order_id: str) -> dict:
    return answer(order_id)
"""
ONLY_ERRORS = 'def answer(text):\n    return {"error": text}\n'
NO_ERRORS = 'def answer(text):\n    return {"order": text}\n'

assert len(ONLY_ERRORS) == len(NO_ERRORS)

Report = Callable[..., list[str]]


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "errlint.toml").write_text("")
    (tmp_path / "server.py").write_text(SERVER)
    (tmp_path / "helpers.py").write_text(ONLY_ERRORS)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def report(project: Path, capsys: pytest.CaptureFixture[str]) -> Report:
    def run(*arguments: str) -> list[str]:
        with pytest.raises(SystemExit) as stopped:
            main(["check", "-q", "--output-format", "concise", *arguments])
        assert stopped.value.code in (0, 1)
        return [" ".join(line.split()[:2]) for line in capsys.readouterr().out.splitlines()]

    return run


FOUND = ["server.py:9:5: ERR102"]


def test_the_cache_folder_keeps_itself_out_of_git(report: Report, project: Path) -> None:
    report()
    assert "*" in (project / ".errlint_cache" / ".gitignore").read_text().splitlines()
    assert (
        (project / ".errlint_cache" / "CACHEDIR.TAG")
        .read_text()
        .startswith("Signature: 8a477f597d28d172789f06886806bc55")
    )


def test_no_cache_writes_nothing(report: Report, project: Path) -> None:
    assert report("--no-cache") == FOUND
    assert not (project / ".errlint_cache").exists()


def test_the_cache_can_be_elsewhere(report: Report, project: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    folder = tmp_path_factory.mktemp("elsewhere") / "cache"
    assert report("--cache-dir", str(folder)) == report("--cache-dir", str(folder)) == FOUND
    assert list(folder.iterdir())
    assert not (project / ".errlint_cache").exists()


@pytest.mark.parametrize(
    "damage",
    [
        pytest.param(lambda data: b"", id="empty"),
        pytest.param(lambda data: data[: len(data) // 2], id="truncated"),
        pytest.param(lambda data: data[:-1] + bytes([data[-1] ^ 1]), id="one bit is wrong"),
        pytest.param(lambda data: b"#!/bin/sh\nexit 0\n", id="something else"),
        pytest.param(lambda data: b"errlint-cache-0\n" + data[16:], id="an older format"),
    ],
)
def test_a_damaged_cache_is_ignored_and_written_anew(
    damage: Callable[[bytes], bytes], report: Report, project: Path
) -> None:
    report()
    files = [file for file in (project / ".errlint_cache").iterdir() if file.name.startswith(("run-", "facts-"))]
    whole = {file: file.read_bytes() for file in files}
    for file in files:
        file.write_bytes(damage(whole[file]))
    assert report() == FOUND
    assert all(file.read_bytes()[:16] == whole[file][:16] for file in files)
    assert report() == FOUND


def test_an_edit_of_the_same_size_and_time_is_seen_while_the_file_is_young(report: Report, project: Path) -> None:
    helpers = project / "helpers.py"
    soon = time.time_ns() + 3_600 * 10**9  # young however long the machine takes
    os.utime(helpers, ns=(soon, soon))
    assert report() == FOUND
    helpers.write_text(NO_ERRORS)
    os.utime(helpers, ns=(soon, soon))
    assert report() == []


def test_an_edit_of_another_file_changes_the_findings(report: Report, project: Path) -> None:
    assert report() == FOUND
    (project / "helpers.py").write_text(NO_ERRORS + "\n")
    assert report() == report("server.py") == []
    (project / "helpers.py").write_text(ONLY_ERRORS + "\n\n")
    assert report("server.py") == report() == FOUND


def test_files_come_and_go(report: Report, project: Path) -> None:
    assert report() == FOUND
    (project / "helpers.py").rename(project / "other.py")
    assert report() == []
    (project / "other.py").rename(project / "helpers.py")
    assert report() == FOUND


def test_settings_have_runs_of_their_own(report: Report) -> None:
    for _ in range(2):
        assert report() == FOUND
        assert report("--ignore", "ERR102") == []
        assert report("--select", "ERR102") == FOUND


def test_a_folder_that_cannot_be_written_costs_time_only(report: Report, project: Path) -> None:
    (project / ".errlint_cache").write_text("a file is in the way")
    assert report() == report() == FOUND


def test_a_named_folder_that_cannot_be_made_is_an_error(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (project / "taken").write_text("")
    with pytest.raises(SystemExit) as stopped:
        main(["check", "--cache-dir", "taken"])
    assert stopped.value.code == 2
    assert "the cache folder cannot be made" in capsys.readouterr().err


def test_a_cache_that_is_deleted_between_runs_is_made_again(report: Report, project: Path) -> None:
    report()
    shutil.rmtree(project / ".errlint_cache")
    assert report() == FOUND
    assert (project / ".errlint_cache").is_dir()


ONLY_ERRORS_ELSEWHERE = ONLY_ERRORS.replace("answer", "make_error")
NO_ERRORS_ELSEWHERE = NO_ERRORS.replace("answer", "make_error")
ASKS_ELSEWHERE = SERVER.replace("helpers", "shared").replace("answer", "make_error")
DISTRIBUTIONS = {
    "base/pyproject.toml": "",
    "base/shared.py": ONLY_ERRORS_ELSEWHERE,
    "base/other.py": "VALUE = 1\n",
    "first/pyproject.toml": "",
    "first/server.py": ASKS_ELSEWHERE,
    "second/pyproject.toml": "",
    "second/tools.py": 'def look(text):\n    return {"error": text}\n',
    "third/pyproject.toml": "",
    "third/alone.py": SERVER.replace("from helpers import answer\n", "").replace("answer(order_id)", '{"error": "x"}'),
}
REGISTERS = "from fastmcp import FastMCP\nfrom tools import look\n\nmcp = FastMCP('x')\nmcp.add_tool(look)\n"
EDITS = {
    "a helper in another distribution": ("base/shared.py", NO_ERRORS_ELSEWHERE, True),
    "a file that nobody asks": ("base/other.py", "VALUE = 2\n", False),
    "a registration of another distribution's function": ("first/more.py", REGISTERS, True),
    "an import of another distribution": ("third/alone.py", ASKS_ELSEWHERE, True),
    "a new file with the name of a module in use": ("second/shared.py", ONLY_ERRORS_ELSEWHERE, True),
    "a file that cannot be parsed": ("base/shared.py", "def (", True),
}


@pytest.fixture
def distributions(project: Path) -> Path:
    for path in (project / "server.py", project / "helpers.py"):
        path.unlink()
    for name, text in DISTRIBUTIONS.items():
        (project / name).parent.mkdir(exist_ok=True)
        (project / name).write_text(text)
    return project


@pytest.mark.parametrize(("path", "text", "matters"), EDITS.values(), ids=EDITS.keys())
def test_after_an_edit_a_run_with_a_cache_reports_what_one_without_does(
    report: Report, distributions: Path, path: str, text: str, matters: bool
) -> None:
    before = report()
    file = distributions / path
    old = file.read_text() if file.exists() else None
    file.write_text(text)
    after = report()
    assert after == report("--no-cache")
    assert (after != before) is matters
    if old is None:
        file.unlink()
    else:
        file.write_text(old)
    assert report() == before


@pytest.mark.parametrize(
    ("path", "text", "count"),
    [
        pytest.param("third/alone.py", "VALUE = 1\n", 1, id="what has to do with nothing else"),
        pytest.param("base/other.py", "VALUE = 2\n", 2, id="a distribution, and what imports it"),
    ],
)
def test_after_an_edit_only_facts_of_what_has_to_do_with_it_are_asked_for(
    report: Report, distributions: Path, path: str, text: str, count: int
) -> None:
    report()
    for file in (distributions / ".errlint_cache").glob("facts-*"):
        file.unlink()
    (distributions / path).write_text(text)
    assert report() == report("--no-cache")
    assert len([*(distributions / ".errlint_cache").glob("facts-*")]) == count


def test_edits_between_runs_with_other_settings_are_seen_by_all(report: Report, distributions: Path) -> None:
    only = ("--select", "ERR102")
    report(), report(*only)
    (distributions / "base/shared.py").write_text(NO_ERRORS_ELSEWHERE)
    assert report(*only) == []
    assert report() == report("--no-cache")
    (distributions / "base/shared.py").write_text(ONLY_ERRORS_ELSEWHERE)
    assert report() == report("--no-cache")
    assert report(*only) == ["first/server.py:9:5: ERR102"]
