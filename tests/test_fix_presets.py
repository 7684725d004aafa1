"""A server that names a preset, and nothing else, is migrated to what its convention raises."""

from __future__ import annotations

from ast import parse, unparse
from pathlib import Path

from command_line import Run

CODED = '''\
import httpx
from fastmcp import FastMCP

mcp = FastMCP("orders")
client = httpx.AsyncClient()


@mcp.tool()
async def fetch(order_id: str, page: int = 1) -> dict:
    """Fetch an order."""
    if page < 1:
        return {"error": f"page must be positive, got {page}"}
    if not order_id:
        return {"error": "[validation_error] order_id is empty"}
    try:
        return await client.get(order_id)
    except httpx.TimeoutException as e:
        return {"error": str(e)}
    except httpx.ConnectError:
        return {"error": "the shop does not answer", "error_code": "network_error", "page": page}
    except OSError as e:
        return {"error": "it's " + e.strerror, "code": e.errno}
'''
RAISED = (
    'raise ToolError(f"[validation_error] page must be positive, got {page}")\n',
    'raise ToolError("[validation_error] order_id is empty")\n',
    'raise ToolError("[timeout] " + str(e)) from e\n',
    'raise ToolError("[network_error] the shop does not answer") from e\n',
)


def test_tools_of_a_convention_with_codes_raise_a_tool_error_that_begins_with_one(tmp_path: Path, errlint: Run) -> None:
    (tmp_path / "errlint.toml").write_text('convention = "coded-tool-errors"\n')
    (tmp_path / "server.py").write_text(CODED)
    done = errlint("--no-cache", "--fix", "--unsafe-fixes", "--select", "ERR1,ERR305")
    assert "5 fixed in 1 file" in done.err
    fixed = (tmp_path / "server.py").read_text()
    assert [text for text in RAISED if text not in fixed] == []
    assert "    server.py:19  the code `timeout` is chosen for want of one in the payload\n" in done.err
    assert "    server.py:21  `ToolError` takes a message alone: clients do not get `page` any more\n" in done.err
    assert errlint("--no-cache", "--select", "ERR1").status == 0


EXCEPTIONS = """\
class MCPToolError(Exception):
    def __init__(self, message, *, error_code, hints=None, context=None):
        super().__init__(message)
        self.error_code, self.hints, self.context = error_code, hints or [], context or {}


class MCPValidationError(MCPToolError):
    def __init__(self, message, *, validation_errors=None, hints=None, context=None):
        super().__init__(message, error_code="VALIDATION_ERROR", hints=hints, context=context)


class MCPExecutionError(MCPToolError):
    def __init__(self, message, *, operation, hints=None, context=None):
        super().__init__(message, error_code="EXECUTION_ERROR", hints=hints, context=context)


class MCPSelectorError(MCPToolError):
    def __init__(self, message, *, selector, error="not_found", hints=None, context=None):
        super().__init__(message, error_code="SELECTOR_ERROR", hints=hints, context=context)
"""
REPORTS = '''\
from fastmcp import FastMCP

mcp = FastMCP("reports")


@mcp.tool()
async def print_report(report_selector: str, format: str = "html", request_id: str | None = None) -> dict:
    """Print a report."""
    if format not in ("html", "pdf"):
        return {"status": "error", "message": f"Invalid format {format}. Must be html or pdf", "hints": ["Use html"]}
    report = find(report_selector)
    if report is None:
        return {"status": "error", "error": f"Could not resolve report selector: {report_selector}"}
    try:
        return print_it(report, format)
    except OSError as exc:
        return {"status": "error", "error": f"Printing failed: {exc}", "request_id": request_id}
'''
MIGRATED = """\
    if format not in ("html", "pdf"):
        raise MCPValidationError(
            f"Invalid format {format}. Must be html or pdf",
            hints=["Use html"],
            context={"request_id": request_id},
        )
    report = find(report_selector)
    if report is None:
        raise MCPSelectorError(
            f"Could not resolve report selector: {report_selector}",
            selector=report_selector,
            context={"request_id": request_id},
        )
    try:
        return print_it(report, format)
    except OSError as exc:
        raise MCPExecutionError(
            f"Printing failed: {exc}",
            operation="print_report",
            context={"request_id": request_id},
        ) from exc
"""


def test_tools_of_a_convention_with_exceptions_of_its_own_give_them_what_is_in_scope(
    tmp_path: Path, errlint: Run
) -> None:
    (tmp_path / "errlint.toml").write_text('convention = "mcp-exceptions"\n')
    (tmp_path / "failures.py").write_text(EXCEPTIONS)
    (tmp_path / "server.py").write_text(REPORTS)
    done = errlint("--no-cache", "--fix", "--unsafe-fixes", "--select", "ERR1")
    assert (done.status, done.out) == (0, "All checks passed (2 files checked).\n")
    assert "3 fixed in 1 file" in done.err
    fixed = (tmp_path / "server.py").read_text()
    assert fixed.endswith(MIGRATED)
    assert "from failures import MCPExecutionError, MCPSelectorError, MCPValidationError\n" in fixed


AMBIGUOUS = """\
from fastmcp import FastMCP

mcp = FastMCP("reports")


@mcp.tool()
async def find_report(name: str) -> dict:
    return {
        "status": "error",
        "error_type": "MCPSelectorError",
        "message": "Two reports have this name",
        "selector": name,
        "error": "ambiguous",
    }
"""


def test_a_payload_that_names_the_class_and_has_its_error_as_a_field_becomes_it(tmp_path: Path, errlint: Run) -> None:
    (tmp_path / "errlint.toml").write_text('convention = "mcp-exceptions"\n')
    (tmp_path / "failures.py").write_text(EXCEPTIONS)
    (tmp_path / "server.py").write_text(AMBIGUOUS)
    errlint("--no-cache", "--fix", "--unsafe-fixes", "--select", "ERR1")
    raised = "    raise MCPSelectorError('Two reports have this name', selector=name, error='ambiguous')"
    assert unparse(parse((tmp_path / "server.py").read_text())).endswith(raised)


def test_an_import_of_the_exception_that_nothing_uses_yet_is_used(tmp_path: Path, errlint: Run) -> None:
    (tmp_path / "errlint.toml").write_text('convention = "coded-tool-errors"\n')
    (tmp_path / "server.py").write_text(
        "from fastmcp import FastMCP\nfrom fastmcp.exceptions import ToolError\n\nmcp = FastMCP('panel')\n\n\n"
        "@mcp.tool()\ndef fetch(name: str) -> dict:\n    return {'error': 'no such study', 'error_code': 'not_found'}\n"
    )
    errlint("--no-cache", "--fix", "--unsafe-fixes", "--select", "ERR1")
    fixed = (tmp_path / "server.py").read_text()
    assert fixed.endswith("    raise ToolError('[not_found] no such study')\n")
    assert fixed.count("import ToolError") == 1


def test_an_answer_becomes_a_type_that_does_not_look_like_one_of_errors(tmp_path: Path, errlint: Run) -> None:
    (tmp_path / "errlint.toml").write_text('convention = "typed-responses"\n')
    (tmp_path / "answers.py").write_text(
        "from pydantic import BaseModel\n\n\nclass Answer(BaseModel):\n    status: str\n    message: str\n\n\n"
        "class SuccessResponse(Answer):\n    episode_id: str\n    processing_time_ms: int\n"
    )
    (tmp_path / "server.py").write_text(
        "from fastmcp import FastMCP\n\nmcp = FastMCP('memory')\n\n\n@mcp.tool()\ndef store(name: str) -> dict:\n"
        "    return {'status': 'success', 'message': 'stored', 'episode_id': name, 'processing_time_ms': 3}\n"
    )
    errlint("--no-cache", "--fix", "--unsafe-fixes", "--select", "ERR1")
    assert "return SuccessResponse(" in (tmp_path / "server.py").read_text()


OPTIONAL = """\
class MCPExecutionError(Exception):
    def __init__(self, message, *, operation="", original_error="", hints=(), context=None):
        super().__init__(message)
"""
READING = """\
from fastmcp import FastMCP

mcp = FastMCP("reports")


@mcp.tool()
def read(path: str, request_id: str) -> dict:
    try:
        return {"text": open(path).read()}
    except OSError as error:
        return {"error": f"cannot read: {error}"}
"""


def test_what_a_convention_asks_for_is_given_also_where_the_constructor_has_a_default(
    tmp_path: Path, errlint: Run
) -> None:
    """``read`` of an open file is no tool of that name."""
    (tmp_path / "errlint.toml").write_text('convention = "mcp-exceptions"\n')
    (tmp_path / "failures.py").write_text(OPTIONAL)
    (tmp_path / "server.py").write_text(READING)
    done = errlint("--no-cache", "--fix", "--unsafe-fixes", "--select", "ERR101")
    assert "it may be called here" not in done.err
    assert (
        (tmp_path / "server.py")
        .read_text()
        .endswith(
            """\
    except OSError as error:
        raise MCPExecutionError(
            f"cannot read: {error}",
            operation="read",
            original_error=str(error),
            context={"request_id": request_id},
        ) from error
"""
        )
    )


COMMANDS = """\
from fastmcp import FastMCP

mcp = FastMCP("host")


@mcp.tool()
async def disks(host: str) -> str:
    if not host:
        return "Error: no host"
    try:
        status, text = await command.run(host)
    except FileNotFoundError:
        return "Error: no such command"
    except OSError as error:
        return f"Error: {error}"
    if status:
        return f"Error: {text}"
    return text
"""


def test_the_code_of_a_failure_is_that_of_its_phase_and_of_what_is_caught(tmp_path: Path, errlint: Run) -> None:
    (tmp_path / "errlint.toml").write_text(
        'convention = "coded-tool-errors"\n[codes]\nbackend = ["command.*"]\n'
        "[codes.vocabulary]\nno_command = { retryable = false }\n"
        '[codes.caught]\nFileNotFoundError = ["no_command"]\n'
    )
    (tmp_path / "server.py").write_text(COMMANDS)
    errlint("--no-cache", "--fix", "--unsafe-fixes")
    raised = [line.strip() for line in (tmp_path / "server.py").read_text().splitlines() if "raise" in line]
    assert raised == [
        'raise ToolError("[validation_error] Error: no host")',
        'raise ToolError("[no_command] Error: no such command") from error',
        'raise ToolError(f"[server_error] Error: {error}") from error',
        'raise ToolError(f"[server_error] Error: {text}")',
    ]


def test_the_error_of_the_framework_is_raised_where_a_boundary_lets_it_pass(tmp_path: Path, errlint: Run) -> None:
    files = {
        "boundary.py": (
            "import functools\n\nfrom fastmcp.exceptions import ToolError\n\n\n"
            "def answered(function):\n    @functools.wraps(function)\n    async def call(*args, **kwargs):\n"
            "        try:\n            return await function(*args, **kwargs)\n        except ToolError:\n"
            "            raise\n        except Exception as exc:\n"
            '            raise ToolError("[server_error] failed") from exc\n\n    return call\n'
        ),
        "server.py": CODED.replace("import httpx\n", "import httpx\nfrom boundary import answered\n").replace(
            "@mcp.tool()\n", "@mcp.tool()\n@answered\n"
        ),
        "errlint.toml": (
            'convention = "coded-tool-errors"\n\n[[boundary]]\ndecorator = "boundary.answered"\n'
            'envelope = "is-error"\n\n'
            '[exceptions]\ndefault = "fastmcp.exceptions.ToolError"\n'
        ),
    }
    for name, text in files.items():
        (tmp_path / name).write_text(text, "utf-8")
    errlint("--no-cache", "--fix", "--unsafe-fixes")
    fixed = (tmp_path / "server.py").read_text("utf-8")
    assert "from fastmcp.exceptions import ToolError\n" in fixed
    assert [raised for raised in RAISED if raised not in fixed] == []


def test_a_message_that_a_factory_of_another_file_makes_has_a_code(tmp_path: Path, errlint: Run) -> None:
    server = CODED.replace("import httpx\n", "import httpx\nfrom answers import missing\n").replace(
        'return {"error": f"page must be positive, got {page}"}', "return missing(order_id)"
    )
    (tmp_path / "answers.py").write_text(
        'def missing(name):\n    return {"error": f"There is no {name}"}\n', encoding="utf-8"
    )
    (tmp_path / "server.py").write_text(server, "utf-8")
    (tmp_path / "errlint.toml").write_text('convention = "coded-tool-errors"\n', "utf-8")
    errlint("--no-cache", "--fix", "--unsafe-fixes")
    fixed = (tmp_path / "server.py").read_text("utf-8")
    assert 'raise ToolError(f"[validation_error] There is no {order_id}")\n' in fixed
