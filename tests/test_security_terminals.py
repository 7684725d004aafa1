"""Nothing of the checked tree steers a terminal or commands the machine of a CI job, whatever is printed of it."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import unicodedata
from pathlib import Path
from typing import NamedTuple

import pytest
from test_cli import ENVIRONMENT

from errlint.characters import harmless, printable, toml_string
from errlint.settings.toml_reader import parse

CODE = '''\
from fastmcp import FastMCP
from failing import ToolError, answered

server = FastMCP("s")


@server.tool()
@answered
def read(path: str) -> dict:
    """Read.

::stop-commands::docstring::
\u200b::error file=x::docstring::
    \x1b]0;title\x07 \x9b31m \u202e \u2066 \x7f \u200f \u2028 ##[add-mask]docstring
    """
    if not path:
        return {"error": "no \x1b[8m ##vso[task.complete]path\u202e", "\x1b[2J": 1}  # ##[error]comment \x0c
    return {"path": path}


@server.tool()
def left(path: str) -> dict:
    if not path:
        return {"error": "no \x1b[8m ##[error]path\u202e", "hint\x07\u2028::error::": open("\x9b").read()}
    return {"path": path}
'''
FAILING = """\
class ToolError(Exception):
    pass


class ErrorCode:
    BAD = "BAD_\x1b[31m_\u202e"


def answered(function):
    def run(*args):
        try:
            return function(*args)
        except Exception as error:
            return {"error": str(error), "\x07\U000e0001": "##[error]", "\x7f": "\u202e"}
    return run
"""
CONFIGURATION = """\
extend-select = ["ERR", "ERR1"]
[[boundary]]
decorator = "failing.answered"
envelope = { error = "{message}", "\\u001b\\u202e" = "*" }
[exceptions]
default = "failing.ToolError"
[exceptions.map]
"::error::\\n\\u009b" = "failing.ToolError"
[catalog]
files = ["docs/*.md"]
"""
DOCUMENT = """\
# Errors

| Code | Message |
|---|---|
| `BAD_\x1b[31m` | no \x1b]0;x\x07 ##[error]path \u202e |

<!-- errlint: begin errors -->
::stop-commands::document::
\u202e\x1b[2J
<!-- errlint: end -->
"""
NAMES = (
    b"::stop-commands::t.py",
    b" ::error::blank.py",
    b"line\n::error::x.py",
    b"cr\r::error::x.py",
    b"\x1b]0;title\x07.py",
    "\x9b31m\u202ebidi\u2066.py".encode(),
    "\u2028::error::.py".encode(),
    "\u200b::error::.py".encode(),
    b"##[add-mask]x.py",
    b"##vso[task.setvariable]x.py",
    b"not-utf8\xff\x9b.py",
    b"folder\n::warning::\x1b[2J/server.py",
)
CONTROLLED = {**ENVIRONMENT, "ERRLINT_CACHE_DIR": "", "CI": "", "TF_BUILD": "", "TEAMCITY_VERSION": ""}


class Done(NamedTuple):
    status: int
    out: bytes
    err: bytes


def make(root: Path) -> Path:
    root.mkdir()
    for name in NAMES:
        path = root / os.fsdecode(name)
        path.parent.mkdir(exist_ok=True)
        path.write_text(CODE, "utf-8")
    (root / "failing.py").write_text(FAILING, "utf-8")
    (root / "errlint.toml").write_text(CONFIGURATION, "utf-8")
    (root / "docs").mkdir()
    (root / "docs/errors\u202e\x1b\n::error::.md").write_text(DOCUMENT, "utf-8")
    return root


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make(tmp_path_factory.mktemp("hostile") / "project\n::error::\x1b[2J\u202e")


@pytest.fixture
def copy(hostile: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(hostile, tmp_path / hostile.name))


def run(root: Path, *arguments: str, **environment: str) -> Done:
    done = subprocess.run(
        [sys.executable, "-m", "errlint", *arguments],
        cwd=root,
        env={**CONTROLLED, **environment},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        check=False,
    )
    return Done(done.returncode, done.stdout, done.stderr)


BAR = re.compile(rb"(?:\r\x1b\[K[A-Z][a-z]+ [^\r\n]*)+\r\x1b\[K")


def on_terminal(root: Path, *arguments: str) -> bytes:
    """Return what a terminal gets of a command, without the bar that a slow machine shows."""
    pty = pytest.importorskip("pty", reason="there are no pseudo-terminals here")
    child, ours = pty.fork()
    if not child:
        try:
            os.chdir(root)
            os.execve(sys.executable, [sys.executable, "-m", "errlint", *arguments], CONTROLLED)
        finally:
            os._exit(127)
    shown = b""
    while True:
        try:
            read = os.read(ours, 65536)
        except OSError:  # Linux says so where the other end is closed
            break
        if not read:
            break
        shown += read
    os.close(ours)
    os.waitpid(child, 0)
    return BAR.sub(b"", shown.replace(b"\r\n", b"\n"))


def faults(printed: bytes, *, own: str = r"(?!)") -> list[str]:
    """Return the lines of an output that a terminal or a CI machine would obey; ``own`` are errlint's own commands."""
    text = re.sub(r"\x1b\[[0-9;]*m", "", printed.decode()) if b"\x1b[1m" in printed else printed.decode()
    text = text.replace("\r\n", "\n")
    return [line for line in text.split("\n") if not re.match(own, line) and _obeyed(line)] + [
        line for line in text.split("\n") if re.match(own, line) and _steers(line)
    ]


def _obeyed(line: str) -> bool:
    return _steers(line) or line.strip().startswith("::") or re.search(r"##\w*\[", line) is not None


def _steers(line: str) -> bool:
    return any(
        unicodedata.category(character) in ("Cc", "Cf", "Cs", "Zl", "Zp") for character in line if character != "\t"
    )


FILE = "::stop-commands::t.py"
PRINTED = [
    ("--no-cache",),
    ("--no-cache", "--output-format", "concise"),
    ("--no-cache", "--output-format", "json"),
    ("--no-cache", "--output-format", "json", "--show-fixes", "--unsafe-fixes"),
    ("--no-cache", "--output-format", "jsonl"),
    ("--no-cache", "--output-format", "sarif", "--show-fixes", "--unsafe-fixes"),
    ("--no-cache", "--output-format", "html"),
    ("--no-cache", "--show-fixes"),
    ("--no-cache", "--statistics", "--timings"),
    ("--show-files",),
    ("--show-settings",),
    ("explain", f"{FILE}:17"),
    ("explain", "line\n::error::x.py:24"),
    ("explain", "nothing\n::error::\x1b.py:24"),
    ("catalog", "show"),
    ("catalog", "show", "--format", "json"),
    ("catalog", "init"),
    ("catalog", "init", "no\n::error::\x1b\u202e.txt"),
    ("init",),
    ("undo",),
    ("no\n::error::\x1b[2J\u202e.py",),
    ("--select", "ERR\n::error::\x1b[2J"),
    ("--output-format", "\n::error::\x1b"),
    ("--output-format", "json=\n::error::\x1b/x"),
    ("--config", "\n::error::\x1b.toml"),
    ("--no-such\n::error::\x1b",),
    ("--jobs", "\n::error::\x1b"),
    ("--cache-dir", f"{FILE}/\n::error::\x1b"),
    ("rule", "\n::error::\x1b"),
]


@pytest.mark.parametrize("arguments", PRINTED, ids=" ".join)
def test_no_output_steers_a_terminal_or_commands_a_ci_machine(hostile: Path, arguments: tuple[str, ...]) -> None:
    done = run(hostile, *arguments)
    assert done.out or done.err
    assert (faults(done.out), faults(done.err)) == ([], [])
    assert b"bug in errlint" not in done.err


def test_colours_are_errlints_own(hostile: Path) -> None:
    done = run(hostile, "--no-cache", FORCE_COLOR="1", NO_COLOR="")
    assert {*re.findall(rb"\x1b[^m]*m?", done.out)} <= {
        b"\x1b[0m",
        b"\x1b[1m",
        *(b"\x1b[1;3%dm" % n for n in (1, 3, 4, 6)),
    }
    assert b"\x1b[1m" in done.out
    assert faults(done.out) == []


def test_github_gets_errlints_own_commands_alone(hostile: Path) -> None:
    done = run(hostile, "--no-cache", "--output-format", "github")
    assert done.out.count(b"\n") > len(NAMES)
    assert faults(done.out, own=r"::(error|warning|notice) title=errlint \(ERR\d+\),file=") == []
    assert not re.findall(rb"(?m)^(?!::(?:error|warning|notice) title=)", done.out.rstrip())
    assert b"file=line%0A%3A%3Aerror%3A%3Ax.py," in done.out


def test_what_is_fixed_and_undone_is_told_harmlessly(copy: Path) -> None:
    command = "printf '::error::\\033[2Jverified\\n'; exit 1"
    for arguments in (
        ("--fix", "--unsafe-fixes", "--show-fixes", "--verify", command),
        ("--fix", "--unsafe-fixes", "--show-fixes"),
        ("undo", "--verbose"),
        ("catalog", "write"),
        ("undo",),
        ("--add-ignore", "clients read it", "--show-fixes"),
        ("catalog", "check"),
    ):
        done = run(copy, *arguments, CI="true")
        assert done.out or done.err
        assert (arguments, faults(done.out), faults(done.err)) == (arguments, [], [])
        assert b"bug in errlint" not in done.err


def test_a_configuration_that_cannot_be_understood_is_told_in_one_line(copy: Path) -> None:
    for text in (
        '"\\n::error::\\u001b" = 1',
        "[[",
        'select = ["\\n::error::\\u001b\\u202e"]',
        'convention = "\\n::error::\\u001b"',
    ):
        (copy / "errlint.toml").write_text(text, "utf-8")
        done = run(copy, "--no-cache")
        assert (done.status, done.out, done.err.count(b"\n"), faults(done.err)) == (2, b"", 1, [])


def test_json_loses_nothing_by_its_escapes(hostile: Path) -> None:
    found = json.loads(run(hostile, "--no-cache", "--output-format", "json").out)
    names = {Path(item["filename"]).name for item in found}
    assert {os.fsdecode(name) for name in NAMES if b"\xff" not in name and b"/" not in name} <= names


def test_a_diff_is_harmless_on_a_terminal_or_in_a_ci_log_and_else_exact(copy: Path, tmp_path: Path) -> None:
    asked = ("--no-cache", "--diff", "--unsafe-fixes")
    assert faults(on_terminal(copy, *asked)) == []
    assert faults(run(copy, *asked, CI="true").out) == []
    piped = run(copy, *asked).out
    with (tmp_path / "patch").open("wb") as file:
        subprocess.run(
            [sys.executable, "-m", "errlint", *asked],
            cwd=copy, env={**CONTROLLED, "CI": "true"}, stdout=file, stderr=subprocess.DEVNULL, check=False,
        )  # fmt: skip
    assert (tmp_path / "patch").read_bytes() == piped
    assert b"\x1b[8m ##[error]" in piped
    patched, fixed = tmp_path / "patched", tmp_path / "fixed"
    for folder in (patched, fixed):
        shutil.copytree(copy, folder)
    subprocess.run(["git", "apply", "-p0", "-"], cwd=patched, input=piped, check=True)
    run(fixed, "--fix", "--unsafe-fixes", "--no-cache", "--allow-dirty")
    assert contents(patched) == contents(fixed)
    assert contents(fixed) != contents(copy)


def contents(root: Path) -> dict[bytes, bytes]:
    return {os.fsencode(path.relative_to(root)): path.read_bytes() for path in root.rglob("*.py")}


@pytest.mark.parametrize("text", ["\u202e\x7f\x9b", "\U000e0001", '"\\\n::error::', "失敗 ⚠️", "##[error]"])
def test_a_string_in_a_proposal_is_harmless_toml(text: str) -> None:
    quoted = toml_string(text)
    assert parse(f"key = {quoted}") == {"key": text}
    assert harmless(printable(quoted)) == quoted


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("a\u200eb", "a\\u200eb", id="a mark of direction"),
        pytest.param("a\u061cb", "a\\u061cb", id="an Arabic mark of direction"),
        pytest.param("a\xadb", "a\\xadb", id="a soft hyphen"),
        pytest.param("a\ufeffb", "a\\ufeffb", id="a byte order mark inside"),
        pytest.param("a\U000e0041b", "a\\U000e0041b", id="a tag"),
        pytest.param("a\u3164b", "a\\u3164b", id="a filler, which Python calls printable"),
        pytest.param("a\u034fb", "a\\u034fb", id="a joiner, which Python calls printable"),
        pytest.param("a\U000e0100b", "a\\U000e0100b", id="a selector of variants, which Python calls printable"),
        pytest.param("Việt ⚠️ 失敗\u3000", "Việt ⚠️ 失敗\u3000", id="ordinary text stays"),
        pytest.param("e" + "\u0301" * 8, "e" + "\u0301" * 8, id="some marks on a letter stay"),
        pytest.param("e" + "\u0301" * 10, "e" + "\u0301" * 8 + "\\u0301" * 2, id="a tower of marks is cut"),
    ],
)
def test_what_nobody_sees_is_shown_by_an_escape(text: str, expected: str) -> None:
    assert printable(text) == expected
