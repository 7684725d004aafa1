"""The hooks, run by git, the real pre-commit and the real prek, from a snapshot of this project."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from package_index import skip_without_index

fcntl = pytest.importorskip("fcntl", reason="the environments of the hooks are shared under a lock of POSIX")

PROJECT = Path(__file__).parents[1]
SHIPPED = ("errlint", "rules", "pyproject.toml", "README.md", "LICENSE", ".pre-commit-hooks.yaml")
RUNNERS = {
    "pre-commit": (sys.executable, "-m", "pre_commit"),
    "prek": (str(Path(sys.executable).parent / "prek"),),
}

BREAKING = """\
from fastmcp import FastMCP

mcp = FastMCP("files")


@mcp.tool()
def read(path: str) -> dict[str, str]:
    if not path:
        return {"error": "no path given"}
    return {"path": path}
"""
FIXING = """\
[project]
name = "files"

[tool.errlint]
select = ["ERR101"]

[[tool.errlint.boundary]]
decorator = "answered"
envelope = { error = "{message}" }

[tool.errlint.exceptions]
root = ["Failure"]
default = "Failure"
"""
FAILURES = """\
class Failure(Exception):
    pass


def answered(function):
    return function
"""
COVERED = BREAKING.replace("@mcp.tool()\n", "@mcp.tool()\n@answered\n").replace(
    "FastMCP\n\n", "FastMCP\n\nfrom failures import answered\n\n", 1
)
FIXED = COVERED.replace('return {"error": "no path given"}', 'raise Failure("no path given")').replace(
    "import answered", "import Failure, answered"
)
CLEAN = BREAKING.replace('return {"error": "no path given"}', 'raise ValueError("no path given")')

CATALOGUED = """\
[project]
name = "files"

[tool.errlint.catalog]
files = ["docs/errors.md"]
"""
CODED = """\
from enum import Enum

from fastmcp import FastMCP

mcp = FastMCP("files")


class ErrorCode(str, Enum):
    NO_PATH = "NO_PATH"
    NO_ENTRY = "NO_ENTRY"
    NO_ROOM = "NO_ROOM"


class Failure(Exception):
    def __init__(self, message: str, code: ErrorCode) -> None:
        super().__init__(message)
        self.code = code


@mcp.tool()
def read(path: str) -> str:
    if not path:
        raise Failure("no path given", code=ErrorCode.NO_PATH)
    if path == "/":
        raise Failure("no entry", code=ErrorCode.NO_ENTRY)
    raise Failure("no room", code=ErrorCode.NO_ROOM)
"""
CATALOG = """\
# Error codes

| Code | Meaning |
|---|---|
| `NO_PATH` | no path was given |
| `NO_ENTRY` | that is not for tools |
| `NO_ROOM` | the disk is full |
"""


class Repository:
    """A git repository whose commits go through hooks, without the configuration and caches of who runs the tests."""

    def __init__(self, folder: Path, runner: str, hooks: tuple[Path, str], environment: dict[str, str]) -> None:
        self.folder = folder
        self.runner = RUNNERS[runner]
        self._hooks = hooks
        self._environment = environment
        folder.mkdir()
        self.write("pyproject.toml", '[project]\nname = "files"\n')

    def run(self, *command: str) -> subprocess.CompletedProcess[str]:
        return run(self.folder, self._environment, *command)

    def write(self, path: str, text: str) -> Path:
        file = self.folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
        return file

    def read(self, path: str) -> str:
        return (self.folder / path).read_text(encoding="utf-8")

    def configure(self, *hooks: str) -> None:
        """Write the configuration of the hooks, each an entry of a list in YAML."""
        folder, revision = self._hooks
        lines = "".join(f"      - {hook}\n" for hook in hooks)
        self.write(".pre-commit-config.yaml", f"repos:\n  - repo: {folder}\n    rev: {revision}\n    hooks:\n{lines}")

    def start(self, *hooks: str) -> None:
        """Commit all that is there, and have the hooks look at what comes."""
        self.configure(*hooks)
        start(self.folder, self._environment)
        done = self.run(*self.runner, "install")
        assert done.returncode == 0, done.stdout

    def commit(self, *paths: str) -> subprocess.CompletedProcess[str]:
        """Commit files, all that were changed by default."""
        self.run("git", "add", *(paths or ("--all",)))
        return self.run("git", "commit", "--message", "change")

    def passes(self, *paths: str) -> str:
        done = self.commit(*paths)
        assert done.returncode == 0, done.stdout
        return done.stdout

    def refuses(self, *paths: str) -> str:
        done = self.commit(*paths)
        assert done.returncode == 1, done.stdout
        return done.stdout


def run(folder: Path, environment: dict[str, str], *command: str) -> subprocess.CompletedProcess[str]:
    # git shows what a hook prints on its standard error stream
    return subprocess.run(
        command,
        cwd=folder,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        check=False,
    )


def start(folder: Path, environment: dict[str, str]) -> str:
    """Make a folder a repository, commit all that is in it, and return the commit's id."""
    for command in (("init", "--quiet"), ("add", "--all"), ("commit", "--quiet", "--message", "start")):
        done = run(folder, environment, "git", *command)
        assert done.returncode == 0, done.stdout
    return run(folder, environment, "git", "rev-parse", "HEAD").stdout.strip()


@pytest.fixture(scope="session")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder that the processes of a run of pytest have in common."""
    base = tmp_path_factory.getbasetemp()
    return base.parent if "PYTEST_XDIST_WORKER" in os.environ else base


@pytest.fixture(scope="session")
def environment(shared: Path) -> dict[str, str]:
    found = {
        **os.environ,
        "GIT_CONFIG_GLOBAL": os.devnull,
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_AUTHOR_NAME": "A",
        "GIT_AUTHOR_EMAIL": "a@example.org",
        "GIT_COMMITTER_NAME": "A",
        "GIT_COMMITTER_EMAIL": "a@example.org",
        "PRE_COMMIT_HOME": str(shared / "pre-commit"),
        "PREK_HOME": str(shared / "prek"),
        "NO_COLOR": "1",
    }
    for name in ("GIT_DIR", "GIT_INDEX_FILE", "GIT_WORK_TREE", "PYTHONPATH"):
        found.pop(name, None)
    return found


@pytest.fixture(scope="session")
def hooks(shared: Path, environment: dict[str, str]) -> tuple[Path, str]:
    """Return a repository of the hooks and its revision: one for all tests, so that they are installed once."""
    folder = shared / "hooks"
    with (shared / "hooks.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not folder.exists():
            skip_without_index(shared)
            folder.mkdir()
            for name in SHIPPED:
                source = PROJECT / name
                if source.is_dir():
                    shutil.copytree(source, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
                else:
                    shutil.copy2(source, folder / name)
            start(folder, environment)
    return folder, run(folder, environment, "git", "rev-parse", "HEAD").stdout.strip()


@pytest.fixture(params=RUNNERS)
def repository(
    request: pytest.FixtureRequest, tmp_path: Path, hooks: tuple[Path, str], environment: dict[str, str]
) -> Repository:
    return Repository(tmp_path / "project", request.param, hooks, environment)


def test_a_commit_with_a_finding_is_refused_and_one_without_is_not(repository: Repository) -> None:
    repository.write("pyproject.toml", '[project]\nname = "files"\n[tool.errlint]\nextend-exclude = ["generated"]\n')
    repository.write("legacy.py", BREAKING)  # no commit is held up by what it does not touch
    repository.start("id: errlint")
    repository.write("server.py", BREAKING)
    told = repository.refuses()
    assert "server.py:9:9" in told
    assert "ERR101" in told
    assert "legacy.py" not in told
    repository.write("server.py", CLEAN)
    repository.passes()
    repository.write("generated/server.py", BREAKING)
    assert "Passed" in repository.passes()  # the file was handed to errlint, which excludes it


def test_what_is_not_staged_is_neither_looked_at_nor_lost(repository: Repository) -> None:
    repository.start("id: errlint")
    repository.write("other.py", BREAKING)
    repository.write("server.py", CLEAN)
    repository.passes("server.py")
    repository.write("server.py", CLEAN.replace("no path", "no path at all"))
    repository.run("git", "add", "server.py")
    later = BREAKING.replace("no path", "no path at all")
    repository.write("server.py", later)
    done = repository.run("git", "commit", "--message", "a part of it")
    assert done.returncode == 0, done.stdout
    assert repository.read("server.py") == later
    assert repository.read("other.py") == BREAKING
    assert repository.run("git", "show", "HEAD:server.py").stdout == CLEAN.replace("no path", "no path at all")


def test_a_fix_fails_the_commit_once_and_leaves_what_is_not_staged(repository: Repository) -> None:
    repository.write("pyproject.toml", FIXING)
    repository.write("failures.py", FAILURES)
    repository.write("legacy.py", COVERED)
    repository.write("notes.py", "A = 1\n")
    repository.start("id: errlint-fix")
    repository.write("server.py", COVERED)
    repository.write("notes.py", "A = 2\n")
    told = repository.refuses("server.py")
    assert "files were modified by this hook" in told
    assert "1 fixed in 1 file." in told
    assert repository.read("server.py") == FIXED
    assert repository.read("legacy.py") == COVERED
    assert repository.read("notes.py") == "A = 2\n"
    repository.passes("server.py")
    assert repository.run("git", "status", "--short").stdout == " M notes.py\n"


def test_names_may_have_spaces_and_letters_of_any_alphabet(repository: Repository) -> None:
    repository.start("id: errlint")
    repository.write("büro/mein server.py", BREAKING)
    repository.write("サーバー.py", BREAKING)
    told = repository.refuses()
    assert "büro/mein server.py:9:9" in told
    assert "サーバー.py:9:9" in told
    repository.write("büro/mein server.py", CLEAN)
    repository.write("サーバー.py", CLEAN)
    repository.passes()


def test_the_catalog_is_compared_whether_documents_or_code_are_committed(repository: Repository) -> None:
    repository.write("pyproject.toml", CATALOGUED)
    repository.write("server.py", CODED)
    repository.write("docs/errors.md", CATALOG)
    repository.start("id: errlint", "id: errlint-catalog")
    repository.write("README.md", "# Files\n")
    told = repository.passes()
    assert "no files to check" in told  # by the hook for Python
    repository.write("docs/errors.md", CATALOG.replace("NO_PATH", "NO_NAME"))
    told = repository.refuses()
    assert "docs/errors.md:5" in told
    assert "ERR502" in told
    repository.write("docs/errors.md", CATALOG)
    repository.run("git", "add", "--all")
    repository.write("server.py", CODED.replace("NO_PATH", "NO_NAME"))
    assert "docs/errors.md:5" in repository.refuses("server.py")


def test_without_a_catalog_its_hook_is_quiet(repository: Repository) -> None:
    repository.write("legacy.py", BREAKING)
    repository.start("{id: errlint-catalog, verbose: true}")
    repository.write("docs/errors.md", CATALOG)
    told = repository.passes()
    assert "Passed" in told
    assert "ERR" not in told


def test_a_commit_is_compared_with_the_baseline(repository: Repository) -> None:
    repository.write("pyproject.toml", '[tool.errlint]\nbaseline = "errlint-baseline.txt"\n')
    repository.write("legacy.py", BREAKING)
    errlint = {**os.environ, "PYTHONPATH": str(PROJECT)}
    written = run(repository.folder, errlint, sys.executable, "-m", "errlint", "baseline", "write")
    assert written.returncode == 0, written.stdout
    repository.start("id: errlint")
    (repository.folder / "legacy.py").rename(repository.folder / "server.py")
    repository.passes()
    repository.write("server.py", BREAKING + "\n\ndef find():\n    return {'error': 'nothing'}\n")
    told = repository.refuses()
    assert "server.py:14:5" in told
    assert "server.py:9" not in told


def test_a_commit_is_compared_with_the_one_before(repository: Repository) -> None:
    repository.write("legacy.py", BREAKING)
    repository.start("{id: errlint, args: [--since, HEAD]}")
    (repository.folder / "legacy.py").rename(repository.folder / "server.py")
    repository.passes()
    repository.write("server.py", BREAKING + "\n\ndef find():\n    return {'error': 'nothing'}\n")
    told = repository.refuses()
    assert "server.py:14:5" in told
    assert "server.py:9" not in told


def test_two_thousand_files_are_one_run(repository: Repository) -> None:
    repository.start("{id: errlint, verbose: true}")
    for number in range(2000):
        repository.write(
            f"tools/group_{number % 40}/module_{number}.py", f"def tool_{number}():\n    return {number}\n"
        )
    repository.write("tools/server.py", BREAKING)
    told = repository.refuses()
    assert told.count("files checked") == 1
    assert "(2001 files checked)" in told
