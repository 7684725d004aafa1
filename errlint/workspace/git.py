"""Every question to git, with the commands of the repository switched off.

What a checked repository configures (``core.fsmonitor``, filters, hooks, external diffs, transports, another work tree)
is code or redirection that a stranger wrote. There is no list of such settings to keep: git is told that what work
trees share, the configuration among it, is in a folder that comes with errlint (``GIT_COMMON_DIR``), and reads the
index, the objects and ``info/exclude`` of the repository only. The repository is found here and named to git, which
looks for none by itself: neither a bare one on the way nor one whose ``core.worktree`` leads elsewhere.

The user's own configuration counts: its ignored files, and the filters that the user has installed. Of the environment
only what leads to that configuration and to git's programs is handed on. A hook's temporary index is not: the question
is always about the work tree, which is the same with it.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

from errlint.source import read_bytes

PATIENCE = 60.0
"""Seconds that git is waited for. It reads ignore files and attributes as they are, pipes that never end too."""

_KEPT = ("GIT_CONFIG_GLOBAL", "GIT_CONFIG_SYSTEM", "GIT_CONFIG_NOSYSTEM", "GIT_EXEC_PATH")
_SILENT = {
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_ALLOW_PROTOCOL": "none",  # older versions fetch what a partial clone lacks
}
_OPTIONS = (
    "--no-pager",
    "-c",
    "core.fsmonitor=false",
    "-c",
    f"core.hooksPath={os.devnull}",
    "-c",
    "core.fileMode=false",
)
_POINTER_SIZE = 4096
_CONFIGURATION_SIZE = 1 << 20
_EMPTY_TREES = {
    "sha1": "4b825dc642cb6eb9a060e54bf8d69288fbee4904",
    "sha256": "6ef19b41225c5369f1c104d45d8d85efa9b057b53b14b4b9b939dd74decc5321",
}
_INVISIBLE = re.compile("[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]")
"""What the file system of macOS passes over in names."""


_FILES = frozenset({"100644", "100755"})
"""Modes of plain files in a tree."""


class GitError(Exception):
    """Git is there and cannot answer; the text is the first line of why."""


class Repository(NamedTuple):
    """A repository as its folders: ``top`` is the work tree's, ``folder`` git's own for it.

    ``common`` is where the objects are, which linked work trees share; in any other case it is ``folder``.
    """

    top: str
    folder: str
    common: str


class Listing(NamedTuple):
    """A listing that has been started: the descriptor of its output, its process or -1 where it has ended."""

    output: int
    process: int


def is_inside_git_folder(parts: Iterable[str]) -> bool:
    """Whether a path with these parts is one of git's own files, on any file system."""
    return any(map(is_git_folder, parts))


def is_git_folder(name: str) -> bool:
    """Whether some file system takes ``name`` for ``.git``: in any case, with what it drops or by its short name."""
    if name in (".git", "git~1"):
        return True
    if len(name) < 4:
        return False
    plain = _INVISIBLE.sub("", name).partition(":")[0].rstrip(". ").lower()
    return plain in (".git", "git~1")


def repository(folder: str | Path) -> Repository | None:
    """Return the closest repository with a work tree at or above ``folder``, through links; None for none.

    Raises nothing: what is not a repository, or cannot be read, is passed over.
    """
    top = os.path.realpath(folder)
    while True:
        found = _repository_at(top)
        if found is not None:
            return found
        above = os.path.dirname(top)  # noqa: PTH120 -- on the way of every run
        if above == top:
            return None
        top = above


def has_repository(folder: str) -> bool:
    """Whether a folder is the work tree of a repository: git takes what is in it for that one's."""
    return _repository_at(folder) is not None


def _repository_at(top: str) -> Repository | None:
    folder = f"{top}{os.sep}.git"
    if not os.path.isdir(folder):  # noqa: PTH112
        pointer = _pointer(folder)
        if not pointer.startswith("gitdir: "):
            return None
        folder = os.path.normpath(os.path.join(top, pointer.removeprefix("gitdir: ")))  # noqa: PTH118
    shared = _pointer(f"{folder}{os.sep}commondir")
    common = os.path.normpath(os.path.join(folder, shared)) if shared else folder  # noqa: PTH118
    there = [f"{folder}{os.sep}HEAD", f"{common}{os.sep}objects", f"{common}{os.sep}refs"]
    return Repository(top, folder, common) if all(map(os.path.exists, there)) else None


def _pointer(path: str) -> str:
    """Return the path that a file of git holds, "" where there is no such file."""
    try:
        return os.fsdecode(read_bytes(path, _POINTER_SIZE)).rstrip("\r\n")
    except (OSError, ValueError):
        return ""


def exclude_file(repository: Repository) -> str:
    """Return the path of the ignore file that only this clone has."""
    return os.path.join(repository.common, "info", "exclude")  # noqa: PTH118


def start_listing(folder: Path, repository: Repository, patterns: Sequence[str]) -> Listing | None:
    """Start to list the files below ``folder`` that are tracked, or new and not ignored; None without git.

    Paths are relative to ``folder``. Work can be done until :func:`finish` waits for the answer.
    """
    command = _command(folder, "ls-files", "-coz", "--exclude-standard", *_own_excludes(repository), "--", *patterns)
    if not command:
        return None
    environment = _environment(repository)
    if not hasattr(os, "posix_spawn"):
        return _listing_elsewhere(command, environment)
    # The module subprocess takes as long to import as git to answer.
    output, end = os.pipe()
    null = os.open(os.devnull, os.O_RDWR)
    actions = [(os.POSIX_SPAWN_DUP2, null, 0), (os.POSIX_SPAWN_DUP2, end, 1), (os.POSIX_SPAWN_DUP2, null, 2)]
    try:
        process = os.posix_spawn(command[0], command, environment, file_actions=actions)
    except OSError:
        os.close(output)
        return None
    finally:
        os.close(end)
        os.close(null)
    return Listing(output, process)


def _listing_elsewhere(command: list[str], environment: dict[str, str]) -> Listing | None:
    import subprocess
    import tempfile

    with tempfile.TemporaryFile() as file:
        try:
            subprocess.run(
                command, env=environment, stdin=subprocess.DEVNULL, stdout=file, stderr=subprocess.DEVNULL,
                check=True, timeout=PATIENCE,
            )  # fmt: skip
        except (OSError, subprocess.SubprocessError):
            return None
        file.seek(0)
        return Listing(os.dup(file.fileno()), -1)


def finish(listing: Listing) -> list[str] | None:
    """Return what a listing lists; None where git refused or did not come to an end."""
    with open(listing.output, "rb") as file:  # noqa: PTH123 -- a descriptor
        if listing.process < 0:
            found = file.read()
        else:
            answer = _read_in_time(listing.output)
            if answer is None:
                os.kill(listing.process, 9)
            if os.waitpid(listing.process, 0)[1] != 0 or answer is None:
                return None
            found = answer
    return os.fsdecode(found).split("\0")[:-1]


def _read_in_time(descriptor: int) -> bytes | None:
    import select
    import time

    until = time.monotonic() + PATIENCE
    parts: list[bytes] = []
    while True:
        if not select.select([descriptor], [], [], max(until - time.monotonic(), 0))[0]:
            return None
        part = os.read(descriptor, 1 << 20)
        if not part:
            return b"".join(parts)
        parts.append(part)


def tracked(root: Path, paths: Sequence[str]) -> frozenset[str]:
    """Return those of ``paths`` (relative to ``root``) that git tracks; a folder, where it tracks anything in it.

    Letter case is passed over: on some file systems the name of a tracked file is another spelling. None are tracked
    without git, or where it cannot answer.
    """
    found = repository(root)
    if found is None or not paths:
        return frozenset()
    try:
        answer = _ask(root, found, "ls-files", "-cz", "--", *(f":(literal,icase){path}" for path in paths))
    except GitError:
        return frozenset()
    names = [f"{name}/".casefold() for name in (answer or "").split("\0")[:-1]]
    return frozenset(path for path in paths if any(name.startswith(f"{path}/".casefold()) for name in names))


def uncommitted(repository: Repository, folder: str) -> frozenset[str] | None:
    """Return what differs below ``folder`` from the last commit, new files too, relative to the work tree's top.

    Ignored files and what is in repositories inside this one are left out. None without git. Raises :class:`GitError`.
    """
    place = Path(folder)
    head = _ask(place, repository, "rev-parse", "--quiet", "--verify", "HEAD", shared=True)
    if head is None:
        return None
    commit = head.strip() or _EMPTY_TREES[_hash(repository)]
    options = ("--cached", "--name-only", "-z", "--no-renames", "--ignore-submodules=all")
    staged = _ask(place, repository, "diff-index", *options, commit, "--", ".") or ""
    # Unlike `git diff`, which writes the index of those that it finds unchanged.
    asked = ("-moz", "--full-name", "--exclude-standard", *_own_excludes(repository))
    others = _ask(place, repository, "ls-files", *asked, "--", ".") or ""
    return frozenset(name.rstrip("/") for name in f"{staged}{others}".split("\0")[:-1])


def commit_named(repository: Repository, folder: Path, revision: str) -> str | None:
    """Return the hash of a commit by what people call it, None where there is none. Raises :class:`GitError`."""
    if revision.startswith("-"):
        return None
    found = _ask(folder, repository, "rev-parse", "--quiet", "--verify", f"{revision}^{{commit}}", shared=True)
    return (found or "").strip() or None


def files_at(
    repository: Repository, folder: Path, commit: str, wanted: Callable[[str], bool], limit: int
) -> dict[str, bytes]:
    """Return the files below a folder as a commit has them: paths from the folder, with forward slashes, and contents.

    Links, other repositories and files of more than ``limit`` bytes are left out. Raises :class:`GitError`.
    """
    listing = _ask(folder, repository, "ls-tree", "-r", "-z", "-l", commit) or ""
    blobs: dict[str, str] = {}
    for entry in listing.split("\0")[:-1]:
        about, _, path = entry.partition("\t")
        mode, _, blob, size = about.split()
        if mode in _FILES and wanted(path) and _is_plain(path) and int(size) <= limit:
            blobs[path] = blob
    asked = "".join(f"{blob}\n" for blob in blobs.values()).encode()
    answer = os.fsencode(_ask(folder, repository, "cat-file", "--batch", given=asked) or "") if blobs else b""
    found: dict[str, bytes] = {}
    at = 0
    for path, blob in blobs.items():
        end = answer.find(b"\n", at) + 1
        words = answer[at:end].split()
        if len(words) != 3 or words[1] != b"blob":
            message = f"the object {blob} is missing"
            raise GitError(message)
        at = end + int(words[2]) + 1
        found[path] = answer[end : at - 1]
    return found


def _is_plain(path: str) -> bool:
    """Whether a path stays below its folder, and is none of git's: a tree may be made by anybody."""
    parts = path.split("/")
    return "" not in parts and not {".", ".."} & {*parts} and not is_inside_git_folder(parts) and "\\" not in path


def configured_excludes() -> str | None:
    """Return the ignore file that the user has configured for all repositories; None where nothing says so."""
    command = _command(Path(os.sep), "config", "--includes", "--get", "--path", "core.excludesFile")
    if not command:
        return None
    nowhere = {"GIT_DIR": os.devnull}
    try:
        return _answer(command, {**_environment(None), **nowhere}).rstrip("\n") or None
    except GitError:
        return None


def _own_excludes(repository: Repository) -> tuple[str, ...]:
    path = exclude_file(repository)
    return (f"--exclude-from={path}",) if os.path.isfile(path) else ()  # noqa: PTH113


def _ask(folder: Path, repository: Repository, *arguments: str, shared: bool = False, given: bytes = b"") -> str | None:
    """Return what git answers in a folder of the repository, None without git. Raises :class:`GitError`.

    ``shared`` is for questions that are about what work trees share, and run nothing: which commit a name stands for.
    ``given`` is the input.
    """
    command = _command(folder, *arguments)
    return _answer(command, _environment(repository, shared=shared), given) if command else None


def _answer(command: list[str], environment: dict[str, str], given: bytes = b"") -> str:
    import subprocess

    try:
        done = subprocess.run(command, env=environment, capture_output=True, input=given, check=False, timeout=PATIENCE)
    except subprocess.TimeoutExpired as error:
        message = f"it has not come to an end in {PATIENCE:.0f} s"
        raise GitError(message) from error
    except OSError as error:
        raise GitError(error.strerror or type(error).__name__) from error
    reason = done.stderr.decode("utf-8", "replace").strip().partition("\n")[0]
    if done.returncode and (reason or done.returncode != 1):  # 1 and no words: there is no such thing
        raise GitError(reason or f"status {done.returncode}")
    return os.fsdecode(done.stdout)


def _command(folder: Path, *arguments: str) -> list[str]:
    """Return a command that asks in a folder; nothing without git."""
    program = _program()
    return [program, *_OPTIONS, "-C", str(folder), *arguments] if program else []


def _program() -> str:
    """Return where git is: in an absolute folder of the path, so never in the one that happens to be current."""
    name = "git.exe" if sys.platform == "win32" else "git"
    for folder in os.environ.get("PATH", os.defpath).split(os.pathsep):
        path = f"{folder}{os.sep}{name}"
        if os.path.isabs(folder) and os.access(path, os.X_OK) and os.path.isfile(path):  # noqa: PTH113, PTH117
            return path
    return ""


def _environment(repository: Repository | None, *, shared: bool = False) -> dict[str, str]:
    """Return the environment of a question about a repository; ``shared`` keeps what its work trees share."""
    found = {name: value for name, value in os.environ.items() if not name.startswith("GIT_") or name in _KEPT}
    found.update(_SILENT)
    if repository is not None:
        found["GIT_DIR"] = repository.folder
        found["GIT_WORK_TREE"] = repository.top
    if repository is not None and not shared:
        found["GIT_COMMON_DIR"] = os.path.join(  # noqa: PTH118
            os.path.dirname(os.path.abspath(__file__)), "repository", _hash(repository)  # noqa: PTH100, PTH120
        )  # fmt: skip
        found["GIT_OBJECT_DIRECTORY"] = f"{repository.common}{os.sep}objects"
    return found


def _hash(repository: Repository) -> str:
    """Return the name of the hash that a repository is made with: without it git cannot read an index."""
    try:
        text = read_bytes(f"{repository.common}{os.sep}config", _CONFIGURATION_SIZE).lower()
    except OSError:
        return "sha1"
    return "sha256" if b"objectformat" in text and re.search(rb"objectformat\s*=\s*sha256", text) else "sha1"
