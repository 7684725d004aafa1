"""What clients of a scaffolded server have to get, convention by convention: what the documents show.

A row is a call (tool and arguments) with what it is answered: ``Answer`` with the object, ``Failed`` with the text of
an error result, ``Refused`` with the code, the message and the data of an error of JSON-RPC. What differs from call to
call is ``Like`` something.
"""

from __future__ import annotations

import re
from typing import Any, NamedTuple


class Answer(NamedTuple):
    """A result that is no error for the protocol, whatever it tells of."""

    content: Any


class Failed(NamedTuple):
    """A result with ``isError`` and a text."""

    text: str


class Refused(NamedTuple):
    """An error of JSON-RPC."""

    code: int
    message: str
    data: Any


class Row(NamedTuple):
    """A call, and what it is answered."""

    tool: str
    arguments: dict[str, object]
    told: Answer | Failed | Refused


class Like:
    """Equal to any text that a pattern matches whole, and to any number where there is none."""

    def __init__(self, pattern: str = "") -> None:
        self._pattern = pattern

    def __eq__(self, other: object) -> bool:
        if not self._pattern:
            return isinstance(other, (int, float))
        return isinstance(other, str) and bool(re.fullmatch(self._pattern, other))

    def __hash__(self) -> int:
        return hash(self._pattern)

    def __repr__(self) -> str:
        return f"<{self._pattern or 'number'}>"


NUMBER = Like()
UUID = Like(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")
TIMESTAMP = Like(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ")
RUN = Like(r"svc_\d{8}_\d{6}")
WRONG_NUMBER = "Input should be a valid integer, unable to parse string as an integer"


# --- problem-details ------------------------------------------------------------------------------------------------


def _problem(
    status: int, code: str, detail: str, operation: str, empty: dict[str, object], **extensions: object
) -> Answer:
    problem: dict[str, object] = {
        "type": f"https://example.org/problems/{code}",
        "title": code.replace("-", " ").title(),
        "status": status,
        "detail": detail,
        "instance": f"urn:svc:{operation}",
        "code": code,
    }
    if extensions:
        problem["extensions"] = extensions
    return Answer({**empty, "error": detail, "problem": problem})


_FILE: dict[str, object] = {"path": "", "content": ""}
PROBLEM_DETAILS = [
    Row("get_order", {"order_id": "a1"}, Answer({"order": "a1", "items": 3})),
    Row(
        "get_order",
        {"order_id": ""},
        _problem(400, "invalid-request", "order_id is required", "server:get_order", {"order": "", "items": None}),
    ),
    Row(
        "take_items",
        {"order_id": "b2"},
        _problem(404, "not-found", "There is no order b2", "server:take_items", {"left": 0}),
    ),
    Row(
        "read_note",
        {"name": "/nowhere"},
        _problem(
            500, "adapter-error", "The note cannot be read: No such file or directory", "server:read_note", {"text": ""}
        ),
    ),
    Row(
        "connect",
        {},
        _problem(
            500,
            "internal-error",
            "An unexpected error occurred",
            "server:connect",
            {"port": 0},
            exception_type="ValueError",
        ),
    ),
    Row("wait_long", {}, _problem(504, "timeout", "The operation took too long", "server:wait_long", {"done": False})),
    Row(
        "take_items",
        {"order_id": "a1", "count": "many"},
        _problem(
            400,
            "invalid-request",
            "Invalid parameters for take_items",
            "take_items",
            {},
            errors=[f"count: {WRONG_NUMBER}"],
        ),
    ),
    # The document's examples.
    Row(
        "open_file",
        {"path": "src/main.py"},
        _problem(
            404,
            "file-not-found",
            "File 'src/main.py' not found in repository",
            "documents:open_file",
            _FILE,
            path="src/main.py",
        ),
    ),
    Row(
        "read_config",
        {"name": "a.toml"},
        _problem(
            404, "file-not-found", "File 'a.toml' not found", "documents:read_config", {"text": ""}, path="a.toml"
        ),
    ),
    Row(
        "open_file",
        {"path": "a.py", "start_line": 0},
        _problem(400, "file-operation-error", "start_line must be positive", "documents:open_file", _FILE, path="a.py"),
    ),
    Row(
        "open_file",
        {"path": "\xe4.py"},
        _problem(
            400, "file-operation-error", "Binary file or encoding error", "documents:open_file", _FILE, path="\xe4.py"
        ),
    ),
    Row(
        "open_file",
        {"path": "../a.py"},
        _problem(
            400,
            "path-outside-repository",
            "Path is outside of the repository",
            "documents:open_file",
            _FILE,
            path="../a.py",
        ),
    ),
    Row(
        "blame_range",
        {"path": "a.py"},
        _problem(500, "git-operation-error", "git blame failed", "documents:blame_range", {"blame": []}, path="a.py"),
    ),
]


# --- mcp-exceptions -------------------------------------------------------------------------------------------------

_CHECK = "Check the parameters against the schema of the tool, and call it again"
_LATER = "Try again later; if it fails again, give the request_id to the maintainers"
_ID: dict[str, object] = {"request_id": "a1b2c3d4"}


def _refused(
    kind: str, message: str, hints: list[str], context: dict[str, object] | None = None, **fields: object
) -> Refused:
    data = {
        "message": message,
        "error_type": f"MCP{kind.title()}Error",
        "error_code": f"{kind.upper()}_ERROR",
        **fields,
        "hints": hints,
        "context": {"request_id": UUID} if context is None else context,
    }
    return Refused(-32603 if kind == "execution" else -32602, message, data)


def _success(**fields: object) -> Answer:
    timing = {"operation_duration_ms": NUMBER, "total_duration_ms": NUMBER}
    return Answer({"status": "success", "request_id": UUID, "timing": timing, **fields})


_NEW_LINES = 41 * "\n"
_REPORT = "rpt_550e8400e29b11d4a716446655440000"
MCP_EXCEPTIONS = [
    Row("get_order", {"order_id": "a1"}, _success(order="a1", items=3)),
    Row(
        "get_order",
        {"order_id": ""},
        _refused("validation", "order_id is required", [_CHECK], validation_errors=["order_id is required"]),
    ),
    Row(
        "take_items",
        {"order_id": "b2"},
        _refused("validation", "There is no order b2", [_CHECK], validation_errors=["There is no order b2"]),
    ),
    Row(
        "read_note",
        {"name": "/nowhere"},
        _refused(
            "execution",
            "The note cannot be read: No such file or directory",
            [_LATER],
            operation="read_note",
            original_error="[Errno 2] No such file or directory: '/nowhere'",
        ),
    ),
    Row(
        "connect",
        {},
        _refused(
            "execution",
            "Tool execution failed: unexpected error",
            [_LATER],
            operation="connect",
            original_error="ValueError",
        ),
    ),
    Row(
        "wait_long",
        {},
        _refused(
            "execution",
            "Tool execution failed: wait_long took too long",
            ["Try again; it may be done by then"],
            operation="wait_long",
            original_error="TimeoutError",
        ),
    ),
    # The document's examples.
    Row(
        "evolve_report",
        {"request_id": "a1b2c3d4", "importance": "11"},
        _refused(
            "validation",
            "Semantic validation failed for proposed changes",
            ["Check that all referenced insight and section IDs exist in the current outline"],
            {
                "request_id": "a1b2c3d4",
                "structured_errors": [
                    {
                        "field": "insights_to_add.0.insight_id",
                        "value": "abc-123-def-456",
                        "error": "duplicate_id",
                        "available_ids": [],
                    }
                ],
            },
            validation_errors=[
                "Cannot add - insight_id already exists: abc-123-def-456",
                "Section ID not found: xyz-789-abc-012",
            ],
        ),
    ),
    Row(
        "evolve_report",
        {"request_id": "a1b2c3d4", "importance": "many"},
        _refused(
            "validation",
            "Parameter validation failed for evolve_report",
            ["Check parameter types and required fields for evolve_report"],
            _ID,
            validation_errors=[f"importance: {WRONG_NUMBER}"],
        ),
    ),
    Row(
        "render_report",
        {"request_id": "a1b2c3d4", "report_selector": "Q1 Report", "format": "doc"},
        _refused(
            "validation",
            "Invalid format 'doc'. Must be one of: html, pdf, markdown, docx",
            [
                "Use format='html' for web output",
                "Use format='pdf' for document output",
                "Use format='markdown' for markdown output",
                "Use format='docx' for Word document output",
            ],
            {"request_id": "a1b2c3d4", "report_selector": "Q1 Report"},
            validation_errors=["Invalid format: doc"],
        ),
    ),
    Row(
        "search_report",
        {"request_id": "a1b2c3d4", "status": "invalid"},
        _refused(
            "validation",
            "Invalid status 'invalid'. Must be 'active' or 'archived'.",
            [
                "Use status='active' to search active reports only",
                "Use status='archived' to search archived reports only",
                "Status parameter is case-sensitive",
            ],
            _ID,
            validation_errors=["Invalid status: invalid"],
        ),
    ),
    Row(
        "render_report",
        {"request_id": "a1b2c3d4", "report_selector": "Non-existent Report"},
        _refused(
            "selector",
            "Could not resolve report selector: Non-existent Report",
            [
                "Verify report_selector matches an existing report: Non-existent Report",
                "Check report ID or title spelling (case-insensitive)",
                "Use search_report to find available reports",
            ],
            _ID,
            selector="Non-existent Report",
            error="not_found",
            candidates=[],
        ),
    ),
    Row(
        "render_report",
        {"request_id": "a1b2c3d4", "report_selector": "Sales"},
        _refused(
            "selector",
            "Ambiguous selector 'Sales' matches multiple reports",
            [
                "Use a more specific selector or one of: rpt_550e8400e29b11d4a716446655440000, "
                "rpt_660f9511f39c22e5b827557766551111",
                "Provide full ID instead of partial match",
            ],
            _ID,
            selector="Sales",
            error="ambiguous",
            candidates=[
                {"title": "Q1 Sales Report", "id": _REPORT},
                {"title": "Sales Analysis 2024", "id": "rpt_660f9511f39c22e5b827557766551111"},
            ],
        ),
    ),
    Row(
        "render_report",
        {"request_id": "a1b2c3d4", "report_selector": "Q1", "format": "docx"},
        _refused(
            "validation",
            "Report validation failed: Missing required insights in section 'Executive Summary'",
            [
                "Fix reported validation errors using evolve_report",
                "Check that all referenced insights and sections exist",
                "Verify report outline structure is valid",
            ],
            {"request_id": "a1b2c3d4", "report_id": _REPORT},
            validation_errors=[
                "Missing required insights in section 'Executive Summary'",
                "Section 'Financials' has no insights",
            ],
        ),
    ),
    Row(
        "render_report",
        {"request_id": "a1b2c3d4", "report_selector": "Q1", "format": "pdf"},
        _refused(
            "execution",
            "Rendering failed: Quarto rendering process exited with code 1",
            [
                "Check Quarto logs for detailed error information",
                "Verify report content is valid",
                "Check file system permissions and disk space",
                "Try dry_run=True to generate QMD file without rendering",
            ],
            {"request_id": "a1b2c3d4", "report_id": _REPORT, "format": "pdf"},
            operation="render_report",
            original_error="Quarto rendering failed: Template syntax error at line 45",
        ),
    ),
    Row(
        "search_report",
        {"request_id": "a1b2c3d4", "index": f"[{_NEW_LINES}1 2]"},
        _refused(
            "execution",
            "Report index is corrupted: Invalid JSON at line 42",
            [
                "Try rebuilding the report index",
                "Check file system permissions for index file",
                "Verify index file is not corrupted or locked",
            ],
            _ID,
            operation="search_report",
            original_error="JSONDecodeError: Expecting ',' delimiter: line 42 column 3 (char 44)",
        ),
    ),
    Row(
        "create_report",
        {"title": "My Report"},
        _refused(
            "execution",
            "Failed to create report: Permission denied: /path/to/reports",
            ["Check file system permissions", "Verify reports directory is writable"],
            {"title": "My Report", "template": "default", "request_id": UUID},
            operation="create_report",
            original_error="NotADirectoryError",
        ),
    ),
]


# --- coded-tool-errors ----------------------------------------------------------------------------------------------

_STATUSES = {
    402: "insufficient_credits",
    403: "auth_failed",
    404: "not_found",
    408: "timeout",
    409: "client_error",
    422: "validation_error",
    429: "rate_limited",
    500: "server_error",
    503: "server_error",
}
CODED_TOOL_ERRORS = [
    Row("get_order", {"order_id": "a1"}, Answer({"order": "a1", "items": 3})),
    Row("get_order", {"order_id": ""}, Failed("[validation_error] order_id is required")),
    Row("take_items", {"order_id": "b2"}, Failed("[not_found] There is no order b2")),
    Row(
        "read_note",
        {"name": "/nowhere"},
        Failed("[server_error] The note cannot be read: No such file or directory"),
    ),
    Row("connect", {}, Failed("[server_error] An unexpected error occurred")),
    Row("wait_long", {}, Failed("[timeout] wait_long took too long")),
    Row(
        "take_items",
        {"order_id": "a1", "count": "many"},
        Failed(f"[validation_error] count: {WRONG_NUMBER}"),
    ),
    # The document's codes.
    Row("study_get", {"study_id": "s1", "status": 401}, Failed("[auth_failed] Invalid or expired token")),
    *(
        Row("study_get", {"study_id": "s1", "status": status}, Failed(f"[{code}] It was refused"))
        for status, code in _STATUSES.items()
    ),
    Row(
        "study_get",
        {"study_id": "s1", "status": 403, "error_code": "forbidden"},
        Failed("[forbidden] It was refused"),
    ),
    Row("study_get", {"study_id": ""}, Failed("[validation_error] study_id is required")),
    Row(
        "study_create",
        {"workspace_id": 3},
        Failed("[timeout] The backend took too long. Check study_get(workspace_id=3) before retrying"),
    ),
    Row(
        "media_add",
        {"url": "a.mp4"},
        Failed(
            "[no_audio_track] The video has no sound. Suggestions: upload another. [envelope] "
            '{"error_kind": "no_audio_track", "suggestions": ["upload another"], "source_url": "a.mp4"}'
        ),
    ),
    Row("ping", {}, Failed("[network_error] The backend cannot be reached")),
    Row(
        "chatbot_setup",
        {"address": "ftp"},
        Answer({"ok": False, "error_kind": "validation_error", "message": "no address"}),
    ),
]


# --- error-reports --------------------------------------------------------------------------------------------------


def _record(
    kind: str, severity: str, recovery: str, agent: str, message: str, context: dict[str, object] | None = None
) -> Answer:
    return Answer(
        {
            "error": {
                "type": kind,
                "severity": severity,
                "phase": 0,
                "agent": agent,
                "message": message,
                "recovery": recovery,
                "context": context or {},
                "timestamp": TIMESTAMP,
                "run_id": RUN,
            }
        }
    )


ERROR_REPORTS = [
    Row("get_order", {"order_id": "a1"}, Answer({"order": "a1", "items": 3})),
    Row("get_order", {"order_id": ""}, _record("InvalidInput", "error", "skip", "server", "order_id is required")),
    Row("take_items", {"order_id": "b2"}, _record("InvalidInput", "error", "skip", "server", "There is no order b2")),
    Row(
        "read_note",
        {"name": "/nowhere"},
        _record("OperationFailed", "error", "skip", "server", "The note cannot be read: No such file or directory"),
    ),
    Row(
        "connect",
        {},
        _record(
            "UnexpectedError",
            "error",
            "skip",
            "server",
            "An unexpected error occurred",
            {"exception_type": "ValueError"},
        ),
    ),
    Row("wait_long", {}, _record("OperationTimeout", "warning", "retry", "server", "The operation took too long")),
    Row(
        "take_items",
        {"order_id": "a1", "count": "many"},
        _record(
            "InvalidInput",
            "error",
            "skip",
            "take_items",
            "Invalid parameters for take_items",
            {"errors": [f"count: {WRONG_NUMBER}"]},
        ),
    ),
    # The document's examples.
    Row(
        "search",
        {"url": "https://ieeexplore.ieee.org/search", "found": "captcha"},
        _record(
            "CAPTCHADetected",
            "warning",
            "user_intervention",
            "browser-agent",
            "CAPTCHA detected at IEEE Xplore search page",
            {
                "url": "https://ieeexplore.ieee.org/search",
                "screenshot": "runs/session_id/logs/error_005.png",
                "search_string": "(lean governance OR agile governance) AND DevOps",
                "database": "IEEE Xplore",
            },
        ),
    ),
    Row(
        "search",
        {"url": "https://example.org", "found": "nothing in time"},
        _record(
            "NavigationTimeout",
            "warning",
            "retry",
            "browser-agent",
            "Navigation exceeded timeout",
            {"url": "https://example.org", "timeout_seconds": 30, "attempt": 2},
        ),
    ),
    Row(
        "search",
        {"url": "https://example.org", "found": "nothing"},
        _record("NoResultsFound", "info", "skip", "browser-agent", "Search returned 0 results"),
    ),
    Row(
        "validate",
        {"file": "metadata/candidates.json", "schema": "schemas/candidates_schema.json"},
        _record(
            "ValidationError",
            "error",
            "skip",
            "browser-agent",
            "Agent output failed JSON schema validation",
            {"file": "metadata/candidates.json", "schema": "schemas/candidates_schema.json"},
        ),
    ),
    Row(
        "check_budget",
        {"max_budget_usd": 10.0, "current_cost_usd": 10.25},
        _record(
            "BudgetExceeded",
            "critical",
            "abort",
            "orchestrator",
            "Research budget exceeded, cannot continue",
            {"max_budget_usd": 10.0, "current_cost_usd": 10.25, "percent_used": 102.5},
        ),
    ),
]


# --- typed-responses ------------------------------------------------------------------------------------------------

_CORRECT = "Correct the parameters that the message is about"
_CHANGE = "Change what the message is about, and try again"


def _typed(
    code: str, kind: str, message: str, suggestion: str, retry_after_seconds: int | None = None
) -> dict[str, object]:
    retry = {} if retry_after_seconds is None else {"retry_after_seconds": retry_after_seconds}
    return {
        "status": "error",
        "error_type": kind,
        "error_code": code,
        "message": message,
        "recoverable": retry_after_seconds is not None,
        "suggestion": suggestion,
        **retry,
    }


def _one_of(content: dict[str, object]) -> Answer:
    """Return an answer of a tool that declares several types: FastMCP puts the structured content below ``result``."""
    return Answer({"result": content})


TYPED_RESPONSES = [
    Row("get_order", {"order_id": "a1"}, _one_of({"order": "a1", "items": 3})),
    Row(
        "get_order",
        {"order_id": ""},
        _one_of(_typed("OPERATION_FAILED", "operation_failed", "order_id is required", _CHANGE)),
    ),
    Row(
        "take_items",
        {"order_id": "b2"},
        _one_of(_typed("OPERATION_FAILED", "operation_failed", "There is no order b2", _CHANGE)),
    ),
    Row(
        "connect",
        {},
        Answer(
            _typed(
                "INTERNAL_ERROR",
                "internal_error",
                "An unexpected error occurred",
                "Give the time of the call to the maintainers of the server",
            )
        ),
    ),
    Row(
        "wait_long",
        {},
        Answer(
            _typed(
                "TIMEOUT",
                "timeout",
                "The operation took too long",
                "Look whether it was done all the same before you try again",
                30,
            )
        ),
    ),
    # The document's examples.
    Row(
        "add_memory",
        {"name": "meeting notes"},
        _one_of(
            {
                "status": "success",
                "message": "Episode 'meeting notes' indexed successfully",
                "episode_id": "ep_abc123",
                "entities_extracted": 5,
                "relationships_extracted": 3,
                "processing_time_ms": 1250,
            }
        ),
    ),
    Row(
        "add_memory",
        {"name": "meeting notes", "status": 503},
        _one_of(
            _typed(
                "INVALID_API_KEY",
                "llm_unavailable",
                "LLM API key is invalid or revoked",
                "Verify API key at https://platform.openai.com/api-keys",
            )
        ),
    ),
    Row(
        "add_memory",
        {"name": "meeting notes", "status": 503, "on_llm_unavailable": "STORE_RAW"},
        _one_of(
            {
                "status": "degraded",
                "message": "Episode stored but entities not extracted (LLM unavailable)",
                "episode_id": "ep_abc123",
                "processing_time_ms": 4,
                "raw_stored": True,
                "entities_extracted": 0,
                "reprocess_available": True,
            }
        ),
    ),
    Row(
        "add_memory",
        {"name": "meeting notes", "wait_for_completion": False},
        _one_of(
            {
                "status": "queued",
                "message": "Episode queued until the LLM is available",
                "episode_id": "ep_abc123",
                "processing_time_ms": 3,
            }
        ),
    ),
    Row(
        "add_memory",
        {"name": "a", "status": 401},
        _one_of(
            _typed(
                "INVALID_API_KEY",
                "llm_unavailable",
                "LLM API key is invalid. Check your OPENAI_API_KEY.",
                "Verify the API key in the console of the provider",
            )
        ),
    ),
    Row(
        "add_memory",
        {"name": "a", "status": 402},
        _one_of(
            _typed(
                "QUOTA_EXCEEDED",
                "llm_unavailable",
                "LLM quota exceeded. Check billing at https://platform.openai.com/account/billing.",
                "Check the billing of the provider, or use another key",
            )
        ),
    ),
    Row(
        "add_memory",
        {"name": "a", "status": 429},
        _one_of(
            _typed(
                "RATE_LIMIT_EXCEEDED",
                "llm_unavailable",
                "LLM rate limit exceeded. Retry in 12 seconds.",
                "Wait for as long as retry_after_seconds says, and try again",
                12,
            )
        ),
    ),
    Row(
        "add_memory",
        {"name": "a", "status": 0},
        _one_of(
            _typed(
                "NETWORK_ERROR",
                "llm_unavailable",
                "Cannot reach LLM provider. Check network connection.",
                "Check the network connection, and try again",
                30,
            )
        ),
    ),
]


# --- the plain framework --------------------------------------------------------------------------------------------

FRAMEWORK = [
    Row("get_order", {"order_id": "a1"}, Answer({"order": "a1", "items": 3})),
    Row("get_order", {"order_id": ""}, Failed("order_id is required")),
    Row("take_items", {"order_id": "b2"}, Failed("There is no order b2")),
    Row("read_note", {"name": "/nowhere"}, Failed("The note cannot be read: No such file or directory")),
    Row("connect", {}, Failed("An unexpected error occurred")),
    Row("wait_long", {}, Failed("The operation took too long")),
    Row(
        "take_items",
        {"order_id": "a1", "count": "many"},
        Failed(f"Invalid parameters for take_items: count: {WRONG_NUMBER}"),
    ),
]

ANSWERS = {
    "coded-tool-errors": CODED_TOOL_ERRORS,
    "error-reports": ERROR_REPORTS,
    "framework": FRAMEWORK,
    "mcp-exceptions": MCP_EXCEPTIONS,
    "problem-details": PROBLEM_DETAILS,
    "typed-responses": TYPED_RESPONSES,
}
