"""What shells are told that complete a command line: by the real protocol, and by a real shell where there is one."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from command_line import caller


def completed(words: str) -> list[str]:
    """Return what bash would offer for the last of some words."""
    done = subprocess.run(
        [sys.executable, "-c", "from errlint.cli import main; main()"],
        env={
            **os.environ,
            "_ERRLINT_COMPLETE": "bash_complete",
            "COMP_WORDS": words,
            "COMP_CWORD": str(len(words.split(" ")) - 1),
        },
        capture_output=True,
        text=True,
        check=False,
    )
    return [line.partition(",")[2] for line in done.stdout.splitlines()]


@pytest.mark.parametrize(
    ("words", "offered"),
    [
        ("errlint check --select ERR10", "ERR101"),
        ("errlint check --select ERR101,err11", "ERR101,ERR110"),
        ("errlint check --output-format git", "gitlab"),
        ("errlint rule ERR50", "ERR501"),
        ("errlint bas", "baseline"),
        ("errlint ser", "server"),
        ("errlint baseline pr", "prune"),
        ("errlint check --unsafe", "--unsafe-fixes"),
        ("errlint check --wat", "--watch"),
    ],
)
def test_words_are_completed(words: str, offered: str) -> None:
    assert offered in completed(words)


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_each_shell_gets_a_script(shell: str, capsys: pytest.CaptureFixture[str]) -> None:
    done = caller(capsys)("completion", shell)
    assert (done.status, "_ERRLINT_COMPLETE" in done.out) == (0, True)


def test_a_real_bash_takes_the_script(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    bash = shutil.which("bash")
    if bash is None:
        pytest.skip("there is no bash")
    script = tmp_path / "completion"
    script.write_text(caller(capsys)("completion", "bash").out, encoding="utf-8")
    command = f". {script} && complete -p errlint"
    done = subprocess.run([bash, "--norc", "-c", command], capture_output=True, text=True, check=False)
    assert (done.returncode, "errlint" in done.stdout) == (0, True), done.stderr


def test_an_unknown_shell_is_a_wrong_word(capsys: pytest.CaptureFixture[str]) -> None:
    done = caller(capsys)("completion", "tcsh")
    assert (done.status, "tcsh" in done.err) == (2, True)
