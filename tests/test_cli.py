"""The command line as its users see it: standard output, standard error and exit status."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest

import errlint.run
from errlint import __version__
from errlint.cli import main
from errlint.progress import Progress
from errlint.rules import RULES

FINDING = """\
from fastmcp import FastMCP

mcp = FastMCP("files")


@mcp.tool()
def read(path: str) -> dict[str, str]:
    if not path:
        return {"error": "no path given"}
    return {"path": path}
"""
CLEAN = FINDING.replace('return {"error": "no path given"}', 'raise ValueError("no path given")')
PLACE = "server.py:9:9"

ENVIRONMENT = {**os.environ, "PYTHONPATH": str(Path(errlint.run.__file__).parents[1]), "NO_COLOR": "1"}
"""For processes of their own: the package under test, whatever is installed."""


class Done(NamedTuple):
    status: int
    out: str
    err: str


Run = Callable[..., Done]


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """Runs a command line in the folder ``tmp_path``, or one below it."""
    for name in ("NO_COLOR", "FORCE_COLOR", "ERRLINT_CACHE_DIR", "ERRLINT_BACKTRACE"):
        monkeypatch.delenv(name, raising=False)

    def run(*arguments: str, cwd: str = "", stdin: bytes = b"") -> Done:
        monkeypatch.chdir(tmp_path / cwd)
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin)))
        with pytest.raises(SystemExit) as ended:
            main(arguments)
        told = capsys.readouterr()
        assert isinstance(ended.value.code, int)
        return Done(ended.value.code, told.out, told.err)

    return run


@pytest.fixture
def project(tmp_path: Path) -> Callable[..., None]:
    """Writes files into ``tmp_path``."""

    def write(**files: str) -> None:
        for name, text in {"errlint.toml": "", **files}.items():
            path = tmp_path / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")

    return write


Write = Callable[..., None]


# What is a command, what is a path


@pytest.mark.parametrize(
    "arguments",
    [
        pytest.param([], id="nothing at all checks the project"),
        pytest.param(["check"], id="check checks the project"),
        pytest.param(["src"], id="a folder is checked"),
        pytest.param(["check", "src"], id="a folder is checked by check"),
        pytest.param(["src/server.py"], id="a file is checked"),
        pytest.param(["--select", "ERR101"], id="options alone check the project"),
        pytest.param(["src", "--select=ERR101"], id="options stand behind paths too"),
        pytest.param(["--", "src"], id="two dashes end the options"),
    ],
)
def test_checking_is_the_default_command(run: Run, project: Write, arguments: list[str]) -> None:
    project(**{"src/server.py": FINDING})
    done = run(*arguments)
    assert (done.status, done.err) == (1, "")
    assert f"src/{PLACE}" in done.out
    assert "ERR101" in done.out


def test_a_name_that_is_a_command_is_the_command_and_with_a_dot_it_is_a_path(run: Run, project: Write) -> None:
    project(**{"rule/server.py": FINDING})
    assert "name one rule" in run("rule").err
    assert f"rule/{PLACE}" in run("./rule").out


def test_python_runs_the_package(project: Write, tmp_path: Path) -> None:
    project(**{"server.py": FINDING})
    done = subprocess.run(
        [sys.executable, "-m", "errlint", "-q", "--output-format", "concise"],
        cwd=tmp_path,
        env=ENVIRONMENT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1
    assert done.stdout.startswith(f"{PLACE}: ")


def test_the_version_is_told(run: Run) -> None:
    assert run("--version") == (0, f"errlint {__version__}\n", "")


@pytest.mark.parametrize("arguments", [["-h"], ["--help"], ["check", "-h"], ["rule", "--help"], ["explain", "-h"]])
def test_help_is_told(run: Run, arguments: list[str]) -> None:
    done = run(*arguments)
    assert (done.status, done.err) == (0, "")
    assert done.out.startswith("Usage: errlint ")


# Exit status


@pytest.mark.parametrize(
    ("files", "arguments", "status"),
    [
        pytest.param({"server.py": CLEAN}, [], 0, id="0 when nothing is found"),
        pytest.param({"server.py": FINDING}, [], 1, id="1 when an error is found"),
        pytest.param(
            {"server.py": FINDING, "errlint.toml": "[severity]\nERR101 = 'warning'"},
            [],
            1,
            id="1 for a warning",
        ),
        pytest.param({"server.py": FINDING, "errlint.toml": "[severity]\nERR101 = 'info'"}, [], 0, id="0 for an info"),
        pytest.param({"server.py": FINDING}, ["--exit-zero"], 0, id="0 when so asked"),
        pytest.param({"server.py": FINDING}, ["--ignore", "ERR1"], 0, id="0 when the rule is ignored"),
        pytest.param(
            {"server.py": FINDING},
            ["--per-file-ignores", "server.py:ERR101"],
            0,
            id="0 when it is ignored there",
        ),
        pytest.param({"server.py": "def f(:\n"}, ["--select", "ERR101"], 1, id="1 for a file that cannot be parsed"),
        pytest.param({}, [], 0, id="0 when there is no file"),
    ],
)
def test_exit_status(run: Run, project: Write, files: dict[str, str], arguments: list[str], status: int) -> None:
    project(**files)
    assert run(*arguments).status == status


@pytest.mark.parametrize(
    ("settings", "found"),
    [
        pytest.param("", {"a/x.py": "error", "b/y.py": "error"}, id="the severity of the rule"),
        pytest.param(
            "[severity]\nERR1 = 'warning'",
            {"a/x.py": "warning", "b/y.py": "warning"},
            id="a configured severity",
        ),
        pytest.param(
            "[severity]\nERR1 = 'warning'\n[[overrides]]\npaths = ['a']\nseverity = { ERR101 = 'info' }",
            {"a/x.py": "info", "b/y.py": "warning"},
            id="a severity of some paths",
        ),
        pytest.param(
            "[[overrides]]\npaths = ['a']\nseverity = { ERR1 = 'info' }\n"
            "[[overrides]]\npaths = ['*.py']\nseverity = { ERR101 = 'warning' }",
            {"a/x.py": "warning", "b/y.py": "warning"},
            id="the last override that matches",
        ),
        pytest.param("[per-file-ignores]\n'a/' = ['ERR1']", {"b/y.py": "error"}, id="a rule ignored in a folder"),
        pytest.param(
            "[per-file-ignores]\n'x.py' = ['ERR9']\n'*.py' = ['ERR103']\n'/b/**' = ['ERR101']",
            {"a/x.py": "error"},
            id="all globs that match",
        ),
        pytest.param("include = ['b']", {"b/y.py": "error"}, id="what is reported"),
        pytest.param("tests = ['b']", {"a/x.py": "error"}, id="what is a test"),
        pytest.param("[[overrides]]\npaths = ['b']\nstyle = 'log'", {"a/x.py": "error"}, id="a style of some paths"),
    ],
)
def test_settings_of_paths(run: Run, project: Write, settings: str, found: dict[str, str]) -> None:
    project(**{"errlint.toml": settings, "a/x.py": FINDING, "b/y.py": FINDING})
    told = json.loads(run("--output-format", "json").out)
    assert {str(Path(each["filename"]).relative_to(Path.cwd())): each["severity"] for each in told} == found


@pytest.mark.parametrize("arguments", [[], ["--exit-zero"]])
def test_exit_status_is_2_when_a_rule_failed(
    run: Run, project: Write, monkeypatch: pytest.MonkeyPatch, arguments: list[str]
) -> None:
    project()
    outcome = errlint.run.RunOutcome(findings=(), files=(), internal_errors=1)
    monkeypatch.setattr(errlint.run, "check", lambda *_, **__: outcome)
    assert run(*arguments).status == 2


# Errors


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        pytest.param(["nowhere"], "nowhere: no such file or folder", id="a path that does not exist"),
        pytest.param(
            ["server.py", "src/sever.py"],
            "src/sever.py: no such file or folder (did you mean `src/server.py`?)",
            id="a path with a typo",
        ),
        pytest.param(
            ["chekc", "src"],
            "chekc: no such file or folder (did you mean `check`?)",
            id="a command with a typo",
        ),
        pytest.param(["--slect", "ERR1"], "No such option", id="an option that does not exist"),
        pytest.param(["rule", "--al"], "(see `errlint rule --help`)", id="an option that a subcommand does not have"),
        pytest.param(["--jobs", "-1"], "Invalid value for '-j' / '--jobs'", id="a value out of range"),
        pytest.param(
            ["--select", "ERR101,ERR10l"],
            "--select: unknown rule `ERR10l` (did you mean `ERR10",
            id="an unknown rule",
        ),
        pytest.param(["--per-file-ignores", "ERR101"], "--per-file-ignores: `ERR101` is no pair", id="no pair"),
        pytest.param(
            ["--output-format", "sarfi"],
            "--output-format: unknown format `sarfi` (did you mean `sarif`?)",
            id="an unknown format",
        ),
        pytest.param(
            ["--output-format", "full", "--output-format", "json"],
            "--output-format: two formats for the standard output (write json=FILE)",
            id="two formats on the standard output",
        ),
        pytest.param(
            ["--output-format", "json="],
            "--output-format: `json=` names no file",
            id="a format without its file",
        ),
        pytest.param(
            ["--output-format", "json=nowhere/x"],
            "the folder does not exist",
            id="a report into a missing folder",
        ),
        pytest.param(["--output-format", "json=src"], "this is a folder", id="a report into a folder"),
        pytest.param(
            ["--isolated", "--config", "x"],
            "--config and --isolated do not go together",
            id="contradictory options",
        ),
        pytest.param(["--config", "nowhere.toml"], "no such file", id="a missing configuration"),
        pytest.param(["-", "src"], "`-` goes with no other path", id="the standard input beside a path"),
        pytest.param(
            ["--stdin-filename", "x.py"],
            "--stdin-filename is for the standard input",
            id="a name without the input",
        ),
        pytest.param(["rule"], "name one rule, or --all of them", id="no rule named"),
        pytest.param(["rule", "--all", "ERR101"], "name one rule, or --all of them", id="a rule and all rules"),
        pytest.param(
            ["rule", "ERR10l"],
            "there is no rule 'ERR10l' (did you mean",
            id="a rule that does not exist",
        ),
        pytest.param(
            ["explain", "src/server.py"],
            "`src/server.py` is no place in a file (write PATH:LINE)",
            id="no line",
        ),
        pytest.param(["explain", "nowhere.py:3"], "nowhere.py: no such file or folder", id="a line of a missing file"),
    ],
)
def test_an_error_is_one_line_and_nothing_runs(run: Run, project: Write, arguments: list[str], told: str) -> None:
    project(**{"server.py": FINDING, "src/server.py": FINDING})
    done = run(*arguments)
    assert (done.status, done.out) == (2, "")
    assert done.err.startswith("errlint: error: ")
    assert told in done.err
    assert done.err.count("\n") == 1


def test_a_configuration_error_is_told_with_its_place(run: Run, project: Write, tmp_path: Path) -> None:
    project(**{"errlint.toml": "\nselct = []", "server.py": FINDING})
    place = f"{tmp_path / 'errlint.toml'}:2:1"
    assert run() == (2, "", f"errlint: error: {place}: unknown key `selct` (did you mean `select`?)\n")


def raising(error: BaseException) -> Callable[..., Any]:
    def check(*_: object, **__: object) -> None:
        raise error

    return check


def test_an_unexpected_exception_is_told_as_a_bug(run: Run, project: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    project()
    monkeypatch.setattr(errlint.run, "check", raising(KeyError("x")))
    done = run()
    assert (done.status, done.out) == (2, "")
    assert done.err.startswith("errlint: error: KeyError: 'x' (this is a bug in errlint, please report it at https://")
    assert done.err.endswith("ERRLINT_BACKTRACE=1 shows the traceback)\n")
    assert "Traceback" not in done.err


def test_the_traceback_of_an_unexpected_exception_is_shown_when_asked_for(
    run: Run, project: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    project()
    monkeypatch.setattr(errlint.run, "check", raising(KeyError("x")))
    monkeypatch.setenv("ERRLINT_BACKTRACE", "1")
    done = run()
    assert done.status == 2
    assert done.err.startswith("Traceback (most recent call last):")


def test_an_interrupt_ends_the_run_quietly(run: Run, project: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    project()
    monkeypatch.setattr(errlint.run, "check", raising(KeyboardInterrupt()))
    done = run()
    assert (done.status, done.out, done.err.strip()) == (130, "", "")


def test_a_reader_that_goes_away_is_no_error(project: Write, tmp_path: Path) -> None:
    project()
    process = subprocess.Popen(
        [sys.executable, "-m", "errlint", "-"],
        cwd=tmp_path,
        env=ENVIRONMENT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert process.stdin and process.stdout and process.stderr
    process.stdout.close()  # before there is anything to read: errlint still waits for its input
    process.stdin.write(FINDING.encode())
    process.stdin.close()
    assert (process.stderr.read(), process.wait()) == (b"", 1)
    process.stderr.close()


# Output


def test_the_summary_stands_below_the_findings(run: Run, project: Write) -> None:
    project(**{"server.py": FINDING})
    assert run("--output-format", "concise").out.splitlines()[-1] == "Found 1 error in 1 file (1 file checked)."
    assert run("--output-format", "full").out.splitlines()[-1] == "Found 1 error in 1 file (1 file checked)."


def test_quiet_prints_the_findings_only(run: Run, project: Write) -> None:
    project(**{"server.py": FINDING, "clean.py": CLEAN})
    lines = run("-q", "--output-format", "concise").out.splitlines()
    assert [line.partition(": ")[0] for line in lines] == [PLACE]
    assert run("-q", "clean.py") == (0, "", "")


def test_reports_for_programs_have_no_summary(run: Run, project: Write) -> None:
    project(**{"server.py": FINDING})
    assert [found["code"] for found in json.loads(run("--output-format", "json").out)] == ["ERR101"]
    assert [json.loads(line)["code"] for line in run("--output-format", "jsonl").out.splitlines()] == ["ERR101"]
    assert run("--output-format", "github").out.startswith("::error ")
    assert json.loads(run("--output-format", "sarif").out)["version"] == "2.1.0"


def test_several_reports_are_written_in_one_run(run: Run, project: Write, tmp_path: Path) -> None:
    project(**{"server.py": FINDING, "old.json": "an older report"})
    (tmp_path / "old.json").chmod(0o640)
    done = run("--output-format", "json=old.json", "--output-format", "concise", "--output-format", "sarif=new.sarif")
    assert done.out.startswith(f"{PLACE}: ")
    assert [found["code"] for found in json.loads((tmp_path / "old.json").read_text())] == ["ERR101"]
    assert (tmp_path / "old.json").stat().st_mode & 0o777 == 0o640
    assert json.loads((tmp_path / "new.sarif").read_text())["version"] == "2.1.0"
    assert sorted(path.name for path in tmp_path.iterdir() if path.suffix == ".tmp") == []


def test_with_all_reports_in_files_the_summary_is_printed(run: Run, project: Write) -> None:
    project(**{"server.py": FINDING})
    assert run("--output-format", "json=x.json").out == "Found 1 error in 1 file (1 file checked).\n"


def test_a_name_that_is_not_utf_8_is_printed_with_escapes(run: Run, project: Write, tmp_path: Path) -> None:
    project()
    try:
        (tmp_path / os.fsdecode(b"caf\xe9.py")).write_text(FINDING, encoding="utf-8")
    except (OSError, UnicodeError):
        pytest.skip("this file system has no such names")
    done = run("--output-format", "concise", "--output-format", "json=found.json")
    assert done.out.startswith(r"caf\udce9.py:9:9: ")
    assert json.loads((tmp_path / "found.json").read_text(encoding="utf-8"))[0]["code"] == "ERR101"


def test_a_report_is_written_to_what_is_no_file(run: Run, project: Write) -> None:
    project(**{"server.py": FINDING})
    assert run("--output-format", f"json={os.devnull}").status == 1
    assert not Path(os.devnull).is_file()


def test_statistics_stand_for_the_findings(run: Run, project: Write) -> None:
    project(**{"server.py": FINDING, "other.py": FINDING})
    assert run("--statistics", "-q").out == "2\tERR101\thand-built-error-return\n"


def test_timings_go_to_the_standard_error(run: Run, project: Write) -> None:
    project(**{"server.py": FINDING})
    done = run("--timings", "-q", "--output-format", "json")
    assert json.loads(done.out)
    stages = [line.split()[0] for line in done.err.splitlines()]
    assert stages[-1] == "total"
    assert len(stages) > 3


@pytest.mark.parametrize(
    ("environment", "coloured"),
    [
        pytest.param({}, False, id="no colour where the output is no terminal"),
        pytest.param({"FORCE_COLOR": "1"}, True, id="colour is forced"),
        pytest.param({"FORCE_COLOR": "0"}, False, id="colour is not forced by zero"),
        pytest.param({"NO_COLOR": "1", "FORCE_COLOR": "1"}, False, id="no colour wins"),
        pytest.param({"NO_COLOR": "", "FORCE_COLOR": "1"}, True, id="an empty variable is not set"),
    ],
)
def test_colour(
    run: Run, project: Write, monkeypatch: pytest.MonkeyPatch, environment: dict[str, str], coloured: bool
) -> None:
    project(**{"server.py": FINDING})
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    assert ("\x1b[" in run().out) == coloured
    assert "\x1b[" not in run("--output-format", "json").out


# Which files


def test_the_files_that_would_be_checked_are_listed(run: Run, project: Write, tmp_path: Path) -> None:
    project(**{"src/server.py": FINDING, "src/stub.pyi": "", "src/text.txt": "", "venv/x.py": "", "b.py": ""})
    assert run("--show-files") == (0, "b.py\nsrc/server.py\nsrc/stub.pyi\n", "")
    assert run("--show-files", "src") == (0, "src/server.py\nsrc/stub.pyi\n", "")
    assert run("--show-files", cwd="src").out == f"{tmp_path / 'b.py'}\nserver.py\nstub.pyi\n"


@pytest.mark.parametrize(
    ("arguments", "found"),
    [
        pytest.param([], False, id="an excluded file is not checked"),
        pytest.param(["old/server.py"], True, id="a named file is checked although it is excluded"),
        pytest.param(["old"], True, id="so is a named folder"),
        pytest.param(["old", "--force-exclude"], False, id="exclusion of folders can be forced"),
        pytest.param(["old/server.py", "--force-exclude"], False, id="exclusion can be forced"),
        pytest.param(["script"], True, id="a named file is checked whatever its name ends in"),
    ],
)
def test_named_and_excluded_files(run: Run, project: Write, arguments: list[str], found: bool) -> None:
    project(**{"errlint.toml": 'exclude = ["old"]', "old/server.py": FINDING, "script": FINDING})
    assert ("ERR101" in run(*arguments).out) == found


@pytest.mark.parametrize(
    ("arguments", "place"),
    [
        pytest.param(["-", "--stdin-filename", "server.py"], PLACE, id="under the name of a file"),
        pytest.param(["-"], "stdin.py:9:9", id="under a name of its own"),
    ],
)
def test_the_standard_input_is_checked(run: Run, project: Write, arguments: list[str], place: str) -> None:
    project(**{"server.py": CLEAN, "other.py": FINDING})
    done = run(*arguments, stdin=FINDING.encode())
    assert done.status == 1
    assert place in done.out
    assert 'return {"error": "no path given"}' in done.out
    assert "other.py" not in done.out


def test_the_settings_are_shown_with_their_origins(run: Run, project: Write, tmp_path: Path) -> None:
    project(**{"errlint.toml": 'style = "log"'})
    done = run("--show-settings", "--select", "ERR101")
    assert (done.status, done.err) == (0, "")
    assert f'style = "log"  # {tmp_path / "errlint.toml"}:1\n' in done.out
    assert 'select = ["ERR101"]  # command line\n' in done.out


def test_the_cache_folder_can_be_given(
    run: Run, project: Write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    project(**{"server.py": FINDING})
    run("--no-cache")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["errlint.toml", "server.py"]
    run("--cache-dir", "one")
    monkeypatch.setenv("ERRLINT_CACHE_DIR", "two")
    run()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["errlint.toml", "one", "server.py", "two"]


# The other commands


def test_a_rule_is_explained(run: Run) -> None:
    done = run("rule", "ERR101")
    assert (done.status, done.err) == (0, "")
    assert "hand-built-error-return" in done.out


def test_all_rules_are_explained(run: Run) -> None:
    assert [rule["code"] for rule in json.loads(run("rule", "--all", "--output-format", "json").out)] == list(RULES)
    assert all(rule.name in run("rule", "--all").out for rule in RULES.values())


def test_a_line_is_explained(run: Run, project: Write) -> None:
    project(**{"server.py": FINDING})
    done = run("explain", "server.py:9")
    assert (done.status, done.err) == (0, "")
    assert "ERR101" in done.out
    assert run("explain", f"{PLACE}").out == done.out


# Progress


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def shown_after(seconds: float, *told: tuple[str, int, int]) -> list[str]:
    """Return the lines that a terminal shows one after the other while work tells of itself and has lasted so long."""
    terminal, times = Terminal(), iter([0.0, seconds])
    progress = Progress(terminal, lambda: next(times))
    waits: list[float] = []
    left = list(told)

    def wait(asked: float) -> bool:
        waits.append(asked)
        if not left:
            return True
        progress._at = left.pop(0)
        return False

    progress.watch(wait)
    assert waits[0] == pytest.approx(max(0.0, 1.0 - seconds))
    return terminal.getvalue().split("\r\x1b[K")[1:]


def test_a_bar_shows_how_far_the_stages_are_and_is_gone_when_done() -> None:
    assert shown_after(0.2, ("Reading files", 1, 3), ("Linking", 0, 0), ("Linking", 0, 0), ("Checking", 7, 7)) == [
        "Reading files [##########....................]  33%",
        "Linking /",
        "Linking -",
        "Checking [##############################] 100%",
        "",
    ]


def test_a_run_of_less_than_a_second_shows_nothing() -> None:
    assert shown_after(0.0) == []


def test_a_run_tells_of_its_stages_however_few_files_there_are(project: Callable[..., None], tmp_path: Path) -> None:
    from errlint.request import Request
    from errlint.run import check as run
    from errlint.settings import load

    project(**{"a.py": "", "b.py": ""})
    told: list[tuple[str, int, int]] = []
    run(Request(load(tmp_path).settings, use_cache=False), lambda *stage: told.append(stage))
    stages = list(dict.fromkeys(stage for stage, _, _ in told))
    assert stages == ["Finding files", "Reading files", "Linking", "Checking"]
    assert ("Reading files", 2, 2) in told


@pytest.mark.parametrize(("arguments", "shown"), [((), True), (("-q",), False)])
def test_a_bar_is_drawn_on_a_terminal_and_not_in_the_report(
    arguments: tuple[str, ...], shown: bool, project: Callable[..., None], run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    project(**{"a.py": "", "b.py": ""})
    terminal = Terminal()
    told: list[str] = []
    monkeypatch.setattr(sys, "stderr", terminal)
    monkeypatch.setattr(Progress, "__call__", lambda _, stage, done=0, total=0: told.append(stage))
    assert "\r" not in run("check", "--no-cache", *arguments).out
    assert ("Checking" in told) == shown


# Start-up


def test_the_command_line_starts_without_what_only_some_runs_need() -> None:
    costly = [
        "libcst",
        "json",
        "asyncio",
        "multiprocessing",
        "subprocess",
        "markdown_it",
        "difflib",
    ]
    code = (
        "import click, msgspec, sys; before = set(sys.modules); import errlint.cli; "
        f"print([name for name in {costly} if name in sys.modules.keys() - before])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        env=ENVIRONMENT,
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout == "[]\n"


def test_a_name_in_the_settings_that_is_relative_to_nothing_leads_nowhere(run: Run, project: Write) -> None:
    settings = '[exceptions.map]\n".errors.NoSuch" = "errors.AppError"\n'
    project(**{"server.py": FINDING, "errors.py": "class AppError(Exception): ...\n", "errlint.toml": settings})
    done = run("--no-cache", "--output-format", "concise", "-q", "--select", "ERR101")
    assert (done.status, done.err) == (1, "")
