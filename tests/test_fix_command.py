"""``errlint --fix`` and its relatives as their users see them: output, exit status, and the files."""

from __future__ import annotations

import io
import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest
from command_line import Run

from errlint.cli import main

CONFIGURATION = """\
select = ["ERR101"]

[[boundary]]
decorator = "answered"
envelope = { error = "{message}", problem = "*", result = "empty" }
empty-result = "empty"

[exceptions]
root = ["DepotError"]
default = "DepotError"
"""

ERRORS = '''\
"""Errors and the boundary."""

import functools


class DepotError(Exception):
    """Base of all errors."""


def answered(empty):
    def decorate(function):
        @functools.wraps(function)
        def inner(*args):
            try:
                return function(*args)
            except Exception as exc:
                return {**empty, "error": str(exc), "problem": {"title": type(exc).__name__}}

        return inner

    return decorate
'''

SERVER = '''\
"""Tools."""

from depot.errors import answered
from depot.stock import take
from server import mcp


@mcp.tool()
@answered({"left": 0})
def fetch(name):
    if not name:
        return {"error": "no name", "left": 0}  # nothing was asked for
    return take(name)


@mcp.tool()
@answered({})
def store(name):
    if not name:
        return {"error": "no name", "field": "name"}
    return {"stored": name}


@mcp.tool()
def drop(name):
    if not name:
        return {"error": "no name"}
    return {"dropped": name}
'''

STOCK = '''\
"""What there is."""


def take(name):
    try:
        return {"left": int(name)}
    except ValueError:
        return {"error": f"no number: {name}"}
'''

FIXED_SERVER = SERVER.replace(
    'return {"error": "no name", "left": 0}  # nothing', 'raise DepotError("no name")  # nothing'
).replace("import answered", "import DepotError, answered")
FIXED_STOCK = STOCK.replace(
    """\
    except ValueError:
        return {"error": f"no number: {name}"}
""",
    """\
    except ValueError as exc:
        raise DepotError(f"no number: {name}") from exc
""",
).replace('there is."""\n', 'there is."""\n\nfrom depot.errors import DepotError\n')
UNSAFE_SERVER = FIXED_SERVER.replace(
    'return {"error": "no name", "field": "name"}', 'raise DepotError("no name", context={"field": "name"})'
)


SHORT_SERVER = FIXED_SERVER.replace('return {"error": "no name", "field": "name"}', 'raise DepotError("no name")')


class Done(NamedTuple):
    status: int
    out: str
    err: str


class Project(NamedTuple):
    """A project in a folder, and errlint in it."""

    root: Path
    run: Callable[..., Done]

    def texts(self) -> tuple[str, str]:
        """Return the two files that are fixed."""
        return (self.root / "depot/server.py").read_text("utf-8"), (self.root / "depot/stock.py").read_text("utf-8")


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Project:
    (tmp_path / "depot").mkdir()
    files = {"__init__": "", "errors": ERRORS, "server": SERVER, "stock": STOCK}
    for name, text in files.items():
        (tmp_path / "depot" / f"{name}.py").write_text(text, "utf-8")
    (tmp_path / "errlint.toml").write_text(CONFIGURATION, "utf-8")

    def run(*arguments: str) -> Done:
        monkeypatch.chdir(tmp_path)
        with pytest.raises(SystemExit) as ended:
            main(("--no-cache", "--output-format", "concise", *arguments))
        captured = capsys.readouterr()
        assert isinstance(ended.value.code, int)
        return Done(ended.value.code, captured.out, captured.err)

    return Project(tmp_path, run)


def test_safe_returns_become_raises_in_all_files_at_once(project: Project) -> None:
    done = project.run("--fix")
    assert project.texts() == (FIXED_SERVER, FIXED_STOCK)
    assert done.err == "2 fixed in 2 files, 1 hidden (use --unsafe-fixes), 1 refused.\n"
    assert [line.partition(" ")[0] for line in done.out.splitlines()[:-1]] == [
        "depot/server.py:20:9:",
        "depot/server.py:27:9:",
    ]
    assert done.status == 1


def test_a_second_fix_changes_nothing(project: Project) -> None:
    project.run("--fix")
    done = project.run("--fix")
    assert project.texts() == (FIXED_SERVER, FIXED_STOCK)
    assert done.err == "0 fixed, 1 hidden (use --unsafe-fixes), 1 refused.\n"


def test_a_diff_changes_nothing_and_says_what_would(project: Project) -> None:
    done = project.run("--diff")
    assert project.texts() == (SERVER, STOCK)
    assert done.status == 1
    assert '-        return {"error": "no name", "left": 0}  # nothing was asked for\n' in done.out
    assert '+        raise DepotError("no name")  # nothing was asked for\n' in done.out
    assert done.err.endswith("2 fixable in 2 files, 1 hidden (use --unsafe-fixes), 1 refused.\n")
    project.run("--fix")
    assert project.run("--diff")[:2] == (0, "")


def test_what_is_refused_is_listed_by_its_reason(project: Project) -> None:
    assert project.run("--fix", "--show-fixes").out.startswith(
        "depot/server.py:12: ERR101 in `fetch`\n"
        "depot/stock.py:10: ERR101 in `take`\n"
        "Hidden (use --unsafe-fixes):\n"
        "  `DepotError` takes a message alone: clients do not get `field` any more\n"
        "    depot/server.py:20 in `store`\n"
        "  the boundary's answer does not have the same `field`\n"
        "    depot/server.py:20 in `store`, see depot/server.py:18\n"
        "Refused:\n"
        "  no boundary covers the adapter `drop` (ERR201)\n"
        "    hint: put the boundary on the adapter first: ERR201 does that where one is configured\n"
        "    depot/server.py:27 in `drop`, see depot/server.py:25\n"
    )


def test_an_answer_with_fewer_keys_is_not_safe(project: Project) -> None:
    errors = ERRORS.replace(
        '    """Base of all errors."""\n',
        "    def __init__(self, message, context=None):\n"
        "        super().__init__(message)\n"
        "        self.context = context\n",
    )
    (project.root / "depot/errors.py").write_text(errors, "utf-8")
    done = project.run("--fix", "--show-fixes")
    assert project.texts() == (FIXED_SERVER, FIXED_STOCK)
    assert done.err == "2 fixed in 2 files, 1 hidden (use --unsafe-fixes), 1 refused.\n"
    assert "Hidden (use --unsafe-fixes):\n  the boundary's answer does not have the same `field`\n" in done.out
    assert project.run("--fix", "--unsafe-fixes").err == (
        "Look at these afterwards:\n"
        "  1 place where the answer, or who gets it, changes:\n"
        "    depot/server.py:18  the boundary's answer does not have the same `field`\n"
        "1 fixed in 1 file, 1 refused.\n"
    )
    assert project.texts() == (UNSAFE_SERVER, FIXED_STOCK)


TOLD = """\
Look at these afterwards:
  2 tests that will fail, for what they ask of an error:
    tests/test_stock.py:5  compares the whole answer of `take`
    tests/test_stock.py:6  compares the whole answer of `take`
  3 places where the answer, or who gets it, changes:
    depot/server.py:18  the boundary's answer does not have the same `field`
    depot/server.py:20  `DepotError` takes a message alone: clients do not get `field` any more
    depot/stock.py:7  an example in a docstring shows an error of `take`
"""


def test_what_tests_and_examples_show_of_an_error_is_named_when_it_is_raised(project: Project) -> None:
    example = 'def take(name):\n    """Take.\n\n    >>> take("x")["error"]\n    \'no number: x\'\n    """\n'
    test = "from depot.stock import take\nfrom answers import expected\n\ndef test_it():\n" + "".join(
        f'    assert take("{name}") == expected("no number: {name}")\n' for name in "xy"
    )
    stock = STOCK.replace("def take(name):\n", example)
    (project.root / "depot/stock.py").write_text(stock, "utf-8")
    (project.root / "tests").mkdir()
    (project.root / "tests/test_stock.py").write_text(test, "utf-8")
    done = project.run("--fix", "--show-fixes")
    assert "  an example in a docstring shows an error of `take`\n    depot/stock.py:13 in `take`" in done.out
    assert "Look at" not in done.err
    assert project.texts() == (FIXED_SERVER, stock)
    before = TOLD.replace("afterwards:", "afterwards (lines as before the fix):")
    assert before in project.run("--diff", "--unsafe-fixes").err
    after = TOLD.replace("depot/stock.py:7", "depot/stock.py:9")
    assert project.run("--fix", "--unsafe-fixes").err == f"{after}2 fixed in 2 files, 1 refused.\n"
    assert project.texts() == (SHORT_SERVER, FIXED_STOCK.replace("def take(name):\n", example))
    assert (project.root / "tests/test_stock.py").read_text("utf-8") == test


@pytest.mark.parametrize("asked", ['{"error": "no number: x"}', 'dict(error="no number: x")'])
def test_a_test_that_asks_for_the_whole_answer_asks_for_the_exception(project: Project, asked: str) -> None:
    test = f'from depot.stock import take\n\n\ndef test_it():\n    assert take("x") == {asked}\n'
    (project.root / "tests").mkdir()
    (project.root / "tests/test_stock.py").write_text(test, "utf-8")
    project.run("--fix", "--unsafe-fixes")
    fixed = (project.root / "tests/test_stock.py").read_text("utf-8")
    assert '    with pytest.raises(DepotError, match="no number: x"):\n        take("x")\n' in fixed


def test_a_second_run_has_nothing_left_to_look_at(project: Project) -> None:
    errors = ERRORS.replace(
        '    """Base of all errors."""\n',
        "    def __init__(self, message, context=None):\n        super().__init__(message)\n",
    )
    (project.root / "depot/errors.py").write_text(errors, "utf-8")
    assert "Look at these afterwards" in project.run("--fix", "--unsafe-fixes").err
    assert "Look at" not in project.run("--fix", "--unsafe-fixes").err


def test_fix_only_reports_nothing_and_succeeds(project: Project) -> None:
    assert project.run("--fix-only")[:2] == (0, "")
    assert project.texts() == (FIXED_SERVER, FIXED_STOCK)


def test_the_status_can_say_that_something_was_fixed(project: Project) -> None:
    assert project.run("--fix-only", "--exit-non-zero-on-fix").status == 1
    assert project.run("--fix-only", "--exit-non-zero-on-fix").status == 0


def test_a_fix_of_named_files_leaves_others_alone(project: Project) -> None:
    done = project.run("--fix", "--show-fixes", "depot/errors.py")
    assert (done.err, project.texts()) == ("0 fixed.\n", (SERVER, STOCK))
    server = SERVER.replace(
        "return take(name)", "try:\n        return take(name)\n    except Exception:\n        raise KeyError"
    )
    (project.root / "depot/server.py").write_text(server, "utf-8")
    done = project.run("--fix", "--show-fixes", "depot/stock.py")
    assert "  also needs depot/server.py:13; run `errlint --fix`\n    depot/stock.py:8 in `take`\n" in done.out
    assert project.texts() == (server, STOCK)
    assert project.run("--fix", "--fix-project", "depot/stock.py").err == "1 fixed in 2 files.\n"


def test_a_fix_of_named_files_says_where_others_would_change(project: Project) -> None:
    asked = 'result = take(name)\n    if result.get("error"):\n        return result\n    return result'
    server = SERVER.replace("return take(name)", asked)
    (project.root / "depot/server.py").write_text(server, "utf-8")
    done = project.run("--fix", "--unsafe-fixes", "--show-fixes", "depot/stock.py")
    assert "also needs depot/server.py:" in done.out
    assert project.texts() == (server, STOCK)


def test_uncommitted_changes_are_not_fixed_over(project: Project) -> None:
    for command in (["init", "-q"], ["add", "."]):
        subprocess.run(["git", *command], cwd=project.root, check=True)
    done = project.run("--fix")
    assert (done.status, project.texts()) == (2, (SERVER, STOCK))
    assert done.err == (
        "errlint: error: uncommitted changes in depot/server.py, depot/stock.py "
        "(commit or stash them first, or add --allow-dirty)\n"
    )
    assert project.run("--fix", "--allow-dirty").status == 1
    assert project.texts() == (FIXED_SERVER, FIXED_STOCK)


def test_a_fix_that_the_users_command_rejects_is_undone(project: Project) -> None:
    done = project.run("--fix", "--verify", "echo two tests failed; exit 3")
    assert (done.status, project.texts()) == (2, (SERVER, STOCK))
    message, output = done.err.split("\n", 1)
    assert "failed with status 3 after the fix, which was undone (" in message
    assert output == "  two tests failed\n"
    project.run("--fix", "--verify", "true")
    assert project.texts() == (FIXED_SERVER, FIXED_STOCK)


def test_undo_brings_the_returns_back(project: Project) -> None:
    project.run("--fix")
    with pytest.raises(SystemExit) as ended:
        main(("undo",))
    assert (ended.value.code, project.texts()) == (0, (SERVER, STOCK))


def test_line_ends_and_the_byte_order_mark_stay(project: Project) -> None:
    path = project.root / "depot/stock.py"
    path.write_bytes(b"\xef\xbb\xbf" + STOCK.replace("\n", "\r\n").encode())
    project.run("--fix")
    assert path.read_bytes() == b"\xef\xbb\xbf" + FIXED_STOCK.replace("\n", "\r\n").encode()


def test_the_standard_input_is_not_fixed(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(SERVER.encode())))
    done = project.run("--fix", "-", "--stdin-filename", "depot/server.py")
    assert (done.status, done.err) == (
        2,
        "errlint: error: the standard input cannot be fixed (name the file instead of `-`)\n",
    )


def suppressed(stock: str) -> str:
    return stock.replace(
        "try:\n", 'if name == "all":\n        return {"error": "all"}  # errlint: ignore[ERR101] kept\n    try:\n'
    )


def test_a_suppressed_error_return_stays_as_it_is(project: Project) -> None:
    (project.root / "depot/stock.py").write_text(suppressed(STOCK), "utf-8")
    project.run("--fix")
    assert project.texts() == (FIXED_SERVER, suppressed(FIXED_STOCK))


def test_a_caller_still_looks_for_an_error_that_is_answered_where_others_are_raised(project: Project) -> None:
    look = '    found = take(name)\n    if "error" in found:\n        return found\n    return found\n'
    for path, text in (
        ("depot/stock.py", suppressed(STOCK)),
        ("depot/server.py", SERVER.replace("    return take(name)\n", look)),
    ):
        (project.root / path).write_text(text, "utf-8")
    project.run("--fix")
    assert project.texts() == (FIXED_SERVER.replace("    return take(name)\n", look), suppressed(FIXED_STOCK))


def test_a_module_is_imported_as_the_file_imports_others(project: Project) -> None:
    """Where Python is started beside ``src``, that is the top package."""
    (project.root / "src").mkdir()
    (project.root / "depot").rename(project.root / "src/depot")
    server = project.root / "src/depot/server.py"
    server.write_text(SERVER.replace("from depot", "from src.depot"), "utf-8")
    assert project.run("--fix").err == "2 fixed in 2 files, 1 hidden (use --unsafe-fixes), 1 refused.\n"
    assert server.read_text("utf-8") == FIXED_SERVER.replace("from depot", "from src.depot")


@pytest.mark.usefixtures("project")
def test_what_was_fixed_stands_beside_json_and_not_in_it(errlint: Run) -> None:
    done = errlint("--no-cache", "--fix", "--show-fixes", "--output-format", "json")
    assert isinstance(json.loads(done.out), list)
    assert "ERR101 in `take`" in done.err


HINTED = """\
from fastmcp import FastMCP

server = FastMCP("shelf")


def sold(title):
    if not title:
        return {"error": "no title"}
    return {"sold": title}


def lent(title):
    if not title:
        return {"error": "no title"}
    return {"lent": title}


@server.tool()
def all_sold(titles: list) -> dict:
    return {"books": merged(sold(titles[0]), sold(titles[1]))}


@server.tool()
def all_lent(titles: list) -> dict:
    return {"books": merged(lent(titles[0]), lent(titles[1]))}
"""


def test_a_hint_is_told_once_for_the_reasons_that_it_is_for(tmp_path: Path, errlint: Run) -> None:
    (tmp_path / "server.py").write_text(HINTED)
    told = errlint("--isolated", "--no-cache", "--fix", "--unsafe-fixes", "--show-fixes").out
    lines = told.splitlines()
    assert sum(line.startswith("    hint: look at the caller that is named") for line in lines) == 1
    assert [line for line in lines if line.startswith("  a caller does more")] == [
        "  a caller does more with the result of `sold`, `lent` than to return it",
    ]


SERVED = """\
from fastmcp import FastMCP

mcp = FastMCP("orders")


@mcp.tool()
def order(key: str) -> dict:
    if not key:
        return {"error": "no key"}
    return {"key": key}
"""


def test_a_finding_in_the_configuration_does_not_end_a_fix(tmp_path: Path, errlint: Run) -> None:
    (tmp_path / "errlint.toml").write_text('[catalog]\nfiles = ["docs/none.md"]\n', encoding="utf-8")
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "pyproject.toml").touch()
        (tmp_path / name / f"{name}.py").write_text(SERVED, encoding="utf-8")
    done = errlint("--no-cache", "--fix", "--unsafe-fixes")
    assert "ERR905" in done.out
    for name in ("one", "two"):
        assert 'raise ToolError("no key")' in (tmp_path / name / f"{name}.py").read_text("utf-8")


RAW = {
    "line ends of Windows": STOCK.replace("\n", "\r\n").encode(),
    "a byte order mark": b"\xef\xbb\xbf" + STOCK.encode(),
    "one line with another end": STOCK.replace("\n", "\r\n", 1).encode(),
    "no end of the last line": STOCK.rstrip("\n").encode(),
    "another encoding": b"# coding: latin-1\n# \xe9\n" + STOCK.encode(),
}


@pytest.mark.parametrize("content", RAW.values(), ids=RAW)
def test_a_diff_can_be_applied_to_a_file_with(content: bytes, project: Project) -> None:
    path = project.root / "depot/stock.py"
    path.write_bytes(content)
    command = (sys.executable, "-m", "errlint", "--no-cache")
    made = project.root / "fix.patch"  # in a file: in the log of a CI machine a diff has nothing that could harm it
    with made.open("wb") as patch:
        subprocess.run((*command, "--diff"), cwd=project.root, stdout=patch, stderr=subprocess.DEVNULL, check=False)
    subprocess.run((*command, "--fix", "--allow-dirty"), cwd=project.root, capture_output=True, check=False)
    fixed = path.read_bytes()
    path.write_bytes(content)
    (project.root / "depot/server.py").write_text(SERVER, encoding="utf-8")
    subprocess.run(("git", "apply", "-p0", made.name), cwd=project.root, check=True)
    assert path.read_bytes() == fixed != content
