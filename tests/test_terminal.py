"""What people see on a terminal: findings by file, within its width, with links and colours where it has them."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from io import StringIO
from pathlib import Path

import pytest
from test_report import COUNTED, ROOT, finding, report
from test_security_terminals import CONTROLLED, hostile  # noqa: F401 - a fixture

from errlint.characters import harmless
from errlint.findings import Related, Severity, Span
from errlint.report import Format, Report, coloured, render, statistics
from errlint.terminal import LEAST_WIDTH, Terminal, terminal_of

PLAIN = Terminal(width=60, colour=False, links=False)
RICH = Terminal(width=60, colour=True, links=True)
SOURCE = 'def read(path):\n    return {"error": "no file", "path": path, "hint": "look for it in another folder"}\n'
FIRST = finding(span=(2, 5, 2, 90), message="the adapter `read` returns an error payload (`error`); raise an exception")
SECOND = finding(
    path="src/b.py",
    span=(2, 5, 2, 11),
    code="ERR102",
    severity=Severity.WARNING,
    message="`failed` builds it",
    related=(Related("src/errors.py", Span(10, 1, 10, 20), "`failed` builds the payload here, in another file"),),
)


def on(terminal: Terminal, *findings: object, source: str = SOURCE) -> Report:
    return report(*findings, source=source)._replace(terminal=terminal, colour=terminal.colour)  # type: ignore[arg-type]


class Screen(StringIO):
    def isatty(self) -> bool:
        return True


def test_findings_stand_below_their_file_in_lines_that_fit() -> None:
    assert render(Format.FULL, on(PLAIN, FIRST, FIRST, SECOND)) == (
        "src/a.py  2 errors\n"
        + (
            "  src/a.py:2:5  ERR101 hand-built-error-return\n"
            "    the adapter `read` returns an error payload (`error`);\n"
            "    raise an exception\n"
            '     2 |     return {"error": "no file", "path": path, "h…\n'
            "       |     ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^\n"
            "\n"
        )
        * 2
        + "src/b.py  1 warning\n"
        "  src/b.py:2:5  ERR102 error-factory-return [warning]\n"
        "    `failed` builds it\n"
        '     2 |     return {"error": "no file", "path": path, "h…\n'
        "       |     ^^^^^^\n"
        "    note: src/errors.py:10:1: `failed` builds the payload\n"
        "    here, in another file\n"
        "\n"
    )


@pytest.mark.parametrize("width", [LEAST_WIDTH, 80, 140, 300])
@pytest.mark.parametrize("source", [SOURCE, "\n" + "return [" + "1, " * 500 + "]\n", "\nreturn {\n'a': 1,\n}\n"])
def test_no_line_is_wider_than_the_terminal(width: int, source: str) -> None:
    long = finding(path="src/" + "a/" * 90 + "b.py", span=(2, 1, 4, 2), message="word " * 90 + "x" * 400)
    text = render(Format.FULL, on(Terminal(width, colour=False, links=False), long, SECOND, source=source))
    assert max(map(len, text.splitlines())) <= width
    assert "x" * 20 in text


def test_a_terminal_with_links_gets_them_to_files_and_pages_of_rules() -> None:
    text = render(Format.FULL, on(RICH, FIRST, SECOND))
    links = set(re.findall(r"\x1b\]8;id=\d+;([^\x1b]+)\x1b\\", text))
    assert links == {
        (ROOT / "src/a.py").as_uri(),
        (ROOT / "src/b.py").as_uri(),
        (ROOT / "src/errors.py").as_uri(),
        "https://github.com/errlint/errlint/blob/main/rules/ERR101-hand-built-error-return.md",
        "https://github.com/errlint/errlint/blob/main/rules/ERR102-error-factory-return.md",
    }
    assert harmless(text, links=True) == text
    assert "\x1b]" not in harmless(text)


def test_colours_tell_severities() -> None:
    text = render(Format.FULL, on(RICH._replace(links=False), FIRST, SECOND))
    assert "\x1b[1;31mERR101\x1b[0m" in text
    assert "\x1b[1;33mERR102\x1b[0m" in text
    assert harmless(text) == text
    assert (
        coloured("Found 1 error, 2 infos in 2 files.")
        == "Found \x1b[1;31m1 error\x1b[0m, \x1b[1;36m2 infos\x1b[0m in 2 files."
    )


@pytest.mark.parametrize("terminal", [PLAIN, RICH])
def test_what_the_code_says_is_shown_as_it_is_and_steers_nothing(terminal: Terminal) -> None:
    text = "[red]x[/red] [link=http://x]:boom: \x1b]8;;http://x\x1b\\ \x1b[31m \u202e"
    bad = finding(
        path="a[bold]\x1b[2J.py", span=(1, 1, 1, 3), message=text, related=(Related("[/]\x07", Span(1, 1, 1, 2), text),)
    )
    told = re.sub(
        r"\x1b\]8;(?:id=\d+)?;[!-~]*\x1b\\|\x1b\[[0-9;]*m", "", render(Format.FULL, on(terminal, bad, source=text))
    )
    assert "[red]x[/red]" in told
    assert ":boom:" in told
    assert "a[bold]\\x1b[2J.py" in told
    assert not re.search(r"[\x00-\x09\x0b-\x1f\x7f-\x9f\u202e]", told)


def test_statistics_are_aligned_and_name_the_worst_places() -> None:
    assert statistics(on(PLAIN, *COUNTED, SECOND), Format.FULL) == (
        "Findings  Rule                             Severity\n"
        "       3  ERR101  hand-built-error-return  error   \n"
        "       2  ERR102  error-factory-return     error   \n"
        "       2  ERR103  error-string-return      error   \n"
        "       1  ERR904  syntax-error             error   \n"
        "\n"
        "Functions with most findings\n"
        "       7  read  src/a.py\n"
        "       1  read  src/b.py\n"
        "\n"
        "Factories with most uses\n"
        "       1  failed  src/errors.py:10\n"
        "\n"
    )


@pytest.mark.parametrize(
    ("environment", "expected"),
    [
        pytest.param({"TERM": "xterm-256color"}, (True, True), id="a usual terminal"),
        pytest.param({}, (True, True), id="Windows"),
        pytest.param({"TERM": "dumb"}, None, id="a dumb one"),
        pytest.param({"TERM": "xterm", "CI": "true"}, None, id="the log of a CI job"),
        pytest.param({"TERM": "linux"}, (True, False), id="a console without links"),
        pytest.param({"TERM": "screen-256color", "TMUX": "/tmp/x"}, (True, True), id="tmux"),
        pytest.param({"TERM": "screen-256color"}, (True, False), id="screen"),
        pytest.param({"TERM": "xterm", "TERM_PROGRAM": "Apple_Terminal"}, (True, False), id="macOS"),
        pytest.param({"TERM": "xterm", "FORCE_HYPERLINK": "0"}, (True, False), id="links are not wanted"),
        pytest.param({"TERM": "linux", "FORCE_HYPERLINK": "1"}, (True, True), id="links are wanted"),
    ],
)
def test_what_a_terminal_can_show(environment: dict[str, str], expected: tuple[bool, bool] | None) -> None:
    found = terminal_of(Screen(), colour=True, environment=environment)
    assert (found and (found.colour, found.links)) == expected
    assert terminal_of(StringIO(), colour=True, environment=environment) is None
    without = terminal_of(Screen(), colour=False, environment=environment)
    assert without is None or not without.links


IMPORTED = """
import sys
from errlint.cli import main
try:
    main(sys.argv[1:])
except SystemExit:
    pass
sys.stderr.write(" ".join(sorted({name.partition(".")[0] for name in sys.modules} & {"rich", "pygments"})))
"""


@pytest.mark.parametrize("arguments", [(), ("--statistics",), ("--output-format", "concise"), ("rule", "ERR101")])
def test_rich_is_not_imported_where_no_terminal_is_written_to(tmp_path: Path, arguments: tuple[str, ...]) -> None:
    (tmp_path / "a.py").write_text("def f(:\n", "utf-8")
    done = subprocess.run(
        [sys.executable, "-c", IMPORTED, *arguments], cwd=tmp_path, capture_output=True, text=True, check=True,
        env={**os.environ, "FORCE_COLOR": "1"},
    )  # fmt: skip
    assert done.stdout
    assert "rich" not in done.stderr
    assert "pygments" not in done.stderr


def on_screen(root: Path, *arguments: str, **environment: str) -> bytes:
    """Return what a terminal of 70 columns gets."""
    pty = pytest.importorskip("pty", reason="there are no pseudo-terminals here")
    child, ours = pty.fork()
    if not child:
        try:
            os.chdir(root)
            given = {**CONTROLLED, "TERM": "xterm", "COLUMNS": "70", "NO_COLOR": "", **environment}
            os.execve(sys.executable, [sys.executable, "-m", "errlint", *arguments], given)
        finally:
            os._exit(127)
    shown = b""
    try:
        while read := os.read(ours, 65536):
            shown += read
    except OSError:  # Linux says so where the other end is closed
        pass
    os.close(ours)
    os.waitpid(child, 0)
    return re.sub(rb"(?:\r\x1b\[K[A-Z][a-z]+ [^\r\n]*)+\r\x1b\[K", b"", shown.replace(b"\r\n", b"\n"))


LINK = rb"\x1b\]8;(?:id=\d+)?;(?:(?:https://github\.com/errlint/|file:///)[!-~]+)?\x1b\\"


def test_hostile_code_reaches_a_terminal_as_escapes(hostile: Path) -> None:  # noqa: F811
    for arguments in (("--no-cache",), ("--no-cache", "--statistics")):
        left = re.sub(LINK + rb"|\x1b\[(?:0|1|1;3[1346])m", b"", on_screen(hostile, *arguments))
        assert b"ERR" in left
        assert not re.search(rb"[\x00-\x09\x0b-\x1f\x7f]|\xe2\x80[\xaa-\xae]|\xc2[\x80-\x9f]", left)


def test_a_rule_is_rendered_on_a_terminal(tmp_path: Path) -> None:
    shown = on_screen(tmp_path, "rule", "ERR102")
    assert b"ERR102" in shown
    assert b"```python" not in shown
    assert b"\x1b[" in shown
    raw = on_screen(tmp_path, "rule", "ERR102", "--output-format", "markdown")
    assert b"```python\n" in raw
    assert b"\x1b[" not in raw


def test_colour_can_be_declined(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("def f(:\n", "utf-8")
    assert b"\x1b" in on_screen(tmp_path, "--no-cache")
    for environment in ({"NO_COLOR": "1"}, {"FORCE_COLOR": "0"}, {"TERM": "dumb"}):
        assert b"\x1b" not in on_screen(tmp_path, "--no-cache", **environment)
    assert on_screen(tmp_path, "--no-cache", TERM="dumb").startswith(b"a.py:1:")
