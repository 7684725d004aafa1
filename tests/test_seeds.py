"""The five documents that the presets are written after, by their own code: what they warn of is found, what they ask
for is left alone, and a fix turns one into the other.

The documents are not part of the repository. They are read from the folder that ``ERRLINT_SEEDS`` names, else from
``../shared/seeds``. Their examples are found by headings and by what stands around them. Most are fragments: what a
document says in words about its code base (names of classes, what they take) is written out here.
"""

from __future__ import annotations

import ast
import json
import os
import re
from pathlib import Path
from textwrap import indent
from typing import Any, NamedTuple

import pytest

from errlint.fix.run import find_fixes
from errlint.request import Request
from errlint.run import check
from errlint.settings import load

SEEDS = Path(os.environ.get("ERRLINT_SEEDS") or Path(__file__).parents[2] / "shared" / "seeds")
TEXTS = [path.read_text("utf-8") for path in sorted(SEEDS.glob("*.txt"))]

pytestmark = pytest.mark.skipif(not TEXTS, reason=f"the documents are not at {SEEDS}; ERRLINT_SEEDS names their folder")

Files = dict[str, str]


def document(opening: str) -> str:
    """Return the document that has a text; an empty one where there are no documents."""
    return next((text for text in TEXTS if opening in text), "")


def fences(text: str, language: str = "") -> list[str]:
    """Return what the code blocks of a language hold."""
    return re.findall(rf"^```{language}\w*\n(.*?)^```", text, re.MULTILINE | re.DOTALL)


def fence(text: str, holding: str) -> str:
    """Return the one code block that has a text."""
    (found,) = [each for each in fences(text) if holding in each]
    return found


def projected(folder: Path, files: Files) -> Request:
    """Make a project; return what checks it."""
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content, "utf-8")
    return Request(load(folder).settings, use_cache=False)


def found(folder: Path, files: Files) -> list[str]:
    """Return ``path:line code`` of all findings about a project.

    ERR905 is left out: the code of a document is a fragment, and has not all that its preset looks for.
    """
    findings = check(projected(folder, files)).findings
    return [f"{each.path}:{each.span.line} {each.code}" for each in findings if each.code != "ERR905"]


def fixed(folder: Path, files: Files) -> Files:
    """Return the files of a project as ``--fix --unsafe-fixes`` leaves them."""
    request = projected(folder, files)
    contents = find_fixes(request, check(request).findings, unsafe=True).contents
    return files | {path: new.decode() for path, (_, new) in contents.items()}


def line_of(code: str, text: str) -> int:
    """Return the line, from 1, at which the only occurrence of a text in some code stands."""
    assert code.count(text) == 1
    return code[: code.index(text)].count("\n") + 1


class _Alike(ast.NodeTransformer):
    """What is left of code without layout, the order of keywords, and the names that handlers choose."""

    def __init__(self) -> None:
        self._names: dict[str, str] = {}

    def visit_ExceptHandler(self, node: ast.ExceptHandler) -> ast.AST:
        if node.name is not None:
            self._names[node.name] = node.name = "caught"
        return self.generic_visit(node)

    def visit_Name(self, node: ast.Name) -> ast.AST:
        node.id = self._names.get(node.id, node.id)
        return node

    def visit_Call(self, node: ast.Call) -> ast.AST:
        node.keywords.sort(key=lambda item: item.arg or "")
        return self.generic_visit(node)


def alike(code: str) -> str:
    """Return code as it compares: see :class:`_Alike`."""
    return ast.unparse(_Alike().visit(ast.parse(code)))


# Living Reports Error Catalog: tools raise, and each error is shown as the JSON that a client gets.

REPORTS = document("# Living Reports Error Catalog")
REPORT_EXCEPTIONS = """\
class MCPToolError(Exception):
    def __init__(self, message, *, error_code, hints, context):
        super().__init__(message)
        self.message, self.error_code, self.hints, self.context = message, error_code, hints, context


class MCPValidationError(MCPToolError):
    def __init__(self, message, *, validation_errors, hints, context):
        super().__init__(message, error_code="VALIDATION_ERROR", hints=hints, context=context)
        self.validation_errors = validation_errors


class MCPExecutionError(MCPToolError):
    def __init__(self, message, *, operation, original_error="", hints, context):
        super().__init__(message, error_code="EXECUTION_ERROR", hints=hints, context=context)
        self.operation, self.original_error = operation, original_error


class MCPSelectorError(MCPToolError):
    def __init__(self, message, *, selector, error, candidates=(), hints, context):
        super().__init__(message, error_code="SELECTOR_ERROR", hints=hints, context=context)
        self.selector, self.error, self.candidates = selector, error, candidates
"""
REPORT_SERVICE = """\
def find(selector):
    return open(selector).read()


def timing():
    return {"total_duration_ms": 1}
"""
REPORT_TESTS = """\
from reports.exceptions import MCPExecutionError, MCPSelectorError, MCPValidationError


def test_errors():
    assert all((MCPExecutionError, MCPSelectorError, MCPValidationError))
"""
TOLD_AS = ("message", "error_type", "error_code")


class Told(NamedTuple):
    """An example of the document: the tool, and what its client gets."""

    tool: str
    fields: dict[str, Any]


def told() -> dict[str, Told]:
    """Return the examples by their headings; those with an ellipsis in their JSON are no examples."""
    examples: dict[str, Told] = {}
    section = "render_report"
    for part in re.split(r"^(?=#{2,4} )", REPORTS, flags=re.MULTILINE):
        heading = part.partition("\n")[0]
        section = named[1] if (named := re.match(r"## (\w+) Tool Errors", heading)) else section
        for block in fences(part, "json"):
            try:
                fields = json.loads(block)
            except ValueError:
                continue
            fields = fields.get("data", fields)
            if "error_type" in fields:
                tool = named[1] if (named := re.search(r"\((\w+)\)$", heading)) else section
                examples[f"{heading.lstrip('# ')}, {tool}"] = Told(tool, fields)
    return examples


TOLD = told()
each_told = pytest.mark.parametrize("heading", TOLD)


def report_tool(heading: str, *, raises: bool) -> Files:
    """Return the tool of an example, which raises it or answers it."""
    tool, fields = TOLD[heading]
    is_caught = "original_error" in fields
    texts = {name: repr(value) for name, value in fields.items()}
    texts["context"] = texts["context"].replace(repr(fields["context"]["request_id"]), "request_id")
    if is_caught:
        texts["original_error"] = "str(error)"
    if raises:
        given = ", ".join(f"{name}={text}" for name, text in texts.items() if name not in TOLD_AS)
        stop = f"raise {fields['error_type']}({texts['message']}, {given})" + " from error" * is_caught
    else:
        stop = "return {'status': 'error', " + ", ".join(f"{name!r}: {text}" for name, text in texts.items()) + "}"
    find = "report = service.find(report_selector)"
    body = (
        f"    try:\n        {find}\n    except OSError as error:\n        {stop}\n"
        if is_caught
        else f"    {find}\n    if not report:\n        {stop}\n"
    )
    imported = f"from reports.exceptions import {fields['error_type']}\n" if raises else ""
    return {
        "errlint.toml": 'convention = "mcp-exceptions"\n',
        "reports/__init__.py": "",
        "reports/exceptions.py": REPORT_EXCEPTIONS,
        "reports/service.py": REPORT_SERVICE,
        "reports/tool.py": f"from fastmcp import FastMCP\n\nfrom reports import service\n{imported}\n"
        f"mcp = FastMCP('reports')\n\n\n@mcp.tool()\n"
        f"async def {tool}(report_selector: str, request_id: str) -> dict:\n{body}"
        "    return {'status': 'success', 'request_id': request_id, 'timing': service.timing()}\n",
        "tests/test_tool.py": REPORT_TESTS,
    }


def test_the_catalog_has_examples_of_each_exception() -> None:
    assert {each.fields["error_type"] for each in TOLD.values()} == {
        "MCPValidationError",
        "MCPExecutionError",
        "MCPSelectorError",
    }
    assert len(TOLD) == 18


@each_told
def test_an_error_of_the_catalog_that_is_answered_is_found(heading: str, tmp_path: Path) -> None:
    files = report_tool(heading, raises=False)
    line = line_of(files["reports/tool.py"], "'status': 'error'")
    assert [each for each in found(tmp_path, files) if "tool.py" in each] == [f"reports/tool.py:{line} ERR101"]


@each_told
def test_an_error_of_the_catalog_that_is_raised_is_left_alone(heading: str, tmp_path: Path) -> None:
    files = report_tool(heading, raises=True)
    assert [each for each in found(tmp_path, files) if "tool.py" in each] == []


@each_told
def test_an_error_of_the_catalog_that_is_answered_is_raised_by_a_fix(heading: str, tmp_path: Path) -> None:
    after = fixed(tmp_path, report_tool(heading, raises=False))["reports/tool.py"]
    assert alike(after) == alike(report_tool(heading, raises=True)["reports/tool.py"])


FIELDS = ("hints", "context", "operation", "validation_errors", "selector", "error")


@pytest.mark.parametrize(
    ("heading", "field"), [(heading, field) for heading in TOLD for field in FIELDS if field in TOLD[heading].fields]
)
def test_an_error_of_the_catalog_without_one_of_its_fields_is_found(heading: str, field: str, tmp_path: Path) -> None:
    files = report_tool(heading, raises=True)
    tree = ast.parse(files["reports/tool.py"])
    (call,) = [each.exc for each in ast.walk(tree) if isinstance(each, ast.Raise)]
    assert isinstance(call, ast.Call)
    call.keywords = [item for item in call.keywords if item.arg != field]
    files["reports/tool.py"] = ast.unparse(tree) + "\n"
    files["reports/exceptions.py"] = re.sub(
        r"\b(hints|context|operation|validation_errors|selector|error)([,)])", r"\1=None\2", REPORT_EXCEPTIONS
    )
    line = line_of(files["reports/tool.py"], "raise ")
    expected = f"reports/tool.py:{line} {'ERR401' if field == 'hints' else 'ERR403'}"
    assert expected in found(tmp_path, files)


def test_the_catalog_agrees_with_the_errors_it_shows_but_where_it_contradicts_itself(tmp_path: Path) -> None:
    files = report_tool(next(iter(TOLD)), raises=True)
    files |= {
        f"reports/tool_{index}.py": report_tool(heading, raises=True)["reports/tool.py"]
        for index, heading in enumerate(TOLD)
    }
    files["errlint.toml"] += '[catalog]\nfiles = ["docs/errors.md"]\n'
    files["docs/errors.md"] = REPORTS
    del files["reports/tool.py"]
    lines = REPORTS.splitlines()
    about = [each.removeprefix("docs/errors.md:").split() for each in found(tmp_path, files) if "tests/" not in each]
    told_of = [(code, lines[int(line) - 1]) for line, code in about]
    others = [each for each in told_of if each[0] != "ERR508"]
    assert others == [
        # Hints with the IDs of one example, and values of an example whose JSON ends in an ellipsis.
        (
            "ERR504",
            '"Use a more specific selector or one of: rpt_550e8400e29b11d4a716446655440000, '
            'rpt_660f9511f39c22e5b827557766551111",',
        ),
        ("ERR507", '- `error`: Error type ("not_found", "ambiguous", "invalid_format")'),  # no example has the third
        ("ERR509", '"candidates": ["rpt_abc123", "rpt_def456"],'),  # objects elsewhere
        ("ERR503", '"Cannot add - insight_id already exists: abc-123",'),
        ("ERR503", '"Section ID not found: xyz-789"'),
        ("ERR507", '- `error`: Error type ("not_found", "ambiguous", "invalid_format")'),
        ("ERR502", "#### version_mismatch"),  # what to do about an error of which there is no entry and no example
    ]


# Consistent Error Handling and Responses: adapters that answer, and what becomes of them.

ADAPTERS = document("# Consistent Error Handling and Responses (Phase 4)")
ADAPTER_ERRORS = """\
from enum import Enum


class ErrorCode(str, Enum):
    FILE_OPERATION_ERROR = "file-operation-error"
    GIT_OPERATION_ERROR = "git-operation-error"
    PATH_OUTSIDE_REPOSITORY = "path-outside-repository"


class KgFoundryError(Exception):
    def __init__(self, message, *, code, http_status=500, context=None, cause=None, log_level=40):
        super().__init__(message)
        self.message, self.code, self.http_status = message, code, http_status
        self.context, self.log_level = context or {}, log_level
        self.__cause__ = cause

    def to_problem_details(self, *, instance):
        return build_problem_details(
            type=f"https://kgfoundry.dev/problems/{self.code.value}",
            title=self.code.value.replace("-", " ").title(),
            status=self.http_status,
            detail=self.message,
            instance=instance,
            code=self.code.value,
            extensions=self.context,
        )


def build_problem_details(*, type, title, status, detail, instance, code, extensions=None):
    return {
        "type": type,
        "title": title,
        "status": status,
        "detail": detail,
        "instance": instance,
        "code": code,
        "extensions": extensions or {},
    }


class PathOutsideRepositoryError(KgFoundryError):
    def __init__(self, message, path):
        super().__init__(message, code=ErrorCode.PATH_OUTSIDE_REPOSITORY, http_status=400, context={"path": path})


"""
ADAPTER_BOUNDARY = """\
import functools

from kgfoundry.logging import get_logger, with_fields

from codeintel_rev.errors import KgFoundryError, build_problem_details

LOGGER = get_logger(__name__)


def handle_adapter_errors(*, empty_result):
    def decorate(function):
        @functools.wraps(function)
        def call(*args, **kwargs):
            try:
                return function(*args, **kwargs)
            except Exception as exc:
                return convert_exception_to_envelope(exc, function.__name__, empty_result)

        return call

    return decorate


"""
ADAPTER_SERVER = """\
from fastmcp import FastMCP

from codeintel_rev.context import get_context
from codeintel_rev.files import open_file
from codeintel_rev.mcp_server.error_handling import handle_adapter_errors

mcp = FastMCP("codeintel")


"""
ADAPTER_IO = """\
from codeintel_rev.errors import PathOutsideRepositoryError


def resolve_within_repo(repo_root, path, allow_nonexistent=True):
    found = (repo_root / path).resolve()
    if not found.is_relative_to(repo_root):
        raise PathOutsideRepositoryError(f"{path} is outside of the repository", path=path)
    if not (allow_nonexistent or found.exists()):
        raise FileNotFoundError(f"File not found: {path}")
    return found
"""
ADAPTER_CONTEXT = "class Context:\n    repo_root = None\n\n\ndef get_context():\n    return Context()\n"
ADAPTER_FILES = """\
from codeintel_rev.errors import FileReadError, PathOutsideRepositoryError
from codeintel_rev.io import resolve_within_repo


"""
OPEN_FILE = "def open_file(context, path, start_line, end_line):\n"


def adapter_before(*, comments: bool = True) -> str:
    """Return the function of the document that answers its errors, all four of them."""
    body = fence(ADAPTERS, "# 4 separate error paths").partition("# 4 separate")[0].rstrip()
    body = "repo_root = context.repo_root\n" + body + '\nreturn {"path": path, "content": content}\n'
    if not comments:
        body = re.sub(r" +#.*", "", body)
    return ADAPTER_FILES + OPEN_FILE + indent(body, "    ")


ABBREVIATED = {
    "resolve_within_repo(repo_root, path)": "resolve_within_repo(repo_root, path, allow_nonexistent=False)",
    'return {"path": path, "content": file_path.read_text()}': (
        'content = file_path.read_text(encoding="utf-8")\n    return {"path": path, "content": content}'
    ),
}
"""What the document shows of the new function, and what stands for it in the old one."""


def adapter_after(*, whole: bool = False) -> str:
    """Return the function of the document that raises them; ``whole`` fills in what goes well from the old one."""
    both = fence(ADAPTERS, "# After (exception-based)")
    body = both.partition("# After (exception-based)\n")[2].removeprefix(OPEN_FILE).replace(", ...}", "}")
    for short, long in ABBREVIATED.items() if whole else ():
        body = body.replace(short, long)
    return ADAPTER_FILES + OPEN_FILE + "    repo_root = context.repo_root\n" + body


def adapter_project(files: str) -> Files:
    """Return the whole project of the document around the module with the adapter."""
    return {
        "errlint.toml": 'convention = "problem-details"\n',
        "codeintel_rev/__init__.py": "",
        "codeintel_rev/context.py": ADAPTER_CONTEXT,
        "codeintel_rev/io.py": ADAPTER_IO,
        "codeintel_rev/errors.py": ADAPTER_ERRORS + fence(ADAPTERS, "(NEW)").partition("(NEW)\n\n")[2],
        "codeintel_rev/files.py": files,
        "codeintel_rev/mcp_server/__init__.py": "",
        "codeintel_rev/mcp_server/error_handling.py": ADAPTER_BOUNDARY
        + fence(ADAPTERS, "def convert_exception_to_envelope("),
        "codeintel_rev/mcp_server/server.py": ADAPTER_SERVER + fence(ADAPTERS, "@handle_adapter_errors("),
    }


def test_each_error_that_the_adapter_of_the_document_builds_by_hand_is_found(tmp_path: Path) -> None:
    code = adapter_before()
    lines = [index for index, line in enumerate(code.splitlines(), 1) if line.endswith("# Manual error dict")]
    assert len(lines) == 4
    about = [each for each in found(tmp_path, adapter_project(code)) if each.startswith("codeintel_rev/files.py")]
    assert about == [f"codeintel_rev/files.py:{line} ERR101" for line in lines]


def test_the_adapter_that_raises_is_left_alone(tmp_path: Path) -> None:
    files = found(tmp_path, adapter_project(adapter_after()))
    assert [each for each in files if "error_handling.py" not in each] == []


def test_the_boundary_of_the_document_breaks_what_the_document_asks_of_boundaries(tmp_path: Path) -> None:
    """It wants a safe message for what nobody expected, and error_code and context in each log."""
    files = adapter_project(adapter_after())
    code = files["codeintel_rev/mcp_server/error_handling.py"]
    last = code[: code.index("# Unknown exception")].count("\n") + 2
    assert found(tmp_path, files) == [
        f"codeintel_rev/mcp_server/error_handling.py:{line_of(code, 'LOGGER.warning(')} ERR405",
        f"codeintel_rev/mcp_server/error_handling.py:{last} ERR211",
        f"codeintel_rev/mcp_server/error_handling.py:{line_of(code, 'LOGGER.exception(')} ERR405",
    ]


def test_the_adapter_that_answers_becomes_the_one_that_raises(tmp_path: Path) -> None:
    project = adapter_project(adapter_before(comments=False))
    project["errlint.toml"] += '[exceptions.map]\nUnicodeDecodeError = "propagate"\n'
    after = fixed(tmp_path, project)["codeintel_rev/files.py"]
    assert alike(after) == alike(adapter_after(whole=True).replace(", PathOutsideRepositoryError", ""))


def test_errors_of_the_adapter_are_raised_and_what_raises_already_goes_on(tmp_path: Path) -> None:
    after = fixed(tmp_path, adapter_project(adapter_before(comments=False)))["codeintel_rev/files.py"]
    body = """\
repo_root = context.repo_root
file_path = resolve_within_repo(repo_root, path, allow_nonexistent=False)
if not file_path.is_file():
    raise FileNotFoundError(f"Not a file: {path}")
try:
    content = file_path.read_text(encoding="utf-8")
except UnicodeDecodeError as exc:
    raise FileReadError("Binary file or encoding error", path=path, cause=exc) from exc
return {"path": path, "content": content}
"""
    imports = ADAPTER_FILES.replace(", PathOutsideRepositoryError", "")
    assert alike(after) == alike(imports + OPEN_FILE + indent(body, "    "))


# A page on errors of tools: no code is left of it but codes, tables and one message.

CODED = document("ToolError whose message starts with a bracketed code")
MESSAGE = next(iter(re.findall(r"for example (\[\w+\] [^.]+\.)", CODED)), "[] ")
STATUSES = {
    int(status): code
    for statuses, code in re.findall(
        r"([\d/]+)\s+to\s+\[(\w+)\]", CODED.partition("maps to a default:")[2].partition("Branch on")[0]
    )
    for status in statuses.split("/")
}
CODED_SERVER = """\
import httpx
from fastmcp import FastMCP
from fastmcp.exceptions import ToolError

mcp = FastMCP("panel")
client = httpx.AsyncClient()


@mcp.tool()
async def study_get(study_id: str) -> dict:
"""


def coded(body: str) -> Files:
    """Return a server with one tool."""
    return {"errlint.toml": 'convention = "coded-tool-errors"\n', "server.py": CODED_SERVER + indent(body, "    ")}


def retryability() -> list[tuple[str, bool]]:
    """Return the codes of the table with whether a retry can help."""
    table = re.search(r"\| Retryable \| Not retryable \|\n\|---\|---\|\n\| (.*?) \| (.*?) \|", CODED)
    sides = zip((True, False), table.groups(), strict=True) if table else ()
    return [(code, retryable) for retryable, codes in sides for code in re.findall(r"\[(\w+)\]", codes)]


def test_the_message_that_the_page_shows_is_left_alone_and_found_without_its_code(tmp_path: Path) -> None:
    assert found(tmp_path, coded(f"raise ToolError({MESSAGE!r})\n")) == []
    bare = MESSAGE.partition("] ")[2]
    assert found(tmp_path, coded(f"raise ToolError({bare!r})\n")) == ["server.py:11 ERR305"]


def test_an_answer_with_the_code_of_the_page_becomes_its_message(tmp_path: Path) -> None:
    code, text = MESSAGE[1:].split("] ")
    answered = coded(f"return {{'error': {text!r}, 'error_code': {code!r}}}\n")
    assert found(tmp_path, answered) == ["server.py:11 ERR101"]
    after = coded(f"raise ToolError({MESSAGE!r})\n")["server.py"]
    assert alike(fixed(tmp_path, answered)["server.py"]) == alike(after)


def by_status(status: int, code: str) -> Files:
    """Return a tool that raises a code for a status, after it asked for the code that the answer names."""
    return coded(
        "answer = await client.get('/studies/' + study_id)\n"
        "if answer.json().get('error_code') == 'forbidden':\n"
        "    raise ToolError('[forbidden] not yours')\n"
        f"if answer.status_code == {status}:\n"
        f"    raise ToolError('[{code}] the backend says no')\n"
        "return answer.json()\n"
    )


@pytest.mark.parametrize(("status", "code"), STATUSES.items())
def test_a_status_has_the_code_that_the_page_gives_it(status: int, code: str, tmp_path: Path) -> None:
    def told(said: str) -> list[str]:
        # What the message of a code has to name is another rule's.
        return [each for each in found(tmp_path, by_status(status, said)) if not each.endswith("ERR401")]

    assert told(code) == []
    for other in {*STATUSES.values()} - {code}:
        assert told(other) == ["server.py:15 ERR306"], other


@pytest.mark.parametrize(("code", "retryable"), retryability())
def test_only_a_code_that_the_page_calls_retryable_may_say_so(code: str, retryable: bool, tmp_path: Path) -> None:
    for claimed in (True, False):
        payload = f"answer = {{'error_code': {code!r}, 'retryable': {claimed}}}\nraise ToolFailed(**answer)\n"
        files = coded(
            payload.replace("ToolFailed(**answer)", f"Failed('no', error_code={code!r}, retryable={claimed})")
        )
        files["server.py"] = files["server.py"].replace(
            "\n\n@mcp",
            "\n\nclass Failed(ToolError):\n    def __init__(self, message, error_code, retryable):\n"
            "        super().__init__(f'[{error_code}] {message}')\n\n\n@mcp",
        )
        wrong = [each.split()[1] for each in found(tmp_path, files) if "ERR307" in each]
        assert wrong == ([] if claimed == retryable else ["ERR307"])


VERIFY = re.findall(r"^\| (Study create|Iteration|Run dispatch|Analyze) \| `(\w+\([^`]*\))`", CODED, re.MULTILINE)
WRITES = {"Study create": "study_create", "Iteration": "iteration_create", "Run dispatch": "study_run_dispatch"}


@pytest.mark.parametrize(("write", "call"), VERIFY)
def test_a_timeout_of_a_write_names_the_call_that_the_page_gives(write: str, call: str, tmp_path: Path) -> None:
    name = WRITES.get(write, "study_analyze")
    for text, expected in (("try again", ["server.py:14 ERR408"]), (f"check {call} before retrying", [])):
        files = coded(
            "try:\n"
            "    return await client.post('/studies/' + study_id)\n"
            "except httpx.TimeoutException as error:\n"
            f"    raise ToolError({'[timeout] no answer; ' + text!r}) from error\n"
        )
        files["server.py"] = files["server.py"].replace("study_get(study_id: str)", f"{name}(study_id: str)")
        assert found(tmp_path, files) == expected


SETUP = """\
class ChatbotSetupResponse:
    def __init__(self, ok, error_kind=None):
        self.ok, self.error_kind = ok, error_kind


@mcp.tool()
async def chatbot_setup(config: str):
    if not config:
        {}
    return ChatbotSetupResponse(ok=True)
"""


def test_the_tool_that_answers_answers_and_does_not_raise(tmp_path: Path) -> None:
    assert "chatbot_setup returns failure, it does not raise" in CODED
    server = CODED_SERVER.partition("@mcp.tool()")[0]
    for stop, expected in (
        ("return ChatbotSetupResponse(ok=False, error_kind='no_audio_track')", []),
        ("return ChatbotSetupResponse(ok=False)", ["server.py:17 ERR403"]),
        ("raise ToolError('[validation_error] config is empty')", ["server.py:17 ERR210"]),
    ):
        files = coded("") | {"server.py": server + SETUP.format(stop)}
        assert found(tmp_path, files) == expected


# Unified Error Reporting Format: agents log a record and write it to a file.

AGENTS = document("Unified Error Reporting Format")
STAMP = next(iter(re.findall(r'"timestamp": "(\d[^"]+)"', AGENTS)), "")
RECORD = json.loads(next(iter(fences(AGENTS, "json")), "{}"))


def scripts() -> dict[str, str]:
    """Return the Python in the shell scripts by their headings, as the shell hands it on."""
    examples = re.findall(r"^### (Example \d[^\n]*)\n+```bash\n(.*?)^```", AGENTS, re.MULTILINE | re.DOTALL)
    quoted = {heading: re.search(r"python3 -c '\n(.*?)'\"", code, re.DOTALL) for heading, code in examples}
    return {
        heading: re.sub(r"\$\(date[^)]*\)", STAMP, code[1].replace('\\"', '"').replace("\\$", "$"))
        for heading, code in quoted.items()
        if code is not None
    }


SCRIPTS = scripts()
each_script = pytest.mark.parametrize("heading", SCRIPTS)


def agent(code: str) -> Files:
    return {"errlint.toml": 'convention = "error-reports"\n[adapters]\npaths = ["agents/**"]\n', "agents/run.py": code}


def in_a_function(code: str) -> str:
    return "def report():\n" + indent(code, "    ")


def without_field(code: str, field: str) -> str:
    """Return a script whose record lacks a field."""
    tree = ast.parse(code)
    record = next(each for each in ast.walk(tree) if isinstance(each, ast.Dict) and len(each.keys) > 2)
    kept = [
        (key, value)
        for key, value in zip(record.keys, record.values, strict=True)
        if ast.literal_eval(key or ast.Constant(None)) != field
    ]
    record.keys, record.values = [key for key, _ in kept], [value for _, value in kept]
    return ast.unparse(tree) + "\n"


@each_script
def test_a_script_of_the_document_is_left_alone(heading: str, tmp_path: Path) -> None:
    assert found(tmp_path, agent(SCRIPTS[heading])) == []
    assert found(tmp_path, agent(in_a_function(SCRIPTS[heading]))) == []


@each_script
@pytest.mark.parametrize("field", RECORD.get("error", {}))
def test_a_record_without_a_field_of_the_format_is_found(heading: str, field: str, tmp_path: Path) -> None:
    code = in_a_function(without_field(SCRIPTS[heading], field))
    assert found(tmp_path, agent(code)) == [f"agents/run.py:{line_of(code, 'error = {')} ERR403"]


@each_script
def test_a_record_without_a_field_is_found_at_the_top_level_of_a_script(heading: str, tmp_path: Path) -> None:
    code = without_field(SCRIPTS[heading], "recovery")
    assert f"agents/run.py:{line_of(code, 'error = {')} ERR403" in found(tmp_path, agent(code))


@each_script
def test_a_log_without_type_and_a_record_without_its_file_are_found(heading: str, tmp_path: Path) -> None:
    code = in_a_function(SCRIPTS[heading])
    (logged,) = re.findall(r'logger\.\w+\("[^"]*",', code)
    unlogged = re.sub(r'error_type="\w+",', "", code)
    assert found(tmp_path, agent(unlogged)) == [f"agents/run.py:{line_of(unlogged, logged)} ERR405"]
    unwritten = re.sub(r"    with open.*\n.*\n", "", code)
    codes = [each.split()[1] for each in found(tmp_path, agent(unwritten))]
    assert codes == (["ERR407"] if RECORD and '"warning"' not in code else [])


def test_the_log_of_the_document_is_left_alone(tmp_path: Path) -> None:
    code = in_a_function("url = ''\n" + fence(AGENTS, "# Log error in structured format"))
    assert found(tmp_path, agent(code)) == []


def test_the_record_of_the_document_is_left_alone_where_it_is_returned(tmp_path: Path) -> None:
    assert found(tmp_path, agent(in_a_function(f"return {RECORD!r}\n"))) == []


# MCP Tools Error Handling: tools answer one of four types, and each is shown as the JSON that a client gets.

ANSWERS = {
    name: json.loads(block)
    for name, block in re.findall(
        r"^\*\*(\w+)\*\*:\n```json\n(.*?)^```",
        document("# Story 18: MCP Tools Error Handling"),
        re.MULTILINE | re.DOTALL,
    )
}
each_answer = pytest.mark.parametrize("name", ANSWERS)
ANSWER_TYPES = """\
from pydantic import BaseModel


class Answer(BaseModel):
    status: str
    message: str


class SuccessResponse(Answer):
    episode_id: str
    processing_time_ms: int
    entities_extracted: int
    relationships_extracted: int


class DegradedResponse(Answer):
    episode_id: str
    processing_time_ms: int
    raw_stored: bool
    entities_extracted: int
    reprocess_available: bool


class QueuedResponse(Answer):
    episode_id: str
    processing_time_ms: int


class ErrorResponse(Answer):
    error_type: str
    error_code: str
    recoverable: bool
    suggestion: str
    retry_after_seconds: int | None = None
"""


def answering(name: str, *, typed: bool) -> Files:
    """Return a server whose tool gives an answer of the document, typed or as a dict."""
    made = f"{name}Response({', '.join(f'{key}={value!r}' for key, value in ANSWERS[name].items())})"
    imported = f"from mcp_server.models import {name}Response\n" if typed else ""
    return {
        "errlint.toml": 'convention = "typed-responses"\n',
        "mcp_server/__init__.py": "",
        "mcp_server/models.py": ANSWER_TYPES,
        "mcp_server/server.py": f"from fastmcp import FastMCP\n\n{imported}\nmcp = FastMCP('memory')\n\n\n@mcp.tool()\n"
        f"async def add_memory(name: str):\n    return {made if typed else repr(ANSWERS[name])}\n",
    }


@each_answer
def test_an_answer_that_is_a_dict_is_found(name: str, tmp_path: Path) -> None:
    files = answering(name, typed=False)
    line = line_of(files["mcp_server/server.py"], "return {")
    assert found(tmp_path, files) == [f"mcp_server/server.py:{line} ERR101"]


@each_answer
def test_an_answer_of_a_type_is_left_alone(name: str, tmp_path: Path) -> None:
    files = answering(name, typed=True)
    line = line_of(files["mcp_server/server.py"], "return ")
    # The document asks for the time in all answers, and shows a degraded one without.
    expected = [f"mcp_server/server.py:{line} ERR403"] if name == "Degraded" else []
    assert found(tmp_path, files) == expected


@each_answer
def test_an_answer_that_is_a_dict_becomes_one_of_a_type(name: str, tmp_path: Path) -> None:
    files = answering(name, typed=False)
    # The example of a degraded answer has no time, though all have one: it can be made only where there is a default.
    files["mcp_server/models.py"] = ANSWER_TYPES.replace("processing_time_ms: int", "processing_time_ms: int = 0")
    after = fixed(tmp_path, files)["mcp_server/server.py"]
    assert alike(after) == alike(answering(name, typed=True)["mcp_server/server.py"])


@each_answer
def test_an_answer_without_a_field_of_its_type_is_found(name: str, tmp_path: Path) -> None:
    wanted = {"Error": "suggestion", "Success": "episode_id", "Degraded": "raw_stored"}[name]
    files = answering(name, typed=True)
    value = re.escape(repr(ANSWERS[name][wanted]))
    server = re.sub(rf",? ?{wanted}={value}", "", files["mcp_server/server.py"])
    files["mcp_server/server.py"] = server
    files["mcp_server/models.py"] = re.sub(rf"({wanted}: \w+)\n", r"\1 | None = None\n", ANSWER_TYPES)
    codes = {each.split()[1] for each in found(tmp_path, files)}
    assert codes == ({"ERR401"} if name == "Error" else {"ERR403"})
