"""Code actions: what an editor offers to do about findings."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, NamedTuple

from lsprotocol import types

from errlint.characters import printable
from errlint.findings import Finding
from errlint.server.positions import Lines

if TYPE_CHECKING:
    from errlint.fix.presentation.fix_preview import Edit, Offer

FIX_ALL = f"{types.CodeActionKind.SourceFixAll.value}.errlint"
"""All safe fixes of a file that change no other file."""

KINDS = (types.CodeActionKind.QuickFix, FIX_ALL)

REASON = "TODO: say why"
"""What a suppression says until a person has."""


class Target(NamedTuple):
    """A file that is edited: its URI, the lines of its text, and the version of that where it stands in an editor."""

    uri: str
    lines: Lines
    version: int | None


def asks_for(only: Iterable[types.CodeActionKind | str] | None, kind: types.CodeActionKind | str) -> bool:
    """Whether an editor that wants ``only`` some kinds, all with ``None``, wants one: a kind holds those below it."""
    name = _name(kind)
    return only is None or any(f"{name}.".startswith(f"{_name(each)}.") for each in only if _name(each))


def _name(kind: types.CodeActionKind | str) -> str:
    return kind.value if isinstance(kind, types.CodeActionKind) else kind


def quick_fix(
    offer: Offer, findings: Iterable[Finding], told: Iterable[types.Diagnostic], edit: types.WorkspaceEdit
) -> types.CodeAction:
    """Return what ends some findings; only a fix that clients certainly see no difference by is the preferred one."""
    codes = ", ".join(sorted({finding.code for finding in findings}))
    sure = " (safe)" if offer.is_safe else ""  # an unsafe one says so itself
    return types.CodeAction(
        title=printable(f"{codes}: {offer.message}{sure}"),
        kind=types.CodeActionKind.QuickFix,
        diagnostics=list(told),
        is_preferred=True if offer.is_safe else None,
        edit=edit,
    )


def suppression(finding: Finding, told: types.Diagnostic, uri: str, version: int) -> types.CodeAction:
    """Return what puts a comment beside a finding; its edit is worked out when it is chosen."""
    return types.CodeAction(
        title=f"Suppress {finding.code} on this line",
        kind=types.CodeActionKind.QuickFix,
        diagnostics=[told],
        data={"uri": uri, "version": version, "code": finding.code, "fingerprint": finding.fingerprint}
        | {"line": finding.span.line},
    )


def fix_all(edit: types.WorkspaceEdit) -> types.CodeAction:
    """Return what makes all safe fixes of one file."""
    return types.CodeAction(title="Fix all that errlint can fix safely", kind=FIX_ALL, edit=edit)


def workspace_edit(
    edits: Mapping[str, Iterable[Edit]], target: Callable[[str], Target], *, with_versions: bool
) -> types.WorkspaceEdit:
    """Return the edits of files, by path; ``with_versions`` where the editor refuses those of another version."""
    by_file = [(target(path), tuple(each)) for path, each in sorted(edits.items())]
    if not with_versions:
        return types.WorkspaceEdit(changes={file.uri: _text_edits(file.lines, each) for file, each in by_file})
    return types.WorkspaceEdit(
        document_changes=[
            types.TextDocumentEdit(
                types.OptionalVersionedTextDocumentIdentifier(file.uri, file.version),
                list[types.TextEdit | types.AnnotatedTextEdit | types.SnippetTextEdit](_text_edits(file.lines, each)),
            )
            for file, each in by_file
        ]
    )


def _text_edits(lines: Lines, edits: Iterable[Edit]) -> list[types.TextEdit]:
    return [types.TextEdit(lines.exact(edit.span), edit.content) for edit in edits]
