"""What is in the files of a run: their hashes, by which the cache knows them again, and what they import."""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping
from pathlib import Path

from errlint import __version__
from errlint.cache import RACY_NS, Cache, Content, Contents, digest
from errlint.project.connected import defined, imported
from errlint.source import read_bytes
from errlint.workspace.entries import State

UNKNOWN = State(-1, -1)
"""The state of a file by which nothing is known again: of a content that is not on disk."""


def read_contents(
    root: Path,
    code: Iterable[str],
    others: Iterable[str],
    states: Mapping[str, State],
    replaced: Mapping[str, bytes],
    names: Iterable[str],
    cache: Cache | None,
) -> dict[str, Content]:
    """Return what is in files (relative to the root), from the cache where it knows.

    Of ``code`` the imports are told, and which of ``names`` it may define, of ``others`` nothing but the hash.
    ``replaced`` are taken in place of files.
    """
    names = sorted(names)
    name = digest(repr((__version__, str(root), names)).encode("utf-8", "surrogateescape")).hex()[:16]
    stored = cache.load_contents(name) if cache is not None else None
    old = stored.written - RACY_NS if stored is not None else 0
    known = stored.files if stored is not None else {}
    started = time.time_ns()
    found: dict[str, Content] = {}
    fresh: dict[str, Content] = {}
    asked = {**dict.fromkeys(others, False), **dict.fromkeys(code, True)}
    for path, is_code in asked.items():
        if path in replaced:
            found[path] = _content(UNKNOWN, replaced[path], names, is_code=is_code)
            continue
        content = known.get(path)
        state = states.get(path, UNKNOWN)
        if (
            content is None
            or content.state != state
            or state.modified > old
            or not content.digest  # it may have become readable, which the state does not tell
            or (is_code and content.imports is None)
        ):
            content = fresh[path] = _read(f"{root}/{path}", state, names, is_code=is_code)
        found[path] = content
    if cache is not None and fresh:
        kept = {path: content for path, content in known.items() if path in states and content.state.modified <= old}
        cache.store(name, Contents(started, {**kept, **fresh}))
    return found


def _read(path: str, state: State, names: Iterable[str], *, is_code: bool) -> Content:
    try:
        return _content(state, read_bytes(path), names, is_code=is_code)
    except OSError:
        return Content(state, b"", ())


def _content(state: State, data: bytes, names: Iterable[str], *, is_code: bool) -> Content:
    if not is_code:
        return Content(state, digest(data))
    return Content(state, digest(data), imported(data), defined(data, names))
