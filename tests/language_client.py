"""An editor for the tests: the client of pygls, and ``errlint server`` as a process of its own on the other end."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("pygls", reason="the server is an extra")

from lsprotocol import types
from pygls.lsp.client import LanguageClient

PATIENCE = 60
"""Seconds after which something that was to come is taken not to come any more."""

CAPABILITIES = types.ClientCapabilities(
    workspace=types.WorkspaceClientCapabilities(
        workspace_edit=types.WorkspaceEditClientCapabilities(document_changes=True),
        did_change_watched_files=types.DidChangeWatchedFilesClientCapabilities(dynamic_registration=True),
    ),
    window=types.WindowClientCapabilities(work_done_progress=True),
    text_document=types.TextDocumentClientCapabilities(
        publish_diagnostics=types.PublishDiagnosticsClientCapabilities(
            related_information=True, code_description_support=True
        ),
        hover=types.HoverClientCapabilities(content_format=[types.MarkupKind.Markdown]),
        code_action=types.CodeActionClientCapabilities(resolve_support=types.ClientCodeActionResolveOptions(["edit"])),
    ),
)
"""What an editor of today can do."""


class Editor:
    """Holds documents, edits them, and has what it was told of each."""

    def __init__(self, client: LanguageClient, root: Path) -> None:
        self.client = client
        self.root = root
        self.messages: list[str] = []
        self.shown: dict[str, types.PublishDiagnosticsParams] = {}
        self.logged: list[str] = []
        self.registered: list[str] = []
        self.texts: dict[str, tuple[int, str]] = {}
        self._news = asyncio.Condition()

        async def published(params: types.PublishDiagnosticsParams) -> None:
            self.shown[params.uri] = params
            await self._tell()

        client.feature(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)(published)

        async def message(params: types.ShowMessageParams) -> None:
            self.messages.append(params.message)
            await self._tell()

        client.feature(types.WINDOW_SHOW_MESSAGE)(message)

        async def logged(params: types.LogMessageParams) -> None:
            self.logged.append(params.message)
            await self._tell()

        client.feature(types.WINDOW_LOG_MESSAGE)(logged)

        async def registered(params: types.RegistrationParams) -> None:
            self.registered += [each.method for each in params.registrations]
            await self._tell()

        client.feature(types.CLIENT_REGISTER_CAPABILITY)(registered)

        def create(params: types.WorkDoneProgressCreateParams) -> None:
            return None

        client.feature(types.WINDOW_WORK_DONE_PROGRESS_CREATE)(create)

        def progress(params: types.ProgressParams) -> None:
            return None

        client.feature(types.PROGRESS)(progress)

    async def _tell(self) -> None:
        async with self._news:
            self._news.notify_all()

    async def until(self, is_so: Callable[[], bool]) -> None:
        """Wait until the server has said something by which a condition holds."""
        async with self._news:
            await asyncio.wait_for(self._news.wait_for(is_so), PATIENCE)

    def uri(self, path: str) -> str:
        """Return the URI of a file of the project."""
        return (self.root / path).as_uri()

    def open(self, path: str, text: str | None = None) -> None:
        """Open a file, with what is on disk or another text."""
        content = (self.root / path).read_bytes().decode() if text is None else text
        self.texts[path] = (1, content)
        document = types.TextDocumentItem(self.uri(path), "python", 1, content)
        self.client.text_document_did_open(types.DidOpenTextDocumentParams(document))

    def type(self, path: str, text: str) -> None:
        """Make another text of a document."""
        version = self.texts[path][0] + 1
        self.texts[path] = (version, text)
        self.client.text_document_did_change(
            types.DidChangeTextDocumentParams(
                types.VersionedTextDocumentIdentifier(version, self.uri(path)),
                [types.TextDocumentContentChangeWholeDocument(text)],
            )
        )

    def save(self, path: str) -> None:
        """Write a document to disk, and say so."""
        (self.root / path).write_bytes(self.texts[path][1].encode())
        self.client.text_document_did_save(
            types.DidSaveTextDocumentParams(types.TextDocumentIdentifier(self.uri(path)))
        )

    def close(self, path: str) -> None:
        """Close a document."""
        del self.texts[path]
        document = types.TextDocumentIdentifier(self.uri(path))
        self.client.text_document_did_close(types.DidCloseTextDocumentParams(document))

    def changed(self, *paths: str) -> None:
        """Say that files were written by others."""
        events = [types.FileEvent(self.uri(path), types.FileChangeType.Changed) for path in paths]
        self.client.workspace_did_change_watched_files(types.DidChangeWatchedFilesParams(events))

    def found(self, path: str) -> list[tuple[str, int]]:
        """Return the codes and lines (from 0) that are shown of a file."""
        shown = self.shown.get(self.uri(path))
        return [] if shown is None else [(str(each.code), each.range.start.line) for each in shown.diagnostics]

    async def shows(self, path: str, *found: tuple[str, int]) -> list[types.Diagnostic]:
        """Wait until some codes and lines (from 0) are shown of a file, and of its newest text; return them."""

        def is_so() -> bool:
            shown = self.shown.get(self.uri(path))
            version = self.texts[path][0] if path in self.texts else None
            return shown is not None and shown.version in (version, None) and self.found(path) == list(found)

        try:
            await self.until(is_so)
        except asyncio.TimeoutError:
            pytest.fail(f"{path}: {self.shown.get(self.uri(path))}, {self.messages}")
        return list(self.shown[self.uri(path)].diagnostics)

    async def actions(self, path: str, place: types.Range, *only: types.CodeActionKind | str) -> list[types.CodeAction]:
        """Return what can be done about a stretch of a document."""
        context = types.CodeActionContext([], list(only) or None)
        document = types.TextDocumentIdentifier(self.uri(path))
        answer = await self.client.text_document_code_action_async(types.CodeActionParams(document, place, context))
        return [each for each in answer or () if isinstance(each, types.CodeAction)]

    def applied(self, edit: types.WorkspaceEdit | None) -> dict[str, str]:
        """Return the texts that an edit makes, by path; columns are counted in UTF-16 here."""
        assert edit is not None
        assert edit.document_changes is not None
        texts: dict[str, str] = {}
        for change in edit.document_changes:
            assert isinstance(change, types.TextDocumentEdit)
            path = next(
                file.relative_to(self.root).as_posix()
                for file in self.root.rglob("*")
                if file.as_uri() == change.text_document.uri
            )
            version, text = self.texts.get(path, (None, (self.root / path).read_bytes().decode()))
            assert change.text_document.version == version
            lines = [*text.splitlines(keepends=True), ""]
            for each in sorted(change.edits, key=lambda each: each.range.start, reverse=True):
                assert isinstance(each, types.TextEdit)
                first, last = each.range.start, each.range.end
                head = lines[first.line].encode("utf-16-le")[: 2 * first.character].decode("utf-16-le")
                tail = lines[last.line].encode("utf-16-le")[2 * last.character :].decode("utf-16-le")
                lines[first.line : last.line + 1] = [head + each.new_text + tail]
            texts[path] = "".join(lines)
        return texts


@asynccontextmanager
async def editor(
    root: Path, *, capabilities: types.ClientCapabilities = CAPABILITIES, folders: tuple[str, ...] = ("",)
) -> AsyncIterator[Editor]:
    """Start the server for folders of ``root``, and say goodbye to it in the end."""
    client = LanguageClient("tests", "1")
    found = Editor(client, root)
    await client.start_io(sys.executable, "-m", "errlint", "server", env={**os.environ, "COLUMNS": "80"})
    opened = [types.WorkspaceFolder((root / folder).as_uri(), folder) for folder in folders]
    await client.initialize_async(types.InitializeParams(capabilities=capabilities, workspace_folders=opened))
    client.initialized(types.InitializedParams())
    try:
        yield found
    finally:
        await asyncio.wait_for(client.shutdown_async(None), PATIENCE)
        client.exit(None)
        process = client._server
        assert process is not None
        assert await asyncio.wait_for(process.wait(), PATIENCE) == 0
        await client.stop()  # type: ignore[no-untyped-call]


def run(work: Coroutine[Any, Any, None]) -> None:
    """Carry out a test that speaks with a server."""
    asyncio.run(work)
