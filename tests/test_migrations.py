"""A code base before a convention, and what errlint makes of it: the code, its tests, and what clients of it get.

``tests/fixtures/PRESET/before`` becomes ``after``, each a whole project. ``calls.json`` has calls of its tools with
what clients get before and after. ``python tests/test_migrations.py`` writes the present results; read the difference
before you commit it.
"""

from __future__ import annotations

import ast
import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from command_line import Run
from fixture_projects import FIXTURES

MIGRATED = sorted(path.parent.name for path in FIXTURES.glob("*/before"))
each_migrated = pytest.mark.parametrize("preset", MIGRATED)

CLIENT = """\
import asyncio, json, sys
from importlib import import_module
from fastmcp import Client

async def ask(server, calls):
    async with Client(server) as client:
        for name, arguments in calls:
            answer = await client.call_tool(name, arguments, raise_on_error=False)
            print(json.dumps([answer.is_error, answer.structured_content or answer.content[0].text]))

asked = json.load(sys.stdin)
module, _, name = asked["server"].partition(":")
asyncio.run(ask(getattr(import_module(module), name), asked["calls"]))
"""
FIX = ("--no-cache", "--fix", "--unsafe-fixes")
ENVIRONMENT = {**os.environ, "PYTHONDONTWRITEBYTECODE": "1"}


def texts(folder: Path) -> dict[str, str]:
    """Return the files of a project."""
    names = (path.relative_to(folder).as_posix() for path in sorted(folder.rglob("*")) if path.is_file())
    return {name: (folder / name).read_text("utf-8") for name in names if not re.search(r"(?:^|/)(?:\.|__pyc)", name)}


def answers(project: Path, preset: str) -> list[object]:
    """Return what a client gets of each call: whether it is an error, and the answer."""
    asked = json.loads((FIXTURES / preset / "calls.json").read_text("utf-8"))
    done = subprocess.run(
        [sys.executable, "-c", CLIENT],
        input=json.dumps(
            {"server": asked["server"], "calls": [[each["tool"], each["with"]] for each in asked["calls"]]}
        ),
        cwd=project,
        env=ENVIRONMENT,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return [json.loads(line) for line in done.stdout.splitlines()]


def told(preset: str, when: str) -> list[object]:
    """Return what clients have to get, ``before`` or ``after``."""
    return [each[when] for each in json.loads((FIXTURES / preset / "calls.json").read_text("utf-8"))["calls"]]


def failing(project: Path) -> Iterator[tuple[str, int, int]]:
    """Run the tests of a project; yield the file of each that fails, with its first and last line."""
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "no:xdist", "tests"]
    done = subprocess.run(
        command, cwd=project, env=ENVIRONMENT, capture_output=True, text=True, timeout=120, check=False
    )
    assert done.returncode in (0, 1), done.stdout
    for path, name in re.findall(r"^FAILED (\S+?)::(\w+)", done.stdout, re.MULTILINE):
        for node in ast.walk(ast.parse((project / path).read_text("utf-8"))):
            if isinstance(node, ast.FunctionDef) and node.name == name:
                yield path, node.lineno, node.end_lineno or node.lineno


@pytest.fixture
def project(preset: str, tmp_path: Path) -> Path:
    return Path(shutil.copytree(FIXTURES / preset / "before", tmp_path, dirs_exist_ok=True))


@each_migrated
def test_the_code_before_becomes_the_code_after_and_a_second_fix_changes_nothing(
    preset: str, project: Path, errlint: Run
) -> None:
    errlint(*FIX)
    after = texts(FIXTURES / preset / "after")
    assert texts(project) == after
    errlint(*FIX)
    assert texts(project) == after


@each_migrated
def test_clients_get_what_the_convention_says(preset: str, project: Path) -> None:
    assert answers(project, preset) == told(preset, "before")
    assert answers(FIXTURES / preset / "after", preset) == told(preset, "after")


@each_migrated
def test_tests_that_fail_afterwards_are_named(preset: str, project: Path, errlint: Run) -> None:
    assert list(failing(project)) == []
    done = errlint(*FIX)
    told = re.findall(r"^    (tests/\S+?):([\d, ]+)  ", done.err, re.MULTILINE)
    named = {(path, int(line)) for path, lines in told for line in lines.split(", ")}
    for path, first, last in failing(project):
        assert any(where == path and first <= line <= last for where, line in named), (path, first)


if __name__ == "__main__":
    for each in MIGRATED:
        with TemporaryDirectory() as made:
            copy = Path(shutil.copytree(FIXTURES / each / "before", Path(made) / "project"))
            calls = json.loads((FIXTURES / each / "calls.json").read_text("utf-8"))
            first = answers(copy, each)
            subprocess.run(
                [sys.executable, "-m", "errlint", "--no-cache", "--fix", "--unsafe-fixes"], cwd=copy, check=False
            )
            shutil.rmtree(FIXTURES / each / "after", ignore_errors=True)
            shutil.copytree(copy, FIXTURES / each / "after", ignore=shutil.ignore_patterns("__pycache__", ".*"))
            for call, old, new in zip(calls["calls"], first, answers(copy, each), strict=True):
                call.update(before=old, after=new)
            (FIXTURES / each / "calls.json").write_text(json.dumps(calls, indent=2) + "\n", "utf-8")
