"""What the pages tell CI machines to do: each snippet is parsed, its commands run, and so is the GitHub action."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from package_index import skip_without_index

import errlint
from errlint.report import Format

yaml: Any = pytest.importorskip("yaml")

PROJECT = Path(__file__).parents[1]
PAGE = (PROJECT / "docs" / "ci.md").read_text(encoding="utf-8")
SERVER = """\
from fastmcp import FastMCP

mcp = FastMCP("files")


@mcp.tool()
def read(path: str) -> dict:
    if not path:
        return {"error": "no path given"}
    return {"path": path}
"""
SHIMS = {
    "pip": "exit 0",
    "reviewdog": "cat > reviewdog.json",
    "errlint": f'exec "{sys.executable}" -m errlint "$@"',
}


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """Make a folder with a server that has a finding."""
    folder = tmp_path / "checkout"
    folder.mkdir()
    (folder / "pyproject.toml").write_text('[tool.errlint]\nbaseline = "errlint-baseline.txt"\n', encoding="utf-8")
    (folder / "errlint-baseline.txt").write_text("", encoding="utf-8")
    (folder / "server.py").write_text(SERVER, encoding="utf-8")
    return folder


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    """Return an environment in which ``errlint`` is this one, and the machine's own programs are stood in for."""
    programs = tmp_path / "programs"
    programs.mkdir()
    for name, code in SHIMS.items():
        (programs / name).write_text(f"#!/bin/sh\n{code}\n", encoding="utf-8")
        (programs / name).chmod(0o755)
    path = f"{programs}{os.pathsep}{os.environ['PATH']}"
    found = {**os.environ, "PATH": path, "PYTHONPATH": str(PROJECT), "NO_COLOR": "1"}
    return {**found, "GITHUB_STEP_SUMMARY": str(tmp_path / "summary.md")}


def snippets() -> list[tuple[str, str, str]]:
    """Return heading, language and code of each block of the page."""
    found: list[tuple[str, str, str]] = []
    for section in PAGE.split("\n## ")[1:]:
        title = section.partition("\n")[0]
        found += [(title, kind, code) for kind, code in re.findall(r"^```(\w+)\n(.*?)^```$", section, re.M | re.S)]
    return found


def scripts_of(read: dict[str, Any]) -> list[str]:
    """Return the shell commands of a pipeline, step by step."""
    jobs = [read, *read.get("jobs", {}).values(), *(job for job in read.values() if isinstance(job, dict))]
    steps = [step for job in jobs for step in job.get("steps", ())]
    lines = [line for job in jobs for line in job.get("script", ())]
    return [script for script in (*(step.get("run") or step.get("script") for step in steps), *lines) if script]


def bash(folder: Path, environment: dict[str, str], script: str) -> subprocess.CompletedProcess[str]:
    """Run a step as the runner of GitHub does."""
    file = folder.parent / "step.sh"
    file.write_text(script, encoding="utf-8")
    command = ["bash", "--noprofile", "--norc", "-eo", "pipefail", str(file)]
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, encoding="utf-8", check=False)


needs_bash = pytest.mark.skipif(shutil.which("bash") is None, reason="there is no bash")
COMMANDS = [
    (title, script)
    for title, kind, code in snippets()
    for script in ([code] if kind == "sh" else scripts_of(yaml.safe_load(code)))
]


def test_each_machine_has_a_snippet() -> None:
    assert {title for title, _, _ in snippets()} >= {
        "pre-commit",
        "GitHub Actions",
        "GitLab",
        "Azure Pipelines",
        "reviewdog",
    }


@needs_bash
@pytest.mark.parametrize(("title", "script"), COMMANDS, ids=[f"{title}: {script}" for title, script in COMMANDS])
def test_the_commands_of_the_page_run(project: Path, environment: dict[str, str], title: str, script: str) -> None:
    done = bash(project, environment, script)
    assert "errlint: error" not in done.stderr
    reports = [*re.findall(r"--output-format \w+=(\S+)", script), *(["reviewdog.json"] if title == "reviewdog" else [])]
    reports = [report.replace("$GITHUB_STEP_SUMMARY", environment["GITHUB_STEP_SUMMARY"]) for report in reports]
    assert done.returncode == int(bool(reports)), done.stderr
    assert all("ERR101" in (project / report).read_text(encoding="utf-8") for report in reports)


def test_the_pipeline_of_gitlab_keeps_the_report_it_writes() -> None:
    (job,) = [yaml.safe_load(code)["errlint"] for title, _, code in snippets() if title == "GitLab"]
    assert f"gitlab={job['artifacts']['reports']['codequality']}" in job["script"][-1]


def test_the_hooks_of_the_page_are_there() -> None:
    hooks = {hook["id"] for hook in yaml.safe_load((PROJECT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))}
    (used,) = [yaml.safe_load(code) for title, _, code in snippets() if title == "pre-commit"]
    assert {hook["id"] for hook in used["repos"][0]["hooks"]} <= hooks
    section = PAGE.partition("## pre-commit\n")[2].partition("\n## ")[0]
    assert {hook for hook in hooks if f"| `{hook}` |" in section} == hooks


ACTION = yaml.safe_load((PROJECT / "action.yml").read_text(encoding="utf-8"))


def test_the_page_gives_the_action_what_it_takes() -> None:
    workflows = [yaml.safe_load(code) for title, _, code in snippets() if title == "GitHub Actions"]
    steps = workflows[0]["jobs"]["errlint"]["steps"]
    (given,) = [step["with"] for step in steps if step["uses"].startswith("errlint/errlint@")]
    assert set(given) <= set(ACTION["inputs"])
    assert all(f"| `{name}` |" in PAGE for name in ACTION["inputs"])
    formats = [word.partition("=")[0] for word in given["format"].split()]
    assert set(formats) <= {each.value for each in Format}


def step_of_action(index: int, given: dict[str, str]) -> tuple[str, dict[str, str]]:
    """Return the script of a step of the action and its variables, as the runner makes them of the inputs."""
    inputs = {name: given.get(name, declared["default"]) for name, declared in ACTION["inputs"].items()}
    step = ACTION["runs"]["steps"][index]
    assert step["shell"] == "bash"
    variables = {
        name: re.sub(r"\$\{\{ inputs\.(\w+) \}\}", lambda match: inputs[match[1]], value)
        for name, value in step["env"].items()
    }
    return step["run"], variables


@needs_bash
@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({}, "::error "),
        ({"format": "concise sarif=errlint.sarif"}, "server.py:9:9: ERR101"),
        ({"format": "concise", "args": "--select ERR101\n'$(touch made)' server.py"}, "$(touch"),
    ],
    ids=["by default", "two formats", "words that a shell would expand"],
)
def test_the_action_runs_errlint(project: Path, environment: dict[str, str], given: dict[str, str], told: str) -> None:
    script, variables = step_of_action(1, given)
    done = bash(project, {**environment, **variables}, script)
    assert told in done.stdout + done.stderr
    assert done.returncode == (2 if "args" in given else 1)
    assert (project / "errlint.sarif").exists() == ("sarif" in given.get("format", ""))
    assert not (project / "made").exists()


@needs_bash
def test_the_action_installs_the_revision_that_is_used(project: Path, tmp_path: Path) -> None:
    skip_without_index(tmp_path)
    action = tmp_path / "action"
    for name in ("errlint", "rules"):
        shutil.copytree(PROJECT / name, action / name, ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copy2(PROJECT / name, action / name)
    (tmp_path / "runner").mkdir()
    script, variables = step_of_action(0, {})
    environment = {**os.environ, **variables, "RUNNER_TEMP": str(tmp_path / "runner")}
    environment |= {"GITHUB_ACTION_PATH": str(action), "GITHUB_PATH": str(tmp_path / "path")}
    environment.pop("PYTHONPATH", None)
    done = bash(project, environment, script)
    assert done.returncode == 0, done.stderr
    programs = Path((tmp_path / "path").read_text(encoding="utf-8").strip())
    shown = subprocess.run(
        [programs / "errlint", "--version"], capture_output=True, text=True, check=True, env=environment
    )
    assert shown.stdout == f"errlint {errlint.__version__}\n"
