"""Files with the name of a test that are none: code like any other, for all that asks."""

from __future__ import annotations

from pathlib import Path

import pytest
from command_line import Run

TOOL = """\
from fastmcp import FastMCP

mcp = FastMCP("presses")


@mcp.tool()
def test_press(name: str) -> dict:
    return {"error": f"no press {name}"}
"""
CODE = TOOL.replace("test_press", "check_press") + "\n\nclass PressTestTool:\n    pass\n"
TEST = CODE + "\n\ndef test_that():\n    assert check_press('a')\n"

NAMES = ["tools/test_press.py", "press_test.py", "src/press/test_odd [1]!.py"]


def reported(errlint: Run, *arguments: str) -> list[str]:
    out = errlint("--select", "ERR101", "--output-format", "concise", *arguments).out
    return [line.partition(":")[0] for line in out.splitlines() if "ERR101" in line]


def written(root: Path, name: str, text: str) -> str:
    (root / "errlint.toml").touch()
    (root / name).parent.mkdir(parents=True, exist_ok=True)
    (root / name).write_text(text)
    return name


@pytest.mark.parametrize("name", NAMES)
def test_code_is_reported_whatever_its_name(errlint: Run, tmp_path: Path, name: str) -> None:
    written(tmp_path, name, CODE)
    assert reported(errlint) == [name]
    assert reported(errlint, str(tmp_path / name)) == [name]
    assert "check_press" in errlint("explain", f"{name}:8").out


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("tools/test_press.py", TEST),
        ("tools/test_press.py", TOOL),
        ("tools/test_press.py", "import pytest\n" + CODE),
        ("tools/test_press.py", CODE + "\n\nclass TestPress:\n    pass\n"),
        ("tools/test_press.py", CODE + "\n\nclass PressTest(Base):\n    pass\n"),
        ("tests/test_press.py", CODE),
        ("test/test_press.py", CODE),
        ("integration-tests/test_press.py", CODE),
        ("conftest.py", CODE),
    ],
)
def test_a_test_is_one(errlint: Run, tmp_path: Path, name: str, text: str) -> None:
    written(tmp_path, name, text)
    assert reported(errlint) == []


def test_what_the_settings_say_holds(errlint: Run, tmp_path: Path) -> None:
    name = written(tmp_path, "tools/test_press.py", CODE)
    (tmp_path / "errlint.toml").write_text('tests = ["test_*.py"]\n')
    assert reported(errlint) == []
    (tmp_path / "errlint.toml").write_text('tests = ["checks/**"]\n')
    assert reported(errlint) == [name]


def test_a_cache_knows_when_a_file_becomes_a_test(errlint: Run, tmp_path: Path) -> None:
    name = written(tmp_path, "tools/test_press.py", CODE)
    written(tmp_path, "tools/other.py", CODE.replace("check_press", "other"))
    assert reported(errlint) == ["tools/other.py", name]
    written(tmp_path, name, TEST)
    assert reported(errlint) == ["tools/other.py"]
    written(tmp_path, name, CODE)
    assert reported(errlint) == ["tools/other.py", name]


def test_it_is_fixed_like_any_other(errlint: Run, tmp_path: Path) -> None:
    name = written(tmp_path, "tools/test_press.py", CODE)
    errlint("--fix", "--unsafe-fixes", "--select", "ERR101")
    assert 'raise ToolError(f"no press {name}")' in (tmp_path / name).read_text()
