"""``--interactive`` on a real terminal: what is shown, what is asked, and what is written."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest
from test_fix_command import CONFIGURATION, ERRORS, FIXED_SERVER, FIXED_STOCK, SERVER, STOCK

pty = pytest.importorskip("pty", reason="there are no pseudo-terminals here")

QUESTION = b"[y,n,a,q,?]?"


class Done(NamedTuple):
    status: int
    terminal: str
    server: str
    stock: str


Talk = Callable[..., Done]


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / "depot").mkdir()
    files = {"depot/__init__": "", "depot/errors": ERRORS, "depot/server": SERVER, "depot/stock": STOCK}
    for name, text in files.items():
        (tmp_path / f"{name}.py").write_text(text, "utf-8")
    (tmp_path / "errlint.toml").write_text(CONFIGURATION, "utf-8")
    return tmp_path


@pytest.fixture
def talk(root: Path) -> Talk:
    """Return what runs errlint on a terminal and gives an answer to each of its questions."""

    def talk(*answers: str, arguments: tuple[str, ...] = ()) -> Done:
        command = [sys.executable, "-m", "errlint", "--no-cache", "--interactive", *arguments]
        child, ours = pty.fork()  # the terminal is the child's own, so that Ctrl-C reaches it
        if not child:
            try:
                signal.signal(signal.SIGINT, signal.SIG_DFL)  # a suite in the background of a shell ignores it
                os.chdir(root)
                os.execv(command[0], command)
            finally:
                os._exit(127)  # where that fails: the child must not go on as a second run of the tests
        shown, asked, waiting = b"", 0, list(answers)
        while True:
            try:
                read = os.read(ours, 4096)
            except OSError:  # Linux says so where the other end is closed
                break
            if not read:
                break
            shown += read
            while shown.count(QUESTION) > asked:
                asked += 1
                os.write(ours, (waiting.pop(0) if waiting else "q\n").encode())
        status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        os.close(ours)
        assert not waiting, shown.decode()
        assert asked == len(answers), shown.decode()
        texts = ((root / f"depot/{name}.py").read_text("utf-8") for name in ("server", "stock"))
        return Done(status, shown.decode().replace("\r\n", "\n"), *texts)

    return talk


def test_accepted_changes_are_written_and_others_are_left(talk: Talk) -> None:
    done = talk("n\n", "y\n")
    assert (done.server, done.stock, done.status) == (SERVER, FIXED_STOCK, 1)
    assert done.terminal.count("Apply this change") == 2


def test_a_change_is_shown_whole_before_it_is_asked_about(talk: Talk) -> None:
    shown = talk("n\n", "n\n").terminal.partition("Apply this change (1 of 2)")[0]
    assert "depot/server.py:12: ERR101: Raise `DepotError` in `fetch`\n" in shown
    assert "-from depot.errors import answered\n+from depot.errors import DepotError, answered\n" in shown
    assert '+        raise DepotError("no name")  # nothing was asked for\n' in shown
    assert "stock.py" not in shown


def test_all_takes_the_rest_without_asking(talk: Talk) -> None:
    done = talk("a\n")
    assert (done.server, done.stock) == (FIXED_SERVER, FIXED_STOCK)


def test_quit_writes_what_was_accepted_before(talk: Talk) -> None:
    done = talk("yes\n", "quit\n")
    assert (done.server, done.stock) == (FIXED_SERVER, STOCK)


def test_quit_at_once_writes_nothing(talk: Talk) -> None:
    done = talk("q\n")
    assert (done.server, done.stock) == (SERVER, STOCK)


@pytest.mark.parametrize("answer", ["?\n", "\n", "d\n", "perhaps\n"])
def test_any_other_answer_shows_the_help_and_asks_again(talk: Talk, answer: str) -> None:
    done = talk(answer, "q\n")
    assert "q  leave it and all that follow; what was accepted is written\n" in done.terminal
    assert done.terminal.count("Apply this change (1 of 2)") == 2


# The line end wakes up a reader that was about to wait when the signal came: Python looks at signals before and after.
@pytest.mark.parametrize("key", ["\x03\n", "\x04"], ids=["Ctrl-C", "Ctrl-D"])
def test_an_interruption_writes_nothing_at_all(talk: Talk, key: str) -> None:
    done = talk("y\n", key)
    assert (done.server, done.stock, done.status) == (SERVER, STOCK, 130)


def test_all_files_of_a_change_are_shown_together(root: Path, talk: Talk) -> None:
    call = "try:\n        return take(name)\n    except Exception:\n        return {}"
    (root / "depot/server.py").write_text(SERVER.replace("return take(name)", call), "utf-8")
    shown = talk("q\n").terminal.partition("Apply this change")[0]
    assert "--- depot/server.py\n" in shown or "--- depot/stock.py\n" in shown
    done = talk("n\n", "q\n")
    second = done.terminal.partition("(1 of 2)")[2]
    assert "--- depot/server.py\n" in second
    assert "--- depot/stock.py\n" in second


def test_what_was_left_counts_as_fixable(talk: Talk) -> None:
    done = talk("y\n", "n\n", arguments=("--fix-only",))
    assert done.terminal.endswith("1 fixed in 1 file, 1 fixable, 1 hidden (use --unsafe-fixes), 1 refused.\n")
    assert done.status == 0


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (
            (),
            "errlint: error: --interactive needs a terminal to ask on "
            "(`--diff` shows all changes, `--fix` makes them)\n",
        ),
        (("--diff",), "errlint: error: --interactive and --diff do not go together (give one of them)\n"),
    ],
    ids=["no terminal", "with --diff"],
)
def test_it_is_refused_where_nobody_can_answer(root: Path, arguments: tuple[str, ...], told: str) -> None:
    command = [sys.executable, "-m", "errlint", "--interactive", *arguments]
    done = subprocess.run(command, cwd=root, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (2, "", told)
    assert (root / "depot/server.py").read_text("utf-8") == SERVER
