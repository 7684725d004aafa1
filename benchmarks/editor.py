"""How long an editor waits: from a keystroke to what is found, by a real client of ``errlint server``.

A statement is typed into real files letter by letter, as fast as a person types. Two projects are measured: the
checkout as it is, and all its code put into one distribution until there are ``--files`` of it, which is linked as one.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import random
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path

import common
from lsprotocol import types
from pygls.lsp.client import LanguageClient
from speed import proportional_memory, verdict

LIMIT = 0.150
"""Seconds from a keystroke to what is found in the file, the median."""

RHYTHM = 0.12
"""Seconds from one answer to the next keystroke."""

PATIENCE = 120
TYPED = '\n\ndef zz_typed(value):\n    return {"error": "no value"}\n'
"""What is typed at the end of a file; about half of the texts on the way there cannot be parsed."""


@dataclass
class Measured:
    """Seconds to the findings of a file that can be parsed, of one that cannot, to those of the project, to fixes."""

    parsed: list[float] = field(default_factory=list)
    broken: list[float] = field(default_factory=list)
    whole: list[float] = field(default_factory=list)
    agreed: int = 0
    fixes: list[float] = field(default_factory=list)
    processor: float = 0.0
    first: float = 0.0
    memory: int = 0


class Editor:
    """Holds one document at a time, and has what it was told of each file."""

    def __init__(self, root: Path) -> None:
        self.client = LanguageClient("benchmark", "1")
        self.root = root
        self.told: dict[str, types.PublishDiagnosticsParams] = {}
        self._news = asyncio.Condition()
        self.is_first_over = False

        async def published(params: types.PublishDiagnosticsParams) -> None:
            async with self._news:
                self.told[params.uri] = params
                self._news.notify_all()

        async def progress(params: types.ProgressParams) -> None:
            value = params.value
            if "end" in (value.get("kind") if isinstance(value, dict) else "", getattr(value, "kind", "")):
                async with self._news:
                    self.is_first_over = True
                    self._news.notify_all()

        self.client.feature(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)(published)
        self.client.feature(types.WINDOW_WORK_DONE_PROGRESS_CREATE)(lambda _: None)
        self.client.feature(types.PROGRESS)(progress)

    async def start(self, cache: Path) -> float:
        """Start the server, and return the seconds until all of the project is known."""
        environment = {**os.environ, "ERRLINT_CACHE_DIR": str(cache)}
        started = time.perf_counter()
        await self.client.start_io(sys.executable, "-m", "errlint", "server", env=environment)
        capabilities = types.ClientCapabilities(window=types.WindowClientCapabilities(work_done_progress=True))
        folder = types.WorkspaceFolder(self.root.as_uri(), "project")
        params = types.InitializeParams(capabilities=capabilities, workspace_folders=[folder])
        await self.client.initialize_async(params)
        self.client.initialized(types.InitializedParams())
        async with self._news:
            await asyncio.wait_for(self._news.wait_for(lambda: self.is_first_over), PATIENCE)
        return time.perf_counter() - started

    async def told_of(self, uri: str, version: int) -> types.PublishDiagnosticsParams:
        """Wait for what is found in a version of a file."""
        async with self._news:
            await asyncio.wait_for(
                self._news.wait_for(lambda: uri in self.told and self.told[uri].version == version), PATIENCE
            )
            return self.told[uri]

    async def next_told(self, uri: str, version: int) -> types.PublishDiagnosticsParams:
        """Wait until the findings of a version are told again: those of the whole project."""
        self.told.pop(uri, None)
        return await self.told_of(uri, version)

    @property
    def memory(self) -> int:
        """MiB that the server holds."""
        process = self.client._server
        return proportional_memory(process.pid) // 1024 if process is not None else 0

    @property
    def processor(self) -> float:
        """Seconds of processor time that the server has used; these are the same on a busy machine."""
        process = self.client._server
        if process is None:
            return 0.0
        fields = Path(f"/proc/{process.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    async def stop(self) -> None:
        await self.client.shutdown_async(None)
        self.client.exit(None)
        await self.client.stop()  # type: ignore[no-untyped-call]


def grown(checkout: Path, target: Path, count: int) -> Path:
    """Put the code of a checkout into one distribution, again and again until it has ``count`` files."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "*.py"], cwd=checkout, capture_output=True, check=True, text=True
    ).stdout
    paths = [path for path in listed.split("\0") if path and "test" not in path]
    (target / "pyproject.toml").write_text('[project]\nname = "grown"\n', encoding="utf-8")
    for number in range(count):
        path = paths[number % len(paths)]
        copy = target / "app" / f"part{number // len(paths)}" / path.replace("-", "_")
        copy.parent.mkdir(parents=True, exist_ok=True)
        copy.write_bytes((checkout / path).read_bytes())
    return target


def states(text: str) -> Iterator[str]:
    """Yield a text while :data:`TYPED` is typed behind it."""
    for length in range(1, len(TYPED) + 1):
        yield text + TYPED[:length]


def can_be_parsed(text: str) -> bool:
    try:
        compile(text, "typed", "exec", dont_inherit=True, flags=0x400)
    except (SyntaxError, ValueError):
        return False
    return True


async def type_in(editor: Editor, path: str, measured: Measured) -> None:
    """Open a file, type, and note how long each answer takes."""
    uri = (editor.root / path).as_uri()
    text = (editor.root / path).read_bytes().decode()
    document = types.TextDocumentItem(uri, "python", 0, text)
    editor.client.text_document_did_open(types.DidOpenTextDocumentParams(document))
    await editor.next_told(uri, 0)
    before = editor.processor
    for version, state in enumerate(states(text), 1):
        is_parsed = can_be_parsed(state)
        change = types.TextDocumentContentChangeWholeDocument(state)
        identifier = types.VersionedTextDocumentIdentifier(version, uri)
        started = time.perf_counter()
        editor.client.text_document_did_change(types.DidChangeTextDocumentParams(identifier, [change]))
        quick = await editor.told_of(uri, version)
        (measured.parsed if is_parsed else measured.broken).append(time.perf_counter() - started)
        if version < len(TYPED):
            await asyncio.sleep(RHYTHM)
    measured.processor += editor.processor - before
    started = time.perf_counter()
    whole = await editor.next_told(uri, version)
    measured.whole.append(time.perf_counter() - started)
    measured.agreed += quick.diagnostics == whole.diagnostics
    measured.memory = max(measured.memory, editor.memory)
    if whole.diagnostics:
        place = whole.diagnostics[0].range
        context = types.CodeActionContext([], [types.CodeActionKind.QuickFix])
        started = time.perf_counter()
        params = types.CodeActionParams(types.TextDocumentIdentifier(uri), place, context)
        await asyncio.wait_for(editor.client.text_document_code_action_async(params), PATIENCE)
        measured.fixes.append(time.perf_counter() - started)
        measured.memory = max(measured.memory, editor.memory)
    editor.client.text_document_did_close(types.DidCloseTextDocumentParams(types.TextDocumentIdentifier(uri)))


async def measure(root: Path, cache: Path, count: int, seed: int) -> Measured:
    measured = Measured()
    editor = Editor(root)
    measured.first = await editor.start(cache)
    drawn = random.Random(seed)
    files = sorted(path.relative_to(root).as_posix() for path in root.rglob("*.py") if path.stat().st_size)
    plain = [path for path in files if "test" not in path]
    for path in drawn.sample(plain, min(count, len(plain))):
        await type_in(editor, path, measured)
    await editor.stop()
    return measured


def tell(title: str, measured: Measured) -> bool:
    keystrokes = measured.parsed + measured.broken
    median = statistics.median(keystrokes)
    is_kept = max(median, statistics.median(measured.parsed)) < LIMIT
    ordered = sorted(keystrokes)
    print(
        f"{verdict(is_kept)} {title}: {median * 1000:.0f} ms median of {len(keystrokes)} keystrokes (limit "
        f"{LIMIT * 1000:.0f} ms), {ordered[len(ordered) * 95 // 100] * 1000:.0f} ms for 95 of 100;"
        f" {statistics.median(measured.parsed) * 1000:.0f} ms where the text can be parsed"
    )
    print(f"     {measured.processor / len(keystrokes) * 1000:.0f} ms of processor time for each keystroke")
    print(f"     all of the project {statistics.median(measured.whole):.2f} s after the last keystroke")
    print(f"     the first answer was that of the project in {measured.agreed} of {len(measured.whole)} files")
    if measured.fixes:
        print(f"     fixes of a finding {statistics.median(measured.fixes):.2f} s after they were asked for")
    print(f"     {measured.first:.1f} s from the start to the first findings, {measured.memory} MiB held")
    return is_kept


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("checkout", type=Path, help="a git checkout with Python code")
    parser.add_argument("--files", type=int, default=2_000, help="of the project that is one distribution")
    parser.add_argument("--opened", type=int, default=12, help="files to type in, of each project")
    parser.add_argument("--seed", type=int, default=20261126)
    arguments = parser.parse_args()
    checkout = arguments.checkout.resolve()
    with ExitStack() as stack:
        folder, caches = (Path(stack.enter_context(tempfile.TemporaryDirectory())).resolve() for _ in range(2))
        grown(checkout, folder, arguments.files)
        projects = {f"{arguments.files} files in one distribution": folder, "the checkout as it is": checkout}
        kept: list[bool] = []
        for title, root in projects.items():
            cache = caches / str(len(kept))
            command = [*common.ERRLINT, "check", "--quiet", "--exit-zero", "--statistics", "--cache-dir", str(cache)]
            subprocess.run(command, cwd=root, check=True, stdout=subprocess.DEVNULL)
            measured = asyncio.run(measure(root, cache, arguments.opened, arguments.seed))
            kept.append(tell(title, measured))
    return 0 if all(kept) else 1


if __name__ == "__main__":
    sys.exit(main())
