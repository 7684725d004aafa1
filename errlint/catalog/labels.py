"""The labels of catalogs: words for code, message, hints and so on, in tables, bold lines and bullets."""

from __future__ import annotations

import re

LABELS: dict[str, tuple[str, ...]] = {
    "code": ("code", "codes", "error code", "error codes", "error_code", "err code", "code(s)", "error id", "error no",
             "error number", "errno", "код", "код ошибки", "código", "código de error", "código de erro",
             "error name", "code name", "fehlercode", "code d'erreur", "codice", "错误码", "错误码id", "错误码名称",
             "错误代码", "代码", "エラーコード", "コード", "오류 코드", "에러 코드", "코드"),
    "class": ("exception type", "exception", "exception class", "error class", "class", "raises", "error type",
              "исключение", "excepción", "exceção", "ausnahme", "异常", "例外"),
    "message": ("message", "error message", "messages", "error", "text", "сообщение", "mensaje", "mensagem",
                "meldung", "fehlermeldung", "消息", "错误信息", "メッセージ", "메시지", "detail"),
    "hint": ("hint", "hints", "suggestion", "suggestions", "remediation", "recovery hints", "подсказка"),
    "status": ("status", "http status", "http", "status code", "http code", "http equivalent", "http status code",
               "статус", "http-status"),
    "severity": ("severity", "level", "серьёзность", "важность", "schweregrad", "严重程度"),
    "recovery": ("recovery", "recovery action", "восстановление"),
    "tool": ("tool", "tools", "related tools", "used by", "raised by", "where", "инструмент"),
    "field": ("field", "fields", "context", "context fields", "details", "поле"),
    "category": ("category", "group", "layer", "component", "module", "категория"),
    "cause": ("cause", "causes", "reason", "description", "meaning", "when", "trigger", "причина", "описание",
              "beschreibung", "原因", "説明", "说明", "描述", "설명"),
    "retryable": ("retryable", "retriable", "recoverable", "retry", "can retry", "retry helps", "safe to retry",
                  "transient", "wiederholbar"),
    "solution": ("solution", "solutions", "resolution", "fix", "action", "how to fix", "решение", "solución"),
}  # fmt: skip
"""Standard names of parts of an entry, and how people write them."""

FIELD_HEADERS = frozenset({"field", "поле", "property", "attribute", "key", "campo", "feld"})
VALUE_HEADERS = frozenset({"value", "значение", "valor", "wert", "description", "описание", "details"})

EXAMPLE_CODE = "code of an example"
"""The label of a code that stands in an object that is shown, perhaps as one of many with the same code."""

EXAMPLE = "example: "
"""What the labels of the members of an object that is shown begin with; its keys follow, with dots between."""

FIELD_PART = "part of a field"
"""The label of a key that a listed field, a dict, is said to have: ``context.request_id``; ``...`` for others."""

FIELD_VALUE = "value of a field"
"""The label of the constant that a listed field is: ``operation=search``."""

RPC_CODE = "code of JSON-RPC"
"""The label of the code that an answer of JSON-RPC has which is shown."""

_NAMES = {word: name for name, words in LABELS.items() for word in words}
_TRIM = re.compile(r"(?<![\s:：*_`?])[\s:：*_`?]+$|^[\s*_`]+")

EXIT_CODE = re.compile(r"exit\s*(?:code|status)|return code|код выхода", re.IGNORECASE)
HTTP_TABLE = re.compile(r"\bhttp\b|status code", re.IGNORECASE)

ABOUT_ERRORS = re.compile(
    r"err|exception|fail|code|ошиб|исключ|fehler|ausnahme|excep|错误|异常|エラー|例外|오류|에러", re.IGNORECASE
)
"""A heading that has to do with errors."""

_RESERVED = re.compile(
    r"(?:^|\()\W{0,20}(?:reserved|(?:currently |is )?not (?:currently |yet )?(?:raised|implemented|used|emitted"
    r"|thrown)|unused|deprecated|removed|obsolete|зарезервирован\w*|не реализован\w*)"
    r"(?=$|\W*$|\s*[.,;:()—–-]|\s(?:by|in|for|для|в|до)\b)",
    re.IGNORECASE,
)


def is_reserved(text: str) -> bool:
    """Whether a text begins, or goes on in parentheses, with words that say that nothing raises an error."""
    return bool(_RESERVED.search(text))


def label(text: str) -> str:
    """Return the standard name of a label, "" for a text that is none."""
    return _NAMES.get(_TRIM.sub("", text).casefold(), "")
