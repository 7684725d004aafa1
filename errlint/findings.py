"""Findings: what a rule reports, where, and how it is recognised again."""

from __future__ import annotations

from enum import Enum

import msgspec


class Severity(str, Enum):
    """How much a finding matters. Only ``error`` and ``warning`` make the exit status 1."""

    ERROR = "error"
    WARNING = "warning"
    INFO = "info"


class Span(msgspec.Struct, frozen=True, array_like=True, gc=False, order=True):
    """A stretch of source text. Lines and columns count from 1, columns in characters; the end is exclusive.

    A span covers one simple statement or a header, never a whole function.
    """

    line: int
    column: int
    end_line: int
    end_column: int


class Related(msgspec.Struct, frozen=True, array_like=True, gc=False, order=True):
    """Another place that a finding rests on, for example the definition of the called error factory."""

    path: str
    span: Span
    message: str


class Finding(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """One thing that is wrong at one place.

    ``path`` is relative to the project root, with forward slashes. ``function`` is the qualified name of the
    innermost function ("" at module level). ``fingerprint`` identifies the finding across edits that move or
    reformat it: a hash of rule, statement tokens and innermost function name.
    """

    path: str
    span: Span
    code: str
    severity: Severity
    message: str
    function: str = ""
    fingerprint: str = ""
    related: tuple[Related, ...] = ()


def order(finding: Finding) -> tuple[str, Span, str, str]:
    """Return the key by which findings are put in order: of their places."""
    return finding.path, finding.span, finding.code, finding.message
