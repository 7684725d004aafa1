"""How failures are put into words: a code in brackets, a text for people, and for some an envelope for programs."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence

from fastmcp.exceptions import ToolError

from ..shared.redaction import redacted, redacted_text
from .codes import ErrorCode, code_for

_CODE = re.compile(r"\[([a-z][a-z0-9_]*)\] ")


def coded(code: str, message: str) -> ToolError:
    """Return an error with a code, for one that is not known where the error is raised."""
    return ToolError(f"[{code}] {redacted_text(message)}")


def code_of(error: Exception) -> str:
    """Return the code that a message begins with, "" for none."""
    found = _CODE.match(str(error))
    return found[1] if found else ""


def backend_error(
    status: int, body: Mapping[str, object], *, verify: str = ""
) -> ToolError:
    """Return the error for a failed answer of the backend, whose body may have an ``error_code`` and a ``message``.

    ``verify`` is the call that shows whether a write was done all the same, for those that may have been.
    """
    code = code_for(status, str(body.get("error_code") or ""))
    message = str(body.get("message") or f"The backend answered with status {status}")
    return coded(
        code, f"{message}. Check {verify} before retrying" if verify else message
    )


def enveloped(
    code: ErrorCode, message: str, *, suggestions: Sequence[str], **fields: object
) -> ToolError:
    """Return an error with suggestions and a JSON object of them, of the code as ``error_kind``, and of fields."""
    envelope = json.dumps(
        redacted({"error_kind": code, "suggestions": list(suggestions), **fields})
    )
    advice = "; ".join(suggestions)
    return ToolError(
        f"[{code}] {redacted_text(message)} Suggestions: {advice}. [envelope] {envelope}"
    )
