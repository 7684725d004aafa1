"""What the machine does not give is one clear line and a status: no traceback, no "bug in errlint", nothing hidden."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import pytest
from test_cli import CLEAN, ENVIRONMENT, FINDING

MODULE = f"{sys.executable} -m errlint"
SCRIPT = f"{sys.executable} -c 'from errlint.__main__ import run; run()'"
posix = pytest.mark.skipif(os.name != "posix", reason="there is no POSIX shell here")
pytestmark = posix


class Done(NamedTuple):
    status: int
    out: str
    err: str


@pytest.fixture
def project(tmp_path: Path) -> Path:
    for name in ("a", "b", "c"):
        (tmp_path / f"{name}.py").write_text(FINDING, "utf-8")
    (tmp_path / "errlint.toml").write_text("", "utf-8")
    return tmp_path


def shell(root: Path, script: str, **environment: str) -> Done:
    done = subprocess.run(
        ["sh", "-c", script],
        cwd=root,
        env={**ENVIRONMENT, **environment},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
    return Done(done.returncode, done.stdout, done.stderr)


def python(root: Path, code: str, *arguments: str) -> Done:
    """Run errlint with files given to two processes, however small they are, after some ``code``."""
    program = f"import errlint.workers as workers, os, sys\nworkers.ENOUGH_WORK = 1\n{code}\n"
    program += f"sys.argv = {['errlint', '--no-cache', '-j2', *arguments]}\nfrom errlint.__main__ import run\nrun()\n"
    done = subprocess.run(
        [sys.executable, "-c", program],
        cwd=root,
        env=ENVIRONMENT,
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
    return Done(done.returncode, done.stdout, done.stderr)


def is_one_line(done: Done, text: str) -> bool:
    return done.err.count("\n") == 1 and done.err.startswith("errlint: error: ") and text in done.err


PRINTING = [
    "--no-cache",
    "--no-cache --output-format concise",
    "--no-cache --output-format json",
    "--no-cache --output-format jsonl",
    "--no-cache --output-format sarif",
    "--no-cache --output-format github",
    "--no-cache --statistics",
    "--no-cache --add-ignore=kept --diff",
    "--show-files",
    "--show-settings",
    "explain a.py:9",
    "rule ERR101",
    "catalog show",
    "catalog show --format json",
    "init",
    "undo",
]


@pytest.mark.parametrize("command", PRINTING)
def test_a_standard_output_that_takes_nothing_is_told(project: Path, command: str) -> None:
    closed = shell(project, f"{MODULE} {command} >&-")
    assert (closed.status, is_one_line(closed, "the standard output is closed")) == (2, True)
    if Path("/dev/full").exists():
        full = shell(project, f"{SCRIPT} {command} >/dev/full")
        assert (full.status, is_one_line(full, "the standard output cannot be written: No space left")) == (2, True)


def test_a_help_text_that_cannot_be_printed_is_told(project: Path) -> None:
    for words in ("--help", "--version"):
        done = shell(project, f"{MODULE} {words} >/dev/full")
        assert (done.status, is_one_line(done, "No space left on device")) == (2, True)


@pytest.mark.parametrize("command", PRINTING)
def test_a_reader_that_goes_away_ends_the_output_alone(project: Path, command: str) -> None:
    read, write = os.pipe()
    os.close(read)
    with os.fdopen(write, "wb") as stream:
        done = subprocess.run(
            [sys.executable, "-m", "errlint", *command.split()],
            cwd=project, env=ENVIRONMENT, stdout=stream, stderr=subprocess.PIPE, check=False,
        )  # fmt: skip
    expected = shell(project, f"{MODULE} {command}")
    assert (done.returncode, done.stderr.decode()) == (expected.status, expected.err)


@pytest.mark.parametrize("to", ["2>&-", "2>/dev/full"])
def test_a_standard_error_that_takes_nothing_changes_no_status(project: Path, to: str) -> None:
    assert shell(project, f"{MODULE} --no-cache --timings {to}") == shell(project, f"{MODULE} --no-cache")
    assert shell(project, f"{MODULE} --no-cache nowhere.py {to}") == (2, "", "")


def test_a_closed_stream_is_not_taken_for_a_file_that_is_opened_next(project: Path) -> None:
    shell(project, f"{MODULE} -q --output-format json=report.json >&- 2>&- <&-")
    assert (project / "report.json").read_text("utf-8").startswith("[\n")
    assert shell(project, f"{MODULE} -q --output-format json=report.json >&- 2>&- <&-").status == 1


def test_a_standard_input_that_is_closed_is_told(project: Path) -> None:
    done = shell(project, f"{MODULE} --no-cache - <&-")
    assert (done.status, is_one_line(done, "the standard input is closed")) == (2, True)
    done = shell(project, f"{MODULE} --no-cache --interactive <&-")
    assert (done.status, is_one_line(done, "--interactive needs a terminal")) == (2, True)


@pytest.mark.parametrize("start", [MODULE, SCRIPT])
def test_a_working_directory_that_is_gone_is_told(project: Path, start: str) -> None:
    for command in ("", "undo", "init", "catalog check", "--output-format json=x"):
        (project / "gone").mkdir()
        done = shell(project, f"cd gone && rmdir ../gone && {start} {command}")
        assert (done.status, is_one_line(done, "the working directory is not there any more")) == (2, True)


def test_without_home_and_locale_the_same_is_found(project: Path) -> None:
    (project / "a.py").write_text(FINDING.replace("read(", "lire_été("), "utf-8")
    bare = shell(project, f"env -i PYTHONPATH=$PYTHONPATH LC_ALL=C PYTHONIOENCODING=ascii {MODULE} --no-cache")
    assert bare == (1, shell(project, f"{MODULE} --no-cache").out.replace("é", "\\xe9"), "")


@pytest.mark.parametrize("number", [6, 8, 10, 14])
def test_with_few_open_files_the_same_is_found_or_the_lack_is_told(project: Path, number: int) -> None:
    expected = shell(project, f"{MODULE} --no-cache -j1")
    for jobs in (1, 2):
        limited = f"import resource; resource.setrlimit(resource.RLIMIT_NOFILE, ({number}, {number}))"
        done = python(project, limited, f"-j{jobs}")
        assert done == expected or (done.status == 2 and is_one_line(done, "too many files are open"))
    assert done == expected or number < 10


def test_a_fix_with_few_open_files_changes_all_or_nothing(project: Path) -> None:
    for number in (6, 8, 10, 14):
        done = shell(project, f"ulimit -n {number}; {MODULE} --no-cache --add-ignore=kept")
        kept = [("# errlint: ignore" in path.read_text("utf-8")) for path in sorted(project.glob("*.py"))]
        assert (done.status, kept) == (0, [True] * 3) or (is_one_line(done, "") and kept == [False] * 3)


@pytest.mark.parametrize(
    "lack",
    [
        pytest.param("def fork(): raise BlockingIOError(11, 'no')\nos.fork = fork", id="no process can be started"),
        pytest.param("def pipe(): raise OSError(24, 'no')\nos.pipe = pipe", id="no pipe can be opened"),
        pytest.param(
            'import threading\ndef start(thread): raise RuntimeError("can\'t start new thread")\n'
            "import concurrent.futures.process as process\nprocess._ExecutorManagerThread.start = start",
            id="no thread can be started",
        ),
        pytest.param(
            "import concurrent.futures.process as process\ndef run(thread): raise MemoryError\n"
            "process._ExecutorManagerThread.run = run",
            id="the thread that hands out work dies",
        ),
        pytest.param(
            "import concurrent.futures.process as process\nprocess._ExecutorManagerThread.run = lambda thread: None",
            id="the thread that hands out work dies without a word",
        ),
        pytest.param(
            "main, look = os.getpid(), workers.look\n"
            "def small(job, mode):\n"
            "    if os.getpid() != main: raise MemoryError\n"
            "    return look(job, mode)\n"
            "workers.look = small",
            id="the other processes have too little memory",
        ),
        pytest.param(
            "main, read = os.getpid(), workers.read_bytes\n"
            "def few(path):\n"
            "    if os.getpid() != main: raise OSError(24, 'no')\n"
            "    return read(path)\n"
            "workers.read_bytes = few",
            id="the other processes may open too few files",
        ),
    ],
)
@pytest.mark.skipif(sys.platform != "linux", reason="processes are forked on Linux alone")
def test_where_other_processes_cannot_help_this_one_finds_the_same(project: Path, lack: str) -> None:
    assert python(project, lack) == python(project, "", "-j1")


@pytest.mark.parametrize(
    ("lack", "told"),
    [
        ("workers.look = lambda job, mode: (_ for _ in ()).throw(MemoryError())", "there is not enough memory"),
        ("def few(path): raise OSError(24, 'no')\nworkers.read_bytes = few", "too many files are open"),
        ("def deep(*_): raise RecursionError\nworkers.look = deep", "nested more deeply"),
        ("def broken(*_): raise OSError(5, 'Input/output error')\nworkers.look = broken", "Input/output error"),
    ],
)
def test_what_the_machine_does_not_give_is_told_in_one_line(project: Path, lack: str, told: str) -> None:
    for jobs in ("-j1", "-j2"):
        done = python(project, lack, jobs)
        assert (done.status, done.out, is_one_line(done, told)) == (2, "", True)
        assert "bug in errlint" not in done.err


@pytest.mark.parametrize(
    ("raised", "status", "told"),
    [
        ("KeyboardInterrupt", 130, ""),
        ("MemoryError", 2, "errlint: error: errlint cannot be loaded: there is not enough memory\n"),
        ("OSError(24, 'Too many open files')", 2, "errlint: error: errlint cannot be loaded: Too many open files\n"),
    ],
)
def test_what_happens_while_errlint_is_loaded_is_told_too(project: Path, raised: str, status: int, told: str) -> None:
    code = (
        "import sys\nclass Finder:\n    def find_spec(self, name, *_):\n"
        f"        if name == 'errlint.cli': raise {raised}\n"
        "from errlint.__main__ import run\nsys.meta_path.insert(0, Finder())\nrun()"
    )
    assert shell(project, f'{sys.executable} -c "{code}"') == (status, "", told)


@pytest.mark.skipif(sys.platform != "linux", reason="processes are forked on Linux alone")
@pytest.mark.parametrize(
    ("jobs", "function"),
    [
        pytest.param("-j1", "look", id="-j1"),
        pytest.param("-j2", "look", id="-j2"),
        pytest.param("-j2", "_start", id="while another process starts"),
    ],
)
def test_ctrl_c_ends_all_processes_without_a_traceback(project: Path, jobs: str, function: str) -> None:
    code = (
        "import signal\n"
        "def stay(*_):\n"
        "    os.write(1, b'%8d' % os.getpid())\n"
        "    while True: signal.pause()\n"
        f"workers.{function} = stay\nworkers.ENOUGH_WORK = 1\n"
    )
    program = f"import errlint.workers as workers, os, sys\n{code}sys.argv = ['errlint', '--no-cache', '{jobs}']\n"
    process = subprocess.Popen(
        [sys.executable, "-c", f"{program}from errlint.__main__ import run\nrun()"],
        cwd=project, env=ENVIRONMENT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    )  # fmt: skip
    assert process.stdout is not None
    reached = int(process.stdout.read(8))
    if reached != process.pid:
        os.kill(reached, signal.SIGINT)  # it may get it first
    os.killpg(process.pid, signal.SIGINT)
    _, err = process.communicate(timeout=300)  # also waits for whoever holds the pipe
    assert (process.returncode, err) == (130, b"\n")  # the line of the ^C ends


def test_a_folder_that_cannot_be_written_hides_no_finding(project: Path) -> None:
    (project / "cache").write_text("no folder", "utf-8")
    done = shell(project, f"{MODULE} --cache-dir cache/inside")
    assert (done.status, done.out) == (2, "")
    assert is_one_line(done, "cache")
    (project / ".errlint_cache").write_text("no folder", "utf-8")
    assert shell(project, MODULE) == shell(project, f"{MODULE} --no-cache")


def test_what_has_no_findings_needs_no_output(project: Path) -> None:
    for name in ("a", "b", "c"):
        (project / f"{name}.py").write_text(CLEAN, "utf-8")
    assert shell(project, f"{MODULE} -q >&-") == (0, "", "")
