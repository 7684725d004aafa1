"""What is in the files of a run: their hashes, by which the cache knows them again, and what they import."""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping
from pathlib import Path

from msgspec import structs

from errlint import __version__
from errlint.cache import RACY_NS, Cache, Content, Contents, digest
from errlint.project.connected import Reach, defined, imported
from errlint.project.names import Layout
from errlint.source import read_bytes
from errlint.workspace.entries import FileState

UNKNOWN = FileState(-1, -1)
"""The state of a file by which nothing is known again: of a content that is not on disk."""


def read_contents(
    root: Path,
    layout: Layout,
    where: bytes,
    code: Iterable[str],
    others: Iterable[str],
    states: Mapping[str, FileState],
    replaced: Mapping[str, bytes],
    names: Iterable[str],
    cache: Cache | None,
) -> dict[str, Content]:
    """Return what is in files (relative to the root), from the cache where it knows.

    Of ``code`` it is told where its imports lead, and which of ``names`` it may define, of ``others`` nothing but the
    hash. ``replaced`` are taken in place of files. ``where`` is a hash of the files in the layout.
    """
    names = sorted(names)
    name = digest(repr((__version__, str(root), names)).encode("utf-8", "surrogateescape")).hex()[:16]
    stored = cache.load_contents(name) if cache is not None else None
    old = stored.written - RACY_NS if stored is not None else 0
    known = stored.files if stored is not None else {}
    started = time.time_ns()
    is_moved = stored is None or stored.where != where
    reach = Reach(layout)
    found: dict[str, Content] = {}
    fresh: dict[str, Content] = {}
    asked = {**dict.fromkeys(others, False), **dict.fromkeys(code, True)}
    for path, is_code in asked.items():
        state = states.get(path, UNKNOWN)
        content = known.get(path) if path not in replaced else None
        is_fresh = (
            content is None
            or content.state != state
            or state.modified > old
            or not content.digest  # it may have become readable, which the state does not tell
            or (is_code and content.imports is None)
        )
        if content is None or is_fresh:
            content = _content(f"{root}/{path}", state, replaced.get(path), names, is_code=is_code)
        if content.imports and (is_fresh or is_moved):
            reached = tuple(sorted(reach.distributions(path, content.imports)))
            content, is_fresh = structs.replace(content, reached=reached), True
        found[path] = content
        if is_fresh and path not in replaced:
            fresh[path] = content
    if cache is not None and (fresh or is_moved):
        kept = {
            path: content
            for path, content in known.items()
            if path in states and content.state.modified <= old and not (is_moved and content.imports)
        }
        cache.store(name, Contents(started, where, {**kept, **fresh}))
    return found


def _content(path: str, state: FileState, data: bytes | None, names: Iterable[str], *, is_code: bool) -> Content:
    try:
        data = read_bytes(path) if data is None else data
    except OSError:
        return Content(state, b"", ())
    if not is_code:
        return Content(state, digest(data))
    return Content(state, digest(data), imported(data), defined(data, names))
