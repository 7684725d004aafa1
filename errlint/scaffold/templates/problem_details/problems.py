"""Problem details (RFC 9457) and the envelope that every failed call is answered with."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypedDict

from ..shared.redaction import redacted, redacted_text
from .codes import ErrorCode

PROBLEM_TYPES = "https://example.org/problems"
"""Where your problems are documented: the code is added to it."""

SERVICE = __name__.partition(".")[0]
"""The name of the server in the ``instance`` of a problem."""


class _Members(TypedDict):
    type: str
    title: str
    status: int
    detail: str
    instance: str
    code: str


class ProblemDetails(_Members, total=False):
    """The members of a problem; ``extensions`` are there where the exception has a context."""

    extensions: dict[str, object]


class ErrorEnvelope(TypedDict):
    """What a failed call answers, besides the empty fields of its own result."""

    error: str
    problem: ProblemDetails


def problem_details(
    code: ErrorCode,
    status: int,
    detail: str,
    instance: str,
    extensions: Mapping[str, object] | None = None,
) -> ProblemDetails:
    """Return the problem of an operation (``instance``), without secrets."""
    problem: ProblemDetails = {
        "type": f"{PROBLEM_TYPES}/{code.value}",
        "title": code.value.replace("-", " ").title(),
        "status": status,
        "detail": redacted_text(detail),
        "instance": f"urn:{SERVICE}:{instance}",
        "code": code.value,
    }
    if extensions:
        problem["extensions"] = redacted(extensions)
    return problem
