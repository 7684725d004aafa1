"""Paths as Windows and macOS have them: drives, backslashes and letters of either case, as far as any system can tell.

What is asked here is handed ``ntpath`` and its separator in place of the system's.
"""

from __future__ import annotations

import json
import ntpath
from datetime import date
from pathlib import Path, PureWindowsPath
from types import SimpleNamespace
from typing import Any, cast

import pytest
from command_line import Run, caller
from msgspec import structs
from test_report import finding, report

import errlint.report
import errlint.settings.configuration
import errlint.workspace.root
from errlint.baseline.entries import parse, render
from errlint.baseline.matching import listed, match
from errlint.errors import InputError
from errlint.patterns import problem
from errlint.report import Format, Report
from errlint.workspace.root import inside

WINDOWS: Any = SimpleNamespace(path=ntpath, sep="\\", environ={}, fsencode=str.encode)
ROOT = cast(Path, PureWindowsPath(r"C:\Proj"))


@pytest.fixture
def errlint_command(capsys: pytest.CaptureFixture[str]) -> Run:
    return caller(capsys)


@pytest.fixture
def windows(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have the modules that are asked split and join paths as Windows does."""
    for module in ("root", "gitlab", "rdjson", "junit", "sarif"):
        package = "errlint.workspace" if module == "root" else "errlint.report"
        monkeypatch.setattr(f"{package}.{module}.os", WINDOWS)
    monkeypatch.setattr(errlint.report, "os", WINDOWS)


PATHS = {
    "relative": (r"src\a.py", "src/a.py"),
    "relative, forward slashes": ("src/a.py", "src/a.py"),
    "absolute": (r"C:\Proj\src\a.py", "src/a.py"),
    "absolute, a small letter for the drive": (r"c:\Proj\src\a.py", "src/a.py"),
    "absolute, letters of another case": (r"C:\PROJ\src\a.py", "src/a.py"),
    "with dots": (r"..\Proj\src\.\a.py", "src/a.py"),
    "the root": ("c:/proj", "."),
}


@pytest.mark.parametrize(("path", "expected"), PATHS.values(), ids=PATHS)
def test_a_path_of_windows_is_one_of_the_project(windows: None, path: str, expected: str) -> None:
    assert inside(ROOT, cast(Path, PureWindowsPath(path))) == expected


@pytest.mark.parametrize("path", [r"D:\Proj\a.py", r"C:\Project\a.py", r"\\host\share\a.py"])
def test_another_drive_or_folder_is_outside(windows: None, path: str) -> None:
    with pytest.raises(InputError, match="is not in the project"):
        inside(ROOT, cast(Path, PureWindowsPath(path)))


def test_a_name_is_written_as_its_folder_lists_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "src").mkdir()
    (tmp_path / "src" / "Server.py").touch()
    monkeypatch.setattr("errlint.workspace.root._IGNORES_CASE", True)
    assert inside(tmp_path, Path("SRC/server.PY")) == "src/Server.py"
    assert inside(tmp_path, Path("src/new.py")) == "src/new.py"


def shown_on_windows(*, cwd: str) -> Report:
    return report(finding("src/a.py", (2, 1, 2, 5)), source="\n\n\n")._replace(root=ROOT, cwd=Path(cwd))


def test_reports_for_machines_have_forward_slashes(windows: None) -> None:
    shown = shown_on_windows(cwd=r"c:\proj")
    assert json.loads(render_(Format.GITLAB, shown))[0]["location"]["path"] == "src/a.py"
    assert json.loads(render_(Format.RDJSON, shown))["diagnostics"][0]["location"]["path"] == "src/a.py"
    (run,) = json.loads(render_(Format.SARIF, shown))["runs"]
    artifact = run["results"][0]["locations"][0]["physicalLocation"]["artifactLocation"]
    assert artifact == {"uri": "src/a.py", "uriBaseId": "SRCROOT"}
    assert run["originalUriBaseIds"]["SRCROOT"]["uri"] == "file:///C:/Proj/"


def test_people_see_the_paths_of_their_system(windows: None) -> None:
    assert render_(Format.CONCISE, shown_on_windows(cwd=r"c:\proj\src")).startswith("a.py:2:1: ")
    assert render_(Format.CONCISE, shown_on_windows(cwd="D:\\")).startswith("C:\\Proj\\src\\a.py:2:1: ")


def render_(form: Format, shown: Report) -> str:
    return errlint.report.render(form, shown)


def test_a_baseline_is_the_same_on_every_system() -> None:
    found = structs.replace(finding("src/shop/a.py"), fingerprint="0123456789abcdef")
    known = tuple(listed([found], (), lambda path: 'return {"error": 1}\n'))
    text = render(known)
    assert "\nsrc/shop/a.py: ERR101 " in text
    there = parse(text.replace("\n", "\r\n"), Path("errlint-baseline.txt"))
    assert [each._replace(line=0) for each in there] == [*known]
    matched = match(there, [found], lambda path: None, today=date.today())
    assert (matched.new, matched.stale) == ((), ())


def test_line_ends_change_no_fingerprint(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, errlint_command: Run) -> None:
    code = 'from fastmcp import FastMCP\nmcp = FastMCP("a")\n@mcp.tool()\ndef find():\n    return {"error":\n "gone"}\n'
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.py").write_bytes(code.encode())
    errlint_command("baseline", "write")
    (tmp_path / "a.py").write_bytes(code.replace("\n", "\r\n").encode())
    assert errlint_command("check", "--baseline", "errlint-baseline.txt").status == 0


GLOBS = {r"src\legacy": True, r"src\legacy\**": True, r"\src": True, r"a\*b": False, r"\#notes": False, "src/**": False}


@pytest.mark.parametrize(("pattern", "is_wrong"), GLOBS.items())
def test_a_pattern_with_the_slashes_of_windows_is_told(pattern: str, is_wrong: bool) -> None:
    assert ("separated by `/`" in problem(pattern)) == is_wrong


def test_the_place_of_a_wrong_pattern_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, errlint_command: Run
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "errlint.toml").write_text("exclude = ['src\\legacy']\n", encoding="utf-8")
    done = errlint_command("check")
    assert (done.status, "errlint.toml:1:" in done.err, "separated by `/`" in done.err) == (2, True, True)


def test_a_configuration_may_be_on_another_drive(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> str:
        raise ValueError("path is on mount 'D:', start on mount 'C:'")

    monkeypatch.setattr("os.path.relpath", fail)
    path = PureWindowsPath(r"D:\team\errlint.toml")
    assert errlint.settings.configuration._seen_from(ROOT, cast(Path, path)) == "D:/team/errlint.toml"
