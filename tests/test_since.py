"""``errlint --since COMMIT``: only what is new against a commit is reported."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from command_line import Run, caller

SERVER = """\
from fastmcp import FastMCP

mcp = FastMCP("shop")


@mcp.tool()
def find(name: str) -> dict:
    return {"error": "no name"}
"""

FRESH = """

@mcp.tool()
def lend(name: str) -> dict:
    return {"error": "no such thing"}
"""


@pytest.fixture
def errlint(capsys: pytest.CaptureFixture[str]) -> Run:
    return caller(capsys)


def git(folder: Path, *words: str) -> None:
    names = ("-c", "user.name=a", "-c", "user.email=a@example.org")
    subprocess.run(["git", *names, *words], cwd=folder, check=True, capture_output=True)


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Make a repository with one finding in its commit the working directory."""
    (tmp_path / "pyproject.toml").write_text("", encoding="utf-8")
    (tmp_path / "server.py").write_text(SERVER, encoding="utf-8")
    git(tmp_path, "init", "-q")
    git(tmp_path, "add", ".")
    git(tmp_path, "commit", "-qm", "first")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_what_the_commit_has_is_not_reported(project: Path, errlint: Run) -> None:
    done = errlint("check", "--since", "HEAD")
    assert (done.status, done.out) == (0, "All checks passed (1 file checked, 1 finding known before).\n")


def test_what_is_new_is_reported(project: Path, errlint: Run) -> None:
    (project / "server.py").write_text(SERVER + FRESH, encoding="utf-8")
    done = errlint("check", "--since", "HEAD", "--output-format", "concise", "-q")
    assert (done.status, done.out.split()[:2]) == (1, ["server.py:13:5:", "ERR101"])
    git(project, "commit", "-qam", "second")
    assert errlint("check", "--since", "HEAD").status == 0
    assert errlint("check", "--since", "HEAD~1").status == 1


def test_a_file_that_was_moved_is_known(project: Path, errlint: Run) -> None:
    git(project, "mv", "server.py", "shop é.py")
    assert errlint("check", "--since", "HEAD").status == 0


def test_the_files_of_the_commit_are_read_below_the_root_alone(project: Path, errlint: Run) -> None:
    (project / "inner").mkdir()
    (project / "inner/pyproject.toml").write_text('[tool.errlint]\nselect = ["ALL"]\n', encoding="utf-8")
    git(project, "mv", "server.py", "inner/server.py")
    git(project, "add", ".")
    git(project, "commit", "-qm", "second")
    (project / "inner/server.py").write_text(SERVER + FRESH, encoding="utf-8")
    assert errlint("check", "inner", "--since", "HEAD", "--select", "ERR101", "-q").out.count("ERR101") == 1


def test_a_commit_that_there_is_not(project: Path, errlint: Run) -> None:
    for name in ("nothing", "--upload-pack=x"):
        done = errlint("check", f"--since={name}")
        assert (done.status, done.err) == (
            2,
            f"errlint: error: --since: git knows no commit `{name}` (fetch it first: a CI job often has the last commit"
            " only)\n",
        )


def test_a_commit_that_there_is_not_is_told_where_nothing_is_found(project: Path, errlint: Run) -> None:
    (project / "server.py").unlink()
    done = errlint("check", "--since", "nothing")
    assert (done.status, "git knows no commit `nothing`" in done.err) == (2, True)


def test_a_project_without_a_repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, errlint: Run) -> None:
    (tmp_path / "pyproject.toml").write_text("", encoding="utf-8")
    (tmp_path / "server.py").write_text(SERVER, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    done = errlint("check", "--since", "HEAD")
    assert (done.status, "the project is in no repository" in done.err) == (2, True)


def test_links_of_the_commit_are_not_followed(
    project: Path, errlint: Run, tmp_path_factory: pytest.TempPathFactory
) -> None:
    outside = tmp_path_factory.mktemp("outside") / "lent.py"
    outside.write_text(SERVER, encoding="utf-8")
    (project / "lent.py").symlink_to(outside)
    git(project, "add", ".")
    git(project, "commit", "-qm", "second")
    (project / "lent.py").unlink()
    (project / "lent.py").write_text(SERVER.replace("find", "lend"), encoding="utf-8")
    assert errlint("check", "--since", "HEAD", "-q").out.count("ERR101") == 1


def test_filters_of_the_repository_are_not_run(project: Path, errlint: Run) -> None:
    (project / ".gitattributes").write_text("*.py filter=own\n", encoding="utf-8")
    git(project, "config", "filter.own.smudge", "touch smudged; cat")
    assert errlint("check", "--since", "HEAD").status == 0
    assert not (project / "smudged").exists()


def test_a_fix_leaves_what_the_commit_has(project: Path, errlint: Run) -> None:
    (project / "server.py").write_text(SERVER + FRESH, encoding="utf-8")
    diff = errlint("check", "--since", "HEAD", "--diff", "--unsafe-fixes").out
    assert ('-    return {"error": "no such thing"}' in diff, '-    return {"error": "no name"}' in diff) == (
        True,
        False,
    )
