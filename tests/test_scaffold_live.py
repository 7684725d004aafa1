"""From a server with hand-built errors to one with the runtime of a convention, which is asked by a real client.

The server is migrated as a user would do it, started as a process of its own, and called over its standard streams and
over HTTP: clients get what the convention's document says, field by field (``scaffold_answers``).
"""

from __future__ import annotations

import asyncio
import os
import re
import shutil
import subprocess
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from command_line import Run
from fastmcp import Client
from fastmcp.client.transports import StdioTransport
from fixture_projects import FIXTURES
from mcp import MCPError
from mcp.types import TextContent
from scaffold_answers import ANSWERS, Answer, Failed, Refused

from errlint.scaffold import runtime

SCAFFOLDED = FIXTURES / "scaffolded"
WITH_MIDDLEWARE = 'from svc.errors import ErrorAnswers\n\nmcp = FastMCP("svc")\nmcp.add_middleware(ErrorAnswers())\n'
Connect = Callable[[Path], AbstractAsyncContextManager[Client[Any]]]
each_convention = pytest.mark.parametrize("convention", runtime.conventions())


def environment(**more: str) -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": ".", "PYTHONDONTWRITEBYTECODE": "1", "FASTMCP_SHOW_SERVER_BANNER": "0", **more}


@pytest.fixture
def scaffolded(convention: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, errlint: Run) -> Path:
    """Return a server with hand-built errors, and the runtime of a convention beside it."""
    folder = Path(shutil.copytree(SCAFFOLDED / "server", tmp_path / "project"))
    monkeypatch.chdir(folder)
    named = () if convention == runtime.PLAIN else ("--convention", convention)
    done = errlint("init", "--scaffold", "svc.errors", *named)
    assert done.status == 0, done.err
    return folder


@pytest.fixture
def migrated(convention: str, scaffolded: Path, errlint: Run) -> Path:
    """Return the server after all that a user does besides; nothing is left to report, in its documents neither."""
    server = scaffolded / "svc" / "server.py"
    server.write_text(server.read_text("utf-8").replace('mcp = FastMCP("svc")\n', WITH_MIDDLEWARE), "utf-8")
    fixed = errlint("--no-cache", "--fix", "--unsafe-fixes")
    assert fixed.status == 0, fixed.out
    shutil.copy(SCAFFOLDED / convention / "documents.py", scaffolded / "svc")
    assert errlint("catalog", "init").status == 0
    assert errlint("catalog", "write").status == 0
    left = errlint("--no-cache")
    assert left.status == 0, left.out
    assert left.out.startswith("All checks passed (")
    return scaffolded


@asynccontextmanager
async def over_streams(project: Path) -> AsyncIterator[Client[Any]]:
    transport = StdioTransport(
        sys.executable,
        ["-m", "svc.documents"],
        env=environment(),
        cwd=str(project),
        keep_alive=False,
        log_file=project / "streams.log",
    )
    async with Client(transport) as client:
        yield client


@asynccontextmanager
async def over_http(project: Path) -> AsyncIterator[Client[Any]]:
    log = (project / "http.log").open("w", encoding="utf-8")
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "svc.documents", cwd=project, env=environment(PORT="0"), stdout=log, stderr=-1
    )
    assert process.stderr is not None
    try:
        address = None
        while address is None:
            line = (await process.stderr.readline()).decode()
            assert line, "the server has ended"
            address = re.search(r"running on (http://[\d.:]+)", line)
        drained = asyncio.ensure_future(drain(process.stderr, log))
        async with Client(f"{address[1]}/mcp") as client:
            yield client
    finally:
        process.terminate()
        await process.wait()
        await drained
        log.close()


async def drain(stream: asyncio.StreamReader, log: Any) -> None:
    while line := await stream.readline():
        log.write(line.decode("utf-8", "replace"))


async def told(client: Client[Any], tool: str, arguments: dict[str, object]) -> Answer | Failed | Refused:
    """Return what a client gets of a call."""
    try:
        result = await client.call_tool(tool, arguments, raise_on_error=False)
    except MCPError as error:
        return Refused(error.error.code, error.error.message, error.error.data)
    if not result.is_error:
        return Answer(result.structured_content)
    (content,) = result.content
    assert isinstance(content, TextContent)
    return Failed(content.text)


async def cancel(client: Client[Any]) -> list[str]:
    """Cancel a call that is under way, and return the calls that the server knows to be cancelled."""
    begun = asyncio.Event()

    async def report(progress: float, total: float | None, message: str | None) -> None:
        begun.set()

    call = asyncio.ensure_future(client.call_tool("hang", {"name": "first"}, progress_handler=report))
    await begun.wait()
    call.cancel()
    await asyncio.gather(call, return_exceptions=True)
    calls: list[str] = []
    while not calls:
        content = (await client.call_tool("cancelled", {})).structured_content
        assert content is not None
        calls = content["calls"]
    return calls


@each_convention
def test_clients_get_what_the_document_says(convention: str, migrated: Path) -> None:
    async def ask(connect: Connect) -> tuple[list[object], list[str]]:
        async with connect(migrated) as client:
            return [await told(client, row.tool, row.arguments) for row in ANSWERS[convention]], await cancel(client)

    async def ask_both() -> tuple[tuple[list[object], list[str]], ...]:
        return await asyncio.gather(ask(over_streams), ask(over_http))

    for answers, cancelled in asyncio.run(ask_both()):
        for row, answer in zip(ANSWERS[convention], answers, strict=True):
            assert (row.tool, row.arguments, answer) == (row.tool, row.arguments, row.told)
        assert cancelled == ["first"]
        assert "hunter2" not in str(answers)
    for log in ("streams.log", "http.log"):
        assert "invalid literal for int()" in (migrated / log).read_text("utf-8")


@each_convention
def test_the_tests_that_come_with_a_runtime_pass(convention: str, scaffolded: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "tests"],
        cwd=scaffolded,
        env=environment(PYTEST_DISABLE_PLUGIN_AUTOLOAD="1"),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout
