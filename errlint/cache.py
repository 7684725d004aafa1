"""The cache: facts by file content and whole runs by the state of all files. Never needed, never trusted blindly.

A cache file that is corrupt, truncated, foreign or of another version is as good as none. Files whose time stamp is
as young as the cache may have changed since without a new one: those are compared by content.
"""

from __future__ import annotations

import hashlib
import os
from contextlib import suppress
from pathlib import Path
from typing import TypeVar

import msgspec

from errlint.errors import OutputError, Place
from errlint.facts import Wanted
from errlint.findings import Finding

_MAGIC = b"errlint-cache-1\n"
_TAG = "Signature: 8a477f597d28d172789f06886806bc55\n# Made by errlint; see https://bford.info/cachedir/\n"
RACY_NS = 2_000_000_000
"""A file changed less than this long (in ns) before a cache was written may change again unseen."""

T = TypeVar("T")


class State(msgspec.Struct, frozen=True, array_like=True):
    """What a file looked like: modification time in ns and size in bytes; both -1 for a file that cannot be read."""

    modified: int
    size: int


class Stored(msgspec.Struct, frozen=True, array_like=True):
    """The facts of one file: its state and content hash, what was wanted of it, the encoded module."""

    state: State
    digest: bytes
    wanted: Wanted
    module: bytes


class Facts(msgspec.Struct, frozen=True, array_like=True):
    """All facts of a project; ``key`` names the vocabulary and version they were collected with.

    ``asked`` are the names, by distribution, whose uses every file has been searched for, ``crossings`` the other
    distributions that each has looked into. ``tests`` are all tests: those that call a wanted name with what is known
    of callers, the others with an empty module.
    """

    key: bytes
    written: int
    files: dict[str, Stored]
    asked: dict[str, tuple[str, ...]]
    crossings: dict[str, tuple[str, ...]]
    tests: dict[str, Stored]


class Run(msgspec.Struct, frozen=True, array_like=True):
    """A whole run: what it depended on, the files it read though they were young, and all findings of the project.

    ``selection`` is what it depended on besides the content of files, ``facts`` when the facts were written it is
    based on (0 for never): with both of them the same, only what changed has to be checked again.
    """

    key: bytes
    selection: bytes
    facts: int
    young: dict[str, bytes]
    internal_errors: int
    note: str
    findings: tuple[Finding, ...]


def digest(data: bytes) -> bytes:
    """Return the hash by which contents are told apart."""
    return hashlib.blake2b(data, digest_size=16).digest()


class Cache:
    """The cache folder of a project."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def load_run(self, name: str) -> Run | None:
        """Return the stored run under a name, ``None`` when there is none that can be read."""
        return self._load(f"run-{name}", Run)

    def load_facts(self, name: str) -> Facts | None:
        """Return the stored facts under a name, ``None`` when there are none that can be read."""
        return self._load(f"facts-{name}", Facts)

    def store(self, name: str, content: Run | Facts) -> None:
        """Write a run or facts. What cannot be written is passed over: the next run is slower, not wrong."""
        kind = "run" if isinstance(content, Run) else "facts"
        try:
            payload = msgspec.msgpack.encode(content)
        except UnicodeEncodeError:  # the name of a file is not text
            return
        target = self._folder / f"{kind}-{name}"
        beside = self._folder / f".{kind}-{name}.{os.getpid()}"
        try:
            self._prepare()
            beside.write_bytes(_MAGIC + digest(payload) + payload)
            beside.replace(target)
        except OSError:
            with suppress(OSError):
                beside.unlink()

    def require(self) -> None:
        """Make the folder now. Raises :class:`OutputError`: for a folder that the user named."""
        try:
            self._prepare()
        except OSError as error:
            raise OutputError(
                f"the cache folder cannot be made: {error.strerror}", place=Place(self._folder)
            ) from error

    def _prepare(self) -> None:
        ignore = self._folder / ".gitignore"
        if not ignore.exists():
            self._folder.mkdir(parents=True, exist_ok=True)
            ignore.write_text("# Made by errlint.\n*\n", encoding="utf-8")
            (self._folder / "CACHEDIR.TAG").write_text(_TAG, encoding="utf-8")

    def _load(self, name: str, kind: type[T]) -> T | None:
        try:
            data = (self._folder / name).read_bytes()
        except OSError:
            return None
        start = len(_MAGIC) + 16
        if data[: len(_MAGIC)] != _MAGIC or digest(data[start:]) != data[len(_MAGIC) : start]:
            return None
        try:
            return msgspec.msgpack.decode(data[start:], type=kind)
        except msgspec.MsgspecError:
            return None
