"""``errlint --add-ignore=REASON``: where suppressions are put, and that the next check is silent."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from errlint.cli import cli
from errlint.errors import ErrlintError

HEAD = """\
from fastmcp import FastMCP

mcp = FastMCP("shop")


@mcp.tool()
def read(path: str) -> dict:
"""


def run(folder: Path, *arguments: str) -> Result:
    """Run the command in a folder."""
    return CliRunner().invoke(
        cli, ["check", "--no-cache", "--output-format", "concise", *arguments], standalone_mode=False
    )


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Make an empty project the working directory."""
    (tmp_path / "pyproject.toml").write_text("", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


PLACES = {
    "a statement on one line": (
        '    return {"error": path}\n',
        '    return {"error": path}  # errlint: ignore[ERR101] old clients\n',
    ),
    "a statement of several lines": (
        '    return {\n        "error": path,\n    }\n',
        '    return {  # errlint: ignore[ERR101] old clients\n        "error": path,\n    }\n',
    ),
    "a text over several lines": (
        '    return f"""Error: {path}\n    is bad"""\n',
        '    return f"""Error: {path}\n    is bad"""  # errlint: ignore[ERR103] old clients\n',
    ),
    "a line that ends with a backslash": (
        '    return \\\n        {"error": path}\n',
        '    return \\\n        {"error": path}  # errlint: ignore[ERR101] old clients\n',
    ),
    "a line with a comment": (
        '    return {"error": path}  # type: ignore\n',
        '    return {"error": path}  # type: ignore  # errlint: ignore[ERR101] old clients\n',
    ),
    "a suppression that is there": (
        '    return {"error": path}  # errlint: ignore[ERR107] why not\n',
        '    return {"error": path}  # errlint: ignore[ERR107, ERR101] why not\n',
    ),
    "a suppression without a reason": (
        '    return {"error": path}  # errlint: ignore[ERR107]\n',
        '    return {"error": path}  # errlint: ignore[ERR107, ERR101] old clients\n',
    ),
    "a suppression at the other end": (
        '    return {\n        "error": path,\n    }  # errlint: ignore[ERR107] why\n',
        '    return {\n        "error": path,\n    }  # errlint: ignore[ERR107, ERR101] why\n',
    ),
    "a noqa comment": (
        '    return {"error": path}  # noqa: E501\n',
        '    return {"error": path}  # noqa: E501  # errlint: ignore[ERR101] old clients\n',
    ),
    "two statements on one line": (
        '    if path: return {"error": path}; x = 1\n',
        '    if path: return {"error": path}; x = 1  # errlint: ignore[ERR101] old clients\n',
    ),
}


@pytest.mark.parametrize(("before", "after"), PLACES.values(), ids=PLACES)
def test_a_suppression_goes_to(project: Path, before: str, after: str) -> None:
    file = project / "server.py"
    file.write_text(HEAD + before, encoding="utf-8")
    arguments = ("--ignore", "ERR901", "--add-ignore", "old clients")
    assert run(project, *arguments).return_value == 0
    assert file.read_text(encoding="utf-8") == HEAD + after
    assert run(project, "--ignore", "ERR901").return_value == 0
    assert "0 suppressed" in run(project, *arguments).stderr
    assert file.read_text(encoding="utf-8") == HEAD + after


def test_several_codes_of_a_line_share_a_suppression(project: Path) -> None:
    file = project / "server.py"
    body = '    try:\n        return {}\n    except Exception as exc:\n        return {"error": str(exc)}\n'
    file.write_text(HEAD + body, encoding="utf-8")
    arguments = ("--extend-select", "ERR113")
    assert run(project, *arguments, "--add-ignore", "known").return_value == 0
    after = body.replace("str(exc)}\n", "str(exc)}  # errlint: ignore[ERR101, ERR113] known\n")
    assert file.read_text(encoding="utf-8") == HEAD + after
    assert run(project, *arguments).return_value == 0


def test_what_is_about_a_function_goes_to_its_header(project: Path) -> None:
    (project / "errlint.toml").write_text('[[boundary]]\ndecorator = "answered"\n', encoding="utf-8")
    (project / "answers.py").write_text("def answered(function):\n    return function\n", encoding="utf-8")
    file = project / "server.py"
    file.write_text(HEAD + '    """Read."""\n    return {}\n', encoding="utf-8")
    assert run(project, "--select", "ERR201", "--add-ignore", "for a while").return_value == 0
    header = "def read(path: str) -> dict:"
    after = HEAD.replace(header, f"{header}  # errlint: ignore[ERR201] for a while")
    assert file.read_text(encoding="utf-8") == after + '    """Read."""\n    return {}\n'


def test_line_ends_encoding_and_byte_order_mark_stay(project: Path) -> None:
    file = project / "server.py"
    text = (HEAD + '    return {"error": "é"}\n').replace("\n", "\r\n")
    file.write_bytes(text.encode("utf-8-sig"))
    assert run(project, "--add-ignore", "für später").return_value == 0
    after = text.replace('"é"}', '"é"}  # errlint: ignore[ERR101] für später')
    assert file.read_bytes() == after.encode("utf-8-sig")


def test_a_reason_that_the_encoding_of_a_file_cannot_write_is_refused(project: Path) -> None:
    file = project / "server.py"
    text = "# coding: ascii\n" + HEAD + '    return {"error": path}\n'
    file.write_text(text, encoding="ascii")
    result = run(project, "--add-ignore", "für später", "--show-fixes")
    assert result.return_value == 1
    assert "the reason cannot be written as ascii" in result.stdout
    assert file.read_text(encoding="ascii") == text


def test_only_what_is_reported_is_suppressed(project: Path) -> None:
    body = '    return {"error": path}\n'
    for name in ("one", "two"):
        (project / f"{name}.py").write_text(HEAD + body, encoding="utf-8")
    run(project, "one.py", "--add-ignore", "old")
    assert "errlint: ignore" in (project / "one.py").read_text(encoding="utf-8")
    assert (project / "two.py").read_text(encoding="utf-8") == HEAD + body


def test_a_suppression_that_nothing_needs_is_not_suppressed(project: Path) -> None:
    file = project / "server.py"
    text = HEAD + "    return {}  # errlint: ignore[ERR101] old\n"
    file.write_text(text, encoding="utf-8")
    result = run(project, "--add-ignore", "old", "--show-fixes")
    assert result.return_value == 1
    assert "it is about a suppression itself" in result.stdout
    assert file.read_text(encoding="utf-8") == text


def test_the_diff_changes_nothing(project: Path) -> None:
    file = project / "server.py"
    text = HEAD + '    return {"error": path}\n'
    file.write_text(text, encoding="utf-8")
    result = run(project, "--add-ignore", "old", "--diff")
    assert result.return_value == 1
    assert '+    return {"error": path}  # errlint: ignore[ERR101] old\n' in result.stdout
    assert "1 to be suppressed in 1 file." in result.stderr
    assert file.read_text(encoding="utf-8") == text


def test_undo_takes_suppressions_back(project: Path) -> None:
    file = project / "server.py"
    text = HEAD + '    return {"error": path}\n'
    file.write_text(text, encoding="utf-8")
    run(project, "--add-ignore", "old")
    assert file.read_text(encoding="utf-8") != text
    CliRunner().invoke(cli, ["undo"], standalone_mode=False)
    assert file.read_text(encoding="utf-8") == text


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        pytest.param(("--add-ignore", " "), "the reason is empty", id="an empty reason"),
        pytest.param(("--add-ignore", "one\ntwo"), "one line without `#`", id="a reason of two lines"),
        pytest.param(("--add-ignore", "one # two"), "one line without `#`", id="a reason with another comment"),
        pytest.param(("--add-ignore", "old", "--fix"), "goes with no fix", id="together with a fix"),
    ],
)
def test_refused_is(project: Path, arguments: tuple[str, ...], message: str) -> None:
    result = run(project, *arguments)
    assert isinstance(result.exception, ErrlintError)
    assert message in str(result.exception)


@pytest.mark.skipif(sys.version_info < (3, 12), reason="a hole of an f-string may have lines of its own from 3.12 on")
def test_a_line_inside_of_a_hole_takes_no_comment(project: Path) -> None:
    file = project / "server.py"
    body = '    return f"Error: {\n        path\n    }"\n'
    file.write_text(HEAD + body, encoding="utf-8")
    run(project, "--add-ignore", "old")
    assert file.read_text(encoding="utf-8") == HEAD + body[:-1] + "  # errlint: ignore[ERR103] old\n"
