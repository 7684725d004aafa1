"""The cache: facts by file content and whole runs by the state of all files. Never needed, never trusted blindly.

A cache file that is corrupt, truncated, foreign or of another version is as good as none. Files whose time stamp is
as young as the cache may have changed since without a new one: those are compared by content.

No link of the project is followed on the way to the cache or in it. A file counts where it belongs to this user, or to
the superuser.
"""

from __future__ import annotations

import errno
import hashlib
import os
import re
import sys
from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from errlint.discover import CACHED
from errlint.errors import OutputError, Place
from errlint.findings import Finding
from errlint.memory import Memory
from errlint.workspace.entries import FileState, is_anything
from errlint.workspace.writing import LARGEST, Folder, LeadsOutError, is_inside, opened, resolved

_MAGIC = b"errlint-cache-1\n"
_ESCAPED = b"errlint-cache-e\n"
"""The same with texts of which some are no text, such as the name of a file that is not UTF-8."""

_RUN, _FACTS, _CONTENTS = CACHED
_IGNORE = "# Made by errlint.\n*\n"
_TAG = "Signature: 8a477f597d28d172789f06886806bc55\n# Made by errlint; see https://bford.info/cachedir/\n"
RACY_NS = 2_000_000_000
"""A file changed less than this long (in ns) before a cache was written may change again unseen."""

T = TypeVar("T")


class Counted(msgspec.Struct, frozen=True, array_like=True):
    """The names that were looked for in a file, sorted, and how often those of them that were counted occur."""

    names: tuple[str, ...] = ()
    found: tuple[tuple[str, int], ...] = ()


class Content(msgspec.Struct, frozen=True, array_like=True):
    """What a file has in it: its hash (empty where it cannot be read), and by its text what it imports.

    ``defined`` are those of the names asked for that it may define, ``reached`` the distributions that what it imports
    leads to. ``imports`` is ``None`` where nobody has asked for any of this.
    """

    state: FileState
    digest: bytes
    imports: tuple[str, ...] | None = None
    defined: tuple[str, ...] = ()
    reached: tuple[str, ...] = ()


class Contents(msgspec.Struct, frozen=True, array_like=True):
    """The contents of the files of a project, and when they were written.

    ``where`` is a hash of which files there were: with others, imports lead elsewhere.
    """

    written: int
    where: bytes
    files: dict[str, Content]


class Stored(msgspec.Struct, frozen=True, array_like=True):
    """The facts of one file: the hash of its content, what was looked for in it, the encoded module."""

    digest: bytes
    counted: Counted
    module: bytes


class Facts(msgspec.Struct, frozen=True, array_like=True):
    """All facts of a distribution; ``key`` names the vocabulary and version they were collected with.

    ``tests`` are all of its tests: those that call a wanted name with what is known of callers, the others with an
    empty module.
    """

    key: bytes
    files: dict[str, Stored]
    tests: dict[str, Stored]


class Part(msgspec.Struct, frozen=True, array_like=True):
    """What came of checking a group of distributions that have to do with each other; none where it is of the settings.

    ``stamp`` is the hash of all it depends on, ``tests`` that of the tests of all distributions where it depends on
    them too, else empty. ``is_served`` is true where something in it answers clients; ``unclaimed`` is then 0, else how
    many of its returns look like errors. ``words`` are those of the names in the settings that stand in its files,
    ``defined`` those that mean something there. ``beside`` tells of what no listing has whether it was there
    (:func:`errlint.workspace.entries.is_anything`).
    """

    distributions: tuple[str, ...]
    stamp: bytes
    tests: bytes
    internal_errors: int
    is_served: bool
    unclaimed: int
    words: tuple[str, ...]
    defined: tuple[str, ...]
    beside: dict[str, bool]
    findings: tuple[Finding, ...]

    def holds(self, root: Path) -> bool:
        """Whether what no listing has is still there, or still not."""
        return all(is_anything(root, path) == answer for path, answer in self.beside.items())


class CachedRun(msgspec.Struct, frozen=True, array_like=True):
    """A whole run: what it depended on, the files it read though they were young, and what came of each group."""

    key: bytes
    young: dict[str, bytes]
    parts: tuple[Part, ...]


def digest(data: bytes | memoryview) -> bytes:
    """Return the hash by which contents are told apart."""
    return hashlib.blake2b(data, digest_size=16).digest()


_KINDS: dict[type, str] = {CachedRun: _RUN, Facts: _FACTS, Contents: _CONTENTS}


class Cache:
    """The cache folder of a project. ``root`` is a folder around it below which no link is followed, None for none."""

    def __init__(self, folder: Path, root: Path | None = None) -> None:
        self._folder = folder
        self._root = root

    @classmethod
    def named(cls, folder: Path, root: Path) -> Cache:
        """Return the cache in a folder that the user has named, and make the folder.

        Raises :class:`OutputError` where it cannot be made, or a link of the project leads out of it.
        """
        place = Place(folder)
        try:
            project = Path(os.path.realpath(root))
            where = resolved(folder, project)
            cache = cls(where, project if is_inside(where, project) else None)
            cache._prepare()
        except LeadsOutError as error:
            hint = f"remove the link {error.link}, or name another folder"
            raise OutputError("the cache folder is behind a link of the project", hint=hint, place=place) from error
        except OSError as error:
            raise OutputError(f"the cache folder cannot be made: {error.strerror}", place=place) from error
        return cache

    def is_behind_a_link(self) -> bool:
        """Whether a link is on the way to the folder, or in its place."""
        try:
            with self._opened():
                return False
        except OSError as error:
            return error.errno == errno.ELOOP

    def load_run(self, name: str) -> CachedRun | None:
        """Return the stored run under a name, ``None`` when there is none that can be read."""
        return self._load(f"{_RUN}{name}", CachedRun)

    def load_facts(self, name: str) -> Facts | None:
        """Return the stored facts under a name, ``None`` when there are none that can be read."""
        return self._load(f"{_FACTS}{name}", Facts)

    def load_contents(self, name: str) -> Contents | None:
        """Return the stored contents under a name, ``None`` when there are none that can be read."""
        return self._load(f"{_CONTENTS}{name}", Contents)

    def store(self, name: str, content: CachedRun | Facts | Contents, *, is_lasting: bool = True) -> None:
        """Write a run, facts or contents. What cannot be written is passed over: the next run is slower, not wrong.

        What is not ``is_lasting`` is of contents that are not on disk, and only of use in this process.
        """
        magic = _MAGIC
        try:
            payload = msgspec.msgpack.encode(content)
        except UnicodeEncodeError:
            magic = _ESCAPED
            payload = msgspec.msgpack.encode(_mapped(msgspec.to_builtins(content, builtin_types=(bytes,)), _escaped))
        try:
            self._prepare()
            with self._opened() as folder:
                folder.replace(f"{_KINDS[type(content)]}{name}", magic + digest(payload) + payload, flush=False)
        except OSError:
            pass

    def _prepare(self) -> None:
        if self._root is None:
            self._folder.mkdir(parents=True, exist_ok=True)
        with self._opened(make=True) as folder:
            if not folder.is_file(".gitignore"):
                folder.replace("CACHEDIR.TAG", _TAG.encode(), flush=False)
                folder.replace(".gitignore", _IGNORE.encode(), flush=False)

    def _opened(self, *, make: bool = False) -> AbstractContextManager[Folder]:
        if self._root is None:
            return opened(self._folder)
        return opened(self._root, self._folder.relative_to(self._root).parts, make=make)

    def _load(self, name: str, kind: type[T]) -> T | None:
        try:
            with self._opened() as folder:
                found = folder.read(name, LARGEST)
        except OSError:
            return None
        if found is None or not _is_ours(found[1]):
            return None
        data = found[0]
        start = len(_MAGIC) + 16
        magic, payload = data[: len(_MAGIC)], memoryview(data)[start:]
        if magic not in (_MAGIC, _ESCAPED) or digest(payload) != data[len(_MAGIC) : start]:
            return None
        try:
            if magic == _ESCAPED:
                return msgspec.convert(_mapped(msgspec.msgpack.decode(payload), _unescaped), type=kind)
            return msgspec.msgpack.decode(payload, type=kind)
        except (msgspec.MsgspecError, UnicodeDecodeError):
            return None


class RememberingCache(Cache):
    """A cache that reads each file once and keeps what is in it, in the memory of a process that goes on.

    ``behind`` is the cache on disk, None where there is none to be used.
    """

    def __init__(self, memory: Memory, behind: Cache | None) -> None:
        self._entries = memory.entries
        self._behind = behind

    def store(self, name: str, content: CachedRun | Facts | Contents, *, is_lasting: bool = True) -> None:
        """Keep a run, facts or contents, and write them where they are ``is_lasting``."""
        self._entries[_KINDS[type(content)] + name] = content
        if is_lasting and self._behind is not None:
            self._behind.store(name, content)

    def _load(self, name: str, kind: type[T]) -> T | None:
        found: T | None = self._entries.get(name)
        if found is None and self._behind is not None:
            found = self._behind._load(name, kind)
            if found is not None:
                self._entries[name] = found
        return found


def _is_ours(found: os.stat_result) -> bool:
    return sys.platform == "win32" or found.st_uid in (os.geteuid(), 0)


def _mapped(value: Any, change: Callable[[str], str]) -> Any:
    """Return a structure of plain values with all its texts changed."""
    if isinstance(value, str):
        return change(value)
    if isinstance(value, dict):
        return {_mapped(key, change): _mapped(item, change) for key, item in value.items()}
    return [_mapped(item, change) for item in value] if isinstance(value, (list, tuple)) else value


def _escaped(text: str) -> str:
    """Spell out what UTF-8 has no bytes for; nothing else begins with a zero then."""
    return re.sub("[\0\ud800-\udfff]", lambda found: f"\0{ord(found[0]):04x}", text)


def _unescaped(text: str) -> str:
    return re.sub("\0([0-9a-f]{4})", lambda found: chr(int(found[1], 16)), text)
