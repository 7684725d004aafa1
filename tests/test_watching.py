"""``errlint check --watch`` as a person sees it: a process of its own, of which lines are read until they come."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from command_line import Run

pytest.importorskip("watchfiles", reason="to watch files is an extra")

SERVER = """\
@mcp.tool()
def find(key):
    return {"error": "no key"}
"""
MORE = """

@mcp.tool()
def more(key):
    return {"error": "none"}
"""
PATIENCE = 60


class Terminal:
    """A check that is watching: what it prints, line by line."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        self.process = process

    def until(self, text: str) -> list[str]:
        """Return the lines up to the first one with a text in it."""
        assert self.process.stdout is not None
        lines: list[str] = []
        for line in self.process.stdout:
            lines.append(line.decode().rstrip())
            if text in lines[-1]:
                return lines
        pytest.fail(f"it ended without `{text}`: {lines}")


def _heed_ctrl_c() -> None:
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # a suite in the background of a shell ignores it


@contextmanager
def watching(folder: Path, *options: str) -> Iterator[Terminal]:
    command = [sys.executable, "-m", "errlint", "check", "--watch", "--output-format", "concise", *options]
    process = subprocess.Popen(
        command,
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        preexec_fn=None if sys.platform == "win32" else _heed_ctrl_c,
    )
    timer = threading.Timer(PATIENCE, process.kill)
    timer.start()
    try:
        yield Terminal(process)
    finally:
        timer.cancel()
        process.kill()
        process.communicate()


@pytest.fixture
def project(tmp_path: Path) -> Path:
    root = tmp_path.resolve() / "project"
    root.mkdir()
    (root / "pyproject.toml").write_text('[project]\nname = "example"\n', encoding="utf-8")
    (root / "server.py").write_text(SERVER, encoding="utf-8")
    return root


def test_a_change_is_checked_and_one_line_says_what_it_changed(project: Path) -> None:
    with watching(project) as terminal:
        first = terminal.until("Watching")
        assert "server.py:3:5: ERR101" in first[0]
        assert first[-1] == f"Watching {project} (Ctrl-C ends)."
        (project / "server.py").write_text(SERVER + MORE, encoding="utf-8")
        second = terminal.until("Watching")
        assert ["server.py:3:5" in second[0], "server.py:8:5" in second[1]] == [True, True]
        assert second[-1] == f"server.py changed. 1 new, 0 gone. Watching {project} (Ctrl-C ends)."
        (project / "server.py").write_text("", encoding="utf-8")
        assert terminal.until("Watching")[-1].startswith("server.py changed. 0 new, 2 gone.")


def test_a_new_file_and_one_that_is_gone_are_changes(project: Path) -> None:
    with watching(project, "--quiet") as terminal:
        terminal.until("Watching")
        (project / "other.py").write_text(SERVER, encoding="utf-8")
        assert terminal.until("Watching")[-1].startswith("other.py changed. 1 new, 0 gone.")
        (project / "other.py").unlink()
        assert terminal.until("Watching")[-1].startswith("other.py changed. 0 new, 1 gone.")


def test_a_broken_configuration_is_told_and_mended(project: Path) -> None:
    with watching(project, "--quiet") as terminal:
        terminal.until("Watching")
        (project / "errlint.toml").write_text('slect = ["ERR101"]\n', encoding="utf-8")
        told = terminal.until("Watching")
        assert "errlint.toml:1:1" in told[0]
        assert "select" in told[0]
        (project / "errlint.toml").write_text('ignore = ["ERR101"]\n', encoding="utf-8")
        assert terminal.until("Watching")[-1].startswith("errlint.toml changed. 0 new, 1 gone.")


def test_it_begins_with_a_broken_configuration_and_waits_for_a_better_one(project: Path) -> None:
    (project / "errlint.toml").write_text("=", encoding="utf-8")
    (project / "part").mkdir()
    with watching(project / "part", "--quiet") as terminal:
        assert "errlint.toml:1" in terminal.until("Watching")[0]
        (project / "errlint.toml").write_text("", encoding="utf-8")
        lines = terminal.until("Watching")
        assert "server.py:3:5: ERR101" in lines[0]
        assert lines[-1] == f"errlint.toml changed. Watching {project} (Ctrl-C ends)."


def test_what_it_writes_itself_is_no_change(project: Path) -> None:
    with watching(project, "--output-format", "markdown=report.md") as terminal:
        terminal.until("Watching")
        (project / "server.py").write_text("", encoding="utf-8")
        assert terminal.until("Watching")[-1].startswith("server.py changed. 0 new, 1 gone.")
        assert (project / "report.md").exists()
        (project / "other.py").write_text(SERVER, encoding="utf-8")
        assert terminal.until("Watching")[-1].startswith("other.py changed. ")


@pytest.mark.skipif(sys.platform == "win32", reason="has no such signal for one process")
def test_ctrl_c_ends_it_as_it_ends_every_command(project: Path) -> None:
    with watching(project) as terminal:
        terminal.until("Watching")
        terminal.process.send_signal(signal.SIGINT)
        assert terminal.process.stdout is not None
        assert (terminal.process.stdout.read(), terminal.process.wait(PATIENCE)) == (b"\n", 130)


@pytest.mark.skipif(sys.platform == "win32", reason="has no terminals of this kind")
def test_only_a_terminal_is_cleared(project: Path) -> None:
    import pty

    ours, theirs = pty.openpty()
    command = [sys.executable, "-m", "errlint", "check", "--watch", "--quiet"]
    process = subprocess.Popen(command, cwd=project, stdout=theirs, stderr=subprocess.PIPE)
    timer = threading.Timer(PATIENCE, process.kill)
    timer.start()
    try:
        assert process.stderr is not None
        assert b"Watching" in process.stderr.readline()
        assert os.read(ours, 100_000).startswith(b"\x1b[2J")
    finally:
        timer.cancel()
        process.kill()
        process.communicate()
        os.close(ours)
        os.close(theirs)


@pytest.mark.parametrize(
    "option", ["--fix", "--diff", "--show-fixes", "--show-files", "--show-settings", "--add-ignore=why", "-"]
)
def test_it_only_reports(errlint: Run, option: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", open(os.devnull))  # noqa: SIM115, PTH123 -- as a process has it
    done = errlint("check", "--watch", option)
    assert (done.status, "--watch only reports findings" in done.err) == (2, True)


def test_an_option_that_is_wrong_ends_it_at_once(errlint: Run) -> None:
    done = errlint("check", "--watch", "--select", "ERR999")
    assert (done.status, "ERR999" in done.err) == (2, True)


def test_a_missing_extra_is_told_in_one_line(errlint: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "errlint.watching", raising=False)
    monkeypatch.setitem(sys.modules, "watchfiles", None)
    done = errlint("check", "--watch")
    assert done.err == "errlint: error: --watch needs watchfiles (pip install 'errlint[watch]')\n"
    assert done.status == 2
