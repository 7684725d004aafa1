"""What clients get of a server before and after its errors became exceptions, over its standard streams.

Every tool is called twice with arguments made up from its schema: with texts that say nothing, and with empty ones.
Away from the services that it needs, most of its answers are errors. An answer may stay as it is; an error that was
answered as a success may become one that is told as an error, with the same text. All else is printed and counted
against it.

    python benchmarks/wire.py BEFORE AFTER [--each SECONDS] -- python -m server

The command is executed in both folders: run it only on what you would run anyway, without a network (``unshare -n``).
"""

from __future__ import annotations

import argparse
import json
import os
import queue
import re
import subprocess
import sys
import tempfile
import threading
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from common import CommandFailedError

PROTOCOL = "2025-06-18"
START_SECONDS = 60.0
MAX_DEPTH = 3
_PREFIX = re.compile(r"^Error (?:executing|calling) tool '?[\w./-]+'?: ")
_CHANGING = re.compile(r"0x[0-9a-f]+|\d+")
"""What differs between two runs of the same code: addresses, times, numbers of processes."""

HOME = "home"
"""What stands in a text for the folder that a server has as its home: each run has one of its own."""

Call = tuple[str, Mapping[str, Any]]


class Answer(NamedTuple):
    """What a client gets: whether it is told that it is an error, and the text."""

    is_error: bool
    text: str


class Server:
    """A server that is a process, asked line by line."""

    def __init__(self, command: Sequence[str], folder: Path, home: Path) -> None:
        path = os.pathsep.join(str(each) for each in (folder / "src", folder) if each.is_dir())
        environment = {**os.environ, "HOME": str(home), "PYTHONPATH": path, "PYTHONDONTWRITEBYTECODE": "1"}
        self._process = subprocess.Popen(
            command,
            cwd=folder,
            env=environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            encoding="utf-8",
        )
        self._lines: queue.Queue[str] = queue.Queue()
        threading.Thread(target=self._read, daemon=True).start()
        self._number = 0

    def _read(self) -> None:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            self._lines.put(line)
        self._lines.put("")

    def start(self) -> None:
        """Shake hands; raises :class:`CommandFailedError` where there is no server."""
        client = {"name": "wire", "version": "1"}
        asked = {"protocolVersion": PROTOCOL, "capabilities": {}, "clientInfo": client}
        if self.ask("initialize", asked, START_SECONDS) is None:
            raise CommandFailedError("the command does not answer as a server")
        self._send({"jsonrpc": "2.0", "method": "notifications/initialized"})

    def ask(self, method: str, parameters: Mapping[str, Any], seconds: float) -> dict[str, Any] | None:
        """Return the result, or the error, of a request; ``None`` where none comes in time."""
        self._number += 1
        self._send({"jsonrpc": "2.0", "id": self._number, "method": method, "params": parameters})
        while True:
            try:
                line = self._lines.get(timeout=seconds)
            except queue.Empty:
                return None
            if not line:
                raise CommandFailedError(f"the server ended at {method} {parameters}")
            try:
                answer = json.loads(line)
            except ValueError:
                continue
            if isinstance(answer, dict) and answer.get("id") == self._number:
                return answer

    def _send(self, message: Mapping[str, Any]) -> None:
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(json.dumps(message) + "\n")
            self._process.stdin.flush()
        except OSError as error:
            raise CommandFailedError("the server ended") from error

    def end(self) -> None:
        """Stop the process."""
        self._process.kill()
        self._process.wait()

    def tools(self) -> list[dict[str, Any]]:
        """Return all tools, page by page."""
        found: list[dict[str, Any]] = []
        cursor: dict[str, Any] = {}
        while True:
            answer = self.ask("tools/list", cursor, START_SECONDS)
            result = (answer or {}).get("result", {})
            found.extend(result.get("tools", ()))
            if not result.get("nextCursor"):
                return found
            cursor = {"cursor": result["nextCursor"]}

    def call(self, asked: Call, seconds: float) -> Answer | None:
        """Return what a tool answers, ``None`` where it does not in time."""
        answer = self.ask("tools/call", {"name": asked[0], "arguments": asked[1]}, seconds)
        if answer is None:
            return None
        if "error" in answer:
            return Answer(True, str(answer["error"].get("message", "")))
        result = answer["result"]
        texts = [item.get("text", "") for item in result.get("content", ()) if isinstance(item, dict)]
        return Answer(bool(result.get("isError")), "\n".join(texts))


def calls_of(tool: Mapping[str, Any]) -> Iterator[Call]:
    """Yield two calls of a tool: with something for each argument that it has to have, and with nothing in it."""
    schema = tool.get("inputSchema", {})
    for text in ("x", ""):
        given = {
            name: _value(schema.get("properties", {}).get(name, {}), schema, text, 0)
            for name in schema.get("required", ())
        }
        yield tool["name"], given
        if not given:
            return


def _value(wanted: Mapping[str, Any], schema: Mapping[str, Any], text: str, depth: int) -> Any:
    """Return something of the kind that a schema asks for."""
    if "$ref" in wanted:
        wanted = schema.get("$defs", {}).get(str(wanted["$ref"]).rpartition("/")[2], {})
    if "const" in wanted:
        return wanted["const"]
    if wanted.get("enum"):
        return wanted["enum"][0]
    if wanted.get("anyOf"):
        return _value(wanted["anyOf"][0], schema, text, depth + 1)
    kind = wanted.get("type")
    if kind == "object" and depth < MAX_DEPTH:
        inner = wanted.get("properties", {})
        return {name: _value(inner.get(name, {}), schema, text, depth + 1) for name in wanted.get("required", ())}
    made: dict[Any, Any] = {"integer": 1, "number": 1, "boolean": False, "array": [], "object": {}, "null": None}
    return made.get(kind, text)


def answers(command: Sequence[str], folder: Path, seconds: float) -> Iterator[tuple[Call, Answer | None]]:
    """Start a server in a folder, and call all of its tools."""
    with tempfile.TemporaryDirectory() as home:
        server = Server(command, folder.resolve(), Path(home))
        try:
            server.start()
            for tool in server.tools():
                for asked in calls_of(tool):
                    answer = server.call(asked, seconds)
                    yield asked, answer and answer._replace(text=answer.text.replace(home, HOME))
        finally:
            server.end()


def judged(before: Answer, after: Answer) -> str:
    """Return what has become of an answer: ``same``, ``told`` as an error with its text, or ``other``."""
    old, new = _plain(before.text), _plain(after.text)
    if before.is_error == after.is_error and old == new:
        return "same"
    if before.is_error or not after.is_error:
        return "other"
    return "told" if any(_plain(text) == new for text in _messages(before.text)) else "other"


def _plain(text: str) -> str:
    return _CHANGING.sub("0", _PREFIX.sub("", text)).strip()


def _messages(text: str) -> Iterator[str]:
    """Yield the texts that an answer may have its message in: itself, and what stands in it as JSON."""
    yield text
    try:
        pending = [json.loads(text)]
    except ValueError:
        return
    while pending:
        value = pending.pop()
        if isinstance(value, str):
            yield value
        elif isinstance(value, dict):
            pending.extend(value.values())
        elif isinstance(value, list):
            pending.extend(value)


def main() -> int:
    """Compare, print what differs, and return 1 where an answer became another one, 2 where there is no server."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("before", type=Path)
    parser.add_argument("after", type=Path)
    parser.add_argument("--each", type=float, default=20.0, help="seconds that a call may take")
    parser.add_argument("command", nargs="+", help="how the server is started")
    given = parser.parse_args()
    try:
        first = list(answers(given.command, given.before, given.each))
        second = {
            (name, json.dumps(arguments, sort_keys=True)): answer
            for (name, arguments), answer in answers(given.command, given.after, given.each)
        }
    except CommandFailedError as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    found: Counter[str] = Counter()
    for (name, arguments), before in first:
        after = second.get((name, json.dumps(arguments, sort_keys=True)))
        verdict = judged(before, after) if before is not None and after is not None else "late"
        found[verdict] += 1
        if verdict == "other":
            print(f"{name} {json.dumps(arguments)}\n    before: {before}\n    after:  {after}")
    print(", ".join(f"{count} {verdict}" for verdict, count in sorted(found.items())))
    return 1 if found["other"] else 0


if __name__ == "__main__":
    sys.exit(main())
