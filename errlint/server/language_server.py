"""The language server: what an editor says, what it is answered, and when work is done.

While somebody types, the file is checked after each short pause, and the project after a longer one; the next keystroke
stops that. Both have a thread of their own, and fixes a third one, so that the editor is always answered at once.
"""

from __future__ import annotations

import asyncio
import gc
import logging
import os
import threading
import time
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar
from uuid import uuid4

from lsprotocol import types
from pygls.lsp.server import LanguageServer
from pygls.uris import from_fs_path, to_fs_path

from errlint import __version__, rulebook
from errlint.characters import printable
from errlint.discover import PAGES, SUFFIXES
from errlint.errors import ErrlintError, Place, described
from errlint.findings import Finding
from errlint.rules import PROJECT_URL
from errlint.server import actions
from errlint.server.actions import Target
from errlint.server.diagnostics import SOURCE, Abilities, diagnostic
from errlint.server.positions import Lines
from errlint.server.session import Session, Stopped
from errlint.source import encode

if TYPE_CHECKING:
    from errlint.fix.presentation.fix_preview import Edit, Offer
    from errlint.server.session import Checked

DEBOUNCE = 0.04
"""Seconds without another keystroke after which the file is checked."""

PAUSE = 0.4
"""Seconds without another keystroke after which the project is checked."""

_REPORT = 0.2
"""Seconds between two reports of progress."""

_STACK_SIZE = 64 << 20
"""Address space for the stack of a thread; some systems give half a megabyte, which is not enough for long code."""

_WATCHED = ("**/*.{py,pyi,md,toml}", "**/setup.cfg", "**/.gitignore", "**/errlint-baseline.txt")

R = TypeVar("R")


@dataclass
class Document:
    """A file that stands in an editor: its URI, its path in its project, the text and the number of its version."""

    uri: str
    project: Project
    path: str
    is_added: bool
    version: int = 0
    data: bytes = b""
    text: str = ""
    findings: tuple[Finding, ...] = ()
    """What the editor was told last."""
    waiting: asyncio.Task[None] | None = None


@dataclass
class Project:
    """A session, the documents of it by path, and what is being done in it."""

    session: Session
    documents: dict[str, Document] = field(default_factory=dict)
    published: dict[str, list[types.Diagnostic]] = field(default_factory=dict)
    stop: threading.Event = field(default_factory=threading.Event)
    checking: asyncio.Task[None] | None = None
    note: str = ""
    """What the log of the editor was told last of it."""
    is_outdated: bool = False
    """Whether the check that is under way has to be followed by another one."""
    offered: dict[tuple[Finding, ...], asyncio.Future[dict[Finding, Offer]]] = field(default_factory=dict)
    offered_for: Checked | None = None
    """The findings that fixes were looked for of."""

    def texts(self) -> dict[str, bytes]:
        """Return the texts that stand in an editor, by path."""
        return {path: document.data for path, document in self.documents.items()}


class Server(LanguageServer):
    """Speaks with one editor."""

    def __init__(self, cache_dir: Path | None) -> None:
        # Whole texts: a change of one says where in lines that pygls counts otherwise than the protocol does.
        super().__init__("errlint", __version__, types.TextDocumentSyncKind.Full)
        self.was_shut_down = False
        self._cache_dir = cache_dir
        self._projects: list[Project] = []
        self._documents: dict[str, Document] = {}
        self._told: str = ""
        self._faulty: str = ""
        self._near, self._whole, self._fixing = (ThreadPoolExecutor(1) for _ in range(3))

    def report_server_error(self, error: Exception, source: object) -> None:
        """Tell of a fault in errlint, and go on."""
        self.tell(ErrlintError(f"{described(error)} (this is a bug in errlint, report it at {PROJECT_URL}/issues)"))

    def tell(self, error: ErrlintError) -> None:
        """Tell a person what is wrong, once until it is mended; what is wrong with a file also beside that."""
        text = "\n".join(map(printable, error.lines()))
        if text == self._told:
            return
        self._told = text
        self.window_show_message(types.ShowMessageParams(types.MessageType.Error, f"errlint: {text}"))
        if error.place is not None:
            self._tell_beside(error, error.place)

    def _tell_beside(self, error: ErrlintError, place: Place) -> None:
        self._mended()
        self._faulty = self._uri(place.path)
        at = types.Position(max(place.line - 1, 0), max(place.column - 1, 0))
        end = types.Position(at.line + 1, 0) if place.line else at
        message = printable(f"{error.message} ({error.hint})" if error.hint else error.message)
        found = types.Diagnostic(types.Range(at, end), message, types.DiagnosticSeverity.Error, source=SOURCE)
        self.text_document_publish_diagnostics(types.PublishDiagnosticsParams(self._faulty, [found]))

    def _mended(self) -> None:
        if self._faulty:
            self.text_document_publish_diagnostics(types.PublishDiagnosticsParams(self._faulty, []))
        self._faulty = ""

    # --- projects and documents ---------------------------------------------------------------------------------

    def start(self) -> None:
        """Begin with the folders that the editor has opened."""
        for folder in self._folders():
            self._add_folder(folder)
        for project in self._projects:
            self.check_later(project, 0)

    def _folders(self) -> list[Path]:
        uris = [folder.uri for folder in self.workspace.folders.values()]
        if not uris and self.workspace.root_uri:
            uris = [self.workspace.root_uri]
        return [Path(os.path.normpath(path)) for uri in uris if (path := to_fs_path(uri)) is not None]

    def _add_folder(self, folder: Path) -> Project | None:
        try:
            return self._with(Session(folder, cache_dir=self._cache_dir), folder)
        except ErrlintError as error:
            self.tell(error)
            return None

    def _with(self, session: Session, path: Path) -> Project:
        """Return the project of a session, which is an earlier one where that has the same root."""
        for project in self._projects:
            if project.session.root == session.root:
                project.session.add(path)
                return project
        self._projects.append(Project(session))
        return self._projects[-1]

    def open(self, uri: str, text: str, version: int) -> None:
        """Take in a document; one that is no file, or is in no project, is passed over."""
        found = to_fs_path(uri)
        if found is None:
            return
        document = self._document(uri, Path(os.path.normpath(found)))
        if document is None:
            return
        self._documents[uri] = document
        document.project.documents[document.path] = document
        _set(document, text, version)
        project, session = document.project, document.project.session
        if document.is_added or not session.has_checked(document.path, document.data):
            self.check_later(project, 0)
        elif project.checking is not None:
            project.is_outdated = True
        else:  # what was found is right and shown already; what a check of this file alone says otherwise is not known
            document.findings = session.checked.of(document.path)
            self.check_later(project, PAUSE)

    def _document(self, uri: str, path: Path) -> Document | None:
        around = [(project, name) for project in self._projects if (name := project.session.name(path)) is not None]
        if around:
            project, name = max(around, key=lambda each: len(each[0].session.root.parts))
            return Document(uri, project, name, is_added=project.session.add_if_outside(path))
        try:
            project = self._with(Session(path.parent, (path,), cache_dir=self._cache_dir), path)
        except ErrlintError as error:
            self.tell(error)
            return None
        name = project.session.name(path) or path.name
        return Document(uri, project, name, is_added=True)

    def change(self, uri: str, text: str, version: int) -> None:
        """Take in another text of a document, and check it when no other follows at once."""
        document = self._documents.get(uri)
        if document is None:
            return
        _set(document, text, version)
        if document.project.session.is_known:
            self._stop(document.project)
        if document.waiting is not None:
            document.waiting.cancel()
        document.waiting = asyncio.ensure_future(self._check_soon(document))

    def close(self, uri: str) -> None:
        """Let go of a document; what is on disk counts again."""
        document = self._documents.pop(uri, None)
        if document is None:
            return
        if document.waiting is not None:
            document.waiting.cancel()
        project = document.project
        project.documents.pop(document.path, None)
        project.session.forget(document.path)
        if document.is_added:
            project.session.remove(project.session.root / document.path)
        if project.session.is_idle:
            self._drop(project)
        else:
            self.check_later(project, 0)

    def _drop(self, project: Project) -> None:
        self._stop(project)
        self._projects.remove(project)
        for uri in [uri for uri, shown in project.published.items() if shown]:
            self.text_document_publish_diagnostics(types.PublishDiagnosticsParams(uri, []))

    def reload(self) -> None:
        """Read the configurations again. Where one cannot be understood, the project goes on with the one before."""
        self._told = ""
        self._mended()
        before, self._projects = self._projects, []
        for folder in self._folders():
            self._add_again(folder, before)
        opened = list(self._documents.values())
        self._documents.clear()
        for old in before:
            if old in self._projects:
                self._documents |= {document.uri: document for document in old.documents.values()}
                continue
            self._stop(old)
        for document in opened:
            if document.uri not in self._documents:
                self.open(document.uri, document.text, document.version)
        kept = {uri for project in self._projects for uri in project.published}
        for old in before:
            if old not in self._projects:
                self._hand_over(old, kept)
        for project in self._projects:
            self.check_later(project, 0)

    def _add_again(self, folder: Path, before: Iterable[Project]) -> None:
        """Add a folder, as the project that it was where its settings are the same or cannot be understood."""
        kept = [old for old in before if old.session.name(folder) is not None and old not in self._projects]
        try:
            session = Session(folder, cache_dir=self._cache_dir)
        except ErrlintError as error:
            self.tell(error)
            self._projects += kept
            return
        same = next((old for old in kept if old.session.has_settings_of(session)), None)
        if same is None:
            self._with(session, folder)
            return
        self._projects.append(same)
        same.session.begin_with(folder)
        for document in same.documents.values():
            document.is_added = same.session.add_if_outside(same.session.root / document.path)

    def _hand_over(self, old: Project, kept: Iterable[str]) -> None:
        """Leave what an editor shows of a project to the one that is now in its place, else take it away."""
        for uri, shown in old.published.items():
            if uri in kept or not shown:
                continue
            path = to_fs_path(uri)
            successor = next((each for each in self._projects if path and each.session.name(Path(path))), None)
            if successor is not None:
                successor.published[uri] = shown
            else:
                self.text_document_publish_diagnostics(types.PublishDiagnosticsParams(uri, []))

    def files_changed(self, changes: Iterable[types.FileEvent]) -> None:
        """Take note of what others have written: code and documents are checked again, the rest may be settings."""
        paths = [to_fs_path(change.uri) or "" for change in changes]
        if all(path.endswith((*SUFFIXES, *PAGES, ".txt")) for path in paths):
            self.check_everything()
        else:
            self.reload()

    def check_everything(self) -> None:
        """Check all projects."""
        for project in self._projects:
            self.check_later(project, DEBOUNCE)

    def end(self) -> None:
        """Stop all work."""
        self.was_shut_down = True
        for document in self._documents.values():
            if document.waiting is not None:
                document.waiting.cancel()
        for project in self._projects:
            self._stop(project)
        for pool in (self._near, self._whole, self._fixing):
            pool.shutdown(wait=False, cancel_futures=True)

    # --- checks -------------------------------------------------------------------------------------------------

    async def _in(self, pool: ThreadPoolExecutor, work: Callable[[], R]) -> R:
        return await asyncio.get_running_loop().run_in_executor(pool, work)

    async def _check_soon(self, document: Document) -> None:
        """Check one file after a short pause, show what is found, and have the project checked after a longer one."""
        await asyncio.sleep(DEBOUNCE)
        version, texts, project = document.version, document.project.texts(), document.project
        try:
            found = await self._in(self._near, lambda: self._check_near(document.path, project, texts))
        except ErrlintError as error:
            self.tell(error)
        except Exception as error:  # noqa: BLE001 -- the boundary: an editor must not lose its server
            self.report_server_error(error, None)
        else:
            if found is not None and document.version == version:
                document.findings = found[0]
                self._publish(project, document.uri, found[1], version)
        self.check_later(project, PAUSE)

    def _check_near(
        self, path: str, project: Project, texts: Mapping[str, bytes]
    ) -> tuple[tuple[Finding, ...], list[types.Diagnostic]] | None:
        findings = project.session.check_near(path, texts[path])
        return None if findings is None else (findings, _Texts(self, project, texts).diagnostics(path, findings))

    def check_later(self, project: Project, seconds: float) -> None:
        """Have a project checked when nothing else happens in it until then.

        The first check, which reads all files, is not stopped by another one that is wanted: that one follows.
        """
        if project.checking is not None and not project.session.is_known:
            project.is_outdated = True
            return
        self._stop(project)
        project.stop = threading.Event()
        project.checking = asyncio.ensure_future(self._check_all(project, project.stop, seconds))

    def _stop(self, project: Project) -> None:
        project.stop.set()
        if project.checking is not None:
            project.checking.cancel()
            project.checking = None

    async def _check_all(self, project: Project, stop: threading.Event, seconds: float) -> None:
        await asyncio.sleep(seconds)
        project.is_outdated = False
        documents = dict(project.documents)
        versions = {path: document.version for path, document in documents.items()}
        texts = project.texts()
        async with _Progress(self, is_wanted=not project.session.is_known) as progress:

            def work() -> tuple[dict[str, tuple[Finding, ...]], dict[str, list[types.Diagnostic]]]:
                def report(stage: str, done: int, total: int) -> None:
                    if stop.is_set():
                        raise Stopped
                    progress(stage, done, total)

                report("", 0, 0)
                return self._told_of(project, project.session.check_all(texts, report), texts)

            try:
                findings, told = await self._in(self._whole, work)
            except Stopped:
                return
            except ErrlintError as error:
                self.tell(error)
                return
            except Exception as error:  # noqa: BLE001 -- the boundary: an editor must not lose its server
                self.report_server_error(error, None)
                return
        project.checking = None
        self._log(project, project.session.checked.note)
        if not self._faulty:
            self._told = ""
        # What is being looked at first.
        for path, document in documents.items():
            if document.version == versions[path] and project.documents.get(path) is document:
                document.findings = findings.get(path, ())
                self._publish(project, document.uri, told.get(path, []), document.version)
        shown = {document.uri for document in project.documents.values()}
        uris = {path: self._uri(project.session.root / path) for path in told if path not in documents}
        for path, uri in uris.items():
            if uri not in shown:
                self._publish(project, uri, told[path], None)
        for uri in project.published.keys() - uris.values() - shown:
            self._publish(project, uri, [], None)
        asyncio.get_running_loop().run_in_executor(self._whole, _tidy)
        if project.is_outdated:
            self.check_later(project, 0)

    def _log(self, project: Project, note: str) -> None:
        """Put into the log of the editor what a person should know beside the findings."""
        if note and note != project.note:
            text = printable(f"{project.session.root}: {note}")
            self.window_log_message(types.LogMessageParams(types.MessageType.Info, f"errlint: {text}"))
        project.note = note

    def _told_of(
        self, project: Project, checked: Checked, texts: Mapping[str, bytes]
    ) -> tuple[dict[str, tuple[Finding, ...]], dict[str, list[types.Diagnostic]]]:
        """Return what was found in each file, and how an editor is told; of a text that cannot be parsed that too."""
        shown = _Texts(self, project, texts)
        findings = dict(checked.findings)
        for path, data in texts.items():
            if checked.texts.get(path) != data:
                findings[path] = project.session.check_near(path, data) or ()
        return findings, {path: shown.diagnostics(path, found) for path, found in findings.items()}

    def _publish(self, project: Project, uri: str, told: list[types.Diagnostic], version: int | None) -> None:
        """Show what was found in a file; of one that does not stand in an editor only where that has changed."""
        if version is None and project.published.get(uri, []) == told:
            return
        project.published[uri] = told
        self.text_document_publish_diagnostics(types.PublishDiagnosticsParams(uri, told, version))

    def _uri(self, path: Path) -> str:
        """Return the URI of a file, as the editor writes it where it has it open."""
        for project in self._projects:
            name = project.session.name(path)
            if name is not None and name in project.documents:
                return project.documents[name].uri
        return from_fs_path(str(path)) or ""

    # --- what is asked ------------------------------------------------------------------------------------------

    def hover(self, uri: str, position: types.Position) -> types.Hover | None:
        """Return the pages of the rules that have found something at a place."""
        document = self._documents.get(uri)
        if document is None:
            return None
        lines = self.lines(document.text)
        place = lines.place(position)
        there = [each for each in document.findings if _is_in(lines, each, place)]
        if not there:
            return None
        codes = dict.fromkeys(finding.code for finding in there)
        if types.MarkupKind.Markdown in self._hover_formats():
            content = types.MarkupContent(types.MarkupKind.Markdown, "\n---\n".join(map(rulebook.markdown, codes)))
        else:
            content = types.MarkupContent(types.MarkupKind.PlainText, "\n".join(map(rulebook.render, codes)))
        return types.Hover(content, lines.range(there[0].span))

    def _hover_formats(self) -> Iterable[types.MarkupKind]:
        document = self.client_capabilities.text_document
        return (document.hover.content_format if document is not None and document.hover is not None else None) or ()

    def lines(self, text: str) -> Lines:
        """Return the lines of a text, as the editor counts them."""
        return Lines(text, self.workspace.position_encoding)

    async def actions(self, params: types.CodeActionParams) -> list[types.CodeAction]:
        """Return what can be done about what is found in a stretch of a document."""
        document = self._documents.get(params.text_document.uri)
        only = params.context.only
        wants_fixes = actions.asks_for(only, types.CodeActionKind.QuickFix)
        wants_all = only is not None and actions.asks_for(only, actions.FIX_ALL)
        if document is None or not (wants_fixes or wants_all):
            return []
        checked = await self._settled(document)
        if checked is None:
            return []
        lines = self.lines(document.text)
        first, last = lines.place(params.range.start), lines.place(params.range.end)
        found: list[types.CodeAction] = []
        if wants_fixes:
            there = tuple(each for each in checked.of(document.path) if _is_in(lines, each, first, last))
            found += await self._fixes(document, there) if there else []
        if wants_all and checked.of(document.path):
            texts = document.project.texts()
            session = document.project.session
            edits = await self._in(self._fixing, lambda: session.fix_all(document.path, texts))
            if edits and document.project.session.checked is checked:
                found.append(actions.fix_all(self._edit(document.project, {document.path: edits})))
        return found if document.project.session.checked is checked else []

    async def _settled(self, document: Document) -> Checked | None:
        """Return what was found in the text as it stands, once that is known; ``None`` where it cannot be parsed."""
        project = document.project
        while (waiting := document.waiting) is not None and not waiting.done():
            await asyncio.wait([waiting])
        while (checking := project.checking) is not None:
            await asyncio.wait([checking])
            if checking is project.checking:  # it has failed, and said so
                return None
        checked = project.session.checked
        return checked if checked.texts.get(document.path) == document.data else None

    async def _fixes(self, document: Document, findings: tuple[Finding, ...]) -> list[types.CodeAction]:
        project = document.project
        offers = await self._offers(project, findings)
        told = {finding: self._diagnostic(document, finding) for finding in findings}
        by_offer: dict[int, tuple[Offer, list[Finding]]] = {}
        for finding, offer in offers.items():
            by_offer.setdefault(id(offer), (offer, []))[1].append(finding)
        found = [
            actions.quick_fix(offer, ended, [told[each] for each in ended], self._edit(project, offer.edits))
            for offer, ended in by_offer.values()
        ]
        for finding in findings:
            if project.session.can_suppress(finding):
                action = actions.suppression(finding, told[finding], document.uri, document.version)
                found.append(action if self._resolves() else await self.resolve(action))
        return found

    async def _offers(self, project: Project, findings: tuple[Finding, ...]) -> dict[Finding, Offer]:
        """Return the fixes of findings; who asks again while they are looked for waits for the same answer."""
        if project.offered_for is not project.session.checked:
            project.offered.clear()
            project.offered_for = project.session.checked
        known = project.offered.get(findings)
        if known is None or known.cancelled():
            texts = project.texts()

            def work() -> dict[Finding, Offer]:
                offers = project.session.find_fixes(findings, texts)
                return {finding: offer for finding in findings if (offer := offers.fix(finding)) is not None}

            known = project.offered[findings] = asyncio.ensure_future(self._in(self._fixing, work))
        return await asyncio.shield(known)

    def _diagnostic(self, document: Document, finding: Finding) -> types.Diagnostic:
        texts = _Texts(self, document.project, document.project.texts())
        return texts.diagnostics(document.path, (finding,))[0]

    def _edit(self, project: Project, edits: Mapping[str, Iterable[Edit]]) -> types.WorkspaceEdit:
        texts = _Texts(self, project, project.texts())

        def target(path: str) -> Target:
            uri, lines = texts.place(path)
            document = project.documents.get(path)
            return Target(uri, lines, document.version if document is not None else None)

        return actions.workspace_edit(edits, target, with_versions=self._takes_versions())

    def _takes_versions(self) -> bool:
        workspace = self.client_capabilities.workspace
        edit = workspace.workspace_edit if workspace is not None else None
        return bool(edit is not None and edit.document_changes)

    def _resolves(self) -> bool:
        document = self.client_capabilities.text_document
        action = document.code_action if document is not None else None
        support = action.resolve_support if action is not None else None
        return support is not None and "edit" in support.properties

    async def resolve(self, action: types.CodeAction) -> types.CodeAction:
        """Return the action that puts a comment beside a finding with its edit, without where the text has changed."""
        data = action.data if isinstance(action.data, dict) else {}
        document = self._documents.get(str(data.get("uri")))
        if document is None or document.version != data.get("version"):
            return action
        checked = await self._settled(document)
        wanted = (data.get("code"), data.get("fingerprint"), data.get("line"))
        found = checked.of(document.path) if checked is not None else ()
        finding = next((each for each in found if (each.code, each.fingerprint, each.span.line) == wanted), None)
        if finding is None:
            return action
        texts = document.project.texts()
        session = document.project.session
        edits = await self._in(self._fixing, lambda: session.suppress(finding, actions.REASON, texts))
        if edits and document.version == data.get("version"):
            action.edit = self._edit(document.project, {document.path: edits})
        return action


class _Texts:
    """The texts of a project as they were when some work began."""

    def __init__(self, server: Server, project: Project, texts: Mapping[str, bytes]) -> None:
        self._server = server
        self._project = project
        self._texts = texts
        self._abilities = Abilities(server.client_capabilities)
        self._places: dict[str, tuple[str, Lines]] = {}

    def place(self, path: str) -> tuple[str, Lines]:
        """Return the URI and the lines of a file."""
        if path not in self._places:
            session = self._project.session
            lines = self._server.lines(session.text(path, self._texts))
            self._places[path] = self._server._uri(session.root / path), lines
        return self._places[path]

    def diagnostics(self, path: str, findings: Iterable[Finding]) -> list[types.Diagnostic]:
        """Return what an editor is told of the findings of a file."""
        return [diagnostic(finding, self.place(path)[1], self.place, self._abilities) for finding in findings]


class _Progress:
    """Shows a person that the first check of a project is under way, where the editor can."""

    def __init__(self, server: Server, *, is_wanted: bool) -> None:
        window = server.client_capabilities.window
        self._server = server
        self._token = uuid4().hex if is_wanted and window is not None and window.work_done_progress else ""
        self._loop = asyncio.get_running_loop()
        self._last = 0.0

    async def __aenter__(self) -> _Progress:
        if self._token:
            progress = self._server.work_done_progress
            await progress.create_async(self._token)
            progress.begin(self._token, types.WorkDoneProgressBegin("errlint"))
        return self

    async def __aexit__(self, *reason: object) -> None:
        if self._token:
            self._server.work_done_progress.end(self._token, types.WorkDoneProgressEnd())

    def __call__(self, stage: str, done: int, total: int) -> None:
        """Take note of a stage, in whatever thread."""
        now = time.monotonic()
        if self._token and now - self._last > _REPORT:
            self._last = now
            share = 100 * done // total if total else None
            report = types.WorkDoneProgressReport(message=stage, percentage=share)
            self._loop.call_soon_threadsafe(self._server.work_done_progress.report, self._token, report)


def _set(document: Document, text: str, version: int) -> None:
    document.text, document.version, document.data = text, version, encode(text)


def _is_in(lines: Lines, finding: Finding, first: tuple[int, int], last: tuple[int, int] | None = None) -> bool:
    """Whether a finding, as it is shown, has something of a stretch from one place to another, both included."""
    shown = lines.range(finding.span)
    start, end = lines.place(shown.start), lines.place(shown.end)
    return start <= (last or first) and first <= end


def _tidy() -> None:
    """Look for cycles now, when nobody waits, and for those of today never again."""
    gc.collect()
    gc.freeze()


def _server(cache_dir: Path | None) -> Server:
    server = Server(cache_dir)

    @server.feature(types.INITIALIZED)
    def initialized(params: types.InitializedParams) -> None:
        workspace = server.client_capabilities.workspace
        watched = workspace.did_change_watched_files if workspace is not None else None
        if watched is not None and watched.dynamic_registration:
            watchers = [types.FileSystemWatcher(pattern) for pattern in _WATCHED]
            options = types.DidChangeWatchedFilesRegistrationOptions(watchers)
            registration = types.Registration("files", types.WORKSPACE_DID_CHANGE_WATCHED_FILES, options)
            server.client_register_capability(types.RegistrationParams([registration]))
        server.start()

    @server.feature(types.TEXT_DOCUMENT_DID_OPEN)
    def did_open(params: types.DidOpenTextDocumentParams) -> None:
        document = params.text_document
        server.open(document.uri, document.text, document.version)

    @server.feature(types.TEXT_DOCUMENT_DID_CHANGE)
    def did_change(params: types.DidChangeTextDocumentParams) -> None:
        for change in params.content_changes:
            server.change(params.text_document.uri, change.text, params.text_document.version)

    @server.feature(types.TEXT_DOCUMENT_DID_SAVE)
    def did_save(params: types.DidSaveTextDocumentParams) -> None:
        server.check_everything()

    @server.feature(types.TEXT_DOCUMENT_DID_CLOSE)
    def did_close(params: types.DidCloseTextDocumentParams) -> None:
        server.close(params.text_document.uri)

    @server.feature(types.WORKSPACE_DID_CHANGE_WATCHED_FILES)
    def did_change_watched_files(params: types.DidChangeWatchedFilesParams) -> None:
        server.files_changed(params.changes)

    @server.feature(types.WORKSPACE_DID_CHANGE_CONFIGURATION)
    def did_change_configuration(params: types.DidChangeConfigurationParams) -> None:
        server.reload()

    @server.feature(types.WORKSPACE_DID_CHANGE_WORKSPACE_FOLDERS)
    def did_change_workspace_folders(params: types.DidChangeWorkspaceFoldersParams) -> None:
        server.reload()

    @server.feature(types.TEXT_DOCUMENT_HOVER)
    def hover(params: types.HoverParams) -> types.Hover | None:
        return server.hover(params.text_document.uri, params.position)

    options = types.CodeActionOptions(code_action_kinds=list(actions.KINDS), resolve_provider=True)

    @server.feature(types.TEXT_DOCUMENT_CODE_ACTION, options)
    async def code_action(params: types.CodeActionParams) -> list[types.CodeAction]:
        return await server.actions(params)

    @server.feature(types.CODE_ACTION_RESOLVE)
    async def resolve(params: types.CodeAction) -> types.CodeAction:
        return await server.resolve(params)

    @server.feature(types.SHUTDOWN)
    def shutdown(params: None) -> None:
        server.end()

    return server


def serve(cache_dir: Path | None) -> int:
    """Speak with an editor by the standard streams until it says goodbye; return the exit status.

    ``cache_dir`` is where a person wants the caches of all projects, ``None`` for each project's own place.
    """
    logging.getLogger("pygls").setLevel(logging.CRITICAL)  # what went wrong is told to the person at the editor
    gc.disable()  # a look for cycles takes longer than the check after a keystroke
    threading.stack_size(_STACK_SIZE)
    server = _server(cache_dir)
    server.start_io()
    return 0 if server.was_shut_down else 1
