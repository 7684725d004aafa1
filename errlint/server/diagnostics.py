"""Diagnostics: how an editor is told of a finding."""

from __future__ import annotations

from collections.abc import Callable

from lsprotocol import types

from errlint.characters import printable
from errlint.findings import Finding, Severity
from errlint.rules import RULES
from errlint.server.positions import Lines

SOURCE = "errlint"

_SEVERITIES = {
    Severity.ERROR: types.DiagnosticSeverity.Error,
    Severity.WARNING: types.DiagnosticSeverity.Warning,
    Severity.INFO: types.DiagnosticSeverity.Information,
}


class Abilities:
    """What of a diagnostic an editor can show, as it has said."""

    def __init__(self, capabilities: types.ClientCapabilities) -> None:
        document = capabilities.text_document
        shown = document.publish_diagnostics if document is not None else None
        self.has_related = bool(shown is not None and shown.related_information)
        self.has_links = bool(shown is not None and shown.code_description_support)


def diagnostic(
    finding: Finding, lines: Lines, place: Callable[[str], tuple[str, Lines]], abilities: Abilities
) -> types.Diagnostic:
    """Return a finding in a text of some ``lines``; ``place`` gives the URI and the lines of another file."""
    related: list[types.DiagnosticRelatedInformation] = []
    if abilities.has_related:
        for each in finding.related:
            uri, others = place(each.path)
            location = types.Location(uri, others.range(each.span))
            related.append(types.DiagnosticRelatedInformation(location, printable(each.message)))
    return types.Diagnostic(
        range=lines.range(finding.span),
        message=printable(finding.message),
        severity=_SEVERITIES[finding.severity],
        code=finding.code,
        code_description=types.CodeDescription(RULES[finding.code].url) if abilities.has_links else None,
        source=SOURCE,
        related_information=related or None,
    )
