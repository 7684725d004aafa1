"""After any edit, a run with a cache reports to the byte what one without does, whatever runs and edits went before."""

from __future__ import annotations

import os
import random
from collections.abc import Callable
from itertools import count
from pathlib import Path

import pytest
from command_line import Run

Texts = tuple[str | None, ...]
"""What may stand in a file, at first what stands there at the beginning; ``None`` where it is not there."""

TOOL = """\
from fastmcp import FastMCP
{imports}

mcp = FastMCP("orders")


@mcp.tool()
def get_{name}(key: str) -> dict:
    {body}
"""


def tool(name: str, body: str, imports: str = "") -> str:
    """A server with one tool."""
    return TOOL.format(name=name, body=body, imports=imports)


REGISTRY = 'from enum import Enum\n\n\nclass ErrorCode(str, Enum):\n    NOT_FOUND = "not_found"\n    {more}\n'
RAISES = 'raise OrderError("no order", code="{}")'
ERROR = "class OrderError(Exception):\n    def __init__(self, text, code):\n        self.code = code\n"
ANSWER = 'def make_error(text):\n    return {"error": text}\n'
RESULT = 'def make_error(text):\n    return {"order": text}\n'
BOUNDARY = """\
from functools import wraps


def handled(function):
    @wraps(function)
    def wrapper(*args, **kwargs):
        try:
            return function(*args, **kwargs)
        except {}:
            return {{"isError": True}}

    return wrapper
"""
CHECKS = """\
from orders import get_order


def test_order():
    found = get_order("1")
    assert "error" not in found
"""

FILES: dict[str, Texts] = {
    "errlint.toml": (
        'extend-select = ["ALL"]\n',
        'extend-select = ["ALL"]\n[codes]\nregistry = ["ErrorCode"]\n',
        'extend-select = ["ALL"]\n[codes]\nregistry = ["codes:ErrorCode"]\n[exceptions]\nroot = ["OrderError"]\n',
        'extend-select = ["ALL"]\nextend-exclude = ["first/orders.py"]\n[codes]\nregistry = ["nowhere.ErrorCode"]\n',
        'extend-select = ["ALL"]\nextend-exclude = ["shared"]\n[[boundary]]\ndecorator = "handled"\n',
        'extend-select = ["ALL"]\n[catalog]\nfiles = ["docs/errors.md"]\n',
        'convention = "problem-details"\n',
        'tests = ["first/orders.py"]\n',
    ),
    ".gitignore": (None, "first/orders.py\n", "shared/\n"),
    "docs/errors.md": ("# Errors\n\n- `not_found`: no order\n", "# Errors\n\n- `gone`: no order\n", None),
    "shared/pyproject.toml": ("", None),
    "shared/answers.py": (ANSWER, RESULT, "def (", None),
    "shared/__init__.py": (None, "", "from answers import make_error\n"),
    "codes/pyproject.toml": ("", None),
    "codes/codes.py": (
        REGISTRY.format(more='OLD = "old"'),
        REGISTRY.format(more='GONE = "gone"'),
        'ErrorCode = {"old": 1}\n',
        None,
    ),
    "first/pyproject.toml": ("", '[tool.errlint]\nselect = ["ERR1"]\n', "[tool.errlint]\nselect = 1\n", None),
    "first/orders.py": (
        tool("order", RAISES.format("not_found"), ERROR),
        tool("order", RAISES.format("gone"), ERROR),
        tool("order", "return make_error(key)", "from answers import make_error"),
        tool("order", "return make_error(key)", "from shared.answers import make_error"),
        tool("order", 'raise ValueError("no order")', "from handling import handled").replace(
            "@mcp.tool()", "@mcp.tool()\n@handled"
        ),
        tool("order", "return {'error': key}  # errlint: ignore[ERR101] later"),
        "from fastmcp import FastMCP\nfrom lookups import look\n\nFastMCP('x').add_tool(look)\n",
        None,
    ),
    "first/tests/test_orders.py": (CHECKS, CHECKS.replace("error", "gone"), "import answers\n", None),
    "second/setup.cfg": ("", None),
    "second/lookups.py": ('def look(text):\n    return {"error": text}\n', RESULT, None),
    "second/answers.py": (None, ANSWER, RESULT),
    "third/pyproject.toml": (
        "",
        '[tool.errlint.exceptions]\nroot = ["answers.OrderError"]\n',
        '[tool.errlint.codes]\nregistry = ["codes.ErrorCode"]\n',
    ),
    "third/handling.py": (
        BOUNDARY.format("Exception"),
        BOUNDARY.format("KeyError"),
        tool("thing", RAISES.format("gone"), ERROR),
        tool("thing", RAISES.format("old"), ERROR),
    ),
    "checks/pyproject.toml": ("", None),
    "checks/test_all.py": (
        "def test_old(): assert 'old'\n",
        "def test_gone(): assert 'gone'\n",
        "from orders import OrderError\n",
        None,
    ),
}
START = {path: texts[0] for path, texts in FILES.items()}
EDITS = [(path, text) for path, texts in FILES.items() for text in texts[1:]]
NAMED = ((), ("first",), ("codes/codes.py",), ("third/handling.py", "second"), ("first/tests",))


class Project:
    """Files below the current folder whose times tell them apart and are long ago, as those of a checkout."""

    def __init__(self, root: Path, errlint: Run) -> None:
        self._root = root
        self._errlint = errlint
        self._times = count(1_700_000_000)

    def write(self, path: str, text: str | None) -> None:
        """Write a file, or remove it."""
        file = self._root / path
        if text is None:
            file.unlink(missing_ok=True)
            return
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
        os.utime(file, (time := next(self._times), time))

    def reports(self, *paths: str) -> tuple[object, object]:
        """What a run with the cache says, and one without."""
        options = ("check", "--output-format", "json", *(path for path in paths if (self._root / path).exists()))
        return self._errlint(*options), self._errlint(*options, "--no-cache")


@pytest.fixture
def project(tmp_path: Path, errlint: Run) -> Project:
    found = Project(tmp_path, errlint)
    for path, text in START.items():
        found.write(path, text)
    return found


def same(reports: tuple[object, object]) -> bool:
    return reports[0] == reports[1]


@pytest.mark.parametrize("settings", FILES["errlint.toml"])
def test_after_each_edit_and_when_it_is_taken_back(settings: str, project: Project) -> None:
    project.write("errlint.toml", settings)
    assert same(project.reports())
    for path, text in EDITS:
        if path != "errlint.toml":
            project.write(path, text)
            assert same(project.reports()), (path, text)
            project.write(path, START[path])
            assert same(project.reports()), f"{path} is as it was"


@pytest.mark.parametrize("seed", range(20))
def test_after_many_edits_and_runs_over_parts(seed: int, project: Project) -> None:
    drawn = random.Random(seed)
    for _ in range(30):
        for path, text in drawn.sample(EDITS, drawn.choice((1, 1, 2))):
            project.write(path, drawn.choice((text, START[path])))
        paths = drawn.choice(NAMED)
        assert same(project.reports(*paths)), paths


MOVES: dict[str, Callable[[Path], object]] = {
    "a module that an import leads to": lambda root: (root / "shared/answers.py").rename(root / "shared/replies.py"),
    "a distribution": lambda root: (root / "codes").rename(root / "registry"),
    "what marks one": lambda root: (root / "codes/pyproject.toml").unlink(),
    "a module into the distribution that imports it": lambda root: (root / "shared/answers.py").rename(
        root / "first/answers.py"
    ),
}


@pytest.mark.parametrize("move", MOVES.values(), ids=MOVES.keys())
def test_after_a_move(move: Callable[[Path], object], project: Project, tmp_path: Path) -> None:
    project.write("errlint.toml", FILES["errlint.toml"][2])
    project.write("first/orders.py", FILES["first/orders.py"][2])
    assert same(project.reports())
    move(tmp_path)
    assert same(project.reports())


SAMPLE = "# Errors\n\n## `not_found`\n\n```python\nfrom package import made\n```\n"


def test_when_a_module_comes_that_no_listing_has(project: Project, tmp_path: Path) -> None:
    project.write("errlint.toml", 'select = ["ERR508"]\n[catalog]\nfiles = ["docs/errors.md"]\n')
    project.write("docs/errors.md", SAMPLE)
    project.write("package/__init__.py", "")
    before = project.reports()
    assert same(before)
    assert "has no `made`" in str(before[0])
    (tmp_path / "package/made.so").touch()
    after = project.reports()
    assert same(after)
    assert "made" not in str(after[0])


@pytest.mark.skipif(os.name == "nt" or os.geteuid() == 0, reason="who may read everything cannot be kept from it")
def test_when_a_file_can_be_read_again(project: Project, tmp_path: Path) -> None:
    (tmp_path / "shared/answers.py").chmod(0)
    assert same(project.reports())
    (tmp_path / "shared/answers.py").chmod(0o644)
    assert same(project.reports())
