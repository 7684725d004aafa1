"""The vocabulary of errors: which keys, words and openings say that something went wrong.

Taken from counts over real tool servers. One list each; the index, the classifier and the rules share them.
"""

from __future__ import annotations

import re
from collections.abc import Collection


def _any_of(*alternatives: str) -> str:
    return f"(?:{'|'.join(alternatives)})"


# --- keys of payloads and names of arguments, in lower case ----------------------------------------------------

ERROR_KEYS = frozenset(
    [
        "error",
        "err",
        "error_message",
        "errormessage",
        "error_msg",
        "errormsg",
        "exception",
        "error_text",
        "error_detail",
        "error_details",
        "error_info",
        "error_reason",
    ]
)
"""Keys whose value, when it is one, is the error."""

RAISED_KEY = "exception"
"""The one of these for what was raised, often no more than its class, where a message stands beside it."""

ERROR_CODE_KEYS = frozenset(["error_code", "errorcode", "error_type", "errortype"])
"""Keys whose constant text says that there is an error."""

ERROR_LIST_KEYS = frozenset(["errors", "validation_errors", "error_list"])
"""Keys that hold partial failures: an error only beside a failure marker."""

SUCCESS_KEYS = frozenset(["success", "_success", "ok", "is_success", "succeeded", "successful", "issuccess"])
FAILURE_KEYS = frozenset(["iserror", "is_error", "failed", "has_error", "failure"])
OUTRIGHT_KEYS = frozenset(["iserror", "is_error"])
"""Failure keys that settle the matter: what says that it is no error is none."""

PROBLEM_KEY = "problem"
PROBLEM_MEMBERS = ("type", "title", "status", "detail", "instance")
"""The key that a problem object of RFC 9457 stands under, and its members; any other is an extension."""

STATUS_KEYS = frozenset(["status", "state", "result_status", "outcome"])
VALIDITY_KEYS = frozenset(["valid", "is_valid", "isvalid", "healthy", "is_healthy"])
HEALTH_KEY = "health"
"""The key under which a report says in a word how its subject is."""

NUMBER_KEYS = frozenset(
    ["status", "code", "errno", "err_no", "ret", "errcode", "err_code", "error_code", "errorcode", "result_code"]
)
"""Keys under which envelopes say by a number how a call went: ``{"status": 1, "msg": "no such instance"}``."""

SUCCESS_NUMBERS = frozenset([0, 200])
"""The numbers by which they say that it went well."""

NUMBERED_TEXTS = frozenset(
    ["msg", "message", "errmsg", "err_msg", "error_msg", "errormsg", "error_message", "error", "info", "reason",
     "detail", "desc"]
)  # fmt: skip
"""Keys under which such an envelope has its text: a number without one may count, or be the state of a thing."""

MESSAGE_KEYS = frozenset(
    ["message", "msg", "text", "detail", "details", "reason", "description", "result", "response", "content", "output"]
)

PROCESS_STATUS_KEYS = frozenset(["returncode", "return_code", "exit_code", "exitcode", "exit_status"])
PRINTED_KEYS = frozenset(["stdout", "stderr"])
"""Keys of the record of a command: the number that it ended with, and what it printed."""

EXCEPTION_VARIABLE = re.compile(r"(?:\w+_)?(?:e|ex|exc|err|error|exception)")
"""How a variable is called that holds an exception: what its attributes hold is there."""

ERROR_TELLER = re.compile(r"(?:^|_)(?:err|error|exc|exception|failure)(?:_|$)")
"""In the name of a function that is called in a handler: the text that it answers is of the error."""

PROBE_KEYS = frozenset(["installed", "exists", "available", "enabled", "connected", "reachable", "running"])
"""Keys by which a probe answers; in a function with the name of one they are its subject."""

PROBE = re.compile(
    r"(?:^|_)(?:check|health|probe|status|diagnos\w*|inspect|verify|validate|test|metrics|stats|state)(?:_|$)"
    r"|^(?:do|perform|run)_(?:\w+_)?(?:check|checks|diagnos\w*|health|probe)(?:_|$)"
)
"""Names of functions that may report a bad state without failing; it takes more than the name to leave one alone."""

CHECK_KEYS = frozenset({"checks", "components", "probes"})
"""Keys of a payload under which a probe lists what it asked, each with what came out."""

PROBE_CLASS = re.compile(
    r"(?:Check|Test|Probe|Health|Status|Verification|Diagnos(?:is|tics?)|Handshake|Ping|Connection|Connectivity|Availability)"
    r"(?:Result|Response|Report|Status|Info|Output|Outcome|Verdict)$"
)
"""Names of classes of which a probe answers an object: what it found out, also where that is that nothing answers."""

PROBING_CLASS = re.compile(r"(?:Check|Checker|Probe|Validator|Verifier)$")
"""Names of classes whose methods find something out, whatever they are called."""

CARRIERS = frozenset(["result", "data", "response", "output", "body", "payload"])
"""Keys under which whole answers stand, where a project has one for all of them: ``{"result": {"error": ...}}``."""

CONTENT_ARGUMENTS = frozenset(["", "text", "content", "data", "result", "response"])
"""Names of the arguments by which calls take what they make an answer of, "" for those by position."""

EVENT_KEYS = frozenset(["type", "event"])
"""Keys by which a stream tells its events apart: one that tells of an error is an event, not an answer."""

STREAMS = ("Response", "stream_with_context")
"""Endings of the names of what sends an iterable in parts, as ``StreamingResponse`` and ``EventSourceResponse`` do."""

SERVER_SENT = frozenset(["data", "event", "id", "retry", "comment"])
"""The fields of server-sent events, as the libraries that send them take them."""

FRAME_KEYS = frozenset(["jsonrpc", "error_description", "openapi", "$schema"])
"""Keys of wire frames and bodies that a protocol prescribes."""

FRAME_CODES = range(-32768, -31999)
"""The numbers that JSON-RPC 2.0 (5.1) keeps for errors of the protocol."""

RESULT_KEYS = (
    ERROR_KEYS | ERROR_CODE_KEYS | ERROR_LIST_KEYS | SUCCESS_KEYS | FAILURE_KEYS | STATUS_KEYS | VALIDITY_KEYS
    | MESSAGE_KEYS | NUMBER_KEYS
    | {"structured_content", "structuredcontent", "data", "root", "id", "name", "type", "kind", "level", "code"}
)  # fmt: skip
"""Keys of payloads and names of arguments whose values are looked at."""

INSPECTED_KEYS = ERROR_KEYS | SUCCESS_KEYS | FAILURE_KEYS | ERROR_LIST_KEYS | {PROBLEM_KEY}
"""Keys by which callers look for an error in a result."""

STATUS_MARKS = frozenset(["ok", "success", "successful", "succeeded"])
"""Texts, in lower case, by which a status says only that there is no error. Others may be the state of a thing."""

STATES = 4
"""So many statuses that a function tells are the states of something: a failure among them is no error."""

INSPECTED_ATTRIBUTES = frozenset(
    ["error", "error_message", "is_error", "isError", "success", "ok", "succeeded", "failed"]
)
"""Attributes by which callers look for an error in a result."""

INSPECTION_PIECES = ("rror", "RROR", "uccess", "UCCESS", "ucceeded", "UCCEEDED", "fail", "Fail", "FAIL", "xception")
INSPECTION_NAMES = ("err", "Err", "ERR", "ok", "Ok", "OK", PROBLEM_KEY)
INSPECTION_TYPES = re.compile(rb"isinstance\([^()]*(?:Fault|Problem|Response|Result)")
"""What a place that looks for an error in a result has to contain: pieces of the names above, whole ones, or a type."""

TOOL_ENDING = "_tool"
"""Ending of the name of a project's own tool decorator."""

_SCHEMAS = frozenset({"args_schema", "input_model", "input_schema", "param_model", "schema"})


def describes_tool(given: Collection[str | None]) -> bool:
    """Whether arguments tell a decorator, by their names, what a language model is shown of a tool.

    That is what it is for, and what it takes.
    """
    return len(given) > 1 and "description" in given and not _SCHEMAS.isdisjoint(given)


HANDLER_KEYWORDS = ("on_call_tool",)
"""Arguments by which a server is handed the function that it calls for every tool."""

FUNCTION_ARGUMENTS = frozenset({"callback", "coroutine", "fn", "func", "function", "handler", "method", "tool"})
"""Names of the arguments of a registration that carry the function; others are a serializer, a check and the like."""

STATUS_ATTRIBUTE = "status_code"
"""The attribute of a response by which a route sets the status of its answer."""

TOOLS_TABLE = re.compile(
    r"_*(?:[A-Z0-9]+_)*(?:TOOLS|TOOLS?_(?:DEFINITIONS?|DEFS?|FUNCTIONS?|HANDLERS?|LIST|MAP|REGISTRY|SPECS?|TABLE))",
    re.IGNORECASE,
)
"""The name of a constant that lists the functions a server makes tools of."""

DISPATCHING_TABLE = re.compile(
    r"_*(?!(?:\w*_)?(?:errors?|exceptions?|signals?|events?|hooks?|logs?|logging|plugins?|callbacks?|types?|default|status)_)"
    r"(?:\w+_)?(?:actions?|commands?|dispatch|dispatchers?|endpoints?|functions?|handlers?|methods?|operations?|routes?|rpcs?|tools?)"
    r"(?:_(?:by_name|dict|handlers?|lookup|map|mapping|registry|routes?|table))?",
    re.IGNORECASE,
)
"""The name of a table from what clients ask for to what does it."""

DISPATCHING_PREFIX = re.compile(r"_*(?:action|api|cmd|command|do|exec|handle|handler|method|on|op|rpc|run|tool)_")
"""How the names of functions begin that are looked up by what clients ask for."""

RUNNERS = frozenset({"asyncio.run", "run_until_complete", "shield", "uvloop.run", "wait_for"})
"""Names of calls, or last parts of them, that answer what the coroutine answers which they are handed."""

MASKING = re.compile(r"(?:^|_)(?:redact|mask|scrub|censor|anonymi[sz]e|saniti[sz]e(?!\w*json))")
"""In the name of a function: it takes out of a text what nobody else may see."""

# --- logging ---------------------------------------------------------------------------------------------------

LOG_LEVELS = {
    "critical": "critical", "fatal": "critical", "error": "error", "exception": "error", "warn": "warning",
    "warning": "warning", "info": "info", "debug": "debug",
}  # fmt: skip
"""The level of each method of a logger."""

LOG_METHODS = frozenset({*LOG_LEVELS, "log"})
"""Methods by which a logger is told something; ``log`` is handed the level."""

LOGGER = re.compile(r"(?:^|_)(?:log|logs|logger|logging|slog)$", re.IGNORECASE)
"""What a logger is called."""

LOGGER_MAKERS = frozenset({"getLogger", "get_logger"})
"""Last parts of calls that answer a logger."""


def is_log_call(called: str) -> bool:
    """Whether what is called by a dotted name tells a logger something: ``logger.error``, ``self._log.info``."""
    owner, _, method = called.rpartition(".")
    return method in LOG_METHODS and LOGGER.search(owner.rpartition(".")[2]) is not None


# --- names of classes ------------------------------------------------------------------------------------------

EXCEPTION_ENDINGS = ("Error", "Exception", "Warning", "Failure", "Fault")

RESPONSE_TYPE = re.compile(r"Error|Failure|Fault|Problem|Response|Result")
"""In the name of a class: it may be an answer that says error."""

REGISTRY_NAME = re.compile(
    r"(?:(?i:err(?:or)?|fault|problem|failure)_?(?i:codes?|kinds?|types?|ids?|registry|catalog)$)|^(?i:codes?)$"
)
"""Name of a class, or of a dict at module level, that lists the codes of errors."""

PROTOCOL_CODES = frozenset(
    ["invalid_request", "invalid_client", "invalid_grant", "unauthorized_client", "unsupported_grant_type",
     "unsupported_response_type", "invalid_scope", "access_denied", "server_error", "temporarily_unavailable",
     "invalid_token", "insufficient_scope", "login_required", "consent_required", "interaction_required", "slow_down",
     "authorization_pending", "expired_token", "invalid_redirect_uri", "invalid_client_metadata", "invalid_target"]
)  # fmt: skip
"""Error codes that OAuth prescribes: no project registers them."""

# --- values ----------------------------------------------------------------------------------------------------

ERROR_STATUS = re.compile(r"(?:.*[_\- ])?(?:error|failed|failure|fail|errored|exception)", re.IGNORECASE)
SUCCESS_STATUS = re.compile(
    _any_of("ok", "success", "successful", "succeeded", "completed?", "done", "valid", "passed", "healthy", "ready",
            "active", "available"),
    re.IGNORECASE,
)  # fmt: skip


SUCCESSES = ("success", "succeeded", "successful", "ok")
"""Statuses that say of a call that it succeeded: others of :data:`SUCCESS_STATUS` may be that of a thing."""


def is_outcome(text: str) -> bool:
    """Return whether a status that is compared with this text is asked whether there was an error."""
    return text.lower() in STATUS_MARKS or ERROR_STATUS.fullmatch(text) is not None


# --- texts -----------------------------------------------------------------------------------------------------

_ORNAMENT = r"[\s*#>_`\[({!\-:\U0001F300-\U0001FAFF\u2600-\u27BF\u2B50\u274C\uFE0F✗✘×]*"
"""What may stand before the first word: white space, Markdown, brackets, symbols."""

_NOT_A_MISTAKE = _any_of(
    "rates?", "counts?", "logs?", "budgets?", "handling", "codes?", "summary", "report", "messages?", "types?",
    "analysis", "patterns?", "statistics", "stats", "details", "breakdown", "trends?", "percentage", "tracking",
    "recovery", "free", "bars?", "bound", "correction", "if", "margin", "threshold", "metrics?",
)  # fmt: skip
"""Words after "error" that make it a subject: an error rate is no error."""

SUCCEEDED_TEXT = re.compile(
    r"\s*(?:ok|okay|success|successful|succeeded|done)?\s*[.!]?\s*"
    r"|(?!.*\b(?:un|not |no )success).*\b(?:success(?:ful(?:ly)?)?|succeeded)\b.*"
    r"|(?!.*[不未没].{0,2}成功).*(?:成功|完成|正常).*"
    r"|.*(?:成功しました|성공).*",
    re.IGNORECASE | re.DOTALL,
)
"""A text by which an envelope says that all went well, or nothing: "ok", "", "saved successfully", "操作成功"."""

ACHIEVED_TEXT = re.compile(
    r"\b(?:was|were|been) (?:added|copied|created|moved|queued|saved|sent|stored|updated|uploaded|written)\b"
    r"|\bsuccessfully\b",
    re.IGNORECASE,
)
"""Words that say what has been done: what was in the way besides is no error."""

FAILED_TEXT = re.compile(
    r"\b(?:errors?|fail(?:ed|s|ure)?|exceptions?|invalid|denied|forbidden|unauthorized|missing|unknown)\b"
    r"|\b(?:no such|not found|can ?not|can't|could not|unable to)\b"
    r"|失败|失敗|错误|錯誤|异常|異常|出错|不存在|不能|不正确|不合法|无法|無法|无效|无权|没有权限|エラー|실패|오류",
    re.IGNORECASE,
)
"""Words anywhere in the text of an envelope that say it is an error; many texts of errors have none of them."""

CROSSED_TEXT = re.compile(r"[\s*_>#]*[\u274C\U0001F6AB\u26D4]\uFE0F?[\s*_:\-]*(?=[\w\"'`\[(]|$)(?!.*\u2705)")
"""A cross, or a sign that says no, before the first word: whatever the text says, it went wrong; a probe says no."""

_IN_OTHER_LANGUAGES = (
    # "Fehler beim Laden", "Erreur : …", "Erro ao abrir", "Ошибка: …"
    r"(?:Fehler|FEHLER|Erreur|ERREUR|Erro|ERRO|Errore|ERRORE|Fallo|FALLO|Falha|FALHA|Fout|Ошибка|ОШИБКА)(?=$|[\s:!.\-(\[])",
    # "No se pudo abrir", "Impossible de lire", "Не удалось прочитать"
    r"(?:No se pud|Não foi possível|Impossible d[e']|Impossibile |Не удалось|无法|無法)",
    # "查询失败: …", "错误：…"
    r"[\u4e00-\u9fff\w ]{0,20}?(?:失败|失敗|错误|錯誤|出错|エラー|오류|실패)(?=$|\s*[:：,，。!！(（\-])",
)

MARKED_TEXT = re.compile(
    _ORNAMENT
    + _any_of(
        # "Error: …", "An unexpected error occurred …", "Error reading …"
        r"(?:An? )?(?:[Uu]nexpected |[Ii]nternal |[Uu]nknown |[Ff]atal |[Cc]ritical )?(?:Error|ERROR|error)"
        rf"(?=$|\s*[:\-\]\[(*}}'\"!.\u2014]| (?!{_NOT_A_MISTAKE}\b)[a-z])",
        # "Failed to …", "FAILED: …", "failed while …"
        r"FAILED\b",
        r"FAILURE\b",
        r"Failed[:\-]",
        r"Failed (?=[a-z])",
        r"failed (?=to\b|while\b|with\b|for\b|in\b|on\b|during\b|because\b|due\b|[a-z]+ing\b|:)",
        r"Failure[:\s]",
        r"Exception(?: (?:occurred|while|in|during)|:)",
        r"Traceback \(most",
        # "Cannot open …", "Invalid …"
        r"(?:Cannot|Can't|Can not|Could not|Couldn't|Unable to|Invalid|cannot|could not|unable to) ",
        # "TimeoutError: …", "Command failed with …"
        r"[A-Z]\w*(?:Error|Exception):",
        r"(?:[A-Z][\w./'\-]*(?: [\w./'\-]+){0,3} )failed (?:with|because|while|after|during|due)\b",
        # "Database error: …", "Analysis failed - …"
        r"(?:[A-Z][\w./'\-]*(?: [\w./'\-]+){0,3} )(?:[Ee]rror|ERROR|[Ff]ailed|FAILED|[Ff]ailure|[Ee]xception)"
        r"\s*(?::|[-\u2014] |\(|$)",
        # "Connection error getting the scene: …"
        r"(?:[A-Z][\w./'\-]*(?: [\w./'\-]+){0,2} )(?:[Ee]rror|ERROR) (?:while |when )?"
        r"(?!(?:handling|tracking|reporting|logging|monitoring|checking)\b)[a-z]+ing\b",
        *_IN_OTHER_LANGUAGES,
    )
)
"""The opening of a text that says it is an error."""

UNMARKED_TEXT = re.compile(
    _any_of(
        r"\b(?:does not|doesn't|do not|did not|didn't) (?:exist|match|contain|have|support|allow)",
        r"\b(?:was|were|is|are) not (?:found|valid|supported|allowed|available|configured|initialized|installed"
        r"|permitted|set|recognized|writeable|writable|defined|enabled|connected|running|authorized)",
        r"\bnot (?:found|supported|permitted|allowed|implemented|configured|initialized)\b",
        r"\bis (?:required|missing|invalid|unknown|unsupported|read-only|already in use)\b",
        r"\bare required\b",
        r"\bmust (?:be|not|have|contain|provide|specify|start|end)\b",
        r"\balready exists\b",
        r"\btimed out\b",
        r"\bdenied\b",
        r"\brefused\b",
        r"\bout of range\b",
        r"\btoo (?:large|long|many|deep)\b",
    ),
    re.IGNORECASE,
)
UNMARKED_OPENING = re.compile(
    _ORNAMENT
    + _any_of(
        "Missing", "Unknown", "Unsupported", "Unrecognized", "Unauthorized", "Forbidden", "Permission denied",
        "Access denied", "No such", "Not found", "Timed out", "Timeout", "Please (?:provide|specify)",
    )
    + r"\b"
)  # fmt: skip
"""Texts that describe an error without saying that they are one."""


TRANSLATIONS = frozenset(["_", "gettext", "gettext_lazy", "lazy_gettext", "ugettext", "ugettext_lazy"])
"""Last parts of calls that answer a text which is written out in another language."""

RETRIES = frozenset({"retry", "retrying", "retriable", "with_retry", "with_retries", "on_exception", "on_predicate"})
"""Last parts of decorators that call a function again when it fails."""

EXCEPTION_HANDLERS = frozenset({"app_errorhandler", "errorhandler", "exception_handler"})
"""Last parts of the decorators by which web frameworks are told who answers the exceptions of a class."""
