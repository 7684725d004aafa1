"""The pages of the presets are true: the code under Wrong has the findings that it names, that under Right none.

The code on a page leaves out what every reader knows: imports, the server, the classes. It is written out here.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import Any

import msgspec
import pytest
from example_projects import EXAMPLES, variant_of, write
from fixture_projects import FIXTURES

from errlint.fix.run import find_fixes
from errlint.request import Request
from errlint.run import check
from errlint.settings import CommandLine, load
from errlint.settings import policy as model
from errlint.settings.conventions import presets_directory

PRESETS = sorted(path.stem for path in presets_directory().glob("*.toml"))
each_preset = pytest.mark.parametrize("preset", PRESETS)

SERVER = "from fastmcp import FastMCP\n\nmcp = FastMCP('server')\n"
AROUND = {
    "mcp-exceptions": SERVER
    + """
from failures import MCPSelectorError, MCPValidationError
from service import FORMATS, Stopwatch, new_request_id, render, resolve
""",
    "problem-details": SERVER
    + """
import logging

from boundary import handle_adapter_errors
from errors import FileReadError, InvalidLineRangeError, PathOutsideRepositoryError
from files import get_context, resolve_within_repo, root

LOGGER = logging.getLogger(__name__)
""",
    "coded-tool-errors": SERVER
    + """
import httpx
from fastmcp.exceptions import ToolError

client = httpx.AsyncClient()
""",
    "error-reports": """\
import json
import sys

from logger import get_logger
from runs import Run, now

logger = get_logger("orchestrator")
""",
    "typed-responses": SERVER
    + """
import time

from answers import DegradedResponse, ErrorResponse, QueuedResponse, SuccessResponse
from memory import Mode, config, elapsed, find, graph, llm_available, queue, queue_for_later, store_raw
from provider import RateLimitError
""",
}
BESIDE: dict[str, dict[str, str]] = {
    "error-reports": {"errlint.toml": '[adapters]\npaths = ["page.py"]\n'},
    "mcp-exceptions": {
        "failures.py": """\
class MCPToolError(Exception):
    def __init__(self, message, *, error_code, **fields):
        super().__init__(message)
        self.error_code, self.fields = error_code, fields


class MCPValidationError(MCPToolError):
    def __init__(self, message, **fields):
        super().__init__(message, error_code="VALIDATION_ERROR", **fields)


class MCPSelectorError(MCPToolError):
    def __init__(self, message, **fields):
        super().__init__(message, error_code="SELECTOR_ERROR", **fields)
""",
    },
    "problem-details": {
        "errors.py": """\
class KgFoundryError(Exception):
    def __init__(self, message, *, context=None, cause=None):
        super().__init__(message)
        self.message, self.context, self.__cause__ = message, context or {}, cause


class FileOperationError(KgFoundryError):
    def __init__(self, message, path, cause=None):
        super().__init__(message, context={"path": path}, cause=cause)


class FileReadError(FileOperationError):
    pass


class InvalidLineRangeError(FileOperationError):
    pass


class PathOutsideRepositoryError(KgFoundryError):
    pass
""",
    },
    "typed-responses": {
        "answers.py": """\
from pydantic import BaseModel


class SuccessResponse(BaseModel):
    status: str
    message: str
    episode_id: str
    processing_time_ms: int


class DegradedResponse(BaseModel):
    raw_stored: bool


class QueuedResponse(BaseModel):
    status: str


class ErrorResponse(BaseModel):
    error_code: str
""",
    },
}


MISSED = {("coded-tool-errors", "ERR306")}
"""What a page names and no rule finds yet: a status that is asked for behind a `try` with a handler that raises."""


def block(preset: str, heading: str) -> str:
    """Return the code under a heading of a page."""
    text = (presets_directory() / f"{preset}.md").read_text("utf-8")
    return text.partition(f"\n## {heading}\n")[2].partition("```python\n")[2].partition("```\n")[0]


def marked(code: str) -> list[tuple[int, str]]:
    """Return the lines of some code with the rules that their comments name."""
    return [
        (number, name)
        for number, line in enumerate(code.splitlines(), 1)
        for name in re.findall(r"\bERR\d{3}\b", line.partition("  # ")[2])
    ]


def findings(preset: str, code: str, folder: Path) -> list[tuple[int, str]]:
    """Return the findings about the code of a page, with lines of the page."""
    files = {"page.py": AROUND[preset] + "\n\n" + code, **BESIDE.get(preset, {})}
    files["errlint.toml"] = f'convention = "{preset}"\n' + files.get("errlint.toml", "")
    for name, content in files.items():
        (folder / name).write_text(content, "utf-8")
    start = files["page.py"].count("\n") - code.count("\n")
    found = check(Request(load(folder).settings, use_cache=False)).findings
    return sorted((each.span.line - start, each.code) for each in found if each.path == "page.py")


@each_preset
def test_the_wrong_code_of_a_page_has_the_findings_that_it_names(preset: str, tmp_path: Path) -> None:
    code = block(preset, "Wrong")
    assert marked(code)
    missed = {(line, name) for line, name in marked(code) if (preset, name) in MISSED}
    assert findings(preset, code, tmp_path) == sorted(set(marked(code)) - missed)


@each_preset
def test_the_right_code_of_a_page_has_none(preset: str, tmp_path: Path) -> None:
    code = block(preset, "Right")
    assert "def " in code
    assert findings(preset, code, tmp_path) == []


FIXED = {
    "mcp-exceptions": (
        'raise MCPExecutionError(\n            "cannot read",\n            operation="load",\n'
        '            original_error=str(exc),\n            context={"request_id": request_id},\n        ) from exc\n'
    ),
    "typed-responses": 'return ErrorResponse(message="cannot read")\n',
}


@pytest.mark.parametrize(("preset", "expected"), FIXED.items())
def test_the_classes_of_a_page_are_enough_for_a_migration(preset: str, expected: str, tmp_path: Path) -> None:
    server = (
        f"{SERVER}\n\n@mcp.tool()\ndef load(path: str, request_id: str) -> dict:\n"
        "    try:\n        return open(path).read()\n"
        "    except OSError:\n        return {'error': 'cannot read'}\n"
    )
    files = {"server.py": server.replace("'error': 'cannot read'", '"error": "cannot read"')}
    files["classes.py"] = block(preset, "What the code needs")
    files["errlint.toml"] = f'convention = "{preset}"\n'
    for name, content in files.items():
        (tmp_path / name).write_text(content, "utf-8")
    request = Request(load(tmp_path, overrides=CommandLine(select=("ERR101",))).settings, use_cache=False)
    found = find_fixes(request, check(request).findings, unsafe=True)
    assert expected in found.contents["server.py"][1].decode()


def test_each_rule_that_checks_a_statement_of_the_documents_has_an_example_that_runs() -> None:
    rows = re.findall(r"^\| \d\.\d+ \|.*", (presets_directory() / "README.md").read_text("utf-8"), re.MULTILINE)
    named = {code for row in rows for code in re.findall(r"\bERR\d{3}\b", row.rpartition("not checked")[0] or row)}
    assert named - {code for code, example in EXAMPLES if example.kind == "bad"} == set()


UNREAD = {("Policy", "name")}
"""Fields that only say what a policy is called."""


def test_every_key_of_a_policy_is_read_by_something_outside_of_the_settings(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    read: set[tuple[str, str]] = set()
    structs = [each for each in vars(model).values() if isinstance(each, type) and issubclass(each, msgspec.Struct)]
    for struct in structs:

        def get(self: Any, name: str, struct: type = struct) -> Any:
            caller = sys._getframe(1).f_globals.get("__name__", "")
            if not caller.startswith("errlint.settings"):
                read.add((struct.__name__, name))
            return object.__getattribute__(self, name)

        monkeypatch.setattr(struct, "__getattribute__", get)
    everything = CommandLine(select=("ALL",))
    projects = [*FIXTURES.glob("*/violating"), *FIXTURES.glob("*/before")]
    for index, (code, example) in enumerate(EXAMPLES):
        if code in ("ERR309", "ERR411") and example.kind == "bad":
            projects.append(tmp_path / str(index))
            projects[-1].mkdir()
            write(example, projects[-1], variant_of(example, "as written"))
    for project in projects:
        request = Request(load(project, overrides=everything).settings, use_cache=False)
        find_fixes(request, check(request).findings, unsafe=True)
    keys = {(struct.__name__, field) for struct in structs for field in struct.__struct_fields__}
    assert keys - read == UNREAD
