"""The hook, run by git and the real pre-commit from a snapshot of this project."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

PROJECT = Path(__file__).parents[1]
SHIPPED = ("errlint", "rules", "pyproject.toml", "README.md", "LICENSE", ".pre-commit-hooks.yaml")

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


def test_git_commits_what_the_hook_lets_pass(tmp_path: Path) -> None:
    git = _Git(tmp_path)
    hooks = tmp_path / "hooks"
    hooks.mkdir()
    for name in SHIPPED:
        source = PROJECT / name
        if source.is_dir():
            shutil.copytree(source, hooks / name, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy2(source, hooks / name)
    revision = git.start(hooks)

    project = tmp_path / "project"
    _write(
        project / "pyproject.toml",
        '[project]\nname = "files"\n[tool.errlint]\nextend-exclude = ["generated"]\n',
    )
    _write(
        project / ".pre-commit-config.yaml",
        f"repos:\n  - repo: {hooks}\n    rev: {revision}\n    hooks:\n      - id: errlint\n",
    )
    _write(project / "legacy.py", BREAKING)  # no commit is held up by what it does not touch
    git.start(project)
    git.pre_commit(project, "install")
    git.install_environment(project)

    _write(project / "server.py", BREAKING)
    refused = git.commit(project)
    assert refused.returncode == 1
    assert "server.py:9:9" in refused.stdout
    assert "ERR101" in refused.stdout
    assert "legacy.py" not in refused.stdout

    _write(project / "server.py", CLEAN)
    passed = git.commit(project)
    assert passed.returncode == 0, passed.stdout

    _write(project / "generated" / "server.py", BREAKING)
    excluded = git.commit(project)
    assert excluded.returncode == 0, excluded.stdout
    assert "Passed" in excluded.stdout  # pre-commit did hand the file to errlint

    _write(
        project / ".pre-commit-config.yaml",
        f"repos:\n  - repo: {hooks}\n    rev: {revision}\n    hooks:\n      - id: errlint-fix\n",
    )
    _write(project / "pyproject.toml", FIXING)
    _write(project / "failures.py", FAILURES)
    _write(project / "server.py", COVERED)
    fixing = git.commit(project)
    assert fixing.returncode == 1
    assert "files were modified by this hook" in fixing.stdout
    assert "1 fixed in 1 file." in fixing.stdout
    assert (project / "server.py").read_text(encoding="utf-8") == FIXED
    assert (project / "legacy.py").read_text(encoding="utf-8") == BREAKING
    fixed = git.commit(project)
    assert fixed.returncode == 0, fixed.stdout


class _Git:
    """git and pre-commit, without the configuration and the caches of whoever runs the tests."""

    def __init__(self, folder: Path) -> None:
        self.environment = {
            **os.environ,
            "GIT_CONFIG_GLOBAL": os.devnull,
            "GIT_CONFIG_NOSYSTEM": "1",
            "GIT_AUTHOR_NAME": "A",
            "GIT_AUTHOR_EMAIL": "a@example.org",
            "GIT_COMMITTER_NAME": "A",
            "GIT_COMMITTER_EMAIL": "a@example.org",
            "PRE_COMMIT_HOME": str(folder / "pre-commit"),
            "NO_COLOR": "1",
        }
        for name in ("GIT_DIR", "GIT_INDEX_FILE", "GIT_WORK_TREE", "PYTHONPATH"):
            self.environment.pop(name, None)

    def run(self, folder: Path, *command: str) -> subprocess.CompletedProcess[str]:
        # git shows what the hook prints on its standard error stream
        return subprocess.run(
            command,
            cwd=folder,
            env=self.environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
        )

    def start(self, folder: Path) -> str:
        """Make ``folder`` a repository, commit all that is in it, and return the commit's id."""
        for command in (("init", "--quiet"), ("add", "--all"), ("commit", "--quiet", "--message", "start")):
            done = self.run(folder, "git", *command)
            assert done.returncode == 0, done.stdout
        return self.run(folder, "git", "rev-parse", "HEAD").stdout.strip()

    def commit(self, folder: Path) -> subprocess.CompletedProcess[str]:
        self.run(folder, "git", "add", "--all")
        return self.run(folder, "git", "commit", "--message", "change")

    def pre_commit(self, folder: Path, *arguments: str) -> None:
        done = self.run(folder, sys.executable, "-m", "pre_commit", *arguments)
        assert done.returncode == 0, done.stdout

    def install_environment(self, folder: Path) -> None:
        """Let pre-commit install errlint, which needs a package index; skip where there is none."""
        probe = (
            "pip",
            "download",
            "--quiet",
            "--no-deps",
            "--dest",
            str(folder.parent / "probe"),
            "hatchling",
        )
        reachable = self.run(folder, sys.executable, "-m", *probe)
        if reachable.returncode != 0 and "CI" not in os.environ:
            pytest.skip("no package index can be reached, which pre-commit installs the hook from")
        self.pre_commit(folder, "install-hooks")


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
